//! Merging, subsumption and guides: fewer paths, the same verdicts.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::common::read;
use footpath_concolic::{
    Bounds, Exploration, Guidance, Guide, Keep, Options, Strategy, explore, explore_guided,
};
use footpath_ir::interp::Script;
use footpath_ir::{Origin, Program};
use footpath_term::{Op, Terms, Value};

fn options() -> Options {
    Options {
        strategy: Strategy::Dfs,
        random_runs: 0,
        stop_when_covered: false,
        bounds: Bounds { time: None, query: None, runs: 5_000, ..Bounds::default() },
        ..Options::default()
    }
}

fn run(program: &Program, options: &Options) -> Exploration {
    let root = program.procedure_named("P").expect("P");
    let found = explore(program, root, 0, options, &AtomicBool::new(false), &|_| ());
    found.unwrap_or_else(|e| panic!("{e}"))
}

fn verdicts(e: &Exploration) -> Vec<(bool, bool)> {
    e.goals.iter().map(|g| (g.covered_by.is_some(), g.returned_by.is_some())).collect()
}

/// Ten branches in a row, each of which adds to a word, and checks of the sum.
fn diamonds() -> Program {
    let mut text = String::from(
        "function {:bvbuiltin \"bvadd\"} add(bv16, bv16): bv16;
         function {:bvbuiltin \"bvand\"} and(bv16, bv16): bv16;
         procedure P(x: bv16) returns (s: bv16) {
           s := 0bv16;",
    );
    for i in 0..10 {
        let bit = 1 << i;
        text.push_str(&format!(" if (and(x, {bit}bv16) != 0bv16) {{ s := add(s, {}bv16); }}", 3 * i + 1));
    }
    text.push_str(" assert s != 145bv16; assert s != 143bv16; }");
    read(&text)
}

#[test]
fn merged_diamonds_are_one_path_and_nothing_else_changes() {
    let program = diamonds();
    let apart = run(&program, &options());
    let merged = run(&program, &Options { merge: true, ..options() });
    assert!(apart.exhausted && merged.exhausted, "{:?} {:?}", apart.notes, merged.notes);
    assert_eq!(verdicts(&apart), verdicts(&merged));
    // 145 is the sum of all, 143 is none: one of the checks can fail.
    assert_eq!(merged.goals.iter().filter(|g| g.covered_by.is_none()).count(), 1);
    let (many, few) = (apart.statistics.runs, merged.statistics.runs);
    assert!(many >= 1024 && few < 50, "{many} {few}");
}

#[test]
fn what_cannot_add_anything_is_left_out() {
    let program = read(
        "procedure P(a: [int]int, n: int) returns (k: int) {
           var i: int;
           i := 0; k := 0;
           assert n != 77;
           while (i < 8) { if (a[i] > 10) { k := k + 1; } i := i + 1; }
         }",
    );
    let all = run(&program, &options());
    let fewer = run(&program, &Options { subsume: true, ..options() });
    assert!(all.exhausted && fewer.exhausted);
    assert_eq!(verdicts(&all), verdicts(&fewer));
    assert_eq!(all.statistics.paths, 1 + 256);
    assert!(fewer.statistics.runs < 10 && fewer.statistics.subsumed > 0, "{:?}", fewer.statistics);
}

#[test]
fn neither_merging_nor_subsumption_loses_a_path_where_all_are_kept() {
    let program = diamonds();
    let kept = Options { keep: Keep::All, merge: true, subsume: true, ..options() };
    let e = run(&program, &kept);
    assert_eq!((e.exhausted, e.statistics.paths, e.tests.len()), (true, 1024, 1024));
}

/// A place behind a loop that few ways round lead to; `{}` is what has to hold of the rounds.
fn behind_a_loop(wanted: &str) -> Program {
    read(&format!(
        "procedure P(a: [int]int, n: int) {{
           var i, k: int;
           i := 0; k := 0;
           while (i < n && i < 14) {{ if (a[i] == i * i) {{ k := k + 1; }} i := i + 1; }}
           if ({wanted}) {{ k := -1; }}
         }}"
    ))
}

/// Says one thing of the last place of the procedure, which is the one in question.
struct Says(fn(&Program, Origin) -> Guidance, Program);

impl Guide for Says {
    fn guide(&self, place: Origin, _: Duration, _: &AtomicBool) -> Guidance {
        self.0(&self.1, place)
    }
}

fn guided(program: &Program, says: fn(&Program, Origin) -> Guidance) -> Exploration {
    let root = program.procedure_named("P").expect("P");
    let strategy = Strategy::Bfs;
    let bounds = Bounds { runs: 300, ..options().bounds };
    let options = Options { strategy, bounds, guide_after: 5, stop_when_covered: true, ..options() };
    let guide = Says(says, program.clone());
    let found = explore_guided(program, root, 0, &options, Some(&guide), &AtomicBool::new(false), &|_| ());
    found.unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn what_a_guide_rules_out_is_not_looked_for() {
    let e = guided(&behind_a_loop("k == 20"), |_, _| Guidance::Unreachable);
    assert_eq!((e.statistics.ruled_out, e.exhausted), (1, false));
    assert!(e.goals.iter().all(|g| g.ruled_out != g.covered_by.is_some()));
    assert!(e.statistics.runs < 100, "{:?}", e.statistics);
}

#[test]
fn inputs_that_a_guide_proposes_are_run() {
    let e = guided(&behind_a_loop("k == 13"), |program, _| {
        let mut script = Script::default();
        let mut terms = Terms::layer(program.terms.clone());
        let body = &program.procedures[0].bodies[0];
        let (a, n) = (body.params[0].symbol, body.params[1].symbol);
        let sort = terms.symbol(a).sort;
        let mut squares = footpath_term::MapValue::constant(sort, Value::Int((-1).into()));
        (0..13).for_each(|i: i64| squares.set(vec![Value::Int(i.into())], Value::Int((i * i).into())));
        script.entries.insert((0, a), Value::Map(squares.into()));
        script.entries.insert((0, n), Value::Int(14.into()));
        terms.bool(true);
        Guidance::Inputs(Box::new(script))
    });
    assert_eq!(e.statistics.proposed, 1);
    assert!(e.goals.iter().all(|g| g.covered_by.is_some()), "{:?}", e.statistics);
}

#[test]
fn arms_that_contradict_what_is_necessary_are_left_out() {
    // `k == 14` needs the first 14 elements to be squares; 3 of them are enough to leave most arms out.
    let e = guided(&behind_a_loop("k == 14"), |program, _| {
        let mut terms = Terms::layer(program.terms.clone());
        let body = &program.procedures[0].bodies[0];
        let a = terms.var(body.params[0].symbol);
        let squares = (0..3).map(|i: i64| {
            let (index, square) = (terms.int(i), terms.int(i * i));
            let read = terms.app(Op::Select, [a, index]);
            terms.app(Op::Eq, [read, square])
        });
        let squares: Vec<_> = squares.collect();
        let condition = terms.app(Op::And, squares);
        Guidance::Necessary(Box::new(terms), condition)
    });
    assert!(e.statistics.pruned > 0, "{:?}", e.statistics);
    assert!(!e.exhausted || e.goals.iter().all(|g| g.covered_by.is_some()));
}
