//! Rounds: where the time for all functions is limited, each gets a fair share before any gets more.
//!
//! **Idea.** A function may take what is left for all, divided by how many were not begun; what quick ones leave is for later
//! ones. Then those that their share ended get more, at least twice as much as before, until they have had the full time of a
//! function or the time for all is over. Whenever it is, the result is the better one of a function's rounds.
//!
//! A function takes longer than it may, as its tests are built and run as well; how much longer functions of the round took so far
//! is taken off the shares of those to come, so that all are begun.
//!
//! Example: of 300 functions in 60 s on one processor, the first one may take 200 ms. When ten took 400 ms each with their builds,
//! the next may take 100 ms; most need less, and three that are hard share the 20 s that are left.
//!
//! **Direction of error.** None: a shorter round leaves more unknown.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use footpath_verdict::{Code, Verdict};
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashMap;

use crate::batches::Steps;
use crate::context::Context;
use crate::result::FunctionResult;
use crate::{Analysed, Event, Options, batches};

/// The least time of a function, in which inputs can be found and a test that is built can run.
const LEAST: Duration = Duration::from_millis(200);
/// The most by which a share is divided for what functions take beyond theirs.
const MOST_EXCESS: f64 = 4.0;

/// Analyses functions, by number, until a deadline; the steps are given the context with the time of the round.
pub(crate) fn analyse_all(
    context: &Context,
    work: &[usize],
    deadline: Option<Deadline>,
    steps: Steps<'_>,
) -> Vec<(usize, Analysed)> {
    let full = context.options.timeout;
    let jobs = context.options.jobs;
    let Some(deadline) = deadline else {
        let done = batches::analyse(context, work, &|_| full, &|_, work| work(context), steps);
        return done.into_iter().map(|(index, analysed, _)| (index, analysed)).collect();
    };
    let left = || deadline.left();
    let silent: &(dyn Fn(Event) + Sync) = &|_| {};
    let round = |work: &[usize], context: &Context, least: &(dyn Fn(usize) -> Duration + Sync)| {
        let begun = Mutex::new((0, Duration::ZERO));
        let started = left();
        let share = |i: usize| {
            let mut begun = begun.lock().unwrap_or_else(PoisonError::into_inner);
            let (functions, given) = &mut *begun;
            let waiting = work.len().saturating_sub(*functions).max(1);
            let taken = started.saturating_sub(left()).mul_f64(jobs as f64);
            let excess = taken.as_secs_f64() / given.as_secs_f64().max(LEAST.as_secs_f64());
            let fair = left().mul_f64(jobs as f64 / waiting as f64 / excess.clamp(1.0, MOST_EXCESS));
            let share = fair.max(least(i)).min(full);
            *functions += 1;
            *given += share;
            share
        };
        let within = |time: Duration, work: &mut dyn FnMut(&Context)| {
            if time == full {
                let options = Options { total: None, ..context.options.clone() };
                return work(&Context { options: &options, ..*context });
            }
            let options = Options { timeout: time, ..context.options.clone() };
            // What is kept for later runs is kept with the full time.
            let kept = Context { proved: None, out_of_bounds_proved: None, searches: None, ..*context };
            work(&Context { options: &options, ..kept });
        };
        batches::analyse(context, work, &share, &within, steps)
    };
    let mut times: FxHashMap<usize, Duration> = FxHashMap::default();
    let mut done: Vec<(usize, Analysed)> = Vec::new();
    for (i, analysed, time) in round(work, context, &|_| LEAST) {
        times.insert(i, time);
        done.push((i, analysed));
    }
    loop {
        let is_unfinished = |i: usize, result: &FunctionResult| {
            times.get(&i).is_some_and(|time| *time < full) && result.objectives.iter().any(is_cut_short)
        };
        let unfinished = done.iter().filter(|(i, (result, _))| is_unfinished(*i, result));
        let open: Vec<usize> = unfinished.map(|(i, _)| *i).collect();
        if open.is_empty() || left() < LEAST || context.stop.load(Ordering::Relaxed) {
            return done;
        }
        // That a function is done is told once.
        let quiet = Context { events: silent, ..*context };
        let again = round(&open, &quiet, &|i| times.get(&i).map_or(LEAST, |time| *time * 2));
        if again.is_empty() {
            return done;
        }
        for (i, analysed, time) in again {
            times.insert(i, time);
            let Some((_, known)) = done.iter_mut().find(|(number, _)| *number == i) else { continue };
            if settled(&analysed.0) >= settled(&known.0) {
                *known = analysed;
            }
        }
    }
}

/// Whether time was too short for an objective.
fn is_cut_short(objective: &crate::Objective) -> bool {
    matches!(&objective.verdict, Verdict::Unknown(why) if matches!(why.code, Code::TotalTime | Code::NoTimeForTest))
}

/// How much is known: what is covered counts first.
fn settled(result: &FunctionResult) -> (usize, usize) {
    let count = |f: fn(&Verdict) -> bool| result.objectives.iter().filter(|o| f(&o.verdict)).count();
    (count(|v| *v == Verdict::Covered), count(|v| *v == Verdict::Unreachable))
}
