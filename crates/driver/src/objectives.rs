//! Coverage objectives of a function: its blocks, the arms of its branches, the evaluations of its decisions, and its checks.

use std::collections::BTreeSet;

use footpath_frontend::c::{BlockRole, LoweredFunction};
use footpath_frontend::llvm::ast::BlockIx;
use footpath_ir::source::{FileId, Span};
use footpath_ir::{AssertKind, Block, BlockId, Body, Origin, Place, Program, StatementKind, TerminatorKind};
use footpath_replay::Point;
use rustc_hash::FxHashSet;

use crate::mcdc;
use crate::result::{Class, Objective, ObjectiveKind};

/// An objective and the places by which it is recognised.
#[derive(Clone)]
pub(crate) struct Target {
    /// What is reported.
    pub(crate) objective: Objective,
    /// The place of the program form that a run must reach.
    pub(crate) origin: Origin,
    /// The counter of the compiled test, if it has one.
    pub(crate) point: Option<Point>,
    /// For a check, which has no counter, the source blocks that it is a part of, one of which is passed.
    pub(crate) within: Vec<Point>,
}

/// The objectives of a lowered function; of its checks those of the kinds `checks`. One that could not be lowered has none.
pub(crate) fn targets(
    program: &Program,
    function: &LoweredFunction,
    checks: &BTreeSet<AssertKind>,
) -> Vec<Target> {
    let Some(body) = program[function.procedure].bodies.first() else { return Vec::new() };
    let segment = |block: BlockId| Origin {
        procedure: function.procedure,
        body: 0,
        place: Place::Segment { block, first: 0 },
    };
    let predecessors = body.predecessors();
    let parts = parts_of(function, body);
    let within = |origin: Origin| match origin.place {
        Place::Segment { block, .. } | Place::Failure { block, .. } => {
            parts[block.index()].iter().map(|ix| Point::Block(ix.0)).collect()
        }
        _ => Vec::new(),
    };
    let lines = |point| match point {
        Point::Block(ix) => function.lines.get(&BlockIx(ix)).into_iter().flatten().copied().collect(),
        Point::Branch(..) | Point::Evaluation(..) => Vec::new(),
    };
    let mut targets = Vec::new();
    let mut add = |id: String, kind, class, span, origin, point: Option<Point>| {
        targets.push(Target {
            objective: Objective {
                lines: point.map_or_else(Vec::new, lines),
                ..Objective::open(id, kind, class, span)
            },
            within: if point.is_none() { within(origin) } else { Vec::new() },
            origin,
            point,
        });
    };
    let expansions = Expansions::of(program, function);
    for block in body.block_ids() {
        let here = &body[block];
        let is_defensive = is_defensive(program, here) || is_short_default(function, block, here);
        let class = match (is_defensive, here.span.start == here.span.end) {
            (true, _) => Class::Defensive,
            (_, true) => Class::Compiler,
            _ if expansions.empty.contains(&block) || expansions.added.contains(&block) => Class::Compiler,
            _ if predecessors[block.index()].is_empty() && only_jumps(here) => Class::Compiler,
            _ if expansions.have(here.span) => Class::Macro,
            _ => Class::User,
        };
        match function.roles[block.index()] {
            BlockRole::Source(ix) => {
                let point = Some(Point::Block(ix.0));
                add(here.name.to_string(), ObjectiveKind::Block, class, here.span, segment(block), point);
            }
            BlockRole::Check(kind) => {
                add(
                    here.name.to_string(),
                    ObjectiveKind::Check(kind),
                    Class::User,
                    here.span,
                    segment(block),
                    None,
                );
            }
            BlockRole::Edge(..) | BlockRole::Copy | BlockRole::Glue => {}
        }
        for (i, statement) in here.statements.iter().enumerate() {
            let StatementKind::Assert { kind, .. } = statement.kind else { continue };
            if kind == AssertKind::Exit || !checks.contains(&kind) {
                continue;
            }
            let place = Place::Failure { block, statement: i as u32, clause: 0 };
            let origin = Origin { procedure: function.procedure, body: 0, place };
            let id = format!("{}.{}.{i}", here.name, kind.name());
            add(id, ObjectiveKind::Check(kind), Class::User, statement.span, origin, None);
        }
    }
    for arm in &function.arms {
        let source = &body[BlockId(arm.from.0)];
        let id = format!("{}.{}", source.name, arm.taken);
        let point = Some(Point::Branch(arm.from.0, arm.taken));
        let class = if leads_to_defence(program, function, arm.to) {
            Class::Defensive
        } else if arm.is_added {
            Class::Compiler
        } else if expansions.have(arm.span) || expansions.branches.contains(&arm.from) {
            Class::Macro
        } else {
            Class::User
        };
        add(id, ObjectiveKind::Branch(arm.holds), class, arm.condition, segment(arm.to), point);
    }
    for decision in &function.decisions {
        let span = mcdc::span(decision);
        let is_defensive = decision.blocks.iter().any(|&to| leads_to_defence(program, function, to));
        let class = if is_defensive { Class::Defensive } else { Class::User };
        for (k, &block) in decision.blocks.iter().enumerate() {
            let (number, k) = (decision.number as u32, k as u32);
            let kind = ObjectiveKind::Evaluation(number, k);
            let id = format!("{}.evaluation.{number}.{k}", body[block].name);
            add(id, kind, class, span, segment(block), Some(Point::Evaluation(number, k)));
        }
    }
    targets.sort_by_key(|t| (t.objective.span.file, t.objective.span.start, t.objective.span.end));
    targets
}

/// For each block the blocks of the source of which it is a part: those from which a run gets to it through none of the source.
fn parts_of(function: &LoweredFunction, body: &Body) -> Vec<Vec<BlockIx>> {
    let mut parts = vec![Vec::new(); body.blocks.len()];
    for start in body.block_ids() {
        let BlockRole::Source(ix) = function.roles[start.index()] else { continue };
        parts[start.index()].push(ix);
        let mut open = body[start].terminator.successors();
        while let Some(block) = open.pop() {
            let is_source = matches!(function.roles[block.index()], BlockRole::Source(_));
            let part: &mut Vec<BlockIx> = &mut parts[block.index()];
            if !is_source && part.last() != Some(&ix) {
                part.push(ix);
                open.extend(body[block].terminator.successors());
            }
        }
    }
    parts
}

/// Whether a block ends the program for a state that should not occur.
fn is_defensive(program: &Program, block: &Block) -> bool {
    use AssertKind::{Abort, Assert, Exit, Unreachable};
    block.statements.iter().any(|s| match &s.kind {
        StatementKind::Assert { condition, kind: Abort | Assert | Exit | Unreachable, .. } => {
            program.terms.as_bool(*condition) == Some(false)
        }
        _ => false,
    })
}

/// Whether a block is all of a `default`: where the cases are exhaustive, it is there for values that may come to be.
fn is_short_default(function: &LoweredFunction, id: BlockId, block: &Block) -> bool {
    let is_default = match function.roles[id.index()] {
        BlockRole::Source(ix) => function.defaults.contains(&ix),
        _ => false,
    };
    is_default && !matches!(block.terminator.kind, TerminatorKind::Branch { .. })
}

/// Whether a block only jumps to another. Where nothing leads to it either, it is how the compiler would get into a
/// loop that is entered in its middle only (`switch (n) { while (1) { case 0: … } }`): the line it stands at is
/// executed all the same.
fn only_jumps(block: &Block) -> bool {
    block.statements.is_empty() && matches!(&block.terminator.kind, TerminatorKind::Goto(to) if to.len() == 1)
}

/// Whether an arm of a branch leads to a defensive block and to nothing else.
fn leads_to_defence(program: &Program, function: &LoweredFunction, block: BlockId) -> bool {
    let body = &program[function.procedure].bodies[0];
    way(program, function, block).any(|b| is_defensive(program, &body[b]))
}

/// The parts of a function that come from macros or from the compiler. The compiler says of all that a macro becomes
/// that it stands where the macro is used, so a branch that leads to where its own condition begins is one of the
/// macro's, as is one on a constant behind the name of a macro; and of the end of an arm of `?:` that it stands where
/// the whole begins.
#[derive(Default)]
struct Expansions {
    /// The places of macro calls that have branches of their own.
    uses: FxHashSet<(FileId, u32)>,
    /// The blocks that end with these branches.
    branches: FxHashSet<BlockIx>,
    /// The ends of arms of `?:` in which nothing is computed: the arm itself is the objective.
    empty: FxHashSet<BlockId>,
    /// The blocks of branches that the compiler has added, with which nothing in the source begins.
    added: FxHashSet<BlockId>,
}

impl Expansions {
    fn of(program: &Program, function: &LoweredFunction) -> Expansions {
        let body = &program[function.procedure].bodies[0];
        let is_source = |b: &BlockId| matches!(function.roles[b.index()], BlockRole::Source(_));
        let mut found = Expansions::default();
        let predecessors = body.predecessors();
        for arm in &function.arms {
            if arm.is_constant && arm.macro_use.is_some() {
                found.branches.insert(arm.from);
            }
            let Some(target) = way(program, function, arm.to).find(is_source) else { continue };
            let there = body[target].span;
            if there.file != arm.span.file || arm.span.start == arm.span.end {
                continue;
            }
            if arm.macro_use == Some(there.start) {
                found.uses.insert((there.file, there.start));
                found.branches.insert(arm.from);
            } else if arm.is_added {
                let is_only = predecessors[target.index()].len() == 1;
                found.added.extend((is_only && there == arm.span).then_some(target));
            } else if there.start == arm.span.start {
                found.empty.insert(target);
            }
        }
        found
    }

    /// Whether a range begins where such a macro is used.
    fn have(&self, span: Span) -> bool {
        self.uses.contains(&(span.file, span.start))
    }
}

/// A block and those behind it, as long as each only leads to the next; one block of the source at most, the last.
fn way<'a>(
    program: &'a Program,
    function: &'a LoweredFunction,
    first: BlockId,
) -> impl Iterator<Item = BlockId> + 'a {
    let body = &program[function.procedure].bodies[0];
    let next = move |&block: &BlockId| {
        let is_way =
            matches!(function.roles[block.index()], BlockRole::Edge(..) | BlockRole::Copy | BlockRole::Glue);
        match &body[block].terminator.kind {
            TerminatorKind::Goto(targets) if is_way && targets.len() == 1 => Some(targets[0]),
            _ => None,
        }
    };
    std::iter::successors(Some(first), next).take(8)
}
