//! The arms behind which more checks may be met that are not verified.
//!
//! **Idea.** A run is worth the more, the more checks it meets on ways that no run took before, as long as these checks
//! were not proved under premises that hold. What lies behind an arm is not known, but how many checks the run met that
//! came by there, and how many were met behind other arms of the same kind. An arm's kind is the place of the branch and
//! which way it goes. Where nothing is expected, this order has nothing to say.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.2: tests that violate more premises come first.
//! There a static condition says of which tests that is so (`tryfirst`), and it says nothing where some check is
//! unverified on every way, as is the case for most paths of most functions; then this order decides.
//!
//! **Direction of error.** None, as with all strategies.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{Picker, View, is_open};
use crate::branch_distance::SiteArm;
use crate::execution_tree::{Arm, ArmId};

/// What trying arms of a kind brought.
#[derive(Default)]
struct Brought {
    ways: u64,
    tries: u64,
}

/// Expectations are counted in parts of a way.
const PART: u64 = 256;

/// See the module.
#[derive(Default)]
pub(super) struct Unverified {
    /// Arms by how many new ways are expected of them, in [`PART`]s, of those with equally many the latest first; with
    /// how many checks the run met that came by.
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

    /// How many new ways are expected of an arm, in [`PART`]s, by the run that came by and by what arms of its kind
    /// brought.
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
