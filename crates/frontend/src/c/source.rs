//! The source behind LLVM's instructions: its types, its lines, and the C library in C.
//!
//! | what | file |
//! |---|---|
//! | types of the source, from debug information | `c_types.rs` |
//! | ranges in the source, names of locals | `debug_info.rs` |
//! | models of the C library, as C | `library_models.rs` |

pub mod c_types;
pub(crate) mod debug_info;
pub mod library_models;
