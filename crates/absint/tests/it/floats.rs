//! Floating-point numbers: what is proved of them, and that no run contradicts it.

use std::fmt::Write as _;

use super::common::{proofs, read, seeds, with_claims};
use fastrand::Rng;
use footpath_absint::{Calls, Effort, Proof, analyse};
use footpath_ir::interp::{Ask, Heard, Interpreter, Limits, Listener, Outcome, RandomOracle, run};
use footpath_ir::{AssertKind, ProcId};
use footpath_term::{Sort, SortId, Value};

const HEAD: &str = "type double = float53e11;\ntype single = float24e8;\n\
    function {:builtin \"(_ to_fp 11 53)\"} num(bv64): double;\n\
    function {:builtin \"fp.to_ieee_bv\"} ieee(double): bv64;\n\
    function {:builtin \"fp.isNaN\"} nan(double): bool;\n\
    function {:builtin \"fp.isNaN\"} nan32(single): bool;\n\
    function {:builtin \"fp.isZero\"} zero(double): bool;\n\
    function {:builtin \"fp.add RNE\"} add(double, double): double;\n\
    function {:builtin \"fp.sub RNE\"} sub(double, double): double;\n\
    function {:builtin \"fp.mul RNE\"} mul(double, double): double;\n\
    function {:builtin \"fp.div RNE\"} over(double, double): double;\n\
    function {:builtin \"fp.add RNE\"} add32(single, single): single;\n\
    function {:builtin \"fp.mul RNE\"} mul32(single, single): single;\n\
    function {:builtin \"fp.sqrt RNE\"} sqrt(double): double;\n\
    function {:builtin \"fp.abs\"} abs(double): double;\n\
    function {:builtin \"fp.neg\"} neg(double): double;\n\
    function {:builtin \"fp.roundToIntegral RTN\"} floor(double): double;\n\
    function {:builtin \"fp.roundToIntegral RNE\"} rint(double): double;\n\
    function {:builtin \"fp.lt\"} lt(double, double): bool;\n\
    function {:builtin \"fp.leq\"} le(double, double): bool;\n\
    function {:builtin \"fp.gt\"} gt(double, double): bool;\n\
    function {:builtin \"fp.geq\"} ge(double, double): bool;\n\
    function {:builtin \"fp.eq\"} eq(double, double): bool;\n\
    function {:builtin \"(_ to_fp 8 24) RNE\"} down(double): single;\n\
    function {:builtin \"(_ to_fp 11 53) RNE\"} up(single): double;\n\
    function {:builtin \"(_ to_fp 11 53) RNE\"} signed(bv32): double;\n\
    function {:builtin \"(_ to_fp_unsigned 11 53) RNE\"} unsigned(bv32): double;\n\
    function {:builtin \"(_ to_fp 8 24) RNE\"} signed32(bv32): single;\n\
    function {:builtin \"(_ fp.to_sbv 32) RTZ\"} cut(double): bv32;\n\
    function {:builtin \"(_ fp.to_ubv 32) RTZ\"} ucut(double): bv32;\n\
    function {:bvbuiltin \"bvxor\"} xor(bv64, bv64): bv64;\n\
    function {:bvbuiltin \"bvand\"} and(bv64, bv64): bv64;\n\
    function {:bvbuiltin \"bvsle\"} sle(bv32, bv32): bool;\n\
    function {:bvbuiltin \"bvule\"} ule(bv32, bv32): bool;\n";

const SIGN: &str = "9223372036854775808bv64";
const REST: &str = "9223372036854775807bv64";
const NAN: &str = "18444492273895866368bv64";

fn bits(x: f64) -> String {
    format!("{}bv64", x.to_bits())
}

/// What an operation gives, as C is read: a NaN has certain bits.
fn as_bits(number: &str) -> String {
    format!("if nan({number}) then {NAN} else ieee({number})")
}

/// Asserts what is found out about each check, in order: `v` holds, `u` is not reached, `f` fails, `?` open.
#[track_caller]
fn check(body: &str, expected: &str) {
    let text = format!("{HEAD}procedure P(x: bv64, y: bv64, n: bv32) {{\n{body}\n}}\n");
    let letter = |p| match p {
        Proof::Holds => 'v',
        Proof::Unreached => 'u',
        Proof::Fails => 'f',
        Proof::Open => '?',
    };
    let found: String = proofs(&text, "P", Calls::Contracts).into_iter().map(letter).collect();
    assert_eq!(found, expected, "{text}");
}

/// `num` of a literal.
fn lit(x: f64) -> String {
    format!("num({})", bits(x))
}

#[test]
fn intervals_have_the_ends_that_rounding_gives() {
    let (zero, hundred, third) = (lit(0.0), lit(100.0), lit(100.0 / 3.0));
    let between = format!("assume le({zero}, num(x)) && le(num(x), {hundred});");
    let z = as_bits(&format!("over(num(x), {})", lit(3.0)));
    // The greatest quotient is reached, so that nothing below it is a bound.
    let under = lit(f64::from_bits((100.0f64 / 3.0).to_bits() - 1));
    check(
        &format!("var z: bv64; {between} z := {z}; assert le(num(z), {third}); assert le(num(z), {under});"),
        "v?",
    );
    let square = as_bits("mul(num(x), num(x))");
    check(&format!("var z: bv64; {between} z := {square}; assert !nan(num(z)) && ge(num(z), {zero});"), "v");
    let root = as_bits("sqrt(num(x))");
    check(&format!("var z: bv64; {between} z := {root}; assert le(num(z), {});", lit(10.0)), "v");
}

#[test]
fn what_may_be_no_number_is_not_compared() {
    let (zero, one) = (lit(0.0), lit(1.0));
    check(&format!("assert le(num(x), {one}) || gt(num(x), {one});"), "?");
    check(&format!("assume !nan(num(x)); assert le(num(x), {one}) || gt(num(x), {one});"), "v");
    // Squares of numbers are not negative, but one may be the square of a NaN.
    let square = as_bits("mul(num(x), num(x))");
    check(&format!("var z: bv64; z := {square}; assert ge(num(z), {zero});"), "?");
    // Infinity minus infinity.
    let difference = as_bits("sub(num(x), num(x))");
    let large = format!("assume gt(num(x), {one});");
    check(&format!("var z: bv64; {large} z := {difference}; assert !nan(num(z));"), "?");
    let finite = format!("{large} assume lt(num(x), {});", lit(f64::INFINITY));
    check(&format!("var z: bv64; {finite} z := {difference}; assert !nan(num(z));"), "v");
}

#[test]
fn comparisons_relate_numbers_and_zeros_are_the_same() {
    check("assume lt(num(x), num(y)); assert !ge(num(x), num(y)); assert !eq(num(x), num(y));", "vv");
    check(&format!("assume num(x) == {}; assert le({}, num(x));", lit(-0.0), lit(0.0)), "v");
    check(&format!("var z: bv64; z := {}; assert le({}, num(z));", bits(-0.0), lit(0.0)), "v");
    let magnitude = format!("and(x, {REST})");
    check(
        &format!(
            "var z: bv64; assume le({}, num(x)) && le(num(x), {}); z := {magnitude}; \
        assert ge(num(z), {}) && le(num(z), {});",
            lit(-3.0),
            lit(2.0),
            lit(0.0),
            lit(3.0)
        ),
        "v",
    );
    check(
        &format!(
            "var z: bv64; assume lt(num(x), {}); z := xor(x, {SIGN}); assert gt(num(z), {});",
            lit(-1.0),
            lit(1.0)
        ),
        "v",
    );
}

#[test]
fn a_loop_over_numbers_ends_in_an_interval() {
    let next = as_bits(&format!("add(num(z), {})", lit(0.1)));
    let ten = lit(10.0);
    let text = format!(
        "var z: bv64; z := {}; while (lt(num(z), {ten})) {{ z := {next}; }}\n\
         assert ge(num(z), {ten}); assert le(num(z), {}); assert eq(num(z), {ten});",
        bits(0.0),
        lit(10.0 + 0.1)
    );
    check(&text, "vv?");
}

#[test]
fn integers_and_numbers_become_each_other() {
    let text = format!(
        "var i: bv32; assume le({}, num(x)) && lt(num(x), {}); i := cut(num(x)); \
         assert sle(0bv32, i) && sle(i, 9bv32); assert sle(i, 8bv32);",
        lit(0.0),
        lit(10.0)
    );
    check(&text, "v?");
    // Out of range nothing is said.
    check("var i: bv32; i := cut(num(x)); assert sle(0bv32, i);", "?");
    let text = format!(
        "var z: bv64; assume sle(0bv32, n) && sle(n, 1000bv32); z := {}; assert le(num(z), {});",
        as_bits("signed(n)"),
        lit(1000.0)
    );
    check(&text, "v");
}

/// Inputs that numbers are likely to go wrong at.
struct Numbers {
    rng: Rng,
}

const SPECIAL: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    -2.5,
    10.0,
    1e15,
    -1e300,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    16_777_217.0,
];

impl Numbers {
    fn value(&mut self, sort: SortId, interpreter: &Interpreter<'_>) -> Option<Value> {
        let Sort::BitVec(width) = interpreter.program().terms.sort_of(sort) else { return None };
        let bits = match (*width, self.rng.u8(0..8)) {
            (64, 0..4) => SPECIAL[self.rng.usize(0..SPECIAL.len())].to_bits(),
            (64, 4..7) => (self.rng.f64() * 40.0 - 20.0).to_bits(),
            (32, 0..3) => u64::from(self.rng.u32(..)),
            (32, _) => u64::from(self.rng.i32(-30..30) as u32),
            _ => self.rng.u64(..),
        };
        Some(Value::BitVec { width: *width, bits: bits.into() })
    }
}

impl Listener for Numbers {
    fn entry(&mut self, ask: &Ask<'_>, _: &Value) -> Option<Value> {
        self.value(ask.sort, ask.interpreter)
    }

    fn havoc(&mut self, ask: &Ask<'_>, _: &Value) -> Option<Value> {
        self.value(ask.sort, ask.interpreter)
    }
}

/// Writes a program over numbers.
struct Writer {
    rng: Rng,
    text: String,
}

impl Writer {
    fn program(seed: u64) -> String {
        let mut writer = Writer { rng: Rng::with_seed(seed), text: HEAD.to_owned() };
        writer.text.push_str(
            "procedure P(x: bv64, y: bv64, n: bv32) {\n  var z, w: bv64;\n  var f: double;\n  var i: bv32;\n",
        );
        writer.text.push_str("  z := x;\n  f := num(y);\n  i := n;\n");
        let count = writer.rng.usize(3..9);
        for _ in 0..count {
            writer.statement(2);
        }
        let wide = writer.bounds(20.0);
        _ = writeln!(writer.text, "  assert {wide};");
        writer.text.push_str("}\n");
        writer.text
    }

    fn pick(&mut self, of: &[&str]) -> String {
        of[self.rng.usize(0..of.len())].to_owned()
    }

    fn literal(&mut self) -> String {
        let x = match self.rng.u8(0..3) {
            0 => SPECIAL[self.rng.usize(0..SPECIAL.len())],
            _ => f64::from(self.rng.i32(-40..40)) / 4.0,
        };
        bits(x)
    }

    fn number(&mut self, depth: u32) -> String {
        match self.rng.u8(0..if depth == 0 { 3 } else { 12 }) {
            0 => "f".to_owned(),
            1 => format!("num({})", self.literal()),
            2 => format!("num({})", self.pick(&["x", "y", "z", "w"])),
            3..8 => {
                let f = self.pick(&["add", "sub", "mul", "over"]);
                format!("{f}({}, {})", self.number(depth - 1), self.number(depth - 1))
            }
            8 => {
                format!("{}({})", self.pick(&["sqrt", "abs", "neg", "floor", "rint"]), self.number(depth - 1))
            }
            9 => format!("{}(i)", self.pick(&["signed", "unsigned"])),
            10 => {
                let x = self.number(depth - 1);
                self.pick(&["up(down(X))", "up(mul32(down(X), down(X)))", "up(add32(down(X), signed32(i)))"])
                    .replace('X', &x)
            }
            _ => format!("num({})", self.bits(depth - 1)),
        }
    }

    fn bits(&mut self, depth: u32) -> String {
        let variable = self.pick(&["x", "y", "z", "w"]);
        match self.rng.u8(0..8) {
            0 => self.literal(),
            1 => variable,
            2 => format!("xor({variable}, {SIGN})"),
            3 => format!("and({variable}, {REST})"),
            _ => as_bits(&self.number(depth)),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.number(1), self.number(0));
        match self.rng.u8(0..10) {
            0 => format!("nan({a})"),
            1 => format!("!nan({a})"),
            2 => format!("zero({a})"),
            3 => format!("{}(i, {}bv32)", self.pick(&["sle", "ule"]), self.rng.u32(0..40)),
            4 => format!("!{}({a}, {b})", self.pick(&["lt", "le", "gt", "ge", "eq"])),
            _ => format!("{}({a}, {b})", self.pick(&["lt", "le", "gt", "ge", "eq"])),
        }
    }

    /// That a variable is between two numbers, or a weaker condition of that kind.
    fn bounds(&mut self, reach: f64) -> String {
        let (low, high) = (self.rng.i32(-30..10), self.rng.i32(0..40));
        let (low, high) = (lit(reach * f64::from(low)), lit(reach * f64::from(high)));
        let x = self.pick(&["num(x)", "num(y)", "num(z)", "num(w)", "f"]);
        self.pick(&["le(LOW, X) && le(X, HIGH)", "lt(X, HIGH)", "ge(X, LOW)", "!gt(X, HIGH)"])
            .replace("LOW", &low)
            .replace("HIGH", &high)
            .replace('X', &x)
    }

    fn statement(&mut self, depth: u32) {
        let c = self.condition();
        let (narrow, wide) = (self.bounds(1.0), self.bounds(20.0));
        match self.rng.u8(0..if depth == 0 { 6 } else { 8 }) {
            0 | 1 => {
                let (to, value) = (self.pick(&["z", "w"]), self.bits(2));
                _ = writeln!(self.text, "  {to} := {value};");
            }
            2 => {
                let value = self.number(2);
                _ = writeln!(self.text, "  f := {value};");
            }
            3 => {
                let (cut, value) = (self.pick(&["cut", "ucut"]), self.number(1));
                _ = writeln!(self.text, "  i := {cut}({value});");
            }
            4 => _ = writeln!(self.text, "  assert {};", if self.rng.u8(0..3) == 0 { c } else { wide }),
            5 => _ = writeln!(self.text, "  assume {};", if self.rng.u8(0..3) == 0 { c } else { narrow }),
            6 => {
                _ = writeln!(self.text, "  if ({c}) {{");
                self.statement(depth - 1);
                self.text.push_str("  } else {\n");
                self.statement(depth - 1);
                self.text.push_str("  }\n");
            }
            _ => {
                let (limit, step) = (self.literal(), self.literal());
                _ = writeln!(self.text, "  while (lt(num(z), num({limit}))) {{");
                self.statement(depth - 1);
                let next = as_bits(&format!("add(num(z), num({step}))"));
                _ = writeln!(self.text, "  z := {next}; }}");
            }
        }
    }
}

#[derive(Default)]
struct Count {
    proved: usize,
    failing: usize,
    ended: usize,
    failed: usize,
}

fn check_program(seed: u64, count: &mut Count) {
    let text = Writer::program(seed);
    let program = read(&text);
    let id: ProcId = program.procedure_named("P").expect("P is there");
    let effort = Effort { partitions: 1 + (seed % 5) as usize, ..Effort::default() };
    let analysis = analyse(&program, id, 0, Calls::Contracts, &[], &[], effort);
    for check in &analysis.checks {
        count.proved += usize::from(check.proof == Proof::Holds);
        count.failing += usize::from(check.proof == Proof::Fails);
    }
    let claims = with_claims(&program, id, &analysis);
    let limits = Limits { steps: 2_000, ..Limits::default() };
    for (program, claims) in [(&program, false), (&claims, true)] {
        let mut random = RandomOracle::new(program, seed);
        let mut oracle = Heard::new(&mut random, Numbers { rng: Rng::with_seed(seed) });
        for _ in 0..40 {
            let found = run(program, id, 0, &mut oracle, &limits);
            count.ended += usize::from(found.outcome == Outcome::Returned);
            let Outcome::Failed { at, kind } = found.outcome else { continue };
            count.failed += 1;
            let wrong = claims && matches!(kind, AssertKind::Abort | AssertKind::Exit);
            assert!(
                !wrong,
                "seed {seed}: a claim fails at {at:?}: {kind}\n{text}\n{}",
                footpath_ir::print(program)
            );
            let proof = analysis.checks.iter().find(|c| c.origin == at).map(|c| c.proof);
            let known = claims || matches!(proof, Some(Proof::Open | Proof::Fails));
            assert!(known, "seed {seed}: {at:?} fails, which is said to be {proof:?}\n{text}");
        }
    }
}

#[test]
fn no_run_on_numbers_contradicts_what_was_found_out() {
    let mut count = Count::default();
    let seeds = seeds(80);
    let many = seeds.end - seeds.start >= 80;
    for seed in seeds {
        check_program(seed, &mut count);
    }
    let Count { proved, failing, ended, failed } = count;
    assert!(
        !many || proved > 15 && failing > 3 && ended > 300 && failed > 100,
        "too little happens: {proved} proved, {failing} failing; {ended} runs end, {failed} fail"
    );
}
