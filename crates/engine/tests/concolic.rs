//! The concolic engine against all runs of random programs, against the covers, and on programs of its own.

mod common;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use common::{Truth, Writer, read, seeds, try_all};
use footpath_engine::concolic::{
    Bound, Bounds, Exploration, Goal, GoalKind, GoalScope, Keep, Options, Strategy, TestClass, explore,
};
use footpath_engine::cover::{Algorithm, CoverOptions, Criterion, cover};
use footpath_ir::interp::Outcome;
use footpath_ir::{Place, Program};

fn unhurried() -> Options {
    Options {
        bounds: Bounds { query: None, time: None, ..Bounds::default() },
        stop_when_covered: false,
        ..Options::default()
    }
}

fn run(program: &Program, procedure: &str, options: &Options) -> Exploration {
    let root = program.procedure_named(procedure).expect("the procedure");
    explore(program, root, 0, options, &AtomicBool::new(false), &|_| ()).unwrap_or_else(|e| panic!("{e}"))
}

/// The goal that is the failure of the only assertion, and the others by their blocks' names.
fn goal<'e>(e: &'e Exploration, name: &str) -> &'e Goal {
    let found = e.goals.iter().find(|g| &*g.name == name);
    found.unwrap_or_else(|| {
        panic!("no {name} among {:?}", e.goals.iter().map(|g| &g.name).collect::<Vec<_>>())
    })
}

fn failures(e: &Exploration) -> Vec<&Goal> {
    e.goals.iter().filter(|g| matches!(g.kind, GoalKind::Failure(_))).collect()
}

// ---- random programs ----

/// What an exploration says against what all runs show.
fn contradiction(goal: &Goal, truth: &Truth, complete: bool, exhausted: bool) -> Option<String> {
    let (returned, reached) = match (goal.kind, goal.origin.place) {
        (GoalKind::Failure(_), _) => {
            let fails = truth.failed.contains(&goal.origin);
            (None, fails)
        }
        (_, Place::Segment { block, first: 0 }) => {
            // A run that is blocked later does not count as one that reaches.
            (Some(truth.returned.contains(&block)), truth.returned.contains(&block))
        }
        _ => return None,
    };
    let wrong = match (goal.covered_by.is_some(), reached) {
        (true, false) => complete && !truth.visited_by(goal),
        (false, true) => exhausted,
        _ => false,
    };
    if wrong {
        return Some(format!("{} at {:?}: covered by {:?}", goal.name, goal.origin.place, goal.covered_by));
    }
    let returned = returned?;
    let said = goal.returned_by.is_some();
    let wrong = said && !returned && complete || !said && returned && exhausted;
    wrong.then(|| format!("{} at {:?}: returned by {:?}", goal.name, goal.origin.place, goal.returned_by))
}

fn check(seed: u64, loops: bool) {
    let text = Writer::program(seed, loops);
    let program = read(&text);
    let procedure = program.procedure_named("P").expect("the program has P");
    let truth = try_all(&program, procedure);
    let complete = !loops
        && !truth.endless
        && text.matches("havoc").count() <= 3
        && text.matches("goto A").count() + text.matches("(*)").count() <= 3;
    for (i, strategy) in Strategy::ALL.into_iter().enumerate() {
        let steps = if loops { 2_000 } else { 100_000 };
        let bounds = Bounds { steps, runs: 400, ..unhurried().bounds };
        let random_runs = if i % 2 == 0 { 0 } else { 20 };
        let keep = if i % 3 == 0 { Keep::All } else { Keep::New };
        let options = Options { strategy, bounds, random_runs, keep, seed: i as u64, ..unhurried() };
        let e = run(&program, "P", &options);
        assert!(
            e.exhausted || loops,
            "seed {seed}, {}: {:?} {:?}\n{text}",
            strategy.name(),
            e.notes,
            e.statistics
        );
        for goal in &e.goals {
            if let Some(wrong) = contradiction(goal, &truth, complete, e.exhausted) {
                panic!("seed {seed}, {}: {wrong}\n{text}", strategy.name());
            }
        }
    }
}

#[test]
fn nothing_said_of_a_program_without_loops_contradicts_its_runs() {
    for seed in seeds(150) {
        check(seed, false);
    }
}

#[test]
fn nothing_said_of_a_program_with_loops_contradicts_its_runs() {
    for seed in seeds(40) {
        check(seed + 1_000_000, true);
    }
}
