//! What there is to cover in a function: its blocks, the ways its branches go, the checks in it.

use std::collections::BTreeSet;

use footpath_frontend::c::{Arm, BlockRole, LoweredFunction};
use footpath_ir::source::{FileId, Span};
use footpath_ir::{AssertKind, Block, BlockId, Origin, Place, Program, StatementKind, TerminatorKind};
use footpath_replay::Point;
use rustc_hash::FxHashSet;

use crate::result::{Class, Objective, ObjectiveKind, Verdict};

/// Why an objective is open of which nothing is known.
pub(crate) const NOT_REACHED: &str = "it was not reached";

/// An objective and how it is recognised.
#[derive(Clone)]
pub(crate) struct Target {
    /// What is reported.
    pub(crate) objective: Objective,
    /// The place of the program form that a run must reach.
    pub(crate) origin: Origin,
    /// What the compiled test counts, if it counts that.
    pub(crate) point: Option<Point>,
}

/// The objectives of a lowered function; of its checks those of the kinds `checks`.
pub(crate) fn targets(
    program: &Program,
    function: &LoweredFunction,
    checks: &BTreeSet<AssertKind>,
) -> Vec<Target> {
    let body = &program[function.procedure].bodies[0];
    let segment = |block: BlockId| Origin {
        procedure: function.procedure,
        body: 0,
        place: Place::Segment { block, first: 0 },
    };
    let mut targets = Vec::new();
    let mut add = |id: String, kind, class, span, origin, point| {
        targets.push(Target {
            objective: Objective {
                id,
                kind,
                class,
                span,
                verdict: Verdict::Unknown(NOT_REACHED.to_owned()),
                settled_by: None,
                tests: Vec::new(),
                if_accesses_stay: false,
                explanation: Vec::new(),
                confirmed: None,
                in_baseline: false,
            },
            origin,
            point,
        });
    };
    let in_place =
        function.arms.iter().filter_map(|arm| Some((arm.in_macro, in_its_place(program, function, arm)?)));
    let (expanded, empty): (Vec<_>, Vec<_>) = in_place.partition(|&(in_macro, _)| in_macro);
    // All that one use of a macro becomes stands in one place.
    let uses: FxHashSet<(FileId, u32)> =
        expanded.iter().map(|&(_, b)| (body[b].span.file, body[b].span.start)).collect();
    let is_expanded = |span: Span| uses.contains(&(span.file, span.start));
    // Elsewhere it is an arm of `?:` in which nothing is computed: the way there says it all.
    let empty: FxHashSet<BlockId> = empty.into_iter().map(|(_, b)| b).collect();
    for block in body.block_ids() {
        let here = &body[block];
        let class = match (is_defensive(program, here), here.span.start == here.span.end) {
            (true, _) => Class::Defensive,
            (_, true) => Class::Compiler,
            _ if empty.contains(&block) => Class::Compiler,
            _ if is_expanded(here.span) => Class::Macro,
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
            BlockRole::Edge(..) | BlockRole::Glue => {}
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
        } else if is_expanded(arm.span) {
            Class::Macro
        } else {
            Class::User
        };
        add(id, ObjectiveKind::Branch(arm.holds), class, arm.condition, segment(arm.to), point);
    }
    targets.sort_by_key(|t| (t.objective.span.file, t.objective.span.start, t.objective.span.end));
    targets
}

/// Whether a block ends the program because of what should not happen.
fn is_defensive(program: &Program, block: &Block) -> bool {
    use AssertKind::{Abort, Assert, Exit, Unreachable};
    block.statements.iter().any(|s| match &s.kind {
        StatementKind::Assert { condition, kind: Abort | Assert | Exit | Unreachable, .. } => {
            program.terms.as_bool(*condition) == Some(false)
        }
        _ => false,
    })
}

/// Whether a way of a branch leads to a defensive block and to nothing else.
fn leads_to_defence(program: &Program, function: &LoweredFunction, block: BlockId) -> bool {
    let body = &program[function.procedure].bodies[0];
    way(program, function, block).any(|b| is_defensive(program, &body[b]))
}

/// The block of the source that a way of a branch leads to, if both stand in one place: the compiler says of all that a
/// macro becomes that it stands where the macro is used, and of the end of an arm of `?:` that it stands where the whole
/// begins.
fn in_its_place(program: &Program, function: &LoweredFunction, arm: &Arm) -> Option<BlockId> {
    let body = &program[function.procedure].bodies[0];
    let is_source = |b: &BlockId| matches!(function.roles[b.index()], BlockRole::Source(_));
    let target = way(program, function, arm.to).find(is_source)?;
    let (from, to) = (arm.span, body[target].span);
    (from.file == to.file && from.start == to.start && from.start < to.end).then_some(target)
}

/// A block and those behind it, as long as each only leads to the next; one block of the source at most, the last.
fn way<'a>(
    program: &'a Program,
    function: &'a LoweredFunction,
    first: BlockId,
) -> impl Iterator<Item = BlockId> + 'a {
    let body = &program[function.procedure].bodies[0];
    let next = move |&block: &BlockId| {
        let is_way = matches!(function.roles[block.index()], BlockRole::Edge(..) | BlockRole::Glue);
        match &body[block].terminator.kind {
            TerminatorKind::Goto(targets) if is_way && targets.len() == 1 => Some(targets[0]),
            _ => None,
        }
    };
    std::iter::successors(Some(first), next).take(8)
}
