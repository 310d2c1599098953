//! Branch distance: how far the condition of a branch is from having the other truth value.
//!
//! **Idea.** When a run takes one arm of a branch, the values that were compared tell how close it was to taking the
//! other: for `a == b` the distance is the difference, for `a < b` the amount by which it is missed. Distances of a
//! conjunction are added; of a disjunction the least one counts. The search changes inputs so that a distance falls
//! (`search/descent.rs`), and prefers to branch off from runs with small distances (`strategy/fitness.rs`).
//!
//! Example: with `x == 3` and `y == 100`, the distance of `x == 10 && y == 90` is of the order of 7 + 10; changing
//! `x` to 4 reduces it, so that is a step in the right direction.
//!
//! The distance of a comparison of words is computed from the registers of its operands, so a run without symbolic
//! values has distances, too: a loop counter has no symbolic value, but it has a value. The distance of two
//! floating-point numbers is how many numbers of that format lie between them.
//!
//! **Papers.** B. Korel, "Automated software test data generation" (TSE 1990); N. Tracey, J. Clark, K. Mander, J.
//! McDermid (ASE 1998).
//!
//! **Direction of error.** None. Distances only determine what is tried first.

use std::cell::Cell;

use footpath_term::{FuncKind, Op, TermId, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use rustc_hash::FxHashMap;

use super::bitvector_ops::Binary;
use super::code::Reg;
use super::lower::Lowering;
use super::machine::Machine;
use super::value::{Kind, Symbolic};

/// Parts of a condition, beyond which it counts as a whole.
const PARTS: usize = 64;

/// A condition in the form from which its branch distance is computed.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Far {
    /// Words are compared.
    Words {
        op: Binary,
        kind: Kind,
        a: Reg,
        b: Reg,
    },
    /// Other numbers are compared.
    Terms {
        op: Order,
        a: TermId,
        b: TermId,
    },
    Not(Box<Far>),
    All(Vec<Far>),
    Any(Vec<Far>),
    /// A truth value of which nothing else is known.
    Flag(Reg),
}

/// How numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Equal,
    Less,
    AtMost,
}

/// One arm of one site.
pub(super) type SiteArm = (u32, u32);

/// The arms to which distances are measured.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// By site, a bit for each arm.
    pub(super) arms: Vec<u8>,
}

impl Watch {
    /// Takes note that a run took an arm.
    pub(super) fn take(&mut self, (site, arm): SiteArm) {
        self.arms[site as usize] &= !(1 << arm);
    }

    pub(super) fn wants(&self, (site, arm): SiteArm) -> bool {
        self.arms[site as usize] & 1 << arm != 0
    }
}

/// The least distances of a run.
pub(super) type Distances = FxHashMap<SiteArm, f64>;

// ---- conditions ----

impl Lowering<'_, '_> {
    /// The form of a condition, which was just evaluated, from which its distance is computed.
    pub(super) fn far(&mut self, condition: TermId) -> Option<Far> {
        let condition = self.expand(condition);
        let mut parts = PARTS;
        self.far_of(condition, &mut parts)
    }

    fn far_of(&mut self, t: TermId, parts: &mut usize) -> Option<Far> {
        *parts = parts.checked_sub(1)?;
        let term = self.terms.term(t).clone();
        let whole = |known: Option<Reg>| known.map(Far::Flag);
        let listed = |low: &mut Self, parts: &mut usize| -> Option<Vec<Far>> {
            term.args.iter().map(|&a| low.far_of(a, parts)).collect()
        };
        match &term.op {
            Op::Not => self.far_of(term.args[0], parts).map(|f| Far::Not(Box::new(f))),
            Op::And => listed(self, parts).map(Far::All).or_else(|| whole(self.register(t))),
            Op::Or => listed(self, parts).map(Far::Any).or_else(|| whole(self.register(t))),
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle if term.args.len() == 2 => {
                let (x, y) = (term.args[0], term.args[1]);
                let kind = Kind::of(self.terms, self.terms.sort(x));
                match (kind, self.register(x), self.register(y), Binary::of(&term.op)) {
                    (Some(kind), Some(a), Some(b), Some(op)) => Some(Far::Words { op, kind, a, b }),
                    (Some(_), ..) => whole(self.register(t)),
                    (None, ..) => numbers(self.terms, t),
                }
            }
            _ => numbers(self.terms, t).or_else(|| whole(self.register(t))),
        }
    }
}

/// A comparison of numbers that are no words.
fn numbers(terms: &Terms, t: TermId) -> Option<Far> {
    let term = terms.term(t);
    let [a, b] = term.args[..] else { return None };
    let (op, swap) = match &term.op {
        Op::Eq => (Order::Equal, false),
        Op::Lt => (Order::Less, false),
        Op::Le => (Order::AtMost, false),
        Op::Gt => (Order::Less, true),
        Op::Ge => (Order::AtMost, true),
        Op::Apply(f) => match &terms.function(*f).kind {
            FuncKind::Builtin(text) => match text.trim() {
                "fp.eq" => (Order::Equal, false),
                "fp.lt" => (Order::Less, false),
                "fp.leq" => (Order::AtMost, false),
                "fp.gt" => (Order::Less, true),
                "fp.geq" => (Order::AtMost, true),
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    Some(if swap { Far::Terms { op, a: b, b: a } } else { Far::Terms { op, a, b } })
}

// ---- runs ----

impl Machine<'_, '_> {
    /// Records the branch distance of a site, whose condition was just evaluated, to the arms that are watched.
    #[cold]
    pub(super) fn measure(&mut self, site: u32) {
        let Some(watch) = self.watch else { return };
        let wanted = watch.arms[site as usize];
        let Some(far) = self.unit.site(site).far.as_ref().filter(|_| wanted != 0) else {
            return;
        };
        let records = self.recording.is_some();
        let mut depends = false;
        for arm in (0..2).filter(|arm| wanted & 1 << arm != 0) {
            let mut values = Present { machine: self, depends: Cell::new(false) };
            let distance = away(far, arm == 1, &mut values);
            depends = records && values.depends.get();
            let list = if depends { &mut self.varying } else { &mut self.distances };
            let least = list.entry((site, arm)).or_insert(f64::INFINITY);
            *least = least.min(distance);
        }
        if depends {
            self.record_compared(site, far);
        }
    }

    fn number(&mut self, term: TermId) -> Option<BigRational> {
        match self.eval(term).ok()? {
            Value::Int(n) => Some(n.into()),
            Value::Real(r) => Some(r),
            Value::Float { exponent: 8, bits, .. } => rank(bits.to_u64()?, 32),
            Value::Float { exponent: 11, bits, .. } => rank(bits.to_u64()?, 64),
            _ => None,
        }
    }
}

/// The values that a machine has.
struct Present<'m, 'a, 's> {
    machine: &'m mut Machine<'a, 's>,
    /// Whether one of those that were looked at may depend on inputs.
    depends: Cell<bool>,
}

impl Values for Present<'_, '_, '_> {
    #[inline]
    fn word(&self, reg: Reg) -> Option<u64> {
        let word = self.machine.words[self.machine.word_at(reg)];
        match word.symbolic {
            Symbolic::Concrete => Some(word.bits),
            Symbolic::Unset => None,
            Symbolic::Term(_) => {
                self.depends.set(true);
                Some(word.bits)
            }
        }
    }

    fn number(&mut self, term: TermId) -> Option<BigRational> {
        self.depends.set(true);
        self.machine.number(term)
    }
}

/// The source of the values that are compared.
pub(super) trait Values {
    /// Of a register, if it has one.
    fn word(&self, reg: Reg) -> Option<u64>;

    /// Of a term that is a number.
    fn number(&mut self, term: TermId) -> Option<BigRational>;
}

/// The branch distance of a condition to being true, or to being false.
pub(super) fn away(far: &Far, holds: bool, values: &mut impl Values) -> f64 {
    match far {
        Far::Not(inner) => away(inner, !holds, values),
        Far::All(list) if holds => list.iter().map(|f| away(f, true, values)).sum(),
        Far::Any(list) if !holds => list.iter().map(|f| away(f, false, values)).sum(),
        Far::All(list) | Far::Any(list) => {
            list.iter().map(|f| away(f, holds, values)).fold(f64::INFINITY, f64::min)
        }
        Far::Flag(reg) => match values.word(*reg) {
            Some(bits) => f64::from(u8::from((bits != 0) != holds)),
            None => f64::INFINITY,
        },
        Far::Words { op, kind, a, b } => match (values.word(*a), values.word(*b)) {
            (Some(a), Some(b)) => of_words(*op, *kind, a, b, holds),
            _ => f64::INFINITY,
        },
        Far::Terms { op, a, b } => match (values.number(*a), values.number(*b)) {
            (Some(a), Some(b)) => of_numbers(*op, difference(&a, &b), holds),
            _ => f64::INFINITY,
        },
    }
}

/// The registers that a condition compares, each once; `None` if it compares other numbers.
pub(super) fn registers(far: &Far) -> Option<Vec<Reg>> {
    let mut found = match far {
        Far::Not(inner) => registers(inner)?,
        Far::All(list) | Far::Any(list) => list.iter().map(registers).collect::<Option<Vec<_>>>()?.concat(),
        Far::Flag(reg) => vec![*reg],
        Far::Words { a, b, .. } => vec![*a, *b],
        Far::Terms { .. } => return None,
    };
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// One number less another. It is zero only if they are equal.
fn difference(a: &BigRational, b: &BigRational) -> f64 {
    let exact = a - b;
    match exact.to_f64() {
        Some(rounded) if rounded != 0.0 && !rounded.is_nan() => rounded,
        _ if exact.is_zero() => 0.0,
        _ if exact.is_negative() => -f64::MIN_POSITIVE,
        _ => f64::MIN_POSITIVE,
    }
}

/// The position of a floating-point number among all of them; zeros have one position, NaNs none.
fn rank(bits: u64, width: u32) -> Option<BigRational> {
    let (sign, magnitude) = (bits >> (width - 1), bits & (u64::MAX >> (65 - width)));
    let largest = if width == 32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 };
    let rank = (magnitude <= largest).then(|| BigInt::from(magnitude))?;
    Some(if sign == 0 { rank } else { -rank }.into())
}

/// How far a comparison of words is from holding, or from not holding.
fn of_words(op: Binary, kind: Kind, a: u64, b: u64, holds: bool) -> f64 {
    let order = match op {
        Binary::Eq => {
            // The distance across the wrap-around may be the shorter one.
            let mask = kind.mask();
            let apart = (a.wrapping_sub(b) & mask).min(b.wrapping_sub(a) & mask);
            return of_numbers(Order::Equal, apart as f64, holds);
        }
        Binary::Ult | Binary::Slt => Order::Less,
        _ => Order::AtMost,
    };
    let signed = matches!(op, Binary::Slt | Binary::Sle);
    let read = |bits: u64| match signed {
        true => {
            let shift = 64 - u32::from(kind.0.max(1));
            i128::from(((bits << shift) as i64) >> shift)
        }
        false => i128::from(bits),
    };
    of_numbers(order, (read(a) - read(b)) as f64, holds)
}

/// How far a comparison is from holding, or from not holding, by what the first number has more than the second.
fn of_numbers(op: Order, more: f64, holds: bool) -> f64 {
    match (op, holds) {
        (Order::Equal, true) => more.abs(),
        (Order::Equal, false) => f64::from(u8::from(more == 0.0)),
        (Order::Less, true) if more < 0.0 => 0.0,
        (Order::Less, true) => more + 1.0,
        (Order::Less, false) => (-more).max(0.0),
        (Order::AtMost, true) => more.max(0.0),
        (Order::AtMost, false) if more > 0.0 => 0.0,
        (Order::AtMost, false) => 1.0 - more,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A distance is zero exactly where the condition is as wanted.
    #[test]
    fn nothing_is_zero_away_but_what_holds() {
        for kind in [Kind(3), Kind(8), Kind(64)] {
            let all: Vec<u64> = (0..8).chain((0..8).map(|n: u64| n.wrapping_neg() & kind.mask())).collect();
            for op in [Binary::Eq, Binary::Ult, Binary::Ule, Binary::Slt, Binary::Sle] {
                for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
                    for holds in [false, true] {
                        let is_zero = of_words(op, kind, a & kind.mask(), b & kind.mask(), holds) == 0.0;
                        let result = op.apply(kind, a & kind.mask(), b & kind.mask()) != 0;
                        assert_eq!(is_zero, result == holds, "{op:?} {kind:?} {a} {b} {holds}");
                    }
                }
            }
        }
    }

    #[test]
    fn floating_point_numbers_are_ranked_by_their_order() {
        let rank_of = |x: f64| rank(x.to_bits(), 64).expect("a number").to_integer();
        let numbers = [f64::NEG_INFINITY, -2.5, -1e-300, 0.0, 1e-300, 0.1, 2.5, f64::INFINITY];
        assert!(numbers.windows(2).all(|w| rank_of(w[0]) < rank_of(w[1])));
        assert_eq!((rank_of(-0.0), rank(f64::NAN.to_bits(), 64)), (BigInt::ZERO, None));
        let next = rank(0.1f64.to_bits() + 1, 64).expect("a number");
        assert_eq!(difference(&rank(0.1f64.to_bits(), 64).expect("a number"), &next), -1.0);
        assert_eq!(rank(u64::from(1.0f32.to_bits()), 32), Some(BigInt::from(1.0f32.to_bits()).into()));
    }
}
