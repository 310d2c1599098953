//! Iteration counters, and arithmetic on them.
//!
//! Counters are unbounded integers if the loop's variables are, and bit-vectors of 64 bits if the loop changes
//! machine integers: then `a + d·κ` modulo 2ⁿ is the low n bits of κ times `d`, exactly.
//!
//! **Direction of error.** A counter of 64 bits counts up to 2⁵⁶ iterations. A run with more of them, which would
//! take years, is taken not to exist.

use footpath_term::{Op, Sort, SortId, SymbolId, TermId, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// The width of counters that are bit-vectors.
pub(crate) const WIDTH: u32 = 64;

/// What counters are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Unbounded integers.
    Int,
    /// Bit-vectors of [`WIDTH`] bits, without sign.
    Bits,
}

impl Kind {
    /// What a counter is.
    pub(crate) fn of(terms: &Terms, counter: SymbolId) -> Kind {
        if terms.symbol(counter).sort == SortId::INT { Kind::Int } else { Kind::Bits }
    }

    pub(crate) fn sort(self, terms: &mut Terms) -> SortId {
        match self {
            Kind::Int => SortId::INT,
            Kind::Bits => terms.bit_vec_sort(WIDTH),
        }
    }

    /// The number `n`.
    pub(crate) fn number(self, terms: &mut Terms, n: u64) -> TermId {
        match self {
            Kind::Int => terms.int(n),
            Kind::Bits => terms.bit_vec(WIDTH, n),
        }
    }

    pub(crate) fn le(self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        terms.app(if self == Kind::Int { Op::Le } else { Op::BvUle }, [a, b])
    }

    pub(crate) fn lt(self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        terms.app(if self == Kind::Int { Op::Lt } else { Op::BvUlt }, [a, b])
    }

    pub(crate) fn add(self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        terms.app(if self == Kind::Int { Op::Add } else { Op::BvAdd }, [a, b])
    }

    pub(crate) fn sub(self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        terms.app(if self == Kind::Int { Op::Sub } else { Op::BvSub }, [a, b])
    }

    pub(crate) fn remainder(self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        terms.app(if self == Kind::Int { Op::Mod } else { Op::BvUrem }, [a, b])
    }

    /// `a` divided by a number that is not 0, rounded down.
    pub(crate) fn quotient(self, terms: &mut Terms, a: TermId, by: u64) -> TermId {
        if by == 1 {
            return a;
        }
        let by = self.number(terms, by);
        terms.app(if self == Kind::Int { Op::IntDiv } else { Op::BvUdiv }, [a, by])
    }

    pub(crate) fn minus_one(self, terms: &mut Terms, a: TermId) -> TermId {
        let one = self.number(terms, 1);
        self.sub(terms, a, one)
    }

    /// `0 ≤ a`.
    pub(crate) fn natural(self, terms: &mut Terms, a: TermId) -> TermId {
        let zero = self.number(terms, 0);
        self.le(terms, zero, a)
    }

    /// `0 < a`.
    pub(crate) fn positive(self, terms: &mut Terms, a: TermId) -> TermId {
        let zero = self.number(terms, 0);
        self.lt(terms, zero, a)
    }

    pub(crate) fn sum(self, terms: &mut Terms, all: &[TermId]) -> TermId {
        let zero = self.number(terms, 0);
        all.iter().fold(zero, |sum, &a| self.add(terms, sum, a))
    }

    /// That counters are far from where they wrap, and so are their sums.
    pub(crate) fn no_wrap(self, terms: &mut Terms, all: &[TermId]) -> Vec<TermId> {
        if self == Kind::Int {
            return Vec::new();
        }
        let limit = terms.bit_vec(WIDTH, BigInt::from(1) << (WIDTH - 8));
        all.iter().map(|&a| self.le(terms, a, limit)).collect()
    }

    /// `d` times a counter, in the sort of `d`; `None` if that is no number.
    pub(crate) fn times(self, terms: &mut Terms, d: TermId, counter: TermId) -> Option<TermId> {
        let sort = terms.sort(d);
        match (self, terms.sort_of(sort).clone()) {
            (Kind::Int, Sort::Int) => Some(terms.app(Op::Mul, [d, counter])),
            (Kind::Int, Sort::Real) => {
                let counter = terms.app(Op::ToReal, [counter]);
                Some(terms.app(Op::Mul, [d, counter]))
            }
            (Kind::Bits, Sort::Int) => {
                let counter = terms.app(Op::BvToInt, [counter]);
                Some(terms.app(Op::Mul, [d, counter]))
            }
            (Kind::Bits, Sort::BitVec(w)) => {
                let counter = if w == WIDTH {
                    counter
                } else if w < WIDTH {
                    terms.app(Op::Extract(w - 1, 0), [counter])
                } else {
                    terms.app(Op::ZeroExtend(w - WIDTH), [counter])
                };
                Some(terms.app(Op::BvMul, [d, counter]))
            }
            (Kind::Int, Sort::BitVec(w)) => {
                let counter = terms.app(Op::IntToBv(w), [counter]);
                Some(terms.app(Op::BvMul, [d, counter]))
            }
            _ => None,
        }
    }
}

/// `a + b` of numbers of one sort.
pub(crate) fn plus(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let op = if terms.width(terms.sort(a)).is_some() { Op::BvAdd } else { Op::Add };
    terms.app(op, [a, b])
}

/// A bit-vector of [`WIDTH`] bits as a sum: the factors of its summands, none of them 0, and a constant.
pub(crate) fn sum_of_bits(terms: &Terms, t: TermId) -> (FxHashMap<TermId, u64>, u64) {
    let literal = |t: TermId| terms.literal(t).and_then(Value::as_u64);
    let mut factors: FxHashMap<TermId, u64> = FxHashMap::default();
    let mut constant = 0_u64;
    let mut stack = vec![(t, 1_u64)];
    while let Some((t, factor)) = stack.pop() {
        let term = terms.term(t);
        if let Some(n) = literal(t) {
            constant = constant.wrapping_add(n.wrapping_mul(factor));
            continue;
        }
        match (&term.op, &term.args[..]) {
            (Op::BvAdd, args) => stack.extend(args.iter().map(|&a| (a, factor))),
            (Op::BvSub, &[a, b]) => stack.extend([(a, factor), (b, factor.wrapping_neg())]),
            (Op::BvNeg, &[a]) => stack.push((a, factor.wrapping_neg())),
            (Op::BvMul, &[a, b]) if literal(b).is_some() => {
                stack.push((a, factor.wrapping_mul(literal(b).unwrap_or(0))));
            }
            (Op::BvShl, &[a, b]) if literal(b).is_some_and(|n| n < u64::from(WIDTH)) => {
                stack.push((a, factor << literal(b).unwrap_or(0)));
            }
            _ => {
                let sum = factors.entry(t).or_insert(0);
                *sum = sum.wrapping_add(factor);
            }
        }
    }
    factors.retain(|_, factor| *factor != 0);
    (factors, constant)
}

/// `d` such that `value` is `start + d` by its form, where `d` does not mention `start`.
pub(crate) fn increment(terms: &mut Terms, value: TermId, start: SymbolId) -> Option<TermId> {
    let start_term = terms.var(start);
    let sort = terms.sort(value);
    let difference = match terms.sort_of(sort) {
        Sort::Int | Sort::Real => terms.app(Op::Sub, [value, start_term]),
        Sort::BitVec(w) => {
            let width = *w;
            bits_difference(terms, value, start_term, width)?
        }
        _ => return None,
    };
    let mentions = terms.free_symbols(&[difference]).contains(&start);
    (!mentions).then_some(difference)
}

/// `value - start`, where `start` is a summand of `value` once.
fn bits_difference(terms: &mut Terms, value: TermId, start: TermId, width: u32) -> Option<TermId> {
    let mut sum = terms.bit_vec(width, 0);
    let mut found = 0;
    let mut stack = vec![(value, false)];
    while let Some((t, negative)) = stack.pop() {
        let term = terms.term(t).clone();
        match term.op {
            _ if t == start => found += if negative { -1 } else { 1 },
            Op::BvAdd => stack.extend(term.args.iter().map(|&a| (a, negative))),
            Op::BvSub => stack.extend([(term.args[0], negative), (term.args[1], !negative)]),
            Op::BvNeg => stack.push((term.args[0], !negative)),
            _ => sum = terms.app(if negative { Op::BvSub } else { Op::BvAdd }, [sum, t]),
        }
    }
    (found == 1).then_some(sum)
}
