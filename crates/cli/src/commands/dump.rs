//! `footpath cover --dump-stage`: the program between two passes.

use anyhow::Result;
use footpath_ir::{Body, ProcId, Program, StageBody};
use footpath_term::Terms;
use footpath_transform::{Bounds, Stage};

use crate::args::{Dump, DumpStage};
use crate::{World, output};

/// Writes the program after a pass over the bodies of `procedures`; only what the front end made has the others, too.
pub fn write(
    program: &Program,
    procedures: &[ProcId],
    wanted: &Dump,
    bounds: Bounds,
    world: &mut World<'_>,
) -> Result<()> {
    let text = match stage(wanted.stage) {
        None => footpath_ir::print(program),
        Some(stage) => after(stage, program, procedures, bounds),
    };
    match &wanted.file {
        Some(path) => output::write_named_file(path, &text),
        None => Ok(world.out.write_all(text.as_bytes())?),
    }
}

fn stage(stage: DumpStage) -> Option<Stage> {
    match stage {
        DumpStage::Parsed => None,
        DumpStage::Prepared => Some(Stage::Prepared),
        DumpStage::Inlined => Some(Stage::Inlined),
        DumpStage::Split => Some(Stage::Split),
        DumpStage::Unwound => Some(Stage::Unwound),
        DumpStage::Sliced => Some(Stage::Sliced),
    }
}

fn after(stage: Stage, program: &Program, procedures: &[ProcId], bounds: Bounds) -> String {
    let mut bodies: Vec<(ProcId, Terms, Body)> = Vec::new();
    for &procedure in procedures {
        for index in 0..program[procedure].bodies.len() as u32 {
            let mut watch = |at: Stage, terms: &Terms, body: &Body| {
                if at == stage {
                    bodies.push((procedure, terms.clone(), body.clone()));
                }
            };
            footpath_transform::watched(program, procedure, index, bounds, &mut watch);
        }
    }
    let bodies: Vec<StageBody<'_>> = bodies
        .iter()
        .map(|(procedure, terms, body)| StageBody { procedure: *procedure, terms, body })
        .collect();
    footpath_ir::print_stage(program, &bodies)
}
