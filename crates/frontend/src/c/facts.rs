//! Static analyses of LLVM modules, run before anything is lowered: they find which memory may be the same, which
//! memory escapes to other code, and which types pointers are used as.
//!
//! | analysis | file |
//! |---|---|
//! | linking: several modules as one program | `link.rs` |
//! | symbol interposition: weak definitions | `interposition.rs` |
//! | linker symbols: names to which the linker or the assembler gives an address | `linker_symbols.rs` |
//! | points-to analysis: memory regions, by unification | `points_to.rs`, `points_to/calls.rs` |
//! | alias analysis by types: which memory from outside the program may be the same | `aliasing.rs` |
//! | escape analysis: what external functions can read, change and free | `escape.rs` |
//! | mod/ref analysis: what external functions may do and tests leave out, and who refers to it | `external_effects.rs` |
//! | escape analysis of locals: whose address may outlive them | `outliving_addresses.rs` |
//! | out parameters of external functions | `out_params.rs` |
//! | string literals that the compiler has merged | `merged_literals.rs` |
//! | constant propagation for static variables | `stored_constants.rs` |
//! | alignment analysis: which powers of two divide addresses | `alignment.rs` |
//! | asynchronous entry points: signal handlers, threads, destructors | `async_entry_points.rs` |
//! | call graph and references: what a function mentions, and what may run when it does | `references.rs` |
//! | promotion of memory to registers: which locals become variables | `slots.rs` |
//! | pointer uses: the types with which pointers are dereferenced | `pointer_use.rs` |
//! | C strings: pointers behind which a terminating zero is looked for | `c_strings.rs` |
//! | sentinel values: numbers that pointers are compared with | `sentinels.rs` |
//! | opaque types: which structures `void *` and incomplete types stand for | `opaque_types.rs` |
//! | sampled functions: external functions that are evaluated by calling them | `sampled_functions.rs` |
//!
//! **Direction of error.** Each analysis says in its own file which way it may be wrong; the lowering relies on all
//! of them.

pub(crate) mod aliasing;
pub(crate) mod alignment;
pub(crate) mod async_entry_points;
pub(crate) mod block_scopes;
pub(crate) mod c_strings;
pub(crate) mod escape;
pub mod external_effects;
pub(crate) mod initialisation;
pub(crate) mod interposition;
pub mod link;
pub(crate) mod linker_symbols;
pub(crate) mod merged_literals;
pub(crate) mod opaque_types;
pub(crate) mod out_params;
pub(crate) mod outliving_addresses;
pub(crate) mod pointer_use;
pub(crate) mod points_to;
pub(crate) mod references;
pub(crate) mod sampled_functions;
pub(crate) mod sentinels;
pub(crate) mod slots;
pub(crate) mod stored_constants;
