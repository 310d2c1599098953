//! The analyser against runs and known verdicts.

mod common;
mod floats;
mod programs;
mod random;
mod verdicts;
