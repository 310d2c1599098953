//! The book and the README: what they show is what happens. `BOOK=part-of-a-name` selects pages.

use std::collections::BTreeSet;
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

#[test]
fn the_outlines_of_json_name_every_field_and_no_other() {
    let page = std::fs::read_to_string(root().join("docs/book/json.md")).expect("there is a page");
    let mut fields = BTreeSet::new();
    for schema in std::fs::read_dir(root().join("schema")).expect("there are schemas") {
        let text =
            std::fs::read_to_string(schema.expect("they can be listed").path()).expect("they can be read");
        collect_fields(&serde_json::from_str(&text).expect("they are JSON"), &mut fields);
    }
    let named: BTreeSet<&str> = field_names(&page).collect();
    let missing: Vec<&String> = fields.iter().filter(|f| !named.contains(f.as_str())).collect();
    assert!(missing.is_empty(), "the page does not name {missing:?}");
    let outlines = page.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    let unknown: Vec<&str> = outlines.flat_map(field_names).filter(|f| !fields.contains(*f)).collect();
    assert!(unknown.is_empty(), "no schema has {unknown:?}");
}

/// All words of a text that may be names of fields.
fn field_names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_lowercase() && c != '_').filter(|word| !word.is_empty())
}

/// The names of all fields that a schema describes.
fn collect_fields(schema: &serde_json::Value, fields: &mut BTreeSet<String>) {
    if let Some(properties) = schema.get("properties").and_then(serde_json::Value::as_object) {
        fields.extend(properties.keys().cloned());
    }
    let inner: Vec<&serde_json::Value> = match schema {
        serde_json::Value::Array(items) => items.iter().collect(),
        serde_json::Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    for part in inner {
        collect_fields(part, fields);
    }
}
