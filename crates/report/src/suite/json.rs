//! The report for programs: the stable interface of `footpath test`.
//!
//! The structs below *are* the format; `schema/test.schema.json` is generated from them ([`schema`]). Apart from the
//! statistics and the time, the same input gives the same bytes.

use std::path::PathBuf;

use footpath_driver::{
    Class, FailureClass, FunctionResult, LineFate, Need, Objective as FoundObjective, ObjectiveKind, Status,
    Test as FoundTest, TestOutcome, Verdict,
};
use footpath_ir::source::{FileId, SourceMap};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::counts::Counts;
use super::decisions::Decision;
use super::findings::cause;
use super::missed::MissedCounts;
use super::shard::Shard;
use super::{TestRun, assumes, assumption, file_name, reason, reason_code};
use crate::exploration::{self, Exploration};
use crate::failures::json::Exactness;
use crate::json::{Diagnostic, Span, Summaries, diagnostic, pretty, span, version};

/// The name of the format; changes when readers of the old one would break.
pub const SCHEMA: &str = "footpath-suite-1";

/// The result of `footpath test`, and of `footpath explore` for C files.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    /// The format: `footpath-suite-1`. A reader should refuse a name it does not know.
    pub schema: String,
    /// The version of Footpath.
    pub version: String,
    /// The command line, program name first.
    pub command: Vec<String>,
    /// Whether the user ended the run early; functions that were not begun by then are left out.
    pub interrupted: bool,
    /// What could not be read or analysed.
    pub diagnostics: Vec<Diagnostic>,
    /// Remarks about the run as a whole.
    pub notes: Vec<String>,
    /// The functions, in the order of the files.
    pub functions: Vec<Function>,
    /// Functions without a source that were run to see what they give. Only tests rest on that, which call the functions.
    pub sampled: Vec<Sampled>,
    /// Sums over all functions.
    pub totals: Totals,
    /// What became of the lines that a coverage report calls missed; null without `--coverage-from`.
    pub missed_lines: Option<MissedLines>,
    /// How many files could not be compiled.
    pub files_left_out: usize,
    /// The files in which functions have code, whether these were analysed or not.
    pub sources: Vec<Source>,
    /// Which shard of a run this is, with what `footpath merge` needs; null for a whole run.
    pub shard: Option<Shard>,
    /// Seconds from start to end.
    pub elapsed_seconds: f64,
}

/// A file as it was read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Source {
    /// Its name.
    pub file: String,
    /// The SHA-256 of its text, in hexadecimal.
    pub digest: String,
}

/// A function without a source.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Sampled {
    /// Its name.
    pub function: String,
    /// For how many different arguments its result is known.
    pub samples: usize,
}

/// What a function without a source gave, as C; wide integers are shown as if they had a sign.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SampledCall {
    /// Its name.
    pub function: String,
    /// The arguments.
    pub args: Vec<String>,
    /// The result.
    pub result: String,
}

/// What was found out about one function.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The C file it stands in.
    pub file: String,
    /// Where in it.
    pub span: Span,
    /// Whether it was analysed.
    pub status: StatusName,
    /// Why it was skipped. Null if it was not.
    pub reason: Option<String>,
    /// What was to be covered, in source order.
    pub objectives: Vec<Objective>,
    /// Its decisions, with `--criterion condition` or `mcdc`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// The tests.
    pub tests: Vec<Test>,
    /// The C file with the tests, in the folder of the tests; null if there is none.
    pub test_file: Option<String>,
    /// Whether there are inputs beyond those that tests use: longer arrays, deeper structures.
    pub bounded: bool,
    /// Remarks.
    pub notes: Vec<String>,
    /// What it cost.
    pub statistics: Statistics,
    /// The search for tests by dynamic symbolic execution; null if there was none.
    pub exploration: Option<Exploration>,
    /// Under which inputs it fails; null if that was not asked for, or no test makes it fail.
    pub fails_when: Option<FailsWhen>,
    /// Runs and proofs that cannot both be right, which is an internal error; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Contradiction>,
}

/// A run that reaches a place, and a proof that none does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Contradiction {
    /// The id of the objective.
    pub objective: String,
    /// Its range.
    pub span: Span,
    /// The method that found the run, as in `settled_by`.
    pub run: String,
    /// The number of the test, if it is one of the function's own.
    pub test: Option<usize>,
    /// The method that found the proof.
    pub proof: String,
}

/// Under which inputs a function fails.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FailsWhen {
    /// The condition, as C; `false` if none was found.
    pub constraint: String,
    /// The disjuncts of the condition.
    pub disjuncts: Vec<String>,
    /// Whether inputs that satisfy the condition may pass, too, as failing also depends on what external functions do.
    pub may_pass: bool,
    /// How it relates to failing.
    pub exactness: Exactness,
    /// Why it is not exact; null if it is.
    pub reason: Option<String>,
    /// What is assumed of all inputs; null for nothing.
    pub premise: Option<String>,
    /// What to demand of inputs so that nothing fails; null if the condition is not exact, or holds always.
    pub precondition: Option<String>,
}

/// Whether a function was analysed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StatusName {
    /// Yes.
    Analysed,
    /// No.
    Skipped,
}

/// Something to be covered: a block, a way of a branch, or the failure of a check.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Objective {
    /// A name, unique in the function and stable as long as the source is.
    pub id: String,
    /// `block`, `branch_true`, `branch_false`, or the kind of a check: `null`, `bounds`, `use_after_free`, `closed_stream`, `free`,
    /// `subobject`, `alignment`, `constant`, `overlap`, `nonnull`, `vla_length`, `call_type`, `division`, `overflow`, `shift`, `bool`, `unreachable`, `uninitialised`, `assert`, `abort`.
    pub kind: String,
    /// Whose it is.
    pub class: ClassName,
    /// Its range in the source.
    pub span: Span,
    /// For a block, the lines on which it has code; absent for others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Lines>,
    /// What became of it. For a check, unreachable is good news.
    pub verdict: VerdictName,
    /// Who found that out: `run` (a run of the concolic engine, which became the test), `other_test` (a test of another
    /// function passed it), `exhaustion` (the concolic engine ran or refuted every path), `cover` (a proof of the cover
    /// engine), `loop_summary` (a proof for any number of rounds), `invariants` (abstract interpretation of the function or
    /// of the whole program), `call_graph` (the program never calls the function). Null where nothing is claimed.
    pub settled_by: Option<String>,
    /// Why it is unknown, or which bound a verdict within a bound has. Null for other verdicts.
    pub reason: Option<String>,
    /// The stable code of that reason or bound; `docs/book/reasons.md` has them all. Null for other verdicts.
    pub reason_code: Option<String>,
    /// What an infeasible block or branch rests on: `accesses_stay`, that no access before it goes beyond its object or its
    /// life. What is said of checks always rests on this.
    pub assumes: Vec<String>,
    /// The numbers of the tests that cover it.
    pub tests: Vec<usize>,
    /// For an unreachable one: statements that contradict each other.
    pub explanation: Vec<Span>,
    /// For a check that fails: whether the end of the test or a sanitizer of the compiler showed it as well. Null where that
    /// could not be asked.
    pub confirmed: Option<bool>,
    /// For a check that fails: whether callers can avoid that. Null where that was not found out, or not asked, as with
    /// `--strict` and `--entry`; it then counts like `manifest`.
    pub failure_class: Option<FailureClassName>,
    /// The function that calls this one so that it fails, whatever its own callers pass; null if none was found.
    pub caused_by: Option<String>,
    /// What callers have to see to so that it does not fail, if its class is `latent`.
    pub precondition: Option<Precondition>,
    /// Of a failure that callers cannot avoid: the condition in C that the check needs and that the path excludes; null if there is
    /// none that says it shortly.
    pub needs: Option<String>,
    /// Whether it is a finding that the baseline has.
    pub in_baseline: bool,
}

/// Lines of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Lines {
    /// The file.
    pub file: String,
    /// The first line, from 1.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

/// Whether callers can avoid a failure.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FailureClassName {
    /// They cannot: it is a finding.
    Manifest,
    /// They can: it is a precondition of the function that it does not happen.
    Latent,
}

/// What a function demands of those that call it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Precondition {
    /// The condition in C; null if there is none that says it shortly.
    pub condition: Option<String>,
    /// Two parameters that may not point into one object, if that is what is needed; null otherwise.
    pub apart: Option<[String; 2]>,
    /// The access path of a pointer that has to lead to a whole object of its structure, if that is what is needed; null otherwise.
    pub whole: Option<String>,
    /// Whether each call has to see to it; otherwise only those for which branches of the function lead to the check.
    pub always: bool,
}

/// Whose an objective is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClassName {
    /// The user's.
    User,
    /// The compiler made it.
    Compiler,
    /// It is there to catch what cannot happen.
    Defensive,
    /// A macro's, whose other uses may need it.
    Macro,
    /// Another implementation of C, or another inclusion of the file, may need it.
    Portability,
}

/// What became of an objective.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VerdictName {
    /// A compiled test passed it.
    Covered,
    /// It is reached, but every execution through it fails or blocks.
    Doomed,
    /// No input at all reaches it.
    Unreachable,
    /// No input within the bound reaches it.
    UnreachableWithinBound,
    /// Nothing is claimed.
    Unknown,
}

/// A test.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Test {
    /// Its number among those of its function, from 1, by which its suite runs it: `test_ring ring_get 2`.
    pub number: usize,
    /// Its text in the test file.
    pub inputs: String,
    /// How it ends.
    pub outcome: Outcome,
    /// What the function returned, as C, if it is a value that can be written.
    pub returned: Option<String>,
    /// The ids of the objectives it covers.
    pub covers: Vec<String>,
    /// The id of the first objective that it promised and did not pass when it ran; null for a test that kept its promise.
    pub divergence: Option<String>,
    /// What functions without a source were seen to give on the way.
    pub sampled: Vec<SampledCall>,
}

/// How a test ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// The function returns.
    Returned,
    /// The program ends by `exit`.
    Exited,
    /// A check fails.
    Failed {
        /// The kind of the check.
        check: String,
        /// Where.
        span: Span,
        /// How the process ended, if it did not just go on.
        crash: Option<String>,
    },
    /// The process ended in a way that was not foreseen.
    Other {
        /// How.
        crash: String,
    },
}

/// What a function cost.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Statistics {
    /// Questions to the solver.
    pub queries: u64,
    /// Seconds in the solver.
    pub solver_seconds: f64,
    /// Runs of the program form.
    pub runs: u64,
    /// Seconds in all.
    pub total_seconds: f64,
    /// What each strategy cost and gave, in the order in which they were tried.
    pub strategies: Vec<Spent>,
    /// Whether all of this is the result of an earlier run on the same function and all that it may call, taken from the store:
    /// nothing was asked, and no test was run again.
    pub recalled: bool,
    /// What became of the summaries of callees in proofs; absent where callees were inlined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summaries: Option<Summaries>,
}

/// What a strategy cost and gave.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Spent {
    /// Its name.
    pub strategy: String,
    /// Seconds, of wall time.
    pub seconds: f64,
    /// How many objectives it made a claim about.
    pub claims: usize,
}

impl Spent {
    fn of(spent: &footpath_driver::Spent) -> Spent {
        let seconds = spent.time.as_secs_f64();
        Spent { strategy: spent.strategy.clone().into_owned(), seconds, claims: spent.claims }
    }
}

/// Sums over all functions. What the compiler made does not count.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Totals {
    /// Blocks; defensive ones only if an input reaches them.
    pub blocks: usize,
    /// Blocks that a test executes.
    pub blocks_covered: usize,
    /// Ways of branches.
    pub branches: usize,
    /// Ways of branches that a test takes.
    pub branches_covered: usize,
    /// Checks that a test makes fail, without those that callers can avoid.
    pub failing: usize,
    /// Checks that a test makes fail because of what callers pass.
    pub preconditions: usize,
    /// Checks that no input makes fail.
    pub hold: usize,
    /// Checks that no input within bounds makes fail.
    pub hold_within_bound: usize,
    /// Blocks and branches that no input reaches, within bounds or at all.
    pub infeasible: usize,
    /// Defensive code that no input reaches.
    pub defensive: usize,
    /// Code of macros that no input reaches where they are used.
    pub expansions: usize,
    /// Portability guards that no input reaches in this build.
    pub portability: usize,
    /// Findings that the baseline has; they count nowhere else.
    pub in_baseline: usize,
    /// Objectives of which nothing is known.
    pub unknown: usize,
    /// Tests.
    pub tests: usize,
    /// Tests that did not do what they promised.
    pub divergences: usize,
}

/// What became of the lines that a coverage report calls missed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct MissedLines {
    /// The report, as the user named it.
    pub report: String,
    /// How many of them have code in functions that were analysed; the sum of the next three.
    pub missed: usize,
    /// Lines that a new test executes.
    pub covered: usize,
    /// Lines that no input executes, without any bound.
    pub impossible: usize,
    /// Lines of which neither is known.
    pub open: usize,
    /// New tests.
    pub tests: usize,
    /// Lines that the report calls missed and that have no code here; they are counted in none of the others.
    pub without_code: usize,
    /// The lines with code, in the order of the files.
    pub lines: Vec<MissedLine>,
    /// The names that files have in that report.
    pub files: Vec<ReportedFile>,
}

/// A file in a coverage report.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ReportedFile {
    /// The file.
    pub file: String,
    /// Its name in the report.
    pub reported: String,
}

/// A line that a coverage report calls missed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct MissedLine {
    /// Its file.
    pub file: String,
    /// Its number, from 1.
    pub line: u32,
    /// The function with code on it.
    pub function: String,
    /// How many blocks have code on it.
    pub blocks: usize,
    /// What became of it.
    pub outcome: LineOutcome,
    /// For an open one, the code of the reason or the bound; `docs/book/reasons.md` has them all. Null for the others.
    pub reason_code: Option<String>,
    /// The methods that proved that no input executes it.
    pub settled_by: Vec<String>,
    /// What an impossible one rests on: `accesses_stay`, as for objectives.
    pub assumes: Vec<String>,
}

/// What became of a line.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LineOutcome {
    /// A new test executes it.
    Covered,
    /// No input executes it.
    Impossible,
    /// Neither is known.
    Open,
}

fn missed_lines(run: &TestRun<'_>) -> Option<MissedLines> {
    let (counts, found) = (MissedCounts::of(run)?, run.run.missed.as_ref()?);
    let line = |line: &footpath_driver::MissedLine| {
        let (outcome, reason_code, by, memory) = match &line.fate {
            LineFate::Covered => (LineOutcome::Covered, None, &[][..], false),
            LineFate::Impossible { by, assumes_memory_safety } => {
                (LineOutcome::Impossible, None, &by[..], *assumes_memory_safety)
            }
            LineFate::Open(verdict) => (LineOutcome::Open, reason_code(verdict), &[][..], false),
        };
        MissedLine {
            file: run.run.sources.file(line.file).name.clone(),
            line: line.line,
            function: line.function.clone(),
            blocks: line.blocks,
            outcome,
            reason_code,
            settled_by: by.iter().map(|method| method.name().to_owned()).collect(),
            assumes: assumes(memory),
        }
    };
    let reported = |(&file, name): (&FileId, &PathBuf)| ReportedFile {
        file: run.run.sources.file(file).name.clone(),
        reported: name.display().to_string(),
    };
    Some(MissedLines {
        report: found.report.clone(),
        missed: counts.missed,
        covered: counts.covered,
        impossible: counts.impossible,
        open: counts.open,
        tests: counts.tests,
        without_code: found.without_code,
        lines: found.lines.iter().map(line).collect(),
        files: found.files.iter().map(reported).collect(),
    })
}

/// The report of a run.
pub fn report(run: &TestRun<'_>) -> Report {
    let found = run.run;
    Report {
        schema: SCHEMA.to_owned(),
        version: version(),
        command: run.command.to_vec(),
        interrupted: run.interrupted,
        diagnostics: found.diagnostics.iter().map(|d| diagnostic(&found.sources, d)).collect(),
        notes: found.notes.clone(),
        functions: found.functions.iter().map(|f| function(&found.sources, f)).collect(),
        sampled: found.sampled.iter().map(sampled).collect(),
        totals: totals(&Counts::of_all(&found.functions)),
        missed_lines: missed_lines(run),
        files_left_out: found.left_out,
        sources: found.listed.iter().map(|&file| source(&found.sources, file)).collect(),
        shard: found.part.as_ref().map(Shard::of),
        elapsed_seconds: run.elapsed.as_secs_f64(),
    }
}

impl Report {
    /// The report as text, with line breaks, ending in one.
    pub fn to_text(&self) -> String {
        pretty(self)
    }
}

/// The JSON schema of [`Report`], as committed in `schema/test.schema.json`.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    pretty(&schemars::schema_for!(Report))
}

fn source(sources: &SourceMap, file: FileId) -> Source {
    let file = sources.file(file);
    Source { file: file.name.clone(), digest: sha256(&file.text) }
}

/// The SHA-256 of a text, in hexadecimal.
pub(crate) fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Lines as ranges, in their order.
fn lines(sources: &SourceMap, all: &[(FileId, u32)]) -> Vec<Lines> {
    let follows = |a: &(FileId, u32), b: &(FileId, u32)| a.0 == b.0 && a.1.checked_add(1) == Some(b.1);
    let range = |run: &[(FileId, u32)]| {
        let (&(file, first), &(_, last)) = (run.first()?, run.last()?);
        Some(Lines { file: sources.file(file).name.clone(), first, last })
    };
    all.chunk_by(follows).filter_map(range).collect()
}

fn function(sources: &SourceMap, f: &FunctionResult) -> Function {
    let (status, why) = match &f.status {
        Status::Analysed => (StatusName::Analysed, None),
        Status::Skipped(why) => (StatusName::Skipped, Some(why.clone())),
    };
    Function {
        name: f.name.clone(),
        file: sources.file(f.span.file).name.clone(),
        span: span(sources, f.span),
        status,
        reason: why,
        objectives: f.objectives.iter().map(|o| objective(sources, o)).collect(),
        decisions: f.decisions.iter().map(|d| Decision::of(sources, d)).collect(),
        tests: f.tests.iter().enumerate().map(|(i, t)| test(sources, f, i, t)).collect(),
        test_file: file_name(f),
        bounded: f.bounded,
        notes: f.notes.clone(),
        statistics: Statistics {
            queries: f.statistics.queries,
            solver_seconds: f.statistics.solver_time.as_secs_f64(),
            runs: f.statistics.runs,
            total_seconds: f.statistics.total_time.as_secs_f64(),
            strategies: f.statistics.strategies.iter().map(Spent::of).collect(),
            recalled: f.statistics.recalled,
            summaries: f.statistics.summaries.map(Summaries::of),
        },
        exploration: f.exploration.as_ref().map(exploration::json),
        fails_when: f.fails_when.as_ref().filter(|c| c.skipped.is_none()).map(|c| FailsWhen {
            constraint: c.constraint.clone(),
            disjuncts: c.disjuncts.clone(),
            may_pass: c.may_pass,
            exactness: Exactness::of(&c.exactness),
            reason: c.exactness.reason().map(str::to_owned),
            premise: c.premise.clone(),
            precondition: c.precondition.clone(),
        }),
        contradictions: f.contradictions.iter().map(|c| contradiction(sources, c)).collect(),
    }
}

fn contradiction(sources: &SourceMap, c: &footpath_driver::Contradiction) -> Contradiction {
    Contradiction {
        objective: c.place.clone(),
        span: span(sources, c.span),
        run: c.run.name().to_owned(),
        test: c.test,
        proof: c.proof.name().to_owned(),
    }
}

pub(super) fn objective(sources: &SourceMap, o: &FoundObjective) -> Objective {
    Objective {
        id: o.id.clone(),
        kind: o.kind.name().to_owned(),
        class: match o.class {
            Class::User => ClassName::User,
            Class::Compiler => ClassName::Compiler,
            Class::Defensive => ClassName::Defensive,
            Class::Macro => ClassName::Macro,
            Class::Portability => ClassName::Portability,
        },
        span: span(sources, o.span),
        lines: lines(sources, &o.lines),
        verdict: match o.verdict {
            Verdict::Covered => VerdictName::Covered,
            Verdict::Doomed => VerdictName::Doomed,
            Verdict::Unreachable => VerdictName::Unreachable,
            Verdict::UnreachableWithin(_) => VerdictName::UnreachableWithinBound,
            Verdict::Unknown(_) => VerdictName::Unknown,
        },
        settled_by: o.settled_by.map(|by| by.name().to_owned()),
        reason: reason(o),
        reason_code: reason_code(&o.verdict),
        assumes: assumes(!assumption(o).is_empty()),
        tests: o.tests.clone(),
        explanation: o.explanation.iter().map(|&s| span(sources, s)).collect(),
        confirmed: o.confirmed,
        failure_class: o.failure.as_ref().map(|class| match class {
            FailureClass::Manifest { .. } | FailureClass::Caused(_) => FailureClassName::Manifest,
            FailureClass::Latent(_) => FailureClassName::Latent,
        }),
        caused_by: cause(o).map(str::to_owned),
        needs: match &o.failure {
            Some(FailureClass::Manifest { needs }) => needs.clone(),
            _ => None,
        },
        precondition: o.precondition().map(|p| Precondition {
            condition: if let Need::Condition(text) = &p.need { Some(text.clone()) } else { None },
            apart: if let Need::Apart(names) = &p.need { Some(names.clone()) } else { None },
            whole: if let Need::Whole(name) = &p.need { Some(name.clone()) } else { None },
            always: p.always,
        }),
        in_baseline: o.in_baseline,
    }
}

fn test(sources: &SourceMap, f: &FunctionResult, index: usize, t: &FoundTest) -> Test {
    let returned = match &t.outcome {
        TestOutcome::Returned(value) => value.clone(),
        _ => None,
    };
    Test {
        number: index + 1,
        inputs: t.inputs.clone(),
        outcome: match &t.outcome {
            TestOutcome::Returned(_) => Outcome::Returned,
            TestOutcome::Exited => Outcome::Exited,
            TestOutcome::Failed { kind, span: at, crash } => Outcome::Failed {
                check: ObjectiveKind::Check(*kind).name().to_owned(),
                span: span(sources, *at),
                crash: crash.clone(),
            },
            TestOutcome::Other(crash) => Outcome::Other { crash: crash.clone() },
        },
        returned,
        covers: t.covers.iter().filter_map(|&o| f.objectives.get(o)).map(|o| o.id.clone()).collect(),
        divergence: t.divergence.clone(),
        sampled: t.sampled.iter().map(sampled_call).collect(),
    }
}

fn sampled(s: &footpath_driver::Sampled) -> Sampled {
    Sampled { function: s.function.clone(), samples: s.samples }
}

fn sampled_call(c: &footpath_driver::SampledCall) -> SampledCall {
    SampledCall { function: c.function.clone(), args: c.args.clone(), result: c.result.clone() }
}

fn totals(c: &Counts) -> Totals {
    Totals {
        blocks: c.blocks,
        blocks_covered: c.blocks_covered,
        branches: c.branches,
        branches_covered: c.branches_covered,
        failing: c.failing,
        preconditions: c.preconditions,
        hold: c.hold,
        hold_within_bound: c.hold_within,
        infeasible: c.infeasible,
        defensive: c.defensive,
        expansions: c.expansions,
        portability: c.portability,
        in_baseline: c.in_baseline,
        unknown: c.unknown,
        tests: c.tests,
        divergences: c.divergences,
    }
}
