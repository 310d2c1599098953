//! Covers in which calls are "fails if" the callee's condition have the verdicts of covers with calls inlined, on random
//! programs; and need no bound where callees loop.
//!
//! `FOOTPATH_PROGRAMS` sets how many programs are tried, `FOOTPATH_SEED` the first one.

#[path = "../../summaries/tests/common/mod.rs"]
mod common;

use std::sync::atomic::AtomicBool;

use common::{Writer, read, seeds};
use footpath_engine::cover::{CoverOptions, ProcedureCover, Verdict, cover, cover_with};
use footpath_failure::{Classes, Conditions, Options};
use footpath_ir::{ProcId, Program};

fn options() -> CoverOptions {
    CoverOptions {
        jobs: 1,
        unwind: 4,
        recursion: 1,
        max_blocks: 3000,
        random_runs: 0,
        explain: false,
        query_timeout: None,
        timeout: None,
        ..CoverOptions::default()
    }
}

fn all(program: &Program) -> Vec<ProcId> {
    (0..program.procedures.len() as u32).map(ProcId).collect()
}

/// The covers with calls inlined, those with conditions in the place of calls, and how many callees had one.
fn covers(text: &str, what: &str) -> (Vec<ProcedureCover>, Vec<ProcedureCover>, usize) {
    let program = read(text);
    let (procedures, stop) = (all(&program), AtomicBool::new(false));
    let inlined = cover(&program, &procedures, &options(), &stop, &|_| ());
    let inlined = inlined.unwrap_or_else(|e| panic!("{what}: {e}\n{text}"));
    let conditions = Conditions::new(&program, &procedures, &Options::default(), Classes::PLAIN, &stop);
    let conditions = conditions.unwrap_or_else(|e| panic!("{what}: {e}\n{text}"));
    let found = cover_with(&program, &procedures, &options(), Some(&conditions), &stop, &|_| ());
    let found = found.unwrap_or_else(|e| panic!("{what}: {e}\n{text}"));
    (inlined, found, conditions.known().0)
}

/// Two verdicts agree if they are the same, or if one is about more runs than the other.
fn agree(inlined: &Verdict, found: &Verdict) -> bool {
    let beyond = matches!(inlined, Verdict::UnreachableWithin(_) | Verdict::Unknown(_));
    inlined == found || beyond && !matches!(found, Verdict::Unknown(_))
}

/// Compares the verdicts on some programs; how many callees had a condition.
fn compare(first: u64, count: u64, recursive: bool, loops: bool) -> usize {
    let mut known = 0;
    for seed in seeds(count) {
        let seed = seed + first;
        let text = Writer::determined(seed, recursive, loops);
        let (inlined, found, conditions) = covers(&text, &format!("seed {seed}"));
        known += conditions;
        for (a, b) in inlined.iter().zip(&found) {
            for (x, y) in a.objectives.iter().zip(&b.objectives) {
                assert_eq!(x.origin, y.origin);
                assert!(
                    agree(&x.verdict, &y.verdict),
                    "seed {seed}: {:?} of {:?} is {:?} inlined and {:?} through conditions\n{text}",
                    a.procedure,
                    x.origin,
                    x.verdict,
                    y.verdict
                );
            }
        }
    }
    known
}

#[test]
fn verdicts_are_those_of_inlining() {
    assert!(compare(0, 40, false, false) > 10);
}

#[test]
fn verdicts_are_those_of_inlining_with_loops() {
    assert!(compare(1_000_000, 20, false, true) > 5);
}

#[test]
fn verdicts_are_those_of_inlining_with_recursion() {
    compare(2_000_000, 20, true, false);
}

/// What a procedure that chooses *can* do is not what it does.
#[test]
fn a_callee_that_chooses_is_inlined() {
    let text = "procedure Maybe(x: int) { if (*) { assert x != 3; } }\n\
        procedure P(x: int) returns (r: int) { call Maybe(x); if (x == 3) { r := 1; } }\n";
    let (inlined, found, known) = covers(text, "maybe");
    assert_eq!(known, 0);
    assert!(found[1].objectives.iter().all(|o| o.verdict == Verdict::Covered), "{:?}", found[1].objectives);
    assert_eq!(inlined[1].objectives.len(), found[1].objectives.len());
}

/// A check in a loop of the callee decides, for any number of rounds, what comes after it.
#[test]
fn loops_of_callees_need_no_bound() {
    let text = "procedure Check(n: int) { var i: int; i := 0;\n\
            while (i < n) { assert i != 50; i := i + 1; } }\n\
        procedure P(n: int) returns (r: int) { call Check(n); if (n > 50) { r := 1; } else if (n > 40) { r := 2; } }\n";
    let (inlined, found, known) = covers(text, "loop");
    assert_eq!(known, 1);
    let dead = |covers: &[ProcedureCover]| -> Vec<Verdict> {
        let objectives = covers[1].objectives.iter().map(|o| o.verdict.clone());
        objectives.filter(|v| *v != Verdict::Covered).collect()
    };
    assert!(
        dead(&inlined).iter().all(|v| matches!(v, Verdict::UnreachableWithin(_))),
        "{:?}",
        dead(&inlined)
    );
    assert_eq!(dead(&found), [Verdict::Unreachable]);
}
