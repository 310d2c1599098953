//! The folder of results that nobody has named: `.footpath`, as build systems keep what they made for the next time.
//!
//! **Idea.** A second run should cost what has changed, without a flag. So results are kept beside `footpath.toml`, or else in the
//! working folder, under keys that have all that they depend on (`footpath_driver`'s `cache/`): a result is found again or it
//! is not, and is never out of date. What differs from `--store DIR` is that nobody asked for the folder. So it
//!
//! * is left out by git (a `.gitignore` of its own) and by programs for backups (`CACHEDIR.TAG`);
//! * does not grow for ever: once a day, what nobody read for a month goes, and what is oldest where the rest has more than 1 GiB;
//! * is no reason to complain: where it cannot be made or written, such as on a read-only disk, results are not kept.
//!
//! **Direction of error.** Towards analysing again. A link is not followed, as it may come with somebody else's project.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Result, anyhow};
use footpath_summaries::{Place, Pruning, Remote, Storage, without_password};

use crate::args::StoreAddress;
use crate::config;

/// The name of the folder.
const NAME: &str = ".footpath";
/// By its time is known when the folder was last cleaned up.
const TAG: &str = "CACHEDIR.TAG";
const TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
    # Footpath keeps results here, so that it need not find them again. The folder may be removed at any time.\n";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MONTH: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The bytes of results that are kept for longer than a day.
const MOST: u64 = 1 << 30;

/// The folder for runs in the working folder, if files can be made in it.
pub fn open() -> Option<PathBuf> {
    let folder = place()?;
    prepared(&folder, SystemTime::now()).then_some(folder)
}

/// The store at an address. A server stands behind the folder that nobody has named.
///
/// # Errors
/// If it is no address, or the server says that we may not use it.
pub fn storage(address: &StoreAddress) -> Result<Storage> {
    match address {
        StoreAddress::Folder(folder) => Ok(folder.clone().into()),
        StoreAddress::Server(url) => {
            let storage = Remote::at(url).and_then(|remote| Storage::behind(open(), remote));
            storage.map_err(|why| anyhow!("--store {}: {why}", without_password(url)))
        }
    }
}

/// Where that folder is, if there is one.
pub fn place() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let beside = config::find(&here).and_then(|file| file.parent().map(Path::to_owned));
    Some(beside.unwrap_or(here).join(NAME))
}

/// Makes the folder and what belongs to it, and removes what is old. Whether files can be made in it.
fn prepared(folder: &Path, now: SystemTime) -> bool {
    let is_ours = match fs::symlink_metadata(folder) {
        Ok(found) => found.is_dir() && folder.join(TAG).is_file(),
        Err(_) => fs::create_dir(folder).is_ok(),
    };
    // Somebody else's folder of that name is left alone, but for an empty one.
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if !is_ours && !is_empty() {
        return false;
    }
    let write = |name: &str, text: &str| footpath_atomic_write::write(&folder.join(name), text).is_ok();
    let cleaned = fs::metadata(folder.join(TAG)).and_then(|tag| tag.modified());
    let is_clean = cleaned.is_ok_and(|then| now.duration_since(then).is_ok_and(|age| age < DAY));
    if !is_clean {
        remove_old(folder, now, MOST);
        if !write(".gitignore", "*\n") || !write(TAG, TAG_TEXT) {
            return false;
        }
    }
    tempfile::tempfile_in(folder).is_ok()
}

/// Removes results that nobody used for a month, and the ones that were used longest ago if the others have more than `most` bytes.
/// Another run may do the same, or need what goes: it finds it again.
fn remove_old(folder: &Path, now: SystemTime, most: u64) {
    let pruning = Pruning { older_than: Some(MONTH), most_bytes: Some(most), spared: DAY };
    // A folder that cannot be read is not cleaned up.
    let _ = Place::Folder(folder.to_owned()).prune(now, pruning);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_once_and_one_of_somebody_else_is_left_alone() {
        let all = tempfile::tempdir().unwrap();
        let folder = all.path().join(NAME);
        let now = SystemTime::now();
        assert!(prepared(&folder, now));
        assert_eq!(fs::read_to_string(folder.join(".gitignore")).unwrap(), "*\n");
        assert!(prepared(&folder, now));
        let foreign = all.path().join("foreign");
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("notes.txt"), "").unwrap();
        assert!(!prepared(&foreign, now));
        assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1);
        let link = all.path().join("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        assert!(!prepared(&link, now));
        // A folder of results is marked by a file of that name.
        fs::write(all.path().join("file"), "").unwrap();
        assert!(!prepared(&all.path().join("file"), now));
    }

    #[test]
    fn what_nobody_used_for_a_month_goes_and_so_does_what_is_too_much() {
        let all = tempfile::tempdir().unwrap();
        let folder = all.path().join(NAME);
        let now = SystemTime::now();
        assert!(prepared(&folder, now));
        for name in ["a.cover", "b.summary", "c.txt"] {
            fs::write(folder.join(name), "0123456789").unwrap();
        }
        let names = || {
            let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
            names.retain(|name| name.len() > 4 && !name.starts_with('.') && name != TAG);
            names.sort_unstable();
            names
        };
        let later = |days: u32| now + DAY * days + Duration::from_secs(60);
        remove_old(&folder, later(2), 20);
        assert_eq!(names(), ["a.cover", "b.summary", "c.txt"]);
        remove_old(&folder, later(0), 0);
        assert_eq!(names().len(), 3, "nothing of today goes");
        remove_old(&folder, later(2), 10);
        assert_eq!(names().len(), 2, "{:?}", names());
        assert!(prepared(&folder, later(31)));
        assert_eq!(names(), ["c.txt"]);
    }
}
