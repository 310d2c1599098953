//! The analyser against runs and known verdicts.

mod common;
mod cut;
mod floats;
mod programs;
mod random;
mod verdicts;
