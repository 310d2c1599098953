//! Summaries for the covers of a program's procedures.
//!
//! One explorer serves all covers, behind a lock: what one cover had explored, all others use. The covers themselves run
//! in parallel.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use footpath_engine::cover::{Callees, CoverError, Demand, Summarised, SummaryCounts};
use footpath_ir::{ProcId, Program};
use footpath_term::{SymbolId, Terms, Value};
use footpath_transform::{Bounds, Standins};
use rustc_hash::FxHashMap;

use crate::concrete;
use crate::explore::{Explorer, Options};
use crate::graph::Chain;
use crate::standin::{self, Made};
use crate::tree::{Node, NodeId, SummaryId, Values};

/// Which callees are summarised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// All, by what they do on single inputs, as long as that suffices; recursive ones as for `Symbolic`.
    Concrete,
    /// All, by their paths.
    #[default]
    Symbolic,
    /// Those that are large once their own callees are inlined, and those that are recursive; none where the caller is
    /// of a moderate size with all of them inlined.
    Auto,
}

/// Callees with more blocks than this, once their own callees are inlined, are summarised by [`Mode::Auto`].
const SMALL: usize = 24;

/// Up to so many blocks of the caller, with all calls inlined, [`Mode::Auto`] inlines all calls that are not recursive.
const MODERATE: usize = 300;

/// How often a concrete summary is asked for further inputs before the procedure's paths take its place.
const CONCRETE_ROUNDS: u32 = 4;

/// See the module.
pub struct Summaries<'p> {
    program: &'p Program,
    mode: Mode,
    inner: Mutex<Inner<'p>>,
}

/// What a procedure does on one input, by the names of parameters, results and globals.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// At the entry.
    pub inputs: FxHashMap<String, Value>,
    /// At the end.
    pub outputs: FxHashMap<String, Value>,
}

struct Inner<'p> {
    explorer: Explorer<'p>,
    /// How many blocks a procedure has once its callees are inlined.
    sizes: Vec<usize>,
    /// For each root, from the variables that keep values for open leaves to what they keep.
    seen: FxHashMap<ProcId, FxHashMap<SymbolId, SymbolId>>,
    /// The inputs of concrete summaries, and how often they were asked for more.
    concrete: FxHashMap<SummaryId, (Vec<concrete::Pair>, u32)>,
    /// What was done for a root so far; only how often summaries grew and what that and the first exploration cost.
    spent: FxHashMap<ProcId, SummaryCounts>,
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
        let explorer = Explorer::new(program, options, stop)?;
        let sizes = explorer.graph.sizes(program);
        let inner = Inner {
            explorer,
            sizes,
            seen: FxHashMap::default(),
            concrete: FxHashMap::default(),
            spent: FxHashMap::default(),
        };
        Ok(Summaries { program, mode, inner: Mutex::new(inner) })
    }

    fn lock(&self) -> MutexGuard<'_, Inner<'p>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much the solver did for summaries.
    pub fn solver_statistics(&self) -> footpath_smt::Statistics {
        self.lock().explorer.solver_statistics()
    }

    /// Keeps what is new in the store, if there is one. Warnings about the store.
    pub fn finish(&self) -> Vec<String> {
        let mut inner = self.lock();
        inner.explorer.save();
        std::mem::take(&mut inner.explorer.warnings)
    }

    /// The concrete summary of a procedure, by names.
    pub fn pairs(&self, procedure: ProcId) -> Vec<Pair> {
        let mut inner = self.lock();
        let id = inner.explorer.begun(Chain::start(procedure));
        let pairs = match inner.concrete.get(&id) {
            Some((pairs, _)) => pairs.clone(),
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

    /// How many paths are known of how many procedures.
    pub fn sizes(&self) -> (usize, usize) {
        let inner = self.lock();
        let leaves = inner.explorer.summaries.iter().map(|s| s.leaves).sum();
        (leaves, inner.explorer.summaries.len())
    }
}

impl Inner<'_> {
    /// The procedures whose calls are replaced by summaries in a root: those that it calls, directly or from callees that
    /// are inlined.
    fn replaced(&self, mode: Mode, root: ProcId) -> Vec<ProcId> {
        let explorer = &self.explorer;
        let moderate = self.sizes[root.index()] <= MODERATE;
        let (mut found, mut seen, mut stack) = (Vec::new(), vec![root], vec![root]);
        while let Some(p) = stack.pop() {
            for &callee in explorer.graph.callees(p) {
                if explorer.program[callee].bodies.is_empty() || found.contains(&callee) {
                    continue;
                }
                let small = mode == Mode::Auto
                    && (moderate || self.sizes[callee.index()] <= SMALL)
                    && !explorer.graph.is_recursive(callee);
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

    /// What stands for a callee in a root.
    fn made(&mut self, mode: Mode, id: SummaryId, root: (ProcId, u32), terms: &mut Terms) -> Option<Made> {
        let procedure = self.explorer.summaries[id.index()].chain.procedure;
        if mode != Mode::Concrete || self.explorer.graph.is_recursive(procedure) {
            return standin::make(&self.explorer, id, root, terms);
        }
        let (pairs, rounds) = match self.concrete.get(&id) {
            Some(known) => known,
            None => {
                let pairs = concrete::first_pairs(&self.explorer, id);
                self.concrete.entry(id).or_insert((pairs, 0))
            }
        };
        if *rounds > CONCRETE_ROUNDS {
            return standin::make(&self.explorer, id, root, terms);
        }
        Some(concrete::make(&self.explorer, id, pairs, terms))
    }

    /// Adds inputs to a concrete summary.
    fn grow_concrete(&mut self, id: SummaryId, values: &Values) {
        let found = concrete::pair_for(&mut self.explorer, id, values);
        let Some((pairs, rounds)) = self.concrete.get_mut(&id) else { return };
        *rounds += 1;
        match found {
            Some(new) if pairs.iter().all(|p| p.inputs != new.inputs || p.asked != new.asked) => {
                pairs.push(new);
            }
            // There is nothing to be had by single inputs.
            _ => *rounds = CONCRETE_ROUNDS + 1,
        }
    }

    /// Counts what the solver did since `before` for a root.
    fn charge(&mut self, root: ProcId, before: &footpath_smt::Statistics) {
        let now = self.explorer.solver_statistics();
        let spent = self.spent.entry(root).or_default();
        spent.queries += now.queries - before.queries;
        spent.solver_time += now.time.saturating_sub(before.time);
    }

    fn chain(&self, root: ProcId, callee: ProcId) -> Option<Chain> {
        let recursion = self.explorer.options.bounds.recursion;
        Chain::start(root).call(&self.explorer.graph, callee, recursion)
    }
}

impl Callees for Summaries<'_> {
    fn summarised(&self, procedure: ProcId, body: u32, bounds: Bounds) -> Option<Summarised> {
        let mut inner = self.lock();
        let replaced = inner.replaced(self.mode, procedure);
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
            let id: SummaryId = inner.explorer.begun(chain);
            reused += u64::from(id.index() < known);
            let made = inner.made(self.mode, id, (procedure, body), &mut terms)?;
            standins.0.insert(callee, made.standin);
            leaves.extend(made.leaves.into_iter().map(|(node, leaf)| ((callee, node), leaf)));
            seen.extend(made.seen);
        }
        let new = &inner.explorer.summaries[before as usize..];
        let recalled = new.iter().filter(|s| s.stored > 0).count() as u64;
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
        let mut inner = self.lock();
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
