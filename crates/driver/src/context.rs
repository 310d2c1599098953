//! What the analyses of all functions share.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use footpath_concolic::Prepared;
use footpath_cover::Callees;
use footpath_frontend::c::LoweredFunction;
use footpath_ir::ProcId;
use footpath_preconditions::Conditions;
use footpath_summaries::Covers;

use crate::compile::Compiled;
use crate::strategy::bounded_proof::LaterProofs;
use crate::strategy::greybox_fuzzing::Fuzzers;
use crate::strategy::verification_guide::Guidance;
use crate::{Event, Options};

/// The state that the analyses of all functions share.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) options: &'a Options,
    pub(crate) compiled: &'a Compiled,
    pub(crate) prepared: &'a Prepared<'a>,
    /// The functions that are instrumented for coverage.
    pub(crate) names: &'a BTreeSet<String>,
    /// Proofs of earlier runs.
    pub(crate) proved: Option<&'a Covers<'a>>,
    /// Searches for tests of earlier runs.
    pub(crate) searches: Option<&'a Covers<'a>>,
    /// The guidance of the search for tests, by partial verification.
    pub(crate) guidance: Option<&'a Guidance>,
    /// Proofs of earlier runs about the program in which runs go on after accesses that are out of bounds.
    pub(crate) out_of_bounds_proved: Option<&'a dyn LaterProofs>,
    /// Exact procedure summaries of callees for the search for tests.
    pub(crate) conditions: Option<&'a Conditions<'a>>,
    /// Procedure summaries of callees for proofs.
    pub(crate) callees: Option<&'a dyn Callees>,
    /// The programs that fuzz functions.
    pub(crate) fuzzers: &'a Fuzzers,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) events: &'a (dyn Fn(Event) + Sync),
}

impl<'a> Context<'a> {
    /// The state of an analysis that nothing was found out for yet.
    pub(crate) fn new(
        options: &'a Options,
        compiled: &'a Compiled,
        prepared: &'a Prepared<'a>,
        names: &'a BTreeSet<String>,
        fuzzers: &'a Fuzzers,
        stop: &'a AtomicBool,
        events: &'a (dyn Fn(Event) + Sync),
    ) -> Context<'a> {
        Context {
            options,
            compiled,
            prepared,
            names,
            proved: None,
            searches: None,
            guidance: None,
            out_of_bounds_proved: None,
            conditions: None,
            callees: None,
            fuzzers,
            stop,
            events,
        }
    }

    /// The procedures of the user's functions.
    pub(crate) fn user_procedures(&self) -> Vec<ProcId> {
        let functions = &self.compiled.lowered.functions;
        let of_the_user = |f: &&LoweredFunction| (f.function.module as usize) < self.compiled.files.len();
        functions.iter().filter(of_the_user).map(|f| f.procedure).collect()
    }
}
