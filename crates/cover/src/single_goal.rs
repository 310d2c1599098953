//! One goal at a time, each with a formula and a solver of its own.
//!
//! The formula of a procedure is about all its blocks, and a solver that holds it decides branches that lead elsewhere
//! and learns about them, even if one goal is asked about. Here a formula has no more in it than the ways to one of the
//! goal's blocks, without blocks that are known to be infeasible, and the solver has seen no other. A model's inputs are run.
//!
//! The questions stand in a queue, in the order of the program. One that runs out of time goes to its end with twice the
//! time, so that hard goals do not keep easy ones waiting. Its solver is kept, and goes on with what it has learned, unless
//! the formula has become smaller because blocks on the way were found to be infeasible. Where time does not help, the
//! ways to the block are halved (`cube_split.rs`). So a goal has *parts*, at first its blocks; it is infeasible when there is no
//! run in any of them. A goal waits while another is open that its runs must pass: if that one falls, so does it.
//!
//! Sessions on the same procedure (`portfolio.rs`) share a queue: each takes the next question when it is done with its last.
//!
//! **Direction of error.** None; what is not decided in time is left open, as is a goal that the model's inputs miss
//! because the run also asks for other values; such a goal is not asked about again.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use footpath_ir::BlockId;
use footpath_parallel::TICK;
use footpath_smt::{Answer, Solver, Statistics, Unknown};
use footpath_term::{SymbolId, Terms};
use footpath_transform::state::State;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cube_split::halves;
use super::session::{Session, Status};
use super::windows::dead;
use super::{CoverError, random_runs};
use crate::vc::low_bits::residues;
use crate::vc::merged;

/// Time for the first question about a part.
const FIRST_LIMIT: Duration = Duration::from_millis(500);
/// A part that is not decided in this time is halved if it can be.
const PATIENCE: Duration = Duration::from_secs(4);
/// How many times it is: one half is often as hard.
const HALVINGS: u32 = 2;
/// How many times it was halved at most, which bounds the time where nothing else does.
const MAX_HALVED: u32 = 8;
/// Solvers that are kept at most, which bounds the memory.
const MAX_KEPT: usize = 32;

/// The questions that are to be asked.
pub(super) struct Queue {
    /// The terms of the procedure, on which formulas stand.
    base: Arc<Terms>,
    /// The variables whose initial values matter.
    inputs: Vec<SymbolId>,
    waiting: Mutex<Waiting>,
    /// A question came back, or came to nothing.
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    parts: VecDeque<Part>,
    /// For goals that are asked about: how many of their parts may have runs.
    left: FxHashMap<usize, usize>,
    /// How many parts were taken and are being asked about.
    taken: usize,
}

/// Ways to a block of a goal.
struct Part {
    goal: usize,
    block: BlockId,
    /// The ways pass none of these blocks.
    without: FxHashSet<BlockId>,
    /// How many times they were halved.
    halved: u32,
    /// Time for the next question.
    limit: Duration,
    /// The formula that was asked about last.
    kept: Option<Formula>,
}

/// A formula about a part, in a solver.
struct Formula {
    /// What it is made of.
    terms: Terms,
    /// A solver that has the formula; an answer where none is needed.
    solver: Result<Box<dyn Solver>, Answer>,
    /// How many blocks up to the part's were left out of it.
    left_out: usize,
    /// The branches that it mentions.
    mentioned: FxHashSet<BlockId>,
}

/// Asks about parts of goals until no question is left or time is over.
pub(super) fn run(s: &mut Session, queue: &Queue) -> Result<(), CoverError> {
    while let Some(mut part) = queue.next(s) {
        let _taken = Taken(queue);
        let mut formula = part.formula(s, &queue.base)?;
        let answer = formula.ask(s, &part);
        queue.read(s, part, formula, answer);
    }
    Ok(())
}

impl Queue {
    /// Questions about all blocks of all open goals.
    pub(super) fn new(s: &mut Session) -> Queue {
        let mut goals = s.open_goals();
        goals.sort_by_key(|&i| s.goals[i].blocks.iter().max().copied());
        let blocks = |i: usize| s.goals[i].blocks.iter().map(move |&block| Part::all(i, block));
        let waiting = Waiting {
            parts: goals.iter().flat_map(|&i| blocks(i)).collect(),
            left: goals.iter().map(|&i| (i, s.goals[i].blocks.len())).collect(),
            taken: 0,
        };
        Queue { base: s.freeze(), inputs: s.inputs(), waiting: Mutex::new(waiting), changed: Condvar::new() }
    }

    /// The terms of the procedure.
    pub(super) fn base(&self) -> Arc<Terms> {
        Arc::clone(&self.base)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next question; waits where others are being asked that may come back. None when there is nothing to ask.
    fn next(&self, s: &mut Session) -> Option<Part> {
        loop {
            s.hear();
            if s.is_over() {
                return None;
            }
            let mut waiting = self.waiting();
            waiting.parts.retain(|part| s.goals[part.goal].status == Status::Open);
            waiting.left.retain(|&goal, _| s.goals[goal].status == Status::Open);
            let Waiting { parts, left, .. } = &*waiting;
            if let Some(first) = parts.iter().position(|part| !waits(s, part.goal, left)) {
                waiting.taken += 1;
                return waiting.parts.remove(first);
            }
            if waiting.taken == 0 {
                return None;
            }
            drop(self.changed.wait_timeout(waiting, TICK));
        }
    }

    /// Draws the consequences of an answer.
    fn read(&self, s: &mut Session, part: Part, formula: Formula, answer: Answer) {
        let goal = part.goal;
        match (answer, formula) {
            (Answer::Unsat, _) => {
                if self.waiting().falls(goal) {
                    s.refute(goal, true);
                }
            }
            (Answer::Sat, Formula { mut terms, solver: Ok(mut solver), .. }) => {
                let script = random_runs::script_of(&mut terms, &self.inputs, &mut *solver);
                random_runs::run_script(s, script);
                self.waiting().give_up(goal);
            }
            (Answer::Unknown(Unknown::Timeout), formula) => {
                let parts = part.again(s, formula);
                self.waiting().put_back(goal, parts);
            }
            // Somebody else has decided the goal, or all is over.
            (Answer::Unknown(Unknown::Interrupted), _) => {}
            _ => self.waiting().give_up(goal),
        }
    }
}

impl Waiting {
    /// There is no run in a part of a goal; whether there is none at all.
    fn falls(&mut self, goal: usize) -> bool {
        let Some(left) = self.left.get_mut(&goal) else { return false };
        *left -= 1;
        *left == 0
    }

    /// Puts what has become of a part at the end of the queue; of no parts nothing is known.
    fn put_back(&mut self, goal: usize, parts: Vec<Part>) {
        let Some(left) = self.left.get_mut(&goal) else { return };
        if parts.is_empty() {
            return self.give_up(goal);
        }
        *left += parts.len() - 1;
        self.parts.extend(parts);
        let kept = self.parts.iter_mut().filter(|part| part.kept.is_some());
        kept.skip(MAX_KEPT).for_each(|part| part.kept = None);
    }

    /// A goal is not asked about any more.
    fn give_up(&mut self, goal: usize) {
        self.left.remove(&goal);
        self.parts.retain(|part| part.goal != goal);
    }
}

/// A part that was taken; when it is dropped, the part was put back or came to nothing.
struct Taken<'q>(&'q Queue);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.waiting().taken -= 1;
        self.0.changed.notify_all();
    }
}

impl Part {
    /// All ways to a block.
    fn all(goal: usize, block: BlockId) -> Part {
        Part { goal, block, without: FxHashSet::default(), halved: 0, limit: FIRST_LIMIT, kept: None }
    }

    /// What is to be asked after a question that ran out of time; nothing if there was as much time as there may be.
    fn again(mut self, s: &Session, formula: Formula) -> Vec<Part> {
        let most = s.options.query_timeout.unwrap_or(Duration::MAX);
        if self.limit >= PATIENCE.min(most) && self.halved < MAX_HALVED {
            let parts = self.halve(s, &formula.mentioned);
            if parts.len() > 1 {
                return parts;
            }
        }
        if self.limit >= most {
            return Vec::new();
        }
        self.limit = self.limit.saturating_mul(2).min(most);
        self.kept = Some(formula);
        vec![self]
    }

    /// Parts that are together the same; `mentioned` are the branches that matter.
    fn halve(&self, s: &Session, mentioned: &FxHashSet<BlockId>) -> Vec<Part> {
        let dead = dead(s);
        let mut parts = vec![self.without.clone()];
        for _ in 0..HALVINGS {
            let halved = |without: FxHashSet<BlockId>| {
                let all = without.union(&dead).copied().collect();
                let halves = halves(&s.unit.body, self.block, &all, mentioned);
                let more = halves.map_or_else(|| vec![Vec::new()], Vec::from);
                more.into_iter().map(move |blocks| without.iter().copied().chain(blocks).collect())
            };
            parts = parts.into_iter().flat_map(halved).collect();
        }
        let halved = self.halved + HALVINGS;
        let part = |without| Part { without, halved, kept: None, ..*self };
        parts.into_iter().map(part).collect()
    }

    /// A formula about the ways in a solver: the one that was asked about before, or a new one.
    fn formula(&mut self, s: &Session, base: &Arc<Terms>) -> Result<Formula, CoverError> {
        let mut absent = dead(s);
        absent.extend(&self.without);
        let left_out = absent.iter().filter(|&&b| b < self.block).count();
        if let Some(kept) = self.kept.take().filter(|kept| kept.left_out == left_out) {
            return Ok(kept);
        }
        let mut terms = Terms::layer(Arc::clone(base));
        let state = State::initial(&mut terms, &s.program.old_symbols());
        let window = merged::encode_window(&s.unit, &mut terms, BlockId(0), self.block, state, &absent);
        let mut solver = if terms.as_bool(window.reach) == Some(false) {
            Err(Answer::Unsat)
        } else {
            Ok(s.open_hard("alone")?)
        };
        let mut formula = window.constraints;
        formula.push(window.reach);
        let mut formula = s.theory.expand(&mut terms, &formula);
        formula.extend(s.theory.relevant(&mut terms, &formula).formulas);
        formula.extend(residues(&mut terms, &formula));
        for t in formula {
            solver = solver.and_then(|mut solver| match solver.assert(&terms, t) {
                Ok(()) => Ok(solver),
                Err(unsupported) => Err(Answer::from(unsupported)),
            });
        }
        Ok(Formula { terms, solver, left_out, mentioned: window.mentioned })
    }
}

impl Formula {
    /// Asks whether there is a run in a part.
    fn ask(&mut self, s: &mut Session, part: &Part) -> Answer {
        let solver = match &mut self.solver {
            Ok(solver) => solver,
            Err(answer) => return answer.clone(),
        };
        let Some(_asking) = s.asking(part.goal, solver.interrupter()) else {
            return Answer::Unknown(Unknown::Interrupted);
        };
        let before: Statistics = solver.statistics();
        solver.set_timeout(Some(s.time_left().map_or(part.limit, |left| left.min(part.limit))));
        let answer = solver.check(&self.terms, &[]);
        s.count(&solver.statistics().since(&before));
        answer
    }
}

/// Whether each block of a goal has a dominator that is a block of an open goal that is asked about, too.
fn waits(s: &Session, i: usize, asked_about: &FxHashMap<usize, usize>) -> bool {
    let dominators = s.dominators();
    let is_open = |b: BlockId| s.goals_at(b).iter().any(|j| asked_about.contains_key(j));
    let mut blocks = s.goals[i].blocks.iter();
    blocks.all(|b| std::iter::successors(dominators[b.index()], |up| dominators[up.index()]).any(is_open))
}
