//! Flags of `footpath test`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use footpath_concolic as concolic;
use footpath_concolic::Keep;
use footpath_driver::{Costs, Criterion, Framework, Options, Selection, Shard, Wanted};

use super::{
    Args, CArgs, CallsArgs, Color, Command, CompilerArgs, Format, GuideName, Seconds, ShownArgs, heading,
    jobs, seconds, usual_jobs,
};

/// Flags of `footpath test`.
#[derive(Clone, Debug, clap::Args)]
pub struct TestArgs {
    /// The C files; with --compile-commands, those of its files that are wanted
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Test only the function of this name; may be given several times
    #[arg(long, value_name = "NAME", help_heading = heading::WHAT)]
    pub function: Vec<String>,

    /// Look only for what this coverage report calls missed: lcov's tracefile, JSON of gcovr, gcov or `llvm-cov export`, or
    /// Cobertura's XML. Functions without a missed line are left out, and so is what stands on lines that were executed
    #[arg(long, value_name = "FILE", help_heading = heading::WHAT)]
    pub coverage_from: Option<PathBuf>,

    /// Only functions with lines that changed since this commit of the git repository, and those that call them, directly or
    /// not; files that git does not track are new
    #[arg(long, value_name = "REF", help_heading = heading::WHAT)]
    pub since: Option<String>,

    /// The same for the lines that a unified diff changes, which the files already have
    #[arg(long, value_name = "FILE", conflicts_with = "since", help_heading = heading::WHAT)]
    pub diff: Option<PathBuf>,

    /// Do the K-th of N parts of the functions, which go to parts by their files and names. `footpath merge` makes one report of
    /// those of all parts, for which each of them needs --emit json or --format json
    #[arg(long, value_name = "K/N", conflicts_with_all = ["entry", "run_externals", "criterion"], help_heading = heading::WHAT)]
    pub shard: Option<Shard>,

    /// Give parts of --shard the same work, by what functions cost in this JSON report of an earlier run; all parts need the
    /// same report
    #[arg(long, value_name = "REPORT", help_heading = heading::WHAT)]
    pub balance_by: Option<PathBuf>,

    /// Do only the functions in this list, as one part of a run over all: a file as `--list --format json` prints it.
    /// `footpath merge` makes one report of those of parts that have each function at least once
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shard", "entry", "run_externals", "criterion", "watch"], help_heading = heading::WHAT)]
    pub unit: Option<PathBuf>,

    /// Print the functions that would be tested, with their places and how many blocks they have, and test none
    #[arg(long, conflicts_with = "watch", help_heading = heading::WHAT)]
    pub list: bool,

    /// With `main` or a function that takes nothing, test the whole program from there, called as the system calls `main`: global
    /// variables have their initial values, and what `__VERIFIER_nondet_*` and other external functions return is input. With other
    /// or several names, the ways into a library: only these are called, with any arguments, and what they reach counts in all
    /// functions; `public` are all functions that are not `static`
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "function", help_heading = heading::WHAT)]
    pub entry: Vec<String>,

    /// The most command-line arguments of the program, with --entry
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=16), help_heading = heading::WHAT)]
    pub arguments: u32,

    /// What is to be covered besides checks: blocks and arms of branches; each condition of a Boolean expression true and
    /// false; or each deciding the outcome alone (MC/DC, masking form). With conditions nothing is taken from the store. With
    /// `path` each path has a test, and nothing is proved but that there is no further one
    #[arg(long, value_enum, default_value_t, help_heading = heading::WHAT)]
    pub criterion: CriterionName,

    /// Go on after the run: run again whenever one of the files or of their headers changes, until Ctrl-C, which ends it with
    /// the exit code of the last run. Functions that did not change are taken from the store
    #[arg(long, conflicts_with = "shard", help_heading = heading::WHAT)]
    pub watch: bool,

    /// Time limit for each function, in seconds, or with --entry for the program or each way into a library; what is not decided by then is
    /// unknown; 0 for none
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds, help_heading = heading::LIMITS)]
    pub timeout: Seconds,

    /// Time limit for all functions together, in seconds; functions that were not begun by then are left out; 0 for
    /// none
    #[arg(long, value_name = "S", default_value = "0", value_parser = seconds, help_heading = heading::LIMITS)]
    pub total_timeout: Seconds,

    /// How many functions are analysed at the same time; by default one for each core
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = heading::LIMITS)]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// The most iterations of each loop that are unwound, in proofs, and on paths with --criterion path
    #[arg(long, value_name = "K", default_value_t = 4, help_heading = heading::LIMITS)]
    pub unwind: u32,

    /// About calls, in proofs
    #[command(flatten)]
    pub calls: CallsArgs,

    /// How C is compiled, checked and called
    #[command(flatten)]
    pub c: CArgs,

    /// What other tools found, as SARIF. A check that they say is proved is looked at like any other: a test refutes the claim, and
    /// where nothing is found out, the check is told to hold if the claim is right; may be given several times
    #[arg(long, value_name = "FILE", help_heading = heading::WHAT)]
    pub results: Vec<PathBuf>,

    /// Verify first, under assumptions, and let what was proved guide the search for tests; by default may-must for
    /// functions with code that the program says is verified, otherwise none
    #[arg(long, value_enum, help_heading = heading::SEARCH)]
    pub guide: Option<GuideName>,

    /// Also print, for each function that fails, the condition over its inputs under which it does; within S seconds
    /// each, 10 without a number
    #[arg(long, value_name = "S", num_args = 0..=1, default_missing_value = "10", require_equals = true, value_parser = seconds, help_heading = heading::OUTPUT)]
    pub fails_when: Option<Seconds>,

    /// Run external functions from a library that is given behind `--` to learn their results, so that tests call them
    /// instead of stubs: those of these names, or all whose parameters and results are numbers. Only tests depend on
    /// the results, never proofs
    #[arg(
        long,
        alias = "sample",
        value_name = "NAME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["guide", "fails_when"],
        help_heading = heading::SEARCH
    )]
    pub run_externals: Option<Vec<String>>,

    /// Run each function with loops that a short search does not cover up to N times for each second of `--timeout`, compiled
    /// and on changing inputs, before the search goes on with what reached new code (greybox fuzzing); 0 for none
    #[arg(long, value_name = "N", default_value_t = footpath_driver::FUZZ_RUNS, help_heading = heading::SEARCH)]
    pub fuzz_runs: u64,

    /// Begin with what other tools found: a file, or a folder of them. A file is a test case of KLEE (`.ktest`), or the bytes of a
    /// corpus of libFuzzer or AFL++: what a buffer holds, or all inputs one after the other. With FUNCTION= they are for one
    /// function, otherwise for each; may be given several times. Nothing is taken from the store then
    #[arg(long, value_name = "[FUNCTION=]PATH", help_heading = heading::SEARCH)]
    pub seeds: Vec<String>,

    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = heading::SEARCH)]
    pub seed: u64,

    /// How results are printed; schema/test.schema.json describes the JSON
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub format: Format,

    /// What the text says
    #[command(flatten)]
    pub shown: ShownArgs,

    /// What is written into the folder
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', default_value = "c", help_heading = heading::OUTPUT)]
    pub emit: Vec<Emit>,

    /// The framework that the tests are written for
    #[arg(long, value_name = "NAME", value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub framework: FrameworkName,

    /// The folder for tests and reports
    #[arg(short, long, value_name = "DIR", default_value = "footpath-out", help_heading = heading::OUTPUT)]
    pub output: PathBuf,

    /// End with exit code 1 if one of these verdicts is found
    #[arg(long, value_name = "VERDICT", value_enum, value_delimiter = ',', help_heading = heading::OUTPUT)]
    pub deny: Vec<DenyTest>,

    /// Leave out the findings in this file; those on lines that have changed since are shown again
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub baseline: Option<PathBuf>,

    /// Write all findings of this run into a file for --baseline
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub write_baseline: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub color: Color,

    /// How C files are compiled
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

/// Kinds of files that are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Emit {
    /// The tests as C, with a Makefile and a CMakeLists.txt
    C,
    /// report.json, as `--format json` prints it
    Json,
    /// report.html, a page for a browser
    Html,
    /// report.sarif, for code scanning
    Sarif,
    /// report.md, for a comment on a change
    Markdown,
    /// report.info, for coverage viewers; with --coverage-from that report and what the tests add
    Lcov,
    /// exclusions.txt, the lines that no input executes, with markers for coverage tools; with --coverage-from
    Exclusions,
    /// fuzz_FUNCTION.c, a harness for libFuzzer, fuzz_FUNCTION_corpus/ with its tests, and fuzz.mk, which builds them
    Fuzz,
    /// ktest_FUNCTION/, the tests as KLEE has test cases
    Ktest,
    /// test-suite/metadata.xml and testcase-N.xml, as Test-Comp takes them; with --entry
    Testcomp,
}

/// Test frameworks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum FrameworkName {
    /// None: each suite is a program that runs itself
    #[default]
    Plain,
    /// GoogleTest
    Googletest,
    /// Unity, by ThrowTheSwitch
    Unity,
    /// cmocka
    Cmocka,
    /// Check
    Check,
}

impl FrameworkName {
    /// The framework of this name.
    pub fn framework(self) -> Framework {
        match self {
            FrameworkName::Plain => Framework::Plain,
            FrameworkName::Googletest => Framework::Googletest,
            FrameworkName::Unity => Framework::Unity,
            FrameworkName::Cmocka => Framework::Cmocka,
            FrameworkName::Check => Framework::Check,
        }
    }
}

/// Coverage criteria.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum CriterionName {
    /// Blocks and the arms of branches
    #[default]
    Branch,
    /// These, and each condition true and false
    Condition,
    /// These, and each condition deciding its decision alone
    Mcdc,
    /// Paths that return to the head of a loop at most as often as --unwind says, each with a test
    Path,
}

impl CriterionName {
    fn criterion(self) -> Criterion {
        match self {
            CriterionName::Branch | CriterionName::Path => Criterion::Branch,
            CriterionName::Condition => Criterion::Condition,
            CriterionName::Mcdc => Criterion::Mcdc,
        }
    }
}

/// Verdicts that can be denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DenyTest {
    /// Code that no input executes, shown for all inputs or within bounds
    Infeasible,
    /// Checks that a test makes fail
    Failing,
    /// Code or a check about which nothing was found out
    Unknown,
}

impl TestArgs {
    /// The exploration that covers paths, if these are to be covered.
    pub fn exploration(&self) -> Option<concolic::Options> {
        let bounds = concolic::Bounds {
            iterations: Some(self.unwind),
            time: self.timeout.0,
            ..concolic::Bounds::default()
        };
        let options = concolic::Options {
            bounds,
            keep: Keep::All,
            seed: self.seed,
            stop_when_covered: false,
            ..concolic::Options::default()
        };
        (self.criterion == CriterionName::Path).then_some(options)
    }

    /// Files, and what is the default for everything else.
    pub fn for_files(files: Vec<PathBuf>) -> TestArgs {
        let defaults = Args::try_parse_from(["footpath", "test", "FILE"]).ok().and_then(|a| a.command);
        let Some(Command::Test(defaults)) = defaults else { unreachable!("a file is all that is required") };
        TestArgs { files, ..*defaults }
    }

    /// A word that is no file and looks like the value of a flag that takes its value behind `=` only, and that flag.
    pub fn stray_value(&self) -> Option<(String, &'static str)> {
        let is_number = |word: &str| word.parse::<f64>().is_ok();
        let is_name = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let words = self.files.iter().filter(|file| !file.exists()).filter_map(|file| file.to_str());
        words.into_iter().find_map(|word| match () {
            () if self.fails_when.is_some() && is_number(word) => Some((word.to_owned(), "--fails-when")),
            () if self.run_externals.is_some() && is_name(word) => Some((word.to_owned(), "--run-externals")),
            () => None,
        })
    }

    /// Which functions without a source are to be run.
    fn wanted_samples(&self) -> Option<Wanted> {
        let names = self.run_externals.as_ref()?;
        let all = names.iter().any(String::is_empty);
        Some(if all { Wanted::All } else { Wanted::Named(names.iter().cloned().collect()) })
    }

    /// The conductor's options, without the files; tests go to `out`.
    pub fn options(&self, out: PathBuf) -> Options {
        let mut lowering = self.c.lowering();
        lowering.harness.arguments = self.arguments;
        Options {
            files: Vec::new(),
            callee_files: Vec::new(),
            flags: Vec::new(),
            file_flags: Vec::new(),
            clang: None,
            functions: self.function.clone(),
            selection: Selection::default(),
            criterion: self.criterion.criterion(),
            shard: self.shard,
            unit: None,
            costs: Costs::new(),
            entry: self.entry.clone(),
            prefers_main: false,
            // A century is as good as no limit.
            timeout: self.timeout.0.unwrap_or(Duration::from_secs(3_000_000_000)),
            total: self.total_timeout.0,
            jobs: self.jobs.map_or_else(usual_jobs, usize::from),
            out,
            framework: self.framework.framework(),
            lowering,
            unwind: self.unwind,
            calls: self.calls.calls.standing(),
            store: None,
            recheck: self.calls.recheck,
            seed: self.seed,
            fuzz_runs: self.fuzz_runs,
            seeds: Vec::new(),
            emits_corpora: self.emit.iter().any(|emit| matches!(emit, Emit::Fuzz | Emit::Ktest)),
            sample: self.wanted_samples(),
            strict: self.shown.strict,
            exploration: None,
            guide: self.guide.map(GuideName::guide),
            fails_when: self.fails_when.map(|s| s.0.unwrap_or(Duration::from_secs(3_000_000_000))),
        }
    }
}
