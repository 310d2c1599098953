//! The driver, with the real compiler.

mod sample;
mod summaries;
