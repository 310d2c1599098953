//! SMT solvers behind one trait.
//!
//! [`Solver`] is all that engines see: assert terms, check, read models and unsatisfiable cores. Behind it are Z3 in
//! this process ([`Z3`]) and any SMT-LIB 2 solver in another process ([`Process`]); around those, layers that write
//! queries to files ([`Logged`]) or ask a second solver ([`CrossChecked`]). [`open`] puts them together.
//!
//! | technique | file |
//! |---|---|
//! | the solver trait, answers, interrupts | `solver.rs` |
//! | Z3 in process, and the only `unsafe` code | `z3.rs`, `z3/` |
//! | SMT-LIB 2: printer, parser, solver processes | `smtlib.rs`, `smtlib/` |
//! | query logs | `log.rs` |
//! | cross-checking with a second solver | `cross_check.rs` |
//! | Houdini: the largest inductive subset of candidates | `houdini.rs` |
//! | strongly connected components of datatypes | `groups.rs` |
//! | monomorphisation of type variables and polymorphic maps | `monomorphize.rs`, `monomorphize/` |
//! | opening a solver by its name | `open.rs` |
//!
//! **Invariant:** this crate knows terms, not programs.

mod cross_check;
mod groups;
mod houdini;
mod log;
mod monomorphize;
mod open;
mod smtlib;
mod solver;
mod z3;

pub use cross_check::{CrossChecked, Disagreement};
pub use houdini::houdini;
pub use log::Logged;
pub use monomorphize::{Completeness, DEFAULT_INSTANCES, Monomorphic, is_polymorphic, monomorphize, weaken};
pub use open::{OpenError, Options, Profile, SolverSpec, open, run_z3_apart};
pub use smtlib::Process;
pub use solver::{Answer, Interrupter, Solver, Statistics, Unknown, Unsupported};
pub use z3::{Interpreter, Z3};
