//! Serialisation of values, as text without spaces for logs.
//!
//! The forms are `T` and `F`; `i-12`; `v32:ff` for a bit-vector of 32 bits; `f8:24:3f800000` for a floating-point
//! number; and for a map its sort, its default and its cells: `m(V8)V8{v8:0;v8:1=v8:2;}`. Other values have no text.

use std::fmt::Write as _;
use std::sync::Arc;

use footpath_term::{MapValue, Sort, SortId, Terms, Value};
use num_bigint::{BigInt, BigUint};

/// How deep maps nest at most.
const DEPTH: u32 = 16;

/// Adds the text of a value, if it has one.
pub fn write_value(out: &mut String, value: &Value, terms: &Terms) -> Option<()> {
    match value {
        Value::Bool(b) => out.push(if *b { 'T' } else { 'F' }),
        Value::Int(n) => {
            let _ = write!(out, "i{n}");
        }
        Value::BitVec { width, bits } => {
            let _ = write!(out, "v{width}:{bits:x}");
        }
        Value::Float { exponent, significand, bits } => {
            let _ = write!(out, "f{exponent}:{significand}:{bits:x}");
        }
        Value::Map(map) if map.instances.is_empty() => {
            out.push('m');
            write_sort(out, map.sort, terms)?;
            out.push('{');
            write_value(out, &map.default, terms)?;
            out.push(';');
            for (index, element) in &map.entries {
                for (i, at) in index.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    write_value(out, at, terms)?;
                }
                out.push('=');
                write_value(out, element, terms)?;
                out.push(';');
            }
            out.push('}');
        }
        _ => return None,
    }
    Some(())
}

fn write_sort(out: &mut String, sort: SortId, terms: &Terms) -> Option<()> {
    match terms.sort_of(sort) {
        Sort::Bool => out.push('B'),
        Sort::Int => out.push('I'),
        Sort::BitVec(width) => {
            let _ = write!(out, "V{width}");
        }
        Sort::Map { params: 0, domain, range } => {
            out.push('(');
            for &index in domain {
                write_sort(out, index, terms)?;
            }
            out.push(')');
            write_sort(out, *range, terms)?;
        }
        _ => return None,
    }
    Some(())
}

/// The value of a whole text.
pub fn read_value(text: &str, terms: &mut Terms) -> Option<Value> {
    let mut reader = Reader { rest: text, terms, depth: 0 };
    let value = reader.value()?;
    reader.rest.is_empty().then_some(value)
}

struct Reader<'a, 't> {
    rest: &'a str,
    terms: &'t mut Terms,
    depth: u32,
}

impl<'a> Reader<'a, '_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn eat(&mut self, c: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(c)?;
        Some(())
    }

    fn word(&mut self, legal: fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !legal(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn decimal(&mut self) -> Option<u32> {
        self.word(|c| c.is_ascii_digit()).parse().ok()
    }

    fn bits(&mut self, width: u32) -> Option<BigUint> {
        self.eat(':')?;
        let bits = BigUint::parse_bytes(self.word(|c| c.is_ascii_hexdigit()).as_bytes(), 16)?;
        (bits.bits() <= u64::from(width)).then_some(bits)
    }

    fn value(&mut self) -> Option<Value> {
        Some(match self.next()? {
            'T' => Value::Bool(true),
            'F' => Value::Bool(false),
            'i' => {
                let digits = self.word(|c| c.is_ascii_digit() || c == '-');
                Value::Int(BigInt::parse_bytes(digits.as_bytes(), 10)?)
            }
            'v' => {
                let width = self.decimal()?;
                Value::BitVec { width, bits: self.bits(width)? }
            }
            'f' => {
                let exponent = self.decimal()?;
                self.eat(':')?;
                let significand = self.decimal()?;
                Value::Float { exponent, significand, bits: self.bits(exponent.checked_add(significand)?)? }
            }
            'm' => self.map()?,
            _ => return None,
        })
    }

    fn map(&mut self) -> Option<Value> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let sort = self.sort(0)?;
        let Sort::Map { domain, .. } = self.terms.sort_of(sort) else { return None };
        let indices = domain.len();
        self.eat('{')?;
        let mut map = MapValue::constant(sort, self.value()?);
        self.eat(';')?;
        while self.eat('}').is_none() {
            let mut index = Vec::with_capacity(indices);
            for i in 0..indices {
                if i > 0 {
                    self.eat(',')?;
                }
                index.push(self.value()?);
            }
            self.eat('=')?;
            let element = self.value()?;
            self.eat(';')?;
            map.set(index, element);
        }
        self.depth -= 1;
        Some(Value::Map(Arc::new(map)))
    }

    fn sort(&mut self, depth: u32) -> Option<SortId> {
        if depth > DEPTH {
            return None;
        }
        Some(match self.next()? {
            'B' => SortId::BOOL,
            'I' => SortId::INT,
            'V' => {
                let width = self.decimal()?;
                self.terms.bit_vec_sort(width)
            }
            '(' => {
                let mut domain = Vec::new();
                while self.eat(')').is_none() {
                    domain.push(self.sort(depth + 1)?);
                }
                let range = self.sort(depth + 1)?;
                self.terms.map_sort(domain, range)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        let mut terms = Terms::new();
        let byte = terms.bit_vec_sort(8);
        let inner = terms.map_sort(vec![SortId::INT, SortId::BOOL], byte);
        let outer = terms.map_sort(vec![byte], inner);
        let n = |n: i64| Value::bit_vec(8, &n.into());
        let mut cells = MapValue::constant(inner, n(0));
        cells.set(vec![Value::int(-5), Value::Bool(true)], n(200));
        let mut map = MapValue::constant(outer, Value::Map(Arc::new(MapValue::constant(inner, n(1)))));
        map.set(vec![n(3)], Value::Map(Arc::new(cells)));
        let float = Value::Float { exponent: 8, significand: 24, bits: 0x3f80_0000u32.into() };
        for value in [Value::Bool(true), Value::int(-123), n(255), float, Value::Map(Arc::new(map))] {
            let mut text = String::new();
            write_value(&mut text, &value, &terms).expect("it has a text");
            assert!(!text.contains(' '), "{text}");
            assert_eq!(read_value(&text, &mut terms).as_ref(), Some(&value), "{text}");
            for end in 0..text.len() {
                // A part of it is another value or none, and no panic.
                assert_ne!(read_value(&text[..end], &mut terms).as_ref(), Some(&value));
            }
        }
        for bad in ["", "x", "v8:1ff", "i", "m", "mV8{v8:0;}", "m(V8)V8{v8:0;v8:1}", "v99999999999:0"] {
            assert_eq!(read_value(bad, &mut terms), None, "{bad}");
        }
    }
}
