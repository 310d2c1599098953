//! The build file for fuzz harnesses: `fuzz.mk`, which the tests' `Makefile` includes, and which works alone.
//!
//! Example: `make -f fuzz.mk fuzz_parse` builds the program of the harness `fuzz_parse.c` with the fuzzer, the address sanitizer and
//! that of undefined behaviour; `./fuzz_parse fuzz_parse_corpus` fuzzes, from the tests on.

use std::fmt::Write;
use std::path::PathBuf;

use crate::build_files::Source;
use crate::execution::{RENAMED_MAIN, header_flags};
use crate::flags::library_flags;
use crate::quoting::{make_value, prerequisite, recipe_word};

/// A harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuzzProgram {
    /// Its name, which is that of its file without the ending: a [`crate::plain_name`].
    pub name: String,
    /// The file with the function.
    pub source: PathBuf,
    /// The other files that it is built from.
    pub files: Vec<String>,
    /// Flags for the compiler.
    pub flags: Vec<String>,
}

/// The build file of harnesses. Of several `sources` a library is made, for functions that call into other sources.
pub fn fuzz_makefile(compiler: &str, programs: &[FuzzProgram], sources: &[Source]) -> String {
    let names: String = programs.iter().map(|program| format!(" {}", program.name)).collect();
    let mut out = format!(
        "# Fuzz harnesses made by Footpath. `make -f fuzz.mk` builds them all; `./fuzz_FUNCTION fuzz_FUNCTION_corpus` fuzzes.\n\
         FUZZ_CC := {}\nFUZZ_FLAGS := -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined\n\
         FUZZ_LINK := -Wl,--wrap=exit,--wrap=free,--wrap=realloc\n\n\
         .PHONY: fuzz fuzz-clean\nfuzz:{names}\n\nfuzz-clean:\n\trm -f{names} libfuzzothers.a fuzz_other_*.o\n",
        make_value(compiler),
    );
    let headers = header_flags(".").join(" ");
    let has_others = sources.len() > 1;
    if has_others {
        let objects: String = (1..=sources.len()).map(|i| format!(" fuzz_other_{i}.o")).collect();
        let _ = write!(out, "\nlibfuzzothers.a:{objects}\n\tar rcs $@{objects}\n");
        for (i, source) in sources.iter().enumerate() {
            let path = source.path.display().to_string();
            let _ = write!(
                out,
                "\nfuzz_other_{}.o: {}\n\t$(FUZZ_CC) {}{headers} -w $(FUZZ_FLAGS) $(CFLAGS) {RENAMED_MAIN} -c {} -o $@\n",
                i + 1,
                prerequisite(&path).unwrap_or_default(),
                words(&source.flags),
                recipe_word(&path)
            );
        }
    }
    let (library, others) = match has_others {
        true => (" libfuzzothers.a", " libfuzzothers.a -Wl,--allow-multiple-definition"),
        false => ("", ""),
    };
    for FuzzProgram { name, source, files, flags } in programs {
        let path = source.display().to_string();
        let files: String = files.iter().map(|file| format!(" {file}")).collect();
        let _ = write!(
            out,
            "\n{name}: {name}.c{files} footpath_fuzzer.h {}{library}\n\
             \t$(FUZZ_CC) {}{headers} -w $(FUZZ_FLAGS) $(CFLAGS) $(FUZZ_LINK) -o $@ {name}.c{files}{others} {}-lm\n",
            prerequisite(&path).unwrap_or_default(),
            words(flags),
            words(library_flags(flags)),
        );
    }
    out
}

fn words<'a>(flags: impl IntoIterator<Item = &'a String>) -> String {
    flags.into_iter().map(|flag| format!("{} ", recipe_word(flag))).collect()
}
