//! Which procedures call which.
//!
//! Calls are statements that name their callee, so all of them are known; calls through pointers are made choices
//! among such statements by the front ends.

use std::collections::BTreeSet;

use crate::{Body, ProcId, Program, StatementKind};

impl Body {
    /// What it calls, in order, once for each call.
    pub fn calls(&self) -> impl Iterator<Item = ProcId> + '_ {
        self.blocks.iter().flat_map(|b| &b.statements).filter_map(|s| match s.kind {
            StatementKind::Call { callee, .. } => Some(callee),
            _ => None,
        })
    }
}

impl Program {
    /// What the bodies of a procedure call, in order, once for each call.
    pub fn calls(&self, procedure: ProcId) -> impl Iterator<Item = ProcId> + '_ {
        self[procedure].bodies.iter().flat_map(Body::calls)
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

    /// Whether a procedure may call itself, directly or through others.
    pub fn is_recursive(&self, procedure: ProcId) -> bool {
        let direct: Vec<ProcId> = self.calls(procedure).collect();
        self.reachable(&direct).contains(&procedure)
    }
}
