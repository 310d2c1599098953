//! Paths with few iterations of each loop, against all paths of a simulation.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use super::common::read;
use footpath_concolic::{Bound, Bounds, Exploration, Keep, Options, explore};
use footpath_ir::Program;

/// Nested loops, of which the inner one is entered anew in each iteration of the outer one, and one behind both.
const NESTED: &str = "\
procedure P(n: int, m: int, k: int) {
  var i, j: int;
  i := 0;
  while (i < n) {
    j := 0;
    while (j < m) { j := j + 1; }
    i := i + 1;
  }
  i := 0;
  while (i < k) { i := i + 1; }
}";

/// The decisions of a run, as far as no loop returns to its head more than `most` times.
fn simulate(n: u32, m: u32, k: u32, most: u32) -> Vec<bool> {
    let mut decisions = Vec::new();
    let mut is_cut = false;
    let mut decide = |holds: bool, visits: u32| {
        is_cut |= visits > most;
        if !is_cut {
            decisions.push(holds);
        }
        holds
    };
    let mut i = 0;
    while decide(i < n, i) {
        let mut j = 0;
        while decide(j < m, j) {
            j += 1;
        }
        i += 1;
    }
    let mut i = 0;
    while decide(i < k, i) {
        i += 1;
    }
    decisions
}

fn explored(program: &Program, bounds: Bounds) -> Exploration {
    let root = program.procedure_named("P").expect("the program has P");
    let options = Options { bounds, keep: Keep::All, stop_when_covered: false, ..Options::default() };
    explore(program, root, 0, &options, &AtomicBool::new(false), &|_| ()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn each_path_within_the_iterations_is_run_once() {
    let program = read(NESTED);
    for most in 0..4 {
        let mut paths = BTreeSet::new();
        for (n, m, k) in (0..6).flat_map(|n| (0..6).flat_map(move |m| (0..6).map(move |k| (n, m, k)))) {
            paths.insert(simulate(n, m, k, most));
        }
        let found = explored(&program, Bounds { iterations: Some(most), time: None, ..Bounds::default() });
        assert_eq!(found.statistics.paths, paths.len() as u64, "{most} iterations");
        assert!(found.exhausted_within_iterations, "{most} iterations");
        assert!(!found.exhausted && found.bounds_hit.count(Bound::Iterations) > 0, "{most} iterations");
    }
}

#[test]
fn a_bound_that_no_path_meets_leaves_everything_known() {
    let program = read("procedure P(n: int) { var i: int; i := 0; while (i < n && i < 3) { i := i + 1; } }");
    let found = explored(&program, Bounds { iterations: Some(3), time: None, ..Bounds::default() });
    assert!(found.exhausted && !found.exhausted_within_iterations, "{:?}", found.bounds_hit);
    // Another bound is told as such.
    let bounds = Bounds { iterations: Some(1), branches: 1, time: None, ..Bounds::default() };
    let found = explored(&program, bounds);
    assert!(!found.exhausted && !found.exhausted_within_iterations, "{:?}", found.bounds_hit);
}
