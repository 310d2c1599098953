//! Writing what `footpath test` made into a folder: tests, build files, reports.
//!
//! The conductor works in a folder of its own, so that nothing half done is ever seen in the user's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use footpath_driver::Run;
use footpath_replay::{
    Framework, Program, REPLACED_FILE, Source, cmake_lists, makefile, meson_build, support_files,
    with_header_paths,
};
use footpath_report::suite::{TestRun, exclusions, html, json, lcov, markdown, sarif, testcomp};

use crate::args::Emit;
use crate::corpora;
use crate::output::{begins_with, prepare_part, write_file};

/// How every test file begins, so that files of an earlier run are recognised.
const SIGNATURES: [&str; 2] = ["/* Tests of ", "/* External functions: "];

/// Writes what is asked for; tests are for a framework to run.
pub fn write(folder: &Path, run: &TestRun<'_>, emit: &[Emit], framework: Framework) -> Result<()> {
    for kind in emit {
        match kind {
            Emit::C => write_tests(folder, run.run, framework)?,
            Emit::Json => write_file(&folder.join("report.json"), &json::report(run).to_text())?,
            Emit::Html => write_file(&folder.join("report.html"), &html::page(run))?,
            Emit::Sarif => write_file(&folder.join("report.sarif"), &sarif::log(run))?,
            Emit::Markdown => write_file(&folder.join("report.md"), &markdown::text(run))?,
            Emit::Lcov => write_file(&folder.join("report.info"), &lcov::info(run))?,
            Emit::Exclusions => write_file(&folder.join("exclusions.txt"), &exclusions::list(run))?,
            Emit::Testcomp => write_testcomp(folder, run.run)?,
            Emit::Fuzz => corpora::write_fuzz(folder, run.run, &sources(folder, run.run))?,
            Emit::Ktest => corpora::write_ktest(folder, run.run)?,
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

fn write_tests(folder: &Path, run: &Run, framework: Framework) -> Result<()> {
    let mut written = BTreeSet::new();
    let mut programs = Vec::new();
    for function in &run.functions {
        let Some(path) = &function.file else { continue };
        let Some(name) = path.file_stem().map(|s| s.to_string_lossy().into_owned()) else { continue };
        // Functions of one source share a file.
        if written.contains(&format!("{name}.c")) {
            continue;
        }
        let mut copy = |name: String| -> Result<()> {
            let from = path.with_file_name(&name);
            let text = fs::read_to_string(&from);
            let text = text.with_context(|| {
                format!("the tests of {} are lost: {} cannot be read", function.name, from.display())
            })?;
            write_file(&folder.join(&name), &with_relative_includes(&text, folder))?;
            written.insert(name);
            Ok(())
        };
        copy(format!("{name}.c"))?;
        let stubs = format!("{name}_stubs.c");
        let has_stubs = path.with_file_name(&stubs).exists();
        if has_stubs {
            copy(stubs)?;
        }
        if let Some(runner) = framework.runner_file(&name) {
            copy(runner)?;
        }
        let tested = run.test_files.get(path).and_then(|&number| run.files.get(number));
        let (source, flags) = tested.cloned().unwrap_or_default();
        let source = relative(folder, &source).unwrap_or(source);
        let flags = with_relative_headers(&flags, folder);
        programs.push(Program { name, source, has_stubs, flags });
    }
    remove_stale(folder, &written, &SIGNATURES)?;
    for (name, text) in support_files() {
        write_file(&folder.join(name), &text)?;
    }
    for (name, text) in framework.support_files() {
        write_file(&folder.join(name), text)?;
    }
    write_file(&folder.join(REPLACED_FILE), &run.replaced)?;
    let sources = sources(folder, run);
    write_file(&folder.join("Makefile"), &makefile(&run.compiler, &programs, &sources, framework))?;
    write_file(&folder.join("CMakeLists.txt"), &cmake_lists(&run.compiler, &programs, &sources, framework))?;
    match framework {
        Framework::Plain => write_file(&folder.join("meson.build"), &meson_build(&programs, &sources)),
        _ => Ok(()),
    }
}

/// The user's sources, as they lie from a folder.
fn sources(folder: &Path, run: &Run) -> Vec<Source> {
    let source = |(path, flags): &(PathBuf, Vec<String>)| Source {
        path: relative(folder, path).unwrap_or_else(|| path.clone()),
        flags: with_relative_headers(flags, folder),
    };
    run.files.iter().map(source).collect()
}

/// The flags with folders of headers named as they lie from a folder.
pub(crate) fn with_relative_headers(flags: &[String], folder: &Path) -> Vec<String> {
    with_header_paths(flags, |path| {
        let path = relative(folder, path)?;
        // What begins with a dot is seen to be a path, also where another tool builds in another folder.
        Some(if path.starts_with("..") { path } else { Path::new(".").join(path) })
    })
}

/// The text of a test file in which sources are included as they lie from a folder: tests go where the source goes.
pub(crate) fn with_relative_includes(text: &str, folder: &Path) -> String {
    const HEAD: &str = "#include \"/";
    let line = |line: &str| {
        let path = line.strip_prefix(HEAD).and_then(|rest| rest.trim_end().strip_suffix('"'));
        let path = path.and_then(|path| relative(folder, Path::new(&format!("/{path}"))));
        path.map_or_else(|| line.to_owned(), |path| format!("#include \"{}\"\n", path.display()))
    };
    text.split_inclusive('\n').map(line).collect()
}

/// A file as it is named from a folder; `None` if it is not there, or if they have nothing in common.
pub(crate) fn relative(folder: &Path, file: &Path) -> Option<PathBuf> {
    let (folder, file) = (folder.canonicalize().ok()?, file.canonicalize().ok()?);
    let shared = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    // The root is everybody's.
    if shared < 2 {
        return None;
    }
    let up = folder.components().skip(shared).map(|_| "..");
    Some(up.map(PathBuf::from).chain(file.components().skip(shared).map(|c| c.as_os_str().into())).collect())
}

/// Removes files of an earlier run, which begin with a signature, that this one has not written again, so that tests and report fit
/// each other.
pub(crate) fn remove_stale(folder: &Path, written: &BTreeSet<String>, signatures: &[&str]) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("{} cannot be listed", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if written.contains(&name) || ![".c", ".cc"].iter().any(|ending| name.ends_with(ending)) {
            continue;
        }
        if begins_with(&path, signatures) {
            fs::remove_file(&path).with_context(|| format!("{} cannot be removed", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_included_as_it_lies_from_the_tests() {
        let root = std::env::temp_dir().join(format!("footpath-includes-{}", std::process::id()));
        fs::create_dir_all(root.join("out/tests")).expect("folders");
        fs::write(root.join("a.c"), "").expect("a source");
        let text =
            format!("/* Tests */\n#include \"{}\"\n#include \"/no/such/b.c\"\n", root.join("a.c").display());
        let expected = "/* Tests */\n#include \"../../a.c\"\n#include \"/no/such/b.c\"\n";
        assert_eq!(with_relative_includes(&text, &root.join("out/tests")), expected);
        assert_eq!(relative(&root.join("out"), Path::new("/etc/passwd")), None);
        fs::remove_dir_all(root).expect("folders are removed");
    }
}
