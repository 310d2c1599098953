//! Covers and explorations in which calls are "fails if" the callee's condition have the verdicts of those with the callees'
//! bodies, on random programs; and need no bound where callees loop.
//!
//! `FOOTPATH_PROGRAMS` sets how many programs are tried, `FOOTPATH_SEED` the first one.

use std::sync::atomic::AtomicBool;

use super::callee_programs::{Writer, read, seeds};
use footpath_concolic as concolic;
use footpath_concolic::Exploration;
use footpath_cover::{CoverOptions, ProcedureCover, Verdict, cover, cover_with};
use footpath_ir::{ProcId, Program};
use footpath_preconditions::{Classes, Conditions, Options, explore_through};

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
    program.ids().collect()
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

/// The explorations of a procedure with the callees' bodies and with their conditions, and whether any callee had one.
fn explorations(program: &Program, root: ProcId, text: &str) -> (Exploration, Exploration, bool) {
    let stop = AtomicBool::new(false);
    let options = concolic::Options { stop_when_covered: false, ..concolic::Options::default() };
    let mut explore = |program: &Program, options: &concolic::Options| {
        concolic::explore(program, root, 0, options, &stop, &|_| ())
    };
    let direct = explore(program, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let conditions = Conditions::new(program, &[root], &Options::default(), Classes::PLAIN, &stop);
    let conditions = conditions.unwrap_or_else(|e| panic!("{e}\n{text}"));
    match conditions.program(root, &[root]) {
        Some(short) => {
            let found = explore_through(&short, program, &options, &mut explore);
            (direct, found.unwrap_or_else(|e| panic!("{e}\n{text}")), true)
        }
        None => (direct.clone(), direct, false),
    }
}

/// Compares explorations of all procedures of some programs; how many of them were known whole both ways, with a condition
/// in the place of some callee.
fn compare_explorations(first: u64, count: u64, loops: bool) -> usize {
    let mut known = 0;
    for seed in seeds(count) {
        let text = Writer::determined(seed + first, false, loops);
        let program = read(&text);
        for root in all(&program) {
            let (direct, through, differs) = explorations(&program, root, &text);
            let whole = direct.exhausted && through.exhausted;
            known += usize::from(whole && differs);
            for (a, b) in direct.goals.iter().zip(&through.goals) {
                assert_eq!(a.origin, b.origin);
                let seen = |x: &concolic::Goal| x.visited || x.covered_by.is_some();
                let never =
                    |x: &concolic::Goal, found: &Exploration| x.ruled_out || found.exhausted && !seen(x);
                let contradicts = never(a, &direct) && seen(b) || never(b, &through) && seen(a);
                let agrees = !whole || a.covered_by.is_some() == b.covered_by.is_some();
                assert!(
                    !contradicts && agrees,
                    "seed {}: {:?} through conditions, {:?} without\n{text}",
                    seed + first,
                    b,
                    a
                );
            }
        }
    }
    known
}

#[test]
fn explorations_are_those_of_the_bodies() {
    assert!(compare_explorations(3_000_000, 40, false) > 10);
}

#[test]
fn explorations_are_those_of_the_bodies_with_loops() {
    assert!(compare_explorations(4_000_000, 20, true) > 3);
}

/// The paths of a callee are not those of its callers: twice thirty-two of them are a few conditions.
#[test]
fn paths_of_callees_are_not_multiplied() {
    let text = "procedure Many(a: int, b: int, c: int, d: int, e: int) returns (s: int) { s := 0;\n\
            if (a > 0) { s := s + 1; } if (b > 0) { s := s + 1; } if (c > 0) { s := s + 1; }\n\
            if (d > 0) { s := s + 1; } if (e > 0) { s := s + 1; }\n\
            assert a + b + c != 77; assert d != e + 1000; }\n\
        procedure P(a: int, b: int, c: int, d: int, e: int) returns (r: int) { var s: int;\n\
            call s := Many(a, b, c, d, e); call s := Many(e, d, c, b, a);\n\
            if (a + b + c == 77) { r := 3; } }\n";
    let program = read(text);
    let (direct, through, _) = explorations(&program, ProcId(1), text);
    assert!(direct.exhausted && through.exhausted);
    // The results are read by nobody, but they are given: their branches are not left out.
    assert!(through.statistics.paths < direct.statistics.paths, "{:?}", through.statistics);
    let unreached = |found: &Exploration| -> Vec<usize> {
        (0..found.goals.len()).filter(|&g| found.goals[g].covered_by.is_none()).collect()
    };
    assert_eq!(unreached(&direct), unreached(&through));
    assert!(!unreached(&through).is_empty());
}
