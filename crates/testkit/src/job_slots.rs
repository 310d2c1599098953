//! Job slots: at most one program per core is checked at a time, over all tests of a process.
//!
//! Tests of one binary run side by side, and each goes through a whole corpus. Four tests that each used all four cores would make
//! sixteen jobs, so that limits of time would be about the load instead of the program. Here the fifth job waits until
//! one of the first four is done.
//!
//! With `CORPUS_TIMES` set there is one slot, and each job's processor time is printed, that of its child processes included:
//!
//! ```sh
//! CORPUS_TIMES=1 cargo test -p footpath-testkit --test it -- --nocapture 2>&1 | grep '^seconds' | sort -k2 -nr
//! ```
//!
//! **Direction of error.** Times are those of the whole process: a test that takes no slot adds its own to those of whoever has one.

use std::sync::{Condvar, Mutex, PoisonError};

/// How many jobs are done at this moment.
static BUSY: Mutex<usize> = Mutex::new(0);
static DONE: Condvar = Condvar::new();

/// Frees a slot, also behind a panic.
struct Slot;

impl Slot {
    fn take(slots: usize) -> Slot {
        let busy = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
        let mut busy = DONE.wait_while(busy, |busy| *busy >= slots).unwrap_or_else(PoisonError::into_inner);
        *busy += 1;
        Slot
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *BUSY.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        DONE.notify_one();
    }
}

/// Does a job once a slot is free. `test` and `name` are what its time is printed with.
#[expect(clippy::print_stderr, reason = "times are for whoever asks for them")]
pub(crate) fn in_slot<T>(test: &str, name: &str, job: impl FnOnce() -> T) -> T {
    let is_timed = std::env::var_os("CORPUS_TIMES").is_some();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let _slot = Slot::take(if is_timed { 1 } else { cores });
    let before = is_timed.then(processor_seconds);
    let done = job();
    if let Some(before) = before {
        eprintln!("seconds {:6.2} {test} {name}", processor_seconds() - before);
    }
    done
}

/// How many jobs of this machine each of its cores has had lately, from 1; 1 where the system does not say.
pub fn load_per_core() -> f64 {
    const MOST: f64 = 10.0;
    let average = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = average.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (load / cores as f64).clamp(1.0, MOST)
}

/// The processor time of this process and of its child processes that have ended, in seconds; 0 where the system does not
/// say.
fn processor_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program comes second, in parentheses, and may contain blanks.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    fields.skip(11).take(4).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS_PER_SECOND
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn there_are_no_more_jobs_than_slots() {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _slot = Slot::take(2);
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!((1..=2).contains(&most.into_inner()));
    }
}
