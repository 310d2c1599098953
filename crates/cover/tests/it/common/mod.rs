//! Random programs over small domains, and all their runs.

#![allow(dead_code)]

use std::collections::HashSet;
use std::fmt::Write as _;

use fastrand::Rng;
use footpath_ir::interp::{Ask, Heard, Interpreter, Limits, Listener, Outcome, Replay, Script};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{BlockId, Body, Origin, Place, ProcId, Program, StatementKind};
use footpath_term::Value;

/// Writes a program text.
pub struct Writer {
    rng: Rng,
    text: String,
    labels: u32,
    loops: bool,
    /// Assumption variables that no statement changes yet.
    assumptions: Vec<&'static str>,
    /// The variables in scope.
    variables: &'static [&'static str],
}

impl Writer {
    pub fn program(seed: u64, loops: bool) -> String {
        let mut w = Writer {
            rng: Rng::with_seed(seed),
            text: String::new(),
            labels: 0,
            loops,
            assumptions: vec!["a", "c", "d"],
            variables: &["x", "y", "g"],
        };
        w.text.push_str(
            "function {:bvbuiltin \"bvadd\"} add(bv2, bv2): bv2;\n\
             function {:bvbuiltin \"bvult\"} ult(bv2, bv2): bool;\n\
             var g: bv2;\n\
             var {:assumption} d: bool;\n\
             procedure Q(z: bv2) returns (q: bv2) modifies g;\n{\n\
               if (ult(z, g)) { q := add(z, 1bv2); g := z; } else { q := g; }\n}\n\
             procedure P(x: bv2, y: bv2, b: bool) returns (r: bv2) modifies g, d;\n",
        );
        if w.rng.u8(..4) == 0 {
            let (a, b) = (w.value(), w.value());
            let _ = writeln!(w.text, "  requires {a} != {b};");
        }
        w.variables = &["x", "y", "r", "g"];
        if w.rng.u8(..4) == 0 {
            let (a, b) = (w.value(), w.value());
            let _ = writeln!(w.text, "  ensures {a} != {b};");
        }
        w.text.push_str("{\n  var h: bool;\n  var {:assumption} a, c: bool;\n  h := false;\n");
        w.statements(3, 1);
        w.text.push_str("}\n");
        w.text
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
        match self.rng.u8(..20) {
            0..=5 if depth > 0 => {
                let guard = if self.rng.u8(..8) == 0 { "*".to_owned() } else { condition };
                self.line(indent, &format!("if ({guard}) {{"));
                self.statements(depth - 1, indent + 1);
                if self.rng.bool() {
                    self.line(indent, "} else {");
                    self.statements(depth - 1, indent + 1);
                }
                self.line(indent, "}");
            }
            6 if depth > 0 && self.loops => {
                self.line(indent, &format!("while ({condition}) {{"));
                self.statements(depth - 1, indent + 1);
                self.line(indent, "}");
            }
            7 if depth > 0 => {
                self.labels += 1;
                let n = self.labels;
                self.line(indent, &format!("goto A{n}, B{n};"));
                self.line(indent, &format!("A{n}: assume {condition};"));
                self.statements(0, indent + 1);
                self.line(indent, &format!("goto C{n};"));
                let other = if self.rng.bool() { format!("!({condition})") } else { self.condition() };
                self.line(indent, &format!("B{n}: assume {other};"));
                self.statements(0, indent + 1);
                self.line(indent, &format!("C{n}: r := add(r, 1bv2);"));
            }
            8 => self.line(indent, &format!("assert {condition};")),
            9 => self.line(indent, &format!("assume {condition};")),
            10 => self.line(indent, "havoc h;"),
            11 => self.line(indent, "call r := Q(r);"),
            12 if !self.assumptions.is_empty() => {
                let a = self.assumptions.swap_remove(self.rng.usize(..self.assumptions.len()));
                self.line(indent, &format!("{a} := {a} && ({condition});"));
            }
            13 => {
                let premise = ["a", "a && c", "c || d", "d && !c", "false", "true"][self.rng.usize(..6)];
                self.line(indent, &format!("assert {{:verified {premise}}} {condition};"));
            }
            14 => {
                let preferred = ["!a", "!(c && d)", "d", "!d || a"][self.rng.usize(..4)];
                self.line(indent, &format!("assume {{:tryfirst {preferred}}} true;"));
            }
            _ => {
                let target = ["r", "g"][self.rng.usize(..2)];
                let value = self.value();
                self.line(indent, &format!("{target} := {value};"));
            }
        }
    }

    fn value(&mut self) -> String {
        let variable = self.variables[self.rng.usize(..self.variables.len())];
        match self.rng.u8(..3) {
            0 => variable.to_owned(),
            1 => format!("{}bv2", self.rng.u8(..4)),
            _ => format!("add({variable}, {}bv2)", self.rng.u8(1..4)),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        match self.rng.u8(..6) {
            0 | 1 => format!("{a} == {b}"),
            2 | 3 => format!("ult({a}, {b})"),
            4 => "b".to_owned(),
            _ => format!("h || {a} != {b}"),
        }
    }
}

/// What the runs of a procedure show.
#[derive(Default)]
pub struct Truth {
    /// Blocks that a run enters.
    pub visited: HashSet<BlockId>,
    /// Blocks that a run that returns enters.
    pub returned: HashSet<BlockId>,
    /// Edges that a run takes, each by the block and the position among its successors.
    pub taken: HashSet<(BlockId, u32)>,
    /// Edges that a run that returns takes.
    pub returned_by: HashSet<(BlockId, u32)>,
    /// Failures.
    pub failed: HashSet<Origin>,
    /// Whether a run was too long to be followed.
    pub endless: bool,
}

fn bits(n: u32) -> Value {
    Value::bit_vec(2, &n.into())
}

/// Tries all inputs, all values of up to three havocs, all ways at up to three free choices.
pub fn try_all(program: &Program, procedure: ProcId) -> Truth {
    let mut truth = Truth::default();
    let interpreter = Interpreter::new(program);
    let body = &program[procedure].bodies[0];
    let (g, r) = (program.globals[0].variable.symbol, body.results[0].symbol);
    let params: Vec<_> = body.params.iter().map(|p| p.symbol).collect();
    let limits = Limits { steps: 2_000, ..Limits::default() };
    // For each input, the bits that runs asked for, with their values: who agrees on them is the same run.
    let mut tried: Vec<(u32, u32)> = Vec::new();
    let mut input = 0;
    for case in (0..1u32 << 9).flat_map(|input| (0..1u32 << 6).map(move |rest| rest << 9 | input)) {
        let take = |shift: u32, width: u32| case >> shift & ((1 << width) - 1);
        if take(0, 9) != input {
            tried.clear();
            input = take(0, 9);
        }
        if tried.iter().any(|&(asked, values)| case & asked == values) {
            continue;
        }
        let mut script = Script::default();
        script.entries.insert((0, params[0]), bits(take(0, 2)));
        script.entries.insert((0, params[1]), bits(take(2, 2)));
        script.entries.insert((0, params[2]), Value::Bool(take(4, 1) == 1));
        script.entries.insert((0, g), bits(take(5, 2)));
        script.entries.insert((0, r), bits(take(7, 2)));
        script.havocs = (9..12).map(|i| Value::Bool(take(i, 1) == 1)).collect();
        script.choices = (12..15).map(|i| take(i, 1) as usize).collect();
        let mut replay = Replay::new(&script);
        let mut heard = Heard::new(&mut replay, Asked::default());
        let run = interpreter.run(procedure, 0, &mut heard, &limits);
        let Asked { havocs, choices } = heard.listener;
        let asked = ((1 << havocs.min(3)) - 1) << 9 | ((1 << choices.min(3)) - 1) << 12;
        tried.push((asked, case & asked));
        let edges = run.path.iter().filter(|s| s.procedure == procedure).map(|s| s.from);
        let passed = edges.clone().count() - usize::from(stopped_at_the_door(body, &run.outcome));
        truth.taken.extend(edges.clone().take(passed).flatten());
        if run.outcome == Outcome::Returned {
            truth.returned_by.extend(edges.flatten());
        }
        let own = run.path.iter().filter(|s| s.procedure == procedure).map(|s| s.block);
        truth.visited.extend(
            own.clone().take(own.clone().count() - usize::from(stopped_at_the_door(body, &run.outcome))),
        );
        match run.outcome {
            Outcome::Returned => truth.returned.extend(own),
            Outcome::Failed { at, .. } => {
                truth.failed.insert(at);
            }
            Outcome::OutOfSteps => truth.endless = true,
            Outcome::Blocked { .. } => {}
            Outcome::Stuck { why, .. } => panic!("stuck: {why}"),
        }
    }
    truth
}

/// How many havocked values and choices a run asked for.
#[derive(Default)]
struct Asked {
    havocs: u32,
    choices: u32,
}

impl Listener for Asked {
    fn havoc(&mut self, _: &Ask<'_>, _: &Value) -> Option<Value> {
        self.havocs += 1;
        None
    }

    fn choose(&mut self, _: Origin, _: &[BlockId], _: usize) {
        self.choices += 1;
    }
}

/// Whether a run was blocked by an assumption that a block starts with: those guard the block. Preferences do nothing.
fn stopped_at_the_door(body: &Body, outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Blocked { at: Origin { place: Place::Segment { block, first }, .. } } => {
            let before = body[*block].statements.iter().take(*first as usize);
            before.clone().all(|s| matches!(s.kind, StatementKind::Assume(_) | StatementKind::TryFirst(_)))
        }
        _ => false,
    }
}

pub fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("random.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}\n{text}");
    program.expect("a program without errors is read")
}

pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse().ok());
    let first = number("FOOTPATH_SEED").unwrap_or(0);
    first..first + number("FOOTPATH_PROGRAMS").unwrap_or(count)
}

impl Truth {
    /// Whether some run gets to a goal.
    pub fn visited_by(&self, goal: &footpath_concolic::Goal) -> bool {
        match goal.origin.place {
            Place::Segment { block, .. } => self.visited.contains(&block),
            _ => self.failed.contains(&goal.origin),
        }
    }
}
