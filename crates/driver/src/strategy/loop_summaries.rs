//! Loop summaries of functions: deep runs, and proofs for any number of loop iterations, for places that resist the search.
//!
//! **Idea.** A search follows one path after the other, so it does not come to a place that needs thousands of iterations.
//! The necessary condition of the place says how often loops must iterate: a model of it is an input, which the interpreter
//! runs and which becomes a test like all others. Where the condition has no model, no run reaches the place.
//!
//! Example: `while (i < n) { i++; s += 3; } if (s == 12005)` with `s = 5` before is reached by `n = 4000` only, which the
//! condition `s = 5 + 3 * κ` gives at once.
//!
//! **Direction of error.** None: what is reached is run, and proofs are about any state in which the function may be called,
//! in the program for proofs.

use std::time::Duration;

use footpath_concolic::{ConcolicTest, Exploration, GoalKind, TestClass};
use footpath_frontend::c::{Harness, Lowered};
use footpath_ir::interp::{Limits, Outcome, Replay, Script};
use footpath_ir::{BlockId, Body, Origin, Place, ProcId, Program};
use footpath_loop_summaries as loops;
use footpath_loop_summaries::Spot;
use footpath_verdict::{GoalId, Method};
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::function::proof;
use crate::objectives::{Target, targets};
use crate::pipeline::Found;
use crate::result::{Class, ObjectiveKind};
use crate::strategy::bounded_proof::{LEAST, key};
use crate::strategy::replay::STEPS;

/// Into so many parts at most the time that is left is divided, of which a place gets one.
const MOST_SHARES: usize = 3;
/// Part of the time of a place that is for runs; the rest is for a proof.
const RUNS_SHARE: f64 = 0.6;
/// The largest number of loop iterations that are unfolded for a proof, for a run, and for a run that is easily found.
const MAX_UNFOLD: u64 = 16;
const MAX_UNFOLD_FOR_RUNS: u64 = 200;
const QUICK_UNFOLD: u64 = 8;

/// Whether a function, or anything that it calls, has a loop.
pub(crate) fn has_loop(program: &Program, procedure: ProcId) -> bool {
    program.reachable(&[procedure]).into_iter().flat_map(|p| &program[p].bodies).any(is_cyclic)
}

fn is_cyclic(body: &Body) -> bool {
    // 0: not seen, 1: on the path, 2: done.
    let mut state = vec![0_u8; body.blocks.len()];
    for root in body.block_ids() {
        let mut stack = vec![(root, false)];
        while let Some((block, is_left)) = stack.pop() {
            match (is_left, state[block.index()]) {
                (true, _) => state[block.index()] = 2,
                (false, 0) => {
                    state[block.index()] = 1;
                    stack.push((block, true));
                    for next in body[block].terminator.successors() {
                        match state[next.index()] {
                            0 => stack.push((next, false)),
                            1 => return true,
                            _ => {}
                        }
                    }
                }
                (false, _) => {}
            }
        }
    }
    false
}

/// A function whose places are asked about.
pub(crate) struct Subject<'c> {
    pub(crate) context: &'c Context<'c>,
    pub(crate) index: usize,
    pub(crate) harness: &'c Harness,
    /// What is asked.
    pub(crate) ask: Ask,
}

/// What is asked about places.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// For runs to code: a question or two for each place, where an input follows from how often loops must iterate.
    Runs,
    /// For runs to everything, and for proofs.
    All,
}

impl Subject<'_> {
    /// Asks about the open places; runs that reach them are added to the exploration, and what is proved is returned.
    pub(crate) fn ask(
        &self,
        open: &[(GoalId, &Target)],
        exploration: &mut Exploration,
        time: Duration,
    ) -> Found {
        let deadline = Deadline::after(time);
        let mut found = Found::new();
        let is_check = |target: &Target| matches!(target.objective.kind, ObjectiveKind::Check(_));
        let places = |checks: bool| {
            let is_meant = move |target: &Target| {
                is_check(target) == checks && target.objective.class != Class::Compiler
            };
            open.iter().filter(move |(_, target)| is_meant(target))
        };
        // Code is first: that a check fails after very many iterations is the least likely of all.
        let asked: Vec<_> = places(false).chain(places(true).filter(|_| self.ask == Ask::All)).collect();
        for (i, (goal, target)) in asked.iter().enumerate() {
            let left = deadline.left();
            if left < LEAST || self.context.stop.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
            let Place::Segment { block, first: 0 } = target.origin.place else { continue };
            let is_goal = |g: &&footpath_concolic::Goal| g.origin == target.origin;
            // What a run has come to by now, or what every path was tried for, is settled.
            if exploration.goals.iter().find(is_goal).is_none_or(|g| g.covered_well || g.ruled_out) {
                continue;
            }
            let time = left / MOST_SHARES.min(asked.len() - i) as u32;
            let runs = if self.ask == Ask::Runs { time } else { time.mul_f64(RUNS_SHARE) };
            let end = Deadline::after(time);
            let spot = Spot { procedure: target.origin.procedure, body: target.origin.body, block };
            if self.run_to(spot, exploration, runs) || self.ask == Ask::Runs {
                continue;
            }
            if self.is_never_reached(target, end.left()) {
                found.push((*goal, proof(Method::LoopSummary, target)));
            }
        }
        found
    }

    /// Looks for a run to a place, from short inputs first; whether one was added.
    fn run_to(&self, spot: Spot, exploration: &mut Exploration, time: Duration) -> bool {
        let deadline = Deadline::after(time);
        let program = &self.context.compiled.lowered.program;
        let starts = [Some(self.harness.procedure), self.harness.longer];
        for start in starts.into_iter().flatten() {
            let left = deadline.left();
            let is_last = self.harness.longer.is_none_or(|longer| longer == start);
            let options = loops::Options {
                timeout: Some(if is_last { left } else { left.mul_f64(RUNS_SHARE) }),
                proofs: false,
                induction: false,
                max_unfold: if self.ask == Ask::Runs { QUICK_UNFOLD } else { MAX_UNFOLD_FOR_RUNS },
                ..loops::Options::default()
            };
            let reached = loops::reach(program, start, 0, spot, &options, self.context.stop);
            if let Ok(loops::Reach { verdict: loops::Verdict::Reached(test), .. }) = reached
                && self.add(start, spot, test.script, exploration)
            {
                return true;
            }
        }
        false
    }

    /// Runs a script, and adds its test if the run comes to the place.
    fn add(&self, start: ProcId, spot: Spot, script: Script, exploration: &mut Exploration) -> bool {
        let mut replay = Replay::new(&script);
        let limits = Limits { steps: STEPS, ..Limits::default() };
        let run = self.context.prepared.interpreter().run(start, 0, &mut replay, &limits);
        let class = match run.outcome {
            Outcome::Returned => TestClass::Successful,
            Outcome::Failed { .. } => TestClass::Failing,
            _ => return false,
        };
        let passed: FxHashSet<(ProcId, u32, BlockId)> =
            run.path.iter().map(|step| (step.procedure, step.body, step.block)).collect();
        if !passed.contains(&(spot.procedure, spot.body, spot.block)) {
            return false;
        }
        let number = exploration.tests.len();
        let mut covers = Vec::new();
        for (i, goal) in exploration.goals.iter_mut().enumerate() {
            let Origin { procedure, body, place } = goal.origin;
            let Place::Segment { block, first: 0 } = place else { continue };
            if !matches!(goal.kind, GoalKind::Failure(_)) && passed.contains(&(procedure, body, block)) {
                covers.push(i);
                goal.covered_by.get_or_insert(number);
                goal.covered_well = true;
            }
        }
        let steps = run.path.len() as u64;
        let test = ConcolicTest {
            script,
            outcome: run.outcome,
            covers,
            class,
            decisions: 0,
            steps,
            conditions: None,
            decided_by: Vec::new(),
        };
        exploration.tests.push(test);
        true
    }

    /// Whether no state leads to a place: all places of the program for proofs that look the same.
    fn is_never_reached(&self, target: &Target, time: Duration) -> bool {
        let lowered: &Lowered = self.context.compiled.proof_program();
        let Some(subject) = lowered.functions.get(self.index).filter(|f| f.degraded.is_none()) else {
            return false;
        };
        let deadline = Deadline::after(time);
        let wanted = key(target);
        let all = targets(&lowered.program, subject, &self.context.options.lowering.checks);
        let mut same = all.iter().filter(|t| key(t) == wanted).map(|t| t.origin).peekable();
        let is_proved = |place: Origin| {
            let left = deadline.left();
            let options =
                loops::Options { timeout: Some(left), max_unfold: MAX_UNFOLD, ..loops::Options::default() };
            let (program, stop) = (&lowered.program, self.context.stop);
            left >= LEAST
                && loops::prove_unreachable(program, subject.procedure, 0, place, &options, stop) == Ok(true)
        };
        same.peek().is_some() && same.all(is_proved)
    }
}
