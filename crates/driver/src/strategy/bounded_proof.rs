//! Bounded proofs (bounded model checking): no state at all leads to a place of a function, with loops unwound.
//!
//! **Idea.** The initial state is arbitrary, so every input of every caller is covered. The cover engine is asked
//! about the function with loops unwound, and with callees inlined or, if the options say so, summarised. What
//! summaries leave open is asked again with callees inlined, as far as there is time, and what is refuted within the
//! bound only is asked of loop summaries.
//!
//! Example: the `else` of `if (i < 4)` in `for (i = 0; i < 4; i++)` is refuted with four iterations unwound; as the
//! loop cannot iterate more often, the bound is not met, and the proof is unbounded.
//!
//! **Direction of error.** None. What the engine covers in this program does not count, as its states may be such
//! that no test can set up; and a summary that lacks paths of its callee proves nothing that depends on these.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use footpath_cover as cover;
use footpath_cover::{Callees, CoverOptions, ProcedureCover};
use footpath_frontend::c::{BlockRole, Lowered, LoweredFunction};
use footpath_ir::analysis::wto::Wto;
use footpath_ir::source::Span;
use footpath_ir::{AssertKind, BlockId, Origin, Place, ProcId};
use footpath_preconditions::{Classes, Conditions};
use footpath_summaries::{Covers, Digests, Mode, Summaries};
use footpath_transform::Bounds;
use footpath_verdict::{Bound, Code, Evidence, GoalId, Ledger, Method, Verdict};
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Options;
use crate::compile::Compiled;
use crate::context::Context;
use crate::function::proof;
use crate::objectives::{Target, targets};
use crate::pipeline::Found;
use crate::result::{Class, FunctionResult, ObjectiveKind};

/// The largest amount of time for proofs.
pub(crate) const PROOFS: Duration = Duration::from_secs(4);
/// Time for proofs without a bound, at most.
const LOOP_PROOFS: Duration = Duration::from_secs(2);
/// The least time with which a proof is begun.
pub(crate) const LEAST: Duration = Duration::from_millis(50);
/// How often a function calls itself in proofs.
const RECURSION: u32 = 1;
/// How many blocks a function has in proofs, at most.
const MAX_BLOCKS: usize = 1_500;

/// Summaries of the functions of a program, none of them computed yet.
pub(crate) fn summaries<'a>(
    compiled: &'a Compiled,
    options: &Options,
    mode: Mode,
    stop: &'a AtomicBool,
    notes: &mut Vec<String>,
) -> Option<Summaries<'a>> {
    let time = PROOFS.min(options.timeout) / 2;
    let wanted = footpath_summaries::Options {
        bounds: bounds(options),
        first_timeout: time,
        grow_timeout: time,
        store: options.store.clone(),
        recheck: options.recheck,
        jobs: options.jobs,
        ..footpath_summaries::Options::default()
    };
    match Summaries::new(&compiled.proof_program().program, mode, wanted, stop) {
        Ok(summaries) => Some(summaries),
        Err(error) => {
            notes.push(format!("proofs inline calls, because summaries could not be made: {error}"));
            None
        }
    }
}

/// Exact procedure summaries of the callees of functions, by their numbers: the condition under which each fails, and
/// its effect.
pub(crate) fn conditions<'a>(
    lowered: &'a Lowered,
    options: &Options,
    functions: &[usize],
    stop: &AtomicBool,
    notes: &mut Vec<String>,
) -> Option<Conditions<'a>> {
    let procedures: Vec<ProcId> = functions.iter().map(|&i| lowered.functions[i].procedure).collect();
    let wanted = footpath_preconditions::Options { time: Some(options.timeout), ..Default::default() };
    match Conditions::new(&lowered.program, &procedures, &wanted, Classes::PLAIN, stop) {
        Ok(conditions) => {
            let (known, all) = conditions.known();
            notes.push(format!("the exact failure condition is known of {known} of {all} callees"));
            Some(conditions)
        }
        Err(error) => {
            notes.push(format!(
                "proofs inline calls, because failure conditions could not be computed: {error}"
            ));
            None
        }
    }
}

/// The cache of proofs about the functions of a program if it is enabled.
pub(crate) fn kept<'a>(digests: &Arc<Digests<'a>>, options: &Options) -> Option<Covers<'a>> {
    let storage = options.store.clone()?;
    // How much time proofs have depends on the search. What a function may take with it is what counts.
    let wanted = cover_options(options, options.timeout);
    let beside = format!("{:?} {PROOFS:?} {LOOP_PROOFS:?}", options.calls);
    Some(Covers::new(storage, digests, &wanted, &beside, false))
}

/// Proofs of earlier runs that are looked for when a function first needs them.
pub(crate) trait LaterProofs: Sync {
    /// The proofs.
    fn covers(&self) -> Option<&Covers<'_>>;
}

/// Those about the program in which runs go on after accesses that are out of bounds. Few functions need that program, so it is made
/// for the first of them.
pub(crate) struct OutOfBoundsProofs<'a> {
    compiled: &'a Compiled,
    options: &'a Options,
    covers: OnceLock<Option<Covers<'a>>>,
}

impl<'a> OutOfBoundsProofs<'a> {
    pub(crate) fn new(compiled: &'a Compiled, options: &'a Options) -> OutOfBoundsProofs<'a> {
        OutOfBoundsProofs { compiled, options, covers: OnceLock::new() }
    }

    /// Warnings for the user about the store.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.covers.get().into_iter().flatten().flat_map(Covers::warnings).collect()
    }
}

impl LaterProofs for OutOfBoundsProofs<'_> {
    fn covers(&self) -> Option<&Covers<'_>> {
        let program = || &self.compiled.out_of_bounds_program().program;
        self.covers.get_or_init(|| kept(&Arc::new(Digests::of(program())), self.options)).as_ref()
    }
}

fn cover_options(options: &Options, time: Duration) -> CoverOptions {
    let bounds = bounds(options);
    CoverOptions {
        unwind: bounds.unwind,
        recursion: bounds.recursion,
        max_blocks: bounds.max_blocks,
        timeout: Some(time),
        query_timeout: Some(Duration::from_secs(5)),
        random_runs: 0,
        jobs: 1,
        ..CoverOptions::default()
    }
}

fn bounds(options: &Options) -> Bounds {
    Bounds { unwind: options.unwind, recursion: RECURSION, max_blocks: MAX_BLOCKS }
}

/// Whether a bounded proof may add something to what is known of a goal. What an exhaustive search has ruled out still needs
/// an explanation, unless it is good news.
pub(crate) fn wants_proof(ledger: &Ledger, goal: GoalId, target: &Target) -> bool {
    let is_check = matches!(target.objective.kind, ObjectiveKind::Check(_));
    let is_explained = ledger.settling(goal).is_some_and(|e| !e.explanation.is_empty());
    target.objective.class != Class::Compiler
        && ledger.takes_proofs(goal)
        && match ledger.verdict(goal) {
            Verdict::Covered | Verdict::Doomed => false,
            Verdict::Unreachable => !is_explained && !is_check,
            Verdict::UnreachableWithin(_) | Verdict::Unknown(_) => true,
        }
}

/// Asks for proofs that no state leads to these goals of a function; all inputs of all callers are among these states.
pub(crate) fn prove(
    context: &Context,
    function: &LoweredFunction,
    open: &[(GoalId, Target)],
    result: &mut FunctionResult,
    left: Duration,
) -> Found {
    let left = left.min(PROOFS);
    if open.is_empty() {
        return Found::new();
    }
    let index = context.compiled.lowered.functions.iter().position(|f| f.procedure == function.procedure);
    let proofs = context.compiled.proof_program();
    let Some(subject) = index.and_then(|i| proofs.functions.get(i)).filter(|f| f.degraded.is_none()) else {
        return Found::new();
    };
    let known = Known { proofs, kept: context.proved, callees: context.callees };
    let Some((cover, proved)) = cover_of(context, known, subject, left, result) else { return Found::new() };
    result.statistics.queries += cover.statistics.queries;
    result.statistics.solver_time += cover.statistics.solver_time;
    result.statistics.summaries = cover.statistics.summaries;
    let said = said(proofs, subject, &cover, &proved, &context.options.lowering.checks);
    let has_loops = LazyCell::new(|| has_loops(context, proofs, subject));
    let evidence = |(goal, target): &(GoalId, Target)| {
        let (verdict, explanation, by) = said.get(&key(target))?;
        let found = match verdict {
            Verdict::Unreachable => proof(*by, target),
            Verdict::UnreachableWithin(Bound::Iterations(k)) if !*has_loops => {
                Evidence::not_reached_within(*by, Bound::LibraryIterations(*k))
            }
            Verdict::UnreachableWithin(bound) => Evidence::not_reached_within(*by, *bound),
            Verdict::Covered | Verdict::Doomed | Verdict::Unknown(_) => return None,
        };
        Some((*goal, Evidence { explanation: explanation.clone(), ..found }))
    };
    open.iter().filter_map(evidence).collect()
}

/// Whether a function or what it calls has a loop in the source. Where none has, only loops in library functions are cut short.
fn has_loops(context: &Context, proofs: &Lowered, subject: &LoweredFunction) -> bool {
    let users = context.compiled.files.len();
    let called: FxHashSet<ProcId> = proofs.program.reachable(&[subject.procedure]).into_iter().collect();
    let is_users =
        |f: &&LoweredFunction| (f.function.module as usize) < users && called.contains(&f.procedure);
    let has_loop = |f: &LoweredFunction| {
        let is_loop = |head: BlockId| f.roles.get(head.index()) != Some(&BlockRole::Copy);
        let bodies = &proofs.program[f.procedure].bodies;
        bodies.iter().any(|body| Wto::of(body).components.iter().any(|component| is_loop(component.head)))
    };
    proofs.functions.iter().filter(is_users).any(has_loop)
}

/// What proofs of earlier runs say of the goals of a function that no state leads to.
pub(crate) fn stored_claims(context: &Context, function: &LoweredFunction) -> Found {
    let compiled = context.compiled;
    let index = compiled.lowered.functions.iter().position(|f| f.procedure == function.procedure);
    let (Some(index), Some(kept)) = (index, context.proved) else { return Found::new() };
    let proofs = compiled.proof_program();
    let checks = &context.options.lowering.checks;
    let Some(subject) = proofs.functions.get(index) else { return Found::new() };
    let cover = kept.recall(subject.procedure).and_then(|covers| covers.into_iter().next());
    let Some(cover) = cover else { return Found::new() };
    let said = said(proofs, subject, &cover, &FxHashSet::default(), checks);
    let goals = compiled.targets(function, checks);
    let claim = |(i, target): (usize, &Target)| {
        let (verdict, ..) = said.get(&key(target))?;
        (*verdict == Verdict::Unreachable).then(|| (GoalId(i), proof(Method::Cover, target)))
    };
    goals.iter().enumerate().filter_map(claim).collect()
}

/// The program that proofs are about, with known results.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k, 'a> {
    /// The program.
    pub(crate) proofs: &'k Lowered,
    /// Proofs of earlier runs.
    pub(crate) kept: Option<&'k Covers<'a>>,
    /// Procedure summaries of callees.
    pub(crate) callees: Option<&'k dyn Callees>,
}

/// The cover of a function, and the places that loop summaries proved unreachable. What is in the cache is not asked
/// again.
pub(crate) fn cover_of(
    context: &Context,
    known: Known,
    subject: &LoweredFunction,
    left: Duration,
    result: &mut FunctionResult,
) -> Option<(ProcedureCover, FxHashSet<Origin>)> {
    let proofs = known.proofs;
    if let Some(covers) = known.kept.and_then(|kept| kept.recall(subject.procedure)) {
        return covers.into_iter().next().map(|cover| (cover, FxHashSet::default()));
    }
    // What is cut short by anything else than the function's own time is no answer for that.
    let kept = || known.kept.filter(|_| !context.stop.load(Ordering::Relaxed));
    if left < LEAST {
        kept().into_iter().for_each(|kept| kept.keep_nothing(subject.procedure));
        return None;
    }
    let deadline = Deadline::after(left);
    let options = cover_options(context.options, left);
    let ask = |options: &CoverOptions, callees: Option<&dyn Callees>| {
        let subjects = [subject.procedure];
        let covers = cover::cover_with(&proofs.program, &subjects, options, callees, context.stop, &|_| {});
        covers.map(|covers| covers.into_iter().next())
    };
    let covers = ask(&options, known.callees).and_then(|cover| {
        let Some(mut cover) = cover else { return Ok(None) };
        let rest = deadline.left();
        if cover.statistics.summaries.is_some() && is_unknown(&cover) && rest >= LEAST {
            let inlined = ask(&CoverOptions { timeout: Some(rest), ..options.clone() }, None)?;
            inlined.into_iter().for_each(|inlined| take_proofs(&mut cover, inlined));
        }
        Ok(Some(cover))
    });
    let mut cover = match covers {
        Ok(cover) => cover?,
        Err(error) => {
            result.notes.push(format!("the proof engine failed: {error}"));
            return None;
        }
    };
    let rest = deadline.left();
    let proved = prove_unbounded(context, proofs, &mut cover, rest);
    kept().into_iter().for_each(|kept| kept.keep(&cover));
    Some((cover, proved))
}

fn is_unknown(cover: &ProcedureCover) -> bool {
    cover.objectives.iter().any(|o| matches!(o.verdict, Verdict::Unknown(_)))
}

/// Adds to a cover the proofs of another one of the same body, and their cost.
fn take_proofs(cover: &mut ProcedureCover, other: ProcedureCover) {
    for (objective, other) in cover.objectives.iter_mut().zip(other.objectives) {
        if matches!(objective.verdict, Verdict::Unknown(_)) && other.verdict.is_infeasible() {
            objective.verdict = other.verdict;
            objective.explanation = other.explanation;
        }
    }
    cover.statistics.queries += other.statistics.queries;
    cover.statistics.solver_time += other.statistics.solver_time;
}

/// Asks loop summaries about what no run within the bound reaches; the places that they prove unreachable.
fn prove_unbounded(
    context: &Context,
    proofs: &Lowered,
    cover: &mut ProcedureCover,
    left: Duration,
) -> FxHashSet<Origin> {
    let mut proved_here = FxHashSet::default();
    let deadline = Deadline::after(LOOP_PROOFS.min(left));
    for objective in &mut cover.objectives {
        let left = deadline.left();
        if !objective.is_refuted_so_far() || left.is_zero() {
            continue;
        }
        let options = footpath_loop_summaries::Options {
            timeout: Some(left.min(LOOP_PROOFS / 4)),
            max_unfold: 16,
            ..footpath_loop_summaries::Options::default()
        };
        let (program, origin) = (&proofs.program, objective.origin);
        let proved = footpath_loop_summaries::prove_unreachable(
            program,
            cover.procedure,
            cover.body,
            origin,
            &options,
            context.stop,
        );
        if proved == Ok(true) {
            objective.verdict = Verdict::Unreachable;
            // It explains the verdict within the bound.
            objective.explanation.clear();
            proved_here.insert(origin);
        }
    }
    proved_here
}

/// The key by which an objective is matched between both programs. Blocks of the source have the same numbers in both. The program for
/// proofs may have more checks, also as blocks of their own, so these are grouped by their place in the source.
pub(crate) type Key = (Option<Origin>, ObjectiveKind, Span);

pub(crate) fn key(target: &Target) -> Key {
    let objective = &target.objective;
    // What is not in the source has other numbers where there are more checks.
    let is_numbered = !matches!(objective.kind, ObjectiveKind::Evaluation(..) | ObjectiveKind::Check(_));
    let origin = Some(target.origin).filter(|o| is_numbered && matches!(o.place, Place::Segment { .. }));
    (origin, objective.kind, objective.span)
}

/// A verdict, its explanation, and who found it.
type Said = (Verdict, Vec<Span>, Method);

/// The verdicts by key; of several for one key, the weakest. Those of the places in `summarised` come from loop
/// summaries.
fn said(
    proofs: &Lowered,
    subject: &LoweredFunction,
    cover: &ProcedureCover,
    summarised: &FxHashSet<Origin>,
    checks: &BTreeSet<AssertKind>,
) -> FxHashMap<Key, Said> {
    let strength = |v: &Verdict| match v {
        Verdict::Unreachable => 2,
        Verdict::UnreachableWithin(_) => 1,
        _ => 0,
    };
    let mut said: FxHashMap<Key, Said> = FxHashMap::default();
    for target in targets(&proofs.program, subject, checks) {
        let found = cover.objectives.iter().find(|o| o.origin == target.origin);
        let verdict = found.map_or(Verdict::Unknown(Code::NotAnalysed.into()), |o| o.verdict.clone());
        let explanation = found.map_or_else(Vec::new, |o| o.explanation.clone());
        let by = if summarised.contains(&target.origin) { Method::LoopSummary } else { Method::Cover };
        match said.entry(key(&target)) {
            Entry::Occupied(mut known) => {
                if strength(&verdict) < strength(&known.get().0) {
                    known.insert((verdict, explanation, by));
                }
            }
            Entry::Vacant(free) => {
                free.insert((verdict, explanation, by));
            }
        }
    }
    said
}
