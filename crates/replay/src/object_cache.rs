//! A content-addressed cache: objects of Footpath's own sources, kept from one run to the next.
//!
//! All tests are linked with the same few objects (`runtime.rs`), and building them takes longer than a small function's
//! tests. They depend on nothing of the user's but the compiler and its flags for the machine, so they are kept in the
//! user's cache folder, `$XDG_CACHE_HOME/footpath/objects` or `~/.cache/footpath/objects`.
//!
//! Example: `footpath_world.c`, compiled for a test by clang 14 with `-O0`, lies there as `KEY-HASH.o`, where the key is
//! the SHA-256 of everything that it was made from, and the hash that of its bytes. The next run copies it.
//!
//! The folder must belong to the user who runs Footpath, and nobody else may write in it; tests cannot, as their jail
//! shows them other folders only. What has not been used for a month is removed when something new is kept.
//!
//! **Direction of error.** Towards building again: without a folder that can be trusted nothing is kept, and an object
//! whose bytes do not have the hash in its name is not used. Headers of the C library are no part of the key, as what
//! they say of compiled programs does not change.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

/// How long what is not used stays.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 3600);

/// The cache of the user who runs Footpath.
#[derive(Clone, Debug)]
pub(crate) struct ObjectCache {
    folder: PathBuf,
}

impl ObjectCache {
    /// The user's, unless there is no place for it that can be trusted.
    pub(crate) fn of_the_user() -> Option<ObjectCache> {
        let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
        ObjectCache::at(&base.join("footpath").join("objects"))
    }

    fn at(folder: &Path) -> Option<ObjectCache> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).ok()?;
        let found = fs::symlink_metadata(folder).ok()?;
        let is_own =
            found.is_dir() && found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o022 == 0;
        is_own.then(|| ObjectCache { folder: folder.to_owned() })
    }

    /// Copies what was made from this to `object`; whether it was there.
    pub(crate) fn restore(&self, key: &str, object: &Path) -> bool {
        let Some(kept) = self.entries(key).next() else { return false };
        let Ok(bytes) = fs::read(&kept) else { return false };
        if kept.file_name() != Some(name(key, &bytes).as_ref()) {
            let _ = fs::remove_file(&kept);
            return false;
        }
        // Its time says when it was last used; a failure makes it leave sooner.
        let _ = fs::File::open(&kept).and_then(|file| file.set_modified(SystemTime::now()));
        footpath_atomic_write::write(object, &bytes).is_ok()
    }

    /// Keeps an object that was made from this. A full disk keeps nothing.
    pub(crate) fn keep(&self, key: &str, object: &Path) {
        let Ok(bytes) = fs::read(object) else { return };
        self.forget_unused();
        // Without it the next run builds the object again.
        let _ = footpath_atomic_write::write(&self.folder.join(name(key, &bytes)), &bytes);
    }

    /// The files of a key: one, unless two compilations of the same differ.
    fn entries(&self, key: &str) -> impl Iterator<Item = PathBuf> {
        let start = format!("{key}-");
        let names = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        names.filter(move |entry| entry.file_name().to_string_lossy().starts_with(&start)).map(|e| e.path())
    }

    fn forget_unused(&self) {
        let now = SystemTime::now();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let age =
                entry.metadata().and_then(|m| m.modified()).ok().and_then(|t| now.duration_since(t).ok());
            if age.is_some_and(|age| age > UNUSED) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// The key for something made from these parts.
pub(crate) fn key<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hexadecimal(&hash.finalize())
}

fn name(key: &str, bytes: &[u8]) -> String {
    format!("{key}-{}.o", hexadecimal(&Sha256::digest(bytes)))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("footpath-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn what_was_kept_comes_back_and_what_was_changed_does_not() {
        let folder = scratch("object-cache");
        let cache = ObjectCache::at(&folder.join("objects")).expect("a folder of our own");
        let (made, again) = (folder.join("a.o"), folder.join("b.o"));
        fs::write(&made, "bytes").expect("a file");
        let (one, other) = (key([&b"a"[..], b"bc"]), key([&b"ab"[..], b"c"]));
        cache.keep(&one, &made);
        assert!(!cache.restore(&other, &again), "the parts are others");
        assert!(cache.restore(&one, &again));
        assert_eq!(fs::read(&again).expect("a file"), b"bytes");
        let kept = cache.entries(&one).next().expect("an entry");
        fs::write(&kept, "bites").expect("a file");
        assert!(!cache.restore(&one, &again), "its bytes were changed");
        assert!(!kept.exists());
        fs::remove_dir_all(&folder).expect("a folder");
    }

    #[test]
    fn folders_in_which_others_may_write_are_not_used() {
        let folder = scratch("open-cache");
        assert!(ObjectCache::at(&folder).is_some());
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).expect("permissions");
        assert!(ObjectCache::at(&folder).is_none());
        fs::remove_dir_all(&folder).expect("a folder");
    }

    #[test]
    fn what_is_not_used_for_a_month_leaves() {
        let folder = scratch("old-cache");
        let cache = ObjectCache::at(&folder).expect("a folder of our own");
        let made = folder.join("old.o");
        fs::write(&made, "old").expect("a file");
        let long_ago = SystemTime::now() - UNUSED - Duration::from_secs(60);
        fs::File::options().write(true).open(&made).and_then(|f| f.set_modified(long_ago)).expect("a time");
        let new = std::env::temp_dir().join(format!("footpath-new-{}.o", std::process::id()));
        fs::write(&new, "new").expect("a file");
        cache.keep(&key([&b"k"[..]]), &new);
        assert!(!made.exists());
        fs::remove_file(&new).expect("a file");
        fs::remove_dir_all(&folder).expect("a folder");
    }
}
