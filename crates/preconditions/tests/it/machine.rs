//! Loops and recursion over machine integers: closed forms, compared with all runs.

use std::sync::atomic::AtomicBool;

use super::common::{read, seeds};
use fastrand::Rng;
use footpath_ir::interp::{Interpreter, Limits, Outcome, Replay, Script};
use footpath_preconditions::{Analysis, Classes, Exactness, Options, Partition, analyse};
use footpath_simplify::{Plain, print};
use footpath_term::{Env, EvalError, SymbolId, Terms, Value, evaluate};
use rustc_hash::FxHashMap;

/// Functions of bit-vectors of a width.
fn functions(width: u32) -> String {
    ["add", "sub", "mul"]
        .map(|f| format!("function {{:bvbuiltin \"bv{f}\"}} {f}(bv{width}, bv{width}): bv{width};\n"))
        .concat()
        + &["slt", "sle", "ult", "ule"]
            .map(|f| format!("function {{:bvbuiltin \"bv{f}\"}} {f}(bv{width}, bv{width}): bool;\n"))
            .concat()
}

fn run(text: &str, options: &Options) -> Analysis {
    let program = read(text);
    let procedure = program.procedure_named("f").expect("a procedure f");
    analyse(&program, procedure, 0, options, Classes::PLAIN, &AtomicBool::new(false))
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[track_caller]
fn check(body: &str, condition: &str) {
    // What is decided is not how fast this machine is.
    let options = Options { time: None, contexts: false, ..Options::default() };
    let found = run(&(functions(32) + body), &options);
    let shown = print(&found.terms, &found.condition, &Plain);
    assert_eq!((shown.as_str(), &found.exactness), (condition, &Exactness::Exact));
}

#[test]
fn a_counting_loop_has_a_closed_form() {
    check(
        "procedure f(n: bv32, k: bv32) {
           var i: bv32;
           i := 0bv32;
           while (slt(i, n)) { assert i != k; i := add(i, 1bv32); }
         }",
        "0 <= k && k < n",
    );
}

#[test]
fn a_loop_by_steps_ends_where_a_step_leads() {
    check(
        "procedure f(n: bv32) {
           var i: bv32;
           i := 0bv32;
           while (ult(i, n)) { i := add(i, 1bv32); }
           assert i != 1000bv32;
         }",
        "n == 1000",
    );
}

#[test]
fn recursion_over_machine_integers_has_a_closed_form() {
    check(
        "procedure down(n: bv32, k: bv32) {
           if (slt(0bv32, n)) { assert n != k; call down(sub(n, 1bv32), k); }
         }
         procedure f(n: bv32, k: bv32) { call down(n, k); }",
        "1 <= k && k <= n",
    );
}

struct Values(FxHashMap<SymbolId, Value>);

impl Env for Values {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        self.0.get(&symbol).cloned().ok_or(EvalError::Unbound(symbol))
    }
}

const WIDTH: u32 = 4;

#[test]
fn an_unsigned_loop_by_twos_fails_for_odd_numbers() {
    check(
        "procedure f(m: bv32) {
           var n: bv32;
           n := m;
           while (ult(1bv32, n)) { n := sub(n, 2bv32); }
           assert n == 0bv32;
         }",
        "(unsigned)m % 2 == 1",
    );
}

#[test]
fn results_of_recursion_are_told_apart() {
    check(
        "procedure f(n: bv32) {
           var r: bv32;
           call r := third(n);
           assert r != 1bv32;
         }
         procedure third(n: bv32) returns (r: bv32) {
           if (n == 0bv32) {
             r := 0bv32;
           } else {
             call r := third(sub(n, 1bv32));
             if (r == 2bv32) { r := 0bv32; } else { r := add(r, 1bv32); }
           }
         }",
        "(unsigned)n % 3 == 1",
    );
}

/// A loop that counts, in one of many ways.
fn counting(rng: &mut Rng) -> String {
    let less = ["slt", "sle", "ult", "ule"][rng.usize(..4)];
    let (start, step) = (rng.u8(..16), [1, 1, 2, 3, 15][rng.usize(..5)]);
    let start = if rng.bool() { format!("{start}bv4") } else { "m".to_owned() };
    let guard = match rng.u8(..4) {
        0 => format!("{less}(n, i)"),
        1 => "i != n".to_owned(),
        _ => format!("{less}(i, n)"),
    };
    let fails = match rng.u8(..5) {
        0 => "i != m".to_owned(),
        1 => format!("i != {}bv4", rng.u8(..16)),
        2 => format!("{less}(m, i)"),
        3 => format!("x != add(i, {}bv4)", rng.u8(..16)),
        _ => "i != n".to_owned(),
    };
    let behind = match rng.u8(..4) {
        0 => "assert x != m;".to_owned(),
        1 => format!("assert i != {}bv4;", rng.u8(..16)),
        2 => "assert i != m;".to_owned(),
        _ => String::new(),
    };
    format!(
        "{}procedure f(n: bv4, m: bv4) {{\n  var i: bv4, x: bv4;\n  i := {start};\n  x := 0bv4;\n  \
         while ({guard}) {{\n    assert {fails};\n    i := add(i, {step}bv4);\n    x := add(x, {}bv4);\n  }}\n  {behind}\n}}\n",
        functions(WIDTH),
        rng.u8(..4),
    )
}

/// Compares what was found with all runs.
fn compare(seed: u64, text: &str, found: &Analysis) {
    let program = read(text);
    let f = program.procedure_named("f").expect("a procedure f");
    let interpreter = Interpreter::new(&program);
    let params: Vec<SymbolId> = program[f].bodies[0].params.iter().map(|p| p.symbol).collect();
    let mut terms = found.terms.clone();
    let condition = found.condition.term(&mut terms);
    let necessary = found.necessary.as_ref().map(|n| n.term(&mut terms));
    for case in 0..1u32 << (2 * WIDTH) {
        let bits = |shift: u32| Value::bit_vec(WIDTH, &(case >> shift & 15).into());
        let mut script = Script::default();
        script.entries.extend([((0, params[0]), bits(0)), ((0, params[1]), bits(WIDTH))]);
        let values = params.iter().enumerate().map(|(i, &p)| (p, bits(WIDTH * i as u32))).collect();
        let says = evaluate(&terms, condition, &mut Values(values)).expect("a value") == Value::Bool(true);
        // The state has twelve bits at most, so a longer run never ends.
        let limits = Limits { steps: 20_000, ..Limits::default() };
        let run = interpreter.run(f, 0, &mut Replay::new(&script), &limits);
        let fails = matches!(run.outcome, Outcome::Failed { .. });
        let shown =
            || format!("seed {seed}, n {}, m {}: {}\n{text}", case & 15, case >> 4, terms.display(condition));
        let must = necessary.is_none_or(|n| {
            let values = params.iter().enumerate().map(|(i, &p)| (p, bits(WIDTH * i as u32))).collect();
            evaluate(&terms, n, &mut Values(values)) == Ok(Value::Bool(true))
        });
        assert!(must || !fails, "this fails, and what must hold for a failure does not: {}", shown());
        let sufficient = !matches!(found.exactness, Exactness::Necessary(_));
        assert!(fails || !says || !sufficient, "it says that this fails, and it does not: {}", shown());
        if found.exactness == Exactness::Exact || !sufficient {
            assert!(says || !fails, "it is said to have all, and misses a failure: {}", shown());
        }
    }
}

#[test]
fn conditions_of_counting_loops_are_what_all_runs_show() {
    let (mut musts, mut total) = (0, 0);
    for seed in seeds(5) {
        let text = counting(&mut Rng::with_seed(seed));
        // Few rounds, so that closed forms and loop summaries are what decides.
        let time = Some(std::time::Duration::from_secs(5));
        let found = run(&text, &Options { rounds: 4, contexts: false, time, ..Options::default() });
        total += 1;
        musts += u32::from(found.necessary.is_some() || found.exactness == Exactness::Exact);
        compare(seed, &text, &found);
    }
    assert!(musts > 0, "nothing is known of all failures of any of {total} loops");
}

/// The same, where whole paths and what needs no solver come first.
#[track_caller]
fn settled(program: &str, condition: &str) {
    let options = Options { partition: Partition::Auto, time: None, contexts: false, ..Options::default() };
    let found = run(&(functions(32) + WIDE + program), &options);
    let shown = print(&found.terms, &found.condition, &Plain);
    assert_eq!((shown.as_str(), &found.exactness), (condition, &Exactness::Exact));
    assert!(found.tests.iter().any(|t| t.disjunct.is_some()), "a test fails");
}

/// Products of numbers with their signs, twice as wide.
const WIDE: &str = "
  function {:bvbuiltin \"sign_extend 32\"} wide(bv32): bv64;
  function {:bvbuiltin \"bvadd\"} plus(bv64, bv64): bv64;
  function {:bvbuiltin \"bvmul\"} times(bv64, bv64): bv64;
";

#[test]
fn a_sum_overflows_after_thousands_of_rounds() {
    settled(
        "procedure f(n: bv32) {
           var i, s: bv32;
           i := 0bv32; s := 0bv32;
           while (slt(i, n)) {
             assert plus(wide(s), wide(i)) == wide(add(s, i));
             s := add(s, i); i := add(i, 1bv32);
           }
         }",
        "n >= 65537",
    );
}

#[test]
fn a_factorial_overflows_from_thirteen_on() {
    settled(
        "procedure fact(n: bv32) returns (r: bv32) {
           if (sle(n, 1bv32)) { r := 1bv32; return; }
           call r := fact(sub(n, 1bv32));
           assert times(wide(n), wide(r)) == wide(mul(n, r));
           r := mul(n, r);
         }
         procedure f(n: bv32) { var r: bv32; call r := fact(n); }",
        "n >= 13",
    );
}

/// A loop and a recursive procedure that ask for ranges of inputs.
fn of_ranges(rng: &mut Rng) -> String {
    let number = |rng: &mut Rng| format!("{}bv4", rng.u8(..16));
    let compared = |rng: &mut Rng, of: &str| {
        let less = ["slt", "sle", "ult", "ule"][rng.usize(..4)];
        let n = format!("{}bv4", rng.u8(..16));
        [format!("{less}({of}, {n})"), format!("{less}({n}, {of})"), format!("{of} != {n}")][rng.usize(..3)]
            .clone()
    };
    let (stop, step) = (compared(rng, "k"), [1, 15, 15, 2, 13][rng.usize(..5)]);
    let check = match rng.u8(..4) {
        0 => format!("assert {};", compared(rng, "r")),
        1 => format!("assert {};", compared(rng, "mul(r, k)")),
        2 => format!("assert {};", compared(rng, "add(k, mul(3bv4, r))")),
        _ => "assert slt(r, 7bv4);".to_owned(),
    };
    let given = ["mul(k, r)", "add(r, 1bv4)", "add(r, k)", "sub(r, 1bv4)"][rng.usize(..4)];
    let (first, less) = (number(rng), ["slt", "ult"][rng.usize(..2)]);
    let guard = match rng.u8(..3) {
        0 => format!("{less}(i, n)"),
        1 => format!("{less}(i, add(n, 1bv4))"),
        _ => "i != n".to_owned(),
    };
    let rounds = format!(
        "i := 0bv4; x := {first}; while ({guard}) {{ assert {}; x := add(x, {}); i := add(i, 1bv4); }} assert {};",
        compared(rng, "x"),
        ["i", "1bv4", "x"][rng.usize(..3)],
        compared(rng, "add(m, x)"),
    );
    let calls = format!("call x := g({});", ["n", "m", "add(m, 1bv4)"][rng.usize(..3)]);
    let body = [&rounds, &calls, &(calls.clone() + &rounds)][rng.usize(..3)].clone();
    format!(
        "{}procedure g(k: bv4) returns (r: bv4) {{
  if ({stop}) {{ r := {first}; return; }}
  call r := g(add(k, {step}bv4)); {check} r := {given};
}}
procedure f(n: bv4, m: bv4) {{ var i, x: bv4; {body} }}
",
        functions(WIDTH)
    )
}

#[test]
fn what_asks_for_ranges_of_inputs_fails_for_just_these() {
    let mut exact = 0;
    let all = seeds(40);
    let count = all.clone().count();
    for seed in all {
        let text = of_ranges(&mut Rng::with_seed(seed));
        // Too few runs and rounds for anything else.
        let options = Options {
            partition: Partition::Auto,
            runs: 3,
            rounds: 1,
            recursion: 0,
            contexts: false,
            closed_forms: false,
            time: Some(std::time::Duration::from_secs(3)),
            ..Options::default()
        };
        let found = run(&text, &options);
        exact += usize::from(found.exactness == Exactness::Exact);
        compare(seed, &text, &found);
    }
    assert!(exact * 2 > count, "{exact} of {count} are exact");
}
