//! A cache of summaries on disk, as logs of decisions.
//!
//! **Idea.** The expensive part of a summary is the solver's answers. So a file stores, in order, which open leaves
//! were explored and which sides of each condition are feasible; from this log the summary is reconstructed without a
//! solver. Each decision carries a hash of its condition, and the file a code that only who has the store's key
//! can make (`store_key.rs`). A log that does not fit is not used.
//!
//! The name of a file is the SHA-256 of all that a summary depends on: the version of the format, the build of Footpath, the
//! options, the declarations of the program, and the canonical form of the procedure and of all that it may call
//! (`procedure_digests.rs`).
//!
//! Files are written atomically. They are never changed otherwise, so several processes may
//! share a folder without a lock, and a crash leaves no incomplete file.
//!
//! Covers and other results are stored beside them, see `result_cache.rs`. Behind the folder may be a server, see `tiered_storage.rs`.
//!
//! **Direction of error.** A file is trusted if its code says that it was written with the same key.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use footpath_ir::Program;
use sha2::{Digest, Sha256};

use crate::call_graph::Chain;
use crate::explore::Options;
use crate::procedure_digests::{Digests, Keys};
use crate::recheck::Recheck;
use crate::store_key::{code, is_code};
use crate::tiered_storage::Storage;
use crate::tree::{Decision, NodeId};

/// The first line of a file; it changes when the format or the exploration of procedures changes.
const FORMAT: &str = "footpath summary 2";

/// Bytes of the largest file that is read.
const MOST: u64 = 1 << 30;

/// A folder of summaries of one program's procedures.
pub(crate) struct Store<'p> {
    storage: Storage,
    /// The procedures of which nothing is read.
    recheck: Recheck,
    keys: Keys<'p>,
}

impl<'p> Store<'p> {
    /// The cache of a program's summaries under some options.
    pub(crate) fn new(storage: Storage, program: &'p Program, options: &Options) -> Store<'p> {
        let bounds = options.bounds;
        let common = format!(
            "{FORMAT}\n{} {} {} {} {} {}",
            bounds.unwind,
            bounds.recursion,
            bounds.max_blocks,
            options.first_leaves,
            options.max_leaves,
            options.merge,
        );
        let keys = Keys::new(&Arc::new(Digests::of(program)), &common);
        Store { storage, recheck: options.recheck, keys }
    }

    /// Where it is, for messages.
    pub(crate) fn shown(&self) -> String {
        self.storage.shown()
    }

    fn key(&self, chain: &Chain) -> String {
        let program = self.keys.program();
        let mut text = self.keys.of_procedure(chain.procedure);
        let mut counts: Vec<String> =
            chain.counts.iter().map(|(p, n)| format!("{} {n}", program[*p].name)).collect();
        counts.sort();
        let _ = write!(text, "{}\n{}", program[chain.procedure].name, counts.join("\n"));
        sha256(&text)
    }

    /// The recorded decisions for a chain of calls.
    ///
    /// # Errors A warning if the file was damaged, or written for something else.
    pub(crate) fn load(&self, chain: &Chain) -> Result<Option<Vec<Decision>>, String> {
        if self.recheck.selects(&self.keys.program()[chain.procedure].name) {
            return Ok(None);
        }
        let key = self.key(chain);
        let name = name(&key);
        let Some(text) = self.storage.read(&name)? else { return Ok(None) };
        read(&text, &key).map(Some).ok_or_else(|| damaged(&self.storage, &name))
    }

    /// Stores decisions.
    pub(crate) fn save(&self, chain: &Chain, log: &[Decision]) -> io::Result<()> {
        let key = self.key(chain);
        self.storage.write(&name(&key), &write(log, &key))
    }
}

fn name(key: &str) -> String {
    format!("{key}.summary")
}

/// Writes a file, atomically, into a folder that is made if need be.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    footpath_atomic_write::write(path, text)
}

pub(crate) fn sha256(text: &(impl AsRef<[u8]> + ?Sized)) -> String {
    Sha256::digest(text).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn write(log: &[Decision], key: &str) -> String {
    let mut text = format!("{FORMAT}\n{key}\n");
    for decision in log {
        let _ = match decision {
            Decision::Explore(node) => writeln!(text, "explore {}", node.0),
            Decision::Waits(node) => writeln!(text, "waits {}", node.0),
            Decision::Merge => writeln!(text, "merge"),
            Decision::Sides { condition, yes, no, taken } => {
                let bits = u8::from(*yes) | u8::from(*no) << 1 | u8::from(*taken) << 2;
                writeln!(text, "{bits} {condition:x}")
            }
        };
    }
    seal(&mut text);
    text
}

/// Appends the code of the text under the store's key to it.
pub(crate) fn seal(text: &mut String) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let check = code(text);
    let _ = writeln!(text, "end {check}");
}

/// A text without its code, if the code is right.
pub(crate) fn checked(text: &str) -> Option<String> {
    let (body, end) = text.trim_end_matches('\n').rsplit_once('\n')?;
    let body = format!("{body}\n");
    is_code(&body, end.strip_prefix("end ")?).then_some(body)
}

/// The contents of a file, if it exists; a warning if it cannot be read. What is no regular file of a sane size is not
/// even opened, as a pipe would wait for ever and a device never ends.
pub(crate) fn read_file(path: &Path) -> Result<Option<String>, String> {
    let unused =
        |why: &dyn std::fmt::Display| format!("{} cannot be read and is not used: {why}", path.display());
    match fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() <= MOST => {}
        Ok(_) => return Err(unused(&"it is no file of ours")),
        // That nothing can be written is told when it is tried.
        Err(e) if is_missing(&e) => return Ok(None),
        Err(e) => return Err(unused(&e)),
    }
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        // Another process has removed it since.
        Err(e) if is_missing(&e) => Ok(None),
        Err(e) => Err(unused(&e)),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

pub(crate) fn damaged(storage: &Storage, name: &str) -> String {
    format!("{}/{name} is damaged or was written by another program, and is not used", storage.shown())
}

fn read(text: &str, key: &str) -> Option<Vec<Decision>> {
    let body = checked(text)?;
    let mut lines = body.lines();
    if lines.next()? != FORMAT || lines.next()? != key {
        return None;
    }
    lines.map(decision).collect()
}

fn decision(line: &str) -> Option<Decision> {
    if line == "merge" {
        return Some(Decision::Merge);
    }
    let (word, rest) = line.split_once(' ')?;
    Some(match word {
        "explore" => Decision::Explore(NodeId(rest.parse().ok()?)),
        "waits" => Decision::Waits(NodeId(rest.parse().ok()?)),
        bits => {
            let bits: u8 = bits.parse().ok().filter(|b| *b < 8)?;
            let condition = u64::from_str_radix(rest, 16).ok()?;
            Decision::Sides { condition, yes: bits & 1 > 0, no: bits & 2 > 0, taken: bits & 4 > 0 }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_back_and_a_changed_one_is_not() {
        let log = vec![
            Decision::Explore(NodeId(3)),
            Decision::Sides { condition: 0xfe_dcba, yes: true, no: false, taken: true },
            Decision::Waits(NodeId(7)),
            Decision::Merge,
        ];
        let text = write(&log, "key");
        assert_eq!(read(&text, "key"), Some(log));
        assert_eq!(read(&text, "other"), None);
        assert_eq!(read(&text.replacen("explore 3", "explore 4", 1), "key"), None);
        assert_eq!(read(&text[..text.len() - 3], "key"), None);
        assert_eq!(read("", "key"), None);
    }
}
