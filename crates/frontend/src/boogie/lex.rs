//! The lexer: the text of a Boogie file becomes tokens.
//!
//! Tokens follow the scanner of Boogie 2.4: the longest match wins, identifiers may contain any of `'~#$^_.?` and the
//! back quote, a leading backslash turns a keyword into an identifier, and `/* */` comments nest. Three things of
//! newer Boogie are added, none of which changes the meaning of a program that the old scanner accepts: the token
//! `->`, and the mathematical operators (`∀`, `⇒`, `∧` …) in any UTF-8 text.
//!
//! Below the tokens there are two line-based layers. Conditional lines (`#if NAME`, `#if !NAME`, `#elsif`, `#else`,
//! `#endif`) are resolved first, with no name defined; lines that are left out are blanked, so that every offset
//! stays valid. A line that starts with `#` in its first column is a pragma: `#line` is skipped (places are reported
//! in the file that was read, not in the one it was generated from), any other is an error.
//!
//! The lexer never fails. What it cannot read becomes a [`TokenKind::Invalid`] token, which the parser reports when
//! it reaches it; so an odd character only costs the declaration that contains it.

use std::borrow::Cow;

use footpath_ir::{RESERVED_WORDS, is_identifier_char};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An identifier; a leading backslash belongs to the token, but not to the name.
    Ident,
    /// A natural number.
    Digits,
    /// A bit-vector literal such as `5bv32`.
    BvLit,
    /// A decimal such as `1e3` or `1.5`.
    Decimal,
    /// A floating-point literal such as `0x1.8e3f24e8` or `0NaN24e8`.
    Float,
    /// A string with its quotes.
    String,
    /// A keyword, an operator or a bracket, in its ASCII spelling.
    Fixed(&'static str),
    /// Something that is no token; the message says why.
    Invalid(&'static str),
    /// The end of the file. It covers the comment that was never closed, if there is one.
    End,
}

/// A token and the bytes it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset one past its last byte.
    pub end: usize,
}

/// Operators and brackets with the spelling they stand for, longer ones before their prefixes.
const SYMBOLS: &[(&str, &str)] = &[
    ("<==>", "<==>"),
    ("==>", "==>"),
    ("<==", "<=="),
    (":=", ":="),
    ("::", "::"),
    ("&&", "&&"),
    ("||", "||"),
    ("|{", "|{"),
    ("}|", "}|"),
    ("==", "=="),
    ("!=", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("<:", "<:"),
    ("++", "++"),
    ("**", "**"),
    ("->", "->"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    ("<", "<"),
    (">", ">"),
    (",", ","),
    (";", ";"),
    (":", ":"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("!", "!"),
    ("|", "|"),
    ("⇔", "<==>"),
    ("⇒", "==>"),
    ("⇐", "<=="),
    ("∧", "&&"),
    ("∨", "||"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("¬", "!"),
    ("∀", "forall"),
    ("∃", "exists"),
    ("λ", "lambda"),
    ("•", "::"),
];

/// All tokens of `text`, closed by one [`TokenKind::End`].
pub fn lex(text: &str) -> Vec<Token> {
    let text = without_excluded_lines(text);
    let mut lexer = Lexer { text: &text, at: 0, open_comment: None };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next();
        tokens.push(token);
        if token.kind == TokenKind::End {
            return tokens;
        }
    }
}

/// The text with the lines that conditional directives leave out, and the directives, turned to blanks.
fn without_excluded_lines(text: &str) -> Cow<'_, str> {
    if !text.contains("#if") {
        return Cow::Borrowed(text);
    }
    /// One open `#if`.
    struct Conditional {
        /// Whether the lines around it are kept.
        outer: bool,
        /// Whether the current branch is kept.
        active: bool,
        /// Whether a branch was kept already.
        taken: bool,
    }
    // With no name defined, a condition holds if it is negated an odd number of times.
    let holds = |condition: &str| {
        let bangs = condition.chars().filter(|c| !c.is_whitespace()).take_while(|&c| c == '!').count();
        bangs % 2 == 1
    };
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<Conditional> = Vec::new();
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let kept = open.last().is_none_or(|c| c.active);
        let mut blank = !kept;
        if let Some(condition) = trimmed.strip_prefix("#if") {
            let active = kept && holds(condition);
            open.push(Conditional { outer: kept, active, taken: active });
            blank = true;
        } else if let Some(innermost) = open.last_mut() {
            if let Some(condition) = trimmed.strip_prefix("#elsif") {
                innermost.active = innermost.outer && !innermost.taken && holds(condition);
                innermost.taken |= innermost.active;
                blank = true;
            } else if trimmed.starts_with("#else") {
                innermost.active = innermost.outer && !innermost.taken;
                innermost.taken = true;
                blank = true;
            } else if trimmed.starts_with("#endif") {
                open.pop();
                blank = true;
            }
        }
        if blank {
            out.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        } else {
            out.push_str(line);
        }
    }
    Cow::Owned(out)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Where a comment starts that is never closed.
    open_comment: Option<usize>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn token(&mut self, kind: TokenKind, length: usize) -> Token {
        let start = self.at;
        self.at = (self.at + length).min(self.text.len());
        Token { kind, start, end: self.at }
    }

    fn next(&mut self) -> Token {
        if let Some(invalid) = self.skip_blanks() {
            return invalid;
        }
        let Some(first) = self.rest().chars().next() else {
            let start = self.open_comment.unwrap_or(self.at);
            return Token { kind: TokenKind::End, start, end: self.at };
        };
        if (first.is_ascii_digit() || first == '-')
            && let Some((kind, length)) = number(self.rest())
        {
            return self.token(kind, length);
        }
        if let Some(length) = ident_length(self.rest()) {
            let word = &self.rest()[..length];
            let kind = match RESERVED_WORDS.binary_search(&word) {
                Ok(index) => TokenKind::Fixed(RESERVED_WORDS[index]),
                Err(_) => TokenKind::Ident,
            };
            return self.token(kind, length);
        }
        if first == '"' {
            return self.string();
        }
        if let Some((spelling, symbol)) = SYMBOLS.iter().find(|(s, _)| self.rest().starts_with(s)) {
            return self.token(TokenKind::Fixed(symbol), spelling.len());
        }
        let message = match first {
            '\0' => "a NUL character: this is not a text file",
            c if c.is_control() => "a control character",
            '\u{fffd}' => "a character that is not valid UTF-8",
            _ => "a character that starts no token",
        };
        self.token(TokenKind::Invalid(message), first.len_utf8())
    }

    /// Skips blanks, comments and `#line` pragmas; gives a token if one of them is malformed.
    fn skip_blanks(&mut self) -> Option<Token> {
        loop {
            let at_line_start = self.at == 0 || matches!(self.text.as_bytes()[self.at - 1], b'\n' | b'\r');
            match self.peek(0) {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if self.peek(1) == b'/' => self.at += line_length(self.rest()),
                b'/' if self.peek(1) == b'*' => self.skip_comment(),
                b'#' if at_line_start => {
                    let length = line_length(self.rest());
                    let line = self.rest()[..length].trim_end();
                    let well_formed = line.strip_prefix("#line ").is_some_and(|arguments| {
                        arguments.split_whitespace().next().is_some_and(|n| n.parse::<i32>().is_ok())
                    });
                    if !well_formed {
                        let message = if line == "#line" || line.starts_with("#line ") {
                            "a malformed pragma; expected `#line NUMBER [FILE]`"
                        } else {
                            "an unknown pragma; a line must not start with `#`"
                        };
                        return Some(self.token(TokenKind::Invalid(message), length));
                    }
                    self.at += length;
                }
                _ if self.at == 0 && self.rest().starts_with('\u{feff}') => self.at += '\u{feff}'.len_utf8(),
                _ => return None,
            }
        }
    }

    /// Skips a nested comment. One that is never closed reaches to the end of the file, as in Boogie.
    fn skip_comment(&mut self) {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut depth = 0;
        while self.at < bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        self.at = bytes.len();
        self.open_comment = Some(start);
    }

    /// A string: up to the next quote that no backslash precedes, on one line.
    fn string(&mut self) -> Token {
        let bytes = self.rest().as_bytes();
        let mut length = 1;
        while let Some(&byte) = bytes.get(length) {
            match byte {
                b'\\' if bytes.get(length + 1) == Some(&b'"') => length += 2,
                b'"' => return self.token(TokenKind::String, length + 1),
                b'\n' | b'\r' => break,
                _ => length += 1,
            }
        }
        self.token(TokenKind::Invalid("a string that is not closed on its line"), length)
    }
}

/// The length of the first line of `text`, without its line break.
fn line_length(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

/// The length of the identifier or keyword `text` starts with.
fn ident_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let start = usize::from(bytes.first() == Some(&b'\\'));
    let nondigit = |b: u8| is_identifier_char(char::from(b)) && !b.is_ascii_digit();
    if !nondigit(*bytes.get(start)?) {
        return None;
    }
    let rest = &bytes[start..];
    Some(start + rest.iter().position(|&b| !nondigit(b) && !b.is_ascii_digit()).unwrap_or(rest.len()))
}

/// The kind and length of the longest number `text` starts with.
fn number(text: &str) -> Option<(TokenKind, usize)> {
    let bytes = text.as_bytes();
    if let Some(length) = float(bytes) {
        return Some((TokenKind::Float, length));
    }
    let digits = run(bytes, u8::is_ascii_digit)?;
    let rest = &bytes[digits..];
    if let Some(width) = rest.strip_prefix(b"bv").and_then(|r| run(r, u8::is_ascii_digit)) {
        return Some((TokenKind::BvLit, digits + 2 + width));
    }
    if let Some(fraction) = rest.strip_prefix(b".").and_then(|r| run(r, u8::is_ascii_digit)) {
        let length = digits + 1 + fraction;
        return Some((TokenKind::Decimal, length + exponent(&bytes[length..]).unwrap_or(0)));
    }
    match exponent(rest) {
        Some(length) => Some((TokenKind::Decimal, digits + length)),
        None => Some((TokenKind::Digits, digits)),
    }
}

/// The length of the exponent `e[-]digits` that `bytes` start with.
fn exponent(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(b"e")?;
    let sign = usize::from(rest.first() == Some(&b'-'));
    Some(1 + sign + run(&rest[sign..], u8::is_ascii_digit)?)
}

/// The length of the floating-point literal that `bytes` start with.
fn float(bytes: &[u8]) -> Option<usize> {
    let size = |bytes: &[u8]| {
        let significand = run(bytes, u8::is_ascii_digit)?;
        let rest = bytes[significand..].strip_prefix(b"e")?;
        Some(significand + 1 + run(rest, u8::is_ascii_digit)?)
    };
    for special in [b"0NaN", b"0nan", b"0+oo", b"0-oo"] {
        if let Some(rest) = bytes.strip_prefix(special) {
            return Some(special.len() + size(rest)?);
        }
    }
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let mut length = sign + 2;
    if !bytes[sign..].starts_with(b"0x") {
        return None;
    }
    length += run(&bytes[length..], u8::is_ascii_hexdigit)?;
    bytes[length..].strip_prefix(b".")?;
    length += 1;
    // `e` and `f` are hexadecimal digits as well: the exponent is the last `e` that lets the rest match.
    let fraction = run(&bytes[length..], u8::is_ascii_hexdigit)?;
    (1..=fraction).rev().find_map(|digits| {
        let end = length + digits;
        let end = end + exponent(&bytes[end..])?;
        bytes[end..].strip_prefix(b"f").and_then(size).map(|n| end + 1 + n)
    })
}

/// The length of the longest non-empty prefix whose bytes all satisfy `class`.
fn run(bytes: &[u8], class: impl Fn(&u8) -> bool) -> Option<usize> {
    let length = bytes.iter().position(|b| !class(b)).unwrap_or(bytes.len());
    (length > 0).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the texts of the tokens, apart from the end.
    fn check(input: &str, expected: &[&str]) {
        let tokens = lex(input);
        let texts: Vec<&str> = tokens.iter().map(|t| &input[t.start..t.end]).collect();
        assert_eq!(texts[..texts.len() - 1], *expected, "{input}");
    }

    #[track_caller]
    fn check_kind(input: &str, expected: TokenKind) {
        assert_eq!(lex(input)[0].kind, expected, "{input}");
    }

    #[test]
    fn the_longest_match_wins() {
        check("a<==>b", &["a", "<==>", "b"]);
        check("a<==b", &["a", "<==", "b"]);
        check("{:attr}", &["{", ":", "attr", "}"]);
        check("x:=y::z", &["x", ":=", "y", "::", "z"]);
        check("|{ }|", &["|{", "}|"]);
    }

    #[test]
    fn identifiers_contain_odd_characters() {
        check("$Heap#2.f?`a'~^ #x", &["$Heap#2.f?`a'~^", "#x"]);
        check("\\axiom 1.x", &["\\axiom", "1", ".x"]);
        check_kind("\\axiom", TokenKind::Ident);
        check_kind("axiom", TokenKind::Fixed("axiom"));
    }

    #[test]
    fn numbers_come_in_five_kinds() {
        check_kind("12", TokenKind::Digits);
        check_kind("12bv7", TokenKind::BvLit);
        check_kind("1.5e-3", TokenKind::Decimal);
        check_kind("2e3", TokenKind::Decimal);
        check_kind("0x1.8e3f24e8", TokenKind::Float);
        check_kind("-0xab.cde-12f24e8", TokenKind::Float);
        check_kind("0+oo24e8", TokenKind::Float);
        check("1bvx 2e -3", &["1", "bvx", "2", "e", "-", "3"]);
    }

    #[test]
    fn comments_nest_and_may_stay_open() {
        check("a /* b /* c */ d */ e // f\ng", &["a", "e", "g"]);
        check("a /* b", &["a"]);
        check("a // b\rc // d\r\ne", &["a", "c", "e"]);
    }

    #[test]
    fn conditional_lines_are_blanked() {
        check("#if X\na\n#else\nb\n#endif\nc", &["b", "c"]);
        check("#if !X\na\n#if Y\nd\n#endif\n#else\nb\n#endif\nc", &["a", "c"]);
    }

    #[test]
    fn pragmas_other_than_line_are_errors() {
        check("#line 3 a.c\nx", &["x"]);
        assert!(matches!(lex("#foo\nx")[0].kind, TokenKind::Invalid(_)));
        assert!(matches!(lex("\0")[0].kind, TokenKind::Invalid(_)));
        assert!(matches!(lex("\"abc\n\"")[0].kind, TokenKind::Invalid(_)));
    }
}
