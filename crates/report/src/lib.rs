//! What Footpath found, written for its readers: people, and programs.
//!
//! | idea | file |
//! |---|---|
//! | messages drawn on the source | `snippet.rs` |
//! | values, for people and in JSON | `values.rs` |
//! | what a run chose, in words | `choice.rs` |
//! | counting verdicts | `counts.rs` |
//! | texts on one screen | `screen.rs` |
//! | explorations in numbers | `exploration.rs` |
//! | the report for a terminal | `text.rs`, with `table.rs` |
//! | the report for programs, the stable interface | `json.rs` |
//! | both formats of `footpath reach` | `reach.rs` |
//! | all formats of `footpath test` | `suite/` |
//! | all formats of `footpath verify` | `verification.rs` |
//! | what other tools found out, read | `results.rs` (SARIF), `witness.rs` (SV-COMP), `cbmc.rs` |
//! | what `footpath failures` found | `failures/` |
//! | coverage reports of other tools, read, and lcov's written | `coverage_reports/` |
//! | a build system's list of commands | `compile_commands.rs` |
//!
//! **Invariants:** nothing here prints or touches a file; every function gives its text back. No other crate
//! knows serde. No analysis happens here: a report may sort, group and shorten, never conclude.

pub mod backbone_tree;
pub mod cbmc;
mod choice;
pub mod compile_commands;
pub mod counts;
pub mod coverage_reports;
pub mod exploration;
pub mod failures;
pub mod json;
pub mod reach;
pub mod results;
mod screen;
mod snippet;
pub mod suite;
mod table;
pub mod text;
pub mod values;
pub mod verification;
pub mod witness;

use std::time::Duration;

use footpath_cover::ProcedureCover;
use footpath_ir::Program;
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::SourceMap;

/// Everything a report is made of.
#[derive(Clone, Copy, Debug)]
pub struct CoverRun<'a> {
    /// The command line, program name first.
    pub command: &'a [String],
    /// The files.
    pub sources: &'a SourceMap,
    /// The program, if one could be made of them.
    pub program: Option<&'a Program>,
    /// What the front end had to say.
    pub diagnostics: &'a [Diagnostic],
    /// The covers, in the order in which they are shown.
    pub covers: &'a [ProcedureCover],
    /// Wall-clock time of the whole run.
    pub elapsed: Duration,
    /// Whether the user ended it early.
    pub interrupted: bool,
}
