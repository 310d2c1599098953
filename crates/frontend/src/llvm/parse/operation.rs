//! The parser for instructions that compute: arithmetic, comparisons, conversions, vectors and aggregates.

use super::super::ast::*;
use super::super::lex::TokenKind;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Words that promise something. Unknown ones are skipped.
    pub(super) fn flags(&mut self) -> Flags {
        let mut flags = Flags::NONE;
        while self.tok.kind == TokenKind::Word && !self.at_type() {
            flags = flags.with(match self.token_text() {
                "nuw" => Flags::NUW,
                "nsw" => Flags::NSW,
                "exact" => Flags::EXACT,
                "disjoint" => Flags::DISJOINT,
                "nneg" => Flags::NNEG,
                "samesign" => Flags::SAMESIGN,
                "inbounds" => Flags::INBOUNDS.with(Flags::NUSW),
                "nusw" => Flags::NUSW,
                word if is_fast_math(word) => Flags::FAST,
                _ => Flags::NONE,
            });
            self.advance();
        }
        flags
    }

    /// What follows `icmp` or `fcmp`, up to the predicate.
    pub(super) fn predicate(&mut self, word: &str) -> Parsed<(Predicate, Flags)> {
        let mut flags = Flags::NONE;
        loop {
            let found = self.word();
            let predicate = if word == "icmp" {
                IntPredicate::from_word(found).map(Predicate::Int)
            } else {
                FloatPredicate::from_word(found).map(Predicate::Float)
            };
            if let Some(predicate) = predicate {
                self.advance();
                return Ok((predicate, flags));
            }
            flags = flags.with(match found {
                "samesign" => Flags::SAMESIGN,
                _ if is_fast_math(found) => Flags::FAST,
                _ => return Err(self.expected("a predicate")),
            });
            self.advance();
        }
    }

    fn pair(&mut self) -> Parsed<(Operand, Value)> {
        let left = self.operand()?;
        self.expect(b',')?;
        Ok((left, self.value(left.ty)?))
    }

    pub(super) fn binary(&mut self, op: BinaryOp) -> Parsed<InstKind> {
        let flags = self.flags();
        let (left, right) = self.pair()?;
        Ok(InstKind::Binary { op, flags, left, right })
    }

    pub(super) fn compare(&mut self, word: &str) -> Parsed<InstKind> {
        let (predicate, flags) = self.predicate(word)?;
        let (left, right) = self.pair()?;
        Ok(InstKind::Compare { predicate, flags, left, right })
    }

    pub(super) fn cast(&mut self, op: CastOp) -> Parsed<InstKind> {
        let flags = self.flags();
        let value = self.operand()?;
        self.expect_word("to")?;
        let to = self.ty()?;
        Ok(InstKind::Cast { op, flags, value, to })
    }

    /// Instructions that consist of operands with commas between them; the same in constants.
    pub(super) fn operands_only(&mut self, word: &str) -> Parsed<InstKind> {
        let flags = self.flags();
        let first = self.operand()?;
        if word == "fneg" {
            return Ok(InstKind::FNeg { value: first, flags });
        }
        self.expect(b',')?;
        let second = self.operand()?;
        if word == "extractelement" {
            return Ok(InstKind::ExtractElement { vector: first, index: second });
        }
        self.expect(b',')?;
        let third = self.operand()?;
        Ok(match word {
            "select" => InstKind::Select { condition: first, then: second, otherwise: third },
            "insertelement" => InstKind::InsertElement { vector: first, element: second, index: third },
            _ => InstKind::ShuffleVector { left: first, right: second, mask: third },
        })
    }

    /// What follows `extractvalue` or `insertvalue`.
    pub(super) fn aggregate_operation(&mut self, word: &str) -> Parsed<InstKind> {
        let aggregate = self.operand()?;
        let element = if word == "insertvalue" {
            self.expect(b',')?;
            Some(self.operand()?)
        } else {
            None
        };
        let mut path = Vec::new();
        while self.more_operands() {
            self.advance();
            path.push(self.number()?);
        }
        let path = path.into();
        Ok(match element {
            Some(element) => InstKind::InsertValue { aggregate, element, path },
            None => InstKind::ExtractValue { aggregate, path },
        })
    }

    pub(super) fn phi(&mut self) -> Parsed<InstKind> {
        self.flags();
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.value(ty)?;
            self.expect(b',')?;
            incoming.push((value, self.block_use()?));
            self.expect(b']')?;
            if !self.more_operands() {
                return Ok(InstKind::Phi { ty, incoming: incoming.into() });
            }
            self.advance();
        }
    }
}

/// Whether a word is a fast-math flag.
pub(super) fn is_fast_math(word: &str) -> bool {
    matches!(word, "fast" | "nnan" | "ninf" | "nsz" | "arcp" | "contract" | "afn" | "reassoc")
}
