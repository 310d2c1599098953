//! Which procedures call which.
//!
//! Calls are statements that name their callee, so all of them are known; calls through pointers are made choices
//! among such statements by the front ends.

use std::collections::BTreeSet;

use footpath_term::SymbolId;

use crate::{Block, Body, ProcId, Procedure, Program, StatementKind};

impl Block {
    /// What it calls, in order, once for each call.
    pub fn calls(&self) -> impl Iterator<Item = ProcId> + '_ {
        self.statements.iter().filter_map(|s| match s.kind {
            StatementKind::Call { callee, .. } => Some(callee),
            _ => None,
        })
    }
}

impl Body {
    /// What it calls, in order, once for each call.
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
    /// The order in which procedures are found.
    index: Option<u32>,
    /// The first one that it leads back to, as far as is known.
    low: u32,
    /// Whether its group is complete.
    done: bool,
}

impl Program {
    /// The numbers of all procedures.
    pub fn ids(&self) -> impl Iterator<Item = ProcId> + use<> {
        (0..self.procedures.len() as u32).map(ProcId)
    }

    /// What the bodies of a procedure call, in order, once for each call.
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

    /// The procedures with bodies that runs from the given ones can get to, those included, in order.
    pub fn reachable(&self, from: &[ProcId]) -> Vec<ProcId> {
        let mut seen: BTreeSet<ProcId> = from.iter().copied().collect();
        let mut todo: Vec<ProcId> = seen.iter().copied().collect();
        while let Some(p) = todo.pop() {
            todo.extend(self.calls(p).filter(|q| seen.insert(*q)));
        }
        seen.into_iter().filter(|p| !self[*p].bodies.is_empty()).collect()
    }

    /// The procedures in groups of those that may come back to each other; callees come before callers.
    ///
    /// These are the strongly connected components of the call graph, by Tarjan's algorithm (SIAM Journal on Computing 1,
    /// 1972) without recursion, since chains of calls are long.
    pub fn components(&self) -> Vec<Vec<ProcId>> {
        let all: Vec<ProcId> = self.ids().collect();
        self.components_below(&all)
    }

    /// The same of the procedures that runs from the given ones can get to, and of those.
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

    /// The procedures that may call themselves, directly or through others, among those that runs from the given ones can
    /// get to, and those.
    pub fn recursive_below(&self, from: &[ProcId]) -> BTreeSet<ProcId> {
        let returns = |group: &Vec<ProcId>| group.len() > 1 || self.calls(group[0]).any(|p| p == group[0]);
        self.components_below(from).into_iter().filter(returns).flatten().collect()
    }

    /// The program in which only those procedures have bodies that are wanted; calls of others are their contracts.
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
