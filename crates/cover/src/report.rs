//! The result of a cover as plain data: objectives with their verdicts, tests, statistics.

use std::collections::BTreeMap;
use std::time::Duration;

use footpath_ir::interp::{Reason, Script};
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, Origin, ProcId};
use footpath_term::{SortId, Value};

use super::SummaryCounts;
use footpath_concolic::Summary;
use footpath_verdict::{Code, Verdict};

/// The result of covering one procedure.
#[derive(Clone, Debug)]
pub struct ProcedureCover {
    /// The procedure.
    pub procedure: ProcId,
    /// Which of its bodies.
    pub body: u32,
    /// Its objectives in source order.
    pub objectives: Vec<Objective>,
    /// The tests, reduced, in the order in which they were found.
    pub tests: Vec<Test>,
    /// The cost.
    pub statistics: CoverStatistics,
    /// Remarks for the user: constructs left out, contradicting axioms, a solver that gave up.
    pub notes: Vec<String>,
    /// The names of sorts that occur in values of the tests and that the program's terms do not have.
    pub sorts: BTreeMap<SortId, String>,
    /// The statistics of the exploration that it was made from, if any.
    pub exploration: Option<Summary>,
}

/// A coverage objective.
#[derive(Clone, Debug)]
pub struct Objective {
    /// A name that is unique in the procedure and stable as long as the source is: the block's label, with a
    /// suffix for later segments and assertions.
    pub name: String,
    /// The kind of objective.
    pub kind: ObjectiveKind,
    /// Where it comes from.
    pub origin: Origin,
    /// Its range in the source.
    pub span: Span,
    /// The verdict.
    pub verdict: Verdict,
    /// Numbers of the tests that cover it, in [`ProcedureCover::tests`].
    pub tests: Vec<usize>,
    /// For an infeasible objective: a minimal set of statements that contradict each other.
    pub explanation: Vec<Span>,
}

impl Objective {
    /// Whether no run that was looked at reaches it, while longer ones may: what a proof for any number of loop iterations is
    /// worth asking for.
    pub fn is_refuted_so_far(&self) -> bool {
        match &self.verdict {
            Verdict::UnreachableWithin(_) => true,
            Verdict::Unknown(why) => why.code == Code::BlockLimit,
            Verdict::Covered | Verdict::Doomed | Verdict::Unreachable => false,
        }
    }
}

/// What an objective is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectiveKind {
    /// A sequence of statements is executed by a run that returns.
    Statement,
    /// An edge of the control flow is taken by a run that returns.
    Branch,
    /// An assertion of this kind is violated. If it is infeasible, the assertion holds.
    Failure(AssertKind),
}

/// A test: inputs, and the path they lead to. Replayed by the reference interpreter before it is reported.
#[derive(Clone, Debug)]
pub struct Test {
    /// Values of parameters, globals and constants at entry, by source name; only those that matter.
    pub inputs: BTreeMap<String, Value>,
    /// Further choices of the run, in order.
    pub choices: Vec<Choice>,
    /// The front end's blocks in order of execution: label and range.
    pub path: Vec<PathStep>,
    /// How it ends.
    pub outcome: Outcome,
    /// Numbers of the objectives it covers, in [`ProcedureCover::objectives`].
    pub covers: Vec<usize>,
    /// The script for the interpreter; `None` for values that only a solver's model has.
    pub script: Option<Box<Script>>,
}

/// A nondeterministic choice of a run after its start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A variable got an arbitrary value.
    Value {
        /// Its name in the source.
        variable: String,
        /// The reason.
        reason: Reason,
        /// The value.
        value: Value,
    },
    /// The target of a `goto`, or of an `if` or `while` without a condition, was chosen.
    Way {
        /// The range of the statement.
        span: Span,
        /// The label of the block it went to.
        target: String,
        /// The number of the target, from 0. For `if` and `while`, 0 is the body.
        number: usize,
    },
}

/// A block on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// The procedure, which may be a callee.
    pub procedure: ProcId,
    /// The label.
    pub block: String,
    /// Its range.
    pub span: Span,
}

/// The end of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The procedure returns.
    Returned,
    /// An assertion of this kind, at this place, is violated.
    Failed(AssertKind, Span),
}

/// The cost of a cover.
#[derive(Clone, Default, Debug)]
pub struct CoverStatistics {
    /// Solver queries.
    pub queries: u64,
    /// The number of queries answered by a model.
    pub sat: u64,
    /// The number of queries answered by a proof.
    pub unsat: u64,
    /// The number of queries without an answer.
    pub unknown: u64,
    /// Time in the solver.
    pub solver_time: Duration,
    /// Total time.
    pub total_time: Duration,
    /// Runs of the interpreter: random runs and replays.
    pub runs: u64,
    /// Blocks of the loop-free body.
    pub blocks: usize,
    /// The bound on loop iterations that was used.
    pub unwind: u32,
    /// Whether the bound was shown to be no restriction.
    pub exhaustive: bool,
    /// Statistics of summaries, if callees were summarised.
    pub summaries: Option<SummaryCounts>,
    /// Whether the verdicts were found in an earlier run and cached; tests were executed again.
    pub recalled: bool,
}
