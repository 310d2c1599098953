//! Whole C programs do in the program form what they do natively: `tests/run/*.c`, and small random programs.
//!
//! Each program's `main` computes a number. It is compiled and run natively, and lowered and run by the reference
//! interpreter: the numbers must be the same, no check may fail, and no function may be left out.
//! `FOOTPATH_RANDOM_PROGRAMS` says how many random programs there are, `FOOTPATH_SEED` with which seed they begin.
//!
//! Needs `clang`, as everything about C does.

use super::random_c;
use super::run_c;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::run_c::End;

/// Evaluation recurses on deep terms.
const STACK: usize = 64 << 20;

/// A directory that is removed in the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn scratch(name: &str) -> Scratch {
    let path = std::env::temp_dir().join(format!("footpath-run-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a temporary directory");
    Scratch(path)
}

/// The number that a program's `main` gives natively, modulo 256; `None` if it does not end with one.
fn native(file: &Path, folder: &Path, flags: &[&str]) -> Option<i32> {
    let program = folder.join("native");
    let compiled =
        Command::new("clang").args(["-O0", "-w"]).args(flags).arg(file).arg("-o").arg(&program).output();
    let compiled = compiled.expect("clang runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    Command::new(&program).output().expect("the program can be run").status.code()
}

/// What is wrong with a program in the program form, if anything is.
fn difference(file: &Path, folder: &Path, flags: &[&str], expected: i32) -> Option<String> {
    let flags: Vec<String> = flags.iter().map(|&f| f.to_owned()).collect();
    let ready = match run_c::lower("clang", file, &flags, folder, Some("main")) {
        Ok(ready) => ready,
        Err(why) => return Some(why),
    };
    if let Some(f) = ready.lowered.functions.iter().find(|f| f.degraded.is_some()) {
        return Some(format!("{} is left out: {}", f.name, f.degraded.as_deref().unwrap_or_default()));
    }
    match run_c::run_whole(&ready, "main", 2_000_000) {
        Err(why) => Some(why),
        Ok((_, checks)) if !checks.is_empty() => Some(format!("checks fail: {checks:?}")),
        Ok((End::Returned(Some(n)), _)) if n & 255 == expected as u64 => None,
        Ok((end, _)) => Some(format!("native {expected}, here {end:?}")),
    }
}

fn on_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread can be started");
    if let Err(panicked) = thread.join() {
        std::panic::resume_unwind(panicked);
    }
}

#[test]
fn programs_do_what_they_do_natively() {
    on_large_stack(|| {
        let scratch = scratch("files");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run");
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).expect("the folder") {
            let file = entry.expect("an entry").path();
            // Optimised text has other instructions: selects, vectors, intrinsics.
            for flags in [&[][..], &["-O2"]] {
                let expected = native(&file, &scratch.0, &[]).expect("the program ends");
                let difference = difference(&file, &scratch.0, flags, expected);
                found.extend(difference.map(|d| format!("{} {flags:?}: {d}", file.display())));
            }
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    });
}

#[test]
fn random_programs_do_what_they_do_natively() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (count, seed) = (number("FOOTPATH_RANDOM_PROGRAMS", 8), number("FOOTPATH_SEED", 1));
    on_large_stack(move || {
        let scratch = scratch("random");
        for seed in seed..seed + count {
            let text = random_c::program(seed);
            let file = scratch.0.join("program.c");
            std::fs::write(&file, &text).expect("a file in the temporary directory");
            // Programs are written so that nothing in them is undefined; the compiler is asked whether that is so.
            let strict = ["-fsanitize=undefined", "-fsanitize-trap=all"];
            let expected = native(&file, &scratch.0, &strict);
            let expected = expected.unwrap_or_else(|| panic!("seed {seed} is undefined\n{text}"));
            if let Some(difference) = difference(&file, &scratch.0, &[], expected) {
                panic!("seed {seed}: {difference}\n{text}");
            }
        }
    });
}
