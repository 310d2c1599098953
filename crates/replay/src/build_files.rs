//! Build files that compile and run all tests: a plain `Makefile` and a `CMakeLists.txt` for CTest.
//!
//! Each test file is a program of its own, since each includes a source of the user's and has a `main`. With a framework
//! (`frameworks.rs`) the tested code is linked by itself first, with the library's functions replaced in it, and then with
//! the runner and the framework.

use std::fmt::Write;
use std::path::PathBuf;

use crate::execution::{RENAMED_MAIN, header_flags};
use crate::flags::{headers_in, library_flags, machine_flags, search_flags};
use crate::frameworks::{Framework, Link};
use crate::library_world::{REPLACED_FILE, link_flag};
use crate::quoting::{cmake_word, make_value, prerequisite, recipe_word};

/// A program of a test suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its name, which is that of its test file without the ending: a [`crate::plain_name`].
    pub name: String,
    /// The user's source that its test file includes.
    pub source: PathBuf,
    /// Whether there is a `_stubs.c` beside the test file.
    pub has_stubs: bool,
    /// Flags for the compiler. Relative paths of headers begin at the folder of the tests.
    pub flags: Vec<String>,
}

impl Program {
    /// The names of its files in C, without the ending.
    pub(crate) fn parts(&self) -> Vec<String> {
        let stubs = self.has_stubs.then(|| format!("{}_stubs", self.name));
        std::iter::once(self.name.clone()).chain(stubs).collect()
    }

    /// The user's source as a prerequisite behind others.
    fn prerequisite(&self) -> String {
        prerequisite(&self.source.display().to_string()).map_or_else(String::new, |path| format!(" {path}"))
    }
}

/// A source of the user's, of which tests of other sources may need functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its path.
    pub path: PathBuf,
    /// Flags for the compiler, as those of a [`Program`].
    pub flags: Vec<String>,
}

/// The distinct sets of target flags with which the shared sources are compiled.
pub(crate) fn machines(programs: &[Program]) -> Vec<Vec<String>> {
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
pub(crate) fn suffix(machines: &[Vec<String>], flags: &[String]) -> String {
    match machines.iter().position(|m| *m == machine_flags(flags)) {
        Some(number) if machines.len() > 1 => format!("_{}", number + 1),
        _ => String::new(),
    }
}

/// The sources that tests share.
const SHARED: [&str; 2] = ["footpath_test", "footpath_world"];

/// A `Makefile` that builds and runs the tests; `make` fails if one of them does. Of several `sources` a library is
/// made, for tests of functions that call into other sources.
pub fn makefile(compiler: &str, programs: &[Program], sources: &[Source], framework: Framework) -> String {
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
         clean:\n\trm -f $(TESTS) libothers.a *.o\n",
    );
    if let Some(link) = framework.link() {
        let _ = write!(out, "\n{}", link.make);
    }
    let shared = SHARED.iter().copied().chain(framework.link().map(|_| "footpath_framework"));
    let machines = machines(programs);
    for flags in &machines {
        let suffix = suffix(&machines, flags);
        let flags = recipe_words(flags);
        for shared in shared.clone() {
            let _ = write!(
                out,
                "\n{shared}{suffix}.o: {shared}.c footpath_test.h\n\t$(CC) {flags}-w -O0 $(CFLAGS) -c {shared}.c -o $@\n"
            );
        }
    }
    if sources.len() > 1 {
        let objects: String = (1..=sources.len()).map(|i| format!(" other_{i}.o")).collect();
        let _ = write!(out, "\nlibothers.a:{objects}\n\tar rcs $@{objects}\n");
        for (i, source) in sources.iter().enumerate() {
            let path = source.path.display().to_string();
            let flags = recipe_words(&source.flags);
            let _ = write!(
                out,
                "\nother_{}.o: {}\n\t$(CC) {flags}$(FOOTPATH) -w -O0 $(CFLAGS) {RENAMED_MAIN} -c {} -o $@\n",
                i + 1,
                prerequisite(&path).unwrap_or_default(),
                recipe_word(&path)
            );
        }
    }
    for program in programs {
        let suffix = suffix(&machines, &program.flags);
        out.push_str(&match framework.link() {
            Some(link) => rules_with_runner(program, &suffix, sources.len() > 1, link),
            None => rule(program, &suffix, sources.len() > 1),
        });
    }
    // Fuzz harnesses, if there are any.
    out.push_str("\n-include fuzz.mk\n");
    out
}

fn recipe_words<'a>(flags: impl IntoIterator<Item = &'a String>) -> String {
    flags.into_iter().map(|flag| format!("{} ", recipe_word(flag))).collect()
}

/// The rule for a program that runs its tests itself.
fn rule(program: &Program, suffix: &str, has_others: bool) -> String {
    let name = &program.name;
    let files: Vec<String> = program.parts().iter().map(|part| format!("{part}.c")).collect();
    let (files, shared) = (files.join(" "), SHARED.map(|shared| format!(" {shared}{suffix}.o")).concat());
    let library = if has_others { " libothers.a" } else { "" };
    let others = if has_others { " libothers.a -Wl,--allow-multiple-definition" } else { "" };
    let (flags, libraries) = (recipe_words(&program.flags), recipe_words(library_flags(&program.flags)));
    let source = program.prerequisite();
    format!(
        "\n{name}: {files}{source} footpath_test.h{shared}{library}\n\t$(CC) {flags}$(FOOTPATH) -w -O0 $(CFLAGS) -o $@ {files}{shared}{others} $(REPLACED) {libraries}-lm\n"
    )
}

/// The rules for a program whose tests a framework runs: its code is linked by itself first.
fn rules_with_runner(program: &Program, suffix: &str, has_others: bool, link: &Link) -> String {
    let name = &program.name;
    let (flags, libraries) = (recipe_words(&program.flags), recipe_words(library_flags(&program.flags)));
    let machine = recipe_words(&runner_flags(&program.flags));
    let folders = recipe_words(&search_flags(&program.flags));
    let mut out = String::new();
    let mut code = String::new();
    let source = program.prerequisite();
    for part in program.parts() {
        let _ = write!(
            out,
            "\n{part}.o: {part}.c{source} footpath_test.h\n\t$(CC) {flags}$(FOOTPATH) -w -O0 $(CFLAGS) -c {part}.c -o $@\n"
        );
        let _ = write!(code, " {part}.o");
    }
    code.push_str(&SHARED.map(|shared| format!(" {shared}{suffix}.o")).concat());
    if has_others {
        code.push_str(" libothers.a");
    }
    let emulation = emulation(&program.flags);
    let (runner, compiler) = (format!("{name}_runner"), if link.ending == "cc" { "CXX" } else { "CC" });
    let Link { ending, flags, objects, libraries: own, .. } = link;
    let _ = write!(
        out,
        "\n{name}_code.o:{code}\n\tld{emulation} -r --allow-multiple-definition -o $@{code} @{REPLACED_FILE}\n\n\
         {runner}.o: {runner}.{ending} footpath_framework.h\n\t$({compiler}) {machine}{flags} -c {runner}.{ending} -o $@\n\n\
         {name}: {name}_code.o {runner}.o footpath_framework{suffix}.o{objects}\n\
         \t$(CC) {machine}$(CFLAGS) -o $@ {name}_code.o {runner}.o footpath_framework{suffix}.o{objects}{own} {folders}{libraries}-lm\n"
    );
    out
}

/// The flags for a runner: those that say for which machine it is. Others may be for C only.
fn runner_flags(flags: &[String]) -> Vec<String> {
    machine_flags(flags).into_iter().filter(|flag| !flag.starts_with("-f")).collect()
}

/// What the linker is told of the machine, if it is not its own.
fn emulation(flags: &[String]) -> &'static str {
    if flags.iter().any(|flag| flag == "-m32") { " -m elf_i386" } else { "" }
}

/// A `CMakeLists.txt` with a CTest entry for each program.
pub fn cmake_lists(compiler: &str, programs: &[Program], sources: &[Source], framework: Framework) -> String {
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
    if let Some(link) = framework.link() {
        let _ = write!(out, "\n{}", link.cmake);
    }
    let machines = machines(programs);
    for flags in &machines {
        let suffix = suffix(&machines, flags);
        let flags = cmake_words(flags);
        let _ = write!(
            out,
            "\nadd_library(footpath{suffix} OBJECT footpath_test.c footpath_world.c)\n\
             target_compile_options(footpath{suffix} PRIVATE{flags} -w -O0)\n"
        );
    }
    if sources.len() > 1 {
        out.push_str("\nadd_library(others STATIC");
        for source in sources {
            let _ = write!(out, " {}", cmake_word(&source.path.display().to_string()));
        }
        let _ =
            write!(out, ")\ntarget_compile_options(others PRIVATE ${{FOOTPATH}} -w -O0 {RENAMED_MAIN})\n");
        for source in sources.iter().filter(|s| !s.flags.is_empty()) {
            let path = cmake_word(&source.path.display().to_string());
            let flags = cmake_source_flags(&source.flags);
            let _ = writeln!(out, "set_property(SOURCE {path} APPEND PROPERTY COMPILE_OPTIONS{flags})");
        }
    }
    for program in programs {
        let suffix = suffix(&machines, &program.flags);
        out.push_str(&target(program, &suffix, sources.len() > 1, framework.link()));
    }
    out
}

fn cmake_words<'a>(flags: impl IntoIterator<Item = &'a String>) -> String {
    flags.into_iter().map(|flag| format!(" {}", cmake_word(flag))).collect()
}

/// The flags for sources: folders of headers are named from the folder of the file, while CMake compiles in another one.
fn cmake_source_flags(flags: &[String]) -> String {
    // The dollar sign of the variable must not be quoted.
    const HERE: &str = "<HERE>";
    let word = |(given, placed): (&String, String)| {
        let word = cmake_word(&placed);
        let word =
            if *given == placed { word } else { word.replacen(HERE, "${CMAKE_CURRENT_SOURCE_DIR}", 1) };
        format!(" {word}")
    };
    flags.iter().zip(headers_in(flags, HERE)).map(word).collect()
}

/// The target of a program, and its CTest entry.
fn target(program: &Program, suffix: &str, has_others: bool, link: Option<&Link>) -> String {
    let name = cmake_word(&program.name);
    let target: String =
        program.name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let files: String =
        program.parts().iter().map(|part| format!(" {}", cmake_word(&format!("{part}.c")))).collect();
    let (flags, libraries) = (cmake_source_flags(&program.flags), cmake_words(library_flags(&program.flags)));
    let shared = format!("$<TARGET_OBJECTS:footpath{suffix}>");
    let Some(link) = link else {
        let others = if has_others { " others -Wl,--allow-multiple-definition" } else { "" };
        return format!(
            "\nadd_executable({target}{files} {shared})\n\
             target_compile_options({target} PRIVATE{flags} ${{FOOTPATH}} -w -O0)\n\
             target_link_libraries({target} PRIVATE{others} ${{REPLACED}}{libraries} m)\n\
             add_test(NAME {name} COMMAND {target})\n"
        );
    };
    let others = if has_others { " $<TARGET_FILE:others>" } else { "" };
    let depends = if has_others { " others" } else { "" };
    let machine = cmake_words(&runner_flags(&program.flags));
    let folders = cmake_words(&search_flags(&program.flags));
    let emulation = emulation(&program.flags);
    let runner = cmake_word(&format!("{}_runner.{}", program.name, link.ending));
    let code = format!("${{CMAKE_CURRENT_BINARY_DIR}}/{target}_linked.o");
    let objects = format!("$<TARGET_OBJECTS:{target}_code> {shared}{others}");
    format!(
        "\nadd_library({target}_code OBJECT{files})\n\
         target_compile_options({target}_code PRIVATE{flags} ${{FOOTPATH}} -w -O0)\n\
         add_custom_command(OUTPUT {code}\n  \
         COMMAND ${{CMAKE_LINKER}}{emulation} -r --allow-multiple-definition -o {code} {objects}\n          \
         @${{CMAKE_CURRENT_SOURCE_DIR}}/{REPLACED_FILE}\n  \
         DEPENDS {target}_code footpath{suffix} {objects}{depends} COMMAND_EXPAND_LISTS VERBATIM)\n\
         set_source_files_properties({code} PROPERTIES EXTERNAL_OBJECT TRUE)\n\
         add_executable({target} {runner} footpath_framework.c {code})\n\
         target_compile_options({target} PRIVATE{machine})\n\
         target_link_libraries({target} PRIVATE{machine}{own}{folders}{libraries} m)\n\
         add_test(NAME {name} COMMAND {target})\n",
        own = link.cmake_libraries
    )
}

/// The text of a test in a test file, by its number: its comment and its function, without the line that has its number in
/// the file, as that depends on which other tests are there.
pub fn test_text(file: &str, number: usize) -> Option<String> {
    const HEAD: (&str, &str) = ("\nstatic void ", "(void)\n{\n");
    let is_head = |&(at, _): &(usize, &str)| {
        let line = file[at + HEAD.0.len()..].find('\n').map(|end| &file[at + HEAD.0.len()..][..end + 3]);
        line.is_some_and(|line| line.ends_with(HEAD.1))
    };
    let (start, _) = file.match_indices(HEAD.0).filter(is_head).nth(number.checked_sub(1)?)?;
    let end = start + file[start..].find("\n}\n")? + 3;
    // The comment is the line in front.
    let start = file[..start].rfind('\n').map_or(0, |i| i + 1);
    let lines = file.get(start..end)?.split_inclusive('\n');
    Some(lines.filter(|line| !line.starts_with("    footpath_test_number = ")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(items: &[&str]) -> Vec<String> {
        items.iter().map(|&s| s.to_owned()).collect()
    }

    #[test]
    fn words_with_meaning_to_the_shell_are_quoted() {
        let programs = [Program {
            name: "a_f".to_owned(),
            source: PathBuf::from("../a.c"),
            has_stubs: true,
            flags: strings(&["-DS=\"x y\"", "-DN=$1"]),
        }];
        let text = makefile("clang", &programs, &[], Framework::Plain);
        assert!(
            text.contains("a_f: a_f.c a_f_stubs.c ../a.c footpath_test.h footpath_test.o footpath_world.o\n"),
            "{text}"
        );
        assert!(text.contains("'-DS=\"x y\"' '-DN=$$1' $(FOOTPATH) -w -O0"), "{text}");
        let text = cmake_lists("clang", &programs, &[], Framework::Plain);
        assert!(text.contains(r#"PRIVATE "-DS=\"x y\"" "-DN=\$1" ${FOOTPATH} -w"#), "{text}");
    }

    #[test]
    fn folders_of_headers_are_found_from_where_a_tool_builds() {
        let programs = [Program {
            name: "a".to_owned(),
            source: PathBuf::from("../a.c"),
            has_stubs: false,
            flags: strings(&["-I../my inc", "-I/usr/include/x", "-isystem", "./sys"]),
        }];
        let text = makefile("clang", &programs, &[], Framework::Plain);
        assert!(text.contains("'-I../my inc' -I/usr/include/x -isystem ./sys $(FOOTPATH)"), "{text}");
        let text = cmake_lists("clang", &programs, &[], Framework::Plain);
        let here = "${CMAKE_CURRENT_SOURCE_DIR}";
        let expected = format!("\"-I{here}/../my inc\" -I/usr/include/x -isystem \"{here}/./sys\"");
        assert!(text.contains(&expected), "{text}");
        let text = crate::meson::meson_build(&programs, &[]);
        let expected = "'-I@0@/../my inc'.format(meson.current_source_dir()), '-I/usr/include/x', '-isystem', '@0@/./sys'.format(";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn a_test_is_found_in_its_file() {
        let file = "/* x */\n\n/* one */\nstatic void f_returns(void)\n{\n    footpath_test_number = 1;\n    f(1);\n}\n\n/* two */\nstatic void f_reaches_line_2(void)\n{\n}\n";
        assert_eq!(
            test_text(file, 1).as_deref(),
            Some("/* one */\nstatic void f_returns(void)\n{\n    f(1);\n}\n")
        );
        assert_eq!(
            test_text(file, 2).as_deref(),
            Some("/* two */\nstatic void f_reaches_line_2(void)\n{\n}\n")
        );
        assert_eq!((test_text(file, 0), test_text(file, 3)), (None, None));
    }

    #[test]
    fn tests_of_several_sources_are_linked_with_all_of_them() {
        let program = Program {
            name: "a_f".to_owned(),
            source: PathBuf::from("../a.c"),
            has_stubs: false,
            flags: Vec::new(),
        };
        let source = |name: &str, flag: &str| Source {
            path: PathBuf::from(format!("/src/{name}")),
            flags: vec![flag.to_owned()],
        };
        let sources = [source("a.c", "-DA"), source("b.c", "-DB")];
        let text = makefile("clang", std::slice::from_ref(&program), &sources, Framework::Plain);
        assert!(
            text.contains("a_f: a_f.c ../a.c footpath_test.h footpath_test.o footpath_world.o libothers.a\n"),
            "{text}"
        );
        assert!(text.contains("\nlibothers.a: other_1.o other_2.o\n"), "{text}");
        assert!(
            text.contains(
                "$(CC) -DB $(FOOTPATH) -w -O0 $(CFLAGS) -Dmain=footpath_main_of_the_source -c /src/b.c"
            ),
            "{text}"
        );
        let text = cmake_lists("clang", &[program], &sources, Framework::Plain);
        assert!(text.contains("add_library(others STATIC /src/a.c /src/b.c)"), "{text}");
        assert!(text.contains("PRIVATE others -Wl,--allow-multiple-definition"), "{text}");
    }
}
