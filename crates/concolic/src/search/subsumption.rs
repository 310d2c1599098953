//! Subsumption: arms of the execution tree that can cover nothing new are pruned.
//!
//! **Idea.** If nothing uncovered is reachable behind an arm, by the control flow graph across calls and returns, the
//! arm need not be taken. What an exploration says about places stays the same; it no longer knows all paths, nor all
//! calls under which a place fails. Example: once both arms of the last branch of a function are covered, a new path
//! to that branch is not explored.
//!
//! **Direction of error.** None. The graph over-approximates all paths. A place that a run passed without covering it
//! may be covered by what comes later, wherever that is, so nothing is pruned while there is such a place.

use super::Search;
use crate::cfg_distance::behind;
use crate::execution_tree::ArmId;
use crate::options::Keep;
use crate::report::{Goal, GoalKind};

impl Search<'_> {
    /// Whether short diamonds are merged.
    pub(super) fn merges(&self) -> bool {
        self.options.merge && self.options.keep == Keep::New && self.options.session.is_none()
    }

    /// Whether no goal that is still looked for is reachable behind an arm.
    pub(super) fn adds_nothing(&mut self, arm: ArmId) -> bool {
        if !self.options.subsume || self.options.keep == Keep::All {
            return false;
        }
        let passed = |(g, goal): (usize, &Goal)| {
            goal.visited
                && (!self.covered[g] || goal.returned_by.is_none())
                && !matches!(goal.kind, GoalKind::Failure(_))
        };
        if self.goals.list.iter().enumerate().any(passed) {
            return false;
        }
        let blocks = self.blocks_away.get(self.setup.code, &self.goals.list, &self.covered);
        let mut at = Some(arm);
        while let Some(arm) = at {
            let node = self.tree.node(arm.node);
            if let Some(site) = node.site {
                return behind(self.setup.code, &self.covered, blocks, (site, arm.arm)) == u32::MAX;
            }
            at = node.parent;
        }
        false
    }
}
