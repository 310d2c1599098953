//! Rewriting rules for equality and `distinct`.
//!
//! - Sides of different sorts, where one mentions a type variable, are equal only under instantiations that make the
//!   sorts equal; no other rule applies to them. Without type variables they differ.
//! - Identical arguments are equal, literals are compared, an equation of a boolean with a literal is the boolean or
//!   its negation; negations move out (`¬a = b` is `¬(a = b)`).
//! - Numbers are compared as linear forms (`arith.rs`).
//! - Constructors of a datatype are injective and disjoint.
//! - Equations of bit-vectors with literals are solved: invertible operations with a constant move to the other side,
//!   concatenations and extensions split.
//! - `ite(c, l, t) = m` with literals `l`, `m` is `c ∨ t = m` or `¬c ∧ t = m`.
//! - Otherwise the arguments are ordered: older terms left, literals right.
//!
//! **Direction of error.** None: each rule is an equivalence, as `simplify.rs` demands.

use num_bigint::BigUint;
use num_traits::One;

use super::Rewrite;
use crate::eval::evaluate_op;
use crate::{Args, FuncKind, Op, SortId, TermId, Value};

impl Rewrite<'_> {
    pub(super) fn equal(&mut self, args: Args) -> TermId {
        let [a, b] = args[..] else { return self.t.mk(Op::Eq, args, SortId::BOOL) };
        if a == b {
            return self.t.bool(true);
        }
        if let Some(decided) = self.equal_across_sorts(a, b) {
            return decided;
        }
        let (a, b) = match (self.is_literal(a), self.is_literal(b)) {
            (true, true) => {
                return match self.fold(&Op::Eq, &[a, b], SortId::BOOL) {
                    Some(literal) => literal,
                    None => self.t.mk(Op::Eq, [a.min(b), a.max(b)], SortId::BOOL),
                };
            }
            (true, false) => (b, a),
            (false, true) => (a, b),
            (false, false) => (a.min(b), a.max(b)),
        };
        if self.is_literal(b)
            && let Some(split) = self.equal_ite(a, b)
        {
            return split;
        }
        let sort = self.t.sort(a);
        if sort == SortId::INT || sort == SortId::REAL {
            return self.equal_numbers(a, b);
        }
        if sort == SortId::BOOL {
            return self.equivalent(a, b);
        }
        if let Some(width) = self.t.width(sort) {
            return self.equal_bits(a, b, width);
        }
        if let (Op::Apply(f), Op::Apply(g)) = (self.op(a), self.op(b)) {
            let (f, g) = (*f, *g);
            if self.is_constructor(f) && self.is_constructor(g) {
                if f != g {
                    return self.t.bool(false);
                }
                let pairs: Vec<(TermId, TermId)> =
                    self.t.term(a).args.iter().copied().zip(self.t.term(b).args.iter().copied()).collect();
                let mut fields = Args::new();
                for (x, y) in pairs {
                    fields.push(self.app2(Op::Eq, x, y));
                }
                return self.app(Op::And, fields);
            }
        }
        self.t.mk(Op::Eq, [a, b], SortId::BOOL)
    }

    /// `a = b` for sides of different sorts, built without simplification.
    fn equal_across_sorts(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (s, t) = (self.t.sort(a), self.t.sort(b));
        if s == t {
            return None;
        }
        if !self.t.has_type_vars(s) && !self.t.has_type_vars(t) {
            return Some(self.t.bool(false));
        }
        Some(self.t.mk(Op::Eq, [a.min(b), a.max(b)], SortId::BOOL))
    }

    fn is_constructor(&self, f: crate::FuncId) -> bool {
        self.t.function(f).kind == FuncKind::Constructor
    }

    fn equivalent(&mut self, a: TermId, b: TermId) -> TermId {
        match self.t.as_bool(b) {
            Some(true) => return a,
            Some(false) => return self.app1(Op::Not, a),
            None => {}
        }
        if self.complementary(a, b) {
            return self.t.bool(false);
        }
        match (self.as_not(a), self.as_not(b)) {
            (Some(a), Some(b)) => self.app2(Op::Eq, a, b),
            (Some(inner), None) => {
                let equal = self.app2(Op::Eq, inner, b);
                self.app1(Op::Not, equal)
            }
            (None, Some(inner)) => {
                let equal = self.app2(Op::Eq, a, inner);
                self.app1(Op::Not, equal)
            }
            (None, None) => self.t.mk(Op::Eq, [a.min(b), a.max(b)], SortId::BOOL),
        }
    }

    /// `a = b` for an `ite` and a literal, where an arm is a literal.
    pub(super) fn equal_ite(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let [c, yes, no] = self.as_ite(a)?;
        for (literal, other, negated) in [(yes, no, false), (no, yes, true)] {
            if !self.is_literal(literal) {
                continue;
            }
            let same = {
                let (l, m) = (self.t.literal(literal)?.clone(), self.t.literal(b)?.clone());
                match evaluate_op(self.t, &Op::Eq, &[l, m], SortId::BOOL)? {
                    Value::Bool(same) => same,
                    _ => return None,
                }
            };
            let rest = self.app2(Op::Eq, other, b);
            let guard = if negated == same { self.app1(Op::Not, c) } else { c };
            return Some(self.app2(if same { Op::Or } else { Op::And }, guard, rest));
        }
        None
    }

    fn equal_bits(&mut self, a: TermId, b: TermId, width: u32) -> TermId {
        if width == 0 {
            return self.t.bool(true);
        }
        let term = self.t.term(a);
        let args = term.args.clone();
        let op = term.op.clone();
        if let Some(Value::BitVec { bits, .. }) = self.t.literal(b) {
            let bits = bits.clone();
            match op {
                Op::BvNot | Op::BvNeg => {
                    let moved = self.app1(op, b);
                    return self.app2(Op::Eq, args[0], moved);
                }
                Op::BvAdd if self.is_literal(args[1]) => {
                    let moved = self.app2(Op::BvSub, b, args[1]);
                    return self.app2(Op::Eq, args[0], moved);
                }
                Op::BvXor if self.is_literal(args[1]) => {
                    let moved = self.app2(Op::BvXor, b, args[1]);
                    return self.app2(Op::Eq, args[0], moved);
                }
                Op::BvSub => {
                    if bits == BigUint::ZERO {
                        return self.app2(Op::Eq, args[0], args[1]);
                    }
                    if self.is_literal(args[0]) {
                        let moved = self.app2(Op::BvSub, args[0], b);
                        return self.app2(Op::Eq, args[1], moved);
                    }
                }
                Op::Concat if args.len() == 2 => return self.equal_pieces(a, &bits),
                Op::ZeroExtend(_) | Op::SignExtend(_) => {
                    let inner = self.t.width(self.t.sort(args[0])).unwrap_or(0);
                    if inner > 0 {
                        let low = self.app1(Op::Extract(inner - 1, 0), b);
                        let back = self.app1(op, low);
                        if back != b {
                            return self.t.bool(false);
                        }
                        return self.app2(Op::Eq, args[0], low);
                    }
                }
                _ => {}
            }
        } else if matches!(op, Op::ZeroExtend(_) | Op::SignExtend(_) | Op::BvNot | Op::BvNeg)
            && *self.op(b) == op
            && self.t.sort(args[0]) == self.t.sort(self.t.term(b).args[0])
        {
            let other = self.t.term(b).args[0];
            return self.app2(Op::Eq, args[0], other);
        } else if self.offset_apart(a, b) {
            return self.t.bool(false);
        }
        self.t.mk(Op::Eq, [a, b], SortId::BOOL)
    }

    /// Whether the parts of a concatenation, from the highest on, are equal to the bits of a number.
    fn equal_pieces(&mut self, whole: TermId, bits: &BigUint) -> TermId {
        let mut equal = Vec::new();
        // What is left to be taken apart, and the place of its lowest bit.
        let mut stack = vec![(whole, 0u32)];
        while let Some((t, low)) = stack.pop() {
            let width = |t: TermId| self.t.width(self.t.sort(t)).unwrap_or(0);
            if let Some([high_part, low_part]) = self.as_binary(t, &Op::Concat) {
                stack.push((low_part, low));
                stack.push((high_part, low + width(low_part)));
                continue;
            }
            let width = width(t);
            let piece = (bits >> low) & ((BigUint::one() << width) - 1u32);
            let piece = self.t.value(&Value::BitVec { width, bits: piece });
            let same = self.app2(Op::Eq, t, piece);
            if self.t.as_bool(same) == Some(false) {
                return same;
            }
            equal.push(same);
        }
        self.app(Op::And, equal.into())
    }

    /// Whether two bit-vectors are the same term plus different constants.
    fn offset_apart(&self, a: TermId, b: TermId) -> bool {
        let split = |t: TermId| match self.as_binary(t, &Op::BvAdd) {
            Some([x, c]) if self.is_literal(c) => (x, Some(c)),
            _ => (t, None),
        };
        let ((x, c), (y, d)) = (split(a), split(b));
        // A constant that is part of a normal form is not 0, and equal literals are equal terms.
        x == y && c != d
    }

    /// Whether two terms are equal in every interpretation (`Some(true)`) or in none (`Some(false)`); `None` if that
    /// is not cheap to decide.
    pub(super) fn known_equal(&self, a: TermId, b: TermId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let sort = self.t.sort(a);
        if sort != self.t.sort(b) {
            return None;
        }
        if let (Some(x), Some(y)) = (self.t.literal(a), self.t.literal(b)) {
            return match evaluate_op(self.t, &Op::Eq, &[x.clone(), y.clone()], SortId::BOOL) {
                Some(Value::Bool(same)) => Some(same),
                _ => None,
            };
        }
        if sort == SortId::INT || sort == SortId::REAL {
            return self.constant_difference(a, b);
        }
        match self.t.width(sort) {
            Some(0) => return Some(true),
            Some(_) => return self.offset_apart(a, b).then_some(false),
            None => {}
        }
        if let (Op::Apply(f), Op::Apply(g)) = (self.op(a), self.op(b))
            && f != g
            && self.is_constructor(*f)
            && self.is_constructor(*g)
        {
            return Some(false);
        }
        (sort == SortId::BOOL && self.complementary(a, b)).then_some(false)
    }

    pub(super) fn distinct(&mut self, args: Args) -> TermId {
        if args.len() == 2 {
            let equal = self.app2(Op::Eq, args[0], args[1]);
            return self.app1(Op::Not, equal);
        }
        let mut open = false;
        if args.len() <= 32 {
            for (i, &a) in args.iter().enumerate() {
                for &b in &args[i + 1..] {
                    match self.known_equal(a, b) {
                        Some(true) => return self.t.bool(false),
                        Some(false) => {}
                        None => open = true,
                    }
                }
            }
        } else if let Some(folded) = self.fold(&Op::Distinct, &args, SortId::BOOL) {
            return folded;
        } else {
            open = true;
        }
        if open { self.t.mk(Op::Distinct, args, SortId::BOOL) } else { self.t.bool(true) }
    }
}
