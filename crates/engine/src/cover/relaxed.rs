//! Goals one by one, over reals first.
//!
//! Where a question about all open goals is too hard, each goal is asked about alone, with the integers of the
//! formula relaxed to reals (`vc/relax.rs`). A refutation counts, and what is refuted is asserted, so that
//! later refutations build on it. A model's path is asked about over integers: that is a conjunction, and if
//! it has a solution, it is a test. If not, those blocks of the path that contradict each other are excluded
//! together, and the relaxed question is asked again (a loop of abstraction and refinement, as in lazy approaches
//! to satisfiability modulo theories; de Moura, Rueß, Sorea: Lazy Theorem Proving for Bounded Model Checking over
//! Infinite Domains, CADE 2002).
//!
//! Goals are taken in the order of the blocks. The time for each question is small at first and grows with each
//! round, so that hard goals do not keep easy ones waiting.
//!
//! **Direction of error:** none; what has no answer in time is left open.

use std::time::{Duration, Instant};

use footpath_ir::BlockId;
use footpath_smt::{Answer, Solver};
use footpath_term::{Op, TermId};

use super::session::{Session, Status};
use super::{CoverError, Encoding};
use crate::vc::relax::Relaxation;

/// Time for a question in the first round; it grows by [`GROWTH`] from round to round.
const FIRST_LIMIT: Duration = Duration::from_secs(2);
const GROWTH: u32 = 4;
/// Rounds after which it ends.
const ROUNDS: u32 = 3;
/// Time for a question about one path over integers.
const PATH_LIMIT: Duration = Duration::from_millis(500);
/// How many questions make the reason for a path's refutation smaller, and the time for each.
const SHRINKING: u32 = 24;
const SHRINKING_LIMIT: Duration = Duration::from_millis(50);
/// How many paths of a goal are asked about in a round.
const PATHS: usize = 16;

/// Tries to decide the open goals, at most for a time.
pub(super) fn run(s: &mut Session, share: Option<Duration>) -> Result<(), CoverError> {
    let end = share.map(|share| Instant::now() + share);
    let mut relaxation = Relaxation::default();
    let mut formula = s.theory.expand(&mut s.terms, &s.vc.constraints);
    formula.extend(s.theory.relevant(&mut s.terms, &formula).formulas);
    let relaxed = relaxation.relax(&mut s.terms, &formula);
    // What the literals of the paper's encoding say is more than that a block is reached.
    if !relaxation.has_reals() || s.options.encoding != Encoding::Merged {
        return Ok(());
    }
    let mut solver = s.open_solver("reals")?;
    for t in relaxed {
        // What is left out weakens the formula further.
        let _ = solver.assert(&s.terms, t);
    }
    let mut reals = Reals { solver, end };
    for i in 0..s.goals.len() {
        if s.goals[i].status == Status::Infeasible {
            reals.never(s, i);
        }
    }
    let mut limit = FIRST_LIMIT;
    for _ in 0..ROUNDS {
        let mut open = s.open_goals();
        if open.is_empty() {
            break;
        }
        open.sort_by_key(|&i| s.goals[i].blocks.first().copied());
        for i in open {
            if s.goals[i].status == Status::Open && !reals.is_over(s) {
                reals.decide(s, i, limit)?;
            }
        }
        limit *= GROWTH;
    }
    s.count(&reals.solver.statistics());
    Ok(())
}

/// The relaxed formula in a solver.
struct Reals {
    solver: Box<dyn Solver>,
    end: Option<Instant>,
}

impl Reals {
    fn is_over(&self, s: &Session) -> bool {
        s.is_over() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Asks about a goal, and about the paths that the answers suggest.
    fn decide(&mut self, s: &mut Session, i: usize, limit: Duration) -> Result<(), CoverError> {
        for _ in 0..PATHS {
            if self.is_over(s) || s.goals[i].status != Status::Open {
                break;
            }
            match self.check(s, &[s.goals[i].covered], limit) {
                Answer::Unsat => {
                    s.settle(&[i], &Status::Infeasible);
                    if !s.goals[i].unreachable {
                        let reach = s.goals[i].blocks.iter().map(|b| s.vc.reach[b.index()]);
                        let reach: Vec<TermId> = reach.collect();
                        let passed = s.terms.app(Op::Or, reach);
                        s.goals[i].unreachable = self.check(s, &[passed], limit).is_unsat();
                    }
                    let never = self.never(s, i);
                    s.assert(never);
                }
                Answer::Sat => {
                    if !self.try_path(s, i)? {
                        break;
                    }
                }
                Answer::Unknown(_) => break,
            }
        }
        Ok(())
    }

    /// Asks about the path of the current model to a goal over integers; `false` if there is no answer. Where every
    /// run returns, what follows the goal is left open.
    fn try_path(&mut self, s: &mut Session, i: usize) -> Result<bool, CoverError> {
        let truths = self.solver.truths(&s.terms, &s.vc.reach);
        let mut on_path: Vec<BlockId> =
            s.unit.body.block_ids().filter(|b| truths[b.index()] == Some(true)).collect();
        if s.every_run_returns() {
            let end = on_path.iter().rposition(|b| s.goals[i].blocks.contains(b));
            on_path.truncate(end.map_or(on_path.len(), |end| end + 1));
        }
        let mut path: Vec<TermId> = on_path.iter().map(|b| s.vc.reach[b.index()]).collect();
        path.retain(|&r| s.terms.as_bool(r).is_none());
        path.dedup();
        match s.ask_any(&path, Some(PATH_LIMIT)) {
            Answer::Sat => {
                s.take_model()?;
                Ok(true)
            }
            Answer::Unsat => {
                let core = shrink(s, path);
                let together = s.terms.app(Op::And, core);
                let not = s.terms.app(Op::Not, [together]);
                Ok(self.solver.assert(&s.terms, not).is_ok())
            }
            Answer::Unknown(_) => Ok(false),
        }
    }

    fn check(&mut self, s: &Session, assumptions: &[TermId], limit: Duration) -> Answer {
        let limit = s.time_left().map_or(limit, |left| left.min(limit));
        self.solver.set_timeout(Some(limit));
        self.solver.check(&s.terms, assumptions)
    }

    /// Takes note that a goal is infeasible.
    fn never(&mut self, s: &mut Session, i: usize) -> TermId {
        let covered = s.goals[i].covered;
        let never = s.terms.app(Op::Not, [covered]);
        let _ = self.solver.assert(&s.terms, never);
        never
    }
}

/// After a refutation of literals: fewer of them that contradict each other. Parts are left out, half of them first,
/// then smaller ones, as in delta debugging (Zeller, Hildebrandt, 2002), as long as questions are left.
fn shrink(s: &mut Session, path: Vec<TermId>) -> Vec<TermId> {
    let core_of = |s: &mut Session, all: Vec<TermId>| -> Vec<TermId> {
        let core = s.solver.core();
        all.into_iter().filter(|t| core.contains(t)).collect()
    };
    let mut core = core_of(s, path);
    let mut part = core.len().div_ceil(2);
    let mut questions = SHRINKING;
    while part > 0 {
        let mut at = 0;
        while at < core.len() && questions > 0 {
            questions -= 1;
            let end = (at + part).min(core.len());
            let rest = [&core[..at], &core[end..]].concat();
            if s.ask_any(&rest, Some(SHRINKING_LIMIT)).is_unsat() {
                core = core_of(s, rest);
            } else {
                at = end;
            }
        }
        part /= 2;
    }
    core
}
