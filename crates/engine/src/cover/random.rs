//! Concrete runs before the first question.
//!
//! Most branches of most programs fall to a few hundred random inputs, for less than the price of one query.
//! A run by the reference interpreter is a test as it is. The phase ends early when nothing new was covered
//! for a while. Programs whose meaning rests on axioms are left to the solver: random constants and functions
//! would violate them.
//!
//! **Direction of error:** none; only what a run really did is counted, also beyond the bound on rounds.

use footpath_ir::interp::{self, Limits, Oracle, RandomOracle, Replay, Script};
use footpath_ir::{Origin, Place};
use rustc_hash::FxHashSet;

use super::CoverError;
use super::choices::Recorder;
use super::replay::make_test;
use super::report::{Choice, ObjectiveKind};
use super::session::{Session, Status};

/// Runs without anything new after which the phase ends.
const PATIENCE: u32 = 100;
/// Steps of a run; longer ones are given up.
const STEPS: u64 = 20_000;

/// Runs the procedure on random inputs.
pub(super) fn run(s: &mut Session) -> Result<(), CoverError> {
    if s.uses_axioms {
        return Ok(());
    }
    let mut oracle = RandomOracle::new(s.program, s.options.seed);
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

/// Runs the procedure on given inputs; whether that covers anything new.
pub(super) fn run_script(s: &mut Session, script: Script) -> bool {
    let (run, choices) = execute(s, &mut Replay::new(&script));
    take(s, &run, script, choices)
}

fn execute(s: &mut Session, oracle: &mut dyn Oracle) -> (interp::Run, Vec<Choice>) {
    let limits = Limits { steps: STEPS, calls: 200, ..Limits::default() };
    s.statistics.runs += 1;
    let mut recorder = Recorder::new(oracle, s.program);
    let run = s.interpreter.run_under(s.procedure, s.unit.body_index, &mut recorder, &limits, &s.axioms);
    (run, recorder.choices)
}

/// Makes a test of a run if it covers anything new.
fn take(s: &mut Session, run: &interp::Run, script: Script, choices: Vec<Choice>) -> bool {
    let covered = covered_by(s, run);
    if !covered.iter().any(|&i| s.goals[i].status == Status::Open) {
        return false;
    }
    let mut inputs: Vec<_> =
        script.entries.into_iter().map(|((activation, symbol), v)| (symbol, activation, v)).collect();
    inputs.sort_unstable();
    let test = make_test(s, run, inputs, choices);
    s.add_test(test, covered) > 0
}

/// The goals that a run of the source form covers.
fn covered_by(s: &Session, run: &interp::Run) -> Vec<usize> {
    let returned = match &run.outcome {
        interp::Outcome::Returned => true,
        interp::Outcome::Failed { at, .. } => {
            return (0..s.goals.len()).filter(|&i| s.goals[i].origin == *at).collect();
        }
        _ => return Vec::new(),
    };
    debug_assert!(returned);
    let visited: FxHashSet<_> = run.path.iter().map(|p| (p.procedure, p.body, p.block)).collect();
    (0..s.goals.len())
        .filter(|&i| {
            let Origin { procedure, body, place } = s.goals[i].origin;
            match (s.goals[i].kind, place) {
                (ObjectiveKind::Failure(_), _) => false,
                (_, Place::Segment { block, .. }) => visited.contains(&(procedure, body, block)),
                (_, Place::Exit) => true,
                _ => false,
            }
        })
        .collect()
}
