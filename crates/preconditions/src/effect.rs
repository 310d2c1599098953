//! Program slicing of callees: the effects of a callee that its callers read, besides failing.
//!
//! **Idea.** If "fails if C" replaces a callee, those of its runs that do not fail still return results and change
//! globals. The body is sliced to that: assignments whose values reach a result or a global that is read, the
//! branches that decide whether they are executed, and none of its checks. If nothing is left, the call is just
//! "fails if C".
//!
//! Example: for `int next(int i) { assert(i >= 0); calls++; return i + 1; }`, with `calls` never read, the slice is
//! `return i + 1`.
//!
//! **Papers.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, 2007) supposes that there are no
//! side effects. The slice is a weak control closure: S. Danicic et al., "A unifying theory of control dependence and
//! its application to arbitrary program structures" (Theoretical Computer Science, 2011), Section 5.
//!
//! **Deviations.**
//! 1. Decisions are added one at a time, the last ones first; more may be kept than the smallest closure has.
//!
//! **Direction of error.** The slice agrees with the body on runs that return, and only on those. If runs may stay in
//! a loop or block ([`Effect::may_stay`]), its user must first ask whether a run returns; and if arbitrary values
//! matter as well ([`Effect::arbitrary`]), the two answers may belong to different runs.

use footpath_ir::{Block, BlockId, Body, Statement, StatementKind, Terminator, TerminatorKind};
use footpath_term::{SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::partition::{doomed, post_order};

/// See the module.
pub(crate) struct Effect {
    /// The slice. Targets are positions in this list; the first block is the entry.
    pub(crate) blocks: Vec<Block>,
    /// Whether some run may neither return nor fail, by the form of the body.
    pub(crate) may_stay: bool,
    /// Whether the slice depends on arbitrary values or free choices.
    pub(crate) arbitrary: bool,
}

impl Effect {
    /// Whether there is no effect.
    pub(crate) fn is_empty(&self) -> bool {
        !self.arbitrary && self.blocks.iter().all(|b| b.statements.is_empty())
    }

    /// The slice of a body without calls. `outputs` are read after it, `inputs` have values before it.
    pub(crate) fn of(
        terms: &Terms,
        body: &Body,
        inputs: &FxHashSet<SymbolId>,
        outputs: &FxHashSet<SymbolId>,
    ) -> Effect {
        let mut slicer = Slicer::new(terms, body, outputs);
        slicer.close();
        let arbitrary = slicer.is_arbitrary(inputs);
        Effect { blocks: slicer.blocks(), may_stay: slicer.may_stay(), arbitrary }
    }
}

/// The blocks of the slice that a run can enter first from a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// None.
    Never,
    /// This one, if any.
    One(BlockId),
    /// Several.
    Many,
}

impl Next {
    fn or(self, other: Next) -> Next {
        match (self, other) {
            (Next::Never, n) | (n, Next::Never) => n,
            (Next::One(a), Next::One(b)) if a == b => self,
            _ => Next::Many,
        }
    }
}

struct Slicer<'a> {
    terms: &'a Terms,
    body: &'a Body,
    outputs: &'a FxHashSet<SymbolId>,
    /// The successors of each block if nothing fails.
    successors: Vec<Vec<BlockId>>,
    /// The blocks that are reached in this way, the last ones first.
    order: Vec<BlockId>,
    /// The blocks of the slice.
    kept: Vec<bool>,
    /// Those of them whose branch is part of the slice.
    decides: Vec<bool>,
    /// The live variables at the entry of each block.
    live: Vec<FxHashSet<SymbolId>>,
    symbols: FxHashMap<TermId, Vec<SymbolId>>,
}

impl<'a> Slicer<'a> {
    fn new(terms: &'a Terms, body: &'a Body, outputs: &'a FxHashSet<SymbolId>) -> Slicer<'a> {
        let doomed = doomed(terms, body);
        let successors: Vec<Vec<BlockId>> = body
            .blocks
            .iter()
            .map(|b| b.terminator.successors().into_iter().filter(|t| !doomed[t.index()]).collect())
            .collect();
        let order = post_order(&successors);
        let count = body.blocks.len();
        let mut kept = vec![false; count];
        for &b in &order {
            kept[b.index()] = body[b].terminator.kind == TerminatorKind::Return;
        }
        let live = vec![FxHashSet::default(); count];
        let decides = vec![false; count];
        let symbols = FxHashMap::default();
        Slicer { terms, body, outputs, successors, order, kept, decides, live, symbols }
    }

    fn free(&mut self, t: TermId) -> Vec<SymbolId> {
        let terms = self.terms;
        self.symbols.entry(t).or_insert_with(|| terms.free_symbols(&[t])).clone()
    }

    /// Adds to the slice until nothing is missing.
    fn close(&mut self) {
        loop {
            self.liveness();
            let mut changed = false;
            for block in self.order.clone() {
                if !self.kept[block.index()] && !self.statements(block).is_empty() {
                    self.kept[block.index()] = true;
                    changed = true;
                }
            }
            while let Some(block) = self.undecided() {
                self.kept[block.index()] = true;
                self.decides[block.index()] = true;
                changed = true;
            }
            if !changed {
                return;
            }
        }
    }

    /// A block whose branch decides which block of the slice comes next.
    fn undecided(&self) -> Option<BlockId> {
        let next = self.next();
        let ways =
            |b: BlockId| self.successors[b.index()].iter().fold(Next::Never, |n, s| n.or(next[s.index()]));
        self.order.iter().copied().find(|&b| {
            self.successors[b.index()].len() > 1 && !self.decides[b.index()] && ways(b) == Next::Many
        })
    }

    fn next(&self) -> Vec<Next> {
        let mut next = vec![Next::Never; self.body.blocks.len()];
        loop {
            let mut changed = false;
            for &b in &self.order {
                let found = if self.kept[b.index()] {
                    Next::One(b)
                } else {
                    self.successors[b.index()].iter().fold(Next::Never, |n, s| n.or(next[s.index()]))
                };
                changed |= found != next[b.index()];
                next[b.index()] = found;
            }
            if !changed {
                return next;
            }
        }
    }

    fn liveness(&mut self) {
        loop {
            let mut changed = false;
            for block in self.order.clone() {
                let mut live = self.live_at_end(block);
                for i in (0..self.body[block].statements.len()).rev() {
                    self.before(&mut live, block, i);
                }
                changed |= live != self.live[block.index()];
                self.live[block.index()] = live;
            }
            if !changed {
                return;
            }
        }
    }

    fn live_at_end(&mut self, block: BlockId) -> FxHashSet<SymbolId> {
        let body = self.body;
        let mut live = FxHashSet::default();
        match body[block].terminator.kind {
            TerminatorKind::Return => live.extend(self.outputs.iter().copied()),
            TerminatorKind::Branch { condition, .. } if self.decides[block.index()] => {
                live.extend(self.free(condition));
            }
            _ => {}
        }
        for next in &self.successors[block.index()] {
            live.extend(self.live[next.index()].iter().copied());
        }
        live
    }

    /// Steps backwards over a statement; returns the part of it that belongs to the slice.
    fn before(&mut self, live: &mut FxHashSet<SymbolId>, block: BlockId, i: usize) -> Option<StatementKind> {
        let body = self.body;
        match &body[block].statements[i].kind {
            StatementKind::Assign(pairs) => {
                let matter: Vec<(SymbolId, TermId)> =
                    pairs.iter().copied().filter(|(s, _)| live.contains(s)).collect();
                for (s, _) in &matter {
                    live.remove(s);
                }
                for &(_, t) in &matter {
                    live.extend(self.free(t));
                }
                (!matter.is_empty()).then_some(StatementKind::Assign(matter))
            }
            StatementKind::Havoc(symbols) => {
                let matter: Vec<SymbolId> = symbols.iter().copied().filter(|s| live.remove(s)).collect();
                (!matter.is_empty()).then_some(StatementKind::Havoc(matter))
            }
            StatementKind::Assume(_)
            | StatementKind::TryFirst(_)
            | StatementKind::Assert { .. }
            | StatementKind::Call { .. } => None,
        }
    }

    /// The part of a block that belongs to the slice.
    fn statements(&mut self, block: BlockId) -> Vec<Statement> {
        let body = self.body;
        let mut live = self.live_at_end(block);
        let mut found = Vec::new();
        for (i, statement) in body[block].statements.iter().enumerate().rev() {
            if let Some(kind) = self.before(&mut live, block, i) {
                found.push(Statement { kind, ..statement.clone() });
            }
        }
        found.reverse();
        found
    }

    fn is_arbitrary(&mut self, inputs: &FxHashSet<SymbolId>) -> bool {
        if self.live[Body::ENTRY.index()].iter().any(|s| !inputs.contains(s)) {
            return true;
        }
        self.order.clone().into_iter().any(|b| {
            if !self.kept[b.index()] {
                return false;
            }
            let chooses = matches!(self.body[b].terminator.kind, TerminatorKind::Goto(_));
            chooses && self.decides[b.index()]
                || self.statements(b).iter().any(|s| matches!(s.kind, StatementKind::Havoc(_)))
        })
    }

    fn may_stay(&self) -> bool {
        let mut position = vec![usize::MAX; self.body.blocks.len()];
        for (i, b) in self.order.iter().enumerate() {
            position[b.index()] = i;
        }
        self.order.iter().any(|&b| {
            let block = &self.body[b];
            let next = &self.successors[b.index()];
            block.statements.iter().any(|s| matches!(s.kind, StatementKind::Assume(_)))
                || next.is_empty() && block.terminator.kind != TerminatorKind::Return
                // What comes later in the order than a successor's end is on a cycle.
                || next.iter().any(|s| position[s.index()] >= position[b.index()])
        })
    }

    /// The slice as blocks.
    fn blocks(&mut self) -> Vec<Block> {
        let next = self.next();
        let blocked = |b: &Block| Terminator { kind: TerminatorKind::Goto(Vec::new()), span: b.span };
        let mut numbers = FxHashMap::default();
        let kept: Vec<BlockId> = self.order.iter().rev().copied().filter(|b| self.kept[b.index()]).collect();
        for (i, &b) in kept.iter().enumerate() {
            numbers.insert(b, BlockId(i as u32 + 1));
        }
        let target = |b: BlockId| match next[b.index()] {
            Next::One(b) => numbers.get(&b).copied(),
            Next::Never | Next::Many => None,
        };
        let entry = &self.body[Body::ENTRY];
        let first = Terminator {
            kind: TerminatorKind::Goto(target(Body::ENTRY).into_iter().collect()),
            span: entry.span,
        };
        let mut blocks = vec![Block { statements: Vec::new(), terminator: first, ..entry.clone() }];
        for &b in &kept {
            let source = &self.body[b];
            let mut terminator = source.terminator.clone();
            let ways: FxHashSet<BlockId> =
                self.successors[b.index()].iter().filter_map(|&s| target(s)).collect();
            match &mut terminator.kind {
                TerminatorKind::Return => {}
                TerminatorKind::Branch { then_to, else_to, .. } if ways.len() > 1 => {
                    for side in [then_to, else_to] {
                        *side = target(*side).unwrap_or(BlockId(0));
                    }
                }
                TerminatorKind::Goto(_) | TerminatorKind::Branch { .. } => {
                    let mut ways: Vec<BlockId> = ways.into_iter().collect();
                    ways.sort_unstable();
                    terminator.kind = TerminatorKind::Goto(ways);
                }
                TerminatorKind::Fail | TerminatorKind::Cut => terminator = blocked(source),
            }
            let statements = self.statements(b);
            blocks.push(Block { statements, terminator, ..source.clone() });
        }
        blocks
    }
}
