//! Partial verification: what holds, what was taken for granted for it, and which runs are left to test.
//!
//! | idea | file |
//! |---|---|
//! | what may be taken for granted, and where | `assumption.rs` |
//! | verdicts with premises | `verify.rs` |
//! | the same in the annotated program | `record.rs` |
//! | proofs by a solver of what the analyser leaves open | `solve.rs` |
//! | proofs by induction over loops and recursion of what both leave open | `loops.rs` |
//! | what other tools and people say is proved | `claims.rs` |
//! | what the C front end knows about a function's start | `c.rs` |
//! | invariants that others propose | `proposed.rs`, `induction.rs` |
//! | what no run of a harness comes to, by where pointers lead | `harness.rs` |
//! | what no run of a whole program comes to | `whole.rs` |
//! | which variables are assumptions | `premises.rs` |
//! | formulas over assumption variables | `cubes.rs` |
//! | where executions may or must be unverified | `conditions.rs` |
//! | that as statements that guide a search | `instrument.rs` |
//! | the same, earlier | `hoist.rs` |
//! | what callers make of the assumptions of callees | `discharge.rs` |
//! | a program made ready for one search, and its findings in the program's places | `guide.rs`, `places.rs` |
//! | whether a run is redundant | `oracle.rs` |
//!
//! **Invariant:** a premise is over assumption variables that the annotated program assigns where they are made, so
//! that it can be evaluated in any run.

mod assumption;
pub mod c;
mod claims;
mod conditions;
mod cubes;
mod discharge;
mod frames;
mod guide;
mod harness;
mod hoist;
mod induction;
mod instrument;
mod loops;
mod oracle;
mod places;
mod pointers;
mod premises;
mod proposed;
mod record;
mod shared;
mod solve;
mod verify;
mod whole;

pub use assumption::{AssumptionKind, Entry, Site};
pub use claims::{Claim, ToolResult, ToolRun, claims, witnessed};
pub use conditions::{Calls as ConditionCalls, Conditions, Point, conditions};
pub use cubes::{Cube, Cubes};
pub use discharge::Passed;
pub use footpath_absint::{Calls, Effort, never_entered, never_entered_alone};
pub use guide::{Guided, guide};
pub use harness::never_from_harness;
pub use instrument::{Guidance, Guide, guidance, instrument};
pub use oracle::{Classified, RunClass, RunOracle};
pub use places::Places;
pub use premises::Premises;
pub use proposed::{Proposal, Proposed, proposals};
pub use verify::{
    Assumption, Check, Claimed, Invariant, Options, Prover, Verdict, Verification, VerifiedBody, verify,
};
pub use whole::never_reached;
