//! The plots of the experiment, and all files.

use std::io;
use std::path::{Path, PathBuf};

use super::Experiment;
use super::tables::NAMES;
use crate::output::write_atomically;
use crate::svg::{Plot, Point, Series};

impl Experiment {
    /// The paper's Figure 6: by how much the tests of each function change against PV, functions in the order of the
    /// change.
    fn change_plot(&self) -> Plot {
        let series = (2..NAMES.len()).map(|i| {
            let mut changes: Vec<f64> = self.rows.iter().filter_map(|r| r.change(i)).collect();
            changes.sort_by(f64::total_cmp);
            let points = changes.iter().enumerate();
            let points = points.map(|(x, y)| Point { x: x as f64, y: *y, at_least: false });
            Series { name: NAMES[i].to_owned(), points: points.collect() }
        });
        Plot {
            title: "Change in tests against PV".to_owned(),
            x: "functions, by change".to_owned(),
            y: "per cent".to_owned(),
            log: false,
            log_x: false,
            series: series.collect(),
        }
    }

    /// How many functions were explored in how much time, for each configuration.
    fn time_plot(&self) -> Plot {
        let series = NAMES.iter().enumerate().map(|(i, name)| {
            let mut times: Vec<f64> = self.rows.iter().map(|r| r.measured[i].time.as_secs_f64()).collect();
            times.sort_by(f64::total_cmp);
            let mut sum = 0.0;
            let points = times.iter().enumerate().map(|(n, time)| {
                sum += time;
                Point { x: n as f64 + 1.0, y: sum, at_least: false }
            });
            Series { name: (*name).to_owned(), points: points.collect() }
        });
        Plot {
            title: "Time for all functions, the quickest first".to_owned(),
            x: "functions".to_owned(),
            y: "seconds of processor time".to_owned(),
            log: false,
            log_x: false,
            series: series.collect(),
        }
    }

    /// Writes tables and plots into a folder; returns what was written.
    pub fn write(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut headline = vec![["figure", "partly verified", "all", "paper"].map(str::to_owned).to_vec()];
        headline.extend(self.figures().into_iter().map(Vec::from));
        let files = [
            ("guide.txt", self.text()),
            ("guide.csv", self.csv()),
            ("guide-headline.csv", crate::csv::write(headline)),
            ("guide-change.svg", self.change_plot().render()),
            ("guide-time.svg", self.time_plot().render()),
        ];
        let mut written = Vec::new();
        for (name, text) in files {
            let path = folder.join(name);
            write_atomically(&path, &text)?;
            written.push(path);
        }
        Ok(written)
    }
}
