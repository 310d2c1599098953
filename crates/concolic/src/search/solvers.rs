//! The solvers of an exploration: how they are opened and interrupted.

use std::sync::{Mutex, MutexGuard, PoisonError};

use footpath_smt::{Interrupter, Profile, Solver, SolverSpec};

use crate::options::Options;
use crate::report::ExploreError;

pub(super) fn lock(interrupters: &Mutex<Vec<Interrupter>>) -> MutexGuard<'_, Vec<Interrupter>> {
    interrupters.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn open_solver(options: &Options, profile: Profile) -> Result<Box<dyn Solver>, ExploreError> {
    let failed = |e: footpath_smt::OpenError| ExploreError::Solver(e.to_string());
    let spec = SolverSpec::parse(&options.solver).map_err(failed)?;
    let settings = footpath_smt::Options {
        profile,
        timeout: options.bounds.query,
        seed: (options.seed != 0).then_some(options.seed as u32),
        memory: None,
        // Those of the SAT solver are apart.
        dump: options.dump_smt.as_ref().map(|folder| match profile {
            Profile::Bits => folder.join("words"),
            Profile::Decide | Profile::Refute | Profile::Hard => folder.clone(),
        }),
        cross_check: None,
    };
    footpath_smt::open(&spec, &settings).map_err(failed)
}
