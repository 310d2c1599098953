//! What no run of a whole program comes to, as a solver sees it.
//!
//! **Idea.** All calls are inlined, and the loops cut at their heads: from whatever state the analyser's invariants leave
//! there, one round is looked at, with all its paths and what their conditions have in common. Of that the analyser, which joins
//! paths, keeps little: that a lock was taken under the same condition under which it is given back.
//!
//! **Direction of error.** As the analyser's invariants, the encoding and the solver. Places may be missing; all that
//! recursion may lead to are.

use std::time::{Duration, Instant};

use footpath_absint::{Calls, Effort};
use footpath_ir::{Origin, ProcId, Program};
use footpath_parallel::on_deep_stack;
use footpath_term::TermId;
use rustc_hash::FxHashSet;

use crate::solver_proofs::{Encoded, Task};

/// Those of the `places` that no run from the only body of `root` comes to, as far as that is found out in the `time`;
/// nothing if the bodies have more than `max_blocks` blocks together.
pub fn never_reached(
    program: &Program,
    root: ProcId,
    places: &[Origin],
    max_blocks: usize,
    time: Duration,
) -> FxHashSet<Origin> {
    let until = Instant::now() + time;
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
        let mut asked = Encoded::with_callees(task)?;
        let of = |at: &Origin| Some((*at, asked.way(*at)?));
        let open: Vec<(Origin, TermId)> = places.iter().filter_map(of).collect();
        Some(asked.unreached(open, &[]))
    };
    // Without a thread nothing is found.
    on_deep_stack(ask).ok().flatten().unwrap_or_default()
}
