//! Test frameworks: the tests of a source as GoogleTest, Unity, cmocka and Check run them (the adapter pattern).
//!
//! **Idea.** The tests are the same for all: C functions in a file that includes the source. What a framework adds is a second
//! file, the *runner*, which names each test as the framework does, registers it, and reports what does not hold by the
//! framework's own assertion, where the expectation stands. The source's macros and declarations never meet the framework's
//! headers so, and a framework in C++ tests code that is only C.
//!
//! Each test runs in a process of its own (`footpath_framework.c`): it may change variables that others read, end the program,
//! or be expected to crash. What it says goes to the runner through a pipe. The functions of the library that tests
//! replace are replaced in the tested code only, which is linked by itself first (`ld -r`): the framework keeps its own.
//!
//! Example: `ring_get_returns_0` is `TEST(ring_get, returns_0)` for GoogleTest and `RUN_TEST(ring_get_returns_0)` for Unity.
//!
//! **Direction of error.** Towards fewer failures in a report: Unity and Check end a test at its first failure, so of several only
//! the first one is told. Check knows no skipped tests: these are left out of its suite, and said on the standard output.

use std::fmt::Write;

/// A test framework.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Framework {
    /// None: the tests have a `main` of their own.
    #[default]
    Plain,
    /// GoogleTest, in C++.
    Googletest,
    /// Unity, by ThrowTheSwitch.
    Unity,
    /// cmocka.
    Cmocka,
    /// Check.
    Check,
}

/// What a runner is made of. In the templates of tests `@TEST@` is a test's name, `@OF@` that of its function, and `@WHAT@` what
/// comes behind it in the test's name.
struct Form {
    /// The framework's name, as its users write it.
    name: &'static str,
    /// Its headers, and what reports failures by its assertion.
    head: &'static str,
    /// A test.
    test: &'static str,
    /// What stands in front of all tests where they are registered.
    begin: &'static str,
    /// What stands there in front of the tests of a function.
    function: &'static str,
    /// The registration of a test.
    register: &'static str,
    /// What stands behind all tests.
    end: &'static str,
}

/// How a program with a framework is built.
pub(crate) struct Link {
    /// How the name of a runner ends.
    pub(crate) ending: &'static str,
    /// Flags for compiling the runner.
    pub(crate) flags: &'static str,
    /// Definitions and rules of the Makefile.
    pub(crate) make: &'static str,
    /// What a program depends on and is linked with besides.
    pub(crate) objects: &'static str,
    /// The libraries.
    pub(crate) libraries: &'static str,
    /// Commands of the CMakeLists.txt.
    pub(crate) cmake: &'static str,
    /// The libraries there.
    pub(crate) cmake_libraries: &'static str,
}

const GOOGLETEST: Form = Form {
    name: "GoogleTest",
    head: r"#include <gtest/gtest.h>

/* Runs a test, and reports each expectation that does not hold where it stands. */
#define FOOTPATH_TEST(name) \
    switch (footpath_try(#name, __FILE__, __LINE__)) { \
    case FOOTPATH_SKIPPED: \
        GTEST_SKIP() << footpath_skips(#name); \
    case FOOTPATH_FAILED: \
        while (const footpath_failure *failure = footpath_next_failure()) \
            ADD_FAILURE_AT(failure->file, failure->line) << failure->message; \
    case FOOTPATH_PASSED: \
        break; \
    }

",
    test: "TEST(@OF@, @WHAT@) { FOOTPATH_TEST(@TEST@); }\n",
    begin: "",
    function: "",
    register: "",
    end: r"
int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
",
};

const UNITY: Form = Form {
    name: "Unity",
    head: r"#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

/* Runs a test, and reports the first expectation that does not hold where it stands. */
#define FOOTPATH_TEST(name) footpath_report(#name, __LINE__)

static void footpath_report(const char *test, int line)
{
    const struct footpath_failure *failure;
    Unity.TestFile = __FILE__;
    switch (footpath_try(test, __FILE__, line)) {
    case FOOTPATH_SKIPPED:
        TEST_IGNORE_MESSAGE(footpath_skips(test));
        break;
    case FOOTPATH_FAILED:
        failure = footpath_next_failure();
        Unity.TestFile = failure->file;
        UNITY_TEST_FAIL(failure->line, failure->message);
        break;
    case FOOTPATH_PASSED:
        break;
    }
}

",
    test: "static void @TEST@(void) { FOOTPATH_TEST(@TEST@); }\n",
    begin: "\nint main(void)\n{\n    UNITY_BEGIN();\n",
    function: "",
    register: "    RUN_TEST(@TEST@);\n",
    end: "    return UNITY_END();\n}\n",
};

const CMOCKA: Form = Form {
    name: "cmocka",
    head: r#"#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Runs a test, and reports the expectations that do not hold where they stand. */
#define FOOTPATH_TEST(name) footpath_report(#name, __LINE__)

static void footpath_report(const char *test, int line)
{
    const struct footpath_failure *failure;
    const char *file = __FILE__;
    switch (footpath_try(test, __FILE__, line)) {
    case FOOTPATH_SKIPPED:
        print_message("%s: %s\n", test, footpath_skips(test));
        skip();
        break;
    case FOOTPATH_FAILED:
        while ((failure = footpath_next_failure())) {
            print_error("%s:%d: %s\n", failure->file, failure->line, failure->message);
            file = failure->file;
            line = failure->line;
        }
        _fail(file, line);
        break;
    case FOOTPATH_PASSED:
        break;
    }
}

"#,
    test: "static void @TEST@(void **state) { (void)state; FOOTPATH_TEST(@TEST@); }\n",
    begin: "\nint main(void)\n{\n    static const struct CMUnitTest tests[] = {\n",
    function: "",
    register: "        cmocka_unit_test(@TEST@),\n",
    end: "    };\n    return cmocka_run_group_tests(tests, NULL, NULL) != 0;\n}\n",
};

const CHECK: Form = Form {
    name: "Check",
    head: r#"#include <stdio.h>
#include <check.h>

/* Runs a test, and reports the first expectation that does not hold. */
#define FOOTPATH_TEST(name) footpath_report(#name, __LINE__)

static void footpath_report(const char *test, int line)
{
    const struct footpath_failure *failure;
    if (footpath_try(test, __FILE__, line) != FOOTPATH_FAILED)
        return;
    failure = footpath_next_failure();
    ck_abort_msg("%s:%d: %s", failure->file, failure->line, failure->message);
}

/* Adds a test to those of its function. A skipped one would count as passed. */
#define FOOTPATH_ADD(name) \
    do { \
        if (footpath_skips(#name)) \
            printf("skipped %s: %s\n", #name, footpath_skips(#name)); \
        else \
            tcase_add_test(tests, name); \
    } while (0)

"#,
    test: "START_TEST(@TEST@) { FOOTPATH_TEST(@TEST@); } END_TEST\n",
    begin: r#"
int main(void)
{
    Suite *suite = suite_create("Footpath");
    SRunner *runner = srunner_create(suite);
    TCase *tests;
    int failed;
"#,
    function: "    tests = tcase_create(\"@OF@\");\n    suite_add_tcase(suite, tests);\n",
    register: "    FOOTPATH_ADD(@TEST@);\n",
    end: r"    /* Each test has a process of its own already. */
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
",
};

const LINK_GOOGLETEST: Link = Link {
    ending: "cc",
    flags: "$(CXXFLAGS)",
    make: "CXX := c++\nCXXFLAGS :=\nGTEST_LIBS := -lgtest -lstdc++ -pthread\n",
    objects: "",
    libraries: " $(GTEST_LIBS)",
    cmake: "enable_language(CXX)\nfind_package(GTest REQUIRED)\n",
    cmake_libraries: " GTest::gtest",
};

const LINK_UNITY: Link = Link {
    ending: "c",
    flags: "-I$(UNITY)",
    make: "# The folder with unity.c and unity.h.\nUNITY := unity\n\n\
           unity.o: $(UNITY)/unity.c\n\t$(CC) $(CFLAGS) -I$(UNITY) -c $< -o $@\n",
    objects: " unity.o",
    libraries: "",
    cmake: "set(UNITY ${CMAKE_CURRENT_SOURCE_DIR}/unity CACHE PATH \"The folder with unity.c and unity.h\")\n\
            add_library(unity STATIC ${UNITY}/unity.c)\ntarget_include_directories(unity PUBLIC ${UNITY})\n",
    cmake_libraries: " unity",
};

const LINK_CMOCKA: Link = Link {
    ending: "c",
    flags: "",
    make: "CMOCKA_LIBS := -lcmocka\n",
    objects: "",
    libraries: " $(CMOCKA_LIBS)",
    cmake: "find_library(CMOCKA cmocka REQUIRED)\n",
    cmake_libraries: " ${CMOCKA}",
};

const LINK_CHECK: Link = Link {
    ending: "c",
    flags: "",
    make: "CHECK_LIBS := $(or $(shell pkg-config --libs check 2>/dev/null),-lcheck -lsubunit -lrt -lm -pthread)\n",
    objects: "",
    libraries: " $(CHECK_LIBS)",
    cmake: "find_package(PkgConfig REQUIRED)\npkg_check_modules(CHECK REQUIRED check)\n",
    cmake_libraries: " ${CHECK_LIBRARIES}",
};

/// The tests of a function: its name, and theirs.
pub(crate) type NamedTests<'a> = (&'a str, Vec<&'a str>);

impl Framework {
    fn form(self) -> Option<&'static Form> {
        match self {
            Framework::Plain => None,
            Framework::Googletest => Some(&GOOGLETEST),
            Framework::Unity => Some(&UNITY),
            Framework::Cmocka => Some(&CMOCKA),
            Framework::Check => Some(&CHECK),
        }
    }

    /// How programs are built with it; `None` without a framework.
    pub(crate) fn link(self) -> Option<&'static Link> {
        match self {
            Framework::Plain => None,
            Framework::Googletest => Some(&LINK_GOOGLETEST),
            Framework::Unity => Some(&LINK_UNITY),
            Framework::Cmocka => Some(&LINK_CMOCKA),
            Framework::Check => Some(&LINK_CHECK),
        }
    }

    /// The name of the runner of a suite of this name; `None` if the suite runs itself.
    pub fn runner_file(self, suite: &str) -> Option<String> {
        self.link().map(|link| format!("{suite}_runner.{}", link.ending))
    }

    /// The files that all runners need: names and texts.
    pub fn support_files(self) -> Vec<(&'static str, &'static str)> {
        match self {
            Framework::Plain => Vec::new(),
            _ => vec![
                ("footpath_framework.h", include_str!("footpath_framework.h")),
                ("footpath_framework.c", include_str!("footpath_framework.c")),
            ],
        }
    }

    /// How the table of tests begins, which a runner finds by its name.
    pub(crate) fn table(self) -> &'static str {
        match self {
            Framework::Plain => "static const struct footpath_test footpath_tests[] = {\n",
            _ => {
                "extern const struct footpath_test footpath_tests[];\nconst struct footpath_test footpath_tests[] = {\n"
            }
        }
    }

    /// The function that runs all tests, behind the table.
    pub(crate) fn main(self) -> &'static str {
        match self {
            Framework::Plain => {
                "\nint main(int argc, char **argv) { return footpath_run(footpath_tests, argc, argv); }\n"
            }
            _ => "",
        }
    }

    /// The text of a runner; empty if the suite runs itself.
    pub(crate) fn runner(self, source: &str, functions: &[NamedTests<'_>]) -> String {
        let Some(form) = self.form() else { return String::new() };
        let mut out = format!("/* Tests of {source} for {}, made by Footpath. */\n", form.name);
        out.push_str("#include \"footpath_framework.h\"\n");
        out.push_str(form.head);
        let all = || functions.iter().flat_map(|(of, tests)| tests.iter().map(move |test| (*of, *test)));
        for (of, test) in all() {
            out.push_str(&filled(form.test, of, test));
        }
        out.push_str(form.begin);
        for (of, tests) in functions {
            out.push_str(&filled(form.function, of, ""));
            for test in tests {
                out.push_str(&filled(form.register, of, test));
            }
        }
        let _ = write!(out, "{}", form.end);
        out
    }
}

/// A template with the names of a test and of its function.
fn filled(template: &str, of: &str, test: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let of: String = of.chars().map(|c| if is_word(c) { c } else { '_' }).collect();
    let what = test.strip_prefix(&*of).and_then(|rest| rest.strip_prefix('_')).unwrap_or(test);
    template.replace("@WHAT@", what).replace("@TEST@", test).replace("@OF@", &of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_framework_has_tests_under_the_names_that_it_wants() {
        let runner = |framework: Framework| framework.runner("a.c", &[("put", vec!["put_returns_0"])]);
        assert!(
            runner(Framework::Googletest)
                .contains("\nTEST(put, returns_0) { FOOTPATH_TEST(put_returns_0); }\n")
        );
        assert!(runner(Framework::Unity).contains("    RUN_TEST(put_returns_0);\n"));
        assert!(runner(Framework::Cmocka).contains("        cmocka_unit_test(put_returns_0),\n"));
        let check = runner(Framework::Check);
        assert!(check.contains("\nSTART_TEST(put_returns_0) { FOOTPATH_TEST(put_returns_0); } END_TEST\n"));
        assert!(check.contains("tcase_create(\"put\");\n") && check.contains("FOOTPATH_ADD(put_returns_0);"));
        assert_eq!(runner(Framework::Plain), "");
    }
}
