//! Representation of concrete and symbolic values in a run.
//!
//! **Idea.** Truth values and bit-vectors of up to 64 bits are a machine word ([`Word`]); maps from words to words
//! are hash tables ([`super::memory`]); all other values are a [`Value`] of the term crate. The shape of a variable's
//! values follows from its sort ([`Class`]), so that each shape has registers of its own and no tag is inspected
//! while running.
//!
//! A symbolic value is the term over inputs that a value equals. Only values that depend on inputs have one, so that
//! code that computes with constants builds no terms. [`Symbolic::Unset`] marks a variable that was not assigned yet:
//! its value is an input, asked for when it is first read.

use super::memory::Shape;
use footpath_term::{Sort, SortId, TermId, Terms, Value};
use num_bigint::BigUint;

/// How a value is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Class {
    /// In a machine word.
    Word(Kind),
    /// In hash tables from words to words.
    Memory(Shape),
    /// As a general value.
    General,
}

/// What a word holds: a bit-vector of that width, or for 0 a truth value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Kind(pub u8);

impl Kind {
    /// A truth value.
    pub(super) const BOOL: Kind = Kind(0);

    /// The kind of a sort, if it fits into a word.
    pub(super) fn of(terms: &Terms, sort: SortId) -> Option<Kind> {
        match terms.sort_of(sort) {
            Sort::Bool => Some(Kind::BOOL),
            Sort::BitVec(w @ 1..=64) => Some(Kind(*w as u8)),
            _ => None,
        }
    }

    /// All bits that such a word may have.
    #[inline]
    pub(super) fn mask(self) -> u64 {
        match self.0 {
            0 => 1,
            w => u64::MAX >> (64 - w),
        }
    }

    /// The word as a value.
    pub(super) fn value(self, bits: u64) -> Value {
        match self.0 {
            0 => Value::Bool(bits != 0),
            w => Value::BitVec { width: u32::from(w), bits: BigUint::from(bits) },
        }
    }

    /// What a word equals.
    pub(super) fn operand(self, terms: &mut Terms, word: Word) -> TermId {
        word.symbolic.term().unwrap_or_else(|| self.term(terms, word.bits))
    }

    /// The word as a term.
    pub(super) fn term(self, terms: &mut Terms, bits: u64) -> TermId {
        terms.value(&self.value(bits))
    }
}

impl Class {
    /// How values of a sort are kept.
    pub(super) fn of(terms: &Terms, sort: SortId) -> Class {
        if let Some(kind) = Kind::of(terms, sort) {
            return Class::Word(kind);
        }
        if let Sort::Map { params: 0, domain, range } = terms.sort_of(sort)
            && let Some(element) = Kind::of(terms, *range)
            && let [before @ .., index] = &domain[..]
            && let Some(index) = Kind::of(terms, *index)
        {
            match before {
                [] => return Class::Memory(Shape { object: None, index, element, by_object: false }),
                [object] => {
                    if let Some(object) = Kind::of(terms, *object) {
                        return Class::Memory(Shape {
                            object: Some(object),
                            index,
                            element,
                            by_object: false,
                        });
                    }
                }
                _ => {}
            }
        }
        Class::General
    }
}

/// The bits of a value that fits into a word.
pub(super) fn bits_of(value: &Value) -> Option<u64> {
    match value {
        Value::Bool(b) => Some(u64::from(*b)),
        Value::BitVec { width: 1..=64, bits } => Some(bits.iter_u64_digits().next().unwrap_or(0)),
        _ => None,
    }
}

/// How a value depends on inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbolic {
    /// Not at all.
    Concrete,
    /// There is no value yet.
    Unset,
    /// It equals this term.
    Term(TermId),
}

impl Symbolic {
    /// The term, if there is one.
    #[inline]
    pub(super) fn term(self) -> Option<TermId> {
        match self {
            Symbolic::Term(t) => Some(t),
            _ => None,
        }
    }

    /// A symbolic value from a term that may be a literal.
    #[inline]
    pub(super) fn of(term: Option<TermId>) -> Symbolic {
        match term {
            Some(t) => Symbolic::Term(t),
            None => Symbolic::Concrete,
        }
    }
}

/// A truth value or bit-vector, with its symbolic value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Word {
    pub(super) bits: u64,
    pub(super) symbolic: Symbolic,
}

impl Word {
    /// No value yet.
    pub(super) const UNSET: Word = Word { bits: 0, symbolic: Symbolic::Unset };

    /// A constant.
    #[inline]
    pub(super) fn concrete(bits: u64) -> Word {
        Word { bits, symbolic: Symbolic::Concrete }
    }
}

/// A value of any sort, with its symbolic value.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct General {
    pub(super) value: Value,
    pub(super) symbolic: Option<TermId>,
}
