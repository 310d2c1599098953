//! Tests that are files.
//!
//! A test is one program of `tests/corpus`, in C or Boogie, with what is expected of it written into it as comments:
//!
//! * At the end of any line, the truth about that line (`truth.rs`), which no engine may contradict (`engines.rs`,
//!   `boogie.rs`):
//!
//!   | comment | meaning |
//!   |---|---|
//!   | `//@ covered` | some execution runs through the code of this line (in Boogie: and returns) |
//!   | `//@ doomed` | executions reach it, all of them fail or block (Boogie) |
//!   | `//@ unreachable` | no execution reaches it |
//!   | `//@ taken` | some execution takes the branch of this line, which has no statement (a missing `else`) |
//!   | `//@ untaken` | no execution takes it |
//!   | `//@ fails KIND` | the check of this kind on this line can fail; in Boogie no kind need be named |
//!   | `//@ holds KIND` | it cannot |
//!   | `//@ may run` | compiled programs may get there, so nobody may exclude it, but nobody need find how |
//!   | `//@ may fail KIND` | the same of a check |
//!
//!   Several are separated by commas. A number behind one says how many iterations of each loop the truth takes to show: below
//!   that, nothing within the bound is a good answer. A question mark behind the first word says that not even the default
//!   engine need find out.
//!
//! * On a line of its own, `//@ ask: COMMAND`, where the truth is about other flags than those by default (`engines.rs`).
//!
//! * At its end, commands with the output they print (`filetest.rs`). `BLESS=1` rewrites the output:
//!
//!   ```text
//!   //@ run: cover --unwind 3
//!   //@ exit: 0
//!   //| Abs  3 covered; 2 tests
//!   ```
//!
//! What is read from files is fuzzed (`fuzzing.rs`).
//!
//! The pages of the book are tests as well: their commands are run (`book.rs`).
//!
//! **Invariant:** tests look at the program as users do, and at the engine's plain data; never at its insides.

pub mod agreement;
mod answers;
mod boogie;
mod book;
mod conditions;
mod engines;
mod filetest;
pub mod fuzzing;
mod job_slots;
mod native_runs;
mod preconditions;
mod random_c;
mod shares;
mod truth;

use std::path::{Path, PathBuf};

pub use boogie::check_boogie;
pub use book::{check_flags, check_page};
pub use engines::{Engine, check_engine};
pub use filetest::{FileTest, check_file};
pub use job_slots::load_per_core;
pub use native_runs::{Fared, Found, check_native_run};
pub use random_c::{Compared, check_random_c};
pub use shares::share;
pub use truth::{Answer, Claim, Judgement, Truth, truths};

/// The languages of the corpora.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// `tests/corpus/bpl`.
    Boogie,
    /// `tests/corpus/c`.
    C,
}

impl Language {
    /// The folder of its programs, and how their names end.
    pub fn corpus(self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(self.extension())
    }

    fn extension(self) -> &'static str {
        match self {
            Language::Boogie => "bpl",
            Language::C => "c",
        }
    }

    /// All programs of its corpus.
    pub fn programs(self) -> Vec<PathBuf> {
        self.programs_of(&self.corpus())
    }

    /// All its programs below a folder, or those whose path contains the value of the variable `CORPUS`.
    pub fn programs_of(self, folder: &Path) -> Vec<PathBuf> {
        let filter = std::env::var("CORPUS").unwrap_or_default();
        let mut found = Vec::new();
        self.collect(folder, &mut found);
        found.retain(|p| p.to_string_lossy().contains(&filter));
        found.sort();
        found
    }

    fn collect(self, folder: &Path, found: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for path in entries.filter_map(Result::ok).map(|e| e.path()) {
            if path.is_dir() {
                self.collect(&path, found);
            } else if path.extension().is_some_and(|e| e == self.extension()) {
                found.push(path);
            }
        }
    }
}

/// Checks each of these programs, as many at a time as there are cores for, and panics with all complaints together. Programs
/// that `CORPUS` leaves out are none.
pub fn for_each(programs: &[PathBuf], check: impl Fn(&Path) -> Result<(), String> + Sync) {
    let is_selected = std::env::var_os("CORPUS").is_some();
    assert!(is_selected || !programs.is_empty(), "the corpus is empty");
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let complaint = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let checked = job_slots::in_slot(&test, &name, || check(path));
        checked.err().map(|complaint| format!("{name}:\n{complaint}"))
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
