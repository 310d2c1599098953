//! The book and the README: what they show is what happens. `BOOK=part-of-a-name` selects pages.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use footpath_testkit::{check_flags, check_page};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README and all pages, or those whose path contains the value of the variable `BOOK`.
fn pages() -> Vec<PathBuf> {
    let filter = std::env::var("BOOK").unwrap_or_default();
    let book = std::fs::read_dir(root().join("docs/book")).expect("there is a book");
    let mut pages: Vec<PathBuf> = book.map(|entry| entry.expect("its pages can be listed").path()).collect();
    pages.push(root().join("README.md"));
    pages.retain(|page| {
        page.extension().is_some_and(|e| e == "md") && page.to_string_lossy().contains(&filter)
    });
    pages.sort();
    assert!(!pages.is_empty(), "BOOK fits no page");
    pages
}

/// Checks all pages, some at a time, and panics with all complaints together.
fn for_each_page(jobs: usize, check: impl Fn(usize, &Path) -> Result<(), String> + Sync) {
    let pages: Vec<(usize, PathBuf)> = pages().into_iter().enumerate().collect();
    let complaint = |(number, page): &(usize, PathBuf)| {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        check(*number, page).err().map(|complaint| format!("{name}:\n{complaint}"))
    };
    let all = footpath_parallel::in_parallel(&pages, jobs, &AtomicBool::new(false), &complaint);
    let complaints: Vec<String> = all.into_iter().flatten().flatten().collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_command_of_the_book_prints_what_the_book_says() {
    let program = Path::new(env!("CARGO_BIN_EXE_footpath"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    for_each_page(2, |number, page| {
        check_page(page, program, &root().join("examples"), &folder.join(number.to_string()))
    });
}

#[test]
fn every_flag_that_the_book_names_exists() {
    let flags = footpath_cli::flags_page();
    for_each_page(1, |_, page| check_flags(page, &flags));
}
