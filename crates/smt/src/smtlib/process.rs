//! A solver in a child process, driven by SMT-LIB 2 through pipes.
//!
//! Assertions are kept as text ([`Script`]) and sent when a check needs them. After each request the solver must echo
//! a marker, so that the end of its answer is known whatever it prints: complaints about earlier commands, other
//! output, more answers than questions. A solver that crashes, exits, prints nonsense or is silent for too long is
//! killed; the next check starts a new process and sends everything again.
//!
//! Time limits are kept by our own clock: solvers differ in their options for it, and a solver that hangs respects
//! none. One that is known to be Z3 is told the limit, too, and killed only if it does not keep it, as it then keeps what it has
//! learnt. Two threads transfer the bytes, so neither side blocks the other; both end with the process.
//!
//! **Direction of error.** Reaching a time limit loses what the solver has learnt. If it cannot name the assumptions
//! of a contradiction, the core is all of them. A model is asked for value by value, while the process lives; terms
//! that the solver has not seen get some value. An element of a model that no assertion names can be used in further
//! questions once it was the value of a term.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use footpath_term::{FuncId, SortId, TermId, Terms, Value};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::parse::{Reader, Sexpr};
use super::script::{Dialect, Script};
use super::value::{Vocabulary, read};
use crate::solver::{Answer, Flag, Interrupter, Solver, Statistics, Unknown, Unsupported};

/// How long a solver may take to start.
const START: Duration = Duration::from_secs(20);
/// How long it may take to print values.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long after an answer its marker may come.
const GRACE: Duration = Duration::from_secs(2);
/// How often interrupts are polled.
const LOOK: Duration = Duration::from_millis(10);
/// How much of what a solver prints on standard error is kept for messages.
const STDERR: usize = 2000;

const HEADER: &str = "(set-option :print-success false)\n\
    (set-option :produce-models true)\n\
    (set-option :produce-unsat-assumptions true)\n\
    (set-logic ALL)\n";

/// A solver in a child process.
pub struct Process {
    command: Vec<String>,
    version: String,
    /// What it is sent first.
    header: String,
    /// Whether it is told the limit of each check.
    keeps_limits: bool,
    script: Script,
    link: Option<Link>,
    assumptions: Vec<(TermId, String)>,
    elements: Elements,
    answer: Option<Answer>,
    /// Whether the model is read that it had when it gave up.
    reads_candidate: bool,
    flag: Arc<Flag>,
    timeout: Option<Duration>,
    work: Option<u32>,
    statistics: Statistics,
}

/// A running process.
struct Link {
    child: Child,
    input: Sender<Vec<u8>>,
    output: Receiver<Vec<u8>>,
    complaints: Arc<Mutex<VecDeque<u8>>>,
    /// The thread that collects them, until the process closes its end.
    listener: JoinHandle<()>,
    reader: Reader,
    marker: u64,
    /// How much of each level's text was sent.
    sent: Vec<usize>,
    /// How many of the levels that it has are closed on our side.
    to_pop: usize,
}

/// Why a request has no answer.
enum Trouble {
    Timeout,
    Interrupted,
    Failed(String),
}

impl From<Trouble> for Unknown {
    fn from(t: Trouble) -> Unknown {
        match t {
            Trouble::Timeout => Unknown::Timeout,
            Trouble::Interrupted => Unknown::Interrupted,
            Trouble::Failed(how) => Unknown::Failed(how),
        }
    }
}

/// Splits a command line at blanks; quotes keep blanks.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

impl Process {
    /// A solver started by `command`, a program and its arguments. It must read SMT-LIB 2 from its standard
    /// input, and take several checks.
    ///
    /// # Errors
    /// If the program cannot be started, or does not answer.
    pub fn new(command: &str) -> Result<Process, String> {
        let command = words(command);
        let Some(program) = command.first() else { return Err("an empty command".to_owned()) };
        let file = program.rsplit('/').next().unwrap_or(program);
        let dialect = if file.contains("z3") { Dialect::Z3 } else { Dialect::Standard };
        Process::begin(command, dialect, HEADER.to_owned(), false)
    }

    /// Z3, started by a program and its arguments, with these options of its own (commands of SMT-LIB 2).
    ///
    /// # Errors
    /// If the program cannot be started, or does not answer.
    pub(crate) fn z3(command: &[String], settings: &str) -> Result<Process, String> {
        Process::begin(command.to_vec(), Dialect::Z3, format!("{settings}{HEADER}"), true)
    }

    fn begin(
        command: Vec<String>,
        dialect: Dialect,
        header: String,
        keeps_limits: bool,
    ) -> Result<Process, String> {
        let Some(program) = command.first() else { return Err("an empty command".to_owned()) };
        let file = program.rsplit('/').next().unwrap_or(program);
        let mut process = Process {
            version: file.to_owned(),
            header,
            keeps_limits,
            script: Script::new(dialect),
            command,
            link: None,
            assumptions: Vec::new(),
            elements: Elements::default(),
            answer: None,
            reads_candidate: false,
            flag: Arc::default(),
            timeout: None,
            work: None,
            statistics: Statistics::default(),
        };
        process.start()?;
        let info = process.request("(get-info :name)\n(get-info :version)\n", Some(Instant::now() + START));
        let info = info.map_err(|t| match t {
            Trouble::Failed(how) => how,
            _ => "it does not answer".to_owned(),
        })?;
        let mut parts = Vec::new();
        for e in &info {
            if let Some([_, Sexpr::Text(t)]) = e.list() {
                parts.push(t.clone());
            }
        }
        if !parts.is_empty() {
            process.version = format!("{} by pipe", parts.join(" "));
        }
        Ok(process)
    }

    fn start(&mut self) -> Result<(), String> {
        let mut child = Command::new(&self.command[0])
            .args(&self.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", self.command[0]))?;
        let (Some(mut stdin), Some(mut stdout), Some(mut stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("the process has no pipes".to_owned());
        };
        let (input, to_write) = mpsc::channel::<Vec<u8>>();
        let (from_read, output) = mpsc::channel();
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&complaints);
        let start = |work: Box<dyn FnOnce() + Send>| {
            let started = thread::Builder::new().spawn(work);
            started.map_err(|e| format!("the system starts no further thread: {e}"))
        };
        start(Box::new(move || {
            for bytes in to_write {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        }))?;
        start(Box::new(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(n @ 1..) = stdout.read(&mut buffer) {
                if from_read.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        }))?;
        let listener = start(Box::new(move || {
            let mut buffer = [0; 512];
            while let Ok(n @ 1..) = stderr.read(&mut buffer) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&buffer[..n]);
                let excess = kept.len().saturating_sub(STDERR);
                kept.drain(..excess);
            }
        }))?;
        self.link = Some(Link {
            child,
            input,
            output,
            complaints,
            listener,
            reader: Reader::default(),
            marker: 0,
            sent: Vec::new(),
            to_pop: 0,
        });
        let header = self.header.clone();
        let header = self.request(&header, Some(Instant::now() + START));
        header.map(|_| ()).map_err(|t| match t {
            Trouble::Failed(how) => how,
            Trouble::Timeout | Trouble::Interrupted => "it does not answer".to_owned(),
        })
    }

    /// Sends `text` and returns all expressions of the answer. On an error the process has been killed.
    fn request(&mut self, text: &str, limit: Option<Instant>) -> Result<Vec<Sexpr>, Trouble> {
        let flag = Arc::clone(&self.flag);
        let Some(link) = &mut self.link else { return Err(Trouble::Failed("no process".to_owned())) };
        let result = link.exchange(text, limit, &flag);
        if result.is_err() {
            self.kill();
        }
        result
    }

    fn kill(&mut self) {
        if let Some(mut link) = self.link.take() {
            // It may have ended by itself.
            let _ = link.child.kill();
            let _ = link.child.wait();
        }
    }

    /// The text of assertions that the process does not have yet, to be sent before the next command.
    fn unsent(&mut self) -> String {
        let Some(link) = &mut self.link else { return String::new() };
        let mut text = String::new();
        if link.to_pop > 0 {
            text.push_str(&format!("(pop {})\n", link.to_pop));
            link.to_pop = 0;
        }
        for (i, level) in self.script.levels().enumerate() {
            if i >= link.sent.len() {
                if i > 0 {
                    text.push_str("(push 1)\n");
                }
                link.sent.push(0);
            }
            text.push_str(&level[link.sent[i]..]);
            link.sent[i] = level.len();
        }
        text
    }

    fn try_check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<Answer, Answer> {
        self.assumptions.clear();
        for &t in assumptions {
            let literal = self.script.assumption(terms, t)?;
            self.assumptions.push((t, literal));
        }
        let died = self.link.as_mut().is_none_or(|l| !matches!(l.child.try_wait(), Ok(None)));
        if died {
            self.kill();
            self.start().map_err(|how| Answer::Unknown(Unknown::Failed(how)))?;
        }
        let mut text = self.unsent();
        let mut limit = self.timeout;
        if self.keeps_limits {
            text.push_str(&limits_of_z3(limit, self.work));
            limit = limit.map(|limit| limit + GRACE);
        }
        let limit = limit.and_then(|limit| Instant::now().checked_add(limit));
        if assumptions.is_empty() {
            text.push_str("(check-sat)\n");
        } else {
            let literals: Vec<&str> = self.assumptions.iter().map(|(_, l)| l.as_str()).collect();
            text.push_str(&format!("(check-sat-assuming ({}))\n", literals.join(" ")));
        }
        let said = self.request(&text, limit).map_err(|t| Answer::Unknown(t.into()))?;
        if let Some(message) = said.iter().find_map(error) {
            // It may have understood some commands and not others.
            self.kill();
            return Ok(Answer::Unknown(complaint(&message)));
        }
        let said: Vec<&Sexpr> =
            said.iter().filter(|e| !matches!(e.atom(), Some("success" | "unsupported"))).collect();
        match said.as_slice() {
            [one] if one.atom() == Some("sat") => Ok(Answer::Sat),
            [one] if one.atom() == Some("unsat") => Ok(Answer::Unsat),
            [one] if matches!(one.atom(), Some("unknown" | "timeout")) => {
                let reason = self.request("(get-info :reason-unknown)\n", Some(Instant::now() + PATIENCE));
                let reason = match reason.as_deref() {
                    Ok([Sexpr::List(items)]) => items.last().map_or_else(String::new, ToString::to_string),
                    _ => String::new(),
                };
                let reason = reason.trim_matches('"').to_owned();
                Ok(Answer::Unknown(match reason.as_str() {
                    "timeout" | "resourceout" | "max. resource limit exceeded" => Unknown::Timeout,
                    "canceled" if self.keeps_limits => Unknown::Timeout,
                    "memout" => Unknown::Memory,
                    _ => Unknown::Incomplete(reason),
                }))
            }
            other => {
                let text = other.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
                self.kill();
                Ok(Answer::Unknown(Unknown::Failed(format!("it answered {:?}", shorten(&text)))))
            }
        }
    }

    /// The texts of the values of terms, given as texts.
    fn get_values(&mut self, texts: &[String]) -> Option<Vec<Sexpr>> {
        if (self.answer != Some(Answer::Sat) && !self.reads_candidate) || texts.is_empty() {
            return None;
        }
        let said =
            self.request(&format!("(get-value ({}))\n", texts.join(" ")), Some(Instant::now() + PATIENCE));
        let pairs = said.ok()?;
        let [Sexpr::List(pairs)] = pairs.as_slice() else { return None };
        if pairs.len() != texts.len() {
            return None;
        }
        pairs
            .iter()
            .map(|p| match p.list() {
                Some([_, value]) => Some(value.clone()),
                _ => None,
            })
            .collect()
    }

    /// Discards the last answer and model, as the assertions have changed.
    fn forget(&mut self) {
        self.answer = None;
        self.reads_candidate = false;
    }

    /// Asks for the model's names of the elements that terms mention.
    fn learn_elements(&mut self) {
        if std::mem::replace(&mut self.elements.known, true) {
            return;
        }
        let elements = self.script.elements();
        let names: Vec<String> = elements.iter().map(|(_, _, n)| n.clone()).collect();
        let Some(values) = self.get_values(&names) else { return };
        for ((sort, number, _), value) in elements.into_iter().zip(values) {
            let text = value.call("as").and_then(<[Sexpr]>::first).unwrap_or(&value).to_string();
            self.elements.numbers.insert((sort, text), number);
            self.elements.used.insert((sort, number));
        }
    }
}

impl Link {
    fn exchange(&mut self, text: &str, limit: Option<Instant>, flag: &Flag) -> Result<Vec<Sexpr>, Trouble> {
        self.marker += 1;
        let marker = format!("footpath-{}", self.marker);
        let mut bytes = text.as_bytes().to_vec();
        bytes.extend_from_slice(format!("(echo \"{marker}\")\n").as_bytes());
        // A process that is gone is noticed by its output.
        let _ = self.input.send(bytes);
        let mut said: Vec<Sexpr> = Vec::new();
        let mut grace: Option<Instant> = None;
        loop {
            if flag.is_set() {
                return Err(Trouble::Interrupted);
            }
            let now = Instant::now();
            if limit.is_some_and(|l| now >= l) {
                return Err(Trouble::Timeout);
            }
            if grace.is_some_and(|g| now >= g) {
                let text = said.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
                return Err(Trouble::Failed(format!("it said {:?} and then nothing", shorten(&text))));
            }
            let pause = limit.map_or(LOOK, |l| LOOK.min(l - now));
            match self.output.recv_timeout(pause) {
                Err(RecvTimeoutError::Timeout) => {}
                // Some solvers end at the first error.
                Err(RecvTimeoutError::Disconnected) if said.iter().any(|e| error(e).is_some()) => {
                    return Ok(said);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Failed(self.epitaph())),
                Ok(bytes) => {
                    self.reader.feed(&bytes).map_err(Trouble::Failed)?;
                    for e in self.reader.take() {
                        let is_marker = match &e {
                            Sexpr::Atom(t) | Sexpr::Text(t) => *t == marker,
                            Sexpr::List(_) => false,
                        };
                        if is_marker {
                            return Ok(said);
                        }
                        if said.len() >= 1000 {
                            return Err(Trouble::Failed("its answer does not end".to_owned()));
                        }
                        said.push(e);
                    }
                    if !said.is_empty() {
                        grace = Some(Instant::now() + GRACE);
                    }
                }
            }
        }
    }

    /// A message about how the process ended.
    fn epitaph(&mut self) -> String {
        let status = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(e) => e.to_string(),
        };
        // What it said at last may still be on the way. A process that it started may hold the pipe open for ever.
        let started = Instant::now();
        while !self.listener.is_finished() && started.elapsed() < GRACE {
            thread::sleep(LOOK);
        }
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = complaints.iter().copied().collect();
        let said = String::from_utf8_lossy(&bytes).trim().to_owned();
        if said.is_empty() { format!("it ended ({status})") } else { format!("it ended ({status}): {said}") }
    }
}

/// Tells Z3 the limits of the next check.
fn limits_of_z3(limit: Option<Duration>, work: Option<u32>) -> String {
    // Its own way to say that there is none.
    let none = u128::from(u32::MAX);
    let milliseconds = limit.map_or(none, |limit| limit.as_millis().clamp(1, none));
    format!("(set-option :timeout {milliseconds})\n(set-option :rlimit {})\n", work.unwrap_or(0))
}

fn error(e: &Sexpr) -> Option<String> {
    match e.call("error")? {
        [Sexpr::Text(t)] => Some(t.clone()),
        other => Some(other.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
    }
}

fn complaint(message: &str) -> Unknown {
    let lower = message.to_lowercase();
    if lower.contains("memory") {
        Unknown::Memory
    } else if ["not supported", "unsupported", "not yet support", "unimplemented"]
        .iter()
        .any(|w| lower.contains(w))
    {
        Unknown::Unsupported(format!("this ({})", shorten(message)))
    } else {
        Unknown::Failed(shorten(message))
    }
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 300 {
        return text.to_owned();
    }
    text.chars().take(300).chain("…".chars()).collect()
}

/// Numbers for the elements of one model.
#[derive(Default)]
struct Elements {
    known: bool,
    numbers: FxHashMap<(SortId, String), u32>,
    used: FxHashSet<(SortId, u32)>,
}

struct Names<'a> {
    script: &'a Script,
    elements: &'a mut Elements,
}

impl Vocabulary for Names<'_> {
    fn constructor(&self, name: &str) -> Option<FuncId> {
        self.script.constructor(name)
    }

    fn element(&mut self, sort: SortId, text: &str) -> u32 {
        let elements = &mut *self.elements;
        *elements.numbers.entry((sort, text.to_owned())).or_insert_with(|| {
            let free = (0..).find(|&n| elements.used.insert((sort, n)));
            free.expect("there are more numbers than elements")
        })
    }
}

impl Solver for Process {
    fn name(&self) -> String {
        self.version.clone()
    }

    fn assert(&mut self, terms: &Terms, t: TermId) -> Result<(), Unsupported> {
        self.forget();
        self.script.assert(terms, t)?;
        self.statistics.asserted += 1;
        Ok(())
    }

    fn push(&mut self) {
        self.forget();
        self.script.push();
    }

    fn pop(&mut self, levels: u32) {
        self.forget();
        self.script.pop(levels);
        let left = self.script.levels().len();
        if let Some(link) = &mut self.link
            && link.sent.len() > left
        {
            link.to_pop += link.sent.len() - left;
            link.sent.truncate(left);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        let start = Instant::now();
        self.forget();
        self.elements = Elements::default();
        self.script.forget_elements();
        let answer = if self.flag.is_set() {
            Answer::Unknown(Unknown::Interrupted)
        } else {
            self.try_check(terms, assumptions).unwrap_or_else(|a| a)
        };
        self.statistics.count(&answer, start.elapsed());
        self.answer = Some(answer.clone());
        answer
    }

    fn value(&mut self, terms: &Terms, t: TermId) -> Option<Value> {
        if terms.width(terms.sort(t)) == Some(0) {
            return Some(Value::BitVec { width: 0, bits: BigUint::ZERO });
        }
        let text = self.script.in_model(terms, t).ok()?;
        let found = self.get_values(std::slice::from_ref(&text))?.remove(0);
        self.learn_elements();
        let mut names = Names { script: &self.script, elements: &mut self.elements };
        let value = read(terms, terms.sort(t), &found, &mut names);
        if let Some(Value::Element { sort, number }) = value {
            self.script.note_element(sort, number, text);
        }
        value
    }

    fn truths(&mut self, terms: &Terms, of: &[TermId]) -> Vec<Option<bool>> {
        let texts: Vec<Option<String>> = of.iter().map(|&t| self.script.in_model(terms, t).ok()).collect();
        let asked: Vec<String> = texts.iter().flatten().cloned().collect();
        let mut found = self.get_values(&asked).unwrap_or_default().into_iter();
        texts
            .iter()
            .map(|t| match (t, t.as_ref().and_then(|_| found.next())?.atom()?) {
                (Some(_), "true") => Some(true),
                (Some(_), "false") => Some(false),
                _ => None,
            })
            .collect()
    }

    fn candidate(&mut self) -> bool {
        let gave_up = matches!(self.answer, Some(Answer::Unknown(_)));
        self.reads_candidate = self.keeps_limits && gave_up;
        // Z3 has none after some of its ways to give up.
        self.reads_candidate = self.get_values(&["true".to_owned()]).is_some();
        self.reads_candidate
    }

    fn core(&mut self) -> Vec<TermId> {
        if self.answer != Some(Answer::Unsat) || self.assumptions.is_empty() {
            return Vec::new();
        }
        let all: Vec<TermId> = self.assumptions.iter().map(|&(t, _)| t).collect();
        let said = self.request("(get-unsat-assumptions)\n", Some(Instant::now() + PATIENCE));
        let Ok([Sexpr::List(literals)]) = said.as_deref() else { return all };
        let mut by_literal: FxHashMap<String, TermId> = FxHashMap::default();
        for (t, l) in &self.assumptions {
            let mut reader = Reader::default();
            if reader.feed(l.as_bytes()).and_then(|()| reader.feed(b" ")).is_ok() {
                by_literal.extend(reader.take().first().map(|e| (e.to_string(), *t)));
            }
        }
        let found: Option<Vec<TermId>> =
            literals.iter().map(|l| by_literal.get(&l.to_string()).copied()).collect();
        found.unwrap_or(all)
    }

    fn set_timeout(&mut self, limit: Option<Duration>) {
        self.timeout = limit;
    }

    fn set_work_limit(&mut self, limit: Option<u32>) -> bool {
        self.work = limit;
        self.keeps_limits
    }

    fn interrupter(&self) -> Interrupter {
        Interrupter::of(Arc::clone(&self.flag))
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_at_blanks_outside_quotes() {
        assert_eq!(words("cvc5  --incremental"), ["cvc5", "--incremental"]);
        assert_eq!(words("'a b'c \"\" d"), ["a bc", "", "d"]);
        assert!(words("  ").is_empty());
    }
}
