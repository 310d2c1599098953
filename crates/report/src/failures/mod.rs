//! What `footpath failures` found, as text and as JSON.

pub mod json;
pub mod text;

use std::time::Duration;

use footpath_driver::preconditions::FunctionFailures;
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::SourceMap;

/// The language of the conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Boogie: a precondition is a `requires` clause.
    Boogie,
    /// C: a precondition is assumed at the function's start.
    C,
}

/// Everything a report is made of.
#[derive(Clone, Copy)]
pub struct FailuresRun<'a> {
    /// The command line, program name first.
    pub command: &'a [String],
    /// The files.
    pub sources: &'a SourceMap,
    /// What the front end had to say.
    pub diagnostics: &'a [Diagnostic],
    /// What was found, in the order of the source.
    pub functions: &'a [FunctionFailures],
    /// The language of the conditions.
    pub language: Language,
    /// Remarks about the run as a whole.
    pub notes: &'a [String],
    /// Wall-clock time of the whole run.
    pub elapsed: Duration,
    /// Whether the user ended it early.
    pub interrupted: bool,
}
