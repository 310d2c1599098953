//! Proofs about all elements of an array: programs whose loops fill, change, copy and check arrays, and random ones, compared with
//! their runs.
//!
//! `FOOTPATH_LOOP_PROGRAMS` says how many programs, `FOOTPATH_LOOP_SEED` where they start.

use std::fmt::Write as _;
use std::time::Duration;

use super::common::{reach_with, seeds};
use super::induction::{compare, reaching, target};
use super::programs::operators;
use fastrand::Rng;
use footpath_loop_summaries::Options;

/// A program of 32-bit integers with the inputs n and m and two arrays.
fn with(body: &str) -> String {
    let body = body.replace('#', "bv32");
    let arrays = "var A, B: [bv32]bv32;";
    format!("{}procedure main(n: bv32, m: bv32) {{ var i, s: bv32; {arrays} {body} }}", operators(32))
}

/// Without unfolding, that is for any number of rounds.
fn unreachable(body: &str) {
    let options = Options { timeout: Some(Duration::from_secs(200)), max_unfold: 0, ..Options::default() };
    let found = reach_with(&with(body), "target", &options);
    assert_eq!(found.verdict.name(), "unreachable", "{found:#?}\n{body}");
}

fn reached(body: &str) {
    super::common::check(&with(body), "reached");
}

const EACH: &str = "i := 0#; while (slt(i, n))";

#[test]
fn what_one_loop_writes_another_one_reads() {
    unreachable(&format!(
        "{EACH} {{ A[i] := add(i, i); i := add(i, 1#); }}
         {EACH} {{ if (A[i] != add(i, i)) {{ target: assert true; }} i := add(i, 1#); }}"
    ));
    reached(&format!(
        "{EACH} {{ A[i] := add(i, i); i := add(i, 1#); }}
         {EACH} {{ if (A[i] == 4#) {{ target: assert true; }} i := add(i, 1#); }}"
    ));
}

#[test]
fn sums_of_elements_are_known_where_the_elements_are() {
    unreachable(&format!(
        "s := 0#; {EACH} {{ A[i] := 3#; i := add(i, 1#); }}
         {EACH} {{ s := add(s, A[i]); i := add(i, 1#); }}
         {EACH} {{ A[i] := add(A[i], s); i := add(i, 1#); }}
         {EACH} {{ if (A[i] != add(mul(3#, n), 3#)) {{ target: assert true; }} i := add(i, 1#); }}"
    ));
}

#[test]
fn elements_that_depend_on_the_one_before_are_polynomials() {
    unreachable(
        "A[0#] := 1#; i := 1#;
         while (slt(i, n)) { A[i] := add(A[sub(i, 1#)], 2#); i := add(i, 1#); }
         B[0#] := 1#; i := 1#;
         while (slt(i, n)) { B[i] := add(add(B[sub(i, 1#)], A[sub(i, 1#)]), 2#); i := add(i, 1#); }
         i := 0#;
         while (slt(i, n)) {
           if (B[i] != mul(add(i, 1#), add(i, 1#))) { target: assert true; }
           i := add(i, 1#);
         }",
    );
}

#[test]
fn what_is_copied_backwards_is_at_another_place() {
    unreachable(&format!(
        "{EACH} {{ B[i] := A[sub(sub(n, 1#), i)]; i := add(i, 1#); }}
         if (sle(0#, m) && slt(m, n) && B[m] != A[sub(sub(n, 1#), m)]) {{ target: assert true; }}"
    ));
    reached(&format!(
        "{EACH} {{ B[i] := A[sub(sub(n, 1#), i)]; i := add(i, 1#); }}
         if (sle(0#, m) && slt(m, n) && B[m] != A[m]) {{ target: assert true; }}"
    ));
}

#[test]
fn an_element_that_no_loop_gets_to_is_not_known() {
    reached(&format!(
        "{EACH} {{ A[i] := 1#; i := add(i, 1#); }}
         {EACH} {{ if (A[add(i, 1#)] != 1#) {{ target: assert true; }} i := add(i, 1#); }}"
    ));
    reached("if (A[m] != 1#) { i := 0#; while (slt(i, n)) { i := add(i, 1#); } target: assert true; }");
}

/// The verdict on a program that writes a map of another kind beside an array.
fn beside(sorts: &str, index: &str) -> &'static str {
    let text = format!(
        "type Field a; type T;
         {}procedure main(n: bv32, m: bv32, f: Field bv32, t: T) {{
           var i: bv32; var A: [bv32]bv32; var C: {sorts};
           i := 0bv32;
           while (slt(i, n)) {{ A[i] := 2bv32; C[{index}] := add(C[{index}], A[i]); i := add(i, 1bv32); }}
           i := 0bv32;
           while (slt(i, n)) {{
             if (A[i] != 2bv32 && C[{index}] != m) {{ target: assert true; }}
             i := add(i, 1bv32);
           }}
         }}",
        operators(32)
    );
    let options = Options { timeout: Some(Duration::from_secs(200)), max_unfold: 0, ..Options::default() };
    reach_with(&text, "target", &options).verdict.name()
}

#[test]
fn maps_of_other_kinds_stand_beside_arrays() {
    assert_eq!(beside("[T]bv32", "t"), "unreachable");
    assert_eq!(beside("[bool]bv32", "n == m"), "unreachable");
    // Of maps with type parameters solvers know little.
    assert_ne!(beside("<a>[Field a]a", "f"), "reached");
}

/// A program whose loops write and read two arrays, and a claim about elements or a sum of them, with the inputs n and m.
struct Writer {
    random: Rng,
    width: u32,
}

impl Writer {
    fn pick(&mut self, all: &[&str]) -> String {
        all[self.random.usize(..all.len())].to_owned()
    }

    fn literal(&self, n: i64) -> String {
        format!("{}bv{}", n.rem_euclid(1 << self.width), self.width)
    }

    fn number(&mut self, low: i64, high: i64) -> String {
        let n = self.random.i64(low..=high);
        self.literal(n)
    }

    fn index(&mut self) -> String {
        let by = self.number(-1, 1);
        match self.random.u32(..10) {
            0..=5 => "i".to_owned(),
            6 | 7 => format!("add(i, {by})"),
            8 => "sub(n, i)".to_owned(),
            _ => self.pick(&["m", "n", "s", "add(i, i)", "B[i]"]),
        }
    }

    fn value(&mut self, array: &str, index: &str) -> String {
        let number = self.number(-2, 5);
        match self.random.u32(..9) {
            0 | 1 => number,
            2 => "i".to_owned(),
            3 => self.pick(&["s", "n", "m", "mul(i, i)"]),
            4 => format!("add({array}[{index}], {number})"),
            5 => format!("add({array}[sub({index}, {})], {number})", self.literal(1)),
            6 => {
                let (other, at) = (self.pick(&["A", "B"]), self.index());
                format!("{other}[{at}]")
            }
            7 => format!("add(i, {number})"),
            _ => format!("add({}[{index}], s)", self.pick(&["A", "B"])),
        }
    }

    fn condition(&mut self) -> String {
        let (array, at, number) = (self.pick(&["A", "B"]), self.index(), self.number(-2, 4));
        match self.random.u32(..5) {
            0 => format!("{array}[{at}] == {number}"),
            1 => format!("slt({array}[{at}], {number})"),
            2 => format!("rem(i, {}) == {}", self.literal(2), self.literal(0)),
            3 => format!("i == {number}"),
            _ => "slt(i, m)".to_owned(),
        }
    }

    fn statement(&mut self) -> String {
        if self.random.u32(..4) == 0 {
            let condition = self.condition();
            let (then, other) = (self.plain(), self.plain());
            return format!("if ({condition}) {{ {then} }} else {{ {other} }}");
        }
        self.plain()
    }

    fn plain(&mut self) -> String {
        let (array, at) = (self.pick(&["A", "A", "B"]), self.index());
        match self.random.u32(..5) {
            0 => format!("s := add(s, {array}[{at}]);"),
            1 if self.random.bool() => format!("s := add(s, {});", self.number(-1, 3)),
            _ => {
                let value = self.value(&array, &at);
                format!("{array}[{at}] := {value};")
            }
        }
    }

    /// A loop that goes up or down.
    fn each(&mut self, body: &str) -> String {
        let (from, by) = (self.number(-1, 1), self.number(1, 2));
        let one = self.literal(1);
        let below = self.pick(&["slt", "slt", "ult"]);
        match self.random.u32(..8) {
            0 => {
                let last = self.pick(&["n", "m"]);
                let nought = self.literal(0);
                format!(
                    "i := sub({last}, {one}); while (sle({nought}, i)) {{ {body} i := sub(i, {one}); }}\n"
                )
            }
            1 => format!("i := {from}; while ({below}(i, m)) {{ {body} i := add(i, {by}); }}\n"),
            _ => {
                let nought = self.literal(0);
                format!("i := {nought}; while ({below}(i, n)) {{ {body} i := add(i, {one}); }}\n")
            }
        }
    }

    fn loops(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.random.u32(1..=3) {
            let mut body = String::new();
            for _ in 0..self.random.u32(1..=2) {
                let _ = write!(body, "{} ", self.statement());
            }
            if self.random.u32(..4) == 0 {
                let (array, number) = (self.pick(&["A", "B"]), self.number(0, 2));
                let _ = writeln!(text, "{array}[{}] := {number};", self.literal(0));
            }
            text += &self.each(&body);
        }
        text
    }

    fn claim(&mut self) -> String {
        let (array, at) = (self.pick(&["A", "A", "B"]), self.index());
        let value = self.value(&array, &at);
        let left = if self.random.u32(..5) == 0 { "s".to_owned() } else { format!("{array}[{at}]") };
        let number = self.number(-2, 4);
        let claim = match self.random.u32(..6) {
            0 => format!("slt({left}, {number})"),
            1 => format!("sle({number}, {left})"),
            2 => format!("{left} == A[{at}]"),
            _ => format!("{left} == {value}"),
        };
        let claimed = format!("if (!({claim})) {{ target: assert true; }}");
        match self.random.u32(..3) {
            0 => format!("if (sle({}, m) && slt(m, n)) {{ i := m; {claimed} }}", self.literal(0)),
            _ => self.each(&claimed),
        }
    }

    fn whole(&self, loops: &str, claim: &str) -> String {
        let number = format!("bv{}", self.width);
        format!(
            "{}procedure main(n: {number}, m: {number}) {{ var i, s: {number}; var A, B: [{number}]{number};\n\
             s := {};\n{loops}{claim}\n}}",
            operators(self.width),
            self.literal(0)
        )
    }
}

/// A random program; its target is one of several that no short search reaches, if there is such.
fn random_program(seed: u64) -> String {
    let mut random = Rng::with_seed(seed ^ 0xa77a);
    let width = [4, 4, 4, 8, 32][random.usize(..5)];
    let mut writer = Writer { random, width };
    let loops = writer.loops();
    let mut text = String::new();
    for _ in 0..8 {
        let claim = writer.claim();
        text = writer.whole(&loops, &claim);
        if reaching(&target(&text), 6).is_none() {
            break;
        }
    }
    text
}

#[test]
fn what_is_proved_of_random_programs_with_arrays_agrees_with_their_runs() {
    compare(seeds(300), [200, 1_500], &random_program);
}
