//! Static analyses of LLVM modules, before anything is lowered: what may be the same memory, what escapes, what pointers
//! are used as.
//!
//! | analysis | file |
//! |---|---|
//! | linking: several modules as one program | `link.rs` |
//! | points-to analysis: memory regions, by unification | `points_to.rs` |
//! | alias analysis: which memory from outside may be the same | `aliasing.rs` |
//! | escape analysis: what external functions can read, change and free | `escape.rs` |
//! | escape analysis of locals: whose address may outlive them | `outliving_addresses.rs` |
//! | out parameters of external functions | `out_params.rs` |
//! | constant propagation for static variables | `stored_constants.rs` |
//! | asynchronous entry points: signal handlers, threads, destructors | `async_entry_points.rs` |
//! | references: what a function mentions, and what runs when it does | `references.rs` |
//! | which locals are variables (promotion of memory to registers) | `slots.rs` |
//! | pointer uses: the types that pointers are followed as | `pointer_use.rs` |
//! | C strings: pointers behind which a terminating zero is looked for | `c_strings.rs` |
//! | opaque types: what pointers of other types are used as | `opaque_types.rs` |
//! | external functions that are evaluated by running them | `sampled_functions.rs` |
//!
//! **Direction of error.** Each analysis says on its own page which way it may be wrong; the lowering relies on all of them.

pub(crate) mod aliasing;
pub(crate) mod async_entry_points;
pub(crate) mod c_strings;
pub(crate) mod escape;
pub mod link;
pub(crate) mod opaque_types;
pub(crate) mod out_params;
pub(crate) mod outliving_addresses;
pub(crate) mod pointer_use;
pub(crate) mod points_to;
pub(crate) mod references;
pub(crate) mod sampled_functions;
pub(crate) mod slots;
pub(crate) mod stored_constants;
