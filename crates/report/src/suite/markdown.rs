//! The report as Markdown: a comment on a change, or the summary of a build.
//!
//! Who reads it has the change before them, so it begins with what there is to act on: each finding with its line and the input or
//! what contradicts it. What functions demand and what is undecided can be unfolded. What is quoted from the source stands between
//! more backticks than it has itself, so nothing in it is Markdown.
//!
//! **Direction of error.** What is left out for length is counted.

use std::fmt::Write as _;

use footpath_ir::source::Span;

use super::counts::{Counts, is_unknown};
use super::findings::{Finding, Rank, demanded, findings, label};
use super::screen::{percentage, test};
use super::{TestRun, assumption, reason_code, speaking};
use crate::counts::plural;

/// At most so many findings are shown, and so many lines of a list: a comment may have 65 536 characters.
const MOST: usize = 25;
/// At most so many characters of a line are quoted.
const WIDTH: usize = 160;

/// The text of a `.md` file.
pub fn text(run: &TestRun<'_>) -> String {
    let functions = &run.run.functions;
    let all = findings(&run.run.sources, functions);
    let mut out = format!("### Footpath: {}\n", title(&all));
    for finding in all.iter().take(MOST) {
        out.push('\n');
        out.push_str(&one(run, finding));
    }
    if all.len() > MOST {
        let _ = write!(out, "\n… and {}.\n", plural(all.len() - MOST, "more finding"));
    }
    out.push_str(&unfolded("What functions demand of their callers, which is no finding", &demands(run)));
    out.push_str(&unfolded("What is undecided, by reason", &undecided(run)));
    out.push('\n');
    out.push_str(&last_line(run));
    for note in run.run.notes.iter().filter_map(|note| note.lines().next()) {
        let _ = writeln!(out, "\n_{}_", code_free(note));
    }
    out
}

fn title(all: &[Finding<'_>]) -> String {
    let dead = all.iter().filter(|f| f.rank == Rank::Dead).count();
    match (all.len() - dead, dead) {
        (0, 0) => "nothing to act on".to_owned(),
        (failing, 0) => format!("{} to act on", plural(failing, "failure")),
        (0, dead) => format!("{} of code that no input executes", plural(dead, "piece")),
        (failing, dead) => {
            let (failures, pieces) = (plural(failing, "failure"), plural(dead, "piece"));
            format!("{failures} to act on, {pieces} of code that no input executes")
        }
    }
}

fn one(run: &TestRun<'_>, finding: &Finding<'_>) -> String {
    let sources = &run.run.sources;
    let main = finding.objectives[0];
    let is_dead = finding.rank == Rank::Dead;
    let word = if is_dead { "infeasible" } else { "fails" };
    let place = code(&sources.describe(finding.span));
    let function = code(&label(sources, &run.run.functions, finding.function));
    let rests_on = if is_dead { assumption(main) } else { "" };
    let mut out = format!("**{word}** {place} in {function}: {}{rests_on}\n", finding.kind.words);
    let because = speaking(sources, &main.explanation).into_iter().find(|s| is_dead && *s != main.span);
    let lines: Vec<String> = because.into_iter().chain([finding.span]).map(|span| line(run, span)).collect();
    out.push_str(&block(&lines.join("\n")));
    if let Some(why) = finding.reason(sources) {
        let _ = writeln!(out, "{why}.\n");
    }
    if !is_dead {
        let _ = writeln!(out, "{}\n", code(&test(run, finding.function, main)));
    }
    let _ = writeln!(out, "_To do:_ {}.", finding.kind.advice);
    out
}

/// The line on which something stands, with its number.
fn line(run: &TestRun<'_>, span: Span) -> String {
    let sources = &run.run.sources;
    let number = sources.range(span).0.line;
    let text: String = sources.file(span.file).line(number).trim_end().chars().take(WIDTH).collect();
    format!("{number:>5} | {text}")
}

/// What functions demand of their callers, an item for each.
fn demands(run: &TestRun<'_>) -> Vec<String> {
    let (sources, functions) = (&run.run.sources, &run.run.functions);
    let item = |f| Some(format!("{}: {}", code(&label(sources, functions, f)), code(&demanded(sources, f)?)));
    functions.iter().filter_map(item).collect()
}

/// What is undecided, an item for each reason, the most frequent first.
fn undecided(run: &TestRun<'_>) -> Vec<String> {
    let objectives = run.run.functions.iter().flat_map(|f| &f.objectives).filter(|o| is_unknown(o));
    let mut codes: Vec<(String, usize)> = Vec::new();
    for name in objectives.filter_map(|o| reason_code(&o.verdict)) {
        match codes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => codes.push((name, 1)),
        }
    }
    codes.sort_by_key(|(_, count)| usize::MAX - count);
    codes.into_iter().map(|(name, count)| format!("{}: {}", code(&name), plural(count, "place"))).collect()
}

/// A list that can be unfolded.
fn unfolded(heading: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let mut out = format!("\n<details><summary>{heading} ({})</summary>\n\n", items.len());
    items.iter().take(MOST).for_each(|item| out.push_str(&format!("* {item}\n")));
    if items.len() > MOST {
        let _ = writeln!(out, "* … and {} more", items.len() - MOST);
    }
    out + "\n</details>\n"
}

fn last_line(run: &TestRun<'_>) -> String {
    let c = Counts::of_all(&run.run.functions);
    let mut parts = vec![
        plural(run.run.functions.len(), "function"),
        plural(c.tests, "test"),
        format!("{} of blocks covered", percentage(c.blocks_covered, c.blocks)),
        format!("{} of branches", percentage(c.branches_covered, c.branches)),
    ];
    if c.in_baseline > 0 {
        parts.push(format!("{} known before", plural(c.in_baseline, "finding")));
    }
    if run.interrupted {
        parts.push("interrupted, so what was not decided by then is undecided".to_owned());
    }
    format!("{}\n", parts.join(" · "))
}

/// A text as code within a line.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Lines as a block of C.
fn block(text: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    format!("\n{fence}c\n{text}\n{fence}\n\n")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A text of ours without what Markdown or HTML would take for its own.
fn code_free(text: &str) -> String {
    text.chars().map(|c| if "`_*<>[]&|\\".contains(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_quoted_ends_its_quotation() {
        assert_eq!(code("a*b"), "`a*b`");
        assert_eq!(code("`x` ``"), "``` `x` `` ```");
        assert_eq!(block("    1 | /* ``` */"), "\n````c\n    1 | /* ``` */\n````\n\n");
        assert_eq!(code("two\nlines"), "`two lines`");
    }
}
