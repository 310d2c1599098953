//! A build file for Meson: `meson.build`, with a test for each program.
//!
//! Example: `meson setup build && meson test -C build` in the folder with the tests. Meson finds out by itself which headers and sources
//! a test file includes, so an edit of one builds the test again. The flags are those of the `Makefile` (`build_files.rs`).
//!
//! It is for tests that run themselves; those for a framework need `ld -r`, which the other build files call.

use std::fmt::Write;

use crate::build_files::{Program, Source, machines, suffix};
use crate::execution::{RENAMED_MAIN, header_flags};
use crate::flags::{headers_in, library_flags, machine_flags};
use crate::library_world::link_flag;
use crate::quoting::meson_word;

/// Meson replaces this in strings with `format`.
const HERE: &str = "@0@";

/// A string in which [`HERE`] is the folder of the tests.
fn in_here(word: &str) -> String {
    format!("{}.format(meson.current_source_dir())", meson_word(word))
}

/// A `meson.build` with a test for each program. Of several `sources` libraries are made, for tests of functions that call into
/// other sources.
pub fn meson_build(programs: &[Program], sources: &[Source]) -> String {
    let mut out = format!(
        "# Tests made by Footpath: meson setup build && meson test -C build\n\
         project('footpath_tests', 'c')\nfootpath = [{}]\nreplaced = [{}]\n",
        header_flags(HERE).map(|word| in_here(&word)).join(", "),
        in_here(&link_flag(HERE)),
    );
    let machines = machines(programs);
    for flags in &machines {
        let suffix = suffix(&machines, flags);
        let _ = write!(
            out,
            "\nshared{suffix} = static_library('footpath{suffix}', 'footpath_test.c', 'footpath_world.c',\n  \
             c_args: [{}'-w', '-O0'])\n",
            words(flags)
        );
    }
    let mut others = String::new();
    if sources.len() > 1 {
        for (i, source) in sources.iter().enumerate() {
            let (path, number) = (meson_word(&source.path.display().to_string()), i + 1);
            let _ = write!(
                out,
                "\nother_{number} = static_library('other_{number}', {path},\n  \
                 c_args: [{}{}] + footpath + ['-w', '-O0'])\n",
                source_words(&source.flags),
                meson_word(RENAMED_MAIN),
            );
            let _ = write!(others, "{}other_{number}", if i == 0 { "" } else { ", " });
        }
    }
    let multiple = if others.is_empty() { "" } else { "'-Wl,--allow-multiple-definition', " };
    for program in programs {
        let name = meson_word(&program.name);
        let files: String =
            program.parts().iter().map(|part| meson_word(&format!("{part}.c")) + ", ").collect();
        let suffix = suffix(&machines, &program.flags);
        let machine = machine_flags(&program.flags);
        let _ = write!(
            out,
            "\ntest({name}, executable({name}, {files}\n  c_args: [{}] + footpath + ['-w', '-O0'],\n  \
             link_whole: shared{suffix}, link_with: [{others}],\n  link_args: replaced + [{multiple}{}{}'-lm']))\n",
            source_words(&program.flags),
            words(&machine),
            words(library_flags(&program.flags)),
        );
    }
    out
}

/// Strings in a list, each with a comma behind it.
fn words<'a>(flags: impl IntoIterator<Item = &'a String>) -> String {
    flags.into_iter().map(|flag| meson_word(flag) + ", ").collect()
}

/// The same for the flags of sources: folders of headers are named from the folder of the file, while Meson compiles in another one.
fn source_words(flags: &[String]) -> String {
    let word = |(given, placed): (&String, String)| {
        if *given == placed { meson_word(given) } else { in_here(&placed) }
    };
    flags.iter().zip(headers_in(flags, HERE)).map(|flag| word(flag) + ", ").collect()
}
