//! Splitting of critical edges: an edge from a block with several successors to a block with several predecessors
//! gets a block.
//!
//! **Idea.** The covers name a path by the set of its blocks. Where a branch leads directly to a block that has other
//! predecessors too, the blocks of the shorter path are a subset of those of the longer one, and excluding the
//! shorter path would exclude the longer one as well. With a block on each critical edge no complete path's set is a
//! subset of another's. The same blocks are counted by branch coverage.
//!
//! **Example.** In `if (c) { a } b` the path with `a` has the blocks `c, a, b`, and the path without it has `c, b`.
//! With a block `e` on the edge from `c` to `b` the sets are `{c, a, b}` and `{c, e, b}`.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012) does not mention this, but
//! its Algorithm 1 (Section 5) needs it.
//!
//! **Deviations.**
//! 1. An edge on which a branch leaves a loop becomes critical only through unwinding, as all iterations leave to the
//!    same block. Such edges are split here as well, while origins are known. No block is added where the target
//!    itself may be copied for each iteration: a failure, or an empty block with one predecessor
//!    ([`exits_with_its_predecessor`]).
//! 2. After inlining, a loop may be smaller than before, where a callee never returns. Edges that leave it now are
//!    split too. Their targets have no other predecessors, so the new blocks are no objectives: each counts as a part
//!    of the block before it.
//!
//! **Direction of error.** None: the runs of the program are the same.

use std::sync::Arc;

use footpath_ir::{Block, BlockId, Body, Origin, Place, Terminator, TerminatorKind};
use rustc_hash::FxHashSet;

use footpath_ir::analysis::wto::Wto;

/// The names that are taken in a body.
#[derive(Default)]
pub(crate) struct Names(FxHashSet<Arc<str>>);

impl Names {
    pub(crate) fn of(blocks: &[Block]) -> Names {
        Names(blocks.iter().map(|b| b.name.clone()).collect())
    }

    /// `wish`, with primes appended if the name is taken.
    pub(crate) fn fresh(&mut self, mut wish: String) -> Arc<str> {
        loop {
            let name: Arc<str> = wish.as_str().into();
            if self.0.insert(name.clone()) {
                return name;
            }
            wish.push('\'');
        }
    }
}

/// Whether a block, which a branch `from` inside loops enters and which is not part of these loops, shall be copied
/// with the iterations from which it is entered.
///
/// It needs one predecessor, so that each copy has one too, and at most one successor, so that no code after the loop
/// is copied.
pub(crate) fn exits_with_its_predecessor(block: &Block, predecessors: &[BlockId]) -> bool {
    predecessors.len() == 1
        && block.terminator.successors().len() <= 1
        && (block.statements.is_empty() || block.origin.place == Place::Entry)
}

/// Whether the edge `from → to` leaves a loop.
pub(crate) fn leaves_a_loop(wto: &Wto, from: BlockId, to: BlockId) -> bool {
    let (inside, outside) = (wto.innermost(from), wto.innermost(to));
    wto.common(inside, outside) != inside
}

/// The pass after which edges are split.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// In a prepared body: new blocks are edges of the source.
    Prepared,
    /// After inlining: new blocks are parts of those before them.
    Inlined,
}

/// Splits the critical edges of `body`. New blocks are appended; the result names the source block of the edge that
/// each of them splits.
pub(crate) fn split(body: &mut Body, names: &mut Names, stage: Stage) -> Vec<BlockId> {
    let predecessors = body.predecessors();
    let wto = Wto::of(body);
    let mut sources = Vec::new();
    for from in body.block_ids() {
        let successors = body[from].terminator.successors();
        if successors.len() < 2 {
            continue;
        }
        for (slot, &to) in successors.iter().enumerate() {
            let joins = predecessors[to.index()].len() > 1;
            let stays = !leaves_a_loop(&wto, from, to)
                || exits_with_its_predecessor(&body[to], &predecessors[to.index()]);
            if !joins && stays {
                continue;
            }
            let id = BlockId(body.blocks.len() as u32);
            let source = &body[from];
            let span = source.terminator.span;
            let place = match source.origin.place {
                Place::Segment { block, .. } if stage == Stage::Prepared => {
                    Place::Edge { block, successor: slot as u32 }
                }
                place => place,
            };
            let block = Block {
                name: names.fresh(format!("{}.to.{}", source.name, body[to].name)),
                statements: Vec::new(),
                terminator: Terminator { kind: TerminatorKind::Goto(vec![to]), span },
                span,
                origin: Origin { place, ..source.origin },
            };
            body.blocks.push(block);
            *body[from].terminator.successors_mut()[slot] = id;
            sources.push(from);
        }
    }
    sources
}

/// Puts the blocks in the given order, which names each block once; the entry stays first.
pub(crate) fn reorder(blocks: Vec<Block>, order: &[BlockId]) -> Vec<Block> {
    let mut new = vec![BlockId(u32::MAX); blocks.len()];
    for (i, old) in order.iter().enumerate() {
        new[old.index()] = BlockId(i as u32);
    }
    let mut old: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
    let mut sorted = Vec::with_capacity(order.len());
    for id in order {
        let mut block = old[id.index()].take().expect("an order names each block once");
        for target in block.terminator.successors_mut() {
            *target = new[target.index()];
        }
        sorted.push(block);
    }
    sorted
}
