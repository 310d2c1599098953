//! The job of a C function that is called by itself: tests from the concolic engine are compiled and run; what is left is proved
//! unreachable where possible.
//!
//! Which strategies are tried, in which order, is in `pipeline.rs`; here is how each is asked about one function.
//!
//! **Direction of error.** That of the strategies: evidence becomes a verdict in the job's ledger.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use footpath_concolic::Exploration;
use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_ir::Origin;
use footpath_ir::interp::Script;
use footpath_verdict::{Bound, Code, Evidence, GoalId, Ledger, Method, Premise, Verdict};
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use crate::callers;
use crate::context::Context;
use crate::objectives::Target;
use crate::pipeline::{self, Found, Job};
use crate::preconditions;
use crate::result::{FunctionResult, Objective, ObjectiveKind, Spent, Status};
use crate::strategy::bounded_proof::{LEAST, key, prove, wants_proof};
use crate::strategy::greybox_fuzzing;
use crate::strategy::invariants;
use crate::strategy::latent_failures;
use crate::strategy::loop_summaries::{Ask, Subject, has_loop};
use crate::strategy::native_execution::{Built, ToBuild, build_together};
use crate::strategy::out_of_bounds;
use crate::strategy::replay::{ReplayOutcome, Selection, select, test};
use crate::strategy::search;
use crate::strategy::seeds;

/// Part of the time that is left besides building tests that loop summaries may take; the rest is for proofs.
const LOOPS_SHARE: f64 = 0.6;
/// The time of a function from which on loop summaries are asked before its search; in the short rounds of a project's
/// functions a search finds more.
const ENOUGH_FOR_SUMMARIES: Duration = Duration::from_secs(5);

/// The analysis of one function.
pub(crate) struct FunctionJob<'a> {
    context: &'a Context<'a>,
    index: usize,
    function: &'a LoweredFunction,
    started: Instant,
    targets: Vec<Target>,
    ledger: Ledger,
    result: FunctionResult,
    tested: ReplayOutcome,
    /// What the search found, until its tests are run.
    found: Option<search::Found>,
    /// Those of its tests that are to be run.
    selection: Option<Selection>,
    /// The program in which they were built with those of other functions.
    built: Option<Built>,
    /// Inputs that the search begins with.
    proposals: Vec<Script>,
    /// Those of them that fuzzing found, which may pass code of called functions that these leave open.
    fuzzed: Vec<Script>,
    /// When the first search began.
    searched: Option<Instant>,
    /// Whether loop summaries found a run.
    has_deep_runs: bool,
}

/// A function whose tests were searched for, and are to be built and run.
pub(crate) struct Searched {
    /// Its number in the program.
    pub(crate) index: usize,
    started: Instant,
    /// When the search ended; until the tests are built the function's time stands still.
    paused: Instant,
    /// What building took for this function.
    charged: Duration,
    targets: Vec<Target>,
    ledger: Ledger,
    result: FunctionResult,
    found: Option<search::Found>,
    selection: Option<Selection>,
    built: Option<Built>,
    fuzzed: Vec<Script>,
}

impl Searched {
    /// Function number `index`, of which nothing is known yet; one that is not supported is skipped, and has no targets.
    fn of(context: &Context, index: usize) -> Searched {
        let function = &context.compiled.lowered.functions[index];
        let started = Instant::now();
        let mut result = FunctionResult::new(&function.name, function.span);
        let targets = match &function.degraded {
            Some(why) => {
                result.status = Status::Skipped(format!("{why} is not supported"));
                Vec::new()
            }
            None => context.compiled.targets(function, &context.options.lowering.checks),
        };
        Searched {
            index,
            started,
            paused: Instant::now(),
            charged: Duration::ZERO,
            ledger: Ledger::new(targets.len()),
            targets,
            result,
            found: None,
            selection: None,
            built: None,
            fuzzed: Vec::new(),
        }
    }

    /// The tests that are to be built.
    fn tests<'s>(&'s mut self, context: &'s Context) -> Option<ToBuild<'s>> {
        let function = &context.compiled.lowered.functions[self.index];
        let cases = &mut self.selection.as_mut()?.plan.cases[..];
        Some(ToBuild { function, harness: function.harness.as_ref().ok()?, cases })
            .filter(|t| !t.cases.is_empty())
    }
}

/// Builds the tests of several functions in one source as one program. What cannot be built so is built alone later.
pub(crate) fn build(context: &Context, searched: &mut [Searched]) {
    static NUMBER: AtomicUsize = AtomicUsize::new(1);
    let started = Instant::now();
    let mut numbers = Vec::new();
    let mut tests: Vec<ToBuild> = Vec::new();
    for (number, one) in searched.iter_mut().enumerate() {
        if let Some(test) = one.tests(context) {
            numbers.push(number);
            tests.push(test);
        }
    }
    if tests.len() < 2 {
        return;
    }
    let name = format!("together_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let Ok(built) = build_together(context, &mut tests, &name) else { return };
    let each = started.elapsed() / numbers.len() as u32;
    for (number, built) in numbers.into_iter().zip(built) {
        let one = &mut searched[number];
        one.built = Some(built);
        one.charged = each;
        one.result.statistics.strategies.push(Spent { strategy: "build".into(), time: each, claims: 0 });
    }
}

/// Searches for tests of function number `index` of the program.
pub(crate) fn search(context: &Context, index: usize) -> Searched {
    let begun = Searched::of(context, index);
    if begun.result.status != Status::Analysed {
        return begun;
    }
    let mut job = FunctionJob::resume(context, begun);
    pipeline::run(&pipeline::c_function_search(), &mut job);
    job.pause()
}

/// Runs the tests of a function, and proves what they leave open.
pub(crate) fn finish(context: &Context, searched: Searched) -> (FunctionResult, ReplayOutcome) {
    if searched.result.status != Status::Analysed {
        return (searched.result, ReplayOutcome::default());
    }
    let mut job = FunctionJob::resume(context, searched);
    pipeline::run(&pipeline::c_function_replay(), &mut job);
    job.finish()
}

impl Job for FunctionJob<'_> {
    fn context(&self) -> &Context<'_> {
        self.context
    }

    fn started(&self) -> Instant {
        self.started
    }

    fn reserved(&self) -> Duration {
        let is_needed = !self.fuzzed.is_empty();
        if is_needed { self.context.options.timeout.mul_f64(callers::SHARE) } else { Duration::ZERO }
    }

    fn ledger(&mut self) -> &mut Ledger {
        &mut self.ledger
    }

    fn count(&mut self, spent: Spent) {
        self.result.statistics.strategies.push(spent);
    }
}

impl<'a> FunctionJob<'a> {
    /// Goes on where a job was paused, as if no time had passed but that of building.
    fn resume(context: &'a Context<'a>, searched: Searched) -> FunctionJob<'a> {
        let Searched { index, started, paused, charged, targets, ledger, .. } = searched;
        let Searched { result, found, selection, built, fuzzed, .. } = searched;
        FunctionJob {
            context,
            index,
            function: &context.compiled.lowered.functions[index],
            started: started + paused.elapsed().saturating_sub(charged),
            targets,
            ledger,
            result,
            tested: ReplayOutcome::default(),
            found,
            selection,
            built,
            proposals: Vec::new(),
            fuzzed,
            searched: None,
            has_deep_runs: false,
        }
    }

    fn pause(self) -> Searched {
        let FunctionJob { index, started, targets, ledger, result, found, selection, built, fuzzed, .. } =
            self;
        let (paused, charged) = (Instant::now(), Duration::ZERO);
        Searched { index, started, paused, charged, targets, ledger, result, found, selection, built, fuzzed }
    }

    /// What abstract interpretation excludes.
    pub(crate) fn invariants(&mut self, time: Duration) -> Found {
        if self.function.harness.is_err() {
            return Found::new();
        }
        let never = invariants::of_function(self.context, self.index, time);
        let excluded = self.goals().filter(|(_, target)| never.contains(&key(target)));
        excluded.map(|(goal, target)| (goal, proof(Method::Invariants, target))).collect()
    }

    /// Inputs for the search from what other tools found.
    pub(crate) fn seeds(&mut self, _: Duration) -> Found {
        if let Ok(harness) = &self.function.harness {
            let notes = &mut self.result.notes;
            self.proposals = seeds::proposals(self.context, self.function, harness, notes);
        }
        Found::new()
    }

    /// A search of a few runs, if one of the strategies that follow may be faster than a longer search.
    pub(crate) fn first_search(&mut self, time: Duration) -> Found {
        let (context, function) = (self.context, self.function);
        let asks_summaries = || {
            context.options.timeout >= ENOUGH_FOR_SUMMARIES
                && has_loop(&context.compiled.lowered.program, function.procedure)
        };
        if let Ok(harness) = &function.harness
            && greybox_fuzzing::is_plain(context, function)
            && (greybox_fuzzing::is_wanted(context, function) || asks_summaries())
        {
            self.searched = Some(Instant::now());
            // What is wrong is said by the search.
            self.found = search::first_search(context, function, harness, self.ruled_out_places(), time).ok();
        }
        Found::new()
    }

    /// Inputs for the search, if there is code that the first search has not reached.
    pub(crate) fn greybox_fuzzing(&mut self, time: Duration) -> Found {
        let (context, function) = (self.context, self.function);
        if let (Some(found), Ok(harness)) = (&self.found, &function.harness) {
            let (is_open, has_callees) = (found.is_open(harness), callers::is_wanted(context, function));
            if (is_open || has_callees) && !context.stop.load(Ordering::Relaxed) {
                let subject = (function, harness);
                let fuzzed = greybox_fuzzing::proposals(context, subject, &Script::default(), time);
                self.pass_over(fuzzed.for_others);
                if has_callees {
                    self.fuzzed.clone_from(&fuzzed.scripts);
                }
                if is_open {
                    self.proposals.extend(fuzzed.scripts);
                }
            }
        }
        Found::new()
    }

    /// Leaves some of the time that passed to other functions.
    fn pass_over(&mut self, time: Duration) {
        self.started += time;
        self.searched = self.searched.map(|searched| searched + time);
    }

    /// The places that are known to be unreachable.
    fn ruled_out_places(&self) -> Vec<Origin> {
        let ruled_out = self.goals().filter(|(goal, _)| self.ledger.verdict(*goal).is_infeasible());
        ruled_out.map(|(_, target)| target.origin).collect()
    }

    /// A search for tests, which are run later, and what it excludes within the bounds of the harness.
    pub(crate) fn search(&mut self, _: Duration) -> Found {
        let (context, function) = (self.context, self.function);
        let harness = match &function.harness {
            Ok(harness) => harness,
            Err(why) => {
                self.result.notes.push(format!("no tests are made, because {why}"));
                return Found::new();
            }
        };
        self.result.bounded = harness.bounded;
        let begun = search::Begun {
            found: self.found.take(),
            proposals: std::mem::take(&mut self.proposals),
            has_deep_runs: self.has_deep_runs,
            spent: self.searched.map_or(Duration::ZERO, |since| since.elapsed()),
        };
        let found = match search::search(context, function, harness, self.ruled_out_places(), begun) {
            Ok(found) => found,
            Err(error) => {
                self.result.notes.push(format!("the search for tests failed: {error}"));
                return Found::new();
            }
        };
        let evidence = self.ruled_out(harness, &found.exploration);
        self.found = Some(found);
        evidence
    }

    /// Runs to what is many loop iterations away, before they are searched for one by one.
    pub(crate) fn deep_runs(&mut self, time: Duration) -> Found {
        if self.context.options.timeout < ENOUGH_FOR_SUMMARIES {
            return Found::new();
        }
        self.ask_loop_summaries(Ask::Runs, time)
    }

    /// Runs to what the search did not reach, and proofs that there is none, by loop summaries.
    pub(crate) fn loop_summaries(&mut self, time: Duration) -> Found {
        self.ask_loop_summaries(Ask::All, time)
    }

    /// Asks loop summaries about what is open.
    fn ask_loop_summaries(&mut self, ask: Ask, time: Duration) -> Found {
        let (context, index, function) = (self.context, self.index, self.function);
        let (Some(mut found), Ok(harness)) = (self.found.take(), &function.harness) else {
            return Found::new();
        };
        let mut evidence = Found::new();
        // The tests must still be built.
        let builds = search::build_time(context, function);
        let time = time.min(self.time().1.saturating_sub(builds).mul_f64(LOOPS_SHARE));
        // What is left out of tests, or found by guidance, has no place in the program that is asked about.
        let is_plain = !found.prunes && context.compiled.natives.is_none();
        let is_open = match ask {
            Ask::Runs => found.is_open(harness),
            Ask::All => !found.exploration.exhausted,
        };
        if is_plain && is_open && has_loop(&context.compiled.lowered.program, function.procedure) {
            let open: Vec<(GoalId, &Target)> =
                self.goals().filter(|(goal, _)| self.ledger.is_open(*goal)).collect();
            let subject = Subject { context, index, harness, ask };
            let tests = found.exploration.tests.len();
            evidence = subject.ask(&open, &mut found.exploration, time);
            self.has_deep_runs |= found.exploration.tests.len() > tests;
        }
        self.found = Some(found);
        evidence
    }

    /// Chooses the tests that are to be run.
    pub(crate) fn select(&mut self, _: Duration) -> Found {
        if let (Some(found), Ok(harness)) = (&self.found, &self.function.harness) {
            let places = (&self.targets[..], &[][..]);
            self.selection = Some(select(self.context, self.function, harness, &found.exploration, places));
        }
        Found::new()
    }

    /// What the tests that were found cover, and what an exhaustive search excludes.
    pub(crate) fn replay(&mut self, _: Duration) -> Found {
        let (context, function) = (self.context, self.function);
        let (Some(found), Some(selection), Ok(harness)) =
            (self.found.take(), self.selection.take(), &function.harness)
        else {
            return Found::new();
        };
        // Who stops a run waits for no test that takes long, of this function or of others that were built with it.
        let is_stopped = context.stop.load(Ordering::Relaxed);
        let left = if is_stopped { Duration::ZERO } else { self.time().1 };
        let until = Some(Deadline::by_wall_clock(left));
        let places = (&self.targets[..], &[][..]);
        let (subject, tests) = ((function, harness), (selection, self.built.take()));
        let (mut evidence, tested) = test(context, subject, &found, tests, places, &mut self.result, until);
        if let Some(reached) = &tested.reached {
            evidence.extend(self.exhausted(harness, reached));
        }
        self.tested = tested;
        evidence
    }

    /// What was ruled out during a search.
    fn ruled_out(&self, harness: &Harness, found: &Exploration) -> Found {
        let never: FxHashSet<Origin> = found.goals.iter().filter(|g| g.ruled_out).map(|g| g.origin).collect();
        let excluded = self.goals().filter(|(goal, target)| {
            !self.ledger.verdict(*goal).is_infeasible() && never.contains(&target.origin)
        });
        self.within(harness, Method::Invariants, excluded)
    }

    /// What an exhaustive search has not reached.
    fn exhausted(&self, harness: &Harness, reached: &FxHashSet<Origin>) -> Found {
        let missing = self.goals().filter(|(_, target)| !reached.contains(&target.origin));
        self.within(harness, Method::Exhaustion, missing)
    }

    /// That no run of a harness reaches these places.
    fn within<'t>(
        &self,
        harness: &Harness,
        by: Method,
        places: impl Iterator<Item = (GoalId, &'t Target)>,
    ) -> Found {
        let mut places = places.peekable();
        let bound = if places.peek().is_none() {
            return Found::new();
        } else if harness.bounded {
            Some(Bound::InputSizes)
        } else if !harness.frozen.is_empty() {
            Some(Bound::FirstCall)
        } else {
            let differ = self.context.compiled.proofs_differ(&[harness.procedure]);
            differ.then_some(Bound::TestAssumptions)
        };
        let evidence = |target| match bound {
            Some(bound) => Evidence::not_reached_within(by, bound),
            None => proof(by, target),
        };
        places.map(|(goal, target)| (goal, evidence(target))).collect()
    }

    /// What no state at all leads to, with loops unwound.
    pub(crate) fn bounded_proof(&mut self, time: Duration) -> Found {
        let open = self.goals().filter(|(goal, target)| wants_proof(&self.ledger, *goal, target));
        let open: Vec<(GoalId, Target)> = open.map(|(goal, target)| (goal, target.clone())).collect();
        prove(self.context, self.function, &open, &mut self.result, time)
    }

    /// Which of that does not rest on memory safety.
    pub(crate) fn out_of_bounds(&mut self, time: Duration) -> Found {
        let goals: Vec<(GoalId, &Target)> = goals(&self.targets).collect();
        out_of_bounds::of_function(self.context, self.index, &goals, &self.ledger, &mut self.result, time)
    }

    fn goals(&self) -> impl Iterator<Item = (GoalId, &Target)> {
        goals(&self.targets)
    }

    fn finish(mut self) -> (FunctionResult, ReplayOutcome) {
        if let Some(reason) = self.limit_met() {
            let open = self.ledger.goals().map(|goal| (goal, Evidence::open(Method::Run, reason.clone())));
            let open: Found = open.collect();
            self.record(open);
        }
        let places = latent_failures::places(&self.targets);
        let objectives = self.targets.into_iter().map(|target| target.objective).collect();
        self.result.take(objectives, &self.ledger, 0);
        if let (false, Ok(harness)) = (self.context.options.strict, &self.function.harness) {
            let (scripts, objectives) = (&self.tested.scripts, &mut self.result.objectives);
            let remark =
                latent_failures::classify(self.context, self.function, harness, &places, scripts, objectives);
            self.result.notes.extend(remark);
        }
        if let Some(time) = self.context.options.fails_when {
            fails_when(self.context, self.function, time, &mut self.result);
        }
        self.result.statistics.total_time = self.started.elapsed();
        self.tested.fuzzed = self.fuzzed;
        (self.result, self.tested)
    }

    /// The limit that ended the analysis, if it did not end by itself.
    fn limit_met(&self) -> Option<footpath_verdict::Reason> {
        let (all, left) = self.time();
        if self.context.stop.load(Ordering::Relaxed) {
            return Some(Code::RunEnded.into());
        }
        // The remaining time of the last strategy is not used if it is too short for a proof.
        let is_shortened = self.context.options.total.is_some();
        let code = if is_shortened { Code::TotalTime } else { Code::TimeLimit };
        let seconds = (all.as_secs_f64() * 10.0).round() / 10.0;
        (left < LEAST).then(|| code.with(format!("{seconds} s")))
    }
}

/// Targets with their goals.
pub(crate) fn goals(targets: &[Target]) -> impl Iterator<Item = (GoalId, &Target)> {
    targets.iter().enumerate().map(|(i, target)| (GoalId(i), target))
}

/// That no run of the program form reaches a place. Of code this rests on memory safety until that is found not to be needed;
/// that a check holds is always about the first failure.
pub(crate) fn proof(by: Method, target: &Target) -> Evidence {
    let is_check = matches!(target.objective.kind, ObjectiveKind::Check(_));
    Evidence::not_reached(by, if is_check { Vec::new() } else { vec![Premise::MemorySafety] })
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
