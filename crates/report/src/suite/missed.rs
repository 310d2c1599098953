//! What became of the lines that a coverage report calls missed, in a sentence and in numbers.
//!
//! The sentence counts lines on which the program has code; what keeps the open ones open is counted by reason, with what helps, in the
//! same words as for other objectives.

use std::collections::BTreeMap;

use footpath_driver::{LineFate, MissedLines, Verdict};

use super::TestRun;
use super::counts::Counts;
use crate::counts::plural;

/// The most reasons that are listed.
const REASONS: usize = 3;

/// How many lines ended how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MissedCounts {
    /// Lines with code that the report calls missed.
    pub missed: usize,
    /// Those that new tests execute.
    pub covered: usize,
    /// Those that no input executes.
    pub impossible: usize,
    /// The others.
    pub open: usize,
    /// New tests.
    pub tests: usize,
}

impl MissedCounts {
    /// The counts of a run that started from a coverage report.
    pub fn of(run: &TestRun<'_>) -> Option<MissedCounts> {
        let missed = run.run.missed.as_ref()?;
        let mut counts = MissedCounts {
            missed: missed.lines.len(),
            tests: Counts::of_all(&run.run.functions).tests,
            ..MissedCounts::default()
        };
        for line in &missed.lines {
            match line.fate {
                LineFate::Covered => counts.covered += 1,
                LineFate::Impossible { .. } => counts.impossible += 1,
                LineFate::Open(_) => counts.open += 1,
            }
        }
        Some(counts)
    }
}

/// The sentences at the end of a report; empty if the run did not start from a coverage report.
pub(super) fn sentences(run: &TestRun<'_>) -> Vec<String> {
    let (Some(counts), Some(missed)) = (MissedCounts::of(run), &run.run.missed) else { return Vec::new() };
    let MissedCounts { missed: all, covered, impossible, open, tests } = counts;
    let mut sentences = vec![format!(
        "{} missed: {covered} by {}, {impossible} impossible, {open} open",
        plural(all, "line"),
        plural(tests, "new test")
    )];
    for (code, count, advice) in reasons(missed).into_iter().take(REASONS) {
        sentences.push(format!("  {count} open [{code}] {advice}").trim_end().to_owned());
    }
    if missed.without_code > 0 {
        let (lines, have) =
            (plural(missed.without_code, "more line"), if missed.without_code == 1 { "has" } else { "have" });
        sentences.push(format!("{lines} that {} calls missed {have} no code in this build", missed.report));
    }
    sentences
}

/// The reasons why lines are open, by their codes, with what helps, the most frequent first.
fn reasons(missed: &MissedLines) -> Vec<(String, usize, String)> {
    let mut reasons: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for line in &missed.lines {
        if let LineFate::Open(verdict) = &line.fate {
            let advice = match verdict {
                Verdict::Unknown(why) => why.code.advice(),
                Verdict::UnreachableWithin(bound) => bound.advice(),
                Verdict::Covered | Verdict::Doomed | Verdict::Unreachable => "",
            };
            reasons.entry(reason(verdict)).or_insert_with(|| (0, advice.replace('`', ""))).0 += 1;
        }
    }
    let mut reasons: Vec<(String, usize, String)> =
        reasons.into_iter().map(|(code, (count, advice))| (code, count, advice)).collect();
    reasons.sort_by_key(|(_, count, _)| usize::MAX - count);
    reasons
}

/// The code of what leaves a line open.
pub(super) fn reason(verdict: &Verdict) -> String {
    super::reason_code(verdict).map_or_else(|| "doomed".to_owned(), |code| code.replace('_', "-"))
}
