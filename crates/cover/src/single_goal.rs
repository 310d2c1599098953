//! Single-goal queries: one goal at a time, each with a formula restricted to the paths to the goal, and a separate
//! solver.
//!
//! **Idea.** The formula of a procedure is about all its blocks, and a solver that holds it decides branches that
//! lead elsewhere and learns about them, even if the query is about one goal. Here a formula describes only the paths
//! to one of the goal's blocks (its cone of influence), without blocks that are known to be infeasible, and the
//! solver has seen no other formula. The inputs of a model are executed.
//!
//! **Example.** For a goal in the `then` arm of the third of ten branches the formula has the first two branches and
//! that arm; the other seven branches do not occur.
//!
//! The queries are in a queue, in the order of the program. One that reaches its time limit goes to the end of the
//! queue with twice the limit, so that hard goals do not delay easy ones. Its solver is kept with what it has
//! learned, unless the formula has become smaller because blocks on the paths were found to be infeasible. Where time
//! does not help, the paths to the block are split (`cube_split.rs`). So a goal has *parts*, at first its blocks; it
//! is infeasible when there is no run in any of them. A goal waits while a dominating goal is open, one that all its
//! runs pass: if that one is infeasible, so is it.
//!
//! Sessions on the same procedure (`portfolio.rs`) share a queue: each takes the next query when it is done with its
//! last.
//!
//! **Direction of error.** None: a goal that is not decided in time is left open. So is a goal that the run of a
//! model's inputs misses, because the run also asks for other values; it is not asked about again.

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

/// The time limit of the first query about a part.
const FIRST_LIMIT: Duration = Duration::from_millis(500);
/// A part that is not decided within this time is split if possible.
const PATIENCE: Duration = Duration::from_secs(4);
/// How many times it is split at once, as one half is often as hard as the whole.
const HALVINGS: u32 = 2;
/// The limit on splits of a part, which bounds the time where nothing else does.
const MAX_HALVED: u32 = 8;
/// The limit on solvers that are kept, which bounds the memory.
const MAX_KEPT: usize = 32;

/// The queue of queries.
pub(super) struct Queue {
    /// The terms of the procedure, the base of the formulas' layers.
    base: Arc<Terms>,
    /// The variables whose initial values matter.
    inputs: Vec<SymbolId>,
    waiting: Mutex<Waiting>,
    /// Signalled when a query was put back, or was finished.
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    parts: VecDeque<Part>,
    /// For goals in the queue: how many of their parts may have runs.
    left: FxHashMap<usize, usize>,
    /// The number of parts that are being asked about.
    taken: usize,
}

/// A set of paths to a block of a goal.
struct Part {
    goal: usize,
    block: BlockId,
    /// Blocks that the paths avoid.
    without: FxHashSet<BlockId>,
    /// How many times it was split.
    halved: u32,
    /// The time limit of the next query.
    limit: Duration,
    /// The last formula.
    kept: Option<Formula>,
}

/// A formula about a part, in a solver.
struct Formula {
    /// The arena of its terms.
    terms: Terms,
    /// A solver that has the formula; or an answer if no query is needed.
    solver: Result<Box<dyn Solver>, Answer>,
    /// How many blocks before the part's block were left out of it.
    left_out: usize,
    /// The branches that it mentions.
    mentioned: FxHashSet<BlockId>,
}

/// Asks about parts of goals until no query is left or the time is over.
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
    /// Queries about all blocks of all open goals.
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

    /// Takes the next query; waits while other sessions ask queries that may be put back. `None` when there is
    /// nothing left to ask.
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

    /// Updates the queue and the session by an answer.
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
    /// Records that a part of a goal has no run; returns whether the goal has none at all.
    fn falls(&mut self, goal: usize) -> bool {
        let Some(left) = self.left.get_mut(&goal) else { return false };
        *left -= 1;
        *left == 0
    }

    /// Appends the parts that are left of a part to the queue; if there are none, nothing is known about the goal.
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

    /// Removes a goal from the queue.
    fn give_up(&mut self, goal: usize) {
        self.left.remove(&goal);
        self.parts.retain(|part| part.goal != goal);
    }
}

/// A part that was taken; when this is dropped, the part was put back or is finished.
struct Taken<'q>(&'q Queue);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.waiting().taken -= 1;
        self.0.changed.notify_all();
    }
}

impl Part {
    /// All paths to a block.
    fn all(goal: usize, block: BlockId) -> Part {
        Part { goal, block, without: FxHashSet::default(), halved: 0, limit: FIRST_LIMIT, kept: None }
    }

    /// The parts to be asked about after a query that reached its time limit; none if it already had as much time as
    /// possible.
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

    /// Parts that are together equal to this one; `mentioned` are the branches that matter.
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

    /// A formula about the paths in a solver: the last one, or a new one.
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

/// Whether each block of a goal has a dominator that is a block of another open goal in the queue.
fn waits(s: &Session, i: usize, asked_about: &FxHashMap<usize, usize>) -> bool {
    let dominators = s.dominators();
    let is_open = |b: BlockId| s.goals_at(b).iter().any(|j| asked_about.contains_key(j));
    let mut blocks = s.goals[i].blocks.iter();
    blocks.all(|b| std::iter::successors(dominators[b.index()], |up| dominators[up.index()]).any(is_open))
}
