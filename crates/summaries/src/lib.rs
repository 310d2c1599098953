//! Procedure summaries: covers that scale past inlining.
//!
//! A caller need not know all of what a callee does to be covered, and a callee need not be looked at again for each of
//! its callers. [`Summaries`] keeps, for each procedure that is called, a tree of the paths that are known of it, and
//! hands it to the covers ([`footpath_engine::cover::Callees`]). Where a verdict depends on paths that are not known yet,
//! they are explored then, and kept.
//!
//! | idea | file |
//! |---|---|
//! | who calls whom, and what a call may write | `graph.rs` |
//! | a summary, as a tree of decisions | `tree.rs` |
//! | which paths are explored, and what is feasible | `explore.rs` |
//! | paths that differ in values only, as one | `merge.rs` |
//! | several explorers at a time | `first.rs` |
//! | one run, statement by statement, through the summaries of its callees | `execute.rs` |
//! | a summary in the place of a call | `standin.rs` |
//! | what a procedure does on single inputs | `concrete.rs` |
//! | what a program says, wherever it stands | `normal.rs` |
//! | summaries in files | `store.rs` |
//! | covers in files | `covers.rs` |
//! | any results in files, with the time they had | `texts.rs` |
//! | all of it for the covers | `provider.rs` |
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Section 6.
//!
//! **Invariant:** nothing here decides a verdict. Tests are replayed on the whole program, and proofs are the engine's.

mod concrete;
mod covers;
mod execute;
mod explore;
mod first;
mod graph;
mod merge;
mod normal;
mod provider;
mod standin;
mod store;
mod texts;
mod tree;

pub use covers::Covers;
pub use explore::Options;
pub use provider::{Mode, Pair, Summaries};
pub use texts::{KeptText, Texts, digest};
