//! Functions in C, as clang makes them. Needs a clang.

mod support;

use footpath_frontend::c;
use footpath_verify::{AssumptionKind, Options};
use support::{lowered, verified, words};

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
    let lowering = c::Options { unknown_writes: true, ..c::Options::default() };
    let lowered = lowered(test, text, &lowering);
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
