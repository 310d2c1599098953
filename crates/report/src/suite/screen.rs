//! The report on one screen: what is worth acting on, and where the rest is.
//!
//! Four sections share the lines (`crate::screen`): a summary in percent; the findings, the most important first, each with the input
//! or the proof, the lines that matter and what to do; what functions demand of their callers; what is unknown, by reason, with what
//! helps.
//!
//! **Direction of error.** Nothing is left out without being counted, but the counts alone say so of functions and places.

use std::collections::{BTreeMap, BTreeSet};

use anstyle::{AnsiColor, Style as Paint};
use footpath_driver::{FunctionResult, Objective, Status, Verdict};
use footpath_ir::source::Span;
use textwrap::core::display_width;

use super::counts::{Counts, is_unknown};
use super::decisions::Tally;
use super::findings::{Finding, Rank, cause, crash, demanded, findings, label};
use super::missed::sentences;
use super::{TestRun, assumption, file_name, folder_word, speaking};
use crate::counts::plural;
use crate::screen::{Section, arranged, cut};
use crate::text::Style;

/// Lines that findings, preconditions and reasons have in any case, if they need as many.
const LEAST: [usize; 3] = [11, 6, 7];
/// The most remarks about the run.
const NOTES: usize = 2;

/// The test that shows a failure, and its inputs.
pub(super) fn test(run: &TestRun<'_>, function: &FunctionResult, objective: &Objective) -> String {
    let Some(&number) = objective.tests.first() else {
        return "a test of the whole program shows it".to_owned();
    };
    let program = file_name(function).filter(|_| run.has_tests);
    let program = program.and_then(|f| f.strip_suffix(".c").map(|name| format!(" of {name}")));
    let ends = match (crash(function, objective, number), objective.confirmed) {
        (Some(crash), _) => format!(", ends with {crash}"),
        (None, Some(true)) => ", a sanitizer sees it".to_owned(),
        (None, _) => String::new(),
    };
    let inputs = function.tests.get(number - 1).map(|t| inputs(&t.inputs, &function.name));
    let inputs = inputs.unwrap_or_default();
    let inputs = if inputs.is_empty() { inputs } else { format!(": {inputs}") };
    let cause = cause(objective).map_or_else(String::new, |name| format!("{name} calls it so; "));
    format!("{cause}test {number}{}{ends}{inputs}", program.unwrap_or_default())
}

/// The report; at most [`LINES`] lines, each at most as wide as the style says.
pub(super) fn report(run: &TestRun<'_>, style: &Style) -> String {
    let screen = Screen { run, style, counts: Counts::of_all(&run.run.functions) };
    let (head, end) = (screen.summary(), screen.end());
    let sections = [screen.findings(), screen.preconditions(), screen.unknown()];
    arranged(head, &sections, &LEAST, end)
}

struct Screen<'a> {
    run: &'a TestRun<'a>,
    style: &'a Style,
    counts: Counts,
}

impl Screen<'_> {
    fn summary(&self) -> Vec<String> {
        let (functions, c) = (&self.run.run.functions, &self.counts);
        let files: BTreeSet<_> = functions.iter().map(|f| f.span.file).collect();
        let skipped = functions.iter().filter(|f| matches!(f.status, Status::Skipped(_))).count();
        let mut first = vec![
            format!("{} in {}", plural(functions.len(), "function"), plural(files.len(), "file")),
            plural(c.tests, "test"),
        ];
        if c.divergences > 0 {
            first.push(format!("{} diverged", plural(c.divergences, "test")));
        }
        if skipped > 0 {
            first.push(format!("{skipped} not tested"));
        }
        first.push(format!("{:.0} s", self.run.elapsed.as_secs_f64()));
        let checks = c.failing + c.preconditions + c.hold + c.hold_within + c.checks_unknown;
        let mut lines = self.broken(&first, "");
        let percent =
            |part, whole, what: &str| format!("{} of {what} ({part}/{whole})", percentage(part, whole));
        let covered = [
            percent(c.blocks_covered, c.blocks, "blocks"),
            percent(c.branches_covered, c.branches, "branches"),
        ];
        lines.extend(self.broken(&covered, "covered: "));
        let settled = checks - c.checks_unknown;
        lines.extend(self.broken(&[percent(settled, checks, "checks")], "decided: "));
        if c.blocks_covered < c.blocks {
            lines.push(self.cut(&format!("least covered: {}", self.least_covered())));
        }
        lines
    }

    /// The functions with the most blocks that no test executes.
    fn least_covered(&self) -> String {
        let functions = &self.run.run.functions;
        let mut open: Vec<(usize, String)> = functions
            .iter()
            .map(|f| (Counts::of(f), f))
            .filter(|(c, _)| c.blocks_covered < c.blocks)
            .map(|(c, f)| {
                (c.blocks - c.blocks_covered, format!("{} {}/{}", self.label(f), c.blocks_covered, c.blocks))
            })
            .collect();
        open.sort_by_key(|(missing, _)| usize::MAX - missing);
        open.into_iter().take(8).map(|(_, text)| text).collect::<Vec<String>>().join(", ")
    }

    fn findings(&self) -> Section {
        let all = findings(&self.run.run.sources, &self.run.run.functions);
        let items = all.iter().map(|finding| self.finding(finding)).collect();
        let dead = all.iter().filter(|f| f.rank == Rank::Dead).count();
        let heading = match (all.len() - dead, dead) {
            (failing, 0) => format!("{} to act on", plural(failing, "failure")),
            (0, dead) => format!("{} of code that no input executes", plural(dead, "piece")),
            (failing, dead) => format!(
                "{} to act on, {} of code that no input executes",
                plural(failing, "failure"),
                plural(dead, "piece")
            ),
        };
        Section { heading: self.bold(&heading), items, noun: "finding" }
    }

    fn finding(&self, finding: &Finding<'_>) -> Vec<String> {
        let sources = &self.run.run.sources;
        let main = finding.objectives[0];
        let (word, color) = match finding.rank {
            Rank::Confirmed | Rank::Failing => ("fails", AnsiColor::Red),
            Rank::Dead => ("infeasible", AnsiColor::Yellow),
        };
        let rule = format!("{word}[{}]", finding.kind.rule);
        let place = sources.describe(finding.span);
        let title = format!(
            "{rule} {place} in {}: {}{}",
            self.label(finding.function),
            finding.kind.words,
            if finding.rank == Rank::Dead { assumption(main) } else { "" }
        );
        let title = self.cut(&title).replacen(&rule, &self.styled(&rule, color.on_default()), 1);
        let mut lines = vec![title];
        let because = match finding.rank {
            Rank::Dead => speaking(sources, &main.explanation).into_iter().find(|s| *s != main.span),
            _ => None,
        };
        lines.extend(because.map(|span| self.source(span, "rules it out")));
        lines.push(self.source(finding.span, ""));
        lines.extend(finding.reason(sources).map(|why| self.cut(&format!("  {why}"))));
        if finding.rank != Rank::Dead {
            lines.push(self.cut(&format!("  {}", test(self.run, finding.function, main))));
        }
        lines.push(self.cut(&format!("  do: {}", finding.kind.advice)));
        lines
    }

    /// The line on which something stands, with its number.
    fn source(&self, span: Span, remark: &str) -> String {
        let sources = &self.run.run.sources;
        let number = sources.range(span).0.line;
        let line = sources.file(span.file).line(number).trim().replace('\t', " ");
        let remark = if remark.is_empty() { String::new() } else { format!("   ({remark})") };
        let room = self.style.width.saturating_sub(display_width(&remark));
        format!("{}{remark}", cut(&format!("  {number:>5} | {line}"), room))
    }

    fn preconditions(&self) -> Section {
        let sources = &self.run.run.sources;
        let functions = &self.run.run.functions;
        let all: Vec<(String, String)> =
            functions.iter().filter_map(|f| Some((self.label(f), demanded(sources, f)?))).collect();
        let width = all.iter().map(|(name, _)| display_width(name)).max().unwrap_or(0);
        let width = width.min(self.style.width / 3);
        let item = |(name, text): &(String, String)| {
            let gap = " ".repeat(width.saturating_sub(display_width(name)));
            vec![self.cut(&format!("  {name}{gap}  {text}"))]
        };
        let (n, m) = (plural(all.len(), "function"), if all.len() == 1 { "demands" } else { "demand" });
        let heading = self.cut(&format!("{n} {m} of callers (no finding; --strict makes it one)"));
        Section { heading: self.bold(&heading), items: all.iter().map(item).collect(), noun: "function" }
    }

    /// What is unknown, by reason, the most frequent first.
    fn unknown(&self) -> Section {
        let mut reasons: BTreeMap<(String, String), usize> = BTreeMap::new();
        let objectives = self.run.run.functions.iter().flat_map(|f| &f.objectives);
        for o in objectives.filter(|o| is_unknown(o)) {
            let reason = match &o.verdict {
                Verdict::Unknown(why) => (why.code.name().to_owned(), why.code.advice().to_owned()),
                Verdict::UnreachableWithin(bound) => {
                    let advice = format!("No input within the bound reaches it. {}", bound.advice());
                    (bound.name().replace('_', "-"), advice)
                }
                _ => continue,
            };
            *reasons.entry(reason).or_default() += 1;
        }
        let total: usize = reasons.values().sum();
        let noun = if total == 1 { "place or check is" } else { "places and checks are" };
        let heading = self.cut(&format!("{total} {noun} undecided"));
        Section {
            heading: self.bold(&heading),
            items: crate::screen::reasons(reasons, self.style.width),
            noun: "reason",
        }
    }

    fn end(&self) -> Vec<String> {
        let mut lines = vec![String::new()];
        let notes: Vec<&str> = self.run.run.notes.iter().filter_map(|note| note.lines().next()).collect();
        lines.extend(notes.iter().take(NOTES).map(|note| self.cut(&format!("note: {note}"))));
        if notes.len() > NOTES {
            lines.push(format!("… and {}", plural(notes.len() - NOTES, "more note")));
        }
        if self.run.interrupted {
            lines.push(self.cut("interrupted: what was not decided by then is unknown"));
        }
        let c = &self.counts;
        let mut left: Vec<String> = Vec::new();
        let mut count = |n: usize, text: &str| {
            if n > 0 {
                left.push(format!("{} {text}", plural(n, "place")));
            }
        };
        count(c.defensive, "of defensive code");
        count(c.expansions, "in macros");
        count(c.portability, "of portability guards");
        if !left.is_empty() {
            lines.push(self.cut(&format!("never executed, and no finding: {}", left.join(", "))));
        }
        if c.in_baseline > 0 {
            lines.push(format!("{} in the baseline", plural(c.in_baseline, "finding")));
        }
        lines.extend(Tally::of_all(&self.run.run.functions).words());
        lines.extend(sentences(self.run).iter().map(|sentence| self.cut(sentence)));
        if c.tests > 0 && self.run.has_tests {
            lines.push(self.cut(&format!("run the tests with `make -C {}`", folder_word(self.run.folder))));
        }
        let rest = ["--verbose prints the rest", "--emit html writes a page", "--format json has it all"];
        let rest: Vec<String> = rest.map(str::to_owned).to_vec();
        lines.extend(self.broken(&rest, ""));
        lines
    }

    fn label(&self, function: &FunctionResult) -> String {
        label(&self.run.run.sources, &self.run.run.functions, function)
    }

    /// Parts joined by commas, broken between them.
    fn broken(&self, parts: &[String], before: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut line = before.to_owned();
        for (i, part) in parts.iter().enumerate() {
            let part = if i + 1 < parts.len() { format!("{part}, ") } else { part.clone() };
            if i > 0 && display_width(&line) + display_width(part.trim_end()) > self.style.width {
                lines.push(line.trim_end().to_owned());
                line = "  ".to_owned();
            }
            line.push_str(&part);
        }
        lines.push(self.cut(&line));
        lines
    }

    fn cut(&self, line: &str) -> String {
        cut(line, self.style.width)
    }

    fn bold(&self, text: &str) -> String {
        self.styled(text, Paint::new().bold())
    }

    fn styled(&self, text: &str, paint: Paint) -> String {
        if self.style.color { format!("{paint}{text}{paint:#}") } else { text.to_owned() }
    }
}

/// How much of a whole something is, in percent; 100 % only for all of it.
pub(super) fn percentage(part: usize, whole: usize) -> String {
    format!("{} %", (part * 100).checked_div(whole).unwrap_or(100))
}

/// The inputs of a test in one line: the call, then what it is made of.
fn inputs(test: &str, function: &str) -> String {
    let body = test.split_once("\n{\n").map_or(test, |(_, body)| body);
    let lines = || body.lines().map(str::trim).filter(|line| !line.starts_with("/*"));
    let call_of = |line: &str| {
        let at = line.find(&format!("{function}("))?;
        let is_whole = line[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        is_whole.then(|| line[at..].trim_end_matches(';').to_owned())
    };
    let Some(call) = lines().find_map(call_of) else { return String::new() };
    let made = lines().take_while(|line| call_of(line).is_none()).filter_map(said);
    let made: Vec<String> = made.collect();
    if made.is_empty() { call } else { format!("{call} with {}", made.join(", ")) }
}

/// A line of a test in words, where it says something about inputs.
fn said(line: &str) -> Option<String> {
    let line = line.trim_end_matches(';');
    if let Some(number) = line.strip_prefix("FOOTPATH_ALLOCATION_FAILS(") {
        return Some(format!("allocation {} that fails", number.trim_end_matches(')')));
    }
    let is_own =
        line.starts_with("footpath_") || line.starts_with("FOOTPATH_") || line.contains("footpath_allocate(");
    (!line.is_empty() && !is_own).then(|| line.to_owned())
}
