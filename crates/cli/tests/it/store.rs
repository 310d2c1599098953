//! What `footpath test --store` keeps, and for whom. It needs a clang.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::testing::{check, folder, verdicts, write};

/// Functions that end in all kinds of ways: tests that return, fail and crash, functions without a body and of the library, dead
/// code, code behind accesses, a loop that goes on for ever. `LIMIT` stands in a header.
const MANY: &str = "\
#include <footpath.h>
#include <string.h>
#include \"limit.h\"
int outside(int);
static int low(int *p, int n)
{
    if (!p)
        return -1;
    *p = n > 4 ? n : 4;
    return *p;
}
int middle(int n)
{
    int v;
    int r = low(&v, n);
    if (r < 4)
        return 1;
    return r == LIMIT ? outside(r) : r;
}
int sum(const int *values, unsigned n)
{
    int all = 0;
    for (unsigned i = 0; i < n; i++)
        all += values[i];
    return all / (all - 7);
}
int dead(int *p, unsigned i)
{
    int a[4] = {0};
    a[i] = *p;
    if (i > 3)
        return a[0];
    return 2;
}
int same(const char *a)
{
    return a && strcmp(a, \"ab\") == 0;
}
float half(float x)
{
    while (x > 1)
        x = x;
    return x / 2;
}
";

/// Nobody finds the input of a cipher in a few seconds, nor that there is none.
const HARD: &str = "\
#define ROUND a ^= a >> 29; a *= 0xbf58476d1ce4e5b9u; b ^= b >> 31; b *= 0x94d049bb133111ebu; a += b; b ^= a << 7;
int hard(unsigned long long a, unsigned long long b)
{
    ROUND ROUND ROUND ROUND ROUND ROUND ROUND ROUND
    if (a == 0x123456789abcdefu && b == 0xfedcba987654321u)
        return 1;
    return 0;
}
";

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// The functions of a report, whether each is from an earlier run.
fn recalled(output: &Output) -> BTreeMap<String, bool> {
    let report = report(output);
    let functions = report["functions"].as_array().expect("functions").iter();
    let one = |f: &Value| {
        (f["name"].as_str().expect("a name").to_owned(), f["statistics"]["recalled"] == Value::Bool(true))
    };
    functions.map(one).collect()
}

fn are_all(recalled: &BTreeMap<String, bool>, expected: bool) -> bool {
    recalled.values().all(|r| *r == expected)
}

/// A report without what it cost and how much of it is from earlier runs.
fn said(output: &Output) -> String {
    let mut report = report(output);
    report["elapsed_seconds"] = Value::Null;
    for function in report["functions"].as_array_mut().expect("functions") {
        function["statistics"] = Value::Null;
        let exhausted = function["exploration"]["exhausted"].take();
        function["exploration"] = exhausted;
    }
    let notes = report["notes"].as_array_mut().expect("notes");
    notes.retain(|note| !note.as_str().expect("a text").contains("an earlier run"));
    serde_json::to_string_pretty(&report).expect("a text")
}

/// The files of a folder of tests, but for those that tests are built with.
fn tests(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder.join("out")).expect("tests").map(|entry| entry.expect("a file"));
    let files = entries.filter(|entry| entry.path().is_file());
    let text = |path: &Path| std::fs::read_to_string(path).expect("a text");
    files.map(|entry| (entry.file_name().to_string_lossy().into_owned(), text(&entry.path()))).collect()
}

#[test]
fn a_second_run_says_and_writes_what_the_first_did() {
    let folder = folder("twice");
    write(&folder, "many.c", MANY);
    write(&folder, "limit.h", "#define LIMIT 9\n");
    let args = ["many.c", "--store", "kept", "--timeout", "4", "-o", "out", "--format", "json"];
    let first = check(&folder, &args, 0, &[]);
    assert!(are_all(&recalled(&first), false), "{:?}", recalled(&first));
    let written = tests(&folder);
    for name in ["many_middle.c", "many_middle_stubs.c", "many_sum.c"] {
        assert!(written.contains_key(name), "{name} is missing");
    }
    std::fs::remove_dir_all(folder.join("out")).expect("the tests can be removed");
    let second = check(&folder, &args, 0, &["6 of 6 functions are taken from the store"]);
    assert!(are_all(&recalled(&second), true), "{:?}", recalled(&second));
    assert_eq!(said(&first), said(&second));
    assert_eq!(written, tests(&folder));
    let words = ["many.c", "--store", "kept", "--timeout", "4", "-o", "out", "--verbose"];
    check(&folder, &words, 0, &["6 of 6 functions are taken from the store", "the access is out of bounds"]);
}

#[test]
fn what_the_compiler_makes_of_a_file_decides_whether_its_tests_count() {
    let folder = folder("made_of");
    write(&folder, "many.c", MANY);
    write(&folder, "limit.h", "#define LIMIT 9\n");
    let args = ["many.c", "--store", "kept", "--timeout", "10", "-o", "out", "--format", "json"];
    let first = check(&folder, &args, 0, &[]);
    let again = || check(&folder, &args, 0, &[]);
    assert!(are_all(&recalled(&again()), true));
    // A macro that nothing uses may still mean something to tests, which include the file.
    write(&folder, "limit.h", "#define LIMIT 9\n#define OTHER 1\n");
    let with_macro = again();
    assert!(are_all(&recalled(&with_macro), false), "{:?}", recalled(&with_macro));
    assert_eq!(verdicts(&first), verdicts(&with_macro));
    // Lines that are elsewhere are told of there.
    write(&folder, "many.c", &format!("/* A line. */\n{MANY}"));
    let moved = again();
    assert!(are_all(&recalled(&moved), false), "{:?}", recalled(&moved));
    let line = |output: &Output| report(output)["functions"][0]["span"]["line"].as_u64().expect("a line");
    assert_eq!(line(&moved), line(&first) + 1);
    // Their names begin with the line.
    let words = |output: &Output| -> Vec<String> {
        let all = verdicts(output).into_iter();
        all.filter_map(|v| v.split_once(' ').map(|(_, verdict)| verdict.to_owned())).collect()
    };
    assert_eq!(words(&first), words(&moved));
    write(&folder, "limit.h", "#define LIMIT 8\n");
    assert!(are_all(&recalled(&again()), false));
    let flags = [&args[..], &["--", "-DUNUSED"]].concat();
    assert!(are_all(&recalled(&check(&folder, &flags, 0, &[])), false));
    assert!(are_all(&recalled(&again()), true));
    // What is linked with may change without a sign.
    let linked = [&args[..], &["--", "-lm"]].concat();
    check(&folder, &linked, 0, &[]);
    assert!(are_all(&recalled(&check(&folder, &linked, 0, &[])), false));
}

#[test]
fn a_file_that_somebody_changed_is_not_used() {
    let folder = folder("damaged");
    write(&folder, "many.c", MANY);
    write(&folder, "limit.h", "#define LIMIT 9\n");
    let args = ["many.c", "--store", "kept", "--timeout", "10", "-o", "out", "--format", "json"];
    let first = check(&folder, &args, 0, &[]);
    for entry in std::fs::read_dir(folder.join("kept")).expect("a store") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        std::fs::write(&path, text.replace(" covered", " unreachable")).expect("a file can be written");
    }
    let second = check(&folder, &args, 0, &["is damaged or was written by another program, and is not used"]);
    assert!(!are_all(&recalled(&second), true), "{:?}", recalled(&second));
    assert_eq!(verdicts(&first), verdicts(&second));
}

#[test]
fn what_time_left_open_is_left_open_for_who_allows_no_more() {
    let folder = folder("budget");
    write(&folder, "hard.c", HARD);
    let run = |time: &str| {
        let args = ["hard.c", "--store", "kept", "--timeout", time, "-o", "out", "--format", "json"];
        check(&folder, &args, 0, &[])
    };
    let first = run("1");
    let text = said(&first);
    assert!(text.contains("it was not reached within 1 s; --timeout raises the limit"), "{text}");
    for time in ["1", "0.5"] {
        let second = run(time);
        assert!(are_all(&recalled(&second), true), "{time}");
        assert_eq!(verdicts(&first), verdicts(&second));
        assert!(said(&second).contains("it was not reached within 1 s; --timeout raises the limit"));
    }
    let longer = run("2");
    assert!(are_all(&recalled(&longer), false));
    assert!(said(&longer).contains("it was not reached within 2 s; --timeout raises the limit"));
    // What took longer stands in the place of what did not.
    let shorter = run("1");
    assert!(are_all(&recalled(&shorter), true));
    assert!(said(&shorter).contains("it was not reached within 2 s; --timeout raises the limit"));
}

#[test]
fn what_is_cut_by_the_time_for_all_functions_is_not_kept() {
    let folder = folder("total");
    write(&folder, "hard.c", HARD);
    let args = ["hard.c", "--store", "kept", "--timeout", "60", "-o", "out", "--format", "json"];
    let cut = [&args[..], &["--total-timeout", "10"]].concat();
    let words = ["it was not reached before the run was interrupted or --total-timeout ended it"];
    check(&folder, &cut, 0, &words);
    let again = check(&folder, &cut, 0, &words);
    assert!(are_all(&recalled(&again), false));
}
