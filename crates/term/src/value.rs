//! Concrete values, as the interpreter computes them and as solvers return them in models.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::{FuncId, SortId, SymbolId, TermId};

/// The five rounding modes of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RoundingMode {
    /// To nearest, ties to even.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Towards positive infinity.
    TowardPositive,
    /// Towards negative infinity.
    TowardNegative,
    /// Towards zero.
    TowardZero,
}

/// A concrete value of some sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A value of sort `bool`.
    Bool(bool),
    /// A value of sort `int`.
    Int(BigInt),
    /// A value of sort `real`.
    Real(BigRational),
    /// A value of a bit-vector sort; `bits < 2^width`.
    BitVec {
        /// Width in bits.
        width: u32,
        /// The bits as an unsigned number.
        bits: BigUint,
    },
    /// A value of a floating-point sort, in the IEEE interchange format.
    Float {
        /// Width of the exponent.
        exponent: u32,
        /// Width of the significand, hidden bit included.
        significand: u32,
        /// Sign, exponent and significand, `exponent + significand` bits.
        bits: BigUint,
    },
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// A string.
    String(Arc<str>),
    /// An element of an uninterpreted sort. Elements with different numbers are different.
    Element {
        /// The sort.
        sort: SortId,
        /// Which element.
        number: u32,
    },
    /// A value of an algebraic datatype.
    Datatype(FuncId, Vec<Value>),
    /// A map.
    Map(Arc<MapValue>),
    /// A map by a formula. Whether it equals another map is not to be seen from the two values.
    Lambda(Arc<LambdaValue>),
}

/// A total map that a lambda term describes, after finitely many writes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LambdaValue {
    /// The sort of the map, one without type parameters.
    pub sort: SortId,
    /// The lambda.
    pub term: TermId,
    /// The values of its free symbols, in the symbols' order.
    pub captured: Vec<(SymbolId, Value)>,
    /// What was written, by index.
    pub entries: BTreeMap<Vec<Value>, Value>,
}

/// A total map: finitely many entries, and a default value for all other indices.
///
/// It is kept in normal form (no entry has the default's value), so that equality of values is equality of maps
/// wherever the index sort is infinite; the evaluator chooses the default of maps over finite index sorts so that
/// this holds there as well. A polymorphic map has a default for each instance, since the sort of its elements
/// depends on the instance. Its entries are identified by the values of the indices alone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MapValue {
    /// The sort of the map.
    pub sort: SortId,
    /// The values that differ from the default, by index.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The value at every other index, if there are no `instances`.
    pub default: Value,
    /// For polymorphic maps: the value at every other index, by the sorts that stand for the map's type
    /// parameters there (see [`Terms::map_instance`](crate::Terms::map_instance)).
    pub instances: BTreeMap<Vec<SortId>, Value>,
}

impl MapValue {
    /// The map that is `default` everywhere.
    pub fn constant(sort: SortId, default: Value) -> MapValue {
        MapValue { sort, entries: BTreeMap::new(), default, instances: BTreeMap::new() }
    }

    /// The value at `index`, for maps without type parameters.
    pub fn get(&self, index: &[Value]) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Changes the value at `index`, for maps without type parameters.
    pub fn set(&mut self, index: Vec<Value>, value: Value) {
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }

    /// The value at `index`, whose sorts make the map's type parameters `instance`; `None` if the map does
    /// not know that instance.
    pub fn get_at(&self, instance: &[SortId], index: &[Value]) -> Option<&Value> {
        match self.entries.get(index) {
            None if self.instances.is_empty() => Some(&self.default),
            None => self.instances.get(instance),
            found => found,
        }
    }

    /// Changes the value at `index`, whose sorts make the map's type parameters `instance`.
    pub fn set_at(&mut self, instance: &[SortId], index: Vec<Value>, value: Value) {
        let default =
            if self.instances.is_empty() { Some(&self.default) } else { self.instances.get(instance) };
        if default == Some(&value) {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }
}

/// Numbers of fewer machine words cost nothing.
const HEAVY_WORDS: u64 = 16;

impl Value {
    /// An integer.
    pub fn int(n: impl Into<BigInt>) -> Value {
        Value::Int(n.into())
    }

    /// The bit-vector of `width` bits that is `n` modulo `2^width`.
    pub fn bit_vec(width: u32, n: &BigInt) -> Value {
        let modulus = BigInt::one() << width;
        let mut r = n % &modulus;
        if r.sign() == Sign::Minus {
            r += &modulus;
        }
        Value::BitVec { width, bits: r.magnitude().clone() }
    }

    /// How many statements computing with it is like: none, unless it is a number of many machine words, whose product
    /// takes time in the square of their number. The greatest common divisor that reduces a fraction takes a step of this
    /// length for each bit of a word.
    pub fn weight(&self) -> u64 {
        let (bits, steps) = match self {
            Value::Int(n) => (n.bits(), 1),
            Value::Real(x) => (x.numer().bits().max(x.denom().bits()), 64),
            _ => return 0,
        };
        let words = bits / 64;
        if words < HEAVY_WORDS { 0 } else { words * words * steps / HEAVY_WORDS }
    }

    /// The number, if it is a non-negative one that fits.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::BitVec { bits, .. } => u64::try_from(bits).ok(),
            Value::Int(n) => u64::try_from(n).ok(),
            _ => None,
        }
    }

    /// Whether a map by a formula is in it, so that other values may be equal to it that look different.
    pub fn has_lambda(&self) -> bool {
        match self {
            Value::Lambda(_) => true,
            Value::Datatype(_, fields) => fields.iter().any(Value::has_lambda),
            Value::Map(map) => {
                let entries = map.entries.iter().flat_map(|(index, element)| index.iter().chain([element]));
                entries.chain(map.instances.values()).chain([&map.default]).any(Value::has_lambda)
            }
            _ => false,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Value::Int(n) => Some(n),
            _ => None,
        }
    }

    /// A bit-vector read in two's complement.
    pub fn signed(width: u32, bits: &BigUint) -> BigInt {
        let n = BigInt::from(bits.clone());
        if width > 0 && bits.bit(u64::from(width) - 1) { n - (BigInt::one() << width) } else { n }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

/// Boogie's notation where it has one; `*T!3` stands for the fourth element of an uninterpreted sort, and a
/// map is written `[default][i := v]…`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Real(r) => write_real(f, r),
            Value::BitVec { width, bits } => write!(f, "{bits}bv{width}"),
            Value::Float { exponent, significand, bits } => {
                write!(f, "0x{bits:x}f{significand}e{exponent}")
            }
            Value::RoundingMode(m) => f.write_str(match m {
                RoundingMode::NearestEven => "RNE",
                RoundingMode::NearestAway => "RNA",
                RoundingMode::TowardPositive => "RTP",
                RoundingMode::TowardNegative => "RTN",
                RoundingMode::TowardZero => "RTZ",
            }),
            Value::String(s) => write!(f, "{s:?}"),
            Value::Element { sort, number } => write!(f, "*T{}!{number}", sort.0),
            Value::Datatype(c, args) => {
                write!(f, "#{}(", c.0)?;
                write_list(f, args)?;
                f.write_str(")")
            }
            Value::Map(m) => {
                write!(f, "[{}]", m.default)?;
                for (index, value) in &m.entries {
                    f.write_str("[")?;
                    write_list(f, index)?;
                    write!(f, " := {value}]")?;
                }
                Ok(())
            }
            Value::Lambda(_) => f.write_str("[by a formula]"),
        }
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, values: &[Value]) -> fmt::Result {
    for (i, v) in values.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{v}")?;
    }
    Ok(())
}

/// Writes a real as a decimal where that is exact, as a quotient of decimals elsewhere.
fn write_real(f: &mut fmt::Formatter<'_>, r: &BigRational) -> fmt::Result {
    let mut denominator = r.denom().clone();
    let (two, five) = (BigInt::from(2), BigInt::from(5));
    let mut digits = 0usize;
    let (mut twos, mut fives) = (0usize, 0usize);
    while (&denominator % &two).is_zero() {
        denominator /= &two;
        twos += 1;
    }
    while (&denominator % &five).is_zero() {
        denominator /= &five;
        fives += 1;
    }
    if denominator.is_one() {
        digits = digits.max(twos).max(fives);
        let scaled = (r * BigRational::from_integer(BigInt::from(10).pow(digits as u32))).to_integer();
        let negative = scaled.cmp(&BigInt::zero()) == Ordering::Less;
        let mut text = scaled.magnitude().to_string();
        while text.len() <= digits {
            text.insert(0, '0');
        }
        let (whole, fraction) = text.split_at(text.len() - digits);
        let fraction = if fraction.is_empty() { "0" } else { fraction };
        write!(f, "{}{whole}.{fraction}", if negative { "-" } else { "" })
    } else {
        write!(f, "{}.0 / {}.0", r.numer(), r.denom())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_print_as_decimals_where_that_is_exact() {
        let real = |n: i64, d: i64| Value::Real(BigRational::new(n.into(), d.into())).to_string();
        assert_eq!(real(1, 2), "0.5");
        assert_eq!(real(-5, 4), "-1.25");
        assert_eq!(real(7, 1), "7.0");
        assert_eq!(real(1, 3), "1.0 / 3.0");
    }

    #[test]
    fn bit_vectors_wrap_and_read_back_signed() {
        let Value::BitVec { width, bits } = Value::bit_vec(8, &BigInt::from(-1)) else { unreachable!() };
        assert_eq!((width, bits.clone()), (8, BigUint::from(255u32)));
        assert_eq!(Value::signed(8, &bits), BigInt::from(-1));
    }

    #[test]
    fn setting_a_map_to_its_default_leaves_no_entry() {
        let mut m = MapValue::constant(SortId(9), Value::int(0));
        m.set(vec![Value::int(3)], Value::int(4));
        assert_eq!(m.get(&[Value::int(3)]), &Value::int(4));
        m.set(vec![Value::int(3)], Value::int(0));
        assert_eq!(m, MapValue::constant(SortId(9), Value::int(0)));
    }
}
