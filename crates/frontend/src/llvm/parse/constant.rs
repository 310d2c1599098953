//! The parser for values and constants. The type comes first in the text, so it is known when a value is parsed.

use super::super::ast::*;
use super::super::lex::TokenKind;
use super::{Parsed, Parser, number, unescape};

impl Parser<'_> {
    /// A type and a value.
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        let ty = self.ty()?;
        Ok(Operand { ty, value: self.value(ty)? })
    }

    /// A value of the type `ty`.
    pub(super) fn value(&mut self, ty: TypeId) -> Parsed<Value> {
        if ty == TypeId::METADATA {
            let value = self.md_value()?;
            return Ok(Value::Const(self.module.constants.add(ty, ConstKind::Metadata(Box::new(value)))));
        }
        if self.tok.kind == TokenKind::Local {
            return Ok(Value::Local(self.local_use()?));
        }
        Ok(Value::Const(self.constant(ty)?))
    }

    /// A type and a constant.
    pub(super) fn typed_constant(&mut self) -> Parsed<ConstId> {
        let ty = self.ty()?;
        self.constant(ty)
    }

    /// A constant of the type `ty`.
    pub(super) fn constant(&mut self, ty: TypeId) -> Parsed<ConstId> {
        let kind = match self.tok.kind {
            TokenKind::Int => {
                let text = self.token_text();
                self.advance();
                number::integer(text).ok_or_else(|| self.error("this number cannot be read"))?
            }
            TokenKind::Number => self.float(ty)?,
            TokenKind::Global => ConstKind::Global(self.global_name()?),
            TokenKind::Word => return self.nested(|p| p.constant_word(ty)),
            TokenKind::Bytes => {
                let text = self.token_text();
                self.advance();
                ConstKind::Bytes(unescape(&text[2..text.len() - 1]).into())
            }
            TokenKind::Symbol(b'[') => self.elements(b'[', b']')?,
            TokenKind::Symbol(b'{') => self.elements(b'{', b'}')?,
            TokenKind::Symbol(b'<') if self.byte_after() == b'{' => {
                self.advance();
                let kind = self.elements(b'{', b'}')?;
                self.expect(b'>')?;
                kind
            }
            TokenKind::Symbol(b'<') => self.elements(b'<', b'>')?,
            _ => return Err(self.expected("a constant")),
        };
        Ok(self.module.constants.add(ty, kind))
    }

    fn float_kind(&self, ty: TypeId) -> Parsed<FloatKind> {
        match self.module.types.resolved(ty) {
            TypeKind::Float(kind) => Ok(*kind),
            _ => Err(self.error("this number is no value of its type")),
        }
    }

    fn float(&mut self, ty: TypeId) -> Parsed<ConstKind> {
        let kind = self.float_kind(ty)?;
        let bits = number::float_bits(self.token_text(), kind);
        let bits = bits.ok_or_else(|| self.error("this number cannot be read"))?;
        self.advance();
        Ok(ConstKind::Float(bits))
    }

    /// Constants with their types between brackets.
    fn elements(&mut self, open: u8, close: u8) -> Parsed<ConstKind> {
        self.nested(|p| {
            p.expect(open)?;
            let mut elements = Vec::new();
            if !p.is(close) {
                elements.push(p.typed_constant()?);
                while p.accept(b',') {
                    elements.push(p.typed_constant()?);
                }
            }
            p.expect(close)?;
            Ok(ConstKind::Aggregate(elements.into()))
        })
    }

    fn constant_word(&mut self, ty: TypeId) -> Parsed<ConstId> {
        let word = self.token_text();
        let plain = match word {
            "true" => Some(ConstKind::Int(1)),
            "false" => Some(ConstKind::Int(0)),
            "null" => Some(ConstKind::Null),
            "none" => Some(ConstKind::None),
            "undef" => Some(ConstKind::Undef),
            "poison" => Some(ConstKind::Poison),
            "zeroinitializer" => Some(ConstKind::Zero),
            _ => number::hex_integer(word),
        };
        if let Some(kind) = plain {
            self.advance();
            return Ok(self.module.constants.add(ty, kind));
        }
        if word.starts_with("f0x") {
            let kind = self.float(ty)?;
            return Ok(self.module.constants.add(ty, kind));
        }
        if matches!(word, "+inf" | "-inf" | "+qnan" | "-qnan") {
            let kind = self.float_kind(ty)?;
            let bits = number::float_word(word, kind);
            let bits = bits.ok_or_else(|| self.error("this number cannot be read"))?;
            self.advance();
            return Ok(self.module.constants.add(ty, ConstKind::Float(bits)));
        }
        let start = self.tok.start;
        self.advance();
        let kind = match word {
            "splat" => {
                self.expect(b'(')?;
                let element = self.typed_constant()?;
                self.expect(b')')?;
                ConstKind::Splat(element)
            }
            "blockaddress" => self.block_address()?,
            "dso_local_equivalent" | "no_cfi" => ConstKind::Equivalent(self.global_name()?),
            "ptrauth" => {
                self.expect(b'(')?;
                let mut parts = vec![self.typed_constant()?];
                while self.accept(b',') {
                    parts.push(self.typed_constant()?);
                }
                self.expect(b')')?;
                ConstKind::PtrAuth(parts.into())
            }
            "asm" => ConstKind::Asm(Box::new(self.inline_asm()?)),
            _ => ConstKind::Expr(Box::new(self.constant_expression(word, ty, start)?)),
        };
        Ok(self.module.constants.add(ty, kind))
    }

    fn block_address(&mut self) -> Parsed<ConstKind> {
        self.expect(b'(')?;
        let function = self.global_name()?;
        self.expect(b',')?;
        if self.tok.kind != TokenKind::Local {
            return Err(self.expected("a block"));
        }
        let written = &self.token_text()[1..];
        let block = match written.parse() {
            Ok(number) => LocalName::Number(number),
            Err(_) => LocalName::Named(self.intern(written)),
        };
        self.advance();
        self.expect(b')')?;
        Ok(ConstKind::BlockAddress { function, block })
    }

    /// What follows the word `asm`.
    pub(super) fn inline_asm(&mut self) -> Parsed<InlineAsm> {
        let mut side_effect = false;
        while self.tok.kind == TokenKind::Word {
            side_effect |= self.is_word("sideeffect");
            self.advance();
        }
        let template = self.string()?;
        self.expect(b',')?;
        Ok(InlineAsm { template, constraints: self.string()?, side_effect })
    }

    /// What follows the word of an operation in a constant: flags, then the operands in parentheses.
    fn constant_expression(&mut self, word: &str, ty: TypeId, start: u32) -> Parsed<InstKind> {
        if let Some(op) = BinaryOp::from_word(word) {
            let (flags, left, right) = self.constant_pair()?;
            return Ok(InstKind::Binary { op, flags, left, right });
        }
        if let Some(op) = CastOp::from_word(word) {
            let flags = self.constant_flags()?;
            self.expect(b'(')?;
            let value = self.operand()?;
            self.expect_word("to")?;
            let to = self.ty()?;
            self.expect(b')')?;
            return Ok(InstKind::Cast { op, flags, value, to });
        }
        match word {
            "getelementptr" => {
                let flags = self.constant_flags()?;
                self.expect(b'(')?;
                let gep = self.gep_operands(flags)?;
                self.expect(b')')?;
                Ok(InstKind::Gep(Box::new(gep)))
            }
            "icmp" | "fcmp" => {
                let (predicate, flags) = self.predicate(word)?;
                let (_, left, right) = self.constant_pair()?;
                Ok(InstKind::Compare { predicate, flags, left, right })
            }
            "select" | "fneg" | "extractelement" | "insertelement" | "shufflevector" => {
                self.expect(b'(')?;
                let kind = self.operands_only(word)?;
                self.expect(b')')?;
                Ok(kind)
            }
            "extractvalue" | "insertvalue" => {
                self.expect(b'(')?;
                let kind = self.aggregate_operation(word)?;
                self.expect(b')')?;
                Ok(kind)
            }
            _ => {
                let what = match self.module.types.resolved(ty) {
                    TypeKind::Int(_) => "integer constant",
                    TypeKind::Ptr { .. } => "pointer constant",
                    _ => "constant",
                };
                let end = start + word.len() as u32;
                Err(self.error_at(start, end, format!("`{word}` is no {what} that this reader knows")))
            }
        }
    }

    /// Flags before a parenthesis; `inrange(0, 8)` is skipped.
    fn constant_flags(&mut self) -> Parsed<Flags> {
        let flags = self.flags();
        if self.prev_word_was("inrange") && self.is(b'(') {
            self.skip_balanced()?;
            return Ok(flags.with(self.flags()));
        }
        Ok(flags)
    }

    fn prev_word_was(&self, word: &str) -> bool {
        self.text[..self.prev_end as usize].ends_with(word)
    }

    fn constant_pair(&mut self) -> Parsed<(Flags, Operand, Value)> {
        let flags = self.constant_flags()?;
        self.expect(b'(')?;
        let left = self.operand()?;
        self.expect(b',')?;
        let ty = self.ty()?;
        let right = self.value(ty)?;
        self.expect(b')')?;
        Ok((flags, left, right))
    }
}
