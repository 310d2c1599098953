//! Tests that something else than a model of the condition proposes: the interpreter runs them, and what it does counts.

use footpath_ir::interp::{Ask, Interpreter, Limits, Oracle, Replay, Script};
use footpath_ir::{BlockId, Origin, ProcId, Program};
use footpath_term::{EvalError, Op, SortId, SymbolId, Value};

use super::{Choice, Test, named};
use crate::target::Spot;

/// Runs a script from the start of a body for as many steps; the test that it is, if the run reaches the target.
pub fn test_of_script(
    program: &Program,
    start: (ProcId, u32),
    target: Spot,
    script: &Script,
    steps: u64,
) -> Option<Test> {
    let interpreter = Interpreter::new(program);
    let mut oracle =
        Recorder { program, replay: Replay::new(script), inputs: Vec::new(), choices: Vec::new() };
    let limits = Limits { steps, ..Limits::default() };
    let run = interpreter.run(start.0, start.1, &mut oracle, &limits);
    let here = |procedure, body, block| Spot { procedure, body, block } == target;
    let blocks = run.path.iter().position(|step| here(step.procedure, step.body, step.block))?;
    let inputs = named(&interpreter, program, start, &program.terms, oracle.inputs);
    Some(Test { inputs, choices: oracle.choices, blocks, script: script.clone() })
}

/// Answers from a script, and notes what it says.
struct Recorder<'a> {
    program: &'a Program,
    replay: Replay<'a>,
    inputs: Vec<(SymbolId, u32, Value)>,
    choices: Vec<Choice>,
}

impl Oracle for Recorder<'_> {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let value = self.replay.entry(ask)?;
        self.inputs.push((ask.symbol, ask.activation, value.clone()));
        Ok(value)
    }

    fn havoc(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let value = self.replay.havoc(ask)?;
        let variable = self.program.terms.symbol(ask.symbol).name.to_string();
        self.choices.push(Choice::Value { variable, reason: ask.reason, value: value.clone() });
        Ok(value)
    }

    fn choose(&mut self, at: Origin, targets: &[BlockId]) -> Result<usize, EvalError> {
        let number = self.replay.choose(at, targets)?;
        let target = targets.get(number).copied().unwrap_or(targets[0]);
        let block = &self.program[at.procedure].bodies[at.body as usize][target];
        self.choices.push(Choice::Way { target: block.name.to_string(), number });
        Ok(number)
    }

    fn call_body(&mut self, at: Origin, callee: ProcId, bodies: usize) -> Result<usize, EvalError> {
        self.replay.call_body(at, callee, bodies)
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
}
