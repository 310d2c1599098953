//! Flags of `footpath explore`.

use std::path::PathBuf;

use clap::ValueEnum;
use footpath_concolic::{Bounds, Keep, Options, SessionOptions, Strategy};

use super::{
    CArgs, Calls, CallsArgs, Color, Emit, Format, GuideName, Seconds, TestArgs, at_least_one, seconds, solver,
};

/// Flags of `footpath explore`.
#[derive(Clone, Debug, clap::Args)]
pub struct ExploreArgs {
    /// The files: Boogie programs (.bpl), read as one, or C files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Explore only the function or procedure of this name; may be given several times
    #[arg(long, visible_alias = "procedure", value_name = "NAME")]
    pub function: Vec<String>,

    /// Explore the whole C program from this function, which is called as the system calls `main`
    #[arg(long, value_name = "NAME", conflicts_with = "function")]
    pub entry: Option<String>,

    /// Verify first, with assumptions, and let what was proved guide the exploration; by default may-must where
    /// something is said to be verified, none otherwise
    #[arg(long, value_enum)]
    pub guide: Option<GuideName>,

    /// What stands for calls: the callee's body, or the condition under which it fails
    #[arg(long, value_enum, default_value_t, conflicts_with_all = ["save", "resume"])]
    pub calls: StandingName,

    /// Which open branch is tried next
    #[arg(long, value_enum, default_value_t)]
    pub strategy: StrategyName,

    /// Which runs become tests
    #[arg(long, value_enum, default_value_t)]
    pub keep: KeepName,

    /// Follow both arms of short branches at once where everything in them is covered; what can be reached is found all
    /// the same, but no longer every path
    #[arg(long, conflicts_with_all = ["save", "resume"])]
    pub merge: bool,

    /// Ask loop summaries about what is still uncovered after N questions in a row that covered nothing: they may prove it
    /// unreachable, propose inputs, or say what cannot lead there; 0 for never
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub loops_after: u64,

    /// Leave out branches behind which nothing is uncovered; not with --keep all
    #[arg(long)]
    pub subsume: bool,

    /// Whether runs begin with the state of an earlier run that decided alike, where that saves enough; it changes how long
    /// an exploration takes, nothing else
    #[arg(long, value_enum, default_value_t)]
    pub snapshots: Switch,

    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Stop when everything is covered, with paths left
    #[arg(long)]
    pub until_covered: bool,

    /// Runs on drawn inputs before the first question to the solver, at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub random_runs: u32,

    /// Seconds for each function or procedure; 0 for no limit
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    pub timeout: Seconds,

    /// Seconds for one question to the solver; 0 for no limit
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    pub query_timeout: Seconds,

    /// How often a question that took too long comes again
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub retries: u8,

    /// How many times as long a question may take when it comes again
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub patience: u32,

    /// Branches that depend on inputs, on one path; further ones are run, but not explored
    #[arg(long, value_name = "N", default_value = "10000", value_parser = at_least_one)]
    pub max_branches: usize,

    /// Calls that are open at once
    #[arg(long, value_name = "N", default_value = "500", value_parser = at_least_one)]
    pub max_calls: usize,

    /// Runs in which values are followed as terms
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub max_runs: u64,

    /// Statements and jumps of one run
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub max_steps: u64,

    /// Runs that are interrupted by `tryfirst`; with more it has no effect
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub max_interrupts: u64,

    /// Nodes of the tree of branches
    #[arg(long, value_name = "N", default_value = "4000000", value_parser = at_least_one)]
    pub max_nodes: usize,

    /// Terms that are built
    #[arg(long, value_name = "N", default_value = "8000000", value_parser = at_least_one)]
    pub max_terms: usize,

    /// Keep the exploration in this folder, so that --resume can go on with it, even if this process is killed
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub save: Option<PathBuf>,

    /// Go on with the exploration that is kept in this folder, and keep it there
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,

    /// The solver: `z3`, or `cmd:` and the command line of one that reads SMT-LIB
    #[arg(long, value_name = "SOLVER", default_value = "z3", value_parser = solver)]
    pub solver: String,

    /// Write each question to the solver as SMT-LIB into this folder
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,

    /// Complete modifies clauses of Boogie programs that leave globals out
    #[arg(long)]
    pub infer_modifies: bool,

    /// How C is compiled, checked and called
    #[command(flatten)]
    pub c: CArgs,

    /// How many C functions are explored at a time; by default as many as the machine has cores
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// How results are printed; schema/cover.schema.json describes the JSON of Boogie programs, schema/test.schema.json
    /// that of C files
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,

    /// What is written into the folder, for C
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', default_value = "c")]
    pub emit: Vec<Emit>,

    /// The folder that tests and reports are written to; for C files footpath-out by default
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,

    /// Flags for the C compiler
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}

/// What stands for calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum StandingName {
    /// The bodies of all callees
    #[default]
    Inline,
    /// The condition under which each callee fails, and what it does otherwise, where both are known exactly; the bodies of
    /// others. The inputs that are found are run through the bodies
    Conditions,
}

/// Strategies by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum StrategyName {
    /// The others in turn, those that look for uncovered code more often
    #[default]
    Mix,
    /// The deepest branch of the latest run
    Dfs,
    /// The branch nearest to the entry
    Bfs,
    /// A walk from the entry that takes each way with equal chance
    RandomPath,
    /// All branches of the run that covered most
    Generational,
    /// The branch nearest to uncovered code
    Coverage,
    /// A branch of the run that came nearest to code that no run reached, by the values that are compared
    Fitness,
}

/// Whether to do something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Switch {
    /// Do
    #[default]
    On,
    /// Do not
    Off,
}

/// Which runs become tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum KeepName {
    /// Those that cover something first, or fail in a new place
    #[default]
    New,
    /// One for each path
    All,
}

impl ExploreArgs {
    /// How far to go.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            branches: self.max_branches,
            calls: self.max_calls,
            runs: self.max_runs,
            steps: self.max_steps,
            query: self.query_timeout.0,
            patience: self.patience,
            retries: self.retries,
            interrupts: self.max_interrupts,
            nodes: self.max_nodes,
            terms: self.max_terms,
            time: self.timeout.0,
        }
    }

    /// The engine's options.
    pub fn options(&self) -> Options {
        Options {
            strategy: match self.strategy {
                StrategyName::Mix => Strategy::Mix,
                StrategyName::Dfs => Strategy::Dfs,
                StrategyName::Bfs => Strategy::Bfs,
                StrategyName::RandomPath => Strategy::RandomPath,
                StrategyName::Generational => Strategy::Generational,
                StrategyName::Coverage => Strategy::Coverage,
                StrategyName::Fitness => Strategy::Fitness,
            },
            bounds: self.bounds(),
            seed: self.seed,
            random_runs: self.random_runs,
            merge: self.merge,
            snapshots: Options::default().snapshots.filter(|_| self.snapshots == Switch::On),
            subsume: self.subsume,
            guide_after: self.loops_after,
            stop_when_covered: self.until_covered,
            keep: match self.keep {
                KeepName::New => Keep::New,
                KeepName::All => Keep::All,
            },
            session: self
                .resume
                .as_ref()
                .or(self.save.as_ref())
                .map(|folder| SessionOptions { folder: folder.clone(), resume: self.resume.is_some() }),
            solver: self.solver.clone(),
            dump_smt: self.dump_smt.clone(),
            ..Options::default()
        }
    }

    /// The flags of `footpath test` that C files are compiled and tested with. What `explore` has no flag for is as it
    /// is there by default.
    pub fn test_args(&self) -> TestArgs {
        let defaults = TestArgs::for_files(self.files.clone());
        TestArgs {
            function: self.function.clone(),
            entry: self.entry.clone(),
            timeout: self.timeout,
            jobs: self.jobs,
            c: self.c.clone(),
            guide: self.guide,
            calls: CallsArgs::of(match self.calls {
                StandingName::Inline => Calls::Inline,
                StandingName::Conditions => Calls::Conditions,
            }),
            seed: self.seed,
            format: self.format,
            emit: self.emit.clone(),
            output: self.output.clone().unwrap_or_else(|| defaults.output.clone()),
            color: self.color,
            cflags: self.cflags.clone(),
            ..defaults
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::{Args, Command};
    use super::*;

    fn args(args: &[&str]) -> ExploreArgs {
        let all = ["footpath", "explore", "a.bpl"].iter().chain(args);
        match Args::try_parse_from(all).map(|a| a.command) {
            Ok(Some(Command::Explore(explore))) => *explore,
            other => panic!("not an exploration: {other:?}"),
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_engine() {
        let defaults = Options { stop_when_covered: false, ..Options::default() };
        assert_eq!(args(&[]).options(), defaults);
    }

    #[test]
    fn every_strategy_has_its_name() {
        for strategy in Strategy::ALL {
            assert_eq!(args(&["--strategy", strategy.name()]).options().strategy, strategy);
        }
    }

    #[test]
    fn c_files_are_tested_as_by_default() {
        let args = args(&["--function", "f", "--no-null", "--", "-O0"]).test_args();
        assert_eq!((args.function, args.c.no_null, args.unwind), (vec!["f".to_owned()], true, 4));
        assert_eq!((args.cflags, args.output), (vec!["-O0".to_owned()], PathBuf::from("footpath-out")));
    }
}
