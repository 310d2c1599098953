//! Operations of the register machine on words and memories: each computes the concrete value, and the term over
//! inputs that it equals.

use footpath_term::TermId;

use super::bitvector_ops::{Binary, Unary};
use super::code::{ITSELF, NONE, Reg};
use super::inputs::WordKey;
use super::machine::{Flow, Machine};
use super::memory::At;
use super::value::{Kind, Symbolic, Word};

impl Machine<'_, '_> {
    /// A word's term, a literal if it is a constant.
    pub(super) fn term_of(&mut self, kind: Kind, word: Word) -> TermId {
        match word.symbolic {
            Symbolic::Term(t) => t,
            _ => kind.term(self.terms, word.bits),
        }
    }

    pub(super) fn symbolic_of(&self, term: TermId) -> Symbolic {
        if self.terms.literal(term).is_some() { Symbolic::Concrete } else { Symbolic::Term(term) }
    }

    #[inline(never)]
    pub(super) fn binary(&mut self, op: Binary, kind: Kind, a: Reg, b: Reg) -> Flow<Word> {
        let (x, y) = (self.word(a)?, self.word(b)?);
        let bits = op.apply(kind, x.bits, y.bits);
        if x.symbolic == Symbolic::Concrete && y.symbolic == Symbolic::Concrete || self.given.is_some() {
            return Ok(Word::concrete(bits));
        }
        let (s, t) = (self.term_of(kind, x), self.term_of(kind, y));
        let term = self.inputs.word(self.terms, WordKey::Binary(op, s, t));
        Ok(Word { bits, symbolic: self.symbolic_of(term) })
    }

    #[inline]
    pub(super) fn unary(&mut self, op: Unary, kind: Kind, a: Reg) -> Flow<Word> {
        let x = self.word(a)?;
        let bits = op.apply(kind, x.bits);
        let (Symbolic::Term(t), None) = (x.symbolic, self.given) else { return Ok(Word::concrete(bits)) };
        let term = self.inputs.word(self.terms, WordKey::Unary(op, t));
        Ok(Word { bits, symbolic: self.symbolic_of(term) })
    }

    pub(super) fn concat(&mut self, high: Kind, low: Kind, a: Reg, b: Reg) -> Flow<Word> {
        let (x, y) = (self.word(a)?, self.word(b)?);
        let bits = x.bits << low.0 | y.bits;
        if x.symbolic == Symbolic::Concrete && y.symbolic == Symbolic::Concrete || self.given.is_some() {
            return Ok(Word::concrete(bits));
        }
        let (s, t) = (self.term_of(high, x), self.term_of(low, y));
        let term = self.inputs.word(self.terms, WordKey::Concat(s, t));
        Ok(Word { bits, symbolic: self.symbolic_of(term) })
    }

    pub(super) fn ite(&mut self, kind: Kind, condition: Reg, a: Reg, b: Reg) -> Flow<Word> {
        let c = self.word(condition)?;
        let (x, y) = (self.word(a)?, self.word(b)?);
        let arm = if c.bits != 0 { x } else { y };
        let (Symbolic::Term(condition), None) = (c.symbolic, self.given) else { return Ok(arm) };
        let (s, t) = (self.term_of(kind, x), self.term_of(kind, y));
        let term = self.inputs.word(self.terms, WordKey::Ite(condition, s, t));
        Ok(Word { bits: arm.bits, symbolic: self.symbolic_of(term) })
    }

    /// Where in a map; which object is meant is decided.
    #[inline]
    pub(super) fn at(&mut self, object: Reg, index: Reg) -> Flow<At> {
        let index = self.word(index)?;
        if object == NONE || object == ITSELF && self.given.is_some() {
            return Ok(At { object: None, index });
        }
        if self.given.is_some() {
            return Ok(At { object: Some(self.word(object)?), index });
        }
        if object == ITSELF {
            return Ok(At { object: None, index: self.pin(index) });
        }
        let object = self.word(object)?;
        let object = self.pin(object);
        Ok(At { object: Some(object), index: self.with_known(index) })
    }

    #[inline]
    pub(super) fn read(&mut self, memory: Reg, at: At) -> Flow<Word> {
        self.memory(memory)?;
        let slot = self.memory_at(memory);
        match &mut self.memories[slot] {
            Some(memory) if self.given.is_some() => Ok(Word::concrete(memory.bits(at))),
            Some(memory) => Ok(memory.read(self.terms, at)),
            None => unreachable!("a memory was asked for"),
        }
    }

    #[inline]
    pub(super) fn write(&mut self, memory: Reg, at: At, value: Word) -> Flow<()> {
        self.memory(memory)?;
        let slot = self.memory_at(memory);
        if let Some(memory) = &mut self.memories[slot] {
            memory.write(self.terms, at, value);
        }
        Ok(())
    }
}
