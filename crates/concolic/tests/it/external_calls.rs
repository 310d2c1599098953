//! Functions without a definition that somebody runs: random programs over one input of eight bits, all of whose values
//! are tried.
//!
//! `FOOTPATH_PROGRAMS` sets how many programs, `FOOTPATH_SEED` the first one.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::common::{read, seeds};
use fastrand::Rng;
use footpath_concolic::{Bounds, Helpers, Natives, Options, Sample, explore_helped};
use footpath_ir::Program;
use footpath_ir::interp::{Interpreter, Limits, Outcome, Replay, Script};
use footpath_term::{FuncId, Op, Value};

/// A function of eight bits, as a table.
struct Table {
    function: FuncId,
    values: Vec<u8>,
    known: Mutex<Vec<Sample>>,
}

fn byte(n: u8) -> Value {
    Value::BitVec { width: 8, bits: n.into() }
}

fn bits(value: &Value) -> u8 {
    value.as_u64().expect("a byte") as u8
}

impl Natives for Table {
    fn has(&self, function: FuncId) -> bool {
        function == self.function
    }

    fn call(&self, _: FuncId, args: &[Value]) -> Result<Value, String> {
        let result = byte(self.values[usize::from(bits(&args[0]))]);
        let sample = Sample { args: args.to_vec(), result: result.clone() };
        let mut known = self.known.lock().expect("no panic");
        if !known.contains(&sample) {
            known.push(sample);
        }
        Ok(result)
    }

    fn samples(&self, _: FuncId) -> Vec<Sample> {
        self.known.lock().expect("no panic").iter().rev().take(48).cloned().collect()
    }

    fn count(&self) -> usize {
        self.known.lock().expect("no panic").len()
    }
}

/// A program with branches on results, on inputs and on both.
fn program(rng: &mut Rng) -> String {
    let mut text = "function f(x: bv8) returns (r: bv8);\n\
        function {:bvbuiltin \"bvadd\"} add(x: bv8, y: bv8) returns (r: bv8);\n\
        function {:bvbuiltin \"bvult\"} less(x: bv8, y: bv8) returns (r: bool);\n\
        procedure P(x: bv8)\n{\n  var r: bv8;\n  r := x;\n"
        .to_owned();
    for i in 0..rng.u32(2..=4) {
        text += &match rng.u8(..3) {
            0 => "  r := f(x);\n".to_owned(),
            1 => format!("  r := f(add(r, {}bv8));\n", rng.u8(..)),
            _ => "  r := add(f(r), x);\n".to_owned(),
        };
        let left = if rng.u8(..4) == 0 { "x" } else { "r" };
        let condition = match rng.u8(..3) {
            0 => format!("{left} == {}bv8", rng.u8(..8)),
            1 => format!("less({left}, {}bv8)", rng.u8(..)),
            _ => format!("less({left}, x)"),
        };
        let other =
            if rng.bool() { format!("assert r != {}bv8;", rng.u8(..8)) } else { "r := x;".to_owned() };
        text += &format!("  if ({condition}) {{ A{i}: r := add(r, 1bv8); }} else {{ B{i}: {other} }}\n");
    }
    text + "}\n"
}

/// The blocks that a run on an input enters, and how it ends.
fn run_on(program: &Program, table: &Table, x: u8) -> (Vec<footpath_ir::BlockId>, Outcome) {
    let root = program.procedure_named("P").expect("it has P");
    let symbol = program[root].bodies[0].params[0].symbol;
    let mut script = Script::default();
    script.entries.insert((0, symbol), byte(x));
    let sort = program.terms.function(table.function).result;
    for at in 0..=255 {
        let key = (Op::Apply(table.function), vec![byte(at)], sort);
        script.functions.insert(key, byte(table.values[usize::from(at)]));
    }
    let interpreter = Interpreter::new(program);
    let run = interpreter.run(root, 0, &mut Replay::new(&script), &Limits::default());
    (run.path.iter().map(|s| s.block).collect(), run.outcome)
}

#[test]
fn what_is_found_is_what_the_functions_give_and_little_is_missed() {
    let (mut reachable, mut missed) = (0, 0);
    for seed in seeds(6) {
        let mut rng = Rng::with_seed(seed);
        let text = program(&mut rng);
        let program = read(&text);
        let root = program.procedure_named("P").expect("it has P");
        let named = |f: &&footpath_ir::Function| &*program.terms.function(f.id).name == "f";
        let function = program.functions.iter().find(named).expect("f is declared").id;
        let range = if rng.bool() { 8 } else { 255 };
        let values = (0..256).map(|_| rng.u8(..=range)).collect();
        let table = Table { function, values, known: Mutex::default() };
        let options = Options {
            bounds: Bounds { query: None, time: Some(Duration::from_secs(20)), ..Bounds::default() },
            stop_when_covered: false,
            random_runs: 20,
            ..Options::default()
        };
        let helpers = Helpers { natives: Some(&table), ..Helpers::default() };
        let found = explore_helped(&program, (root, 0), &options, helpers, &AtomicBool::new(false), &|_| ())
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert!(!found.exhausted, "seed {seed}: it claims to have seen every path\n{text}");
        let runs: Vec<_> = (0..=255).map(|x| run_on(&program, &table, x)).collect();
        for test in &found.tests {
            let x = test.script.entries.values().next().map_or(0, bits);
            assert_eq!(test.outcome, runs[usize::from(x)].1, "seed {seed}: on {x}\n{text}");
            for ((op, args, _), result) in &test.script.functions {
                if *op == Op::Apply(function) {
                    let real = table.values[usize::from(bits(&args[0]))];
                    assert_eq!(bits(result), real, "seed {seed}: f({:?})\n{text}", args[0]);
                }
            }
        }
        for goal in &found.goals {
            let is_reached = |(path, outcome): &(Vec<_>, Outcome)| match goal.origin.place {
                footpath_ir::Place::Segment { block, first: 0 } => path.contains(&block),
                _ => matches!(outcome, Outcome::Failed { at, .. } if *at == goal.origin),
            };
            let is_block = matches!(goal.origin.place, footpath_ir::Place::Segment { first: 0, .. });
            let is_failure = matches!(goal.origin.place, footpath_ir::Place::Failure { .. });
            let truth = runs.iter().any(is_reached);
            if is_block || is_failure {
                assert!(
                    truth || goal.covered_by.is_none(),
                    "seed {seed}: {} is not reached\n{text}",
                    goal.name
                );
                reachable += usize::from(truth);
                missed += usize::from(truth && goal.covered_by.is_none());
            }
        }
    }
    assert!(missed * 20 <= reachable, "{missed} of {reachable} places were missed");
}
