//! Translation: what the user's compiler makes of a file for analysis, LLVM's text, and what the preprocessor says of it.
//!
//! The compiler runs three times for a file: for its text, for the text with the checks of a sanitizer, and for what is preprocessed.
//! Example: of `int f(int x) { return 8 / x; }` the first text has a division only, the second one says where it is checked.
//!
//! **Direction of error.** Towards saying less: a compiler may not have the sanitizer, or reject a file for the preprocessor alone.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use footpath_ir::AssertKind;
use footpath_replay::{Compiler, NativeError, macros, words};

use crate::Options;
use crate::cache::{FileFingerprints, Translations};
use crate::compile::each;

/// Stands for the name of a folder that may be another one in each run.
const NAMELESS: &str = "\0";

/// The kinds of checks of the source that LLVM's text shows only with sanitizers.
const FROM_SANITIZER: [AssertKind; 8] = [
    AssertKind::Division,
    AssertKind::Overflow,
    AssertKind::FloatCast,
    AssertKind::Shift,
    AssertKind::Subobject,
    AssertKind::Alignment,
    AssertKind::Nonnull,
    AssertKind::Bool,
];

/// A file to be compiled.
pub(crate) struct Unit {
    pub(crate) compiler: Compiler,
    pub(crate) source: PathBuf,
    /// The output file for LLVM's text.
    pub(crate) text: PathBuf,
}

/// LLVM's text with the checks of a sanitizer, and the lines and columns where code begins that the compiler leaves out.
pub(crate) type Sanitized = (String, Vec<(u32, u32)>);

/// What the compiler makes of a file.
pub(crate) struct Translation {
    /// LLVM's text.
    pub(crate) text: String,
    /// How long the compiler took for it.
    pub(crate) time: Duration,
    /// What it read for it, a source and its headers.
    pub(crate) read: Vec<PathBuf>,
}

impl Translation {
    fn of(unit: &Unit) -> Result<Translation, NativeError> {
        let started = Instant::now();
        let text = unit.compiler.to_llvm(&unit.source, &unit.text, true)?;
        Ok(Translation { text, time: started.elapsed(), read: unit.compiler.dependencies(&unit.text) })
    }
}

/// What is wanted of a file besides its text.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    has_words: bool,
    has_fingerprints: bool,
    has_checks: bool,
}

impl Wanted {
    /// What options want of each of so many files.
    pub(crate) fn of(options: &Options, files: usize) -> Wanted {
        Wanted {
            has_words: files != 1,
            has_fingerprints: options.store.is_some(),
            has_checks: options.lowering.checks.iter().any(|kind| FROM_SANITIZER.contains(kind)),
        }
    }
}

/// What is known of a source besides its text.
pub(crate) struct Extras {
    pub(crate) macros: BTreeSet<String>,
    pub(crate) words: BTreeSet<String>,
    /// What its functions are made from, if results are stored.
    pub(crate) fingerprints: Option<FileFingerprints>,
    pub(crate) is_strict: bool,
    /// The text with checks, if they are wanted; a compiler may not have it.
    pub(crate) sanitized: Option<Sanitized>,
}

/// Translates a file, or takes what is stored of it.
pub(crate) fn translated(
    unit: &Unit,
    wanted: Wanted,
    stored: Option<&Translations>,
) -> (Result<Translation, NativeError>, Extras) {
    let compiler = &unit.compiler;
    let preprocessed = compiler.preprocessed(&unit.source);
    let text = preprocessed.as_deref();
    let key = stored.zip(text).and_then(|(stored, text)| Some((stored, stored.key(unit, text)?)));
    let translation = key.as_ref().and_then(|(stored, key)| stored.recall(key)).map_or_else(
        || {
            let made = Translation::of(unit)?;
            key.iter().for_each(|(stored, key)| stored.keep(key, &made));
            Ok(made)
        },
        Ok,
    );
    let sanitized = || {
        let known = key.as_ref().and_then(|(stored, key)| stored.recall_sanitized(key));
        known.or_else(|| {
            let out = unit.text.with_extension("checks.ll");
            let made = compiler.to_sanitized_llvm(&unit.source, &out).ok()?;
            key.iter().for_each(|(stored, key)| stored.keep_sanitized(key, &made));
            Some(made)
        })
    };
    let headers = compiler.headers.display().to_string();
    let extras = Extras {
        macros: text.map(macros).unwrap_or_default(),
        words: text.filter(|_| wanted.has_words).map(words).unwrap_or_default(),
        fingerprints: text
            .filter(|_| wanted.has_fingerprints)
            .map(|text| FileFingerprints::of(&text.replace(&headers, NAMELESS), &compiler.folder)),
        is_strict: is_strict(&compiler.flags, text),
        sanitized: if wanted.has_checks { sanitized() } else { None },
    };
    (translation, extras)
}

/// Compiles files to LLVM's text, up to `jobs` at a time.
pub(crate) fn texts(units: &[Unit], jobs: usize) -> Vec<Result<String, NativeError>> {
    each(units.len(), jobs, &|i| Translation::of(&units[i]).map(|translation| translation.text))
}

/// Whether the objects of a file are accessed as what they are: neither the compiler nor a type is told otherwise.
fn is_strict(flags: &[String], text: Option<&str>) -> bool {
    let last = flags.iter().rev().find(|f| *f == "-fstrict-aliasing" || *f == "-fno-strict-aliasing");
    last.is_none_or(|flag| flag == "-fstrict-aliasing") && text.is_none_or(|text| !text.contains("may_alias"))
}
