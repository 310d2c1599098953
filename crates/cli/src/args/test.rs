//! Flags of `footpath test`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use footpath_driver::{FileFlags, Options, Wanted};

use super::{Args, CArgs, CallsArgs, Color, Command, Format, GuideName, Seconds, seconds};

/// Flags of `footpath test`.
#[derive(Clone, Debug, clap::Args)]
pub struct TestArgs {
    /// The C files; with --compile-commands, those of its files that are wanted
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Test only the function of this name; may be given several times
    #[arg(long, value_name = "NAME")]
    pub function: Vec<String>,

    /// Test the whole program from this function, which is called as the system calls `main`; variables have their
    /// initial values, and what `__VERIFIER_nondet_*` and other functions without a body return is input
    #[arg(long, value_name = "NAME", conflicts_with = "function")]
    pub entry: Option<String>,

    /// How many arguments of the command line there are at most, with --entry
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub arguments: u32,

    /// Seconds for each function, or with --entry for all together, after which what is open is unknown; 0 for no limit
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    pub timeout: Seconds,

    /// Seconds for all functions together, after which no other is begun; 0 for no limit
    #[arg(long, value_name = "S", default_value = "0", value_parser = seconds)]
    pub total_timeout: Seconds,

    /// How many functions are analysed at a time; by default as many as the machine has cores
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// How often each loop iterates at most, in proofs
    #[arg(long, value_name = "K", default_value_t = 4)]
    pub unwind: u32,

    /// About calls, in proofs
    #[command(flatten)]
    pub calls: CallsArgs,

    /// How C is compiled, checked and called
    #[command(flatten)]
    pub c: CArgs,

    /// Verify first, with assumptions, and let what was proved guide the search for tests; by default may-must for
    /// functions of which something is said to be verified, none for others
    #[arg(long, value_enum)]
    pub guide: Option<GuideName>,

    /// Also say of each function that fails under which inputs it does; seconds for each
    #[arg(long, value_name = "S", num_args = 0..=1, default_missing_value = "10", require_equals = true, value_parser = seconds)]
    pub fails_when: Option<Seconds>,

    /// Run functions that have no source, but are in a library given behind --, to see what they give, so that tests call
    /// them instead of stubs; of these NAMEs, or all that take and give numbers only. Nothing but tests rests on that
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["guide", "fails_when"]
    )]
    pub sample: Option<Vec<String>>,

    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// How results are printed; schema/test.schema.json describes the JSON
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,

    /// What is written into the folder
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', default_value = "c")]
    pub emit: Vec<Emit>,

    /// The folder that tests and reports are written to
    #[arg(short, long, value_name = "DIR", default_value = "footpath-out")]
    pub output: PathBuf,

    /// End with exit code 1 if a verdict of these kinds is found
    #[arg(long, value_name = "VERDICT", value_enum, value_delimiter = ',')]
    pub deny: Vec<DenyTest>,

    /// Leave out findings that this file has; what it says of functions that have changed since silences nothing
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write all findings of this run into a file for --baseline
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,

    /// Take files and their flags from this file, which build systems write as compile_commands.json
    #[arg(long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,

    /// Flags for the compiler
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}

/// Kinds of files that are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Emit {
    /// The tests as C, with a Makefile and a CMakeLists.txt
    C,
    /// report.json, as --format json prints it
    Json,
    /// report.html, a page for a browser
    Html,
    /// report.sarif, for code scanning
    Sarif,
    /// report.info, for coverage viewers
    Lcov,
    /// test-suite/metadata.xml and testcase-N.xml, as Test-Comp takes them; with --entry
    Testcomp,
}

/// Verdicts that can be denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DenyTest {
    /// Code that no input executes, shown for all inputs or within bounds
    Infeasible,
    /// Checks that a test makes fail
    Failing,
    /// Code or a check of which nothing could be found out
    Unknown,
}

impl TestArgs {
    /// Files, and what is the default for everything else.
    pub fn for_files(files: Vec<PathBuf>) -> TestArgs {
        let defaults = Args::try_parse_from(["footpath", "test", "FILE"]).ok().and_then(|a| a.command);
        let Some(Command::Test(defaults)) = defaults else { unreachable!("a file is all that is required") };
        TestArgs { files, ..*defaults }
    }

    /// Which functions without a source are to be run.
    fn wanted_samples(&self) -> Option<Wanted> {
        let names = self.sample.as_ref()?;
        let all = names.iter().any(String::is_empty);
        Some(if all { Wanted::All } else { Wanted::Named(names.iter().cloned().collect()) })
    }

    /// The conductor's options, for these files; tests go to `out`.
    pub fn options(&self, files: Vec<FileFlags>, out: PathBuf) -> Options {
        let mut lowering = self.c.lowering();
        lowering.harness.arguments = self.arguments;
        Options {
            files: files.iter().map(|f| f.file.clone()).collect(),
            flags: Vec::new(),
            file_flags: files,
            clang: self.c.clang.clone(),
            functions: self.function.clone(),
            entry: self.entry.clone(),
            // A century is as good as no limit.
            timeout: self.timeout.0.unwrap_or(Duration::from_secs(3_000_000_000)),
            total: self.total_timeout.0,
            jobs: self
                .jobs
                .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from),
            out,
            lowering,
            unwind: self.unwind,
            calls: self.calls.calls.standing(),
            store: self.calls.folder(),
            seed: self.seed,
            sample: self.wanted_samples(),
            exploration: None,
            guide: self.guide.map(GuideName::guide),
            fails_when: self.fails_when.map(|s| s.0.unwrap_or(Duration::from_secs(3_000_000_000))),
        }
    }
}
