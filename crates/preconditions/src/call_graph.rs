//! The call graph: which procedures call which, how often, and which results and effects of calls are read.

use footpath_ir::{Body, ProcId, Program, StatementKind, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The calls below some procedures.
pub(crate) struct Graph {
    /// The procedures with bodies that are called, callees first; mutually recursive ones together.
    pub(crate) groups: Vec<Vec<ProcId>>,
    callees: FxHashMap<ProcId, Vec<ProcId>>,
    /// How many calls of each one inlining would make, not counting recursion.
    calls: FxHashMap<ProcId, u64>,
    /// The symbols on which some condition, argument or result may depend.
    read: FxHashSet<SymbolId>,
}

impl Graph {
    pub(crate) fn of(program: &Program, roots: &[(ProcId, u32)]) -> Graph {
        let own = || roots.iter().map(|&(root, body)| &program[root].bodies[body as usize]);
        let below = called(program, own());
        let mut groups = program.components_below(&below);
        for group in &mut groups {
            group.retain(|&p| !program[p].bodies.is_empty());
            group.sort_unstable();
        }
        groups.retain(|group| !group.is_empty());
        let order: Vec<ProcId> = groups.iter().flatten().copied().collect();
        let callees = order.iter().map(|&p| (p, called(program, &program[p].bodies))).collect();
        let mut graph = Graph { groups, callees, calls: FxHashMap::default(), read: FxHashSet::default() };
        graph.count(&below);
        let bodies = order.iter().flat_map(|&p| &program[p].bodies).chain(own());
        graph.read = read(program, bodies);
        graph
    }

    fn count(&mut self, below: &[ProcId]) {
        for &p in below {
            *self.calls.entry(p).or_default() += 1;
        }
        for group in self.groups.iter().rev() {
            for &p in group {
                let own = self.calls.get(&p).copied().unwrap_or_default();
                for &callee in self.callees[&p].iter().filter(|c| !group.contains(c)) {
                    let count = self.calls.entry(callee).or_default();
                    *count = count.saturating_add(own.max(1));
                }
            }
        }
    }

    pub(crate) fn calls(&self, p: ProcId) -> u64 {
        self.calls.get(&p).copied().unwrap_or_default()
    }

    pub(crate) fn is_recursive(&self, p: ProcId) -> bool {
        self.groups
            .iter()
            .any(|group| group.contains(&p) && (group.len() > 1 || self.callees[&p].contains(&p)))
    }

    /// Whether a global is read somewhere.
    pub(crate) fn reads(&self, global: SymbolId) -> bool {
        self.read.contains(&global)
    }

    /// The outputs of a procedure that are read elsewhere: its results, and globals.
    pub(crate) fn outputs(&self, program: &Program, p: ProcId) -> FxHashSet<SymbolId> {
        let globals = program.globals.iter().map(|g| g.variable.symbol).filter(|s| self.read.contains(s));
        program[p].bodies[0].results.iter().map(|v| v.symbol).chain(globals).collect()
    }
}

/// The procedures with bodies that bodies call, once for each call.
fn called<'b>(program: &Program, bodies: impl IntoIterator<Item = &'b Body>) -> Vec<ProcId> {
    let calls = bodies.into_iter().flat_map(Body::calls);
    calls.filter(|callee| !program[*callee].bodies.is_empty()).collect()
}

/// The symbols on which conditions, arguments and results may depend.
fn read<'b>(program: &'b Program, bodies: impl Iterator<Item = &'b Body>) -> FxHashSet<SymbolId> {
    let mut assigned: FxHashMap<SymbolId, Vec<TermId>> = FxHashMap::default();
    let mut stack: Vec<TermId> = Vec::new();
    let mut found: FxHashSet<SymbolId> = FxHashSet::default();
    let mut results: Vec<SymbolId> = Vec::new();
    for clause in program.procedures.iter().flat_map(|p| p.requires.iter().chain(&p.ensures)) {
        stack.push(clause.condition);
    }
    stack.extend(program.globals.iter().filter_map(|g| g.variable.where_clause));
    let olds: FxHashMap<SymbolId, SymbolId> =
        program.globals.iter().map(|g| (g.old, g.variable.symbol)).collect();
    for body in bodies {
        results.extend(body.results.iter().map(|v| v.symbol));
        stack.extend(body.results.iter().chain(&body.locals).filter_map(|v| v.where_clause));
        for block in &body.blocks {
            for statement in &block.statements {
                match &statement.kind {
                    StatementKind::Assign(pairs) => {
                        for &(s, t) in pairs {
                            assigned.entry(s).or_default().push(t);
                        }
                    }
                    StatementKind::Assume(c) | StatementKind::TryFirst(c) => stack.push(*c),
                    StatementKind::Assert { condition, premise, .. } => {
                        stack.push(*condition);
                        stack.extend(premise);
                    }
                    StatementKind::Call { args, .. } => stack.extend(args.iter().flatten()),
                    StatementKind::Havoc(_) => {}
                }
            }
            if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
                stack.push(condition);
            }
        }
    }
    for result in results {
        found.insert(result);
        stack.extend(assigned.remove(&result).unwrap_or_default());
    }
    let mut seen = FxHashSet::default();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        let term = program.terms.term(t);
        stack.extend(&term.args);
        let Op::Var(s) = term.op else { continue };
        for s in [Some(s), olds.get(&s).copied()].into_iter().flatten() {
            if found.insert(s) {
                stack.extend(assigned.remove(&s).unwrap_or_default());
            }
        }
    }
    found
}
