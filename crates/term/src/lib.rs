//! Sorts, hash-consed terms, the rewriting simplifier and the evaluator.
//!
//! One expression language serves the whole of Footpath: the expressions of the program form are these terms over
//! program variables, a solver sees the same terms over incarnations (one variable for each assignment), and a
//! failure constraint is printed by the same printer as a guard of the source. A term is a [`TermId`], an index into
//! the arena [`Terms`]; equal terms have equal indices.
//!
//! | technique | file |
//! |---|---|
//! | sorts, type constructors, type variables | `sort.rs` |
//! | instances of polymorphic sorts | `instances.rs` |
//! | concrete values | `value.rs` |
//! | operators and their SMT-LIB names | `op.rs` |
//! | sort checking of operators | `signature.rs` |
//! | hash consing in an arena, in layers | `pool.rs` |
//! | terms as text | `display.rs` |
//! | traversal, free symbols, substitution | `walk.rs` |
//! | copying terms between arenas | `transfer.rs` |
//! | term rewriting | `simplify.rs`, `simplify/` |
//! | evaluation on concrete values | `eval.rs`, `eval/` |
//!
//! **Invariant:** this crate knows neither programs nor solvers.

mod display;
mod eval;
mod instances;
mod op;
mod pool;
mod signature;
mod simplify;
mod sort;
mod transfer;
mod value;
mod walk;

pub use eval::{
    Env, EvalError, NoEnv, element, evaluate, evaluate_op, evaluate_with, refuse_invention, store,
};
pub use op::{Binder, BinderKind, Op};
pub use pool::{Args, FuncDecl, FuncId, FuncKind, Symbol, SymbolId, Term, TermId, Terms};
pub use signature::Misfit;
pub use sort::{Sort, SortCtor, SortCtorId, SortId, TypeVarId};
pub use transfer::Shared;
pub use value::{LambdaValue, MapValue, RoundingMode, Value};
pub use walk::{Substitution, TypeSubstitution};
