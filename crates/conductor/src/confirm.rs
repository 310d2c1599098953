//! A second opinion on failing checks.
//!
//! A check that stops the process is confirmed by the test's end. For those that do not (overflow, shifts, accesses beyond
//! an object or after its life) the test is run again with the compiler's sanitizers. What they see is confirmed; what
//! they do not see stays a finding and is said to be seen by the program form alone.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use footpath_frontend::c::LoweredFunction;
use footpath_ir::AssertKind;
use footpath_ir::source::Span;
use footpath_replay::{Sighting, run_sanitized};

use crate::function::{Context, file_name};
use crate::objectives::Target;
use crate::result::{FunctionResult, ObjectiveKind, Verdict};

/// Time for a test under sanitizers.
const TIME: Duration = Duration::from_secs(5);
/// So many tests of a function at most.
const TESTS: usize = 24;

/// Says of each failing check whether something else than the program form saw it fail; nothing if time is up.
pub(crate) fn confirm(
    context: &Context,
    function: &LoweredFunction,
    targets: &mut [Target],
    result: &mut FunctionResult,
    until: Option<Instant>,
) {
    let mut tests: BTreeSet<usize> = BTreeSet::new();
    for target in targets.iter_mut() {
        let objective = &mut target.objective;
        let ObjectiveKind::Check(kind) = objective.kind else { continue };
        if objective.verdict != Verdict::Covered {
            continue;
        }
        if goes_on(kind) {
            tests.extend(objective.tests.first());
        } else {
            objective.confirmed = Some(true);
        }
    }
    let tests: Vec<usize> = tests.into_iter().take(TESTS).collect();
    if tests.is_empty() {
        return;
    }
    if until.is_some_and(|until| until <= Instant::now()) {
        let what = "failures that stop no process are not confirmed, as there was no time to run tests with sanitizers";
        result.notes.push(what.to_owned());
        return;
    }
    let compiled = context.compiled;
    let compiler = &compiled.compilers[function.function.module as usize];
    let folder = context.options.out.join("work");
    let name = file_name(context, function);
    let seen = match run_sanitized(compiler, &folder, &name, &tests, compiled.library.as_deref(), TIME) {
        Ok(seen) => seen,
        Err(why) => {
            let what =
                "failures that stop no process are not confirmed, as no test can be built with sanitizers";
            result.notes.push(format!("{what}: {why}"));
            return;
        }
    };
    for target in targets.iter_mut() {
        let objective = &mut target.objective;
        let ObjectiveKind::Check(kind) = objective.kind else { continue };
        let asked = tests.iter().position(|t| objective.tests.first() == Some(t));
        if let (Verdict::Covered, true, Some(k)) = (&objective.verdict, goes_on(kind), asked) {
            objective.confirmed = Some(seen[k].iter().any(|s| is_this(context, objective.span, kind, s)));
        }
    }
}

/// Whether a program may go on after such a failure.
pub(crate) fn goes_on(kind: AssertKind) -> bool {
    use AssertKind::{Bounds, Builtin, Free, Overflow, Shift, UseAfterFree};
    matches!(kind, Bounds | Builtin | Free | Overflow | Shift | UseAfterFree)
}

/// Whether what was seen is the failure of this check.
pub(crate) fn is_this(context: &Context, span: Span, kind: AssertKind, seen: &Sighting) -> bool {
    // Freed memory may be another object's by then, and beyond an object another may be.
    let near = |a, b| a == b || matches!((a, b), (AssertKind::Bounds, AssertKind::UseAfterFree));
    if !near(kind, seen.kind) && !near(seen.kind, kind) {
        return false;
    }
    let Some((file, line)) = &seen.place else { return true };
    let sources = &context.compiled.sources;
    let (start, end) = sources.range(span);
    let name = &sources.file(span.file).name;
    name.rsplit('/').next() == Some(file.as_str()) && (start.line..=end.line).contains(line)
}
