//! Reachability and strongly connected components in the control flow graph of a body, as backbone trees need them.

use footpath_ir::{BlockId, Body};

/// A body's graph in which no edge leaves a target.
pub(crate) struct Graph {
    successors: Vec<Vec<BlockId>>,
    targets: Vec<bool>,
}

impl Graph {
    pub(crate) fn of(body: &Body, targets: &[bool]) -> Graph {
        let ends = body.blocks.iter().zip(targets);
        let successors =
            ends.map(|(b, &target)| if target { Vec::new() } else { b.terminator.successors() }).collect();
        Graph { successors, targets: targets.to_vec() }
    }

    /// For each block, whether a path leads from it to a target.
    pub(crate) fn leads_to_target(&self) -> Vec<bool> {
        let mut predecessors = vec![Vec::new(); self.successors.len()];
        for (from, successors) in self.successors.iter().enumerate() {
            successors.iter().for_each(|s| predecessors[s.index()].push(from));
        }
        let mut leads = self.targets.clone();
        let mut stack: Vec<usize> = (0..leads.len()).filter(|&b| leads[b]).collect();
        while let Some(b) = stack.pop() {
            for &p in &predecessors[b] {
                if !std::mem::replace(&mut leads[p], true) {
                    stack.push(p);
                }
            }
        }
        leads
    }

    /// The blocks on cycles through `head` that avoid the blocks of `passed` and stay in `allowed`; none if there is
    /// no cycle. `head` is the first of them.
    pub(crate) fn loop_at(&self, head: BlockId, passed: &[bool], allowed: &[bool]) -> Option<Vec<BlockId>> {
        let free = |b: BlockId| b == head || (!passed[b.index()] && allowed[b.index()]);
        let mut forward = vec![false; self.successors.len()];
        let mut order = vec![head];
        let mut next = 0;
        while let Some(&b) = order.get(next) {
            next += 1;
            for &s in self.successors[b.index()].iter().filter(|&&s| free(s)) {
                if !std::mem::replace(&mut forward[s.index()], true) && s != head {
                    order.push(s);
                }
            }
        }
        if !forward[head.index()] {
            return None;
        }
        let mut back = vec![false; self.successors.len()];
        back[head.index()] = true;
        // Few passes are needed, as blocks are mostly in the order of the source.
        loop {
            let mut changed = false;
            for &b in order.iter().rev().filter(|b| b.index() != head.index()) {
                if !back[b.index()] && self.successors[b.index()].iter().any(|s| back[s.index()]) {
                    back[b.index()] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        order.retain(|b| back[b.index()]);
        Some(order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(successors: &[&[u32]]) -> Graph {
        let successors: Vec<Vec<BlockId>> =
            successors.iter().map(|s| s.iter().map(|&b| BlockId(b)).collect()).collect();
        let targets = vec![false; successors.len()];
        Graph { successors, targets }
    }

    fn loop_at(g: &Graph, head: u32, passed: &[u32]) -> Option<Vec<u32>> {
        let mut there = vec![false; g.successors.len()];
        passed.iter().for_each(|&b| there[b as usize] = true);
        let all = vec![true; there.len()];
        g.loop_at(BlockId(head), &there, &all).map(|part| {
            let mut part: Vec<u32> = part.iter().map(|b| b.0).collect();
            part.sort_unstable();
            part
        })
    }

    #[test]
    fn a_loop_is_what_lies_on_cycles_that_avoid_what_was_passed() {
        // 0 → 1 ⇄ 2, 2 ⇄ 3, 1 → 4: the inner loop at 2 is one only once 1 was passed.
        let nested = graph(&[&[1], &[2, 4], &[1, 3], &[2], &[]]);
        assert_eq!(loop_at(&nested, 1, &[0]), Some(vec![1, 2, 3]));
        assert_eq!(loop_at(&nested, 2, &[0, 1]), Some(vec![2, 3]));
        assert_eq!(loop_at(&nested, 4, &[0, 1]), None);
    }

    #[test]
    fn an_irreducible_loop_has_a_head_for_each_way_in() {
        let two_ways_in = graph(&[&[1, 2], &[2], &[1, 3], &[]]);
        assert_eq!(loop_at(&two_ways_in, 1, &[0]), Some(vec![1, 2]));
        assert_eq!(loop_at(&two_ways_in, 2, &[0]), Some(vec![1, 2]));
        assert_eq!(loop_at(&two_ways_in, 2, &[0, 1]), None);
    }
}
