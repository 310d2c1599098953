//! Random programs of machine integers of 4 to 32 bits with maps, arbitrary values and recursion.

#![allow(dead_code, reason = "each test uses some of it")]

use std::fmt::Write as _;

use fastrand::Rng;

/// The operators of a width.
pub fn operators(width: u32) -> String {
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

/// Writes a random program with the inputs n and m and the map A, and perhaps a procedure f that calls itself.
pub struct Writer {
    random: Rng,
    width: u32,
    has_calls: bool,
    /// Whether there are checks on the way.
    has_checks: bool,
}

impl Writer {
    pub fn new(seed: u64) -> Writer {
        let mut random = Rng::with_seed(seed ^ 0x1d);
        let width = [4, 4, 8, 16, 32, 32][random.usize(..6)];
        let has_calls = random.u32(..3) == 0;
        Writer { random, width, has_calls, has_checks: false }
    }

    /// Writes programs with assertions, and marks of what does not stop a program.
    pub fn with_checks(seed: u64) -> Writer {
        Writer { has_checks: true, ..Writer::new(seed) }
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
                9 if self.has_checks => {
                    let claim = self.claim();
                    let _ = write!(text, "if ({claim}) {{ assume {{:fails \"overflow\"}} true; }} ");
                }
                10 if self.has_checks => {
                    let claim = self.claim();
                    let _ = write!(text, "assert !({claim}); ");
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
    pub fn callee(&mut self) -> String {
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
    pub fn body(&mut self) -> String {
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
    pub fn claim(&mut self) -> String {
        let claim = self.condition();
        if self.random.u32(..3) == 0 { format!("{claim} && {}", self.condition()) } else { claim }
    }

    pub fn whole(&self, callee: &str, body: &str, claim: &str) -> String {
        self.ending(callee, body, &format!("if ({claim}) {{ target: assert true; }}"))
    }

    /// A program that does something in the end.
    pub fn ending(&self, callee: &str, body: &str, end: &str) -> String {
        let number = format!("bv{}", self.width);
        let locals = format!("var x, y, z: {number}; var c: bool;");
        format!(
            "{} var A: [{number}]{number};
             procedure f(n: {number}, m: {number}) returns (r: {number}) modifies A; {{ {locals} {callee} }}
             procedure main(n: {number}, m: {number}, P: [{number}]{number}) modifies A; {{ {locals}
               {body} {end} }}",
            operators(self.width)
        )
    }
}
