//! Compares verdicts with known ones, on programs that nobody here wrote: the torture tests of the C compiler.
//!
//! Each of them is a whole program without inputs that calls `abort` if it was compiled wrongly, so the right verdict is that
//! it never does, and every line that its run executes can be reached. They come with the compiler's source package, fetched
//! through the package manager and never committed. What is compared, and how, stands in
//! `crates/testkit/src/native_runs.rs`; the test `crates/testkit/tests/it/native_runs.rs` does it for a few programs of our own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::boogie_suite::fetch_debian_source;
use crate::c_sources::run_quietly;

const USAGE: &str = "\
usage: cargo xtask verdicts [OPTION]…

Asks `footpath test`, of functions and of whole programs, about the torture tests of the C compiler, which never fail, and
counts which verdicts are right, wrong, unknown, and which programs are refused.

  --count N   how many programs (default: 100)
  --first N   which is the first one, by name, from 0 (default: 0)
  --dir DIR   take the programs of this folder instead: whole ones without inputs, which never call `abort`
  --flags F   how to compile them
  --into DIR  where fetched programs go (default: target/verdicts)

Needs gcc with gcov, clang with its sanitizers. Exit code 1 if anything wrong is said; such programs stay in
target/tmp/native_runs, with what is true at the ends of their lines, as files of the corpus have it.
";

/// Fetches, then compares.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    let (mut count, mut first, mut flags) = ("100", "0", "");
    let (mut folder, mut into) = (None, root.join("target/verdicts"));
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        if matches!(arg, "--help" | "-h") {
            print!("{USAGE}");
            return Ok(true);
        }
        let value = args.next().copied().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"));
        match arg {
            "--count" | "--first" => {
                let text = value?;
                text.parse::<u64>().map_err(|_| format!("{arg} wants a number\n\n{USAGE}"))?;
                *(if arg == "--count" { &mut count } else { &mut first }) = text;
            }
            "--flags" => flags = value?,
            "--dir" => folder = Some(PathBuf::from(value?)),
            "--into" => into = value?.into(),
            _ => return Err(format!("unknown option: {arg}\n\n{USAGE}")),
        }
    }
    let folder = match folder {
        Some(folder) => folder,
        None => torture_tests(&into)?,
    };
    compare(root, &folder, first, count, flags)
}

/// Runs the test on the programs of a folder.
pub fn compare(root: &Path, folder: &Path, first: &str, count: &str, flags: &str) -> Outcome {
    let folder = std::fs::canonicalize(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--quiet", "-p", "footpath-testkit", "--test", "it", "native_runs::", "--"])
        .arg("--nocapture")
        .env("FOOTPATH_PROGRAMS", folder)
        .env("FOOTPATH_SEED", first)
        .env("FOOTPATH_CASES", count)
        .env("FOOTPATH_FLAGS", flags)
        .current_dir(root)
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    Ok(status.success())
}

/// The torture tests of the compiler that is installed; where they are.
fn torture_tests(into: &Path) -> Result<PathBuf, String> {
    let folder = into.join("torture");
    if folder.exists() {
        return Ok(folder);
    }
    let version = Command::new("gcc").arg("-dumpversion").output();
    let version = version.map_err(|error| format!("gcc cannot be started: {error}"))?;
    let version = String::from_utf8_lossy(&version.stdout);
    let major = version.trim().split('.').next().unwrap_or_default();
    let temp = into.join("apt");
    let unpacked = into.join("unpacked");
    for made in [&temp, &unpacked] {
        std::fs::create_dir_all(made).map_err(|error| format!("{}: {error}", made.display()))?;
    }
    let archive = fetch_debian_source(&format!("gcc-{major}"), &temp)?;
    // Debian's archive is one of archives.
    let tar = |from: &Path, to: &Path, more: [&str; 3]| {
        run_quietly(Command::new("tar").arg("-C").arg(to).arg("-xf").arg(from).args(more))
    };
    tar(&archive, &temp, ["--wildcards", "*/gcc-*.tar.*", "--strip-components=1"])?;
    let inner = std::fs::read_dir(&temp).map_err(|error| format!("{}: {error}", temp.display()))?;
    let is_inner = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.contains(".tar.") && !name.contains(".orig.") && !name.contains(".debian.")
    };
    let inner = inner.flatten().map(|entry| entry.path()).find(is_inner);
    let inner = inner.ok_or("the compiler's source package has no archive of the compiler")?;
    tar(&inner, &unpacked, ["--wildcards", "*/gcc.c-torture/execute/*.c", "--strip-components=5"])?;
    _ = std::fs::remove_dir_all(&temp);
    std::fs::rename(&unpacked, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}
