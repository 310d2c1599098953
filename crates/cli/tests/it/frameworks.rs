//! Suites for test frameworks: they are built with the real ones, by make and by CMake, pass, and fail when the code changes. Unity is
//! in no package, so it is a small one of this test's own with the same macros. It needs a clang, a C++ compiler, CMake, and
//! what `./check` installs.

use std::path::Path;
use std::process::{Command, Output};

use super::testing::{check, folder, write};

/// Functions that change variables, crash, end the program, read files, and overflow.
const SOURCE: &str = "\
#include <stdio.h>
#include <stdlib.h>
#define skip assert_true
#define TEST(a, b) nonsense
static int total;
int log_sale(int amount);
int add(int n) { total += n & 15; return total; }
int next(int n) { return n + 1; }
int first(const int *p) { return *p; }
int quit(int n) { if (n == 4) exit(3); return 0; }
int letter(const char *name)
{
    FILE *file = fopen(name, \"r\");
    int c;
    if (!file)
        return -1;
    c = fgetc(file);
    fclose(file);
    return c == 'x';
}
int sale(int n) { if (n > 0) log_sale(n); return n > 0; }
static int skip(int a) { if (a == 7) return 1; return 0; }
int skips(int a) { return skip(a); }
";

/// As much of Unity as suites need.
const UNITY_H: &str = "\
#include <setjmp.h>
#include <stdio.h>
struct unity_storage { const char *TestFile, *name; int tests, failures, ignored; jmp_buf end; };
extern struct unity_storage Unity;
void setUp(void);
void tearDown(void);
#define UNITY_BEGIN() (Unity.TestFile = __FILE__)
#define UNITY_TEST_FAIL(line, message) \\
    (printf(\"%s:%d:%s:FAIL: %s\\n\", Unity.TestFile, (int)(line), Unity.name, message), Unity.failures++, longjmp(Unity.end, 1))
#define TEST_IGNORE_MESSAGE(message) \\
    (printf(\"%s:IGNORE: %s\\n\", Unity.name, message), Unity.ignored++, longjmp(Unity.end, 1))
#define RUN_TEST(test) (Unity.name = #test, Unity.tests++, setjmp(Unity.end) ? (void)0 : (setUp(), test(), tearDown()))
#define UNITY_END() \\
    (printf(\"%d Tests %d Failures %d Ignored\\n\", Unity.tests, Unity.failures, Unity.ignored), Unity.failures)
";

/// What is run in the folder, and what it says.
fn run(folder: &Path, program: &str, args: &[&str]) -> (bool, String) {
    let Output { status, stdout, stderr } =
        Command::new(program).args(args).current_dir(folder).output().expect("the program starts");
    let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    (status.success(), said)
}

/// The tests that pass, are skipped and fail, as a plain suite says it.
fn plain_counts(said: &str) -> (usize, usize, usize) {
    let begins = |word: &str| said.lines().filter(|line| line.starts_with(word)).count();
    (begins("ok "), begins("skipped "), begins("NOT OK "))
}

#[test]
fn suites_run_in_each_framework_and_say_where_they_fail() {
    let folder = folder("frameworks");
    write(&folder, "shop.c", SOURCE);
    std::fs::create_dir_all(folder.join("sources")).expect("a folder");
    write(&folder, "sources/unity.h", UNITY_H);
    write(&folder, "sources/unity.c", "#include \"unity.h\"\nstruct unity_storage Unity;\n");
    let emit = |framework: &str| {
        let args = ["shop.c", "--store", "kept", "--framework", framework, "-o", framework];
        check(&folder, &args, 0, &["sale"]);
    };
    emit("plain");
    let (passes, said) = run(&folder, "make", &["-C", "plain"]);
    let (passed, skipped, failed) = plain_counts(&said);
    assert!(passes && passed > 9 && failed == 0, "{said}");
    // Overflow, and nothing else, has no certain end.
    assert!(skipped == 2 && said.contains("skipped next_fails_overflow_at_line_8: undefined"), "{said}");
    let all = passed + skipped;
    let summaries = [
        ("googletest", format!("[  PASSED  ] {passed} tests."), "[  FAILED  ] 1 test,"),
        ("unity", format!("{all} Tests 0 Failures 2 Ignored"), "Tests 1 Failures 2 Ignored"),
        ("cmocka", format!("[  PASSED  ] {passed} test(s)."), "[  FAILED  ] 1 test(s)"),
        ("check", format!("100%: Checks: {passed}, Failures: 0, Errors: 0"), "Failures: 1, Errors: 0"),
    ];
    for (framework, summary, failure) in summaries {
        emit(framework);
        let unity = ["-C", framework, "UNITY=../sources"];
        let (passes, said) = run(&folder, "make", &unity);
        assert!(
            passes && said.contains(&summary) && said.contains("undefined behaviour"),
            "{framework}: {said}"
        );
        with_cmake(&folder, framework);
        write(&folder, "shop.c", &SOURCE.replace("a == 7", "a == 8"));
        let (passes, said) = run(&folder, "make", &[&unity[..], &["-B"]].concat());
        assert!(!passes && said.contains(failure), "{framework}: {said}");
        let tests = std::fs::read_to_string(folder.join(framework).join("test_shop.c")).expect("tests");
        let line = tests.lines().position(|line| line.contains("EXPECT_INT(footpath_result, 1)"));
        let is_placed = said.contains("footpath_result is not 1")
            && tests.lines().enumerate().any(|(i, text)| {
                text.contains("EXPECT_INT(footpath_result, 1)")
                    && said.contains(&format!("test_shop.c:{}", i + 1))
            });
        assert!(line.is_some() && is_placed, "{framework}: {said}");
        write(&folder, "shop.c", SOURCE);
    }
    with_cmake(&folder, "plain");
}

/// Builds and runs a suite with CMake.
fn with_cmake(folder: &Path, framework: &str) {
    let build = format!("{framework}/build");
    let unity = format!("-DUNITY={}", folder.join("sources").display());
    for (program, args) in [
        ("cmake", &["-S", framework, "-B", &build, &unity][..]),
        ("cmake", &["--build", &build, "-j4"]),
        ("ctest", &["--test-dir", &build]),
    ] {
        let (passes, said) = run(folder, program, args);
        assert!(passes, "{framework}: {said}");
    }
}

#[test]
fn a_test_is_run_by_its_name_or_by_its_function() {
    let folder = folder("one_test");
    write(&folder, "shop.c", SOURCE);
    check(
        &folder,
        &["shop.c", "-o", "out", "--function", "assert_true", "--function", "add"],
        0,
        &["assert_true"],
    );
    let (passes, said) = run(&folder, "make", &["-C", "out"]);
    assert!(passes && said.contains("ok add_") && said.contains("ok assert_true_returns_1"), "{said}");
    let (passes, said) = run(&folder, "out/test_shop", &["assert_true"]);
    assert!(passes && said.contains("ok assert_true_returns_1") && !said.contains("add_"), "{said}");
    write(&folder, "shop.c", &SOURCE.replace("a == 7", "a == 8"));
    run(&folder, "make", &["-B", "-C", "out"]);
    let (passes, said) = run(&folder, "out/test_shop", &["assert_true_returns_1"]);
    assert!(!passes && said.contains("footpath_result is not 1"), "{said}");
    let failing = ["1", "2"].map(|number| run(&folder, "out/test_shop", &["assert_true", number]));
    assert_eq!(failing.iter().filter(|(passes, _)| !passes).count(), 1, "{failing:?}");
    let (passes, said) = run(&folder, "out/test_shop", &["gone"]);
    assert!(!passes && said.contains("there is no such test"), "{said}");
}
