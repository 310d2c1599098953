//! Strategies of dynamic symbolic execution compared: coverage over time.
//!
//! Every root of every program is explored once in each configuration. The strategies go without the concrete phase,
//! which would cover most before a strategy has a say; the default configuration is what users get. What is measured: when
//! each goal was covered, questions, answers of caches, and the speed of runs. The curves add up all roots: a point at *t*
//! says how many goals were covered *t* seconds after each exploration began. Times include the replay of tests by the
//! reference interpreter.
//!
//! The classic subjects are written for this benchmark, as C and as Boogie text ([`PROGRAMS`]). Who compiles C is not known
//! here: a subject is a program with roots, whatever it was made from.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use footpath_concolic as concolic;
use footpath_concolic::{Bounds, GoalScope, Options, Statistics, Strategy};
use footpath_ir::{ProcId, Program};

use crate::output::write_atomically;
use crate::svg::{Plot, Point, Series};

/// A classic subject.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The name of its file; the ending tells the language.
    pub file: &'static str,
    /// What is in it.
    pub text: &'static str,
}

macro_rules! programs {
    ($($file:literal)*) => {
        /// The classic subjects.
        pub const PROGRAMS: &[Text] =
            &[$(Text { file: $file, text: include_str!(concat!("explore/programs/", $file)) }),*];
    };
}

programs! {
    "triangle.c" "tokenizer.c" "regex.c" "sort.c" "interpreter.c" "magic.c" "checksum.c" "loops.c" "date.c" "number.c"
    "floats.c" "nonlinear.c" "maze.c"
    "account.bpl" "brackets.bpl" "checksum.bpl" "lookup.bpl" "sort.bpl"
}

/// A program to explore.
pub struct Subject {
    /// Its name.
    pub name: String,
    /// The program.
    pub program: Program,
    /// Where explorations start.
    pub roots: Vec<Root>,
}

impl Subject {
    /// A program all of whose bodies are explored, each for itself.
    pub fn of_program(name: String, program: Program) -> Subject {
        let bodies = program.procedures.iter().enumerate().flat_map(|(number, procedure)| {
            (0..procedure.bodies.len() as u32).map(move |body| Root {
                name: procedure.name.to_string(),
                procedure: ProcId(number as u32),
                body,
                goals: GoalScope::Root,
            })
        });
        let roots = bodies.collect();
        Subject { name, program, roots }
    }
}

/// Where an exploration starts.
#[derive(Clone, Debug)]
pub struct Root {
    /// What it is called.
    pub name: String,
    /// The procedure.
    pub procedure: ProcId,
    /// The body.
    pub body: u32,
    /// What there is to cover.
    pub goals: GoalScope,
}

/// A way to explore.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// Its name.
    pub name: &'static str,
    strategy: Strategy,
    /// Whether there is a concrete phase.
    concrete: bool,
    /// Whether short diamonds are merged.
    merge: bool,
    /// Whether arms are left out behind which nothing is uncovered.
    subsume: bool,
}

impl Configuration {
    /// The strategies by themselves, what users get, and that with merging and subsumption.
    pub fn all() -> Vec<Configuration> {
        let alone = |strategy: Strategy| {
            let name = strategy.name();
            Configuration { name, strategy, concrete: false, merge: false, subsume: false }
        };
        let default = Configuration { name: "default", concrete: true, ..alone(Strategy::default()) };
        let merged = Configuration { name: "merge", merge: true, ..default };
        let subsumed = Configuration { name: "subsume", subsume: true, ..default };
        let both = Configuration { name: "both", merge: true, ..subsumed };
        Strategy::ALL.into_iter().map(alone).chain([default, merged, subsumed, both]).collect()
    }

    fn options(self) -> Options {
        let Configuration { strategy, merge, subsume, .. } = self;
        let options = Options { strategy, merge, subsume, ..Options::default() };
        if self.concrete { options } else { Options { random_runs: 0, ..options } }
    }
}

/// What is measured, and how.
pub struct Plan {
    /// The programs.
    pub subjects: Vec<Subject>,
    /// The ways to explore them.
    pub configurations: Vec<Configuration>,
    /// Time for each root and configuration.
    pub timeout: Duration,
    /// Seed of all random choices.
    pub seed: u64,
}

/// One exploration.
pub struct Measured {
    /// The program and the root.
    pub name: String,
    /// The name of the configuration.
    pub configuration: &'static str,
    /// How many goals there are.
    pub goals: usize,
    /// How many were covered when: seconds, and goals from then on.
    pub curve: Vec<(f64, usize)>,
    /// What it cost.
    pub statistics: Statistics,
    /// Whether every path was run or refuted.
    pub exhausted: bool,
}

/// All explorations.
pub struct Comparison {
    /// The names of the configurations.
    pub configurations: Vec<&'static str>,
    /// In the order of the programs, then of the configurations.
    pub measured: Vec<Measured>,
    /// Explorations that failed, and why.
    pub problems: Vec<String>,
    /// The time limit of each.
    pub timeout: Duration,
}

/// How many points a curve is drawn with.
const STEPS: usize = 60;

/// Measures. `event` is told the name of each exploration and its configuration before it begins.
pub fn run(plan: &Plan, stop: &AtomicBool, event: &dyn Fn(&str, &str)) -> Comparison {
    let configurations = plan.configurations.iter().map(|c| c.name).collect();
    let (measured, problems) = (Vec::new(), Vec::new());
    let mut comparison = Comparison { configurations, measured, problems, timeout: plan.timeout };
    for subject in &plan.subjects {
        for root in &subject.roots {
            for configuration in &plan.configurations {
                if stop.load(Ordering::Relaxed) {
                    return comparison;
                }
                let name = format!("{} {}", subject.name, root.name);
                event(&name, configuration.name);
                match measure(plan, &subject.program, root, *configuration, stop) {
                    Ok(found) => comparison.measured.push(Measured { name, ..found }),
                    Err(e) => comparison.problems.push(format!("{name}, {}: {e}", configuration.name)),
                }
            }
        }
    }
    comparison
}

fn measure(
    plan: &Plan,
    program: &Program,
    root: &Root,
    configuration: Configuration,
    stop: &AtomicBool,
) -> Result<Measured, concolic::ExploreError> {
    let bounds = Bounds { time: Some(plan.timeout), ..Bounds::default() };
    let goals_in = root.goals.clone();
    let options = Options { bounds, seed: plan.seed, goals_in, ..configuration.options() };
    let started = Instant::now();
    let curve: Mutex<Vec<(f64, usize)>> = Mutex::new(vec![(0.0, 0)]);
    let found = concolic::explore(program, root.procedure, root.body, &options, stop, &|event| {
        let concolic::Event::Progress { covered, .. } = event else { return };
        let mut curve = curve.lock().unwrap_or_else(PoisonError::into_inner);
        if curve.last().is_some_and(|last| last.1 < covered) {
            curve.push((started.elapsed().as_secs_f64(), covered));
        }
    })?;
    Ok(Measured {
        name: String::new(),
        configuration: configuration.name,
        goals: found.goals.len(),
        curve: curve.into_inner().unwrap_or_else(PoisonError::into_inner),
        statistics: found.statistics,
        exhausted: found.exhausted,
    })
}

impl Measured {
    /// Whether nothing was left to do.
    fn is_done(&self) -> bool {
        self.exhausted || at(&self.curve, f64::INFINITY) == self.goals
    }
}

/// How many goals were covered at a time.
fn at(curve: &[(f64, usize)], seconds: f64) -> usize {
    curve.iter().take_while(|(t, _)| *t <= seconds).last().map_or(0, |(_, covered)| *covered)
}

/// The sums of one configuration.
struct Total<'a> {
    name: &'static str,
    all: Vec<&'a Measured>,
}

impl Comparison {
    fn totals(&self) -> Vec<Total<'_>> {
        let of = |name| self.measured.iter().filter(|m| m.configuration == name).collect();
        self.configurations.iter().map(|&name| Total { name, all: of(name) }).collect()
    }

    /// A table of the configurations, for people.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{:13} {:>9} {:>6} {:>8} {:>9} {:>8} {:>8} {:>8} {:>9} {:>12} {:>13}\n",
            "configuration",
            "covered",
            "mean",
            "done",
            "runs",
            "queries",
            "cached",
            "quick",
            "solver",
            "steps/s",
            "concrete/s"
        );
        for total in self.totals() {
            let sum = |f: fn(&Statistics) -> u64| total.all.iter().map(|m| f(&m.statistics)).sum::<u64>();
            let seconds = |f: fn(&Statistics) -> Duration| {
                total.all.iter().map(|m| f(&m.statistics)).sum::<Duration>().as_secs_f64()
            };
            let covered = total.at(f64::INFINITY);
            let goals: usize = total.all.iter().map(|m| m.goals).sum();
            text.push_str(&format!(
                "{:13} {:>9} {:>6.1} {:>8} {:>9} {:>8} {:>8} {:>8} {:>7.1} s {:>12.0} {:>13}\n",
                total.name,
                format!("{covered}/{goals}"),
                total.mean(self.timeout),
                format!("{}/{}", total.all.iter().filter(|m| m.is_done()).count(), total.all.len()),
                sum(|s| s.runs),
                sum(|s| s.queries),
                sum(|s| s.model_hits + s.core_hits),
                sum(|s| s.quick_models + s.quick_proofs),
                seconds(|s| s.solver_time),
                sum(|s| s.run_steps) as f64 / seconds(|s| s.run_time).max(1e-9),
                match sum(|s| s.concrete_steps) {
                    0 => "-".to_owned(),
                    steps => format!("{:.0}", steps as f64 / seconds(|s| s.concrete_time).max(1e-9)),
                },
            ));
        }
        text.push_str(
            "\nmean: goals covered on average over the time limit; done: every path run or refuted, or all covered;\n\
             queries: to the solver; cached, quick: answered by earlier answers, by trying values;\n\
             steps/s: statements and jumps of runs with symbolics; concrete/s: of the concrete phase\n",
        );
        text
    }

    /// Coverage over time, a column for each configuration.
    fn coverage(&self) -> String {
        let totals = self.totals();
        let mut rows = vec![vec!["seconds".to_owned()]];
        rows[0].extend(totals.iter().map(|t| t.name.to_owned()));
        for seconds in self.grid() {
            let mut row = vec![format!("{seconds:.3}")];
            row.extend(totals.iter().map(|t| t.at(seconds).to_string()));
            rows.push(row);
        }
        crate::csv::write(rows)
    }

    /// Denser at the beginning, where most happens.
    fn grid(&self) -> impl Iterator<Item = f64> {
        let limit = self.timeout.as_secs_f64();
        (0..=STEPS).map(move |i| limit * (i as f64 / STEPS as f64).powi(2))
    }

    fn plot(&self) -> String {
        let totals = self.totals();
        let series = totals.iter().map(|t| Series {
            name: t.name.to_owned(),
            points: self.grid().map(|x| Point { x, y: t.at(x) as f64, at_least: false }).collect(),
        });
        let plot = Plot {
            title: "Coverage over time".to_owned(),
            x: "seconds for each exploration".to_owned(),
            y: "goals covered".to_owned(),
            log: false,
            log_x: false,
            series: series.collect(),
        };
        plot.render()
    }

    /// One row for each exploration.
    fn runs(&self) -> String {
        let head = [
            "name",
            "configuration",
            "goals",
            "covered",
            "exhausted",
            "runs",
            "paths",
            "queries",
            "model_hits",
            "core_hits",
            "quick_models",
            "quick_proofs",
            "solver_seconds",
            "run_seconds",
            "run_steps",
            "concrete_runs",
            "concrete_seconds",
            "concrete_steps",
            "total_seconds",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for m in &self.measured {
            let s = &m.statistics;
            rows.push(vec![
                m.name.clone(),
                m.configuration.to_owned(),
                m.goals.to_string(),
                at(&m.curve, f64::INFINITY).to_string(),
                m.exhausted.to_string(),
                s.runs.to_string(),
                s.paths.to_string(),
                s.queries.to_string(),
                s.model_hits.to_string(),
                s.core_hits.to_string(),
                s.quick_models.to_string(),
                s.quick_proofs.to_string(),
                format!("{:.3}", s.solver_time.as_secs_f64()),
                format!("{:.3}", s.run_time.as_secs_f64()),
                s.run_steps.to_string(),
                s.concrete_runs.to_string(),
                format!("{:.3}", s.concrete_time.as_secs_f64()),
                s.concrete_steps.to_string(),
                format!("{:.3}", s.total_time.as_secs_f64()),
            ]);
        }
        crate::csv::write(rows)
    }

    /// Writes tables and plots into a folder; returns what was written.
    pub fn write(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let files = [
            ("coverage.csv", self.coverage()),
            ("coverage.svg", self.plot()),
            ("runs.csv", self.runs()),
            ("strategies.txt", self.text()),
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

impl Total<'_> {
    fn at(&self, seconds: f64) -> usize {
        self.all.iter().map(|m| at(&m.curve, seconds)).sum()
    }

    /// How many goals were covered on average over the time limit.
    fn mean(&self, limit: Duration) -> f64 {
        let limit = limit.as_secs_f64().max(1e-9);
        let area = |m: &&Measured| {
            let ends = m.curve.iter().skip(1).map(|p| p.0).chain([limit]);
            m.curve.iter().zip(ends).map(|(p, end)| p.1 as f64 * (end.min(limit) - p.0).max(0.0)).sum::<f64>()
        };
        self.all.iter().map(area).sum::<f64>() / limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(curve: &[(f64, usize)]) -> Measured {
        Measured {
            name: "P".to_owned(),
            configuration: "dfs",
            goals: 4,
            curve: curve.to_vec(),
            statistics: Statistics::default(),
            exhausted: true,
        }
    }

    #[test]
    fn curves_add_up_and_early_coverage_counts_more() {
        let comparison = Comparison {
            configurations: vec!["dfs", "bfs"],
            measured: vec![measured(&[(0.0, 0), (1.0, 2), (5.0, 4)]), measured(&[(0.0, 0), (2.0, 1)])],
            problems: Vec::new(),
            timeout: Duration::from_secs(10),
        };
        let totals = comparison.totals();
        let dfs = totals.iter().find(|t| t.name == "dfs").expect("dfs");
        assert_eq!([0.5, 1.5, 2.5, 6.0].map(|t| dfs.at(t)), [0, 2, 3, 5]);
        // (2 goals for 4 s, 4 for 5 s, and 1 for 8 s) / 10 s
        assert!((dfs.mean(comparison.timeout) - 3.6).abs() < 1e-9);
        assert!(comparison.text().contains("5/8"), "{}", comparison.text());
        let rows = crate::csv::read(&comparison.coverage()).expect("a table");
        assert_eq!((rows.len(), rows[0].len()), (STEPS + 2, 3));
    }

    #[test]
    fn a_generated_program_is_covered_in_all_configurations() {
        let subject = Subject::of_program("diamonds".to_owned(), crate::generate::diamonds(2, 1));
        let configurations = Configuration::all();
        let plan =
            Plan { subjects: vec![subject], configurations, timeout: Duration::from_secs(20), seed: 0 };
        let found = run(&plan, &AtomicBool::new(false), &|_, _| ());
        assert!(found.problems.is_empty() && found.measured.len() == plan.configurations.len());
        let covered: Vec<usize> = found.measured.iter().map(|m| at(&m.curve, f64::INFINITY)).collect();
        assert!(covered[0] > 0 && covered.iter().all(|c| *c == covered[0]), "{covered:?}");
    }

    #[test]
    fn the_boogie_subjects_are_read_and_have_roots() {
        let mut count = 0;
        for program in PROGRAMS.iter().filter(|p| p.file.ends_with(".bpl")) {
            let mut sources = footpath_ir::source::SourceMap::new();
            let file = sources.add(footpath_ir::source::SourceFile::new(program.file, program.text));
            let (read, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
            assert!(diagnostics.iter().all(|d| !d.is_error()), "{}: {diagnostics:?}", program.file);
            let read = read.expect("a program without errors is read");
            count += Subject::of_program(program.file.to_owned(), read).roots.len();
        }
        assert!(count >= 5);
    }
}
