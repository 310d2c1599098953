//! Relocation: what was stored about places in the source, for a text in which the same code stands elsewhere.
//!
//! **Idea.** A range of the source is stored as the number of its first occurrence in the program form of all that the function
//! may call, in a fixed order. Functions of the same text have the same form, so the number finds the range where it is now.
//! Names and remarks of tests name lines; the lines on which functions have tokens are stored beside them, and the n-th line then
//! is the n-th line now.
//!
//! Example: behind a new comment, `fails (null) at list.c:12:9` is said of line 14.
//!
//! **Direction of error.** A range that the form does not have is believed for the very same text only. Lines are read out of
//! sentences for people; if one is mistaken for another, a remark names a wrong line, and no verdict depends on it.

use std::path::Path;

use footpath_ir::source::{FileId, Span};
use footpath_ir::{ProcId, Program};
use rustc_hash::FxHashMap;

use super::function_fingerprints::FunctionText;

/// The ranges of the source in the program form of some procedures, by number.
pub(super) struct Places {
    ranges: Vec<Span>,
    numbers: FxHashMap<Span, usize>,
    /// Whether the sources are the same as when the text was stored.
    pub(super) is_same_text: bool,
}

impl Places {
    /// Those of the procedures with these numbers.
    pub(super) fn of(program: &Program, procedures: &[ProcId]) -> Places {
        let mut procedures = procedures.to_vec();
        procedures.sort_by(|a, b| program[*a].name.cmp(&program[*b].name));
        let mut ranges = Vec::new();
        for procedure in procedures {
            ranges.push(program[procedure].span);
            for block in program[procedure].bodies.iter().flat_map(|body| &body.blocks) {
                ranges.push(block.span);
                ranges.extend(block.statements.iter().map(|statement| statement.span));
                ranges.push(block.terminator.span);
            }
        }
        let mut numbers = FxHashMap::default();
        for (number, &range) in ranges.iter().enumerate() {
            numbers.entry(range).or_insert(number);
        }
        Places { ranges, numbers, is_same_text: true }
    }

    /// A range as it is stored.
    pub(super) fn text(&self, span: Span) -> String {
        match self.numbers.get(&span) {
            Some(number) => number.to_string(),
            None => format!("{}:{}:{}", span.file.0, span.start, span.end),
        }
    }

    /// A range that was stored.
    pub(super) fn read(&self, text: &str) -> Option<Span> {
        if let Ok(number) = text.parse::<usize>() {
            return self.ranges.get(number).copied();
        }
        let mut numbers = text.split(':').map(|n| n.parse::<u32>().ok());
        let mut number = || numbers.next().flatten();
        let span = Span { file: FileId(number()?), start: number()?, end: number()? };
        self.is_same_text.then_some(span)
    }
}

/// To which lines those of functions have moved.
#[derive(Default)]
pub(super) struct Moved {
    /// By the name of the file without folders.
    lines: FxHashMap<(String, u32), u32>,
    /// The file of the function whose tests these are.
    own: String,
}

impl Moved {
    /// `before` has the lines of each function as they were; `own` is the file of the function that is asked about.
    pub(super) fn of(before: &[Vec<u32>], now: &[&FunctionText], own: &Path) -> Option<Moved> {
        let mut lines = FxHashMap::default();
        if before.len() != now.len() {
            return None;
        }
        for (before, now) in before.iter().zip(now) {
            if before.len() != now.lines.len() {
                return None;
            }
            let file = last_part(&now.file);
            let moved = before.iter().zip(&now.lines).filter(|(before, now)| before != now);
            lines.extend(moved.map(|(&before, &now)| ((file.clone(), before), now)));
        }
        Some(Moved { lines, own: last_part(&own.to_string_lossy()) })
    }

    /// A sentence, or the name of a test, with the lines of today.
    pub(super) fn text(&self, text: &str) -> String {
        if self.lines.is_empty() {
            return text.to_owned();
        }
        let mut said = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, number) = rest.split_at(start);
            let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
            said.push_str(before);
            let line = number[..end].parse::<u32>().ok();
            let now = line.and_then(|line| self.lines.get(&(self.file_of(&said)?, line)));
            match now {
                Some(now) => said.push_str(&now.to_string()),
                None => said.push_str(&number[..end]),
            }
            rest = &number[end..];
        }
        said + rest
    }

    /// The file of which the number behind these words is a line.
    fn file_of(&self, before: &str) -> Option<String> {
        if let Some(place) = before.strip_suffix(':') {
            let name = place.rsplit(|c: char| c.is_whitespace() || matches!(c, '/' | '`' | '(')).next()?;
            // The number of a column stands behind that of a line.
            return (!name.is_empty() && !name.contains(':')).then(|| name.to_owned());
        }
        let list = before.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | ' ' | '-'));
        let is_line = list.ends_with("line") && before.len() > list.len() || list.ends_with("lines");
        (is_line || before.ends_with("_line_")).then(|| self.own.clone())
    }
}

fn last_part(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_sentences_move() {
        let now = FunctionText { digest: String::new(), file: "src/list.c".to_owned(), lines: vec![3, 6, 7] };
        let moved = Moved::of(&[vec![3, 4, 5]], &[&now], Path::new("/home/list.c")).unwrap();
        for (before, after) in [
            ("fails (null) at list.c:4:9", "fails (null) at list.c:6:9"),
            ("returns; the first to reach lines 3, 4-5", "returns; the first to reach lines 3, 6-7"),
            ("insert_fails_null_at_line_5", "insert_fails_null_at_line_7"),
            ("within 4 iterations at other.c:4:4", "within 4 iterations at other.c:4:4"),
            ("insert_returns_4", "insert_returns_4"),
        ] {
            assert_eq!(moved.text(before), after);
        }
    }

    #[test]
    fn functions_with_other_lines_are_others() {
        let now = FunctionText { digest: String::new(), file: "a.c".to_owned(), lines: vec![3, 6] };
        assert!(Moved::of(&[vec![3]], &[&now], Path::new("a.c")).is_none());
        assert!(Moved::of(&[], &[&now], Path::new("a.c")).is_none());
    }
}
