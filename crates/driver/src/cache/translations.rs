//! Compilation cache: LLVM's text of a file is kept for the other parts of a run, which compile the same file.
//!
//! **Idea.** As in the direct mode of ccache the key is made of the texts of all files that the compiler reads: the preprocessor names
//! them in its marks of lines. Its output alone would not do, as debug information says at which column something begins, and blanks and
//! comments are gone there. The output is in the key, too: for macros of the environment, the time, and headers that are not there. The
//! preprocessor still runs each time, for about a tenth of the time of the compiler.
//!
//! Only parts of a run (shards and work units) use it. Texts are ten times as large as sources, and a whole run has nobody to share them with.
//!
//! Example: the first of 100 work units of SQLite compiles its one file twice, with checks and without; the other 99 take 98 MB from the store.
//!
//! **Deviation.** The folder of the project and its paths are in the key, as they are in debug information.
//!
//! **Direction of error.** A compiler is known by its name and by what it says of its version. That the text is what it wrote is as
//! certain as any result in the store (`store_key.rs`). Flags with which it reads further files are not followed: with them nothing is kept.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use footpath_replay::compiler_version;
use footpath_summaries::{Texts, digest, own_build};

use super::tagged_lines::{escaped, items, list, unescaped};
use crate::Options;
use crate::translation::{Sanitized, Translation, Unit};

/// Changes with the form of what is kept.
const FORMAT: &str = "footpath translation 1";

/// How flags begin that have the compiler read what the preprocessor does not name.
const READING: [&str; 8] =
    ["@", "-fprofile", "-fmodule", "-fplugin", "-fpass-plugin", "-include-pch", "-fsanitize-", "--config"];

/// The translations that are kept.
pub(crate) struct Translations {
    texts: Texts,
    build: String,
}

impl Translations {
    /// Those in the store of a part of a run.
    pub(crate) fn open(options: &Options) -> Option<Translations> {
        let is_part = options.shard.is_some() || options.unit.is_some();
        let storage = options.store.clone().filter(|_| is_part)?;
        // More time changes nothing.
        Some(Translations { texts: Texts::new(storage, Duration::MAX), build: own_build()? })
    }

    /// The key of a file's translation, by its preprocessed text; `None` if not all that it depends on is known.
    pub(crate) fn key(&self, unit: &Unit, preprocessed: &str) -> Option<String> {
        let compiler = &unit.compiler;
        let reads = |flag: &String| READING.iter().any(|word| flag.starts_with(word)) || flag == "-Xclang";
        if compiler.flags.iter().any(reads) {
            return None;
        }
        let mut parts = vec![
            FORMAT.to_owned(),
            self.build.clone(),
            format!("{} {}", compiler.program, compiler_version(&compiler.program).ok()?),
            format!("{:?} {} {:?}", compiler.flags, compiler.keeps_names, (&compiler.folder, &unit.source)),
            digest(preprocessed),
        ];
        for name in files_of(preprocessed)? {
            let text = std::fs::read(compiler.folder.join(name)).ok()?;
            parts.push(format!("{name:?} {}", digest(text)));
        }
        Some(digest(parts.join("\n")))
    }

    /// The translation under a key, if it is kept.
    pub(crate) fn recall(&self, key: &str) -> Option<Translation> {
        let kept = self.texts.read(key)?;
        let (head, text) = kept.text.split_once('\n')?;
        let (time, read) = head.split_once(' ')?;
        let read = read.split('\t').filter(|name| !name.is_empty());
        Some(Translation {
            time: Duration::from_nanos(time.parse().ok()?),
            read: read.map(|name| unescaped(name).map(PathBuf::from)).collect::<Option<_>>()?,
            text: text.to_owned(),
        })
    }

    /// Keeps a translation.
    pub(crate) fn keep(&self, key: &str, Translation { text, time, read }: &Translation) {
        let names: Option<Vec<&str>> = read.iter().map(|file| file.to_str()).collect();
        let Some(names) = names.filter(|names| !names.iter().any(|name| name.contains('\t'))) else { return };
        let names: Vec<String> = names.into_iter().map(escaped).collect();
        let whole = format!("{} {}\n{text}", time.as_nanos(), names.join("\t"));
        self.texts.write(key, &whole, true);
    }

    /// The text with checks under a key, if it is kept.
    pub(crate) fn recall_sanitized(&self, key: &str) -> Option<Sanitized> {
        let kept = self.texts.read(&with_checks(key))?;
        let (places, text) = kept.text.split_once('\n')?;
        let place = |at: &str| {
            let (line, column) = at.split_once(':')?;
            Some((line.parse().ok()?, column.parse().ok()?))
        };
        Some((text.to_owned(), items(places).map(place).collect::<Option<_>>()?))
    }

    /// Keeps a text with checks.
    pub(crate) fn keep_sanitized(&self, key: &str, (text, unreached): &Sanitized) {
        let places = list(unreached.iter().map(|(line, column)| format!("{line}:{column}")));
        self.texts.write(&with_checks(key), &format!("{places}\n{text}"), true);
    }

    /// Warnings for the user about the store.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.texts.warnings()
    }
}

fn with_checks(key: &str) -> String {
    digest(format!("{key} with checks"))
}

/// The files that the preprocessor's marks of lines name; `None` if a name is none that is written as it is.
fn files_of(preprocessed: &str) -> Option<BTreeSet<&str>> {
    let mut names = BTreeSet::new();
    let marks = preprocessed.lines().filter_map(|line| line.strip_prefix("# "));
    for mark in marks.filter(|mark| mark.starts_with(|c: char| c.is_ascii_digit())) {
        let (_, name) = mark.split_once('"')?;
        let (name, _) = name.split_once('"')?;
        if name.contains('\\') {
            return None;
        }
        // What the compiler defines itself.
        if !(name.starts_with('<') && name.ends_with('>')) {
            names.insert(name);
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_lines_name_all_files_that_are_read() {
        let text = "# 1 \"a.c\"\n# 1 \"<built-in>\" 1\n#define N 3\n# 2 \"a.c\" 2\n# 1 \"inc/a.h\" 1 3\nint x;\n#pragma x\n";
        assert_eq!(files_of(text), Some(BTreeSet::from(["a.c", "inc/a.h"])));
        assert_eq!(files_of("# 1 \"a\\\\b.c\"\n"), None);
        assert_eq!(files_of("# 1\n"), None);
    }
}
