//! Fixpoint iteration with widening and narrowing: the invariants at every block, loops included.
//!
//! **Idea.** Abstract states are propagated along edges until nothing changes. At loop heads (the heads of the
//! components of a weak topological order; Bourdoncle, "Efficient chaotic iteration strategies with widenings", FMPA
//! 1993) they are widened, so that the iteration terminates; the thresholds of widening are the numbers of the
//! program and their neighbours. Two more iterations without widening then regain precision (narrowing; Cousot,
//! Cousot, POPL 1977).
//!
//! **Example.** In `i := 0; while (i < 10) { i := i + 1; }` the head is first entered with `i = 0`, then with
//! `0 ≤ i ≤ 1`. Widening raises the upper bound from threshold to threshold; `0 ≤ i ≤ 10` is not exceeded any more,
//! and it is the invariant of the head. Behind the loop `i = 10`.
//!
//! A block may have several states side by side, up to a limit (trace partitioning; Rival, Mauborgne, "The trace
//! partitioning abstract domain", TOPLAS 2007). A loop head has one state for each set of map indices that are known
//! to be 0: a pointer that traverses a list is either null or points to a live object, and the join of both cases
//! would say nothing.
//!
//! **Deviations.**
//! 1. The more often the facts of a head are widened, the fewer thresholds are used.
//! 2. Blocks are processed by their position in a reverse postorder instead of recursively.
//!
//! **Direction of error.** The states of a block contain every state in which a run enters it. If the limit on steps
//! or on time is reached, every block has the state in which nothing is known.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use footpath_ir::analysis::wto::Wto;
use footpath_ir::{Block, BlockId, Body, StatementKind, TerminatorKind};
use footpath_term::{Op, TermId, Terms, Value};
use footpath_virtual_time::Deadline;
use num_bigint::BigInt;

use crate::assign::{assign, forget, havoc};
use crate::condition::{assume, merge};
use crate::facts::Facts;
use crate::float;
use crate::linear::Dim;
use crate::liveness::{FreeSymbols, Live};
use crate::range::fits;
use crate::read::readings;

/// How often the facts of a head are widened to the nearest threshold before thresholds are skipped.
const FINE_WIDENINGS: u32 = 6;
/// How often only the ranges of a head's facts are widened, not its rows.
const EARLY_WIDENINGS: u32 = 2;

/// The limits on the work of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// How many states a block may have side by side.
    pub partitions: usize,
    /// How often a loop's head is entered before its facts are widened.
    pub widen_after: u32,
    /// The number of narrowing iterations.
    pub narrowing: u32,
    /// How often blocks are executed before the analysis gives up.
    pub max_steps: u32,
    /// The time at which the analysis gives up.
    pub until: Option<Deadline>,
}

impl Effort {
    fn is_late(self) -> bool {
        self.until.is_some_and(Deadline::is_over)
    }
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { partitions: 4, widen_after: 2, narrowing: 2, max_steps: 20_000, until: None }
    }
}

/// The invariants at the blocks of a body.
pub struct Fixpoint {
    /// For each block, the states in which it is entered; none if it is not.
    pub entered: Vec<Vec<Facts>>,
    /// Whether the limit on steps was reached, so that nothing is known.
    pub gave_up: bool,
}

/// Runs a body without calls and assertions from the states of `start`.
pub fn fixpoint(terms: &mut Terms, body: &Body, start: Facts, effort: Effort) -> Fixpoint {
    fixpoint_asked(terms, body, start, effort, &[])
}

/// As [`fixpoint`], for callers that go on to ask whether the `asked` terms hold in blocks; variables of these terms
/// stay live there.
pub fn fixpoint_asked(
    terms: &mut Terms,
    body: &Body,
    start: Facts,
    effort: Effort,
    asked: &[(BlockId, TermId)],
) -> Fixpoint {
    let order = reverse_postorder(body);
    let mut position = vec![usize::MAX; body.blocks.len()];
    for (i, b) in order.iter().enumerate() {
        position[b.index()] = i;
    }
    let wto = Wto::of(body);
    let mut is_head = vec![false; body.blocks.len()];
    wto.components.iter().for_each(|c| is_head[c.head.index()] = true);
    let thresholds = thresholds(terms, body);
    let predecessors = body.predecessors();
    let mut free = FreeSymbols::default();
    let live = Live::asked(terms, &mut free, body, &order, asked);
    let indices = indices(terms, body);
    let mut run = Run {
        terms,
        indices,
        free,
        live,
        body,
        start,
        effort,
        out: vec![Vec::new(); body.blocks.len()],
        entered: vec![Vec::new(); body.blocks.len()],
        predecessors,
        is_head,
        position,
        order,
    };
    let gave_up = !run.ascend(&thresholds);
    if gave_up {
        let entered = vec![vec![Facts::default()]; body.blocks.len()];
        return Fixpoint { entered, gave_up };
    }
    for _ in 0..effort.narrowing {
        run.descend();
    }
    Fixpoint { entered: run.entered, gave_up }
}

struct Run<'a> {
    terms: &'a mut Terms,
    free: FreeSymbols,
    live: Live,
    body: &'a Body,
    start: Facts,
    effort: Effort,
    /// For each block and each of its successors: the states on that edge.
    out: Vec<Vec<Vec<Facts>>>,
    entered: Vec<Vec<Facts>>,
    predecessors: Vec<Vec<BlockId>>,
    is_head: Vec<bool>,
    position: Vec<usize>,
    order: Vec<BlockId>,
    /// The variables that are indices of maps, each in all its readings.
    indices: Vec<Vec<Dim>>,
}

impl Run<'_> {
    fn ascend(&mut self, thresholds: &[i128]) -> bool {
        let mut visits = vec![0u32; self.body.blocks.len()];
        let mut todo: BTreeSet<usize> = BTreeSet::from([0]);
        let mut steps = 0;
        while let Some(next) = todo.pop_first() {
            steps += 1;
            if steps > self.effort.max_steps || self.effort.is_late() {
                return false;
            }
            let block = self.order[next];
            let b = block.index();
            let arriving = self.arriving(block);
            if self.is_head[b] && visits[b] > 0 {
                let times = visits[b].checked_sub(self.effort.widen_after);
                if !self.grow(block, arriving, thresholds, times) {
                    continue;
                }
            } else if visits[b] > 0 && arriving.iter().all(|s| self.entered[b].iter().any(|e| s.is_within(e)))
            {
                // Nothing new: what was computed from more holds for less.
                continue;
            } else {
                self.entered[b] = arriving;
            }
            visits[b] += 1;
            let Some(out) = self.execute(block) else { return false };
            self.out[b] = out;
            let successors = self.body[block].terminator.successors();
            todo.extend(successors.iter().map(|s| self.position[s.index()]));
        }
        true
    }

    /// Adds states to those of a head, and widens them if that was done often enough before. Returns whether any
    /// state is new.
    fn grow(&mut self, head: BlockId, arriving: Vec<Facts>, thresholds: &[i128], times: Option<u32>) -> bool {
        let old = std::mem::take(&mut self.entered[head.index()]);
        let is_new = |new: &Facts| !old.iter().any(|old| new.is_within(old));
        let new: Vec<Facts> = arriving.into_iter().filter(is_new).collect();
        let grown = !new.is_empty();
        let wider = |old: &Facts, joined: Facts| match times {
            Some(times) => old.widen(&joined, &thinned(thresholds, times), times < EARLY_WIDENINGS),
            None => joined,
        };
        let mut entered = old.clone();
        for new in new {
            let zeros = self.zeros(&new);
            match entered.iter_mut().find(|old| self.zeros(old) == zeros) {
                Some(old) => *old = wider(old, old.join(&new)),
                None => entered.push(new),
            }
        }
        let mut entered = self.by_zeros(entered);
        if entered.len() > self.effort.partitions
            && let (Some(old), Some(joined)) = (merge(&old), merge(&entered))
        {
            entered = vec![wider(&old, joined)];
        }
        self.entered[head.index()] = entered;
        grown
    }

    /// Which of the indices of maps a state knows to be 0.
    fn zeros(&self, state: &Facts) -> Vec<usize> {
        let is_zero = |&i: &usize| self.indices[i].iter().any(|d| state.range(*d).value() == Some(0));
        (0..self.indices.len()).filter(is_zero).collect()
    }

    /// One state for each set of indices that are 0.
    fn by_zeros(&self, states: Vec<Facts>) -> Vec<Facts> {
        let mut groups: BTreeMap<Vec<usize>, Facts> = BTreeMap::new();
        for mut state in states.into_iter().filter(|s| !s.is_empty()) {
            let mut zeros = self.zeros(&state);
            while let Some(other) = groups.remove(&zeros) {
                state = other.join(&state);
                zeros = self.zeros(&state);
            }
            groups.insert(zeros, state);
        }
        groups.into_values().collect()
    }

    /// Joins states until there are at most as many as partitions, none contained in another; states in which the
    /// same indices are known to be 0 are joined first.
    fn limited(&self, states: Vec<Facts>) -> Vec<Facts> {
        let mut kept: Vec<Facts> = Vec::new();
        for s in states {
            if s.is_empty() || kept.iter().any(|k| s.is_within(k)) {
                continue;
            }
            kept.retain(|k| !k.is_within(&s));
            kept.push(s);
        }
        while kept.len() > self.effort.partitions.max(1) {
            let Some(last) = kept.pop() else { break };
            let zeros = self.zeros(&last);
            let like = kept.iter().rposition(|k| self.zeros(k) == zeros).unwrap_or(kept.len() - 1);
            kept[like] = kept[like].join(&last);
        }
        kept
    }

    fn descend(&mut self) {
        for block in self.order.clone() {
            // What is there holds without being made stronger.
            if self.effort.is_late() {
                return;
            }
            let arriving = self.arriving(block);
            // Facts of before hold still; they are kept where the new ones say less.
            let old = &self.entered[block.index()];
            let says_less = |new: &Facts| !old.iter().any(|old| new.is_within(old));
            let match_up = self.is_head[block.index()] || arriving.len() == 1 && old.len() == 1;
            if !(match_up && arriving.iter().any(says_less)) {
                self.entered[block.index()] = arriving;
            }
            let Some(out) = self.execute(block) else { return };
            self.out[block.index()] = out;
        }
    }

    /// The states in which a block is entered, by the current states of its predecessors.
    fn arriving(&self, block: BlockId) -> Vec<Facts> {
        let mut states = Vec::new();
        if block == Body::ENTRY {
            states.push(self.start.clone());
        }
        let mut sources = self.predecessors[block.index()].clone();
        sources.sort_unstable();
        sources.dedup();
        for p in sources {
            let successors = self.body[p].terminator.successors();
            for (i, _) in successors.iter().enumerate().filter(|(_, s)| **s == block) {
                states.extend(self.out[p.index()].get(i).into_iter().flatten().cloned());
            }
        }
        if self.is_head[block.index()] { self.by_zeros(states) } else { self.limited(states) }
    }

    /// The states on the edges out of a block, restricted to the variables that are live there. `None` if it is late: a block may be
    /// long, as one that fills a structure byte by byte.
    fn execute(&mut self, block: BlockId) -> Option<Vec<Vec<Facts>>> {
        let body = self.body;
        let mut states = self.entered[block.index()].clone();
        for statement in &body[block].statements {
            if self.effort.is_late() {
                return None;
            }
            let after = step(self.terms, &mut self.free, states, &statement.kind);
            states = self.limited(after);
        }
        Some(match &body[block].terminator.kind {
            TerminatorKind::Goto(targets) => {
                targets.iter().map(|to| self.about_live(states.clone(), *to)).collect()
            }
            TerminatorKind::Branch { condition, then_to, else_to } => [(true, then_to), (false, else_to)]
                .into_iter()
                .map(|(truth, to)| {
                    let found =
                        states.iter().flat_map(|s| assume(self.terms, s, *condition, truth)).collect();
                    self.about_live(found, *to)
                })
                .collect(),
            TerminatorKind::Return | TerminatorKind::Fail | TerminatorKind::Cut => Vec::new(),
        })
    }

    /// At most as many states as partitions, without facts about dead variables.
    fn about_live(&mut self, mut states: Vec<Facts>, to: BlockId) -> Vec<Facts> {
        for state in &mut states {
            forget(self.terms, &mut self.free, state, &|s| self.live.is_dead(s, to));
        }
        self.limited(states)
    }
}

/// The states after a statement.
fn step(
    terms: &mut Terms,
    free: &mut FreeSymbols,
    states: Vec<Facts>,
    statement: &StatementKind,
) -> Vec<Facts> {
    let mut after = Vec::new();
    for s in states {
        match statement {
            StatementKind::Assign(values) => after.extend(assign(terms, free, s, values)),
            StatementKind::Havoc(symbols) => after.push(havoc(terms, free, s, symbols)),
            StatementKind::Assume(condition) => after.extend(assume(terms, &s, *condition, true)),
            // Passes have replaced these; whatever they are, nothing is known behind them.
            _ => after.push(Facts::default()),
        }
    }
    after.retain(|s| !s.is_empty());
    after
}

impl Fixpoint {
    /// Whether a condition holds whenever statement number `at` of a block is reached.
    pub fn holds(
        &self,
        terms: &mut Terms,
        body: &Body,
        (block, at): (BlockId, usize),
        condition: TermId,
    ) -> bool {
        let mut free = FreeSymbols::default();
        let mut states = self.entered[block.index()].clone();
        for statement in &body[block].statements[..at] {
            states = step(terms, &mut free, states, &statement.kind);
        }
        states.iter().all(|s| assume(terms, s, condition, false).is_empty())
    }
}

/// The thresholds that are left for the next widening of a head's facts. A counter without a bound should not stop at
/// each of them, as every stop costs an execution of the whole loop.
fn thinned(thresholds: &[i128], times: u32) -> Cow<'_, [i128]> {
    match times.checked_sub(FINE_WIDENINGS) {
        None => Cow::Borrowed(thresholds),
        Some(more) => {
            let stride = 2usize.saturating_pow(more + 1);
            thresholds.iter().copied().skip(stride / 2).step_by(stride).collect()
        }
    }
}

/// The reachable blocks in reverse postorder: each before its successors, except along back edges.
pub fn reverse_postorder(body: &Body) -> Vec<BlockId> {
    let mut seen = vec![false; body.blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![(Body::ENTRY, 0)];
    seen[0] = true;
    while let Some((block, edge)) = stack.pop() {
        let successors = body[block].terminator.successors();
        // Last successors first, so that a loop's exit, its else, comes behind its body.
        match successors.len().checked_sub(edge + 1) {
            Some(i) => {
                stack.push((block, edge + 1));
                if !std::mem::replace(&mut seen[successors[i].index()], true) {
                    stack.push((successors[i], 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

/// The variables that are indices of maps in a body, each in all its readings.
fn indices(terms: &Terms, body: &Body) -> Vec<Vec<Dim>> {
    let roots: Vec<TermId> = body.blocks.iter().flat_map(Block::terms).collect();
    let mut found = BTreeSet::new();
    for t in terms.post_order(&roots) {
        let term = terms.term(t);
        let indices = match term.op {
            Op::Select => &term.args[1..],
            Op::Store => &term.args[1..term.args.len() - 1],
            _ => continue,
        };
        found.extend(indices.iter().copied().filter(|&i| matches!(terms.term(i).op, Op::Var(_))));
    }
    let read = |t: TermId| readings(terms, terms.sort(t)).into_iter().map(|r| Dim::Term(t, r)).collect();
    found.into_iter().map(read).collect()
}

/// The thresholds: the numbers of the program and their neighbours, in order.
fn thresholds(terms: &Terms, body: &Body) -> Vec<i128> {
    let mut roots: Vec<TermId> = Vec::new();
    for block in &body.blocks {
        for s in &block.statements {
            match &s.kind {
                StatementKind::Assign(values) => roots.extend(values.iter().map(|v| v.1)),
                StatementKind::Assume(c) => roots.push(*c),
                _ => {}
            }
        }
        if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
            roots.push(condition);
        }
    }
    let mut found = BTreeSet::new();
    for t in terms.post_order(&roots) {
        let numbers: Vec<BigInt> = match &terms.term(t).op {
            Op::Literal(Value::Int(n)) => vec![n.clone()],
            Op::Literal(Value::BitVec { width, bits }) => {
                vec![BigInt::from(bits.clone()), Value::signed(*width, bits)]
            }
            Op::Apply(_) => match float::width(terms, terms.sort(t)) {
                Some(w) => {
                    let of = |a: &TermId| match terms.literal(*a) {
                        Some(Value::BitVec { bits, .. }) => float::rank_of(bits, w),
                        _ => None,
                    };
                    let ranks = terms.term(t).args.iter().filter_map(of);
                    ranks.chain([-float::infinity(w), float::infinity(w)]).map(BigInt::from).collect()
                }
                None => continue,
            },
            Op::Literal(Value::Float { bits, .. }) => match float::width(terms, terms.sort(t)) {
                Some(w) => float::rank_of(bits, w).into_iter().map(BigInt::from).collect(),
                None => continue,
            },
            _ => continue,
        };
        for n in numbers.iter().filter_map(|n| i128::try_from(n).ok().and_then(fits)) {
            found.extend([n - 1, n, n + 1]);
        }
    }
    found.into_iter().collect()
}
