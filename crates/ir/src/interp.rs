//! The reference interpreter: it executes a program as the front end made it, loops and calls included.
//!
//! It decides what a test is worth: a generated test covers the blocks that this interpreter executes when it replays
//! the test. So it follows the semantics in `program.rs` literally and contains no optimisations that could change
//! it. Whatever the program leaves open (arbitrary values, free choices, functions without a body) is asked of an
//! [`Oracle`]: a [`Replay`] of a recorded [`Script`], or a [`RandomOracle`] that records one.
//!
//! * An arbitrary value is asked for when it is first read, so a script holds only what matters. Variables with a
//!   where-clause are read at once, as the clause is assumed. `havoc` and the results of calls without a body ask in
//!   order.
//! * The first procedure's `requires` are assumed, those of a callee are checked by the caller; free ones of a callee
//!   are ignored. `ensures` are checked at every return; free ones are assumed by the caller.
//! * A procedure without bodies is executed by its contract.
//! * Axioms are assumed at the start. One that cannot be evaluated (a quantifier over all integers) is trusted and
//!   listed in [`Run::unchecked_axioms`]; that constants declared `unique` differ, and the order `<:`, are left to
//!   the oracle altogether.
//! * A function without a body gives equal results for equal arguments within a run; so does division by zero.
//!
//! **Example.** For `havoc x; if (x > 0) { goto A; } else { goto B; }` and a script whose first `havoc` value is 5,
//! the run enters block `A`.
//!
//! **Direction of error.** A run may rest on axioms that were not checked. The interpreter never invents a value.

mod binder;
mod eval;
mod listener;
mod machine;
mod oracle;
mod prepare;
mod random;

use footpath_term::{EvalError, SymbolId, Value};
use rustc_hash::FxHashMap;

use crate::program::{AssertKind, BlockId, Origin, ProcId, Program};

pub use eval::{canonical, polymorphic_access};
pub use listener::{Heard, Listener};
pub use oracle::{Ask, Oracle, Reason, Replay, Script, default_result, default_value};
pub use prepare::Interpreter;
pub use random::RandomOracle;

/// The limits on a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many statements and jumps; one that assigns a number of many machine words counts as many, and so does a quantifier
    /// that is evaluated for many values.
    pub steps: u64,
    /// How many calls may be open at once.
    pub calls: usize,
    /// How many evaluations of function bodies may be open at once.
    pub function_depth: usize,
    /// Whether to record the values that each statement assigns.
    pub trace: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000, calls: 1_000, function_depth: 10_000, trace: false }
    }
}

/// A block that was entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The procedure.
    pub procedure: ProcId,
    /// Which of its bodies.
    pub body: u32,
    /// The block.
    pub block: BlockId,
    /// How many calls were open, without the first procedure.
    pub depth: u32,
    /// The block of the same activation from which it was entered, with the position among the successors; none at the
    /// entry.
    pub from: Option<(BlockId, u32)>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The first procedure returned.
    Returned,
    /// An assertion, precondition or postcondition did not hold.
    Failed {
        /// A [`Place::Failure`](crate::Place::Failure),
        /// [`Place::EnsuresFailure`](crate::Place::EnsuresFailure), or a
        /// [`Place::Segment`](crate::Place::Segment) for a block that a pass made to fail.
        at: Origin,
        /// What was checked.
        kind: AssertKind,
    },
    /// An assumption did not hold.
    Blocked {
        /// [`Place::Entry`](crate::Place::Entry), or a [`Place::Segment`](crate::Place::Segment) whose `first` is the
        /// number of the statement; one past the last statement for a block without successors, or for a cut.
        at: Origin,
    },
    /// A limit was reached.
    OutOfSteps,
    /// Something could not be evaluated.
    Stuck {
        /// The statement, as for [`Outcome::Blocked`]; [`Place::Exit`](crate::Place::Exit) for
        /// postconditions.
        at: Origin,
        /// Why.
        why: EvalError,
    },
}

/// The values a statement assigned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The statement, as a [`Place::Segment`](crate::Place::Segment) that starts with it.
    pub at: Origin,
    /// How many calls were open.
    pub depth: u32,
    /// The new values.
    pub values: Vec<(SymbolId, Value)>,
}

/// The result of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The blocks in the order they were entered.
    pub path: Vec<Step>,
    /// How it ended.
    pub outcome: Outcome,
    /// The first procedure's results at the end; `None` for one that was neither assigned nor read.
    pub results: Vec<Option<Value>>,
    /// Constants and globals that were read or assigned, with their values at the end.
    pub globals: FxHashMap<SymbolId, Value>,
    /// The statements with their values, if asked for.
    pub trace: Vec<Trace>,
    /// The axioms that could not be evaluated, by position.
    pub unchecked_axioms: Vec<usize>,
}

/// Runs body number `body` of procedure `procedure`. For many runs of one program keep the [`Interpreter`].
///
/// # Panics
/// If there is no such body.
pub fn run(program: &Program, procedure: ProcId, body: u32, oracle: &mut dyn Oracle, limits: &Limits) -> Run {
    Interpreter::new(program).run(procedure, body, oracle, limits)
}
