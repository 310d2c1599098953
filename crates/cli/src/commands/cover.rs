//! `footpath cover`: covers of all procedures, or of those asked for. C files go the route of `footpath test`.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use footpath_cover as cover;
use footpath_cover::CoverError;
use footpath_driver::{Storage, boogie, claims};
use footpath_ir::{ProcId, Program};
use footpath_report::counts::Counts;
use footpath_report::text::{self, Style};
use footpath_report::{CoverRun, json};

use super::names::there_is;
use super::{choose, dump, is_denied, show_diagnostics, test, warn_of_contradiction};
use crate::args::{Color, CoverArgs, Criterion, Deny, Format};
use crate::language::{self, Language};
use crate::progress::Progress;
use crate::{Exit, World, exit, input, output};

/// Reads, covers, reports. What has errors in the input is left out, the rest is analysed all the same.
pub fn run(args: &CoverArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    if language::of(&args.files)? == Language::C {
        if let Some(flag) = args.refused_for_c() {
            let instead = match args.criterion {
                Criterion::Path => "; `footpath test --criterion path` covers paths of C functions",
                Criterion::Statement => "",
            };
            writeln!(world.err, "error: {flag} is for Boogie programs only, and these files are C{instead}")?;
            return Ok(Exit::BadInput);
        }
        return test::run(&args.test_args(), command_line, world);
    }
    let start = Instant::now();
    args.calls.use_key()?;
    let mut input = input::read(&args.files, args.infer_modifies);
    warn_of_contradiction(&mut input, &args.solver);
    show_diagnostics(&input.sources, &input.diagnostics, args.color, world)?;
    let mut exit = Exit::Done;
    if input.has_errors() || input.program.is_none() {
        exit = Exit::BadInput;
    }
    let is_dump = args.dump_stage.is_some();
    let _folder = args.output.as_deref().filter(|_| !is_dump).map(output::prepare).transpose()?;
    let mut covers = Vec::new();
    if let Some(program) = &input.program {
        let procedures = match select(program, &args.procedure) {
            Ok(procedures) => procedures,
            Err(message) => {
                writeln!(world.err, "error: {message}")?;
                return Ok(Exit::BadInput);
            }
        };
        if let Some(wanted) = &args.dump_stage {
            dump::write(program, &procedures, wanted, args.bounds(), world)?;
            return Ok(exit);
        }
        let bodies = procedures.iter().map(|&p| program[p].bodies.len()).sum();
        let progress = Progress::new(bodies, world.terminal.err_is_terminal);
        let on_event = |event: cover::Event| progress.on(&event);
        let job = boogie::Options { store: args.calls.storage()?, ..args.job() };
        let result = claims::covers(&job, program, &input.sources, &procedures, world.stop, &on_event);
        progress.finish();
        match result {
            Ok((found, warnings)) => {
                for warning in warnings {
                    writeln!(world.err, "warning: {warning}")?;
                }
                covers = found;
                tell_what_is_stored(&covers, world)?;
                if let Some(note) = job.store.as_ref().and_then(Storage::taken_note) {
                    writeln!(world.err, "note: {note}")?;
                }
            }
            Err(CoverError::Solver(why)) => {
                writeln!(world.err, "error: the solver could not be used: {why}")?;
                return Ok(Exit::BadInput);
            }
            Err(e @ CoverError::Internal(_)) => {
                write!(world.err, "footpath {}: {e}\n{}", env!("CARGO_PKG_VERSION"), exit::REPORT_HINT)?;
                return Ok(Exit::Internal);
            }
        }
    }
    let interrupted = world.stop.load(Ordering::SeqCst);
    let run = CoverRun {
        command: command_line,
        sources: &input.sources,
        program: input.program.as_ref(),
        diagnostics: &input.diagnostics,
        covers: &covers,
        elapsed: start.elapsed(),
        interrupted,
    };
    report((args.format, args.color, args.output.as_deref()), &run, world)?;
    if is_denied(&args.deny, &deniable(&Counts::of_all(&covers)), world)? {
        exit = exit.max(Exit::Denied);
    }
    if interrupted {
        exit = exit.max(Exit::Interrupted);
    }
    Ok(exit)
}

/// Says how much an earlier run has left.
fn tell_what_is_stored(covers: &[cover::ProcedureCover], world: &mut World<'_>) -> Result<()> {
    let stored = covers.iter().filter(|cover| cover.statistics.recalled).count();
    if stored > 0 {
        let all = covers.len();
        writeln!(world.err, "note: the results of {stored} of {all} procedures are taken from the store")?;
    }
    Ok(())
}

/// The procedures of these names, all with a body if there are none.
pub(super) fn select(program: &Program, names: &[String]) -> Result<Vec<ProcId>, String> {
    let with_body = |id: &ProcId| !program[*id].bodies.is_empty();
    if names.is_empty() {
        return Ok(program.ids().filter(with_body).collect());
    }
    let mut selected = Vec::new();
    for name in names {
        let Some(id) = program.procedure_named(name) else {
            let known: Vec<&str> = program.procedures.iter().map(|p| &*p.name).collect();
            return Err(format!("there is no procedure `{name}`; {}", there_is(name, &known)));
        };
        if !with_body(&id) {
            return Err(format!("procedure `{name}` has no body that could be analysed"));
        }
        if !selected.contains(&id) {
            selected.push(id);
        }
    }
    Ok(selected)
}

/// Prints the report, and writes it into a folder if asked to.
pub(super) fn report(
    (format, color, output): (Format, Color, Option<&Path>),
    run: &CoverRun<'_>,
    world: &mut World<'_>,
) -> Result<()> {
    let style =
        Style { color: choose(color, world.terminal.out_color), width: world.terminal.width, full: false };
    match format {
        Format::Text => write!(world.out, "{}", text::cover(run, &style))?,
        Format::Json => write!(world.out, "{}", json::cover(run).to_text())?,
    }
    if let Some(folder) = output {
        let style = Style { color: false, width: 100, full: true };
        let diagnostics = text::diagnostics(run.sources, run.diagnostics, &style);
        output::write(folder, &json::cover(run), &(diagnostics + &text::cover(run, &style)))?;
    }
    Ok(())
}

/// What can be denied, and how often it was found.
fn deniable(counts: &Counts) -> [(Deny, usize, &'static str); 3] {
    [
        (Deny::Infeasible, counts.infeasible, "infeasible"),
        (Deny::Doomed, counts.doomed, "doomed"),
        (Deny::Unknown, counts.unknown + counts.assertions_unknown, "unknown"),
    ]
}
