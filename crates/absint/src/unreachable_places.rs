//! Places that runs never come to.
//!
//! **Idea.** Of a whole program, all calls are replaced by the bodies of the callees, so that a place counts as dead if none
//! of its copies is entered. Procedures that may call themselves stand for themselves by their contracts, and nothing is
//! said of them and of what they call. Of a procedure by itself, contracts may stand for all calls, and something is said of
//! its own places only: all states in which it may be called are among those that it is analysed for.
//!
//! **Direction of error.** None for runs from the root, as the program form says what they are. Places may be
//! missing.

use footpath_ir::{Origin, ProcId, Program};
use footpath_term::Terms;
use footpath_transform::inline::Inlined;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::{Calls, WithoutCalls, entry, without_calls};
use crate::fixpoint::{Effort, fixpoint};

/// The places of a program that no run from the only body of `root` enters, as far as that is found out: blocks, ways of
/// branches, and failures of checks. `None` if the analysis gave up, or the bodies have more than `max_blocks` blocks together.
pub fn never_entered(
    program: &Program,
    root: ProcId,
    max_blocks: usize,
    effort: Effort,
) -> Option<FxHashSet<Origin>> {
    let mut terms = Terms::layer(program.terms.clone());
    let calls = Calls::Bodies(max_blocks);
    let WithoutCalls { inlined, by_contract } = without_calls(program, &mut terms, root, 0, calls, &[]);
    if !inlined.unfollowed.is_empty() || !inlined.notes.is_empty() {
        return None;
    }
    let entered = entered(program, &mut terms, &inlined, effort, u32::MAX)?;
    let recursive = program.recursive_below(&[root]).into_iter();
    let unseen = program.reachable(&recursive.chain(by_contract).collect::<Vec<ProcId>>());
    let dead = entered.into_iter().filter(|(o, entered)| !entered && !unseen.contains(&o.procedure));
    Some(dead.map(|(o, _)| o).collect())
}

/// The places of the only body of `procedure` that no run of it enters, as far as that is found out: blocks, ways of
/// branches, and failures of checks. `None` if the analysis gave up.
pub fn never_entered_alone(
    program: &Program,
    procedure: ProcId,
    calls: Calls,
    effort: Effort,
) -> Option<FxHashSet<Origin>> {
    let mut terms = Terms::layer(program.terms.clone());
    let inlined = without_calls(program, &mut terms, procedure, 0, calls, &[]).inlined;
    let entered = entered(program, &mut terms, &inlined, effort, 0)?;
    Some(entered.into_iter().filter(|(_, entered)| !entered).map(|(o, _)| o).collect())
}

/// The places of a body with at most so many calls around them, and whether they are entered.
fn entered(
    program: &Program,
    terms: &mut Terms,
    inlined: &Inlined,
    effort: Effort,
    depth: u32,
) -> Option<FxHashMap<Origin, bool>> {
    let start = entry(program, terms);
    let found = fixpoint(terms, &inlined.body, start, effort);
    if found.gave_up {
        return None;
    }
    let mut entered: FxHashMap<Origin, bool> = FxHashMap::default();
    for block in inlined.body.block_ids().filter(|b| inlined.depths[b.index()] <= depth) {
        *entered.entry(inlined.body[block].origin).or_default() |= !found.entered[block.index()].is_empty();
    }
    Some(entered)
}
