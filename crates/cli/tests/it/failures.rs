//! `footpath failures` as its users run it.

use std::path::Path;
use std::process::{Command, Output};

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

const ACCOUNT: &str = "#include <stddef.h>
struct account { int number; int balance; };
int deposit(struct account *account, int amount)
{
    if (account == NULL || amount <= 0)
        return -1;
    account->balance = account->balance + amount;
    return account->balance;
}
int ratio(int a, unsigned b)
{
    return b > 10 ? 1 : a / (int)b;
}
int first(const int *p) { return *p; }
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

const POINTERS: &str = "#include <stdlib.h>
struct node { int v; struct node *next; };
struct box { int k; char *name; struct node *list; };
int back(struct node *p) { if (p && p->next && p->next->v == 3) abort(); return 0; }
int last(struct node *p) { if (p && !p->next && p->v == 3) abort(); return 0; }
int two(struct node *p) { return p->next->v; }
int named(struct box *b) { if (b && b->name && b->name[0] == 'x' && !b->list) abort(); return 0; }
int deep(struct box *b, int i) { if (b && b->list && b->k == i) return b->list->next->v; return 0; }
struct node *root;
int global(int i) { if (root && root->next && i == 3) abort(); return 0; }
unsigned char sum(const unsigned char *p, size_t n) { unsigned char s = 0; while (n--) s ^= *p++; return s; }
";

/// Pointers in memory are null, or lead to what has a name, however they are stored; that an array is shorter than it is
/// taken for is one comparison.
#[test]
fn conditions_on_pointers_are_in_words() {
    let output = run("pointers.c", POINTERS, &["--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let found = functions(&output);
    let said = |name: &str| {
        let function = found.iter().find(|f| f["name"] == name).expect("it is there");
        assert_eq!(function["exactness"], "exact", "{function}");
        function["constraint"].as_str().expect("text").to_owned()
    };
    assert_eq!(
        said("back"),
        "p != NULL && ((p->next == p && p->v == 3) || (p->next != NULL && p->next != p && p->next->v == 3))"
    );
    assert_eq!(said("last"), "p != NULL && p->next == NULL && p->v == 3");
    assert_eq!(said("two"), "p == NULL || p->next == NULL");
    assert_eq!(said("named"), "b != NULL && b->name != NULL && b->list == NULL && b->name[0] == 'x'");
    assert_eq!(said("deep"), "b != NULL && b->list != NULL && b->list->next == NULL && i == b->k");
    assert_eq!(said("global"), "root != NULL && i == 3 && root->next != NULL");
    assert_eq!(said("sum"), "(p == NULL && n != 0) || length(p) < n");
}

/// Where the model of a library function fails, the call of it is shown.
#[test]
fn failures_in_the_library_are_shown_where_it_is_called() {
    let source = "#include <string.h>\nint empty(const char *s)\n{\n    return strlen(s) == 0;\n}\n";
    let output = run("library.c", source, &[]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("fails when s == NULL"), "{said}");
    assert!(said.contains("library.c:4:12") && !said.contains("model_"), "{said}");
}

#[test]
fn the_condition_of_a_procedure_comes_with_tests_on_either_side() {
    let output = run("loop.bpl", LOOP, &["--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let found = functions(&output);
    assert_eq!(found[0]["constraint"], "i >= 1 && i == j");
    assert_eq!((&found[0]["exactness"], &found[0]["paths"]), (&"exact".into(), &10.into()));
    let fails: Vec<bool> =
        found[0]["tests"].as_array().expect("tests").iter().filter_map(|t| t["fails"].as_bool()).collect();
    assert_eq!(fails, [true, false]);
}

#[test]
fn conditions_of_c_functions_are_in_words_of_c() {
    let output = run("account.c", ACCOUNT, &["--format", "json"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    let found = functions(&output);
    let of = |name: &str| {
        let function = found.iter().find(|f| f["name"] == name).expect("the function");
        (
            function["constraint"].as_str().expect("a condition"),
            function["exactness"].as_str().expect("a word"),
        )
    };
    assert_eq!(
        of("deposit"),
        ("account != NULL && amount > 0 && account->balance > INT_MAX - amount", "exact")
    );
    assert_eq!(of("first"), ("p == NULL", "exact"));
    assert_eq!(of("ratio"), ("b == 0", "exact"));
}

const SUMS: &str = "int sum_to(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int fact(int n) { if (n <= 1) return 1; return n * fact(n - 1); }
";

#[test]
fn sums_and_factorials_overflow_from_an_exact_number_on() {
    let output = run("sums.c", SUMS, &["--format", "json", "--timeout", "300"]);
    let found = functions(&output);
    let said = |i: usize| (found[i]["constraint"].as_str(), found[i]["exactness"].as_str());
    assert_eq!(said(0), (Some("n >= 65537"), Some("exact")));
    assert_eq!(said(1), (Some("n >= 13"), Some("exact")));
}

const TEXT: &str = "#include <assert.h>
int get(const int *p, int k, int n) { if (k < n && n <= 4) return p[k]; return 0; }
void letter(char c, int n) { assert(c != 'x' || n != 7); }
";

#[test]
fn null_comes_first_and_characters_are_characters() {
    let output = run("text.c", TEXT, &["--format", "json"]);
    let found = functions(&output);
    let fails = |i: usize| {
        let tests = found[i]["tests"].as_array().expect("tests");
        let inputs = tests.iter().filter(|t| t["fails"] == true).map(|t| t["inputs"].clone());
        inputs.collect::<Vec<serde_json::Value>>()
    };
    let disjuncts = found[0]["disjuncts"].as_array().expect("disjuncts");
    let places: Vec<Option<usize>> = ["k < 0", "p == NULL", ">= length(p)"]
        .iter()
        .map(|part| disjuncts.iter().position(|d| d.as_str().is_some_and(|d| d.contains(part))))
        .collect();
    assert_eq!(places, [Some(0), Some(1), Some(2)], "{disjuncts:?}");
    assert_eq!(found[0]["precondition"], "n <= k || n > 4 || (p != NULL && 0 <= k && k < length(p))");
    assert_eq!(fails(0)[1]["p"], "NULL");
    assert_eq!(fails(1)[0]["c"], "'x'");
}

#[test]
fn a_name_that_is_not_there_is_bad_input() {
    let output = run("other.bpl", LOOP, &["--procedure", "g"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is f"));
}

#[test]
fn tests_of_c_do_the_same_when_they_are_compiled_and_run() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("failures-kept");
    let kept = folder.to_str().expect("a path");
    let output = run("native.c", ACCOUNT, &["--format", "json", "-o", kept]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found = functions(&output);
    let mut failing = 0;
    for function in &found {
        for test in function["tests"].as_array().expect("tests") {
            assert_eq!(test["confirmed"], true, "{}: {test}", function["name"]);
            failing += usize::from(test["fails"] == true);
        }
        let file = function["file"].as_str().expect("a file");
        assert!(Path::new(file).is_file(), "{file}");
    }
    assert!(failing >= found.len(), "every function has failing inputs: {found:?}");
}

#[test]
fn a_test_run_says_when_functions_fail() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fails-when");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("a.c"), ACCOUNT).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_footpath"));
    command.current_dir(&folder).args([
        "test",
        "a.c",
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

const RANGE: &str = "long span(const char *from, const char *to)
{
    if (to - from > 2)
        return 10 / (*from - 'x');
    return to - from;
}
int at(const int *p, const int *end)
{
    if (p < end)
        return *p;
    return 0;
}
";

/// Every pointer has an object of its own in conditions, so what needs two in one object is left out, and that is said.
#[test]
fn what_needs_two_pointers_into_one_object_is_left_out() {
    let output = run("range.c", RANGE, &["--format", "json"]);
    let found = functions(&output);
    assert_eq!(found[0]["exactness"], "sufficient", "{}", found[0]);
    assert!(found[0]["reason"].to_string().contains("different objects"), "{}", found[0]);
    let said = run("range.c", RANGE, &[]).stdout;
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("no failure was found") && !said.contains("never fails"), "{said}");
    // Null lies below all objects.
    assert!(said.contains("fails when p == NULL && end != NULL\n"), "{said}");
}
