//! The parser: recursive descent over tokens, one declaration at a time, with error recovery.
//!
//! The grammar is that of Boogie 2.4 with the additions of Boogie 3 that do not change the meaning of an old program:
//! datatypes, field access, `is`, `uses`, `hideable`, `pure`, hints such as `hide`. Their words (`datatype`, `is` …)
//! stay identifiers everywhere else.
//!
//! **Errors.** A syntax error ends its declaration and nothing else: the parser looks for the next token that can
//! start one (`Parser::recover`), and the names that the broken declaration would have declared are kept, so that
//! their uses are not reported a second time. The constructs of CIVL (actions, yield procedures, yield invariants)
//! are recognised and refused in the same way. The statements of CIVL that Boogie 2.4 has (`yield`, `async call`,
//! `par call`) are parsed; later stages refuse them.
//!
//! **Depth.** Everything that nests goes through `Parser::nested`, which refuses more than [`MAX_NESTING`] levels.
//! Repetition is parsed in loops: operator chains, `m[i := v][j := w]…`, `else if`. The tree of a chain is deep on
//! its left only, and later stages walk that side in loops as well.

mod decl;
mod expr;
mod float;
mod stmt;

use std::sync::Arc;

use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{FileId, Span};
use rustc_hash::FxHashSet;

use super::ast::*;
use super::lex::{Token, TokenKind, lex};

/// How many constructs may be nested in one another. Deeper programs are refused, because every stage
/// of reading recurses; [`super::read`] provides the stack this needs.
pub const MAX_NESTING: u32 = 1000;

/// Reads the file `file` with the contents `text` and adds its declarations to `program`.
pub fn parse(file: FileId, text: &str, program: &mut Program) -> Vec<Diagnostic> {
    let mut parser = Parser {
        file,
        text,
        tokens: lex(text),
        at: 0,
        depth: 0,
        names: FxHashSet::default(),
        program,
        diagnostics: Vec::new(),
    };
    while parser.kind() != TokenKind::End {
        let start = parser.at;
        parser.depth = 0;
        if let Err(SyntaxError(diagnostic)) = parser.declaration() {
            parser.diagnostics.push(*diagnostic);
            parser.recover(start);
        }
    }
    let end = parser.span();
    if end.start < end.end {
        let message = "this comment is never closed, and hides the rest of the file";
        parser.diagnostics.push(Diagnostic::warning("boogie::comment", end, message));
    }
    parser.diagnostics
}

/// Why a declaration could not be read.
struct SyntaxError(Box<Diagnostic>);

type Parsed<T> = Result<T, SyntaxError>;

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    /// The index of the next token; it never passes the last one, which is [`TokenKind::End`].
    at: usize,
    /// How many calls of `Parser::nested` are active.
    depth: u32,
    names: FxHashSet<Name>,
    program: &'a mut Program,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    // ---- Looking at tokens.

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn kind_after(&self, ahead: usize) -> TokenKind {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].kind
    }

    fn token_text(&self, index: usize) -> &str {
        let token = self.tokens[index.min(self.tokens.len() - 1)];
        &self.text[token.start..token.end]
    }

    /// The span of the next token.
    fn span(&self) -> Span {
        self.token_span(self.at)
    }

    fn token_span(&self, index: usize) -> Span {
        let token = self.tokens[index];
        Span::new(self.file, token.start, token.end)
    }

    /// From the token with the index `start` to the last one read.
    fn span_from(&self, start: usize) -> Span {
        self.token_span(start).to(self.token_span(self.at.max(start + 1) - 1))
    }

    /// Whether the next token is the keyword or symbol `symbol`.
    fn at(&self, symbol: &str) -> bool {
        matches!(self.kind(), TokenKind::Fixed(s) if s == symbol)
    }

    /// Whether the token `ahead` of the next one is the keyword or symbol `symbol`.
    fn at_after(&self, ahead: usize, symbol: &str) -> bool {
        matches!(self.kind_after(ahead), TokenKind::Fixed(s) if s == symbol)
    }

    /// Whether the token `ahead` of the next one is the identifier `word`, which some version reserves.
    fn at_word_after(&self, ahead: usize, word: &str) -> bool {
        self.kind_after(ahead) == TokenKind::Ident && self.token_text(self.at + ahead) == word
    }

    fn at_word(&self, word: &str) -> bool {
        self.at_word_after(0, word)
    }

    // ---- Moving on.

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = self.at(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.accept(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    fn name(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return name.clone();
        }
        let name: Name = Arc::from(text);
        self.names.insert(name.clone());
        name
    }

    fn ident(&mut self) -> Parsed<Ident> {
        if self.kind() != TokenKind::Ident {
            return Err(self.expected("an identifier"));
        }
        let (text, span) = (self.text, self.span());
        let spelling = &text[span.start as usize..span.end as usize];
        let name = self.name(spelling.strip_prefix('\\').unwrap_or(spelling));
        self.advance();
        Ok(Ident { name, span })
    }

    fn idents(&mut self) -> Parsed<Vec<Ident>> {
        self.comma_separated(Self::ident)
    }

    /// One or more `item`s with commas between them.
    fn comma_separated<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.accept(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Like [`Parser::comma_separated`], up to and including the token `close`; may be empty.
    fn list_until<T>(&mut self, close: &str, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let items = if self.at(close) { Vec::new() } else { self.comma_separated(item)? };
        self.expect(close)?;
        Ok(items)
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            let message = format!("nested too deeply: more than {MAX_NESTING} levels");
            return Err(self.error_at(self.span(), "boogie::nesting", message));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    // ---- Errors.

    fn error_at(&self, span: Span, code: &'static str, message: impl Into<String>) -> SyntaxError {
        SyntaxError(Box::new(Diagnostic::error(code, span, message)))
    }

    fn error(&self, span: Span, message: impl Into<String>) -> SyntaxError {
        self.error_at(span, "boogie::syntax", message)
    }

    /// The error that the next token is not `what`.
    fn expected(&self, what: &str) -> SyntaxError {
        let found = match self.kind() {
            TokenKind::Invalid(message) => {
                return self.error(self.span(), format!("{message} cannot be read"));
            }
            TokenKind::End => "the end of the file".to_string(),
            TokenKind::Fixed(symbol) => format!("`{symbol}`"),
            _ => format!("`{}`", self.token_text(self.at)),
        };
        self.error(self.span(), format!("expected {what}, found {found}"))
    }

    /// The refusal of a construct of Boogie's extension for concurrent programs.
    fn concurrency(&self, span: Span, construct: &str) -> SyntaxError {
        let message = format!("concurrency construct `{construct}` is not supported");
        self.error_at(span, "boogie::concurrency", message)
    }

    /// Moves to the next declaration after an error in the one that starts with the token `start`, and
    /// records what that one would have declared.
    ///
    /// The next declaration starts with a keyword outside all braces, or, since the error may be about a
    /// brace, with one at the beginning of a line that cannot occur inside a declaration.
    fn recover(&mut self, start: usize) {
        let names = self.names_declared_at(start);
        let mut depth = 0_i32;
        let mut index = start;
        let error = self.at.max(start + 1);
        while self.tokens[index].kind != TokenKind::End {
            if index >= error && self.starts_declaration(index, depth <= 0) {
                break;
            }
            match self.tokens[index].kind {
                TokenKind::Fixed("{" | "|{") => depth += 1,
                TokenKind::Fixed("}" | "}|") => depth -= 1,
                _ => {}
            }
            index += 1;
        }
        self.at = index;
        let span = self.span_from(start);
        self.program.decls.push(Decl { kind: DeclKind::Broken(names), attributes: Vec::new(), span });
    }

    fn starts_declaration(&self, index: usize, outside_braces: bool) -> bool {
        let first_on_line = || {
            let before = self.text[..self.tokens[index].start].trim_end_matches([' ', '\t']);
            before.is_empty() || before.ends_with('\n')
        };
        match self.tokens[index].kind {
            TokenKind::Fixed("const" | "function" | "axiom" | "type" | "procedure" | "implementation") => {
                outside_braces || first_on_line()
            }
            TokenKind::Fixed("var" | "yield" | "async") => outside_braces && first_on_line(),
            TokenKind::Ident if outside_braces && first_on_line() => {
                decl::CONTEXTUAL_STARTS.contains(&self.token_text(index))
            }
            _ => false,
        }
    }

    /// The names the declaration that starts with the token `start` seems to declare.
    fn names_declared_at(&mut self, start: usize) -> Vec<Name> {
        let several = matches!(self.tokens[start].kind, TokenKind::Fixed("const" | "var" | "type"));
        let mut names = Vec::new();
        let mut depth = 0;
        for index in start..self.tokens.len() {
            match self.tokens[index].kind {
                TokenKind::Fixed("{") => depth += 1,
                TokenKind::Fixed("}") => depth -= 1,
                _ if depth > 0 => {}
                TokenKind::Ident if !decl::CONTEXTUAL_STARTS.contains(&self.token_text(index)) => {
                    let text = self.text;
                    let token = self.tokens[index];
                    names.push(self.name(text[token.start..token.end].trim_start_matches('\\')));
                    if !several || !matches!(self.tokens[index + 1].kind, TokenKind::Fixed(",")) {
                        break;
                    }
                }
                TokenKind::Fixed("," | "const" | "var" | "type" | "unique" | "function" | "procedure")
                | TokenKind::Fixed("yield" | "async" | "invariant" | "implementation")
                | TokenKind::Ident => {}
                _ => break,
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the messages for `input`, and how many declarations are read without an error.
    #[track_caller]
    fn check(input: &str, declarations: usize, expected: &[&str]) {
        let mut program = Program::default();
        let diagnostics = parse(FileId(0), input, &mut program);
        let messages: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, expected, "{input}");
        let whole = program.decls.iter().filter(|d| !matches!(d.kind, DeclKind::Broken(_))).count();
        assert_eq!(whole, declarations, "{input}");
    }

    #[test]
    fn a_broken_declaration_costs_only_itself() {
        check("var x: ; const c: int; var y: int;", 2, &["expected a type, found `;`"]);
        check(
            "procedure p() { x := ; }\nprocedure q() { var x: int; x := 1; }",
            1,
            &["expected an expression, found `;`"],
        );
        check(
            "procedure p() { if (true) {\nprocedure q() {}",
            1,
            &["expected a statement, found `procedure`"],
        );
    }

    #[test]
    fn logical_operators_do_not_mix() {
        check("axiom true && false || true;", 0, &["`&&` and `||` cannot be mixed without parentheses"]);
        check("axiom true ==> false <== true;", 0, &["`==>` and `<==` cannot be mixed without parentheses"]);
        check("axiom 1 < 2 < 3;", 0, &["comparisons cannot be chained"]);
        check("axiom a ==> b ==> c; axiom a <== b <== c; axiom a <==> b <==> c;", 3, &[]);
    }

    #[test]
    fn deep_nesting_is_an_error_and_long_chains_are_not() {
        let deep = format!("axiom {}1{};", "(".repeat(100_000), ")".repeat(100_000));
        check(&deep, 0, &["nested too deeply: more than 1000 levels"]);
        let not = format!("axiom {}a;", "!".repeat(100_000));
        check(&not, 0, &["nested too deeply: more than 1000 levels"]);
        let blocks = format!("procedure p() {{ {}", "while (*) {".repeat(100_000));
        check(&blocks, 0, &["nested too deeply: more than 1000 levels"]);
        check(&format!("axiom 1{} == 2;", " + 1".repeat(100_000)), 1, &[]);
        check(&format!("axiom m{} == 2;", "[1]".repeat(100_000)), 1, &[]);
        let arms = " else if (*) {}".repeat(100_000);
        check(&format!("procedure p() {{ if (*) {{}}{arms} }}"), 1, &[]);
    }

    #[test]
    fn concurrency_is_refused_by_name() {
        let action = "left action {:layer 1} A() { g := 1; }\nvar g: int;";
        check(action, 1, &["concurrency construct `left action` is not supported"]);
        let invariant = "yield invariant Inv();\ninvariant g == 0;\nvar g: int;";
        check(invariant, 1, &["concurrency construct `yield invariant` is not supported"]);
        check("procedure p() { yield; async call p(); par p() | p(); }", 1, &[]);
    }

    #[test]
    fn newer_words_stay_identifiers() {
        check("const is: int; var datatype, pure, action: bool; function hide(push: int): int;", 3, &[]);
        check(
            "datatype L<T> { Nil(), Cons(head: T, tail: L T) }\naxiom x is Nil && x->head->tail == y;",
            2,
            &[],
        );
    }
}
