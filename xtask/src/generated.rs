//! Files of the repository that are made from code, so that they cannot contradict it.
//!
//! They are committed, as readers of the repository want them without building anything, and packages install completions and
//! manual pages as they are; `gen --check` is what keeps them true.

mod shell;

use crate::Outcome;
use std::path::Path;

/// A file and what it has to say.
struct Generated {
    /// Relative to the root.
    path: String,
    text: String,
}

impl Generated {
    fn new(path: &str, text: String) -> Generated {
        Generated { path: path.to_owned(), text }
    }
}

/// Every generated file.
fn all() -> Vec<Generated> {
    let mut all = vec![
        Generated::new("docs/book/flags.md", footpath_cli::flags_page()),
        Generated::new("docs/book/reasons.md", footpath_verdict::page()),
        Generated::new("schema/cover.schema.json", footpath_report::json::schema()),
        Generated::new("schema/failures.schema.json", footpath_report::failures::json::schema()),
        Generated::new("schema/functions.schema.json", footpath_report::suite::functions::schema()),
        Generated::new("schema/reach.schema.json", footpath_report::reach::schema()),
        Generated::new("schema/test.schema.json", footpath_report::suite::json::schema()),
        Generated::new("schema/verify.schema.json", footpath_report::verification::schema()),
    ];
    all.extend(shell::completions());
    all.extend(shell::manual_pages());
    all
}

/// Writes the generated files; with `check`, only says which are out of date.
pub fn run(root: &Path, check: bool) -> Outcome {
    let all = all();
    let stale = stale(root, &all);
    for file in &stale {
        if check {
            println!("{}: out of date, run `cargo xtask gen`", file.path);
        } else {
            write(root, file)?;
            println!("{}: written", file.path);
        }
    }
    println!("gen: {} generated files, {} out of date", all.len(), stale.len());
    Ok(!check || stale.is_empty())
}

/// The files whose content is not what their generator makes now.
fn stale<'a>(root: &Path, all: &'a [Generated]) -> Vec<&'a Generated> {
    let is_current = |file: &Generated| {
        std::fs::read_to_string(root.join(&file.path)).is_ok_and(|found| found == file.text)
    };
    all.iter().filter(|file| !is_current(file)).collect()
}

fn write(root: &Path, file: &Generated) -> Result<(), String> {
    let path = root.join(&file.path);
    let folder = path.parent().expect("a file lies in a folder");
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, &file.text))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_stale_until_written_and_again_once_changed() {
        let root = std::env::temp_dir().join(format!("footpath-gen-{}", std::process::id()));
        let all = [Generated::new("docs/a.md", "made\n".to_owned())];
        assert_eq!(stale(&root, &all).len(), 1, "missing");
        write(&root, &all[0]).unwrap();
        assert!(stale(&root, &all).is_empty(), "written");
        std::fs::write(root.join("docs/a.md"), "edited\n").unwrap();
        assert_eq!(stale(&root, &all).len(), 1, "edited by hand");
        std::fs::remove_dir_all(root).unwrap();
    }
}
