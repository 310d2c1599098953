//! Summaries for the covers of a program's procedures.
//!
//! One explorer serves all covers, behind a lock: what one cover had explored, all others use. The covers themselves run
//! in parallel.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use footpath_engine::cover::{Callees, CoverError, Demand, Summarised, SummaryCounts};
use footpath_ir::{ProcId, Program};
use footpath_term::{SymbolId, Terms};
use footpath_transform::{Bounds, Standins};
use rustc_hash::FxHashMap;

use crate::explore::{Explorer, Options};
use crate::graph::Chain;
use crate::standin;
use crate::tree::{Node, NodeId, SummaryId, Values};

/// Which callees are summarised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// All.
    #[default]
    Symbolic,
    /// Those that are large once their own callees are inlined, and those that are recursive.
    Auto,
}

/// Callees with more blocks than this, once their own callees are inlined, are summarised by [`Mode::Auto`].
const SMALL: usize = 24;

/// Time to explore callees for the first time, for each cover.
const FIRST_TIME: Duration = Duration::from_secs(120);

/// See the module.
pub struct Summaries<'p> {
    program: &'p Program,
    mode: Mode,
    inner: Mutex<Inner<'p>>,
}

struct Inner<'p> {
    explorer: Explorer<'p>,
    /// How many blocks a procedure has once its callees are inlined.
    sizes: Vec<usize>,
    /// For each root, from the variables that keep values for open leaves to what they keep.
    seen: FxHashMap<ProcId, FxHashMap<SymbolId, SymbolId>>,
    /// How often summaries grew for a root.
    refined: FxHashMap<ProcId, u64>,
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
        let inner = Inner { explorer, sizes, seen: FxHashMap::default(), refined: FxHashMap::default() };
        Ok(Summaries { program, mode, inner: Mutex::new(inner) })
    }

    fn lock(&self) -> MutexGuard<'_, Inner<'p>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much the solver did for summaries.
    pub fn solver_statistics(&self) -> footpath_smt::Statistics {
        self.lock().explorer.solver_statistics()
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
        let (mut found, mut seen, mut stack) = (Vec::new(), vec![root], vec![root]);
        while let Some(p) = stack.pop() {
            for &callee in explorer.graph.callees(p) {
                if explorer.program[callee].bodies.is_empty() || found.contains(&callee) {
                    continue;
                }
                let small = mode == Mode::Auto
                    && self.sizes[callee.index()] <= SMALL
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
        let (mut standins, mut leaves, mut seen) = (Standins::default(), FxHashMap::default(), FxHashMap::default());
        let mut reused = 0;
        inner.explorer.set_time(Some(FIRST_TIME));
        for callee in replaced {
            let Some(chain) = inner.chain(procedure, callee) else { continue };
            let known = inner.explorer.summaries.len();
            let id: SummaryId = inner.explorer.begun(chain);
            reused += u64::from(id.index() < known);
            let made = standin::make(&inner.explorer, id, (procedure, body), &mut terms)?;
            standins.0.insert(callee, made.standin);
            leaves.extend(made.leaves.into_iter().map(|(node, leaf)| ((callee, node), leaf)));
            seen.extend(made.seen);
        }
        let computed = inner.explorer.summaries.len() as u64 - before;
        let refined = inner.refined.get(&procedure).copied().unwrap_or(0);
        inner.seen.insert(procedure, seen);
        drop(inner);
        let unit = footpath_transform::loop_free_with(self.program, terms, (procedure, body), bounds, &standins);
        Some(Summarised { unit, leaves, counts: SummaryCounts { computed, reused, refined } })
    }

    fn grow(&self, procedure: ProcId, demands: &[Demand]) -> bool {
        let mut inner = self.lock();
        let mut grown = false;
        let time = inner.explorer.options.grow_timeout;
        inner.explorer.set_time(Some(time));
        for demand in demands {
            let Some(chain) = inner.chain(procedure, demand.procedure) else { continue };
            let (id, _) = inner.explorer.summary_of(chain);
            let node = NodeId(demand.node);
            let known = inner.seen.get(&procedure);
            let translate = |(seen, value): &(SymbolId, footpath_term::Value)| {
                Some((*known?.get(seen)?, value.clone()))
            };
            let values = Values::new(demand.values.iter().filter_map(translate).collect());
            let found = inner.explorer.grow(id, node, &values);
            let still_open =
                matches!(inner.explorer.summaries[id.index()].nodes[node.index()], Node::Open(_));
            grown |= found > 0 || !still_open;
            *inner.refined.entry(procedure).or_insert(0) += 1;
        }
        grown
    }
}
