//! Summaries kept in files.
//!
//! **Idea.** What is expensive about a summary is what the solver said. So a file keeps, in order, which open leaves were
//! explored and which sides of each condition have runs; with that, the summary is made again without a solver. Each
//! decision carries a hash of its condition, and the file a hash of itself. What does not fit is not used.
//!
//! The name of a file is the SHA-256 of all that a summary depends on: the version of the format, the options, the
//! declarations of the program, and what the procedure and all it may call say, without places in the source. So a
//! changed procedure has other files, and so has everything that calls it, and nothing else.
//!
//! Files are written under another name and renamed. They are never changed otherwise, so several processes may share a
//! folder without a lock, and a crash leaves no half of one.
//!
//! Covers and other results are kept beside them, see `result_cache.rs`.
//!
//! **Direction of error.** A file is believed if it is what we wrote, for the same program.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use footpath_ir::{ProcId, Program};
use sha2::{Digest, Sha256};

use crate::call_graph::{Chain, Graph};
use crate::canonical_form::NormalForm;
use crate::explore::Options;
use crate::tree::{Decision, NodeId};

/// The first line of a file; changes with the meaning of what follows, and with how procedures are explored.
const FORMAT: &str = "footpath summary 2";

/// A folder of summaries of one program's procedures.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    /// For each procedure, what it and all it may call say.
    digests: Vec<String>,
    common: String,
}

impl Store {
    /// What is kept of a program's procedures under some options, for summaries.
    pub(crate) fn new(folder: PathBuf, program: &Program, graph: &Graph, options: &Options) -> Store {
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
        Store::of(folder, program, graph, &common)
    }

    /// What is kept of a program's procedures under what `options` says.
    pub(crate) fn of(folder: PathBuf, program: &Program, graph: &Graph, options: &str) -> Store {
        let mut form = NormalForm::of(program);
        let own: Vec<String> =
            (0..program.procedures.len()).map(|i| sha256(&form.procedure(ProcId(i as u32)))).collect();
        let mut digests = vec![String::new(); own.len()];
        for members in graph.components() {
            let mut parts: Vec<&str> = members.iter().map(|p| own[p.index()].as_str()).collect();
            for p in members {
                let below = graph.callees(*p).iter().filter(|c| !members.contains(c));
                parts.extend(below.map(|c| digests[c.index()].as_str()));
            }
            parts.sort_unstable();
            parts.dedup();
            let digest = sha256(&parts.join("\n"));
            for p in members {
                digests[p.index()].clone_from(&digest);
            }
        }
        let common = format!("{options}\n{}", form.declarations());
        Store { folder, digests, common: sha256(&common) }
    }

    /// What a text about a body is kept under.
    pub(crate) fn cover_key(&self, program: &Program, procedure: ProcId, body: u32) -> String {
        let (digest, name) = (&self.digests[procedure.index()], &program[procedure].name);
        sha256(&format!("{}\n{digest}\n{name}\n{body}", self.common))
    }

    fn key(&self, program: &Program, chain: &Chain) -> String {
        let mut text = format!("{}\n{}\n", self.common, self.digests[chain.procedure.index()]);
        let mut counts: Vec<String> =
            chain.counts.iter().map(|(p, n)| format!("{} {n}", program[*p].name)).collect();
        counts.sort();
        let _ = write!(text, "{}\n{}", program[chain.procedure].name, counts.join("\n"));
        sha256(&text)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.summary"))
    }

    /// What is known for the end of a chain.
    ///
    /// # Errors
    /// A warning if the file is not one that we wrote for it.
    pub(crate) fn load(&self, program: &Program, chain: &Chain) -> Result<Option<Vec<Decision>>, String> {
        let key = self.key(program, chain);
        let path = self.path(&key);
        let Some(text) = read_file(&path)? else { return Ok(None) };
        read(&text, &key).map(Some).ok_or_else(|| damaged(&path))
    }

    /// Keeps what was decided.
    pub(crate) fn save(&self, program: &Program, chain: &Chain, log: &[Decision]) -> io::Result<()> {
        let key = self.key(program, chain);
        let path = self.path(&key);
        write_whole(&path, &write(log, &key))
    }
}

/// Writes a file under another name first and renames it.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    let written = fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
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

/// Ends a text with a hash of itself.
pub(crate) fn seal(text: &mut String) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let check = sha256(&*text);
    let _ = writeln!(text, "end {check}");
}

/// What a text said before it was sealed.
pub(crate) fn checked(text: &str) -> Option<String> {
    let (body, end) = text.trim_end_matches('\n').rsplit_once('\n')?;
    let body = format!("{body}\n");
    (end.strip_prefix("end ")? == sha256(&body)).then_some(body)
}

/// A file, if it is there; a warning if it cannot be read.
pub(crate) fn read_file(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(format!("{} cannot be read and is not used: {e}", path.display())),
    }
}

pub(crate) fn damaged(path: &Path) -> String {
    format!("{} is damaged or was written by another program, and is not used", path.display())
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
