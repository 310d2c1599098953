//! Dominators and post-dominators of acyclic graphs.
//!
//! **Idea.** Block `d` dominates block `b` if every path from the entry to `b` passes `d`. The blocks of a loop-free
//! body are in topological order, so one pass is enough: when a block is processed, the dominators of all its
//! predecessors are known, and its immediate dominator is the block where their chains meet. This is the inner loop
//! of Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, 2001, without the outer one. For post-dominators
//! the same pass goes backwards; a virtual block follows all blocks without successors.
//!
//! **Example.** In the diamond `a → b → d`, `a → c → d` the immediate dominator of `d` is `a`, and the immediate
//! post-dominator of `a` is `d`.
//!
//! **Direction of error.** None.

use crate::{BlockId, Body};

/// The immediate dominator of each block: the nearest block that all runs to it pass; none for the entry.
pub fn dominators(body: &Body) -> Vec<Option<BlockId>> {
    let predecessors = body.predecessors();
    closest(body.blocks.len(), false, |b| predecessors[b].clone())
}

/// The immediate post-dominator of each block: the nearest block that all runs from it pass; none if they may end in
/// different blocks.
pub fn post_dominators(body: &Body) -> Vec<Option<BlockId>> {
    closest(body.blocks.len(), true, |b| body.blocks[b].terminator.successors())
}

/// The nearest common dominator of two blocks; `up` gives a block's dominator, which has a smaller number.
pub fn common_dominator(mut a: BlockId, mut b: BlockId, up: impl Fn(BlockId) -> BlockId) -> BlockId {
    while a != b {
        if a > b {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    a
}

fn closest(n: usize, backwards: bool, before: impl Fn(usize) -> Vec<BlockId>) -> Vec<Option<BlockId>> {
    // Positions count in the direction of the walk.
    let position = |b: BlockId| if backwards { n - 1 - b.index() } else { b.index() };
    let mut up: Vec<Option<BlockId>> = vec![None; n];
    for k in 0..n {
        let b = if backwards { n - 1 - k } else { k };
        let before = before(b);
        let mut meeting = before.first().copied();
        for &p in before.iter().skip(1) {
            let mut other = Some(p);
            while meeting != other {
                // No block at all stands for the virtual one, where all chains end.
                match (meeting, other) {
                    (Some(x), Some(y)) if position(x) > position(y) => meeting = up[x.index()],
                    (_, Some(y)) if meeting.is_some() => other = up[y.index()],
                    _ => (meeting, other) = (None, None),
                }
            }
        }
        up[b] = meeting;
    }
    up
}

#[cfg(test)]
mod tests {
    use super::super::skeleton;
    use super::*;

    fn numbers(found: &[Option<BlockId>]) -> Vec<Option<u32>> {
        found.iter().map(|b| b.map(|b| b.0)).collect()
    }

    #[test]
    fn a_diamond_with_an_early_end() {
        // 0 → 1 → 3 → 5, 0 → 2 → {3, 4}; 4 and 5 are ends.
        let body = skeleton(&[&[1, 2], &[3], &[3, 4], &[5], &[], &[]]);
        assert_eq!(numbers(&dominators(&body)), [None, Some(0), Some(0), Some(0), Some(2), Some(3)]);
        assert_eq!(numbers(&post_dominators(&body)), [None, Some(3), None, Some(5), None, None]);
    }

    #[test]
    fn all_runs_between_two_blocks_pass_what_dominates() {
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..200 {
            let n = rng.usize(2..10);
            let graph: Vec<Vec<u32>> = (0..n)
                .map(|b| {
                    (b as u32 + 1..n as u32).filter(|&c| c == b as u32 + 1 || rng.u8(..4) == 0).collect()
                })
                .collect();
            let slices: Vec<&[u32]> = graph.iter().map(Vec::as_slice).collect();
            let body = skeleton(&slices);
            // Whether there is a way from `a` to `b` that avoids `without`.
            fn leads(graph: &[Vec<u32>], a: usize, b: usize, without: usize) -> bool {
                a != without && (a == b || graph[a].iter().any(|&c| leads(graph, c as usize, b, without)))
            }
            let above = |tree: &[Option<BlockId>], mut b: usize, a: usize| {
                while let Some(up) = tree[b] {
                    if up.index() == a {
                        return true;
                    }
                    b = up.index();
                }
                false
            };
            let (before, after) = (dominators(&body), post_dominators(&body));
            for a in 0..n {
                for b in 0..n {
                    if a != b {
                        assert_eq!(
                            above(&before, b, a),
                            !leads(&graph, 0, b, a),
                            "{graph:?}: {a} before {b}"
                        );
                        assert_eq!(
                            above(&after, b, a),
                            !leads(&graph, b, n - 1, a),
                            "{graph:?}: {a} after {b}"
                        );
                    }
                }
            }
        }
    }
}
