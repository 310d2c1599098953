//! SMT-LIB 2: printing terms, communicating with a solver process, parsing its answers.
//!
//! | technique | file |
//! |---|---|
//! | terms as text, shared subterms once | `smtlib/print.rs` |
//! | sorts, functions and values as text | `smtlib/sorts.rs` |
//! | assertions, level by level, as text that can be sent again | `smtlib/script.rs` |
//! | S-expressions | `smtlib/parse.rs` |
//! | values from S-expressions | `smtlib/value.rs` |
//! | the solver process | `smtlib/process.rs` |

pub(crate) mod parse;
mod print;
mod process;
pub(crate) mod script;
mod sorts;
mod value;

pub use process::Process;
pub(crate) use script::Dialect;
