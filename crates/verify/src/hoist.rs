//! Assumptions put before the branches behind which they would stand.
//!
//! **Idea.** Where one way of a branch begins with `assume c`, a search has to take the way to learn that it is of no use:
//! one aborted run for each. `assume b ==> c` before the branch on `b` lets the same runs through, and the solver never
//! asks for the way. Where the branch is all that its block has, that goes on to the branch before it.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.2: the earlier it is assumed, the more is pruned. Its
//! conditions are over assumptions only, so that there it goes as far as conditions that are the same on all ways.
//!
//! **Deviation.** Not where the branch is a check that does not stop the program: a run that passes it is made.
//!
//! **Where it may be wrong.** Exactly the runs are given up that would be given up behind the branch.

use std::collections::BTreeMap;

use footpath_ir::{Body, TerminatorKind};
use footpath_term::{Op, TermId, Terms};

use crate::conditions::Point;

/// What is put at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The condition that is tried first.
    pub(crate) try_first: Option<TermId>,
    /// The condition that is assumed then.
    pub(crate) assume: Option<TermId>,
}

/// See the module.
pub(crate) fn hoist(terms: &mut Terms, body: &Body, placed: &mut BTreeMap<Point, Placed>) {
    let predecessors = body.predecessors();
    let mut todo: Vec<_> = body.block_ids().collect();
    while let Some(block) = todo.pop() {
        let TerminatorKind::Branch { condition, then_to, else_to } = body[block].terminator.kind else {
            continue;
        };
        // A run that passes a check that was not verified is worth making.
        if body.marks_behind(block).next().is_some() {
            continue;
        }
        let not = terms.app(Op::Not, [condition]);
        let mut parts = Vec::new();
        for (taken, to) in [(condition, then_to), (not, else_to)] {
            let start = Point { block: to, statement: 0 };
            let Some(put) = placed.get(&start).copied() else { continue };
            if let (None, Some(assume), [_]) = (put.try_first, put.assume, &predecessors[to.index()][..]) {
                parts.push(terms.app(Op::Implies, [taken, assume]));
                placed.remove(&start);
            }
        }
        if parts.is_empty() {
            continue;
        }
        let end = Point { block, statement: body[block].statements.len() };
        let here = placed.entry(end).or_insert(Placed { try_first: None, assume: None });
        parts.extend(here.assume);
        here.assume = Some(terms.app(Op::And, parts));
        if body[block].statements.is_empty() {
            todo.extend(&predecessors[block.index()]);
        }
    }
}
