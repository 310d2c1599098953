//! Covers as text, for a cache that later runs on the same procedures use.
//!
//! **Idea.** The expensive parts of a cover are the solver's answers: verdicts, and the inputs of tests. Both are
//! written to the text; everything else is computed again. Tests are executed again, and what they cover is
//! determined from the run: if a test does not behave as before, or an objective that the text calls covered is not,
//! the text is rejected. Infeasible verdicts are trusted, so the owner of the cache must ensure that a text belongs
//! to the same procedures under the same options.
//!
//! The text has no ids of the program's arena and no places in its source. A variable is identified by its
//! declaration, a statement of an explanation by its position in its body.
//!
//! **Direction of error.** A verdict of the text is trusted, except against a test.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

use footpath_ir::interp::{Interpreter, Limits, Script};
use footpath_ir::source::Span;
use footpath_ir::{ProcId, Program};
use footpath_term::{SymbolId, Terms, Value};
use footpath_transform::{LoneBranches, What};
use rustc_hash::FxHashMap;

use super::from_concolic::replay;
use super::random_runs::covered;
use super::report::{CoverStatistics, Objective, ObjectiveKind, ProcedureCover, Test};
use footpath_concolic::log_values::{read_value, write_value};
use footpath_verdict::{Bound, Code, Reason, Verdict};

/// The limit on steps of a test that is executed again, the same as when it was found.
const STEPS: u64 = 1_000_000;

/// Writes and reads the texts of a program's covers.
pub struct CoverCache<'p> {
    program: &'p Program,
    interpreter: Interpreter<'p>,
    names: OnceLock<Names>,
    places: OnceLock<FxHashMap<Span, Statement>>,
}

/// A statement, terminator, block or clause: its procedure and body, and its position in [`spans_of`].
type Statement = (ProcId, usize, usize);

impl<'p> CoverCache<'p> {
    /// For the covers of a program.
    pub fn new(program: &'p Program) -> CoverCache<'p> {
        let interpreter = Interpreter::new(program);
        CoverCache { program, interpreter, names: OnceLock::new(), places: OnceLock::new() }
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::of(self.program))
    }

    /// A cover as text; `None` if something in it cannot be written, or if its meaning depends on axioms. Without
    /// `tests`, covered objectives are written as unknown, so that only proofs are cached.
    pub fn keep(&self, cover: &ProcedureCover, tests: bool) -> Option<String> {
        let program = self.program;
        if !program.axioms.is_empty() {
            return None;
        }
        let mut text = String::new();
        let s = &cover.statistics;
        let _ = writeln!(text, "cover {} {} {} {}", cover.body, s.blocks, s.unwind, u8::from(s.exhaustive));
        for note in &cover.notes {
            let _ = writeln!(text, "note {}", one_line(note));
        }
        for objective in &cover.objectives {
            let _ = match &objective.verdict {
                Verdict::Covered if tests => writeln!(text, "covered"),
                Verdict::Covered => writeln!(text, "unknown {}", Reason::from(Code::NotAnalysed).to_line()),
                Verdict::Doomed => writeln!(text, "doomed"),
                Verdict::Unreachable => writeln!(text, "unreachable"),
                Verdict::UnreachableWithin(bound) => writeln!(text, "{} {}", bound.name(), bound.number()?),
                Verdict::Unknown(why) => writeln!(text, "unknown {}", why.to_line()),
            };
            for span in &objective.explanation {
                let (procedure, body, position) = self.statement_at(cover.procedure, *span)?;
                let _ = writeln!(text, "since {body} {position} {}", program[procedure].name);
            }
        }
        for test in cover.tests.iter().filter(|_| tests) {
            text.push_str("test\n");
            write_script(&mut text, test.script.as_ref()?, self.names(), &program.terms)?;
        }
        Some(text)
    }

    /// The cover that a text describes. `None` if it does not describe a cover of this body, or if a test does not
    /// behave as before.
    pub fn recall(&self, (procedure, body): (ProcId, u32), text: &str) -> Option<ProcedureCover> {
        let program = self.program;
        let mut lines = text.lines().peekable();
        let mut head = lines.next()?.strip_prefix("cover ")?.split(' ');
        let mut number = || head.next()?.parse::<u32>().ok();
        let (same, blocks, unwind, exhaustive) = (number()? == body, number()?, number()?, number()? == 1);
        let mut notes = Vec::new();
        while let Some(note) = lines.peek().and_then(|l| l.strip_prefix("note ")) {
            notes.push(note.to_owned());
            lines.next();
        }
        let mut objectives = objectives(program, procedure, body);
        for objective in &mut objectives {
            objective.verdict = verdict(lines.next()?)?;
            while let Some(place) = lines.peek().and_then(|l| l.strip_prefix("since ")) {
                objective.explanation.push(span_of(program, place)?);
                lines.next();
            }
        }
        let mut tests = Vec::new();
        while let Some(line) = lines.next() {
            (line == "test").then_some(())?;
            let inputs = std::iter::from_fn(|| lines.next_if(|l| *l != "test"));
            let script = self.script(inputs)?;
            tests.push(again(&self.interpreter, (procedure, body), &script, &mut objectives, tests.len())?);
        }
        let fits = |o: &Objective| (o.verdict == Verdict::Covered) != o.tests.is_empty();
        if !same || !objectives.iter().all(fits) {
            return None;
        }
        let statistics = CoverStatistics {
            blocks: blocks as usize,
            unwind,
            exhaustive,
            runs: tests.len() as u64,
            recalled: true,
            ..CoverStatistics::default()
        };
        let sorts = BTreeMap::new();
        Some(ProcedureCover {
            procedure,
            body,
            objectives,
            tests,
            statistics,
            notes,
            sorts,
            exploration: None,
        })
    }

    /// The inputs of a run as text, in lines that begin with `entry`, `havoc`, `choice` or `body`; `None` if a value
    /// cannot be written.
    pub fn script_text(&self, script: &Script) -> Option<String> {
        let mut text = String::new();
        write_script(&mut text, script, self.names(), &self.program.terms)?;
        Some(text)
    }

    /// The inputs of a run from the lines that [`CoverCache::script_text`] writes.
    pub fn script<'l>(&self, lines: impl IntoIterator<Item = &'l str>) -> Option<Script> {
        let mut script = Script::default();
        let mut terms = Terms::layer(self.program.terms.clone());
        for line in lines {
            read_line(line, &mut script, self.names(), &mut terms)?;
        }
        Some(script)
    }

    /// The statement (or terminator, block, clause) with this range: of procedure `first`, or else of another one.
    fn statement_at(&self, first: ProcId, span: Span) -> Option<Statement> {
        for body in 0..self.program[first].bodies.len() {
            if let Some(position) = spans_of(self.program, first, body).iter().position(|s| *s == span) {
                return Some((first, body, position));
            }
        }
        let places = self.places.get_or_init(|| {
            let mut places = FxHashMap::default();
            for procedure in self.program.ids() {
                for body in 0..self.program[procedure].bodies.len().max(1) {
                    for (position, span) in spans_of(self.program, procedure, body).into_iter().enumerate() {
                        places.entry(span).or_insert((procedure, body, position));
                    }
                }
            }
            places
        });
        places.get(&span).copied()
    }
}

/// Executes a test again and determines what it covers.
fn again(
    interpreter: &Interpreter<'_>,
    root: (ProcId, u32),
    script: &Script,
    objectives: &mut [Objective],
    number: usize,
) -> Option<Test> {
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let (test, run) = replay(interpreter, root, script, &limits, &[]);
    let covers = covered(objectives.iter().map(|o| (o.origin, o.kind)), &run);
    for &i in &covers {
        objectives[i].tests.push(number);
    }
    (!covers.is_empty()).then_some(Test { covers, ..test })
}

/// The objectives of a body, without verdicts.
fn objectives(program: &Program, procedure: ProcId, body: u32) -> Vec<Objective> {
    let listed = footpath_transform::objectives(program, procedure, body).into_iter();
    let mut lone = LoneBranches::of(program);
    let objective = |o: footpath_transform::Objective| {
        let kind = match o.what {
            What::Statements => ObjectiveKind::Statement,
            What::Failure(kind) => ObjectiveKind::Failure(kind),
            What::Edge if lone.contains(o.origin) => ObjectiveKind::Branch,
            What::Continuation | What::Edge | What::Return => return None,
        };
        Some(Objective {
            name: o.name.to_string(),
            kind,
            origin: o.origin,
            span: o.span,
            verdict: Verdict::Unknown(Code::NotAnalysed.into()),
            tests: Vec::new(),
            explanation: Vec::new(),
        })
    };
    listed.filter_map(objective).collect()
}

fn verdict(line: &str) -> Option<Verdict> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    Some(match word {
        "covered" => Verdict::Covered,
        "doomed" => Verdict::Doomed,
        "unreachable" => Verdict::Unreachable,
        "unknown" => Verdict::Unknown(Reason::of_line(rest)?),
        _ => Verdict::UnreachableWithin(Bound::named(word, rest.parse().ok())?),
    })
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

// ---- Places

/// The ranges of all statements, terminators, blocks and clauses of a body, in order.
fn spans_of(program: &Program, procedure: ProcId, body: usize) -> Vec<Span> {
    let declared = &program[procedure];
    let mut spans: Vec<Span> = declared.requires.iter().chain(&declared.ensures).map(|c| c.span).collect();
    for block in declared.bodies.get(body).into_iter().flat_map(|b| &b.blocks) {
        spans.extend(block.statements.iter().map(|s| s.span));
        spans.push(block.terminator.span);
        spans.push(block.span);
    }
    // What stands for a callee has the range of its declaration.
    spans.push(declared.span);
    let variables = declared.params.iter().chain(&declared.results);
    spans.extend(variables.map(|v| v.span));
    spans.extend(declared.bodies.get(body).map(|b| b.span));
    spans
}

fn span_of(program: &Program, place: &str) -> Option<Span> {
    let mut words = place.splitn(3, ' ');
    let (body, position) = (words.next()?.parse().ok()?, words.next()?.parse::<usize>().ok()?);
    let procedure = program.procedure_named(words.next()?)?;
    spans_of(program, procedure, body).get(position).copied()
}

// ---- Values

/// Names of variables that do not depend on the rest of the program.
struct Names {
    text: FxHashMap<SymbolId, String>,
    symbol: FxHashMap<String, SymbolId>,
}

impl Names {
    fn of(program: &Program) -> Names {
        let mut names = Names { text: FxHashMap::default(), symbol: FxHashMap::default() };
        let globals = program.globals.iter().map(|g| g.variable.symbol);
        let mut same: FxHashMap<&str, usize> = FxHashMap::default();
        for symbol in globals.chain(program.constants.iter().map(|c| c.symbol)) {
            let name: &str = &program.terms.symbol(symbol).name;
            let number = same.entry(name).or_insert(0);
            *number += 1;
            names.add(symbol, format!("{number} {name}"));
        }
        for procedure in &program.procedures {
            for (b, body) in procedure.bodies.iter().enumerate() {
                let variables = body.params.iter().chain(&body.results).chain(&body.locals);
                for (position, variable) in variables.enumerate() {
                    names.add(variable.symbol, format!("in {b} {position} {}", procedure.name));
                }
            }
        }
        names
    }

    fn add(&mut self, symbol: SymbolId, text: String) {
        self.symbol.insert(text.clone(), symbol);
        self.text.insert(symbol, text);
    }
}

fn write_script(out: &mut String, script: &Script, names: &Names, terms: &Terms) -> Option<()> {
    if !script.functions.is_empty() {
        return None;
    }
    let mut entries: Vec<(&(u32, SymbolId), &Value)> = script.entries.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| **key);
    for ((activation, symbol), value) in entries {
        let _ = write!(out, "entry {activation} ");
        write_value(out, value, terms)?;
        let _ = writeln!(out, " {}", names.text.get(symbol)?);
    }
    for value in &script.havocs {
        out.push_str("havoc ");
        write_value(out, value, terms)?;
        out.push('\n');
    }
    for (word, list) in [("choice", &script.choices), ("body", &script.bodies)] {
        for number in list {
            let _ = writeln!(out, "{word} {number}");
        }
    }
    Some(())
}

fn read_line(line: &str, script: &mut Script, names: &Names, terms: &mut Terms) -> Option<()> {
    let (word, rest) = line.split_once(' ')?;
    match word {
        "entry" => {
            let mut words = rest.splitn(3, ' ');
            let (activation, value) = (words.next()?.parse().ok()?, read_value(words.next()?, terms)?);
            let symbol = *names.symbol.get(words.next()?)?;
            if !fits(&value, symbol, terms) {
                return None;
            }
            script.entries.insert((activation, symbol), value);
        }
        "havoc" => script.havocs.push(read_value(rest, terms)?),
        "choice" => script.choices.push(rest.parse().ok()?),
        "body" => script.bodies.push(rest.parse().ok()?),
        _ => return None,
    }
    Some(())
}

/// Whether a value is of a variable's sort.
fn fits(value: &Value, symbol: SymbolId, terms: &mut Terms) -> bool {
    let sort = terms.symbol(symbol).sort;
    let literal = terms.value(value);
    terms.sort(literal) == sort
}
