//! Coverage as lcov writes it, for editors and web pages that show it.
//!
//! A line counts as executed as often as tests pass a block with code on it; where blocks share a line, the one that is executed most
//! often decides. What the compiler made is left out.
//!
//! If the run started from a coverage report, that one is written, with what the new tests add: its files, its lines, and its names of
//! files, so that both can be compared. Branches stay as it has them, as each compiler numbers them in its own way.
//!
//! **Direction of error.** A line that is only known to be passed by tests of another function counts as executed once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use footpath_driver::{Class, FunctionResult, LineFate, MissedLines, ObjectiveKind, Verdict};
use footpath_ir::source::FileId;

use super::TestRun;
use crate::coverage_reports::lcov::records;
use crate::coverage_reports::{Branch, CoverageReport, FileCoverage};

/// The text of a `.info` file.
pub fn info(run: &TestRun<'_>) -> String {
    if let (Some(report), Some(missed)) = (run.report, &run.run.missed) {
        return merged(run, report, missed);
    }
    let files: BTreeSet<FileId> = run.run.functions.iter().map(|f| f.span.file).collect();
    let of_file = |&file: &FileId| records(&absolute(&run.run.sources.file(file).name), &coverage(run, file));
    files.iter().map(of_file).collect()
}

/// A report with what the tests of the run add.
fn merged(run: &TestRun<'_>, report: &CoverageReport, missed: &MissedLines) -> String {
    let mut text = String::new();
    for (path, file) in &report.files {
        let mut file = file.clone();
        for (&id, _) in missed.files.iter().filter(|(_, name)| *name == path) {
            let own = coverage(run, id);
            let is_covered = |fate: &LineFate| *fate == LineFate::Covered;
            for line in missed.lines.iter().filter(|line| line.file == id && is_covered(&line.fate)) {
                let more = own.lines.get(&line.line).copied().unwrap_or(0).max(1);
                if let Some(count) = file.lines.get_mut(&line.line) {
                    *count = count.saturating_add(more);
                }
            }
            for (name, (_, more)) in own.functions {
                // Functions that only one file sees have its name before their own in llvm-cov's reports.
                let is_same = |known: &str| known.rsplit(':').next() == Some(name.as_str());
                for (_, (_, count)) in file.functions.iter_mut().filter(|(known, _)| is_same(known)) {
                    *count = count.saturating_add(more);
                }
            }
        }
        text += &records(path, &file);
    }
    text
}

/// What the tests of a run cover in a file.
fn coverage(run: &TestRun<'_>, id: FileId) -> FileCoverage {
    let mut file = FileCoverage::default();
    let mut branches = Vec::new();
    for function in &run.run.functions {
        if function.span.file == id {
            let executed = function.tests.iter().filter(|t| !t.covers.is_empty()).count() as u64;
            let line = run.run.sources.range(function.span).0.line;
            let known = file.functions.entry(function.name.clone()).or_insert((line, 0));
            known.1 += executed;
        }
        lines_and_branches(run, (function, id), &mut file.lines, &mut branches);
    }
    file.branches = branches.into_iter().collect();
    file
}

fn lines_and_branches(
    run: &TestRun<'_>,
    (function, id): (&FunctionResult, FileId),
    lines: &mut BTreeMap<u32, u64>,
    branches: &mut Vec<(Branch, Option<u64>)>,
) {
    let sources = &run.run.sources;
    for o in function.objectives.iter().filter(|o| o.class != Class::Compiler) {
        match o.kind {
            ObjectiveKind::Block => {
                let executed = (o.tests.len() as u64).max(u64::from(o.verdict == Verdict::Covered));
                for &(_, line) in o.lines.iter().filter(|(file, _)| *file == id) {
                    let count = lines.entry(line).or_default();
                    *count = (*count).max(executed);
                }
            }
            // The way if true comes first; the other one has the same condition.
            ObjectiveKind::Branch(way) if o.span.file == id => {
                let other = |p: &&footpath_driver::Objective| {
                    p.span == o.span && p.kind == ObjectiveKind::Branch(!way)
                };
                let evaluated = !o.tests.is_empty()
                    || function.objectives.iter().filter(other).any(|p| !p.tests.is_empty());
                let branch = Branch {
                    line: sources.range(o.span).0.line,
                    block: (branches.len() / 2).to_string(),
                    branch: u32::from(!way).to_string(),
                };
                branches.push((branch, evaluated.then_some(o.tests.len() as u64)));
            }
            _ => {}
        }
    }
}

/// Viewers want absolute paths, and take relative ones to be relative to themselves.
fn absolute(name: &str) -> PathBuf {
    std::path::absolute(name).unwrap_or_else(|_| name.into())
}
