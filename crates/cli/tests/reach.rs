//! `footpath reach`, from the command line to the report.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// Asks about a place of a file that is written first.
fn reach(test: &str, name: &str, text: &str, args: &[&str]) -> Output {
    let folder = folder(test);
    std::fs::write(folder.join(name), text).expect("a file can be written");
    let footpath = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .current_dir(&folder)
        .args(["reach", name, "--timeout", "60"])
        .args(args)
        .output();
    footpath.expect("footpath starts")
}

fn verdict(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {output:?}"));
    report["targets"][0]["verdict"].as_str().expect("a verdict").to_owned()
}

const LOOP: &str = "procedure main(n: int) {
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 4;
  }
  if (i == 15) {
    odd: assert true;
  }
  if (i == 400000) {
    far: assert true;
  }
}
";

#[test]
fn a_place_is_named_by_label_or_line() {
    let odd = reach("odd", "a.bpl", LOOP, &["--target", "odd", "--format", "json"]);
    assert_eq!(verdict(&odd), "unreachable");
    let line = reach("line", "a.bpl", LOOP, &["--target", "a.bpl:8", "--format", "json"]);
    assert_eq!(verdict(&line), "unreachable");
    let far = reach("far", "a.bpl", LOOP, &["--target", "far", "--format", "json"]);
    assert_eq!(verdict(&far), "reached");
}

#[test]
fn what_is_not_there_is_an_input_error() {
    for place in ["nowhere", "a.bpl:200", "b.bpl:1"] {
        let output = reach("nowhere", "a.bpl", LOOP, &["--target", place]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn denied_verdicts_exit_with_1() {
    let output = reach("denied", "a.bpl", LOOP, &["--target", "odd", "--deny", "unreachable"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

const C: &str = "int one(int n) {
  int i = 0;
  while (i < n)
    i += 4;
  if (i == 15)
    return 1;
  if (i == 20)
    return 2;
  return 0;
}
int find(const char *s) {
  int i;
  for (i = 0; s[i] != 0; i++)
    if (s[i] == 'H' && s[i + 1] == 'i')
      return i;
  return -1;
}
";

#[test]
fn places_in_c_are_refuted_for_all_rounds_and_reached_by_compiled_tests() {
    let odd = reach("c_odd", "a.c", C, &["--target", "a.c:6", "--format", "json"]);
    assert_eq!(verdict(&odd), "unreachable");
    let even = reach("c_even", "a.c", C, &["--target", "a.c:8", "--format", "json"]);
    assert_eq!(verdict(&even), "reached");
    let found = reach("c_found", "a.c", C, &["--target", "a.c:15", "--format", "json"]);
    assert_eq!(verdict(&found), "reached");
}
