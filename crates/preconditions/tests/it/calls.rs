//! Calls: conditions of callees instantiated, against callees inlined and against all runs.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use super::common::{read, seeds};
use fastrand::Rng;
use footpath_ir::interp::{Interpreter, Limits, Outcome, Replay, Script};
use footpath_ir::{ProcId, Program};
use footpath_preconditions::{Analysis, Calls, Classes, Exactness, Options, analyse};
use footpath_simplify::{Plain, print};
use footpath_term::{Env, EvalError, SymbolId, Terms, Value, evaluate};
use rustc_hash::FxHashMap;

fn run(text: &str, calls: Calls) -> Analysis {
    let program = read(text);
    let procedure = program.procedure_named("f").expect("a procedure f");
    let options = Options { calls, ..Options::default() };
    analyse(&program, procedure, 0, &options, Classes::PLAIN, &AtomicBool::new(false)).expect("a condition")
}

fn shown(analysis: &Analysis) -> String {
    print(&analysis.terms, &analysis.condition, &Plain)
}

/// That both ways give an exact condition, and this one. Gives the paths with and without.
#[track_caller]
fn check(text: &str, condition: &str) -> (u64, u64) {
    let found = [Calls::Instantiated, Calls::Inlined].map(|calls| run(text, calls));
    let parts = |text: &str| {
        let mut parts: Vec<String> = text.split(" || ").map(str::to_owned).collect();
        parts.sort();
        parts
    };
    for analysis in &found {
        // In which order disjuncts are found is a matter of cost.
        assert_eq!((parts(&shown(analysis)), &analysis.exactness), (parts(condition), &Exactness::Exact));
    }
    assert!(found[0].callees.iter().any(|c| c.instantiated), "{:?}", found[0].callees);
    (found[0].paths(), found[1].paths())
}

/// A procedure that checks its argument in several steps, and callers of callers that each call twice.
fn tower(height: u32) -> String {
    let mut text = "procedure p0(x: int)\n{\n  var n: int;\n  if (x > 7) { n := 1; }\n  assert x != 3;\n  \
                    if (x > 9) { n := 2; }\n  assert x < 100;\n}\n"
        .to_owned();
    for i in 1..=height {
        let below = i - 1;
        let _ =
            writeln!(text, "procedure p{i}(x: int)\n{{\n  call p{below}(x);\n  call p{below}(x + 1);\n}}");
    }
    let _ = writeln!(text, "procedure f(x: int)\n{{\n  call p{height}(x);\n}}");
    text
}

#[test]
fn a_callee_that_is_called_often_is_explored_once() {
    let (instantiated, inlined) = check(&tower(2), "(1 <= x && x <= 3) || x >= 98");
    assert!(instantiated < inlined, "{instantiated} {inlined}");
}

#[test]
fn what_a_call_changes_is_seen_behind_it() {
    let text = "var g: int;
    procedure add(k: int) modifies g;
    {
      assert k >= 0;
      if (k > 10) { g := g + 10; } else { g := g + k; }
    }
    procedure f(a: int, b: int) modifies g;
    {
      g := 0;
      call add(a);
      call add(b);
      assert g != 20;
    }";
    check(text, "a <= -1 || b <= -1 || (b >= 10 && a >= 10)");
}

#[test]
fn what_follows_a_call_that_does_not_return_is_not_reached() {
    let text = "procedure wait(k: int)
    {
      assert k != 7;
      while (k > 3) { }
    }
    procedure f(a: int, b: int)
    {
      call wait(a);
      call wait(b);
      assert false;
    }";
    check(text, "a == 7 || (a <= 3 && b == 7) || (a <= 3 && b <= 3)");
}

#[test]
fn a_procedure_that_calls_itself_has_a_fixpoint() {
    let text = "procedure down(n: int, i: int, j: int)
    {
      if (n > 0) {
        assert i != j;
        call down(n - 1, i, j);
      }
    }
    procedure f(n: int, i: int, j: int)
    {
      call down(n, i, j);
      assert n < 100;
    }";
    let found = run(text, Calls::Instantiated);
    assert_eq!(
        (shown(&found).as_str(), &found.exactness),
        ("(n >= 1 && i == j) || n >= 100", &Exactness::Exact)
    );
    let inlined = run(text, Calls::Inlined);
    assert!(matches!(inlined.exactness, Exactness::Bounded(2, _)), "{:?}", inlined.exactness);
}

#[test]
fn procedures_that_call_each_other_have_a_closed_form() {
    let text = "procedure even(n: int)
    {
      if (n != 0) { call odd(n - 1); }
    }
    procedure odd(n: int)
    {
      assert n >= 0;
      if (n != 0) { call even(n - 1); }
    }
    procedure f(n: int)
    {
      call even(n);
    }";
    let found = run(text, Calls::Instantiated);
    assert_eq!((shown(&found).as_str(), &found.exactness), ("n <= -1", &Exactness::Exact));
}

/// Writes programs of procedures that call each other, over two bits.
struct Calling {
    rng: Rng,
    text: String,
    /// How many procedures may be called, and whether the one that is written may call itself.
    below: u32,
    recursive: bool,
}

impl Calling {
    fn program(seed: u64) -> String {
        let mut w = Calling { rng: Rng::with_seed(seed), text: String::new(), below: 0, recursive: false };
        w.text.push_str(
            "function {:bvbuiltin \"bvadd\"} add(bv2, bv2): bv2;\n\
             function {:bvbuiltin \"bvult\"} ult(bv2, bv2): bool;\nvar g: bv2;\n",
        );
        let count = w.rng.u32(2..=4);
        for i in 0..count {
            w.below = i;
            w.recursive = w.rng.u8(..5) == 0;
            let gives = w.rng.bool();
            let results = if gives { " returns (r: bv2)" } else { "" };
            let _ =
                writeln!(w.text, "procedure p{i}_{}(x: bv2, y: bv2){results} modifies g;", u8::from(gives));
            w.body(gives);
            // The other form, so that a call needs not know which one there is.
            let other = if gives { "" } else { " returns (r: bv2)" };
            let _ =
                writeln!(w.text, "procedure p{i}_{}(x: bv2, y: bv2){other} modifies g;", u8::from(!gives));
            w.body(!gives);
        }
        w.below = count;
        w.recursive = false;
        w.text.push_str("procedure f(x: bv2, y: bv2) returns (r: bv2) modifies g;\n");
        w.body(true);
        w.text
    }

    fn body(&mut self, gives: bool) {
        let first = if gives { "r := x;" } else { "" };
        let _ = writeln!(self.text, "{{\n  var h: bool, t: bv2;\n  t := y; h := false; {first}");
        for _ in 0..self.rng.u32(2..=4) {
            self.statement(2, gives);
        }
        self.text.push_str("}\n");
    }

    fn value(&mut self) -> String {
        let variable = ["x", "y", "g", "t"][self.rng.usize(..4)];
        match self.rng.u8(..3) {
            0 => variable.to_owned(),
            1 => format!("{}bv2", self.rng.u8(..4)),
            _ => format!("add({variable}, {}bv2)", self.rng.u8(1..4)),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        match self.rng.u8(..5) {
            0 | 1 => format!("{a} == {b}"),
            2 | 3 => format!("ult({a}, {b})"),
            _ => format!("(h || {a} != {b})"),
        }
    }

    fn statement(&mut self, depth: u32, gives: bool) {
        let condition = self.condition();
        let (a, b) = (self.value(), self.value());
        match self.rng.u8(..16) {
            0..=2 if depth > 0 => {
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.statement(depth - 1, gives);
                self.text.push_str("} else {\n");
                self.statement(depth - 1, gives);
                self.text.push_str("}\n");
            }
            3 if depth > 0 => {
                let _ = writeln!(self.text, "while ({condition}) {{");
                self.statement(depth - 1, gives);
                self.text.push_str("}\n");
            }
            4..=8 => {
                let most = self.below + u32::from(self.recursive);
                if most == 0 {
                    let _ = writeln!(self.text, "assert {condition};");
                    return;
                }
                let callee = self.rng.u32(..most);
                let call = if self.rng.bool() { "call t := " } else { "call " };
                let form = u8::from(call.len() > 5);
                let _ = writeln!(self.text, "{call}p{callee}_{form}({a}, {b});");
            }
            9 | 10 => {
                let _ = writeln!(self.text, "assert {condition};");
            }
            11 if self.rng.bool() => {
                let _ = writeln!(self.text, "assume {condition};");
            }
            12 if self.rng.bool() => self.text.push_str("havoc h;\n"),
            13 if gives => {
                let _ = writeln!(self.text, "r := {a};");
            }
            14 => {
                let _ = writeln!(self.text, "g := {a};");
            }
            _ => {
                let _ = writeln!(self.text, "t := {b};");
            }
        }
    }
}

struct Values(FxHashMap<SymbolId, Value>);

impl Env for Values {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        self.0.get(&symbol).cloned().ok_or(EvalError::Unbound(symbol))
    }
}

/// Whether some run from an input fails, and whether some was not followed to its end.
fn fails(program: &Program, f: ProcId, values: &FxHashMap<SymbolId, Value>) -> (bool, bool) {
    const HAVOCS: u32 = 5;
    let interpreter = Interpreter::new(program);
    let limits = Limits { steps: 1_000, ..Limits::default() };
    let mut open = false;
    for case in 0..1u32 << HAVOCS {
        let mut script = Script::default();
        script.entries.extend(values.iter().map(|(s, v)| ((0, *s), v.clone())));
        script.havocs = (0..HAVOCS).map(|i| Value::Bool(case >> i & 1 == 1)).collect();
        let mut replay = Replay::new(&script);
        let run = interpreter.run(f, 0, &mut replay, &limits);
        match run.outcome {
            Outcome::Failed { .. } => return (true, false),
            // A havoc that the script has no value for takes one of the two.
            Outcome::OutOfSteps | Outcome::Stuck { .. } => open = true,
            Outcome::Returned | Outcome::Blocked { .. } => {}
        }
    }
    (false, open)
}

#[test]
fn conditions_of_callees_are_what_all_runs_show() {
    let (mut instantiated, mut exact, mut total) = (0, 0, 0);
    for seed in seeds(30) {
        let text = Calling::program(seed);
        let program = read(&text);
        let f = program.procedure_named("f").expect("a procedure f");
        let found = analyse(&program, f, 0, &Options::default(), Classes::PLAIN, &AtomicBool::new(false));
        let found = found.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        instantiated += found.callees.iter().filter(|c| c.instantiated).count();
        total += 1;
        exact += usize::from(found.exactness == Exactness::Exact);
        let mut terms = found.terms.clone();
        let condition = found.condition.term(&mut terms);
        let params = &program[f].bodies[0].params;
        for case in 0..1u32 << 6 {
            let bits = |shift: u32| Value::bit_vec(2, &(case >> shift & 3).into());
            let values = FxHashMap::from_iter([
                (params[0].symbol, bits(0)),
                (params[1].symbol, bits(2)),
                (program.globals[0].variable.symbol, bits(4)),
            ]);
            let says = evaluate(&terms, condition, &mut Values(values.clone())).expect("a value");
            let says = says == Value::Bool(true);
            let (fails, open) = fails(&program, f, &values);
            let shown = || format!("seed {seed}, {values:?}: {}\n{text}", terms.display(condition));
            let sufficient = !matches!(found.exactness, Exactness::Necessary(_));
            assert!(
                fails || open || !says || !sufficient,
                "it says that this fails, and it does not: {}",
                shown()
            );
            if found.exactness == Exactness::Exact || !sufficient {
                assert!(says || !fails, "it is said to have all, and misses a failure: {}", shown());
            }
        }
    }
    assert!(instantiated * 3 > total, "{instantiated} of {total} programs");
    assert!(exact * 10 > total * 7, "{exact} of {total}");
}
