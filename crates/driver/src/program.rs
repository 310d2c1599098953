//! The job of a whole program: runs start at the program's entry, and objectives of all functions count.
//!
//! 1. A short search finds what is easy to find; greybox fuzzing goes deep, and a second search goes on from there.
//! 2. Proofs, function by function and from any state, and invariants and loop summaries of the whole program rule
//!    out part of what they left.
//! 3. If something is left that may be reached, a search for just that takes the remaining time.
//! 4. The tests are run, and what they pass counts in all functions.
//!
//! **Direction of error.** As for single functions; nothing is claimed about functions that may be called
//! asynchronously, such as signal handlers.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use footpath_frontend::c::Harness;
use footpath_ir::interp::Script;
use footpath_ir::{Origin, ProcId};
use footpath_term::Value;
use footpath_verdict::{Bound, Claim, Code, Evidence, GoalId, Ledger, Method, Premise, Verdict};
use footpath_virtual_time::Deadline;
use num_traits::One;
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::function::{self, proof};
use crate::objectives::Target;
use crate::pipeline::{self, Found, Job};
use crate::result::{Class, FunctionResult, ObjectiveKind, Spent, Status};
use crate::strategy::bounded_proof::{Key, key, prove, wants_proof};
use crate::strategy::call_graph::uncalled;
use crate::strategy::greybox_fuzzing;
use crate::strategy::invariants::NeverEntered;
use crate::strategy::out_of_bounds;
use crate::strategy::replay::{CheckElsewhere, ReplayOutcome, select, test};
use crate::strategy::search;
use crate::strategy::seeds;
use crate::strategy::whole_program_loops::never_reached;
use crate::test_suites::Cases;
use crate::workers::in_parallel;
use crate::{CompileError, Event};

/// Part of a program's time that is over when its tests are run, once what building them takes is set aside.
const REPLAY_STARTS: f64 = 0.9;

/// One function of a program or library.
pub(crate) struct Part {
    /// Its number.
    pub(crate) index: usize,
    /// The goal of its first target.
    pub(crate) first: usize,
    pub(crate) targets: Vec<Target>,
    pub(crate) result: FunctionResult,
}

/// The functions in `work`, and the ledger of their goals.
pub(crate) fn parts_of(context: &Context, work: &[usize]) -> (Vec<Part>, Ledger) {
    let mut parts: Vec<Part> = Vec::new();
    for &i in work {
        let first = parts.last().map_or(0, |part| part.first + part.targets.len());
        parts.push(Part::new(context, i, first));
    }
    let ledger = Ledger::new(parts.iter().map(|part| part.targets.len()).sum());
    (parts, ledger)
}

/// The analysis of a program.
pub(crate) struct ProgramJob<'a> {
    context: &'a Context<'a>,
    /// The position of the entry among the parts.
    main: usize,
    started: Instant,
    parts: Vec<Part>,
    ledger: Ledger,
    /// What the searches found so far.
    found: Option<search::Found>,
    /// The tests that were run.
    cases: Cases,
}

/// Tests the program from the function named `entry`, and returns the result of each function in `work`, and the tests.
pub(crate) fn whole_program(
    context: &Context,
    entry: &str,
    work: &[usize],
) -> Result<(Vec<(usize, FunctionResult)>, Cases), CompileError> {
    let started = Instant::now();
    let functions = &context.compiled.lowered.functions;
    let Some(main) = work.iter().position(|&i| functions[i].name == entry) else {
        return Err(CompileError::NoEntry(entry.to_owned()));
    };
    (context.events)(Event::Started(entry.to_owned()));
    let (parts, mut ledger) = parts_of(context, work);
    let beside = context.compiled.runs_async();
    for part in parts.iter().filter(|part| beside.contains(&functions[part.index].procedure)) {
        part.goals().for_each(|(goal, _)| ledger.refuse_proofs(goal, Code::Asynchronous));
    }
    let mut job = ProgramJob { context, main, started, parts, ledger, found: None, cases: Cases::default() };
    pipeline::run(&pipeline::c_program(), &mut job);
    Ok(job.finish())
}

impl Job for ProgramJob<'_> {
    fn context(&self) -> &Context<'_> {
        self.context
    }

    fn started(&self) -> Instant {
        self.started
    }

    fn ledger(&mut self) -> &mut Ledger {
        &mut self.ledger
    }

    fn count(&mut self, spent: Spent) {
        self.parts[self.main].result.statistics.strategies.push(spent);
    }

    /// The time for building and running the tests is set aside.
    fn time(&self) -> (Duration, Duration) {
        let all = self.context.options.timeout;
        let function = &self.context.compiled.lowered.functions[self.parts[self.main].index];
        let ends = all.mul_f64(REPLAY_STARTS).saturating_sub(search::build_time(self.context, function));
        (all, ends.saturating_sub(self.started.elapsed()))
    }
}

impl<'a> ProgramJob<'a> {
    /// What is in functions that the program never calls.
    pub(crate) fn call_graph(&mut self, _: Duration) -> Found {
        let entry = self.context.compiled.lowered.functions[self.parts[self.main].index].procedure;
        uncalled_parts(self.context, &[entry], &mut self.parts, &self.ledger)
    }

    /// A short search for tests, which are run later.
    pub(crate) fn first_search(&mut self, time: Duration) -> Found {
        let part = &mut self.parts[self.main];
        let function = &self.context.compiled.lowered.functions[part.index];
        if function.degraded.is_some() {
            return Found::new();
        }
        match &function.harness {
            Err(why) => part.result.notes.push(format!("no tests are made, because {why}")),
            Ok(harness) => {
                part.result.bounded = harness.bounded;
                match search::search_program(self.context, function, harness, time) {
                    Ok(found) => self.found = Some(found),
                    Err(error) => part.result.notes.push(format!("the search for tests failed: {error}")),
                }
            }
        }
        Found::new()
    }

    /// What inputs that a user names, and very many compiled runs, show of what the first search left open.
    pub(crate) fn greybox_fuzzing(&mut self, time: Duration) -> Found {
        let until = Deadline::after(time);
        let context = self.context;
        let function = &context.compiled.lowered.functions[self.parts[self.main].index];
        let (Some(mut found), Ok(harness)) = (self.found.take(), &function.harness) else {
            return Found::new();
        };
        let open = self.open(&found);
        let is_wanted = !found.exploration.exhausted && is_open_to_the_user(&open);
        let open: Vec<Origin> = open.into_iter().map(|target| target.origin).collect();
        if is_wanted && !context.stop.load(Ordering::Relaxed) {
            let notes = &mut self.parts[self.main].result.notes;
            let mut proposals = seeds::proposals(context, function, harness, notes);
            let subject = (function, harness);
            if let Some(base) = without_arguments(harness, &found) {
                let fuzzed = greybox_fuzzing::proposals(context, subject, &base, time / 2);
                proposals.extend(fuzzed.scripts);
            }
            let left = until.left();
            if !proposals.is_empty()
                && let Err(error) =
                    search::propose_to_program(context, subject, &mut found, open, proposals, left)
            {
                notes.push(format!("inputs that were proposed were not tried: {error}"));
            }
        }
        self.found = Some(found);
        Found::new()
    }

    /// What invariants of the whole program exclude.
    pub(crate) fn invariants(&mut self, time: Duration) -> Found {
        if !self.is_worth_proofs() {
            return Found::new();
        }
        let covered = self.covered();
        let indices: Vec<usize> = self.parts.iter().map(|p| p.index).collect();
        let open = self.goals_to_prove().filter(|(_, t)| t.objective.class != Class::Compiler);
        let open: FxHashSet<Key> = open.map(|(_, target)| key(target)).collect();
        let entry = indices[self.main];
        let Some(never) = NeverEntered::of(self.context, entry, &indices, &open, time) else {
            return Found::new();
        };
        let mut found = Found::new();
        for part in self.parts.iter().filter(|part| part.is_open()) {
            for (goal, target) in part.goals().filter(|(_, t)| !covered.contains(&t.origin)) {
                if !self.ledger.is_excluded(goal) && never.contains(part.index, target) {
                    let evidence = match never.bounded {
                        true => Evidence::not_reached_within(Method::Invariants, Bound::ProgramInputs),
                        false => proof(Method::Invariants, target),
                    };
                    found.push((goal, evidence));
                }
            }
        }
        found
    }

    /// What proofs about single functions exclude, from any state.
    pub(crate) fn bounded_proofs(&mut self, time: Duration) -> Found {
        if !self.is_worth_proofs() {
            return Found::new();
        }
        let covered = self.covered();
        prove_parts(self.context, &mut self.parts, &self.ledger, &covered, time)
    }

    /// What loop summaries exclude, from the start of the program.
    pub(crate) fn loop_summaries(&mut self, time: Duration) -> Found {
        if !self.is_worth_proofs() {
            return Found::new();
        }
        let until = Deadline::after(time);
        let covered = self.covered();
        let main = self.parts[self.main].index;
        let mut all = Found::new();
        for part in self.parts.iter().filter(|part| part.is_open()) {
            let is_open = |(goal, target): &(GoalId, &Target)| {
                target.objective.class != Class::Compiler
                    && self.ledger.takes_proofs(*goal)
                    && !self.ledger.is_excluded(*goal)
                    && !covered.contains(&target.origin)
            };
            let open: Vec<(GoalId, &Target)> = part.goals().filter(is_open).collect();
            let places: Vec<&Target> = open.iter().map(|(_, target)| *target).collect();
            let never = never_reached(self.context, main, part.index, &places, until);
            let excluded = open.into_iter().filter(|(_, target)| never.contains(&key(target)));
            all.extend(excluded.map(|(goal, target)| (goal, proof(Method::LoopSummary, target))));
        }
        all
    }

    /// Searches for what is left from where very many runs came to, before proofs are asked about it.
    pub(crate) fn search(&mut self, time: Duration) -> Found {
        self.search_further(time, false);
        Found::new()
    }

    /// Searches for what is left that may be reached.
    pub(crate) fn last_search(&mut self, time: Duration) -> Found {
        self.search_further(time, true);
        Found::new()
    }

    /// Runs the tests.
    pub(crate) fn replay(&mut self, _: Duration) -> Found {
        let context = self.context;
        let left = context.options.timeout.saturating_sub(self.started.elapsed());
        let function = &context.compiled.lowered.functions[self.parts[self.main].index];
        let (Some(found), Ok(harness)) = (self.found.take(), &function.harness) else {
            return Found::new();
        };
        let elsewhere = Part::checks_elsewhere(&self.parts, self.main);
        let part = &mut self.parts[self.main];
        let places = (&part.targets[..], &elsewhere[..]);
        let selection = select(context, function, harness, &found.exploration, places);
        let subject = (function, harness);
        let left = if context.stop.load(Ordering::Relaxed) { Duration::ZERO } else { left };
        let until = Some(Deadline::by_wall_clock(left));
        let (seen, mut tested) =
            test(context, subject, &found, (selection, None), places, &mut part.result, until);
        self.cases.insert(part.index, std::mem::take(&mut tested.cases));
        let first = part.first;
        let own = seen.into_iter().map(|(goal, evidence)| (GoalId(first + goal.0), evidence));
        let mut all: Found = own.collect();
        for part in &self.parts {
            all.extend(part.tested(context, &tested));
        }
        all
    }

    fn search_further(&mut self, time: Duration, is_last: bool) {
        let context = self.context;
        let function = &context.compiled.lowered.functions[self.parts[self.main].index];
        let (Some(mut found), Ok(harness)) = (self.found.take(), &function.harness) else { return };
        let open = self.open(&found);
        let is_done = self.explores()
            || found.exploration.exhausted
            || !is_open_to_the_user(&open)
            || context.stop.load(Ordering::Relaxed);
        if !is_done {
            // Code that the compiler made is searched for, too: if every path is known then, what was not found is not
            // reached.
            let mut wanted: FxHashSet<Origin> = open.iter().map(|target| target.origin).collect();
            wanted.extend(search::covered(&found));
            let goals = self.parts.iter().flat_map(Part::goals).map(|(_, target)| target.origin);
            let ruled_out = goals.filter(|goal| !wanted.contains(goal)).collect();
            let subject = (function, harness);
            let searched = search::search_further(context, subject, &mut found, ruled_out, (time, is_last));
            if let Err(error) = searched {
                let note = format!("the search for tests ended early: {error}");
                self.parts[self.main].result.notes.push(note);
            }
        }
        self.found = Some(found);
    }

    /// Which proofs do not rest on memory safety.
    pub(crate) fn out_of_bounds(&mut self, time: Duration) -> Found {
        let entry = self.parts[self.main].index;
        let mut parts: Vec<out_of_bounds::Part<'_>> = Vec::new();
        for Part { index, first, targets, result } in &mut self.parts {
            let goals = targets.iter().enumerate().map(|(i, target)| (GoalId(*first + i), target)).collect();
            parts.push(out_of_bounds::Part { index: *index, goals, result });
        }
        out_of_bounds::of_program(self.context, entry, &mut parts, &self.ledger, time)
    }

    /// Whether the search left something that a user wrote.
    fn is_worth_proofs(&self) -> bool {
        self.found.as_ref().is_some_and(|found| is_open_to_the_user(&self.open(found)))
    }

    /// The places that the searches came to.
    fn covered(&self) -> FxHashSet<Origin> {
        self.found.iter().flat_map(search::covered).collect()
    }

    /// The goals that no run came to so far.
    fn goals_to_prove(&self) -> impl Iterator<Item = (GoalId, &Target)> {
        let covered = self.covered();
        let goals = self.parts.iter().filter(|part| part.is_open()).flat_map(Part::goals);
        goals.filter(move |(_, target)| !covered.contains(&target.origin))
    }

    /// The targets that are neither covered nor ruled out.
    fn open(&self, found: &search::Found) -> Vec<&Target> {
        let covered: FxHashSet<Origin> = search::covered(found).collect();
        let goals: FxHashSet<Origin> = found.exploration.goals.iter().map(|g| g.origin).collect();
        let is_invariant =
            |goal| self.ledger.settling(goal).is_some_and(|evidence| evidence.by == Method::Invariants);
        let targets = self.parts.iter().filter(|p| p.is_open()).flat_map(Part::goals);
        let open = targets.filter(|(goal, target)| {
            !self.ledger.is_excluded(*goal)
                && !is_invariant(*goal)
                && goals.contains(&target.origin)
                && !covered.contains(&target.origin)
        });
        open.map(|(_, target)| target).collect()
    }

    fn finish(mut self) -> (Vec<(usize, FunctionResult)>, Cases) {
        let context = self.context;
        for part in &mut self.parts {
            part.take(&self.ledger);
        }
        if let Some(time) = context.options.fails_when {
            let part = &mut self.parts[self.main];
            let function = &context.compiled.lowered.functions[part.index];
            function::fails_when(context, function, time, &mut part.result);
        }
        let results = self.parts.into_iter().map(|part| part.finish(context, self.started)).collect();
        (results, self.cases)
    }
}

/// Inputs of a run that was found of a program without arguments of the command line, or none where there are no such inputs.
fn without_arguments(harness: &Harness, found: &search::Found) -> Option<Script> {
    let Some(count) = harness.params.first().filter(|_| harness.is_command_line) else {
        return Some(Script::default());
    };
    let is_one = |script: &&Script| match script.entries.get(&(0, count.symbol)) {
        Some(Value::BitVec { bits, .. }) => bits.is_one(),
        _ => false,
    };
    found.exploration.tests.iter().map(|test| &test.script).find(is_one).cloned()
}

/// What is in functions that no chain of calls from these entries leads to.
pub(crate) fn uncalled_parts(
    context: &Context,
    entries: &[ProcId],
    parts: &mut [Part],
    ledger: &Ledger,
) -> Found {
    let dead = parts.iter().flat_map(Part::goals).filter(|(goal, _)| ledger.is_excluded(*goal));
    let dead: FxHashSet<Origin> = dead.map(|(_, t)| t.origin).collect();
    let functions = &context.compiled.lowered.functions;
    let uncalled = uncalled(context.compiled, entries, &dead);
    let mut found = Found::new();
    for part in parts {
        let procedure = functions[part.index].procedure;
        let counts = part.goals().all(|(goal, _)| ledger.takes_proofs(goal));
        if part.is_open() && counts && uncalled.contains(&procedure) {
            part.result.uncalled = true;
            let dead = |(goal, _)| (goal, Evidence::not_reached(Method::CallGraph, Vec::new()));
            found.extend(part.goals().map(dead));
        }
    }
    found
}

/// What proofs about single functions exclude of the places that no search came to, from any state.
pub(crate) fn prove_parts(
    context: &Context,
    parts: &mut [Part],
    ledger: &Ledger,
    covered: &FxHashSet<Origin>,
    time: Duration,
) -> Found {
    let deadline = Deadline::after(time);
    let functions = &context.compiled.lowered.functions;
    let work: Vec<usize> = (0..parts.len()).filter(|&i| parts[i].is_open()).collect();
    let proved = in_parallel(&work, context.options.jobs, context.stop, &|i| {
        let part = &parts[i];
        let function = &functions[part.index];
        let mut result = FunctionResult::new(&function.name, function.span);
        let left = part
            .goals()
            .filter(|(goal, target)| !covered.contains(&target.origin) && wants_proof(ledger, *goal, target));
        let open: Vec<(GoalId, Target)> = left.map(|(goal, target)| (goal, target.clone())).collect();
        let began = Instant::now();
        let found = prove(context, function, &open, &mut result, deadline.left());
        result.statistics.total_time = began.elapsed();
        (found, result)
    });
    let mut all = Found::new();
    for (i, (found, result)) in proved {
        all.extend(found);
        parts[i].result.notes.extend(result.notes);
        let own = &mut parts[i].result.statistics;
        let strategies = std::mem::take(&mut own.strategies);
        *own = crate::result::FunctionStatistics { strategies, ..result.statistics };
    }
    all
}

fn is_open_to_the_user(open: &[&Target]) -> bool {
    open.iter().any(|t| t.objective.class != Class::Compiler)
}

impl Part {
    fn new(context: &Context, index: usize, first: usize) -> Part {
        let function = &context.compiled.lowered.functions[index];
        let mut result = FunctionResult::new(&function.name, function.span);
        result.bounded = true;
        let mut of_it = Vec::new();
        match &function.degraded {
            Some(why) => result.status = Status::Skipped(format!("{why} is not supported")),
            None => {
                let checks = &context.options.lowering.checks;
                of_it = context.compiled.targets(function, checks);
            }
        }
        Part { index, first, targets: of_it, result }
    }

    /// Whether any objective is open.
    pub(crate) fn is_open(&self) -> bool {
        self.result.status == Status::Analysed && !self.result.uncalled
    }

    pub(crate) fn goals(&self) -> impl Iterator<Item = (GoalId, &Target)> {
        self.targets.iter().enumerate().map(|(i, target)| (GoalId(self.first + i), target))
    }

    /// The checks of all functions but one.
    pub(crate) fn checks_elsewhere(parts: &[Part], but: usize) -> Vec<CheckElsewhere> {
        let others = parts.iter().enumerate().filter(|(i, _)| *i != but);
        let check = |t: &Target| match t.objective.kind {
            ObjectiveKind::Check(kind) => {
                Some(CheckElsewhere { origin: t.origin, span: t.objective.span, kind })
            }
            _ => None,
        };
        others.flat_map(|(_, part)| &part.targets).filter_map(check).collect()
    }

    /// Makes its result of what the ledger says of its targets.
    pub(crate) fn take(&mut self, ledger: &Ledger) {
        let objectives = std::mem::take(&mut self.targets).into_iter().map(|t| t.objective).collect();
        self.result.take(objectives, ledger, self.first);
        let is_covered = self.result.objectives.iter().any(|o| o.verdict == Verdict::Covered);
        self.result.uncalled &= !is_covered;
    }

    /// What the tests of an entry say of the function.
    pub(crate) fn tested(&self, context: &Context, tested: &ReplayOutcome) -> Found {
        let function = &context.compiled.lowered.functions[self.index];
        let (passed, clean) = (tested.passed.get(&function.name), tested.clean.get(&function.name));
        let mut found = Found::new();
        for (goal, target) in self.goals() {
            let is_in = |points: Option<&_>| match (points, &target.point) {
                (Some(points), Some(point)) => std::collections::BTreeSet::contains(points, point),
                _ => false,
            };
            if let Some(&confirmed) = tested.failures.get(&target.origin) {
                let claim = Claim::Reached { test: None, confirmed };
                let run = Evidence::reached(Method::Run, None, Vec::new());
                found.push((goal, Evidence { claim, ..run }));
            }
            if is_in(passed) {
                let rests_on = if is_in(clean) { Vec::new() } else { vec![Premise::MemorySafety] };
                found.push((goal, Evidence::reached(Method::Run, None, rests_on)));
            } else if tested.reached.as_ref().is_some_and(|r| !r.contains(&target.origin)) {
                let bound = Bound::ProgramInputs;
                found.push((goal, Evidence::not_reached_within(Method::Exhaustion, bound)));
            }
            if let Some(why) = tested.missed.get(&target.origin) {
                found.push((goal, Evidence::open(Method::Run, *why)));
            }
        }
        found
    }

    pub(crate) fn finish(mut self, context: &Context, started: Instant) -> (usize, FunctionResult) {
        let objectives = &self.result.objectives;
        let covered = objectives.iter().filter(|o| o.verdict == Verdict::Covered).count();
        (context.events)(Event::Finished(self.result.name.clone(), covered, objectives.len()));
        if self.result.exploration.is_some() {
            self.result.statistics.total_time = started.elapsed();
        }
        (self.index, self.result)
    }
}
