//! Covers in files.
//!
//! A cover is kept under all that it depends on: what its procedure and all it may call say, what is declared around
//! them, and the options. A changed procedure has other files, and so has everything that calls it.
//!
//! An unknown verdict is kept, too, and comes again for who allows as much time or less.
//!
//! **Direction of error.** That of [`CoverCache`]; tests are run again, proofs are believed.

use std::path::PathBuf;
use std::time::Duration;

use footpath_cover::{CoverCache, CoverOptions, ProcedureCover, Verdict};
use footpath_ir::{ProcId, Program};

use crate::call_graph::Graph;
use crate::result_cache::{KeptText, Texts};
use crate::store::Store;

/// The first line of what a key is made of; changes with the meaning of files and with how covers are computed.
const FORMAT: &str = "footpath cover 2";

/// What stands for nothing at all.
const NOTHING: &str = "nothing\n";

/// Covers of a program's procedures that are kept in a folder.
pub struct Covers<'p> {
    program: &'p Program,
    keeper: CoverCache<'p>,
    store: Store,
    /// Whether tests are kept, or proofs only.
    tests: bool,
    texts: Texts,
}

impl<'p> Covers<'p> {
    /// For covers under some options, whose `timeout` is what a procedure may take; `beside` says what else they depend on.
    /// Without `tests` only proofs are kept.
    pub fn new(
        folder: PathBuf,
        program: &'p Program,
        options: &CoverOptions,
        beside: &str,
        tests: bool,
    ) -> Covers<'p> {
        let matters = CoverOptions { jobs: 0, dump_smt: None, timeout: None, ..options.clone() };
        let version = env!("CARGO_PKG_VERSION");
        let common = format!("{FORMAT}\n{version} {matters:?}\n{beside}\n{tests}");
        let store = Store::of(folder.clone(), program, &Graph::of(program), &common);
        let texts = Texts::new(folder, options.timeout.unwrap_or(Duration::MAX));
        Covers { program, keeper: CoverCache::new(program), store, tests, texts }
    }

    /// The covers of all bodies of a procedure, if they are there and more time was not allowed now; none if it is known that
    /// there is nothing.
    pub fn recall(&self, procedure: ProcId) -> Option<Vec<ProcedureCover>> {
        let bodies = 0..self.program[procedure].bodies.len() as u32;
        let texts: Option<Vec<String>> = bodies
            .map(|b| self.read(procedure, b).filter(|kept| kept.is_enough).map(|kept| kept.text))
            .collect();
        let texts = texts?;
        if texts.iter().any(|text| text == NOTHING) {
            return Some(Vec::new());
        }
        let bodies = texts.iter().enumerate();
        bodies.map(|(body, text)| self.keeper.recall((procedure, body as u32), text)).collect()
    }

    /// Keeps a cover, if it can be written.
    pub fn keep(&self, cover: &ProcedureCover) {
        let Some(text) = self.keeper.keep(cover, self.tests) else { return };
        let is_open = cover.objectives.iter().any(|o| matches!(o.verdict, Verdict::Unknown(_)));
        self.write((cover.procedure, cover.body), &text, !is_open);
    }

    /// Keeps that the time of a procedure was over before it could be asked about.
    pub fn keep_nothing(&self, procedure: ProcId) {
        self.write((procedure, 0), NOTHING, false);
    }

    /// Inputs as text.
    pub fn keeper(&self) -> &CoverCache<'p> {
        &self.keeper
    }

    /// What else was kept of a procedure.
    pub fn text(&self, procedure: ProcId) -> Option<KeptText> {
        self.read(procedure, 0)
    }

    /// Keeps something else of a procedure than its cover, in a store that has no covers; `is_all` says that more time would
    /// not find more.
    pub fn keep_text(&self, procedure: ProcId, text: &str, is_all: bool) {
        self.write((procedure, 0), text, is_all);
    }

    fn read(&self, procedure: ProcId, body: u32) -> Option<KeptText> {
        self.texts.read(&self.store.cover_key(self.program, procedure, body))
    }

    fn write(&self, (procedure, body): (ProcId, u32), text: &str, is_all: bool) {
        self.texts.write(&self.store.cover_key(self.program, procedure, body), text, is_all);
    }

    /// What the user should know of the store, each thing once.
    pub fn warnings(&self) -> Vec<String> {
        self.texts.warnings()
    }
}
