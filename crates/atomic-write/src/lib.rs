//! Atomic writes: a file appears as a whole or not at all, whatever ends the process or fills the disk.
//!
//! **Idea.** The text is written into a temporary file beside its place and renamed into it. Readers see the old file or
//! the new one; if the disk is full or the folder is read-only, the old one stays, the temporary one is removed, and the
//! caller is told. The rename replaces what has the name, so a symbolic link that someone has put there is replaced as
//! well, and what it leads to stays.
//!
//! **Example.** `write(Path::new("out/report.json"), "{}\n")` on a full disk is the error "No space left on device", and
//! `out` is as it was.
//!
//! A file that the user names may also be a device or a pipe, as in `--sarif /dev/stdout`: these are written to, see
//! [`write_named`].
//!
//! **Direction of error.** Files are not forced to the disk: when the power fails, one that was written last may be empty.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How the names of temporary files begin.
const PREFIX: &str = ".footpath-part-";
/// How long nobody writes to a temporary file that is in use.
const ABANDONED: Duration = Duration::from_secs(600);

/// Writes a file of this name, which replaces what is there. The folder must exist.
///
/// # Errors
/// Those of the system.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let new = |name: &Path| OpenOptions::new().write(true).create_new(true).open(name);
    let (mut file, name) = tempfile::Builder::new().prefix(PREFIX).make_in(folder, new)?.into_parts();
    file.write_all(bytes.as_ref())?;
    // Some file systems tell only now that there was no space.
    nix::unistd::close(file)?;
    name.persist(path)?;
    Ok(())
}

/// Writes a file that the user has named. A device or a pipe is written to, and a link is followed.
///
/// # Errors
/// As of [`write()`].
pub fn write_named(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        return fs::write(path, bytes);
    }
    let real: PathBuf = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    write(&real, bytes)
}

/// Whether a file has the name of a temporary one.
pub fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
}

/// Removes temporary files that were left in a folder by processes that were killed: those that nobody has written to for
/// ten minutes.
pub fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(|e| is_temporary(&e.path())) {
        let age =
            entry.metadata().and_then(|found| found.modified()).ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > ABANDONED) {
            // Another process may be removing it, too.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        write(&path, "old").unwrap();
        write(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["table.csv"]);
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_and_has_the_reason_of_the_system() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write(&file, "kept").unwrap();
        fs::create_dir(folder.path().join("folder")).unwrap();
        for (path, errno) in [
            (file.join("below"), nix::errno::Errno::ENOTDIR),
            (folder.path().join("folder"), nix::errno::Errno::EISDIR),
            (folder.path().join("none/file"), nix::errno::Errno::ENOENT),
        ] {
            let why = write(&path, "text").unwrap_err();
            assert_eq!(why.raw_os_error(), Some(errno as i32), "{}: {why}", path.display());
            assert!(!why.to_string().contains(PREFIX), "{why}");
            assert!(write_named(&path, "text").is_err());
        }
        assert_eq!(names(folder.path()), ["file", "folder"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
    }

    #[test]
    fn a_link_is_replaced_unless_the_user_has_named_it() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        write(&target, "kept").unwrap();
        symlink(&target, &link).unwrap();
        write_named(&link, "named").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "named");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write(&link, "replaced").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "named");
        assert!(!fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn what_a_killed_process_left_is_removed_after_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join(".footpath-part-a"), folder.path().join(".footpath-part-b"));
        for path in [&old, &new] {
            fs::write(path, "half").unwrap();
        }
        let file = fs::File::options().write(true).open(&old).unwrap();
        file.set_modified(std::time::SystemTime::now() - 2 * ABANDONED).unwrap();
        remove_abandoned(folder.path());
        assert_eq!(names(folder.path()), [".footpath-part-b"]);
    }

    #[test]
    fn devices_are_written_to_if_the_user_has_named_them() {
        write_named(Path::new("/dev/null"), "text").unwrap();
        let why = write_named(Path::new("/dev/full"), "text").unwrap_err();
        assert_eq!(why.raw_os_error(), Some(nix::errno::Errno::ENOSPC as i32));
    }
}
