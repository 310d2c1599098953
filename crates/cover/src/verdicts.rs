//! Verdicts: from "no run of the loop-free procedure covers it" to a claim about the procedure with its loops.
//!
//! What the searches leave infeasible is classified by two further queries to the same solver:
//!
//! 1. *Is it reached at all?* Reached, but by no run that returns: **doomed** if none of those runs ends at
//!    the bound either, and none does on a way to it, and unknown otherwise, as a longer run might return.
//! 2. *If not: could a longer run reach it?* Only behind a cut that lies on some way to it in the graph before
//!    unwinding. If none of these cuts is reached, the bound is no restriction: **unreachable**.
//! 3. Otherwise **unreachable within** the bound, if it is the bound that cut the runs which go on; **unknown** if it is the
//!    limit on blocks, as "within the bound" would be said of runs that nobody looked at. Example: of 450 calls one after the
//!    other, none of them in a loop, the last ones are not followed, and what they do is unknown.
//!
//! **Example.** In `i := 0; while (i < 3) { i := i + 1; } a` with the bound 1 no run reaches `a`, but runs reach the
//! cut of the loop, so `a` is unreachable within the bound only.
//!
//! **Direction of error.** Towards the weaker verdict: a query without an answer counts like a reached cut, and for
//! the first query makes the verdict unknown.

use footpath_ir::{BlockId, Body, Origin, Place, StatementKind, TerminatorKind};
use footpath_smt::Answer;
use footpath_term::{Op, TermId};
use rustc_hash::FxHashMap;

use super::CoverError;
use super::report::ObjectiveKind;
use super::session::{Session, Status};
use footpath_verdict::{Bound, Code, Reason, Verdict};

/// The verdicts of all goals, in order.
pub(super) fn decide(s: &mut Session) -> Result<Vec<Verdict>, CoverError> {
    s.use_merged_encoding()?;
    let infeasible: Vec<usize> =
        (0..s.goals.len()).filter(|&i| s.goals[i].status == Status::Infeasible).collect();
    let mut cuts = Cuts::new(s);
    let reached = reached(s, &infeasible);
    let mut verdicts = Vec::with_capacity(s.goals.len());
    for i in 0..s.goals.len() {
        let verdict = match &s.goals[i].status {
            Status::Covered => Verdict::Covered,
            Status::Unknown(why) => Verdict::Unknown(why.clone()),
            Status::Open if s.is_over() => Verdict::Unknown(s.why_over()),
            Status::Open => Verdict::Unknown(Code::NotAnalysed.into()),
            Status::Infeasible => match reached.get(&i) {
                Some(Reached::Unknown(why)) => Verdict::Unknown(why.clone()),
                Some(Reached::Yes) => cuts.doomed(s, i),
                Some(Reached::No) | None => cuts.unreachable(s, i),
            },
        };
        verdicts.push(verdict);
    }
    s.statistics.exhaustive = !s.has_open_leaves() && cuts.none_reached(s);
    Ok(verdicts)
}

enum Reached {
    Yes,
    No,
    Unknown(Reason),
}

/// The infeasible goals that some run reaches. Failures are reached exactly if they are covered.
fn reached(s: &mut Session, infeasible: &[usize]) -> FxHashMap<usize, Reached> {
    let mut result = FxHashMap::default();
    let mut open: Vec<(usize, TermId)> = Vec::new();
    let predecessors = s.unit.body.predecessors();
    for &i in infeasible {
        if let Some(here) = arrival(s, i, &predecessors) {
            open.push((i, here));
            continue;
        }
        if s.goals[i].unreachable || matches!(s.goals[i].kind, ObjectiveKind::Failure(_)) {
            result.insert(i, Reached::No);
            continue;
        }
        let here = reach_of(s, &s.goals[i].blocks.clone());
        match s.terms.as_bool(here) {
            Some(false) => {
                result.insert(i, Reached::No);
            }
            _ => open.push((i, here)),
        }
    }
    while !open.is_empty() {
        let all: Vec<TermId> = open.iter().map(|&(_, t)| t).collect();
        let enable = s.enabling(&all);
        match s.ask(&[enable]) {
            Answer::Sat => {
                let truths = s.solver.truths(&s.terms, &all);
                let mut k = 0;
                let before = open.len();
                open.retain(|&(i, _)| {
                    let hit = truths[k] == Some(true);
                    k += 1;
                    if hit {
                        result.insert(i, Reached::Yes);
                    }
                    !hit
                });
                if open.len() == before {
                    break;
                }
            }
            Answer::Unsat => {
                result.extend(open.drain(..).map(|(i, _)| (i, Reached::No)));
            }
            Answer::Unknown(_) => break,
        }
    }
    for (i, here) in open {
        let answer = match s.ask(&[here]) {
            Answer::Sat => Reached::Yes,
            Answer::Unsat => Reached::No,
            Answer::Unknown(why) => Reached::Unknown(s.why_open(&why)),
        };
        result.insert(i, answer);
    }
    result
}

/// For a piece of a block that starts with an assumption: that a run reaches the assumption. An assumption at the
/// head of a block guards the block; one further down is a statement that is reached like any other.
fn arrival(s: &mut Session, i: usize, predecessors: &[Vec<BlockId>]) -> Option<TermId> {
    let Place::Segment { first, .. } = s.goals[i].origin.place else { return None };
    if first == 0 {
        return None;
    }
    let mut ways = Vec::new();
    let blocks = s.goals[i].blocks.clone();
    let starts_with_one = |b: &BlockId| {
        matches!(s.unit.body[*b].statements.first().map(|f| &f.kind), Some(StatementKind::Assume(_)))
    };
    if !blocks.iter().any(starts_with_one) {
        return None;
    }
    for b in blocks {
        // What stands for the piece in a summary is passed where a run of the callee gets there.
        if s.unit.body[b].statements.is_empty() {
            ways.push(s.vc.reach[b.index()]);
            continue;
        }
        for &p in &predecessors[b.index()] {
            // What leaves the predecessor for here does not leave it for the failure beside.
            let mut way = s.vc.reach[p.index()];
            for other in s.unit.body[p].terminator.successors().into_iter().filter(|&o| o != b) {
                let elsewhere = s.vc.reach[other.index()];
                let not_there = s.terms.app(Op::Not, [elsewhere]);
                way = s.terms.app(Op::And, [way, not_there]);
            }
            ways.push(way);
        }
    }
    let way = s.terms.app(Op::Or, ways);
    (s.terms.as_bool(way) != Some(false)).then_some(way)
}

/// `⋁ R_b`.
fn reach_of(s: &mut Session, blocks: &[BlockId]) -> TermId {
    let reach: Vec<TermId> = blocks.iter().map(|b| s.vc.reach[b.index()]).collect();
    s.terms.app(Op::Or, reach)
}

/// Why no run that comes to one of these cuts, here or before it gets here, is known to return.
fn cut_short(s: &Session, ends: &[BlockId]) -> Reason {
    let is_in = |all: &[BlockId], b: &BlockId| all.binary_search(b).is_ok();
    if ends.iter().all(|b| is_in(&s.unit.limited, b)) {
        return Code::BlockLimit.with(s.options.max_blocks.to_string());
    }
    let is_call = |b: &BlockId| is_in(&s.unit.limited, b) || is_in(&s.unit.recursive, b);
    let (bound, flag) = if ends.iter().all(is_call) {
        (Bound::OpenCalls(s.options.recursion + 1), "--recursion")
    } else {
        (Bound::Iterations(s.options.unwind), "--unwind")
    };
    Code::NoReturnWithinBound.with(format!("{bound}; {flag} raises the bound"))
}

/// The cuts of a loop-free body and what can follow them.
struct Cuts {
    /// The cuts, each with the block of the body before unwinding that would follow it.
    cuts: Vec<(BlockId, BlockId)>,
    /// What is known of the body before unwinding, computed when needed.
    graph: Option<Graph>,
    /// Whether a cut is reached; unknown counts as reached.
    reached: FxHashMap<BlockId, bool>,
}

/// The body before unwinding as a graph.
struct Graph {
    predecessors: Vec<Vec<BlockId>>,
    /// The blocks of each origin.
    blocks: FxHashMap<Origin, Vec<BlockId>>,
    /// For each block whether some cut can be followed by it.
    follows_cut: Vec<bool>,
}

impl Graph {
    fn of(body: &Body, cuts: &[(BlockId, BlockId)]) -> Graph {
        let mut blocks: FxHashMap<Origin, Vec<BlockId>> = FxHashMap::default();
        for id in body.block_ids() {
            blocks.entry(body[id].origin).or_default().push(id);
        }
        let mut follows_cut = vec![false; body.blocks.len()];
        let mut stack: Vec<BlockId> = cuts.iter().map(|&(_, next)| next).collect();
        while let Some(b) = stack.pop() {
            if !std::mem::replace(&mut follows_cut[b.index()], true) {
                stack.extend(body[b].terminator.successors());
            }
        }
        Graph { predecessors: body.predecessors(), blocks, follows_cut }
    }
}

impl Cuts {
    fn new(s: &Session) -> Cuts {
        Cuts { cuts: s.unit.cuts.clone(), graph: None, reached: FxHashMap::default() }
    }

    /// The cuts after which a place can be reached in the body before unwinding.
    fn before(&mut self, s: &Session, origin: Origin) -> Vec<BlockId> {
        if self.cuts.is_empty() {
            return Vec::new();
        }
        let cyclic = &s.unit.cyclic;
        let graph = self.graph.get_or_insert_with(|| Graph::of(cyclic, &self.cuts));
        let mut stack = graph.blocks.get(&origin).cloned().unwrap_or_default();
        // Most places are behind no cut, which one walk for all of them tells.
        if !stack.iter().any(|b| graph.follows_cut[b.index()]) {
            return Vec::new();
        }
        let mut seen = vec![false; cyclic.blocks.len()];
        while let Some(b) = stack.pop() {
            if !std::mem::replace(&mut seen[b.index()], true) {
                stack.extend(&graph.predecessors[b.index()]);
            }
        }
        self.cuts.iter().filter(|(_, next)| seen[next.index()]).map(|&(b, _)| b).collect()
    }

    fn is_reached(&mut self, s: &mut Session, cut: BlockId) -> bool {
        if let Some(&known) = self.reached.get(&cut) {
            return known;
        }
        // Mostly no cut is reached, or most are: ask for all at once first.
        if self.reached.is_empty() {
            let blocks: Vec<BlockId> = self.cuts.iter().map(|&(b, _)| b).collect();
            let any = reach_of(s, &blocks);
            let any = s.enabling(&[any]);
            match s.ask(&[any]) {
                Answer::Unsat => {
                    self.reached.extend(blocks.iter().map(|&b| (b, false)));
                    return false;
                }
                Answer::Sat => {
                    let reach: Vec<TermId> = blocks.iter().map(|b| s.vc.reach[b.index()]).collect();
                    let truths = s.solver.truths(&s.terms, &reach);
                    for (b, truth) in blocks.iter().zip(truths) {
                        if truth == Some(true) {
                            self.reached.insert(*b, true);
                        }
                    }
                }
                Answer::Unknown(_) => {}
            }
            if let Some(&known) = self.reached.get(&cut) {
                return known;
            }
        }
        let reach = s.vc.reach[cut.index()];
        let known = !s.ask(&[reach]).is_unsat();
        self.reached.insert(cut, known);
        known
    }

    /// The verdict on a goal that no run within the bound reaches.
    fn unreachable(&mut self, s: &mut Session, i: usize) -> Verdict {
        let origin = s.goals[i].origin;
        // With thousands of goals, walking the graph for each takes longer than there is time.
        if s.is_over() && !self.cuts.is_empty() {
            return Verdict::Unknown(s.why_over());
        }
        let before = self.before(s, origin);
        let (limited, bounded): (Vec<BlockId>, Vec<BlockId>) =
            before.into_iter().partition(|cut| s.unit.limited.binary_search(cut).is_ok());
        if limited.into_iter().any(|cut| self.is_reached(s, cut)) {
            return Verdict::Unknown(Code::BlockLimit.with(s.options.max_blocks.to_string()));
        }
        let (recursive, in_loops): (Vec<BlockId>, Vec<BlockId>) =
            bounded.into_iter().partition(|cut| s.unit.recursive.binary_search(cut).is_ok());
        if in_loops.into_iter().any(|cut| self.is_reached(s, cut)) {
            Verdict::UnreachableWithin(Bound::Iterations(s.options.unwind))
        } else if recursive.into_iter().any(|cut| self.is_reached(s, cut)) {
            Verdict::UnreachableWithin(Bound::OpenCalls(s.options.recursion + 1))
        } else {
            Verdict::Unreachable
        }
    }

    /// The verdict on a goal that is reached, but by no run that returns.
    fn doomed(&mut self, s: &mut Session, i: usize) -> Verdict {
        let here = reach_of(s, &s.goals[i].blocks.clone());
        let ends: Vec<BlockId> = self.cuts.iter().map(|&(b, _)| b).collect();
        let end = reach_of(s, &ends);
        let both = s.terms.app(Op::And, [here, end]);
        if s.terms.as_bool(both) != Some(false) {
            let both = s.enabling(&[both]);
            match s.ask(&[both]) {
                Answer::Unsat => {}
                Answer::Sat => return Verdict::Unknown(cut_short(s, &ends)),
                Answer::Unknown(why) => return Verdict::Unknown(s.why_open(&why)),
            }
        }
        if s.is_over() && !self.cuts.is_empty() {
            return Verdict::Unknown(s.why_over());
        }
        let before = self.before(s, s.goals[i].origin);
        let reached: Vec<BlockId> = before.into_iter().filter(|&cut| self.is_reached(s, cut)).collect();
        if reached.is_empty() { Verdict::Doomed } else { Verdict::Unknown(cut_short(s, &reached)) }
    }

    /// Whether it is known that no cut is reached.
    fn none_reached(&mut self, s: &mut Session) -> bool {
        let has_cut = s.unit.body.blocks.iter().any(|b| b.terminator.kind == TerminatorKind::Cut);
        !has_cut
            || (!self.reached.is_empty()
                && self.cuts.iter().all(|(b, _)| self.reached.get(b) == Some(&false)))
    }
}
