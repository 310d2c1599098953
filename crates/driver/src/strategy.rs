//! The strategies of the driver: each is one technique to settle objectives, in a file of its own.
//!
//! | strategy | file |
//! |---|---|
//! | search: tests, by dynamic symbolic execution | `search.rs` |
//! | sampling: external functions that are executed for their results | `sampling.rs` |
//! | determinism: whether a test depends on values that no test can set | `determinism.rs` |
//! | sanitizers: a second opinion on failing checks | `sanitizers.rs` |
//! | bounded proof: unreachable with loops unwound, or outright if the bound is not met | `bounded_proof.rs` |
//! | invariants: unreachable for any number of loop iterations, by abstract interpretation | `invariants.rs` |
//! | loop summaries of whole programs | `whole_program_loops.rs` |
//! | loop summaries that guide a search | `loop_guide.rs` |
//! | partial verification that guides a search | `verification_guide.rs` |
//! | out of bounds: which verdicts assume memory safety | `out_of_bounds.rs` |
//! | call graph: functions that a whole program never calls | `call_graph.rs` |
//!
//! **Direction of error.** *Covered* is decided by a compiled test only, *unreachable* by a proof only; a strategy
//! that gives up leaves an objective unknown.

pub(crate) mod bounded_proof;
pub(crate) mod call_graph;
pub(crate) mod determinism;
pub(crate) mod invariants;
pub(crate) mod loop_guide;
pub(crate) mod out_of_bounds;
pub(crate) mod sampling;
pub(crate) mod sanitizers;
pub(crate) mod search;
pub(crate) mod verification_guide;
pub(crate) mod whole_program_loops;
