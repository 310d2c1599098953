//! The flags of `footpath bench`.

use std::path::PathBuf;

use clap::ValueEnum;
use footpath_bench::rvc;

use super::{Seconds, jobs, seconds};

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
    #[arg(long, value_name = "N", default_value = "1", value_parser = jobs)]
    pub jobs: std::num::NonZeroUsize,

    /// Threads for each program, with `rvc`
    #[arg(long, value_name = "N", default_value = "1", value_parser = jobs)]
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
