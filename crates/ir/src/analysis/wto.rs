//! Weak topological orders: the nesting of loops of a control-flow graph, reducible or not.
//!
//! **Idea.** A strongly connected part of a graph with more than one node (or with a self-loop) is a *component*. Its
//! *head* is the node of it that a depth-first search from the entry visits first. Without the head, the rest
//! decomposes into smaller components, and so on inwards. For a reducible graph the components are the natural loops
//! and the heads their headers; for an irreducible one they are still well defined.
//!
//! **Example.** In `1 → 2 → 3 → 2`, `3 → 1`, `1 → 4` the component with head 1 is `{1, 2, 3}`. Without its head,
//! `{2, 3}` is a component with head 2: an inner loop.
//!
//! **Paper.** F. Bourdoncle, "Efficient chaotic iteration strategies with widenings" (FMPA 1993), Section 3 and
//! Figure 4, with its names. "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), Section 3,
//! assumes reducible graphs and needs only natural loops.
//!
//! **Deviations.**
//! 1. Only the nesting is kept, not the linear order: loop unwinding sorts its result anyway.
//! 2. Bourdoncle's `Visit` and `Component` are mutually recursive; here both are loops over explicit stacks (Tarjan's
//!    algorithm on ever smaller node sets), so that the depth of the stack does not depend on the size of the
//!    program.
//!
//! **Direction of error.** None that is known: any choice of heads is a correct one for unwinding. Heads depend on
//! the order of successors, so in an irreducible graph *which* runs are within a bound depends on it too. The time is
//! O(edges × nesting depth).

use crate::{BlockId, Body};

/// The id of a component of a [`Wto`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ComponentId(pub u32);

/// A strongly connected part of the graph.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    /// The node that is visited first.
    pub head: BlockId,
    /// The component around it.
    pub parent: Option<ComponentId>,
    /// The nesting depth: how many components contain it, itself included.
    pub depth: u32,
}

/// A weak topological order, reduced to the information which components contain each block.
#[derive(Clone, Debug)]
pub struct Wto {
    /// All components, outer ones before those inside them.
    pub components: Vec<Component>,
    innermost: Vec<Option<ComponentId>>,
    reachable: Vec<bool>,
}

const UNVISITED: u32 = u32::MAX;

/// A set of nodes that is still to be decomposed.
struct Task {
    nodes: Vec<u32>,
    start: u32,
    /// The component that consists of `nodes`, whose head is `start`; none for the whole graph.
    component: Option<ComponentId>,
}

impl Wto {
    /// The components of a body's graph.
    pub fn of(body: &Body) -> Wto {
        let successors: Vec<_> = body.blocks.iter().map(|b| b.terminator.successors()).collect();
        Wto::of_graph(&successors)
    }

    /// The components of a graph whose entry is block 0.
    pub fn of_graph(successors: &[Vec<BlockId>]) -> Wto {
        let count = successors.len();
        let mut wto =
            Wto { components: Vec::new(), innermost: vec![None; count], reachable: vec![false; count] };
        if count == 0 {
            return wto;
        }
        let nodes = wto.mark_reachable(successors);
        let mut search = Search {
            task_of: vec![UNVISITED; count],
            index: vec![UNVISITED; count],
            low: vec![0; count],
            on_stack: vec![false; count],
        };
        let mut tasks = vec![Task { nodes, start: 0, component: None }];
        let mut number = 0;
        while let Some(task) = tasks.pop() {
            for part in search.strong_components(successors, &task, number) {
                let head = part[0];
                let blocked = task.component.is_some() && head == task.start;
                let trivial =
                    part.len() == 1 && (blocked || !successors[head as usize].contains(&BlockId(head)));
                if trivial {
                    continue;
                }
                let id = ComponentId(wto.components.len() as u32);
                let depth = task.component.map_or(0, |c| wto[c].depth) + 1;
                wto.components.push(Component { head: BlockId(head), parent: task.component, depth });
                for &node in &part {
                    wto.innermost[node as usize] = Some(id);
                }
                tasks.push(Task { nodes: part, start: head, component: Some(id) });
            }
            number += 1;
        }
        wto
    }

    fn mark_reachable(&mut self, successors: &[Vec<BlockId>]) -> Vec<u32> {
        let mut nodes = vec![0];
        self.reachable[0] = true;
        let mut next = 0;
        while next < nodes.len() {
            for s in &successors[nodes[next] as usize] {
                if !std::mem::replace(&mut self.reachable[s.index()], true) {
                    nodes.push(s.0);
                }
            }
            next += 1;
        }
        nodes
    }

    /// The innermost component that a block lies in.
    pub fn innermost(&self, block: BlockId) -> Option<ComponentId> {
        self.innermost[block.index()]
    }

    /// Whether a path leads from the entry to the block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.reachable[block.index()]
    }

    /// The number of components that contain a block whose innermost component is `component`.
    pub fn depth(&self, component: Option<ComponentId>) -> u32 {
        component.map_or(0, |c| self[c].depth)
    }

    /// The innermost component that contains both.
    pub fn common(&self, a: Option<ComponentId>, b: Option<ComponentId>) -> Option<ComponentId> {
        let (mut a, mut b) = (a, b);
        while a != b {
            if self.depth(a) >= self.depth(b) {
                a = a.and_then(|c| self[c].parent);
            } else {
                b = b.and_then(|c| self[c].parent);
            }
        }
        a
    }

    /// Whether a block lies in a component, however deep.
    pub fn contains(&self, component: ComponentId, block: BlockId) -> bool {
        self.common(Some(component), self.innermost(block)) == Some(component)
    }
}

impl std::ops::Index<ComponentId> for Wto {
    type Output = Component;

    fn index(&self, id: ComponentId) -> &Component {
        &self.components[id.0 as usize]
    }
}

/// The working memory of Tarjan's algorithm; only the entries of the current nodes are meaningful.
struct Search {
    task_of: Vec<u32>,
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

impl Search {
    /// The strongly connected components of `task.nodes`, all of which are reachable from `task.start`; each starts
    /// with the node that was visited first. If the task is a component, edges into its head do not count.
    fn strong_components(&mut self, successors: &[Vec<BlockId>], task: &Task, number: u32) -> Vec<Vec<u32>> {
        for &node in &task.nodes {
            self.task_of[node as usize] = number;
            self.index[node as usize] = UNVISITED;
        }
        let blocked = task.component.map(|_| task.start);
        let mut parts = Vec::new();
        let mut stack = Vec::new();
        let mut counter = 0;
        let mut calls = vec![(task.start, 0)];
        while let Some((node, edge)) = calls.last_mut() {
            let n = *node as usize;
            if *edge == 0 {
                self.index[n] = counter;
                self.low[n] = counter;
                counter += 1;
                stack.push(*node);
                self.on_stack[n] = true;
            }
            if let Some(next) = successors[n].get(*edge) {
                *edge += 1;
                let s = next.index();
                if self.task_of[s] != number || Some(next.0) == blocked {
                    continue;
                }
                if self.index[s] == UNVISITED {
                    calls.push((next.0, 0));
                } else if self.on_stack[s] {
                    self.low[n] = self.low[n].min(self.index[s]);
                }
                continue;
            }
            if self.low[n] == self.index[n] {
                let start = stack.iter().rposition(|&s| s as usize == n).expect("a root is on the stack");
                let part = stack.split_off(start);
                for &s in &part {
                    self.on_stack[s as usize] = false;
                }
                parts.push(part);
            }
            let low = self.low[n];
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                let c = *caller as usize;
                self.low[c] = self.low[c].min(low);
            }
        }
        parts
    }
}
