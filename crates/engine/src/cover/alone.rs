//! One goal at a time, each with a formula and a solver of its own.
//!
//! The formula of a procedure is about all its blocks, and a solver that holds it decides branches that lead elsewhere
//! and learns about them, even if one goal is asked about. Here a formula has no more in it than the ways to the goal's
//! blocks, without blocks that are known to be infeasible, and the solver has seen no other. A model's inputs are run.
//!
//! The goals stand in a queue, in the order of the program. A question that runs out of time goes to its end with twice
//! the time, so that hard goals do not keep easy ones waiting. Its solver is kept, and goes on with what it has learned,
//! unless the formula has become smaller because blocks on the way were found to be infeasible. A goal waits while
//! another is open that its runs must pass: if that one falls, so does it. Where a procedure has several threads to itself,
//! they ask about several goals at a time.
//!
//! **Direction of error:** none; what is not decided in time is left open, as is a goal that the model's inputs miss
//! because the run also asks for other values; such a goal is not asked about again.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use footpath_ir::BlockId;
use footpath_smt::{Answer, Solver, Statistics, Unknown};
use footpath_term::{SymbolId, Terms};
use footpath_threads::in_parallel;
use footpath_transform::state::State;
use rustc_hash::FxHashMap;

use super::local::{dead, exclude};
use super::session::{Session, Status};
use super::{CoverError, random};
use crate::vc::merged;

/// Time for the first question about a goal.
const FIRST_LIMIT: Duration = Duration::from_millis(500);
/// Solvers that are kept at most, which bounds the memory.
const MAX_KEPT: usize = 32;
/// Goals in a batch for each thread, where there are several: many enough for all threads to be busy until shortly before
/// its end, few enough for what is found about some to matter for others.
const EACH: usize = 3;

/// The goals that are asked about, and what is left of earlier questions.
struct Alone {
    /// Open goals, with the time for the next question about each.
    queue: VecDeque<(usize, Duration)>,
    /// For blocks: the solver that was asked, and how many of the blocks before were known to be infeasible then.
    kept: FxHashMap<BlockId, (usize, Box<dyn Solver>)>,
    /// The variables whose initial values matter.
    inputs: Vec<SymbolId>,
}

/// A question about a goal.
struct Question {
    /// The goal.
    goal: usize,
    /// Time for each of its blocks.
    limit: Duration,
    /// Its blocks. There is no run to those before the one that was asked about last.
    blocks: Vec<Asked>,
    /// How many of the blocks were asked about.
    asked: usize,
    /// The answer about the last of these.
    answer: Answer,
}

/// A block of a goal.
struct Asked {
    block: BlockId,
    /// How many blocks before it were known to be infeasible when its formula was made.
    left_out: usize,
    /// A solver that has the formula; an answer where none is needed.
    solver: Result<Box<dyn Solver>, Answer>,
    /// What the solver did before.
    before: Statistics,
}

/// Tries to decide the open goals.
pub(super) fn run(s: &mut Session) -> Result<(), CoverError> {
    Alone::new(s).run(s)
}

impl Alone {
    /// Nothing was asked yet.
    fn new(s: &Session) -> Alone {
        let mut goals = s.open_goals();
        goals.sort_by_key(|&i| s.goals[i].blocks.iter().max().copied());
        Alone {
            queue: goals.into_iter().map(|i| (i, FIRST_LIMIT)).collect(),
            kept: FxHashMap::default(),
            inputs: s.inputs(),
        }
    }

    /// Asks about the goals in the queue until it is empty or time is over.
    fn run(&mut self, s: &mut Session) -> Result<(), CoverError> {
        while !s.is_over() && !self.queue.is_empty() {
            let batch = self.batch(s)?;
            let end = s.time_left().map(|left| Instant::now() + left);
            let terms = &s.terms;
            in_parallel(&batch, s.threads, s.stop, &|question| {
                question.lock().unwrap_or_else(PoisonError::into_inner).ask(terms, end);
            });
            for question in batch {
                self.read(s, question.into_inner().unwrap_or_else(PoisonError::into_inner));
            }
        }
        Ok(())
    }

    /// The next questions.
    fn batch(&mut self, s: &mut Session) -> Result<Vec<Mutex<Question>>, CoverError> {
        let size = if s.threads > 1 { EACH * s.threads } else { 1 };
        let mut batch = Vec::new();
        for _ in 0..self.queue.len() {
            let Some((goal, limit)) = self.queue.pop_front() else { break };
            if s.goals[goal].status != Status::Open {
                for b in &s.goals[goal].blocks {
                    self.kept.remove(b);
                }
                continue;
            }
            if waits(s, goal) {
                self.later(s, goal, limit);
                continue;
            }
            let blocks = s.goals[goal].blocks.clone();
            let blocks = blocks.into_iter().map(|b| self.prepare(s, b)).collect::<Result<_, _>>()?;
            batch.push(Mutex::new(Question { goal, limit, blocks, asked: 0, answer: Answer::Unsat }));
            if batch.len() == size {
                break;
            }
        }
        Ok(batch)
    }

    /// Puts a goal at the end of the queue, for a question with twice the time.
    fn later(&mut self, s: &Session, goal: usize, limit: Duration) {
        let most = s.options.query_timeout.unwrap_or(Duration::MAX);
        if limit < most {
            self.queue.push_back((goal, limit.saturating_mul(2).min(most)));
        }
    }

    /// Readies a solver for a block: the one that was asked before, or a new one.
    fn prepare(&mut self, s: &mut Session, block: BlockId) -> Result<Asked, CoverError> {
        let dead = dead(s);
        let left_out = dead.iter().filter(|&&d| d < block).count();
        let new = |solver| Asked { block, left_out, solver, before: Statistics::default() };
        if let Some((_, solver)) = self.kept.remove(&block).filter(|kept| kept.0 == left_out) {
            return Ok(Asked { before: solver.statistics(), ..new(Ok(solver)) });
        }
        let state = State::initial(&mut s.terms, &s.program.old_symbols());
        let (reach, mut formula) =
            merged::encode_window(&s.unit, &mut s.terms, BlockId(0), block, state, &dead);
        if s.terms.as_bool(reach) == Some(false) {
            return Ok(new(Err(Answer::Unsat)));
        }
        formula.push(reach);
        let mut formula = s.theory.expand(&mut s.terms, &formula);
        formula.extend(s.theory.relevant(&mut s.terms, &formula).formulas);
        let mut solver = s.open_solver("alone")?;
        for t in formula {
            if let Err(unsupported) = solver.assert(&s.terms, t) {
                return Ok(new(Err(Answer::from(unsupported))));
            }
        }
        Ok(new(Ok(solver)))
    }

    /// Draws the consequences of an answer.
    fn read(&mut self, s: &mut Session, question: Question) {
        let Question { goal, limit, mut blocks, asked, answer } = question;
        for solver in blocks.iter().take(asked).filter_map(|a| Some((a.solver.as_ref().ok()?, &a.before))) {
            s.count(&solver.0.statistics().since(solver.1));
        }
        let last = (asked > 0).then(|| blocks.swap_remove(asked - 1));
        match (answer, last) {
            // It was not begun.
            (_, None) => self.later(s, goal, limit),
            (Answer::Unsat, _) => exclude(s, goal),
            (Answer::Sat, Some(Asked { solver: Ok(mut solver), .. })) => {
                let script = random::script_of(s, &self.inputs, &mut *solver);
                random::run_script(s, script);
            }
            (Answer::Unknown(why), Some(Asked { block, left_out, solver: Ok(solver), .. })) => {
                if self.kept.len() < MAX_KEPT {
                    self.kept.insert(block, (left_out, solver));
                }
                if why == Unknown::Timeout {
                    self.later(s, goal, limit);
                }
            }
            _ => {}
        }
    }
}

impl Question {
    /// Asks for a run to each block, until there is one or none is known.
    fn ask(&mut self, terms: &Terms, end: Option<Instant>) {
        while self.answer == Answer::Unsat
            && let Some(next) = self.blocks.get_mut(self.asked)
        {
            self.asked += 1;
            self.answer = match &mut next.solver {
                Ok(solver) => {
                    let left = end.map(|end| end.saturating_duration_since(Instant::now()));
                    solver.set_timeout(Some(left.map_or(self.limit, |left| left.min(self.limit))));
                    solver.check(terms, &[])
                }
                Err(answer) => answer.clone(),
            };
        }
    }
}

/// Whether each block of a goal has a dominator that is a block of an open goal.
fn waits(s: &Session, i: usize) -> bool {
    let dominators = s.dominators();
    let is_open = |b: BlockId| s.goals_at(b).iter().any(|&j| s.goals[j].status == Status::Open);
    let mut blocks = s.goals[i].blocks.iter();
    blocks.all(|b| std::iter::successors(dominators[b.index()], |up| dominators[up.index()]).any(is_open))
}
