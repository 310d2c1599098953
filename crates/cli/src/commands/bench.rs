//! `footpath bench`: the experiments of the papers, and strategies compared.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use footpath_bench::rvc::{self, Event};
use indicatif::ProgressBar;

use super::{bench_explore, bench_guide, bench_reach, bench_summaries, bench_tools};
use crate::args::{BenchArgs, Experiment};
use crate::progress::line;
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
        Experiment::Tools => bench_tools::run(args, world),
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
    use footpath_bench::failures::{markdown, run, write};
    let measure = |stop: &AtomicBool, tell: &mut dyn FnMut(String)| {
        run(stop, &mut |line| tell(format!("{}, {} branches, {}", line.program, line.branches, line.method)))
    };
    lines(args, world, measure, markdown, write)
}

/// What the simplifier makes of conditions of paths.
fn simplify(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    use footpath_bench::simplify::{markdown, run, write};
    let measure = |stop: &AtomicBool, tell: &mut dyn FnMut(String)| {
        run(args.seed, stop, &mut |line| {
            tell(format!("{} comparisons, {}", line.comparisons, line.effort.name()));
        })
    };
    lines(args, world, measure, markdown, write)
}

/// Measures line by line, prints a table, and writes files if they are wanted.
fn lines<L, E, M, W>(
    args: &BenchArgs,
    world: &mut World<'_>,
    measure: M,
    markdown: fn(&[L]) -> String,
    write: W,
) -> Result<Exit>
where
    E: std::fmt::Display,
    M: FnOnce(&AtomicBool, &mut dyn FnMut(String)) -> Result<Vec<L>, E>,
    W: FnOnce(&[L], &Path) -> std::io::Result<Vec<PathBuf>>,
{
    let bar = progress(world.terminal.err_is_terminal);
    let found = measure(world.stop, &mut |what| {
        bar.inc(1);
        bar.set_message(what);
    });
    bar.finish_and_clear();
    let lines = match found {
        Ok(lines) => lines,
        Err(e) => {
            writeln!(world.err, "error: {e}")?;
            return Ok(Exit::Internal);
        }
    };
    write!(world.out, "{}", markdown(&lines))?;
    if let Some(folder) = &args.out {
        let files = write(&lines, folder).with_context(|| cannot_write(folder))?;
        writeln!(world.err, "{} files are in {}", files.len(), folder.display())?;
    }
    Ok(if world.stop.load(Ordering::SeqCst) { Exit::Interrupted } else { Exit::Done })
}

pub(super) fn progress(visible: bool) -> ProgressBar {
    let bar = line("{pos} of {len} runs done, {msg}, {elapsed}", visible);
    bar.set_length(0);
    bar
}

pub(super) fn cannot_write(folder: &Path) -> String {
    format!("{} cannot be written", folder.display())
}
