//! What the system answers, what code that is not here does and passes, and what earlier calls left: nothing that they may do is called
//! infeasible, and tests make them do it where they can. It needs a clang.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for each test, with a source.
fn folder(test: &str, source: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("world").join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    std::fs::write(path.join("source.c"), source).expect("a file can be written");
    path
}

/// What `footpath test` says, with the line of each function in its table.
fn tested(folder: &Path) -> String {
    tested_with(folder, &[])
}

fn tested_with(folder: &Path, args: &[&str]) -> String {
    let footpath = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["test", "source.c", "-o", "out"])
        .args(args)
        .current_dir(folder)
        .output();
    let output = footpath.expect("footpath starts");
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(!said.contains("diverge") && !said.contains("internal error"), "{said}");
    said
}

/// Of a function: blocks and branches covered, failing checks, infeasible places, unknown ones.
fn counts(said: &str, function: &str) -> Vec<String> {
    let line = said.lines().find(|line| line.split_whitespace().next() == Some(function));
    let line = line.unwrap_or_else(|| panic!("{function} is missing: {said}"));
    line.split_whitespace().skip(1).take(5).map(str::to_owned).collect()
}

fn assert_all_covered(said: &str, functions: &[&str]) {
    for function in functions {
        let counts = counts(said, function);
        let all = |part: &String| part.split_once('/').is_some_and(|(covered, all)| covered == all);
        assert!(all(&counts[0]) && all(&counts[1]), "{function} is not covered: {said}");
    }
}

const ERRORS: &str = "\
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int entry(void) { if (errno == 5) return 1; return 0; }

int open_one(const char *path)
{
    errno = 0;
    int which = open(path, O_RDONLY);
    if (which < 0 && errno == EINTR)
        return 7;
    if (which < 0 && errno == ENOENT)
        return 8;
    return which >= 0;
}

int stream(const char *path)
{
    errno = 0;
    FILE *file = fopen(path, \"r\");
    if (!file)
        return errno == EACCES ? 3 : 2;
    fclose(file);
    return 0;
}

int some(int from, char *to)
{
    errno = 0;
    if (read(from, to, 1) < 0 && errno == EAGAIN)
        return 5;
    return 0;
}

long lookup(const char *name, int *kind);
void prepare(void);

int find(const char *name)
{
    int kind;
    errno = 0;
    prepare();
    if (errno)
        return -4;
    if (lookup(name, &kind) < 0) {
        if (errno == ENOENT)
            return -1;
        return errno == EACCES && kind == 4 ? -2 : -3;
    }
    return 0;
}

int allocate(void)
{
    errno = 0;
    void *object = malloc(100);
    if (!object)
    {
        if (errno == ENOMEM)
            return 1;
        return 2;
    }
    free(object);
    return 0;
}

int many(unsigned long n)
{
    /* 24 times that is no size, though the product of the words may be small. */
    if (n < 1000000000000000000UL)
        return 0;
    char *objects = calloc(n, 24);
    if (!objects)
        return 1;
    free(objects);
    return 2;
}
";

#[test]
fn errors_have_any_number() {
    let said = tested(&folder("errors", ERRORS));
    assert_all_covered(&said, &["entry", "open_one", "stream", "some", "find"]);
    // Memory that is used up has one number.
    let counts = counts(&said, "allocate");
    assert_eq!(counts[3..], ["2", "0"], "{said}");
    assert_eq!(self::counts(&said, "many")[2..], ["0", "2", "0"], "{said}");
}

const ANSWERS: &str = "\
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>

static void handler(int number) { (void)number; }

int install(void)
{
    void (*before)(int) = signal(SIGINT, SIG_IGN);
    if (before == SIG_ERR)
        return 2;
    return before != SIG_IGN && signal(SIGINT, handler) != SIG_ERR;
}

int width(void)
{
    struct winsize size;
    memset(&size, 0, sizeof size);
    if (ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

int locked(int which)
{
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    if (fcntl(which, F_GETLK, &lock) < 0)
        return -1;
    return lock.l_pid == 5 ? 2 : 0;
}

int lock(void)
{
    pthread_mutex_t mutex;
    if (pthread_mutex_init(&mutex, 0) != 0)
        return 1;
    return pthread_mutex_lock(&mutex) ? 2 : 0;
}

int now(void)
{
    struct timespec t;
    struct timeval v;
    if (clock_gettime(CLOCK_MONOTONIC, &t))
        return 1;
    if (gettimeofday(&v, 0))
        return 3;
    return time(0) == (time_t)-1 ? 2 : 0;
}

int zone(time_t t)
{
    struct tm *broken_down = localtime(&t);
    if (!broken_down)
        return 4;
    if (broken_down->tm_gmtoff == 3600)
        return 1;
    return broken_down->tm_isdst < 0 ? 3 : 0;
}

int difference(const char *one, const char *other)
{
    FILE *a = fopen(one, \"r\"), *b = fopen(other, \"r\");
    int n = 0;
    if (!a || !b)
        return -1;
    while (getc(a) != EOF)
        n++;
    while (getc(b) != EOF)
        n--;
    return n < 0 ? 1 : 0;
}

int which_ends(FILE *one, FILE *other)
{
    if (feof(one))
        return 0;
    while (getc(one) != EOF)
        ;
    return feof(other) ? 1 : 2;
}
";

#[test]
fn the_system_answers_as_it_likes() {
    let said = tested(&folder("answers", ANSWERS));
    let functions = ["install", "width", "locked", "lock", "now", "zone", "difference", "which_ends"];
    assert_all_covered(&said, &functions);
}

const OUTSIDE: &str = "\
#include <unistd.h>
void keep(int *p);
void act(void);
static int count, never, table[4];
void increase(void) { count++; table[1]++; }
int called_back(void) { count = 0; act(); if (count == 1) return 1; return 0; }
int written_back(void) { table[1] = 0; act(); if (table[1] == 1) return 1; return 0; }
int kept(void) { int x = 0; keep(&x); x = 0; act(); if (x == 1) return 1; return 0; }
int passed(int *p) { if (!p) return 9; *p = 0; act(); if (*p == 1) return 1; return 0; }
int option(int argc, char **argv) { optind = 1; getopt(argc, argv, \"ab:\"); if (optind == 2) return 1; return 0; }
int constant(void) { never = 0; act(); if (never) return 1; return 0; }
int own(void) { int x[3] = {0, 0, 0}; act(); if (x[1]) return 1; return 0; }
";

#[test]
fn code_that_is_not_here_may_change_what_it_can_reach() {
    let said = tested(&folder("outside", OUTSIDE));
    for function in ["called_back", "written_back", "kept", "passed", "option"] {
        assert_eq!(counts(&said, function)[3], "0", "{function}: {said}");
    }
    // What nothing changes, and what nobody was given, stays.
    for function in ["constant", "own"] {
        assert_eq!(counts(&said, function)[3..], ["2", "0"], "{function}: {said}");
    }
}

const KEPT: &str = "\
#include <stdlib.h>
struct pair { int a; struct pair *next; };
static int plain(void) { static int n; n++; if (n == 3) return 1; return 0; }
int shadowed(int k)
{
    static int n = 1;
    if (n++ == k)
        return plain();
    {
        static long n[2];
        if (n[k & 1] == 40)
            return 4;
        n[1] = 40;
    }
    return 0;
}
int record(int k)
{
    static struct pair p = {1, 0};
    p.a = k;
    if (p.next && p.next->a == 9)
        return 1;
    p.next = 0;
    return 0;
}
int own_types(void)
{
    struct own { int a; };
    static struct own s;
    s.a++;
    if (s.a == 2)
        return 1;
    return 0;
}
int never_set(void) { static int zero; if (zero) return 5; return 6; }
int main(int argc, char **argv) { static int runs; runs += argc; if (runs == 77) return 1; return 0; }
";

#[test]
fn static_variables_of_functions_have_what_earlier_calls_left() {
    let folder = folder("kept", KEPT);
    let said = tested(&folder);
    assert_all_covered(&said, &["plain", "shadowed", "record", "main"]);
    // What a test cannot declare keeps its first value, and nothing is claimed of the others.
    assert_eq!(counts(&said, "own_types")[2..], ["0", "0", "2"], "{said}");
    assert!(
        said.contains("one call, before which variables that it keeps have their initial values"),
        "{said}"
    );
    let [_, _, _, infeasible, unknown] = &counts(&said, "never_set")[..] else { panic!("{said}") };
    assert!(infeasible != "0" && unknown == "0", "{said}");
    let made = Command::new("make").args(["-C", "out", "-s"]).current_dir(&folder).output();
    let made = made.expect("make runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

#[test]
fn conditions_of_failure_speak_of_what_earlier_calls_left() {
    let source = "\
#include <stdlib.h>
int table[4];
static struct { int a, b; } both;
void set(int k) { table[k & 3] = k; both.b = k; }
int indexed(int k) { if (table[k & 3] == 7) abort(); return 0; }
int member(int k) { if (both.b == k) abort(); return 0; }
int counts(void) { static int n; if (n++ == 2) abort(); return 0; }
int own_types(void) { struct own { int a; }; static struct own s; if (s.a++ == 2) abort(); return 0; }
";
    let folder = folder("kept-failures", source);
    let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["failures", "source.c", "--format", "json"])
        .current_dir(&folder)
        .output();
    let report: serde_json::Value =
        serde_json::from_slice(&output.expect("footpath starts").stdout).expect("a report");
    let of = |name: &str| {
        let functions = report["functions"].as_array().expect("functions");
        let found = functions.iter().find(|f| f["name"] == name).expect("the function");
        (found["constraint"].as_str().unwrap_or_default(), found["exactness"].as_str().unwrap_or_default())
    };
    assert_eq!(of("indexed"), ("table[k & 3] == 7", "exact"));
    assert_eq!(of("member"), ("both.b == k", "exact"));
    assert_eq!(of("counts"), ("counts::n == 2 || counts::n == INT_MAX", "exact"));
    assert_eq!(of("own_types").1, "sufficient");
}

#[test]
fn pointers_from_outside_may_lead_to_one_object() {
    let source = "\
#include <stddef.h>
struct node { struct node *next; int v; };
struct other { long a; };
int number;
static int hidden;
struct node *get(void);
void take(int *p);
int params(int *a, int *b) { *a = 1; *b = 2; if (*a == 2) return 1; return 0; }
int members(struct node *a, int *b) { a->v = 1; *b = 2; if (a->v == 2) return 1; return 0; }
int bytes(char *a, long *b) { *b = 0; *a = 1; if (*b) return 1; return 0; }
int variable(int *p) { *p = 1; number = 2; if (*p == 2) return 1; return 0; }
int given(struct node *a) { a->v = 1; get()->v = 2; if (a->v == 2) return 1; return 0; }
int linked(struct node *a, struct node *b) { a->v = 1; b->next->v = 2; if (a->v == 2) return 1; return 0; }
int kept(int **where) { int x = 1; take(&x); **where = 2; if (x == 2) return 1; return 0; }
int apart(struct node *a, struct other *b, int *c)
{
    a->next = NULL;
    b->a = 7;
    hidden = *c;
    if (a->next || b->a != 7)
        return 1;
    *c = 5;
    if (hidden != *c && hidden == 5)
        return 2;
    return 0;
}
static int lent;
int *lend(void) { return &lent; }
int borrowed(int *p) { *p = 1; lent = 2; if (*p == 2) return 1; return 0; }
static int inner(int *a, int *b) { *a = 1; *b = 2; if (*a == 2) return 1; return 0; }
int outer(void) { int x, y; return inner(&x, &y); }
";
    let folder = folder("one-object", source);
    let said = tested(&folder);
    for function in ["members", "bytes", "variable", "given", "borrowed"] {
        let counts = counts(&said, function);
        assert_eq!((counts[3].as_str(), counts[4].as_str()), ("0", "2"), "{function}: {said}");
    }
    // Parameters of one type are made to lead to one object, a link leads back to an earlier structure of its type, and a
    // function that nobody has writes into what it is given.
    assert_all_covered(&said, &["params", "linked", "kept"]);
    // Types that have no part in common, and addresses that nobody was given.
    for function in ["apart", "inner"] {
        assert_ne!(counts(&said, function)[3], "0", "{function}: {said}");
    }
}

/// What `footpath verify` says of a source.
fn verified(test: &str, source: &str) -> String {
    let footpath = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["verify", "source.c"])
        .current_dir(folder(test, source))
        .output();
    String::from_utf8_lossy(&footpath.expect("footpath starts").stdout).into_owned()
}

/// The verdict on the assertion of a line.
fn assertion(said: &str, line: u32) -> String {
    let begin = format!("source.c:{line}:");
    let found = said.lines().map(str::trim).find(|l| l.starts_with(&begin) && l.contains(" assert "));
    let found = found.unwrap_or_else(|| panic!("line {line} is missing: {said}"));
    found.split(" assert ").nth(1).unwrap_or_default().trim().to_owned()
}

#[test]
fn addresses_of_what_is_gone_are_those_of_something_else() {
    let source = "\
#include <assert.h>
#include <stdlib.h>
void fresh(void) { char *p = malloc(16), *q = malloc(16); if (p && q) assert(p != q); }
void moved(char *p) { char *q = realloc(p, 20); assert(q != p); }
void again(char *p) { if (!p) return; free(p); char *q = malloc(20); assert(q != p); }
";
    let said = verified("gone", source);
    assert!(assertion(&said, 3).starts_with("verified"), "{said}");
    assert_eq!([4, 5].map(|line| assertion(&said, line)), ["unverified", "unverified"], "{said}");
    // Nothing here frees anything, but what is called may.
    let source = "\
#include <assert.h>
#include <stdlib.h>
void destroy(char *p);
void elsewhere(void) { char *p = malloc(8); destroy(p); char *q = malloc(8); if (p && q) assert(p != q); }
";
    let said = verified("gone-elsewhere", source);
    assert_ne!(assertion(&said, 4), "verified", "{said}");
}

/// Whether objects are still alive that `line`s access is proved under an assumption where code that is not here got at them.
#[test]
fn code_that_is_not_here_may_free_what_it_can_reach() {
    let source = "\
#include <netdb.h>
#include <stdlib.h>
void destroy(int *p);
void look(int n);
int given(int *p) { if (!p) return 0; destroy(p); return *p; }
int kept(int *p) { if (!p) return 0; look(3); return *p; }
int own(void) { int *p = malloc(4); if (!p) return 0; *p = 4; look(1); int r = *p; free(p); return r; }
int passed(void) { int *p = malloc(4); if (!p) return 0; *p = 4; destroy(p); return *p; }
int found(struct addrinfo *a) { if (!a) return 0; freeaddrinfo(a); return a->ai_flags; }
void done(int *p) { destroy(p); free(p); }
";
    let said = verified("lives", source);
    let check = |kind: &str, line: u32, number: usize| -> String {
        let of_kind = |l: &&str| l.split_whitespace().nth(1) == Some(kind);
        let here = |l: &&str| l.contains(&format!("source.c:{line}:"));
        let found: Vec<&str> = said.lines().filter(here).filter(of_kind).collect();
        let verdict = found.get(number).map(|l| l.split_whitespace().skip(2).collect::<Vec<_>>().join(" "));
        verdict.unwrap_or_else(|| panic!("no check {kind} in line {line}: {said}"))
    };
    assert_eq!(check("use_after_free", 7, 1), "verified", "{said}");
    assert_eq!(check("free", 7, 0), "verified", "{said}");
    for (line, number) in [(5, 0), (6, 0), (8, 1), (9, 0)] {
        assert!(check("use_after_free", line, number).starts_with("verified assuming"), "{said}");
        assert!(said.contains(&format!("callees-keep at source.c:{line}:")), "{said}");
    }
    assert_eq!(check("free", 10, 0), "unverified", "{said}");
}

/// Code that is not here may call what this file has, which changes and frees what only this file's variables lead to.
#[test]
fn code_that_is_not_here_may_have_this_file_change_its_memory() {
    let source = "\
#include <assert.h>
#include <stdlib.h>
static int *kept;
void init(void) { kept = malloc(4); if (kept) *kept = 1; }
void set(int n) { if (kept) *kept = n; }
void release(void) { free(kept); kept = 0; }
void other(void);
int changed(void) { int *p = kept; if (!p) return 0; *p = 1; other(); if (*p == 2) return 5; return 6; }
int held(void) { int *p = kept; if (!p) return 0; *p = 1; other(); assert(*p == 1); return 6; }
";
    let said = verified("through", source);
    assert!(assertion(&said, 9).starts_with("verified assuming"), "{said}");
    let lives = said
        .lines()
        .find(|l| l.contains("source.c:9:") && l.contains("use_after_free") && l.contains("assuming"));
    assert!(lives.is_some(), "{said}");
    let said = tested(&folder("through-tests", source));
    assert_eq!(counts(&said, "changed")[3], "0", "{said}");
}

/// A test cannot say where a machine puts an object, so none rests on whether it is where another one was.
#[test]
fn no_test_promises_where_objects_come_to_lie() {
    let source = "\
#include <stdlib.h>

int reused(void)
{
    char *first = malloc(8);
    free(first);
    char *second = malloc(8);
    int same = first == second;
    free(second);
    return same ? 4 : 5;
}

int main(void)
{
    struct link { struct link *next; } *first = malloc(sizeof *first), *second;
    free(first);
    second = malloc(sizeof *second);
    if (first == second)
        free(second);
    free(second);
    return reused();
}
";
    let folder = folder("reused", source);
    for (args, functions) in [(&[][..], ["reused", "main"]), (&["--entry", "main"][..], ["main", "main"])] {
        let said = tested_with(&folder, args);
        assert!(said.contains("values that no test can set"), "{said}");
        for function in functions {
            assert_eq!(counts(&said, function)[3], "0", "{said}");
        }
    }
}

#[test]
fn what_a_callee_changes_is_not_assumed_to_stay() {
    let source = "\
#include <assert.h>
static int count;
static int next(void) { return ++count; }
void log_it(int n);
void calls(void) { int a = next(); int b = next(); assert(a == b); }
void unknown(int *p) { *p = 1; log_it(2); assert(*p == 1); }
";
    let said = verified("callees", source);
    assert_eq!(assertion(&said, 5), "unverified", "{said}");
    assert!(assertion(&said, 6).starts_with("verified"), "{said}");
    assert!(said.contains("callees-keep at source.c:6"), "{said}");
}

#[test]
fn what_a_write_changes_is_verified_under_an_assumption() {
    let source = "\
#include <assert.h>
int f(int *a, int *b) { *a = 1; *b = 2; assert(*a == 1); return 0; }
int g(int *a, float *b) { *a = 1; *b = 2; assert(*a == 1); return 0; }
";
    let said = verified("one-object-verified", source);
    assert!(
        said.contains("distinct-parameters at source.c:2:5: `a` and `b` point to different objects"),
        "{said}"
    );
    assert!(!said.contains("distinct-parameters at source.c:3"), "{said}");
    assert!(!said.contains("  unverified"), "{said}");
}

#[test]
fn what_the_world_decides_can_fail() {
    let source = "\
#include <stdlib.h>
int get(void);
int *getp(void);
int number(void) { int x = get(); if (x > 5) abort(); return x; }
int pointer(void) { int *p = getp(); if (p && *p == 7) abort(); return 0; }
int memory(int n) { char *p = malloc(4); if (!p && n == 3) abort(); free(p); return 1; }
int input(int n) { if (n == 3) abort(); return 1; }
";
    let folder = folder("can-fail", source);
    let failures = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["failures", "source.c"])
        .current_dir(&folder)
        .output();
    let said = String::from_utf8_lossy(&failures.expect("footpath starts").stdout).into_owned();
    let of = |name: &str| {
        let mut lines = said.lines().skip_while(|line| !line.starts_with(&format!("{name} (")));
        lines.nth(1).unwrap_or_else(|| panic!("{name} is missing: {said}")).trim().to_owned()
    };
    assert_eq!(of("number"), "can always fail");
    assert_eq!(of("pointer"), "can always fail");
    assert_eq!(of("memory"), "can fail when n == 3");
    assert_eq!(of("input"), "fails when n == 3");
}

#[test]
fn a_machine_puts_objects_where_it_likes() {
    let source = "\
#include <stdint.h>
static char buffer[16];
int remainder_of(void) { uintptr_t x = (uintptr_t)buffer; if (x % 16 == 8) return 1; return 0; }
int low(void) { int x; uintptr_t a = (uintptr_t)&x; unsigned low = (unsigned)a; if (low == 5) return 1; return 0; }
int order(void) { int x, y; uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y; if (a < b) return 1; return 0; }
int meets(void) { int x[2], y; if (&y == x + 2) return 1; return 0; }
int null(char *p) { if (!p) { uintptr_t x = (uintptr_t)p; if (x & 3) return 1; } return 0; }
int inside(int k) { int x[4], y; if (&y == x + (k & 3)) return 1; return 0; }
int distance(void) { uintptr_t a = (uintptr_t)(buffer + 3), b = (uintptr_t)buffer; if (a - b != 3) return 1; return 0; }
int back(void) { uintptr_t a = (uintptr_t)buffer; char *p = (char *)(a + 1); if (p != buffer + 1) return 1; return 0; }
";
    let folder = folder("places", source);
    let footpath = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["test", "source.c", "-o", "out"])
        .current_dir(&folder)
        .output();
    let said = String::from_utf8_lossy(&footpath.expect("footpath starts").stdout).into_owned();
    assert!(!said.contains("internal error"), "{said}");
    for function in ["remainder_of", "low", "order", "meets"] {
        assert_eq!(counts(&said, function)[3], "0", "{function}: {said}");
    }
    for function in ["null", "inside", "distance", "back"] {
        assert_eq!(counts(&said, function)[3], "2", "{function}: {said}");
    }
}

#[test]
fn where_the_library_waits_others_run() {
    let source = "\
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;
void set(int n) { pthread_mutex_lock(&lock); ready = n; pthread_mutex_unlock(&lock); }
int locks(void) { ready = 0; pthread_mutex_lock(&lock); if (ready == 4) return 1; return 0; }
int waits(sem_t *s) { ready = 0; sem_trywait(s); if (ready == 4) return 1; return 0; }
int sleeps(void) { ready = 0; sleep(1); if (ready == 4) return 1; return 0; }
int fills(int child) { int status = 0; waitpid(child, &status, WNOHANG); if (status == 4) return 1; return 0; }
int unlocks(void) { ready = 3; pthread_mutex_unlock(&lock); if (ready != 3) return 1; return 0; }
";
    let folder = folder("waits", source);
    let said = tested(&folder);
    for function in ["locks", "waits", "sleeps", "fills"] {
        assert_eq!(counts(&said, function)[3], "0", "{function}: {said}");
    }
    assert_eq!(counts(&said, "unlocks")[3], "2", "{said}");
}

/// Others may change what is volatile or atomic; tests find there what they set.
const SHARED: &str = "\
#include <stdatomic.h>

_Atomic int flag;
volatile int state;

int waits(void)
{
    flag = 0;
    if (flag)
        return 1;
    if (atomic_fetch_add(&flag, 1) == 5)
        return 2;
    int expected = 9;
    if (atomic_compare_exchange_strong(&flag, &expected, 1))
        return 3;
    state = 4;
    if (state != 4)
        return 4;
    return 0;
}

int reads(void)
{
    if (flag == 7)
        return 1;
    if (state == 8)
        return 2;
    return 0;
}

int spins(volatile int *ready, int most)
{
    int rounds = 0;
    if (!ready)
        return -2;
    while (!*ready)
        if (++rounds > most)
            return -1;
    return *ready == 42;
}
";

#[test]
fn others_may_change_what_is_volatile_or_atomic() {
    let folder = folder("shared", SHARED);
    let said = tested(&folder);
    assert_all_covered(&said, &["reads", "spins"]);
    // Blocks, branches, failing, infeasible: no test does it, and nothing is said against it.
    assert_eq!(counts(&said, "waits")[..4], ["8/12", "5/10", "0", "0"], "{said}");
    assert!(said.contains("only what others do while it runs"), "{said}");
    let whole = "volatile int level = 128;\nint main(void) { if (level != 128) return 1; return 0; }\n";
    std::fs::write(folder.join("source.c"), whole).expect("a file can be written");
    let said = tested_with(&folder, &["--entry", "main"]);
    assert_eq!(counts(&said, "main")[2..4], ["0", "0"], "{said}");
}

/// Arms of `?:` without code, and a macro that becomes the same.
const CHOICES: &str = "\
#define CLAMPED(x) ((x) > 100 ? 100 : 1)
#define NONE 0

int three(void) { return 3; }

int chooses(int x)
{
    int a = 1, b = 2;
    int *p = x > 5 && x < 3 ? &a : &b;
    int q = three() ? a : b;
    if (x < 50)
        q += CLAMPED(x);
    return *p + q + NONE;
}
";

#[test]
fn conditions_of_choices_are_findings_but_for_those_of_macros() {
    let said = tested(&folder("choices", CHOICES));
    assert_eq!(counts(&said, "chooses")[2..], ["0", "2", "0"], "{said}");
    assert!(said.contains("source.c:9:23") && said.contains("source.c:10:13"), "{said}");
}

/// A macro with an arm that is there for the types of its arguments only, as musl's `isdigit` has one.
const ARMS_OF_MACROS: &str = "\
int is_digit(int);
#define DIGIT(c) (0 ? is_digit(c) : (unsigned)(c) - '0' < 10)
#define PUSH(stack, n, x) ((n) < 4 ? ((stack)[(n)++] = (x), 1) : (is_digit(x), 0))

int counts(int a, int b)
{
    int n = 0;
    if (!DIGIT(a))
        n++;
    if (a > 0 && (DIGIT(a) || DIGIT(b)))
        n += 2;
    if (a > 5 && !DIGIT(5 + '0'))
        n += 4;
    if (b == 7 || (a == 3 && b != 2) || !DIGIT(b))
        n += 8;
    return n;
}

int pushes(int n, int x)
{
    int stack[4] = {0};
    if (n < 0 || !PUSH(stack, n, x))
        return -1;
    return n;
}
";

#[test]
fn arms_of_macros_are_no_findings_where_they_are_negated_or_joined() {
    let said = tested(&folder("arms", ARMS_OF_MACROS));
    let found: Vec<&str> = said.lines().filter(|line| line.contains("--> ")).collect();
    assert!(found.len() == 1 && found[0].contains(":12:"), "{said}");
    assert!(said.contains("code of macros that no input needs here"), "{said}");
}

#[test]
fn negations_are_told_as_the_source_asks() {
    let source =
        "int never(int c)\n{\n    if (!(c * 0 == 0))\n        return 1;\n    return c > 3 && !(c > 2);\n}\n";
    let said = tested(&folder("negations", source));
    assert!(said.contains("never true") && !said.contains("never false"), "{said}");
}

#[test]
fn what_is_said_of_defensive_code_names_its_bound() {
    let source = "\
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    for (int i = 0; i < 64; i++)
        x = (x * x) ^ (x >> 3) ^ 0x9e3779b9u;
    if (x == 4169551681u)
        abort();
    return 0;
}
";
    let folder = folder("bounded", source);
    let said = tested_with(&folder, &["--entry", "main", "--timeout", "5"]);
    assert!(!said.contains("defensive code that no input needs"), "{said}");
}
