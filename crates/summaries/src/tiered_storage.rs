//! Tiered storage: a folder, and perhaps a server behind it that many machines share; read-through and write-through.
//!
//! **Idea.** Whoever reads or writes a store does it in a folder. Where a server is behind it, what the folder lacks is asked for there
//! and kept in the folder, and what is written goes to both. A server is never needed: it is asked no more in this run
//! once it did not answer, which is told once. Nothing is locked while it is asked.
//!
//! A request to object storage takes as long as a search for many a function, and most of what a first run looks for is not there. So a thread
//! lists the names at the start, and once it has them, only what is on the list is asked for. What others write meanwhile is then found again here.
//!
//! **Example.** Of two machines with `--store redis://host/0` the second one takes from the server what the first one has found, and a third run
//! on it takes all from its folder.
//!
//! **Direction of error.** Towards computing again. What a server has is believed as what a file has: with the code of the store's key
//! (`store_key.rs`). What has no such code does not get into the folder.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use footpath_remote_store::{Failure, Remote};

use crate::maintenance::is_named;
use crate::store::{read_file, write_whole};

/// How long the names on a server may take to be listed in a run.
const LISTING: Duration = Duration::from_secs(30);

/// Where results are kept.
#[derive(Clone, Debug)]
pub struct Storage {
    /// There may be none where files can be made.
    folder: Option<PathBuf>,
    server: Option<Arc<Server>>,
}

/// A server, as one run knows it.
#[derive(Debug)]
struct Server {
    remote: Remote,
    /// The names that it had at the start, once they are known.
    names: OnceLock<HashSet<String>>,
    is_given_up: AtomicBool,
    /// What the user has to know, once.
    warning: Mutex<Option<String>>,
    /// How many texts came from it.
    taken: AtomicUsize,
    /// How many texts of it are not believed.
    refused: AtomicUsize,
}

impl From<PathBuf> for Storage {
    fn from(folder: PathBuf) -> Storage {
        Storage { folder: Some(folder), server: None }
    }
}

impl Storage {
    /// A server behind a folder. A server that does not answer is told of with the other warnings.
    ///
    /// # Errors
    /// If the server says that we may not use it.
    pub fn behind(folder: Option<PathBuf>, remote: Remote) -> Result<Storage, String> {
        let checked = remote.check();
        let is_far = remote.is_far();
        let server = Arc::new(Server {
            remote,
            names: OnceLock::new(),
            is_given_up: AtomicBool::new(false),
            warning: Mutex::new(None),
            taken: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
        });
        match checked {
            Ok(()) if is_far => {
                let server = server.clone();
                // Without the list each name is asked for.
                let _ = std::thread::Builder::new().spawn(move || {
                    if let Ok(entries) = server.remote.list(LISTING) {
                        let _ = server.names.set(entries.into_iter().map(|entry| entry.name).collect());
                    }
                });
            }
            Ok(()) => {}
            Err(why @ Failure::Refused(_)) => return Err(why.to_string()),
            Err(why) => server.give_up(&why),
        }
        Ok(Storage { folder, server: Some(server) })
    }

    /// The folder, as a place to name in messages.
    pub(crate) fn shown(&self) -> String {
        match (&self.folder, &self.server) {
            (Some(folder), _) => folder.display().to_string(),
            (None, Some(server)) => server.remote.to_string(),
            (None, None) => String::new(),
        }
    }

    /// The text of a name, if there is one; a warning if a file cannot be read.
    pub(crate) fn read(&self, name: &str) -> Result<Option<String>, String> {
        if let Some(folder) = &self.folder
            && let Some(text) = read_file(&folder.join(name))?
        {
            return Ok(Some(text));
        }
        let found = self.server.as_ref().and_then(|server| server.read(name));
        if let (Some(folder), Some(text)) = (&self.folder, &found) {
            // What cannot be kept here is of use all the same, and that nothing can be written is told when results are.
            let _ = write_whole(&folder.join(name), text);
        }
        Ok(found)
    }

    /// Keeps a text under a name.
    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let written = self.folder.as_ref().map_or(Ok(()), |folder| write_whole(&folder.join(name), text));
        if let Some(server) = &self.server {
            server.ask(|remote| remote.put(name, text));
        }
        written
    }

    /// Removes the text of a name.
    pub(crate) fn remove(&self, name: &str) {
        if let Some(folder) = &self.folder {
            // What cannot be removed is told of when it cannot be replaced.
            let _ = fs::remove_file(folder.join(name));
        }
        if let Some(server) = &self.server {
            server.ask(|remote| remote.delete(name));
        }
    }

    /// What the user has to know of the server, each once.
    pub fn warnings(&self) -> Vec<String> {
        let Some(server) = &self.server else { return Vec::new() };
        let failure = server.warning.lock().unwrap_or_else(PoisonError::into_inner).take();
        let refused = server.refused.swap(0, Ordering::Relaxed);
        let unsound = (refused > 0).then(|| {
            let what = if refused == 1 {
                "1 text of it is".to_owned()
            } else {
                format!("{refused} texts of it are")
            };
            format!(
                "the store {}: {what} damaged or written with another key (--store-key), and not used",
                server.remote
            )
        });
        failure.into_iter().chain(unsound).collect()
    }

    /// How much of what an earlier run has left came from the server, if any did.
    pub fn taken_note(&self) -> Option<String> {
        let server = self.server.as_ref()?;
        let taken = server.taken.swap(0, Ordering::Relaxed);
        let what = if taken == 1 {
            "text that an earlier run left there"
        } else {
            "texts that an earlier run left there"
        };
        (taken > 0).then(|| format!("{taken} {what} came from the store {}", server.remote))
    }
}

impl Server {
    fn read(&self, name: &str) -> Option<String> {
        if self.names.get().is_some_and(|names| !names.contains(name)) {
            return None;
        }
        let text = self.ask(|remote| remote.get(name))??;
        if !is_named(&text, Path::new(name)) {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        self.taken.fetch_add(1, Ordering::Relaxed);
        Some(text)
    }

    /// What the server says, unless it did not answer before.
    fn ask<T>(&self, request: impl FnOnce(&Remote) -> Result<T, Failure>) -> Option<T> {
        if self.is_given_up.load(Ordering::Relaxed) {
            return None;
        }
        request(&self.remote).map_err(|why| self.give_up(&why)).ok()
    }

    fn give_up(&self, why: &Failure) {
        if !self.is_given_up.swap(true, Ordering::Relaxed) {
            let told = format!("the store {} is not used any more in this run, as {why}", self.remote);
            *self.warning.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
        }
    }
}
