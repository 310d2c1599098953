//! Analysis of one function: tests from the concolic engine are compiled and run; what is left is proved unreachable
//! where possible.
//!
//! **Direction of error.** *Covered* is decided by the compiled test, *unreachable* by a proof; if a test passes a
//! place that was proved unreachable, a note tells the user.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_concolic::{ConcolicTest, Exploration, Prepared};
use footpath_cover as cover;
use footpath_cover::Callees;
use footpath_frontend::c::{Harness, LoweredFunction, StubType};
use footpath_ir::interp::Outcome;
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, Origin, Place, ProcId};
use footpath_preconditions::Conditions;
use footpath_replay::{Case, Ended, Inputs, Limits, Observed, Point, emit, inputs, run_tests};
use footpath_summaries::Covers;
use footpath_term::Value;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::compile::Compiled;
use crate::objectives::{NOT_REACHED, Target, targets};
use crate::preconditions;
use crate::result::{
    Evidence, FunctionResult, Objective, ObjectiveKind, Returned, ReturnedValue, SampledCall, Status, Test,
    TestOutcome, Verdict,
};
use crate::strategy::bounded_proof::{Key, LEAST, key, prove};
use crate::strategy::determinism;
use crate::strategy::invariants;
use crate::strategy::out_of_bounds;
use crate::strategy::sanitizers::{Failing, confirm};
use crate::strategy::search::{Found, search};
use crate::strategy::verification_guide;
use crate::strategy::verification_guide::Guidance;
use crate::{Event, Options};

/// The state that the analyses of all functions share.
pub(crate) struct Context<'a> {
    pub(crate) options: &'a Options,
    pub(crate) compiled: &'a Compiled,
    pub(crate) prepared: &'a Prepared<'a>,
    /// The functions that are instrumented for coverage.
    pub(crate) names: BTreeSet<String>,
    /// Proofs of earlier runs.
    pub(crate) proved: Option<&'a Covers<'a>>,
    /// Searches for tests of earlier runs.
    pub(crate) searches: Option<&'a Covers<'a>>,
    /// The guidance of the search for tests, by partial verification.
    pub(crate) guidance: Option<Guidance>,
    /// Proofs of earlier runs about the program in which runs go on after accesses that are out of bounds.
    pub(crate) out_of_bounds_proved: Option<&'a Covers<'a>>,
    /// Exact procedure summaries of callees for the search for tests.
    pub(crate) conditions: Option<&'a Conditions<'a>>,
    /// Procedure summaries of callees for proofs.
    pub(crate) callees: Option<&'a dyn Callees>,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) events: &'a (dyn Fn(Event) + Sync),
}

impl Context<'_> {
    /// The procedures of the user's functions.
    pub(crate) fn user_procedures(&self) -> Vec<ProcId> {
        let functions = &self.compiled.lowered.functions;
        let of_the_user = |f: &&LoweredFunction| (f.function.module as usize) < self.compiled.files.len();
        functions.iter().filter(of_the_user).map(|f| f.procedure).collect()
    }
}

/// The points that a function's tests passed, in all functions.
pub(crate) type CoverageHits = FxHashMap<String, BTreeSet<Point>>;

/// The largest number of steps of a run of the program form.
pub(crate) const STEPS: u64 = 2_000_000;
/// The same of a run that would not end by itself, at least: the two machines count a little differently.
const ENDLESS_STEPS: u64 = 50_000;

/// Why a place is open that a run of the search came to, but no compiled test.
const NOT_SETTABLE: &str = "only values that a test cannot set, such as uninitialised memory, lead there";
/// Why a place is open that a compiled test was to pass.
const DIVERGED: &str = "the test that was found takes another path when it is compiled and run";
/// Why a place is open that a test was found for, which was not run.
const NO_TIME: &str = "there was no time to run the test that was found; --timeout raises the limit";
/// The same.
const NOT_BUILT: &str = "the test that was found could not be built";

/// Analyses function number `index` of the program.
pub(crate) fn analyse(context: &Context, index: usize) -> (FunctionResult, ReplayOutcome) {
    let started = Instant::now();
    let until = started.checked_add(context.options.timeout);
    let mut tested = ReplayOutcome::default();
    let function = &context.compiled.lowered.functions[index];
    let mut result = FunctionResult::new(&function.name, function.span);
    if let Some(why) = &function.degraded {
        result.status = Status::Skipped(format!("{why} is not supported"));
        return (result, tested);
    }
    let mut targets = targets(&context.compiled.lowered.program, function, &context.options.lowering.checks);
    match &function.harness {
        Ok(harness) => {
            result.bounded = harness.bounded;
            if context.options.exploration.is_none() {
                leave_never_entered(&mut targets, &invariants::of_function(context, index));
            }
            let ruled_out = targets.iter().filter(|t| t.objective.is_ruled_out()).map(|t| t.origin).collect();
            match search(context, function, harness, ruled_out) {
                Ok(found) => {
                    leave_ruled_out(context, harness, &mut targets, &found.exploration);
                    tested =
                        test(context, function, harness, &found, (&mut targets, &[]), &mut result, until);
                }
                Err(error) => result.notes.push(format!("the search for tests failed: {error}")),
            }
            if let Some(reached) = &tested.reached {
                leave_out(context, harness, &mut targets, reached);
            }
        }
        Err(why) => result.notes.push(format!("no tests are made, because {why}")),
    }
    let left = context.options.timeout.saturating_sub(started.elapsed());
    prove(context, function, &mut targets, &mut result, left);
    result.objectives = targets.into_iter().map(|t| t.objective).collect();
    let left = context.options.timeout.saturating_sub(started.elapsed());
    out_of_bounds::of_function(context, index, &mut result, left);
    if let Some(time) = context.options.fails_when {
        fails_when(context, function, time, &mut result);
    }
    result.statistics.total_time = started.elapsed();
    if let Some(limit) = limit_met(context, started.elapsed()) {
        name_limit(&mut result, &limit);
    }
    (result, tested)
}

/// The limit that ended the analysis of a function, if it did not end by itself.
fn limit_met(context: &Context, elapsed: Duration) -> Option<String> {
    let time = context.options.timeout;
    if context.stop.load(Ordering::Relaxed) {
        return Some("before the run was interrupted or --total-timeout ended it".to_owned());
    }
    // The remaining time of the last of them is not used if it is too short for a proof.
    let is_up = time.saturating_sub(elapsed) < LEAST;
    is_up.then(|| format!("within {} s; --timeout raises the limit", time.as_secs_f64()))
}

/// Gives objectives that were not reached the time limit as the reason.
fn name_limit(result: &mut FunctionResult, limit: &str) {
    let open = Verdict::Unknown(NOT_REACHED.to_owned());
    for objective in result.objectives.iter_mut().filter(|o| o.verdict == open) {
        objective.verdict = Verdict::Unknown(format!("it was not reached {limit}"));
    }
}

/// Infers the precondition of a function that a test has made fail.
pub(crate) fn fails_when(
    context: &Context,
    function: &LoweredFunction,
    time: Duration,
    result: &mut FunctionResult,
) {
    let is_failing =
        |o: &Objective| matches!(o.kind, ObjectiveKind::Check(_)) && o.verdict == Verdict::Covered;
    if !result.objectives.iter().any(is_failing) {
        return;
    }
    if context.compiled.natives.is_some() {
        // What a sampled function gives is known for few arguments.
        result
            .notes
            .push("no failure condition is computed, because external functions are sampled".to_owned());
        return;
    }
    if function.harness.as_ref().is_ok_and(|h| h.may_alias) {
        let why = "no failure condition is computed, because pointers may alias; --no-aliasing excludes that";
        result.notes.push(why.to_owned());
        return;
    }
    let options = preconditions::Options { time: Some(time), ..preconditions::Options::default() };
    match preconditions::condition(context, function, &options) {
        Ok(found) => result.fails_when = Some(found),
        Err(error) => result.notes.push(format!("no failure condition was found: {error}")),
    }
}

/// Settles as unreachable what invariants exclude.
fn leave_never_entered(targets: &mut [Target], never: &FxHashSet<Key>) {
    for target in targets.iter_mut().filter(|t| never.contains(&key(t))) {
        target.objective.settle(Verdict::Unreachable, Evidence::Invariants);
    }
}

/// Settles as unreachable within bounds what was ruled out during the search.
fn leave_ruled_out(context: &Context, harness: &Harness, targets: &mut [Target], found: &Exploration) {
    let never: FxHashSet<Origin> = found.goals.iter().filter(|g| g.ruled_out).map(|g| g.origin).collect();
    for target in targets.iter_mut().filter(|t| !t.objective.is_ruled_out() && never.contains(&t.origin)) {
        target.objective.settle(within_bounds(context, harness), Evidence::Invariants);
    }
}

/// Settles as unreachable within bounds what an exhaustive search has not reached.
fn leave_out(context: &Context, harness: &Harness, targets: &mut [Target], reached: &FxHashSet<Origin>) {
    let is_open = |t: &&mut Target| matches!(t.objective.verdict, Verdict::Unknown(_));
    for target in targets.iter_mut().filter(is_open) {
        if reached.contains(&target.origin) {
            continue;
        }
        target.objective.settle(within_bounds(context, harness), Evidence::Exhaustion);
    }
}

/// The verdict on a place that no run of a harness reaches.
fn within_bounds(context: &Context, harness: &Harness) -> Verdict {
    let within = |what: &str| Verdict::UnreachableWithin(what.to_owned());
    if harness.bounded {
        within("the sizes of test inputs (--array-length, --depth)")
    } else if !harness.frozen.is_empty() {
        within("a first call, before which its static variables have their initial values")
    } else if context.compiled.needs_proof_program {
        within("what tests assume of external functions and memory")
    } else {
        Verdict::Unreachable
    }
}

/// Counts what the tests of other functions passed in this one, and checks the proofs against it: a place that was
/// passed is not unreachable.
pub(crate) fn take_passed(
    context: &Context,
    index: usize,
    result: &mut FunctionResult,
    passed: &BTreeSet<Point>,
) {
    let function = &context.compiled.lowered.functions[index];
    if function.degraded.is_some() {
        return;
    }
    let targets = targets(&context.compiled.lowered.program, function, &context.options.lowering.checks);
    for (target, objective) in targets.iter().zip(&mut result.objectives) {
        if !target.point.is_some_and(|p| passed.contains(&p)) || objective.verdict == Verdict::Covered {
            continue;
        }
        if objective.verdict == Verdict::Unreachable && !objective.assumes_memory_safety {
            result.notes.push(passed_although(&objective.id, "a test of another function"));
        }
        objective.settle(Verdict::Covered, Evidence::OtherTest);
        objective.explanation.clear();
    }
}

/// The note if a test passes a place that was proved unreachable: a proof is wrong, or the test went on after an
/// access that is out of bounds, where the program form ends.
pub(crate) fn passed_although(place: &str, who: &str) -> String {
    format!(
        "{place} was proved unreachable, but {who} reaches it: the run went on after an access out of bounds or to freed \
         memory, or this is an internal error"
    )
}

// ---- Tests

/// A check in another function than the one that is tested.
pub(crate) struct Check {
    pub(crate) origin: Origin,
    pub(crate) span: Span,
    pub(crate) kind: AssertKind,
}

/// The outcome of replaying the tests of a function or of a whole program.
#[derive(Default)]
pub(crate) struct ReplayOutcome {
    /// The points that they passed.
    pub(crate) passed: CoverageHits,
    /// The checks in other functions that they made fail, and whether that was confirmed outside the program form, if
    /// it was asked.
    pub(crate) failures: FxHashMap<Origin, Option<bool>>,
    /// Why tests that were expected to make such checks fail do not show it.
    pub(crate) missed: FxHashMap<Origin, &'static str>,
    /// If every path was run or refuted: all places that were reached.
    pub(crate) reached: Option<FxHashSet<Origin>>,
}

/// Runs the tests that a search found, as far as there is time, and returns what they passed.
pub(crate) fn test(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    found: &Found,
    (targets, elsewhere): (&mut [Target], &[Check]),
    result: &mut FunctionResult,
    until: Option<Instant>,
) -> ReplayOutcome {
    let mut tested = ReplayOutcome::default();
    let Found { exploration, prunes } = found;
    result.notes.extend(exploration.notes.iter().cloned());
    if let Some(guidance) = context.guidance.as_ref().filter(|g| g.is_about(function)) {
        result.notes.push(guidance.remark(function, *prunes));
    }
    result.exploration = Some(exploration.summary());
    result.statistics.queries += exploration.statistics.queries;
    result.statistics.solver_time += exploration.statistics.solver_time;
    result.statistics.runs += exploration.statistics.runs + exploration.statistics.concrete_runs;
    // The targets, and behind them the checks elsewhere.
    let own = targets.len();
    let places: Vec<Origin> =
        targets.iter().map(|t| t.origin).chain(elsewhere.iter().map(|c| c.origin)).collect();
    let chosen = choose(context, harness, exploration, &places);
    // What is said within bounds only, a test may pass.
    let is_excluded = |&t: &usize| targets[t].objective.verdict == Verdict::Unreachable;
    let ruled_out: Vec<usize> = (0..own).filter(is_excluded).collect();
    let kind = |t: usize| match t.checked_sub(own) {
        Some(other) => ObjectiveKind::Check(elsewhere[other].kind),
        None => targets[t].objective.kind,
    };
    let is_out_of_bounds = |&t: &usize| reads_strays(kind(t));
    let all = chosen.promised.iter().zip(&chosen.stable);
    let out_of_bounds: Vec<bool> =
        all.map(|(all, stable)| stable.len() < all.len() || all.iter().any(is_out_of_bounds)).collect();
    let (observed, not_run) =
        match run_natively(context, function, harness, &chosen.inputs, &out_of_bounds, result, until) {
            Ok(observed) => (observed, NO_TIME),
            Err(why) => {
                result.notes.push(why);
                (Vec::new(), NOT_BUILT)
            }
        };
    let kinds: Vec<ObjectiveKind> = elsewhere.iter().map(|c| ObjectiveKind::Check(c.kind)).collect();
    let mut failing_elsewhere: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, (inputs, observed)) in chosen.inputs.iter().zip(&observed).enumerate() {
        let stable = &chosen.stable[number];
        let mut test = judge(function, targets, stable, inputs, observed, number + 1);
        test.returned = returned(context, inputs);
        test.sampled = sampled(context, &exploration.tests[chosen.numbers[number]]);
        for &t in stable.iter().filter(|&&t| t >= own && test.divergence.is_none()) {
            if plausible(&kinds[t - own], observed) {
                failing_elsewhere.entry(t - own).or_insert(number + 1);
            }
        }
        result.tests.push(test);
        for (name, points) in &observed.points {
            tested.passed.entry(name.clone()).or_default().extend(points);
        }
    }
    for t in ruled_out {
        let objective = &targets[t].objective;
        if objective.verdict == Verdict::Covered {
            result.notes.push(passed_although(&objective.id, "a test"));
        }
    }
    confirm_all(context, function, targets, (elsewhere, &failing_elsewhere), result, &mut tested, until);
    if *prunes {
        for target in targets.iter_mut().filter(|t| matches!(t.objective.verdict, Verdict::Unknown(_))) {
            target.objective.verdict = Verdict::Unknown(verification_guide::LEFT_OUT.to_owned());
        }
    } else if exploration.exhausted && context.compiled.leaves_out(&[harness.procedure]) {
        let left_out = context.compiled.left_out(&[harness.procedure]).join(" or ");
        let why = format!("no test reaches it unless {left_out}, which tests leave out");
        targets.iter_mut().for_each(|target| target.objective.miss(&why));
    } else if exploration.exhausted {
        let covered = exploration.goals.iter().filter(|g| g.covered_by.is_some());
        tested.reached = Some(covered.map(|g| g.origin).collect());
    }
    for (number, (promised, stable)) in chosen.promised.iter().zip(&chosen.stable).enumerate() {
        for &t in promised {
            let why = match stable.contains(&t) {
                _ if number >= observed.len() => not_run,
                true => DIVERGED,
                false => NOT_SETTABLE,
            };
            match t.checked_sub(own) {
                Some(other) => {
                    tested.missed.insert(elsewhere[other].origin, why);
                }
                None => targets[t].objective.miss(why),
            }
        }
    }
    tested
}

/// The tests of a search that are run.
struct Chosen {
    /// Their numbers in the search.
    numbers: Vec<usize>,
    inputs: Vec<Inputs>,
    /// For each, the places that it reached in the program form, by number.
    promised: Vec<Vec<usize>>,
    /// Those of them that it reaches whatever the values are that no test can set.
    stable: Vec<Vec<usize>>,
}

/// As few tests as reach all that the search reached; those that do not end come last, as they take the time that
/// others need.
fn choose(context: &Context, harness: &Harness, exploration: &Exploration, places: &[Origin]) -> Chosen {
    let mut by_origin: FxHashMap<Origin, Vec<usize>> = FxHashMap::default();
    for (i, &place) in places.iter().enumerate() {
        by_origin.entry(place).or_default().push(i);
    }
    let tests = &exploration.tests;
    let promises = |test: &ConcolicTest| -> Vec<usize> {
        let reached = test.covers.iter().filter_map(|&g| by_origin.get(&exploration.goals[g].origin));
        reached.flatten().copied().collect()
    };
    let mut promised: Vec<Vec<usize>> = tests.iter().map(promises).collect();
    // Of a whole program everything counts that the search covered, wherever it stands.
    let mut numbers: Vec<usize> = match context.options.entry {
        _ if context.options.exploration.is_some() => (0..promised.len()).collect(),
        Some(_) => cover::set_cover(&tests.iter().map(|t| t.covers.clone()).collect::<Vec<_>>()),
        None => cover::set_cover(&promised),
    };
    numbers.sort_by_key(|&i| tests[i].outcome == Outcome::OutOfSteps);
    let promised: Vec<Vec<usize>> = numbers.iter().map(|&i| std::mem::take(&mut promised[i])).collect();
    let read = |&i: &usize| {
        let test = &tests[i];
        let mut inputs = inputs(context.prepared.interpreter(), harness.widest(), &test.script, steps(test));
        cut_short(&mut inputs);
        inputs
    };
    let inputs: Vec<Inputs> = numbers.iter().map(read).collect();
    // A test that may go another way is run all the same: it counts for what it passes.
    let stable = |(number, &i): (usize, &usize)| {
        let (all, test) = (promised[number].clone(), &tests[i]);
        // Without an end there is little that such a test promises.
        let most = if test.outcome == Outcome::OutOfSteps { 2 * ENDLESS_STEPS } else { STEPS };
        let steps = steps(test).min(most);
        determinism::stable(context, harness, test, &inputs[number].returned, places, all, steps)
    };
    let stable = numbers.iter().enumerate().map(stable).collect();
    Chosen { numbers, inputs, promised, stable }
}

/// Asks for a second opinion on all checks that tests made fail: targets, and those of other functions, each with its
/// test.
fn confirm_all(
    context: &Context,
    function: &LoweredFunction,
    targets: &mut [Target],
    (elsewhere, failing_elsewhere): (&[Check], &BTreeMap<usize, usize>),
    result: &mut FunctionResult,
    tested: &mut ReplayOutcome,
    until: Option<Instant>,
) {
    let (mut asked, mut failing) = (Vec::new(), Vec::new());
    for (i, Target { objective, .. }) in targets.iter().enumerate() {
        if let (ObjectiveKind::Check(kind), Verdict::Covered) = (objective.kind, &objective.verdict)
            && let Some(&test) = objective.tests.first()
        {
            asked.push(i);
            failing.push(Failing { span: objective.span, kind, test });
        }
    }
    let others = failing_elsewhere.iter().map(|(&i, &test)| {
        let Check { span, kind, .. } = elsewhere[i];
        Failing { span, kind, test }
    });
    failing.extend(others);
    let confirmed = confirm(context, function, &failing, result, until);
    let (own, others) = confirmed.split_at(asked.len());
    for (i, &confirmed) in asked.into_iter().zip(own) {
        targets[i].objective.confirmed = confirmed;
    }
    for (&i, &confirmed) in failing_elsewhere.keys().zip(others) {
        tested.failures.insert(elsewhere[i].origin, confirmed);
    }
}

/// The largest number of steps for which a run of a test is followed.
fn steps(test: &ConcolicTest) -> u64 {
    if test.outcome == Outcome::OutOfSteps { ENDLESS_STEPS.max(2 * test.steps).min(STEPS) } else { STEPS }
}

/// Cuts off a test that would not end by itself after it last shows something new.
fn cut_short(inputs: &mut Inputs) {
    if inputs.outcome == Outcome::OutOfSteps {
        inputs.returned.truncate(inputs.needed);
    }
}

/// Builds and runs the test for a script of the function's harness; also returns the file that it was written to.
pub(crate) fn run_one(
    context: &Context,
    function: &LoweredFunction,
    script: &footpath_ir::interp::Script,
) -> Result<(Observed, Option<PathBuf>), String> {
    let harness = function.harness.as_ref().map_err(Clone::clone)?;
    let mut inputs = inputs(context.prepared.interpreter(), harness.widest(), script, STEPS);
    cut_short(&mut inputs);
    let mut result = FunctionResult::new(&function.name, function.span);
    let out_of_bounds =
        matches!(inputs.outcome, Outcome::Failed { kind, .. } if reads_strays(ObjectiveKind::Check(kind)));
    let observed = run_natively(context, function, harness, &[inputs], &[out_of_bounds], &mut result, None)?;
    let first = observed.into_iter().next().ok_or("its run left no record")?;
    Ok((first, result.file))
}

/// The results of external functions in a test.
fn returned(context: &Context, inputs: &Inputs) -> Vec<Returned> {
    let stubs = &context.compiled.lowered.stubs;
    let of = |r: &footpath_replay::StubResult| {
        let stub = stubs.iter().find(|s| s.procedure == r.procedure)?;
        let value = match r.value.first()? {
            Value::BitVec { bits, .. } => bits.to_u128()?,
            Value::Bool(b) => u128::from(*b),
            _ => return None,
        };
        let value = match stub.ret {
            StubType::Void => return None,
            StubType::Int(bits) => ReturnedValue::Int { bits, value },
            StubType::Float(32) => ReturnedValue::Float(f64::from(f32::from_bits(value as u32))),
            StubType::Float(_) => ReturnedValue::Float(f64::from_bits(value as u64)),
            StubType::Pointer => ReturnedValue::Pointer { null: value == 0 },
        };
        Some(Returned { function: stub.name.clone(), value })
    };
    inputs.returned.iter().filter_map(of).collect()
}

/// The results of sampled functions in a test, without repetitions.
fn sampled(context: &Context, test: &ConcolicTest) -> Vec<SampledCall> {
    let Some(natives) = &context.compiled.natives else { return Vec::new() };
    let calls = test.script.functions.iter();
    let mut calls: Vec<SampledCall> =
        calls.filter_map(|((op, args, _), result)| natives.call_text(op, args, result)).collect();
    calls.sort_unstable();
    calls
}

/// Writes the tests, runs them to observe the results of functions, and writes those that ran again, with these
/// results expected.
pub(crate) fn run_natively(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    collected: &[Inputs],
    out_of_bounds: &[bool],
    result: &mut FunctionResult,
    until: Option<Instant>,
) -> Result<Vec<Observed>, String> {
    if collected.is_empty() {
        return Ok(Vec::new());
    }
    let compiled = context.compiled;
    let source = &compiled.files[function.function.module as usize];
    let compiler = &compiled.compilers[function.function.module as usize];
    let shown = source.display().to_string();
    let mut cases: Vec<Case> = collected
        .iter()
        .map(|inputs| Case {
            inputs: inputs.clone(),
            remark: remark(context, inputs),
            fails: fails(&inputs.outcome),
            endless: inputs.outcome == Outcome::OutOfSteps,
            returns: None,
        })
        .collect();
    let missing = |name: &str| !context.compiled.library_functions.contains(name);
    let folder = context.options.out.join("work");
    let name = file_name(context.compiled, function);
    let wanted = |name: &str| context.names.contains(name);
    let write = |cases: &[Case]| {
        emit(
            &compiled.lowered,
            context.prepared.interpreter(),
            &function.name,
            harness,
            &shown,
            cases,
            &missing,
        )
    };
    let file = write(&cases);
    let mut observed = run_tests(
        compiler,
        &folder,
        &name,
        &file,
        cases.len(),
        &wanted,
        compiled.library(),
        &compiled.replaced,
        Limits { until, ..Limits::default() },
    )
    .map_err(|e| format!("the tests could not be built: {e}"))?;
    if observed.last().is_some_and(|last| last.cut) && !cases[observed.len() - 1].endless {
        observed.pop();
    }
    if observed.len() < cases.len() {
        let missing = cases.len() - observed.len();
        result.notes.push(format!(
            "there was no time to run {missing} of {} tests, which are left out; --timeout raises the limit",
            cases.len()
        ));
        cases.truncate(observed.len());
    }
    if cases.is_empty() {
        return Ok(observed);
    }
    for ((case, observed), &out_of_bounds) in cases.iter_mut().zip(&observed).zip(out_of_bounds) {
        case.fails = observed.ended != Ended::Exited(0);
        case.returns = observed.result.as_deref().and_then(expected).filter(|_| !out_of_bounds);
    }
    let file = write(&cases);
    let tests = context.options.out.join(format!("{name}.c"));
    let save = |path: &PathBuf, text: &str| {
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    save(&tests, &file.tests)?;
    if !file.stubs.is_empty() {
        save(&context.options.out.join(format!("{name}_stubs.c")), &file.stubs)?;
    }
    result.file = Some(tests);
    Ok(observed)
}

/// The name of a function's test file.
pub(crate) fn file_name(compiled: &Compiled, function: &LoweredFunction) -> String {
    let source = &compiled.files[function.function.module as usize];
    let stem = source.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let module = function.function.module;
    let same = |f: &PathBuf| f.file_stem() == source.file_stem();
    let number = if compiled.files.iter().filter(|f| same(f)).count() > 1 {
        format!("_{}", module + 1)
    } else {
        String::new()
    };
    format!("{stem}{number}_{}", function.name)
}

/// The observed result of a function, as a constant of C.
fn expected(shown: &str) -> Option<String> {
    match shown {
        "null" => Some("0".to_owned()),
        "not null" => Some("1".to_owned()),
        "-9223372036854775808" => Some("(-9223372036854775807LL - 1)".to_owned()),
        "inf" => Some("__builtin_inf()".to_owned()),
        "-inf" => Some("-__builtin_inf()".to_owned()),
        "nan" | "-nan" => Some("__builtin_nan(\"\")".to_owned()),
        number => match number.parse::<i128>() {
            Ok(n) if n > i128::from(i64::MAX) => Some(format!("{n}ULL")),
            Ok(n) if n.unsigned_abs() > u128::from(u32::MAX >> 1) => Some(format!("{n}LL")),
            Ok(_) => Some(number.to_owned()),
            // A hexadecimal floating-point number.
            Err(_) if number.contains("0x") => Some(number.to_owned()),
            Err(_) => None,
        },
    }
}

/// Whether the result of a function after such a failure may differ in the next run.
pub(crate) fn reads_strays(kind: ObjectiveKind) -> bool {
    use AssertKind::{Bool, Bounds, Free, Overlap, Uninitialised, UseAfterFree, VlaLength};
    let ObjectiveKind::Check(kind) = kind else { return false };
    matches!(kind, Bool | Bounds | Free | Overlap | Uninitialised | UseAfterFree | VlaLength)
}

fn fails(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed { kind, .. } if *kind != AssertKind::Exit)
}

fn remark(context: &Context, inputs: &Inputs) -> String {
    match &inputs.outcome {
        Outcome::Failed { kind: AssertKind::Exit, .. } => "ends the program".to_owned(),
        Outcome::Failed { at, kind } => {
            let span = failure_span(context, at);
            format!("fails ({kind}) at {}", context.compiled.sources.describe(span))
        }
        _ => "returns".to_owned(),
    }
}

fn failure_span(context: &Context, at: &Origin) -> Span {
    let program = &context.compiled.lowered.program;
    let body = &program[at.procedure].bodies[at.body as usize];
    match at.place {
        Place::Failure { block, statement, .. } => body[block].statements[statement as usize].span,
        Place::Segment { block, .. } => body[block].span,
        _ => body.span,
    }
}

/// Compares what a test did with what it promised, and counts what it did.
fn judge(
    function: &LoweredFunction,
    targets: &mut [Target],
    promised: &[usize],
    inputs: &Inputs,
    observed: &Observed,
    number: usize,
) -> Test {
    let passed = observed.points.get(&function.name).cloned().unwrap_or_default();
    let promised: FxHashSet<usize> = promised.iter().copied().collect();
    let promised_points: BTreeSet<Point> = promised.iter().filter_map(|&i| targets.get(i)?.point).collect();
    let mut covers = Vec::new();
    let mut divergence = None;
    for (i, target) in targets.iter_mut().enumerate() {
        let any_of = |points: &BTreeSet<Point>| target.within.iter().any(|p| points.contains(p));
        let done = match target.point {
            Some(point) => passed.contains(&point),
            // The compiled program does not say that a check fails; that the run got there is what can be seen.
            None => {
                let is_there = target.within.is_empty() || any_of(&passed);
                promised.contains(&i) && plausible(&target.objective.kind, observed) && is_there
            }
        };
        if done {
            covers.push(i);
            target.objective.settle(Verdict::Covered, Evidence::Run);
            target.objective.tests.push(number);
        } else if promised.contains(&i)
            // Of a check that only what is not promised leads to, nothing is promised.
            && (target.within.is_empty() || any_of(&promised_points))
            && divergence.is_none()
            && inputs.outcome != Outcome::OutOfSteps
        {
            divergence = Some(target.objective.id.clone());
        }
    }
    let crash = match observed.ended {
        Ended::Exited(0) => None,
        Ended::Exited(code) => Some(format!("exit code {code}")),
        Ended::Signal(signal) => Some(format!("signal {signal}")),
        Ended::TimedOut => Some("a time-out".to_owned()),
    };
    let outcome = match (&inputs.outcome, crash) {
        (Outcome::Failed { kind: AssertKind::Exit, .. }, _) => TestOutcome::Exited,
        (Outcome::Failed { at, kind }, crash) => {
            let span = targets.iter().find(|t| t.origin == *at).map_or(function.span, |t| t.objective.span);
            TestOutcome::Failed { kind: *kind, span, crash }
        }
        (_, None) if observed.returned => TestOutcome::Returned(observed.result.clone()),
        (_, None) => TestOutcome::Exited,
        (_, Some(crash)) => TestOutcome::Other(crash),
    };
    Test { outcome, covers, divergence, inputs: String::new(), returned: Vec::new(), sampled: Vec::new() }
}

/// Whether the end of the compiled test fits the failure of a check. Those that stop a process must have stopped it.
pub(crate) fn plausible(kind: &ObjectiveKind, observed: &Observed) -> bool {
    let ObjectiveKind::Check(kind) = kind else { return false };
    match kind {
        AssertKind::Null
        | AssertKind::Constant
        | AssertKind::Division
        | AssertKind::Abort
        | AssertKind::Assert => matches!(observed.ended, Ended::Signal(_)) || !observed.returned,
        _ => true,
    }
}
