//! Fingerprints: names of findings that stay when other code changes, for baselines and code scanning.
//!
//! **Idea.** A finding is known by its file, its function, what it is, and the words of its line; and by the how-manieth it is of
//! those that have all of this in common. Lines may move, also within the function, and may be indented anew.
//!
//! ```c
//! int half(int n) { return 100 / n; }     // half.c, half, division, "return 100 / n;", 1
//! ```
//!
//! **Paper.** As `primaryLocationLineHash` of GitHub's code scanning, which has the hundred characters that follow as well, so that
//! a finding is new after an edit below it.
//!
//! **Direction of error.** A finding on a line that stays, of the same kind but for a new reason, is taken for the known one. One
//! more line with the same words before it makes it another one.

use std::collections::BTreeMap;

use footpath_driver::FunctionResult;
use footpath_ir::source::{SourceMap, Span};
use sha2::{Digest, Sha256};

/// The name of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// The file in which it stands.
    pub file: String,
    /// A digest of the words of its line.
    pub line: String,
    /// A digest of these, its function and what it is.
    pub whole: String,
    /// The how-manieth it is of those that have all of this in common, from 1.
    pub number: usize,
}

/// The findings so far, in the order of their places.
#[derive(Default)]
pub struct Fingerprints(BTreeMap<String, usize>);

impl Fingerprints {
    /// The name of the next finding; `what` says what it is.
    pub fn next(
        &mut self,
        sources: &SourceMap,
        function: &FunctionResult,
        what: &str,
        span: Span,
    ) -> Fingerprint {
        let file = sources.file(span.file);
        let line = file.line(sources.range(span).0.line);
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let whole = digest(&format!("{}\n{what}\n{words}", function.name));
        let number = self.0.entry(format!("{}\n{whole}", file.name)).or_default();
        *number += 1;
        Fingerprint { file: file.name.clone(), line: digest(&words), whole, number: *number }
    }
}

/// The first eight bytes, in hexadecimal.
fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
