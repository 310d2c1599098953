//! Options of an exploration, its bounds, and how often each bound was hit.
//!
//! A bound weakens what can be claimed, never what was found: an exploration that hit one is not exhaustive.

use std::time::Duration;

use footpath_ir::interp::Script;
use footpath_ir::{Origin, ProcId};
use rustc_hash::FxHashSet;

use super::nontermination;
use super::session::SessionOptions;
use super::snapshot::STRETCH;

/// Which open arm is tried next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// The others in turn, those that look for uncovered code more often.
    #[default]
    Mix,
    /// The deepest arm of the latest run.
    Dfs,
    /// The arm nearest to the root.
    Bfs,
    /// A walk from the root that takes each way on with equal chance.
    RandomPath,
    /// The arms of the run that covered most (SAGE).
    Generational,
    /// The arm nearest to an uncovered goal, by the control flow graph.
    Coverage,
    /// An arm of the run that came nearest to a branch's other arm, by the values that are compared (Fitnex).
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

/// In which bodies the places are goals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum GoalScope {
    /// The body that runs start in.
    #[default]
    Root,
    /// All bodies of these procedures, as far as runs can get there.
    Procedures(Vec<ProcId>),
    /// All bodies that runs can get to.
    All,
    /// Nothing but these places, wherever they are.
    Places(Vec<Origin>),
}

/// Which runs become tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// Those that cover a goal first, or are the first to return from it, or fail in a new place.
    #[default]
    New,
    /// One for each path, and for each way in which preferences on it are met.
    All,
}

/// How far an exploration goes.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds {
    /// Decisions that are recorded on one path; a run goes on behind them, but is not branched off there.
    pub branches: usize,
    /// Calls that may be open at once.
    pub calls: usize,
    /// Runs, those of the concrete phase and interrupted ones apart.
    pub runs: u64,
    /// Statements and jumps of one run.
    pub steps: u64,
    /// Time for a question; one that takes longer comes again later, with [`Bounds::patience`] times as much.
    pub query: Option<Duration>,
    /// How much more time a question gets when it comes again.
    pub patience: u32,
    /// How often a question comes again.
    pub retries: u8,
    /// Runs that are interrupted because they do not meet a preference; with more, preferences have no effect.
    pub interrupts: u64,
    /// Nodes of the tree of decisions.
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
    pub const ALL: [Bound; 9] = [
        Bound::Branches,
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

    /// Adds the hits of another exploration.
    pub fn add(&mut self, other: &Hits) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, n)| *sum += n);
    }

    /// Takes back all hits of a bound that somebody set for reasons of their own.
    pub fn forget(&mut self, bound: Bound) {
        self.0[bound as usize] = 0;
    }

    /// Counts a hit more.
    pub fn hit(&mut self, bound: Bound) {
        self.0[bound as usize] += 1;
    }
}

/// Options of [`explore`](super::explore).
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Which open arm is tried next.
    pub strategy: Strategy,
    /// How far to go.
    pub bounds: Bounds,
    /// Seed of all random choices.
    pub seed: u64,
    /// The inputs of the first run, from which the concrete ones vary.
    pub start: Script,
    /// Inputs of runs that are made next, in place of drawn ones: those of an exploration that this one goes on from.
    pub seeds: Vec<Script>,
    /// Concrete runs before the first question, at most.
    pub random_runs: u32,
    /// Whether short diamonds in which everything is covered are one state instead of two paths. Not with [`Keep::All`]
    /// or a session.
    pub merge: bool,
    /// Whether arms are left out behind which nothing is uncovered. Not with [`Keep::All`]; failures in places that are
    /// known, but with other open calls, may be missed.
    pub subsume: bool,
    /// Whether arms come first behind which more checks may be met that were not proved under a premise that holds. For
    /// programs that say of checks what they were proved under.
    pub unverified_first: bool,
    /// Whether assumptions in the program give up runs that are of no use. Then nobody waits for runs that come by a
    /// goal and end as they should; it changes the order of runs only.
    pub prunes: bool,
    /// After how many questions in a row that covered nothing the guide is asked, if there is one; 0 for never.
    pub guide_after: u64,
    /// In which bodies the places are goals.
    pub goals_in: GoalScope,
    /// Those among them that nothing leads to, as the caller knows: nobody waits for them.
    pub ruled_out: FxHashSet<Origin>,
    /// Whether to end when all goals are covered by runs that return or fail.
    pub stop_when_covered: bool,
    /// Whether a goal counts as covered only by runs that meet all preferences, if there are such: others cover it until one
    /// is found, which is looked for.
    pub preferred: bool,
    /// Which runs become tests.
    pub keep: Keep,
    /// After how many steps the state of a run is kept, for later ones that decide alike to begin with; never without it.
    /// It changes how long an exploration takes, nothing else.
    pub snapshots: Option<u64>,
    /// After how many steps a run begins to look whether it repeats itself, and so has no end; it goes on to the bound without
    /// it.
    pub repeats: Option<u64>,
    /// Whether tests are replayed by the reference interpreter. Without it nothing is claimed; for measurements only.
    pub replay: bool,
    /// Whether a run that does not end within its bounds becomes a test of what it reached until then. Only for those
    /// who run tests themselves.
    pub endless: bool,
    /// Whether a run that ends at a false assumption becomes a test, for measurements; such tests cover nothing.
    pub keep_aborted: bool,
    /// Where the exploration is kept, so that another one can go on with it.
    pub session: Option<SessionOptions>,
    /// The solver: `z3`, or `cmd:` and a command line.
    pub solver: String,
    /// Where to write each question as SMT-LIB.
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
            keep_aborted: false,
            session: None,
            solver: "z3".to_owned(),
            dump_smt: None,
        }
    }
}
