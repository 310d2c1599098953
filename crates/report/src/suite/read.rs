//! The report for programs, read back: what `json.rs` writes becomes the plain data of which all other formats are made.
//!
//! Places are kept as lines and columns, so the sources are read again; a report names those in which functions have code with
//! digests of their texts, and none of it is believed of a text that has changed. Files that are there no more, such as compilers'
//! texts in temporary folders, have places and no text.
//!
//! **Direction of error.** Nothing is guessed: a word that is not one of the format's is an error. What JSON leaves out is what
//! only tests of whole programs need ([`footpath_driver::Test::returned`]), and how tests are built.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use footpath_concolic::{Bound as SearchBound, Classes, Hits, Summary};
use footpath_cover::SummaryCounts;
use footpath_driver::preconditions::{Exactness as Found, FunctionFailures};
use footpath_driver::{
    Class, Contradiction, Costs, FailureClass, FunctionResult, FunctionStatistics, LineFate, Method,
    MissedLine, MissedLines, Need, Objective, ObjectiveKind, Precondition, Run, SampledCall, Spent, Status,
    Test, TestOutcome, Verdict,
};
use footpath_ir::AssertKind;
use footpath_ir::diagnostic::{Diagnostic, Severity};
use footpath_ir::source::{FileId, Position, SourceFile, SourceMap, Span};
use footpath_verdict::{Bound, Code, Reason};
use serde::Deserialize;
use serde_json::Value;

use super::json::{
    self, ClassName, FailsWhen, FailureClassName, Outcome, Report, SCHEMA, StatusName, VerdictName, sha256,
};
use crate::exploration::Exploration;
use crate::failures::json::Exactness;
use crate::json::{SeverityName, Span as JsonSpan, Summaries, version};

/// Why a text is no report that can be used: where, if that is known, and a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// Line and column.
    pub place: Option<(usize, usize)>,
    /// What is wrong.
    pub why: String,
}

impl From<String> for Unreadable {
    fn from(why: String) -> Unreadable {
        Unreadable { place: None, why }
    }
}

/// How the text of a source is read; nothing if it is not there.
pub type Open<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// A reader of reports, which share their sources.
pub struct Reader<'a> {
    open: Open<'a>,
    sources: SourceMap,
    files: BTreeMap<String, FileId>,
    /// The lines of files that are not there, as long as places in them need.
    extents: BTreeMap<String, BTreeMap<u32, u32>>,
}

/// A report that was read. The places in it are those of the reader's sources.
pub struct Loaded {
    /// What was found.
    pub run: Run,
    /// The command line.
    pub command: Vec<String>,
    /// Whether the user ended the run early.
    pub interrupted: bool,
    /// How long it took.
    pub elapsed: Duration,
}

type Read<T> = Result<T, String>;

impl<'a> Reader<'a> {
    /// A reader that knows no sources yet.
    pub fn new(open: Open<'a>) -> Reader<'a> {
        Reader { open, sources: SourceMap::new(), files: BTreeMap::new(), extents: BTreeMap::new() }
    }

    /// The sources of all reports.
    pub fn into_sources(self) -> SourceMap {
        self.sources
    }

    /// The sources of the reports that were read so far.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Reads a report.
    ///
    /// # Errors
    /// If it is none, or of another version, or if one of its sources is another text now.
    pub fn read(&mut self, text: &str) -> Result<Loaded, Unreadable> {
        let value: Value = serde_json::from_str(text).map_err(|why| no_report(&why))?;
        let word = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        if let Some(schema) = word("schema").filter(|schema| *schema != SCHEMA) {
            return Err(format!("this is a report in the format `{schema}`, not in `{SCHEMA}`").into());
        }
        if let Some(other) = word("version").filter(|other| *other != version()) {
            return Err(
                format!("this report is by footpath {other}, and this is footpath {}", version()).into()
            );
        }
        self.extents.clear();
        extents(&value, &mut self.extents);
        let report: Report = serde_json::from_str(text).map_err(|why| no_report(&why))?;
        self.report(&report).map_err(Unreadable::from)
    }

    fn report(&mut self, report: &Report) -> Read<Loaded> {
        let mut listed = Vec::new();
        for source in &report.sources {
            let file = self.file(&source.file);
            let now = sha256(&self.sources.file(file).text);
            if now != source.digest {
                let why = if (self.open)(Path::new(&source.file)).is_some() {
                    "has changed since this report was made"
                } else {
                    "cannot be read; reports are merged in the folder in which they were made, with the sources"
                };
                return Err(format!("{} {why}", source.file));
            }
            listed.push(file);
        }
        let diagnostics = report.diagnostics.iter().map(|d| self.diagnostic(d)).collect();
        let functions: Vec<FunctionResult> =
            report.functions.iter().map(|f| self.function(f)).collect::<Read<_>>()?;
        let mut missed = report.missed_lines.as_ref().map(|missed| self.missed(missed));
        if let Some(missed) = &mut missed {
            missed.settle(&functions);
        }
        let run = Run {
            known: functions.iter().map(|f| f.name.clone()).collect(),
            functions,
            diagnostics,
            sources: SourceMap::new(),
            notes: report.notes.clone(),
            left_out: report.files_left_out,
            compiler: String::new(),
            replaced: String::new(),
            sampled: Vec::new(),
            test_files: BTreeMap::new(),
            files: report.sources.iter().map(|source| (PathBuf::from(&source.file), Vec::new())).collect(),
            read: BTreeSet::new(),
            missed,
            listed,
            part: report.shard.as_ref().map(super::shard::Shard::part),
        };
        let elapsed = seconds(report.elapsed_seconds)?;
        Ok(Loaded { run, command: report.command.clone(), interrupted: report.interrupted, elapsed })
    }

    /// The file of this name.
    fn file(&mut self, name: &str) -> FileId {
        if let Some(&known) = self.files.get(name) {
            return known;
        }
        let text = (self.open)(Path::new(name)).unwrap_or_else(|| self.blank(name));
        let id = self.sources.add(SourceFile::new(name, text));
        self.files.insert(name.to_owned(), id);
        id
    }

    /// A text that has the places of a report in a file that is not there.
    fn blank(&self, name: &str) -> String {
        let Some(lines) = self.extents.get(name) else { return String::new() };
        let last = lines.keys().next_back().copied().unwrap_or(0);
        let width = |line: u32| lines.get(&line).map_or(0, |column| column.saturating_sub(1) as usize);
        (1..=last).map(|line| " ".repeat(width(line)) + "\n").collect()
    }

    fn span(&mut self, span: &JsonSpan) -> Span {
        let file = self.file(&span.file);
        let text = self.sources.file(file);
        let start = text.offset(Position { line: span.line, column: span.column });
        let end = text.offset(Position { line: span.end_line, column: span.end_column });
        Span { file, start, end: end.max(start) }
    }

    fn diagnostic(&mut self, d: &crate::json::Diagnostic) -> Diagnostic {
        let severity = match d.severity {
            SeverityName::Error => Severity::Error,
            SeverityName::Warning => Severity::Warning,
            SeverityName::Note => Severity::Note,
        };
        Diagnostic {
            severity,
            code: d.code.clone().into(),
            message: d.message.clone(),
            span: d.span.as_ref().map(|span| self.span(span)),
            labels: d.labels.iter().map(|l| (self.span(&l.span), l.message.clone())).collect(),
            help: d.help.clone(),
        }
    }

    fn function(&mut self, f: &json::Function) -> Read<FunctionResult> {
        let span = self.span(&f.span);
        let status = match f.status {
            StatusName::Analysed => Status::Analysed,
            StatusName::Skipped => Status::Skipped(f.reason.clone().unwrap_or_default()),
        };
        if !f.decisions.is_empty() {
            return Err("reports about conditions (--criterion) cannot be read back".to_owned());
        }
        let position: BTreeMap<&str, usize> =
            f.objectives.iter().enumerate().map(|(i, o)| (o.id.as_str(), i)).collect();
        Ok(FunctionResult {
            name: f.name.clone(),
            span,
            status,
            objectives: f.objectives.iter().map(|o| self.objective(o)).collect::<Read<_>>()?,
            decisions: Vec::new(),
            tests: f.tests.iter().map(|t| self.test(t, &position)).collect::<Read<_>>()?,
            file: f.test_file.as_ref().map(PathBuf::from),
            uncalled: false,
            bounded: f.bounded,
            notes: f.notes.clone(),
            statistics: statistics(&f.statistics)?,
            exploration: f.exploration.as_ref().map(exploration).transpose()?,
            contradictions: f.contradictions.iter().map(|c| self.contradiction(c)).collect::<Read<_>>()?,
            fails_when: f.fails_when.as_ref().map(|c| fails_when(&f.name, span, c)),
            fuzz: None,
        })
    }

    fn objective(&mut self, o: &json::Objective) -> Read<Objective> {
        let mut lines = Vec::new();
        for of_block in &o.lines {
            let file = self.file(&of_block.file);
            let last = of_block.last.min(self.sources.file(file).line_count());
            lines.extend((of_block.first..=last).map(|line| (file, line)));
        }
        let verdict = verdict(o)?;
        let assumes_memory_safety = !o.assumes.is_empty();
        Ok(Objective {
            id: o.id.clone(),
            kind: kind(&o.kind)?,
            class: match o.class {
                ClassName::User => Class::User,
                ClassName::Compiler => Class::Compiler,
                ClassName::Defensive => Class::Defensive,
                ClassName::Macro => Class::Macro,
                ClassName::Portability => Class::Portability,
            },
            span: self.span(&o.span),
            lines,
            verdict,
            settled_by: o.settled_by.as_deref().map(method).transpose()?,
            tests: o.tests.clone(),
            assumes_memory_safety,
            explanation: o.explanation.iter().map(|span| self.span(span)).collect(),
            confirmed: o.confirmed,
            failure: failure(o),
            in_baseline: o.in_baseline,
        })
    }

    fn test(&mut self, t: &json::Test, position: &BTreeMap<&str, usize>) -> Read<Test> {
        let covers = t.covers.iter().map(|id| {
            let found = position.get(id.as_str()).copied();
            found.ok_or_else(|| format!("a test covers `{id}`, which its function does not have"))
        });
        let outcome = match &t.outcome {
            Outcome::Returned => TestOutcome::Returned(t.returned.clone()),
            Outcome::Exited => TestOutcome::Exited,
            Outcome::Failed { check, span, crash } => {
                TestOutcome::Failed { kind: check_kind(check)?, span: self.span(span), crash: crash.clone() }
            }
            Outcome::Other { crash } => TestOutcome::Other(crash.clone()),
        };
        let sampled = |c: &json::SampledCall| SampledCall {
            function: c.function.clone(),
            args: c.args.clone(),
            result: c.result.clone(),
        };
        Ok(Test {
            outcome,
            covers: covers.collect::<Read<_>>()?,
            divergence: t.divergence.clone(),
            inputs: t.inputs.clone(),
            returned: Vec::new(),
            sampled: t.sampled.iter().map(sampled).collect(),
        })
    }

    fn contradiction(&mut self, c: &json::Contradiction) -> Read<Contradiction> {
        Ok(Contradiction {
            place: c.objective.clone(),
            span: self.span(&c.span),
            run: method(&c.run)?,
            test: c.test,
            proof: method(&c.proof)?,
        })
    }

    /// The lines that tests missed; what became of them is to be settled.
    fn missed(&mut self, missed: &json::MissedLines) -> MissedLines {
        let line = |l: &json::MissedLine| MissedLine {
            file: self.file(&l.file),
            line: l.line,
            function: l.function.clone(),
            blocks: l.blocks,
            fate: LineFate::Open(Verdict::Unknown(Code::NotAnalysed.into())),
        };
        let lines = missed.lines.iter().map(line).collect();
        let files = missed.files.iter().map(|f| (self.file(&f.file), PathBuf::from(&f.reported))).collect();
        MissedLines { report: missed.report.clone(), lines, files, without_code: missed.without_code }
    }
}

/// What functions cost in the run of a report.
///
/// # Errors
/// If it is none.
pub fn costs(text: &str) -> Result<Costs, Unreadable> {
    #[derive(Deserialize)]
    struct Report {
        functions: Vec<Function>,
    }
    #[derive(Deserialize)]
    struct Function {
        name: String,
        file: String,
        statistics: Statistics,
    }
    #[derive(Deserialize)]
    struct Statistics {
        total_seconds: f64,
        recalled: bool,
    }
    // Any version will do that has these.
    let report: Report = serde_json::from_str(text).map_err(|why| no_report(&why))?;
    let mut costs = Costs::new();
    // What the store knew cost nothing, which says nothing.
    for function in report.functions.iter().filter(|f| !f.statistics.recalled) {
        let cost: &mut Duration = costs.entry((function.file.clone(), function.name.clone())).or_default();
        *cost = cost.saturating_add(seconds(function.statistics.total_seconds)?);
    }
    Ok(costs)
}

fn no_report(why: &serde_json::Error) -> Unreadable {
    no_json("no report of `footpath test --format json`", why)
}

/// That a text is not `what`.
pub(super) fn no_json(what: &str, why: &serde_json::Error) -> Unreadable {
    Unreadable {
        place: (why.line() > 0).then(|| (why.line(), why.column())),
        why: format!("this is {what}: {}", message(why)),
    }
}

/// What serde says, without the place.
fn message(why: &serde_json::Error) -> String {
    let text = why.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(before, _)| before.to_owned())
}

/// The last columns of all lines in which places of a report begin or end, by files.
fn extents(value: &Value, all: &mut BTreeMap<String, BTreeMap<u32, u32>>) {
    match value {
        Value::Object(map) => {
            let number = |key| map.get(key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
            if let Some(file) = map.get("file").and_then(Value::as_str) {
                let ends = [(number("line"), number("column")), (number("end_line"), number("end_column"))];
                for (line, column) in ends.into_iter().filter_map(|(line, column)| line.zip(column)) {
                    let last = all.entry(file.to_owned()).or_default().entry(line).or_default();
                    *last = column.max(*last);
                }
            }
            map.values().for_each(|value| extents(value, all));
        }
        Value::Array(values) => values.iter().for_each(|value| extents(value, all)),
        _ => {}
    }
}

fn seconds(value: f64) -> Read<Duration> {
    Duration::try_from_secs_f64(value).map_err(|_| format!("{value} is no number of seconds"))
}

fn method(name: &str) -> Read<Method> {
    let found = Method::ALL.into_iter().find(|method| method.name() == name);
    found.ok_or_else(|| format!("`{name}` is no method of proving or testing"))
}

fn check_kind(name: &str) -> Read<AssertKind> {
    let found = AssertKind::ALL.iter().copied().find(|kind| kind.name() == name);
    found.ok_or_else(|| format!("`{name}` is no kind of check"))
}

fn kind(name: &str) -> Read<ObjectiveKind> {
    let plain = [ObjectiveKind::Block, ObjectiveKind::Branch(true), ObjectiveKind::Branch(false)];
    match plain.into_iter().find(|kind| kind.name() == name) {
        Some(kind) => Ok(kind),
        None => check_kind(name).map(ObjectiveKind::Check),
    }
}

fn verdict(o: &json::Objective) -> Read<Verdict> {
    let (code, words) = (o.reason_code.as_deref().unwrap_or(""), o.reason.as_deref().unwrap_or(""));
    let unknown = || format!("`{words}` is not what the reason `{code}` says");
    Ok(match o.verdict {
        VerdictName::Covered => Verdict::Covered,
        VerdictName::Doomed => Verdict::Doomed,
        VerdictName::Unreachable => Verdict::Unreachable,
        VerdictName::UnreachableWithinBound => {
            Verdict::UnreachableWithin(Bound::in_words(code, words).ok_or_else(unknown)?)
        }
        VerdictName::Unknown => Verdict::Unknown(Reason::in_words(code, words).ok_or_else(unknown)?),
    })
}

fn failure(o: &json::Objective) -> Option<FailureClass> {
    Some(match (o.failure_class?, &o.caused_by, &o.precondition) {
        (FailureClassName::Manifest, Some(by), _) => FailureClass::Caused(by.clone()),
        (FailureClassName::Manifest, None, _) => FailureClass::Manifest { needs: o.needs.clone() },
        (FailureClassName::Latent, _, p) => {
            let of = |p: &json::Precondition| match (&p.condition, &p.apart, &p.whole) {
                (Some(text), _, _) => Need::Condition(text.clone()),
                (_, Some(names), _) => Need::Apart(names.clone()),
                (_, _, Some(name)) => Need::Whole(name.clone()),
                _ => Need::OfKind,
            };
            let need = p.as_ref().map_or(Need::OfKind, of);
            FailureClass::Latent(Precondition { need, always: p.as_ref().is_some_and(|p| p.always) })
        }
    })
}

fn statistics(s: &json::Statistics) -> Read<FunctionStatistics> {
    let spent = |s: &json::Spent| {
        Ok(Spent { strategy: s.strategy.clone().into(), time: seconds(s.seconds)?, claims: s.claims })
    };
    let summaries = |s: &Summaries| {
        let Summaries { computed, reused, refined, queries, solver_seconds } = *s;
        Ok::<_, String>(SummaryCounts {
            computed,
            reused,
            refined,
            queries,
            solver_time: seconds(solver_seconds)?,
        })
    };
    Ok(FunctionStatistics {
        queries: s.queries,
        solver_time: seconds(s.solver_seconds)?,
        runs: s.runs,
        total_time: seconds(s.total_seconds)?,
        strategies: s.strategies.iter().map(spent).collect::<Read<_>>()?,
        summaries: s.summaries.as_ref().map(summaries).transpose()?,
        recalled: s.recalled,
    })
}

fn exploration(e: &Exploration) -> Read<Summary> {
    let t = &e.tests;
    let bound = |(name, &count): (&String, &u64)| {
        let found = SearchBound::ALL.into_iter().find(|bound| bound.name() == name);
        found.map(|bound| (bound, count)).ok_or_else(|| format!("`{name}` is no bound of a search"))
    };
    Ok(Summary {
        runs: e.runs,
        concrete_runs: e.concrete_runs,
        paths: e.paths,
        steps: e.steps,
        snapshot_runs: e.snapshot_runs,
        snapshot_steps: e.snapshot_steps,
        classes: Classes {
            failing: t.failing,
            successful: t.successful,
            redundant: t.redundant,
            aborted: t.aborted,
            interrupted: t.interrupted,
            duplicate: t.duplicate,
            endless: t.endless,
            unfinished: t.unfinished,
        },
        bounds: Hits::of(e.bounds.iter().map(bound).collect::<Read<Vec<_>>>()?),
        queries: e.queries,
        solver_time: seconds(e.solver_seconds)?,
        total_time: seconds(e.seconds)?,
        frontier: e.frontier_left,
        exhausted_within_iterations: e.exhausted_within_iterations,
        exhausted: e.exhausted,
    })
}

fn fails_when(name: &str, span: Span, c: &FailsWhen) -> FunctionFailures {
    let why = c.reason.clone().unwrap_or_default();
    FunctionFailures {
        skipped: None,
        constraint: c.constraint.clone(),
        disjuncts: c.disjuncts.clone(),
        premise: c.premise.clone(),
        precondition: c.precondition.clone(),
        exactness: match c.exactness {
            Exactness::Exact => Found::Exact,
            Exactness::Necessary => Found::Necessary(why),
            Exactness::Sufficient => Found::Sufficient(why),
            // The number stands in the sentence, too.
            Exactness::Bounded => Found::Bounded(0, why),
        },
        may_pass: c.may_pass,
        by_results: None,
        in_c: None,
        // The rest is in no report.
        ..FunctionFailures::skipped(name, span, String::new())
    }
}
