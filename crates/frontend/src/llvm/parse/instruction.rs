//! The parser for one instruction: its result, its operation, its attachments. Terminators are parsed in this file,
//! other operations in files of their own.

use super::super::ast::*;
use super::super::lex::TokenKind;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// An instruction, which is added to the function.
    pub(super) fn instruction(&mut self) -> Parsed<()> {
        let start = self.tok.start;
        let name = if self.tok.kind == TokenKind::Local {
            let name = self.token_text();
            self.advance();
            self.expect(b'=')?;
            Some(name)
        } else {
            None
        };
        let (kind, record_dbg) =
            if self.tok.kind == TokenKind::Hash { self.debug_record()? } else { (self.operation()?, None) };
        let (dbg, attachments) = self.attachments(true)?;
        let end = self.prev_end;
        if self.same_line() && !self.is(b'}') {
            return Err(self.expected("the end of the instruction"));
        }
        let ty = self.result_type(&kind);
        let result = match (name, ty) {
            (Some(name), Some(ty)) => Some(self.define_local(name, ty, start)?),
            (None, Some(ty)) => Some(self.define_next_local(ty)?),
            (None, None) => None,
            (Some(_), None) => return Err(self.error_at(start, end, "this instruction has no result")),
        };
        self.push(Inst { kind, result, dbg: dbg.or(record_dbg), attachments, start, end });
        Ok(())
    }

    fn operation(&mut self) -> Parsed<InstKind> {
        let word = self.word();
        if word.is_empty() {
            return Err(self.expected("an instruction"));
        }
        let at = self.tok;
        self.advance();
        if let Some(op) = BinaryOp::from_word(word) {
            return self.binary(op);
        }
        if let Some(op) = CastOp::from_word(word) {
            return self.cast(op);
        }
        match word {
            "load" => self.load(),
            "store" => self.store(),
            "getelementptr" => self.gep(),
            "call" => self.call(Tail::None),
            "tail" | "musttail" | "notail" => {
                self.expect_word("call")?;
                self.call(match word {
                    "tail" => Tail::Tail,
                    "musttail" => Tail::MustTail,
                    _ => Tail::NoTail,
                })
            }
            "icmp" | "fcmp" => self.compare(word),
            "br" => self.branch(),
            "phi" => self.phi(),
            "alloca" => self.alloca(),
            "select" | "fneg" | "extractelement" | "insertelement" | "shufflevector" => {
                self.operands_only(word)
            }
            "extractvalue" | "insertvalue" => self.aggregate_operation(word),
            "freeze" => Ok(InstKind::Freeze(self.operand()?)),
            "ret" => self.ret(),
            "switch" => self.switch(),
            "unreachable" => Ok(InstKind::Unreachable),
            "invoke" => self.invoke(),
            "callbr" => self.callbr(),
            "indirectbr" => {
                let address = self.operand()?;
                self.expect(b',')?;
                Ok(InstKind::IndirectBr { address, targets: self.label_list()? })
            }
            "fence" => self.fence(),
            "cmpxchg" => self.cmpxchg(),
            "atomicrmw" => self.atomicrmw(),
            "va_arg" => self.va_arg(),
            "landingpad" => self.landing_pad(),
            "resume" => Ok(InstKind::Resume(self.operand()?)),
            "catchswitch" => self.catch_switch(),
            "catchpad" | "cleanuppad" => self.pad(word),
            "catchret" | "cleanupret" => self.pad_return(word),
            _ => Err(self.error_at(at.start, at.end, format!("unknown instruction `{word}`"))),
        }
    }

    // ---- Terminators.

    /// `label %name`.
    pub(super) fn label(&mut self) -> Parsed<BlockIx> {
        self.expect_word("label")?;
        self.block_use()
    }

    /// Labels in square brackets.
    pub(super) fn label_list(&mut self) -> Parsed<Box<[BlockIx]>> {
        self.expect(b'[')?;
        let mut labels = Vec::new();
        while !self.is(b']') {
            labels.push(self.label()?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(labels.into())
    }

    fn branch(&mut self) -> Parsed<InstKind> {
        if self.is_word("label") {
            return Ok(InstKind::Br(self.label()?));
        }
        let condition = self.operand()?;
        self.expect(b',')?;
        let then = self.label()?;
        self.expect(b',')?;
        Ok(InstKind::CondBr { condition, then, otherwise: self.label()? })
    }

    fn ret(&mut self) -> Parsed<InstKind> {
        let ty = self.ty()?;
        if ty == TypeId::VOID {
            return Ok(InstKind::Ret(None));
        }
        Ok(InstKind::Ret(Some(Operand { ty, value: self.value(ty)? })))
    }

    fn switch(&mut self) -> Parsed<InstKind> {
        let value = self.operand()?;
        self.expect(b',')?;
        let default = self.label()?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.is(b']') {
            let case = self.typed_constant()?;
            self.expect(b',')?;
            cases.push((case, self.label()?));
        }
        self.expect(b']')?;
        Ok(InstKind::Switch { value, default, cases: cases.into() })
    }

    // ---- Exceptions.

    fn landing_pad(&mut self) -> Parsed<InstKind> {
        let ty = self.ty()?;
        let cleanup = self.accept_word("cleanup");
        let mut clauses = Vec::new();
        loop {
            if self.accept_word("catch") {
                clauses.push(Clause::Catch(self.operand()?));
            } else if self.accept_word("filter") {
                clauses.push(Clause::Filter(self.operand()?));
            } else {
                return Ok(InstKind::LandingPad { ty, cleanup, clauses: clauses.into() });
            }
        }
    }

    /// `within`, or nothing for `none`.
    fn within(&mut self) -> Parsed<Option<Operand>> {
        self.expect_word("within")?;
        if self.accept_word("none") {
            return Ok(None);
        }
        Ok(Some(Operand { ty: TypeId::TOKEN, value: self.value(TypeId::TOKEN)? }))
    }

    fn unwind_target(&mut self) -> Parsed<Option<BlockIx>> {
        self.expect_word("unwind")?;
        if self.accept_word("to") {
            self.expect_word("caller")?;
            return Ok(None);
        }
        Ok(Some(self.label()?))
    }

    fn catch_switch(&mut self) -> Parsed<InstKind> {
        let within = self.within()?;
        let handlers = self.label_list()?;
        Ok(InstKind::CatchSwitch { within, handlers, unwind: self.unwind_target()? })
    }

    fn pad(&mut self, word: &str) -> Parsed<InstKind> {
        let start = self.tok.start;
        let within = self.within()?;
        self.expect(b'[')?;
        let mut args = Vec::new();
        while !self.is(b']') {
            args.push(self.operand()?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b']')?;
        let args = args.into();
        match (word, within) {
            ("cleanuppad", within) => Ok(InstKind::CleanupPad { within, args }),
            (_, Some(within)) => Ok(InstKind::CatchPad { within, args }),
            (_, None) => {
                Err(self.error_at(start, self.prev_end, "a `catchpad` stands within a `catchswitch`"))
            }
        }
    }

    fn pad_return(&mut self, word: &str) -> Parsed<InstKind> {
        self.expect_word("from")?;
        let from = Operand { ty: TypeId::TOKEN, value: self.value(TypeId::TOKEN)? };
        if word == "catchret" {
            self.expect_word("to")?;
            return Ok(InstKind::CatchRet { from, to: self.label()? });
        }
        Ok(InstKind::CleanupRet { from, unwind: self.unwind_target()? })
    }
}
