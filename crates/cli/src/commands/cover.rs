//! `footpath cover`: covers of all procedures, or of those asked for. C files go the route of `footpath test`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use footpath_cover as cover;
use footpath_cover::{CoverError, ProcedureCover, Verdict};
use footpath_driver::Calls;
use footpath_ir::{ProcId, Program};
use footpath_preconditions::{Classes, Conditions};
use footpath_report::counts::Counts;
use footpath_report::text::{self, Style};
use footpath_report::{CoverRun, json};
use footpath_summaries::{Covers, Summaries};

use super::names::there_is;
use super::{choose, dump, is_denied, show_diagnostics, test, warn_of_contradiction};
use crate::args::{Color, CoverArgs, Deny, Format};
use crate::language::{self, Language};
use crate::progress::Progress;
use crate::{Exit, World, exit, input, output};

/// Reads, covers, reports. What has errors in the input is left out, the rest is analysed all the same.
pub fn run(args: &CoverArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    if language::of(&args.files)? == Language::C {
        if let Some(flag) = args.refused_for_c() {
            writeln!(world.err, "error: {flag} is for Boogie programs only, and these files are C")?;
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
    if let Some(folder) = args.output.as_ref().filter(|_| args.dump_stage.is_none()) {
        output::prepare(folder)?;
    }
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
        let result = covers_of(args, program, &procedures, world, &on_event);
        progress.finish();
        match result {
            Ok((found, warnings)) => {
                for warning in warnings {
                    writeln!(world.err, "warning: {warning}")?;
                }
                covers = found;
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

/// The covers of procedures, those that are kept from an earlier run without asking anybody; with them, warnings about
/// the store.
fn covers_of(
    args: &CoverArgs,
    program: &Program,
    procedures: &[ProcId],
    world: &World<'_>,
    events: &(dyn Fn(cover::Event) + Sync),
) -> Result<(Vec<ProcedureCover>, Vec<String>), CoverError> {
    // Who wants to see the questions wants them asked.
    let folder = args.calls.folder().filter(|_| args.dump_smt.is_none());
    let beside = format!("{:?} {:?}", args.calls.calls, args.loop_proofs);
    let kept = folder.map(|folder| Covers::new(folder, program, &args.options(), &beside, true));
    let mut known: BTreeMap<ProcId, Vec<ProcedureCover>> = BTreeMap::new();
    for &procedure in procedures {
        let Some(covers) = kept.as_ref().and_then(|kept| kept.recall(procedure)) else { continue };
        covers.iter().for_each(|c| events(cover::Event::Finished(procedure, c.body)));
        known.insert(procedure, covers);
    }
    let open: Vec<ProcId> = procedures.iter().copied().filter(|p| !known.contains_key(p)).collect();
    let (mut found, mut warnings) = cover_anew(args, program, &open, world, events)?;
    prove_unbounded(args, program, &mut found, world);
    if let Some(kept) = &kept {
        if !world.stop.load(Ordering::SeqCst) {
            found.iter().for_each(|cover| kept.keep(cover));
        }
        warnings.extend(kept.warnings());
    }
    for cover in found {
        known.entry(cover.procedure).or_default().push(cover);
    }
    Ok((procedures.iter().filter_map(|p| known.remove(p)).flatten().collect(), warnings))
}

/// Covers procedures with what the flags say stands for calls; with it, warnings about the store.
fn cover_anew(
    args: &CoverArgs,
    program: &Program,
    procedures: &[ProcId],
    world: &World<'_>,
    events: &(dyn Fn(cover::Event) + Sync),
) -> Result<(Vec<ProcedureCover>, Vec<String>), CoverError> {
    let options = args.options();
    let mode = match args.calls.calls.standing() {
        None => return Ok((cover::cover(program, procedures, &options, world.stop, events)?, Vec::new())),
        Some(Calls::Conditions) => return cover_conditions(args, program, procedures, world, events),
        Some(Calls::Summaries(mode)) => mode,
    };
    let wanted = footpath_summaries::Options {
        bounds: args.bounds(),
        query_timeout: args.query_timeout.0,
        solver: args.solver.clone(),
        store: args.calls.folder(),
        jobs: options.jobs.min(procedures.len()),
        ..footpath_summaries::Options::default()
    };
    let summaries = Summaries::new(program, mode, wanted, world.stop)?;
    let found = cover::cover_with(program, procedures, &options, Some(&summaries), world.stop, events)?;
    Ok((found, summaries.finish()))
}

/// The same with the conditions under which callees fail.
fn cover_conditions(
    args: &CoverArgs,
    program: &Program,
    procedures: &[ProcId],
    world: &World<'_>,
    events: &(dyn Fn(cover::Event) + Sync),
) -> Result<(Vec<ProcedureCover>, Vec<String>), CoverError> {
    let wanted = footpath_preconditions::Options {
        time: args.timeout.0,
        query: args.query_timeout.0,
        solver: args.solver.clone(),
        recursion: args.bounds().recursion,
        ..footpath_preconditions::Options::default()
    };
    let conditions = Conditions::new(program, procedures, &wanted, Classes::PLAIN, world.stop);
    let conditions = conditions.map_err(|e| match e {
        footpath_preconditions::Error::Solver(why) => CoverError::Solver(why),
        other => CoverError::Internal(other.to_string()),
    })?;
    let options = args.options();
    let found = cover::cover_with(program, procedures, &options, Some(&conditions), world.stop, events)?;
    Ok((found, Vec::new()))
}

/// Asks loop summaries about what no run within the bound reaches. What they prove is unreachable for good.
fn prove_unbounded(args: &CoverArgs, program: &Program, covers: &mut [ProcedureCover], world: &World<'_>) {
    for cover in covers {
        let deadline = Instant::now() + args.loop_proofs;
        for objective in &mut cover.objectives {
            let left = deadline.saturating_duration_since(Instant::now());
            if !objective.is_refuted_so_far() || left.is_zero() {
                continue;
            }
            let options = footpath_loop_summaries::Options {
                timeout: Some(left.min(args.loop_proofs / 2)),
                solver: args.solver.clone(),
                cross_check: args.cross_check.clone(),
                max_unfold: 25,
                ..footpath_loop_summaries::Options::default()
            };
            let (procedure, body, origin) = (cover.procedure, cover.body, objective.origin);
            let proved = footpath_loop_summaries::prove_unreachable(
                program, procedure, body, origin, &options, world.stop,
            );
            if proved == Ok(true) {
                objective.verdict = Verdict::Unreachable;
            }
        }
    }
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
