//! Procedure summaries against inlining, the paper and runs.

mod agreement;
mod common;
mod covers;
mod paper;
mod store;
