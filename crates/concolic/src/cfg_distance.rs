//! Distance to uncovered code in the interprocedural control flow graph, measured in blocks.
//!
//! A breadth-first search backwards from the blocks with uncovered goals computes, for every block, how many blocks
//! away the nearest uncovered goal is; calls lead to the callee, and returns lead back to all callers. Example: if
//! only the `else` arm of a branch leads to an uncovered block, two blocks further on, the distance behind that arm
//! is 2, and behind the other arm infinite.
//!
//! **Direction of error.** None for what is called unreachable: the graph over-approximates the paths of runs.

use std::collections::VecDeque;

use footpath_ir::{BlockId, Body, ProcId, Program, TerminatorKind};

use super::branch_distance::SiteArm;
use super::code::Code;
use super::report::Goal;

/// For each block, the distance to the nearest uncovered goal, in blocks; computed again when a goal is covered.
#[derive(Default)]
pub(super) struct BlocksAway {
    graph: Option<Graph>,
    /// For how many covered goals they were computed.
    score: Option<usize>,
    blocks: Vec<u32>,
}

impl BlocksAway {
    /// The distance of each block; `u32::MAX` if no uncovered goal is reachable.
    pub(super) fn get(&mut self, code: &Code<'_>, goals: &[Goal], covered: &[bool]) -> &[u32] {
        let score = covered.iter().filter(|c| **c).count();
        if self.score != Some(score) {
            self.score = Some(score);
            let graph = self.graph.get_or_insert_with(|| Graph::of(code, goals));
            self.blocks = graph.distances(covered);
        }
        &self.blocks
    }
}

/// The distance in blocks from an arm of a site to the nearest uncovered goal behind it.
pub(super) fn behind(code: &Code<'_>, covered: &[bool], blocks: &[u32], (site, arm): SiteArm) -> u32 {
    let site = code.site(site);
    if site.edges.iter().any(|&(at, goal)| at == arm && !covered[goal as usize]) {
        return 0;
    }
    match site.arms.get(arm as usize).copied().flatten() {
        Some(block) => blocks[block as usize].saturating_add(1),
        None => match site.failure {
            Some(goal) if !covered[goal as usize] => 0,
            _ => u32::MAX,
        },
    }
}

/// The control flow graph of everything that runs can reach.
struct Graph {
    /// Where the predecessors of each block begin; one more than there are blocks.
    starts: Vec<u32>,
    predecessors: Vec<u32>,
    /// Blocks with goals in them.
    goals: Vec<(u32, u32)>,
}

impl Graph {
    fn of(code: &Code<'_>, goals: &[Goal]) -> Graph {
        let program = code.prepared.program();
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for piece in &code.pieces {
            let Some(body) = piece.body.map(|b| &program[piece.procedure].bodies[b as usize]) else {
                continue;
            };
            for (number, block) in body.blocks.iter().enumerate() {
                let from = piece.first_block + number as u32;
                let next = block.terminator.successors();
                edges.extend(next.iter().map(|s| (from, piece.first_block + s.0)));
                for callee in block.calls() {
                    add_call(code, program, (from, callee), &mut edges);
                }
            }
        }
        let blocks = code.blocks as usize;
        let mut starts = vec![0; blocks + 1];
        edges.iter().for_each(|&(_, to)| starts[to as usize + 1] += 1);
        for i in 0..blocks {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut predecessors = vec![0; edges.len()];
        for (from, to) in edges {
            let place = &mut next[to as usize];
            predecessors[*place as usize] = from;
            *place += 1;
        }
        Graph { starts, predecessors, goals: goal_blocks(code, program, goals) }
    }

    fn distances(&self, covered: &[bool]) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.starts.len() - 1];
        let mut queue = VecDeque::new();
        for &(block, _) in self.goals.iter().filter(|(_, goal)| !covered[*goal as usize]) {
            if std::mem::replace(&mut distances[block as usize], 0) > 0 {
                queue.push_back(block);
            }
        }
        while let Some(b) = queue.pop_front() {
            let range = self.starts[b as usize] as usize..self.starts[b as usize + 1] as usize;
            for &p in &self.predecessors[range] {
                if distances[p as usize] == u32::MAX {
                    distances[p as usize] = distances[b as usize] + 1;
                    queue.push_back(p);
                }
            }
        }
        distances
    }
}

/// The blocks of a body in which it returns.
fn returns(body: &Body) -> impl Iterator<Item = BlockId> {
    body.block_ids().filter(|b| body[*b].terminator.kind == TerminatorKind::Return)
}

/// A call leads to the first blocks of its callee, and the callee's last ones back to it.
fn add_call(code: &Code<'_>, program: &Program, (from, callee): (u32, ProcId), edges: &mut Vec<(u32, u32)>) {
    for (number, body) in program[callee].bodies.iter().enumerate() {
        let Some(first) = code.first_block(callee, number as u32) else { continue };
        edges.push((from, first));
        edges.extend(returns(body).map(|b| (first + b.0, from)));
    }
}

/// The blocks in which goals are.
fn goal_blocks(code: &Code<'_>, program: &Program, goals: &[Goal]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (number, goal) in goals.iter().enumerate() {
        let (origin, number) = (goal.origin, number as u32);
        let Some(first) = code.first_block(origin.procedure, origin.body) else { continue };
        match origin.place.block() {
            Some(block) => found.push((first + block.0, number)),
            None => {
                let body = &program[origin.procedure].bodies[origin.body as usize];
                found.extend(returns(body).map(|b| (first + b.0, number)));
            }
        }
    }
    found
}
