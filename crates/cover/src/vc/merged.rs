//! The merged encoding: strongest postconditions as a graph of terms, joined by if-then-else.
//!
//! **Idea.** Each block has a state, a term for every variable over initial and havocked values. Statements
//! substitute; where paths join, a variable with different values becomes an if-then-else of them. A block's
//! reachability is that of its immediate dominator and the condition `X` of getting from there to here:
//!
//! ```text
//! R_entry ⇔ preconditions        R_b ⇔ R_idom(b) ∧ X_b
//! ```
//!
//! At a join the incoming edges are lifted up the dominator tree, and two that meet under the arms of one branch are
//! merged under that branch's condition. So a diamond that loses no run has `X = true` at its join, `R` of the join
//! *is* `R` of the head, and the query whether a block is feasible mentions only conditions that it depends on, as in
//! gated SSA (Ottenstein, Ballance, MacCabe, PLDI 1990).
//!
//! **Example.** After `if (c) { x := 1 } else { x := 2 }` the value of `x` is `ite(c, 1, 2)`, and the join is reached
//! exactly if the branch is.
//!
//! **Deviations** from the encoding of RVC (Christ, Hoenicke, Schäf: Towards Bounded Infeasible Code Detection, 2012,
//! section 4), which is in `vc/paper.rs`:
//! 1. There is no variable `T`: that the run also ends is part of the query, as `R` of the block that returns.
//! 2. There are no incarnations: a value is a term, shared where it is used twice.
//! 3. A branch condition whose negation has another form gets a name, `B`.
//! 4. Free choices have variables, so that a model passes the blocks of one path only.
//!
//! **Direction of error.** None: it is equivalent to the paper's encoding for every block, which tests check.

use std::collections::BTreeMap;

use footpath_ir::{BlockId, TerminatorKind};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};
use footpath_transform::LoopFree;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Vc, is_free_choice};
use footpath_ir::analysis::dominators::common_dominator;
use footpath_transform::state::State;

/// Encodes a loop-free procedure. `old` maps old symbols to their globals.
pub fn encode(unit: &LoopFree, terms: &mut Terms, old: &FxHashMap<SymbolId, SymbolId>) -> Vc {
    let mut encoder = Encoder::new(unit, BlockId(0));
    let predecessors = unit.body.predecessors();
    let state = State::initial(terms, old);
    encoder.start(terms, state);
    for b in unit.body.block_ids().skip(1) {
        let entered = encoder.enter(terms, &predecessors[b.index()]);
        encoder.block(terms, b, entered);
    }
    encoder.vc
}

/// The formula of the paths from one block to another.
pub struct Window {
    /// The condition of reaching the end.
    pub reach: TermId,
    /// The constraints that it depends on, and no others.
    pub constraints: Vec<TermId>,
    /// The branches whose conditions it depends on.
    pub mentioned: FxHashSet<BlockId>,
}

/// Encodes the part of a loop-free procedure between `start`, which dominates `end`, and `end`; `start` is entered
/// in `state`. `dead` blocks are left out.
pub fn encode_window(
    unit: &LoopFree,
    terms: &mut Terms,
    start: BlockId,
    end: BlockId,
    state: State,
    dead: &FxHashSet<BlockId>,
) -> Window {
    let predecessors = unit.body.predecessors();
    let mut leads_to_end: FxHashSet<BlockId> = FxHashSet::default();
    let mut stack = vec![end];
    while let Some(b) = stack.pop() {
        if b >= start && !dead.contains(&b) && leads_to_end.insert(b) {
            stack.extend(&predecessors[b.index()]);
        }
    }
    let mut encoder = Encoder::new(unit, start);
    let no = terms.bool(false);
    for b in 0..start.0 {
        encoder.unreached(BlockId(b), no);
    }
    encoder.start(terms, state);
    for b in (start.0 + 1..=end.0).map(BlockId) {
        let inside = leads_to_end.contains(&b);
        let entered = if inside { encoder.enter(terms, &predecessors[b.index()]) } else { None };
        encoder.block(terms, b, entered);
    }
    let reach = if leads_to_end.contains(&start) { encoder.vc.reach[end.index()] } else { no };
    encoder.window(terms, reach)
}

struct Encoder<'a> {
    unit: &'a LoopFree,
    /// The block where runs start.
    first: BlockId,
    vc: Vc,
    /// For each block its last state; `None` if no run reaches it.
    ends: Vec<Option<State>>,
    /// For each block and successor, the condition of the edge in the block's last state.
    edges: Vec<Vec<TermId>>,
    /// For each block its immediate dominator among the reachable blocks.
    dominators: Vec<BlockId>,
    /// For each block the condition `X` of getting there from its immediate dominator.
    steps: Vec<TermId>,
}

/// The state and condition with which a block is entered.
struct Entered {
    dominator: BlockId,
    condition: TermId,
    state: State,
}

/// A set of paths from a block to the join under construction.
struct Way {
    condition: TermId,
    state: State,
    /// The successor of the block that all of them take, if it is the same.
    arm: Option<usize>,
}

impl<'a> Encoder<'a> {
    fn new(unit: &'a LoopFree, first: BlockId) -> Encoder<'a> {
        Encoder {
            unit,
            first,
            vc: Vc::new(unit.body.blocks.len()),
            ends: Vec::new(),
            edges: Vec::new(),
            dominators: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Encodes the first block, which runs enter in `state`.
    fn start(&mut self, terms: &mut Terms, state: State) {
        let condition = terms.bool(true);
        let entered = Entered { dominator: self.first, condition, state };
        self.block(terms, self.first, Some(entered));
    }

    fn block(&mut self, terms: &mut Terms, b: BlockId, entered: Option<Entered>) {
        let no = terms.bool(false);
        let Some(Entered { dominator, condition, mut state }) = entered else {
            self.unreached(b, no);
            return;
        };
        let block = &self.unit.body[b];
        let mut step = condition;
        let mut havocs = Vec::new();
        for statement in &block.statements {
            if let Some(assumed) = state.execute(terms, statement, &mut havocs) {
                step = terms.app(Op::And, [step, assumed]);
            }
        }
        self.vc.havocs[b.index()] = havocs;
        let reach = if b == self.first {
            self.vc.constraints.push(step);
            terms.bool(true)
        } else {
            let above = self.vc.reach[dominator.index()];
            let definition = terms.app(Op::And, [above, step]);
            if terms.as_bool(definition) == Some(false) {
                self.unreached(b, no);
                return;
            }
            let name = format!("R_{}", block.name);
            self.vc.name(terms, name, definition)
        };
        let edges = self.leave(terms, b, &state);
        self.vc.reach.push(reach);
        self.ends.push(Some(state));
        self.edges.push(edges);
        self.dominators.push(dominator);
        self.steps.push(step);
    }

    fn unreached(&mut self, b: BlockId, no: TermId) {
        let successors = self.unit.body[b].terminator.successors().len();
        self.vc.reach.push(no);
        self.ends.push(None);
        self.edges.push(vec![no; successors]);
        self.dominators.push(b);
        self.steps.push(no);
    }

    /// The conditions of leaving `b` in `state`.
    fn leave(&mut self, terms: &mut Terms, b: BlockId, state: &State) -> Vec<TermId> {
        let terminator = &self.unit.body[b].terminator.kind;
        match terminator {
            TerminatorKind::Branch { condition, .. } => {
                let mut condition = state.eval(terms, *condition);
                let mut negated = terms.app(Op::Not, [condition]);
                let either = terms.app(Op::Or, [condition, negated]);
                if terms.as_bool(either) != Some(true) {
                    // The negation of `a <= b` is written `b + 1 <= a`, and that the two belong together is lost: a
                    // join would not be seen to lose no run, and solvers would have twice as many atoms.
                    condition = self.vc.name(terms, format!("B_{}", self.unit.body[b].name), condition);
                    negated = terms.app(Op::Not, [condition]);
                }
                vec![condition, negated]
            }
            TerminatorKind::Goto(targets) if is_free_choice(terminator) => {
                let choices = free_choices(terms, &self.unit.body[b].name, targets.len());
                self.vc.choices[b.index()].clone_from(&choices);
                choices
            }
            TerminatorKind::Goto(targets) => vec![terms.bool(true); targets.len()],
            TerminatorKind::Return | TerminatorKind::Fail | TerminatorKind::Cut => Vec::new(),
        }
    }

    /// Joins the edges from `predecessors`, each listed once for each edge.
    fn enter(&mut self, terms: &mut Terms, predecessors: &[BlockId]) -> Option<Entered> {
        let live: Vec<BlockId> =
            predecessors.iter().copied().filter(|p| self.ends[p.index()].is_some()).collect();
        let mut dominator = *live.first()?;
        for &p in &live[1..] {
            dominator = self.common_dominator(dominator, p);
        }
        // Ways by the block they start at; the highest number is lifted first, so that all ways from below a
        // block have arrived before the block itself is lifted.
        let mut ways: BTreeMap<BlockId, Way> = BTreeMap::new();
        let join = BlockId(self.ends.len() as u32);
        for &p in &live {
            let index = self.arm(p, join);
            let condition = index.map_or_else(|| terms.bool(true), |i| self.edges[p.index()][i]);
            let state = self.ends[p.index()].clone().expect("live predecessors have states");
            self.add(terms, &mut ways, p, Way { condition, state, arm: index });
        }
        while let Some((&b, _)) = ways.last_key_value() {
            let way = ways.remove(&b).expect("the key was just read");
            if b == dominator {
                return (terms.as_bool(way.condition) != Some(false)).then_some(Entered {
                    dominator,
                    condition: way.condition,
                    state: way.state,
                });
            }
            let above = self.dominators[b.index()];
            let condition = terms.app(Op::And, [self.steps[b.index()], way.condition]);
            let arm = self.arm(above, b);
            self.add(terms, &mut ways, above, Way { condition, state: way.state, arm });
        }
        None
    }

    /// The number of the successor of `above` that is `b`. As critical edges are split there is at most one.
    fn arm(&self, above: BlockId, b: BlockId) -> Option<usize> {
        self.unit.body[above].terminator.successors().iter().position(|&s| s == b)
    }

    fn add(&self, terms: &mut Terms, ways: &mut BTreeMap<BlockId, Way>, at: BlockId, way: Way) {
        if terms.as_bool(way.condition) == Some(false) {
            return;
        }
        let Some(other) = ways.remove(&at) else {
            ways.insert(at, way);
            return;
        };
        // Exactly one of two ways is taken by a run that reaches the join, so either one's condition tells
        // them apart; the branch's own condition is the shortest that does.
        let branch = matches!(self.unit.body[at].terminator.kind, TerminatorKind::Branch { .. });
        let (guard, yes, no) = match (other.arm, way.arm) {
            (Some(0), Some(1)) if branch => (self.edges[at.index()][0], &other.state, &way.state),
            (Some(1), Some(0)) if branch => (self.edges[at.index()][0], &way.state, &other.state),
            _ => (other.condition, &other.state, &way.state),
        };
        let mut state = yes.clone();
        for symbol in yes.differing(no) {
            let (a, b) = (yes.get(terms, symbol), no.get(terms, symbol));
            let merged = terms.app(Op::Ite, [guard, a, b]);
            state.set(symbol, merged);
        }
        let condition = terms.app(Op::Or, [other.condition, way.condition]);
        ways.insert(at, Way { condition, state, arm: None });
    }

    /// The constraints that `reach` depends on. The first constraint is the condition in the first block, the others
    /// define symbols; they are many, as each block and branch has one.
    fn window(self, terms: &Terms, reach: TermId) -> Window {
        let constraints = self.vc.constraints;
        let defined: FxHashMap<TermId, usize> =
            constraints.iter().enumerate().skip(1).map(|(i, &c)| (terms.term(c).args[0], i)).collect();
        let mut needed = vec![false; constraints.len()];
        let mut seen = FxHashSet::default();
        let mut stack = vec![reach];
        if let Some(first) = constraints.first() {
            needed[0] = true;
            stack.push(*first);
        }
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                stack.extend(&terms.term(t).args);
                if let Some(&i) = defined.get(&t) {
                    needed[i] = true;
                    stack.push(constraints[i]);
                }
            }
        }
        let rests_on =
            |edges: &[TermId]| edges.iter().any(|&e| terms.as_bool(e).is_none() && seen.contains(&e));
        let blocks = (0..).map(BlockId).zip(&self.edges);
        let mentioned = blocks.filter(|(_, edges)| rests_on(edges.as_slice())).map(|(b, _)| b).collect();
        let constraints = constraints.into_iter().zip(needed).filter_map(|(c, n)| n.then_some(c)).collect();
        Window { reach, constraints, mentioned }
    }

    fn common_dominator(&self, a: BlockId, b: BlockId) -> BlockId {
        common_dominator(a, b, |b| self.dominators[b.index()])
    }
}

/// Conditions of which exactly one holds, over fresh symbols.
pub(super) fn free_choices(terms: &mut Terms, name: &str, count: usize) -> Vec<TermId> {
    let mut none_before = terms.bool(true);
    let mut choices = Vec::with_capacity(count);
    for i in 0..count {
        if i + 1 == count {
            choices.push(none_before);
            break;
        }
        let here = terms.fresh_var(format!("{name}?{i}"), SortId::BOOL);
        choices.push(terms.app(Op::And, [none_before, here]));
        let not_here = terms.app(Op::Not, [here]);
        none_before = terms.app(Op::And, [none_before, not_here]);
    }
    choices
}
