//! Partial verification: what holds, what was assumed for it, and which runs are left to test.
//!
//! | idea | file |
//! |---|---|
//! | what may be assumed, and where | `assumption.rs` |
//! | verdicts with premises | `analysis.rs` |
//! | the same in the annotated program | `record.rs` |
//! | proofs by a solver of what the analyser leaves open | `solver_proofs.rs` |
//! | proofs by induction over loops and recursion of what both leave open | `loop_induction.rs` |
//! | what other tools and people say is proved | `claims.rs` |
//! | what the C front end knows about a function's start | `c_entry.rs` |
//! | invariants that others propose | `proposed_invariants.rs`, `proposal_proofs.rs` |
//! | what no run of a harness comes to, by where pointers lead | `harness.rs` |
//! | what no run of a whole program comes to | `whole_program.rs` |
//! | which variables are assumptions | `premises.rs` |
//! | formulas over assumption variables | `cubes.rs` |
//! | where executions may or must be unverified | `conditions.rs` |
//! | that as statements that guide a search | `instrument.rs` |
//! | the same, earlier | `wp_hoist.rs` |
//! | what callers make of the assumptions of callees | `discharge.rs` |
//! | a program made ready for one search, and its findings in the program's places | `guided_program.rs`, `places.rs` |
//! | whether a run is redundant | `run_redundancy.rs` |
//!
//! **Invariant:** a premise is over assumption variables that the annotated program assigns where they are made, so
//! that it can be evaluated in any run.

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
pub use claims::{Claim, ToolResult, ToolRun, claims, witnessed};
pub use conditions::{Calls as ConditionCalls, Conditions, Point, conditions};
pub use cubes::{Cube, Cubes};
pub use discharge::Passed;
pub use footpath_absint::{Calls, Effort, never_entered, never_entered_alone};
pub use guided_program::{Guided, guide};
pub use harness::never_from_harness;
pub use instrument::{Guidance, Guide, guidance, instrument};
pub use places::Places;
pub use premises::Premises;
pub use proposed_invariants::{Proposal, Proposed, proposals};
pub use run_redundancy::{Classified, RunClass, RunOracle};
pub use whole_program::never_reached;
