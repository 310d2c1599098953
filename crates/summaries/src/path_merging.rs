//! Path merging (state merging): paths of a summary that differ only in values become one path with if-then-else
//! terms.
//!
//! **Idea.** Where both sides of a decision continue in the same way, the decision is not needed: the effects of both
//! sides become those of one path, under if-then-else. So a callee with such a decision costs its callers no
//! decision, and the number of paths that are known along a chain of calls is the number of procedures, instead of
//! the sum of their paths over all depths.
//!
//! **Example.** `abs` has the paths "`x < 0`, result `-x`" and "`x >= 0`, result `x`". They merge to one path with
//! the result `ite(x < 0, -x, x)`.
//!
//! Two sides are alike if their trees have the same shape: one returns where the other returns, and has the same
//! failures where the other fails. Their conditions and effects may differ. Paths are merged only if they ask for no
//! arbitrary values and enter equally many procedures, since a replay would otherwise have to know which of them it
//! is on.
//!
//! A merged effect is larger than that of a path, and where calls are nested repeatedly, it is substituted into
//! itself: its size is then that of the inlined callee, while the effects of single paths become short again by
//! constant folding. So procedures of which inlining would make many copies keep their paths.
//!
//! Merging is done once, after a procedure was explored for the first time and before any caller has seen its
//! summary. Existing nodes keep their numbers; the merged ones are new.
//!
//! **Paper.** The merges of "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), whose
//! formula joins paths, applied to the disjuncts of its summaries. The paper itself has one disjunct for each path
//! there.
//!
//! **Direction of error.** None: a merged path has the effect of that one of the two paths that a run would take.

use std::sync::Arc;

use footpath_term::{Op, SymbolId, TermId};

use crate::explore::Explorer;
use crate::tree::{Node, NodeId, Path, SummaryId};

/// The limit on nodes of sides that are compared; small trees are those that are repeated along calls.
const MAX_NODES: usize = 64;

/// Procedures of which inlining would make more copies than this are not merged.
const MAX_COPIES: u64 = 32;

/// The merged tree of two sides.
enum Both {
    Branch(TermId, Box<Both>, Box<Both>),
    Leaf(Node),
}

impl Explorer<'_> {
    /// Merges like sides in a summary that no caller has seen yet.
    pub(crate) fn merge(&mut self, id: SummaryId) {
        let procedure = self.summaries[id.index()].chain.procedure;
        let copies = self.shared.copies[procedure.index()];
        if self.shared.graph.is_recursive(procedure) || copies > MAX_COPIES {
            return;
        }
        for node in self.branches_below_first(id) {
            let Node::Branch { condition, yes, no } = self.summaries[id.index()].nodes[node.index()] else {
                continue;
            };
            let mut budget = MAX_NODES;
            if let Some(both) = self.both(id, condition, yes, no, &mut budget) {
                let before = self.path_to(id, yes, 1).unwrap_or_default();
                let leaves = leaves_of(&both);
                self.place(id, node, both, &before);
                let summary = &mut self.summaries[id.index()];
                summary.leaves = summary.leaves.saturating_sub(leaves);
            }
        }
    }

    /// The branches of a summary, lower ones first.
    fn branches_below_first(&self, id: SummaryId) -> Vec<NodeId> {
        let nodes = &self.summaries[id.index()].nodes;
        let (mut found, mut stack) = (Vec::new(), vec![NodeId::ROOT]);
        while let Some(node) = stack.pop() {
            match &nodes[node.index()] {
                Node::Branch { yes, no, .. } => {
                    found.push(node);
                    stack.extend([*yes, *no]);
                }
                Node::Choice(targets) => stack.extend(targets),
                _ => {}
            }
        }
        found.reverse();
        found
    }

    /// The common prefix of conditions of all paths through a node, up to `below` decisions above it.
    fn path_to(&self, id: SummaryId, node: NodeId, below: usize) -> Option<Vec<TermId>> {
        match &self.summaries[id.index()].nodes[node.index()] {
            Node::Branch { yes, no, .. } => {
                self.path_to(id, *yes, below + 1).or_else(|| self.path_to(id, *no, below + 1))
            }
            Node::Return(path) | Node::Fail(path, _) => {
                Some(path.path[..path.path.len().saturating_sub(below)].to_vec())
            }
            _ => None,
        }
    }

    /// The merged tree of the sides of a condition; `None` if they are not alike.
    fn both(
        &mut self,
        id: SummaryId,
        condition: TermId,
        yes: NodeId,
        no: NodeId,
        budget: &mut usize,
    ) -> Option<Both> {
        *budget = budget.checked_sub(1)?;
        let nodes = &self.summaries[id.index()].nodes;
        match (&nodes[yes.index()], &nodes[no.index()]) {
            (
                &Node::Branch { condition: c, yes: a, no: b },
                &Node::Branch { condition: d, yes: e, no: f },
            ) => {
                let first = self.both(id, condition, a, e, budget)?;
                let second = self.both(id, condition, b, f, budget)?;
                let either = self.terms.app(Op::Ite, [condition, c, d]);
                Some(Both::Branch(either, Box::new(first), Box::new(second)))
            }
            (Node::Return(a), Node::Return(b)) if is_alike(a, b) => {
                let (a, b) = (a.clone(), b.clone());
                Some(Both::Leaf(Node::Return(Arc::new(self.either(condition, &a, &b)))))
            }
            (Node::Fail(a, at), Node::Fail(b, there)) if at == there && is_alike(a, b) => {
                let (a, b, at) = (a.clone(), b.clone(), *at);
                Some(Both::Leaf(Node::Fail(Arc::new(self.either(condition, &a, &b)), at)))
            }
            (Node::Blocked(a), Node::Blocked(b)) if a.is_empty() && b.is_empty() => {
                Some(Both::Leaf(Node::Blocked(Vec::new())))
            }
            _ => None,
        }
    }

    fn either(&mut self, condition: TermId, a: &Path, b: &Path) -> Path {
        let mut choose = |x: TermId, y: TermId| self.terms.app(Op::Ite, [condition, x, y]);
        let results = a.results.iter().zip(&b.results).map(|(&x, &y)| choose(x, y)).collect();
        let mut changed: Vec<SymbolId> = a.globals.iter().chain(&b.globals).map(|(s, _)| *s).collect();
        changed.sort_unstable();
        changed.dedup();
        let mut globals = Vec::new();
        for symbol in changed {
            let unchanged = self.terms.var(symbol);
            let value =
                |p: &Path| p.globals.iter().find(|(s, _)| *s == symbol).map_or(unchanged, |(_, t)| *t);
            let value = self.terms.app(Op::Ite, [condition, value(a), value(b)]);
            globals.push((symbol, value));
        }
        Path {
            results,
            globals,
            path: Vec::new(),
            recipe: a.recipe.clone(),
            passed: Vec::new(),
            model: a.model.clone().or_else(|| b.model.clone()),
        }
    }

    /// Replaces a node by a merged tree.
    fn place(&mut self, id: SummaryId, node: NodeId, both: Both, before: &[TermId]) {
        let made = match both {
            Both::Leaf(Node::Return(path)) => Node::Return(with_conditions(path, before)),
            Both::Leaf(Node::Fail(path, at)) => Node::Fail(with_conditions(path, before), at),
            Both::Leaf(other) => other,
            Both::Branch(condition, first, second) => {
                let nodes = &mut self.summaries[id.index()].nodes;
                let yes = NodeId(nodes.len() as u32);
                let no = NodeId(yes.0 + 1);
                for _ in 0..2 {
                    nodes.push(Node::GivenUp("it is being merged".into()));
                }
                let negated = self.terms.app(Op::Not, [condition]);
                self.place(id, yes, *first, &[before, &[condition]].concat());
                self.place(id, no, *second, &[before, &[negated]].concat());
                Node::Branch { condition, yes, no }
            }
        };
        self.summaries[id.index()].nodes[node.index()] = made;
    }
}

fn leaves_of(both: &Both) -> usize {
    match both {
        Both::Branch(_, yes, no) => leaves_of(yes) + leaves_of(no),
        Both::Leaf(_) => 1,
    }
}

/// Whether a replay need not know which of two paths it is on.
fn is_alike(a: &Path, b: &Path) -> bool {
    let decided = |p: &Path| p.recipe.is_determined() && p.passed.is_empty();
    decided(a) && decided(b) && a.recipe.activations() == b.recipe.activations()
}

fn with_conditions(path: Arc<Path>, before: &[TermId]) -> Arc<Path> {
    Arc::new(Path { path: before.to_vec(), ..Arc::unwrap_or_clone(path) })
}
