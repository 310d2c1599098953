//! Which of several places no run reaches, by induction over all loops at once and nothing else.
//!
//! **Idea.** One induction is about all places together: conditions at the heads of loops need to be found only once. Where a
//! run ends at each place, what excludes one says nothing of the others, and each is proved or not by itself.
//!
//! A place may be passed, too: that arithmetic overflowed, say, does not stop a C program. Runs are followed up to the first
//! place only, so what is found out holds of runs that passed none. Those that may be passed are therefore given up, and the
//! rest is asked about anew, until those that runs could pass are all excluded, too. Then no run has passed one.
//!
//! **Where it may be wrong.** As induction (`inductive.rs`) and the solver; loop summaries take no part. Every state in which
//! the body may be called is a start, machine integers wrap, and a call does what the callee's body does, or its contract if
//! it has none.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use footpath_ir::{BlockId, Body, Origin, ProcId, Program};
use footpath_smt::Profile;
use footpath_threads::on_deep_stack;
use footpath_transform::wto::Wto;

use super::{Job, Options, ReachError, Work, no_thread};
use crate::inductive::{Subject, may_be_reached};
use crate::recursion::{Folded, folded};

/// Of each of `places` whether induction proves that no run of a body reaches it, checks that fail and stop the program
/// ending runs. `None` if calls cannot be followed within the options' limits. A body without loops and recursion is not
/// looked at.
///
/// # Errors
/// If there is no such solver, or no thread.
pub fn prove_by_induction(
    program: &Program,
    procedure: ProcId,
    body: u32,
    places: &[Origin],
    options: &Options,
    stop: &AtomicBool,
) -> Result<Option<Vec<bool>>, ReachError> {
    let (start, origins) = ((procedure, body), places.to_vec());
    let job = Job { program, start, origins, target: None, options, invariants: false, wait: None };
    on_deep_stack(|| job.work(Instant::now(), stop).excluded()).map_err(|e| no_thread(&e))?
}

impl Work<'_, '_> {
    /// See [`prove_by_induction`].
    fn excluded(&mut self) -> Result<Option<Vec<bool>>, ReachError> {
        let places = &self.job.origins;
        let folded = self.folded();
        let (body, procedures) = match &folded {
            Some(Folded { body, procedures }) => (body, &procedures[..]),
            None if self.inlined.unfollowed.is_empty() => (&self.inlined.body, &[][..]),
            None => return Ok(None),
        };
        if procedures.is_empty() && Wto::of(body).components.is_empty() {
            return Ok(Some(vec![false; places.len()]));
        }
        let subject = Subject { body, procedures, initial: &self.initial, theory: &self.theory };
        let (stop, deadline) = (self.stop, self.deadline);
        let go_on = || !stop.load(Ordering::Relaxed) && deadline.is_none_or(|d| Instant::now() < d);
        let mut solver = self.job.solver(Profile::Decide)?;
        // A place that stands nowhere is not one that is told apart.
        let mut asked: Vec<bool> =
            places.iter().map(|p| body.blocks.iter().any(|b| b.origin == *p)).collect();
        while asked.contains(&true) && go_on() {
            let is_asked = |origin: &Origin| places.iter().zip(&asked).any(|(p, a)| *a && p == origin);
            let targets: Vec<BlockId> = body.block_ids().filter(|b| is_asked(&body[*b].origin)).collect();
            let open = may_be_reached(&mut self.terms, &subject, &targets, &mut *solver, &go_on);
            let is_open = |place: &Origin| open.iter().any(|b| body[*b].origin == *place);
            if !open.iter().any(|b| may_be_passed(body, *b)) {
                return Ok(Some(places.iter().zip(&asked).map(|(p, a)| *a && !is_open(p)).collect()));
            }
            let passes = |p: &Origin| open.iter().any(|b| body[*b].origin == *p && may_be_passed(body, *b));
            let kept: Vec<bool> = places.iter().zip(&asked).map(|(p, a)| *a && !passes(p)).collect();
            asked = kept;
        }
        Ok(Some(vec![false; places.len()]))
    }

    /// The body in which procedures that call themselves stand once, if calls were cut.
    pub(super) fn folded(&mut self) -> Option<Folded> {
        if self.inlined.unfollowed.is_empty() {
            return None;
        }
        let Job { program, start, options, .. } = *self.job;
        folded(program, &mut self.terms, start, options.max_blocks)
    }
}

/// Whether runs go on behind a block.
fn may_be_passed(body: &Body, block: BlockId) -> bool {
    !body[block].terminator.successors().is_empty()
}
