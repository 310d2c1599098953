//! Call-graph reachability: functions that a whole program never calls.
//!
//! A function that no chain of calls from the program's entry, or those of a library, leads to is never executed, whatever the inputs are.
//! Calls in code that is never executed do not count. Example: a `static` helper that is only called in an arm that
//! was proved dead is never called.
//!
//! **Direction of error.** A function may be missing from the set; none is in it wrongly as far as the files tell. A
//! function whose address is taken anywhere counts as called, because another function, a library, or the loader may
//! call it through a pointer. Nothing is claimed if a function could not be analysed or contains assembly, as it may
//! call anything, nor where a name may be another function's or a compiler that optimises may keep other calls.

use footpath_frontend::c::{Lowered, TestAssumption};
use footpath_ir::{Body, Origin, Place, ProcId, Program, StatementKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::compile::Compiled;

/// The procedures that call each procedure directly.
pub(crate) fn callers(program: &Program) -> FxHashMap<ProcId, Vec<ProcId>> {
    let mut callers: FxHashMap<ProcId, Vec<ProcId>> = FxHashMap::default();
    for (number, procedure) in program.procedures.iter().enumerate() {
        for callee in procedure.bodies.iter().flat_map(Body::calls) {
            callers.entry(callee).or_default().push(ProcId(number as u32));
        }
    }
    callers
}

/// The procedures of functions that are never called from those given. `dead` has blocks that are never entered, each
/// by the place of its first statement.
pub(crate) fn uncalled(
    compiled: &Compiled,
    entries: &[ProcId],
    dead: &FxHashSet<Origin>,
) -> FxHashSet<ProcId> {
    let lowered = &compiled.lowered;
    if has_unseen_calls(lowered) {
        return FxHashSet::default();
    }
    let taken = lowered.functions.iter().filter(|f| f.address_taken).map(|f| f.procedure);
    let mut todo: Vec<ProcId> = entries.iter().copied().chain(taken).collect();
    let mut called: FxHashSet<ProcId> = todo.iter().copied().collect();
    while let Some(procedure) = todo.pop() {
        for (number, body) in lowered.program[procedure].bodies.iter().enumerate() {
            for block in body.block_ids() {
                let place = Place::Segment { block, first: 0 };
                if dead.contains(&Origin { procedure, body: number as u32, place }) {
                    continue;
                }
                for statement in &body[block].statements {
                    if let StatementKind::Call { callee, .. } = statement.kind
                        && called.insert(callee)
                    {
                        todo.push(callee);
                    }
                }
            }
        }
    }
    lowered.functions.iter().map(|f| f.procedure).filter(|p| !called.contains(p)).collect()
}

/// Whether functions may be called where the program form has no call of them.
fn has_unseen_calls(lowered: &Lowered) -> bool {
    let changes_calls = |assumption: &TestAssumption| match assumption {
        // What is called at a number may be any function of the program.
        TestAssumption::WeakDefinitions
        | TestAssumption::DistinctNames
        | TestAssumption::NoOptimisation
        | TestAssumption::NothingKept
        | TestAssumption::InObjects => true,
        TestAssumption::OneObject
        | TestAssumption::Unshared
        | TestAssumption::SmallAllocations
        | TestAssumption::NearestRounding
        | TestAssumption::Apart
        | TestAssumption::KeptPromises
        | TestAssumption::AddressBits
        | TestAssumption::ShortTexts
        | TestAssumption::LongDoubles
        | TestAssumption::AlignedObjects => false,
    };
    !lowered.with_assembly.is_empty()
        || lowered.test_assumptions.iter().any(|(_, assumption)| changes_calls(assumption))
        || lowered.functions.iter().any(|f| f.degraded.is_some())
}
