//! `footpath test` as its users run it, for tests of it.

#![allow(dead_code, reason = "each user needs a part of it")]

pub mod servers;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test.
pub fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME")).join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

pub fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file can be written");
}

/// Copies a program of the corpus into a folder.
pub fn corpus(folder: &Path, name: &str) {
    let program = footpath_testkit::Language::C.corpus().join(name);
    std::fs::copy(&program, folder.join(name)).unwrap_or_else(|e| panic!("{}: {e}", program.display()));
}

/// A limit of time for a user with an idle machine, made longer by the load of this one.
pub fn seconds(idle: f64) -> String {
    (idle * footpath_testkit::load_per_core()).to_string()
}

/// Runs `footpath test` in a folder, and demands the exit code and that each of `words` is said.
pub fn check(folder: &Path, args: &[&str], code: i32, words: &[&str]) -> Output {
    check_command("test", folder, args, code, words)
}

/// The same for another command.
pub fn check_command(command: &str, folder: &Path, args: &[&str], code: i32, words: &[&str]) -> Output {
    let footpath =
        Command::new(env!("CARGO_BIN_EXE_footpath")).arg(command).args(args).current_dir(folder).output();
    let output = footpath.expect("footpath starts");
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not said: {args:?}\n{said}");
    }
    output
}

/// Builds and runs the tests in `out` as users do; what was said.
pub fn make(folder: &Path) -> String {
    let made = Command::new("make").args(["-C", "out"]).current_dir(folder).output().expect("make starts");
    let said = format!("{}{}", String::from_utf8_lossy(&made.stdout), String::from_utf8_lossy(&made.stderr));
    assert!(made.status.success(), "{said}");
    said
}

/// What a report says of objectives.
pub fn verdicts(output: &Output) -> Vec<String> {
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let functions = report["functions"].as_array().expect("functions").iter();
    let objectives = functions.flat_map(|f| f["objectives"].as_array().expect("objectives").clone());
    objectives.map(|o| format!("{} {}", o["id"], o["verdict"])).collect()
}

/// The objectives of a function of a report.
pub fn objectives<'r>(report: &'r serde_json::Value, name: &str) -> &'r [serde_json::Value] {
    let functions = report["functions"].as_array().expect("functions");
    let function = functions.iter().find(|f| f["name"] == name).expect("the function");
    function["objectives"].as_array().expect("objectives")
}
