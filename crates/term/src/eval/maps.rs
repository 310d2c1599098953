//! Evaluation of maps, and of equality, which needs a canonical form of maps.
//!
//! Over a finite index sort one map has many descriptions: if all indices have explicit entries, the default means
//! nothing. So the evaluator keeps a canonical description, in which the default is the most frequent value (the
//! least of those): equality of values is then structural, also where maps are elements or indices of other maps.
//! Only a map with entries at half of its indices or more can need the change, so it costs nothing where it is not
//! needed. The index sorts treated as finite are those of booleans, bit-vectors and products of them.
//!
//! **Example.** Over `bool` indices, default 0 with the entry `true ↦ 1` and default 1 with the entry `false ↦ 0` are
//! the same map; both become default 0 with `true ↦ 1`.
//!
//! **Direction of error.** None. Over other sorts that may be finite (enumerations), whether two maps that differ
//! only in their defaults are equal is left undetermined.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ops::all_values;
use crate::{MapValue, Op, Sort, SortId, Terms, Value};

/// The limit on the number of indices of maps that are kept canonical, including the frequency of the default.
const FINITE: u64 = 1 << 16;

pub(super) fn evaluate(terms: &Terms, op: &Op, args: &[Value], sort: SortId) -> Option<Value> {
    match op {
        Op::ConstMap => Some(Value::Map(Arc::new(MapValue::constant(sort, args.first()?.clone())))),
        Op::Select => {
            let Value::Map(m) = args.first()? else { return None };
            ordinary(terms, m.sort).then(|| m.get(&args[1..]).clone())
        }
        Op::Store => {
            let last = args.len() - 1;
            written(terms, args.first()?.clone(), args[1..last].to_vec(), args[last].clone())
        }
        _ => None,
    }
}

/// A map after a write, if it is one without type parameters.
pub(super) fn written(terms: &Terms, map: Value, index: Vec<Value>, value: Value) -> Option<Value> {
    match map {
        Value::Map(m) if ordinary(terms, m.sort) => Some(Value::Map(store(terms, m, index, value))),
        // An index that may equal another one would be two.
        Value::Lambda(mut m) if !index.iter().any(Value::has_lambda) => {
            Arc::make_mut(&mut m).entries.insert(index, value);
            Some(Value::Lambda(m))
        }
        _ => None,
    }
}

/// A map, which is not polymorphic, after a write. It is copied only if it is shared.
pub fn store(terms: &Terms, mut map: Arc<MapValue>, index: Vec<Value>, value: Value) -> Arc<MapValue> {
    let written = Arc::make_mut(&mut map);
    written.set(index, value);
    let explicit = written.entries.len() as u64;
    if indices(terms, written.sort).is_some_and(|all| explicit * 2 >= all) {
        map = Arc::new(canonical_map(terms, Arc::unwrap_or_clone(map)));
    }
    map
}

/// Whether a map has no type parameters.
pub(super) fn ordinary(terms: &Terms, sort: SortId) -> bool {
    matches!(terms.sort_of(sort), Sort::Map { params: 0, .. })
}

/// Reads a polymorphic map at indices of the given sorts.
pub(super) fn select_at(terms: &Terms, args: &[Value], sorts: &[SortId]) -> Option<Value> {
    let Value::Map(m) = args.first()? else { return None };
    let instance = terms.map_instance(m.sort, sorts)?;
    m.get_at(&instance, &args[1..]).cloned()
}

/// Writes a polymorphic map at indices of the given sorts.
pub(super) fn store_at(terms: &Terms, args: &[Value], sorts: &[SortId]) -> Option<Value> {
    let Value::Map(m) = args.first()? else { return None };
    let instance = terms.map_instance(m.sort, sorts)?;
    let last = args.len() - 1;
    let mut map = MapValue::clone(m);
    map.set_at(&instance, args[1..last].to_vec(), args[last].clone());
    Some(Value::Map(Arc::new(map)))
}

/// The map that takes the values of `elements` over all indices of its sort.
pub(super) fn tabulate(
    terms: &Terms,
    sort: SortId,
    default: Value,
    elements: Vec<(Vec<Value>, Value)>,
) -> Value {
    let mut map = MapValue::constant(sort, default);
    for (index, value) in elements {
        map.set(index, value);
    }
    Value::Map(Arc::new(canonical_map(terms, map)))
}

/// The number of indices of a map of this sort, if it is small.
fn indices(terms: &Terms, sort: SortId) -> Option<u64> {
    let Sort::Map { params: 0, domain, .. } = terms.sort_of(sort) else { return None };
    let mut product = 1u64;
    for &d in domain {
        product = match terms.sort_of(d) {
            Sort::Bool => product * 2,
            Sort::BitVec(w) if *w <= 16 => product << w,
            _ => return None,
        };
        if product > FINITE {
            return None;
        }
    }
    Some(product)
}

fn canonical_map(terms: &Terms, mut map: MapValue) -> MapValue {
    let explicit = map.entries.len() as u64;
    if explicit == 0 {
        return map;
    }
    let Some(total) = indices(terms, map.sort).filter(|n| explicit * 2 >= *n) else { return map };
    let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
    for value in map.entries.values() {
        *counts.entry(value).or_default() += 1;
    }
    if total > explicit {
        *counts.entry(&map.default).or_default() += total - explicit;
    }
    let Some(most) = counts.values().copied().max() else { return map };
    let Some(default) = counts.into_iter().find(|(_, n)| *n == most).map(|(v, _)| v.clone()) else {
        return map;
    };
    if default == map.default {
        return map;
    }
    let Sort::Map { domain, .. } = terms.sort_of(map.sort) else { return map };
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for &d in domain {
        let Some(values) = all_values(terms, d, FINITE as usize) else { return map };
        all = all
            .iter()
            .flat_map(|prefix| {
                values.iter().map(move |v| {
                    let mut index = prefix.clone();
                    index.push(v.clone());
                    index
                })
            })
            .collect();
    }
    let mut entries = BTreeMap::new();
    for index in all {
        let value = map.get(&index);
        if *value != default {
            entries.insert(index, value.clone());
        }
    }
    map.entries = entries;
    map.default = default;
    map
}

/// The canonical description of a value that the evaluator did not compute.
pub(super) fn canonical(terms: &Terms, value: Value) -> Value {
    match value {
        Value::Map(m) if needs_care(&m) || indices(terms, m.sort).is_some() => {
            let m = MapValue::clone(&m);
            let mut map = MapValue {
                sort: m.sort,
                entries: BTreeMap::new(),
                default: canonical(terms, m.default),
                instances: m.instances.into_iter().map(|(k, v)| (k, canonical(terms, v))).collect(),
            };
            let ordinary = map.instances.is_empty();
            for (index, value) in m.entries {
                let index = index.into_iter().map(|i| canonical(terms, i)).collect();
                let value = canonical(terms, value);
                if ordinary {
                    map.set(index, value);
                } else {
                    map.entries.insert(index, value);
                }
            }
            Value::Map(Arc::new(canonical_map(terms, map)))
        }
        Value::Datatype(c, fields) => {
            Value::Datatype(c, fields.into_iter().map(|f| canonical(terms, f)).collect())
        }
        other => other,
    }
}

/// Whether a map has values that may have to be made canonical, or entries equal to its default.
fn needs_care(m: &MapValue) -> bool {
    let nested = |v: &Value| matches!(v, Value::Map(_) | Value::Datatype(..));
    nested(&m.default)
        || m.instances.values().any(nested)
        || m.entries.iter().any(|(k, v)| nested(v) || *v == m.default || k.iter().any(nested))
}

/// Whether two canonical values are equal; `None` if that is undetermined.
pub(super) fn equal(terms: &Terms, a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (
            Value::Float { exponent, significand, bits: x },
            Value::Float { exponent: e, significand: s, bits: y },
        ) if exponent == e && significand == s => {
            let nan = |bits: &num_bigint::BigUint| {
                let fraction = u64::from(significand.saturating_sub(1));
                let ones = (0..u64::from(*exponent)).all(|i| bits.bit(fraction + i));
                ones && (0..fraction).any(|i| bits.bit(i))
            };
            // There is one NaN, whatever its bits.
            Some(x == y || nan(x) && nan(y))
        }
        (Value::Map(m), Value::Map(n)) if m != n => unequal_maps(terms, m, n).then_some(false),
        (Value::Datatype(c, x), Value::Datatype(d, y)) if a != b => {
            if c != d {
                return Some(false);
            }
            let mut unknown = false;
            for (x, y) in x.iter().zip(y) {
                match equal(terms, x, y) {
                    Some(false) => return Some(false),
                    None => unknown = true,
                    Some(true) => {}
                }
            }
            (!unknown).then_some(true)
        }
        (Value::Lambda(_), _) | (_, Value::Lambda(_)) => (a == b).then_some(true),
        _ => Some(a == b),
    }
}

/// Whether two maps with different descriptions certainly differ.
fn unequal_maps(terms: &Terms, m: &MapValue, n: &MapValue) -> bool {
    let differ = |x: &Value, y: &Value| equal(terms, x, y) == Some(false);
    if !m.instances.is_empty() || !n.instances.is_empty() {
        return m.entries.iter().any(|(i, x)| n.entries.get(i).is_some_and(|y| differ(x, y)));
    }
    if m.entries.keys().chain(n.entries.keys()).any(|i| differ(m.get(i), n.get(i))) {
        return true;
    }
    // All explicit indices agree; the defaults decide if there is another index.
    differ(&m.default, &n.default) && has_other_index(terms, m, n)
}

fn has_other_index(terms: &Terms, m: &MapValue, n: &MapValue) -> bool {
    let Sort::Map { domain, .. } = terms.sort_of(m.sort) else { return false };
    let infinite = domain.iter().any(|&d| match terms.sort_of(d) {
        Sort::Int | Sort::Real | Sort::String => true,
        Sort::BitVec(w) => *w > 64,
        // There is an element for every number.
        Sort::Ctor(c, _) => terms.ctor(*c).constructors.is_empty(),
        _ => false,
    });
    if infinite {
        return true;
    }
    let mut total = 1u64;
    for &d in domain {
        total = total.saturating_mul(match terms.sort_of(d) {
            Sort::Bool => 2,
            Sort::BitVec(w) if *w < 64 => 1 << w,
            Sort::BitVec(_) => u64::MAX,
            _ => 1,
        });
    }
    let explicit = m.entries.keys().chain(n.entries.keys()).count() as u64;
    explicit < total
}
