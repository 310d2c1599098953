//! Reading the user's files. What cannot be read becomes a diagnostic that says where and why.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use footpath_frontend::boogie;
use footpath_ir::Program;
use footpath_ir::diagnostic::{Diagnostic, Severity};
use footpath_ir::source::{SourceFile, SourceMap};

use crate::language::is_boogie;

/// Larger files are refused: no program that a solver could analyse is this long, a mistaken file may be.
const MAX_BYTES: u64 = 64 << 20;

/// What became of the files.
pub struct Input {
    /// Those that could be read.
    pub sources: SourceMap,
    /// The program, if one could be made of them.
    pub program: Option<Program>,
    /// What is to be said about them.
    pub diagnostics: Vec<Diagnostic>,
}

impl Input {
    /// Whether anything could not be used.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Reads files as one program. What cannot be read is left out. If the others are no program without it, there is none, and
/// nothing is said of errors that would only hide the cause.
pub fn read(paths: &[impl AsRef<Path>], infer_modifies: bool) -> Input {
    let mut sources = SourceMap::new();
    let (mut diagnostics, mut unreadable) = (Vec::new(), Vec::new());
    let mut files = Vec::new();
    let mut seen = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if seen.contains(&real) {
            let message = format!("{}: is named more than once and read once", path.display());
            diagnostics.push(Diagnostic::new(Severity::Warning, "input::repeated", None, message));
            continue;
        }
        match read_file(path) {
            Ok(text) => files.push(sources.add(SourceFile::new(path.display().to_string(), text))),
            Err(d) => unreadable.push(*d),
        }
        seen.push(real);
    }
    if files.is_empty() {
        diagnostics.extend(unreadable);
        return Input { sources, program: None, diagnostics };
    }
    let options = boogie::Options { infer_modifies, ..boogie::Options::default() };
    let (program, found) = boogie::read_with(&files, &sources, options);
    if !unreadable.is_empty() && found.iter().any(Diagnostic::is_error) {
        let help = "the other files are not a program without it";
        diagnostics.extend(unreadable.into_iter().map(|d| d.with_help(help)));
        return Input { sources, program: None, diagnostics };
    }
    diagnostics.extend(unreadable.into_iter().map(|d| d.with_help("the other files are read without it")));
    diagnostics.extend(found);
    Input { sources, program, diagnostics }
}

fn read_file(path: &Path) -> Result<String, Box<Diagnostic>> {
    let name = path.display();
    check_language(path)?;
    let unreadable =
        |e: std::io::Error| error("input::unreadable", format!("{name}: cannot be read: {}", reason(&e)));
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(error("input::unreadable", format!("{name}: is a directory, not a file")));
    }
    let too_large = || error("input::too-large", format!("{name}: is larger than {} MiB", MAX_BYTES >> 20));
    if metadata.len() > MAX_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // Not all files know their size: devices and pipes say 0.
    File::open(path).and_then(|f| f.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large());
    }
    decode(&name.to_string(), bytes)
}

/// The text of a file that is one.
fn decode(name: &str, bytes: Vec<u8>) -> Result<String, Box<Diagnostic>> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(error("input::empty", format!("{name}: is empty")));
    }
    let not_text = |bytes: &[u8], at: usize, what: String| {
        let line = 1 + bytes[..at].iter().filter(|&&b| b == b'\n').count();
        let column = 1 + bytes[..at].iter().rev().take_while(|&&b| b != b'\n').count();
        let message = format!("{name}:{line}:{column}: is not a text file: {what} at byte {at}");
        error("input::not-text", message)
    };
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        return Err(not_text(&bytes, at, "a NUL".to_owned()));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let bytes = e.as_bytes();
        let what = match e.utf8_error().error_len() {
            Some(_) => format!("0x{:02x}, which is not UTF-8,", bytes[at]),
            None => "the end of the file within a character".to_owned(),
        };
        not_text(bytes, at, what)
    })
}

fn check_language(path: &Path) -> Result<(), Box<Diagnostic>> {
    if is_boogie(path) {
        return Ok(());
    }
    let message = format!("{}: is no Boogie program, as its name does not end in .bpl", path.display());
    Err(error("input::language", message))
}

fn error(code: &'static str, message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Severity::Error, code, None, message))
}

/// What the system says, without the error number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        decode("a.bpl", bytes.to_vec()).expect_err("not a text").message
    }

    #[test]
    fn what_is_not_text_is_located() {
        assert_eq!(message(b"ab\nc\0"), "a.bpl:2:2: is not a text file: a NUL at byte 4");
        assert_eq!(
            message(b"\xff\xfe"),
            "a.bpl:1:1: is not a text file: 0xff, which is not UTF-8, at byte 0"
        );
        assert_eq!(
            message(b"// caf\xc3"),
            "a.bpl:1:7: is not a text file: the end of the file within a character at byte 6"
        );
        assert_eq!(message(b" \n\t"), "a.bpl: is empty");
    }
}
