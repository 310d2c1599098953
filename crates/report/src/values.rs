//! Concrete values: in one line for people, in full for programs.
//!
//! | value | text | JSON |
//! |---|---|---|
//! | boolean, integer | `true`, `-7` | `true`, `-7`; beyond ±2^53 a string of decimal digits |
//! | real | `0.5`, `1.0 / 3.0` | `{"type": "real", "numerator": 1, "denominator": 2}` |
//! | bit-vector | `255bv8` | `{"type": "bitvector", "width": 8, "unsigned": 255, "signed": -1}` |
//! | element of an uninterpreted sort | `ref#0` | `{"type": "element", "sort": "ref", "number": 0}` |
//! | datatype | `Cons(1, Nil())` | `{"type": "datatype", "constructor": "Cons", "arguments": […]}` |
//! | map | `[3: 1, else: 0]` | `{"type": "map", "entries": [{"index": [3], "value": 1}], "default": 0}` |

use std::collections::BTreeMap;
use std::sync::Arc;

use footpath_term::{FuncId, MapValue, RoundingMode, Sort, SortId, Terms, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// Writes values. Needs the arena for the names of sorts and of datatype constructors.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    terms: &'a Terms,
    /// The names of sorts that `terms` does not know.
    foreign: Option<&'a BTreeMap<SortId, String>>,
    sorts: usize,
    functions: usize,
}

impl<'a> Values<'a> {
    /// A writer of values over the sorts and functions of `terms`.
    pub fn new(terms: &'a Arc<Terms>) -> Values<'a> {
        // A value from an engine's own layer may have a sort that `terms` does not know. A new sort in a
        // fresh layer gets the first free number, which tells the known from the unknown.
        let unused = Sort::Bound { depth: u32::MAX, index: u32::MAX };
        let sorts = Terms::layer(Arc::clone(terms)).mk_sort(unused).index();
        Values { terms, foreign: None, sorts, functions: terms.functions().count() }
    }

    /// A writer that also knows the sorts that `foreign` names.
    pub fn naming(self, foreign: &'a BTreeMap<SortId, String>) -> Values<'a> {
        Values { foreign: Some(foreign), ..self }
    }

    /// The whole value in one line.
    pub fn text(&self, value: &Value) -> String {
        match value {
            Value::Element { sort, number } => {
                let name = self.sort_name(*sort);
                if name.contains(' ') { format!("({name})#{number}") } else { format!("{name}#{number}") }
            }
            Value::Datatype(constructor, args) => {
                format!("{}({})", self.function_name(*constructor), self.list(args))
            }
            Value::Lambda(_) => "a map by a formula".to_owned(),
            Value::Map(map) => {
                let mut parts: Vec<String> =
                    map.entries.iter().map(|(i, v)| format!("{}: {}", self.index(i), self.text(v))).collect();
                parts.extend(self.defaults(map, &|v| self.text(v)));
                format!("[{}]", parts.join(", "))
            }
            plain => plain.to_string(),
        }
    }

    /// The value in at most about `limit` characters; what is left out is an ellipsis with a number.
    pub fn short(&self, value: &Value, limit: usize) -> String {
        let whole = self.text(value);
        let length = whole.chars().count();
        if length <= limit {
            return whole;
        }
        match value {
            Value::Map(map) => self.short_map(map, limit),
            Value::Int(_) => format!("{}…({length} digits)", prefix(&whole, limit.saturating_sub(14).max(4))),
            _ => format!("{}…", prefix(&whole, limit.saturating_sub(1).max(4))),
        }
    }

    fn short_map(&self, map: &MapValue, limit: usize) -> String {
        let share = (limit / 3).max(8);
        let default = self.defaults(map, &|v| self.short(v, share)).join(", ");
        let mut text = String::from("[");
        for (shown, (index, value)) in map.entries.iter().enumerate() {
            let entry = format!("{}: {}, ", prefix(&self.index(index), share), self.short(value, share));
            if text.chars().count() + entry.chars().count() + default.chars().count() + 10 > limit {
                text.push_str(&format!("…{} more, ", map.entries.len() - shown));
                break;
            }
            text.push_str(&entry);
        }
        text + &default + "]"
    }

    /// The values everywhere else; for a polymorphic map one for each instance.
    fn defaults(&self, map: &MapValue, write: &dyn Fn(&Value) -> String) -> Vec<String> {
        if map.instances.is_empty() {
            return vec![format!("else: {}", write(&map.default))];
        }
        let instance = |(sorts, value): (&Vec<SortId>, &Value)| {
            let names: Vec<String> = sorts.iter().map(|&s| self.sort_name(s)).collect();
            format!("else {}: {}", names.join(", "), write(value))
        };
        map.instances.iter().map(instance).collect()
    }

    fn index(&self, index: &[Value]) -> String {
        match index {
            [one] => self.text(one),
            many => format!("({})", self.list(many)),
        }
    }

    fn list(&self, values: &[Value]) -> String {
        values.iter().map(|v| self.text(v)).collect::<Vec<_>>().join(", ")
    }

    fn sort_name(&self, sort: SortId) -> String {
        if sort.index() < self.sorts {
            self.terms.display_sort(sort).to_string()
        } else {
            self.foreign
                .and_then(|f| f.get(&sort).cloned())
                .unwrap_or_else(|| format!("sort{}", sort.index()))
        }
    }

    fn function_name(&self, function: FuncId) -> String {
        if (function.0 as usize) < self.functions {
            self.terms.function(function).name.to_string()
        } else {
            format!("function{}", function.0)
        }
    }

    /// The value for programs.
    pub fn json(&self, value: &Value) -> JsonValue {
        match value {
            Value::Bool(b) => JsonValue::Bool(*b),
            Value::Int(n) => JsonValue::Integer(Integer::new(n)),
            Value::Real(r) => JsonValue::Structured(Structured::Real {
                numerator: Integer::new(r.numer()),
                denominator: Integer::new(r.denom()),
            }),
            Value::BitVec { width, bits } => JsonValue::Structured(Structured::Bitvector {
                width: *width,
                unsigned: Integer::new(&BigInt::from(bits.clone())),
                signed: Integer::new(&Value::signed(*width, bits)),
            }),
            Value::Float { exponent, significand, bits } => JsonValue::Structured(Structured::Float {
                exponent: *exponent,
                significand: *significand,
                bits: format!("0x{bits:x}"),
            }),
            Value::RoundingMode(m) => {
                JsonValue::Structured(Structured::RoundingMode { name: rounding_mode(*m).to_owned() })
            }
            Value::String(s) => JsonValue::Structured(Structured::String { value: s.to_string() }),
            Value::Element { sort, number } => {
                JsonValue::Structured(Structured::Element { sort: self.sort_name(*sort), number: *number })
            }
            Value::Lambda(_) => JsonValue::Structured(Structured::String { value: self.text(value) }),
            Value::Datatype(constructor, args) => JsonValue::Structured(Structured::Datatype {
                constructor: self.function_name(*constructor),
                arguments: args.iter().map(|a| self.json(a)).collect(),
            }),
            Value::Map(map) => JsonValue::Structured(Structured::Map {
                entries: map
                    .entries
                    .iter()
                    .map(|(index, value)| Entry {
                        index: index.iter().map(|i| self.json(i)).collect(),
                        value: self.json(value),
                    })
                    .collect(),
                default: Box::new(self.json(&map.default)),
                instances: map
                    .instances
                    .iter()
                    .map(|(sorts, value)| Instance {
                        types: sorts.iter().map(|&s| self.sort_name(s)).collect(),
                        default: self.json(value),
                    })
                    .collect(),
            }),
        }
    }
}

fn rounding_mode(mode: RoundingMode) -> &'static str {
    match mode {
        RoundingMode::NearestEven => "RNE",
        RoundingMode::NearestAway => "RNA",
        RoundingMode::TowardPositive => "RTP",
        RoundingMode::TowardNegative => "RTN",
        RoundingMode::TowardZero => "RTZ",
    }
}

/// The first `n` characters.
fn prefix(text: &str, n: usize) -> String {
    text.chars().take(n).collect()
}

/// A value. Booleans and integers stand for themselves; everything else is an object with a `type`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
#[cfg_attr(feature = "schema", schemars(rename = "Value"))]
pub enum JsonValue {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Integer(Integer),
    /// Anything else.
    Structured(Structured),
}

/// An integer: a JSON number up to 2^53 in size, a string of decimal digits beyond, so that readers whose
/// numbers are doubles lose nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum Integer {
    /// Between -2^53 and 2^53.
    Small(
        #[cfg_attr(feature = "schema", schemars(range(min = -9_007_199_254_740_992_i64, max = 9_007_199_254_740_992_i64)))]
         i64,
    ),
    /// Decimal digits, perhaps after a minus sign.
    Big(#[cfg_attr(feature = "schema", schemars(regex(pattern = r"^-?[0-9]+$")))] String),
}

impl Integer {
    fn new(n: &BigInt) -> Integer {
        match n.to_i64() {
            Some(small) if small.unsigned_abs() <= 1 << 53 => Integer::Small(small),
            _ => Integer::Big(n.to_string()),
        }
    }
}

/// A value that is neither a boolean nor an integer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Structured {
    /// A rational number.
    Real {
        /// Above the line.
        numerator: Integer,
        /// Below the line; positive.
        denominator: Integer,
    },
    /// A bit-vector, in both readings.
    Bitvector {
        /// Width in bits.
        width: u32,
        /// Read without a sign.
        unsigned: Integer,
        /// Read in two's complement.
        signed: Integer,
    },
    /// A floating-point number in the IEEE interchange format.
    Float {
        /// Width of the exponent in bits.
        exponent: u32,
        /// Width of the significand in bits, the hidden bit included.
        significand: u32,
        /// Sign, exponent and significand in hexadecimal.
        bits: String,
    },
    /// A rounding mode of IEEE 754.
    RoundingMode {
        /// `RNE`, `RNA`, `RTP`, `RTN` or `RTZ`.
        name: String,
    },
    /// A string.
    String {
        /// Its characters.
        value: String,
    },
    /// An element of an uninterpreted sort; elements with different numbers are different.
    Element {
        /// The sort.
        sort: String,
        /// Which element.
        number: u32,
    },
    /// A value of an algebraic datatype.
    Datatype {
        /// Its constructor.
        constructor: String,
        /// The constructor's arguments.
        arguments: Vec<JsonValue>,
    },
    /// A total map.
    Map {
        /// Where it differs from the default.
        entries: Vec<Entry>,
        /// The value at every other index, if there are no `instances`.
        default: Box<JsonValue>,
        /// For a polymorphic map: the value at every other index, by the types its parameters have there.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "schema", schemars(default))]
        instances: Vec<Instance>,
    },
}

/// One entry of a map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Entry {
    /// The index; as many values as the map has dimensions.
    pub index: Vec<JsonValue>,
    /// The value there.
    pub value: JsonValue,
}

/// What a polymorphic map is at one choice of its type parameters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Instance {
    /// The types, as many as the map has type parameters.
    pub types: Vec<String>,
    /// The value wherever there is no entry.
    pub default: JsonValue,
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use num_rational::BigRational;

    fn arena() -> (Arc<Terms>, SortId, SortId) {
        let mut terms = Terms::new();
        let reference = terms.declare_ctor("ref", 0);
        let reference = terms.mk_sort(Sort::Ctor(reference, vec![]));
        let field = terms.declare_ctor("Field", 1);
        let field = terms.mk_sort(Sort::Ctor(field, vec![SortId::INT]));
        (Arc::new(terms), reference, field)
    }

    fn json(value: &Value) -> String {
        let (terms, ..) = arena();
        serde_json::to_string(&Values::new(&terms).json(value)).expect("values are JSON")
    }

    #[test]
    fn elements_are_named_after_their_sort() {
        let (terms, reference, field) = arena();
        let values = Values::new(&terms);
        assert_eq!(values.text(&Value::Element { sort: reference, number: 0 }), "ref#0");
        assert_eq!(values.text(&Value::Element { sort: field, number: 2 }), "(Field int)#2");
    }

    #[test]
    fn an_element_of_a_sort_that_only_an_engine_knows_still_has_a_name() {
        let (terms, ..) = arena();
        let foreign = Terms::layer(Arc::clone(&terms)).bit_vec_sort(77);
        let value = Value::Element { sort: foreign, number: 1 };
        let named = BTreeMap::from([(foreign, "bv77".to_owned())]);
        assert_eq!(Values::new(&terms).naming(&named).text(&value), "bv77#1");
        assert_eq!(Values::new(&terms).text(&value), format!("sort{}#1", foreign.index()));
    }

    #[test]
    fn maps_show_entries_then_the_default_and_elide_the_middle() {
        let (terms, ..) = arena();
        let values = Values::new(&terms);
        let mut map = MapValue::constant(SortId::INT, Value::int(0));
        for i in 1..=3 {
            map.set(vec![Value::int(i)], Value::int(i * i));
        }
        assert_eq!(values.text(&Value::Map(Arc::new(map.clone()))), "[1: 1, 2: 4, 3: 9, else: 0]");
        for i in 4..=50 {
            map.set(vec![Value::int(i)], Value::int(i * i));
        }
        let text = values.short(&Value::Map(Arc::new(map)), 40);
        assert_eq!(text, "[1: 1, 2: 4, 3: 9, …47 more, else: 0]");
    }

    #[test]
    fn a_polymorphic_map_has_a_default_for_each_instance() {
        let (terms, ..) = arena();
        let mut map = MapValue::constant(SortId::INT, Value::int(0));
        map.instances.insert(vec![SortId::BOOL], Value::from(false));
        map.instances.insert(vec![SortId::INT], Value::int(7));
        let map = Value::Map(Arc::new(map));
        assert_eq!(Values::new(&terms).text(&map), "[else bool: false, else int: 7]");
        assert!(json(&map).contains(r#""instances":[{"types":["bool"],"default":false}"#));
    }

    #[test]
    fn long_integers_say_how_long_they_are() {
        let (terms, ..) = arena();
        let big = Value::int(BigInt::from(7).pow(100));
        assert_eq!(Values::new(&terms).short(&big, 20), "323447…(85 digits)");
    }

    #[test]
    fn integers_beyond_2_to_the_53_are_strings_in_json() {
        assert_eq!(json(&Value::int(1i64 << 53)), "9007199254740992");
        assert_eq!(json(&Value::int((1i64 << 53) + 1)), "\"9007199254740993\"");
        assert_eq!(json(&Value::int(-(1i64 << 53) - 1)), "\"-9007199254740993\"");
    }

    #[test]
    fn other_values_are_objects_with_a_type() {
        let half = BigRational::new(1.into(), 2.into());
        assert_eq!(json(&Value::Real(half)), r#"{"type":"real","numerator":1,"denominator":2}"#);
        let byte = Value::BitVec { width: 8, bits: BigUint::from(255u32) };
        assert_eq!(json(&byte), r#"{"type":"bitvector","width":8,"unsigned":255,"signed":-1}"#);
        let mut map = MapValue::constant(SortId::INT, Value::from(false));
        map.set(vec![Value::int(3)], Value::from(true));
        assert_eq!(
            json(&Value::Map(Arc::new(map))),
            r#"{"type":"map","entries":[{"index":[3],"value":true}],"default":false}"#
        );
    }
}
