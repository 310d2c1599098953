//! Evaluation of terms on concrete values.
//!
//! **Idea.** A machine with a stack of its own (`machine.rs`) asks for the arguments a term needs, in order,
//! and remembers each result, errors included. Connectives and `ite` ask for no more than they need:
//! `false ∧ error` is `false`, whichever comes first, and an `ite` needs its condition and one arm. What an
//! operator makes of values is in `ops.rs` (numbers, booleans), `bits.rs` (bit-vectors), `float.rs` and `maps.rs`;
//! what values do not determine is asked of the [`Env`]. Quantifiers are decided by enumeration where each variable
//! has a small finite range (`quantifier.rs`).
//!
//! **Direction of error.** None: a value is the value. What cannot be known is an [`EvalError`].

mod bits;
mod float;
mod machine;
mod maps;
mod ops;
mod quantifier;

pub use maps::store;

use std::fmt;

use crate::{Op, SortId, SymbolId, TermId, Terms, Value};

/// What an evaluation cannot know by itself.
pub trait Env {
    /// The value of a free symbol.
    fn symbol(&mut self, terms: &Terms, symbol: SymbolId) -> Result<Value, EvalError>;

    /// The value of an operator that arguments alone do not determine: a declared function, division by
    /// zero, `<:`, a datatype's selector at the wrong constructor, a solver's builtin. Unless it is overridden,
    /// nothing is known.
    fn undetermined(
        &mut self,
        terms: &Terms,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        let _ = (terms, args, sort);
        Err(EvalError::Unsupported(format!("{op:?} has no value by itself")))
    }

    /// The value of a quantifier or lambda that could not be decided by enumeration. `bound` holds the values of
    /// the symbols bound around it. Unless it is overridden, nothing is known.
    fn binder(
        &mut self,
        terms: &Terms,
        term: TermId,
        bound: &[(SymbolId, Value)],
    ) -> Result<Value, EvalError> {
        let _ = (terms, term, bound);
        Err(EvalError::Unsupported("a quantifier over an unbounded range".to_owned()))
    }
}

/// Why a term has no value here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// A symbol without a value.
    Unbound(SymbolId),
    /// The environment, or the evaluator, has no value for this; the text says what.
    Unsupported(String),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Unbound(s) => write!(f, "symbol {} has no value", s.index()),
            EvalError::Unsupported(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for EvalError {}

/// The environment that knows nothing.
pub struct NoEnv;

impl Env for NoEnv {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        Err(EvalError::Unbound(symbol))
    }
}

/// The value of `root` under `env`.
pub fn evaluate(terms: &Terms, root: TermId, env: &mut dyn Env) -> Result<Value, EvalError> {
    machine::Machine::new(terms, env).run(root)
}

/// The value of an operator (no binder) on values, where the values alone determine it. Reads and writes of
/// polymorphic maps are not determined by values alone.
pub fn evaluate_op(terms: &Terms, op: &Op, args: &[Value], sort: SortId) -> Option<Value> {
    ops::evaluate_op(terms, op, args, sort)
}
