//! Serialisation for the cache: text in lines, each with a tag in front that says what it is.

use std::iter::Peekable;
use std::str::Lines as TextLines;

/// The lines of a text, one after the other.
pub(super) struct Lines<'t>(Peekable<TextLines<'t>>);

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Lines<'t> {
        Lines(text.lines().peekable())
    }

    /// The text after the tag in the next line, if the line begins with this tag; consumes the line.
    pub(super) fn next(&mut self, word: &str) -> Option<&'t str> {
        let rest = self.0.peek()?.strip_prefix(word)?.strip_prefix(' ')?;
        self.0.next();
        Some(rest)
    }

    /// The next line with its tag, if it is one of these; consumes the line.
    pub(super) fn next_of(&mut self, words: &[&str]) -> Option<&'t str> {
        let line = self.0.peek()?;
        let tag = line.split_once(' ').map_or(*line, |(tag, _)| tag);
        if words.contains(&tag) { self.0.next() } else { None }
    }

    pub(super) fn is_empty(&mut self) -> bool {
        self.0.peek().is_none()
    }
}

/// A text without line breaks.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// The inverse of [`escaped`].
pub(super) fn unescaped(line: &str) -> Option<String> {
    let mut text = String::with_capacity(line.len());
    let mut parts = line.split('\\');
    text.push_str(parts.next()?);
    while let Some(part) = parts.next() {
        match part.chars().next() {
            // Two in a row leave nothing between them.
            None => {
                text.push('\\');
                text.push_str(parts.next()?);
            }
            Some('n') => {
                text.push('\n');
                text.push_str(&part[1..]);
            }
            Some('r') => {
                text.push('\r');
                text.push_str(&part[1..]);
            }
            Some(_) => return None,
        }
    }
    Some(text)
}

/// Items as one word, which is not empty even without items.
pub(super) fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { "-".to_owned() } else { items.join(",") }
}

/// The items of a [`list`].
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|item| *item != "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_one_line_and_comes_back() {
        for text in ["", "\\", "\\\\", "\\n", "a\nb\\\nc", "\n\n", "printf(\"%d\\n\", x);\r\n", "\\\n\\"] {
            let line = escaped(text);
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(unescaped(&line).as_deref(), Some(text));
        }
        assert_eq!(unescaped("\\x"), None);
        assert_eq!(unescaped("a\\"), None);
    }
}
