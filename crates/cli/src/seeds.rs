//! Reading what other tools found: corpora of fuzzers, and test cases of KLEE.
//!
//! A seed is a file, or a folder of them. Of a folder the files in it are read, not those of its folders; if it has files that end in
//! `.ktest`, only these, as KLEE writes other files beside them. Example: `--seeds parse=corpus` reads each file in `corpus` as an input
//! of `parse`.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use footpath_driver::{Seed, SeedFor};
use footpath_replay::{is_ktest, read_ktest};

/// Of larger files only so much is read: no function has so large an input.
const MAX_BYTES: u64 = 1 << 20;

/// Reads the values of `--seeds`: `PATH`, or `FUNCTION=PATH`.
///
/// # Errors
/// If a file cannot be read, or ends in `.ktest` and is none; with the place.
pub fn read(values: &[String]) -> Result<Vec<SeedFor>> {
    let mut seeds = Vec::new();
    for value in values {
        let (function, path) = parts(value);
        for file in files(path)? {
            seeds.push(SeedFor { function: function.map(str::to_owned), seed: seed(&file)? });
        }
    }
    Ok(seeds)
}

/// The function and the path. A path with `=` that is there is a path.
fn parts(value: &str) -> (Option<&str>, &Path) {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    match value.split_once('=') {
        Some((name, path)) if is_name(name) && !Path::new(value).exists() => (Some(name), Path::new(path)),
        _ => (None, Path::new(value)),
    }
}

/// The files of a path, in the order of their names.
fn files(path: &Path) -> Result<Vec<PathBuf>> {
    let no_access = || format!("{} cannot be read", path.display());
    if !fs::metadata(path).with_context(no_access)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(path).with_context(no_access)? {
        let file = entry.with_context(no_access)?.path();
        if file.is_file() {
            found.push(file);
        }
    }
    if found.iter().any(|file| is_named_ktest(file)) {
        found.retain(|file| is_named_ktest(file));
    }
    found.sort();
    Ok(found)
}

fn is_named_ktest(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "ktest")
}

fn seed(path: &Path) -> Result<Seed> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    read.with_context(|| format!("{} cannot be read", path.display()))?;
    if !is_ktest(&bytes) && !is_named_ktest(path) {
        return Ok(Seed::Bytes(bytes));
    }
    let objects = read_ktest(&bytes).map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))?;
    Ok(Seed::KTest(objects))
}
