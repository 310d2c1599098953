//! Abstract interpretation of the program form.
//!
//! What holds at every point of a body, for any number of rounds of its loops; and so which checks never fail, and
//! which blocks are never entered. No solver takes part.
//!
//! | idea | file |
//! |---|---|
//! | intervals with congruences | `range.rs` |
//! | sums of unknowns, elimination | `linear.rs` |
//! | conjunctions of facts: join, widening, entailment | `facts.rs` |
//! | terms as sums, with exact wrap-around | `read.rs` |
//! | floating-point numbers as integers | `float.rs` |
//! | conditions | `condition.rs` |
//! | assignments, elements of maps | `assign.rs` |
//! | variables that matter later | `liveness.rs` |
//! | loops | `fixpoint.rs` |
//! | facts as a condition of the program | `invariant.rs` |
//! | facts as inequalities, for others | `exported_facts.rs` |
//! | verdicts on checks and blocks | `analysis.rs` |
//! | places that a whole program never comes to | `unreachable_places.rs` |
//! | a body whose loops are cut by what holds at their heads | `cut.rs` |
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
