//! A program made ready for one search for tests.
//!
//! **Idea.** What was verified is in the program already. The body that the search is about gets guidance on top; bodies
//! that it calls are looked through, so that an execution counts as verified only if it is to its very end.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 3.
//!
//! **Deviations.** The paper tests callees on their own, and so does not count their checks in the caller. Here a failure
//! in a callee is a failure of the test, so its checks count. If the body may be entered again from what it calls, no
//! execution is given up: the end of an inner call is not the end of the run.
//!
//! **Where it may be wrong.** With [`Guided::prunes`], a search that made every run has not made those that are verified
//! throughout; nothing it did not reach is unreachable for that.

use footpath_ir::{ProcId, Program};

use crate::conditions::Calls;
use crate::instrument::{Guide, instrument_with};
use crate::places::Places;
use crate::verify::Verification;

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

/// Guides a search that is about a body.
pub fn guide(found: &Verification, procedure: ProcId, body: u32, guide: Guide) -> Guided {
    let guide = if found.annotated.is_recursive(procedure) { guide.without_pruning() } else { guide };
    let mut places = found.places.clone();
    let (program, prunes) = instrument_with(
        &found.annotated,
        (procedure, body),
        &found.premises,
        Calls::WholeProgram,
        guide,
        true,
        &mut places,
    );
    Guided { program, places, prunes, orders: guide.orders() }
}
