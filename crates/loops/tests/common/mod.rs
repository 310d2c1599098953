//! Programs as text.

#![allow(dead_code, reason = "each test uses some of it")]

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_frontend::boogie;
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{ProcId, Program};
use footpath_loops::{Options, Reach, find, reach};

/// Reads a program that has no errors.
pub fn read(text: &str) -> (Program, SourceMap) {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("test.bpl", text));
    let (program, diagnostics) = boogie::read(&[file], &sources);
    assert!(
        !diagnostics.iter().any(footpath_ir::diagnostic::Diagnostic::is_error),
        "{diagnostics:?}\n{text}"
    );
    (program.expect("a program"), sources)
}

/// Asks about a target of the procedure `main`.
pub fn reach_in(text: &str, target: &str) -> Reach {
    reach_with(text, target, &Options { timeout: Some(Duration::from_secs(200)), ..Options::default() })
}

/// The same with options.
pub fn reach_with(text: &str, target: &str, options: &Options) -> Reach {
    let (program, sources) = read(text);
    let main = program.procedure_named("main").unwrap_or(ProcId(0));
    let target = find(&program, &sources, target, Some(main)).expect("a target");
    reach(&target.program, main, 0, target.spot, options, &AtomicBool::new(false)).expect("an answer")
}

/// The verdict on the label `target`.
pub fn check(text: &str, verdict: &str) {
    let found = reach_in(text, "target");
    assert_eq!(found.verdict.name(), verdict, "{found:#?}\n{text}");
}
