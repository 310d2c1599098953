//! `footpath verify` as its users run it. The test of C needs a clang.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const SUM: &str = "\
procedure Fill(n: int) requires n >= 0; {
  var i: int;
  i := 0;
  while (i != n) {
    assert 0 <= i && i < n;
    i := i + 1;
  }
  assert i == n;
  assert n > 0;
}
";

const ARRAYS: &str = "\
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
int beyond(unsigned k)
{
    int t[4] = { 1, 2, 3, 4 };
    return t[k];
}
int next(int *p)
{
    return *p + 1;
}
";

fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify").join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// Runs `footpath verify --format json` on a file; the exit code and the document.
fn verify(folder: &Path, file: &str, text: &str, args: &[&str]) -> (Option<i32>, Value) {
    std::fs::write(folder.join(file), text).expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["verify", "--format", "json", file])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("footpath starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let document = serde_json::from_str(&said)
        .unwrap_or_else(|e| panic!("{e}: {said}{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), document)
}

/// Kinds and verdicts of the checks of a function.
fn verdicts<'a>(document: &'a Value, function: &str) -> Vec<(&'a str, &'a str)> {
    let checks = document["checks"].as_array().expect("a list");
    let own = checks.iter().filter(|c| c["function"] == function);
    own.map(|c| (c["kind"].as_str().expect("a kind"), c["verdict"].as_str().expect("a verdict"))).collect()
}

#[test]
fn a_boogie_program_is_verified_annotated_and_denied() {
    let folder = folder("boogie");
    let (code, document) =
        verify(&folder, "sum.bpl", SUM, &["--sound", "-o", "out.bpl", "--deny", "unverified"]);
    assert_eq!(code, Some(1));
    assert_eq!(
        verdicts(&document, "Fill"),
        [("assert", "verified"), ("assert", "verified"), ("assert", "unverified")]
    );
    let annotated = std::fs::read_to_string(folder.join("out.bpl")).expect("the annotated program");
    assert!(annotated.contains("assert {:verified true} i == n;"), "{annotated}");
    assert!(annotated.contains("assert n > 0;"), "{annotated}");
}

#[test]
fn loops_over_arrays_in_c_are_verified() {
    let folder = folder("arrays");
    let (code, document) = verify(&folder, "arrays.c", ARRAYS, &[]);
    assert_eq!(code, Some(0));
    for function in ["fixed", "heap"] {
        let found = verdicts(&document, function);
        assert!(found.len() >= 4, "{found:?}");
        assert!(
            found.iter().all(|(kind, verdict)| *verdict == "verified" || *kind == "overflow"),
            "{function}: {found:?}"
        );
    }
    assert!(verdicts(&document, "beyond").contains(&("bounds", "unverified")));
    let next = verdicts(&document, "next");
    assert!(
        next.contains(&("null", "verified_under")) && next.contains(&("bounds", "verified_under")),
        "{next:?}"
    );
    let (_, sound) = verify(&folder, "arrays.c", ARRAYS, &["--sound"]);
    assert!(verdicts(&sound, "next").contains(&("null", "unverified")));
    assert!(sound["assumptions"].as_array().is_some_and(Vec::is_empty));
}

#[test]
fn verified_executions_are_not_explored_with_guidance() {
    let folder = folder("guide");
    let text = "procedure P(x: int) {\n  var y: int;\n  if (x > 10) { y := x; assert y > 3; } else { y := x; assert y > 3; }\n}\n";
    std::fs::write(folder.join("p.bpl"), text).expect("a file can be written");
    let tests = |guide: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
            .args(["explore", "--format", "json", "--guide", guide, "p.bpl"])
            .current_dir(&folder)
            .output()
            .expect("footpath starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let document: Value = serde_json::from_str(&said)
            .unwrap_or_else(|e| panic!("{e}: {said}{}", String::from_utf8_lossy(&output.stderr)));
        let tests = document["procedures"][0]["tests"].as_array().expect("a list").clone();
        let failing = tests.iter().filter(|t| t["outcome"].to_string().contains("fail")).count();
        (tests.len(), failing)
    };
    let (all, failing) = tests("none");
    assert!(failing >= 1 && all > failing, "{all} {failing}");
    let (fewer, still) = tests("may-must");
    assert!(still >= 1, "the check that can fail is still found");
    assert!(fewer < all, "{fewer} tests instead of {all}");
}
