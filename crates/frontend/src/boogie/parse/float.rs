//! Floating-point literals and their values.
//!
//! `0x1.8e3f24e8` is the hexadecimal number 1.8 times 16³, as a number with 24 bits of significand (the hidden one
//! included) and 8 of exponent. As in Boogie, a literal must be exactly a number of its format: nothing is rounded,
//! but subnormal numbers are allowed. `0NaN24e8`, `0+oo24e8` and `0-oo24e8` are the special values.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::super::ast::Float;

/// Formats with more bits than this are refused; the largest of IEEE 754 has 237 and 19.
const MAX_SIGNIFICAND: u32 = 4096;
const MAX_EXPONENT: u32 = 30;

/// The number that the literal `text` denotes, or why it denotes none.
pub(super) fn read(text: &str) -> Result<Float, &'static str> {
    // The sizes are the last two numbers; `f`, `N` or `o` comes before them.
    let (rest, exponent) = text.rsplit_once('e').ok_or("a malformed floating-point number")?;
    let digits = rest.len() - rest.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (number, significand) = rest.split_at(digits);
    let size = |text: &str, max| text.parse().ok().filter(|&n: &u32| (2..=max).contains(&n));
    let (Some(significand), Some(exponent)) =
        (size(significand, MAX_SIGNIFICAND), size(exponent, MAX_EXPONENT))
    else {
        return Err("the sizes of this floating-point number are out of range");
    };
    let format = Format { significand, exponent };
    let bits = match number.strip_suffix('f') {
        Some(number) => format.number(number)?,
        None if number.starts_with("0+") => format.pack(false, format.top_exponent(), BigUint::zero()),
        None if number.starts_with("0-") => format.pack(true, format.top_exponent(), BigUint::zero()),
        None => format.pack(false, format.top_exponent(), BigUint::one() << (significand - 2)),
    };
    Ok(Float { significand, exponent, bits })
}

struct Format {
    significand: u32,
    exponent: u32,
}

impl Format {
    /// The exponent field of infinities and NaN.
    fn top_exponent(&self) -> u64 {
        (1 << self.exponent) - 1
    }

    fn pack(&self, negative: bool, exponent: u64, fraction: BigUint) -> BigUint {
        let sign_and_exponent = (u64::from(negative) << self.exponent) | exponent;
        (BigUint::from(sign_and_exponent) << (self.significand - 1)) | fraction
    }

    /// The bits of `[-]0xh.he[-]d`.
    fn number(&self, text: &str) -> Result<BigUint, &'static str> {
        const TOO_LARGE: &str = "the exponent of this number does not fit its format";
        const INEXACT: &str = "the significand of this number does not fit its format";
        let negative = text.starts_with('-');
        let text = text.trim_start_matches('-').trim_start_matches("0x");
        let (mantissa, exponent) = text.rsplit_once('e').ok_or(TOO_LARGE)?;
        let (whole, fraction) = mantissa.split_once('.').ok_or(INEXACT)?;
        let digits = format!("{whole}{fraction}");
        let mantissa = BigUint::parse_bytes(digits.as_bytes(), 16).ok_or(INEXACT)?;
        let exponent: i64 = exponent.parse::<i32>().map_err(|_| TOO_LARGE)?.into();
        if mantissa.is_zero() {
            return Ok(self.pack(negative, 0, mantissa));
        }
        // The number is `mantissa * 2^scale`, and its highest bit counts `2^top`.
        let scale = 4 * (exponent - fraction.len() as i64);
        let top = scale + mantissa.bits() as i64 - 1;
        let bias = (1_i64 << (self.exponent - 1)) - 1;
        if top > bias {
            return Err(TOO_LARGE);
        }
        // What the lowest bit of the significand counts, for a normal number or below the normal range.
        let normal = top >= 1 - bias;
        let unit = top.max(1 - bias) - (i64::from(self.significand) - 1);
        let shift = scale - unit;
        let significand = if shift >= 0 {
            mantissa << shift.unsigned_abs()
        } else {
            let shift = shift.unsigned_abs();
            if mantissa.trailing_zeros().unwrap_or(0) < shift {
                return Err(INEXACT);
            }
            mantissa >> shift
        };
        if !normal {
            return Ok(self.pack(negative, 0, significand));
        }
        let hidden = BigUint::one() << (self.significand - 1);
        Ok(self.pack(negative, (top + bias) as u64, significand - hidden))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a literal of single precision.
    #[track_caller]
    fn check(text: &str, expected: f32) {
        let float = read(text).expect(text);
        assert_eq!(float.bits, BigUint::from(expected.to_bits()), "{text}");
    }

    #[test]
    fn literals_have_the_bits_of_ieee_754() {
        check("0x1.0e0f24e8", 1.0);
        check("-0x1.8e0f24e8", -1.5);
        check("0x10.0e0f24e8", 16.0);
        check("0x1.0e1f24e8", 16.0);
        check("0x0.1e-1f24e8", 1.0 / 256.0);
        check("-0x0.0e0f24e8", -0.0);
        check("0x1.0e31f24e8", 2.0_f32.powi(124));
        check("0x1.0e-35f24e8", f32::from_bits(512));
        check("0x1.0e-32f24e8", f32::from_bits(1 << 21));
        check("0+oo24e8", f32::INFINITY);
        check("0-oo24e8", f32::NEG_INFINITY);
        check("0NaN24e8", f32::NAN);
    }

    #[test]
    fn nothing_is_rounded() {
        assert!(read("0x1.00000000001e0f24e8").is_err());
        assert!(read("0x1.0e400f24e8").is_err());
        assert!(read("0x1.0e-40f24e8").is_err());
        assert!(read("0x1.0e0f1e1").is_err());
        assert!(read("0x1.0e99999999999f24e8").is_err());
    }
}
