//! `footpath reach`: whether single places can be reached.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::Result;
use footpath_driver::{CompileError, Refused, claims};
use footpath_ir::{ProcId, Program};
use footpath_loop_summaries::{Reach, ReachError, Spot, Verdict};
use footpath_report::backbone_tree;
use footpath_report::reach::{ReachRun, ReachTarget, report, text};
use footpath_verdict::Code;

use super::names::there_is;
use super::{show_diagnostics, warn_of_contradiction};
use crate::args::{Format, ReachArgs};
use crate::compile_commands::Sources;
use crate::language::{self, Language};
use crate::{Exit, World, exit, input};

/// Reads, asks, reports.
pub fn run(args: &ReachArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    match language::of(&args.files)? {
        Language::C => c(args, command_line, world),
        Language::Boogie => boogie(args, command_line, world),
    }
}

fn boogie(args: &ReachArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    let mut input = input::read(&args.files, args.infer_modifies);
    let nothing_runs = warn_of_contradiction(&mut input, &args.solver);
    show_diagnostics(&input.sources, &input.diagnostics, args.color, world)?;
    // A proof rests on nobody's word.
    input.program = input.program.map(|program| claims::unbelieved(&program));
    let Some(program) = &input.program else { return Ok(Exit::BadInput) };
    let has_body = |p: ProcId| !program[p].bodies.is_empty();
    let preferred = if args.asks_about_program() { Some("main") } else { None };
    let start = args
        .function
        .as_deref()
        .or(preferred)
        .and_then(|name| program.procedure_named(name))
        .filter(|&p| has_body(p));
    if let (Some(name), None) = (&args.function, start) {
        let known: Vec<&str> = program.ids().filter(|p| has_body(*p)).map(|p| &*program[p].name).collect();
        let there_is = there_is(name, &known);
        writeln!(world.err, "error: there is no procedure `{name}` with a body; {there_is}")?;
        return Ok(Exit::BadInput);
    }
    let mut targets = Vec::new();
    for wanted in &args.target {
        let target = match footpath_loop_summaries::find(program, &input.sources, wanted, start) {
            Ok(target) => target,
            Err(why) => {
                writeln!(world.err, "error: {why}")?;
                return Ok(Exit::BadInput);
            }
        };
        for (procedure, body) in starts_of(program, start, wanted, target.spot) {
            let found = match nothing_runs {
                true => Ok(Reach::unknown(Code::NothingRuns)),
                false => footpath_loop_summaries::reach(
                    &target.program,
                    procedure,
                    body,
                    target.spot,
                    &args.limits(),
                    world.stop,
                ),
            };
            let reach = match found {
                Ok(reach) => reach,
                Err(e) => return refused(&e, world),
            };
            let is_reached = matches!(reach.verdict, Verdict::Reached(_));
            targets.push(ReachTarget {
                function: program[procedure].name.to_string(),
                target: wanted.clone(),
                span: target.span,
                reach,
                assumes_memory_safety: false,
                assumes_no_overflow: false,
                file: None,
            });
            if is_reached {
                break;
            }
        }
    }
    let run = ReachRun {
        command: command_line,
        sources: &input.sources,
        terms: &program.terms,
        diagnostics: &input.diagnostics,
        targets: &targets,
        interrupted: world.stop.load(Ordering::SeqCst),
    };
    let exit = if input.has_errors() { Exit::BadInput } else { Exit::Done };
    show(args, &run, exit, world)
}

/// The procedures in which runs to a place start, each with the number of its body, one after the other until one reaches the
/// place: the one start for all; for a line, the procedure that it is in; for a name, the roots above it.
fn starts_of(program: &Program, start: Option<ProcId>, wanted: &str, spot: Spot) -> Vec<(ProcId, u32)> {
    if let Some(start) = start {
        return vec![(start, 0)];
    }
    let roots = match footpath_loop_summaries::place(wanted) {
        Some(_) => vec![spot.procedure],
        None => program.roots_above(spot.procedure, |p| !program[p].bodies.is_empty()),
    };
    let body = |p| if p == spot.procedure { spot.body } else { 0 };
    roots.into_iter().map(|p| (p, body(p))).collect()
}

fn c(args: &ReachArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    let _folder = crate::output::prepare_folder(&args.output)?;
    let work = crate::work_folder::WorkFolder::new()?;
    let options = Sources::of(&args.sources(), &args.compiler)?.with(args.conductor(work.path().to_owned()));
    let found = match footpath_driver::reach(&options, &args.target, &args.limits(), world.stop) {
        Ok(found) => found,
        Err(Refused::Compile(why)) => return bad_input(&why, world),
        Err(Refused::Target(why)) => {
            writeln!(world.err, "error: {why}")?;
            return Ok(Exit::BadInput);
        }
        Err(Refused::Reach(e)) => return refused(&e, world),
    };
    show_diagnostics(&found.sources, &found.diagnostics, args.color, world)?;
    let mut targets = Vec::new();
    for t in found.targets {
        let reached = matches!(t.reach.verdict, Verdict::Reached(_));
        let file = t.file.filter(|_| reached).map(|f| keep(&f, &args.output)).transpose()?;
        let (function, target, span, reach) = (t.function, t.target, t.span, t.reach);
        let (assumes_memory_safety, assumes_no_overflow) = (t.assumes_memory_safety, t.assumes_no_overflow);
        targets.push(ReachTarget {
            function,
            target,
            span,
            reach,
            assumes_memory_safety,
            assumes_no_overflow,
            file,
        });
    }
    let run = ReachRun {
        command: command_line,
        sources: &found.sources,
        terms: &found.terms,
        diagnostics: &found.diagnostics,
        targets: &targets,
        interrupted: world.stop.load(Ordering::SeqCst),
    };
    show(args, &run, Exit::Done, world)
}

/// Writes the backbone tree of a target, or says that there is none.
fn write_tree(file: &Path, target: &ReachTarget, run: &ReachRun<'_>, world: &mut World<'_>) -> Result<()> {
    let Some(tree) = &target.reach.tree else {
        let name = &target.target;
        writeln!(
            world.err,
            "note: there is no backbone tree of {name}: the target was decided without one, or time ran out before"
        )?;
        return Ok(());
    };
    let text = match file.extension().is_some_and(|e| e == "svg") {
        true => backbone_tree::svg(run.sources, tree),
        false => backbone_tree::text(run.sources, tree),
    };
    crate::output::write_named_file(file, &text)
}

/// The name of the file for the target of this number.
fn numbered(file: &Path, number: usize) -> PathBuf {
    if number == 0 {
        return file.to_owned();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let extension = file.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
    file.with_file_name(format!("{stem}-{}{extension}", number + 1))
}

/// Keeps a test that has the number of its target behind the name of its function's tests.
fn keep(test: &Path, folder: &Path) -> Result<String> {
    let name = test.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let tests = name.rsplit_once('_').map_or(&*name, |(tests, _)| tests);
    crate::output::keep_tests(test, tests, folder)
}

fn bad_input(why: &CompileError, world: &mut World<'_>) -> Result<Exit> {
    writeln!(world.err, "error: {why}")?;
    Ok(Exit::BadInput)
}

fn refused(error: &ReachError, world: &mut World<'_>) -> Result<Exit> {
    if let ReachError::Internal(_) = error {
        write!(world.err, "footpath {}: {error}\n{}", env!("CARGO_PKG_VERSION"), exit::REPORT_HINT)?;
        return Ok(Exit::Internal);
    }
    writeln!(world.err, "error: {error}")?;
    Ok(Exit::BadInput)
}

fn show(args: &ReachArgs, run: &ReachRun<'_>, exit: Exit, world: &mut World<'_>) -> Result<Exit> {
    match args.format {
        Format::Text => write!(world.out, "{}", text(run, args.show_condition))?,
        Format::Json => write!(world.out, "{}", report(run).to_text())?,
    }
    if let Some(file) = &args.dump_tree {
        for (i, target) in run.targets.iter().enumerate() {
            write_tree(&numbered(file, i), target, run, world)?;
        }
    }
    let mut exit = exit;
    let found = |name: &str| run.targets.iter().filter(|t| t.reach.verdict.name() == name).count();
    let denied: Vec<String> = args
        .deny
        .iter()
        .map(|d| (found(d.name()), d.name()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    if !denied.is_empty() {
        writeln!(world.err, "denied: {}", denied.join(", "))?;
        exit = exit.max(Exit::Denied);
    }
    if run.interrupted {
        exit = exit.max(Exit::Interrupted);
    }
    Ok(exit)
}
