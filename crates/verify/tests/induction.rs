//! What induction over loops and recursive calls adds: programs with a relation that neither the analyser nor the solver
//! finds, each with a neighbour that is wrong.

mod support;

use footpath_frontend::c;
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{AssertKind, ProcId};
use footpath_verify::{Entry, Options, Verdict, Verification, verify};
use std::collections::BTreeSet;
use std::time::Duration;
use support::{lowered, verified};

/// Nothing taken for granted, and time enough on a busy machine.
fn options() -> Options {
    Options { assume: BTreeSet::new(), solver: Some(Duration::from_secs(100)), ..Options::default() }
}

/// The procedures of a Boogie program.
fn boogie(text: &str, options: &Options) -> Verification {
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new("test.bpl", text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}\n{text}");
    let program = program.expect("a program");
    let procedures: Vec<ProcId> = (0..program.procedures.len() as u32).map(ProcId).collect();
    verify(&program, &procedures, &|_, _| Entry::default(), options)
}

/// The checks of a kind that a procedure has, each with who verified it.
fn told(found: &Verification, procedure: &str, kind: AssertKind) -> Vec<&'static str> {
    let body = found.bodies.iter().find(|b| &*found.annotated[b.procedure].name == procedure);
    let checks = body.expect("a body").checks.iter().filter(|c| c.kind == kind);
    checks
        .map(|c| match (&c.verdict, c.by) {
            (Verdict::Verified, Some(by)) => by.name(),
            (Verdict::Unverified, None) => "unverified",
            other => panic!("{procedure}: {other:?}"),
        })
        .collect()
}

/// Checks that the last check of a kind in `right` is verified by induction, and in `wrong` not at all. Both are functions
/// of C.
#[track_caller]
fn in_c(name: &str, kind: AssertKind, right: &str, wrong: &str) {
    let text = format!(
        "#include <assert.h>\n{}\n{}\n",
        right.replace("NAME", "right"),
        wrong.replace("NAME", "wrong")
    );
    let found = verified(&lowered(&format!("induction-{name}"), &text, &c::Options::default()), &options());
    assert_eq!(told(&found, "right", kind).last(), Some(&"induction"), "{text}");
    assert_eq!(told(&found, "wrong", kind).last(), Some(&"unverified"), "{text}");
}

fn asserted(name: &str, right: &str, wrong: &str) {
    in_c(name, AssertKind::Assert, right, wrong);
}

#[test]
fn counters_that_move_together_keep_their_ratio() {
    let two = |step: u32| {
        format!(
            "void NAME(int n) {{ int i = 0, s = 0; while (i < n) {{ i++; s += 2; if (i == 77) s += {step}; }} assert(s == 2 * i); }}"
        )
    };
    asserted("two", &two(0), &two(1));
}

#[test]
fn a_sum_is_a_polynomial() {
    let sum = |claim: &str| {
        format!(
            "void NAME(unsigned n) {{ unsigned i = 0, s = 0; while (i < n) {{ i++; s += i; }} assert({claim}); }}"
        )
    };
    asserted("sum", &sum("2 * s == i * (i + 1)"), &sum("2 * s == i * (i + 2)"));
}

#[test]
fn rounds_of_nested_loops_multiply() {
    let nested = |claim: &str| {
        format!(
            "void NAME(unsigned n, unsigned m) {{ unsigned i, j, s = 0;
             for (i = 0; i < n; i++) for (j = 0; j < m; j++) s++;
             assert(s == {claim}); }}"
        )
    };
    asserted("nested", &nested("n * m"), &nested("n * m + (n == 1000)"));
}

#[test]
fn a_flag_tells_whether_a_counter_is_odd() {
    let flag = |claim: &str| {
        format!(
            "void NAME(unsigned n) {{ unsigned i = 0; int odd = 0; while (i < n) {{ i++; odd = !odd; }} assert({claim}); }}"
        )
    };
    asserted("flag", &flag("odd == (int)(i % 2)"), &flag("odd == (int)(i / 2 % 2)"));
}

#[test]
fn both_numbers_of_a_gcd_stay_positive() {
    let gcd = |first: &str| {
        format!(
            "void NAME(int a, int b) {{ if (a <= 0 || b <= {first}) return;
             while (a != b) {{ if (a > b) a -= b; else b -= a; }} assert(a > 0); }}"
        )
    };
    asserted("gcd", &gcd("0"), &gcd("-2"));
}

#[test]
fn a_recursive_function_is_followed() {
    let ninety = |claim: &str| {
        format!(
            "int fNAME(int n) {{ if (n > 100) return n - 10; return fNAME(fNAME(n + 11)); }}
             void NAME(int n) {{ int r = fNAME(n); assert(r == 91 || (n > {claim} && r == n - 10)); }}"
        )
    };
    asserted("ninety", &ninety("101"), &ninety("102"));
}

#[test]
fn an_index_that_runs_against_another_stays_in_bounds() {
    let backwards = |last: &str| {
        format!(
            "int NAME(int n) {{ int a[64] = {{0}}, s = 0; if (n < 0 || n > 64) return 0;
             for (int i = 0, j = n - 1; i {last} n; i++, j--) s ^= a[j]; return s; }}"
        )
    };
    in_c("backwards", AssertKind::Bounds, &backwards("<"), &backwards("<="));
}
