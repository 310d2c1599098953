//! Cut points (Floyd): a body as acyclic path segments between its loop heads, each executed symbolically.
//!
//! **Idea.** Every cycle passes a head of the weak topological order. So a run is a sequence of segments, each from
//! the start or a head to the next head or a target, and without a cycle. Each is executed symbolically by itself:
//! from the start in the initial state, from a head in a state in which every variable is its own symbol.
//!
//! Example: `i = 0; while (i < n) i++; target` has three segments: start to head with `i = 0`, head to head with `i <
//! n` and `i := i + 1`, and head to target with `i ≥ n`.
//!
//! The beginning and the end of a recursive procedure are heads, too (`recursion.rs`). After a call of it a segment
//! has arbitrary values, of which what is known at that end holds.
//!
//! **Deviations.** Arms of a branch that meet again at once, without a statement, are not distinguished.
//!
//! **Direction of error.** The segments represent more runs than there are, never fewer.

use footpath_ir::analysis::wto::Wto;
use footpath_ir::{BlockId, Body, StatementKind, TerminatorKind};
use footpath_term::{Op, Substitution, SymbolId, TermId, Terms};
use footpath_transform::state::State;

use crate::graph::Graph;
use crate::inductive::Subject;
use crate::recursion::Recursive;

/// The largest number of segments.
const MAX_WAYS: usize = 600;
/// The largest number of blocks of all segments together.
const MAX_BLOCKS: usize = 60_000;

/// A path.
#[derive(Clone)]
pub(crate) struct Segment {
    /// The number of the head that it comes from; none if it is the start.
    pub(crate) from: Option<usize>,
    /// The number of the head that it leads to; none if it is a target.
    pub(crate) to: Option<usize>,
    /// The block that it leads to: the head, or the target.
    pub(crate) at: BlockId,
    /// The condition at its beginning under which it is taken.
    pub(crate) conditions: Vec<TermId>,
    /// The values of variables at its end.
    pub(crate) state: State,
    /// The symbols that stand for arbitrary values on it.
    pub(crate) fresh: Vec<TermId>,
    /// The calls that return on it.
    pub(crate) calls: Vec<Call>,
}

/// A call that returns.
#[derive(Clone)]
pub(crate) struct Call {
    /// The number of the head where the callee ends.
    pub(crate) end: usize,
    /// The values of the callee's variables there.
    pub(crate) values: Substitution,
}

/// The path segments of a body that may be part of a run to a target.
#[derive(Clone)]
pub(crate) struct Segments {
    pub(crate) segments: Vec<Segment>,
    pub(crate) heads: usize,
    /// For each head that is the end of a procedure, the variables that are visible after a call.
    pub(crate) ends: Vec<Option<Vec<SymbolId>>>,
}

impl Segments {
    /// The positions of the segments to targets.
    pub(crate) fn to_targets(&self) -> Vec<usize> {
        (0..self.segments.len()).filter(|&i| self.segments[i].to.is_none()).collect()
    }

    /// The targets that the segments at some positions lead to.
    pub(crate) fn targets(&self, positions: &[usize]) -> Vec<BlockId> {
        let mut targets: Vec<BlockId> = positions.iter().map(|&i| self.segments[i].at).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Keeps the segments for which `keep` says so, given all; `open` are positions, and move along.
    pub(crate) fn retain(
        &mut self,
        open: &mut Vec<usize>,
        mut keep: impl FnMut(&Segments, &Segment) -> bool,
    ) {
        let kept: Vec<bool> = self.segments.iter().map(|segment| keep(self, segment)).collect();
        let place = |i: usize| kept[..i].iter().filter(|kept| **kept).count();
        open.retain(|&i| kept[i]);
        open.iter_mut().for_each(|i| *i = place(*i));
        let mut kept = kept.into_iter();
        self.segments.retain(|_| kept.next().unwrap_or(true));
    }
}

/// The path segments of a body; `None` if there are too many, or a run begins at a target.
pub(crate) fn segments(
    terms: &mut Terms,
    subject: &Subject<'_>,
    targets: &[BlockId],
    go_on: &dyn Fn() -> bool,
) -> Option<Segments> {
    let Subject { body, initial, procedures, .. } = *subject;
    let mut is_target = vec![false; body.blocks.len()];
    targets.iter().for_each(|t| is_target[t.index()] = true);
    let mut is_end = is_target.clone();
    procedures.iter().for_each(|p| is_end[p.exit.index()] = true);
    let leads = Graph::of(body, &is_end).leads_to_target();
    let mut number = vec![None; body.blocks.len()];
    let mut heads = Vec::new();
    let loops = Wto::of(body).components.into_iter().map(|component| component.head);
    let entries = procedures.iter().map(|p| p.entry);
    let exits = procedures.iter().map(|p| p.exit);
    for head in loops.chain(entries).chain(exits) {
        // Behind the beginning of a procedure its parameters are set, so that is the better head.
        let head = match &body[head].terminator.kind {
            TerminatorKind::Goto(to) if procedures.iter().any(|p| **to == [p.entry]) => to[0],
            _ => head,
        };
        if leads[head.index()] && !is_target[head.index()] && number[head.index()].is_none() {
            number[head.index()] = Some(heads.len());
            heads.push(head);
        }
    }
    let mut walk = Walk { body, procedures, is_target, leads, number, segments: Vec::new(), blocks: 0 };
    let starts = heads.iter().enumerate().map(|(i, &head)| (Some(i), head, State::default()));
    for (from, block, state) in std::iter::once((None, Body::ENTRY, initial.clone())).chain(starts) {
        let (conditions, fresh, calls) = (Vec::new(), Vec::new(), Vec::new());
        walk.all_from(
            terms,
            Segment { from, to: None, at: block, conditions, state, fresh, calls },
            block,
            go_on,
        )?;
    }
    let end_of = |head: &BlockId| {
        let procedure = procedures.iter().find(|p| p.exit == *head)?;
        Some(procedure.values.iter().map(|&(variable, _)| variable).collect())
    };
    let ends = heads.iter().map(end_of).collect();
    Some(Segments { segments: walk.segments, heads: heads.len(), ends })
}

struct Walk<'a> {
    body: &'a Body,
    procedures: &'a [Recursive],
    is_target: Vec<bool>,
    leads: Vec<bool>,
    /// The numbers of heads.
    number: Vec<Option<usize>>,
    segments: Vec<Segment>,
    blocks: usize,
}

impl Walk<'_> {
    fn all_from(
        &mut self,
        terms: &mut Terms,
        begin: Segment,
        block: BlockId,
        go_on: &dyn Fn() -> bool,
    ) -> Option<()> {
        // At a head a way begins; that it is one ends only ways that arrive.
        let mut arriving = begin.from.is_none();
        let mut stack = vec![(begin, block)];
        while let Some((mut segment, block)) = stack.pop() {
            self.blocks += 1;
            if self.blocks > MAX_BLOCKS || self.segments.len() > MAX_WAYS || !go_on() {
                return None;
            }
            let at = block.index();
            if self.is_target[at] || (arriving && self.number[at].is_some()) {
                segment.to = if self.is_target[at] { None } else { self.number[at] };
                segment.at = block;
                self.segments.push(segment);
                continue;
            }
            arriving = true;
            if !self.execute(terms, &mut segment, block) {
                continue;
            }
            for (condition, to) in self.onward(terms, &segment, block) {
                let mut next = Segment {
                    conditions: segment.conditions.clone(),
                    state: segment.state.clone(),
                    fresh: segment.fresh.clone(),
                    calls: segment.calls.clone(),
                    ..segment
                };
                if next.assume(terms, condition) {
                    stack.push((next, to));
                }
            }
        }
        Some(())
    }

    /// Executes the statements of a block; returns whether the segment continues after them.
    fn execute(&self, terms: &mut Terms, segment: &mut Segment, block: BlockId) -> bool {
        for statement in &self.body[block].statements {
            let mut havocs = Vec::new();
            let condition = segment.state.execute(terms, statement, &mut havocs);
            segment.fresh.extend(havocs.iter().map(|h| h.1));
            if condition.is_some_and(|c| !segment.assume(terms, c)) {
                return false;
            }
        }
        let over = self.procedures.iter().find(|p| p.over.contains(&block));
        if let Some((procedure, end)) = over.and_then(|p| Some((p, self.number[p.exit.index()]?))) {
            let value = |&(variable, copy): &(SymbolId, SymbolId)| (variable, segment.state.get(terms, copy));
            let values = procedure.values.iter().map(value).collect();
            segment.calls.push(Call { end, values });
        }
        true
    }

    /// The successors of a block on a segment, each with its condition.
    fn onward(&self, terms: &mut Terms, segment: &Segment, block: BlockId) -> Vec<(TermId, BlockId)> {
        let always = terms.bool(true);
        let mut onward = match &self.body[block].terminator.kind {
            TerminatorKind::Goto(targets) => {
                targets.iter().map(|&t| (always, self.through(terms, t))).collect()
            }
            TerminatorKind::Branch { condition, then_to, else_to } => {
                let (then_to, else_to) = (self.through(terms, *then_to), self.through(terms, *else_to));
                if then_to == else_to {
                    vec![(always, then_to)]
                } else {
                    let condition = segment.state.eval(terms, *condition);
                    let not = terms.app(Op::Not, [condition]);
                    vec![(condition, then_to), (not, else_to)]
                }
            }
            TerminatorKind::Return | TerminatorKind::Fail | TerminatorKind::Cut => Vec::new(),
        };
        onward.retain(|(_, to)| self.leads[to.index()]);
        onward
    }

    /// The first block from `block` on that is not empty.
    fn through(&self, terms: &Terms, mut block: BlockId) -> BlockId {
        for _ in 0..self.body.blocks.len() {
            let nothing = self.body[block]
                .statements
                .iter()
                .all(|s| matches!(s.kind, StatementKind::Assume(c) if terms.as_bool(c) == Some(true)));
            let known = self.is_target[block.index()] || self.number[block.index()].is_some();
            match &self.body[block].terminator.kind {
                TerminatorKind::Goto(targets) if nothing && !known && targets.len() == 1 => {
                    block = targets[0];
                }
                _ => break,
            }
        }
        block
    }
}

impl Segment {
    /// The concatenation of this segment with one that begins where it ends and leads to a target; `None` if that is
    /// infeasible.
    pub(crate) fn then(&self, terms: &mut Terms, next: &Segment) -> Option<Segment> {
        // Arbitrary values are so each time anew.
        let mut renamed = Substitution::default();
        let mut fresh = self.fresh.clone();
        for &old in &next.fresh {
            let Op::Var(symbol) = terms.term(old).op else { unreachable!("what is arbitrary is a symbol") };
            let new = terms.fresh_var(terms.symbol(symbol).name.clone(), terms.sort(old));
            renamed.insert(symbol, new);
            fresh.push(new);
        }
        let mut calls = self.calls.clone();
        for call in &next.calls {
            let value = |(&variable, &t): (&SymbolId, &TermId)| {
                let t = terms.substitute(t, &renamed);
                (variable, self.state.eval(terms, t))
            };
            calls.push(Call { end: call.end, values: call.values.iter().map(value).collect() });
        }
        let (conditions, state) = (self.conditions.clone(), self.state.clone());
        let mut both = Segment { from: self.from, to: next.to, at: next.at, conditions, state, fresh, calls };
        for &condition in &next.conditions {
            let condition = terms.substitute(condition, &renamed);
            let condition = self.state.eval(terms, condition);
            if !both.assume(terms, condition) {
                return None;
            }
        }
        Some(both)
    }

    /// What is known on a segment, given what is known at heads: at its beginning, and after calls that return.
    pub(crate) fn known(&self, terms: &mut Terms, segments: &Segments, at: &[Vec<TermId>]) -> Vec<TermId> {
        let mut known = self.from.map_or(Vec::new(), |from| at[from].clone());
        for Call { end, values } in &self.calls {
            let Some(variables) = &segments.ends[*end] else { continue };
            // Another activation has locals of its own.
            let means = |t: &&TermId| terms.free_symbols(&[**t]).iter().all(|s| variables.contains(s));
            let facts: Vec<TermId> = at[*end].iter().filter(means).copied().collect();
            known.extend(facts.into_iter().map(|fact| terms.substitute(fact, values)));
        }
        known
    }

    /// Adds a condition; a segment on which it cannot hold has the condition false.
    pub(crate) fn require(&mut self, terms: &mut Terms, condition: TermId) {
        if !self.assume(terms, condition) {
            self.conditions.push(terms.bool(false));
        }
    }

    /// Adds a condition, each part of a conjunction by itself; returns false if it cannot hold.
    pub(crate) fn assume(&mut self, terms: &mut Terms, condition: TermId) -> bool {
        let mut parts = vec![condition];
        while let Some(part) = parts.pop() {
            let term = terms.term(part).clone();
            match (&term.op, terms.as_bool(part)) {
                (_, Some(true)) => {}
                (_, Some(false)) => return false,
                (Op::And, None) => parts.extend(term.args.iter().rev()),
                (_, None) if self.conditions.contains(&part) => {}
                (_, None) => {
                    let not = terms.app(Op::Not, [part]);
                    if self.conditions.contains(&not) {
                        return false;
                    }
                    self.conditions.push(part);
                }
            }
        }
        true
    }
}
