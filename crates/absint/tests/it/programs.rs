//! Random Boogie programs: loops, maps, bit-vectors, calls, contracts.

// Tests take one of the two kinds.
#![allow(dead_code)]

use std::fmt::Write as _;

use fastrand::Rng;

const HEAD: &str = "function {:bvbuiltin \"bvadd\"} add(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvsub\"} sub(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvmul\"} mul(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvneg\"} neg(bv4): bv4;\n\
    function {:bvbuiltin \"bvudiv\"} udiv(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvurem\"} urem(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvsdiv\"} sdiv(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvsrem\"} srem(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvand\"} and(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvor\"} or(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvxor\"} xor(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvshl\"} shl(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvlshr\"} lshr(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvashr\"} ashr(bv4, bv4): bv4;\n\
    function {:bvbuiltin \"bvslt\"} slt(bv4, bv4): bool;\n\
    function {:bvbuiltin \"bvsle\"} sle(bv4, bv4): bool;\n\
    function {:bvbuiltin \"bvult\"} ult(bv4, bv4): bool;\n\
    function {:bvbuiltin \"bvule\"} ule(bv4, bv4): bool;\n\
    function {:bvbuiltin \"sign_extend 3\"} sx(bv4): bv7;\n\
    function {:bvbuiltin \"zero_extend 3\"} zx(bv4): bv7;\n\
    function {:bvbuiltin \"bvadd\"} add7(bv7, bv7): bv7;\n\
    function {:bvbuiltin \"bvmul\"} mul7(bv7, bv7): bv7;\n\
    function {:bvbuiltin \"bvule\"} ule7(bv7, bv7): bool;\n\
    var g: int;\nvar m: [int]int;\nvar w: [bv4]bv4;\n";

/// Writes a program.
pub struct Writer {
    rng: Rng,
    text: String,
    /// Whether statements may ask for assumptions.
    assumptions: bool,
    /// What may be called.
    callees: &'static [&'static str],
    /// The variables in scope, of each sort.
    ints: &'static [&'static str],
    bits: &'static [&'static str],
    bools: &'static [&'static str],
}

const IN_CONTRACT: [&[&str]; 3] = [&["x", "g"], &["u"], &["b"]];
const IN_BODY: [&[&str]; 3] = [&["x", "y", "z", "g"], &["u", "v", "t"], &["b", "c", "true"]];

impl Writer {
    /// The text of a program with this seed: `P`, which may call `Q` and `R`, of which the former may call the latter.
    pub fn program(seed: u64) -> String {
        Writer::written(seed, false)
    }

    /// The same, with what may be assumed: marks of overflow, calls of `fails`.
    pub fn with_assumptions(seed: u64) -> String {
        Writer::written(seed, true)
    }

    fn written(seed: u64, assumptions: bool) -> String {
        let [ints, bits, bools] = IN_CONTRACT;
        let (rng, text) = (Rng::with_seed(seed), HEAD.to_owned());
        let mut w = Writer { rng, text, assumptions, callees: &[], ints, bits, bools };
        if assumptions {
            w.text.push_str("procedure fails() returns (f: bool);\n");
        }
        for (name, callees) in [("R", &[][..]), ("Q", &["R"]), ("P", &["Q", "Q", "R"])] {
            w.callees = callees;
            let _ = writeln!(w.text, "procedure {name}(x: int, u: bv4, b: bool) returns (y: int, v: bv4)");
            w.text.push_str("  modifies g, m, w;\n");
            if w.rng.u8(..3) == 0 {
                let c = w.condition(1);
                let _ = writeln!(w.text, "  requires {c};");
            }
            if w.rng.u8(..3) == 0 {
                let _ = writeln!(w.text, "  ensures y <= x + {} || g == old(g);", w.rng.u8(..4));
            }
            w.text.push_str("{\n  var z: int; var t: bv4; var c: bool;\n");
            [w.ints, w.bits, w.bools] = IN_BODY;
            w.block(3);
            [w.ints, w.bits, w.bools] = IN_CONTRACT;
            w.text.push_str("}\n");
        }
        w.text
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.rng.usize(..items.len())]
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..self.rng.u32(1..=4) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        if self.assumptions && self.rng.u8(..4) == 0 {
            self.assuming();
            return;
        }
        let choice = self.rng.u8(..if depth > 0 { 22 } else { 14 });
        let line = match choice {
            0..=3 => {
                let target = self.pick(&["y", "z", "g"]);
                format!("{target} := {};", self.int(2))
            }
            4..=6 => {
                let target = self.pick(&["v", "t"]);
                format!("{target} := {};", self.bits(2))
            }
            7 => format!("c := {};", self.condition(1)),
            8 => {
                let target = self.pick(&["z", "t", "c", "y", "g"]);
                format!("havoc {target};")
            }
            9 => format!("m[{}] := {};", self.int(1), self.int(1)),
            10 => format!("w[{}] := {};", self.bits(1), self.bits(1)),
            11 | 12 => format!("assert {};", self.condition(2)),
            13 if !self.callees.is_empty() && self.rng.bool() => {
                let callee = self.pick(self.callees);
                format!("call z, t := {callee}({}, {}, {});", self.int(1), self.bits(1), self.condition(0))
            }
            13 => format!("y, z := {}, {};", self.int(1), self.int(1)),
            14..=17 => {
                let condition = self.condition(2);
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.block(depth - 1);
                if self.rng.bool() {
                    self.text.push_str("} else {\n");
                    self.block(depth - 1);
                }
                "}".to_owned()
            }
            18 => format!("assume {};", self.condition(1)),
            _ => {
                // Most loops count, so that runs end and something holds.
                let (start, test, step) = match self.rng.u8(..4) {
                    0 => {
                        let limit = self.pick(&["x", "5", "y", "g"]);
                        ("z := 0;", format!("z < {limit}"), format!("z := z + {};", self.rng.u8(1..4)))
                    }
                    1 => ("t := 0bv4;", "ult(t, u)".to_owned(), "t := add(t, 1bv4);".to_owned()),
                    2 => ("t := u;", "slt(0bv4, t)".to_owned(), "t := sub(t, 1bv4);".to_owned()),
                    _ => ("", self.condition(1), String::new()),
                };
                let _ = writeln!(self.text, "{start}\nwhile ({test}) {{");
                self.block(depth - 1);
                let _ = writeln!(self.text, "{step}");
                "}".to_owned()
            }
        };
        let _ = writeln!(self.text, "{line}");
    }

    /// Something that holds if a sum does not overflow, or an allocation succeeds.
    fn assuming(&mut self) {
        if self.rng.bool() {
            let (a, b) = (self.pick(self.bits), self.pick(&["u", "v", "t", "1bv4"]));
            let overflows = format!("slt(and(xor({a}, add({a}, {b})), xor(add({a}, {b}), {b})), 0bv4)");
            let _ = writeln!(
                self.text,
                "if ({overflows}) {{ assume {{:fails \"overflow\"}} true; }}\nt := add({a}, {b});"
            );
            if self.rng.bool() {
                let least = self.pick(&[a, b]);
                let _ = writeln!(self.text, "assert sle({least}, t);");
            }
        } else {
            self.text.push_str("call c := fails(); z := (if c then 0 else 5);\n");
            if self.rng.bool() {
                let below = self.pick(&["0", "x", "y"]);
                let _ = writeln!(self.text, "assert z > {below};");
            }
        }
    }

    fn int(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.u8(..3) == 0 {
            return match self.rng.u8(..7) {
                0 | 1 => format!("{}", self.rng.i8(0..6)),
                2 => format!("m[{}]", self.pick(self.ints)),
                _ => self.pick(self.ints).to_owned(),
            };
        }
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        let k = self.rng.u8(1..5);
        match self.rng.u8(..8) {
            0..=2 => format!("({a} + {b})"),
            3 | 4 => format!("({a} - {b})"),
            5 => format!("({a} * {k})"),
            6 => format!("({a} {} {})", self.pick(&["div", "mod"]), self.pick(&["2", "3", "(0 - 3)"])),
            _ => format!("(if {} then {a} else {b})", self.condition(0)),
        }
    }

    fn bits(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.u8(..3) == 0 {
            return match self.rng.u8(..6) {
                0 | 1 => format!("{}bv4", self.rng.u8(..16)),
                2 => format!("w[{}]", self.pick(self.bits)),
                _ => self.pick(self.bits).to_owned(),
            };
        }
        let (a, b) = (self.bits(depth - 1), self.bits(depth - 1));
        let op = self.pick(&[
            "add", "add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "and", "or", "xor", "shl", "lshr",
            "ashr",
        ]);
        match self.rng.u8(..10) {
            0 => format!("neg({a})"),
            1 => format!("(if {} then {a} else {b})", self.condition(0)),
            2 => format!("({a}[2:0] ++ {b}[4:2])"),
            3..=5 => format!("{op}({a}, {}bv4)", self.rng.u8(..5)),
            _ => format!("{op}({a}, {b})"),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth > 0 && self.rng.u8(..3) == 0 {
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            return match self.rng.u8(..5) {
                0 => format!("!({a})"),
                1 | 2 => format!("({a} && {b})"),
                3 => format!("({a} || {b})"),
                _ => format!("({a} <==> {b})"),
            };
        }
        match self.rng.u8(..9) {
            0 => self.pick(self.bools).to_owned(),
            1..=4 => {
                let op = self.pick(&["<", "<=", "==", "!=", ">"]);
                format!("{} {op} {}", self.int(1), self.int(1))
            }
            5 => format!("{} {} {}", self.bits(1), self.pick(&["==", "!="]), self.bits(1)),
            6 => {
                let (a, b) = (self.bits(0), self.bits(0));
                let test = format!("slt(and(xor({a}, add({a}, {b})), xor(add({a}, {b}), {b})), 0bv4)");
                if self.rng.bool() { test } else { format!("!{test}") }
            }
            7 => {
                let wide = self.pick(&["sx", "zx"]);
                format!("ule7(mul7({wide}({}), 4bv7), {}bv7)", self.bits(0), self.rng.u8(..128))
            }
            _ => {
                let op = self.pick(&["slt", "sle", "ult", "ule"]);
                format!("{op}({}, {})", self.bits(1), self.bits(1))
            }
        }
    }
}
