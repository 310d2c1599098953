//! Translation validation of conditions in C: a text is read back with the meaning that C gives it, and compared with the
//! term that it was printed from.
//!
//! **Idea.** A printer that writes `a + b > 10` for a sum of machine words says something else where the sum overflows, as C
//! leaves that open. So its texts are not believed: each is parsed, with the types, promotions and conversions of C,
//! into a term for its value and one that says where it is defined (no overflow of a signed type, no division by zero,
//! no shift by more than the width, from left to right as `&&`, `||` and `?:` evaluate). A solver then proves that it is
//! defined for all inputs and equal to the condition.
//!
//! Example: `32 / v < 0` is defined for `v != 0`, so it is refused for the condition that it is printed from, whereas
//! `v == 0 || 32 / v < 0` is accepted for its.
//!
//! **Paper.** "Translation Validation" (Pnueli, Siegel, Singerman, TACAS 1998).
//!
//! **Deviation.** Names, reads of memory, and comparisons of pointers and of floating-point numbers are taken as the printer
//! means them; they are looked up by their text. They are defined where what they require holds
//! (`failure_conditions/well_definedness.rs`).
//!
//! **Direction of error.** A text that is not understood, or about which the solver has no answer, is refused. What names
//! mean, and what places in memory hold, is not questioned here.

use std::collections::BTreeMap;

use footpath_term::{Op, SortId, TermId, Terms};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// What texts stand for that have no structure of their own.
#[derive(Default)]
pub(crate) struct Atoms {
    /// By text: the terms, and whether C reads each without a sign. A text of several terms, such as `p == NULL` for being zero and
    /// for leading to no object, is defined where all of these are the same.
    known: BTreeMap<String, Vec<(TermId, bool)>>,
}

impl Atoms {
    /// Notes what a text stands for.
    pub(crate) fn note(&mut self, text: &str, term: TermId, unsigned: bool) {
        let known = self.known.entry(text.to_owned()).or_default();
        if !known.contains(&(term, unsigned)) {
            known.push((term, unsigned));
        }
    }
}

/// The meaning of a condition in C.
pub(crate) struct Meaning {
    /// Whether it holds, where it is defined.
    pub(crate) holds: TermId,
    /// Where it is defined.
    pub(crate) defined: TermId,
}

/// What has to hold before the text of a term is evaluated that has no structure of its own.
pub(crate) type Requirements<'a> = &'a dyn Fn(&mut Terms, TermId) -> Vec<TermId>;

/// The meaning of a text; `None` if it is not understood. A `long` has this many bits.
pub(crate) fn meaning(
    terms: &mut Terms,
    atoms: &Atoms,
    requirements: Requirements<'_>,
    long: u32,
    text: &str,
) -> Option<Meaning> {
    let mut reader = Reader { text, at: 0, terms, atoms, requirements, long, depth: 0 };
    let read = reader.conditional()?;
    reader.space();
    if reader.at < text.len() {
        return None;
    }
    let holds = reader.truth(&read.value);
    Some(Meaning { holds, defined: read.defined })
}

/// A value of C: a truth value, which is an `int`, or a number of a type.
#[derive(Clone, Copy)]
enum Value {
    Truth(TermId),
    Number { term: TermId, bits: u32, unsigned: bool },
}

#[derive(Clone, Copy)]
struct Read {
    value: Value,
    defined: TermId,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    terms: &'a mut Terms,
    atoms: &'a Atoms,
    requirements: Requirements<'a>,
    long: u32,
    depth: u32,
}

/// The infix operators and how tightly they bind. Longer ones stand first.
const INFIX: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<<", 8),
    (">>", 8),
    ("<=", 7),
    (">=", 7),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

/// How deep expressions are nested at most.
const DEPTH: u32 = 200;

impl Reader<'_> {
    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, word: &str) -> bool {
        self.space();
        let is = self.text[self.at..].starts_with(word);
        self.at += if is { word.len() } else { 0 };
        is
    }

    fn conditional(&mut self) -> Option<Read> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let condition = self.infix(1)?;
        let read = if self.eat("?") {
            let a = self.conditional()?;
            if !self.eat(":") {
                return None;
            }
            let b = self.conditional()?;
            let holds = self.truth(&condition.value);
            let fails = self.not(holds);
            let (then, otherwise) = (self.implies(holds, a.defined), self.implies(fails, b.defined));
            let defined = self.terms.app(Op::And, [condition.defined, then, otherwise]);
            let value = match (a.value, b.value) {
                (Value::Truth(a), Value::Truth(b)) => Value::Truth(self.terms.app(Op::Ite, [holds, a, b])),
                (a, b) => {
                    let (a, b, bits, unsigned) = self.usual(a, b);
                    Value::Number { term: self.terms.app(Op::Ite, [holds, a, b]), bits, unsigned }
                }
            };
            Read { value, defined }
        } else {
            condition
        };
        self.depth -= 1;
        Some(read)
    }

    fn infix(&mut self, least: u8) -> Option<Read> {
        let mut left = self.prefix()?;
        loop {
            self.space();
            let rest = &self.text[self.at..];
            let Some((operator, level)) = INFIX.into_iter().find(|(o, _)| rest.starts_with(o)) else {
                return Some(left);
            };
            if level < least {
                return Some(left);
            }
            self.at += operator.len();
            let right = self.infix(level + 1)?;
            left = self.applied(operator, left, right)?;
        }
    }

    fn applied(&mut self, operator: &str, a: Read, b: Read) -> Option<Read> {
        if let "&&" | "||" = operator {
            let (x, y) = (self.truth(&a.value), self.truth(&b.value));
            let (op, goes_on) = if operator == "&&" { (Op::And, x) } else { (Op::Or, self.not(x)) };
            let right = self.implies(goes_on, b.defined);
            let defined = self.terms.app(Op::And, [a.defined, right]);
            return Some(Read { value: Value::Truth(self.terms.app(op, [x, y])), defined });
        }
        let both = self.terms.app(Op::And, [a.defined, b.defined]);
        if let "<<" | ">>" = operator {
            return Some(self.shifted(operator == "<<", a.value, b.value, both));
        }
        let (x, y, bits, unsigned) = self.usual(a.value, b.value);
        let compared = match (operator, unsigned) {
            ("==" | "!=", _) => Some((Op::Eq, x, y)),
            ("<", false) => Some((Op::BvSlt, x, y)),
            ("<=", false) => Some((Op::BvSle, x, y)),
            (">", false) => Some((Op::BvSlt, y, x)),
            (">=", false) => Some((Op::BvSle, y, x)),
            ("<", true) => Some((Op::BvUlt, x, y)),
            ("<=", true) => Some((Op::BvUle, x, y)),
            (">", true) => Some((Op::BvUlt, y, x)),
            (">=", true) => Some((Op::BvUle, y, x)),
            _ => None,
        };
        if let Some((op, x, y)) = compared {
            let holds = self.terms.app(op, [x, y]);
            let holds = if operator == "!=" { self.not(holds) } else { holds };
            return Some(Read { value: Value::Truth(holds), defined: both });
        }
        let (op, fits) = match operator {
            "|" => (Op::BvOr, None),
            "^" => (Op::BvXor, None),
            "&" => (Op::BvAnd, None),
            "+" => (Op::BvAdd, (!unsigned).then(|| self.fits(Op::BvAdd, x, y, 1))),
            "-" => (Op::BvSub, (!unsigned).then(|| self.fits(Op::BvSub, x, y, 1))),
            "*" => (Op::BvMul, (!unsigned).then(|| self.fits(Op::BvMul, x, y, bits))),
            "/" => (if unsigned { Op::BvUdiv } else { Op::BvSdiv }, Some(self.divides(x, y, bits, unsigned))),
            _ => (if unsigned { Op::BvUrem } else { Op::BvSrem }, Some(self.divides(x, y, bits, unsigned))),
        };
        let defined = match fits {
            Some(fits) => self.terms.app(Op::And, [both, fits]),
            None => both,
        };
        Some(Read { value: Value::Number { term: self.terms.app(op, [x, y]), bits, unsigned }, defined })
    }

    /// Whether the result of signed operands is one of their type.
    fn fits(&mut self, op: Op, x: TermId, y: TermId, more: u32) -> TermId {
        let (a, b) = (signed_bits(self.terms, x), signed_bits(self.terms, y));
        let needed = if op == Op::BvMul { a + b } else { a.max(b) + 1 };
        if self.terms.width(self.terms.sort(x)).is_some_and(|bits| needed <= bits) {
            return self.terms.bool(true);
        }
        let narrow = self.terms.app(op.clone(), [x, y]);
        let [narrow, x, y] = [narrow, x, y].map(|t| self.terms.app(Op::SignExtend(more), [t]));
        let wide = self.terms.app(op, [x, y]);
        self.terms.app(Op::Eq, [narrow, wide])
    }

    fn divides(&mut self, x: TermId, y: TermId, bits: u32, unsigned: bool) -> TermId {
        let zero = self.terms.bit_vec(bits, 0);
        let is_zero = self.terms.app(Op::Eq, [y, zero]);
        let divides = self.not(is_zero);
        if unsigned {
            return divides;
        }
        let (least, minus) =
            (self.terms.bit_vec(bits, BigInt::from(1) << (bits - 1)), self.terms.bit_vec(bits, -1));
        let (is_least, is_minus) = (self.terms.app(Op::Eq, [x, least]), self.terms.app(Op::Eq, [y, minus]));
        let overflows = self.terms.app(Op::And, [is_least, is_minus]);
        let fits = self.not(overflows);
        self.terms.app(Op::And, [divides, fits])
    }

    fn shifted(&mut self, left: bool, a: Value, by: Value, both: TermId) -> Read {
        let (x, bits, unsigned) = self.promoted(a);
        let (by, width, _) = self.promoted(by);
        // A negative number is a large one.
        let limit = self.terms.bit_vec(width, bits);
        let small = self.terms.app(Op::BvUlt, [by, limit]);
        let by = self.resized(by, width, bits, true);
        let op = match (left, unsigned) {
            (true, _) => Op::BvShl,
            (false, true) => Op::BvLshr,
            (false, false) => Op::BvAshr,
        };
        let term = self.terms.app(op, [x, by]);
        let mut parts = vec![both, small];
        if left && !unsigned {
            let zero = self.terms.bit_vec(bits, 0);
            parts.push(self.terms.app(Op::BvSle, [zero, x]));
            let back = self.terms.app(Op::BvAshr, [term, by]);
            parts.push(self.terms.app(Op::Eq, [back, x]));
        }
        Read { value: Value::Number { term, bits, unsigned }, defined: self.terms.app(Op::And, parts) }
    }

    fn prefix(&mut self) -> Option<Read> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        self.space();
        let read = match self.atom() {
            Some(read) => read,
            None => self.prefixed()?,
        };
        self.depth -= 1;
        Some(read)
    }

    fn prefixed(&mut self) -> Option<Read> {
        if self.eat("!") {
            let Read { value, defined } = self.prefix()?;
            let holds = self.truth(&value);
            return Some(Read { value: Value::Truth(self.not(holds)), defined });
        }
        if self.eat("~") {
            let Read { value, defined } = self.prefix()?;
            let (term, bits, unsigned) = self.promoted(value);
            let term = self.terms.app(Op::BvNot, [term]);
            return Some(Read { value: Value::Number { term, bits, unsigned }, defined });
        }
        if self.eat("-") {
            let Read { value, defined } = self.prefix()?;
            let (term, bits, unsigned) = self.promoted(value);
            let zero = self.terms.bit_vec(bits, 0);
            let fits = if unsigned { self.terms.bool(true) } else { self.fits(Op::BvSub, zero, term, 1) };
            let defined = self.terms.app(Op::And, [defined, fits]);
            let term = self.terms.app(Op::BvNeg, [term]);
            return Some(Read { value: Value::Number { term, bits, unsigned }, defined });
        }
        if self.eat("(") {
            if let Some((bits, unsigned)) = self.type_name() {
                let Read { value, defined } = self.prefix()?;
                let (term, from, from_unsigned) = self.promoted(value);
                let term = self.resized(term, from, bits, from_unsigned);
                return Some(Read { value: Value::Number { term, bits, unsigned }, defined });
            }
            let inner = self.conditional()?;
            return self.eat(")").then_some(inner);
        }
        self.literal()
    }

    /// The longest text at this place that stands for a term.
    fn atom(&mut self) -> Option<Read> {
        let rest = &self.text[self.at..];
        let ends = |text: &str| {
            let behind = &rest[text.len()..];
            let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '[' | '.' | '(');
            !behind.starts_with(goes_on) && !behind.starts_with("->")
        };
        let fitting =
            self.atoms.known.iter().filter(|(text, _)| rest.starts_with(text.as_str()) && ends(text));
        let (text, known) = fitting.max_by_key(|(text, _)| text.len())?;
        let &(term, unsigned) = known.first()?;
        let sort = self.terms.sort(term);
        if known.iter().any(|&(other, sign)| sign != unsigned || self.terms.sort(other) != sort) {
            return None;
        }
        self.at += text.len();
        let value = match self.terms.width(sort) {
            _ if sort == SortId::BOOL => Value::Truth(term),
            Some(bits) => Value::Number { term, bits, unsigned },
            None => return None,
        };
        let mut required = (self.requirements)(self.terms, term);
        for &(other, _) in &known[1..] {
            required.extend((self.requirements)(self.terms, other));
            required.push(self.terms.app(Op::Eq, [term, other]));
        }
        Some(Read { value, defined: self.terms.app(Op::And, required) })
    }

    /// A type with its closing parenthesis.
    fn type_name(&mut self) -> Option<(u32, bool)> {
        let end = self.text[self.at..].find(')')? + self.at;
        let (mut bits, mut unsigned, mut any) = (32, false, false);
        for word in self.text[self.at..end].split_whitespace() {
            any = true;
            match word {
                "unsigned" => unsigned = true,
                "signed" | "int" => {}
                "char" => bits = 8,
                "short" => bits = 16,
                "long" if bits == 32 => bits = self.long,
                "long" => bits = 64,
                "__int128" => bits = 128,
                _ => return None,
            }
        }
        // Of two words `long` the second one matters where the first one is a word of 32 bits.
        if self.text[self.at..end].contains("long long") {
            bits = 64;
        }
        any.then(|| {
            self.at = end + 1;
            (bits, unsigned)
        })
    }

    /// A number, a character or the name of a limit.
    fn literal(&mut self) -> Option<Read> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (value, bits, unsigned, length) = if rest.starts_with('\'') {
            let (value, length) = character(rest)?;
            (value, 32, false, length)
        } else {
            let word = &rest[..length];
            if rest[length..].starts_with(['.', '(', '[', '\'', '"']) {
                return None;
            }
            let (value, bits, unsigned) = limit(word, self.long).or_else(|| number(word, self.long))?;
            (value, bits, unsigned, length)
        };
        self.at += length;
        let term = self.terms.bit_vec(bits, value);
        Some(Read { value: Value::Number { term, bits, unsigned }, defined: self.terms.bool(true) })
    }

    fn not(&mut self, t: TermId) -> TermId {
        self.terms.app(Op::Not, [t])
    }

    fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not = self.not(a);
        self.terms.app(Op::Or, [not, b])
    }

    /// Whether a value differs from zero.
    fn truth(&mut self, value: &Value) -> TermId {
        match *value {
            Value::Truth(t) => t,
            Value::Number { term, bits, .. } => {
                let zero = self.terms.bit_vec(bits, 0);
                let is_zero = self.terms.app(Op::Eq, [term, zero]);
                self.not(is_zero)
            }
        }
    }

    fn resized(&mut self, t: TermId, from: u32, to: u32, unsigned: bool) -> TermId {
        match (from < to, unsigned) {
            _ if from == to => t,
            (true, true) => self.terms.app(Op::ZeroExtend(to - from), [t]),
            (true, false) => self.terms.app(Op::SignExtend(to - from), [t]),
            (false, _) => self.terms.app(Op::Extract(to - 1, 0), [t]),
        }
    }

    /// The integer promotions.
    fn promoted(&mut self, value: Value) -> (TermId, u32, bool) {
        match value {
            Value::Truth(t) => {
                let [one, zero] = [1, 0].map(|n| self.terms.bit_vec(32, n));
                (self.terms.app(Op::Ite, [t, one, zero]), 32, false)
            }
            Value::Number { term, bits, unsigned } if bits < 32 => {
                (self.resized(term, bits, 32, unsigned), 32, false)
            }
            Value::Number { term, bits, unsigned } => (term, bits, unsigned),
        }
    }

    /// The usual arithmetic conversions.
    fn usual(&mut self, a: Value, b: Value) -> (TermId, TermId, u32, bool) {
        let ((a, a_bits, a_unsigned), (b, b_bits, b_unsigned)) = (self.promoted(a), self.promoted(b));
        let bits = a_bits.max(b_bits);
        let unsigned = a_unsigned && a_bits == bits || b_unsigned && b_bits == bits;
        let (a, b) = (self.resized(a, a_bits, bits, a_unsigned), self.resized(b, b_bits, bits, b_unsigned));
        (a, b, bits, unsigned)
    }
}

/// In how many bits a number with a sign fits, as far as its term shows.
fn signed_bits(terms: &Terms, t: TermId) -> u32 {
    let term = terms.term(t);
    let width = terms.width(term.sort).unwrap_or(u32::MAX / 4);
    match term.op {
        Op::SignExtend(by) => width - by,
        Op::ZeroExtend(by) if by > 0 => width - by + 1,
        Op::Literal(footpath_term::Value::BitVec { width, ref bits }) => {
            footpath_term::Value::signed(width, bits).bits() as u32 + 1
        }
        _ => width,
    }
}

/// A character constant at the beginning of a text, and its length.
fn character(text: &str) -> Option<(BigInt, usize)> {
    let mut chars = text.char_indices().skip(1);
    let (_, c) = chars.next()?;
    let value = match c {
        '\\' => match chars.next()?.1 {
            'n' => '\n',
            't' => '\t',
            c @ ('\\' | '\'') => c,
            _ => return None,
        },
        c if c.is_ascii() => c,
        _ => return None,
    };
    let (end, quote) = chars.next()?;
    (quote == '\'').then(|| (BigInt::from(u32::from(value)), end + 1))
}

/// The value, width and signedness of a limit that `limits.h` names, or of a truth value.
fn limit(word: &str, long: u32) -> Option<(BigInt, u32, bool)> {
    let (kind, end) = match word {
        "true" => return Some((1.into(), 32, false)),
        "false" => return Some((0.into(), 32, false)),
        _ => word.split_once('_')?,
    };
    let (bits, unsigned) = match kind {
        "INT" => (32, false),
        "UINT" => (32, true),
        "LONG" => (long, false),
        "ULONG" => (long, true),
        "LLONG" => (64, false),
        "ULLONG" => (64, true),
        _ => return None,
    };
    let half = BigInt::from(1) << (bits - 1);
    let value = match (end, unsigned) {
        ("MIN", false) => -half,
        ("MAX", false) => half - 1,
        ("MAX", true) => half * 2 - 1,
        _ => return None,
    };
    Some((value, bits, unsigned))
}

/// A decimal number with its suffix. One that fits no signed type has none in C.
fn number(word: &str, long: u32) -> Option<(BigInt, u32, bool)> {
    let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    let value: BigInt = word[..digits].parse().ok()?;
    let suffix = word[digits..].to_ascii_lowercase();
    let unsigned = match suffix.as_str() {
        "" | "l" | "ll" => false,
        "u" | "ul" | "ull" => true,
        _ => return None,
    };
    let least = match suffix.trim_start_matches('u') {
        "" => 32,
        "l" => long,
        _ => 64,
    };
    let needed = value.bits().to_u32()? + u32::from(!unsigned);
    let bits = if needed <= least { least } else { 64 };
    (needed <= bits).then_some((value, bits, unsigned))
}

#[cfg(test)]
mod tests {
    use footpath_term::Terms;

    use super::{Atoms, meaning};

    /// Whether a condition is defined and holds for these values: names, widths, values, and whether their types have no
    /// sign.
    fn of(text: &str, values: &[(&str, u32, i64, bool)]) -> Option<(bool, bool)> {
        let (mut terms, mut atoms) = (Terms::new(), Atoms::default());
        for &(name, width, value, unsigned) in values {
            let value = terms.bit_vec(width, value);
            atoms.note(name, value, unsigned);
        }
        let read = meaning(&mut terms, &atoms, &|_, _| Vec::new(), 64, text)?;
        Some((terms.as_bool(read.defined)?, terms.as_bool(read.holds)?))
    }

    #[test]
    fn divisions_by_zero_are_not_defined_unless_they_are_not_evaluated() {
        let v = [("v", 32, 0, false)];
        assert_eq!(of("32 / v < 0", &v).map(|(defined, _)| defined), Some(false));
        assert_eq!(of("v == 0 || 32 / v < 0", &v), Some((true, true)));
        assert_eq!(of("v != 0 && 32 % v == 1", &v), Some((true, false)));
        assert_eq!(of("(v == 0 ? 5 : 32 / v) == 5", &v), Some((true, true)));
        let overflow = [("a", 32, i64::from(i32::MIN), false), ("b", 32, -1, false)];
        assert_eq!(of("a / b == 1", &overflow).map(|(defined, _)| defined), Some(false));
    }

    #[test]
    fn sums_overflow_in_signed_types_and_wrap_in_others() {
        let both = [("a", 32, i64::from(i32::MAX), false), ("b", 32, 2, false)];
        assert_eq!(of("a + b > 0", &both).map(|(defined, _)| defined), Some(false));
        assert_eq!(of("(int)((unsigned)a + (unsigned)b) > 0", &both), Some((true, false)));
        assert_eq!(of("(long)a + b > INT_MAX", &both), Some((true, true)));
        assert_eq!(of("b < INT_MAX - a", &both), Some((true, false)));
    }

    #[test]
    fn small_types_are_promoted_and_signs_are_lost_beside_unsigned_types() {
        let small = [("c", 8, 200, true), ("d", 8, 100, true)];
        assert_eq!(of("c + d == 300", &small), Some((true, true)));
        assert_eq!(of("(signed char)(c + d) == 44", &small), Some((true, true)));
        let mixed = [("u", 32, 1, true), ("i", 32, -1, false), ("n", 64, -1, false)];
        assert_eq!(of("u < i", &mixed), Some((true, true)));
        assert_eq!(of("u < n", &mixed), Some((true, false)));
        assert_eq!(of("-u > 7", &mixed), Some((true, true)));
    }

    #[test]
    fn shifts_are_defined_within_the_width_and_precedence_is_that_of_c() {
        let n = [("n", 32, 32, false), ("m", 32, 3, false)];
        assert_eq!(of("1 << n == 0", &n).map(|(defined, _)| defined), Some(false));
        assert_eq!(of("1 << m == 8", &n), Some((true, true)));
        assert_eq!(of("m & 1 == 1", &n), Some((true, true)));
        assert_eq!(of("2 + 3 * m - 1 == 10 && !(m > 'a')", &n), Some((true, true)));
    }

    #[test]
    fn what_is_not_understood_has_no_meaning() {
        assert_eq!(of("f(n) > 0", &[("n", 32, 1, false)]), None);
        assert_eq!(of("n > 0 &&", &[("n", 32, 1, false)]), None);
        assert_eq!(of("n > 99999999999999999999", &[("n", 32, 1, false)]), None);
        assert_eq!(of("n.m > 0", &[("n", 32, 1, false)]), None);
    }
}
