//! Rewriting rules for bit-vector slices: concatenation, extraction, extension.
//!
//! - An extraction goes through extractions, concatenations, extensions and logical shifts by constants down to the
//!   bits that it selects, and is dropped when it selects all of them.
//! - A concatenation is flattened (up to a limit), parts of width 0 are dropped, neighbouring literals (also inside
//!   an `ite`) and neighbouring extractions of one vector merge, leading zeros become `zero_extend`; it is rebuilt
//!   from two-argument concatenations, nested to the left.
//! - Extensions of extensions merge; a sign extension of a zero extension is a zero extension.
//!
//! **Direction of error.** None: each rule is an equivalence, as `simplify.rs` demands.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use super::Rewrite;
use crate::{Args, Op, SortId, TermId};

/// How many parts a concatenation is flattened into.
const PARTS: usize = 64;

impl Rewrite<'_> {
    pub(super) fn slice(&mut self, op: Op, x: TermId, sort: SortId) -> TermId {
        match op {
            Op::Extract(hi, lo) => self.extract(hi, lo, x, sort),
            Op::ZeroExtend(n) => {
                if n == 0 {
                    return x;
                }
                if self.width_of(x) == 0 {
                    return self.t.bit_vec(n, 0);
                }
                match *self.op(x) {
                    Op::ZeroExtend(m) => self.inner(Op::ZeroExtend(n + m), x, sort),
                    _ => self.t.mk(op, [x], sort),
                }
            }
            Op::SignExtend(n) => {
                if n == 0 {
                    return x;
                }
                if self.width_of(x) == 0 {
                    return self.t.bit_vec(n, 0);
                }
                match *self.op(x) {
                    Op::SignExtend(m) => self.inner(Op::SignExtend(n + m), x, sort),
                    Op::ZeroExtend(m) => self.inner(Op::ZeroExtend(n + m), x, sort),
                    _ => self.t.mk(op, [x], sort),
                }
            }
            _ => self.t.mk(op, [x], sort),
        }
    }

    /// `op` on the argument of `x`.
    fn inner(&mut self, op: Op, x: TermId, sort: SortId) -> TermId {
        let inner = self.t.term(x).args[0];
        self.app_sorted(op, Args::from_slice(&[inner]), sort)
    }

    fn extract(&mut self, mut hi: u32, mut lo: u32, mut x: TermId, sort: SortId) -> TermId {
        let wanted = hi + 1 - lo;
        loop {
            let term = self.t.term(x);
            let width = self.width_of(x);
            if lo == 0 && hi + 1 == width {
                return x;
            }
            match &term.op {
                Op::Literal(_) => return self.app1(Op::Extract(hi, lo), x),
                Op::Extract(_, low) => {
                    (hi, lo) = (hi + low, lo + low);
                    x = term.args[0];
                }
                Op::ZeroExtend(_) => {
                    let inner = term.args[0];
                    let w = self.width_of(inner);
                    if lo >= w {
                        return self.t.bit_vec(wanted, 0);
                    }
                    if hi >= w {
                        let part = self.app1(Op::Extract(w - 1, lo), inner);
                        return self.app1(Op::ZeroExtend(hi + 1 - w), part);
                    }
                    x = inner;
                }
                Op::SignExtend(_) => {
                    let inner = term.args[0];
                    let w = self.width_of(inner);
                    if lo >= w {
                        break;
                    }
                    if hi >= w {
                        let part = self.app1(Op::Extract(w - 1, lo), inner);
                        return self.app1(Op::SignExtend(hi + 1 - w), part);
                    }
                    x = inner;
                }
                Op::Concat if term.args.len() == 2 => {
                    let (high, low) = (term.args[0], term.args[1]);
                    let w = self.width_of(low);
                    if hi < w {
                        x = low;
                    } else if lo >= w {
                        (hi, lo) = (hi - w, lo - w);
                        x = high;
                    } else {
                        let high = self.app1(Op::Extract(hi - w, 0), high);
                        let low = self.app1(Op::Extract(w - 1, lo), low);
                        return self.app2(Op::Concat, high, low);
                    }
                }
                Op::BvLshr | Op::BvShl if self.is_literal(term.args[1]) => {
                    let left = term.op == Op::BvShl;
                    let inner = term.args[0];
                    let Some(n) = self.bits(term.args[1]).and_then(ToPrimitive::to_u32) else { break };
                    if left && lo >= n {
                        (hi, lo) = (hi - n, lo - n);
                    } else if left && hi < n {
                        return self.t.bit_vec(wanted, 0);
                    } else if !left && n < width && hi < width - n {
                        (hi, lo) = (hi + n, lo + n);
                    } else {
                        break;
                    }
                    x = inner;
                }
                _ => break,
            }
        }
        if let Some(lifted) = self.lift_literal_ite(&Op::Extract(hi, lo), &[x], sort) {
            return lifted;
        }
        self.t.mk(Op::Extract(hi, lo), [x], sort)
    }

    pub(super) fn concat(&mut self, args: Args, sort: SortId) -> TermId {
        let mut parts = Args::new();
        let mut stack = args;
        stack.reverse();
        while let Some(a) = stack.pop() {
            let term = self.t.term(a);
            if term.op == Op::Concat && stack.len() + parts.len() < PARTS {
                stack.extend(term.args.iter().rev().copied());
            } else if self.width_of(a) > 0 {
                self.push_part(&mut parts, a);
            }
        }
        let mut zeros = 0;
        if parts.len() > 1 && self.bits(parts[0]).is_some_and(Zero::is_zero) {
            zeros = self.width_of(parts[0]);
            parts.remove(0);
        }
        let Some((&first, rest)) = parts.split_first() else { return self.t.bit_vec(0, 0) };
        let mut result = first;
        for &p in rest {
            let width = self.width_of(result) + self.width_of(p);
            let sort = self.t.bit_vec_sort(width);
            result = self.t.mk(Op::Concat, [result, p], sort);
        }
        if zeros > 0 {
            result = self.app_sorted(Op::ZeroExtend(zeros), Args::from_slice(&[result]), sort);
        }
        result
    }

    /// Appends a part, merging it with the last one where possible.
    fn push_part(&mut self, parts: &mut Args, part: TermId) {
        let Some(&last) = parts.last() else {
            parts.push(part);
            return;
        };
        if let (Some(high), Some(low)) = (self.bits(last), self.bits(part)) {
            let (high, low) = (BigInt::from(high.clone()), BigInt::from(low.clone()));
            let width = self.width_of(part);
            let total = self.width_of(last) + width;
            parts.pop();
            let merged = self.t.bit_vec(total, (high << width) + low);
            parts.push(merged);
            return;
        }
        let total = self.width_of(last) + self.width_of(part);
        let sort = self.t.bit_vec_sort(total);
        if let Some(merged) = self.lift_literal_ite(&Op::Concat, &[last, part], sort) {
            parts.pop();
            self.push_part(parts, merged);
            return;
        }
        let (s, t) = (self.t.term(last), self.t.term(part));
        if let (Op::Extract(hi, middle), Op::Extract(below, lo)) = (&s.op, &t.op)
            && s.args[0] == t.args[0]
            && *middle == below + 1
        {
            let (hi, lo, x) = (*hi, *lo, s.args[0]);
            parts.pop();
            let merged = self.app1(Op::Extract(hi, lo), x);
            self.push_part(parts, merged);
            return;
        }
        parts.push(part);
    }
}
