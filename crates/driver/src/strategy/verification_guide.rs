//! Partial verification as the guide of the search for tests: runs on which everything is verified are not searched
//! for.
//!
//! The functions that are to be tested, and all that they call, are verified in the program that is searched. The
//! search then runs in a program that is instrumented with the results; its findings are reported at the places of
//! the original program.
//!
//! **Direction of error.** That of the verification. A guided search leaves out runs on which all checks were
//! verified under premises that hold, so what it did not reach is not unreachable.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_concolic::{Exploration, Prepared};
use footpath_frontend::c::LoweredFunction;
use footpath_ir::interp::Outcome;
use footpath_ir::{Body, Origin, ProcId, Program, Statement};
use footpath_verify::c_entry::verified;
use footpath_verify::{Guide, Guided, Verdict, Verification, guide};

use super::greybox_fuzzing::Fuzzers;
use super::search::{PlaceFound, search_place};
use crate::compile::Compiled;
use crate::context::Context;
use crate::{Options, claims};

/// Tests what the source says is verified in the functions with the numbers in `work`, and in what they call: a search is aimed at each
/// such check, and what it refutes is taken away. Returns what is to be said of that.
pub(crate) fn test_claims(
    options: &Options,
    compiled: &mut Compiled,
    work: &[usize],
    stop: &AtomicBool,
) -> Vec<String> {
    let lowered = &compiled.lowered;
    if options.guide == Some(Guide::None) || claims::claiming(&lowered.program).is_empty() {
        return Vec::new();
    }
    let procedures: Vec<ProcId> = work.iter().map(|&i| lowered.functions[i].procedure).collect();
    let names = BTreeSet::new();
    let prepared = Prepared::new(&lowered.program);
    let fuzzers = Fuzzers::new(&lowered.functions, &names);
    let context = Context::new(options, compiled, &prepared, &names, &fuzzers, stop, &|_| {});
    let fails = |contrary: &Program, check: Origin, time: Duration| {
        let owner = lowered.functions.iter().find(|f| f.procedure == check.procedure);
        let Some(Ok(harness)) = owner.map(|f| &f.harness) else { return false };
        let from = (contrary, harness.procedure);
        let found = search_place(&context, harness, from, check, Vec::new(), time.min(options.timeout / 2));
        matches!(found, Ok(PlaceFound::Run(_)))
    };
    let (program, said) = claims::tested_by(&lowered.program, &compiled.sources, &procedures, &fails);
    if !said.is_empty() {
        compiled.lowered.program = program;
    }
    said
}

/// The guidance of the functions under test.
pub(crate) struct Guidance {
    guide: Guide,
    found: Verification,
    /// The functions that are guided.
    procedures: Vec<ProcId>,
}

impl Guidance {
    /// Verifies the functions with the numbers in `work`, and what they call. Without a `wanted` guide, only
    /// annotated functions are guided.
    pub(crate) fn of(
        compiled: &Compiled,
        work: &[usize],
        wanted: Option<Guide>,
        stop: &AtomicBool,
    ) -> Option<Guidance> {
        let lowered = &compiled.lowered;
        let functions = work.iter().map(|&i| &lowered.functions[i]).filter(|f| f.degraded.is_none());
        let program = &lowered.program;
        let guide = wanted.unwrap_or(Guide::MayMust);
        let all = wanted.is_some_and(|g| g != Guide::None);
        let bodies = program.procedures.iter().flat_map(|p| &p.bodies);
        if !all && bodies.flat_map(says_verified).next().is_none() {
            return None;
        }
        let is_guided = |f: &&LoweredFunction| all || is_annotated(program, f.procedure);
        let procedures: Vec<ProcId> = functions.filter(is_guided).map(|f| f.procedure).collect();
        if procedures.is_empty() {
            return None;
        }
        let found = match guide {
            Guide::None => Verification::nothing(program),
            _ => verified(lowered, &program.reachable(&procedures), stop),
        };
        Some(Guidance { guide, found, procedures })
    }

    /// Whether the search for tests of a function is guided.
    pub(crate) fn is_about(&self, function: &LoweredFunction) -> bool {
        self.procedures.contains(&function.procedure)
    }

    /// The program for the search for tests of a function, if it is guided.
    /// The search starts in `root`, a procedure of the harness.
    pub(crate) fn program(&self, function: &LoweredFunction, root: ProcId) -> Option<Guided> {
        self.is_about(function).then(|| guide(&self.found, root, (function.procedure, 0), self.guide))
    }

    /// A remark about how the search for tests of a function was guided.
    pub(crate) fn remark(&self, function: &LoweredFunction, prunes: bool) -> String {
        let behind = self.found.annotated.reachable(&[function.procedure]);
        let bodies = self.found.bodies.iter().filter(|b| behind.contains(&b.procedure));
        let verdicts: Vec<&Verdict> = bodies.flat_map(|b| &b.checks).map(|c| &c.verdict).collect();
        let count = |f: fn(&Verdict) -> bool| verdicts.iter().filter(|v| f(v)).count();
        let verified = count(|v| *v == Verdict::Verified);
        let under = count(|v| matches!(v, Verdict::VerifiedUnder(_)));
        let (name, all) = (self.guide.name(), verdicts.len());
        let left_out = if prunes { "; runs on which all checks are verified are left out" } else { "" };
        format!(
            "guided by verification ({name}): of {all} checks {verified} are verified, {under} under assumptions{left_out}"
        )
    }
}

/// Whether a procedure or anything that it calls has annotations about what was verified.
pub fn is_annotated(program: &Program, procedure: ProcId) -> bool {
    let bodies = program.reachable(&[procedure]).into_iter().flat_map(|p| &program[p].bodies);
    bodies.flat_map(says_verified).next().is_some()
}

/// The statements of a body that are annotated as verified.
fn says_verified(body: &Body) -> impl Iterator<Item = &Statement> {
    body.blocks.iter().flat_map(|b| &b.statements).filter(|s| s.premise().is_some())
}

/// Translates the results of a search in a guided program to the original program, which may have more runs.
pub fn in_source(found: &mut Exploration, guided: &Guided) {
    found.exhausted &= !guided.prunes;
    let original = |origin| guided.places.original(origin);
    for goal in &mut found.goals {
        goal.origin = original(goal.origin);
    }
    for test in &mut found.tests {
        if let Outcome::Failed { at, .. } | Outcome::Blocked { at } | Outcome::Stuck { at, .. } =
            &mut test.outcome
        {
            *at = original(*at);
        }
    }
}
