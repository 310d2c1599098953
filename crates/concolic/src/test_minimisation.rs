//! Test minimisation (delta debugging): simpler inputs that still show what a test is kept for.
//!
//! **Idea.** Inputs are made simpler as long as a concrete run still shows what the test is kept for. First all of
//! them are set to zero, then each half of them, and so on; then one input after the other is simplified: false, zero
//! and one are tried first, then the number nearest to zero that a binary search finds; a byte becomes printable if
//! it cannot be zero; the cells of a map are removed by halves, then one by one, and the remaining ones are
//! simplified like any other value. The last pass is one without a change.
//!
//! Example: the inputs `n == 1804289383, s == "\x93\x07\xf1"` of a run that only needs `n > 100` become `n == 101, s
//! == ""`.
//!
//! **Paper.** A. Zeller, R. Hildebrandt (TSE 2002).
//!
//! **Direction of error.** None; the caller runs every candidate. The result need not be minimal: the search is
//! greedy and bounded, and changes one input at a time.

use std::sync::Arc;

use footpath_ir::interp::Script;
use footpath_term::{MapValue, SymbolId, Value};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

/// The largest number of passes over all inputs.
const ROUNDS: u32 = 4;
/// What bytes are tried to be if they cannot be zero.
const PRINTABLE: [u8; 3] = [b'0', b'a', b' '];

/// Which input.
#[derive(Clone, Copy)]
enum Place {
    Entry(u32, SymbolId),
    Havoc(usize),
}

/// The simplest script that is found for which `good` holds. `good` holds for `script`, and is false when the effort
/// is spent.
pub fn minimise(script: &Script, good: &mut dyn FnMut(&Script) -> bool) -> Script {
    let mut best = script.clone();
    let mut keys: Vec<(u32, SymbolId)> = best.entries.keys().copied().collect();
    keys.sort_unstable();
    let mut places: Vec<Place> = keys.into_iter().map(|(a, s)| Place::Entry(a, s)).collect();
    places.extend((0..best.havocs.len()).map(Place::Havoc));
    if places.len() > 1 {
        clear(&mut best, &places, good);
    }
    for _ in 0..ROUNDS {
        let mut changed = false;
        for &place in &places {
            let Some(value) = at(&mut best, place).map(|v| v.clone()) else { continue };
            // A script may have very many inputs: it is changed and changed back, not copied.
            let simpler = simplify(&value, &mut |v| {
                put(&mut best, place, v.clone());
                good(&best)
            });
            changed |= simpler != value;
            put(&mut best, place, simpler);
        }
        if !changed {
            break;
        }
    }
    best
}

/// Makes all inputs zero that may be so together: all, or one half and then the other, and so on.
fn clear(best: &mut Script, places: &[Place], good: &mut dyn FnMut(&Script) -> bool) {
    let mut before = Vec::with_capacity(places.len());
    for &place in places {
        let Some(value) = at(best, place) else { continue };
        if let Some(zero) = zero(value).filter(|zero| zero != value) {
            before.push((place, std::mem::replace(value, zero)));
        }
    }
    if before.is_empty() || good(best) {
        return;
    }
    for (place, value) in before {
        put(best, place, value);
    }
    if places.len() > 2 {
        let (first, second) = places.split_at(places.len() / 2);
        clear(best, first, good);
        clear(best, second, good);
    }
}

/// The plainest value of a scalar's type.
fn zero(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(Value::Bool(false)),
        Value::Int(_) => Some(Value::Int(BigInt::zero())),
        Value::BitVec { width, .. } => Some(Value::BitVec { width: *width, bits: BigUint::zero() }),
        _ => None,
    }
}

fn put(script: &mut Script, place: Place, value: Value) {
    if let Some(slot) = at(script, place) {
        *slot = value;
    }
}

fn at(script: &mut Script, place: Place) -> Option<&mut Value> {
    match place {
        Place::Entry(activation, symbol) => script.entries.get_mut(&(activation, symbol)),
        Place::Havoc(number) => script.havocs.get_mut(number),
    }
}

/// The simplest value that is found to be good; `value` is.
fn simplify(value: &Value, good: &mut dyn FnMut(&Value) -> bool) -> Value {
    match value {
        Value::Bool(true) if good(&Value::Bool(false)) => Value::Bool(false),
        Value::Int(n) => Value::Int(number(n, &mut |m| good(&Value::Int(m.clone())))),
        Value::BitVec { width, bits } => bit_vector(*width, bits, good),
        Value::Map(map) if map.instances.is_empty() => Value::Map(Arc::new(cells(map, good))),
        other => other.clone(),
    }
}

/// The number nearest to zero; the sign is kept unless zero, one or the opposite will do.
fn number(n: &BigInt, good: &mut dyn FnMut(&BigInt) -> bool) -> BigInt {
    if n.is_zero() {
        return n.clone();
    }
    for simple in [BigInt::zero(), BigInt::one()] {
        if simple.magnitude() < n.magnitude() && good(&simple) {
            return simple;
        }
    }
    let opposite = -n;
    let mut high = if n.is_negative() && good(&opposite) { opposite } else { n.clone() };
    let sign = high.signum();
    // What is behind `low` is not good as far as is known.
    let mut low = BigInt::zero();
    while (high.abs() - &low) > BigInt::one() {
        let middle: BigInt = (high.abs() + &low) >> 1u32;
        let candidate = &middle * &sign;
        if good(&candidate) {
            high = candidate;
        } else {
            low = middle;
        }
    }
    high
}

/// Read in two's complement, and for bytes with a taste for what can be printed.
fn bit_vector(width: u32, bits: &BigUint, good: &mut dyn FnMut(&Value) -> bool) -> Value {
    let of = |bits: BigUint| Value::BitVec { width, bits };
    if width == 0 || bits.is_zero() {
        return of(bits.clone());
    }
    if width == 8 {
        let is_printable = |b: &BigUint| *b >= 0x20u8.into() && *b < 0x7fu8.into();
        let simple = std::iter::once(0).chain(PRINTABLE.into_iter().filter(|_| !is_printable(bits)));
        let found = simple.map(|b| of(BigUint::from(b))).find(|v| good(v));
        return found.unwrap_or_else(|| of(bits.clone()));
    }
    let modulus = BigInt::one() << width;
    let signed = BigInt::from(bits.clone());
    let negative = bits.bit(u64::from(width) - 1);
    let signed = if negative { signed - &modulus } else { signed };
    let back = |n: &BigInt| {
        let positive = if n.is_negative() { n + &modulus } else { n.clone() };
        of(positive.to_biguint().unwrap_or_default())
    };
    // The least number has no opposite.
    let fits = |n: &BigInt| n.is_negative() || n.bits() < u64::from(width);
    back(&number(&signed, &mut |n| fits(n) && good(&back(n))))
}

/// Fewer cells, simpler ones, and a simpler default.
fn cells(map: &MapValue, good: &mut dyn FnMut(&Value) -> bool) -> MapValue {
    let mut best = map.clone();
    let mut test = |candidate: &MapValue| good(&Value::Map(Arc::new(candidate.clone())));
    let mut size = best.entries.len();
    while size > 0 {
        let keys: Vec<Vec<Value>> = best.entries.keys().cloned().collect();
        for chunk in keys.chunks(size) {
            let mut candidate = best.clone();
            candidate.entries.retain(|key, _| !chunk.contains(key));
            if test(&candidate) {
                best = candidate;
            }
        }
        size /= 2;
    }
    let keys: Vec<Vec<Value>> = best.entries.keys().cloned().collect();
    for key in keys {
        let Some(value) = best.entries.get(&key).cloned() else { continue };
        let mut candidate = best.clone();
        let simpler = simplify(&value, &mut |v| {
            candidate.set(key.clone(), v.clone());
            test(&candidate)
        });
        best.set(key, simpler);
    }
    let mut candidate = best.clone();
    let default = simplify(&best.default, &mut |v| {
        candidate.default = v.clone();
        test(&candidate)
    });
    best.default = default;
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_near_to_zero() {
        let least = |n: i64, good: &dyn Fn(i64) -> bool| {
            let small = |m: &BigInt| i64::try_from(m.clone()).is_ok_and(good);
            i64::try_from(number(&n.into(), &mut |m| small(m))).expect("it is no larger")
        };
        assert_eq!(least(123_456, &|n| n > 1000), 1001);
        assert_eq!(least(-123_456, &|n| n < -7), -8);
        assert_eq!(least(-50, &|n| n.abs() > 9), 10);
        assert_eq!(least(99, &|_| true), 0);
    }

    #[test]
    fn the_least_number_of_a_width_stays_one() {
        let least = Value::bit_vec(32, &BigInt::from(i32::MIN));
        let Value::BitVec { width, bits } = &least else { panic!("a bit-vector") };
        assert_eq!(bit_vector(*width, bits, &mut |v| *v == least), least);
    }

    #[test]
    fn bytes_are_zero_or_printable() {
        let simple = |n: u8, good: &dyn Fn(u8) -> bool| {
            let of = |v: &Value| match v {
                Value::BitVec { bits, .. } => u8::try_from(bits.clone()).is_ok_and(good),
                _ => false,
            };
            bit_vector(8, &n.into(), &mut |v| of(v))
        };
        assert_eq!(simple(200, &|_| true), Value::bit_vec(8, &0.into()));
        assert_eq!(simple(200, &|b| b > 64), Value::bit_vec(8, &97.into()));
        assert_eq!(simple(200, &|b| b > 128), Value::bit_vec(8, &200.into()));
    }

    #[test]
    fn inputs_that_do_not_matter_are_plain_and_cells_go() {
        let mut terms = footpath_term::Terms::new();
        let byte = terms.bit_vec_sort(8);
        let sort = terms.map_sort(vec![byte], byte);
        let cell = |n: u32| Value::bit_vec(8, &n.into());
        let mut map = MapValue::constant(sort, cell(7));
        (0..20).for_each(|i| map.set(vec![cell(i)], cell(100 + i)));
        let havocs = vec![Value::Map(Arc::new(map)), Value::Bool(true), Value::int(-40)];
        let script = Script { havocs, ..Script::default() };
        let found = minimise(&script, &mut |s| match &s.havocs[0] {
            Value::Map(m) => m.entries.get(&vec![cell(9)]) == Some(&cell(109)),
            _ => false,
        });
        let mut left = MapValue::constant(sort, cell(0));
        left.set(vec![cell(9)], cell(109));
        assert_eq!(found.havocs, [Value::Map(Arc::new(left)), Value::Bool(false), Value::int(0)]);
    }
}
