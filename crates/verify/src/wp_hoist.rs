//! Hoisting of assumptions by weakest preconditions: each `assume` is moved to the earliest point at which it is
//! equivalent.
//!
//! **Idea.** If an execution is given up only behind a branch or some assignments, a search has to take each path
//! there to learn that it is of no use: one aborted run for each. So `assume c` moves backwards: before `x := e` it
//! is `c` with `e` for `x`; before `assume p` it is `p ==> c`; if the two arms of a branch on `b` begin with `c` and
//! `d` it is `(b ==> c) && (!b ==> d)` before the branch, and `c` alone if they are the same; at a join it goes to
//! the end of all predecessors. The same runs pass, and those that do not pass end earlier, many of them as a single
//! run.
//!
//! Example: `x := y + 1; if (*) { assume x > 0; … } else { assume x > 0; … }` becomes `assume y + 1 > 0; x := y + 1;
//! if (*) …`.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.2: the earlier a condition is assumed, the more
//! is pruned. Its conditions are over assumptions only, so there they move only as far as they are the same on all
//! paths.
//!
//! **Deviations.**
//! 1. Never across a check that was not fully verified, even one that does not stop the program: a run that meets it
//!    is made. Never across calls, `havoc` and `tryfirst`.
//! 2. No reads or writes of memory are moved into a condition, and conditions stay small: a search would pay for them
//!    with every run. A join passes its condition on once, so that loops terminate.
//!
//! **Direction of error.** None: exactly those runs are given up that would be given up further down.

use std::collections::{BTreeMap, BTreeSet};

use footpath_absint::reverse_postorder;
use footpath_ir::{AssertKind, BlockId, Body, Statement, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::conditions::Point;

/// The statements inserted at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The condition that is tried first.
    pub(crate) try_first: Option<TermId>,
    /// The condition that is assumed after that.
    pub(crate) assume: Option<TermId>,
}

/// Conditions of more terms than this do not move.
const MAX_TERMS: usize = 60;

/// See the module.
pub(crate) fn hoist(terms: &mut Terms, body: &Body, placed: &mut BTreeMap<Point, Placed>) {
    let order = reverse_postorder(body);
    let mut position = vec![usize::MAX; body.blocks.len()];
    for (i, b) in order.iter().enumerate() {
        position[b.index()] = i;
    }
    let mut hoisting = Hoisting {
        terms,
        body,
        placed,
        predecessors: body.predecessors(),
        passed_on: vec![false; body.blocks.len()],
        edges: FxHashMap::default(),
    };
    // Blocks come behind those that they lead to, as far as there is no way back.
    let mut todo: BTreeSet<usize> = (0..order.len()).collect();
    while let Some(next) = todo.pop_last() {
        let block = order[next];
        hoisting.collect(block);
        hoisting.within(block);
        let passed = hoisting.pass_on(block);
        todo.extend(passed.iter().map(|b| position[b.index()]).filter(|p| *p != usize::MAX));
    }
}

struct Hoisting<'a> {
    terms: &'a mut Terms,
    body: &'a Body,
    placed: &'a mut BTreeMap<Point, Placed>,
    predecessors: Vec<Vec<BlockId>>,
    /// Blocks whose condition at the start was passed on to their predecessors.
    passed_on: Vec<bool>,
    /// The conditions that are assumed on edges.
    edges: FxHashMap<(BlockId, BlockId), TermId>,
}

impl Hoisting<'_> {
    /// Moves what is assumed on the outgoing edges of a block to its end.
    fn collect(&mut self, block: BlockId) {
        let mut on = |to: BlockId| self.edges.remove(&(block, to));
        let condition = match self.body[block].terminator.kind {
            TerminatorKind::Branch { condition, then_to, else_to } => {
                let (then, other) = (on(then_to), on(else_to));
                if then == other || then_to == else_to {
                    then.or(other)
                } else {
                    let not = self.terms.app(Op::Not, [condition]);
                    let ways = [(condition, then), (not, other)].into_iter();
                    let parts: Vec<TermId> = ways
                        .filter_map(|(way, assumed)| Some(self.terms.app(Op::Implies, [way, assumed?])))
                        .collect();
                    Some(self.terms.app(Op::And, parts))
                }
            }
            TerminatorKind::Goto(ref targets) => targets.first().and_then(|to| on(*to)),
            _ => None,
        };
        if let Some(condition) = condition {
            self.assume(Point { block, statement: self.body[block].statements.len() }, condition);
        }
    }

    /// Moves what is assumed in a block towards its start.
    fn within(&mut self, block: BlockId) {
        let statements = &self.body[block].statements;
        for statement in (0..statements.len()).rev() {
            let behind = Point { block, statement: statement + 1 };
            let Some(Placed { try_first: None, assume: Some(condition) }) = self.placed.get(&behind).copied()
            else {
                continue;
            };
            if let Some(moved) = self.before(&statements[statement], condition) {
                self.placed.remove(&behind);
                self.assume(Point { block, statement }, moved);
            }
        }
    }

    /// The condition before a statement; `None` if it cannot move across it.
    fn before(&mut self, statement: &Statement, condition: TermId) -> Option<TermId> {
        if statement.marks().is_some() && !self.is_verified(statement) {
            return None;
        }
        let moved = match &statement.kind {
            StatementKind::Assign(values) => {
                let free = self.terms.free_symbols(&[condition]);
                let used: Vec<(SymbolId, TermId)> =
                    values.iter().copied().filter(|(s, _)| free.contains(s)).collect();
                if used.is_empty() {
                    return Some(condition);
                }
                self.terms.substitute(condition, &used.into_iter().collect())
            }
            StatementKind::Assume(p) => {
                let free = self.terms.free_symbols(&[condition]);
                if free.is_empty() {
                    return Some(condition);
                }
                self.terms.app(Op::Implies, [*p, condition])
            }
            StatementKind::Assert { kind, .. }
                if *kind != AssertKind::Exit && self.is_verified(statement) =>
            {
                return Some(condition);
            }
            _ => return None,
        };
        self.is_cheap(moved).then_some(moved)
    }

    fn is_cheap(&self, condition: TermId) -> bool {
        let all = self.terms.post_order(&[condition]);
        let is_plain = |t: &TermId| !matches!(self.terms.term(*t).op, Op::Select | Op::Store | Op::Bind(_));
        all.len() <= MAX_TERMS && all.iter().all(is_plain)
    }

    /// Passes what is assumed at the start of a block on to all its predecessors, if possible; returns these.
    fn pass_on(&mut self, block: BlockId) -> Vec<BlockId> {
        let start = Point { block, statement: 0 };
        let Some(Placed { try_first: None, assume: Some(condition) }) = self.placed.get(&start).copied()
        else {
            return Vec::new();
        };
        let mut from = self.predecessors[block.index()].clone();
        from.sort_unstable();
        from.dedup();
        // Each predecessor can take the condition, if its edge is determined by a condition.
        let can = !from.is_empty()
            && block != Body::ENTRY
            && !self.passed_on[block.index()]
            && from.iter().all(|p| self.takes(*p, block));
        if !can {
            return Vec::new();
        }
        self.passed_on[block.index()] = true;
        self.placed.remove(&start);
        self.edges.extend(from.iter().map(|p| ((*p, block), condition)));
        from
    }

    /// Whether a condition at the start of a block may move to the end of a predecessor.
    fn takes(&self, from: BlockId, to: BlockId) -> bool {
        // A run that passes a check that was not verified is worth making.
        if !self.body.marks_behind(from).all(|mark| self.is_verified(mark)) {
            return false;
        }
        match &self.body[from].terminator.kind {
            TerminatorKind::Goto(targets) => targets.len() == 1,
            TerminatorKind::Branch { .. } => from != to,
            _ => false,
        }
    }

    /// Whether what a statement checks was verified, without any assumption.
    fn is_verified(&self, statement: &Statement) -> bool {
        statement.premise().is_some_and(|premise| self.terms.as_bool(premise) == Some(true))
    }

    /// Adds an assumption at a point.
    fn assume(&mut self, point: Point, condition: TermId) {
        let old = self.placed.get(&point).copied().unwrap_or(Placed { try_first: None, assume: None });
        let all = match old.assume {
            Some(old) => self.terms.app(Op::And, [old, condition]),
            None => condition,
        };
        if self.terms.as_bool(all) == Some(true) && old.try_first.is_none() {
            self.placed.remove(&point);
        } else {
            self.placed.insert(point, Placed { assume: Some(all), ..old });
        }
    }
}
