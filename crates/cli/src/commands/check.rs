//! `footpath check`: what is wrong with the files.

use std::time::Duration;

use anyhow::Result;
use footpath_driver::Options;
use footpath_ir::Program;
use footpath_ir::diagnostic::Diagnostic;

use super::show_diagnostics;
use crate::args::CheckArgs;
use crate::compile_commands::Sources;
use crate::language::{self, Language};
use crate::{Exit, World, input};

/// Prints diagnostics, and the program if asked to.
pub fn run(args: &CheckArgs, world: &mut World<'_>) -> Result<Exit> {
    match language::of(&args.files)? {
        Language::C => c(args, world),
        Language::Boogie => boogie(args, world),
    }
}

fn boogie(args: &CheckArgs, world: &mut World<'_>) -> Result<Exit> {
    let input = input::read(&args.files, args.infer_modifies);
    show_diagnostics(&input.sources, &input.diagnostics, args.color, world)?;
    if let Some(program) = &input.program {
        show(args, program, input.has_errors(), world)?;
    }
    Ok(if input.has_errors() || input.program.is_none() { Exit::BadInput } else { Exit::Done })
}

/// Compiles C files and lowers them, as every other command does first.
fn c(args: &CheckArgs, world: &mut World<'_>) -> Result<Exit> {
    let work = crate::work_folder::WorkFolder::new()?;
    let options = Sources::of(&args.files, &args.compiler)?.with(Options {
        timeout: Duration::ZERO,
        out: work.path().to_owned(),
        unwind: 0,
        ..Options::default()
    });
    let files = match footpath_driver::lower(&options) {
        Ok(files) => files,
        Err(why) => {
            writeln!(world.err, "error: {why}")?;
            return Ok(Exit::BadInput);
        }
    };
    show_diagnostics(&files.sources, &files.diagnostics, args.color, world)?;
    for note in &files.notes {
        writeln!(world.err, "note: {}", note.trim_end())?;
    }
    let has_errors = files.left_out > 0 || files.diagnostics.iter().any(Diagnostic::is_error);
    if args.print {
        write!(world.out, "{}", footpath_ir::print(&files.lowered.program))?;
    } else {
        let verdict = if has_errors { "with errors" } else { "ok" };
        writeln!(world.out, "{verdict}: functions {}", files.wanted.len())?;
    }
    Ok(if has_errors { Exit::BadInput } else { Exit::Done })
}

/// Prints a Boogie program, or how much is in it.
fn show(args: &CheckArgs, program: &Program, has_errors: bool, world: &mut World<'_>) -> Result<()> {
    if args.print {
        write!(world.out, "{}", footpath_ir::print(program))?;
        return Ok(());
    }
    let bodies = program.procedures.iter().map(|p| p.bodies.len()).sum::<usize>();
    let verdict = if has_errors { "with errors" } else { "ok" };
    writeln!(
        world.out,
        "{verdict}: procedures {}, bodies {bodies}, functions {}, axioms {}, globals {}, constants {}",
        program.procedures.len(),
        program.functions.len(),
        program.axioms.len(),
        program.globals.len(),
        program.constants.len()
    )?;
    Ok(())
}
