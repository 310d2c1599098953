//! Sums over all programs, means over those of one size.

use std::time::Duration;

use super::configurations::Configuration;
use super::experiment::{Decision, Experiment, Run};

/// What one algorithm did in all.
#[derive(Clone, Default, Debug)]
pub(super) struct Total {
    pub(super) programs: usize,
    /// Programs on which it did not come to its end.
    pub(super) incomplete: usize,
    pub(super) objectives: usize,
    pub(super) covered: usize,
    pub(super) infeasible: usize,
    pub(super) unknown: usize,
    pub(super) queries: u64,
    pub(super) solver: Duration,
    pub(super) total: Duration,
    /// `None` if some run does not say it.
    pub(super) found: Option<usize>,
    pub(super) kept: usize,
    /// Tests kept and the optimum, over the programs on which both are known.
    pub(super) kept_where_known: usize,
    pub(super) optimum: usize,
}

impl Total {
    fn add(&mut self, run: &Run) {
        self.programs += 1;
        self.incomplete += usize::from(!run.is_complete());
        self.objectives += run.objectives.len();
        self.covered += run.count(Decision::Covered);
        self.infeasible += run.count(Decision::Infeasible);
        self.unknown += run.count(Decision::Unknown);
        self.queries += run.queries;
        self.solver += run.solver;
        self.total += run.total;
        self.found = self.found.zip(run.found).map(|(a, b)| a + b);
        self.kept += run.kept;
    }

    /// Tests kept for one test of the optimum.
    pub(super) fn ratio(&self) -> Option<f64> {
        (self.optimum > 0).then(|| self.kept_where_known as f64 / self.optimum as f64)
    }
}

/// All algorithms of the plan with their sums.
pub(super) fn totals(experiment: &Experiment) -> Vec<(&'static Configuration, Total)> {
    let each = experiment.plan.algorithms.iter().enumerate();
    each.map(|(i, &configuration)| {
        let mut total = Total { found: Some(0), ..Total::default() };
        for program in &experiment.programs {
            let Some(run) = &program.runs[i] else { continue };
            total.add(run);
            if let Some(optimum) = program.optimum
                && optimum.is_exact()
                && run.is_complete()
            {
                total.kept_where_known += run.kept;
                total.optimum += optimum.at_least;
            }
        }
        (configuration, total)
    })
    .collect()
}

/// The mean of something over the programs of each size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mean {
    pub(super) diamonds: u32,
    pub(super) value: f64,
    /// Whether some program was not done, so that the true mean is higher.
    pub(super) at_least: bool,
}

/// Means for algorithm number `algorithm` of the plan; sizes without a run are left out.
pub(super) fn means(experiment: &Experiment, algorithm: usize, of: impl Fn(&Run) -> f64) -> Vec<Mean> {
    experiment
        .plan
        .diamonds
        .clone()
        .filter_map(|diamonds| {
            let programs = experiment.programs.iter().filter(|p| p.sample.diamonds == diamonds);
            let runs: Vec<&Run> = programs.filter_map(|p| p.runs[algorithm].as_ref()).collect();
            if runs.is_empty() {
                return None;
            }
            let value = runs.iter().map(|r| of(r)).sum::<f64>() / runs.len() as f64;
            Some(Mean { diamonds, value, at_least: runs.iter().any(|r| !r.is_complete()) })
        })
        .collect()
}
