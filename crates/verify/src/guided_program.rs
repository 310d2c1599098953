//! Guided search for tests: the program in which a search runs, instrumented so that it avoids verified executions.
//!
//! **Idea.** What was verified is in the program already. The body that the search is about is instrumented with
//! guidance, the conditions under which an execution is verified to its very end, calls included. So are the bodies
//! that it calls: what lies ahead in a callee is what lies ahead after each of its calls, and its assumptions are
//! replaced by those of its callers (`discharge.rs`). If a callee is entered in other ways as well, or by recursion,
//! that is not known, and it stays unchanged.
//!
//! Example: if all checks of `f` after its call of `g` are verified without premises, a run is given up in `g` as
//! soon as it has passed `g`'s last unverified check.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 3.
//!
//! **Deviations.** The paper tests callees by themselves, and so does not count their checks in the caller. Here a
//! failure in a callee is a failure of the test, so its checks count. If the body may be entered again from what it
//! calls, no execution is given up: the end of an inner call is not the end of the run.
//!
//! **Direction of error.** With [`Guided::prunes`], an exhaustive search has still not made those runs that are
//! verified throughout; nothing that it did not reach is therefore unreachable.

use std::collections::BTreeSet;

use footpath_ir::{ProcId, Program};

use crate::analysis::Verification;
use crate::conditions::Calls;
use crate::discharge::discharge;
use crate::instrument::{Guide, How, instrument_with};
use crate::places::Places;

/// See the module.
#[derive(Clone, Debug)]
pub struct Guided {
    /// The program with what was verified, and with guidance.
    pub program: Program,
    /// The original places of its statements.
    pub places: Places,
    /// Whether some executions are given up.
    pub prunes: bool,
    /// Whether executions that are unverified come first.
    pub orders: bool,
}

/// Instruments the program for a search that is about a body, whose runs start in `start`: a harness that calls it,
/// or the procedure itself.
pub fn guide(found: &Verification, start: ProcId, (procedure, body): (ProcId, u32), guide: Guide) -> Guided {
    let mut program = found.annotated.clone();
    let recursive = program.recursive_below(&[procedure]);
    let guide = if recursive.contains(&procedure) { guide.without_pruning() } else { guide };
    let through = entered_from_there(&program, start, procedure, &recursive);
    let how = How { calls: Calls::WholeProgram, guide, early: true, through: &through };
    let mut places = found.places.clone();
    if guide.prunes() || guide.orders() {
        discharge(&mut program, found, procedure, &through);
    }
    let root = (procedure, body);
    let (program, prunes) = instrument_with(program, root, &found.premises, how, &mut places);
    Guided { program, places, prunes, orders: guide.orders() }
}

/// The procedures that runs from `start` enter only by calls from `procedure`, directly or through each other,
/// callers before callees; without those that recursion reaches (`recursive` are those below `procedure`).
fn entered_from_there(
    program: &Program,
    start: ProcId,
    procedure: ProcId,
    recursive: &BTreeSet<ProcId>,
) -> Vec<ProcId> {
    if recursive.contains(&procedure) {
        return Vec::new();
    }
    let mut elsewhere = BTreeSet::from([procedure]);
    let mut todo: Vec<ProcId> = recursive.iter().copied().chain([start]).collect();
    while let Some(p) = todo.pop() {
        if elsewhere.insert(p) {
            todo.extend(program.calls(p));
        }
    }
    let groups = program.components_below(&[procedure]);
    groups.into_iter().rev().flatten().filter(|p| !elsewhere.contains(p)).collect()
}
