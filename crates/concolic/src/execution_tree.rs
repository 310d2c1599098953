//! The symbolic execution tree: all runs of an exploration, merged by their common prefixes.
//!
//! **Idea.** A node is a decision, an arm one of its outcomes. Runs that share a prefix share its nodes. An arm is
//! *open* until a run takes it or a proof closes it. The arm of an assumption that does not hold is never open:
//! nothing is to be found there. The arm of a preference that does not hold is *held*: it opens when nothing is open
//! behind the other one. Every node remembers a run that passed it, whose inputs satisfy all conditions on the path
//! to it.
//!
//! Example: a first run of `if (a) { if (b) … }` with both conditions true makes two nodes, each with one taken and
//! one open arm; the open arms are the queries `!a` and `a && !b`.
//!
//! **Direction of error.** None: runs with equal prefixes must have equal decisions; a run that contradicts the tree
//! is an internal error.

use footpath_term::TermId;

use super::decisions::{Decision, DecisionKind};

/// A node.
pub(super) type NodeId = u32;

/// An arm of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ArmId {
    pub(super) node: NodeId,
    pub(super) arm: u32,
}

/// The state of an arm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arm {
    /// No run took it, and no query was asked about it.
    Open,
    /// No run continued behind it, and none should while the preference can be met.
    Held,
    /// Queried this many times without an answer.
    Deferred(u8),
    /// A run took it; the next decision, if there was one.
    Taken(Option<NodeId>),
    /// A proof says that no run takes it.
    Refuted,
    /// It need not be explored.
    Closed,
    /// Given up: the solver does not know, or its model did not lead there.
    Lost,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) parent: Option<ArmId>,
    pub(super) kind: DecisionKind,
    pub(super) site: Option<u32>,
    pub(super) term: Option<TermId>,
    /// How many decisions lie before it.
    pub(super) depth: u32,
    pub(super) arms: Vec<Arm>,
    /// A run that passed it.
    pub(super) run: u32,
    /// Open arms here and below.
    pub(super) open: u32,
}

/// What a run added to the tree.
#[derive(Debug, Default)]
pub(super) struct Added {
    /// New open arms, in the order of the path.
    pub(super) arms: Vec<ArmId>,
    /// Whether no run took this path before.
    pub(super) new_path: bool,
    /// The nodes on the path.
    pub(super) nodes: Vec<NodeId>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Whether a run has been added.
    started: bool,
    /// Arms given up.
    pub(super) lost: u64,
    /// Arms whose queries have had no answer yet.
    pub(super) deferred: Vec<ArmId>,
    /// How many arms are held.
    held: usize,
    /// Arms that were held and opened since the search last looked.
    pub(super) released: Vec<ArmId>,
}

impl Tree {
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn arm(&self, id: ArmId) -> Arm {
        self.nodes[id.node as usize].arms[id.arm as usize]
    }

    /// How many arms are open.
    pub(super) fn open(&self) -> usize {
        self.nodes.first().map_or(0, |n| n.open as usize) + self.deferred.len() + self.held
    }

    /// Adds the path of a run; one that was interrupted ends at a preference that it does not meet. Fails if it
    /// contradicts the tree: equal prefixes must lead to equal decisions.
    pub(super) fn add(
        &mut self,
        run: u32,
        decisions: &[Decision],
        interrupted: bool,
    ) -> Result<Added, String> {
        let mut added = Added::default();
        let mut at: Option<ArmId> = None;
        let mut next = (!self.nodes.is_empty()).then_some(0);
        added.new_path = !self.started;
        if self.started && self.nodes.is_empty() && !decisions.is_empty() {
            return Err("a run has decisions where another had none".to_owned());
        }
        self.started = true;
        // How many more arms are open at each node of the path.
        let mut changes: Vec<(NodeId, i64)> = Vec::with_capacity(decisions.len());
        for (i, d) in decisions.iter().enumerate() {
            let (id, own) = match next {
                Some(id) => {
                    let node = self.node(id);
                    if node.term != d.term || node.kind != d.kind || node.arms.len() != d.arms as usize {
                        return Err("equal decisions led to different ones".to_owned());
                    }
                    (id, 0)
                }
                None => {
                    added.new_path = true;
                    self.push(at, run, d, &mut added.arms)
                }
            };
            added.nodes.push(id);
            if interrupted && i + 1 == decisions.len() {
                changes.push((id, own));
                added.new_path = false;
                break;
            }
            let arm = &mut self.nodes[id as usize].arms[d.taken as usize];
            let taken = *arm;
            self.held -= usize::from(taken == Arm::Held);
            changes.push((id, own - i64::from(taken == Arm::Open)));
            next = match taken {
                Arm::Taken(next) => next,
                _ => {
                    added.new_path = true;
                    *arm = Arm::Taken(None);
                    None
                }
            };
            at = Some(ArmId { node: id, arm: d.taken });
        }
        let mut below = 0;
        for &(id, own) in changes.iter().rev() {
            below += own;
            let node = &mut self.nodes[id as usize];
            node.open = (i64::from(node.open) + below) as u32;
            below += self.release(id);
        }
        Ok(added)
    }

    /// Opens the held arm of a node if nothing is open behind its other arm; returns how many arms that opened.
    fn release(&mut self, id: NodeId) -> i64 {
        let node = &mut self.nodes[id as usize];
        if node.open > 0 || node.kind != DecisionKind::TryFirst || node.arms[0] != Arm::Held {
            return 0;
        }
        node.arms[0] = Arm::Open;
        node.open = 1;
        self.held -= 1;
        self.released.push(ArmId { node: id, arm: 0 });
        1
    }

    /// A new node; its number, and how many of its arms are open.
    fn push(&mut self, at: Option<ArmId>, run: u32, d: &Decision, open: &mut Vec<ArmId>) -> (NodeId, i64) {
        let id = self.nodes.len() as NodeId;
        if let Some(at) = at {
            self.nodes[at.node as usize].arms[at.arm as usize] = Arm::Taken(Some(id));
        }
        let depth = at.map_or(0, |a| self.node(a.node).depth + 1);
        let mut arms = vec![Arm::Open; d.arms as usize];
        if d.kind == DecisionKind::Assume && d.taken == 1 {
            arms[0] = Arm::Closed;
        }
        if d.kind == DecisionKind::TryFirst {
            arms[0] = Arm::Held;
            self.held += 1;
        }
        let count = arms.iter().filter(|a| **a == Arm::Open).count() as i64;
        let others = (0..d.arms).filter(|&arm| arms[arm as usize] == Arm::Open && arm != d.taken);
        open.extend(others.map(|arm| ArmId { node: id, arm }));
        self.nodes.push(Node {
            parent: at,
            kind: d.kind,
            site: d.site,
            term: d.term,
            depth,
            arms,
            run,
            open: 0,
        });
        (id, count)
    }

    /// Sets the state of an arm.
    pub(super) fn set(&mut self, id: ArmId, arm: Arm) {
        let before = std::mem::replace(&mut self.nodes[id.node as usize].arms[id.arm as usize], arm);
        let change = i64::from(arm == Arm::Open) - i64::from(before == Arm::Open);
        self.held -= usize::from(before == Arm::Held);
        if change != 0 {
            self.count(Some(id), change);
        }
        match arm {
            Arm::Deferred(_) => self.deferred.push(id),
            Arm::Lost => self.lost += 1,
            _ => {}
        }
    }

    fn count(&mut self, mut at: Option<ArmId>, mut change: i64) {
        while let Some(arm) = at {
            let node = &mut self.nodes[arm.node as usize];
            node.open = (i64::from(node.open) + change) as u32;
            at = node.parent;
            change += self.release(arm.node);
        }
    }

    /// The decisions on the path to an arm and its own, from the root: the condition, and whether it holds. Free
    /// choices have no condition.
    pub(super) fn path(&self, arm: ArmId) -> Vec<(NodeId, u32)> {
        let mut path = vec![(arm.node, arm.arm)];
        let mut at = self.node(arm.node).parent;
        while let Some(a) = at {
            path.push((a.node, a.arm));
            at = self.node(a.node).parent;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(taken: u32) -> Decision {
        Decision { kind: DecisionKind::Choice, site: None, term: None, taken, arms: 2 }
    }

    #[test]
    fn prefixes_are_shared_and_open_arms_counted() {
        let mut tree = Tree::default();
        let first = tree.add(0, &[choice(0), choice(0)], false).expect("a first run");
        assert_eq!((first.arms.len(), tree.open()), (2, 2));
        let second = tree.add(1, &[choice(0), choice(1)], false).expect("a second run");
        assert!(second.new_path && second.arms.is_empty());
        assert_eq!((tree.nodes.len(), tree.open()), (2, 1));
        assert!(!tree.add(2, &[choice(0), choice(1)], false).expect("the same run").new_path);
        tree.set(ArmId { node: 0, arm: 1 }, Arm::Refuted);
        assert_eq!(tree.open(), 0);
    }

    #[test]
    fn what_a_preference_holds_back_opens_when_nothing_is_left_that_meets_it() {
        let prefer = |taken| Decision { kind: DecisionKind::TryFirst, ..choice(taken) };
        let mut tree = Tree::default();
        let interrupted = tree.add(0, &[choice(0), prefer(0)], true).expect("a first run");
        let held = ArmId { node: 1, arm: 0 };
        assert_eq!(interrupted.arms, [ArmId { node: 0, arm: 1 }, ArmId { node: 1, arm: 1 }]);
        assert!(!interrupted.new_path && tree.arm(held) == Arm::Held && tree.open() == 3);
        let met = tree.add(1, &[choice(0), prefer(1), choice(1)], false).expect("a second run");
        assert_eq!((met.arms.len(), tree.arm(held)), (1, Arm::Held));
        tree.set(met.arms[0], Arm::Refuted);
        assert_eq!((tree.arm(held), &tree.released[..], tree.open()), (Arm::Open, &[held][..], 2));
        assert!(tree.add(2, &[choice(0), prefer(0)], false).expect("the first run again").new_path);
        assert_eq!(tree.open(), 1);
    }
}
