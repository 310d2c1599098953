//! Random programs over small domains: the condition against all runs.

use std::sync::atomic::AtomicBool;

use super::common::{Writer, read, seeds};
use footpath_ir::interp::{Interpreter, Limits, Outcome, Replay, Script};
use footpath_ir::{ProcId, Program};
use footpath_preconditions::{Analysis, Classes, Exactness, Options, Partition, analyse};
use footpath_simplify::Effort;
use footpath_term::{Env, EvalError, SymbolId, Terms, Value, evaluate};
use rustc_hash::FxHashMap;

struct Values(FxHashMap<SymbolId, Value>);

impl Env for Values {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        self.0.get(&symbol).cloned().ok_or(EvalError::Unbound(symbol))
    }
}

/// Whether some run from an input fails; whether more was left open than is tried here.
fn fails(program: &Program, procedure: ProcId, values: &FxHashMap<SymbolId, Value>) -> (bool, bool) {
    let interpreter = Interpreter::new(program);
    let result = program[procedure].bodies[0].results[0].symbol;
    let limits = Limits { steps: 2_000, ..Limits::default() };
    let mut truncated = false;
    for open in 0..1u32 << 8 {
        let bit = |i: u32| open >> i & 1 == 1;
        let mut script = Script::default();
        script.entries.extend(values.iter().map(|(s, v)| ((0, *s), v.clone())));
        script.entries.insert((0, result), Value::bit_vec(2, &(open >> 6).into()));
        script.havocs = (0..3).map(|i| Value::Bool(bit(i))).collect();
        script.choices = (3..6).map(|i| usize::from(bit(i))).collect();
        let mut oracle = Counting { inner: Replay::new(&script), havocs: 0, choices: 0 };
        let run = interpreter.run(procedure, 0, &mut oracle, &limits);
        truncated |= oracle.havocs > 3 || oracle.choices > 3;
        if matches!(run.outcome, Outcome::Failed { .. }) {
            return (true, false);
        }
    }
    (false, truncated)
}

/// Counts what a run leaves open.
struct Counting<'s> {
    inner: Replay<'s>,
    havocs: usize,
    choices: usize,
}

impl footpath_ir::interp::Oracle for Counting<'_> {
    fn entry(&mut self, ask: &footpath_ir::interp::Ask<'_>) -> Result<Value, EvalError> {
        self.inner.entry(ask)
    }

    fn havoc(&mut self, ask: &footpath_ir::interp::Ask<'_>) -> Result<Value, EvalError> {
        self.havocs += 1;
        self.inner.havoc(ask)
    }

    fn choose(
        &mut self,
        at: footpath_ir::Origin,
        targets: &[footpath_ir::BlockId],
    ) -> Result<usize, EvalError> {
        self.choices += 1;
        self.inner.choose(at, targets)
    }

    fn undetermined(
        &mut self,
        interpreter: &Interpreter<'_>,
        op: &footpath_term::Op,
        args: &[Value],
        sort: footpath_term::SortId,
    ) -> Result<Value, EvalError> {
        self.inner.undetermined(interpreter, op, args, sort)
    }
}

fn compare(seed: u64, loops: bool, options: &Options) -> Exactness {
    let text = Writer::program(seed, loops);
    let program = read(&text);
    let procedure = program.procedure_named("P").expect("a procedure P");
    let found = analyse(&program, procedure, 0, options, Classes::PLAIN, &AtomicBool::new(false));
    let found: Analysis = found.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    let mut terms = found.terms.clone();
    let condition = found.condition.term(&mut terms);
    let premise = found.premise.term(&mut terms);
    let necessary = found.necessary.as_ref().map(|n| n.term(&mut terms));
    let body = &program[procedure].bodies[0];
    let global = program.globals[0].variable.symbol;
    let bits = |n: u32| Value::bit_vec(2, &(n & 3).into());
    for case in 0..1u32 << 7 {
        let mut values = FxHashMap::default();
        values.insert(body.params[0].symbol, bits(case));
        values.insert(body.params[1].symbol, bits(case >> 2));
        values.insert(body.params[2].symbol, Value::Bool(case >> 4 & 1 == 1));
        values.insert(global, bits(case >> 5));
        // The other one is an assumption, which holds where a run begins.
        values.insert(program.globals[1].variable.symbol, Value::Bool(true));
        let mut env = Values(values.clone());
        let truth = |t, env: &mut Values| evaluate(&terms, t, env).expect("a value") == Value::Bool(true);
        if !truth(premise, &mut env) {
            continue;
        }
        let says = truth(condition, &mut env);
        let must = necessary.is_none_or(|n| truth(n, &mut env));
        let (fails, truncated) = fails(&program, procedure, &values);
        let shown = || format!("seed {seed}, {options:?}, {values:?}: {}\n{text}", terms.display(condition));
        let sufficient = !matches!(found.exactness, Exactness::Necessary(_));
        assert!(
            fails || truncated || !says || !sufficient,
            "it says that this fails, and it does not: {}",
            shown()
        );
        assert!(must || !fails, "this fails, and what must hold for a failure does not: {}", shown());
        if found.exactness == Exactness::Exact || !sufficient {
            assert!(says || !fails, "it is said to have all, and misses a failure: {}", shown());
        }
    }
    found.exactness
}

#[test]
fn conditions_are_what_all_runs_show() {
    for seed in seeds(25) {
        let found = compare(seed, false, &Options::default());
        assert_eq!(found, Exactness::Exact, "seed {seed}: without loops everything is exact");
    }
}

#[test]
fn conditions_of_programs_with_loops_are_what_all_runs_show() {
    let seeds = seeds(15);
    let count = seeds.end - seeds.start;
    let mut exact = 0;
    for seed in seeds {
        exact += u64::from(compare(seed, true, &Options::default()) == Exactness::Exact);
    }
    assert!(exact * 10 >= count * 9, "over a finite domain nearly all loops have a fixpoint: {exact}");
}

#[test]
fn conditions_in_context_are_what_all_runs_show() {
    // With so few rounds, segments by themselves are seldom enough.
    for seed in seeds(8) {
        compare(seed, true, &Options { rounds: 2, ..Options::default() });
    }
}

#[test]
fn partitions_and_efforts_change_no_truth() {
    for seed in seeds(3) {
        let partitions = [Partition::Auto, Partition::Loop, Partition::Branches(2), Partition::None];
        for partition in partitions {
            compare(seed, false, &Options { partition, ..Options::default() });
        }
        for effort in Effort::ALL {
            compare(seed, true, &Options { effort, ..Options::default() });
        }
    }
}
