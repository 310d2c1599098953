//! The parser for numbers: integers of any width, and floating-point numbers in decimal or by their bits.

use super::super::ast::{ConstKind, FloatKind};
use num_bigint::{BigInt, Sign};

/// An integer in decimal.
pub(super) fn integer(text: &str) -> Option<ConstKind> {
    match text.parse() {
        Ok(small) => Some(ConstKind::Int(small)),
        Err(_) => Some(of_bigint(BigInt::parse_bytes(text.as_bytes(), 10)?)),
    }
}

/// An integer in hexadecimal: `u0x…` without a sign, `s0x…` in two's complement.
pub(super) fn hex_integer(text: &str) -> Option<ConstKind> {
    let (signed, digits) = match text.strip_prefix("s0x") {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix("u0x")?),
    };
    let mut value = BigInt::parse_bytes(digits.as_bytes(), 16)?;
    let bits = digits.len() as u64 * 4;
    if value.sign() == Sign::Minus {
        return None;
    }
    if signed && value.bits() == bits {
        value -= BigInt::from(1) << bits;
    }
    Some(of_bigint(value))
}

fn of_bigint(value: BigInt) -> ConstKind {
    match i64::try_from(&value) {
        Ok(small) => ConstKind::Int(small),
        Err(_) => ConstKind::BigInt(Box::new(value)),
    }
}

/// The bits of a floating-point number in the format `kind`.
pub(super) fn float_bits(text: &str, kind: FloatKind) -> Option<u128> {
    if let Some(digits) = text.strip_prefix("f0x") {
        return u128::from_str_radix(digits, 16).ok();
    }
    let Some(hex) = text.strip_prefix("0x") else {
        return from_f64(text.parse().ok()?, kind);
    };
    let (letter, digits) = match hex.as_bytes().first()? {
        letter @ (b'K' | b'L' | b'M' | b'H' | b'R') => (*letter, &hex[1..]),
        _ => (0, hex),
    };
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    match letter {
        // Two words, the lower one first.
        b'L' | b'M' => {
            let (low, high) = digits.split_at(digits.len().min(16));
            let high = if high.is_empty() { 0 } else { u64::from_str_radix(high, 16).ok()? };
            Some(u128::from(u64::from_str_radix(low, 16).ok()?) | (u128::from(high) << 64))
        }
        0 => from_f64(f64::from_bits(u64::from_str_radix(digits, 16).ok()?), kind),
        _ => u128::from_str_radix(digits, 16).ok(),
    }
}

/// `+inf`, `-inf`, `+qnan`, `-qnan`, which newer LLVM writes.
pub(super) fn float_word(text: &str, kind: FloatKind) -> Option<u128> {
    let value = match text {
        "+inf" => f64::INFINITY,
        "-inf" => f64::NEG_INFINITY,
        "+qnan" => f64::from_bits(0x7ff8 << 48),
        "-qnan" => f64::from_bits(0xfff8 << 48),
        _ => return None,
    };
    from_f64(value, kind)
}

/// The bits of a number that a double holds exactly. LLVM writes the smaller formats like doubles, and only with
/// values that fit them.
fn from_f64(value: f64, kind: FloatKind) -> Option<u128> {
    let bits = u128::from(value.to_bits());
    let (sign, exponent, fraction) = (bits >> 63, (bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    Some(match kind {
        FloatKind::Double => bits,
        FloatKind::Float => u128::from(narrow(bits as u64, 8, 23)),
        FloatKind::Half => u128::from(narrow(bits as u64, 5, 10)),
        FloatKind::Bfloat => u128::from(narrow(bits as u64, 8, 7)),
        FloatKind::PpcFp128 => bits,
        FloatKind::X86Fp80 | FloatKind::Fp128 => {
            // Without the leading bit, in 64 or 112 bits.
            let (exponent, fraction) = match (exponent, fraction) {
                (0, 0) => (0, 0),
                (0, small) => {
                    let shift = u128::from(small.leading_zeros()) - 75;
                    (0x3fff - 1022 - shift, (small << shift) & ((1 << 52) - 1))
                }
                (0x7ff, fraction) => (0x7fff, fraction),
                _ => (exponent + 0x3fff - 0x3ff, fraction),
            };
            if kind == FloatKind::Fp128 {
                (sign << 127) | (exponent << 112) | (fraction << 60)
            } else {
                let leading = u128::from(exponent != 0);
                (sign << 79) | (exponent << 64) | (leading << 63) | (fraction << 11)
            }
        }
    })
}

/// Narrows the bits of a double to a format with fewer bits, dropping those that do not fit.
fn narrow(bits: u64, exponent_bits: u32, fraction_bits: u32) -> u64 {
    let sign = (bits >> 63) << (exponent_bits + fraction_bits);
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let fraction = bits & ((1 << 52) - 1);
    let drop = 52 - fraction_bits;
    let max = (1_i64 << exponent_bits) - 1;
    let target = exponent - 1023 + (max >> 1);
    let magnitude = if exponent == 0x7ff {
        // What makes a number a NaN must not get lost with the dropped bits.
        let kept = fraction >> drop;
        let kept = if fraction != 0 && kept == 0 { 1 } else { kept };
        ((max as u64) << fraction_bits) | kept
    } else if target >= max {
        (max as u64) << fraction_bits
    } else if target > 0 {
        ((target as u64) << fraction_bits) | (fraction >> drop)
    } else {
        let shift = i64::from(drop) + 1 - target;
        if exponent == 0 || shift > 63 { 0 } else { (fraction | (1 << 52)) >> shift }
    };
    sign | magnitude
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_decimal_and_by_the_bits_of_a_double_mean_the_same() {
        for (text, value) in [("1.5", 1.5_f32), ("0x3FF8000000000000", 1.5), ("0x36A0000000000000", 1e-45)] {
            assert_eq!(float_bits(text, FloatKind::Float), Some(u128::from(value.to_bits())), "{text}");
        }
        assert_eq!(float_bits("-0.0", FloatKind::Float), Some(1 << 31));
        assert_eq!(float_bits("0x7FF8000000000000", FloatKind::Float), Some(0x7fc0_0000));
        assert_eq!(float_bits("0x7FF0000000000000", FloatKind::Half), Some(0x7c00));
        assert_eq!(float_bits("1.0", FloatKind::Double), Some(u128::from(1.0_f64.to_bits())));
    }

    #[test]
    fn wide_formats_are_written_by_their_words() {
        assert_eq!(float_bits("0xK3FFF8000000000000000", FloatKind::X86Fp80), Some(0x3fff << 64 | 1 << 63));
        assert_eq!(float_bits("1.0", FloatKind::X86Fp80), Some(0x3fff << 64 | 1 << 63));
        let one = Some(0x3fff << 112);
        assert_eq!(float_bits("0xL00000000000000003FFF000000000000", FloatKind::Fp128), one);
        assert_eq!(float_bits("1.0", FloatKind::Fp128), one);
        assert_eq!(float_bits("0xH3C00", FloatKind::Half), Some(0x3c00));
        assert_eq!(float_bits("0xR3F80", FloatKind::Bfloat), Some(0x3f80));
        assert_eq!(float_bits("0x", FloatKind::Double), None);
        assert_eq!(float_bits("4.9406564584124654e-324", FloatKind::X86Fp80), Some(0x3bcd << 64 | 1 << 63));
    }

    #[test]
    fn integers_of_any_width_are_read() {
        assert_eq!(integer("-5"), Some(ConstKind::Int(-5)));
        assert!(matches!(integer("340282366920938463463374607431768211455"), Some(ConstKind::BigInt(_))));
        assert_eq!(hex_integer("s0xFF"), Some(ConstKind::Int(-1)));
        assert_eq!(hex_integer("u0xFF"), Some(ConstKind::Int(255)));
    }
}
