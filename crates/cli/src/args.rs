//! All flags, with their documentation: help texts, shell errors and the book's page come from here.

mod bench;
mod c;
mod calls;
mod check;
mod compiler;
mod cover;
mod examples;
mod explore;
mod failures;
mod heading;
mod merge;
mod reach;
mod shown;
mod store;
mod test;
mod verify;

use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

pub use bench::{BenchArgs, Experiment};
pub use c::CArgs;
pub use calls::{Calls, CallsArgs};
pub use check::CheckArgs;
pub use compiler::CompilerArgs;
pub use cover::{Algorithm, CoverArgs, Criterion, Deny, Dump, DumpStage, Encoding};
pub use explore::{ExploreArgs, StandingName};
pub use failures::{EffortName, FailuresArgs};
pub use merge::{EmitMerged, MergeArgs};
pub use reach::ReachArgs;
pub use shown::ShownArgs;
pub use store::{StoreAction, StoreAddress, StoreArgs};
pub use test::{DenyTest, Emit, TestArgs};
pub use verify::{DenyVerify, GuideName, VerifyArgs};

/// Walks every feasible path of a program once: tests for what can be executed, proofs for what cannot
#[derive(Clone, Debug, Parser)]
#[command(
    name = "footpath",
    disable_version_flag = true,
    arg_required_else_help = true,
    subcommand_required = false,
    after_help = examples::ROOT
)]
pub struct Args {
    /// Print the versions of footpath and of its solver
    #[arg(short = 'V', long)]
    pub version: bool,

    /// Leave out footpath.toml, from which flags are taken that are not typed
    #[arg(long, global = true, help_heading = heading::CONFIGURATION)]
    pub no_config: bool,

    /// Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is
    /// reported, and the exit code is 2; 0 for none [default: three quarters of the machine's memory]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size, help_heading = heading::CONFIGURATION)]
    pub memory: Option<u64>,

    /// What to do
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Test C functions: tests that really ran, and proofs for what no test can reach
    ///
    /// Clang compiles the files. For each function with a body, Footpath looks for inputs that execute its blocks, take its
    /// branches and make its checks fail; it writes them as C, builds them and runs them. For the rest it looks for a proof;
    /// what is neither covered nor proved infeasible is unknown, with the reason.
    #[command(after_help = examples::TEST)]
    Test(Box<TestArgs>),
    /// Make one report of those of all parts of a run, of `footpath test --shard K/N` or `--unit FILE`
    ///
    /// What one run over all functions would have said: as text, as JSON, as a page, for code scanning and for coverage
    /// viewers, with the exit codes of `footpath test`. What the tests of one shard show of functions of another one counts. It is
    /// run in the folder in which the shards were run, or in one with the same sources. Each shard has its tests in a folder of its own.
    #[command(after_help = examples::MERGE)]
    Merge(MergeArgs),
    /// Cover every statement, branch and assertion: a test, or a proof that there is none
    ///
    /// For each procedure with a body, every statement, branch and possible failure of an assertion gets a
    /// verdict: covered, with a test that runs through it; infeasible, with the statements that contradict each
    /// other; doomed, if it is reached but every execution then fails or blocks; or unknown, with the reason.
    ///
    /// C files are compiled with clang and reported as by `footpath test`.
    #[command(after_help = examples::COVER)]
    Cover(Box<CoverArgs>),
    /// Verify checks for all inputs, and list the assumptions that the proofs need
    ///
    /// Each check gets a verdict: verified; verified under assumptions, which are listed and have their places in the
    /// annotated program; unverified; or failing whenever it is reached. Loops have no bound. Abstract interpretation proves
    /// most of it, and a solver what is left.
    #[command(after_help = examples::VERIFY)]
    Verify(Box<VerifyArgs>),
    /// Explore paths by dynamic symbolic execution, from the entry and as far as the bounds allow
    ///
    /// Procedures of Boogie programs, or functions of C files, are run on concrete inputs. A solver is asked for inputs with
    /// which a run takes a branch differently, and these are run next. Runs that cover something new, or fail in a new place,
    /// become tests. Nothing is proved infeasible unless all paths were explored.
    #[command(after_help = examples::EXPLORE)]
    Explore(Box<ExploreArgs>),
    /// Say under which inputs functions fail
    ///
    /// For each function or procedure with a body: the condition over its inputs under which it fails, in the source's
    /// terms; whether that is exact, necessary or sufficient; a failing test for each disjunct, and a passing one.
    #[command(after_help = examples::FAILURES)]
    Failures(Box<FailuresArgs>),
    /// Say whether single places can be reached, with any number of loop iterations
    ///
    /// For each target: unreachable, with a proof for any number of iterations; reached, with a test that was run; or
    /// unknown, with a necessary condition, which holds in every run that gets there. Loops are summarised, not unwound.
    #[command(after_help = examples::REACH)]
    Reach(Box<ReachArgs>),
    /// Read and type-check files, and say what is wrong with them
    ///
    /// Nothing is analysed. C files are compiled with clang and translated as for all other commands.
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Print `footpath.h`, with which a C program says what it assumes, asserts and takes as input
    ///
    /// In a normal build all of it compiles to nothing. Footpath's own compilations find the header without any flag; other
    /// builds need a copy beside the sources.
    #[command(after_help = examples::HEADER)]
    Header,
    /// Write `footpath.toml`, in which a project has its flags, with all of them as comments
    ///
    /// Every command looks for the file in the working folder and the folders above it. Keys are the long flags, in a table for
    /// each command; what is typed wins.
    #[command(after_help = examples::INIT)]
    Init,
    /// Say how large a store is, remove what nobody uses, or look whether it is whole
    ///
    /// A store (`--store`, or `.footpath`) has files that are written once. Other processes may use it meanwhile: what they miss they
    /// find again.
    #[command(after_help = examples::STORE)]
    Store(StoreArgs),
    /// Measure: run an experiment, most of them from papers, and compare algorithms
    ///
    /// `explore`: each procedure of the programs that are named is explored with every strategy; coverage over time,
    /// queries and speed are compared.
    ///
    /// `rvc`: random programs of 2 to 9 control-flow diamonds, covered by the paper's algorithms, its baselines and
    /// Footpath's. Algorithms that contradict each other are an internal error.
    ///
    /// `failures`: the paths that failure conditions cost, against the paper's counts.
    ///
    /// `reach`: seven programs with one place each that is hard to reach or unreachable, and how the time grows.
    ///
    /// `summaries`: programs whose calls go deep or wide, with callees inlined and summarised, and how the time grows.
    ///
    /// `tools`: functions of C files, tested by Footpath and by CBMC under the same time limit. A line that CBMC covers
    /// and Footpath calls infeasible is printed, and the exit code is 1.
    #[command(after_help = examples::BENCH)]
    Bench(BenchArgs),
}

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs, in the format that the schema describes
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A limit on time; `None` for no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seconds(pub Option<Duration>);

fn seconds(text: &str) -> Result<Seconds, String> {
    let number: f64 =
        text.parse().map_err(|_| "expected a number of seconds, such as 10 or 0.5".to_owned())?;
    let limit = Duration::try_from_secs_f64(number)
        .map_err(|_| "expected a number of seconds that is not negative and not absurd".to_owned())?;
    Ok(Seconds((!limit.is_zero()).then_some(limit)))
}

fn duration(text: &str) -> Result<Duration, String> {
    seconds(text).map(|Seconds(limit)| limit.unwrap_or(Duration::ZERO))
}

/// A number of bytes, such as `500M` or `4G`.
fn size(text: &str) -> Result<u64, String> {
    let upper = text.to_ascii_uppercase();
    let unit = |(suffix, shift): (char, u32)| upper.strip_suffix(suffix).map(|number| (number, shift));
    let (number, shift) = [('K', 10), ('M', 20), ('G', 30)].into_iter().find_map(unit).unwrap_or((&upper, 0));
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected a number of bytes, such as 500M or 4G".to_owned())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "expected a number that is at least 1".to_owned())
}

fn jobs(text: &str) -> Result<std::num::NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a number that is at least 1".to_owned())
}

/// How much is done at once where nothing else is asked for: as much as there are processors, and memory for.
pub fn usual_jobs() -> usize {
    /// What one job is counted as, in bytes.
    const JOB: u64 = 1 << 30;
    let fit = crate::supervision::machine_memory().map_or(usize::MAX, |all| (all / JOB) as usize);
    std::thread::available_parallelism().map_or(1, usize::from).min(fit).max(1)
}

fn solver(text: &str) -> Result<String, String> {
    match text.strip_prefix("cmd:") {
        None if text == "z3" => Ok(text.to_owned()),
        Some(command) if !command.trim().is_empty() => Ok(text.to_owned()),
        _ => Err("expected z3, or cmd: followed by a command line".to_owned()),
    }
}

impl Args {
    /// Checks what clap cannot: flags that contradict each other.
    pub fn validated(self) -> Result<Args, clap::Error> {
        if self.command.is_none() && !self.version {
            return Err(Args::command().error(ErrorKind::MissingSubcommand, "a command is missing"));
        }
        let wants_programs = match &self.command {
            Some(Command::Test(test)) => test.emit.contains(&Emit::Testcomp) && test.entry.is_empty(),
            Some(Command::Explore(explore)) => {
                explore.emit.contains(&Emit::Testcomp) && explore.entry.is_none()
            }
            _ => false,
        };
        if wants_programs {
            return Err(Args::command().error(
                ErrorKind::MissingRequiredArgument,
                "--emit testcomp needs --entry: such tests are inputs of a whole program",
            ));
        }
        if let Some(Command::Test(test)) = &self.command
            && test.emit.contains(&Emit::Exclusions)
            && test.coverage_from.is_none()
        {
            return Err(Args::command().error(
                ErrorKind::MissingRequiredArgument,
                "--emit exclusions needs --coverage-from: it lists lines that the report calls missed",
            ));
        }
        if let Some(Command::Test(test)) = &self.command
            && let Some((value, flag)) = test.stray_value()
        {
            let message =
                format!("there is no file `{value}`; if it belongs to {flag}, write {flag}={value}");
            return Err(Args::command().error(ErrorKind::ValueValidation, message));
        }
        if let Some(Command::Cover(cover)) = &self.command {
            let fits_path = matches!(cover.algorithm, Algorithm::Auto | Algorithm::Path);
            if cover.criterion == Criterion::Path && !fits_path {
                return Err(Args::command().error(
                    ErrorKind::ArgumentConflict,
                    "--criterion path needs --algorithm auto or path: the others cover statements",
                ));
            }
            let fits_calls = cover.criterion == Criterion::Statement && cover.encoding == Encoding::Merged;
            if cover.calls.calls != Calls::Inline && !fits_calls {
                return Err(Args::command().error(
                    ErrorKind::ArgumentConflict,
                    "--calls other than inline needs --criterion statement and --encoding merged",
                ));
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use footpath_bench::rvc;

    use super::*;

    fn cover_args(args: &[&str]) -> Result<CoverArgs, clap::Error> {
        let args = ["footpath", "cover", "a.bpl"].iter().chain(args);
        match Args::try_parse_from(args).and_then(Args::validated)?.command {
            Some(Command::Cover(cover)) => Ok(*cover),
            other => panic!("not a cover: {other:?}"),
        }
    }

    #[test]
    fn the_flags_are_well_formed() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_command_has_two_examples_that_are_legal() {
        let root = Args::command();
        for command in std::iter::once(&root).chain(root.get_subcommands()) {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("  footpath ")).collect();
            assert_eq!(lines.len(), 2, "{}: {text}", command.get_name());
            for line in lines {
                let line = line.split(['>', '|']).next().unwrap_or_default();
                let words = shlex::split(line).expect("no open quotes");
                let parsed = Args::try_parse_from(&words).and_then(Args::validated);
                assert!(parsed.is_ok(), "{line}: {:?}", parsed.err());
            }
        }
    }

    #[test]
    fn flags_stand_under_headings_and_old_names_are_understood() {
        let root = Args::command();
        for command in root.get_subcommands().filter(|c| !["bench", "header", "init"].contains(&c.get_name()))
        {
            let bare =
                command.get_arguments().filter(|a| a.get_long().is_some() && a.get_help_heading().is_none());
            let bare: Vec<&str> = bare.filter_map(|a| a.get_long()).collect();
            assert!(bare.is_empty(), "{}: {bare:?}", command.get_name());
        }
        for (line, new) in [
            ("test a.c --no-sharing --depth 2 --sample=f", "no_aliasing: true"),
            ("test a.c --depth 7", "pointer_depth: 7"),
            ("test a.c --sample=sqrt", "run_externals: Some([\"sqrt\"])"),
            ("explore a.c --patience 9", "retry_factor: 9"),
            ("explore a.c --loops-after 9", "loop_summaries_after: 9"),
            ("failures a.c --rounds 9", "iterations: 9"),
            ("verify a.c --rounds 9 --solver-seconds 0", "iterations: 9"),
            ("verify a.c --solver-seconds 0", "solver_timeout: Seconds(None)"),
            ("cover a.bpl --algorithm alone", "algorithm: SingleGoal"),
        ] {
            let parsed = Args::try_parse_from(["footpath"].into_iter().chain(line.split(' ')));
            let parsed = format!("{:?}", parsed.map(|args| args.command));
            assert!(parsed.contains(new), "{line}: {parsed}");
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_engine() {
        let ours = cover_args(&[]).expect("defaults are legal").options();
        assert_eq!(format!("{ours:?}"), format!("{:?}", footpath_cover::CoverOptions::default()));
    }

    #[test]
    fn zero_seconds_mean_no_limit() {
        assert_eq!(cover_args(&["--timeout", "0"]).expect("legal").timeout, Seconds(None));
        let half = Seconds(Some(Duration::from_millis(500)));
        assert_eq!(cover_args(&["--query-timeout", "0.5"]).expect("legal").query_timeout, half);
        for bad in ["-1", "nan", "1e300", "soon"] {
            assert!(cover_args(&[&format!("--timeout={bad}")]).is_err(), "{bad} is no time");
        }
    }

    #[test]
    fn stages_are_dumped_to_a_file_or_not() {
        let dump = |text: &str| cover_args(&["--dump-stage", text]).map(|args| args.dump_stage);
        let inlined = |file: Option<&str>| Dump { stage: DumpStage::Inlined, file: file.map(PathBuf::from) };
        assert_eq!(dump("inlined").expect("legal"), Some(inlined(None)));
        assert_eq!(dump("inlined=a=b.bpl").expect("legal"), Some(inlined(Some("a=b.bpl"))));
        assert!(dump("inlined=").is_err());
        let message = dump("bogus").expect_err("no stage").to_string();
        let help = Args::command().find_subcommand_mut("cover").expect("a command").render_help().to_string();
        for stage in DumpStage::value_variants() {
            let name = stage.to_possible_value().expect("a name").get_name().to_owned();
            assert!(message.contains(&name), "{name}: {message}");
            assert!(help.contains(&name), "{name} is not in the help");
        }
    }

    #[test]
    fn only_path_algorithms_cover_paths() {
        assert!(cover_args(&["--criterion", "path"]).is_ok());
        assert!(cover_args(&["--criterion", "path", "--algorithm", "path"]).is_ok());
        assert!(cover_args(&["--criterion", "path", "--algorithm", "worst-case"]).is_err());
    }

    #[test]
    fn the_experiment_of_the_paper_is_the_default_and_sizes_are_checked() {
        let bench = |args: &[&str]| {
            let args = ["footpath", "bench", "rvc"].iter().chain(args);
            Args::try_parse_from(args).map(|a| match a.command {
                Some(Command::Bench(bench)) => bench.plan(),
                other => panic!("not a benchmark: {other:?}"),
            })
        };
        assert_eq!(format!("{:?}", bench(&[]).expect("legal")), format!("{:?}", rvc::Plan::default()));
        assert_eq!(bench(&["--diamonds", "2..200"]).expect("legal").diamonds, 2..=200);
        assert_eq!(bench(&["--diamonds", "40"]).expect("legal").diamonds, 40..=40);
        for bad in ["9..2", "0", "2..", "many", "2..100000"] {
            assert!(bench(&["--diamonds", bad]).is_err(), "{bad} is no range");
        }
        assert!(bench(&["--algorithms", "fastest"]).is_err());
    }

    #[test]
    fn denied_verdicts_are_a_list_and_unknown_words_are_told_the_legal_ones() {
        let deny = cover_args(&["--deny", "infeasible,unknown"]).expect("legal").deny;
        assert_eq!(deny, [Deny::Infeasible, Deny::Unknown]);
        let message = cover_args(&["--deny", "infeasible,bogus"]).expect_err("not a verdict").to_string();
        assert!(message.contains("[possible values: infeasible, doomed, unknown]"), "{message}");
    }
}
