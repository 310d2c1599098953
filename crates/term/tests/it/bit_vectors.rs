//! Bit-vector operators against a naive implementation on lists of bits, for all vectors of small widths.

use footpath_term::{Op, SortId, Terms, Value, evaluate_op};
use num_bigint::BigInt;

/// Least significant bit first.
type Bits = Vec<bool>;

fn bits(w: u32, n: u32) -> Bits {
    (0..w).map(|i| n >> i & 1 == 1).collect()
}

fn add(a: &Bits, b: &Bits) -> Bits {
    let mut carry = false;
    a.iter()
        .zip(b)
        .map(|(&x, &y)| {
            let sum = x ^ y ^ carry;
            carry = x & y | carry & (x ^ y);
            sum
        })
        .collect()
}

fn not(a: &Bits) -> Bits {
    a.iter().map(|x| !x).collect()
}

fn neg(a: &Bits) -> Bits {
    let one = (0..a.len()).map(|i| i == 0).collect();
    add(&not(a), &one)
}

fn zero(a: &Bits) -> Bits {
    vec![false; a.len()]
}

fn mul(a: &Bits, b: &Bits) -> Bits {
    let mut sum = zero(a);
    let mut shifted = a.clone();
    for &bit in b {
        if bit {
            sum = add(&sum, &shifted);
        }
        shifted.insert(0, false);
        shifted.pop();
    }
    sum
}

fn less(a: &Bits, b: &Bits) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// Quotient and remainder as SMT-LIB defines them, by repeated subtraction.
fn divide(a: &Bits, b: &Bits) -> (Bits, Bits) {
    if !b.contains(&true) {
        return (vec![true; a.len()], a.clone());
    }
    let (mut quotient, mut rest) = (zero(a), a.clone());
    let one: Bits = (0..a.len()).map(|i| i == 0).collect();
    while !less(&rest, b) {
        rest = add(&rest, &neg(b));
        quotient = add(&quotient, &one);
    }
    (quotient, rest)
}

fn sign(a: &Bits) -> bool {
    a.last().copied().unwrap_or(false)
}

fn magnitude(a: &Bits) -> Bits {
    if sign(a) { neg(a) } else { a.clone() }
}

/// The definitions of SMT-LIB's theory, by cases on the signs.
fn signed_divide(op: &Op, a: &Bits, b: &Bits) -> Bits {
    let (quotient, rest) = divide(&magnitude(a), &magnitude(b));
    match (op, sign(a), sign(b)) {
        (Op::BvSdiv, x, y) => {
            if x == y {
                quotient
            } else {
                neg(&quotient)
            }
        }
        (Op::BvSrem, x, _) => {
            if x {
                neg(&rest)
            } else {
                rest
            }
        }
        (_, false, false) => rest,
        _ if !rest.contains(&true) => rest,
        (_, true, false) => add(&neg(&rest), b),
        (_, false, true) => add(&rest, b),
        (_, true, true) => neg(&rest),
    }
}

fn shift(op: &Op, a: &Bits, amount: u32) -> Bits {
    let mut a = a.clone();
    for _ in 0..amount.min(a.len() as u32) {
        match op {
            Op::BvShl => {
                a.insert(0, false);
                a.pop();
            }
            _ => {
                let fill = *op == Op::BvAshr && sign(&a);
                a.push(fill);
                a.remove(0);
            }
        }
    }
    a
}

fn signed_less(a: &Bits, b: &Bits) -> bool {
    if sign(a) != sign(b) { sign(a) } else { less(a, b) }
}

fn value(a: &Bits) -> Value {
    let n: BigInt = a.iter().enumerate().map(|(i, &b)| BigInt::from(u8::from(b)) << i).sum();
    Value::bit_vec(a.len() as u32, &n)
}

#[test]
fn every_binary_operator_agrees_with_lists_of_bits() {
    let terms = Terms::new();
    for w in 1..=5 {
        for (x, y) in (0..1u32 << w).flat_map(|x| (0..1u32 << w).map(move |y| (x, y))) {
            let (a, b) = (bits(w, x), bits(w, y));
            let (quotient, rest) = divide(&a, &b);
            let pointwise =
                |f: fn(bool, bool) -> bool| -> Bits { a.iter().zip(&b).map(|(&p, &q)| f(p, q)).collect() };
            let expected = [
                (Op::BvAdd, value(&add(&a, &b))),
                (Op::BvSub, value(&add(&a, &neg(&b)))),
                (Op::BvMul, value(&mul(&a, &b))),
                (Op::BvAnd, value(&pointwise(|p, q| p & q))),
                (Op::BvOr, value(&pointwise(|p, q| p | q))),
                (Op::BvXor, value(&pointwise(|p, q| p ^ q))),
                (Op::BvUdiv, value(&quotient)),
                (Op::BvUrem, value(&rest)),
                (Op::BvSdiv, value(&signed_divide(&Op::BvSdiv, &a, &b))),
                (Op::BvSrem, value(&signed_divide(&Op::BvSrem, &a, &b))),
                (Op::BvSmod, value(&signed_divide(&Op::BvSmod, &a, &b))),
                (Op::BvShl, value(&shift(&Op::BvShl, &a, y))),
                (Op::BvLshr, value(&shift(&Op::BvLshr, &a, y))),
                (Op::BvAshr, value(&shift(&Op::BvAshr, &a, y))),
                (Op::BvUlt, Value::Bool(less(&a, &b))),
                (Op::BvUle, Value::Bool(!less(&b, &a))),
                (Op::BvSlt, Value::Bool(signed_less(&a, &b))),
                (Op::BvSle, Value::Bool(!signed_less(&b, &a))),
                (Op::Concat, value(&[b.clone(), a.clone()].concat())),
            ];
            for (op, expected) in expected {
                let got = evaluate_op(&terms, &op, &[value(&a), value(&b)], SortId::BOOL);
                assert_eq!(got, Some(expected), "{op:?} on {x} and {y} of width {w}");
            }
        }
    }
}

#[test]
fn every_unary_operator_agrees_with_lists_of_bits() {
    let terms = Terms::new();
    for w in 1..=6u32 {
        for x in 0..1u32 << w {
            let a = bits(w, x);
            let check = |op: Op, expected: Bits| {
                let got = evaluate_op(&terms, &op, &[value(&a)], SortId::BOOL);
                assert_eq!(got, Some(value(&expected)), "{op:?} on {x} of width {w}");
            };
            check(Op::BvNot, not(&a));
            check(Op::BvNeg, neg(&a));
            for n in 0..=2 * w {
                let by = (n % w) as usize;
                check(Op::RotateRight(n), [&a[by..], &a[..by]].concat());
                let by = (w as usize - by) % w as usize;
                check(Op::RotateLeft(n), [&a[by..], &a[..by]].concat());
                check(Op::ZeroExtend(n), [&a[..], &vec![false; n as usize]].concat());
                check(Op::SignExtend(n), [&a[..], &vec![sign(&a); n as usize]].concat());
            }
            for lo in 0..w {
                for hi in lo..w {
                    check(Op::Extract(hi, lo), a[lo as usize..=hi as usize].to_vec());
                }
            }
        }
    }
}

#[test]
fn vectors_of_width_zero_are_all_zero() {
    let terms = Terms::new();
    let empty = value(&vec![]);
    for op in [Op::BvAdd, Op::BvSub, Op::BvUdiv, Op::BvSdiv, Op::BvSmod, Op::BvShl, Op::BvAshr, Op::Concat] {
        assert_eq!(
            evaluate_op(&terms, &op, &[empty.clone(), empty.clone()], SortId::BOOL),
            Some(empty.clone())
        );
    }
    for op in [Op::BvNot, Op::BvNeg, Op::RotateLeft(3), Op::RotateRight(3), Op::SignExtend(0)] {
        assert_eq!(
            evaluate_op(&terms, &op, std::slice::from_ref(&empty), SortId::BOOL),
            Some(empty.clone()),
            "{op:?}"
        );
    }
}
