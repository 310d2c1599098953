//! Tests from proposed scripts, such as inputs that another engine found: the interpreter runs them, and the result
//! counts.

use footpath_ir::interp::{Ask, Heard, Interpreter, Limits, Listener, Replay, Script};
use footpath_ir::{BlockId, Origin, ProcId, Program};
use footpath_term::{SymbolId, Value};

use super::{Choice, Test, named};
use crate::target::Spot;

/// Runs a script from the start of a body for at most as many steps; returns the test if the run reaches the target.
pub fn test_of_script(
    program: &Program,
    start: (ProcId, u32),
    target: Spot,
    script: &Script,
    steps: u64,
) -> Option<Test> {
    let interpreter = Interpreter::new(program);
    let mut replay = Replay::new(script);
    let recorder = Recorder { program, inputs: Vec::new(), choices: Vec::new() };
    let mut oracle = Heard::new(&mut replay, recorder);
    let limits = Limits { steps, ..Limits::default() };
    let run = interpreter.run(start.0, start.1, &mut oracle, &limits);
    let here = |procedure, body, block| Spot { procedure, body, block } == target;
    let blocks = run.path.iter().position(|step| here(step.procedure, step.body, step.block))?;
    let Recorder { inputs, choices, .. } = oracle.listener;
    let inputs = named(&interpreter, program, start, &program.terms, inputs);
    Some(Test { inputs, choices, blocks, script: script.clone() })
}

/// Records the choices of a script.
struct Recorder<'a> {
    program: &'a Program,
    inputs: Vec<(SymbolId, u32, Value)>,
    choices: Vec<Choice>,
}

impl Listener for Recorder<'_> {
    fn entry(&mut self, ask: &Ask<'_>, value: &Value) -> Option<Value> {
        self.inputs.push((ask.symbol, ask.activation, value.clone()));
        None
    }

    fn havoc(&mut self, ask: &Ask<'_>, value: &Value) -> Option<Value> {
        let variable = self.program.terms.symbol(ask.symbol).name.to_string();
        self.choices.push(Choice::Value { variable, reason: ask.reason, value: value.clone() });
        None
    }

    fn choose(&mut self, at: Origin, targets: &[BlockId], number: usize) {
        let target = targets.get(number).copied().unwrap_or(targets[0]);
        let block = &self.program[at.procedure].bodies[at.body as usize][target];
        self.choices.push(Choice::Way { target: block.name.to_string(), number });
    }
}
