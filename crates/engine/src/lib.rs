//! Engines over the program form.
//!
//! | idea | folder |
//! |---|---|
//! | a loop-free procedure as a formula | `vc/` |
//! | dominators, which both need | `dominators.rs` |
//! | path cover, statement cover, baselines, explanations | `cover/` |
//! | dynamic symbolic execution | `concolic/` |
//!
//! **Invariants:** engines report events and plain data, they never print; a heuristic may change what a
//! verdict costs, never the verdict; every time-out reaches a verdict with its reason.

pub mod concolic;
pub mod cover;
mod dominators;
pub mod vc;
