//! Covers: tests for all that is feasible in a procedure, proofs for the rest.
//!
//! **Idea.** A loop-free procedure becomes a formula with a boolean for each block, true where a run passes the block. Of the
//! formula a solver is asked for a run through any block that is not covered yet; the run is executed, what it passes is
//! covered, and it is asked again. When the answer is "no run", everything left is infeasible. Example: of
//! `if (x > 0) { a } else { b }; if (x < 0) { c }` two questions cover `a`, `b`, `c`; that `a` and `c` exclude each other is
//! path cover's business.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012): path cover (Algorithm 1), statement
//! cover (Algorithm 2), minimal blocks and the baselines (Section 7).
//!
//! | technique | file |
//! |---|---|
//! | a loop-free procedure as a formula | `vc.rs` |
//! | the steps from program to report, as one list | `procedure.rs` |
//! | statement cover, path cover, minimal blocks | `statement.rs`, `path.rs`, `minimal_blocks.rs` |
//! | path cover by depth-first search | `depth_first.rs` |
//! | random runs before the first question | `random_runs.rs` |
//! | state exploration, for procedures that are too long for one formula | `state_exploration.rs` |
//! | windows: local proofs and local searches | `windows.rs`, `invariants.rs` |
//! | single goals with a formula of their own, cube split | `single_goal.rs`, `cube_split.rs` |
//! | the portfolio: several searches side by side | `portfolio.rs` |
//! | quantified formulas | `quantified.rs` |
//! | summaries in the place of callees | `callee_summaries.rs` |
//! | verdicts about the procedure from those about its loop-free form | `verdicts.rs` |
//! | explanations: minimal sets of statements that contradict each other | `explain.rs` |
//! | replay by the reference interpreter | `replay.rs`, `choices.rs` |
//! | test reduction: set cover, merging | `test_reduction.rs`, `test_merging.rs` |
//! | a cache of covers; covers from dynamic symbolic execution | `cache.rs`, `from_concolic.rs` |
//! | results as plain data | `report.rs` |
//!
//! **Direction of error.** A test counts when the reference interpreter has run it; *infeasible* is said of what a solver
//! refuted, and explained by a second encoding, which would contradict a wrong verdict.

mod cache;
mod callee_summaries;
mod choices;
mod contradiction;
mod cube_split;
mod depth_first;
mod explain;
mod from_concolic;
mod invariants;
mod minimal_blocks;
mod path;
mod portfolio;
mod procedure;
mod quantified;
mod random_runs;
mod replay;
mod report;
mod session;
mod single_goal;
mod state_exploration;
mod statement;
mod test_merging;
mod test_reduction;
pub mod vc;
mod verdicts;
mod windows;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use footpath_ir::interp::Interpreter;
use footpath_ir::{ProcId, Program};
use footpath_parallel::{TICK, in_parallel, with_clock};
use footpath_smt::{Interrupter, Profile, Solver, SolverSpec};
use footpath_transform::theory::Theory;

pub use cache::CoverCache;
pub use callee_summaries::{Callees, Demand, Event as RecipeEvent, Leaf, Recipe, Summarised, SummaryCounts};
pub use contradiction::contradiction;
pub use from_concolic::of_exploration;
pub use report::{
    Choice, CoverStatistics, Objective, ObjectiveKind, Outcome, PathStep, ProcedureCover, Test, Verdict,
};
pub use test_reduction::set_cover;

/// Which objectives a cover has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Criterion {
    /// Every statement, and every assertion's failure.
    #[default]
    Statement,
    /// Every complete path of the loop-free program. The objectives are those of `Statement`.
    Path,
}

/// How a cover is computed. All algorithms give the same verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// The best known combination for the criterion.
    #[default]
    Auto,
    /// RVC, Algorithm 2: enabling clauses.
    Statement,
    /// RVC, Algorithm 1: blocking clauses.
    Path,
    /// RVC, section 7: one query for each minimal block.
    WorstCase,
    /// RVC, section 7: each query covers as many blocks as possible.
    QueryOptimal,
    /// States are explored path by path, equal ones once; with several threads as [`Algorithm::Alone`] works beside it.
    States,
    /// One query for each block, about the ways to it and nothing else.
    Alone,
}

/// How the loop-free program becomes a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Strongest postconditions as a graph of terms, merges as if-then-else.
    #[default]
    Merged,
    /// The paper's: incarnations, and two variables for each block.
    Paper,
}

/// Options of [`cover`]; each has a default that suits an interactive run.
#[derive(Clone, Debug)]
pub struct CoverOptions {
    /// The objectives.
    pub criterion: Criterion,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The encoding.
    pub encoding: Encoding,
    /// How often each back edge is taken at most.
    pub unwind: u32,
    /// How often a procedure calls itself at most.
    pub recursion: u32,
    /// How many blocks a loop-free body has at most.
    pub max_blocks: usize,
    /// How many tests a path cover computes at most, for each procedure.
    pub max_tests: usize,
    /// Time for one procedure; what is open then is unknown.
    pub timeout: Option<Duration>,
    /// Time for one question to the solver.
    pub query_timeout: Option<Duration>,
    /// Concrete runs before the first question.
    pub random_runs: u32,
    /// Seed of all random choices.
    pub seed: u64,
    /// Whether infeasible objectives are explained.
    pub explain: bool,
    /// The solver: `z3`, or `cmd:` and a command line.
    pub solver: String,
    /// A second solver that is asked everything again.
    pub cross_check: Option<String>,
    /// How many procedures are covered at once; threads that are left search side by side in one.
    pub jobs: usize,
    /// Where to write each query as SMT-LIB.
    pub dump_smt: Option<std::path::PathBuf>,
}

impl Default for CoverOptions {
    fn default() -> CoverOptions {
        CoverOptions {
            criterion: Criterion::Statement,
            algorithm: Algorithm::Auto,
            encoding: Encoding::Merged,
            unwind: 4,
            recursion: 2,
            max_blocks: 20_000,
            max_tests: 100_000,
            timeout: Some(Duration::from_secs(60)),
            query_timeout: Some(Duration::from_secs(10)),
            random_runs: 200,
            seed: 0,
            explain: true,
            solver: "z3".to_owned(),
            cross_check: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            dump_smt: None,
        }
    }
}

/// What happens while covers are computed. Called from several threads.
#[derive(Clone, Debug)]
pub enum Event {
    /// A body of a procedure was begun; it has this many objectives.
    Started(ProcId, u32, usize),
    /// So many objectives of a body are decided by now.
    Progress(ProcId, u32, usize),
    /// A body is done.
    Finished(ProcId, u32),
}

/// Why a cover could not be computed at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoverError {
    /// The solver could not be opened.
    Solver(String),
    /// One of our own invariants broke, such as a test that left its promised path. The text is for a bug report.
    Internal(String),
}

impl std::fmt::Display for CoverError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CoverError::Solver(text) => write!(f, "the solver could not be used: {text}"),
            CoverError::Internal(text) => write!(f, "internal error: {text}"),
        }
    }
}

impl std::error::Error for CoverError {}

/// Covers the given procedures, in parallel; the result has the order of `procedures`. Procedures without a
/// body give no result. `stop` ends everything early: what is open then is unknown.
pub fn cover(
    program: &Program,
    procedures: &[ProcId],
    options: &CoverOptions,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
) -> Result<Vec<ProcedureCover>, CoverError> {
    cover_with(program, procedures, options, None, stop, events)
}

/// Like [`cover`], with summaries for callees. They need the merged encoding and the statement criterion; callees are
/// inlined under other options, and where axioms or quantifiers call for it.
pub fn cover_with(
    program: &Program,
    procedures: &[ProcId],
    options: &CoverOptions,
    callees: Option<&dyn Callees>,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
) -> Result<Vec<ProcedureCover>, CoverError> {
    let fits = options.criterion == Criterion::Statement && options.encoding == Encoding::Merged;
    let callees = callees.filter(|_| fits);
    let solvers = Solvers { options, open: Mutex::new(Vec::new()) };
    let mut theory = Theory::new(program);
    if contradiction::find(program, &theory, &mut |name| solvers.open(name, Profile::Refute))?.is_some() {
        theory.set_contradictory();
    }
    let interpreter = Interpreter::new(program);
    let work: Vec<(ProcId, u32)> = procedures
        .iter()
        .flat_map(|&p| (0..program[p].bodies.len() as u32).map(move |body| (p, body)))
        .collect();
    let context = procedure::Context {
        program,
        options,
        theory: &theory,
        interpreter: &interpreter,
        solvers: &solvers,
        callees,
        stop,
        threads: (options.jobs / work.len().max(1)).max(1),
        events,
    };
    // Solvers are deaf while they work; this is who wakes them.
    let wake = || {
        if stop.load(Ordering::Relaxed) {
            solvers.interrupt();
        }
    };
    let results = with_clock(TICK, &wake, || {
        // Each procedure says itself that it was interrupted.
        in_parallel(&work, options.jobs, &AtomicBool::new(false), &|&(procedure, body)| {
            let result = procedure::cover(&context, procedure, body);
            events(Event::Finished(procedure, body));
            result
        })
    });
    results.into_iter().flatten().collect()
}

/// Solvers as the options say, which all stop together.
struct Solvers<'a> {
    options: &'a CoverOptions,
    open: Mutex<Vec<Interrupter>>,
}

impl Solvers<'_> {
    /// Opens a solver; its dumped queries go to a folder called `name`.
    fn open(&self, name: &str, profile: Profile) -> Result<Box<dyn Solver>, CoverError> {
        let failed = |e: footpath_smt::OpenError| CoverError::Solver(e.to_string());
        let spec = SolverSpec::parse(&self.options.solver).map_err(failed)?;
        let cross_check = match &self.options.cross_check {
            Some(spec) => Some(SolverSpec::parse(spec).map_err(failed)?),
            None => None,
        };
        let options = footpath_smt::Options {
            profile,
            timeout: self.options.query_timeout,
            seed: (self.options.seed != 0).then_some(self.options.seed as u32),
            memory: None,
            dump: self.options.dump_smt.as_ref().map(|dir| dir.join(file_name(name))),
            cross_check,
        };
        let solver = footpath_smt::open(&spec, &options).map_err(failed)?;
        self.open.lock().unwrap_or_else(PoisonError::into_inner).push(solver.interrupter());
        Ok(solver)
    }

    fn interrupt(&self) {
        for interrupter in self.open.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            interrupter.interrupt();
        }
    }
}

/// A name that is a file's on every system.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect()
}
