//! Flags of a project, from `footpath.toml`. They need a clang.

use std::process::Command;

use super::testing::{check, folder, write};

#[test]
fn flags_come_from_the_nearest_file_and_paths_are_relative_to_it() {
    let folder = folder("config");
    let inner = folder.join("lib/src");
    std::fs::create_dir_all(&inner).expect("a folder can be made");
    write(&folder, "lib/one.c", "int one(int n) { return n > 3; }\nint two(int n) { return n > 4; }\n");
    write(&folder, "lib/footpath.toml", "[test]\nfunction = 'two'\noutput = 'made'\nemit = ['c', 'json']\n");
    check(&inner, &["../one.c"], 0, &["two  "]);
    assert!(folder.join("lib/made/report.json").is_file() && !inner.join("made").exists());
    let report = std::fs::read_to_string(folder.join("lib/made/report.json")).expect("a report");
    assert!(report.contains("--function=two"), "the command line of the report is the whole one");
    // What is typed wins, and the file can be left out.
    check(&inner, &["../one.c", "--function", "one", "-o", "typed"], 0, &["one  "]);
    assert!(inner.join("typed/report.json").is_file());
    check(&inner, &["../one.c", "--no-config", "-o", "plain"], 0, &["one  ", "two  "]);
    assert!(!inner.join("plain/report.json").exists());
    write(&folder, "lib/footpath.toml", "[test]\n\nfunctoin = 'two'\n");
    let words = ["lib/footpath.toml:3:1: `functoin` is no flag of `footpath test`; there is function"];
    check(&inner, &["../one.c"], 2, &words);
    write(&folder, "lib/footpath.toml", "[test]\nfunction = \n");
    check(&inner, &["../one.c"], 2, &["lib/footpath.toml:2:12: "]);
    // A mistake in the file does not keep anybody from reading what flags there are.
    let help =
        Command::new(env!("CARGO_BIN_EXE_footpath")).args(["test", "--help"]).current_dir(&inner).output();
    assert!(help.expect("footpath starts").status.success());
}

#[test]
fn init_writes_a_file_that_changes_nothing_and_never_replaces_one() {
    let folder = folder("init");
    let init = || Command::new(env!("CARGO_BIN_EXE_footpath")).arg("init").current_dir(&folder).output();
    assert!(init().expect("footpath starts").status.success());
    write(&folder, "one.c", "int one(int n) { return n > 3; }\n");
    check(&folder, &["one.c"], 0, &["one  "]);
    write(&folder, "footpath.toml", "[test]\n");
    let again = init().expect("footpath starts");
    assert_eq!(again.status.code(), Some(2));
    let text = std::fs::read_to_string(folder.join("footpath.toml")).expect("the file");
    assert_eq!(text, "[test]\n");
}
