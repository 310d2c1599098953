//! What abstract interpretation knows of a procedure that is too long to be asked about as a whole.
//!
//! Windows (`windows.rs`) ask whether a block can be reached from *any* state a few branches before it. Most states are none
//! that a run comes to: what earlier branches tested and what was assigned on all ways still holds there. Linear relations
//! between variables are carried along the whole procedure by abstract interpretation in the time of a few questions
//! (Cousot, Halbwachs, "Automatic Discovery of Linear Restraints Among Variables of a Program", POPL 1978; the domain is that
//! of `footpath_absint`). They are assumed at the starts of windows, and rule blocks out by themselves.
//!
//! Blocks that are known to be infeasible are left out when relations are found, so these grow with what they prove.
//!
//! **Direction of error.** None; a relation holds in every run of the loop-free form.

use std::time::{Duration, Instant};

use footpath_absint::{Effort, conditions};
use footpath_ir::{BlockId, Body, Statement, StatementKind};
use footpath_term::TermId;
use rustc_hash::FxHashSet;

use super::session::{Session, Status};
use super::windows::dead;

/// The part of the time that is left for relations.
const SHARE: f64 = 0.1;
/// Time for relations where there is no limit.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many states are told apart at a block: loop-free forms have many ways into one block.
const PARTITIONS: usize = 4;

/// For each block what holds wherever it is entered, over the variables there.
pub(super) struct Invariants {
    conditions: Vec<Option<TermId>>,
    /// How many blocks were left out when they were looked for; none if they never were.
    left_out: Option<usize>,
}

impl Invariants {
    /// Nothing is known.
    pub(super) fn none() -> Invariants {
        Invariants { conditions: Vec::new(), left_out: None }
    }

    /// What holds where a block is entered.
    pub(super) fn at(&self, block: BlockId) -> Option<TermId> {
        self.conditions.get(block.index()).copied().flatten()
    }

    /// Finds them anew if more blocks are known to be infeasible, and decides goals by them. An analysis that gave up is not
    /// repeated for the same blocks.
    pub(super) fn refresh(&mut self, s: &mut Session) {
        let dead = dead(s);
        if self.left_out.replace(dead.len()) == Some(dead.len()) || s.open_goals().is_empty() {
            return;
        }
        let time = s.time_left().map_or(PATIENCE, |left| left.mul_f64(SHARE));
        let effort =
            Effort { partitions: PARTITIONS, until: Some(Instant::now() + time), ..Effort::default() };
        let body = without(s, &dead);
        let Some(found) = conditions(&mut s.terms, &body, effort) else { return };
        let is_entered = |block: &BlockId| found[block.index()].is_some();
        for i in s.open_goals() {
            if s.goals[i].status == Status::Open && !s.goals[i].blocks.iter().any(is_entered) {
                s.refute(i, true);
            }
        }
        self.conditions = found;
    }
}

/// The loop-free form, in which no run passes some blocks.
fn without(s: &mut Session, dead: &FxHashSet<BlockId>) -> Body {
    let mut body = s.unit.body.clone();
    let never = s.terms.bool(false);
    for &block in dead {
        let span = body.blocks[block.index()].span;
        body.blocks[block.index()].statements = vec![Statement::new(StatementKind::Assume(never), span)];
    }
    body
}
