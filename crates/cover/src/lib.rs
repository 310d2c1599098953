//! Coverage by symbolic execution and SMT: tests for all that is feasible in a procedure, proofs for the rest.
//!
//! **Idea.** A loop-free procedure becomes a formula with a boolean for each block, true where a run passes the
//! block. A solver is asked for a model of the formula, that is, a run through any block that is not covered yet; the
//! run is executed, the blocks that it passes are covered, and the question is repeated. When the answer is "no run",
//! all blocks that are left are infeasible.
//!
//! **Example.** In `if (x > 0) { a } else { b }; if (x < 0) { c }` two queries cover `a`, `b`, `c`. That no run
//! passes both `a` and `c` is found by path cover only.
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), called RVC in this crate
//! after its *reachability verification condition*: path cover (Algorithm 1), statement cover (Algorithm 2), minimal
//! blocks and the baselines (Section 7).
//!
//! | technique | file |
//! |---|---|
//! | verification conditions: a loop-free procedure as a formula | `vc.rs`, `vc/` |
//! | the steps from program to report, as one list | `procedure.rs` |
//! | the incremental solving session of a procedure | `session.rs` |
//! | statement cover, path cover, minimal blocks | `statement.rs`, `path.rs`, `minimal_blocks.rs` |
//! | path cover by depth-first symbolic execution | `depth_first.rs` |
//! | random testing before the first query | `random_runs.rs` |
//! | state exploration with state matching, for long procedures | `state_exploration.rs`, `state_exploration/` |
//! | windows: local proofs and local searches | `windows.rs` |
//! | invariants from abstract interpretation | `invariants.rs` |
//! | single-goal queries, cube split | `single_goal.rs`, `cube_split.rs` |
//! | portfolio: several searches in parallel | `portfolio.rs` |
//! | quantified formulas: E-matching and candidate models | `quantified.rs` |
//! | procedure summaries in the place of callees | `callee_summaries.rs` |
//! | verdicts about the procedure from those about its loop-free form | `verdicts.rs` |
//! | explanations: minimal unsatisfiable cores | `explain.rs` |
//! | test replay by the reference interpreter | `replay.rs`, `choices.rs` |
//! | test suite reduction: set cover, test merging | `test_reduction.rs`, `test_merging.rs` |
//! | covers as text, for caches | `cache.rs` |
//! | covers from dynamic symbolic execution | `from_concolic.rs` |
//! | results as plain data | `report.rs` |
//!
//! **Direction of error.** A test counts when the reference interpreter has executed it. *Infeasible* means that a
//! solver refuted it; explanations ask again with a second encoding, which would contradict a wrong verdict.

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
pub use footpath_verdict::Verdict;
pub use from_concolic::of_exploration;
pub use report::{
    Choice, CoverStatistics, Objective, ObjectiveKind, Outcome, PathStep, ProcedureCover, Test,
};
pub use test_reduction::set_cover;

/// The objectives of a cover.
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
    /// State exploration; with several threads also single-goal queries, as for [`Algorithm::Alone`].
    States,
    /// Single-goal queries: one query for each block, restricted to the paths to it.
    Alone,
}

/// The encoding of the loop-free program as a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Strongest postconditions as a graph of terms, joined by if-then-else.
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
    /// The limit on how often each back edge is taken.
    pub unwind: u32,
    /// The limit on how often a procedure calls itself.
    pub recursion: u32,
    /// The limit on blocks of a loop-free body.
    pub max_blocks: usize,
    /// The limit on tests of a path cover, for each procedure.
    pub max_tests: usize,
    /// The time limit of one procedure; goals that are open then are unknown.
    pub timeout: Option<Duration>,
    /// The time limit of one solver query.
    pub query_timeout: Option<Duration>,
    /// The number of random runs before the first query.
    pub random_runs: u32,
    /// Seed of all random choices.
    pub seed: u64,
    /// Whether infeasible objectives are explained.
    pub explain: bool,
    /// The solver: `z3`, or `cmd:` and a command line.
    pub solver: String,
    /// A second solver that is asked every query as well.
    pub cross_check: Option<String>,
    /// The number of procedures that are covered in parallel; free threads search in parallel within one.
    pub jobs: usize,
    /// The folder to which each query is written as SMT-LIB.
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

/// Progress while covers are computed. The callback is called from several threads.
#[derive(Clone, Debug)]
pub enum Event {
    /// The cover of a body was started; the body has this many objectives.
    Started(ProcId, u32, usize),
    /// The number of objectives of a body that are decided so far.
    Progress(ProcId, u32, usize),
    /// The cover of a body is finished.
    Finished(ProcId, u32),
}

/// Why a cover could not be computed at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoverError {
    /// The solver could not be opened.
    Solver(String),
    /// An internal error: an invariant of the implementation does not hold, for example because a test left its path.
    /// The text is for a bug report.
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

/// Covers the given procedures, in parallel; the result has the order of `procedures`. Procedures without a body give
/// no result. Setting `stop` ends everything early: goals that are open then are unknown.
pub fn cover(
    program: &Program,
    procedures: &[ProcId],
    options: &CoverOptions,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
) -> Result<Vec<ProcedureCover>, CoverError> {
    cover_with(program, procedures, options, None, stop, events)
}

/// As [`cover`], with summaries for callees. Summaries need the merged encoding and the statement criterion; callees
/// are inlined under other options, and where axioms or quantifiers require it.
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

/// The name with characters replaced that some systems do not allow in file names.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect()
}
