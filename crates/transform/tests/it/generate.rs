//! Small random programs.

use footpath_ir::{ProcId, Program, SplitMix64, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId};

use crate::build::{BlockText, Builder, assert, assume, branch, call, goto, verified};

/// Random choices; a seed names a case for good.
pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(SplitMix64(seed))
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

const LABELS: [&str; 7] = ["A", "B", "C", "D", "E", "F", "G"];

/// A program of up to three procedures; the first is the one to start. Loops of any shape, calls, recursion,
/// contracts, several bodies.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let r = &mut random;
    let mut b = Builder::new();
    let g = b.global("g");
    if r.chance(30) {
        b.globals[0].variable.where_clause = Some(b.compare(Op::Le, g, 1));
    }
    let count = 1 + r.below(3) as usize;
    let names = ["p", "q", "r"];
    for name in &names[..count] {
        let id = b.procedure(name);
        let (mut x, mut y) = (b.variable("x"), b.variable("y"));
        if r.chance(20) {
            x.where_clause = Some(b.compare(Op::Le, x.symbol, 1));
        }
        if r.chance(20) {
            y.where_clause = Some(b.compare(Op::Ge, y.symbol, 1));
        }
        let (xs, ys) = (x.symbol, y.symbol);
        let old = b.globals[0].old;
        let requires = clauses(&mut b, r, &[xs, g]);
        let ensures = clauses(&mut b, r, &[xs, ys, g, old]);
        let procedure = &mut b.procedures[id.index()];
        procedure.params = vec![x];
        procedure.results = vec![y];
        procedure.requires = requires;
        procedure.ensures = ensures;
        if r.chance(80) {
            procedure.modifies = vec![g];
        }
    }
    for i in 0..count {
        let id = ProcId(i as u32);
        let bodies = if i == 0 { 1 } else { r.pick(&[0, 1, 1, 1, 2]) };
        for _ in 0..bodies {
            body(&mut b, r, id, count);
        }
    }
    b.finish()
}

fn clauses(b: &mut Builder, r: &mut Random, symbols: &[SymbolId]) -> Vec<footpath_ir::Contract> {
    let count = r.pick(&[0, 0, 1, 2]);
    let make = |_| {
        let condition = condition(b, r, symbols);
        let free = r.chance(30);
        b.contract(condition, free)
    };
    (0..count).map(make).collect()
}

fn operand(b: &mut Builder, r: &mut Random, symbols: &[SymbolId]) -> TermId {
    if r.chance(35) {
        let n = r.below(3) as i64;
        return b.int(n);
    }
    let symbol = r.pick(symbols);
    let v = b.var(symbol);
    if r.chance(40) {
        let one = b.int(1);
        let op = if r.chance(50) { Op::Add } else { Op::Sub };
        return b.op(op, v, one);
    }
    v
}

fn condition(b: &mut Builder, r: &mut Random, symbols: &[SymbolId]) -> TermId {
    let (x, y) = (operand(b, r, symbols), operand(b, r, symbols));
    match r.below(6) {
        0 => b.op(Op::Lt, x, y),
        1 => b.op(Op::Le, x, y),
        2 => b.op(Op::Gt, x, y),
        3 => b.op(Op::Eq, x, y),
        4 => b.op(Op::Ge, x, y),
        _ => {
            let same = b.op(Op::Eq, x, y);
            b.terms.raw(Op::Not, [same])
        }
    }
}

fn opposite(b: &mut Builder, c: TermId) -> TermId {
    let term = b.terms.term(c).clone();
    match term.op {
        Op::Lt => b.terms.raw(Op::Ge, term.args),
        Op::Ge => b.terms.raw(Op::Lt, term.args),
        _ => b.terms.raw(Op::Not, [c]),
    }
}

fn body(b: &mut Builder, r: &mut Random, id: ProcId, procedures: usize) {
    let mut local = b.variable("z");
    if r.chance(40) {
        local.where_clause = Some(b.compare(Op::Le, local.symbol, 1));
    }
    let g = b.globals[0].variable.symbol;
    let old = b.globals[0].old;
    let p = &b.procedures[id.index()];
    let (x, y, z) = (p.params[0].symbol, p.results[0].symbol, local.symbol);
    let readable = [x, y, z, z, g, old];
    let modifies = !p.modifies.is_empty();
    let writable = if modifies { vec![y, z, g] } else { vec![y, z] };
    let size = 1 + r.below(if id.0 == 0 { 6 } else { 4 }) as usize;
    let mut blocks: Vec<BlockText> = Vec::new();
    for (i, label) in LABELS[..size].iter().enumerate() {
        let mut statements = Vec::new();
        for _ in 0..r.pick(&[0, 1, 1, 2, 3]) {
            statements.push(match r.below(14) {
                0..=4 => {
                    let target = r.pick(&writable);
                    StatementKind::Assign(vec![(target, operand(b, r, &readable))])
                }
                5 | 6 => StatementKind::Havoc(vec![r.pick(&writable)]),
                7 => assume(condition(b, r, &readable)),
                8 | 9 => assert(condition(b, r, &readable)),
                12 => verified(condition(b, r, &readable), condition(b, r, &readable)),
                13 => StatementKind::TryFirst(condition(b, r, &readable)),
                _ => {
                    // Procedures may call themselves and each other.
                    let callee = ProcId(r.below(procedures as u64) as u32);
                    let writes = !b.procedures[callee.index()].modifies.is_empty();
                    if writes && !modifies {
                        StatementKind::Havoc(vec![z])
                    } else {
                        let arg = (!r.chance(15)).then(|| operand(b, r, &readable));
                        let result = (!r.chance(15)).then(|| r.pick(&writable));
                        call(callee, &[arg], &[result])
                    }
                }
            });
        }
        // The entry is no target.
        let target =
            |r: &mut Random| if size == 1 { None } else { Some(1 + r.below(size as u64 - 1) as u32) };
        let end = match (r.below(10), target(r), target(r)) {
            (0..=3, Some(s), Some(t)) => branch(condition(b, r, &readable), s, t),
            (4 | 5, Some(s), Some(t)) => goto(&[s, t]),
            (6, Some(s), _) => goto(&[s]),
            (7, Some(s), _) if i + 1 < size => goto(&[s.max(i as u32 + 1)]),
            (8, _, _) if r.chance(20) => goto(&[]),
            _ => TerminatorKind::Return,
        };
        blocks.push((label, statements, end));
    }
    // Some choices become decisions in disguise.
    for i in 0..size {
        let TerminatorKind::Goto(targets) = &blocks[i].2 else { continue };
        let &[s, t] = targets.as_slice() else { continue };
        if s != t && r.chance(60) {
            let c = condition(b, r, &readable);
            let not = opposite(b, c);
            blocks[s.index()].1.insert(0, assume(c));
            blocks[t.index()].1.insert(0, assume(not));
        }
    }
    b.body(id, vec![local], blocks);
}
