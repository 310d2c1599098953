//! What the solver proves beside quantified types: only what depends on them stays open.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{AssertKind, ProcId};
use footpath_verify::{Entry, Options, Verdict, verify};

#[test]
fn a_polymorphic_axiom_leaves_other_proofs_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/bpl/polymorphic_axiom.bpl");
    let text = std::fs::read_to_string(&path).expect("a program of the corpus");
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("polymorphic_axiom.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let program = program.expect("a program");
    let procedures: Vec<ProcId> = program.ids().collect();
    let options = Options { time: None, solver: Some(Duration::from_secs(1000)), ..Options::default() };
    let stop = AtomicBool::new(false);
    let found = verify(&program, &procedures, &|_, _| Entry::default(), &options, &stop, &|_| ());
    let checks: Vec<_> = found.bodies.iter().flat_map(|b| &b.checks).collect();
    let assertions = checks.iter().filter(|c| c.kind == AssertKind::Assert);
    let verdicts: Vec<&Verdict> = assertions.map(|c| &c.verdict).collect();
    assert_eq!(verdicts, [&Verdict::Verified; 2]);
}
