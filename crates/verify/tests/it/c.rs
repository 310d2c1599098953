//! Functions in C, as clang makes them. Needs a clang.

use super::support::{lowered_but, verified, words};
use footpath_frontend::c;
use footpath_verify::{AssumptionKind, Options};

const FUNCTIONS: &str = "\
#include <stdlib.h>
int fixed(void)
{
    int t[10], s = 0;
    for (int i = 0; i < 10; i++)
        t[i] = i;
    for (int i = 9; i >= 0; i--)
        s ^= t[i];
    return s;
}
int heap(int n)
{
    if (n <= 0 || n > 1000)
        return 0;
    int *a = malloc(n * sizeof *a);
    if (!a)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    int r = a[n - 1];
    free(a);
    return r;
}
int matrix[4][5];
int sum(void)
{
    int s = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            s ^= matrix[i][j];
    return s;
}
int remainder_of(unsigned k)
{
    int t[7] = { 0 };
    return t[k % 7] + t[k & 3];
}
int beyond(unsigned k)
{
    int t[4] = { 1, 2, 3, 4 };
    return t[k];
}
int off_by_one(int n)
{
    int t[8];
    for (int i = 0; i <= 8; i++)
        t[i] = n;
    return t[0];
}
int next(int *p)
{
    return *p + 1;
}
";

/// A line for each check of each function: the function, the kind, the verdict, the kinds of assumptions.
fn verdicts(test: &str, text: &str, options: &Options) -> Vec<String> {
    verdicts_with(test, text, options, &[])
}

/// The same, if some of the functions are those of a library.
fn verdicts_with(test: &str, text: &str, options: &Options, library: &[&str]) -> Vec<String> {
    let lowering = c::Options { conservative_externals: true, ..c::Options::default() };
    let lowered = lowered_but(test, text, &[], &lowering, library);
    let found = verified(&lowered, options);
    let mut lines = Vec::new();
    for body in &found.bodies {
        let name = &lowered.program[body.procedure].name;
        for check in &body.checks {
            lines.push(format!("{name} {} {}", check.kind, words(body, &check.verdict)));
        }
    }
    lines
}

#[test]
fn loops_over_arrays_are_verified_without_assumptions() {
    let sound = Options { assume: std::collections::BTreeSet::new(), ..Options::default() };
    let found = verdicts("sound", FUNCTIONS, &sound);
    for function in ["fixed", "heap", "sum", "remainder_of"] {
        let own: Vec<&String> = found.iter().filter(|l| l.starts_with(&format!("{function} "))).collect();
        let open: Vec<&&String> =
            own.iter().filter(|l| !l.ends_with(" verified") && !l.contains(" overflow ")).collect();
        assert!(!own.is_empty() && open.is_empty(), "{function}: {open:#?} of {own:#?}");
    }
    assert!(found.contains(&"beyond bounds unverified".to_owned()), "{found:#?}");
    assert!(found.contains(&"off_by_one bounds unverified".to_owned()), "{found:#?}");
    assert!(found.contains(&"next null unverified".to_owned()), "{found:#?}");
}

#[test]
fn a_parameter_is_followed_under_an_assumption() {
    let found = verdicts("assumed", FUNCTIONS, &Options::default());
    for kind in ["null", "bounds"] {
        assert!(found.contains(&format!("next {kind} under valid-parameters")), "{found:#?}");
    }
    assert!(found.contains(&"beyond bounds unverified".to_owned()), "{found:#?}");
    assert!(found.contains(&"next overflow unverified".to_owned()), "{found:#?}");
}

#[test]
fn what_rounds_count_does_not_overflow_if_there_are_few() {
    let text = "int length(const char *s) { int n = 0; while (s[n]) n++; return n; }\n\
                int twice(int n) { int s = 0; for (int i = 0; i < n; i++) s += 2; return s; }\n\
                int wild(int n, int d) { int s = 0; for (int i = 0; i < n; i++) s += d; return s; }\n";
    let assume = [AssumptionKind::FewRounds].into_iter().collect();
    let few = verdicts("rounds", text, &Options { assume, ..Options::default() });
    assert!(few.contains(&"length overflow under few-rounds".to_owned()), "{few:#?}");
    assert!(few.contains(&"twice overflow under few-rounds".to_owned()), "{few:#?}");
    assert!(few.contains(&"wild overflow unverified".to_owned()), "{few:#?}");
    // A bound so high that it does not help.
    let assume = [AssumptionKind::FewRounds].into_iter().collect();
    let many = verdicts("rounds", text, &Options { assume, rounds: 2_000_000_000, ..Options::default() });
    assert!(many.contains(&"twice overflow unverified".to_owned()), "{many:#?}");
}

/// Arrays that come with their lengths: the function, and what the bounds of its array rest on.
const ARRAYS: &str = "\
typedef __SIZE_TYPE__ size_t;
struct point { short x, y, z; };
struct pair { int x, y; };
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }
int dot(const int *a, const int *b, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i] & b[i]; return s; }
int max(const int *a, int n) { int m = 0; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; return m; }
void fill(int *a, size_t n, int v) { for (size_t i = 0; i < n; i++) a[i] = v; }
void narrow(int *a, unsigned n, int v) { for (unsigned i = 0; i < n; i++) a[i] = v; }
void shorts(short *a, unsigned short n) { for (int i = 0; i < n; i++) a[i] = 0; }
int points(const struct point *a, long n) { int s = 0; for (long i = 0; i < n; i++) s ^= a[i].z; return s; }
size_t count(const char *a, char c, size_t n) { size_t k = 0; while (n > 0) if (a[--n] == c) k++; return k; }
int at(const int *a, struct pair p, int n, int i) { return i < 0 || i >= n ? 0 : a[i]; }
";

#[test]
fn an_array_is_as_long_as_the_integer_behind_it_says() {
    let found = verdicts("lengths", ARRAYS, &Options::default());
    for name in ["sum", "dot", "max", "fill", "narrow", "shorts", "points", "count", "at"] {
        let bounds: Vec<&String> =
            found.iter().filter(|l| l.starts_with(&format!("{name} bounds "))).collect();
        assert_eq!(bounds.len(), if name == "dot" { 2 } else { 1 }, "{found:#?}");
        // That the structure's own memory is not the array's is known of valid parameters only.
        let premise = if name == "at" { "valid-parameters parameter-lengths" } else { "parameter-lengths" };
        let rests = bounds.iter().all(|l| l.ends_with(&format!(" bounds under {premise}")));
        assert!(rests, "{name}: {bounds:#?}");
    }
    let others = AssumptionKind::ALL.iter().copied().filter(|k| *k != AssumptionKind::ParameterLengths);
    let without = verdicts("lengths", ARRAYS, &Options { assume: others.collect(), ..Options::default() });
    let open = without.iter().filter(|l| l.ends_with(" bounds unverified")).count();
    assert_eq!(open, 10, "{without:#?}");
}

#[test]
fn a_length_buys_nothing_that_is_beyond_it_or_no_length() {
    let text = "int beyond(const int *a, int n) { int s = 0; for (int i = 0; i <= n; i++) s ^= a[i]; return s; }\n\
                int below(const int *a, int n) { return n > 0 ? a[n - 2] : 0; }\n\
                int other(const int *a, int m, int n) { return n > 0 ? a[n - 1] : m; }\n\
                int letter(const char *a, char n) { return n > 0 ? a[n - 1] : 0; }\n\
                int wraps(const int *a, unsigned n) { return n > 0 ? a[4 * n - 1] : 0; }\n\
                int before(int n, const int *a) { return n > 0 ? a[n - 1] : 0; }\n";
    let found = verdicts("no-lengths", text, &Options::default());
    let open = found.iter().filter(|l| l.ends_with(" bounds unverified")).count();
    assert_eq!(open, 6, "{found:#?}");
}

/// Walks through texts.
const TEXTS: &str = "\
struct named { char *name; };
unsigned long length(const char *s) { unsigned long n = 0; while (s[n]) n++; return n; }
const char *end(const char *s) { while (*s) s++; return s; }
const char *find(const char *s, char c) { while (*s && *s != c) s++; return s; }
int same(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return *a == *b; }
int digits(const char *s) { int n = 0, c; while ((c = *s++)) if (c >= '0' && c <= '9') n = c; return n; }
int kinds(const char *s) { for (;; s++) switch (*s) { case 0: return 1; case 'x': return 2; } }
int named(struct named *p) { int n = 0; for (const char *s = p->name; *s; s++) n ^= *s; return n; }
int passed(struct named *p) { return p->name && end(p->name) != p->name; }
int marks(const char *s, int *out) { for (; *s; s++) *out = 1; return 0; }
";

#[test]
fn a_text_is_walked_through_to_its_end() {
    let found = verdicts("texts", TEXTS, &Options::default());
    for name in ["length", "end", "find", "same", "digits", "kinds", "named", "marks"] {
        let of = |l: &&String| l.starts_with(&format!("{name} bounds ")) && l.contains("terminated-strings");
        assert!(found.iter().any(|l| of(&l)), "{name}: {found:#?}");
    }
    let open: Vec<&String> = found.iter().filter(|l| l.ends_with("bounds unverified")).collect();
    assert!(open.is_empty(), "{open:#?}");
    let others = AssumptionKind::ALL.iter().copied().filter(|k| *k != AssumptionKind::TerminatedStrings);
    let without = verdicts("texts", TEXTS, &Options { assume: others.collect(), ..Options::default() });
    let open = without.iter().filter(|l| l.ends_with("bounds unverified")).count();
    assert!(open >= 8, "{without:#?}");
}

#[test]
fn that_a_text_ends_says_nothing_of_what_is_behind_its_end() {
    let text = "int behind(const char *s) { while (*s) s++; return s[1]; }\n\
                int next(const char *s) { int n = 0; while (s[n + 1]) n++; return n; }\n\
                int other(const char *s, char c) { int n = *s == 0; while (*s != c) s++; return n; }\n\
                int written(char *s, unsigned n, char c) { s[n & 3] = c; while (*s) s++; return 0; }\n\
                int twice(const char *s) { while (*s) s += 2; return 0; }\n\
                int last(const char *s) { do s++; while (*s); return 0; }\n";
    let found = verdicts("no-texts", text, &Options::default());
    for name in ["behind", "next", "other", "written", "twice", "last"] {
        let is_open = |l: &String| *l == format!("{name} bounds unverified");
        assert!(found.iter().any(is_open), "{name}: {found:#?}");
    }
}

#[test]
fn functions_of_the_library_are_passed_as_many_bytes_as_they_are_told() {
    let text = "typedef __SIZE_TYPE__ size_t; typedef unsigned char byte;\n\
                int differ(const void *a, const void *b, size_t n)\n\
                { const byte *x = a, *y = b; for (; n; n--) if (*x++ != *y++) return 1; return 0; }\n\
                const void *find(const void *s, int c, size_t n)\n\
                { const byte *p = s; for (; n; n--, p++) if (*p == c) return p; return 0; }\n\
                const void *endless(const void *s, int c)\n\
                { const byte *p = s; while (*p != c) p++; return p; }\n\
                int calls(const char *s) { return find(s, 7, 9) && differ(s, s, 1) && endless(s, 7); }\n";
    let found = verdicts_with("library", text, &Options::default(), &["differ", "find", "endless"]);
    for name in ["differ", "find"] {
        let of = |l: &&String| l.starts_with(&format!("{name} bounds "));
        let bounds: Vec<&String> = found.iter().filter(of).collect();
        let is_good = |l: &&String| l.contains("parameter-lengths");
        assert!(!bounds.is_empty() && bounds.iter().all(is_good), "{name}: {found:#?}");
    }
    assert!(found.contains(&"endless bounds unverified".to_owned()), "{found:#?}");
}
