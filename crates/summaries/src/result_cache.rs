//! Results in files, each under what it depends on, with the time that it took at most.
//!
//! The budget of the analysis that a result is of stands in its file. A result that more time might have changed comes again
//! for who allows as much time or less; who allows more asks anew, and what that finds takes its place.
//!
//! **Direction of error.** A file is believed if it is what we wrote under its name. So the name must say all that the
//! result depends on.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::store::{checked, damaged, read_file, seal, sha256, write_whole};

/// The SHA-256 of some bytes, in hexadecimal.
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    sha256(bytes.as_ref())
}

/// Texts that are kept in a folder.
#[derive(Debug)]
pub struct Texts {
    folder: PathBuf,
    /// What each analysis may take.
    budget: Duration,
    warnings: Mutex<Vec<String>>,
}

/// A text that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptText {
    /// The text.
    pub text: String,
    /// Whether there is no more to be found in the time that there is now: it was found in as much, or it is all.
    pub is_enough: bool,
}

impl Texts {
    /// The texts in a folder, for analyses that may take `budget` each.
    pub fn new(folder: PathBuf, budget: Duration) -> Texts {
        Texts { folder, budget, warnings: Mutex::new(Vec::new()) }
    }

    /// What is kept under a digest, if there is something.
    pub fn read(&self, key: &str) -> Option<KeptText> {
        let path = self.path(key);
        let whole = read_file(&path).unwrap_or_else(|warning| {
            self.warn(warning);
            None
        })?;
        let found = checked(&whole).and_then(|body| {
            let (head, text) = body.strip_prefix(key)?.strip_prefix('\n')?.split_once('\n')?;
            Some(KeptText { is_enough: is_enough(head, self.budget)?, text: text.to_owned() })
        });
        if found.is_none() {
            self.warn(damaged(&path));
        }
        found
    }

    /// Keeps a text under a digest; `is_all` says that more time would not have changed it.
    pub fn write(&self, key: &str, text: &str, is_all: bool) {
        let mut whole = format!("{key}\n{}\n{text}", head(self.budget, is_all));
        seal(&mut whole);
        if let Err(e) = write_whole(&self.path(key), &whole) {
            self.warn(format!("results could not be saved: {e}"));
        }
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.cover"))
    }

    fn warn(&self, warning: String) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
    }

    /// What the user should know of the folder, each thing once.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner));
        warnings.dedup();
        warnings
    }
}

/// The line that says in which time something was found, or that it is all that there is.
fn head(budget: Duration, is_all: bool) -> String {
    if is_all { "all".to_owned() } else { format!("within {}", budget.as_nanos()) }
}

/// Whether what was found is all there is to find within `budget`, by the line of [`head`].
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
