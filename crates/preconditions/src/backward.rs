//! Backward analysis: the failure condition of each segment is computed from those of the segments behind it, for
//! loops up to a fixpoint.
//!
//! **Idea.** Every cut point has a summary, the condition under which a run from there fails; `false` to begin with.
//! Cut points are processed from the end of the procedure towards the entry. A component of the graph (a loop) is
//! processed from the inside out: its inner points, then its head, again and again until the head's summary no longer
//! changes. So C_n is the condition that at most n iterations lead to a failure; the sequence only grows, and where
//! it stops, it covers all failures, however many iterations they take.
//!
//! Example: for `while (x > 0) x -= 2; assert(x == 0);` the condition at the head is C₁ = `x <= 0 && x != 0`, then C₂
//! = C₁ or `x == 1`, C₃ adds `x == 3`, and so on; this sequence has no fixpoint and needs a closed form
//! (`closed_forms.rs`).
//!
//! The paper tests a segment from every state. If that leads to no exact answer, everything is done once more *in
//! context*: what abstract interpretation finds to hold at a cut point, for all runs from the entry, is assumed
//! there, such as which object a pointer means, or that a counter is within an array. A condition is then about such
//! states only, which are the only ones that runs reach.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007), Section
//! 3.
//!
//! **Direction of error.** A condition is sufficient for a failure. That it covers all failures is only claimed if
//! every exploration was exhaustive and every loop has a fixpoint.

use std::time::Duration;

use footpath_concolic as concolic;
use footpath_concolic::{Bound, ExploreError, Keep, Strategy, TestClass};
use footpath_ir::analysis::wto::ComponentId;
use footpath_ir::{BlockId, Body, ProcId, StatementKind, TerminatorKind, Variable};
use footpath_simplify::Dnf;
use footpath_term::{Op, Shared, Substitution, SymbolId, TermId, Terms};
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::closed_forms;
use crate::closed_forms::Loop;
use crate::families;
use crate::partition::Cut;
use crate::result::{Error, Exactness, LoopResult, Round};
use crate::segment;
use crate::tools::Tools;
use crate::{int_lifting, int_questions};

/// Share of the time left after which a loop is given up, so that what lies before it is done as well.
const SHARE: f64 = 0.7;

/// See the module.
pub(crate) struct Hoist<'a> {
    pub(crate) tools: Tools<'a>,
    pub(crate) cut: Cut,
    pub(crate) points: FxHashSet<BlockId>,
    leads: FxHashMap<BlockId, Vec<BlockId>>,
    pub(crate) summaries: FxHashMap<BlockId, Dnf>,
    /// The last exploration of each segment: the conditions behind it, and the result.
    cache: FxHashMap<BlockId, (Vec<Dnf>, Dnf)>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) loops: FxHashMap<ComponentId, LoopResult>,
    /// Why something may be missing.
    pub(crate) missing: Option<String>,
    bounded: Option<Exactness>,
    pub(crate) notes: Vec<String>,
    /// The invariants at cut points, if they are assumed. Conditions there are then about such states only.
    pub(crate) known: FxHashMap<BlockId, Vec<TermId>>,
    /// The conditions of the runs that pass, if the body is one segment and all of its runs are known.
    passing: Option<Vec<Vec<TermId>>>,
    /// The numbers of steps that closed forms speak of.
    pub(crate) rounds_kept: Vec<SymbolId>,
    /// The loops without a fixpoint, if necessary conditions are computed for them.
    pub(crate) without_fixpoint: Option<FxHashSet<ComponentId>>,
}

impl<'a> Hoist<'a> {
    pub(crate) fn new(tools: Tools<'a>, cut: Cut) -> Hoist<'a> {
        let points: FxHashSet<BlockId> = cut.points.iter().copied().collect();
        let leads = cut.points.iter().map(|&p| (p, segment::leads_to(&cut.body, p, &points))).collect();
        Hoist {
            tools,
            summaries: cut.points.iter().map(|&p| (p, Dnf::never())).collect(),
            bounded: cut.bounded.clone(),
            cut,
            points,
            leads,
            cache: FxHashMap::default(),
            rounds: Vec::new(),
            loops: FxHashMap::default(),
            missing: None,
            notes: Vec::new(),
            known: FxHashMap::default(),
            passing: None,
            rounds_kept: Vec::new(),
            without_fixpoint: None,
        }
    }

    /// The invariants at cut points for all runs from the entry, as far as they are known.
    pub(crate) fn contexts(&mut self) -> FxHashMap<BlockId, Vec<TermId>> {
        let tools = &mut self.tools;
        let until = tools.deadline.map(|d| d.share(1.0 - SHARE));
        let effort = footpath_absint::Effort { until, ..footpath_absint::Effort::default() };
        let points: Vec<BlockId> = self.cut.points.iter().copied().filter(|p| *p != Body::ENTRY).collect();
        let found = footpath_absint::known(&mut tools.terms, &self.cut.body, &points, effort);
        let mut known: FxHashMap<BlockId, Vec<TermId>> = FxHashMap::default();
        for (point, inequalities) in points.into_iter().zip(found.unwrap_or_default()) {
            let literals: Vec<TermId> =
                inequalities.iter().filter_map(|i| int_lifting::literal(&mut tools.terms, i)).collect();
            if !literals.is_empty() {
                known.insert(point, literals);
            }
        }
        known
    }

    /// Starts again, with what was found out about loops and contexts.
    pub(crate) fn forget_all(&mut self) {
        self.summaries = self.cut.points.iter().map(|&p| (p, Dnf::never())).collect();
    }

    /// Assumes the invariants of a cut point; returns what was assumed before.
    pub(crate) fn enter(&mut self, point: BlockId) -> Vec<TermId> {
        let known = self.known.get(&point).cloned().unwrap_or_default();
        self.tools.simplifier.assume(known)
    }
}

impl Hoist<'_> {
    // ---- order ----

    /// Summarises the cut points whose innermost component is `within`, and the components just inside it.
    pub(crate) fn solve(&mut self, within: Option<ComponentId>) -> Result<(), Error> {
        self.tools.chosen = self.tools.chosen || self.has_free_choices();
        let head = within.map(|c| self.cut.wto[c].head);
        for point in self.cut.points.clone() {
            let innermost = self.cut.wto.innermost(point);
            let inner_head = innermost.filter(|&c| self.cut.wto[c].head == point);
            if Some(point) == head {
                continue;
            }
            match inner_head {
                Some(component) if self.cut.wto[component].parent == within => self.solve_loop(component)?,
                None if innermost == within => {
                    let summary = self.explore(point)?;
                    self.summaries.insert(point, summary);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The fixpoint of a loop.
    fn solve_loop(&mut self, component: ComponentId) -> Result<(), Error> {
        if self.cut.points == [Body::ENTRY] {
            return Ok(());
        }
        if self.without_fixpoint.as_ref().is_some_and(|all| all.contains(&component)) {
            return self.must_hold(component);
        }
        let head = self.cut.wto[component].head;
        let span = self.cut.body[head].span;
        let mut state = LoopResult { span, rounds: 0, fixpoint: false, closed: false };
        let mut sequence: Vec<Vec<Dnf>> = Vec::new();
        let enough = self.tools.deadline.map(|d| d.share(SHARE));
        while state.rounds < self.tools.options.rounds && !self.tools.is_late() {
            if state.rounds > 0 && enough.is_some_and(Deadline::is_over) {
                break;
            }
            state.rounds += 1;
            self.solve(Some(component))?;
            let before = self.summaries[&head].clone();
            let mut after = self.explore(head)?;
            if self.missing.is_some() {
                // What was left out this time may have been found before.
                after.cubes.extend(before.cubes.iter().cloned());
                let context = self.enter(head);
                after = self.tools.simplifier.simplify(&mut self.tools.terms, &after);
                self.tools.simplifier.assume(context);
            }
            let (a, b) = (before.term(&mut self.tools.terms), after.term(&mut self.tools.terms));
            let context = self.enter(head);
            let same = int_questions::equivalent(&mut self.tools, a, b);
            self.tools.simplifier.assume(context);
            self.summaries.insert(head, after.clone());
            sequence.push(vec![after]);
            if same {
                state.fixpoint = true;
                break;
            }
            if let Some(limit) = self.closed_form(component, state.rounds, &sequence)? {
                self.summaries.insert(head, limit);
                state.fixpoint = true;
                state.closed = true;
                break;
            }
        }
        if !state.fixpoint
            && let Some(all) = &mut self.without_fixpoint
        {
            all.insert(component);
            return self.must_hold(component);
        }
        if !state.fixpoint && self.bounded.is_none() {
            let place = format!("a loop has no fixpoint within {} iterations", state.rounds);
            self.bounded = Some(Exactness::Bounded(state.rounds, place));
        }
        self.loops.insert(component, state);
        Ok(())
    }

    /// The closed form of the conditions at a loop's head, if one is due to be guessed and the guess is proved.
    fn closed_form(
        &mut self,
        component: ComponentId,
        rounds: u32,
        sequence: &[Vec<Dnf>],
    ) -> Result<Option<Dnf>, Error> {
        let inner = self.cut.wto.components.iter().any(|c| c.parent == Some(component));
        let wanted = self.tools.options.closed_forms && closed_forms::worth_trying(rounds);
        if !wanted || inner || self.missing.is_some() {
            return Ok(None);
        }
        let context = self.enter(self.cut.wto[component].head);
        let limit = closed_forms::closed_form(&mut Loop { hoist: self, component }, sequence);
        self.tools.simplifier.assume(context);
        if let Some(mut limit) = limit? {
            let span = self.cut.body.span;
            self.cut.body.locals.extend(limit.round.map(|round| Variable::new(round, span)));
            self.rounds_kept.extend(limit.round);
            return Ok(limit.conditions.pop());
        }
        if let Some(last) = sequence.last() {
            let head = self.cut.wto[component].head;
            self.summaries.insert(head, last[0].clone());
            self.solve(Some(component))?;
        }
        Ok(None)
    }

    // ---- segments ----

    /// The condition under which the segment that begins at `point` fails.
    pub(crate) fn explore(&mut self, point: BlockId) -> Result<Dnf, Error> {
        let behind: Vec<Dnf> = self.leads[&point].iter().map(|p| self.summaries[p].clone()).collect();
        if let Some((known, result)) = self.cache.get(&point)
            && *known == behind
        {
            return Ok(result.clone());
        }
        if self.tools.is_late() {
            self.miss("the time for the function ran out");
            return Ok(Dnf::never());
        }
        let shared = self.tools.terms.shared();
        let known = self.known.get(&point).map_or(&[][..], Vec::as_slice);
        let program = segment::program(
            self.tools.program,
            &self.tools.terms,
            &self.cut.body,
            point,
            known,
            &self.summaries,
        );
        let found = concolic::explore(&program, ProcId(0), 0, &self.concolic(), self.tools.stop(), &|_| ());
        let found = found.map_err(|e| match e {
            ExploreError::Invalid(text) => Error::Invalid(text),
            ExploreError::Solver(text) => Error::Solver(text),
            ExploreError::Internal(text) => Error::Internal(text),
        })?;
        if !found.exhausted {
            let why = exhaustion(&found);
            self.miss(&why);
        }
        for note in &found.notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        let failing: Vec<_> = found.tests.iter().filter(|t| t.class == TestClass::Failing).collect();
        let mut raw = Dnf::never();
        let known = self.known_conjuncts(point);
        let mut renamed = FxHashMap::default();
        for test in &failing {
            let Some(conditions) = &test.conditions else {
                self.miss("a segment has paths that are too long");
                continue;
            };
            let adopted = self.tools.terms.adopt(&found.terms, shared, conditions, &mut renamed);
            let conditions: Option<Vec<TermId>> = adopted.into_iter().collect();
            match conditions {
                Some(conditions) => {
                    let mut simple = conjuncts(&mut self.tools.terms, &conditions);
                    simple.retain(|condition| !known.contains(condition));
                    raw.add(&mut self.tools.terms, &simple);
                }
                None => self.miss("a path condition has a symbol that means nothing outside its segment"),
            }
        }
        if self.cut.points == [Body::ENTRY] {
            self.passing = self.passing_of(&found, shared, &mut renamed);
        }
        let context = self.enter(point);
        let unknown = self.unknown(&raw, Hoist::is_state);
        let eliminated = self.eliminate(&raw, &unknown);
        let result = self.tools.simplifier.simplify(&mut self.tools.terms, &eliminated);
        self.tools.simplifier.assume(context);
        let segment = self.cut.points.iter().position(|p| *p == point).unwrap_or_default();
        self.rounds.push(Round {
            segment,
            paths: found.statistics.paths,
            failing: failing.len() as u64,
            literals: result.literals(),
        });
        self.cache.insert(point, (behind, result.clone()));
        Ok(result)
    }

    /// The invariants at a cut point as conjuncts. Path conditions need not repeat those that they say literally: a disjunction among
    /// them would multiply the disjuncts only for the solver to find out that each of them follows from the invariants.
    fn known_conjuncts(&mut self, point: BlockId) -> FxHashSet<TermId> {
        let known = self.known.get(&point).map_or(&[][..], Vec::as_slice);
        conjuncts(&mut self.tools.terms, known).into_iter().collect()
    }

    /// The conditions of the runs of an exploration that end without failing; `None` if some are not known.
    fn passing_of(
        &mut self,
        found: &concolic::Exploration,
        shared: Shared,
        renamed: &mut FxHashMap<SymbolId, SymbolId>,
    ) -> Option<Vec<Vec<TermId>>> {
        if !found.exhausted || (found.tests.len() as u64) < found.statistics.paths {
            return None;
        }
        let ends = |t: &&concolic::ConcolicTest| !matches!(t.class, TestClass::Failing | TestClass::Aborted);
        found
            .tests
            .iter()
            .filter(ends)
            .map(|test| {
                let conditions = test.conditions.as_ref()?;
                let adopted = self.tools.terms.adopt(&found.terms, shared, conditions, renamed);
                adopted.into_iter().collect()
            })
            .collect()
    }

    /// Whether every run fails whose inputs satisfy the condition at the entry, if that is known of all runs.
    pub(crate) fn always_fails(&mut self, condition: &Dnf) -> bool {
        let Some(passing) = self.passing.clone() else { return false };
        let terms = &mut self.tools.terms;
        let olds: Substitution =
            self.cut.olds.iter().map(|&(old, global)| (old, terms.var(global))).collect();
        let fails = condition.term(terms);
        passing.into_iter().all(|run| {
            let terms = &mut self.tools.terms;
            let mut together: Vec<TermId> = run.into_iter().map(|t| terms.substitute(t, &olds)).collect();
            together.push(fails);
            self.tools.simplifier.contradict(&self.tools.terms, &together) == Some(true)
        })
    }

    fn concolic(&self) -> concolic::Options {
        let left = self.tools.deadline.map(Deadline::left);
        // If whole paths go through loops, there may be no time for all of them: then the short ones say more.
        let is_whole = self.cut.points == [Body::ENTRY];
        let has_loops = !self.cut.wto.components.is_empty();
        let strategy = if is_whole && has_loops { Strategy::Bfs } else { Strategy::Dfs };
        let time = match (self.tools.options.segment_time, left) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        concolic::Options {
            strategy,
            bounds: concolic::Bounds {
                runs: self.tools.options.runs,
                query: self.tools.options.query.or(Some(Duration::from_secs(2))),
                time,
                ..concolic::Bounds::default()
            },
            random_runs: 0,
            stop_when_covered: false,
            keep: Keep::All,
            solver: self.tools.options.solver.clone(),
            ..concolic::Options::default()
        }
    }

    fn miss(&mut self, why: &str) {
        if self.missing.is_none() {
            self.missing = Some(why.to_owned());
        }
    }

    // ---- variables ----

    /// Whether a symbol is part of the state between segments.
    fn is_state(&self, symbol: SymbolId) -> bool {
        let body = &self.cut.body;
        let variables = body.params.iter().chain(&body.results).chain(&body.locals);
        self.is_global(symbol) || variables.into_iter().any(|v| v.symbol == symbol)
    }

    pub(crate) fn is_global(&self, symbol: SymbolId) -> bool {
        self.tools.program.globals.iter().any(|g| g.variable.symbol == symbol)
            || self.tools.program.constants.iter().any(|c| c.symbol == symbol)
    }

    /// The free symbols of a condition that are not `known`.
    fn unknown(&self, dnf: &Dnf, known: impl Fn(&Self, SymbolId) -> bool) -> Vec<SymbolId> {
        let literals: Vec<TermId> = dnf.cubes.iter().flatten().copied().collect();
        self.tools.terms.free_symbols(&literals).into_iter().filter(|&s| !known(self, s)).collect()
    }

    /// Whether the program chooses somewhere where to go on: `goto A, B`, unless both begin with assumptions that exclude each other, which is
    /// a condition in other words.
    fn has_free_choices(&mut self) -> bool {
        let body = &self.cut.body;
        let first = |block: BlockId| {
            let assumed = body[block].statements.iter().map_while(|statement| match statement.kind {
                StatementKind::Assume(condition) => Some(condition),
                _ => None,
            });
            assumed.collect::<Vec<TermId>>()
        };
        let choices = body.blocks.iter().filter_map(|block| match &block.terminator.kind {
            TerminatorKind::Goto(to) if to.len() > 1 => Some(to.iter().map(|&block| first(block)).collect()),
            _ => None,
        });
        let choices: Vec<Vec<Vec<TermId>>> = choices.collect();
        // What is known elsewhere need not hold there.
        let known = self.tools.simplifier.assume(Vec::new());
        let Tools { terms, simplifier, .. } = &mut self.tools;
        let mut exclude =
            |a: &[TermId], b: &[TermId]| simplifier.contradict(terms, &[a, b].concat()) == Some(true);
        let is_free = |arms: &Vec<Vec<TermId>>| {
            arms.iter().enumerate().any(|(i, a)| arms[..i].iter().any(|b| !exclude(a, b)))
        };
        let found = choices.iter().any(is_free);
        self.tools.simplifier.assume(known);
        found
    }

    pub(crate) fn eliminate(&mut self, dnf: &Dnf, symbols: &[SymbolId]) -> Dnf {
        if symbols.is_empty() {
            return dnf.clone();
        }
        let result = self.tools.simplifier.eliminate(&mut self.tools.terms, dnf, symbols);
        if !self.tools.chosen {
            // Whatever they are, what is left says it all.
            let terms = &mut self.tools.terms;
            let (left, whole) = (result.condition.term(terms), dnf.term(terms));
            self.tools.chosen = !int_questions::implies(&mut self.tools, &[left], whole);
        }
        if !result.exact {
            self.miss("a nondeterministic value could not be eliminated exactly");
        }
        result.condition
    }

    // ---- the end ----

    /// The assumptions at the beginning.
    fn assumed(&self) -> Vec<TermId> {
        let mut assumed = Vec::new();
        let mut block = Body::ENTRY;
        loop {
            for statement in &self.cut.body[block].statements {
                match &statement.kind {
                    StatementKind::Assume(condition) => assumed.push(*condition),
                    _ => return assumed,
                }
            }
            let successors = self.cut.body[block].terminator.successors();
            match successors.as_slice() {
                &[next] if !self.cut.wto.components.iter().any(|c| c.head == next) => block = next,
                _ => return assumed,
            }
        }
    }

    /// The condition at the entry over parameters, globals and constants.
    pub(crate) fn at_entry(&mut self, inputs: &FxHashSet<SymbolId>) -> Dnf {
        let terms = &mut self.tools.terms;
        let olds: Substitution =
            self.cut.olds.iter().map(|&(old, global)| (old, terms.var(global))).collect();
        let entry = self.summaries[&Body::ENTRY].clone();
        let entry = entry.map(terms, |terms, l| terms.substitute(l, &olds));
        let is_known = |h: &Self, s| inputs.contains(&s) || h.is_global(s) || h.rounds_kept.contains(&s);
        let unknown = self.unknown(&entry, is_known);
        let condition = self.eliminate(&entry, &unknown);
        families::quantified(&mut self.tools, condition, &self.rounds_kept)
    }

    /// What holds for all inputs, over parameters, globals and constants.
    pub(crate) fn premise(&mut self, inputs: &FxHashSet<SymbolId>) -> Dnf {
        let terms = &mut self.tools.terms;
        let olds: Substitution =
            self.cut.olds.iter().map(|&(old, global)| (old, terms.var(global))).collect();
        let mut premise = Vec::new();
        for l in self.assumed() {
            let l = self.tools.terms.simplify(l);
            premise.push(self.tools.terms.substitute(l, &olds));
        }
        // What is assumed of locals says nothing about inputs.
        let terms = &self.tools.terms;
        let is_input = |s: &SymbolId| inputs.contains(s) || self.is_global(*s);
        premise.retain(|&l| terms.free_symbols(&[l]).iter().all(is_input));
        Dnf { cubes: vec![premise] }
    }

    /// How the conditions found so far relate to failing.
    pub(crate) fn exactness(&self) -> Exactness {
        match (&self.missing, &self.bounded) {
            (Some(why), _) => Exactness::Sufficient(why.clone()),
            (None, Some(bounded)) => bounded.clone(),
            (None, None) => Exactness::Exact,
        }
    }

    /// The loops without a fixpoint, if these are why the condition is bounded.
    pub(crate) fn bounded_loops(&self) -> Option<FxHashSet<ComponentId>> {
        let open = self.loops.iter().filter(|(_, l)| !l.fixpoint).map(|(c, _)| *c).collect();
        (self.missing.is_none() && self.cut.bounded.is_none() && self.bounded.is_some()).then_some(open)
    }

    /// The loops, innermost first.
    pub(crate) fn loops(&self) -> Vec<LoopResult> {
        let mut components: Vec<(ComponentId, LoopResult)> =
            self.loops.iter().map(|(c, l)| (*c, l.clone())).collect();
        components.sort_by_key(|(c, _)| std::cmp::Reverse(c.0));
        components.into_iter().map(|(_, l)| l).collect()
    }
}

/// Simplified conditions, with the parts of conjunctions one by one.
fn conjuncts(terms: &mut Terms, conditions: &[TermId]) -> Vec<TermId> {
    let simple: Vec<TermId> = conditions.iter().map(|&t| terms.simplify(t)).collect();
    let all = terms.app(Op::And, simple);
    let term = terms.term(all);
    if term.op == Op::And { term.args.to_vec() } else { vec![all] }
}

/// The reason why an exploration is not exhaustive.
fn exhaustion(found: &concolic::Exploration) -> String {
    let name = |bound| match bound {
        Bound::Runs => "a segment has more paths than the limit on runs",
        Bound::Time => "the time for a segment ran out",
        Bound::Steps | Bound::Branches | Bound::Iterations | Bound::Nodes => {
            "a segment has paths that are too long"
        }
        Bound::Query => "the solver ran out of time",
        _ => "a segment is too large",
    };
    let hit = found.bounds_hit.iter().find(|(_, n)| *n > 0).map(|(b, _)| name(b).to_owned());
    hit.or_else(|| found.notes.first().cloned())
        .unwrap_or_else(|| "a segment has paths that were not run".to_owned())
}
