//! Array bounds checks: unsigned comparisons become the signed ones of the source.
//!
//! **Idea.** A compiler checks `0 <= n && n < length` by one comparison of unsigned numbers,
//! `(unsigned)n <= length - 1`. A sign extension shows which side is the signed index. Offsets in bytes are multiples
//! on both sides, which are divided by the element size. Each rewriting is proved under the other literals of its
//! conjunction; one that says that an index is out of range splits the conjunction into "negative" and "too large".
//!
//! **Example.** `(size_t)i * 4 <u length * 4` becomes `0 <= i && i < length`.
//!
//! **Direction of error.** None: the solver proves each rewriting in both directions.

use footpath_term::{Op, TermId, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::arithmetic::factor;
use crate::bound::number;
use crate::{Cube, Simplifier};

impl Simplifier {
    /// The conjunctions into which literal number `i` splits the conjunction, if it is an array bounds check.
    pub(crate) fn index(&mut self, terms: &mut Terms, cube: &Cube, i: usize) -> Option<Vec<Cube>> {
        let alternatives = alternatives(terms, cube[i])?;
        let mut rest = cube.clone();
        rest.remove(i);
        let either: Vec<TermId> =
            alternatives.iter().map(|a| terms.app(Op::And, a.iter().copied())).collect();
        let either = terms.app(Op::Or, either);
        let there = [&rest[..], &[cube[i]]].concat();
        let back = [&rest[..], &[either]].concat();
        if !self.implies(terms, &there, either) || !self.implies(terms, &back, cube[i]) {
            return None;
        }
        let with = |alternative: Cube| {
            let mut all = cube.clone();
            all.splice(i..=i, alternative);
            all
        };
        Some(alternatives.into_iter().map(with).collect())
    }
}

/// Signed comparisons that may be equivalent to an unsigned comparison.
fn alternatives(terms: &mut Terms, literal: TermId) -> Option<Vec<Cube>> {
    let (a, strict, b) = unsigned(terms, literal)?;
    if terms.literal(a).is_some() || terms.literal(b).is_some() {
        return None;
    }
    let (left, right) = (index_of(terms, a), index_of(terms, b));
    match (left, right) {
        (Some((n, scale)), None) => {
            // a < b, or a < b + 1.
            let limit = if strict { b } else { next(terms, b) };
            let (a, limit) = unscaled(terms, a, limit, &scale);
            let zero = zero(terms, n);
            Some(vec![vec![terms.app(Op::BvSle, [zero, n]), terms.app(Op::BvSlt, [a, limit])]])
        }
        (None, Some((n, scale))) => {
            // Not b < a + 1, or not b < a.
            let limit = if strict { next(terms, a) } else { a };
            let (b, limit) = unscaled(terms, b, limit, &scale);
            let zero = zero(terms, n);
            Some(vec![vec![terms.app(Op::BvSlt, [n, zero])], vec![terms.app(Op::BvSle, [limit, b])]])
        }
        (Some(_), Some(_)) => None,
        (None, None) if !strict && is_before(terms, b) => {
            let limit = next(terms, b);
            Some(vec![vec![terms.app(Op::BvUlt, [a, limit])]])
        }
        (None, None) if strict && is_before(terms, a) => {
            let limit = next(terms, a);
            Some(vec![vec![terms.app(Op::BvUle, [limit, b])]])
        }
        (None, None) => None,
    }
}

/// The signed number that was extended, and the factor by which the extension is multiplied.
fn index_of(terms: &Terms, t: TermId) -> Option<(TermId, BigInt)> {
    let (extended, scale) = factor(terms, t).unwrap_or((t, BigInt::one()));
    let term = terms.term(extended);
    (matches!(term.op, Op::SignExtend(_)) && scale.is_positive()).then(|| (term.args[0], scale))
}

/// A multiple and its limit, both divided by `scale`, if the limit is a multiple of it plus a constant.
fn unscaled(terms: &mut Terms, multiple: TermId, limit: TermId, scale: &BigInt) -> (TermId, TermId) {
    let term = terms.term(limit);
    let (rest, plus) = match (&term.op, term.args.as_slice()) {
        (Op::BvAdd, &[x, y]) => match (number(terms, x, true), number(terms, y, true)) {
            (Some(plus), None) => (y, plus),
            (None, Some(plus)) => (x, plus),
            _ => (limit, BigInt::zero()),
        },
        _ => (limit, BigInt::zero()),
    };
    match (factor(terms, multiple), factor(terms, rest)) {
        (Some((n, _)), Some((length, of))) if of == *scale => {
            let plus =
                terms.bit_vec(terms.width(terms.sort(length)).unwrap_or_default(), plus.div_ceil(scale));
            (n, terms.app(Op::BvAdd, [length, plus]))
        }
        _ => (multiple, limit),
    }
}

/// The sides of an unsigned comparison, and whether it is strict; a negated one is turned round.
fn unsigned(terms: &Terms, literal: TermId) -> Option<(TermId, bool, TermId)> {
    let term = terms.term(literal);
    match term.op {
        Op::Not => {
            let inner = term.args[0];
            if terms.term(inner).op == Op::Not {
                return None;
            }
            unsigned(terms, inner).map(|(a, strict, b)| (b, !strict, a))
        }
        Op::BvUlt => Some((term.args[0], true, term.args[1])),
        Op::BvUle => Some((term.args[0], false, term.args[1])),
        _ => None,
    }
}

/// Whether a term is of the form `x - 1`.
fn is_before(terms: &Terms, t: TermId) -> bool {
    let term = terms.term(t);
    term.op == Op::BvAdd && term.args.iter().any(|&a| number(terms, a, true) == Some(BigInt::from(-1)))
}

fn next(terms: &mut Terms, t: TermId) -> TermId {
    let one = terms.bit_vec(terms.width(terms.sort(t)).unwrap_or_default(), 1);
    terms.app(Op::BvAdd, [t, one])
}

fn zero(terms: &mut Terms, t: TermId) -> TermId {
    terms.bit_vec(terms.width(terms.sort(t)).unwrap_or_default(), 0)
}
