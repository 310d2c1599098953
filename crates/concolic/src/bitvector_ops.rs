//! Bit-vector operators on machine words: the value that each one computes, and the term that it stands for.
//!
//! A *word* is a bit-vector of up to 64 bits, or a truth value, in a `u64`. The semantics is that of `footpath-term`
//! (SMT-LIB's): division by zero yields all ones, remainder by zero the dividend, and shifts by the width or more
//! leave only the fill bits. Example: `bvudiv` of 8 bits computes `7 / 0 = 255`.
//!
//! **Direction of error.** None. A test compares each operator with the evaluator of the term crate.

use footpath_term::Op;

use super::value::Kind;

/// An operator with two arguments of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Binary {
    And,
    Or,
    Implies,
    Eq,
    Add,
    Sub,
    Mul,
    BvAnd,
    BvOr,
    BvXor,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
}

/// An operator with one argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Unary {
    Not,
    BvNot,
    BvNeg,
    Extract(u8, u8),
    ZeroExtend(u8),
    SignExtend(u8),
    RotateLeft(u8),
    RotateRight(u8),
}

impl Binary {
    /// The operator, if words have it.
    pub(super) fn of(op: &Op) -> Option<Binary> {
        Some(match op {
            Op::And => Binary::And,
            Op::Or => Binary::Or,
            Op::Implies => Binary::Implies,
            Op::Eq => Binary::Eq,
            Op::BvAdd => Binary::Add,
            Op::BvSub => Binary::Sub,
            Op::BvMul => Binary::Mul,
            Op::BvAnd => Binary::BvAnd,
            Op::BvOr => Binary::BvOr,
            Op::BvXor => Binary::BvXor,
            Op::BvUdiv => Binary::Udiv,
            Op::BvUrem => Binary::Urem,
            Op::BvSdiv => Binary::Sdiv,
            Op::BvSrem => Binary::Srem,
            Op::BvSmod => Binary::Smod,
            Op::BvShl => Binary::Shl,
            Op::BvLshr => Binary::Lshr,
            Op::BvAshr => Binary::Ashr,
            Op::BvUlt => Binary::Ult,
            Op::BvUle => Binary::Ule,
            Op::BvSlt => Binary::Slt,
            Op::BvSle => Binary::Sle,
            _ => return None,
        })
    }

    /// The operator on terms.
    pub(super) fn op(self) -> Op {
        match self {
            Binary::And => Op::And,
            Binary::Or => Op::Or,
            Binary::Implies => Op::Implies,
            Binary::Eq => Op::Eq,
            Binary::Add => Op::BvAdd,
            Binary::Sub => Op::BvSub,
            Binary::Mul => Op::BvMul,
            Binary::BvAnd => Op::BvAnd,
            Binary::BvOr => Op::BvOr,
            Binary::BvXor => Op::BvXor,
            Binary::Udiv => Op::BvUdiv,
            Binary::Urem => Op::BvUrem,
            Binary::Sdiv => Op::BvSdiv,
            Binary::Srem => Op::BvSrem,
            Binary::Smod => Op::BvSmod,
            Binary::Shl => Op::BvShl,
            Binary::Lshr => Op::BvLshr,
            Binary::Ashr => Op::BvAshr,
            Binary::Ult => Op::BvUlt,
            Binary::Ule => Op::BvUle,
            Binary::Slt => Op::BvSlt,
            Binary::Sle => Op::BvSle,
        }
    }

    /// The result for arguments of a kind.
    #[inline]
    pub(super) fn apply(self, kind: Kind, a: u64, b: u64) -> u64 {
        let mask = kind.mask();
        match self {
            Binary::And | Binary::BvAnd => a & b,
            Binary::Or | Binary::BvOr => a | b,
            Binary::Implies => (a ^ 1) | b,
            Binary::Eq => u64::from(a == b),
            Binary::Add => a.wrapping_add(b) & mask,
            Binary::Sub => a.wrapping_sub(b) & mask,
            Binary::Mul => a.wrapping_mul(b) & mask,
            Binary::BvXor => a ^ b,
            Binary::Udiv => a.checked_div(b).unwrap_or(mask),
            Binary::Urem => a.checked_rem(b).unwrap_or(a),
            Binary::Sdiv | Binary::Srem | Binary::Smod => self.signed_division(kind, a, b),
            Binary::Shl if b >= u64::from(kind.0) => 0,
            Binary::Shl => (a << b) & mask,
            Binary::Lshr if b >= u64::from(kind.0) => 0,
            Binary::Lshr => a >> b,
            Binary::Ashr => (signed(kind, a) >> b.min(63)) as u64 & mask,
            Binary::Ult => u64::from(a < b),
            Binary::Ule => u64::from(a <= b),
            Binary::Slt => u64::from(signed(kind, a) < signed(kind, b)),
            Binary::Sle => u64::from(signed(kind, a) <= signed(kind, b)),
        }
    }

    fn signed_division(self, kind: Kind, a: u64, b: u64) -> u64 {
        let (x, y) = (signed(kind, a), signed(kind, b));
        let result = match self {
            Binary::Sdiv if y == 0 => {
                if x < 0 {
                    1
                } else {
                    -1
                }
            }
            Binary::Sdiv => x.wrapping_div(y),
            _ if y == 0 => x,
            Binary::Srem => x.wrapping_rem(y),
            _ => {
                let r = x.wrapping_rem(y);
                if r != 0 && (r < 0) != (y < 0) { r + y } else { r }
            }
        };
        result as u64 & kind.mask()
    }
}

impl Unary {
    /// The operator, if words have it.
    pub(super) fn of(op: &Op) -> Option<Unary> {
        let small = |n: &u32| u8::try_from(*n).ok().filter(|n| *n < 64);
        Some(match op {
            Op::Not => Unary::Not,
            Op::BvNot => Unary::BvNot,
            Op::BvNeg => Unary::BvNeg,
            Op::Extract(hi, lo) if hi >= lo => Unary::Extract(small(hi)?, small(lo)?),
            Op::ZeroExtend(n) => Unary::ZeroExtend(small(n)?),
            Op::SignExtend(n) => Unary::SignExtend(small(n)?),
            Op::RotateLeft(n) => Unary::RotateLeft(small(n)?),
            Op::RotateRight(n) => Unary::RotateRight(small(n)?),
            _ => return None,
        })
    }

    /// The operator on terms.
    pub(super) fn op(self) -> Op {
        match self {
            Unary::Not => Op::Not,
            Unary::BvNot => Op::BvNot,
            Unary::BvNeg => Op::BvNeg,
            Unary::Extract(hi, lo) => Op::Extract(u32::from(hi), u32::from(lo)),
            Unary::ZeroExtend(n) => Op::ZeroExtend(u32::from(n)),
            Unary::SignExtend(n) => Op::SignExtend(u32::from(n)),
            Unary::RotateLeft(n) => Op::RotateLeft(u32::from(n)),
            Unary::RotateRight(n) => Op::RotateRight(u32::from(n)),
        }
    }

    /// The result for an argument of a kind.
    #[inline]
    pub(super) fn apply(self, kind: Kind, a: u64) -> u64 {
        match self {
            Unary::Not => a ^ 1,
            Unary::BvNot => !a & kind.mask(),
            Unary::BvNeg => a.wrapping_neg() & kind.mask(),
            Unary::Extract(hi, lo) => (a >> lo) & Kind(hi - lo + 1).mask(),
            Unary::ZeroExtend(_) => a,
            Unary::SignExtend(n) => signed(kind, a) as u64 & Kind(kind.0 + n).mask(),
            Unary::RotateLeft(n) => rotate(kind, a, u32::from(n)),
            Unary::RotateRight(n) => {
                let w = u32::from(kind.0);
                rotate(kind, a, w - u32::from(n) % w)
            }
        }
    }
}

/// The reading in two's complement.
#[inline]
fn signed(kind: Kind, a: u64) -> i64 {
    let shift = 64 - u32::from(kind.0.max(1));
    ((a << shift) as i64) >> shift
}

fn rotate(kind: Kind, a: u64, n: u32) -> u64 {
    let w = u32::from(kind.0);
    match n % w {
        0 => a,
        n => ((a << n) | (a >> (w - n))) & kind.mask(),
    }
}

#[cfg(test)]
mod tests {
    use footpath_term::{SortId, Terms, evaluate_op};

    use super::*;
    use crate::value::bits_of;

    const BINARY: [Op; 19] = [
        Op::Eq,
        Op::BvAdd,
        Op::BvSub,
        Op::BvMul,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvSmod,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
    ];

    fn interesting(width: u8) -> Vec<u64> {
        let mask = Kind(width).mask();
        let mut all: Vec<u64> =
            (0..20).chain([63, 64, 65, 1 << 31, 1 << 32, 1 << 63, 0x1234_5678_9abc_def0]).collect();
        all.extend((0..20).map(|n: u64| n.wrapping_neg()));
        all.extend([mask >> 1, (mask >> 1) + 1, mask]);
        all.iter_mut().for_each(|n| *n &= mask);
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn words_compute_what_the_evaluator_computes() {
        let terms = Terms::new();
        for width in [1, 2, 3, 8, 31, 32, 63, 64] {
            let kind = Kind(width);
            for a in interesting(width) {
                for op in [
                    Op::BvNot,
                    Op::BvNeg,
                    Op::RotateLeft(5),
                    Op::RotateRight(7),
                    Op::Extract(u32::from(width) - 1, 0),
                ] {
                    let expected = evaluate_op(&terms, &op, &[kind.value(a)], SortId::BOOL);
                    let found = Unary::of(&op).expect("a word operator").apply(kind, a);
                    assert_eq!(Some(found), expected.as_ref().and_then(bits_of), "{op:?} {width} {a}");
                }
                for b in interesting(width) {
                    for op in BINARY {
                        let expected =
                            evaluate_op(&terms, &op, &[kind.value(a), kind.value(b)], SortId::BOOL);
                        let found = Binary::of(&op).expect("a word operator").apply(kind, a, b);
                        assert_eq!(
                            Some(found),
                            expected.as_ref().and_then(bits_of),
                            "{op:?} {width} {a} {b}"
                        );
                    }
                }
            }
        }
    }
}
