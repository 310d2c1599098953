//! The report for a terminal.
//!
//! Per procedure: one line of counts; what is infeasible or doomed, drawn on the source with its explanation;
//! the assertions that can fail, with inputs that make them fail; what is unknown, grouped by reason; the
//! tests. Then one line of totals.
//!
//! The text is for reading, so it is short: many procedures with nothing to say get their line of counts
//! only, and long lists end in a count of what is left out. [`Style::full`] lifts these limits.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style as Paint};
use footpath_cover::{Objective, ObjectiveKind, Outcome, ProcedureCover, Test, Verdict};
use footpath_ir::AssertKind;
use footpath_ir::diagnostic::{Diagnostic, Severity};
use footpath_ir::source::{SourceMap, Span};
use footpath_verdict::Bound;

use crate::CoverRun;
use crate::choice;
use crate::counts::{Counts, plural, procedures};
use crate::exploration;
use crate::snippet::{Mark, Message, Tone, draw};
use crate::table::{hang, table, wrap};
use crate::values::Values;
use textwrap::core::display_width;

/// How text is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether to use colours.
    pub color: bool,
    /// The number of columns to fit.
    pub width: usize,
    /// Whether to show everything, however long.
    pub full: bool,
}

/// With more procedures than this, the tests of those with nothing to say are left out.
const MANY_PROCEDURES: usize = 12;
/// At most so many messages of a kind are drawn on the source for one procedure; the rest is listed.
const MAX_DRAWN: usize = 8;
/// At most so many tests are shown for one procedure.
const MAX_TESTS: usize = 20;
/// At most so many places stand in a list.
const MAX_PLACES: usize = 12;

/// Diagnostics, each with the source line it is about, and a last line that counts them.
pub fn diagnostics(sources: &SourceMap, diagnostics: &[Diagnostic], style: &Style) -> String {
    let mut text = String::new();
    for d in diagnostics {
        let (tone, name) = match d.severity {
            Severity::Error => (Tone::Error, "error"),
            Severity::Warning => (Tone::Warning, "warning"),
            Severity::Note => (Tone::Note, "note"),
        };
        let primary = d.span.map(|span| Mark { span, primary: true, label: String::new() });
        let others =
            d.labels.iter().map(|(span, remark)| Mark { span: *span, primary: false, label: remark.clone() });
        let message = Message {
            tone,
            name,
            code: Some(&d.code),
            title: d.message.clone(),
            marks: primary.into_iter().chain(others).collect(),
            help: d.help.as_deref(),
        };
        text.push_str(&draw(sources, style, &message));
        text.push('\n');
    }
    let count = |severity| diagnostics.iter().filter(|d| d.severity == severity).count();
    let counts: Vec<String> = [(Severity::Error, "error"), (Severity::Warning, "warning")]
        .into_iter()
        .filter(|&(severity, _)| count(severity) > 0)
        .map(|(severity, noun)| plural(count(severity), noun))
        .collect();
    if !counts.is_empty() {
        text.push_str(&counts.join(", "));
        text.push('\n');
    }
    text
}

/// The report of `footpath cover`, without the diagnostics.
pub fn cover(run: &CoverRun<'_>, style: &Style) -> String {
    let Some(program) = run.program else { return String::new() };
    let name = |cover: &ProcedureCover| choice::name(program, cover);
    let name_width = run.covers.iter().map(|c| display_width(&name(c))).max().unwrap_or(0).min(32);
    let values = Values::new(&program.terms);
    let mut text = String::new();
    let mut quiet_tests = 0;
    for (i, cover) in run.covers.iter().enumerate() {
        let writer = Writer { run, style, values: values.naming(&cover.sorts) };
        let counts = Counts::of(cover);
        let details = style.full
            || run.covers.len() <= MANY_PROCEDURES
            || !counts.is_all_good()
            || !cover.notes.is_empty();
        if details && i > 0 && !text.ends_with("\n\n") {
            text.push('\n');
        }
        let title = format!("{:name_width$}", name(cover));
        text.push_str(&hang(&writer.bold(&title), &writer.counts(&counts), name_width + 2, style.width));
        if details {
            text.push_str(&writer.details(cover));
            text.push('\n');
        } else {
            quiet_tests += cover.tests.len();
        }
    }
    if quiet_tests > 0 && !text.ends_with("\n\n") {
        text.push('\n');
    }
    text + &Writer { run, style, values }.totals(quiet_tests)
}

struct Writer<'a> {
    run: &'a CoverRun<'a>,
    style: &'a Style,
    values: Values<'a>,
}

/// What several infeasible objectives have in common; such are drawn together.
#[derive(PartialEq, Eq)]
struct Finding<'a> {
    verdict: &'a Verdict,
    is_branch: bool,
    explanation: &'a [Span],
}

impl Writer<'_> {
    fn counts(&self, counts: &Counts) -> Vec<String> {
        let list = |items: &[(usize, &str, AnsiColor)]| {
            let shown: Vec<String> = items
                .iter()
                .filter(|(n, ..)| *n > 0)
                .map(|(n, what, color)| self.paint(&format!("{n} {what}"), *color))
                .collect();
            shown.join(", ")
        };
        let mut parts = Vec::new();
        parts.push(list(&[
            (counts.covered, "covered", AnsiColor::Green),
            (counts.infeasible, "infeasible", AnsiColor::Yellow),
            (counts.doomed, "doomed", AnsiColor::Red),
            (counts.unknown, "unknown", AnsiColor::Magenta),
        ]));
        if counts.assertions() > 0 {
            let assertions = list(&[
                (counts.can_fail, "can fail", AnsiColor::Red),
                (counts.hold, if counts.hold == 1 { "holds" } else { "hold" }, AnsiColor::Green),
                (counts.assertions_unknown, "unknown", AnsiColor::Magenta),
            ]);
            parts.push(format!("assertions: {assertions}"));
        }
        if counts.tests > 0 {
            parts.push(plural(counts.tests, "test"));
        }
        parts.retain(|p| !p.is_empty());
        if parts.is_empty() {
            parts.push("nothing to cover".to_owned());
        }
        parts
    }

    fn details(&self, cover: &ProcedureCover) -> String {
        let mut blocks = Vec::new();
        if let Some(found) = &cover.exploration {
            blocks.push(format!("  {}\n", exploration::words(found)));
        }
        blocks.extend(self.infeasible(cover));
        blocks.extend(self.failing(cover));
        blocks.extend(self.unknown(cover));
        blocks.extend(self.tests(cover));
        if !cover.notes.is_empty() {
            blocks.push(cover.notes.iter().map(|n| format!("  note: {n}\n")).collect());
        }
        blocks.iter().map(|b| format!("\n{b}")).collect()
    }

    /// Infeasible and doomed code, what has the same explanation in one picture.
    fn infeasible(&self, cover: &ProcedureCover) -> Vec<String> {
        let mut findings: Vec<(Finding<'_>, Vec<Span>)> = Vec::new();
        for o in &cover.objectives {
            let is_branch = match o.kind {
                ObjectiveKind::Statement => false,
                ObjectiveKind::Branch => true,
                ObjectiveKind::Failure(_) => continue,
            };
            if !o.verdict.is_infeasible() || findings.iter().any(|(_, spans)| spans.contains(&o.span)) {
                continue;
            }
            let finding = Finding { verdict: &o.verdict, is_branch, explanation: &o.explanation };
            match findings.iter_mut().find(|(f, _)| *f == finding) {
                Some((_, spans)) => spans.push(o.span),
                None => findings.push((finding, vec![o.span])),
            }
        }
        let drawn = if self.style.full { findings.len() } else { MAX_DRAWN };
        let mut blocks: Vec<String> =
            findings.iter().take(drawn).map(|(f, spans)| self.draw_infeasible(f, spans)).collect();
        let rest: Vec<Span> = findings.iter().skip(drawn).flat_map(|(_, spans)| spans.clone()).collect();
        if !rest.is_empty() {
            blocks.push(format!("  also infeasible or doomed:\n{}", self.places(&rest)));
        }
        blocks
    }

    fn draw_infeasible(&self, finding: &Finding<'_>, spans: &[Span]) -> String {
        let verb = if finding.is_branch { "takes this branch" } else { "gets here" };
        let (tone, name, title, label) = match finding.verdict {
            Verdict::Doomed => (
                Tone::Error,
                "doomed",
                format!("every execution that {verb} fails or blocks"),
                "never completed",
            ),
            Verdict::UnreachableWithin(k) => (
                Tone::Warning,
                "infeasible",
                format!("no execution reaches this with at most {k}"),
                "never executed within the bound",
            ),
            _ if finding.is_branch => {
                (Tone::Warning, "infeasible", "no execution takes this branch".to_owned(), "never taken")
            }
            _ => (Tone::Warning, "infeasible", "no execution reaches this".to_owned(), "never executed"),
        };
        let shown = if self.style.full { spans.len() } else { MAX_PLACES };
        let because: Vec<Span> = finding.explanation.iter().copied().filter(|s| !spans.contains(s)).collect();
        let mut marks: Vec<Mark> = spans
            .iter()
            .take(shown)
            .map(|&span| Mark { span: self.apart(span, &because), primary: true, label: label.to_owned() })
            .collect();
        for (i, &span) in because.iter().enumerate() {
            let label = match (i, because.len()) {
                (0, 1) => "rules it out",
                (0, _) => "ruled out by this …",
                _ => "… and this",
            };
            marks.push(Mark { span, primary: false, label: label.to_owned() });
        }
        self.draw(tone, name, title, marks)
    }

    /// The span, or one line of it if it has several and some of `others` lie within: nested marks over several
    /// lines are drawn as a tangle of lines.
    fn apart(&self, span: Span, others: &[Span]) -> Span {
        let overlaps =
            |a: Span| others.iter().any(|b| a.file == b.file && a.start < b.end && b.start < a.end);
        let text = self.run.sources.text(span);
        if !overlaps(span) || !text.contains('\n') {
            return span;
        }
        let mut lines = text.split_inclusive('\n').scan(span.start, |start, line| {
            let indent = (line.len() - line.trim_start().len()) as u32;
            let from = *start + indent;
            *start += line.len() as u32;
            Some(Span { start: from, end: from + line.trim().len() as u32, ..span })
        });
        let first = lines.next().unwrap_or(span);
        std::iter::once(first).chain(lines).find(|&l| l.start < l.end && !overlaps(l)).unwrap_or(first)
    }

    /// Assertions that can fail, each with inputs that make it fail.
    fn failing(&self, cover: &ProcedureCover) -> Vec<String> {
        let failing: Vec<(&Objective, AssertKind)> = cover
            .objectives
            .iter()
            .filter(|o| o.verdict == Verdict::Covered)
            .filter_map(|o| match o.kind {
                ObjectiveKind::Failure(kind) => Some((o, kind)),
                ObjectiveKind::Statement | ObjectiveKind::Branch => None,
            })
            .collect();
        let drawn = if self.style.full { failing.len() } else { MAX_DRAWN };
        let mut blocks: Vec<String> =
            failing.iter().take(drawn).map(|&(o, kind)| self.draw_failing(cover, o, kind)).collect();
        let rest: Vec<Span> = failing.iter().skip(drawn).map(|(o, _)| o.span).collect();
        if !rest.is_empty() {
            blocks.push(format!("  can also fail:\n{}", self.places(&rest)));
        }
        blocks
    }

    fn draw_failing(&self, cover: &ProcedureCover, objective: &Objective, kind: AssertKind) -> String {
        let what = match kind {
            AssertKind::Assert => "this assertion",
            AssertKind::LoopInvariant => "this loop invariant",
            AssertKind::Requires => "a precondition of this call",
            AssertKind::Ensures => "this postcondition",
            _ => "this check",
        };
        let test = objective.tests.first().and_then(|&t| cover.tests.get(t).map(|test| (t + 1, test)));
        let title = match test {
            Some((number, _)) => format!("{what} can fail (test {number})"),
            None => format!("{what} can fail"),
        };
        let label = test.map_or_else(
            || "fails".to_owned(),
            |(_, test)| {
                let column = self.run.sources.range(objective.span).1.column as usize;
                self.provocation(test, self.style.width.saturating_sub(column + 10))
            },
        );
        let mark = Mark { span: objective.span, primary: true, label };
        self.draw(Tone::Error, "failure", title, vec![mark])
    }

    /// The inputs of a failing test in one label, as far as they fit into `room`; a few always.
    fn provocation(&self, test: &Test, room: usize) -> String {
        let mut items: Vec<String> = test
            .inputs
            .iter()
            .map(|(name, value)| format!("{name} = {}", self.values.short(value, 30)))
            .collect();
        items.extend(self.choices(test, 30));
        if items.is_empty() {
            return "fails whatever the inputs are".to_owned();
        }
        let mut label = String::from("fails for ");
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                label.push_str(", ");
                if display_width(&label) + display_width(item) > room.max(24) {
                    label.push('…');
                    break;
                }
            }
            label.push_str(item);
        }
        label
    }

    /// What is unknown, one line for each reason.
    fn unknown(&self, cover: &ProcedureCover) -> Option<String> {
        let mut reasons: BTreeMap<(String, bool), Vec<Span>> = BTreeMap::new();
        for o in &cover.objectives {
            if let Verdict::Unknown(reason) = &o.verdict {
                let is_assertion = matches!(o.kind, ObjectiveKind::Failure(_));
                reasons
                    .entry((format!("{reason} [{}]", reason.code.name()), is_assertion))
                    .or_default()
                    .push(o.span);
            }
        }
        if reasons.is_empty() {
            return None;
        }
        let mut text = String::new();
        for ((reason, is_assertion), mut spans) in reasons {
            let noun = if is_assertion { "assertion" } else { "place" };
            let count = plural(spans.len(), noun);
            let unknown = self.paint("unknown", AnsiColor::Magenta);
            let _ = writeln!(text, "  {unknown}: {count}: {reason}");
            spans.sort_unstable();
            spans.dedup();
            text.push_str(&self.places(&spans));
        }
        Some(text)
    }

    /// The tests, as a table if it fits and as a list if not.
    fn tests(&self, cover: &ProcedureCover) -> Option<String> {
        let says_nothing =
            |t: &Test| t.inputs.is_empty() && t.choices.is_empty() && t.outcome == Outcome::Returned;
        if cover.tests.iter().all(says_nothing) {
            return None;
        }
        let shown = if self.style.full { cover.tests.len() } else { MAX_TESTS };
        let tests = &cover.tests[..shown.min(cover.tests.len())];
        let mut text = self.test_table(tests).unwrap_or_else(|| self.test_list(tests));
        if tests.len() < cover.tests.len() {
            let _ = writeln!(
                text,
                "  and {} (--format json or -o DIR has them)",
                plural(cover.tests.len() - tests.len(), "more test")
            );
        }
        Some(text)
    }

    fn test_table(&self, tests: &[Test]) -> Option<String> {
        let mut names: Vec<&String> = tests.iter().flat_map(|t| t.inputs.keys()).collect();
        names.sort_unstable();
        names.dedup();
        let has_choices = tests.iter().any(|t| !t.choices.is_empty());
        let mut header: Vec<String> = vec!["test".to_owned()];
        header.extend(names.iter().map(|n| (*n).clone()));
        if has_choices {
            header.push("choices".to_owned());
        }
        header.push("outcome".to_owned());
        // As much of long values as fits.
        [60, 40, 30, 24, 18].into_iter().find_map(|limit| {
            let rows = self.rows(tests, &names, limit, has_choices);
            table(&header, &rows, 2, self.style.width)
        })
    }

    fn rows(&self, tests: &[Test], names: &[&String], limit: usize, has_choices: bool) -> Vec<Vec<String>> {
        tests
            .iter()
            .enumerate()
            .map(|(i, test)| {
                let mut row = vec![(i + 1).to_string()];
                row.extend(names.iter().map(|&n| {
                    test.inputs.get(n).map_or_else(|| "any".to_owned(), |v| self.values.short(v, limit))
                }));
                if has_choices {
                    row.push(self.choices(test, limit).join(", "));
                }
                row.push(self.outcome(test));
                row
            })
            .collect()
    }

    fn test_list(&self, tests: &[Test]) -> String {
        let mut text = String::new();
        for (i, test) in tests.iter().enumerate() {
            let _ = writeln!(text, "  test {}: {}", i + 1, self.outcome(test));
            let limit = self.style.width.saturating_sub(24).clamp(24, 120);
            let mut items: Vec<String> =
                test.inputs.iter().map(|(n, v)| format!("{n} = {}", self.values.short(v, limit))).collect();
            items.extend(self.choices(test, limit));
            text.push_str(&wrap(&items, 4, self.style.width));
        }
        text
    }

    fn choices(&self, test: &Test, limit: usize) -> Vec<String> {
        let words = |c| choice::words(self.run.sources, &self.values, c, limit);
        test.choices.iter().map(words).collect()
    }

    fn outcome(&self, test: &Test) -> String {
        match &test.outcome {
            Outcome::Returned => "returns".to_owned(),
            Outcome::Failed(_, span) => format!("fails at {}", self.place(*span)),
        }
    }

    fn totals(&self, quiet_tests: usize) -> String {
        let covers = self.run.covers;
        let counts = Counts::of_all(covers);
        let queries: u64 = covers.iter().map(|c| c.statistics.queries).sum();
        let solver = covers.iter().map(|c| c.statistics.solver_time).sum::<Duration>().as_secs_f64();
        let mut text = String::new();
        for (flag, (bound, count)) in bounds(covers) {
            let _ = writeln!(text, "{count} infeasible only within {bound}; {flag} raises the bound");
        }
        if quiet_tests > 0 {
            let _ = writeln!(
                text,
                "{} of procedures without findings not shown; --format json or -o DIR has them",
                plural(quiet_tests, "test")
            );
        }
        if self.run.interrupted {
            text.push_str("interrupted: what was not decided by then is unknown\n");
        }
        let mut parts = self.counts(&counts);
        let queries = if queries == 1 { "1 query".to_owned() } else { format!("{queries} queries") };
        parts.push(format!("{queries} in {solver:.1} s of {:.1} s", self.run.elapsed.as_secs_f64()));
        let head = self.bold(&format!("total, {}", plural(procedures(covers), "procedure")));
        text + &hang(&head, &parts, 2, self.style.width)
    }

    fn places(&self, spans: &[Span]) -> String {
        let shown = if self.style.full { spans.len() } else { MAX_PLACES };
        let mut items: Vec<String> = spans.iter().take(shown).map(|&s| self.place(s)).collect();
        if spans.len() > shown {
            items.push(format!("and {} more", spans.len() - shown));
        }
        wrap(&items, 4, self.style.width)
    }

    /// Line and column, and the file where there are several.
    fn place(&self, span: Span) -> String {
        let sources = self.run.sources;
        if sources.files().nth(1).is_some() {
            sources.describe(span)
        } else {
            sources.range(span).0.to_string()
        }
    }

    fn draw(&self, tone: Tone, name: &str, title: String, marks: Vec<Mark>) -> String {
        draw(self.run.sources, self.style, &Message { tone, name, code: None, title, marks, help: None })
    }

    fn paint(&self, text: &str, color: AnsiColor) -> String {
        self.styled(text, color.on_default())
    }

    fn bold(&self, text: &str) -> String {
        self.styled(text, Paint::new().bold())
    }

    fn styled(&self, text: &str, paint: Paint) -> String {
        if self.style.color { format!("{paint}{text}{paint:#}") } else { text.to_owned() }
    }
}

/// The flags that raise bounds of infeasible places, each with the largest such bound and the number of places.
fn bounds(covers: &[ProcedureCover]) -> BTreeMap<&'static str, (Bound, usize)> {
    let mut found = BTreeMap::new();
    for objective in covers.iter().flat_map(|cover| &cover.objectives) {
        if let Verdict::UnreachableWithin(bound) = objective.verdict {
            let flag = if matches!(bound, Bound::OpenCalls(_)) { "--recursion" } else { "--unwind" };
            let (largest, count) = found.entry(flag).or_insert((bound, 0));
            *largest = bound.max(*largest);
            *count += 1;
        }
    }
    found
}
