//! `footpath test --entry main` on programs as verification competitions pose them. The suites are run by an executor
//! of this test's own, which knows nothing of Footpath but the format of the files. It needs a clang.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::testing::{check, corpus, folder, seconds};

/// What the programs' inputs are read by: one value a line, and the end of the program where there is none.
const EXECUTOR: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static long long next(void)
{
    static FILE *in;
    char line[64];
    if (!in)
        in = fopen(getenv("INPUTS"), "r");
    if (!in || !fgets(line, sizeof line, in))
        _Exit(0);
    return line[0] == '-' ? strtoll(line, 0, 0) : (long long)strtoull(line, 0, 0);
}
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next(); }
char __VERIFIER_nondet_char(void) { return (char)next(); }
void reach_error(void) { puts("reached"); fflush(stdout); _Exit(0); }
"#;

/// Tests a program of the corpus from `main`; gives what is said.
fn test(folder: &Path, program: &str) -> String {
    corpus(folder, program);
    let limit = seconds(30.0);
    let args = [program, "--entry", "main", "--emit", "testcomp", "-o", "out", "--timeout", &limit];
    let output = check(folder, &args, 0, &[]);
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// How many tests of the suite reach the error.
fn reaching(folder: &Path, program: &str) -> usize {
    std::fs::write(folder.join("executor.c"), EXECUTOR).expect("a file can be written");
    let built = Command::new("clang")
        .args(["-w", program, "executor.c", "-o", "program"])
        .current_dir(folder)
        .status();
    assert!(built.is_ok_and(|s| s.success()), "the program builds");
    let mut files = suite(&folder.join("out"));
    files.retain(|f| f.file_name().is_some_and(|n| n.to_string_lossy().starts_with("testcase")));
    let reaches = |file: &&PathBuf| {
        let text = std::fs::read_to_string(file).expect("a test case");
        let inputs: Vec<&str> = text
            .split("<input")
            .skip(1)
            .filter_map(|part| Some(part.split_once('>')?.1.split_once("</input>")?.0))
            .collect();
        std::fs::write(folder.join("inputs"), inputs.join("\n")).expect("a file can be written");
        let run = Command::new("timeout")
            .args(["10", "./program"])
            .env("INPUTS", "inputs")
            .current_dir(folder)
            .output()
            .expect("the program starts");
        String::from_utf8_lossy(&run.stdout).contains("reached")
    };
    files.iter().filter(reaches).count()
}

/// All files below a folder.
fn suite(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok).map(|e| e.path());
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() { files.extend(suite(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

#[test]
fn suites_reach_the_error_wherever_their_inputs_are_read() {
    for program in ["endless_program.c", "many_inputs.c", "texts_from_inputs.c"] {
        let folder = folder(program);
        let said = test(&folder, program);
        assert!(reaching(&folder, program) > 0, "{program}: {said}");
        if program == "endless_program.c" {
            let sizes = suite(&folder.join("out")).into_iter().filter_map(|f| Some(f.metadata().ok()?.len()));
            assert!(sizes.max().is_some_and(|bytes| bytes < 20_000), "tests end where they show nothing new");
        }
    }
}
