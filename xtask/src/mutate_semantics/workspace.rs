//! A copy of the workspace in which chosen places have a second form.
//!
//! Files are written only where they differ from what an earlier run left, so that little is built again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::operators::{Site, sites};

/// How many mutants one copy can have; the switch has room for so many.
pub const MOST: usize = 4096;

const SWITCH: &str = include_str!("switch.rs");

/// The crate that all crates with rules know, where the switch is.
const SWITCH_FILE: &str = "crates/term/src/lib.rs";

/// A changed place.
pub struct Mutant {
    /// What the environment calls it.
    pub number: usize,
    /// The crate that it is in.
    pub package: String,
    /// The file and the line.
    pub place: String,
    /// What is changed, for people.
    pub change: String,
}

/// The tests of the copy.
pub struct Built {
    workspace: PathBuf,
    /// The program that runs files of the corpus.
    pub corpus: PathBuf,
    /// The other tests: names of crates, each with a program.
    pub own: Vec<(String, PathBuf)>,
}

impl Built {
    /// Where the tests of a crate run.
    pub fn folder(&self, package: &str) -> PathBuf {
        self.workspace.join("crates").join(package)
    }
}

/// Writes the copy. How many places could be changed, and which are.
pub fn write(
    root: &Path,
    folder: &Path,
    rules: &[PathBuf],
    count: usize,
    seed: u64,
) -> Result<(usize, Vec<Mutant>), String> {
    let mut files = Vec::new();
    for rule in rules {
        rust_files(&root.join(rule), &mut files);
    }
    files.sort();
    if files.is_empty() {
        return Err("there is no Rust file to change".to_owned());
    }
    let mut all = Vec::new();
    for file in files {
        let text = read(&file)?;
        let found = sites(&text).map_err(|why| format!("{}: {why}", file.display()))?;
        let path = file.strip_prefix(root).unwrap_or(&file).to_owned();
        all.extend(found.into_iter().map(|site| (path.clone(), site)));
    }
    let total = all.len();
    let chosen = choose(all, count, seed);
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    texts.insert(SWITCH_FILE.into(), format!("{}{SWITCH}", read(&root.join(SWITCH_FILE))?));
    let mut mutants = Vec::new();
    // From the end of each file, so that the places before stay where they are.
    for (number, (path, site)) in chosen.iter().enumerate().rev() {
        let text = read(&root.join(path))?;
        let line = text[..site.bytes.start].matches('\n').count() + 1;
        let package = path.components().nth(1).map(|c| c.as_os_str().to_string_lossy().into_owned());
        mutants.push(Mutant {
            number,
            package: package.unwrap_or_default(),
            place: format!("{}:{line}", path.display()),
            change: site.describe(&text),
        });
        let changed = texts.entry(path.clone()).or_insert_with(|| text.clone());
        changed.replace_range(site.bytes.clone(), &site.with_both(&text, number));
    }
    mutants.reverse();
    copy(root, &folder.join("workspace"), &texts)?;
    Ok((total, mutants))
}

/// So many of all places, none within another, in the order of the text.
fn choose(mut all: Vec<(PathBuf, Site)>, count: usize, seed: u64) -> Vec<(PathBuf, Site)> {
    // Shuffled by the multiplication of a linear congruential generator (Knuth's MMIX).
    let mut state = seed;
    for end in (1..all.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        all.swap(end, ((state >> 33) % (end as u64 + 1)) as usize);
    }
    let mut chosen: Vec<(PathBuf, Site)> = Vec::new();
    for (path, site) in all {
        let meets = |(other, there): &(PathBuf, Site)| {
            *other == path && there.bytes.start < site.bytes.end && site.bytes.start < there.bytes.end
        };
        if chosen.len() < count && !chosen.iter().any(meets) {
            chosen.push((path, site));
        }
    }
    chosen.sort_by(|(p, s), (q, t)| (p, s.bytes.start).cmp(&(q, t.bytes.start)));
    chosen
}

/// Copies the crates with these texts in place of theirs, and links everything else.
fn copy(root: &Path, to: &Path, texts: &BTreeMap<PathBuf, String>) -> Result<(), String> {
    create(to)?;
    for entry in std::fs::read_dir(root).map_err(|e| format!("{}: {e}", root.display()))?.flatten() {
        let name = entry.file_name();
        let is_hidden = name.to_string_lossy().starts_with('.');
        if is_hidden || ["target", "crates", "xtask", "Cargo.toml", "Cargo.lock"].iter().any(|n| name == *n) {
            continue;
        }
        let link = to.join(&name);
        if !link.is_symlink() {
            std::os::unix::fs::symlink(entry.path(), &link)
                .map_err(|e| format!("{}: {e}", link.display()))?;
        }
    }
    for folder in ["crates", "xtask"] {
        copy_folder(root, Path::new(folder), to, texts)?;
    }
    for file in ["Cargo.toml", "Cargo.lock"] {
        write_if_changed(&to.join(file), read(&root.join(file))?.as_bytes())?;
    }
    Ok(())
}

fn copy_folder(
    root: &Path,
    folder: &Path,
    to: &Path,
    texts: &BTreeMap<PathBuf, String>,
) -> Result<(), String> {
    create(&to.join(folder))?;
    let from = root.join(folder);
    for entry in std::fs::read_dir(&from).map_err(|e| format!("{}: {e}", from.display()))?.flatten() {
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(root, &path, to, texts)?;
            continue;
        }
        let bytes = match texts.get(&path) {
            Some(text) => text.clone().into_bytes(),
            None => std::fs::read(entry.path()).map_err(|e| format!("{}: {e}", entry.path().display()))?,
        };
        write_if_changed(&to.join(&path), &bytes)?;
    }
    Ok(())
}

/// Builds the tests of the corpus and of these crates, and the launcher that they run programs with.
///
/// They go to a folder of their own: Cargo takes a package for the same one wherever its workspace lies, so that in a common folder the
/// next ordinary build would be made of the copy.
pub fn build(folder: &Path, crates: &[&str]) -> Result<Built, String> {
    let workspace = folder.join("workspace");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = |arguments: &[&str]| {
        Command::new(&cargo)
            .args(arguments)
            .arg("--offline")
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .current_dir(&workspace)
            .output()
            .map_err(|e| format!("cargo cannot be started: {e}"))
    };
    run(&["build", "-p", "footpath-jail"])?;
    let mut arguments = ["test", "--no-run", "--lib", "--test", "it"].map(str::to_owned).to_vec();
    for name in crates.iter().chain(&["testkit"]) {
        arguments.extend(["-p".to_owned(), format!("footpath-{name}")]);
    }
    let output = run(&arguments.iter().map(String::as_str).collect::<Vec<&str>>())?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let of_interest = said.lines().skip_while(|line| !line.starts_with("error"));
        return Err(format!(
            "the copy cannot be built:\n{}",
            of_interest.take(40).collect::<Vec<_>>().join("\n")
        ));
    }
    let mut own: Vec<(String, PathBuf)> =
        programs(&said).into_iter().map(|(name, path)| (name, workspace.join(path))).collect();
    let of_testkit = |(name, path): &mut (String, PathBuf)| name == "testkit" && is_it(path);
    let corpus = own.extract_if(.., of_testkit).next();
    match corpus {
        Some((_, corpus))
            if crates.iter().all(|name| own.iter().any(|(of, path)| of == name && is_it(path))) =>
        {
            own.retain(|(name, _)| name != "testkit");
            Ok(Built { workspace, corpus, own })
        }
        _ => Err(format!("cargo does not say where the tests are:\n{said}")),
    }
}

/// Whether a program holds the tests that use a crate from outside.
fn is_it(program: &Path) -> bool {
    program.file_name().is_some_and(|name| name.to_string_lossy().starts_with("it-"))
}

/// The programs that cargo says it has built, each with the crate that it tests. Of each crate that with the tests in its
/// sources comes first, and is named after it: `Executable unittests src/lib.rs (…/deps/footpath_ir-0123)`, and behind it
/// `Executable tests/it/main.rs (…/deps/it-4567)`.
fn programs(said: &str) -> Vec<(String, &str)> {
    let mut found: Vec<(String, &str)> = Vec::new();
    for line in said.lines().filter(|line| line.trim_start().starts_with("Executable")) {
        let Some((_, path)) = line.split_once('(') else { continue };
        let path = path.trim_end_matches(')');
        let program = path.rsplit('/').next().unwrap_or(path);
        let named = program.strip_prefix("footpath_").and_then(|rest| rest.rsplit_once('-'));
        let package = match named {
            Some((name, _)) => name.replace('_', "-"),
            None => found.last().map(|(name, _)| name.clone()).unwrap_or_default(),
        };
        found.push((package, path));
    }
    found
}

fn rust_files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            rust_files(&entry.path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.to_owned());
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn create(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if std::fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    std::fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_belong_to_the_crate_named_before() {
        let said = "   Compiling footpath-ir v0.1.0\n  Executable unittests src/lib.rs (/t/deps/footpath_loop_summaries-01)\n  \
                    Executable tests/it/main.rs (/t/deps/it-23)\n  Executable unittests src/lib.rs (/t/deps/footpath_ir-45)\n";
        let of = |name: &str, path| (name.to_owned(), path);
        assert_eq!(
            programs(said),
            [
                of("loop-summaries", "/t/deps/footpath_loop_summaries-01"),
                of("loop-summaries", "/t/deps/it-23"),
                of("ir", "/t/deps/footpath_ir-45"),
            ]
        );
    }

    #[test]
    fn chosen_places_do_not_meet_and_depend_on_the_seed() {
        let site = |start, end| (PathBuf::from("a.rs"), Site { bytes: start..end, by: None });
        let all = vec![site(0, 9), site(2, 4), site(5, 7), site(10, 12), site(11, 12), site(20, 30)];
        let starts = |seed| -> Vec<(usize, usize)> {
            choose(all.clone(), 3, seed).iter().map(|(_, s)| (s.bytes.start, s.bytes.end)).collect()
        };
        let many: Vec<Vec<(usize, usize)>> = (1..9).map(starts).collect();
        for chosen in &many {
            assert_eq!(chosen.len(), 3);
            assert!(chosen.windows(2).all(|w| w[0].1 <= w[1].0), "{chosen:?}");
        }
        assert!(many.iter().any(|chosen| *chosen != many[0]));
        assert_eq!(starts(5), starts(5));
    }
}
