//! The identity of the program that runs: a hash of its content, so that machines with the same build have the same keys.
//!
//! **Idea.** What another build of Footpath found is not used, as it may have had mistakes that are corrected since. Length and time of the
//! file would tell builds apart on one machine, but a program that is copied or installed has another time on each. So the content is
//! hashed, which takes some tenths of a second for a program with debug information: once, and then the hash is kept in the user's cache
//! folder (`$XDG_CACHE_HOME/footpath/builds` or `~/.cache/footpath/builds`) under what changes with the file: device, inode, length, and both
//! times.
//!
//! Example: `footpath` of 140 MB is hashed by the first process that has a store, and not by the next one. After `cargo build` it has another
//! time of change, which no program can set back, and is hashed again.
//!
//! **Direction of error.** Towards computing again: without a cache folder each process hashes. A hash in a folder that others may write to is
//! not believed. Of what the program loads, only the version of the solver's library counts.

use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use footpath_smt::{Solver as _, Z3};
use sha2::{Digest as _, Sha256};

/// How long the hash of a program stays that is not there any more.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 3600);

/// The identity of the program that runs: its version, the SHA-256 of its content, and the version of the solver that it loads.
pub fn own_build() -> Option<String> {
    static OWN: OnceLock<Option<String>> = OnceLock::new();
    let own = || {
        let program = std::env::current_exe().ok()?;
        let hash = known_hash(&program, private_folder().as_deref())?;
        let solver = Z3::new(None).ok()?;
        Some(format!("{} {hash} {}", env!("CARGO_PKG_VERSION"), solver.name()))
    };
    OWN.get_or_init(own).clone()
}

/// The hash of a file, kept in `folder` if there is one.
fn known_hash(file: &Path, folder: Option<&Path>) -> Option<String> {
    let Some(folder) = folder else { return hash(file) };
    let found = fs::metadata(file).ok()?;
    let times = [found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec()];
    let stamp = format!("{} {} {} {times:?}", found.dev(), found.ino(), found.len());
    let kept = folder.join(crate::digest(stamp));
    let is_hash = |text: &String| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if let Some(known) = fs::read_to_string(&kept).ok().filter(is_hash) {
        return Some(known);
    }
    let new = hash(file)?;
    forget_old(folder);
    // Without it the next process hashes again.
    let _ = footpath_atomic_write::write(&kept, &new);
    Some(new)
}

fn hash(file: &Path) -> Option<String> {
    let mut hasher = Sha256::new();
    std::io::copy(&mut fs::File::open(file).ok()?, &mut hasher).ok()?;
    Some(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The user's folder of hashes, if nobody else may write in it.
fn private_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    private(base.join("footpath").join("builds"))
}

fn private(folder: PathBuf) -> Option<PathBuf> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    let found = fs::symlink_metadata(&folder).ok()?;
    // What this process makes is the effective user's.
    let own = fs::metadata("/proc/self").ok()?.uid();
    (found.is_dir() && found.uid() == own && found.mode() & 0o022 == 0).then_some(folder)
}

fn forget_old(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|found| found.modified()).ok();
        let age = modified.and_then(|then| SystemTime::now().duration_since(then).ok());
        if age.is_some_and(|age| age > UNUSED) {
            // Another process may be removing it, too.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("footpath-build-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn copies_are_the_same_build_and_changed_ones_are_not() {
        let folder = folder("copies");
        let (one, copy) = (folder.join("one"), folder.join("copy"));
        let kept = private(folder.join("kept")).unwrap();
        fs::write(&one, "program").unwrap();
        fs::copy(&one, &copy).unwrap();
        let hash = known_hash(&one, Some(&kept)).unwrap();
        assert_eq!(hash, crate::digest("program"));
        assert_eq!(known_hash(&copy, Some(&kept)).as_ref(), Some(&hash));
        assert_eq!(known_hash(&copy, None).as_ref(), Some(&hash));
        assert_eq!(fs::read_dir(&kept).unwrap().count(), 2);
        // It is not computed again: what is kept is what is said.
        for entry in fs::read_dir(&kept).unwrap() {
            fs::write(entry.unwrap().path(), "0".repeat(64)).unwrap();
        }
        assert_eq!(known_hash(&one, Some(&kept)), Some("0".repeat(64)));
        // Of the same length, and with the time that the old one had.
        let then = fs::metadata(&one).unwrap().modified().unwrap();
        fs::write(&one, "propane").unwrap();
        fs::File::options().write(true).open(&one).unwrap().set_modified(then).unwrap();
        assert_eq!(known_hash(&one, Some(&kept)), Some(crate::digest("propane")));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_not_used() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = folder("others");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(private(folder.clone()), None);
        fs::remove_dir_all(folder).unwrap();
    }
}
