//! The driver of precondition inference: callees first, then the procedure itself, then the condition over its
//! inputs.
//!
//! Segments pay off if there are many paths. If there are few, whole paths of the procedure are cheaper, as no
//! segment is explored from states that no run is in; but that there are few is only known after running them.
//! `Partition::Auto` therefore runs whole paths for a short time, then paths of many loop iterations that need no
//! solver (`interval_enumeration.rs`), then segments, then whole paths for the rest of the time.
//!
//! Example: a function with twenty `if`s in a row has a million paths, which the short time does not suffice for, but
//! only twenty segments with two paths each.
//!
//! **Direction of error.** None of its own: of two answers the one that says more is kept, each with its exactness.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_ir::{Body, ProcId, Program};
use footpath_simplify::Dnf;
use footpath_term::{Op, SymbolId};
use footpath_transform::Standins;
use footpath_transform::prepare::Role;
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use crate::backward::Hoist;
use crate::families::Hidden;
use crate::interval_enumeration::{Cases, cases};
use crate::loop_conditions::Summarised;
use crate::options::{Calls, Options, Partition};
use crate::partition::{Goal, cut};
use crate::result::{Analysis, Error, Exactness, Round};
use crate::tools::Tools;
use crate::{Classes, callees, int_questions, witness};

/// Share of the time for segments by themselves, if they may be done again in context.
const ALONE: f64 = 0.4;
/// Share of the time that is left for loop summaries, where something stays open.
const SUMMARIES: f64 = 0.2;
/// Share of the time that is left for the last simplification.
const LAST: f64 = 0.15;

/// Shares of the time for whole paths before segments, for those that need no solver, and for segments and loop
/// summaries after that.
const WHOLE: f64 = 0.1;
const CASES: f64 = 0.2;
const SEGMENTS: f64 = 0.5;
/// The most time for whole paths before segments: where there are few paths, a longer look finds no more.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// See [`crate::analyse`].
pub(crate) fn analyse(
    program: &Program,
    root: (ProcId, u32),
    options: &Options,
    classes: Classes<'_>,
    stop: &AtomicBool,
) -> Result<Analysis, Error> {
    let last = options.time.map(|t| t.mul_f64(LAST));
    if options.partition != Partition::Auto {
        return partitioned(program, root, options, last, classes, stop, None);
    }
    let started = Instant::now();
    let by = |partition, share: f64, settled| {
        let left = options.time.map(|t| t.saturating_sub(started.elapsed()));
        let time = options.time.map(|t| t.mul_f64(share)).and_then(|t| left.map(|left| left.min(t)));
        // The condition of a short look may be long, and is not what is kept.
        let last = last.zip(time).map(|(last, time)| last.min(time));
        // Tests are made of the answer that is kept.
        let options = Options { partition, time, tests: false, ..options.clone() };
        partitioned(program, root, &options, last, classes, stop, settled)
    };
    let all = options.time.unwrap_or(FIRST_LOOK).as_secs_f64();
    let mut best = by(Partition::None, WHOLE.min(FIRST_LOOK.as_secs_f64() / all), None)?;
    if best.exactness != Exactness::Exact && !stop.load(Ordering::Relaxed) {
        let time = options.time.map(|t| t.mul_f64(CASES));
        if let Some(settled) = cases(program, root, options, classes, time, stop)? {
            let found = by(Partition::None, CASES, Some(settled))?;
            if found.exactness == Exactness::Exact {
                best = found;
            }
        }
    }
    for (partition, share) in [(Partition::Branch, SEGMENTS), (Partition::None, 1.0)] {
        if best.exactness == Exactness::Exact || stop.load(Ordering::Relaxed) {
            break;
        }
        let next = by(partition, share, None)?;
        // Of two that tell the same, segments have the shorter condition.
        let preferred = partition == Partition::Branch && !says_more(&best, &next);
        if preferred || says_more(&next, &best) {
            best = next;
        }
    }
    if options.tests {
        witness::add(program, root, options, classes, &mut best)?;
    }
    best.time = started.elapsed();
    Ok(best)
}

/// Whether an answer says more than another one: it is exact, or else it finds a failure at all, or less is open in it.
fn says_more(one: &Analysis, other: &Analysis) -> bool {
    let fails = |a: &Analysis| !a.condition.is_never() && !matches!(a.exactness, Exactness::Necessary(_));
    let value =
        |a: &Analysis| (a.exactness == Exactness::Exact, fails(a), std::cmp::Reverse(rank(&a.exactness)));
    value(one) > value(other)
}

/// The same for one partition, with a limit on the time for the last simplification; the condition may be given
/// (`settled`).
fn partitioned(
    program: &Program,
    root: (ProcId, u32),
    options: &Options,
    last: Option<Duration>,
    classes: Classes<'_>,
    stop: &AtomicBool,
    settled: Option<Cases>,
) -> Result<Analysis, Error> {
    let started = Instant::now();
    let mut tools = Tools::new(program, options, stop)?;
    let share = |part: f64| options.time.map(|t| Deadline::after(t.mul_f64(part)));
    let before_last = share(1.0 - LAST);
    tools.until(share(1.0 - LAST - SUMMARIES));
    let (mut tools, standins, callees) = match options.calls {
        Calls::Inlined => (tools, Standins::default(), Vec::new()),
        Calls::Instantiated => callees::summarise(tools, &[root], callees::Which::Repeated, classes)?,
    };
    let body = cut(&mut tools, root, Role::Root, Goal::Fails, classes, &standins);
    let inputs: FxHashSet<SymbolId> =
        program[root.0].bodies[root.1 as usize].params.iter().map(|v| v.symbol).collect();
    let again = options.contexts && body.points.len() > 1;
    let deadline = tools.deadline;
    if again {
        tools.until(deadline.map(|d| d.share(ALONE)));
    }
    let mut found = match settled {
        Some(cases) => {
            let condition = cases.condition(&mut tools.terms);
            let mut hoist = Hoist::new(tools, body);
            let (paths, failing, literals) = (cases.paths, cases.failing, condition.literals());
            hoist.rounds.push(Round { segment: 0, paths, failing, literals });
            Found { hoist, condition, exactness: Exactness::Exact }
        }
        None => solve(Hoist::new(tools, body), &inputs)?,
    };
    found.hoist.tools.until(deadline);
    if again && found.exactness != Exactness::Exact {
        found = in_context(found, &inputs)?;
    }
    let mut must = match &found.exactness {
        Exactness::Bounded(..) => necessary(&mut found, &inputs)?,
        _ => None,
    };
    found.hoist.tools.until(before_last);
    if found.exactness != Exactness::Exact {
        match found.hoist.summarised(&found.condition, &inputs)? {
            Summarised::Nothing => {}
            Summarised::Same => found.exactness = Exactness::Exact,
            Summarised::Must(more) => {
                let terms = &mut found.hoist.tools.terms;
                let all = [must.unwrap_or_else(Dnf::always).term(terms), more.term(terms)];
                let both = terms.app(Op::And, all);
                must = Some(Dnf::of(terms, both));
            }
        }
    }
    found.hoist.tools.until(last.map(Deadline::after));
    // What stands for a call stops runs that stay in the callee, and these do not fail.
    let instantiated = callees.iter().any(|c| c.instantiated);
    if found.hoist.tools.chosen && !instantiated && found.hoist.always_fails(&found.condition) {
        found.hoist.tools.chosen = false;
    }
    let mut analysis = finish(found, must, &inputs);
    analysis.callees = callees;
    if options.tests {
        witness::add(program, root, options, classes, &mut analysis)?;
    }
    analysis.time = started.elapsed();
    Ok(analysis)
}

/// The result at the entry.
struct Found<'a> {
    hoist: Hoist<'a>,
    condition: Dnf,
    exactness: Exactness,
}

fn solve<'a>(mut hoist: Hoist<'a>, inputs: &FxHashSet<SymbolId>) -> Result<Found<'a>, Error> {
    // The condition is told together with the premise, so it need not repeat it.
    let premise = hoist.premise(inputs);
    hoist.known.insert(Body::ENTRY, premise.cubes.concat());
    hoist.solve(None)?;
    let condition = hoist.at_entry(inputs);
    let exactness = hoist.exactness();
    Ok(Found { hoist, condition, exactness })
}

/// Repeats everything in context. What was found before stays true.
fn in_context<'a>(mut before: Found<'a>, inputs: &FxHashSet<SymbolId>) -> Result<Found<'a>, Error> {
    let known = before.hoist.contexts();
    if known.is_empty() {
        return Ok(before);
    }
    let Found { hoist, condition, exactness } = before;
    let Hoist { tools, cut, rounds, notes, .. } = hoist;
    let mut hoist = Hoist::new(tools, cut);
    hoist.known = known;
    let mut found = solve(hoist, inputs)?;
    found.hoist.rounds.splice(0..0, rounds);
    if found.exactness == Exactness::Exact {
        return Ok(found);
    }
    found.condition.cubes.extend(condition.cubes);
    if rank(&exactness) < rank(&found.exactness) {
        found.exactness = exactness;
    }
    for note in notes {
        if !found.hoist.notes.contains(&note) {
            found.hoist.notes.push(note);
        }
    }
    Ok(found)
}

/// A necessary condition of failures, if loops without a fixpoint are all that is open.
fn necessary(found: &mut Found<'_>, inputs: &FxHashSet<SymbolId>) -> Result<Option<Dnf>, Error> {
    let Some(open) = found.hoist.bounded_loops() else { return Ok(None) };
    let hoist = &mut found.hoist;
    hoist.forget_all();
    hoist.without_fixpoint = Some(open);
    let loops = hoist.loops.clone();
    let solved = hoist.solve(None);
    let must = hoist.at_entry(inputs);
    hoist.loops = loops;
    solved?;
    let open = hoist.missing.is_some() || hoist.tools.is_late();
    Ok((!open).then_some(must))
}

/// The rank of an answer: larger if less is known.
fn rank(exactness: &Exactness) -> u8 {
    match exactness {
        Exactness::Exact => 0,
        Exactness::Bounded(..) => 1,
        Exactness::Sufficient(_) | Exactness::Necessary(_) => 2,
    }
}

fn finish(found: Found<'_>, necessary: Option<Dnf>, inputs: &FxHashSet<SymbolId>) -> Analysis {
    let Found { mut hoist, condition: entry, mut exactness } = found;
    let premise = hoist.premise(inputs);
    let loops = hoist.loops();
    let Hoist { tools, points, rounds, notes, .. } = hoist;
    let mut tools = tools;
    tools.simplifier.assume(premise.cubes.concat());
    let mut necessary = necessary;
    if let Some(must) = &necessary {
        let (must, entry) = (must.term(&mut tools.terms), entry.term(&mut tools.terms));
        if int_questions::implies(&mut tools, &[must], entry) {
            // Nothing else fails.
            exactness = Exactness::Exact;
            necessary = None;
        }
    }
    let Tools { mut terms, mut simplifier, chosen, .. } = tools;
    let mut hidden = Hidden::default();
    let entry = hidden.hide(&mut terms, &entry);
    let mut condition = simplifier.simplify(&mut terms, &entry);
    let necessary = necessary.filter(|_| exactness != Exactness::Exact).map(|must| {
        let must = hidden.hide(&mut terms, &must);
        let must = simplifier.simplify(&mut terms, &must);
        simplifier.in_words(&mut terms, &must)
    });
    let mut necessary = necessary.filter(|n| !n.is_always());
    if condition.is_never()
        && let (Some(must), Some(why)) = (&necessary, exactness.reason())
    {
        exactness = Exactness::Necessary(why.to_owned());
        condition = must.clone();
        necessary = None;
    }
    let condition = simplifier.in_words(&mut terms, &condition);
    let mut passes = (exactness == Exactness::Exact).then(|| {
        let whole = condition.term(&mut terms);
        let not = terms.app(Op::Not, [whole]);
        let raw = Dnf::of(&mut terms, not);
        let short = simplifier.simplify(&mut terms, &raw);
        simplifier.in_words(&mut terms, &short)
    });
    let condition = hidden.show(&mut terms, &condition);
    for shown in necessary.iter_mut().chain(&mut passes) {
        *shown = hidden.show(&mut terms, shown);
    }
    Analysis {
        terms,
        condition,
        passes,
        necessary,
        premise,
        exactness,
        may_pass: chosen,
        loops,
        segments: points.len(),
        rounds,
        callees: Vec::new(),
        tests: Vec::new(),
        checked: 0,
        queries: simplifier.queries,
        time: Duration::ZERO,
        notes,
    }
}
