//! Arms that can add nothing.
//!
//! **Idea.** If nothing that is uncovered can be reached behind an arm, by the control flow graph across calls and returns, the
//! arm need not be taken. What an exploration says of places stays the same; it no longer knows of all paths, nor of
//! all calls under which a place fails.
//!
//! **Direction of error.** None. The graph has all ways on. What a run passed without covering it may be covered by what
//! comes later, wherever that is, so nothing is left out while there is such a place.

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

    /// Whether nothing that is still looked for can be behind an arm.
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
