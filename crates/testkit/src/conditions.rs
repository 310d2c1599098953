//! Failure conditions as C: what is offered compiles where it would be written, at the beginning of the function, and has the
//! value there that it promises on the inputs of the tests, under sanitizers.
//!
//! This checks an answer without anything that made it: neither the program form nor its interpreter takes part.
//!
//! **Direction of error.** A condition is judged on the tests that came with it. One that is wrong elsewhere passes.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::answers::{list, text};

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
static inline void footpath_copy(void *to, const void *from, __SIZE_TYPE__ size)
{
    memcpy(to, from, size);
}
void *footpath_given(void *, unsigned);
enum footpath_end { FOOTPATH_RETURNS, FOOTPATH_CRASHES, FOOTPATH_IS_UNDEFINED };
#define FOOTPATH_FAILS FOOTPATH_CRASHES
#define FOOTPATH_NAMES_STATICS
struct footpath_test { const char *of; const char *name; void (*run)(void); enum footpath_end ends; const char *why; };
int footpath_test_number;
#define FOOTPATH_ZEROS 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L
#define FOOTPATH_ALLOCATION_FAILS(...)
#define FOOTPATH_RETURNED()
#define FOOTPATH_SHOW_INT(x) ((void)(x))
#define FOOTPATH_SHOW_UINT(x) ((void)(x))
#define FOOTPATH_SHOW_FLOAT(x) ((void)(x))
#define FOOTPATH_SHOW_POINTER(x) ((void)(x))
#define FOOTPATH_EXPECT_INT(x, expected) ((void)(x))
#define FOOTPATH_EXPECT_UINT(x, expected) ((void)(x))
#define FOOTPATH_EXPECT_FLOAT(x, expected) ((void)(x))
#define FOOTPATH_EXPECT_NULL(x) ((void)(x))
#define FOOTPATH_EXPECT_NOT_NULL(x) ((void)(x))
#define FOOTPATH_EXPECT_ADDRESS(x, expected) ((void)(x))
#define FOOTPATH_EXPECT_TEXT(x, expected) ((void)(x))
#define FOOTPATH_PUT_BACK(x, before) ((void)(x))
#define FOOTPATH_EXPECT_UNCHANGED(x, before, size) ((void)(x))
#define FOOTPATH_EXPECT_CALLS(...)
#define FOOTPATH_EXPECT_NO_CALLS()
#define FOOTPATH_EXPECT_CALLS_MADE()
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

/// What a compiler says of a program that needs other files.
const UNLINKED: [&str; 2] = ["undefined reference", "undefined symbol"];

/// What is wrong with a condition.
enum Problem {
    /// It says something else than the tests, or is no C.
    Condition(String),
    /// It could not be asked, as this machine lacks a file or a process.
    Machine(String),
}

impl From<&str> for Problem {
    fn from(what: &str) -> Problem {
        Problem::Condition(what.to_owned())
    }
}

/// What is wrong with the conditions of a report.
pub(crate) struct Complaints {
    /// A line for each.
    pub(crate) text: String,
    /// Whether one of them is about this machine only.
    pub(crate) is_about_machine: bool,
}

/// Why the condition of a function is not checked.
fn unchecked(function: &Value) -> Option<String> {
    let said =
        ["constraint", "precondition", "only_when"].map(|name| function[name].as_str().unwrap_or_default());
    let is_static = said.iter().any(|text| text.contains("::"));
    match said[0] {
        "not expressible in C" => Some("it is not expressible in C".to_owned()),
        _ if is_static => Some("it speaks of a static variable of the function".to_owned()),
        _ => None,
    }
}

/// What is wrong with the condition of a function; why it is not checked, if other files are needed for that.
fn problems(folder: &Path, function: &Value) -> Result<Option<String>, Problem> {
    let missing =
        |what: &str, why: std::io::Error| Problem::Machine(format!("on this machine, {what}: {why}"));
    if let Some(why) = unchecked(function) {
        return Ok(Some(why));
    }
    let field = |name: &str| function[name].as_str().unwrap_or_default();
    let read =
        |path: &str| std::fs::read_to_string(path).map_err(|e| missing(&format!("{path} cannot be read"), e));
    let tests = read(field("file"))?;
    let path = text(&function["span"], "file").to_owned();
    let source = read(&path)?;
    let line = function["span"]["line"].as_u64().ok_or("no line")? as usize;
    let start: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let body = start + source[start..].find('{').ok_or("no body")? + 1;
    let only = function["only_when"].as_str().unwrap_or("1");
    let precondition = function["precondition"].as_str();
    let [fails, passes, may] = [field("constraint"), precondition.unwrap_or("0"), only]
        .map(|text| compilable(&text.replace("true", "1").replace("false", "0")));
    let says = match function["in_c"].as_str() {
        // What is not an expression is the body of a function; what it demands is that it returns 0.
        Some(holds) => {
            let holds =
                compilable(holds).replace("return 1;", "{ footpath_fails = 1; goto footpath_known; }");
            let holds = holds.replace("return 0;", "");
            let passes = if precondition.is_some() { "!footpath_fails" } else { "0" };
            format!(
                "{{ int footpath_fails = 0; {holds} footpath_known: footpath_says(footpath_fails, {passes}, ({may}) ? 1 : 0); }}"
            )
        }
        None => format!("footpath_says(({fails}) ? 1 : 0, ({passes}) ? 1 : 0, ({may}) ? 1 : 0);"),
    };
    let source = format!("{} {says}{}", &source[..body], &source[body..]);
    let include = tests.lines().position(|l| l.starts_with("#include \"") && !l.contains("footpath_"));
    let include = include.ok_or("the tests include no source")?;
    let mut changed = String::new();
    for (i, line) in tests.lines().enumerate() {
        let _ = writeln!(changed, "{}", if i == include { "#include \"source.c\"" } else { line });
    }
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| missing(&format!("{} cannot be written", path.display()), e))
    };
    write("says.h", SAYS)?;
    write("footpath.h", footpath_replay::HEADER)?;
    write("footpath_test.h", TESTS)?;
    write("source.c", &source)?;
    write("tests.c", &changed)?;
    let mut clang = Command::new("clang");
    let flags = ["-w", "-O0", "-g", "-I.", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let beside = Path::new(&path).parent().ok_or("no folder")?;
    clang.current_dir(folder).args(flags).arg("-I").arg(beside).args(["-include", "says.h"]);
    let built = clang
        .args(["tests.c", "-o", "tests", "-lm"])
        .output()
        .map_err(|e| missing("clang does not start", e))?;
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr);
        let compiles = said.lines().all(|l| !l.contains(" error: ") || l.starts_with("clang"));
        if compiles && UNLINKED.iter().any(|words| said.contains(words)) {
            return Ok(Some("functions of other files are needed".to_owned()));
        }
        let said = String::from_utf8_lossy(&built.stderr);
        return Err(Problem::Condition(format!("`{says}` does not compile: {said}")));
    }
    // Those that there was no time to run are listed, and not written.
    let written = tests.lines().filter(|line| line.trim_start().starts_with("{\"")).count();
    if written == 0 {
        return Err(Problem::Condition("no test is written".to_owned()));
    }
    for (i, test) in function["tests"].as_array().ok_or("no tests")?.iter().take(written).enumerate() {
        let mut run = Command::new(folder.join("tests"));
        run.arg((i + 1).to_string()).env("ASAN_OPTIONS", "detect_leaks=0");
        let run = run.output().map_err(|e| missing(&format!("test {} does not start", i + 1), e))?;
        let code = run.status.code().filter(|c| (16..24).contains(c));
        let Some(code) = code else {
            let said = String::from_utf8_lossy(&run.stderr).into_owned();
            let what = format!("test {}: `{says}` was not evaluated: {:?} {said}", i + 1, run.status);
            return Err(Problem::Condition(what));
        };
        let (says_fails, says_passes, says_may) = (code & 1 == 1, code & 2 == 2, code & 4 == 4);
        let fails = test["fails"] == true;
        let is = field("exactness");
        // Of what is only sufficient, C may have no words for a part.
        let is_said = is != "sufficient" || !test["disjunct"].is_null();
        let wrong = match (fails, is) {
            (true, _) if !is_said => says_passes || !says_may,
            (true, _) => !says_fails || says_passes || !says_may,
            // What holds for all failures may hold for others.
            (false, "necessary") => false,
            (false, _) => says_fails || precondition.is_some() && !says_passes,
        };
        if wrong {
            let what = format!("test {}, fails: {fails}: `{says}` ({is}) said {code}: {test}", i + 1);
            return Err(Problem::Condition(what));
        }
    }
    Ok(None)
}

/// Checks the conditions of the functions of a report. Those that cannot be checked are named on standard error.
#[expect(clippy::print_stderr, reason = "what is not compared is said, for whoever looks at the output")]
pub(crate) fn check_conditions(report: &Value, folder: &Path) -> Complaints {
    let mut complaints = Complaints { text: String::new(), is_about_machine: false };
    for function in list(&report["functions"]) {
        let trivial = function["constraint"] == "false" && function["only_when"].is_null();
        if function["file"].is_null() || trivial {
            continue;
        }
        let name = text(function, "name");
        match problems(folder, function) {
            Ok(None) => {}
            Ok(Some(why)) => eprintln!("the condition of {name} is not compiled: {why}"),
            Err(problem) => {
                complaints.is_about_machine |= matches!(problem, Problem::Machine(_));
                let (Problem::Condition(why) | Problem::Machine(why)) = problem;
                let _ = writeln!(complaints.text, "  the condition of {name}: {why}");
            }
        }
    }
    complaints
}
