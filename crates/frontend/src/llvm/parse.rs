//! The parser: recursive descent over the text, one entity of the module at a time, with error recovery.
//!
//! **Tolerance.** LLVM gains attributes, flags and metadata with every version. Unknown attributes are kept by their
//! names, unknown flags of instructions are skipped (each only makes a promise, so that without it fewer results are
//! poison), metadata is parsed without knowledge of its kinds. An unknown instruction is an error.
//!
//! **Errors.** An error within the braces of a function costs that function, which is then [`Body::Unreadable`];
//! parsing continues after the next `}` at the start of a line. Any other error costs its entity; parsing continues
//! at the next line that can start one.
//!
//! **Depth.** What nests goes through `Parser::nested`, which refuses more than [`MAX_NESTING`] levels.

mod attr;
mod call;
mod constant;
mod function;
mod global;
mod instruction;
mod memory;
mod metadata;
mod number;
mod operation;
mod result;
mod types;

use super::ast::*;
use super::layout::{DataLayout, Layouts};
use super::lex::{Lexer, Token, TokenKind};
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{FileId, Span};
use function::Scope;

/// How many constructs may be nested in one another.
pub const MAX_NESTING: u32 = 200;

/// Reads the file `file` with the contents `text`.
pub fn parse(file: FileId, text: &str) -> (Module, Vec<Diagnostic>) {
    let mut parser = Parser::new(file, text);
    if text.len() >= u32::MAX as usize {
        let message = "a module must be smaller than 4 GiB";
        let diagnostic = Diagnostic::error("llvm::resources", Span::new(file, 0, 0), message);
        return (parser.module, vec![diagnostic]);
    }
    parser.advance();
    while parser.tok.kind != TokenKind::End {
        parser.depth = 0;
        let start = parser.tok.start;
        if let Err(SyntaxError(diagnostic)) = parser.entity() {
            parser.diagnostics.push(*diagnostic);
            parser.recover(start);
        }
    }
    let mut module = parser.module;
    module.layouts = Layouts::new(&module.data_layout, &module.types);
    (module, parser.diagnostics)
}

/// Why an entity could not be read.
struct SyntaxError(Box<Diagnostic>);

type Parsed<T> = Result<T, SyntaxError>;

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    lexer: Lexer<'a>,
    /// The next token.
    tok: Token,
    /// Where the token before it ended.
    prev_end: u32,
    /// How many calls of `Parser::nested` are active.
    depth: u32,
    module: Module,
    /// The function that is being read.
    scope: Option<Scope<'a>>,
    /// Whether pointers say what they point to; unknown before the first one.
    typed_pointers: Option<bool>,
    /// `!DIExpression()`, which stands at every other variable.
    empty_expression: Option<NodeId>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str) -> Parser<'a> {
        let module = Module {
            file,
            source_filename: None,
            triple: None,
            data_layout: DataLayout::default(),
            layouts: Layouts::default(),
            asm: Vec::new(),
            globals: Vec::new(),
            aliases: Vec::new(),
            functions: Vec::new(),
            symbols: Default::default(),
            attribute_groups: Default::default(),
            names: Names::default(),
            types: Types::default(),
            constants: Constants::default(),
            attrs: Attrs::default(),
            metadata: Metadata::default(),
        };
        Parser {
            file,
            text,
            lexer: Lexer::new(text),
            tok: Token { kind: TokenKind::End, start: 0, end: 0 },
            prev_end: 0,
            depth: 0,
            module,
            scope: None,
            typed_pointers: None,
            empty_expression: None,
            diagnostics: Vec::new(),
        }
    }

    // ---- Looking at tokens.

    fn token_text(&self) -> &'a str {
        &self.text[self.tok.start as usize..self.tok.end as usize]
    }

    /// The text of the next token if it is a word, and otherwise an empty string.
    fn word(&self) -> &'a str {
        if self.tok.kind == TokenKind::Word { self.token_text() } else { "" }
    }

    fn is(&self, symbol: u8) -> bool {
        self.tok.kind == TokenKind::Symbol(symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        self.tok.kind == TokenKind::Word && self.token_text() == word
    }

    /// The first byte after the next token that is no blank; 0 at the end.
    fn byte_after(&self) -> u8 {
        let rest = &self.text.as_bytes()[self.tok.end as usize..];
        rest.iter().copied().find(|b| !b.is_ascii_whitespace()).unwrap_or(0)
    }

    /// Whether the next token stands on the line of the one before it.
    fn same_line(&self) -> bool {
        let between = &self.text.as_bytes()[self.prev_end as usize..self.tok.start as usize];
        self.tok.kind != TokenKind::End && !between.contains(&b'\n')
    }

    /// Whether an operand follows after a comma; an attachment does not count.
    fn more_operands(&self) -> bool {
        self.is(b',') && self.byte_after() != b'!'
    }

    fn span_from(&self, start: u32) -> Span {
        Span::new(self.file, start as usize, self.prev_end as usize)
    }

    // ---- Moving on.

    fn advance(&mut self) {
        self.prev_end = self.tok.end;
        self.tok = self.lexer.next_token();
    }

    /// Reads on at `offset`.
    fn go_to(&mut self, offset: usize) {
        self.lexer.go_to(offset as u32);
        self.tok = self.lexer.next_token();
        self.prev_end = offset as u32;
    }

    fn accept(&mut self, symbol: u8) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: u8) -> Parsed<()> {
        if self.accept(symbol) { Ok(()) } else { Err(self.expected(&format!("`{}`", symbol as char))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Skips a bracket and everything up to the one that closes it.
    fn skip_balanced(&mut self) -> Parsed<()> {
        let start = self.tok;
        let mut open = 0_u32;
        loop {
            match self.tok.kind {
                TokenKind::Symbol(b'(' | b'[' | b'{' | b'<') => open += 1,
                TokenKind::Symbol(b')' | b']' | b'}' | b'>') => open = open.saturating_sub(1),
                TokenKind::End => {
                    self.tok = start;
                    self.lexer.go_to(start.end);
                    return Err(self.error("this bracket is never closed"));
                }
                _ => {}
            }
            self.advance();
            if open == 0 {
                return Ok(());
            }
        }
    }

    // ---- Errors.

    /// An error at the next token.
    fn error(&self, message: impl Into<String>) -> SyntaxError {
        let mut span = Span { file: self.file, start: self.tok.start, end: self.tok.end };
        // A string that is never closed covers the rest of the file; its start is place enough.
        span.end = span.end.min(span.start.saturating_add(200));
        while !self.text.is_char_boundary(span.end as usize) {
            span.end -= 1;
        }
        SyntaxError(Box::new(Diagnostic::error("llvm::syntax", span, message)))
    }

    fn error_at(&self, start: u32, end: u32, message: impl Into<String>) -> SyntaxError {
        let span = Span { file: self.file, start, end: end.max(start) };
        SyntaxError(Box::new(Diagnostic::error("llvm::syntax", span, message)))
    }

    fn expected(&self, what: &str) -> SyntaxError {
        let found = match self.tok.kind {
            TokenKind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.token_text().chars().take(40).collect::<String>()),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    /// Runs `parse` one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.error(format!("more than {MAX_NESTING} constructs are nested here")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Skips to the next line that starts an entity, at or after the next token, but after `broken`.
    fn recover(&mut self, broken: u32) {
        let bytes = self.text.as_bytes();
        let mut at = self.tok.start.max(broken + 1) as usize;
        loop {
            if bytes.get(at - 1) == Some(&b'\n') && starts_entity(&self.text[at..]) {
                return self.go_to(at);
            }
            let Some(length) = bytes.get(at..).and_then(|rest| rest.iter().position(|&b| b == b'\n')) else {
                return self.go_to(bytes.len());
            };
            at += length + 1;
        }
    }

    // ---- Names.

    /// Interns a name as it is written, with or without quotes and escapes.
    fn intern(&mut self, written: &str) -> Name {
        let inner = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(written);
        if !inner.contains('\\') {
            return self.module.names.add(inner);
        }
        match String::from_utf8(unescape(inner)) {
            Ok(text) => self.module.names.add(&text),
            Err(_) => self.module.names.add(inner),
        }
    }

    /// A name with a character before it that says what it names.
    fn sigil_name(&mut self, kind: TokenKind, what: &str) -> Parsed<Name> {
        if self.tok.kind != kind {
            return Err(self.expected(what));
        }
        let name = self.intern(&self.token_text()[1..]);
        self.advance();
        Ok(name)
    }

    fn global_name(&mut self) -> Parsed<Name> {
        self.sigil_name(TokenKind::Global, "the name of a global")
    }

    fn string(&mut self) -> Parsed<Name> {
        if self.tok.kind != TokenKind::String {
            return Err(self.expected("a string"));
        }
        let name = self.intern(self.token_text());
        self.advance();
        Ok(name)
    }

    fn number<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        if self.tok.kind != TokenKind::Int {
            return Err(self.expected("a number"));
        }
        let value = self.token_text().parse().map_err(|_| self.error("this number is out of range"))?;
        self.advance();
        Ok(value)
    }

    /// A number in parentheses.
    fn number_in_parens<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        self.expect(b'(')?;
        let value = self.number()?;
        self.expect(b')')?;
        Ok(value)
    }
}

/// Whether an entity starts here, for all one can tell from its first word.
fn starts_entity(line: &str) -> bool {
    let word = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    line.starts_with(['@', '%', '!', '$', '^']) || global::starts_entity(word)
}

/// Resolves `\5C`-like escapes.
fn unescape(text: &str) -> Vec<u8> {
    let digit = |b: u8| (b as char).to_digit(16).map(|digit| digit as u8);
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = match bytes[at..] {
            [b'\\', b'\\', ..] => Some((b'\\', 2)),
            [b'\\', high, low, ..] => digit(high).zip(digit(low)).map(|(high, low)| (high * 16 + low, 3)),
            _ => None,
        };
        let (byte, length) = escaped.unwrap_or((bytes[at], 1));
        out.push(byte);
        at += length;
    }
    out
}
