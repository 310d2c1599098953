//! `footpath bench summaries`: what calls cost, inlined and summarised.

use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, Result};
use footpath_bench::output::write_atomically;
use footpath_bench::summaries::{Program, Row, as_csv, plot, programs, table};
use footpath_cover as cover;
use footpath_cover::CoverOptions;
use footpath_frontend::boogie;
use footpath_ir::ProcId;
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_summaries::{Mode, Options, Summaries};

use super::bench::cannot_write;
use crate::args::BenchArgs;
use crate::{Exit, World, exit};

/// Names, which callees are summarised, and how many procedures are covered at a time.
const METHODS: [(&str, Option<Mode>, usize); 6] = [
    ("inline", None, 1),
    ("inline-2", None, 2),
    ("concrete", Some(Mode::Concrete), 1),
    ("symbolic", Some(Mode::Symbolic), 1),
    ("symbolic-2", Some(Mode::Symbolic), 2),
    ("auto", Some(Mode::Auto), 1),
];

/// Measures, compares. Methods that contradict each other are an internal error. A method that did not finish with a
/// program is not tried on larger ones of the family.
pub fn run(args: &BenchArgs, world: &mut World<'_>) -> Result<Exit> {
    let mut rows: Vec<Row> = Vec::new();
    let mut wrong = Vec::new();
    let mut given_up: Vec<(&str, &str)> = Vec::new();
    for program in programs() {
        let first = rows.len();
        for (method, mode, jobs) in METHODS {
            // Elsewhere one procedure is covered.
            if jobs > 1 && program.family != "wide" {
                continue;
            }
            if given_up.contains(&(program.family, method)) || world.stop.load(Ordering::SeqCst) {
                continue;
            }
            let row = measure(&program, (method, mode, jobs), args, world)?;
            if !row.is_decided() {
                given_up.push((program.family, method));
            }
            if rows[first..].iter().any(|other| row.contradicts(other)) {
                wrong.push(format!(
                    "{} of size {}: {method} contradicts others",
                    program.family, program.size
                ));
            }
            rows.push(row);
        }
    }
    write!(world.out, "{}", table(&rows))?;
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
        let save = |name: &str, text: &str| write_atomically(&folder.join(name), text);
        save("summaries.csv", &as_csv(&rows)).with_context(|| cannot_write(folder))?;
        for family in ["chain", "dag", "fan", "wide"] {
            let name = format!("summaries-{family}.svg");
            save(&name, &plot(family, &rows).render()).with_context(|| cannot_write(folder))?;
        }
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

fn measure(
    program: &Program,
    (method, mode, jobs): (&'static str, Option<Mode>, usize),
    args: &BenchArgs,
    world: &World<'_>,
) -> Result<Row> {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new(format!("{}.bpl", program.family), program.text.as_str()));
    let (read, _) = boogie::read(&[file], &sources);
    let read = read.with_context(|| format!("{} cannot be read", program.family))?;
    let all = read.ids();
    let mains: Vec<ProcId> = all.filter(|p| read[*p].name.starts_with("main")).collect();
    let options = CoverOptions {
        timeout: args.timeout.0,
        random_runs: 0,
        explain: false,
        jobs,
        ..CoverOptions::default()
    };
    let started = Instant::now();
    let summaries = match mode {
        Some(mode) => Some(Summaries::new(&read, mode, Options { jobs, ..Options::default() }, world.stop)?),
        None => None,
    };
    let callees = summaries.as_ref().map(|s| s as &dyn cover::Callees);
    let covers = cover::cover_with(&read, &mains, &options, callees, world.stop, &|_| ())?;
    let mut row = Row {
        family: program.family.to_owned(),
        size: program.size,
        method,
        seconds: started.elapsed().as_secs_f64(),
        queries: covers.iter().map(|c| c.statistics.queries).sum(),
        paths: 0,
        verdicts: covers.iter().flat_map(|c| &c.objectives).map(|o| o.verdict.name()).collect(),
    };
    if let Some(summaries) = &summaries {
        row.queries += summaries.solver_statistics().queries;
        row.paths = summaries.sizes().0;
    }
    Ok(row)
}
