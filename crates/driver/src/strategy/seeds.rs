//! Seeds: what other tools found becomes runs that the search begins with, and tests become files for other tools.
//!
//! **Idea.** Files of a fuzzer's corpus and test cases of KLEE are read as inputs of the harness (`footpath_replay`'s `corpus.rs`). They
//! are run in the program form, and the search goes on where they lead. Example: a corpus has a valid PNG; its run comes past the
//! checksum, which a search would find last.
//!
//! **Direction of error.** None. A seed is a run of the program form, whose test is compiled and run like all others.

use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_ir::AssertKind;
use footpath_ir::interp::{Outcome, Script};
use footpath_replay::{Case, CorpusFormat, FuzzHarness, Seed};

use crate::context::Context;
use crate::strategy::greybox_fuzzing::is_plain;

/// A seed, and the function that it is for; `None` for every function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeedFor {
    /// The function's name.
    pub function: Option<String>,
    /// The seed.
    pub seed: Seed,
}

/// What a fuzzer needs to go on from the tests of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuzzTarget {
    /// The number of the file with the function, among the user's.
    pub file: usize,
    /// Its harness for libFuzzer; the error says why there is none.
    pub harness: Result<FuzzHarness, String>,
    /// Its tests.
    pub corpus: Vec<CorpusFile>,
}

/// A test as files of other tools.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CorpusFile {
    /// The name of the test.
    pub name: String,
    /// Whether something fails in it, so that sanitizers may end the process.
    pub fails: bool,
    /// The input of the harness, if it can be one.
    pub bytes: Option<Vec<u8>>,
    /// The test case of KLEE, if it can be one.
    pub ktest: Option<Vec<u8>>,
}

/// The inputs that the user's seeds for a function stand for. What does not fit is said in `notes`.
pub(crate) fn proposals(
    context: &Context,
    function: &LoweredFunction,
    harness: &Harness,
    notes: &mut Vec<String>,
) -> Vec<Script> {
    let is_for = |seed: &&SeedFor| seed.function.as_ref().is_none_or(|name| *name == function.name);
    let mut seeds = context.options.seeds.iter().filter(is_for).map(|seed| &seed.seed).peekable();
    if seeds.peek().is_none() {
        return Vec::new();
    }
    if !is_plain(context, function) {
        notes.push(
            "seeds are not used, because the search is guided or explores, or samples functions".to_owned(),
        );
        return Vec::new();
    }
    match CorpusFormat::of(&context.compiled.lowered, context.prepared.interpreter(), harness) {
        Ok(format) => {
            let proposals = format.proposals(seeds);
            notes.extend(proposals.misfits);
            proposals.scripts
        }
        Err(why) => {
            notes.push(format!("no seed fits, because {why}"));
            Vec::new()
        }
    }
}

/// The tests of a function for other tools. What cannot be said there is said in `notes`.
pub(crate) fn fuzz_target(
    context: &Context,
    function: &LoweredFunction,
    (harness, cases): (&Harness, &[Case]),
    notes: &mut Vec<String>,
) -> FuzzTarget {
    let compiled = context.compiled;
    let file = function.function.module as usize;
    let format = match CorpusFormat::of(&compiled.lowered, context.prepared.interpreter(), harness) {
        Ok(format) => format,
        Err(why) => {
            notes.push(format!("there is no fuzz harness, because {why}"));
            return FuzzTarget { file, harness: Err(why), corpus: Vec::new() };
        }
    };
    let missing = |name: &str| !compiled.library_functions.contains(name);
    let source = compiled.files[file].display().to_string();
    let made = format.harness(&function.name, &source, &missing);
    let corpus: Vec<CorpusFile> = cases
        .iter()
        .map(|case| CorpusFile {
            name: case.name.clone(),
            fails: case.fails && !exits(case) || case.undefined.is_some(),
            bytes: format.file(&case.inputs).filter(|_| made.is_ok()),
            ktest: format.ktest(&case.inputs),
        })
        .collect();
    match &made {
        Err(why) => notes.push(format!("there is no fuzz harness, because {why}")),
        Ok(_) => {
            let missing = corpus.iter().filter(|file| file.bytes.is_none()).count();
            if missing > 0 {
                notes.push(format!(
                    "{missing} of {} tests are no inputs of the fuzz harness, which does not make what they need",
                    corpus.len()
                ));
            }
        }
    }
    FuzzTarget { file, harness: made, corpus }
}

/// Whether the program ends itself in a test, which libFuzzer's process survives.
fn exits(case: &Case) -> bool {
    matches!(case.inputs.outcome, Outcome::Failed { kind: AssertKind::Exit, .. })
}
