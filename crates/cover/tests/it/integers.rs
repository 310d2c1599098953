//! Random programs over small integers, where every input can be tried: what is relaxed to reals must not
//! change a verdict.
//!
//! The programs multiply, divide and compare sums, so that many branches have solutions in fractions only, and
//! forget values as long procedures do. `FOOTPATH_PROGRAMS` sets how many are tried, `FOOTPATH_SEED` the first one.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::common::{read, seeds};
use fastrand::Rng;
use footpath_cover::{CoverOptions, Objective, ObjectiveKind, Verdict, cover};
use footpath_ir::interp::{Interpreter, Limits, Outcome, Replay, Script};
use footpath_ir::{Origin, Place, ProcId, Program};
use footpath_term::Value;

/// Inputs lie between minus this and this.
const LARGEST: i32 = 3;

/// A program with diamonds in a row, some of them in an arm of another one.
fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = "procedure P(x: int, y: int, z: int) returns (u: int, v: int)\n".to_owned();
    for input in ["x", "y", "z"] {
        let _ = writeln!(text, "  requires -{LARGEST} <= {input} && {input} <= {LARGEST};");
    }
    text.push_str("{\n  u := x; v := y;\n");
    for _ in 0..rng.u32(2..6) {
        diamond(&mut rng, &mut text, 2);
    }
    text.push_str("}\n");
    text
}

fn diamond(rng: &mut Rng, text: &mut String, depth: u32) {
    let condition = condition(rng);
    let _ = writeln!(text, "if ({condition}) {{");
    for arm in 0..2 {
        assignments(rng, text);
        if depth > 0 && rng.bool() {
            diamond(rng, text, depth - 1);
        }
        match rng.u8(..12) {
            0 => {
                let failing = self::condition(rng);
                let _ = writeln!(text, "assert {failing};");
            }
            1 => {
                let holding = self::condition(rng);
                let _ = writeln!(text, "assume {holding};");
            }
            _ => {}
        }
        text.push_str(if arm == 0 { "} else {\n" } else { "}\n" });
    }
}

fn assignments(rng: &mut Rng, text: &mut String) {
    for target in ["u", "v"] {
        if rng.bool() {
            let value = sum(rng);
            let _ = writeln!(text, "{target} := {value};");
        }
    }
}

fn sum(rng: &mut Rng) -> String {
    let variable = ["x", "y", "z", "u", "v"][rng.usize(..5)];
    let other = ["x", "y", "z", "u", "v"][rng.usize(..5)];
    let number = rng.i32(-4..5);
    match rng.u8(..20) {
        0 | 4 => format!("{number}"),
        1 => format!("{variable} * {other}"),
        2 => format!("{variable} div 2"),
        3 | 5 => format!("{variable} mod 3 + {other}"),
        6 | 7 => format!("(if {variable} <= {other} then {variable} else {number})"),
        _ => format!("{} * {variable} + {} * {other} + {number}", rng.i32(-3..4), rng.i32(-3..4)),
    }
}

fn condition(rng: &mut Rng) -> String {
    let (a, b) = (sum(rng), sum(rng));
    let comparison = ["==", "==", "!=", "<", "<=", ">", ">="][rng.usize(..7)];
    match rng.u8(..5) {
        0 => format!("({a} {comparison} {b}) <==> (u < v)"),
        1 => format!("{a} {comparison} {b} || u == 2 * v + 1"),
        _ => format!("{a} {comparison} {b}"),
    }
}

/// What the runs on all inputs return through, and where they fail.
fn truth(program: &Program, procedure: ProcId) -> HashSet<Origin> {
    let interpreter = Interpreter::new(program);
    let params: Vec<_> = program[procedure].bodies[0].params.iter().map(|p| p.symbol).collect();
    let mut covered = HashSet::new();
    let inputs = || -LARGEST..=LARGEST;
    for (x, y, z) in inputs().flat_map(|x| inputs().flat_map(move |y| inputs().map(move |z| (x, y, z)))) {
        let mut script = Script::default();
        let values = [x, y, z].map(Value::int);
        script.entries.extend(params.iter().zip(values).map(|(&p, v)| ((0, p), v)));
        let run = interpreter.run(procedure, 0, &mut Replay::new(&script), &Limits::default());
        match run.outcome {
            Outcome::Returned => {
                let place = |block| Place::Segment { block, first: 0 };
                covered.extend(run.path.iter().map(|s| Origin { procedure, body: 0, place: place(s.block) }));
                let edges = run.path.iter().filter_map(|s| s.from);
                let place = |(block, successor)| Place::Edge { block, successor };
                covered.extend(edges.map(|edge| Origin { procedure, body: 0, place: place(edge) }));
            }
            Outcome::Failed { at, .. } => {
                covered.insert(at);
            }
            Outcome::Blocked { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    covered
}

/// Whether the truth says what is to be said of an objective.
fn is_covered(objective: &Objective, truth: &HashSet<Origin>) -> Option<bool> {
    match (objective.kind, objective.origin.place) {
        (ObjectiveKind::Failure(_), _) => Some(truth.contains(&objective.origin)),
        (_, Place::Segment { block, .. }) => {
            let start = Origin { place: Place::Segment { block, first: 0 }, ..objective.origin };
            Some(truth.contains(&start))
        }
        (_, Place::Edge { .. }) => Some(truth.contains(&objective.origin)),
        _ => None,
    }
}

#[test]
fn integers_taken_for_reals_change_no_verdict() {
    let (mut covered, mut infeasible) = (0, 0);
    for seed in seeds(12) {
        let text = program(seed);
        let program = read(&text);
        let procedure = program.procedure_named("P").expect("the program has P");
        let truth = truth(&program, procedure);
        for random_runs in [0, 50] {
            let options = CoverOptions {
                random_runs,
                jobs: 1,
                explain: false,
                // The question about all goals gets no answer, so windows are asked about, most of them over reals.
                query_timeout: Some(Duration::from_millis(1)),
                timeout: Some(Duration::from_secs(2)),
                ..CoverOptions::default()
            };
            let found = cover(&program, &[procedure], &options, &AtomicBool::new(false), &|_| ());
            let found = found.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
            for objective in &found[0].objectives {
                let Some(expected) = is_covered(objective, &truth) else { continue };
                let claimed = match objective.verdict {
                    Verdict::Covered => true,
                    Verdict::Unknown(_) => continue,
                    _ => false,
                };
                assert_eq!(
                    claimed, expected,
                    "seed {seed}: {} {:?}\n{text}",
                    objective.name, objective.origin
                );
                *(if claimed { &mut covered } else { &mut infeasible }) += 1;
            }
        }
    }
    assert!(covered > 0 && infeasible > 0, "{covered} covered, {infeasible} infeasible");
}
