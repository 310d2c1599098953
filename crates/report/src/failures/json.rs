//! The report for programs: the stable interface of `footpath failures`.
//!
//! The structs below *are* the format; `schema/failures.schema.json` is generated from them ([`schema`]).

use std::collections::BTreeMap;

use footpath_driver::preconditions::{Exactness as Found, FailureTest, FunctionFailures};
use footpath_ir::source::SourceMap;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::FailuresRun;
use crate::json::{Diagnostic, Span, diagnostic, pretty, span, version};

/// The name of the format; changes when readers of the old one would break.
pub const SCHEMA: &str = "footpath-failures-1";

/// The result of `footpath failures`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    /// The format: `footpath-failures-1`. A reader should refuse a name it does not know.
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
    /// The functions, in source order.
    pub functions: Vec<Function>,
    /// Seconds from start to end.
    pub elapsed_seconds: f64,
}

/// Under which inputs a function fails.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// Why it was not analysed; null if it was.
    pub skipped: Option<String>,
    /// The condition under which it fails, in the source's terms; `false` for never. Null if it was not analysed.
    pub constraint: Option<String>,
    /// Its disjuncts.
    pub disjuncts: Vec<String>,
    /// Where the condition is about some element of an array: the body of a function in C that returns whether it holds; null
    /// where the condition is an expression of C.
    pub in_c: Option<String>,
    /// What is assumed of all inputs; null for nothing.
    pub premise: Option<String>,
    /// What to demand of inputs so that nothing fails; null if the condition is not exact, or holds always or never.
    pub precondition: Option<String>,
    /// How the condition relates to failing.
    pub exactness: Exactness,
    /// Whether inputs that satisfy the condition may pass, too: what external functions return, whether allocation fails,
    /// or the like decides.
    pub may_pass: bool,
    /// If inputs may pass: for which results of external functions they fail; null if that is not known.
    pub by_results: Option<ByResults>,
    /// For a bounded condition: how many rounds or calls are in it.
    pub bound: Option<u32>,
    /// Why it is not exact; null if it is.
    pub reason: Option<String>,
    /// If it is neither exact nor necessary: what all inputs that fail satisfy; null if nothing is known.
    pub only_when: Option<String>,
    /// Paths that were run, all segments together.
    pub paths: u64,
    /// Into how many segments it was cut.
    pub segments: usize,
    /// Its loops, innermost first.
    pub loops: Vec<Loop>,
    /// The functions that it calls whose own conditions stand for their bodies.
    pub instantiated: Vec<String>,
    /// A failing test for each disjunct for which one was found, and a passing one.
    pub tests: Vec<Test>,
    /// The file of C with the tests, if the run keeps one.
    pub file: Option<String>,
    /// Runs on random inputs that agreed with the condition.
    pub checked: u32,
    /// Remarks.
    pub notes: Vec<String>,
    /// Questions of the simplifier.
    pub queries: u64,
    /// Seconds in all.
    pub total_seconds: f64,
}

/// For which inputs and results of external functions a function fails.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ByResults {
    /// The condition.
    pub constraint: String,
    /// How it relates to failing.
    pub exactness: Exactness,
    /// Whether something else decides, too.
    pub may_pass: bool,
    /// What the names of results in the condition mean.
    pub legend: String,
}

/// How a condition relates to failing.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Exactness {
    /// The function can fail for just these inputs.
    Exact,
    /// Inputs that fail satisfy it; others may, too.
    Necessary,
    /// Inputs that satisfy it fail; others may, too.
    Sufficient,
    /// Inputs that satisfy it fail; what happens beyond a bound is left out.
    Bounded,
}

impl Exactness {
    pub(crate) fn of(found: &Found) -> Exactness {
        match found {
            Found::Exact => Exactness::Exact,
            Found::Necessary(_) => Exactness::Necessary,
            Found::Sufficient(_) => Exactness::Sufficient,
            Found::Bounded(..) => Exactness::Bounded,
        }
    }
}

/// A loop.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Loop {
    /// Where it stands.
    pub span: Span,
    /// Rounds until nothing was added, or until it was given up.
    pub rounds: u32,
    /// Whether a further round adds nothing.
    pub fixpoint: bool,
    /// Whether the fixpoint is a closed form that was proved by induction.
    pub closed_form: bool,
}

/// A test that the reference interpreter has run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Test {
    /// Whether it fails.
    pub fails: bool,
    /// The kind of the check that fails; null if it passes.
    pub check: Option<String>,
    /// Where that stands; null if it passes.
    pub span: Option<Span>,
    /// The disjunct that it satisfies, by position from 0; null if it passes.
    pub disjunct: Option<usize>,
    /// Its inputs.
    pub inputs: BTreeMap<String, String>,
    /// Whether it did the same when it was compiled and run; null if it was not, or if nothing can tell.
    pub confirmed: Option<bool>,
}

/// The report of a run.
pub fn report(run: &FailuresRun<'_>) -> Report {
    Report {
        schema: SCHEMA.to_owned(),
        version: version(),
        command: run.command.to_vec(),
        interrupted: run.interrupted,
        diagnostics: run.diagnostics.iter().map(|d| diagnostic(run.sources, d)).collect(),
        notes: run.notes.to_vec(),
        functions: run.functions.iter().map(|f| function(run.sources, f)).collect(),
        elapsed_seconds: run.elapsed.as_secs_f64(),
    }
}

impl Report {
    /// The report as text, with line breaks, ending in one.
    pub fn to_text(&self) -> String {
        pretty(self)
    }
}

/// The JSON schema of [`Report`], as committed in `schema/failures.schema.json`.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    pretty(&schemars::schema_for!(Report))
}

fn function(sources: &SourceMap, f: &FunctionFailures) -> Function {
    Function {
        name: f.name.clone(),
        span: span(sources, f.span),
        skipped: f.skipped.clone(),
        constraint: f.skipped.is_none().then(|| f.constraint.clone()),
        disjuncts: f.disjuncts.clone(),
        in_c: f.in_c.clone(),
        premise: f.premise.clone(),
        precondition: f.precondition.clone(),
        exactness: Exactness::of(&f.exactness),
        may_pass: f.may_pass,
        by_results: f.by_results.as_ref().map(|by| ByResults {
            constraint: by.constraint.clone(),
            exactness: Exactness::of(&by.exactness),
            may_pass: by.may_pass,
            legend: by.legend.clone(),
        }),
        bound: match f.exactness {
            Found::Bounded(k, _) => Some(k),
            _ => None,
        },
        reason: f.exactness.reason().map(str::to_owned),
        only_when: f.only_when.clone(),
        paths: f.paths,
        segments: f.segments,
        loops: f
            .loops
            .iter()
            .map(|l| Loop {
                span: span(sources, l.span),
                rounds: l.rounds,
                fixpoint: l.fixpoint,
                closed_form: l.closed,
            })
            .collect(),
        instantiated: f.instantiated.clone(),
        tests: f.tests.iter().map(|t| test(sources, t)).collect(),
        file: f.file.as_ref().map(|f| f.display().to_string()),
        checked: f.checked,
        notes: f.notes.clone(),
        queries: f.queries,
        total_seconds: f.time.as_secs_f64(),
    }
}

fn test(sources: &SourceMap, t: &FailureTest) -> Test {
    Test {
        fails: t.fails.is_some(),
        check: t.fails.map(|(kind, _)| kind.name().to_owned()),
        span: t.fails.map(|(_, at)| span(sources, at)),
        disjunct: t.disjunct,
        inputs: t.inputs.iter().cloned().collect(),
        confirmed: t.confirmed,
    }
}
