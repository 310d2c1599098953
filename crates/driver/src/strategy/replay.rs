//! Replay of tests: what a search found is written as C, built and run, and what the compiled tests pass counts.
//!
//! **Idea.** As few tests as reach all that the search reached are written. A place is covered if the counter of the compiled
//! test says that it was passed, a check is violated if the end of the test fits and the test got there. That a compiled test
//! ended by a signal says little by itself, as functions of the library run for real there.
//!
//! Example: a run with `n = 7` that reaches `return 1` becomes `assert(f(7) == 1)`; the block counts if the compiled program
//! passes it.
//!
//! What a test passes behind undefined behaviour is not covered by it: a program may do anything there, and another compiler's
//! program does something else. Example: `int m = n + 1; if (m < n) return 1;` with the largest `n` comes to `return 1`, but its addition
//! overflows, so the test is skipped by its suite. It covers what its run in the program form enters before the first check that fails.
//!
//! **Direction of error.** None for what is covered. What is only passed behind a failing check is unknown, unless it is proved to be
//! unreachable by runs in which nothing is undefined.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use footpath_concolic::{ConcolicTest, Exploration};
use footpath_cover as cover;
use footpath_frontend::c::{Harness, LoweredFunction, StubType};
use footpath_ir::interp::{Outcome, Script};
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, Origin, Place};
use footpath_replay::{Case, Ended, Inputs, Observed, Point, inputs};
use footpath_term::Value;
use footpath_verdict::{Claim, Code, Evidence, GoalId, Method, Premise};
use footpath_virtual_time::Deadline;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::Context;
use crate::objectives::Target;
use crate::pipeline::Found;
use crate::result::{
    Class, DIVISION_CRASH, FunctionResult, ObjectiveKind, Returned, ReturnedValue, SampledCall, Test,
    TestOutcome,
};
use crate::starts::Starts;
use crate::strategy::determinism::{self, Stable};
use crate::strategy::distinct_values::distinct;
use crate::strategy::input_reduction::reduced;
use crate::strategy::latent_failures;
use crate::strategy::native_execution::{
    Built, NativeRun, Plan, TestData, case, cut_short, fails, planned, run_natively, save_alone,
};
use crate::strategy::sanitizers::{Failing, confirm};
use crate::strategy::search;

/// The points that a function's tests passed, in all functions.
pub(crate) type CoverageHits = FxHashMap<String, BTreeSet<Point>>;

/// Adds points that other tests passed.
pub(crate) fn add_hits(hits: &mut CoverageHits, more: CoverageHits) {
    for (name, points) in more {
        hits.entry(name).or_default().extend(points);
    }
}

/// The largest number of steps of a run of the program form.
pub(crate) const STEPS: u64 = 2_000_000;
/// The same of a run that would not end by itself, at least: the two machines count a little differently.
const ENDLESS_STEPS: u64 = 50_000;

/// A check in another function than the one that is tested.
pub(crate) struct CheckElsewhere {
    pub(crate) origin: Origin,
    pub(crate) span: Span,
    pub(crate) kind: AssertKind,
}

/// The outcome of replaying the tests of a function or of a whole program.
#[derive(Default)]
pub(crate) struct ReplayOutcome {
    /// What the tests that ran are made from, in their order.
    pub(crate) tests: Vec<TestData>,
    /// These tests, as they are to be written.
    pub(crate) cases: Vec<Case>,
    /// The points that they passed.
    pub(crate) passed: CoverageHits,
    /// Those of them that tests passed in which nothing fails.
    pub(crate) clean: CoverageHits,
    /// The inputs of the tests, by number.
    pub(crate) scripts: Vec<Script>,
    /// Inputs that fuzzing found, run as tests or not.
    pub(crate) fuzzed: Vec<Script>,
    /// The checks in other functions that this one makes fail whatever its callers do.
    pub(crate) caused: Vec<Origin>,
    /// The checks in other functions that they made fail, and whether that was confirmed outside the program form, if
    /// it was asked.
    pub(crate) failures: FxHashMap<Origin, Option<bool>>,
    /// Why tests that were expected to make such checks fail do not show it.
    pub(crate) missed: FxHashMap<Origin, Code>,
    /// If every path was run or refuted: all places that were reached.
    pub(crate) reached: Option<FxHashSet<Origin>>,
}

/// The tests of a search that are to be built and run.
pub(crate) struct Selection {
    chosen: Chosen,
    pub(crate) plan: Plan,
}

/// Chooses tests of those that a search found.
pub(crate) fn select(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    exploration: &Exploration,
    (targets, elsewhere): (&[Target], &[CheckElsewhere]),
) -> Selection {
    // The targets, and behind them the checks elsewhere.
    let places: Vec<Origin> =
        targets.iter().map(|t| t.origin).chain(elsewhere.iter().map(|c| c.origin)).collect();
    let kind = |t: usize| match t.checked_sub(targets.len()) {
        Some(other) => ObjectiveKind::Check(elsewhere[other].kind),
        None => targets[t].objective.kind,
    };
    let is_check = |t: &usize| matches!(kind(*t), ObjectiveKind::Check(_));
    let chosen = choose(context, function, harness, exploration, &places, &is_check);
    let is_out_of_bounds = |&t: &usize| reads_out_of_bounds(kind(t));
    let case_of = |number: usize| {
        let (all, stable) = (&chosen.promised[number], &chosen.stable[number]);
        let is_open = stable.places.len() < all.len() || all.iter().any(is_out_of_bounds);
        planned(context.compiled, chosen.inputs[number].clone(), stable, is_open)
    };
    let kept = chosen.numbers.len();
    let witnesses = chosen.witnesses.iter().map(|inputs| case(context.compiled, inputs.clone()));
    let cases = (0..kept).map(case_of).chain(witnesses).collect();
    let suspicions = chosen.stable.iter().map(|stable| Some(stable.suspicion.as_ref()?.check)).collect();
    Selection { plan: Plan { cases, needed: chosen.needed, kept, suspicions }, chosen }
}

/// Runs the tests that were chosen, as far as there is time, and returns what they say of the targets, and what they
/// passed. They may have been built already, with others.
pub(crate) fn test(
    context: &Context,
    (function, harness): (&LoweredFunction, &Harness),
    found: &search::Found,
    (selection, built): (Selection, Option<Built>),
    (targets, elsewhere): (&[Target], &[CheckElsewhere]),
    result: &mut FunctionResult,
    until: Option<Deadline>,
) -> (Found, ReplayOutcome) {
    let (mut evidence, mut tested) = (Found::new(), ReplayOutcome::default());
    let search::Found { exploration, prunes, .. } = found;
    result.notes.extend(exploration.notes.iter().cloned());
    if let Some(guidance) = context.guidance.as_ref().filter(|g| g.is_about(function)) {
        result.notes.push(guidance.remark(function, *prunes));
    }
    result.exploration = Some(exploration.summary());
    result.statistics.queries += exploration.statistics.queries;
    result.statistics.solver_time += exploration.statistics.solver_time;
    result.statistics.runs += exploration.statistics.runs + exploration.statistics.concrete_runs;
    let own = targets.len();
    let Selection { mut chosen, plan } = selection;
    let run = run_natively(context, (function, harness), plan, built, result, until);
    let not_run = if run.is_ok() { Code::NoTimeForTest } else { Code::TestNotBuilt };
    let NativeRun { left_out, observed, witnesses, cases, shown, undefined, built } =
        run.unwrap_or_else(|why| {
            result.notes.push(why);
            NativeRun::default()
        });
    tested.caused = chosen.shown_breaches(context, &observed, &witnesses);
    chosen.leave_out(&left_out);
    for i in undefined {
        chosen.stable[i].is_undefined_natively();
    }
    let run = cases.iter().zip(shown).zip(chosen.numbers.iter().zip(&chosen.scripts));
    let data = run.map(|((case, shown), (&number, script))| TestData {
        script: script.clone(),
        steps: steps(&exploration.tests[number]),
        fails: case.fails,
        shown,
        name: case.name.clone(),
        remark: case.remark.clone(),
        undefined: case.undefined.clone(),
        checks: case.checks.clone().unwrap_or_default(),
    });
    tested.tests = data.collect();
    tested.cases = cases.into_iter().map(Case::decided).collect();
    let kinds: Vec<ObjectiveKind> = elsewhere.iter().map(|c| ObjectiveKind::Check(c.kind)).collect();
    let mut failing_elsewhere: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, (inputs, observed)) in chosen.inputs.iter().zip(&observed).enumerate() {
        let stable = &chosen.stable[number].places;
        let promised = (&chosen.promised[number][..], &stable[..]);
        let counted = counted(context, &chosen.stable[number], observed);
        let run = (inputs, observed, &counted);
        let mut test = judge(function, targets, promised, run, number + 1, &mut evidence);
        test.returned = returned(context, inputs);
        test.sampled = sampled(context, &exploration.tests[chosen.numbers[number]]);
        for &t in stable.iter().filter(|&&t| t >= own && test.divergence.is_none()) {
            if plausible(&kinds[t - own], observed) {
                failing_elsewhere.entry(t - own).or_insert(number + 1);
            }
        }
        result.tests.push(test);
        tested.scripts.push(chosen.scripts[number].clone());
        for (name, points) in counted {
            if !goes_on(inputs) {
                tested.clean.entry(name.clone()).or_default().extend(&points);
            }
            tested.passed.entry(name).or_default().extend(points);
        }
    }
    result.notes.extend(only_skipped(targets, &result.tests, &tested.cases));
    let failing = (targets, elsewhere, &failing_elsewhere);
    if let Some(built) = &built {
        confirm_all(context, (function, built), failing, result, (&mut evidence, &mut tested), until);
    }
    let open_for = |why: footpath_verdict::Reason| {
        (0..own).map(move |t| (GoalId(t), Evidence::open(Method::Run, why.clone())))
    };
    if *prunes {
        evidence.extend(open_for(Code::PrunedByVerification.into()));
    } else if exploration.exhausted && context.compiled.leaves_out(&[harness.procedure]) {
        let left_out = context.compiled.left_out(&[harness.procedure]).join(" or ");
        evidence.extend(open_for(Code::LeftOutByTests.with(left_out)));
    } else if exploration.exhausted {
        let covered = exploration.goals.iter().filter(|g| g.covered_by.is_some());
        tested.reached = Some(covered.map(|g| g.origin).collect());
    }
    for (number, (promised, stable)) in chosen.promised.iter().zip(&chosen.stable).enumerate() {
        for &t in promised {
            let why = match stable.places.contains(&t) {
                _ if number >= observed.len() => not_run,
                true => Code::Diverged,
                false => Code::NotSettable,
            };
            match t.checked_sub(own) {
                Some(other) => {
                    tested.missed.insert(elsewhere[other].origin, why);
                }
                None => evidence.push((GoalId(t), Evidence::open(Method::Run, why))),
            }
        }
    }
    (evidence, tested)
}

/// The points that a test passed, but not those behind undefined behaviour.
fn counted(context: &Context, stable: &Stable, observed: &Observed) -> CoverageHits {
    // Tests of a whole program are inputs of it, which nobody skips.
    let before = stable.before_failure.as_ref().filter(|_| !context.compiled.starts.is_program());
    let Some(before) = before else { return observed.points.clone() };
    let is_before = |target: &Target| match target.origin {
        Origin { procedure, body, place: Place::Segment { block, .. } } => {
            before.contains(&(procedure, body, block))
        }
        _ => false,
    };
    let mut found = CoverageHits::default();
    for function in &context.compiled.lowered.functions {
        let Some(passed) = observed.points.get(&function.name) else { continue };
        let targets = context.compiled.targets(function, &context.options.lowering.checks);
        let points = targets.iter().filter(|target| is_before(target)).filter_map(|target| target.point);
        let points = points.filter(|point| passed.contains(point));
        found.entry(function.name.clone()).or_default().extend(points);
    }
    found
}

/// A remark about code that only tests cover which a suite skips.
fn only_skipped(targets: &[Target], tests: &[Test], cases: &[Case]) -> Option<String> {
    let covers = |i: usize| tests.iter().zip(cases).filter(move |(test, _)| test.covers.contains(&i));
    let is_such = |(i, target): &(usize, &Target)| {
        let of_the_user = target.point.is_some() && target.objective.class == Class::User;
        let mut covering = covers(*i).peekable();
        of_the_user && covering.peek().is_some() && covering.all(|(_, case)| case.undefined.is_some())
    };
    let count = targets.iter().enumerate().filter(is_such).count();
    (count > 0).then(|| {
        let are = if count == 1 { "block or branch is" } else { "blocks and branches are" };
        format!(
            "{count} {are} covered only by tests that are skipped, as something is undefined in them later"
        )
    })
}

/// Whether the compiled test goes on where the run of the program form ended.
fn goes_on(inputs: &Inputs) -> bool {
    fails(&inputs.outcome)
}

/// The tests of a search that are run.
struct Chosen {
    /// How many of them, from the first on, cover what the search reached; those behind are there for what they show of it.
    needed: usize,
    /// Their numbers in the search.
    numbers: Vec<usize>,
    /// What they are run with, which takes the paths that the search found.
    scripts: Vec<Script>,
    inputs: Vec<Inputs>,
    /// For each, the places that it reached in the program form, by number.
    promised: Vec<Vec<usize>>,
    /// Those of them that it reaches whatever the values are that no test can set, and what else is certain.
    stable: Vec<Stable>,
    /// The inputs of further tests, which are only run for what they show of other functions.
    witnesses: Vec<Inputs>,
    /// The checks in other functions that this one makes fail whatever its callers do, each with the test that may show it:
    /// one of those above by its position, or behind them a witness.
    breaches: Vec<(Origin, usize)>,
}

/// As few tests as reach all that the search reached; those that do not end come last, as they take the time that
/// others need.
///
/// What some test reaches in whose run nothing fails is reached by such a test among them, too: of others nothing can be
/// expected.
fn choose(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    exploration: &Exploration,
    places: &[Origin],
    is_check: &dyn Fn(&usize) -> bool,
) -> Chosen {
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
    // From an entry, and where no place is named, everything counts that the search covered, wherever it stands.
    let starts = &context.compiled.starts;
    let is_anywhere = matches!(starts, Starts::Library(_)) || places.is_empty();
    let covers = || tests.iter().map(|t| t.covers.clone()).collect::<Vec<_>>();
    let mut numbers: Vec<usize> = match starts {
        _ if context.options.exploration.is_some() => (0..promised.len()).collect(),
        Starts::Program(_) => cover::set_cover(&covers()),
        _ if is_anywhere => cover::set_cover(&covers()),
        _ => cover::set_cover(&promised),
    };
    numbers.sort_by_key(|&i| tests[i].outcome == Outcome::OutOfSteps);
    let needed = numbers.len();
    let is_for_users = !starts.is_program() && context.options.exploration.is_none();
    if is_for_users {
        numbers.extend(match is_anywhere {
            true => {
                let is_check = |goal: &usize| exploration.goals[*goal].is_check;
                without_failure(tests, &covers(), &numbers, &is_check)
            }
            false => without_failure(tests, &promised, &numbers, is_check),
        });
    }
    let promised: Vec<Vec<usize>> = numbers.iter().map(|&i| std::mem::take(&mut promised[i])).collect();
    let script = |&i: &usize| match is_for_users {
        true => {
            let steps = steps(&tests[i]);
            distinct(context, harness, &reduced(context, harness, &tests[i].script, steps), steps)
        }
        false => tests[i].script.clone(),
    };
    let scripts: Vec<Script> = numbers.iter().map(script).collect();
    let read = |i: usize, script: &Script| {
        let mut inputs = inputs(context.prepared.interpreter(), harness.widest(), script, steps(&tests[i]));
        cut_short(&mut inputs);
        inputs
    };
    let inputs: Vec<Inputs> = numbers.iter().zip(&scripts).map(|(&i, script)| read(i, script)).collect();
    // A test that may go another way is run all the same: it counts for what it passes.
    let stable = |(number, &i): (usize, &usize)| {
        let (all, test) = (promised[number].clone(), &tests[i]);
        // Without an end there is little that such a test promises.
        let most = if test.outcome == Outcome::OutOfSteps { 2 * ENDLESS_STEPS } else { STEPS };
        let steps = steps(test).min(most);
        let (script, returned) = (&scripts[number], &inputs[number].returned);
        determinism::stable(context, harness, script, returned, places, all, steps)
    };
    let stable = numbers.iter().enumerate().map(stable).collect();
    let (mut witnesses, mut breaches) = (Vec::new(), Vec::new());
    for (test, at) in latent_failures::breaches(context, function, harness, exploration) {
        let position = numbers[..needed].iter().position(|&number| number == test).unwrap_or_else(|| {
            witnesses.push(read(test, &tests[test].script));
            numbers.len() + witnesses.len() - 1
        });
        breaches.push((at, position));
    }
    Chosen { needed, numbers, scripts, inputs, promised, stable, witnesses, breaches }
}

/// The tests in which nothing fails, besides those that are chosen, of which some reach each place that any such test does.
fn without_failure(
    tests: &[ConcolicTest],
    promised: &[Vec<usize>],
    chosen: &[usize],
    is_check: &dyn Fn(&usize) -> bool,
) -> Vec<usize> {
    let returns = |i: usize| tests[i].outcome == Outcome::Returned && !promised[i].iter().any(is_check);
    let shown: FxHashSet<usize> =
        chosen.iter().filter(|&&i| returns(i)).flat_map(|&i| promised[i].iter().copied()).collect();
    let missing = |i: usize| -> Vec<usize> {
        promised[i].iter().copied().filter(|t| returns(i) && !shown.contains(t)).collect()
    };
    cover::set_cover(&(0..tests.len()).map(missing).collect::<Vec<_>>())
}

/// Asks for a second opinion on all checks that tests made fail: targets, and those of other functions, each with its
/// test.
fn confirm_all(
    context: &Context,
    (function, built): (&LoweredFunction, &Built),
    (targets, elsewhere, failing_elsewhere): (&[Target], &[CheckElsewhere], &BTreeMap<usize, usize>),
    result: &mut FunctionResult,
    (evidence, tested): (&mut Found, &mut ReplayOutcome),
    until: Option<Deadline>,
) {
    let (mut asked, mut failing) = (BTreeMap::new(), Vec::new());
    for (goal, found) in evidence.iter() {
        let objective = &targets[goal.0].objective;
        if let (ObjectiveKind::Check(kind), Claim::Reached { test: Some(test), .. }) =
            (objective.kind, &found.claim)
            && !asked.contains_key(goal)
        {
            asked.insert(*goal, failing.len());
            failing.push(Failing { span: objective.span, kind, test: *test });
        }
    }
    let others = failing_elsewhere.iter().map(|(&i, &test)| {
        let CheckElsewhere { span, kind, .. } = elsewhere[i];
        Failing { span, kind, test }
    });
    failing.extend(others);
    let opinions = confirm(context, (function, built), &failing, result, until);
    for (goal, found) in evidence.iter_mut() {
        if let Claim::Reached { confirmed, .. } = &mut found.claim {
            *confirmed = asked.get(goal).and_then(|&i| opinions[i]);
        }
    }
    for (&i, &confirmed) in failing_elsewhere.keys().zip(&opinions[asked.len()..]) {
        tested.failures.insert(elsewhere[i].origin, confirmed);
    }
}

/// The largest number of steps for which a run of a test is followed.
fn steps(test: &ConcolicTest) -> u64 {
    if test.outcome == Outcome::OutOfSteps { ENDLESS_STEPS.max(2 * test.steps).min(STEPS) } else { STEPS }
}

/// What a single test passed.
pub(crate) struct RunOfOne {
    /// All points.
    pub(crate) passed: CoverageHits,
    /// Those that count, as nothing is undefined before.
    pub(crate) counted: CoverageHits,
    /// The file that the test was written to.
    pub(crate) file: Option<PathBuf>,
}

/// Builds and runs the test for a script of the function's harness.
pub(crate) fn run_one(
    context: &Context,
    function: &LoweredFunction,
    script: &Script,
) -> Result<RunOfOne, String> {
    let harness = function.harness.as_ref().map_err(Clone::clone)?;
    let mut inputs = inputs(context.prepared.interpreter(), harness.widest(), script, STEPS);
    cut_short(&mut inputs);
    let mut result = FunctionResult::new(&function.name, function.span);
    let mut stable = determinism::stable(context, harness, script, &inputs.returned, &[], Vec::new(), STEPS);
    let cases = vec![planned(context.compiled, inputs, &stable, false)];
    let plan =
        Plan { cases, needed: 1, kept: 1, suspicions: vec![stable.suspicion.as_ref().map(|s| s.check)] };
    let run = run_natively(context, (function, harness), plan, None, &mut result, None)?;
    let file = save_alone(context, (function, harness), &run.cases)?;
    if !run.undefined.is_empty() {
        stable.is_undefined_natively();
    }
    let observed = run.observed.into_iter().next().ok_or("its run left no record")?;
    let counted = counted(context, &stable, &observed);
    Ok(RunOfOne { passed: observed.points, counted, file })
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

impl Chosen {
    /// The checks in other functions of which tests show that this function makes them fail. `observed` are all tests that are
    /// kept, or the first of them.
    fn shown_breaches(
        &self,
        context: &Context,
        observed: &[Observed],
        witnesses: &[Observed],
    ) -> Vec<Origin> {
        let shows = |&&(at, test): &&(Origin, usize)| {
            let observed = match test.checked_sub(self.numbers.len()) {
                Some(witness) => witnesses.get(witness),
                None => observed.get(test),
            };
            observed.is_some_and(|observed| latent_failures::shows(context, at, observed))
        };
        self.breaches.iter().filter(shows).map(|&(at, _)| at).collect()
    }

    /// Leaves out tests by their numbers, from 0.
    fn leave_out(&mut self, left_out: &[usize]) {
        for &i in left_out.iter().rev() {
            self.numbers.remove(i);
            self.scripts.remove(i);
            self.inputs.remove(i);
            self.promised.remove(i);
            self.stable.remove(i);
        }
    }
}

/// Whether the result of a function after such a failure may differ in the next run.
pub(crate) fn reads_out_of_bounds(kind: ObjectiveKind) -> bool {
    use AssertKind::{
        Bool, Bounds, CallType, ClosedStream, Free, Overlap, Uninitialised, UseAfterFree, VlaLength,
    };
    let ObjectiveKind::Check(kind) = kind else { return false };
    matches!(
        kind,
        Bool | Bounds | CallType | ClosedStream | Free | Overlap | Uninitialised | UseAfterFree | VlaLength
    )
}

/// Compares what a test did with what it promised, and counts what it did.
fn judge(
    function: &LoweredFunction,
    targets: &[Target],
    (all, promised): (&[usize], &[usize]),
    (inputs, observed, counted): (&Inputs, &Observed, &CoverageHits),
    number: usize,
    evidence: &mut Found,
) -> Test {
    let passed = observed.points.get(&function.name).cloned().unwrap_or_default();
    let counted = counted.get(&function.name);
    let promised: FxHashSet<usize> = promised.iter().copied().collect();
    let promised_points: BTreeSet<Point> = promised.iter().filter_map(|&i| targets.get(i)?.point).collect();
    let mut covers = Vec::new();
    let mut divergence = None;
    for (i, target) in targets.iter().enumerate() {
        let any_of = |points: &BTreeSet<Point>| target.within.iter().any(|p| points.contains(p));
        let done = match target.point {
            Some(point) => passed.contains(&point),
            // The compiled program does not say that a check fails; that the run got there is what can be seen.
            None => {
                let is_there = target.within.is_empty() || any_of(&passed);
                let is_seen = plausible(&target.objective.kind, observed);
                // That a promise depends on values that no test can set does not matter where the test crashed as promised.
                let crashed = stops(&target.objective.kind, observed) && all.contains(&i);
                (promised.contains(&i) && is_seen || crashed) && is_there
            }
        };
        let counts = |point: &Point| counted.is_some_and(|counted| counted.contains(point));
        if done && !target.point.as_ref().is_none_or(counts) {
            evidence.push((GoalId(i), Evidence::open(Method::Run, Code::BehindUndefined)));
        } else if done {
            covers.push(i);
            let strays = goes_on(inputs) && !promised.contains(&i);
            let rests_on = if strays { vec![Premise::MemorySafety] } else { Vec::new() };
            evidence.push((GoalId(i), Evidence::reached(Method::Run, Some(number), rests_on)));
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

/// Whether the end of the compiled test fits the failure of a check. Those after which no process goes on must have stopped
/// it.
pub(crate) fn plausible(kind: &ObjectiveKind, observed: &Observed) -> bool {
    let ends = matches!(observed.ended, Ended::Signal(_)) || !observed.returned;
    matches!(kind, ObjectiveKind::Check(kind) if crate::strategy::sanitizers::goes_on(*kind) || ends)
}

/// Whether a process was stopped by a signal as the failure of a check does it where there is an instruction for it.
fn stops(kind: &ObjectiveKind, observed: &Observed) -> bool {
    use AssertKind::{Abort, Assert, Constant, Division, Null};
    match (kind, &observed.ended) {
        (ObjectiveKind::Check(Division), Ended::Signal(signal)) => {
            format!("signal {signal}") == DIVISION_CRASH
        }
        (ObjectiveKind::Check(Null | Constant | Abort | Assert), Ended::Signal(_)) => true,
        _ => false,
    }
}
