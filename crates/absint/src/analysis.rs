//! Verification by abstract interpretation: verdicts on the assertions and blocks of a procedure.
//!
//! **Idea.** The body is prepared as for a cover (`footpath_transform::prepare`), so the failure of each check is a
//! block. A check is proved if its failure block is unreachable in the abstract. Calls are replaced by contracts
//! (modular analysis), or by the callee's body if it is not recursive and not too large (whole-program analysis).
//!
//! **Example.** In `assume x > 3; assert x > 0;` the failure block of the assertion is entered with `x ≥ 4` and
//! `x ≤ 0`. No state satisfies both, so the assertion holds.
//!
//! **Direction of error.** [`Proof::Holds`] and an unreachable block are true for every run from every state in which
//! the procedure may be called; `footpath_ir`'s program form says what is assumed at the entry. [`Proof::Fails`] says
//! that no run passes the check, not that a run reaches it.

use footpath_ir::analysis::wto::Wto;
use footpath_ir::source::Span;
use footpath_ir::{
    AssertKind, BlockId, Body, Contract, Origin, Place, ProcId, Program, Statement, StatementKind,
};
use footpath_term::{SymbolId, TermId, Terms};
use footpath_transform::Standins;
use footpath_transform::inline::{Inlined, inline};
use footpath_transform::prepare::{Role, prepare};
use footpath_transform::{Bounds, What, objectives};
use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::fixpoint::{Effort, Fixpoint, fixpoint_asked};
use crate::invariant;
use crate::linear::{Dim, Linear};
use crate::read::readings;

/// What replaces a call in the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// The callee's contract, even if it has a body.
    Contracts,
    /// The callee's body, as long as there are at most this many blocks; where there are more, the contracts of the
    /// largest callees.
    Bodies(usize),
}

/// The verdict on a check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Proof {
    /// It never fails.
    Holds,
    /// It is never reached.
    Unreached,
    /// It fails whenever it is reached; whether it is reached is open.
    Fails,
    /// Nothing was found out.
    Open,
}

/// A check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// Where its failure begins: a [`Place::Failure`] or [`Place::EnsuresFailure`]; for a check that does not stop the
    /// program, its block.
    pub origin: Origin,
    /// The kind of check.
    pub kind: AssertKind,
    /// Where it stands.
    pub span: Span,
    /// The verdict.
    pub proof: Proof,
}

/// The result of the analysis of a body.
pub struct Analysis {
    /// A layer over the program's terms.
    pub terms: Terms,
    /// The checks, in source order.
    pub checks: Vec<Check>,
    /// Blocks of the source that are never entered.
    pub unreached: Vec<BlockId>,
    /// For each block of the source, a condition that holds whenever it is entered.
    pub invariants: FxHashMap<BlockId, TermId>,
    /// Blocks at which a loop is entered or begun anew.
    pub heads: Vec<BlockId>,
    /// For each of the questions that were `asked`, in order, whether the condition holds wherever it was assigned.
    pub answers: Vec<bool>,
    /// Whether the analysis gave up, so that nothing is proved.
    pub gave_up: bool,
}

/// Analyses body number `body_index` of a procedure. `ensured` holds after each call of a procedure, over globals and
/// their old values, in addition to its contract; it is used where a contract replaces the procedure's bodies.
/// `asked` are locals of the body that are assigned conditions and never read; [`Analysis::answers`] says whether all
/// conditions assigned to each hold.
pub fn analyse(
    program: &Program,
    procedure: ProcId,
    body_index: u32,
    calls: Calls,
    ensured: &[(ProcId, TermId)],
    asked: &[SymbolId],
    effort: Effort,
) -> Analysis {
    let mut terms = Terms::layer(program.terms.clone());
    let mut inlined = without_calls(program, &mut terms, procedure, body_index, calls, ensured).inlined;
    let questions = take_assigned(&mut inlined.body, asked);
    let body = &inlined.body;
    let start = entry(program, &mut terms);
    let asked_in: Vec<(BlockId, TermId)> = questions.iter().map(|(_, at, term)| (at.0, *term)).collect();
    let found = fixpoint_asked(&mut terms, body, start, effort, &asked_in);
    let mut answers = vec![!found.gave_up; asked.len()];
    for (i, at, condition) in questions {
        answers[i] = answers[i] && found.holds(&mut terms, body, at, condition);
    }
    let own: Vec<BlockId> = body.block_ids().filter(|b| inlined.depths[b.index()] == 0).collect();
    let mut at: FxHashMap<Origin, Vec<BlockId>> = FxHashMap::default();
    for &b in &own {
        at.entry(body[b].origin).or_default().push(b);
    }
    let checks = checks(program, procedure, body_index)
        .into_iter()
        .map(|(origin, kind, span)| {
            let blocks = at.get(&origin).map_or(&[][..], Vec::as_slice);
            Check { origin, kind, span, proof: proof(body, &found, blocks) }
        })
        .collect();
    let source = &program[procedure].bodies[body_index as usize];
    let mut unreached = Vec::new();
    let mut invariants = FxHashMap::default();
    for block in source.block_ids() {
        let place = Place::Segment { block, first: 0 };
        let Some(first) = at.get(&Origin { procedure, body: body_index, place }).and_then(|b| b.first())
        else {
            continue;
        };
        let states = &found.entered[first.index()];
        if states.is_empty() {
            unreached.push(block);
        }
        invariants.insert(block, invariant::condition(&mut terms, states));
    }
    let heads = Wto::of(source).components.iter().map(|c| c.head).collect();
    Analysis { terms, checks, unreached, invariants, heads, answers, gave_up: found.gave_up }
}

/// Removes the assignments to some variables from a body. Each is returned as the variable's number among them, the
/// statement before which the assignment was, and the assigned value.
fn take_assigned(body: &mut Body, variables: &[SymbolId]) -> Vec<(usize, (BlockId, usize), TermId)> {
    let mut found = Vec::new();
    for block in body.block_ids() {
        let statements = &mut body.blocks[block.index()].statements;
        let mut at = 0;
        while let Some(statement) = statements.get(at) {
            let asked = match &statement.kind {
                StatementKind::Assign(values) => match values.as_slice() {
                    [(symbol, value)] => variables.iter().position(|v| v == symbol).map(|i| (i, *value)),
                    _ => None,
                },
                _ => None,
            };
            match asked {
                Some((i, value)) => {
                    found.push((i, (block, at), value));
                    statements.remove(at);
                }
                None => at += 1,
            }
        }
    }
    found
}

/// The globals have their old values.
pub(crate) fn entry(program: &Program, terms: &mut Terms) -> Facts {
    let mut facts = Facts::default();
    for global in &program.globals {
        let (now, old) = (terms.var(global.variable.symbol), terms.var(global.old));
        for reading in readings(terms, terms.sort(now)) {
            let old = Linear::dim(Dim::Term(old, reading));
            if let Some(difference) = Linear::dim(Dim::Term(now, reading)).plus(-1, &old) {
                facts.equate(&difference);
            }
        }
    }
    facts
}

/// The places at which a body checks something, in source order, including checks that do not stop the program.
pub fn checks(program: &Program, procedure: ProcId, body_index: u32) -> Vec<(Origin, AssertKind, Span)> {
    let body = &program[procedure].bodies[body_index as usize];
    let mut found = Vec::new();
    for objective in objectives(program, procedure, body_index) {
        if let What::Failure(AssertKind::Exit) = objective.what {
            // That a program ends is no fault.
        } else if let What::Failure(kind) = objective.what {
            found.push((objective.origin, kind, objective.span));
        } else if let Place::Segment { block, first: 0 } = objective.origin.place
            && let Some(kind) = body.mark(block).and_then(Statement::marks)
        {
            found.push((objective.origin, kind, objective.span));
        }
    }
    found
}

fn proof(body: &Body, found: &Fixpoint, blocks: &[BlockId]) -> Proof {
    let entered = |b: &BlockId| !found.entered[b.index()].is_empty();
    let predecessors = body.predecessors();
    let before: Vec<BlockId> = blocks.iter().flat_map(|b| predecessors[b.index()].iter().copied()).collect();
    if !blocks.iter().any(entered) {
        return if before.iter().any(entered) { Proof::Holds } else { Proof::Unreached };
    }
    // The other ways out of the check's block.
    let passed = before
        .iter()
        .filter(|b| entered(b))
        .any(|b| body[*b].terminator.successors().iter().any(|s| !blocks.contains(s) && entered(s)));
    if passed || found.gave_up { Proof::Open } else { Proof::Fails }
}

/// A body without calls.
pub(crate) struct WithoutCalls {
    /// The body, with contracts or bodies for calls.
    pub(crate) inlined: Inlined,
    /// The procedures that it may call for which contracts stand although they have bodies, unless that is so for all.
    pub(crate) by_contract: Vec<ProcId>,
}

/// The body with calls replaced by contracts or bodies. Where all bodies would be too many blocks, the largest
/// callees, with all that they call, are replaced by contracts.
pub(crate) fn without_calls(
    program: &Program,
    terms: &mut Terms,
    procedure: ProcId,
    body_index: u32,
    calls: Calls,
    ensured: &[(ProcId, TermId)],
) -> WithoutCalls {
    let prepared = prepare(program, terms, procedure, body_index, Role::Root);
    let mut inlined = |followed: &dyn Fn(ProcId) -> bool, max_blocks| {
        let mut program = program.with_bodies(followed);
        for &(callee, condition) in ensured.iter().filter(|(callee, _)| !followed(*callee)) {
            let callee = &mut program[callee];
            let (span, attributes) = (callee.span, Vec::new());
            callee.ensures.push(Contract { condition, free: true, span, attributes });
        }
        let bounds = Bounds { unwind: 0, recursion: 0, max_blocks };
        inline(&program, terms, procedure, prepared.clone(), bounds, &Standins::default())
    };
    if let Calls::Bodies(max_blocks) = calls {
        let sizes = sizes(program, procedure);
        let mut limits: Vec<usize> = sizes.values().copied().collect();
        limits.sort_unstable();
        limits.dedup();
        // The limits before `fit` were seen to suffice, those from `too_many` on not to.
        let (mut fit, mut too_many) = (0, limits.len());
        let (mut next, mut best) = (too_many.saturating_sub(1), None);
        while fit < too_many {
            let is_small = |p: ProcId| sizes.get(&p).is_some_and(|size| *size <= limits[next]);
            let tried = inlined(&is_small, max_blocks);
            if tried.unfollowed.is_empty() {
                let called = program.reachable(&[procedure]).into_iter();
                let by_contract = called.filter(|p| *p != procedure && !is_small(*p)).collect();
                best = Some(WithoutCalls { inlined: tried, by_contract });
                fit = next + 1;
            } else {
                too_many = next;
            }
            next = usize::midpoint(fit, too_many);
        }
        if let Some(best) = best {
            return best;
        }
    }
    WithoutCalls { inlined: inlined(&|_| false, usize::MAX), by_contract: Vec::new() }
}

/// For the procedures that one may call and that do not call themselves: how many blocks they have with all that they
/// call.
fn sizes(program: &Program, procedure: ProcId) -> FxHashMap<ProcId, usize> {
    let mut sizes: FxHashMap<ProcId, usize> = FxHashMap::default();
    let recursive = program.recursive_below(&[procedure]);
    // Callees come first.
    for p in program.components_below(&[procedure]).into_iter().flatten() {
        if p != procedure && !recursive.contains(&p) {
            let own: usize = program[p].bodies.iter().map(|body| body.blocks.len()).sum();
            let called = program.calls(p).filter_map(|callee| sizes.get(&callee));
            let size = called.fold(own, |sum, size| sum.saturating_add(*size));
            sizes.insert(p, size);
        }
    }
    sizes
}
