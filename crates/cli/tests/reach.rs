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

fn verdicts(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {output:?}"));
    let targets = report["targets"].as_array().expect("targets");
    targets.iter().map(|t| t["verdict"].as_str().expect("a verdict").to_owned()).collect()
}

const ERRORS: &str = "extern void __VERIFIER_error(void) __attribute__((__noreturn__));
extern int __VERIFIER_nondet_int(void);
extern void report(int);
static int state = 3;
int table[4] = { 2, 4, 6 };
void check(int holds) { if (!holds) { __VERIFIER_error(); } }
int main(void) {
  int unset[2];
  while (__VERIFIER_nondet_int()) {
    if (state == 3)
      state = 5;
    else if (state == 4)
      __VERIFIER_error();
  }
  check(table[2] == 6 && table[3] == 0);
  if (unset[1] == 77)
    report(unset[1]);
  if (state == 5)
    report(state);
  return 0;
}
";

#[test]
fn a_function_without_a_body_stands_for_its_calls() {
    let args = ["--function", "main", "--format", "json"];
    let errors = reach("errors", "a.c", ERRORS, &[&args[..], &["--target", "__VERIFIER_error"]].concat());
    // Variables have their initial values where the program starts.
    assert_eq!(verdicts(&errors), ["unreachable", "unreachable"]);
    let reports = reach("reports", "a.i", ERRORS, &[&args[..], &["--target", "report"]].concat());
    // What nobody has written is not known, so nothing is claimed of the first.
    assert_eq!(verdicts(&reports)[1], "reached");
    assert_ne!(verdicts(&reports)[0], "unreachable");
}

#[test]
fn a_state_machine_is_explored_where_its_loop_has_too_many_ways_round() {
    let steps: String = (0..30)
        .map(|i| format!("    if (s == {i} && in == {}) {{ s = {}; }} else\n", (i * 7) % 30, i + 1))
        .collect();
    let text = format!(
        "int input(void);\nint main(void) {{\n  int s = 0;\n  while (1) {{\n    int in = input();\n{steps}    \
         if (s == 30) {{ goto end; }}\n  }}\nend: return 1;\n}}\n"
    );
    let output =
        reach("machine", "a.c", &text, &["--function", "main", "--target", "a.c:38", "--format", "json"]);
    assert_eq!(verdicts(&output), ["reached"]);
}

const NARROW: &str = "extern void *calloc(unsigned, unsigned);
extern int __VERIFIER_nondet_int(void);
extern void report(int);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5)
    return 0;
  int *a = calloc(n, 4);
  if (a && a[n - 1] != 0)
    report(1);
  if (!a)
    report(2);
  return 0;
}
";

#[test]
fn sizes_may_be_declared_narrower_than_they_are() {
    let output =
        reach("narrow", "a.c", NARROW, &["--function", "main", "--target", "report", "--format", "json"]);
    assert_eq!(verdicts(&output), ["unreachable", "reached"]);
}

const ALL_RUNS: &str = "extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
static int steps;
int hanoi(int n) { steps++; return n == 1 ? 1 : 2 * hanoi(n - 1) + 1; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 9)
    return 0;
  if (hanoi(n) < n || steps != n)
    __VERIFIER_error();
  return 0;
}
";

#[test]
fn a_program_all_runs_of_which_are_made_needs_no_summary() {
    let args = ["--function", "main", "--target", "__VERIFIER_error", "--format", "json"];
    assert_eq!(verdicts(&reach("all_runs", "a.c", ALL_RUNS, &args)), ["unreachable"]);
    let text = ALL_RUNS.replace("steps != n", "n == 9");
    assert_eq!(verdicts(&reach("one_run", "a.c", &text, &args)), ["reached"]);
}
