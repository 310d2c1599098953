//! Software floating-point: IEEE 754 arithmetic in every binary format and every rounding mode.
//!
//! **Idea.** A finite number is `m · 2ᵉ` with whole `m` and `e`. The four operations, the fused multiplication and
//! the remainder are computed on these exactly, or, for quotients and roots, to more bits than the format has with
//! one bit that says whether anything is left behind them (*sticky*). One function then rounds ([`Format::round`]).
//! In `0x1.8p0 / 0x1.8p1` of single precision, the quotient of the significands is `0b0.1000…`, exact, so nothing
//! sticks and the result is `0x1.0p-1`; of `1 / 3` the 26 bits `0b0.0101…01` are kept, and the bit that sticks keeps
//! rounding from seeing a tie.
//!
//! IEEE Standard for Floating-Point Arithmetic, IEEE 754-2019, §4.3 (rounding), §5 (operations), §6.3 (signs);
//! Brain, Tinelli, Rümmer, Wahl: An Automatable Formal Semantics for IEEE-754 Floating-Point Arithmetic (ARITH
//! 2015), whose functions SMT-LIB's theory is.
//!
//! Deviation: there is one NaN, as in SMT-LIB, and there are no flags.
//!
//! **Direction of error.** None: the results are exact. Tests compare them with the machine's arithmetic and with
//! a solver's.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::{RoundingMode, Value};

/// Significands wider than this are not computed with: the parameters may come from a text.
const MAX_SIGNIFICAND: u32 = 1 << 12;
/// Exponents wider than this are not computed with: numbers would have too many digits.
const MAX_EXPONENT: u32 = 18;

/// A binary format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Format {
    /// Bits of the exponent.
    pub(super) exponent: u32,
    /// Bits of the significand, the hidden one included.
    pub(super) significand: u32,
}

/// What a bit pattern of a format means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Number {
    Nan,
    Infinite { negative: bool },
    Zero { negative: bool },
    Finite(Dyadic),
}

/// `±magnitude · 2^exponent`, not zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dyadic {
    negative: bool,
    magnitude: BigUint,
    exponent: i64,
}

impl Dyadic {
    fn signed(&self) -> BigInt {
        let sign = if self.negative { Sign::Minus } else { Sign::Plus };
        BigInt::from_biguint(sign, self.magnitude.clone())
    }

    /// The number as a fraction.
    pub(super) fn rational(&self) -> BigRational {
        let power = BigInt::one() << self.exponent.unsigned_abs();
        if self.exponent >= 0 {
            BigRational::from_integer(self.signed() * power)
        } else {
            BigRational::new(self.signed(), power)
        }
    }

    /// The whole number that a mode rounds to.
    pub(super) fn rounded(&self, mode: RoundingMode) -> BigInt {
        let magnitude = if self.exponent >= 0 {
            &self.magnitude << self.exponent as u64
        } else {
            shift_right(&self.magnitude, self.exponent.unsigned_abs(), false, self.negative, mode)
        };
        BigInt::from_biguint(if self.negative { Sign::Minus } else { Sign::Plus }, magnitude)
    }
}

/// Two numbers with the lesser exponent of both, as whole numbers.
fn aligned(x: &Dyadic, y: &Dyadic) -> (BigInt, BigInt, i64) {
    let exponent = x.exponent.min(y.exponent);
    let at = |d: &Dyadic| d.signed() << (d.exponent - exponent) as u64;
    (at(x), at(y), exponent)
}

/// `magnitude / 2^by`, rounded to a whole number; `sticky` says that a little more is meant than there is.
fn shift_right(magnitude: &BigUint, by: u64, sticky: bool, negative: bool, mode: RoundingMode) -> BigUint {
    let kept = magnitude >> by;
    let rest = magnitude - (&kept << by);
    if rest.is_zero() && !sticky {
        return kept;
    }
    let half = if by == 0 { BigUint::zero() } else { BigUint::one() << (by - 1) };
    // With no bits behind the point, what sticks is less than a half.
    let order = if by == 0 { std::cmp::Ordering::Less } else { rest.cmp(&half) };
    let above = order.is_gt() || (order.is_eq() && sticky);
    let tie = order.is_eq() && !sticky;
    let up = match mode {
        RoundingMode::NearestEven => above || (tie && kept.bit(0)),
        RoundingMode::NearestAway => above || tie,
        RoundingMode::TowardPositive => !negative,
        RoundingMode::TowardNegative => negative,
        RoundingMode::TowardZero => false,
    };
    if up { kept + 1u32 } else { kept }
}

impl Format {
    /// The format, if it is one that can be computed with.
    pub(super) fn new(exponent: u32, significand: u32) -> Option<Format> {
        let sane = (2..=MAX_EXPONENT).contains(&exponent) && (2..=MAX_SIGNIFICAND).contains(&significand);
        sane.then_some(Format { exponent, significand })
    }

    /// Bits of the significand that are stored.
    pub(super) fn fraction(self) -> u32 {
        self.significand - 1
    }

    pub(super) fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// The greatest exponent of a number `1.… · 2^e`.
    fn max_exponent(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the last bit of the least numbers.
    fn least(self) -> i64 {
        1 - self.max_exponent() - i64::from(self.fraction())
    }

    fn pack(self, negative: bool, exponent: &BigUint, fraction: &BigUint) -> Value {
        let bits =
            (((BigUint::from(u8::from(negative)) << self.exponent) + exponent) << self.fraction()) + fraction;
        Value::Float { exponent: self.exponent, significand: self.significand, bits }
    }

    fn all_ones(self) -> BigUint {
        (BigUint::one() << self.exponent) - 1u32
    }

    pub(super) fn nan(self) -> Value {
        self.pack(false, &self.all_ones(), &(BigUint::one() << (self.fraction() - 1)))
    }

    pub(super) fn infinity(self, negative: bool) -> Value {
        self.pack(negative, &self.all_ones(), &BigUint::zero())
    }

    pub(super) fn zero(self, negative: bool) -> Value {
        self.pack(negative, &BigUint::zero(), &BigUint::zero())
    }

    /// What a value of this format means.
    pub(super) fn decode(self, value: &Value) -> Option<Number> {
        match value {
            Value::Float { exponent, significand, bits }
                if (*exponent, *significand) == (self.exponent, self.significand) =>
            {
                Some(self.decode_bits(bits))
            }
            _ => None,
        }
    }

    pub(super) fn decode_bits(self, bits: &BigUint) -> Number {
        let negative = bits.bit(u64::from(self.width()) - 1);
        let fraction = bits & ((BigUint::one() << self.fraction()) - 1u32);
        let exponent = (bits >> self.fraction()) & self.all_ones();
        if exponent == self.all_ones() {
            return if fraction.is_zero() { Number::Infinite { negative } } else { Number::Nan };
        }
        if exponent.is_zero() {
            return if fraction.is_zero() {
                Number::Zero { negative }
            } else {
                Number::Finite(Dyadic { negative, magnitude: fraction, exponent: self.least() })
            };
        }
        let field = exponent.iter_u64_digits().next().unwrap_or(0) as i64;
        let magnitude = fraction + (BigUint::one() << self.fraction());
        Number::Finite(Dyadic { negative, magnitude, exponent: self.least() + field - 1 })
    }

    /// The value of a number that this format has, or a NaN, infinity or zero.
    pub(super) fn encode(self, number: &Number, mode: RoundingMode) -> Value {
        match number {
            Number::Nan => self.nan(),
            Number::Infinite { negative } => self.infinity(*negative),
            Number::Zero { negative } => self.zero(*negative),
            Number::Finite(x) => self.round(x, false, mode),
        }
    }

    /// The number of this format that a mode rounds to. With `sticky` a little more is meant than the magnitude,
    /// which then has at least two bits more than a significand.
    fn round(self, x: &Dyadic, sticky: bool, mode: RoundingMode) -> Value {
        let top = x.magnitude.bits() as i64 - 1 + x.exponent;
        let mut last = (top - i64::from(self.fraction())).max(self.least());
        let by = last - x.exponent;
        let mut kept = if by <= 0 {
            &x.magnitude << by.unsigned_abs()
        } else {
            shift_right(&x.magnitude, by as u64, sticky, x.negative, mode)
        };
        if kept.bits() > u64::from(self.significand) {
            kept >>= 1u32;
            last += 1;
        }
        let hidden = BigUint::one() << self.fraction();
        if kept < hidden {
            return self.pack(x.negative, &BigUint::zero(), &kept);
        }
        if last + i64::from(self.fraction()) > self.max_exponent() {
            let away = match mode {
                RoundingMode::NearestEven | RoundingMode::NearestAway => true,
                RoundingMode::TowardPositive => !x.negative,
                RoundingMode::TowardNegative => x.negative,
                RoundingMode::TowardZero => false,
            };
            let greatest = || self.pack(x.negative, &(self.all_ones() - 1u32), &(&hidden - 1u32));
            return if away { self.infinity(x.negative) } else { greatest() };
        }
        let field = BigUint::from((last - self.least() + 1) as u64);
        self.pack(x.negative, &field, &(kept - hidden))
    }

    /// A whole number times a power of two, rounded; zero with the sign that is given.
    fn rounded(self, n: BigInt, exponent: i64, negative_zero: bool, mode: RoundingMode) -> Value {
        if n.is_zero() {
            return self.zero(negative_zero);
        }
        let (sign, magnitude) = n.into_parts();
        self.round(&Dyadic { negative: sign == Sign::Minus, magnitude, exponent }, false, mode)
    }

    /// The whole number, rounded.
    pub(super) fn of_integer(self, n: BigInt, mode: RoundingMode) -> Value {
        self.rounded(n, 0, false, mode)
    }

    /// The fraction, rounded.
    pub(super) fn of_rational(self, r: &BigRational, mode: RoundingMode) -> Value {
        if r.is_zero() {
            return self.zero(false);
        }
        self.quotient(r.is_negative(), r.numer().magnitude(), r.denom().magnitude(), 0, mode)
    }

    /// `numerator / denominator · 2^exponent`, rounded; neither is zero.
    fn quotient(
        self,
        negative: bool,
        numerator: &BigUint,
        denominator: &BigUint,
        exponent: i64,
        mode: RoundingMode,
    ) -> Value {
        let wanted = u64::from(self.significand) + 3 + denominator.bits();
        let by = wanted.saturating_sub(numerator.bits());
        let (magnitude, rest) = (numerator << by).div_rem(denominator);
        let x = Dyadic { negative, magnitude, exponent: exponent - by as i64 };
        self.round(&x, !rest.is_zero(), mode)
    }

    // ---- Operations

    pub(super) fn add(self, x: &Number, y: &Number, mode: RoundingMode) -> Value {
        match (x, y) {
            (Number::Nan, _) | (_, Number::Nan) => self.nan(),
            (Number::Infinite { negative: a }, Number::Infinite { negative: b }) if a != b => self.nan(),
            (Number::Infinite { negative }, _) | (_, Number::Infinite { negative }) => {
                self.infinity(*negative)
            }
            (Number::Zero { negative: a }, Number::Zero { negative: b }) => {
                self.zero(if a == b { *a } else { mode == RoundingMode::TowardNegative })
            }
            (Number::Zero { .. }, other) | (other, Number::Zero { .. }) => self.encode(other, mode),
            (Number::Finite(a), Number::Finite(b)) => {
                let (a, b, exponent) = aligned(a, b);
                self.rounded(a + b, exponent, mode == RoundingMode::TowardNegative, mode)
            }
        }
    }

    pub(super) fn mul(self, x: &Number, y: &Number, mode: RoundingMode) -> Value {
        self.encode(&product(x, y), mode)
    }

    pub(super) fn div(self, x: &Number, y: &Number, mode: RoundingMode) -> Value {
        let negative = x.is_negative() != y.is_negative();
        match (x, y) {
            (Number::Nan, _)
            | (_, Number::Nan)
            | (Number::Infinite { .. }, Number::Infinite { .. })
            | (Number::Zero { .. }, Number::Zero { .. }) => self.nan(),
            (Number::Infinite { .. }, _) | (_, Number::Zero { .. }) => self.infinity(negative),
            (Number::Zero { .. }, _) | (_, Number::Infinite { .. }) => self.zero(negative),
            (Number::Finite(a), Number::Finite(b)) => {
                self.quotient(negative, &a.magnitude, &b.magnitude, a.exponent - b.exponent, mode)
            }
        }
    }

    /// `x · y + z`, rounded once.
    pub(super) fn fused(self, x: &Number, y: &Number, z: &Number, mode: RoundingMode) -> Value {
        self.add(&product(x, y), z, mode)
    }

    pub(super) fn sqrt(self, x: &Number, mode: RoundingMode) -> Value {
        match x {
            Number::Zero { negative } => self.zero(*negative),
            Number::Infinite { negative: false } => self.infinity(false),
            Number::Finite(a) if !a.negative => {
                // An even exponent, and twice as many bits as the root is to have.
                let wanted = 2 * (u64::from(self.significand) + 3);
                let mut by = wanted.saturating_sub(a.magnitude.bits());
                if (a.exponent - by as i64) % 2 != 0 {
                    by += 1;
                }
                let radicand = &a.magnitude << by;
                let root = radicand.sqrt();
                let sticky = &root * &root != radicand;
                let exponent = (a.exponent - by as i64) / 2;
                self.round(&Dyadic { negative: false, magnitude: root, exponent }, sticky, mode)
            }
            _ => self.nan(),
        }
    }

    /// IEEE 754's remainder: `x - y · n` for the whole `n` nearest to `x / y`, the even one of two.
    pub(super) fn remainder(self, x: &Number, y: &Number) -> Value {
        let exact = RoundingMode::NearestEven;
        match (x, y) {
            (Number::Nan | Number::Infinite { .. }, _) | (_, Number::Nan | Number::Zero { .. }) => self.nan(),
            (_, Number::Infinite { .. }) | (Number::Zero { .. }, _) => self.encode(x, exact),
            (Number::Finite(a), Number::Finite(b)) => {
                let (n, d, exponent) = aligned(a, b);
                let d = d.abs();
                let (quotient, mut rest) = n.div_mod_floor(&d);
                let twice: BigInt = &rest * 2;
                if twice > d || (twice == d && quotient.is_odd()) {
                    rest -= &d;
                }
                self.rounded(rest, exponent, a.negative, exact)
            }
        }
    }

    /// The whole number that a mode rounds to, as a number again.
    pub(super) fn integral(self, x: &Number, mode: RoundingMode) -> Value {
        match x {
            Number::Finite(a) => self.rounded(a.rounded(mode), 0, a.negative, mode),
            other => self.encode(other, mode),
        }
    }
}

impl Number {
    /// The sign; a NaN has none.
    pub(super) fn is_negative(&self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } | Number::Zero { negative } => *negative,
            Number::Finite(x) => x.negative,
        }
    }

    pub(super) fn with_sign(mut self, sign: bool) -> Number {
        match &mut self {
            Number::Nan => {}
            Number::Infinite { negative }
            | Number::Zero { negative }
            | Number::Finite(Dyadic { negative, .. }) => *negative = sign,
        }
        self
    }

    /// How two numbers compare; not at all if one is a NaN.
    pub(super) fn compare(&self, other: &Number) -> Option<std::cmp::Ordering> {
        let rank = |n: &Number| match n {
            Number::Infinite { negative: true } => -2,
            Number::Infinite { negative: false } => 2,
            Number::Finite(x) if x.negative => -1,
            Number::Finite(_) => 1,
            _ => 0,
        };
        match (self, other) {
            (Number::Nan, _) | (_, Number::Nan) => None,
            (Number::Finite(x), Number::Finite(y)) => {
                let (x, y, _) = aligned(x, y);
                Some(x.cmp(&y))
            }
            _ => Some(rank(self).cmp(&rank(other))),
        }
    }
}

/// The product, not rounded.
fn product(x: &Number, y: &Number) -> Number {
    let negative = x.is_negative() != y.is_negative();
    match (x, y) {
        (Number::Nan, _)
        | (_, Number::Nan)
        | (Number::Infinite { .. }, Number::Zero { .. })
        | (Number::Zero { .. }, Number::Infinite { .. }) => Number::Nan,
        (Number::Infinite { .. }, _) | (_, Number::Infinite { .. }) => Number::Infinite { negative },
        (Number::Zero { .. }, _) | (_, Number::Zero { .. }) => Number::Zero { negative },
        (Number::Finite(a), Number::Finite(b)) => Number::Finite(Dyadic {
            negative,
            magnitude: &a.magnitude * &b.magnitude,
            exponent: a.exponent + b.exponent,
        }),
    }
}
