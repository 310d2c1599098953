//! What holds without a test, as guidance for the search for tests.
//!
//! The functions that are to be tested, and all that they call, are verified in the program that is searched. The search
//! then runs in a program with what was found out; its findings are told in the places of the program as it was.
//!
//! **Direction of error.** As the verification: a search that is guided leaves out runs on which all checks were
//! verified under premises that hold. So what it did not reach is not unreachable.

use std::sync::atomic::AtomicBool;

use footpath_concolic::Exploration;
use footpath_frontend::c::LoweredFunction;
use footpath_ir::interp::Outcome;
use footpath_ir::{Body, ProcId, Program, Statement};
use footpath_verify::c_entry::verified;
use footpath_verify::{Guide, Guided, Verdict, Verification, guide};

use crate::compile::Compiled;

/// What the functions under test are guided by.
pub(crate) struct Guidance {
    guide: Guide,
    found: Verification,
    /// The functions that are guided.
    procedures: Vec<ProcId>,
}

impl Guidance {
    /// Verifies what the functions (numbers in `work`) run through. Without a `wanted` guide, only those are guided in
    /// which something is annotated.
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

    /// What the search for tests of a function went by, in words.
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

/// Why nothing is known of a place that a search did not reach that leaves out runs.
pub const LEFT_OUT: &str =
    "it was not reached, and runs on which all checks are verified were left out; --guide none includes them";

/// Whether something is said to be verified in what runs from a procedure can get to.
pub fn is_annotated(program: &Program, procedure: ProcId) -> bool {
    let bodies = program.reachable(&[procedure]).into_iter().flat_map(|p| &program[p].bodies);
    bodies.flat_map(says_verified).next().is_some()
}

/// The statements of a body that say what was verified.
fn says_verified(body: &Body) -> impl Iterator<Item = &Statement> {
    body.blocks.iter().flat_map(|b| &b.statements).filter(|s| s.premise().is_some())
}

/// Tells of a search in a guided program as of one in the program as it was, which may have more runs.
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
