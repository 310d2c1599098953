//! Results of precondition inference as plain data: the condition, how it relates to failing, tests and statistics.

use std::fmt;
use std::time::Duration;

use footpath_ir::interp::Script;
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, Origin, ProcId};
use footpath_simplify::Dnf;
use footpath_term::Terms;

/// The condition under which a procedure fails.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The arena of the conditions: a layer over the program's terms.
    pub terms: Terms,
    /// The condition, over parameters, globals and constants.
    pub condition: Dnf,
    /// If it is exact: the condition under which no run fails.
    pub passes: Option<Dnf>,
    /// If it is not exact: a nontrivial condition that all failing inputs satisfy, if one was found.
    pub necessary: Option<Dnf>,
    /// What is known of all inputs: where-clauses and preconditions. The condition is simplified under it.
    pub premise: Dnf,
    /// How the condition relates to failing.
    pub exactness: Exactness,
    /// Whether inputs that satisfy the condition may pass, too, because failing also depends on arbitrary values.
    pub may_pass: bool,
    /// The loops, innermost first.
    pub loops: Vec<LoopResult>,
    /// How many segments the procedure was cut into.
    pub segments: usize,
    /// The explorations, in order.
    pub rounds: Vec<Round>,
    /// The callees that were analysed by themselves, in the order in which that was done.
    pub callees: Vec<Callee>,
    /// A failing test for each disjunct, where one was found, and a passing one.
    pub tests: Vec<Test>,
    /// How many runs on random inputs agreed with the condition.
    pub checked: u32,
    /// Solver queries of the simplifier.
    pub queries: u64,
    /// Time in all.
    pub time: Duration,
    /// Remarks for the user.
    pub notes: Vec<String>,
}

impl Analysis {
    /// Different paths of all explorations together, including those of callees.
    pub fn paths(&self) -> u64 {
        let own: u64 = self.rounds.iter().map(|r| r.paths).sum();
        own + self.callees.iter().map(|c| c.paths).sum::<u64>()
    }
}

/// How a condition relates to failing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exactness {
    /// The procedure can fail for just these inputs.
    Exact,
    /// It is necessary: all failing inputs satisfy it, others may, too. The text says why.
    Necessary(String),
    /// It is sufficient: inputs that satisfy it fail, others may, too. The text says why.
    Sufficient(String),
    /// It is sufficient up to a bound: inputs that satisfy it fail; what happens after this many loop iterations or
    /// recursive calls is left out. The text says what is bounded.
    Bounded(u32, String),
}

impl Exactness {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Exactness::Exact => "exact",
            Exactness::Necessary(_) => "necessary",
            Exactness::Sufficient(_) => "sufficient",
            Exactness::Bounded(..) => "bounded",
        }
    }

    /// Why it is not exact.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Exactness::Exact => None,
            Exactness::Necessary(why) | Exactness::Sufficient(why) | Exactness::Bounded(_, why) => Some(why),
        }
    }
}

/// The result for a loop.
#[derive(Clone, Debug)]
pub struct LoopResult {
    /// Where it stands.
    pub span: Span,
    /// Fixpoint steps until nothing was added, or until it was given up, in the last analysis of the loop.
    pub rounds: u32,
    /// Whether a further iteration adds nothing.
    pub fixpoint: bool,
    /// Whether the fixpoint is a closed form that was proved by induction.
    pub closed: bool,
}

/// A callee that was analysed by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callee {
    /// Which one.
    pub procedure: ProcId,
    /// Different paths of its segments.
    pub paths: u64,
    /// Whether its condition replaces its body where it is called; if not, it is inlined.
    pub instantiated: bool,
}

/// One exploration of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// The segment.
    pub segment: usize,
    /// Different complete paths.
    pub paths: u64,
    /// Of those, how many failed.
    pub failing: u64,
    /// Literals of the condition that was found, simplified.
    pub literals: usize,
}

/// A test that the reference interpreter has run.
#[derive(Clone, Debug)]
pub struct Test {
    /// The inputs.
    pub script: Script,
    /// How it ends.
    pub end: TestEnd,
    /// The disjunct that it satisfies, by position; `None` for one that satisfies none.
    pub disjunct: Option<usize>,
}

/// How a test ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestEnd {
    /// It fails.
    Fails {
        /// Where.
        at: Origin,
        /// What was checked.
        kind: AssertKind,
    },
    /// It returns, or blocks.
    Passes,
}

/// Why there is no analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The request makes no sense.
    Invalid(String),
    /// The solver could not be used.
    Solver(String),
    /// One of our own invariants broke, such as a test that does not end as the condition says.
    Internal(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(text) => f.write_str(text),
            Error::Solver(text) => write!(f, "the solver could not be used: {text}"),
            Error::Internal(text) => write!(f, "internal error: {text}"),
        }
    }
}

impl std::error::Error for Error {}
