//! Preconditions of Boogie procedures as Boogie: what `footpath failures` offers can be written where it says, and nothing fails then.
//!
//! This checks the text of an answer: the clause is read by our front end, which may be wrong in the same way, but not by the printer.
//!
//! **Direction of error.** A precondition that excludes too much passes.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::answers::{list, text};
use crate::engines::run;

/// Asks about each procedure once more that a report has a precondition for, with that as a clause. What is wrong is listed, a line for
/// each.
pub(crate) fn check_preconditions(command: &str, report: &Value, path: &Path, scratch: &Path) -> String {
    let Ok(source) = std::fs::read_to_string(path) else { return format!("  {} is gone\n", path.display()) };
    let mut complaints = String::new();
    for function in list(&report["functions"]) {
        let (Some(name), Some(wanted)) = (function["name"].as_str(), function["precondition"].as_str())
        else {
            continue;
        };
        let Some(changed) = with_clause(&source, name, wanted) else { continue };
        let file = scratch.join("required.bpl");
        let written = std::fs::create_dir_all(scratch).and_then(|()| std::fs::write(&file, changed));
        if let Err(error) = written {
            return format!("  {}: {error}\n", file.display());
        }
        let more = ["--procedure", name, "--format", "json"].map(str::to_owned);
        let output = run(command, &file, scratch, &more);
        let Ok(again) = serde_json::from_str::<Value>(&output.out) else {
            let _ =
                writeln!(complaints, "  `requires {wanted};` of {name} is no clause: {}", output.err.trim());
            continue;
        };
        let fails = list(&again["functions"]).iter().any(|f| !list(&f["disjuncts"]).is_empty());
        if fails {
            let still = text(&again["functions"][0], "constraint");
            let _ = writeln!(complaints, "  with `requires {wanted};` {name} fails when {still}");
        }
    }
    complaints
}

/// A program in which a procedure has one more clause; `None` if its header was not found.
fn with_clause(source: &str, name: &str, wanted: &str) -> Option<String> {
    let header = source.match_indices("procedure ").find_map(|(at, word)| {
        let behind = at + word.len();
        let rest = source[behind..].strip_prefix(name)?;
        rest.starts_with('(').then_some(behind + name.len())
    })?;
    let mut end = header + closed(&source[header..])?;
    let behind = source[end..].trim_start();
    if let Some(results) = behind.strip_prefix("returns") {
        let open = source.len() - results.trim_start().len();
        end = open + closed(&source[open..])?;
    }
    Some(format!("{}\n  requires {wanted};\n{}", &source[..end], &source[end..]))
}

/// The length of a text up to where its first parenthesis is closed.
fn closed(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::with_clause;

    #[test]
    fn a_clause_stands_behind_the_header() {
        let source = "procedure p2(x: int);\nprocedure p(x: int) returns (r: (int))\n  modifies g;\n{ }\n";
        let changed = with_clause(source, "p", "x > 0").expect("it is there");
        assert_eq!(
            changed,
            "procedure p2(x: int);\nprocedure p(x: int) returns (r: (int))\n  requires x > 0;\n\n  modifies g;\n{ }\n"
        );
        assert_eq!(with_clause(source, "q", "true"), None);
    }
}
