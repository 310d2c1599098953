//! Covers in files: a second run asks nobody, a changed procedure costs its callers only, and what is kept is not believed
//! against a test. `FOOTPATH_PROGRAMS` sets how many random programs are covered twice.

use super::common;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::common::{folder, read, seeds};
use footpath_cover::{CoverOptions, ProcedureCover, Verdict, cover, cover_with};
use footpath_ir::{ProcId, Program};
use footpath_summaries::{Covers, Digests, Keys, Mode, Options, Summaries};

/// `top` calls `left` and `right`, which both call `low`; the numbers stand in `low` and `right`.
fn diamond(low: u32, right: u32, comment: &str) -> Program {
    read(&format!(
        "var g: int; var m: [int]int;
procedure low(x: int) returns (r: int) modifies g, m;
{{ if (x > {low}) {{ r := x + 1; g := g + 1; }} else if (*) {{ r := m[x]; }} else {{ havoc r; m[x] := r; }} }}
{comment}
procedure left(x: int) returns (r: int) modifies g, m;
{{ call r := low(x); if (r > 7) {{ call r := low(r + 2); assert r != 12; }} }}
procedure right(x: int) returns (r: int) modifies g, m;
{{ call r := low(x + {right}); if (r == r + 1) {{ r := 5; }} }}
procedure top(x: int) returns (r: int) modifies g, m;
{{
  call r := left(x);
  call r := right(r);
  if (r == 123 && g == 17 && m[3] == 4) {{ deep: assert true; }}
}}
"
    ))
}

fn options() -> CoverOptions {
    CoverOptions { random_runs: 0, jobs: 1, timeout: None, query_timeout: None, ..CoverOptions::default() }
}

/// Covers all procedures, those that are kept without asking; with them, the names of those that were asked about.
fn run(program: &Program, folder: &Path) -> (BTreeMap<ProcId, ProcedureCover>, Vec<String>) {
    let kept = Covers::new(folder.to_owned(), &Arc::new(Digests::of(program)), &options(), "", true);
    let stop = AtomicBool::new(false);
    let (mut covers, mut asked) = (BTreeMap::new(), Vec::new());
    for procedure in program.ids() {
        if let Some(mut known) = kept.recall(procedure) {
            covers.insert(procedure, known.remove(0));
            continue;
        }
        let found = cover(program, &[procedure], &options(), &stop, &|_| ()).expect("a cover").remove(0);
        kept.keep(&found);
        asked.push(program[procedure].name.to_string());
        covers.insert(procedure, found);
    }
    assert!(kept.warnings().is_empty());
    (covers, asked)
}

fn verdicts(covers: &BTreeMap<ProcId, ProcedureCover>) -> Vec<&Verdict> {
    covers.values().flat_map(|c| &c.objectives).map(|o| &o.verdict).collect()
}

#[test]
fn a_second_run_asks_nobody_and_says_the_same() {
    let folder = folder("covers");
    let program = diamond(10, 4, "");
    let (first, asked) = run(&program, &folder);
    assert_eq!(asked.len(), 4);
    let (second, asked) = run(&program, &folder);
    assert!(asked.is_empty(), "{asked:?}");
    for (a, b) in first.values().zip(second.values()) {
        assert!(b.statistics.recalled && b.statistics.queries == 0);
        assert_eq!(a.tests.len(), b.tests.len());
        for (a, b) in a.tests.iter().zip(&b.tests) {
            assert_eq!((&a.inputs, &a.choices, &a.path), (&b.inputs, &b.choices, &b.path));
        }
        for (a, b) in a.objectives.iter().zip(&b.objectives) {
            assert_eq!((a.origin, &a.verdict), (b.origin, &b.verdict));
            assert_eq!((&a.tests, &a.explanation), (&b.tests, &b.explanation));
        }
    }
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn covers_through_summaries_come_back_with_their_explanations() {
    let folder = folder("covers-summaries");
    let program = read(
        "procedure sign(x: int) returns (r: int)
{ if (x > 0) { r := 1; } else if (x < 0) { r := 0 - 1; } else { r := 0; } }
procedure top(x: int) returns (r: int)
{ call r := sign(x); if (r > 1) { never: r := 7; } }
",
    );
    let top = program.procedure_named("top").expect("it is there");
    let stop = AtomicBool::new(false);
    let summaries = Summaries::new(&program, Mode::Symbolic, Options::default(), &stop).expect("a solver");
    let found = cover_with(&program, &[top], &options(), Some(&summaries), &stop, &|_| ());
    let found = found.expect("a cover").remove(0);
    assert!(found.objectives.iter().any(|o| !o.explanation.is_empty()));
    let kept = Covers::new(folder.clone(), &Arc::new(Digests::of(&program)), &options(), "", true);
    kept.keep(&found);
    let again = kept.recall(top).expect("it was kept").remove(0);
    for (a, b) in found.objectives.iter().zip(&again.objectives) {
        assert_eq!((&a.verdict, &a.explanation, &a.tests), (&b.verdict, &b.explanation, &b.tests));
    }
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_changed_procedure_costs_itself_and_its_callers_only() {
    let folder = folder("covers-changed");
    run(&diamond(10, 4, ""), &folder);
    assert_eq!(run(&diamond(10, 5, ""), &folder).1, ["right", "top"]);
    assert_eq!(run(&diamond(11, 4, ""), &folder).1, ["low", "left", "right", "top"]);
    let moved = diamond(10, 4, "// This moves what follows.");
    let (recalled, asked) = run(&moved, &folder);
    assert!(asked.is_empty());
    let stop = AtomicBool::new(false);
    for (procedure, recalled) in recalled {
        let anew = cover(&moved, &[procedure], &options(), &stop, &|_| ()).expect("a cover").remove(0);
        for (a, b) in anew.objectives.iter().zip(&recalled.objectives) {
            assert_eq!((a.span, &a.explanation), (b.span, &b.explanation), "places are where they are now");
        }
    }
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_key_needs_the_procedure_and_its_callees_only_and_is_the_same_in_any_order() {
    let program = diamond(10, 4, "");
    let named = |name| program.procedure_named(name).expect("it is there");
    let keys = |order: &[&'static str]| {
        let digests = Arc::new(Digests::of(&program));
        let keys = Keys::new(&digests, "");
        assert_eq!(digests.forms(), 0, "nothing was asked for");
        let of = |&name: &&'static str| (name, (keys.of_body(named(name), 0), digests.forms()));
        order.iter().map(of).collect::<BTreeMap<_, _>>()
    };
    let up = keys(&["low", "right", "left", "top"]);
    assert_eq!(["low", "right", "left", "top"].map(|name| up[name].1), [1, 2, 3, 4]);
    let down = keys(&["top", "left", "right", "low"]);
    assert_eq!(down["low"].1, 4, "each is read once");
    assert_eq!(keys(&["left", "left"])["left"].1, 2);
    assert!(up.iter().all(|(name, (key, _))| *key == down[name].0));
    let all: std::collections::BTreeSet<&String> = up.values().map(|(key, _)| key).collect();
    assert_eq!(all.len(), 4);
}

#[test]
fn a_verdict_that_a_test_contradicts_is_not_believed() {
    let folder = folder("covers-wrong");
    let program = diamond(10, 4, "");
    let (first, _) = run(&program, &folder);
    let stop = AtomicBool::new(false);
    let kept = Covers::new(folder.clone(), &Arc::new(Digests::of(&program)), &options(), "", true);
    for &procedure in first.keys() {
        let mut wrong = cover(&program, &[procedure], &options(), &stop, &|_| ()).expect("a cover").remove(0);
        let covered = wrong.objectives.iter().position(|o| o.verdict == Verdict::Covered);
        wrong.objectives[covered.expect("something is covered")].verdict = Verdict::Unreachable;
        kept.keep(&wrong);
        assert!(kept.recall(procedure).is_none());
        wrong.objectives.iter_mut().for_each(|o| o.verdict = Verdict::Covered);
        wrong.tests.clear();
        kept.keep(&wrong);
        assert!(kept.recall(procedure).is_none(), "what is covered has a test");
    }
    let (again, asked) = run(&program, &folder);
    assert_eq!(asked.len(), 4);
    assert_eq!(verdicts(&first), verdicts(&again));
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn verdicts_of_random_programs_come_back() {
    let folder = folder("covers-random");
    let mut recalled = 0;
    for seed in seeds(6) {
        let program = read(&common::Writer::program(seed, seed % 2 == 0, seed % 3 == 0));
        let (first, _) = run(&program, &folder);
        let (second, asked) = run(&program, &folder);
        assert_eq!(verdicts(&first), verdicts(&second), "seed {seed}");
        recalled += second.len() - asked.len();
        assert!(asked.is_empty(), "seed {seed}: {asked:?} cannot be kept");
    }
    assert!(recalled > 0);
    fs::remove_dir_all(&folder).expect("removed");
}
