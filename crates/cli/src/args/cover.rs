//! The flags of `footpath cover`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use footpath_cover as cover;
use footpath_driver::boogie;
use footpath_transform::Bounds;

use super::{
    CArgs, CallsArgs, Color, CompilerArgs, DenyTest, Format, Seconds, ShownArgs, TestArgs, at_least_one,
    duration, heading, jobs, seconds, solver,
};

/// Flags of `footpath cover`.
#[derive(Clone, Debug, clap::Args)]
pub struct CoverArgs {
    /// The files: Boogie programs (.bpl), which are read as one program, or C files
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Analyse only the function or procedure of this name; may be given several times
    #[arg(long, visible_alias = "function", value_name = "NAME", help_heading = heading::WHAT)]
    pub procedure: Vec<String>,

    /// What is to be covered
    #[arg(long, value_enum, default_value_t, help_heading = heading::FOR_BOOGIE)]
    pub criterion: Criterion,

    /// How the cover is computed; all algorithms give the same verdicts
    #[arg(long, value_enum, default_value_t, help_heading = heading::FOR_BOOGIE)]
    pub algorithm: Algorithm,

    /// How a procedure becomes a formula; both encodings give the same verdicts
    #[arg(long, value_enum, default_value_t, help_heading = heading::FOR_BOOGIE)]
    pub encoding: Encoding,

    /// About calls
    #[command(flatten)]
    pub calls: CallsArgs,

    /// The most iterations of each loop that are unwound
    #[arg(long, value_name = "K", default_value_t = 4, help_heading = heading::LIMITS)]
    pub unwind: u32,

    /// The most times that a procedure calls itself, directly or through others
    #[arg(long, value_name = "K", default_value_t = 2, help_heading = heading::LIMITS)]
    pub recursion: u32,

    /// Time limit for each procedure, in seconds; what is not decided by then is unknown; 0 for none
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds, help_heading = heading::LIMITS)]
    pub timeout: Seconds,

    /// Time limit for each question to the solver, in seconds; 0 for none
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds, help_heading = heading::LIMITS)]
    pub query_timeout: Seconds,

    /// Time limit for proving, by loop summaries, that what is unreachable within the bound is unreachable without it;
    /// in seconds for each procedure, 0 to prove nothing
    #[arg(long, value_name = "S", default_value = "5", value_parser = duration, help_heading = heading::LIMITS)]
    pub loop_proofs: Duration,

    /// How C is compiled, checked and called
    #[command(flatten)]
    pub c: CArgs,

    /// How results are printed; schema/cover.schema.json describes the JSON for Boogie programs,
    /// schema/test.schema.json that for C files
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub format: Format,

    /// What the text says of C files
    #[command(flatten)]
    pub shown: ShownArgs,

    /// End with exit code 1 if one of these verdicts is found
    #[arg(long, value_name = "VERDICT", value_enum, value_delimiter = ',', help_heading = heading::OUTPUT)]
    pub deny: Vec<Deny>,

    /// Write report.json, report.txt and tests/*.json into this folder; for C files the tests as C, by default into
    /// footpath-out
    #[arg(short, long, value_name = "DIR", help_heading = heading::OUTPUT)]
    pub output: Option<PathBuf>,

    /// The solver: `z3`, or `cmd:` and the command line of any SMT-LIB 2 solver, such as 'cmd:cvc5 --incremental'
    #[arg(long, value_name = "SPEC", default_value = "z3", value_parser = solver, help_heading = heading::FOR_BOOGIE)]
    pub solver: String,

    /// Ask a second solver every question again; an answer on which the two disagree is not used
    #[arg(long, value_name = "SPEC", value_parser = solver, help_heading = heading::FOR_BOOGIE)]
    pub cross_check: Option<String>,

    /// Write each question to the solver into this folder, as SMT-LIB 2
    #[arg(long, value_name = "DIR", help_heading = heading::FOR_BOOGIE)]
    pub dump_smt: Option<PathBuf>,

    /// Write the program after a pass as .bpl, to FILE or the standard output, and cover nothing; the stages are
    /// parsed, prepared, inlined, split, unwound and sliced
    #[arg(long, value_name = "STAGE[=FILE]", value_parser = dump, help_heading = heading::FOR_BOOGIE)]
    pub dump_stage: Option<Dump>,

    /// Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies
    #[arg(long, help_heading = heading::FOR_BOOGIE)]
    pub infer_modifies: bool,

    /// The most blocks of a procedure once calls are inlined and loops unwound; the rest is cut and counts as beyond
    /// the bound
    #[arg(long, value_name = "N", default_value = "20000", value_parser = at_least_one, help_heading = heading::LIMITS)]
    pub max_blocks: usize,

    /// The most tests for each procedure; what is not decided by then is unknown
    #[arg(long, value_name = "N", default_value = "100000", value_parser = at_least_one, help_heading = heading::LIMITS)]
    pub max_tests: usize,

    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = heading::SEARCH)]
    pub seed: u64,

    /// How many concrete runs on random inputs are tried for each procedure before the first question to the solver
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = heading::SEARCH)]
    pub random_runs: u32,

    /// How many functions are analysed at the same time; by default one for each core
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = heading::LIMITS)]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub color: Color,

    /// How C files are compiled
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

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
    /// One question for each block, about the paths to it and nothing else
    #[value(alias = "alone")]
    SingleGoal,
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

/// Verdicts that can be denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Deny {
    /// Code that no execution reaches, shown for all executions or within the bounds
    Infeasible,
    /// Code after which every execution fails or blocks
    Doomed,
    /// Code or an assertion about which nothing was found out
    Unknown,
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

impl CoverArgs {
    /// How far loops and calls are followed.
    pub fn bounds(&self) -> Bounds {
        Bounds { unwind: self.unwind, recursion: self.recursion, max_blocks: self.max_blocks }
    }

    /// The options of the job.
    pub fn job(&self) -> boogie::Options {
        boogie::Options {
            cover: self.options(),
            calls: self.calls.calls.standing(),
            store: None,
            recheck: self.calls.recheck,
            loop_proofs: self.loop_proofs,
        }
    }

    /// The engine's options.
    pub fn options(&self) -> cover::CoverOptions {
        let defaults = cover::CoverOptions::default();
        cover::CoverOptions {
            criterion: match self.criterion {
                Criterion::Statement => cover::Criterion::Statement,
                Criterion::Path => cover::Criterion::Path,
            },
            algorithm: match self.algorithm {
                Algorithm::Auto => cover::Algorithm::Auto,
                Algorithm::Statement => cover::Algorithm::Statement,
                Algorithm::Path => cover::Algorithm::Path,
                Algorithm::WorstCase => cover::Algorithm::WorstCase,
                Algorithm::QueryOptimal => cover::Algorithm::QueryOptimal,
                Algorithm::States => cover::Algorithm::States,
                Algorithm::SingleGoal => cover::Algorithm::Alone,
            },
            encoding: match self.encoding {
                Encoding::Merged => cover::Encoding::Merged,
                Encoding::Paper => cover::Encoding::Paper,
            },
            unwind: self.unwind,
            recursion: self.recursion,
            timeout: self.timeout.0,
            query_timeout: self.query_timeout.0,
            random_runs: self.random_runs,
            seed: self.seed,
            solver: self.solver.clone(),
            cross_check: self.cross_check.clone(),
            dump_smt: self.dump_smt.clone(),
            jobs: self.jobs.map_or(defaults.jobs, usize::from),
            max_blocks: self.max_blocks,
            max_tests: self.max_tests,
            ..defaults
        }
    }

    /// Which flag does not go with C files, if one is given.
    pub fn refused_for_c(&self) -> Option<&'static str> {
        let refused = [
            (self.criterion != Criterion::Statement, "--criterion path"),
            (self.algorithm != Algorithm::Auto, "--algorithm"),
            (self.encoding != Encoding::Merged, "--encoding paper"),
            (self.solver != "z3", "--solver"),
            (self.cross_check.is_some(), "--cross-check"),
            (self.dump_smt.is_some(), "--dump-smt"),
            (self.dump_stage.is_some(), "--dump-stage"),
        ];
        refused.into_iter().find_map(|(given, name)| given.then_some(name))
    }

    /// The flags of `footpath test` that C files are compiled and tested with. What `cover` has no flag for is as it is
    /// there by default.
    pub fn test_args(&self) -> TestArgs {
        let defaults = TestArgs::for_files(self.files.clone());
        let denied = |deny: &Deny| match deny {
            Deny::Infeasible => Some(DenyTest::Infeasible),
            // Of a function of C that is not said: code counts as covered if a run executes it, however that ends.
            Deny::Doomed => None,
            Deny::Unknown => Some(DenyTest::Unknown),
        };
        TestArgs {
            function: self.procedure.clone(),
            timeout: self.timeout,
            jobs: self.jobs,
            unwind: self.unwind,
            calls: self.calls.clone(),
            c: self.c.clone(),
            seed: self.seed,
            format: self.format,
            shown: self.shown,
            output: self.output.clone().unwrap_or_else(|| defaults.output.clone()),
            deny: self.deny.iter().filter_map(denied).collect(),
            color: self.color,
            compiler: self.compiler.clone(),
            ..defaults
        }
    }
}
