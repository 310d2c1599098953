//! Programs from text, and what the analysis says of them.

#![allow(dead_code)]

use std::sync::Arc;

use footpath_absint::{Analysis, Calls, Effort, Proof, analyse};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{AssertKind, Place, ProcId, Program, Statement, StatementKind};
use footpath_term::Op;

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
    let analysis = analyse(&program, id, 0, calls, &[], &[], Effort::default());
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

/// The program with what was found out as assertions: of kind `Exit` for checks that are said to fail, `Abort` for the rest.
pub fn with_claims(program: &Program, id: ProcId, analysis: &Analysis) -> Program {
    let mut checked = program.clone();
    let mut terms = analysis.terms.clone();
    let body = &mut checked[id].bodies[0];
    // Later statements first, so that the numbers of the others stay.
    for check in analysis.checks.iter().rev().filter(|c| c.proof == Proof::Fails) {
        let Place::Failure { block, statement, .. } = check.origin.place else { continue };
        let statements = &mut body.blocks[block.index()].statements;
        let mut claim = statements[statement as usize].clone();
        if let StatementKind::Assert { condition, .. } = claim.kind {
            claim.kind = StatementKind::assert(terms.app(Op::Not, [condition]), AssertKind::Exit);
            statements.insert(statement as usize, claim);
        }
    }
    for (block, &condition) in &analysis.invariants {
        let mut claim = body.blocks[block.index()].statements.first().cloned().unwrap_or_else(|| {
            let span = body.blocks[block.index()].span;
            Statement::new(StatementKind::Assume(condition), span)
        });
        claim.kind = StatementKind::assert(condition, AssertKind::Abort);
        claim.attributes.clear();
        body.blocks[block.index()].statements.insert(0, claim);
    }
    checked.terms = Arc::new(terms);
    checked
}
