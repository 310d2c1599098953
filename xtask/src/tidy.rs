//! What the compiler and clippy cannot check.
//!
//! Each rule is a function from the repository's files to findings, and knows nothing of the disk, so that
//! its tests are a few lines of text. A rule that proves wrong in some case is changed here: there is no
//! comment to silence one.

mod arrows;
mod paths;
mod text;

use crate::Outcome;
use std::fmt;
use std::path::Path;
use std::process::Command;

/// A text file of the repository.
struct File {
    /// Relative to the root, with `/`.
    path: String,
    text: String,
}

impl File {
    fn is_in(&self, folder: &str) -> bool {
        self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }

    /// The lines with their numbers, counted from one.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    fn finding(&self, line: usize, message: impl Into<String>) -> Finding {
        Finding { path: self.path.clone(), line, message: message.into(), is_warning: false }
    }
}

/// A place where a rule is broken.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    /// Zero for the file as a whole.
    line: usize,
    message: String,
    /// Shown, but no failure.
    is_warning: bool,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        let kind = if self.is_warning { "warning: " } else { "" };
        write!(f, ": {kind}{}", self.message)
    }
}

/// What a rule finds in the repository's files.
type Rule = fn(&[File]) -> Vec<Finding>;

/// Every rule.
const RULES: &[Rule] = &[
    arrows::only_allowed_crates_are_used,
    paths::named_paths_exist,
    text::no_left_overs,
    text::long_modules_open_with_documentation,
    text::files_stay_readable,
    text::no_hosts_are_named,
    text::white_space_is_plain,
];

/// Checks the files that git tracks or would track.
pub fn run(root: &Path) -> Outcome {
    let files = files(root)?;
    let findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&files)).collect();
    for finding in &findings {
        println!("{finding}");
    }
    let failures = findings.iter().filter(|finding| !finding.is_warning).count();
    println!("tidy: {} files, {failures} findings", files.len());
    Ok(failures == 0)
}

fn files(root: &Path) -> Result<Vec<File>, String> {
    // New files count too: a finding is cheaper before the commit than after.
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let listing = String::from_utf8_lossy(&output.stdout);
    let mut paths: Vec<&str> = listing.split_terminator('\0').collect();
    paths.sort_unstable();
    paths.dedup();
    // A file deleted since, and one that is no text, have nothing to check.
    let read = |path: &str| {
        let text = std::fs::read_to_string(root.join(path)).ok()?;
        Some(File { path: path.to_owned(), text })
    };
    Ok(paths.into_iter().filter_map(read).collect())
}

#[cfg(test)]
fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

/// What a rule says about the files, one finding a line.
#[cfg(test)]
fn findings(rule: Rule, files: &[File]) -> Vec<String> {
    rule(files).iter().map(Finding::to_string).collect()
}
