//! Query logs: every query is written to a file.
//!
//! Each file is self-contained and can be given to any SMT-LIB 2 solver. It is written before the solver is asked, so
//! that a query that hangs or crashes is on disk, and again with the answer, each time atomically.
//!
//! **Direction of error.** A directory that cannot be written, or a term that cannot be printed, must not change what
//! the solver says: the first such problem is kept in [`Logged::problem`].

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use footpath_term::{TermId, Terms, Value};

use crate::smtlib::Dialect;
use crate::smtlib::script::Script;
use crate::solver::{Answer, Interrupter, Solver, Statistics, Unsupported};

/// How many queries were written into each directory: solvers that write into the same directory share one numbering.
static WRITTEN: Mutex<BTreeMap<PathBuf, Arc<AtomicU64>>> = Mutex::new(BTreeMap::new());

/// A solver whose queries are written into a directory, as `000001.smt2` and so on.
pub struct Logged<S> {
    inner: S,
    directory: PathBuf,
    script: Script,
    written: Arc<AtomicU64>,
    problem: Option<String>,
}

impl<S: Solver> Logged<S> {
    /// Writes the queries to `inner` into `directory`, which is created if need be.
    ///
    /// # Errors
    /// If there is no such directory and none can be made.
    pub fn new(inner: S, directory: impl Into<PathBuf>) -> io::Result<Logged<S>> {
        let directory = directory.into();
        fs::create_dir_all(&directory)?;
        let mut all = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        let written = Arc::clone(all.entry(directory.clone()).or_default());
        Ok(Logged { inner, directory, script: Script::new(Dialect::Z3), written, problem: None })
    }

    /// The first problem with writing.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    fn note(&mut self, problem: &impl ToString) {
        self.problem.get_or_insert_with(|| problem.to_string());
    }

    fn text(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<String, Unsupported> {
        let literals =
            assumptions.iter().map(|&t| self.script.assumption(terms, t)).collect::<Result<Vec<_>, _>>()?;
        let mut text = String::from("(set-logic ALL)\n");
        text.extend(self.script.levels());
        text.push_str(&match literals.as_slice() {
            [] => "(check-sat)\n".to_owned(),
            _ => format!("(check-sat-assuming ({}))\n", literals.join(" ")),
        });
        Ok(text)
    }
}

fn write(directory: &Path, number: u64, text: &str) -> io::Result<()> {
    footpath_atomic_write::write(&directory.join(format!("{number:06}.smt2")), text)
}

impl<S: Solver> Solver for Logged<S> {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn assert(&mut self, terms: &Terms, t: TermId) -> Result<(), Unsupported> {
        self.inner.assert(terms, t)?;
        if let Err(e) = self.script.assert(terms, t) {
            self.note(&e);
        }
        Ok(())
    }

    fn push(&mut self) {
        self.inner.push();
        self.script.push();
    }

    fn pop(&mut self, levels: u32) {
        self.inner.pop(levels);
        self.script.pop(levels);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        let number = self.written.fetch_add(1, Ordering::Relaxed) + 1;
        let text = self.text(terms, assumptions);
        match &text {
            Ok(text) => {
                if let Err(e) = write(&self.directory, number, text) {
                    self.note(&e);
                }
            }
            Err(e) => self.note(e),
        }
        let before = self.inner.statistics().time;
        let answer = self.inner.check(terms, assumptions);
        if let Ok(text) = text {
            let time = self.inner.statistics().time.saturating_sub(before);
            let status = match answer {
                Answer::Sat => "sat",
                Answer::Unsat => "unsat",
                Answer::Unknown(_) => "unknown",
            };
            let said = format!("{answer}").replace(['\n', '\r'], " ");
            let text = format!(
                "; {}: {said}, after {:.3} s\n(set-info :status {status})\n{text}",
                self.inner.name(),
                time.as_secs_f64()
            );
            if let Err(e) = write(&self.directory, number, &text) {
                self.note(&e);
            }
        }
        answer
    }

    fn value(&mut self, terms: &Terms, t: TermId) -> Option<Value> {
        self.inner.value(terms, t)
    }

    fn truths(&mut self, terms: &Terms, of: &[TermId]) -> Vec<Option<bool>> {
        self.inner.truths(terms, of)
    }

    fn candidate(&mut self) -> bool {
        self.inner.candidate()
    }

    fn core(&mut self) -> Vec<TermId> {
        self.inner.core()
    }

    fn set_timeout(&mut self, limit: Option<Duration>) {
        self.inner.set_timeout(limit);
    }

    fn set_work_limit(&mut self, limit: Option<u32>) -> bool {
        self.inner.set_work_limit(limit)
    }

    fn interrupter(&self) -> Interrupter {
        self.inner.interrupter()
    }

    fn prefer(&mut self, terms: &Terms, wanted: &[TermId]) -> bool {
        self.inner.prefer(terms, wanted)
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}
