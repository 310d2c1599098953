//! Greybox fuzzing: inputs of a function that reach code which no other input reached, from very many runs in one process.
//!
//! **Idea.** A compiled run costs a few hundred nanoseconds, a run of the program form a hundred times as much, and a
//! question to a solver as much as ten thousand compiled runs. So the compiled function is run first, again and again, on inputs
//! that are changed at random, and those that show something new are kept to be changed further. Three things make
//! this more than guessing:
//!
//! * *Typed inputs* (`layout.rs`): the bytes of an input are the inputs of the harness, so that every input is one that a
//!   test can have, with pointers that lead where the harness lets them lead.
//! * *Operands are copied* (input-to-state correspondence): if a run compares 17 with 65, and the input has a 17
//!   somewhere, it is replaced by 65. The same is done with text that functions of the library compare.
//! * *Descent*: when there are no news, the input that came nearest to the other result of a comparison is changed number
//!   by number as long as that makes the distance smaller. Comparisons count by the calls that are open.
//!
//! Example: `if (n * n - 6 * n == 7 && memcmp(s, "key", 3) == 0)`: descent on the distance of the product to 7 finds that `n` is
//! 7, and "key" is copied from the operand of `memcmp`.
//!
//! The loop (`fuzzer/fuzzer.c`) is in the process that runs the function: asking it for each run would cost a hundred runs. Each of
//! its techniques has a file in that folder. Before each run all variables are copied back, and the memory of `malloc` is empty
//! again; a crash or an endless loop ends only its run. A run that spoils what the process needs ends the process, and another
//! one goes on with what was found. The process is confined as tests are. Its budget is a number of runs and of blocks, and objects
//! are at the same addresses in each process, so that the same seed finds the same.
//!
//! **Papers.** C. Aschermann et al., "REDQUEEN: fuzzing with input-to-state correspondence" (NDSS 2019), for the operands;
//! B. Korel, "Automated software test data generation" (1990), for the descent. Here an operand is replaced wherever it is found
//! in the input, without finding out first which bytes decide, as inputs are small.
//!
//! **Direction of error.** What is found is a proposal: an input becomes the script of a run of the program form, and what that
//! reaches counts when its compiled test has reached it. Nothing is claimed about what was not found.

mod answers;
mod corpus;
mod encoding;
mod fuzz_target;
mod instrumentation;
mod ktest;
mod layout;
mod libfuzzer;

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

use self::fuzz_target::{PREFIX, externals, target};
use self::instrumentation::trace;
use self::layout::Layout;
use crate::dead_code::prune;
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
/// How often the process is started, if runs spoil what it needs.
const ATTEMPTS: u64 = 4;
/// Its exit code if it could not begin.
const CANNOT_START: i32 = 2;
/// The fuzzer's own sources: names and texts.
pub(crate) const SOURCES: [(&str, &str); 12] = [
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
    ("footpath_fuzzer_test_case_reduction.c", include_str!("greybox_fuzzing/fuzzer/test_case_reduction.c")),
];

/// What is fuzzed.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The program.
    pub lowered: &'a Lowered,
    /// Runs the program form.
    pub interpreter: &'a Interpreter<'a>,
    /// The function's name.
    pub function: &'a str,
    /// Its harness.
    pub harness: &'a Harness,
    /// Inputs that are not fuzzed: the command line of a program, which has no arguments. Empty for functions.
    pub base: &'a Script,
    /// The path of the file that it is in.
    pub source: &'a str,
    /// Which functions without a body the linker will not find either.
    pub missing: &'a dyn Fn(&str) -> bool,
    /// The functions of other files.
    pub library: Option<&'a Path>,
    /// The text of [`crate::replaced_functions`].
    pub replaced: &'a str,
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

/// What was found.
#[derive(Clone, Debug)]
pub struct Fuzzed {
    /// Inputs of the harness that reached something new, in the order in which they were found.
    pub scripts: Vec<Script>,
    /// How many runs were made.
    pub runs: u64,
}

/// Fuzzes a function. Files are made in `folder`, with names that begin with `name`.
///
/// # Errors
/// If its inputs have no layout, or if it cannot be built or run; the error says why.
pub fn fuzz(
    compiler: &Compiler,
    folder: &Path,
    name: &str,
    what: Target<'_>,
    options: FuzzOptions<'_>,
) -> Result<Fuzzed, String> {
    let layout = Layout::of(what.lowered, what.harness)?;
    let program = build(compiler, folder, name, what, &layout).map_err(|why| why.to_string())?;
    let room = (layout.size as usize * 1024).clamp(1, ROOM);
    let shared = folder.join(format!("{name}.fuzzed"));
    let no_file = |e: std::io::Error| format!("{}: {e}", shared.display());
    std::fs::write(&shared, vec![0; HEADER + room]).map_err(no_file)?;
    let Some(limits) = options.limits.after_build().now() else {
        return Err("there is no time for it".to_owned());
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
        let numbers = [options.seed + attempt, options.runs, options.patience];
        let arguments = numbers.map(|n| n.to_string());
        let mut child =
            start_with(&jail, &program, &arguments, folder, Stdio::null()).map_err(|why| why.to_string())?;
        let left = limits.time.saturating_sub(started.elapsed()).max(Duration::from_millis(1));
        match wait_or_stop(&mut child, left, options.stop) {
            Some(status) if status.code() == Some(CANNOT_START) => {
                return Err("its process could not begin".to_owned());
            }
            // A run spoilt what the process needs.
            Some(status) if !status.success() => is_spoilt = true,
            _ => break,
        }
    }
    // What was found until the process ended is in the file.
    let found = std::fs::read(&shared).map_err(no_file)?;
    let words = found.get(..HEADER).ok_or("its process spoilt the file of what it found")?;
    let word = |at: usize| words[8 * at..8 * at + 8].iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
    if word(1) == 0 && is_spoilt {
        return Err("its process ended before the first run".to_owned());
    }
    let inputs = found[HEADER..].chunks_exact(layout.size as usize).take(word(0) as usize);
    let mut seen = FxHashSet::default();
    let scripts = inputs.filter(|input| seen.insert(input.to_vec()));
    let scripts = scripts.map(|input| layout.script(what.interpreter, what.base, input)).collect();
    Ok(Fuzzed { scripts, runs: word(1) })
}

/// Builds the program that fuzzes.
fn build(
    compiler: &Compiler,
    folder: &Path,
    name: &str,
    what: Target<'_>,
    layout: &Layout<'_>,
) -> Result<PathBuf, NativeError> {
    let at = |ending: &str| folder.join(format!("{name}_fuzz{ending}"));
    runtime::write_sources(folder)?;
    SOURCES.iter().try_for_each(|(name, text)| write(&folder.join(name), text))?;
    write(&folder.join(REPLACED_FILE), what.replaced)?;
    let (source, text) = (at(".c"), at(".ll"));
    write(&source, &target(what.lowered, what.harness, layout, what.function, what.source))?;
    let mut others = runtime::fuzzer_objects(&compiler.for_other_sources(), folder)?;
    let objects = others.clone();
    others.extend(what.library.map(Path::to_path_buf));
    let mut plain = compiler.clone();
    plain.flags.extend(PLAIN.map(str::to_owned));
    let whole = plain.to_llvm(&source, &text, false)?;
    let external = externals(what.lowered, what.missing);
    let stubs = runtime::object_of(&compiler.for_other_sources(), folder, "fuzz_stubs", &external)?;
    let asked_for = AskedFor::by(&others, &external)?;
    let pruned = prune(&whole, &|name| name.starts_with(PREFIX) || asked_for.contains(name));
    write(&text, &traced(&text, &pruned.text))?;
    let program = at(".program");
    let mut link = compiler.command();
    // Variables are at the same addresses in each process, and where functions are found nothing can be written to.
    link.args(["-w", "-O1", "-Wno-override-module", "-fno-builtin", "-no-pie", "-Wl,-z,relro,-z,now"])
        .args([&text, &stubs])
        .args(&objects);
    compiler.link(link, what.library, folder, &program)?;
    Ok(program)
}

/// All functions but those of the target itself are instrumented.
fn traced(path: &Path, text: &str) -> String {
    let mut sources = SourceMap::new();
    let id = sources.add(SourceFile::new(path.display().to_string(), text.to_owned()));
    let (module, _) = llvm::read(id, &sources);
    trace(&module, text, &|name| !name.starts_with("footpath_fuzz_"))
}
