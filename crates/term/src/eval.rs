//! Evaluation of terms on concrete values.
//!
//! **Idea.** A machine with an explicit stack (`eval/machine.rs`) evaluates the arguments that a term needs, in
//! order, and caches each result, errors included. Connectives and `ite` are lazy: `false ∧ error` is `false`,
//! whichever comes first, and an `ite` needs its condition and one arm. Operators on values are in `ops.rs` (numbers,
//! booleans), `bits.rs` (bit-vectors), `float.rs` and `maps.rs`; what values do not determine is asked of the
//! [`Env`]. Quantifiers are decided by enumeration where each variable has a small finite range (`quantifier.rs`).
//!
//! **Example.** With `x = 0`, the term `x = 0 ∨ 10 div x > 1` is `true`, without the value of `10 div 0`.
//!
//! **Direction of error.** None: a value that is returned is the value of the term. What cannot be determined is an
//! [`EvalError`].

mod bits;
mod float;
mod machine;
mod maps;
mod ops;
mod quantifier;

pub use maps::store;

use std::fmt;

use crate::{Op, SortId, SymbolId, TermId, Terms, Value};

/// The environment of an evaluation: values that a term itself does not determine.
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

/// The reason why a term has no value.
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

/// The environment without any values.
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
