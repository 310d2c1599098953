//! Inputs of a test, from the script of a run of the program form.
//!
//! The reference interpreter runs the script once more and records what it asks for: the values of the harness's
//! parameters, the contents of memory at entry, and the results of calls of functions without a body, in order.

use footpath_ir::interp::{
    Ask, Heard, Interpreter, Limits, Listener, Outcome, Reason, Replay, Run, Script, Step, default_value,
};
use footpath_ir::{BlockId, ProcId, Program, Statement, StatementKind};
use footpath_term::{SymbolId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The result of a call of an external function.
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
    /// The results of external functions, in order.
    pub returned: Vec<StubResult>,
    /// How many of them, at most, the run had used when it last took an edge for the first time.
    pub needed: usize,
    /// How the run ended.
    pub outcome: Outcome,
    /// What the run left behind.
    pub effects: Effects,
}

/// What a run of a harness did that others can see.
#[derive(Clone, Default, Debug)]
pub struct Effects {
    /// The values of variables at the end, memory among them.
    pub variables: FxHashMap<SymbolId, Value>,
    /// What the function returned, in as many values as the program form has for it.
    pub results: Vec<Option<Value>>,
    /// The calls of functions without a body with their arguments, in order.
    pub calls: Vec<(ProcId, Vec<Value>)>,
}

impl Effects {
    /// The effects of a run in which these calls were made.
    pub fn of(run: Run, calls: Vec<(ProcId, Vec<Value>)>) -> Effects {
        Effects { variables: run.globals, results: run.results, calls }
    }
}

impl Inputs {
    /// The value of a symbol at entry; a default if the run did not ask for it.
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
    let mut replay = Replay::new(script);
    let mut heard = Heard::new(&mut replay, Returns { results, list: Vec::new(), calls: Vec::new() });
    let limits = Limits { steps, ..Limits::default() };
    let run = interpreter.run(harness, 0, &mut heard, &limits);
    let entries = script
        .entries
        .iter()
        .filter(|((activation, _), _)| *activation == 0)
        .map(|((_, symbol), value)| (*symbol, value.clone()))
        .collect();
    let returned = heard.listener.list;
    let needed = needed(program, &run.path).min(returned.len());
    let (outcome, calls) = (run.outcome.clone(), heard.listener.calls);
    Inputs { entries, returned, needed, outcome, effects: Effects::of(run, calls) }
}

/// How many calls of external functions there are in the blocks of a path up to the last block that it enters for the
/// first time, or from another block than before. This is an upper bound, as a block counts as a whole when it is
/// entered.
fn needed(program: &Program, path: &[Step]) -> usize {
    let calls = |step: &Step| {
        let block = &program[step.procedure].bodies[step.body as usize][step.block];
        let is_stub = |s: &&Statement| match &s.kind {
            StatementKind::Call { callee, .. } => program[*callee].bodies.is_empty(),
            _ => false,
        };
        block.statements.iter().filter(is_stub).count()
    };
    let mut of_block: FxHashMap<(ProcId, u32, BlockId), usize> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    let (mut asked, mut needed, mut previous) = (0, 0, None);
    for step in path {
        let block = (step.procedure, step.body, step.block);
        asked += *of_block.entry(block).or_insert_with(|| calls(step));
        if seen.insert((previous, block)) {
            needed = asked;
        }
        previous = Some(block);
    }
    needed
}

struct Returns {
    /// For each symbol that is a result, its procedure and position.
    results: FxHashMap<SymbolId, (ProcId, usize)>,
    list: Vec<StubResult>,
    calls: Vec<(ProcId, Vec<Value>)>,
}

impl Listener for Returns {
    fn havoc(&mut self, ask: &Ask<'_>, value: &Value) -> Option<Value> {
        if ask.reason == Reason::CallResult
            && let Some(&(procedure, component)) = self.results.get(&ask.symbol)
        {
            if component == 0 {
                self.list.push(StubResult { procedure, value: vec![value.clone()] });
            } else if let Some(last) = self.list.last_mut() {
                last.value.push(value.clone());
            }
        }
        None
    }

    fn calls(&mut self, callee: ProcId, args: &[Value]) {
        self.calls.push((callee, args.to_vec()));
    }
}
