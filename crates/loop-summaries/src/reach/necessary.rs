//! The necessary condition of places as a formula, for analyses that ask their own queries with it.
//!
//! **Direction of error.** In one direction: every run to one of the places satisfies the condition, and so may other
//! inputs.

use std::sync::atomic::AtomicBool;

use footpath_ir::{Origin, ProcId, Program};
use footpath_parallel::on_deep_stack;
use footpath_term::{Op, TermId, Terms};

use super::{Job, Options, ReachError, no_thread};
use crate::unfold::Limits;

/// A condition that every run to a place satisfies.
pub struct Necessary {
    /// The arena of the condition: a layer over the program's terms.
    pub terms: Terms,
    /// A formula over the variables at the start of runs, with further symbols as needed.
    pub condition: TermId,
}

/// The condition that every run of a body which reaches one of `places` satisfies. The first `rounds` iterations of
/// each loop are explicit, all others over-approximated. `None` if it could not be built within the options' limits,
/// or if the analysis does not distinguish the places.
///
/// # Errors
/// As for [`reach`](super::reach).
pub fn necessary(
    program: &Program,
    procedure: ProcId,
    body: u32,
    places: &[Origin],
    rounds: u64,
    options: &Options,
    stop: &AtomicBool,
) -> Result<Option<Necessary>, ReachError> {
    let options = Options { tests: false, ..options.clone() };
    let (start, origins, invariants) = ((procedure, body), places.to_vec(), options.invariants);
    let options = &options;
    let job = Job { program, start, origins, target: None, options, invariants, wait: None, native: None };
    on_deep_stack(|| job.necessary(rounds, stop)).map_err(|e| no_thread(&e))?
}

impl Job<'_> {
    /// The condition of the places, and of the places where recursion is cut off, as these may lead there.
    fn necessary(&self, rounds: u64, stop: &AtomicBool) -> Result<Option<Necessary>, ReachError> {
        let mut work = self.work(stop);
        let mut targets = work.targets();
        if targets.is_empty() {
            return Ok(None);
        }
        targets.extend(work.inlined.unfollowed.iter().map(|call| call.block));
        let Ok(tree) = work.tree(&targets, &mut Vec::new())? else { return Ok(None) };
        let Some(tree) = tree else {
            let condition = work.terms.bool(false);
            return Ok(Some(Necessary { terms: work.terms, condition }));
        };
        let Some(unfolding) = work.unfold(&tree, &Limits::of_all(rounds)) else { return Ok(None) };
        let formulas = work.theory.relevant(&mut work.terms, &[unfolding.formula]).formulas;
        let all = formulas.into_iter().chain([unfolding.formula]).collect::<Vec<_>>();
        let condition = work.terms.app(Op::And, all);
        Ok(Some(Necessary { terms: work.terms, condition }))
    }
}
