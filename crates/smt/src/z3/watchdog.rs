//! A watchdog thread: time limits and interrupts of checks.
//!
//! A check must really stop, also in the middle of preprocessing, and also when the interrupt comes between our
//! decision to check and Z3's readiness to be interrupted. So a thread beside the solver interrupts repeatedly (each
//! millisecond) from the moment the check should stop until it has stopped. Z3's own `timeout` parameter is not used:
//! it interrupts once, and starts a timer for each check.
//!
//! The thread costs nothing in a sequence of short checks: it wakes every few milliseconds while checks are running,
//! and sleeps when there have been none for a while.
//!
//! **Direction of error.** Z3 handles the interrupt only at certain points. Measured: making the circuit of one
//! 3000-bit division, or of a chain of 20 000 additions of bit-vectors, overruns any limit, and takes gigabytes;
//! thousands of smaller operators do not. Simplification that happens while levels are opened, and the evaluation of
//! terms in models, are not stopped. A hard limit needs Z3 in a separate process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::ffi::Stopper;
use crate::solver::Flag;
use footpath_virtual_time::Deadline;

const LOOK: Duration = Duration::from_millis(5);
const AGAIN: Duration = Duration::from_millis(1);
const SLEEP_AFTER: u32 = 20;

pub(super) struct Watchdog {
    shared: Arc<Shared>,
    /// Taken when the watchdog ends.
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    asleep: AtomicBool,
    flag: Arc<Flag>,
}

struct State {
    running: bool,
    quit: bool,
    deadline: Option<Deadline>,
    /// Whether the running check was stopped because of its time limit.
    timed_out: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watchdog {
    /// An error if the system starts no thread: checks would have no limit on their time.
    pub(super) fn start(stopper: Stopper, flag: Arc<Flag>) -> Result<Watchdog, String> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State { running: false, quit: false, deadline: None, timed_out: false }),
            asleep: AtomicBool::new(false),
            flag,
        });
        let theirs = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("solver watchdog".to_owned())
            .stack_size(128 << 10)
            .spawn(move || watch(&theirs, stopper))
            .map_err(|e| format!("the system starts no further thread: {e}"))?;
        let handle = thread.thread().clone();
        shared.flag.on_set(move || handle.unpark());
        Ok(Watchdog { shared, thread: Some(thread) })
    }

    /// A check begins.
    pub(super) fn arm(&self, limit: Option<Duration>) {
        let mut state = self.shared.lock();
        state.running = true;
        state.timed_out = false;
        state.deadline = limit.map(Deadline::after);
        drop(state);
        if self.shared.asleep.load(Ordering::SeqCst)
            && let Some(thread) = &self.thread
        {
            thread.thread().unpark();
        }
    }

    /// The check is over; returns whether it was stopped because of its time limit.
    pub(super) fn disarm(&self) -> bool {
        let mut state = self.shared.lock();
        state.running = false;
        state.timed_out
    }
}

fn watch(shared: &Shared, stopper: Stopper) {
    let mut idle = 0;
    loop {
        let mut state = shared.lock();
        if state.quit {
            return;
        }
        let mut pause = LOOK;
        if state.running {
            idle = 0;
            let late = state.deadline.is_some_and(Deadline::is_over);
            if late || shared.flag.is_set() {
                state.timed_out |= late;
                // Under the lock, so that it cannot hit the check after the one that it is meant for.
                stopper.stop();
                pause = AGAIN;
            } else if let Some(deadline) = state.deadline {
                pause = pause.min(deadline.left());
            }
            drop(state);
        } else {
            idle += 1;
            if idle > SLEEP_AFTER {
                shared.asleep.store(true, Ordering::SeqCst);
                drop(state);
                // A check that began in between has seen `asleep` and wakes us, or has begun before the store
                // and is seen here.
                if !shared.lock().running {
                    thread::park();
                }
                shared.asleep.store(false, Ordering::SeqCst);
                idle = 0;
                continue;
            }
            drop(state);
        }
        thread::park_timeout(pause);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().quit = true;
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A watchdog that panicked has nothing left to stop.
            let _ = thread.join();
        }
    }
}
