//! The concolic engine against all runs of random programs, against the covers, and on programs of its own.

use std::sync::atomic::AtomicBool;

use super::common::{Truth, Writer, read, seeds, try_all};
use footpath_concolic::{
    Bound, Bounds, Classes, ConcolicTest, Exploration, Goal, GoalKind, GoalScope, Helpers, Keep, Options,
    Prepared, SessionOptions, Strategy, TestClass, explore, explore_helped,
};
use footpath_cover::{Algorithm, CoverOptions, Criterion, cover};
use footpath_ir::interp::Outcome;
use footpath_ir::{Place, Program};
use footpath_term::{Op, TermId, Value};

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
        let (merge, subsume) = (i % 2 == 1, seed.is_multiple_of(3));
        let options =
            Options { strategy, bounds, random_runs, keep, merge, subsume, seed: i as u64, ..unhurried() };
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
    for seed in seeds(60) {
        check(seed, false);
    }
}

#[test]
fn nothing_said_of_a_program_with_loops_contradicts_its_runs() {
    for seed in seeds(25) {
        check(seed + 1_000_000, true);
    }
}

// ---- programs of its own ----

const BUILTINS: &str = r#"
function {:bvbuiltin "bvadd"} add(bv64, bv64): bv64;
function {:bvbuiltin "bvmul"} mul(bv64, bv64): bv64;
function {:bvbuiltin "bvult"} ult(bv64, bv64): bool;
function {:bvbuiltin "bvadd"} add8(bv8, bv8): bv8;
function {:bvbuiltin "bvlshr"} shr(bv64, bv64): bv64;
var M: [bv64]bv64;
var B: [bv64]bv8;
var size: [bv32]bv64;
var alive: [bv32]bool;
procedure Load(p: bv64) returns (v: bv8) {
  assert alive[p[64:32]];
  assert ult(0bv32 ++ p[32:0], size[p[64:32]]);
  v := B[p];
}
"#;

fn explore_text(text: &str, options: &Options) -> Exploration {
    run(&read(&format!("{BUILTINS}{text}")), "P", options)
}

#[test]
fn a_string_is_found_letter_by_letter() {
    let e = explore_text(
        "procedure P(p: bv64) {
           var c: bv8;
           assume alive[p[64:32]] && size[p[64:32]] == 4bv64 && p[32:0] == 0bv32;
           call c := Load(p); if (c != 66bv8) { return; }
           call c := Load(add(p, 1bv64)); if (c != 85bv8) { return; }
           call c := Load(add(p, 2bv64)); if (c != 71bv8) { return; }
           assert false;
         }",
        &Options { goals_in: GoalScope::All, ..unhurried() },
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    let failing: Vec<_> = e.tests.iter().filter(|t| t.class == TestClass::Failing).collect();
    assert_eq!(failing.len(), 1, "{failing:?}");
    assert!(matches!(failing[0].outcome, Outcome::Failed { .. }));
    let root = failures(&e).into_iter().filter(|g| g.covered_by.is_some()).count();
    assert_eq!(root, 1, "only the last assertion fails: no load is out of bounds");
}

#[test]
fn a_pointer_is_known_once_it_is_decided_what_it_leads_to() {
    // Pointers are 32 bits for the object and 32 for the offset: the second object, and the third at 0 or 8.
    let assumptions = "assume W[1bv32, 0bv64] == 0bv64 || W[1bv32, 0bv64] == 8589934592bv64
             || W[1bv32, 0bv64] == 12884901888bv64 || W[1bv32, 0bv64] == 12884901896bv64;";
    let text = |body: &str| {
        format!("var W: [bv32, bv64]bv64; procedure P() {{ var p, q: bv64; {assumptions} {body} }}")
    };
    let options = Options { goals_in: GoalScope::All, random_runs: 0, ..unhurried() };
    let read = "p := W[1bv32, 0bv64]; q := W[p[64:32], add(0bv32 ++ p[32:0], 8bv64)];";
    let e = explore_text(
        &text(&format!(
            "{read}
             if (p[64:32] == 2bv32) {{ assert p[32:0] == 0bv32; assert q != 77bv64; }}
             if (p[64:32] == 3bv32) {{ assert p[32:0] == 0bv32; assert q != 78bv64; }}"
        )),
        &options,
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    let failing: Vec<bool> = failures(&e).iter().map(|g| g.covered_by.is_some()).collect();
    assert_eq!(failing, [false, true, true, true]);
    // With one alternative left, what lies behind the pointer is a single cell.
    let e = explore_text(
        &text(&format!("assume W[1bv32, 0bv64][64:32] != 3bv32; {read} assert q != 77bv64;")),
        &Options { keep: Keep::All, ..options },
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    assert_eq!(failures(&e).iter().map(|g| g.covered_by.is_some()).collect::<Vec<_>>(), [true]);
    let conditions: Vec<TermId> =
        e.tests.iter().filter_map(|t| t.conditions.as_ref()).flatten().copied().collect();
    assert!(!conditions.is_empty());
    for t in e.terms.post_order(&conditions) {
        let term = e.terms.term(t);
        let known = |index: &TermId| e.terms.literal(*index).is_some();
        assert!(term.op != Op::Select || term.args[1..].iter().all(known), "{}", e.terms.display(t));
    }
}

#[test]
fn the_object_that_is_left_when_the_others_are_ruled_out_is_known() {
    let e = explore_text(
        "var W: [bv32, bv64]bv64;
         procedure P(none: bool, other: bool) {
           var o: bv32;
           o := (if none then 0bv32 else (if other then 2bv32 else 3bv32));
           assume !none;
           if (W[o, 0bv64] == 66bv64) {
             if (other) { assert W[o, 8bv64] != 77bv64; } else { assert W[o, 8bv64] != 78bv64; }
           }
         }",
        &Options { goals_in: GoalScope::All, random_runs: 0, ..unhurried() },
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    assert_eq!(failures(&e).iter().map(|g| g.covered_by.is_some()).collect::<Vec<_>>(), [true, true]);
}

#[test]
fn an_access_behind_the_end_of_an_object_is_found() {
    let e = explore_text(
        "procedure P(p: bv64, i: bv64) returns (c: bv8) {
           assume alive[p[64:32]] && size[p[64:32]] == 16bv64 && p[32:0] == 0bv32 && ult(i, 17bv64);
           call c := Load(add(p, i));
         }",
        &Options { goals_in: GoalScope::All, random_runs: 0, ..unhurried() },
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    assert_eq!(failures(&e).iter().map(|g| g.covered_by.is_some()).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_symbolic_index_may_hit_what_was_written() {
    let e = explore_text(
        "procedure P(i: bv64, j: bv64) modifies M; {
           M[3bv64] := 30bv64; M[4bv64] := 40bv64;
           M[i] := 5bv64;
           if (M[3bv64] == 5bv64) { assert i == 3bv64; }
           if (M[j] == 5bv64) { assert i == j || ult(4bv64, j) || ult(j, 3bv64); }
           M[4bv64] := 1bv64;
           assert M[4bv64] == 1bv64;
           if (i == j && i != 4bv64) { assert M[j] == 5bv64; }
         }",
        &unhurried(),
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    assert!(failures(&e).iter().all(|g| g.covered_by.is_none()), "{:?}", e.goals);
    assert!(e.goals.iter().all(|g| g.covered_by.is_some() == !matches!(g.kind, GoalKind::Failure(_))));
}

#[test]
fn a_loop_without_inputs_costs_no_terms() {
    let e = explore_text(
        "procedure P(x: bv64) returns (s: bv64) modifies M; {
           var i: bv64;
           i := 0bv64; s := 0bv64;
           while (ult(i, 3000bv64)) { M[i] := mul(i, i); i := add(i, 1bv64); }
           while (i != 0bv64) { i := add(i, 18446744073709551615bv64); s := add(s, M[i]); }
           if (add(x, s) == 7bv64) { s := 0bv64; }
         }",
        &unhurried(),
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    assert_eq!((e.statistics.nodes, e.statistics.paths), (1, 2));
    assert!(e.goals.iter().all(|g| g.covered_by.is_some()), "{:?}", e.goals);
}

#[test]
fn a_loop_with_a_symbolic_bound_ends_at_a_bound_that_is_counted() {
    let text = "procedure P(n: bv64) { var i: bv64;
           i := 0bv64;
           while (ult(i, n)) { i := add(i, 1bv64); }
           assert i != 20bv64;
         }";
    let bounds = |runs, branches| Options {
        bounds: Bounds { runs, branches, ..unhurried().bounds },
        random_runs: 0,
        ..unhurried()
    };
    let e = explore_text(text, &bounds(60, 1_000));
    assert!(!e.exhausted && e.bounds_hit.count(Bound::Runs) > 0, "{:?}", e.bounds_hit);
    assert!(failures(&e)[0].covered_by.is_some());
    let e = explore_text(text, &bounds(60, 5));
    assert!(!e.exhausted && e.bounds_hit.count(Bound::Branches) > 0, "{:?}", e.bounds_hit);
    let steps = Options { bounds: Bounds { steps: 50, ..bounds(60, 1_000).bounds }, ..bounds(60, 1_000) };
    let e = explore_text(text, &steps);
    assert!(!e.exhausted && e.bounds_hit.count(Bound::Steps) > 0, "{:?}", e.bounds_hit);
}

#[test]
fn a_stub_without_a_body_returns_what_its_contract_allows() {
    let e = explore_text(
        "procedure Stub(x: bv64) returns (y: bv64); requires x != 9bv64; ensures ult(x, y); modifies M;
         procedure P(x: bv64) returns (y: bv64) modifies M; {
           var z: bv64;
           call y := Stub(x);
           call z := Stub(y);
           assert ult(x, z);
           if (M[x] == 1bv64 && z == add(x, 2bv64)) { y := 0bv64; }
         }",
        &unhurried(),
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    let requires = failures(&e).iter().filter(|g| g.covered_by.is_some()).count();
    assert_eq!(requires, 2, "both calls may break the precondition, the assertion holds: {:?}", e.goals);
    assert!(e.goals.iter().all(|g| matches!(g.kind, GoalKind::Failure(_)) || g.returned_by.is_some()));
}

/// What was havocked first is a truth value on one way and a number on the other: neither says anything of the other.
#[test]
fn havocs_at_one_position_may_be_of_several_sorts() {
    let program = read(
        "procedure fails() returns (b: bool);
         procedure given() returns (v: bv8);
         procedure P(x: bv8) returns (r: bv8)
         {
           var b: bool;
           var v: bv8;
           r := 0bv8;
           if (x == 3bv8) {
             call b := fails();
             if (b) { r := 1bv8; }
           } else {
             call v := given();
             assume v == 0bv8 || v == 9bv8;
             if (v == 9bv8) { r := 2bv8; }
           }
         }",
    );
    let root = program.procedure_named("P").expect("it is there");
    let found = explore(&program, root, 0, &unhurried(), &AtomicBool::new(false), &|_| {}).expect("no error");
    assert!(found.exhausted);
    assert!(found.goals.iter().all(|g| g.covered_by.is_some()), "{:?}", found.goals);
}

#[test]
fn strategies_change_nothing_that_is_found_in_the_end() {
    let text = "procedure P(a: bv64, b: bv64, n: bv64) returns (r: bv64) { var i: bv64;
           assume ult(n, 4bv64);
           i := 0bv64; r := a;
           while (ult(i, n)) { if (ult(r, b)) { r := add(r, 3bv64); } else { r := mul(r, 5bv64); } i := add(i, 1bv64); }
           goto X, Y;
           X: if (r == 77bv64) { r := 0bv64; }
              return;
           Y: assert r != 78bv64;
         }";
    let mut paths = None;
    for strategy in Strategy::ALL {
        let e = explore_text(text, &Options { strategy, keep: Keep::All, ..unhurried() });
        assert!(e.exhausted, "{}: {:?} {:?}", strategy.name(), e.notes, e.statistics);
        let found = (e.statistics.paths, e.goals.iter().filter(|g| g.covered_by.is_some()).count());
        assert_eq!(*paths.get_or_insert(found), found, "{}", strategy.name());
    }
}

// ---- tests ----

#[test]
fn inputs_of_tests_are_simple() {
    let e = explore_text(
        "procedure P(x: bv64, y: bv64, i: bv64, c: bv8) modifies B; {
           assert ult(x, 1000bv64) || B[i] != 65bv8;
           if (c != 0bv8) { assert y != 3bv64 || !ult(i, 7bv64); }
         }",
        &Options { random_runs: 100, seed: 7, ..unhurried() },
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    let failing: Vec<_> = e.tests.iter().filter(|t| t.class == TestClass::Failing).collect();
    let scalars = |n: usize| {
        let values = failing[n].script.entries.values();
        let mut scalars: Vec<String> =
            values.filter(|v| !matches!(v, Value::Map(_))).map(ToString::to_string).collect();
        scalars.sort_unstable();
        scalars
    };
    assert_eq!(failing.len(), 2, "{failing:?}");
    let mut found = [scalars(0), scalars(1)];
    found.sort_unstable_by_key(Vec::len);
    assert_eq!(found[0], ["0bv64", "1000bv64"], "x is just too large, i is plain");
    assert_eq!(found[1].iter().filter(|v| *v == "0bv64").count(), 2, "x and i are plain: {found:?}");
    assert!(found[1].contains(&"48bv8".to_owned()), "c is printable: {found:?}");
}

#[test]
fn a_check_that_fails_on_behalf_of_two_callers_fails_twice() {
    let e = explore_text(
        "procedure Q(x: bv8) { assert x != 9bv8; }
         procedure P(x: bv8, y: bv8) { call Q(x); call Q(y); call Q(x); }",
        &Options { goals_in: GoalScope::All, ..unhurried() },
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    let failing = e.tests.iter().filter(|t| t.class == TestClass::Failing).count();
    assert_eq!(failing, 2, "the third call fails only where the first one does");
}

#[test]
fn a_goal_is_covered_by_a_run_that_meets_the_preferences_if_there_is_one() {
    let text = "procedure P(x: bv8) returns (r: bv8) { var n: bv8;
        n := add8(x, 1bv8);
        assume {:tryfirst x != 0bv8} true;
        if (x == 0bv8) { havoc n; r := 1bv8; }
        if (n == 41bv8) { r := 2bv8; }
        if (n == 42bv8 && x == 0bv8) { r := 3bv8; }
     }";
    for seed in 0..10 {
        let e = explore_text(text, &Options { preferred: true, random_runs: 50, seed, ..unhurried() });
        assert!(e.exhausted && e.goals.iter().all(|g| g.covered_by.is_some()), "{:?}", e.statistics);
        // Only what is behind `x == 0` is left to tests that pass over the preference.
        let passed_over = |t: &ConcolicTest| t.script.entries.values().any(|v| v.to_string() == "0bv8");
        let (zero, others): (Vec<_>, Vec<_>) = e.tests.iter().partition(|t| passed_over(t));
        let both =
            zero.iter().flat_map(|t| &t.covers).filter(|g| others.iter().any(|o| o.covers.contains(g)));
        assert_eq!(both.count(), 0, "{zero:?} {others:?}");
        assert!(others.iter().flat_map(|t| &t.covers).count() > zero.iter().flat_map(|t| &t.covers).count());
    }
}

// ---- sessions ----

/// What does not depend on how often an exploration was broken off.
fn essence(e: &Exploration) -> (bool, u64, Vec<(bool, bool)>) {
    let goals = e.goals.iter().map(|g| (g.covered_by.is_some(), g.returned_by.is_some()));
    (e.exhausted, e.statistics.paths, goals.collect())
}

#[test]
fn an_exploration_goes_on_where_it_was_killed() {
    let text =
        "procedure P(x: bv64, y: bv64, b: bool) returns (r: bv64) modifies M; { var i: bv64; var h: bv64;
           assume {:tryfirst y == 9bv64} true;
           assume ult(x, 4bv64);
           i := 0bv64;
           while (ult(i, x)) { havoc h; if (h == M[i]) { r := add(r, 3bv64); } i := add(i, 1bv64); }
           if (mul(y, y) == 3bv64) { r := 5bv64; }
           goto A, B;
           A: assert r != 9bv64 || b;
              return;
           B: if (M[y] == 77bv64) { r := 0bv64; }
         }";
    let folder = std::env::temp_dir().join(format!("footpath-session-{}", std::process::id()));
    let session = |resume| Some(SessionOptions { folder: folder.clone(), resume });
    let options = |resume| Options { session: session(resume), random_runs: 5, ..unhurried() };
    let whole = explore_text(text, &options(false));
    assert!(whole.exhausted && whole.statistics.unsat > 0, "{:?}", whole.statistics);
    let log = std::fs::read_dir(&folder).expect("a folder").next().expect("a log").expect("a log").path();
    let kept = std::fs::read(&log).expect("the log");

    let again = explore_text(text, &options(true));
    assert_eq!(essence(&again), essence(&whole));
    assert_eq!((again.statistics.queries, again.statistics.resumed_proofs > 0), (0, true));
    assert_eq!(std::fs::read(&log).expect("the log"), kept, "nothing is written twice");

    for part in 0..8 {
        std::fs::write(&log, &kept[..kept.len() * part / 8]).expect("a part of the log");
        let resumed = explore_text(text, &options(true));
        assert_eq!(essence(&resumed), essence(&whole), "part {part}");
        let third = explore_text(text, &options(true));
        assert_eq!((essence(&third), third.statistics.queries), (essence(&whole), 0), "part {part}");
    }

    let root = "procedure P(x: bv64) { assert x != 3bv64; }";
    let other = read(&format!("{BUILTINS}{root}"));
    let procedure = other.procedure_named("P").expect("P");
    let refused = explore(&other, procedure, 0, &options(true), &AtomicBool::new(false), &|_| ());
    assert!(refused.expect_err("another program").to_string().contains("another program"));
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn floating_point_is_asked_about_as_other_arithmetic_is() {
    let text = r#"
        function {:builtin "fp.lt"} flt(float24e8, float24e8) returns (bool);
        function {:builtin "fp.eq"} feq(float24e8, float24e8) returns (bool);
        function {:builtin "fp.add RNE"} fadd(float24e8, float24e8) returns (float24e8);
        procedure P(x: float24e8, y: float24e8, n: bv64) returns (r: bv64) {
           r := 0bv64;
           if (flt(x, y)) { r := 1bv64; }
           if (ult(n, 4bv64)) { r := 2bv64; }
           if (feq(fadd(x, x), y) && flt(x, y)) { r := 3bv64; }
           if (flt(x, y) && flt(y, x)) { r := 4bv64; }
        }"#;
    let folder = std::env::temp_dir().join(format!("footpath-floats-{}", std::process::id()));
    let session = |resume| Some(SessionOptions { folder: folder.clone(), resume });
    let options = |resume| Options { session: session(resume), ..unhurried() };
    let whole = explore_text(text, &options(false));
    // Runs that rest on what nobody determines are not kept.
    assert_eq!((whole.exhausted, &whole.notes[..]), (true, &[][..]));
    let open: Vec<&Goal> = whole.goals.iter().filter(|g| g.covered_by.is_none()).collect();
    assert!(!open.is_empty() && open.iter().all(|g| !g.visited), "{open:?}");
    let again = explore_text(text, &options(true));
    assert_eq!((essence(&again), again.statistics.queries), (essence(&whole), 0));
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

// ---- annotations ----

const PREFERS: &str = "procedure P(x: bv8, y: bv8) returns (r: bv8) {
       r := 0bv8;
       assume {:tryfirst x == 7bv8} true;
       if (y == 3bv8) { r := 1bv8; }
       if (x == 9bv8) { r := 2bv8; }
     }";

#[test]
fn a_run_that_decides_more_than_is_recorded_has_no_conditions() {
    let text = "procedure P(n: int) {
       var i: int;
       i := 0;
       while (i < n) { i := i + 1; }
       assert i < 20;
     }";
    let mut options = Options { keep: Keep::All, random_runs: 0, ..unhurried() };
    options.bounds.branches = 5;
    let e = explore_text(text, &options);
    assert!(!e.exhausted && e.bounds_hit.count(Bound::Branches) > 0);
    let decided = |n: i64| if n < 5 { Some(n.max(0) as usize + 1) } else { None };
    let mut whole = 0;
    for test in &e.tests {
        let Some(Value::Int(n)) = test.script.entries.values().next() else { panic!("one input") };
        let n = i64::try_from(n).expect("a small number");
        let found = test.conditions.as_ref().map(Vec::len);
        // The check decides as well, where the loop has ended.
        assert_eq!(found.is_some(), decided(n).is_some_and(|d| d <= 5), "{n}: {found:?}");
        whole += usize::from(found.is_some());
    }
    assert!(whole >= 3 && whole < e.tests.len(), "{whole} of {}", e.tests.len());
}

#[test]
fn a_preference_changes_the_order_and_nothing_else() {
    let seven = Value::bit_vec(8, &7u32.into());
    for strategy in Strategy::ALL {
        let options = Options { strategy, keep: Keep::All, random_runs: 0, ..unhurried() };
        let e = explore_text(PREFERS, &options);
        assert!(e.exhausted, "{}: {:?} {:?}", strategy.name(), e.notes, e.statistics);
        let found = Classes { successful: 4, interrupted: 1, duplicate: 2, ..Classes::default() };
        assert_eq!((e.statistics.paths, e.statistics.classes), (4, found), "{}", strategy.name());
        let meets = e.tests.iter().map(|t| t.script.entries.values().any(|v| *v == seven));
        assert_eq!(
            meets.collect::<Vec<_>>(),
            [true, true, false, false, false, false],
            "{}",
            strategy.name()
        );
    }
}

#[test]
fn without_interrupts_left_a_preference_has_no_effect() {
    let mut options = Options { keep: Keep::All, random_runs: 0, ..unhurried() };
    options.bounds.interrupts = 0;
    let e = explore_text(PREFERS, &options);
    assert!(e.exhausted && e.bounds_hit.count(Bound::Interrupts) > 0);
    let found = Classes { successful: 4, ..Classes::default() };
    assert_eq!((e.statistics.paths, e.statistics.classes), (4, found));
}

#[test]
fn interrupted_runs_do_not_count_as_runs() {
    let mut options = Options { keep: Keep::All, random_runs: 0, ..unhurried() };
    options.bounds.runs = 1;
    let e = explore_text(PREFERS, &options);
    let found = e.statistics.classes;
    assert_eq!(
        (found.interrupted, found.successful, e.bounds_hit.count(Bound::Runs)),
        (1, 1, 1),
        "{found:?}"
    );
}

#[test]
fn a_guided_search_goes_where_more_is_unverified_and_ends_as_others_do() {
    let text = "procedure P(x: bv8, y: bv8) returns (r: bv8) {
           r := 0bv8;
           assert {:verified true} r == 0bv8;
           assert y != 77bv8;
           if (x == 1bv8) { r := 1bv8; return; }
           assert y != 78bv8;
           if (x == 2bv8) { r := 2bv8; return; }
           assert y != 79bv8;
         }";
    for strategy in Strategy::ALL {
        let plain = Options { strategy, keep: Keep::All, random_runs: 0, ..unhurried() };
        let guided = Options { unverified_first: true, prunes: true, ..plain.clone() };
        let (plain, guided) = (explore_text(text, &plain), explore_text(text, &guided));
        assert!(plain.exhausted && guided.exhausted, "{}: {:?}", strategy.name(), guided.notes);
        assert_eq!(essence(&plain), essence(&guided), "{}", strategy.name());
        assert_eq!(guided.statistics.classes, Classes { failing: 3, successful: 3, ..Classes::default() });
        // The first run goes to the end. Two checks lie behind its first branch, so the way not taken there comes next.
        let one = Value::bit_vec(8, &1u32.into());
        let second = &guided.tests[1];
        assert!(second.class == TestClass::Successful, "{}: {second:?}", strategy.name());
        assert!(second.script.entries.values().any(|v| *v == one), "{}: {second:?}", strategy.name());
    }
}

#[test]
fn runs_on_which_everything_is_proved_are_redundant() {
    let e = explore_text(
        "procedure P(x: bv64) returns (r: bv64) {
           var {:assumption} small: bool;
           small := small && ult(x, 100bv64);
           r := add(x, 1bv64);
           assert {:verified small} ult(x, r);
           if (ult(x, 10bv64)) { r := 0bv64; }
           assert {:verified small || r == 0bv64} r != 77bv64;
         }",
        &Options { keep: Keep::All, ..unhurried() },
    );
    assert!(e.exhausted, "{:?} {:?}", e.notes, e.statistics);
    // Numbers below ten go one way, most larger ones another, on which the run shows one that is not small; the
    // largest one wraps around and fails.
    let found = e.statistics.classes;
    assert_eq!((found.redundant, found.successful, found.failing), (1, 1, 1), "{found:?}");
    assert_eq!(failures(&e).iter().map(|g| g.covered_by.is_some()).collect::<Vec<_>>(), [true, false]);
}

// ---- against the covers ----

#[test]
fn the_paths_of_a_program_without_loops_are_those_of_the_path_cover() {
    for seed in seeds(25) {
        let text = Writer::program(seed, false);
        let program = read(&text);
        let procedure = program.procedure_named("P").expect("P");
        let options = CoverOptions {
            criterion: Criterion::Path,
            algorithm: Algorithm::Auto,
            jobs: 1,
            explain: false,
            ..CoverOptions::default()
        };
        let covers =
            cover(&program, &[procedure], &options, &AtomicBool::new(false), &|_| ()).expect("a cover");
        let e = run(&program, "P", &unhurried());
        assert!(e.exhausted, "seed {seed}\n{text}");
        for objective in &covers[0].objectives {
            let Some(goal) = e.goals.iter().find(|g| g.origin == objective.origin) else {
                panic!("seed {seed}: no goal {}\n{text}", objective.name);
            };
            let found = match goal.kind {
                GoalKind::Failure(_) => goal.covered_by,
                _ => goal.returned_by,
            };
            let covered = objective.verdict.name() == "covered";
            assert_eq!(
                found.is_some(),
                covered,
                "seed {seed}: {} is {:?}\n{text}",
                goal.name,
                objective.verdict
            );
        }
    }
}

#[test]
fn procedures_that_share_what_is_prepared_are_explored_as_each_alone() {
    let mut programs: Vec<Program> = (0..6).map(|seed| read(&Writer::program(seed, seed % 2 == 0))).collect();
    // Calls, a contract, a postcondition, a recursive call, literals and general terms on both sides of a call.
    programs.push(read(
        "var g: int;
        procedure Leaf(x: bv8) returns (y: bv8); modifies g; ensures y != 3bv8;
        procedure Middle(x: bv8, n: int) returns (y: bv8) modifies g; requires n >= 0; ensures g >= 0; {
            g := n;
            if (x == 3bv8 || n > 3) { y := 7bv8; return; }
            if (n == 2) { call y := Middle(x, n + 1); } else { call y := Leaf(x); g := n; }
            if (y == 7bv8) { g := g + 1; }
        }
        procedure Root(x: bv8, n: int) modifies g; {
            var y: bv8;
            call y := Middle(x, n);
            if (y == 9bv8) { call y := Middle(y, n + 1); }
            assert g != 4;
        }",
    ));
    let stop = AtomicBool::new(false);
    let mut tests = 0;
    for program in &programs {
        let prepared = Prepared::new(program);
        let all = program.ids();
        let with_body = all.filter(|p| !program[*p].bodies.is_empty());
        for root in with_body {
            let options = Options { goals_in: GoalScope::All, ..unhurried() };
            let bounds = Bounds { steps: 2_000, runs: 100, ..options.bounds.clone() };
            let options = Options { bounds, ..options };
            let see = |prepared| {
                let helpers = Helpers { prepared, ..Helpers::default() };
                let found = explore_helped(program, (root, 0), &options, helpers, &stop, &|_| ());
                let found = found.unwrap_or_else(|e| panic!("{e}"));
                let goals: Vec<_> = found.goals.iter().map(|g| (g.origin, g.covered_by, g.visited)).collect();
                let tests: Vec<_> = found.tests.into_iter().map(|t| (t.script, t.outcome, t.steps)).collect();
                (found.exhausted, goals, tests)
            };
            let (own, shared) = (see(None), see(Some(&prepared)));
            assert_eq!(own, shared, "{}", program[root].name);
            tests += own.2.len();
        }
    }
    assert!(tests > 20, "{tests} tests");
}
