//! Procedure summaries: compositional symbolic execution, for covers that scale past inlining.
//!
//! A caller can be covered without knowing all that a callee does, and a callee need not be analysed again for each
//! of its callers. [`Summaries`] keeps, for each procedure that is called, a tree of the paths that are known of it,
//! and hands it to the covers ([`footpath_cover::Callees`]). Where a verdict depends on paths that are not known yet,
//! they are explored on demand, and kept.
//!
//! **Example.** For `abs(x)` the summary is a decision `x < 0` with two paths: the result is `-x`, or it is `x`.
//! Every caller uses this tree instead of a copy of the body.
//!
//! | technique | file |
//! |---|---|
//! | call graph: recursion, and what a call may write | `call_graph.rs` |
//! | a summary as a decision tree | `tree.rs` |
//! | symbolic execution that builds summaries, on demand | `explore.rs` |
//! | path merging | `path_merging.rs` |
//! | exploration shared between threads | `shared_exploration.rs` |
//! | symbolic execution of one run, through the summaries of its callees | `execute.rs` |
//! | a summary as a body, in the place of a call | `summary_body.rs` |
//! | concrete summaries: input-output pairs | `concrete.rs` |
//! | canonical form of a program, for cache keys | `canonical_form.rs` |
//! | digests of procedures and their callees, for cache keys | `procedure_digests.rs` |
//! | a cache of summaries on disk | `store.rs` |
//! | tiered storage: a folder with a server behind it | `tiered_storage.rs` |
//! | the identity of a build, by content | `build_identity.rs` |
//! | size, pruning and checks of a store | `maintenance.rs` |
//! | spot checks of what is stored | `recheck.rs` |
//! | message authentication of what is stored | `store_key.rs` |
//! | a cache of covers on disk | `cover_cache.rs` |
//! | a cache of any results on disk, with their time limits | `result_cache.rs` |
//! | the provider of summaries for covers | `provider.rs` |
//!
//! **Paper.** "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Section 6.
//!
//! **Invariant:** nothing here decides a verdict. Tests are replayed on the whole program, and proofs are made by the
//! cover engine.

mod build_identity;
mod call_graph;
mod canonical_form;
mod concrete;
mod cover_cache;
mod execute;
mod explore;
mod maintenance;
mod path_merging;
mod procedure_digests;
mod provider;
mod recheck;
mod result_cache;
mod shared_exploration;
mod store;
mod store_key;
mod summary_body;
mod tiered_storage;
mod tree;

pub use build_identity::own_build;
pub use cover_cache::Covers;
pub use explore::Options;
pub use footpath_remote_store::{Remote, without_password};
pub use maintenance::{Place, Pruning, StoredFile};
pub use procedure_digests::{Digests, Keys};
pub use provider::{Mode, Pair, Summaries};
pub use recheck::Recheck;
pub use result_cache::{KeptText, Texts, digest};
pub use store_key::use_store_key;
pub use tiered_storage::Storage;
