//! Build files that compile and run all tests: a plain `Makefile` and a `CMakeLists.txt` for CTest.
//!
//! Each test file is a program of its own, since each includes a source of the user's and has a `main`.

use std::fmt::Write;
use std::path::PathBuf;

use crate::execution::{RENAMED_MAIN, header_flags};
use crate::flags::{library_flags, machine_flags};
use crate::library_world::link_flag;
use crate::quoting::{cmake_word, make_value, prerequisite, recipe_word};

/// A program of a test suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its name, which is that of its test file without the ending: a [`crate::plain_name`].
    pub name: String,
    /// Whether there is a `_stubs.c` beside the test file.
    pub has_stubs: bool,
    /// Flags for the compiler.
    pub flags: Vec<String>,
}

/// A source of the user's, of which tests of other sources may need functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its path.
    pub path: PathBuf,
    /// Flags for the compiler.
    pub flags: Vec<String>,
}

/// The distinct sets of target flags with which the shared sources are compiled.
fn machines(programs: &[Program]) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    for program in programs {
        let flags = machine_flags(&program.flags);
        if !found.contains(&flags) {
            found.push(flags);
        }
    }
    found
}

/// The suffix that distinguishes the objects for different machines.
fn suffix(machines: &[Vec<String>], flags: &[String]) -> String {
    match machines.iter().position(|m| *m == machine_flags(flags)) {
        Some(number) if machines.len() > 1 => format!("_{}", number + 1),
        _ => String::new(),
    }
}

/// The sources that tests share.
const SHARED: [&str; 2] = ["footpath_test", "footpath_world"];

/// A `Makefile` that builds and runs the tests; `make` fails if one of them does. Of several `sources` a library is
/// made, for tests of functions that call into other sources.
pub fn makefile(compiler: &str, programs: &[Program], sources: &[Source]) -> String {
    let mut out = format!(
        "# Tests made by Footpath. `make` builds and runs them all, `make PROGRAM` builds one.\n\
         CC := {}\nCFLAGS :=\nFOOTPATH := {}\nREPLACED := {}\nTESTS :=",
        make_value(compiler),
        header_flags(".").join(" "),
        link_flag("."),
    );
    for program in programs {
        let _ = write!(out, " \\\n    {}", program.name);
    }
    out.push_str(
        "\n\n.PHONY: check clean\n\
         check: $(TESTS)\n\t@status=0; for test in $(TESTS); do ./$$test || status=1; done; exit $$status\n\n\
         clean:\n\trm -f $(TESTS) libothers.a other_*.o footpath_*.o\n",
    );
    let machines = machines(programs);
    for flags in &machines {
        let suffix = suffix(&machines, flags);
        let flags: String = flags.iter().map(|f| format!("{} ", recipe_word(f))).collect();
        for shared in SHARED {
            let _ = write!(
                out,
                "\n{shared}{suffix}.o: {shared}.c footpath_test.h\n\t$(CC) {flags}-w -O0 $(CFLAGS) -c {shared}.c -o $@\n"
            );
        }
    }
    let others = if sources.len() > 1 { " libothers.a -Wl,--allow-multiple-definition" } else { "" };
    if !others.is_empty() {
        let objects: String = (1..=sources.len()).map(|i| format!(" other_{i}.o")).collect();
        let _ = write!(out, "\nlibothers.a:{objects}\n\tar rcs $@{objects}\n");
        for (i, source) in sources.iter().enumerate() {
            let path = source.path.display().to_string();
            let flags: String = source.flags.iter().map(|f| format!("{} ", recipe_word(f))).collect();
            let _ = write!(
                out,
                "\nother_{}.o: {}\n\t$(CC) {flags}$(FOOTPATH) -w -O0 $(CFLAGS) {RENAMED_MAIN} -c {} -o $@\n",
                i + 1,
                prerequisite(&path).unwrap_or_default(),
                recipe_word(&path)
            );
        }
    }
    let library = if others.is_empty() { "" } else { " libothers.a" };
    for program in programs {
        let name = &program.name;
        let stubs = if program.has_stubs { format!(" {name}_stubs.c") } else { String::new() };
        let flags: String = program.flags.iter().map(|f| format!("{} ", recipe_word(f))).collect();
        let libraries: String =
            library_flags(&program.flags).map(|f| format!("{} ", recipe_word(f))).collect();
        let suffix = suffix(&machines, &program.flags);
        let shared: String = SHARED.iter().map(|shared| format!(" {shared}{suffix}.o")).collect();
        let _ = write!(
            out,
            "\n{name}: {name}.c{stubs} footpath_test.h{shared}{library}\n\t$(CC) {flags}$(FOOTPATH) -w -O0 $(CFLAGS) -o $@ {name}.c{stubs}{shared}{others} $(REPLACED) {libraries}-lm\n"
        );
    }
    out
}

/// A `CMakeLists.txt` with a CTest entry for each program.
pub fn cmake_lists(compiler: &str, programs: &[Program], sources: &[Source]) -> String {
    let mut out = format!(
        "# Tests made by Footpath: cmake -B build && cmake --build build && ctest --test-dir build\n\
         cmake_minimum_required(VERSION 3.10)\n\
         if(NOT CMAKE_C_COMPILER)\n  set(CMAKE_C_COMPILER {})\nendif()\n\
         project(footpath_tests C)\nenable_testing()\n\
         set(FOOTPATH {})\nset(REPLACED {})\n",
        cmake_word(compiler),
        header_flags("${CMAKE_CURRENT_SOURCE_DIR}").join(" "),
        link_flag("${CMAKE_CURRENT_SOURCE_DIR}"),
    );
    let machines = machines(programs);
    for flags in &machines {
        let suffix = suffix(&machines, flags);
        let flags: String = flags.iter().map(|f| format!(" {}", cmake_word(f))).collect();
        let _ = write!(
            out,
            "\nadd_library(footpath{suffix} OBJECT footpath_test.c footpath_world.c)\n\
             target_compile_options(footpath{suffix} PRIVATE{flags} -w -O0)\n"
        );
    }
    let several = sources.len() > 1;
    if several {
        out.push_str("\nadd_library(others STATIC");
        for source in sources {
            let _ = write!(out, " {}", cmake_word(&source.path.display().to_string()));
        }
        let _ =
            write!(out, ")\ntarget_compile_options(others PRIVATE ${{FOOTPATH}} -w -O0 {RENAMED_MAIN})\n");
        for source in sources.iter().filter(|s| !s.flags.is_empty()) {
            let path = cmake_word(&source.path.display().to_string());
            let flags: Vec<String> = source.flags.iter().map(|f| cmake_word(f)).collect();
            let _ = writeln!(
                out,
                "set_property(SOURCE {path} APPEND PROPERTY COMPILE_OPTIONS {})",
                flags.join(" ")
            );
        }
    }
    let others = if several { " others -Wl,--allow-multiple-definition" } else { "" };
    for program in programs {
        let name = cmake_word(&program.name);
        let target: String = program
            .name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' })
            .collect();
        let stubs = if program.has_stubs {
            format!(" {}", cmake_word(&format!("{}_stubs.c", program.name)))
        } else {
            String::new()
        };
        let flags: String = program.flags.iter().map(|f| format!(" {}", cmake_word(f))).collect();
        let suffix = suffix(&machines, &program.flags);
        let libraries: String =
            library_flags(&program.flags).map(|f| format!(" {}", cmake_word(f))).collect();
        let _ = write!(
            out,
            "\nadd_executable({target} {}{stubs} $<TARGET_OBJECTS:footpath{suffix}>)\n\
             target_compile_options({target} PRIVATE{flags} ${{FOOTPATH}} -w -O0)\n\
             target_link_libraries({target} PRIVATE{others} ${{REPLACED}}{libraries} m)\n\
             add_test(NAME {name} COMMAND {target})\n",
            cmake_word(&format!("{}.c", program.name))
        );
    }
    out
}

/// The text of a test in a test file, by its number: its comment and its function.
pub fn test_text(file: &str, number: usize) -> Option<&str> {
    const HEAD: (&str, &str) = ("\nstatic void ", "(void)\n{\n");
    let is_head = |&(at, _): &(usize, &str)| {
        let line = file[at + HEAD.0.len()..].find('\n').map(|end| &file[at + HEAD.0.len()..][..end + 3]);
        line.is_some_and(|line| line.ends_with(HEAD.1))
    };
    let (start, _) = file.match_indices(HEAD.0).filter(is_head).nth(number.checked_sub(1)?)?;
    let end = start + file[start..].find("\n}\n")? + 3;
    // The comment is the line in front.
    let start = file[..start].rfind('\n').map_or(0, |i| i + 1);
    file.get(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(items: &[&str]) -> Vec<String> {
        items.iter().map(|&s| s.to_owned()).collect()
    }

    #[test]
    fn words_with_meaning_to_the_shell_are_quoted() {
        let programs =
            [Program { name: "a_f".to_owned(), has_stubs: true, flags: strings(&["-DS=\"x y\"", "-DN=$1"]) }];
        let text = makefile("clang", &programs, &[]);
        assert!(
            text.contains("a_f: a_f.c a_f_stubs.c footpath_test.h footpath_test.o footpath_world.o\n"),
            "{text}"
        );
        assert!(text.contains("'-DS=\"x y\"' '-DN=$$1' $(FOOTPATH) -w -O0"), "{text}");
        let text = cmake_lists("clang", &programs, &[]);
        assert!(text.contains(r#"PRIVATE "-DS=\"x y\"" "-DN=\$1" ${FOOTPATH} -w"#), "{text}");
    }

    #[test]
    fn a_test_is_found_in_its_file() {
        let file = "/* x */\n\n/* one */\nstatic void f_returns(void)\n{\n    f(1);\n}\n\n/* two */\nstatic void f_reaches_line_2(void)\n{\n}\n";
        assert_eq!(test_text(file, 1), Some("/* one */\nstatic void f_returns(void)\n{\n    f(1);\n}\n"));
        assert_eq!(test_text(file, 2), Some("/* two */\nstatic void f_reaches_line_2(void)\n{\n}\n"));
        assert_eq!((test_text(file, 0), test_text(file, 3)), (None, None));
    }

    #[test]
    fn tests_of_several_sources_are_linked_with_all_of_them() {
        let program = Program { name: "a_f".to_owned(), has_stubs: false, flags: Vec::new() };
        let source = |name: &str, flag: &str| Source {
            path: PathBuf::from(format!("/src/{name}")),
            flags: vec![flag.to_owned()],
        };
        let sources = [source("a.c", "-DA"), source("b.c", "-DB")];
        let text = makefile("clang", std::slice::from_ref(&program), &sources);
        assert!(
            text.contains("a_f: a_f.c footpath_test.h footpath_test.o footpath_world.o libothers.a\n"),
            "{text}"
        );
        assert!(text.contains("\nlibothers.a: other_1.o other_2.o\n"), "{text}");
        assert!(
            text.contains(
                "$(CC) -DB $(FOOTPATH) -w -O0 $(CFLAGS) -Dmain=footpath_main_of_the_source -c /src/b.c"
            ),
            "{text}"
        );
        let text = cmake_lists("clang", &[program], &sources);
        assert!(text.contains("add_library(others STATIC /src/a.c /src/b.c)"), "{text}");
        assert!(text.contains("PRIVATE others -Wl,--allow-multiple-definition"), "{text}");
    }
}
