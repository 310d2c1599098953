//! Writing tests as files of other tools: corpora and harnesses of libFuzzer (`--emit fuzz`), test cases of KLEE (`--emit ktest`).
//!
//! For a function `parse` there are `fuzz_parse.c`, the folder `fuzz_parse_corpus` with its tests, and `fuzz_parse_failing` with those
//! in which something fails, so that sanitizers may end the process; `ktest_parse` has the test cases. Files in these folders
//! that are not written again stay, as a fuzzer adds its own.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use footpath_driver::{CorpusFile, FunctionResult, FuzzTarget, Run};
use footpath_replay::{FuzzProgram, Source, fuzz_makefile, fuzz_support_files, plain_name};

use crate::output::{prepare_part, write_file};
use crate::suite::{relative, remove_stale, with_relative_headers, with_relative_includes};

/// The build file of harnesses.
const MAKEFILE: &str = "fuzz.mk";
/// How harnesses begin.
const SIGNATURES: [&str; 2] = ["/* Fuzz harness of ", "/* External functions of the fuzz harness "];

/// Writes harnesses for libFuzzer with their corpora, and what builds them.
pub fn write_fuzz(folder: &Path, run: &Run, sources: &[Source]) -> Result<()> {
    let mut written = BTreeSet::new();
    let mut programs = Vec::new();
    for (name, target) in named("fuzz", run) {
        let Ok(harness) = &target.harness else { continue };
        write_file(&folder.join(format!("{name}.c")), &with_relative_includes(&harness.source, folder))?;
        written.insert(format!("{name}.c"));
        let mut files: Vec<String> = harness.shared.iter().map(|&file| file.to_owned()).collect();
        if !harness.stubs.is_empty() {
            let stubs = format!("{name}_stubs.c");
            write_file(&folder.join(&stubs), &harness.stubs)?;
            written.insert(stubs.clone());
            files.push(stubs);
        }
        for (ending, fails) in [("corpus", false), ("failing", true)] {
            let of_it = |file: &&CorpusFile| file.fails == fails && file.bytes.is_some();
            let corpus: Vec<&CorpusFile> = target.corpus.iter().filter(of_it).collect();
            // libFuzzer wants a folder.
            if corpus.is_empty() && fails {
                continue;
            }
            let into = prepare_part(folder, &format!("{name}_{ending}"))?;
            corpus.iter().try_for_each(|file| save(&into.join(&file.name), file.bytes.as_deref()))?;
        }
        let Some((path, flags)) = run.files.get(target.file) else { continue };
        let source = relative(folder, path).unwrap_or_else(|| path.clone());
        let flags = with_relative_headers(flags, folder);
        programs.push(FuzzProgram { name, source, files, flags });
    }
    remove_stale(folder, &written, &SIGNATURES)?;
    for (name, text) in fuzz_support_files() {
        write_file(&folder.join(name), text)?;
    }
    write_file(&folder.join(MAKEFILE), &fuzz_makefile(&run.compiler, &programs, sources))
}

/// Writes the test cases of KLEE.
pub fn write_ktest(folder: &Path, run: &Run) -> Result<()> {
    for (name, target) in named("ktest", run) {
        let cases: Vec<&CorpusFile> = target.corpus.iter().filter(|file| file.ktest.is_some()).collect();
        if cases.is_empty() {
            continue;
        }
        let into = prepare_part(folder, &name)?;
        for case in cases {
            save(&into.join(format!("{}.ktest", case.name)), case.ktest.as_deref())?;
        }
    }
    Ok(())
}

/// The functions with tests, each with a name that no other one has.
fn named<'r>(prefix: &str, run: &'r Run) -> Vec<(String, &'r FuzzTarget)> {
    let mut used = BTreeSet::new();
    let name = |function: &'r FunctionResult| {
        let target = function.fuzz.as_ref()?;
        let mut name = plain_name(&format!("{prefix}_{}", function.name));
        while !used.insert(name.clone()) {
            name.push('_');
        }
        Some((name, target))
    };
    run.functions.iter().filter_map(name).collect()
}

fn save(path: &Path, bytes: Option<&[u8]>) -> Result<()> {
    footpath_atomic_write::write(path, bytes.unwrap_or_default())
        .with_context(|| format!("{} cannot be written", path.display()))
}
