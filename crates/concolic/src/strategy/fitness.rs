//! Fitness-guided search (Fitnex): arms are chosen by the branch distance of their runs.
//!
//! **Idea.** A branch may not depend on inputs itself, but on the number of loop iterations, which does. Its
//! condition says how near a run came (`branch_distance.rs`). The arms of the runs that came nearest to an arm that
//! no run took come first, and among these the arms whose kind has brought runs nearer before: each arm of a branch
//! site keeps the mean of what it gained.
//!
//! Example: for `for (i = 0; i < n; i++) count++; if (count == 50) …`, the last branch has no symbolic value. Runs
//! with one more iteration are nearer to it by one, so the arm `i < n`, which adds an iteration, gains most and is
//! chosen again.
//!
//! **Paper.** T. Xie, N. Tillmann, J. de Halleux, W. Schulte, Fitnex (DSN 2009).
//!
//! **Deviations.**
//! 1. Targets take turns, those that were tried without success less often.
//! 2. The paper considers the gain of a branch for one target. Ours is the fraction of the distance that was gained,
//!    for any target.
//!
//! **Direction of error.** None: the order of queries does not change verdicts.

use rustc_hash::FxHashMap;

use super::{Picker, View, behind};
use crate::branch_distance::SiteArm;
use crate::execution_tree::{Arm, ArmId, NodeId};

/// How many runs are kept for a target.
const RUNS: usize = 6;

/// An arm that no run took.
#[derive(Default)]
struct Target {
    /// The nearest runs: the distance, and the last node that they added.
    runs: Vec<(f64, NodeId)>,
    /// How often one of their arms was chosen since the last one came nearer.
    tries: u32,
}

/// The mean gain of choosing an arm of a site.
#[derive(Default)]
struct Gain {
    sum: f64,
    count: u32,
}

/// See the module.
#[derive(Default)]
pub(super) struct Fitness {
    targets: FxHashMap<SiteArm, Target>,
    gains: FxHashMap<SiteArm, Gain>,
    /// The arm that was chosen last: of which site, for which target, how far that was away.
    last: Option<(SiteArm, SiteArm, f64)>,
}

impl Fitness {
    /// Open arms on the way to a node, its own included, each with its site.
    fn open(view: &View<'_>, node: NodeId) -> Vec<(ArmId, Option<u32>)> {
        let mut found = Vec::new();
        let mut at = Some(node);
        while let Some(id) = at {
            let node = view.tree.node(id);
            for (arm, _) in node.arms.iter().enumerate().filter(|(_, a)| **a == Arm::Open) {
                found.push((ArmId { node: id, arm: arm as u32 }, node.site));
            }
            at = node.parent.map(|p| p.node);
        }
        found
    }

    fn gain(&self, key: SiteArm) -> f64 {
        // What was never chosen might gain everything.
        self.gains.get(&key).map_or(1.0, |g| (g.sum + 1.0) / f64::from(g.count + 1))
    }

    /// The targets, those that come next first; checks, of which most cannot fail, after others.
    fn order(&self, view: &View<'_>) -> Vec<SiteArm> {
        let of = |(&target, t): (&SiteArm, &Target)| {
            let away = behind(view.code, view.covered, view.blocks, target);
            let wanted = view.watch.wants(target) && away < u32::MAX && !t.runs.is_empty();
            let check = view.code.site(target.0).failure.is_some();
            wanted.then_some((t.tries, check, away, target))
        };
        let mut order: Vec<_> = self.targets.iter().filter_map(of).collect();
        order.sort_unstable();
        order.into_iter().map(|(.., target)| target).collect()
    }
}

impl Picker for Fitness {
    fn added(&mut self, view: &View<'_>, arms: &[ArmId], _: usize) {
        if let Some((chosen, target, before)) = self.last.take() {
            let after = match view.watch.wants(target) {
                true => view.ran.distances.get(&target).copied().unwrap_or(before),
                false => 0.0,
            };
            let gain = self.gains.entry(chosen).or_default();
            gain.sum += ((before - after) / before.max(1.0)).clamp(-1.0, 1.0);
            gain.count += 1;
        }
        let Some(end) = arms.last() else { return };
        for (&target, &distance) in view.ran.distances.iter().filter(|(_, d)| d.is_finite()) {
            let known = self.targets.entry(target).or_default();
            if known.runs.first().is_none_or(|best| distance < best.0) {
                known.tries = 0;
            }
            let at = known.runs.partition_point(|r| r.0 < distance);
            if at < RUNS {
                known.runs.insert(at, (distance, end.node));
                known.runs.truncate(RUNS);
            }
        }
    }

    fn next(&mut self, view: &View<'_>) -> Option<ArmId> {
        for target in self.order(view) {
            let runs = std::mem::take(&mut self.targets.get_mut(&target)?.runs);
            let mut left = Vec::with_capacity(runs.len());
            let mut chosen = None;
            for (distance, node) in runs {
                let open = if chosen.is_none() { Fitness::open(view, node) } else { Vec::new() };
                let key = |&(arm, site): &(ArmId, Option<u32>)| (site.unwrap_or(u32::MAX), arm.arm);
                let best = open.iter().max_by(|a, b| self.gain(key(a)).total_cmp(&self.gain(key(b))));
                if let Some(best) = best {
                    self.last = Some((key(best), target, distance));
                    chosen = Some(best.0);
                }
                if chosen.is_some() {
                    left.push((distance, node));
                }
            }
            let known = self.targets.get_mut(&target)?;
            known.runs = left;
            if chosen.is_some() {
                known.tries += 1;
                return chosen;
            }
        }
        None
    }
}
