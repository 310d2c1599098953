//! Explanations by minimal unsatisfiable cores: why a block is infeasible, as a minimal set of statements that
//! contradict each other.
//!
//! **Idea.** The question whether a run reaches the block is asked once more, in an encoding made for the purpose:
//! with incarnations, a variable for each block and edge, and an assumption literal for each assignment, assumption,
//! branch condition and axiom. Copies of a statement share a literal. The unsatisfiable core over these literals is
//! minimised by deletion: each literal is left out in turn, and dropped if the contradiction persists.
//!
//! **Example.** In `x := 1; y := 2; if (x > 5) { a }` the explanation of `a` is `x := 1` and `x > 5`.
//!
//! Only blocks on paths to the infeasible one take part; for a doomed block also those on paths from it to a return.
//! As it is a second encoding, it checks the first one: if it finds a run, the verdict was wrong, and that is
//! reported as an internal error.
//!
//! **Direction of error.** None for what it reports; where a query takes much work, or when the procedure's time is over, it may find
//! no explanation, or a set that is not minimal.

use std::time::Duration;

use footpath_ir::source::Span;
use footpath_ir::{BlockId, Body, StatementKind, TerminatorKind};
use footpath_smt::{Answer, Completeness, DEFAULT_INSTANCES, Solver, weaken};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::CoverError;
use super::report::ObjectiveKind;
use super::session::Session;
use footpath_ir::analysis::dominators::common_dominator;
use footpath_transform::state::State;
use footpath_verdict::Verdict;
use footpath_virtual_time::Deadline;

/// The most work for a window, as long as explanations are found.
const LIMIT: Work = Work::milliseconds(2_000);
/// The most work for a window after many failures.
const LEAST: Work = Work::milliseconds(20);
/// The time limit of all explanations of a procedure, unless finding the verdicts took longer.
const LIMIT_FOR_ALL: Duration = Duration::from_secs(15);
/// The most work for the query whether a window has a contradiction.
const WINDOW_LIMIT: Work = Work::milliseconds(250);
/// The most work for the query whether a statement can be left out; without an answer it stays.
const DELETION_LIMIT: Work = Work::milliseconds(50);
/// The number of such queries after which the remaining statements stay.
const DELETIONS: usize = 200;
/// The number of such queries without an answer, beyond those with one, after which the remaining statements stay.
const UNANSWERED: usize = 8;

/// How much a solver may do for a query, in units of its own, so that the same procedure has the same explanations whatever else
/// the machine does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Work(u32);

impl Work {
    /// About what Z3 does in a millisecond.
    const UNITS: u32 = 2_000;
    /// How many times as long as usual a query may take, as units are not all equally long.
    const PATIENCE: u32 = 10;

    const fn milliseconds(ms: u32) -> Work {
        Work(ms * Work::UNITS)
    }

    /// Limits the checks of a solver to this much work, or to the time in which it is usually done if the solver does not count
    /// its work.
    fn limit(self, solver: &mut dyn Solver, left: Duration) {
        let usual = Duration::from_millis(u64::from(self.0 / Work::UNITS));
        let counts = solver.set_work_limit(Some(self.0));
        solver.set_timeout(Some(left.min(if counts { usual * Work::PATIENCE } else { usual })));
    }
}

/// The limits of explanations.
///
/// Where one explanation was not found, others are rarely found either, as they depend on the same hard part.
/// Each failure halves the limit of the next one, each success doubles it.
struct Patience {
    each: Work,
    end: Deadline,
}

impl Patience {
    /// Limits for a procedure whose verdicts took this long.
    fn after(verdicts: Duration) -> Patience {
        Patience { each: LIMIT, end: Deadline::after(verdicts.max(LIMIT_FOR_ALL)) }
    }

    /// Whether there is no time left.
    fn is_over(&self) -> bool {
        self.end.is_over()
    }

    fn learn(&mut self, found: bool) {
        let next = if found { self.each.0 * 2 } else { self.each.0 / 2 };
        self.each = Work(next).clamp(LEAST, LIMIT);
    }
}

/// For each goal that is infeasible or doomed, the statements that contradict each other there, in source order.
/// Empty if none were found, or if the reason is the control flow alone.
///
/// They are searched in growing windows that start in an arbitrary state: a contradiction from any state needs no
/// earlier statements, and near statements explain best. The nearest windows of all goals come first, as they cost
/// least.
pub(super) fn explanations(s: &mut Session, verdicts: &[Verdict]) -> Result<Vec<Vec<Span>>, CoverError> {
    let mut found = vec![Vec::new(); verdicts.len()];
    if !s.options.explain {
        return Ok(found);
    }
    let mut patience = Patience::after(s.elapsed());
    let mut by_block: FxHashMap<BlockId, usize> = FxHashMap::default();
    let mut open: Vec<Search> = (0..verdicts.len()).filter_map(|i| Search::new(s, i, &verdicts[i])).collect();
    open.sort_by_key(|search| search.targets.first().copied());
    while !open.is_empty() {
        let mut left = Vec::new();
        for mut search in open {
            if s.is_over() || patience.is_over() {
                return Ok(found);
            }
            // What stands behind an infeasible block only is infeasible for the same reason.
            let block = search.block();
            if let Some(same) = block.and_then(|block| explained_before(s, block, &by_block)) {
                found[search.goal] = found[same].clone();
                continue;
            }
            match search.step(s, &mut patience)? {
                Step::Found(spans) => {
                    let explained = block.filter(|_| !spans.is_empty());
                    by_block.extend(explained.map(|block| (block, search.goal)));
                    found[search.goal] = spans;
                }
                Step::Open => left.push(search),
                Step::Over => {}
            }
        }
        open = left;
    }
    Ok(found)
}

/// The explained goal at the nearest dominator of a block that has one.
fn explained_before(s: &Session, block: BlockId, by_block: &FxHashMap<BlockId, usize>) -> Option<usize> {
    let dominators = s.dominators();
    std::iter::successors(Some(block), |b| dominators[b.index()]).find_map(|b| by_block.get(&b).copied())
}

/// The search for a contradiction at a goal.
struct Search {
    goal: usize,
    targets: Vec<BlockId>,
    /// Whether runs must return from there.
    returns: bool,
    /// The starts of the windows that were not tried yet, the nearest last.
    starts: Vec<BlockId>,
}

/// The result of a step of a search.
enum Step {
    Found(Vec<Span>),
    /// There are larger windows.
    Open,
    /// There are no more windows.
    Over,
}

impl Search {
    /// `None` if there is nothing to explain.
    fn new(s: &Session, goal: usize, verdict: &Verdict) -> Option<Search> {
        let targets = s.goals[goal].blocks.clone();
        let is_failure = matches!(s.goals[goal].kind, ObjectiveKind::Failure(_));
        if !verdict.is_infeasible() || is_failure || targets.is_empty() {
            return None;
        }
        let returns = *verdict == Verdict::Doomed;
        let mut starts = if returns { vec![Body::ENTRY] } else { window_starts(s, &targets) };
        starts.reverse();
        Some(Search { goal, targets, returns, starts })
    }

    /// The only block of an unreachable goal.
    fn block(&self) -> Option<BlockId> {
        match self.targets[..] {
            [block] if !self.returns => Some(block),
            _ => None,
        }
    }

    /// Searches in the next window.
    fn step(&mut self, s: &mut Session, patience: &mut Patience) -> Result<Step, CoverError> {
        let Some(start) = self.starts.pop() else { return Ok(Step::Over) };
        let whole = start == Body::ENTRY;
        let deadline = patience.end.part(s.time_left().unwrap_or(Duration::MAX));
        let first = if whole { patience.each } else { patience.each.min(WINDOW_LIMIT) };
        let window = Window { start, targets: &self.targets, returns: self.returns };
        let found = explain_in(s, self.goal, &window, first, deadline)?;
        if whole {
            patience.learn(matches!(found, Found::Contradiction(_)));
        }
        match found {
            Found::Contradiction(spans) => Ok(Step::Found(spans)),
            Found::Run if whole => Err(CoverError::Internal(format!(
                "two encodings disagree on block {} of {}",
                s.goals[self.goal].name, s.program[s.procedure].name
            ))),
            Found::None | Found::Run if self.starts.is_empty() => Ok(Step::Over),
            Found::None | Found::Run => Ok(Step::Open),
        }
    }
}

/// The starts of windows: 2, 4, 8 … dominators before the targets, and the entry.
fn window_starts(s: &Session, targets: &[BlockId]) -> Vec<BlockId> {
    let dominators = s.dominators();
    let up = |b: BlockId| dominators[b.index()].unwrap_or(Body::ENTRY);
    let mut at = targets.iter().copied().reduce(|a, b| common_dominator(a, b, up)).unwrap_or(Body::ENTRY);
    let mut starts = Vec::new();
    let mut steps = 2;
    while at != Body::ENTRY {
        for _ in 0..steps {
            at = up(at);
        }
        steps *= 2;
        starts.push(at);
    }
    if starts.is_empty() {
        starts.push(Body::ENTRY);
    }
    starts
}

/// The part of a procedure in which a contradiction is searched.
struct Window<'a> {
    start: BlockId,
    targets: &'a [BlockId],
    /// Whether runs must return.
    returns: bool,
}

/// The result of the query about a window.
enum Found {
    Contradiction(Vec<Span>),
    /// There is a run through all of it.
    Run,
    /// No answer.
    None,
}

fn explain_in(
    s: &mut Session,
    i: usize,
    window: &Window,
    limit: Work,
    deadline: Deadline,
) -> Result<Found, CoverError> {
    let mut solver = s.open_refuter(&format!("explain-{i}"))?;
    let mut tracked = Tracked::encode(s, window);
    let mut complete = true;
    if s.monomorphic.is_some() {
        match weaken(&mut s.terms, &tracked.constraints, DEFAULT_INSTANCES) {
            Ok(made) => {
                complete = made.completeness == Completeness::Complete;
                tracked.constraints = made.roots;
            }
            Err(_) => return Ok(Found::None),
        }
    }
    for &c in &tracked.constraints {
        if solver.assert(&s.terms, c).is_err() {
            return Ok(Found::None);
        }
    }
    let candidates: Vec<TermId> = tracked.literals.iter().map(|&(_, l)| l).collect();
    limit.limit(&mut *solver, deadline.left());
    match solver.check(&s.terms, &candidates) {
        Answer::Unsat => {}
        Answer::Sat if complete => return Ok(Found::Run),
        Answer::Sat | Answer::Unknown(_) => return Ok(Found::None),
    }
    let candidates = smallest(&s.terms, &mut *solver, deadline);
    s.count(&solver.statistics());
    let kept: FxHashSet<TermId> = candidates.into_iter().collect();
    let mut spans: Vec<Span> =
        tracked.literals.iter().filter(|(_, l)| kept.contains(l)).map(|&(span, _)| span).collect();
    spans.sort_unstable();
    Ok(Found::Contradiction(spans))
}

/// A minimal part of the core that was just found: literals are left out as far as there is time, and as queries have
/// answers.
fn smallest(terms: &Terms, solver: &mut dyn Solver, deadline: Deadline) -> Vec<TermId> {
    let mut candidates = solver.core();
    let (mut k, mut answered, mut unanswered) = (0, 0, 0);
    let is_worth_it = |answered: usize, unanswered: usize| {
        answered + unanswered < DELETIONS && unanswered <= UNANSWERED.max(answered)
    };
    while k < candidates.len() && is_worth_it(answered, unanswered) && !deadline.is_over() {
        DELETION_LIMIT.limit(solver, deadline.left());
        let mut fewer = candidates.clone();
        fewer.remove(k);
        let answer = solver.check(terms, &fewer);
        if matches!(answer, Answer::Unknown(_)) {
            unanswered += 1;
        } else {
            answered += 1;
        }
        if answer.is_unsat() {
            let core: FxHashSet<TermId> = solver.core().into_iter().collect();
            candidates = fewer.into_iter().filter(|l| core.contains(l)).collect();
        } else {
            k += 1;
        }
    }
    candidates
}

/// The encoding in which each statement has an assumption literal.
struct Tracked {
    constraints: Vec<TermId>,
    literals: Vec<(Span, TermId)>,
}

impl Tracked {
    fn encode(s: &mut Session, window: &Window) -> Tracked {
        let &Window { start, targets, returns } = window;
        let kept = ways_through(s, window);
        let mut tracked = Tracked { constraints: Vec::new(), literals: Vec::new() };
        let old = s.program.old_symbols();
        let predecessors = s.unit.body.predecessors();
        let count = s.unit.body.blocks.len();
        let reach: Vec<TermId> = (0..count).map(|_| s.terms.fresh_var("r", SortId::BOOL)).collect();
        let mut edges: FxHashMap<(BlockId, usize), TermId> = FxHashMap::default();
        let mut ends: Vec<State> = vec![State::default(); count];
        let mut facts: Vec<(Option<Span>, TermId)> = vec![(None, reach[start.index()])];
        for b in s.unit.body.block_ids().filter(|b| kept.contains(b)) {
            let incoming: Vec<(BlockId, usize)> = predecessors[b.index()]
                .iter()
                .filter(|p| kept.contains(p))
                .flat_map(|&p| {
                    let successors = s.unit.body[p].terminator.successors();
                    successors.into_iter().enumerate().filter(|&(_, t)| t == b).map(move |(i, _)| (p, i))
                })
                .collect();
            let mut state = match incoming.as_slice() {
                [] => State::initial(&mut s.terms, &old),
                several => join(s, several, &ends, &edges, &mut facts),
            };
            if b != start {
                let ways: Vec<TermId> = incoming.iter().map(|e| edges[e]).collect();
                let some = s.terms.app(Op::Or, ways);
                facts.push((None, s.terms.app(Op::Implies, [reach[b.index()], some])));
            }
            for statement in s.unit.body[b].statements.clone() {
                let mut havocs = Vec::new();
                if let StatementKind::Assign(pairs) = &statement.kind {
                    let values: Vec<TermId> =
                        pairs.iter().map(|&(_, t)| state.eval(&mut s.terms, t)).collect();
                    for (&(symbol, _), value) in pairs.iter().zip(values) {
                        let incarnation = incarnate(s, symbol);
                        facts.push((Some(statement.span), s.terms.raw(Op::Eq, [incarnation, value])));
                        state.set(symbol, incarnation);
                    }
                } else if let Some(assumed) = state.execute(&mut s.terms, &statement, &mut havocs) {
                    let guarded = s.terms.app(Op::Implies, [reach[b.index()], assumed]);
                    facts.push((Some(statement.span), guarded));
                }
            }
            leave(s, b, &kept, &reach, &state, &mut edges, &mut facts);
            ends[b.index()] = state;
        }
        let targeted: Vec<TermId> = targets.iter().map(|b| reach[b.index()]).collect();
        facts.push((None, s.terms.app(Op::Or, targeted)));
        if returns {
            // As a block has one way out at most, the ways back from here and from the target are one way.
            let exit = crate::vc::exit_block(&s.unit).filter(|b| kept.contains(b));
            let ended = exit.map_or_else(|| s.terms.bool(false), |b| reach[b.index()]);
            facts.push((None, ended));
        }
        tracked.track(s, facts, start == Body::ENTRY);
        tracked
    }

    /// Puts each fact with a span behind the literal of its span, and adds what the facts need of the theory. If the facts
    /// are to be compared with the whole procedure, that is what the procedure needs: a function that contradicts itself
    /// may be applied elsewhere only.
    fn track(&mut self, s: &mut Session, facts: Vec<(Option<Span>, TermId)>, whole: bool) {
        let plain: Vec<TermId> = facts.iter().map(|&(_, t)| t).collect();
        let expanded = s.theory.expand(&mut s.terms, &plain);
        let mut roots = expanded.clone();
        if whole {
            roots.extend(s.theory.expand(&mut s.terms, &s.vc.constraints));
        }
        let axioms = s.theory.relevant(&mut s.terms, &roots).formulas;
        let mut by_span: FxHashMap<Span, TermId> = FxHashMap::default();
        for ((span, _), fact) in facts.into_iter().zip(expanded) {
            let Some(span) = span else {
                self.constraints.push(fact);
                continue;
            };
            let literal = *by_span.entry(span).or_insert_with(|| {
                let literal = s.terms.fresh_var("used", SortId::BOOL);
                self.literals.push((span, literal));
                literal
            });
            self.constraints.push(s.terms.app(Op::Implies, [literal, fact]));
        }
        self.constraints.extend(axioms);
    }
}

/// The blocks on paths from the start to a target, and from there to a return if the run must return.
fn ways_through(s: &Session, window: &Window) -> FxHashSet<BlockId> {
    let &Window { start, targets, returns } = window;
    let body = &s.unit.body;
    let predecessors = body.predecessors();
    let mut kept: FxHashSet<BlockId> = FxHashSet::default();
    let mut stack = targets.to_vec();
    while let Some(b) = stack.pop() {
        if kept.insert(b) && b != start {
            stack.extend(&predecessors[b.index()]);
        }
    }
    if returns {
        let mut to_return: FxHashSet<BlockId> = FxHashSet::default();
        let mut stack: Vec<BlockId> =
            body.block_ids().filter(|&b| body[b].terminator.kind == TerminatorKind::Return).collect();
        while let Some(b) = stack.pop() {
            if to_return.insert(b) {
                stack.extend(&predecessors[b.index()]);
            }
        }
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut stack = targets.to_vec();
        while let Some(b) = stack.pop() {
            if to_return.contains(&b) && seen.insert(b) {
                stack.extend(body[b].terminator.successors());
            }
        }
        kept.extend(seen);
    }
    kept
}

/// The state at a block, from its kept incoming edges.
fn join(
    s: &mut Session,
    incoming: &[(BlockId, usize)],
    ends: &[State],
    edges: &FxHashMap<(BlockId, usize), TermId>,
    facts: &mut Vec<(Option<Span>, TermId)>,
) -> State {
    let mut state = ends[incoming[0].0.index()].clone();
    let mut symbols: Vec<SymbolId> =
        incoming[1..].iter().flat_map(|(p, _)| state.differing(&ends[p.index()])).collect();
    symbols.sort_unstable();
    symbols.dedup();
    for symbol in symbols {
        let incarnation = incarnate(s, symbol);
        for edge in incoming {
            let value = ends[edge.0.index()].get(&mut s.terms, symbol);
            let equality = s.terms.raw(Op::Eq, [incarnation, value]);
            facts.push((None, s.terms.app(Op::Implies, [edges[edge], equality])));
        }
        state.set(symbol, incarnation);
    }
    state
}

/// The edges out of a block: at most one is taken, one must be if there are any, and a branch's condition holds
/// on the edge that is.
fn leave(
    s: &mut Session,
    b: BlockId,
    kept: &FxHashSet<BlockId>,
    reach: &[TermId],
    state: &State,
    edges: &mut FxHashMap<(BlockId, usize), TermId>,
    facts: &mut Vec<(Option<Span>, TermId)>,
) {
    let terminator = s.unit.body[b].terminator.clone();
    let mut out = Vec::new();
    for (i, target) in terminator.successors().into_iter().enumerate() {
        if !kept.contains(&target) {
            continue;
        }
        let edge = s.terms.fresh_var("e", SortId::BOOL);
        facts.push((None, s.terms.app(Op::Implies, [edge, reach[b.index()]])));
        if let TerminatorKind::Branch { condition, .. } = terminator.kind {
            let mut condition = state.eval(&mut s.terms, condition);
            if i == 1 {
                condition = s.terms.app(Op::Not, [condition]);
            }
            facts.push((Some(terminator.span), s.terms.app(Op::Implies, [edge, condition])));
        }
        for &(_, other) in &out {
            let both = s.terms.app(Op::And, [edge, other]);
            facts.push((None, s.terms.app(Op::Not, [both])));
        }
        out.push((target, edge));
        edges.insert((b, i), edge);
    }
}

fn incarnate(s: &mut Session, symbol: SymbolId) -> TermId {
    let declared = s.terms.symbol(symbol).clone();
    s.terms.fresh_var(declared.name, declared.sort)
}
