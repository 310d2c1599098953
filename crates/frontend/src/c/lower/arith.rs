//! Machine integer arithmetic as bit-vector terms, and the conditions of signed and unsigned overflow.
//!
//! Example: a signed `a + b` of 32 bits is the bit-vector sum `r` modulo 2³²; it overflows if `a` and `b` have the
//! same sign and `r` the other one. A product overflows if it differs from the product in twice as many bits.
//!
//! **Direction of error.** A shift by the width or more is undefined in C; its result here is that of x86, which
//! takes the amount modulo the width.

use footpath_term::{Op, SortId, TermId};

use crate::llvm::ast::BinaryOp;

use super::super::Unsupported;
use super::context::Context;

/// The result of an operation on integers, wrapping around as the machine does.
///
/// The amount of a shift is taken modulo the width, as x86 and most other machines do; C leaves it undefined.
pub(crate) fn binary(cx: &mut Context, op: BinaryOp, a: TermId, b: TermId) -> Result<TermId, Unsupported> {
    if cx.terms.sort(a) == SortId::BOOL {
        return bits(cx, op, a, b);
    }
    let op = match op {
        BinaryOp::Add => Op::BvAdd,
        BinaryOp::Sub => Op::BvSub,
        BinaryOp::Mul => Op::BvMul,
        BinaryOp::UDiv => Op::BvUdiv,
        BinaryOp::SDiv => Op::BvSdiv,
        BinaryOp::URem => Op::BvUrem,
        BinaryOp::SRem => Op::BvSrem,
        BinaryOp::And => Op::BvAnd,
        BinaryOp::Or => Op::BvOr,
        BinaryOp::Xor => Op::BvXor,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            let amount = shift_amount(cx, b);
            let op = match op {
                BinaryOp::Shl => Op::BvShl,
                BinaryOp::LShr => Op::BvLshr,
                _ => Op::BvAshr,
            };
            return Ok(cx.app(op, &[a, amount]));
        }
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            return Err(Unsupported::new("floating-point arithmetic in a constant"));
        }
    };
    Ok(cx.app(op, &[a, b]))
}

fn shift_amount(cx: &mut Context, amount: TermId) -> TermId {
    let width = cx.width(amount);
    if width.is_power_of_two() {
        let mask = cx.bv(width, i64::from(width) - 1);
        cx.app(Op::BvAnd, &[amount, mask])
    } else {
        amount
    }
}

/// Operations on `i1`.
fn bits(cx: &mut Context, op: BinaryOp, a: TermId, b: TermId) -> Result<TermId, Unsupported> {
    Ok(match op {
        BinaryOp::And | BinaryOp::Mul => cx.app(Op::And, &[a, b]),
        BinaryOp::Or => cx.app(Op::Or, &[a, b]),
        BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => {
            let same = cx.app(Op::Eq, &[a, b]);
            cx.not(same)
        }
        _ => return Err(Unsupported::new("division or shift of single bits")),
    })
}

/// When a signed addition, subtraction or multiplication leaves the range of its type.
pub(crate) fn signed_overflow(cx: &mut Context, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let width = cx.width(a);
    let wide = match op {
        BinaryOp::Add | BinaryOp::Sub => {
            // The result's sign is wrong: it differs from the left side's, and that from what the right says.
            let r = binary(cx, op, a, b).ok()?;
            let differs = cx.app(Op::BvXor, &[a, r]);
            let operand = if op == BinaryOp::Add { r } else { a };
            let other = cx.app(Op::BvXor, &[b, operand]);
            let both = cx.app(Op::BvAnd, &[differs, other]);
            let zero = cx.bv(width, 0);
            return Some(cx.app(Op::BvSlt, &[both, zero]));
        }
        BinaryOp::Mul => 2 * width,
        _ => return None,
    };
    let x = cx.app(Op::SignExtend(wide - width), &[a]);
    let y = cx.app(Op::SignExtend(wide - width), &[b]);
    let exact = cx.app(Op::BvMul, &[x, y]);
    let wrapped = cx.app(Op::BvMul, &[a, b]);
    let wrapped = cx.app(Op::SignExtend(wide - width), &[wrapped]);
    let same = cx.app(Op::Eq, &[exact, wrapped]);
    Some(cx.not(same))
}

/// When an unsigned addition, subtraction or multiplication wraps around.
pub(crate) fn unsigned_overflow(cx: &mut Context, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let width = cx.width(a);
    match op {
        BinaryOp::Add => {
            let sum = cx.app(Op::BvAdd, &[a, b]);
            Some(cx.app(Op::BvUlt, &[sum, a]))
        }
        BinaryOp::Sub => Some(cx.app(Op::BvUlt, &[a, b])),
        BinaryOp::Mul => {
            let x = cx.app(Op::ZeroExtend(width), &[a]);
            let y = cx.app(Op::ZeroExtend(width), &[b]);
            let exact = cx.app(Op::BvMul, &[x, y]);
            let high = cx.app(Op::Extract(2 * width - 1, width), &[exact]);
            let zero = cx.bv(width, 0);
            let none = cx.app(Op::Eq, &[high, zero]);
            Some(cx.not(none))
        }
        _ => None,
    }
}
