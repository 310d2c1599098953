//! Rewriting rules for bit-vectors: arithmetic, bitwise operations, shifts, comparison.
//!
//! - Operators on literals are folded (before this file is reached), also inside the arms of an `ite` between
//!   literals. A vector of width 0 is the literal of width 0.
//! - Constants are on the right in commutative operators, move outwards through sums (`(x + 1) + y` is `(x + y) + 1`)
//!   and merge. Differences with a constant are sums. Other arguments are ordered.
//! - Neutral and absorbing constants, `x - x`, `x ^ x`, `x & x`, `x & ¬x`, double complement and negation,
//!   `(a - b) + b`, `(a + b) - b` are simplified.
//! - Shifts by 0 and by the width or more are simplified, and shifts of shifts by constants are merged.
//! - Comparisons of a term with itself and with the least and greatest vector are decided; comparisons of extensions
//!   with each other and with literals are narrowed. Signed comparison of vectors extended by zeros is unsigned.
//! - Conversions to and from `int` cancel.
//!
//! **Direction of error.** None: each rule is an equivalence, as `simplify.rs` demands.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

use super::Rewrite;
use crate::{Args, Op, SortId, TermId, Value};

impl Rewrite<'_> {
    pub(super) fn bit_vec_op(&mut self, op: Op, args: Args, sort: SortId) -> TermId {
        if self.t.width(sort) == Some(0) {
            return self.t.bit_vec(0, 0);
        }
        if let Some(lifted) = self.lift_literal_ite(&op, &args, sort) {
            return lifted;
        }
        match op {
            Op::Concat => self.concat(args, sort),
            Op::Extract(..) | Op::ZeroExtend(_) | Op::SignExtend(_) => self.slice(op, args[0], sort),
            Op::RotateLeft(n) | Op::RotateRight(n) => match self.t.width(sort) {
                Some(w) if w > 0 && n % w == 0 => args[0],
                _ => self.t.mk(op, args, sort),
            },
            Op::BvToInt => self.bv_to_int(args, sort),
            Op::IntToBv(n) => self.int_to_bv(n, args, sort),
            Op::BvNot | Op::BvNeg => {
                let inner = self.t.term(args[0]);
                if inner.op == op { inner.args[0] } else { self.t.mk(op, args, sort) }
            }
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle if args.len() == 2 => {
                self.compare_bits(op, args[0], args[1])
            }
            _ if args.len() == 2 => match self.t.width(sort) {
                Some(w) => {
                    let (mut a, mut b) = (args[0], args[1]);
                    if op.is_commutative() {
                        let swap = match (self.is_literal(a), self.is_literal(b)) {
                            (x, y) if x != y => x,
                            _ => b < a,
                        };
                        if swap {
                            (a, b) = (b, a);
                        }
                    }
                    match self.binary(&op, a, b, w, sort) {
                        Some(simple) => simple,
                        None => self.t.mk(op, [a, b], sort),
                    }
                }
                None => self.t.mk(op, args, sort),
            },
            _ => self.t.mk(op, args, sort),
        }
    }

    /// The bits of a literal as an unsigned number.
    pub(super) fn bits(&self, t: TermId) -> Option<&BigUint> {
        match self.t.literal(t) {
            Some(Value::BitVec { bits, .. }) => Some(bits),
            _ => None,
        }
    }

    pub(super) fn width_of(&self, t: TermId) -> u32 {
        self.t.width(self.t.sort(t)).unwrap_or(0)
    }

    fn binary(&mut self, op: &Op, a: TermId, b: TermId, w: u32, sort: SortId) -> Option<TermId> {
        let zero_b = self.bits(b).is_some_and(Zero::is_zero);
        let one_b = self.bits(b).is_some_and(One::is_one);
        let ones_b = self.bits(b).is_some_and(|n| n.count_ones() == u64::from(w));
        let zero_a = self.bits(a).is_some_and(Zero::is_zero);
        match op {
            Op::BvAdd => self.add_bits(a, b),
            Op::BvSub => self.sub_bits(a, b, w),
            Op::BvMul if zero_b => Some(b),
            Op::BvMul if one_b => Some(a),
            Op::BvMul if ones_b => Some(self.app1(Op::BvNeg, a)),
            Op::BvAnd | Op::BvOr if a == b => Some(a),
            Op::BvAnd if zero_b => Some(b),
            Op::BvAnd if ones_b => Some(a),
            Op::BvOr if zero_b => Some(a),
            Op::BvOr if ones_b => Some(b),
            Op::BvXor if zero_b => Some(a),
            Op::BvXor if ones_b => Some(self.app1(Op::BvNot, a)),
            Op::BvXor if a == b => Some(self.t.bit_vec(w, 0)),
            Op::BvAnd | Op::BvOr | Op::BvXor if self.complement_bits(a, b) => {
                Some(self.t.bit_vec(w, if *op == Op::BvAnd { 0 } else { -1 }))
            }
            Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor => {
                let [x, c] = self.as_binary(a, op)?;
                if !self.is_literal(b) || !self.is_literal(c) {
                    return None;
                }
                let merged = self.app2(op.clone(), c, b);
                Some(self.app2(op.clone(), x, merged))
            }
            Op::BvUdiv | Op::BvSdiv if one_b && (w > 1 || *op == Op::BvUdiv) => Some(a),
            Op::BvUrem if one_b => Some(self.t.bit_vec(w, 0)),
            Op::BvUrem if a == b => Some(self.t.bit_vec(w, 0)),
            Op::BvSrem | Op::BvSmod if a == b || one_b => Some(self.t.bit_vec(w, 0)),
            Op::BvShl | Op::BvLshr | Op::BvAshr => {
                if zero_b || zero_a {
                    return Some(a);
                }
                let amount = self.bits(b)?.clone();
                if amount >= BigUint::from(w) {
                    if *op != Op::BvAshr {
                        return Some(self.t.bit_vec(w, 0));
                    }
                    let greatest = BigUint::from(w - 1);
                    // A vector of one bit stays what it is.
                    let most = self.t.bit_vec(w, BigInt::from(greatest));
                    return Some(self.app2(Op::BvAshr, a, most));
                }
                let [x, c] = self.as_binary(a, op)?;
                let sum = self.bits(c)? + amount;
                // The sum may not fit the width; saturation means the same.
                let sum = sum.min(BigUint::from(w)).to_u32()?;
                let fits = w >= 32 || sum < (1 << w);
                if !fits {
                    return None;
                }
                let sum = self.t.bit_vec(w, sum);
                Some(self.app_sorted(op.clone(), Args::from_slice(&[x, sum]), sort))
            }
            _ => None,
        }
    }

    fn complement_bits(&self, a: TermId, b: TermId) -> bool {
        let not = |x: TermId, y: TermId| *self.op(x) == Op::BvNot && self.t.term(x).args[0] == y;
        not(a, b) || not(b, a)
    }

    /// `x + c` as `(x, c)`.
    fn offset(&self, t: TermId) -> Option<(TermId, TermId)> {
        let [x, c] = self.as_binary(t, &Op::BvAdd)?;
        self.is_literal(c).then_some((x, c))
    }

    fn add_bits(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_literal(b) {
            if self.bits(b).is_some_and(Zero::is_zero) {
                return Some(a);
            }
            let (x, c) = self.offset(a)?;
            let sum = self.app2(Op::BvAdd, c, b);
            return Some(self.app2(Op::BvAdd, x, sum));
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some((x, c)) = self.offset(a) {
                let inner = self.app2(Op::BvAdd, x, b);
                return Some(self.app2(Op::BvAdd, inner, c));
            }
            if let Some([x, y]) = self.as_binary(a, &Op::BvSub)
                && y == b
            {
                return Some(x);
            }
            if *self.op(a) == Op::BvNeg {
                let negated = self.t.term(a).args[0];
                return Some(self.app2(Op::BvSub, b, negated));
            }
        }
        None
    }

    fn sub_bits(&mut self, a: TermId, b: TermId, w: u32) -> Option<TermId> {
        if a == b {
            return Some(self.t.bit_vec(w, 0));
        }
        if self.is_literal(b) {
            let negative = self.app1(Op::BvNeg, b);
            return Some(self.app2(Op::BvAdd, a, negative));
        }
        if self.bits(a).is_some_and(Zero::is_zero) {
            return Some(self.app1(Op::BvNeg, b));
        }
        if let Some((x, c)) = self.offset(a) {
            let inner = self.app2(Op::BvSub, x, b);
            return Some(self.app2(Op::BvAdd, inner, c));
        }
        if let Some((y, d)) = self.offset(b) {
            let inner = self.app2(Op::BvSub, a, y);
            let negative = self.app1(Op::BvNeg, d);
            return Some(self.app2(Op::BvAdd, inner, negative));
        }
        if let Some([x, y]) = self.as_binary(a, &Op::BvAdd) {
            if y == b {
                return Some(x);
            }
            if x == b {
                return Some(y);
            }
        }
        if *self.op(b) == Op::BvNeg {
            let positive = self.t.term(b).args[0];
            return Some(self.app2(Op::BvAdd, a, positive));
        }
        None
    }

    fn compare_bits(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        let signed = matches!(op, Op::BvSlt | Op::BvSle);
        let w = self.width_of(a);
        if a == b || w == 0 {
            return self.t.bool(!strict);
        }
        let (least, greatest) = if signed {
            let half = BigUint::one() << (w - 1);
            (half.clone(), half - 1u32)
        } else {
            (BigUint::ZERO, (BigUint::one() << w) - 1u32)
        };
        if self.bits(a) == Some(&least) || self.bits(b) == Some(&greatest) {
            return if strict {
                let equal = self.app2(Op::Eq, a, b);
                self.app1(Op::Not, equal)
            } else {
                self.t.bool(true)
            };
        }
        if self.bits(b) == Some(&least) || self.bits(a) == Some(&greatest) {
            return if strict { self.t.bool(false) } else { self.app2(Op::Eq, a, b) };
        }
        if let Some(simple) = self.compare_extended(&op, a, b, signed, strict, w) {
            return simple;
        }
        self.t.mk(op, [a, b], SortId::BOOL)
    }

    /// Comparison of extended vectors with each other and with literals.
    fn compare_extended(
        &mut self,
        op: &Op,
        a: TermId,
        b: TermId,
        signed: bool,
        strict: bool,
        w: u32,
    ) -> Option<TermId> {
        let inner = |this: &Self, t: TermId| match this.op(t) {
            Op::ZeroExtend(_) | Op::SignExtend(_) => Some((this.op(t).clone(), this.t.term(t).args[0])),
            _ => None,
        };
        let (x, y) = (inner(self, a), inner(self, b));
        let (extension, narrow) = match (&x, &y) {
            (Some((e, x)), Some((f, y))) => {
                if e != f || self.t.sort(*x) != self.t.sort(*y) {
                    return None;
                }
                // Sign extension keeps the unsigned order as well.
                let zero = matches!(e, Op::ZeroExtend(_));
                let op = if zero { unsigned(strict) } else { op.clone() };
                return Some(self.app2(op, *x, *y));
            }
            (Some((e, x)), None) if self.is_literal(b) => (e.clone(), *x),
            (None, Some((e, y))) if self.is_literal(a) => (e.clone(), *y),
            _ => return None,
        };
        let Op::ZeroExtend(_) = extension else { return None };
        let n = self.width_of(narrow);
        if n == 0 || n >= w {
            return None;
        }
        let narrow_left = x.is_some();
        let literal = self.bits(if narrow_left { b } else { a })?.clone();
        if signed && literal.bit(u64::from(w) - 1) {
            // The literal is negative, the extended vector is not.
            return Some(self.t.bool(!narrow_left));
        }
        if literal.bits() > u64::from(n) {
            return Some(self.t.bool(narrow_left));
        }
        let literal = self.t.bit_vec(n, BigInt::from(literal));
        let op = unsigned(strict);
        Some(if narrow_left { self.app2(op, narrow, literal) } else { self.app2(op, literal, narrow) })
    }

    fn bv_to_int(&mut self, args: Args, sort: SortId) -> TermId {
        let inner = self.t.term(args[0]);
        let x = inner.args.first().copied();
        match (&inner.op, x) {
            (Op::ZeroExtend(_), Some(x)) => self.app1(Op::BvToInt, x),
            (Op::IntToBv(n), Some(x)) => {
                let modulus = self.t.int(BigInt::one() << *n);
                self.app2(Op::Mod, x, modulus)
            }
            _ if self.width_of(args[0]) == 0 => self.t.int(0),
            _ => self.t.mk(Op::BvToInt, args, sort),
        }
    }

    fn int_to_bv(&mut self, n: u32, args: Args, sort: SortId) -> TermId {
        let inner = self.t.term(args[0]);
        if inner.op != Op::BvToInt {
            return self.t.mk(Op::IntToBv(n), args, sort);
        }
        let x = inner.args[0];
        let w = self.width_of(x);
        if w == n {
            x
        } else if w < n {
            self.app1(Op::ZeroExtend(n - w), x)
        } else {
            self.app1(Op::Extract(n - 1, 0), x)
        }
    }
}

fn unsigned(strict: bool) -> Op {
    if strict { Op::BvUlt } else { Op::BvUle }
}
