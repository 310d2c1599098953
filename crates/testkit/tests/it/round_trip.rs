//! What is printed reads back as what it was, whichever pass it went through.

use std::path::Path;

use footpath_frontend::boogie::{self, Options};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{Body, ProcId, Program, Stage as Made, StageBody, TerminatorKind, print, print_stage};
use footpath_testkit::{Language, for_each};
use footpath_transform::{Bounds, Stage, watched};

const BOUNDS: Bounds = Bounds { unwind: 1, recursion: 1, max_blocks: 2000 };

/// The program of a text, which must be one.
fn read(text: &str, options: Options) -> Result<Program, String> {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("printed.bpl", text));
    let (program, diagnostics) = boogie::read_with(&[file], &sources, options);
    if let Some(error) = diagnostics.iter().find(|d| d.is_error()) {
        return Err(format!("does not read back: {}\n{text}", error.message));
    }
    let program = program.ok_or("there is no program")?;
    let made = if options.dump { Made::Pass } else { Made::FrontEnd };
    match footpath_ir::validate_at(&program, made).first() {
        Some(violation) => Err(format!("{violation}\n{text}")),
        None => Ok(program),
    }
}

/// The program of a file, if it is one: those of the corpus with errors are left out.
fn program(path: &Path) -> Option<Program> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    read(&text, Options::default()).ok()
}

fn same(printed: &str, again: &str) -> Result<(), String> {
    match printed.lines().zip(again.lines()).find(|(a, b)| a != b) {
        Some((a, b)) => Err(format!("was printed\n{a}\nand is printed now\n{b}")),
        None if printed.len() != again.len() => Err(format!("one goes on:\n{printed}\n{again}")),
        None => Ok(()),
    }
}

/// How the blocks of all bodies end, which a text could hide.
fn ends<'b>(bodies: impl Iterator<Item = &'b Body>) -> Vec<(&'static str, usize)> {
    let end = |kind: &TerminatorKind| match kind {
        TerminatorKind::Goto(targets) => ("goto", targets.len()),
        TerminatorKind::Branch { .. } => ("branch", 2),
        TerminatorKind::Return => ("return", 0),
        TerminatorKind::Fail => ("fail", 0),
        TerminatorKind::Cut => ("cut", 0),
    };
    bodies.flat_map(|b| b.blocks.iter().map(|block| end(&block.terminator.kind))).collect()
}

fn check_stage(program: &Program, stage: Stage) -> Result<(), String> {
    let mut found = Vec::new();
    for procedure in program.ids() {
        for index in 0..program[procedure].bodies.len() as u32 {
            watched(program, procedure, index, BOUNDS, &mut |at, terms, body| {
                if at == stage {
                    found.push((procedure, terms.clone(), body.clone()));
                }
            });
        }
    }
    let bodies: Vec<StageBody<'_>> = found
        .iter()
        .map(|(procedure, terms, body)| StageBody { procedure: *procedure, terms, body })
        .collect();
    let printed = print_stage(program, &bodies);
    let again = read(&printed, Options { dump: true, ..Options::default() })?;
    let of_form = ends(bodies.iter().map(|b| b.body));
    let of_text = ends(again.procedures.iter().flat_map(|p| &p.bodies));
    if of_form != of_text {
        return Err(format!("blocks end otherwise\n{printed}"));
    }
    // A procedure without parameters would be printed in one with its body, as no symbols tell them apart.
    let numbered = again.procedures.iter().enumerate();
    let bodies: Vec<StageBody<'_>> = numbered
        .flat_map(|(i, p)| p.bodies.iter().map(move |body| (ProcId(i as u32), body)))
        .map(|(procedure, body)| StageBody { procedure, terms: &again.terms, body })
        .collect();
    same(&printed, &print_stage(&again, &bodies))?;
    // To everyone else it is a program like any other.
    read(&printed, Options::default()).map(drop)
}

#[test]
fn programs_read_back_as_they_are_printed() {
    for_each(&Language::Boogie.programs(), |path| {
        let Some(program) = program(path) else { return Ok(()) };
        let printed = print(&program);
        same(&printed, &print(&read(&printed, Options::default())?))
    });
}

#[test]
fn programs_read_back_as_they_are_printed_after_any_pass() {
    for stage in [Stage::Prepared, Stage::Inlined, Stage::Split, Stage::Unwound, Stage::Sliced] {
        for_each(&Language::Boogie.programs(), |path| match program(path) {
            Some(program) => check_stage(&program, stage).map_err(|why| format!("{stage:?}: {why}")),
            None => Ok(()),
        });
    }
}
