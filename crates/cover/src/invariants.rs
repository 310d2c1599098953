//! Invariants from abstract interpretation, for procedures that are too long for one query.
//!
//! **Idea.** Windows (`windows.rs`) ask whether a block can be reached from *any* state a few branches before it. No
//! run reaches most of these states: conditions that earlier branches tested, and relations established on all paths,
//! still hold there. Abstract interpretation carries linear relations between variables along the whole procedure in
//! the time of a few queries (Cousot, Halbwachs, "Automatic Discovery of Linear Restraints Among Variables of a
//! Program", POPL 1978; the domain is that of `footpath_absint`). The relations are assumed at the starts of windows,
//! and they rule out blocks by themselves.
//!
//! **Example.** If `i` and `n` start equal and all paths change both alike, `i = n` is assumed there, and a
//! block in the window under `i != n` is refuted.
//!
//! Blocks that are known to be infeasible are excluded from the analysis, so it finds more the more is proved.
//!
//! **Direction of error.** None: a relation holds in every run of the loop-free form.

use std::time::Duration;

use footpath_absint::{Effort, conditions};
use footpath_ir::{BlockId, Body, Statement, StatementKind};
use footpath_term::TermId;
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use super::session::{Session, Status};
use super::windows::dead;

/// The share of the remaining time that the analysis may take.
const SHARE: f64 = 0.1;
/// The time limit of the analysis where there is no other limit.
const PATIENCE: Duration = Duration::from_secs(10);
/// The limit on abstract states of a block: in loop-free forms many edges lead to one block.
const PARTITIONS: usize = 4;

/// For each block a condition that holds whenever it is entered, over the variables there.
pub(super) struct Invariants {
    conditions: Vec<Option<TermId>>,
    /// The number of excluded blocks in the last analysis; `None` if there was none.
    left_out: Option<usize>,
}

impl Invariants {
    /// No invariants.
    pub(super) fn none() -> Invariants {
        Invariants { conditions: Vec::new(), left_out: None }
    }

    /// The condition that holds where a block is entered.
    pub(super) fn at(&self, block: BlockId) -> Option<TermId> {
        self.conditions.get(block.index()).copied().flatten()
    }

    /// Repeats the analysis if more blocks are known to be infeasible, and decides goals by it. An analysis that gave
    /// up is not repeated for the same blocks.
    pub(super) fn refresh(&mut self, s: &mut Session) {
        let dead = dead(s);
        if self.left_out.replace(dead.len()) == Some(dead.len()) || s.open_goals().is_empty() {
            return;
        }
        let time = s.time_left().map_or(PATIENCE, |left| left.mul_f64(SHARE));
        let effort =
            Effort { partitions: PARTITIONS, until: Some(Deadline::after(time)), ..Effort::default() };
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

/// The loop-free form without the runs through some blocks.
fn without(s: &mut Session, dead: &FxHashSet<BlockId>) -> Body {
    let mut body = s.unit.body.clone();
    let never = s.terms.bool(false);
    for &block in dead {
        let span = body.blocks[block.index()].span;
        body.blocks[block.index()].statements = vec![Statement::new(StatementKind::Assume(never), span)];
    }
    body
}
