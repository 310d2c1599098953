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
mod softfloat;

pub use maps::store;

use std::fmt;

use crate::{FuncKind, LambdaValue, Op, SortId, SymbolId, TermId, Terms, Value};

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

    /// A quantifier was evaluated for so many values of its variables. Unless it is overridden, that costs nothing.
    fn enumerated(&mut self, instances: usize) {
        let _ = instances;
    }

    /// The element of a map by a formula; [`element`] computes it. Who never gives such a map as the value of a binder is
    /// never asked.
    fn element(&mut self, terms: &Terms, map: &LambdaValue, index: &[Value]) -> Result<Value, EvalError> {
        let _ = (terms, map, index);
        Err(EvalError::Unsupported("the element of a map by a formula".to_owned()))
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

/// The element of a map by a formula: what was written last, or else the body of the lambda for this index.
///
/// # Errors
/// If the body has no value, or what was written cannot be told apart.
pub fn element(
    terms: &Terms,
    map: &LambdaValue,
    index: &[Value],
    env: &mut dyn Env,
) -> Result<Value, EvalError> {
    if index.iter().any(Value::has_lambda) && !map.entries.is_empty() {
        return Err(EvalError::Unsupported("an index that is a map by a formula".to_owned()));
    }
    if let Some(value) = map.entries.get(index) {
        return Ok(value.clone());
    }
    let term = terms.term(map.term);
    let Op::Bind(binder) = &term.op else {
        return Err(EvalError::Unsupported("a map by what is no lambda".to_owned()));
    };
    let values = map.captured.iter().cloned().chain(binder.vars.iter().copied().zip(index.iter().cloned()));
    evaluate_with(terms, term.args[0], values.collect(), env)
}

/// The value of a term under `env`, but for symbols that have the given values; the last of several counts.
pub fn evaluate_with(
    terms: &Terms,
    root: TermId,
    values: Vec<(SymbolId, Value)>,
    env: &mut dyn Env,
) -> Result<Value, EvalError> {
    evaluate(terms, root, &mut Within { values, env })
}

/// An environment in which some symbols have values of their own.
struct Within<'a> {
    values: Vec<(SymbolId, Value)>,
    env: &'a mut dyn Env,
}

impl Env for Within<'_> {
    fn symbol(&mut self, terms: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        match self.values.iter().rev().find(|(s, _)| *s == symbol) {
            Some((_, value)) => Ok(value.clone()),
            None => self.env.symbol(terms, symbol),
        }
    }

    fn undetermined(
        &mut self,
        terms: &Terms,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        self.env.undetermined(terms, op, args, sort)
    }

    fn binder(
        &mut self,
        terms: &Terms,
        term: TermId,
        bound: &[(SymbolId, Value)],
    ) -> Result<Value, EvalError> {
        self.env.binder(terms, term, &[&self.values[..], bound].concat())
    }

    fn enumerated(&mut self, instances: usize) {
        self.env.enumerated(instances);
    }

    fn element(&mut self, terms: &Terms, map: &LambdaValue, index: &[Value]) -> Result<Value, EvalError> {
        self.env.element(terms, map, index)
    }
}

/// Refuses what somebody is about to make up a value for, though it has one: a function of a solver's theory. Where
/// its theory leaves the value open, any will do.
///
/// # Errors
/// If the operator is such a function, and its value for these arguments is not known here.
pub fn refuse_invention(terms: &Terms, op: &Op, args: &[Value]) -> Result<(), EvalError> {
    let Op::Apply(f) = op else { return Ok(()) };
    match &terms.function(*f).kind {
        FuncKind::Builtin(text) if !float::is_open(text, args) => Err(EvalError::Unsupported(format!(
            "only a solver knows the value of the builtin function {text}"
        ))),
        _ => Ok(()),
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
