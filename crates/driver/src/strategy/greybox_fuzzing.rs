//! Greybox fuzzing before the search: the compiled function is run very often, and inputs that reach new code become
//! runs that the search begins with.
//!
//! **Idea.** See `footpath_replay`'s `greybox_fuzzing.rs`. A function is fuzzed if a first search of a few runs leaves code open;
//! building the fuzzer takes longer than searching a small function does. Example: a parser that wants a length, a tag and a
//! checksum in its first 20 bytes is reached by one input in a few thousand runs that copy operands of comparisons; the
//! search then has a path through it, and asks the solver for the arms along that path.
//!
//! **Direction of error.** None. An input is a run of the program form, whose test is compiled and run like all others; a
//! function that cannot be fuzzed is searched as if there was no fuzzing.

use std::time::Duration;

use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_ir::interp::Script;
use footpath_replay::{FuzzOptions, Limits, Target, fuzz};
use footpath_virtual_time::Deadline;

use crate::context::Context;
use crate::strategy::loop_summaries::has_loop;
use crate::strategy::native_execution::file_name;
use crate::strategy::search::build_time;

/// The largest amount of time for the runs; the budget of runs is usually used up long before.
const RUNS: Duration = Duration::from_secs(4);

/// Basic blocks without news after which fuzzing gives up, for each second of a function's time: a twentieth of it, about.
const PATIENCE: u64 = 10_000_000;

/// Part of the time of a function, or of a way into a library, that fuzzing may take.
pub(crate) const SHARE: f64 = 0.3;
/// Part of a function's time that building the fuzzer may take. None is built for a source that compiles for longer.
const BUILD_SHARE: f64 = 0.3;

/// Whether the function is fuzzed at all. An exploration has a search only, with guidance some runs are not wanted, what a
/// sampled function gives is not the fuzzer's to say, and without a loop solvers are faster.
pub(crate) fn is_wanted(context: &Context, function: &LoweredFunction) -> bool {
    let options = context.options;
    options.fuzz_runs > 0
        && is_plain(context, function)
        && build_time(context, function) <= options.timeout.mul_f64(BUILD_SHARE)
        && has_loop(&context.compiled.lowered.program, function.procedure)
}

/// Whether the function is searched as it stands, without guidance, summaries of callees or sampled functions.
pub(crate) fn is_plain(context: &Context, function: &LoweredFunction) -> bool {
    context.options.exploration.is_none()
        && context.compiled.natives.is_none()
        && context.conditions.is_none()
        && context.guidance.as_ref().is_none_or(|guidance| !guidance.is_about(function))
}

/// Inputs that reach new code, within some time; none of a function that is not to be fuzzed or cannot be, which is searched as
/// if there was no fuzzing.
pub(crate) fn proposals(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    time: Duration,
) -> Vec<Script> {
    proposals_beside(context, (function, harness), &Script::default(), time)
}

/// The same for a program, whose command line is that of a run without arguments.
pub(crate) fn proposals_beside(
    context: &Context,
    subject: (&LoweredFunction, &Harness),
    base: &Script,
    time: Duration,
) -> Vec<Script> {
    match is_wanted(context, subject.0) {
        true => fuzzed(context, subject, base, time).unwrap_or_default(),
        false => Vec::new(),
    }
}

fn fuzzed(
    context: &Context,
    (function, harness): (&LoweredFunction, &Harness),
    base: &Script,
    time: Duration,
) -> Result<Vec<Script>, String> {
    let compiled = context.compiled;
    let module = function.function.module as usize;
    let missing = |name: &str| !compiled.library_functions.contains(name);
    let source = compiled.files[module].display().to_string();
    let target = Target {
        lowered: &compiled.lowered,
        interpreter: context.prepared.interpreter(),
        function: &function.name,
        harness,
        base,
        source: &source,
        missing: &missing,
        library: compiled.library(),
        replaced: &compiled.replaced,
    };
    let seconds = context.options.timeout.as_secs().max(1);
    let options = FuzzOptions {
        seed: context.options.seed,
        runs: context.options.fuzz_runs.saturating_mul(seconds),
        patience: PATIENCE * seconds,
        limits: Limits { time: RUNS.min(time), until: Some(Deadline::after(time)), ..Limits::default() },
        stop: context.stop,
    };
    let folder = context.options.out.join("work");
    let found = fuzz(&compiled.compilers[module], &folder, &file_name(compiled, function), target, options)?;
    Ok(found.scripts)
}
