//! The reference interpreter's runs are runs of the loop-free form.

use footpath_ir::interp::{Ask, Interpreter, Limits, Oracle, Outcome, Reason};
use footpath_ir::{BlockId, Origin, Place, ProcId};
use footpath_term::{EvalError, Op, SortId, Value};
use footpath_transform::{Bounds, loop_free};
use rustc_hash::FxHashMap;

use crate::generate::{self, Random};
use crate::machine::{Blocks, DOMAIN, End, Event, Flat, Found, Values, follow};

/// Answers from the tiny domain, and remembers what the run started with.
struct Tiny {
    random: Random,
    inputs: Values,
}

impl Tiny {
    fn value(&mut self) -> i64 {
        self.random.pick(&DOMAIN)
    }
}

impl Oracle for Tiny {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let value = self.value();
        if matches!(ask.reason, Reason::Global | Reason::Parameter) {
            self.inputs.insert(ask.symbol, value);
        }
        Ok(Value::int(value))
    }

    fn havoc(&mut self, _: &Ask<'_>) -> Result<Value, EvalError> {
        Ok(Value::int(self.value()))
    }

    fn choose(&mut self, _: Origin, targets: &[BlockId]) -> Result<usize, EvalError> {
        Ok(self.random.below(targets.len() as u64) as usize)
    }

    fn call_body(&mut self, _: Origin, _: ProcId, bodies: usize) -> Result<usize, EvalError> {
        Ok(self.random.below(bodies as u64) as usize)
    }

    fn undetermined(
        &mut self,
        _: &Interpreter<'_>,
        op: &Op,
        _: &[Value],
        _: SortId,
    ) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported(format!("{op:?}")))
    }
}

#[test]
fn runs_of_the_reference_interpreter_are_runs_of_the_loop_free_form() {
    let mut compared = 0;
    for seed in 0..1500 {
        let program = generate::program(seed);
        let bounds = Bounds { unwind: 3, recursion: 2, max_blocks: 500 };
        let form = loop_free(&program, ProcId(0), 0, bounds);
        let machine = Blocks(Flat { form: &form });
        let limits = Limits { steps: 200, ..Limits::default() };
        let interpreter = Interpreter::new(&program);
        for run in 0..6 {
            let mut oracle = Tiny { random: Random::new(seed * 100 + run), inputs: Values::new() };
            let run = interpreter.run(ProcId(0), 0, &mut oracle, &limits);
            let end = match run.outcome {
                Outcome::Returned => End::Return,
                Outcome::Failed { at, .. } => End::Fail(at),
                Outcome::Blocked { .. } | Outcome::OutOfSteps => continue,
                Outcome::Stuck { why, .. } => panic!("seed {seed}: {why}"),
            };
            let mut events: Vec<Event> = Vec::new();
            let mut visits: FxHashMap<Event, u32> = FxHashMap::default();
            for step in &run.path {
                let place = Place::Segment { block: step.block, first: 0 };
                let event = (step.depth, Origin { procedure: step.procedure, body: step.body, place });
                *visits.entry(event).or_default() += 1;
                if events.last() != Some(&event) {
                    events.push(event);
                }
            }
            let mut inputs = oracle.inputs;
            for g in &program.globals {
                let value = *inputs.entry(g.variable.symbol).or_insert(0);
                inputs.insert(g.old, value);
            }
            inputs.entry(program.procedures[0].params[0].symbol).or_insert(0);
            let short = visits.values().all(|&v| v <= 4) && run.path.iter().all(|s| s.depth <= 2);
            let found = follow(&machine, machine.0.start(&inputs), &events, &end, &[]);
            let fits = found == Found::Same || found == Found::Cut && (!short || !form.notes.is_empty());
            assert!(fits, "seed {seed}: {found:?} for {events:?} {end:?} from {inputs:?}");
            compared += 1;
        }
    }
    assert!(compared > 2000, "{compared} runs end");
}
