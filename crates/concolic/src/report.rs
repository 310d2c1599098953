//! Results of an exploration as plain data: tests, goals, statistics, events and errors.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use footpath_ir::interp::{Outcome, Script};
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, Origin};
use footpath_term::{TermId, Terms};

use super::options::Hits;

/// The results of an exploration.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The tests, in the order they were found.
    pub tests: Vec<ConcolicTest>,
    /// The goals, by procedure and source order.
    pub goals: Vec<Goal>,
    /// Every path was run or refuted: no bound was hit and no query is open. Only then are goals without a test
    /// unreachable.
    pub exhausted: bool,
    /// Every path within [`Bounds::iterations`](super::Bounds::iterations) was run or refuted, and no other bound was hit.
    pub exhausted_within_iterations: bool,
    /// How often each bound was hit.
    pub bounds_hit: Hits,
    /// Its cost.
    pub statistics: Statistics,
    /// Remarks for the user.
    pub notes: Vec<String>,
    /// The axioms that all runs were made under, by position.
    pub axioms: Vec<usize>,
    /// The arena of the tests' conditions: a layer over the program's terms.
    pub terms: Terms,
}

/// A coverage goal: a place that a test is searched for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The place.
    pub origin: Origin,
    /// The name of its block.
    pub name: Arc<str>,
    /// Its range in the source.
    pub span: Span,
    /// What it is.
    pub kind: GoalKind,
    /// Whether it is the failure of a check, one that ends the run or one that does not.
    pub is_check: bool,
    /// Whether any run with symbolic values reached it, however it ended. For the failure of a check this is always
    /// false.
    pub visited: bool,
    /// The first test that reaches it and returns or fails.
    pub covered_by: Option<usize>,
    /// Whether a test covers it as well as is asked for: see [`Options::preferred`](super::Options::preferred) and
    /// [`Options::defined`](super::Options::defined).
    pub covered_well: bool,
    /// The first test that reaches it and returns.
    pub returned_by: Option<usize>,
    /// Whether the caller or the guide has proved that no run reaches it.
    pub ruled_out: bool,
}

/// What a goal is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GoalKind {
    /// A sequence of statements.
    Statements,
    /// A jump that carries no statement.
    Continuation,
    /// An edge of the control flow graph.
    Edge,
    /// An assertion of this kind is violated.
    Failure(AssertKind),
    /// The procedure returns.
    Return,
}

/// The class of a test, by how its run ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TestClass {
    /// It returns.
    Successful,
    /// It fails.
    Failing,
    /// It does not end within the bounds of a run.
    Endless,
    /// It ends at a false assumption.
    Aborted,
}

/// A test that the reference interpreter has replayed.
#[derive(Clone, Debug)]
pub struct ConcolicTest {
    /// The inputs.
    pub script: Script,
    /// How it ends.
    pub outcome: Outcome,
    /// The goals it reaches, by number; with [`Options::preferred`](super::Options::preferred) without those that
    /// another test covers better.
    pub covers: Vec<usize>,
    /// Its class.
    pub class: TestClass,
    /// How many decisions depend on inputs.
    pub decisions: usize,
    /// Statements and jumps of its run.
    pub steps: u64,
    /// With [`Keep::All`](super::Keep::All): the conditions of its path in the order of the decisions, over
    /// [`Exploration::terms`]. Inputs of the root's activation and globals are their own symbols there; all others
    /// (havocked values, variables of callees) are symbols that the exploration made. `None` if they were not asked
    /// for, or if the run decided more than [`Bounds::branches`](super::Bounds::branches), so that the conditions of
    /// its path are incomplete.
    pub conditions: Option<Vec<TermId>>,
    /// What decided each of these conditions.
    pub decided_by: Vec<DecidedBy>,
}

/// What decides a condition on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecidedBy {
    /// A branch, which leads to this block; `None` where no block is behind it.
    Branch(Option<Origin>),
    /// A check that fails here.
    Failure(Origin),
    /// A check that holds.
    Passed,
    /// The engine, which chose one of the objects that a pointer may lead to.
    Object,
    /// An assumption or a preference.
    Assumption,
}

impl DecidedBy {
    /// The place that it leads to at once, where it is one: the block behind a branch, or the failure of a check.
    pub fn leads_to(self) -> Option<Origin> {
        match self {
            DecidedBy::Branch(to) => to,
            DecidedBy::Failure(at) => Some(at),
            DecidedBy::Passed | DecidedBy::Object | DecidedBy::Assumption => None,
        }
    }
}

/// The main numbers of an exploration.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Runs with symbolic values.
    pub runs: u64,
    /// Runs of the concrete phase.
    pub concrete_runs: u64,
    /// Different complete paths.
    pub paths: u64,
    /// Statements and jumps of all runs, as if each had started at the entry.
    pub steps: u64,
    /// Runs that started from a snapshot of an earlier one.
    pub snapshot_runs: u64,
    /// The steps that these did not execute.
    pub snapshot_steps: u64,
    /// The runs with symbolic values, by class.
    pub classes: Classes,
    /// How often each bound was hit.
    pub bounds: Hits,
    /// Solver queries.
    pub queries: u64,
    /// Time in the solver.
    pub solver_time: Duration,
    /// Time for all.
    pub total_time: Duration,
    /// Arms that are still open.
    pub frontier: usize,
    /// Every path was run or refuted.
    pub exhausted: bool,
    /// See [`Exploration::exhausted_within_iterations`].
    pub exhausted_within_iterations: bool,
}

impl Exploration {
    /// The exploration in numbers.
    pub fn summary(&self) -> Summary {
        let s = &self.statistics;
        Summary {
            runs: s.runs,
            concrete_runs: s.concrete_runs,
            paths: s.paths,
            steps: s.steps,
            snapshot_runs: s.snapshot_runs,
            snapshot_steps: s.snapshot_steps,
            classes: s.classes,
            bounds: self.bounds_hit.clone(),
            queries: s.queries,
            solver_time: s.solver_time,
            total_time: s.total_time,
            frontier: s.frontier,
            exhausted: self.exhausted,
            exhausted_within_iterations: self.exhausted_within_iterations,
        }
    }
}

/// Runs by class: how they end and what they show. Each run is in one class.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Classes {
    /// They fail, be it at a check that does not stop the program.
    pub failing: u64,
    /// They return or end by `exit`.
    pub successful: u64,
    /// Like `successful`, but all checks that they met were proved under premises that held, in a program whose
    /// checks carry premises.
    pub redundant: u64,
    /// They end at a false assumption.
    pub aborted: u64,
    /// They end at a preference that they do not meet; they are made again later.
    pub interrupted: u64,
    /// They take a path that another run took.
    pub duplicate: u64,
    /// They return to an earlier state, so they never end.
    pub endless: u64,
    /// They could not be continued to their end.
    pub unfinished: u64,
}

impl Classes {
    /// Adds the runs of another exploration.
    pub fn add(&mut self, other: &Classes) {
        self.failing += other.failing;
        self.successful += other.successful;
        self.redundant += other.redundant;
        self.aborted += other.aborted;
        self.interrupted += other.interrupted;
        self.duplicate += other.duplicate;
        self.endless += other.endless;
        self.unfinished += other.unfinished;
    }
}

/// The cost of an exploration.
#[derive(Clone, Default, Debug)]
pub struct Statistics {
    /// Runs with symbolic values.
    pub runs: u64,
    /// Runs of the concrete phase.
    pub concrete_runs: u64,
    /// Different complete paths.
    pub paths: u64,
    /// The runs with symbolic values, by class.
    pub classes: Classes,
    /// Runs that did not take the arm that they were made for.
    pub diverged: u64,
    /// Statements and jumps of all runs.
    pub steps: u64,
    /// Of those, in runs with symbolic values.
    pub run_steps: u64,
    /// Runs that started from a snapshot of an earlier one.
    pub snapshot_runs: u64,
    /// The steps that these did not execute.
    pub snapshot_steps: u64,
    /// Nodes of the execution tree.
    pub nodes: usize,
    /// Arms that are still open.
    pub frontier: usize,
    /// Arms for which a query was asked.
    pub asked: u64,
    /// Of those, answered by an earlier model.
    pub model_hits: u64,
    /// Of those, answered by an earlier proof.
    pub core_hits: u64,
    /// Of those, answered by local search, without the solver.
    pub quick_models: u64,
    /// Of those, refuted by trying all values.
    pub quick_proofs: u64,
    /// Goals that the guide proved unreachable.
    pub ruled_out: u64,
    /// Inputs that the guide proposed.
    pub proposed: u64,
    /// Arms that were pruned because they contradict the guide's necessary conditions.
    pub pruned: u64,
    /// Arms that were pruned because nothing is uncovered behind them.
    pub subsumed: u64,
    /// Logged runs of an earlier exploration that were repeated.
    pub resumed_runs: u64,
    /// Arms that a proof of an earlier exploration closed.
    pub resumed_proofs: u64,
    /// Solver queries.
    pub queries: u64,
    /// Of those, answered by a model.
    pub sat: u64,
    /// Of those, answered by a proof.
    pub unsat: u64,
    /// Of those, without an answer.
    pub unknown: u64,
    /// Time in the solver.
    pub solver_time: Duration,
    /// Time in runs with symbolic values.
    pub run_time: Duration,
    /// Statements and jumps of the concrete phase.
    pub concrete_steps: u64,
    /// Time in runs of the concrete phase.
    pub concrete_time: Duration,
    /// Time in all.
    pub total_time: Duration,
}

impl Statistics {
    /// Adds the cost of another exploration for the same goals.
    pub fn add(&mut self, other: &Statistics) {
        self.runs += other.runs;
        self.concrete_runs += other.concrete_runs;
        self.paths += other.paths;
        self.classes.add(&other.classes);
        self.diverged += other.diverged;
        self.steps += other.steps;
        self.run_steps += other.run_steps;
        self.snapshot_runs += other.snapshot_runs;
        self.snapshot_steps += other.snapshot_steps;
        self.nodes += other.nodes;
        self.asked += other.asked;
        self.model_hits += other.model_hits;
        self.core_hits += other.core_hits;
        self.quick_models += other.quick_models;
        self.quick_proofs += other.quick_proofs;
        self.ruled_out += other.ruled_out;
        self.proposed += other.proposed;
        self.pruned += other.pruned;
        self.subsumed += other.subsumed;
        self.resumed_runs += other.resumed_runs;
        self.resumed_proofs += other.resumed_proofs;
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.solver_time += other.solver_time;
        self.run_time += other.run_time;
        self.concrete_steps += other.concrete_steps;
        self.concrete_time += other.concrete_time;
        self.total_time += other.total_time;
    }
}

/// An event during an exploration.
#[derive(Clone, Debug)]
pub enum Event {
    /// It has begun, with this many goals.
    Started(usize),
    /// Its progress.
    Progress {
        /// Runs with symbolic values.
        runs: u64,
        /// Different complete paths.
        paths: u64,
        /// Goals.
        goals: usize,
        /// Time in the solver.
        solver_time: Duration,
        /// Covered goals.
        covered: usize,
        /// Whether all goals that are still looked for are failures of checks.
        only_checks: bool,
        /// Open arms.
        frontier: usize,
    },
    /// A test was found; its number.
    Test(usize),
    /// It has ended.
    Finished,
}

/// Why there is no exploration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExploreError {
    /// The request makes no sense.
    Invalid(String),
    /// The solver could not be opened.
    Solver(String),
    /// One of our own invariants broke, such as a test that the reference interpreter runs along another path.
    Internal(String),
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExploreError::Invalid(text) => f.write_str(text),
            ExploreError::Solver(text) => write!(f, "the solver could not be used: {text}"),
            ExploreError::Internal(text) => write!(f, "internal error: {text}"),
        }
    }
}

impl std::error::Error for ExploreError {}
