//! The driver, with the real compiler.

mod mcdc;
mod sample;
mod summaries;
