//! Rewriting rules for integer and real arithmetic: sums, products, comparison, division.
//!
//! - Sums, differences and negations become one sum of monomials `c·t`, sorted, with merged coefficients and the
//!   constant last. Constants multiply into sums; products of non-constants are not distributed, they are sorted with
//!   their constant factor in front.
//! - `≥` and `>` are written as `≤` and `<`. A comparison moves everything to one form `Σ cᵢ·tᵢ ≤ k` with coprime
//!   integer coefficients (over integers `<` becomes `≤` and `k` is rounded down), and is then written with positive
//!   coefficients only: `i < n`, `x + 2*y <= z + 5`, `5 <= x`. Rejected: `Σ <= k` literally, which is as good for
//!   solvers but hard to read in a failure constraint.
//! - An equation is brought into the same form with the first coefficient positive; over integers it is false when
//!   the gcd of the coefficients does not divide the constant.
//! - Comparisons with literals are decided by the bounds of remainders and of unsigned readings of bit-vectors.
//! - Division and remainder by literals other than 0: summands that are multiples of the divisor are taken out;
//!   negative divisors become positive. Division by 0 is left alone.
//!
//! **Direction of error.** None: each rule is an equivalence, as `simplify.rs` demands.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::Rewrite;
use super::linear::{BUDGET, Linear, Number};
use crate::{Args, Op, SortId, TermId, Value};

/// How many factors a product may have for a nested one to be merged into it.
const FACTORS: usize = 16;

impl Rewrite<'_> {
    pub(super) fn arith(&mut self, op: Op, args: Args, sort: SortId) -> TermId {
        match op {
            Op::Add | Op::Sub | Op::Neg => {
                if sort == SortId::INT {
                    self.sum::<BigInt>(&op, args)
                } else {
                    self.sum::<BigRational>(&op, args)
                }
            }
            Op::Mul => {
                if sort == SortId::INT {
                    self.product::<BigInt>(&args)
                } else {
                    self.product::<BigRational>(&args)
                }
            }
            Op::Le => self.compare(false, args[0], args[1]),
            Op::Lt => self.compare(true, args[0], args[1]),
            Op::Ge => self.compare(false, args[1], args[0]),
            Op::Gt => self.compare(true, args[1], args[0]),
            Op::IntDiv => self.int_div(args, sort),
            Op::Mod => self.modulo(args, sort),
            Op::RealDiv => match self.number::<BigRational>(args[1]) {
                Some(d) if !d.is_zero() && args.len() == 2 => {
                    let mut form = Linear::of(self.t, args[0]);
                    form.scale(&d.recip());
                    form.build(self.t)
                }
                _ => self.t.mk(op, args, sort),
            },
            Op::ToInt => match self.t.term(args[0]) {
                inner if inner.op == Op::ToReal => inner.args[0],
                _ => self.t.mk(op, args, sort),
            },
            _ => self.t.mk(op, args, sort),
        }
    }

    fn number<N: Number>(&self, t: TermId) -> Option<N> {
        self.t.literal(t).and_then(N::read).cloned()
    }

    /// Whether a term is a monomial on its own with coefficient 1.
    fn is_atom(&self, t: TermId) -> bool {
        !matches!(self.op(t), Op::Literal(_) | Op::Add | Op::Sub | Op::Neg | Op::Mul)
    }

    fn sum<N: Number>(&mut self, op: &Op, args: Args) -> TermId {
        // The frequent `x + 1` and `x + y` need no form.
        if let ([a, b], Op::Add) = (&args[..], op)
            && self.is_atom(*a)
        {
            if let Some(n) = self.t.literal(*b).and_then(N::read) {
                return if n.is_zero() { *a } else { self.t.mk(Op::Add, args, N::SORT) };
            }
            if self.is_atom(*b) && a != b {
                return self.t.mk(Op::Add, [*a.min(b), *a.max(b)], N::SORT);
            }
        }
        let mut budget = BUDGET.saturating_sub(args.len());
        let mut form = Linear::<N>::zero();
        for (i, &a) in args.iter().enumerate() {
            let negative = *op == Op::Neg || *op == Op::Sub && i > 0;
            form.add(self.t, a, if negative { -N::one() } else { N::one() }, &mut budget);
        }
        form.normalize();
        form.build(self.t)
    }

    fn product<N: Number>(&mut self, args: &Args) -> TermId {
        let mut coefficient = N::one();
        let mut factors = Args::new();
        let mut work = args.clone();
        work.reverse();
        let mut steps = 0;
        while let Some(a) = work.pop() {
            if let Some(n) = self.t.literal(a).and_then(N::read) {
                coefficient = coefficient * n.clone();
                continue;
            }
            let term = self.t.term(a);
            match term.op {
                Op::Mul if steps + term.args.len() <= FACTORS => {
                    steps += term.args.len();
                    work.extend(term.args.iter().rev().copied());
                }
                Op::Neg => {
                    coefficient = -coefficient;
                    work.push(term.args[0]);
                }
                _ => factors.push(a),
            }
        }
        if coefficient.is_zero() || factors.is_empty() {
            return self.t.value(&coefficient.value());
        }
        factors.sort_unstable();
        let product = if factors.len() == 1 { factors[0] } else { self.t.mk(Op::Mul, factors, N::SORT) };
        let mut form = Linear::zero();
        form.add(self.t, product, coefficient, &mut { BUDGET });
        form.normalize();
        form.build(self.t)
    }

    pub(super) fn compare(&mut self, strict: bool, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.t.bool(!strict);
        }
        let sort = self.t.sort(a);
        if self.is_atom(a) && self.is_atom(b) {
            let op = if strict { Op::Lt } else { Op::Le };
            return self.t.mk(op, [a, b], SortId::BOOL);
        }
        let op = if strict { Op::Lt } else { Op::Le };
        if let Some(lifted) = self.lift_literal_ite(&op, &[a, b], SortId::BOOL) {
            return lifted;
        }
        if sort == SortId::INT {
            let mut form = self.difference::<BigInt>(a, b);
            if strict {
                form.constant += 1;
            }
            let g = BigInt::primitive(form.terms.iter().map(|(_, c)| c));
            if !g.is_zero() && !g.is_one() {
                for (_, c) in &mut form.terms {
                    *c /= &g;
                }
                form.constant = form.constant.div_ceil(&g);
            }
            self.at_most_zero(form, false)
        } else {
            let mut form = self.difference::<BigRational>(a, b);
            primitive_reals(&mut form);
            self.at_most_zero(form, strict)
        }
    }

    fn difference<N: Number>(&self, a: TermId, b: TermId) -> Linear<N> {
        let mut budget = 2 * BUDGET;
        let mut form = Linear::zero();
        form.add(self.t, a, N::one(), &mut budget);
        form.add(self.t, b, -N::one(), &mut budget);
        form.normalize();
        form
    }

    /// `form ≤ 0`, or `form < 0`.
    fn at_most_zero<N: Number>(&mut self, form: Linear<N>, strict: bool) -> TermId {
        if form.terms.is_empty() {
            let holds = if strict { form.constant < N::zero() } else { form.constant <= N::zero() };
            return self.t.bool(holds);
        }
        if let Some(decided) = self.bounded(&form) {
            return self.t.bool(decided);
        }
        let minus_one = N::SORT == SortId::INT && form.constant.is_one();
        let (mut left, right, two_sided) = self.sides(form);
        let strict = if two_sided && minus_one {
            left.constant = N::zero();
            true
        } else {
            strict
        };
        let (left, right) = (left.build(self.t), right.build(self.t));
        let op = if strict { Op::Lt } else { Op::Le };
        // Moving the constant over may have freed an `ite` between literals.
        match self.lift_literal_ite(&op, &[left, right], SortId::BOOL) {
            Some(lifted) => lifted,
            None => self.t.mk(op, [left, right], SortId::BOOL),
        }
    }

    /// Splits `form` into two forms without negative coefficients whose difference it is; also whether both
    /// have summands. A constant stands where it is positive, or opposite to all summands.
    fn sides<N: Number>(&self, form: Linear<N>) -> (Linear<N>, Linear<N>, bool) {
        let (mut left, mut right) = (Linear::<N>::zero(), Linear::<N>::zero());
        for (t, c) in form.terms {
            if c.is_negative() { right.terms.push((t, -c)) } else { left.terms.push((t, c)) }
        }
        let two_sided = !left.terms.is_empty() && !right.terms.is_empty();
        let on_left = if two_sided { form.constant.is_positive() } else { left.terms.is_empty() };
        if on_left {
            left.constant = form.constant;
        } else {
            right.constant = -form.constant;
        }
        (left, right, two_sided)
    }

    /// The truth value of `form ≤ 0`, if the range of its only summand decides it.
    fn bounded<N: Number>(&self, form: &Linear<N>) -> Option<bool> {
        let [(t, c)] = &form.terms[..] else { return None };
        let (low, high) = self.range(*t)?;
        let k = form.constant.clone().value();
        let Value::Int(k) = k else { return None };
        if c.is_one() {
            // t ≤ -k
            if high <= -&k {
                return Some(true);
            }
            (low > -k).then_some(false)
        } else if (-c.clone()).is_one() {
            // k ≤ t
            if k <= low {
                return Some(true);
            }
            (k > high).then_some(false)
        } else {
            None
        }
    }

    /// Bounds of a term of sort `int` that hold whatever its variables are.
    pub(super) fn range(&self, t: TermId) -> Option<(BigInt, BigInt)> {
        let term = self.t.term(t);
        match term.op {
            Op::BvToInt => {
                let width = self.t.width(self.t.sort(term.args[0]))?;
                Some((BigInt::zero(), (BigInt::one() << width) - 1))
            }
            Op::Mod => {
                let d: BigInt = self.number(term.args[1])?;
                (!d.is_zero()).then(|| (BigInt::zero(), d.abs() - 1))
            }
            _ => None,
        }
    }

    /// `a = b` over numbers.
    pub(super) fn equal_numbers(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_atom(a) && self.is_atom(b) {
            return self.t.mk(Op::Eq, [a.min(b), a.max(b)], SortId::BOOL);
        }
        if self.t.sort(a) == SortId::INT {
            let mut form = self.difference::<BigInt>(a, b);
            let g = BigInt::primitive(form.terms.iter().map(|(_, c)| c));
            if !g.is_zero() && !g.is_one() {
                if !(&form.constant % &g).is_zero() {
                    return self.t.bool(false);
                }
                for (_, c) in &mut form.terms {
                    *c /= &g;
                }
                form.constant /= g;
            }
            if let [(t, c)] = &form.terms[..]
                && c.abs().is_one()
                && let Some((low, high)) = self.range(*t)
            {
                let value = -&form.constant * c;
                if value < low || high < value {
                    return self.t.bool(false);
                }
            }
            self.equals_zero(form)
        } else {
            let mut form = self.difference::<BigRational>(a, b);
            primitive_reals(&mut form);
            self.equals_zero(form)
        }
    }

    fn equals_zero<N: Number>(&mut self, mut form: Linear<N>) -> TermId {
        match form.terms.first() {
            None => return self.t.bool(form.constant.is_zero()),
            Some((_, c)) if c.is_negative() => form.scale(&-N::one()),
            Some(_) => {}
        }
        let (left, right, _) = self.sides(form);
        let (left, right) = (left.build(self.t), right.build(self.t));
        match self.equal_ite(left, right) {
            Some(split) => split,
            None => self.t.mk(Op::Eq, [left, right], SortId::BOOL),
        }
    }

    /// Whether two numbers are equal, if their difference is a constant.
    pub(super) fn constant_difference(&self, a: TermId, b: TermId) -> Option<bool> {
        if self.is_atom(a) && self.is_atom(b) {
            return None;
        }
        if self.t.sort(a) == SortId::INT {
            let form = self.difference::<BigInt>(a, b);
            form.terms.is_empty().then(|| form.constant.is_zero())
        } else {
            let form = self.difference::<BigRational>(a, b);
            form.terms.is_empty().then(|| form.constant.is_zero())
        }
    }

    fn int_div(&mut self, args: Args, sort: SortId) -> TermId {
        let ([a, _], Some(d)) = (&args[..], self.number::<BigInt>(args[1])) else {
            return self.t.mk(Op::IntDiv, args, sort);
        };
        if d.is_zero() {
            return self.t.mk(Op::IntDiv, args, sort);
        }
        if d.is_negative() {
            let positive = self.t.int(-d);
            let quotient = self.app2(Op::IntDiv, *a, positive);
            return self.app1(Op::Neg, quotient);
        }
        if d.is_one() {
            return *a;
        }
        let (whole, rest) = self.split_multiples(*a, &d);
        if rest.terms.is_empty() {
            // The constant of the rest is below the divisor.
            return whole.build(self.t);
        }
        let rest = rest.build(self.t);
        let quotient = self.t.mk(Op::IntDiv, [rest, args[1]], sort);
        if whole.terms.is_empty() && whole.constant.is_zero() {
            return quotient;
        }
        let whole = whole.build(self.t);
        self.app2(Op::Add, whole, quotient)
    }

    fn modulo(&mut self, args: Args, sort: SortId) -> TermId {
        let ([a, _], Some(d)) = (&args[..], self.number::<BigInt>(args[1])) else {
            return self.t.mk(Op::Mod, args, sort);
        };
        if d.is_zero() {
            return self.t.mk(Op::Mod, args, sort);
        }
        if d.is_one() || (-&d).is_one() {
            return self.t.int(0);
        }
        let d = d.abs();
        let (_, rest) = self.split_multiples(*a, &d);
        if let [(t, c)] = &rest.terms[..]
            && c.is_one()
            && rest.constant.is_zero()
            && let Some((low, high)) = self.range(*t)
            && !low.is_negative()
            && high < d
        {
            return *t;
        }
        if rest.terms.is_empty() {
            return self.t.int(rest.constant);
        }
        let rest = rest.build(self.t);
        let inner = self.t.term(rest);
        if inner.op == Op::Mod
            && let Some(e) = self.number::<BigInt>(inner.args[1])
            && !e.is_zero()
            && e.is_multiple_of(&d)
        {
            let innermost = inner.args[0];
            let d = self.t.int(d);
            return self.app2(Op::Mod, innermost, d);
        }
        let d = self.t.int(d);
        self.t.mk(Op::Mod, [rest, d], sort)
    }

    /// Writes `t` as `d·whole + rest`, where no coefficient of the rest is a multiple of `d` and its constant
    /// is in `0..d`.
    fn split_multiples(&self, t: TermId, d: &BigInt) -> (Linear<BigInt>, Linear<BigInt>) {
        let (mut whole, mut rest) = (Linear::zero(), Linear::zero());
        let form = Linear::<BigInt>::of(self.t, t);
        for (t, c) in form.terms {
            if c.is_multiple_of(d) { whole.terms.push((t, c / d)) } else { rest.terms.push((t, c)) }
        }
        (whole.constant, rest.constant) = form.constant.div_mod_floor(d);
        (whole, rest)
    }
}

fn primitive_reals(form: &mut Linear<BigRational>) {
    if !form.terms.is_empty() {
        let factor = BigRational::primitive(form.terms.iter().map(|(_, c)| c));
        form.scale(&factor);
    }
}
