//! A decorator of oracles: it observes the answers that an oracle gives, and may replace values.

use footpath_term::{EvalError, Op, SortId, TermId, Terms, Value};

use super::{Ask, Interpreter, Oracle};
use crate::program::{BlockId, Origin, ProcId};

/// An observer of an oracle's answers, which may replace values.
pub trait Listener {
    /// A variable has this value from the start. The listener may return another value instead.
    fn entry(&mut self, ask: &Ask<'_>, value: &Value) -> Option<Value> {
        let _ = (ask, value);
        None
    }

    /// A variable got this value from `havoc` or a call. The listener may return another value instead.
    fn havoc(&mut self, ask: &Ask<'_>, value: &Value) -> Option<Value> {
        let _ = (ask, value);
        None
    }

    /// A procedure without a body is called with these arguments.
    fn calls(&mut self, callee: ProcId, args: &[Value]) {
        let _ = (callee, args);
    }

    /// A `goto` went to the target at this position.
    fn choose(&mut self, at: Origin, targets: &[BlockId], number: usize) {
        let _ = (at, targets, number);
    }
}

/// An oracle whose answers a listener observes.
pub struct Heard<'o, L> {
    oracle: &'o mut dyn Oracle,
    /// The listener.
    pub listener: L,
}

impl<'o, L: Listener> Heard<'o, L> {
    /// An oracle that answers as `oracle` does and tells `listener`.
    pub fn new(oracle: &'o mut dyn Oracle, listener: L) -> Heard<'o, L> {
        Heard { oracle, listener }
    }
}

impl<L: Listener> Oracle for Heard<'_, L> {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let value = self.oracle.entry(ask)?;
        Ok(self.listener.entry(ask, &value).unwrap_or(value))
    }

    fn havoc(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let value = self.oracle.havoc(ask)?;
        Ok(self.listener.havoc(ask, &value).unwrap_or(value))
    }

    fn choose(&mut self, at: Origin, targets: &[BlockId]) -> Result<usize, EvalError> {
        let number = self.oracle.choose(at, targets)?;
        self.listener.choose(at, targets, number);
        Ok(number)
    }

    fn call_body(&mut self, at: Origin, callee: ProcId, bodies: usize) -> Result<usize, EvalError> {
        self.oracle.call_body(at, callee, bodies)
    }

    fn calls(&mut self, callee: ProcId, args: &[Value]) {
        self.oracle.calls(callee, args);
        self.listener.calls(callee, args);
    }

    fn undetermined(
        &mut self,
        interpreter: &Interpreter<'_>,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        self.oracle.undetermined(interpreter, op, args, sort)
    }

    fn binder(
        &mut self,
        terms: &Terms,
        term: TermId,
        bound: &[(footpath_term::SymbolId, Value)],
    ) -> Result<Value, EvalError> {
        self.oracle.binder(terms, term, bound)
    }
}
