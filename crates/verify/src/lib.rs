//! Partial verification: which checks hold, what was assumed for that, and which runs are left to test.
//!
//! **Idea.** A verifier that makes unsound assumptions, such as the absence of overflow, records them in the program
//! as assumption variables, and each check gets the premise under which it was proved. A run is then only worth a
//! test if it reaches a check that failed to be proved, or whose premise does not hold in the run; the search for
//! tests is guided to such runs.
//!
//! Example: the bounds check of `a[i + 1]` is proved under the assumption that `i + 1` does not overflow; tests only
//! have to look at runs in which it does.
//!
//! **Paper.** M. Christakis, P. Müller, V. Wüstholz, "Guiding dynamic symbolic execution toward unverified program
//! executions" (ICSE 2016), called PV in this crate.
//!
//! | technique | file |
//! |---|---|
//! | kinds of assumptions, and their places | `assumption.rs` |
//! | verdicts with minimised premises | `analysis.rs` |
//! | the annotated program: assumptions and premises in it | `record.rs` |
//! | deductive verification: verification conditions for a solver | `solver_proofs.rs` |
//! | proofs by induction over loops and recursion | `loop_induction.rs` |
//! | claims of other tools and people | `claims.rs` |
//! | entry conditions of C functions | `c_entry.rs` |
//! | validity of pointers that are read from memory | `pointers.rs` |
//! | frame conditions of calls | `frames.rs` |
//! | proposed loop invariants, Houdini | `proposed_invariants.rs`, `houdini.rs` |
//! | unreachability in harnesses, by points-to invariants | `harness.rs` |
//! | unreachability in whole programs | `whole_program.rs` |
//! | assumption variables | `premises.rs`, `guidance_variables.rs` |
//! | boolean formulas as prime implicants | `cubes.rs` |
//! | weakest preconditions over assumption variables | `conditions.rs` |
//! | instrumentation that guides a search | `instrument.rs` |
//! | hoisting of assumptions by weakest preconditions | `wp_hoist.rs` |
//! | discharging assumptions of callees at call sites | `discharge.rs` |
//! | the guided program, and the original places of its statements | `guided_program.rs`, `places.rs` |
//! | redundancy of runs | `run_redundancy.rs` |
//!
//! **Invariant:** a premise is over assumption variables that the annotated program assigns where the assumptions are
//! made, so that it can be evaluated in any run.

mod analysis;
mod assumption;
pub mod c_entry;
mod claims;
mod conditions;
mod cubes;
mod discharge;
mod frames;
mod guidance_variables;
mod guided_program;
mod harness;
mod instrument;
mod loop_induction;
mod places;
mod pointers;
mod premises;
mod proposal_proofs;
mod proposed_invariants;
mod record;
mod run_redundancy;
mod solver_proofs;
mod whole_program;
mod wp_hoist;

pub use analysis::{
    Assumption, Check, Claimed, Invariant, Options, Prover, Verdict, Verification, VerifiedBody, verify,
};
pub use assumption::{AssumptionKind, Entry, Site};
pub use claims::{Checked, Claim, ClaimOf, ToolResult, ToolRun, claims, claims_about, witnessed};
pub use conditions::{Calls as ConditionCalls, Conditions, Point, conditions};
pub use cubes::{Cube, Cubes};
pub use discharge::Passed;
pub use footpath_absint::{Calls, Effort, never_entered, never_entered_alone};
pub use guided_program::{Guided, guide};
pub use harness::never_from_harness;
pub use instrument::{Guidance, Guide, guidance, instrument, instrument_everywhere};
pub use places::Places;
pub use premises::Premises;
pub use proposed_invariants::{Proposal, Proposed, proposals};
pub use run_redundancy::{Classified, RunClass, RunOracle};
pub use whole_program::never_reached;
