//! Whole-program testing: runs start at the program's entry, and objectives of all functions count.
//!
//! 1. A short search finds what is easy to find.
//! 2. Proofs, function by function and from any state, and invariants and loop summaries of the whole program rule
//!    out part of what it left.
//! 3. If something is left that may be reached, a search for just that takes the remaining time.
//! 4. The tests are run, and what they pass counts in all functions.
//!
//! **Direction of error.** As for single functions; nothing is claimed about functions that may be called
//! asynchronously, such as signal handlers.

use std::sync::atomic::Ordering;
use std::time::Instant;

use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_ir::Origin;
use rustc_hash::FxHashSet;

use crate::function::{self, Check, Context, ReplayOutcome};
use crate::objectives::{Target, targets};
use crate::result::{Class, Evidence, FunctionResult, ObjectiveKind, Status, Verdict};
use crate::strategy::bounded_proof::{Key, key, prove};
use crate::strategy::call_graph::uncalled;
use crate::strategy::invariants::NeverEntered;
use crate::strategy::out_of_bounds;
use crate::strategy::search;
use crate::strategy::search::Found;
use crate::strategy::whole_program_loops::never_reached;
use crate::workers::in_parallel;
use crate::{CompileError, Event};

/// The bound of a search through a whole program.
const BOUND: &str =
    "a few arguments of the command line (--arguments), and memory that is zero until it is written";
/// Part of the time that invariants may take.
const INVARIANTS_SHARE: f64 = 0.1;
/// Part of the time that loop summaries of the whole program may take.
const LOOPS_SHARE: f64 = 0.15;
/// Why nothing is claimed of functions that others may call.
pub(crate) const BESIDE: &str =
    "it may be called asynchronously (by a thread, a signal or at exit), which is not analysed";
/// Part of the time that it may take to see which proofs rest on accesses.
const OUT_OF_BOUNDS_SHARE: f64 = 0.2;
/// Part of the time that other proofs may take.
const PROOFS_SHARE: f64 = 0.3;

/// One function of the program.
struct Part {
    index: usize,
    targets: Vec<Target>,
    result: FunctionResult,
}

/// Tests the program from the function named `entry`, and returns the result of each function in `work`.
pub(crate) fn whole_program(
    context: &Context,
    entry: &str,
    work: &[usize],
) -> Result<Vec<(usize, FunctionResult)>, CompileError> {
    let started = Instant::now();
    let functions = &context.compiled.lowered.functions;
    let Some(main) = work.iter().position(|&i| functions[i].name == entry) else {
        return Err(CompileError::NoEntry(entry.to_owned()));
    };
    let function = &functions[work[main]];
    (context.events)(Event::Started(entry.to_owned()));
    let mut parts: Vec<Part> = work.iter().map(|&i| Part::new(context, i)).collect();
    leave_uncalled(context, function, &mut parts);
    let mut tested = ReplayOutcome::default();
    match (&function.degraded, &function.harness) {
        (None, Ok(harness)) => tested = run(context, function, harness, main, &mut parts, started),
        (None, Err(why)) => parts[main].result.notes.push(format!("no tests are made, because {why}")),
        (Some(_), _) => {}
    }
    let beside = context.compiled.runs_async();
    for part in &mut parts {
        part.settle(context, &tested);
        if beside.contains(&functions[part.index].procedure) {
            part.leave_open();
        }
    }
    let time = context.options.timeout.mul_f64(OUT_OF_BOUNDS_SHARE);
    let mut results: Vec<_> = parts.iter_mut().map(|part| (part.index, &mut part.result)).collect();
    out_of_bounds::of_program(context, work[main], &mut results, time);
    if let Some(time) = context.options.fails_when {
        function::fails_when(context, function, time, &mut parts[main].result);
    }
    Ok(parts.into_iter().map(|part| part.finish(context, started)).collect())
}

/// Searches, proves, and continues the search; then runs the tests. The entry is part number `main`.
fn run(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    main: usize,
    parts: &mut [Part],
    started: Instant,
) -> ReplayOutcome {
    parts[main].result.bounded = harness.bounded;
    let mut found = match search::search_program(context, function, harness) {
        Ok(found) => found,
        Err(error) => {
            parts[main].result.notes.push(format!("the search for tests failed: {error}"));
            return ReplayOutcome::default();
        }
    };
    if context.options.exploration.is_none() {
        if is_open_to_the_user(&open(&found, parts)) {
            prove_all(context, &found, main, parts);
            leave_uncalled(context, function, parts);
        }
        let open = open(&found, parts);
        let is_done = found.exploration.exhausted
            || !is_open_to_the_user(&open)
            || context.stop.load(Ordering::Relaxed);
        // Code that the compiler made is searched for, too: if every path is known then, what was not found is not
        // reached.
        let open = open.into_iter().map(|t| t.origin).collect();
        if !is_done
            && let Err(error) =
                search::search_further(context, function, harness, &mut found, open, started.elapsed())
        {
            parts[main].result.notes.push(format!("the search for tests ended early: {error}"));
        }
    }
    let elsewhere = checks_elsewhere(main, parts);
    let part = &mut parts[main];
    let places = (&mut part.targets[..], &elsewhere[..]);
    function::test(context, function, harness, &found, places, &mut part.result, None)
}

/// The checks of all functions but the entry.
fn checks_elsewhere(main: usize, parts: &[Part]) -> Vec<Check> {
    let others = parts.iter().enumerate().filter(|(i, _)| *i != main).flat_map(|(_, part)| &part.targets);
    let check = |t: &Target| match t.objective.kind {
        ObjectiveKind::Check(kind) => Some(Check { origin: t.origin, span: t.objective.span, kind }),
        _ => None,
    };
    others.filter_map(check).collect()
}

/// Settles as unreachable everything in functions that the program never calls.
fn leave_uncalled(context: &Context, entry: &LoweredFunction, parts: &mut [Part]) {
    let dead = parts.iter().flat_map(|p| &p.targets).filter(|t| t.objective.verdict == Verdict::Unreachable);
    let dead: FxHashSet<Origin> = dead.map(|t| t.origin).collect();
    let uncalled = uncalled(context.compiled, entry.procedure, &dead);
    let functions = &context.compiled.lowered.functions;
    for part in parts.iter_mut().filter(|p| p.is_open() && uncalled.contains(&functions[p.index].procedure)) {
        part.leave_uncalled();
    }
}

/// Asks for proofs about what a search left, in all functions.
fn prove_all(context: &Context, found: &Found, main: usize, parts: &mut [Part]) {
    let covered: FxHashSet<Origin> = covered(found).collect();
    let indices: Vec<usize> = parts.iter().map(|p| p.index).collect();
    let time = context.options.timeout.mul_f64(INVARIANTS_SHARE);
    let open = |part: &Part| {
        let left = part.targets.iter().filter(|t| {
            part.is_open() && !covered.contains(&t.origin) && t.objective.class != Class::Compiler
        });
        left.map(key).collect::<Vec<Key>>()
    };
    let open: FxHashSet<Key> = parts.iter().flat_map(open).collect();
    let never = NeverEntered::of(context, indices[main], &indices, &open, time);
    let deadline = Instant::now() + context.options.timeout.mul_f64(PROOFS_SHARE);
    let functions = &context.compiled.lowered.functions;
    let work: Vec<usize> = (0..parts.len()).collect();
    let proved = in_parallel(&work, context.options.jobs, context.stop, &|i| {
        let function = &functions[parts[i].index];
        let mut result = FunctionResult::new(&function.name, function.span);
        let is_left = |(_, t): &(usize, &Target)| !covered.contains(&t.origin);
        let left = parts[i].targets.iter().enumerate().filter(is_left).map(|(at, t)| (at, t.clone()));
        let (places, mut open): (Vec<usize>, Vec<Target>) = left.unzip();
        let began = Instant::now();
        let left = deadline.saturating_duration_since(began);
        if parts[i].is_open() {
            prove(context, function, &mut open, &mut result, left);
        }
        result.statistics.total_time = began.elapsed();
        (places, open, result)
    });
    for (i, (places, open, result)) in proved {
        let part = &mut parts[i];
        for (at, proved) in places.into_iter().zip(open) {
            part.targets[at] = proved;
        }
        if let Some(never) = &never {
            part.leave_never_entered(never, &covered);
        }
        part.result.notes.extend(result.notes);
        part.result.statistics = result.statistics;
    }
    let until = Instant::now() + context.options.timeout.mul_f64(LOOPS_SHARE);
    for part in parts.iter_mut().filter(|part| part.is_open()) {
        part.leave_never_reached(context, indices[main], &covered, until);
    }
}

fn covered(found: &Found) -> impl Iterator<Item = Origin> + '_ {
    found.exploration.goals.iter().filter(|g| g.covered_by.is_some()).map(|g| g.origin)
}

/// The targets that are neither covered nor ruled out.
fn open<'p>(found: &Found, parts: &'p [Part]) -> Vec<&'p Target> {
    let covered: FxHashSet<Origin> = covered(found).collect();
    let goals: FxHashSet<Origin> = found.exploration.goals.iter().map(|g| g.origin).collect();
    let targets = parts.iter().filter(|p| p.is_open()).flat_map(|p| &p.targets);
    let is_open = |t: &&Target| {
        t.objective.verdict != Verdict::Unreachable
            && t.objective.settled_by != Some(Evidence::Invariants)
            && goals.contains(&t.origin)
            && !covered.contains(&t.origin)
    };
    targets.filter(is_open).collect()
}

fn is_open_to_the_user(open: &[&Target]) -> bool {
    open.iter().any(|t| t.objective.class != Class::Compiler)
}

impl Part {
    fn new(context: &Context, index: usize) -> Part {
        let function = &context.compiled.lowered.functions[index];
        let mut result = FunctionResult::new(&function.name, function.span);
        result.bounded = true;
        let mut of_it = Vec::new();
        match &function.degraded {
            Some(why) => result.status = Status::Skipped(format!("{why} is not supported")),
            None => {
                let checks = &context.options.lowering.checks;
                of_it = targets(&context.compiled.lowered.program, function, checks);
            }
        }
        Part { index, targets: of_it, result }
    }

    /// Whether any objective is open.
    fn is_open(&self) -> bool {
        self.result.status == Status::Analysed && !self.result.uncalled
    }

    fn leave_uncalled(&mut self) {
        self.result.uncalled = true;
        for target in &mut self.targets {
            target.objective.settle(Verdict::Unreachable, Evidence::CallGraph);
        }
    }

    /// Settles as unreachable what invariants exclude.
    fn leave_never_entered(&mut self, never: &NeverEntered, covered: &FxHashSet<Origin>) {
        for target in self.targets.iter_mut().filter(|t| !covered.contains(&t.origin)) {
            if target.objective.verdict != Verdict::Unreachable && never.contains(self.index, target) {
                let verdict = if never.bounded {
                    Verdict::UnreachableWithin(BOUND.to_owned())
                } else {
                    Verdict::Unreachable
                };
                target.objective.settle(verdict, Evidence::Invariants);
            }
        }
    }

    /// Settles as unreachable what loop summaries exclude.
    fn leave_never_reached(
        &mut self,
        context: &Context,
        main: usize,
        covered: &FxHashSet<Origin>,
        until: Instant,
    ) {
        let is_open = |t: &&Target| {
            t.objective.class != Class::Compiler
                && t.objective.verdict != Verdict::Unreachable
                && !covered.contains(&t.origin)
        };
        let open: Vec<&Target> = self.targets.iter().filter(is_open).collect();
        let never = never_reached(context, main, self.index, &open, until);
        for target in self.targets.iter_mut().filter(|t| is_open(&&**t) && never.contains(&key(t))) {
            target.objective.settle(Verdict::Unreachable, Evidence::LoopSummary);
        }
    }

    /// Counts what the tests passed, and checks the proofs against it.
    fn settle(&mut self, context: &Context, tested: &ReplayOutcome) {
        let function = &context.compiled.lowered.functions[self.index];
        let passed = tested.passed.get(&function.name);
        for target in &mut self.targets {
            let is_passed = |point| passed.is_some_and(|p| p.contains(&point));
            let failure = tested.failures.get(&target.origin);
            if target.point.is_some_and(is_passed) || failure.is_some() {
                if target.objective.verdict == Verdict::Unreachable {
                    self.result.notes.push(function::passed_although(&target.objective.id, "a test"));
                }
                if target.objective.verdict != Verdict::Covered {
                    target.objective.settle(Verdict::Covered, Evidence::Run);
                    target.objective.explanation.clear();
                    target.objective.confirmed = failure.copied().flatten();
                }
            } else if target.objective.verdict != Verdict::Unreachable
                && target.objective.verdict != Verdict::Covered
                && tested.reached.as_ref().is_some_and(|r| !r.contains(&target.origin))
            {
                target.objective.settle(Verdict::UnreachableWithin(BOUND.to_owned()), Evidence::Exhaustion);
            } else if let Some(why) = tested.missed.get(&target.origin) {
                target.objective.miss(why);
            }
        }
        self.result.objectives = std::mem::take(&mut self.targets).into_iter().map(|t| t.objective).collect();
        if self.result.uncalled && self.result.objectives.iter().any(|o| o.verdict == Verdict::Covered) {
            self.result.uncalled = false;
        }
    }

    /// Leaves a function open that may be called asynchronously.
    fn leave_open(&mut self) {
        for objective in &mut self.result.objectives {
            if objective.verdict != Verdict::Covered {
                objective.verdict = Verdict::Unknown(BESIDE.to_owned());
                objective.settled_by = None;
                objective.explanation.clear();
            }
        }
        self.result.uncalled = false;
    }

    fn finish(mut self, context: &Context, started: Instant) -> (usize, FunctionResult) {
        let objectives = &self.result.objectives;
        let covered = objectives.iter().filter(|o| o.verdict == Verdict::Covered).count();
        (context.events)(Event::Finished(self.result.name.clone(), covered, objectives.len()));
        if self.result.exploration.is_some() {
            self.result.statistics.total_time = started.elapsed();
        }
        (self.index, self.result)
    }
}
