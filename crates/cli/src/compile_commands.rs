//! Reading `compile_commands.json`: which files a build compiles, with which flags.
//!
//! Of each command only what matters to what the source means is kept: macros, folders of headers, the language's
//! version, the target. What asks for output, dependencies, warnings or optimisation is dropped.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use footpath_driver::FileFlags;
use footpath_replay::absolute_flags;

/// The C files of a compilation database. Of a file that is compiled several times, the first command counts.
pub fn read(path: &Path) -> Result<Vec<FileFlags>> {
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
        let words = if entry.arguments.is_empty() { words(&entry.command) } else { entry.arguments };
        files.push(FileFlags { flags: absolute_flags(&meaning(&words), &folder), file });
    }
    if files.is_empty() {
        bail!("{name} names no C file");
    }
    Ok(files)
}

/// Those of `all` that are meant by `wanted`, in that order; the names of those that are not there.
pub fn select(all: &[FileFlags], wanted: &[PathBuf]) -> (Vec<FileFlags>, Vec<String>) {
    let real = |p: &Path| p.canonicalize().unwrap_or_else(|_| p.to_owned());
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for path in wanted {
        match all.iter().find(|f| real(&f.file) == real(path)) {
            Some(file) => found.push(FileFlags { file: path.clone(), flags: file.flags.clone() }),
            None => missing.push(path.display().to_string()),
        }
    }
    (found, missing)
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
    const ALONE: [&str; 5] = ["-ansi", "-pthread", "-ffreestanding", "-fwrapv", "-fno-builtin"];
    let mut kept = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if WITH_ARGUMENT.contains(&word.as_str()) {
            kept.push(word.clone());
            kept.extend(words.next().cloned());
        } else if ALONE.contains(&word.as_str())
            || PREFIXES.iter().any(|p| word.starts_with(p)) && !word.starts_with("-mtune")
        {
            kept.push(word.clone());
        }
    }
    kept
}

/// The words of a command line, as a shell takes it apart; without expansions, which no build tool writes here.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_with(String::new);
            }
            (c, Some(q)) if c == q => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_with(String::new).extend(chars.next()),
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_taken_apart_as_a_shell_does() {
        assert_eq!(words(r#"cc -DS=\"x\" '-DT=a b' "-I c""#), ["cc", "-DS=\"x\"", "-DT=a b", "-I c"]);
    }

    #[test]
    fn only_what_the_source_means_is_kept() {
        let words = words("gcc -O2 -g -Wall -MD -MF x.d -DA -D B=1 -Iinc -std=c11 -m32 -o x.o -c x.c");
        assert_eq!(meaning(&words), ["-DA", "-D", "B=1", "-Iinc", "-std=c11", "-m32"]);
    }
}
