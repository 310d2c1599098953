//! Checkpointing: explorations that continue where an earlier one ended.
//!
//! **Idea.** A log is written while the exploration goes on: the inputs of each run that took a new path, and each
//! arm that a proof closed. An arm is named by a hash of the decisions on the path to it, since equal paths lead to
//! equal decisions; no term is written. A resumed exploration repeats the logged runs, which costs no query, and
//! takes the logged proofs for answers. Each line is passed to the system at once, and lines are read up to the first
//! incomplete one, so a process that is killed loses only the line it was writing.
//!
//! **Direction of error.** What a log calls refuted is believed. A log is rejected if the program, the procedure or
//! the version of Footpath differs.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use footpath_ir::interp::Script;
use footpath_ir::{ProcId, Program};
use footpath_term::{SymbolId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::execution_tree::{ArmId, Tree};
use super::log_values::{read_value, write_value};

/// To be raised when what runs decide on becomes something else, as arms are named by decisions.
const DECISIONS: u32 = 3;

/// Where the log of an exploration is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionOptions {
    /// The folder; one file for each procedure.
    pub folder: PathBuf,
    /// Whether to continue from the log that is there; otherwise it is overwritten.
    pub resume: bool,
}

/// A log that is written.
pub(super) struct Session {
    file: File,
    symbols: Vec<SymbolId>,
    numbers: FxHashMap<SymbolId, usize>,
    /// Arms that were refuted before.
    refuted: FxHashSet<u128>,
    /// Inputs of earlier runs, in order.
    pub(super) runs: Vec<Script>,
}

impl Session {
    /// Opens the log of a body.
    pub(super) fn open(
        options: &SessionOptions,
        program: &Program,
        terms: &mut Terms,
        (root, body): (ProcId, u32),
    ) -> Result<Session, String> {
        let name: String =
            program[root].name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let short: String = name.chars().take(100).collect();
        let path = options.folder.join(format!("{short}.{}.{body}.log", root.0));
        let failed = |e: std::io::Error| format!("{}: {e}", path.display());
        std::fs::create_dir_all(&options.folder).map_err(failed)?;
        // A link could lead to any file, which would be cut off.
        if std::fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(format!("{} is no file of an exploration", path.display()));
        }
        let symbols = symbols(program);
        let numbers = symbols.iter().enumerate().map(|(i, &s)| (s, i)).collect();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(!options.resume)
            .open(&path)
            .map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let (version, print) = (env!("CARGO_PKG_VERSION"), fingerprint(program, root, body));
        let head = format!("footpath {version} {DECISIONS} {print:032x}\n");
        let mut session = Session { file, symbols, numbers, refuted: FxHashSet::default(), runs: Vec::new() };
        let end = match text.strip_prefix(&head) {
            Some(rest) => head.len() + session.read(rest, terms),
            None if text.contains('\n') => return Err(other_program(&path)),
            None => 0,
        };
        session.file.set_len(end as u64).map_err(failed)?;
        session.file.seek(SeekFrom::End(0)).map_err(failed)?;
        if end == 0 {
            session.file.write_all(head.as_bytes()).map_err(failed)?;
        }
        Ok(session)
    }

    /// Reads all whole lines; how long they are.
    fn read(&mut self, text: &str, terms: &mut Terms) -> usize {
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            let Some(whole) = line.strip_suffix('\n') else { break };
            let understood = match whole.split_once(' ') {
                Some(("run", inputs)) => self.script(inputs, terms).map(|s| self.runs.push(s)),
                Some(("no", arm)) => u128::from_str_radix(arm, 16).ok().map(|arm| {
                    self.refuted.insert(arm);
                }),
                _ => None,
            };
            if understood.is_none() {
                break;
            }
            end += line.len();
        }
        end
    }

    fn script(&self, inputs: &str, terms: &mut Terms) -> Option<Script> {
        let mut script = Script::default();
        for item in inputs.split(' ').filter(|i| !i.is_empty()) {
            let (place, value) = item.split_once(':')?;
            match place {
                "h" => script.havocs.push(read_value(value, terms)?),
                "c" => script.choices.push(value.parse().ok()?),
                "b" => script.bodies.push(value.parse().ok()?),
                entry => {
                    let (activation, number) = entry.split_once('.')?;
                    let symbol = *self.symbols.get(number.parse::<usize>().ok()?)?;
                    script.entries.insert((activation.parse().ok()?, symbol), read_value(value, terms)?);
                }
            }
        }
        Some(script)
    }

    /// Writes the inputs of a run down; those with values that have no text are made anew when the exploration goes on.
    pub(super) fn run(&mut self, script: &Script, terms: &Terms) -> std::io::Result<()> {
        match self.line(script, terms) {
            Some(line) => self.file.write_all(line.as_bytes()),
            None => Ok(()),
        }
    }

    fn line(&self, script: &Script, terms: &Terms) -> Option<String> {
        if !script.functions.is_empty() {
            return None;
        }
        let mut line = "run".to_owned();
        let mut keys: Vec<&(u32, SymbolId)> = script.entries.keys().collect();
        keys.sort_unstable();
        for key in keys {
            let _ = write!(line, " {}.{}:", key.0, self.numbers.get(&key.1)?);
            write_value(&mut line, &script.entries[key], terms)?;
        }
        for value in &script.havocs {
            line.push_str(" h:");
            write_value(&mut line, value, terms)?;
        }
        for (place, numbers) in [("c", &script.choices), ("b", &script.bodies)] {
            for n in numbers {
                let _ = write!(line, " {place}:{n}");
            }
        }
        line.push('\n');
        Some(line)
    }

    /// Writes down that a proof closed an arm.
    pub(super) fn refute(&mut self, tree: &Tree, arm: ArmId) -> std::io::Result<()> {
        let name = name(tree, arm);
        self.refuted.insert(name);
        self.file.write_all(format!("no {name:x}\n").as_bytes())
    }

    /// Whether a proof closed an arm before.
    pub(super) fn is_refuted(&self, tree: &Tree, arm: ArmId) -> bool {
        !self.refuted.is_empty() && self.refuted.contains(&name(tree, arm))
    }
}

fn other_program(path: &Path) -> String {
    format!("{}: was written for another program or by another version", path.display())
}

/// All variables, in an order that depends on the program's text only.
fn symbols(program: &Program) -> Vec<SymbolId> {
    let mut all: Vec<SymbolId> = program.constants.iter().map(|c| c.symbol).collect();
    all.extend(program.globals.iter().map(|g| g.variable.symbol));
    for p in &program.procedures {
        all.extend(p.params.iter().chain(&p.results).map(|v| v.symbol));
        for body in &p.bodies {
            all.extend(body.params.iter().chain(&body.results).chain(&body.locals).map(|v| v.symbol));
        }
    }
    all
}

/// The hash FNV-1a of 128 bits.
struct Hash(u128);

impl Hash {
    fn new() -> Hash {
        Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = (self.0 ^ u128::from(b)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

fn fingerprint(program: &Program, root: ProcId, body: u32) -> u128 {
    let mut hash = Hash::new();
    hash.add(footpath_ir::print(program).as_bytes());
    hash.add(&root.0.to_le_bytes());
    hash.add(&body.to_le_bytes());
    hash.0
}

/// The name of an arm: all decisions on the way to it, its own included.
fn name(tree: &Tree, arm: ArmId) -> u128 {
    let mut hash = Hash::new();
    for (node, arm) in tree.path(arm) {
        let node = tree.node(node);
        hash.add(&[node.kind as u8]);
        hash.add(&node.site.unwrap_or(u32::MAX).to_le_bytes());
        hash.add(&arm.to_le_bytes());
    }
    hash.0
}
