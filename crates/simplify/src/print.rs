//! Pretty printer: conditions as text in the syntax of a source language.
//!
//! Comparisons are printed as in sources: the constant on the right (`i >= 1`), a range as `lo <= x && x <= hi`, no
//! negation where an operator has an opposite, sums without negative summands. Literals that all disjuncts have in
//! common are printed once, in front. Names, and everything else that depends on the language, come from the
//! [`Dialect`].

use footpath_term::{Op, SortId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::bound::{Bound, Form, Relation, number, range};
use crate::{Cube, Dnf};

/// The precedence of prefix operators.
const PREFIX: u8 = 10;

/// A piece of text and how tightly it binds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The text.
    pub text: String,
    /// The precedence: 0 for `&&` and `||`, 1 for a range within a conjunction, 4 for comparisons, 6 for sums, 7 for
    /// products, 10 for prefix operators, 12 for atoms.
    pub level: u8,
}

impl Printed {
    /// A name, a number, a call.
    pub fn atom(text: impl Into<String>) -> Printed {
        Printed { text: text.into(), level: 12 }
    }

    /// A text with the precedence `level`.
    pub fn new(text: impl Into<String>, level: u8) -> Printed {
        Printed { text: text.into(), level }
    }

    /// The opposite of a condition: that of `!c` is `c`.
    pub fn negation(self) -> Printed {
        match self.text.strip_prefix('!') {
            // What a prefix operator stands before binds at least as tightly.
            Some(inner) if self.level == PREFIX => Printed::new(inner, PREFIX),
            _ => Printed::new(format!("!{}", self.at(PREFIX)), PREFIX),
        }
    }

    fn at(self, level: u8) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text }
    }
}

/// The syntax of a source language.
pub trait Dialect {
    /// The text of a term, if the language has a special syntax for it. `inner` prints subterms.
    fn term(&self, terms: &Terms, t: TermId, inner: &dyn Fn(TermId) -> Printed) -> Option<Printed>;

    /// The text of a literal that is not to be taken apart, neither as a bound nor as a part of a range.
    fn whole(&self, terms: &Terms, literal: TermId) -> Option<Printed> {
        let _ = (terms, literal);
        None
    }

    /// The text of a number of this many bits, if the language has a name for it or a special syntax.
    fn number(&self, n: &BigInt, bits: u32, unsigned: bool) -> Option<Printed> {
        let _ = (n, bits, unsigned);
        None
    }

    /// The text of a number that is compared with `beside`, if its syntax depends on that term.
    fn constant(&self, terms: &Terms, n: &BigInt, beside: TermId) -> Option<Printed> {
        let _ = (terms, n, beside);
        None
    }

    /// The type of integers of this many bits.
    fn integer(&self, bits: u32, unsigned: bool) -> String {
        let _ = bits;
        if unsigned { "unsigned" } else { "int" }.to_owned()
    }

    /// Whether the language can express a term.
    fn can_say(&self, terms: &Terms, t: TermId) -> bool {
        let _ = (terms, t);
        true
    }

    /// The rank of a literal: literals on which the evaluation of others depends have a smaller rank and come first.
    fn rank(&self, terms: &Terms, literal: TermId) -> u8 {
        let _ = (terms, literal);
        0
    }

    /// Whether disjuncts and literals stay in the order in which they are given, whatever their ranks are.
    fn keeps_order(&self) -> bool {
        false
    }

    /// The operator for remainders.
    fn remainder(&self) -> &'static str {
        "%"
    }

    /// The operator for quotients.
    fn quotient(&self) -> &'static str {
        "/"
    }

    /// Whether a bit-vector is an unsigned number in the source; `None` if it does not say.
    fn is_unsigned(&self, terms: &Terms, t: TermId) -> Option<bool> {
        let _ = (terms, t);
        None
    }

    /// Whether a bit-vector is the same number as a signed and as an unsigned one.
    fn is_small(&self, terms: &Terms, t: TermId) -> bool {
        let _ = (terms, t);
        false
    }
}

/// Conjunctions of at most this many terms count as short; longer ones are printed after them, by size.
const SHORT: usize = 16;

/// A dialect that prints names as they are, and all other terms as they are displayed.
pub struct Plain;

impl Dialect for Plain {
    fn term(&self, _: &Terms, _: TermId, _: &dyn Fn(TermId) -> Printed) -> Option<Printed> {
        None
    }
}

/// The limit on the size of terms that are printed.
const LARGEST: usize = 2_000;

/// The condition as text.
pub fn print(terms: &Terms, condition: &Dnf, dialect: &dyn Dialect) -> String {
    let printer = Printer { terms, dialect };
    if condition.is_always() {
        return "true".to_owned();
    }
    let mut cubes = printer.ordered(condition);
    let Some(first) = cubes.first() else { return "false".to_owned() };
    let common: Cube = first.iter().copied().filter(|l| cubes.iter().all(|c| c.contains(l))).collect();
    if cubes.len() == 1 {
        return printer.cube(first).text;
    }
    for cube in &mut cubes {
        cube.retain(|l| !common.contains(l));
    }
    let or = |cubes: &[Cube]| {
        let texts: Vec<String> = cubes.iter().map(|c| printer.cube(c).at(1)).collect();
        texts.join(" || ")
    };
    if common.is_empty() { or(&cubes) } else { format!("{} && ({})", printer.cube(&common).text, or(&cubes)) }
}

/// The positions of the disjuncts in the order in which they are printed.
pub fn order(terms: &Terms, condition: &Dnf, dialect: &dyn Dialect) -> Vec<usize> {
    let printer = Printer { terms, dialect };
    let mut order: Vec<usize> = (0..condition.cubes.len()).collect();
    order.sort_by_key(|&i| printer.rank(&condition.cubes[i]));
    order
}

/// The negation of a condition as text: for each disjunct, that one of its literals is false.
pub fn print_negated(terms: &mut Terms, condition: &Dnf, dialect: &dyn Dialect) -> String {
    if condition.is_always() {
        return "false".to_owned();
    }
    let ordered = Printer { terms, dialect }.ordered(condition);
    let negated: Vec<Vec<TermId>> =
        ordered.iter().map(|cube| cube.iter().map(|&l| terms.app(Op::Not, [l])).collect()).collect();
    let printer = Printer { terms, dialect };
    let mut parts: Vec<Printed> = Vec::new();
    let mut alone = Cube::new();
    for clause in &negated {
        match clause[..] {
            // Those of one literal stand together, so that two bounds are a range.
            [only] => alone.push(only),
            _ => {
                parts.extend(printer.together(&std::mem::take(&mut alone)));
                let texts: Vec<String> = clause.iter().map(|&l| printer.literal(l).at(2)).collect();
                parts.push(Printed::new(texts.join(" || "), 0));
            }
        }
    }
    parts.extend(printer.together(&alone));
    match parts.len() {
        0 => "true".to_owned(),
        1 => parts.remove(0).text,
        _ => parts.into_iter().map(|p| p.at(1)).collect::<Vec<_>>().join(" && "),
    }
}

struct Printer<'a> {
    terms: &'a Terms,
    dialect: &'a dyn Dialect,
}

impl Printer<'_> {
    /// The conjunctions, with literals in the order of their ranks.
    fn ordered(&self, condition: &Dnf) -> Vec<Cube> {
        let rank = |l: &TermId| self.dialect.rank(self.terms, *l);
        let mut cubes = condition.cubes.clone();
        if self.dialect.keeps_order() {
            return cubes;
        }
        for cube in &mut cubes {
            cube.sort_by_key(rank);
        }
        cubes.sort_by_key(|cube| self.rank(cube));
        cubes
    }

    /// The rank of a conjunction: dependencies of others come first, long ones last.
    fn rank(&self, cube: &Cube) -> (Option<u8>, usize) {
        let needed = cube.iter().map(|l| self.dialect.rank(self.terms, *l)).max();
        (needed, self.terms.post_order(cube).len().max(SHORT))
    }

    /// The position of a literal `x < y`, where `y` is no constant, that forms a range with a lower bound of `x`.
    fn upper(&self, cube: &Cube, low: usize, bound: &Bound) -> Option<usize> {
        let x = match &bound.form {
            Form::Int(sum) if sum.len() == 1 && sum[0].1.is_one() => sum[0].0,
            Form::Int(_) => return None,
            Form::Signed(t) | Form::Unsigned(t) => *t,
        };
        // It may be made wider to be compared; how it is read shows in the text.
        let is_x = |t: TermId| {
            let term = self.terms.term(t);
            t == x || matches!(term.op, Op::SignExtend(_) | Op::ZeroExtend(_)) && term.args[0] == x
        };
        let is_upper = |l: TermId| {
            let term = self.terms.term(l);
            let (term, at) = match term.op {
                Op::Not => (self.terms.term(term.args[0]), 1),
                _ => (term, 0),
            };
            let compares = matches!(term.op, Op::Lt | Op::Le | Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle);
            compares && is_x(term.args[at]) && self.dialect.whole(self.terms, l).is_none()
        };
        let rank = |i: usize| self.dialect.rank(self.terms, cube[i]);
        // What must be asked before something else stays where it is.
        let may_move = |i: usize| i == low + 1 || !self.dialect.keeps_order() && rank(i) == rank(low);
        (0..cube.len()).find(|&i| may_move(i) && is_upper(cube[i]))
    }

    /// A conjunction as a part of a conjunction.
    fn together(&self, cube: &Cube) -> Option<Printed> {
        match cube[..] {
            [] => None,
            [only] => Some(self.literal(only)),
            _ => Some(Printed::new(self.cube(cube).text, 1)),
        }
    }

    /// A conjunction, with the two bounds of a range side by side.
    fn cube(&self, cube: &Cube) -> Printed {
        let bound = |l: TermId| match self.dialect.whole(self.terms, l) {
            Some(_) => None,
            None => Bound::read(self.terms, l),
        };
        let bounds: Vec<Option<Bound>> = cube.iter().map(|&l| bound(l)).collect();
        let partner = |i: usize, relation: Relation| {
            let own = bounds[i].as_ref()?;
            (0..cube.len()).find(|&j| {
                j != i && bounds[j].as_ref().is_some_and(|b| b.form == own.form && b.relation == relation)
            })
        };
        let mut uppers: Vec<(usize, usize)> = Vec::new();
        for (i, bound) in bounds.iter().enumerate() {
            if let Some(bound) = bound.as_ref().filter(|b| b.relation == Relation::AtLeast)
                && partner(i, Relation::AtMost).is_none()
                && let Some(upper) = self.upper(cube, i, bound)
            {
                uppers.push((i, upper));
            }
        }
        let mut done = vec![false; cube.len()];
        let mut parts: Vec<Printed> = Vec::new();
        for i in 0..cube.len() {
            if std::mem::replace(&mut done[i], true) {
                continue;
            }
            let between =
                uppers.iter().find(|(low, high)| (*low == i && !done[*high]) || (*high == i && !done[*low]));
            if let Some(&(low, high)) = between
                && let Some(text) = bounds[low].as_ref().and_then(|b| self.between(b, cube[high]))
            {
                (done[low], done[high]) = (true, true);
                parts.push(text);
                continue;
            }
            let range = match bounds[i].as_ref().map(|b| b.relation) {
                Some(Relation::AtLeast) => partner(i, Relation::AtMost).map(|j| (i, j)),
                Some(Relation::AtMost) => partner(i, Relation::AtLeast).map(|j| (j, i)),
                _ => None,
            };
            let single =
                |b: &Bound| !matches!(&b.form, Form::Int(sum) if sum.len() != 1 || !sum[0].1.is_one());
            match range {
                Some((low, high))
                    if bounds[low].as_ref().is_some_and(single) && !(done[low] && done[high]) =>
                {
                    done[low] = true;
                    done[high] = true;
                    if let (Some(l), Some(h)) = (&bounds[low], &bounds[high]) {
                        parts.push(self.range(l, h));
                    }
                }
                _ => parts.push(self.literal(cube[i])),
            }
        }
        match parts.len() {
            1 => Printed { level: if parts[0].level == 1 { 0 } else { parts[0].level }, ..parts.remove(0) },
            _ => {
                let texts: Vec<String> = parts.into_iter().map(|p| p.at(1)).collect();
                Printed::new(texts.join(" && "), 0)
            }
        }
    }

    /// `low <= x && x < y`; `None` if the second one is written in another way.
    fn between(&self, low: &Bound, upper: TermId) -> Option<Printed> {
        let (x, unsigned, t) = match &low.form {
            Form::Int(sum) => (self.term(sum[0].0), None, sum[0].0),
            Form::Signed(t) => (self.as_signed(*t), Some(false), *t),
            Form::Unsigned(t) => (self.as_unsigned(*t), Some(true), *t),
        };
        let (x, upper) = (x.at(5), self.literal(upper));
        let low = match unsigned {
            None => low.value.to_string(),
            Some(unsigned) => self.constant(&low.value, t, unsigned).at(5),
        };
        let is_plain = upper.level >= 4 && upper.text.starts_with(&format!("{x} <"));
        is_plain.then(|| Printed::new(format!("{low} <= {x} && {}", upper.text), 1))
    }

    fn range(&self, low: &Bound, high: &Bound) -> Printed {
        let x = match &low.form {
            Form::Int(sum) => self.term(sum[0].0),
            Form::Signed(t) if low.value.is_negative() => self.as_signed(*t),
            Form::Unsigned(t) if self.is_beyond(&high.value, *t) => self.as_unsigned(*t),
            // Both readings agree.
            Form::Signed(t) | Form::Unsigned(t) => self.term(*t),
        };
        let x = x.at(5);
        let [low, high] = [low, high].map(|b| match b.form {
            Form::Int(_) => b.value.to_string(),
            Form::Signed(t) => self.constant(&b.value, t, false).at(5),
            Form::Unsigned(t) => self.constant(&b.value, t, true).at(5),
        });
        Printed::new(format!("{low} <= {x} && {x} <= {high}"), 1)
    }

    /// Whether a number is out of range when read as signed.
    fn is_beyond(&self, n: &BigInt, t: TermId) -> bool {
        let width = self.terms.width(self.terms.sort(t)).unwrap_or_default();
        *n >= BigInt::one() << width.saturating_sub(1)
    }

    /// A bound as a comparison with 0 or as a range, where sources usually have that.
    fn bound(&self, literal: TermId) -> Option<Printed> {
        let bound = Bound::read(self.terms, literal)?;
        let zero = BigInt::zero();
        let negative = |x: Printed| Printed::new(format!("{} < 0", x.at(5)), 4);
        match (&bound.form, bound.relation) {
            (Form::Signed(t), Relation::AtLeast) if bound.value.is_zero() => {
                Some(Printed::new(format!("{} >= 0", self.as_signed(*t).at(5)), 4))
            }
            (Form::Signed(t), Relation::AtMost) if (&bound.value + 1i32).is_zero() => {
                Some(negative(self.as_signed(*t)))
            }
            (&Form::Unsigned(t), relation) if self.dialect.is_unsigned(self.terms, t) == Some(false) => {
                let signed = |relation, value| Bound { form: Form::Signed(t), relation, value };
                match relation {
                    _ if self.is_small(t) => None,
                    Relation::AtMost if !self.is_beyond(&bound.value, t) => Some(
                        self.range(&signed(Relation::AtLeast, zero), &signed(Relation::AtMost, bound.value)),
                    ),
                    Relation::AtLeast if !self.is_beyond(&bound.value, t) => {
                        let (x, high) = (self.term(t), self.constant(&bound.value, t, false).at(5));
                        let text = format!("{} || {} >= {high}", negative(x.clone()).text, x.at(5));
                        Some(Printed::new(text, 0))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A number of the sort of `t`.
    fn constant(&self, n: &BigInt, t: TermId, unsigned: bool) -> Printed {
        if let Some(own) = self.dialect.constant(self.terms, n, t) {
            return own;
        }
        let bits = self.terms.width(self.terms.sort(t));
        match bits.and_then(|bits| self.dialect.number(n, bits, unsigned)) {
            Some(named) => named,
            None if n.is_negative() => Printed::new(n.to_string(), 10),
            None => Printed::atom(n.to_string()),
        }
    }

    fn literal(&self, literal: TermId) -> Printed {
        if let Some(whole) = self.dialect.whole(self.terms, literal) {
            return whole;
        }
        let term = self.terms.term(literal);
        if let Some(own) = self.dialect.term(self.terms, literal, &|t| self.term(t)) {
            return own;
        }
        if let Some(own) = self.bound(literal) {
            return own;
        }
        match &term.op {
            Op::Not => self.negated(term.args[0]),
            _ => self.term(literal),
        }
    }

    fn negated(&self, t: TermId) -> Printed {
        let term = self.terms.term(t);
        let args = &term.args;
        match &term.op {
            Op::Eq if args.len() == 2 => self.infix(args[0], " != ", args[1], 4, 5, None),
            Op::Le if args.len() == 2 => self.compare(args[1], true, args[0]),
            Op::Lt if args.len() == 2 => self.compare(args[1], false, args[0]),
            Op::BvSle | Op::BvUle => self.machine(args[1], true, args[0], term.op == Op::BvSle),
            Op::BvSlt | Op::BvUlt => self.machine(args[1], false, args[0], term.op == Op::BvSlt),
            _ => self.term(t).negation(),
        }
    }

    /// `a < b` or `a <= b` of numbers.
    fn compare(&self, a: TermId, strict: bool, b: TermId) -> Printed {
        let terms = self.terms;
        let integer = terms.sort(a) == SortId::INT;
        if terms.literal(a).is_some() && terms.literal(b).is_none() {
            let op = if strict { " > " } else { " >= " };
            return self.infix(b, op, a, 4, 5, None);
        }
        // Over integers `a + 1 <= b` is `a < b`.
        if integer && !strict {
            let (left, k) = terms.linear_form(a);
            let (right, m) = terms.linear_form(b);
            if k.is_one() && m.is_zero() && !left.is_empty() {
                return Printed::new(
                    format!("{} < {}", self.sum(&left, &BigInt::zero()).at(5), self.sum(&right, &m).at(5)),
                    4,
                );
            }
            if k.is_zero() && (-&m).is_one() && !right.is_empty() {
                return Printed::new(
                    format!("{} < {}", self.sum(&left, &k).at(5), self.sum(&right, &BigInt::zero()).at(5)),
                    4,
                );
            }
        }
        self.infix(a, if strict { " < " } else { " <= " }, b, 4, 5, None)
    }

    /// `a < b` or `a <= b` of bit-vectors.
    fn machine(&self, a: TermId, strict: bool, b: TermId, signed: bool) -> Printed {
        let (a, b, op) = match (self.terms.literal(a), self.terms.literal(b)) {
            (Some(_), None) => (b, a, if strict { " > " } else { " >= " }),
            _ if self.is_limit(a) && !self.is_limit(b) || self.extends_beside(b, a) => {
                (b, a, if strict { " > " } else { " >= " })
            }
            _ => (a, b, if strict { " < " } else { " <= " }),
        };
        // A bound that one number only satisfies, or all but one.
        let (op, only) = match number(self.terms, b, signed) {
            Some(n) => match beside_the_end(&n, self.terms.width(self.terms.sort(b)), op, signed) {
                Some((op, end)) => (op, Some(end)),
                None => (op, None),
            },
            None => (op, None),
        };
        let all_small = [a, b].iter().all(|&t| self.terms.literal(t).is_some() || self.is_small(t));
        let side = |t: TermId, other: TermId| {
            if self.terms.literal(t).is_some() {
                return self.number_beside(t, other, !signed);
            }
            match signed {
                // The other side is as wide: nobody need be told to extend this one.
                true if self.extends_beside(t, other) => self.as_signed(self.terms.term(t).args[0]),
                true => self.as_signed(t),
                false if all_small => self.term(t),
                false => self.as_unsigned(t),
            }
        };
        let right = match only {
            Some(end) => self.constant(&end, a, !signed),
            None => side(b, a),
        };
        Printed::new(format!("{}{op}{}", side(a, b).at(5), right.at(5)), 4)
    }

    /// Whether a signed number is extended only for a comparison with a number that is as wide anyway.
    fn extends_beside(&self, t: TermId, other: TermId) -> bool {
        matches!(self.terms.term(t).op, Op::SignExtend(_)) && self.is_small(other)
    }

    fn is_small(&self, t: TermId) -> bool {
        self.dialect.is_small(self.terms, t)
    }

    /// A number where an unsigned one is needed.
    fn as_unsigned(&self, t: TermId) -> Printed {
        if self.dialect.is_unsigned(self.terms, t) == Some(true) || self.is_small(t) {
            self.term(t)
        } else {
            self.cast(t, true)
        }
    }

    /// A number where a signed one is needed.
    fn as_signed(&self, t: TermId) -> Printed {
        if self.dialect.is_unsigned(self.terms, t) == Some(true) && !self.is_small(t) {
            self.cast(t, false)
        } else {
            self.term(t)
        }
    }

    fn cast(&self, t: TermId, unsigned: bool) -> Printed {
        let bits = self.terms.width(self.terms.sort(t)).unwrap_or_default();
        Printed::new(format!("({}){}", self.dialect.integer(bits, unsigned), self.term(t).at(10)), 10)
    }

    /// A constant as it is printed beside another term.
    fn number_beside(&self, t: TermId, other: TermId, unsigned: bool) -> Printed {
        match number(self.terms, t, !unsigned) {
            Some(n) if self.dialect.term(self.terms, t, &|t| self.term(t)).is_none() => {
                self.constant(&n, other, unsigned)
            }
            _ => self.number(t, unsigned),
        }
    }

    /// Whether a constant is one from which terms are subtracted in overflow checks.
    fn is_limit(&self, t: TermId) -> bool {
        let term = self.terms.term(t);
        matches!(term.op, Op::BvAdd | Op::BvSub) && term.args.iter().any(|&a| self.terms.literal(a).is_some())
    }

    fn infix(&self, a: TermId, op: &str, b: TermId, level: u8, sides: u8, unsigned: Option<bool>) -> Printed {
        let equation = level == 4;
        // The constant of an equation stands to the right.
        let (a, b) = if equation
            && op.trim() != "<"
            && self.terms.literal(a).is_some()
            && self.terms.literal(b).is_none()
        {
            (b, a)
        } else {
            (a, b)
        };
        let unsigned = unsigned.or_else(|| self.dialect.is_unsigned(self.terms, a)).unwrap_or(false);
        let right = if level == 6 || level == 7 { sides + 1 } else { sides };
        let (a, b) = match equation {
            true => (self.number_beside(a, b, unsigned), self.number_beside(b, a, unsigned)),
            false => (self.number(a, unsigned), self.number(b, unsigned)),
        };
        Printed::new(format!("{}{op}{}", a.at(sides), b.at(right)), level)
    }

    /// A term, with literals of bit-vectors read as signed or unsigned as its context requires.
    fn number(&self, t: TermId, unsigned: bool) -> Printed {
        if self.dialect.term(self.terms, t, &|t| self.term(t)).is_none()
            && let Some(n) = number(self.terms, t, !unsigned)
        {
            return self.constant(&n, t, unsigned);
        }
        self.term(t)
    }

    /// A sum of integers, with what is subtracted behind what is added.
    fn sum(&self, summands: &[(TermId, BigInt)], constant: &BigInt) -> Printed {
        let product = |t: TermId, c: &BigInt| {
            let t = self.term(t);
            if c.is_one() { t } else { Printed::new(format!("{c} * {}", t.at(8)), 7) }
        };
        let mut parts: Vec<(bool, Printed)> =
            summands.iter().map(|(t, c)| (c.is_negative(), product(*t, &c.abs()))).collect();
        if !constant.is_zero() || parts.is_empty() {
            parts.push((constant.is_negative(), Printed::atom(constant.abs().to_string())));
        }
        parts.sort_by_key(|(minus, _)| *minus);
        let count = parts.len();
        let mut text = String::new();
        let mut level = 6;
        for (i, (minus, part)) in parts.into_iter().enumerate() {
            match (i, minus) {
                (0, false) if count == 1 => return part,
                (0, false) => text = part.at(6),
                (0, true) => {
                    text = format!("-{}", part.at(10));
                    level = if count == 1 { 10 } else { 6 };
                }
                (_, true) => text = format!("{text} - {}", part.at(7)),
                (_, false) => text = format!("{text} + {}", part.at(7)),
            }
        }
        Printed::new(text, level)
    }

    fn list(&self, args: &[TermId], op: &str) -> Printed {
        let texts: Vec<String> = args.iter().map(|&a| self.literal(a).at(1)).collect();
        Printed::new(texts.join(op), 0)
    }

    fn term(&self, t: TermId) -> Printed {
        let terms = self.terms;
        if let Some(own) = self.dialect.term(terms, t, &|t| self.term(t)) {
            return own;
        }
        let term = terms.term(t);
        let args = &term.args;
        let arithmetic = |op: &str, level: u8| self.infix(args[0], op, args[1], level, level, None);
        match &term.op {
            Op::Literal(Value::BitVec { .. }) => self.number(t, false),
            Op::Literal(v) => {
                let text = v.to_string();
                if text.starts_with('-') { Printed::new(text, 10) } else { Printed::atom(text) }
            }
            Op::Var(s) => Printed::atom(&*terms.symbol(*s).name),
            Op::Not => self.negated(args[0]),
            Op::And => self.list(args, " && "),
            Op::Or => self.list(args, " || "),
            Op::Implies if args.len() == 2 => {
                Printed::new(format!("{} || {}", self.negated(args[0]).at(1), self.literal(args[1]).at(1)), 0)
            }
            Op::Eq if args.len() == 2 => self.infix(args[0], " == ", args[1], 4, 5, None),
            Op::Le if args.len() == 2 => self.compare(args[0], false, args[1]),
            Op::Lt if args.len() == 2 => self.compare(args[0], true, args[1]),
            Op::BvSle | Op::BvUle => self.machine(args[0], false, args[1], term.op == Op::BvSle),
            Op::BvSlt | Op::BvUlt => self.machine(args[0], true, args[1], term.op == Op::BvSlt),
            Op::Add | Op::Sub | Op::Neg if term.sort == SortId::INT => {
                let (sum, constant) = terms.linear_form(t);
                self.sum(&sum, &constant)
            }
            Op::Mul if args.len() == 2 => arithmetic(" * ", 7),
            Op::Mod => arithmetic(&format!(" {} ", self.dialect.remainder()), 7),
            Op::IntDiv => arithmetic(&format!(" {} ", self.dialect.quotient()), 7),
            Op::BvSrem | Op::BvUrem => self.division(t, self.dialect.remainder()),
            Op::BvSdiv | Op::BvUdiv => self.division(t, self.dialect.quotient()),
            Op::BvAdd => self.machine_sum(args),
            Op::BvSub if args.len() == 2 => arithmetic(" - ", 6),
            Op::BvMul if args.len() == 2 => arithmetic(" * ", 7),
            Op::BvNeg => Printed::new(format!("-{}", self.term(args[0]).at(10)), 10),
            Op::BvNot => Printed::new(format!("~{}", self.term(args[0]).at(10)), 10),
            Op::BvAnd if args.len() == 2 => self.infix(args[0], " & ", args[1], 3, 5, None),
            Op::BvOr if args.len() == 2 => self.infix(args[0], " | ", args[1], 3, 5, None),
            Op::BvXor if args.len() == 2 => self.infix(args[0], " ^ ", args[1], 3, 5, None),
            Op::BvShl => self.infix(args[0], " << ", args[1], 5, 6, None),
            Op::BvLshr | Op::BvAshr => self.infix(args[0], " >> ", args[1], 5, 6, None),
            Op::Ite => Printed::new(
                format!(
                    "{} ? {} : {}",
                    self.literal(args[0]).at(1),
                    self.term(args[1]).at(1),
                    self.term(args[2]).at(1)
                ),
                0,
            ),
            Op::Select => {
                let indices: Vec<String> = args[1..].iter().map(|&a| self.term(a).text).collect();
                Printed::atom(format!("{}[{}]", self.term(args[0]).at(12), indices.join(", ")))
            }
            Op::Apply(f) => {
                let texts: Vec<String> = args.iter().map(|&a| self.term(a).text).collect();
                Printed::atom(format!("{}({})", terms.function(*f).name, texts.join(", ")))
            }
            _ if terms.post_order(&[t]).len() > LARGEST => Printed::atom("…"),
            _ => Printed::atom(terms.display(t).to_string()),
        }
    }

    /// A division of bit-vectors, signed or unsigned.
    fn division(&self, t: TermId, op: &str) -> Printed {
        let term = self.terms.term(t);
        let unsigned = matches!(term.op, Op::BvUrem | Op::BvUdiv);
        let (a, b) = (term.args[0], term.args[1]);
        let side = |t: TermId| match (self.terms.literal(t), unsigned) {
            (Some(_), _) => self.number(t, unsigned),
            (None, true) => self.as_unsigned(t),
            (None, false) => self.as_signed(t),
        };
        Printed::new(format!("{} {op} {}", side(a).at(7), side(b).at(8)), 7)
    }

    /// A sum of bit-vectors; a negative constant is subtracted.
    fn machine_sum(&self, args: &[TermId]) -> Printed {
        let mut text = String::new();
        let (last, front): (Vec<TermId>, Vec<TermId>) =
            args.iter().partition(|&&a| self.terms.literal(a).is_some());
        for (i, &a) in front.iter().chain(&last).enumerate() {
            let negative = number(self.terms, a, true).filter(BigInt::is_negative);
            let opposite = match &self.terms.term(a).op {
                Op::BvNeg => Some(self.terms.term(a).args[0]),
                _ => None,
            };
            text = match (i, negative, opposite) {
                (0, ..) => self.term(a).at(6),
                (_, Some(n), _) => match self.constant(&n, a, false) {
                    name if name.level == 12 => format!("{text} + {}", name.text),
                    _ => format!("{text} - {}", -n),
                },
                (_, None, Some(b)) => format!("{text} - {}", self.term(b).at(7)),
                _ => format!("{text} + {}", self.number(a, false).at(7)),
            };
        }
        Printed::new(text, 6)
    }
}

/// For a bound next to the end of a range: the operator (`==` or `!=`) and the end.
fn beside_the_end(n: &BigInt, width: Option<u32>, op: &str, signed: bool) -> Option<(&'static str, BigInt)> {
    let (least, most) = range(width?, signed);
    let (end, is) = match op.trim() {
        "<" if *n == &least + 1 => (least, true),
        "<=" if *n == least => (least, true),
        ">" if *n == least => (least, false),
        ">=" if *n == &least + 1 => (least, false),
        ">" if n + 1 == most => (most, true),
        ">=" if *n == most => (most, true),
        "<" if *n == most => (most, false),
        "<=" if n + 1 == most => (most, false),
        _ => return None,
    };
    Some((if is { " == " } else { " != " }, end))
}
