//! Programs from text, and what the analysis says of them.

#![allow(dead_code)]

use footpath_absint::{Calls, Effort, Proof, analyse};
use footpath_ir::Program;
use footpath_ir::source::{SourceFile, SourceMap};

/// A program from Boogie text.
pub fn read(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("test.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}\n{text}");
    program.expect("a program without errors is read")
}

/// What is found out about each check of a procedure, in order.
pub fn proofs(text: &str, procedure: &str, calls: Calls) -> Vec<Proof> {
    let program = read(text);
    let id = program.procedure_named(procedure).expect("the procedure is there");
    let analysis = analyse(&program, id, 0, calls, Effort::default());
    analysis.checks.iter().map(|c| c.proof).collect()
}

/// How many random programs a test takes: `FOOTPATH_PROGRAMS`, or `usual`; `FOOTPATH_SEED` asks for a single one.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    match number("FOOTPATH_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("FOOTPATH_PROGRAMS").unwrap_or(usual),
    }
}
