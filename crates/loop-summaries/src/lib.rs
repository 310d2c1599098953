//! Loop summaries (loop acceleration): necessary conditions for reaching a target, for any number of loop iterations.
//!
//! **Idea.** A loop is summarised by what each variable is after κ iterations, as a function of κ. With the
//! summaries, the condition that every run to the target satisfies is a formula over the inputs and the counters. If
//! it has no model, the target is unreachable; otherwise a model says where to look for a run.
//!
//! Example: for `i = 0; while (i < n) i += 3; if (i == 10) target;` the value of `i` after κ iterations is 3κ, so a
//! run to the target needs 3κ = 10, which no κ satisfies: the target is unreachable for every `n`.
//!
//! **Paper.** J. Strejček, M. Trtík, "Abstracting path conditions for effective symbolic execution" (ISSTA 2012).
//!
//! | technique | file |
//! |---|---|
//! | targets: from a user's words to a block | `target.rs` |
//! | reachability and strongly connected components | `graph.rs` |
//! | backbone trees and loop summaries, as data | `summary.rs` |
//! | backbone trees, built by symbolic execution | `backbones.rs` |
//! | conditional constant propagation | `constant_propagation.rs` |
//! | closed forms: iterated states of scalars | `iterated_states.rs` |
//! | arithmetic progressions: sums over iterations | `progressions.rs` |
//! | eventually periodic recurrences: toggles, counters that are reset, remainders | `orbits.rs` |
//! | absence of overflow of narrow loop variables | `narrow_counters.rs` |
//! | scalar replacement of array elements at fixed places | `scalar_replacement.rs` |
//! | closed forms of arrays | `iterated_arrays.rs`, `array_writes.rs` |
//! | latest writes, for maps without a closed form | `latest_writes.rs` |
//! | trip counts of inner loops | `trip_count.rs` |
//! | invariants of variables without a closed form (Houdini) | `invariants.rs` |
//! | quantified invariants over array elements | `array_bounds.rs` |
//! | iteration counters, unbounded and of machine integers | `counters.rs` |
//! | the necessary condition with quantifiers | `quantified.rs` |
//! | the necessary condition, unfolded | `unfold.rs` |
//! | lifting of machine integers to unbounded integers | `int_lifting.rs` |
//! | test generation from models and from scripts | `replay.rs`, `replay/proposed.rs` |
//! | proof by induction over all loops at once | `inductive.rs` |
//! | cut points and path segments | `inductive/segments.rs` |
//! | invariant candidates, Houdini | `inductive/guesses.rs`, `inductive/facts.rs` |
//! | polynomial identities modulo 2ⁿ | `inductive/identities.rs`, `inductive/polynomial.rs` |
//! | linear algebra modulo 2ⁿ | `inductive/linear_algebra.rs` |
//! | recursion: calls and returns as control flow | `recursion.rs` |
//! | reachability of a target: proof or test | `reach.rs` |
//! | the search for a run | `reach/runs.rs` |
//! | the necessary condition for other analyses | `reach/necessary.rs` |
//! | several places by induction alone | `reach/induction.rs` |
//!
//! **Direction of error.** A condition is implied by every run that reaches the target; a test counts when the
//! reference interpreter has run it.

mod array_bounds;
mod array_writes;
mod backbone_tree;
mod backbones;
mod constant_propagation;
mod counters;
mod graph;
mod inductive;
mod int_lifting;
mod invariants;
mod iterated_arrays;
mod iterated_states;
mod latest_writes;
mod narrow_counters;
mod orbits;
mod progressions;
mod quantified;
mod reach;
mod recursion;
mod replay;
mod scalar_replacement;
mod summary;
mod target;
mod trip_count;
mod unfold;

pub use backbone_tree::{Loop, Vertex};
pub use reach::{
    Native, Necessary, Options, Reach, ReachError, Say, Verdict, necessary, prove_by_induction,
    prove_unreachable, reach, reach_natively,
};
pub use replay::{Choice, Test, test_of_script};
pub use target::{Spot, Target, find, find_statements, is_named, place};
