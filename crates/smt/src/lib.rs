//! Solvers behind one trait.
//!
//! [`Solver`] is all that engines see: assert terms, check, read models and cores. Behind it are Z3 in this
//! process ([`Z3`]) and any SMT-LIB 2 solver in another one ([`Process`]); around those, layers that write
//! queries down ([`Logged`]) or ask a second solver ([`CrossChecked`]). [`open`] puts them together.
//!
//! | idea | file |
//! |---|---|
//! | the trait, answers, interrupts | `solver.rs` |
//! | Z3, and the only `unsafe` code | `z3.rs`, `z3/` |
//! | SMT-LIB 2, printed, spoken and read | `smtlib.rs`, `smtlib/` |
//! | queries as files | `log.rs` |
//! | two solvers | `cross_check.rs` |
//! | which datatypes are declared together | `groups.rs` |
//! | formulas without type variables and polymorphic maps | `monomorphize.rs`, `monomorphize/` |
//! | from a user's words to a solver | `open.rs` |
//!
//! **Invariant:** this crate knows terms, not programs.

mod cross_check;
mod groups;
mod log;
mod monomorphize;
mod open;
mod smtlib;
mod solver;
mod z3;

pub use cross_check::{CrossChecked, Disagreement};
pub use log::Logged;
pub use monomorphize::{Completeness, DEFAULT_INSTANCES, Monomorphic, is_polymorphic, monomorphize, weaken};
pub use open::{OpenError, Options, Profile, SolverSpec, open};
pub use smtlib::Process;
pub use solver::{Answer, Interrupter, Solver, Statistics, Unknown, Unsupported};
pub use z3::Z3;
