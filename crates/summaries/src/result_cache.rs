//! A cache of results on disk, which also stores how much time a result took at most.
//!
//! The time limit of the analysis that produced a result is stored in its file. A result that more time might have
//! changed is used again if the time limit is the same or less; with a greater limit the analysis is run again, and
//! its result replaces the old one.
//!
//! **Example.** "Unknown within 10 s" is the answer for a limit of 5 s, too. For a limit of 60 s the question is
//! asked again.
//!
//! **Direction of error.** A file is trusted if it was written with the store's key under its name. So the name must depend
//! on all that the result depends on.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::store::{checked, damaged, seal, sha256};
use crate::tiered_storage::Storage;

/// The SHA-256 of some bytes, in hexadecimal.
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    sha256(bytes.as_ref())
}

/// Texts that are cached.
#[derive(Debug)]
pub struct Texts {
    storage: Storage,
    /// The time limit of each analysis.
    budget: Duration,
    warnings: Mutex<Vec<String>>,
}

/// A cached text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptText {
    /// The text.
    pub text: String,
    /// Whether an analysis with the current time limit would find no more: the text was found within as much time, or
    /// it is complete.
    pub is_enough: bool,
}

impl Texts {
    /// The cached texts at a place, for analyses with the time limit `budget`.
    pub fn new(storage: impl Into<Storage>, budget: Duration) -> Texts {
        Texts { storage: storage.into(), budget, warnings: Mutex::new(Vec::new()) }
    }

    /// The text under a digest, if there is one.
    pub fn read(&self, key: &str) -> Option<KeptText> {
        let name = name(key);
        let whole = self.storage.read(&name).unwrap_or_else(|warning| {
            self.warn(warning);
            None
        })?;
        let found = checked(&whole).and_then(|body| {
            let (head, text) = body.strip_prefix(key)?.strip_prefix('\n')?.split_once('\n')?;
            Some(KeptText { is_enough: is_enough(head, self.budget)?, text: text.to_owned() })
        });
        if found.is_none() {
            self.warn(damaged(&self.storage, &name));
        }
        found
    }

    /// Stores a text under a digest; `is_all` says that more time would not change it.
    pub fn write(&self, key: &str, text: &str, is_all: bool) {
        let mut whole = format!("{key}\n{}\n{text}", head(self.budget, is_all));
        seal(&mut whole);
        if let Err(e) = self.storage.write(&name(key), &whole) {
            self.warn(format!("results could not be saved in {}: {e}", self.storage.shown()));
        }
    }

    /// Removes what is stored under a digest.
    pub fn forget(&self, key: &str) {
        self.storage.remove(&name(key));
    }

    fn warn(&self, warning: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// Warnings for the user about the folder, each once.
    pub fn warnings(&self) -> Vec<String> {
        std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn name(key: &str) -> String {
    format!("{key}.cover")
}

/// The first line of a file, with the time limit of its result, or the mark that the result is complete.
fn head(budget: Duration, is_all: bool) -> String {
    if is_all { "all".to_owned() } else { format!("within {}", budget.as_nanos()) }
}

/// Whether a result suffices for the time limit `budget`, by its first line as [`head`] writes it.
fn is_enough(head: &str, budget: Duration) -> Option<bool> {
    match head.strip_prefix("within ") {
        Some(nanoseconds) => Some(budget.as_nanos() <= nanoseconds.parse::<u128>().ok()?),
        None => (head == "all").then_some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_in_some_time_is_enough_for_less_but_not_for_more() {
        let second = Duration::from_secs(1);
        let within = head(second, false);
        assert_eq!(is_enough(&within, second), Some(true));
        assert_eq!(is_enough(&within, second / 2), Some(true));
        assert_eq!(is_enough(&within, 2 * second), Some(false));
        assert_eq!(is_enough(&within, Duration::MAX), Some(false));
        assert_eq!(is_enough(&head(Duration::MAX, false), Duration::MAX), Some(true));
        assert_eq!(is_enough(&head(second, true), Duration::MAX), Some(true));
        assert_eq!(is_enough("within", second), None);
    }
}
