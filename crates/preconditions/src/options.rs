//! Options of precondition inference: effort, bounds, and how procedures are cut into segments.

use std::time::Duration;

use footpath_simplify::Effort;

/// Where a procedure is cut into segments. Any partition gives the same condition, if all are exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Partition {
    /// Not at all, if whole paths can be run in a small part of the time; otherwise as `Branch`.
    Auto,
    /// At every join behind which something is still decided, and at loops.
    #[default]
    Branch,
    /// At loops only.
    Loop,
    /// At joins after this many consecutive branches, counted from the end, and at loops.
    Branches(u32),
    /// Not at all: whole paths are explored from the entry, loops included, as far as the bounds permit.
    None,
}

/// How calls are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Calls {
    /// By procedure summaries: if the callee is called more than once or is recursive, and its condition is exact, a
    /// call is "fails if" that condition, followed by the effects that are read later. Other callees are inlined.
    #[default]
    Instantiated,
    /// All callees are inlined.
    Inlined,
}

/// Options of [`analyse`](crate::analyse).
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the procedure is cut.
    pub partition: Partition,
    /// The effort spent on making conditions short.
    pub effort: Effort,
    /// Solver queries of the simplifier for each condition.
    pub questions: u64,
    /// Fixpoint steps after which a loop's sequence of conditions is given up.
    pub rounds: u32,
    /// Whether a sequence of conditions without a fixpoint is generalised to a closed form.
    pub closed_forms: bool,
    /// Whether the analysis is repeated in context, if segments by themselves lead to no exact condition.
    pub contexts: bool,
    /// How calls are treated.
    pub calls: Calls,
    /// The largest recursion depth of inlining.
    pub recursion: u32,
    /// The largest number of blocks of the procedure after inlining.
    pub max_blocks: usize,
    /// Runs of each exploration of a segment.
    pub runs: u64,
    /// Time for each exploration of a segment.
    pub segment_time: Option<Duration>,
    /// Time for the whole procedure.
    pub time: Option<Duration>,
    /// Time for each solver query.
    pub query: Option<Duration>,
    /// The solver: `z3`, or `cmd:` and a command line.
    pub solver: String,
    /// Whether each disjunct and the complement get a test.
    pub tests: bool,
    /// Number of runs on random inputs with which the condition is compared.
    pub checks: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            partition: Partition::Branch,
            effort: Effort::Prime,
            questions: 4_000,
            rounds: 12,
            closed_forms: true,
            contexts: true,
            calls: Calls::Instantiated,
            recursion: 2,
            max_blocks: 20_000,
            runs: 10_000,
            segment_time: Some(Duration::from_secs(20)),
            time: Some(Duration::from_secs(60)),
            query: Some(Duration::from_secs(2)),
            solver: "z3".to_owned(),
            tests: true,
            checks: 100,
        }
    }
}
