//! `footpath failures`: under which inputs functions fail.

use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use footpath_driver::preconditions::{Error, FunctionFailures};
use footpath_driver::{claims, preconditions};
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::SourceMap;
use footpath_report::failures::{FailuresRun, Language, json, text};

use super::cover::select;
use super::names::there_is;
use super::{show_diagnostics, warn_of_contradiction};
use crate::args::{FailuresArgs, Format};
use crate::compile_commands::Sources;
use crate::{Exit, World, exit, input, language};

/// What was found, in either language.
struct Found {
    functions: Vec<Result<FunctionFailures, Error>>,
    sources: SourceMap,
    diagnostics: Vec<Diagnostic>,
    notes: Vec<String>,
    language: Language,
    exit: Exit,
}

/// Analyses, reports.
pub fn run(args: &FailuresArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    let start = Instant::now();
    let found = match language::of(&args.files)? {
        language::Language::C => in_c(args, world)?,
        language::Language::Boogie => in_boogie(args, world)?,
    };
    let Some(found) = found else { return Ok(Exit::BadInput) };
    let mut exit = found.exit;
    let mut functions = Vec::new();
    for function in found.functions {
        match function {
            Ok(function) => functions.push(function),
            Err(e @ (Error::Invalid(_) | Error::Solver(_))) => {
                writeln!(world.err, "error: {e}")?;
                exit = exit.max(Exit::BadInput);
            }
            Err(e @ Error::Internal(_)) => {
                write!(world.err, "footpath {}: {e}\n{}", env!("CARGO_PKG_VERSION"), exit::REPORT_HINT)?;
                exit = exit.max(Exit::Internal);
            }
        }
    }
    let interrupted = world.stop.load(Ordering::SeqCst);
    let run = FailuresRun {
        command: command_line,
        sources: &found.sources,
        diagnostics: &found.diagnostics,
        functions: &functions,
        language: found.language,
        notes: &found.notes,
        elapsed: start.elapsed(),
        interrupted,
    };
    match args.format {
        Format::Text => write!(world.out, "{}", text::report(&run))?,
        Format::Json => write!(world.out, "{}", json::report(&run).to_text())?,
    }
    Ok(if interrupted { exit.max(Exit::Interrupted) } else { exit })
}

fn in_boogie(args: &FailuresArgs, world: &mut World<'_>) -> Result<Option<Found>> {
    let mut input = input::read(&args.files, args.infer_modifies);
    warn_of_contradiction(&mut input, &args.solver);
    show_diagnostics(&input.sources, &input.diagnostics, args.color, world)?;
    let exit = if input.has_errors() { Exit::BadInput } else { Exit::Done };
    // A condition of failure rests on nobody's word.
    input.program = input.program.map(|program| claims::unbelieved(&program));
    let Some(program) = &input.program else { return Ok(None) };
    let procedures = match select(program, &args.function) {
        Ok(procedures) => procedures,
        Err(message) => {
            writeln!(world.err, "error: {message}")?;
            return Ok(None);
        }
    };
    let options = args.options();
    let mut functions = Vec::new();
    for id in procedures {
        for body in 0..program[id].bodies.len() as u32 {
            if !world.stop.load(Ordering::SeqCst) {
                functions.push(preconditions::procedure(program, id, body, &options, world.stop));
            }
        }
    }
    Ok(Some(Found {
        functions,
        sources: input.sources,
        diagnostics: input.diagnostics,
        notes: Vec::new(),
        language: Language::Boogie,
        exit,
    }))
}

fn in_c(args: &FailuresArgs, world: &mut World<'_>) -> Result<Option<Found>> {
    let work = crate::work_folder::WorkFolder::new()?;
    let options = Sources::of(&args.files, &args.compiler)?.with(args.c_options(work.path().to_owned()));
    let found = match preconditions::run(&options, &args.options(), world.stop) {
        Ok(found) => found,
        Err(why) => {
            writeln!(world.err, "error: {why}")?;
            return Ok(None);
        }
    };
    show_diagnostics(&found.sources, &found.diagnostics, args.color, world)?;
    let known: Vec<&str> = found.known.iter().map(String::as_str).collect();
    let mut exit = Exit::Done;
    for name in args.function.iter().filter(|n| !known.contains(&n.as_str())) {
        writeln!(world.err, "error: there is no function `{name}` with a body; {}", there_is(name, &known))?;
        exit = Exit::BadInput;
    }
    let mut functions = found.functions;
    let _folder = args.output.as_deref().map(crate::output::prepare_folder).transpose()?;
    for function in functions.iter_mut().flatten() {
        // What is not kept is gone with the temporary folder.
        if let (Some(file), Some(folder)) = (function.file.take(), &args.output) {
            let tests = file.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            function.file = Some(crate::output::keep_tests(&file, &tests, folder)?.into());
        }
    }
    Ok(Some(Found {
        functions,
        sources: found.sources,
        diagnostics: found.diagnostics,
        notes: found.notes,
        language: Language::C,
        exit,
    }))
}
