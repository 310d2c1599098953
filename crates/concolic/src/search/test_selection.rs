//! Test selection: the class of a run, and whether it becomes a test.
//!
//! A run becomes a test if it shows something new, on inputs as simple as can be found (`test_minimisation.rs`), and
//! after the reference interpreter has made the same run to the same end.
//!
//! **Direction of error.** None: a run that the reference interpreter does not repeat is an internal error, not a
//! test.

use std::sync::atomic::Ordering;

use footpath_ir::interp::{Limits, Outcome, Replay};
use footpath_ir::{AssertKind, Place};
use footpath_term::{Op, TermId};

use super::{Asker, Search};
use crate::decisions::{Decision, DecisionKind};
use crate::machine::{PathHash, RunResult};
use crate::options::Keep;
use crate::report::{ConcolicTest, DecidedBy, Event, ExploreError, GoalKind, TestClass};
use crate::test_minimisation::minimise;

/// Runs, and statements and jumps of all of them, that are spent on simpler inputs for a test that fails.
const MINIMISE_FAILING: (u32, u64) = (1_000, 500_000);
/// The same for a test that returns.
const MINIMISE_PASSING: (u32, u64) = (200, 200_000);
/// What counts for the steps of a run among these that repeats itself.
const ENDLESS: u64 = 5_000;

impl Search<'_> {
    /// Counts a run. Whether it took a path that is new.
    pub(super) fn classify(&mut self, result: &RunResult) -> bool {
        let end = match &result.outcome {
            Outcome::Failed { at, .. } | Outcome::Blocked { at } | Outcome::Stuck { at, .. } => Some(*at),
            Outcome::Returned | Outcome::OutOfSteps => None,
        };
        if result.interrupted {
            self.statistics.classes.interrupted += 1;
            return false;
        }
        // It leaves something open also if another run took the same path: of assumptions of one place, the path says nothing.
        match &result.outcome {
            Outcome::Stuck { why, .. } => {
                self.doubtful = true;
                self.note(format!("a run could not be evaluated to its end: {why}"));
            }
            Outcome::OutOfSteps if !result.repeated => self.doubtful = true,
            _ => {}
        }
        let classes = &mut self.statistics.classes;
        if !self.paths.insert((result.path, end)) {
            classes.duplicate += 1;
            return false;
        }
        match &result.outcome {
            Outcome::Returned | Outcome::Failed { kind: AssertKind::Exit, .. } if result.marked => {
                classes.failing += 1;
            }
            Outcome::Returned | Outcome::Failed { kind: AssertKind::Exit, .. }
                if self.annotated && result.unverified.is_empty() =>
            {
                classes.redundant += 1;
            }
            Outcome::Returned | Outcome::Failed { kind: AssertKind::Exit, .. } => classes.successful += 1,
            Outcome::Failed { .. } => classes.failing += 1,
            Outcome::Blocked { .. } => classes.aborted += 1,
            Outcome::OutOfSteps if result.repeated => classes.endless += 1,
            Outcome::Stuck { .. } | Outcome::OutOfSteps => classes.unfinished += 1,
        }
        true
    }

    /// The goals that a run covers.
    fn covers(&self, result: &RunResult) -> Option<(Vec<usize>, TestClass)> {
        let mut covers: Vec<usize> = result.reached.iter().map(|&g| g as usize).collect();
        match &result.outcome {
            Outcome::Returned => Some((covers, TestClass::Successful)),
            Outcome::Failed { at, .. } => {
                covers.extend(self.setup.code.goal_at(*at).map(|g| g as usize));
                covers.sort_unstable();
                covers.dedup();
                Some((covers, TestClass::Failing))
            }
            Outcome::Blocked { .. } if self.options.keep_aborted && !result.interrupted => {
                Some((Vec::new(), TestClass::Aborted))
            }
            Outcome::OutOfSteps if self.options.endless && !result.interrupted => {
                Some((covers, TestClass::Endless))
            }
            _ => None,
        }
    }

    /// Whether a run covers a goal so that no other run needs to be looked for. That a check fails is shown by any
    /// run.
    fn is_good_for(&self, result: &RunResult, goal: usize) -> bool {
        let is_failure = matches!(self.goals.list[goal].kind, GoalKind::Failure(_));
        let is_preferred = !self.options.preferred || !result.unpreferred;
        let is_defined = !self.options.defined || result.behind.binary_search(&(goal as u32)).is_err();
        is_failure || is_preferred && is_defined
    }

    /// Whether a goal is not covered yet, or not as well as by this run.
    fn is_open(&self, result: &RunResult, goal: usize) -> bool {
        let never = self.goals.list[goal].covered_by.is_none();
        !self.covered[goal] && (never || self.is_good_for(result, goal))
    }

    /// Whether a run shows something new.
    pub(super) fn is_news(&self, result: &RunResult) -> bool {
        let Some((covers, class)) = self.covers(result) else { return false };
        let unreturned = |g: &usize| self.goals.list[*g].returned_by.is_none();
        covers.iter().any(|&g| self.is_open(result, g))
            || class == TestClass::Successful && covers.iter().any(unreturned)
            || matches!(&result.outcome, Outcome::Failed { at, .. }
                if !self.failed.contains(&(*at, result.callers.clone())))
    }

    /// Makes a test of a run if it shows something new.
    pub(super) fn consider(&mut self, result: &RunResult, new_path: bool) -> Result<(), ExploreError> {
        let wanted = self.is_news(result) || self.options.keep == Keep::All && new_path;
        if cfg!(debug_assertions) && matches!(result.outcome, Outcome::Blocked { .. }) {
            self.replay(result)?;
        }
        if !wanted {
            return Ok(());
        }
        let simpler = self.minimised(result);
        let result = simpler.as_ref().unwrap_or(result);
        let Some((mut covers, class)) = self.covers(result) else { return Ok(()) };
        if !self.replay(result)? {
            return Ok(());
        }
        let number = self.tests.len();
        covers.retain(|&g| self.is_good_for(result, g) || !self.covered[g]);
        for &g in &covers {
            let is_good = self.is_good_for(result, g);
            let goal = &mut self.goals.list[g];
            if is_good && !self.covered[g] {
                // Those before passed over a preference.
                self.tests.iter_mut().for_each(|before| before.covers.retain(|other| *other != g));
                goal.covered_by = Some(number);
            }
            goal.covered_by.get_or_insert(number);
            goal.covered_well |= is_good;
            self.covered[g] |= is_good;
            if class == TestClass::Successful && goal.returned_by.is_none() {
                goal.returned_by = Some(number);
                self.returned += 1;
            }
        }
        if let Outcome::Failed { at, .. } = result.outcome {
            self.failed.insert((at, result.callers.clone()));
        }
        let is_whole = self.options.keep == Keep::All && !result.truncated;
        let conditions = is_whole.then(|| self.path(result));
        let decided_by = if is_whole { self.decided_by(result) } else { Vec::new() };
        self.tests.push(ConcolicTest {
            script: result.script.clone(),
            outcome: result.outcome.clone(),
            covers,
            class,
            decisions: result.decisions.len(),
            steps: result.steps,
            conditions,
            decided_by,
        });
        (self.events)(Event::Test(number));
        self.tell();
        Ok(())
    }

    /// A run on simpler inputs that shows all that is new in a run. Not where inputs have to satisfy axioms, nor where
    /// a test stands for its path.
    fn minimised(&mut self, result: &RunResult) -> Option<RunResult> {
        let ended = matches!(result.outcome, Outcome::Returned | Outcome::Failed { .. });
        if !ended || self.options.keep == Keep::All || matches!(self.asker, Asker::Live(_)) {
            return None;
        }
        let failing = result.outcome != Outcome::Returned;
        let (mut runs, mut steps) = if failing { MINIMISE_FAILING } else { MINIMISE_PASSING };
        let is_new = |g: &&u32| {
            self.is_open(result, **g as usize)
                || !failing && self.goals.list[**g as usize].returned_by.is_none()
        };
        let news: Vec<u32> = result.reached.iter().filter(is_new).copied().collect();
        // A bound that a candidate hits says nothing about the paths of the exploration.
        let hits = self.hits.clone();
        let mut simplest = None;
        minimise(&result.script, &mut |candidate| {
            if runs == 0 || steps == 0 || self.stop.load(Ordering::Relaxed) {
                return false;
            }
            runs -= 1;
            let run = self.execute_script(candidate, false);
            // Where a run is found to have no end depends on where it began.
            steps = steps.saturating_sub(if run.repeated { ENDLESS } else { run.steps });
            self.statistics.steps += run.steps;
            let same = run.outcome == result.outcome
                && run.unpreferred <= result.unpreferred
                && run.callers == result.callers
                && news.iter().all(|g| run.reached.binary_search(g).is_ok())
                && run
                    .behind
                    .iter()
                    .all(|g| news.binary_search(g).is_err() || result.behind.binary_search(g).is_ok());
            if same {
                simplest = Some(run);
            }
            same
        });
        self.hits = hits;
        simplest
    }

    /// The conditions under which a run takes its path. Free choices have none.
    fn path(&mut self, result: &RunResult) -> Vec<TermId> {
        let decided = result.decisions.iter().filter_map(|d| d.term.map(|term| (term, d.taken)));
        decided.map(|(term, arm)| if arm == 1 { term } else { self.terms.app(Op::Not, [term]) }).collect()
    }

    /// What decided the conditions of a path, one for each of them.
    fn decided_by(&self, result: &RunResult) -> Vec<DecidedBy> {
        let failure = match result.outcome {
            Outcome::Failed { at, .. } => Some(at),
            _ => None,
        };
        let by = |decision: &Decision| match decision.kind {
            DecisionKind::Branch => DecidedBy::Branch(decision.site.and_then(|site| {
                let arms = &self.setup.code.site(site).arms;
                self.setup.code.origin((*arms.get(decision.taken as usize)?)?)
            })),
            // A failed check ends the run.
            DecisionKind::Assert if decision.taken == 0 => {
                failure.map_or(DecidedBy::Branch(None), DecidedBy::Failure)
            }
            DecisionKind::Assert => DecidedBy::Passed,
            DecisionKind::Object => DecidedBy::Object,
            DecisionKind::Assume | DecisionKind::TryFirst => DecidedBy::Assumption,
            DecisionKind::Choice | DecisionKind::Body => DecidedBy::Branch(None),
        };
        result.decisions.iter().filter(|d| d.term.is_some()).map(by).collect()
    }

    /// Lets the reference interpreter make the same run. Whether it could.
    fn replay(&mut self, result: &RunResult) -> Result<bool, ExploreError> {
        if !self.options.replay {
            self.doubtful = true;
            return Ok(true);
        }
        let bounds = &self.options.bounds;
        // Of a run without an end both know a beginning.
        let endless = result.outcome == Outcome::OutOfSteps;
        let steps = if endless { result.steps } else { bounds.steps };
        let limits = Limits { steps: steps.saturating_mul(2), calls: bounds.calls, ..Limits::default() };
        let mut oracle = Replay::new(&result.script);
        let (root, body) = self.root;
        let run = self.setup.interpreter.run_under(root, body, &mut oracle, &limits, self.setup.axioms);
        match &run.outcome {
            Outcome::Stuck { why, .. } => {
                self.doubtful = true;
                self.note(format!("a test was found but could not be replayed: {why}"));
                return Ok(false);
            }
            Outcome::OutOfSteps if result.outcome != Outcome::OutOfSteps => {
                self.doubtful = true;
                self.note("a test was found but its replay takes too many steps".to_owned());
                return Ok(false);
            }
            _ => {}
        }
        // Functions that axioms with quantifiers constrain have values here that the exploration made up.
        let at_entry = matches!(run.outcome, Outcome::Blocked { at } if at.place == Place::Entry);
        if at_entry && run.outcome != result.outcome && !self.program.axioms.is_empty() {
            self.doubtful = true;
            self.note("a run was made, but its inputs do not satisfy the axioms".to_owned());
            return Ok(false);
        }
        if !self.from_model && !run.unchecked_axioms.is_empty() {
            self.doubtful = true;
            self.note(
                "a run was made, but whether its inputs satisfy the axioms cannot be evaluated".to_owned(),
            );
            return Ok(false);
        }
        let mut path = PathHash::default();
        for step in &run.path {
            if endless && path.length() == result.path.length() {
                break;
            }
            let first = self.setup.code.first_block(step.procedure, step.body);
            path.add(first.unwrap_or(u32::MAX / 2) + step.block.0, step.depth);
        }
        if endless && path.length() < result.path.length() {
            return Ok(false);
        }
        if run.outcome != result.outcome && !endless || path != result.path {
            return Err(ExploreError::Internal(format!(
                "a test of {} ends in {:?}, and in {:?} when the reference interpreter runs it (paths {:?}, {path:?})",
                self.program[root].name, result.outcome, run.outcome, result.path,
            )));
        }
        Ok(true)
    }
}
