//! What commands answer, read from the JSON that users see.
//!
//! Each command's report becomes a list of [`Said`]: the answer, and the code or check that it is about. So that what is judged
//! is what users are told, nothing is read but the output.
//!
//! **Direction of error.** A report that cannot be read, or that says that a test diverged, is a complaint, not a list
//! with less in it.

use std::path::Path;

use serde_json::Value;

use crate::truth::{Answer, Truth};

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// What it is about.
    pub about: About,
    /// The function that it is in; empty where the report does not say.
    pub function: String,
    /// The first line of that, from 1.
    pub first: u32,
    /// Where it begins in that line, from 1; 0 for the first code of the line.
    pub column: u32,
    /// The last.
    pub last: u32,
    pub answer: Answer,
    /// How the report names it.
    pub name: String,
}

/// What an answer is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// Code that stretches over the lines.
    Code,
    /// A check of this kind that begins on the first line.
    Check(String),
    /// All checks of the lines.
    Checks,
}

/// The answers that a truth is about. Where no code starts on a line, the line is in the middle of some.
pub fn about<'s>(truth: &Truth, said: &'s [Said]) -> Vec<&'s Said> {
    let fits = |s: &&Said| match &s.about {
        About::Code => truth.claim.is_about_code() && s.first == truth.line,
        About::Check(kind) => {
            let is_kind = truth.kind.is_empty() || *kind == truth.kind;
            truth.claim.is_about_a_check() && is_kind && s.first == truth.line
        }
        About::Checks => truth.claim.is_about_a_check() && s.first <= truth.line && truth.line <= s.last,
    };
    let found: Vec<&Said> = said.iter().filter(fits).collect();
    if !found.is_empty() || !truth.claim.is_about_code() {
        return found;
    }
    said.iter().filter(|s| s.about == About::Code && s.first < truth.line && truth.line <= s.last).collect()
}

/// The answers of a report.
///
/// # Errors
/// If the report is none, or has something in it that must not happen.
pub fn answers(report: &Value, file: &Path) -> Result<Vec<Said>, String> {
    let errors: Vec<&str> = list(&report["diagnostics"])
        .iter()
        .filter(|d| d["severity"] == "error")
        .map(|d| text(d, "message"))
        .collect();
    if !errors.is_empty() {
        return Err(format!("  cannot be read: {}\n", errors.join("; ")));
    }
    let found = match text(report, "schema") {
        "footpath-suite-1" => suite(report)?,
        "footpath-cover-1" => cover(report),
        "footpath-verify-1" => list(&report["checks"]).iter().map(verified).collect(),
        "footpath-reach-1" => list(&report["targets"]).iter().map(reached).collect(),
        "footpath-failures-1" => failures(report),
        other => return Err(format!("  `{other}` is no format of a report\n")),
    };
    // Commands name files as the compiler does, which may leave out what `..` takes back.
    let is_here =
        |(place, said): (String, Said)| (Path::new(&place).file_name() == file.file_name()).then_some(said);
    Ok(found.into_iter().filter_map(is_here).collect())
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

fn number(value: &Value, name: &str) -> u32 {
    value[name].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or_default()
}

/// An answer about what a span covers, with the file that it is in.
fn said(function: &str, span: &Value, about: About, answer: Answer, name: &str) -> (String, Said) {
    let (function, name) = (function.to_owned(), name.to_owned());
    let (first, last, column) = (number(span, "line"), number(span, "end_line"), number(span, "column"));
    (text(span, "file").to_owned(), Said { about, function, first, column, last, answer, name })
}

/// What "unreachable within" is about, by its reason: loop iterations, or else the sizes of inputs.
fn within(reason: &str) -> Answer {
    match reason.split_once(" of each loop").and_then(|(count, _)| count.split(' ').next()?.parse().ok()) {
        Some(iterations) => Answer::NeverWithin(iterations),
        None => Answer::NeverWithinSizes,
    }
}

/// `footpath test`, and `footpath explore` of C.
fn suite(report: &Value) -> Result<Vec<(String, Said)>, String> {
    let mut found = Vec::new();
    for function in list(&report["functions"]) {
        let name = text(function, "name");
        if let Some(test) = list(&function["tests"]).iter().find(|t| !t["divergence"].is_null()) {
            return Err(format!("  {name}: test {} diverges: {}\n", test["number"], test["divergence"]));
        }
        let notes = list(&function["notes"]).iter().filter_map(Value::as_str);
        if let Some(note) = notes.into_iter().find(|note| note.starts_with("internal error")) {
            return Err(format!("  {name}: {note}\n"));
        }
        for objective in list(&function["objectives"]) {
            let about = match text(objective, "kind") {
                kind if kind.starts_with("branch") => continue,
                "block" => About::Code,
                kind => About::Check(kind.to_owned()),
            };
            let assumes: Vec<&str> = list(&objective["assumes"]).iter().filter_map(Value::as_str).collect();
            let answer = match text(objective, "verdict") {
                "covered" => Answer::Runs,
                "unreachable" if !assumes.is_empty() => Answer::NeverUnder(assumes.join(", ")),
                "unreachable" => Answer::Never,
                "unreachable_within_bound" => within(text(objective, "reason")),
                _ => Answer::Unknown(text(objective, "reason").to_owned()),
            };
            found.push(said(name, &objective["span"], about, answer, text(objective, "id")));
        }
    }
    Ok(found)
}

/// `footpath cover`, and `footpath explore` of Boogie programs.
fn cover(report: &Value) -> Vec<(String, Said)> {
    let mut found = Vec::new();
    for procedure in list(&report["procedures"]) {
        let unwind = number(&procedure["statistics"], "unwind");
        for objective in list(&procedure["objectives"]) {
            let about = match text(objective, "kind") {
                "statement" => About::Code,
                "failure" => About::Check(text(objective, "assertion").to_owned()),
                _ => continue,
            };
            let answer = match text(objective, "verdict") {
                "covered" => Answer::Runs,
                "doomed" => Answer::Doomed,
                "unreachable" => Answer::Never,
                "unreachable_within_bound" if text(objective, "reason").contains("iteration") => {
                    Answer::NeverWithin(unwind)
                }
                _ => Answer::Unknown(text(objective, "reason").to_owned()),
            };
            let name = text(procedure, "name");
            found.push(said(name, &objective["span"], about, answer, text(objective, "id")));
        }
    }
    found
}

/// A check of `footpath verify`.
fn verified(check: &Value) -> (String, Said) {
    let premise: Vec<&str> = list(&check["premise"]).iter().filter_map(Value::as_str).collect();
    let answer = match text(check, "verdict") {
        "verified" => Answer::Never,
        "verified_under" => Answer::NeverUnder(premise.join(", ")),
        // Every run that gets there fails; whether one does is not said.
        "failing" => Answer::Unknown("it fails in every run that gets there".to_owned()),
        _ => Answer::Unknown("unverified".to_owned()),
    };
    let function = text(check, "function");
    said(function, &check["span"], About::Check(text(check, "kind").to_owned()), answer, function)
}

/// A target of `footpath reach`.
fn reached(target: &Value) -> (String, Said) {
    let assumes: Vec<&str> = list(&target["assumes"]).iter().filter_map(Value::as_str).collect();
    let answer = match text(target, "verdict") {
        "reached" => Answer::Reached,
        "unreachable" if !assumes.is_empty() => Answer::NeverUnder(assumes.join(", ")),
        "unreachable" => Answer::Never,
        _ => Answer::Unknown(text(target, "why").to_owned()),
    };
    // A run may start in a caller of the function that the target is in.
    let (file, mut said) = said("", &target["span"], About::Code, answer, text(target, "target"));
    // What was asked about is a line, wherever the code begins that it is in the middle of.
    if let Some((_, line)) = text(target, "target").rsplit_once(':') {
        said.first = line.parse().unwrap_or(said.first);
        said.last = said.first;
        said.column = 0;
    }
    (file, said)
}

/// `footpath failures`: tests that fail, and functions that never do.
fn failures(report: &Value) -> Vec<(String, Said)> {
    let functions = list(&report["functions"]);
    let lines: Vec<u32> = functions.iter().map(|f| number(&f["span"], "line")).collect();
    let mut found = Vec::new();
    for function in functions {
        let name = text(function, "name");
        for test in list(&function["tests"]).iter().filter(|t| t["fails"] == true) {
            let about = About::Check(text(test, "check").to_owned());
            // It may be in a function that this one calls.
            found.push(said("", &test["span"], about, Answer::Runs, name));
        }
        let is_complete = matches!(text(function, "exactness"), "exact" | "necessary");
        if text(function, "constraint") == "false" && is_complete {
            let answer = if function["premise"].is_null() { Answer::Never } else { Answer::NeverWithinSizes };
            let (file, mut said) = said(name, &function["span"], About::Checks, answer, name);
            let next = lines.iter().filter(|line| **line > said.first).min();
            said.last = next.map_or(u32::MAX, |line| line - 1);
            found.push((file, said));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::truths;

    #[test]
    fn answers_are_about_the_line_on_which_code_begins_or_else_about_the_code_that_it_is_in() {
        let span = |line: u32, end: u32| serde_json::json!({"file": "a.c", "line": line, "end_line": end});
        let objective = |kind: &str, span: Value, verdict: &str| serde_json::json!({"id": kind, "kind": kind, "span": span, "verdict": verdict, "assumes": []});
        let report = serde_json::json!({"schema": "footpath-suite-1", "functions": [{"name": "f", "objectives": [
            objective("block", span(1, 3), "covered"),
            objective("null", span(3, 3), "unreachable"),
            objective("block", span(2, 2), "unknown"),
        ]}]});
        let said = answers(&report, Path::new("a.c")).expect("a report");
        let about_line = |text: &str| {
            let truths = truths(text).expect("truths");
            about(&truths[0], &said).iter().map(|s| s.answer.clone()).collect::<Vec<_>>()
        };
        assert_eq!(about_line("x; //@ covered\n"), [Answer::Runs]);
        assert_eq!(about_line("x;\ny; //@ covered\n"), [Answer::Unknown(String::new())]);
        assert_eq!(about_line("x;\ny;\nz; //@ covered\n"), [Answer::Runs]);
        assert_eq!(about_line("x;\ny;\nz; //@ holds null\n"), [Answer::Never]);
        assert!(about_line("x;\ny;\nz; //@ holds bounds\n").is_empty());
        assert!(answers(&serde_json::json!({"schema": "other"}), Path::new("a.c")).is_err());
    }
}
