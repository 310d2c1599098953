//! Replay of a condition's tests: they are compiled and run as C.
//!
//! The condition was found in the program form, and its tests were run by the reference interpreter. Here the same
//! tests are written as C, built with the user's compiler and run, once as they are and once with the compiler's
//! sanitizers.
//!
//! **Direction of error.** A failure counts as confirmed if the process ends as such a failure ends it, or if a
//! sanitizer reports its kind and line; a pass, if the function returns and no sanitizer reports anything
//! until it ends. What is killed before says nothing.

use std::path::PathBuf;
use std::time::Duration;

use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_ir::AssertKind;
use footpath_preconditions::{Test, TestEnd};
use footpath_replay::{Case, Ended, Limits, Observed, Sanitized, Sanitizers, inputs};
use footpath_virtual_time::Deadline;

use super::place;
use crate::context::Context;
use crate::result::{FunctionResult, ObjectiveKind};
use crate::strategy::determinism::stable;
use crate::strategy::native_execution::{Plan, planned, run_natively, save_alone};
use crate::strategy::replay::{STEPS, plausible, reads_out_of_bounds};
use crate::strategy::sanitizers::{goes_on, is_this, remedy};

/// Time for a test under sanitizers.
const TIME: Duration = Duration::from_secs(5);

/// The results of replaying the tests of a function.
#[derive(Default)]
pub(super) struct Replayed {
    /// For each test, whether it had the expected outcome; `None` if that cannot be observed.
    pub(super) confirmed: Vec<Option<bool>>,
    /// Whether a test ended otherwise than the condition says, apart from failures that only a sanitizer could see.
    pub(super) contradicted: bool,
    /// The file that they were written to.
    pub(super) file: Option<PathBuf>,
    /// Remarks about problems.
    pub(super) notes: Vec<String>,
}

/// Compiles and runs the tests of a function; those for which there is no time are not run.
pub(super) fn replay(
    context: &Context<'_>,
    function: &LoweredFunction,
    harness: &Harness,
    tests: &[Test],
    until: Option<Deadline>,
) -> Replayed {
    let mut replayed = Replayed { confirmed: vec![None; tests.len()], ..Replayed::default() };
    if tests.is_empty() {
        return replayed;
    }
    let is_out_of_bounds = |t: &Test| match t.end {
        TestEnd::Fails { kind, .. } => reads_out_of_bounds(ObjectiveKind::Check(kind)),
        TestEnd::Passes => false,
    };
    let plan = |t: &Test| {
        let inputs = inputs(context.prepared.interpreter(), harness.procedure, &t.script, STEPS);
        let stable = stable(context, harness, &t.script, &inputs.returned, &[], Vec::new(), STEPS);
        planned(context.compiled, inputs, &stable, is_out_of_bounds(t))
    };
    let cases: Vec<Case> = tests.iter().map(plan).collect();
    let count = cases.len();
    let plan = Plan { cases, needed: count, kept: count, suspicions: vec![None; count] };
    let mut result = FunctionResult::new(&function.name, function.span);
    let run = match run_natively(context, (function, harness), plan, None, &mut result, until) {
        Ok(run) => run,
        Err(why) => {
            replayed.notes.push(why);
            return replayed;
        }
    };
    // Among them how many there was no time for, which are not in the file.
    replayed.notes.append(&mut result.notes);
    match save_alone(context, (function, harness), &run.cases) {
        Ok(file) => replayed.file = file,
        Err(why) => replayed.notes.push(why),
    }
    let observed = run.observed;
    let all: Vec<usize> = (1..=observed.len()).collect();
    let limits = Limits { time: TIME, until, ..Limits::default() };
    if until.is_some_and(Deadline::is_over) {
        replayed.notes.push("there was no time to run the tests with sanitizers".to_owned());
    }
    let sanitized = run
        .built
        .filter(|_| !until.is_some_and(Deadline::is_over))
        .map(|built| built.sanitized(context, function, Sanitizers::AddressAndUndefined, &all, limits));
    let seen = match sanitized.unwrap_or_else(|| Ok(Vec::new())) {
        Ok(seen) => Some(seen),
        Err(why) => {
            replayed
                .notes
                .push(format!("the tests were not run with sanitizers: {}", remedy(&why.to_string())));
            None
        }
    };
    for (i, (test, observed)) in tests.iter().zip(&observed).enumerate() {
        let seen = seen.as_ref().and_then(|s| s.get(i));
        replayed.confirmed[i] = did_as_promised(context, test, observed, seen);
        let is_seen_by_the_process = match test.end {
            TestEnd::Passes => true,
            TestEnd::Fails { kind, .. } => !goes_on(kind),
        };
        replayed.contradicted |= replayed.confirmed[i] == Some(false) && is_seen_by_the_process;
    }
    replayed
}

fn did_as_promised(
    context: &Context<'_>,
    test: &Test,
    observed: &Observed,
    seen: Option<&Sanitized>,
) -> Option<bool> {
    match test.end {
        TestEnd::Passes if observed.ended != Ended::Exited(0) => Some(false),
        TestEnd::Passes => seen?.any(|_| true).map(|reported| !reported),
        TestEnd::Fails { kind, .. } if !goes_on(kind) => {
            Some(plausible(&ObjectiveKind::Check(kind), observed))
        }
        TestEnd::Fails { kind: AssertKind::Division, .. } if matches!(observed.ended, Ended::Signal(_)) => {
            Some(true)
        }
        TestEnd::Fails { at, kind } => {
            let span = place(&context.compiled.lowered.program, at);
            seen?.any(|s| is_this(context, span, kind, s))
        }
    }
}
