//! Sanitizers: tests are run once more with the compiler's sanitizers, as a second opinion on failures that do not
//! stop the process.
//!
//! An overflow, a wild shift or an access just past an object lets a compiled program go on, so its end confirms
//! nothing. The address and undefined-behaviour sanitizers of the compiler detect most of these. Reads of what was never
//! written are the memory sanitizer's, which goes with no other: a test that shows one is built and run apart.
//!
//! **Direction of error.** Towards missing failures: an access from one object into another is not detected, for
//! example, so what sanitizers do not report is not refuted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use footpath_ir::AssertKind;
use footpath_jail::{Jail, Profile, wait};
use rustc_hash::FxHashSet;

use crate::dead_code::prune;
use crate::execution::{AskedFor, Build, Compiler, Limits, NativeError, UNREACHED, read, run, start, write};
use crate::flags::search_flags;
use crate::library_world::link_flag;
use crate::runtime::sanitized_objects;

/// A report of a sanitizer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sighting {
    /// The kind of failure.
    pub kind: AssertKind,
    /// The file's name without folders, and the line, if it said where.
    pub place: Option<(String, u32)>,
}

/// Debug information is not needed, as the compiler passes the place of undefined behaviour to the sanitizer.
pub(crate) const FLAGS: [&str; 2] = ["-fsanitize=address,undefined", "-O0"];

/// What is told to the address sanitizer. Nothing is translated to places, which would take a further process.
pub(crate) const ASAN_OPTIONS: &str =
    "detect_leaks=0:allocator_may_return_null=1:symbolize=0:hard_rss_limit_mb=2000";
/// What is told to the sanitizer of undefined behaviour.
pub(crate) const UBSAN_OPTIONS: &str = "print_stacktrace=0:symbolize=0";

/// Which sanitizers a test is built with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanitizers {
    /// Those of addresses and of undefined behaviour.
    AddressAndUndefined,
    /// That of memory which was never written.
    Memory,
}

impl Sanitizers {
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Sanitizers::AddressAndUndefined => &FLAGS,
            // What is passed is checked at the call, as by default from clang 16 on.
            Sanitizers::Memory => &["-fsanitize=memory", "-mllvm", "-msan-eager-checks=1", "-O0"],
        }
    }

    /// How the files are called that are made on the way.
    fn word(self) -> &'static str {
        match self {
            Sanitizers::AddressAndUndefined => "sanitized",
            Sanitizers::Memory => "memory",
        }
    }
}

/// What sanitizers said of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sanitized {
    /// Their reports, in order.
    pub sightings: Vec<Sighting>,
    /// Whether the test ended by itself, so that there is nothing else to report.
    pub has_ended: bool,
    /// Whether it ended as a test does that passes: sanitizers that cannot start end, too, and report nothing.
    pub has_passed: bool,
}

impl Sanitized {
    /// Whether one of the reports is such a one; `None` if none is, but the test was killed before it ended.
    pub fn any(&self, is_meant: impl FnMut(&Sighting) -> bool) -> Option<bool> {
        let is_seen = self.sightings.iter().any(is_meant);
        (is_seen || self.has_ended).then_some(is_seen)
    }

    /// Whether they say that the test has no failure that they know: it passed beside them, and nothing was reported.
    pub fn is_clear(&self) -> bool {
        self.has_passed && self.sightings.is_empty()
    }
}

/// Builds tests with sanitizers, unless that was done, and runs those of these numbers, from 1; returns the reports of each, in
/// order, as far as there was time.
/// They were built there without sanitizers before, so it is known which functions they cannot reach.
pub fn run_sanitized(
    sanitizers: Sanitizers,
    build: Build<'_>,
    tests: &[usize],
    limits: Limits,
) -> Result<Vec<Sanitized>, NativeError> {
    let program = build.folder.join(format!("{}.{}", build.name, sanitizers.word()));
    if !program.is_file() {
        build_sanitized(sanitizers, build, &program)?;
    }
    let limits = limits.after_build();
    let watched = |&number: &usize| {
        let time = limits.now()?.time;
        Some(watch(build.compiler, &program, build.folder, number, time))
    };
    tests.iter().map_while(watched).collect()
}

/// Removes programs with sanitizers that were built from older tests of a name.
pub(crate) fn forget(folder: &Path, name: &str) {
    for sanitizers in [Sanitizers::AddressAndUndefined, Sanitizers::Memory] {
        // It is not there, usually.
        let _ = std::fs::remove_file(folder.join(format!("{name}.{}", sanitizers.word())));
    }
}

fn build_sanitized(sanitizers: Sanitizers, build: Build<'_>, program: &Path) -> Result<(), NativeError> {
    let Build { compiler, folder, name, library, .. } = build;
    let (flags, word) = (sanitizers.flags(), sanitizers.word());
    let stubs = folder.join(format!("{name}_stubs.c"));
    let mut objects = sanitized_objects(&compiler.for_other_sources(), folder, flags)?;
    let others: Vec<PathBuf> = library.map(Path::to_path_buf).into_iter().chain(objects.clone()).collect();
    let is_stubbed = stubs.is_file();
    let stubs_text = if is_stubbed { read(&stubs)? } else { String::new() };
    // As without sanitizers, the compiler goes on with what a test can reach.
    let text = folder.join(format!("{name}.{word}.ll"));
    let unreached = folder.join(format!("{name}{UNREACHED}"));
    let mut translate = compiler.command();
    translate
        .args(flags)
        .args(unreached.is_file().then(|| format!("-fsanitize-ignorelist={}", unreached.display())))
        .args(["-w", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"])
        .arg(folder.join(format!("{name}.c")))
        .arg("-o")
        .arg(&text);
    run(&translate)?;
    let asked_for = AskedFor::by(&others, &stubs_text)?;
    let whole = without_list_of_variables(&read(&text)?);
    write(&text, &prune(&whole, &|name| asked_for.contains(name)).text)?;
    for (k, source) in std::iter::once(&text).chain(is_stubbed.then_some(&stubs)).enumerate() {
        let object = folder.join(format!("{name}.{word}.{k}.o"));
        let mut build = compiler.command();
        build.args(flags).args(["-w", "-Wno-override-module", "-c"]).arg(source).arg("-o").arg(&object);
        run(&build)?;
        objects.push(object);
    }
    // The user's code calls the models of the library, the sanitizers the library itself.
    let joined = folder.join(format!("{name}.{word}.o"));
    let mut join = compiler.without_libraries().command();
    join.args(["-w", "-r", "-nostdlib"])
        .args(&objects)
        .args(library)
        .args(["-Wl,--allow-multiple-definition", &link_flag(&folder.display().to_string())])
        .arg("-o")
        .arg(&joined);
    run(&join)?;
    let mut link = compiler.command();
    link.args(flags).arg("-w").arg(&joined).args(compiler.libraries()).args(search_flags(&compiler.flags));
    link.arg("-lm").arg("-o").arg(program);
    run(&link)
}

/// LLVM's text without the list in which compilers before LLVM 15 tell the address sanitizer the names and places of
/// variables: it mentions variables that were removed, and its information is not used.
fn without_list_of_variables(text: &str) -> String {
    const LIST: &str = "!llvm.asan.globals = ";
    let list = text.lines().find_map(|line| line.strip_prefix(LIST)).unwrap_or("");
    let entries: FxHashSet<&str> = list.split(['!', '{', '}', ',', ' ']).filter(|n| !n.is_empty()).collect();
    let is_entry = |line: &str| {
        let node = line.strip_prefix('!').and_then(|rest| rest.split_once(" = "));
        line.starts_with(LIST) || node.is_some_and(|(number, _)| entries.contains(number))
    };
    text.split_inclusive('\n').filter(|line| !is_entry(line)).collect()
}

/// What the sanitizers say of a test.
fn watch(
    compiler: &Compiler,
    program: &Path,
    folder: &Path,
    number: usize,
    limit: Duration,
) -> Result<Sanitized, NativeError> {
    let said = program.with_extension("said");
    let file = std::fs::File::create(&said)
        .map_err(|e| NativeError::File(said.display().to_string(), e.to_string()))?;
    // The sanitizers reserve more addresses than a limit on them would leave.
    let jail = Jail {
        seconds: limit.as_secs() + 1,
        readable: compiler.library_folders(),
        ..Jail::new(Profile::Sanitized)
    };
    let status = wait(&mut start(&jail, program, number, folder, file.into())?, limit);
    let text =
        std::fs::read(&said).map_err(|e| NativeError::File(said.display().to_string(), e.to_string()))?;
    Ok(Sanitized {
        sightings: sightings(&String::from_utf8_lossy(&text)),
        has_ended: status.is_some(),
        has_passed: status.is_some_and(|status| status.success()),
    })
}

fn sightings(said: &str) -> Vec<Sighting> {
    said.lines().filter_map(sighting).collect()
}

fn sighting(line: &str) -> Option<Sighting> {
    if let Some((place, what)) = line.split_once(": runtime error: ") {
        let mut parts = place.rsplitn(3, ':');
        let (_column, number, path) = (parts.next()?, parts.next()?, parts.next()?);
        let file = path.rsplit('/').next().unwrap_or(path).to_owned();
        return Some(Sighting { kind: undefined(what)?, place: Some((file, number.parse().ok()?)) });
    }
    if line.contains("WARNING: MemorySanitizer: use-of-uninitialized-value") {
        return Some(Sighting { kind: AssertKind::Uninitialised, place: None });
    }
    let what = line.split_once("ERROR: AddressSanitizer: ")?.1;
    Some(Sighting { kind: address(what)?, place: None })
}

fn undefined(what: &str) -> Option<AssertKind> {
    Some(match what {
        _ if what.contains("misaligned address") => AssertKind::Alignment,
        _ if what.contains("division by zero") => AssertKind::Division,
        _ if what.contains("outside the range of representable values") => AssertKind::FloatCast,
        _ if what.contains("shift") => AssertKind::Shift,
        _ if what.contains("passing zero to") => AssertKind::Builtin,
        _ if what.contains("variable length array bound") => AssertKind::VlaLength,
        _ if what.contains("integer overflow") || what.contains("cannot be represented") => {
            AssertKind::Overflow
        }
        _ if what.starts_with("index ") && what.contains("out of bounds") => AssertKind::Subobject,
        _ if what.contains("which is declared to never be null") => AssertKind::Nonnull,
        _ if what.contains("not a valid value for type") => AssertKind::Bool,
        _ if what.contains("out of bounds") || what.contains("insufficient space") => AssertKind::Bounds,
        _ if what.contains("null pointer") => AssertKind::Null,
        _ if what.contains("unreachable") => AssertKind::Unreachable,
        _ => return None,
    })
}

fn address(what: &str) -> Option<AssertKind> {
    Some(match what.split(' ').next()? {
        "heap-use-after-free" | "stack-use-after-return" | "stack-use-after-scope" => {
            AssertKind::UseAfterFree
        }
        "attempting" | "bad-free" | "double-free" => AssertKind::Free,
        word if word.ends_with("-param-overlap:") => AssertKind::Overlap,
        word if word.ends_with("-overflow")
            || word.ends_with("-underflow")
            || word == "negative-size-param:" =>
        {
            AssertKind::Bounds
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_variables_is_left_out_and_nothing_else() {
        let text = "@.str = constant i8 1\n!llvm.asan.globals = !{!0, !12}\n!llvm.ident = !{!2}\n\
            !0 = !{i8* @.str, !1, !\"a\"}\n!1 = !{!\"a.c\"}\n!2 = !{!\"clang\"}\n!12 = !{i8* @x, !1}\n";
        let left = "@.str = constant i8 1\n!llvm.ident = !{!2}\n!1 = !{!\"a.c\"}\n!2 = !{!\"clang\"}\n";
        assert_eq!(without_list_of_variables(text), left);
        assert_eq!(without_list_of_variables(left), left);
    }

    #[test]
    fn that_nothing_is_reported_counts_only_at_the_end() {
        let overflow = Sighting { kind: AssertKind::Overflow, place: None };
        let is_overflow = |seen: &Sighting| seen.kind == AssertKind::Overflow;
        let of = |sightings: &[Sighting], has_ended| Sanitized {
            sightings: sightings.to_vec(),
            has_ended,
            has_passed: false,
        };
        assert_eq!(of(std::slice::from_ref(&overflow), false).any(is_overflow), Some(true));
        assert_eq!(of(&[overflow], true).any(|seen| !is_overflow(seen)), Some(false));
        assert_eq!((of(&[], true).any(is_overflow), of(&[], false).any(is_overflow)), (Some(false), None));
    }

    #[test]
    fn a_test_is_clear_only_if_it_passes_and_nothing_is_reported() {
        let overflow = Sighting { kind: AssertKind::Overflow, place: None };
        let of = |sightings: &[Sighting], has_passed| Sanitized {
            sightings: sightings.to_vec(),
            has_ended: true,
            has_passed,
        };
        assert!(of(&[], true).is_clear());
        assert!(!of(&[], false).is_clear(), "sanitizers that cannot start report nothing, too");
        assert!(!of(&[overflow], true).is_clear());
    }

    #[test]
    fn what_sanitizers_say_is_understood() {
        let said = "/a/b/x.c:2:67: runtime error: index 4 out of bounds for type 'int[4]'\n\
            x.c:3:102: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n\
            x.c:4:9: runtime error: passing zero to clz(), which is not a valid argument\n\
            ==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x1\n\
            SUMMARY: AddressSanitizer: heap-buffer-overflow\n\
            x.c:5:9: runtime error: load of misaligned address 0x7ffc1 for type 'int', which requires 4 byte alignment\n\
            ==12==ERROR: AddressSanitizer: attempting double-free on 0x6020: in thread T0\n\
            ==13==WARNING: MemorySanitizer: use-of-uninitialized-value\n";
        let at = |line| Some(("x.c".to_owned(), line));
        assert_eq!(
            sightings(said),
            [
                Sighting { kind: AssertKind::Subobject, place: at(2) },
                Sighting { kind: AssertKind::Overflow, place: at(3) },
                Sighting { kind: AssertKind::Builtin, place: at(4) },
                Sighting { kind: AssertKind::Bounds, place: None },
                Sighting { kind: AssertKind::Alignment, place: at(5) },
                Sighting { kind: AssertKind::Free, place: None },
                Sighting { kind: AssertKind::Uninitialised, place: None },
            ]
        );
    }
}
