//! A cluster that cannot be had here: costs of functions, replayed for thousands of workers that fail and lag.
//!
//! **Idea.** A *discrete-event simulation* of the schedule that `python/footpath/schedule.py` makes. Functions become work units as there
//! ([`cut_up`]), a scheduler gives them out one after the other, each worker compiles all files before its unit, some workers are slow, and
//! a worker that fails loses its unit, which is given out again. Results go through a store that serves one request at a time, and the
//! reports are merged in the end. What is measured is the time until the merged report is there, against one process on one core.
//!
//! Why a curve gets flat is said by *ablation*: the run is played without each of the things that take time, and that is the bottleneck
//! without which it is shortest.
//!
//! Example: 100 functions of 1 s each, 2 s of compiling, no failures: one process takes 102 s, and 10 workers with one unit each
//! take 12 s. With units of two functions each of them compiles five times, which takes 20 s.
//!
//! **Deviations** from a real cluster: functions cost the same on each worker but for stragglers, a worker does one unit at a time, and
//! networks and disks are the constants of [`Cluster`].
//!
//! **Direction of error.** Unknown: none of it was seen on a cluster. The constants are guesses that a reader can change.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

/// A function and what it costs.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its file: units have functions of one file.
    pub file: String,
    /// Seconds on one core.
    pub seconds: f64,
}

/// What a cluster is like. All times are in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cluster {
    /// From the start until a worker takes units.
    pub start_up: f64,
    /// Reading and compiling all files, once for each unit.
    pub compile: f64,
    /// Of the scheduler, for each unit that it gives out.
    pub give_out: f64,
    /// Of the store, for each function.
    pub store: f64,
    /// Of the merge, for each report.
    pub merge_report: f64,
    /// Of the merge, for each function.
    pub merge_function: f64,
    /// Between two failures of a worker, on average.
    pub between_failures: f64,
    /// Until a worker that failed is replaced.
    pub replace: f64,
    /// Which part of the workers are stragglers.
    pub stragglers: f64,
    /// How many times as long these take.
    pub slowness: f64,
}

impl Default for Cluster {
    fn default() -> Cluster {
        Cluster {
            start_up: 5.0,
            compile: 10.0,
            give_out: 0.001,
            store: 0.0005,
            merge_report: 0.002,
            merge_function: 0.002,
            between_failures: 24.0 * 3600.0,
            replace: 30.0,
            stragglers: 0.02,
            slowness: 3.0,
        }
    }
}

/// How many units each worker is meant to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// So many.
    Fixed(u32),
    /// Four, and fewer where a unit would then take less than twice as long as compiling.
    Adaptive,
}

/// A schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// How units are made.
    pub cut: Cut,
    /// Whether the dearest are given out first, or all as the files have them.
    pub dearest_first: bool,
    /// Whether idle workers are given what others still have.
    pub backups: bool,
}

/// What takes time in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bottleneck {
    /// The functions.
    Work,
    /// That some functions are dearer than others.
    LargestFunction,
    /// Compiling, once for each unit.
    Compiling,
    /// Workers that are slow.
    Stragglers,
    /// Workers that fail.
    Failures,
    /// The scheduler.
    GivingOut,
    /// The store.
    Store,
    /// The merge.
    Merge,
    /// The start of workers.
    StartUp,
}

impl Bottleneck {
    /// All of them.
    const ALL: [Bottleneck; 9] = [
        Bottleneck::Work,
        Bottleneck::LargestFunction,
        Bottleneck::Compiling,
        Bottleneck::Stragglers,
        Bottleneck::Failures,
        Bottleneck::GivingOut,
        Bottleneck::Store,
        Bottleneck::Merge,
        Bottleneck::StartUp,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Bottleneck::Work => "work",
            Bottleneck::LargestFunction => "largest function",
            Bottleneck::Compiling => "compiling",
            Bottleneck::Stragglers => "stragglers",
            Bottleneck::Failures => "failures",
            Bottleneck::GivingOut => "giving out",
            Bottleneck::Store => "store",
            Bottleneck::Merge => "merge",
            Bottleneck::StartUp => "start-up",
        }
    }

    /// A run without it: with half of the work, with functions that cost the same, or with nothing of the others.
    fn removed(self, functions: &[Function], cluster: &Cluster) -> (Vec<Function>, Cluster) {
        let mean = functions.iter().map(|f| f.seconds).sum::<f64>() / functions.len().max(1) as f64;
        let with = |cost: &dyn Fn(f64) -> f64| -> Vec<Function> {
            functions.iter().map(|f| Function { seconds: cost(f.seconds), ..f.clone() }).collect()
        };
        let same = with(&|seconds| seconds);
        match self {
            Bottleneck::Work => (with(&|seconds| seconds / 2.0), *cluster),
            Bottleneck::LargestFunction => (with(&|_| mean), *cluster),
            Bottleneck::Compiling => (same, Cluster { compile: 0.0, ..*cluster }),
            Bottleneck::Stragglers => (same, Cluster { stragglers: 0.0, ..*cluster }),
            Bottleneck::Failures => (same, Cluster { between_failures: f64::INFINITY, ..*cluster }),
            Bottleneck::GivingOut => (same, Cluster { give_out: 0.0, ..*cluster }),
            Bottleneck::Store => (same, Cluster { store: 0.0, ..*cluster }),
            Bottleneck::Merge => (same, Cluster { merge_report: 0.0, merge_function: 0.0, ..*cluster }),
            Bottleneck::StartUp => (same, Cluster { start_up: 0.0, ..*cluster }),
        }
    }
}

/// How a simulated run went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// Until the merged report is there.
    pub seconds: f64,
    /// Against one process on one core.
    pub speed_up: f64,
    /// How many units there were.
    pub units: usize,
    /// How many times a unit was lost.
    pub lost: usize,
}

/// Heavy-tailed costs: a Pareto distribution of exponent 1.1 above 0.6 s, cut at 20 s, of functions in files of 50. Their mean is about
/// 2.4 s, near the 2.9 s that a function of SQLite takes with a limit of 10 s.
pub fn heavy_tailed(functions: usize, seed: u64) -> Vec<Function> {
    let (least, exponent, most) = (0.6, 1.1, 20.0_f64);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut cost = || (least / (1.0_f64 - random.f64()).powf(1.0 / exponent)).min(most);
    (0..functions).map(|i| Function { file: format!("{}.c", i / 50), seconds: cost() }).collect()
}

/// Work units: the costs of the functions of each, which are of one file. The same as `cut_up` in `schedule.py`.
pub fn cut_up(functions: &[Function], workers: usize, compile: f64, schedule: Schedule) -> Vec<Vec<f64>> {
    let total: f64 = functions.iter().map(|f| f.seconds).sum();
    let part = total / workers as f64;
    let most = match schedule.cut {
        Cut::Fixed(units) => part / f64::from(units),
        Cut::Adaptive => part / (part / (2.0 * compile).max(1e-9)).clamp(1.0, 4.0),
    };
    let mut files: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    functions.iter().for_each(|f| files.entry(&f.file).or_default().push(f.seconds));
    let mut units: Vec<Vec<f64>> = Vec::new();
    for costs in files.values_mut() {
        costs.sort_by(|a, b| b.total_cmp(a));
        let (mut load, mut unit) = (0.0, Vec::new());
        for &cost in costs.iter() {
            if !unit.is_empty() && load + cost > most {
                units.push(std::mem::take(&mut unit));
                load = 0.0;
            }
            load += cost;
            unit.push(cost);
        }
        units.push(unit);
    }
    if schedule.dearest_first {
        units.sort_by(|a, b| sum(b).total_cmp(&sum(a)));
    }
    units
}

fn sum(costs: &[f64]) -> f64 {
    costs.iter().sum()
}

/// A moment, which can be ordered.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Moment(f64);

impl Eq for Moment {}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Moment) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Moment) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Plays a run with so many workers; the same seed gives the same run.
pub fn simulate(
    functions: &[Function],
    cluster: &Cluster,
    workers: usize,
    schedule: Schedule,
    seed: u64,
) -> Outcome {
    let units = cut_up(functions, workers, cluster.compile, schedule);
    let mut random = fastrand::Rng::with_seed(seed);
    let slowness: Vec<f64> = (0..workers)
        .map(|_| if random.f64() < cluster.stragglers { cluster.slowness } else { 1.0 })
        .collect();
    let seconds = |unit: usize, worker: usize| (cluster.compile + sum(&units[unit])) * slowness[worker];
    let mut free: BinaryHeap<Reverse<(Moment, usize)>> =
        (0..workers).map(|worker| Reverse((Moment(cluster.start_up), worker))).collect();
    // A unit that is lost waits behind all others, until that was noticed.
    let mut waiting: VecDeque<(f64, usize)> = (0..units.len()).map(|unit| (0.0, unit)).collect();
    let (mut scheduler, mut lost) = (0.0_f64, 0);
    let mut ends: Vec<(Moment, usize)> = Vec::new();
    while let Some((since, unit)) = waiting.pop_front() {
        let Some(Reverse((Moment(at), worker))) = free.pop() else { break };
        scheduler = scheduler.max(at).max(since) + cluster.give_out;
        let until_failure = -cluster.between_failures * (1.0 - random.f64()).ln();
        let seconds = seconds(unit, worker);
        if until_failure < seconds {
            lost += 1;
            waiting.push_back((scheduler + until_failure, unit));
            free.push(Reverse((Moment(scheduler + until_failure + cluster.replace), worker)));
        } else {
            ends.push((Moment(scheduler + seconds), unit));
            free.push(Reverse((Moment(scheduler + seconds), worker)));
        }
    }
    if schedule.backups {
        // What ends last is what has been given out long ago, or to a slow worker.
        ends.sort_unstable_by(|one, other| other.cmp(one));
        for (end, unit) in &mut ends {
            let Some(Reverse((at, worker))) = free.pop() else { break };
            if at >= *end {
                break;
            }
            scheduler = scheduler.max(at.0) + cluster.give_out;
            let backup = Moment(scheduler + seconds(*unit, worker));
            *end = backup.min(*end);
            free.push(Reverse((*end, worker)));
        }
    }
    ends.sort_unstable();
    let store = |done: f64, (end, unit): &(Moment, usize)| {
        done.max(end.0) + cluster.store * units[*unit].len() as f64
    };
    let end = ends.iter().fold(0.0, store);
    let total: f64 = functions.iter().map(|f| f.seconds).sum();
    let merge = cluster.merge_report * units.len() as f64 + cluster.merge_function * functions.len() as f64;
    let seconds = end + merge;
    Outcome { seconds, speed_up: (cluster.compile + total) / seconds, units: units.len(), lost }
}

/// What takes most of the time: that without which the run is shortest.
pub fn bottleneck(
    functions: &[Function],
    cluster: &Cluster,
    workers: usize,
    schedule: Schedule,
    seed: u64,
) -> Bottleneck {
    let without = |what: Bottleneck| {
        let (functions, cluster) = what.removed(functions, cluster);
        simulate(&functions, &cluster, workers, schedule, seed).seconds
    };
    let all = Bottleneck::ALL.into_iter().map(|what| (Moment(without(what)), what));
    all.min_by_key(|(seconds, _)| *seconds).map_or(Bottleneck::Work, |(_, what)| what)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing costs anything but functions and compiling, and nothing fails.
    const IDEAL: Cluster = Cluster {
        start_up: 0.0,
        compile: 2.0,
        give_out: 0.0,
        store: 0.0,
        merge_report: 0.0,
        merge_function: 0.0,
        between_failures: f64::INFINITY,
        replace: 0.0,
        stragglers: 0.0,
        slowness: 1.0,
    };

    fn even() -> Vec<Function> {
        (0..100).map(|i| Function { file: format!("{}.c", i / 10), seconds: 1.0 }).collect()
    }

    fn schedule(cut: Cut) -> Schedule {
        Schedule { cut, dearest_first: true, backups: false }
    }

    fn ideal(workers: usize, cut: Cut) -> Outcome {
        simulate(&even(), &IDEAL, workers, schedule(cut), 0)
    }

    #[test]
    fn units_compile_each_for_itself() {
        let once = ideal(10, Cut::Fixed(1));
        assert_eq!((once.units, once.seconds), (10, 12.0));
        // Units of 2.5 s have two functions.
        let often = ideal(10, Cut::Fixed(4));
        assert_eq!((often.units, often.seconds), (50, 20.0));
        // Units of 4 s, of which two and a rest make up a file.
        let adaptive = ideal(10, Cut::Adaptive);
        assert_eq!((adaptive.units, adaptive.seconds), (30, 16.0));
    }

    #[test]
    fn every_function_is_in_one_unit_of_its_file() {
        let functions = heavy_tailed(500, 7);
        let units = cut_up(&functions, 20, 10.0, schedule(Cut::Adaptive));
        let count: usize = units.iter().map(Vec::len).sum();
        assert_eq!(count, 500);
        let all: f64 = functions.iter().map(|f| f.seconds).sum();
        assert!((units.iter().map(|unit| sum(unit)).sum::<f64>() - all).abs() < 1e-6);
        assert!(units.windows(2).all(|two| sum(&two[0]) >= sum(&two[1])));
        let mean = all / 500.0;
        assert!((1.5..4.0).contains(&mean), "{mean}");
    }

    #[test]
    fn failures_and_stragglers_cost_time_and_lose_nothing() {
        let functions = heavy_tailed(400, 1);
        let run = |cluster: &Cluster| simulate(&functions, cluster, 16, schedule(Cut::Adaptive), 3);
        let (calm, failing) = (run(&IDEAL), run(&Cluster { between_failures: 100.0, replace: 5.0, ..IDEAL }));
        assert!(calm.lost == 0 && failing.lost > 0 && failing.seconds > calm.seconds);
        let slow = run(&Cluster { stragglers: 0.3, slowness: 3.0, ..IDEAL });
        assert!(slow.seconds > calm.seconds);
        assert_eq!(run(&Cluster { between_failures: 100.0, replace: 5.0, ..IDEAL }), failing);
        // No schedule is quicker than its work.
        let all: f64 = functions.iter().map(|f| f.seconds).sum();
        assert!(calm.seconds >= all / 16.0 && calm.speed_up <= 16.1);
    }

    #[test]
    fn a_straggler_is_not_waited_for_where_an_idle_worker_takes_its_unit() {
        let one = [Function { file: "a.c".to_owned(), seconds: 10.0 }];
        let slow = Cluster { stragglers: 0.5, slowness: 10.0, ..IDEAL };
        let run = |backups, seed| {
            let schedule = Schedule { backups, ..schedule(Cut::Fixed(1)) };
            (simulate(&one, &slow, 2, schedule, seed).seconds, bottleneck(&one, &slow, 2, schedule, seed))
        };
        // A seed that makes the first of two workers slow, and the other one quick.
        let seed = (0..100).find(|&seed| run(false, seed).0 > 100.0 && run(true, seed).0 < 100.0).unwrap();
        assert_eq!(run(false, seed), (120.0, Bottleneck::Stragglers));
        assert_eq!(run(true, seed), (12.0, Bottleneck::Work));
    }

    #[test]
    fn the_bottleneck_is_what_the_run_would_gain_most_without() {
        let of =
            |cluster: &Cluster, workers| bottleneck(&even(), cluster, workers, schedule(Cut::Fixed(1)), 0);
        assert_eq!(of(&IDEAL, 4), Bottleneck::Work);
        assert_eq!(of(&Cluster { compile: 50.0, ..IDEAL }, 100), Bottleneck::Compiling);
        assert_eq!(of(&Cluster { merge_report: 9.0, ..IDEAL }, 4), Bottleneck::Merge);
        assert_eq!(of(&Cluster { store: 2.0, ..IDEAL }, 4), Bottleneck::Store);
        assert_eq!(of(&Cluster { give_out: 30.0, ..IDEAL }, 4), Bottleneck::GivingOut);
    }
}
