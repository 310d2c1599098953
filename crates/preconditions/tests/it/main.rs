//! Failure conditions against the paper and against runs.

mod brute_force;
#[path = "../../../summaries/tests/it/common/mod.rs"]
mod callee_programs;
mod calls;
#[path = "../../../cover/tests/it/common/mod.rs"]
mod common;
mod conditions;
mod machine;
mod paper;
