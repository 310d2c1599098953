//! Search guided by partial verification: arms come first behind which more unverified checks are expected.
//!
//! **Idea.** A run is worth more, the more checks it meets on paths that no run took before, unless these checks were
//! proved under premises that hold. What lies behind an arm is estimated by how many such checks the run met that
//! passed it, and by how many were met behind other arms of the same kind. The kind of an arm is the branch site and
//! the arm's side. If nothing is expected behind any arm, this order does not choose.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.2: tests that violate more premises come first.
//! There a static condition says for which tests that is so (`tryfirst`), and it says nothing if some check is
//! unverified on every path, as for most paths of most functions; then this order decides.
//!
//! **Direction of error.** None: the order of queries does not change verdicts.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{Picker, View, is_open};
use crate::branch_distance::SiteArm;
use crate::execution_tree::{Arm, ArmId};

/// What runs behind arms of one kind have met.
#[derive(Default)]
struct Brought {
    ways: u64,
    tries: u64,
}

/// Expectations are counted in fractions of a path.
const PART: u64 = 256;

/// See the module.
#[derive(Default)]
pub(super) struct Unverified {
    /// Arms by the number of new paths to checks that are expected of them, in [`PART`]s, the latest first among
    /// equals; with the number of checks that the run which passed it met.
    arms: BinaryHeap<(u64, u64, ArmId, u64)>,
    added: u64,
    brought: FxHashMap<SiteArm, Brought>,
    /// The arm that was tried last.
    last: Option<ArmId>,
}

impl Unverified {
    fn kind(view: &View<'_>, arm: ArmId) -> Option<SiteArm> {
        view.tree.node(arm.node).site.map(|site| (site, arm.arm))
    }

    /// The number of new paths to checks that are expected of an arm, in [`PART`]s, by the run that passed it and by
    /// the results of arms of its kind.
    fn expected(&self, view: &View<'_>, arm: ArmId, seen: u64) -> u64 {
        let known = Unverified::kind(view, arm).and_then(|kind| self.brought.get(&kind));
        let most = seen * PART;
        known.map_or(most, |b| most.min((b.ways + seen) * PART / (b.tries + 1)))
    }
}

impl Picker for Unverified {
    fn added(&mut self, view: &View<'_>, arms: &[ArmId], _: usize) {
        let taken = self.last.take().filter(|&arm| matches!(view.tree.arm(arm), Arm::Taken(_)));
        if let Some(kind) = taken.and_then(|arm| Unverified::kind(view, arm)) {
            let brought = self.brought.entry(kind).or_default();
            brought.ways += view.ran.new_ways as u64;
            brought.tries += 1;
        }
        let met = view.ran.unverified;
        for &arm in arms {
            let depth = view.tree.node(arm.node).depth;
            let seen = (met.len() - met.partition_point(|m| m.decisions <= depth)) as u64;
            self.added += 1;
            self.arms.push((seen * PART, self.added, arm, seen));
        }
    }

    fn next(&mut self, view: &View<'_>) -> Option<ArmId> {
        while let Some((hoped, number, arm, seen)) = self.arms.pop() {
            if !is_open(view, arm) {
                continue;
            }
            let expected = self.expected(view, arm, seen);
            if expected < hoped && self.arms.peek().is_some_and(|next| next.0 > expected) {
                self.arms.push((expected, number, arm, seen));
                continue;
            }
            if expected == 0 {
                // Nothing more is expected anywhere: others know better.
                self.arms.push((0, number, arm, seen));
                return None;
            }
            self.last = Some(arm);
            return Some(arm);
        }
        None
    }
}
