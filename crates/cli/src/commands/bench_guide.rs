//! `footpath bench guide`: what guidance by partial verification saves.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use footpath_bench::guide::{Effort, Function, Subject, run as measure};
use footpath_driver::{LoweredFiles, Options, claims};
use footpath_ir::{ProcId, Program};
use footpath_verify::c_entry::verified_within;

use super::bench::{cannot_write, progress};
use super::{show_diagnostics, verify};
use crate::args::{BenchArgs, Color, CompilerArgs};
use crate::compile_commands::Sources;
use crate::progress::line;
use crate::{Exit, World, exit, input};

/// Time to verify a body: more than is needed, as it is not measured, and the result must not depend on what else the
/// machine does.
const VERIFYING: Duration = Duration::from_secs(10);
/// How long an exploration takes at most, if the flag says no limit.
const DAY: Duration = Duration::from_secs(86_400);

/// Verifies, explores each function in all configurations, compares.
pub fn run(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    let mut subjects = Vec::new();
    let mut exit = Exit::Done;
    let bar = line("{msg}, {pos} functions verified, {elapsed}", world.terminal.err_is_terminal);
    for file in &args.files {
        if world.stop.load(Ordering::SeqCst) {
            break;
        }
        bar.set_message(file.display().to_string());
        let done = |_| bar.inc(1);
        let is_c = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("c"));
        let found = if is_c { c_file(args, file, world, &done)? } else { boogie_file(file, world, &done)? };
        match found {
            Some(subject) => subjects.push(subject),
            None => exit = Exit::BadInput,
        }
    }
    bar.finish_and_clear();
    if subjects.is_empty() && !world.stop.load(Ordering::SeqCst) {
        writeln!(world.err, "error: no program to explore is named")?;
        return Ok(Exit::BadInput);
    }
    let timeout = args.timeout.0.unwrap_or(DAY);
    let effort = Effort { timeout, runs: args.runs, seed: args.seed };
    let bar = progress(world.terminal.err_is_terminal);
    bar.set_length(subjects.iter().map(|s| s.functions.len() as u64).sum());
    let experiment = measure(&subjects, &effort, args.jobs.get(), world.stop, &|name| {
        bar.inc(1);
        bar.set_message(name.to_owned());
    });
    bar.finish_and_clear();
    write!(world.out, "{}", experiment.text())?;
    if let Some(folder) = &args.out {
        let files = experiment.write(folder).with_context(|| cannot_write(folder))?;
        writeln!(world.err, "{} files are in {}", files.len(), folder.display())?;
    }
    for problem in &experiment.problems {
        writeln!(world.err, "error: {problem}")?;
        exit = Exit::Internal;
    }
    if !experiment.problems.is_empty() {
        write!(world.err, "{}", exit::REPORT_HINT)?;
    }
    for claim in &experiment.refuted {
        writeln!(world.err, "note: {claim}")?;
    }
    Ok(if world.stop.load(Ordering::SeqCst) { exit.max(Exit::Interrupted) } else { exit })
}

fn name_of(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn boogie_file(
    file: &Path,
    world: &mut World<'_>,
    done: &(dyn Fn(ProcId) + Sync),
) -> Result<Option<Subject>> {
    let input = input::read(std::slice::from_ref(&file.to_path_buf()), false);
    show_diagnostics(&input.sources, &input.diagnostics, Color::Auto, world)?;
    let Some(program) = input.program else { return Ok(None) };
    let with_body = |p: &ProcId| !program[*p].bodies.is_empty();
    let procedures: Vec<ProcId> = program.ids().filter(with_body).collect();
    let program = match claims::tested(&program, &input.sources, &procedures, world.stop) {
        Ok((believed, refuted)) => {
            for claim in refuted {
                writeln!(world.err, "note: {claim}")?;
            }
            believed
        }
        Err(why) => {
            writeln!(world.err, "error: {why}")?;
            return Ok(None);
        }
    };
    let found = verify::verified(&program, &procedures, world.stop, done);
    let function = |&p: &ProcId| Function { name: program[p].name.to_string(), root: p, procedure: p };
    let functions = procedures.iter().map(function).collect();
    Ok(Some(Subject { name: name_of(file), functions, found, program }))
}

fn c_file(
    args: &BenchArgs,
    file: &Path,
    world: &mut World<'_>,
    done: &(dyn Fn(ProcId) + Sync),
) -> Result<Option<Subject>> {
    let work = crate::work_folder::WorkFolder::new()?;
    let compiler = CompilerArgs { cflags: args.cflags.clone(), ..CompilerArgs::default() };
    let options = Sources::of(&[file.to_owned()], &compiler)?.with(Options {
        timeout: Duration::ZERO,
        out: work.path().to_owned(),
        unwind: 0,
        seed: args.seed,
        ..Options::default()
    });
    let files = match footpath_driver::lower(&options) {
        Ok(files) => files,
        Err(why) => {
            writeln!(world.err, "error: {why}")?;
            return Ok(None);
        }
    };
    Ok(Some(of_c(&name_of(file), &files, world.stop, done)))
}

/// The functions of the file that can be called.
fn of_c(name: &str, files: &LoweredFiles, stop: &AtomicBool, done: &(dyn Fn(ProcId) + Sync)) -> Subject {
    let lowered = &files.lowered;
    let mut functions = Vec::new();
    for f in lowered.functions.iter().filter(|f| files.wanted.contains(&f.procedure)) {
        if let Ok(harness) = &f.harness {
            let (root, procedure) = (harness.procedure, f.procedure);
            functions.push(Function { name: f.name.clone(), root, procedure });
        }
    }
    let procedures: Vec<ProcId> = functions.iter().map(|f| f.procedure).collect();
    let procedures = lowered.program.reachable(&procedures);
    let jobs = crate::args::usual_jobs();
    let found = verified_within(lowered, &procedures, VERIFYING, jobs, stop, done);
    let program: Program = lowered.program.clone();
    Subject { name: name.to_owned(), program, functions, found }
}
