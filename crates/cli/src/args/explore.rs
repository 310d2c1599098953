//! Flags of `footpath explore`.

use std::path::PathBuf;

use clap::ValueEnum;
use footpath_concolic::{Bounds, Keep, Options, SessionOptions, Strategy};

use super::{
    CArgs, Calls, CallsArgs, Color, CompilerArgs, Emit, Format, GuideName, Seconds, ShownArgs, TestArgs,
    at_least_one, heading, jobs, seconds, solver,
};

/// Flags of `footpath explore`.
#[derive(Clone, Debug, clap::Args)]
pub struct ExploreArgs {
    /// The files: Boogie programs (.bpl), which are read as one program, or C files
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Explore only the function or procedure of this name; may be given several times
    #[arg(long, visible_alias = "procedure", value_name = "NAME", help_heading = heading::WHAT)]
    pub function: Vec<String>,

    /// Explore the whole C program from this function, called as the system calls `main`
    #[arg(long, value_name = "NAME", conflicts_with = "function", help_heading = heading::WHAT)]
    pub entry: Option<String>,

    /// Verify first, under assumptions, and let what was proved guide the exploration; by default may-must where the
    /// program says that something is verified, otherwise none
    #[arg(long, value_enum, help_heading = heading::SEARCH)]
    pub guide: Option<GuideName>,

    /// What stands for a call: the callee's body, or the condition under which it fails
    #[arg(long, value_enum, default_value_t, conflicts_with_all = ["save", "resume"], help_heading = heading::CALLS)]
    pub calls: StandingName,

    /// Which open branch is tried next
    #[arg(long, value_enum, default_value_t, help_heading = heading::SEARCH)]
    pub strategy: StrategyName,

    /// Which runs become tests
    #[arg(long, value_enum, default_value_t, help_heading = heading::SEARCH)]
    pub keep: KeepName,

    /// Merge the two sides of a short branch into one path where everything on both is covered; everything reachable is
    /// still found, but not every path is run
    #[arg(long, conflicts_with_all = ["save", "resume"], help_heading = heading::SEARCH)]
    pub merge: bool,

    /// Ask loop summaries about uncovered code after N questions in a row that covered nothing new: they may prove it
    /// unreachable, propose inputs, or say which branches cannot lead there; 0 for never
    #[arg(long, value_name = "N", default_value_t = 200, alias = "loops-after", help_heading = heading::SEARCH)]
    pub loop_summaries_after: u64,

    /// Leave out branches behind which nothing is uncovered; not with --keep all
    #[arg(long, help_heading = heading::SEARCH)]
    pub subsume: bool,

    /// Whether a run starts from a stored state of an earlier run with the same decisions; this changes only the time
    /// that an exploration takes
    #[arg(long, value_enum, default_value_t, help_heading = heading::SEARCH)]
    pub snapshots: Switch,

    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = heading::SEARCH)]
    pub seed: u64,

    /// Stop when everything is covered, although paths are left
    #[arg(long, help_heading = heading::SEARCH)]
    pub until_covered: bool,

    /// The most runs on random inputs before the first question to the solver
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = heading::SEARCH)]
    pub random_runs: u32,

    /// Time limit for each function or procedure, in seconds; 0 for none
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds, help_heading = heading::LIMITS)]
    pub timeout: Seconds,

    /// Time limit for each question to the solver, in seconds; 0 for none
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds, help_heading = heading::LIMITS)]
    pub query_timeout: Seconds,

    /// How often a question that ran out of time is asked again
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = heading::LIMITS)]
    pub retries: u8,

    /// By what factor the time limit of a question grows when it is asked again
    #[arg(long, value_name = "N", default_value_t = 4, alias = "patience", help_heading = heading::LIMITS)]
    pub retry_factor: u32,

    /// The most branches on one path that depend on inputs; later ones are followed, but not negated
    #[arg(long, value_name = "N", default_value = "10000", value_parser = at_least_one, help_heading = heading::LIMITS)]
    pub max_branches: usize,

    /// The most times that a path returns to the head of a loop before it leaves it; with --keep all this is path coverage within a
    /// bound. Runs that go further are followed, but not varied [default: any number]
    #[arg(long, value_name = "N", help_heading = heading::LIMITS)]
    pub max_iterations: Option<u32>,

    /// The most calls that are open at the same time
    #[arg(long, value_name = "N", default_value = "500", value_parser = at_least_one, help_heading = heading::LIMITS)]
    pub max_calls: usize,

    /// The most symbolic runs
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = heading::LIMITS)]
    pub max_runs: u64,

    /// The most statements and jumps in one run
    #[arg(long, value_name = "N", default_value_t = 2_000_000, help_heading = heading::LIMITS)]
    pub max_steps: u64,

    /// The most runs that `tryfirst` may interrupt; beyond that it has no effect
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = heading::LIMITS)]
    pub max_interrupts: u64,

    /// The most nodes of the execution tree
    #[arg(long, value_name = "N", default_value = "4000000", value_parser = at_least_one, help_heading = heading::LIMITS)]
    pub max_nodes: usize,

    /// The most symbolic terms that are built
    #[arg(long, value_name = "N", default_value = "8000000", value_parser = at_least_one, help_heading = heading::LIMITS)]
    pub max_terms: usize,

    /// Keep the exploration in this folder, so that --resume can continue it, even if this process is killed
    #[arg(long, value_name = "DIR", conflicts_with = "resume", help_heading = heading::OUTPUT)]
    pub save: Option<PathBuf>,

    /// Continue the exploration that --save keeps in this folder, and keep it there
    #[arg(long, value_name = "DIR", help_heading = heading::OUTPUT)]
    pub resume: Option<PathBuf>,

    /// The solver: `z3`, or `cmd:` and the command line of any SMT-LIB 2 solver, such as 'cmd:cvc5 --incremental'
    #[arg(long, value_name = "SOLVER", default_value = "z3", value_parser = solver, help_heading = heading::SOLVER)]
    pub solver: String,

    /// Write each question to the solver into this folder, as SMT-LIB 2
    #[arg(long, value_name = "DIR", help_heading = heading::SOLVER)]
    pub dump_smt: Option<PathBuf>,

    /// What other tools found, as SARIF. A check that they say is proved is looked at like any other: a test refutes the claim, and
    /// where nothing is found out, the check is told to hold if the claim is right; may be given several times
    #[arg(long, value_name = "FILE", help_heading = heading::WHAT)]
    pub results: Vec<PathBuf>,

    /// Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies
    #[arg(long, help_heading = heading::FOR_BOOGIE)]
    pub infer_modifies: bool,

    /// How C is compiled, checked and called
    #[command(flatten)]
    pub c: CArgs,

    /// How many C functions are explored at the same time; by default one for each core
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = heading::LIMITS)]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// How results are printed; schema/cover.schema.json describes the JSON for Boogie programs,
    /// schema/test.schema.json that for C files
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub format: Format,

    /// What the text says of C files
    #[command(flatten)]
    pub shown: ShownArgs,

    /// What is written into the folder, for C files
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', default_value = "c", help_heading = heading::OUTPUT)]
    pub emit: Vec<Emit>,

    /// The folder for tests and reports; for C files footpath-out by default
    #[arg(short, long, value_name = "DIR", help_heading = heading::OUTPUT)]
    pub output: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub color: Color,

    /// How C files are compiled
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

/// What stands for calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum StandingName {
    /// The bodies of all callees
    #[default]
    Inline,
    /// The condition under which each callee fails, and what it does otherwise, where both are known exactly; the bodies
    /// of the others. The inputs that are found are run through the bodies
    Conditions,
}

/// Strategies by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum StrategyName {
    /// The other strategies in turn, those that look for uncovered code more often
    #[default]
    Mix,
    /// The deepest branch of the latest run
    Dfs,
    /// The branch nearest to the entry
    Bfs,
    /// A random walk from the entry, with equal chances at each branch
    RandomPath,
    /// All branches of the run that covered most
    Generational,
    /// The branch nearest to uncovered code
    Coverage,
    /// A branch of the run that came nearest to uncovered code, by branch distance
    Fitness,
}

/// Whether to do something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Switch {
    /// Do so
    #[default]
    On,
    /// Do not do so
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
            iterations: self.max_iterations,
            calls: self.max_calls,
            runs: self.max_runs,
            steps: self.max_steps,
            query: self.query_timeout.0,
            patience: self.retry_factor,
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
            guide_after: self.loop_summaries_after,
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
            entry: self.entry.iter().cloned().collect(),
            timeout: self.timeout,
            jobs: self.jobs,
            c: self.c.clone(),
            guide: self.guide,
            results: self.results.clone(),
            calls: CallsArgs::of(match self.calls {
                StandingName::Inline => Calls::Inline,
                StandingName::Conditions => Calls::Conditions,
            }),
            seed: self.seed,
            format: self.format,
            shown: self.shown,
            emit: self.emit.clone(),
            output: self.output.clone().unwrap_or_else(|| defaults.output.clone()),
            color: self.color,
            compiler: self.compiler.clone(),
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
        let defaults = Options { stop_when_covered: false, guide_after: 200, ..Options::default() };
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
        assert_eq!(
            (args.compiler.cflags, args.output),
            (vec!["-O0".to_owned()], PathBuf::from("footpath-out"))
        );
    }
}
