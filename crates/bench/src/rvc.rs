//! The experiment of RVC (Christ, Hoenicke, Schäf: Towards Bounded Infeasible Code Detection, 2012), section
//! 7: random programs, covered by several algorithms in one run.
//!
//! | idea | file |
//! |---|---|
//! | the algorithms that are compared, as one table | `rvc/configurations.rs` |
//! | programs × algorithms → measurements | `rvc/experiment.rs` |
//! | do all algorithms say the same? | `rvc/agreement.rs` |
//! | the fewest tests that suffice | `rvc/optimum.rs` |
//! | sums and means | `rvc/summary.rs` |
//! | Table 1 and the other tables | `rvc/tables.rs` |
//! | Figures 4 to 6 | `rvc/figures.rs` |
//!
//! What is measured: questions to the solver and the time it takes to answer them, as in the paper, and besides
//! the time in all. What is checked: that all algorithms agree on every objective, and path covers on the number
//! of paths; a disagreement is a bug in one of them. Time limits may leave objectives unknown; unknown
//! contradicts nothing, but is counted, and means over such programs are marked as lower bounds.
//!
//! **Direction of error.** Agreement is no proof. The algorithms share the loop-free form, the solver and the
//! replay of tests; what they do not share is the encoding and the search.

mod agreement;
mod configurations;
mod experiment;
mod figures;
mod optimum;
mod summary;
mod tables;

use std::io;
use std::path::{Path, PathBuf};

pub use agreement::disagreements;
pub use configurations::{CONFIGURATIONS, Configuration, PaperRow, select};
pub use experiment::{Decision, Event, Experiment, Measured, Plan, Problem, Run, Sample, run};
pub use optimum::{Optimum, smallest_cover};
pub use tables::text;

use crate::output::write_atomically;

/// Writes all tables, data and plots into a folder; returns what was written.
pub fn write(experiment: &Experiment, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = vec![
        ("table.md".to_owned(), tables::markdown(experiment)),
        ("table.csv".to_owned(), tables::csv(experiment)),
        ("runs.csv".to_owned(), tables::runs(experiment)),
        ("tests.csv".to_owned(), tables::tests(experiment)),
    ];
    for figure in figures::all(experiment) {
        files.push((format!("{}.csv", figure.file), figure.csv()));
        files.push((format!("{}.svg", figure.file), figure.plot.render()));
    }
    let mut written = Vec::with_capacity(files.len());
    for (name, text) in files {
        let path = folder.join(name);
        write_atomically(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}

/// The generated program of a sample, as Boogie text that says how to make it again.
pub fn program_text(diamonds: u32, seed: u64) -> String {
    let program = crate::generate::diamonds(diamonds, seed);
    format!(
        "// footpath bench rvc --diamonds {diamonds} --per-size 1 --seed {seed}\n{}",
        footpath_ir::print(&program)
    )
}

/// Writes the programs of a plan as `.bpl` files into a folder; returns how many.
pub fn write_programs(plan: &Plan, folder: &Path) -> io::Result<usize> {
    let samples = plan.samples();
    for &Sample { diamonds, seed } in &samples {
        let path = folder.join(format!("diamonds-{diamonds:03}-seed-{seed}.bpl"));
        write_atomically(&path, &program_text(diamonds, seed))?;
    }
    Ok(samples.len())
}
