//! Paths of a summary that differ in values only become one.
//!
//! **Idea.** Where both sides of a decision go on alike, the decision need not be made: what the sides do stands in one
//! path, under if-then-else. So a callee with a decision of its own costs its callers no decision, and the paths known of
//! the procedures along a chain of calls are as many as the procedures, instead of their sum over all depths.
//!
//! Two sides are alike if their trees have the same form: returns where the other returns, the same failures where the
//! other fails. Their conditions and effects may differ. Only paths are merged that ask for nothing arbitrary and enter
//! as many procedures, since a replay would otherwise have to know which of them it is on.
//!
//! A merged effect is larger than that of a path, and where calls are nested and doubled again and again, it is put into
//! itself: its size is that of the inlined callee, while the effects of single paths become short again when constants are
//! added up. So procedures of which inlining would make many copies keep their paths.
//!
//! It is done once, when a procedure was explored for the first time and before anybody has seen its summary. Nodes stay
//! where they are; the merged ones are new.
//!
//! **Paper.** The merges of "Towards Bounded Infeasible Code Detection" (Christ, Hoenicke, Schäf, 2012), whose formula
//! joins paths, for the disjuncts of its summaries. The deviation is the paper's own: it has one disjunct for each path.
//!
//! **Direction of error.** None; a merged path does what the one of the two does that a run would take.

use std::sync::Arc;

use footpath_term::{Op, SymbolId, TermId};

use crate::explore::Explorer;
use crate::tree::{Node, NodeId, Path, SummaryId};

/// How many nodes two sides have at most that are compared; small ones are what repeats along calls.
const MAX_NODES: usize = 64;

/// Procedures of which inlining would make more copies are not merged.
const MAX_COPIES: u64 = 32;

/// Two sides as one.
enum Both {
    Branch(TermId, Box<Both>, Box<Both>),
    Leaf(Node),
}

impl Explorer<'_> {
    /// Merges what is alike in a summary that nobody has seen yet.
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

    /// The branches of a summary, those further down first.
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

    /// The conditions that all paths through a node begin with, up to `below` decisions above it.
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

    /// What both sides of a condition do; `None` if they are not alike.
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

    /// Puts a merged tree in the place of a node.
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

/// Whether a replay need not know on which of two paths it is.
fn is_alike(a: &Path, b: &Path) -> bool {
    let decided = |p: &Path| p.recipe.is_determined() && p.passed.is_empty();
    decided(a) && decided(b) && a.recipe.activations() == b.recipe.activations()
}

fn with_conditions(path: Arc<Path>, before: &[TermId]) -> Arc<Path> {
    Arc::new(Path { path: before.to_vec(), ..Arc::unwrap_or_clone(path) })
}
