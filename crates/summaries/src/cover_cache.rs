//! A cache of covers on disk.
//!
//! The key of a cover has all that the cover depends on: the canonical form of its procedure and of all that it may
//! call, the declarations around them, and the options. So a changed procedure has other keys, and so has every
//! procedure that calls it. An unknown verdict is cached too, and it is used again if the time limit is the same or
//! less.
//!
//! **Direction of error.** That of [`CoverCache`]: tests are run again, proofs are trusted.

use std::sync::Arc;
use std::time::Duration;

use footpath_cover::{CoverCache, CoverOptions, ProcedureCover, Verdict};
use footpath_ir::{ProcId, Program};

use crate::procedure_digests::{Digests, Keys};
use crate::result_cache::{KeptText, Texts};
use crate::tiered_storage::Storage;

/// The first line of the data of a key; it changes when the meaning of files or the computation of covers changes.
const FORMAT: &str = "footpath cover 2";

/// The text for "nothing was found out".
const NOTHING: &str = "nothing\n";

/// The cache of the covers of a program's procedures.
pub struct Covers<'p> {
    program: &'p Program,
    keeper: CoverCache<'p>,
    keys: Keys<'p>,
    /// Whether tests are cached, or only proofs.
    tests: bool,
    texts: Texts,
}

impl<'p> Covers<'p> {
    /// A cache for covers under some options. `timeout` in the options is the time limit of a procedure; `beside` has
    /// everything else that they depend on. Without `tests` only proofs are cached.
    pub fn new(
        storage: impl Into<Storage>,
        digests: &Arc<Digests<'p>>,
        options: &CoverOptions,
        beside: &str,
        tests: bool,
    ) -> Covers<'p> {
        let matters = CoverOptions { jobs: 0, dump_smt: None, timeout: None, ..options.clone() };
        let common = format!("{FORMAT}\n{matters:?}\n{beside}\n{tests}");
        let (program, keys) = (digests.program(), Keys::new(digests, &common));
        let texts = Texts::new(storage.into(), options.timeout.unwrap_or(Duration::MAX));
        Covers { program, keeper: CoverCache::new(program), keys, tests, texts }
    }

    /// The covers of all bodies of a procedure, if they are cached and the time limit is not greater now; an empty
    /// list if it is cached that there is no result.
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

    /// Stores a cover, if it can be written.
    pub fn keep(&self, cover: &ProcedureCover) {
        let Some(text) = self.keeper.keep(cover, self.tests) else { return };
        let is_open = cover.objectives.iter().any(|o| matches!(o.verdict, Verdict::Unknown(_)));
        self.write((cover.procedure, cover.body), &text, !is_open);
    }

    /// Stores that the time limit of a procedure was reached before it could be analysed.
    pub fn keep_nothing(&self, procedure: ProcId) {
        self.write((procedure, 0), NOTHING, false);
    }

    /// The part of the cache that reads and writes texts.
    pub fn keeper(&self) -> &CoverCache<'p> {
        &self.keeper
    }

    /// The text that was stored for a procedure with [`Covers::keep_text`].
    pub fn text(&self, procedure: ProcId) -> Option<KeptText> {
        self.read(procedure, 0)
    }

    /// Stores another text than a cover for a procedure, in a store without covers; `is_all` says that more time
    /// would not find more.
    pub fn keep_text(&self, procedure: ProcId, text: &str, is_all: bool) {
        self.write((procedure, 0), text, is_all);
    }

    fn read(&self, procedure: ProcId, body: u32) -> Option<KeptText> {
        self.texts.read(&self.keys.of_body(procedure, body))
    }

    fn write(&self, (procedure, body): (ProcId, u32), text: &str, is_all: bool) {
        self.texts.write(&self.keys.of_body(procedure, body), text, is_all);
    }

    /// Removes what is stored about a procedure.
    pub fn forget(&self, procedure: ProcId) {
        let bodies = self.program[procedure].bodies.len().max(1);
        for body in 0..bodies as u32 {
            self.texts.forget(&self.keys.of_body(procedure, body));
        }
    }

    /// Warnings for the user about the store, each once.
    pub fn warnings(&self) -> Vec<String> {
        self.texts.warnings()
    }
}
