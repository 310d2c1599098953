//! `footpath check`: what is wrong with the files.

use anyhow::Result;

use super::show_diagnostics;
use crate::args::CheckArgs;
use crate::{Exit, World, input};

/// Prints diagnostics, and the program if asked to.
pub fn run(args: &CheckArgs, world: &mut World<'_>) -> Result<Exit> {
    let input = input::read(&args.files, args.infer_modifies);
    show_diagnostics(&input.sources, &input.diagnostics, args.color, world)?;
    if let Some(program) = &input.program {
        if args.print {
            write!(world.out, "{}", footpath_ir::print(program))?;
        } else {
            let bodies = program.procedures.iter().map(|p| p.bodies.len()).sum::<usize>();
            let verdict = if input.has_errors() { "with errors" } else { "ok" };
            writeln!(
                world.out,
                "{verdict}: procedures {}, bodies {bodies}, functions {}, axioms {}, globals {}, constants {}",
                program.procedures.len(),
                program.functions.len(),
                program.axioms.len(),
                program.globals.len(),
                program.constants.len()
            )?;
        }
    }
    Ok(if input.has_errors() || input.program.is_none() { Exit::BadInput } else { Exit::Done })
}
