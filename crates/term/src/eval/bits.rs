//! Evaluation of bit-vector operators, with SMT-LIB's semantics: division by zero yields all ones, remainder by zero
//! yields the dividend, shifts by the width or more leave only the fill bits. A vector of width 0 has the value 0.
//!
//! **Direction of error.** None: the operators are total, and the values are exact.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::{Op, Value};

fn ones(width: u32) -> BigUint {
    (BigUint::one() << width) - 1u32
}

fn vector(width: u32, bits: BigUint) -> Value {
    Value::BitVec { width, bits: if bits.bits() > u64::from(width) { bits & ones(width) } else { bits } }
}

/// The value of an operator whose first argument is a bit-vector.
pub(super) fn evaluate(op: &Op, args: &[Value]) -> Option<Value> {
    let Value::BitVec { width, bits: a } = args.first()? else { return None };
    let w = *width;
    match (op, &args[1..]) {
        (Op::BvNot, []) => return Some(vector(w, a ^ ones(w))),
        (Op::BvNeg, []) => return Some(vector(w, (BigUint::one() << w) - a)),
        (Op::BvToInt, []) => return Some(Value::Int(BigInt::from(a.clone()))),
        (Op::Extract(hi, lo), []) => return Some(vector((hi + 1).saturating_sub(*lo), a >> *lo)),
        (Op::ZeroExtend(n), []) => return Some(vector(w + n, a.clone())),
        (Op::SignExtend(n), []) => return Some(Value::bit_vec(w + n, &Value::signed(w, a))),
        (Op::RotateLeft(n), []) => return Some(rotate_left(w, a, *n)),
        (Op::RotateRight(n), []) => {
            let n = if w == 0 { 0 } else { w - n % w };
            return Some(rotate_left(w, a, n));
        }
        (Op::Concat, rest) => {
            let (mut width, mut bits) = (w, a.clone());
            for v in rest {
                let Value::BitVec { width: low_width, bits: low } = v else { return None };
                width += low_width;
                bits = (bits << *low_width) + low;
            }
            return Some(vector(width, bits));
        }
        (Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul, [_, _, ..]) => {
            let first = evaluate(op, &args[..2])?;
            let mut rest = vec![first];
            rest.extend_from_slice(&args[2..]);
            return evaluate(op, &rest);
        }
        _ => {}
    }
    let [_, Value::BitVec { bits: b, .. }] = args else { return None };
    let signed = || (Value::signed(w, a), Value::signed(w, b));
    Some(match op {
        Op::BvAnd => vector(w, a & b),
        Op::BvOr => vector(w, a | b),
        Op::BvXor => vector(w, a ^ b),
        Op::BvAdd => vector(w, a + b),
        Op::BvSub => vector(w, (BigUint::one() << w) + a - b),
        Op::BvMul => vector(w, a * b),
        Op::BvUdiv if b.is_zero() => vector(w, ones(w)),
        Op::BvUdiv => vector(w, a / b),
        Op::BvUrem | Op::BvSrem | Op::BvSmod if b.is_zero() => vector(w, a.clone()),
        Op::BvUrem => vector(w, a % b),
        Op::BvSdiv => {
            let (x, y) = signed();
            let quotient = match () {
                () if !y.is_zero() => x / y,
                () if x.is_negative() => BigInt::one(),
                () => -BigInt::one(),
            };
            Value::bit_vec(w, &quotient)
        }
        Op::BvSrem => {
            let (x, y) = signed();
            Value::bit_vec(w, &(x % y))
        }
        Op::BvSmod => {
            let (x, y) = signed();
            Value::bit_vec(w, &x.mod_floor(&y))
        }
        Op::BvShl | Op::BvLshr | Op::BvAshr => {
            let amount = b.to_u32().map_or(w, |n| n.min(w));
            match op {
                Op::BvShl if amount == w => vector(w, BigUint::zero()),
                Op::BvShl => vector(w, a << amount),
                Op::BvLshr => vector(w, a >> amount),
                _ => Value::bit_vec(w, &(Value::signed(w, a) >> amount)),
            }
        }
        Op::BvUlt => Value::Bool(a < b),
        Op::BvUle => Value::Bool(a <= b),
        Op::BvSlt => {
            let (x, y) = signed();
            Value::Bool(x < y)
        }
        Op::BvSle => {
            let (x, y) = signed();
            Value::Bool(x <= y)
        }
        _ => return None,
    })
}

fn rotate_left(w: u32, a: &BigUint, n: u32) -> Value {
    if w == 0 {
        return vector(0, BigUint::zero());
    }
    let n = n % w;
    vector(w, (a << n) | (a >> (w - n)))
}
