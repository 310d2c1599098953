//! The report for a terminal.
//!
//! A table of the functions; then for each function what there is to say: checks that fail, with the test; code that no
//! input executes, drawn on the source with its explanation; what is unknown, by reason; tests that did something
//! else than they promised; remarks. Functions with nothing to say have their line in the table only. Where that is longer than
//! a screen, `screen.rs` says what matters, unless everything is asked for.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style as Paint};
use footpath_driver::{Class, FunctionResult, Objective, ObjectiveKind, Status, Verdict};
use footpath_ir::source::Span;

use super::counts::{Counts, is_failing, is_infeasible, is_spare, is_unknown};
use super::decisions::{self, Tally};
use super::findings::{cause, crash, demands, infeasible, label, needs};
use super::missed::sentences;
use super::screen;
use super::{TestRun, assumption, file_name, folder_word, kinds, speaking};
use crate::counts::plural;
use crate::exploration;
use crate::failures::text as failures;
use crate::screen::LINES;
use crate::snippet::{Mark, Message, Tone, draw};
use crate::table::{table, wrap};
use crate::text::Style;

/// At most so many messages of a kind are drawn on the source for one function; the rest is listed.
const MAX_DRAWN: usize = 8;
/// At most so many places stand in a list.
const MAX_PLACES: usize = 12;

/// The report, without the diagnostics: all of it, or if that does not fit on a screen and is not asked for, what matters.
pub fn report(run: &TestRun<'_>, style: &Style) -> String {
    let whole = whole(run, style);
    if style.full || whole.lines().count() <= LINES { whole } else { screen::report(run, style) }
}

fn whole(run: &TestRun<'_>, style: &Style) -> String {
    let writer = Writer { run, style };
    let mut text = writer.summary();
    for function in &run.run.functions {
        let blocks = writer.details(function);
        if blocks.is_empty() {
            continue;
        }
        let _ = write!(text, "\n{}\n", writer.heading(function));
        for block in blocks {
            let _ = write!(text, "\n{block}");
        }
    }
    if !run.run.notes.is_empty() || !run.run.sampled.is_empty() {
        text.push('\n');
    }
    for sampled in &run.run.sampled {
        let inputs = plural(sampled.samples, "input");
        let _ = writeln!(
            text,
            "sampled: `{}` was run on {inputs}; only tests depend on its results",
            sampled.function
        );
    }
    for note in &run.run.notes {
        let _ = writeln!(text, "note: {}", note.trim_end());
    }
    text.push('\n');
    text.push_str(&writer.last_words());
    text
}

struct Writer<'a> {
    run: &'a TestRun<'a>,
    style: &'a Style,
}

impl Writer<'_> {
    fn summary(&self) -> String {
        let functions = &self.run.run.functions;
        let header: Vec<String> =
            ["function", "blocks", "branches", "failing", "infeasible", "unknown", "tests"]
                .map(str::to_owned)
                .to_vec();
        let row = |name: &str, c: &Counts| {
            vec![
                name.to_owned(),
                format!("{}/{}", c.blocks_covered, c.blocks),
                format!("{}/{}", c.branches_covered, c.branches),
                c.failing.to_string(),
                c.infeasible.to_string(),
                c.unknown.to_string(),
                c.tests.to_string(),
            ]
        };
        let skipped = |f: &FunctionResult| matches!(f.status, Status::Skipped(_));
        let mut rows: Vec<Vec<String>> =
            functions.iter().filter(|f| !skipped(f)).map(|f| row(&self.label(f), &Counts::of(f))).collect();
        if rows.len() > 1 {
            rows.push(row("total", &Counts::of_all(functions)));
        }
        if rows.is_empty() {
            return "no function was tested\n".to_owned();
        }
        match table(&header, &rows, 0, self.style.width) {
            Some(text) => text,
            None => {
                rows.iter().map(|r| format!("{}\n{}", r[0], narrow(&header, r, self.style.width))).collect()
            }
        }
    }

    fn heading(&self, function: &FunctionResult) -> String {
        let place = self.run.run.sources.describe(function.span);
        let at = self.styled(&function.name, Paint::new().bold());
        let file = file_name(function).filter(|_| self.run.has_tests);
        let file = file.map_or_else(String::new, |f| format!(", tests in {}/{f}", self.run.folder));
        format!("{at} ({place}{file})")
    }

    fn details(&self, function: &FunctionResult) -> Vec<String> {
        if let Status::Skipped(why) = &function.status {
            return vec![format!("  not tested: {why}\n")];
        }
        let mut blocks = Vec::new();
        if let Some(found) = function.exploration.as_ref().filter(|_| self.run.explores) {
            blocks.push(format!("  {}\n", exploration::words(found)));
        }
        if let Some(condition) = function.fails_when.as_ref().filter(|c| c.skipped.is_none()) {
            let mut lines =
                format!("  {}\n  {}\n", failures::verdict(condition), failures::exactness(condition));
            if let Some(precondition) = &condition.precondition {
                let _ = writeln!(lines, "  nothing fails with footpath_assume({precondition})");
            }
            blocks.push(lines);
        }
        blocks.extend(self.failing(function));
        blocks.extend(self.demands(function));
        if function.uncalled {
            blocks.extend(self.uncalled(function));
        } else {
            blocks.extend(self.infeasible(function));
        }
        blocks.extend(self.spare(function));
        blocks.extend(self.unknown(function));
        blocks.extend(self.decisions(function));
        blocks.extend(self.divergences(function));
        if !function.notes.is_empty() {
            blocks.push(function.notes.iter().map(|n| format!("  note: {}\n", n.trim_end())).collect());
        }
        blocks
    }

    /// Checks that fail. What fails in the same place for several reasons is said in each.
    fn failing(&self, function: &FunctionResult) -> Vec<String> {
        let failing: Vec<&Objective> = function.objectives.iter().filter(|o| is_failing(o)).collect();
        let shown = if self.style.full { failing.len() } else { MAX_DRAWN };
        let mut blocks: Vec<String> =
            failing.iter().take(shown).map(|o| self.draw_failing(function, o)).collect();
        let rest: Vec<Span> = failing.iter().skip(shown).map(|o| o.span).collect();
        if !rest.is_empty() {
            blocks.push(format!("  also failing:\n{}", self.places(&rest)));
        }
        blocks
    }

    /// What it demands of its callers, one line for each demand.
    fn demands(&self, function: &FunctionResult) -> Option<String> {
        let sources = &self.run.run.sources;
        let mut text = String::new();
        for demand in demands(sources, function) {
            let needs = self.styled("needs", AnsiColor::Cyan.on_default());
            let what = if demand.is_c { format!("`{}`", demand.text) } else { demand.text.clone() };
            let paths = if demand.always || !demand.is_c { "" } else { " on some paths" };
            let o = demand.objective;
            let test = o.tests.first().map_or_else(String::new, |n| format!(", test {n}"));
            let otherwise = kinds::of(o).map_or("", |kind| kind.words);
            let place = self.place(o.span);
            let _ = writeln!(text, "  {needs} {what}{paths}, or {otherwise}: {place}{test}");
        }
        (!text.is_empty()).then_some(text)
    }

    fn label(&self, function: &FunctionResult) -> String {
        label(&self.run.run.sources, &self.run.run.functions, function)
    }

    fn draw_failing(&self, function: &FunctionResult, o: &Objective) -> String {
        let ObjectiveKind::Check(check) = o.kind else { return String::new() };
        let kind = kinds::of_check(check);
        let label = match o.tests.first() {
            Some(number) => {
                let seen = match (crash(function, o, *number), o.confirmed) {
                    (Some(crash), _) => format!(", which ends with {crash}"),
                    (None, Some(true)) => ", and a sanitizer sees it".to_owned(),
                    (None, _) => String::new(),
                };
                format!("in test {number}{seen}")
            }
            None => "in a test of the whole program".to_owned(),
        };
        let label = match cause(o) {
            Some(name) => format!("{label}; {name} calls it so"),
            None => label,
        };
        let label = match needs(o) {
            Some(condition) => format!("{label}; `{condition}` does not hold"),
            None => label,
        };
        let marks = vec![Mark { span: self.first_line(o.span), primary: true, label }];
        self.draw(Tone::Error, "fails", Some(kind.rule), kind.words.to_owned(), marks)
    }

    /// Code that no input executes, what has the same explanation in one picture.
    fn infeasible(&self, function: &FunctionResult) -> Vec<String> {
        let findings = infeasible(&self.run.run.sources, function);
        let shown = if self.style.full { findings.len() } else { MAX_DRAWN };
        let mut blocks: Vec<String> =
            findings.iter().take(shown).map(|all| self.draw_infeasible(all)).collect();
        let rest: Vec<Span> =
            findings.iter().skip(shown).flat_map(|all| all.iter().map(|o| o.span)).collect();
        if !rest.is_empty() {
            blocks.push(format!("  also infeasible:\n{}", self.places(&rest)));
        }
        blocks
    }

    /// One picture for a function of which nothing is executed.
    fn uncalled(&self, function: &FunctionResult) -> Option<String> {
        let is_new = function.objectives.iter().any(is_infeasible);
        let label = "never called".to_owned();
        let mark = Mark { span: self.first_line(function.span), primary: true, label };
        let kind = kinds::UNCALLED;
        let draw =
            || self.draw(Tone::Warning, "infeasible", Some(kind.rule), kind.words.to_owned(), vec![mark]);
        is_new.then(draw)
    }

    fn draw_infeasible(&self, all: &[&Objective]) -> String {
        // The block says it best; a branch stands for itself only if it has no block.
        let main = all.iter().find(|o| o.kind == ObjectiveKind::Block).unwrap_or(&all[0]);
        let kind = kinds::of(main).unwrap_or(kinds::DEAD);
        let title = format!("{}{}", kind.words, assumption(main));
        let mut marks: Vec<Mark> = Vec::new();
        let mut add = |span: Span, primary, label: &str| {
            if !marks.iter().any(|m| m.span == span) {
                marks.push(Mark { span, primary, label: label.to_owned() });
            }
        };
        for o in all {
            let label = match o.kind {
                ObjectiveKind::Branch(true) => "never true",
                ObjectiveKind::Branch(false) => "never false",
                _ => "never executed",
            };
            add(self.first_line(o.span), true, label);
        }
        let because = speaking(&self.run.run.sources, &main.explanation);
        let is_drawn = |s: &Span| all.iter().any(|o| o.span == *s);
        let others: Vec<Span> = because.iter().copied().filter(|s| !is_drawn(s)).collect();
        for (i, &span) in others.iter().enumerate() {
            let label = match (i, others.len(), because.len()) {
                (0, 1, 1) => "rules it out",
                (0, 1, _) => "contradicts it",
                (0, ..) => "ruled out by this …",
                _ => "… and this",
            };
            add(self.first_line(span), false, label);
        }
        self.draw(Tone::Warning, "infeasible", Some(kind.rule), title, marks)
    }

    /// Defensive code and code of macros that is never needed: no finding, but worth a line.
    fn spare(&self, function: &FunctionResult) -> Option<String> {
        let mut text = String::new();
        let all = [
            (Class::Defensive, "defensive code", "executes"),
            (Class::Macro, "code of macros", "executes here"),
            (Class::Portability, "portability guards", "executes in this build"),
        ];
        // Those for other machines are counted, unless everything is asked for.
        let shown = if self.style.full { &all[..] } else { &all[..2] };
        for &(class, what, needs) in shown {
            let mut within: BTreeMap<(Option<String>, &str), Vec<Span>> = BTreeMap::new();
            let spare = |o: &&Objective| is_spare(o) && o.kind == ObjectiveKind::Block && o.class == class;
            for o in function.objectives.iter().filter(spare) {
                let bound = match &o.verdict {
                    Verdict::UnreachableWithin(bound) => Some(bound.to_string()),
                    _ => None,
                };
                within.entry((bound, assumption(o))).or_default().push(o.span);
            }
            for ((bound, assumption), mut spans) in within {
                spans.dedup();
                let bound = bound.map(|bound| format!("within {bound} ")).unwrap_or_default();
                let _ = write!(
                    text,
                    "  {what} that no input {bound}{needs}{assumption}:\n{}",
                    self.places(&spans)
                );
            }
        }
        (!text.is_empty()).then_some(text)
    }

    /// What is unknown, one line for each reason.
    fn unknown(&self, function: &FunctionResult) -> Option<String> {
        let mut reasons: BTreeMap<(String, bool), Vec<Span>> = BTreeMap::new();
        for o in function.objectives.iter().filter(|o| is_unknown(o)) {
            let reason = match &o.verdict {
                Verdict::Unknown(reason) => format!("{reason} [{}]", reason.code.name()),
                Verdict::UnreachableWithin(bound) => format!("no input reaches it within {bound}"),
                _ => continue,
            };
            let is_check = matches!(o.kind, ObjectiveKind::Check(_));
            reasons.entry((reason, is_check)).or_default().push(o.span);
        }
        let mut text = String::new();
        for ((reason, is_check), mut spans) in reasons {
            let count = plural(spans.len(), if is_check { "check" } else { "place" });
            let unknown = self.styled("unknown", AnsiColor::Magenta.on_default());
            let _ = writeln!(text, "  {unknown}: {count}: {reason}");
            spans.sort_unstable();
            spans.dedup();
            text.push_str(&self.places(&spans));
        }
        (!text.is_empty()).then_some(text)
    }

    /// Each condition with what shows that it decides, or that it cannot.
    fn decisions(&self, function: &FunctionResult) -> Option<String> {
        let mut text = format!("  {}\n", Tally::of(function).words()?);
        for decision in &function.decisions {
            for condition in &decision.conditions {
                let sources = &self.run.run.sources;
                let place = sources.range(condition.span).0;
                let written = decisions::text(sources, condition.span);
                for sentence in decisions::sentences(decision, condition) {
                    let _ = writeln!(text, "    {place} `{written}` {sentence}");
                }
            }
        }
        Some(text)
    }

    fn divergences(&self, function: &FunctionResult) -> Option<String> {
        let mut text = String::new();
        for (i, test) in function.tests.iter().enumerate() {
            let Some(first) = &test.divergence else { continue };
            let span = function.objectives.iter().find(|o| o.id == *first).map(|o| o.span);
            let place = span.map_or_else(|| first.clone(), |s| self.place(s));
            let _ = writeln!(text, "  test {} diverges: it did not reach {place}", i + 1);
        }
        (!text.is_empty()).then_some(text)
    }

    fn last_words(&self) -> String {
        let counts = Counts::of_all(&self.run.run.functions);
        let mut parts = Vec::new();
        let mut part = |n: usize, text: String| {
            if n > 0 {
                parts.push(text);
            }
        };
        let hold = counts.hold + counts.hold_within;
        let within = if counts.hold_within > 0 {
            format!(" ({} within bounds)", counts.hold_within)
        } else {
            String::new()
        };
        part(
            counts.failing,
            self.styled(
                &format!("{} can fail", plural(counts.failing, "check")),
                AnsiColor::Red.on_default(),
            ),
        );
        part(
            counts.preconditions,
            format!("{} that callers can avoid", plural(counts.preconditions, "failure")),
        );
        part(hold, format!("{} {}{within}", plural(hold, "check"), if hold == 1 { "holds" } else { "hold" }));
        part(
            counts.defensive,
            format!("{} of defensive code never executed", plural(counts.defensive, "place")),
        );
        part(counts.expansions, format!("{} in macros never executed", plural(counts.expansions, "place")));
        part(
            counts.portability,
            format!("{} of portability guards never executed", plural(counts.portability, "place")),
        );
        part(counts.in_baseline, format!("{} in the baseline", plural(counts.in_baseline, "finding")));
        part(counts.divergences, format!("{} diverged", plural(counts.divergences, "test")));
        part(counts.tests, plural(counts.tests, "test"));
        parts.push(format!("{:.1} s", self.run.elapsed.as_secs_f64()));
        let mut text = wrap(&parts, 0, self.style.width);
        let tally = Tally::of_all(&self.run.run.functions).words();
        tally.into_iter().for_each(|words| text.push_str(&format!("{words}\n")));
        for sentence in sentences(self.run) {
            let _ = writeln!(text, "{sentence}");
        }
        if counts.tests > 0 && self.run.has_tests {
            let _ = writeln!(text, "run the tests with `make -C {}`", folder_word(self.run.folder));
        }
        if self.run.interrupted {
            text.push_str("interrupted: what was not decided by then is unknown, and functions that were not begun are left out\n");
        }
        text
    }

    fn places(&self, spans: &[Span]) -> String {
        let shown = if self.style.full { spans.len() } else { MAX_PLACES };
        let mut items: Vec<String> = spans.iter().take(shown).map(|&s| self.place(s)).collect();
        items.dedup();
        if spans.len() > shown {
            items.push(format!("and {} more", spans.len() - shown));
        }
        wrap(&items, 4, self.style.width)
    }

    /// `line:column` and the code that stands there.
    fn place(&self, span: Span) -> String {
        let sources = &self.run.run.sources;
        let text = sources.text(span).lines().next().unwrap_or_default().trim();
        let short: String = text.chars().take(40).collect();
        let place = sources.range(span).0;
        if short.is_empty() { place.to_string() } else { format!("{place} `{short}`") }
    }

    /// The span, or its first line with something on it: a mark over several lines is drawn as a tangle.
    fn first_line(&self, span: Span) -> Span {
        let text = self.run.run.sources.text(span);
        let mut start = span.start;
        for line in text.split_inclusive('\n') {
            let code = line.trim();
            if code.len() > 1 || !text.contains('\n') {
                let from = start + (line.len() - line.trim_start().len()) as u32;
                return Span { start: from, end: from + code.len() as u32, ..span };
            }
            start += line.len() as u32;
        }
        span
    }

    fn draw(&self, tone: Tone, name: &str, code: Option<&str>, title: String, marks: Vec<Mark>) -> String {
        draw(&self.run.run.sources, self.style, &Message { tone, name, code, title, marks, help: None })
    }

    fn styled(&self, text: &str, paint: Paint) -> String {
        if self.style.color { format!("{paint}{text}{paint:#}") } else { text.to_owned() }
    }
}

/// A row of a table that does not fit, as a list.
fn narrow(header: &[String], row: &[String], width: usize) -> String {
    let items: Vec<String> = header.iter().zip(row).skip(1).map(|(h, cell)| format!("{h} {cell}")).collect();
    wrap(&items, 4, width)
}
