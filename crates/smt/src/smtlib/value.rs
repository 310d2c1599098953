//! The parser of values that solvers print.
//!
//! Solvers agree on the standard's notation for numbers, bit-vectors and strings, and on stores on a constant array:
//! `(store ((as const (Array Int Int)) 0) 3 7)` is the map with 7 at 3 and 0 elsewhere. Each solver has different
//! names for elements of uninterpreted sorts, which are numbered here by their text.
//!
//! **Direction of error.** A value that is not understood is `None`, never a guess.

use std::sync::Arc;

use footpath_term::{FuncId, MapValue, RoundingMode, Sort, SortId, Terms, Value};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use super::parse::Sexpr;
use crate::z3::rational;

/// The meaning of names in values.
pub(super) trait Vocabulary {
    /// The constructor of a datatype behind a name.
    fn constructor(&self, name: &str) -> Option<FuncId>;
    /// The number of an element.
    fn element(&mut self, sort: SortId, text: &str) -> u32;
}

/// The definitions of the variables of `let`.
type Lets<'a> = FxHashMap<&'a str, &'a Sexpr>;

/// The value of `sort` that `e` denotes.
pub(super) fn read(terms: &Terms, sort: SortId, e: &Sexpr, names: &mut dyn Vocabulary) -> Option<Value> {
    value(terms, sort, e, names, &Lets::default())
}

/// Resolves `let`s and their variables to their definitions.
fn resolve<'a>(mut e: &'a Sexpr, lets: &mut Lets<'a>) -> Option<&'a Sexpr> {
    for _ in 0..10_000 {
        if let Some([bindings, body]) = e.call("let") {
            for b in bindings.list()? {
                let [name, meaning] = b.list()? else { return None };
                lets.insert(name.atom()?, meaning);
            }
            e = body;
        } else if let Some(&meaning) = e.atom().and_then(|a| lets.get(a)) {
            e = meaning;
        } else {
            return Some(e);
        }
    }
    None
}

fn value<'a>(
    terms: &Terms,
    sort: SortId,
    e: &'a Sexpr,
    names: &mut dyn Vocabulary,
    lets: &Lets<'a>,
) -> Option<Value> {
    let mut lets = lets.clone();
    let e = resolve(e, &mut lets)?;
    match terms.sort_of(sort) {
        Sort::Bool => match e.atom()? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::Int => {
            let r = number(e)?;
            r.is_integer().then(|| Value::Int(r.to_integer()))
        }
        Sort::Real => Some(Value::Real(number(e)?)),
        Sort::BitVec(0) => Some(Value::BitVec { width: 0, bits: BigUint::ZERO }),
        Sort::BitVec(width) => Some(Value::BitVec { width: *width, bits: bits(e, *width)? }),
        Sort::Float { exponent, significand } => {
            let bits = float(e, *exponent, *significand)?;
            Some(Value::Float { exponent: *exponent, significand: *significand, bits })
        }
        Sort::RoundingMode => Some(Value::RoundingMode(match e.atom()? {
            "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
            "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
            "RTP" | "roundTowardPositive" => RoundingMode::TowardPositive,
            "RTN" | "roundTowardNegative" => RoundingMode::TowardNegative,
            "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
            _ => return None,
        })),
        Sort::String => match e {
            Sexpr::Text(t) => Some(Value::String(unescape(t)?.into())),
            _ => None,
        },
        Sort::Ctor(c, _) if terms.ctor(*c).constructors.is_empty() => {
            let text = match e.call("as") {
                Some([name, _]) => name.to_string(),
                _ => e.to_string(),
            };
            Some(Value::Element { sort, number: names.element(sort, &text) })
        }
        Sort::Ctor(..) => {
            let (head, fields) = match e {
                Sexpr::List(items) if e.call("as").is_none() => {
                    let (head, fields) = items.split_first()?;
                    (head, fields)
                }
                head => (head, &[][..]),
            };
            let head = head.call("as").map_or(Some(head), <[Sexpr]>::first)?;
            let f = names.constructor(head.atom()?)?;
            let sorts = terms.field_sorts(f, sort)?;
            let fields = fields.iter().zip(sorts).map(|(x, sort)| value(terms, sort, x, names, &lets));
            Some(Value::Datatype(f, fields.collect::<Option<_>>()?))
        }
        Sort::Map { params: 0, domain, range } => {
            if domain.is_empty() {
                let element = value(terms, *range, e, names, &lets)?;
                return Some(Value::Map(Arc::new(MapValue::constant(sort, element))));
            }
            Some(Value::Map(Arc::new(map(terms, sort, domain, *range, e, names, lets)?)))
        }
        Sort::RegEx | Sort::Map { .. } | Sort::Var(_) | Sort::Bound { .. } => None,
    }
}

fn map<'a>(
    terms: &Terms,
    sort: SortId,
    domain: &[SortId],
    range: SortId,
    mut e: &'a Sexpr,
    names: &mut dyn Vocabulary,
    mut lets: Lets<'a>,
) -> Option<MapValue> {
    let mut stores = Vec::new();
    let mut map = loop {
        e = resolve(e, &mut lets)?;
        if let Some([array, index, element]) = e.call("store") {
            let index = index_of(terms, domain, index, names, &lets)?;
            stores.push((index, value(terms, range, element, names, &lets)?));
            e = array;
        } else if let [head, element] = e.list()?
            && head.call("as").and_then(<[Sexpr]>::first).and_then(Sexpr::atom) == Some("const")
        {
            break MapValue::constant(sort, value(terms, range, element, names, &lets)?);
        } else if let Some([variables, body]) = e.call("lambda") {
            let [variable] = variables.list()? else { return None };
            let variable = variable.list()?.first()?.atom()?;
            break cases(terms, sort, domain, range, (variable, body), names, &lets)?;
        } else {
            return None;
        }
    };
    for (index, element) in stores.into_iter().rev() {
        map.set(index, element);
    }
    Some(map)
}

/// `(ite (= x i) a (ite … b))`.
fn cases<'a>(
    terms: &Terms,
    sort: SortId,
    domain: &[SortId],
    range: SortId,
    (variable, mut body): (&str, &'a Sexpr),
    names: &mut dyn Vocabulary,
    lets: &Lets<'a>,
) -> Option<MapValue> {
    let mut lets = lets.clone();
    let mut found = Vec::new();
    loop {
        body = resolve(body, &mut lets)?;
        let Some([condition, then, otherwise]) = body.call("ite") else { break };
        let index = match resolve(condition, &mut lets)?.call("=")? {
            [x, i] if x.atom() == Some(variable) => i,
            [i, x] if x.atom() == Some(variable) => i,
            _ => return None,
        };
        found.push((index_of(terms, domain, index, names, &lets)?, value(terms, range, then, names, &lets)?));
        body = otherwise;
    }
    let mut map = MapValue::constant(sort, value(terms, range, body, names, &lets)?);
    for (index, element) in found.into_iter().rev() {
        map.set(index, element);
    }
    Some(map)
}

/// The index of an array: several indices are a tuple.
fn index_of<'a>(
    terms: &Terms,
    domain: &[SortId],
    e: &'a Sexpr,
    names: &mut dyn Vocabulary,
    lets: &Lets<'a>,
) -> Option<Vec<Value>> {
    if let &[one] = domain {
        return Some(vec![value(terms, one, e, names, lets)?]);
    }
    let mut lets = lets.clone();
    let items = resolve(e, &mut lets)?.list()?;
    if items.len() != domain.len() + 1 {
        return None;
    }
    items[1..].iter().zip(domain).map(|(i, &d)| value(terms, d, i, names, &lets)).collect()
}

fn number(e: &Sexpr) -> Option<BigRational> {
    match e {
        Sexpr::Atom(a) => match a.split_once('.') {
            Some((whole, fraction)) => {
                let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
                Some(BigRational::new(digits, BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?)))
            }
            None => rational(a),
        },
        Sexpr::List(items) => match items.as_slice() {
            [minus, n] if minus.atom() == Some("-") => Some(-number(n)?),
            [over, n, d] if over.atom() == Some("/") => {
                let d = number(d)?;
                (*d.numer() != BigInt::ZERO).then(|| Some(number(n)? / d))?
            }
            [to_real, n] if to_real.atom() == Some("to_real") => number(n),
            _ => None,
        },
        Sexpr::Text(_) => None,
    }
}

fn bits(e: &Sexpr, width: u32) -> Option<BigUint> {
    let found = match e {
        Sexpr::Atom(a) => match a.strip_prefix("#b") {
            Some(digits) => BigUint::parse_bytes(digits.as_bytes(), 2)?,
            None => BigUint::parse_bytes(a.strip_prefix("#x")?.as_bytes(), 16)?,
        },
        _ => e.call("_")?.first()?.atom()?.strip_prefix("bv")?.parse().ok()?,
    };
    (found.bits() <= u64::from(width)).then_some(found)
}

fn float(e: &Sexpr, exponent: u32, significand: u32) -> Option<BigUint> {
    let one = BigUint::from(1u32);
    let sign = &one << (exponent + significand - 1);
    let infinity = ((&one << exponent) - 1u32) << (significand - 1);
    if let Some([s, x, m]) = e.call("fp") {
        let (s, x, m) = (bits(s, 1)?, bits(x, exponent)?, bits(m, significand - 1)?);
        return Some((s << (exponent + significand - 1)) | (x << (significand - 1)) | m);
    }
    Some(match e.call("_")?.first()?.atom()? {
        "+zero" => BigUint::ZERO,
        "-zero" => sign,
        "+oo" => infinity,
        "-oo" => sign | infinity,
        "NaN" => infinity | (one << (significand - 2)),
        _ => return None,
    })
}

/// Decodes escapes: `\u{1F600}`, `\u00e9`; other characters are kept.
fn unescape(text: &str) -> Option<String> {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        result.push_str(&rest[..at]);
        let after = &rest[at + 2..];
        let (digits, left) = match after.strip_prefix('{') {
            Some(inner) => inner.split_once('}').unwrap_or(("", after)),
            None => after.split_at_checked(4).unwrap_or(("", after)),
        };
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            result.push_str("\\u");
            rest = after;
        } else {
            result.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
            rest = left;
        }
    }
    result.push_str(rest);
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse_all;
    use super::*;

    struct None_;

    impl Vocabulary for None_ {
        fn constructor(&self, _: &str) -> Option<FuncId> {
            None
        }
        fn element(&mut self, _: SortId, text: &str) -> u32 {
            text.len() as u32
        }
    }

    fn check(terms: &Terms, sort: SortId, text: &str, expected: &str) {
        let e = parse_all(text).unwrap().remove(0);
        let read = read(terms, sort, &e, &mut None_).map_or("nothing".to_owned(), |v| v.to_string());
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn values_are_read_in_the_notations_of_all_solvers() {
        let mut terms = Terms::new();
        let bv8 = terms.bit_vec_sort(8);
        let float = terms.mk_sort(Sort::Float { exponent: 8, significand: 24 });
        let string = terms.mk_sort(Sort::String);
        let map = terms.map_sort(vec![SortId::INT], SortId::INT);
        let map2 = terms.map_sort(vec![SortId::INT, SortId::BOOL], SortId::INT);
        check(&terms, SortId::INT, "(- 12)", "-12");
        check(&terms, SortId::INT, "1.5", "nothing");
        check(&terms, SortId::REAL, "(/ (- 1) 2)", "-0.5");
        check(&terms, SortId::REAL, "(- (/ 1.0 4.0))", "-0.25");
        check(&terms, SortId::REAL, "(/ 1 0)", "nothing");
        check(&terms, SortId::REAL, "(root-obj (+ (^ x 2) (- 2)) 1)", "nothing");
        check(&terms, bv8, "#xff", "255bv8");
        check(&terms, bv8, "#b101", "5bv8");
        check(&terms, bv8, "(_ bv7 8)", "7bv8");
        check(&terms, bv8, "#xfff", "nothing");
        check(&terms, float, "(fp #b0 #x7f #b00000000000000000000000)", "0x3f800000f24e8");
        check(&terms, float, "(_ -zero 8 24)", "0x80000000f24e8");
        check(&terms, float, "(_ NaN 8 24)", "0x7fc00000f24e8");
        check(&terms, string, "\"a\\u{62}\\u0063\\uq\"", "\"abc\\\\uq\"");
        check(&terms, map, "(store ((as const (Array Int Int)) 0) 1 (- 2))", "[0][1 := -2]");
        check(&terms, map, "(let ((a!1 (store ((as const (Array Int Int)) 0) 1 2))) (store a!1 1 0))", "[0]");
        check(&terms, map, "(lambda ((x Int)) (ite (= x 3) 4 5))", "[5][3 := 4]");
        check(&terms, map, "(_ as-array f)", "nothing");
        check(&terms, map2, "(store ((as const (Array T Int)) 0) (index 1 true) 2)", "[0][1, true := 2]");
    }
}
