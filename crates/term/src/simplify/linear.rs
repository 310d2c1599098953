//! Linear forms: terms as `c₁·t₁ + … + cₙ·tₙ + k` over integers or reals.
//!
//! A form is computed from a term iteratively and within a budget of summands; what exceeds the budget, and every
//! product of two non-constants, is an opaque `tᵢ`. Summands are sorted by [`TermId`] and have coefficients other
//! than 0, so that equal forms are equal values.
//!
//! **Example.** `2*(x + y) - x + 3` is the form `1·x + 2·y + 3`.
//!
//! **Direction of error.** None: a form is equal to its term.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use smallvec::SmallVec;

use crate::{Op, SortId, TermId, Terms, Value};

/// The limit on summands of one term.
pub(crate) const BUDGET: usize = 32;

/// The number type of a form: integers or rationals.
pub(crate) trait Number: Clone + Signed + PartialOrd {
    const SORT: SortId;
    fn read(value: &Value) -> Option<&Self>;
    fn value(self) -> Value;
    /// The positive factor that makes the coefficients coprime integers.
    fn primitive<'a>(coefficients: impl Iterator<Item = &'a Self>) -> Self
    where
        Self: 'a;
}

impl Number for BigInt {
    const SORT: SortId = SortId::INT;

    fn read(value: &Value) -> Option<&BigInt> {
        value.as_int()
    }

    fn value(self) -> Value {
        Value::Int(self)
    }

    /// For integers, the *divisor* that makes the coefficients coprime.
    fn primitive<'a>(coefficients: impl Iterator<Item = &'a BigInt>) -> BigInt {
        coefficients.fold(BigInt::zero(), |g, c| g.gcd(c))
    }
}

impl Number for BigRational {
    const SORT: SortId = SortId::REAL;

    fn read(value: &Value) -> Option<&BigRational> {
        match value {
            Value::Real(r) => Some(r),
            _ => None,
        }
    }

    fn value(self) -> Value {
        Value::Real(self)
    }

    fn primitive<'a>(coefficients: impl Iterator<Item = &'a BigRational>) -> BigRational {
        let (mut numerator, mut denominator) = (BigInt::zero(), BigInt::one());
        for c in coefficients {
            numerator = numerator.gcd(c.numer());
            denominator = denominator.lcm(c.denom());
        }
        BigRational::new(denominator, numerator)
    }
}

impl Terms {
    /// An integer term as a sum `c₁·t₁ + … + cₙ·tₙ + k`, sorted, with coefficients other than 0: returns the summands
    /// and `k`.
    pub fn linear_form(&self, t: TermId) -> (Vec<(TermId, BigInt)>, BigInt) {
        let form = Linear::<BigInt>::of(self, t);
        (form.terms.into_vec(), form.constant)
    }
}

/// A linear form `c₁·t₁ + … + cₙ·tₙ + k`.
#[derive(Clone, Debug)]
pub(crate) struct Linear<N> {
    pub terms: SmallVec<[(TermId, N); 4]>,
    pub constant: N,
}

impl<N: Number> Linear<N> {
    pub fn zero() -> Linear<N> {
        Linear { terms: SmallVec::new(), constant: N::zero() }
    }

    /// The form of `t`, normalised.
    pub fn of(terms: &Terms, t: TermId) -> Linear<N> {
        let mut form = Linear::zero();
        form.add(terms, t, N::one(), &mut BUDGET.clone());
        form.normalize();
        form
    }

    /// Adds `factor · t`, not yet normalised.
    pub fn add(&mut self, terms: &Terms, t: TermId, factor: N, budget: &mut usize) {
        let mut stack: SmallVec<[(TermId, N); 8]> = SmallVec::new();
        stack.push((t, factor));
        while let Some((t, c)) = stack.pop() {
            let term = terms.term(t);
            match &term.op {
                Op::Literal(v) => match N::read(v) {
                    Some(n) => self.constant = self.constant.clone() + c * n.clone(),
                    None => self.terms.push((t, c)),
                },
                Op::Add if term.args.len() <= *budget => {
                    *budget -= term.args.len();
                    stack.extend(term.args.iter().map(|&a| (a, c.clone())));
                }
                Op::Sub if term.args.len() <= *budget => {
                    *budget -= term.args.len();
                    stack.extend(term.args[1..].iter().map(|&a| (a, -c.clone())));
                    stack.push((term.args[0], c));
                }
                Op::Neg => stack.push((term.args[0], -c)),
                Op::Mul if term.args.len() == 2 => {
                    let (a, b) = (term.args[0], term.args[1]);
                    if let Some(n) = terms.literal(a).and_then(N::read) {
                        stack.push((b, c * n.clone()));
                    } else if let Some(n) = terms.literal(b).and_then(N::read) {
                        stack.push((a, c * n.clone()));
                    } else {
                        self.terms.push((t, c));
                    }
                }
                _ => self.terms.push((t, c)),
            }
        }
    }

    /// Sorts and merges the summands.
    pub fn normalize(&mut self) {
        if self.terms.len() > 1 {
            self.terms.sort_by_key(|(t, _)| *t);
            let mut write = 0;
            for read in 1..self.terms.len() {
                if self.terms[read].0 == self.terms[write].0 {
                    let c = self.terms[read].1.clone();
                    let sum = std::mem::replace(&mut self.terms[write].1, N::zero()) + c;
                    self.terms[write].1 = sum;
                } else {
                    write += 1;
                    self.terms.swap(write, read);
                }
            }
            self.terms.truncate(write + 1);
        }
        self.terms.retain(|(_, c)| !c.is_zero());
    }

    pub fn scale(&mut self, factor: &N) {
        for (_, c) in &mut self.terms {
            *c = c.clone() * factor.clone();
        }
        self.constant = self.constant.clone() * factor.clone();
    }

    /// The form as a term in normal form: summands, then the constant.
    pub fn build(self, terms: &mut Terms) -> TermId {
        let mut args = crate::Args::new();
        for (t, c) in self.terms {
            args.push(if c.is_one() {
                t
            } else {
                let c = terms.value(&c.value());
                terms.mk(Op::Mul, [c, t], N::SORT)
            });
        }
        if !self.constant.is_zero() || args.is_empty() {
            args.push(terms.value(&self.constant.value()));
        }
        if args.len() == 1 { args[0] } else { terms.mk(Op::Add, args, N::SORT) }
    }
}
