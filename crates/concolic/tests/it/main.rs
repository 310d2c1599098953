//! The concolic engine against runs, covers and programs of its own.

#[path = "../../../cover/tests/it/common/mod.rs"]
mod common;
mod concolic;
mod external_calls;
mod fewer_paths;
mod fitness;
mod loop_iterations;
mod nontermination;
mod snapshots;
