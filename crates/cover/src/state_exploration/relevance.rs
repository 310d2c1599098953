//! Relevance: a backward analysis of liveness with respect to the open goals.
//!
//! **Idea.** A backward pass over the loop-free body computes for each block whether an open goal is ahead, and which
//! variables' values there can still influence whether it is reached. A branch is irrelevant if all its paths meet
//! again, no goal is on them, none of them can block, fail or ask for an arbitrary value, and what they assign does
//! not matter where they meet: the branch is *skipped*. Its condition does not even count as a read.
//!
//! **Example.** If `n` is not read later, `if (debug) { n := n + 1; }` is skipped, and `debug` is not relevant
//! because of it.
//!
//! The fewer goals are open, the less is relevant; so this is recomputed when goals are decided.
//!
//! **Direction of error.** Towards more relevance, which costs time only.

use footpath_ir::{BlockId, Body, Program, StatementKind, TerminatorKind};
use footpath_term::{SymbolId, TermId, Terms};
use footpath_transform::LoopFree;
use rustc_hash::{FxHashMap, FxHashSet};

use footpath_ir::analysis::dominators::post_dominators;

/// The limit on blocks of a skipped branch, which bounds the time to find it.
const REGION: usize = 256;

/// The goals at blocks that the search is for.
pub(super) type Goals = FxHashMap<BlockId, Vec<usize>>;

/// The properties of a body that do not depend on the goals.
pub(super) struct Shape {
    post_dominators: Vec<Option<BlockId>>,
    /// The variables in each condition and each right-hand side.
    symbols: FxHashMap<TermId, Vec<SymbolId>>,
    /// For each block whether a run of the source asks for a choice there.
    asks: Vec<bool>,
    /// Whether every run that starts also returns.
    pub(super) total: bool,
}

impl Shape {
    pub(super) fn of(program: &Program, terms: &Terms, unit: &LoopFree) -> Shape {
        let body = &unit.body;
        let asks = body.block_ids().map(|b| unit.source_choice(program, b, 0).is_some()).collect();
        let mut symbols = FxHashMap::default();
        let mut total = true;
        for (b, block) in body.blocks.iter().enumerate() {
            let mut read = Vec::new();
            for s in &block.statements {
                match &s.kind {
                    StatementKind::Assign(pairs) => read.extend(pairs.iter().map(|&(_, t)| t)),
                    StatementKind::Assume(t) => {
                        read.push(*t);
                        // What is assumed in the entry decides whether a run starts.
                        total &= b == 0;
                    }
                    _ => {}
                }
            }
            match &block.terminator.kind {
                TerminatorKind::Branch { condition, .. } => read.push(*condition),
                TerminatorKind::Goto(targets) => total &= !targets.is_empty(),
                TerminatorKind::Return => {}
                TerminatorKind::Fail | TerminatorKind::Cut => total = false,
            }
            for t in read {
                symbols.entry(t).or_insert_with(|| terms.free_symbols(&[t]));
            }
        }
        Shape { post_dominators: post_dominators(body), symbols, asks, total }
    }
}

/// What is relevant for some goals.
#[derive(Default)]
pub(super) struct Relevance {
    /// For each block: whether an open goal is there or ahead.
    pub(super) ahead: Vec<bool>,
    /// For each block: whether an open goal or a wanted end is there or ahead.
    pub(super) matters: Vec<bool>,
    /// For each block: the variables whose values matter when it is entered, in order.
    pub(super) live: Vec<Vec<SymbolId>>,
    /// For each block that ends in an irrelevant branch: the block where its paths meet.
    pub(super) skip: Vec<Option<BlockId>>,
}

impl Relevance {
    /// Computes what is relevant for reaching a `wanted` block, and one of the `ends`.
    pub(super) fn of(shape: &Shape, body: &Body, wanted: &Goals, ends: &FxHashSet<BlockId>) -> Relevance {
        let n = body.blocks.len();
        let mut r = Relevance {
            ahead: vec![false; n],
            matters: vec![false; n],
            live: vec![Vec::new(); n],
            skip: vec![None; n],
        };
        for b in (0..n).rev().map(|b| BlockId(b as u32)) {
            let block = &body[b];
            let all = block.terminator.successors();
            r.ahead[b.index()] = wanted.contains_key(&b) || all.iter().any(|s| r.ahead[s.index()]);
            let next: Vec<BlockId> = all.into_iter().filter(|s| r.matters[s.index()]).collect();
            r.matters[b.index()] = wanted.contains_key(&b) || ends.contains(&b) || !next.is_empty();
            if !r.matters[b.index()] {
                continue;
            }
            r.skip[b.index()] = r.meeting(shape, body, b, wanted);
            let mut live: FxHashSet<SymbolId> = FxHashSet::default();
            match r.skip[b.index()] {
                Some(meeting) => live.extend(&r.live[meeting.index()]),
                None => {
                    live.extend(next.iter().flat_map(|s| &r.live[s.index()]));
                    if let (TerminatorKind::Branch { condition, .. }, false) =
                        (&block.terminator.kind, next.is_empty())
                    {
                        live.extend(&shape.symbols[condition]);
                    }
                }
            }
            for s in block.statements.iter().rev() {
                match &s.kind {
                    StatementKind::Assign(pairs) => {
                        let read: Vec<&(SymbolId, TermId)> =
                            pairs.iter().filter(|(v, _)| live.contains(v)).collect();
                        for (v, _) in &read {
                            live.remove(v);
                        }
                        live.extend(read.iter().flat_map(|(_, t)| &shape.symbols[t]));
                    }
                    StatementKind::Havoc(symbols) => symbols.iter().for_each(|v| {
                        live.remove(v);
                    }),
                    StatementKind::Assume(t) => live.extend(&shape.symbols[t]),
                    _ => {}
                }
            }
            let mut live: Vec<SymbolId> = live.into_iter().collect();
            live.sort_unstable();
            r.live[b.index()] = live;
        }
        r
    }

    /// The block where the paths from a branch meet, if the branch is irrelevant.
    fn meeting(&self, shape: &Shape, body: &Body, b: BlockId, wanted: &Goals) -> Option<BlockId> {
        if !matches!(body[b].terminator.kind, TerminatorKind::Branch { .. }) || shape.asks[b.index()] {
            return None;
        }
        let meeting = shape.post_dominators[b.index()]?;
        let live: FxHashSet<SymbolId> = self.live[meeting.index()].iter().copied().collect();
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut stack = body[b].terminator.successors();
        while let Some(c) = stack.pop() {
            if c == meeting || !seen.insert(c) {
                continue;
            }
            let free_choice =
                matches!(&body[c].terminator.kind, TerminatorKind::Goto(targets) if targets.len() != 1);
            let harmless = body[c].statements.iter().all(|s| match &s.kind {
                StatementKind::Assign(pairs) => !pairs.iter().any(|(v, _)| live.contains(v)),
                _ => false,
            });
            let asks = free_choice || shape.asks[c.index()];
            if seen.len() > REGION || wanted.contains_key(&c) || asks || !harmless {
                return None;
            }
            stack.extend(body[c].terminator.successors());
        }
        Some(meeting)
    }
}
