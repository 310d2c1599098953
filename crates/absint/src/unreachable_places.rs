//! Dead code detection by abstract interpretation: blocks, arms of branches and failures of checks that no run
//! enters.
//!
//! **Idea.** For a whole program all calls are replaced by the bodies of the callees, and a place is dead if none of
//! its copies is reachable. Recursive procedures are replaced by their contracts; nothing is claimed of their places
//! and of those of the procedures that they call. For a procedure by itself contracts may replace all calls, and
//! claims are made about its own places only; the analysis then starts from all states in which the procedure may be
//! called.
//!
//! **Example.** If `f` is called only as `f(1)`, then in the analysis of the whole program the failure of
//! `assert x > 0` in `f(x)` is dead; in the analysis of `f` by itself it is not.
//!
//! **Direction of error.** A place that is reported is entered by no run from the root under the meaning of the
//! program form. Dead places may be missing.

use footpath_ir::{Origin, ProcId, Program};
use footpath_term::Terms;
use footpath_transform::inline::Inlined;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::{Calls, WithoutCalls, entry, without_calls};
use crate::fixpoint::{Effort, fixpoint};

/// The places (blocks, arms of branches, failures of checks) of a program that no run from the only body of `root`
/// enters, as far as that was found out. `None` if the analysis gave up, or the bodies have more than `max_blocks`
/// blocks together.
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

/// The places (blocks, arms of branches, failures of checks) of the only body of `procedure` that no run of it
/// enters, as far as that was found out. `None` if the analysis gave up.
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

/// The places of a body at a call depth of at most `depth`, and whether each is entered.
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
