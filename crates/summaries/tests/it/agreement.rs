//! Random programs with call graphs of all shapes: covers through summaries have the verdicts of covers with all calls
//! inlined.
//!
//! Procedures branch, loop, fail, block, choose freely, forget values, change globals and call each other, also
//! themselves. `FOOTPATH_PROGRAMS` sets how many are tried, `FOOTPATH_SEED` the first one.

use std::sync::atomic::AtomicBool;

use super::common::{Writer, read, seeds};
use footpath_cover::{CoverOptions, ProcedureCover, Verdict, cover, cover_with};
use footpath_ir::ProcId;
use footpath_summaries::{Mode, Options, Summaries};
use footpath_transform::Bounds;

fn options() -> CoverOptions {
    CoverOptions {
        jobs: 1,
        unwind: 2,
        recursion: 1,
        max_blocks: 3000,
        random_runs: 0,
        explain: false,
        query_timeout: None,
        timeout: None,
        ..CoverOptions::default()
    }
}

fn explored(first_leaves: usize) -> Options {
    Options {
        bounds: Bounds { unwind: 2, recursion: 1, max_blocks: 3000 },
        first_leaves,
        query_timeout: None,
        ..Options::default()
    }
}

/// Two verdicts agree if they are the same, or if summaries prove without a bound what was infeasible within it. Which bound is
/// named may differ: loops of a callee are what inlining cuts, and a call is what a summary does.
fn agree(inlined: &Verdict, summarised: &Verdict) -> bool {
    let is_alike = match (inlined, summarised) {
        (Verdict::UnreachableWithin(_), Verdict::UnreachableWithin(_)) => true,
        (Verdict::Unknown(one), Verdict::Unknown(other)) => one.code == other.code,
        _ => inlined == summarised,
    };
    is_alike
        || matches!((inlined, summarised), (Verdict::UnreachableWithin(_), Verdict::Unreachable))
        || matches!((inlined, summarised), (Verdict::Unknown(_), v) if v.is_infeasible())
}

fn compare(inlined: &[ProcedureCover], summarised: &[ProcedureCover], mode: &str, seed: u64, text: &str) {
    for (a, b) in inlined.iter().zip(summarised) {
        for (a, b) in a.objectives.iter().zip(&b.objectives) {
            assert_eq!(a.origin, b.origin);
            assert!(
                agree(&a.verdict, &b.verdict),
                "seed {seed}, {mode}: {} of {:?} is {:?} inlined and {:?} through summaries\n{text}",
                a.name,
                a.origin,
                a.verdict,
                b.verdict
            );
        }
    }
}

fn check(seed: u64, recursive: bool, loops: bool) {
    let text = Writer::program(seed, recursive, loops);
    let program = read(&text);
    let procedures: Vec<ProcId> = program.ids().collect();
    let stop = AtomicBool::new(false);
    let options = options();
    let inlined = cover(&program, &procedures, &options, &stop, &|_| ());
    let inlined = inlined.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    if inlined.iter().any(|c| c.notes.iter().any(|n| n.contains("were cut"))) {
        return;
    }
    // The mode, how many paths at first, whether paths are merged, how many procedures at a time.
    let ways = [
        (Mode::Symbolic, 1, true, 1),
        (Mode::Symbolic, 4, false, 1),
        (Mode::Symbolic, 16, true, 3),
        (Mode::Concrete, 4, true, 1),
        (Mode::Auto, 4, true, 1),
    ];
    for way @ (mode, first, merge, jobs) in ways {
        let explored = Options { merge, jobs, ..explored(first) };
        let options = CoverOptions { jobs, ..options.clone() };
        let summaries = Summaries::new(&program, mode, explored, &stop).expect("a solver");
        let found = cover_with(&program, &procedures, &options, Some(&summaries), &stop, &|_| ());
        let found = found.unwrap_or_else(|e| panic!("seed {seed}, {way:?}: {e}\n{text}"));
        compare(&inlined, &found, &format!("{way:?}"), seed, &text);
    }
}

#[test]
fn verdicts_are_those_of_inlining_without_recursion_and_loops() {
    for seed in seeds(20) {
        check(seed, false, false);
    }
}

#[test]
fn verdicts_are_those_of_inlining_with_loops() {
    for seed in seeds(10) {
        check(seed + 1_000_000, false, true);
    }
}

#[test]
fn verdicts_are_those_of_inlining_with_recursion() {
    for seed in seeds(10) {
        check(seed + 2_000_000, true, false);
    }
}
