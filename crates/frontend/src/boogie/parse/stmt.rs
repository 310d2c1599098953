//! The parser for statements.

use super::*;

impl Parser<'_> {
    /// The statements up to and including the closing brace.
    pub(super) fn block_rest(&mut self) -> Parsed<Block> {
        self.nested(|p| {
            let mut stmts = Vec::new();
            loop {
                let end = p.span();
                if p.accept("}") {
                    return Ok(Block { stmts, end });
                }
                stmts.push(p.statement()?);
            }
        })
    }

    fn block(&mut self) -> Parsed<Block> {
        self.expect("{")?;
        self.block_rest()
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.at;
        let TokenKind::Fixed(keyword) = self.kind() else { return self.simple_statement() };
        match keyword {
            "if" => self.if_statement(),
            "while" => self.while_statement(),
            "break" => {
                self.advance();
                let label = if self.kind() == TokenKind::Ident { Some(self.ident()?) } else { None };
                self.finish(start, StmtKind::Break(label), Vec::new())
            }
            "goto" => {
                self.advance();
                let attributes = self.attributes()?;
                let labels = self.idents()?;
                self.finish(start, StmtKind::Goto(labels), attributes)
            }
            "return" => {
                self.advance();
                let attributes = self.attributes()?;
                self.finish(start, StmtKind::Return, attributes)
            }
            _ => self.simple_statement(),
        }
    }

    /// Reads the semicolon that ends the statement.
    fn finish(&mut self, start: usize, kind: StmtKind, attributes: Vec<Attribute>) -> Parsed<Stmt> {
        self.expect(";")?;
        Ok(Stmt { kind, attributes, span: self.span_from(start) })
    }

    /// A label, or a statement that neither branches nor jumps.
    pub(super) fn simple_statement(&mut self) -> Parsed<Stmt> {
        let start = self.at;
        let TokenKind::Fixed(keyword) = self.kind() else { return self.label_or_assignment() };
        match keyword {
            "assert" | "assume" => {
                self.advance();
                let attributes = self.attributes()?;
                let e = self.expression()?;
                let kind = if keyword == "assert" { StmtKind::Assert(e) } else { StmtKind::Assume(e) };
                self.finish(start, kind, attributes)
            }
            "havoc" => {
                self.advance();
                let names = self.idents()?;
                self.finish(start, StmtKind::Havoc(names), Vec::new())
            }
            "yield" => {
                self.advance();
                self.finish(start, StmtKind::Yield, Vec::new())
            }
            "par" => {
                self.advance();
                let mut attributes = self.attributes()?;
                let mut calls = vec![self.call(false, false)?];
                while self.accept("|") {
                    attributes.extend(self.attributes()?);
                    calls.push(self.call(false, false)?);
                }
                self.finish(start, StmtKind::ParCall(calls), attributes)
            }
            "async" | "free" | "call" => {
                let asynchronous = self.accept("async");
                let free = self.accept("free");
                self.expect("call")?;
                let attributes = self.attributes()?;
                let call = self.call(asynchronous, free)?;
                self.finish(start, StmtKind::Call(call), attributes)
            }
            _ => Err(self.expected("a statement")),
        }
    }

    /// What follows the keyword and the attributes of a call.
    fn call(&mut self, asynchronous: bool, free: bool) -> Parsed<Call> {
        if self.at("forall") {
            return Err(self.error(self.span(), "`call forall` is not part of Boogie any more; use a lemma"));
        }
        let first = self.ident()?;
        let mut outs = Vec::new();
        let callee = if self.at("(") {
            first
        } else {
            outs.push(first);
            while self.accept(",") {
                outs.push(self.ident()?);
            }
            self.expect(":=")?;
            self.ident()?
        };
        self.expect("(")?;
        let args = self.list_until(")", Self::expression)?;
        Ok(Call { asynchronous, free, callee, args, outs })
    }

    fn label_or_assignment(&mut self) -> Parsed<Stmt> {
        let start = self.at;
        if self.kind() != TokenKind::Ident {
            return Err(self.expected("a statement"));
        }
        if let Some(stmt) = self.hint()? {
            return Ok(stmt);
        }
        if self.at_after(1, ":") {
            let label = self.ident()?;
            self.advance();
            let span = self.span_from(start);
            return Ok(Stmt { kind: StmtKind::Label(label), attributes: Vec::new(), span });
        }
        if self.at_after(1, "(") {
            let constructor = self.ident()?;
            self.advance();
            let vars = self.idents()?;
            self.expect(")")?;
            self.expect(":=")?;
            let attributes = self.attributes()?;
            let value = self.expression()?;
            return self.finish(start, StmtKind::Unpack(constructor, vars, value), attributes);
        }
        let targets = self.comma_separated(Self::target)?;
        self.expect(":=")?;
        let attributes = self.attributes()?;
        let values = self.comma_separated(Self::expression)?;
        self.finish(start, StmtKind::Assign(targets, values), attributes)
    }

    /// `hide x;`, `reveal *;`, `push;`, `pop;`.
    fn hint(&mut self) -> Parsed<Option<Stmt>> {
        let start = self.at;
        let named = self.kind_after(1) == TokenKind::Ident || self.at_after(1, "*");
        let mut about = None;
        match self.token_text(start) {
            "hide" | "reveal" if named => {
                self.advance();
                if self.kind() == TokenKind::Ident {
                    about = Some(self.ident()?);
                } else {
                    self.advance();
                }
            }
            "push" | "pop" if self.at_after(1, ";") => self.advance(),
            _ => return Ok(None),
        }
        self.finish(start, StmtKind::Hint(about), Vec::new()).map(Some)
    }

    fn target(&mut self) -> Parsed<Target> {
        let start = self.at;
        let base = self.ident()?;
        let mut path = Vec::new();
        loop {
            let step = self.at;
            if self.accept("[") {
                let indices = self.list_until("]", Self::expression)?;
                path.push(Step::Index(indices, self.span_from(step)));
            } else if self.accept("->") {
                path.push(Step::Field(self.ident()?));
            } else {
                return Ok(Target { base, path, span: self.span_from(start) });
            }
        }
    }

    fn if_statement(&mut self) -> Parsed<Stmt> {
        let start = self.at;
        self.expect("if")?;
        let attributes = self.attributes_before_brace()?;
        let guard = self.guard()?;
        let span = self.span_from(start);
        let mut arms = vec![(guard, self.block()?)];
        let mut otherwise = None;
        while self.accept("else") {
            if !self.accept("if") {
                otherwise = Some(self.block()?);
                break;
            }
            self.attributes_before_brace()?;
            let guard = self.guard()?;
            arms.push((guard, self.block()?));
        }
        Ok(Stmt { kind: StmtKind::If(arms, otherwise), attributes, span })
    }

    fn while_statement(&mut self) -> Parsed<Stmt> {
        let start = self.at;
        self.expect("while")?;
        let attributes = self.attributes_before_brace()?;
        let guard = self.guard()?;
        let span = self.span_from(start);
        let mut invariants = Vec::new();
        while self.at("free") || self.at("invariant") {
            let start = self.at;
            let free = self.accept("free");
            self.expect("invariant")?;
            let attributes = self.attributes()?;
            if self.at("call") {
                return Err(self.concurrency(self.span(), "call in an invariant"));
            }
            let expr = self.expression()?;
            self.expect(";")?;
            invariants.push(Condition { free, expr, attributes, span: self.span_from(start) });
        }
        let body = self.block()?;
        Ok(Stmt { kind: StmtKind::While(guard, invariants, body), attributes, span })
    }

    fn guard(&mut self) -> Parsed<Guard> {
        self.expect("(")?;
        let guard = if self.accept("*") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        Ok(guard)
    }
}
