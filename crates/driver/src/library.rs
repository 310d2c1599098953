//! The job of a library: runs start at its entries, with inputs as functions have them that are tested by themselves, and objectives
//! of all functions count.
//!
//! **Idea.** A `static` function that is called by itself gets inputs that no caller passes, and its failures are nobody's. Here only
//! the ways in are called: the functions that a user names, or all that are not `static`. What runs pass in other functions counts
//! there. Example: `static int digit(int c) { assert(c >= '0'); … }` is called behind `isdigit` only; by itself it fails, from
//! `parse(const char *)` it does not.
//!
//! 1. Invariants of each function, from any state, and the call graph rule out what they can.
//! 2. From each entry tests are searched for, of which each may reach code in any function.
//! 3. The tests are run. Where the search from every entry has come to its end, what none of them reached is reached by no call of
//!    an entry, within the sizes of inputs.
//! 4. Proofs, function by function and from any state, for what is left.
//!
//! **Direction of error.** As for single functions. Variables have any value in the harness of an entry, as calls before may have left
//! it; where a test cannot set one, verdicts say that they are about the first call. Of functions whose address is taken, and what they call, an end of the searches
//! says nothing, as others may call them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_ir::interp::Script;
use footpath_ir::{Origin, ProcId};
use footpath_verdict::{Bound, Evidence, GoalId, Ledger, Method};
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use crate::context::Context;
use crate::function::{self, proof};
use crate::objectives::Target;
use crate::pipeline::{self, Found, Job};
use crate::program::{Part, parts_of, prove_parts, uncalled_parts};
use crate::result::{FunctionResult, Spent};
use crate::strategy::bounded_proof::key;
use crate::strategy::greybox_fuzzing;
use crate::strategy::invariants;
use crate::strategy::latent_failures;
use crate::strategy::out_of_bounds;
use crate::strategy::replay::{select, test};
use crate::strategy::search;
use crate::strategy::seeds;
use crate::test_suites::Cases;
use crate::workers::in_parallel;
use crate::{CompileError, Event};

/// The analysis of a library.
pub(crate) struct LibraryJob<'a> {
    context: &'a Context<'a>,
    started: Instant,
    parts: Vec<Part>,
    /// The positions of the entries among the parts.
    entries: Vec<usize>,
    ledger: Ledger,
    /// What was found from entries, by their positions.
    found: Vec<(usize, search::Found)>,
    /// The inputs of the tests that were run, by the entry's position.
    scripts: BTreeMap<usize, Vec<Script>>,
    cases: Cases,
}

/// Tests the functions in `work` from those of them that are entries; returns the result of each, and the tests.
pub(crate) fn library(
    context: &Context,
    is_entry: &dyn Fn(&LoweredFunction) -> bool,
    work: &[usize],
) -> Result<(Vec<(usize, FunctionResult)>, Cases), CompileError> {
    let functions = &context.compiled.lowered.functions;
    let entries: Vec<usize> = (0..work.len()).filter(|&i| is_entry(&functions[work[i]])).collect();
    for &entry in &entries {
        (context.events)(Event::Started(functions[work[entry]].name.clone()));
    }
    let (parts, ledger) = parts_of(context, work);
    let (found, scripts, cases) = (Vec::new(), BTreeMap::new(), Cases::default());
    let mut job =
        LibraryJob { context, started: Instant::now(), parts, entries, ledger, found, scripts, cases };
    pipeline::run(&pipeline::c_library(), &mut job);
    Ok(job.finish())
}

impl Job for LibraryJob<'_> {
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
        if let Some(&first) = self.entries.first() {
            self.parts[first].result.statistics.strategies.push(spent);
        }
    }

    /// The limit is one for each entry.
    fn time(&self) -> (Duration, Duration) {
        let all = self.context.options.timeout.saturating_mul(self.entries.len() as u32);
        (all, all.saturating_sub(self.started.elapsed()))
    }
}

impl<'a> LibraryJob<'a> {
    fn function(&self, position: usize) -> &'a LoweredFunction {
        &self.context.compiled.lowered.functions[self.parts[position].index]
    }

    /// What is in functions that no entry ever calls.
    pub(crate) fn call_graph(&mut self, _: Duration) -> Found {
        let entries = self.procedures();
        uncalled_parts(self.context, &entries, &mut self.parts, &self.ledger)
    }

    /// What abstract interpretation excludes in each function.
    pub(crate) fn invariants(&mut self, time: Duration) -> Found {
        let open: Vec<usize> = (0..self.parts.len()).filter(|&i| self.parts[i].is_open()).collect();
        let each = time / (open.len().max(1) as u32);
        let mut found = Found::new();
        for part in open.into_iter().map(|i| &self.parts[i]) {
            let never = invariants::of_function(self.context, part.index, each);
            let excluded = part.goals().filter(|(_, target)| never.contains(&key(target)));
            found.extend(excluded.map(|(goal, target)| (goal, proof(Method::Invariants, target))));
        }
        found
    }

    /// Searches for tests from each entry.
    pub(crate) fn search(&mut self, _: Duration) -> Found {
        let goals = self.parts.iter().flat_map(Part::goals);
        let ruled_out = goals.filter(|(goal, _)| self.ledger.is_excluded(*goal));
        let ruled_out: Vec<Origin> = ruled_out.map(|(_, target)| target.origin).collect();
        let context = self.context;
        let searched = in_parallel(&self.entries, context.options.jobs, context.stop, &|entry| {
            let function = self.function(entry);
            let mut notes = Vec::new();
            let harness =
                function.harness.as_ref().map_err(|why| format!("no tests are made, because {why}"));
            let found = harness.and_then(|harness| {
                let began = Instant::now();
                let mut proposals = seeds::proposals(context, function, harness, &mut notes);
                let time = context.options.timeout.mul_f64(greybox_fuzzing::SHARE);
                let subject = (function, harness);
                let fuzzed = greybox_fuzzing::proposals(context, subject, &Script::default(), time);
                let spent = began.elapsed().saturating_sub(fuzzed.for_others);
                proposals.extend(fuzzed.scripts);
                let begun = search::Begun { found: None, proposals, has_deep_runs: false, spent };
                search::search(context, function, harness, ruled_out.clone(), begun)
                    .map_err(|error| format!("the search for tests failed: {error}"))
            });
            (found, notes)
        });
        for (entry, (found, notes)) in searched {
            let harness = self.function(entry).harness.as_ref();
            let result = &mut self.parts[entry].result;
            result.bounded = harness.is_ok_and(|harness| harness.bounded);
            result.notes.extend(notes);
            match found {
                Ok(found) => self.found.push((entry, found)),
                Err(why) => result.notes.push(why),
            }
        }
        Found::new()
    }

    /// What proofs about single functions exclude, from any state.
    pub(crate) fn bounded_proofs(&mut self, time: Duration) -> Found {
        prove_parts(self.context, &mut self.parts, &self.ledger, &FxHashSet::default(), time)
    }

    /// Runs the tests, and says what no call of an entry reaches.
    pub(crate) fn replay(&mut self, _: Duration) -> Found {
        let context = self.context;
        let mut all = Found::new();
        let mut reached: Option<FxHashSet<Origin>> =
            (self.found.len() == self.entries.len()).then(FxHashSet::default);
        for (entry, found) in std::mem::take(&mut self.found) {
            let function = self.function(entry);
            let Ok(harness) = &function.harness else { continue };
            let elsewhere = Part::checks_elsewhere(&self.parts, entry);
            let part = &mut self.parts[entry];
            let places = (&part.targets[..], &elsewhere[..]);
            let selection = select(context, function, harness, &found.exploration, places);
            let until = Some(Deadline::by_wall_clock(context.options.timeout));
            let subject = (function, harness);
            let (seen, mut tested) =
                test(context, subject, &found, (selection, None), places, &mut part.result, until);
            let first = part.first;
            all.extend(seen.into_iter().map(|(goal, evidence)| (GoalId(first + goal.0), evidence)));
            reached = reached.zip(tested.reached.take()).map(|(mut all, more)| {
                all.extend(more);
                all
            });
            self.cases.insert(part.index, std::mem::take(&mut tested.cases));
            self.scripts.insert(entry, std::mem::take(&mut tested.scripts));
            for part in self.parts.iter().enumerate().filter(|(i, _)| *i != entry).map(|(_, part)| part) {
                all.extend(part.tested(context, &tested));
            }
        }
        all.extend(reached.map(|reached| self.exhausted(&reached)).unwrap_or_default());
        all
    }

    /// What no run from any entry reaches, if all of them are known.
    fn exhausted(&self, reached: &FxHashSet<Origin>) -> Found {
        let lowered = &self.context.compiled.lowered;
        let taken: Vec<ProcId> =
            lowered.functions.iter().filter(|f| f.address_taken).map(|f| f.procedure).collect();
        let called_by_others: FxHashSet<ProcId> = lowered.program.reachable(&taken).into_iter().collect();
        let bound = self.bound();
        let of_entries = |part: &&Part| {
            part.is_open() && !called_by_others.contains(&lowered.functions[part.index].procedure)
        };
        let goals = self.parts.iter().filter(of_entries).flat_map(Part::goals);
        let missing = goals.filter(|(_, target)| !reached.contains(&target.origin));
        let evidence = |target| match bound {
            Some(bound) => Evidence::not_reached_within(Method::Exhaustion, bound),
            None => proof(Method::Exhaustion, target),
        };
        missing.map(|(goal, target)| (goal, evidence(target))).collect()
    }

    /// What the runs from entries leave out.
    fn bound(&self) -> Option<Bound> {
        let harnesses: Vec<&Harness> =
            self.entries.iter().filter_map(|&entry| self.function(entry).harness.as_ref().ok()).collect();
        let procedures: Vec<ProcId> = harnesses.iter().map(|harness| harness.procedure).collect();
        if harnesses.iter().any(|harness| harness.bounded) {
            Some(Bound::InputSizes)
        } else if harnesses.iter().any(|harness| !harness.frozen.is_empty()) {
            Some(Bound::FirstCall)
        } else {
            self.context.compiled.proofs_differ(&procedures).then_some(Bound::TestAssumptions)
        }
    }

    /// Which proofs do not rest on memory safety.
    pub(crate) fn out_of_bounds(&mut self, _: Duration) -> Found {
        let goals: Vec<(GoalId, &Target)> = self.parts.iter().flat_map(Part::goals).collect();
        // Those whose address is taken may be called by others, too.
        let all: Vec<ProcId> = (0..self.parts.len()).map(|i| self.function(i).procedure).collect();
        out_of_bounds::of_library(self.context, &all, &goals, &self.ledger)
    }

    /// The procedures of the entries.
    fn procedures(&self) -> Vec<ProcId> {
        self.entries.iter().map(|&entry| self.function(entry).procedure).collect()
    }

    fn finish(mut self) -> (Vec<(usize, FunctionResult)>, Cases) {
        let context = self.context;
        for position in 0..self.parts.len() {
            let function = self.function(position);
            let part = &mut self.parts[position];
            let places = latent_failures::places(&part.targets);
            part.take(&self.ledger);
            let Some(scripts) = self.scripts.get(&position) else { continue };
            if let (false, Ok(harness)) = (context.options.strict, &function.harness) {
                let objectives = &mut part.result.objectives;
                let remark =
                    latent_failures::classify(context, function, harness, &places, scripts, objectives);
                part.result.notes.extend(remark);
            }
            if let Some(time) = context.options.fails_when {
                function::fails_when(context, function, time, &mut part.result);
            }
        }
        let results = self.parts.into_iter().map(|part| part.finish(context, self.started)).collect();
        (results, self.cases)
    }
}
