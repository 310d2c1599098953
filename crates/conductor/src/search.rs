//! The search for tests of a function, by the concolic engine.
//!
//! It goes in rounds, each with longer runs than the one before: what a short run reaches, such as the body of a loop
//! that serves requests for ever, is found at a fraction of the cost. A round that cut no run short is the last one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use footpath_engine::concolic::{self, Bound, Exploration, GoalScope};
use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_ir::Program;

use crate::Event;
use crate::function::Context;
use crate::guidance;
use crate::guide::LoopGuide;
use crate::kept;

/// Part of a function's time that the search for tests may take; proofs get the rest.
const SEARCH_SHARE: f64 = 0.6;
/// Statements and jumps of a run, round by round, and the part of the time that is left for the round.
const ROUNDS: [(u64, f64); 3] = [(10_000, 0.5), (200_000, 0.6), (2_000_000, 1.0)];

/// Explores a function, or all that a program runs through. Also says whether runs were left out that verification
/// says of that nothing on them fails.
pub(crate) fn search(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
) -> Result<(Exploration, bool), concolic::ExploreError> {
    let is_kept = context.guidance.is_none();
    if let Some(found) = kept::recall(context, function, harness).filter(|_| is_kept) {
        return Ok((found, false));
    }
    let guided = context.guidance.as_ref().and_then(|g| g.program(function));
    let program = guided.as_ref().map_or(&context.compiled.lowered.program, |g| &g.program);
    let mut found = search_in(program, context, function, harness)?;
    if let Some(searches) = context.searches.filter(|_| is_kept && !context.stop.load(Ordering::Relaxed)) {
        kept::keep(searches, harness, &found);
    }
    if let Some(guided) = &guided {
        guidance::in_source(&mut found, guided);
    }
    Ok((found, guided.is_some_and(|g| g.prunes)))
}

fn search_in(
    program: &Program,
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
) -> Result<Exploration, concolic::ExploreError> {
    let whole = context.options.entry.is_some();
    let procedures = if whole { context.user_procedures() } else { vec![function.procedure] };
    if let Some(options) = &context.options.exploration {
        let options = concolic::Options { goals_in: GoalScope::Procedures(procedures), ..options.clone() };
        let tell = |e| (context.events)(Event::Exploring(function.name.clone(), e));
        let start = (harness.procedure, 0);
        let guide = LoopGuide { program, start };
        return concolic::explore_guided(program, start.0, 0, &options, Some(&guide), context.stop, &tell);
    }
    let total = context.options.timeout.mul_f64(SEARCH_SHARE);
    let started = Instant::now();
    let mut found: Option<Exploration> = None;
    for (steps, share) in ROUNDS {
        let left = total.saturating_sub(started.elapsed());
        let mut options = concolic::Options {
            goals_in: GoalScope::Procedures(procedures.clone()),
            endless: true,
            stop_when_covered: true,
            seed: context.options.seed,
            ..concolic::Options::default()
        };
        options.bounds.steps = steps;
        options.bounds.time = Some(left.mul_f64(share));
        let least = if whole { left.mul_f64(share / 2.0) } else { Duration::ZERO };
        let patience = Patience::new(context.stop, least);
        let round = concolic::explore(program, harness.procedure, 0, &options, &patience.stop, &|e| {
            patience.see(&e);
        })?;
        let is_last = round.bounds_hit.count(Bound::Steps) == 0;
        let all = join(found.take(), round);
        let done = is_last || all.goals.iter().all(|g| g.covered_by.is_some());
        found = Some(all);
        if done || context.stop.load(Ordering::Relaxed) || started.elapsed() >= total {
            break;
        }
    }
    found.ok_or_else(|| concolic::ExploreError::Invalid("there was no time for a search".to_owned()))
}

/// Two rounds as one. What is exhausted was so in the later one, whose runs are longer.
fn join(earlier: Option<Exploration>, mut later: Exploration) -> Exploration {
    let Some(mut earlier) = earlier else { return later };
    let shift = earlier.tests.len();
    for (goal, old) in later.goals.iter_mut().zip(&earlier.goals) {
        goal.covered_by = old.covered_by.or(goal.covered_by.map(|t| t + shift));
        goal.returned_by = old.returned_by.or(goal.returned_by.map(|t| t + shift));
    }
    earlier.tests.append(&mut later.tests);
    later.tests = earlier.tests;
    later.bounds_hit.add(&earlier.bounds_hit);
    let (sum, add) = (&mut later.statistics, &earlier.statistics);
    sum.paths += add.paths;
    sum.classes.add(&add.classes);
    sum.runs += add.runs;
    sum.concrete_runs += add.concrete_runs;
    sum.queries += add.queries;
    sum.solver_time += add.solver_time;
    later.notes.extend(earlier.notes);
    later.notes.dedup();
    later
}

/// Ends a search that has covered nothing new for a while: as long as it took to get where it is, at least
/// [`PATIENCE`].
struct Patience<'a> {
    least: Duration,
    outer: &'a AtomicBool,
    stop: AtomicBool,
    started: Instant,
    last: Mutex<(usize, Duration)>,
}

/// See [`Patience`].
const PATIENCE: Duration = Duration::from_millis(1500);

impl<'a> Patience<'a> {
    fn new(outer: &'a AtomicBool, least: Duration) -> Patience<'a> {
        Patience {
            least: least.max(PATIENCE),
            outer,
            stop: AtomicBool::new(false),
            started: Instant::now(),
            last: Mutex::new((0, Duration::ZERO)),
        }
    }

    fn see(&self, event: &concolic::Event) {
        let concolic::Event::Progress { covered, .. } = event else { return };
        let now = self.started.elapsed();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if *covered > last.0 {
            *last = (*covered, now);
        }
        if now > 2 * last.1 + self.least || self.outer.load(Ordering::Relaxed) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
