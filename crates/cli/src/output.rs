//! Writing results into a folder: report.json, report.txt, tests/*.json.
//!
//! Files are written atomically. A folder of results may have been made by someone else, as it comes with a project that
//! is not trusted: links in it are replaced and never followed, and what is no regular file is not read.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use footpath_report::json::{Report, TestFile};

/// The file by which a folder is known that was made here.
const MARKER: &str = ".footpath";

/// A folder for results. Where it was made for a run that then has none, such as one without readable sources, it goes again.
#[derive(Debug)]
#[must_use = "the folder goes with it if nothing was written"]
pub struct OutputFolder {
    made: Option<PathBuf>,
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        let Some(folder) = &self.made else { return };
        let others = |entry: &fs::DirEntry| entry.file_name() != MARKER;
        if fs::read_dir(folder).is_ok_and(|mut files| !files.any(|f| f.is_ok_and(|f| others(&f)))) {
            // What cannot be removed stays, as an empty folder does no harm.
            let _ = fs::remove_file(folder.join(MARKER)).and_then(|()| fs::remove_dir(folder));
        }
    }
}

/// Makes `folder` if it is not there, and finds out whether files can be made in it: better before an hour of analysis
/// than after it.
///
/// # Errors
/// As of [`prepare_folder`].
pub fn prepare(folder: &Path) -> Result<OutputFolder> {
    let prepared = prepare_folder(folder)?;
    prepare_part(folder, "tests")?;
    Ok(prepared)
}

/// Makes a folder in a folder of results, if it is not there, and returns its path.
///
/// # Errors
/// If it cannot be made, or if there is a link, which could lead anywhere.
pub fn prepare_part(folder: &Path, name: &str) -> Result<PathBuf> {
    let part = folder.join(name);
    refuse_link(&part)?;
    fs::create_dir_all(&part).with_context(|| format!("{} cannot be made", part.display()))?;
    Ok(part)
}

fn refuse_link(folder: &Path) -> Result<()> {
    let is_link = fs::symlink_metadata(folder).is_ok_and(|found| found.is_symlink());
    anyhow::ensure!(!is_link, "{} is a symbolic link; name the folder that it leads to", folder.display());
    Ok(())
}

/// The same for a single folder.
///
/// # Errors
/// If that fails, if the folder is a link, or if it has files and was not made here: they might have the names of ours.
pub fn prepare_folder(folder: &Path) -> Result<OutputFolder> {
    refuse_link(folder)?;
    let made = OutputFolder { made: (!folder.exists()).then(|| folder.to_owned()) };
    let marker = folder.join(MARKER);
    footpath_atomic_write::remove_abandoned(folder);
    let is_other = |file: std::io::Result<fs::DirEntry>| {
        !file.is_ok_and(|file| footpath_atomic_write::is_temporary(&file.path()))
    };
    let is_empty = fs::read_dir(folder).map_or(true, |mut files| !files.any(is_other));
    anyhow::ensure!(
        is_empty || is_regular(&marker),
        "{} has files that Footpath has not made and might replace; name a new or an empty folder",
        folder.display()
    );
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    if is_empty {
        write_file(&marker, "Footpath made this folder and replaces files in it.\n")?;
    }
    let file = tempfile::tempfile_in(folder);
    file.with_context(|| format!("no file can be made in {}", folder.display()))?;
    Ok(made)
}

/// Writes everything into `folder`, which [`prepare`] has made. Test files of an earlier run that this one
/// has not written again are removed, so that tests and report fit each other; other files stay.
pub fn write(folder: &Path, report: &Report, text: &str) -> Result<()> {
    let tests = folder.join("tests");
    let mut written = BTreeSet::new();
    for test in report.test_files() {
        // Of a second implementation the tests are numbered anew.
        let number =
            if test.implementation > 1 { format!("@{}", test.implementation) } else { String::new() };
        let name = format!("{}{number}.{}.json", file_name(&test.procedure), test.test.id);
        write_file(&tests.join(&name), &test.to_text())?;
        written.insert(name);
    }
    for entry in fs::read_dir(&tests).with_context(|| format!("{} cannot be listed", tests.display()))? {
        let entry = entry?;
        let stale = !written.contains(&*entry.file_name().to_string_lossy());
        if stale && begins_with(&entry.path(), &[TestFile::SIGNATURE]) {
            fs::remove_file(entry.path())
                .with_context(|| format!("{} cannot be removed", entry.path().display()))?;
        }
    }
    write_file(&folder.join("report.txt"), text)?;
    write_file(&folder.join("report.json"), &report.to_text())
}

/// Writes one file into a folder of results.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    footpath_atomic_write::write(path, text).with_context(|| cannot_write(path))
}

/// Writes one file that the user has named.
pub fn write_named_file(path: &Path, text: &str) -> Result<()> {
    footpath_atomic_write::write_named(path, text).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}

/// Whether there is a regular file. What else there may be is not opened: a pipe would wait for ever, and a link may
/// lead to one.
fn is_regular(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Whether there is a regular file that begins with one of these texts.
pub fn begins_with(path: &Path, signatures: &[&str]) -> bool {
    let longest = signatures.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut start = Vec::new();
    let mut read = || fs::File::open(path)?.take(longest as u64).read_to_end(&mut start);
    is_regular(path) && read().is_ok() && signatures.iter().any(|s| start.starts_with(s.as_bytes()))
}

/// A procedure's name as part of a file name: what is special to some file system is written `%xx`, and a
/// very long name is cut and made unique by a hash.
fn file_name(procedure: &str) -> String {
    let mut name = String::new();
    for b in procedure.bytes() {
        if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'$' | b'#') {
            name.push(b as char);
        } else {
            name.push_str(&format!("%{b:02x}"));
        }
    }
    if name.len() > 180 {
        // FNV-1a: the same name in every run and on every machine.
        let hash = procedure
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        name.truncate(150);
        name.push_str(&format!("-{hash:016x}"));
    }
    name
}

/// Copies a file of tests into the user's folder, with what it needs: the stubs that were written for `tests`, and the
/// files that all tests include. Returns where the file is then.
pub fn keep_tests(file: &Path, tests: &str, folder: &Path) -> Result<String> {
    let copy = |name: &str| -> Result<PathBuf> {
        let (from, to) = (file.with_file_name(name), folder.join(name));
        let text = fs::read_to_string(&from).with_context(|| format!("{} cannot be read", from.display()))?;
        write_file(&to, &text)?;
        Ok(to)
    };
    let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let to = copy(&name)?;
    let stubs = format!("{tests}_stubs.c");
    if file.with_file_name(&stubs).is_file() {
        copy(&stubs)?;
    }
    for (name, text) in footpath_replay::support_files() {
        write_file(&folder.join(name), &text)?;
    }
    Ok(to.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_of_procedures_become_names_of_files() {
        assert_eq!(file_name("Find$1"), "Find$1");
        assert_eq!(file_name("a/b..\\c"), "a%2fb%2e%2e%5cc");
        let long = "x".repeat(500);
        assert!(file_name(&long).len() < 200);
        assert_ne!(file_name(&long), file_name(&format!("{long}y")));
    }
}
