//! Precondition inference: under which inputs does this procedure fail?
//!
//! **Idea.** A procedure is cut into *segments* at joins and loop heads. The last segment is explored alone by the
//! concolic engine, from an arbitrary state; the disjunction of the conditions of its failing paths is the condition
//! under which it fails. That condition replaces everything behind the next segment upwards ("fails if C"), and so on
//! up to the entry. Branches one after the other then cost a sum instead of a product. A loop is a segment that leads
//! to itself: C₁ is the condition that one iteration and what follows the loop fail, C₂ that one iteration followed
//! by "fails if C₁" fails, until nothing is added: then no further iteration adds anything either.
//!
//! Example: for `if (a) x = 1; else x = 2; if (b) y = x; else y = 0; assert(y < 2);` the last segment fails if `y >=
//! 2`, the one before it if `b && x >= 2`, and the procedure if `b && !a`.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007), Section
//! 3.
//!
//! **Deviations.**
//! 1. The paper compares constraints by their form; here the solver decides whether C_n and C_(n+1) are the same.
//! 2. If no fixpoint is found, the paper stops at a maximum; here the sequence is first generalised to a closed form
//!    `C(n)`, which counts only if it is proved by induction (`closed_forms.rs`).
//! 3. Segments by themselves may lead to no exact answer; then they are tested in context, as the paper asks at its
//!    end: with what holds at their beginning for all runs (`backward.rs`).
//! 4. Loops are found in the graph, whatever made them, nested ones from the inside out; the paper has `for` only.
//! 5. Calls, which the paper does not have, are "fails if" the callee's condition, over the arguments (`callees.rs`),
//!    or are inlined, recursion up to a bound.
//! 6. An assertion alone is the constraint already: it is no segment of its own and costs no runs.
//! 7. Programs may choose and use arbitrary values. The condition says for which inputs a run *can* fail.
//! 8. Runs whose branches only depend on ranges of inputs are followed to their ends without a solver
//!    (`interval_enumeration.rs`).
//! 9. Disjuncts that differ in an index only are one disjunct with a quantifier (`families.rs`).
//! 10. If something stays open, loop summaries are asked what all failures have in common (`loop_conditions.rs`). If
//!     that is the condition that was found, it is exact; if nothing was found, it is the answer.
//!
//! **Direction of error.** Every disjunct is a sufficient condition for a failure: something may be missing, nothing
//! is too much, unless [`Exactness::Necessary`] says that it is the other way round. If nothing is missing either,
//! [`Exactness::Exact`] says so; that needs explorations that left nothing open, fixpoints that the solver proved,
//! exact eliminations, and no call cut off; or a proof that all failures satisfy the condition.
//!
//! | technique | file |
//! |---|---|
//! | options and results | `options.rs`, `result.rs` |
//! | partition into segments at cut points | `partition.rs` |
//! | copy propagation | `copy_propagation.rs` |
//! | pruning of checks that are proved | `proved_checks.rs` |
//! | a segment as a program of its own | `segment.rs` |
//! | backward analysis, fixpoints of loops | `backward.rs` |
//! | necessary conditions by abstraction of loops | `necessary.rs` |
//! | necessary conditions by loop summaries, predicate abstraction | `loop_conditions.rs` |
//! | procedure summaries in covers and explorations | `callee_conditions.rs`, `callee_abstraction.rs` |
//! | bottom-up computation of procedure summaries | `callees.rs`, `call_graph.rs` |
//! | recursion by fixpoints over outcomes of calls | `recursion.rs` |
//! | program slicing of callees | `effect.rs` |
//! | interval enumeration of runs, piecewise linear functions | `interval_enumeration.rs`, `piecewise_linear.rs` |
//! | closed forms, integer lifting, linear arithmetic | `closed_forms.rs`, `int_lifting.rs`, `int_questions.rs` |
//! | families of disjuncts as quantifiers | `families.rs` |
//! | the analysis as a whole | `analysis.rs`, `tools.rs` |
//! | test generation for each disjunct, validation | `witness.rs` |

mod analysis;
mod backward;
mod call_graph;
mod callee_abstraction;
mod callee_conditions;
mod callees;
mod closed_forms;
mod copy_propagation;
mod effect;
mod families;
mod int_lifting;
mod int_questions;
mod interval_enumeration;
mod loop_conditions;
mod necessary;
mod options;
mod partition;
mod piecewise_linear;
mod proved_checks;
mod recursion;
mod result;
mod segment;
mod tools;
mod witness;

use std::sync::atomic::AtomicBool;

use footpath_ir::{AssertKind, Origin, ProcId, Program};
use footpath_parallel::on_deep_stack;

pub use callee_abstraction::{Explore, GUIDED, explore_through};
pub use callee_conditions::Conditions;
pub use options::{Calls, Options, Partition};
pub use result::{Analysis, Callee, Error, Exactness, LoopResult, Round, Test, TestEnd};

/// Whether reaching a block counts as a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// As its terminator says.
    Plain,
    /// A run that reaches it has failed a check of this kind.
    Fails(AssertKind),
    /// A run that reaches it ends without failing.
    Ends,
}

impl Class {
    fn failure(self) -> Option<AssertKind> {
        match self {
            Class::Fails(kind) => Some(kind),
            Class::Plain | Class::Ends => None,
        }
    }
}

/// The classification of a program's blocks as failures or not, by origin. A block counts from its first statement
/// on.
#[derive(Clone, Copy)]
pub struct Classes<'a> {
    /// The class of a block, or of the failure of an assertion.
    pub of: &'a (dyn Fn(Origin) -> Class + Sync),
}

impl Classes<'_> {
    /// Failures are those of the program form.
    pub const PLAIN: Classes<'static> = Classes { of: &|_| Class::Plain };
}

/// A simplifier with a solver of its own, for questions about results.
///
/// # Errors
/// If the solver cannot be used.
pub fn simplifier(options: &Options) -> Result<footpath_simplify::Simplifier, Error> {
    let solver = tools::open_solver(options)?;
    Ok(footpath_simplify::Simplifier::new(solver, options.effort, options.questions))
}

/// The condition over its inputs under which body number `body` of a procedure fails. `classes` may say of blocks, by
/// origin, that they count as failures, or that they do not.
///
/// # Errors
/// If the solver cannot be used, or if one of our own invariants broke.
pub fn analyse(
    program: &Program,
    procedure: ProcId,
    body: u32,
    options: &Options,
    classes: Classes<'_>,
    stop: &AtomicBool,
) -> Result<Analysis, Error> {
    if program.procedures.get(procedure.index()).is_none_or(|p| p.bodies.len() <= body as usize) {
        return Err(Error::Invalid("there is no such body".to_owned()));
    }
    on_deep_stack(|| analysis::analyse(program, (procedure, body), options, classes, stop))
        .map_err(|e| Error::Invalid(format!("no thread can be started: {e}")))?
}
