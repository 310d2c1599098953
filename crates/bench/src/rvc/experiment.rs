//! Programs × algorithms → measurements.
//!
//! Each program goes through all algorithms one after the other, with one thread, so that times of one program
//! can be compared; several programs at once, or several threads for each, only on request ([`Plan::jobs`],
//! [`Plan::threads`]), as they disturb each other.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use footpath_cover::{CoverOptions, ProcedureCover, Verdict, cover};
use footpath_ir::ProcId;
use footpath_parallel::in_parallel;

use super::agreement;
use super::configurations::Configuration;
use super::optimum::{self, Optimum};
use crate::generate;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of the first program of each size; the others follow.
    pub seed: u64,
    /// Numbers of diamonds.
    pub diamonds: RangeInclusive<u32>,
    /// Programs of each size.
    pub per_size: u32,
    /// Time for one program and one algorithm; `None` for no limit.
    pub timeout: Option<Duration>,
    /// The same for the published algorithms, if it is less: they take most of the time.
    pub published_timeout: Option<Duration>,
    /// The algorithms.
    pub algorithms: Vec<&'static Configuration>,
    /// How many programs are measured at once.
    pub jobs: usize,
    /// Threads for each program.
    pub threads: usize,
}

impl Default for Plan {
    /// The paper's: 2 to 9 diamonds, 10 programs each.
    fn default() -> Plan {
        Plan {
            seed: 0,
            diamonds: 2..=9,
            per_size: 10,
            timeout: Some(Duration::from_secs(120)),
            published_timeout: Some(Duration::from_secs(5)),
            algorithms: super::configurations::CONFIGURATIONS.iter().filter(|c| c.by_default).collect(),
            jobs: 1,
            threads: 1,
        }
    }
}

impl Plan {
    /// Whether the programs are as many and as large as the paper's, so that sums can be compared.
    pub fn is_the_papers(&self) -> bool {
        self.diamonds == (2..=9) && self.per_size == 10
    }

    /// Time for one program and this algorithm.
    pub fn timeout_of(&self, configuration: &Configuration) -> Option<Duration> {
        let published = self.published_timeout.filter(|_| configuration.is_published());
        match (self.timeout, published) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// All programs, small ones first.
    pub fn samples(&self) -> Vec<Sample> {
        self.diamonds
            .clone()
            .flat_map(|diamonds| {
                (0..self.per_size).map(move |i| Sample { diamonds, seed: self.seed.wrapping_add(i.into()) })
            })
            .collect()
    }
}

/// A generated program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Its number of diamonds.
    pub diamonds: u32,
    /// Its seed.
    pub seed: u64,
}

/// What is known of an objective.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// A test covers it.
    Covered,
    /// It is proved that none does.
    Infeasible,
    /// Neither.
    Unknown,
}

/// One algorithm on one program.
#[derive(Clone, Debug)]
pub struct Run {
    /// Name and decision of each objective.
    pub objectives: Vec<(String, Decision)>,
    /// Questions to the solver.
    pub queries: u64,
    /// Time in the solver.
    pub solver: Duration,
    /// Time in all.
    pub total: Duration,
    /// Tests that the search found; `None` where the engine only tells what the reduction left.
    pub found: Option<usize>,
    /// Tests that are reported: for statement covers, those that the reduction left.
    pub kept: usize,
    /// The number of paths, if it is a path cover that came to its end.
    pub paths: Option<usize>,
    /// Why it did not come to its end; `None` if it did.
    pub cut_short: Option<String>,
}

impl Run {
    /// How many objectives have this decision.
    pub fn count(&self, decision: Decision) -> usize {
        self.objectives.iter().filter(|(_, d)| *d == decision).count()
    }

    /// Whether it came to its end: all objectives decided, and all paths found if it is a path cover.
    pub fn is_complete(&self) -> bool {
        self.cut_short.is_none()
    }

    /// How many objectives are decided.
    pub fn decided(&self) -> usize {
        self.objectives.len() - self.count(Decision::Unknown)
    }
}

/// A program with all its runs.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The program.
    pub sample: Sample,
    /// A run for each algorithm of the plan; `None` if the engine failed, which is a [`Problem`].
    pub runs: Vec<Option<Run>>,
    /// The fewest tests that cover what can be covered, where that is known.
    pub optimum: Option<Optimum>,
}

/// Something that must not happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The program.
    pub sample: Sample,
    /// What happened.
    pub text: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Sample { diamonds, seed } = self.sample;
        write!(f, "{diamonds} diamonds, seed {seed}: {}", self.text)
    }
}

/// All measurements.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What was asked for.
    pub plan: Plan,
    /// The programs that were measured, small ones first.
    pub programs: Vec<Measured>,
    /// Disagreements and failures. Where there are any, something is wrong with an algorithm.
    pub problems: Vec<Problem>,
    /// Whether it was stopped before all programs were measured.
    pub stopped: bool,
}

/// What happens during an experiment. Called from several threads.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// So many runs are to be made.
    Planned(usize),
    /// A run begins.
    Started(Sample, &'static Configuration),
    /// A run is over.
    Finished(Sample, &'static Configuration),
}

/// A program's runs, and what must not happen.
type Found = (Measured, Vec<Problem>);

/// Measures. `stop` ends it early; programs that were not measured with all algorithms by then are left out.
pub fn run(plan: Plan, stop: &AtomicBool, events: &(dyn Fn(Event) + Sync)) -> Experiment {
    let samples = plan.samples();
    events(Event::Planned(samples.len() * plan.algorithms.len()));
    let results = in_parallel(&samples, plan.jobs, stop, &|&sample| measure(&plan, sample, stop, events));
    let mut programs = Vec::new();
    let mut problems = Vec::new();
    for (measured, found) in results.into_iter().flatten().flatten() {
        programs.push(measured);
        problems.extend(found);
    }
    let stopped = programs.len() < samples.len();
    Experiment { plan, programs, problems, stopped }
}

/// All runs on one program; `None` if it was stopped.
fn measure(plan: &Plan, sample: Sample, stop: &AtomicBool, events: &(dyn Fn(Event) + Sync)) -> Option<Found> {
    let program = generate::diamonds(sample.diamonds, sample.seed);
    let mut runs = Vec::with_capacity(plan.algorithms.len());
    let mut problems = Vec::new();
    let mut covers: Option<Vec<Vec<usize>>> = None;
    for &configuration in &plan.algorithms {
        events(Event::Started(sample, configuration));
        let (timeout, jobs) = (plan.timeout_of(configuration), plan.threads);
        let options = CoverOptions { timeout, jobs, ..configuration.options() };
        let result = cover(&program, &[ProcId(0)], &options, stop, &|_| ());
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        events(Event::Finished(sample, configuration));
        match result.as_ref().map(|covers| covers.first()) {
            Ok(Some(result)) => {
                let run = summarise(configuration, result);
                if run.paths.is_some() && covers.is_none() {
                    covers = Some(result.tests.iter().map(|t| t.covers.clone()).collect());
                }
                runs.push(Some(run));
            }
            Ok(None) => {
                problems.push(Problem { sample, text: format!("{} gave no result", configuration.name) });
                runs.push(None);
            }
            Err(error) => {
                problems.push(Problem { sample, text: format!("{}: {error}", configuration.name) });
                runs.push(None);
            }
        }
    }
    let named: Vec<(&Configuration, &Run)> =
        plan.algorithms.iter().zip(&runs).filter_map(|(&c, r)| Some((c, r.as_ref()?))).collect();
    problems.extend(agreement::disagreements(&named).into_iter().map(|text| Problem { sample, text }));
    let optimum = covers.map(|covers| optimum::smallest_cover(&covers));
    Some((Measured { sample, runs, optimum }, problems))
}

fn summarise(configuration: &Configuration, result: &ProcedureCover) -> Run {
    let objectives: Vec<(String, Decision)> = result
        .objectives
        .iter()
        .map(|o| {
            let decision = match &o.verdict {
                Verdict::Covered => Decision::Covered,
                Verdict::Unknown(_) => Decision::Unknown,
                _ => Decision::Infeasible,
            };
            (o.name.clone(), decision)
        })
        .collect();
    // These programs give no other remarks than those of a search that ended early.
    let cut_short = result.notes.first().cloned().or_else(|| {
        result.objectives.iter().find_map(|o| match &o.verdict {
            Verdict::Unknown(why) => Some(why.to_string()),
            _ => None,
        })
    });
    let statistics = &result.statistics;
    Run {
        objectives,
        queries: statistics.queries,
        solver: statistics.solver_time,
        total: statistics.total_time,
        found: configuration.is_path_cover().then_some(result.tests.len()),
        kept: result.tests.len(),
        paths: (cut_short.is_none() && configuration.is_path_cover()).then_some(result.tests.len()),
        cut_short,
    }
}
