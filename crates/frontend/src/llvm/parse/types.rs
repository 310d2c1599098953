//! The parser for types, which also detects the dialect of pointers that a module is written in.

use super::super::ast::*;
use super::super::lex::TokenKind;
use super::{Parsed, Parser};

/// LLVM's own limit on the width of integers.
const MAX_INT_BITS: u32 = 1 << 23;

impl Parser<'_> {
    /// Whether the next token can start a type.
    pub(super) fn at_type(&self) -> bool {
        match self.tok.kind {
            TokenKind::Word => is_type_word(self.token_text()),
            TokenKind::Local => true,
            TokenKind::Symbol(symbol) => matches!(symbol, b'[' | b'{' | b'<'),
            _ => false,
        }
    }

    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        // By far the most frequent type deserves a way of its own.
        if self.is_word("ptr") && !matches!(self.byte_after(), b'a' | b'(' | b'*') {
            self.typed_pointers = Some(false);
            self.advance();
            return Ok(TypeId::PTR);
        }
        self.nested(|p| {
            let mut ty = p.type_without_suffix()?;
            loop {
                if p.is(b'*') {
                    ty = p.pointer_to(ty, 0);
                } else if p.is_word("addrspace") {
                    p.advance();
                    let addrspace = p.number_in_parens()?;
                    if !p.is(b'*') {
                        return Err(p.expected("`*`"));
                    }
                    ty = p.pointer_to(ty, addrspace);
                } else if p.is(b'(') {
                    ty = p.function_type(ty)?;
                } else {
                    return Ok(ty);
                }
            }
        })
    }

    fn pointer_to(&mut self, pointee: TypeId, addrspace: u32) -> TypeId {
        self.advance();
        self.typed_pointers = Some(true);
        self.module.types.add(TypeKind::Ptr { addrspace, pointee: Some(pointee) })
    }

    fn type_without_suffix(&mut self) -> Parsed<TypeId> {
        match self.tok.kind {
            TokenKind::Word => self.type_word(),
            TokenKind::Local => {
                let name = self.sigil_name(TokenKind::Local, "a type")?;
                Ok(self.module.types.add_named(name))
            }
            TokenKind::Symbol(b'[') => {
                self.advance();
                let len = self.number()?;
                self.expect_word("x")?;
                let element = self.ty()?;
                self.expect(b']')?;
                Ok(self.module.types.add(TypeKind::Array(len, element)))
            }
            TokenKind::Symbol(b'{') => self.structure(false),
            TokenKind::Symbol(b'<') => {
                self.advance();
                if self.is(b'{') {
                    let ty = self.structure(true)?;
                    self.expect(b'>')?;
                    return Ok(ty);
                }
                let scalable = self.accept_word("vscale");
                if scalable {
                    self.expect_word("x")?;
                }
                let len = self.number()?;
                self.expect_word("x")?;
                let element = self.ty()?;
                self.expect(b'>')?;
                Ok(self.module.types.add(TypeKind::Vector { len, element, scalable }))
            }
            _ => Err(self.expected("a type")),
        }
    }

    fn type_word(&mut self) -> Parsed<TypeId> {
        let word = self.token_text();
        let kind = match word {
            "void" => TypeKind::Void,
            "half" => TypeKind::Float(FloatKind::Half),
            "bfloat" => TypeKind::Float(FloatKind::Bfloat),
            "float" => TypeKind::Float(FloatKind::Float),
            "double" => TypeKind::Float(FloatKind::Double),
            "x86_fp80" => TypeKind::Float(FloatKind::X86Fp80),
            "fp128" => TypeKind::Float(FloatKind::Fp128),
            "ppc_fp128" => TypeKind::Float(FloatKind::PpcFp128),
            "label" => TypeKind::Label,
            "metadata" => TypeKind::Metadata,
            "token" => TypeKind::Token,
            "ptr" => return self.opaque_pointer(),
            "x86_mmx" | "x86_amx" => TypeKind::Special(self.intern(word)),
            "target" => return self.target_type(),
            _ => match word.strip_prefix('i').and_then(|bits| bits.parse().ok()) {
                Some(bits @ 1..=MAX_INT_BITS) => TypeKind::Int(bits),
                _ => return Err(self.expected("a type")),
            },
        };
        self.advance();
        Ok(self.module.types.add(kind))
    }

    fn opaque_pointer(&mut self) -> Parsed<TypeId> {
        self.typed_pointers = Some(false);
        self.advance();
        let addrspace = if self.is_word("addrspace") && self.byte_after() == b'(' {
            self.advance();
            self.number_in_parens()?
        } else {
            0
        };
        Ok(self.module.types.add(TypeKind::Ptr { addrspace, pointee: None }))
    }

    /// `target("name", …)`.
    fn target_type(&mut self) -> Parsed<TypeId> {
        let start = self.tok.start as usize;
        self.advance();
        if !self.is(b'(') {
            return Err(self.expected("`(`"));
        }
        self.skip_balanced()?;
        let name = self.module.names.add(&self.text[start..self.prev_end as usize]);
        Ok(self.module.types.add(TypeKind::Special(name)))
    }

    fn structure(&mut self, packed: bool) -> Parsed<TypeId> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        if !self.is(b'}') {
            fields.push(self.ty()?);
            while self.accept(b',') {
                fields.push(self.ty()?);
            }
        }
        self.expect(b'}')?;
        Ok(self.module.types.add(TypeKind::Struct { fields: fields.into(), packed }))
    }

    fn function_type(&mut self, ret: TypeId) -> Parsed<TypeId> {
        self.expect(b'(')?;
        let mut params = Vec::new();
        let mut varargs = false;
        while !self.is(b')') {
            if self.tok.kind == TokenKind::Dots {
                self.advance();
                varargs = true;
                break;
            }
            params.push(self.ty()?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(self.module.types.add(TypeKind::Function { ret, params: params.into(), varargs }))
    }

    /// A pointer to `pointee`, in the dialect of the module.
    pub(super) fn pointer_in_dialect(&mut self, pointee: TypeId, addrspace: u32) -> TypeId {
        let typed = match self.typed_pointers {
            Some(typed) => typed,
            None => self.find_dialect(),
        };
        let pointee = typed.then_some(pointee);
        self.module.types.add(TypeKind::Ptr { addrspace, pointee })
    }

    /// Looks ahead for the first pointer type; needed at most once.
    fn find_dialect(&mut self) -> bool {
        let mut lexer = self.lexer;
        let typed = loop {
            let token = lexer.next_token();
            match token.kind {
                TokenKind::Symbol(b'*') => break true,
                TokenKind::Word if &self.text[token.start as usize..token.end as usize] == "ptr" => {
                    break false;
                }
                TokenKind::End => break false,
                _ => {}
            }
        };
        self.typed_pointers = Some(typed);
        typed
    }
}

/// Whether a word starts a type.
fn is_type_word(word: &str) -> bool {
    match word.as_bytes() {
        [b'i', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => true,
        _ => matches!(
            word,
            "void"
                | "half"
                | "bfloat"
                | "float"
                | "double"
                | "x86_fp80"
                | "fp128"
                | "ppc_fp128"
                | "label"
                | "metadata"
                | "token"
                | "ptr"
                | "x86_mmx"
                | "x86_amx"
                | "target"
        ),
    }
}
