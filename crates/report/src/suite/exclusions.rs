//! Exclusions: lines that no input executes, for coverage tools.
//!
//! A line for each, with its place, the markers of lcov and gcovr that exclude it if they stand in a comment on it, the proof, and what
//! the proof rests on. They are suggestions: no source is changed. A digest of the line tells when an entry is about a text that has
//! changed; the proof is then to be asked for again.
//!
//! **Direction of error.** That of the proofs. Lines that are only known to be unreachable within a bound are listed as comments with
//! the bound, and are no suggestions.

use std::fmt::Write;

use footpath_driver::{LineFate, Verdict};
use footpath_ir::source::FileId;
use sha2::{Digest, Sha256};

use super::TestRun;

/// How the file begins.
pub const HEAD: &str = "# Lines that no input executes: file and line, function, digest of the line, markers, proof, what it rests on.\n";

/// The text of the file.
pub fn list(run: &TestRun<'_>) -> String {
    let mut text = HEAD.to_owned();
    let sources = &run.run.sources;
    for line in run.run.missed.iter().flat_map(|missed| &missed.lines) {
        let place = format!("{}:{}", sources.file(line.file).name, line.line);
        let digest = digest(run, line.file, line.line);
        let function = &line.function;
        let _ = match &line.fate {
            LineFate::Impossible { by, assumes_memory_safety } => {
                let by: Vec<&str> = by.iter().map(|method| method.name()).collect();
                let rests_on = match (assumes_memory_safety, run.whole_program) {
                    (false, false) => "no bound",
                    (true, false) => "no bound, memory safety",
                    (false, true) => "runs from the entry",
                    (true, true) => "runs from the entry, memory safety",
                };
                writeln!(
                    text,
                    "{place}\t{function}\t{digest}\tLCOV_EXCL_LINE GCOVR_EXCL_LINE\t{}\t{rests_on}",
                    by.join(",")
                )
            }
            LineFate::Open(Verdict::UnreachableWithin(bound)) => {
                writeln!(text, "# {place}\t{function}\t{digest}\tnot excluded\tonly within a bound: {bound}")
            }
            LineFate::Open(_) | LineFate::Covered => Ok(()),
        };
    }
    text
}

/// A digest of the words of a line.
fn digest(run: &TestRun<'_>, file: FileId, line: u32) -> String {
    let words: Vec<&str> = run.run.sources.file(file).line(line).split_whitespace().collect();
    let digest = Sha256::digest(words.join(" ").as_bytes());
    digest.iter().take(6).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
