//! Concrete re-execution of a failing run: the objects whose sizes the failed check compares.
//!
//! **Idea.** A check of bounds, `offset + bytes <= $size[object]`, may have no symbolic value left in it, as the harness makes objects of
//! fixed sizes: nothing on the run's path then says that a caller could give a larger one. So the run is made once more by the
//! reference interpreter, with a record of all assignments, and each `object` in the condition is evaluated in the state at its end.
//!
//! ```c
//! struct list { int n; int items[1]; };
//! int third(struct list *l) { return l->n == 3 ? l->items[2] : 0; }   // the object of `l`, of 8 bytes in the harness
//! ```
//!
//! Of a check in a model of the library it is the branch there that leads to it (`exceptional_returns.rs`).
//!
//! A check that an index stays within a member (`subobject`) says nothing about its object; the check of bounds behind it does. Where a
//! loop passed the check in earlier rounds, how many rounds there are is what the caller's data say of themselves:
//!
//! ```c
//! struct table { int n; struct { int key, value; } items[100]; };
//! int sum(struct table *t) { int s = 0; for (int i = 0; i < t->n; i++) s += t->items[i].value; return s; }   // needs t->n <= 100
//! ```
//!
//! **Direction of error.** A variable has the value that was assigned last at the depth of the failing function, which is of an earlier
//! activation where this one has not assigned it. What cannot be evaluated gives no answer.

use footpath_ir::interp::{Limits, Outcome, Replay, Run, Script, Step};
use footpath_ir::{AssertKind, Origin, Place, ProcId, Program, StatementKind, TerminatorKind};
use footpath_term::{NoEnv, Op, SymbolId, TermId, Value, evaluate_with};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::Context;

/// The access at which a check fails in a run.
pub(crate) struct FailingAccess {
    /// The numbers of the objects whose sizes its check of bounds compares.
    pub(crate) objects: FxHashSet<u64>,
    /// Whether the run came to the failing check before, in another round of a loop, and passed it.
    pub(crate) is_repeated: bool,
}

/// The access of the check at a place that fails in a run of a harness. Behind a check that does not end the run, it is the next one.
/// `None` if the check does not fail in the run, or an object is not known.
pub(crate) fn failing_access(
    context: &Context,
    harness: ProcId,
    script: &Script,
    place: Origin,
    steps: u64,
) -> Option<FailingAccess> {
    let interpreter = context.prepared.interpreter();
    let program = interpreter.program();
    let limits = Limits { steps, trace: true, ..Limits::default() };
    let run = interpreter.run(harness, 0, &mut Replay::new(script), &limits);
    let terms = &program.terms;
    let sizes = context.compiled.lowered.sizes;
    let is_sizes = |map: TermId| matches!(terms.term(map).op, Op::Var(symbol) if symbol == sizes);
    let objects = |condition: TermId| -> Vec<TermId> {
        let order = terms.post_order(&[condition]).into_iter();
        let compared = order.filter_map(|t| match (&terms.term(t).op, terms.term(t).args.as_slice()) {
            (Op::Select, &[map, object]) if is_sizes(map) => Some(object),
            _ => None,
        });
        compared.collect()
    };
    let at = |step: &Step| (step.procedure, step.body, step.block);
    let marker = match place.place {
        Place::Segment { block, .. } => {
            run.path.iter().position(|step| at(step) == (place.procedure, place.body, block))
        }
        _ => None,
    };
    let (compared, is_repeated) = match (marker, &run.outcome) {
        (Some(marker), _) => {
            let (before, after) = run.path.split_at(marker);
            let (decides, earlier) = before.split_last()?;
            let asserted = after.iter().flat_map(|step| {
                let statements = &program[step.procedure].bodies[step.body as usize][step.block].statements;
                statements.iter().filter_map(|s| match s.kind {
                    StatementKind::Assert { condition, kind: AssertKind::Bounds, .. } => Some(condition),
                    _ => None,
                })
            });
            let compared = asserted.map(objects).find(|compared| !compared.is_empty());
            (compared.unwrap_or_default(), earlier.iter().any(|step| at(step) == at(decides)))
        }
        (None, Outcome::Failed { at, .. }) => (objects(program.asserted(*at)?), false),
        _ => return None,
    };
    // The step of a block that calls is before those of what it calls.
    let here = |step: &&Step| (step.procedure, step.body) == (place.procedure, place.body);
    let caller =
        run.path[..marker.map_or(run.path.len(), |marker| marker + 1)].iter().rev().find(here)?.depth;
    let (depth, compared) = if compared.is_empty() {
        // In a model of the library, whose call says by its status that the check in there failed.
        let branch = |step: &Step| {
            let block = &program[step.procedure].bodies[step.body as usize][step.block];
            let TerminatorKind::Branch { condition, .. } = block.terminator.kind else { return None };
            Some((step.depth, objects(condition))).filter(|(_, compared)| !compared.is_empty())
        };
        let calls = run.path[..marker.unwrap_or(run.path.len())].iter().rev();
        let callees = calls.skip_while(|step| step.depth <= caller).take_while(|step| step.depth > caller);
        callees.into_iter().find_map(branch)?
    } else {
        (caller, compared)
    };
    let state: Vec<(SymbolId, Value)> = state(program, run, depth).into_iter().collect();
    let number = |object| evaluate_with(terms, object, state.clone(), &mut NoEnv).ok()?.as_u64();
    let objects: Option<FxHashSet<u64>> = compared.into_iter().map(number).collect();
    Some(FailingAccess { objects: objects?, is_repeated })
}

/// Whether a run comes to the check at a place that fails in it before, in another round of a loop, and passes it.
pub(crate) fn passed_before(
    context: &Context,
    harness: ProcId,
    script: &Script,
    place: Origin,
    steps: u64,
) -> bool {
    let limits = Limits { steps, ..Limits::default() };
    let run = context.prepared.interpreter().run(harness, 0, &mut Replay::new(script), &limits);
    let at = |step: &Step| (step.procedure, step.body, step.block);
    let marker = match place.place {
        Place::Segment { block, .. } => {
            run.path.iter().position(|step| at(step) == (place.procedure, place.body, block))
        }
        _ => Some(run.path.len()),
    };
    let before = marker.and_then(|marker| run.path[..marker].split_last());
    before.is_some_and(|(decides, earlier)| earlier.iter().any(|step| at(step) == at(decides)))
}

/// The values that the function at a depth of calls sees at the end of a run.
fn state(program: &Program, run: Run, depth: u32) -> FxHashMap<SymbolId, Value> {
    let globals: FxHashSet<SymbolId> = program.globals.iter().map(|g| g.variable.symbol).collect();
    let is_seen = |traced_at: u32, symbol: &SymbolId| traced_at == depth || globals.contains(symbol);
    let assigned =
        run.trace.into_iter().flat_map(|trace| trace.values.into_iter().map(move |v| (trace.depth, v)));
    let seen = assigned.filter(|(at, (symbol, _))| is_seen(*at, symbol)).map(|(_, value)| value);
    seen.chain(run.globals).collect()
}
