//! Caching of searches: tests that were found for a function are kept for later runs.
//!
//! **Idea.** The inputs of a search's tests are kept, with what each promises to cover, what was ruled out, and
//! whether every path was known. The tests are built and run again each time, so that what they cover is still
//! decided by the compiled test only. The key of a search consists of the text of its harness, its function and
//! everything that these may call, and of all options. With a larger time limit the function is searched again,
//! starting from the inputs that are kept.
//!
//! Example: after a header has changed that only declares, the key of `f` is the same, and its tests are only built
//! and run.
//!
//! Whole results are cached as well, by what functions are made from, see `cache/results.rs`; and what the compiler makes of files, see
//! `cache/translations.rs`.
//!
//! **Direction of error.** The cache is trusted about which paths were known and which places were ruled out.

mod function_fingerprints;
mod project_folder;
mod relocation;
mod results;
mod tagged_lines;
mod translations;

use std::sync::{Arc, OnceLock};

use footpath_concolic::{ConcolicTest, Exploration, Goal, Hits, Statistics, TestClass};
use footpath_cover::CoverOptions;
use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_ir::interp::{Limits, Outcome, Replay, Script};
use footpath_ir::{ProcId, Program};
use footpath_summaries::{Covers, Digests};
use footpath_term::Terms;

use crate::Options;
use crate::compile::Compiled;
use crate::context::Context;
use crate::strategy::replay::STEPS;

pub(crate) use function_fingerprints::FileFingerprints;
pub(crate) use project_folder::ProjectFolder;
pub(crate) use results::Results;
pub(crate) use translations::Translations;

/// Changes with the meaning of the text and with how the search goes.
const FORMAT: &str = "footpath search 5";

/// Digests of a run's programs, which the keys of all its caches share.
pub(crate) struct ProgramDigests<'a> {
    compiled: &'a Compiled,
    tests: Arc<Digests<'a>>,
    proofs: OnceLock<Arc<Digests<'a>>>,
}

impl<'a> ProgramDigests<'a> {
    pub(crate) fn new(compiled: &'a Compiled) -> ProgramDigests<'a> {
        let tests = Arc::new(Digests::of(&compiled.lowered.program));
        ProgramDigests { compiled, tests, proofs: OnceLock::new() }
    }

    /// Those of the program for tests.
    pub(crate) fn of_tests(&self) -> &Arc<Digests<'a>> {
        &self.tests
    }

    /// Those of the program for proofs, which may be the same.
    pub(crate) fn of_proofs(&self) -> &Arc<Digests<'a>> {
        let program = &self.compiled.proof_program().program;
        match std::ptr::eq(program, self.tests.program()) {
            true => &self.tests,
            false => self.proofs.get_or_init(|| Arc::new(Digests::of(program))),
        }
    }
}

/// The cache of searches if it is enabled. Guided searches and those of whole programs are not cached.
pub(crate) fn searches<'a>(digests: &ProgramDigests<'a>, options: &Options) -> Option<Covers<'a>> {
    let storage = options.store.clone()?;
    // A search for a part of the goals says nothing of the others.
    if !options.entry.is_empty() || options.exploration.is_some() || options.selection.missed.is_some() {
        return None;
    }
    let beside = format!("{FORMAT} {} {:?}", options.seed, options.guide);
    let limits = CoverOptions { timeout: Some(options.timeout), ..CoverOptions::default() };
    Some(Covers::new(storage, digests.of_tests(), &limits, &beside, true))
}

/// Caches a search; errors of writing are ignored.
pub(crate) fn keep(searches: &Covers<'_>, harness: &Harness, found: &Exploration) {
    if let Some(text) = text(searches, found) {
        let is_all = found.exhausted || found.goals.iter().all(|g| g.covered_well || g.ruled_out);
        searches.keep_text(harness.widest(), &text, is_all);
    }
}

fn text(searches: &Covers<'_>, found: &Exploration) -> Option<String> {
    let mut text = format!("search {} {}\n", u8::from(found.exhausted), found.goals.len());
    let ruled_out = (0..found.goals.len()).filter(|&g| found.goals[g].ruled_out);
    text += &format!("never{}\n", ruled_out.map(|g| format!(" {g}")).collect::<String>());
    for note in &found.notes {
        text += &format!("note {}\n", note.replace('\n', " "));
    }
    for test in &found.tests {
        let class = match test.class {
            TestClass::Successful => "successful",
            TestClass::Failing => "failing",
            TestClass::Endless => "endless",
            TestClass::Aborted => return None,
        };
        text += &format!("test {class} {} {}", test.decisions, test.steps);
        test.covers.iter().for_each(|g| text += &format!(" {g}"));
        text.push('\n');
        text += &searches.keeper().script_text(&test.script)?;
    }
    Some(text)
}

/// The cached search for tests of a function.
pub(crate) enum Recalled {
    /// A complete result for the time that there is.
    Search(Box<Exploration>),
    /// The inputs that a search found in less time.
    Inputs(Vec<Script>),
}

/// The cached search for tests of a function, if there is one.
pub(crate) fn recall(context: &Context, function: &LoweredFunction, harness: &Harness) -> Option<Recalled> {
    let searches = context.searches?;
    let kept = searches.text(harness.widest())?;
    let found = read(context, function, harness, searches, &kept.text)?;
    Some(match kept.is_enough {
        true => Recalled::Search(Box::new(found)),
        false => Recalled::Inputs(found.tests.into_iter().map(|test| test.script).collect()),
    })
}

fn read(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    searches: &Covers<'_>,
    text: &str,
) -> Option<Exploration> {
    let program = &context.compiled.lowered.program;
    let mut lines = text.lines().peekable();
    let mut head = lines.next()?.strip_prefix("search ")?.split(' ');
    let (exhausted, count): (u8, usize) = (head.next()?.parse().ok()?, head.next()?.parse().ok()?);
    let mut goals = goals(program, function.procedure);
    for number in lines.next()?.strip_prefix("never")?.split_whitespace() {
        goals.get_mut(number.parse::<usize>().ok()?)?.ruled_out = true;
    }
    let mut notes = Vec::new();
    while let Some(note) = lines.peek().and_then(|l| l.strip_prefix("note ")) {
        notes.push(note.to_owned());
        lines.next();
    }
    let mut tests = Vec::new();
    while let Some(line) = lines.next() {
        let mut words = line.strip_prefix("test ")?.split(' ');
        let class = match words.next()? {
            "successful" => TestClass::Successful,
            "failing" => TestClass::Failing,
            "endless" => TestClass::Endless,
            _ => return None,
        };
        let (decisions, steps) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let covers: Option<Vec<usize>> =
            words.map(|w| w.parse().ok().filter(|&g: &usize| g < goals.len())).collect();
        let script =
            searches.keeper().script(std::iter::from_fn(|| lines.next_if(|l| !l.starts_with("test "))))?;
        let outcome = match class {
            TestClass::Endless => Outcome::OutOfSteps,
            _ => {
                let limits = Limits { steps: STEPS, ..Limits::default() };
                let mut replay = Replay::new(&script);
                context
                    .prepared
                    .interpreter()
                    .run_under(harness.widest(), 0, &mut replay, &limits, &[])
                    .outcome
            }
        };
        let ended = match class {
            TestClass::Successful => outcome == Outcome::Returned,
            TestClass::Failing => matches!(outcome, Outcome::Failed { .. }),
            _ => true,
        };
        let covers = covers.filter(|_| ended)?;
        for &g in &covers {
            goals[g].visited = true;
            goals[g].covered_by.get_or_insert(tests.len());
            goals[g].covered_well = true;
            if class == TestClass::Successful {
                goals[g].returned_by.get_or_insert(tests.len());
            }
        }
        tests.push(ConcolicTest {
            script,
            outcome,
            covers,
            class,
            decisions,
            steps,
            conditions: None,
            decided_by: Vec::new(),
        });
    }
    (goals.len() == count).then(|| Exploration {
        tests,
        goals,
        exhausted: exhausted == 1,
        exhausted_within_iterations: false,
        bounds_hit: Hits::default(),
        statistics: Statistics::default(),
        notes,
        axioms: Vec::new(),
        terms: Terms::layer(program.terms.clone()),
    })
}

/// The goals of a search for tests of a function, none of them covered.
fn goals(program: &Program, procedure: ProcId) -> Vec<Goal> {
    let objectives = footpath_transform::objectives(program, procedure, 0);
    objectives.into_iter().map(|objective| Goal::of(program, objective)).collect()
}
