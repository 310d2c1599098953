//! What a solver says that no run of a whole program comes to, no run comes to.
//!
//! Random C programs take inputs in a loop and go through states: variables that are set under conditions and tested under
//! others, in functions that call each other. Every place of theirs is asked about, and then looked for by a concolic
//! search from the same start. Needs a clang.
//!
//! `FOOTPATH_PROGRAMS` says how many programs there are, `FOOTPATH_SEED` asks for a single one.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::support::lowered;
use fastrand::Rng;
use footpath_concolic as concolic;
use footpath_concolic::{Bounds, GoalScope};
use footpath_frontend::c;
use footpath_ir::Origin;
use footpath_verify::never_reached;

/// Variables of a program.
const VARIABLES: [&str; 5] = ["a", "b", "c", "d", "in"];

fn condition(rng: &mut Rng) -> String {
    let v = VARIABLES[rng.usize(..VARIABLES.len())];
    let op = ["==", "!=", "<", ">="][rng.usize(..4)];
    format!("{v} {op} {}", rng.i32(-1..4))
}

fn statement(rng: &mut Rng, depth: u32, calls: u32) -> String {
    let v = VARIABLES[rng.usize(..VARIABLES.len() - 1)];
    match rng.u32(0..if depth > 0 { 9 } else { 4 }) {
        0 | 1 => format!("{v} = {};", rng.i32(0..4)),
        2 => format!("{v} = {};", VARIABLES[rng.usize(..VARIABLES.len())]),
        3 if calls > 0 => format!("f{}();", rng.u32(..calls)),
        3 => format!("{v} = {v} > 2 ? 0 : {v} + 1;"),
        _ => {
            let (condition, then) = (condition(rng), statement(rng, depth - 1, calls));
            let other = if rng.bool() { statement(rng, depth - 1, calls) } else { String::new() };
            format!("if ({condition}) {{ {then} {} }} else {{ {other} }}", statement(rng, depth - 1, calls))
        }
    }
}

fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = "int __VERIFIER_nondet_int(void);\nint a, b, c, d, in;\n".to_owned();
    let functions = rng.u32(0..3);
    for f in 0..functions {
        let _ = writeln!(
            text,
            "static void f{f}(void) {{ {} {} }}",
            statement(&mut rng, 1, f),
            statement(&mut rng, 1, f)
        );
    }
    text.push_str("int main(void)\n{\n");
    for _ in 0..rng.u32(0..3) {
        let _ = writeln!(text, "    {}", statement(&mut rng, 1, functions));
    }
    text.push_str("    while (__VERIFIER_nondet_int()) {\n        in = __VERIFIER_nondet_int();\n");
    for _ in 0..rng.u32(2..6) {
        let _ = writeln!(text, "        {}", statement(&mut rng, 2, functions));
    }
    text.push_str("    }\n    if (a == 3 && b == 1) return 1;\n    return 0;\n}\n");
    text
}

/// How many places were excluded, and how many were reached.
fn check_program(seed: u64) -> (usize, usize) {
    let text = program(seed);
    let mut settings = c::Options::default();
    settings.harness.whole_program = true;
    let lowered = lowered(&format!("whole-{seed}"), &text, &settings);
    let main = lowered.functions.iter().find(|f| f.name == "main").expect("main");
    let harness = main.harness.as_ref().expect("a harness");
    // No bound on time: where the search comes to must not depend on what else the machine does.
    let bounds = Bounds { runs: 150, nodes: 4000, steps: 400, time: None, ..Bounds::default() };
    let options = concolic::Options {
        bounds,
        seed,
        goals_in: GoalScope::All,
        endless: true,
        ..concolic::Options::default()
    };
    let never = AtomicBool::new(false);
    let found = concolic::explore(&lowered.program, harness.procedure, 0, &options, &never, &|_| {});
    let goals = found.expect("a search").goals;
    let places: Vec<Origin> = goals.iter().map(|g| g.origin).collect();
    let time = Duration::from_secs(20);
    let start = harness.any_memory.unwrap_or(harness.procedure);
    let excluded = never_reached(&lowered.program, start, &places, 2000, time);
    let mut reached = 0;
    for goal in goals.iter().filter(|g| g.visited || g.covered_by.is_some()) {
        reached += 1;
        assert!(
            !excluded.contains(&goal.origin),
            "seed {seed}: a run comes to {} at {:?}\n{text}",
            goal.name,
            goal.origin
        );
    }
    (excluded.len(), reached)
}

#[test]
fn no_run_of_a_program_comes_to_what_is_excluded() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    let seeds = match number("FOOTPATH_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("FOOTPATH_PROGRAMS").unwrap_or(12),
    };
    let many = seeds.end - seeds.start >= 12;
    let (mut excluded, mut reached) = (0, 0);
    for seed in seeds {
        let of_program = check_program(seed);
        excluded += of_program.0;
        reached += of_program.1;
    }
    assert!(!many || (excluded > 20 && reached > 100), "too little happens: {excluded}, {reached}");
}
