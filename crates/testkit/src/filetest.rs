//! Commands in a program's comments, with the output they print.
//!
//! ```text
//! //@ run: verify --sound
//! //@ exit: 0
//! //| f  2 verified
//! ```
//!
//! Where most of the output is not the point, or depends on how fast the machine is, `//@ says: TEXT` asks for a line that
//! contains the text, `//@ never says: TEXT` for none, and the rest is not compared.

use std::fmt::Write as _;
use std::path::Path;

use crate::engines::with_longer_limits;
use crate::job_slots::load_per_core;
use crate::{Language, engines};

const RUN: &str = "//@ run: ";
const EXIT: &str = "//@ exit: ";
const LINE: &str = "//|";
const SAYS: &str = "//@ says: ";
const NEVER_SAYS: &str = "//@ never says: ";

/// A command and what it is expected to print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileTest {
    /// The command, words separated by blanks; the file's name is added.
    pub command: String,
    /// The rest of the block: exit code and output, as comments.
    pub expected: String,
    /// Instead of the whole output: lines that ask for a part of it, or exclude one.
    pub parts: Vec<String>,
}

impl FileTest {
    /// What is wrong with an output.
    fn complaints(&self, actual: &str) -> String {
        if self.parts.is_empty() {
            let (expected, actual) =
                (without_times_of_proofs(&self.expected), without_times_of_proofs(actual));
            return if expected == actual { String::new() } else { difference(&expected, &actual) };
        }
        let exits = |text: &str| text.lines().find(|l| l.starts_with(EXIT)).map(str::to_owned);
        let mut complaints = String::new();
        if let Some(expected) = exits(&self.expected).filter(|e| exits(actual).as_ref() != Some(e)) {
            let _ = writeln!(complaints, "  - {expected}\n  + {}", exits(actual).unwrap_or_default());
        }
        let output = || actual.lines().filter_map(|l| l.strip_prefix(LINE));
        for part in &self.parts {
            let (wanted, text) = match part.strip_prefix(NEVER_SAYS) {
                Some(text) => (false, text),
                None => (true, part.strip_prefix(SAYS).unwrap_or_default()),
            };
            if output().any(|line| line.contains(text.trim())) != wanted {
                let _ = writeln!(complaints, "  {part}\n{actual}");
            }
        }
        complaints
    }
}

/// Runs the commands of a file. With `BLESS` set, writes what they print into it; without, complains about
/// differences. A file without commands passes.
///
/// # Errors
/// All differences.
pub fn check_file(path: &Path, scratch: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let (program, tests) = split(&text)?;
    if tests.is_empty() {
        return Ok(());
    }
    // Where the whole output is compared, the limits stand in it.
    let load = |t: &FileTest| if t.parts.is_empty() { 1.0 } else { load_per_core() };
    let output = |t: &FileTest| run(&with_longer_limits(&t.command, load(t)), path, scratch);
    let actual: Vec<FileTest> = tests.iter().map(|t| FileTest { expected: output(t), ..t.clone() }).collect();
    let is_blessed = std::env::var_os("BLESS").is_some();
    if is_blessed {
        let blessed = join(program, &actual);
        if blessed != text {
            std::fs::write(path, blessed).map_err(|e| e.to_string())?;
        }
    }
    let mut complaints = String::new();
    // What asks for a part is not rewritten.
    for (test, actual) in tests.iter().zip(&actual).filter(|(t, _)| !is_blessed || !t.parts.is_empty()) {
        let wrong = test.complaints(&actual.expected);
        if !wrong.is_empty() {
            let _ = writeln!(complaints, "{RUN}{}\n{wrong}", test.command);
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(format!("{complaints}BLESS=1 accepts the new output")) }
}

/// The program and the blocks behind it.
fn split(text: &str) -> Result<(&str, Vec<FileTest>), String> {
    let is_run = |line: &str| line.starts_with(RUN);
    let Some(start) = text.match_indices(RUN).map(|(i, _)| i).find(|&i| i == 0 || text[..i].ends_with('\n'))
    else {
        return Ok((text, Vec::new()));
    };
    let mut tests: Vec<FileTest> = Vec::new();
    for line in text[start..].lines() {
        if is_run(line) {
            let command = line[RUN.len()..].trim().to_owned();
            tests.push(FileTest { command, expected: String::new(), parts: Vec::new() });
        } else if line.starts_with(EXIT) || line.starts_with(LINE) {
            let last = tests.last_mut().ok_or("output without a command")?;
            last.expected.push_str(line);
            last.expected.push('\n');
        } else if line.starts_with(SAYS) || line.starts_with(NEVER_SAYS) {
            tests.last_mut().ok_or("output without a command")?.parts.push(line.trim().to_owned());
        } else if !line.trim().is_empty() {
            return Err(format!("behind the first `{RUN}` only commands and output may stand, not: {line}"));
        }
    }
    Ok((&text[..start], tests))
}

fn join(program: &str, tests: &[FileTest]) -> String {
    let mut text = program.trim_end().to_owned() + "\n";
    for test in tests {
        let _ = writeln!(text, "\n{RUN}{}", test.command);
        // Where parts are asked for, the rest may change.
        let whole = |line: &&str| test.parts.is_empty() || line.starts_with(EXIT);
        test.expected.lines().filter(whole).chain(test.parts.iter().map(String::as_str)).for_each(|line| {
            text.push_str(line);
            text.push('\n');
        });
    }
    text
}

/// Exit code and output as comments; first what goes to the standard error output.
fn run(command: &str, path: &Path, scratch: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let scratch = scratch.join(&name);
    let _ = std::fs::remove_dir_all(&scratch);
    // Clang names a file as it is seen from the working directory, so C programs are run where they lie. The directory is one
    // for all threads, and all want the same.
    let corpus = Language::C.corpus().canonicalize().ok();
    let path =
        match corpus.and_then(|c| Some((path.canonicalize().ok()?.strip_prefix(&c).ok()?.to_owned(), c))) {
            Some((seen, corpus)) if std::env::set_current_dir(&corpus).is_ok() => seen,
            _ => path.to_owned(),
        };
    let output = engines::run(command, &path, &scratch, &[]);
    let mut text = format!("{EXIT}{}\n", output.code);
    for output in [output.err, output.out] {
        let output = output.replace(&path.display().to_string(), &name);
        for line in output.replace(&scratch.display().to_string(), "SCRATCH").lines() {
            let line = normalise(line);
            let _ = writeln!(text, "{}", format!("{LINE} {line}").trim_end());
        }
    }
    text
}

/// The output without what depends on whether a proof that fails did so in time: the reason of a check that is open, and what is said of
/// reasons together.
fn without_times_of_proofs(output: &str) -> String {
    let mut text = String::new();
    let mut is_of_reasons = false;
    for line in output.lines() {
        let said = line.strip_prefix(LINE).unwrap_or(line);
        is_of_reasons = said.starts_with(" why ") || is_of_reasons && said.starts_with("  ");
        if !is_of_reasons {
            let line = ["weak-invariants", "proof-time"].iter().fold(line.to_owned(), |line, code| {
                line.replace(&format!("unverified [{code}]"), "unverified")
            });
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// The line with all times replaced: numbers before the unit ` s`, and JSON fields of seconds.
pub(crate) fn normalise(line: &str) -> String {
    if let Some((field, _)) = line.split_once("_seconds\": ") {
        let comma = if line.ends_with(',') { "," } else { "" };
        return format!("{field}_seconds\": 0.0{comma}");
    }
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for i in 1..words.len() {
        let is_unit = matches!(words[i].trim_end_matches([',', ';', '.', ')']), "s" | "ms");
        // Limits that the user gave are whole numbers; measured times have a fraction.
        if is_unit && words[i - 1].contains('.') && words[i - 1].parse::<f64>().is_ok() {
            words[i - 1] = "T".to_owned();
        }
    }
    words.join(" ")
}

/// Lines that differ, from the first to the last.
pub(crate) fn difference(expected: &str, actual: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut text = String::new();
    for (sign, lines) in [('-', &old[..old.len() - end]), ('+', &new[..new.len() - end])] {
        for line in lines {
            let _ = writeln!(text, "  {sign} {line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_program_and_blocks_of_commands_with_output() {
        let text = "procedure P();\n\n//@ run: check\n//@ exit: 0\n//| ok\n\n//@ run: cover\n//@ exit: 0\n";
        let (program, tests) = split(text).expect("well formed");
        assert_eq!(program, "procedure P();\n\n");
        assert_eq!(tests.len(), 2);
        assert_eq!(tests[0].expected, "//@ exit: 0\n//| ok\n");
        assert_eq!(join(program, &tests), text);
        assert!(split("//@ run: check\nvar x: int;\n").is_err(), "code behind a command is a mistake");
    }

    #[test]
    fn whether_a_proof_ran_out_of_time_is_no_difference() {
        let output = |code: &str, other: &str| {
            format!(
                "//@ exit: 0\n//|   f.c:1:2  null  unverified [{code}]\n//|\n//| why checks are unverified, and what\n\
                 //|   1 [{code}] Raise\n//|          the time.\n//|{other}\n"
            )
        };
        let test = |expected: String| FileTest { command: String::new(), expected, parts: Vec::new() };
        let one = test(output("proof-time", " end"));
        assert_eq!(one.complaints(&output("weak-invariants", " end")), "");
        assert!(!one.complaints(&output("no-solver", " end")).is_empty());
        assert!(!one.complaints(&output("proof-time", " another end")).is_empty());
    }

    #[test]
    fn parts_of_an_output_are_asked_for_or_excluded() {
        let text = "int x;\n\n//@ run: test\n//@ exit: 0\n//@ says: all of it\n//@ never says: internal\n";
        let (program, tests) = split(text).expect("well formed");
        assert_eq!(join(program, &tests), text);
        assert_eq!(tests[0].complaints("//@ exit: 0\n//| nearly all of it\n"), "");
        assert!(tests[0].complaints("//@ exit: 1\n//| all of it\n").contains("- //@ exit: 0"));
        assert!(tests[0].complaints("//@ exit: 0\n//| internal: all of it\n").contains("never says"));
        assert!(tests[0].complaints("//@ exit: 0\n").contains("says: all of it"));
    }

    #[test]
    fn measured_times_are_normalised_and_limits_are_not() {
        assert_eq!(normalise("3 queries in 0.1 s of 12.3 s"), "3 queries in T s of T s");
        assert_eq!(normalise("gave up after 10 s"), "gave up after 10 s");
        assert_eq!(normalise("  \"solver_seconds\": 0.25,"), "  \"solver_seconds\": 0.0,");
    }

    #[test]
    fn a_difference_shows_only_what_differs() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\nc\n"), "  - b\n  + x\n");
        assert_eq!(difference("a\n", "a\nb\n"), "  + b\n");
    }
}
