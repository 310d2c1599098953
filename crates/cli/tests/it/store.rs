//! What `footpath test --store` keeps, and for whom. It needs a clang.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::testing::{check, check_command, folder, verdicts, write};

/// Functions that end in all kinds of ways: tests that return, fail and crash, functions without a body and of the library, dead
/// code, code behind accesses, a loop that goes on for ever. `LIMIT` stands in a header.
pub(super) const MANY: &str = "\
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
pub(super) fn recalled(output: &Output) -> BTreeMap<String, bool> {
    let report = report(output);
    let functions = report["functions"].as_array().expect("functions").iter();
    let one = |f: &Value| {
        (f["name"].as_str().expect("a name").to_owned(), f["statistics"]["recalled"] == Value::Bool(true))
    };
    functions.map(one).collect()
}

pub(super) fn are_all(recalled: &BTreeMap<String, bool>, expected: bool) -> bool {
    recalled.values().all(|r| *r == expected)
}

/// A report without what it cost and how much of it is from earlier runs.
pub(super) fn said(output: &Output) -> String {
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
pub(super) fn tests(folder: &Path) -> BTreeMap<String, String> {
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
    for name in ["test_many.c", "test_many_stubs.c"] {
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

/// A function that calls another one, one that calls none, and a loop, of which a part is only proved within a bound.
const PARTS: &str = "\
#define LIMIT 9
static int scale(int x) { return x > LIMIT ? LIMIT : x; }

int both(int a)
{
    if (a < 0)
        return -1;
    return scale(a);
}

int apart(const int *p)
{
    return *p == 3;
}

int summed(const unsigned char *text)
{
    int sum = 0;
    while (*text)
        sum += *text++;
    return sum;
}
";

/// What a run says of a change that is made by replacing a text, and the functions that it analysed anew.
fn after_change(folder: &Path, from: &str, to: &str) -> (Output, Vec<String>) {
    assert!(PARTS.contains(from));
    write(folder, "parts.c", &PARTS.replace(from, to));
    let args = ["parts.c", "--store", "kept", "--timeout", "4", "-o", "out", "--format", "json"];
    let output = check(folder, &args, 0, &[]);
    let anew = recalled(&output).into_iter().filter(|(_, recalled)| !recalled).map(|(name, _)| name);
    let anew = anew.collect();
    (output, anew)
}

#[test]
fn a_change_takes_the_results_of_what_it_is_in_and_of_callers() {
    let folder = folder("parts");
    after_change(&folder, "#define", "#define");
    for (from, to, expected) in [
        ("*p == 3", "*p == 4", &["apart"][..]),
        ("x > LIMIT", "x >= LIMIT", &["both", "scale"]),
        ("sum += *text++", "sum += *text++ + 1", &["summed"]),
        ("LIMIT 9", "LIMIT 8", &["apart", "both", "scale", "summed"]),
        ("return -1", "return -1 /* none */", &[]),
    ] {
        assert_eq!(after_change(&folder, from, to).1, expected, "{to}");
    }
}

#[test]
fn what_is_said_of_places_moves_with_the_code() {
    let folder = folder("moved");
    after_change(&folder, "#define", "#define");
    let (moved, anew) =
        after_change(&folder, "int both(int a)\n{\n", "/* One.\n   Two. */\nint both(int a)\n{\n\n");
    assert!(anew.is_empty(), "{anew:?}");
    let written = tests(&folder);
    std::fs::remove_dir_all(folder.join("kept")).expect("the store can be removed");
    let args = ["parts.c", "--store", "kept", "--timeout", "4", "-o", "out", "--format", "json"];
    let anew = check(&folder, &args, 0, &[]);
    assert!(are_all(&recalled(&anew), false));
    assert_eq!(said(&moved), said(&anew));
    assert_eq!(written, tests(&folder));
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
    assert!(are_all(&recalled(&moved), true), "{:?}", recalled(&moved));
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

/// Changes what is stored and seals it again, as only who has the key can; whether anything changed.
fn poison(folder: &Path, change: &dyn Fn(&str) -> Option<String>) -> bool {
    let store = folder.join("kept");
    let mut is_changed = false;
    for entry in std::fs::read_dir(&store).expect("a store") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let (body, _) = text.trim_end().rsplit_once('\n').expect("a seal");
        let mut parts = body.splitn(3, '\n');
        let (key, _, data) = (parts.next().expect("a key"), parts.next(), parts.next().expect("data"));
        if let Some(changed) = change(data) {
            let texts = footpath_summaries::Texts::new(store.clone(), std::time::Duration::from_secs(3600));
            texts.write(key, &changed, true);
            assert!(texts.warnings().is_empty());
            is_changed = true;
        }
    }
    is_changed
}

/// The key of these tests, which this process uses as well as those that it starts.
fn key(folder: &Path) -> &'static str {
    write(folder, "key", "0123456789abcdef0123456789abcdef");
    footpath_summaries::use_store_key(&folder.join("key")).expect("a key");
    "key"
}

#[test]
fn a_stored_proof_that_is_wrong_is_found_by_proving_it_again() {
    let folder = folder("poisoned");
    write(
        &folder,
        "a.c",
        "int f(int n) { return n == 7 ? 1 : 0; }\nint g(int n) { return n > 3 ? 2 : n; }\n",
    );
    let key = key(&folder);
    let args = ["a.c", "--store", "kept", "--store-key", key, "-o", "out", "--format", "json"];
    let first = check(&folder, &args, 0, &[]);
    let again =
        |more: &[&str], code: i32, words: &[&str]| check(&folder, &[&args, more].concat(), code, words);
    assert!(are_all(&recalled(&again(&[], 0, &[])), true));
    // Nothing to be proved again is no reason to do anything.
    assert!(are_all(&recalled(&again(&["--recheck", "100%"], 0, &[])), true));
    let change = |data: &str| {
        let covered = data.lines().find(|line| line.starts_with("objective covered "))?;
        // What the tests passed would show it at once.
        let kept = data.lines().filter(|line| !line.starts_with("passed ") && !line.starts_with("clean "));
        let mut changed: String = kept.map(|line| format!("{line}\n")).collect();
        changed = changed.replacen(covered, "objective unreachable cover 0 - - - ", 1);
        Some(changed)
    };
    assert!(poison(&folder, &change));
    let believed = again(&[], 0, &["2 of 2 functions are taken from the store"]);
    assert_ne!(verdicts(&first), verdicts(&believed), "nothing was poisoned");
    again(&["--recheck", "0%"], 0, &[]);
    let told = ["internal error", "was proved unreachable", "is wrong and was removed from there"];
    let found = again(&["--recheck", "100%"], 3, &told);
    assert!(are_all(&recalled(&found), false));
    let clean = again(&[], 0, &[]);
    assert!(are_all(&recalled(&clean), false), "{:?}", recalled(&clean));
    assert_eq!(verdicts(&first), verdicts(&clean));
    check(
        &folder,
        &[&args[..], &["--recheck", "101"]].concat(),
        2,
        &["a share is a whole number of percent"],
    );
}

/// The inputs of tests are kept, and their source is written from these again.
#[test]
fn a_store_has_no_code() {
    let folder = folder("no-code");
    write(&folder, "many.c", MANY);
    write(&folder, "limit.h", "#define LIMIT 9\n");
    let key = key(&folder);
    let args = ["many.c", "--store", "kept", "--store-key", key, "--timeout", "4", "-o", "out"];
    check(&folder, &args, 0, &[]);
    for entry in std::fs::read_dir(folder.join("kept")).expect("a store") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("a text");
        for code in ["#include", "int main", "footpath_begin", "/* Tests of"] {
            assert!(!text.contains(code), "{text}");
        }
    }
    // What was shown by a run ends in the source, and is read like what the tested code itself shows.
    let change = |data: &str| {
        let inputs = data.lines().find(|line| line.starts_with("inputs "))?;
        let words: Vec<&str> = inputs.split(' ').take(3).collect();
        Some(data.replace(inputs, &format!("{} 0x1p0; system(\"touch owned\")", words.join(" "))))
    };
    assert!(poison(&folder, &change));
    std::fs::remove_dir_all(folder.join("out")).expect("the tests can be removed");
    check(&folder, &args, 0, &["6 of 6 functions are taken from the store"]);
    assert!(tests(&folder).values().all(|text| !text.contains("touch owned")));
}

#[test]
fn a_stored_proof_about_a_procedure_is_proved_again_too() {
    let folder = folder("poisoned-procedure");
    let text = "procedure P(x: int) returns (r: int)\n{\n  if (x > 7) { r := 1; } else { r := 0; }\n}\n";
    write(&folder, "a.bpl", text);
    let key = key(&folder);
    let run = |more: &[&str]| {
        let mut footpath = std::process::Command::new(env!("CARGO_BIN_EXE_footpath"));
        footpath.args(["cover", "a.bpl", "--store", "kept", "--store-key", key]).args(more);
        let output = footpath.current_dir(&folder).output().expect("footpath starts");
        let all = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&all).into_owned())
    };
    let (code, first) = run(&[]);
    assert_eq!(code, Some(0), "{first}");
    let (_, second) = run(&[]);
    assert!(second.contains("the results of 1 of 1 procedures are taken from the store"), "{second}");
    // The last test is removed, and the branch that only it takes is called unreachable.
    let change = |data: &str| {
        let (kept, _) = data.rsplit_once("test\n")?;
        let branch = kept.match_indices("\ncovered").nth(1)?.0;
        Some(format!("{}\nunreachable{}", &kept[..branch], &kept[branch + "\ncovered".len()..]))
    };
    assert!(poison(&folder, &change));
    let (code, believed) = run(&[]);
    assert_eq!((code, believed.contains("1 infeasible")), (Some(0), true), "{believed}");
    let (code, found) = run(&["--recheck", "100%"]);
    assert_eq!(code, Some(3), "{found}");
    assert!(found.contains("is unreachable, as the store says, but a run reaches it"), "{found}");
    let (code, clean) = run(&[]);
    assert!(code == Some(0) && clean.contains("4 covered; 2 tests"), "{clean}");
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
    assert!(!said(&longer).contains("it was not reached within 1 s"), "{}", said(&longer));
    // What took longer stands in the place of what did not, whatever it left open.
    let shorter = run("1");
    assert!(are_all(&recalled(&shorter), true));
    // The command lines differ.
    assert_eq!(said(&shorter).replace("\"1\"", "\"2\""), said(&longer));
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

#[test]
fn a_store_is_measured_pruned_and_verified() {
    let folder = folder("store-command");
    write(&folder, "half.c", "int half(int n)\n{\n    return 100 / n;\n}\n");
    let store = |args: &[&str], code: i32, words: &[&str]| {
        check_command("store", &folder, &[args, &["--store", "kept"]].concat(), code, words);
    };
    store(&["size"], 2, &["kept cannot be read"]);
    check(&folder, &["half.c", "--store", "kept", "--timeout", "60"], 0, &[]);
    store(&["size"], 0, &[" KiB)", "used last less than a day ago"]);
    store(&["verify"], 0, &["are sound"]);
    write(&folder, "other.key", &"k".repeat(32));
    store(&["verify", "--store-key", "other.key"], 2, &["was written with another key", "are not sound"]);
    store(&["prune"], 2, &["needs --older-than or --max-size"]);
    store(&["size", "--max-size", "1K"], 2, &["are for `footpath store prune`"]);
    // What was used within an hour stays, whatever the limits are.
    store(&["prune", "--older-than", "0", "--max-size", "0"], 0, &["removed 0 files (0 KiB), left "]);
    let kept: Vec<_> = std::fs::read_dir(folder.join("kept")).expect("a store").flatten().collect();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3 * 24 * 3600);
    let times = std::fs::FileTimes::new().set_accessed(old).set_modified(old);
    for file in &kept {
        let file = std::fs::File::options().write(true).open(file.path()).expect("a file");
        file.set_times(times).expect("times can be set");
    }
    // To look whether files are whole is no use of them.
    store(&["verify"], 0, &["are sound"]);
    store(&["size"], 0, &["used last 3 days ago, and the oldest file 3 days ago"]);
    store(&["prune", "--older-than", "4"], 0, &["removed 0 files"]);
    std::fs::write(kept[0].path(), "damaged").expect("a file can be written");
    store(&["prune", "--older-than", "2"], 0, &["left 1 file (1 KiB)"]);
    store(&["verify"], 2, &["is damaged or was written with another key", "1 of 1 files"]);
}
