//! Procedure summaries: covers that scale past inlining.
//!
//! A caller need not know all of what a callee does to be covered, and a callee need not be looked at again for each of
//! its callers. [`Summaries`] keeps, for each procedure that is called, a tree of the paths that are known of it, and
//! hands it to the covers ([`footpath_cover::Callees`]). Where a verdict depends on paths that are not known yet,
//! they are explored then, and kept.
//!
//! | idea | file |
//! |---|---|
//! | who calls whom, and what a call may write | `call_graph.rs` |
//! | a summary, as a tree of decisions | `tree.rs` |
//! | which paths are explored, and what is feasible | `explore.rs` |
//! | paths that differ in values only, as one | `path_merging.rs` |
//! | several explorers at a time | `shared_exploration.rs` |
//! | one run, statement by statement, through the summaries of its callees | `execute.rs` |
//! | a summary in the place of a call | `summary_body.rs` |
//! | what a procedure does on single inputs | `concrete.rs` |
//! | what a program says, wherever it stands | `canonical_form.rs` |
//! | summaries in files | `store.rs` |
//! | covers in files | `cover_cache.rs` |
//! | any results in files, with the time they had | `result_cache.rs` |
//! | all of it for the covers | `provider.rs` |
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Section 6.
//!
//! **Invariant:** nothing here decides a verdict. Tests are replayed on the whole program, and proofs are the engine's.

mod call_graph;
mod canonical_form;
mod concrete;
mod cover_cache;
mod execute;
mod explore;
mod path_merging;
mod provider;
mod result_cache;
mod shared_exploration;
mod store;
mod summary_body;
mod tree;

pub use cover_cache::Covers;
pub use explore::Options;
pub use provider::{Mode, Pair, Summaries};
pub use result_cache::{KeptText, Texts, digest};
