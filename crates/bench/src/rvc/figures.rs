//! Figures 4 to 6 of the paper: means over the programs of each size.
//!
//! Figure 4 shows the time of the paper's own algorithms (and ours), Figure 5 the time of all, Figure 6 the
//! number of queries of all. The paper's scales are linear; ours are logarithmic where baselines and winners lie
//! orders of magnitude apart.

use super::configurations::Configuration;
use super::experiment::{Experiment, Run};
use super::summary::{Mean, means};
use crate::csv;
use crate::svg::{Plot, Point, Series};

/// A figure: data and plot.
pub(super) struct Figure {
    /// The name of its files.
    pub(super) file: &'static str,
    pub(super) plot: Plot,
    columns: Vec<(&'static str, Vec<Mean>)>,
    sizes: Vec<u32>,
}

/// What a figure shows.
struct Shown {
    file: &'static str,
    title: &'static str,
    y: &'static str,
    log: bool,
    of: fn(&Run) -> f64,
    which: fn(&Configuration) -> bool,
}

const FIGURES: [Shown; 3] = [
    Shown {
        file: "figure4",
        title: "Solver time without the baselines",
        y: "seconds for each program",
        log: false,
        of: solver_seconds,
        which: |c| !c.is_baseline(),
    },
    Shown {
        file: "figure5",
        title: "Solver time",
        y: "seconds for each program",
        log: true,
        of: solver_seconds,
        which: |_| true,
    },
    Shown {
        file: "figure6",
        title: "Queries",
        y: "queries for each program",
        log: true,
        of: |r| r.queries as f64,
        which: |_| true,
    },
];

fn solver_seconds(run: &Run) -> f64 {
    run.solver.as_secs_f64()
}

/// The three figures.
pub(super) fn all(experiment: &Experiment) -> Vec<Figure> {
    FIGURES.iter().map(|shown| figure(experiment, shown)).collect()
}

fn figure(experiment: &Experiment, shown: &Shown) -> Figure {
    let columns: Vec<(&str, Vec<Mean>)> = experiment
        .plan
        .algorithms
        .iter()
        .enumerate()
        .filter(|(_, c)| (shown.which)(c))
        .map(|(i, c)| (c.name, means(experiment, i, shown.of)))
        .collect();
    let series = columns
        .iter()
        .map(|(name, means)| Series {
            name: (*name).to_owned(),
            points: means
                .iter()
                .map(|m| Point { x: m.diamonds.into(), y: m.value, at_least: m.at_least })
                .collect(),
        })
        .collect();
    let plot = Plot {
        title: shown.title.to_owned(),
        x: "diamonds".to_owned(),
        y: shown.y.to_owned(),
        log: shown.log,
        log_x: false,
        series,
    };
    Figure { file: shown.file, plot, columns, sizes: experiment.plan.diamonds.clone().collect() }
}

impl Figure {
    /// A row for each size; a second column for each algorithm says whether its mean is only a lower bound.
    pub(super) fn csv(&self) -> String {
        let mut header = vec!["diamonds".to_owned()];
        for (name, _) in &self.columns {
            header.push((*name).to_owned());
            header.push(format!("{name}_at_least"));
        }
        let mut rows = vec![header];
        for size in &self.sizes {
            let mut row = vec![size.to_string()];
            for (_, means) in &self.columns {
                match means.iter().find(|m| m.diamonds == *size) {
                    Some(m) => row.extend([format!("{:.6}", m.value), m.at_least.to_string()]),
                    None => row.extend([String::new(), String::new()]),
                }
            }
            rows.push(row);
        }
        csv::write(rows)
    }
}
