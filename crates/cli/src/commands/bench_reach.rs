//! `footpath bench reach`: the experiment of APC, and how the time grows.

use std::path::Path;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result};
use footpath_bench::output::write_atomically;
use footpath_bench::reach::{PROGRAMS, Row, as_csv, grown, plot, table};
use footpath_frontend::boogie;
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_loops::{Options, find, reach};

use super::bench::cannot_write;
use crate::args::BenchArgs;
use crate::{Exit, World, exit};

/// Measures, compares. A verdict that is known to be wrong is an internal error.
pub fn run(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    let options = Options { timeout: args.timeout.0, ..Options::default() };
    let mut rows = Vec::new();
    let mut wrong = Vec::new();
    for program in PROGRAMS {
        let row = measure(program.name, None, program.text, &options, world)?;
        let forbidden = if program.reachable { "unreachable" } else { "reached" };
        if row.verdict == forbidden {
            wrong.push(format!("{} is not {forbidden}", program.name));
        }
        rows.push(row);
    }
    for program in grown() {
        let row = measure(program.family, Some(program.size), &program.text, &options, world)?;
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

fn measure(name: &str, size: Option<u32>, text: &str, options: &Options, world: &World<'_>) -> Result<Row> {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new(format!("{name}.bpl"), text));
    let (program, _) = boogie::read(&[file], &sources);
    let program = program.with_context(|| format!("{name} cannot be read"))?;
    let target = find(&program, &sources, "target", None).map_err(anyhow::Error::msg)?;
    let (procedure, body) = (target.spot.procedure, target.spot.body);
    let found = reach(&target.program, procedure, body, target.spot, options, world.stop)?;
    Ok(Row {
        name: name.to_owned(),
        size,
        verdict: found.verdict.name(),
        seconds: found.time.as_secs_f64(),
        queries: found.queries,
        unfolded: found.unfolded,
    })
}
