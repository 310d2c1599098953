//! Reading the coverage report that a run starts from.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use footpath_driver::{LineSet, SourceLines};
use footpath_report::coverage_reports::{self, CoverageReport};

/// Larger reports are refused: one of a million lines has a tenth of that.
const MAX_BYTES: u64 = 256 << 20;

/// Reads a coverage report.
///
/// # Errors
/// If it cannot be read, or is none; with the place.
pub fn read(path: &Path) -> Result<CoverageReport> {
    let text = text(path, MAX_BYTES)?;
    coverage_reports::read(&text).map_err(|why| anyhow::anyhow!("{}:{why}", path.display()))
}

/// The text of a file of a limited size.
///
/// # Errors
/// If it cannot be read, is too large or no text; with the place.
pub fn text(path: &Path, most: u64) -> Result<String> {
    let name = path.display();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.with_context(|| format!("{name} cannot be read"))?;
    if bytes.len() as u64 > most {
        bail!("{name} is larger than {} MiB", most >> 20);
    }
    String::from_utf8(bytes).map_err(|why| {
        let before = &why.as_bytes()[..why.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&b| b != b'\n').count();
        anyhow::anyhow!("{name}:{line}:{column}: this is no text in UTF-8")
    })
}

/// The lines that a report calls missed.
pub fn missed(report: &CoverageReport, path: &Path) -> SourceLines {
    let lines = |file: &coverage_reports::FileCoverage| LineSet::of(file.missed().map(|line| (line, line)));
    SourceLines {
        from: path.display().to_string(),
        files: report.files.iter().map(|(name, file)| (name.clone(), lines(file))).collect(),
    }
}
