//! The parser for the text form of LLVM modules, as clang 14 to 22 and rustc write it.
//!
//! | stage | file | result |
//! |---|---|---|
//! | lexing | `lex.rs` | [`lex::Token`] |
//! | parsing | `parse.rs` | [`ast::Module`] |
//! | type layout: sizes and offsets | `layout.rs` | [`layout::Layouts`] |
//! | checks of the source that only sanitizers show | `sanitizer_checks.rs` | [`SourceCheck`] |
//! | decision recovery from short-circuit code | `decisions.rs` | [`decisions::Decision`] |
//! | string literals, which are kept apart and joined again | `string_literals.rs` | |
//! | dead-code elimination of unused header functions | `unused.rs` | |
//!
//! Both dialects of pointers are read: `ptr`, and `i32*` as LLVM wrote it before version 15. LLVM is not linked, so
//! any version whose text is close to these will do. A function that contains something unknown is left out, with a
//! diagnostic, and the rest of the module is read.

pub mod ast;
pub mod decisions;
pub mod layout;
pub mod lex;
pub mod parse;
mod sanitizer_checks;
mod string_literals;
mod unused;

use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{FileId, SourceMap};

pub use sanitizer_checks::{Limit, SANITIZED, SourceCheck, SourceCheckKind, WrongConstants, take_checks};
pub use string_literals::{KEPT_APART, join_string_literals};
pub use unused::leave_out_unused;
pub(crate) use unused::main_file;

/// Reads a module.
///
/// What is wrong is in the diagnostics, and left out of the module. That a function could not be read is also told by
/// its [`ast::Body`].
pub fn read(file: FileId, sources: &SourceMap) -> (ast::Module, Vec<Diagnostic>) {
    parse::parse(file, &sources.file(file).text)
}
