//! Polynomials modulo 2ⁿ: terms of machine integers in polynomial normal form.
//!
//! **Idea.** Sums, differences and products of bit-vectors of one width are polynomials over *atoms*, the terms that
//! are none of these: variables, extensions, quotients. Narrowing is a ring homomorphism, so it moves to the atoms.
//! Example: `(x + 1) * (x - 1)` is `x² + (2ⁿ − 1)`, that is, `x² − 1` modulo 2ⁿ.
//!
//! **Direction of error.** None that is known. A term that is too large is an atom itself.

use std::collections::BTreeMap;

use footpath_term::{Op, TermId, Terms, Value};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

/// A product of atoms by their numbers, in order; one that stands several times is a power.
pub(crate) type Monomial = Vec<u32>;

/// How many monomials a polynomial has, and how many factors they have.
const MAX_MONOMIALS: usize = 400;
const MAX_DEGREE: usize = 16;

/// A polynomial: its coefficients that are not zero.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Polynomial(pub(crate) BTreeMap<Monomial, u64>);

/// Polynomials modulo 2 to the `width`.
pub(crate) struct Ring {
    pub(crate) width: u32,
    atoms: Vec<TermId>,
    numbers: FxHashMap<TermId, u32>,
    known: FxHashMap<TermId, Polynomial>,
}

impl Ring {
    /// Of width 1 to 64.
    pub(crate) fn new(width: u32) -> Ring {
        Ring { width, atoms: Vec::new(), numbers: FxHashMap::default(), known: FxHashMap::default() }
    }

    pub(crate) fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// The atom with a number.
    pub(crate) fn atom(&self, number: u32) -> TermId {
        self.atoms[number as usize]
    }

    /// The number of a term as an atom.
    pub(crate) fn number(&mut self, atom: TermId) -> u32 {
        let next = self.atoms.len() as u32;
        let number = *self.numbers.entry(atom).or_insert(next);
        if number == next {
            self.atoms.push(atom);
        }
        number
    }

    /// A term of the ring's width as a polynomial.
    pub(crate) fn read(&mut self, terms: &mut Terms, term: TermId) -> Polynomial {
        // What is narrowed becomes new terms, so a stack instead of the terms below.
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            if self.known.contains_key(&t) {
                stack.pop();
                continue;
            }
            let parts = self.parts(terms, t);
            let open: Vec<TermId> = parts.iter().copied().filter(|p| !self.known.contains_key(p)).collect();
            if open.is_empty() {
                let value = self.combine(terms, t, &parts);
                self.known.insert(t, value);
                stack.pop();
            } else {
                stack.extend(open);
            }
        }
        self.known[&term].clone()
    }

    /// The terms of the ring's width that a term is put together of.
    fn parts(&self, terms: &mut Terms, t: TermId) -> Vec<TermId> {
        let term = terms.term(t).clone();
        match term.op {
            Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg | Op::BvNot => term.args.to_vec(),
            Op::BvShl if terms.literal(term.args[1]).is_some() => vec![term.args[0]],
            Op::Extract(high, 0) if high + 1 == self.width => {
                let wide = terms.term(term.args[0]).clone();
                match wide.op {
                    Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg => {
                        wide.args.iter().map(|&a| terms.app(Op::Extract(high, 0), [a])).collect()
                    }
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    fn combine(&mut self, terms: &Terms, t: TermId, parts: &[TermId]) -> Polynomial {
        if let Some(Value::BitVec { bits, .. }) = terms.literal(t) {
            return self.constant(bits.to_u64().unwrap_or_default());
        }
        let mut op = &terms.term(t).op;
        if let Op::Extract(..) = op
            && !parts.is_empty()
        {
            op = &terms.term(terms.term(t).args[0]).op;
        }
        let values: Vec<Polynomial> = parts.iter().map(|p| self.known[p].clone()).collect();
        let minus_one = self.mask();
        let found = match (op, values.as_slice()) {
            (Op::BvAdd, [a, b]) => Some(self.plus(a, 1, b)),
            (Op::BvSub, [a, b]) => Some(self.plus(a, minus_one, b)),
            (Op::BvMul, [a, b]) => self.times(a, b),
            (Op::BvNeg, [a]) => Some(self.plus(&Polynomial::default(), minus_one, a)),
            (Op::BvNot, [a]) => Some(self.plus(&self.constant(minus_one), minus_one, a)),
            (Op::BvShl, [a]) => {
                let by = match terms.literal(terms.term(t).args[1]) {
                    Some(Value::BitVec { bits, .. }) => bits.to_u32().filter(|by| *by < self.width),
                    _ => None,
                };
                Some(self.plus(&Polynomial::default(), by.map_or(0, |by| 1u64 << by), a))
            }
            _ => None,
        };
        found.unwrap_or_else(|| {
            let number = self.number(t);
            Polynomial(BTreeMap::from([(vec![number], 1)]))
        })
    }

    pub(crate) fn constant(&self, n: u64) -> Polynomial {
        let n = n & self.mask();
        Polynomial(if n == 0 { BTreeMap::new() } else { BTreeMap::from([(Vec::new(), n)]) })
    }

    /// `a + k·b`.
    pub(crate) fn plus(&self, a: &Polynomial, k: u64, b: &Polynomial) -> Polynomial {
        let mut sum = a.clone();
        for (monomial, c) in &b.0 {
            let entry = sum.0.entry(monomial.clone()).or_insert(0);
            *entry = entry.wrapping_add(c.wrapping_mul(k)) & self.mask();
            if *entry == 0 {
                sum.0.remove(monomial);
            }
        }
        sum
    }

    /// The product; `None` if it is too large.
    pub(crate) fn times(&self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        let mut product: BTreeMap<Monomial, u64> = BTreeMap::new();
        for (m, c) in &a.0 {
            for (n, d) in &b.0 {
                let both = multiply(m, n);
                if both.len() > MAX_DEGREE {
                    return None;
                }
                let entry = product.entry(both).or_insert(0);
                *entry = entry.wrapping_add(c.wrapping_mul(*d)) & self.mask();
            }
            if product.len() > MAX_MONOMIALS {
                return None;
            }
        }
        product.retain(|_, c| *c != 0);
        Some(Polynomial(product))
    }

    /// A polynomial as a term.
    pub(crate) fn term(&self, terms: &mut Terms, polynomial: &Polynomial) -> TermId {
        let mut sum = terms.bit_vec(self.width, 0);
        for (monomial, &c) in &polynomial.0 {
            let mut product = terms.bit_vec(self.width, c);
            for &atom in monomial {
                product = terms.app(Op::BvMul, [self.atom(atom), product]);
            }
            sum = terms.app(Op::BvAdd, [sum, product]);
        }
        sum
    }
}

/// The product of two monomials.
pub(crate) fn multiply(a: &Monomial, b: &Monomial) -> Monomial {
    let mut both = [a.as_slice(), b.as_slice()].concat();
    both.sort_unstable();
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_that_are_equal_by_algebra_are_the_same_polynomial() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(8);
        let [x, y] = ["x", "y"].map(|name| terms.fresh_var(name, sort));
        let sum = terms.app(Op::BvAdd, [x, y]);
        let square = terms.app(Op::BvMul, [sum, sum]);
        let [xx, yy, xy] = [(x, x), (y, y), (x, y)].map(|(a, b)| terms.app(Op::BvMul, [a, b]));
        let two = terms.bit_vec(8, 258);
        let twice = terms.app(Op::BvMul, [two, xy]);
        let squares = terms.app(Op::BvAdd, [xx, yy]);
        let apart = terms.app(Op::BvAdd, [squares, twice]);
        let mut ring = Ring::new(8);
        assert_eq!(ring.read(&mut terms, square), ring.read(&mut terms, apart));
        assert_ne!(ring.read(&mut terms, square), ring.read(&mut terms, squares));
    }

    #[test]
    fn narrowing_moves_to_the_atoms() {
        let mut terms = Terms::new();
        let wide = terms.bit_vec_sort(16);
        let [x, y] = ["x", "y"].map(|name| terms.fresh_var(name, wide));
        let product = terms.app(Op::BvMul, [x, y]);
        let low = terms.app(Op::Extract(7, 0), [product]);
        let [a, b] = [x, y].map(|t| terms.app(Op::Extract(7, 0), [t]));
        let same = terms.app(Op::BvMul, [a, b]);
        let mut ring = Ring::new(8);
        assert_eq!(ring.read(&mut terms, low), ring.read(&mut terms, same));
    }
}
