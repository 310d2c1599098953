//! Places that a whole program never comes to.
//!
//! **Idea.** All calls are replaced by the bodies of the callees, so that a place counts as dead if none of its copies is
//! entered. Procedures that may call themselves stand for themselves by their contracts, and nothing is said of them and
//! of what they call.
//!
//! **Where it may be wrong.** Nowhere for runs from the root, as the program form says what they are. Places may be
//! missing.

use footpath_ir::{Origin, ProcId, Program};
use footpath_term::Terms;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::{Calls, entry, recursive, without_calls};
use crate::fixpoint::{Effort, fixpoint};

/// The places of a program that no run from the only body of `root` enters, as far as that is found out: blocks, and
/// failures of checks. `None` if the analysis gave up, or the bodies have more than `max_blocks` blocks together.
pub fn never_entered(
    program: &Program,
    root: ProcId,
    max_blocks: usize,
    effort: Effort,
) -> Option<FxHashSet<Origin>> {
    let mut terms = Terms::layer(program.terms.clone());
    let inlined = without_calls(program, &mut terms, root, 0, Calls::Bodies(max_blocks));
    let is_whole = inlined.unfollowed.is_empty() && inlined.notes.is_empty();
    let start = entry(program, &mut terms);
    let found = fixpoint(&mut terms, &inlined.body, start, effort);
    if !is_whole || found.gave_up {
        return None;
    }
    let unseen = program.reachable(&recursive(program));
    let mut entered: FxHashMap<Origin, bool> = FxHashMap::default();
    for block in inlined.body.block_ids() {
        *entered.entry(inlined.body[block].origin).or_default() |= !found.entered[block.index()].is_empty();
    }
    let dead = entered.into_iter().filter(|(o, entered)| !entered && !unseen.contains(&o.procedure));
    Some(dead.map(|(o, _)| o).collect())
}
