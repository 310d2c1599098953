//! All flags, with their documentation: help texts, shell errors and the book's page come from here.

mod c;
mod calls;
mod cover;
mod explore;
mod failures;
mod reach;
mod test;
mod verify;

use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use footpath_bench::rvc;

pub use c::CArgs;
pub use calls::{Calls, CallsArgs};
pub use explore::{ExploreArgs, StandingName};
pub use failures::{EffortName, FailuresArgs};
pub use reach::ReachArgs;
pub use test::{DenyTest, Emit, TestArgs};
pub use verify::{DenyVerify, GuideName, VerifyArgs};

/// Walks every feasible path of a program once: tests for what can be executed, proofs for what cannot
#[derive(Clone, Debug, Parser)]
#[command(
    name = "footpath",
    disable_version_flag = true,
    arg_required_else_help = true,
    subcommand_required = false,
    after_help = "Exit codes: 0 done; 1 a denied verdict was found; 2 bad usage or input; 3 internal error; 130 interrupted."
)]
pub struct Args {
    /// Print the versions of footpath and of its solver
    #[arg(short = 'V', long)]
    pub version: bool,

    /// What to do
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Test C functions: tests that really ran, and proofs for what no test can reach
    ///
    /// The files are compiled with clang. For each function with a body, inputs are found that execute its blocks,
    /// take its branches and make its checks fail; they are written as C, built and run. What is left is proved
    /// to be infeasible or unknown, with the reason. Flags for the compiler stand behind `--`.
    Test(Box<TestArgs>),
    /// Cover every statement, branch and assertion: a test, or a proof that there is none
    ///
    /// For each procedure with a body, every statement, branch and possible failure of an assertion gets a
    /// verdict: covered, with a test that runs through it; infeasible, with the statements that contradict each
    /// other; doomed, where it is reached but every execution then fails or blocks; unknown, with the reason.
    ///
    /// C files are compiled with clang and reported as by `footpath test`; flags for the compiler stand behind `--`.
    Cover(Box<CoverArgs>),
    /// Verify what can be verified, and say what it rests on
    ///
    /// Each check gets a verdict: verified; verified under assumptions, which are listed and have their places in the
    /// annotated program; unverified; or failing whenever it is reached. Loops are taken without any bound, no solver is
    /// asked. Reads C, through clang, and Boogie. Flags for the compiler stand behind `--`.
    Verify(Box<VerifyArgs>),
    /// Explore paths by dynamic symbolic execution, from the entry and as far as the bounds allow
    ///
    /// Procedures of Boogie programs, or functions of C files, are run on concrete inputs; branches that a run could
    /// have taken differently are asked of a solver, whose answers are the inputs of further runs. Tests are kept that
    /// cover something new or fail in a new place. Nothing is proved but what the exploration of all paths shows. Flags
    /// for the C compiler stand behind `--`.
    Explore(Box<ExploreArgs>),
    /// Say under which inputs functions fail
    ///
    /// For each function or procedure with a body, the condition over its inputs under which it fails, in the source's
    /// terms, whether that is exact, a failing test for each disjunct and a passing one. C files are compiled with clang;
    /// flags for the compiler stand behind `--`.
    Failures(Box<FailuresArgs>),
    /// Ask whether single places can be reached, for any number of loop iterations
    ///
    /// For each target: unreachable, with a proof for any number of iterations; reached, with a test that was run; or
    /// unknown, with a condition that every run that gets there implies. Loops are summarised, not unwound.
    Reach(Box<ReachArgs>),
    /// Read, resolve and type-check, and say what is wrong
    Check(CheckArgs),
    /// Print `footpath.h`, with which a C program says what it assumes, asserts and takes as input
    ///
    /// In a normal build all of it compiles to nothing. While Footpath works the header is found without any flag; put a
    /// copy beside your sources for your own builds.
    Header,
    /// Generate the programs of a paper's experiment, run all algorithms on them and compare
    ///
    /// `explore`: each procedure of the programs that are named is explored with every strategy; coverage over time,
    /// queries and speed are compared.
    ///
    /// `rvc`: random programs of 2 to 9 control-flow diamonds, covered by the paper's algorithms, its baselines and
    /// ours. Algorithms that contradict each other are an internal error.
    /// `failures`: the paths that failure conditions cost, against the paper's counts.
    ///
    /// `reach`: seven programs with one place each that is hard to reach or unreachable, and how the time grows.
    ///
    /// `summaries`: programs whose calls go deep or wide, with callees inlined and summarised, and how the time grows.
    ///
    /// `tools`: functions of C files, tested by Footpath and by CBMC under the same limit of time. A line that CBMC covers
    /// and Footpath calls infeasible is told, and ends with code 1.
    Bench(BenchArgs),
}

/// Flags of `footpath cover`.
#[derive(Clone, Debug, clap::Args)]
pub struct CoverArgs {
    /// The files: Boogie programs (.bpl), read as one, or C files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Analyse only the procedure or function of this name; may be given several times
    #[arg(long, visible_alias = "function", value_name = "NAME")]
    pub procedure: Vec<String>,

    /// What is to be covered
    #[arg(long, value_enum, default_value_t)]
    pub criterion: Criterion,

    /// How the cover is computed; all algorithms give the same verdicts
    #[arg(long, value_enum, default_value_t)]
    pub algorithm: Algorithm,

    /// How a procedure becomes a formula; both give the same verdicts
    #[arg(long, value_enum, default_value_t)]
    pub encoding: Encoding,

    /// About calls
    #[command(flatten)]
    pub calls: CallsArgs,

    /// How often each loop iterates at most
    #[arg(long, value_name = "K", default_value_t = 4)]
    pub unwind: u32,

    /// How often a procedure calls itself at most, directly or through others
    #[arg(long, value_name = "K", default_value_t = 2)]
    pub recursion: u32,

    /// Seconds for each procedure, after which what is open is unknown; 0 for no limit
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    pub timeout: Seconds,

    /// Seconds for each question to the solver; 0 for no limit
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    pub query_timeout: Seconds,

    /// Seconds for each procedure to prove, by loop summaries, that what is unreachable within the bound is unreachable;
    /// 0 to leave it at the bound
    #[arg(long, value_name = "S", default_value = "5", value_parser = duration)]
    pub loop_proofs: Duration,

    /// How C is compiled, checked and called
    #[command(flatten)]
    pub c: CArgs,

    /// How results are printed; schema/cover.schema.json describes the JSON of Boogie programs, schema/test.schema.json
    /// that of C files
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,

    /// End with exit code 1 if a verdict of these kinds is found
    #[arg(long, value_name = "VERDICT", value_enum, value_delimiter = ',')]
    pub deny: Vec<Deny>,

    /// Also write report.json, report.txt and tests/*.json into this folder; for C files the tests as C, into footpath-out
    /// by default
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// The solver: z3, or cmd: and the command line of any SMT-LIB 2 solver, such as 'cmd:cvc5 --incremental'
    #[arg(long, value_name = "SPEC", default_value = "z3", value_parser = solver)]
    pub solver: String,

    /// Ask a second solver everything again; where the two disagree, neither is believed
    #[arg(long, value_name = "SPEC", value_parser = solver)]
    pub cross_check: Option<String>,

    /// Write each question to the solver into this folder as SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,

    /// Write the program after a pass as .bpl, to FILE or the standard output, and cover nothing; the stages are parsed,
    /// prepared, inlined, split, unwound and sliced
    #[arg(long, value_name = "STAGE[=FILE]", value_parser = dump)]
    pub dump_stage: Option<Dump>,

    /// Complete modifies clauses that leave globals out, as Boogie does when called with /inferModifies
    #[arg(long)]
    pub infer_modifies: bool,

    /// How many blocks a procedure may have once calls are inlined and loops unwound; what exceeds it is cut
    #[arg(long, value_name = "N", default_value = "20000", value_parser = at_least_one)]
    pub max_blocks: usize,

    /// How many tests are looked for in each procedure; what is open then is unknown
    #[arg(long, value_name = "N", default_value = "100000", value_parser = at_least_one)]
    pub max_tests: usize,

    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// How many concrete runs to try for each procedure before the first question to the solver
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub random_runs: u32,

    /// How many procedures are analysed at a time; by default as many as the machine has cores
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,

    /// Flags for the C compiler
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}

/// Flags of `footpath check`.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckArgs {
    /// The files; several are read as one program. This version reads Boogie 2 (.bpl)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print the program as footpath understood it, as .bpl
    #[arg(long)]
    pub print: bool,

    /// Complete modifies clauses that leave globals out, as Boogie does when called with /inferModifies
    #[arg(long)]
    pub infer_modifies: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,
}

/// Flags of `footpath bench`.
#[derive(Clone, Debug, clap::Args)]
pub struct BenchArgs {
    /// Which experiment
    #[arg(value_enum)]
    pub experiment: Experiment,

    /// For `explore`: Boogie programs and C files, without any the classic subjects; for `guide`: Boogie programs and C
    /// files, each on its own; for `tools`: C files
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// For `guide`: runs of each function in each configuration
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub runs: u64,

    /// The seed of the first program of each size; the others follow
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Write tables, measurements and plots into this folder
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Sizes of the programs: one number, or the first and the last
    #[arg(long, value_name = "N..M", default_value = "2..9", value_parser = sizes)]
    pub diamonds: std::ops::RangeInclusive<u32>,

    /// How many programs of each size
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub per_size: u32,

    /// Seconds for each program and algorithm; 0 for no limit
    #[arg(long, value_name = "S", default_value = "120", value_parser = seconds)]
    pub timeout: Seconds,

    /// Seconds for each program and each published algorithm, if that is less, with `rvc`; 0 for no other limit
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    pub published_timeout: Seconds,

    /// The algorithms, by name; also `default`, `paper` (the four of the paper) and `all`
    #[arg(long, value_name = "LIST", default_value = "default", value_parser = algorithms)]
    pub algorithms: Algorithms,

    /// Also write the programs as .bpl files into this folder
    #[arg(long, value_name = "DIR")]
    pub write_bpl: Option<PathBuf>,

    /// How many programs are measured at a time; more than one disturbs the times
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: std::num::NonZeroUsize,

    /// Threads for each program, with `rvc`
    #[arg(long, value_name = "N", default_value = "1")]
    pub threads: std::num::NonZeroUsize,

    /// For `tools`: iterations of each loop, in CBMC and in Footpath's proofs
    #[arg(long, value_name = "K", default_value_t = 8)]
    pub unwind: u32,

    /// For `tools`: how CBMC is called
    #[arg(long, value_name = "PROGRAM", default_value = "cbmc")]
    pub cbmc: String,

    /// For `guide` and `tools`: flags for the C compiler
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}

/// Experiments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Experiment {
    /// Towards Bounded Infeasible Code Detection (Christ, Hoenicke, Schäf, 2012), section 7
    Rvc,
    /// Strategies of dynamic symbolic execution on Boogie programs and C files: coverage over time; takes FILEs,
    /// --timeout, --seed and --out
    Explore,
    /// Dynamic Program Analysis with Partial Execution and Summary (Feng, 2007): the paths of its examples; of the flags
    /// only --out matters
    Failures,
    /// Abstracting Path Conditions (Strejček, Trtík, ISSTA 2012), section 9; takes --timeout and --out only
    Reach,
    /// Guiding Dynamic Symbolic Execution toward Unverified Program Executions (Christakis, Müller, Wüstholz, ICSE 2016),
    /// section 4.2, on the functions of C files and Boogie programs; takes --timeout, --runs, --seed, --jobs and --out only
    Guide,
    /// Chains and graphs of calls that grow: callees inlined and summarised; takes --timeout and --out only
    Summaries,
    /// What the simplifier of conditions makes of conditions of paths; takes --seed and --out only
    Simplify,
    /// Footpath beside CBMC on the functions of C files; takes FILEs, --timeout (for each function), --unwind, --cbmc,
    /// --seed, --jobs and --out
    Tools,
}

/// The algorithms of an experiment.
#[derive(Clone, Debug)]
pub struct Algorithms(pub Vec<&'static rvc::Configuration>);

/// What is to be covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Criterion {
    /// Every statement and branch, and every assertion's failure
    #[default]
    Statement,
    /// Every complete path within the bounds
    Path,
}

/// How a cover is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Algorithm {
    /// The best known combination for the criterion
    #[default]
    Auto,
    /// The paper's statement cover: enabling clauses
    Statement,
    /// The paper's path cover: blocking clauses
    Path,
    /// One question for each minimal block
    WorstCase,
    /// Each question covers as many blocks as possible
    QueryOptimal,
    /// States are explored path by path, equal ones once
    States,
    /// One question for each block, about the ways to it and nothing else
    Alone,
}

/// How a procedure becomes a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Encoding {
    /// A graph of shared terms, merged where control flow joins
    #[default]
    Merged,
    /// The paper's: two variables for each block
    Paper,
}

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs; schema/cover.schema.json describes it
    Json,
}

/// Verdicts that can be denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Deny {
    /// Code that no execution reaches, shown for all executions or within the bounds
    Infeasible,
    /// Code after which every execution fails or blocks
    Doomed,
    /// Code or an assertion of which nothing could be found out
    Unknown,
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

/// What `--dump-stage` asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dump {
    /// After which pass.
    pub stage: DumpStage,
    /// Where to; `None` for the standard output.
    pub file: Option<PathBuf>,
}

/// Stages of the pipeline, as it is described in `footpath-transform`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DumpStage {
    /// As the front end made it
    Parsed,
    /// Contracts, where-clauses and assertions are control flow
    Prepared,
    /// Calls are replaced by bodies or contracts
    Inlined,
    /// No edge leads from a choice to a join
    Split,
    /// Loops are unwound
    Unwound,
    /// What does not matter is gone; this is what is encoded
    Sliced,
}

fn dump(text: &str) -> Result<Dump, String> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let stage = DumpStage::from_str(name, false).map_err(|_| {
        let stages = DumpStage::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = stages.map(|stage| stage.get_name().to_owned()).collect();
        format!("expected one of {}, and perhaps = and a file", names.join(", "))
    })?;
    if file.as_ref().is_some_and(|file| file.as_os_str().is_empty()) {
        return Err("no file is named after the =".to_owned());
    }
    Ok(Dump { stage, file })
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "expected a number that is at least 1".to_owned())
}

/// More diamonds than this are more blocks than a procedure may have.
const MAX_DIAMONDS: u32 = 2000;

fn sizes(text: &str) -> Result<std::ops::RangeInclusive<u32>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.trim_start_matches('=').parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last && last <= MAX_DIAMONDS => Ok(first..=last),
        _ => Err(format!("expected numbers from 1 to {MAX_DIAMONDS}, such as 2..9 or 40")),
    }
}

fn algorithms(text: &str) -> Result<Algorithms, String> {
    rvc::select(text).map(Algorithms)
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

impl BenchArgs {
    /// What to measure.
    pub fn plan(&self) -> rvc::Plan {
        rvc::Plan {
            seed: self.seed,
            diamonds: self.diamonds.clone(),
            per_size: self.per_size,
            timeout: self.timeout.0,
            published_timeout: self.published_timeout.0,
            algorithms: self.algorithms.0.clone(),
            jobs: self.jobs.get(),
            threads: self.threads.get(),
        }
    }
}

#[cfg(test)]
mod tests {
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
