//! The examples, against the truth that is written in them. `CORPUS=part-of-a-path` selects some.

use std::path::{Path, PathBuf};

use footpath_testkit::{check_c_truth, for_each};

#[test]
fn the_examples_are_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c");
    let filter = std::env::var("CORPUS").unwrap_or_default();
    let entries = std::fs::read_dir(&folder).expect("there are examples");
    let mut programs: Vec<PathBuf> = entries.filter_map(Result::ok).map(|e| e.path()).collect();
    programs.retain(|p| p.extension().is_some_and(|e| e == "c") && p.to_string_lossy().contains(&filter));
    programs.sort();
    for_each(&programs, |path| {
        let name = path.file_stem().unwrap_or_default();
        check_c_truth(path, &Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples").join(name))
    });
}
