//! Maintenance of a store: how large it is, what nobody uses, and whether its files are whole.
//!
//! **Idea.** A store is a folder of files that are written once, as a whole, under a name that says what they are about. So all of this
//! works beside running writers and readers without a lock: what is removed while somebody looks for it is computed again, and a file is
//! either the old one or the new one. Files are removed by *least recent use*, which is the time of the last access where the file system
//! keeps it, and otherwise that of writing.
//!
//! Example: of files last used 40, 3 and 2 days ago with 1 MB each, `older_than` 30 days removes the first, and `most_bytes` 1 MB the second.
//!
//! A server has its texts in the place of files. Redis knows when they were used, object storage when they were written. To look whether a text is
//! whole is no use of it: the time of a file is set back; Redis is told so, which it understands from 7.2 on.
//!
//! **Direction of error.** Towards removing less: what is no file of a store is left alone, and so is what was used within `spared`, which
//! a writer that still runs may count on.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use footpath_remote_store::Remote;

use crate::store::{checked, read_file};

/// How long the texts of a server may take to be listed.
const LISTING: Duration = Duration::from_secs(600);

/// How files of results end.
const ENDINGS: [&str; 2] = ["cover", "summary"];

/// Where a store is that is looked after.
#[derive(Debug)]
pub enum Place {
    /// In a folder.
    Folder(PathBuf),
    /// On a server; see [`Remote::looked_after`].
    Server(Remote),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Folder(folder) => write!(f, "{}", folder.display()),
            Place::Server(remote) => write!(f, "{remote}"),
        }
    }
}

/// A file of a store, or a text of one that is on a server.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StoredFile {
    /// When it was last used, as far as the file system or the server says.
    pub used: SystemTime,
    /// Its length; in Redis, the memory that it takes.
    pub bytes: u64,
    /// Its name.
    pub name: String,
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

impl Place {
    /// The files of the store, those that were used last first.
    ///
    /// # Errors
    /// If the place cannot be read, with the reason.
    pub fn files(&self) -> Result<Vec<StoredFile>, String> {
        let mut files = match self {
            Place::Folder(folder) => files_in(folder).map_err(|e| e.to_string())?,
            Place::Server(remote) => {
                let entries = remote.list(LISTING).map_err(|why| why.to_string())?.into_iter();
                entries.map(|e| StoredFile { used: e.used, bytes: e.bytes, name: e.name }).collect()
            }
        };
        files.retain(|file| is_ours(Path::new(&file.name)));
        files.sort_unstable_by(|one, other| other.cmp(one));
        Ok(files)
    }

    /// Removes files of the store, and what killed writers left there; the files that it removed.
    ///
    /// # Errors
    /// If the place cannot be read, or a server stops answering.
    pub fn prune(&self, now: SystemTime, pruning: Pruning) -> Result<Vec<StoredFile>, String> {
        if let Place::Folder(folder) = self {
            footpath_atomic_write::remove_abandoned(folder);
        }
        let (mut bytes, mut removed) = (0, Vec::new());
        for file in self.files()? {
            let age = now.duration_since(file.used).unwrap_or_default();
            let is_old = pruning.older_than.is_some_and(|limit| age > limit);
            let is_too_much = pruning.most_bytes.is_some_and(|most| bytes + file.bytes > most);
            if age > pruning.spared && (is_old || is_too_much) && self.remove(&file.name)? {
                removed.push(file);
            } else {
                bytes += file.bytes;
            }
        }
        Ok(removed)
    }

    /// Removes a file; `false` if another process was quicker.
    fn remove(&self, name: &str) -> Result<bool, String> {
        match self {
            Place::Folder(folder) => Ok(fs::remove_file(folder.join(name)).is_ok()),
            Place::Server(remote) => remote.delete(name).map(|()| true).map_err(|why| why.to_string()),
        }
    }

    /// Whether a file is whole, was written with the key of this store, and has the name of what is in it; `None` if it is there no more.
    ///
    /// # Errors
    /// If a server does not answer.
    pub fn is_sound(&self, name: &str) -> Result<Option<bool>, String> {
        let text = match self {
            Place::Folder(folder) => match read_unused(&folder.join(name)) {
                Ok(text) => text,
                Err(_) => return Ok(Some(false)),
            },
            Place::Server(remote) => remote.get(name).map_err(|why| why.to_string())?,
        };
        Ok(text.map(|text| is_named(&text, Path::new(name))))
    }
}

fn is_ours(path: &Path) -> bool {
    path.extension().is_some_and(|e| ENDINGS.iter().any(|ending| e == *ending))
}

fn files_in(folder: &Path) -> std::io::Result<Vec<StoredFile>> {
    let with_use = |path: PathBuf| {
        // Another process may have removed it.
        let found = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let seconds = u64::try_from(found.atime().max(found.mtime())).ok()?;
        let used = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        Some(StoredFile { used, bytes: found.len(), name: path.file_name()?.to_str()?.to_owned() })
    };
    let paths = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).filter(|path| is_ours(path));
    Ok(paths.filter_map(with_use).collect())
}

/// The contents of a file, of which the time of the last use stays.
fn read_unused(path: &Path) -> Result<Option<String>, String> {
    let before = fs::metadata(path).and_then(|found| found.accessed());
    let text = read_file(path)?;
    if let Ok(before) = before {
        // Who may not change times leaves them as they are now, and the file for longer.
        let times = fs::FileTimes::new().set_accessed(before);
        let _ = fs::File::open(path).and_then(|file| file.set_times(times));
    }
    Ok(text)
}

/// Whether a text is whole, was written with the key of this store, and is about what its name says.
pub(crate) fn is_named(text: &str, name: &Path) -> bool {
    let key = name.file_stem().unwrap_or_default().to_string_lossy();
    // The first line of a summary is its format, that of a result its key.
    checked(text).is_some_and(|body| body.lines().take(2).any(|line| line == key))
}
