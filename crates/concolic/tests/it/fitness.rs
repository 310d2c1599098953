//! Branches that are settled by how far runs are from them, without a question to the solver.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::common::read;
use footpath_concolic::{Bounds, Exploration, GoalKind, Options, Strategy, explore};

const BUILTINS: &str = r#"
function {:bvbuiltin "bvadd"} add(bv32, bv32): bv32;
function {:bvbuiltin "bvurem"} rem(bv32, bv32): bv32;
function {:bvbuiltin "bvult"} ult(bv32, bv32): bool;
function {:bvbuiltin "zero_extend 24"} wide(bv8): bv32;
function {:builtin "(_ to_fp 11 53)"} float(bv64): float53e11;
function {:builtin "fp.eq"} same(float53e11, float53e11): bool;
var B: [bv32]bv8;
"#;

/// Explores `P` by distances alone: as soon as the solver would be asked, the runs are used up.
fn by_distances(text: &str) -> Exploration {
    let program = read(&format!("{BUILTINS}{text}"));
    let root = program.procedure_named("P").expect("P");
    let options = Options {
        strategy: Strategy::Fitness,
        random_runs: 0,
        bounds: Bounds { runs: 300, time: None, query: Some(Duration::from_millis(50)), ..Bounds::default() },
        ..Options::default()
    };
    let found = explore(&program, root, 0, &options, &AtomicBool::new(false), &|_| ());
    found.unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn check(text: &str) {
    let e = by_distances(text);
    let failing = e.goals.iter().find(|g| matches!(g.kind, GoalKind::Failure(_))).expect("an assertion");
    assert!(failing.covered_by.is_some(), "{:?}", e.statistics);
    assert_eq!(e.statistics.queries, 0, "{:?}", e.statistics);
}

#[test]
fn a_product_of_inputs_is_met() {
    check("procedure P(x: int, y: int) { if (x * y + 7 * y == 1000003 && x > 20) { assert false; } }");
}

#[test]
fn a_remainder_of_a_machine_integer_is_met() {
    check("procedure P(x: bv32) { if (ult(70000bv32, x) && rem(x, 10007bv32) == 77bv32) { assert false; } }");
}

#[test]
fn a_number_of_rounds_is_met_though_its_condition_mentions_no_input() {
    let e = by_distances(
        "procedure P(n: int) {
           var i, k: int;
           i := 0; k := 0;
           while (i < n) { i := i + 3; k := k + 1; if (k > 500) { return; } }
           if (k == 137) { assert false; }
         }",
    );
    let failing = e.goals.iter().find(|g| matches!(g.kind, GoalKind::Failure(_))).expect("an assertion");
    // One round after the other it would be the hundred-thirty-eighth run.
    assert!(failing.covered_by.is_some_and(|test| test < 10) && e.statistics.concrete_runs > 10);
}

#[test]
fn a_sum_over_bytes_is_met() {
    check(
        "procedure P() {
           var i, s: bv32;
           i := 0bv32; s := 0bv32;
           while (ult(i, 6bv32)) { s := add(s, wide(B[i])); i := add(i, 1bv32); }
           if (s == 1234bv32) { assert false; }
         }",
    );
}

#[test]
fn a_floating_point_number_is_met_to_the_last_bit() {
    let e = by_distances(
        "procedure P(y: bv64) { if (same(float(y), float(4591870180066957722bv64))) { assert false; } }",
    );
    let failing = e.goals.iter().find(|g| matches!(g.kind, GoalKind::Failure(_))).expect("an assertion");
    // The solver is asked for the first run's inputs.
    assert!(failing.covered_by.is_some() && e.statistics.queries <= 1, "{:?}", e.statistics);
}
