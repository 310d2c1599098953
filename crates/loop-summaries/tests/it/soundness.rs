//! Random looping programs, compared with their runs.
//!
//! Each program is run by the reference interpreter on many inputs. *Unreachable* must mean that none of them reaches
//! the target; and for an input that reaches it, the condition with that input fixed must not be refuted.
//! `FOOTPATH_LOOP_PROGRAMS` says how many programs, `FOOTPATH_LOOP_SEED` where they start.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::common::{in_parallel, is_thorough, read, report, seeds};
use fastrand::Rng;
use footpath_ir::interp::{Interpreter, Limits, Replay, Script};
use footpath_ir::{BlockId, Origin, Place, ProcId, Program};
use footpath_loop_summaries::{Options, Spot, Target, find, prove_unreachable};
use footpath_term::{MapValue, Sort, Value};

const VARIABLES: [&str; 4] = ["x", "y", "z", "w"];

struct Writer {
    random: Rng,
    text: String,
    indent: usize,
    /// Statements that may still be written.
    left: u32,
    /// The sort of numbers: unbounded, or of so many bits.
    bits: Option<u32>,
    /// The place of the target among the statements, and whether it was written.
    target_at: u32,
    written: u32,
    done: bool,
}

impl Writer {
    /// Of a program of so many statements.
    fn new(random: Rng, bits: Option<u32>, left: u32) -> Writer {
        Writer { random, text: String::new(), indent: 1, left, bits, target_at: 0, written: 0, done: false }
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.random.usize(..all.len())]
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = self.indent * 2);
    }

    fn number(&mut self, low: i64, high: i64) -> String {
        let n = self.random.i64(low..=high);
        match self.bits {
            None if n < 0 => format!("(0 - {})", -n),
            None => n.to_string(),
            Some(w) => literal(w, n),
        }
    }

    fn sum(&self, a: &str, b: &str) -> String {
        if self.bits.is_some() { format!("add({a}, {b})") } else { format!("{a} + {b}") }
    }

    fn atom(&mut self) -> String {
        match self.random.u32(..10) {
            0..=4 => self.pick(&VARIABLES).to_owned(),
            5 => "n".to_owned(),
            6 => "m".to_owned(),
            7 => format!("A[{}]", self.pick(&VARIABLES)),
            _ => self.number(-2, 5),
        }
    }

    fn value(&mut self, of: &str) -> String {
        match self.random.u32(..12) {
            0..=4 => {
                let d = self.number(-2, 3);
                self.sum(of, &d)
            }
            5 => {
                let d = self.atom();
                self.sum(of, &d)
            }
            6 | 7 => self.number(-1, 4),
            8 => {
                let (a, b) = (self.atom(), self.number(-2, 2));
                self.sum(&a, &b)
            }
            9 => self.sum(of, of),
            _ => self.atom(),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.atom(), self.atom());
        match (self.random.u32(..6), self.bits) {
            (0, _) => format!("{a} == {b}"),
            (1, _) => format!("{a} != {b}"),
            (_, None) => format!("{a} < {b}"),
            (2, Some(_)) => format!("ult({a}, {b})"),
            (_, Some(_)) => format!("slt({a}, {b})"),
        }
    }

    fn statement(&mut self, depth: u32) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        if self.written == self.target_at {
            self.line("target: assert true;");
            self.done = true;
        }
        self.written += 1;
        match self.random.u32(..16) {
            0..=5 => {
                let v = self.pick(&VARIABLES);
                let value = self.value(v);
                self.line(&format!("{v} := {value};"));
            }
            6 => {
                let (v, value) = (self.pick(&VARIABLES), self.atom());
                self.line(&format!("A[{v}] := {value};"));
            }
            7..=9 if depth < 3 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.block(depth + 1);
                if self.random.bool() {
                    self.line("} else {");
                    self.block(depth + 1);
                }
                self.line("}");
            }
            10..=14 if depth < 3 => {
                let condition = self.condition();
                self.line(&format!("while ({condition}) {{"));
                self.block(depth + 1);
                self.line("}");
            }
            15 if depth > 0 => {
                let v = self.pick(&VARIABLES);
                self.line(&format!("havoc {v};"));
            }
            _ => {
                let v = self.pick(&VARIABLES);
                let (d, v2) = (self.number(1, 2), v);
                let value = self.sum(v2, &d);
                self.line(&format!("{v} := {value};"));
            }
        }
    }

    fn below(&self, a: &str, b: &str) -> String {
        if self.bits.is_some() { format!("slt({a}, {b})") } else { format!("{a} < {b}") }
    }

    /// Writes near `index`, on one way or several.
    fn writes(&mut self, index: &str, depth: u32) {
        if depth > 0 && self.left > 0 && self.random.u32(..5) < 3 {
            self.left -= 1;
            let two = self.number(2, 2);
            let condition = match (self.random.u32(..5), self.bits) {
                (0 | 1, None) => format!("{index} mod 2 == 0"),
                (0 | 1, Some(w)) => format!("band({index}, {}) == {}", literal(w, 1), literal(w, 0)),
                (2, _) => format!("P[{index}] == {}", self.number(-1, 2)),
                (3, _) => format!("A[{index}] == {}", self.number(-1, 2)),
                _ => self.below(index, &two),
            };
            self.line(&format!("if ({condition}) {{"));
            self.writes(index, depth - 1);
            if self.random.u32(..3) > 0 {
                self.line("} else {");
                self.writes(index, depth - 1);
            }
            self.line("}");
            return;
        }
        for _ in 0..self.random.u32(1..=2) {
            let (shift, one) = (self.number(-1, 1), self.number(1, 1));
            let place = match self.random.u32(..15) {
                0..=6 => index.to_owned(),
                7..=9 => self.sum(index, &shift),
                10 => self.sum(index, index),
                11 => format!("P[{index}]"),
                12 => "m".to_owned(),
                13 => self.sum(&format!("P[{}]", self.sum(index, &shift)), &shift),
                _ => self.number(0, 2),
            };
            let element = match self.random.u32(..7) {
                6 => {
                    let behind = self.number(-3, -1);
                    let summand = if self.random.bool() { index.to_owned() } else { self.number(0, 3) };
                    self.sum(&format!("A[{}]", self.sum(&place, &behind)), &summand)
                }
                0 | 1 => self.number(-1, 4),
                2 => index.to_owned(),
                3 => self.sum("m", index),
                4 => self.sum(&format!("A[{place}]"), &one),
                _ => format!("A[{}]", self.sum(index, &shift)),
            };
            self.line(&format!("A[{place}] := {element};"));
        }
    }

    /// Adds to a variable what differs from round to round: another one, or two bits of an element.
    fn sums(&mut self, depth: u32) {
        if depth > 0 && self.random.u32(..3) == 0 {
            let condition = self.condition();
            self.line(&format!("if ({condition}) {{"));
            self.sums(depth - 1);
            if self.random.bool() {
                self.line("} else {");
                self.sums(depth - 1);
            }
            self.line("}");
            return;
        }
        for _ in 0..self.random.u32(1..=2) {
            let v = self.pick(&["x", "y", "z"]);
            let by = match self.random.u32(..8) {
                0 | 1 => self.number(-2, 3),
                2 | 3 => self.pick(&["y", "w", "m"]).to_owned(),
                4 => self.sum("w", "w"),
                n => {
                    let (extend, index) = (if n == 5 { "sx" } else { "zx" }, self.pick(&["w", "x", "m"]));
                    format!("{extend}(P[{index}][2:0])")
                }
            };
            self.line(&format!("{v} := {};", self.sum(v, &by)));
        }
    }

    /// The program around what was written.
    fn whole(&self) -> String {
        let number = self.bits.map_or("int".to_owned(), |w| format!("bv{w}"));
        let zero = self.bits.map_or("0".to_owned(), |w| literal(w, 0));
        let mut text = String::new();
        if let Some(w) = self.bits {
            for (name, op) in [("add", "bvadd"), ("band", "bvand"), ("slt", "bvslt"), ("ult", "bvult")] {
                let result = if name.ends_with("lt") { "bool" } else { &number };
                let _ = writeln!(
                    text,
                    "function {{:bvbuiltin \"{op}\"}} {name}(a: bv{w}, b: bv{w}) returns ({result});"
                );
            }
        }
        if let Some(w) = self.bits {
            for (name, op) in [("zx", "zero_extend"), ("sx", "sign_extend")] {
                let by = w - 2;
                let _ =
                    writeln!(text, "function {{:bvbuiltin \"{op} {by}\"}} {name}(a: bv2) returns (bv{w});");
            }
        }
        let _ = writeln!(text, "procedure main(n: {number}, m: {number}, P: [{number}]{number}) {{");
        let _ = writeln!(text, "  var x, y, z, w: {number};\n  var A: [{number}]{number};");
        let _ = writeln!(text, "  A := P;\n  x := {zero};\n  y := {zero};\n  z := n;\n  w := m;");
        text + &self.text + "}\n"
    }

    fn block(&mut self, depth: u32) {
        self.indent += 1;
        for _ in 0..self.random.u32(1..=3) {
            self.statement(depth);
        }
        self.indent -= 1;
    }
}

fn literal(width: u32, n: i64) -> String {
    format!("{}bv{width}", (i128::from(n) + (1 << width)) % (1 << width))
}

/// A program whose loops write one map on several ways. Its inputs are `n`, `m` and the map `A`.
fn program_of_writes(seed: u64) -> String {
    let mut random = Rng::with_seed(seed ^ 0x77);
    let bits = if random.u32(..3) == 0 { Some(64) } else { None };
    let left = random.u32(1..6);
    let mut w = Writer::new(random, bits, left);
    let (from, by, one) = (w.number(-1, 2), w.number(1, 2), w.number(1, 1));
    let nested = w.random.u32(..4) == 0;
    w.line(&format!("x := {from};"));
    w.line(&format!("while ({}) {{", w.below("x", "n")));
    if nested {
        let from = if w.random.bool() { "x".to_owned() } else { w.number(0, 1) };
        w.line(&format!("y := {from};"));
        let bound = if w.random.bool() { "m".to_owned() } else { w.number(1, 4) };
        w.line(&format!("while ({}) {{", w.below("y", &bound)));
    }
    let index = if nested { "y" } else { "x" };
    for _ in 0..w.random.u32(1..=2) {
        w.writes(index, 2);
    }
    if nested {
        let next = w.sum("y", &by);
        w.line(&format!("y := {next}; }}"));
        w.line(&format!("x := {};", w.sum("x", &one)));
    } else {
        w.line(&format!("x := {};", w.sum("x", &by)));
    }
    w.line("}");
    // A third asks about a place that most programs write nothing to.
    let apart = w.random.u32(..3) == 0;
    let (place, value) = (if apart { w.number(-9, -4) } else { w.number(-1, 6) }, w.number(-1, 6));
    let place = if !apart && w.random.bool() { "m".to_owned() } else { place };
    let claim = if !apart && w.random.bool() { "==" } else { "!=" };
    let value = if apart || w.random.u32(..3) == 0 { format!("P[{place}]") } else { value };
    w.line(&format!("if (A[{place}] {claim} {value}) {{ target: assert true; }}"));
    w.whole()
}

/// A program with a loop that sums up. Its inputs are `n`, `m` and the map `A`.
fn program_of_sums(seed: u64) -> String {
    let random = Rng::with_seed(seed ^ 0x5a5a);
    let bits = Some(4);
    let mut w = Writer::new(random, bits, 9);
    w.line("z := 0bv4; w := 0bv4;");
    let goes_on = w.pick(&["slt(w, n)", "ult(w, n)", "w != n", "slt(w, 5bv4)", "ult(x, 9bv4)"]);
    w.line(&format!("while ({goes_on}) {{"));
    for _ in 0..w.random.u32(1..=3) {
        w.sums(1);
    }
    w.line("w := add(w, 1bv4); }");
    let (a, b) = (w.pick(&["x", "y", "z"]), w.pick(&["y", "z", "w", "m"]));
    let number = w.number(-4, 9);
    let condition = match w.random.u32(..5) {
        0 => format!("{a} == {number}"),
        1 => format!("slt({a}, {b})"),
        2 => format!("ult({number}, {a})"),
        3 => format!("add({a}, {a}) == add({b}, {number})"),
        _ => format!("band({a}, 1bv4) == band({number}, 1bv4)"),
    };
    w.line(&format!("if ({condition}) {{ target: assert true; }}"));
    w.whole()
}

/// A program with a loop whose ways take turns: how much is added hangs on how far it has come.
fn program_of_phases(seed: u64) -> String {
    let random = Rng::with_seed(seed ^ 0x3c3c);
    let bits = Some(4);
    let mut w = Writer::new(random, bits, 9);
    let (from, bound) = (w.number(-8, 3), w.number(-1, 7));
    let bound = if w.random.bool() { "n".to_owned() } else { bound };
    let below = w.pick(&["slt", "ult"]);
    let other = w.pick(&["n", "m", "0bv4"]);
    w.line(&format!("x := {from}; y := {other};"));
    w.line(&format!("while ({below}(x, {bound})) {{"));
    for _ in 0..w.random.u32(1..=2) {
        let border = if w.random.u32(..3) == 0 { "m".to_owned() } else { w.number(-4, 6) };
        let (below, [a, b, c]) = (w.pick(&["slt", "ult"]), [(-1, 2), (1, 3), (-2, 2)]);
        let [a, b, c] = [a, b, c].map(|(low, high)| w.number(low, high));
        let v = w.pick(&["x", "y"]);
        let [a, b, c] = [w.sum("x", &a), w.sum("x", &b), w.sum(v, &c)];
        w.line(&format!("if ({below}(x, {border})) {{ x := {a}; }}"));
        w.line(&format!("else {{ x := {b}; {v} := {c}; }}"));
    }
    w.line("}");
    let (a, b) = (w.pick(&["x", "y"]), w.pick(&["y", "n", "m"]));
    let number = w.number(-8, 7);
    let condition = match w.random.u32(..5) {
        0 => format!("{a} == {number}"),
        1 => format!("x != {bound}"),
        2 => format!("{below}({number}, {a})"),
        3 => format!("{a} == add({b}, {number})"),
        _ => format!("band({a}, 1bv4) == band({number}, 1bv4)"),
    };
    w.line(&format!("if ({condition}) {{ target: assert true; }}"));
    w.whole()
}

/// A program whose inputs are `n`, `m` and the map `A`.
fn program(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let bits = if random.u32(..3) == 0 { Some(4) } else { None };
    let target_at = random.u32(3..14);
    let mut w = Writer { target_at, ..Writer::new(random, bits, 14) };
    while w.left > 0 {
        w.statement(0);
    }
    if !w.done {
        let condition = w.condition();
        w.line(&format!("if ({condition}) {{ target: assert true; }}"));
    }
    w.whole()
}

/// An input: n, m, the first elements of the map, and what havocs give.
struct Input {
    n: i64,
    m: i64,
    elements: Vec<i64>,
    havocs: Vec<i64>,
}

fn inputs(seed: u64) -> Vec<Input> {
    let mut random = Rng::with_seed(seed ^ 0xabcd);
    let mut all = Vec::new();
    for n in -2..=6 {
        for m in -2..=6 {
            let elements = (0..6).map(|_| random.i64(-1..5)).collect();
            let havocs = (0..8).map(|_| random.i64(-1..6)).collect();
            all.push(Input { n, m, elements, havocs });
        }
    }
    all
}

fn script(program: &Program, main: ProcId, input: &Input) -> Script {
    let params = &program[main].bodies[0].params;
    let terms = &program.terms;
    let bits = match terms.sort_of(params[0].sort(terms)) {
        Sort::BitVec(w) => Some(*w),
        _ => None,
    };
    let number = |n: i64| match bits {
        Some(w) => Value::bit_vec(w, &n.into()),
        None => Value::int(n),
    };
    let mut map = MapValue::constant(params[2].sort(terms), number(0));
    for (i, &e) in input.elements.iter().enumerate() {
        map.set(vec![number(i as i64)], number(e));
    }
    let mut script = Script::default();
    script.entries.insert((0, params[0].symbol), number(input.n));
    script.entries.insert((0, params[1].symbol), number(input.m));
    script.entries.insert((0, params[2].symbol), Value::Map(std::sync::Arc::new(map)));
    script.havocs = input.havocs.iter().map(|&h| number(h)).collect();
    script
}

/// Whether a run reaches the target.
fn reaches(interpreter: &Interpreter<'_>, main: ProcId, target: BlockId, input: &Input) -> bool {
    let script = script(interpreter.program(), main, input);
    let limits = Limits { steps: 3_000, ..Limits::default() };
    let run = interpreter.run(main, 0, &mut Replay::new(&script), &limits);
    run.path.iter().any(|step| step.block == target)
}

/// The program for one input only.
fn fixed(text: &str, input: &Input) -> String {
    let bits = [4, 64].into_iter().find(|w| text.contains(&format!("bv{w}")));
    let number = |n: i64| match bits {
        Some(w) => literal(w, n),
        None => format!("(0 + {n})").replace("+ -", "- "),
    };
    let mut assumed = format!("  assume n == {} && m == {};\n", number(input.n), number(input.m));
    for (i, &e) in input.elements.iter().enumerate() {
        let _ = writeln!(assumed, "  assume P[{}] == {};", number(i as i64), number(e));
    }
    text.replacen("  A := P;\n", &format!("{assumed}  A := P;\n"), 1)
}

/// A program, what is asked about it, and whether it is proved that no run gets there.
fn ask(text: &str, options: &Options) -> (Target, bool) {
    let (program, sources) = read(text);
    let main = program.procedure_named("main").expect("the procedure");
    let target = find(&program, &sources, "target", Some(main)).expect("the target");
    let Spot { procedure, body, block } = target.spot;
    let place = Origin { procedure, body, place: Place::Segment { block, first: 0 } };
    let proved = prove_unreachable(&target.program, main, 0, place, options, &AtomicBool::new(false));
    let proved = proved.unwrap_or_else(|e| panic!("{e}\n{text}"));
    (target, proved)
}

#[test]
fn verdicts_on_random_programs_agree_with_their_runs() {
    compare(&program, 500);
}

#[test]
fn verdicts_on_random_writes_of_one_map_agree_with_their_runs() {
    compare(&program_of_writes, 250);
}

#[test]
fn verdicts_on_random_sums_agree_with_their_runs() {
    compare(&program_of_sums, 250);
}

#[test]
fn verdicts_on_random_phases_agree_with_their_runs() {
    compare(&program_of_phases, 250);
}

fn compare(program: &(dyn Fn(u64) -> String + Sync), default: u64) {
    let (time, max_unfold) = if is_thorough() { (1_500, 16) } else { (40, 2) };
    let options = Options { timeout: Some(Duration::from_millis(time)), max_unfold, ..Options::default() };
    let verdicts = in_parallel(seeds(default), |seed| {
        let text = program(seed);
        let (Target { program, spot, .. }, proved) = ask(&text, &options);
        let interpreter = Interpreter::new(&program);
        let reaches = |i: &Input| reaches(&interpreter, spot.procedure, spot.block, i);
        let mut reaching = inputs(seed).into_iter().filter(reaches).peekable();
        let reached = reaching.peek().is_some();
        assert!(!(proved && reached), "seed {seed}: a run reaches what was proved unreachable\n{text}");
        for input in reaching.take(if is_thorough() { 2 } else { 1 }) {
            let text = fixed(&text, &input);
            let (_, proved) = ask(&text, &options);
            assert!(
                !proved,
                "seed {seed}: an input that reaches the target does not satisfy the condition\n{text}"
            );
        }
        (proved, reached)
    });
    let [proved, reached] =
        [|v: &(bool, bool)| v.0, |v: &(bool, bool)| v.1].map(|is| verdicts.iter().filter(|v| is(v)).count());
    assert!(proved > 0 && reached > 0, "{proved} and {reached}: nothing was tried");
    if is_thorough() {
        report(&format!("unreachable {proved}, reached {reached} of {}", verdicts.len()));
    }
}
