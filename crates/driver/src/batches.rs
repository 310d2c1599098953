//! Batches of builds: the tests of several functions in one source are built as one program.
//!
//! **Idea.** To compile a source and to link a program takes as long for one function's tests as for those of many. A worker
//! searches for tests of one function after the other, as long as they are in the same source and it does not take long;
//! then it builds all tests together, and runs those of each function. What cannot be built together is built apart.
//!
//! Example: of 100 functions in one source that are searched for 0.2 s each, eight at a time are built, in 13 programs.
//!
//! **Direction of error.** None: which program a test is in does not matter to what it does, as each runs in a process of its
//! own.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Analysed;
use crate::context::Context;
use crate::function::{Searched, build};
use crate::workers::in_parallel;

/// So many functions at most are in one program.
const MOST: usize = 8;
/// When a worker has searched for so long, it builds.
const SEARCHED: Duration = Duration::from_secs(2);

/// The two steps of the analysis of a function.
#[derive(Clone, Copy)]
pub(crate) struct Steps<'s> {
    /// Searches for its tests.
    pub(crate) begin: &'s (dyn Fn(&Context, usize) -> Searched + Sync),
    /// Runs them, and proves what they leave open.
    pub(crate) end: &'s (dyn Fn(&Context, Searched) -> Analysed + Sync),
}

/// Calls a function with the context of a function's analysis.
type Within<'w> = dyn Fn(Duration, &mut dyn FnMut(&Context)) + Sync + 'w;

/// Analyses functions, by number, each in the time that `share` gives it when it begins; `within` makes the context for so much
/// time. Those that were not begun when the run is stopped are left out.
pub(crate) fn analyse(
    context: &Context,
    work: &[usize],
    share: &(dyn Fn(usize) -> Duration + Sync),
    within: &Within<'_>,
    steps: Steps<'_>,
) -> Vec<(usize, Analysed, Duration)> {
    let next = Mutex::new(0);
    let module = |index: usize| context.compiled.lowered.functions[index].function.module;
    // The next function, if it is in the source of those before.
    let take = |batch: &[(Searched, Duration)]| {
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        let index = *work.get(*next)?;
        let fits = batch.first().is_none_or(|(first, _)| module(first.index) == module(index));
        let takes = fits && !context.stop.load(Ordering::Relaxed);
        *next += usize::from(takes);
        takes.then_some(index)
    };
    let batch = || {
        let (mut batch, began) = (Vec::new(), Instant::now());
        while batch.len() < MOST
            && (batch.is_empty() || began.elapsed() < SEARCHED)
            && let Some(index) = take(&batch)
        {
            let time = share(index);
            within(time, &mut |context| batch.push(((steps.begin)(context, index), time)));
        }
        batch
    };
    let worker = |_| {
        let mut done = Vec::new();
        loop {
            let (mut searched, times): (Vec<Searched>, Vec<Duration>) = batch().into_iter().unzip();
            if searched.is_empty() {
                return done;
            }
            build(context, &mut searched);
            for (searched, time) in searched.into_iter().zip(times) {
                let (index, mut searched) = (searched.index, Some(searched));
                within(time, &mut |context| {
                    let ended = searched.take().map(|searched| (steps.end)(context, searched));
                    done.extend(ended.map(|analysed| (index, analysed, time)));
                });
            }
        }
    };
    let workers: Vec<usize> = (0..context.options.jobs.min(work.len())).collect();
    let done = in_parallel(&workers, workers.len(), context.stop, &worker);
    done.into_iter().flat_map(|(_, done)| done).collect()
}
