//! Maintenance of a store: how large it is, what nobody uses, and whether its files are whole.
//!
//! **Idea.** A store is a folder of files that are written once, as a whole, under a name that says what they are about. So all of this
//! works beside running writers and readers without a lock: what is removed while somebody looks for it is computed again, and a file is
//! either the old one or the new one. Files are removed by *least recent use*, which is the time of the last access where the file system
//! keeps it, and otherwise that of writing.
//!
//! Example: of files last used 40, 3 and 2 days ago with 1 MB each, `older_than` 30 days removes the first, and `most_bytes` 1 MB the second.
//!
//! **Direction of error.** Towards removing less: what is no file of a store is left alone, and so is what was used within `spared`, which
//! a writer that still runs may count on.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::store::{checked, read_file};

/// How files of results end.
const ENDINGS: [&str; 2] = ["cover", "summary"];

/// A file of a store.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StoredFile {
    /// When it was last used, as far as the file system says.
    pub used: SystemTime,
    /// Its length.
    pub bytes: u64,
    /// Where it is.
    pub path: PathBuf,
}

/// Which files are removed.
#[derive(Clone, Copy, Debug)]
pub struct Pruning {
    /// Those that nobody used for so long.
    pub older_than: Option<Duration>,
    /// Of the others those that were used longest ago, until the rest has no more bytes than this.
    pub most_bytes: Option<u64>,
    /// None that was used within this time.
    pub spared: Duration,
}

/// The files of a store, those that were used last first.
///
/// # Errors
/// If the folder cannot be read.
pub fn stored_files(folder: &Path) -> io::Result<Vec<StoredFile>> {
    let is_ours = |path: &Path| path.extension().is_some_and(|e| ENDINGS.iter().any(|ending| e == *ending));
    let with_use = |path: PathBuf| {
        // Another process may have removed it.
        let found = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let seconds = u64::try_from(found.atime().max(found.mtime())).ok()?;
        let used = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        Some(StoredFile { used, bytes: found.len(), path })
    };
    let paths = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).filter(|path| is_ours(path));
    let mut files: Vec<StoredFile> = paths.filter_map(with_use).collect();
    files.sort_unstable_by(|one, other| other.cmp(one));
    Ok(files)
}

/// Removes files of a store, and what killed writers left there; the files that it removed.
///
/// # Errors
/// If the folder cannot be read.
pub fn prune(folder: &Path, now: SystemTime, pruning: Pruning) -> io::Result<Vec<StoredFile>> {
    footpath_atomic_write::remove_abandoned(folder);
    let (mut bytes, mut removed) = (0, Vec::new());
    for file in stored_files(folder)? {
        let age = now.duration_since(file.used).unwrap_or_default();
        let is_old = pruning.older_than.is_some_and(|limit| age > limit);
        let is_too_much = pruning.most_bytes.is_some_and(|most| bytes + file.bytes > most);
        // Another process may have been quicker.
        if age > pruning.spared && (is_old || is_too_much) && fs::remove_file(&file.path).is_ok() {
            removed.push(file);
        } else {
            bytes += file.bytes;
        }
    }
    Ok(removed)
}

/// Whether a file is whole, was written with the key of this store, and has the name of what is in it; `None` if it is there no more.
pub fn is_sound(file: &Path) -> Option<bool> {
    let text = match read_file(file) {
        Ok(text) => text?,
        Err(_) => return Some(false),
    };
    let key = file.file_stem().unwrap_or_default().to_string_lossy();
    // The first line of a summary is its format, that of a result its key.
    let is_named = |body: String| body.lines().take(2).any(|line| line == key);
    Some(checked(&text).is_some_and(is_named))
}
