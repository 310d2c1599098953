//! What `footpath test` found, in every format.
//!
//! | idea | file |
//! |---|---|
//! | kinds of findings: words, rules, CWE numbers | `kinds.rs` |
//! | counting verdicts | `counts.rs` |
//! | findings in the order of their importance, and preconditions | `findings.rs` |
//! | what became of lines that a coverage report calls missed | `missed.rs` |
//! | lines that no input executes, as exclusions for coverage tools | `exclusions.rs` |
//! | reports of several runs, compared | `compare.rs` |
//! | reports of shards, merged | `merge.rs`; `shard.rs` is what a shard says of itself |
//! | the report for a terminal | `text.rs`; `screen.rs` where it would be longer than a screen |
//! | names of findings that stay when other code changes | `fingerprints.rs` |
//! | a comment on a pull request | `markdown.rs` |
//! | the report for programs | `json.rs`; `read.rs` reads it back |
//! | a page for a browser | `html.rs` |
//! | for code scanning | `sarif.rs` |
//! | for coverage viewers | `lcov.rs` |
//! | tests of whole programs, as Test-Comp takes them | `testcomp.rs` |

pub mod compare;
pub mod counts;
mod decisions;
pub mod exclusions;
mod findings;
pub mod fingerprints;
pub mod functions;
pub mod html;
pub mod json;
pub mod kinds;
pub mod lcov;
pub mod markdown;
pub mod merge;
pub mod missed;
pub mod read;
pub mod sarif;
mod screen;
pub mod shard;
pub mod testcomp;
pub mod text;

use std::time::Duration;

use footpath_driver::{FunctionResult, Objective, Run, Verdict};
use footpath_ir::source::{SourceMap, Span};

use crate::coverage_reports::CoverageReport;

/// Everything a report is made of.
#[derive(Clone, Copy)]
pub struct TestRun<'a> {
    /// The command line, program name first.
    pub command: &'a [String],
    /// What was found.
    pub run: &'a Run,
    /// The folder of the tests, as the user named it.
    pub folder: &'a str,
    /// Whether the tests are written there.
    pub has_tests: bool,
    /// Wall-clock time of the whole run.
    pub elapsed: Duration,
    /// Whether the user ended it early.
    pub interrupted: bool,
    /// Whether the search for tests is of interest itself.
    pub explores: bool,
    /// Whether a whole program was tested, from its entry.
    pub whole_program: bool,
    /// The coverage report that the run started from, if there is one.
    pub report: Option<&'a CoverageReport>,
}

/// The name of a function's test file, without its folder.
pub(crate) fn file_name(function: &FunctionResult) -> Option<String> {
    Some(function.file.as_ref()?.file_name()?.to_string_lossy().into_owned())
}

/// Why a verdict is what it is: the bound of one that holds within a bound, the reason of one that is unknown.
pub(crate) fn reason(objective: &Objective) -> Option<String> {
    match &objective.verdict {
        Verdict::UnreachableWithin(bound) => Some(bound.to_string()),
        Verdict::Unknown(why) => Some(why.to_string()),
        Verdict::Covered | Verdict::Doomed | Verdict::Unreachable => None,
    }
}

/// The stable name of that bound or reason.
pub(crate) fn reason_code(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::UnreachableWithin(bound) => Some(bound.name().to_owned()),
        Verdict::Unknown(why) => Some(why.code.name().to_owned()),
        Verdict::Covered | Verdict::Doomed | Verdict::Unreachable => None,
    }
}

/// What its being infeasible rests on, in words that follow what is said of it.
pub(crate) fn assumption(objective: &Objective) -> &'static str {
    let is_ruled_out = matches!(objective.verdict, Verdict::Unreachable | Verdict::UnreachableWithin(_));
    if is_ruled_out && objective.assumes_memory_safety { ASSUMES_MEMORY_SAFETY } else { "" }
}

/// See [`Objective::assumes_memory_safety`].
pub(crate) const ASSUMES_MEMORY_SAFETY: &str = ", assuming memory safety";

/// What something infeasible assumes, as it stands in JSON.
pub(crate) fn assumes(assumes_memory_safety: bool) -> Vec<String> {
    assumes_memory_safety.then(|| "accesses_stay".to_owned()).into_iter().collect()
}

/// The statements of an explanation that say something to a reader. Where a function of the user's is part of it, its
/// closing brace may be, too.
pub(crate) fn speaking(sources: &SourceMap, explanation: &[Span]) -> Vec<Span> {
    explanation.iter().copied().filter(|&s| !matches!(sources.text(s).trim(), "" | "}" | "{")).collect()
}

/// A folder as a word of a command that is shown.
fn folder_word(folder: &str) -> String {
    let is_option = folder.starts_with('-');
    footpath_replay::shell_word(&if is_option { format!("./{folder}") } else { folder.to_owned() })
}
