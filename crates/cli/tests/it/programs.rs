//! `footpath test --entry main` on programs as verification competitions pose them. The suites are run by an executor
//! of this test's own, which knows nothing of Footpath but the format of the files. It needs a clang.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::testing::row;

/// What the programs' inputs are read by: one value a line, and the end of the program where there is none.
const EXECUTOR: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static long long next(void)
{
    static FILE *in;
    char line[64];
    if (!in)
        in = fopen(getenv("INPUTS"), "r");
    if (!in || !fgets(line, sizeof line, in))
        _Exit(0);
    return line[0] == '-' ? strtoll(line, 0, 0) : (long long)strtoull(line, 0, 0);
}
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next(); }
char __VERIFIER_nondet_char(void) { return (char)next(); }
_Bool __VERIFIER_nondet_bool(void) { return next() != 0; }
void reach_error(void) { puts("reached"); fflush(stdout); _Exit(0); }
"#;

const DECLARATIONS: &str = "
extern void abort(void);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern _Bool __VERIFIER_nondet_bool(void);
";

/// A folder of its own for each test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs").join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// Tests a program from `main`; gives what is said.
fn test(folder: &Path, program: &str, args: &[&str]) -> String {
    std::fs::write(folder.join("program.c"), format!("{DECLARATIONS}{program}"))
        .expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["test", "program.c", "--entry", "main", "--emit", "testcomp", "-o", "out", "--timeout", "30"])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("footpath starts");
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    said
}

/// How many tests of the suite reach the error.
fn reaching(folder: &Path) -> usize {
    std::fs::write(folder.join("executor.c"), EXECUTOR).expect("a file can be written");
    let built = Command::new("clang")
        .args(["-w", "program.c", "executor.c", "-o", "program"])
        .current_dir(folder)
        .status();
    assert!(built.is_ok_and(|s| s.success()), "the program builds");
    let mut files = suite(&folder.join("out"));
    files.retain(|f| f.file_name().is_some_and(|n| n.to_string_lossy().starts_with("testcase")));
    let reaches = |file: &&PathBuf| {
        let text = std::fs::read_to_string(file).expect("a test case");
        let inputs: Vec<&str> = text
            .split("<input")
            .skip(1)
            .filter_map(|part| Some(part.split_once('>')?.1.split_once("</input>")?.0))
            .collect();
        std::fs::write(folder.join("inputs"), inputs.join("\n")).expect("a file can be written");
        let run = Command::new("timeout")
            .args(["10", "./program"])
            .env("INPUTS", "inputs")
            .current_dir(folder)
            .output()
            .expect("the program starts");
        String::from_utf8_lossy(&run.stdout).contains("reached")
    };
    files.iter().filter(reaches).count()
}

/// All files below a folder.
fn suite(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok).map(|e| e.path());
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() { files.extend(suite(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

#[test]
fn a_program_that_never_ends_is_tested_up_to_what_is_new() {
    let folder = folder("endless");
    let program = "
        int main(void)
        {
            int state = 0;
            unsigned rounds = 0;
            while (1) {
                int input = __VERIFIER_nondet_int();
                rounds++;
                if (state == 0 && input == 4711)
                    state = 1;
                else if (state == 1 && input < -100)
                    state = 2;
                else if (state == 2 && rounds > 6)
                    reach_error();
                else if (input == 0 && state != 2)
                    state = 0;
            }
        }";
    let said = test(&folder, program, &[]);
    assert!(reaching(&folder) > 0, "{said}");
    let longest = suite(&folder.join("out")).iter().filter_map(|f| f.metadata().ok()).map(|m| m.len()).max();
    assert!(longest.is_some_and(|bytes| bytes < 20_000), "tests end where they show nothing new");
}

#[test]
fn inputs_may_be_very_many() {
    let folder = folder("many");
    let program = "
        int main(void)
        {
            static char cells[20000];
            for (unsigned i = 0; i < sizeof cells; i++)
                cells[i] = __VERIFIER_nondet_char();
            if (cells[19990] == 'x')
                reach_error();
            return 1;
        }";
    let said = test(&folder, program, &[]);
    assert!(reaching(&folder) > 0, "{said}");
}

#[test]
fn strings_of_any_length_are_read_back() {
    let folder = folder("strings");
    let program = "
        #include <stdlib.h>
        int main(void)
        {
            unsigned n = __VERIFIER_nondet_uint();
            if (n == 0 || n > 60)
                return 0;
            char *text = malloc(n);
            if (!text)
                return 1;
            for (unsigned i = 0; i < n; i++)
                text[i] = __VERIFIER_nondet_char();
            text[n - 1] = 0;
            char *p = text;
            while (*p && *p != '=')
                p++;
            if (*p && p[1] == '4' && p[2] == '2' && p - text > 3)
                reach_error();
            free(text);
            return 0;
        }";
    let said = test(&folder, program, &[]);
    assert!(reaching(&folder) > 0, "{said}");
}

#[test]
fn a_function_that_is_never_called_is_one_finding() {
    let folder = folder("uncalled");
    let program = "
        static int twice(int n) { return n < 100 ? 2 * n : n; }
        int lonely(int n) { return n ? twice(n) : 3; }
        int visited(int n) { return n > 5 ? 1 : 0; }
        int (*hook)(int) = visited;
        int main(void) { return twice(__VERIFIER_nondet_bool()); }";
    let said = test(&folder, program, &[]);
    assert_eq!(said.matches("infeasible[uncalled]").count(), 1, "{said}");
    assert!(said.contains("int lonely(int n)") && !said.contains("int visited(int n)"), "{said}");
}

#[test]
fn invariants_exclude_what_no_bound_does() {
    let folder = folder("invariants");
    let program = "
        static unsigned odd = 1;
        static void step(unsigned x) { odd += 2 * x; }
        static int check(unsigned n)
        {
            if (n == 0)
                return -1;
            return 1;
        }
        int main(void)
        {
            while (__VERIFIER_nondet_bool()) {
                step(__VERIFIER_nondet_uint());
                if (check(odd) < 0)
                    reach_error();
            }
            return 0;
        }";
    let said = test(&folder, program, &["--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&said).expect("a report");
    let check = function(&report, "check");
    let dead = check.iter().find(|o| o["id"] == "L14").expect("the block of the first return");
    assert_eq!((&dead["verdict"], &dead["settled_by"]), (&"unreachable".into(), &"invariants".into()));
    let main = function(&report, "main");
    let dead = main.iter().find(|o| o["id"] == "L22").expect("the block of the error");
    assert_eq!(dead["verdict"], "unreachable");
}

#[test]
fn what_is_called_in_dead_code_only_is_never_called() {
    let folder = folder("dead_calls");
    let program = "
        static int last(int n) { return n > 3 ? n : 3; }
        static int first(int n) { return last(n) + 1; }
        int main(void)
        {
            int n = __VERIFIER_nondet_int(), held = 0;
            if (n > 7)
                held = 1;
            if (n > 7 && !held)
                return first(n);
            return 0;
        }";
    let said = test(&folder, program, &[]);
    assert_eq!(said.matches("infeasible[uncalled]").count(), 2, "{said}");
}

/// The objectives of a function of a report.
fn function<'a>(report: &'a serde_json::Value, name: &str) -> Vec<&'a serde_json::Value> {
    let functions = report["functions"].as_array().expect("functions");
    let found = functions.iter().find(|f| f["name"] == name).expect("the function");
    found["objectives"].as_array().expect("objectives").iter().collect()
}

#[test]
fn a_function_that_is_not_analysed_costs_itself_only() {
    let folder = folder("degraded");
    let program = "
        __attribute__((noinline)) static int odd(int n)
        {
            __asm__ goto(\"\" : : : : out);
            return n;
        out:
            return 1;
        }
        int main(void)
        {
            int n = __VERIFIER_nondet_int();
            if (n == 77)
                reach_error();
            return n > 5 ? odd(n) : 0;
        }";
    let said = test(&folder, program, &[]);
    assert!(said.contains("not tested") && reaching(&folder) > 0, "{said}");
}

#[test]
fn failures_that_do_not_end_the_program_are_found_in_all_its_functions() {
    let folder = folder("going_on");
    let program = "
        int last;
        static void step(int a) { last = a + 1; }
        static void other(int a) { last = a - 1; }
        static int cells[4];
        static void read(int i) { last = cells[i & 7]; }
        static void stray(int i) { last = cells[i & 7]; }
        int main(void)
        {
            int unset;
            int given = __VERIFIER_nondet_int();
            if (given > 100)
                unset = 2;
            step(given);
            other(unset);
            if (given == 7)
                read(given);
            else
                stray(unset);
            return 0;
        }";
    let said = test(&folder, program, &["--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    let check = |name: &str, kind: &str| {
        let functions = report["functions"].as_array().expect("a list");
        let function = functions.iter().find(|f| f["name"] == name).expect("the function");
        let objectives = function["objectives"].as_array().expect("a list");
        objectives.iter().find(|o| o["kind"] == kind).expect("a check").clone()
    };
    for (function, kind) in [("step", "overflow"), ("read", "bounds")] {
        assert_eq!(check(function, kind)["verdict"], "covered", "{said}");
        assert_eq!(check(function, kind)["confirmed"], true, "{said}");
    }
    for (function, kind) in [("other", "overflow"), ("stray", "bounds")] {
        assert_eq!(check(function, kind)["verdict"], "unknown", "what is not set decides: {said}");
        let reason = &check(function, kind)["reason"];
        assert_eq!(
            reason, "only values that a test cannot set, such as uninitialised memory, lead there",
            "{said}"
        );
    }
}

#[test]
fn what_runs_before_main_is_run_and_of_what_runs_behind_it_nothing_is_claimed() {
    let source = "\
#include <stdlib.h>
static int state;
__attribute__((constructor)) static void begins(void) { state = 1; }
__attribute__((destructor)) static void ends(void) { if (state == 2) abort(); }
static void handler(void) { if (state == 3) abort(); }
int main(void)
{
    if (state != 1)
        return 1;
    state = 2;
    atexit(handler);
    return 0;
}
";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs-around");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("around.c"), source).expect("a file can be written");
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
            .args(args)
            .current_dir(&folder)
            .output()
            .expect("footpath starts");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let said = run(&["test", "around.c", "--entry", "main", "--timeout", "10"]);
    assert!(!said.contains("diverge") && !said.contains("internal error"), "{said}");
    let row = |name| row(&said, name);
    // Failing and infeasible.
    assert_eq!(row("ends")[3..5], ["0", "0"], "{said}");
    assert_eq!(row("handler")[3..5], ["0", "0"], "{said}");
    assert_eq!(row("main")[1], "3/4", "{said}");
    assert!(said.contains("never true"), "{said}");
    let said = run(&["reach", "around.c", "--function", "main", "--target", "around.c:5", "--timeout", "10"]);
    assert!(said.starts_with("unknown"), "{said}");
}
