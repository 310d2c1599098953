//! A page for a browser: one file, which needs nothing else.
//!
//! A table of files and functions; then each file with its source. A line has a mark that says without colours what
//! became of it, and leads to the test that executes it; what fails, cannot be executed or is unknown is told
//! below its line. Behind the source stand the tests as they are in their C files.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use footpath_driver::{
    Evidence, FunctionResult, Objective, ObjectiveKind, Status, Test, TestOutcome, Verdict,
};
use footpath_ir::source::{FileId, SourceFile, Span};

use super::counts::{Counts, is_failing, is_infeasible, is_spare, is_unknown};
use super::{TestRun, assumption, file_name, kinds, reason, speaking};
use crate::failures::text as failures;

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
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    let files = files(run);
    let names: Vec<&str> = files.keys().map(|&f| run.run.sources.file(f).name.as_str()).collect();
    let _ = writeln!(out, "<title>Footpath: {}</title>", escape(&names.join(", ")));
    let _ = writeln!(out, "<style>\n{}</style>\n</head>\n<body>", include_str!("page.css"));
    let writer = Writer { run };
    out.push_str(&writer.head(&files));
    for (&file, functions) in &files {
        out.push_str(&writer.file(file, functions));
    }
    out.push_str("</body>\n</html>\n");
    out
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
    fn head(&self, files: &Files<'_>) -> String {
        let mut out = String::from("<header>\n<h1>Footpath</h1>\n");
        let command = self.run.command.join(" ");
        let _ = writeln!(out, "<p class=\"soft\"><code>{}</code></p>", escape(&command));
        if self.run.interrupted {
            out.push_str("<p><b>The run was interrupted:</b> what was not decided by then is unknown.</p>\n");
        }
        out.push_str("</header>\n<div class=\"wide\"><table>\n<thead><tr><th>function</th><th>blocks</th><th>branches</th><th>failing</th><th>infeasible</th><th>unknown</th><th>tests</th></tr></thead>\n<tbody>\n");
        for (&file, functions) in files {
            let name = escape(&self.run.run.sources.file(file).name);
            let _ = writeln!(
                out,
                "<tr class=\"file\"><td colspan=\"7\"><a href=\"#file{}\">{name}</a></td></tr>",
                file.0
            );
            for (i, function) in functions {
                let link = format!("<a href=\"#function{i}\">{}</a>", escape(&function.name));
                out.push_str(&counts_row("", &link, &Counts::of(function)));
            }
        }
        if self.run.run.functions.len() > 1 {
            out.push_str(&counts_row(" class=\"total\"", "total", &Counts::of_all(&self.run.run.functions)));
        }
        out.push_str("</tbody></table></div>\n<ul class=\"legend\">\n");
        for state in [
            State::Covered,
            State::OneWay,
            State::Failing,
            State::Infeasible,
            State::Defensive,
            State::Unknown,
        ] {
            let (class, mark, words) = (state.class(), state.mark(), state.words());
            let _ =
                writeln!(out, "<li class=\"legend-{class}\"><span class=\"mark\">{mark}</span>{words}</li>");
        }
        out.push_str("</ul>\n");
        for note in &self.run.run.notes {
            let _ = writeln!(out, "<pre class=\"remark\">{}</pre>", escape(note));
        }
        out
    }

    fn file(&self, id: FileId, functions: &[(usize, &FunctionResult)]) -> String {
        let file = self.run.run.sources.file(id);
        let states = states(file, id, functions);
        let mut notes: BTreeMap<u32, String> = BTreeMap::new();
        for &(i, function) in functions {
            self.notes(i, function, &mut notes);
        }
        let mut out = format!(
            "<section>\n<h2 id=\"file{}\">{}</h2>\n<div class=\"source\">\n",
            id.0,
            escape(&file.name)
        );
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
            out.push_str(&row(functions, file, number, line, here));
            out.push_str(notes.get(&number).map_or("", String::as_str));
        }
        out.push_str("</div>\n");
        for &(i, function) in functions {
            out.push_str(&self.function(i, function));
        }
        out + "</section>\n"
    }

    /// What there is to say below lines.
    fn notes(&self, index: usize, function: &FunctionResult, notes: &mut BTreeMap<u32, String>) {
        let sources = &self.run.run.sources;
        for (k, o) in function.objectives.iter().enumerate() {
            let line = sources.range(o.span).0.line;
            let id = format!("finding{index}-{k}");
            let state = State::of(o);
            let body = match state {
                State::Failing => {
                    let words = kinds::of(o).map_or("", |k| k.words);
                    let tests: Vec<String> = o.tests.iter().take(3).map(|&t| test_link(index, t)).collect();
                    format!("<b>✗ fails:</b> {words}, in {}", tests.join(", "))
                }
                State::Infeasible | State::OneWay => self.infeasible(function, k),
                State::Defensive => {
                    format!("<b>◇ defensive code or a macro's:</b> no input executes this{}", assumption(o))
                }
                _ if is_unknown(o) => {
                    let what = match o.kind {
                        ObjectiveKind::Check(check) => {
                            format!("whether {}", kinds::of_check(check).words)
                        }
                        _ => "whether this can be executed".to_owned(),
                    };
                    format!("<b>? unknown</b> {}: {}", escape(&what), escape(reason(o).unwrap_or_default()))
                }
                _ => continue,
            };
            let class = if state == State::Plain { "unknown" } else { state.class() };
            let entry = notes.entry(line).or_default();
            let _ = writeln!(entry, "<div class=\"note note-{class}\" id=\"{id}\">{body}</div>");
        }
    }

    fn infeasible(&self, function: &FunctionResult, position: usize) -> String {
        let sources = &self.run.run.sources;
        let o = &function.objectives[position];
        let words = kinds::of(o).map_or("", |k| k.words);
        let bound = reason(o).map_or_else(String::new, |r| format!(", within {}", escape(r)));
        let mark = State::of(o).mark();
        let by = shown_by(o.settled_by);
        let mut out = format!("<b>{mark} infeasible:</b> {words}{bound}{}{by}", assumption(o));
        let because = speaking(sources, &o.explanation);
        if because.is_empty() {
            return out;
        }
        // A block and the way to it have the same explanation, which is told once.
        let before = &function.objectives[..position];
        if let Some(told) = before.iter().find(|p| is_infeasible(p) && p.explanation == o.explanation) {
            let line = sources.range(told.span).0.line;
            let _ = write!(
                out,
                ", for the same reason as <a href=\"#line{}-{line}\">line {line}</a>",
                told.span.file.0
            );
            return out;
        }
        out.push_str(if because.len() == 1 {
            "; this rules it out:<ol>"
        } else {
            "; these contradict each other:<ol>"
        });
        for span in because {
            out.push_str(&self.because(span));
        }
        out + "</ol>"
    }

    /// A contradicting line with the statement in it marked.
    fn because(&self, span: Span) -> String {
        let file = self.run.run.sources.file(span.file);
        let (start, end) = self.run.run.sources.range(span);
        let line: Vec<char> = file.line(start.line).chars().collect();
        let from = (start.column as usize - 1).min(line.len());
        let to = if end.line == start.line {
            (end.column as usize - 1).clamp(from, line.len())
        } else {
            line.len()
        };
        let part = |range: &[char]| escape(&range.iter().collect::<String>());
        format!(
            "<li><a href=\"#line{}-{}\">line {}</a> <code>{}<mark>{}</mark>{}</code></li>",
            span.file.0,
            start.line,
            start.line,
            part(&line[..from]).trim_start(),
            part(&line[from..to]),
            part(&line[to..]).trim_end()
        )
    }

    /// The tests of a function.
    fn function(&self, index: usize, function: &FunctionResult) -> String {
        let name = escape(&function.name);
        let mut out = format!("<h3 id=\"function{index}\">Tests of <code>{name}</code></h3>\n");
        if let Status::Skipped(why) = &function.status {
            let _ = writeln!(out, "<p>It was not tested: {}.</p>", escape(why));
        }
        if let Some(condition) = function.fails_when.as_ref().filter(|c| c.skipped.is_none()) {
            let _ = writeln!(
                out,
                "<p>The function <strong>{}</strong> <span class=\"soft\">({})</span>.</p>",
                escape(&failures::verdict(condition)),
                escape(&failures::exactness(condition))
            );
            if let Some(precondition) = &condition.precondition {
                let _ = writeln!(
                    out,
                    "<p>Nothing fails with <code>footpath_assume({})</code>.</p>",
                    escape(precondition)
                );
            }
        }
        for note in &function.notes {
            let _ = writeln!(out, "<p class=\"remark\">{}</p>", escape(note));
        }
        if function.tests.is_empty() {
            out.push_str("<p class=\"soft\">There are none.</p>\n");
        }
        for (i, test) in function.tests.iter().enumerate() {
            out.push_str(&self.test(index, function, i + 1, test));
        }
        out
    }

    fn test(&self, index: usize, function: &FunctionResult, number: usize, test: &Test) -> String {
        let ends = match &test.outcome {
            TestOutcome::Returned(Some(value)) => format!("returns <code>{}</code>", escape(value)),
            TestOutcome::Returned(None) => "returns".to_owned(),
            TestOutcome::Exited => "ends the program".to_owned(),
            TestOutcome::Failed { kind, span, crash } => {
                let line = self.run.run.sources.range(*span).0.line;
                let crash = crash.as_ref().map_or_else(String::new, |c| format!(", {}", escape(c)));
                format!("fails at line {line}: {}{crash}", kinds::of_check(*kind).words)
            }
            TestOutcome::Other(crash) => format!("ends with {}", escape(crash)),
        };
        let failing: Vec<String> = test
            .covers
            .iter()
            .filter_map(|&o| function.objectives.get(o))
            .filter(|o| is_failing(o))
            .map(|o| {
                format!(
                    "{} at line {}",
                    kinds::of(o).map_or("", |k| k.words),
                    self.run.run.sources.range(o.span).0.line
                )
            })
            .collect();
        let failing = match &test.outcome {
            TestOutcome::Failed { .. } => String::new(),
            _ if failing.is_empty() => String::new(),
            _ => format!(", but {}", failing.join(", ")),
        };
        let mut out = format!(
            "<details id=\"test{index}-{number}\">\n<summary>test {number} {ends}{failing}</summary>\n"
        );
        if let Some(first) = &test.divergence {
            let _ = writeln!(
                out,
                "<p><b>Diverges:</b> it was expected to reach {}, but did not when it ran.</p>",
                escape(first)
            );
        }
        if !test.inputs.is_empty() {
            let _ = writeln!(out, "<pre>{}</pre>", escape(&test.inputs));
        }
        if let Some(program) = file_name(function).and_then(|f| f.strip_suffix(".c").map(str::to_owned)) {
            let folder = self.run.folder;
            let how = format!("make -C {folder} {program} && {folder}/{program} {number}");
            let _ = writeln!(out, "<p class=\"soft\">Run it: <code>{}</code></p>", escape(&how));
        }
        out + "</details>\n"
    }
}

fn counts_row(class: &str, name: &str, c: &Counts) -> String {
    let cell =
        |class: &str, n: usize| format!("<td class=\"{class}{}\">{n}</td>", if n > 0 { " some" } else { "" });
    format!(
        "<tr{class}><td>{name}</td><td>{}/{}</td><td>{}/{}</td>{}{}{}<td>{}</td></tr>\n",
        c.blocks_covered,
        c.blocks,
        c.branches_covered,
        c.branches,
        cell("failing", c.failing),
        cell("infeasible", c.infeasible),
        cell("unknown", c.unknown),
        c.tests
    )
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
) -> String {
    let solid = line.bytes().zip(states).filter(|(b, _)| !b.is_ascii_whitespace());
    let state = solid.map(|(_, s)| *s).max().unwrap_or(State::Plain);
    let id = functions.first().map_or(0, |(_, f)| f.span.file.0);
    let mark = match (state, covering(functions, file, number)) {
        (State::Covered | State::OneWay, Some((function, test))) => format!(
            "<a href=\"#test{function}-{test}\" title=\"{0}: test {test}\">{1}</a>",
            state.words(),
            state.mark()
        ),
        _ => state.mark().to_owned(),
    };
    let label = if state == State::Plain { "" } else { state.words() };
    format!(
        "<div class=\"row {}\" id=\"line{id}-{number}\"><a class=\"number\" href=\"#line{id}-{number}\">{number}</a><span class=\"mark\" aria-label=\"{label}\">{mark}</span><span class=\"text\">{}</span></div>\n",
        state.class(),
        marked(line, states)
    )
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
fn marked(line: &str, states: &[State]) -> String {
    let class = |s: State| match s {
        State::Failing => Some("f"),
        State::Infeasible | State::OneWay => Some("i"),
        State::Unknown => Some("u"),
        _ => None,
    };
    let mut out = String::new();
    let mut open = None;
    for (i, c) in line.char_indices() {
        let wanted = states.get(i).copied().and_then(class);
        if wanted != open {
            out.push_str(if open.is_some() { "</u>" } else { "" });
            if let Some(class) = wanted {
                let _ = write!(out, "<u class=\"{class}\">");
            }
            open = wanted;
        }
        out.push_str(&escape(c.encode_utf8(&mut [0; 4])));
    }
    if open.is_some() {
        out.push_str("</u>");
    }
    out
}

fn test_link(function: usize, number: usize) -> String {
    format!("<a href=\"#test{function}-{number}\">test {number}</a>")
}

pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// Who showed that something is infeasible.
fn shown_by(settler: Option<Evidence>) -> &'static str {
    match settler {
        Some(Evidence::Exhaustion) => ", shown by running or refuting every path",
        Some(Evidence::Cover) => ", shown by a proof of the cover engine",
        Some(Evidence::LoopSummary) => ", shown by a loop summary",
        Some(Evidence::Invariants) => ", shown by invariants of the program",
        Some(Evidence::CallGraph) => ", as the program never calls the function",
        Some(Evidence::Run | Evidence::OtherTest) | None => "",
    }
}
