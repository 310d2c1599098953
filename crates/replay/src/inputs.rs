//! The inputs of a test, from the script of a run of the program form.
//!
//! The reference interpreter runs the script once more, and what it asks for is written down: the values of the
//! harness's parameters, the contents of memory at entry, and what each call of a function without a body
//! returns, in order.

use footpath_ir::interp::{Ask, Interpreter, Limits, Oracle, Outcome, Reason, Replay, Script, default_value};
use footpath_ir::{BlockId, Origin, ProcId, Program};
use footpath_term::{EvalError, Op, SortId, SymbolId, TermId, Terms, Value};
use rustc_hash::FxHashMap;

/// What a call of a function without a body returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubResult {
    /// The function's procedure.
    pub procedure: ProcId,
    /// The components of the result.
    pub value: Vec<Value>,
}

/// The inputs of a test.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Values at entry: parameters, variables, memory.
    pub entries: FxHashMap<SymbolId, Value>,
    /// What functions without a body returned, in order.
    pub returned: Vec<StubResult>,
    /// How the run ended.
    pub outcome: Outcome,
}

impl Inputs {
    /// The value of a symbol at entry; the plainest one if the run did not ask for it.
    pub fn entry(&self, interpreter: &Interpreter<'_>, program: &Program, symbol: SymbolId) -> Option<Value> {
        if let Some(value) = self.entries.get(&symbol) {
            return Some(value.clone());
        }
        default_value(interpreter, program.terms.symbol(symbol).sort).ok()
    }
}

/// Runs a script from a harness and collects its inputs.
pub fn inputs(interpreter: &Interpreter<'_>, harness: ProcId, script: &Script, steps: u64) -> Inputs {
    let program = interpreter.program();
    let mut results = FxHashMap::default();
    for (i, procedure) in program.procedures.iter().enumerate() {
        if procedure.bodies.is_empty() {
            for (k, result) in procedure.results.iter().enumerate() {
                results.insert(result.symbol, (ProcId(i as u32), k));
            }
        }
    }
    let mut recorder = Recorder { replay: Replay::new(script), results, returned: Vec::new() };
    let limits = Limits { steps, ..Limits::default() };
    let run = interpreter.run(harness, 0, &mut recorder, &limits);
    let entries = script
        .entries
        .iter()
        .filter(|((activation, _), _)| *activation == 0)
        .map(|((_, symbol), value)| (*symbol, value.clone()))
        .collect();
    Inputs { entries, returned: recorder.returned, outcome: run.outcome }
}

struct Recorder<'s> {
    replay: Replay<'s>,
    /// Which result of which procedure a symbol is.
    results: FxHashMap<SymbolId, (ProcId, usize)>,
    returned: Vec<StubResult>,
}

impl Oracle for Recorder<'_> {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        self.replay.entry(ask)
    }

    fn havoc(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let value = self.replay.havoc(ask)?;
        if ask.reason == Reason::CallResult
            && let Some(&(procedure, component)) = self.results.get(&ask.symbol)
        {
            if component == 0 {
                self.returned.push(StubResult { procedure, value: vec![value.clone()] });
            } else if let Some(last) = self.returned.last_mut() {
                last.value.push(value.clone());
            }
        }
        Ok(value)
    }

    fn choose(&mut self, at: Origin, targets: &[BlockId]) -> Result<usize, EvalError> {
        self.replay.choose(at, targets)
    }

    fn undetermined(
        &mut self,
        interpreter: &Interpreter<'_>,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        self.replay.undetermined(interpreter, op, args, sort)
    }

    fn binder(
        &mut self,
        terms: &Terms,
        term: TermId,
        bound: &[(SymbolId, Value)],
    ) -> Result<Value, EvalError> {
        self.replay.binder(terms, term, bound)
    }
}
