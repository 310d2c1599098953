//! Proofs by induction: polynomial identities modulo 2ⁿ, facts that are guessed and proved, and both together; and random
//! programs of machine integers, compared with all their runs.
//! `FOOTPATH_LOOP_PROGRAMS` says how many programs, `FOOTPATH_LOOP_SEED` where they start.

mod common;

use std::fmt::Write as _;
use std::time::Duration;

use common::{check, reach_with, read};
use fastrand::Rng;
use footpath_ir::interp::{Interpreter, Limits, Replay, Script};
use footpath_loops::{Options, Verdict, find};
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

/// Writes a random program of 4-bit integers with the inputs n and m.
struct Writer {
    random: Rng,
}

impl Writer {
    fn pick(&mut self, all: &[&str]) -> String {
        all[self.random.usize(..all.len())].to_owned()
    }

    fn number(&mut self) -> String {
        format!("{}bv4", self.random.u32(..16))
    }

    fn atom(&mut self) -> String {
        match self.random.u32(..5) {
            0 => self.number(),
            1 => self.pick(&["n", "m"]),
            _ => self.pick(&["x", "y", "z"]),
        }
    }

    fn value(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.atom();
        }
        let op = self.pick(&["add", "add", "add", "sub", "mul", "mul", "quo", "rem"]);
        let small = ["2bv4", "3bv4"];
        let right = if op == "quo" || op == "rem" { self.pick(&small) } else { self.value(depth - 1) };
        format!("{op}({}, {right})", self.value(depth - 1))
    }

    fn condition(&mut self) -> String {
        let op = self.pick(&["slt", "ult", "ule", "==", "!="]);
        let depth = self.random.u32(..2);
        let (a, b) = (self.value(depth), self.atom());
        if op.ends_with('=') { format!("{a} {op} {b}") } else { format!("{op}({a}, {b})") }
    }

    fn updates(&mut self, depth: u32) -> String {
        let mut text = String::new();
        for _ in 0..self.random.u32(1..=2) {
            let v = self.pick(&["x", "y", "z"]);
            match self.random.u32(..8) {
                0 if depth > 0 => {
                    let (c, a, b) = (self.condition(), self.updates(depth - 1), self.updates(depth - 1));
                    let _ = write!(text, "if ({c}) {{ {a} }} else {{ {b} }} ");
                }
                1 if depth > 0 => {
                    let (c, a) = (self.condition(), self.updates(depth - 1));
                    let _ = write!(text, "while ({c}) {{ {a} }} ");
                }
                2 => {
                    let n = self.number();
                    let _ = write!(text, "{v} := {n}; ");
                }
                3 => {
                    let value = self.value(2);
                    let _ = write!(text, "{v} := {value}; ");
                }
                _ => {
                    let (op, by) = (self.pick(&["add", "add", "sub", "mul"]), self.atom());
                    let _ = write!(text, "{v} := {op}({v}, {by}); ");
                }
            }
        }
        text
    }

    fn program(&mut self) -> String {
        let mut body = String::new();
        for v in ["x", "y", "z"] {
            let first = if self.random.bool() { self.number() } else { self.atom_of_inputs() };
            let _ = write!(body, "{v} := {first}; ");
        }
        if self.random.bool() {
            let _ = write!(body, "assume {}; ", self.condition());
        }
        let _ = write!(body, "while ({}) {{ {} }} ", self.condition(), self.updates(2));
        let more = self.condition();
        let _ = write!(body, "if ({} && {more}) {{ target: assert true; }}", self.condition());
        format!("{}procedure main(n: bv4, m: bv4) {{ var x, y, z: bv4; {body} }}", operators(4))
    }

    fn atom_of_inputs(&mut self) -> String {
        self.pick(&["n", "m"])
    }
}

/// An input with which a run gets to the target.
fn reaching(text: &str) -> Option<(u32, u32)> {
    let (program, sources) = read(text);
    let main = program.procedure_named("main").expect("the procedure");
    let target = find(&program, &sources, "target", Some(main)).expect("the target");
    let interpreter = Interpreter::new(&target.program);
    let params: Vec<_> = program[main].bodies[0].params.iter().map(|p| p.symbol).collect();
    let limits = Limits { steps: 500, ..Limits::default() };
    (0..256).map(|i| (i / 16, i % 16)).find(|&(n, m)| {
        let mut script = Script::default();
        for (&symbol, value) in params.iter().zip([n, m]) {
            script.entries.insert((0, symbol), Value::bit_vec(4, &value.into()));
        }
        let run = interpreter.run(main, 0, &mut Replay::new(&script), &limits);
        run.path.iter().any(|step| step.block == target.spot.block)
    })
}

#[test]
fn what_is_proved_of_random_programs_agrees_with_all_their_runs() {
    let of =
        |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok()).unwrap_or(default);
    let first = of("FOOTPATH_LOOP_SEED", 0);
    let count = of("FOOTPATH_LOOP_PROGRAMS", 100);
    // Nothing is unfolded, so that induction has to do it.
    let options =
        Options { timeout: Some(Duration::from_secs(1)), max_unfold: 0, tests: false, ..Options::default() };
    let mut proved = 0;
    for seed in first..first + count {
        let text = Writer { random: Rng::with_seed(seed ^ 0x1d) }.program();
        let found = reach_with(&text, "target", &options);
        if matches!(found.verdict, Verdict::Unreachable) {
            proved += 1;
            assert_eq!(reaching(&text), None, "seed {seed}: what is reached was proved unreachable\n{text}");
        }
    }
    assert!(proved >= count / 20, "{proved} of {count} were proved");
}
