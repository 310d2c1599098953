//! Floating-point conditions in C syntax.
//!
//! The program form stores floating-point numbers as their bits and computes with the solver's functions
//! (`frontend/src/c/lower/float.rs`); the bits of a result are a choice between a NaN's and the number's. The printer
//! reverses this translation: `x < 0.5`, `sqrt(x) > y`, `isnan(x)`. If a program looks at the bits themselves, they are read
//! through a union.

use footpath_frontend::c::source::c_types::{CType, CTypeId};
use footpath_simplify::{Dialect, Printed};
use footpath_term::{FuncKind, Op, Sort, TermId, Terms, Value};

use super::CSyntax;

/// A relation between floating-point numbers.
enum Relation {
    Compares(Printed, &'static str, Printed),
    Is(Printed),
}

/// What a part that is no floating-point number is in C.
type Inner<'a> = &'a dyn Fn(TermId) -> Printed;

impl CSyntax<'_> {
    pub(super) fn is_float(&self, ty: CTypeId) -> bool {
        matches!(self.lowered.types.resolved(ty), CType::Float { bits: 32 | 64, .. })
    }

    /// Whether a term is the bits of a floating-point number of the source.
    pub(super) fn is_float_place(&self, terms: &Terms, t: TermId) -> bool {
        let ty = match terms.term(t).op {
            Op::Var(s) => self.names.get(&s).and_then(|(_, ty)| *ty),
            Op::Select => self.read(terms, t).and_then(|(_, ty)| ty),
            _ => None,
        };
        ty.is_some_and(|ty| self.is_float(ty))
    }

    /// A comparison of floating-point numbers, what kind of number one is, or its sign; or that it is not so.
    pub(super) fn float_condition(
        &self,
        terms: &Terms,
        t: TermId,
        positive: bool,
        inner: Inner<'_>,
    ) -> Option<Printed> {
        let negated = |text: Printed| Printed::new(format!("!{}", at(text, 10)), 10);
        let (left, operator, right) = match self.float_relation(terms, t, inner)? {
            Relation::Is(text) => return Some(if positive { text } else { negated(text) }),
            Relation::Compares(left, operator, right) => (left, operator, right),
        };
        let compared =
            |operator: &str| Printed::new(format!("{} {operator} {}", at(left, 5), at(right, 5)), 4);
        // Of a NaN it neither holds that it is less nor that it is not.
        Some(match (positive, operator) {
            (true, _) => compared(operator),
            (false, "==") => compared("!="),
            (false, _) => negated(compared(operator)),
        })
    }

    fn float_relation(&self, terms: &Terms, t: TermId, inner: Inner<'_>) -> Option<Relation> {
        let term = terms.term(t);
        if let (Op::BvSlt | Op::BvSle, &[a, b]) = (&term.op, term.args.as_slice()) {
            return self.sign(terms, term.op == Op::BvSlt, a, b, inner).map(Relation::Is);
        }
        let is = |name: &str, x: Option<Printed>| Some(Relation::Is(call(name, &x?)));
        let name = builtin(terms, t)?;
        let number = |t: TermId| self.float(terms, t, inner);
        let operator = match (name, term.args.as_slice()) {
            ("fp.isNaN", &[x]) => return is("isnan", number(x)),
            ("fp.isInfinite", &[x]) => return is("isinf", number(x)),
            ("fp.eq", &[x, y]) => {
                if let Some(x) = infinite(terms, x, y).or_else(|| infinite(terms, y, x)) {
                    return is("isinf", self.float_of(terms, x, inner));
                }
                "=="
            }
            ("fp.lt", _) => "<",
            ("fp.leq", _) => "<=",
            ("fp.gt", _) => ">",
            ("fp.geq", _) => ">=",
            _ => return None,
        };
        let &[x, y] = term.args.as_slice() else { return None };
        let (left, right) = (number(x)?, number(y)?);
        // The constant stands to the right.
        Some(match is_constant(terms, x) && !is_constant(terms, y) {
            true => Relation::Compares(right, turned(operator), left),
            false => Relation::Compares(left, operator, right),
        })
    }

    /// The sign that the bits of a number are compared with 0 for.
    fn sign(&self, terms: &Terms, strict: bool, a: TermId, b: TermId, inner: Inner<'_>) -> Option<Printed> {
        let is = |t: TermId, n: i32| match terms.literal(t) {
            Some(Value::BitVec { width, bits }) => Value::signed(*width, bits) == n.into(),
            _ => false,
        };
        let (x, has) = match strict {
            true if is(b, 0) => (a, true),
            true if is(a, -1) => (b, false),
            false if is(b, -1) => (a, true),
            false if is(a, 0) => (b, false),
            _ => return None,
        };
        if !self.is_float_place(terms, x) {
            return None;
        }
        let sign = call("signbit", &self.float_of(terms, x, inner)?);
        Some(if has { sign } else { Printed::new(format!("!{}", sign.text), 10) })
    }

    /// A term of a floating-point sort.
    fn float(&self, terms: &Terms, t: TermId, inner: Inner<'_>) -> Option<Printed> {
        let term = terms.term(t);
        let number = |i: usize| self.float(terms, term.args[i], inner);
        let infix = |operator: &str, level: u8| {
            let text = format!("{} {operator} {}", at(number(0)?, level), at(number(1)?, level + 1));
            Some(Printed::new(text, level))
        };
        let Sort::Float { significand, .. } = terms.sort_of(term.sort) else { return None };
        let single = *significand == 24;
        let rounded =
            |name: &str| Some(call(&format!("{name}{}", if single { "f" } else { "" }), &number(0)?));
        match (builtin(terms, t)?, term.args.len()) {
            ("fp.add RNE", 2) => infix("+", 6),
            ("fp.sub RNE", 2) => infix("-", 6),
            ("fp.mul RNE", 2) => infix("*", 7),
            ("fp.div RNE", 2) => infix("/", 7),
            ("fp.sqrt RNE", 1) => rounded("sqrt"),
            ("fp.roundToIntegral RTN", 1) => rounded("floor"),
            ("fp.roundToIntegral RTP", 1) => rounded("ceil"),
            ("fp.roundToIntegral RTZ", 1) => rounded("trunc"),
            ("fp.roundToIntegral RNA", 1) => rounded("round"),
            ("fp.roundToIntegral RNE", 1) => rounded("rint"),
            ("fp.abs", 1) => rounded("fabs"),
            ("fp.neg", 1) => Some(minus(number(0)?)),
            (name, 1) if name.starts_with("(_ to_fp") => {
                let (from, ty) = (term.args[0], if single { "float" } else { "double" });
                if !name.ends_with(" RNE") {
                    return self.float_of(terms, from, inner);
                }
                let from = match terms.sort_of(terms.sort(from)) {
                    Sort::Float { .. } => self.float(terms, from, inner)?,
                    _ if name.starts_with("(_ to_fp_unsigned") => self.unsigned_number(terms, from, inner),
                    _ => inner(from),
                };
                Some(Printed::new(format!("({ty}){}", at(from, 10)), 10))
            }
            _ => None,
        }
    }

    /// An integer that is read without a sign.
    fn unsigned_number(&self, terms: &Terms, t: TermId, inner: Inner<'_>) -> Printed {
        let text = inner(t);
        if self.is_unsigned(terms, t) == Some(true) {
            return text;
        }
        let bits = terms.width(terms.sort(t)).unwrap_or(32);
        let ty = self.integer(bits, true);
        Printed::new(format!("({ty}){}", at(text, 10)), 10)
    }

    /// The number that has some bits.
    fn float_of(&self, terms: &Terms, bits: TermId, inner: Inner<'_>) -> Option<Printed> {
        let term = terms.term(bits);
        let number = |t: TermId| self.float_of(terms, t, inner);
        match (&term.op, term.args.as_slice()) {
            (Op::Literal(Value::BitVec { width, bits }), _) => constant(*width, bits.try_into().ok()?),
            (Op::Var(_) | Op::Select, _) if self.is_float_place(terms, bits) => {
                self.named(terms, bits, inner)
            }
            (Op::Select | Op::Concat, _) => {
                let (text, ty) = self.joined_cells(terms, bits, true, Some(inner))?;
                ty.is_some_and(|ty| self.is_float(ty)).then(|| Printed::atom(text))
            }
            (Op::Apply(_), &[x]) if builtin(terms, bits) == Some("fp.to_ieee_bv") => {
                self.float(terms, x, inner)
            }
            // A NaN's bits are not the number's.
            (Op::Ite, &[is_nan, _, plain]) if builtin(terms, is_nan) == Some("fp.isNaN") => {
                let x = terms.term(is_nan).args[0];
                let is_it = builtin(terms, plain) == Some("fp.to_ieee_bv") && terms.term(plain).args[0] == x;
                is_it.then(|| self.float(terms, x, inner))?
            }
            (Op::BvAnd, _) => {
                let single = terms.width(term.sort) == Some(32);
                let x = absolute(terms, bits)?;
                Some(call(if single { "fabsf" } else { "fabs" }, &number(x)?))
            }
            (Op::BvXor, &[a, b]) => {
                let (x, mask) = if terms.literal(a).is_some() { (b, a) } else { (a, b) };
                let width = terms.width(term.sort)?;
                let is_sign = terms.literal(mask).and_then(Value::as_u64) == Some(1 << (width - 1));
                if is_sign { number(x).map(minus) } else { None }
            }
            (Op::Ite, &[condition, a, b]) => {
                let (condition, a, b) = (inner(condition), number(a)?, number(b)?);
                let text = format!("{} ? {} : {}", at(condition, 1), at(a, 1), at(b, 1));
                Some(Printed::new(text, 0))
            }
            _ => None,
        }
    }
}

/// A floating-point number of so many bits as C writes it; what else is in a NaN does not show.
pub(super) fn constant(width: u32, bits: u64) -> Option<Printed> {
    let (x, text) = match width {
        32 => {
            let x = f32::from_bits(u32::try_from(bits).ok()?);
            (f64::from(x), format!("{x:?}f"))
        }
        64 => (f64::from_bits(bits), format!("{:?}", f64::from_bits(bits))),
        _ => return None,
    };
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let text = match (x.is_nan(), x.is_infinite()) {
        (true, _) => format!("{sign}NAN"),
        (_, true) => format!("{sign}INFINITY"),
        _ => text,
    };
    Some(if text.starts_with('-') { Printed::new(text, 10) } else { Printed::atom(text) })
}

/// The text of the solver's function that a term applies.
fn builtin(terms: &Terms, t: TermId) -> Option<&str> {
    let Op::Apply(f) = terms.term(t).op else { return None };
    match &terms.function(f).kind {
        FuncKind::Builtin(text) => Some(text),
        _ => None,
    }
}

/// The bits of which a term clears the sign.
fn absolute(terms: &Terms, t: TermId) -> Option<TermId> {
    let term = terms.term(t);
    let (Op::BvAnd, &[a, b]) = (&term.op, term.args.as_slice()) else { return None };
    let (x, mask) = if terms.literal(a).is_some() { (b, a) } else { (a, b) };
    let width = terms.width(term.sort)?;
    (terms.literal(mask)?.as_u64()? == (1 << (width - 1)) - 1).then_some(x)
}

/// The bits of the number whose absolute value is compared with infinity.
fn infinite(terms: &Terms, x: TermId, limit: TermId) -> Option<TermId> {
    let bits_of = |t: TermId| {
        let is_number =
            builtin(terms, t).is_some_and(|name| name.starts_with("(_ to_fp ") && name.ends_with(')'));
        is_number.then(|| terms.term(t).args[0])
    };
    let limit = bits_of(limit)?;
    let is_infinity = match terms.literal(limit)? {
        Value::BitVec { width: 32, bits } => {
            u32::try_from(bits).is_ok_and(|b| f32::from_bits(b) == f32::INFINITY)
        }
        Value::BitVec { width: 64, bits } => {
            u64::try_from(bits).is_ok_and(|b| f64::from_bits(b) == f64::INFINITY)
        }
        _ => false,
    };
    absolute(terms, bits_of(x)?).filter(|_| is_infinity)
}

fn is_constant(terms: &Terms, t: TermId) -> bool {
    terms.post_order(&[t]).iter().all(|&t| matches!(terms.term(t).op, Op::Literal(_) | Op::Apply(_)))
}

/// The operator with its sides exchanged.
fn turned(operator: &'static str) -> &'static str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}

fn call(name: &str, argument: &Printed) -> Printed {
    Printed::atom(format!("{name}({})", argument.text))
}

/// Two signs in a row would be another operator.
fn minus(part: Printed) -> Printed {
    Printed::new(format!("-{}", at(part, 11)), 10)
}

fn at(part: Printed, level: u8) -> String {
    if part.level < level { format!("({})", part.text) } else { part.text }
}
