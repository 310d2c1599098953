//! Proofs by induction: polynomial identities modulo 2ⁿ, facts that are guessed and proved, and both together; and random
//! programs of machine integers of 4 to 32 bits with maps, arbitrary values and recursion, compared with their runs.
//!
//! What is claimed of a random program is, where there is such a claim, one that a few runs do not contradict: an invariant, or
//! nearly one. `FOOTPATH_LOOP_PROGRAMS` says how many programs, `FOOTPATH_LOOP_SEED` where they start.

mod common;

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::{check, in_parallel, is_thorough, read, report, seeds};
use fastrand::Rng;
use footpath_ir::interp::{Interpreter, Limits, Oracle, RandomOracle, Replay, Script};
use footpath_ir::{Origin, Place};
use footpath_loops::{Options, Target, find, prove_unreachable};
use footpath_term::Value;

/// The operators of a width.
fn operators(width: u32) -> String {
    let number = format!("bv{width}");
    let mut text = String::new();
    for (name, op) in [
        ("add", "bvadd"),
        ("sub", "bvsub"),
        ("mul", "bvmul"),
        ("quo", "bvudiv"),
        ("rem", "bvurem"),
        ("slt", "bvslt"),
        ("sle", "bvsle"),
        ("ult", "bvult"),
        ("ule", "bvule"),
    ] {
        let result = if name.ends_with("lt") || name.ends_with("le") { "bool" } else { &number };
        let _ = writeln!(
            text,
            "function {{:bvbuiltin \"{op}\"}} {name}(a: {number}, b: {number}) returns ({result});"
        );
    }
    text
}

/// A program of 32-bit integers with the inputs n and m.
fn with(body: &str) -> String {
    let body = body.replace('#', "bv32");
    format!(
        "{}procedure main(n: bv32, m: bv32) {{ var a, b, i, j, k, q, r, x, y, z: bv32; var c: bool; {body} }}",
        operators(32)
    )
}

fn unreachable(body: &str) {
    check(&with(body), "unreachable");
}

fn reached(body: &str) {
    check(&with(body), "reached");
}

#[test]
fn a_sum_of_squares_is_a_cubic_polynomial_for_any_number_of_rounds() {
    let sum = |claim: &str| {
        format!(
            "x := 0#; y := 0#; i := 0#;
             while (ult(i, n)) {{ i := add(i, 1#); y := add(y, 1#); x := add(x, mul(y, y)); }}
             if (mul(6#, x) != {claim}) {{ target: assert true; }}"
        )
    };
    unreachable(&sum("add(add(mul(2#, mul(y, mul(y, y))), mul(3#, mul(y, y))), y)"));
    reached(&sum("add(add(mul(2#, mul(y, mul(y, y))), mul(2#, mul(y, y))), y)"));
}

#[test]
fn division_by_repeated_doubling_keeps_its_equation_in_both_loops() {
    let division = |step: &str| {
        format!(
            "assume ule(1#, m); q := 0#; r := n;
             while (ule(m, r)) {{
               a := 1#; b := m;
               while (ule(b, sub(r, b))) {{ a := mul(2#, a); b := mul(2#, b); }}
               r := sub(r, b); q := add(q, {step});
             }}
             if (n != add(mul(q, m), r)) {{ target: assert true; }}"
        )
    };
    unreachable(&division("a"));
    reached(&division("1#"));
}

#[test]
fn a_geometric_sum_has_an_identity_of_degree_two() {
    unreachable(
        "x := 1#; y := m; i := 1#;
         while (ult(i, n)) { i := add(i, 1#); x := add(mul(x, m), 1#); y := mul(y, m); }
         if (add(1#, mul(x, m)) != add(x, y)) { target: assert true; }",
    );
}

#[test]
fn coefficients_of_the_extended_gcd_keep_their_determinant() {
    unreachable(
        "a := n; b := m; x := 1#; y := 0#; q := 0#; r := 1#;
         while (a != b) {
           if (ult(b, a)) { a := sub(a, b); x := sub(x, y); q := sub(q, r); }
           else { b := sub(b, a); y := sub(y, x); r := sub(r, q); }
         }
         if (sub(mul(x, r), mul(q, y)) != 1#) { target: assert true; }",
    );
}

#[test]
fn sums_that_wrap_keep_their_parity() {
    unreachable(
        "x := 4#; while (x != n) { x := add(x, 6#); havoc c; if (c) { x := mul(x, 3#); } }
         if (rem(x, 2#) == 1#) { target: assert true; }",
    );
    reached("x := 4#; while (x != n) { x := add(x, 3#); } if (rem(x, 2#) == 1#) { target: assert true; }");
}

#[test]
fn ways_that_add_differently_keep_a_sum() {
    unreachable(
        "assume sle(0#, n); i := 0#; a := 0#; b := 0#;
         while (slt(i, n)) {
           havoc c;
           if (c) { a := add(a, 1#); b := add(b, 2#); } else { a := add(a, 2#); b := add(b, 1#); }
           i := add(i, 1#);
         }
         if (add(a, b) != mul(3#, n)) { target: assert true; }",
    );
}

#[test]
fn both_numbers_of_a_gcd_stay_positive() {
    let gcd = |first: &str| {
        format!(
            "a := n; b := m; assume slt(0#, a) && slt({first}, b);
             while (a != b) {{
               if (slt(b, a)) {{ a := sub(a, b); }} else {{ b := sub(b, a); }}
               if (!slt(0#, a)) {{ target: assert true; }}
             }}"
        )
    };
    unreachable(&gcd("0#"));
    reached(&gcd("sub(0#, 2#)"));
}

#[test]
fn which_states_of_a_machine_go_together_is_an_invariant() {
    let machine = |wrong: &str| {
        format!(
            "x := 10#; y := 0#; c := true;
             while (c) {{
               if (x == 10#) {{ y := 0#; x := 20#; }}
               else {{ if (x == 20#) {{ y := 1#; havoc c; x := if c then 30# else 40#; c := true; }}
               else {{ if (x == 30#) {{ if (y == 1#) {{ y := 2#; }} x := 40#; }}
               else {{ if (y == {wrong}) {{ target: assert true; }} havoc c; x := 10#; }} }} }}
             }}"
        )
    };
    unreachable(&machine("0#"));
    reached(&machine("2#"));
}

/// A recursive procedure f(x, y) returns (r), and a claim about what it returns for n and m.
fn recursive(body: &str, claim: &str) -> String {
    let (body, claim) = (body.replace('#', "bv32"), claim.replace('#', "bv32"));
    format!(
        "{} var g: bv32;
         procedure f(x: bv32, y: bv32) returns (r: bv32) modifies g; {{ var a: bv32; {body} }}
         procedure main(n: bv32, m: bv32) modifies g; {{ var r: bv32;
           call r := f(n, m); if ({claim}) {{ target: assert true; }} }}",
        operators(32)
    )
}

#[test]
fn what_a_recursive_procedure_returns_is_an_identity() {
    let addition = |step: &str| {
        let body = format!(
            "if (y == 0#) {{ r := x; }} else {{
               if (slt(0#, y)) {{ call r := f(add(x, 1#), sub(y, 1#)); }}
               else {{ call r := f(sub(x, 1#), add(y, {step})); }} }}"
        );
        recursive(&body, "r != add(n, m)")
    };
    check(&addition("1#"), "unreachable");
    check(&addition("2#"), "reached");
}

#[test]
fn what_a_recursive_procedure_returns_is_a_fact_about_its_argument() {
    let ninety_one = |claim: &str| {
        recursive(
            "if (slt(100#, x)) { r := sub(x, 10#); } else { call a := f(add(x, 11#), y); call r := f(a, y); }",
            claim,
        )
    };
    check(&ninety_one("r != 91# && (sle(n, 101#) || r != sub(n, 10#))"), "unreachable");
    check(&ninety_one("r != 91# && (sle(n, 102#) || r != sub(n, 11#))"), "reached");
}

#[test]
fn what_a_recursive_procedure_does_to_a_variable_is_an_identity() {
    let counted = |step: &str| {
        let body = format!(
            "g := add(g, {step}); if (slt(0#, x)) {{ call r := f(sub(x, 1#), y); }} g := sub(g, 1#);"
        );
        recursive(&body, "g != old(g)")
    };
    check(&counted("1#"), "unreachable");
    check(&counted("2#"), "reached");
}

/// At its end a procedure has r = a, but not for the a of the activation that called it.
#[test]
fn locals_of_another_activation_say_nothing() {
    let body = "a := x; r := x;
                if (ult(0#, x)) { call r := f(sub(x, 1#), y); if (r == a) { r := x; } else { r := 5#; } }";
    check(&recursive(body, "n == 1# && r == 5#"), "reached");
}

/// Writes a random program with the inputs n and m and the map A, and perhaps a procedure f that calls itself.
struct Writer {
    random: Rng,
    width: u32,
    has_calls: bool,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut random = Rng::with_seed(seed ^ 0x1d);
        let width = [4, 4, 8, 16, 32, 32][random.usize(..6)];
        let has_calls = random.u32(..3) == 0;
        Writer { random, width, has_calls }
    }

    fn pick(&mut self, all: &[&str]) -> String {
        all[self.random.usize(..all.len())].to_owned()
    }

    /// A small number, or one near where signed or unsigned numbers wrap.
    fn number(&mut self) -> String {
        let near = u64::from(self.random.u32(..4));
        let bits = match self.random.u32(..8) {
            0 => (1 << (self.width - 1)) - 2 + near,
            1 => (1 << self.width) - 1 - near,
            2 => self.random.u64(..1 << self.width),
            _ => self.random.u64(..12),
        };
        self.literal(bits)
    }

    fn literal(&self, bits: u64) -> String {
        format!("{}bv{}", bits % (1 << self.width), self.width)
    }

    fn atom(&mut self) -> String {
        match self.random.u32(..12) {
            0 | 1 => self.number(),
            2 | 3 => self.pick(&["n", "m"]),
            4 => format!("A[{}]", self.pick(&["x", "y", "n"])),
            _ => self.pick(&["x", "y", "z"]),
        }
    }

    fn value(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.atom();
        }
        let op = self.pick(&["add", "add", "add", "sub", "mul", "mul", "quo", "rem"]);
        let small = self.random.u64(2..=3);
        let right = if op == "quo" || op == "rem" { self.literal(small) } else { self.value(depth - 1) };
        format!("{op}({}, {right})", self.value(depth - 1))
    }

    fn condition(&mut self) -> String {
        if self.random.u32(..12) == 0 {
            return "c".to_owned();
        }
        let op = self.pick(&["slt", "sle", "ult", "ule", "==", "!="]);
        let depth = self.random.u32(..2);
        let (a, b) = (self.value(depth), self.atom());
        if op.ends_with('=') { format!("{a} {op} {b}") } else { format!("{op}({a}, {b})") }
    }

    fn updates(&mut self, depth: u32) -> String {
        let mut text = String::new();
        for _ in 0..self.random.u32(1..=2) {
            let v = self.pick(&["x", "y", "z"]);
            match self.random.u32(..13) {
                0 if depth > 0 => {
                    let (c, a, b) = (self.condition(), self.updates(depth - 1), self.updates(depth - 1));
                    let _ = write!(text, "if ({c}) {{ {a} }} else {{ {b} }} ");
                }
                1 if depth > 0 => {
                    let (c, a) = (self.condition(), self.updates(depth - 1));
                    let _ = write!(text, "while ({c}) {{ {a} }} ");
                }
                // A loop that counts, so that what it does is worth a proof.
                2 if depth > 0 => {
                    let (below, end) = (self.pick(&["slt", "ult", "ule", "sle"]), self.atom());
                    let (first, step) = (self.atom(), self.random.u64(1..=2));
                    let (inner, step) = (self.updates(depth - 1), self.literal(step));
                    let _ = write!(
                        text,
                        "{v} := {first}; while ({below}({v}, {end})) {{ {inner} {v} := add({v}, {step}); }} "
                    );
                }
                3 => {
                    let n = self.number();
                    let _ = write!(text, "{v} := {n}; ");
                }
                4 => {
                    let value = self.value(2);
                    let _ = write!(text, "{v} := {value}; ");
                }
                5 => {
                    let _ = write!(text, "havoc {}; ", if self.random.bool() { "c" } else { &v });
                }
                6 => {
                    let (at, value) = (self.atom(), self.atom());
                    let _ = write!(text, "A[{at}] := {value}; ");
                }
                7 | 8 if self.has_calls => {
                    let (a, b) = (self.value(1), self.atom());
                    let _ = write!(text, "call {v} := f({a}, {b}); ");
                }
                _ => {
                    let (op, by) = (self.pick(&["add", "add", "sub", "mul"]), self.atom());
                    let _ = write!(text, "{v} := {op}({v}, {by}); ");
                }
            }
        }
        text
    }

    /// A procedure that calls itself, mostly for a smaller argument.
    fn callee(&mut self) -> String {
        if !self.has_calls {
            return String::new();
        }
        let (first, last, given) = (self.updates(1), self.updates(1), self.value(1));
        let (goes_on, less) = (self.condition(), self.literal(1));
        let less = if self.random.u32(..4) == 0 { self.atom() } else { format!("sub(n, {less})") };
        let again = self.atom();
        format!(
            "x := n; y := m; {first} if ({goes_on}) {{ call z := f({less}, {again}); {last} }} r := {given};"
        )
    }

    /// What is done in front of the target.
    fn body(&mut self) -> String {
        let mut body = "A := P; ".to_owned();
        for v in ["x", "y", "z"] {
            let first = if self.random.bool() { self.number() } else { self.pick(&["n", "m"]) };
            let _ = write!(body, "{v} := {first}; ");
        }
        if self.random.bool() {
            let _ = write!(body, "assume {}; ", self.condition());
        }
        if self.has_calls && self.random.bool() {
            let _ = write!(body, "call x := f({}, {}); ", self.atom(), self.atom());
        } else {
            let _ = write!(body, "while ({}) {{ {} }} ", self.condition(), self.updates(2));
        }
        body
    }

    /// What a target claims: mostly one comparison, as those are nearly invariants.
    fn claim(&mut self) -> String {
        let claim = self.condition();
        if self.random.u32(..3) == 0 { format!("{claim} && {}", self.condition()) } else { claim }
    }

    fn whole(&self, callee: &str, body: &str, claim: &str) -> String {
        let number = format!("bv{}", self.width);
        let locals = format!("var x, y, z: {number}; var c: bool;");
        format!(
            "{} var A: [{number}]{number};
             procedure f(n: {number}, m: {number}) returns (r: {number}) modifies A; {{ {locals} {callee} }}
             procedure main(n: {number}, m: {number}, P: [{number}]{number}) modifies A; {{ {locals}
               {body} if ({claim}) {{ target: assert true; }} }}",
            operators(self.width)
        )
    }
}

/// A program and its target.
fn target(text: &str) -> Target {
    let (program, sources) = read(text);
    let main = program.procedure_named("main").expect("the procedure");
    find(&program, &sources, "target", Some(main)).expect("the target")
}

/// The number of the first run that gets to the target, of so many random ones and one for each pair of small inputs.
fn reaching(target: &Target, runs: u64) -> Option<u64> {
    let Target { program, spot, .. } = target;
    let interpreter = Interpreter::new(program);
    let params: Vec<_> = program[spot.procedure].bodies[0].params.iter().map(|p| p.symbol).collect();
    let width = program.terms.width(program.terms.symbol(params[0]).sort).expect("a number");
    let limits = Limits { steps: 500, calls: 100, ..Limits::default() };
    let reaches = |oracle: &mut dyn Oracle| {
        let run = interpreter.run(spot.procedure, 0, oracle, &limits);
        run.path.iter().any(|step| (step.procedure, step.block) == (spot.procedure, spot.block))
    };
    let small = |i: u64| {
        let values = [i / 16, i % 16].map(|n| Value::bit_vec(width, &n.into()));
        let entries = params.iter().zip(values).map(|(&symbol, value)| ((0, symbol), value)).collect();
        Script { entries, ..Script::default() }
    };
    let random = (0..runs).find(|&seed| reaches(&mut RandomOracle::new(program, seed)));
    random.or_else(|| (0..runs.min(256)).find(|&i| reaches(&mut Replay::new(&small(i)))))
}

/// A random program; its target is one of several that no short search reaches, if there is such.
fn random_program(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    let (callee, body) = (writer.callee(), writer.body());
    let mut text = String::new();
    for _ in 0..6 {
        let claim = writer.claim();
        text = writer.whole(&callee, &body, &claim);
        if reaching(&target(&text), 6).is_none() {
            break;
        }
    }
    text
}

#[test]
fn what_is_proved_of_random_programs_agrees_with_their_runs() {
    let (seeds, runs) = (seeds(600), if is_thorough() { 600 } else { 80 });
    // Nothing is unfolded, so that induction has to do it.
    let timeout = Some(Duration::from_millis(if is_thorough() { 300 } else { 60 }));
    let options = Options { timeout, max_unfold: 0, tests: false, ..Options::default() };
    let count = seeds.end - seeds.start;
    let proved = in_parallel(seeds, |seed| {
        let text = random_program(seed);
        let target = target(&text);
        let Target { program, spot, .. } = &target;
        let place = Place::Segment { block: spot.block, first: 0 };
        let place = Origin { procedure: spot.procedure, body: spot.body, place };
        let stop = AtomicBool::new(false);
        let proved = prove_unreachable(program, spot.procedure, 0, place, &options, &stop);
        let proved = proved.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        if proved {
            let run = reaching(&target, runs);
            assert_eq!(run, None, "seed {seed}: what is reached was proved unreachable\n{text}");
        }
        proved
    });
    let proved = proved.into_iter().filter(|p| *p).count() as u64;
    assert!(proved >= count / 20, "{proved} of {count} were proved");
    if is_thorough() {
        report(&format!("{proved} of {count} were proved"));
    }
}
