//! What `footpath test` writes and says, and how it gets along with its users, their machine and their time. It needs a clang.

use std::path::Path;
use std::process::{Command, Output};

use super::testing::{check, folder, make, verdicts, write};

const HALF: &str = "\
int half(int n)
{
    if (n > 9 && n < 5)
        return -1;
    return 100 / n;
}

int lonely(void)
{
    return LIMIT;
}
";

#[test]
fn tests_are_written_that_pass_and_reports_of_every_kind() {
    let folder = folder("all");
    write(&folder, "half.c", HALF);
    let args = ["half.c", "-o", "out", "--emit", "c,json,html,sarif,lcov,markdown", "--", "-DLIMIT=3"];
    let words =
        ["or the division is by zero: 5:16", "infeasible[dead-code]", "never executed", "contradicts it"];
    check(&folder, &args, 0, &words);
    for name in [
        "test_half.c",
        "footpath_test.c",
        "footpath_test.h",
        "CMakeLists.txt",
        "report.json",
        "report.html",
        "report.sarif",
        "report.info",
        "report.md",
    ] {
        assert!(folder.join("out").join(name).is_file(), "{name} is missing");
    }
    let comment = std::fs::read_to_string(folder.join("out/report.md")).expect("a text");
    assert!(comment.starts_with("### Footpath: 1 piece of code that no input executes\n"), "{comment}");
    for words in
        ["**infeasible** `half.c:4:9` in `half`", "\n```c\n    3 | ", "* `half`: `for line 5: n != 0`"]
    {
        assert!(comment.contains(words), "{words}: {comment}");
    }
    assert!(make(&folder).contains("ok half_"));
    // A second run with less leaves no test of the first one behind.
    check(&folder, &["half.c", "-o", "out", "--function", "lonely", "--", "-DLIMIT=3"], 0, &["lonely"]);
    let tests = std::fs::read_to_string(folder.join("out/test_half.c")).expect("tests");
    assert!(!tests.contains("half_fails") && tests.contains("lonely_returns_3"), "{tests}");
}

#[test]
fn the_same_input_gives_the_same_tests() {
    let folder = folder("same");
    write(&folder, "half.c", HALF);
    let tests = || {
        check(&folder, &["half.c", "-o", "out", "--no-store", "--", "-DLIMIT=3"], 0, &[]);
        std::fs::read_to_string(folder.join("out/test_half.c")).expect("tests")
    };
    assert_eq!(tests(), tests());
}

#[test]
fn what_cannot_be_used_is_said_and_exits_with_2() {
    let folder = folder("errors");
    write(&folder, "half.c", HALF);
    write(&folder, "good.c", "int one(int n) { return n > 3; }\n");
    check(&folder, &[], 2, &["FILE"]);
    check(&folder, &["gone.c"], 2, &["gone.c", "no such file"]);
    let own = env!("CARGO_BIN_EXE_footpath");
    check(&folder, &[own], 2, &["this is not a text file"]);
    write(&folder, "notes.txt", "int one(int n) { return n > 3; }\n");
    check(&folder, &["notes.txt"], 2, &["notes.txt", "neither a C source"]);
    check(&folder, &["half.c"], 2, &["LIMIT"]);
    check(&folder, &["half.c", "good.c"], 2, &["LIMIT", "half.c does not compile", "one"]);
    check(&folder, &["good.c", "--clang", "no-such-clang"], 2, &["no-such-clang"]);
    check(&folder, &["good.c", "--function", "on"], 2, &["no function `on`", "there is one"]);
    check(&folder, &["good.c", "--check", "nul"], 2, &["`nul` is not one of all, none, null"]);
    check(&folder, &["good.c", "--emit", "pdf"], 2, &["c, json, html, sarif, markdown, lcov"]);
}

#[test]
fn denied_verdicts_exit_with_1() {
    let folder = folder("denied");
    write(&folder, "half.c", HALF);
    let with = |deny: &str, code, words: &[&str]| {
        check(&folder, &["half.c", "--function", "half", "--deny", deny, "--", "-DLIMIT=1"], code, words)
    };
    with("infeasible", 1, &["denied: 2 infeasible"]);
    // That `n` is not zero is what the function demands.
    with("failing,unknown", 0, &["1 failure that callers can avoid"]);
    let strict = ["half.c", "--function", "half", "--strict", "--deny", "failing", "--", "-DLIMIT=1"];
    check(&folder, &strict, 1, &["denied: 1 failing"]);
    with("unknown", 0, &[]);
}

#[test]
fn a_baseline_silences_what_is_known_until_its_line_changes() {
    let folder = folder("baseline");
    write(&folder, "half.c", HALF);
    let with = |flags: &[&str], code, words: &[&str]| {
        let fixed = ["half.c", "--function", "half", "--strict"];
        let args = [&fixed, flags, &["--deny", "infeasible,failing", "--", "-DLIMIT=1"]].concat();
        check(&folder, &args, code, words)
    };
    with(&["--write-baseline", "known"], 1, &["denied: 2 infeasible", "1 failing"]);
    with(&["--baseline", "known"], 0, &["3 findings in the baseline"]);
    // Code above may move.
    write(&folder, "half.c", &format!("int above;\n\n{HALF}"));
    with(&["--baseline", "known"], 0, &["3 findings in the baseline"]);
    // So may other lines of the function change.
    let edited = HALF.replacen("\n{\n", "\n{\n    static int calls;\n\n    calls = n;\n", 1);
    assert_ne!(edited, HALF);
    write(&folder, "half.c", &edited.replace("    return 100", "        return  100"));
    with(&["--baseline", "known"], 0, &["3 findings in the baseline"]);
    write(&folder, "half.c", &HALF.replace("100", "99"));
    with(&["--baseline", "known"], 1, &["denied: 1 failing", "1 entry is stale"]);
    write(&folder, "nonsense", "infeasible\n");
    with(&["--baseline", "nonsense"], 2, &["nonsense:1: this line is not an entry of a baseline"]);
}

#[test]
fn files_and_flags_come_from_a_build_system() {
    let folder = folder("database");
    std::fs::create_dir_all(folder.join("inc")).expect("a folder can be made");
    write(&folder, "half.c", &format!("#include <limit.h>\n{HALF}"));
    write(&folder, "inc/limit.h", "#define LIMIT FIRST + 1\n");
    let entry = format!(
        r#"[{{"directory": "{}", "file": "half.c", "command": "cc -O2 -Iinc '-DFIRST=4' -o half.o -c half.c"}}]"#,
        folder.display()
    );
    write(&folder, "compile_commands.json", &entry);
    let args = ["--compile-commands", "compile_commands.json", "--function", "lonely", "--format", "json"];
    let output = check(&folder, &args, 0, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["functions"][0]["tests"][0]["returned"], "5");
    assert_eq!(report["functions"][0]["span"]["file"], "half.c");
    let make =
        Command::new("make").args(["-C", "footpath-out"]).current_dir(&folder).output().expect("make starts");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
    write(&folder, "broken.json", "{");
    check(&folder, &["--compile-commands", "broken.json"], 2, &["broken.json is not a compilation database"]);
}

#[test]
fn other_files_of_a_project_define_what_is_called() {
    let folder = folder("callees");
    write(
        &folder,
        "head.c",
        "char *last(char *);\nint head(void)\n{\n    char text[] = \"ab\";\n    return *last(text);\n}\n",
    );
    // What is called is two files away; a third file of that name calls nothing of it.
    write(&folder, "last.c", "char *step(char *);\nchar *last(char *t)\n{\n    return step(t);\n}\n");
    write(&folder, "step.c", "char *step(char *t)\n{\n    return t + 1;\n}\n");
    write(&folder, "main.c", "int head(void);\nint main(void)\n{\n    return head();\n}\n");
    let entry = |file: &str| serde_json::json!({ "directory": folder, "file": file, "arguments": ["cc", "-c", file] });
    let database = serde_json::Value::from(["head.c", "last.c", "step.c", "main.c"].map(entry).to_vec());
    write(&folder, "compile_commands.json", &database.to_string());
    let args = ["head.c", "--compile-commands", ".", "--format", "json", "--deny", "failing"];
    let output = check(&folder, &args, 0, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let functions = report["functions"].as_array().expect("functions");
    assert_eq!(functions.iter().map(|f| &f["name"]).collect::<Vec<_>>(), ["head"]);
    assert_eq!(functions[0]["tests"].as_array().map(Vec::len), Some(1), "{}", functions[0]["tests"]);
    assert_eq!(functions[0]["tests"][0]["returned"], "98");
    let note = "analysed along, as they define what is called: last.c, step.c";
    assert!(
        report["notes"].as_array().is_some_and(|notes| notes.iter().any(|n| n == note)),
        "{}",
        report["notes"]
    );
    let make =
        Command::new("make").args(["-C", "footpath-out"]).current_dir(&folder).output().expect("make starts");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
}

#[test]
fn an_interrupt_keeps_what_was_found() {
    let folder = folder("interrupt");
    let text = "int mix(unsigned n, unsigned k)\n{\n    unsigned h = 5;\n    for (unsigned i = 0; i < n; i++)\n        \
                h = h * 33 + (h ^ k) * i;\n    return h * h == 1234567u ? 1 : 0;\n}\n\
                int look(unsigned n, unsigned k)\n{\n    if (mix(n, k))\n        return 1;\n    return 0;\n}\n";
    write(&folder, "mix.c", text);
    for signal in ["INT", "TERM"] {
        interrupt(&folder, signal);
    }
}

/// Starts a run that takes long and sends it a signal.
fn interrupt(folder: &Path, signal: &str) {
    let child = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["test", "mix.c", "--timeout", "60", "--jobs", "1"])
        .current_dir(folder)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("footpath starts");
    std::thread::sleep(std::time::Duration::from_secs(4));
    // The shell's own: a plain machine has no such program. Who signals a process and its group means one signal.
    let kill = format!("kill -{signal} {0}; sleep 0.01; kill -{signal} {0}", child.id());
    let kill = Command::new("sh").args(["-c", &kill]).status();
    assert!(kill.is_ok_and(|s| s.success()), "the run is still going on");
    let output = child.wait_with_output().expect("footpath ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted:") && folder.join("footpath-out/Makefile").is_file(), "{said}");
}

#[test]
fn functions_that_there_is_no_time_for_are_left_out_and_counted() {
    let folder = folder("total");
    write(&folder, "half.c", HALF);
    let args = ["half.c", "-o", "out", "--total-timeout", "0.001", "--", "-DLIMIT=3"];
    check(&folder, &args, 0, &["2 of 2 functions were not begun"]);
}

/// `middle` and `top` call `low`; the number stands in `middle`.
fn layers(number: u32) -> String {
    format!(
        "static int low(int *p, int n)\n{{\n    if (!p)\n        return -1;\n    *p = n > 4 ? n : 4;\n    return *p;\n}}\n\
         int middle(int n)\n{{\n    int v;\n    int r = low(&v, n);\n    if (r < 4)\n        return 1;\n    \
         if (n == {number})\n        return 2;\n    return r;\n}}\n\
         int top(int n)\n{{\n    if (middle(n) == -7)\n        return 0;\n    return 1;\n}}\n\
         int other(int n)\n{{\n    return low(0, n) == 3;\n}}\n"
    )
}

/// Questions to the solver in a report, by function.
fn questions(output: &Output) -> Vec<(String, u64)> {
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let functions = report["functions"].as_array().expect("functions").iter();
    let of = |f: &serde_json::Value| {
        let (own, callees) = (&f["statistics"]["queries"], &f["statistics"]["summaries"]["queries"]);
        let sum = own.as_u64().expect("a number") + callees.as_u64().unwrap_or(0);
        (f["name"].as_str().expect("a name").to_owned(), sum)
    };
    functions.map(of).collect()
}

#[test]
fn a_store_spares_the_solver_what_has_not_changed() {
    let folder = folder("store");
    write(&folder, "layers.c", &layers(9));
    let args = ["layers.c", "--calls", "symbolic", "--store", "kept", "--format", "json", "-o", "out"];
    let inlined = check(&folder, &["layers.c", "--format", "json", "-o", "out"], 0, &[]);
    let first = check(&folder, &args, 0, &[]);
    assert_eq!(verdicts(&inlined), verdicts(&first));
    assert!(questions(&first).iter().any(|(_, n)| *n > 0), "{:?}", questions(&first));
    let second = check(&folder, &args, 0, &[]);
    assert!(questions(&second).iter().all(|(_, n)| *n == 0), "{:?}", questions(&second));
    assert_eq!(verdicts(&first), verdicts(&second));
    write(&folder, "layers.c", &layers(8));
    let changed = check(&folder, &args, 0, &[]);
    for (name, count) in questions(&changed) {
        assert_eq!(count > 0, name == "middle" || name == "top", "{name}: {count} questions");
    }
    let anew = check(&folder, &[&args[..], &["--no-store"]].concat(), 0, &[]);
    assert_eq!(verdicts(&anew), verdicts(&changed));
}

#[test]
fn covers_of_c_files_are_tests_and_proofs() {
    let folder = folder("cover");
    write(&folder, "layers.c", &layers(9));
    let cover = |args: &[&str]| {
        let footpath = Command::new(env!("CARGO_BIN_EXE_footpath"));
        let mut footpath = footpath;
        footpath
            .args(["cover", "layers.c"])
            .args(args)
            .current_dir(&folder)
            .output()
            .expect("footpath starts")
    };
    let found = cover(&["--calls", "auto", "--function", "middle", "--format", "json", "-o", "out"]);
    assert_eq!(found.status.code(), Some(0));
    let said = verdicts(&found);
    assert!(said.iter().any(|v| v.contains("\"unreachable")), "{said:?}");
    assert!(folder.join("out/test_layers.c").is_file());
    let refused = cover(&["--criterion", "path"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("`footpath test --criterion path` covers paths")
    );
}

#[test]
fn tests_can_neither_start_programs_nor_change_files() {
    let folder = folder("confined");
    let source = "\
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
int tries(int what)
{
    char *command[] = {\"/bin/touch\", MADE, 0};
    switch (what) {
    case 1: execv(command[0], command); return 10;
    case 2: return vfork() == 0 ? execv(command[0], command) : 20;
    case 3: openat(AT_FDCWD, MADE, O_CREAT | O_WRONLY, 0600); return 30;
    case 4: renameat(AT_FDCWD, KEPT, AT_FDCWD, MADE); return 40;
    case 5: unlinkat(AT_FDCWD, KEPT, 0); return 50;
    case 6: return socket(AF_INET, SOCK_STREAM, 0) < 0;
    default: return 0;
    }
}
";
    write(&folder, "tries.c", source);
    write(&folder, "kept", "");
    let named = |macro_name: &str, file: &str| format!("-D{macro_name}=\"{}\"", folder.join(file).display());
    let args = ["tries.c", "-o", "out", "--format", "json", "--"];
    let flags = [named("MADE", "made"), named("KEPT", "kept")];
    let all: Vec<&str> = args.into_iter().chain(flags.iter().map(String::as_str)).collect();
    let output = check(&folder, &all, 0, &[]);
    assert!(folder.join("kept").is_file() && !folder.join("made").exists());
    let json = String::from_utf8_lossy(&output.stdout);
    for value in ["10", "30", "40", "50"] {
        assert!(json.contains(&format!("\"{value}\"")), "nothing returned {value}: {json}");
    }
}

#[test]
fn headers_of_the_user_are_not_for_what_tests_share() {
    let folder = folder("headers");
    write(&folder, "half.c", HALF);
    for header in ["unistd.h", "stdlib.h", "string.h", "config.h"] {
        let text = if header == "config.h" { "#define malloc my_malloc\n" } else { "#error only for us\n" };
        write(&folder, header, text);
    }
    let flags = ["-I.", "-include", "config.h", "-std=c89", "-pedantic-errors", "-Werror", "-DLIMIT=3"];
    let args = [&["half.c", "-o", "out", "--format", "json", "--"][..], &flags].concat();
    check(&folder, &args, 0, &["\"divergences\": 0", "\"verdict\": \"covered\""]);
    assert!(make(&folder).contains("ok half_"));
}

/// Functions whose effects are none of them a number that is returned.
const SHOP: &str = "\
struct totals { int sold; char name[8]; };
struct pair { int low, high; };

struct totals totals;
static int counter;
int log_sale(int amount, const char *what);

void swap(int *a, int *b) { int t = *a; *a = *b; *b = t + 1; }
void count(int n) { static int calls; calls++; counter += n & 15; if (n > 10) { totals.sold = n; totals.name[0] = 'x'; } }
struct pair order(int a, int b) { struct pair p = {a, b}; if (a > b) { p.low = b; p.high = a; } return p; }
const char *skip(const char *s) { while (*s == ' ') s++; return s; }
void up(char *s) { for (; *s; s++) if (*s == 'q') *s = 'Q'; }
int sale(int n) { if (n <= 0) return log_sale(n, \"refund\"); log_sale(n, \"sale\"); log_sale(7, \"tax\"); return 2; }
const char *word(int c) { if (c == 3) return \"three\"; return 0; }
int next(int x) { return x + 1; }
int open_end(int set) { int x; if (set) x = 5; return x; }
";

/// Runs make in a folder's tests with variables; whether it succeeds, and what is said.
fn make_with(folder: &Path, variables: &[&str]) -> (bool, String) {
    let made = Command::new("make").args(["-B", "-C", "out"]).args(variables).current_dir(folder).output();
    let made = made.expect("make starts");
    let said = format!("{}{}", String::from_utf8_lossy(&made.stdout), String::from_utf8_lossy(&made.stderr));
    (made.status.success(), said)
}

#[test]
fn tests_notice_when_any_effect_of_a_function_changes() {
    let folder = folder("effects");
    write(&folder, "shop.c", SHOP);
    check(&folder, &["shop.c", "-o", "out"], 0, &[]);
    make(&folder);
    for (right, wrong) in [
        ("*b = t + 1;", "*b = t;"),
        ("calls++", "calls--"),
        ("counter += n & 15", "counter -= n & 15"),
        ("totals.sold = n", "totals.sold = 1"),
        ("totals.name[0] = 'x'", "totals.name[0] = 'y'"),
        ("p.high = a", "p.high = b"),
        ("s++; return s", "s++; return s - 1"),
        ("*s = 'Q'", "*s = 'R'"),
        ("\"refund\")", "\"return\")"),
        ("log_sale(7", "log_sale(8"),
        ("log_sale(n, \"sale\"); log_sale(7, \"tax\");", "log_sale(7, \"tax\"); log_sale(n, \"sale\");"),
        ("\"three\"", "\"four\""),
        ("return 2;", "return 3;"),
    ] {
        assert!(SHOP.contains(right), "{right}");
        write(&folder, "shop.c", &SHOP.replace(right, wrong));
        let (passes, said) = make_with(&folder, &[]);
        assert!(!passes && said.contains("NOT OK"), "nobody notices `{wrong}`: {said}");
    }
}

#[test]
fn tests_notice_setters_of_zeros_and_copies() {
    let folder = folder("setters");
    let text = "\
struct buffer { unsigned used, size, limit; char mark; int kept; };
static int hits;
void hit(int n) { hits = n; }
void reset(struct buffer *b) { b->used = 0; b->size = b->limit; b->mark = 0; }
void clear(void) { hits = 0; }
void store(int *to, int value) { *to = value; }
";
    write(&folder, "reset.c", text);
    check(&folder, &["reset.c", "-o", "out"], 0, &[]);
    make(&folder);
    for statement in
        ["b->used = 0;", "b->size = b->limit;", "b->mark = 0;", "hits = 0;", "hits = n;", "*to = value;"]
    {
        write(&folder, "reset.c", &text.replace(statement, ""));
        let (passes, said) = make_with(&folder, &[]);
        assert!(!passes && said.contains("NOT OK"), "nobody notices that `{statement}` is missing: {said}");
    }
    // What does not matter stays as it is.
    let tests = std::fs::read_to_string(folder.join("out/test_reset.c")).expect("tests");
    assert!(!tests.contains(".kept = "), "{tests}");
}

#[test]
fn nothing_is_expected_of_what_is_undefined() {
    let folder = folder("undefined");
    write(&folder, "shop.c", SHOP);
    check(&folder, &["shop.c", "-o", "out", "--function", "next", "--function", "open_end"], 0, &[]);
    let tests = std::fs::read_to_string(folder.join("out/test_shop.c")).expect("tests");
    assert!(tests.contains("next_returns_12(void)") && !tests.contains("2147483648"), "{tests}");
    let (_, open) = tests.split_once("/* ---- open_end ---- */").expect("the tests of open_end");
    assert!(open.matches("FOOTPATH_EXPECT").count() == 1 && open.contains("(footpath_result, 5)"), "{open}");
    let said = make(&folder);
    assert!(
        said.contains("skipped next_fails_overflow_at_line_15: undefined behaviour (overflow)"),
        "{said}"
    );
}

#[test]
fn suites_build_and_pass_with_other_compilers_and_flags() {
    let folder = folder("flags");
    write(&folder, "shop.c", SHOP);
    check(&folder, &["shop.c", "-o", "out", "--emit", "c,lcov"], 0, &[]);
    let tests = std::fs::read_to_string(folder.join("out/test_shop.c")).expect("tests");
    assert!(tests.contains("#include \"../shop.c\"\n"), "{tests}");
    let has_gcc = Command::new("gcc").arg("--version").output().is_ok();
    for variables in [
        &["CC=clang", "CFLAGS=-O2"][..],
        &["CC=clang", "CFLAGS=--coverage"],
        &["CC=clang", "CFLAGS=-fsanitize=address,undefined"],
        &["CC=gcc", "CFLAGS=-O2"],
        &["CC=gcc", "CFLAGS=--coverage"],
    ] {
        if variables[0] == "CC=gcc" && !has_gcc {
            continue;
        }
        let (passes, said) = make_with(&folder, variables);
        assert!(passes && said.contains("ok order_"), "{variables:?}: {said}");
    }
    let counted = std::fs::read_dir(folder.join("out")).expect("a folder").flatten();
    let counted = counted.filter(|entry| entry.path().extension().is_some_and(|e| e == "gcda")).count();
    assert!(counted > 0, "no coverage is written");
    if has_gcc {
        what_is_claimed_is_covered(&folder);
    }
}

/// Holds the lines that the report in `out` calls covered against what gcov says of the suite's last run. The line of `count` is left
/// out: gcc cannot name its static variable, so its tests are skipped there.
fn what_is_claimed_is_covered(folder: &Path) {
    let report = std::fs::read_to_string(folder.join("out/report.info")).expect("a report");
    // gcc names it after the program and the source, as both are made by one command.
    let gcov = Command::new("gcov")
        .args(["-t", "test_shop-test_shop.gcda"])
        .current_dir(folder.join("out"))
        .output();
    let gcov = gcov.expect("gcov starts");
    let shown = String::from_utf8_lossy(&gcov.stdout);
    let shown = shown.split("Source:").find(|part| part.starts_with("../shop.c\n")).expect("the source");
    let mut claimed = 0;
    for line in report.lines().filter_map(|line| line.strip_prefix("DA:")) {
        let (number, count) = line.split_once(',').expect("a line and a count");
        let of_it = |text: &&str| text.split(':').nth(1).is_some_and(|n| n.trim() == number);
        let Some(counted) = shown.lines().find(of_it).and_then(|text| text.split(':').next()) else {
            continue;
        };
        if count != "0" && counted.trim() != "-" && number != "9" {
            claimed += 1;
            assert!(!counted.trim().starts_with('#'), "line {number} is called covered: {shown}");
        }
    }
    assert!(claimed > 5, "{report}");
}

#[test]
fn words_of_the_source_are_not_those_of_tests() {
    let folder = folder("words");
    let text = "\
#define n 4
#define name \"abc\"
#define size 10
#define text 11
#define memcpy(to, from, bytes) copied(to, from, bytes)
#define static
static void *copied(char *to, const char *from, unsigned long bytes) { while (bytes--) to[bytes] = from[bytes]; return to; }
int p_object = 4;
static int test_1(int a) { return a > 3 ? n : size; }
int fits(int *p) { if (p && *p == p_object) return test_1(*p); return name[1]; }
";
    write(&folder, "words.c", text);
    check(&folder, &["words.c", "-o", "out"], 0, &[]);
    assert!(make(&folder).contains("ok fits_returns_98"));
}

#[test]
fn an_edit_of_the_source_builds_its_tests_again() {
    let folder = folder("edited");
    let source = "int twice(int n)\n{\n    return n > 100 ? 200 : 2 * n;\n}\n";
    write(&folder, "twice.c", source);
    let args = ["twice.c", "-o", "out", "--check", "none", "--no-store"];
    check(&folder, &args, 0, &[]);
    let ran = |args: &[&str]| {
        let run = Command::new(args[0]).args(&args[1..]).current_dir(folder.join("out")).output();
        let run = run.expect("the program starts");
        let said =
            format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        (run.status.success(), said)
    };
    let builds: [&[&[&str]]; 3] = [
        &[&["make"]],
        &[
            &["cmake", "-B", "cmade"],
            &["cmake", "--build", "cmade", "-j4"],
            &["ctest", "--test-dir", "cmade"],
        ],
        &[&["meson", "setup", "mesoned"], &["meson", "test", "-C", "mesoned"]],
    ];
    for steps in builds {
        for step in steps {
            let (passes, said) = ran(step);
            assert!(passes, "{step:?}: {said}");
        }
    }
    // Files have times of whole seconds in some systems.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    write(&folder, "twice.c", &source.replace("2 * n", "3 * n"));
    for steps in builds {
        let results: Vec<(bool, String)> =
            steps[steps.len().min(2) - 1..].iter().map(|step| ran(step)).collect();
        assert!(results.iter().any(|(passes, _)| !passes), "{steps:?}: {results:?}");
    }
}

#[test]
fn tests_of_several_sources_are_built_by_meson() {
    let folder = folder("mesons");
    write(
        &folder,
        "one.c",
        "int half(int);\nint f(int n) { return half(n) > 10; }\nint main(void) { return f(3); }\n",
    );
    write(&folder, "it's.c", "int half(int n) { return n / 2; }\n");
    check(&folder, &["one.c", "it's.c", "-o", "out", "--", "-DA=\"x y\""], 0, &[]);
    for args in [["setup", "build"], ["test", "-Cbuild"]] {
        let run =
            Command::new("meson").args(args).current_dir(folder.join("out")).output().expect("meson starts");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    }
}
