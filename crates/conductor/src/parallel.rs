//! Several functions at once, and for so long.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
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
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<T>>> = work.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, work.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&i) = work.get(n) else { return };
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let done = analyse(i);
                    *results[n].lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
                }
            });
        }
    });
    let done = results.into_iter().map(|r| r.into_inner().unwrap_or_else(PoisonError::into_inner));
    work.iter().copied().zip(done).filter_map(|(index, done)| Some((index, done?))).collect()
}
