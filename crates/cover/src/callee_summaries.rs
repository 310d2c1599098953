//! Procedure summaries in the place of callees: the interface of compositional covers, with refinement on demand.
//!
//! **Idea.** A [`Callees`] returns the loop-free form of a procedure in which calls are replaced by *stand-ins*
//! ([`footpath_transform::Standins`]). A stand-in is a decision tree; its leaves are paths of the callee, each with
//! its effect, or *open*: there the callee was not explored further. An open leaf allows any effect of the callee, so
//! the form has every run of the program, and more. The session asks two queries instead of one:
//!
//! 1. Is there a run through no open leaf? It is a run of the program, and the reference interpreter replays it.
//! 2. If not: is there one through open leaves? If there is none either, that is a proof. If there is, the leaves on
//!    its path are where the callees must be explored further ([`Demand`]), and nothing is claimed before that.
//!
//! **Example.** If only the path `x < 0` of `abs(x)` is known, the failure of `assert abs(y) >= 0` is reached through
//! the open leaf only. The other path is explored on demand, and then the second query is a proof.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Section 6.
//!
//! **Deviations.** The paper's summaries only under-approximate, so that a block that stays uncovered requires all of
//! them to be computed again. Open leaves over-approximate what is missing, which shows whether it matters, and
//! where.
//!
//! **Direction of error.** None: a model that the interpreter does not confirm covers nothing.

use std::sync::Arc;
use std::time::Duration;

use footpath_ir::ProcId;
use footpath_term::{SymbolId, Value};
use footpath_transform::{Bounds, LoopFree};
use rustc_hash::FxHashMap;

/// A provider of procedures whose calls are summarised. It is called from several threads.
pub trait Callees: Sync {
    /// The loop-free form of a body with the current stand-ins of its callees; `None` if these are to be inlined.
    fn summarised(&self, procedure: ProcId, body: u32, bounds: Bounds) -> Option<Summarised>;

    /// Explores the callees further where a cover of `procedure` needs it; returns whether anything new was found.
    fn grow(&self, procedure: ProcId, demands: &[Demand]) -> bool;
}

/// A loop-free form with stand-ins.
pub struct Summarised {
    /// The loop-free form.
    pub unit: LoopFree,
    /// The leaves of the stand-ins, by procedure and number: [`Place::Summary`](footpath_ir::Place::Summary).
    pub leaves: FxHashMap<(ProcId, u32), Leaf>,
    /// The cost of the stand-ins.
    pub counts: SummaryCounts,
}

/// A leaf of a stand-in that is part of a path.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// The callee's run is complete: what it asks for, in order, and the stand-in's symbols for the callee's.
    Complete(Arc<Recipe>, Arc<Vec<(SymbolId, SymbolId)>>),
    /// The callee was not explored further; with the reason if it never will be.
    Open(Option<String>),
}

/// The values and choices that a run of a callee asks an oracle for, from its entry to its end.
#[derive(Clone, Default, Debug)]
pub struct Recipe {
    /// The variables of the activation that have arbitrary initial values, with the symbols of these.
    pub locals: Vec<(SymbolId, SymbolId)>,
    /// The further questions, in order.
    pub events: Vec<Event>,
}

impl Recipe {
    /// Whether the run asks for no values or choices.
    pub fn is_determined(&self) -> bool {
        let asks = |event: &Event| match event {
            Event::Havoc(_) | Event::Choice(_) | Event::Body(_) => true,
            Event::Call(recipe, _) => !recipe.is_determined(),
        };
        self.locals.is_empty() && !self.events.iter().any(asks)
    }

    /// The number of procedures that the run enters, the callee itself included.
    pub fn activations(&self) -> usize {
        let inner = self.events.iter().map(|event| match event {
            Event::Call(recipe, _) => recipe.activations(),
            Event::Havoc(_) | Event::Choice(_) | Event::Body(_) => 0,
        });
        1 + inner.sum::<usize>()
    }
}

/// A question in a [`Recipe`].
#[derive(Clone, Debug)]
pub enum Event {
    /// An arbitrary value: the symbol that stands for it.
    Havoc(SymbolId),
    /// The number of the target that a free choice takes.
    Choice(usize),
    /// The number of the body that a call runs.
    Body(usize),
    /// A run of a callee, and the caller's symbols for the callee's.
    Call(Arc<Recipe>, Vec<(SymbolId, SymbolId)>),
}

/// An open leaf that a proof depends on.
#[derive(Clone, PartialEq, Debug)]
pub struct Demand {
    /// The callee.
    pub procedure: ProcId,
    /// The leaf.
    pub node: u32,
    /// Values, in the callee's symbols, that decide whether a run reaches the leaf.
    pub values: Vec<(SymbolId, Value)>,
}

/// Statistics of the summaries in a cover.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SummaryCounts {
    /// Summaries that were computed for this cover.
    pub computed: u64,
    /// Summaries that were computed before.
    pub reused: u64,
    /// How often a summary was explored further.
    pub refined: u64,
    /// Solver queries for summaries.
    pub queries: u64,
    /// Time in the solver for these queries.
    pub solver_time: Duration,
}
