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
use num_traits::Zero;

use super::softfloat::{Format, Number};
use crate::{RoundingMode, Sort, SortId, Terms, Value};

/// What a function makes of values.
enum Outcome {
    Value(Value),
    /// SMT-LIB does not say.
    Open,
}

/// The value of the builtin function with this text.
pub(super) fn evaluate(terms: &Terms, text: &str, args: &[Value], result: SortId) -> Option<Value> {
    match outcome(text, args)? {
        // A text does not say what it is declared as.
        Outcome::Value(value) => Some(value).filter(|value| has_sort(terms, value, result)),
        Outcome::Open => None,
    }
}

/// Whether SMT-LIB says of the builtin function with this text that its value there may be any.
pub(super) fn is_open(text: &str, args: &[Value]) -> bool {
    matches!(outcome(text, args), Some(Outcome::Open))
}

fn outcome(text: &str, args: &[Value]) -> Option<Outcome> {
    let call = Call::parse(text)?;
    let (mode, args) = match (call.mode, args) {
        (None, [Value::RoundingMode(mode), rest @ ..]) => (Some(*mode), rest),
        (mode, args) => (mode, args),
    };
    let value = match call.indices[..] {
        [] if call.name == "fp" => constructed(args)?,
        [] => return plain(call.name, mode, args),
        [width] => return to_integer(call.name, width, mode?, args),
        [exponent, significand] => to_number(call.name, Format::new(exponent, significand)?, mode, args)?,
        _ => return None,
    };
    Some(Outcome::Value(value))
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

// ---- Functions

fn format(value: &Value) -> Option<Format> {
    match value {
        Value::Float { exponent, significand, .. } => Format::new(*exponent, *significand),
        _ => None,
    }
}

/// A function on numbers of one format.
fn plain(name: &str, mode: Option<RoundingMode>, args: &[Value]) -> Option<Outcome> {
    let format = format(args.first()?)?;
    let numbers: Vec<Number> = args.iter().map(|value| format.decode(value)).collect::<Option<_>>()?;
    let value = match (name, &numbers[..], mode) {
        ("fp.sqrt", [x], Some(mode)) => format.sqrt(x, mode),
        ("fp.roundToIntegral", [x], Some(mode)) => format.integral(x, mode),
        ("fp.abs", [x], None) => format.encode(&x.clone().with_sign(false), RoundingMode::NearestEven),
        ("fp.neg", [x], None) => {
            format.encode(&x.clone().with_sign(!x.is_negative()), RoundingMode::NearestEven)
        }
        ("fp.add", [x, y], Some(mode)) => format.add(x, y, mode),
        ("fp.sub", [x, y], Some(mode)) => format.add(x, &y.clone().with_sign(!y.is_negative()), mode),
        ("fp.mul", [x, y], Some(mode)) => format.mul(x, y, mode),
        ("fp.div", [x, y], Some(mode)) => format.div(x, y, mode),
        ("fp.fma", [x, y, z], Some(mode)) => format.fused(x, y, z, mode),
        ("fp.rem", [x, y], None) => format.remainder(x, y),
        ("fp.min" | "fp.max", [x, y], None) => return Some(extremum(name == "fp.max", x, y, format)),
        ("fp.to_ieee_bv", [x], None) => match (x, &args[0]) {
            (Number::Nan, _) => return Some(Outcome::Open),
            (_, Value::Float { bits, .. }) => Value::BitVec { width: format.width(), bits: bits.clone() },
            _ => return None,
        },
        ("fp.to_real", [x], None) => match x {
            Number::Nan | Number::Infinite { .. } => return Some(Outcome::Open),
            Number::Zero { .. } => Value::Real(num_rational::BigRational::zero()),
            Number::Finite(x) => Value::Real(x.rational()),
        },
        (_, [x], None) => Value::Bool(test(name, x, &args[0], format)?),
        (_, [_, _, ..], None) => Value::Bool(comparison(name, &numbers)?),
        _ => return None,
    };
    Some(Outcome::Value(value))
}

fn test(name: &str, x: &Number, value: &Value, format: Format) -> Option<bool> {
    let subnormal = || match value {
        Value::Float { bits, .. } => {
            let magnitude = bits & ((BigUint::from(1u32) << (format.width() - 1)) - 1u32);
            (magnitude >> format.fraction()).is_zero()
        }
        _ => false,
    };
    Some(match name {
        "fp.isNaN" => *x == Number::Nan,
        "fp.isInfinite" => matches!(x, Number::Infinite { .. }),
        "fp.isZero" => matches!(x, Number::Zero { .. }),
        "fp.isSubnormal" => matches!(x, Number::Finite(_)) && subnormal(),
        "fp.isNormal" => matches!(x, Number::Finite(_)) && !subnormal(),
        "fp.isNegative" => *x != Number::Nan && x.is_negative(),
        "fp.isPositive" => *x != Number::Nan && !x.is_negative(),
        _ => return None,
    })
}

/// A comparison, of each with the next.
fn comparison(name: &str, numbers: &[Number]) -> Option<bool> {
    let holds = |order: std::cmp::Ordering| match name {
        "fp.eq" => Some(order.is_eq()),
        "fp.lt" => Some(order.is_lt()),
        "fp.leq" => Some(order.is_le()),
        "fp.gt" => Some(order.is_gt()),
        "fp.geq" => Some(order.is_ge()),
        _ => None,
    };
    holds(std::cmp::Ordering::Equal)?;
    Some(numbers.windows(2).all(|pair| pair[0].compare(&pair[1]).and_then(holds) == Some(true)))
}

fn extremum(greater: bool, x: &Number, y: &Number, format: Format) -> Outcome {
    let zeros = matches!((x, y), (Number::Zero { .. }, Number::Zero { .. }));
    if zeros && x.is_negative() != y.is_negative() {
        return Outcome::Open;
    }
    let first = match x.compare(y) {
        Some(order) => {
            if greater {
                order.is_gt()
            } else {
                order.is_lt()
            }
        }
        None => *y == Number::Nan,
    };
    Outcome::Value(format.encode(if first { x } else { y }, RoundingMode::NearestEven))
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
    let format = Format::new(*e, s.checked_add(1)?)?;
    Some(of_bits(format, &((((sign << *e) + exponent) << *s) + significand)))
}

/// The number with these bits; every NaN as the same one.
fn of_bits(format: Format, bits: &BigUint) -> Value {
    format.encode(&format.decode_bits(bits), RoundingMode::NearestEven)
}

/// `(_ to_fp e s)` and `(_ to_fp_unsigned e s)`, and constants such as `(_ NaN e s)`.
fn to_number(name: &str, to: Format, mode: Option<RoundingMode>, args: &[Value]) -> Option<Value> {
    Some(match (name, args, mode) {
        ("to_fp", [Value::BitVec { width, bits }], None) if *width == to.width() => of_bits(to, bits),
        ("to_fp", [Value::BitVec { width, bits }], Some(mode)) => {
            to.of_integer(Value::signed(*width, bits), mode)
        }
        ("to_fp_unsigned", [Value::BitVec { bits, .. }], Some(mode)) => {
            to.of_integer(BigInt::from(bits.clone()), mode)
        }
        ("to_fp", [Value::Real(r)], Some(mode)) => to.of_rational(r, mode),
        ("to_fp", [float @ Value::Float { .. }], Some(mode)) => {
            to.encode(&format(float)?.decode(float)?, mode)
        }
        ("NaN", [], None) => to.nan(),
        ("+oo", [], None) => to.infinity(false),
        ("-oo", [], None) => to.infinity(true),
        ("+zero", [], None) => to.zero(false),
        ("-zero", [], None) => to.zero(true),
        _ => return None,
    })
}

/// `(_ fp.to_sbv n)` and `(_ fp.to_ubv n)`: the number rounded, if it is in range then.
fn to_integer(name: &str, width: u32, mode: RoundingMode, args: &[Value]) -> Option<Outcome> {
    let [float] = args else { return None };
    let half = BigInt::from(1) << width.checked_sub(1)?;
    let n = match format(float)?.decode(float)? {
        Number::Nan | Number::Infinite { .. } => None,
        Number::Zero { .. } => Some(BigInt::zero()),
        Number::Finite(x) => Some(x.rounded(mode)),
    };
    let in_range = |n: &BigInt| match name {
        "fp.to_sbv" => Some(-&half <= *n && *n < half),
        "fp.to_ubv" => Some(*n >= BigInt::zero() && *n < &half * 2),
        _ => None,
    };
    in_range(&BigInt::zero())?;
    let n = n.filter(|n| in_range(n) == Some(true));
    Some(n.map_or(Outcome::Open, |n| Outcome::Value(Value::bit_vec(width, &n))))
}
