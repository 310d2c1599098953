//! A program made ready for one search for tests.
//!
//! **Idea.** What was verified is in the program already. The body that the search is about gets guidance on top, as the
//! conditions under which an execution is verified to its very end, calls included. So do the bodies that it calls: what
//! lies ahead there is what lies ahead behind each of the calls, and what they assume is what their callers do (`discharge.rs`). Where a callee is entered in other ways, too, or by
//! recursion, that is not known, and it stays as it is.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 3.
//!
//! **Deviations.** The paper tests callees on their own, and so does not count their checks in the caller. Here a failure
//! in a callee is a failure of the test, so its checks count. If the body may be entered again from what it calls, no
//! execution is given up: the end of an inner call is not the end of the run.
//!
//! **Direction of error.** With [`Guided::prunes`], a search that made every run has not made those that are verified
//! throughout; nothing it did not reach is unreachable for that.

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
    /// Where its statements are in the program as it was.
    pub places: Places,
    /// Whether some executions are given up.
    pub prunes: bool,
    /// Whether executions that are unverified come first.
    pub orders: bool,
}

/// Guides a search that is about a body, whose runs start in `start`: a harness that calls it, or the procedure itself.
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

/// The procedures that runs from `start` enter only on calls from `procedure`, directly or through each other, callers
/// before callees; without those to which recursion leads (`recursive` are those below `procedure`).
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
