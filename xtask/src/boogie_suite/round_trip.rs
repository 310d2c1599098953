//! Whether what Footpath prints reads back as the same program.

use std::path::{Path, PathBuf};

use super::verdict::print_back;

/// Prints the program of `files`, reads that, prints again; what is wrong with the outcome, if anything is.
pub fn fault(tool: &Path, files: &[PathBuf], scratch: &Path) -> Option<String> {
    let again = || -> Result<(String, String), String> {
        let first = print_back(tool, files)?;
        let failed = |error| format!("cannot write {}: {error}", scratch.display());
        std::fs::write(scratch, &first).map_err(failed)?;
        let second = print_back(tool, &[scratch.to_owned()]).map_err(|why| format!("unreadable: {why}"))?;
        Ok((first, second))
    };
    let found = again();
    _ = std::fs::remove_file(scratch);
    match found {
        Ok((first, second)) => difference(&first, &second),
        Err(why) => Some(why),
    }
}

/// The first line that differs.
fn difference(first: &str, second: &str) -> Option<String> {
    if first == second {
        return None;
    }
    let lines = || first.lines().zip(second.lines());
    Some(match lines().enumerate().find(|(_, (a, b))| a != b) {
        Some((number, (a, b))) => format!("line {}: {a:?} became {b:?}", number + 1),
        None => "one ends before the other".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(difference("a\nb\n", "a\nc\n").unwrap(), "line 2: \"b\" became \"c\"");
        assert_eq!(difference("a\n", "a\nb\n").unwrap(), "one ends before the other");
    }
}
