//! Random testing before the first query.
//!
//! A few hundred random inputs cover most branches of most programs, at less than the cost of one query. A run by the
//! reference interpreter is a test as it is. The phase ends early when nothing new was covered for a while. Programs
//! with axioms are left to the solver: random constants and functions would violate the axioms.
//!
//! **Direction of error.** None: only what a run really did is counted, also beyond the bound on loop iterations.

use footpath_ir::interp::{self, Heard, Limits, Oracle, RandomOracle, Replay, Script};
use footpath_ir::{Origin, Place};
use footpath_smt::Solver;
use footpath_term::{SymbolId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::CoverError;
use super::choices::Choices;
use super::replay::make_test;
use super::report::{Choice, ObjectiveKind, Test};
use super::session::{Session, Status};

/// The number of runs without anything new after which the phase ends.
const PATIENCE: u32 = 100;
/// The limit on spare runs.
const MAX_SPARES: usize = 2_000;
/// The limit on steps of a run; longer runs are aborted.
const STEPS: u64 = 20_000;

/// Runs the procedure on random inputs.
pub(super) fn run(s: &mut Session) -> Result<(), CoverError> {
    if s.uses_axioms || s.options.random_runs == 0 {
        return Ok(());
    }
    let mut oracle = RandomOracle::of(s.interpreter, s.options.seed);
    let mut idle = 0;
    for _ in 0..s.options.random_runs {
        if idle >= PATIENCE || s.is_over() || s.open_goals().is_empty() {
            break;
        }
        let (run, choices) = execute(s, &mut oracle);
        let script = oracle.take_script();
        idle = if take(s, &run, script, choices) { 0 } else { idle + 1 };
    }
    Ok(())
}

/// Runs the procedure on given inputs; returns whether that covers anything new. If the formula depends on axioms
/// nothing is run, as the inputs are only a part of a model of these.
pub(super) fn run_script(s: &mut Session, script: Script) -> bool {
    if s.uses_axioms {
        return false;
    }
    let (run, choices) = execute(s, &mut Replay::new(&script));
    take(s, &run, script, choices)
}

/// The initial values of inputs in a model.
pub(super) fn script_of(terms: &mut Terms, inputs: &[SymbolId], solver: &mut dyn Solver) -> Script {
    let mut script = Script::default();
    for &symbol in inputs {
        let term = terms.var(symbol);
        if let Some(value) = solver.value(terms, term) {
            script.entries.insert((0, symbol), value);
        }
    }
    script
}

fn execute(s: &mut Session, oracle: &mut dyn Oracle) -> (interp::Run, Vec<Choice>) {
    let limits = Limits { steps: STEPS, calls: 200, ..Limits::default() };
    s.statistics.runs += 1;
    let mut heard = Heard::new(oracle, Choices::new(s.program));
    let run = s.interpreter.run_under(s.procedure, s.unit.body_index, &mut heard, &limits, &s.axioms);
    (run, heard.listener.list)
}

/// Runs that covered nothing new when they were made, by what they cover: one for each set of goals.
#[derive(Default)]
pub(super) struct Spares {
    by_goals: FxHashMap<Vec<usize>, Script>,
    /// The keys, in the order of the runs.
    order: Vec<Vec<usize>>,
}

impl Spares {
    fn keep(&mut self, covered: Vec<usize>, script: Script) {
        if self.order.len() < MAX_SPARES && !covered.is_empty() && !self.by_goals.contains_key(&covered) {
            self.by_goals.insert(covered.clone(), script);
            self.order.push(covered);
        }
    }

    /// The goals that each of the runs covers.
    pub(super) fn covers(&self) -> &[Vec<usize>] {
        &self.order
    }
}

/// Makes a spare run a test, by its number.
pub(super) fn use_spare(s: &mut Session, number: usize) -> Test {
    let covered = s.spares.order[number].clone();
    let script = s.spares.by_goals[&covered].clone();
    let (run, choices) = execute(s, &mut Replay::new(&script));
    debug_assert_eq!(covered_by(s, &run), covered, "a replay does what the run did");
    let covers = covered_by(s, &run);
    Test { covers, ..test_of(s, &run, script, choices) }
}

/// Makes a run a test if it covers anything new; other runs are kept as spares.
fn take(s: &mut Session, run: &interp::Run, script: Script, choices: Vec<Choice>) -> bool {
    let covered = covered_by(s, run);
    if covered.iter().all(|&i| s.goals[i].status == Status::Covered) {
        s.spares.keep(covered, script);
        return false;
    }
    let test = test_of(s, run, script, choices);
    s.add_test(test, covered) > 0
}

fn test_of(s: &Session, run: &interp::Run, script: Script, choices: Vec<Choice>) -> Test {
    let mut inputs: Vec<_> =
        script.entries.iter().map(|((activation, symbol), v)| (*symbol, *activation, v.clone())).collect();
    inputs.sort_unstable();
    Test { script: Some(Box::new(script)), ..make_test(s, run, inputs, choices) }
}

/// The goals that a run of the source form covers.
pub(super) fn covered_by(s: &Session, run: &interp::Run) -> Vec<usize> {
    covered(s.goals.iter().map(|g| (g.origin, g.kind)), run)
}

/// Which of some goals a run of the source form covers, by position.
pub(super) fn covered(goals: impl Iterator<Item = (Origin, ObjectiveKind)>, run: &interp::Run) -> Vec<usize> {
    let goals = goals.enumerate();
    match &run.outcome {
        interp::Outcome::Returned => {}
        interp::Outcome::Failed { at, .. } => {
            return goals.filter(|(_, (origin, _))| origin == at).map(|(i, _)| i).collect();
        }
        _ => return Vec::new(),
    }
    let visited: FxHashSet<_> = run.path.iter().map(|p| (p.procedure, p.body, p.block)).collect();
    let ways: FxHashSet<_> =
        run.path.iter().filter_map(|p| p.from.map(|from| (p.procedure, p.body, from))).collect();
    let is_covered =
        |&(_, (Origin { procedure, body, place }, kind)): &(usize, (Origin, ObjectiveKind))| match (
            kind, place,
        ) {
            (ObjectiveKind::Failure(_), _) => false,
            (_, Place::Segment { block, .. }) => visited.contains(&(procedure, body, block)),
            (_, Place::Edge { block, successor }) => ways.contains(&(procedure, body, (block, successor))),
            (_, Place::Exit) => true,
            _ => false,
        };
    goals.filter(is_covered).map(|(i, _)| i).collect()
}
