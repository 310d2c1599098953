//! The coverage goals of an exploration, and their places in the program.

use std::rc::Rc;

use footpath_ir::{Origin, Place, ProcId, Program};
use footpath_transform::{Objective, What};
use rustc_hash::{FxHashMap, FxHashSet};

use super::options::GoalScope;
use super::report::{Goal, GoalKind};

/// The goals of an exploration.
#[derive(Debug, Default)]
pub(super) struct Goals {
    pub(super) list: Vec<Goal>,
    /// Their positions, by place.
    pub(super) by_place: Rc<FxHashMap<Origin, u32>>,
}

impl Goals {
    /// The goals in those of the `bodies` that the scope names. Those that are `ruled_out`, and the failure of
    /// `assert true`, are unreachable.
    pub(super) fn collect(
        program: &Program,
        root: (ProcId, u32),
        bodies: &[(ProcId, u32)],
        scope: &GoalScope,
        ruled_out: &FxHashSet<Origin>,
    ) -> Goals {
        let (mut list, mut by_place) = (Vec::new(), FxHashMap::default());
        let says_true = |at| program.asserted(at).and_then(|c| program.terms.as_bool(c)) == Some(true);
        let places: Option<FxHashSet<Origin>> = match scope {
            GoalScope::Places(places) => Some(places.iter().copied().collect()),
            _ => None,
        };
        for &(procedure, body) in bodies {
            let wanted = match scope {
                GoalScope::Root => (procedure, body) == root,
                GoalScope::Procedures(list) => list.contains(&procedure),
                GoalScope::Places(places) => {
                    places.iter().any(|p| (p.procedure, p.body) == (procedure, body))
                }
                GoalScope::All => true,
            };
            if !wanted {
                continue;
            }
            for objective in footpath_transform::objectives(program, procedure, body) {
                if places.as_ref().is_some_and(|p| !p.contains(&objective.origin)) {
                    continue;
                }
                by_place.insert(objective.origin, list.len() as u32);
                let goal = Goal::of(program, objective);
                let ruled_out = ruled_out.contains(&goal.origin) || says_true(goal.origin);
                list.push(Goal { ruled_out, ..goal });
            }
        }
        Goals { list, by_place: Rc::new(by_place) }
    }
}

impl Goal {
    /// An objective of a program as a goal that nothing is known of.
    pub fn of(program: &Program, objective: Objective) -> Goal {
        let Objective { origin, name, span, what } = objective;
        let kind = match what {
            What::Statements => GoalKind::Statements,
            What::Continuation => GoalKind::Continuation,
            What::Edge => GoalKind::Edge,
            What::Failure(kind) => GoalKind::Failure(kind),
            What::Return => GoalKind::Return,
        };
        // The failure of a check that does not end the run is a block of its own.
        let is_check = match origin.place {
            Place::Segment { block, .. } => {
                program[origin.procedure].bodies[origin.body as usize].mark(block).is_some()
            }
            _ => matches!(kind, GoalKind::Failure(_)),
        };
        Goal {
            origin,
            name,
            span,
            kind,
            is_check,
            visited: false,
            covered_by: None,
            covered_well: false,
            returned_by: None,
            ruled_out: false,
        }
    }
}
