//! `footpath test` as its users run it. It needs a clang.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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

/// A folder of its own for each test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suite").join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file can be written");
}

/// Runs `footpath test` in a folder, and demands the exit code and that each of `words` is said.
fn check(folder: &Path, args: &[&str], code: i32, words: &[&str]) -> Output {
    let footpath =
        Command::new(env!("CARGO_BIN_EXE_footpath")).arg("test").args(args).current_dir(folder).output();
    let output = footpath.expect("footpath starts");
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not said: {args:?}\n{said}");
    }
    output
}

/// Builds and runs the tests in `out` as users do; what was said.
fn make(folder: &Path) -> String {
    let made = Command::new("make").args(["-C", "out"]).current_dir(folder).output().expect("make starts");
    let said = format!("{}{}", String::from_utf8_lossy(&made.stdout), String::from_utf8_lossy(&made.stderr));
    assert!(made.status.success(), "{said}");
    said
}

#[test]
fn tests_are_written_that_pass_and_reports_of_every_kind() {
    let folder = folder("all");
    write(&folder, "half.c", HALF);
    let args = ["half.c", "-o", "out", "--emit", "c,json,html,sarif,lcov", "--", "-DLIMIT=3"];
    let words =
        ["half.c:5:16", "fails[division]", "infeasible[dead-code]", "never executed", "contradicts it"];
    check(&folder, &args, 0, &words);
    for name in [
        "half_half.c",
        "footpath_test.c",
        "footpath_test.h",
        "CMakeLists.txt",
        "report.json",
        "report.html",
        "report.sarif",
        "report.info",
    ] {
        assert!(folder.join("out").join(name).is_file(), "{name} is missing");
    }
    assert!(make(&folder).contains("ok half.2"));
    // A second run with less leaves no test of the first one behind.
    check(&folder, &["half.c", "-o", "out", "--function", "lonely", "--", "-DLIMIT=3"], 0, &["lonely"]);
    assert!(!folder.join("out/half_half.c").exists() && folder.join("out/half_lonely.c").exists());
}

#[test]
fn the_same_input_gives_the_same_tests() {
    let folder = folder("same");
    write(&folder, "half.c", HALF);
    let tests = || {
        check(&folder, &["half.c", "-o", "out", "--", "-DLIMIT=3"], 0, &[]);
        std::fs::read_to_string(folder.join("out/half_half.c")).expect("tests")
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
    check(&folder, &[own], 2, &["this is no text"]);
    write(&folder, "notes.txt", "int one(int n) { return n > 3; }\n");
    check(&folder, &["notes.txt"], 2, &["notes.txt", "does not end in `.c`"]);
    check(&folder, &["half.c"], 2, &["LIMIT"]);
    check(&folder, &["half.c", "good.c"], 2, &["LIMIT", "half.c does not compile", "one"]);
    check(&folder, &["good.c", "--clang", "no-such-clang"], 2, &["no-such-clang"]);
    check(&folder, &["good.c", "--function", "on"], 2, &["no function `on`", "there is one"]);
    check(&folder, &["good.c", "--check", "nul"], 2, &["`nul` is not one of all, none, null"]);
    check(&folder, &["good.c", "--emit", "pdf"], 2, &["c, json, html, sarif, lcov"]);
}

#[test]
fn denied_verdicts_exit_with_1() {
    let folder = folder("denied");
    write(&folder, "half.c", HALF);
    let with = |deny: &str, code, words: &[&str]| {
        check(&folder, &["half.c", "--function", "half", "--deny", deny, "--", "-DLIMIT=1"], code, words)
    };
    with("infeasible", 1, &["denied: 2 infeasible"]);
    with("failing,unknown", 1, &["denied: 1 failing"]);
    with("unknown", 0, &[]);
}

#[test]
fn a_baseline_silences_what_is_known_until_the_function_changes() {
    let folder = folder("baseline");
    write(&folder, "half.c", HALF);
    let with = |flags: &[&str], code, words: &[&str]| {
        let fixed = ["half.c", "--function", "half"];
        let args = [&fixed, flags, &["--deny", "infeasible,failing", "--", "-DLIMIT=1"]].concat();
        check(&folder, &args, code, words)
    };
    with(&["--write-baseline", "known"], 1, &["denied: 2 infeasible", "1 failing"]);
    with(&["--baseline", "known"], 0, &["3 findings in the baseline"]);
    // Code above may move.
    write(&folder, "half.c", &format!("int above;\n\n{HALF}"));
    with(&["--baseline", "known"], 0, &["3 findings in the baseline"]);
    write(&folder, "half.c", &HALF.replace("100", "99"));
    with(&["--baseline", "known"], 1, &["denied: 2 infeasible", "3 entries are stale"]);
    write(&folder, "nonsense", "infeasible\n");
    with(&["--baseline", "nonsense"], 2, &["nonsense:1: this is no entry of a baseline"]);
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
    // The shell's own: a plain machine has no such program.
    let kill = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status();
    assert!(kill.is_ok_and(|s| s.success()), "the run is still going on");
    let output = child.wait_with_output().expect("footpath ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted:") && folder.join("footpath-out/Makefile").is_file(), "{said}");
}

const STRUCTURES: &str = "\
struct small { char a, b; short c; };
struct mixed { double x; int n; };
struct link { struct mixed *next; long k; };
struct large { int a[6]; char name[8]; };
int in_registers(struct small s, struct mixed m, int k)
{
    if (s.a == 7 && s.c > 1000 && m.x > 2.5 && m.n == k)
        return 1;
    return 0;
}
int leads_on(struct link l)
{
    if (l.next && l.next->n == l.k)
        return 1;
    return 0;
}
struct large in_memory(struct large l, struct small s)
{
    if (l.a[1] == s.c && s.c == 55)
        l.a[0] = 3;
    return l;
}
";

#[test]
fn structures_are_passed_and_returned_by_value() {
    let folder = folder("structures");
    write(&folder, "structures.c", STRUCTURES);
    let output =
        check(&folder, &["structures.c", "-o", "out"], 0, &["in_registers", "leads_on", "in_memory"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for word in ["diverge", "unknown:", "infeasible["] {
        assert!(!said.contains(word), "{said}");
    }
    make(&folder);
}

/// What tests cannot set decides nothing that they promise: memory that nobody has written, a pointer that a function
/// that nobody has returns when it is called through a pointer.
const OPEN: &str = "\
#include <stdlib.h>
int many(int n)
{
    if (MB_CUR_MAX > 1)
        return n > 3;
    return 0;
}
void error(int status, int number, const char *format, ...);
int quit(int status)
{
    error(status, 0, \"quit\");
    return status;
}
__attribute__((const)) long double cut(long double x, int n)
{
    if (n > 3)
        return x;
    return 1;
}
struct value { int kind; union { struct { int size, used; long *digits; } n; char *s; } u; };
int is_zero(struct value *v)
{
    if (v->kind == 0)
        return v->u.n.size == 0;
    if (v->u.s[0] == '0')
        return 1;
    return 0;
}
struct writer { int n; char *text; };
struct reader { long counts[9]; int n; };
struct file { void *state; };
int reads(struct file *f)
{
    struct reader *r = f->state;
    return r->counts[3] > 7;
}
int writes(struct file *f)
{
    struct writer *w = f->state;
    if (w->text[0] == 'w')
        free(f->state);
    return 0;
}
#include <stddef.h>
struct stream { const char *(*reader)(size_t *size); };
void *maker(int n);
int fill(struct stream *s)
{
    size_t size;
    const char *text = s->reader(&size);
    if (text == NULL || size == 0)
        return -1;
    return *text;
}
int make(void *(*f)(int))
{
    if (!f)
        f = maker;
    char *made = f(3);
    if (made && made[1] == 5)
        return 1;
    return 0;
}
/* The compiler branches on constants here. */
int choose(int kind, double *to)
{
    if ((kind == 3 ? (*to = 1.0, 1) : kind == 4 ? (*to = 2.0, 1) : 0) && *to > 1.5)
        return 1;
    return 0;
}
/* Nobody has `begin`, and what it is given is too large for a test to fill. */
struct text { unsigned long used, size; char room[100]; };
void begin(struct text *t);
int put(void)
{
    struct text t;
    begin(&t);
    if (t.used < t.size)
        return 1;
    return 0;
}
int width(unsigned n)
{
    return __builtin_clz(n) > 31 ? 1 : 0;
}
int trailing(unsigned n)
{
    return n == 0 && __builtin_ctz(n) == 32 ? 1 : 0;
}
int fortieth(unsigned long long n)
{
    if (__builtin_ctzll(n) == 40)
        return 1;
    return 0;
}
static unsigned highest(unsigned n)
{
    return __builtin_clz(n) ^ 31;
}
int least(unsigned size, unsigned most, unsigned limit)
{
    unsigned a = highest(size) + 1, b = highest(most) + 2, bits = a < b ? a : b;
    if (bits > limit)
        return 1;
    return bits < 5 ? 2 : 3;
}
void scribble(unsigned char *to);
int halves(int (*callback)(int))
{
    unsigned char half[2][64];
    if (callback && callback(3) == 4)
        return 2;
    scribble(half[0]);
    scribble(half[1]);
    if (memcmp(half[0], half[1], 16) == 0)
        return 1;
    return 0;
}
";

/// NaNs differ in bits that programs look at; numbers too large for an integer become what x86 makes of them.
const FLOATS: &str = "#include <stdint.h>
int payload(double x)
{
    union { double number; uint64_t bits; } u = {.number = x};
    return u.bits == 0x7ff8000000000001 ? 1 : u.bits == 0xfff8000000000000 ? 2 : u.bits == 0x7ff0000000000003 ? 3 : 0;
}
int single(float x)
{
    union { float number; uint32_t bits; } u = {.number = x};
    return u.bits == 0xffc00001 ? 1 : u.bits == 0x7f800009 ? 2 : 0;
}
int narrow(double x)
{
    int n = (int)x;
    if (n == -2147483647 - 1)
        return x > 3e9 ? 1 : 3;
    return x < 7.5 && n == 7 ? 2 : 0;
}
int wide(float x)
{
    uint64_t n = (uint64_t)x;
    if (x < 0)
        return n > 5 ? 1 : 4;
    return n == 1ull << 63 && x != x ? 2 : n == 0xffffff0000000000 ? 3 : 0;
}
int byte(float x)
{
    return x > 256 && (uint8_t)x == 3 ? 1 : 0;
}
";

#[test]
fn bits_of_numbers_are_those_that_tests_find() {
    let folder = folder("floats");
    write(&folder, "floats.c", FLOATS);
    let args = ["floats.c", "-o", "out", "--format", "json"];
    let output = check(&folder, &args, 0, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let functions = report["functions"].as_array().expect("functions");
    assert_eq!(functions.len(), 5, "{report}");
    for function in functions {
        let objectives = function["objectives"].as_array().expect("objectives");
        let left: Vec<_> = objectives.iter().filter(|o| o["verdict"] != "covered").collect();
        assert!(objectives.len() > 2 && left.is_empty(), "{}: {left:?}", function["name"]);
    }
}

#[test]
fn no_test_promises_what_it_cannot_decide() {
    let folder = folder("open");
    write(&folder, "open.c", OPEN);
    let names = [
        "fill",
        "many",
        "writes    3/3",
        "quit",
        "is_zero   6/6",
        "cut       4/4",
        "make",
        "choose",
        "put",
        "width",
        "trailing",
        "least",
        "fortieth  4/4",
        "halves",
        "zeros of zero are counted",
    ];
    let output = check(&folder, &["open.c", "-o", "out"], 0, &names);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("diverge"), "{said}");
}

#[test]
fn sanitizers_watch_tests_that_reach_little_of_their_source() {
    let folder = folder("little");
    let text = "static const char *const names[] = {\"one\", \"two\"};
const char *name_of(unsigned n)
{
    return n < 2 ? names[n] : \"many\";
}
int twice(int n)
{
    return n * 2;
}
";
    write(&folder, "little.c", text);
    let output =
        check(&folder, &["little.c", "--function", "twice", "-o", "out", "--format", "json"], 0, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let objectives = report["functions"][0]["objectives"].as_array().expect("a list");
    let overflow = objectives.iter().find(|o| o["kind"] == "overflow").expect("a check");
    assert_eq!((&overflow["verdict"], &overflow["confirmed"]), (&"covered".into(), &true.into()), "{report}");
}

#[test]
fn tests_run_no_longer_than_their_function_has_time() {
    let folder = folder("time");
    let text = "int turns(int n)
{
    int turn = 0;
    if (n == 1)
        for (;;)
            turn ^= 1;
    return turn;
}
";
    write(&folder, "time.c", text);
    let args = ["time.c", "-o", "out", "--timeout", "2", "--format", "json"];
    let output = check(&folder, &args, 0, &["\"divergences\": 0"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let objectives = report["functions"][0]["objectives"].as_array().expect("a list");
    let endless: Vec<_> = objectives.iter().filter(|o| o["span"]["line"] == 5).collect();
    assert!(!endless.is_empty() && endless.iter().all(|o| o["verdict"] == "covered"), "{report}");
}

#[test]
fn functions_that_there_is_no_time_for_are_left_out_and_counted() {
    let folder = folder("total");
    write(&folder, "half.c", HALF);
    let args = ["half.c", "-o", "out", "--total-timeout", "0.001", "--", "-DLIMIT=3"];
    check(&folder, &args, 0, &["2 of 2 functions were not begun"]);
}

#[test]
fn lists_of_variable_arguments_are_made_as_inputs() {
    let folder = folder("va-list");
    let text = "#include <stdarg.h>
int first_is_77(va_list ap)
{
    int first = va_arg(ap, int);
    if (first == 77)
        return 1;
    return 0;
}
";
    write(&folder, "list.c", text);
    let output = check(&folder, &["list.c", "-o", "out", "--format", "json"], 0, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let objectives = report["functions"][0]["objectives"].as_array().expect("a list");
    let found = objectives.iter().find(|o| o["kind"] == "block" && o["span"]["line"] == 6);
    assert_eq!(found.expect("the block of the first return")["verdict"], "covered", "{report}");
    assert!(objectives.iter().all(|o| o["kind"] != "check" || o["verdict"] != "covered"), "{report}");
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

/// What a report says of objectives.
fn verdicts(output: &Output) -> Vec<String> {
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let functions = report["functions"].as_array().expect("functions").iter();
    let objectives = functions.flat_map(|f| f["objectives"].as_array().expect("objectives").clone());
    objectives.map(|o| format!("{} {}", o["id"], o["verdict"])).collect()
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
    assert!(folder.join("out/layers_middle.c").is_file());
    let refused = cover(&["--criterion", "path"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--criterion path is for Boogie programs"));
}

#[test]
fn a_function_that_nobody_has_does_not_return_where_it_is_said_not_to() {
    let folder = folder("noreturn");
    let source = "\
__attribute__((noreturn)) void die(const char *why);
int checked(int n) { if (n < 0) die(\"negative\"); return n > 5; }
/* Where `die` would go on if it did. */
int behind(int n) { return checked(n) + 1; }
";
    write(&folder, "die.c", source);
    let args = ["die.c", "--function", "checked", "-o", "out", "--format", "json"];
    let output = check(&folder, &args, 0, &["\"exited\"", "\"divergences\": 0"]);
    let json = String::from_utf8_lossy(&output.stdout);
    assert!(!json.contains("\"verdict\": \"unknown\""), "{json}");
    assert!(make(&folder).contains("ok checked.2"));
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

/// Pointers that lead into one object, an address before null, and what lies between the members of a structure.
const ADDRESSES: &str = "\
struct small { void *next; unsigned char tag; };
struct large { void *next; unsigned char tag; unsigned short count; };
union any { struct small s; struct large l; };
int kind(struct small *s)
{
    if (((union any *)s)->l.count == 77)
        return 2;
    return 0;
}
int digits(const char *p, const char *end)
{
    int n = 0;
    while (p < end) {
        if (*p >= '0' && *p <= '9')
            n++;
        p++;
    }
    if (n == 1)
        return 9;
    return 0;
}
struct range { const int *first, *last; };
int sum(struct range *r)
{
    int n = 0;
    for (const int *p = r->first; p != r->last; p++)
        n += *p;
    if (n == 12345)
        return 8;
    return 0;
}
int overlap(char *to, const char *from)
{
    if (from < to && to < from + 3)
        return 7;
    return 0;
}
struct bounds { char *end; };
int behind(struct bounds *b, char *p)
{
    if (p >= b->end - 1)
        return 1;
    return 6;
}
";

#[test]
fn pointers_may_lead_into_one_object() {
    let folder = folder("addresses");
    write(&folder, "addresses.c", ADDRESSES);
    let args = ["addresses.c", "-o", "out", "--format", "json", "--timeout", "30"];
    let output = check(&folder, &args, 0, &["\"divergences\": 0"]);
    let json = String::from_utf8_lossy(&output.stdout);
    for value in ["2", "9", "8", "7", "6"] {
        assert!(json.contains(&format!("\"{value}\"")), "nothing returned {value}: {json}");
    }
    assert!(make(&folder).contains("ok digits.1"));
    let tests = || std::fs::read_to_string(folder.join("out/addresses_digits.c")).expect("tests");
    assert!(tests().contains("(void *)(p_object + "), "{}", tests());
    check(&folder, &[&args[..], &["--no-sharing", "--function", "digits"]].concat(), 0, &[]);
    assert!(!tests().contains("p_object + "), "{}", tests());
}

const LONG_TEXT: &str = "\
int is_address(const char *s)
{
    int dots = 0, digits = 0;
    for (; *s; s++) {
        if (*s == '.') {
            if (digits != 3)
                return -1;
            dots++;
            digits = 0;
        } else if (*s >= '0' && *s <= '9')
            digits++;
        else
            return -2;
    }
    if (dots == 3 && digits == 3)
        return 1;
    return 0;
}
";

#[test]
fn what_needs_longer_text_than_usual_is_reached() {
    let folder = folder("longer");
    write(&folder, "address.c", LONG_TEXT);
    let args = ["address.c", "-o", "out", "--format", "json", "--timeout", "30"];
    let output = check(&folder, &args, 0, &["\"divergences\": 0"]);
    let is_check = |v: &String| ["null", "bounds", "overflow"].iter().any(|kind| v.contains(kind));
    let open: Vec<String> =
        verdicts(&output).into_iter().filter(|v| !v.contains("covered") && !is_check(v)).collect();
    assert!(open.is_empty(), "{open:?}");
    // Fifteen characters and the end.
    assert!(make(&folder).contains("ok is_address"));
}

const VARIABLE: &str = r#"
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct pair { long a, b; };

int format(char *out, const char *how, ...)
{
    va_list list;
    int n = 0;
    va_start(list, how);
    for (; *how; how++)
        if (*how == 'd') {
            if (va_arg(list, int) == -5)
                n += 1;
        } else if (*how == 'f') {
            if (va_arg(list, double) > 1.5)
                n += 2;
        } else if (*how == 's') {
            const char *text = va_arg(list, const char *);
            if (text && *text == 'x')
                n += 3;
        } else if (*how == 'p') {
            struct pair pair = va_arg(list, struct pair);
            if (pair.a == pair.b + 3)
                n += 4;
        }
    va_end(list);
    return n;
}

int last(int n, ...)
{
    va_list list;
    int found = 0;
    va_start(list, n);
    while (n-- > 0)
        found = va_arg(list, int);
    va_end(list);
    if (found == 1234)
        return 1;
    return 0;
}

int note(int level, const char *how, ...)
{
    va_list list;
    if (level > 3)
        return -1;
    va_start(list, how);
    int n = vfprintf(stderr, how, list);
    va_end(list);
    if (n < 0)
        return -2;
    return 0;
}

static int lonely(int n)
{
    if (n > 7)
        return 1;
    return 0;
}
"#;

#[test]
fn functions_are_called_with_variable_arguments() {
    let folder = folder("variable");
    write(&folder, "variable.c", VARIABLE);
    let args = ["variable.c", "-o", "out", "--format", "json", "--timeout", "30"];
    let output = check(&folder, &args, 0, &["\"divergences\": 0"]);
    let is_check = |v: &String| ["null", "bounds", "overflow"].iter().any(|kind| v.contains(kind));
    // A ninth floating-point number is nowhere near in text of eight characters.
    let is_open = |v: &String| !v.contains("covered") && !is_check(v) && !v.contains("L18.");
    let open: Vec<String> = verdicts(&output).into_iter().filter(is_open).collect();
    assert!(open.is_empty(), "{open:?}");
    let made = make(&folder);
    for function in ["format", "last", "note", "lonely"] {
        assert!(made.contains(&format!("ok {function}.1")), "{made}");
    }
    let tests = std::fs::read_to_string(folder.join("out/variable_last.c")).expect("tests");
    // The function looks at the lower half of what is passed.
    let passed = tests.split([',', '(', ' ']).filter_map(|word| word.strip_suffix('L')?.parse::<i64>().ok());
    assert!(passed.into_iter().any(|n| n as u32 == 1234), "{tests}");
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
    assert!(make(&folder).contains("ok half.1"));
}

const GIVEN: &str = "\
#include <stdlib.h>
struct entry { long a, b; };
void *make(size_t size);
void *insert(void *set, void *entry);
void give_up(void);
static void *set;
int visit(long a, long b)
{
    struct entry *own = make(sizeof *own), *found;
    if (!own)
        return -1;
    own->a = a;
    own->b = b;
    found = insert(set, own);
    if (!found)
        give_up();
    if (found != own) {
        free(own);
        return 1;
    }
    return 0;
}
int large(void)
{
    char *text = make(500);
    if (text && text[400] == 'x')
        return 1;
    return 0;
}
";

#[test]
fn functions_that_nobody_has_give_any_pointer() {
    let folder = folder("given");
    write(&folder, "given.c", GIVEN);
    let output = check(&folder, &["given.c", "-o", "out"], 0, &["visit", "large"]);
    let said = String::from_utf8_lossy(&output.stdout);
    // What `insert` gives may be what it was given, and what `make` gives may be larger than what tests have.
    assert!(!said.contains("infeasible[") && !said.contains("diverge"), "{said}");
    assert!(make(&folder).contains("ok visit.1"));
    let footpath = Command::new(env!("CARGO_BIN_EXE_footpath"));
    let verified = { footpath }.args(["verify", "given.c"]).current_dir(&folder).output().expect("it starts");
    let said = String::from_utf8_lossy(&verified.stdout);
    let sizes: Vec<&str> = said.lines().filter(|line| line.contains("bounds")).collect();
    assert!(!sizes.is_empty() && sizes.iter().all(|line| line.ends_with("unverified")), "{said}");
}

#[test]
fn what_is_another_files_own_is_not_set() {
    let folder = folder("own");
    write(
        &folder,
        "state.c",
        "static int state;\nint get(void) { return state; }\nvoid put(int n) { state = n; }\n",
    );
    let user =
        "int get(void);\nvoid put(int);\nint pass(int n) { put(n); if (get() == 7) return 2; return 0; }\n";
    write(&folder, "user.c", user);
    let output = check(&folder, &["user.c", "state.c", "-o", "out", "--format", "json"], 0, &[]);
    assert!(verdicts(&output).iter().all(|verdict| verdict.contains("covered")), "{:?}", verdicts(&output));
    assert!(make(&folder).contains("ok pass.2"));
}

const OPTIONS: &str = r#"
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int option, verbose = 0, count = 1;
    while ((option = getopt(argc, argv, "vn:")) != -1) {
        switch (option) {
        case 'v':
            verbose++;
            break;
        case 'n':
            count = atoi(optarg);
            if (count < 1)
                return 2;
            break;
        default:
            return 1;
        }
    }
    if (optind >= argc)
        return 3;
    return count == 7;
}
"#;

#[test]
fn options_of_the_command_line_are_found() {
    let folder = folder("options");
    write(&folder, "options.c", OPTIONS);
    let args = ["options.c", "-o", "out", "--entry", "main", "--format", "json", "--timeout", "30"];
    let output = check(&folder, &args, 0, &["\"divergences\": 0"]);
    let is_open = |v: &String| !v.contains("covered") && !v.contains("overflow");
    let open: Vec<String> = verdicts(&output).into_iter().filter(is_open).collect();
    assert!(open.is_empty(), "{open:?}");
    make(&folder);
}
