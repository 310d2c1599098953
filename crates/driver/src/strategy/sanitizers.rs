//! Sanitizers as a second opinion on failing checks.
//!
//! A check that stops the process is confirmed by the end of its test. For those that do not (overflow, shifts,
//! accesses that are out of bounds or after an object's lifetime) the test is run again with the compiler's
//! sanitizers. What they report is confirmed; what they do not report stays a finding, and is said to be seen in the
//! program form only.
//!
//! **Direction of error.** Towards too few confirmations: sanitizers do not detect every undefined behaviour.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use footpath_frontend::c::LoweredFunction;
use footpath_ir::AssertKind;
use footpath_ir::source::Span;
use footpath_replay::{Sighting, run_sanitized};

use crate::context::Context;
use crate::result::FunctionResult;
use crate::strategy::replay::file_name;

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

/// For each failing check of a function's tests, whether sanitizers confirm it; `None` if time is up.
pub(crate) fn confirm(
    context: &Context,
    function: &LoweredFunction,
    failing: &[Failing],
    result: &mut FunctionResult,
    until: Option<Instant>,
) -> Vec<Option<bool>> {
    let stops = |f: &Failing| (!goes_on(f.kind)).then_some(true);
    let mut confirmed: Vec<Option<bool>> = failing.iter().map(stops).collect();
    let tests: BTreeSet<usize> = failing.iter().filter(|f| goes_on(f.kind)).map(|f| f.test).collect();
    let tests: Vec<usize> = tests.into_iter().take(TESTS).collect();
    if tests.is_empty() {
        return confirmed;
    }
    if until.is_some_and(|until| until <= Instant::now()) {
        let what = "failures that do not crash the test are not confirmed, because there was no time to run it with sanitizers";
        result.notes.push(what.to_owned());
        return confirmed;
    }
    let compiled = context.compiled;
    let compiler = &compiled.compilers[function.function.module as usize];
    let folder = context.options.out.join("work");
    let name = file_name(context.compiled, function);
    let seen = match run_sanitized(compiler, &folder, &name, &tests, compiled.library(), TIME) {
        Ok(seen) => seen,
        Err(why) => {
            let what = "failures that do not crash the test are not confirmed, because it cannot be built with sanitizers";
            result.notes.push(format!("{what}: {}", remedy(&why.to_string())));
            return confirmed;
        }
    };
    for (f, confirmed) in failing.iter().zip(&mut confirmed).filter(|(f, _)| goes_on(f.kind)) {
        if let Some(k) = tests.iter().position(|&t| t == f.test) {
            *confirmed = Some(seen[k].iter().any(|s| is_this(context, f.span, f.kind, s)));
        }
    }
    confirmed
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

/// Whether a program may go on after such a failure.
pub(crate) fn goes_on(kind: AssertKind) -> bool {
    use AssertKind::{Bounds, Builtin, CallType, Free, Overflow, Overlap, Shift, UseAfterFree, VlaLength};
    matches!(kind, Bounds | Builtin | CallType | Free | Overflow | Overlap | Shift | UseAfterFree | VlaLength)
}

/// Whether a sanitizer's report is about the failure of this check.
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
