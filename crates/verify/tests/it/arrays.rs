//! Checks that users of Frama-C and CBMC expect to pass: loops over arrays and strings, nested loops, searches, flags.
//!
//! Everything is verified with nothing assumed. Needs a clang.

use std::collections::BTreeSet;
use std::time::Duration;

use super::support::{lowered, verified};
use footpath_frontend::c;
use footpath_verify::{Options, Verdict};

/// A function, and the kinds of checks in it that stay open, in order.
struct Case {
    text: &'static str,
    open: &'static [&'static str],
}

const fn passes(text: &'static str) -> Case {
    Case { text, open: &[] }
}

const fn leaves(text: &'static str, open: &'static [&'static str]) -> Case {
    Case { text, open }
}

const HEAD: &str = "\
#include <stdlib.h>
#include <assert.h>
extern int input(void);
struct point { int x, y; };
static int inc(int x) { return x < 1000 ? x + 1 : x; }
static int dec(int x) { return x > -1000 ? x - 1 : x; }
";

const CASES: &[Case] = &[
    // Buffers of a length that is a variable.
    passes(
        "int heap(int n) { if (n <= 0 || n > 1000) return 0; int *a = malloc(n * sizeof *a); if (!a) return 0; for (int i = 0; i < n; i++) a[i] = i; int r = a[n - 1]; free(a); return r; }",
    ),
    passes(
        "int bytes(size_t n) { if (n > 4096) return 0; char *a = malloc(n); if (!a) return 0; for (size_t i = 0; i < n; i++) a[i] = 1; free(a); return 1; }",
    ),
    passes(
        "int both(int n) { if (n <= 0 || n > 50) return 0; int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b); if (a && b) for (int i = 0; i < n; i++) a[i] = b[n - 1 - i] = i; free(a); free(b); return 1; }",
    ),
    // Arrays of a length that is a number.
    passes(
        "int up(void) { int t[10], s = 0; for (int i = 0; i < 10; i++) t[i] = i; for (int i = 9; i >= 0; i--) s ^= t[i]; return s; }",
    ),
    passes(
        "int clamped(int n) { int t[10]; if (n > 10) n = 10; for (int i = 0; i < n; i++) t[i] = 0; return n; }",
    ),
    passes(
        "int strided(void) { int t[10]; for (int i = 0; i < 10; i += 2) { t[i] = 0; t[i + 1] = 1; } return 0; }",
    ),
    passes("int down(void) { int t[10]; for (unsigned i = 10; i-- > 0;) t[i] = 0; return 0; }"),
    passes("int walked(void) { int t[10]; for (int *p = t; p < t + 10; p++) *p = 0; return 0; }"),
    passes("int walked_to(void) { int t[10], *p = t, *end = t + 10; while (p != end) *p++ = 0; return 0; }"),
    passes("int once(void) { int t[10], i = 0; do { t[i] = 0; i++; } while (i < 10); return i; }"),
    passes("int remainder_of(unsigned k) { int t[7] = { 0 }; return t[k % 7] + t[k & 3]; }"),
    passes(
        "int ring(void) { int t[8]; unsigned head = 0; for (int i = 0; i < 100; i++) { t[head] = i; head = (head + 1) % 8; } return 0; }",
    ),
    passes(
        "int points(void) { struct point t[5]; for (int i = 0; i < 5; i++) { t[i].x = i; t[i].y = -i; } return t[4].y; }",
    ),
    // Nested loops.
    passes(
        "int m[4][5]; int sum(void) { int s = 0; for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++) s ^= m[i][j]; return s; }",
    ),
    passes(
        "int triangle(void) { int t[10][10]; for (int i = 0; i < 10; i++) for (int j = 0; j <= i; j++) t[i][j] = t[j][i] = 0; return 0; }",
    ),
    passes(
        "int flat(void) { int t[20]; for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++) t[5 * i + j] = 0; return 0; }",
    ),
    passes(
        "void bubble(void) { int t[10]; for (int i = 0; i < 10; i++) t[i] = input(); for (int i = 0; i < 10; i++) for (int j = 0; j < 9 - i; j++) if (t[j] > t[j + 1]) { int h = t[j]; t[j] = t[j + 1]; t[j + 1] = h; } }",
    ),
    passes(
        "void insertion(void) { int t[10]; for (int i = 0; i < 10; i++) t[i] = input(); for (int i = 1; i < 10; i++) { int key = t[i], j = i - 1; while (j >= 0 && t[j] > key) { t[j + 1] = t[j]; j--; } t[j + 1] = key; } }",
    ),
    // Searches.
    passes(
        "int linear(int x) { int t[8], found = -1; for (int i = 0; i < 8; i++) t[i] = input(); for (int i = 0; i < 8; i++) if (t[i] == x) { found = i; break; } return found >= 0 ? t[found] : 0; }",
    ),
    passes(
        "int binary(int x) { int t[16] = { 0 }, lo = 0, hi = 15; while (lo <= hi) { int mid = lo + (hi - lo) / 2; if (t[mid] == x) return mid; if (t[mid] < x) lo = mid + 1; else hi = mid - 1; } return -1; }",
    ),
    passes(
        "void reverse(void) { int t[10] = { 0 }, i = 0, j = 9; while (i < j) { int h = t[i]; t[i] = t[j]; t[j] = h; i++; j--; } }",
    ),
    // Strings.
    passes(
        "int length(void) { char s[16]; int i = 0; for (int k = 0; k < 15; k++) s[k] = input(); s[15] = 0; while (i < 15 && s[i]) i++; s[i] = 0; return i; }",
    ),
    passes(
        "int copied(void) { char a[16] = \"footpath\", b[16]; int i; for (i = 0; i < 15 && a[i]; i++) b[i] = a[i]; b[i] = 0; return b[0]; }",
    ),
    passes(
        "int digits(unsigned n) { char s[11]; int i = 0; do { s[i++] = '0' + n % 10; n /= 10; } while (n && i < 10); s[i] = 0; return i; }",
    ),
    // Flags and small sets of values.
    passes(
        "int flag(int n) { int ok = 0, d = 0; if (n != 0 && n != -1) { ok = 1; d = n; } if (ok) return 10 / d; return 0; }",
    ),
    passes(
        "int modes(int n) { int step; if (n == 1) step = 2; else if (n == 2) step = 5; else step = 11; return 100 / (step - 3); }",
    ),
    passes(
        "int switched(int n) { int t[4] = { 0 }, at; switch (n) { case 1: at = 3; break; case 7: at = 1; break; default: at = 0; } return t[at]; }",
    ),
    passes("int last(int n) { int *p = 0, x = 0; if (n > 0) p = &x; if (n > 5) return *p; return 0; }"),
    passes("int either(int n) { int (*f)(int) = n > 3 ? inc : dec; return f(n); }"),
    // Arithmetic.
    passes(
        "unsigned gcd(unsigned a, unsigned b) { while (b) { unsigned r = a % b; a = b; b = r; } return a; }",
    ),
    passes(
        "unsigned bits(unsigned x) { unsigned n = 0; for (int s = 0; s < 32; s++) n += x >> s & 1; return n; }",
    ),
    passes(
        "int asserted(int n) { int s = 0; for (int i = 0; i < 10; i++) s += 2; assert(s <= 20); return s; }",
    ),
    passes(
        "int equal(void) { int i = 0, j = 10; while (i < 10) { i++; j--; } assert(i + j == 10); assert(j == 0); return j; }",
    ),
    // What holds, but is not seen: what elements of memory have in common.
    leaves(
        "int histogram(const unsigned char c) { int counts[256] = { 0 }; counts[c]++; return counts[255 - c]; }",
        &["overflow"],
    ),
    leaves("int chosen(int n) { int (*ops[2])(int) = { inc, dec }; return ops[n & 1](n); }", &["null"]),
    // What is wrong stays open.
    leaves("int beyond(unsigned k) { int t[4] = { 1, 2, 3, 4 }; return t[k]; }", &["bounds"]),
    leaves(
        "int off_by_one(int n) { int t[8]; for (int i = 0; i <= 8; i++) t[i] = n; return t[0]; }",
        &["bounds"],
    ),
    leaves("int unchecked(int n) { int *p = malloc(sizeof *p); *p = n; return n; }", &["null"]),
    leaves("int ratio(int n) { int ok = n != 1; return ok ? 10 / n : 0; }", &["division"]),
    leaves(
        "int modes_wrong(int n) { int step; if (n == 1) step = 2; else if (n == 2) step = 3; else step = 11; return 100 / (step - 3); }",
        &["division"],
    ),
];

#[test]
fn the_usual_loops_and_flags_are_verified_without_assumptions() {
    let text = CASES.iter().fold(HEAD.to_owned(), |text, case| format!("{text}{}\n", case.text));
    let lowered =
        lowered("arrays", &text, &c::Options { conservative_externals: true, ..c::Options::default() });
    let options =
        Options { assume: BTreeSet::new(), solver: Some(Duration::from_secs(10)), ..Options::default() };
    let found = verified(&lowered, &options);
    let mut wrong = Vec::new();
    for case in CASES {
        let head = case.text.split('(').next().unwrap_or_default();
        let name = head.rsplit([' ', '*']).next().unwrap_or_default();
        let body = found.bodies.iter().find(|b| *lowered.program[b.procedure].name == *name);
        let body = body.unwrap_or_else(|| panic!("{name} is verified"));
        assert!(!body.checks.is_empty(), "{name} has checks");
        let open = body.checks.iter().filter(|c| c.verdict != Verdict::Verified);
        let open: Vec<&str> = open.map(|c| c.kind.name()).collect();
        if open != case.open {
            wrong.push(format!("{name}: {open:?} stay open, expected {:?}", case.open));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
