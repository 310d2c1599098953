//! Invariants for any number of loop iterations, by abstract interpretation: what a function never reaches, whatever
//! its arguments are, and what a whole program never reaches from its start. For whole programs a solver also looks
//! at one iteration of each loop.
//!
//! What is proved of a function before the search for tests need not be looked for: checks that hold are most of what
//! no test covers, and a search goes on as long as something may be covered. Example: `for (i = 0; i < 10; i++) a[i]
//! = 0;` with `int a[10]` has the invariant `0 <= i <= 9` in its body, so the bounds check never fails.
//!
//! **Direction of error.** Places may be missing. For a whole program, the start is that of any run if nothing is
//! known of it except the initial values of variables; otherwise it is the harness's: a few command-line arguments,
//! and memory that is zero until it is written. A place is then called unreachable without these bounds only if there
//! are no arguments and the program has no memory beyond its variables.

use std::sync::atomic::Ordering;
use std::time::Duration;

use footpath_frontend::c::{Harness, Lowered};
use footpath_ir::{Origin, ProcId, Program, StatementKind, TerminatorKind};
use footpath_term::{Sort, TermId};
use footpath_verify::{Calls, Effort, never_entered, never_entered_alone, never_reached};
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::Context;
use crate::objectives::{Target, targets};
use crate::strategy::bounded_proof::{Key, key};

/// Blocks of all functions together, at most.
pub(crate) const MAX_BLOCKS: usize = 5_000;
/// Blocks of all functions together that a solver is asked about, at most.
const SOLVER_BLOCKS: usize = 2_000;
/// Blocks of a function and what it calls, at most, to be analysed together.
pub(crate) const FUNCTION_BLOCKS: usize = 300;

/// The places of function number `index` that it never reaches.
pub(crate) fn of_function(context: &Context, index: usize, time: Duration) -> FxHashSet<Key> {
    let lowered = context.compiled.proof_program();
    dead_keys(context, lowered, index, &of_function_in(lowered, index, time))
}

/// The places of function number `index` of a lowered program that it never reaches.
pub(crate) fn of_function_in(lowered: &Lowered, index: usize, time: Duration) -> FxHashSet<Origin> {
    let Some(function) = lowered.functions.get(index).filter(|f| f.degraded.is_none()) else {
        return FxHashSet::default();
    };
    let until = Some(Deadline::after(time));
    let calls = Calls::Bodies(FUNCTION_BLOCKS);
    let effort = Effort { until, ..Effort::default() };
    never_entered_alone(&lowered.program, function.procedure, calls, effort).unwrap_or_default()
}

/// The places that runs of a whole lowered program from its function number `entry` never reach; a solver is asked
/// about those of the `asked` ones that the analysis leaves open. `None` if that takes too long.
pub(crate) fn of_program(
    context: &Context,
    lowered: &Lowered,
    entry: usize,
    asked: &dyn Fn(&Target) -> bool,
    work: &[usize],
    time: Duration,
) -> Option<FxHashSet<Origin>> {
    let Ok(harness) = &lowered.functions.get(entry)?.harness else { return None };
    let until = Deadline::after(time);
    let effort = Effort { until: Some(until), ..Effort::default() };
    let start = harness.any_memory.unwrap_or(harness.procedure);
    let mut dead = never_entered(&lowered.program, start, MAX_BLOCKS, effort)?;
    let mut places = Vec::new();
    for &i in work {
        let Some(function) = lowered.functions.get(i).filter(|f| f.degraded.is_none()) else { continue };
        let of_it = targets(&lowered.program, function, &context.options.lowering.checks);
        places.extend(of_it.iter().filter(|t| asked(t) && !dead.contains(&t.origin)).map(|t| t.origin));
    }
    if !places.is_empty() && !context.stop.load(Ordering::Relaxed) {
        dead.extend(never_reached(&lowered.program, start, &places, SOLVER_BLOCKS, until.left()));
    }
    Some(dead)
}

/// The places that a program never reaches.
pub(crate) struct NeverEntered {
    /// The places, by the position of their function.
    keys: FxHashMap<usize, FxHashSet<Key>>,
    /// Whether this holds within the bounds of the harness only.
    pub(crate) bounded: bool,
}

impl NeverEntered {
    /// Analyses the program from its function number `entry`, as [`of_program`] does; the `open` places are asked
    /// about.
    pub(crate) fn of(
        context: &Context,
        entry: usize,
        work: &[usize],
        open: &FxHashSet<Key>,
        time: Duration,
    ) -> Option<NeverEntered> {
        let lowered = context.compiled.proof_program();
        let Ok(harness) = &lowered.functions.get(entry)?.harness else { return None };
        let asked = |t: &Target| open.contains(&key(t));
        let dead = of_program(context, lowered, entry, &asked, work, time)?;
        let keys = work.iter().map(|&i| (i, dead_keys(context, lowered, i, &dead))).collect();
        let depends = harness.any_memory.is_none();
        let bounded = depends && (harness.bounded || has_memory(&lowered.program, harness));
        Some(NeverEntered { keys, bounded })
    }

    /// Whether a place of function number `index` is among them.
    pub(crate) fn contains(&self, index: usize, target: &Target) -> bool {
        self.keys.get(&index).is_some_and(|keys| keys.contains(&key(target)))
    }
}

/// The keys of dead places; of several places with the same key, all must be dead.
fn dead_keys(context: &Context, lowered: &Lowered, index: usize, dead: &FxHashSet<Origin>) -> FxHashSet<Key> {
    let Some(function) = lowered.functions.get(index).filter(|f| f.degraded.is_none()) else {
        return FxHashSet::default();
    };
    let mut keys: FxHashMap<Key, bool> = FxHashMap::default();
    for target in targets(&lowered.program, function, &context.options.lowering.checks) {
        *keys.entry(key(&target)).or_insert(true) &= dead.contains(&target.origin);
    }
    keys.into_iter().filter(|(_, dead)| *dead).map(|(key, _)| key).collect()
}

/// Whether the program that is executed mentions a map.
fn has_memory(program: &Program, harness: &Harness) -> bool {
    let executed: Vec<ProcId> = program.reachable(&[harness.procedure]);
    let bodies = executed.iter().filter(|p| **p != harness.procedure).flat_map(|p| &program[*p].bodies);
    let mut roots: Vec<TermId> = Vec::new();
    for block in bodies.flat_map(|b| &b.blocks) {
        if let TerminatorKind::Branch { condition, .. } = &block.terminator.kind {
            roots.push(*condition);
        }
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign(values) => roots.extend(values.iter().map(|(_, t)| *t)),
                StatementKind::Assume(t) | StatementKind::TryFirst(t) => roots.push(*t),
                StatementKind::Assert { condition, .. } => roots.push(*condition),
                StatementKind::Call { args, .. } => roots.extend(args.iter().flatten()),
                StatementKind::Havoc(_) => {}
            }
        }
    }
    let terms = &program.terms;
    terms.post_order(&roots).iter().any(|&t| matches!(terms.sort_of(terms.sort(t)), Sort::Map { .. }))
}
