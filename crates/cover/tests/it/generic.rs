//! Random procedures with a type parameter: what is said of all types must hold of each.
//!
//! The same text is read once with a type parameter and once for each of some types that it may be. What no run of the generic
//! procedure reaches, none of the others may be covered. `FOOTPATH_PROGRAMS` sets how many are tried, `FOOTPATH_SEED` the first
//! one.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::common::{read, seeds};
use fastrand::Rng;
use footpath_cover::{CoverOptions, Objective, Verdict, cover};

const DECLARATIONS: &str = "
type Ref;
type Field A;
type Heap = <A>[Ref, Field A]A;
datatype Pair<A> { Pair(left: A, right: A) }
function size<A>(x: A): int;
function made<A>(x: int): A;
";
const PARAMETERS: &str =
    "(a: T, b: T, c: T, f: Field T, g: Field T, k: Field int, i: int, j: int, h: Heap, r: Ref, m: [T]int)";
const LOCALS: &str = "  var x, y: T; var n: int; var heap: Heap; var map: [T]int;
  x := a; y := b; n := i; heap := h; map := m;\n";
/// What the parameter may be.
const TYPES: [&str; 4] = ["type T = int;", "type T = bool;", "type T = Ref;", "type T = Pair int;"];

fn condition(rng: &mut Rng) -> &'static str {
    let all = [
        "x == y",
        "y == c",
        "x == a",
        "n < j",
        "n == i",
        "f == g",
        "heap[r, f] == x",
        "heap[r, g] == y",
        "heap[r, k] == n",
        "heap[r, f] == heap[r, g]",
        "heap[r, k] == h[r, k]",
        "heap[r, g] == h[r, g]",
        "size(x) == size(y)",
        "size(x) == size(n)",
        "size(x) == n",
        "map[x] == n",
        "map[y] == map[c]",
        "made(n) == x",
        "made(i) == made(n): int",
        "Pair(x, y) == Pair(y, c)",
        "Pair(n, j)->left == i",
        "heap == h",
        "map == m",
    ];
    all[rng.usize(..all.len())]
}

fn statement(rng: &mut Rng) -> &'static str {
    let all = [
        "x := y;",
        "y := c;",
        "n := j;",
        "heap[r, f] := x;",
        "heap[r, g] := y;",
        "heap[r, k] := n;",
        "x := heap[r, f];",
        "n := heap[r, k];",
        "map[x] := n;",
        "n := map[y];",
        "x := Pair(y, x)->right;",
        "n := size(x);",
        "y := made(j);",
    ];
    all[rng.usize(..all.len())]
}

fn block(rng: &mut Rng, text: &mut String, depth: u32) {
    for _ in 0..rng.u32(1..3) {
        let _ = writeln!(text, "  {}", statement(rng));
    }
    if depth == 0 {
        return;
    }
    let not = if rng.bool() { "!" } else { "" };
    let _ = writeln!(text, "  if ({not}({})) {{", condition(rng));
    block(rng, text, depth - 1);
    if rng.bool() {
        text.push_str("  } else {\n");
        block(rng, text, depth - 1);
    }
    text.push_str("  }\n");
    if rng.u8(..4) == 0 {
        let _ = writeln!(text, "  assert {};", condition(rng));
    }
}

fn objectives(text: &str) -> Vec<Objective> {
    let program = read(text);
    let procedure = program.procedure_named("P").expect("the program has P");
    let limit = Some(Duration::from_secs(2));
    let options = CoverOptions { jobs: 1, query_timeout: limit, ..CoverOptions::default() };
    let found = cover(&program, &[procedure], &options, &AtomicBool::new(false), &|_| ());
    found.expect("a cover").remove(0).objectives
}

#[test]
fn what_holds_of_all_types_holds_of_each() {
    let (mut infeasible, mut covered) = (0, 0);
    for seed in seeds(60) {
        let mut rng = Rng::with_seed(seed);
        let mut body = LOCALS.to_owned();
        block(&mut rng, &mut body, 4);
        let generic = format!("{DECLARATIONS}procedure P<T>{PARAMETERS}\n{{\n{body}}}\n");
        let of_all = objectives(&generic);
        for instance in TYPES {
            let of_one =
                objectives(&format!("{DECLARATIONS}{instance}\nprocedure P{PARAMETERS}\n{{\n{body}}}\n"));
            assert_eq!(of_all.len(), of_one.len());
            for (all, one) in of_all.iter().zip(&of_one) {
                let is_covered = one.verdict == Verdict::Covered;
                covered += usize::from(is_covered);
                infeasible += usize::from(all.verdict.is_infeasible());
                assert!(
                    !(all.verdict.is_infeasible() && is_covered),
                    "seed {seed}: {} {:?} is {} with a parameter and covered with {instance}\n{generic}",
                    all.name,
                    all.span,
                    all.verdict.name(),
                );
            }
        }
    }
    assert!(infeasible > 100 && covered > 1000, "{infeasible} infeasible, {covered} covered");
}
