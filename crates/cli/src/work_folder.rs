//! Temporary folders that outlive no one: what a run that was killed left behind, the next one removes.
//!
//! Each run works in a folder of its own with a file that it keeps locked. The system releases the lock however the run
//! ends, so a folder whose file can be locked belongs to nobody. A number of a process would say less: it may belong to
//! another one by now, or to another container that shares the folder.
//!
//! **Direction of error.** Towards leaving folders: those of other users stay, and those without a lock file.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Context, Result};
use nix::fcntl::{Flock, FlockArg};

const PREFIX: &str = "footpath-work-";
const LOCK: &str = "in-use";

/// A temporary folder, removed when this is dropped.
pub struct WorkFolder {
    folder: tempfile::TempDir,
    _lock: Flock<File>,
}

impl WorkFolder {
    /// A new folder. Those of runs that are gone are removed.
    pub fn new() -> Result<WorkFolder> {
        Self::within(&std::env::temp_dir()).context("no temporary folder can be made")
    }

    fn within(all: &Path) -> Result<WorkFolder> {
        remove_abandoned(all);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(all)?;
        // It is locked before others can see it under its name.
        let new = folder.path().join("new");
        let lock = lock(File::create(&new)?).context("it cannot be locked")?;
        fs::rename(new, folder.path().join(LOCK))?;
        Ok(WorkFolder { folder, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn lock(file: File) -> Option<Flock<File>> {
    Flock::lock(file, FlockArg::LockExclusiveNonblock).ok()
}

fn remove_abandoned(all: &Path) {
    let Ok(entries) = fs::read_dir(all) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        let path = entry.path();
        let is_own = fs::symlink_metadata(&path)
            .is_ok_and(|found| found.is_dir() && found.uid() == nix::unistd::geteuid().as_raw());
        if is_own && File::open(path.join(LOCK)).is_ok_and(|file| lock(file).is_some()) {
            // Another run may be removing it, too.
            let _ = fs::remove_dir_all(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_runs_that_are_gone_are_removed_and_others_stay() {
        let all = tempfile::tempdir().unwrap();
        let abandoned = all.path().join(format!("{PREFIX}abandoned"));
        let foreign = all.path().join(format!("{PREFIX}foreign"));
        for made in [&abandoned, &foreign] {
            fs::create_dir(made).unwrap();
            fs::write(made.join("file"), "").unwrap();
        }
        fs::write(abandoned.join(LOCK), "").unwrap();
        let first = WorkFolder::within(all.path()).unwrap();
        assert!(!abandoned.exists() && foreign.exists());
        let second = WorkFolder::within(all.path()).unwrap();
        assert!(first.path().exists() && second.path().exists());
        let path = first.path().to_owned();
        drop(first);
        assert!(!path.exists());
    }
}
