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
//! | variables that matter later | `live.rs` |
//! | loops | `fixpoint.rs` |
//! | facts as a condition of the program | `invariant.rs` |
//! | facts as inequalities, for others | `known.rs` |
//! | verdicts on checks and blocks | `analysis.rs` |
//! | places that a whole program never comes to | `whole.rs` |
//! | a body whose loops are cut by what holds at their heads | `cut.rs` |
//!
//! **Invariant:** nothing here knows solvers, front ends or engines.

mod analysis;
mod answers;
mod assign;
mod condition;
mod cut;
mod facts;
mod fixpoint;
mod float;
mod invariant;
mod known;
mod linear;
mod live;
mod range;
mod read;
mod whole;

pub use analysis::{Analysis, Calls, Check, Proof, analyse, checks};
pub use cut::cut_loops;
pub use fixpoint::{Effort, reverse_postorder};
pub use known::{Inequality, Number, conditions, known, may_enter};
pub use live::{FreeSymbols, Live};
pub use whole::{never_entered, never_entered_alone};
