//! Options of an exploration, its bounds, and how often each bound was hit.
//!
//! **Direction of error.** A bound weakens what can be claimed, never what was found: an exploration that hit one is
//! not exhaustive.

use std::time::Duration;

use footpath_ir::interp::Script;
use footpath_ir::{Origin, ProcId};
use rustc_hash::FxHashSet;

use super::nontermination;
use super::session::SessionOptions;
use super::snapshot::STRETCH;

/// The search strategy: which open arm is tried next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// The other strategies in turn, those that look for uncovered code more often.
    #[default]
    Mix,
    /// The deepest arm of the latest run.
    Dfs,
    /// The arm nearest to the root.
    Bfs,
    /// A random walk from the root that takes each open arm with equal probability.
    RandomPath,
    /// The arms of the run that covered most (SAGE).
    Generational,
    /// The arm nearest to an uncovered goal, by the control flow graph.
    Coverage,
    /// An arm of the run with the least branch distance to an arm that no run took (Fitnex).
    Fitness,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 7] = [
        Strategy::Mix,
        Strategy::Dfs,
        Strategy::Bfs,
        Strategy::RandomPath,
        Strategy::Generational,
        Strategy::Coverage,
        Strategy::Fitness,
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Mix => "mix",
            Strategy::Dfs => "dfs",
            Strategy::Bfs => "bfs",
            Strategy::RandomPath => "random-path",
            Strategy::Generational => "generational",
            Strategy::Coverage => "coverage",
            Strategy::Fitness => "fitness",
        }
    }

    /// The strategy of that name.
    pub fn parse(name: &str) -> Option<Strategy> {
        Strategy::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// The scope of the coverage goals: in which bodies places are goals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum GoalScope {
    /// The body that runs start in.
    #[default]
    Root,
    /// All bodies of these procedures that runs can reach.
    Procedures(Vec<ProcId>),
    /// All bodies that runs can reach.
    All,
    /// Only these places, wherever they are.
    Places(Vec<Origin>),
}

/// Which runs become tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// Those that are the first to cover a goal, or to return from it, or that fail in a new place.
    #[default]
    New,
    /// One for each path, and for each combination of preferences that are met on it.
    All,
}

/// The bounds of an exploration.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds {
    /// Decisions that are recorded on one path; a run continues after them, but later decisions have no open arms.
    pub branches: usize,
    /// How often a path may return to the head of a loop in one call, counted anew each time the loop is entered; a run goes on after
    /// that, but later decisions have no open arms. `None` for any number.
    pub iterations: Option<u32>,
    /// Calls that may be open at once.
    pub calls: usize,
    /// Runs, except for those of the concrete phase and interrupted ones.
    pub runs: u64,
    /// Statements and jumps of one run.
    pub steps: u64,
    /// Time for a solver query; one that takes longer is asked again later, with [`Bounds::patience`] times as much.
    pub query: Option<Duration>,
    /// The factor by which the time of a query grows when it is asked again.
    pub patience: u32,
    /// How often a query is asked again.
    pub retries: u8,
    /// Runs that are interrupted because they do not meet a preference; after these, preferences have no effect.
    pub interrupts: u64,
    /// Nodes of the execution tree.
    pub nodes: usize,
    /// Terms that are built.
    pub terms: usize,
    /// Time for all.
    pub time: Option<Duration>,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            branches: 10_000,
            iterations: None,
            calls: 500,
            runs: 100_000,
            steps: 2_000_000,
            query: Some(Duration::from_secs(2)),
            patience: 4,
            retries: 1,
            interrupts: 50,
            nodes: 4_000_000,
            terms: 8_000_000,
            time: Some(Duration::from_secs(60)),
        }
    }
}

/// A bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// [`Bounds::branches`].
    Branches,
    /// [`Bounds::iterations`].
    Iterations,
    /// [`Bounds::calls`].
    Calls,
    /// [`Bounds::runs`].
    Runs,
    /// [`Bounds::steps`].
    Steps,
    /// [`Bounds::query`], also after the last retry.
    Query,
    /// [`Bounds::interrupts`]: preferences that were passed over. It leaves out no runs.
    Interrupts,
    /// [`Bounds::nodes`].
    Nodes,
    /// [`Bounds::terms`].
    Terms,
    /// [`Bounds::time`].
    Time,
}

impl Bound {
    /// All bounds.
    pub const ALL: [Bound; 10] = [
        Bound::Branches,
        Bound::Iterations,
        Bound::Calls,
        Bound::Runs,
        Bound::Steps,
        Bound::Query,
        Bound::Interrupts,
        Bound::Nodes,
        Bound::Terms,
        Bound::Time,
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Branches => "branches",
            Bound::Iterations => "iterations",
            Bound::Calls => "calls",
            Bound::Runs => "runs",
            Bound::Steps => "steps",
            Bound::Query => "query",
            Bound::Interrupts => "interrupts",
            Bound::Nodes => "nodes",
            Bound::Terms => "terms",
            Bound::Time => "time",
        }
    }
}

/// How often each bound was hit.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Hits([u64; Bound::ALL.len()]);

impl Hits {
    /// How often.
    pub fn count(&self, bound: Bound) -> u64 {
        self.0[bound as usize]
    }

    /// Whether no bound was hit.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&n| n == 0)
    }

    /// All bounds with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Bound, u64)> + '_ {
        Bound::ALL.into_iter().map(|b| (b, self.count(b)))
    }

    /// These counts.
    pub fn of(counts: impl IntoIterator<Item = (Bound, u64)>) -> Hits {
        let mut hits = Hits::default();
        counts.into_iter().for_each(|(bound, count)| hits.0[bound as usize] = count);
        hits
    }

    /// Adds the hits of another exploration.
    pub fn add(&mut self, other: &Hits) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, n)| *sum += n);
    }

    /// Resets the count of a bound that the caller set for its own purposes.
    pub fn forget(&mut self, bound: Bound) {
        self.0[bound as usize] = 0;
    }

    /// Counts one more hit.
    pub fn hit(&mut self, bound: Bound) {
        self.0[bound as usize] += 1;
    }
}

/// Options of [`explore`](super::explore).
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The search strategy: which open arm is tried next.
    pub strategy: Strategy,
    /// The bounds.
    pub bounds: Bounds,
    /// Seed of all random choices.
    pub seed: u64,
    /// The inputs of the first run, which the concrete runs mutate.
    pub start: Script,
    /// Inputs of the runs that are made next, instead of random ones: those of an exploration that this one
    /// continues.
    pub seeds: Vec<Script>,
    /// The largest number of concrete runs before the first solver query.
    pub random_runs: u32,
    /// Whether small diamonds in which everything is covered are merged into one state instead of two paths. Not with
    /// [`Keep::All`] or a session.
    pub merge: bool,
    /// Whether arms behind which nothing is uncovered are pruned. Not with [`Keep::All`]; failures at known places,
    /// but under other calls, may be missed.
    pub subsume: bool,
    /// Whether arms come first behind which more unverified checks are expected: checks that were not proved, or
    /// under a premise that does not hold. For programs whose checks carry premises.
    pub unverified_first: bool,
    /// Whether assumptions in the program give up runs on which everything is verified. Then the search does not wait
    /// for runs that reach a goal and return; this changes the order of runs only.
    pub prunes: bool,
    /// After how many consecutive queries that covered nothing the guide is asked, if there is one; 0 for never.
    pub guide_after: u64,
    /// The scope of the coverage goals: in which bodies places are goals.
    pub goals_in: GoalScope,
    /// Goals that the caller has proved unreachable: the search does not wait for them.
    pub ruled_out: FxHashSet<Origin>,
    /// Whether to end when all goals are covered by runs that return or fail.
    pub stop_when_covered: bool,
    /// Whether a goal counts as covered only by runs that meet all preferences, if there are such: other runs cover
    /// it until one is found, which the search goes on to look for.
    pub preferred: bool,
    /// The same for runs in which no check failed before: what a C program does behind undefined behaviour is not the source's to say.
    pub defined: bool,
    /// Which runs become tests.
    pub keep: Keep,
    /// After how many steps a snapshot of a run is taken, from which later runs that decide alike start; `None` for
    /// never. It only changes how long an exploration takes.
    pub snapshots: Option<u64>,
    /// After how many steps a run begins to check whether its state recurs, so that it never ends; with `None` it
    /// goes on to the bound.
    pub repeats: Option<u64>,
    /// Whether tests are replayed by the reference interpreter. If false, nothing is claimed; for measurements only.
    pub replay: bool,
    /// Whether a run that does not end within its bounds becomes a test of what it reached until then. Only for
    /// callers that run tests themselves.
    pub endless: bool,
    /// Whether a run that ends at a false assumption becomes a test, for measurements; such tests cover nothing.
    pub keep_aborted: bool,
    /// Where the log of the exploration is kept, so that another one can continue it.
    pub session: Option<SessionOptions>,
    /// The solver: `z3`, or `cmd:` and a command line.
    pub solver: String,
    /// The folder to which each solver query is written as SMT-LIB.
    pub dump_smt: Option<std::path::PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::Mix,
            bounds: Bounds::default(),
            seed: 0,
            start: Script::default(),
            seeds: Vec::new(),
            random_runs: 1_000,
            merge: false,
            subsume: false,
            unverified_first: false,
            prunes: false,
            guide_after: 0,
            goals_in: GoalScope::Root,
            ruled_out: FxHashSet::default(),
            stop_when_covered: true,
            keep: Keep::New,
            snapshots: Some(STRETCH),
            repeats: Some(nontermination::FIRST),
            replay: true,
            endless: false,
            preferred: false,
            defined: false,
            keep_aborted: false,
            session: None,
            solver: "z3".to_owned(),
            dump_smt: None,
        }
    }
}
