//! The interval domain with congruences: `lo ≤ x ≤ hi` and `x ≡ rest (mod modulus)`.
//!
//! **Idea.** A [`Range`] describes the values of one integer. It is the reduced product of intervals (Cousot, Cousot,
//! "Static determination of dynamic properties of programs", 1976) and congruences (Granger, "Static analysis of
//! arithmetical congruences", 1989): finite bounds are always members of the congruence class.
//!
//! **Example.** `3 ≤ x ≤ 15` with `x ≡ 0 (mod 4)` is reduced to `4 ≤ x ≤ 12`. Its hull with the single value 6 is
//! `4 ≤ x ≤ 12` with `x ≡ 0 (mod 2)`.
//!
//! **Deviations.** Bounds are machine integers of 128 bits; a bound beyond [`LIMIT`] is left off.
//!
//! **Direction of error.** A range over-approximates: it contains every value that it describes, and possibly more.

use std::cmp::{max, min};

/// Bounds beyond this are not represented, so that sums and products of a few of them still fit in 128 bits.
pub const LIMIT: i128 = 1 << 100;

/// A set of integers by its bounds and its congruence class. Without bounds and with modulus 1 it is the set of all
/// integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least value, if there is one.
    pub lo: Option<i128>,
    /// The greatest value, if there is one.
    pub hi: Option<i128>,
    /// The modulus of the congruence, at least 1.
    pub modulus: i128,
    /// The remainder, from 0 up to the modulus.
    pub rest: i128,
}

/// The number, if it is small enough to be represented.
pub fn fits(n: i128) -> Option<i128> {
    (-LIMIT..=LIMIT).contains(&n).then_some(n)
}

/// The greatest common divisor; of 0 and 0 it is 0.
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = match (u64::try_from(a), u64::try_from(b)) {
            // Most numbers are small, and machines are many times as fast with these.
            (Ok(small_a), Ok(small_b)) => (b, i128::from(small_a % small_b)),
            _ => (b, a % b),
        };
    }
    a
}

/// `n` modulo `modulus`, from 0 up.
fn residue(n: i128, modulus: i128) -> i128 {
    match (i64::try_from(n), i64::try_from(modulus)) {
        _ if modulus == 1 => 0,
        (Ok(n), Ok(modulus)) => i128::from(n.rem_euclid(modulus)),
        _ => n.rem_euclid(modulus),
    }
}

impl Range {
    /// The set of all integers.
    pub const TOP: Range = Range { lo: None, hi: None, modulus: 1, rest: 0 };

    /// The integers from `lo` to `hi`.
    pub fn between(lo: i128, hi: i128) -> Range {
        Range { lo: fits(lo), hi: fits(hi), ..Range::TOP }
    }

    /// The set with one member.
    pub fn only(n: i128) -> Range {
        Range::between(n, n)
    }

    /// The value, if there is only one.
    pub fn value(self) -> Option<i128> {
        self.lo.filter(|_| self.lo == self.hi)
    }

    /// Whether no integer is in the range.
    pub fn is_empty(self) -> bool {
        matches!((self.lo, self.hi), (Some(lo), Some(hi)) if lo > hi)
    }

    /// Whether a value is in the range.
    pub fn contains(self, n: i128) -> bool {
        self.lo.is_none_or(|lo| lo <= n)
            && self.hi.is_none_or(|hi| n <= hi)
            && residue(n, self.modulus) == self.rest
    }

    /// Whether every value of `other` is in the range.
    pub fn includes(self, other: Range) -> bool {
        if other.is_empty() {
            return true;
        }
        let class = match other.value() {
            Some(n) => residue(n, self.modulus) == self.rest,
            None => {
                residue(other.modulus, self.modulus) == 0 && residue(other.rest, self.modulus) == self.rest
            }
        };
        class
            && self.lo.is_none_or(|lo| other.lo.is_some_and(|o| lo <= o))
            && self.hi.is_none_or(|hi| other.hi.is_some_and(|o| o <= hi))
    }

    /// The range of a number that differs from one of `self` by a multiple of 2ʷ; `w` is at most 64.
    pub fn modulo_power(self, w: u32) -> Range {
        let (modulus, rest) = self.class();
        Range::TOP.with_class(gcd(modulus, 1 << w), rest)
    }

    /// Moves the bounds to members of the class.
    fn reduced(mut self) -> Range {
        if self.modulus > 1 {
            self.lo = self.lo.and_then(|lo| fits(lo + residue(self.rest - lo, self.modulus)));
            self.hi = self.hi.and_then(|hi| fits(hi - residue(hi - self.rest, self.modulus)));
        }
        self
    }

    /// The congruence class; a single value is a class with modulus 0.
    fn class(self) -> (i128, i128) {
        self.value().map_or((self.modulus, self.rest), |n| (0, n))
    }

    fn with_class(self, modulus: i128, rest: i128) -> Range {
        match fits(modulus) {
            Some(m) if m > 1 => Range { modulus: m, rest: residue(rest, m), ..self }.reduced(),
            _ => Range { modulus: 1, rest: 0, ..self },
        }
    }

    /// The join: the least range that contains both.
    pub fn hull(self, other: Range) -> Range {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let bounds =
            Range { lo: both(self.lo, other.lo, min), hi: both(self.hi, other.hi, max), ..Range::TOP };
        let ((m, r), (n, s)) = (self.class(), other.class());
        bounds.with_class(gcd(gcd(m, n), r - s), r)
    }

    /// The meet: a range that contains the values that are in both.
    pub fn meet(self, other: Range) -> Range {
        let lo = match (self.lo, other.lo) {
            (Some(a), Some(b)) => Some(max(a, b)),
            (a, b) => a.or(b),
        };
        let hi = match (self.hi, other.hi) {
            (Some(a), Some(b)) => Some(min(a, b)),
            (a, b) => a.or(b),
        };
        // The finer class will do; their intersection may be finer still, or empty.
        let (fine, coarse) = if self.modulus >= other.modulus { (self, other) } else { (other, self) };
        let common = if coarse.modulus == 1 { 1 } else { gcd(fine.modulus, coarse.modulus) };
        if residue(fine.rest - coarse.rest, common) != 0 {
            return Range { lo: Some(1), hi: Some(0), ..Range::TOP };
        }
        Range { lo, hi, modulus: fine.modulus, rest: fine.rest }.reduced()
    }

    /// The sums of values of both ranges.
    pub fn add(self, other: Range) -> Range {
        let sum = |a: Option<i128>, b: Option<i128>| fits(a? + b?);
        let ((m, r), (n, s)) = (self.class(), other.class());
        Range { lo: sum(self.lo, other.lo), hi: sum(self.hi, other.hi), ..Range::TOP }
            .with_class(gcd(m, n), r + s)
    }

    /// The products of the values with `k`.
    pub fn scale(self, k: i128) -> Range {
        if k == 0 {
            return Range::only(0);
        }
        let times = |n: Option<i128>| n?.checked_mul(k).and_then(fits);
        let (a, b) = (times(self.lo), times(self.hi));
        let (lo, hi) = if k > 0 { (a, b) } else { (b, a) };
        let (m, r) = self.class();
        let range = Range { lo, hi, ..Range::TOP };
        match (m.checked_mul(k.abs()), r.checked_mul(k)) {
            (Some(m), Some(r)) => range.with_class(m, r),
            _ => range,
        }
    }

    /// The products of values of both ranges.
    pub fn mul(self, other: Range) -> Range {
        if let Some(n) = self.value() {
            return other.scale(n);
        }
        if let Some(n) = other.value() {
            return self.scale(n);
        }
        let (Some(a), Some(b), Some(c), Some(d)) = (self.lo, self.hi, other.lo, other.hi) else {
            // Two numbers that are not negative have a product that is not.
            let positive = self.lo.is_some_and(|n| n >= 0) && other.lo.is_some_and(|n| n >= 0);
            return Range { lo: positive.then_some(0), ..Range::TOP };
        };
        let products = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
        let known: Vec<i128> = products.into_iter().flatten().collect();
        if known.len() < 4 {
            return Range::TOP;
        }
        Range {
            lo: known.iter().min().copied().and_then(fits),
            hi: known.iter().max().copied().and_then(fits),
            ..Range::TOP
        }
    }

    /// The widening: bounds that `next` exceeds move to the next threshold, so that chains of ranges are finite.
    pub fn widen(self, next: Range, thresholds: &[i128]) -> Range {
        let hull = self.hull(next);
        let lo = match (self.lo, hull.lo) {
            (Some(old), Some(new)) if new < old => thresholds.iter().rev().find(|t| **t <= new).copied(),
            (_, new) => new,
        };
        let hi = match (self.hi, hull.hi) {
            (Some(old), Some(new)) if new > old => thresholds.iter().find(|t| **t >= new).copied(),
            (_, new) => new,
        };
        Range { lo, hi, ..hull }.reduced()
    }
}

fn both(a: Option<i128>, b: Option<i128>, f: fn(i128, i128) -> i128) -> Option<i128> {
    Some(f(a?, b?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_hold_all_results_of_small_operands() {
        let mut ranges = Vec::new();
        for lo in -5..5 {
            for hi in lo..6 {
                ranges.push(Range::between(lo, hi));
                for (m, r) in [(2, 1), (3, 0), (4, 3)] {
                    let range = Range::between(lo, hi).with_class(m, r);
                    if !range.is_empty() {
                        ranges.push(range);
                    }
                }
            }
        }
        ranges.push(Range::TOP);
        ranges.push(Range { lo: Some(-2), ..Range::TOP });
        for &a in &ranges {
            for &b in &ranges {
                for x in (-8..8).filter(|x| a.contains(*x)) {
                    assert!((-3..3).all(|k| a.modulo_power(2).contains(x + 4 * k)), "{a:?} {x}");
                    assert!(a.hull(b).contains(x) && b.hull(a).contains(x), "{a:?} {b:?} {x}");
                    assert!(a.widen(b, &[0, 4]).contains(x) && b.widen(a, &[0, 4]).contains(x));
                    assert!(!b.contains(x) || a.meet(b).contains(x), "{a:?} {b:?} {x}");
                    assert!(!b.includes(a) || b.contains(x), "{a:?} {b:?} {x}");
                    for y in (-8..8).filter(|y| b.contains(*y)) {
                        assert!(a.add(b).contains(x + y), "{a:?} {b:?} {x} {y}");
                        assert!(a.mul(b).contains(x * y), "{a:?} {b:?} {x} {y}");
                        assert!(a.scale(-3).contains(-3 * x));
                    }
                }
            }
        }
    }
}
