//! The source behind LLVM's instructions: its types, its lines, and models of the C library in C.
//!
//! | what | file |
//! |---|---|
//! | types of the source, from debug information | `c_types.rs` |
//! | source ranges and names of locals, from debug information | `debug_info.rs` |
//! | lines on which blocks have code | `line_table.rs` |
//! | models of the C library, written in C | `library_models.rs` |
//! | access control: which sources may be read | `source_access.rs` |

pub mod c_types;
pub(crate) mod debug_info;
pub mod library_models;
pub mod line_table;
pub mod source_access;
