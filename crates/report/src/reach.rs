//! The report of `footpath reach`, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use footpath_ir::diagnostic::Diagnostic as EngineDiagnostic;
use footpath_ir::source::{SourceMap, Span as SourceSpan};
use footpath_loop_summaries::{Choice, Reach, Test as FoundTest, Verdict};
use footpath_term::Terms;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::json::{Diagnostic, Span, diagnostic, pretty, span, version};
use crate::suite::{ASSUMES_MEMORY_SAFETY, assumes};
use crate::values::{JsonValue, Values};

/// The name of the format; changes when readers of the old one would break.
pub const SCHEMA: &str = "footpath-reach-1";

/// How many characters a value may have in the report for people.
const SHORT: usize = 60;
/// How many characters a condition may have that people did not ask for.
const READABLE: usize = 2000;
/// How many choices are shown to people.
const MAX_CHOICES: usize = 12;

/// Everything a report is made of.
pub struct ReachRun<'a> {
    /// The command line, program name first.
    pub command: &'a [String],
    /// The files.
    pub sources: &'a SourceMap,
    /// The sorts that values are of.
    pub terms: &'a Arc<Terms>,
    /// What the front end had to say.
    pub diagnostics: &'a [EngineDiagnostic],
    /// The targets, in the order asked for.
    pub targets: &'a [ReachTarget],
    /// Whether the user ended it early.
    pub interrupted: bool,
}

/// What became of a target.
pub struct ReachTarget {
    /// The function or procedure that runs start in.
    pub function: String,
    /// The target, as the user wrote it.
    pub target: String,
    /// Its range.
    pub span: SourceSpan,
    /// The answer.
    pub reach: Reach,
    /// Whether it is unreachable only as long as no access before it goes beyond its object or its life.
    pub assumes_memory_safety: bool,
    /// Whether it is unreachable only as long as no signed integer overflows before it.
    pub assumes_no_overflow: bool,
    /// The file with the test, if one was written.
    pub file: Option<String>,
}

/// The result of `footpath reach`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    /// The format: `footpath-reach-1`. A reader should refuse a name it does not know.
    pub schema: String,
    /// The version of Footpath.
    pub version: String,
    /// The command line, program name first.
    pub command: Vec<String>,
    /// The files that were read.
    pub files: Vec<String>,
    /// Whether the user ended the run early; what was not decided by then is unknown.
    pub interrupted: bool,
    /// Errors, warnings and notes about the input.
    pub diagnostics: Vec<Diagnostic>,
    /// The targets, in the order asked for.
    pub targets: Vec<Target>,
}

/// A target.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Target {
    /// The function or procedure that runs start in.
    pub function: String,
    /// The target, as it was asked for.
    pub target: String,
    /// Its range.
    pub span: Span,
    /// What became of it.
    pub verdict: VerdictName,
    /// What an unreachable one rests on: `accesses_stay`, that no access before it goes beyond its object or its life;
    /// `no_overflow`, that no signed integer overflows before it.
    pub assumes: Vec<String>,
    /// Why nothing is claimed; null unless it is unknown.
    pub why: Option<String>,
    /// The stable code of that reason; `docs/book/reasons.md` has them all. Null unless it is unknown.
    pub reason_code: Option<String>,
    /// What every run that reaches the target implies, over the inputs and the counters of loops: of C in its words, with
    /// `(for every i < n: …)` and `(for some …)`, else as a Boogie expression; null if the target could be refuted or the search ended before it was made.
    pub condition: Option<String>,
    /// A run that reaches it; null unless it is reached.
    pub test: Option<Test>,
    /// Variables whose value after a loop is not known as a function of its rounds.
    pub losses: Vec<Loss>,
    /// Questions to the solver.
    pub queries: u64,
    /// How many iterations of each loop were unfolded in the end.
    pub unfolded: u64,
    /// Time in all.
    pub seconds: f64,
}

/// What became of a target.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VerdictName {
    /// No run reaches it, with any number of loop iterations.
    Unreachable,
    /// A test reaches it, which was replayed.
    Reached,
    /// Nothing is claimed.
    Unknown,
}

/// A run that reaches a target.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Test {
    /// Values at entry, by source name.
    pub inputs: BTreeMap<String, JsonValue>,
    /// Further choices of the run, in order.
    pub choices: Vec<Chosen>,
    /// How many blocks it passes up to the target.
    pub blocks: usize,
    /// The file with the test, if one was written.
    pub file: Option<String>,
}

/// A choice of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Chosen {
    /// A variable got an arbitrary value.
    Value {
        /// The variable.
        variable: String,
        /// The value.
        value: JsonValue,
    },
    /// A free choice went to a label.
    Way {
        /// The label.
        target: String,
        /// Its number among the targets, from 0.
        number: usize,
    },
}

/// A variable whose value after a loop is not known as a function of its rounds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Loss {
    /// Its name; empty if it is the loop as a whole.
    pub variable: String,
    /// Where the loop starts.
    pub span: Span,
    /// Why.
    pub why: String,
}

/// The report for programs.
pub fn report(run: &ReachRun<'_>) -> Report {
    let values = Values::new(run.terms);
    let target = |t: &ReachTarget| {
        let (verdict, reason, test) = match &t.reach.verdict {
            Verdict::Unreachable => (VerdictName::Unreachable, None, None),
            Verdict::Reached(found) => (VerdictName::Reached, None, Some(test(&values, found, t))),
            Verdict::Unknown(reason) => (VerdictName::Unknown, Some(reason), None),
        };
        let losses = t.reach.losses.iter();
        let loss = |(variable, at, why): &(String, SourceSpan, String)| Loss {
            variable: variable.clone(),
            span: span(run.sources, *at),
            why: why.clone(),
        };
        Target {
            function: t.function.clone(),
            target: t.target.clone(),
            span: span(run.sources, t.span),
            verdict,
            assumes: assumptions(t),
            why: reason.map(ToString::to_string),
            reason_code: reason.map(|reason| reason.code.name().to_owned()),
            condition: t.reach.condition.clone(),
            test,
            losses: losses.map(loss).collect(),
            queries: t.reach.queries,
            unfolded: t.reach.unfolded,
            seconds: t.reach.time.as_secs_f64(),
        }
    };
    Report {
        schema: SCHEMA.to_owned(),
        version: version(),
        command: run.command.to_vec(),
        files: run.sources.files().map(|(_, f)| f.name.clone()).collect(),
        interrupted: run.interrupted,
        diagnostics: run.diagnostics.iter().map(|d| diagnostic(run.sources, d)).collect(),
        targets: run.targets.iter().map(target).collect(),
    }
}

/// What a target's being unreachable rests on, as it stands in JSON.
fn assumptions(target: &ReachTarget) -> Vec<String> {
    let mut all = assumes(target.assumes_memory_safety);
    all.extend(target.assumes_no_overflow.then(|| "no_overflow".to_owned()));
    all
}

fn test(values: &Values<'_>, found: &FoundTest, t: &ReachTarget) -> Test {
    let choice = |c: &Choice| match c {
        Choice::Value { variable, value, .. } => {
            Chosen::Value { variable: variable.clone(), value: values.json(value) }
        }
        Choice::Way { target, number } => Chosen::Way { target: target.clone(), number: *number },
    };
    Test {
        inputs: found.inputs.iter().map(|(name, value)| (name.clone(), values.json(value))).collect(),
        choices: found.choices.iter().map(choice).collect(),
        blocks: found.blocks,
        file: t.file.clone(),
    }
}

impl Report {
    /// The report as JSON.
    pub fn to_text(&self) -> String {
        pretty(self)
    }
}

/// The JSON schema of the report.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    pretty(&schemars::schema_for!(Report))
}

/// A run of a Boogie program for people.
fn write_test(text: &mut String, found: &FoundTest, values: &Values<'_>) {
    for (name, value) in &found.inputs {
        let _ = writeln!(text, "    {name} = {}", values.short(value, SHORT));
    }
    for choice in found.choices.iter().take(MAX_CHOICES) {
        let _ = match choice {
            Choice::Value { variable, value, .. } => {
                writeln!(text, "    {variable} becomes {}", values.short(value, SHORT))
            }
            Choice::Way { target, .. } => writeln!(text, "    goes to {target}"),
        };
    }
    if found.choices.len() > MAX_CHOICES {
        let _ = writeln!(text, "    and {} more choices", found.choices.len() - MAX_CHOICES);
    }
    let _ = writeln!(text, "    the target is block number {} of the run", found.blocks + 1);
}

/// The report for people. `full` also shows conditions of targets that were decided.
pub fn text(run: &ReachRun<'_>, full: bool) -> String {
    let values = Values::new(run.terms);
    let mut text = String::new();
    for t in run.targets {
        let place = run.sources.describe(t.span);
        let seconds = t.reach.time.as_secs_f64();
        let _ = match &t.reach.verdict {
            Verdict::Unreachable => {
                let assumption = match (t.assumes_memory_safety, t.assumes_no_overflow) {
                    (false, false) => "",
                    (true, false) => ASSUMES_MEMORY_SAFETY,
                    (false, true) => ", assuming that no signed integer overflows before",
                    (true, true) => ", assuming memory safety and that no signed integer overflows before",
                };
                let from = &t.function;
                writeln!(
                    text,
                    "unreachable  {place} from {from}, for any number of loop iterations{assumption}"
                )
            }
            Verdict::Reached(_) => writeln!(text, "reached      {place} from {}", t.function),
            Verdict::Unknown(why) => {
                writeln!(text, "unknown      {place} from {}: {why} [{}]", t.function, why.code.name())
            }
        };
        match (&t.reach.verdict, &t.file) {
            // The file has the inputs as the source declares them.
            (Verdict::Reached(_), Some(file)) => {
                let _ = writeln!(text, "    by the test in {file}");
            }
            (Verdict::Reached(found), None) => write_test(&mut text, found, &values),
            _ => {}
        }
        let open = matches!(t.reach.verdict, Verdict::Unknown(_));
        if open || full {
            for (variable, at, why) in &t.reach.losses {
                let at = run.sources.describe(*at);
                let what = if variable.is_empty() { "everything" } else { variable };
                let _ = writeln!(text, "    in the loop at {at}, {what}: {why}");
            }
            match t.reach.condition.as_ref().map(|condition| (condition, condition.len())) {
                Some((_, length)) if length > READABLE && !full => {
                    let _ = writeln!(
                        text,
                        "    necessary: a condition of {length} characters (--show-condition prints it)"
                    );
                }
                Some((condition, _)) => {
                    let _ = writeln!(text, "    necessary: {condition}");
                }
                None => {}
            }
        }
        let _ = writeln!(text, "    {} questions, {seconds:.2} s", t.reach.queries);
    }
    text
}
