//! What a run has to say. Plain data.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use footpath_concolic::Summary;
use footpath_cover::SummaryCounts;
use footpath_ir::AssertKind;
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{SourceMap, Span};

use crate::preconditions::FunctionFailures;
use crate::strategy::sampling::Sampled;

/// The result of a run.
pub struct Run {
    /// The functions, in the order of the files.
    pub functions: Vec<FunctionResult>,
    /// What could not be read or lowered.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that spans are in.
    pub sources: SourceMap,
    /// Remarks about the run as a whole.
    pub notes: Vec<String>,
    /// The names of all functions with a body in the files, asked for or not.
    pub known: Vec<String>,
    /// How many files could not be compiled.
    pub left_out: usize,
    /// The compiler that was used.
    pub compiler: String,
    /// Which functions of the library tests replace, for the linker.
    pub replaced: String,
    /// Functions without a source that were run to see what they give.
    pub sampled: Vec<Sampled>,
    /// Its flags for each file with tests.
    pub flags: BTreeMap<PathBuf, Vec<String>>,
    /// The user's files, each with the compiler's flags.
    pub files: Vec<(PathBuf, Vec<String>)>,
}

/// What became of a function.
#[derive(Clone, Debug)]
pub struct FunctionResult {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// Whether it could be analysed.
    pub status: Status,
    /// What there is to cover, in source order.
    pub objectives: Vec<Objective>,
    /// The tests, as they are numbered in their file, from 1.
    pub tests: Vec<Test>,
    /// The file with the tests.
    pub file: Option<PathBuf>,
    /// Whether the program that is tested never calls it.
    pub uncalled: bool,
    /// Whether inputs beyond the harness's bounds exist, which the tests do not use.
    pub bounded: bool,
    /// Remarks.
    pub notes: Vec<String>,
    /// What it cost.
    pub statistics: FunctionStatistics,
    /// The search for tests in numbers, if there was one.
    pub exploration: Option<Summary>,
    /// Under which inputs it fails, if that was asked for and a test makes it fail.
    pub fails_when: Option<FunctionFailures>,
}

impl FunctionResult {
    /// The result of a function about which nothing is known yet.
    pub(crate) fn new(name: &str, span: Span) -> FunctionResult {
        FunctionResult {
            name: name.to_owned(),
            span,
            status: Status::Analysed,
            objectives: Vec::new(),
            tests: Vec::new(),
            file: None,
            uncalled: false,
            bounded: false,
            notes: Vec::new(),
            statistics: FunctionStatistics::default(),
            exploration: None,
            fails_when: None,
        }
    }
}

/// Whether a function could be analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// Yes.
    Analysed,
    /// No, and why.
    Skipped(String),
}

/// Something to be covered.
#[derive(Clone, Debug)]
pub struct Objective {
    /// A name that is unique in the function.
    pub id: String,
    /// What it is.
    pub kind: ObjectiveKind,
    /// Whose it is.
    pub class: Class,
    /// Its range in the source.
    pub span: Span,
    /// What became of it.
    pub verdict: Verdict,
    /// Who found that out; none if nothing is claimed.
    pub settled_by: Option<Evidence>,
    /// The tests that cover it, by number from 1.
    pub tests: Vec<usize>,
    /// Of code, whether its being infeasible rests on this: that no access before it goes beyond its object or its life. Runs of the
    /// program form end there.
    pub assumes_memory_safety: bool,
    /// Statements that contradict each other, if it is infeasible.
    pub explanation: Vec<Span>,
    /// Of a failing check: whether the end of a test or a sanitizer showed it as well; none if that was not asked.
    pub confirmed: Option<bool>,
    /// Whether it is a finding that the user knows.
    pub in_baseline: bool,
}

/// What an objective is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectiveKind {
    /// A block is entered.
    Block,
    /// A condition is true, or false.
    Branch(bool),
    /// A check of this kind fails. An infeasible one is good news.
    Check(AssertKind),
}

impl ObjectiveKind {
    /// The stable name, as it stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ObjectiveKind::Block => "block",
            ObjectiveKind::Branch(true) => "branch_true",
            ObjectiveKind::Branch(false) => "branch_false",
            ObjectiveKind::Check(kind) => kind.name(),
        }
    }
}

/// Whose an objective is, so that what is infeasible by intention is not reported as dead code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// The user's.
    User,
    /// The compiler made it.
    Compiler,
    /// It ends in `abort` or a failed assertion: there to catch what cannot happen.
    Defensive,
    /// A macro's, whose other uses may need it.
    Macro,
}

/// What became of an objective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A test really passed it.
    Covered,
    /// No input at all reaches it.
    Unreachable,
    /// No input within the bounds reaches it; which bounds.
    UnreachableWithin(String),
    /// Nothing is claimed; why.
    Unknown(String),
}

/// Who settled an objective.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Evidence {
    /// A run of the concolic engine, which became the test.
    Run,
    /// A test of another function of the files, which passed it on its way.
    OtherTest,
    /// The concolic engine, which ran or refuted every path.
    Exhaustion,
    /// The cover engine, by a proof for loops that go round so many times, or for all if they cannot go round more often.
    Cover,
    /// A loop summary, by a proof for any number of rounds.
    LoopSummary,
    /// Abstract interpretation: invariants of the function, or of the whole program, exclude it.
    Invariants,
    /// The call graph: nothing that the program's entry calls leads there.
    CallGraph,
}

impl Evidence {
    /// All of them.
    pub const ALL: [Evidence; 7] = [
        Evidence::Run,
        Evidence::OtherTest,
        Evidence::Exhaustion,
        Evidence::Cover,
        Evidence::LoopSummary,
        Evidence::Invariants,
        Evidence::CallGraph,
    ];

    /// The stable name, as it stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Run => "run",
            Evidence::OtherTest => "other_test",
            Evidence::Exhaustion => "exhaustion",
            Evidence::Cover => "cover",
            Evidence::LoopSummary => "loop_summary",
            Evidence::Invariants => "invariants",
            Evidence::CallGraph => "call_graph",
        }
    }
}

impl Objective {
    /// Gives it a verdict, with who found it.
    pub(crate) fn settle(&mut self, verdict: Verdict, by: Evidence) {
        self.verdict = verdict;
        self.settled_by = Some(by);
        self.assumes_memory_safety = false;
    }

    /// Whether it is ruled out, for good or within bounds.
    pub(crate) fn is_ruled_out(&self) -> bool {
        matches!(self.verdict, Verdict::Unreachable | Verdict::UnreachableWithin(_))
    }

    /// Says why a test that was found does not settle it, if it is open.
    pub(crate) fn miss(&mut self, why: &str) {
        if matches!(self.verdict, Verdict::Unknown(_)) {
            self.verdict = Verdict::Unknown(why.to_owned());
        }
    }
}

impl Verdict {
    /// The stable name, as it stands in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Covered => "covered",
            Verdict::Unreachable => "unreachable",
            Verdict::UnreachableWithin(_) => "unreachable_within_bound",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// How it ends.
    pub outcome: TestOutcome,
    /// The objectives it passed, by position.
    pub covers: Vec<usize>,
    /// What it promised and did not do: the first difference.
    pub divergence: Option<String>,
    /// Its inputs, as C.
    pub inputs: String,
    /// What functions without a body returned, call by call.
    pub returned: Vec<Returned>,
    /// What the search for tests took functions without a source to give, as they were run. The test calls them.
    pub sampled: Vec<SampledCall>,
}

/// What a function without a source gave for some arguments, as C.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SampledCall {
    /// The function.
    pub function: String,
    /// The arguments.
    pub args: Vec<String>,
    /// The result.
    pub result: String,
}

/// What a call of a function without a body returned.
#[derive(Clone, PartialEq, Debug)]
pub struct Returned {
    /// The function.
    pub function: String,
    /// The value.
    pub value: ReturnedValue,
}

/// The value that a function without a body returned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ReturnedValue {
    /// A whole number of so many bits, read as unsigned.
    Int {
        /// How many bits.
        bits: u32,
        /// The value.
        value: u128,
    },
    /// A floating-point number.
    Float(f64),
    /// A pointer, which has no text outside its test file; whether it is null.
    Pointer {
        /// Whether it is.
        null: bool,
    },
}

/// How a test ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestOutcome {
    /// The function returns this, if it returns a value that can be written.
    Returned(Option<String>),
    /// The program ends by `exit`.
    Exited,
    /// A check fails; whether the compiled test crashed there, too.
    Failed {
        /// Which check.
        kind: AssertKind,
        /// Where.
        span: Span,
        /// How the process ended, if it did not just go on.
        crash: Option<String>,
    },
    /// The process ended in a way that was not foreseen.
    Other(String),
}

/// What a function cost.
#[derive(Clone, Default, Debug)]
pub struct FunctionStatistics {
    /// Questions to the solver.
    pub queries: u64,
    /// Time in the solver.
    pub solver_time: Duration,
    /// Runs of the program form.
    pub runs: u64,
    /// Time in all.
    pub total_time: Duration,
    /// What became of summaries of callees, if proofs used any.
    pub summaries: Option<SummaryCounts>,
    /// Whether all of it is the result of an earlier run of the very same program.
    pub recalled: bool,
}
