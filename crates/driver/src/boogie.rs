//! The job of Boogie procedures: covers, with what is kept of earlier runs, and loop summaries for what no run within the bound
//! reaches.
//!
//! **Direction of error.** That of the cover engine and the loop summaries. What both say of an objective is joined in a ledger;
//! a run against a proof that rests on nothing is an internal error.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use footpath_cover as cover;
use footpath_cover::{CoverError, CoverOptions, ProcedureCover};
use footpath_ir::{Origin, Place, ProcId, Program};
use footpath_loop_summaries as loops;
use footpath_preconditions::{Classes, Conditions};
use footpath_summaries::{Covers, Digests, Recheck, Storage, Summaries};
use footpath_transform::Bounds;
use footpath_verdict::{Claim, Evidence, GoalId, Ledger, Method, Verdict};
use footpath_virtual_time::Deadline;

use crate::Calls;

/// The largest number of loop iterations that a loop summary unfolds.
const MAX_UNFOLD: u64 = 25;
/// Part of the time of a procedure that loop summaries may take even if the engine took it all.
const LEAST_SHARE: f64 = 0.1;

/// How procedures are covered.
#[derive(Clone, Debug)]
pub struct Options {
    /// The options of the cover engine.
    pub cover: CoverOptions,
    /// What replaces calls; `None` for the bodies of callees.
    pub calls: Option<Calls>,
    /// Where the cache is, if it is enabled.
    pub store: Option<Storage>,
    /// The procedures that are analysed anew although results of them are stored.
    pub recheck: Recheck,
    /// Time for loop summaries in each body.
    pub loop_proofs: Duration,
}

/// The covers of procedures, those that are kept from an earlier run without asking anybody; with them, warnings about
/// the store.
///
/// # Errors
/// If the solver cannot be used, or one of our own invariants broke.
pub fn covers(
    options: &Options,
    program: &Program,
    procedures: &[ProcId],
    stop: &AtomicBool,
    events: &(dyn Fn(cover::Event) + Sync),
) -> Result<(Vec<ProcedureCover>, Vec<String>), CoverError> {
    // Who wants to see the questions wants them asked.
    let storage = options.store.clone().filter(|_| options.cover.dump_smt.is_none());
    let beside = format!("{:?} {:?}", options.calls, options.loop_proofs);
    let digests = Arc::new(Digests::of(program));
    let kept = storage.map(|storage| Covers::new(storage, &digests, &options.cover, &beside, true));
    let mut known: BTreeMap<ProcId, Vec<ProcedureCover>> = BTreeMap::new();
    let mut doubted: Vec<ProcedureCover> = Vec::new();
    for &procedure in procedures {
        let Some(covers) = kept.as_ref().and_then(|kept| kept.recall(procedure)) else { continue };
        if options.recheck.selects(&program[procedure].name) {
            doubted.extend(covers);
            continue;
        }
        covers.iter().for_each(|c| events(cover::Event::Finished(procedure, c.body)));
        known.insert(procedure, covers);
    }
    let open: Vec<ProcId> = procedures.iter().copied().filter(|p| !known.contains_key(p)).collect();
    let (mut found, mut warnings) = anew(options, program, &open, stop, events)?;
    for cover in &mut found {
        ask_loop_summaries(options, program, cover, stop)?;
    }
    for stored in &doubted {
        let anew = found.iter().find(|c| (c.procedure, c.body) == (stored.procedure, stored.body));
        let Some(anew) = anew else { continue };
        match compare(program, stored, anew) {
            Ok(warning) => warnings.extend(warning),
            Err(why) => {
                kept.iter().for_each(|kept| kept.forget(stored.procedure));
                return Err(CoverError::Internal(why));
            }
        }
    }
    if let Some(kept) = &kept {
        if !stop.load(Ordering::SeqCst) {
            found.iter().for_each(|cover| kept.keep(cover));
        }
        warnings.extend(kept.warnings());
    }
    warnings.extend(options.store.iter().flat_map(Storage::warnings));
    for cover in found {
        known.entry(cover.procedure).or_default().push(cover);
    }
    Ok((procedures.iter().filter_map(|p| known.remove(p)).flatten().collect(), warnings))
}

/// Holds a stored cover against a new one: a stored proof against a run that reaches the place is an internal error, and what
/// is not proved again, a warning.
fn compare(
    program: &Program,
    stored: &ProcedureCover,
    anew: &ProcedureCover,
) -> Result<Option<String>, String> {
    let name = &program[anew.procedure].name;
    let claims = stored.objectives.iter().zip(&anew.objectives).filter(|(o, _)| o.verdict.is_infeasible());
    let mut lost = 0;
    for (stored, anew) in claims {
        if stored.verdict == Verdict::Unreachable && anew.verdict == Verdict::Covered {
            return Err(format!(
                "{} of {name} is unreachable, as the store says, but a run reaches it; what is stored about {name} was removed",
                anew.name
            ));
        }
        lost += usize::from(matches!(anew.verdict, Verdict::Unknown(_)));
    }
    let told =
        format!("--recheck: {lost} of what the store says of {name} was not proved again and is not used");
    Ok((lost > 0).then_some(told))
}

/// Covers procedures with what the options say replaces calls; with it, warnings about the store.
fn anew(
    options: &Options,
    program: &Program,
    procedures: &[ProcId],
    stop: &AtomicBool,
    events: &(dyn Fn(cover::Event) + Sync),
) -> Result<(Vec<ProcedureCover>, Vec<String>), CoverError> {
    let engine = &options.cover;
    let mode = match options.calls {
        None => return Ok((cover::cover(program, procedures, engine, stop, events)?, Vec::new())),
        Some(Calls::Conditions) => return with_conditions(engine, program, procedures, stop, events),
        Some(Calls::Summaries(mode)) => mode,
    };
    let (unwind, recursion, max_blocks) = (engine.unwind, engine.recursion, engine.max_blocks);
    let plain = footpath_summaries::Options::default();
    // A callee that takes longer leaves time for questions about the others.
    let share = |most: Duration| engine.timeout.map_or(most, |all| most.min(all / 4));
    let wanted = footpath_summaries::Options {
        bounds: Bounds { unwind, recursion, max_blocks },
        first_timeout: share(plain.first_timeout),
        grow_timeout: share(plain.grow_timeout),
        query_timeout: engine.query_timeout,
        solver: engine.solver.clone(),
        store: options.store.clone(),
        recheck: options.recheck,
        jobs: engine.jobs.min(procedures.len()),
        ..plain
    };
    let summaries = Summaries::new(program, mode, wanted, stop)?;
    let found = cover::cover_with(program, procedures, engine, Some(&summaries), stop, events)?;
    Ok((found, summaries.finish()))
}

/// The same with the conditions under which callees fail.
fn with_conditions(
    engine: &CoverOptions,
    program: &Program,
    procedures: &[ProcId],
    stop: &AtomicBool,
    events: &(dyn Fn(cover::Event) + Sync),
) -> Result<(Vec<ProcedureCover>, Vec<String>), CoverError> {
    let wanted = footpath_preconditions::Options {
        time: engine.timeout,
        query: engine.query_timeout,
        solver: engine.solver.clone(),
        recursion: engine.recursion,
        ..footpath_preconditions::Options::default()
    };
    let conditions = Conditions::new(program, procedures, &wanted, Classes::PLAIN, stop);
    let conditions = conditions.map_err(|e| match e {
        footpath_preconditions::Error::Solver(why) => CoverError::Solver(why),
        other => CoverError::Internal(other.to_string()),
    })?;
    let found = cover::cover_with(program, procedures, engine, Some(&conditions), stop, events)?;
    Ok((found, Vec::new()))
}

/// Asks loop summaries about what no run within the bound reaches: for a proof for any number of iterations, or a longer run.
fn ask_loop_summaries(
    options: &Options,
    program: &Program,
    cover: &mut ProcedureCover,
    stop: &AtomicBool,
) -> Result<(), CoverError> {
    // What the engine left of the time, and a little in any case.
    let spent = cover.statistics.total_time;
    let left = options.cover.timeout.map(|all| all.saturating_sub(spent).max(all.mul_f64(LEAST_SHARE)));
    let time = left.map_or(options.loop_proofs, |left| left.min(options.loop_proofs));
    let deadline = Deadline::after(time);
    let mut ledger = Ledger::new(cover.objectives.len());
    for (i, objective) in cover.objectives.iter().enumerate() {
        ledger.record_all(evidence(objective).map(|evidence| (GoalId(i), evidence)));
    }
    let open = (0..cover.objectives.len()).filter(|&i| cover.objectives[i].is_refuted_so_far());
    for i in open.collect::<Vec<usize>>() {
        let left = deadline.left();
        if left.is_zero() || stop.load(Ordering::Relaxed) {
            break;
        }
        if ledger.is_reached(GoalId(i)) {
            continue;
        }
        let wanted = loops::Options {
            timeout: Some(left.min(time / 2)),
            solver: options.cover.solver.clone(),
            cross_check: options.cover.cross_check.clone(),
            max_unfold: MAX_UNFOLD,
            ..loops::Options::default()
        };
        match ask(program, cover, cover.objectives[i].origin, &wanted, stop) {
            Some(loops::Verdict::Unreachable) => {
                ledger.record(GoalId(i), Evidence::not_reached(Method::LoopSummary, Vec::new()));
            }
            Some(loops::Verdict::Reached(test)) => {
                for covered in cover::add_run(program, cover, &test.script) {
                    ledger.record(GoalId(covered), Evidence::reached(Method::Run, None, Vec::new()));
                }
            }
            Some(loops::Verdict::Unknown(_)) | None => {}
        }
    }
    let name = |i: usize| format!("{} of {}", cover.objectives[i].name, program[cover.procedure].name);
    if let Some(found) = ledger.contradictions().first() {
        let (run, proof) = (found.run.by.name(), found.proof.by.name());
        return Err(CoverError::Internal(format!(
            "{} was proved unreachable ({proof}), but a run reaches it ({run})",
            name(found.goal.0)
        )));
    }
    let is_doomed = |i: &usize| cover.objectives[*i].verdict == Verdict::Doomed;
    if let Some(i) = (0..cover.objectives.len()).filter(is_doomed).find(|&i| ledger.is_reached(GoalId(i))) {
        return Err(CoverError::Internal(format!("{} is doomed, but a run through it returns", name(i))));
    }
    for (i, objective) in cover.objectives.iter_mut().enumerate() {
        let goal = GoalId(i);
        if objective.verdict != Verdict::Doomed {
            objective.verdict = ledger.verdict(goal);
            objective.explanation = ledger.settling(goal).map(|e| e.explanation.clone()).unwrap_or_default();
        }
    }
    Ok(())
}

/// What loop summaries say of a place.
fn ask(
    program: &Program,
    cover: &ProcedureCover,
    origin: Origin,
    options: &loops::Options,
    stop: &AtomicBool,
) -> Option<loops::Verdict> {
    let (procedure, body) = (cover.procedure, cover.body);
    if let Place::Segment { block, first: 0 } = origin.place {
        let spot = loops::Spot { procedure: origin.procedure, body: origin.body, block };
        return loops::reach(program, procedure, body, spot, options, stop).ok().map(|found| found.verdict);
    }
    let proved = loops::prove_unreachable(program, procedure, body, origin, options, stop);
    (proved == Ok(true)).then_some(loops::Verdict::Unreachable)
}

/// What the cover engine says of an objective. That every run through it fails is none of the claims of a ledger.
fn evidence(objective: &cover::Objective) -> Option<Evidence> {
    let by = Method::Cover;
    let found = match &objective.verdict {
        Verdict::Covered => Evidence::reached(Method::Run, None, Vec::new()),
        Verdict::Doomed => return None,
        Verdict::Unreachable => Evidence::not_reached(by, Vec::new()),
        Verdict::UnreachableWithin(bound) => Evidence::not_reached_within(by, *bound),
        Verdict::Unknown(reason) => {
            Evidence { claim: Claim::Open(reason.clone()), ..Evidence::not_reached(by, vec![]) }
        }
    };
    Some(Evidence { explanation: objective.explanation.clone(), ..found })
}
