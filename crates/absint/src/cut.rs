//! Loop cutting: each loop is replaced by one arbitrary iteration under its invariant, so that a formula can describe
//! the body.
//!
//! **Idea.** Where a loop is entered, the variables that it changes get arbitrary values, and the inferred invariant
//! of its head is assumed. The body of the loop is kept once, and the back edge ends there. Invariants that the
//! program asserts at the head are proved by induction: they are checked on entry and at the back edge, and they are
//! assumed in the iteration, since a run that violates one does not continue. Boogie treats loops in this way
//! (Barnett, Leino, "Weakest-precondition of unstructured programs", PASTE 2005).
//!
//! **Example.** `i := 0; while (i < n) { i := i + 1; } assert i >= 0;` becomes `i := 0; havoc i; assume 0 <= i;`
//! followed by a branch: either `assume i < n; i := i + 1;` and the end, or `assume i >= n; assert i >= 0;`.
//!
//! **Deviations.** An invariant that was inferred under given conditions is assumed as an implication from these
//! conditions, so that a proof that needs the invariant also names the conditions.
//!
//! **Direction of error.** The result over-approximates: for every run of the body that reaches a block it has a run
//! that reaches the block in the same state. A body with a loop that can be entered at another block than its head
//! has no result.

use std::sync::Arc;

use footpath_ir::analysis::wto::{ComponentId, Wto};
use footpath_ir::{
    AssertKind, Block, BlockId, Body, Place, ProcId, Program, Statement, StatementKind, Terminator,
    TerminatorKind,
};
use footpath_term::{Op, SymbolId, TermId, Terms};
use footpath_transform::LoopFree;
use rustc_hash::FxHashSet;

use crate::analysis::{Calls, entry, without_calls};
use crate::condition::{assume, merge};
use crate::fixpoint::{Effort, fixpoint, reverse_postorder};
use crate::invariant;

/// Cuts the loops of body number `body_index` of a procedure, with calls replaced as [`Calls`] says. Invariants that
/// were inferred if all `given` conditions hold at the start are assumed under these conditions. `None` if the
/// analysis gave up or a loop cannot be cut.
pub fn cut_loops(
    program: &Program,
    procedure: ProcId,
    body_index: u32,
    calls: Calls,
    effort: Effort,
    given: &[TermId],
) -> Option<LoopFree> {
    let mut terms = Terms::layer(program.terms.clone());
    let inlined = without_calls(program, &mut terms, procedure, body_index, calls, &[]).inlined;
    let wto = Wto::of(&inlined.body);
    let heads = heads(&inlined.body, &wto)?;
    let invariants = invariants(program, &mut terms, &inlined.body, &heads, effort, given)?;
    let mut cutter = Cutter::new(program, inlined.body, inlined.depths, &mut terms);
    for (&(component, head), invariant) in heads.iter().zip(invariants) {
        cutter.cut(&wto, component, head, invariant);
    }
    let (body, depths) = cutter.finish();
    let unit = LoopFree {
        terms,
        procedure,
        body_index,
        cyclic: body.clone(),
        body,
        depths,
        cuts: Vec::new(),
        limited: Vec::new(),
        recursive: Vec::new(),
        activation_locals: inlined.activation_locals,
        notes: Vec::new(),
    };
    // A graph that the passes make is fit to be encoded, and cutting keeps it so; if not, nothing is claimed.
    unit.check().is_empty().then_some(unit)
}

/// The components with their heads; `None` if one is entered past its head.
fn heads(body: &Body, wto: &Wto) -> Option<Vec<(ComponentId, BlockId)>> {
    let ids = (0..wto.components.len() as u32).map(ComponentId);
    let heads: Vec<(ComponentId, BlockId)> = ids.map(|c| (c, wto[c].head)).collect();
    for block in body.block_ids().filter(|b| wto.is_reachable(*b)) {
        for to in body[block].terminator.successors() {
            let enters_past = |&&(c, head): &&(ComponentId, BlockId)| {
                wto.contains(c, to) && !wto.contains(c, block) && to != head
            };
            if heads.iter().find(enters_past).is_some() {
                return None;
            }
        }
    }
    Some(heads)
}

/// The inferred invariant of each loop head.
fn invariants(
    program: &Program,
    terms: &mut Terms,
    body: &Body,
    heads: &[(ComponentId, BlockId)],
    effort: Effort,
    given: &[TermId],
) -> Option<Vec<TermId>> {
    if heads.is_empty() {
        return Some(Vec::new());
    }
    let start = entry(program, terms);
    let always = fixpoint(terms, body, start.clone(), effort);
    if always.gave_up {
        return None;
    }
    let mut under = None;
    if !given.is_empty() {
        let mut state = start;
        for &condition in given {
            let states = assume(terms, &state, condition, true);
            state = merge(&states)?;
        }
        under = Some(fixpoint(terms, body, state, effort)).filter(|found| !found.gave_up);
    }
    let all = terms.app(Op::And, given.to_vec());
    let invariant = |&(_, head): &(ComponentId, BlockId)| {
        let holds = invariant::condition(terms, &always.entered[head.index()]);
        let Some(under) = &under else { return holds };
        let more = invariant::condition(terms, &under.entered[head.index()]);
        let more = terms.app(Op::Implies, [all, more]);
        terms.app(Op::And, [holds, more])
    };
    Some(heads.iter().map(invariant).collect())
}

/// An assertion at a head: the condition for going on, the block that fails and the one behind.
struct Asserted {
    at: BlockId,
    condition: TermId,
    /// The truth value of `condition` with which a run continues.
    when: bool,
    fails: BlockId,
    next: BlockId,
}

struct Cutter<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    body: Body,
    depths: Vec<u32>,
    names: FxHashSet<Arc<str>>,
    /// How many blocks there were before any loop was cut.
    known: usize,
}

impl<'a> Cutter<'a> {
    fn new(program: &'a Program, body: Body, depths: Vec<u32>, terms: &'a mut Terms) -> Cutter<'a> {
        let names = body.blocks.iter().map(|b| b.name.clone()).collect();
        Cutter { program, terms, known: body.blocks.len(), body, depths, names }
    }

    /// Cuts a loop. Outer loops come first, so blocks that were made before do not lie in it.
    fn cut(&mut self, wto: &Wto, component: ComponentId, head: BlockId, invariant: TermId) {
        let known = self.known;
        let inside = |b: BlockId| b.index() < known && wto.contains(component, b);
        let predecessors = self.body.predecessors();
        let mut edges = predecessors[head.index()].clone();
        let changed = self.changed(&inside);
        let asserted = self.asserted(head, &predecessors);
        let behind = asserted.last().map_or(head, |a| a.next);
        // From the end to the beginning: the round, its state, the checks on the way in and back.
        let mut facts = vec![invariant];
        for a in &asserted {
            facts.push(if a.when { a.condition } else { self.terms.app(Op::Not, [a.condition]) });
        }
        let facts = facts.into_iter().map(StatementKind::Assume).collect();
        let round = self.add(head, facts, TerminatorKind::Goto(vec![behind]));
        let havoc = if changed.is_empty() { Vec::new() } else { vec![StatementKind::Havoc(changed)] };
        let start = self.add(head, havoc, TerminatorKind::Goto(vec![round]));
        let stop = self.add(head, Vec::new(), TerminatorKind::Goto(Vec::new()));
        let (way_in, way_back) = (self.checks(&asserted, start), self.checks(&asserted, stop));
        edges.sort_unstable();
        edges.dedup();
        for from in edges {
            let to = if inside(from) { way_back } else { way_in };
            for target in self.body.blocks[from.index()].terminator.successors_mut() {
                if *target == head {
                    *target = to;
                }
            }
        }
    }

    /// The variables that are assigned in a loop.
    fn changed(&self, inside: &dyn Fn(BlockId) -> bool) -> Vec<SymbolId> {
        let blocks = self.body.block_ids().take(self.known).filter(|b| inside(*b));
        let statements = blocks.flat_map(|b| &self.body[b].statements);
        let mut changed: Vec<SymbolId> = statements.flat_map(|s| s.kind.sets()).collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// The invariants that are asserted at a head, nothing before them.
    fn asserted(&self, head: BlockId, predecessors: &[Vec<BlockId>]) -> Vec<Asserted> {
        let mut found: Vec<Asserted> = Vec::new();
        let mut at = head;
        loop {
            let block = &self.body[at];
            let TerminatorKind::Branch { condition, then_to, else_to } = block.terminator.kind else { break };
            let only_here = at == head || predecessors[at.index()].len() == 1;
            if !block.statements.is_empty() || !only_here {
                break;
            }
            let (fails, next, when) = match (self.is_invariant(then_to), self.is_invariant(else_to)) {
                (true, false) => (then_to, else_to, false),
                (false, true) => (else_to, then_to, true),
                _ => break,
            };
            found.push(Asserted { at, condition, when, fails, next });
            at = next;
            if found.iter().any(|a| a.at == at) {
                break;
            }
        }
        found
    }

    /// Whether a block is where an asserted invariant fails.
    fn is_invariant(&self, block: BlockId) -> bool {
        let origin = self.body[block].origin;
        let Place::Failure { block: source, statement, .. } = origin.place else { return false };
        let body = self.program[origin.procedure].bodies.get(origin.body as usize);
        let statement = body.and_then(|b| b[source].statements.get(statement as usize));
        matches!(
            statement.map(|s| &s.kind),
            Some(StatementKind::Assert { kind: AssertKind::LoopInvariant, .. })
        )
    }

    /// Copies of the checks, the last one leading to `end`.
    fn checks(&mut self, asserted: &[Asserted], end: BlockId) -> BlockId {
        let mut next = end;
        for a in asserted.iter().rev() {
            let (fails, copied) = (self.body[a.fails].clone(), self.body[a.at].clone());
            let fails = self.push(fails, self.depths[a.fails.index()]);
            let (then_to, else_to) = if a.when { (next, fails) } else { (fails, next) };
            let kind = TerminatorKind::Branch { condition: a.condition, then_to, else_to };
            let span = copied.terminator.span;
            let block = Block { terminator: Terminator { kind, span }, ..copied };
            next = self.push(block, self.depths[a.at.index()]);
        }
        next
    }

    /// A new block beside another.
    fn add(&mut self, beside: BlockId, statements: Vec<StatementKind>, kind: TerminatorKind) -> BlockId {
        let model = &self.body[beside];
        let span = model.span;
        let block = Block {
            name: model.name.clone(),
            statements: statements.into_iter().map(|k| Statement::new(k, span)).collect(),
            terminator: Terminator { kind, span },
            span,
            origin: model.origin,
        };
        self.push(block, self.depths[beside.index()])
    }

    fn push(&mut self, mut block: Block, depth: u32) -> BlockId {
        let mut name = format!("{}.cut", block.name);
        while self.names.contains(name.as_str()) {
            name.push('\'');
        }
        block.name = name.into();
        self.names.insert(block.name.clone());
        self.body.blocks.push(block);
        self.depths.push(depth);
        BlockId(self.body.blocks.len() as u32 - 1)
    }

    /// The body in topological order, without what cannot be reached any more.
    fn finish(self) -> (Body, Vec<u32>) {
        let order = reverse_postorder(&self.body);
        let mut position = vec![None; self.body.blocks.len()];
        for (i, b) in order.iter().enumerate() {
            position[b.index()] = Some(BlockId(i as u32));
        }
        let mut body = Body { blocks: Vec::with_capacity(order.len()), ..self.body.clone() };
        let mut depths = Vec::with_capacity(order.len());
        for b in order {
            let mut block = self.body[b].clone();
            for target in block.terminator.successors_mut() {
                *target = position[target.index()].unwrap_or(*target);
            }
            body.blocks.push(block);
            depths.push(self.depths[b.index()]);
        }
        (body, depths)
    }
}
