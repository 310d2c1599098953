//! The front ends against their languages.

mod agreement;
mod diagnostics;
mod float;
mod llvm;
mod lowering;
mod models;
#[path = "support/random_c.rs"]
mod random_c;
mod robustness;
mod round_trip;
mod run;
#[path = "support/run_c.rs"]
mod run_c;
