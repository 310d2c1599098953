//! `footpath bench`: the experiments of the papers, and strategies compared.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result};
use footpath_bench::rvc::{self, Event};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{bench_explore, bench_guide, bench_reach, bench_summaries};
use crate::args::{BenchArgs, Experiment};
use crate::{Exit, World, exit};

/// Generates, measures, compares; algorithms that disagree are an internal error.
pub fn run(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    match args.experiment {
        Experiment::Rvc => compare_covers(args, world),
        Experiment::Explore => bench_explore::run(args, world),
        Experiment::Failures => failures(args, world),
        Experiment::Guide => bench_guide::run(args, world),
        Experiment::Reach => bench_reach::run(args, world),
        Experiment::Summaries => bench_summaries::run(args, world),
        Experiment::Simplify => simplify(args, world),
    }
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

/// What the simplifier makes of conditions of paths.
fn simplify(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    let bar = progress(world.terminal.err_is_terminal);
    let found = footpath_bench::simplify::run(args.seed, world.stop, &mut |line| {
        bar.inc(1);
        bar.set_message(format!("{} comparisons, {}", line.comparisons, line.effort.name()));
    });
    bar.finish_and_clear();
    let lines = match found {
        Ok(lines) => lines,
        Err(e) => {
            writeln!(world.err, "error: {e}")?;
            return Ok(Exit::Internal);
        }
    };
    write!(world.out, "{}", footpath_bench::simplify::markdown(&lines))?;
    if let Some(folder) = &args.out {
        let files = footpath_bench::simplify::write(&lines, folder).with_context(|| cannot_write(folder))?;
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
