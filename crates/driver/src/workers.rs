//! Worker threads: several functions at once, with time limits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_parallel::{TICK, with_clock};

/// Calls `work` with a flag that is set after `time`, or when `stop` is.
pub(crate) fn stopping_after<T>(time: Duration, stop: &AtomicBool, work: &dyn Fn(&AtomicBool) -> T) -> T {
    let started = Instant::now();
    let over = AtomicBool::new(false);
    let look = || {
        if started.elapsed() >= time || stop.load(Ordering::Relaxed) {
            over.store(true, Ordering::Relaxed);
        }
    };
    with_clock(TICK, &look, || work(&over))
}

/// Calls `analyse` with each number in `work`, up to `jobs` at a time; the results are in the order of `work`. Those
/// that were not begun when `stop` was set are left out.
pub(crate) fn in_parallel<T: Send>(
    work: &[usize],
    jobs: usize,
    stop: &AtomicBool,
    analyse: &(dyn Fn(usize) -> T + Sync),
) -> Vec<(usize, T)> {
    let done = footpath_parallel::in_parallel(work, jobs, stop, &|i| analyse(*i));
    work.iter().copied().zip(done).filter_map(|(index, done)| Some((index, done?))).collect()
}
