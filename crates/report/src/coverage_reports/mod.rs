//! Coverage reports of other tools, as they are read: which lines were executed, and how often.
//!
//! | format | file |
//! |---|---|
//! | lcov's tracefiles, up to version 2 of lcov; also written | `lcov.rs` |
//! | JSON of gcovr, and of gcov itself | `gcovr.rs` |
//! | JSON of `llvm-cov export` | `llvm_cov.rs` |
//! | Cobertura's XML, which gcovr and most CI systems know | `cobertura.rs` |
//!
//! The format is found by content, as names of reports say little. What a report has twice, such as lines of a file that several
//! programs include, is added up.
//!
//! **Direction of error.** A report is believed: a line that it calls missed without reason is looked for once more, one that it calls
//! executed without reason is not. No report makes the reader panic, run out of memory or take long: sizes are bounded.

mod cobertura;
mod gcovr;
pub mod lcov;
mod llvm_cov;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The largest number of a line: no compiler reads a longer file.
const MAX_LINE: u32 = 10_000_000;
/// The largest number of lines in a report.
const MAX_LINES: usize = 10_000_000;

/// What a coverage report says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CoverageReport {
    /// The files, by the names that they have in it.
    pub files: BTreeMap<PathBuf, FileCoverage>,
}

/// What a coverage report says of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileCoverage {
    /// How often each line with code was executed. Lines count from 1.
    pub lines: BTreeMap<u32, u64>,
    /// The line on which each function begins, 0 if that is not said, and how often it was called.
    pub functions: BTreeMap<String, (u32, u64)>,
    /// How often each branch was taken; `None` if its condition was not evaluated.
    pub branches: BTreeMap<Branch, Option<u64>>,
}

/// A branch, as lcov has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Branch {
    /// The line of its condition.
    pub line: u32,
    /// The condition: a number, with marks of some tools.
    pub block: String,
    /// Which branch of the condition: a number or an expression.
    pub branch: String,
}

/// Why a text is no coverage report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl ReadError {
    fn new(line: usize, column: usize, message: impl Into<String>) -> ReadError {
        ReadError { line, column: column.max(1), message: message.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl From<serde_json::Error> for ReadError {
    fn from(error: serde_json::Error) -> ReadError {
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or(&text);
        ReadError::new(error.line().max(1), error.column(), what)
    }
}

/// Reads a coverage report of any of the formats.
///
/// # Errors
/// Where it is none, or has numbers that no report has.
pub fn read(text: &str) -> Result<CoverageReport, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.trim_start().chars().next() {
        None => Err(ReadError::new(1, 1, "the file is empty, so it is no coverage report")),
        Some('<') => cobertura::read(text),
        Some('{') if text.contains("\"llvm.coverage.json.export\"") => llvm_cov::read(text),
        Some('{') if text.contains("\"gcovr/format_version\"") || text.contains("\"gcc_version\"") => {
            gcovr::read(text)
        }
        Some('{' | '[') => {
            let message = "this JSON is neither a report of gcovr (--json) nor one of `llvm-cov export`";
            Err(ReadError::new(1, 1, message))
        }
        Some(_) => lcov::read(text),
    }
}

/// A report as it is made, within limits.
#[derive(Default)]
struct Builder {
    report: CoverageReport,
    lines: usize,
}

impl Builder {
    fn file(&mut self, path: &Path) -> &mut FileCoverage {
        self.report.files.entry(path.to_owned()).or_default()
    }

    /// Adds to how often a line was executed.
    ///
    /// # Errors
    /// What is wrong with the number.
    fn line(&mut self, path: &Path, line: u32, count: u64) -> Result<(), String> {
        self.lines += 1;
        if self.lines > MAX_LINES {
            return Err(format!("the report has more than {MAX_LINES} lines"));
        }
        let known = self.file(path).lines.entry(line_number(line)?).or_default();
        *known = known.saturating_add(count);
        Ok(())
    }

    /// Adds to how often a function was called.
    fn function(&mut self, path: &Path, name: &str, line: Option<u32>, count: u64) {
        let known = self.file(path).functions.entry(name.to_owned()).or_default();
        known.0 = line.filter(|line| (1..=MAX_LINE).contains(line)).unwrap_or(known.0);
        known.1 = known.1.saturating_add(count);
    }
}

fn line_number(line: u32) -> Result<u32, String> {
    match (1..=MAX_LINE).contains(&line) {
        true => Ok(line),
        false => Err(format!("{line} is no number of a line; they go from 1 to {MAX_LINE}")),
    }
}

impl FileCoverage {
    /// The lines that were not executed.
    pub fn missed(&self) -> impl Iterator<Item = u32> + '_ {
        self.lines.iter().filter(|(_, count)| **count == 0).map(|(line, _)| *line)
    }
}
