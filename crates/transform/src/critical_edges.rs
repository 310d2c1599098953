//! Gives critical edges blocks of their own.
//!
//! **Idea.** The covers name a path by the set of blocks on it. Where a branch leads straight to a block that
//! others lead to as well (an `if` without `else`), the short way's set is part of the long way's, and excluding
//! the short path would exclude the long one. With a block on each such edge no complete path's set is part of
//! another's. The same blocks are what branch coverage counts.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012): silent on this, but
//! its Algorithm 1 (Section 5) needs it.
//!
//! **Deviations.**
//! 1. An edge on which a branch leaves a loop becomes critical only through unwinding: all rounds leave to the
//!    same block. Such edges are split here as well, while origins are at hand. No block is made where the
//!    target is itself fit to exist once per round: a failure, or an empty block with one predecessor
//!    ([`exits_with_its_predecessor`]).
//!
//! 2. After inlining, a loop may be smaller than it was, where a callee never returns. Edges that leave it now are
//!    split too; but they lead to blocks that no others lead to, and are no objectives beside those: such a block
//!    counts as a part of the block before it.
//!
//! **Direction of error.** It does not change what runs there are.

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

    /// `wish`, with primes behind it if it is taken.
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

/// Whether a block, entered from the branch `from` inside loops that it is not part of itself, shall count as
/// part of the rounds it is entered from.
///
/// Needs one predecessor, so that each copy has one too, and at most one successor, so that no code behind the
/// loop is copied.
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

/// When edges are split.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// In a prepared body: new blocks are edges of the source.
    Prepared,
    /// After inlining: new blocks are parts of those before them.
    Inlined,
}

/// Splits the edges of `body`. New blocks stand behind all others; the result names the block that each of
/// them comes from.
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
