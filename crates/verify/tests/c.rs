//! Functions in C, as clang makes them. Needs a clang.

use std::path::{Path, PathBuf};
use std::process::Command;

use footpath_frontend::{c, llvm};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_verify::{Options, Verdict, verify};

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
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify").join(test);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let (source, made) = (folder.join("test.c"), folder.join("test.ll"));
    std::fs::write(&source, text).expect("a file can be written");
    let flags = ["-S", "-emit-llvm", "-O0", "-g", "-Xclang", "-disable-O0-optnone", "-o"];
    let done = Command::new("clang").args(flags).arg(&made).arg(&source).status().expect("clang starts");
    assert!(done.success());
    let mut sources = SourceMap::new();
    let content = std::fs::read_to_string(&made).expect("clang's output");
    let id = sources.add(SourceFile::new("test.ll", content));
    let (module, problems) = llvm::read(id, &sources);
    assert!(problems.is_empty(), "{problems:?}");
    let lowering = c::Options { unknown_writes: true, ..c::Options::default() };
    let (lowered, _, problems) = c::lower(&[module], sources, &lowering, &|_| true);
    assert!(problems.is_empty(), "{problems:?}");
    let procedures: Vec<_> = lowered.functions.iter().map(|f| f.procedure).collect();
    let entry = |terms: &mut footpath_term::Terms, p| footpath_verify::c::entry(terms, &lowered, p);
    let found = verify(&lowered.program, &procedures, &entry, options);
    let mut lines = Vec::new();
    for body in &found.bodies {
        let name = &lowered.program[body.procedure].name;
        for check in &body.checks {
            let verdict = match &check.verdict {
                Verdict::Verified => "verified".to_owned(),
                Verdict::Unverified => "unverified".to_owned(),
                Verdict::Failing => "failing".to_owned(),
                Verdict::VerifiedUnder(premise) => {
                    let kinds: Vec<&str> =
                        premise.iter().map(|i| body.assumptions[*i].site.kind.name()).collect();
                    format!("under {}", kinds.join(" "))
                }
            };
            lines.push(format!("{name} {} {verdict}", check.kind));
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
