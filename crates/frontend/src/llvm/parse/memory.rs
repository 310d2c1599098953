//! The parser for instructions that access memory or compute addresses.

use super::super::ast::*;
use super::{Parsed, Parser};

/// What may follow the operands of an access: `, align 4, addrspace(5)`.
#[derive(Default)]
struct Trailer {
    align: u32,
    addrspace: u32,
}

impl Parser<'_> {
    fn trailer(&mut self) -> Parsed<Trailer> {
        let mut trailer = Trailer::default();
        while self.more_operands() {
            self.advance();
            if self.accept_word("align") {
                trailer.align = self.number()?;
            } else if self.accept_word("addrspace") {
                trailer.addrspace = self.number_in_parens()?;
            } else {
                return Err(self.expected("`align`"));
            }
        }
        Ok(trailer)
    }

    /// Whether `volatile` stands here.
    fn volatile(&mut self) -> bool {
        self.accept_word("volatile")
    }

    fn scope_name(&mut self) -> Parsed<Option<Name>> {
        if !self.accept_word("syncscope") {
            return Ok(None);
        }
        self.expect(b'(')?;
        let scope = self.string()?;
        self.expect(b')')?;
        Ok(Some(scope))
    }

    fn ordering(&mut self) -> Parsed<Ordering> {
        let ordering = match self.word() {
            "unordered" => Ordering::Unordered,
            "monotonic" => Ordering::Monotonic,
            "acquire" => Ordering::Acquire,
            "release" => Ordering::Release,
            "acq_rel" => Ordering::AcqRel,
            "seq_cst" => Ordering::SeqCst,
            _ => return Err(self.expected("an ordering")),
        };
        self.advance();
        Ok(ordering)
    }

    fn atomic(&mut self) -> Parsed<Atomic> {
        let scope = self.scope_name()?;
        Ok(Atomic { ordering: self.ordering()?, scope })
    }

    pub(super) fn alloca(&mut self) -> Parsed<InstKind> {
        let mut inalloca = false;
        while !self.at_type() && !self.word().is_empty() {
            inalloca |= self.is_word("inalloca");
            self.advance();
        }
        let ty = self.ty()?;
        let mut count = None;
        if self.more_operands() {
            let comma = self.tok;
            self.advance();
            if self.at_type() {
                count = Some(self.operand()?);
            } else {
                self.tok = comma;
                self.lexer.go_to(comma.end);
            }
        }
        let trailer = self.trailer()?;
        let pointer = self.pointer_in_dialect(ty, trailer.addrspace);
        Ok(InstKind::Alloca { ty, count, align: trailer.align, inalloca, pointer })
    }

    pub(super) fn load(&mut self) -> Parsed<InstKind> {
        let is_atomic = self.accept_word("atomic");
        let volatile = self.volatile();
        let ty = self.ty()?;
        self.expect(b',')?;
        let pointer = self.operand()?;
        let atomic = if is_atomic { Some(self.atomic()?) } else { None };
        let align = self.trailer()?.align;
        Ok(InstKind::Load(Load { ty, pointer, align, volatile, atomic }))
    }

    pub(super) fn store(&mut self) -> Parsed<InstKind> {
        let is_atomic = self.accept_word("atomic");
        let volatile = self.volatile();
        let value = self.operand()?;
        self.expect(b',')?;
        let pointer = self.operand()?;
        let atomic = if is_atomic { Some(self.atomic()?) } else { None };
        let align = self.trailer()?.align;
        Ok(InstKind::Store(Store { value, pointer, align, volatile, atomic }))
    }

    pub(super) fn fence(&mut self) -> Parsed<InstKind> {
        Ok(InstKind::Fence(self.atomic()?))
    }

    pub(super) fn cmpxchg(&mut self) -> Parsed<InstKind> {
        let weak = self.accept_word("weak");
        let volatile = self.volatile();
        let pointer = self.operand()?;
        self.expect(b',')?;
        let expected = self.operand()?;
        self.expect(b',')?;
        let new = self.operand()?;
        let success = self.atomic()?;
        let failure = self.ordering()?;
        self.trailer()?;
        Ok(InstKind::CmpXchg { weak, volatile, pointer, expected, new, success, failure })
    }

    pub(super) fn atomicrmw(&mut self) -> Parsed<InstKind> {
        let volatile = self.volatile();
        let Some(op) = RmwOp::from_word(self.word()) else { return Err(self.expected("an operation")) };
        self.advance();
        let pointer = self.operand()?;
        self.expect(b',')?;
        let value = self.operand()?;
        let atomic = self.atomic()?;
        self.trailer()?;
        Ok(InstKind::AtomicRmw { op, volatile, pointer, value, atomic })
    }

    pub(super) fn gep(&mut self) -> Parsed<InstKind> {
        let flags = self.flags();
        Ok(InstKind::Gep(Box::new(self.gep_operands(flags)?)))
    }

    /// The operands of `getelementptr`; the same in constants.
    pub(super) fn gep_operands(&mut self, flags: Flags) -> Parsed<Gep> {
        let source = self.ty()?;
        self.expect(b',')?;
        let base = self.operand()?;
        let mut indices = Vec::new();
        while self.more_operands() {
            self.advance();
            self.accept_word("inrange");
            indices.push(self.operand()?);
        }
        Ok(Gep { flags, source, base, indices: indices.into() })
    }

    pub(super) fn va_arg(&mut self) -> Parsed<InstKind> {
        let list = self.operand()?;
        self.expect(b',')?;
        Ok(InstKind::VaArg { list, ty: self.ty()? })
    }
}
