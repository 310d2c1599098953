//! A baseline: findings that are known, and are no news.
//!
//! A line for each finding: what it is, where, and a digest of its line, as in code scanning ([`footpath_report::suite::fingerprints`]). So
//! it stays known while other code changes, also in its function, and is news again once its own line changes. An entry that fits
//! nothing in a function that was analysed is stale.
//!
//! **Direction of error.** A finding on a line that did not change is known, even if other code is now the reason for it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use footpath_driver::{FunctionResult, Objective, ObjectiveKind, Run};
use footpath_ir::source::SourceMap;
use footpath_report::suite::counts::is_finding;
use footpath_report::suite::fingerprints::{Fingerprint, Fingerprints};

use crate::output::{begins_with, write_named_file};

const HEAD: &str = "# Findings of `footpath test` that are known: verdict, file, function, what, digest of the line, which of these.\n";

/// What a baseline did to a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Applied {
    /// Findings that are in it.
    pub known: usize,
    /// Entries about functions of the run that are no longer so.
    pub stale: usize,
}

/// The entries of a baseline.
///
/// # Errors
/// The number of a line that is none.
pub fn entries(text: &str) -> Result<BTreeSet<&str>, usize> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(i, line)| if line.split('\t').count() == FIELDS { Ok(line) } else { Err(i + 1) }).collect()
}

/// Marks the findings of a run that a baseline has.
pub fn apply(path: &Path, run: &mut Run) -> Result<Applied> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let entries = match entries(&text) {
        Ok(entries) => entries,
        Err(line) => bail!("{}:{line}: this line is not an entry of a baseline", path.display()),
    };
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut analysed: BTreeSet<(String, String)> = BTreeSet::new();
    for function in &mut run.functions {
        let keys = keys(&run.sources, function);
        analysed.insert((file(&run.sources, function), function.name.clone()));
        for (i, key) in keys {
            if let Some(&entry) = entries.get(key.as_str()) {
                used.insert(entry);
                function.objectives[i].in_baseline = true;
            }
        }
    }
    let is_of_run = |entry: &&&str| {
        let mut parts = entry.split('\t').skip(1);
        let (file, function) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        analysed.contains(&(file.to_owned(), function.to_owned()))
    };
    let stale = entries.difference(&used).filter(is_of_run).count();
    Ok(Applied { known: used.len(), stale })
}

/// Writes all findings of a run as a baseline.
///
/// # Errors
/// If it cannot be written, or if there is a file that is none.
pub fn write(path: &Path, run: &Run) -> Result<()> {
    let has_text = std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
    let is_baseline = |real: PathBuf| begins_with(&real, &["# Findings of "]);
    let is_other = has_text && !path.canonicalize().is_ok_and(is_baseline);
    anyhow::ensure!(!is_other, "{} is not a baseline and is not replaced", path.display());
    write_named_file(path, &text(run))
}

/// All findings of a run as a baseline.
fn text(run: &Run) -> String {
    let mut lines: BTreeSet<String> = BTreeSet::new();
    for function in &run.functions {
        lines.extend(keys(&run.sources, function).into_values());
    }
    let mut out = HEAD.to_owned();
    for line in lines {
        let _ = writeln!(out, "{line}");
    }
    out
}

const FIELDS: usize = 6;

/// The entries of a function's findings, by the position of the objective.
fn keys(sources: &SourceMap, function: &FunctionResult) -> BTreeMap<usize, String> {
    let mut fingerprints = Fingerprints::default();
    let mut entry = |o: &Objective| {
        let (verdict, what) = match o.kind {
            ObjectiveKind::Check(kind) => ("failing", kind.name()),
            ObjectiveKind::Block => ("infeasible", "block"),
            ObjectiveKind::Branch(true) => ("infeasible", "true"),
            ObjectiveKind::Branch(false) => ("infeasible", "false"),
            // They are among the decisions, and no findings.
            kind @ (ObjectiveKind::Evaluation(..)
            | ObjectiveKind::Outcome(_)
            | ObjectiveKind::Independence) => ("infeasible", kind.name()),
        };
        let Fingerprint { line, number, .. } = fingerprints.next(sources, function, what, o.span);
        format!("{verdict}\t{}\t{}\t{what}\t{line}\t{number}", file(sources, function), function.name)
    };
    let findings = function.objectives.iter().enumerate().filter(|(_, o)| is_finding(o));
    findings.map(|(i, o)| (i, entry(o))).collect()
}

fn file(sources: &SourceMap, function: &FunctionResult) -> String {
    sources.file(function.span.file).name.clone()
}
