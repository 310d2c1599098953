//! Loop summaries of whole programs: proofs that no run from the program's start reaches a place, however often loops
//! iterate.
//!
//! What proofs about single functions leave open often depends on what their callers pass, or on the initial values
//! of variables. Both are known if runs start where the program does, in memory of which nothing else is known.
//! Example: `if (size > 64)` in a function whose only caller passes 16 is dead in the whole program, although not for
//! the function by itself.
//!
//! **Direction of error.** None. Every run of the program is covered; if more would have to be known of a start, such
//! as command-line arguments, nothing is asked.

use std::time::Duration;

use footpath_ir::Origin;
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::Context;
use crate::objectives::{Target, targets};
use crate::strategy::bounded_proof::{Key, key};

/// Time for one place.
const PLACE: Duration = Duration::from_secs(1);
/// The largest number of loop iterations that are unfolded.
const MAX_UNFOLD: u64 = 16;

/// The targets of function number `index` that no run from the start of function number `main` reaches.
pub(crate) fn never_reached(
    context: &Context,
    main: usize,
    index: usize,
    open: &[&Target],
    until: Deadline,
) -> FxHashSet<Key> {
    let lowered = context.compiled.proof_program();
    let start = lowered.functions.get(main).and_then(|f| f.harness.as_ref().ok()?.any_memory);
    let function = lowered.functions.get(index).filter(|f| f.degraded.is_none());
    let (Some(start), Some(function)) = (start, function) else { return FxHashSet::default() };
    // Of several places that look the same, all must be proved.
    let mut places: FxHashMap<Key, Vec<Origin>> = FxHashMap::default();
    for target in targets(&lowered.program, function, &context.options.lowering.checks) {
        places.entry(key(&target)).or_default().push(target.origin);
    }
    let is_proved = |origin: &Origin| {
        let left = until.left();
        let options = footpath_loop_summaries::Options {
            timeout: Some(left.min(PLACE)),
            max_unfold: MAX_UNFOLD,
            ..footpath_loop_summaries::Options::default()
        };
        let program = &lowered.program;
        !left.is_zero()
            && footpath_loop_summaries::prove_unreachable(program, start, 0, *origin, &options, context.stop)
                == Ok(true)
    };
    let keys = open.iter().map(|target| key(target)).collect::<FxHashSet<Key>>();
    let proved = |key: &Key| places.get(key).is_some_and(|origins| origins.iter().all(is_proved));
    keys.into_iter().filter(proved).collect()
}
