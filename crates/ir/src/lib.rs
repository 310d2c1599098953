//! The program form: the intermediate representation that front ends produce and engines read.
//!
//! | technique | file |
//! |---|---|
//! | procedures, basic blocks, statements, origins | `program.rs` |
//! | analyses of graphs: dominators, weak topological orders, call graph | `analysis.rs`, `analysis/` |
//! | instances of type parameters at calls | `instances.rs` |
//! | source map: files, spans, lines and columns | `source.rs` |
//! | diagnostics | `diagnostic.rs` |
//! | pretty printer to Boogie | `print.rs`, `print/` |
//! | reserved words and identifiers of Boogie | `lexical.rs` |
//! | validator: the rules of the form | `validate.rs`, `validate/` |
//! | pseudorandom numbers | `random_numbers.rs` |
//! | reference interpreter | `interp.rs`, `interp/` |
//!
//! **Invariant:** nothing here runs a solver, reads a language or prints to a terminal.

pub mod analysis;
pub mod diagnostic;
mod instances;
pub mod interp;
mod lexical;
pub mod print;
pub mod program;
mod random_numbers;
pub mod source;
pub mod validate;

pub use lexical::{RESERVED_WORDS, is_identifier_char};
pub use print::{StageBody, print, print_body, print_expr, print_expr_in, print_stage};
pub use program::*;
pub use random_numbers::SplitMix64;
pub use validate::{Stage, Violation, validate, validate_at, validate_body};
