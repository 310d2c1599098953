//! Results of a run as plain data: functions, objectives with verdicts, tests, statistics.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use footpath_concolic::Summary;
use footpath_cover::SummaryCounts;
use footpath_ir::AssertKind;
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{FileId, SourceMap, Span};
use footpath_verdict::{Claim, Code, Evidence, GoalId, Ledger, Method, Premise, Verdict};

use crate::mcdc::DecisionResult;
use crate::missed_lines::MissedLines;
use crate::preconditions::FunctionFailures;
use crate::shard::Part;
use crate::strategy::sampling::Sampled;
use crate::strategy::seeds::FuzzTarget;

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
    /// The names of all functions with a body in the files, whether they were to be tested or not.
    pub known: Vec<String>,
    /// How many files could not be compiled.
    pub left_out: usize,
    /// The compiler that was used.
    pub compiler: String,
    /// The library functions that tests replace, as a file for the linker.
    pub replaced: String,
    /// The external functions that were sampled.
    pub sampled: Vec<Sampled>,
    /// Of each file with tests the number of the user's file that it is about.
    pub test_files: BTreeMap<PathBuf, usize>,
    /// The user's files, each with the compiler's flags.
    pub files: Vec<(PathBuf, Vec<String>)>,
    /// These files and their headers: what the compiler read; nothing in runs that are merged.
    pub read: BTreeSet<PathBuf>,
    /// What became of the lines that tests missed, if lines were selected by that.
    pub missed: Option<MissedLines>,
    /// The files in which the user's functions have code, whether these were to be tested or not.
    pub listed: Vec<FileId>,
    /// Which shard of a run it is; `None` for a whole one.
    pub part: Option<Part>,
}

/// The result for a function.
#[derive(Clone, Debug)]
pub struct FunctionResult {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// Whether it could be analysed.
    pub status: Status,
    /// Its coverage objectives, in source order.
    pub objectives: Vec<Objective>,
    /// Its decisions, if the criterion is about conditions.
    pub decisions: Vec<DecisionResult>,
    /// The tests, numbered from 1. Their file may have those of other functions, too.
    pub tests: Vec<Test>,
    /// The file with the tests.
    pub file: Option<PathBuf>,
    /// Whether the whole program that is tested never calls it.
    pub uncalled: bool,
    /// Whether inputs beyond the harness's bounds exist, which the tests do not use.
    pub bounded: bool,
    /// Remarks.
    pub notes: Vec<String>,
    /// The cost.
    pub statistics: FunctionStatistics,
    /// The search for tests in numbers, if there was one.
    pub exploration: Option<Summary>,
    /// The runs and proofs that contradict each other: internal errors.
    pub contradictions: Vec<Contradiction>,
    /// Its inferred precondition, if that was asked for and a test makes it fail.
    pub fails_when: Option<FunctionFailures>,
    /// Its tests as files of other tools, if these are wanted.
    pub fuzz: Option<FuzzTarget>,
}

impl FunctionResult {
    /// The result of a function about which nothing is known yet.
    pub(crate) fn new(name: &str, span: Span) -> FunctionResult {
        FunctionResult {
            name: name.to_owned(),
            span,
            status: Status::Analysed,
            objectives: Vec::new(),
            decisions: Vec::new(),
            tests: Vec::new(),
            file: None,
            uncalled: false,
            bounded: false,
            notes: Vec::new(),
            statistics: FunctionStatistics::default(),
            exploration: None,
            contradictions: Vec::new(),
            fails_when: None,
            fuzz: None,
        }
    }

    /// Makes its results of objectives and what a ledger says of them; the goal of the first one has this number.
    pub(crate) fn take(&mut self, objectives: Vec<Objective>, ledger: &Ledger, first: usize) {
        self.objectives = objectives;
        for (i, objective) in self.objectives.iter_mut().enumerate() {
            objective.take(ledger, GoalId(first + i));
        }
        for found in ledger.contradictions() {
            let Some(objective) = found.goal.0.checked_sub(first).and_then(|i| self.objectives.get(i)) else {
                continue;
            };
            self.contradictions.push(Contradiction {
                place: objective.id.clone(),
                span: objective.span,
                run: found.run.by,
                test: objective.tests.first().copied(),
                proof: found.proof.by,
            });
        }
    }

    /// A ledger with the evidence of its objectives.
    pub(crate) fn ledger(&self) -> Ledger {
        let mut ledger = Ledger::new(self.objectives.len());
        for (i, objective) in self.objectives.iter().enumerate() {
            ledger.record_all(objective.evidence().into_iter().map(|evidence| (GoalId(i), evidence)));
        }
        ledger
    }
}

/// A run that reaches a place and a proof that none does, neither of which rests on anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The objective's name.
    pub place: String,
    /// Its range.
    pub span: Span,
    /// The method that found the run.
    pub run: Method,
    /// The number of the test, from 1, if it is one of the function's own.
    pub test: Option<usize>,
    /// The method that proved that there is none.
    pub proof: Method,
}

/// Whether a function could be analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// Yes.
    Analysed,
    /// No, and why.
    Skipped(String),
}

/// A coverage objective.
#[derive(Clone, Debug)]
pub struct Objective {
    /// A name that is unique in the function.
    pub id: String,
    /// What it is.
    pub kind: ObjectiveKind,
    /// Its class.
    pub class: Class,
    /// Its range in the source.
    pub span: Span,
    /// For a block, the lines on which it has code, with their files; they count from 1.
    pub lines: Vec<(FileId, u32)>,
    /// Its verdict.
    pub verdict: Verdict,
    /// The method whose evidence settled it; `None` if nothing is claimed.
    pub settled_by: Option<Method>,
    /// The tests that cover it, by number from 1.
    pub tests: Vec<usize>,
    /// For unreachable code, whether the verdict assumes memory safety: that no access before it is out of bounds or
    /// after the object's lifetime, where runs of the program form end.
    pub assumes_memory_safety: bool,
    /// Statements that contradict each other, if it is infeasible.
    pub explanation: Vec<Span>,
    /// For a failing check: whether the end of a test or a sanitizer confirmed it; `None` if that was not asked.
    pub confirmed: Option<bool>,
    /// For a failing check: whether callers can avoid the failure; `None` if that was not asked or not found out.
    pub failure: Option<FailureClass>,
    /// Whether it is a finding of the user's baseline.
    pub in_baseline: bool,
}

impl Objective {
    /// The precondition that a caller from outside broke, if that is why it fails.
    pub fn precondition(&self) -> Option<&Precondition> {
        match &self.failure {
            Some(FailureClass::Latent(precondition)) => Some(precondition),
            Some(FailureClass::Manifest { .. } | FailureClass::Caused(_)) | None => None,
        }
    }
}

/// Whether callers can avoid a failure that a test shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FailureClass {
    /// They cannot: it happens on a path that inputs lead to which nothing forbids.
    Manifest {
        /// The condition in C that the check needs and that the path excludes, if it is about a pointer of the caller's: what follows a
        /// null pointer at many places is one mistake.
        needs: Option<String>,
    },
    /// Those from outside cannot: the function of this name calls it so that it happens, whatever its own callers pass.
    Caused(String),
    /// They can, by passing something else: it is a precondition of the function that it does not happen.
    Latent(Precondition),
}

/// What a function demands of those that call it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Precondition {
    /// What it says.
    pub need: Need,
    /// Whether each call has to see to it; otherwise only those for which branches of the function lead to the check.
    pub always: bool,
}

/// What a precondition says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Need {
    /// A condition in C.
    Condition(String),
    /// Two parameters have to point into different objects.
    Apart([String; 2]),
    /// A pointer, named by its access path, has to lead to a whole object of the structure that it is a pointer to.
    Whole(String),
    /// What the kind of the check says, as nothing says it shorter.
    OfKind,
}

/// What an objective is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectiveKind {
    /// A block is entered.
    Block,
    /// A condition is true (or false).
    Branch(bool),
    /// A decision, by its position, is evaluated in the way of this number; what is made of it is told instead.
    Evaluation(u32, u32),
    /// A condition is true (or false) when it is evaluated.
    Outcome(bool),
    /// A condition decides the outcome of its decision alone, shown by a pair of tests.
    Independence,
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
            ObjectiveKind::Evaluation(..) => "evaluation",
            ObjectiveKind::Outcome(true) => "condition_true",
            ObjectiveKind::Outcome(false) => "condition_false",
            ObjectiveKind::Independence => "mcdc",
            ObjectiveKind::Check(kind) => kind.name(),
        }
    }
}

/// The class of an objective, so that code which is unreachable by intention is not reported as dead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Code that the user wrote.
    User,
    /// Code that the compiler made.
    Compiler,
    /// Defensive code, which ends in `abort` or a failed assertion, or is a short `default` of a switch.
    Defensive,
    /// Code of a macro, whose other uses may need it.
    Macro,
    /// Code that another implementation of C, or another inclusion of the file, may need.
    Portability,
}

impl Objective {
    /// An objective of which nothing is known yet.
    pub(crate) fn open(id: String, kind: ObjectiveKind, class: Class, span: Span) -> Objective {
        Objective {
            id,
            kind,
            class,
            span,
            lines: Vec::new(),
            verdict: Verdict::Unknown(Code::NotReached.into()),
            settled_by: None,
            tests: Vec::new(),
            assumes_memory_safety: false,
            explanation: Vec::new(),
            confirmed: None,
            failure: None,
            in_baseline: false,
        }
    }

    /// Takes over what a ledger says of it: the one place where its verdict is written.
    pub(crate) fn take(&mut self, ledger: &Ledger, goal: GoalId) {
        let settling = ledger.settling(goal);
        self.verdict = ledger.verdict(goal);
        self.settled_by = settling.map(|evidence| evidence.by);
        self.explanation = settling.map(|evidence| evidence.explanation.clone()).unwrap_or_default();
        self.tests = ledger.tests(goal).to_vec();
        self.confirmed = ledger.confirmed(goal);
        self.assumes_memory_safety =
            self.verdict == Verdict::Unreachable && settling.is_some_and(Evidence::assumes_memory_safety);
    }

    /// The evidence that settled it, as far as it is kept.
    pub(crate) fn evidence(&self) -> Vec<Evidence> {
        let memory = self.assumes_memory_safety.then_some(Premise::MemorySafety);
        let (claim, bound) = match &self.verdict {
            Verdict::Covered => {
                let confirmed = self.confirmed;
                let tests = self.tests.iter().map(|&test| Some(test)).chain([None]);
                let by = self.settled_by.unwrap_or(Method::Run);
                let claim = |test| Claim::Reached { test, confirmed };
                let run = |test| Evidence { claim: claim(test), ..Evidence::reached(by, test, Vec::new()) };
                return tests.map(run).collect();
            }
            Verdict::Unknown(reason) => (Claim::Open(reason.clone()), None),
            Verdict::UnreachableWithin(bound) => (Claim::NotReached, Some(Premise::Bound(*bound))),
            Verdict::Unreachable | Verdict::Doomed => (Claim::NotReached, None),
        };
        let by = self.settled_by.unwrap_or(Method::Cover);
        let (rests_on, explanation) = (bound.into_iter().chain(memory).collect(), self.explanation.clone());
        vec![Evidence { by, claim, rests_on, explanation }]
    }
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// How it ends.
    pub outcome: TestOutcome,
    /// The objectives it passed, by position.
    pub covers: Vec<usize>,
    /// The first difference between its promise and its run.
    pub divergence: Option<String>,
    /// Its inputs, as C.
    pub inputs: String,
    /// The results of external functions, call by call.
    pub returned: Vec<Returned>,
    /// The samples of external functions that the search used. The test calls the real functions.
    pub sampled: Vec<SampledCall>,
}

/// A sample of an external function: its result for some arguments, as C.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SampledCall {
    /// The function.
    pub function: String,
    /// The arguments.
    pub args: Vec<String>,
    /// The result.
    pub result: String,
}

/// The result of a call of an external function.
#[derive(Clone, PartialEq, Debug)]
pub struct Returned {
    /// The function.
    pub function: String,
    /// The value.
    pub value: ReturnedValue,
}

/// The value that an external function returned.
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
    /// A pointer, of which only whether it is null can be shown outside its test file.
    Pointer {
        /// Whether it is.
        null: bool,
    },
}

/// How the process of a test ends that divides by zero: by SIGFPE.
pub const DIVISION_CRASH: &str = "signal 8";

/// How a test ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestOutcome {
    /// The function returns this, if it returns a value that can be written.
    Returned(Option<String>),
    /// The program ends by `exit`.
    Exited,
    /// A check fails.
    Failed {
        /// Which check.
        kind: AssertKind,
        /// Where.
        span: Span,
        /// How the process ended, if it did not just go on.
        crash: Option<String>,
    },
    /// The process ended in an unexpected way.
    Other(String),
}

/// What a strategy cost and gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spent {
    /// Its name.
    pub strategy: Cow<'static, str>,
    /// The time that it took.
    pub time: Duration,
    /// How many claims it made about objectives.
    pub claims: usize,
}

/// The cost of a function's analysis.
#[derive(Clone, Default, Debug)]
pub struct FunctionStatistics {
    /// Solver queries.
    pub queries: u64,
    /// Time in the solver.
    pub solver_time: Duration,
    /// Runs of the program form.
    pub runs: u64,
    /// Time in all.
    pub total_time: Duration,
    /// What each strategy cost and gave, in the order in which they were tried.
    pub strategies: Vec<Spent>,
    /// The use of procedure summaries, if proofs used any.
    pub summaries: Option<SummaryCounts>,
    /// Whether the whole result is that of an earlier run on the same function and all that it may call, from the cache.
    pub recalled: bool,
}
