//! Which inputs `footpath test` finds for functions, and what it says where it finds none. It needs a clang.

use std::process::Command;

use super::testing::{check, folder, make, verdicts, write};

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
        "leading or trailing zeros is zero",
    ];
    let output = check(&folder, &["open.c", "-o", "out"], 0, &names);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("diverge"), "{said}");
    // Whatever is in the text that nobody fills, and which part of it is less.
    let put = std::fs::read_to_string(folder.join("out/open_put.c")).expect("the tests of put");
    assert!(put.contains("FOOTPATH_SHOW_INT") && !put.contains("FOOTPATH_EXPECT_INT"), "{put}");
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

/// Whether a verdict is about a check, those of library functions at their calls among them.
fn is_check(verdict: &str) -> bool {
    ["null", "bounds", "overflow", "overlap", "constant"].iter().any(|kind| verdict.contains(kind))
}

#[test]
fn functions_are_called_with_variable_arguments() {
    let folder = folder("variable");
    write(&folder, "variable.c", VARIABLE);
    let args = ["variable.c", "-o", "out", "--format", "json", "--timeout", "30"];
    let output = check(&folder, &args, 0, &["\"divergences\": 0"]);
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
    let is_open = |v: &String| !v.contains("covered") && !is_check(v);
    let open: Vec<String> = verdicts(&output).into_iter().filter(is_open).collect();
    assert!(open.is_empty(), "{open:?}");
    make(&folder);
}

const SHARED: &str = "\
struct node { struct node *next; int value; };
struct pair { int *left, *right; };
int numbers(int *a, int *b)
{
    *a = 1;
    *b = 2;
    if (*a == 2)
        return 21;
    return 0;
}
int nodes(struct node *p, struct node *q)
{
    p->value = 5;
    q->value = 6;
    if (p->value == 6)
        return 22;
    return 0;
}
int copied(char *to, const char *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i];
    if (n > 2 && from[1] != to[1])
        return 23;
    return 0;
}
int linked(struct pair *p)
{
    *p->left = 7;
    *p->right = 8;
    if (*p->left == 8)
        return 24;
    return 0;
}
int promised(int *restrict a, int *restrict b)
{
    *a = 1;
    *b = 2;
    if (*a == 2)
        return 25;
    return 0;
}
int unrelated(int *a, const unsigned short *b)
{
    *a = 1;
    return *b == 3;
}
int same(struct node *a, struct node *b)
{
    while (a && b) {
        if (a->value != b->value)
            return 0;
        a = a->next;
        b = b->next;
    }
    return a == b;
}
";

#[test]
fn pointers_into_one_object_are_tried_where_nothing_else_helps() {
    let folder = folder("shared");
    write(&folder, "shared.c", SHARED);
    let args = ["shared.c", "-o", "out", "--format", "json", "--timeout", "20"];
    let output = check(&folder, &args, 0, &["\"divergences\": 0"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut covered = 0;
    let functions = report["functions"].as_array().expect("functions").iter();
    for objective in functions.filter(|f| f["name"] != "promised").flat_map(objectives) {
        let (kind, verdict) = (text(objective, "kind"), text(objective, "verdict"));
        let is_code = kind == "block" || kind.starts_with("branch");
        assert!(!is_code || verdict == "covered", "{objective}");
        // What lies behind an object is of no interest to a program that never moves a pointer on.
        let line = objective["span"]["line"].as_u64().expect("a line");
        assert!(kind != "bounds" || verdict != "covered" || (21..25).contains(&line), "{objective}");
        covered += usize::from(verdict == "covered");
    }
    assert!(covered > 40, "{covered}");
    let json = String::from_utf8_lossy(&output.stdout);
    for value in ["21", "22", "23", "24"] {
        assert!(json.contains(&format!("\"{value}\"")), "nothing returned {value}: {json}");
    }
    assert!(!json.contains("\"25\""), "what a caller promises is broken: {json}");
    make(&folder);
    let apart = [&args[..], &["--no-sharing", "--function", "numbers"]].concat();
    let output = check(&folder, &apart, 0, &["\"divergences\": 0"]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("\"21\""), "no two pointers share an object");
}

fn objectives(function: &serde_json::Value) -> &[serde_json::Value] {
    function["objectives"].as_array().expect("objectives")
}

fn text<'a>(value: &'a serde_json::Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}
