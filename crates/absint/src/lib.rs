//! Abstract interpretation of the program form.
//!
//! An abstract domain describes sets of states: here each variable has an interval with a congruence, and linear
//! inequalities relate variables. The analysis computes a description of all states in which each block can be
//! entered, for any number of loop iterations. From it follows which checks never fail and which blocks are
//! unreachable. No solver takes part.
//!
//! | technique | file |
//! |---|---|
//! | interval domain with congruences | `range.rs` |
//! | linear inequalities: Fourier-Motzkin elimination | `linear.rs` |
//! | the abstract domain (a relative of polyhedra): join, widening, entailment | `facts.rs` |
//! | a cache of entailment queries | `query_cache.rs` |
//! | abstract evaluation of terms, with exact wrap-around | `read.rs` |
//! | interval domain of floating-point numbers | `float.rs` |
//! | abstract transformers: conditions | `condition.rs` |
//! | abstract transformers: assignments, elements of maps | `assign.rs` |
//! | liveness of variables | `liveness.rs` |
//! | fixpoint iteration with widening and narrowing, trace partitioning | `fixpoint.rs` |
//! | concretisation: facts as a condition of the program form | `invariant.rs` |
//! | inferred invariants as plain inequalities, for other crates | `exported_facts.rs` |
//! | verdicts on assertions and blocks | `analysis.rs` |
//! | dead code of a whole program | `unreachable_places.rs` |
//! | loop cutting: loops replaced by their invariants | `cut.rs` |
//!
//! **Invariant:** nothing here knows solvers, front ends or engines.

mod analysis;
mod assign;
mod condition;
mod cut;
mod exported_facts;
mod facts;
mod fixpoint;
mod float;
mod invariant;
mod linear;
mod liveness;
mod query_cache;
mod range;
mod read;
mod unreachable_places;

pub use analysis::{Analysis, Calls, Check, Proof, analyse, checks};
pub use cut::cut_loops;
pub use exported_facts::{Inequality, Number, conditions, known, may_enter};
pub use fixpoint::{Effort, reverse_postorder};
pub use liveness::{FreeSymbols, Live};
pub use unreachable_places::{never_entered, never_entered_alone};
