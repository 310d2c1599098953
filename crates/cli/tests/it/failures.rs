//! `footpath failures` as its users run it.

use std::path::Path;
use std::process::{Command, Output};

use super::testing::{corpus, folder};

const LOOP: &str = "procedure f(i: int, j: int)
{
  var k: int;
  k := 0;
  while (k < i) {
    if (i == j) { assert false; }
    k := k + 1;
  }
}
";

fn run(name: &str, text: &str, flags: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("failures-{name}"));
    std::fs::create_dir_all(folder.parent().expect("a parent")).expect("a folder");
    std::fs::write(&folder, text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_footpath"));
    command.arg("failures").arg(folder).args(flags).output().expect("it runs")
}

/// The functions of a JSON report.
fn functions(output: &Output) -> Vec<serde_json::Value> {
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["schema"], "footpath-failures-1");
    report["functions"].as_array().expect("a list").clone()
}

#[test]
fn the_condition_of_a_procedure_comes_with_tests_on_either_side() {
    let output = run("loop.bpl", LOOP, &["--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let found = functions(&output);
    assert_eq!(found[0]["constraint"], "i >= 1 && i == j");
    assert_eq!(found[0]["exactness"], "exact");
    assert!(found[0]["paths"].as_u64() > Some(0), "{}", found[0]["paths"]);
    let fails: Vec<bool> =
        found[0]["tests"].as_array().expect("tests").iter().filter_map(|t| t["fails"].as_bool()).collect();
    assert_eq!(fails, [true, false]);
}

#[test]
fn a_name_that_is_not_there_is_bad_input() {
    let output = run("other.bpl", LOOP, &["--procedure", "g"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is f"));
}

#[test]
fn tests_of_c_do_the_same_when_they_are_compiled_and_run() {
    let folder = folder("native");
    corpus(&folder, "conditions_on_members.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_footpath"));
    command.current_dir(&folder).args([
        "failures",
        "conditions_on_members.c",
        "--format",
        "json",
        "-o",
        "kept",
    ]);
    let output = command.output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found = functions(&output);
    let mut failing = 0;
    for function in &found {
        for test in function["tests"].as_array().expect("tests") {
            assert_eq!(test["confirmed"], true, "{}: {test}", function["name"]);
            failing += usize::from(test["fails"] == true);
        }
        let file = function["file"].as_str().expect("a file");
        assert!(folder.join(file).is_file(), "{file}");
    }
    assert!(failing >= found.len(), "every function has failing inputs: {found:?}");
}

#[test]
fn a_test_run_says_when_functions_fail() {
    let folder = folder("fails-when");
    corpus(&folder, "conditions_on_members.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_footpath"));
    command.current_dir(&folder).args([
        "test",
        "conditions_on_members.c",
        "-o",
        "out",
        "--fails-when",
        "--format",
        "json",
        "--emit",
        "c,html",
    ]);
    let output = command.output().expect("it runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = |name: &str| {
        let functions = report["functions"].as_array().expect("a list");
        functions.iter().find(|f| f["name"] == name).expect("the function")["fails_when"].clone()
    };
    assert_eq!(found("ratio")["constraint"], "b == 0");
    assert_eq!(found("ratio")["exactness"], "exact");
    assert_eq!(found("ratio")["precondition"], "b != 0");
    let page = std::fs::read_to_string(folder.join("out/report.html")).expect("a page");
    assert!(page.contains("fails when b == 0"), "the page says when it fails");
}
