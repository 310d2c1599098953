//! Coverage objectives: the places of a body that a test can be asked for.
//!
//! They are collected from the prepared body, before anything is copied or found to be unreachable, so that dead code
//! is listed too. Copies of an objective have its origin.
//!
//! **Example.** `if (x > 0) { y = 1; }` has objectives for the statements before the branch, for `y = 1`, and for the
//! edge on which the branch is not taken.
//!
//! **Direction of error.** None: dead code is listed as well. The entry, and the cuts and summaries that passes make,
//! are no objectives.

use std::sync::Arc;

use footpath_ir::source::Span;
use footpath_ir::{
    AssertKind, Block, BlockId, Body, Origin, Place, ProcId, Program, Statement, StatementKind,
};
use footpath_term::Terms;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::prepare::{Role, prepare};

/// A place in a body that a test can be asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objective {
    /// The place; all copies of it have this origin.
    pub origin: Origin,
    /// The name of its block in the prepared body.
    pub name: Arc<str>,
    /// Where it stands in the source.
    pub span: Span,
    /// The kind of objective.
    pub what: What,
}

/// The kind of an [`Objective`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum What {
    /// A sequence of statements without a branch.
    Statements,
    /// A jump without statements: the end of a block after its last assertion or call.
    Continuation,
    /// A branch is taken to a block that has other predecessors as well.
    Edge,
    /// A check fails.
    Failure(AssertKind),
    /// The procedure returns.
    Return,
}

/// All objectives of a body, in source order, each origin once.
pub fn objectives(program: &Program, procedure: ProcId, body_index: u32) -> Vec<Objective> {
    let mut terms = Terms::layer(program.terms.clone());
    let body = prepare(program, &mut terms, procedure, body_index, Role::Root);
    let source = &program[procedure].bodies[body_index as usize];
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for block in &body.blocks {
        let Some(what) = what(source, block) else { continue };
        if seen.insert(block.origin) {
            found.push(Objective { origin: block.origin, name: block.name.clone(), span: block.span, what });
        }
        if let Some(call) = call_in(block) {
            found.extend(preconditions(program, &body, block, call));
        }
    }
    found
}

/// The branches that nothing else shows to be taken, such as the missing `else` of an `if`: edges to a block to which
/// others lead as well. The last edge out of a loop may be one to a block of its own.
pub struct LoneBranches<'p> {
    program: &'p Program,
    /// For the blocks of each body that was asked about, how many edges lead there.
    edges: FxHashMap<(ProcId, u32), Vec<usize>>,
}

impl<'p> LoneBranches<'p> {
    /// Those of a program.
    pub fn of(program: &'p Program) -> LoneBranches<'p> {
        LoneBranches { program, edges: FxHashMap::default() }
    }

    /// Whether a place is one.
    pub fn contains(&mut self, origin: Origin) -> bool {
        let Origin { procedure, body, place: Place::Edge { block, successor } } = origin else {
            return false;
        };
        let source = &self.program[procedure].bodies[body as usize];
        let edges = self
            .edges
            .entry((procedure, body))
            .or_insert_with(|| source.predecessors().iter().map(Vec::len).collect());
        let target = source[block].terminator.successors().get(successor as usize).copied();
        target.is_some_and(|target| edges[target.index()] > 1)
    }
}

/// The call that ends a prepared block.
pub(crate) fn call_in(block: &Block) -> Option<&Statement> {
    block.statements.last().filter(|s| matches!(s.kind, StatementKind::Call { .. }))
}

/// The place of a call in the source: the statement before the piece that follows its own.
pub(crate) fn call_place(block: &Block, next: &Block) -> (BlockId, u32) {
    match (block.origin.place, next.origin.place) {
        (Place::Segment { block, .. }, Place::Segment { first, .. }) => (block, first - 1),
        _ => unreachable!("a call ends a piece and another piece of the block follows"),
    }
}

fn what(source: &Body, block: &Block) -> Option<What> {
    match block.origin.place {
        Place::Segment { block: id, first } if first as usize == source[id].statements.len() => {
            // An empty source block is one objective like any other.
            Some(if first == 0 { What::Statements } else { What::Continuation })
        }
        Place::Segment { .. } => Some(What::Statements),
        Place::Edge { .. } => Some(What::Edge),
        Place::Failure { block, statement, .. } => match source[block].statements[statement as usize].kind {
            StatementKind::Assert { kind, .. } => Some(What::Failure(kind)),
            _ => Some(What::Failure(AssertKind::Requires)),
        },
        Place::EnsuresFailure { .. } => Some(What::Failure(AssertKind::Ensures)),
        Place::Exit => Some(What::Return),
        Place::Entry | Place::Summary { .. } | Place::Cut { .. } => None,
    }
}

/// The failures of a call's preconditions, whose blocks only inlining makes.
fn preconditions<'a>(
    program: &'a Program,
    body: &'a Body,
    block: &'a Block,
    call: &'a Statement,
) -> impl Iterator<Item = Objective> + 'a {
    let StatementKind::Call { callee, .. } = call.kind else { unreachable!("checked by `call_in`") };
    let next = block.terminator.successors()[0];
    let (id, statement) = call_place(block, &body[next]);
    program[callee].requires.iter().enumerate().filter(|(_, c)| !c.free).map(move |(i, _)| {
        let place = Place::Failure { block: id, statement, clause: i as u32 };
        Objective {
            origin: Origin { place, ..block.origin },
            name: format!("{}.requires.{i}", block.name).into(),
            span: call.span,
            what: What::Failure(AssertKind::Requires),
        }
    })
}
