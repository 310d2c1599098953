//! The lexer: the text of an LLVM module becomes tokens, one at a time.
//!
//! Modules are large (tens of megabytes), so no list of tokens is made: the parser asks for the next one, and may
//! backtrack. The lexer never fails; what it cannot read becomes a [`TokenKind::Invalid`].
//!
//! A token says little beyond its kind: the parser looks at its bytes. Keywords are [`TokenKind::Word`]s, because
//! LLVM adds some with every version, and because any of them may be a label.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A keyword, a type such as `i32`, or a label without its colon.
    Word,
    /// An integer in decimal.
    Int,
    /// A number with a fraction or exponent, or in hexadecimal.
    Number,
    /// `%name`, `%"name"` or `%12`.
    Local,
    /// `@name`, `@"name"` or `@12`.
    Global,
    /// `!name` or `!12`.
    Metadata,
    /// `!` before a string or a brace.
    Bang,
    /// `#12` or `#dbg_value`.
    Hash,
    /// `$name`, a comdat.
    Comdat,
    /// `^12`, an entry of the summary.
    Caret,
    /// `"…"`.
    String,
    /// `c"…"`.
    Bytes,
    /// `...`.
    Dots,
    /// Any other single character: a bracket, a comma and so on.
    Symbol(u8),
    /// Something that is no token.
    Invalid,
    /// The end of the file.
    End,
}

/// A token and the bytes it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset one past its last byte.
    pub end: u32,
}

/// Which bytes may stand in a name without quotes.
const NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || matches!(b, b'-' | b'$' | b'.' | b'_');
        byte += 1;
    }
    table
};

/// A place in the text.
#[derive(Clone, Copy, Debug)]
pub struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    /// The start of a text, which must be shorter than 4 GiB.
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text: text.as_bytes(), at: 0 }
    }

    /// Goes to an offset.
    pub fn go_to(&mut self, offset: u32) {
        self.at = (offset as usize).min(self.text.len());
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                b';' => {
                    let rest = &self.text[self.at..];
                    self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    fn skip_name(&mut self) {
        while NAME[usize::from(self.peek(0))] {
            self.at += 1;
        }
    }

    fn skip_digits(&mut self) {
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
    }

    /// Skips past the closing quote; false if there is none.
    fn skip_string(&mut self) -> bool {
        let rest = &self.text[self.at + 1..];
        match rest.iter().position(|&b| b == b'"') {
            Some(length) => {
                self.at += length + 2;
                true
            }
            None => {
                self.at = self.text.len();
                false
            }
        }
    }

    /// The next token.
    pub fn next_token(&mut self) -> Token {
        self.skip_blanks();
        let start = self.at;
        let kind = self.scan();
        Token { kind, start: start as u32, end: self.at as u32 }
    }

    fn scan(&mut self) -> TokenKind {
        if self.at >= self.text.len() {
            return TokenKind::End;
        }
        let first = self.peek(0);
        match first {
            b'%' => self.sigil(TokenKind::Local),
            b'@' => self.sigil(TokenKind::Global),
            b'c' if self.peek(1) == b'"' => {
                self.at += 1;
                self.string(TokenKind::Bytes)
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
            b'0'..=b'9' => self.number(),
            b'-' | b'+' if self.peek(1).is_ascii_digit() => self.number(),
            b'-' => self.word(),
            b'+' if self.peek(1).is_ascii_alphabetic() => {
                self.at += 1;
                self.word()
            }
            b'"' => self.string(TokenKind::String),
            b'!' => self.metadata(),
            b'#' => {
                self.at += 1;
                self.skip_name();
                if self.text[self.at - 1] == b'#' { TokenKind::Invalid } else { TokenKind::Hash }
            }
            b'$' => self.sigil(TokenKind::Comdat),
            b'^' => {
                self.at += 1;
                self.skip_digits();
                TokenKind::Caret
            }
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => {
                self.at += 3;
                TokenKind::Dots
            }
            b'.' => self.word(),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b':' | b'|'
            | b'/' => {
                self.at += 1;
                TokenKind::Symbol(first)
            }
            _ => {
                // The whole character, so that spans end between characters.
                self.at += 1;
                while self.peek(0) & 0xc0 == 0x80 {
                    self.at += 1;
                }
                TokenKind::Invalid
            }
        }
    }

    fn word(&mut self) -> TokenKind {
        self.at += 1;
        self.skip_name();
        TokenKind::Word
    }

    fn string(&mut self, kind: TokenKind) -> TokenKind {
        if self.skip_string() { kind } else { TokenKind::Invalid }
    }

    /// A name after the character that says what it names.
    fn sigil(&mut self, kind: TokenKind) -> TokenKind {
        self.at += 1;
        if self.peek(0) == b'"' {
            return self.string(kind);
        }
        let start = self.at;
        self.skip_name();
        if self.at > start { kind } else { TokenKind::Invalid }
    }

    fn metadata(&mut self) -> TokenKind {
        self.at += 1;
        let start = self.at;
        while NAME[usize::from(self.peek(0))] || self.peek(0) == b'\\' {
            self.at += 1;
        }
        if self.at > start { TokenKind::Metadata } else { TokenKind::Bang }
    }

    /// A number, or a label that starts with a digit.
    fn number(&mut self) -> TokenKind {
        if self.peek(0) == b'0' && self.peek(1) == b'x' {
            self.skip_name();
            return TokenKind::Number;
        }
        self.at += 1;
        self.skip_digits();
        let mut kind = TokenKind::Int;
        if self.peek(0) == b'.' && (self.peek(1) != b'.') {
            kind = TokenKind::Number;
            self.at += 1;
            self.skip_digits();
            if matches!(self.peek(0), b'e' | b'E') {
                let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
                if self.peek(1 + sign).is_ascii_digit() {
                    self.at += 1 + sign;
                    self.skip_digits();
                }
            }
        }
        if NAME[usize::from(self.peek(0))] {
            self.skip_name();
            kind = TokenKind::Word;
        }
        kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut lexer = Lexer::new(text);
        let mut found = Vec::new();
        loop {
            let token = lexer.next_token();
            if token.kind == TokenKind::End {
                break;
            }
            found.push(format!("{:?} {}", token.kind, &text[token.start as usize..token.end as usize]));
        }
        assert_eq!(found.join("; "), expected);
    }

    #[test]
    fn names_carry_their_sigil() {
        check("%a.b @\"x y\" %12 $c", "Local %a.b; Global @\"x y\"; Local %12; Comdat $c");
        check(
            "!12 !llvm.dbg !{ !\"s\"",
            "Metadata !12; Metadata !llvm.dbg; Bang !; Symbol(123) {; Bang !; String \"s\"",
        );
        check("#4 #dbg_value ^0", "Hash #4; Hash #dbg_value; Caret ^0");
    }

    #[test]
    fn numbers_are_told_from_words() {
        check(
            "-5 1.5e+01 0x4000 0xK3FFF -1.0",
            "Int -5; Number 1.5e+01; Number 0x4000; Number 0xK3FFF; Number -1.0",
        );
        check("for.end: 5: ...", "Word for.end; Symbol(58) :; Int 5; Symbol(58) :; Dots ...");
    }

    #[test]
    fn comments_end_with_their_line_and_odd_characters_are_tokens() {
        check("; a\nret ; b", "Word ret");
        check("é ~", "Invalid é; Invalid ~");
        check("\"open", "Invalid \"open");
    }
}
