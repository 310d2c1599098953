//! The necessary condition of places as a formula, for those that ask their own questions with it.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use footpath_ir::{Origin, ProcId, Program};
use footpath_parallel::on_deep_stack;
use footpath_term::{Op, TermId, Terms};

use super::{Job, Options, ReachError, no_thread};
use crate::unfold::Limits;

/// A condition that every run to a place satisfies.
pub struct Necessary {
    /// What it is written in: a layer over the program's terms.
    pub terms: Terms,
    /// A formula over the variables where runs start, with further symbols as it needs them.
    pub condition: TermId,
}

/// What every run of a body that reaches one of `places` satisfies: its first `rounds` iterations of each loop as they are, all
/// others by what holds of any. `None` if it could not be built within the options' limits, or if the analysis does not
/// tell the places apart.
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
    /// The condition of the places, and of where recursion is cut, as that may lead there.
    fn necessary(&self, rounds: u64, stop: &AtomicBool) -> Result<Option<Necessary>, ReachError> {
        let mut work = self.work(Instant::now(), stop);
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
