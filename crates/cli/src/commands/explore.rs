//! `footpath explore`: dynamic symbolic execution of Boogie procedures and C functions.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Result, ensure};
use footpath_concolic as concolic;
use footpath_concolic::{ExploreError, GoalScope, Helpers, Prepared};
use footpath_cover::{CoverError, ProcedureCover, Verdict, of_exploration};
use footpath_driver::{LoopGuide, claims, in_source, is_annotated};
use footpath_ir::source::SourceMap;
use footpath_ir::{ProcId, Program};
use footpath_preconditions::{Classes, Conditions, GUIDED, explore_through};
use footpath_report::CoverRun;
use footpath_verdict::Code;
use footpath_verify::{Guide, Verification, guide};

use super::{cover, show_diagnostics, test, verify, warn_of_contradiction};
use crate::args::{ExploreArgs, GuideName, StandingName};
use crate::language::{self, Language};
use crate::progress::ExploreProgress;
use crate::{Exit, World, exit, input, output};

/// Explores C files by the route of `footpath test`, everything else as Boogie.
pub fn run(args: &ExploreArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    if let Some(folder) = &args.resume {
        let is_empty = std::fs::read_dir(folder).map_or(true, |mut files| files.next().is_none());
        ensure!(!is_empty, "no exploration is kept in {}; --save keeps one", folder.display());
    }
    let exit = match language::of(&args.files)? {
        Language::C => test::explore(&args.test_args(), Some(args.options()), command_line, world)?,
        Language::Boogie => boogie(args, command_line, world)?,
    };
    if let Some(folder) = args.save.as_ref().filter(|folder| !folder.exists()) {
        writeln!(world.err, "note: nothing was explored, so nothing is kept in {}", folder.display())?;
    }
    Ok(exit)
}

fn boogie(args: &ExploreArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    let start = Instant::now();
    let mut input = input::read(&args.files, args.infer_modifies);
    let nothing_runs = warn_of_contradiction(&mut input, &args.solver);
    show_diagnostics(&input.sources, &input.diagnostics, args.color, world)?;
    let mut exit = Exit::Done;
    if input.has_errors() || input.program.is_none() {
        exit = Exit::BadInput;
    }
    let _folder = args.output.as_deref().map(output::prepare).transpose()?;
    let Some((tools, mut remarks)) = super::external_results(&args.results, world)? else {
        return Ok(Exit::BadInput);
    };
    if let (Some(program), false) = (&input.program, tools.is_empty()) {
        let procedures: Vec<ProcId> = program.ids().collect();
        let (annotated, more) = claims::with_results(program, &input.sources, &procedures, &tools);
        input.program = Some(annotated);
        remarks.extend(more);
    }
    for remark in remarks {
        writeln!(world.err, "note: {remark}")?;
    }
    let program = input.program.as_ref();
    let mut covers = Vec::new();
    if let Some(program) = program {
        match explore(args, program, &input.sources, nothing_runs, world) {
            Ok((found, refuted)) => {
                covers = found;
                for claim in refuted {
                    writeln!(world.err, "note: {claim}")?;
                }
            }
            Err(e @ ExploreError::Internal(_)) => {
                write!(world.err, "footpath {}: {e}\n{}", env!("CARGO_PKG_VERSION"), exit::REPORT_HINT)?;
                return Ok(Exit::Internal);
            }
            Err(e) => {
                writeln!(world.err, "error: {e}")?;
                return Ok(Exit::BadInput);
            }
        }
    }
    let interrupted = world.stop.load(Ordering::SeqCst);
    let run = CoverRun {
        command: command_line,
        sources: &input.sources,
        program,
        diagnostics: &input.diagnostics,
        covers: &covers,
        elapsed: start.elapsed(),
        interrupted,
    };
    cover::report((args.format, args.color, args.output.as_deref()), &run, world)?;
    if interrupted {
        exit = exit.max(Exit::Interrupted);
    }
    Ok(exit)
}

/// Explores the procedures that are asked for, one after the other. If nothing can run, because the axioms contradict each
/// other, nothing is run and nothing claimed. Claims that tests refute are left out; what is to be said of them comes second.
fn explore(
    args: &ExploreArgs,
    program: &Program,
    sources: &SourceMap,
    nothing_runs: bool,
    world: &World<'_>,
) -> Result<(Vec<ProcedureCover>, Vec<String>), ExploreError> {
    let procedures = cover::select(program, &args.function).map_err(ExploreError::Invalid)?;
    let tested = match args.guide.map(GuideName::guide) {
        // Nothing is believed then.
        Some(Guide::None) => Ok((program.clone(), Vec::new())),
        _ => claims::tested(program, sources, &procedures, world.stop),
    };
    let (believed, refuted) = tested.map_err(|e| match e {
        CoverError::Solver(why) => ExploreError::Solver(why),
        CoverError::Internal(why) => ExploreError::Internal(why),
    })?;
    let program = &believed;
    let gives_up = claims::gives_up_runs(program);
    let options = concolic::Options { goals_in: GoalScope::Root, ..args.options() };
    let progress = ExploreProgress::new(world.terminal.err_is_terminal);
    let guidance = guidance(program, &procedures, args.guide.map(GuideName::guide), world.stop);
    let conditions = match args.calls {
        StandingName::Inline => None,
        StandingName::Conditions => Some(conditions(args, program, &procedures, world.stop)?),
    };
    let prepared = Prepared::new(program);
    let at_once = AtomicBool::new(true);
    let stop = if nothing_runs { &at_once } else { world.stop };
    let mut covers = Vec::new();
    for procedure in procedures {
        let name = &program[procedure].name;
        for body in 0..program[procedure].bodies.len() as u32 {
            if world.stop.load(Ordering::SeqCst) {
                break;
            }
            let guided =
                guidance.as_ref().map(|(found, how)| guide(found, procedure, (procedure, body), *how));
            let explored = guided.as_ref().map_or(program, |g| &g.program);
            let through = conditions.as_ref().filter(|_| guided.is_none());
            let through = through.and_then(|c| c.program(procedure, &[procedure]));
            let tell = |event| progress.on(name, &event);
            let options = concolic::Options {
                unverified_first: guided.as_ref().is_some_and(|g| g.orders),
                prunes: gives_up || guided.as_ref().is_some_and(|g| g.prunes),
                ..options.clone()
            };
            let mut explore = |program: &Program, options: &concolic::Options| {
                let root = (procedure, body);
                let loops = LoopGuide { program, start: root };
                let helpers =
                    Helpers { guide: Some(&loops), prepared: Some(&prepared), ..Helpers::default() };
                concolic::explore_helped(program, root, options, helpers, stop, &tell)
            };
            let mut found = match &through {
                Some(through) => explore_through(through, program, &options, &mut explore)?,
                None => explore(explored, &options)?,
            };
            found.exhausted &= !gives_up;
            if let Some(guided) = &guided {
                in_source(&mut found, guided);
                found.notes.extend(conditions.as_ref().map(|_| GUIDED.to_owned()));
            }
            let mut cover = of_exploration(program, (procedure, body), &options.bounds, &found);
            if gives_up || guided.is_some_and(|g| g.prunes) {
                for objective in &mut cover.objectives {
                    if let Verdict::Unknown(why) = &mut objective.verdict {
                        *why = Code::PrunedByVerification.into();
                    }
                }
            }
            if nothing_runs {
                claim_nothing(&mut cover);
            }
            covers.push(cover);
        }
    }
    progress.finish();
    Ok((covers, refuted))
}

/// Takes back what is said of code that cannot run.
fn claim_nothing(cover: &mut ProcedureCover) {
    cover.tests.clear();
    cover.notes.clear();
    for objective in &mut cover.objectives {
        objective.verdict = Verdict::Unknown(Code::NothingRuns.into());
    }
}

/// What is known exactly of the callees of some procedures.
fn conditions<'p>(
    args: &ExploreArgs,
    program: &'p Program,
    procedures: &[ProcId],
    stop: &AtomicBool,
) -> Result<Conditions<'p>, ExploreError> {
    let wanted = footpath_preconditions::Options {
        time: args.timeout.0,
        query: args.query_timeout.0,
        solver: args.solver.clone(),
        ..footpath_preconditions::Options::default()
    };
    Conditions::new(program, procedures, &wanted, Classes::PLAIN, stop).map_err(|e| match e {
        footpath_preconditions::Error::Solver(why) => ExploreError::Solver(why),
        other => ExploreError::Internal(other.to_string()),
    })
}

/// What the exploration of some procedures is guided by, and how, if it is. Without `wanted` only what says itself that
/// something is verified is guided.
fn guidance(
    program: &Program,
    procedures: &[ProcId],
    wanted: Option<Guide>,
    stop: &AtomicBool,
) -> Option<(Verification, Guide)> {
    let annotated = procedures.iter().any(|p| is_annotated(program, *p));
    match wanted {
        None if annotated => Some((verify::verified(program, procedures, stop, &|_| ()), Guide::MayMust)),
        Some(Guide::None) if annotated => Some((Verification::nothing(program), Guide::None)),
        None | Some(Guide::None) => None,
        Some(how) => Some((verify::verified(program, procedures, stop, &|_| ()), how)),
    }
}
