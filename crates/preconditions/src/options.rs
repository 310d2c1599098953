//! How much is done, and in which pieces.

use std::time::Duration;

use footpath_simplify::Effort;

/// Where a procedure is cut into segments. Any partition gives the same condition, if all are exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Partition {
    /// Nowhere, if the whole paths can be run in a small part of the time; else as `Branch`.
    Auto,
    /// At every join behind which something is still decided, and at loops.
    #[default]
    Branch,
    /// At loops only.
    Loop,
    /// At joins after so many branches in a row, counted from the end, and at loops.
    Branches(u32),
    /// Nowhere: whole paths are explored from the entry, loops included, as far as the bounds go.
    None,
}

/// What stands for a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Calls {
    /// If the callee is called more than once or calls itself, and its condition is exact: "fails if" that condition, and
    /// what its runs do that somebody may read. The callee's body otherwise.
    #[default]
    Instantiated,
    /// The callee's body.
    Inlined,
}

/// Options of [`analyse`](crate::analyse).
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the procedure is cut.
    pub partition: Partition,
    /// How much is done to make conditions short.
    pub effort: Effort,
    /// Questions of the simplifier for each condition.
    pub questions: u64,
    /// Rounds of a loop after which its sequence of conditions is given up.
    pub rounds: u32,
    /// Whether a sequence of conditions without a fixpoint is generalised to a closed form.
    pub closed_forms: bool,
    /// Whether everything is done once more in context, if segments by themselves lead to no exact condition.
    pub contexts: bool,
    /// What stands for a call.
    pub calls: Calls,
    /// How often a procedure may call itself where it is inlined.
    pub recursion: u32,
    /// How many blocks the procedure may have once calls are inlined.
    pub max_blocks: usize,
    /// Runs of each exploration of a segment.
    pub runs: u64,
    /// Time for each exploration of a segment.
    pub segment_time: Option<Duration>,
    /// Time for the whole procedure.
    pub time: Option<Duration>,
    /// Time for each question to the solver.
    pub query: Option<Duration>,
    /// The solver: `z3`, or `cmd:` and a command line.
    pub solver: String,
    /// Whether each disjunct and the complement get a test.
    pub tests: bool,
    /// Runs on random inputs that the condition is compared with.
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
