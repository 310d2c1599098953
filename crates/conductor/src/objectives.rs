//! What there is to cover in a function: its blocks, the ways its branches go, the checks in it.

use std::collections::BTreeSet;

use footpath_frontend::c::{BlockRole, LoweredFunction};
use footpath_ir::{AssertKind, Block, BlockId, Origin, Place, Program, StatementKind, TerminatorKind};
use footpath_replay::Point;

use crate::result::{Class, Objective, ObjectiveKind, Verdict};

/// An objective and how it is recognised.
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
                verdict: Verdict::Unknown("it was not reached".to_owned()),
                tests: Vec::new(),
                explanation: Vec::new(),
            },
            origin,
            point,
        });
    };
    for block in body.block_ids() {
        let here = &body[block];
        let class = match (is_defensive(program, here), here.span.start == here.span.end) {
            (true, _) => Class::Defensive,
            (_, true) => Class::Compiler,
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
        let class = if leads_to_defence(program, function, arm.to) { Class::Defensive } else { Class::User };
        add(id, ObjectiveKind::Branch(arm.taken), class, arm.span, segment(arm.to), point);
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
fn leads_to_defence(program: &Program, function: &LoweredFunction, mut block: BlockId) -> bool {
    let body = &program[function.procedure].bodies[0];
    for _ in 0..8 {
        if is_defensive(program, &body[block]) {
            return true;
        }
        let is_way = matches!(function.roles[block.index()], BlockRole::Edge(..) | BlockRole::Glue);
        match &body[block].terminator.kind {
            TerminatorKind::Goto(targets) if is_way && targets.len() == 1 => block = targets[0],
            _ => return false,
        }
    }
    false
}
