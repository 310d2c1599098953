//! Virtual time: deadlines that do not depend on what else the machine does.
//!
//! **Idea.** A technique gets a share of a job's time. In seconds of the wall clock a share is worth less on a busy machine: a
//! proof that takes 0.4 s of processor time misses a share of 0.5 s where two other programs run, and what was proved
//! yesterday is unknown today. So shares are counted on a clock that stands still while this process waits for a processor.
//! The system says of each thread how long it ran and how long it was ready to run and did not (*run delay*). If the threads
//! of the process ran for 30 ms and waited for 60 ms in the last interval, then a third of that interval has passed.
//!
//! **Example.** `Deadline::after(100 ms)` on an idle machine is over after 100 ms. While two other processes compete for the
//! same processor it is over after 300 ms, when as much was done.
//!
//! Users mean the wall clock when they limit time. So a deadline has two sides: virtual time, and a [grace](GRACE) on the wall
//! clock, beyond which nobody waits however busy the machine is. [`Deadline::by_wall_clock`] has none; jobs use it for what
//! the user asked for.
//!
//! **Deviations.** Virtual time in the sense of schedulers is the processor time of one thread. Deadlines here pass from
//! thread to thread (solvers have a watchdog), and count waiting for a compiler or a disk, so this clock belongs to the process,
//! and only waiting for a processor stops it. Units of work, such as the resource units of Z3, would be the
//! same in all runs, but those of two engines cannot be added up to a share.
//!
//! **Direction of error.** Time seems longer, never shorter: where the system tells no run delay, virtual time is the wall clock's.
//! It is exact to 20 ms, and may step back by as much.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

/// How often threads are asked how long they waited.
const INTERVAL: Duration = Duration::from_millis(20);
/// How much longer than its virtual time a deadline may take on the wall clock, at most; and no more than twice that time.
pub const GRACE: Duration = Duration::from_secs(1);

/// A moment at which work should end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadline {
    /// On the virtual clock.
    work: Duration,
    /// On the wall clock; `None`: never, as the moment is too far to be told.
    wall: Option<Instant>,
}

impl Deadline {
    /// So much virtual time from now, with the grace on the wall clock.
    pub fn after(limit: Duration) -> Deadline {
        Deadline::on_both(limit, limit.saturating_add(limit.saturating_mul(2).min(GRACE)))
    }

    /// So much time from now, on the wall clock.
    pub fn by_wall_clock(limit: Duration) -> Deadline {
        Deadline::on_both(limit, limit)
    }

    fn on_both(work: Duration, wall: Duration) -> Deadline {
        let now = Instant::now();
        Deadline { work: CLOCK.at(now).saturating_add(work), wall: now.checked_add(wall) }
    }

    /// Whether it has passed.
    pub fn is_over(self) -> bool {
        self.left().is_zero()
    }

    /// How much time is left; zero if it has passed.
    pub fn left(self) -> Duration {
        let now = Instant::now();
        let work = self.work.saturating_sub(CLOCK.at(now));
        self.wall.map_or(work, |wall| work.min(wall.saturating_duration_since(now)))
    }

    /// Whichever of two comes first, on both clocks.
    #[must_use]
    pub fn min(self, other: Deadline) -> Deadline {
        let wall = match (self.wall, other.wall) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Deadline { work: self.work.min(other.work), wall }
    }

    /// Whichever of two comes last, on both clocks.
    #[must_use]
    pub fn max(self, other: Deadline) -> Deadline {
        let wall = self.wall.zip(other.wall).map(|(a, b)| a.max(b));
        Deadline { work: self.work.max(other.work), wall }
    }

    /// The end of a piece of work before it, which takes so much time at most.
    #[must_use]
    pub fn part(self, limit: Duration) -> Deadline {
        self.min(Deadline::after(limit))
    }

    /// The end of a piece of work before it, which takes this share of what is left, from 0 to 1.
    #[must_use]
    pub fn share(self, share: f64) -> Deadline {
        self.part(self.left().mul_f64(share))
    }
}

/// Virtual time that passes while something is done.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Duration);

impl Stopwatch {
    /// One that begins now.
    pub fn start() -> Stopwatch {
        Stopwatch(CLOCK.at(Instant::now()))
    }

    /// The time since then.
    pub fn elapsed(self) -> Duration {
        CLOCK.at(Instant::now()).saturating_sub(self.0)
    }
}

static CLOCK: LazyLock<Clock> = LazyLock::new(Clock::new);

/// The virtual clock of this process.
struct Clock {
    started: Instant,
    /// By how much it is behind the wall clock, in nanoseconds.
    behind: AtomicU64,
    /// When threads were asked last, in nanoseconds since it started.
    asked: AtomicU64,
    /// What they said.
    threads: Mutex<Threads>,
}

/// How long each thread ran and waited, in nanoseconds, by its number.
type Threads = FxHashMap<u32, (u64, u64)>;

impl Clock {
    fn new() -> Clock {
        Clock {
            started: Instant::now(),
            behind: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            threads: Mutex::new(threads()),
        }
    }

    /// The virtual time that had passed at a moment, which is now.
    fn at(&self, now: Instant) -> Duration {
        let wall = now.saturating_duration_since(self.started);
        let now = u64::try_from(wall.as_nanos()).unwrap_or(u64::MAX);
        let asked = self.asked.load(Ordering::Relaxed);
        let interval = now.saturating_sub(asked);
        if interval >= INTERVAL.as_nanos() as u64
            && self.asked.compare_exchange(asked, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            let mut known = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
            let new = threads();
            let lost = interval as f64 * waiting(&known, &new, interval);
            *known = new;
            self.behind.fetch_add(lost as u64, Ordering::Relaxed);
        }
        wall.saturating_sub(Duration::from_nanos(self.behind.load(Ordering::Relaxed)))
    }
}

/// What the system says of the threads of this process; nothing where it does not.
fn threads() -> Threads {
    let Ok(entries) = fs::read_dir("/proc/self/task") else { return Threads::default() };
    let of = |entry: fs::DirEntry| {
        let number: u32 = entry.file_name().to_str()?.parse().ok()?;
        let text = fs::read_to_string(entry.path().join("schedstat")).ok()?;
        // Nanoseconds on a processor, then those of waiting for one.
        let mut words = text.split_whitespace().map(str::parse);
        Some((number, (words.next()?.ok()?, words.next()?.ok()?)))
    };
    entries.flatten().filter_map(of).collect()
}

/// The part of an interval that threads waited for a processor, from 0 to 1. It is 0 where they had little to do: who waits for a
/// file or another process is not kept from working.
fn waiting(before: &Threads, after: &Threads, interval: u64) -> f64 {
    let (mut ran, mut waited) = (0, 0);
    for (number, now) in after {
        // A thread that was not there began in between.
        let then = before.get(number).copied().unwrap_or_default();
        ran += now.0.saturating_sub(then.0);
        waited += now.1.saturating_sub(then.1);
    }
    if ran + waited < interval / 4 { 0.0 } else { waited as f64 / (ran + waited) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::thread;

    #[test]
    fn what_threads_wait_does_not_count() {
        let of = |said: &[(u32, (u64, u64))]| said.iter().copied().collect::<Threads>();
        let (before, after) =
            (of(&[(1, (50, 7)), (2, (0, 0)), (3, (9, 9))]), of(&[(1, (60, 27)), (2, (10, 20))]));
        assert_eq!(waiting(&before, &after, 30), 40.0 / 60.0);
        // A new thread counts from its beginning, and an idle process waits for nothing.
        assert_eq!(waiting(&Threads::default(), &of(&[(7, (30, 10))]), 40), 0.25);
        assert_eq!(waiting(&before, &before, 30), 0.0);
        assert_eq!(waiting(&before, &of(&[(1, (50, 9))]), 30), 0.0);
    }

    #[test]
    fn a_deadline_passes() {
        let deadline = Deadline::after(Duration::from_millis(1));
        while !deadline.is_over() {
            assert!(deadline.left() <= Duration::from_millis(1 + INTERVAL.as_millis() as u64));
        }
        assert!(Deadline::after(Duration::ZERO).is_over());
        assert!(!Deadline::after(Duration::MAX).is_over());
        assert!(!Deadline::by_wall_clock(Duration::MAX).is_over());
    }

    #[test]
    fn the_first_of_two_deadlines_counts_on_both_clocks() {
        let (hour, day) = (Duration::from_secs(3600), Duration::from_secs(86400));
        let (soon, late) = (Deadline::by_wall_clock(hour), Deadline::after(day));
        assert_eq!(soon.min(late), soon);
        assert_eq!(late.min(soon), soon);
        assert_eq!(soon.max(late), late);
        assert!(late.part(hour).left() <= hour);
        // Much virtual time and little on the wall clock.
        let both =
            Deadline { work: soon.work, wall: late.wall }.min(Deadline { work: late.work, wall: soon.wall });
        assert_eq!(both, soon);
    }

    #[test]
    fn the_clock_falls_behind_where_processors_are_short() {
        if threads().is_empty() {
            return;
        }
        let enough = AtomicBool::new(false);
        let busy = || {
            while !enough.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        };
        thread::scope(|scope| {
            for _ in 0..4 * thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(busy);
            }
            let before = CLOCK.behind.load(Ordering::Relaxed);
            let mut last = CLOCK.at(Instant::now());
            while CLOCK.behind.load(Ordering::Relaxed) == before {
                last = last.max(CLOCK.at(Instant::now()));
            }
            enough.store(true, Ordering::Relaxed);
            assert!(last <= CLOCK.started.elapsed());
        });
    }
}
