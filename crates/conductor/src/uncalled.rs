//! Functions that a whole program never calls.
//!
//! What no call leads to from the program's entry, through any function, is not executed, whatever the inputs are.
//!
//! **Direction of error:** a function may be missing from the set, none is in it wrongly as far as the files tell. One
//! whose address is taken anywhere counts as called, for somebody may call it through a pointer: another function, the
//! library, or the loader. Nothing is claimed if a function that is called could not be analysed or holds assembly, for
//! it may call anything.

use footpath_ir::ProcId;
use rustc_hash::FxHashSet;

use crate::compile::Compiled;

/// The procedures of functions that are never called from the one given.
pub(crate) fn uncalled(compiled: &Compiled, entry: ProcId) -> FxHashSet<ProcId> {
    let lowered = &compiled.lowered;
    let taken = lowered.functions.iter().filter(|f| f.address_taken).map(|f| f.procedure);
    let from: Vec<ProcId> = std::iter::once(entry).chain(taken).collect();
    let called: FxHashSet<ProcId> = footpath_verify::reachable(&lowered.program, &from).into_iter().collect();
    let is_blind = lowered.opaque || lowered.functions.iter().any(|f| f.degraded.is_some());
    if is_blind {
        return FxHashSet::default();
    }
    lowered.functions.iter().map(|f| f.procedure).filter(|p| !called.contains(p)).collect()
}
