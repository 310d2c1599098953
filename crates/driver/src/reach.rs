//! Reachability of a place in a C program: a proof that no run reaches it, or a compiled test that does.
//!
//! Two sides work in parallel, and the first one that answers ends the other:
//!
//! 1. Proof: the function is analysed by itself, from any state that a caller could leave, in the program for proofs.
//!    If it is the program's entry, variables have their initial values. Where that does not succeed, it is tried once more for
//!    runs that end where a signed integer overflows, and the verdict names this assumption.
//! 2. Test: runs of its harness are explored, at first by themselves and then with what fuzzing found, and then loop
//!    summaries are asked about it; if short arrays do not suffice, again with longer ones. A run is written as C, built
//!    and run; it counts if the compiled test passed the target's block. For a whole program it may be possible to make
//!    all runs, from any state in which it may start.
//!
//! Example: the `default:` of a `switch (x & 3)` with cases 0 to 3 is proved unreachable by the first side; a place
//! behind `if (n == 1000)` is reached by the second one with `n = 1000`.
//!
//! **Direction of error.** *Reached* rests on a run of the compiled program and one of the interpreter; *unreachable*
//! on the loop summaries. That the harness reaches nothing is no proof, as its inputs are of bounded size.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use footpath_concolic::Prepared;
use footpath_frontend::c::{BlockRole, Harness, Lowered, LoweredFunction};
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::interp::Script;
use footpath_ir::source::{FileId, SourceMap, Span};
use footpath_ir::{AssertKind, BlockId, Origin, Place, ProcId, Program, Statement, StatementKind};
use footpath_loop_summaries::{Options as Limits, Reach, ReachError, Spot, Target, Test, Verdict};
use footpath_parallel::{TICK, in_parallel};
use footpath_replay::Point;
use footpath_term::Terms;
use footpath_verdict::{Code, Reason};
use footpath_verify::{Calls, Effort, never_entered, never_entered_alone};
use rustc_hash::FxHashSet;

use crate::compile::{Compiled, compile};
use crate::context::Context;
use crate::starts::Starts;
use crate::strategy::greybox_fuzzing::{self, Fuzzers};
use crate::strategy::invariants::{FUNCTION_BLOCKS, MAX_BLOCKS};
use crate::strategy::out_of_bounds::{accesses_stay, may_access_out_of_bounds};
use crate::strategy::replay::{CoverageHits, run_one};
use crate::strategy::search::{PlaceFound, search_place};
use crate::workers::stopping_after;
use crate::{CompileError, Options};
use footpath_c_syntax::necessary_conditions;
use footpath_virtual_time::Deadline;

/// The share of the time for short arrays, if there are longer ones, and of that the share of exploration.
const SHORT_SHARE: f64 = 0.4;
const EXPLORATION_SHARE: f64 = 0.3;
/// How long is explored before fuzzing, as easy places need none.
const FIRST_LOOK: Duration = Duration::from_secs(1);
/// The share of the time for finding a test of a whole program, before all its runs are explored.
const TESTS_SHARE: f64 = 0.6;
/// The share of the time for a proof that assumes nothing, and of the rest for one that assumes that no signed integer overflows.
const PROOF_SHARE: f64 = 0.5;
/// With less time no other proof is tried.
const A_LITTLE: Duration = Duration::from_millis(50);
/// How long tests are looked for before an answer that assumes something ends that.
const HEAD_START: Duration = Duration::from_secs(2);
/// The share of the time for a proof that the analyser has.
const INVARIANTS_SHARE: f64 = 0.1;
/// How long is explored where there is no limit.
const EXPLORATION: Duration = Duration::from_secs(60);
/// With less time nothing else is tried.
const LEAST: Duration = Duration::from_secs(1);
/// Steps of a run that exploration found.
const STEPS: u64 = 4_000_000;

/// The results for all targets.
pub struct ReachRun {
    /// The targets, in the order asked for.
    pub targets: Vec<Reached>,
    /// The files that spans are in.
    pub sources: SourceMap,
    /// What could not be read or lowered.
    pub diagnostics: Vec<Diagnostic>,
    /// The arena with the sorts of values.
    pub terms: Arc<Terms>,
}

/// The result for a target.
pub struct Reached {
    /// The function that runs start in.
    pub function: String,
    /// The target, as it was asked for.
    pub target: String,
    /// Its range.
    pub span: Span,
    /// The answer.
    pub reach: Reach,
    /// Whether its being unreachable assumes memory safety: no access before it is out of bounds or after the
    /// object's lifetime.
    pub assumes_memory_safety: bool,
    /// Whether its being unreachable assumes that no signed integer overflows before it.
    pub assumes_no_overflow: bool,
    /// The file with the test.
    pub file: Option<PathBuf>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Nothing could be compiled.
    Compile(CompileError),
    /// There is no such target or function; the text names it.
    Target(String),
    /// The question could not be asked.
    Reach(ReachError),
}

/// Asks about targets in C files. Runs start in the function that the options name; without one, see `starts_of`.
///
/// # Errors
/// If nothing can be compiled, a target is not there, or the solver cannot be used.
pub fn reach(
    options: &Options,
    wanted: &[String],
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<ReachRun, Refused> {
    let compiled = compile(options, stop).map_err(Refused::Compile)?;
    compiled.make_ready();
    let prepared = Prepared::new(&compiled.lowered.program);
    let names = compiled.lowered.functions.iter().map(|f| f.name.clone()).collect();
    let events = |_| {};
    let fuzzers = Fuzzers::new(&compiled.lowered.functions, &names);
    let context = Context::new(options, &compiled, &prepared, &names, &fuzzers, stop, &events);
    let mut targets = Vec::new();
    for wanted in wanted {
        let found = match places(&compiled.lowered, &context, wanted) {
            Ok(found) => found.len(),
            Err(why) => {
                targets.push(not_lowered(&compiled, wanted).ok_or(why)?);
                continue;
            }
        };
        for number in 0..found {
            for start in starts_of(&context, wanted, number)? {
                let mut found = one(&context, (wanted, number), start, limits)?;
                found.file = found.file.map(|file| numbered(&file, targets.len()));
                let is_reached = matches!(found.reach.verdict, Verdict::Reached(_));
                targets.push(found);
                if is_reached {
                    break;
                }
            }
        }
    }
    let terms = Arc::clone(&compiled.lowered.program.terms);
    let Compiled { sources, diagnostics, .. } = compiled;
    Ok(ReachRun { targets, sources, diagnostics, terms })
}

/// The answer about a place in a function that could not be lowered, by its lines or its name.
fn not_lowered(compiled: &Compiled, wanted: &str) -> Option<Reached> {
    let place = footpath_loop_summaries::place(wanted);
    let is_file =
        |id: FileId, file: &str| footpath_loop_summaries::is_named(&compiled.sources.file(id).name, file);
    let is_there = |f: &&LoweredFunction| match place {
        Some((file, line, _)) => {
            let mut lines = f.lines.values().flatten();
            lines.any(|&(id, l)| l == line && is_file(id, file))
        }
        None => f.name == wanted,
    };
    let functions = compiled.lowered.functions.iter();
    let function = functions.filter(|f| f.degraded.is_some()).find(is_there)?;
    Some(Reached {
        function: function.name.clone(),
        target: wanted.to_owned(),
        span: function.span,
        reach: Reach::unknown(why_not_lowered(function)?),
        assumes_memory_safety: false,
        assumes_no_overflow: false,
        file: None,
    })
}

/// Why a function could not be lowered, if it could not.
fn why_not_lowered(function: &LoweredFunction) -> Option<Reason> {
    let why = function.degraded.as_ref()?;
    Some(Code::NotLowered.with(format!("`{}` is not analysed, as {why} is not supported", function.name)))
}

/// The file under a name of its own, as tests of one function for several targets have the same.
fn numbered(file: &Path, number: usize) -> PathBuf {
    let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let to = file.with_file_name(format!("{stem}_{}.c", number + 1));
    match std::fs::rename(file, &to) {
        Ok(()) => to,
        Err(_) => file.to_owned(),
    }
}

/// The number of the function that runs to all targets start in, if the options name one or the program has a start.
fn start(context: &Context<'_>) -> Result<Option<usize>, Refused> {
    let named = |name: &String| {
        let found = context.compiled.lowered.functions.iter().position(|f| f.name == *name);
        found.ok_or_else(|| Refused::Target(format!("there is no function `{name}` with a body")))
    };
    let program = match &context.compiled.starts {
        Starts::Program(entry) => Some(entry),
        Starts::Functions | Starts::Library(_) => None,
    };
    context.options.functions.first().or(program).map(named).transpose()
}

/// The numbers of the functions in which runs to a place start, one after the other until one reaches it. If there is no one
/// start for all, runs to a line start in its function, as a question about a line is one about this function; and runs to
/// a name start in the roots above it, as a question about a name is one about the program.
fn starts_of(context: &Context<'_>, wanted: &str, number: usize) -> Result<Vec<usize>, Refused> {
    if let Some(start) = start(context)? {
        return Ok(vec![start]);
    }
    let lowered = &context.compiled.lowered;
    let inside = places(lowered, context, wanted)?.swap_remove(number).spot.procedure;
    let index = |p: ProcId| lowered.functions.iter().position(|f| f.procedure == p);
    let own = || index(inside).map(|index| vec![index]);
    if footpath_loop_summaries::place(wanted).is_some() {
        return own().ok_or_else(|| Refused::Target(format!("`{wanted}` is in no function of these files")));
    }
    // Procedures of harnesses call functions, too.
    let roots = lowered.program.roots_above(inside, |p| index(p).is_some());
    Ok(roots.into_iter().filter_map(index).collect())
}

/// Asks about one of the places that a text names, by both sides, with runs from the function of number `index`.
fn one(
    context: &Context<'_>,
    (wanted, number): (&str, usize),
    index: usize,
    limits: &Limits,
) -> Result<Reached, Refused> {
    let started = Instant::now();
    let compiled = context.compiled;
    let lowered = &compiled.lowered;
    let mut all = places(lowered, context, wanted)?;
    let target = all.swap_remove(number);
    let inside = target.spot.procedure;
    let function = &lowered.functions[index];
    let of = |reach: Reach, assumes_memory_safety, assumes_no_overflow, file| Reached {
        function: function.name.clone(),
        target: wanted.to_owned(),
        span: target.span,
        reach,
        assumes_memory_safety,
        assumes_no_overflow,
        file,
    };
    if let Some(why) = why_not_lowered(function) {
        return Ok(of(Reach::unknown(why), false, false, None));
    }
    let proofs = compiled.proof_program();
    let same = in_proofs(context, proofs, wanted, number, &target)?;
    let sides = |side: Side, stop: &AtomicBool| {
        let context = &stopped_by(context, stop);
        match (side, &same) {
            (Side::Proof, Some(same)) => {
                // An answer that assumes something is worth more, if it comes soon, than one that takes all of the time.
                let left = |share: f64| {
                    let left = limits.timeout.map(|t| t.saturating_sub(started.elapsed()));
                    let is_time = left.is_none_or(|t| t > A_LITTLE) && !stop.load(Ordering::Relaxed);
                    is_time.then(|| part(&Limits { timeout: left, ..limits.clone() }, share))
                };
                let first = prove(context, proofs, same, index, &part(limits, PROOF_SHARE))?;
                if !matches!(first.verdict, Verdict::Unknown(_)) {
                    return Ok(Answer::of(first));
                }
                let Some(limits) = left(PROOF_SHARE) else { return Ok(Answer::of(first)) };
                let marked = compiled.overflow_program();
                let ending = in_proofs(context, marked, wanted, number, &target)?;
                if let Some(ending) = ending.as_ref().and_then(without_overflow) {
                    let under = prove(context, marked, &ending, index, &limits)?;
                    if matches!(under.verdict, Verdict::Unreachable) {
                        // A test is worth more, even if it wraps on its way.
                        let head_start = limits.timeout.map_or(HEAD_START, |t| HEAD_START.min(t));
                        while started.elapsed() < head_start && !stop.load(Ordering::Relaxed) {
                            std::thread::sleep(TICK);
                        }
                        return Ok(Answer { under_no_overflow: true, ..Answer::of(under) });
                    }
                }
                let Some(limits) = left(1.0) else { return Ok(Answer::of(first)) };
                let mut again = prove(context, proofs, same, index, &limits)?;
                // It may end sooner than the first time.
                again.condition = again.condition.or(first.condition);
                Ok(Answer::of(again))
            }
            (Side::Proof, None) => Ok(Answer::of(Reach::unknown(Code::PlaceAbsent))),
            (Side::Test, _) => {
                let share = if is_whole(function) { TESTS_SHARE } else { 1.0 };
                let (mut found, file) = test(context, function, &target, &part(limits, share))?;
                let timeout = limits.timeout.map(|t| t.saturating_sub(started.elapsed()));
                let limits = Limits { timeout, ..limits.clone() };
                if matches!(found.verdict, Verdict::Unknown(_))
                    && timeout.is_none_or(|t| t > LEAST)
                    && same.as_ref().is_some_and(|same| has_no_run(context, same, index, &limits))
                {
                    found.verdict = Verdict::Unreachable;
                }
                Ok(Answer { file, ..Answer::of(found) })
            }
        }
    };
    // Each side has the same limit; beyond it is only what does not look at it.
    let longest = limits.timeout.map_or(Duration::MAX, |time| time.saturating_add(LEAST));
    let (proof, found) = both(context.stop, longest, &sides)?;
    let (Answer { reach: proof, under_no_overflow, .. }, Answer { reach: mut found, file, .. }) =
        (proof, found);
    if !context.stop.load(Ordering::Relaxed)
        && matches!(&found.verdict, Verdict::Unknown(why) if why.code == Code::Interrupted)
    {
        found.verdict = Verdict::Unknown(Code::TargetTime.into());
    }
    // What a test reaches behind an overflow is reached.
    let assumes_no_overflow = under_no_overflow && matches!(found.verdict, Verdict::Unknown(_));
    if matches!(proof.verdict, Verdict::Unreachable) && (!under_no_overflow || assumes_no_overflow) {
        if let Verdict::Reached(_) = found.verdict {
            let why = "what was proved to be unreachable is reached".to_owned();
            return Err(Refused::Reach(ReachError::Internal(why)));
        }
        found.verdict = Verdict::Unreachable;
    }
    if matches!(found.verdict, Verdict::Unreachable)
        && function.procedure != inside
        && compiled.runs_async().contains(&inside)
    {
        found.verdict = Verdict::Unknown(Code::Asynchronous.into());
    }
    // What a test needs is about its harness.
    found.condition = proof.condition;
    found.tree = proof.tree.or(found.tree);
    found.losses = Vec::new();
    for (variable, at, why) in proof.losses {
        let lost = footpath_c_syntax::names::of_variable(&variable).map(|name| (name, at, why));
        found.losses.extend(lost.filter(|lost| !found.losses.contains(lost)));
    }
    found.queries += proof.queries;
    found.unfolded = found.unfolded.max(proof.unfolded);
    let mut assumes_memory_safety = false;
    if matches!(found.verdict, Verdict::Unreachable)
        && may_access_out_of_bounds(context, function.procedure, &FxHashSet::default())
        && !accesses_stay(&proofs.program, first_of(&proofs.functions[index]), LEAST)
    {
        // That takes about as long as the proof that is there.
        let taken = started.elapsed().max(LEAST);
        let left = limits.timeout.map_or(taken, |t| t.saturating_sub(taken).min(taken).max(LEAST));
        let out_of_bounds = compiled.out_of_bounds_program();
        let limits = Limits { timeout: Some(left), ..limits.clone() };
        // Runs of that program go on after overflows, so nothing is asked of it where overflows are excluded.
        let same = match assumes_no_overflow {
            true => None,
            false => in_proofs(context, out_of_bounds, wanted, number, &target)?,
        };
        let proof = same.map(|same| prove(context, out_of_bounds, &same, index, &limits)).transpose()?;
        assumes_memory_safety = !proof.is_some_and(|p| matches!(p.verdict, Verdict::Unreachable));
    }
    found.time = started.elapsed();
    let assumes_no_overflow = assumes_no_overflow && matches!(found.verdict, Verdict::Unreachable);
    Ok(of(found, assumes_memory_safety, assumes_no_overflow, file))
}

/// The two sides of a reachability query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Proof,
    Test,
}

/// What a side came to.
struct Answer {
    reach: Reach,
    /// Whether that is so only as long as no signed integer overflows.
    under_no_overflow: bool,
    /// The file with its test.
    file: Option<PathBuf>,
}

impl Answer {
    fn of(reach: Reach) -> Answer {
        Answer { reach, under_no_overflow: false, file: None }
    }
}

/// Runs both sides in parallel, for so long at most. The answer of one interrupts the other.
fn both(
    stop: &AtomicBool,
    longest: Duration,
    ask: &(dyn Fn(Side, &AtomicBool) -> Result<Answer, Refused> + Sync),
) -> Result<(Answer, Answer), Refused> {
    let answers = stopping_after(longest, stop, &|over| {
        in_parallel(&[Side::Proof, Side::Test], 2, &AtomicBool::new(false), &|&side| {
            let answer = ask(side, over);
            let is_open = match &answer {
                // A run in the program for proofs is none that a test can make.
                Ok(found) if side == Side::Proof => !matches!(found.reach.verdict, Verdict::Unreachable),
                Ok(found) => matches!(found.reach.verdict, Verdict::Unknown(_)),
                Err(_) => false,
            };
            if !is_open {
                over.store(true, Ordering::Relaxed);
            }
            answer
        })
    });
    let mut answers = answers.into_iter().flatten();
    let mut next = || answers.next().unwrap_or_else(|| Ok(Answer::of(Reach::unknown(Code::NotAnalysed))));
    Ok((next()?, next()?))
}

/// The same, ended by another flag.
fn stopped_by<'a>(context: &Context<'a>, stop: &'a AtomicBool) -> Context<'a> {
    Context { guidance: None, stop, ..*context }
}

/// The same with a part of the time.
fn part(limits: &Limits, share: f64) -> Limits {
    Limits { timeout: limits.timeout.map(|t| t.mul_f64(share)), ..limits.clone() }
}

/// The places that a text names: one place, or all calls of an external function.
fn places(lowered: &Lowered, context: &Context<'_>, wanted: &str) -> Result<Vec<Target>, Refused> {
    let start = start(context)?;
    let preferred = start.and_then(|i| lowered.functions.get(i)).map(|f| f.procedure);
    let found = footpath_loop_summaries::find(&lowered.program, &context.compiled.sources, wanted, preferred);
    let why = match found {
        Ok(target) => return Ok(vec![target]),
        Err(why) => why,
    };
    let calls = calls(lowered, wanted);
    if calls.is_empty() { Err(Refused::Target(why)) } else { Ok(calls) }
}

/// The calls of a function that has no body. Calls of functions that end the program are failures at their place.
fn calls(lowered: &Lowered, name: &str) -> Vec<Target> {
    let program = &lowered.program;
    let endings: BTreeSet<(u32, Span)> =
        lowered.endings.iter().filter(|(n, ..)| n == name).map(|(_, p, span)| (p.0, *span)).collect();
    footpath_loop_summaries::find_statements(program, &|inside, statement| match &statement.kind {
        StatementKind::Call { callee, .. } => {
            program[*callee].bodies.is_empty() && *program[*callee].name == *name
        }
        StatementKind::Assert { .. } => endings.contains(&(inside.0, statement.span)),
        _ => false,
    })
}

/// The same place in the program for proofs, found by its source range, which is the same in all programs; `None` if
/// the range is ambiguous, or the place is not there.
fn in_proofs(
    context: &Context<'_>,
    proofs: &Lowered,
    wanted: &str,
    number: usize,
    target: &Target,
) -> Result<Option<Target>, Refused> {
    // A function may have a body for tests only.
    let Ok(mut same) = places(proofs, context, wanted) else { return Ok(None) };
    let many = places(&context.compiled.lowered, context, wanted)?.len();
    let is_same = |t: &Target| t.span == target.span && t.spot.procedure == target.spot.procedure;
    Ok((same.len() == many && is_same(&same[number])).then(|| same.swap_remove(number)))
}

/// Whether a function is the start of a whole program, for proofs.
fn is_whole(function: &LoweredFunction) -> bool {
    function.harness.as_ref().is_ok_and(|harness| harness.any_memory.is_some())
}

/// The procedure that runs of a proof begin in.
fn first_of(function: &LoweredFunction) -> ProcId {
    let whole = function.harness.as_ref().ok().and_then(|harness| harness.any_memory);
    whole.unwrap_or(function.procedure)
}

/// Asks for a proof that no state at all leads from the function's start to the target. For a whole program it is
/// asked from any state with the initial values of variables, if nothing else is known of its start.
fn prove(
    context: &Context<'_>,
    lowered: &Lowered,
    target: &Target,
    index: usize,
    limits: &Limits,
) -> Result<Reach, Refused> {
    let subject = &lowered.functions[index];
    let (start, is_whole) = (first_of(subject), is_whole(subject));
    let own = &context.compiled.lowered;
    let say = necessary_conditions::say(&own.types, lowered, subject.procedure, &own.functions[index]);
    let limits = Limits { tests: false, say: Some(say), ..limits.clone() };
    // The analyser is quick, and knows invariants of loops that have no closed form.
    let time = limits.timeout.map_or(EXPLORATION, |t| t.mul_f64(INVARIANTS_SHARE));
    if is_excluded(target, start, is_whole, time) {
        return Ok(Reach { verdict: Verdict::Unreachable, ..Reach::unknown(Code::NotReached) });
    }
    footpath_loop_summaries::reach(&target.program, start, 0, target.spot, &limits, context.stop)
        .map_err(Refused::Reach)
}

/// The target in the program whose runs end where a signed integer overflows; `None` if there is no such place.
fn without_overflow(target: &Target) -> Option<Target> {
    let mut program = target.program.clone();
    let mut terms = Terms::layer(Arc::clone(&program.terms));
    let never = terms.bool(false);
    let mut ends = false;
    let bodies = program.procedures.iter_mut().flat_map(|p| &mut p.bodies);
    for block in bodies.flat_map(|body| &mut body.blocks) {
        if block.statements.iter().any(|s| s.marks() == Some(AssertKind::Overflow)) {
            block.statements.push(Statement::new(StatementKind::Assume(never), block.span));
            ends = true;
        }
    }
    program.terms = Arc::new(terms);
    ends.then(|| Target { program, spot: target.spot, inside: target.inside, span: target.span })
}

/// Whether invariants of the function, or of the whole program from its start, exclude a target.
fn is_excluded(target: &Target, start: ProcId, is_whole: bool, time: Duration) -> bool {
    let effort = Effort { until: Some(Deadline::after(time)), ..Effort::default() };
    let dead = match is_whole {
        true => never_entered(&target.program, start, MAX_BLOCKS, effort),
        false => never_entered_alone(&target.program, start, Calls::Bodies(FUNCTION_BLOCKS), effort),
    };
    let Spot { procedure, body, block } = target.spot;
    let place = Origin { procedure, body, place: Place::Segment { block, first: 0 } };
    dead.is_some_and(|dead| dead.contains(&place))
}

/// Looks for a run, and runs it as C.
fn test(
    context: &Context<'_>,
    function: &LoweredFunction,
    target: &Target,
    limits: &Limits,
) -> Result<(Reach, Option<PathBuf>), Refused> {
    let harness = match &function.harness {
        Ok(harness) => harness,
        Err(why) => return Ok((Reach::unknown(Code::NoHarness.with(why)), None)),
    };
    let started = Instant::now();
    let left = || limits.timeout.map(|t| t.saturating_sub(started.elapsed()));
    let mut found = (Reach::unknown(Code::InputSizes), None);
    for start in [Some(harness.procedure), harness.longer].into_iter().flatten() {
        let is_last = harness.longer.is_none_or(|longer| longer == start);
        let limits = Limits { timeout: left(), ..limits.clone() };
        let limits = if is_last { limits } else { part(&limits, SHORT_SHARE) };
        found = test_from(context, function, (harness, start), target, &limits)?;
        let is_open = matches!(found.0.verdict, Verdict::Unknown(_));
        if !is_open || context.stop.load(Ordering::Relaxed) || left().is_some_and(|t| t < LEAST) {
            break;
        }
    }
    Ok(found)
}

/// The same from one procedure of the harness.
fn test_from(
    context: &Context<'_>,
    function: &LoweredFunction,
    (harness, start): (&Harness, ProcId),
    target: &Target,
    limits: &Limits,
) -> Result<(Reach, Option<PathBuf>), Refused> {
    let started = Instant::now();
    match explored(context, (function, harness), start, target, limits) {
        (start, PlaceFound::Run(script)) => {
            let from = (start, 0);
            let test =
                footpath_loop_summaries::test_of_script(&target.program, from, target.spot, &script, STEPS);
            if let Some(test) = test
                && let (verdict @ Verdict::Reached(_), file) =
                    confirm(context, function, target, Box::new(test))
            {
                return Ok((Reach { verdict, ..Reach::unknown(Code::NotReached) }, file));
            }
        }
        (_, PlaceFound::NoRun) => return Ok((Reach::unknown(Code::InputSizes), None)),
        (_, PlaceFound::Nothing) => {}
    }
    let timeout = limits.timeout.map(|t| t.saturating_sub(started.elapsed()));
    // A proof about the harness is none about the function.
    let limits = &Limits { timeout, proofs: false, induction: false, ..limits.clone() };
    let confirmed = Mutex::new(None);
    let native = |test: &Test| {
        let (verdict, file) = confirm(context, function, target, Box::new(test.clone()));
        let is_reached = matches!(verdict, Verdict::Reached(_));
        if is_reached {
            *confirmed.lock().unwrap_or_else(PoisonError::into_inner) = Some((verdict, file));
        }
        is_reached
    };
    let (program, stop) = (&target.program, context.stop);
    let mut found = footpath_loop_summaries::reach_natively(
        program,
        (start, 0),
        target.spot,
        limits,
        Some(&native),
        stop,
    )
    .map_err(Refused::Reach)?;
    let mut file = None;
    found.verdict = match found.verdict {
        Verdict::Unreachable => Verdict::Unknown(Code::InputSizes.into()),
        Verdict::Reached(test) => {
            let confirmed = confirmed.into_inner().unwrap_or_else(PoisonError::into_inner);
            let (verdict, written) = confirmed.unwrap_or_else(|| confirm(context, function, target, test));
            file = written;
            verdict
        }
        unknown @ Verdict::Unknown(_) => unknown,
    };
    Ok((found, file))
}

/// A run from a procedure of the harness, with the procedure that it starts in: found by exploration alone, or else by exploration
/// that begins with what fuzzing found.
fn explored(
    context: &Context<'_>,
    (function, harness): (&LoweredFunction, &Harness),
    start: ProcId,
    target: &Target,
    limits: &Limits,
) -> (ProcId, PlaceFound) {
    let part = |share| limits.timeout.map_or(EXPLORATION, |t| t.mul_f64(share));
    let time = part(EXPLORATION_SHARE);
    let from = |start, seeds, time| {
        (start, explore(context, harness, (&target.program, start), target, seeds, time))
    };
    let is_fuzzed = start == harness.procedure && greybox_fuzzing::is_wanted(context, function);
    let first = from(start, Vec::new(), if is_fuzzed { time.min(FIRST_LOOK) } else { time });
    if !is_fuzzed || !matches!(first.1, PlaceFound::Nothing) || context.stop.load(Ordering::Relaxed) {
        return first;
    }
    let inputs = fuzzed(context, (function, harness), part(greybox_fuzzing::SHARE));
    from(if inputs.is_empty() { start } else { harness.widest() }, inputs, time)
}

/// Inputs that fuzzing finds of a function; none of one that is not to be fuzzed.
fn fuzzed(context: &Context<'_>, subject: (&LoweredFunction, &Harness), time: Duration) -> Vec<Script> {
    // A program that fuzzes this function only is built faster.
    let names = BTreeSet::from([subject.0.name.clone()]);
    let fuzzers = Fuzzers::new(&context.compiled.lowered.functions, &names);
    let alone = Context { names: &names, fuzzers: &fuzzers, ..*context };
    greybox_fuzzing::proposals(&alone, subject, &Script::default(), time).scripts
}

/// Explores runs from the start of a procedure for one that reaches the target, at first those of `seeds`.
fn explore(
    context: &Context<'_>,
    harness: &Harness,
    from: (&Program, ProcId),
    target: &Target,
    seeds: Vec<Script>,
    time: Duration,
) -> PlaceFound {
    let Spot { procedure, body, block } = target.spot;
    let place = Origin { procedure, body, place: Place::Segment { block, first: 0 } };
    search_place(context, harness, from, place, seeds, time).unwrap_or(PlaceFound::Nothing)
}

/// Whether all runs of the whole program were made or refuted, and none reaches the target.
fn has_no_run(context: &Context<'_>, target: &Target, index: usize, limits: &Limits) -> bool {
    let lowered = context.compiled.proof_program();
    let Ok(harness) = &lowered.functions[index].harness else { return false };
    let Some(start) = harness.any_memory else { return false };
    let time = limits.timeout.map_or(EXPLORATION, |t| t.mul_f64(EXPLORATION_SHARE));
    let found = explore(context, harness, (&target.program, start), target, Vec::new(), time);
    matches!(found, PlaceFound::NoRun)
}

/// Builds and runs a test.
fn confirm(
    context: &Context<'_>,
    function: &LoweredFunction,
    target: &Target,
    test: Box<Test>,
) -> (Verdict, Option<PathBuf>) {
    let functions = &context.compiled.lowered.functions;
    let inside = functions.iter().find(|f| f.procedure == target.spot.procedure);
    let point = inside.and_then(|f| point_of(f, target.inside).map(|p| (f.name.clone(), p)));
    let run = match run_one(context, function, &test.script) {
        Ok(run) => run,
        Err(why) => return (Verdict::Unknown(Code::TestNotBuilt.with(format!(": {why}"))), None),
    };
    let Some((name, point)) = point else { return (Verdict::Unknown(Code::NotRecorded.into()), run.file) };
    let is_in = |points: &CoverageHits| points.get(&name).is_some_and(|points| points.contains(&point));
    let verdict = match (is_in(&run.counted), is_in(&run.passed)) {
        (true, _) => Verdict::Reached(test),
        (false, true) => Verdict::Unknown(Code::BehindUndefined.into()),
        (false, false) => Verdict::Unknown(Code::Diverged.into()),
    };
    (verdict, run.file)
}

/// The counter of a block in the compiled test.
fn point_of(function: &LoweredFunction, block: BlockId) -> Option<Point> {
    if let BlockRole::Source(ix) = function.roles.get(block.index())? {
        return Some(Point::Block(ix.0));
    }
    function.arms.iter().find(|arm| arm.to == block).map(|arm| Point::Branch(arm.from.0, arm.taken))
}
