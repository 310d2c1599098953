//! Search from callers: code that a function's own tests leave open is searched for from functions that call it.
//!
//! **Idea.** A function that is called by itself may want inputs that are hard to make: a callback that fills a buffer, a structure
//! with a dozen rules. Its callers make them. So when all functions are done, inputs that fuzzing found of callers are run for what
//! is still open below them; proofs leave a part of each caller's time to that, and what all functions together have left of theirs is
//! shared out: a getter needs a tenth of what it has. Then each function that has blocks or branches left
//! is searched for once more from the nearest functions that call it, directly or not, with what these have left of their time.
//! Tests that were found belong to the caller, and what they pass counts in all functions, as it does for all tests.
//!
//! Example: `parse(read, stream)` calls `read(line, size, stream)` for each line, which no harness writes well; `parse_string(text)`
//! calls `parse` with a function that copies the next line of a text. Bytes of that text reach what `parse` does with a line.
//!
//! For each function there is one caller in a wave, the nearest first, so that what one reaches is not searched for from another.
//!
//! **Direction of error.** None: what is covered was passed by a compiled test. Nothing is claimed about what no caller reached, as
//! others may call the function.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use footpath_frontend::c::LoweredFunction;
use footpath_ir::interp::Script;
use footpath_ir::{Origin, ProcId, StatementKind};
use footpath_verdict::Verdict;
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Analysed;
use crate::context::Context;
use crate::result::{Class, FunctionResult, ObjectiveKind, Spent, Status};
use crate::strategy::call_graph::callers;
use crate::strategy::greybox_fuzzing::{self, is_plain};
use crate::strategy::replay::{ReplayOutcome, add_hits, select, test};
use crate::strategy::search;
use crate::workers::in_parallel;

/// So many callers of a function are tried.
const WAVES: usize = 2;
/// The least time for which a search is begun: its tests must be built, too.
const LEAST: Duration = Duration::from_millis(300);
/// Part of a function's time that proofs leave to runs of what fuzzing found, for code of called functions.
pub(crate) const SHARE: f64 = 0.2;
/// Part of that in which they are run in the program form; tests are built in the rest.
const RUNS_SHARE: f64 = 0.4;
/// Part of the time for a search from a caller that fuzzing it may take: it goes farther than a search.
const FUZZING_SHARE: f64 = 0.5;

/// Searches for what functions left open from their callers among them, until a deadline. What is found is added to the callers'
/// tests; returns the positions of those that have more.
pub(crate) fn search(
    context: &Context,
    done: &mut [(usize, Analysed)],
    deadline: Option<Deadline>,
) -> BTreeSet<usize> {
    let mut extended = BTreeSet::new();
    let calls = Calls::of(context);
    let positions: FxHashMap<usize, usize> =
        done.iter().enumerate().map(|(position, (index, _))| (*index, position)).collect();
    extended.extend(run_fuzzed(context, &calls, (done, &positions), deadline));
    let mut tried: BTreeSet<(usize, usize)> = BTreeSet::new();
    for _ in 0..WAVES {
        let mut work: BTreeMap<usize, Vec<Origin>> = BTreeMap::new();
        for (index, places) in open_places(context, done) {
            let is_next = |caller: &usize| {
                !tried.contains(&(*caller, index))
                    && positions.get(caller).is_some_and(|at| time_left(context, &done[*at]).is_some())
            };
            let nearest = calls.by_distance(index).into_iter().find(is_next);
            if let Some(caller) = nearest {
                tried.insert((caller, index));
                work.entry(caller).or_default().extend(places);
            }
        }
        let indices: Vec<usize> = work.keys().copied().collect();
        let found = in_parallel(&indices, context.options.jobs, context.stop, &|caller| {
            let left = time_left(context, &done[positions[&caller]])?;
            let left = deadline.map_or(left, |deadline| deadline.left().min(left));
            (left >= LEAST).then(|| from_caller(context, caller, (&work[&caller], &[]), left))
        });
        extended.extend(add_all(done, &positions, found));
        if context.stop.load(Ordering::Relaxed) || indices.is_empty() {
            break;
        }
    }
    extended
}

/// Runs what fuzzing found of functions, for what is open in those that they call. Returns the positions of those that have more tests.
fn run_fuzzed(
    context: &Context,
    calls: &Calls,
    (done, positions): (&mut [(usize, Analysed)], &FxHashMap<usize, usize>),
    deadline: Option<Deadline>,
) -> Vec<usize> {
    let mut work: BTreeMap<usize, Vec<Origin>> = BTreeMap::new();
    for (index, places) in open_places(context, done) {
        for caller in calls.by_distance(index) {
            work.entry(caller).or_default().extend(&places);
        }
    }
    let fuzzed: FxHashMap<usize, Vec<Script>> =
        done.iter_mut().map(|(index, (_, tested))| (*index, std::mem::take(&mut tested.fuzzed))).collect();
    let has_inputs = |caller: &usize| fuzzed.get(caller).is_some_and(|inputs| !inputs.is_empty());
    let callers: Vec<usize> =
        work.keys().copied().filter(|caller| has_inputs(caller) && positions.contains_key(caller)).collect();
    let timeout = context.options.timeout;
    let shared = shared_time(context, done) / callers.len().max(1) as u32;
    let share = timeout.mul_f64(SHARE).max(shared).min(timeout);
    let found = in_parallel(&callers, context.options.jobs, context.stop, &|caller| {
        let time = deadline.map_or(share, |deadline| deadline.left().min(share));
        (!time.is_zero()).then(|| from_caller(context, caller, (&work[&caller], &fuzzed[&caller]), time))
    });
    add_all(done, positions, found)
}

/// Adds what was found of callers to their tests. Returns the positions of those that have more.
fn add_all(
    done: &mut [(usize, Analysed)],
    positions: &FxHashMap<usize, usize>,
    found: Vec<(usize, Option<(FunctionResult, ReplayOutcome)>)>,
) -> Vec<usize> {
    let mut extended = Vec::new();
    for (caller, found) in found {
        let (position, Some((result, tested))) = (positions[&caller], found) else { continue };
        if !tested.cases.is_empty() {
            extended.push(position);
        }
        add(&mut done[position].1, result, tested);
    }
    extended
}

/// Whether a function calls others that a user wrote, so that what fuzzing finds may be about these.
pub(crate) fn is_wanted(context: &Context, function: &LoweredFunction) -> bool {
    let lowered = &context.compiled.lowered;
    let is_user = |callee: ProcId| {
        callee != function.procedure && lowered.functions.iter().any(|f| f.procedure == callee)
    };
    let is_call =
        |kind: &StatementKind| matches!(kind, StatementKind::Call { callee, .. } if is_user(*callee));
    let bodies = &lowered.program[function.procedure].bodies;
    bodies
        .iter()
        .any(|body| body.block_ids().any(|block| body[block].statements.iter().any(|s| is_call(&s.kind))))
}

/// The time in which a function's callees may be searched from it.
fn time_left(context: &Context, (index, (result, _)): &(usize, Analysed)) -> Option<Duration> {
    let function = &context.compiled.lowered.functions[*index];
    let left = context.options.timeout.saturating_sub(result.statistics.total_time);
    let is_able = result.status == Status::Analysed
        && !result.statistics.recalled
        && function.harness.is_ok()
        && is_plain(context, function);
    (is_able && left >= LEAST).then_some(left)
}

/// What all functions that were analysed in this run have left together.
fn shared_time(context: &Context, done: &[(usize, Analysed)]) -> Duration {
    let results = done.iter().map(|(_, (result, _))| result);
    let analysed = results.filter(|r| r.status == Status::Analysed && !r.statistics.recalled);
    let (count, spent) =
        analysed.fold((0, Duration::ZERO), |(n, spent), r| (n + 1, spent + r.statistics.total_time));
    (context.options.timeout * count).saturating_sub(spent)
}

/// The blocks and branches that no test passed and nothing excludes, of each function that has any.
fn open_places(context: &Context, done: &[(usize, Analysed)]) -> Vec<(usize, Vec<Origin>)> {
    let functions = &context.compiled.lowered.functions;
    let open_in = |(index, (result, _)): &(usize, Analysed)| {
        let name = &functions[*index].name;
        let passed: Vec<_> = done.iter().filter_map(|(_, (_, tested))| tested.passed.get(name)).collect();
        let targets = context.compiled.targets(&functions[*index], &context.options.lowering.checks);
        let is_open = |(number, target): &(usize, crate::objectives::Target)| {
            let is_unknown =
                result.objectives.get(*number).is_some_and(|o| matches!(o.verdict, Verdict::Unknown(_)));
            is_unknown
                && target.objective.class == Class::User
                && !matches!(target.objective.kind, ObjectiveKind::Check(_))
                && target.point.is_some_and(|point| !passed.iter().any(|points| points.contains(&point)))
        };
        let open = targets.into_iter().enumerate().filter(is_open);
        (*index, open.map(|(_, target)| target.origin).collect::<Vec<Origin>>())
    };
    let analysed = done.iter().filter(|(_, (result, _))| result.status == Status::Analysed);
    analysed.map(open_in).filter(|(_, places)| !places.is_empty()).collect()
}

/// Who calls whom.
struct Calls<'a> {
    functions: &'a [LoweredFunction],
    /// The numbers of functions, by their procedures.
    numbers: FxHashMap<ProcId, usize>,
    callers: FxHashMap<ProcId, Vec<ProcId>>,
}

impl<'a> Calls<'a> {
    fn of(context: &Context<'a>) -> Calls<'a> {
        let lowered = &context.compiled.lowered;
        let numbers = lowered.functions.iter().enumerate().map(|(number, f)| (f.procedure, number)).collect();
        Calls { functions: &lowered.functions, numbers, callers: callers(&lowered.program) }
    }

    /// The functions that call one, directly or not, the nearest first; not itself.
    fn by_distance(&self, index: usize) -> Vec<usize> {
        let root = self.functions[index].procedure;
        let mut seen: FxHashSet<ProcId> = [root].into_iter().collect();
        let (mut level, mut found) = (vec![root], Vec::new());
        while !level.is_empty() {
            let next = level.iter().flat_map(|callee| self.callers.get(callee).into_iter().flatten());
            let next: BTreeSet<ProcId> = next.copied().collect();
            level = next.into_iter().filter(|caller| seen.insert(*caller)).collect();
            found.extend(level.iter().filter_map(|procedure| self.numbers.get(procedure)));
        }
        found
    }
}

/// Searches for places in callees of a function from it, or among what fuzzing found of it if there is such, and runs the tests that
/// were found.
fn from_caller(
    context: &Context,
    caller: usize,
    (places, fuzzed): (&[Origin], &[Script]),
    time: Duration,
) -> (FunctionResult, ReplayOutcome) {
    let began = Instant::now();
    let function = &context.compiled.lowered.functions[caller];
    let mut result = FunctionResult::new(&function.name, function.span);
    let mut tested = ReplayOutcome::default();
    // What is kept for later runs is about the function's own code.
    let options = crate::Options { timeout: time, ..context.options.clone() };
    let context = &Context { options: &options, searches: None, ..*context };
    let Ok(harness) = &function.harness else { return (result, tested) };
    let found = if fuzzed.is_empty() {
        let share = time.mul_f64(FUZZING_SHARE);
        let subject = (function, harness);
        let proposals = greybox_fuzzing::proposals(context, subject, &Script::default(), share).scripts;
        let begun = search::Begun { found: None, proposals, has_deep_runs: false, spent: began.elapsed() };
        search::search_places(context, function, harness, places.to_vec(), begun)
    } else {
        search::run_for_places(context, (function, harness), places, fuzzed, time.mul_f64(RUNS_SHARE))
    };
    match found {
        Ok(found) if !found.exploration.tests.is_empty() => {
            let nowhere = (&[][..], &[][..]);
            let selection = select(context, function, harness, &found.exploration, nowhere);
            let left = Deadline::by_wall_clock(time.saturating_sub(began.elapsed()));
            let subject = (function, harness);
            tested = test(context, subject, &found, (selection, None), nowhere, &mut result, Some(left)).1;
        }
        Ok(_) => {}
        Err(why) => result.notes.push(format!("the search for code of called functions failed: {why}")),
    }
    let spent = Spent { strategy: "callees".into(), time: began.elapsed(), claims: 0 };
    result.statistics.strategies.push(spent);
    result.statistics.total_time = began.elapsed();
    (result, tested)
}

/// Adds further tests of a function to those that it has.
fn add((result, tested): &mut Analysed, more: FunctionResult, mut found: ReplayOutcome) {
    result.tests.extend(more.tests);
    for note in more.notes {
        if !result.notes.contains(&note) {
            result.notes.push(note);
        }
    }
    let statistics = &mut result.statistics;
    statistics.queries += more.statistics.queries;
    statistics.solver_time += more.statistics.solver_time;
    statistics.runs += more.statistics.runs;
    statistics.total_time += more.statistics.total_time;
    statistics.strategies.extend(more.statistics.strategies);
    tested.tests.append(&mut found.tests);
    tested.cases.append(&mut found.cases);
    tested.scripts.append(&mut found.scripts);
    tested.caused.append(&mut found.caused);
    add_hits(&mut tested.passed, found.passed);
    add_hits(&mut tested.clean, found.clean);
}
