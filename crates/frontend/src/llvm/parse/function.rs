//! The parser for functions: the heading, and the blocks with the names that are defined there.
//!
//! Values and blocks may be used before they are defined. A use gets its number at once, and what is still without a
//! definition at the closing brace is an error. Blocks are numbered in the order of their first mention while a
//! function is parsed, and in the order of the text afterwards.

use super::super::ast::*;
use super::super::lex::TokenKind;
use super::attr::Place;
use super::{Parsed, Parser, SyntaxError};
use footpath_ir::diagnostic::Diagnostic;
use rustc_hash::FxHashMap;

/// What a name is defined as, by the name as it is written or by number.
struct Table<'a> {
    named: FxHashMap<&'a str, u32>,
    numbered: FxHashMap<u32, u32>,
}

impl<'a> Table<'a> {
    fn new() -> Table<'a> {
        Table { named: FxHashMap::default(), numbered: FxHashMap::default() }
    }

    /// The index of a name; `next` if it is new.
    fn index(&mut self, key: Key<'a>, next: u32) -> u32 {
        match key {
            Key::Named(name) => *self.named.entry(name).or_insert(next),
            Key::Number(number) => *self.numbered.entry(number).or_insert(next),
        }
    }
}

/// A local name as it is written.
#[derive(Clone, Copy)]
enum Key<'a> {
    Named(&'a str),
    Number(u32),
}

impl<'a> Key<'a> {
    /// `%name` without its `%`, or a label without its colon.
    fn new(written: &'a str) -> Key<'a> {
        if let Some(name) = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            // Quotes around digits matter, others do not.
            let is_number = name.bytes().all(|b| b.is_ascii_digit());
            return Key::Named(if is_number { written } else { name });
        }
        written.parse().map_or(Key::Named(written), Key::Number)
    }
}

/// The function that is being read.
pub(super) struct Scope<'a> {
    code: Code,
    locals: Table<'a>,
    blocks: Table<'a>,
    /// For each local, the byte of its first mention, until it is defined.
    undefined_locals: Vec<Option<u32>>,
    /// The same for blocks, in the order of mention.
    mentioned_blocks: Vec<Mention>,
    /// The number that the next value or block without a name gets.
    next_number: u32,
}

struct Mention {
    start: u32,
    /// Where the block turned out to stand.
    position: Option<u32>,
}

impl<'a> Scope<'a> {
    fn new() -> Scope<'a> {
        Scope {
            code: Code::default(),
            locals: Table::new(),
            blocks: Table::new(),
            undefined_locals: Vec::new(),
            mentioned_blocks: Vec::new(),
            next_number: 0,
        }
    }

    fn mention_local(&mut self, key: Key<'a>, name: LocalName, start: u32) -> LocalId {
        let next = self.code.locals.len() as u32;
        let index = self.locals.index(key, next);
        if index == next {
            self.code.locals.push(Local { name, ty: TypeId::VOID, def: None });
            self.undefined_locals.push(Some(start));
        }
        LocalId(index)
    }

    fn mention_block(&mut self, key: Key<'a>, start: u32) -> BlockIx {
        let next = self.mentioned_blocks.len() as u32;
        let index = self.blocks.index(key, next);
        if index == next {
            self.mentioned_blocks.push(Mention { start, position: None });
        }
        BlockIx(index)
    }
}

impl<'a> Parser<'a> {
    fn scope(&mut self) -> Parsed<&mut Scope<'a>> {
        if self.scope.is_none() {
            return Err(self.error("a local value stands only within a function"));
        }
        Ok(self.scope.get_or_insert_with(Scope::new))
    }

    fn key_and_name(&mut self, written: &'a str) -> (Key<'a>, LocalName) {
        let key = Key::new(written);
        let name = match key {
            Key::Number(number) => LocalName::Number(number),
            Key::Named(_) => LocalName::Named(self.intern(written)),
        };
        (key, name)
    }

    // ---- Uses.

    pub(super) fn local_use(&mut self) -> Parsed<LocalId> {
        let start = self.tok.start;
        let (key, name) = self.key_and_name(&self.token_text()[1..]);
        let id = self.scope()?.mention_local(key, name, start);
        self.advance();
        Ok(id)
    }

    /// The name of a block after `label`, or in a `phi`.
    pub(super) fn block_use(&mut self) -> Parsed<BlockIx> {
        if self.tok.kind != TokenKind::Local {
            return Err(self.expected("a block"));
        }
        let start = self.tok.start;
        let key = Key::new(&self.token_text()[1..]);
        let id = self.scope()?.mention_block(key, start);
        self.advance();
        Ok(id)
    }

    // ---- Definitions.

    /// The result called `written`, with its `%`.
    pub(super) fn define_local(&mut self, written: &'a str, ty: TypeId, start: u32) -> Parsed<LocalId> {
        let (key, name) = self.key_and_name(&written[1..]);
        let scope = self.scope()?;
        if let Key::Number(number) = key {
            scope.next_number = number.saturating_add(1);
        }
        let id = scope.mention_local(key, name, start);
        if scope.undefined_locals[id.index()].take().is_none() {
            let end = start + written.len() as u32;
            return Err(self.error_at(start, end, format!("`{written}` is defined twice")));
        }
        let def = Some(scope.code.insts.len() as u32);
        scope.code.locals[id.index()] = Local { name, ty, def };
        Ok(id)
    }

    /// A result that has no name in the text.
    pub(super) fn define_next_local(&mut self, ty: TypeId) -> Parsed<LocalId> {
        let start = self.tok.start;
        let scope = self.scope()?;
        let number = scope.next_number;
        scope.next_number = number.saturating_add(1);
        let name = LocalName::Number(number);
        let id = scope.mention_local(Key::Number(number), name, start);
        scope.undefined_locals[id.index()] = None;
        scope.code.locals[id.index()] = Local { name, ty, def: Some(scope.code.insts.len() as u32) };
        Ok(id)
    }

    /// Adds an instruction to the current block.
    pub(super) fn push(&mut self, inst: Inst) {
        if let Some(scope) = &mut self.scope {
            scope.code.insts.push(inst);
        }
    }

    fn start_block(&mut self) -> Parsed<()> {
        let start = self.tok.start;
        let bytes = self.text.as_bytes();
        let is_label = matches!(self.tok.kind, TokenKind::Word | TokenKind::Int | TokenKind::String)
            && bytes.get(self.tok.end as usize) == Some(&b':');
        let (key, name) = if is_label {
            let pair = self.key_and_name(self.token_text());
            self.advance();
            self.advance();
            pair
        } else {
            let number = self.scope()?.next_number;
            (Key::Number(number), LocalName::Number(number))
        };
        let scope = self.scope()?;
        if let Key::Number(number) = key {
            scope.next_number = number.saturating_add(1);
        }
        let mention = scope.mention_block(key, start).index();
        let position = scope.code.blocks.len() as u32;
        if scope.mentioned_blocks[mention].position.replace(position).is_some() {
            return Err(self.error_at(start, self.prev_end.max(start), "this block is defined twice"));
        }
        let first = scope.code.insts.len() as u32;
        scope.code.blocks.push(Block { name, first, end: first, start });
        Ok(())
    }

    // ---- Bodies.

    /// The blocks between braces.
    fn body(&mut self, params: &[(Param, Option<&'a str>, u32)]) -> Parsed<Code> {
        self.scope = Some(Scope::new());
        for (param, name, start) in params {
            match name {
                Some(name) => self.define_local(name, param.ty, *start)?,
                None => self.define_next_local(param.ty)?,
            };
        }
        for local in &mut self.scope()?.code.locals {
            local.def = None;
        }
        self.expect(b'{')?;
        while !self.is(b'}') {
            if self.is_word("uselistorder") {
                self.skip_use_list_order()?;
                continue;
            }
            self.start_block()?;
            loop {
                self.instruction()?;
                let scope = self.scope()?;
                if scope.code.insts.last().is_some_and(|inst| inst.kind.is_terminator()) {
                    break;
                }
            }
            let scope = self.scope()?;
            let end = scope.code.insts.len() as u32;
            if let Some(block) = scope.code.blocks.last_mut() {
                block.end = end;
            }
        }
        let code = self.finish_body()?;
        self.advance();
        Ok(code)
    }

    /// Checks that everything is defined, and numbers the blocks in the order of the text.
    fn finish_body(&mut self) -> Parsed<Code> {
        let Some(scope) = self.scope.take() else { return Err(self.error("no function is open here")) };
        let undefined = |start: u32| {
            let name = &self.text[start as usize..];
            let end =
                name.find(|c: char| c.is_whitespace() || matches!(c, ',' | ')' | ']')).unwrap_or(name.len());
            self.error_at(start, start + end as u32, format!("`{}` is never defined", &name[..end]))
        };
        if let Some(start) = scope.undefined_locals.iter().flatten().next() {
            return Err(undefined(*start));
        }
        let mut positions = Vec::with_capacity(scope.mentioned_blocks.len());
        for mention in &scope.mentioned_blocks {
            positions.push(BlockIx(mention.position.ok_or_else(|| undefined(mention.start))?));
        }
        let mut code = scope.code;
        if code.blocks.is_empty() {
            return Err(self.error("a function that is defined has at least one block"));
        }
        for inst in &mut code.insts {
            inst.kind.for_each_block(|block| *block = positions[block.index()]);
        }
        Ok(code)
    }

    fn skip_use_list_order(&mut self) -> Parsed<()> {
        while !self.is(b'{') {
            if matches!(self.tok.kind, TokenKind::End | TokenKind::Symbol(b'}')) {
                return Err(self.expected("`{`"));
            }
            self.advance();
        }
        self.skip_balanced()
    }

    // ---- The first line.

    /// `define` or `declare`.
    pub(super) fn function(&mut self) -> Parsed<()> {
        let start = self.tok.start;
        let is_definition = self.is_word("define");
        self.advance();
        let (mut function, params) = match self.header(start) {
            Ok(header) => header,
            Err(error) if is_definition => {
                // The body says nothing without its header.
                self.skip_body();
                self.diagnostics.push(*error.0);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        if is_definition {
            function.body = match self.body(&params) {
                Ok(code) => Body::Defined(Box::new(code)),
                Err(SyntaxError(diagnostic)) => {
                    self.skip_body();
                    let name = self.module.text(function.name);
                    let label = format!("the function `{name}` is left out for it");
                    let diagnostic: Diagnostic = diagnostic.with_label(function.span, label);
                    self.diagnostics.push(diagnostic.clone());
                    Body::Unreadable(Box::new(diagnostic))
                }
            };
            self.scope = None;
        }
        self.add_function(function);
        Ok(())
    }

    /// A definition takes the place of a declaration; that of anything else is an error already.
    fn add_function(&mut self, function: Function) {
        let index = self.module.functions.len();
        let symbol = *self.module.symbols.entry(function.name).or_insert(Symbol::Function(index));
        match symbol {
            Symbol::Function(old) if old < index => {
                if matches!(self.module.functions[old].body, Body::Declared) {
                    self.module.functions[old] = function;
                }
            }
            _ => self.module.functions.push(function),
        }
    }

    /// Skips past the brace that closes the body, which is at the start of a line.
    fn skip_body(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = self.tok.start as usize;
        // The next token may be that brace itself, or belong to the next function already.
        if at == 0 || bytes[at - 1] == b'\n' {
            match self.tok.kind {
                TokenKind::Symbol(b'}') => return self.advance(),
                TokenKind::Word if self.is_word("define") => return,
                _ => {}
            }
        }
        while let Some(length) = bytes[at..].iter().position(|&b| b == b'\n') {
            at += length + 1;
            match bytes.get(at) {
                Some(b'}') => return self.go_to(at + 1),
                Some(b'd') if bytes[at..].starts_with(b"define ") => return self.go_to(at),
                _ => {}
            }
        }
        self.go_to(bytes.len());
    }

    #[expect(clippy::type_complexity, reason = "a list that is used once, just behind")]
    fn header(&mut self, start: u32) -> Parsed<(Function, Vec<(Param, Option<&'a str>, u32)>)> {
        let (mut dbg, mut attachments) = self.attachments(false)?;
        let linkage = self.symbol_prefix()?.linkage;
        let calling_convention = self.calling_convention()?;
        let ret_attrs = self.attributes(Place::Result)?;
        let ret = self.ty()?;
        let name = self.global_name()?;
        let (params, varargs) = self.params()?;
        let tail = self.function_tail()?;
        let (more_dbg, more) = self.attachments(false)?;
        dbg = dbg.or(more_dbg);
        attachments.extend(more);
        let types: Box<[TypeId]> = params.iter().map(|(param, ..)| param.ty).collect();
        let ty = self.module.types.add(TypeKind::Function { ret, params: types, varargs });
        let function = Function {
            name,
            linkage,
            calling_convention,
            ret_attrs,
            ret,
            params: params.iter().map(|(param, ..)| *param).collect(),
            varargs,
            ty,
            attrs: tail.attrs,
            section: tail.section,
            align: tail.align,
            personality: tail.personality,
            dbg,
            attachments,
            body: Body::Declared,
            span: self.span_from(start),
        };
        Ok((function, params))
    }

    #[expect(clippy::type_complexity, reason = "a list that is used once, just above")]
    fn params(&mut self) -> Parsed<(Vec<(Param, Option<&'a str>, u32)>, bool)> {
        self.expect(b'(')?;
        let mut params = Vec::new();
        let mut varargs = false;
        while !self.is(b')') {
            if self.tok.kind == TokenKind::Dots {
                self.advance();
                varargs = true;
                break;
            }
            let ty = self.ty()?;
            let attrs = self.attributes(Place::Argument)?;
            let start = self.tok.start;
            let mut name = None;
            if self.tok.kind == TokenKind::Local {
                name = Some(self.token_text());
                self.advance();
            }
            params.push((Param { ty, attrs }, name, start));
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok((params, varargs))
    }

    /// What follows the parameters.
    fn function_tail(&mut self) -> Parsed<FunctionTail> {
        let mut tail = FunctionTail::default();
        let mut attrs = Vec::new();
        loop {
            match self.tok.kind {
                TokenKind::Hash | TokenKind::String => {
                    attrs.push(self.attribute()?);
                    continue;
                }
                TokenKind::Word => {}
                _ => break,
            }
            match self.token_text() {
                "section" => {
                    self.advance();
                    tail.section = Some(self.string()?);
                }
                "align" if self.byte_after() != b'(' => {
                    self.advance();
                    tail.align = self.number()?;
                }
                "partition" | "gc" => {
                    self.advance();
                    self.string()?;
                }
                "comdat" => self.comdat_use()?,
                "prefix" | "prologue" | "prefalign" if self.byte_after() != b'(' => {
                    self.advance();
                    self.typed_constant()?;
                }
                "personality" => {
                    self.advance();
                    tail.personality = Some(self.typed_constant()?);
                }
                word if super::global::starts_entity(word) => break,
                _ => attrs.push(self.attribute()?),
            }
        }
        tail.attrs = self.module.attrs.add(&attrs);
        Ok(tail)
    }
}

#[derive(Default)]
struct FunctionTail {
    attrs: AttrsId,
    section: Option<Name>,
    align: u32,
    personality: Option<ConstId>,
}
