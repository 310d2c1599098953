//! The results of external functions by what they are results of: a run finds out in which order it asks for them.
//!
//! A script has the values that a run asks for in their order, and a fuzzed input has them by function and call. Example:
//! `f` returned 1 and 2, and `g` returned 3; in a run that calls `f`, `g` and `f`, the order is 1, 3, 2.
//!
//! **Direction of error.** Where the run of the program form calls in another order than the compiled one, what it is
//! given may lead elsewhere; the script is that of its own run all the same.

use footpath_ir::interp::{
    Ask, Interpreter, Limits, Oracle, Reason, Run, Script, default_result, default_value,
};
use footpath_ir::{BlockId, Origin, ProcId};
use footpath_term::{EvalError, Op, SortId, SymbolId, Value};
use rustc_hash::FxHashMap;

/// What the calls of a procedure without a body return.
pub(super) struct Answer {
    /// The procedure with which its calls are counted.
    pub(super) counted_as: ProcId,
    /// In the order of calls.
    pub(super) values: Vec<Value>,
}

/// For each procedure without a body what its calls return.
pub(super) type Answers = FxHashMap<ProcId, Answer>;

/// Runs a script without results, which come from `answers`; returns the script with them, and the run.
pub(super) fn answered(
    interpreter: &Interpreter<'_>,
    harness: ProcId,
    script: Script,
    answers: &Answers,
    limits: &Limits,
) -> (Script, Run) {
    let procedures = &interpreter.program().procedures;
    let result = |p: &ProcId| procedures[p.index()].results.first().map(|result| (result.symbol, *p));
    let results = answers.keys().filter_map(result).collect();
    let mut oracle = ByCall { script, answers, results, calls: FxHashMap::default() };
    let run = interpreter.run(harness, 0, &mut oracle, limits);
    (oracle.script, run)
}

struct ByCall<'a> {
    script: Script,
    answers: &'a Answers,
    /// The procedure whose result a symbol is.
    results: FxHashMap<SymbolId, ProcId>,
    calls: FxHashMap<ProcId, usize>,
}

impl Oracle for ByCall<'_> {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        match self.script.entries.get(&(ask.activation, ask.symbol)) {
            Some(value) => Ok(value.clone()),
            None => default_value(ask.interpreter, ask.sort),
        }
    }

    fn havoc(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let procedure = self.results.get(&ask.symbol).filter(|_| ask.reason == Reason::CallResult);
        let given = procedure.and_then(|procedure| {
            let answer = self.answers.get(procedure)?;
            let call = self.calls.entry(answer.counted_as).or_default();
            *call += 1;
            answer.values.get(*call - 1).cloned()
        });
        let value = match given {
            Some(value) => value,
            None => default_value(ask.interpreter, ask.sort)?,
        };
        self.script.havocs.push(value.clone());
        Ok(value)
    }

    fn choose(&mut self, _: Origin, _: &[BlockId]) -> Result<usize, EvalError> {
        Ok(0)
    }

    fn undetermined(
        &mut self,
        interpreter: &Interpreter<'_>,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        default_result(interpreter, op, args, sort)
    }
}
