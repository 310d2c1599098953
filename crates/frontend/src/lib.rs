//! Front ends: the text of an input language becomes a program and diagnostics.
//!
//! | input | folder |
//! |---|---|
//! | C, through LLVM modules | `c/` |
//! | LLVM's text form: lexer, parser, type layout | `llvm/` |
//! | Boogie | `boogie/` |
//!
//! A front end never panics on an input and never stops at the first error: a broken declaration costs that
//! declaration and what refers to it, each with a located diagnostic.

pub mod boogie;
pub mod c;
pub mod llvm;
