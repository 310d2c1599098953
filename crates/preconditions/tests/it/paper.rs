//! The examples of the paper, to the letter and to the path.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use super::common::read;
use footpath_preconditions::{Analysis, Classes, Exactness, Options, Partition, TestEnd, analyse};
use footpath_simplify::{Effort, Plain, print};

fn run(text: &str, options: &Options) -> Analysis {
    let program = read(text);
    let procedure = program.procedure_named("f").expect("a procedure f");
    analyse(&program, procedure, 0, options, Classes::PLAIN, &AtomicBool::new(false)).expect("a condition")
}

fn shown(analysis: &Analysis) -> String {
    print(&analysis.terms, &analysis.condition, &Plain)
}

/// Example 1 with any number of operations.
fn operations(count: usize) -> String {
    let mut text = "procedure f(".to_owned();
    for i in 1..=count {
        let _ = write!(text, "op{i}: bool, ");
    }
    text.push_str("failure: bool)\n{\n  var n: int;\n");
    for i in 1..=count {
        let _ = writeln!(text, "  if (op{i}) {{ n := {i}; }}");
    }
    text.push_str("  assert !failure;\n}\n");
    text
}

const EXAMPLE_2: &str = "procedure f(i: int, j: int) {
  var k: int;
  k := 0;
  while (k < i) {
    if (i == j) { assert false; }
    k := k + 1;
  }
}";

#[test]
fn example_1_fails_if_failure_after_12_paths_instead_of_16() {
    let cut = run(&operations(3), &Options::default());
    assert_eq!((shown(&cut).as_str(), cut.paths(), &cut.exactness), ("failure", 12, &Exactness::Exact));
    let whole = run(&operations(3), &Options { partition: Partition::None, ..Options::default() });
    assert_eq!((shown(&whole).as_str(), whole.paths(), &whole.exactness), ("failure", 16, &Exactness::Exact));
}

#[test]
fn branches_one_after_the_other_cost_four_paths_each() {
    let cut = run(&operations(10), &Options::default());
    assert_eq!((shown(&cut).as_str(), cut.paths()), ("failure", 40));
}

#[test]
fn without_a_simplifier_segments_cost_more_than_whole_paths() {
    for n in 1..=4 {
        let cut = run(&operations(n), &Options { effort: Effort::None, ..Options::default() });
        assert_eq!(cut.paths(), (1 << (n + 2)) - 4, "{n} branches");
    }
}

#[test]
fn example_2_has_its_fixpoint_after_10_paths() {
    let found = run(EXAMPLE_2, &Options::default());
    assert_eq!(shown(&found), "i >= 1 && i == j");
    assert_eq!((found.paths(), &found.exactness), (10, &Exactness::Exact));
    let paths: Vec<u64> = found.rounds.iter().map(|r| r.paths).collect();
    assert_eq!(paths, [3, 4, 3]);
    assert!(found.loops[0].fixpoint);
    assert!(matches!(found.tests[0].end, TestEnd::Fails { .. }));
    assert_eq!(found.tests[1].end, TestEnd::Passes);
}

#[test]
fn figure_1_costs_32_paths_in_two_segments_instead_of_128() {
    let two = run(&operations(6), &Options { partition: Partition::Branches(3), ..Options::default() });
    assert_eq!((shown(&two).as_str(), two.paths()), ("failure", 32));
    let one = run(&operations(6), &Options { partition: Partition::None, ..Options::default() });
    assert_eq!((shown(&one).as_str(), one.paths()), ("failure", 128));
}

#[test]
fn a_loop_over_an_array_has_a_closed_form() {
    let text = "procedure f(n: int, len: int)
      requires len >= 0;
    {
      var i: int;
      i := 0;
      while (i < n) {
        assert 0 <= i && i < len;
        i := i + 1;
      }
    }";
    let found = run(text, &Options::default());
    assert_eq!((shown(&found).as_str(), &found.exactness), ("len < n", &Exactness::Exact));
    assert!(found.loops[0].closed);
    let bounded = run(text, &Options { closed_forms: false, ..Options::default() });
    assert!(matches!(bounded.exactness, Exactness::Bounded(12, _)), "{:?}", bounded.exactness);
}

#[test]
fn a_family_that_does_not_go_on_is_no_closed_form() {
    // The first rounds look alike, but the loop ends at 6.
    let text = "procedure f(n: int)
    {
      var i: int;
      i := 0;
      while (i < 6) {
        assert n != i;
        i := i + 1;
      }
    }";
    let found = run(text, &Options::default());
    assert_eq!((shown(&found).as_str(), &found.exactness), ("0 <= n && n <= 5", &Exactness::Exact));
}

#[test]
fn what_is_proved_of_all_runs_is_not_explored_from_states_that_no_run_is_in() {
    let text = "procedure f(n: int, h: int)
    {
      var i: int, s: int, p: int;
      i, s, p := 0, 0, 5;
      while (i < n) {
        assert p == 5 || s != h;
        assert i <= n;
        s := s + i;
        p := 10 - p;
        i := i + 1;
      }
      assert p != n;
    }";
    let found = run(text, &Options::default());
    assert_eq!((shown(&found).as_str(), &found.exactness), ("n == 5", &Exactness::Exact));
    let alone = run(text, &Options { contexts: false, ..Options::default() });
    assert_eq!((shown(&alone).as_str(), &alone.exactness), ("n == 5", &Exactness::Exact));
}

#[test]
fn without_a_fixpoint_something_must_hold_for_a_failure() {
    let text = "procedure f(n: int, h: int, b: bool)
    {
      var i: int, s: int;
      i, s := 0, 1;
      while (i < n) {
        assert b || s != h;
        s := s * h + i;
        i := i + 1;
      }
    }";
    // By the second round at the latest; the loop summaries say so, though the conditions of rounds never end.
    let found = run(text, &Options { rounds: 3, ..Options::default() });
    assert_eq!(found.exactness, Exactness::Exact, "{}", shown(&found));
    let later = text.replace("s != h;", "s != 1000;");
    let found = run(&later, &Options { rounds: 3, ..Options::default() });
    assert!(matches!(found.exactness, Exactness::Bounded(3, _)), "{:?}", found.exactness);
    let must = found.necessary.as_ref().expect("a necessary condition");
    let must = print(&found.terms, must, &Plain);
    assert!(must.starts_with("!b && "), "{must}");
}

#[test]
fn calls_and_recursion_are_followed_up_to_the_bound() {
    let text = "procedure down(n: int) returns (r: int)
    {
      if (n <= 0) { r := 0; } else { call r := down(n - 1); r := r + 1; }
    }
    procedure f(n: int)
    {
      var r: int;
      call r := down(n);
      assert r != 1;
    }";
    let found = run(text, &Options::default());
    assert_eq!(shown(&found), "n == 1");
    assert!(matches!(found.exactness, Exactness::Bounded(2, _)), "{:?}", found.exactness);
}

#[test]
fn values_from_nowhere_are_no_part_of_the_condition() {
    let text = "procedure f(n: int)
    {
      var h: int, other: int;
      havoc h;
      if (n < h && h < 10 && other == 3 * n) { assert false; }
    }";
    let found = run(text, &Options::default());
    assert_eq!((shown(&found).as_str(), &found.exactness), ("n <= 8", &Exactness::Exact));
}
