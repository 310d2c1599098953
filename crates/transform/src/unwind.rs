//! Loop unwinding: the blocks of loops are copied up to a bound, which makes the graph acyclic.
//!
//! **Idea.** Every loop has a counter of how often its head has been entered since the loop was. The unwound graph
//! has a copy of a block for each value of the counters of the loops around it. Entering a loop from outside sets its
//! counter to 1 if that enters its head, and to 0 otherwise; an edge from inside the loop to its head adds 1 (and
//! drops the counters of inner loops). Where a counter would exceed the bound plus one, the run ends in a special
//! block, a *cut*. The graph is built by a worklist from the entry, so only reachable copies exist.
//!
//! **Example.** With the bound 1, a loop with head `h` and body `b` becomes `h₁ → b₁ → h₂ → b₂ → cut`; both copies of
//! `h` also lead to the block after the loop.
//!
//! With the loops of `footpath_ir`'s `wto.rs` the graph need not be reducible. *The result has no cycles*: a cycle of
//! copies lies over a closed walk of blocks. Take the innermost component C around all of the walk. The walk passes
//! the head of C, for without the head it would lie within one component inside C. Each pass adds 1 to the counter of
//! C, and nothing decreases it before C is left, which the walk does not do. So the walk does not return to the same
//! copy.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Section 3, Figure 3: copy
//! header and body k times, redirect each back edge to the next copy, drop the last one.
//!
//! **Deviations.**
//! 1. The last back edge is not dropped but leads to a cut, so that "is a cut reachable?" tells whether the bound was
//!    exhaustive.
//! 2. Irreducible loops are unwound like others. Where one is entered at another block than its head, reaching the
//!    head for the first time does not count as an iteration: whatever the shape of the loops, a run that passes no
//!    block more than `unwind + 1` times in an activation is not cut.
//! 3. `unwind` bounds all back edges of a loop together. A loop with two of them (`continue`) is the paper's loop
//!    with a joint latch.
//! 4. A failure or an empty block by which a branch leaves a loop is copied with the iteration from which it is
//!    entered, so that no critical edge arises; see `critical_edges.rs`.
//!
//! **Direction of error.** Runs of the result that do not end in a cut are runs of the body. Runs of the body with
//! too many iterations end in a cut, so claims of unreachability hold within the bound only; where the limit
//! on blocks made the cut, nothing is claimed of what lies behind it.

use std::collections::hash_map::Entry;

use footpath_ir::{Block, BlockId, Body, Origin, Place, Terminator, TerminatorKind};
use rustc_hash::FxHashMap;

use crate::critical_edges::{Names, exits_with_its_predecessor, leaves_a_loop, reorder};
use footpath_ir::analysis::wto::{ComponentId, Wto};

/// A body without cycles.
#[derive(Clone, Debug)]
pub struct Unwound {
    /// The body, its blocks in topological order.
    pub body: Body,
    /// For each block, the block that it is a copy of; for a cut, the block that the run would have entered next.
    pub copies: Vec<BlockId>,
    /// The cuts made by unwinding, each with the block that the run would have entered next.
    pub cuts: Vec<(BlockId, BlockId)>,
    /// Those of them that the limit on blocks made.
    pub limited: Vec<BlockId>,
    /// Messages about what the limit on blocks left out.
    pub notes: Vec<String>,
}

/// Unwinds the loops of `body`, whose critical edges were split before. `rounds` bounds how often a loop returns to
/// its head. Unreachable blocks are dropped.
pub fn unwind(body: &Body, rounds: u32, max_blocks: usize) -> Unwound {
    let plan = plan(body);
    let mut unwinder = Unwinder {
        body,
        plan: &plan,
        rounds,
        max_blocks,
        names: Names::default(),
        blocks: Vec::new(),
        copies: Vec::new(),
        counters: Vec::new(),
        known: FxHashMap::default(),
        cuts: 0,
        cut_by_limit: Vec::new(),
    };
    unwinder.copy(Body::ENTRY, Vec::new());
    let mut next = 0;
    while next < unwinder.blocks.len() {
        unwinder.connect(next);
        next += 1;
    }
    unwinder.finish()
}

/// The effect of an edge on the counters of loops.
#[derive(Clone, Copy)]
struct Step {
    /// How many counters, from the outermost, are kept.
    keep: u32,
    /// Whether the target is the head of the loop of its last counter.
    head: bool,
    /// How many counters the target has.
    depth: u32,
}

/// For each block, the effects of its edges.
fn plan(body: &Body) -> Vec<Vec<Step>> {
    let wto = Wto::of(body);
    let predecessors = body.predecessors();
    let mut homes: Vec<Option<ComponentId>> = body.block_ids().map(|b| wto.innermost(b)).collect();
    for from in body.block_ids().filter(|&b| wto.is_reachable(b)) {
        let successors = body[from].terminator.successors();
        for to in successors.iter().filter(|_| successors.len() > 1) {
            let fit = exits_with_its_predecessor(&body[*to], &predecessors[to.index()]);
            if fit && leaves_a_loop(&wto, from, *to) {
                homes[to.index()] = wto.innermost(from);
            }
        }
    }
    let step = |from: BlockId, to: BlockId| {
        let (here, there) = (homes[from.index()], homes[to.index()]);
        let common = wto.common(here, there);
        let head = there.is_some_and(|c| wto[c].head == to);
        Step { keep: wto.depth(common), head, depth: wto.depth(there) }
    };
    let steps = |from: BlockId| body[from].terminator.successors().iter().map(|&to| step(from, to)).collect();
    body.block_ids().map(steps).collect()
}

struct Unwinder<'a> {
    body: &'a Body,
    plan: &'a [Vec<Step>],
    rounds: u32,
    max_blocks: usize,
    names: Names,
    blocks: Vec<Block>,
    copies: Vec<BlockId>,
    /// The counters of each copy; `None` for cuts.
    counters: Vec<Option<Vec<u32>>>,
    known: FxHashMap<(BlockId, Vec<u32>), BlockId>,
    cuts: usize,
    cut_by_limit: Vec<BlockId>,
}

impl Unwinder<'_> {
    fn push(&mut self, block: Block, source: BlockId, counters: Option<Vec<u32>>) -> BlockId {
        self.blocks.push(block);
        self.copies.push(source);
        self.counters.push(counters);
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// The copy of a block, created if it does not exist; a cut if that would exceed the limit on blocks.
    fn copy(&mut self, source: BlockId, counters: Vec<u32>) -> BlockId {
        let block = &self.body[source];
        // A block without successors costs no more than the cut in its place.
        let fits = self.blocks.len() < self.max_blocks || block.terminator.successors().is_empty();
        match self.known.entry((source, counters)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(_) if !fits && source != Body::ENTRY => {
                let cut = self.cut(source);
                self.cut_by_limit.push(cut);
                cut
            }
            Entry::Vacant(slot) => {
                let counters = slot.key().1.clone();
                slot.insert(BlockId(self.blocks.len() as u32));
                let mut wish = block.name.to_string();
                // Rounds from 0, and a letter for loops that were entered past their head.
                if counters.iter().any(|&c| c != 1) {
                    for c in &counters {
                        wish.push('~');
                        wish.push_str(&c.checked_sub(1).map_or("e".to_owned(), |round| round.to_string()));
                    }
                }
                let name = self.names.fresh(wish);
                self.push(Block { name, ..block.clone() }, source, Some(counters))
            }
        }
    }

    fn cut(&mut self, target: BlockId) -> BlockId {
        let source = &self.body[target];
        let block = source.origin.place.block().unwrap_or(Body::ENTRY);
        self.cuts += 1;
        let block = Block {
            name: self.names.fresh(format!("{}~cut{}", source.name, self.cuts)),
            statements: Vec::new(),
            terminator: Terminator { kind: TerminatorKind::Cut, span: source.span },
            span: source.span,
            origin: Origin { place: Place::Cut { block }, ..source.origin },
        };
        self.push(block, target, None)
    }

    /// Finds the copies that a copy leads to.
    fn connect(&mut self, at: usize) {
        let Some(counters) = self.counters[at].clone() else { return };
        let source = self.copies[at];
        let (body, plan) = (self.body, self.plan);
        for (slot, (&target, step)) in
            body[source].terminator.successors().iter().zip(&plan[source.index()]).enumerate()
        {
            let mut next = counters[..step.keep as usize].to_vec();
            next.resize(step.depth as usize, 0);
            let mut exceeded = false;
            if step.head {
                let counter = next.last_mut().expect("a loop has a counter");
                exceeded = *counter > self.rounds;
                *counter += u32::from(!exceeded);
            }
            let to = if exceeded { self.cut(target) } else { self.copy(target, next) };
            *self.blocks[at].terminator.successors_mut()[slot] = to;
        }
    }

    fn finish(self) -> Unwound {
        let order = topological(&self.blocks);
        let copies: Vec<BlockId> = order.iter().map(|b| self.copies[b.index()]).collect();
        let is_cut = |old: &BlockId| self.counters[old.index()].is_none();
        let cuts = order.iter().enumerate().filter(|(_, old)| is_cut(old));
        let cuts = cuts.map(|(i, old)| (BlockId(i as u32), self.copies[old.index()])).collect();
        let mut notes = Vec::new();
        let by_limit = |old: &BlockId| self.cut_by_limit.contains(old);
        let limited = order.iter().enumerate().filter(|(_, old)| by_limit(old));
        let limited: Vec<BlockId> = limited.map(|(i, _)| BlockId(i as u32)).collect();
        if !limited.is_empty() {
            let (count, limit) = (limited.len(), self.max_blocks);
            notes.push(format!("{count} edges were cut: more than {limit} blocks"));
        }
        let body = Body { blocks: reorder(self.blocks, &order), ..without_blocks(self.body) };
        Unwound { body, copies, cuts, limited, notes }
    }
}

/// A body's declarations without its blocks.
fn without_blocks(body: &Body) -> Body {
    Body {
        params: body.params.clone(),
        results: body.results.clone(),
        locals: body.locals.clone(),
        blocks: Vec::new(),
        span: body.span,
        attributes: body.attributes.clone(),
    }
}

/// A topological order of an acyclic graph all of whose blocks can be reached from the first one.
pub(crate) fn topological(blocks: &[Block]) -> Vec<BlockId> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::with_capacity(blocks.len());
    let mut stack = vec![(Body::ENTRY, blocks[0].terminator.successors())];
    seen[0] = true;
    while let Some((block, rest)) = stack.last_mut() {
        // Last successor first: the reversed order then starts with the first one.
        match rest.pop() {
            Some(next) if !seen[next.index()] => {
                seen[next.index()] = true;
                stack.push((next, blocks[next.index()].terminator.successors()));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
