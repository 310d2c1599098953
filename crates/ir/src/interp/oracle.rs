//! Oracles: the source of all values and choices that a program leaves open, and the replay of recorded ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use footpath_term::{
    EvalError, MapValue, Op, Sort, SortId, SymbolId, TermId, Terms, Value, refuse_invention,
};
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashMap;

use super::Interpreter;
use crate::program::{BlockId, Origin, ProcId};

/// The reason for which a value is asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A constant or global that was not read before.
    Global,
    /// A parameter of the first procedure.
    Parameter,
    /// A result or local that was not assigned before.
    Local,
    /// `havoc`.
    Havoc,
    /// The argument `*` of a call; the symbol is the callee's parameter.
    Argument,
    /// A result of a call without a body; the symbol is the callee's result.
    CallResult,
    /// A global that a call without a body may modify.
    CallGlobal,
}

/// A question for an arbitrary value.
pub struct Ask<'a> {
    /// The program.
    pub interpreter: &'a Interpreter<'a>,
    /// The variable.
    pub symbol: SymbolId,
    /// The sort of the value: the variable's, or its instance if the callee is polymorphic.
    pub sort: SortId,
    /// The reason for the question.
    pub reason: Reason,
    /// The current position of the run; `None` before the first procedure is entered.
    pub at: Option<Origin>,
    /// Which activation of a procedure the variable belongs to, numbered in the order of entering; 0 for the
    /// first procedure, and for constants and globals.
    pub activation: u32,
}

/// The answers to all questions that the program leaves open.
pub trait Oracle {
    /// The value a variable has from the start: a parameter of the first procedure, a constant, a global, a
    /// local, a result. Asked at most once for each variable of each activation, when it is first read.
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError>;

    /// The value a variable gets from `havoc` or a call.
    fn havoc(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError>;

    /// The position among `targets` (two or more) to which a `goto` goes.
    fn choose(&mut self, at: Origin, targets: &[BlockId]) -> Result<usize, EvalError>;

    /// Which of its `bodies` (two or more) a callee runs.
    fn call_body(&mut self, at: Origin, callee: ProcId, bodies: usize) -> Result<usize, EvalError> {
        let _ = (at, callee, bodies);
        Ok(0)
    }

    /// A procedure without a body is called with these arguments. There is nothing to answer.
    fn calls(&mut self, callee: ProcId, args: &[Value]) {
        let _ = (callee, args);
    }

    /// The value of an operator that its arguments do not determine: a function without a body, division by
    /// zero, `<:`. Asked at most once for the same arguments.
    fn undetermined(
        &mut self,
        interpreter: &Interpreter<'_>,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError>;

    /// The value of a quantifier or lambda that cannot be decided by enumeration.
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

/// The inputs of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Script {
    /// Values from the start, by activation and variable. One that is missing is [`default_value`].
    pub entries: FxHashMap<(u32, SymbolId), Value>,
    /// Values from `havoc` and calls, in order; after the last one, default values.
    pub havocs: Vec<Value>,
    /// The positions among the targets at each `goto` with a choice, in order; after the last one, the first
    /// target.
    pub choices: Vec<usize>,
    /// The bodies that calls run, in order, where there is a choice; after the last one, the first body.
    pub bodies: Vec<usize>,
    /// The results of operators that their arguments do not determine; default values elsewhere.
    pub functions: FxHashMap<(Op, Vec<Value>, SortId), Value>,
}

/// An oracle that answers from a script.
pub struct Replay<'s> {
    script: &'s Script,
    havocs: usize,
    choices: usize,
    bodies: usize,
    /// Whether the initial value of a variable was asked for that the script does not have.
    guessed: bool,
}

impl<'s> Replay<'s> {
    /// Starts at the beginning of `script`.
    pub fn new(script: &'s Script) -> Replay<'s> {
        Replay { script, havocs: 0, choices: 0, bodies: 0, guessed: false }
    }

    /// Whether the run was asked for more arbitrary values and choices than the script has.
    pub fn went_beyond(&self) -> bool {
        let Script { havocs, choices, bodies, .. } = self.script;
        self.guessed
            || self.havocs > havocs.len()
            || self.choices > choices.len()
            || self.bodies > bodies.len()
    }
}

fn next<T: Clone>(list: &[T], at: &mut usize) -> Option<T> {
    let item = list.get(*at).cloned();
    *at += 1;
    item
}

impl Oracle for Replay<'_> {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        match self.script.entries.get(&(ask.activation, ask.symbol)) {
            Some(value) => Ok(value.clone()),
            None => {
                self.guessed = true;
                default_value(ask.interpreter, ask.sort)
            }
        }
    }

    fn havoc(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        match next(&self.script.havocs, &mut self.havocs) {
            Some(value) => Ok(value),
            None => default_value(ask.interpreter, ask.sort),
        }
    }

    fn choose(&mut self, _: Origin, _: &[BlockId]) -> Result<usize, EvalError> {
        Ok(next(&self.script.choices, &mut self.choices).unwrap_or(0))
    }

    fn call_body(&mut self, _: Origin, _: ProcId, _: usize) -> Result<usize, EvalError> {
        Ok(next(&self.script.bodies, &mut self.bodies).unwrap_or(0))
    }

    fn undetermined(
        &mut self,
        interpreter: &Interpreter<'_>,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        match self.script.functions.get(&(op.clone(), args.to_vec(), sort)) {
            Some(value) => Ok(value.clone()),
            None => default_result(interpreter, op, args, sort),
        }
    }
}

/// The plainest value for an operator that its arguments do not determine.
///
/// # Errors
/// If they do determine it, but only a solver knows how; or if there is no plain value of the sort.
pub fn default_result(
    interpreter: &Interpreter<'_>,
    op: &Op,
    args: &[Value],
    sort: SortId,
) -> Result<Value, EvalError> {
    refuse_invention(interpreter.terms, op, args)?;
    default_value(interpreter, sort)
}

/// The plainest value of a sort: `false`, 0, the first element, the first constructor that needs no value of
/// its own sort, the map that is plain everywhere.
pub fn default_value(interpreter: &Interpreter<'_>, sort: SortId) -> Result<Value, EvalError> {
    build(interpreter, sort, 0, &mut |_, _| None)
}

/// How deep values of datatypes nest at most.
const MAX_DEPTH: u32 = 20;

/// A value of a sort: the one that `scalar` returns, or else the default value; maps and datatypes are built from
/// their parts.
pub(super) fn build(
    interpreter: &Interpreter<'_>,
    sort: SortId,
    depth: u32,
    scalar: &mut dyn FnMut(SortId, &Sort) -> Option<Value>,
) -> Result<Value, EvalError> {
    let terms = interpreter.terms;
    let unsupported = || Err(EvalError::Unsupported(format!("a value of sort {}", terms.display_sort(sort))));
    if depth > MAX_DEPTH {
        return unsupported();
    }
    let shape = terms.sort_of(sort);
    let datatype = matches!(shape, Sort::Ctor(c, _) if !terms.ctor(*c).constructors.is_empty());
    if !datatype && let Some(value) = scalar(sort, shape) {
        return Ok(value);
    }
    Ok(match shape {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::int(0),
        Sort::Real => Value::Real(BigRational::zero()),
        Sort::BitVec(width) => Value::BitVec { width: *width, bits: BigUint::zero() },
        Sort::Float { exponent, significand } => {
            Value::Float { exponent: *exponent, significand: *significand, bits: BigUint::zero() }
        }
        Sort::RoundingMode => Value::RoundingMode(footpath_term::RoundingMode::NearestEven),
        Sort::String => Value::String("".into()),
        Sort::RegEx | Sort::Bound { .. } => return unsupported(),
        Sort::Var(_) => Value::Element { sort, number: 0 },
        Sort::Ctor(ctor, _) => {
            let constructors = &terms.ctor(*ctor).constructors;
            if constructors.is_empty() {
                return Ok(Value::Element { sort, number: 0 });
            }
            for &constructor in constructors {
                let sorts = terms.field_sorts(constructor, sort).filter(|sorts| !sorts.contains(&sort));
                let Some(sorts) = sorts else { continue };
                let fields: Result<Vec<Value>, EvalError> =
                    sorts.iter().map(|&p| build(interpreter, p, depth + 1, scalar)).collect();
                if let Ok(fields) = fields {
                    return Ok(Value::Datatype(constructor, fields));
                }
            }
            return unsupported();
        }
        Sort::Map { params: 0, range, .. } => {
            Value::Map(Arc::new(MapValue::constant(sort, build(interpreter, *range, depth + 1, scalar)?)))
        }
        Sort::Map { .. } => {
            let mut instances = BTreeMap::new();
            for (instance, element) in interpreter.instances().get(&sort).into_iter().flatten() {
                instances.insert(instance.clone(), build(interpreter, *element, depth + 1, scalar)?);
            }
            // Without instances nothing reads the map, and its default does not matter.
            let map = MapValue::constant(sort, Value::Bool(false));
            Value::Map(Arc::new(MapValue { instances, ..map }))
        }
    })
}
