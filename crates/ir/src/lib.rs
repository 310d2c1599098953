//! The program form: what front ends make and engines read.
//!
//! | idea | file |
//! |---|---|
//! | procedures, blocks, statements, origins | `program.rs` |
//! | who calls whom | `call_graph.rs` |
//! | files, spans, lines and columns | `source.rs` |
//! | messages at places | `diagnostic.rs` |
//! | the form as Boogie text | `print.rs` |
//! | reserved words and identifiers of Boogie | `lexical.rs` |
//! | the rules of the form | `validate.rs` |
//! | running it on concrete values | `interp.rs` |
//!
//! **Invariant:** nothing here runs a solver, reads a language or prints to a terminal.

pub mod analysis;
pub mod diagnostic;
mod instances;
pub mod interp;
mod lexical;
pub mod print;
pub mod program;
pub mod source;
pub mod validate;

pub use lexical::{RESERVED_WORDS, is_identifier_char};
pub use print::{StageBody, print, print_body, print_expr, print_expr_in, print_stage};
pub use program::*;
pub use validate::{Stage, Violation, validate, validate_at, validate_body};
