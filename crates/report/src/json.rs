//! The report for programs: the stable interface of Footpath.
//!
//! The structs below *are* the format; `schema/cover.schema.json` is generated from them ([`schema`]) and their
//! doc comments are its descriptions. A field is never renamed or removed without a new [`SCHEMA`] name.

use std::collections::BTreeMap;
use std::time::Duration;

use footpath_cover::{
    CoverStatistics, Objective as EngineObjective, ObjectiveKind, Outcome as EngineOutcome, ProcedureCover,
    SummaryCounts, Test as EngineTest, Verdict,
};
use footpath_ir::Program;
use footpath_ir::diagnostic::{Diagnostic as EngineDiagnostic, Severity};
use footpath_ir::source::{SourceMap, Span as SourceSpan};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::CoverRun;
use crate::choice;
use crate::counts::{Counts, procedures};
use crate::exploration::{self, Exploration};
use crate::suite::reason_code;
use crate::values::{JsonValue, Values};

/// The name of the format of a whole report; changes when readers of the old one would break.
pub const SCHEMA: &str = "footpath-cover-1";

/// The name of the format of a test in a file of its own.
pub const TEST_SCHEMA: &str = "footpath-test-1";

/// The result of `footpath cover`, and of `footpath explore` for Boogie programs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    /// The format: `footpath-cover-1`. A reader should refuse a name it does not know.
    pub schema: String,
    /// The version of Footpath.
    pub version: String,
    /// The command line, program name first.
    pub command: Vec<String>,
    /// The files that were read, in the order given.
    pub files: Vec<String>,
    /// Whether the user ended the run early; what was not decided by then is unknown.
    pub interrupted: bool,
    /// Errors, warnings and notes about the input.
    pub diagnostics: Vec<Diagnostic>,
    /// The procedures with a body, in source order.
    pub procedures: Vec<Procedure>,
    /// Sums over all procedures.
    pub totals: Totals,
}

/// A message about the input.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Diagnostic {
    /// How much it matters. An `error` means that what the span covers was not analysed.
    pub severity: SeverityName,
    /// A stable short name.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Where; null for what concerns a whole file or run.
    pub span: Option<Span>,
    /// Further places, each with a remark.
    pub labels: Vec<Label>,
    /// What can be done about it.
    pub help: Option<String>,
}

/// How much a message matters.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeverityName {
    /// Something could not be used.
    Error,
    /// The result may not be what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// A remark at a place.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark.
    pub message: String,
}

/// A range in a file. Lines and columns start at 1, columns count characters; the end is that of the first
/// character behind the range.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Span {
    /// The file, as named on the command line.
    pub file: String,
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column of the end.
    pub end_column: u32,
}

/// What was found out about one procedure.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Procedure {
    /// Its name in the source.
    pub name: String,
    /// Which of its implementations, from 1.
    pub implementation: u32,
    /// What was to be covered, in source order.
    pub objectives: Vec<Objective>,
    /// The tests, each with a number of its own.
    pub tests: Vec<Test>,
    /// Remarks: constructs left out, contradicting axioms, a solver that gave up.
    pub notes: Vec<String>,
    /// What it cost.
    pub statistics: Statistics,
    /// With `footpath explore`: what dynamic symbolic execution did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exploration: Option<Exploration>,
}

/// Something to be covered: a stretch of statements, a branch, or the failure of an assertion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Objective {
    /// A name, unique in the procedure and stable as long as the source is.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// For a `failure`: what kind of assertion it is. Null otherwise.
    pub assertion: Option<Assertion>,
    /// Its range in the source.
    pub span: Span,
    /// What became of it.
    pub verdict: VerdictName,
    /// Why it is unknown, or which bound a verdict within a bound has. Null for other verdicts.
    pub reason: Option<String>,
    /// The stable code of that reason or bound; `docs/book/reasons.md` has them all. Null for other verdicts.
    pub reason_code: Option<String>,
    /// The ids of the tests that cover it.
    pub tests: Vec<usize>,
    /// For an infeasible one: a minimal set of statements that contradict each other.
    pub explanation: Vec<Span>,
}

/// What an objective is.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A stretch of statements is executed by a run that returns.
    Statement,
    /// A branch is taken by a run that returns.
    Branch,
    /// An assertion is violated. Here a verdict of infeasible is good news.
    Failure,
}

/// What an assertion checks.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Assertion {
    /// A condition that the source asserts.
    Assert,
    /// A loop invariant.
    LoopInvariant,
    /// A precondition of a callee.
    Requires,
    /// A postcondition.
    Ensures,
    /// That an operation is defined, such as a division.
    Check,
}

/// What became of an objective.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VerdictName {
    /// A test covers it.
    Covered,
    /// It is reached, but every execution through it fails or blocks.
    Doomed,
    /// No execution reaches it, however long.
    Unreachable,
    /// No execution within the bound reaches it.
    UnreachableWithinBound,
    /// Nothing is claimed; `reason` says why.
    Unknown,
}

/// A test. It was replayed by an interpreter: it takes the path that it promises.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Test {
    /// Its number in the procedure, from 1.
    pub id: usize,
    /// Values of parameters, globals and constants at entry, by source name. What is not named may have any value.
    pub inputs: BTreeMap<String, JsonValue>,
    /// Further choices of the run in order, in words: havocked values, free gotos.
    pub choices: Vec<String>,
    /// The blocks in order of execution.
    pub path: Vec<PathStep>,
    /// How it ends.
    pub outcome: Outcome,
    /// The ids of the objectives it covers.
    pub covers: Vec<String>,
}

/// A block on a path.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PathStep {
    /// The procedure, which may be a callee.
    pub procedure: String,
    /// The block's label.
    pub block: String,
    /// Its range.
    pub span: Span,
}

/// How a test ends.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// The procedure returns.
    Returned,
    /// An assertion is violated.
    Failed {
        /// What kind of assertion.
        assertion: Assertion,
        /// Where it stands.
        span: Span,
    },
}

/// What a cover cost.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Statistics {
    /// Questions to the solver.
    pub queries: u64,
    /// Of these, answered by a model.
    pub sat: u64,
    /// Of these, answered by a proof.
    pub unsat: u64,
    /// Of these, not answered.
    pub unknown: u64,
    /// Seconds in the solver.
    pub solver_seconds: f64,
    /// Seconds in all.
    pub total_seconds: f64,
    /// Concrete runs, for search and for replay.
    pub runs: u64,
    /// Blocks of the procedure after calls were inlined and loops unwound.
    pub blocks: usize,
    /// How often each loop was followed.
    pub unwind: u32,
    /// Whether that was shown to be no restriction.
    pub exhaustive: bool,
    /// What became of the summaries of callees; absent where callees were inlined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summaries: Option<Summaries>,
    /// Whether the verdicts were found in an earlier run on the same procedures and kept; tests were run again.
    pub recalled: bool,
}

/// Summaries of callees.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Summaries {
    /// How many were computed for this procedure.
    pub computed: u64,
    /// How many were there already, from other procedures or from the store.
    pub reused: u64,
    /// How often callees were explored further, as a verdict depended on it.
    pub refined: u64,
    /// Questions to the solver about callees.
    pub queries: u64,
    /// Seconds in the solver for these.
    pub solver_seconds: f64,
}

impl Summaries {
    /// What became of the summaries of a cover.
    pub(crate) fn of(counts: SummaryCounts) -> Summaries {
        Summaries {
            computed: counts.computed,
            reused: counts.reused,
            refined: counts.refined,
            queries: counts.queries,
            solver_seconds: counts.solver_time.as_secs_f64(),
        }
    }
}

/// Sums over all procedures.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Totals {
    /// How many procedures were analysed.
    pub procedures: usize,
    /// Statements and branches that a test covers.
    pub covered: usize,
    /// Statements and branches that no execution reaches (within the bound).
    pub infeasible: usize,
    /// Those of `infeasible` for which that is shown within the bound only.
    pub within_bound: usize,
    /// Statements and branches after which every execution fails or blocks.
    pub doomed: usize,
    /// Statements and branches of which nothing is known.
    pub unknown: usize,
    /// The assertions.
    pub assertions: AssertionTotals,
    /// Tests.
    pub tests: usize,
    /// Questions to solvers.
    pub queries: u64,
    /// Seconds in solvers, summed over all threads.
    pub solver_seconds: f64,
    /// Seconds from start to end.
    pub elapsed_seconds: f64,
}

/// How the assertions fared.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct AssertionTotals {
    /// A test violates it.
    pub can_fail: usize,
    /// No execution (within the bound) violates it.
    pub hold: usize,
    /// Those of `hold` for which that is shown within the bound only.
    pub within_bound: usize,
    /// Nothing is known.
    pub unknown: usize,
}

/// One test in a file of its own.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TestFile {
    /// The format: `footpath-test-1`.
    pub schema: String,
    /// The version of Footpath.
    pub version: String,
    /// The procedure to be run.
    pub procedure: String,
    /// Which of its implementations, from 1.
    pub implementation: u32,
    /// The test.
    pub test: Test,
}

/// The report of a run.
pub fn cover(run: &CoverRun<'_>) -> Report {
    let procedures = run.program.map_or_else(Vec::new, |program| {
        let values = Values::new(&program.terms);
        let convert = |c: &ProcedureCover| {
            Converter { sources: run.sources, program, values: values.naming(&c.sorts) }.procedure(c)
        };
        run.covers.iter().map(convert).collect()
    });
    Report {
        schema: SCHEMA.to_owned(),
        version: version(),
        command: run.command.to_vec(),
        files: run.sources.files().map(|(_, f)| f.name.clone()).collect(),
        interrupted: run.interrupted,
        diagnostics: run.diagnostics.iter().map(|d| diagnostic(run.sources, d)).collect(),
        procedures,
        totals: totals(run),
    }
}

impl Report {
    /// The report as text, with line breaks, ending in one.
    pub fn to_text(&self) -> String {
        pretty(self)
    }

    /// Each test as a file of its own.
    pub fn test_files(&self) -> impl Iterator<Item = TestFile> + '_ {
        self.procedures.iter().flat_map(|p| {
            p.tests.iter().map(|test| TestFile {
                schema: TEST_SCHEMA.to_owned(),
                version: version(),
                procedure: p.name.clone(),
                implementation: p.implementation,
                test: test.clone(),
            })
        })
    }
}

impl TestFile {
    /// How the text of every such file begins, so that files of an earlier run are recognised.
    pub const SIGNATURE: &'static str = "{\n  \"schema\": \"footpath-test-";

    /// The file as text.
    pub fn to_text(&self) -> String {
        pretty(self)
    }
}

/// The JSON schema of [`Report`], as committed in `schema/cover.schema.json`.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    pretty(&schemars::schema_for!(Report))
}

pub(crate) fn pretty(value: &impl Serialize) -> String {
    // Strings, finite numbers, lists and maps with strings as keys: nothing here can fail to be JSON.
    let mut text = serde_json::to_string_pretty(value).expect("plain data is JSON");
    text.push('\n');
    text
}

pub(crate) fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

pub(crate) fn span(sources: &SourceMap, span: SourceSpan) -> Span {
    let (start, end) = sources.range(span);
    Span {
        file: sources.file(span.file).name.clone(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

pub(crate) fn diagnostic(sources: &SourceMap, d: &EngineDiagnostic) -> Diagnostic {
    Diagnostic {
        severity: match d.severity {
            Severity::Error => SeverityName::Error,
            Severity::Warning => SeverityName::Warning,
            Severity::Note => SeverityName::Note,
        },
        code: d.code.clone().into_owned(),
        message: d.message.clone(),
        span: d.span.map(|s| span(sources, s)),
        labels: d
            .labels
            .iter()
            .map(|(s, message)| Label { span: span(sources, *s), message: message.clone() })
            .collect(),
        help: d.help.clone(),
    }
}

fn totals(run: &CoverRun<'_>) -> Totals {
    let counts = Counts::of_all(run.covers);
    Totals {
        procedures: procedures(run.covers),
        covered: counts.covered,
        infeasible: counts.infeasible,
        within_bound: counts.within_bound,
        doomed: counts.doomed,
        unknown: counts.unknown,
        assertions: AssertionTotals {
            can_fail: counts.can_fail,
            hold: counts.hold,
            within_bound: counts.hold_within_bound,
            unknown: counts.assertions_unknown,
        },
        tests: counts.tests,
        queries: run.covers.iter().map(|c| c.statistics.queries).sum(),
        solver_seconds: run.covers.iter().map(|c| c.statistics.solver_time).sum::<Duration>().as_secs_f64(),
        elapsed_seconds: run.elapsed.as_secs_f64(),
    }
}

struct Converter<'a> {
    sources: &'a SourceMap,
    program: &'a Program,
    values: Values<'a>,
}

impl Converter<'_> {
    fn procedure(&self, cover: &ProcedureCover) -> Procedure {
        Procedure {
            name: self.program[cover.procedure].name.to_string(),
            implementation: cover.body + 1,
            objectives: cover.objectives.iter().map(|o| self.objective(o)).collect(),
            tests: cover.tests.iter().enumerate().map(|(i, t)| self.test(cover, i, t)).collect(),
            notes: cover.notes.clone(),
            statistics: statistics(&cover.statistics),
            exploration: cover.exploration.as_ref().map(exploration::json),
        }
    }

    fn objective(&self, o: &EngineObjective) -> Objective {
        let (kind, assertion) = match o.kind {
            ObjectiveKind::Statement => (Kind::Statement, None),
            ObjectiveKind::Branch => (Kind::Branch, None),
            ObjectiveKind::Failure(kind) => (Kind::Failure, Some(assertion(kind))),
        };
        let (verdict, reason) = match &o.verdict {
            Verdict::Covered => (VerdictName::Covered, None),
            Verdict::Doomed => (VerdictName::Doomed, None),
            Verdict::Unreachable => (VerdictName::Unreachable, None),
            Verdict::UnreachableWithin(k) => (VerdictName::UnreachableWithinBound, Some(k.to_string())),
            Verdict::Unknown(why) => (VerdictName::Unknown, Some(why.to_string())),
        };
        Objective {
            id: o.name.clone(),
            kind,
            assertion,
            span: span(self.sources, o.span),
            verdict,
            reason,
            reason_code: reason_code(&o.verdict),
            tests: o.tests.iter().map(|t| t + 1).collect(),
            explanation: o.explanation.iter().map(|&s| span(self.sources, s)).collect(),
        }
    }

    fn test(&self, cover: &ProcedureCover, index: usize, t: &EngineTest) -> Test {
        Test {
            id: index + 1,
            inputs: t.inputs.iter().map(|(name, v)| (name.clone(), self.values.json(v))).collect(),
            choices: t
                .choices
                .iter()
                .map(|c| choice::words(self.sources, &self.values, c, usize::MAX))
                .collect(),
            path: t
                .path
                .iter()
                .map(|step| PathStep {
                    procedure: self.program[step.procedure].name.to_string(),
                    block: step.block.clone(),
                    span: span(self.sources, step.span),
                })
                .collect(),
            outcome: match t.outcome {
                EngineOutcome::Returned => Outcome::Returned,
                EngineOutcome::Failed(kind, at) => {
                    Outcome::Failed { assertion: assertion(kind), span: span(self.sources, at) }
                }
            },
            covers: t
                .covers
                .iter()
                .filter_map(|&o| cover.objectives.get(o))
                .map(|o| o.name.clone())
                .collect(),
        }
    }
}

fn assertion(kind: footpath_ir::AssertKind) -> Assertion {
    use footpath_ir::AssertKind;
    match kind {
        AssertKind::Assert => Assertion::Assert,
        AssertKind::LoopInvariant => Assertion::LoopInvariant,
        AssertKind::Requires => Assertion::Requires,
        AssertKind::Ensures => Assertion::Ensures,
        _ => Assertion::Check,
    }
}

fn statistics(s: &CoverStatistics) -> Statistics {
    Statistics {
        queries: s.queries,
        sat: s.sat,
        unsat: s.unsat,
        unknown: s.unknown,
        solver_seconds: s.solver_time.as_secs_f64(),
        total_seconds: s.total_time.as_secs_f64(),
        runs: s.runs,
        blocks: s.blocks,
        unwind: s.unwind,
        exhaustive: s.exhaustive,
        summaries: s.summaries.map(Summaries::of),
        recalled: s.recalled,
    }
}
