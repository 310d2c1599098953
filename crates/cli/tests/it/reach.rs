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

/// Functions that return 1 where a text has a certain character that lies beyond those of tests: nobody finds a run, and
/// nobody proves that there is none.
const WORDS: &str = "struct queue { short size; int cost[2]; struct queue *next; };
int count(const char *s, int n) {
    int h = 0;
    for (int i = 0; i < n; i++)
        if (s[i] == 'H')
            h++;
    if (h > 33 && n < 60)
        return 1;
    return 0;
}
int linear(const char *s, int n, int m) {
    int x = 0, y = m;
    while (x < n) { x += 3; y -= 1; }
    if (y == 7 && x > 5 && s[40] == 'H')
        return 1;
    return 0;
}
int queue(const char *s, struct queue *p, unsigned k) {
    int i, t = 0;
    if (!p || p->next == p)
        return 0;
    for (i = 0; i < p->size; i++)
        t += p->cost[1];
    if (t > 10 && k == i + 1u && s[40] == 'H' && (!p->next || p->next->cost[0] == t))
        return 1;
    return 0;
}
int shorts(const char *s, const short *w, unsigned char k) {
    unsigned i = 0, t = 5;
    while (w[i] > 0) { i++; t += k; }
    if (t > 9 && w[i] == -1 && s[40] == 'H')
        return 1;
    return 0;
}
";

/// Calls the functions with many inputs; `CONDITION_…` says whether there are rounds for which the condition of one holds.
const CALLS: &str = "#include <stdio.h>
#include <stdlib.h>
#include \"words.c\"
#define EVERY(v, range, body) ({ int ok = 1; for (long v = 0; range; v++) if (!(body)) { ok = 0; break; } ok; })
#define SOME(v, range, body) ({ int ok = 0; for (long v = 0; range; v++) if (body) { ok = 1; break; } ok; })
static int reached, wrong;
static char s[64];
static short w[64];
static void judge(const char *name, int result, int holds) {
    if (result != 1) return;
    reached++;
    if (!holds) { wrong++; printf(\"%s\\n\", name); }
}
int main(void) {
    for (int k = 0; k < 3000; k++) {
        for (int i = 0; i < 64; i++) { s[i] = rand() % 8 ? 'H' : 'a'; w[i] = rand() % 9; }
        w[63] = -1; if (k % 3) w[rand() % 64] = -1;
        struct queue next = { 1, { rand() % 40, 2 }, 0 }, q = { rand() % 7, { 1, rand() % 6 }, rand() % 2 ? &next : 0 };
        int n = rand() % 60, m = rand() % 30;
        unsigned u = rand() % 8;
        judge(\"count\", count(s, n), count_holds(s, n));
        judge(\"linear\", linear(s, n, m), linear_holds(s, n, m));
        judge(\"queue\", queue(s, &q, u), queue_holds(s, &q, u));
        judge(\"shorts\", shorts(s, w, u), shorts_holds(s, w, u));
    }
    printf(\"%d %d\\n\", reached, wrong);
}
";

/// A condition in words with its quantifiers as macros of C: `(for every before < rounds: body)` becomes
/// `EVERY(before, before < rounds, body)`.
fn as_c(condition: &str) -> String {
    let mut text = condition.replace("NULL", "0");
    for (word, name) in [("(for every ", "EVERY("), ("(for some ", "SOME(")] {
        while let Some(at) = text.find(word) {
            let range = at + word.len();
            let end = range + text[range..].find(": ").expect("a range");
            let var = text[range..].split(' ').next().expect("a variable").to_owned();
            let said = format!("{name}{var}, {}, {}", &text[range..end], &text[end + 2..]);
            text.replace_range(at.., &said);
        }
    }
    text
}

#[test]
fn conditions_in_the_words_of_c_hold_where_a_run_gets_there() {
    let test = "words";
    let targets = [("count", 8), ("linear", 15), ("queue", 25), ("shorts", 32)];
    let lines: Vec<String> = targets.iter().map(|(_, line)| format!("words.c:{line}")).collect();
    let mut args = vec!["--timeout", "20", "--format", "json"];
    lines.iter().for_each(|line| args.extend(["--target", line.as_str()]));
    let folder = folder(test);
    std::fs::write(folder.join("words.c"), WORDS).expect("a file can be written");
    let footpath = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .current_dir(&folder)
        .args(["reach", "words.c"])
        .args(args)
        .output();
    let output = footpath.expect("footpath starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut holds = String::new();
    for (i, (name, params)) in [
        ("count", "const char *s, int n"),
        ("linear", "const char *s, int n, int m"),
        ("queue", "const char *s, struct queue *p, unsigned k"),
        ("shorts", "const char *s, const short *w, unsigned char k"),
    ]
    .into_iter()
    .enumerate()
    {
        let target = &report["targets"][i];
        assert_eq!(target["verdict"], "unknown", "{target}");
        let condition = target["condition"].as_str().unwrap_or_else(|| panic!("a condition: {target}"));
        for foreign in ["bv", "$", "[32:0]"] {
            assert!(!condition.contains(foreign), "{name}: {condition}");
        }
        let condition = as_c(condition);
        let counters = ["rounds", "rounds1", "rounds2"].map(|name| {
            let is_there = condition.contains(&format!("{name} ")) || condition.contains(&format!("{name})"));
            format!("for (long {name} = 0; {name} < {}; {name}++) ", if is_there { 65 } else { 1 })
        });
        let counters = counters.concat();
        holds.push_str(&format!(
            "static int {name}_holds({params}) {{ {counters} if ({condition}) return 1; return 0; }}\n"
        ));
    }
    let driver = CALLS.replace("static int reached", &format!("{holds}static int reached"));
    std::fs::write(folder.join("driver.c"), driver).expect("a file can be written");
    let built =
        Command::new("clang").args(["-w", "-O2", "driver.c", "-o", "driver"]).current_dir(&folder).status();
    assert!(built.is_ok_and(|s| s.success()), "the conditions are C");
    let run = Command::new("timeout").args(["60", "./driver"]).current_dir(&folder).output();
    let said = String::from_utf8_lossy(&run.expect("it runs").stdout).into_owned();
    let last: Vec<u32> =
        said.lines().last().unwrap_or_default().split(' ').filter_map(|n| n.parse().ok()).collect();
    let [reached, wrong] = last[..] else { panic!("{said}") };
    assert!(reached > 1000, "the places are reached: {said}");
    assert_eq!(wrong, 0, "{said}");
}
