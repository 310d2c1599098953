//! Seeds: what fuzzers and KLEE found is taken, and tests are written for them. They need a clang with libFuzzer.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::testing::{check, folder, objectives, write};

/// A check that no solver turns around in a second, and that `footpath` passes.
const PARSE: &str = r#"#include <stddef.h>
#include <stdint.h>

static uint32_t mixed(const uint8_t *data, size_t size)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < size; i++)
        for (int round = 0; round < 3; round++) {
            h = (h ^ data[i]) * 16777619u;
            h ^= h >> 15;
            h *= 0x2c1b3c6du;
            h ^= h >> 12;
        }
    return h;
}

int parse(const uint8_t *data, size_t size)
{
    if (size < 8)
        return -1;
    if (mixed(data, 8) != 0x65714dee)
        return -2;
    return size > 8 && data[8] == '!' ? 2 : 1;
}

int within(int low, const char *text, size_t length)
{
    if (length < 8 || mixed((const uint8_t *)text, 8) != 0x65714dee)
        return 0;
    return low == 0 ? 1 : 2;
}
"#;

/// A test case as KLEE writes it.
fn ktest(objects: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = b"KTEST".to_vec();
    let number =
        |file: &mut Vec<u8>, n: usize| file.extend(u32::try_from(n).expect("it is small").to_be_bytes());
    [3, 0, 0, 0, objects.len()].into_iter().for_each(|n| number(&mut file, n));
    for (name, bytes) in objects {
        number(&mut file, name.len());
        file.extend(name.as_bytes());
        number(&mut file, bytes.len());
        file.extend(*bytes);
    }
    file
}

/// The lines of a function's blocks that tests cover.
fn covered(report: &serde_json::Value, function: &str) -> BTreeSet<u64> {
    let is_covered = |o: &&serde_json::Value| o["kind"] == "block" && o["verdict"] == "covered";
    objectives(report, function)
        .iter()
        .filter(is_covered)
        .filter_map(|o| o["span"]["line"].as_u64())
        .collect()
}

fn report(folder: &Path, args: &[&str]) -> serde_json::Value {
    let args = [&["--format", "json", "--jobs", "1"], args].concat();
    serde_json::from_slice(&check(folder, &args, 0, &[]).stdout).expect("a report")
}

fn notes(report: &serde_json::Value, function: &str) -> String {
    let functions = report["functions"].as_array().expect("functions");
    functions.iter().find(|f| f["name"] == function).map(|f| f["notes"].to_string()).expect("the function")
}

#[test]
fn a_search_goes_on_from_what_fuzzers_and_klee_found() {
    let folder = folder("seeds");
    write(&folder, "parse.c", PARSE);
    std::fs::create_dir_all(folder.join("corpus")).expect("a folder");
    write(&folder, "corpus/id:000000,orig:a", "footpath");
    let long = "something that has more bytes than the arrays of tests\n".repeat(10);
    write(&folder, "corpus/id:000001,src:000000", &long);
    std::fs::create_dir_all(folder.join("klee-last")).expect("a folder");
    write(&folder, "klee-last/info", "what KLEE says");
    let case = ktest(&[
        ("model_version", &[1, 0, 0]),
        ("text", b"footpath\0"),
        ("length", &[8, 0, 0, 0, 0, 0, 0, 0]),
        ("low", &[1, 0, 0, 0]),
    ]);
    std::fs::write(folder.join("klee-last/test000001.ktest"), case).expect("a file");
    let unfit = ktest(&[("x", &[1; 600])]);
    std::fs::write(folder.join("klee-last/test000002.ktest"), unfit).expect("a file");

    let without = report(&folder, &["parse.c", "--timeout", "2", "-o", "without"]);
    assert!(!covered(&without, "parse").contains(&23), "a search finds this by itself");
    let args =
        ["parse.c", "--timeout", "2", "-o", "out", "--seeds", "parse=corpus", "--seeds", "within=klee-last"];
    let with = report(&folder, &args);
    assert!(covered(&with, "parse").contains(&23), "{with:#}");
    // What the solver finds from there: a ninth byte, and another number.
    assert!(covered(&with, "within").contains(&30), "{with:#}");
    let said = notes(&with, "parse");
    assert!(
        said.contains("1 of 2 seeds have more than the 512 bytes that tests have room for in `data`"),
        "{said}"
    );
    let said = notes(&with, "within");
    assert!(said.contains("1 of 2 seeds have no object of the name or the size of an input"), "{said}");
    super::testing::make(&folder);
}

#[test]
fn what_is_no_test_case_of_klee_is_an_error_with_its_place() {
    let folder = folder("no-seeds");
    write(&folder, "f.c", "int f(int n) { return n; }\n");
    write(&folder, "short.ktest", "KTEST\0\0\0\u{3}\0\0");
    write(&folder, "other.ktest", "text");
    check(
        &folder,
        &["f.c", "--seeds", "short.ktest"],
        2,
        &["short.ktest: byte 9: the file ends within the number of arguments"],
    );
    check(
        &folder,
        &["f.c", "--seeds", "other.ktest"],
        2,
        &["other.ktest: byte 0: this is no test case of KLEE"],
    );
    check(&folder, &["f.c", "--seeds", "f=missing"], 2, &["missing cannot be read"]);
}

/// Functions whose inputs are of all kinds, and one that ends the program.
const SHAPES: &str = r#"#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct item { int kind; struct item *next; unsigned char tag; };
int rate(const char *code);
static int limit;

int parse(const uint8_t *data, size_t size)
{
    if (size < 4 || memcmp(data, "FPS", 3) != 0)
        return -1;
    return data[3] == 'x' ? 1 : 2;
}

int grade(int points, char level, struct item *items)
{
    if (points > 1000 && level == 'B')
        return 3;
    if (items && items->next && items->next->kind == 77)
        return items->tag > 9 ? 4 : 6;
    if (points == 10 && rate("x") == 12)
        return 5;
    return points < limit;
}

void set_limit(int n) { limit = n; }

int check(unsigned n)
{
    if (n == 5)
        abort();
    if (n == 6)
        exit(1);
    return n > 9;
}

void drop(struct item *items)
{
    if (items != NULL)
        free(items);
}
"#;

/// The lines of a file that are executed while a program runs, by clang's counters.
fn executed(folder: &Path, program: &Path, args: &[&str]) -> BTreeSet<u64> {
    let _ = std::fs::remove_dir_all(folder.join("profiles"));
    let run = Command::new(program)
        .args(args)
        .current_dir(folder)
        .env("LLVM_PROFILE_FILE", folder.join("profiles/%p.profraw"))
        .output()
        .expect("the program starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let raw = std::fs::read_dir(folder.join("profiles")).expect("profiles are written");
    let raw: Vec<_> = raw.map(|entry| entry.expect("a file").path()).collect();
    let merged = folder.join("merged.profdata");
    let merge = Command::new("llvm-profdata").args(["merge", "-o"]).arg(&merged).args(raw).status();
    assert!(merge.expect("llvm-profdata starts").success());
    let shown = Command::new("llvm-cov")
        .args(["export", "-format=lcov", "-instr-profile"])
        .args([&merged, program])
        .output()
        .expect("llvm-cov starts");
    let text = String::from_utf8(shown.stdout).expect("text");
    let of_file = text.split("end_of_record").find(|part| part.contains("shapes.c")).expect("the file");
    let line = |line: &str| {
        let (number, count) = line.strip_prefix("DA:")?.split_once(',')?;
        (count != "0").then(|| number.parse().expect("a number"))
    };
    of_file.lines().filter_map(line).collect()
}

#[test]
fn harnesses_of_libfuzzer_execute_what_tests_do_and_their_corpora_are_seeds() {
    let folder = folder("harnesses");
    write(&folder, "shapes.c", SHAPES);
    let first = report(&folder, &["shapes.c", "--emit", "fuzz,ktest,c", "-o", "out", "--no-store"]);
    let out = folder.join("out");
    let counters = "CFLAGS=-fprofile-instr-generate -fcoverage-mapping";
    let build = |args: &[&str]| {
        let made =
            Command::new("make").args(["-s", "-C"]).arg(&out).args(args).output().expect("make starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    build(&["fuzz", "test_shapes", counters]);
    // The suite asks the environment where its counters go, although what its tests ask it are inputs.
    let by_suite = executed(&out, &out.join("test_shapes"), &[]);
    for function in ["parse", "grade", "set_limit", "check", "drop"] {
        let lines = covered(&first, function);
        // The test that comes there fails, so it is not in the corpus.
        let abort = SHAPES.lines().position(|line| line.contains("abort()")).map(|at| at as u64 + 1);
        let tests: BTreeSet<u64> = lines.iter().copied().filter(|line| Some(*line) != abort).collect();
        assert!(tests.is_subset(&by_suite), "{function}: {tests:?}, {by_suite:?}");
        let corpus = format!("fuzz_{function}_corpus");
        let program = out.join(format!("fuzz_{function}"));
        let fuzzed = executed(&out, &program, &["-runs=0", &corpus]);
        assert!(!tests.is_empty() && tests.is_subset(&fuzzed), "{function}: {tests:?}, {fuzzed:?}");

        for seeds in [corpus.clone(), format!("ktest_{function}")] {
            let seeds = format!("{function}=out/{seeds}");
            let args =
                ["shapes.c", "--function", function, "--seeds", &seeds, "--timeout", "1", "-o", "again"];
            assert_eq!(covered(&report(&folder, &args), function), lines, "{seeds}");
        }
    }
    let failing = out.join("fuzz_check_failing");
    let crashes: Vec<_> =
        std::fs::read_dir(&failing).expect("a folder").map(|f| f.expect("a file").path()).collect();
    let run =
        Command::new(out.join("fuzz_check")).args(&crashes).current_dir(&out).output().expect("it starts");
    assert!(crashes.len() == 1 && !run.status.success(), "{crashes:?}");
}

#[test]
fn functions_that_ask_the_system_have_no_harness_and_it_is_said() {
    let folder = folder("no-harness");
    let source = r#"#include <stdio.h>
int letter(FILE *file) { return file && fgetc(file) == 'x'; }
int said(int n) { printf("%d\n", n); return n > 3; }
"#;
    write(&folder, "asks.c", source);
    check(
        &folder,
        &["asks.c", "--emit", "fuzz", "-o", "out"],
        0,
        &["there is no fuzz harness, because it asks the system, such as for files or the time"],
    );
    assert!(!folder.join("out/fuzz_letter.c").exists());
    let made = Command::new("make").args(["-s", "-C", "out", "-f", "fuzz.mk"]).current_dir(&folder).status();
    assert!(made.expect("make starts").success());
}
