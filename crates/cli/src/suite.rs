//! Writing what `footpath test` made into a folder: tests, build files, reports.
//!
//! The conductor works in a folder of its own, so that nothing half done is ever seen in the user's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use footpath_driver::Run;
use footpath_replay::{Program, REPLACED_FILE, Source, cmake_lists, makefile, support_files};
use footpath_report::suite::{TestRun, exclusions, html, json, lcov, sarif, testcomp};

use crate::args::Emit;
use crate::output::{begins_with, prepare_part, write_file};

/// How every test file begins, so that files of an earlier run are recognised.
const SIGNATURES: [&str; 2] = ["/* Tests of ", "/* External functions: "];

/// Writes what is asked for.
pub fn write(folder: &Path, run: &TestRun<'_>, emit: &[Emit]) -> Result<()> {
    for kind in emit {
        match kind {
            Emit::C => write_tests(folder, run.run)?,
            Emit::Json => write_file(&folder.join("report.json"), &json::report(run).to_text())?,
            Emit::Html => write_file(&folder.join("report.html"), &html::page(run))?,
            Emit::Sarif => write_file(&folder.join("report.sarif"), &sarif::log(run))?,
            Emit::Lcov => write_file(&folder.join("report.info"), &lcov::info(run))?,
            Emit::Exclusions => write_file(&folder.join("exclusions.txt"), &exclusions::list(run))?,
            Emit::Testcomp => write_testcomp(folder, run.run)?,
        }
    }
    Ok(())
}

/// Writes the tests of a whole program as Test-Comp takes them.
fn write_testcomp(folder: &Path, run: &Run) -> Result<()> {
    let folder = prepare_part(folder, "test-suite")?;
    for entry in fs::read_dir(&folder).with_context(|| format!("{} cannot be listed", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("testcase-") && name.ends_with(".xml") {
            fs::remove_file(&path).with_context(|| format!("{} cannot be removed", path.display()))?;
        }
    }
    for (name, text) in testcomp::files(run)? {
        write_file(&folder.join(name), &text)?;
    }
    Ok(())
}

fn write_tests(folder: &Path, run: &Run) -> Result<()> {
    let mut written = BTreeSet::new();
    let mut programs = Vec::new();
    for function in &run.functions {
        let Some(path) = &function.file else { continue };
        let Some(name) = path.file_stem().map(|s| s.to_string_lossy().into_owned()) else { continue };
        let mut copy = |name: String| -> Result<()> {
            let from = path.with_file_name(&name);
            let text = fs::read_to_string(&from);
            let text = text.with_context(|| {
                format!("the tests of {} are lost: {} cannot be read", function.name, from.display())
            })?;
            write_file(&folder.join(&name), &text)?;
            written.insert(name);
            Ok(())
        };
        copy(format!("{name}.c"))?;
        let stubs = format!("{name}_stubs.c");
        let has_stubs = path.with_file_name(&stubs).exists();
        if has_stubs {
            copy(stubs)?;
        }
        let flags = run.flags.get(path).cloned().unwrap_or_default();
        programs.push(Program { name, has_stubs, flags });
    }
    remove_stale(folder, &written)?;
    for (name, text) in support_files() {
        write_file(&folder.join(name), &text)?;
    }
    write_file(&folder.join(REPLACED_FILE), &run.replaced)?;
    let source = |(path, flags): &(PathBuf, Vec<String>)| Source { path: path.clone(), flags: flags.clone() };
    let sources: Vec<Source> = run.files.iter().map(source).collect();
    write_file(&folder.join("Makefile"), &makefile(&run.compiler, &programs, &sources))?;
    write_file(&folder.join("CMakeLists.txt"), &cmake_lists(&run.compiler, &programs, &sources))
}

/// Removes tests of an earlier run that this one has not written again, so that tests and report fit each other.
fn remove_stale(folder: &Path, written: &BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("{} cannot be listed", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if written.contains(&name) || !name.ends_with(".c") {
            continue;
        }
        if begins_with(&path, &SIGNATURES) {
            fs::remove_file(&path).with_context(|| format!("{} cannot be removed", path.display()))?;
        }
    }
    Ok(())
}
