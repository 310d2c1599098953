//! Paths that the documentation names must exist.

use super::{File, Finding};
use std::collections::BTreeSet;

/// The first components of what is taken for a path of this repository.
///
/// A fixed list, not the folders that exist: else removing a folder would silence the rule about it.
const TOP: &[&str] = &["crates", "tests", "docs", "xtask", "scripts", ".ci", ".cargo"];

/// Every path in backticks in the documentation exists.
pub fn named_paths_exist(files: &[File]) -> Vec<Finding> {
    let existing: BTreeSet<&str> = files.iter().flat_map(|file| with_parents(&file.path)).collect();
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| is_documentation(file)) {
        for (line, span) in code_spans(file) {
            for path in expand_braces(span).iter().filter_map(|path| repository_path(path)) {
                if !existing.contains(path) {
                    findings.push(file.finding(line, format!("names `{path}`, which does not exist")));
                }
            }
        }
    }
    findings
}

fn is_documentation(file: &File) -> bool {
    file.has_extension("md") && (file.is_in("docs") || !file.path.contains('/'))
}

/// The path itself and every folder above it.
fn with_parents(path: &str) -> impl Iterator<Item = &str> {
    let folders = path.match_indices('/').map(|(index, _)| &path[..index]);
    folders.chain([path])
}

/// What stands between backticks, outside fenced blocks, with its line.
fn code_spans(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    let prose = file.lines().filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    });
    prose.flat_map(|(number, line)| line.split('`').skip(1).step_by(2).map(move |span| (number, span)))
}

/// The path a span names, if it looks like one of this repository.
fn repository_path(span: &str) -> Option<&str> {
    let path = span.strip_prefix("./").unwrap_or(span);
    // A place may follow: `crates/ir/src/lib.rs:12`.
    let path = path.split(':').next().unwrap_or(path).trim_end_matches('/');
    let is_pattern = path.contains(|c: char| c.is_whitespace() || "*<>$…?=".contains(c));
    let top = path.split('/').next()?;
    let is_ours = if path.contains('/') { TOP.contains(&top) } else { is_document_name(path) };
    (is_ours && !is_pattern).then_some(path)
}

/// Documents at the root are named without a folder: `ARCHITECTURE.md`.
fn is_document_name(name: &str) -> bool {
    name.strip_suffix(".md")
        .is_some_and(|stem| stem.len() > 1 && stem.chars().all(|c| c.is_ascii_uppercase()))
}

/// `a/{b,c}` as `a/b` and `a/c`.
fn expand_braces(span: &str) -> Vec<String> {
    let parts = span.split_once('{').and_then(|(head, rest)| {
        let (choices, tail) = rest.split_once('}')?;
        Some((head, choices, tail))
    });
    match parts {
        None => vec![span.to_owned()],
        Some((head, choices, tail)) => choices
            .split(',')
            .flat_map(|choice| expand_braces(&format!("{head}{}{tail}", choice.trim())))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{file, findings};
    use super::*;

    /// What is said about a README with the text, in a repository with a few files.
    fn check(text: &str) -> Vec<String> {
        let files = [file("README.md", text), file("crates/ir/src/lib.rs", ""), file("docs/book/a.md", "")];
        findings(named_paths_exist, &files)
    }

    #[test]
    fn files_and_folders_that_exist_pass() {
        assert!(
            check(
                "`crates/ir/src/lib.rs`, `crates/ir/`, `./docs/book`, `crates/ir/src/lib.rs:12`, `README.md`"
            )
            .is_empty()
        );
    }

    #[test]
    fn what_does_not_exist_is_named_with_its_line() {
        let found = check("fine\nsee `crates/gone` and `HISTORY.md`\n");
        let message = |path| format!("README.md:2: names `{path}`, which does not exist");
        assert_eq!(found, [message("crates/gone"), message("HISTORY.md")]);
    }

    #[test]
    fn braces_stand_for_each_choice() {
        assert_eq!(
            check("`crates/{ir,gone}/src`"),
            ["README.md:1: names `crates/gone/src`, which does not exist"]
        );
    }

    #[test]
    fn other_spans_patterns_and_fenced_blocks_are_left_alone() {
        assert!(
            check("`a/b`, `x`, `cargo run`, `crates/*/src`, `crates/<name>`\n```\n`crates/gone`\n```\n")
                .is_empty()
        );
    }

    #[test]
    fn only_documentation_is_read() {
        let note = file("crates/ir/notes.md", "`crates/gone`");
        assert!(findings(named_paths_exist, &[note]).is_empty());
        let page = file("docs/book/a.md", "`crates/gone`");
        assert_eq!(findings(named_paths_exist, &[page]).len(), 1);
    }
}
