//! Greybox fuzzing: inputs of a function that reach code which no other input reached, from very many runs in one process.
//!
//! **Idea.** A compiled run costs a few hundred nanoseconds, a run of the program form a hundred times as much, and a
//! question to a solver as much as ten thousand compiled runs. So the compiled function is run first, again and again, on inputs
//! that are changed at random, and those that show something new are kept to be changed further. Four things make
//! this more than guessing:
//!
//! * *Typed inputs* (`layout.rs`): the bytes of an input are the inputs of the harness, so that every input is one that a
//!   test can have, with pointers that lead where the harness lets them lead.
//! * *Operands are copied* (input-to-state correspondence): if a run compares 17 with 65, and the input has a 17
//!   somewhere, it is replaced by 65. The same is done with text that functions of the library compare.
//! * *A dictionary* (`dictionary.rs`): texts among the program's constants are put into text.
//! * *Descent*: when there are no news, the input that came nearest to the other result of a comparison is changed number
//!   by number as long as that makes the distance smaller. Comparisons count by the calls that are open.
//!
//! Example: `if (n * n - 6 * n == 7 && memcmp(s, "key", 3) == 0)`: descent on the distance of the product to 7 finds that `n` is
//! 7, and "key" is copied from the operand of `memcmp`.
//!
//! One program is built for all functions of a source that are to be fuzzed, as building takes longer than fuzzing many of them.
//! The loop (`fuzzer/fuzzer.c`) is in the process that runs the function: asking it for each run would cost a hundred runs. Each of
//! its techniques has a file in that folder. Before each run all variables are copied back, and the memory of `malloc` is empty
//! again; a crash or an endless loop ends only its run. A run that spoils what the process needs ends the process, and another
//! one goes on with what was found. The process is confined as tests are. Its budget is a number of runs and of blocks, and objects
//! are at the same addresses in each process, so that the same seed finds the same. In the last quarter of its time what was
//! found becomes fewer inputs, and smaller ones.
//!
//! **Papers.** C. Aschermann et al., "REDQUEEN: fuzzing with input-to-state correspondence" (NDSS 2019), for the operands;
//! B. Korel, "Automated software test data generation" (1990), for the descent. Here an operand is replaced wherever it is found
//! in the input, without finding out first which bytes decide, as inputs are small.
//!
//! **Direction of error.** What is found is a proposal: an input becomes the script of a run of the program form, and what that
//! reaches counts when its compiled test has reached it. Nothing is claimed about what was not found.

mod answers;
mod corpus;
mod dictionary;
mod encoding;
mod fuzz_target;
mod instrumentation;
mod ktest;
mod layout;
mod libfuzzer;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use footpath_frontend::c::{Harness, Lowered};
use footpath_frontend::llvm;
use footpath_ir::interp::{Interpreter, Script};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_jail::{Jail, Profile, wait_or_stop};
use rustc_hash::FxHashSet;

use self::fuzz_target::{PREFIX, externals, is_of, targets};
use self::instrumentation::trace;
use self::layout::Layout;
use crate::dead_code::{Mentions, prune};
use crate::execution::{AskedFor, Compiler, Limits, NativeError, start_with, write};
use crate::library_world::REPLACED_FILE;
use crate::runtime::{self, FUZZER};

pub use self::corpus::{CorpusFormat, Proposals, Seed};
pub use self::ktest::{KTestObject, is_ktest, read_ktest};
pub use self::libfuzzer::{FuzzHarness, fuzz_support_files};

/// Flags with which the compiler takes nothing for granted that a test would show otherwise.
const PLAIN: [&str; 3] = ["-fwrapv", "-fno-delete-null-pointer-checks", "-fno-builtin"];
/// Bytes before the inputs in the file that is shared with the fuzzer.
const HEADER: usize = 4096;
/// The largest size of that file.
const ROOM: usize = 1 << 20;
/// Part of its time after which the process only makes what it found smaller.
const SEARCH_SHARE: f64 = 0.75;
/// How often the process is started, if runs spoil what it needs.
const ATTEMPTS: u64 = 4;
/// Its exit code if it could not begin.
const CANNOT_START: i32 = 2;
/// The same if it is a program for several functions with too many variables.
const TOO_MANY_VARIABLES: i32 = 4;
/// The fuzzer's own sources: names and texts.
pub(crate) const SOURCES: [(&str, &str); 13] = [
    (FUZZER, include_str!("greybox_fuzzing/fuzzer/fuzzer.c")),
    ("footpath_fuzzer.h", include_str!("greybox_fuzzing/fuzzer/fuzzer.h")),
    ("footpath_fuzzer_state.h", include_str!("greybox_fuzzing/fuzzer/state.h")),
    ("footpath_fuzzer_arena_allocation.c", include_str!("greybox_fuzzing/fuzzer/arena_allocation.c")),
    ("footpath_fuzzer_persistent_mode.c", include_str!("greybox_fuzzing/fuzzer/persistent_mode.c")),
    ("footpath_fuzzer_comparison_log.c", include_str!("greybox_fuzzing/fuzzer/comparison_log.c")),
    ("footpath_fuzzer_coverage_feedback.c", include_str!("greybox_fuzzing/fuzzer/coverage_feedback.c")),
    ("footpath_fuzzer_mutation.c", include_str!("greybox_fuzzing/fuzzer/mutation.c")),
    ("footpath_fuzzer_corpus.c", include_str!("greybox_fuzzing/fuzzer/corpus.c")),
    ("footpath_fuzzer_input_to_state.c", include_str!("greybox_fuzzing/fuzzer/input_to_state.c")),
    (
        "footpath_fuzzer_alternating_variable_method.c",
        include_str!("greybox_fuzzing/fuzzer/alternating_variable_method.c"),
    ),
    ("footpath_fuzzer_corpus_minimisation.c", include_str!("greybox_fuzzing/fuzzer/corpus_minimisation.c")),
    ("footpath_fuzzer_test_case_reduction.c", include_str!("greybox_fuzzing/fuzzer/test_case_reduction.c")),
];

/// A source with functions that can be fuzzed.
#[derive(Clone, Copy)]
pub struct Unit<'a> {
    /// The program.
    pub lowered: &'a Lowered,
    /// The path of the source.
    pub source: &'a str,
    /// Which functions without a body the linker will not find either.
    pub missing: &'a dyn Fn(&str) -> bool,
    /// The functions of other files.
    pub library: Option<&'a Path>,
    /// The text of [`crate::replaced_functions`].
    pub replaced: &'a str,
}

/// What is fuzzed.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The function's name.
    pub function: &'a str,
    /// Its harness.
    pub harness: &'a Harness,
}

/// How long is fuzzed.
#[derive(Clone, Copy, Debug)]
pub struct FuzzOptions<'a> {
    /// The seed of all random choices.
    pub seed: u64,
    /// The largest number of runs.
    pub runs: u64,
    /// So many basic blocks are run without news before it gives up, or twice as many as led to the last ones if these are more; 15
    /// times as many in all.
    pub patience: u64,
    /// What the process may use.
    pub limits: Limits,
    /// Whether it is to end now.
    pub stop: &'a AtomicBool,
}

/// Why a function was not fuzzed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FuzzError {
    /// Each run would copy back so many variables of other functions that a program for this one alone is faster.
    TooManyVariables,
    /// It could not be run.
    Failed(String),
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Fuzzed {
    /// Inputs of the harness in the order of what a run costs: what one reaches is not all reached by others.
    pub scripts: Vec<Script>,
    /// How many runs were made.
    pub runs: u64,
}

/// A program that can fuzz some functions of one source.
#[derive(Clone, Debug)]
pub struct Fuzzer {
    program: PathBuf,
    /// The functions, by number.
    functions: Vec<String>,
}

impl Fuzzer {
    /// Builds one for those of the targets whose inputs have a layout. Files are made in `folder`, with names that begin with `name`.
    ///
    /// # Errors
    /// If there is none, or if it cannot be built; the error says why.
    pub fn build(
        compiler: &Compiler,
        (folder, name): (&Path, &str),
        unit: Unit<'_>,
        targets: &[Target<'_>],
    ) -> Result<Fuzzer, String> {
        let mut why = "there are no functions".to_owned();
        let mut laid_out = Vec::new();
        for target in targets {
            match Layout::of(unit.lowered, target.harness) {
                Ok(layout) => laid_out.push((target.function, layout)),
                Err(reason) => why = reason,
            }
        }
        if laid_out.is_empty() {
            return Err(why);
        }
        let program = build(compiler, (folder, name), unit, &laid_out).map_err(|why| why.to_string())?;
        let functions = laid_out.iter().map(|(function, _)| (*function).to_owned()).collect();
        Ok(Fuzzer { program, functions })
    }

    /// Whether it can fuzz a function.
    pub fn has(&self, function: &str) -> bool {
        self.functions.iter().any(|known| known == function)
    }

    /// How many functions it can fuzz; at least one.
    pub fn count(&self) -> usize {
        self.functions.len()
    }

    /// Fuzzes a function in a process that works in `folder`. Inputs that are not fuzzed are in `base`: the command line of a program,
    /// which has no arguments; it is empty for functions.
    ///
    /// # Errors
    /// If it is not among this program's functions, or if it cannot be run; the error says why.
    pub fn run(
        &self,
        compiler: &Compiler,
        folder: &Path,
        (lowered, interpreter): (&Lowered, &Interpreter<'_>),
        (target, base): (Target<'_>, &Script),
        options: FuzzOptions<'_>,
    ) -> Result<Fuzzed, FuzzError> {
        let failed = |why: &str| FuzzError::Failed(why.to_owned());
        let Some(number) = self.functions.iter().position(|known| known == target.function) else {
            return Err(failed("its program was built without this function"));
        };
        let layout = Layout::of(lowered, target.harness).map_err(FuzzError::Failed)?;
        let room = (layout.size as usize * 1024).clamp(1, ROOM);
        let name = self.program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let shared = folder.join(format!("{name}_{number}.fuzzed"));
        let no_file = |e: std::io::Error| FuzzError::Failed(format!("{}: {e}", shared.display()));
        std::fs::write(&shared, vec![0; HEADER + room]).map_err(no_file)?;
        let Some(limits) = options.limits.after_build().now() else {
            return Err(failed("there is no time for it"));
        };
        let jail = Jail {
            memory: Some(limits.memory),
            seconds: limits.time.as_secs() + 1,
            readable: compiler.library_folders(),
            shared: vec![("FOOTPATH_RESULT", shared.clone())],
            ..Jail::new(Profile::Test)
        };
        let started = Instant::now();
        let mut is_spoilt = false;
        for attempt in 0..ATTEMPTS {
            let subject = [number as u64, self.functions.len() as u64];
            let left = limits.time.saturating_sub(started.elapsed()).max(Duration::from_millis(1));
            let search = left.mul_f64(SEARCH_SHARE).as_millis() as u64;
            let numbers = [options.seed + attempt, options.runs, options.patience, search];
            let arguments: Vec<String> = subject.into_iter().chain(numbers).map(|n| n.to_string()).collect();
            let mut child = start_with(&jail, &self.program, &arguments, folder, Stdio::null())
                .map_err(|why| FuzzError::Failed(why.to_string()))?;
            let status = wait_or_stop(&mut child, left, options.stop);
            match status.map(|status| (status.success(), status.code())) {
                Some((_, Some(CANNOT_START))) => return Err(failed("its process could not begin")),
                Some((_, Some(TOO_MANY_VARIABLES))) => return Err(FuzzError::TooManyVariables),
                // A run spoilt what the process needs.
                Some((false, _)) => is_spoilt = true,
                _ => break,
            }
        }
        // What was found until the process ended is in the file.
        let found = std::fs::read(&shared).map_err(no_file)?;
        let spoilt = || failed("its process spoilt the file of what it found");
        let words = found.get(..HEADER).ok_or_else(spoilt)?;
        let word =
            |at: usize| words[8 * at..8 * at + 8].iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
        if word(1) == 0 && is_spoilt {
            return Err(failed("its process ended before the first run"));
        }
        let inputs = found[HEADER..].chunks_exact(layout.size as usize).take(word(0) as usize);
        let mut seen = FxHashSet::default();
        let scripts = inputs.filter(|input| seen.insert(input.to_vec()));
        let scripts = scripts.map(|input| layout.script(interpreter, base, input)).collect();
        Ok(Fuzzed { scripts, runs: word(1) })
    }
}

/// Builds the program that fuzzes.
fn build(
    compiler: &Compiler,
    (folder, name): (&Path, &str),
    unit: Unit<'_>,
    laid_out: &[(&str, Layout<'_>)],
) -> Result<PathBuf, NativeError> {
    let at = |ending: &str| folder.join(format!("{name}_fuzz{ending}"));
    runtime::write_sources(folder)?;
    SOURCES.iter().try_for_each(|(name, text)| write(&folder.join(name), text))?;
    write(&folder.join(REPLACED_FILE), unit.replaced)?;
    let (source, text) = (at(".c"), at(".ll"));
    write(&source, &targets(unit.lowered, laid_out, unit.source))?;
    let mut others = runtime::fuzzer_objects(&compiler.for_other_sources(), folder)?;
    let objects = others.clone();
    others.extend(unit.library.map(Path::to_path_buf));
    let mut plain = compiler.clone();
    plain.flags.extend(PLAIN.map(str::to_owned));
    let whole = plain.to_llvm(&source, &text, false)?;
    let external = externals(unit.lowered, unit.missing);
    let stubs = runtime::object_of(&compiler.for_other_sources(), folder, "fuzz_stubs", &external)?;
    let asked_for = AskedFor::by(&others, &external)?;
    let pruned = prune(&whole, &|name| name.starts_with(PREFIX) || asked_for.contains(name));
    write(&text, &traced(&text, &pruned.text, laid_out.len()))?;
    let program = at(".program");
    let mut link = compiler.command();
    // Variables are at the same addresses in each process, and where functions are found nothing can be written to.
    link.args(["-w", "-O1", "-Wno-override-module", "-fno-builtin", "-no-pie", "-Wl,-z,relro,-z,now"])
        .args([&text, &stubs])
        .args(&objects);
    compiler.link(link, unit.library, folder, &program)?;
    Ok(program)
}

/// The text with all functions instrumented but those of the targets, of which there are so many, and with the targets' dictionaries.
fn traced(path: &Path, text: &str, targets: usize) -> String {
    let mut sources = SourceMap::new();
    let id = sources.add(SourceFile::new(path.display().to_string(), text.to_owned()));
    let (module, _) = llvm::read(id, &sources);
    let (mut instrumented, points) = trace(&module, text, &|name| !name.starts_with(PREFIX));
    let mentions = Mentions::of(text);
    let reached = |number: usize| mentions.names(&|name: &str| is_of(name, number));
    let reached: Vec<FxHashSet<&str>> = (0..targets).map(reached).collect();
    let points_of = |names: &FxHashSet<&str>| {
        let count: usize = names.iter().filter_map(|name| points.get(name)).sum();
        format!("i32 {count}")
    };
    let points: Vec<String> = reached.iter().map(points_of).collect();
    let _ = writeln!(
        instrumented,
        "\n@footpath_fuzz_points_of_targets = constant [{targets} x i32] [{}]\n{}",
        points.join(", "),
        dictionary::definitions(&module, &reached)
    );
    instrumented
}
