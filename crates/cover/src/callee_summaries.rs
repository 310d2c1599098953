//! What stands for callees: summaries instead of their bodies.
//!
//! A [`Callees`] hands out the loop-free form of a procedure in which calls are replaced by *stand-ins*
//! ([`footpath_transform::Standins`]). A stand-in is a tree of decisions; its leaves are paths of the callee, each with
//! its effect, or *open*: there the callee was not explored further. An open leaf lets the callee have any effect, so the
//! form has every run of the program, and more. The session asks two questions where there was one:
//!
//! 1. Is there a run past no open leaf? It is one of the program, and the reference interpreter replays it there.
//! 2. If not: is there one past open leaves? If not either, that is a proof. If there is, the leaves on its path are
//!    where the callees must grow ([`Demand`]), and nothing is claimed before they have.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Section 6.
//!
//! **Deviations.** The paper's summaries only under-approximate, so that a block that stays uncovered makes all of them be
//! computed again. Open leaves over-approximate what is missing, which tells whether it matters, and where.
//!
//! **Direction of error.** None; what the interpreter does not confirm covers nothing.

use std::sync::Arc;
use std::time::Duration;

use footpath_ir::ProcId;
use footpath_term::{SymbolId, Value};
use footpath_transform::{Bounds, LoopFree};
use rustc_hash::FxHashMap;

/// Hands out procedures whose calls are summarised. Asked from several threads.
pub trait Callees: Sync {
    /// The loop-free form of a body with what stands for its callees now; `None` if they are to be inlined.
    fn summarised(&self, procedure: ProcId, body: u32, bounds: Bounds) -> Option<Summarised>;

    /// Explores the callees further where that was missing for a cover of `procedure`; whether anything came of it.
    fn grow(&self, procedure: ProcId, demands: &[Demand]) -> bool;
}

/// A loop-free form with stand-ins.
pub struct Summarised {
    /// The form.
    pub unit: LoopFree,
    /// The leaves of the stand-ins, by procedure and number: [`Place::Summary`](footpath_ir::Place::Summary).
    pub leaves: FxHashMap<(ProcId, u32), Leaf>,
    /// What the stand-ins cost.
    pub counts: SummaryCounts,
}

/// A leaf of a stand-in that is part of a path.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// The callee's run is complete: what it asks for, in order, and what its symbols are called in the stand-in.
    Complete(Arc<Recipe>, Arc<Vec<(SymbolId, SymbolId)>>),
    /// The callee was not explored further. Why, if it will not be.
    Open(Option<String>),
}

/// What a run of a callee asks an oracle for, from its entry to its end.
#[derive(Clone, Default, Debug)]
pub struct Recipe {
    /// The variables of the activation that have arbitrary initial values, with the symbols of these.
    pub locals: Vec<(SymbolId, SymbolId)>,
    /// What follows, in order.
    pub events: Vec<Event>,
}

impl Recipe {
    /// Whether the run asks for nothing that could be otherwise.
    pub fn is_determined(&self) -> bool {
        let asks = |event: &Event| match event {
            Event::Havoc(_) | Event::Choice(_) | Event::Body(_) => true,
            Event::Call(recipe, _) => !recipe.is_determined(),
        };
        self.locals.is_empty() && !self.events.iter().any(asks)
    }

    /// How many procedures the run enters, the callee itself included.
    pub fn activations(&self) -> usize {
        let inner = self.events.iter().map(|event| match event {
            Event::Call(recipe, _) => recipe.activations(),
            Event::Havoc(_) | Event::Choice(_) | Event::Body(_) => 0,
        });
        1 + inner.sum::<usize>()
    }
}

/// See [`Recipe`].
#[derive(Clone, Debug)]
pub enum Event {
    /// An arbitrary value: the symbol that stands for it.
    Havoc(SymbolId),
    /// The way a free choice goes.
    Choice(usize),
    /// Which body a call runs.
    Body(usize),
    /// A run of a callee, and what its symbols are called here.
    Call(Arc<Recipe>, Vec<(SymbolId, SymbolId)>),
}

/// An open leaf that a proof depends on.
#[derive(Clone, PartialEq, Debug)]
pub struct Demand {
    /// The callee.
    pub procedure: ProcId,
    /// The leaf.
    pub node: u32,
    /// Values, in the callee's symbols, of what decides whether a run gets there.
    pub values: Vec<(SymbolId, Value)>,
}

/// What became of summaries in a cover.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SummaryCounts {
    /// Summaries that were computed for this cover.
    pub computed: u64,
    /// Summaries that were there already.
    pub reused: u64,
    /// How often a summary was explored further.
    pub refined: u64,
    /// Questions to the solver for all that.
    pub queries: u64,
    /// Time in the solver for these.
    pub solver_time: Duration,
}
