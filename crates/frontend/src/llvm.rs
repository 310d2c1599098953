//! The text of LLVM modules, as clang 14 to 22 and rustc write it.
//!
//! Both dialects of pointers are read: `ptr`, and `i32*` as LLVM wrote it before version 15.

pub mod ast;
pub mod layout;
