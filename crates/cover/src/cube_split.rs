//! Cube split (cube and conquer): a query about the paths to a block is split into two, by the arm that the paths
//! take at a branch.
//!
//! **Idea.** A query that is too hard becomes two easier ones (Heule, Kullmann, Wieringa, Biere, HVC 2011; here cubes
//! are sets of paths). The choice of the branch matters. Splitting at a branch shortly before the block leaves almost
//! all of the work to one of the halves; splitting at the start of a procedure leaves almost all of it to both, as
//! the values assigned there are mostly overwritten later. So a branch in the middle is chosen, a little nearer to
//! the block (measured), among those that
//!
//! * all paths pass, so that each path is in exactly one half;
//! * the formula mentions, as otherwise both halves are the same.
//!
//! **Example.** In `if (a) { p } else { q } if (b) { r } else { t } goal` with a split at the second branch, one half
//! has the paths to `goal` through `r`, the other one those through `t`.
//!
//! Within a half all paths pass the branches nested in the arm, so these can be split next.
//!
//! **Direction of error.** None: each path to the block is in one of the halves.

use footpath_ir::{BlockId, Body};
use rustc_hash::FxHashSet;

/// Splits the paths to `end` that avoid the blocks in `without`, at a branch in `mentioned`. Each half is given by
/// the further blocks that its paths avoid. None if the paths cannot be split at any branch.
pub(super) fn halves(
    body: &Body,
    end: BlockId,
    without: &FxHashSet<BlockId>,
    mentioned: &FxHashSet<BlockId>,
) -> Option<[Vec<BlockId>; 2]> {
    let ways = Ways::to(body, end, without);
    let branches: Vec<BlockId> =
        ways.passed_by_all().into_iter().filter(|b| mentioned.contains(b) && ways.is_apart(*b)).collect();
    let mut others = ways.arms(*branches.get(branches.len() * 3 / 5)?);
    let first = vec![others.remove(0)];
    Some([others, first])
}

/// The paths to a block.
struct Ways<'a> {
    body: &'a Body,
    predecessors: Vec<Vec<BlockId>>,
    /// For each block up to the last: whether it is on such a path.
    on: Vec<bool>,
}

impl<'a> Ways<'a> {
    fn to(body: &'a Body, end: BlockId, without: &FxHashSet<BlockId>) -> Ways<'a> {
        let predecessors = body.predecessors();
        let mut on = vec![false; end.index() + 1];
        // Blocks stand in topological order.
        for b in body.block_ids().take(on.len()).filter(|b| !without.contains(b)) {
            on[b.index()] = b == BlockId(0) || predecessors[b.index()].iter().any(|p| on[p.index()]);
        }
        for b in body.block_ids().take(end.index()) {
            let b = BlockId(end.0 - 1 - b.0);
            let leads_on = body[b].terminator.successors().iter().any(|s| *s <= end && on[s.index()]);
            on[b.index()] &= leads_on;
        }
        Ways { body, predecessors, on }
    }

    fn is_on(&self, b: BlockId) -> bool {
        self.on.get(b.index()).copied().unwrap_or(false)
    }

    /// The successors of `b` that are on the paths.
    fn arms(&self, b: BlockId) -> Vec<BlockId> {
        let mut arms = self.body[b].terminator.successors();
        arms.retain(|s| self.is_on(*s));
        arms.sort_unstable();
        arms.dedup();
        arms
    }

    /// The blocks that all paths pass, in order.
    fn passed_by_all(&self) -> Vec<BlockId> {
        let mut passed = Vec::new();
        let mut furthest = BlockId(0);
        for b in self.body.block_ids().filter(|b| self.is_on(*b)) {
            // An edge that leads past `b` from before it is a way round.
            if furthest <= b {
                passed.push(b);
            }
            furthest = self.arms(b).into_iter().fold(furthest, BlockId::max);
        }
        passed
    }

    /// Whether paths diverge at `b`, and each arm has a block that paths enter from `b` only.
    fn is_apart(&self, b: BlockId) -> bool {
        let arms = self.arms(b);
        let only_from_here = |arm: &BlockId| {
            self.predecessors[arm.index()].iter().filter(|p| self.is_on(**p)).all(|p| *p == b)
        };
        arms.len() > 1 && arms.iter().all(only_from_here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footpath_ir::analysis::skeleton;

    /// All ways from a block to another.
    fn ways(graph: &[Vec<u32>], from: u32, end: u32) -> Vec<Vec<BlockId>> {
        if from == end {
            return vec![vec![BlockId(end)]];
        }
        let on = graph[from as usize].iter().flat_map(|&next| ways(graph, next, end));
        on.map(|way| [vec![BlockId(from)], way].concat()).collect()
    }

    #[test]
    fn each_way_is_in_one_half() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut halved = 0;
        for _ in 0..2_000 {
            let n = rng.u32(2..12);
            let mut next = |b: u32| {
                let mut to: Vec<u32> = (0..rng.u32(1..3)).map(|_| rng.u32(b + 1..n.min(b + 4))).collect();
                to.sort_unstable();
                to.dedup();
                to
            };
            let graph: Vec<Vec<u32>> = (0..n).map(|b| if b + 1 < n { next(b) } else { Vec::new() }).collect();
            let slices: Vec<&[u32]> = graph.iter().map(Vec::as_slice).collect();
            let body = skeleton(&slices);
            let end = n - 1;
            let without: FxHashSet<BlockId> = (1..end).filter(|_| rng.u8(..8) == 0).map(BlockId).collect();
            let Some(halves) = halves(&body, BlockId(end), &without, &body.block_ids().collect()) else {
                continue;
            };
            let avoids = |way: &[BlockId], half: &[BlockId]| !way.iter().any(|b| half.contains(b));
            let mut sizes = [0, 0];
            for way in ways(&graph, 0, end).iter().filter(|way| !way.iter().any(|b| without.contains(b))) {
                let within = halves.each_ref().map(|half| avoids(way, half));
                assert!(within[0] != within[1], "{graph:?} without {without:?}: {way:?} and {halves:?}");
                sizes[usize::from(within[1])] += 1;
            }
            assert!(sizes.iter().all(|&size| size > 0), "{graph:?} without {without:?}: {halves:?}");
            halved += 1;
        }
        assert!(halved > 200, "{halved}");
    }
}
