//! SMT-LIB 2: printing terms, driving a solver through a pipe, reading its answers.
//!
//! | | |
//! |---|---|
//! | `print.rs` | terms as text, shared parts once |
//! | `sorts.rs` | sorts, functions and values as text |
//! | `script.rs` | assertions, level by level, as text that can be sent again |
//! | `parse.rs` | S-expressions |
//! | `value.rs` | values from S-expressions |
//! | `process.rs` | the child process |

pub(crate) mod parse;
mod print;
mod process;
pub(crate) mod script;
mod sorts;
mod value;

pub use process::Process;
pub(crate) use script::Dialect;
