//! Names of tests: what a test is about, as a person would call it.
//!
//! **Idea.** A reader of `parse_number_returns_minus_1` or `ring_put_reaches_line_24` knows what a test is for before
//! opening it. The name says the function, and how the run ends: the number that is returned, where that tells tests apart,
//! otherwise the first line that no test before it reaches, or the check that fails.
//!
//! Names are unique in a file and none of the source's own words. They are made of what a test does, not of its number, so
//! that they stay when other tests come and go.
//!
//! Example: of two tests that return 0 the first is `f_returns_0`, the second `f_reaches_line_12`.
//!
//! **Direction of error.** None; a name claims nothing that the test does not check or that was not counted in its run.

use std::collections::BTreeSet;

use footpath_ir::AssertKind;

/// What the name of a test is made of.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The check that fails, and its line.
    pub fails: Option<(AssertKind, u32)>,
    /// Whether the program ends in its run.
    pub exits: bool,
    /// The result that is expected, as C.
    pub returns: Option<String>,
    /// Whether the result is a pointer, of which only whether it is null is expected.
    pub is_pointer: bool,
    /// The lines that no test before it reaches.
    pub lines: Vec<u32>,
}

/// The names of the tests of a function; none of them is among the words that are taken.
pub fn test_names(function: &str, subjects: &[Subject], taken: &BTreeSet<String>) -> Vec<String> {
    let mut used = taken.clone();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let function: String = function.chars().map(|c| if is_word(c) { c } else { '_' }).collect();
    let mut name = |subject: &Subject| {
        let mut tried = endings(subject).into_iter().map(|ending| format!("{function}_{ending}"));
        let last = endings(subject).pop().unwrap_or_default();
        let numbered = (2..).map(|i: u32| format!("{function}_{last}_{i}"));
        let free = tried.by_ref().chain(numbered).find(|name| !used.contains(name)).unwrap_or_default();
        used.insert(free.clone());
        free
    };
    subjects.iter().map(&mut name).collect()
}

/// What may stand behind the function's name, the best first.
fn endings(subject: &Subject) -> Vec<String> {
    if let Some((kind, line)) = subject.fails {
        let kind: String = kind.name().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        return vec![format!("fails_{kind}_at_line_{line}")];
    }
    let end = if subject.exits { "exits" } else { "returns" };
    let result = subject.returns.as_deref().and_then(|value| said(value, subject.is_pointer));
    let place = subject.lines.first().map(|line| format!("reaches_line_{line}"));
    let result = result.filter(|_| !subject.exits).map(|value| format!("returns_{value}"));
    // An ending that always fits comes last.
    let last = result.clone().unwrap_or_else(|| end.to_owned());
    result.into_iter().chain(place).chain([last]).collect()
}

/// A result as a part of a name, if it is short enough to be one.
fn said(value: &str, is_pointer: bool) -> Option<String> {
    if is_pointer {
        return Some(if value == "0" { "null" } else { "no_null" }.to_owned());
    }
    let value = value.trim_end_matches(['U', 'L']);
    let (sign, digits) = value.strip_prefix('-').map_or(("", value), |digits| ("minus_", digits));
    match digits {
        "__builtin_inf()" => Some(format!("{sign}infinity")),
        _ if digits.starts_with("__builtin_nan") => Some("nan".to_owned()),
        "0.0" => Some(format!("{sign}0")),
        _ => (digits.len() <= 10 && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
            .then(|| format!("{sign}{digits}")),
    }
}

/// The lines as a reader wants them: `3, 5-8`.
pub fn line_ranges(lines: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == line => *end = line,
            _ => ranges.push((line, line)),
        }
    }
    let shown = |(from, end): &(u32, u32)| {
        if from == end { from.to_string() } else { format!("{from}-{end}") }
    };
    ranges.iter().map(shown).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn returning(value: &str, lines: &[u32]) -> Subject {
        Subject { returns: Some(value.to_owned()), lines: lines.to_vec(), ..Subject::default() }
    }

    #[test]
    fn names_say_the_result_or_the_line_and_are_unique() {
        let subjects = [
            returning("-1", &[3]),
            returning("-1", &[5, 6]),
            returning("-1", &[]),
            returning("-1", &[]),
            Subject { fails: Some((AssertKind::Null, 7)), ..Subject::default() },
            Subject { lines: vec![9], ..Subject::default() },
            Subject { exits: true, ..Subject::default() },
            Subject { is_pointer: true, ..returning("0", &[]) },
            returning("3.5", &[]),
        ];
        let taken = BTreeSet::from(["f_returns".to_owned()]);
        assert_eq!(
            test_names("f", &subjects, &taken),
            [
                "f_returns_minus_1",
                "f_reaches_line_5",
                "f_returns_minus_1_2",
                "f_returns_minus_1_3",
                "f_fails_null_at_line_7",
                "f_reaches_line_9",
                "f_exits",
                "f_returns_null",
                "f_returns_2"
            ]
        );
    }

    #[test]
    fn lines_are_joined() {
        assert_eq!(line_ranges(&[3, 5, 6, 7, 9]), "3, 5-7, 9");
        assert_eq!(line_ranges(&[]), "");
    }
}
