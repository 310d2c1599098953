//! Hoisting: the condition of each segment from those behind it, loops to a fixpoint.
//!
//! Every cut point has a summary, the condition under which a run from there fails; `false` to begin with. Cut points are
//! taken from the end upwards. A component of the graph is done from the inside out: its inner points, then its head, again
//! and again until the head's summary is the same as before. So C_n is the condition that at most n rounds lead to a
//! failure; the sequence only grows, and where it stops, it has all failures, however many rounds they take.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_engine::concolic::{self, Bound, ExploreError, Keep, Strategy, TestClass};
use footpath_ir::{BlockId, Body, ProcId, Program, StatementKind};
use footpath_simplify::{Dnf, Simplifier};
use footpath_smt::SolverSpec;
use footpath_term::{Op, Substitution, SymbolId, TermId, Terms};
use footpath_transform::wto::ComponentId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::options::Options;
use crate::partition::{Cut, cut};
use crate::result::{Analysis, Error, Exactness, LoopResult, Round};
use crate::{Classes, segment, witness};

/// See the module.
pub(crate) struct Hoist<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    pub(crate) terms: Terms,
    pub(crate) cut: Cut,
    pub(crate) simplifier: Simplifier,
    points: FxHashSet<BlockId>,
    leads: FxHashMap<BlockId, Vec<BlockId>>,
    pub(crate) summaries: FxHashMap<BlockId, Dnf>,
    /// The last exploration of a segment: what stood behind it, and what came out.
    cache: FxHashMap<BlockId, (Vec<Dnf>, Dnf)>,
    rounds: Vec<Round>,
    loops: FxHashMap<ComponentId, LoopResult>,
    /// Why something may be missing.
    pub(crate) missing: Option<String>,
    bounded: Option<Exactness>,
    notes: Vec<String>,
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
}

/// See [`crate::analyse`].
pub(crate) fn analyse(
    program: &Program,
    root: (ProcId, u32),
    options: &Options,
    classes: Classes<'_>,
    stop: &AtomicBool,
) -> Result<Analysis, Error> {
    let started = Instant::now();
    let mut terms = Terms::layer(program.terms.clone());
    let cut = cut(program, &mut terms, root, options, classes);
    let mut simplifier = Simplifier::new(open_solver(options)?, options.effort, options.questions);
    let points: FxHashSet<BlockId> = cut.points.iter().copied().collect();
    let leads = cut.points.iter().map(|&p| (p, segment::leads_to(&cut.body, p, &points))).collect();
    let deadline = options.time.map(|t| started + t);
    simplifier.until(deadline, options.query);
    let mut hoist = Hoist {
        program,
        options,
        terms,
        summaries: cut.points.iter().map(|&p| (p, Dnf::never())).collect(),
        bounded: cut.bounded.clone(),
        cut,
        simplifier,
        points,
        leads,
        cache: FxHashMap::default(),
        rounds: Vec::new(),
        loops: FxHashMap::default(),
        missing: None,
        notes: Vec::new(),
        stop,
        deadline,
    };
    hoist.solve(None)?;
    let mut analysis = hoist.finish(root)?;
    if options.tests {
        witness::add(program, root, options, classes, &mut analysis)?;
    }
    analysis.time = started.elapsed();
    Ok(analysis)
}

pub(crate) fn open_solver(options: &Options) -> Result<Box<dyn footpath_smt::Solver>, Error> {
    let failed = |e: footpath_smt::OpenError| Error::Solver(e.to_string());
    let spec = SolverSpec::parse(&options.solver).map_err(failed)?;
    let settings = footpath_smt::Options { timeout: options.query, ..footpath_smt::Options::default() };
    footpath_smt::open(&spec, &settings).map_err(failed)
}

impl Hoist<'_> {
    // ---- order ----

    /// Summarises the cut points whose innermost component is `within`, and the components just inside it.
    pub(crate) fn solve(&mut self, within: Option<ComponentId>) -> Result<(), Error> {
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
        let head = self.cut.wto[component].head;
        let span = self.cut.body[head].span;
        let mut state = LoopResult { span, rounds: 0, fixpoint: false, closed: false };
        let mut sequence: Vec<Dnf> = Vec::new();
        while state.rounds < self.options.rounds && !self.is_late() {
            state.rounds += 1;
            self.solve(Some(component))?;
            let before = self.summaries[&head].clone();
            let mut after = self.explore(head)?;
            if self.missing.is_some() {
                // What was left out this time may have been found before.
                after.cubes.extend(before.cubes.iter().cloned());
                after = self.simplifier.simplify(&mut self.terms, &after);
            }
            let (a, b) = (before.term(&mut self.terms), after.term(&mut self.terms));
            let same = self.simplifier.equivalent(&mut self.terms, a, b);
            self.summaries.insert(head, after.clone());
            sequence.push(after);
            if same == Some(true) {
                state.fixpoint = true;
                break;
            }
            let try_closed = self.options.closed_forms && matches!(state.rounds, 4 | 7 | 12);
            if try_closed && self.missing.is_none() && self.closed_form(component, &sequence)? {
                state.fixpoint = true;
                state.closed = true;
                break;
            }
        }
        if !state.fixpoint && self.bounded.is_none() {
            let place = format!("a loop has no fixpoint within {} rounds", state.rounds);
            self.bounded = Some(Exactness::Bounded(state.rounds, place));
        }
        self.loops.insert(component, state);
        Ok(())
    }

    pub(crate) fn is_late(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|d| Instant::now() >= d)
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
        if self.is_late() {
            self.miss("time ran out");
            return Ok(Dnf::never());
        }
        let shared = self.terms.shared();
        let program = segment::program(self.program, &self.terms, &self.cut.body, point, &self.summaries);
        let found = concolic::explore(&program, ProcId(0), 0, &self.concolic(), self.stop, &|_| ());
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
        let mut renamed = FxHashMap::default();
        for test in &failing {
            let adopted = self.terms.adopt(&found.terms, shared, &test.conditions, &mut renamed);
            let conditions: Option<Vec<TermId>> = adopted.into_iter().collect();
            match conditions {
                Some(conditions) => {
                    let simple: Vec<TermId> = conditions.iter().map(|&t| self.terms.simplify(t)).collect();
                    raw.add(&mut self.terms, &simple);
                }
                None => self.miss("a path's condition has a function or value of its own"),
            }
        }
        let unknown = self.unknown(&raw, Hoist::is_state);
        let eliminated = self.eliminate(&raw, &unknown);
        let result = self.simplifier.simplify(&mut self.terms, &eliminated);
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

    fn concolic(&self) -> concolic::Options {
        let left = self.deadline.map(|d| d.saturating_duration_since(Instant::now()));
        let time = match (self.options.segment_time, left) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        concolic::Options {
            strategy: Strategy::Dfs,
            bounds: concolic::Bounds {
                runs: self.options.runs,
                query: self.options.query.or(Some(Duration::from_secs(2))),
                time,
                ..concolic::Bounds::default()
            },
            random_runs: 0,
            stop_when_covered: false,
            keep: Keep::All,
            solver: self.options.solver.clone(),
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

    fn is_global(&self, symbol: SymbolId) -> bool {
        self.program.globals.iter().any(|g| g.variable.symbol == symbol)
            || self.program.constants.iter().any(|c| c.symbol == symbol)
    }

    /// The free symbols of a condition that are not `known`.
    fn unknown(&self, dnf: &Dnf, known: impl Fn(&Self, SymbolId) -> bool) -> Vec<SymbolId> {
        let literals: Vec<TermId> = dnf.cubes.iter().flatten().copied().collect();
        self.terms.free_symbols(&literals).into_iter().filter(|&s| !known(self, s)).collect()
    }

    pub(crate) fn eliminate(&mut self, dnf: &Dnf, symbols: &[SymbolId]) -> Dnf {
        if symbols.is_empty() {
            return dnf.clone();
        }
        let result = self.simplifier.eliminate(&mut self.terms, dnf, symbols);
        if !result.exact {
            self.miss("a value that the program takes from nowhere could not be eliminated exactly");
        }
        result.condition
    }

    // ---- the end ----

    /// What holds of all inputs: what is assumed before anything else happens.
    fn premise(&self) -> Dnf {
        let mut assumed = Vec::new();
        let mut block = Body::ENTRY;
        loop {
            for statement in &self.cut.body[block].statements {
                match &statement.kind {
                    StatementKind::Assume(condition) => assumed.push(*condition),
                    _ => return Dnf { cubes: vec![assumed] },
                }
            }
            let successors = self.cut.body[block].terminator.successors();
            match successors.as_slice() {
                &[next] if !self.cut.wto.components.iter().any(|c| c.head == next) => block = next,
                _ => return Dnf { cubes: vec![assumed] },
            }
        }
    }

    fn finish(mut self, (procedure, body): (ProcId, u32)) -> Result<Analysis, Error> {
        let olds: Substitution =
            self.cut.olds.iter().map(|&(old, global)| (old, self.terms.var(global))).collect();
        let entry = self.summaries[&Body::ENTRY].clone();
        let entry = entry.map(&mut self.terms, |terms, l| terms.substitute(l, &olds));
        let premise: Vec<TermId> = self.premise().cubes.concat();
        let premise = premise
            .into_iter()
            .map(|l| {
                let l = self.terms.simplify(l);
                self.terms.substitute(l, &olds)
            })
            .collect();
        let premise = Dnf { cubes: vec![premise] };
        let inputs: FxHashSet<SymbolId> =
            self.program[procedure].bodies[body as usize].params.iter().map(|v| v.symbol).collect();
        let unknown = self.unknown(&entry, |h, s| inputs.contains(&s) || h.is_global(s));
        let entry = self.eliminate(&entry, &unknown);
        let locals = self.unknown(&premise, |h, s| inputs.contains(&s) || h.is_global(s));
        // What is assumed of locals says nothing about inputs.
        let premise = if locals.is_empty() { premise } else { Dnf::always() };
        let context = premise.term(&mut self.terms);
        self.simplifier.assume(vec![context]);
        let condition = self.simplifier.simplify(&mut self.terms, &entry);
        let condition = self.simplifier.in_words(&mut self.terms, &condition);
        let exactness = match (self.missing.take(), self.bounded.take()) {
            (Some(why), _) => Exactness::Sufficient(why),
            (None, Some(bounded)) => bounded,
            (None, None) => Exactness::Exact,
        };
        let passes = (exactness == Exactness::Exact).then(|| {
            let whole = condition.term(&mut self.terms);
            let not = self.terms.app(Op::Not, [whole]);
            let raw = Dnf::of(&mut self.terms, not);
            let short = self.simplifier.simplify(&mut self.terms, &raw);
            self.simplifier.in_words(&mut self.terms, &short)
        });
        let mut components: Vec<(ComponentId, LoopResult)> = self.loops.into_iter().collect();
        components.sort_by_key(|(c, _)| std::cmp::Reverse(c.0));
        Ok(Analysis {
            terms: self.terms,
            condition,
            passes,
            premise,
            exactness,
            loops: components.into_iter().map(|(_, l)| l).collect(),
            segments: self.points.len(),
            rounds: self.rounds,
            tests: Vec::new(),
            checked: 0,
            queries: self.simplifier.queries,
            time: Duration::ZERO,
            notes: self.notes,
        })
    }
}

/// Why an exploration did not see everything.
fn exhaustion(found: &concolic::Exploration) -> String {
    let name = |bound| match bound {
        Bound::Runs => "a segment has more paths than runs",
        Bound::Time => "time ran out in a segment",
        Bound::Steps | Bound::Branches | Bound::Nodes => "a segment has paths that are too long",
        Bound::Query => "the solver ran out of time",
        _ => "a segment is too large",
    };
    let hit = found.bounds_hit.iter().find(|(_, n)| *n > 0).map(|(b, _)| name(b).to_owned());
    hit.or_else(|| found.notes.first().cloned())
        .unwrap_or_else(|| "a segment has paths that were not run".to_owned())
}
