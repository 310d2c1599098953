//! Flags of `footpath reach`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::ValueEnum;
use footpath_ir::AssertKind;

use super::{Color, CompilerArgs, Format, Seconds, heading, seconds, solver};

/// Flags of `footpath reach`.
#[derive(Clone, Debug, clap::Args)]
pub struct ReachArgs {
    /// The files: Boogie programs (.bpl), which are read as one program, or C files
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The place that is asked about: FILE:LINE, FILE:LINE:COLUMN, a label, or the name of a function; for an external
    /// C function, each of its calls. May be given several times
    #[arg(long, required = true, value_name = "PLACE", help_heading = heading::WHAT)]
    pub target: Vec<String>,

    /// The function or procedure in which runs start. By default, runs to a line start in the one that contains it. If any
    /// target is a name, all runs start in main if there is one; else runs to a name start in the functions that nothing
    /// calls. Global variables of a C program have their initial values if it is main, and any values otherwise
    #[arg(long, alias = "procedure", value_name = "NAME", help_heading = heading::WHAT)]
    pub function: Option<String>,

    /// Time limit for each target, in seconds; a target that is not decided by then is unknown; 0 for none
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds, help_heading = heading::LIMITS)]
    pub timeout: Seconds,

    /// The most iterations of a loop that are unfolded; the others are described by a summary
    #[arg(long, value_name = "K", default_value_t = 200, help_heading = heading::LIMITS)]
    pub max_unfold: u64,

    /// The most times that a procedure calls itself before its calls are cut
    #[arg(long, value_name = "K", default_value_t = 1, help_heading = heading::LIMITS)]
    pub recursion: u32,

    /// How results are printed; schema/reach.schema.json describes the JSON
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub format: Format,

    /// Show the necessary condition also of targets that were decided
    #[arg(long, help_heading = heading::OUTPUT)]
    pub show_condition: bool,

    /// Write the backbone tree of the target into this file: the ways to it, and the loops on them, in the source's terms; as a
    /// drawing if the name ends in `.svg`. Of several targets, the others' files have their numbers
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub dump_tree: Option<PathBuf>,

    /// End with exit code 1 if one of these verdicts is found
    #[arg(long, value_name = "VERDICT", value_enum, value_delimiter = ',', help_heading = heading::OUTPUT)]
    pub deny: Vec<DenyReach>,

    /// The solver: `z3`, or `cmd:` and the command line of any SMT-LIB 2 solver, such as 'cmd:cvc5 --incremental'
    #[arg(long, value_name = "SPEC", default_value = "z3", value_parser = solver, help_heading = heading::SOLVER)]
    pub solver: String,

    /// Ask a second solver every question again; an answer on which the two disagree is not used
    #[arg(long, value_name = "SPEC", value_parser = solver, help_heading = heading::SOLVER)]
    pub cross_check: Option<String>,

    /// Write each question to the solver into this folder, as SMT-LIB 2, necessary conditions among them
    #[arg(long, value_name = "DIR", help_heading = heading::SOLVER)]
    pub dump_smt: Option<PathBuf>,

    /// Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies
    #[arg(long, help_heading = heading::FOR_BOOGIE)]
    pub infer_modifies: bool,

    /// The most elements that an array behind a pointer has, in tests
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096), help_heading = heading::FOR_C)]
    pub array_length: u32,

    /// The folder for tests of C functions
    #[arg(short, long, value_name = "DIR", default_value = "footpath-out", help_heading = heading::OUTPUT)]
    pub output: PathBuf,

    /// When to use colours
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub color: Color,

    /// How C files are compiled
    #[command(flatten)]
    pub compiler: CompilerArgs,
}

/// Verdicts that can be denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DenyReach {
    /// No run reaches a target
    Unreachable,
    /// A test reaches a target
    Reached,
    /// Nothing was found out about a target
    Unknown,
}

impl DenyReach {
    /// The verdict's stable name.
    pub fn name(self) -> &'static str {
        match self {
            DenyReach::Unreachable => "unreachable",
            DenyReach::Reached => "reached",
            DenyReach::Unknown => "unknown",
        }
    }
}

impl ReachArgs {
    /// The engine's options.
    pub fn limits(&self) -> footpath_loop_summaries::Options {
        footpath_loop_summaries::Options {
            timeout: self.timeout.0,
            solver: self.solver.clone(),
            cross_check: self.cross_check.clone(),
            dump_smt: self.dump_smt.clone(),
            recursion: self.recursion,
            max_unfold: self.max_unfold,
            tree: self.dump_tree.is_some(),
            ..footpath_loop_summaries::Options::default()
        }
    }

    /// Whether any target is a name, which is looked for in the program, not in one function.
    pub fn asks_about_program(&self) -> bool {
        self.target.iter().any(|target| footpath_loop_summaries::place(target).is_none())
    }

    /// The C files that are to be analysed: those that are named or, if none is, those that the targets are in; none for all of
    /// the compilation database, as for a line of a header.
    pub fn sources(&self) -> Vec<PathBuf> {
        let file = |target: &String| {
            let file = PathBuf::from(footpath_loop_summaries::place(target)?.0);
            (file.extension().is_some_and(|e| e == "c") && file.is_file()).then_some(file)
        };
        let of_targets = || self.target.iter().map(file).collect::<Option<BTreeSet<PathBuf>>>();
        match self.files.is_empty() {
            true => of_targets().unwrap_or_default().into_iter().collect(),
            false => self.files.clone(),
        }
    }

    /// How the conductor is to compile; tests go to `out`, which is absolute.
    pub fn conductor(&self, out: PathBuf) -> footpath_driver::Options {
        let mut lowering = footpath_frontend::c::Options {
            // Others would add branches that change nothing.
            checks: BTreeSet::from([AssertKind::Exit]),
            ..footpath_frontend::c::Options::default()
        };
        lowering.harness.array_length = self.array_length;
        footpath_driver::Options {
            functions: self.function.iter().cloned().collect(),
            entry: self.function.iter().filter(|f| *f == "main").cloned().collect(),
            prefers_main: self.function.is_none() && self.asks_about_program(),
            timeout: self.timeout.0.unwrap_or(std::time::Duration::from_secs(3_000_000_000)),
            out,
            lowering,
            unwind: 1,
            ..footpath_driver::Options::default()
        }
    }
}
