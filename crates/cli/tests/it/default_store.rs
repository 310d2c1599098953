//! What `footpath test` keeps without being asked. It needs a clang.

use std::path::Path;
use std::process::Output;

use super::store::{MANY, are_all, recalled, said, tests};
use super::testing::{check, folder, write};

/// The arguments of all runs, which end early enough for the loop that has no end.
const ARGS: [&str; 7] = ["many.c", "--timeout", "4", "-o", "out", "--format", "json"];

fn prepared(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    write(&folder, "many.c", MANY);
    write(&folder, "limit.h", "#define LIMIT 9\n");
    folder
}

fn run(folder: &Path, more: &[&str]) -> Output {
    check(folder, &[&ARGS[..], more].concat(), 0, &[])
}

#[test]
fn a_second_run_takes_results_from_a_folder_that_git_ignores() {
    let folder = prepared("default-store");
    let first = run(&folder, &[]);
    assert!(are_all(&recalled(&first), false));
    let written = tests(&folder);
    let kept = folder.join(".footpath");
    assert_eq!(std::fs::read_to_string(kept.join(".gitignore")).expect("a file"), "*\n");
    let second = run(&folder, &[]);
    assert!(are_all(&recalled(&second), true), "{:?}", recalled(&second));
    assert_eq!((said(&first), written), (said(&second), tests(&folder)));
    let anew = run(&folder, &["--no-store"]);
    assert!(are_all(&recalled(&anew), false));
    // Explorations and whole programs have nothing to keep.
    let other = prepared("default-store-none");
    write(&other, "main.c", "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }\n");
    check(&other, &["main.c", "--entry", "main", "-o", "out"], 0, &[]);
    assert!(!other.join(".footpath").exists());
}

/// A result is found again or it is not, whatever ran in between.
#[test]
fn runs_with_other_flags_have_nothing_in_common() {
    let folder = folder("default-store-flags");
    let text = "int sum(const char *text)\n{\n    int all = 0;\n    while (*text)\n        all += *text++;\n    return 9 / all;\n}\n";
    write(&folder, "sum.c", text);
    let run = |flags: &[&str]| {
        let args = [&["sum.c", "--timeout", "4", "-o", "out", "--format", "json"], flags].concat();
        check(&folder, &args, 0, &[])
    };
    let first = run(&[]);
    for flags in [&["--unwind", "2"][..], &["--check", "none"], &["--strict"], &["--", "-funsigned-char"]] {
        let with_store = run(flags);
        assert!(are_all(&recalled(&with_store), false), "{flags:?}");
        let again = run(flags);
        assert!(are_all(&recalled(&again), true), "{flags:?}: {:?}", recalled(&again));
        assert_eq!(said(&with_store), said(&again), "{flags:?}");
    }
    let last = run(&[]);
    assert!(are_all(&recalled(&last), true));
    assert_eq!(said(&first), said(&last));
}

#[test]
fn the_folder_lies_beside_the_flags_of_the_project() {
    let folder = prepared("default-store-place");
    let inner = folder.join("src/deep");
    std::fs::create_dir_all(&inner).expect("a folder can be made");
    write(&folder, "footpath.toml", "[test]\ntimeout = 4\n");
    write(&folder, "src/deep/one.c", "int one(int n) { return n > 3 ? n : 3; }\n");
    check(&inner, &["one.c"], 0, &[]);
    assert!(folder.join(".footpath").is_dir() && !inner.join(".footpath").exists());
    check(&inner, &["one.c"], 0, &["1 of 1 functions are taken from the store"]);
}

#[test]
fn where_no_folder_can_be_made_nothing_is_kept_and_nothing_said() {
    let folder = folder("default-store-refused");
    write(&folder, "one.c", "int one(int n) { return n > 3 ? n : 3; }\n");
    write(&folder, ".footpath", "");
    for _ in 0..2 {
        let output = check(&folder, &["one.c"], 0, &[]);
        let all = [output.stdout, output.stderr].concat();
        assert!(!String::from_utf8_lossy(&all).contains("note:"), "{}", String::from_utf8_lossy(&all));
    }
}
