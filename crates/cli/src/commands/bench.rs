//! `footpath bench`: the experiments of the papers, and strategies compared.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use footpath_bench::explore;
use footpath_bench::rvc::{self, Event};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{bench_guide, bench_reach, bench_summaries, show_diagnostics};
use crate::args::{BenchArgs, Color, Experiment};
use crate::{Exit, World, exit, input};

/// Generates, measures, compares; algorithms that disagree are an internal error.
pub fn run(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    match args.experiment {
        Experiment::Rvc => compare_covers(args, world),
        Experiment::Explore => compare_strategies(args, world),
        Experiment::Failures => failures(args, world),
        Experiment::Guide => bench_guide::run(args, world),
        Experiment::Reach => bench_reach::run(args, world),
        Experiment::Summaries => bench_summaries::run(args, world),
    }
}

/// How long an exploration takes at most, if the flag says no limit.
const DAY: Duration = Duration::from_secs(86_400);

/// Explores each procedure of the programs with every strategy.
fn compare_strategies(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    let mut subjects = Vec::new();
    let mut exit = Exit::Done;
    for file in &args.files {
        let input = input::read(std::slice::from_ref(file), false);
        show_diagnostics(&input.sources, &input.diagnostics, Color::Auto, world)?;
        match input.program {
            Some(program) => {
                let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                subjects.push(explore::Subject { name, program });
            }
            None => exit = Exit::BadInput,
        }
    }
    if subjects.is_empty() {
        writeln!(world.err, "error: no program to explore is named")?;
        return Ok(Exit::BadInput);
    }
    let timeout = args.timeout.0.unwrap_or(DAY);
    let plan = explore::Plan { subjects, timeout, seed: args.seed };
    let bar = progress(world.terminal.err_is_terminal);
    let comparison = explore::run(&plan, world.stop, &|name, strategy| {
        bar.inc(1);
        bar.set_message(format!("{name}, {}", strategy.name()));
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

/// Generates programs and covers them with all algorithms.
fn compare_covers(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    let plan = args.plan();
    if let Some(folder) = &args.write_bpl {
        let count = rvc::write_programs(&plan, folder).with_context(|| cannot_write(folder))?;
        writeln!(world.err, "{count} programs are in {}", folder.display())?;
    }
    let bar = progress(world.terminal.err_is_terminal);
    let experiment = rvc::run(plan, world.stop, &|event| match event {
        Event::Planned(runs) => bar.set_length(runs as u64),
        Event::Started(sample, algorithm) => {
            bar.set_message(format!(
                "{} diamonds, seed {}, {}",
                sample.diamonds, sample.seed, algorithm.name
            ));
        }
        Event::Finished(..) => bar.inc(1),
    });
    bar.finish_and_clear();
    write!(world.out, "{}", rvc::text(&experiment))?;
    if let Some(folder) = &args.out {
        let files = rvc::write(&experiment, folder).with_context(|| cannot_write(folder))?;
        writeln!(world.err, "{} files are in {}", files.len(), folder.display())?;
    }
    if !experiment.problems.is_empty() {
        for problem in &experiment.problems {
            writeln!(world.err, "error: {problem}")?;
        }
        write!(world.err, "{}", exit::REPORT_HINT)?;
        return Ok(Exit::Internal);
    }
    Ok(if experiment.stopped { Exit::Interrupted } else { Exit::Done })
}

/// The counts of the paper on failure conditions.
fn failures(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    let bar = progress(world.terminal.err_is_terminal);
    let found = footpath_bench::failures::run(world.stop, &mut |line| {
        bar.inc(1);
        bar.set_message(format!("{}, {} branches, {}", line.program, line.branches, line.method));
    });
    bar.finish_and_clear();
    let lines = match found {
        Ok(lines) => lines,
        Err(e) => {
            writeln!(world.err, "error: {e}")?;
            return Ok(Exit::Internal);
        }
    };
    write!(world.out, "{}", footpath_bench::failures::markdown(&lines))?;
    if let Some(folder) = &args.out {
        let files = footpath_bench::failures::write(&lines, folder).with_context(|| cannot_write(folder))?;
        writeln!(world.err, "{} files are in {}", files.len(), folder.display())?;
    }
    Ok(if world.stop.load(Ordering::SeqCst) { Exit::Interrupted } else { Exit::Done })
}

pub(super) fn progress(visible: bool) -> ProgressBar {
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    if let Ok(style) = ProgressStyle::with_template("{pos} of {len} runs done, {msg}, {elapsed}") {
        bar.set_style(style);
    }
    if visible {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}

pub(super) fn cannot_write(folder: &Path) -> String {
    format!("{} cannot be written", folder.display())
}
