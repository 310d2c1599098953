//! Watching files: a run is done again whenever one of the files that it read changes.
//!
//! **Idea.** The compiler says which files it read, headers included. Their states (time of modification, length, inode) are
//! compared four times a second; once they differ, and then stay as they are for one look, as an editor may write a file in
//! parts, the run is done again. What a run costs is the matter of the store of results, which knows which functions changed.
//!
//! ```text
//! look: {a.c: t1, limit.h: t1}    a run
//! look: {a.c: t1, limit.h: t2}    changed, waits
//! look: {a.c: t1, limit.h: t2}    at rest: a run
//! ```
//!
//! The system's notifications (inotify) would save the looks, which are a microsecond for each file. But they follow files, where
//! editors put new ones in the place of old ones, are silent on network file systems and folders shared with containers, and end
//! at a limit for each user.
//!
//! **Direction of error.** A change that leaves time, length and inode as they were is not seen. A header that was missing when
//! nothing compiled is not known, so that it is the source that has to be saved again.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use anyhow::Result;

use crate::{Exit, World};

/// The time between two looks.
const LOOK: Duration = Duration::from_millis(250);

/// What is seen of a file: its time of modification, its length and its inode; `None` of one that is not there.
type State = Option<(SystemTime, u64, u64)>;

fn state(path: &PathBuf) -> State {
    let found = std::fs::metadata(path).ok()?;
    Some((found.modified().ok()?, found.len(), found.ino()))
}

fn states(files: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, State> {
    files.iter().map(|path| (path.clone(), state(path))).collect()
}

/// Does runs until the user wants an end; `once` does one and says which files it read. `named` are those of the command line.
///
/// # Errors
/// If nothing can be told, as the reader of what is printed is gone.
pub fn run(
    named: BTreeSet<PathBuf>,
    world: &mut World<'_>,
    mut once: impl FnMut(&mut World<'_>) -> Result<(Exit, BTreeSet<PathBuf>)>,
) -> Result<Exit> {
    let named: BTreeSet<PathBuf> =
        named.into_iter().map(|path| std::path::absolute(&path).unwrap_or(path)).collect();
    let mut known = states(&named);
    loop {
        let begun = SystemTime::now();
        let (exit, read) = match once(world) {
            Ok(done) => done,
            Err(why) if why.chain().any(crate::is_broken_pipe) => return Err(why),
            // What is wrong may be repaired, as a database that a build is writing.
            Err(why) => {
                writeln!(world.err, "error: {why:#}")?;
                (Exit::BadInput, BTreeSet::new())
            }
        };
        if world.stop.load(Ordering::SeqCst) {
            return Ok(exit);
        }
        // Those of the last run that compiled stay, as a file that does not compile now may have been changed by them.
        let is_new = |path: &PathBuf| !known.contains_key(path);
        let mut seen: BTreeMap<PathBuf, State> =
            read.iter().filter(|path| is_new(path)).map(|path| (path.clone(), state(path))).collect();
        // A header that is new to us may have changed while the run read it.
        for at in seen.values_mut().filter(|at| at.is_some_and(|(time, ..)| time >= begun)) {
            *at = None;
        }
        if !read.is_empty() {
            known.retain(|path, _| read.contains(path) || named.contains(path));
        }
        known.append(&mut seen);
        writeln!(world.err, "watching {}; Ctrl-C ends it", files(known.len()))?;
        let files = known.keys().cloned().collect();
        let Some(changed) = next_change(&mut known, &files, world) else { return Ok(exit) };
        writeln!(world.err, "\n{changed} changed")?;
    }
}

fn files(number: usize) -> String {
    if number == 1 { "1 file".to_owned() } else { format!("{number} files") }
}

/// Waits until files differ from what is known of them and are at rest; `None` if the user wants an end before.
fn next_change(
    known: &mut BTreeMap<PathBuf, State>,
    files: &BTreeSet<PathBuf>,
    world: &World<'_>,
) -> Option<String> {
    let mut last = None;
    loop {
        if world.stop.load(Ordering::SeqCst) {
            return None;
        }
        let now = states(files);
        if now != *known && last.as_ref() == Some(&now) {
            let changed = now.iter().filter(|(path, at)| known.get(*path) != Some(at)).map(|(path, _)| path);
            let here = std::env::current_dir().unwrap_or_default();
            let name = |path: &PathBuf| path.strip_prefix(&here).unwrap_or(path).display().to_string();
            let names: Vec<String> = changed.map(name).collect();
            *known = now;
            let more = if names.len() > 3 { format!(" and {} more", names.len() - 3) } else { String::new() };
            return Some(format!("{}{more}", names[..names.len().min(3)].join(", ")));
        }
        last = Some(now);
        std::thread::sleep(LOOK);
    }
}
