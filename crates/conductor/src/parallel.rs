//! Several functions at once, and for so long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often somebody looks at the clock.
const TICK: Duration = Duration::from_millis(20);

/// Does work that a flag ends early, which is set after `time`, or when `stop` is.
pub(crate) fn stopping_after<T>(time: Duration, stop: &AtomicBool, work: &dyn Fn(&AtomicBool) -> T) -> T {
    let started = Instant::now();
    let (over, done) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if started.elapsed() >= time || stop.load(Ordering::Relaxed) {
                    over.store(true, Ordering::Relaxed);
                }
                thread::park_timeout(TICK);
            }
        });
        let result = work(&over);
        done.store(true, Ordering::Relaxed);
        result
    })
}

/// Calls `analyse` with each number in `work`, up to `jobs` at a time; the results are in the order of `work`. Those that
/// were not begun when `stop` was set are left out.
pub(crate) fn in_parallel<T: Send>(
    work: &[usize],
    jobs: usize,
    stop: &AtomicBool,
    analyse: &(dyn Fn(usize) -> T + Sync),
) -> Vec<(usize, T)> {
    let done = footpath_threads::in_parallel(work, jobs, stop, &|i| analyse(*i));
    work.iter().copied().zip(done).filter_map(|(index, done)| Some((index, done?))).collect()
}
