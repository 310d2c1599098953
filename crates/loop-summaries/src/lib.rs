//! Loop summaries: necessary conditions for reaching a target, for any number of iterations.
//!
//! After "Abstracting Path Conditions for Effective Symbolic Execution" (Strejček, Trtík, ISSTA 2012).
//!
//! | idea | file |
//! |---|---|
//! | a user's words for a target | `target.rs` |
//! | the graph, and the loop at a block | `graph.rs` |
//! | backbone trees and summaries, as data | `summary.rs` |
//! | building them by symbolic execution | `backbones.rs` |
//! | iterated states of scalars | `iterated_states.rs` |
//! | sums over rounds | `progressions.rs` |
//! | narrow variables that do not wrap | `narrow_counters.rs` |
//! | iterated states of maps | `iterated_arrays.rs` |
//! | what a round writes into a map | `array_writes.rs` |
//! | how many rounds inner loops take | `trip_count.rs` |
//! | invariants of variables without a closed form | `invariants.rs` |
//! | what holds of all elements passed | `array_bounds.rs` |
//! | counters, unbounded and of machine integers | `counters.rs` |
//! | the condition with quantifiers | `quantified.rs` |
//! | the condition unfolded | `unfold.rs` |
//! | the same as if machine integers did not wrap | `int_lifting.rs` |
//! | from a model to a test, and from a script | `replay.rs`, `replay/proposed.rs` |
//! | proofs by induction over all loops at once | `inductive.rs`, `inductive/` |
//! | procedures that call themselves, standing once | `recursion.rs` |
//! | all of it together | `reach.rs` |
//! | the search for a run | `reach/runs.rs` |
//! | the condition for others | `reach/necessary.rs` |
//! | several places by induction alone | `reach/induction.rs` |
//!
//! **Invariants:** a condition is implied by every run that reaches the target; a test counts when the reference
//! interpreter has run it.

mod array_bounds;
mod array_writes;
mod backbones;
mod constant_propagation;
mod counters;
mod graph;
mod inductive;
mod int_lifting;
mod invariants;
mod iterated_arrays;
mod iterated_states;
mod narrow_counters;
mod progressions;
mod quantified;
mod reach;
mod recursion;
mod replay;
mod summary;
mod target;
mod trip_count;
mod unfold;

pub use reach::{
    Native, Necessary, Options, Reach, ReachError, Say, Verdict, necessary, prove_by_induction,
    prove_unreachable, reach, reach_natively,
};
pub use replay::{Choice, Test, test_of_script};
pub use target::{Spot, Target, find, find_statements};
