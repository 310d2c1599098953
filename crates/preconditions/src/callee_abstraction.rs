//! Callee abstraction in exploration: callees whose failure condition is known exactly are not executed symbolically.
//!
//! **Idea.** The program that is explored has the condition and the effect of each such callee in place of its body
//! (`callee_conditions.rs`): a call costs the decisions of the condition instead of the callee's. The inputs of the
//! tests are then run through the real program, and what these runs do is what is reported.
//!
//! Example: if `check(s)` is known to fail exactly when `length(s) > 16`, a call of it is one decision in the
//! exploration of its caller, instead of one for each character of `s`.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007), Section
//! 3: a segment ahead of "fails if C" is explored without executing what C stands for.
//!
//! **Deviations.**
//! 1. Tests are of the real program. One test is looked for of each call that fails, not of each check that fails in
//!    it.
//!
//! **Direction of error.** A place is called unreachable on the strength of the conditions, and only if all runs
//! through them were made or refuted. Tests are real whatever the conditions say.

use std::time::Instant;

use footpath_concolic::{Bound, Exploration, ExploreError, Options};
use footpath_ir::{Origin, Program};
use rustc_hash::FxHashSet;

/// How a program is explored.
pub type Explore<'e> = dyn FnMut(&Program, &Options) -> Result<Exploration, ExploreError> + 'e;

/// The note for the user if callee conditions were asked for together with annotations, which exclude them as
/// annotations are in the bodies.
pub const GUIDED: &str =
    "calls run the callees' bodies, not their failure conditions, because the program is annotated or guided";

/// Part of the time that is for the program with conditions; the rest is for real runs.
const SHARE: f64 = 0.7;

/// Explores `through`, the program with conditions in place of callees, and runs the tests that were found in
/// `program`. The latter is explored as well, within what the bounds leave, if `through` leaves anything open.
///
/// # Errors
/// Those of `explore`.
pub fn explore_through(
    through: &Program,
    program: &Program,
    options: &Options,
    explore: &mut Explore<'_>,
) -> Result<Exploration, ExploreError> {
    let started = Instant::now();
    let mut first = options.clone();
    first.bounds.time = options.bounds.time.map(|t| t.mul_f64(SHARE));
    let short = explore(through, &first)?;
    let mut second = options.clone();
    second.seeds = short.tests.iter().map(|t| t.script.clone()).chain(second.seeds).collect();
    let replays = second.seeds.len() as u64;
    second.ruled_out.extend(never(&short));
    second.bounds.time = options.bounds.time.map(|t| t.saturating_sub(started.elapsed()));
    second.bounds.runs = match short.exhausted {
        // Nothing is left but to run what was found.
        true => replays,
        false => options.bounds.runs.saturating_sub(short.statistics.runs).max(replays),
    };
    let mut found = explore(program, &second)?;
    // Runs that end at a false assumption are no tests, but they were there.
    let visited: FxHashSet<Origin> = short.goals.iter().filter(|g| g.visited).map(|g| g.origin).collect();
    found.goals.iter_mut().for_each(|g| g.visited |= visited.contains(&g.origin));
    let elsewhere: FxHashSet<Origin> = covered(&short).collect();
    let kept: FxHashSet<Origin> = covered(&found).collect();
    found.exhausted |= short.exhausted && elsewhere.is_subset(&kept);
    let only_replays = short.exhausted && found.statistics.runs >= replays;
    if only_replays {
        found.bounds_hit.forget(Bound::Runs);
        found.statistics.frontier = short.statistics.frontier;
    }
    found.bounds_hit.add(&short.bounds_hit);
    found.statistics.add(&short.statistics);
    Ok(found)
}

/// The places that no run reaches.
fn never(found: &Exploration) -> impl Iterator<Item = Origin> + '_ {
    let open = found.goals.iter().filter(|g| found.exhausted && g.covered_by.is_none() && !g.visited);
    open.map(|g| g.origin)
}

fn covered(found: &Exploration) -> impl Iterator<Item = Origin> + '_ {
    found.goals.iter().filter(|g| g.covered_by.is_some()).map(|g| g.origin)
}
