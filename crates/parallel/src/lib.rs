//! Parallelism: a parallel map, background work, timers and threads with deep stacks.
//!
//! **Idea.** Terms, expressions and graphs of users are deep, and so is the recursion that traverses them, ours and
//! that of solvers. So work that traverses them runs on a stack of [`stack_size`] bytes, of which the system provides only
//! the part that is used.
//!
//! Work needs threads: without a timer it would have no limit on its time. Where the system starts none, the work ends
//! by a panic with a [`Shortage`], which says so to who handles panics: it is no error of the program.
//!
//! **Example.** `in_parallel(&[1, 2, 3], 2, &stop, &|n| n * n)` runs on two threads and returns
//! `[Some(1), Some(4), Some(9)]`.
//!
//! | technique | function |
//! |---|---|
//! | a deep stack | [`on_deep_stack`] |
//! | a parallel map over items, with a stop flag | [`in_parallel`] |
//! | background work beside the main work | [`beside`] |
//! | a timer during work | [`with_clock`] |
//! | processor time of a thread | [`ThreadTime`] |

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;
use std::{fs, io, panic, thread};

/// The size of a deep stack in bytes, where address space is not limited.
const STACK: usize = 256 << 20;
/// The least size of a deep stack in bytes.
const LEAST_STACK: usize = 4 << 20;

/// The system provides less than work needs, such as threads; the text says what. Panics carry it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortage(pub String);

impl Shortage {
    fn of_threads(error: &io::Error) -> ! {
        panic::panic_any(Shortage(format!("the system starts no further thread: {error}")))
    }
}

/// The size of a deep stack in bytes: a small part of the address space where that is limited (`ulimit -v`), as several
/// are in use at once.
pub fn stack_size() -> usize {
    static SIZE: OnceLock<usize> = OnceLock::new();
    *SIZE.get_or_init(|| address_space().map_or(STACK, |limit| (limit / 16).clamp(LEAST_STACK, STACK)))
}

/// The limit on this process's address space in bytes, if there is one.
pub fn address_space() -> Option<usize> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The usual interval of a timer that checks whether work should end.
pub const TICK: Duration = Duration::from_millis(20);

/// Runs work on a deep stack. A panic is passed on.
///
/// # Errors If the system cannot start a thread.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(stack_size()).spawn_scoped(scope, work)?;
        Ok(worker.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)))
    })
}

/// Calls `work` with each item, up to `jobs` at a time, on deep stacks. The results are in the order of the items; an
/// item that was not started when `stop` was set has no result. A panic is passed on once all threads have ended.
///
/// # Panics With a [`Shortage`] if the system cannot start any thread.
pub fn in_parallel<I: Sync, T: Send>(
    items: &[I],
    jobs: usize,
    stop: &AtomicBool,
    work: &(dyn Fn(&I) -> T + Sync),
) -> Vec<Option<T>> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<T>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let worker = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return };
            let done = work(item);
            *results[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }
    };
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(stack_size()).spawn_scoped(scope, worker);
        let workers: Vec<io::Result<_>> = (0..jobs.max(1).min(items.len())).map(start).collect();
        if workers.iter().all(Result::is_err)
            && let Some(Err(error)) = workers.first()
        {
            Shortage::of_threads(error);
        }
        let ends: Vec<thread::Result<()>> =
            workers.into_iter().flatten().map(thread::ScopedJoinHandle::join).collect();
        if let Some(panicked) = ends.into_iter().find_map(Result::err) {
            panic::resume_unwind(panicked);
        }
    });
    results.into_iter().map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Runs `own` work, and meanwhile calls `other` with each number below `count`, on further threads with deep stacks.
/// There is no result where the system cannot start a thread. A panic is passed on once all threads have ended.
pub fn beside<T: Send, R>(
    count: usize,
    other: &(dyn Fn(usize) -> T + Sync),
    own: impl FnOnce() -> R,
) -> (R, Vec<T>) {
    thread::scope(|scope| {
        let start = |number| {
            thread::Builder::new().stack_size(stack_size()).spawn_scoped(scope, move || other(number)).ok()
        };
        let others: Vec<_> = (0..count).filter_map(start).collect();
        let done = own();
        let ended =
            others.into_iter().map(|t| t.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)));
        (done, ended.collect())
    })
}

/// Runs work and calls `tick` meanwhile, at once and then periodically, since solvers check no flags while they work.
/// A panic is passed on.
///
/// # Panics With a [`Shortage`] if the system cannot start a thread for the timer.
pub fn with_clock<T>(every: Duration, tick: &(dyn Fn() + Sync), work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let clock = thread::Builder::new().spawn_scoped(scope, || {
            while !done.load(Ordering::Relaxed) {
                tick();
                thread::park_timeout(every);
            }
        });
        let clock = clock.unwrap_or_else(|error| Shortage::of_threads(&error));
        let _end = Stop { done: &done, clock: clock.thread() };
        work()
    })
}

/// A handle to the processor time of a thread, which can be read from any other thread while the thread runs.
#[derive(Debug)]
pub struct ThreadTime(PathBuf);

impl ThreadTime {
    /// The handle of the current thread; `None` where the system does not provide it.
    pub fn of_this() -> Option<ThreadTime> {
        let own = fs::read_link("/proc/thread-self").ok()?;
        let time = ThreadTime(Path::new("/proc").join(own).join("schedstat"));
        time.so_far().map(|_| time)
    }

    /// The processor time since the thread began; `None` if it has ended.
    pub fn so_far(&self) -> Option<Duration> {
        // Nanoseconds on a processor, then what it waited for one.
        let text = fs::read_to_string(&self.0).ok()?;
        Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
    }
}

/// Stops a timer when it is dropped, also by a panic.
struct Stop<'a> {
    done: &'a AtomicBool,
    clock: &'a thread::Thread,
}

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        // Nobody waits for the time to be up.
        self.clock.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        for jobs in [0, 1, 3, 200] {
            let squares = in_parallel(&items, jobs, &AtomicBool::new(false), &|i| i * i);
            assert!(squares.iter().zip(&items).all(|(square, i)| *square == Some(i * i)), "{jobs} jobs");
        }
        assert_eq!(in_parallel(&[] as &[u32], 2, &AtomicBool::new(false), &|i| *i), []);
    }

    #[test]
    fn work_is_done_beside_other_work() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let other = |number: usize| {
            sender.send(number).unwrap();
            number * number
        };
        let (own, others) = beside(3, &other, || (0..3).map(|_| receiver.recv().unwrap()).sum::<usize>());
        assert_eq!((own, others), (3, vec![0, 1, 4]));
        assert!(panic::catch_unwind(|| beside(2, &|number| assert_ne!(number, 1), || ())).is_err());
        assert_eq!(beside(0, &|_| (), || 7), (7, vec![]));
    }

    #[test]
    fn what_was_not_begun_has_no_result() {
        let stop = AtomicBool::new(false);
        let done = in_parallel(&[1, 2, 3], 1, &stop, &|i| {
            stop.store(*i == 2, Ordering::Relaxed);
            *i
        });
        assert_eq!(done, [Some(1), Some(2), None]);
    }

    #[test]
    fn a_panic_is_passed_on() {
        let caught = panic::catch_unwind(|| {
            in_parallel(&[1, 2, 3], 2, &AtomicBool::new(false), &|i| assert_ne!(*i, 2, "two"))
        });
        assert!(caught.is_err());
        assert!(panic::catch_unwind(|| on_deep_stack(|| panic!("here"))).is_err());
    }

    #[test]
    fn a_clock_ticks_until_the_work_is_done() {
        let ticks = AtomicUsize::new(0);
        let tick = || {
            ticks.fetch_add(1, Ordering::Relaxed);
        };
        let done = with_clock(Duration::from_millis(1), &tick, || {
            while ticks.load(Ordering::Relaxed) < 3 {
                thread::yield_now();
            }
            7
        });
        assert_eq!(done, 7);
        // It would end an hour later otherwise.
        with_clock(Duration::from_secs(3600), &tick, || ());
        let caught = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            with_clock(Duration::from_secs(3600), &|| (), || panic!("here"));
        }));
        assert!(caught.is_err());
    }

    #[test]
    fn the_stack_is_deep() {
        fn depth(n: u64) -> u64 {
            if n == 0 { 0 } else { 1 + std::hint::black_box(depth(std::hint::black_box(n - 1))) }
        }
        assert_eq!(on_deep_stack(|| depth(500_000)).expect("a thread"), 500_000);
    }

    #[test]
    fn a_thread_is_asked_for_its_own_time() {
        let Some(idle) = ThreadTime::of_this() else { return };
        let before = idle.so_far().expect("this thread runs");
        let busy = on_deep_stack(|| {
            let own = ThreadTime::of_this().expect("the system tells it");
            while own.so_far().expect("this thread runs") < Duration::from_millis(30) {}
            own
        });
        assert_eq!(busy.expect("a thread").so_far(), None, "it has ended");
        assert!(idle.so_far().expect("this thread runs") - before < Duration::from_millis(30));
    }
}
