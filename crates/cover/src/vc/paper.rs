//! The paper's encoding: incarnations (SSA), and two variables for each block. RVC (Christ, Hoenicke, Schäf: Towards
//! Bounded Infeasible Code Detection, 2012, section 4).
//!
//! ```text
//! T_b ⇔ φ_b ∧ (b ends the run ∨ ⋁_s (c_bs ∧ T_s))     a terminating execution starts at b
//! R_b ⇔ T_b ∧ ⋁_p (c_pb ∧ R_p)                        … and it is reached from the entry
//! ```
//!
//! with `R_entry ⇔ T_entry`, asserted. `φ_b` is the conjunction of the block's passive statements; `c_bs` is the
//! condition of the edge and the equalities that give the incarnations at a join their values.
//!
//! **Deviations.**
//! 1. The paper guards blocks by assumptions after free gotos; here a branch puts its condition on the edge, and a
//!    choice that really is free has a variable.
//! 2. A violated assertion ends a run as a return does, and so does the bound, if [`PaperVc::cut_allowed`] holds.
//!
//! It is the reference: `vc/merged.rs` must agree with it on every block.
//!
//! **Direction of error.** None (theorem 4.1), given that critical edges are split: without that the blocks of a
//! short path can be a subset of those of a longer one.

use footpath_ir::{BlockId, TerminatorKind};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};
use footpath_transform::LoopFree;
use rustc_hash::FxHashMap;

use super::merged::free_choices;
use super::{Vc, is_free_choice};
use footpath_transform::state::State;

/// The paper's encoding of a procedure.
#[derive(Debug)]
pub struct PaperVc {
    /// The parts that every encoding has.
    pub vc: Vc,
    /// True in models whose run ends at the bound; each query assumes it or its negation.
    pub cut_allowed: TermId,
}

/// Encodes a loop-free procedure. `old` maps old symbols to their globals.
pub fn encode(unit: &LoopFree, terms: &mut Terms, old: &FxHashMap<SymbolId, SymbolId>) -> PaperVc {
    let body = &unit.body;
    let count = body.blocks.len();
    let mut vc = Vc::new(count);
    let cut_allowed = terms.fresh_var("cut_allowed", SortId::BOOL);
    let predecessors = body.predecessors();
    let terminates: Vec<TermId> =
        body.blocks.iter().map(|b| terms.fresh_var(format!("T_{}", b.name), SortId::BOOL)).collect();
    let reached: Vec<TermId> =
        body.blocks.iter().map(|b| terms.fresh_var(format!("R_{}", b.name), SortId::BOOL)).collect();
    // First the states: incarnations at joins, assumptions and passive assignments within blocks.
    let mut ends: Vec<State> = Vec::with_capacity(count);
    let mut passive: Vec<Vec<TermId>> = Vec::with_capacity(count);
    let mut edges: FxHashMap<(BlockId, usize), Vec<TermId>> = FxHashMap::default();
    for b in body.block_ids() {
        let mut state = match predecessors[b.index()].as_slice() {
            [] if b.index() == 0 => State::initial(terms, old),
            [] => State::default(),
            [only] => ends[only.index()].clone(),
            several => join(terms, body, b, several, &ends, &mut edges),
        };
        let mut facts = Vec::new();
        let mut havocs = Vec::new();
        for statement in &body[b].statements {
            if let footpath_ir::StatementKind::Assign(pairs) = &statement.kind {
                let values: Vec<TermId> = pairs.iter().map(|&(_, t)| state.eval(terms, t)).collect();
                for (&(symbol, _), value) in pairs.iter().zip(values) {
                    let incarnation = incarnate(terms, symbol);
                    facts.push(terms.raw(Op::Eq, [incarnation, value]));
                    state.set(symbol, incarnation);
                }
            } else if let Some(assumed) = state.execute(terms, statement, &mut havocs) {
                facts.push(assumed);
            }
        }
        vc.havocs[b.index()] = havocs;
        passive.push(facts);
        if is_free_choice(&body[b].terminator.kind) {
            let successors = body[b].terminator.successors().len();
            vc.choices[b.index()] = free_choices(terms, &body[b].name, successors);
        }
        ends.push(state);
    }
    // Then the definitions, with each edge's condition in the state at its source.
    let mut conditions: Vec<Vec<TermId>> = Vec::with_capacity(count);
    for b in body.block_ids() {
        let guards = match &body[b].terminator.kind {
            TerminatorKind::Branch { condition, .. } => {
                let condition = ends[b.index()].eval(terms, *condition);
                vec![condition, terms.app(Op::Not, [condition])]
            }
            _ if !vc.choices[b.index()].is_empty() => vc.choices[b.index()].clone(),
            _ => {
                let n = body[b].terminator.successors().len();
                vec![terms.bool(true); n]
            }
        };
        let guards = guards
            .into_iter()
            .enumerate()
            .map(|(i, guard)| {
                let equalities = edges.get(&(b, i)).cloned().unwrap_or_default();
                terms.app(Op::And, [vec![guard], equalities].concat())
            })
            .collect();
        conditions.push(guards);
    }
    for b in body.block_ids() {
        let end = match body[b].terminator.kind {
            TerminatorKind::Return | TerminatorKind::Fail => terms.bool(true),
            TerminatorKind::Cut => cut_allowed,
            _ => {
                let ways: Vec<TermId> = body[b]
                    .terminator
                    .successors()
                    .iter()
                    .zip(&conditions[b.index()])
                    .map(|(s, &c)| terms.app(Op::And, [c, terminates[s.index()]]))
                    .collect();
                terms.app(Op::Or, ways)
            }
        };
        let definition = terms.app(Op::And, [passive[b.index()].clone(), vec![end]].concat());
        vc.constraints.push(terms.raw(Op::Eq, [terminates[b.index()], definition]));
        let definition = if b.index() == 0 {
            terminates[0]
        } else {
            let mut ways = Vec::new();
            for &p in &predecessors[b.index()] {
                for (i, s) in body[p].terminator.successors().into_iter().enumerate() {
                    if s == b {
                        let condition = conditions[p.index()][i];
                        ways.push(terms.app(Op::And, [reached[p.index()], condition]));
                    }
                }
            }
            let way = terms.app(Op::Or, ways);
            terms.app(Op::And, [terminates[b.index()], way])
        };
        vc.constraints.push(terms.raw(Op::Eq, [reached[b.index()], definition]));
    }
    vc.constraints.push(reached[0]);
    vc.reach = reached;
    PaperVc { vc, cut_allowed }
}

/// The state at a join: variables that differ between the predecessors get an incarnation, and each edge the
/// equalities that give it its value.
fn join(
    terms: &mut Terms,
    body: &footpath_ir::Body,
    b: BlockId,
    predecessors: &[BlockId],
    ends: &[State],
    edges: &mut FxHashMap<(BlockId, usize), Vec<TermId>>,
) -> State {
    let mut state = ends[predecessors[0].index()].clone();
    let mut symbols: Vec<SymbolId> =
        predecessors[1..].iter().flat_map(|p| state.differing(&ends[p.index()])).collect();
    symbols.sort_unstable();
    symbols.dedup();
    for symbol in symbols {
        let incarnation = incarnate(terms, symbol);
        for &p in predecessors {
            let value = ends[p.index()].get(terms, symbol);
            let equality = terms.raw(Op::Eq, [incarnation, value]);
            for (i, s) in body[p].terminator.successors().into_iter().enumerate() {
                if s == b {
                    edges.entry((p, i)).or_default().push(equality);
                }
            }
        }
        state.set(symbol, incarnation);
    }
    state
}

fn incarnate(terms: &mut Terms, symbol: SymbolId) -> TermId {
    let declared = terms.symbol(symbol).clone();
    terms.fresh_var(declared.name, declared.sort)
}
