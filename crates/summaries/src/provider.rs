//! The provider of summaries: it decides which callees are summarised, and hands their summaries to the covers of
//! procedures.
//!
//! **The portfolio** of [`Mode::Auto`]. What stands for a callee begins with what costs nothing and becomes more as questions
//! of callers need it, for each callee by itself:
//!
//! 1. *Nothing*: the call may have any effect. Random runs of the caller and whatever does not depend on the callee need no more.
//! 2. *Pairs*: the callee is run on the inputs of a question. That costs a run, without solver, so arithmetic and depth of calls do not
//!    matter; it is enough where callers pass few different values, and in most questions for a test. At most
//!    [`CONCRETE_ROUNDS`] times.
//! 3. *Paths*, those merged that differ in values only: one exploration of the callee and all that it calls.
//! 4. *Further paths*, below the leaf that a question ends at.
//!
//! Pairs come before paths because a pair that does not help costs milliseconds, while an exploration with nonlinear conditions takes
//! all time that it is given. Small callees are inlined in any case.
//!
//! **Example.** In `y := f(3); if (y > 100) …` the one pair `f(3) = 7` decides both branches, whatever `f` is.
//!
//! There are as many explorers as procedures may be explored at a time, each behind a lock. Each root procedure
//! always uses the same explorer, since its stand-ins and its demands refer to the nodes of that explorer's
//! summaries.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use footpath_cover::{Callees, CoverError, Demand, Summarised, SummaryCounts};
use footpath_ir::interp::Interpreter;
use footpath_ir::{ProcId, Program};
use footpath_term::{SymbolId, Terms, Value};
use footpath_transform::{Bounds, Standins};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::call_graph::{Chain, Graph};
use crate::concrete;
use crate::explore::{Explorer, Options, Shared};
use crate::shared_exploration::FirstExplorations;
use crate::store::Store;
use crate::summary_body;
use crate::summary_body::Made;
use crate::tree::{Node, NodeId, SummaryId, Values};

/// The rule by which callees are summarised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// All callees, by input-output pairs, as long as these suffice; recursive ones as for `Symbolic`.
    Concrete,
    /// All callees, by their paths.
    #[default]
    Symbolic,
    /// Callees that are large once their own callees are inlined, and recursive ones; none if the caller is of a
    /// moderate size with all of them inlined. Pairs come first, then paths, and neither before a question needs them.
    Auto,
}

/// Callees with more blocks than this, once their own callees are inlined, are summarised by [`Mode::Auto`].
const SMALL: usize = 24;

/// If the caller has at most this many blocks with all calls inlined, [`Mode::Auto`] inlines all calls that are not
/// recursive.
const MODERATE: usize = 300;

/// How often a concrete summary gets further inputs before the procedure's paths replace it.
const CONCRETE_ROUNDS: u32 = 4;

/// The summaries of a program's procedures, computed on demand.
pub struct Summaries<'p> {
    program: &'p Program,
    mode: Mode,
    explorers: Vec<Mutex<Inner<'p>>>,
    /// Runs callees on single inputs.
    interpreter: OnceLock<Interpreter<'p>>,
    /// The explorer that each root uses.
    bound: Mutex<FxHashMap<ProcId, usize>>,
    /// The number of blocks of each procedure once its callees are inlined.
    sizes: Vec<usize>,
}

/// The effect of a procedure on one input, by the names of parameters, results and globals.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// At the entry.
    pub inputs: FxHashMap<String, Value>,
    /// At the end.
    pub outputs: FxHashMap<String, Value>,
}

struct Inner<'p> {
    explorer: Explorer<'p>,
    /// For each root, the variables that hold values for open leaves, with the symbols whose values they hold.
    seen: FxHashMap<ProcId, FxHashMap<SymbolId, SymbolId>>,
    concrete: FxHashMap<SummaryId, Concrete>,
    /// The statistics of each root: how often summaries grew, and what that and the first exploration cost.
    spent: FxHashMap<ProcId, SummaryCounts>,
}

/// A concrete summary.
#[derive(Default)]
struct Concrete {
    pairs: Vec<concrete::Pair>,
    /// The parameters and globals whose values at the call matter.
    inputs: Vec<SymbolId>,
    /// How often further inputs were demanded.
    rounds: u32,
}

fn locked<'a, 'p>(explorer: &'a Mutex<Inner<'p>>) -> MutexGuard<'a, Inner<'p>> {
    explorer.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'p> Summaries<'p> {
    /// Summaries of a program's procedures, none of them computed yet.
    ///
    /// # Errors
    /// If the solver cannot be opened.
    pub fn new(
        program: &'p Program,
        mode: Mode,
        options: Options,
        stop: &'p AtomicBool,
    ) -> Result<Summaries<'p>, CoverError> {
        // Pairs are of single paths.
        let options = Options { merge: options.merge && mode != Mode::Concrete, ..options };
        let graph = Graph::of(program);
        let sizes = graph.sizes(program);
        let store = options.store.clone().map(|storage| Store::new(storage, program, &options));
        let copies = graph.copies(program);
        let shared = Arc::new(Shared { graph, copies, store, first: FirstExplorations::default() });
        let mut explorers = Vec::new();
        for _ in 0..options.jobs.max(1) {
            let explorer = Explorer::new(program, options.clone(), shared.clone(), stop)?;
            explorers.push(Mutex::new(Inner {
                explorer,
                seen: FxHashMap::default(),
                concrete: FxHashMap::default(),
                spent: FxHashMap::default(),
            }));
        }
        let (interpreter, bound) = (OnceLock::new(), Mutex::new(FxHashMap::default()));
        Ok(Summaries { program, mode, explorers, interpreter, bound, sizes })
    }

    /// The explorer that a root uses: chosen at its first use among those that are free, the one with the fewest
    /// roots.
    fn explorer_of(&self, root: ProcId) -> MutexGuard<'_, Inner<'p>> {
        let mut bound = self.bound.lock().unwrap_or_else(PoisonError::into_inner);
        let number = match bound.get(&root) {
            Some(&number) => number,
            None => {
                let mut roots = vec![0usize; self.explorers.len()];
                bound.values().for_each(|&n| roots[n] += 1);
                let is_busy =
                    |n: usize| matches!(self.explorers[n].try_lock(), Err(TryLockError::WouldBlock));
                let number = (0..roots.len()).min_by_key(|&n| (is_busy(n), roots[n])).unwrap_or(0);
                bound.insert(root, number);
                number
            }
        };
        drop(bound);
        locked(&self.explorers[number])
    }

    fn all(&self) -> impl Iterator<Item = MutexGuard<'_, Inner<'p>>> {
        self.explorers.iter().map(locked)
    }

    /// Statistics of the solvers that explored summaries.
    pub fn solver_statistics(&self) -> footpath_smt::Statistics {
        let mut sum = footpath_smt::Statistics::default();
        for inner in self.all() {
            sum += inner.explorer.solver_statistics();
        }
        sum
    }

    /// Stores new decisions in the cache, if there is one. Returns warnings about the cache.
    pub fn finish(&self) -> Vec<String> {
        let mut all: Vec<_> = self.all().collect();
        // Of a procedure that several know, what the one says that decided most: its summaries fit each other.
        all.sort_by_key(|inner| std::cmp::Reverse(inner.explorer.decisions()));
        let (mut done, mut warnings) = (FxHashSet::default(), Vec::new());
        for inner in &mut all {
            inner.explorer.save(&mut done);
            warnings.append(&mut inner.explorer.warnings);
        }
        warnings
    }

    /// The concrete summary of a procedure, by names.
    pub fn pairs(&self, procedure: ProcId) -> Vec<Pair> {
        let mut inner = self.explorer_of(procedure);
        let id = inner.explorer.begun(Chain::start(procedure));
        let pairs = match inner.concrete.get(&id) {
            Some(known) => known.pairs.clone(),
            None => concrete::first_pairs(&inner.explorer, id),
        };
        let results = &self.program[procedure].results;
        let terms = &inner.explorer.terms;
        let pair = |p: concrete::Pair| {
            let results: Vec<(SymbolId, Value)> = results.iter().map(|r| r.symbol).zip(p.results).collect();
            let mut outputs = concrete::named(terms, &results);
            outputs.extend(concrete::named(terms, &p.globals));
            Pair { inputs: concrete::named(terms, &p.inputs), outputs }
        };
        pairs.into_iter().map(pair).collect()
    }

    /// The number of known paths, and the number of procedures that they belong to.
    pub fn sizes(&self) -> (usize, usize) {
        let of = |inner: MutexGuard<'_, Inner<'p>>| {
            let summaries = &inner.explorer.summaries;
            (summaries.iter().map(|s| s.leaves).sum::<usize>(), summaries.len())
        };
        self.all().map(of).fold((0, 0), |(a, b), (c, d)| (a + c, b + d))
    }
}

impl Inner<'_> {
    /// The procedures whose calls are replaced by summaries in a root: those that it calls, directly or from inlined
    /// callees.
    fn replaced(&self, mode: Mode, sizes: &[usize], root: ProcId) -> Vec<ProcId> {
        let explorer = &self.explorer;
        let moderate = sizes[root.index()] <= MODERATE;
        let (mut found, mut seen, mut stack) = (Vec::new(), vec![root], vec![root]);
        while let Some(p) = stack.pop() {
            for &callee in explorer.shared.graph.callees(p) {
                if explorer.program[callee].bodies.is_empty() || found.contains(&callee) {
                    continue;
                }
                let small = mode == Mode::Auto
                    && (moderate || sizes[callee.index()] <= SMALL)
                    && !explorer.shared.graph.is_recursive(callee);
                if explorer.is_summarised(callee) && !small {
                    found.push(callee);
                } else if !seen.contains(&callee) {
                    seen.push(callee);
                    stack.push(callee);
                }
            }
        }
        found
    }

    /// The stand-in for a callee in a root.
    fn made(&mut self, mode: Mode, id: SummaryId, root: (ProcId, u32), terms: &mut Terms) -> Option<Made> {
        let summary = &self.explorer.summaries[id.index()];
        let (procedure, begun) = (summary.chain.procedure, summary.begun);
        let paths = match mode {
            Mode::Symbolic => true,
            Mode::Concrete => false,
            Mode::Auto => begun,
        };
        if paths || self.explorer.shared.graph.is_recursive(procedure) {
            return summary_body::make(&self.explorer, id, root, terms);
        }
        if !self.concrete.contains_key(&id) {
            let known = match mode {
                Mode::Auto => {
                    let params = self.explorer.program[procedure].params.iter();
                    Concrete { inputs: params.map(|p| p.symbol).collect(), ..Concrete::default() }
                }
                Mode::Concrete | Mode::Symbolic => {
                    let pairs = concrete::first_pairs(&self.explorer, id);
                    Concrete { pairs, ..Concrete::default() }
                }
            };
            self.concrete.insert(id, known);
        }
        let known = self.concrete.get_mut(&id)?;
        if mode == Mode::Concrete {
            known.inputs = concrete::inputs_of(&self.explorer, id);
        }
        if known.rounds > CONCRETE_ROUNDS {
            return summary_body::make(&self.explorer, id, root, terms);
        }
        Some(concrete::make(&self.explorer, id, (&known.pairs, &known.inputs), terms))
    }

    /// Adds inputs to a concrete summary.
    fn grow_concrete(&mut self, id: SummaryId, values: &Values) {
        let found = concrete::pair_for(&mut self.explorer, id, values);
        let Some(known) = self.concrete.get_mut(&id) else { return };
        known.rounds += 1;
        match found {
            Some(new) if known.pairs.iter().all(|p| p.inputs != new.inputs || p.asked != new.asked) => {
                known.pairs.push(new);
            }
            // There is nothing to be had by single inputs.
            _ => known.rounds = CONCRETE_ROUNDS + 1,
        }
    }

    /// What a question needs of a callee that was not explored: the pair for the question's values, and its paths where pairs
    /// do not help. See the portfolio of the module.
    fn grow_unexplored(&mut self, interpreter: &Interpreter<'_>, id: SummaryId, values: &Values) {
        let chain = self.explorer.summaries[id.index()].chain.clone();
        if let Some(known) = self.concrete.get_mut(&id)
            && known.rounds < CONCRETE_ROUNDS
        {
            known.rounds += 1;
            match concrete::pair_by_run(interpreter, chain.procedure, values) {
                concrete::ByRun::Pair(new) if known.pairs.iter().all(|p| p.inputs != new.inputs) => {
                    known.pairs.push(new);
                    return;
                }
                concrete::ByRun::Reads(global) if !known.inputs.contains(&global) => {
                    known.inputs.push(global);
                    return;
                }
                _ => {}
            }
        }
        self.explorer.begun(chain);
    }

    /// Adds the solver's work since `before` to a root's statistics.
    fn charge(&mut self, root: ProcId, before: &footpath_smt::Statistics) {
        let now = self.explorer.solver_statistics();
        let spent = self.spent.entry(root).or_default();
        spent.queries += now.queries - before.queries;
        spent.solver_time += now.time.saturating_sub(before.time);
    }

    fn chain(&self, root: ProcId, callee: ProcId) -> Option<Chain> {
        let recursion = self.explorer.options.bounds.recursion;
        Chain::start(root).call(&self.explorer.shared.graph, callee, recursion)
    }
}

impl Callees for Summaries<'_> {
    fn summarised(&self, procedure: ProcId, body: u32, bounds: Bounds) -> Option<Summarised> {
        let mut inner = self.explorer_of(procedure);
        let replaced = inner.replaced(self.mode, &self.sizes, procedure);
        if replaced.is_empty() {
            return None;
        }
        let before = inner.explorer.summaries.len() as u64;
        let mut terms = Terms::layer(self.program.terms.clone());
        let (mut standins, mut leaves, mut seen) =
            (Standins::default(), FxHashMap::default(), FxHashMap::default());
        let mut reused = 0;
        let (time, solver) = (inner.explorer.options.first_timeout, inner.explorer.solver_statistics());
        inner.explorer.set_time(Some(time));
        for callee in replaced {
            let Some(chain) = inner.chain(procedure, callee) else { continue };
            let known = inner.explorer.summaries.len();
            // The portfolio explores a callee when a question depends on it, or where that was done in an earlier run.
            let id = match self.mode {
                Mode::Auto => inner.explorer.summary_of(chain).0,
                Mode::Concrete | Mode::Symbolic => inner.explorer.begun(chain),
            };
            reused += u64::from(id.index() < known);
            let made = inner.made(self.mode, id, (procedure, body), &mut terms)?;
            standins.0.insert(callee, made.standin);
            leaves.extend(made.leaves.into_iter().map(|(node, leaf)| ((callee, node), leaf)));
            seen.extend(made.seen);
        }
        let new = &inner.explorer.summaries[before as usize..];
        let recalled = new.iter().filter(|s| s.recalled).count() as u64;
        let (computed, reused) = (new.len() as u64 - recalled, reused + recalled);
        inner.charge(procedure, &solver);
        let spent = inner.spent.entry(procedure).or_default();
        let counts = SummaryCounts { computed, reused, ..*spent };
        inner.seen.insert(procedure, seen);
        drop(inner);
        let unit =
            footpath_transform::loop_free_with(self.program, terms, (procedure, body), bounds, &standins);
        Some(Summarised { unit, leaves, counts })
    }

    fn grow(&self, procedure: ProcId, demands: &[Demand]) -> bool {
        let mut inner = self.explorer_of(procedure);
        let mut grown = false;
        let (time, solver) = (inner.explorer.options.grow_timeout, inner.explorer.solver_statistics());
        inner.explorer.set_time(Some(time));
        for demand in demands {
            let Some(chain) = inner.chain(procedure, demand.procedure) else { continue };
            let (id, _) = inner.explorer.summary_of(chain);
            let node = NodeId(demand.node);
            let known = inner.seen.get(&procedure);
            let translate = |(seen, value): &(SymbolId, Value)| Some((*known?.get(seen)?, value.clone()));
            let values = Values::new(demand.values.iter().filter_map(translate).collect());
            inner.spent.entry(procedure).or_default().refined += 1;
            if self.mode == Mode::Auto
                && (demand.node == concrete::OPEN || !inner.explorer.summaries[id.index()].begun)
            {
                // Explored since the question was asked: the next question is about its paths.
                if !inner.explorer.summaries[id.index()].begun {
                    let interpreter = self.interpreter.get_or_init(|| Interpreter::new(self.program));
                    inner.grow_unexplored(interpreter, id, &values);
                }
                grown = true;
                continue;
            }
            if demand.node == concrete::OPEN {
                inner.grow_concrete(id, &values);
                grown = true;
                continue;
            }
            let found = inner.explorer.grow(id, node, &values);
            let still_open =
                matches!(inner.explorer.summaries[id.index()].nodes[node.index()], Node::Open(_));
            grown |= found > 0 || !still_open;
        }
        inner.charge(procedure, &solver);
        grown
    }
}
