//! Covers in files.
//!
//! A cover is kept under all that it depends on: what its procedure and all it may call say, what is declared around
//! them, and the options, limits of time among them. So an unknown verdict is kept, too, and comes again under the same
//! limits; who allows more time asks anew. A changed procedure has other files, and so has everything that calls it.
//!
//! **Direction of error:** that of [`Keeper`]; tests are run again, proofs are believed.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use footpath_engine::cover::{CoverOptions, Keeper, ProcedureCover};
use footpath_ir::{ProcId, Program};

use crate::graph::Graph;
use crate::store::Store;

/// The first line of what a key is made of; changes with the meaning of files and with how covers are computed.
const FORMAT: &str = "footpath cover 1";

/// Covers of a program's procedures that are kept in a folder.
pub struct Covers<'p> {
    program: &'p Program,
    keeper: Keeper<'p>,
    store: Store,
    /// Whether tests are kept, or proofs only.
    tests: bool,
    warnings: Mutex<Vec<String>>,
}

impl<'p> Covers<'p> {
    /// For covers under some options; `beside` says what else they depend on. Without `tests` only proofs are kept.
    pub fn new(
        folder: PathBuf,
        program: &'p Program,
        options: &CoverOptions,
        beside: &str,
        tests: bool,
    ) -> Covers<'p> {
        let matters = CoverOptions { jobs: 0, dump_smt: None, ..options.clone() };
        let version = env!("CARGO_PKG_VERSION");
        let common = format!("{FORMAT}\n{version} {matters:?}\n{beside}\n{tests}");
        let store = Store::of(folder, program, &Graph::of(program), &common);
        let warnings = Mutex::new(Vec::new());
        Covers { program, keeper: Keeper::new(program), store, tests, warnings }
    }

    fn warn(&self, warning: String) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
    }

    /// The covers of all bodies of a procedure, if they are there.
    pub fn recall(&self, procedure: ProcId) -> Option<Vec<ProcedureCover>> {
        let bodies = 0..self.program[procedure].bodies.len() as u32;
        let one = |body| match self.store.text(self.program, procedure, body) {
            Ok(text) => self.keeper.recall((procedure, body), &text?),
            Err(warning) => {
                self.warn(warning);
                None
            }
        };
        bodies.map(one).collect()
    }

    /// Keeps a cover, if it can be written.
    pub fn keep(&self, cover: &ProcedureCover) {
        let Some(text) = self.keeper.keep(cover, self.tests) else { return };
        if let Err(e) = self.store.keep(self.program, (cover.procedure, cover.body), &text) {
            self.warn(format!("covers could not be kept: {e}"));
        }
    }

    /// Inputs as text.
    pub fn keeper(&self) -> &Keeper<'p> {
        &self.keeper
    }

    /// What else was kept of a procedure.
    pub fn text(&self, procedure: ProcId) -> Option<String> {
        self.store.text(self.program, procedure, 0).unwrap_or_else(|warning| {
            self.warn(warning);
            None
        })
    }

    /// Keeps something else of a procedure than its cover, in a store that has no covers.
    pub fn keep_text(&self, procedure: ProcId, text: &str) {
        if let Err(e) = self.store.keep(self.program, (procedure, 0), text) {
            self.warn(format!("results could not be kept: {e}"));
        }
    }

    /// What the user should know of the store, each thing once.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner));
        warnings.dedup();
        warnings
    }
}
