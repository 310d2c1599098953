//! Random programs, loops and calls included: no run of the reference interpreter contradicts the analysis.
//!
//! What is said to hold when a block is entered is put there as an assertion, `false` where a block is said not to be
//! entered; an assertion that is said to fail gets its opposite before it. None of these may fail in any run, and
//! no check that is said to hold.

mod common;

use std::fmt::Write as _;
use std::sync::Arc;

use common::{read, seeds};
use fastrand::Rng;
use footpath_absint::{Calls, Effort, Proof, analyse, never_entered};
use footpath_ir::interp::{Limits, Outcome, RandomOracle, run};
use footpath_ir::{AssertKind, Origin, Place, ProcId, Program, Statement, StatementKind};
use footpath_term::Op;

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

struct Writer {
    rng: Rng,
    text: String,
    calls: bool,
    /// The variables in scope, of each sort.
    ints: &'static [&'static str],
    bits: &'static [&'static str],
    bools: &'static [&'static str],
}

const IN_CONTRACT: [&[&str]; 3] = [&["x", "g"], &["u"], &["b"]];
const IN_BODY: [&[&str]; 3] = [&["x", "y", "z", "g"], &["u", "v", "t"], &["b", "c", "true"]];

impl Writer {
    fn program(seed: u64) -> String {
        let [ints, bits, bools] = IN_CONTRACT;
        let mut w =
            Writer { rng: Rng::with_seed(seed), text: HEAD.to_owned(), calls: false, ints, bits, bools };
        for name in ["Q", "P"] {
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
            w.calls = true;
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
            13 if self.calls && self.rng.bool() => {
                format!("call z, t := Q({}, {}, {});", self.int(1), self.bits(1), self.condition(0))
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

/// The program with what was found out as assertions.
fn with_claims(program: &Program, id: ProcId, analysis: &footpath_absint::Analysis) -> Program {
    let mut checked = program.clone();
    let mut terms = analysis.terms.clone();
    let body = &mut checked[id].bodies[0];
    // Later statements first, so that the numbers of the others stay.
    for check in analysis.checks.iter().rev().filter(|c| c.proof == Proof::Fails) {
        let Place::Failure { block, statement, .. } = check.origin.place else { continue };
        let statements = &mut body.blocks[block.index()].statements;
        let mut claim = statements[statement as usize].clone();
        if let StatementKind::Assert { condition, .. } = claim.kind {
            claim.kind = assertion(terms.app(Op::Not, [condition]), AssertKind::Exit);
            statements.insert(statement as usize, claim);
        }
    }
    for (block, &condition) in &analysis.invariants {
        let mut claim = body.blocks[block.index()].statements.first().cloned().unwrap_or_else(|| {
            let span = body.blocks[block.index()].span;
            Statement::new(StatementKind::Assume(condition), span)
        });
        claim.kind = assertion(condition, AssertKind::Abort);
        claim.attributes.clear();
        body.blocks[block.index()].statements.insert(0, claim);
    }
    checked.terms = Arc::new(terms);
    checked
}

#[derive(Default)]
struct Count {
    proved: usize,
    failing: usize,
    open: usize,
    ended: usize,
    failed: usize,
    dead: usize,
}

fn check_program(seed: u64, count: &mut Count) {
    let text = Writer::program(seed);
    let program = read(&text);
    let id = program.procedure_named("P").expect("P is there");
    let calls = if seed.is_multiple_of(2) { Calls::Contracts } else { Calls::Bodies(400) };
    let effort = Effort { partitions: 1 + (seed % 5) as usize, ..Effort::default() };
    let analysis = analyse(&program, id, 0, calls, effort);
    assert!(!analysis.gave_up, "seed {seed} takes too long\n{text}");
    for check in &analysis.checks {
        *match check.proof {
            Proof::Holds | Proof::Unreached => &mut count.proved,
            Proof::Fails => &mut count.failing,
            Proof::Open => &mut count.open,
        } += 1;
    }
    let dead = never_entered(&program, id, 400, effort).unwrap_or_default();
    count.dead += dead.len();
    let claims = with_claims(&program, id, &analysis);
    let limits = Limits { steps: 1_000, ..Limits::default() };
    for (program, claims) in [(&program, false), (&claims, true)] {
        let mut oracle = RandomOracle::new(program, seed);
        for _ in 0..25 {
            let found = run(program, id, 0, &mut oracle, &limits);
            let script = oracle.take_script();
            for step in found.path.iter().filter(|_| !claims) {
                let place = Place::Segment { block: step.block, first: 0 };
                let at = Origin { procedure: step.procedure, body: step.body, place };
                assert!(!dead.contains(&at), "seed {seed}: {at:?} is entered\n{text}\n{script:?}");
            }
            let Outcome::Failed { at, kind } = found.outcome else {
                count.ended += usize::from(found.outcome == Outcome::Returned);
                continue;
            };
            if claims {
                let wrong = matches!(kind, AssertKind::Abort | AssertKind::Exit);
                assert!(
                    !wrong,
                    "seed {seed}: a claim fails at {at:?}: {kind}\n{text}\n{script:?}\n{}",
                    footpath_ir::print(program)
                );
                continue;
            }
            count.failed += 1;
            assert!(!dead.contains(&at), "seed {seed}: {at:?} fails\n{text}\n{script:?}");
            let check = analysis.checks.iter().find(|c| c.origin == at);
            if at.procedure == id {
                let check = check.expect("a check that failed is listed");
                assert!(
                    matches!(check.proof, Proof::Open | Proof::Fails),
                    "seed {seed}: {:?} {:?} fails\n{text}\n{script:?}",
                    check.origin,
                    check.proof
                );
            }
        }
    }
}

#[test]
fn no_run_contradicts_what_was_found_out() {
    let mut count = Count::default();
    let seeds = seeds(250);
    let many = seeds.end - seeds.start >= 250;
    for seed in seeds {
        check_program(seed, &mut count);
    }
    let Count { proved, failing, open, ended, failed, dead } = count;
    assert!(
        !many || (proved > 50 && failing > 10 && open > 100 && ended > 3_000 && failed > 500 && dead > 100),
        "too little happens: {proved} proved, {failing} failing, {open} open; {ended} runs end, {failed} fail; {dead} places are dead"
    );
}

fn assertion(condition: footpath_term::TermId, kind: AssertKind) -> StatementKind {
    StatementKind::assert(condition, kind)
}
