//! Tests that are files.
//!
//! A test is one program of `tests/corpus/bpl`, with what is expected of it written into it as comments:
//!
//! * At its end, commands with the output they print (`filetest.rs`). `BLESS=1` rewrites the output:
//!
//!   ```text
//!   //@ run: cover --unwind 3
//!   //@ exit: 0
//!   //| Abs  3 covered; 2 tests
//!   ```
//!
//! * At the end of any line, the truth about that line (`truth.rs`), which no algorithm may contradict:
//!
//!   | comment | meaning |
//!   |---|---|
//!   | `//@ covered` | some execution runs through the statement of this line and returns |
//!   | `//@ doomed` | executions reach it, all of them fail or block |
//!   | `//@ unreachable` | no execution reaches it |
//!   | `//@ fails` | the assertion of this line can be violated; likewise a call's precondition |
//!   | `//@ holds` | it cannot |
//!   | `//@ taken` | some execution takes the branch of this line that has no statement of its own, and returns |
//!   | `//@ untaken` | none does |
//!
//!   A number behind it says how many rounds of each loop the truth takes to show: below that, nothing within the
//!   bound is a good answer. A question mark says that not even the default algorithm need find out.
//!
//! C programs have the same truths for the main job (`c_truth.rs`).
//!
//! **Invariant:** tests look at the program as users do, and at the engine's plain data; never at its insides.

mod c_truth;
mod filetest;
mod truth;

use std::path::{Path, PathBuf};

pub use c_truth::check_c_truth;
pub use filetest::{FileTest, check_file};
pub use truth::{Claim, Truth, check_truth, truths};

/// The folder of the corpus.
pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/bpl")
}

/// All programs of the corpus, or those whose path contains the value of the variable `CORPUS`.
pub fn programs() -> Vec<PathBuf> {
    let filter = std::env::var("CORPUS").unwrap_or_default();
    let mut found = Vec::new();
    collect(&corpus(), &mut found);
    found.retain(|p| p.to_string_lossy().contains(&filter));
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(Result::ok).map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "bpl") {
            found.push(path);
        }
    }
}

/// Checks each program of the corpus on all cores, and panics with all complaints together.
pub fn for_each_program(check: impl Fn(&Path) -> Result<(), String> + Sync) {
    for_each(&programs(), check);
}

/// Checks each of these programs on all cores, and panics with all complaints together.
pub fn for_each(programs: &[PathBuf], check: impl Fn(&Path) -> Result<(), String> + Sync) {
    assert!(!programs.is_empty(), "the corpus is empty, or CORPUS fits no path");
    let complaint = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        check(path).err().map(|complaint| format!("{name}:\n{complaint}"))
    };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let all = footpath_parallel::in_parallel(
        programs,
        jobs,
        &std::sync::atomic::AtomicBool::new(false),
        &complaint,
    );
    let complaints: Vec<String> = all.into_iter().flatten().flatten().collect();
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), programs.len(), complaints.join("\n"));
}
