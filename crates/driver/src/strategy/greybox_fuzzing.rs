//! Greybox fuzzing before the search: the compiled function is run very often, and inputs that reach new code become
//! runs that the search begins with.
//!
//! **Idea.** See `footpath_replay`'s `greybox_fuzzing.rs`. A function is fuzzed if a first search of a few runs leaves code open, in it
//! or, as far as it is known, in functions that it calls. One program fuzzes all functions of a source, as building it takes longer
//! than searching a small function does. Example: a parser that wants a length, a tag and a
//! checksum in its first 20 bytes is reached by one input in a few thousand runs that copy operands of comparisons; the
//! search then has a path through it, and asks the solver for the arms along that path.
//!
//! **Direction of error.** None. An input is a run of the program form, whose test is compiled and run like all others; a
//! function that cannot be fuzzed is searched as if there was no fuzzing.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_ir::interp::Script;
use footpath_replay::{FuzzError, FuzzOptions, Fuzzer, Limits, Target, Unit};
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::starts::Starts;
use crate::strategy::loop_summaries::has_loop;
use crate::strategy::native_execution::{file_name, source_name};
use crate::strategy::search::build_time;

/// The largest amount of time for the runs; the budget of runs is usually used up long before.
const RUNS: Duration = Duration::from_secs(4);

/// Basic blocks without news after which fuzzing gives up, for each second of a function's time: a twentieth of it, about.
const PATIENCE: u64 = 10_000_000;

/// Part of the time of a function, or of a way into a library, that fuzzing may take.
pub(crate) const SHARE: f64 = 0.3;
/// Part of a function's time that building tests may take. No fuzzer is built for a source that compiles for longer.
const BUILD_SHARE: f64 = 0.3;
/// The largest number of functions whose shares for building are added up for the one program that fuzzes them all.
const SHARERS: u32 = 10;

/// The largest number of functions that one program fuzzes.
const TOGETHER: usize = 128;

type Built = Result<Fuzzer, String>;

/// Functions that one program fuzzes: their module, and their number in it.
type Group = (u32, usize);

/// The programs that fuzz, which are built when the first of their functions is fuzzed.
pub(crate) struct Fuzzers {
    /// How many functions there are in each group.
    sizes: FxHashMap<Group, u32>,
    built: Mutex<FxHashMap<Group, Arc<OnceLock<Built>>>>,
}

fn group(function: &LoweredFunction) -> Group {
    (function.function.module, function.function.index as usize / TOGETHER)
}

impl Fuzzers {
    /// None is built yet. `names` are those of the functions that are wanted.
    pub(crate) fn new(functions: &[LoweredFunction], names: &BTreeSet<String>) -> Fuzzers {
        let mut sizes = FxHashMap::default();
        for function in functions.iter().filter(|f| names.contains(&f.name)) {
            *sizes.entry(group(function)).or_insert(0) += 1;
        }
        Fuzzers { sizes, built: Mutex::default() }
    }

    fn of(&self, function: &LoweredFunction) -> Arc<OnceLock<Built>> {
        let mut known = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(group(function)).or_default())
    }

    /// Whether a program for the function is there.
    fn has(&self, function: &LoweredFunction) -> bool {
        self.of(function).get().is_some_and(|built| built.as_ref().is_ok_and(|f| f.has(&function.name)))
    }
}

/// What fuzzing gave.
#[derive(Default)]
pub(crate) struct Proposed {
    /// Inputs that reach new code.
    pub(crate) scripts: Vec<Script>,
    /// Time that passed while a program was built for other functions, too.
    pub(crate) for_others: Duration,
}

/// Whether the function is fuzzed at all. An exploration has a search only, with guidance some runs are not wanted, what a
/// sampled function gives is not the fuzzer's to say, and without a loop solvers are faster.
pub(crate) fn is_wanted(context: &Context, function: &LoweredFunction) -> bool {
    let options = context.options;
    let is_quick = || {
        let size = context.fuzzers.sizes.get(&group(function)).copied().unwrap_or(1);
        is_quick_for(context, function, size.min(SHARERS))
    };
    options.fuzz_runs > 0
        && is_plain(context, function)
        && (context.fuzzers.has(function) || is_quick())
        && has_loop(&context.compiled.lowered.program, function.procedure)
}

/// Whether the function is searched as it stands, without guidance, summaries of callees or sampled functions.
pub(crate) fn is_plain(context: &Context, function: &LoweredFunction) -> bool {
    context.options.exploration.is_none()
        && context.compiled.natives.is_none()
        && context.conditions.is_none()
        && context.guidance.as_ref().is_none_or(|guidance| !guidance.is_about(function))
}

/// Whether a program that fuzzes so many functions is built within their shares of time.
fn is_quick_for(context: &Context, function: &LoweredFunction, count: u32) -> bool {
    build_time(context, function) <= context.options.timeout.mul_f64(BUILD_SHARE) * count
}

/// Inputs that reach new code, within some time; none of a function that is not to be fuzzed or cannot be, which is searched as
/// if there was no fuzzing. Inputs that are not fuzzed are in `base`: the command line of a program.
pub(crate) fn proposals(
    context: &Context,
    subject: (&LoweredFunction, &Harness),
    base: &Script,
    time: Duration,
) -> Proposed {
    match is_wanted(context, subject.0) {
        true => fuzzed(context, subject, base, time).unwrap_or_default(),
        false => Proposed::default(),
    }
}

fn fuzzed(
    context: &Context,
    (function, harness): (&LoweredFunction, &Harness),
    base: &Script,
    time: Duration,
) -> Result<Proposed, String> {
    let compiled = context.compiled;
    let compiler = &compiled.compilers[function.function.module as usize];
    let folder = context.options.out.join("work");
    let began = Instant::now();
    let building = context.fuzzers.of(function);
    let built = building.get_or_init(|| {
        let (module, number) = group(function);
        let name = format!("{}_{}", source_name(compiled, module), number + 1);
        build(context, (&folder, &name), &together(context, function))
    });
    let each = built.as_ref().map_or(Duration::MAX, |fuzzer| began.elapsed() / fuzzer.count() as u32);
    let for_others = began.elapsed().saturating_sub(each);
    let target = Target { function: &function.name, harness };
    let programs = (&compiled.lowered, context.prepared.interpreter());
    let run = |fuzzer: &Fuzzer, time: Duration| {
        let seconds = context.options.timeout.as_secs().max(1);
        let options = FuzzOptions {
            seed: context.options.seed,
            runs: context.options.fuzz_runs.saturating_mul(seconds),
            patience: PATIENCE * seconds,
            limits: Limits { time: RUNS.min(time), until: Some(Deadline::after(time)), ..Limits::default() },
            stop: context.stop,
        };
        fuzzer.run(compiler, &folder, programs, (target, base), options)
    };
    let left = || time.saturating_sub(began.elapsed().saturating_sub(for_others));
    let with_others = built.as_ref().ok().filter(|fuzzer| fuzzer.has(&function.name));
    let scripts = match with_others.map(|fuzzer| run(fuzzer, left())) {
        Some(Ok(found)) => found.scripts,
        Some(Err(FuzzError::Failed(why))) => return Err(why),
        Some(Err(FuzzError::TooManyVariables)) | None => {
            if !is_quick_for(context, function, 1) {
                return Err("the source compiles for too long".to_owned());
            }
            let alone = build(context, (&folder, &file_name(compiled, function)), &[function])?;
            let found = run(&alone, left());
            found.map_err(|why| format!("{why:?}"))?.scripts
        }
    };
    Ok(Proposed { scripts, for_others })
}

/// The functions of the same group that are to be fuzzed, too.
fn together<'c>(context: &Context<'c>, function: &LoweredFunction) -> Vec<&'c LoweredFunction> {
    let starts = &context.compiled.starts;
    let is_start = |f: &LoweredFunction| matches!(starts, Starts::Functions) || starts.has(&f.name);
    let functions = context.compiled.lowered.functions.iter();
    let functions = functions.filter(|f| group(f) == group(function) && context.names.contains(&f.name));
    functions.filter(|f| is_start(f) && is_wanted(context, f)).collect()
}

/// Builds a program for some functions of one source.
fn build(context: &Context, place: (&Path, &str), functions: &[&LoweredFunction]) -> Result<Fuzzer, String> {
    let compiled = context.compiled;
    let Some(module) = functions.first().map(|f| f.function.module as usize) else {
        return Err("no function is to be fuzzed".to_owned());
    };
    let unit = Unit {
        lowered: &compiled.lowered,
        source: &compiled.files[module].display().to_string(),
        missing: &|name: &str| !compiled.library_functions.contains(name),
        library: compiled.library(),
        replaced: &compiled.replaced,
    };
    let harnesses = functions.iter().filter_map(|f| f.harness.as_ref().ok().map(|harness| (*f, harness)));
    let targets: Vec<Target> = harnesses.map(|(f, harness)| Target { function: &f.name, harness }).collect();
    Fuzzer::build(&compiled.compilers[module], place, unit, &targets)
}
