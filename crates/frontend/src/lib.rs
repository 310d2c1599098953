//! Front ends: the text of an input language in, a program and diagnostics out.
//!
//! A front end never panics on an input and never stops at the first thing it cannot read: one broken
//! declaration costs that declaration and what refers to it, each with a located diagnostic.

pub mod boogie;
pub mod c;
pub mod llvm;
