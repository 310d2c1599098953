//! One goal at a time, each with a formula and a solver of its own.
//!
//! The formula of a procedure is about all its blocks, and a solver that holds it decides branches that lead elsewhere
//! and learns about them, even if one goal is asked about. Here a formula has no more in it than the ways to the goal's
//! blocks, without blocks that are known to be infeasible, and the solver has seen no other. A model's inputs are run.
//!
//! The goals stand in a queue, in the order of the program. A question that runs out of time goes to its end with twice
//! the time, so that hard goals do not keep easy ones waiting. Its solver is kept, and goes on with what it has learned,
//! unless the formula has become smaller because blocks on the way were found to be infeasible. A goal waits while
//! another is open that its runs must pass: if that one falls, so does it.
//!
//! **Direction of error:** none; what is not decided in time is left open, as is a goal that the model's inputs miss
//! because the run also asks for other values; such a goal is not asked about again.

use std::collections::VecDeque;
use std::time::Duration;

use footpath_ir::BlockId;
use footpath_smt::{Answer, Solver, Unknown};
use footpath_term::SymbolId;
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

/// The goals that are asked about, and what is left of earlier questions.
struct Alone {
    /// Open goals, with the time for the next question about each.
    queue: VecDeque<(usize, Duration)>,
    /// For blocks: the solver that was asked, and how many of the blocks before were known to be infeasible then.
    kept: FxHashMap<BlockId, (usize, Box<dyn Solver>)>,
    /// The variables whose initial values matter.
    inputs: Vec<SymbolId>,
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
        while !s.is_over()
            && let Some((i, limit)) = self.queue.pop_front()
        {
            if s.goals[i].status != Status::Open {
                for b in &s.goals[i].blocks {
                    self.kept.remove(b);
                }
                continue;
            }
            let most = s.options.query_timeout.unwrap_or(Duration::MAX);
            let limit = limit.min(most);
            let again = waits(s, i) || self.decide(s, i, limit)?;
            if again && limit < most {
                self.queue.push_back((i, limit.saturating_mul(2)));
            }
        }
        Ok(())
    }

    /// Asks for a run to each block of a goal, and excludes the goal if there is none. Whether more time may help.
    fn decide(&mut self, s: &mut Session, i: usize, limit: Duration) -> Result<bool, CoverError> {
        for b in s.goals[i].blocks.clone() {
            match self.ask(s, b, limit)? {
                Answer::Unsat => {}
                answer => return Ok(answer == Answer::Unknown(Unknown::Timeout)),
            }
        }
        exclude(s, i);
        Ok(false)
    }

    /// Asks for a run to a block.
    fn ask(&mut self, s: &mut Session, b: BlockId, limit: Duration) -> Result<Answer, CoverError> {
        let dead = dead(s);
        let left_out = dead.iter().filter(|&&d| d < b).count();
        let earlier = self.kept.remove(&b).filter(|kept| kept.0 == left_out);
        let mut solver = match earlier {
            Some((_, solver)) => solver,
            None => {
                let state = State::initial(&mut s.terms, &s.program.old_symbols());
                let (reach, mut formula) =
                    merged::encode_window(&s.unit, &mut s.terms, BlockId(0), b, state, &dead);
                if s.terms.as_bool(reach) == Some(false) {
                    return Ok(Answer::Unsat);
                }
                formula.push(reach);
                let mut formula = s.theory.expand(&mut s.terms, &formula);
                formula.extend(s.theory.relevant(&mut s.terms, &formula).formulas);
                let mut solver = s.open_solver("alone")?;
                for t in formula {
                    if let Err(unsupported) = solver.assert(&s.terms, t) {
                        return Ok(Answer::from(unsupported));
                    }
                }
                solver
            }
        };
        let before = solver.statistics();
        solver.set_timeout(Some(s.time_left().map_or(limit, |left| left.min(limit))));
        let answer = solver.check(&s.terms, &[]);
        s.count(&solver.statistics().since(&before));
        match answer {
            Answer::Sat => {
                let script = random::script_of(s, &self.inputs, &mut *solver);
                random::run_script(s, script);
            }
            Answer::Unknown(_) if self.kept.len() < MAX_KEPT => {
                self.kept.insert(b, (left_out, solver));
            }
            _ => {}
        }
        Ok(answer)
    }
}

/// Whether each block of a goal has a dominator that is a block of an open goal.
fn waits(s: &Session, i: usize) -> bool {
    let dominators = s.dominators();
    let is_open = |b: BlockId| s.goals_at(b).iter().any(|&j| s.goals[j].status == Status::Open);
    let mut blocks = s.goals[i].blocks.iter();
    blocks.all(|b| std::iter::successors(dominators[b.index()], |up| dominators[up.index()]).any(is_open))
}
