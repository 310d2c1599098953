//! Evaluation of floating-point operations: the functions of IEEE 754 in SMT-LIB's theory.
//!
//! The functions have no operators in [`Op`](crate::Op); they are builtins with SMT-LIB's text (`fp.add RNE`,
//! `(_ to_fp 8 24)`), the rounding mode in the text or as the first argument. Single and double precision are
//! computed by the machine's own arithmetic, which is exact IEEE 754 with rounding to nearest, ties to even; of other
//! modes, only operations that need no arithmetic in them are computed. All other operations have no value here.
//!
//! There is one NaN. Where SMT-LIB leaves the result open it is undetermined here too: the sign of the greater of two
//! zeros (`fp.max`), integers out of range, the bits of a NaN. Implementations really differ: Z3 gives
//! `fp.to_ieee_bv` of NaN any bits at all, not even a NaN's; x86 copies an operand's NaN, and makes one with its sign
//! set where no operand is one, as in 0/0.
//!
//! **Direction of error.** None: a result that is open or not computed is `None`.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{FromPrimitive, Zero};

use crate::{RoundingMode, Sort, SortId, Terms, Value};

/// The value of the builtin function with this text.
pub(super) fn evaluate(terms: &Terms, text: &str, args: &[Value], result: SortId) -> Option<Value> {
    let call = Call::parse(text)?;
    let (mode, args) = match (call.mode, args) {
        (None, [Value::RoundingMode(mode), rest @ ..]) => (Some(*mode), rest),
        (mode, args) => (mode, args),
    };
    let value = match call.indices[..] {
        [] if call.name == "fp" => constructed(args),
        [] => match args.first()? {
            Value::Float { exponent: 8, significand: 24, .. } => plain::<f32>(call.name, mode, args),
            Value::Float { exponent: 11, significand: 53, .. } => plain::<f64>(call.name, mode, args),
            _ => None,
        },
        [width] => to_integer(call.name, width, mode?, args),
        [8, 24] => to_number::<f32>(call.name, mode, args),
        [11, 53] => to_number::<f64>(call.name, mode, args),
        _ => None,
    };
    // A text does not say what it is declared as.
    value.filter(|value| has_sort(terms, value, result))
}

/// A parsed builtin: `(_ name indices…) mode`.
struct Call<'a> {
    name: &'a str,
    indices: Vec<u32>,
    mode: Option<RoundingMode>,
}

impl<'a> Call<'a> {
    fn parse(text: &'a str) -> Option<Call<'a>> {
        let text = text.trim();
        let (head, mode) = match text.strip_prefix('(') {
            Some(rest) => rest.split_once(')')?,
            None => text.split_once(char::is_whitespace).unwrap_or((text, "")),
        };
        let mut words = head.split_whitespace().filter(|&w| w != "_");
        let name = words.next()?;
        let indices = words.map(|w| w.parse().ok()).collect::<Option<_>>()?;
        let mode = match mode.trim() {
            "" => None,
            mode => Some(rounding_mode(mode)?),
        };
        Some(Call { name, indices, mode })
    }
}

fn rounding_mode(name: &str) -> Option<RoundingMode> {
    Some(match name {
        "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
        "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
        "RTP" | "roundTowardPositive" => RoundingMode::TowardPositive,
        "RTN" | "roundTowardNegative" => RoundingMode::TowardNegative,
        "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
        _ => return None,
    })
}

fn has_sort(terms: &Terms, value: &Value, sort: SortId) -> bool {
    match (value, terms.sort_of(sort)) {
        (Value::Bool(_), Sort::Bool) | (Value::Real(_), Sort::Real) => true,
        (Value::BitVec { width, .. }, Sort::BitVec(wanted)) => width == wanted,
        (Value::Float { exponent, significand, .. }, Sort::Float { exponent: e, significand: s }) => {
            exponent == e && significand == s
        }
        _ => false,
    }
}

// ---- The two formats

/// The formats that machines have: single and double precision.
trait Format: Copy + PartialOrd + Into<f64> {
    const EXPONENT: u32;
    const SIGNIFICAND: u32;
    fn from_bits(bits: u64) -> Self;
    fn bits(self) -> u64;
    /// Converts, rounding to nearest, ties to even.
    fn from_double(x: f64) -> Self;
    fn from_signed(n: i128) -> Self;
    fn from_unsigned(n: u128) -> Self;
    fn arithmetic(name: &str, x: Self, y: Self) -> Option<Self>;
    fn sqrt(self) -> Self;
    fn fused(self, y: Self, z: Self) -> Self;
    fn is_subnormal(self) -> bool;
}

macro_rules! format {
    ($type:ident, $bits:ident, $exponent:literal, $significand:literal) => {
        impl Format for $type {
            const EXPONENT: u32 = $exponent;
            const SIGNIFICAND: u32 = $significand;

            fn from_bits(bits: u64) -> Self {
                $type::from_bits(bits as $bits)
            }

            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }

            fn from_double(x: f64) -> Self {
                x as $type
            }

            fn from_signed(n: i128) -> Self {
                n as $type
            }

            fn from_unsigned(n: u128) -> Self {
                n as $type
            }

            fn arithmetic(name: &str, x: Self, y: Self) -> Option<Self> {
                Some(match name {
                    "fp.add" => x + y,
                    "fp.sub" => x - y,
                    "fp.mul" => x * y,
                    "fp.div" => x / y,
                    _ => return None,
                })
            }

            fn sqrt(self) -> Self {
                $type::sqrt(self)
            }

            fn fused(self, y: Self, z: Self) -> Self {
                self.mul_add(y, z)
            }

            fn is_subnormal(self) -> bool {
                $type::is_subnormal(self)
            }
        }
    };
}

format!(f32, u32, 8, 24);
format!(f64, u64, 11, 53);

fn double<F: Format>(x: F) -> f64 {
    x.into()
}

fn is_negative<F: Format>(x: F) -> bool {
    double(x).is_sign_negative()
}

/// The number as a value; every NaN as the same one.
fn value<F: Format>(x: F) -> Value {
    let nan = ((1 << (F::EXPONENT + 1)) - 1) << (F::SIGNIFICAND - 2);
    let bits = if double(x).is_nan() { nan } else { x.bits() };
    Value::Float { exponent: F::EXPONENT, significand: F::SIGNIFICAND, bits: BigUint::from(bits) }
}

fn number<F: Format>(value: &Value) -> Option<F> {
    match value {
        Value::Float { exponent, significand, bits }
            if (*exponent, *significand) == (F::EXPONENT, F::SIGNIFICAND) =>
        {
            Some(F::from_bits(u64::try_from(bits).ok()?))
        }
        _ => None,
    }
}

// ---- Functions

/// A function on numbers of one format.
fn plain<F: Format>(name: &str, mode: Option<RoundingMode>, args: &[Value]) -> Option<Value> {
    let numbers: Vec<F> = args.iter().map(number).collect::<Option<_>>()?;
    let nearest = mode == Some(RoundingMode::NearestEven);
    match numbers[..] {
        [x] => match (name, mode) {
            ("fp.sqrt", _) if nearest => Some(value(x.sqrt())),
            ("fp.roundToIntegral", Some(mode)) => Some(value(F::from_double(round(double(x), mode)))),
            ("fp.abs", None) => Some(value(F::from_double(double(x).abs()))),
            ("fp.neg", None) => Some(value(F::from_double(-double(x)))),
            ("fp.to_ieee_bv", None) if !double(x).is_nan() => {
                Some(Value::BitVec { width: F::EXPONENT + F::SIGNIFICAND, bits: BigUint::from(x.bits()) })
            }
            ("fp.to_real", None) => BigRational::from_float(double(x)).map(Value::Real),
            (_, None) => test(name, x).map(Value::Bool),
            _ => None,
        },
        [x, y] if mode.is_none() => comparison(name, x, y).map(Value::Bool).or_else(|| extremum(name, x, y)),
        [x, y] if nearest => F::arithmetic(name, x, y).map(value),
        [x, y, z] if nearest && name == "fp.fma" => Some(value(x.fused(y, z))),
        _ => None,
    }
}

/// The whole number that a mode rounds to; for a number of single precision the result is of single precision, too.
fn round(x: f64, mode: RoundingMode) -> f64 {
    match mode {
        RoundingMode::NearestEven => x.round_ties_even(),
        RoundingMode::NearestAway => x.round(),
        RoundingMode::TowardPositive => x.ceil(),
        RoundingMode::TowardNegative => x.floor(),
        RoundingMode::TowardZero => x.trunc(),
    }
}

fn test<F: Format>(name: &str, x: F) -> Option<bool> {
    let y = double(x);
    Some(match name {
        "fp.isNaN" => y.is_nan(),
        "fp.isInfinite" => y.is_infinite(),
        "fp.isZero" => y == 0.0,
        "fp.isSubnormal" => x.is_subnormal(),
        "fp.isNormal" => y.is_finite() && y != 0.0 && !x.is_subnormal(),
        "fp.isNegative" => !y.is_nan() && is_negative(x),
        "fp.isPositive" => !y.is_nan() && !is_negative(x),
        _ => return None,
    })
}

fn comparison<F: Format>(name: &str, x: F, y: F) -> Option<bool> {
    Some(match name {
        "fp.eq" => x == y,
        "fp.lt" => x < y,
        "fp.leq" => x <= y,
        "fp.gt" => x > y,
        "fp.geq" => x >= y,
        _ => return None,
    })
}

fn extremum<F: Format>(name: &str, x: F, y: F) -> Option<Value> {
    let (a, b) = (double(x), double(y));
    if a == 0.0 && b == 0.0 && is_negative(x) != is_negative(y) {
        return None;
    }
    let first = match name {
        "fp.min" => b.is_nan() || a < b,
        "fp.max" => b.is_nan() || a > b,
        _ => return None,
    };
    Some(value(if first { x } else { y }))
}

// ---- Conversions

/// `fp`: a number from its sign, exponent and significand.
fn constructed(args: &[Value]) -> Option<Value> {
    let [Value::BitVec { width: 1, bits: sign }, exponent, significand] = args else { return None };
    let (Value::BitVec { width: e, bits: exponent }, Value::BitVec { width: s, bits: significand }) =
        (exponent, significand)
    else {
        return None;
    };
    let bits = u64::try_from((((sign << *e) + exponent) << *s) + significand).ok()?;
    match (e, s) {
        (8, 23) => Some(value(<f32 as Format>::from_bits(bits))),
        (11, 52) => Some(value(<f64 as Format>::from_bits(bits))),
        _ => None,
    }
}

/// `(_ to_fp e s)` and `(_ to_fp_unsigned e s)`, and constants such as `(_ NaN e s)`.
fn to_number<F: Format>(name: &str, mode: Option<RoundingMode>, args: &[Value]) -> Option<Value> {
    let nearest = mode == Some(RoundingMode::NearestEven);
    let result = match (name, args) {
        ("to_fp", [Value::BitVec { width, bits }]) if mode.is_none() => {
            if *width != F::EXPONENT + F::SIGNIFICAND {
                return None;
            }
            F::from_bits(u64::try_from(bits).ok()?)
        }
        ("to_fp", [Value::BitVec { width, bits }]) if nearest => {
            F::from_signed(i128::try_from(Value::signed(*width, bits)).ok()?)
        }
        ("to_fp_unsigned", [Value::BitVec { bits, .. }]) if nearest => {
            F::from_unsigned(u128::try_from(bits).ok()?)
        }
        ("to_fp", [float @ Value::Float { .. }]) if nearest => {
            let x = number::<f32>(float).map(f64::from).or_else(|| number::<f64>(float))?;
            F::from_double(x)
        }
        ("NaN", []) => F::from_double(f64::NAN),
        ("+oo", []) => F::from_double(f64::INFINITY),
        ("-oo", []) => F::from_double(f64::NEG_INFINITY),
        ("+zero", []) => F::from_double(0.0),
        ("-zero", []) => F::from_double(-0.0),
        _ => return None,
    };
    Some(value(result))
}

/// `(_ fp.to_sbv n)` and `(_ fp.to_ubv n)`: the rounded number, if it is in range.
fn to_integer(name: &str, width: u32, mode: RoundingMode, args: &[Value]) -> Option<Value> {
    let [float] = args else { return None };
    let x = number::<f32>(float).map(f64::from).or_else(|| number::<f64>(float))?;
    let n = BigInt::from_f64(round(x, mode))?;
    let half = BigInt::from(1) << width.checked_sub(1)?;
    let in_range = match name {
        "fp.to_sbv" => -&half <= n && n < half,
        "fp.to_ubv" => n >= BigInt::zero() && n < half * 2,
        _ => return None,
    };
    in_range.then(|| Value::bit_vec(width, &n))
}
