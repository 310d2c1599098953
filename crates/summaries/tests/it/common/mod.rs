//! What tests of this crate share.

// Not every test needs everything.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use fastrand::Rng;
use footpath_ir::Program;
use footpath_ir::source::{SourceFile, SourceMap};

/// Writes random programs with call graphs of all shapes.
pub struct Writer {
    rng: Rng,
    text: String,
    labels: u32,
    procedures: u32,
    /// The procedure that is being written.
    current: u32,
    recursive: bool,
    loops: bool,
    determined: bool,
}

impl Writer {
    /// A program: whether procedures may call themselves, whether they have loops.
    pub fn program(seed: u64, recursive: bool, loops: bool) -> String {
        Writer::write(seed, recursive, loops, false)
    }

    /// The same, but what a run does is decided by what it begins with.
    pub fn determined(seed: u64, recursive: bool, loops: bool) -> String {
        Writer::write(seed, recursive, loops, true)
    }

    fn write(seed: u64, recursive: bool, loops: bool, determined: bool) -> String {
        let mut rng = Rng::with_seed(seed);
        let procedures = rng.u32(2..=5);
        let text = String::new();
        let mut w = Writer { rng, text, labels: 0, procedures, current: 0, recursive, loops, determined };
        w.text.push_str(
            "function {:bvbuiltin \"bvadd\"} add(bv2, bv2): bv2;\n\
             function {:bvbuiltin \"bvult\"} ult(bv2, bv2): bool;\n\
             var g: bv2;\nvar m: [bv2]bv2;\n",
        );
        for i in 0..procedures {
            w.current = i;
            let _ = write!(w.text, "procedure P{i}(x: bv2, y: bv2) returns (r: bv2, s: bv2) modifies g, m;");
            if w.rng.u8(..6) == 0 {
                let (a, b) = (w.of(&["x", "y", "g"]), w.of(&["x", "g", "0bv2"]));
                let free = if w.rng.bool() { "free " } else { "" };
                let _ = write!(w.text, " {free}requires {a} != {b};");
            }
            if w.rng.u8(..6) == 0 {
                let (a, b) = (w.of(&["r", "g", "old(g)"]), w.of(&["x", "s", "3bv2"]));
                let free = if w.rng.bool() { "free " } else { "" };
                let _ = write!(w.text, " {free}ensures {a} != {b};");
            }
            w.text.push_str("\n{\n  var h: bool;\n");
            if determined {
                w.line(1, "h, r, s := x == y, x, 0bv2;");
            }
            w.statements(2, 1);
            w.text.push_str("}\n");
        }
        w.text
    }

    fn of(&mut self, among: &[&str]) -> String {
        among[self.rng.usize(..among.len())].to_owned()
    }

    fn statements(&mut self, depth: u32, indent: usize) {
        for _ in 0..self.rng.u32(1..=3) {
            self.statement(depth, indent);
        }
    }

    fn line(&mut self, indent: usize, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(indent));
    }

    fn statement(&mut self, depth: u32, indent: usize) {
        let condition = self.condition();
        match self.rng.u8(..18) {
            0..=3 if depth > 0 => {
                let guard =
                    if !self.determined && self.rng.u8(..6) == 0 { "*".to_owned() } else { condition };
                self.line(indent, &format!("if ({guard}) {{"));
                self.statements(depth - 1, indent + 1);
                if self.rng.bool() {
                    self.line(indent, "} else {");
                    self.statements(depth - 1, indent + 1);
                }
                self.line(indent, "}");
            }
            4 if depth > 0 && self.loops => {
                self.line(indent, &format!("while ({condition}) {{"));
                self.statements(depth - 1, indent + 1);
                self.line(indent, "}");
            }
            5 if depth > 0 && !self.determined => {
                self.labels += 1;
                let n = self.labels;
                self.line(indent, &format!("goto A{n}, B{n};"));
                self.line(indent, &format!("A{n}: assume {condition};"));
                self.line(indent, &format!("goto C{n};"));
                let other = if self.rng.bool() { format!("!({condition})") } else { self.condition() };
                self.line(indent, &format!("B{n}: assume {other};"));
                self.line(indent, &format!("C{n}: s := add(s, 1bv2);"));
            }
            6 => self.line(indent, &format!("assert {condition};")),
            7 => self.line(indent, &format!("assume {condition};")),
            8 if !self.determined => {
                let forgotten = self.of(&["h", "r"]);
                self.line(indent, &format!("havoc {forgotten};"));
            }
            9..=13 => {
                let callee = if self.recursive && self.rng.u8(..3) == 0 {
                    self.rng.u32(..self.procedures)
                } else if self.current + 1 < self.procedures {
                    self.rng.u32(self.current + 1..self.procedures)
                } else {
                    return self.line(indent, "s := r;");
                };
                let (a, b) = (self.value(), self.value());
                let targets = if self.rng.bool() { "r, s" } else { "s, r" };
                self.line(indent, &format!("call {targets} := P{callee}({a}, {b});"));
            }
            14 => {
                let (index, value) = (self.value(), self.value());
                self.line(indent, &format!("m[{index}] := {value};"));
            }
            _ => {
                let target = self.of(&["r", "g", "s"]);
                let value = self.value();
                self.line(indent, &format!("{target} := {value};"));
            }
        }
    }

    fn value(&mut self) -> String {
        let variable = self.of(&["x", "y", "g", "r", "s", "m[x]", "m[1bv2]"]);
        match self.rng.u8(..3) {
            0 => variable,
            1 => format!("{}bv2", self.rng.u8(..4)),
            _ => format!("add({variable}, {}bv2)", self.rng.u8(1..4)),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        match self.rng.u8(..6) {
            0..=2 => format!("{a} == {b}"),
            3 | 4 => format!("ult({a}, {b})"),
            _ => format!("h || {a} != {b}"),
        }
    }
}

/// A program of Boogie's language without errors.
pub fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("random.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}\n{text}");
    program.expect("a program without errors is read")
}

/// The seeds of random programs; the environment says how many, and which is the first.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse().ok());
    let first = number("FOOTPATH_SEED").unwrap_or(0);
    first..first + number("FOOTPATH_PROGRAMS").unwrap_or(count)
}

/// A folder of a test that is not there yet.
pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("footpath-summaries-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}
