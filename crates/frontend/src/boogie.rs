//! The front end for Boogie 2 and the sequential part of Boogie 3.
//!
//! It works in stages, each of which is a pass over the whole program:
//!
//! | stage | file | result |
//! |---|---|---|
//! | lexing | `lex.rs` | [`lex::Token`] |
//! | parsing | `parse.rs` | [`ast::Program`] |
//! | name resolution | `checker.rs`, `resolve.rs`, `sorts.rs` | tables of names |
//! | type checking and inference | `typecheck.rs`, `infer.rs` | [`typed::Program`] |
//! | lowering to the program form | `lower.rs`, `builtin.rs` | [`footpath_ir::Program`] |
//!
//! After an error, every stage continues with the declarations that do not depend on it.

pub mod ast;
mod builtin;
mod checker;
mod datatypes;
mod infer;
pub mod lex;
pub mod lower;
pub mod parse;
mod resolve;
mod sorts;
pub mod typecheck;
pub mod typed;

use footpath_ir::diagnostic::{Diagnostic, Severity};
use footpath_ir::program::Program;
use footpath_ir::source::{FileId, SourceMap};
use footpath_parallel::on_deep_stack;

/// How to read Boogie.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether procedures may change globals that their `modifies` clauses do not name; the clauses are completed.
    /// Boogie does so when it is called with `/doModSetAnalysis` or `/inferModifies`, which the Move Prover relies on.
    pub infer_modifies: bool,
    /// Whether the text is the dump of a pass: `assert {:fail} false; return;`, `assume {:cut} false; return;` and
    /// `assume {:stop} false; return;` are ends of blocks that only passes make. To everyone else they are the
    /// statements that they look like, which mean the same.
    pub dump: bool,
}

/// Reads files, as Boogie does: as one program.
///
/// What is wrong is in the diagnostics, and left out of the program together with what refers to it. There is no
/// program if nothing is left.
pub fn read(files: &[FileId], sources: &SourceMap) -> (Option<Program>, Vec<Diagnostic>) {
    read_with(files, sources, Options::default())
}

/// Like [`read`], with options.
pub fn read_with(
    files: &[FileId],
    sources: &SourceMap,
    options: Options,
) -> (Option<Program>, Vec<Diagnostic>) {
    // The stages recurse over nested expressions and blocks, and the caller's stack may be small.
    on_deep_stack(|| read_here(files, sources, options)).unwrap_or_else(|error| {
        let message = format!("cannot start a thread to read the files: {error}");
        (None, vec![Diagnostic::new(Severity::Error, "boogie::resources", None, message)])
    })
}

fn read_here(files: &[FileId], sources: &SourceMap, options: Options) -> (Option<Program>, Vec<Diagnostic>) {
    let (typed, diagnostics) = check(files, sources, options);
    let empty = typed.procedures.is_empty() && typed.functions.is_empty() && typed.axioms.is_empty();
    if empty && diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    (Some(lower::lower(typed, options)), diagnostics)
}

/// All stages but the last. Needs as much stack as [`read`] provides.
fn check(files: &[FileId], sources: &SourceMap, options: Options) -> (typed::Program, Vec<Diagnostic>) {
    let mut program = ast::Program::default();
    let mut diagnostics = Vec::new();
    for &file in files {
        diagnostics.extend(parse::parse(file, &sources.file(file).text, &mut program));
    }
    let (typed, more) = typecheck::check(&program, options);
    diagnostics.extend(more);
    (typed, diagnostics)
}
