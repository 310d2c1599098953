//! Flags of `footpath reach`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::ValueEnum;
use footpath_ir::AssertKind;

use super::{Color, Format, Seconds, seconds, solver};

/// Flags of `footpath reach`.
#[derive(Clone, Debug, clap::Args)]
pub struct ReachArgs {
    /// The files: Boogie 2 (.bpl), read as one program, or C
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The place that is asked about: FILE:LINE, a label, or the name of a function; of a C function without a body all its
    /// calls, one after the other. May be given several times
    #[arg(long, required = true, value_name = "PLACE")]
    pub target: Vec<String>,

    /// The function or procedure in which runs start; without this flag the one with the target. Variables of a C program
    /// have their initial values if it is main, and any value if not
    #[arg(long, alias = "procedure", value_name = "NAME")]
    pub function: Option<String>,

    /// Seconds for each target, after which it is unknown; 0 for no limit
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    pub timeout: Seconds,

    /// How many rounds of a loop are unfolded at most; what holds of the others is said by summaries
    #[arg(long, value_name = "K", default_value_t = 200)]
    pub max_unfold: u64,

    /// How often a procedure calls itself at most before its calls are cut
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub recursion: u32,

    /// How results are printed; schema/reach.schema.json describes the JSON
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,

    /// Show the necessary condition of targets that were decided, too
    #[arg(long)]
    pub show_condition: bool,

    /// End with exit code 1 if a verdict of these kinds is found
    #[arg(long, value_name = "VERDICT", value_enum, value_delimiter = ',')]
    pub deny: Vec<DenyReach>,

    /// The solver: z3, or cmd: and the command line of any SMT-LIB 2 solver, such as 'cmd:cvc5 --incremental'
    #[arg(long, value_name = "SPEC", default_value = "z3", value_parser = solver)]
    pub solver: String,

    /// Ask a second solver everything again; where the two disagree, neither is believed
    #[arg(long, value_name = "SPEC", value_parser = solver)]
    pub cross_check: Option<String>,

    /// Write each question to the solver into this folder as SMT-LIB 2, conditions among them
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,

    /// Complete modifies clauses of Boogie that leave globals out
    #[arg(long)]
    pub infer_modifies: bool,

    /// How many elements an array behind a pointer has at most, in tests of C
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub array_length: u32,

    /// The compiler; without this flag the newest clang there is
    #[arg(long, value_name = "PROGRAM")]
    pub clang: Option<String>,

    /// The folder that tests of C are written to
    #[arg(short, long, value_name = "DIR", default_value = "footpath-out")]
    pub output: PathBuf,

    /// When to use colours
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,

    /// Flags for the compiler
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}

/// Verdicts that can be denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DenyReach {
    /// No run reaches a target
    Unreachable,
    /// A test reaches a target
    Reached,
    /// Nothing could be found out about a target
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
    /// Whether the files are C.
    pub fn is_c(&self) -> bool {
        self.files.iter().all(|f| f.extension().is_some_and(|e| e != "bpl"))
    }

    /// The engine's options.
    pub fn limits(&self) -> footpath_loop_summaries::Options {
        footpath_loop_summaries::Options {
            timeout: self.timeout.0,
            solver: self.solver.clone(),
            cross_check: self.cross_check.clone(),
            dump_smt: self.dump_smt.clone(),
            recursion: self.recursion,
            max_unfold: self.max_unfold,
            ..footpath_loop_summaries::Options::default()
        }
    }

    /// What the conductor is to compile; tests go to `out`, which is absolute.
    pub fn conductor(&self, flags: Vec<String>, out: PathBuf) -> footpath_driver::Options {
        let mut lowering = footpath_frontend::c::Options {
            // Others would add branches that change nothing.
            checks: BTreeSet::from([AssertKind::Exit]),
            ..footpath_frontend::c::Options::default()
        };
        lowering.harness.array_length = self.array_length;
        footpath_driver::Options {
            files: self.files.clone(),
            flags,
            clang: self.clang.clone(),
            functions: self.function.iter().cloned().collect(),
            entry: self.function.clone().filter(|f| f == "main"),
            timeout: self.timeout.0.unwrap_or(std::time::Duration::from_secs(3_000_000_000)),
            out,
            lowering,
            unwind: 1,
            ..footpath_driver::Options::default()
        }
    }
}
