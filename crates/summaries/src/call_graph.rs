//! Call graph and side effects: which procedures are recursive, and which globals a call may write (mod analysis).
//!
//! **Example.** If `f` writes `g` and calls `h`, which writes `k`, then a call of `f` may write `g` and `k`.
//!
//! **Direction of error.** The writes of a call are an over-approximation: all that any statement of any procedure
//! that can be called assigns or havocs.

use footpath_ir::{ProcId, Program, StatementKind};
use footpath_term::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The call graph of a program with its strongly connected components, and the globals that calls may write.
#[derive(Debug)]
pub(crate) struct Graph {
    callees: Vec<Vec<ProcId>>,
    /// For each procedure, its component.
    component: Vec<u32>,
    /// For each component, its members.
    members: Vec<Vec<ProcId>>,
    /// For each component, whether its procedures are recursive.
    cyclic: Vec<bool>,
    /// For each component, the globals that a call of a member may write; callees come before callers.
    writes: Vec<Vec<SymbolId>>,
    /// For each component, whether all that can be called from it can be summarised.
    plain: Vec<bool>,
}

impl Graph {
    /// The graph of a program.
    pub(crate) fn of(program: &Program) -> Graph {
        let callees: Vec<Vec<ProcId>> = program.procedures.iter().map(|p| callees(&p.bodies)).collect();
        let members = program.components();
        let mut component = vec![0; callees.len()];
        for (number, group) in members.iter().enumerate() {
            group.iter().for_each(|p| component[p.index()] = number as u32);
        }
        let mut graph =
            Graph { callees, component, cyclic: Vec::new(), writes: Vec::new(), plain: Vec::new(), members };
        let globals: FxHashSet<SymbolId> = program.globals.iter().map(|g| g.variable.symbol).collect();
        for number in 0..graph.members.len() {
            let members = graph.members[number].clone();
            let is_member = |p: &ProcId| graph.number(*p) == number;
            let own = |p: &ProcId| graph.callees[p.index()].iter().any(is_member);
            let is_cyclic = members.iter().any(own);
            let mut writes = FxHashSet::default();
            let mut plain = true;
            for &p in &members {
                plain &= program[p].type_params.is_empty();
                written(program, p, &globals, &mut writes);
                for callee in graph.callees[p.index()].iter().filter(|c| !is_member(c)) {
                    let below = graph.component[callee.index()] as usize;
                    writes.extend(graph.writes[below].iter().copied());
                    plain &= graph.plain[below];
                }
            }
            let mut writes: Vec<SymbolId> = writes.into_iter().collect();
            writes.sort_unstable();
            graph.cyclic.push(is_cyclic);
            graph.writes.push(writes);
            graph.plain.push(plain);
        }
        graph
    }

    fn number(&self, p: ProcId) -> usize {
        self.component[p.index()] as usize
    }

    /// The callees of a procedure, each once.
    pub(crate) fn callees(&self, p: ProcId) -> &[ProcId] {
        &self.callees[p.index()]
    }

    /// Whether two procedures may call each other, directly or through others.
    pub(crate) fn together(&self, p: ProcId, q: ProcId) -> bool {
        self.number(p) == self.number(q) && self.cyclic[self.number(p)]
    }

    /// Whether a procedure is recursive.
    pub(crate) fn is_recursive(&self, p: ProcId) -> bool {
        self.cyclic[self.number(p)]
    }

    /// The globals that a call may write.
    pub(crate) fn writes(&self, p: ProcId) -> &[SymbolId] {
        &self.writes[self.number(p)]
    }

    /// Whether a procedure, and all it may call, can be summarised: none has type parameters.
    pub(crate) fn is_plain(&self, p: ProcId) -> bool {
        self.plain[self.number(p)]
    }

    /// The number of blocks of each procedure if all calls are inlined; recursive calls count once.
    pub(crate) fn sizes(&self, program: &Program) -> Vec<usize> {
        let mut sizes = vec![0usize; self.callees.len()];
        for members in &self.members {
            for &p in members {
                let mut size = 0usize;
                for body in &program[p].bodies {
                    size = size.saturating_add(body.blocks.len());
                    size = body.calls().fold(size, |size, c| size.saturating_add(sizes[c.index()]));
                }
                sizes[p.index()] = size;
            }
        }
        sizes
    }
}

impl Graph {
    /// The number of copies of each procedure that inlining all calls would make, in the procedure where these are
    /// most; recursive calls count once.
    pub(crate) fn copies(&self, program: &Program) -> Vec<u64> {
        let procedures = program.ids();
        let calls: Vec<Vec<ProcId>> = procedures.map(|p| program.calls(p).collect()).collect();
        let mut is_called = vec![false; calls.len()];
        for (caller, callees) in calls.iter().enumerate() {
            for callee in callees.iter().filter(|c| !self.together(ProcId(caller as u32), **c)) {
                is_called[callee.index()] = true;
            }
        }
        let mut most = vec![1u64; calls.len()];
        for root in (0..calls.len()).filter(|&p| !is_called[p]) {
            let mut here = vec![0u64; calls.len()];
            here[root] = 1;
            // Callers come after callees.
            for members in self.members.iter().rev() {
                let together: u64 = members.iter().fold(0, |sum, p| sum.saturating_add(here[p.index()]));
                if together == 0 {
                    continue;
                }
                for &p in members {
                    most[p.index()] = most[p.index()].max(together);
                    for callee in calls[p.index()].iter().filter(|c| self.number(**c) != self.number(p)) {
                        here[callee.index()] = here[callee.index()].saturating_add(together);
                    }
                }
            }
        }
        most
    }
}

/// The callees of bodies, each once.
pub(crate) fn callees(bodies: &[footpath_ir::Body]) -> Vec<ProcId> {
    let mut found = Vec::new();
    for callee in bodies.iter().flat_map(footpath_ir::Body::calls) {
        if !found.contains(&callee) {
            found.push(callee);
        }
    }
    found
}

/// Adds what the statements of a procedure write, or what its contract modifies if it has no body.
fn written(program: &Program, p: ProcId, globals: &FxHashSet<SymbolId>, into: &mut FxHashSet<SymbolId>) {
    let procedure = &program[p];
    if procedure.bodies.is_empty() {
        into.extend(procedure.modifies.iter().copied());
    }
    let mut add = |s: SymbolId| {
        if globals.contains(&s) {
            into.insert(s);
        }
    };
    for statement in procedure.bodies.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.statements) {
        match &statement.kind {
            StatementKind::Assign(pairs) => pairs.iter().for_each(|&(s, _)| add(s)),
            StatementKind::Havoc(symbols) => symbols.iter().copied().for_each(&mut add),
            StatementKind::Call { results, .. } => results.iter().flatten().copied().for_each(&mut add),
            StatementKind::Assume(_) | StatementKind::Assert { .. } | StatementKind::TryFirst(_) => {}
        }
    }
}

/// A chain of calls, represented by how often each procedure of a component is active in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Chain {
    /// The procedure at its end.
    pub(crate) procedure: ProcId,
    /// The active members of its component, itself included, and how often each.
    pub(crate) counts: Vec<(ProcId, u32)>,
}

impl Chain {
    /// The chain that starts with a procedure.
    pub(crate) fn start(procedure: ProcId) -> Chain {
        Chain { procedure, counts: vec![(procedure, 1)] }
    }

    /// The chain after a call; `None` if the callee is active more than `recursion` times already.
    pub(crate) fn call(&self, graph: &Graph, callee: ProcId, recursion: u32) -> Option<Chain> {
        if !graph.together(self.procedure, callee) {
            return Some(Chain::start(callee));
        }
        let mut counts: FxHashMap<ProcId, u32> = self.counts.iter().copied().collect();
        let under_way = counts.entry(callee).or_insert(0);
        if *under_way > recursion {
            return None;
        }
        *under_way += 1;
        let mut counts: Vec<(ProcId, u32)> = counts.into_iter().collect();
        counts.sort_unstable();
        Some(Chain { procedure: callee, counts })
    }
}
