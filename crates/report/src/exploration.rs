//! An exploration in numbers: in JSON, and as a line for people.

use std::collections::BTreeMap;

use footpath_concolic::Summary;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counts::plural;

/// What dynamic symbolic execution did.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Exploration {
    /// Runs in which values are followed as terms.
    pub runs: u64,
    /// Runs on drawn inputs before the first question to the solver.
    pub concrete_runs: u64,
    /// Different complete paths.
    pub paths: u64,
    /// Statements and jumps of all runs, as if each had begun at the entry.
    pub steps: u64,
    /// Runs that began with the state of an earlier one.
    pub snapshot_runs: u64,
    /// The statements and jumps that these did not repeat.
    pub snapshot_steps: u64,
    /// The runs by what they show; their sum is `runs`.
    pub tests: Tests,
    /// How often each bound was hit, by its name.
    pub bounds: BTreeMap<String, u64>,
    /// Questions to the solver.
    pub queries: u64,
    /// Seconds in the solver.
    pub solver_seconds: f64,
    /// Seconds in all.
    pub seconds: f64,
    /// Branches that no run took and no proof closed.
    pub frontier_left: usize,
    /// Whether every path was run or refuted.
    pub exhausted: bool,
    /// Whether every path within `--max-iterations` was.
    #[serde(default)]
    pub exhausted_within_iterations: bool,
}

/// Runs by what they show.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Tests {
    /// They fail.
    pub failing: u64,
    /// They return.
    pub successful: u64,
    /// They return, and everything asserted on their way was already verified under a premise that held.
    pub redundant: u64,
    /// They end at a false assumption.
    pub aborted: u64,
    /// They end at a preference (`tryfirst`) that they do not meet, and are made again later.
    pub interrupted: u64,
    /// They take a path that another run took.
    pub duplicate: u64,
    /// They come back to a state that they were in, and have no end.
    pub endless: u64,
    /// They hit a bound, or something on their way could not be evaluated.
    pub unfinished: u64,
}

/// The numbers in JSON.
pub(crate) fn json(s: &Summary) -> Exploration {
    Exploration {
        runs: s.runs,
        concrete_runs: s.concrete_runs,
        paths: s.paths,
        steps: s.steps,
        snapshot_runs: s.snapshot_runs,
        snapshot_steps: s.snapshot_steps,
        tests: Tests {
            failing: s.classes.failing,
            successful: s.classes.successful,
            redundant: s.classes.redundant,
            aborted: s.classes.aborted,
            interrupted: s.classes.interrupted,
            duplicate: s.classes.duplicate,
            endless: s.classes.endless,
            unfinished: s.classes.unfinished,
        },
        bounds: s.bounds.iter().map(|(bound, hits)| (bound.name().to_owned(), hits)).collect(),
        queries: s.queries,
        solver_seconds: s.solver_time.as_secs_f64(),
        seconds: s.total_time.as_secs_f64(),
        frontier_left: s.frontier,
        exhausted: s.exhausted,
        exhausted_within_iterations: s.exhausted_within_iterations,
    }
}

/// The numbers in words; what is zero is left out.
pub(crate) fn words(s: &Summary) -> String {
    let c = &s.classes;
    let kinds = [
        (c.failing, "failing"),
        (c.successful, "successful"),
        (c.redundant, "redundant"),
        (c.aborted, "aborted"),
        (c.interrupted, "interrupted"),
        (c.duplicate, "duplicate"),
        (c.endless, "endless"),
        (c.unfinished, "unfinished"),
    ];
    let kinds: Vec<String> =
        kinds.iter().filter(|k| k.0 > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let mut text = format!("{}, {}", plural(s.paths as usize, "path"), plural(s.runs as usize, "run"));
    if !kinds.is_empty() {
        text.push_str(&format!(" ({})", kinds.join(", ")));
    }
    text.push_str(&format!(
        ", {}",
        if s.queries == 1 { "1 query".to_owned() } else { format!("{} queries", s.queries) }
    ));
    let hit: Vec<String> =
        s.bounds.iter().filter(|(_, n)| *n > 0).map(|(bound, n)| format!("{} {n}", bound.name())).collect();
    if s.exhausted {
        text.push_str("; every path was run or proved infeasible");
    } else if s.exhausted_within_iterations {
        text.push_str("; every path within the bound on iterations was run or proved infeasible");
    } else if s.frontier > 0 {
        text.push_str(
            &format!("; {} not explored", plural(s.frontier, "branch")).replace("branchs", "branches"),
        );
    }
    if !hit.is_empty() {
        text.push_str(&format!("; bounds hit: {}", hit.join(", ")));
    }
    text
}
