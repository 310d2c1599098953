//! Reachability of several places by induction alone: for each one, whether no run reaches it.
//!
//! **Idea.** One induction is about all places together, so that conditions at the loop heads are only found once. If
//! a run ends at each place, what excludes one place says nothing about the others, and each is proved or not by
//! itself.
//!
//! A place may also be passed: an arithmetic overflow, for example, does not stop a C program. So places that end
//! runs are asked about first, and runs go on after the others. Then the others are asked about with what is left,
//! for a short time, as most of them are beyond induction. In that step runs are followed up to the first place only,
//! so what is found out holds for runs that passed none: places that may be passed are given up, and the rest is
//! asked about again, until no open place can be passed. Then no run has passed any of the places that were asked
//! about.
//!
//! **Direction of error.** That of induction (`inductive.rs`) and the solver; loop summaries take no part. Every
//! state in which the body may be called is a start, machine integers wrap, and a call does what the callee's body
//! does, or its contract if it has none.

use std::sync::atomic::{AtomicBool, Ordering};

use footpath_ir::analysis::wto::Wto;
use footpath_ir::{BlockId, Body, Origin, ProcId, Program};
use footpath_parallel::on_deep_stack;
use footpath_smt::Profile;
use footpath_virtual_time::Deadline;

use super::{Job, Options, ReachError, Work, no_thread};
use crate::inductive::{Subject, may_be_reached};
use crate::recursion::{Folded, folded};

/// The share of the time in which places are asked about that may be passed.
const PASSED_SHARE: f64 = 0.2;

/// For each of `places`, whether induction proves that no run of a body reaches it. Failing checks that stop the
/// program end runs. `None` if calls cannot be inlined within the options' limits, or if the body has neither loops
/// nor recursion.
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
    let job =
        Job { program, start, origins, target: None, options, invariants: false, wait: None, native: None };
    on_deep_stack(|| job.work(stop).excluded()).map_err(|e| no_thread(&e))?
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
        let (stop, deadline, whole) = (self.stop, self.deadline, self.left());
        let go_on = || !stop.load(Ordering::Relaxed) && deadline.is_none_or(|d| !d.is_over());
        let mut solver = self.job.solver(Profile::Decide)?;
        let mut asker = Places { body, places, proved: vec![false; places.len()] };
        let (terms, solver) = (&mut self.terms, &mut *solver);
        let ends: Vec<bool> = places.iter().map(|p| !asker.is_passed(*p)).collect();
        asker.ask(ends.clone(), &mut |targets| may_be_reached(terms, &subject, targets, solver, &go_on));
        if ends.contains(&false) && go_on() {
            let part = whole.map(|whole| Deadline::after(whole.mul_f64(PASSED_SHARE)));
            let go_on = || go_on() && part.is_none_or(|d| !d.is_over());
            let rest = asker.proved.iter().map(|proved| !proved).collect();
            asker.ask(rest, &mut |targets| {
                if go_on() {
                    may_be_reached(terms, &subject, targets, solver, &go_on)
                } else {
                    targets.to_vec()
                }
            });
        }
        Ok(Some(asker.proved))
    }

    /// The body in which each recursive procedure occurs once, if calls were cut off.
    pub(super) fn folded(&mut self) -> Option<Folded> {
        if self.inlined.unfollowed.is_empty() {
            return None;
        }
        let Job { program, start, options, .. } = *self.job;
        folded(program, &mut self.terms, start, options.max_blocks)
    }
}

/// Places in a body.
struct Places<'a> {
    body: &'a Body,
    places: &'a [Origin],
    /// Which of them are proved unreachable.
    proved: Vec<bool>,
}

impl Places<'_> {
    /// Whether runs go on after a place.
    fn is_passed(&self, place: Origin) -> bool {
        let here = self.body.blocks.iter().filter(|b| b.origin == place);
        here.into_iter().any(|b| !b.terminator.successors().is_empty())
    }

    /// Asks about some of the places, and anew without those that may be passed, until none of these is open.
    fn ask(&mut self, mut asked: Vec<bool>, may_be_reached: &mut dyn FnMut(&[BlockId]) -> Vec<BlockId>) {
        // A place that stands nowhere is not one that is told apart.
        let stands = |p: &Origin| self.body.blocks.iter().any(|b| b.origin == *p);
        self.places.iter().zip(&mut asked).for_each(|(p, asked)| *asked &= stands(p));
        while asked.contains(&true) {
            let is_asked = |origin: &Origin| self.places.iter().zip(&asked).any(|(p, a)| *a && p == origin);
            let body = self.body;
            let targets: Vec<BlockId> = body.block_ids().filter(|b| is_asked(&body[*b].origin)).collect();
            let open: Vec<Origin> = may_be_reached(&targets).into_iter().map(|b| body[b].origin).collect();
            if !open.iter().any(|p| self.is_passed(*p)) {
                let closed = self.places.iter().zip(&asked).map(|(p, asked)| *asked && !open.contains(p));
                self.proved.iter_mut().zip(closed).for_each(|(proved, closed)| *proved |= closed);
                return;
            }
            let passed: Vec<bool> =
                self.places.iter().map(|p| open.contains(p) && self.is_passed(*p)).collect();
            asked.iter_mut().zip(passed).for_each(|(asked, passed)| *asked &= !passed);
        }
    }
}
