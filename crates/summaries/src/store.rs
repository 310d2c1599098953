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
//! Covers are kept beside them, one file for each body, under what they depend on besides.
//!
//! **Direction of error:** a file is believed if it is what we wrote, for the same program.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use footpath_ir::{Body, Contract, ProcId, Program, StatementKind, TerminatorKind, Variable};
use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use crate::explore::Options;
use crate::graph::{Chain, Graph};
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
        let own: Vec<String> =
            (0..program.procedures.len()).map(|i| procedure(program, ProcId(i as u32))).collect();
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
        let common = format!("{options}\n{}", declarations(program));
        Store { folder, digests, common: sha256(&common) }
    }

    /// The text that is kept of a body, if there is one.
    ///
    /// # Errors
    /// A warning if the file is not one that we wrote for it.
    pub(crate) fn text(
        &self,
        program: &Program,
        procedure: ProcId,
        body: u32,
    ) -> Result<Option<String>, String> {
        let key = self.cover_key(program, procedure, body);
        let path = self.folder.join(format!("{key}.cover"));
        let Some(text) = read_file(&path)? else { return Ok(None) };
        match checked(&text).and_then(|body| body.strip_prefix(&format!("{key}\n")).map(str::to_owned)) {
            Some(text) => Ok(Some(text)),
            None => Err(damaged(&path)),
        }
    }

    /// Keeps a text of a body.
    pub(crate) fn keep(
        &self,
        program: &Program,
        (procedure, body): (ProcId, u32),
        text: &str,
    ) -> io::Result<()> {
        let key = self.cover_key(program, procedure, body);
        let mut whole = format!("{key}\n{text}");
        seal(&mut whole);
        write_whole(&self.folder.join(format!("{key}.cover")), &whole)
    }

    fn cover_key(&self, program: &Program, procedure: ProcId, body: u32) -> String {
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
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
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

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
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
fn seal(text: &mut String) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let check = sha256(text);
    let _ = writeln!(text, "end {check}");
}

/// What a text said before it was sealed.
fn checked(text: &str) -> Option<String> {
    let (body, end) = text.trim_end_matches('\n').rsplit_once('\n')?;
    let body = format!("{body}\n");
    (end.strip_prefix("end ")? == sha256(&body)).then_some(body)
}

/// A file, if it is there; a warning if it cannot be read.
fn read_file(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(format!("{} cannot be read and is not used: {e}", path.display())),
    }
}

fn damaged(path: &Path) -> String {
    format!("{} is damaged or foreign and is not used", path.display())
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

/// A normal form of what is declared around procedures.
fn declarations(program: &Program) -> String {
    let terms = &program.terms;
    let mut w = Writer::new(terms);
    for t in &program.types {
        let _ = write!(w.text, "{:?};", terms.ctor(t.ctor));
    }
    for f in &program.functions {
        let _ = write!(w.text, "{:?};", terms.function(f.id));
        w.term_if(f.body);
    }
    for c in &program.constants {
        w.symbol(c.symbol);
        let _ = write!(w.text, "{} {:?};", c.unique, c.extends.as_ref().map(|e| (&e.parents, e.complete)));
    }
    for g in &program.globals {
        w.variable(&g.variable);
    }
    for a in &program.axioms {
        w.term(a.condition);
    }
    w.text
}

/// The digest of what a procedure says.
fn procedure(program: &Program, id: ProcId) -> String {
    let p = &program[id];
    let mut w = Writer::new(&program.terms);
    let _ = write!(w.text, "procedure {} {};", p.name, p.type_params.len());
    for v in p.params.iter().chain(&p.results) {
        w.variable(v);
    }
    for c in p.requires.iter().chain(&p.ensures) {
        w.contract(c);
    }
    for &m in &p.modifies {
        w.symbol(m);
    }
    for body in &p.bodies {
        w.body(program, body);
    }
    sha256(&w.text)
}

/// Writes a normal form: symbols by name and order of occurrence, terms as graphs, no places.
struct Writer<'a> {
    terms: &'a Terms,
    text: String,
    symbols: FxHashMap<SymbolId, usize>,
    known: FxHashMap<TermId, usize>,
}

impl<'a> Writer<'a> {
    fn new(terms: &'a Terms) -> Writer<'a> {
        Writer { terms, text: String::new(), symbols: FxHashMap::default(), known: FxHashMap::default() }
    }

    fn symbol(&mut self, s: SymbolId) {
        let next = self.symbols.len();
        let number = *self.symbols.entry(s).or_insert(next);
        let declared = self.terms.symbol(s);
        let _ = write!(self.text, "{}#{number}:{} ", declared.name, self.terms.display_sort(declared.sort));
    }

    fn variable(&mut self, v: &Variable) {
        self.symbol(v.symbol);
        self.text.push_str(if v.is_assumption() { "a" } else { "v" });
        self.term_if(v.where_clause);
    }

    fn contract(&mut self, c: &Contract) {
        self.text.push_str(if c.free { "free " } else { "checked " });
        self.term(c.condition);
    }

    fn term_if(&mut self, t: Option<TermId>) {
        match t {
            Some(t) => self.term(t),
            None => self.text.push('-'),
        }
    }

    fn term(&mut self, root: TermId) {
        for t in self.terms.post_order(&[root]) {
            if self.known.contains_key(&t) {
                continue;
            }
            let number = self.known.len();
            let term = self.terms.term(t);
            match &term.op {
                Op::Var(s) => self.symbol(*s),
                Op::Apply(f) => {
                    let _ = write!(self.text, "{}", self.terms.function(*f).name);
                }
                Op::Literal(v) => {
                    let _ = write!(self.text, "{v}");
                }
                Op::Bind(b) => {
                    let _ = write!(self.text, "{:?}", b.kind);
                    for v in b.vars.clone() {
                        self.symbol(v);
                    }
                }
                op => {
                    let _ = write!(self.text, "{op:?}");
                }
            }
            for a in self.terms.term(t).args.clone() {
                let _ = write!(self.text, " {}", self.known[&a]);
            }
            let _ = write!(self.text, ":{};", self.terms.display_sort(self.terms.sort(t)));
            self.known.insert(t, number);
        }
        let _ = write!(self.text, "={};", self.known[&root]);
    }

    fn body(&mut self, program: &Program, body: &Body) {
        for v in body.params.iter().chain(&body.results).chain(&body.locals) {
            self.variable(v);
        }
        for block in &body.blocks {
            self.text.push_str("\nblock ");
            for statement in &block.statements {
                self.statement(program, &statement.kind);
            }
            match &block.terminator.kind {
                TerminatorKind::Branch { condition, then_to, else_to } => {
                    self.term(*condition);
                    let _ = write!(self.text, "branch {then_to} {else_to}");
                }
                other => {
                    let _ = write!(self.text, "{other:?}");
                }
            }
        }
    }

    fn statement(&mut self, program: &Program, kind: &StatementKind) {
        match kind {
            StatementKind::Assign(pairs) => {
                self.text.push_str("assign ");
                for (s, t) in pairs {
                    self.symbol(*s);
                    self.term(*t);
                }
            }
            StatementKind::Havoc(symbols) => {
                self.text.push_str("havoc ");
                symbols.iter().for_each(|s| self.symbol(*s));
            }
            StatementKind::Assume(c) => {
                self.text.push_str("assume ");
                self.term(*c);
            }
            StatementKind::Assert { condition, kind, premise } => {
                let _ = write!(self.text, "assert {kind} ");
                self.term(*condition);
                self.term_if(*premise);
            }
            // It does nothing.
            StatementKind::TryFirst(_) => {}
            StatementKind::Call { callee, args, results } => {
                let _ = write!(self.text, "call {} ", program[*callee].name);
                for a in args {
                    self.term_if(*a);
                }
                for r in results {
                    match r {
                        Some(r) => self.symbol(*r),
                        None => self.text.push('*'),
                    }
                }
            }
        }
        self.text.push(';');
    }
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
