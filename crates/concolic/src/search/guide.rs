//! Pruning by necessary conditions: what other analyses know about a goal that the search does not reach.
//!
//! **Idea.** A place behind loops may be reached by few paths through them, or by none, and a search that tries one
//! path after the other does not see that. A necessary condition of the place, for any number of loop iterations,
//! helps: an arm whose path contradicts it cannot lead there, and a condition without a model ends the search for
//! that place. How such conditions are computed is not known to this crate; it asks for them through [`Guide`], and
//! only after many queries in a row have covered nothing.
//!
//! Example: for a place that is only reached with `2 * n == sum`, every arm whose path implies that `sum` is odd is
//! pruned.
//!
//! **Paper.** J. Strejček, M. Trtík, "Abstracting path conditions" (ISSTA 2012, section 8).
//!
//! **Direction of error.** That of the guide. Inputs that it proposes become runs like all others. If arms were
//! pruned by its conditions, nothing is claimed about what was not found, except by the guide itself.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_ir::interp::Script;
use footpath_ir::{Origin, Place};
use footpath_smt::{Profile, Solver};
use footpath_term::{TermId, Terms};
use footpath_virtual_time::{Deadline, Stopwatch};

use super::Search;
use super::solvers::open_solver;
use crate::execution_tree::{Arm, ArmId};
use crate::report::{ExploreError, GoalKind};

/// The largest amount of time for one place, and its fraction of the remaining time.
const TIME: Duration = Duration::from_secs(10);
const SHARE: f64 = 0.3;
/// The fraction of an exploration's time without anything new after which the guide is asked, however few queries
/// there were.
const PATIENCE: f64 = 0.2;
/// Places without an answer of which conditions are asked along with each arm, at most.
const CONDITIONS: usize = 2;
/// Time for a query whether an arm contradicts a condition.
const QUERY: Duration = Duration::from_millis(300);
/// After this many queries that pruned nothing, no more are asked.
const USELESS: u32 = 100;

/// What a guide knows about a place.
pub enum Guidance {
    /// No run reaches it.
    Unreachable,
    /// These inputs may reach it.
    Inputs(Box<Script>),
    /// Every run that reaches it satisfies this at its start: a formula over the variables of the start, with other
    /// symbols as it needs them, in a layer over the program's terms.
    Necessary(Box<Terms>, TermId),
    /// Nothing.
    Nothing,
}

/// Another analysis that the search can ask about places that it does not reach.
pub trait Guide {
    /// What can be found out about a place within the given time.
    fn guide(&self, place: Origin, time: Duration, stop: &AtomicBool) -> Guidance;
}

/// What the guide has told the search.
#[derive(Default)]
pub(super) struct Guided {
    /// For each goal whether the guide was asked.
    asked: Vec<bool>,
    /// Conditions of goals, with the solver that holds each.
    conditions: Vec<(usize, Box<dyn Solver>)>,
    /// The number of queries when something was last covered, the number of covered goals, and the time.
    last: (u64, usize, Option<Stopwatch>),
    useless: u32,
}

impl Guided {
    /// Whether no conditions are known.
    pub(super) fn is_idle(&self) -> bool {
        self.conditions.is_empty()
    }
}

impl Search<'_> {
    /// Asks the guide about uncovered goals, if the search has covered nothing for long enough.
    pub(super) fn consult(&mut self) -> Result<(), ExploreError> {
        let (Some(guide), after) = (self.guide, self.options.guide_after) else { return Ok(()) };
        if after == 0 {
            return Ok(());
        }
        let score = self.score();
        if score != self.guided.last.1 || self.guided.last.2.is_none() {
            self.guided.last = (self.statistics.asked, score, Some(Stopwatch::start()));
        }
        // A query whose run loops forever counts as many.
        let patience = self.options.bounds.time.map(|t| t.mul_f64(PATIENCE));
        let late = patience.zip(self.guided.last.2).is_some_and(|(p, last)| last.elapsed() > p);
        if self.statistics.asked - self.guided.last.0 < after && !late {
            return Ok(());
        }
        self.guided.asked.resize(self.goals.list.len(), false);
        for number in 0..self.goals.list.len() {
            let goal = &self.goals.list[number];
            let is_start = matches!(goal.origin.place, Place::Segment { first: 0, .. });
            let open = !self.covered[number] && !goal.ruled_out;
            if self.guided.asked[number] || !open || !is_start || matches!(goal.kind, GoalKind::Failure(_)) {
                continue;
            }
            if self.is_over() {
                break;
            }
            self.guided.asked[number] = true;
            let left = self.deadline.map_or(TIME, Deadline::left);
            let time = left.mul_f64(SHARE).min(TIME);
            let place = self.goals.list[number].origin;
            match guide.guide(place, time, self.stop) {
                Guidance::Unreachable if self.goals.list[number].visited => {
                    let what = &self.goals.list[number].name;
                    return Err(ExploreError::Internal(format!(
                        "{what} was called unreachable, but reached"
                    )));
                }
                Guidance::Unreachable => self.rule_out(place),
                Guidance::Inputs(script) => {
                    self.statistics.proposed += 1;
                    self.run_script(&script)?;
                }
                Guidance::Necessary(from, condition) => self.keep(number, &from, condition),
                Guidance::Nothing => {}
            }
        }
        Ok(())
    }

    /// Rules out all places of a block whose start is unreachable.
    fn rule_out(&mut self, start: Origin) {
        let same = |at: Origin| {
            let block = at.place.block();
            (at.procedure, at.body, block) == (start.procedure, start.body, start.place.block())
        };
        for goal in self.goals.list.iter_mut().filter(|goal| same(goal.origin) && !goal.ruled_out) {
            goal.ruled_out = true;
            self.statistics.ruled_out += 1;
        }
    }

    /// Keeps a necessary condition, against which arms are checked.
    fn keep(&mut self, goal: usize, from: &Terms, condition: TermId) {
        let shared = self.program.terms.shared();
        let copied = self.terms.adopt(from, shared, &[condition], &mut Default::default());
        let Some(condition) = copied.first().copied().flatten() else { return };
        if self.guided.conditions.len() >= CONDITIONS {
            return;
        }
        let Ok(mut solver) = open_solver(self.options, Profile::Decide) else { return };
        if solver.assert(&self.terms, condition).is_ok() {
            self.guided.conditions.push((goal, solver));
        }
    }

    /// Whether an arm contradicts the conditions of all that is uncovered.
    pub(super) fn leads_nowhere(&mut self, arm: ArmId) -> bool {
        self.guided.conditions.retain(|(goal, _)| !self.covered[*goal]);
        let list = self.goals.list.iter().enumerate();
        let open = list.filter(|(g, goal)| !self.covered[*g] && !goal.ruled_out);
        let known = |g: &usize| self.guided.conditions.iter().any(|(goal, _)| goal == g);
        let mut open = open.map(|(g, _)| g).peekable();
        if self.guided.useless >= USELESS || open.peek().is_none() || !open.all(|g| known(&g)) {
            return false;
        }
        let (conditions, ..) = self.conditions(arm);
        let refuted = self.guided.conditions.iter_mut().all(|(_, solver)| {
            solver.set_timeout(Some(QUERY));
            solver.check(&self.terms, &conditions).is_unsat()
        });
        if refuted {
            self.statistics.pruned += 1;
            self.guided.useless = 0;
            self.doubtful = true;
            self.tree.set(arm, Arm::Closed);
        } else {
            self.guided.useless += 1;
        }
        refuted
    }
}
