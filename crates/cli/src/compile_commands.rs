//! The C files of a command line with their flags, and reading `compile_commands.json`: which files a build compiles, how.
//!
//! Of each command only what matters to what the source means is kept: macros, folders of headers, the language's
//! version, the target. What asks for output, dependencies, warnings or optimisation is dropped: of
//! `cc -O2 -Iinclude -DNDEBUG -o x.o -c x.c` there remain `-Iinclude -DNDEBUG`. A command is a list of words or one text, which
//! is taken apart as a shell does; flags may stand in response files.
//!
//! **Direction of error.** A flag that is dropped and changes what the source means is a wrong program; so the lists
//! below name what is kept, and whoever needs more gives it behind `--`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use footpath_driver::{FileFlags, Options};
use footpath_replay::absolute_flags;

use crate::args::CompilerArgs;
use crate::compiler_flags::{from_user, written_out};

/// What build systems call the file.
const FILE_NAME: &str = "compile_commands.json";

/// C files that are to be analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources {
    /// The files, with their flags.
    pub files: Vec<FileFlags>,
    /// The other files of the compilation database.
    pub others: Vec<FileFlags>,
    /// The compiler, if the user named one.
    pub clang: Option<String>,
}

impl Sources {
    /// The files that a command line names, or all of its compilation database. Flags of the command line come last, where they
    /// win.
    ///
    /// # Errors
    /// If there is no such database, or a file is not in it.
    pub fn of(named: &[PathBuf], args: &CompilerArgs) -> Result<Sources> {
        let (cflags, clang) = (from_user(&args.cflags)?, args.clang.clone());
        let Some(database) = &args.compile_commands else {
            let with_flags = |f: &PathBuf| FileFlags { file: f.clone(), flags: cflags.clone() };
            return Ok(Sources { files: named.iter().map(with_flags).collect(), others: Vec::new(), clang });
        };
        let (mut files, mut others) = (read(database)?, Vec::new());
        if !named.is_empty() {
            let (found, left, missing) = select(files, named);
            let are = if missing.len() > 1 { "are" } else { "is" };
            ensure!(missing.is_empty(), "{} {are} not in {}", missing.join(", "), database.display());
            (files, others) = (found, left);
        }
        let here = std::env::current_dir().context("the current folder cannot be read")?;
        for file in files.iter_mut().chain(&mut others) {
            file.flags.extend(cflags.iter().cloned());
            if let Ok(short) = file.file.strip_prefix(&here) {
                file.file = Path::to_owned(short);
            }
        }
        Ok(Sources { files, others, clang })
    }

    /// The same options for these files.
    #[must_use]
    pub fn with(self, options: Options) -> Options {
        let paths = |files: &[FileFlags]| files.iter().map(|f| f.file.clone()).collect();
        Options {
            files: paths(&self.files),
            callee_files: paths(&self.others),
            file_flags: [self.files, self.others].concat(),
            clang: self.clang,
            ..options
        }
    }
}

/// The compilation database that a path names, which may be the folder of a build.
pub fn file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(FILE_NAME) } else { path.to_owned() }
}

/// The C files of a compilation database, or of the one in a folder. Of a file that is compiled several times, the first
/// command counts.
pub fn read(path: &Path) -> Result<Vec<FileFlags>> {
    let path = &file(path);
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name} cannot be read"))?;
    let entries = footpath_report::compile_commands::parse(&text)
        .with_context(|| format!("{name} is not a compilation database"))?;
    let base = std::env::current_dir()?.join(path.parent().unwrap_or(Path::new("")));
    let mut files: Vec<FileFlags> = Vec::new();
    for entry in entries {
        let folder = base.join(&entry.directory);
        let file = folder.join(&entry.file);
        let is_c = file.extension().is_some_and(|e| e == "c");
        if !is_c || files.iter().any(|f| f.file == file) {
            continue;
        }
        let words = match entry.arguments.is_empty() {
            true => shlex::split(&entry.command)
                .with_context(|| format!("{name}: the command for {} ends within quotes", entry.file))?,
            false => entry.arguments,
        };
        let flags = meaning(&written_out(&words, &folder));
        files.push(FileFlags { flags: absolute_flags(&flags, &folder), file });
    }
    if files.is_empty() {
        bail!("{name} names no C file");
    }
    Ok(files)
}

/// Those of `all` that are meant by `wanted`, in that order; the others; the names of those that are not there.
fn select(all: Vec<FileFlags>, wanted: &[PathBuf]) -> (Vec<FileFlags>, Vec<FileFlags>, Vec<String>) {
    // What a build makes later may be in it, and not be there yet.
    let in_its_folder = |p: &Path| {
        let folder = p.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(p.file_name()?))
    };
    let real = |p: &Path| p.canonicalize().ok().or_else(|| in_its_folder(p)).unwrap_or_else(|| p.to_owned());
    let mut others: Vec<(PathBuf, FileFlags)> = all.into_iter().map(|f| (real(&f.file), f)).collect();
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for path in wanted {
        match others.iter().find(|(name, _)| *name == real(path)) {
            Some((_, file)) => found.push(FileFlags { file: path.clone(), flags: file.flags.clone() }),
            None => missing.push(path.display().to_string()),
        }
    }
    let wanted: Vec<PathBuf> = wanted.iter().map(|path| real(path)).collect();
    others.retain(|(name, _)| !wanted.contains(name));
    (found, others.into_iter().map(|(_, file)| file).collect(), missing)
}

/// The flags of a command that say what the source means.
fn meaning(words: &[String]) -> Vec<String> {
    const WITH_ARGUMENT: [&str; 11] = [
        "-D",
        "-U",
        "-I",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-include",
        "-imacros",
        "-target",
        "--sysroot",
        "-isysroot",
    ];
    const PREFIXES: [&str; 13] = [
        "-D",
        "-U",
        "-I",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-std=",
        "-m",
        "--target=",
        "--sysroot=",
        "-fshort",
        "-funsigned",
        "-fsigned",
    ];
    // The last two lines say what compilers may assume of the source, and so what it means where it breaks the standard.
    const ALONE: [&str; 23] = [
        "-ansi",
        "-nostdinc",
        "-pthread",
        "-trigraphs",
        "-ffreestanding",
        "-fgnu89-inline",
        "-fhosted",
        "-fms-extensions",
        "-fno-asm",
        "-fno-builtin",
        "-fno-short-enums",
        "-fno-signed-char",
        "-fno-unsigned-char",
        "-fpack-struct",
        "-fplan9-extensions",
        "-ftrapv",
        "-fdelete-null-pointer-checks",
        "-fno-delete-null-pointer-checks",
        "-fno-strict-aliasing",
        "-fstrict-aliasing",
        "-fno-strict-overflow",
        "-fno-wrapv",
        "-fwrapv",
    ];
    let mut kept = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if WITH_ARGUMENT.contains(&word.as_str()) {
            kept.push(word.clone());
            kept.extend(words.next().cloned());
        } else if ALONE.contains(&word.as_str())
            || PREFIXES.iter().any(|p| word.starts_with(p)) && !is_about_code(word)
        {
            kept.push(for_clang(word).to_owned());
        }
    }
    kept
}

/// Whether a flag for a machine says which instructions are chosen. Most of these only gcc has, and clang would refuse the file.
fn is_about_code(flag: &str) -> bool {
    const PREFIXES: [&str; 17] = [
        "accumulate-outgoing-args",
        "align-",
        "avx256-split-unaligned-",
        "branch-cost=",
        "fentry",
        "fp-ret-in-387",
        "function-return=",
        "harden-sls=",
        "incoming-stack-boundary=",
        "indirect-branch",
        "memcpy-strategy=",
        "nop-mcount",
        "preferred-stack-boundary=",
        "push-args",
        "record-mcount",
        "stringop-strategy=",
        "tune",
    ];
    let name = flag.strip_prefix("-mno-").or_else(|| flag.strip_prefix("-m"));
    name.is_some_and(|name| {
        PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || name == "skip-rax-setup"
    })
}

/// The name that every version of clang has for a version of the language or its extensions.
fn for_clang(flag: &str) -> &str {
    match flag {
        "-std=c23" | "-std=iso9899:2024" => "-std=c2x",
        "-std=gnu23" => "-std=gnu2x",
        "-fplan9-extensions" => "-fms-extensions",
        _ => flag,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        shlex::split(command).expect("no open quotes")
    }

    #[test]
    fn commands_are_taken_apart_as_a_shell_does() {
        let expected = ["cc", "-DS=\"x\"", "-DT=a b", "-I c"];
        assert_eq!(words(r#"cc -DS=\"x\" '-DT=a b' "-I c""#), expected);
    }

    #[test]
    fn both_forms_of_commands_are_read_from_the_file_or_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
        write("more.rsp", "-DR='a b'");
        write(
            FILE_NAME,
            r#"[{ "directory": ".", "file": "a.c", "command": "cc @more.rsp -Wp,-MD,a.d,-DP -O2 -c a.c" },
                { "directory": ".", "file": "b.c", "arguments": ["cc", "-DR=\"q r\"", "@more.rsp", "-c", "b.c"] }]"#,
        );
        for path in [folder.path().to_owned(), folder.path().join(FILE_NAME)] {
            let files = read(&path).expect("a compilation database");
            let flags: Vec<Vec<String>> = files.into_iter().map(|f| f.flags).collect();
            assert_eq!(flags, [vec!["-DR=a b", "-DP"], vec!["-DR=\"q r\"", "-DR=a b"]]);
        }
        write(FILE_NAME, r#"[{ "directory": ".", "file": "a.c", "command": "cc -D'A" }]"#);
        let why = read(folder.path()).expect_err("an open quote").to_string();
        assert!(why.contains("ends within quotes"), "{why}");
    }

    #[test]
    fn only_what_the_source_means_is_kept() {
        let words = words("gcc -O2 -g -Wall -MD -MF x.d -DA -D B=1 -Iinc -std=c11 -m32 -o x.o -c x.c");
        assert_eq!(meaning(&words), ["-DA", "-D", "B=1", "-Iinc", "-std=c11", "-m32"]);
    }

    #[test]
    fn what_compilers_may_assume_is_kept_and_what_only_gcc_has_is_not() {
        let assumed =
            ["-fno-strict-aliasing", "-fno-delete-null-pointer-checks", "-fgnu89-inline", "-msse4.2"];
        let of_gcc =
            "-fipa-pta -mno-avx256-split-unaligned-load -mpreferred-stack-boundary=3 -mno-fp-ret-in-387";
        assert_eq!(meaning(&words(&format!("gcc {of_gcc} {} -c x.c", assumed.join(" ")))), assumed);
        assert_eq!(meaning(&words("gcc -std=gnu23 -c x.c")), ["-std=gnu2x"]);
    }
}
