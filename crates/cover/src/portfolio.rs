//! Portfolio: several searches on one procedure in parallel, which exchange what they decide.
//!
//! **Idea.** State exploration (`state_exploration.rs`) and single-goal queries (`single_goal.rs`) decide different
//! goals, and it is not known in advance which of them a goal needs. Where a procedure has several threads, one of
//! them explores while the others ask queries; when it is done it asks queries, too. Each thread has a separate
//! session, with its own terms and solvers.
//!
//! The sessions communicate through a *board*: goals that were found to be infeasible, and tests. A session reads it
//! between two queries. A test counts when the session that reads it has executed it itself. A query is interrupted
//! when another session decides its goal.
//!
//! **Example.** While one thread asks for a run to goal 7, another one finds a test that covers it. The query is
//! interrupted, and the first thread continues with the next goal.
//!
//! With one thread, states are explored for a part of the time, and then queries are asked about the goals that are
//! left.
//!
//! **Direction of error.** None: each entry of the board was decided by a search, and a search that ends early has
//! published only what it had decided.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use footpath_ir::interp::Script;
use footpath_smt::Interrupter;
use footpath_term::{Op, Terms};
use footpath_transform::LoopFree;

use super::report::Test;
use super::session::{Session, Status};
use super::single_goal;
use super::single_goal::Queue;
use super::{CoverError, random_runs, state_exploration};

/// The share of the remaining time for state exploration, where nothing runs in parallel. If it decides all goals it
/// mostly needs little time, and single-goal queries decide the goals that it does not.
const EXPLORING: f64 = 0.4;

/// The searches of a portfolio.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Searches {
    /// Single-goal queries.
    Alone,
    /// Single-goal queries and state exploration.
    AloneAndStates,
}

/// Tries to decide the open goals.
pub(super) fn run(s: &mut Session, searches: Searches) -> Result<(), CoverError> {
    let exploring = searches == Searches::AloneAndStates;
    if s.threads <= 1 {
        if exploring {
            let share = s.time_left().map(|left| left.mul_f64(EXPLORING));
            state_exploration::run(s, share)?;
        }
        let queue = Queue::new(s);
        return single_goal::run(s, &queue);
    }
    let board = Arc::new(Board::default());
    let queue = Queue::new(s);
    let (context, clock, unit) = (s.context(), s.clock, s.unit.clone());
    let known: Vec<(Status, bool)> = s.goals.iter().map(|g| (g.status.clone(), g.unreachable)).collect();
    let other = |number: usize| {
        board.search(|| {
            let unit = LoopFree { terms: Terms::layer(queue.base()), ..unit.clone() };
            let mut s = Session::open(&context, unit, clock, &|_| ())?;
            s.know(&known);
            s.board = Some(Arc::clone(&board));
            if exploring && number == 0 {
                let share = s.time_left().map(|left| left.mul_f64(EXPLORING));
                state_exploration::run(&mut s, share)?;
            }
            single_goal::run(&mut s, &queue)?;
            s.close();
            Ok(s.statistics)
        })
    };
    s.board = Some(Arc::clone(&board));
    let (own, others) =
        footpath_parallel::beside(s.threads - 1, &other, || board.search(|| single_goal::run(s, &queue)));
    s.hear();
    s.board = None;
    for statistics in others {
        s.add(&statistics?);
    }
    own
}

/// The data that sessions on one procedure exchange.
#[derive(Default)]
pub(super) struct Board {
    notes: Mutex<Notes>,
    /// The number of entries.
    decided: AtomicUsize,
    /// Whether all searches shall end.
    closed: AtomicBool,
}

#[derive(Default)]
struct Notes {
    decided: Vec<Decided>,
    /// The queries that are being asked: a number, the goal, and a handle that interrupts it.
    asking: Vec<(usize, usize, Interrupter)>,
    asked: usize,
}

/// An entry: something that a session has decided.
#[derive(Clone)]
enum Decided {
    /// No run covers the goal; with whether no run even reaches it.
    Infeasible(usize, bool),
    /// A run, and the goals it covers.
    Covered(Box<Script>, Vec<usize>),
}

impl Board {
    /// Runs a search; if it fails, all searches end.
    fn search<T>(&self, work: impl FnOnce() -> Result<T, CoverError>) -> Result<T, CoverError> {
        let mut end = End { board: self, is_good: false };
        let done = work();
        end.is_good = done.is_ok();
        done
    }

    /// Whether all searches shall end.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, decided: Decided) {
        let mut notes = self.notes();
        for (_, goal, interrupter) in &notes.asking {
            let is_decided = match &decided {
                Decided::Infeasible(i, _) => i == goal,
                Decided::Covered(_, covers) => covers.contains(goal),
            };
            if is_decided {
                interrupter.interrupt();
            }
        }
        notes.decided.push(decided);
        self.decided.store(notes.decided.len(), Ordering::Release);
    }
}

/// Marks the end of a search when it is dropped.
struct End<'a> {
    board: &'a Board,
    is_good: bool,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        if !self.is_good {
            self.board.closed.store(true, Ordering::Relaxed);
            self.board.notes().asking.iter().for_each(|(.., interrupter)| interrupter.interrupt());
        }
    }
}

/// A registered query, which other sessions may interrupt.
pub(super) struct Asking {
    board: Arc<Board>,
    number: usize,
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.board.notes().asking.retain(|(number, ..)| *number != self.number);
    }
}

impl Session<'_> {
    /// Takes over the state of the goals from another session on the same procedure: the status of each, and whether
    /// it is known that no run reaches it.
    fn know(&mut self, goals: &[(Status, bool)]) {
        for (i, (status, unreachable)) in goals.iter().enumerate() {
            match status {
                Status::Open => {}
                Status::Infeasible => self.refute(i, *unreachable),
                Status::Covered | Status::Unknown(_) => self.goals[i].status = status.clone(),
            }
        }
    }

    /// Records that no run covers a goal, and tells the solver and the other sessions; `unreachable` if no run even
    /// reaches it.
    pub(super) fn refute(&mut self, i: usize, unreachable: bool) {
        if self.goals[i].status != Status::Open {
            return;
        }
        self.settle(&[i], &Status::Infeasible);
        self.goals[i].unreachable |= unreachable;
        let never = self.terms.app(Op::Not, [self.goals[i].covered]);
        self.assert(never);
        self.tell(|| Decided::Infeasible(i, unreachable));
    }

    /// Publishes a test and what it covers.
    pub(super) fn tell_of_test(&self, test: &Test) {
        if let Some(script) = &test.script {
            self.tell(|| Decided::Covered(script.clone(), test.covers.clone()));
        }
    }

    fn tell(&self, decided: impl FnOnce() -> Decided) {
        if let Some(board) = &self.board {
            board.write(decided());
        }
    }

    /// Reads what other sessions have decided; returns whether anything was new.
    pub(super) fn hear(&mut self) -> bool {
        let Some(board) = &self.board else { return false };
        if board.decided.load(Ordering::Acquire) == self.heard {
            return false;
        }
        let news = board.notes().decided[self.heard..].to_vec();
        self.heard += news.len();
        // What was read is not told again.
        let board = self.board.take();
        let mut is_new = false;
        for decided in news {
            is_new |= match decided {
                Decided::Infeasible(i, unreachable) => {
                    let was_open = self.goals[i].status == Status::Open;
                    self.refute(i, unreachable);
                    was_open
                }
                Decided::Covered(script, covers) => {
                    covers.iter().any(|&i| self.goals[i].status != Status::Covered)
                        && random_runs::run_script(self, *script)
                }
            };
        }
        self.board = board;
        is_new
    }

    /// Registers a query about a goal, which is interrupted when another session decides the goal, until the result
    /// is dropped. `None` if it is decided already; `Some(None)` if there are no other sessions.
    pub(super) fn asking(&mut self, goal: usize, interrupter: Interrupter) -> Option<Option<Asking>> {
        let asking = self.board.clone().map(|board| {
            let mut notes = board.notes();
            notes.asked += 1;
            let number = notes.asked;
            notes.asking.push((number, goal, interrupter));
            drop(notes);
            Asking { board, number }
        });
        // Who decides it from here on interrupts; this is about what was decided before.
        self.hear();
        (self.goals[goal].status == Status::Open && !self.is_over()).then_some(asking)
    }
}
