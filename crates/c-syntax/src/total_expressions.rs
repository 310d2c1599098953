//! Total expressions: terms in C as expressions that are defined for all inputs, whatever overflows in them.
//!
//! **Idea.** Arithmetic of the program form is that of machines: sums wrap, a quotient by zero has a value. In C this is so
//! for unsigned types only. So a term is computed in the unsigned type that is wide enough, cut to its width, and read
//! with a sign only where a comparison asks for it. Divisions and shifts say what they are where C leaves it open.
//!
//! Example: `a + b < 0` of two numbers of type `int` becomes `(int)((unsigned)a + (unsigned)b) < 0`.
//!
//! These texts are hard to read, so they are used where a readable one says something else
//! (`translation_validation.rs`).
//!
//! **Direction of error.** A term without such an expression has none. Conversions to signed types that C leaves to
//! implementations are as all compilers make them.

use footpath_simplify::Printed;
use footpath_term::{Op, SortId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::failure_conditions::{CSyntax, UNSAYABLE};

/// Texts are no longer than this.
const LONGEST: usize = 4_000;

/// An expression with a value that is known not to be negative, or that has a signed type.
struct Made {
    text: Printed,
    /// Bits of its type after the integer promotions.
    bits: u32,
    unsigned: bool,
}

impl Made {
    fn new(text: impl Into<String>, level: u8, bits: u32, unsigned: bool) -> Made {
        Made { text: Printed::new(text, level), bits: bits.max(32), unsigned: unsigned && bits >= 32 }
    }

    /// As an operand.
    fn operand(&self) -> String {
        at(&self.text, 10)
    }
}

fn at(part: &Printed, level: u8) -> String {
    if part.level < level { format!("({})", part.text) } else { part.text.clone() }
}

/// The width of the smallest type of C that has so many bits.
fn machine(width: u32) -> Option<u32> {
    [8, 16, 32, 64, 128].into_iter().find(|&bits| width <= bits)
}

impl CSyntax<'_> {
    /// A condition as an expression that is defined for all inputs; `None` if C cannot say it.
    pub(crate) fn total_condition(&self, terms: &Terms, t: TermId) -> Option<Printed> {
        let text = self.truth(terms, t)?;
        (text.text.len() <= LONGEST).then_some(text)
    }

    /// A whole number inside of a condition on floating-point numbers.
    pub(crate) fn number_in_float(&self, terms: &Terms, t: TermId) -> Printed {
        let text = match terms.sort(t) {
            SortId::BOOL => self.truth(terms, t),
            _ => self.with_sign(terms, t).map(|made| made.text),
        };
        text.unwrap_or_else(|| Printed::atom(UNSAYABLE))
    }

    fn truth(&self, terms: &Terms, t: TermId) -> Option<Printed> {
        let term = terms.term(t);
        let all = |op: &str, level: u8| {
            let parts: Option<Vec<String>> =
                term.args.iter().map(|&a| Some(at(&self.truth(terms, a)?, 4))).collect();
            Some(Printed::new(parts?.join(op), level))
        };
        if let Some(text) = self.truth_as_named(terms, t) {
            return Some(text);
        }
        match (&term.op, term.args.as_slice()) {
            (Op::Literal(Value::Bool(b)), _) => Some(Printed::atom(u8::from(*b).to_string())),
            (Op::Not, &[a]) => Some(Printed::new(format!("!{}", at(&self.truth(terms, a)?, 10)), 10)),
            (Op::And, _) => all(" && ", 0),
            (Op::Or, _) => all(" || ", 0),
            (Op::Implies, &[a, b]) => {
                let (a, b) = (self.truth(terms, a)?, self.truth(terms, b)?);
                Some(Printed::new(format!("!{} || {}", at(&a, 10), at(&b, 4)), 0))
            }
            (Op::Ite, &[c, a, b]) => {
                let [c, a, b] = [c, a, b].map(|t| self.truth(terms, t));
                Some(Printed::new(format!("{} ? {} : {}", at(&c?, 4), at(&a?, 4), at(&b?, 4)), 0))
            }
            (Op::Eq, &[a, b]) if terms.sort(a) == SortId::BOOL => {
                let (a, b) = (self.truth(terms, a)?, self.truth(terms, b)?);
                Some(Printed::new(format!("{} == {}", at(&a, 10), at(&b, 10)), 4))
            }
            (Op::Eq, &[a, b]) => {
                let (a, b) = if terms.literal(a).is_some() { (b, a) } else { (a, b) };
                // Whether both are read with or without a sign does not matter.
                let signed = self.is_declared_signed(terms, a) || self.is_declared_signed(terms, b);
                self.compared(terms, a, "==", b, signed)
            }
            (Op::BvUlt, &[a, b]) => self.compared(terms, a, "<", b, false),
            (Op::BvUle, &[a, b]) => self.compared(terms, a, "<=", b, false),
            (Op::BvSlt, &[a, b]) => self.compared(terms, a, "<", b, true),
            (Op::BvSle, &[a, b]) => self.compared(terms, a, "<=", b, true),
            _ => None,
        }
    }

    fn compared(&self, terms: &Terms, a: TermId, op: &str, b: TermId, signed: bool) -> Option<Printed> {
        let side = |t: TermId| if signed { self.with_sign(terms, t) } else { self.without_sign(terms, t) };
        let (a, b) = (side(a)?, side(b)?);
        Some(Printed::new(format!("{} {op} {}", at(&a.text, 6), at(&b.text, 6)), 4))
    }

    fn is_declared_signed(&self, terms: &Terms, t: TermId) -> bool {
        match terms.term(t).op {
            Op::SignExtend(_) | Op::BvSdiv | Op::BvSrem => true,
            Op::Var(_) | Op::Select => self.place_name(terms, t).is_some_and(|(_, unsigned)| !unsigned),
            _ => false,
        }
    }

    /// The text of a number that has a name, and whether its type has no sign.
    fn place_name(&self, terms: &Terms, t: TermId) -> Option<(Printed, bool)> {
        let index = |t: TermId| match self.with_sign(terms, t) {
            Some(made) => made.text,
            None => Printed::atom(UNSAYABLE),
        };
        let (text, unsigned) = self.number_as_named(terms, t, &index)?;
        (!text.text.contains(UNSAYABLE)).then_some((text, unsigned))
    }

    fn width(&self, terms: &Terms, t: TermId) -> Option<u32> {
        terms.width(terms.sort(t))
    }

    fn type_of(&self, bits: u32, unsigned: bool) -> String {
        use footpath_simplify::Dialect;
        self.integer(bits, unsigned)
    }

    /// A value, read without a sign, in the unsigned type in which a term of its width is computed.
    fn wide(&self, terms: &Terms, t: TermId) -> Option<String> {
        let bits = machine(self.width(terms, t)?)?.max(32);
        let made = self.without_sign(terms, t)?;
        Some(match made.unsigned && made.bits == bits {
            true => made.operand(),
            false => format!("({}){}", self.type_of(bits, true), made.operand()),
        })
    }

    /// Cut to the width of a term. `level` is that of the text.
    fn cut(&self, text: String, level: u8, width: u32) -> Option<Made> {
        let bits = machine(width)?;
        Some(match width {
            32 | 64 | 128 => Made::new(text, level, bits, true),
            8 | 16 => Made::new(format!("({})({text})", self.type_of(bits, true)), 10, bits, true),
            _ => {
                let mask =
                    constant(&((BigInt::from(1) << width) - 1), bits.max(32), &self.type_of(128, true));
                Made::new(format!("({text}) & {mask}"), 3, bits, true)
            }
        })
    }

    /// A term as a number that is not negative.
    fn without_sign(&self, terms: &Terms, t: TermId) -> Option<Made> {
        let (term, width) = (terms.term(t), self.width(terms, t)?);
        let bits = machine(width)?;
        let ty = |bits: u32| self.type_of(bits, true);
        if let Some((text, unsigned)) = self.place_name(terms, t) {
            return Some(match unsigned && width == bits {
                true => Made { unsigned: bits >= 32, bits: bits.max(32), text },
                false => Made::new(format!("({}){}", ty(bits), at(&text, 10)), 10, bits, true),
            });
        }
        // A result in C's own arithmetic, from an operand that has its type.
        let folded = |op: &str, level: u8| {
            // Constants stand behind, and need no type of their own.
            let (numbers, others): (Vec<TermId>, Vec<TermId>) =
                term.args.iter().partition(|&&a| terms.literal(a).is_some() && term.op != Op::BvSub);
            let mut texts = Vec::new();
            for a in others {
                texts.push(self.wide(terms, a)?);
            }
            for a in numbers {
                texts.push(self.without_sign(terms, a)?.operand());
            }
            self.cut(texts.join(op), level, width)
        };
        match (&term.op, term.args.as_slice()) {
            (Op::Literal(Value::BitVec { bits: n, .. }), _) => {
                let n = BigInt::from(n.clone());
                // The suffix of a constant makes it unsigned.
                let unsigned = n.to_i64().is_none() || bits <= 32 && n.to_i32().is_none();
                Some(Made::new(constant(&n, bits.max(32), &ty(128)), 10, bits, unsigned))
            }
            (Op::BvAdd, _) => folded(" + ", 6),
            (Op::BvMul, _) => folded(" * ", 7),
            (Op::BvSub, &[_, _]) => folded(" - ", 6),
            (Op::BvAnd, _) => folded(" & ", 3),
            (Op::BvOr, _) => folded(" | ", 3),
            (Op::BvXor, _) => folded(" ^ ", 3),
            (Op::BvNeg, &[a]) => self.cut(format!("-{}", self.wide(terms, a)?), 10, width),
            (Op::BvNot, &[a]) => self.cut(format!("~{}", self.wide(terms, a)?), 10, width),
            (Op::BvUdiv | Op::BvUrem, &[a, b]) => {
                let is_quotient = term.op == Op::BvUdiv;
                let (x, y) = (self.wide(terms, a)?, self.wide(terms, b)?);
                let text = format!("{x} {} {y}", if is_quotient { "/" } else { "%" });
                if terms.literal(b).is_some_and(|n| n.as_u64() != Some(0)) {
                    return Some(Made::new(text, 7, bits, true));
                }
                let ones = constant(&((BigInt::from(1) << width) - 1), bits.max(32), &ty(128));
                let other = if is_quotient { ones } else { x };
                Some(Made::new(format!("{y} == 0 ? {other} : {text}"), 0, bits, true))
            }
            (Op::BvSdiv | Op::BvSrem | Op::BvSmod, _) => {
                let made = self.with_sign(terms, t)?;
                self.cut(format!("({}){}", ty(bits.max(32)), made.operand()), 10, width)
            }
            (Op::BvShl | Op::BvLshr, &[a, by]) => {
                let (x, by) = (self.wide(terms, a)?, self.without_sign(terms, by)?.operand());
                let op = if term.op == Op::BvShl { "<<" } else { ">>" };
                match terms.literal(term.args[1]).and_then(Value::as_u64) {
                    Some(n) if n < u64::from(width) => self.cut(format!("{x} {op} {n}"), 5, width),
                    _ => self.cut(format!("{by} < {width} ? {x} {op} {by} : 0"), 0, width),
                }
            }
            (Op::BvAshr, _) => {
                let made = self.with_sign(terms, t)?;
                self.cut(format!("({}){}", ty(bits.max(32)), made.operand()), 10, width)
            }
            (Op::Concat, _) => self.joined(terms, &term.args, width),
            (&Op::Extract(high, low), &[a]) => {
                let whole = self.wide(terms, a)?;
                let (text, level) = if low == 0 { (whole, 10) } else { (format!("{whole} >> {low}"), 5) };
                let made = self.cut(text, level, high - low + 1)?;
                Some(match width {
                    32 | 64 | 128 => Made::new(format!("({})({})", ty(bits), made.text.text), 10, bits, true),
                    _ => made,
                })
            }
            (Op::ZeroExtend(_), &[a]) => self.without_sign(terms, a),
            (Op::SignExtend(_), &[a]) => {
                let made = self.with_sign(terms, a)?;
                self.cut(format!("({}){}", ty(bits.max(32)), made.operand()), 10, width)
            }
            (Op::Ite, &[c, a, b]) => {
                let c = self.truth(terms, c)?;
                let (a, b) = (self.wide(terms, a)?, self.wide(terms, b)?);
                Some(Made::new(format!("{} ? {a} : {b}", at(&c, 4)), 0, bits, true))
            }
            _ => None,
        }
    }

    /// Parts side by side, the high ones first.
    fn joined(&self, terms: &Terms, parts: &[TermId], width: u32) -> Option<Made> {
        let bits = machine(width)?.max(32);
        let mut below = width;
        let mut texts = Vec::new();
        for &part in parts {
            below -= self.width(terms, part)?;
            let text = format!("({}){}", self.type_of(bits, true), self.without_sign(terms, part)?.operand());
            texts.push(if below == 0 { text } else { format!("({text} << {below})") });
        }
        Some(Made::new(texts.join(" | "), 3, bits, true))
    }

    /// A term as a number with a sign, in a signed type.
    fn with_sign(&self, terms: &Terms, t: TermId) -> Option<Made> {
        let (term, width) = (terms.term(t), self.width(terms, t)?);
        let bits = machine(width)?;
        let ty = |bits: u32| self.type_of(bits, false);
        if let Some((text, false)) = self.place_name(terms, t) {
            return Some(Made { text, bits: bits.max(32), unsigned: false });
        }
        match (&term.op, term.args.as_slice()) {
            (Op::Literal(Value::BitVec { bits: n, .. }), _) => {
                let n = Value::signed(width, n);
                Some(Made::new(constant(&n, bits.max(32), &self.type_of(128, true)), 10, bits, false))
            }
            (Op::SignExtend(_), &[a]) => self.with_sign(terms, a),
            (Op::ZeroExtend(_), &[a]) => {
                let made = self.without_sign(terms, a)?;
                Some(match made.unsigned {
                    true => Made::new(format!("({}){}", ty(bits), made.operand()), 10, bits, false),
                    false => made,
                })
            }
            (Op::BvSdiv | Op::BvSrem, &[a, b]) => {
                let is_quotient = term.op == Op::BvSdiv;
                let (x, y) = (self.with_sign(terms, a)?.operand(), self.with_sign(terms, b)?.operand());
                let text = format!("{x} {} {y}", if is_quotient { "/" } else { "%" });
                let known = terms.literal(b).and_then(Value::as_u64);
                if known.is_some_and(|n| n != 0 && n != u64::MAX >> (64 - width.min(64))) {
                    return Some(Made::new(text, 7, bits, false));
                }
                // Where C leaves it open.
                let (by_zero, by_minus_one) = match is_quotient {
                    true => {
                        (format!("({x} < 0 ? 1 : -1)"), format!("({})-{}", ty(bits), self.wide(terms, a)?))
                    }
                    false => (x, "0".to_owned()),
                };
                let text = format!("{y} == 0 ? {by_zero} : {y} == -1 ? {by_minus_one} : {text}");
                Some(Made::new(text, 0, bits, false))
            }
            (Op::BvAshr, &[a, by]) => {
                let (x, by) = (self.with_sign(terms, a)?.operand(), self.without_sign(terms, by)?.operand());
                Some(Made::new(format!("{x} >> ({by} < {width} ? {by} : {})", width - 1), 5, bits, false))
            }
            (Op::Ite, &[c, a, b]) => {
                let c = self.truth(terms, c)?;
                let (a, b) = (self.with_sign(terms, a)?, self.with_sign(terms, b)?);
                Some(Made::new(format!("{} ? {} : {}", at(&c, 4), a.operand(), b.operand()), 0, bits, false))
            }
            _ if width == bits => {
                let made = self.without_sign(terms, t)?;
                Some(Made::new(format!("({}){}", ty(bits), made.operand()), 10, bits, false))
            }
            _ => {
                let (wide, by) = (self.wide(terms, t)?, bits.max(32) - width);
                let text = format!("({})({wide} << {by}) >> {by}", ty(bits.max(32)));
                Some(Made::new(text, 5, bits, false))
            }
        }
    }
}

/// A number as a constant of a type of so many bits, or of one that has the same value.
fn constant(n: &BigInt, bits: u32, widest: &str) -> String {
    if let Some(small) = n.to_i64() {
        return match small {
            i64::MIN => "LONG_MIN".to_owned(),
            n if n == i64::from(i32::MIN) && bits == 32 => "INT_MIN".to_owned(),
            n if bits == 32 && n > i64::from(i32::MAX) => format!("{n}u"),
            n => n.to_string(),
        };
    }
    if let Some(large) = n.to_u64() {
        return format!("{large}u");
    }
    let ones = (BigInt::from(1) << 128) - 1;
    let n = if n.is_negative() { n + (BigInt::from(1) << 128) } else { n.clone() } & &ones;
    let low: BigInt = &n & ((BigInt::from(1) << 64) - 1);
    let high: BigInt = &n >> 64;
    format!("(({widest}){high}u << 64 | {low}u)")
}
