//! The call graph: which procedures call which, and which are recursive.
//!
//! A call statement names its callee, so all calls are known. Calls through pointers become choices among such
//! statements in the front ends.
//!
//! **Idea.** The recursive groups are the strongly connected components of the call graph, found by Tarjan's
//! algorithm (SIAM Journal on Computing 1, 1972).
//!
//! **Example.** If `main` calls `even`, and `even` and `odd` call each other, then the components are `{even, odd}`
//! and `{main}`, callees first.
//!
//! **Direction of error.** A call counts although no run may reach it, so reachable and recursive procedures are
//! over-approximated.

use std::collections::BTreeSet;

use footpath_term::SymbolId;

use crate::{Block, Body, ProcId, Procedure, Program, StatementKind};

impl Block {
    /// The callees of the block, in order, once for each call.
    pub fn calls(&self) -> impl Iterator<Item = ProcId> + '_ {
        self.statements.iter().filter_map(|s| match s.kind {
            StatementKind::Call { callee, .. } => Some(callee),
            _ => None,
        })
    }
}

impl Body {
    /// The callees of the body, in order, once for each call.
    pub fn calls(&self) -> impl Iterator<Item = ProcId> + '_ {
        self.blocks.iter().flat_map(Block::calls)
    }
}

impl Procedure {
    /// The procedure with these bodies instead of its own.
    fn with(&self, bodies: Vec<Body>) -> Procedure {
        Procedure {
            name: self.name.clone(),
            type_params: self.type_params.clone(),
            params: self.params.clone(),
            results: self.results.clone(),
            requires: self.requires.clone(),
            ensures: self.ensures.clone(),
            modifies: self.modifies.clone(),
            bodies,
            span: self.span,
            attributes: self.attributes.clone(),
        }
    }
}

/// A procedure during [`Program::components`].
#[derive(Clone, Copy, Default)]
struct Node {
    /// The number in the order of discovery.
    index: Option<u32>,
    /// The smallest number that can be reached, as far as is known (Tarjan's low link).
    low: u32,
    /// Whether its component is complete.
    done: bool,
}

impl Program {
    /// The ids of all procedures.
    pub fn ids(&self) -> impl Iterator<Item = ProcId> + use<> {
        (0..self.procedures.len() as u32).map(ProcId)
    }

    /// The callees of a procedure's bodies, in order, once for each call.
    pub fn calls(&self, procedure: ProcId) -> impl Iterator<Item = ProcId> + '_ {
        self[procedure].bodies.iter().flat_map(Body::calls)
    }

    /// The variables that a statement may change.
    pub fn changed_by(&self, statement: &StatementKind) -> Vec<SymbolId> {
        let mut changed = statement.sets();
        if let StatementKind::Call { callee, .. } = statement {
            changed.extend(&self[*callee].modifies);
        }
        changed
    }

    /// The procedures with bodies that runs from the given ones may call, those included, in order.
    pub fn reachable(&self, from: &[ProcId]) -> Vec<ProcId> {
        let mut seen: BTreeSet<ProcId> = from.iter().copied().collect();
        let mut todo: Vec<ProcId> = seen.iter().copied().collect();
        while let Some(p) = todo.pop() {
            todo.extend(self.calls(p).filter(|q| seen.insert(*q)));
        }
        seen.into_iter().filter(|p| !self[*p].bodies.is_empty()).collect()
    }

    /// The strongly connected components of the call graph: the procedures in groups that may call each other
    /// recursively, callees before callers.
    ///
    /// The algorithm is Tarjan's (SIAM Journal on Computing 1, 1972) without recursion, since chains of calls are
    /// long.
    pub fn components(&self) -> Vec<Vec<ProcId>> {
        let all: Vec<ProcId> = self.ids().collect();
        self.components_below(&all)
    }

    /// As [`Program::components`], restricted to the given procedures and those that runs from them may call.
    pub fn components_below(&self, from: &[ProcId]) -> Vec<Vec<ProcId>> {
        let mut callees: Vec<Vec<ProcId>> = vec![Vec::new(); self.procedures.len()];
        let mut nodes = vec![Node::default(); callees.len()];
        let mut groups: Vec<Vec<ProcId>> = Vec::new();
        let (mut open, mut next) = (Vec::new(), 0);
        for root in from.iter().map(|p| p.index()) {
            let mut work = if nodes[root].index.is_none() { vec![(root, 0)] } else { Vec::new() };
            while let Some((p, k)) = work.pop() {
                if k == 0 {
                    callees[p] = self.calls(ProcId(p as u32)).collect();
                    nodes[p] = Node { index: Some(next), low: next, done: false };
                    next += 1;
                    open.push(p);
                } else {
                    let before = nodes[callees[p][k - 1].index()];
                    if !before.done {
                        nodes[p].low = nodes[p].low.min(before.low);
                    }
                }
                if let Some(callee) = callees[p].get(k) {
                    work.push((p, k + 1));
                    if nodes[callee.index()].index.is_none() {
                        work.push((callee.index(), 0));
                    }
                } else if nodes[p].index == Some(nodes[p].low) {
                    let start = open.iter().rposition(|&q| q == p).unwrap_or(0);
                    let group = open.split_off(start);
                    group.iter().for_each(|&q| nodes[q].done = true);
                    groups.push(group.into_iter().map(|q| ProcId(q as u32)).collect());
                }
            }
        }
        groups
    }

    /// The recursive procedures, directly or through others, among the given ones and those that runs from them may
    /// call.
    pub fn recursive_below(&self, from: &[ProcId]) -> BTreeSet<ProcId> {
        let returns = |group: &Vec<ProcId>| group.len() > 1 || self.calls(group[0]).any(|p| p == group[0]);
        self.components_below(from).into_iter().filter(returns).flatten().collect()
    }

    /// The roots of the call graph above a procedure with a body: those among the `starts` from which calls lead to it, and to which
    /// calls lead from none but procedures that they call themselves. So `a` is one of `c` if `a` calls `b` and `b` calls `c`,
    /// and if `b` calls `a`, too, both are.
    pub fn roots_above(&self, target: ProcId, starts: impl Fn(ProcId) -> bool) -> Vec<ProcId> {
        let below = self.ids().filter(|p| starts(*p)).map(|p| (p, self.reachable(&[p])));
        let above: Vec<(ProcId, Vec<ProcId>)> = below.filter(|(_, below)| below.contains(&target)).collect();
        let is_root = |(root, below): &&(ProcId, Vec<ProcId>)| {
            above.iter().all(|(caller, called)| !called.contains(root) || below.contains(caller))
        };
        above.iter().filter(is_root).map(|(root, _)| *root).collect()
    }

    /// The program in which only the wanted procedures have bodies; calls of others are replaced by their contracts.
    pub fn with_bodies(&self, wanted: impl Fn(ProcId) -> bool) -> Program {
        let procedure = |(number, procedure): (usize, &Procedure)| {
            let bodies = if wanted(ProcId(number as u32)) { procedure.bodies.clone() } else { Vec::new() };
            procedure.with(bodies)
        };
        Program {
            terms: self.terms.clone(),
            types: self.types.clone(),
            functions: self.functions.clone(),
            constants: self.constants.clone(),
            globals: self.globals.clone(),
            axioms: self.axioms.clone(),
            procedures: self.procedures.iter().enumerate().map(procedure).collect(),
        }
    }

    /// Whether a procedure may call itself, directly or through others.
    pub fn is_recursive(&self, procedure: ProcId) -> bool {
        let direct: Vec<ProcId> = self.calls(procedure).collect();
        self.reachable(&direct).contains(&procedure)
    }
}
