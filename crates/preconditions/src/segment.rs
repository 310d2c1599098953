//! Segments as programs: a segment with the conditions of the cut points behind it, in a form that the concolic
//! engine can explore.
//!
//! **Idea.** The segment's blocks become the only body of the only procedure. All variables of the whole body are its
//! locals, so that a run starts from an arbitrary state, under their own symbols: what the exploration says about
//! inputs is a condition over the state at the cut point. An edge to a cut point leads to a cascade of branches,
//! "fails if C": the literals of one disjunct after the other, each a decision, as a program would evaluate them.
//!
//! Example: the segment `x = x + 1` in front of a cut point with C = `x > 9 && y == 0` becomes `x = x + 1; if (x > 9)
//! if (y == 0) fail;`, whose failing path has the condition `x + 1 > 9 && y == 0`.
//!
//! **Direction of error.** None: runs of the segment are those of the body from the cut point to the next ones.

use std::sync::Arc;

use footpath_ir::source::Span;
use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Procedure, Program, Statement, StatementKind, Terminator,
    TerminatorKind, Variable,
};
use footpath_simplify::Dnf;
use footpath_term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::partition::mentioned;

/// Builds the program of the segment that begins at `from`, in states in which all of `known` hold. `summaries` holds
/// the failure condition of each cut point.
pub(crate) fn program(
    whole: &Program,
    terms: &Terms,
    body: &Body,
    from: BlockId,
    known: &[TermId],
    summaries: &FxHashMap<BlockId, Dnf>,
) -> Program {
    let mut builder =
        Builder { body, summaries, blocks: Vec::new(), numbers: FxHashMap::default(), todo: Vec::new() };
    builder.push("start", TerminatorKind::Return, body.span);
    let first = builder.block(from);
    builder.blocks[0].terminator.kind = TerminatorKind::Goto(vec![first]);
    let assume = |&k: &TermId| Statement::new(StatementKind::Assume(k), body.span);
    builder.blocks[0].statements = known.iter().map(assume).collect();
    builder.fill();
    let blocks = builder.blocks;
    let own = Body { params: Vec::new(), results: Vec::new(), locals: Vec::new(), blocks, ..body.clone() };
    let used = mentioned(terms, &own);
    let plain = |v: &Variable| Variable::new(v.symbol, v.span);
    let all = body.params.iter().chain(&body.results).chain(&body.locals);
    let globals: FxHashSet<_> = whole.globals.iter().map(|g| g.variable.symbol).collect();
    let mut seen = FxHashSet::default();
    let locals = all
        .filter(|v| used.contains(&v.symbol) && !globals.contains(&v.symbol) && seen.insert(v.symbol))
        .map(plain)
        .collect();
    let procedure = Procedure {
        name: "segment".into(),
        type_params: Vec::new(),
        params: Vec::new(),
        results: Vec::new(),
        requires: Vec::new(),
        ensures: Vec::new(),
        modifies: globals.into_iter().collect(),
        bodies: vec![Body { locals, ..own }],
        span: body.span,
        attributes: Vec::new(),
    };
    let mut program = Program {
        terms: Arc::new(terms.clone()),
        types: whole.types.clone(),
        functions: whole.functions.clone(),
        constants: whole.constants.clone(),
        globals: whole.globals.clone(),
        axioms: whole.axioms.clone(),
        procedures: vec![procedure],
    };
    for global in &mut program.globals {
        // In the middle of a run a where-clause need not hold.
        global.variable.where_clause = None;
    }
    program
}

/// The cut points that the segment leads to.
pub(crate) fn leads_to(body: &Body, from: BlockId, points: &FxHashSet<BlockId>) -> Vec<BlockId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = body[from].terminator.successors();
    while let Some(block) = stack.pop() {
        if !seen.insert(block) {
            continue;
        }
        if points.contains(&block) {
            found.push(block);
        } else {
            stack.extend(body[block].terminator.successors());
        }
    }
    found.sort_unstable();
    found
}

struct Builder<'a> {
    body: &'a Body,
    summaries: &'a FxHashMap<BlockId, Dnf>,
    blocks: Vec<Block>,
    /// The number of a block of the whole body in this one.
    numbers: FxHashMap<BlockId, BlockId>,
    todo: Vec<BlockId>,
}

impl Builder<'_> {
    fn push(&mut self, name: &str, kind: TerminatorKind, span: Span) -> BlockId {
        let id = BlockId(self.blocks.len() as u32);
        let origin = Origin { procedure: ProcId(0), body: 0, place: Place::Segment { block: id, first: 0 } };
        self.blocks.push(Block {
            name: format!("{name}${}", id.0).into(),
            statements: Vec::new(),
            terminator: Terminator { kind, span },
            span,
            origin,
        });
        id
    }

    fn block(&mut self, source: BlockId) -> BlockId {
        if let Some(&known) = self.numbers.get(&source) {
            return known;
        }
        let span = self.body[source].span;
        let id = self.push("b", TerminatorKind::Return, span);
        self.numbers.insert(source, id);
        self.todo.push(source);
        id
    }

    fn fill(&mut self) {
        let mut stubs: FxHashMap<BlockId, BlockId> = FxHashMap::default();
        while let Some(source) = self.todo.pop() {
            let here = self.numbers[&source];
            let mut terminator = self.body[source].terminator.clone();
            for target in terminator.successors_mut() {
                *target = match self.summaries.get(target) {
                    None => self.block(*target),
                    Some(summary) => match stubs.get(target) {
                        Some(&stub) => stub,
                        None => {
                            let stub = self.fails_if(summary, self.body[*target].span);
                            stubs.insert(*target, stub);
                            stub
                        }
                    },
                };
            }
            let block = &mut self.blocks[here.index()];
            block.statements.clone_from(&self.body[source].statements);
            block.terminator = terminator;
        }
    }

    /// Blocks that fail if the condition holds, and return otherwise.
    fn fails_if(&mut self, condition: &Dnf, span: Span) -> BlockId {
        let fine = self.push("fine", TerminatorKind::Return, span);
        cascade(condition, &TerminatorKind::Fail, fine, &mut |kind| {
            let name = if kind == TerminatorKind::Fail { "fails" } else { "if" };
            self.push(name, kind, span)
        })
    }
}

/// Blocks that decide a condition: the literals of one disjunct after the other, each a branch. Where a disjunct
/// holds, a block ends as `holds` says. Returns the first block.
pub(crate) fn cascade(
    condition: &Dnf,
    holds: &TerminatorKind,
    otherwise: BlockId,
    push: &mut dyn FnMut(TerminatorKind) -> BlockId,
) -> BlockId {
    let mut otherwise = otherwise;
    for cube in condition.cubes.iter().rev() {
        let mut next = push(holds.clone());
        for &literal in cube.iter().rev() {
            next = push(TerminatorKind::Branch { condition: literal, then_to: next, else_to: otherwise });
        }
        otherwise = next;
    }
    otherwise
}
