//! Source files: which of the files that a user names can be given to the C compiler.
//!
//! A file that cannot be used is left out with the reason, and the others are analysed. For example, of
//! `sort.c missing.c sort.c tree.cpp` the first is compiled, `missing.c` is not there, the second `sort.c` would define every
//! function twice, and `tree.cpp` is C++, whose names, constructors and exceptions the front end does not know, although clang
//! would translate it.
//!
//! **Direction of error.** Nothing is claimed about a file that is left out; how many there are goes into the exit code.

use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The files that are compiled, and what is said of the others.
#[derive(Default)]
pub(crate) struct SourceFiles<'a> {
    /// As they were named.
    pub(crate) usable: Vec<&'a Path>,
    /// For each that cannot be used, its name and why.
    pub(crate) refused: Vec<String>,
    /// Remarks about files that are left out without any loss.
    pub(crate) notes: Vec<String>,
}

impl<'a> SourceFiles<'a> {
    /// Sorts files that are named from a folder.
    pub(crate) fn of(files: &'a [PathBuf], here: &Path) -> SourceFiles<'a> {
        let mut sorted = SourceFiles::default();
        let mut seen: Vec<PathBuf> = Vec::new();
        for file in files {
            let source = here.join(file);
            if let Some(why) = refusal(&source) {
                sorted.refused.push(format!("{}: {why}", file.display()));
                continue;
            }
            let real = source.canonicalize().unwrap_or(source);
            if seen.contains(&real) {
                sorted.notes.push(format!("{} is named more than once and compiled once", file.display()));
                continue;
            }
            seen.push(real);
            sorted.usable.push(file);
        }
        sorted
    }
}

/// Why a file cannot be compiled as C, if it cannot. LLVM's own files clang does translate, too.
fn refusal(path: &Path) -> Option<&'static str> {
    const C: [&str; 4] = ["c", "i", "ll", "bc"];
    const CPP: [&str; 13] =
        ["C", "cc", "cp", "cpp", "cxx", "c++", "CPP", "ii", "H", "hh", "hpp", "hxx", "h++"];
    if !path.to_str().is_some_and(footpath_replay::is_expressible) {
        return Some("its name has characters that neither C nor build files can express");
    }
    if path.is_dir() {
        return Some("this is a folder; name its C files, or the folder of a build with --compile-commands");
    }
    if !path.is_file() {
        return Some("there is no such file");
    }
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if CPP.contains(&ending) {
        return Some("this is C++, which is not supported; C is, in files that end in `.c`");
    }
    if ending == "bpl" {
        return Some("this is a Boogie program, not C; `footpath cover` and `footpath verify` read it");
    }
    if ending == "bc" {
        return None;
    }
    let mut start = Vec::new();
    let begins = std::fs::File::open(path).and_then(|file| file.take(1 << 12).read_to_end(&mut start));
    if begins.is_ok() && start.contains(&0) {
        return Some("this is not a text file; Footpath reads C sources, not executables or object files");
    }
    (!C.contains(&ending))
        .then_some("this is neither a C source (`.c`) nor a Boogie program (`.bpl`), by its name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_compiled_once_and_others_refused_with_the_reason() {
        let folder = std::env::temp_dir().join(format!("footpath-source-files-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("sub")).expect("a folder can be made");
        for name in ["a.c", "b.cpp", "c.C", "d.bpl", "e.txt"] {
            std::fs::write(folder.join(name), "int x;\n").expect("a file can be written");
        }
        std::fs::write(folder.join("f.c"), b"\x7fELF\0").expect("a file can be written");
        let names = ["a.c", "b.cpp", "./a.c", "c.C", "d.bpl", "e.txt", "f.c", "gone.c", "sub"];
        let files: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        let sorted = SourceFiles::of(&files, &folder);
        assert_eq!(sorted.usable, [Path::new("a.c")]);
        assert_eq!(sorted.notes, ["./a.c is named more than once and compiled once"]);
        let expected = [
            ("b.cpp: ", "C++"),
            ("c.C: ", "C++"),
            ("d.bpl: ", "Boogie"),
            ("e.txt: ", "neither a C source"),
            ("f.c: ", "not a text file"),
            ("gone.c: ", "no such file"),
            ("sub: ", "folder"),
        ];
        assert_eq!(sorted.refused.len(), expected.len(), "{:?}", sorted.refused);
        for (said, (name, why)) in sorted.refused.iter().zip(expected) {
            assert!(said.starts_with(name) && said.contains(why), "{said}");
        }
        std::fs::remove_dir_all(folder).expect("the folder can be removed");
    }
}
