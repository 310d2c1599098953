//! Pruning by abstract interpretation: checks that no run from the entry fails are removed before anything is
//! explored.
//!
//! **Idea.** A segment is explored from every state, so it is also explored how checks fail in states that no run is
//! in, such as an overflow of a sum in a loop that is already close to the largest number; the conditions of a loop
//! may then grow with every iteration without meaning anything at the entry. What abstract interpretation proves for
//! the whole body, for any number of iterations, is decided first: a branch one arm of which is never entered becomes
//! a jump.
//!
//! Example: in `for (i = 0; i < 10; i++)` the overflow check of `i++` is removed, as `i < 10` holds there.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, 2007), Section 4, leaves what
//! segments by themselves cannot know to testing them again in context.
//!
//! **Direction of error.** None: runs from the entry are the same with and without the branch. Conditions in the
//! middle of the body may differ, and they count for such runs only.

use std::time::Duration;

use footpath_ir::{Body, TerminatorKind};
use footpath_virtual_time::Deadline;

use crate::tools::Tools;

/// The longest that this may take, and its share of the time that is left.
const LONGEST: Duration = Duration::from_secs(5);
const SHARE: f64 = 0.1;

/// Leaves out the branches of a body that are never taken.
pub(crate) fn leave_out(tools: &mut Tools<'_>, body: &mut Body) {
    let longest = Deadline::after(LONGEST);
    let effort = footpath_absint::Effort {
        until: Some(tools.deadline.map_or(longest, |d| d.share(SHARE).min(longest))),
        ..footpath_absint::Effort::default()
    };
    let Some(enters) = footpath_absint::may_enter(&mut tools.terms, body, effort) else { return };
    for block in &mut body.blocks {
        let TerminatorKind::Branch { then_to, else_to, .. } = block.terminator.kind else { continue };
        let only = match (enters[then_to.index()], enters[else_to.index()]) {
            (true, false) => then_to,
            (false, true) => else_to,
            _ => continue,
        };
        block.terminator.kind = TerminatorKind::Goto(vec![only]);
    }
}
