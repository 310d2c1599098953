//! `footpath bench reach`: the experiment of APC, beside dynamic symbolic execution, and how the time grows.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result};
use footpath_bench::output::write_atomically;
use footpath_bench::reach::{C_TARGET, Dse, PROGRAMS, Program, Row, as_csv, grown, plot, table};
use footpath_concolic as concolic;
use footpath_concolic::{Bounds, GoalScope};
use footpath_driver::LoopGuide;
use footpath_frontend::boogie;
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{Origin, Place, ProcId};
use footpath_loop_summaries::{Options, Target, find, reach};

use super::bench::cannot_write;
use crate::args::{BenchArgs, TestArgs};
use crate::compile_commands::Sources;
use crate::{Exit, World, exit};

/// Questions in a row that cover nothing, after which the guided search asks.
const GUIDE_AFTER: u64 = 20;
/// Elements of arrays behind pointers in C: the longest text and the rows of the matrix need that many.
const ARRAY_LENGTH: u32 = 32;

/// Measures, compares. A verdict that is known to be wrong is an internal error.
pub fn run(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    let options = Options { timeout: args.timeout.0, ..Options::default() };
    let work = crate::work_folder::WorkFolder::new()?;
    let mut rows = Vec::new();
    let mut wrong = Vec::new();
    for program in PROGRAMS {
        let (target, _) = of_boogie(program.name, program.text)?;
        let start = (target.spot.procedure, target.spot.body);
        let dse = compare(&target, start, args, world)?;
        let mut found = measure(&target, start, &options, world)?;
        found.name = program.name.to_owned();
        found.dse = Some(dse);
        let mut of_c = c_row(program, work.path(), args, world)?;
        of_c.name = format!("{} (C)", program.name);
        for row in [found, of_c] {
            let forbidden = if program.reachable { "unreachable" } else { "reached" };
            let said = [row.verdict].into_iter().chain(row.dse.iter().flatten().map(|d| d.verdict));
            if said.into_iter().any(|verdict| verdict == forbidden) {
                wrong.push(format!("{} is not {forbidden}", row.name));
            }
            rows.push(row);
        }
    }
    for program in grown() {
        let (target, _) = of_boogie(program.family, &program.text)?;
        let start = (target.spot.procedure, target.spot.body);
        let mut row = measure(&target, start, &options, world)?;
        (row.name, row.size) = (program.family.to_owned(), Some(program.size));
        if row.verdict == "unreachable" {
            wrong.push(format!("{} of size {} is not unreachable", program.family, program.size));
        }
        rows.push(row);
    }
    write!(world.out, "{}", table(&rows))?;
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
        save(folder, "reach.csv", &as_csv(&rows))?;
        save(folder, "reach.svg", &plot(&rows).render())?;
    }
    for problem in &wrong {
        writeln!(world.err, "error: {problem}")?;
    }
    if !wrong.is_empty() {
        write!(world.err, "{}", exit::REPORT_HINT)?;
        return Ok(Exit::Internal);
    }
    Ok(if world.stop.load(Ordering::SeqCst) { Exit::Interrupted } else { Exit::Done })
}

fn save(folder: &Path, name: &str, text: &str) -> Result<()> {
    write_atomically(&folder.join(name), text).with_context(|| cannot_write(folder))
}

fn of_boogie(name: &str, text: &str) -> Result<(Target, SourceMap)> {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new(format!("{name}.bpl"), text));
    let (program, _) = boogie::read(&[file], &sources);
    let program = program.with_context(|| format!("{name} cannot be read"))?;
    let target = find(&program, &sources, "target", None).map_err(anyhow::Error::msg)?;
    Ok((target, sources))
}

/// The condition alone.
fn measure(target: &Target, start: (ProcId, u32), options: &Options, world: &World<'_>) -> Result<Row> {
    let found = reach(&target.program, start.0, start.1, target.spot, options, world.stop)?;
    Ok(Row {
        name: String::new(),
        size: None,
        verdict: found.verdict.name(),
        seconds: found.time.as_secs_f64(),
        queries: found.queries,
        unfolded: found.unfolded,
        dse: None,
    })
}

/// The C version, from the function's harness: what tests of bounded size reach.
fn c_row(program: &Program, work: &Path, args: &BenchArgs, world: &World<'_>) -> Result<Row> {
    let line = program.c.lines().position(|l| l.ends_with(C_TARGET)).context("a target")? + 1;
    let folder = work.join(program.name);
    std::fs::create_dir_all(&folder).with_context(|| cannot_write(&folder))?;
    let file: PathBuf = folder.join("subject.c");
    footpath_atomic_write::write(&file, program.c).with_context(|| cannot_write(&folder))?;
    let mut test = TestArgs::for_files(vec![file.clone()]);
    test.c.array_length = ARRAY_LENGTH;
    let options = Sources::of(&test.files, &test.compiler)?.with(test.options(folder));
    let files = footpath_driver::lower(&options).map_err(|e| anyhow::anyhow!("{e}"))?;
    let wanted = format!("{}:{line}", file.display());
    let function = files.lowered.functions.iter().find(|f| f.degraded.is_none() && f.harness.is_ok());
    let function = function.context("a function that can be called")?;
    let target = find(&files.lowered.program, &files.sources, &wanted, Some(function.procedure));
    let target = target.map_err(anyhow::Error::msg)?;
    let start = (function.harness.as_ref().map_err(|e| anyhow::anyhow!("{e}"))?.procedure, 0);
    let dse = compare(&target, start, args, world)?;
    let limits = Options { timeout: args.timeout.0, ..Options::default() };
    Ok(Row { dse: Some(dse), ..measure(&target, start, &limits, world)? })
}

/// Dynamic symbolic execution by itself, and guided by the condition.
fn compare(target: &Target, start: (ProcId, u32), args: &BenchArgs, world: &World<'_>) -> Result<[Dse; 2]> {
    Ok([explore(target, start, 0, args, world)?, explore(target, start, GUIDE_AFTER, args, world)?])
}

fn explore(
    target: &Target,
    start: (ProcId, u32),
    guide_after: u64,
    args: &BenchArgs,
    world: &World<'_>,
) -> Result<Dse> {
    let spot = target.spot;
    let place = Place::Segment { block: spot.block, first: 0 };
    let origin = Origin { procedure: spot.procedure, body: spot.body, place };
    let options = concolic::Options {
        goals_in: GoalScope::Places(vec![origin]),
        guide_after,
        seed: args.seed,
        bounds: Bounds { time: args.timeout.0, ..Bounds::default() },
        ..concolic::Options::default()
    };
    let guide = LoopGuide { program: &target.program, start };
    let (program, (root, body)) = (&target.program, start);
    let found = concolic::explore_guided(program, root, body, &options, Some(&guide), world.stop, &|_| ())?;
    let goal = found.goals.first();
    let verdict = match goal {
        Some(goal) if goal.covered_by.is_some() => "reached",
        Some(goal) if goal.ruled_out || found.exhausted => "unreachable",
        _ => "unknown",
    };
    let s = &found.statistics;
    Ok(Dse { verdict, seconds: s.total_time.as_secs_f64(), runs: s.runs, queries: s.queries })
}
