//! The lowering: LLVM's functions become procedures of the program form; one file for each kind of construct.
//!
//! | what is lowered | file |
//! |---|---|
//! | the memory model that all functions share: regions, object numbers, procedure names | `context.rs` |
//! | conversions and comparisons of scalars | `conversions.rs` |
//! | a function: blocks, registers, checks | `function.rs` |
//! | control flow: edges with the assignments of phis, branches, switches, returns | `control_flow.rs` |
//! | decisions: a block for each way in which a Boolean expression is evaluated | `evaluations.rs` |
//! | instructions | `instruction.rs`, `arith.rs`, `float.rs`, `long_double.rs`, `vectors.rs` |
//! | constants, types as scalars at offsets | `constants.rs`, `scalars.rs` |
//! | what the linker decides about addresses | `link_time.rs` |
//! | initial values, and constants in proofs | `initial_values.rs` |
//! | pointer comparison and subtraction | `addresses.rs` |
//! | access checks: null, out of bounds, use after free | `access_checks.rs`, `lifetimes.rs` |
//! | accesses at addresses that are numbers | `numbers.rs` |
//! | `memcpy`, `memmove` and `memset` | `memcpy.rs` |
//! | calls: of functions with a body, of external functions, through pointers | `calls.rs` |
//! | functions that are called as ones of another type | `calling_convention.rs` |
//! | functions that cannot be lowered, as proofs see them | `unlowered.rs` |
//! | declarations, stubs of external functions, the assembled program | `declare.rs`, `stubs.rs`, `assemble.rs` |
//! | allocation, variable arguments | `allocation.rs`, `varargs.rs` |
//! | LLVM's intrinsics, inline assembly | `intrinsics.rs`, `assembly.rs` |
//! | character classification: the tables behind `isdigit` and its like | `char_table.rs` |
//! | failures in models of the library as checks at the user's calls | `exceptional_returns.rs` |
//! | annotations: the calls of `footpath.h` | `annotations.rs` |

pub(crate) mod access_checks;
pub(crate) mod addresses;
pub(crate) mod allocation;
pub(crate) mod annotations;
pub(crate) mod arith;
pub(crate) mod assemble;
pub(crate) mod assembly;
pub(crate) mod calling_convention;
pub(crate) mod calls;
pub(crate) mod char_table;
pub(crate) mod constants;
pub(crate) mod context;
pub(crate) mod control_flow;
pub(crate) mod conversions;
pub(crate) mod declare;
pub(crate) mod evaluations;
pub(crate) mod exceptional_returns;
pub(crate) mod float;
pub(crate) mod function;
pub(crate) mod initial_values;
pub(crate) mod instruction;
pub(crate) mod intrinsics;
pub(crate) mod lifetimes;
pub(crate) mod link_time;
pub(crate) mod long_double;
pub(crate) mod memcpy;
pub(crate) mod numbers;
pub(crate) mod scalars;
pub(crate) mod shadow;
pub(crate) mod shadow_operations;
pub(crate) mod source_checks;
pub(crate) mod stubs;
pub(crate) mod unlowered;
pub(crate) mod varargs;
pub(crate) mod vectors;
