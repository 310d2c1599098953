//! Dynamic symbolic execution: tests for a procedure by running it.
//!
//! **Idea.** The procedure is run on concrete inputs. Beside each value that depends on an input, the run computes the
//! term that says how (its *symbolic value*). A branch whose condition has a symbolic value is a *decision*; all runs together are a
//! tree of decisions. An arm of the tree that no run took is asked of a solver: the conditions on the way to it, and
//! its own. A model is the input of the next run, a proof closes the arm. This is directed automated random testing
//! (Godefroid, Klarlund, Sen, PLDI 2005) with the search strategies, caches and bounds of its successors: SAGE
//! (Godefroid, Levin, Molnar, NDSS 2008), EXE and KLEE (Cadar, Dunbar, Engler, OSDI 2008), Pex (Tillmann, de Halleux,
//! TAP 2008).
//!
//! | idea | file |
//! |---|---|
//! | options, bounds, and how often they were hit | `options.rs` |
//! | what is asked for, what was found | `report.rs`, `goals.rs` |
//! | what explorations of one program share | `prepared.rs` |
//! | the program as register code | `code.rs`, `compile.rs`, `lower.rs` |
//! | values, symbolic values, memory | `value.rs`, `memory.rs`, `bitvector_ops.rs` |
//! | a run | `machine.rs`, `operations.rs`, `decisions.rs`, `calls.rs`, `general.rs` |
//! | runs that begin where an earlier one was | `snapshot.rs` |
//! | runs that repeat themselves | `nontermination.rs` |
//! | short diamonds as one state | `state_merging.rs` |
//! | where inputs come from | `inputs.rs`, `input_mutation.rs` |
//! | inputs that can have one value only | `constant_cells.rs` |
//! | how far a run is from a branch's other arm, inputs changed to get there | `branch_distance.rs`, `search/descent.rs` |
//! | the tree of decisions | `execution_tree.rs` |
//! | which arm comes next | `strategy.rs`, `strategy/fitness.rs`, `cfg_distance.rs` |
//! | questions to the solver | `solve.rs`, `independence.rs`, `local_search.rs`, `bytecode.rs`, `array_elimination.rs`, `model_oracle.rs` |
//! | explorations that go on later | `session.rs`, `log_values.rs` |
//! | simpler inputs for tests | `test_minimisation.rs` |
//! | questions that intervals refute | `intervals.rs` |
//! | what others know of places that resist | `search/guide.rs` |
//! | functions that are run to see what they give | `external_calls.rs` |
//! | all of it together; what a run is worth | `search.rs`, `search/test_selection.rs` |
//!
//! **Direction of error.** A test counts when the reference interpreter has run it along the same path to the same
//! end; a difference is an internal error. That nothing else is reachable is said only if every arm of the tree was
//! taken or refuted and no bound was hit ([`Exploration::exhausted`]).

mod array_elimination;
mod bitvector_ops;
mod branch_distance;
mod bytecode;
mod calls;
mod cfg_distance;
mod code;
mod compile;
mod constant_cells;
mod decisions;
mod execution_tree;
mod external_calls;
mod general;
mod goals;
mod independence;
mod input_mutation;
mod inputs;
mod intervals;
mod local_search;
pub mod log_values;
mod lower;
mod machine;
mod memory;
mod model_oracle;
mod nontermination;
mod operations;
mod options;
mod prepared;
mod report;
mod search;
mod session;
mod snapshot;
mod solve;
mod state_merging;
mod strategy;
mod test_minimisation;
mod unit_propagation;
mod value;

use std::sync::atomic::AtomicBool;

use footpath_ir::{ProcId, Program};
use footpath_parallel::on_deep_stack;

pub use external_calls::{Natives, Sample};
pub use options::{Bound, Bounds, GoalScope, Hits, Keep, Options, Strategy};
pub use prepared::Prepared;
pub use report::{
    Classes, ConcolicTest, Event, Exploration, ExploreError, Goal, GoalKind, Statistics, Summary, TestClass,
};
pub use search::{Guidance, Guide};
pub use session::SessionOptions;
pub use test_minimisation::minimise;

/// Explores body number `body` of procedure `root` until every goal is covered (if the options say so), every path is
/// known, a bound is hit, or `stop` is set.
///
/// # Errors
/// If the options name no solver or no such body, or if one of our own invariants broke.
pub fn explore(
    program: &Program,
    root: ProcId,
    body: u32,
    options: &Options,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
) -> Result<Exploration, ExploreError> {
    explore_guided(program, root, body, options, None, stop, events)
}

/// The same, with somebody to ask about places that keep resisting; see [`Options::guide_after`].
///
/// # Errors
/// As for [`explore`], and if the guide contradicts what runs show.
pub fn explore_guided(
    program: &Program,
    root: ProcId,
    body: u32,
    options: &Options,
    guide: Option<&(dyn Guide + Sync)>,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
) -> Result<Exploration, ExploreError> {
    let helpers = Helpers { guide, ..Helpers::default() };
    explore_helped(program, (root, body), options, helpers, stop, events)
}

/// Who may be asked during an exploration.
#[derive(Clone, Copy, Default)]
pub struct Helpers<'a> {
    /// About places that keep resisting; see [`Options::guide_after`].
    pub guide: Option<&'a (dyn Guide + Sync)>,
    /// For the values of functions that the program does not define.
    pub natives: Option<&'a (dyn Natives + Sync)>,
    /// The program, made ready; made ready anew without it.
    pub prepared: Option<&'a Prepared<'a>>,
}

/// The same, with somebody to ask about more.
///
/// # Errors
/// As for [`explore_guided`].
pub fn explore_helped(
    program: &Program,
    (root, body): (ProcId, u32),
    options: &Options,
    helpers: Helpers<'_>,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
) -> Result<Exploration, ExploreError> {
    if program.procedures.get(root.index()).is_none_or(|p| p.bodies.len() <= body as usize) {
        return Err(ExploreError::Invalid("there is no such body".to_owned()));
    }
    on_deep_stack(|| search::explore(program, (root, body), options, helpers, stop, events))
        .map_err(|e| ExploreError::Invalid(format!("no thread can be started: {e}")))?
}
