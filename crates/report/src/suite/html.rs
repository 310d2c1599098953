//! A page for a browser: one file, which needs nothing else.
//!
//! A summary and the findings; what functions demand; a table of files and functions; then each file with its source, of which
//! long parts without a verdict are folded. A line has a mark that says without colours what
//! became of it, and leads to the test that executes it; what fails, cannot be executed or is unknown is told
//! below its line. Behind the source stand the tests as they are in their C files. The crate `maud` writes the elements and escapes
//! all text in them, so that no name or string of a program becomes markup.

use std::collections::BTreeMap;

use footpath_driver::{FunctionResult, Method, Objective, ObjectiveKind, Status, Test, TestOutcome, Verdict};
use footpath_ir::source::{FileId, SourceFile, Span};
use maud::{Markup, PreEscaped, html};

use super::counts::{Counts, is_demand, is_failing, is_infeasible, is_spare, is_unknown};
use super::decisions::{self, Tally};
use super::findings::{Finding, Rank, cause, crash, demanded, findings, label, needed};
use super::sarif::capital;
use super::screen::percentage;
use super::{TestRun, assumption, file_name, folder_word, kinds, reason, speaking};
use crate::counts::plural;
use crate::failures::text as failures;

/// Longer lists of functions, and longer parts of a file of which there is nothing to say, are folded.
const FEW: usize = 12;

/// What became of a piece of source; the last that applies wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum State {
    Plain,
    Covered,
    OneWay,
    Defensive,
    Unknown,
    Infeasible,
    Failing,
}

impl State {
    /// The state that an objective gives to its range.
    fn of(o: &Objective) -> State {
        match () {
            () if is_failing(o) => State::Failing,
            () if is_infeasible(o) && o.kind != ObjectiveKind::Block => State::OneWay,
            () if is_infeasible(o) => State::Infeasible,
            () if is_spare(o) && o.kind == ObjectiveKind::Block => State::Defensive,
            () if is_unknown(o) && !matches!(o.kind, ObjectiveKind::Check(_)) => State::Unknown,
            () if o.verdict == Verdict::Covered && o.kind == ObjectiveKind::Block => State::Covered,
            () => State::Plain,
        }
    }

    fn class(self) -> &'static str {
        match self {
            State::Plain => "plain",
            State::Covered => "covered",
            State::OneWay => "oneway",
            State::Defensive => "defensive",
            State::Unknown => "unknown",
            State::Infeasible => "infeasible",
            State::Failing => "failing",
        }
    }

    fn mark(self) -> &'static str {
        match self {
            State::Plain => "",
            State::Covered => "✓",
            State::OneWay => "◐",
            State::Defensive => "◇",
            State::Unknown => "?",
            State::Infeasible => "∅",
            State::Failing => "✗",
        }
    }

    fn words(self) -> &'static str {
        match self {
            State::Plain => "nothing to execute",
            State::Covered => "executed by a test",
            State::OneWay => "executed, but one branch is never taken",
            State::Defensive => "defensive code or a macro's, and no input executes it",
            State::Unknown => "unknown",
            State::Infeasible => "no input executes it",
            State::Failing => "fails in a test",
        }
    }
}

/// The whole page.
pub fn page(run: &TestRun<'_>) -> String {
    let files = files(run);
    let names: Vec<&str> = files.keys().map(|&f| run.run.sources.file(f).name.as_str()).collect();
    let writer = Writer { run };
    let body = html! {
        (writer.head(&files))
        (writer.findings())
        (writer.demands())
        @for (&file, functions) in &files {
            (writer.file(file, functions))
        }
    };
    document(&names, &body)
}

/// A page about files, which needs nothing else.
pub(crate) fn document(files: &[&str], body: &Markup) -> String {
    let page = html! {
        (maud::DOCTYPE) "\n"
        html lang="en" { "\n"
            head { "\n"
                meta charset="utf-8"; "\n"
                meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                title { "Footpath: " (files.join(", ")) } "\n"
                style { "\n" (PreEscaped(include_str!("page.css"))) } "\n"
            } "\n"
            body { "\n" (body) } "\n"
        } "\n"
    };
    page.into_string()
}

/// The functions of each file, with their numbers in the run.
type Files<'a> = BTreeMap<FileId, Vec<(usize, &'a FunctionResult)>>;

fn files<'a>(run: &TestRun<'a>) -> Files<'a> {
    let mut files = Files::new();
    for (i, function) in run.run.functions.iter().enumerate() {
        files.entry(function.span.file).or_default().push((i, function));
    }
    files
}

struct Writer<'a> {
    run: &'a TestRun<'a>,
}

impl Writer<'_> {
    fn head(&self, files: &Files<'_>) -> Markup {
        const LEGEND: [State; 6] = [
            State::Covered,
            State::OneWay,
            State::Failing,
            State::Infeasible,
            State::Defensive,
            State::Unknown,
        ];
        let all = &self.run.run.functions;
        html! {
            header { "\n"
                h1 { "Footpath" } "\n"
                p.soft { code { (self.run.command.join(" ")) } } "\n"
                @if self.run.interrupted {
                    p { b { "The run was interrupted:" } " what was not decided by then is unknown." } "\n"
                }
            } "\n"
            p { (self.summary()) } "\n"
            details.functions open[all.len() <= FEW] { summary { (plural(all.len(), "function")) } "\n"
            div.wide { table { "\n"
                thead { tr {
                    @for title in ["function", "blocks", "branches", "failing", "infeasible", "unknown", "tests"] {
                        th { (title) }
                    }
                } } "\n"
                tbody { "\n"
                    @for (&file, functions) in files {
                        tr.file { td colspan="7" {
                            a href={ "#file" (file.0) } { (self.run.run.sources.file(file).name) }
                        } } "\n"
                        @for (i, function) in functions {
                            @let link = html! { a href={ "#function" (i) } { (function.name) } };
                            (counts_row(None, &link, &Counts::of(function)))
                        }
                    }
                    @if all.len() > 1 {
                        (counts_row(Some("total"), &html! { "total" }, &Counts::of_all(all)))
                    }
                }
            } } "\n"
            } "\n"
            ul.legend { "\n"
                @for state in LEGEND {
                    li class={ "legend-" (state.class()) } { span.mark { (state.mark()) } (state.words()) } "\n"
                }
            } "\n"
            @for note in &self.run.run.notes {
                pre.remark { (note) } "\n"
            }
        }
    }

    /// What there is, in a sentence.
    fn summary(&self) -> Markup {
        let c = Counts::of_all(&self.run.run.functions);
        html! {
            (plural(c.tests, "test")) " cover " (percentage(c.blocks_covered, c.blocks)) " of the blocks and "
            (percentage(c.branches_covered, c.branches)) " of the branches. Undecided are " (c.unknown)
            " places and checks."
        }
    }

    /// The findings, the most important first.
    fn findings(&self) -> Markup {
        let sources = &self.run.run.sources;
        let all = findings(sources, &self.run.run.functions);
        html! {
            section.findings { "\n"
                h2 { "Findings" } "\n"
                @if all.is_empty() { p.soft { "There are none." } "\n" }
                @else {
                    ol { "\n"
                        @for finding in &all {
                            @let line = sources.range(finding.span).0.line;
                            @let dead = finding.rank == Rank::Dead;
                            li class=(if dead { "dead" } else { "bad" }) {
                                b { (capital(finding.kind.words)) } " in " code { (self.label(finding.function)) } ", "
                                a href={ "#line" (finding.span.file.0) "-" (line) } { (sources.describe(finding.span)) }
                                pre { (sources.file(finding.span.file).line(line).trim()) }
                                @if let Some(why) = finding.reason(sources) { p { (capital(&why)) "." } }
                                (self.evidence(finding))
                                span.soft { "What to do: " (finding.kind.advice) "." }
                            } "\n"
                        }
                    } "\n"
                }
            } "\n"
        }
    }

    /// The test that shows a finding, or what rules its code out.
    fn evidence(&self, finding: &Finding) -> Markup {
        let position =
            |o: &Objective| finding.function.objectives.iter().position(|other| std::ptr::eq(other, o));
        let shown = finding.objectives.iter().find_map(|o| o.tests.first());
        let index = self.run.run.functions.iter().position(|f| std::ptr::eq(f, finding.function));
        html! {
            @if finding.rank == Rank::Dead {
                @if let Some(k) = position(finding.objectives[0]) {
                    div.note { (self.ruled_out(finding.function, k, None)) }
                }
            } @else if let Some((index, &number)) = index.zip(shown) {
                @let ended = crash(finding.function, finding.objectives[0], number);
                p {
                    "Shown by " (test_link(index, number))
                    @if let Some(ended) = &ended { ", which ends with " (ended) }
                    @if let Some(name) = cause(finding.objectives[0]) { "; " code { (name) } " calls it so" }
                    ":"
                }
                @if let Some(test) = finding.function.tests.get(number - 1) {
                    pre { (test.inputs) }
                }
            }
        }
    }

    /// What functions demand of their callers.
    fn demands(&self) -> Markup {
        let (sources, functions) = (&self.run.run.sources, &self.run.run.functions);
        let all: Vec<(usize, String)> =
            functions.iter().enumerate().filter_map(|(i, f)| Some((i, demanded(sources, f)?))).collect();
        html! {
            @if !all.is_empty() {
                section.demands { "\n"
                    h2 { "Preconditions" } "\n"
                    details open[all.len() <= FEW] { summary {
                        "What " (plural(all.len(), "function")) " demand of callers, which is no finding"
                    } "\n"
                        ul { "\n"
                            @for (i, text) in &all {
                                li { a href={ "#function" (i) } { (self.label(&functions[*i])) } " " code { (text) } } "\n"
                            }
                        } "\n"
                    } "\n"
                } "\n"
            }
        }
    }

    fn label(&self, function: &FunctionResult) -> String {
        label(&self.run.run.sources, &self.run.run.functions, function)
    }

    fn file(&self, id: FileId, functions: &[(usize, &FunctionResult)]) -> Markup {
        let file = self.run.run.sources.file(id);
        let states = states(file, id, functions);
        let mut notes: BTreeMap<u32, Vec<Markup>> = BTreeMap::new();
        for &(i, function) in functions {
            self.notes(i, function, &mut notes);
        }
        self.needs(functions, &mut notes);
        self.unknown(functions, &mut notes);
        let mut rows = Vec::new();
        let mut start = 0;
        for number in 1..=file.line_count() {
            let line = file.line(number);
            let here = &states[start.min(states.len())..(start + line.len()).min(states.len())];
            let rest = &file.text[(start + line.len()).min(file.text.len())..];
            let is_last = number == file.line_count();
            start += line.len() + if rest.starts_with("\r\n") { 2 } else { 1 };
            if is_last && line.is_empty() {
                break;
            }
            let notes = notes.remove(&number).unwrap_or_default();
            let is_plain = notes.is_empty() && here.iter().all(|s| *s == State::Plain);
            rows.push((number, is_plain, row(functions, file, number, line, here)));
            rows.extend(notes.into_iter().map(|note| (number, false, note)));
        }
        html! {
            section { "\n"
                h2 id={ "file" (id.0) } { (file.name) } "\n"
                div.source { "\n"
                    @for rows in rows.chunk_by(|a, b| a.1 == b.1) { (folded(rows)) }
                } "\n"
                @for &(i, function) in functions {
                    (self.function(i, function))
                }
            } "\n"
        }
    }

    /// What there is to say below lines.
    fn notes(&self, index: usize, function: &FunctionResult, notes: &mut BTreeMap<u32, Vec<Markup>>) {
        let sources = &self.run.run.sources;
        for (k, o) in function.objectives.iter().enumerate() {
            let line = sources.range(o.span).0.line;
            let state = State::of(o);
            let body = match state {
                State::Failing => html! {
                    b { "✗ fails:" } " " (kinds::of(o).map_or("", |k| k.words)) ", in "
                    @for (n, &test) in o.tests.iter().take(3).enumerate() {
                        @if n > 0 { ", " }
                        (test_link(index, test))
                    }
                },
                State::Infeasible | State::OneWay => self.infeasible(function, k),
                State::Defensive => html! {
                    b { "◇ defensive or a macro's:" } " no input needs this here" (assumption(o))
                },
                _ => continue,
            };
            let note = html! { div class={ "note note-" (state.class()) } { (body) } };
            notes.entry(line).or_default().push(note);
        }
    }

    /// What lines need of callers: one row for each need, with a test of each function.
    fn needs(&self, functions: &[(usize, &FunctionResult)], notes: &mut BTreeMap<u32, Vec<Markup>>) {
        let mut rows: BTreeMap<(u32, String), Vec<(usize, usize)>> = BTreeMap::new();
        for &(index, function) in functions {
            for o in function.objectives.iter().filter(|o| is_demand(o)) {
                let (Some(kind), Some(precondition)) = (kinds::of(o), o.precondition()) else { continue };
                let (what, is_c) = needed(precondition, kind);
                let need = html! {
                    b { "needs" } " "
                    @if is_c { code { (what) } } @else { (what) }
                    " of callers, or " (kind.words)
                };
                let line = self.run.run.sources.range(o.span).0.line;
                let tests = rows.entry((line, need.into_string())).or_default();
                let shows_another = tests.iter().all(|&(of, _)| of != index);
                tests.extend(o.tests.first().filter(|_| shows_another).map(|&test| (index, test)));
            }
        }
        for ((line, need), tests) in rows {
            notes.entry(line).or_default().push(html! {
                div.note.note-plain {
                    (PreEscaped(need))
                    @for (n, &(function, test)) in tests.iter().enumerate() {
                        @if n == 0 { ", in " } @else { ", " }
                        (test_link(function, test))
                        @if tests.len() > 1 { " of " code { (self.label(&self.run.run.functions[function])) } }
                    }
                }
            });
        }
    }

    /// What is unknown on each line: one row for each reason, which counts the places.
    fn unknown(&self, functions: &[(usize, &FunctionResult)], notes: &mut BTreeMap<u32, Vec<Markup>>) {
        let mut rows: BTreeMap<(u32, String), BTreeMap<&str, usize>> = BTreeMap::new();
        for o in functions.iter().flat_map(|(_, f)| &f.objectives) {
            if !is_unknown(o) || is_demand(o) || !matches!(State::of(o), State::Plain | State::Unknown) {
                continue;
            }
            let what = match o.kind {
                ObjectiveKind::Check(check) => kinds::of_check(check).words,
                _ => "this can be executed",
            };
            let line = self.run.run.sources.range(o.span).0.line;
            let row = rows.entry((line, reason(o).unwrap_or_default())).or_default();
            *row.entry(what).or_default() += 1;
        }
        for ((line, reason), counts) in rows {
            let all: usize = counts.values().sum();
            let whats = counts.iter().map(|(what, count)| match count {
                _ if counts.len() == 1 => (*what).to_owned(),
                _ => format!("{what} ({count})"),
            });
            let whats = whats.collect::<Vec<String>>().join(", or ");
            notes.entry(line).or_default().push(html! {
                div.note.note-unknown {
                    b { "? unknown" } " "
                    @if all > 1 { "in " (plural(all, "place")) " " }
                    "whether " (whats) ": " (reason)
                }
            });
        }
    }

    fn infeasible(&self, function: &FunctionResult, position: usize) -> Markup {
        let o = &function.objectives[position];
        // A block and the way to it have the same explanation, which is told once.
        let before = &function.objectives[..position];
        let told = before.iter().find(|p| is_infeasible(p) && p.explanation == o.explanation);
        self.ruled_out(function, position, told)
    }

    /// What rules out that code is executed, unless it was told at another objective.
    fn ruled_out(&self, function: &FunctionResult, position: usize, told: Option<&Objective>) -> Markup {
        let sources = &self.run.run.sources;
        let o = &function.objectives[position];
        let because = speaking(sources, &o.explanation);
        html! {
            b { (State::of(o).mark()) " infeasible:" } " " (kinds::of(o).map_or("", |k| k.words))
            @if let Some(bound) = reason(o) { ", within " (bound) }
            (assumption(o)) (shown_by(o.settled_by))
            @if because.is_empty() {
            } @else if let Some(told) = told {
                @let line = sources.range(told.span).0.line;
                ", for the same reason as "
                a href={ "#line" (told.span.file.0) "-" (line) } { "line " (line) }
            } @else {
                @if because.len() == 1 { "; this rules it out:" } @else { "; these contradict each other:" }
                ol { @for span in because { (self.because(span)) } }
            }
        }
    }

    /// A contradicting line with the statement in it marked.
    fn because(&self, span: Span) -> Markup {
        let file = self.run.run.sources.file(span.file);
        let (start, end) = self.run.run.sources.range(span);
        let line: Vec<char> = file.line(start.line).chars().collect();
        let from = (start.column as usize - 1).min(line.len());
        let to = if end.line == start.line {
            (end.column as usize - 1).clamp(from, line.len())
        } else {
            line.len()
        };
        let part = |range: &[char]| range.iter().collect::<String>();
        html! {
            li {
                a href={ "#line" (span.file.0) "-" (start.line) } { "line " (start.line) } " "
                code {
                    (part(&line[..from]).trim_start())
                    mark { (part(&line[from..to])) }
                    (part(&line[to..]).trim_end())
                }
            }
        }
    }

    /// The tests of a function.
    fn function(&self, index: usize, function: &FunctionResult) -> Markup {
        let condition = function.fails_when.as_ref().filter(|c| c.skipped.is_none());
        html! {
            h3 id={ "function" (index) } { "Tests of " code { (function.name) } } "\n"
            @if let Status::Skipped(why) = &function.status {
                p { "It was not tested: " (why) "." } "\n"
            }
            @if let Some(condition) = condition {
                p {
                    "The function " strong { (failures::verdict(condition)) } " "
                    span.soft { "(" (failures::exactness(condition)) ")" } "."
                } "\n"
                @if let Some(precondition) = &condition.precondition {
                    p { "Nothing fails with " code { "footpath_assume(" (precondition) ")" } "." } "\n"
                }
            }
            (self.decisions(function))
            @for note in &function.notes {
                p.remark { (note) } "\n"
            }
            @if function.tests.is_empty() {
                p.soft { "There are none." } "\n"
            }
            @for (i, test) in function.tests.iter().enumerate() {
                (self.test(index, function, i + 1, test)) "\n"
            }
        }
    }

    /// Each condition with what shows that it decides, or that it cannot.
    fn decisions(&self, function: &FunctionResult) -> Markup {
        let sources = &self.run.run.sources;
        html! {
            @if let Some(words) = Tally::of(function).words() {
                p { (words) "." } "\n"
                ul {
                    @for decision in &function.decisions {
                        @for condition in &decision.conditions {
                            @for sentence in decisions::sentences(decision, condition) {
                                li {
                                    "line " (sources.range(condition.span).0.line) ": "
                                    code { (decisions::text(sources, condition.span)) } " " (sentence)
                                } "\n"
                            }
                        }
                    }
                } "\n"
            }
        }
    }

    fn test(&self, index: usize, function: &FunctionResult, number: usize, test: &Test) -> Markup {
        let program = file_name(function).and_then(|f| f.strip_suffix(".c").map(str::to_owned));
        let folder = folder_word(self.run.folder);
        html! {
            details id={ "test" (index) "-" (number) } { "\n"
                summary { "test " (number) " " (self.ending(function, test)) } "\n"
                @if let Some(first) = &test.divergence {
                    p { b { "Diverges:" } " it was to reach " (first) " and did not when it ran." } "\n"
                }
                @if !test.inputs.is_empty() {
                    pre { (test.inputs) } "\n"
                }
                @if let Some(program) = program {
                    p.soft {
                        "Run it: "
                        code { "make -C " (folder) " " (program) " && " (folder) "/" (program) " " (number) }
                    } "\n"
                }
            }
        }
    }

    /// How a test ends, and what fails in it before.
    fn ending(&self, function: &FunctionResult, test: &Test) -> Markup {
        let line = |span| self.run.run.sources.range(span).0.line;
        let covered = test.covers.iter().filter_map(|&o| function.objectives.get(o));
        let failing: Vec<String> = covered
            .filter(|o| is_failing(o))
            .map(|o| format!("{} at line {}", kinds::of(o).map_or("", |k| k.words), line(o.span)))
            .collect();
        html! {
            @match &test.outcome {
                TestOutcome::Returned(Some(value)) => { "returns " code { (value) } }
                TestOutcome::Returned(None) => { "returns" }
                TestOutcome::Exited => { "ends the program" }
                TestOutcome::Failed { kind, span, crash } => {
                    "fails at line " (line(*span)) ": " (kinds::of_check(*kind).words)
                    @if let Some(crash) = crash { ", " (crash) }
                }
                TestOutcome::Other(crash) => { "ends by " (crash) }
            }
            @if !failing.is_empty() && !matches!(test.outcome, TestOutcome::Failed { .. }) {
                ", but " (failing.join(", "))
            }
        }
    }
}

fn counts_row(class: Option<&str>, name: &Markup, c: &Counts) -> Markup {
    let cells = [("failing", c.failing), ("infeasible", c.infeasible), ("unknown", c.unknown)];
    html! {
        tr class=[class] {
            td { (name) }
            td { (c.blocks_covered) "/" (c.blocks) }
            td { (c.branches_covered) "/" (c.branches) }
            @for (class, n) in cells {
                td class={ (class) @if n > 0 { " some" } } { (n) }
            }
            td { (c.tests) }
        } "\n"
    }
}

/// Rows of source with their numbers, all plain or none; many plain ones are folded, such as the header with the licence.
fn folded(rows: &[(u32, bool, Markup)]) -> Markup {
    match rows {
        [(first, true, _), .., (last, ..)] if rows.len() > FEW => html! {
            details.folded { summary { "lines " (first) " to " (last) } "\n"
                @for (.., row) in rows { (row) "\n" }
            } "\n"
        },
        _ => html! { @for (.., row) in rows { (row) "\n" } },
    }
}

/// What became of each byte of a file.
fn states(file: &SourceFile, id: FileId, functions: &[(usize, &FunctionResult)]) -> Vec<State> {
    let mut states = vec![State::Plain; file.text.len()];
    for (_, function) in functions {
        for o in function.objectives.iter().filter(|o| o.span.file == id) {
            let state = State::of(o);
            let end = (o.span.end as usize).min(states.len());
            for s in &mut states[(o.span.start as usize).min(end)..end] {
                *s = (*s).max(state);
            }
        }
    }
    states
}

/// A line of source.
fn row(
    functions: &[(usize, &FunctionResult)],
    file: &SourceFile,
    number: u32,
    line: &str,
    states: &[State],
) -> Markup {
    let solid = line.bytes().zip(states).filter(|(b, _)| !b.is_ascii_whitespace());
    let state = solid.map(|(_, s)| *s).max().unwrap_or(State::Plain);
    let id = functions.first().map_or(0, |(_, f)| f.span.file.0);
    let test = covering(functions, file, number).filter(|_| matches!(state, State::Covered | State::OneWay));
    let label = if state == State::Plain { "" } else { state.words() };
    html! {
        div class={ "row " (state.class()) } id={ "line" (id) "-" (number) } {
            a.number href={ "#line" (id) "-" (number) } { (number) }
            span.mark aria-label=(label) {
                @if let Some((function, test)) = test {
                    a href={ "#test" (function) "-" (test) } title={ (state.words()) ": test " (test) } {
                        (state.mark())
                    }
                } @else {
                    (state.mark())
                }
            }
            span.text { (marked(line, states)) }
        }
    }
}

/// The first test that executes a block on a line.
fn covering(
    functions: &[(usize, &FunctionResult)],
    file: &SourceFile,
    number: u32,
) -> Option<(usize, usize)> {
    let on_line = |o: &&Objective| {
        file.position(o.span.start).line <= number && number <= file.position(o.span.end).line
    };
    functions.iter().find_map(|&(i, f)| {
        let mut here =
            f.objectives.iter().filter(|o| State::of(o) == State::Covered && o.span.file == f.span.file);
        here.find(on_line).and_then(|o| o.tests.first().map(|&t| (i, t)))
    })
}

/// A line with what fails, is infeasible or unknown underlined.
fn marked(line: &str, states: &[State]) -> Markup {
    let class = |s: State| match s {
        State::Failing => Some("f"),
        State::Infeasible | State::OneWay => Some("i"),
        State::Unknown => Some("u"),
        _ => None,
    };
    let mut pieces: Vec<(Option<&str>, String)> = Vec::new();
    for (i, c) in line.char_indices() {
        let wanted = states.get(i).copied().and_then(class);
        match pieces.last_mut() {
            Some((class, text)) if *class == wanted => text.push(c),
            _ => pieces.push((wanted, c.to_string())),
        }
    }
    html! {
        @for (class, text) in &pieces {
            @if class.is_some() { u class=[class] { (text) } } @else { (text) }
        }
    }
}

fn test_link(function: usize, number: usize) -> Markup {
    html! { a href={ "#test" (function) "-" (number) } { "test " (number) } }
}

/// Who showed that something is infeasible.
fn shown_by(settler: Option<Method>) -> &'static str {
    match settler {
        Some(Method::Exhaustion) => ", shown by running or refuting every path",
        Some(Method::Cover) => ", shown by a proof of the cover engine",
        Some(Method::LoopSummary) => ", shown by a loop summary",
        Some(Method::Invariants) => ", shown by invariants of the program",
        Some(Method::CallGraph) => ", as the program never calls the function",
        Some(Method::Run | Method::OtherTest) | None => "",
    }
}
