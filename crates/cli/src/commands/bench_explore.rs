//! `footpath bench explore`: strategies of dynamic symbolic execution compared.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use footpath_bench::explore::{self, Configuration, PROGRAMS, Plan, Root, Subject};
use footpath_concolic::GoalScope;
use footpath_ir::ProcId;

use super::bench::{cannot_write, progress};
use super::show_diagnostics;
use crate::args::{BenchArgs, Color, TestArgs};
use crate::compile_commands::Sources;
use crate::{Exit, World, input};

/// How long an exploration takes at most, if the flag says no limit.
const DAY: Duration = Duration::from_secs(86_400);

/// Explores the classic subjects or the files in every configuration.
pub fn run(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    let work = crate::work_folder::WorkFolder::new()?;
    let classics = if args.files.is_empty() { write_classics(work.path())? } else { Vec::new() };
    let mut subjects = Vec::new();
    let mut exit = Exit::Done;
    for (number, file) in args.files.iter().chain(&classics).enumerate() {
        let folder = work.path().join(number.to_string());
        let is_c = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("c"));
        let subject = if is_c { of_c(file, &folder, world)? } else { of_boogie(file, world)? };
        match subject {
            Some(subject) => subjects.push(subject),
            None => exit = Exit::BadInput,
        }
    }
    let timeout = args.timeout.0.unwrap_or(DAY);
    let plan = Plan { subjects, configurations: Configuration::all(), timeout, seed: args.seed };
    let bar = progress(world.terminal.err_is_terminal);
    let roots: usize = plan.subjects.iter().map(|s| s.roots.len()).sum();
    bar.set_length((roots * plan.configurations.len()) as u64);
    let comparison = explore::run(&plan, world.stop, &|name, configuration| {
        bar.inc(1);
        bar.set_message(format!("{name}, {configuration}"));
    });
    bar.finish_and_clear();
    write!(world.out, "{}", comparison.text())?;
    if let Some(folder) = &args.out {
        let files = comparison.write(folder).with_context(|| cannot_write(folder))?;
        writeln!(world.err, "{} files are in {}", files.len(), folder.display())?;
    }
    for problem in &comparison.problems {
        writeln!(world.err, "error: {problem}")?;
        exit = Exit::Internal;
    }
    Ok(if world.stop.load(Ordering::SeqCst) { exit.max(Exit::Interrupted) } else { exit })
}

/// The classic subjects as files.
fn write_classics(folder: &Path) -> Result<Vec<PathBuf>> {
    let write = |program: &explore::Text| {
        let path = folder.join(program.file);
        footpath_atomic_write::write(&path, program.text).with_context(|| cannot_write(folder))?;
        Ok(path)
    };
    PROGRAMS.iter().map(write).collect()
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A Boogie program; all its bodies are explored.
fn of_boogie(file: &Path, world: &mut World<'_>) -> Result<Option<Subject>> {
    let input = input::read(&[file], false);
    show_diagnostics(&input.sources, &input.diagnostics, Color::Auto, world)?;
    Ok(input.program.map(|program| Subject::of_program(name_of(file), program)))
}

/// A C file, lowered as `footpath explore` does. Its functions are explored, except for those that others in the file call;
/// what they call is to be covered, too.
fn of_c(file: &Path, folder: &Path, world: &mut World<'_>) -> Result<Option<Subject>> {
    let test = TestArgs::for_files(vec![file.to_owned()]);
    let options = Sources::of(&test.files, &test.compiler)?.with(test.options(folder.to_owned()));
    let files = match footpath_driver::lower(&options) {
        Ok(files) => files,
        Err(why) => {
            writeln!(world.err, "error: {}: {why}", file.display())?;
            return Ok(None);
        }
    };
    show_diagnostics(&files.sources, &files.diagnostics, Color::Auto, world)?;
    let program = files.lowered.program;
    let callers = |f: ProcId| files.wanted.iter().filter(move |caller| **caller != f);
    let called = |f: &ProcId| callers(*f).any(|&caller| program.calls(caller).any(|called| called == *f));
    let functions = files.lowered.functions.iter().filter(|f| files.wanted.contains(&f.procedure));
    let uncalled = functions.filter(|f| !called(&f.procedure));
    let roots = uncalled.filter_map(|f| {
        let harness = f.harness.as_ref().ok()?;
        let goals = GoalScope::Procedures(files.wanted.clone());
        Some(Root { name: f.name.clone(), procedure: harness.procedure, body: 0, goals })
    });
    let roots = roots.collect();
    Ok(Some(Subject { name: name_of(file), program, roots }))
}
