//! The example of RVC (Christ, Hoenicke, Schäf, 2012), Section 6, and what the paper says of it.

use std::sync::atomic::AtomicBool;

use super::common::read;
use footpath_cover::{CoverOptions, ProcedureCover, Verdict, cover_with};
use footpath_ir::Program;
use footpath_summaries::{Mode, Options, Summaries};
use footpath_term::Value;

/// The paper's procedures, and a caller with a constant that no pair has.
const FOO: &str = "procedure foo(a: int, b: int) returns (c: int)
{
  l1: goto l2, l3;
  l2: assume b > 0; c := a + 1; goto l4;
  l3: assume b <= 0; c := a - 1; goto l4;
  l4: return;
}
procedure bar(x: int) returns (z: int)
{
  call z := foo(x, 1);
}
procedure baz(x: int) returns (z: int)
{
  call z := foo(x, 77);
  if (z == 1000) { found: assert true; }
  if (z == x) { never: assert true; }
}
";

fn cover_of(program: &Program, summaries: &Summaries<'_>, name: &str) -> ProcedureCover {
    let procedure = program.procedure_named(name).expect("it is there");
    let options = CoverOptions { random_runs: 0, jobs: 1, ..CoverOptions::default() };
    let stop = AtomicBool::new(false);
    let covers = cover_with(program, &[procedure], &options, Some(summaries), &stop, &|_| ());
    covers.expect("a cover").remove(0)
}

fn verdict_at<'c>(cover: &'c ProcedureCover, name: &str) -> &'c Verdict {
    &cover.objectives.iter().find(|o| o.name == name).expect("an objective of this name").verdict
}

#[test]
fn the_summary_of_foo_has_one_pair_for_each_of_its_paths() {
    let program = read(FOO);
    let stop = AtomicBool::new(false);
    let summaries = Summaries::new(&program, Mode::Concrete, Options::default(), &stop).expect("a solver");
    let foo = program.procedure_named("foo").expect("it is there");
    let pairs = summaries.pairs(foo);
    assert_eq!(pairs.len(), 2, "{pairs:?}");
    let int = |value: &Value| value.as_int().cloned().expect("an integer");
    let (mut positive, mut other) = (0, 0);
    for pair in &pairs {
        let (a, b, c) = (int(&pair.inputs["a"]), int(&pair.inputs["b"]), int(&pair.outputs["c"]));
        assert_eq!(pair.inputs.len(), 2);
        assert_eq!(pair.outputs.len(), 1);
        if b > 0.into() {
            positive += 1;
            assert_eq!(c, a + 1);
        } else {
            other += 1;
            assert_eq!(c, a - 1);
        }
    }
    assert_eq!((positive, other), (1, 1));
}

#[test]
fn callers_are_covered_through_pairs_also_where_the_constants_do_not_match() {
    let program = read(FOO);
    let stop = AtomicBool::new(false);
    for mode in [Mode::Concrete, Mode::Symbolic] {
        let summaries = Summaries::new(&program, mode, Options::default(), &stop).expect("a solver");
        let bar = cover_of(&program, &summaries, "bar");
        assert!(bar.objectives.iter().all(|o| o.verdict == Verdict::Covered), "{:?}", bar.objectives);
        let baz = cover_of(&program, &summaries, "baz");
        assert_eq!(verdict_at(&baz, "found"), &Verdict::Covered, "{mode:?}");
        assert_eq!(verdict_at(&baz, "never"), &Verdict::Unreachable, "{mode:?}");
        let counts = baz.statistics.summaries.expect("callees were summarised");
        assert_eq!((counts.computed, counts.reused), (0, 1), "{mode:?}");
        if mode == Mode::Concrete {
            assert!(counts.refined > 0);
        }
    }
}

#[test]
fn what_does_not_depend_on_a_callee_needs_no_more_of_it() {
    // The callee has 2^20 paths; none of them matters.
    let mut text = "procedure many(x: bv32) returns (r: int)\n{\n  r := 0;\n".to_owned();
    for bit in 0..20 {
        text += &format!("  if (x[{}:{bit}] == 1bv1) {{ r := r + {}; }}\n", bit + 1, 1 << bit);
    }
    text += "}\nprocedure main(x: bv32, y: int) returns (z: int)\n{\n  call z := many(x);\n\
             if (y > 0) { if (y < 0) { never: assert true; } else { always: assert true; } }\n\
             if (z == 0) { zero: assert true; }\n}\n";
    let program = read(&text);
    let stop = AtomicBool::new(false);
    let summaries = Summaries::new(&program, Mode::Symbolic, Options::default(), &stop).expect("a solver");
    let main = cover_of(&program, &summaries, "main");
    assert_eq!(verdict_at(&main, "never"), &Verdict::Unreachable);
    assert_eq!(verdict_at(&main, "always"), &Verdict::Covered);
    assert_eq!(verdict_at(&main, "zero"), &Verdict::Covered);
    let (leaves, _) = summaries.sizes();
    assert!(leaves < 100, "{leaves} paths were looked at");
}

/// Each procedure calls the next one twice: inlined, the last one has 2ⁿ copies.
fn dag(depth: u32) -> Program {
    let mut text = "procedure f0(x: int, y: int) returns (r: int)\n\
                    { if (x > 0) { r := x + 1; } else { r := x - 1; } }\n"
        .to_owned();
    for i in 1..=depth {
        let below = i - 1;
        text += &format!(
            "procedure f{i}(x: int, y: int) returns (r: int)\n{{\n  call r := f{below}(x, y);\n  \
             call r := f{below}(r, y);\n  if (y == {i}) {{ r := 0; }}\n}}\n"
        );
    }
    text += &format!(
        "procedure main(x: int, y: int) returns (r: int)\n{{\n  call r := f{depth}(x, y);\n  \
         if (x > 0 && y < 0 && r < x) {{ never: assert true; }}\n  if (r > 100) {{ large: assert true; }}\n}}\n"
    );
    read(&text)
}

#[test]
fn the_work_for_a_dag_of_calls_does_not_double_with_each_level() {
    let mut queries = Vec::new();
    for depth in [8, 16] {
        let program = dag(depth);
        let stop = AtomicBool::new(false);
        let summaries =
            Summaries::new(&program, Mode::Symbolic, Options::default(), &stop).expect("a solver");
        let main = cover_of(&program, &summaries, "main");
        assert_eq!(verdict_at(&main, "never"), &Verdict::Unreachable, "depth {depth}");
        assert_eq!(verdict_at(&main, "large"), &Verdict::Covered, "depth {depth}");
        queries.push(summaries.solver_statistics().queries + main.statistics.queries);
    }
    assert!(queries[1] < 8 * queries[0], "{queries:?} questions");
}

/// Each procedure calls the next one once, and has a decision of its own.
fn chain(depth: u32) -> Program {
    let mut text = "var g: int;\nprocedure f0(x: int, y: int) returns (r: int) modifies g;\n\
                    { if (x > 0) { r := x + 1; } else { r := x - 1; } }\n"
        .to_owned();
    for i in 1..=depth {
        text += &format!(
            "procedure f{i}(x: int, y: int) returns (r: int) modifies g;\n{{\n  call r := f{}(x, y);\n  \
             if (y > {i}) {{ g := g + 1; }}\n}}\n",
            i - 1
        );
    }
    text += &format!(
        "procedure main(x: int, y: int) returns (r: int) modifies g;\n{{\n  call r := f{depth}(x, y);\n  \
         if (x > 0 && r < x) {{ never: assert true; }}\n  if (y > 1 && g > old(g)) {{ maybe: assert true; }}\n}}\n"
    );
    read(&text)
}

#[test]
fn the_work_for_a_chain_of_calls_grows_with_its_length() {
    let mut work = Vec::new();
    for depth in [8, 16, 32] {
        let program = chain(depth);
        let stop = AtomicBool::new(false);
        let summaries =
            Summaries::new(&program, Mode::Symbolic, Options::default(), &stop).expect("a solver");
        let main = cover_of(&program, &summaries, "main");
        assert_eq!(verdict_at(&main, "never"), &Verdict::Unreachable, "depth {depth}");
        assert_eq!(verdict_at(&main, "maybe"), &Verdict::Covered, "depth {depth}");
        work.push((summaries.solver_statistics().queries + main.statistics.queries, summaries.sizes().0));
    }
    let [(first, _), _, (last, paths)] = work[..] else { panic!("three depths") };
    assert!(last <= 5 * first, "{work:?} questions and paths");
    assert!(paths <= 2 * 33, "{work:?} questions and paths");
}

/// Each procedure calls the next one twice, 128 calls of one that multiplies; the caller asks about one input.
fn multiplying(depth: u32) -> Program {
    let mut text = "procedure f0(x: int) returns (y: int)\n{ y := (x * x + 3 * x) mod 1009; \
                    if (y > 500) { y := y - 1; } else { y := y + 1; } }\n"
        .to_owned();
    for i in 1..=depth {
        let below = i - 1;
        text += &format!(
            "procedure f{i}(x: int) returns (y: int)\n{{ call y := f{below}(x); call y := f{below}(y); \
             if (y > {i}) {{ y := y - 1; }} else {{ y := y + 1; }} }}\n"
        );
    }
    let value = doubled(depth, 3);
    text += &format!(
        "procedure main(x: int) returns (y: int)\n{{\n  call y := f{depth}(3);\n  \
         if (y == {value}) {{ always: assert true; }} else {{ never: assert true; }}\n}}\n"
    );
    read(&text)
}

/// What `f` of a depth gives, computed here.
fn doubled(depth: u32, x: i64) -> i64 {
    if depth == 0 {
        let y = (x * x + 3 * x).rem_euclid(1009);
        return if y > 500 { y - 1 } else { y + 1 };
    }
    let y = doubled(depth - 1, doubled(depth - 1, x));
    if y > i64::from(depth) { y - 1 } else { y + 1 }
}

#[test]
fn the_portfolio_decides_by_runs_of_a_callee_what_its_paths_cannot() {
    let program = multiplying(7);
    let stop = AtomicBool::new(false);
    let summaries = Summaries::new(&program, Mode::Auto, Options::default(), &stop).expect("a solver");
    let main = cover_of(&program, &summaries, "main");
    assert_eq!(verdict_at(&main, "always"), &Verdict::Covered);
    assert_eq!(verdict_at(&main, "never"), &Verdict::Unreachable);
    // Nothing was explored, so no path is known.
    assert_eq!(summaries.sizes().0, 0);
}
