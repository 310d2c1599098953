//! Which language the files of a command are in, by their names.
//!
//! One command reads C or Boogie, never both at once. What is neither is left to the C front end, which says of each file why it
//! is no C.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// A language that commands read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C, through clang.
    C,
    /// Boogie 2.
    Boogie,
}

/// The language of some files.
pub fn of(files: &[PathBuf]) -> Result<Language> {
    match files.iter().filter(|file| is_boogie(file)).count() {
        0 => Ok(Language::C),
        boogie if boogie == files.len() => Ok(Language::Boogie),
        _ => bail!(
            "C files and Boogie programs cannot be analysed together; run footpath once for each language"
        ),
    }
}

/// Whether a file is a Boogie program, by its name.
pub fn is_boogie(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bpl"))
}
