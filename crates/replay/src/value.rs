//! Values in C syntax: numbers, strings, initialisers of structures, and pointers by the names of what they point to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

use footpath_frontend::c::PointerShape;
use footpath_frontend::c::source::c_types::{CField, CType, CTypeId, CTypes};

use crate::image::Image;

/// So many elements of an array at most are in an initialiser; statements set what is behind them.
const MOST_ELEMENTS: u64 = 4096;

/// Writes values; notes which objects they point to.
pub(crate) struct Writer<'a> {
    pub(crate) types: &'a CTypes,
    pub(crate) shape: PointerShape,
    /// Pointers to objects, variables and functions as C writes them, by number.
    pub(crate) names: &'a BTreeMap<u32, String>,
    /// The numbers of objects that the test makes.
    pub(crate) made: Range<u32>,
    /// Numbers of objects that were mentioned.
    pub(crate) mentioned: BTreeSet<u32>,
    /// The bytes that initialisers have set.
    pub(crate) said: Vec<Range<u64>>,
    /// The pointers in unions, by offset: initialisers may have set them as another member.
    pub(crate) in_unions: BTreeMap<u64, u128>,
}

impl Writer<'_> {
    fn pointer_bytes(&self) -> u64 {
        u64::from(self.shape.bits / 8)
    }

    /// The value of a type at an offset of an object, as an initialiser.
    pub(crate) fn initialiser(&mut self, ty: CTypeId, image: &Image, offset: u64) -> String {
        let size = self.types.size(ty, self.pointer_bytes());
        match self.types.resolved(ty).clone() {
            CType::Array { element, count } => self.array(element, count.unwrap_or(0), image, offset),
            CType::Record { fields, is_union, .. } => {
                let fields = if is_union { self.telling(&fields, image, offset) } else { fields };
                let mut parts = Vec::new();
                self.fields(&fields, image, offset, &mut parts);
                if parts.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", parts.join(", ")) }
            }
            resolved => {
                self.said.push(offset..offset + size);
                if matches!(resolved, CType::Pointer(_)) {
                    self.in_unions.remove(&offset);
                } else if self.in_unions.contains_key(&offset) {
                    return "0".to_owned();
                }
                let n = image.number_at(offset, size);
                self.scalar(ty, n)
            }
        }
    }

    /// Statements for those of `size` bytes from an offset on that no initialiser has set: padding of structures, or
    /// other members of a union. `target` is the address where they go, as C.
    pub(crate) fn rest(&mut self, image: &Image, offset: u64, size: u64, target: &str) -> String {
        let mut said = std::mem::take(&mut self.said);
        said.sort_by_key(|range| range.start);
        said.push(offset + size..offset + size);
        let (mut out, mut from) = (String::new(), offset);
        for range in said {
            // What is zero to the end needs no statement.
            let end = image.end(from, range.start.saturating_sub(from));
            let gap: Vec<u8> = (from..end).map(|at| image.byte(at)).collect();
            if gap.iter().any(|&byte| byte != 0) {
                let bytes: Vec<String> = gap.iter().map(u8::to_string).collect();
                let _ = writeln!(
                    out,
                    "    footpath_copy((char *){target} + {}, (const unsigned char[]){{{}}}, {});",
                    from - offset,
                    bytes.join(", "),
                    gap.len()
                );
            }
            from = from.max(range.end);
        }
        for (at, packed) in std::mem::take(&mut self.in_unions) {
            let pointer = self.packed(packed);
            let _ = writeln!(
                out,
                "    footpath_copy((char *){target} + {}, &(void *){{{pointer}}}, sizeof(void *));",
                at - offset
            );
        }
        out
    }

    /// The member of a union that is initialised: a pointer if it holds an object's address, otherwise the largest.
    /// An address has to be written as a pointer, since a number does not know where the object will be; those in
    /// other members are noted for [`Self::rest`].
    fn telling(&mut self, fields: &[CField], image: &Image, offset: u64) -> Vec<CField> {
        let bytes = self.pointer_bytes();
        for field in fields {
            self.addresses(field.ty, image, offset + field.offset_bits / 8);
        }
        let size = |f: &CField| self.types.size(f.ty, bytes);
        let largest = fields.iter().map(size).max().unwrap_or(0);
        let is_pointer = |f: &&CField| matches!(self.types.resolved(f.ty), CType::Pointer(_));
        let is_address = self.in_unions.contains_key(&offset);
        let pointer = fields.iter().find(is_pointer).filter(|_| largest == bytes && is_address);
        pointer.or_else(|| fields.iter().max_by_key(|f| size(f))).cloned().into_iter().collect()
    }

    /// Notes the pointers of a type at an offset that point to objects with a name.
    fn addresses(&mut self, ty: CTypeId, image: &Image, offset: u64) {
        match self.types.resolved(ty).clone() {
            CType::Pointer(_) => {
                let packed = image.number_at(offset, self.pointer_bytes());
                if self.leads_somewhere(packed) {
                    self.in_unions.insert(offset, packed);
                }
            }
            CType::Record { fields, .. } => {
                for field in &fields {
                    self.addresses(field.ty, image, offset + field.offset_bits / 8);
                }
            }
            _ => {}
        }
    }

    fn fields(&mut self, fields: &[CField], image: &Image, offset: u64, parts: &mut Vec<String>) {
        for field in fields {
            if field.name.is_empty() {
                if let CType::Record { fields, is_union, .. } = self.types.resolved(field.ty).clone() {
                    let at = offset + field.offset_bits / 8;
                    let inner = if is_union { self.telling(&fields, image, at) } else { fields };
                    self.fields(&inner, image, at, parts);
                }
                continue;
            }
            let value = match field.bit_field {
                Some(width) => {
                    let first = field.offset_bits / 8;
                    let end = (field.offset_bits + u64::from(width)).div_ceil(8);
                    self.said.push(offset + first..offset + end);
                    let raw = image.number_at(offset + first, 9) >> (field.offset_bits % 8);
                    let raw = raw & ((1u128 << width) - 1);
                    let signed = matches!(self.types.resolved(field.ty), CType::Int { signed: true, .. });
                    if signed && width > 0 && raw >> (width - 1) & 1 == 1 {
                        (raw as i128 - (1i128 << width)).to_string()
                    } else {
                        raw.to_string()
                    }
                }
                None => self.initialiser(field.ty, image, offset + field.offset_bits / 8),
            };
            // What is zero need not be said.
            if !matches!(value.as_str(), "0" | "{0}" | "NULL" | "\"\"" | "0.0" | "0.0f") {
                parts.push(format!(".{} = {value}", field.name));
            }
        }
    }

    fn array(&mut self, element: CTypeId, count: u64, image: &Image, offset: u64) -> String {
        if matches!(self.types.resolved(element), CType::Int { is_char: true, bits: 8, .. }) {
            // One zero behind what is not zero, if there is room, ends a text.
            let end = (image.end(offset, count) + 1).min(offset + count);
            let bytes: Vec<u8> = (offset..end).map(|at| image.byte(at)).collect();
            if let Some(text) = text(&bytes) {
                self.said.push(offset..offset + count);
                return text;
            }
        }
        let size = self.types.size(element, self.pointer_bytes());
        let end = image.end(offset, count * size);
        let written = (end - offset).div_ceil(size.max(1)).clamp(count.min(1), MOST_ELEMENTS.min(count));
        let mut parts: Vec<String> =
            (0..written).map(|i| self.initialiser(element, image, offset + i * size)).collect();
        while parts.len() > 1 && matches!(parts.last().map(String::as_str), Some("0" | "{0}" | "NULL")) {
            parts.pop();
        }
        format!("{{{}}}", parts.join(", "))
    }

    /// A scalar from its bits.
    pub(crate) fn scalar(&mut self, ty: CTypeId, n: u128) -> String {
        match self.types.resolved(ty) {
            CType::Int { is_char: true, bits: 8, .. } if (0x20..0x7f).contains(&n) => self.character(n as u8),
            CType::Int { bits, signed, .. } => integer(n, *bits, *signed),
            CType::Enum { bits, values, .. } => {
                let value = signed_value(n, *bits);
                match values.iter().find(|(_, v)| i128::from(*v) == value) {
                    Some((name, _)) => name.clone(),
                    None => value.to_string(),
                }
            }
            CType::Bool => (n & 1).to_string(),
            CType::Float { bits: 32, .. } => single(n as u32),
            CType::Float { bits: 64, .. } => double(n as u64),
            CType::Float { .. } => long_double(n),
            CType::Pointer(_) | CType::Function { .. } => self.packed(n),
            _ => "0".to_owned(),
        }
    }

    /// A character as C writes it, if it can be printed; otherwise its number, as one with a sign.
    pub(crate) fn character(&self, byte: u8) -> String {
        match byte {
            b'\'' | b'\\' => format!("'\\{}'", byte as char),
            0x20..=0x7e => format!("'{}'", byte as char),
            _ => (byte as i8).to_string(),
        }
    }

    /// An integer as wide as an address, or an address if it points to an object that the test makes.
    pub(crate) fn word(&mut self, n: u128) -> String {
        if self.made.contains(&self.unpacked(n).0) && self.leads_somewhere(n) {
            return self.packed(n);
        }
        let value = signed_value(n, self.shape.bits);
        if value == -(1i128 << (self.shape.bits - 1)) {
            format!("({}L - 1)", value + 1)
        } else {
            format!("{value}L")
        }
    }

    /// The object and the offset of an address in memory.
    fn unpacked(&self, packed: u128) -> (u32, i64) {
        let bits = self.shape.packed_offset();
        ((packed >> bits) as u32, signed_value(packed, bits) as i64)
    }

    /// Whether an address is of an object with a name.
    fn leads_somewhere(&self, packed: u128) -> bool {
        self.names.contains_key(&self.unpacked(packed).0)
    }

    /// A pointer from its bits.
    fn packed(&mut self, n: u128) -> String {
        if u64::try_from(n).is_ok_and(|n| self.shape.is_sentinel(n)) {
            return format!("(void *){}", signed_value(n, self.shape.bits));
        }
        let (number, offset) = self.unpacked(n);
        if number != 0 && !self.leads_somewhere(n) {
            return format!("(void *){n:#x}");
        }
        self.pointer(number, offset)
    }

    /// A pointer to an object.
    pub(crate) fn pointer(&mut self, number: u32, offset: i64) -> String {
        if number == 0 {
            return if offset == 0 { "NULL".to_owned() } else { format!("(void *){offset}") };
        }
        self.mentioned.insert(number);
        match self.names.get(&number) {
            Some(name) if offset == 0 => format!("(void *){name}"),
            Some(name) => format!("(void *)((char *){name} + {offset})"),
            None => format!("(void *){number}"),
        }
    }
}

fn signed_value(n: u128, bits: u32) -> i128 {
    let bits = bits.clamp(1, 127);
    let n = n & ((1u128 << bits) - 1);
    if n >> (bits - 1) & 1 == 1 { n as i128 - (1i128 << bits) } else { n as i128 }
}

/// An integer constant of a type.
fn integer(n: u128, bits: u32, signed: bool) -> String {
    let bits = bits.clamp(1, 127);
    if signed {
        let value = signed_value(n, bits);
        // The least number has no constant of its own.
        return match (value == -(1i128 << (bits - 1)), bits) {
            (true, 32) => "(-2147483647 - 1)".to_owned(),
            (true, 64) => "(-9223372036854775807LL - 1)".to_owned(),
            _ if bits > 32 && !(-2_147_483_648..=2_147_483_647).contains(&value) => format!("{value}LL"),
            _ => value.to_string(),
        };
    }
    let value = n & ((1u128 << bits) - 1);
    match bits {
        64 if value > u128::from(u32::MAX) => format!("{value}ULL"),
        32.. if value > 2_147_483_647 => format!("{value}U"),
        _ => value.to_string(),
    }
}

/// A floating-point number of 32 bits.
pub(crate) fn single(bits: u32) -> String {
    let x = f32::from_bits(bits);
    // The shortest text that reads back as the same number.
    let text = || format!("{x:?}f");
    special(f64::from(x), "f", (bits >> 22 & 1 == 1, u64::from(bits & 0x003f_ffff))).unwrap_or_else(text)
}

/// A floating-point number of 64 bits as a constant of C.
pub fn double(bits: u64) -> String {
    let x = f64::from_bits(bits);
    let text = || format!("{x:?}");
    special(x, "", (bits >> 51 & 1 == 1, bits & 0x0007_ffff_ffff_ffff)).unwrap_or_else(text)
}

/// An infinity, or a NaN with its sign, whether it is quiet, and what else is in its fraction: programs that look at
/// the bits of numbers tell NaNs apart.
fn special(x: f64, suffix: &str, (quiet, payload): (bool, u64)) -> Option<String> {
    let sign = if x.is_sign_negative() { "-" } else { "" };
    if x.is_infinite() {
        return Some(format!("{sign}__builtin_inf{suffix}()"));
    }
    let kind = if quiet { "nan" } else { "nans" };
    let payload = if payload == 0 { String::new() } else { format!("{payload:#x}") };
    x.is_nan().then(|| format!("{sign}__builtin_{kind}{suffix}(\"{payload}\")"))
}

/// A number of 80 bits, of which 64 are its digits, the leading one among them.
pub(crate) fn long_double(n: u128) -> String {
    let (digits, exponent) = (n as u64, (n >> 64) as i32 & 0x7fff);
    let sign = if n >> 79 & 1 == 1 { "-" } else { "" };
    match (exponent, digits << 1) {
        (0x7fff, 0) => format!("{sign}__builtin_infl()"),
        (0x7fff, _) => "__builtin_nanl(\"\")".to_owned(),
        _ => format!("{sign}0x{digits:x}p{}L", exponent.max(1) - 16383 - 63),
    }
}

/// Bytes as a string literal, if they are a string whose only zeros are at the end.
pub(crate) fn text(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|&b| b == 0)?;
    if bytes[end..].iter().any(|&b| b != 0) {
        return None;
    }
    let mut literal = String::from("\"");
    for &b in &bytes[..end] {
        match b {
            b'"' => literal.push_str("\\\""),
            b'\\' => literal.push_str("\\\\"),
            b'\n' => literal.push_str("\\n"),
            b'\t' => literal.push_str("\\t"),
            b'?' => literal.push_str("\\?"),
            0x20..=0x7e => literal.push(b as char),
            // Octal, three digits: it ends by itself.
            _ => literal.push_str(&format!("\\{b:03o}")),
        }
    }
    literal.push('"');
    Some(literal)
}
