//! Failure conditions as C: what is offered compiles where it would be written, at the beginning of the function, and has the
//! value there that it promises on the inputs of the tests, under sanitizers.
//!
//! This checks an answer without anything that made it: neither the program form nor its interpreter takes part.
//! `FOOTPATH_ALL_EXAMPLES` asks for all functions of all examples instead of those that are answered at once.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Stands in front of the source. The function ends where its condition was evaluated.
const SAYS: &str = "#include <limits.h>
#include <math.h>
#include <stddef.h>
void _exit(int) __attribute__((noreturn));
void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
static struct { const void *object; long count; } footpath_objects[64];
static inline void *footpath_allocate(__SIZE_TYPE__ count, __SIZE_TYPE__ size)
{
    int i = 0;
    while (footpath_objects[i].object)
        i++;
    footpath_objects[i].count = count;
    footpath_objects[i].object = calloc(count, size);
    return (void *)footpath_objects[i].object;
}
static inline long footpath_length(const void *object)
{
    int i = 0;
    for (; footpath_objects[i].object; i++)
        if (footpath_objects[i].object == object)
            return footpath_objects[i].count;
    _exit(90);
}
static inline void footpath_says(int fails, int passes, int may_fail)
{
    _exit(16 + fails + 2 * passes + 4 * may_fail);
}
";

/// In the place of the header of tests.
const TESTS: &str = "#ifndef NULL
#define NULL ((void *)0)
#endif
void *memcpy(void *to, const void *from, __SIZE_TYPE__ size);
struct footpath_test { const char *name; void (*run)(void); int fails; };
int footpath_test_number;
#define FOOTPATH_ALLOCATION_FAILS(...)
#define FOOTPATH_RETURNED()
#define FOOTPATH_SHOW_INT(x) ((void)(x))
#define FOOTPATH_SHOW_UINT(x) ((void)(x))
#define FOOTPATH_SHOW_FLOAT(x) ((void)(x))
#define FOOTPATH_SHOW_POINTER(x) ((void)(x))
#define FOOTPATH_EXPECT_INT(x, expected) ((void)(x))
#define FOOTPATH_EXPECT_UINT(x, expected) ((void)(x))
#define FOOTPATH_EXPECT_FLOAT(x, expected) ((void)(x))
#define FOOTPATH_EXPECT_POINTER(x, expected) ((void)(x))
int atoi(const char *);
static int footpath_run(const struct footpath_test *tests, int argc, char **argv)
{
    tests[argc > 1 ? atoi(argv[1]) - 1 : 0].run();
    return 91;
}
";

/// Lengths of arrays are no C; here somebody knows them.
fn compilable(condition: &str) -> String {
    let mut text = String::new();
    for (i, part) in condition.split("length(").enumerate() {
        let is_part = text.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if i > 0 {
            text.push_str(if is_part { "length(" } else { "footpath_length(" });
        }
        text.push_str(part);
    }
    text
}

/// What is wrong with the condition of a function.
fn problems(folder: &Path, function: &Value) -> Result<(), String> {
    let field = |name: &str| function[name].as_str().unwrap_or_default();
    let tests = std::fs::read_to_string(field("file")).map_err(|e| e.to_string())?;
    let path = field_of(&function["span"], "file");
    let source = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
    let line = function["span"]["line"].as_u64().ok_or("no line")? as usize;
    let start: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let body = start + source[start..].find('{').ok_or("no body")? + 1;
    let only = function["only_when"].as_str().unwrap_or("1");
    let precondition = function["precondition"].as_str();
    let [fails, passes, may] = [field("constraint"), precondition.unwrap_or("0"), only]
        .map(|text| compilable(&text.replace("true", "1").replace("false", "0")));
    let says = format!("footpath_says(({fails}) ? 1 : 0, ({passes}) ? 1 : 0, ({may}) ? 1 : 0);");
    let source = format!("{} {says}{}", &source[..body], &source[body..]);
    let include = tests.lines().position(|l| l.starts_with("#include \"") && !l.contains("footpath_"));
    let include = include.ok_or("the tests include no source")?;
    let mut changed = String::new();
    for (i, line) in tests.lines().enumerate() {
        let _ = writeln!(changed, "{}", if i == include { "#include \"source.c\"" } else { line });
    }
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).map_err(|e| e.to_string());
    write("says.h", SAYS)?;
    write("footpath_test.h", TESTS)?;
    write("source.c", &source)?;
    write("tests.c", &changed)?;
    let mut clang = Command::new("clang");
    let flags = ["-w", "-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let beside = Path::new(&path).parent().ok_or("no folder")?;
    clang.current_dir(folder).args(flags).arg("-I").arg(beside).args(["-include", "says.h"]);
    let built = clang.args(["tests.c", "-o", "tests", "-lm"]).output().map_err(|e| e.to_string())?;
    if !built.status.success() {
        return Err(format!("`{says}` does not compile: {}", String::from_utf8_lossy(&built.stderr)));
    }
    for (i, test) in function["tests"].as_array().ok_or("no tests")?.iter().enumerate() {
        let mut run = Command::new(folder.join("tests"));
        run.arg((i + 1).to_string()).env("ASAN_OPTIONS", "detect_leaks=0");
        let run = run.output().map_err(|e| e.to_string())?;
        let code = run.status.code().filter(|c| (16..24).contains(c));
        let Some(code) = code else {
            let said = String::from_utf8_lossy(&run.stderr).into_owned();
            return Err(format!("test {}: `{says}` was not evaluated: {:?} {said}", i + 1, run.status));
        };
        let (says_fails, says_passes, says_may) = (code & 1 == 1, code & 2 == 2, code & 4 == 4);
        let fails = test["fails"] == true;
        let is = field("exactness");
        let wrong = match (fails, is) {
            (true, _) => !says_fails || says_passes || !says_may,
            // What holds for all failures may hold for others.
            (false, "necessary") => false,
            (false, _) => says_fails || precondition.is_some() && !says_passes,
        };
        if wrong {
            return Err(format!("test {}, fails: {fails}: `{says}` ({is}) said {code}: {test}", i + 1));
        }
    }
    Ok(())
}

fn field_of(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

/// Asks for the conditions of a file and checks them; gives how many.
fn check(file: &Path, functions: &[&str], seconds: &str) -> usize {
    let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("conditions-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_footpath"));
    command.arg("failures").arg(file).args(["--format", "json", "--timeout", seconds, "-o"]);
    command.arg(folder.join("kept"));
    functions.iter().for_each(|f| {
        command.args(["--function", f]);
    });
    let output = command.output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{name}: {error}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut checked = 0;
    for function in report["functions"].as_array().expect("functions") {
        let trivial = function["constraint"] == "false" && function["only_when"].is_null();
        if function["file"].is_null() || trivial {
            continue;
        }
        problems(&folder, function).unwrap_or_else(|why| panic!("{name}, {}: {why}", function["name"]));
        checked += 1;
    }
    checked
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c")
}

#[test]
fn conditions_of_the_examples_are_c_and_hold_just_where_tests_fail() {
    let quick: &[(&str, &[&str])] = &[
        ("average.c", &["power_of_two"]),
        ("deposit.c", &["deposit"]),
        ("ini.c", &["find_equals"]),
        ("search.c", &["middle"]),
        ("utf8.c", &["decode"]),
    ];
    let mut checked = 0;
    if std::env::var_os("FOOTPATH_ALL_EXAMPLES").is_some() {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(examples()).expect("a folder").filter_map(|f| Some(f.ok()?.path())).collect();
        files.retain(|f| f.extension().is_some_and(|e| e == "c"));
        files.sort();
        for file in files {
            checked += check(&file, &[], "30");
        }
    } else {
        for (file, functions) in quick {
            checked += check(&examples().join(file), functions, "60");
        }
    }
    assert!(checked >= quick.len(), "{checked} conditions were checked");
}

const WORDS: &str = "#include <stddef.h>
static const int days[] = {31, 28, 31};
int minus(int x) { return x - 5; }
int plus(int x) { return x + 7; }
long long far(long long x) { return x * 3; }
int thrice(int x) { return x * 3; }
int product(int x, int y) { return x * y; }
int quotient(int x, int y) { return x / y; }
int negated(int x) { return -x; }
int shifted(int x, int n) { return n < 40 ? 1 << (n & x) : 0; }
int difference(int a, int b) { return a - b; }
int letter(const char *s, int n) { if (s[n] == 'x') return 10 / (s[0] - 'a'); return 0; }
int element(const int *a, long n) { return a[n]; }
int fourth(int n, int d) { if (n % 4 == 0 && n % 100 != 0) return 1 / d; return 0; }
unsigned rest(unsigned a, unsigned b) { return a / (b - a); }
int flag(_Bool b, unsigned char c) { return 1 / (b + c); }
int narrow(signed char c, unsigned short u) { return 1 / ((unsigned char)c - u); }
int left(int m, int d) { return 1 / (days[m - 1] - d); }
int within(const int *a, int n, int i) { return i > n ? -1 : a[i]; }
int three(int a, int b, int c) { return a + b + c; }
int digit(char c) { return 1 / (c >= '0' && c <= '9'); }
int positive(double x) { return 1 / (x >= 0.0); }
int no_half(float f) { return 1 / (f != 0.5f); }
int finite_one(double d) { return 1 / (d - d == 0.0); }
int below(int i, double d) { return 1 / (i < d); }
int signed_one(double d) { return 1 / !__builtin_signbit(d); }
int area(float f, float g) { return 1 / (f * g < 2.0f); }
int no_infinity(double d) { return 1 / !__builtin_isinf(d); }
int no_nan(float f) { return 1 / !__builtin_isnan(f); }
int wider(float f, double d) { return 1 / (f < d); }
int other(unsigned u, float f) { return 1 / ((float)u != f); }
int fraction(double d) { return 1 / (__builtin_floor(d) != d); }
int far_from(const double *p, double d) { return 1 / (__builtin_fabs(*p - d) > 1e-3); }
int opposite(float f, float g) { return 1 / (-f != g); }
";

#[test]
fn conditions_are_c_whatever_they_speak_of() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("condition-words.c");
    std::fs::write(&file, WORDS).expect("a file");
    assert_eq!(check(&file, &[], "60"), WORDS.lines().count() - 2);
}
