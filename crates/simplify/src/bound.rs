//! Bounds: comparisons of an expression with a constant.
//!
//! `x + 2*y <= 5`, `3 == i`, `x <s 7`: a form and a relation to a constant, which describe a set of numbers. Two
//! bounds of one form can be joined, weakened and intersected, which terms cannot: `i <= 3` and `i == 4` join to
//! `i <= 4`.
//!
//! **Direction of error.** None: a literal that is not a bound is not read as one.

use footpath_term::{Op, SortId, TermId, Terms, Value};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// The expression that is compared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// A sum of integer terms; the coefficients have no common divisor, and the first one is positive.
    Int(Vec<(TermId, BigInt)>),
    /// A bit-vector, read as a signed number.
    Signed(TermId),
    /// A bit-vector, read as an unsigned number.
    Unsigned(TermId),
}

/// The relation to a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// At least.
    AtLeast,
    /// At most.
    AtMost,
    /// Equal.
    Equal,
    /// Not equal.
    Differs,
}

/// A comparison with a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bound {
    /// The expression that is compared.
    pub form: Form,
    /// The relation.
    pub relation: Relation,
    /// The constant.
    pub value: BigInt,
}

impl Bound {
    /// Reads a literal as a bound; an equation of bit-vectors is read as one of signed numbers.
    pub fn read(terms: &Terms, literal: TermId) -> Option<Bound> {
        let term = terms.term(literal);
        let args = &term.args;
        match term.op {
            Op::Not => Bound::read(terms, args[0])?.negated(),
            Op::Le | Op::Lt if terms.sort(args[0]) == SortId::INT => {
                let strict = BigInt::from(i32::from(term.op == Op::Lt));
                Bound::linear(terms, args[0], args[1], Relation::AtMost, &strict)
            }
            Op::Eq if args.len() == 2 && terms.sort(args[0]) == SortId::INT => {
                Bound::linear(terms, args[0], args[1], Relation::Equal, &BigInt::zero())
            }
            Op::Eq if args.len() == 2 => {
                let (form, number) = match (number(terms, args[0], true), number(terms, args[1], true)) {
                    (Some(n), None) => (args[1], n),
                    (None, Some(n)) => (args[0], n),
                    _ => return None,
                };
                Some(Bound { form: Form::Signed(form), relation: Relation::Equal, value: number })
            }
            Op::BvSle | Op::BvSlt => Bound::machine(terms, args[0], args[1], true, term.op == Op::BvSlt),
            Op::BvUle | Op::BvUlt => Bound::machine(terms, args[0], args[1], false, term.op == Op::BvUlt),
            _ => None,
        }
    }

    fn negated(mut self) -> Option<Bound> {
        self.relation = match self.relation {
            Relation::AtLeast => {
                self.value -= 1;
                Relation::AtMost
            }
            Relation::AtMost => {
                self.value += 1;
                Relation::AtLeast
            }
            Relation::Equal => Relation::Differs,
            Relation::Differs => Relation::Equal,
        };
        Some(self)
    }

    /// The bound `a + strict ~ b`, where `~` is "at most" or "equal".
    fn linear(terms: &Terms, a: TermId, b: TermId, mut relation: Relation, strict: &BigInt) -> Option<Bound> {
        let (left, k) = terms.linear_form(a);
        let (right, m) = terms.linear_form(b);
        let mut sum: Vec<(TermId, BigInt)> = left;
        for (t, c) in right {
            match sum.iter_mut().find(|(s, _)| *s == t) {
                Some((_, d)) => *d -= c,
                None => sum.push((t, -c)),
            }
        }
        sum.retain(|(_, c)| !c.is_zero());
        sum.sort_by_key(|(t, _)| *t);
        let first = sum.first()?.1.clone();
        let mut value = m - k - strict;
        let divisor = sum.iter().fold(BigInt::zero(), |g, (_, c)| g.gcd(c));
        let factor = if first.is_negative() { -&divisor } else { divisor };
        for (_, c) in &mut sum {
            *c /= &factor;
        }
        let exact = (&value % &factor).is_zero();
        match relation {
            Relation::Equal if !exact => return None,
            Relation::Equal => value /= &factor,
            _ if factor.is_negative() => {
                relation = Relation::AtLeast;
                value = (-value).div_ceil(&-factor);
            }
            _ => value = value.div_floor(&factor),
        }
        Some(Bound { form: Form::Int(sum), relation, value })
    }

    fn machine(terms: &Terms, a: TermId, b: TermId, signed: bool, strict: bool) -> Option<Bound> {
        let form = |t| if signed { Form::Signed(t) } else { Form::Unsigned(t) };
        let step = BigInt::from(i32::from(strict));
        match (number(terms, a, signed), number(terms, b, signed)) {
            (None, Some(n)) => Some(Bound { form: form(a), relation: Relation::AtMost, value: n - step }),
            (Some(n), None) => Some(Bound { form: form(b), relation: Relation::AtLeast, value: n + step }),
            _ => None,
        }
    }

    /// The same bound for unsigned numbers, if it is an equation of bit-vectors.
    #[must_use]
    pub fn unsigned(self, terms: &Terms) -> Bound {
        match (&self.form, self.relation) {
            (Form::Signed(t), Relation::Equal | Relation::Differs) => {
                let width = terms.width(terms.sort(*t)).unwrap_or_default();
                let value =
                    if self.value.is_negative() { self.value + (BigInt::one() << width) } else { self.value };
                Bound { form: Form::Unsigned(*t), relation: self.relation, value }
            }
            _ => self,
        }
    }

    /// The bound as a literal, simplified. A value out of the range of a bit-vector gives `true` or `false`.
    pub fn build(&self, terms: &mut Terms) -> TermId {
        match &self.form {
            Form::Int(sum) => {
                let left = sum_of(terms, sum);
                let right = terms.int(self.value.clone());
                self.compare(terms, left, right, Op::Le)
            }
            Form::Signed(t) => self.build_machine(terms, *t, true),
            Form::Unsigned(t) => self.build_machine(terms, *t, false),
        }
    }

    /// The bound as a literal, with an integer term added to the value; `None` for bit-vectors.
    pub fn build_plus(&self, terms: &mut Terms, plus: TermId) -> Option<TermId> {
        let Form::Int(sum) = &self.form else { return None };
        let left = sum_of(terms, sum);
        let value = terms.int(self.value.clone());
        let right = terms.app(Op::Add, [value, plus]);
        Some(self.compare(terms, left, right, Op::Le))
    }

    fn compare(&self, terms: &mut Terms, left: TermId, right: TermId, at_most: Op) -> TermId {
        match self.relation {
            Relation::AtLeast => terms.app(at_most, [right, left]),
            Relation::AtMost => terms.app(at_most, [left, right]),
            Relation::Equal => terms.app(Op::Eq, [left, right]),
            Relation::Differs => {
                let equal = terms.app(Op::Eq, [left, right]);
                terms.app(Op::Not, [equal])
            }
        }
    }

    fn build_machine(&self, terms: &mut Terms, t: TermId, signed: bool) -> TermId {
        let width = terms.width(terms.sort(t)).unwrap_or_default();
        let (least, most) = range(width, signed);
        let constant = match self.relation {
            Relation::AtLeast if self.value <= least => Some(true),
            Relation::AtMost if self.value >= most => Some(true),
            Relation::AtLeast if self.value > most => Some(false),
            Relation::AtMost if self.value < least => Some(false),
            Relation::Equal | Relation::Differs if self.value < least || self.value > most => {
                Some(self.relation == Relation::Differs)
            }
            _ => None,
        };
        if let Some(constant) = constant {
            return terms.bool(constant);
        }
        let right = terms.bit_vec(width, self.value.clone());
        self.compare(terms, t, right, if signed { Op::BvSle } else { Op::BvUle })
    }
}

/// The least and the greatest number of a width.
pub(crate) fn range(width: u32, signed: bool) -> (BigInt, BigInt) {
    if signed {
        let half = BigInt::one() << width.saturating_sub(1);
        (-&half, half - 1)
    } else {
        (BigInt::zero(), (BigInt::one() << width) - 1)
    }
}

fn sum_of(terms: &mut Terms, sum: &[(TermId, BigInt)]) -> TermId {
    let summands: Vec<TermId> = sum
        .iter()
        .map(|(t, c)| {
            let c = terms.int(c.clone());
            terms.app(Op::Mul, [c, *t])
        })
        .collect();
    if summands.len() == 1 { summands[0] } else { terms.app(Op::Add, summands) }
}

/// A bit-vector literal as a number.
pub(crate) fn number(terms: &Terms, t: TermId, signed: bool) -> Option<BigInt> {
    match terms.literal(t)? {
        Value::BitVec { width, bits } if signed => Some(Value::signed(*width, bits)),
        Value::BitVec { bits, .. } => Some(from_unsigned(bits)),
        _ => None,
    }
}

fn from_unsigned(bits: &BigUint) -> BigInt {
    BigInt::from(bits.clone())
}
