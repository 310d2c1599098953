//! Commands in a program's comments, with the output they print.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use footpath_cli::{Terminal, World};

const RUN: &str = "//@ run: ";
const EXIT: &str = "//@ exit: ";
const LINE: &str = "//|";

/// A command and what it is expected to print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileTest {
    /// The command, words separated by blanks; the file's name is added.
    pub command: String,
    /// The rest of the block: exit code and output, as comments.
    pub expected: String,
}

/// Runs the commands of a file. With `BLESS` set, writes what they print into it; without, complains about
/// differences. A file without commands passes.
pub fn check_file(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let (program, tests) = split(&text)?;
    if tests.is_empty() {
        return Ok(());
    }
    let actual: Vec<FileTest> = tests
        .iter()
        .map(|t| FileTest { command: t.command.clone(), expected: run(&t.command, path) })
        .collect();
    if std::env::var_os("BLESS").is_some() {
        let blessed = join(program, &actual);
        return if blessed == text {
            Ok(())
        } else {
            std::fs::write(path, blessed).map_err(|e| e.to_string())
        };
    }
    let mut complaints = String::new();
    for (test, actual) in tests.iter().zip(&actual) {
        if test.expected != actual.expected {
            let _ = writeln!(complaints, "{RUN}{}", test.command);
            complaints.push_str(&difference(&test.expected, &actual.expected));
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
            tests.push(FileTest { command: line[RUN.len()..].trim().to_owned(), expected: String::new() });
        } else if line.starts_with(EXIT) || line.starts_with(LINE) {
            let last = tests.last_mut().ok_or("output without a command")?;
            last.expected.push_str(line);
            last.expected.push('\n');
        } else if !line.trim().is_empty() {
            return Err(format!("behind the first `{RUN}` only commands and output may stand, not: {line}"));
        }
    }
    Ok((&text[..start], tests))
}

fn join(program: &str, tests: &[FileTest]) -> String {
    let mut text = program.trim_end().to_owned() + "\n";
    for test in tests {
        let _ = write!(text, "\n{RUN}{}\n{}", test.command, test.expected);
    }
    text
}

/// Exit code and output as comments; first what goes to the standard error output.
fn run(command: &str, path: &Path) -> String {
    let full = path.display().to_string();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut args: Vec<OsString> = vec!["footpath".into()];
    args.extend(command.split_whitespace().map(OsString::from));
    args.push(path.into());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let stop = AtomicBool::new(false);
    let mut world = World { out: &mut out, err: &mut err, terminal: Terminal::NONE, stop: &stop };
    let exit = footpath_cli::run(&args, &mut world);
    let mut text = format!("{EXIT}{}\n", exit.code());
    for output in [err, out] {
        for line in String::from_utf8_lossy(&output).replace(&full, &name).lines() {
            let line = normalise(line);
            let _ = writeln!(text, "{}", format!("{LINE} {line}").trim_end());
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
