//! Sanitizers as a second opinion on failing checks.
//!
//! A check that stops the process is confirmed by the end of its test. For those that do not (overflow, shifts,
//! accesses that are out of bounds or after an object's lifetime) the test is run again with the compiler's
//! sanitizers. What they report is confirmed; what they do not report stays a finding, and is said to be seen in the
//! program form only. Tests in which something is read that was never written are run with the memory sanitizer, which
//! goes with no other.
//!
//! Tests that return, but whose runs depend on values that no test can set, such as the result of a library function without a model,
//! may be undefined in a way that the program form does not show (`determinism.rs`). Only those count that sanitizers clear.
//!
//! **Direction of error.** Towards too few confirmations: sanitizers do not detect every undefined behaviour.

use std::collections::BTreeSet;
use std::time::Duration;

use footpath_frontend::c::LoweredFunction;
use footpath_ir::AssertKind;
use footpath_ir::source::Span;
use footpath_replay::{Limits, Sanitized, Sanitizers, Sighting};
use footpath_virtual_time::Deadline;

use crate::context::Context;
use crate::result::{DIVISION_CRASH, FunctionResult, TestOutcome};
use crate::strategy::native_execution::Built;

/// Time for a test under sanitizers.
const TIME: Duration = Duration::from_secs(5);
/// So many tests of a function at most.
const TESTS: usize = 24;

/// A check that a test makes fail.
pub(crate) struct Failing {
    pub(crate) span: Span,
    pub(crate) kind: AssertKind,
    /// The first such test, counted from one.
    pub(crate) test: usize,
}

/// For each failing check of a function's tests, whether sanitizers confirm it; `None` if time is up, for all tests or for this one.
pub(crate) fn confirm(
    context: &Context,
    (function, built): (&LoweredFunction, &Built),
    failing: &[Failing],
    result: &mut FunctionResult,
    until: Option<Deadline>,
) -> Vec<Option<bool>> {
    let is_stopped = |f: &Failing| match result.tests.get(f.test - 1).map(|test| &test.outcome) {
        Some(TestOutcome::Failed { crash: Some(crash), .. }) => {
            f.kind == AssertKind::Division && crash == DIVISION_CRASH
        }
        _ => false,
    };
    let stops = |f: &Failing| (!goes_on(f.kind) || is_stopped(f)).then_some(true);
    let mut confirmed: Vec<Option<bool>> = failing.iter().map(stops).collect();
    for sanitizers in [Sanitizers::AddressAndUndefined, Sanitizers::Memory] {
        confirm_by(sanitizers, context, (function, built), failing, &mut confirmed, result, until);
    }
    confirmed
}

/// The same for what some of the sanitizers report.
fn confirm_by(
    sanitizers: Sanitizers,
    context: &Context,
    (function, built): (&LoweredFunction, &Built),
    failing: &[Failing],
    confirmed: &mut [Option<bool>],
    result: &mut FunctionResult,
    until: Option<Deadline>,
) {
    let open: Vec<bool> = confirmed.iter().map(Option::is_none).collect();
    let is_asked = |i: usize| open[i] && fitting(failing[i].kind) == sanitizers;
    let tests: BTreeSet<usize> =
        (0..failing.len()).filter(|&i| is_asked(i)).map(|i| failing[i].test).collect();
    let tests: Vec<usize> = tests.into_iter().take(TESTS).collect();
    if tests.is_empty() {
        return;
    }
    if until.is_some_and(Deadline::is_over) {
        let what = "failures that do not crash the test are not confirmed, because there was no time to run it with sanitizers";
        result.notes.push(what.to_owned());
        return;
    }
    let seen = match built.sanitized(
        context,
        function,
        sanitizers,
        &tests,
        Limits { time: TIME, until, ..Limits::default() },
    ) {
        Ok(seen) => seen,
        Err(why) => {
            let what = "failures that do not crash the test are not confirmed, because it cannot be built with sanitizers";
            result.notes.push(format!("{what}: {}", remedy(&why.to_string())));
            return;
        }
    };
    for (i, f) in failing.iter().enumerate().filter(|(i, _)| is_asked(*i)) {
        if let Some(seen) = tests.iter().position(|&t| t == f.test).and_then(|k| seen.get(k)) {
            confirmed[i] = seen.any(|s| is_this(context, f.span, f.kind, s));
        }
    }
}

/// Of tests that may be undefined, by number from 0, those of which sanitizers do not say that nothing is.
pub(crate) fn not_cleared(
    context: &Context,
    (function, built): (&LoweredFunction, &Built),
    suspected: &[usize],
    result: &mut FunctionResult,
    until: Option<Deadline>,
) -> Vec<usize> {
    if suspected.is_empty() {
        return Vec::new();
    }
    let numbers: Vec<usize> = suspected.iter().take(TESTS).map(|i| i + 1).collect();
    let limits = Limits { time: TIME, until, ..Limits::default() };
    let seen = match built.sanitized(context, function, Sanitizers::AddressAndUndefined, &numbers, limits) {
        Ok(seen) => seen,
        Err(why) => {
            let what = "tests that call functions of the library without a model do not count, because they cannot be built with sanitizers";
            result.notes.push(format!("{what}: {}", remedy(&why.to_string())));
            Vec::new()
        }
    };
    suspected
        .iter()
        .enumerate()
        .filter(|(i, _)| !seen.get(*i).is_some_and(Sanitized::is_clear))
        .map(|(_, &test)| test)
        .collect()
}

/// The sanitizers that report failures of a kind.
fn fitting(kind: AssertKind) -> Sanitizers {
    match kind {
        AssertKind::Uninitialised => Sanitizers::Memory,
        _ => Sanitizers::AddressAndUndefined,
    }
}

/// A hint about a test that cannot be built with sanitizers, if one is known; otherwise the compiler's output.
pub(crate) fn remedy(said: &str) -> &str {
    let linked = said.lines().any(|line| line.contains("cannot find") && line.contains("libclang_rt"));
    if linked {
        "clang's runtime is not installed (on Debian it is the package libclang-rt-dev)"
    } else {
        said
    }
}

/// Whether a program may go on after such a failure. A division does where its operands are constants, as there is no
/// instruction for it.
pub(crate) fn goes_on(kind: AssertKind) -> bool {
    use AssertKind::{
        Alignment, Bool, Bounds, Builtin, CallType, ClosedStream, Division, FloatCast, Free, Nonnull,
        Overflow, Overlap, Shift, Subobject, Uninitialised, UseAfterFree, VlaLength,
    };
    let by_address = matches!(kind, Bounds | ClosedStream | Free | Overlap | UseAfterFree);
    let by_undefined = matches!(
        kind,
        Alignment
            | Bool
            | Builtin
            | CallType
            | Division
            | FloatCast
            | Nonnull
            | Overflow
            | Shift
            | Subobject
            | VlaLength
    );
    by_address || by_undefined || kind == Uninitialised
}

/// Whether a sanitizer's report is about the failure of this check.
pub(crate) fn is_this(context: &Context, span: Span, kind: AssertKind, seen: &Sighting) -> bool {
    // Freed memory may be another object's by then, and beyond an object another may be.
    use AssertKind::{Bounds, ClosedStream, Subobject, UseAfterFree};
    let near =
        |a, b| a == b || matches!((a, b), (Bounds, UseAfterFree | Subobject) | (ClosedStream, UseAfterFree));
    if !near(kind, seen.kind) && !near(seen.kind, kind) {
        return false;
    }
    let Some((file, line)) = &seen.place else { return true };
    let sources = &context.compiled.sources;
    let (start, end) = sources.range(span);
    let name = &sources.file(span.file).name;
    name.rsplit('/').next() == Some(file.as_str()) && (start.line..=end.line).contains(line)
}
