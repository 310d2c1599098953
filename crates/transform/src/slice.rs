//! Program slicing: statements that do not influence control flow are dropped.
//!
//! **Idea.** In a loop-free body only conditions decide where a run goes: those that are assumed and those that are
//! branched on. A variable is *relevant* if it occurs in a condition, or in a value that is assigned to a relevant
//! variable. Assignments to other variables are dropped. Havocs stay, since a replay supplies arbitrary values in the
//! order in which a run asks for them. [`slice_to`] also drops all blocks that are on no complete path through a
//! given block.
//!
//! **Example.** In `a := x + 1; b := 2 * a; if (a > 0) …` the assignment to `b` is dropped, as no condition depends
//! on `b`.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012) does not slice; its
//! explanations would be unreadable without slicing.
//!
//! **Deviations.** Relevance is a property of a variable in the whole body, not at a point. A dead assignment to a
//! relevant variable stays; it costs one term.
//!
//! **Direction of error.** None for coverage: what is dropped neither blocks nor fails, and by induction over a run
//! all relevant variables have the same values with and without it, hence all conditions too; so the same initial
//! states take the same paths. The *final* values of irrelevant variables are not preserved; an analysis that needs
//! them uses the body before slicing ([`unrolled`](crate::unrolled)).

use footpath_ir::{Block, BlockId, Body, Statement, StatementKind, Terminator, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Drops assignments of variables on which no condition depends.
pub fn slice(terms: &Terms, body: &mut Body) {
    let relevant = relevant_symbols(terms, body);
    for block in &mut body.blocks {
        for statement in &mut block.statements {
            if let StatementKind::Assign(pairs) = &mut statement.kind {
                pairs.retain(|(s, _)| relevant.contains(s));
            }
        }
        block.statements.retain(|s| match &s.kind {
            StatementKind::Assign(pairs) => !pairs.is_empty(),
            _ => true,
        });
    }
}

/// The variables on which the conditions of `body` depend.
pub fn relevant_symbols(terms: &Terms, body: &Body) -> FxHashSet<SymbolId> {
    let mut assigned: FxHashMap<SymbolId, Vec<TermId>> = FxHashMap::default();
    let mut conditions = Vec::new();
    for block in &body.blocks {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assume(c) => conditions.push(*c),
                StatementKind::Assign(pairs) => {
                    for &(symbol, term) in pairs {
                        assigned.entry(symbol).or_default().push(term);
                    }
                }
                _ => {}
            }
        }
        if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
            conditions.push(condition);
        }
    }
    // All terms below what is relevant, each visited once, however many conditions share it.
    let mut seen_terms = FxHashSet::default();
    let mut relevant = FxHashSet::default();
    let mut stack = conditions;
    while let Some(term) = stack.pop() {
        if !seen_terms.insert(term) {
            continue;
        }
        let term = terms.term(term);
        stack.extend(&term.args);
        if let Op::Var(symbol) = term.op
            && relevant.insert(symbol)
        {
            stack.extend(assigned.remove(&symbol).unwrap_or_default());
        }
    }
    relevant
}

/// A part of a body.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The part, in topological order.
    pub body: Body,
    /// For each block, the block of the whole body that it is a copy of.
    pub blocks: Vec<BlockId>,
}

/// The part of a loop-free body that complete paths through `targets` pass, sliced once more.
///
/// For one target, the complete paths of the result are exactly those through the target: an edge around it would be
/// a critical edge, of which there are none. For several targets, paths that avoid all of them may remain. Where one
/// side of a branch is left out, the other side starts by assuming the condition.
pub fn slice_to(terms: &mut Terms, body: &Body, targets: &[BlockId]) -> Slice {
    let mut before = vec![false; body.blocks.len()];
    let mut after = vec![false; body.blocks.len()];
    for &t in targets {
        before[t.index()] = true;
        after[t.index()] = true;
    }
    // Blocks stand in topological order, so one sweep each way reaches everything.
    for block in body.block_ids() {
        if after[block.index()] {
            body[block].terminator.successors().iter().for_each(|s| after[s.index()] = true);
        }
    }
    for block in body.block_ids().rev() {
        let leads_there = body[block].terminator.successors().iter().any(|s| before[s.index()]);
        before[block.index()] |= leads_there;
    }
    let blocks: Vec<BlockId> = body.block_ids().filter(|b| before[b.index()] || after[b.index()]).collect();
    let mut new: Vec<Option<BlockId>> = vec![None; body.blocks.len()];
    for (i, b) in blocks.iter().enumerate() {
        new[b.index()] = Some(BlockId(i as u32));
    }
    let mut guards: FxHashMap<BlockId, Statement> = FxHashMap::default();
    let mut kept: Vec<Block> = Vec::with_capacity(blocks.len());
    for &id in &blocks {
        let mut block = body[id].clone();
        let Terminator { kind, span } = &block.terminator;
        let kind = match kind {
            TerminatorKind::Goto(to) => {
                TerminatorKind::Goto(to.iter().filter_map(|t| new[t.index()]).collect())
            }
            TerminatorKind::Branch { condition, then_to, else_to } => {
                match (new[then_to.index()], new[else_to.index()]) {
                    (Some(then_to), Some(else_to)) => {
                        TerminatorKind::Branch { condition: *condition, then_to, else_to }
                    }
                    (then, otherwise) => {
                        let condition =
                            if then.is_some() { *condition } else { terms.app(Op::Not, [*condition]) };
                        let to = then.or(otherwise);
                        if let Some(to) = to {
                            guards.insert(to, Statement::new(StatementKind::Assume(condition), *span));
                        }
                        TerminatorKind::Goto(to.into_iter().collect())
                    }
                }
            }
            kind => kind.clone(),
        };
        block.terminator = Terminator { kind, span: *span };
        kept.push(block);
    }
    for (block, guard) in guards {
        kept[block.index()].statements.insert(0, guard);
    }
    let mut body = Body { blocks: kept, ..body.clone() };
    slice(terms, &mut body);
    Slice { body, blocks }
}
