//! The solver interface: one trait for all SMT solvers.
//!
//! A solver works on the terms of *one* arena, which may grow while it works (indices are stable); every method that
//! takes a term is given the arena, so that the solver does not hold on to it. A solver that gave up returns a reason
//! ([`Unknown`]): a time-out, a lack of memory, an incomplete theory and a crash lead to different verdicts in the
//! callers and are never merged into one.
//!
//! **Direction of error.** `Sat` and `Unsat` are taken at face value here; [`CrossChecked`] checks them. A model is
//! *completed*: what the constraints leave open has some value. Where quantifiers or lambdas are involved,
//! [`Solver::value`] may have no value for a term although there is a model.
//!
//! [`CrossChecked`]: crate::CrossChecked

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use footpath_term::{TermId, Terms, Value};

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model; ask for it with [`Solver::value`].
    Sat,
    /// There is none; ask for the reason with [`Solver::core`].
    Unsat,
    /// The solver gave up.
    Unknown(Unknown),
}

/// Why a solver gave up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The time set by [`Solver::set_timeout`] ran out, or the work set by [`Solver::set_work_limit`] was done.
    Timeout,
    /// Somebody used the [`Interrupter`].
    Interrupted,
    /// Memory ran out.
    Memory,
    /// The solver has no complete method for such constraints; the text is its own reason.
    Incomplete(String),
    /// The solver cannot express something that was asked of it.
    Unsupported(String),
    /// The solver crashed, or said something that makes no sense.
    Failed(String),
}

/// A term that a solver cannot express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

/// Statistics of a solver's work.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Checks.
    pub queries: u64,
    /// Checks answered `Sat`.
    pub sat: u64,
    /// Checks answered `Unsat`.
    pub unsat: u64,
    /// Checks without an answer.
    pub unknown: u64,
    /// Time inside checks.
    pub time: Duration,
    /// Terms asserted.
    pub asserted: u64,
}

/// An SMT solver: decides whether terms can be true together.
pub trait Solver: Send {
    /// The solver's name and version.
    fn name(&self) -> String;

    /// Asserts that `t` is true, until the current level is closed.
    fn assert(&mut self, terms: &Terms, t: TermId) -> Result<(), Unsupported>;

    /// Opens a level of assertions.
    fn push(&mut self);

    /// Closes the last `levels` levels.
    fn pop(&mut self, levels: u32);

    /// Whether all asserted terms and all `assumptions` can be true together. Assumptions may be any boolean
    /// terms; symbols and negated symbols are the cheapest.
    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer;

    /// After `Sat`: the value of any term in the model. `None` where it cannot be represented as a [`Value`]: an
    /// irrational number, or a map that is not finitely many entries and a default.
    fn value(&mut self, terms: &Terms, t: TermId) -> Option<Value>;

    /// After `Sat`: the values of many boolean terms.
    fn truths(&mut self, terms: &Terms, of: &[TermId]) -> Vec<Option<bool>> {
        of.iter().map(|&t| self.value(terms, t).and_then(|v| v.as_bool())).collect()
    }

    /// After [`Unknown::Incomplete`]: lets [`Solver::value`] and [`Solver::truths`] read the candidate for a model
    /// that the solver had when it gave up. It may not satisfy the quantified formulas, so it must be checked before
    /// it is used. `false` if there is no candidate; otherwise it can be read until the next call that changes
    /// anything.
    fn candidate(&mut self) -> bool {
        false
    }

    /// After `Unsat`: assumptions that are contradictory together with the assertions. The core need not be minimal.
    fn core(&mut self) -> Vec<TermId>;

    /// Limits the time of each check from now on.
    fn set_timeout(&mut self, limit: Option<Duration>);

    /// Limits the work of each check from now on, in the solver's own unit, of which the same check takes as many on every machine and
    /// under every load. `false` if the solver counts none; then nothing changes.
    fn set_work_limit(&mut self, limit: Option<u32>) -> bool {
        let _ = limit;
        false
    }

    /// A handle that stops a running check from another thread.
    fn interrupter(&self) -> Interrupter;

    /// Asks the solver to prefer models in which these boolean terms are true, until the next call. It changes no
    /// answer, only which model is found. `false` if the solver does not support it.
    fn prefer(&mut self, terms: &Terms, wanted: &[TermId]) -> bool {
        let _ = (terms, wanted);
        false
    }

    /// The statistics since the start.
    fn statistics(&self) -> Statistics;
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn name(&self) -> String {
        (**self).name()
    }
    fn assert(&mut self, terms: &Terms, t: TermId) -> Result<(), Unsupported> {
        (**self).assert(terms, t)
    }
    fn push(&mut self) {
        (**self).push();
    }
    fn pop(&mut self, levels: u32) {
        (**self).pop(levels);
    }
    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        (**self).check(terms, assumptions)
    }
    fn value(&mut self, terms: &Terms, t: TermId) -> Option<Value> {
        (**self).value(terms, t)
    }
    fn truths(&mut self, terms: &Terms, of: &[TermId]) -> Vec<Option<bool>> {
        (**self).truths(terms, of)
    }
    fn candidate(&mut self) -> bool {
        (**self).candidate()
    }
    fn core(&mut self) -> Vec<TermId> {
        (**self).core()
    }
    fn set_timeout(&mut self, limit: Option<Duration>) {
        (**self).set_timeout(limit);
    }
    fn set_work_limit(&mut self, limit: Option<u32>) -> bool {
        (**self).set_work_limit(limit)
    }

    fn interrupter(&self) -> Interrupter {
        (**self).interrupter()
    }
    fn prefer(&mut self, terms: &Terms, wanted: &[TermId]) -> bool {
        (**self).prefer(terms, wanted)
    }
    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }
}

/// Stops checks from another thread.
///
/// An interrupt is **sticky**: the running check and all later ones answer [`Unknown::Interrupted`] until
/// [`Interrupter::clear`]. So an interrupt that comes between two checks is not lost.
#[derive(Clone, Default)]
pub struct Interrupter {
    parts: Arc<[Arc<Flag>]>,
}

#[derive(Default)]
pub(crate) struct Flag {
    set: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

type Waker = Box<dyn Fn() + Send>;

impl Flag {
    pub(crate) fn is_set(&self) -> bool {
        self.set.load(Ordering::Acquire)
    }

    /// Registers a function to call when the flag is set, so that no thread need poll it.
    pub(crate) fn on_set(&self, waker: impl Fn() + Send + 'static) {
        *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(waker));
    }
}

impl Interrupter {
    pub(crate) fn of(flag: Arc<Flag>) -> Interrupter {
        Interrupter { parts: Arc::from([flag]) }
    }

    /// An interrupter for both: interrupting it interrupts everything that either one interrupts.
    #[must_use]
    pub fn and(&self, other: &Interrupter) -> Interrupter {
        Interrupter { parts: self.parts.iter().chain(other.parts.iter()).cloned().collect() }
    }

    /// Stops the running check, if there is one, and all checks until [`Interrupter::clear`].
    pub fn interrupt(&self) {
        for flag in self.parts.iter() {
            flag.set.store(true, Ordering::Release);
            if let Some(wake) = &*flag.waker.lock().unwrap_or_else(PoisonError::into_inner) {
                wake();
            }
        }
    }

    /// Lets checks run again.
    pub fn clear(&self) {
        for flag in self.parts.iter() {
            flag.set.store(false, Ordering::Release);
        }
    }

    /// Whether checks are stopped.
    pub fn is_interrupted(&self) -> bool {
        self.parts.iter().any(|f| f.is_set())
    }
}

impl fmt::Debug for Interrupter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interrupter({})", self.is_interrupted())
    }
}

impl Answer {
    /// Whether it is [`Answer::Sat`].
    pub fn is_sat(&self) -> bool {
        *self == Answer::Sat
    }

    /// Whether it is [`Answer::Unsat`].
    pub fn is_unsat(&self) -> bool {
        *self == Answer::Unsat
    }
}

impl std::ops::AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        let Statistics { queries, sat, unsat, unknown, time, asserted } = other;
        self.queries += queries;
        self.sat += sat;
        self.unsat += unsat;
        self.unknown += unknown;
        self.time += time;
        self.asserted += asserted;
    }
}

impl Statistics {
    /// The difference to `earlier`, an earlier state of the same solver.
    pub fn since(&self, earlier: &Statistics) -> Statistics {
        Statistics {
            queries: self.queries - earlier.queries,
            sat: self.sat - earlier.sat,
            unsat: self.unsat - earlier.unsat,
            unknown: self.unknown - earlier.unknown,
            time: self.time - earlier.time,
            asserted: self.asserted - earlier.asserted,
        }
    }

    pub(crate) fn count(&mut self, answer: &Answer, time: Duration) {
        self.queries += 1;
        self.time += time;
        match answer {
            Answer::Sat => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Sat => f.write_str("satisfiable"),
            Answer::Unsat => f.write_str("unsatisfiable"),
            Answer::Unknown(why) => write!(f, "unknown: {why}"),
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Timeout => f.write_str("the solver ran out of time"),
            Unknown::Interrupted => f.write_str("the solver was interrupted"),
            Unknown::Memory => f.write_str("the solver ran out of memory"),
            Unknown::Incomplete(why) => write!(f, "the solver could not decide it ({why})"),
            Unknown::Unsupported(what) => write!(f, "the solver does not support {what}"),
            Unknown::Failed(how) => write!(f, "the solver failed: {how}"),
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

impl From<Unsupported> for Answer {
    fn from(u: Unsupported) -> Answer {
        Answer::Unknown(Unknown::Unsupported(u.0))
    }
}
