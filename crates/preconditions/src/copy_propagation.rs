//! Copy propagation: a variable that is a copy of another one is replaced by it.
//!
//! **Idea.** Compilers copy parameters into local variables before anything else happens, and so do calls that were
//! inlined. A segment that is explored by itself does not know that: the copy may have any value. A variable that is
//! assigned once, outside loops, before all its uses, from values that never change, is that value wherever it is
//! read.
//!
//! Example: after `p$0 := p` at the entry, a later segment with `assume p$0 > 0` has `assume p > 0` instead, so its
//! condition is about the parameter.
//!
//! **Direction of error.** None: where such a variable is read, the assignment has been made, and the values that it
//! was made from are unchanged.

use footpath_ir::analysis::wto::Wto;
use footpath_ir::{Body, StatementKind, TerminatorKind};
use footpath_term::{Substitution, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::partition::{post_order, rewrite};

/// Larger terms stay where they are.
const LARGEST: usize = 24;

/// Propagates copies in a body without calls. `fixed` are variables that may be read after it.
pub(crate) fn propagate(terms: &mut Terms, body: &mut Body, fixed: &FxHashSet<SymbolId>) {
    let wto = Wto::of(body);
    let writes = writes(body);
    let uses = Uses::of(terms, body);
    let mut known = Substitution::default();
    // A copy of a copy is found in the order in which they are made.
    for block in reverse_post_order(body) {
        if wto.innermost(block).is_some() {
            continue;
        }
        for i in 0..body[block].statements.len() {
            let StatementKind::Assign(pairs) = &body[block].statements[i].kind else { continue };
            for (symbol, value) in pairs.clone() {
                let value = terms.substitute(value, &known);
                let constant = |s: &SymbolId| !writes.contains_key(s);
                if writes.get(&symbol) == Some(&1)
                    && !fixed.contains(&symbol)
                    && terms.post_order(&[value]).len() <= LARGEST
                    && terms.free_symbols(&[value]).iter().all(constant)
                    && uses.come_behind(body, (block.index(), i), symbol)
                {
                    known.insert(symbol, value);
                }
            }
        }
    }
    if known.is_empty() {
        return;
    }
    for block in &mut body.blocks {
        for statement in &mut block.statements {
            match &mut statement.kind {
                StatementKind::Assign(pairs) => pairs.retain(|(s, _)| !known.contains_key(s)),
                StatementKind::Havoc(symbols) => symbols.retain(|s| !known.contains_key(s)),
                _ => {}
            }
        }
        block.statements.retain(|s| match &s.kind {
            StatementKind::Assign(pairs) => !pairs.is_empty(),
            StatementKind::Havoc(symbols) => !symbols.is_empty(),
            _ => true,
        });
    }
    rewrite(terms, body, &known);
}

fn reverse_post_order(body: &Body) -> Vec<footpath_ir::BlockId> {
    let successors: Vec<_> = body.blocks.iter().map(|b| b.terminator.successors()).collect();
    let mut order = post_order(&successors);
    order.reverse();
    order
}

/// How often each variable is assigned. A havoc counts only for variables that are never assigned.
fn writes(body: &Body) -> FxHashMap<SymbolId, usize> {
    let mut writes: FxHashMap<SymbolId, usize> = FxHashMap::default();
    for statement in body.blocks.iter().flat_map(|b| &b.statements) {
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                for (s, _) in pairs {
                    *writes.entry(*s).or_default() += 1;
                }
            }
            StatementKind::Havoc(symbols) => {
                for s in symbols {
                    writes.entry(*s).or_default();
                }
            }
            _ => {}
        }
    }
    writes
}

/// Where variables are read, and where they are forgotten: the positions of blocks and of statements in them, a terminator behind all
/// statements. Bodies have thousands of statements and of copies, so that the places are found once for all of them.
#[derive(Default)]
struct Uses {
    reads: FxHashMap<SymbolId, Vec<(usize, usize)>>,
    forgets: FxHashMap<SymbolId, Vec<(usize, usize)>>,
    /// Where a call may read any variable.
    calls: Vec<(usize, usize)>,
}

impl Uses {
    fn of(terms: &Terms, body: &Body) -> Uses {
        let mut uses = Uses::default();
        for (b, block) in body.blocks.iter().enumerate() {
            for (i, statement) in block.statements.iter().enumerate() {
                match &statement.kind {
                    StatementKind::Assign(pairs) => {
                        let values: Vec<TermId> = pairs.iter().map(|&(_, value)| value).collect();
                        uses.read(terms, &values, (b, i));
                    }
                    StatementKind::Assume(t) | StatementKind::TryFirst(t) => uses.read(terms, &[*t], (b, i)),
                    StatementKind::Assert { condition, premise, .. } => {
                        let read: Vec<TermId> = std::iter::once(*condition).chain(*premise).collect();
                        uses.read(terms, &read, (b, i));
                    }
                    StatementKind::Havoc(symbols) => {
                        for &symbol in symbols {
                            uses.forgets.entry(symbol).or_default().push((b, i));
                        }
                    }
                    StatementKind::Call { .. } => uses.calls.push((b, i)),
                }
            }
            if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
                uses.read(terms, &[condition], (b, block.statements.len()));
            }
        }
        uses
    }

    fn read(&mut self, terms: &Terms, read: &[TermId], at: (usize, usize)) {
        for symbol in terms.free_symbols(read) {
            self.reads.entry(symbol).or_default().push(at);
        }
    }

    /// Whether every run makes an assignment before it reads the variable, and does not change it later.
    fn come_behind(&self, body: &Body, (block, statement): (usize, usize), symbol: SymbolId) -> bool {
        let reads = [self.reads.get(&symbol).map_or(&[][..], Vec::as_slice), &self.calls].concat();
        let forgets = self.forgets.get(&symbol).map_or(&[][..], Vec::as_slice);
        if reads.iter().any(|&(b, i)| b == block && i <= statement)
            || forgets.iter().any(|&(b, i)| b == block && i >= statement)
        {
            return false;
        }
        // What is reached without the assignment must not read; what is reached behind it must not forget.
        let is_any = |places: &[(usize, usize)], from: usize, without: Option<usize>| {
            let mut others = places.iter().filter(|(b, _)| *b != block).peekable();
            others.peek().is_some() && {
                let reached = reached(body, from, without);
                others.any(|(b, _)| reached[*b])
            }
        };
        !is_any(&reads, Body::ENTRY.index(), Some(block)) && !is_any(forgets, block, None)
    }
}

/// The blocks that are reached from one, itself among them, without going on from another.
fn reached(body: &Body, from: usize, without: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; body.blocks.len()];
    let mut stack = vec![from];
    while let Some(b) = stack.pop() {
        if std::mem::replace(&mut seen[b], true) || Some(b) == without {
            continue;
        }
        stack.extend(body.blocks[b].terminator.successors().iter().map(|s| s.index()));
    }
    seen
}
