//! Sanitising of terminal output: control characters in what is printed are made visible.
//!
//! Names and sources are the user's, or come from elsewhere, and a terminal obeys control characters in them: they
//! change its title, hide lines, or paste. So all output passes a filter that knows what Footpath itself writes, line
//! breaks, tabs and colours, and prints everything else as `\u{1b}`. Marks that reverse the direction of text, by which
//! a source can look like another one, are shown in the same way.
//!
//! **Direction of error.** A name that has a colour in it keeps it.

use std::io::{self, Write};

/// A writer that shows control characters instead of passing them on.
pub struct Visible<W: Write> {
    to: W,
    /// What errors call it.
    name: &'static str,
    /// The beginning of a character or of a colour that was not complete yet.
    held: Vec<u8>,
}

impl<W: Write> Visible<W> {
    /// A filter in front of `to`, which errors call by this name.
    pub fn new(to: W, name: &'static str) -> Visible<W> {
        Visible { to, name, held: Vec::new() }
    }

    fn told(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{} cannot be written: {error}", self.name))
    }

    /// Writes out what is complete of the held bytes, or all of them.
    fn pass_on(&mut self, is_end: bool) -> io::Result<()> {
        let mut out = String::new();
        let complete = match std::str::from_utf8(&self.held) {
            Ok(_) => self.held.len(),
            // What is no text at all is written as its replacement.
            Err(e) if e.error_len().is_some() || is_end => self.held.len(),
            Err(e) => e.valid_up_to(),
        };
        let rest = self.held.split_off(complete);
        let text = String::from_utf8_lossy(&self.held).into_owned();
        let mut left = text.as_str();
        while let Some(c) = left.chars().next() {
            match colour(left) {
                Colour::Whole(length) => {
                    out.push_str(&left[..length]);
                    left = &left[length..];
                    continue;
                }
                Colour::Begun if !is_end => break,
                Colour::Begun | Colour::None => {}
            }
            if is_shown_as_number(c) {
                out.extend(c.escape_unicode());
            } else {
                out.push(c);
            }
            left = &left[c.len_utf8()..];
        }
        self.held = [left.as_bytes(), &rest].concat();
        self.to.write_all(out.as_bytes()).map_err(|e| self.told(&e))
    }
}

/// What a text begins with.
enum Colour {
    /// An escape sequence that sets a colour, of this length.
    Whole(usize),
    /// Perhaps one that is not complete.
    Begun,
    /// Something else.
    None,
}

fn colour(text: &str) -> Colour {
    let Some(rest) = text.strip_prefix('\u{1b}') else { return Colour::None };
    let Some(rest) = rest.strip_prefix('[') else {
        return if rest.is_empty() { Colour::Begun } else { Colour::None };
    };
    match rest.find(|c: char| !c.is_ascii_digit() && c != ';') {
        Some(end) if rest[end..].starts_with('m') => Colour::Whole(text.len() - rest.len() + end + 1),
        None if rest.len() < 32 => Colour::Begun,
        _ => Colour::None,
    }
}

fn is_shown_as_number(c: char) -> bool {
    let reverses = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() && c != '\n' && c != '\t' || reverses
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend(bytes);
        self.pass_on(false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on(true)?;
        self.to.flush().map_err(|e| self.told(&e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(parts: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut filter = Visible::new(&mut out, "the text");
        for part in parts {
            filter.write_all(part).unwrap();
        }
        filter.flush().unwrap();
        drop(filter);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn colours_pass_and_other_control_characters_are_shown() {
        assert_eq!(shown(&[b"\x1b[1;31mfails\x1b[0m\n\tf"]), "\u{1b}[1;31mfails\u{1b}[0m\n\tf");
        assert_eq!(shown(&[b"a\x1b]0;title\x07b\r"]), "a\\u{1b}]0;title\\u{7}b\\u{d}");
        assert_eq!(shown(&[b"\x1b[2J"]), "\\u{1b}[2J");
        assert_eq!(shown(&["x\u{202e}y\u{9b}".as_bytes()]), "x\\u{202e}y\\u{9b}");
    }

    #[test]
    fn what_is_written_in_parts_is_read_as_a_whole() {
        assert_eq!(shown(&[b"\x1b", b"[3", b"2", b"mok\x1b[0", b"m"]), "\u{1b}[32mok\u{1b}[0m");
        assert_eq!(shown(&[b"\xc3", b"\xa9"]), "é");
        assert_eq!(shown(&[b"\x1b", b"c"]), "\\u{1b}c");
        assert_eq!(shown(&[b"end\x1b[3"]), "end\\u{1b}[3");
        assert_eq!(shown(&[b"\xff-\xc3"]), "\u{fffd}-\u{fffd}");
    }

    #[test]
    fn an_error_says_what_cannot_be_written() {
        let mut full = io::Cursor::new([0_u8; 2]);
        let why = Visible::new(&mut full, "the report").write_all(b"abc").unwrap_err();
        assert!(why.to_string().starts_with("the report cannot be written: "), "{why}");
    }
}
