//! `footpath reach`, from the command line to the report.

use std::process::{Command, Output};

use super::testing::{corpus, folder, seconds};

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
    let here = reach("line", "a.bpl", LOOP, &["--target", "./a.bpl:8", "--format", "json"]);
    assert_eq!(verdict(&here), "unreachable");
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
fn a_place_in_a_function_that_is_not_lowered_is_unknown_with_the_reason() {
    let text = "#include <setjmp.h>\njmp_buf here;\nint f(int n)\n{\n    if (setjmp(here))\n        return 3;\n    return n;\n}\n\
                int g(int n)\n{\n    return f(n);\n}\n";
    for (place, args) in [("a.c:6", &[][..]), ("a.c:7", &[]), ("a.c:11", &["--function", "f"])] {
        let args = [&["--target", place], args].concat();
        let output = reach("not-lowered", "a.c", text, &args);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(said.starts_with("unknown "), "{place}: {said}");
        let why = "`f` is not analysed, as `_setjmp`, which may return twice, is not supported";
        assert!(said.split_whitespace().collect::<Vec<_>>().join(" ").contains(why), "{place}: {said}");
        let denied = reach("not-lowered", "a.c", text, &[&args[..], &["--deny", "unknown"]].concat());
        assert_eq!(denied.status.code(), Some(1), "{denied:?}");
    }
    // There is no code on this line in any function.
    assert_eq!(reach("not-lowered", "a.c", text, &["--target", "a.c:2"]).status.code(), Some(2));
}

#[test]
fn denied_verdicts_exit_with_1() {
    let output = reach("denied", "a.bpl", LOOP, &["--target", "odd", "--deny", "unreachable"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

/// Calls the functions with many inputs; `CONDITION_…` says whether there are rounds for which the condition of one holds.
const CALLS: &str = "#include <stdio.h>
#include <stdlib.h>
#include \"characters_far_behind.c\"
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

/// For each function of the program, its condition as a function of C that says whether there are numbers of rounds for which
/// it holds.
fn conditions(report: &serde_json::Value) -> String {
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
        assert_ne!(target["verdict"], "unreachable", "{target}");
        // A test that was found sooner ends the search for a condition.
        let is_reached = target["verdict"] == "reached";
        let condition = target["condition"].as_str().or(is_reached.then_some("1"));
        let condition = condition.unwrap_or_else(|| panic!("a condition: {target}"));
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
    holds
}

#[test]
fn conditions_in_the_words_of_c_hold_where_a_run_gets_there() {
    let folder = folder("words");
    let name = "characters_far_behind.c";
    corpus(&folder, name);
    let program = std::fs::read_to_string(folder.join(name)).expect("the program");
    let mut footpath = Command::new(env!("CARGO_BIN_EXE_footpath"));
    footpath.current_dir(&folder).args(["reach", name, "--timeout", &seconds(5.0), "--format", "json"]);
    for (i, _) in program.lines().enumerate().filter(|(_, line)| line.contains("return 1;")) {
        footpath.args(["--target", &format!("{name}:{}", i + 1)]);
    }
    let output = footpath.output().expect("footpath starts");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let holds = conditions(&report);
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
