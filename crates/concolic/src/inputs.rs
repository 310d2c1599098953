//! Symbolic inputs: the values that a program leaves open, and the symbols that stand for them.
//!
//! An input has the same symbol in all runs that ask for it in the same place: an initial value is identified by its
//! activation and variable, a havocked value by its position among all havocs. So runs that share a prefix share its
//! terms, and the execution tree can compare terms by identity. Every run records what it was given as a [`Script`],
//! defaults included; that script is the test.
//!
//! Example: two runs that execute `havoc x` as their first havoc both get the input `havoc 0`, whatever its value
//! was.
//!
//! **Direction of error.** None: the test that a script makes is replayed by the reference interpreter.

use footpath_ir::interp::{self, Interpreter, Script};
use footpath_term::{Env, EvalError, MapValue, Op, Sort, SortId, SymbolId, TermId, Terms, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

use super::bitvector_ops::{Binary, Unary};
use super::constant_cells::Domains;

/// Which input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Key {
    /// The initial value of a variable of an activation; 0 for constants and globals.
    Entry(u32, SymbolId),
    /// Number so many of the havocked values.
    Havoc(u32, SortId),
}

/// A right-hand side, with what its variables equal.
pub(super) type SymbolicKey = (TermId, Vec<TermId>);

/// An operator on words with the symbolic values of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum WordKey {
    Unary(Unary, TermId),
    Binary(Binary, TermId, TermId),
    Concat(TermId, TermId),
    Ite(TermId, TermId, TermId),
}

impl WordKey {
    /// The term.
    fn term(self, terms: &mut Terms) -> TermId {
        match self {
            WordKey::Unary(op, a) => terms.app(op.op(), [a]),
            WordKey::Binary(op, a, b) => terms.app(op.op(), [a, b]),
            WordKey::Concat(a, b) => terms.app(Op::Concat, [a, b]),
            WordKey::Ite(c, a, b) => terms.app(Op::Ite, [c, a, b]),
        }
    }
}

/// The symbols of inputs, and terms over them that were built before.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// Symbolic values by their operators and operands. Runs that share a prefix need not simplify it again.
    pub(super) symbolic_values: FxHashMap<SymbolicKey, Option<TermId>>,
    /// The same of operators on words.
    words: FxHashMap<WordKey, TermId>,
    /// The assumptions about cells.
    pub(super) domains: Domains,
    symbols: FxHashMap<Key, SymbolId>,
    keys: FxHashMap<SymbolId, Key>,
}

impl Inputs {
    /// The symbol that stands for an input.
    pub(super) fn symbol(&mut self, terms: &mut Terms, key: Key, sort: SortId) -> SymbolId {
        if let Some(&symbol) = self.symbols.get(&key) {
            return symbol;
        }
        let symbol = match key {
            Key::Entry(0, symbol) => symbol,
            Key::Entry(activation, symbol) => {
                let name = format!("{}@{activation}", terms.symbol(symbol).name);
                terms.fresh_symbol(name, sort)
            }
            Key::Havoc(number, _) => terms.fresh_symbol(format!("havoc!{number}"), sort),
        };
        self.symbols.insert(key, symbol);
        self.keys.insert(symbol, key);
        symbol
    }

    /// The symbolic value of an operator on words.
    pub(super) fn word(&mut self, terms: &mut Terms, key: WordKey) -> TermId {
        *self.words.entry(key).or_insert_with(|| key.term(terms))
    }

    /// The input that a symbol stands for.
    pub(super) fn key(&self, symbol: SymbolId) -> Option<Key> {
        self.keys.get(&symbol).copied()
    }
}

/// The source of the values and choices that a program leaves open.
pub(super) trait Source {
    /// The value of an input, whose symbol is `symbol`.
    fn input(
        &mut self,
        interpreter: &Interpreter<'_>,
        terms: &mut Terms,
        key: Key,
        symbol: SymbolId,
        sort: SortId,
    ) -> Result<Value, EvalError>;

    /// A choice among `count` targets.
    fn choose(&mut self, count: usize) -> usize;

    /// One of `count` bodies.
    fn body(&mut self, count: usize) -> usize;

    /// The value of an operator that its arguments do not determine.
    fn undetermined(
        &mut self,
        interpreter: &Interpreter<'_>,
        terms: &mut Terms,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError>;
}

/// The value of an input in a script. Along another path the havocked value at a position may have another sort and
/// is then ignored.
pub(super) fn given<'s>(script: &'s Script, terms: &Terms, key: Key) -> Option<&'s Value> {
    match key {
        Key::Entry(activation, symbol) => script.entries.get(&(activation, symbol)),
        Key::Havoc(number, sort) => script.havocs.get(number as usize).filter(|v| fits(terms, v, sort)),
    }
}

/// Whether a value is one of a sort, as far as the two say so at a glance.
fn fits(terms: &Terms, value: &Value, sort: SortId) -> bool {
    match (value, terms.sort_of(sort)) {
        (Value::Bool(_), Sort::Bool) | (Value::Int(_), Sort::Int) | (Value::Real(_), Sort::Real) => true,
        (Value::BitVec { width, .. }, Sort::BitVec(bits)) => width == bits,
        (Value::Map(map), _) => map.sort == sort,
        (Value::Element { sort: own, .. }, _) => *own == sort,
        (Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::BitVec { .. }, _) => false,
        (_, Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_)) => false,
        _ => true,
    }
}

/// Answers from a script, with defaults where it is silent.
pub(super) struct Scripted<'s> {
    script: &'s Script,
    choices: usize,
    bodies: usize,
}

impl<'s> Scripted<'s> {
    pub(super) fn new(script: &'s Script) -> Scripted<'s> {
        Scripted { script, choices: 0, bodies: 0 }
    }
}

impl Source for Scripted<'_> {
    fn input(
        &mut self,
        interpreter: &Interpreter<'_>,
        terms: &mut Terms,
        key: Key,
        _: SymbolId,
        sort: SortId,
    ) -> Result<Value, EvalError> {
        match given(self.script, terms, key) {
            Some(value) => Ok(value.clone()),
            None => interp::default_value(interpreter, sort),
        }
    }

    fn choose(&mut self, _: usize) -> usize {
        self.choices += 1;
        self.script.choices.get(self.choices - 1).copied().unwrap_or(0)
    }

    fn body(&mut self, _: usize) -> usize {
        self.bodies += 1;
        self.script.bodies.get(self.bodies - 1).copied().unwrap_or(0)
    }

    fn undetermined(
        &mut self,
        interpreter: &Interpreter<'_>,
        _: &mut Terms,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        match self.script.functions.get(&(op.clone(), args.to_vec(), sort)) {
            Some(value) => Ok(value.clone()),
            None => interp::default_result(interpreter, op, args, sort),
        }
    }
}

/// The inputs of a run, as an environment.
pub(super) struct Assignment<'a> {
    pub(super) script: &'a Script,
    pub(super) inputs: &'a Inputs,
}

impl Env for Assignment<'_> {
    fn symbol(&mut self, terms: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        let value = self.inputs.key(symbol).and_then(|key| given(self.script, terms, key));
        value.cloned().ok_or(EvalError::Unbound(symbol))
    }

    fn undetermined(&mut self, _: &Terms, op: &Op, args: &[Value], sort: SortId) -> Result<Value, EvalError> {
        let seen = self.script.functions.get(&(op.clone(), args.to_vec(), sort));
        seen.cloned().ok_or_else(|| EvalError::Unsupported("an operator that is not determined".to_owned()))
    }

    fn binder(&mut self, _: &Terms, _: TermId, _: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported("a quantifier".to_owned()))
    }
}

/// Changes an input.
pub(super) fn set(script: &mut Script, key: Key, value: Value) {
    match key {
        Key::Entry(activation, symbol) => {
            script.entries.insert((activation, symbol), value);
        }
        Key::Havoc(number, _) => {
            if let Some(place) = script.havocs.get_mut(number as usize) {
                *place = value;
            }
        }
    }
}

/// Changes an input, or a cell of one.
pub(super) fn set_cell(script: &mut Script, terms: &Terms, inputs: &Inputs, cell: TermId, value: Value) {
    let term = terms.term(cell);
    match term.op {
        Op::Var(symbol) => {
            if let Some(key) = inputs.key(symbol) {
                set(script, key, value);
            }
        }
        Op::Select => {
            let Op::Var(symbol) = terms.term(term.args[0]).op else { return };
            let at: Option<Vec<Value>> =
                term.args[1..].iter().map(|&index| terms.literal(index).cloned()).collect();
            let (Some(key), Some(at)) = (inputs.key(symbol), at) else { return };
            set_element(script, key, terms.sort(term.args[0]), at, value);
        }
        _ => {}
    }
}

/// Changes a cell of an input that has a value.
pub(super) fn set_element(script: &mut Script, key: Key, sort: SortId, at: Vec<Value>, value: Value) {
    let place = match key {
        Key::Entry(activation, symbol) => script.entries.get_mut(&(activation, symbol)),
        Key::Havoc(number, _) => script.havocs.get_mut(number as usize),
    };
    if let Some(Value::Map(map)) = place
        && map.sort == sort
    {
        MapValue::set(Arc::make_mut(map), at, value);
    }
}
