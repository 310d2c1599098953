//! Unreachability proofs in whole programs: verification conditions after inlining, with loops cut at their heads.
//!
//! **Idea.** All calls are inlined, and the loops are cut at their heads: from whatever state the analyser's
//! invariants permit there, one iteration is encoded, with all its paths and their correlated conditions. The
//! analyser, which joins paths, keeps little of that correlation.
//!
//! Example: in `if (c) lock(); …; if (c) unlock();` a solver sees that both branches have the same condition, so the
//! check in `unlock` that the lock is held cannot fail.
//!
//! **Direction of error.** That of the analyser's invariants, the encoding and the solver. Places may be missing,
//! among them all that recursion may lead to.

use std::time::Duration;

use footpath_absint::{Calls, Effort};
use footpath_ir::{Origin, ProcId, Program};
use footpath_parallel::on_deep_stack;
use footpath_term::TermId;
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use crate::solver_proofs::{Encoded, Task};

/// The `places` that are proved unreachable from the only body of `root` within the `time`; none if the bodies have
/// more than `max_blocks` blocks together.
pub fn never_reached(
    program: &Program,
    root: ProcId,
    places: &[Origin],
    max_blocks: usize,
    time: Duration,
) -> FxHashSet<Origin> {
    let until = Deadline::after(time);
    let recursive: Vec<ProcId> = program.recursive_below(&[root]).into_iter().collect();
    let unseen = program.reachable(&recursive);
    let places: Vec<Origin> = places.iter().copied().filter(|p| !unseen.contains(&p.procedure)).collect();
    let task = Task {
        program,
        procedure: root,
        index: 0,
        calls: Calls::Bodies(max_blocks),
        effort: Effort { until: Some(until), ..Effort::default() },
        time,
    };
    let ask = || {
        let mut asked = Encoded::with_callees(task).ok()?;
        let of = |at: &Origin| Some((*at, asked.way(*at)?));
        let open: Vec<(Origin, TermId)> = places.iter().filter_map(of).collect();
        Some(asked.unreached(open, &[]))
    };
    // Without a thread nothing is found.
    on_deep_stack(ask).ok().flatten().unwrap_or_default()
}
