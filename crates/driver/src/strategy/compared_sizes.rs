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
//! **Direction of error.** A variable has the value that was assigned last at the depth of the failing function, which is of an earlier
//! activation where this one has not assigned it. What cannot be evaluated gives no answer.

use footpath_ir::interp::{Limits, Outcome, Replay, Run, Script};
use footpath_ir::{ProcId, Program};
use footpath_term::{NoEnv, Op, SymbolId, TermId, Value, evaluate_with};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::Context;

/// The numbers of the objects whose sizes are compared by the check that fails in a run of a harness; `None` if no check of the program
/// form fails in it, or an object is not known.
pub(crate) fn compared_sizes(
    context: &Context,
    harness: ProcId,
    script: &Script,
    steps: u64,
) -> Option<FxHashSet<u64>> {
    let interpreter = context.prepared.interpreter();
    let program = interpreter.program();
    let limits = Limits { steps, trace: true, ..Limits::default() };
    let run = interpreter.run(harness, 0, &mut Replay::new(script), &limits);
    let Outcome::Failed { at, .. } = run.outcome else { return None };
    let condition = program.asserted(at)?;
    let terms = &program.terms;
    let sizes = context.compiled.lowered.sizes;
    let is_sizes = |map: TermId| matches!(terms.term(map).op, Op::Var(symbol) if symbol == sizes);
    let order = terms.post_order(&[condition]);
    let objects =
        order.into_iter().filter_map(|t| match (&terms.term(t).op, terms.term(t).args.as_slice()) {
            (Op::Select, &[map, object]) if is_sizes(map) => Some(object),
            _ => None,
        });
    let state: Vec<(SymbolId, Value)> = state(program, run)?.into_iter().collect();
    let number = |object| evaluate_with(terms, object, state.clone(), &mut NoEnv).ok()?.as_u64();
    objects.map(number).collect()
}

/// The values that the failing function sees at the end of a run.
fn state(program: &Program, run: Run) -> Option<FxHashMap<SymbolId, Value>> {
    let depth = run.path.last()?.depth;
    let globals: FxHashSet<SymbolId> = program.globals.iter().map(|g| g.variable.symbol).collect();
    let is_seen = |traced_at: u32, symbol: &SymbolId| traced_at == depth || globals.contains(symbol);
    let assigned =
        run.trace.into_iter().flat_map(|trace| trace.values.into_iter().map(move |v| (trace.depth, v)));
    let seen = assigned.filter(|(at, (symbol, _))| is_seen(*at, symbol)).map(|(_, value)| value);
    Some(seen.chain(run.globals).collect())
}
