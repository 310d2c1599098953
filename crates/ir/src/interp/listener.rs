//! Listening to what an oracle answers.

use footpath_term::{EvalError, Op, SortId, TermId, Terms, Value};

use super::{Ask, Interpreter, Oracle};
use crate::program::{BlockId, Origin, ProcId};

/// Is told of answers.
pub trait Listener {
    /// A variable has this value from the start.
    fn entry(&mut self, ask: &Ask<'_>, value: &Value) {
        let _ = (ask, value);
    }

    /// A variable got this value from `havoc` or a call.
    fn havoc(&mut self, ask: &Ask<'_>, value: &Value) {
        let _ = (ask, value);
    }

    /// A `goto` went to the target at this position.
    fn choose(&mut self, at: Origin, targets: &[BlockId], number: usize) {
        let _ = (at, targets, number);
    }
}

/// An oracle with a listener.
pub struct Heard<'o, L> {
    oracle: &'o mut dyn Oracle,
    /// Who listens.
    pub listener: L,
}

impl<'o, L: Listener> Heard<'o, L> {
    /// Lets `listener` hear what `oracle` answers from now on.
    pub fn new(oracle: &'o mut dyn Oracle, listener: L) -> Heard<'o, L> {
        Heard { oracle, listener }
    }
}

impl<L: Listener> Oracle for Heard<'_, L> {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let value = self.oracle.entry(ask)?;
        self.listener.entry(ask, &value);
        Ok(value)
    }

    fn havoc(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let value = self.oracle.havoc(ask)?;
        self.listener.havoc(ask, &value);
        Ok(value)
    }

    fn choose(&mut self, at: Origin, targets: &[BlockId]) -> Result<usize, EvalError> {
        let number = self.oracle.choose(at, targets)?;
        self.listener.choose(at, targets, number);
        Ok(number)
    }

    fn call_body(&mut self, at: Origin, callee: ProcId, bodies: usize) -> Result<usize, EvalError> {
        self.oracle.call_body(at, callee, bodies)
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
