//! Flags of `footpath test`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use footpath_conductor::{FileFlags, Options};
use footpath_frontend::c;
use footpath_ir::AssertKind;

use super::{Color, Format, Seconds, seconds};

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

    /// How many functions are analysed at a time; by default as many as the machine has cores
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// How often each loop goes round at most, in proofs
    #[arg(long, value_name = "K", default_value_t = 4)]
    pub unwind: u32,

    /// How many elements an array behind a pointer has at most, in tests
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub array_length: u32,

    /// How many pointers are followed from a parameter or variable, in tests
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub depth: u32,

    /// Make no test in which a pointer that the function gets is null
    #[arg(long)]
    pub no_null: bool,

    /// What is checked: a list, all or none; the kinds are null, bounds, use_after_free, free, division, overflow,
    /// shift, unreachable, uninitialised, assert and abort; without this flag all but uninitialised
    #[arg(long, value_name = "LIST", value_parser = checks)]
    pub check: Option<Checks>,

    /// The compiler; without this flag the newest clang there is
    #[arg(long, value_name = "PROGRAM")]
    pub clang: Option<String>,

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

/// What is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checks(pub BTreeSet<AssertKind>);

/// The kinds of checks that can be chosen.
const CHOICES: &[AssertKind] = &[
    AssertKind::Null,
    AssertKind::Bounds,
    AssertKind::UseAfterFree,
    AssertKind::Free,
    AssertKind::Division,
    AssertKind::Overflow,
    AssertKind::Shift,
    AssertKind::Unreachable,
    AssertKind::Uninitialised,
    AssertKind::Assert,
    AssertKind::Abort,
];

pub(super) fn checks(text: &str) -> Result<Checks, String> {
    // That a program ends by `exit` is no fault, but has to be known.
    let mut chosen = BTreeSet::from([AssertKind::Exit]);
    for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let name = word.replace('-', "_");
        match (name.as_str(), CHOICES.iter().find(|k| k.name() == name)) {
            ("all", _) => chosen.extend(CHOICES),
            ("none", _) => {}
            (_, Some(&kind)) => {
                chosen.insert(kind);
            }
            (_, None) => {
                let names: Vec<&str> = CHOICES.iter().map(|k| k.name()).collect();
                return Err(format!("`{word}` is not one of all, none, {}", names.join(", ")));
            }
        }
    }
    Ok(Checks(chosen))
}

impl TestArgs {
    /// The conductor's options, for these files; tests go to `out`.
    pub fn options(&self, files: Vec<FileFlags>, out: PathBuf) -> Options {
        let mut lowering = c::Options::default();
        if let Some(Checks(chosen)) = &self.check {
            lowering.checks.clone_from(chosen);
        }
        lowering.harness.array_length = self.array_length;
        lowering.harness.depth = self.depth;
        lowering.harness.arguments = self.arguments;
        lowering.harness.nullable = !self.no_null;
        Options {
            files: files.iter().map(|f| f.file.clone()).collect(),
            flags: Vec::new(),
            file_flags: files,
            clang: self.clang.clone(),
            functions: self.function.clone(),
            entry: self.entry.clone(),
            // A century is as good as no limit.
            timeout: self.timeout.0.unwrap_or(Duration::from_secs(3_000_000_000)),
            jobs: self
                .jobs
                .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from),
            out,
            lowering,
            unwind: self.unwind,
            seed: self.seed,
            exploration: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_a_list_and_misspelt_ones_are_told_the_legal_ones() {
        let of = |text: &str| checks(text).expect("legal").0;
        assert_eq!(of("none"), BTreeSet::from([AssertKind::Exit]));
        assert!(of("null,use-after-free").contains(&AssertKind::UseAfterFree));
        assert!(of("all").contains(&AssertKind::Uninitialised));
        assert!(checks("nul").expect_err("not a kind").contains("null, bounds"));
    }
}
