//! The interval domain of floating-point numbers, by an order-preserving map from numbers to integers.
//!
//! **Idea.** The bits of IEEE numbers, read as sign and magnitude, are ordered like the numbers. This integer is the
//! *rank* of a number: 0 for both zeros, 1 for the least positive number, the value of infinity's bits for infinity,
//! a greater integer for a NaN, and the same with a minus sign for negative numbers. So a range of ranks is an
//! interval of numbers, "is not a NaN" is a range, and comparisons of numbers are linear inequalities between ranks.
//! Monotone operations are computed at the ends of the intervals by the machine's own arithmetic. As rounding to
//! nearest is monotone too, the results are exact bounds of what the program computes, and no assumption about
//! rounding is needed.
//!
//! **Example.** The bits of the single-precision number 1.0 are `0x3f800000`, so its rank is 1065353216, and −1.0 has
//! rank −1065353216. The condition `x >= 1.0f` says that the rank of `x` is at least 1065353216 and that `x` is no
//! NaN.
//!
//! **Papers.** Intervals of floating-point numbers with rounding at the ends: Miné, "Relational abstract domains for
//! the detection of floating-point run-time errors", ESOP 2004, without its linear forms.
//!
//! **Deviations.**
//! 1. Single and double precision only, and rounding to nearest, ties to even, where arithmetic rounds.
//! 2. A value that may be a NaN has no interval in addition: it gets one where a condition excludes NaNs.
//! 3. A NaN that is no bit-vector has some rank beyond infinity's; which one is left open.
//!
//! **Direction of error.** As in `read.rs`: the expression that is returned is the rank in every state that the facts
//! allow, and facts that are added hold in every such state.

use std::ops::{Add, Div, Mul, Sub};

use footpath_term::{FuncKind, Op, Sort, SortId, Term, TermId, Terms, Value};
use num_bigint::BigUint;

use crate::condition::insist;
use crate::facts::Facts;
use crate::linear::{Dim, Linear, Reading};
use crate::range::Range;
use crate::read::{MAX_WIDTH, Reader};

/// How many operators are searched for one that says that bits are those of a floating-point number.
const DEPTH: u32 = 4;

/// The width of a floating-point sort; `None` for other sorts, and for formats other than single and double
/// precision.
pub fn width(terms: &Terms, sort: SortId) -> Option<u32> {
    match terms.sort_of(sort) {
        Sort::Float { exponent: 8, significand: 24 } => Some(32),
        Sort::Float { exponent: 11, significand: 53 } => Some(64),
        _ => None,
    }
}

/// The reading of a term by rank, if it is a floating-point number, or bits that appear to be those of one.
pub fn reading(terms: &Terms, facts: &Facts, t: TermId) -> Option<Reading> {
    if let Some(w) = width(terms, terms.sort(t)) {
        return Some(Reading::Rank(w));
    }
    let w = terms.width(terms.sort(t)).filter(|w| matches!(w, 32 | 64))?;
    is_number(terms, facts, t, w, DEPTH).then_some(Reading::Rank(w))
}

fn is_number(terms: &Terms, facts: &Facts, t: TermId, w: u32, depth: u32) -> bool {
    let term = terms.term(t);
    match &term.op {
        Op::Apply(_) => words(terms, term).as_deref() == Some(&["fp.to_ieee_bv"]),
        Op::Var(_) | Op::Select => facts.mentions(Dim::Term(t, Reading::Rank(w))),
        Op::Ite | Op::BvXor | Op::BvAnd if depth > 0 => {
            term.args.iter().any(|&a| terms.sort(a) == term.sort && is_number(terms, facts, a, w, depth - 1))
        }
        _ => false,
    }
}

/// The parts of the name of a solver's function: those of `(_ to_fp 8 24) RNE` without parentheses.
fn words<'t>(terms: &'t Terms, term: &Term) -> Option<Vec<&'t str>> {
    let Op::Apply(f) = term.op else { return None };
    let FuncKind::Builtin(text) = &terms.function(f).kind else { return None };
    let split = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
    Some(split.filter(|w| !w.is_empty() && *w != "_").collect())
}

// ---- Ranks and numbers

/// The rank of infinity.
pub fn infinity(w: u32) -> i128 {
    if w == 32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 }
}

/// The range of the ranks of all numbers, infinities included, NaNs excluded.
fn numbers(w: u32) -> Range {
    Range::between(-infinity(w), infinity(w))
}

/// The rank of these bits.
pub fn rank_of(bits: &BigUint, w: u32) -> Option<i128> {
    let bits = i128::try_from(bits).ok()?;
    let sign = 1i128 << (w - 1);
    Some(if bits >= sign { sign - bits } else { bits })
}

/// The number of a rank that is no NaN's.
fn number(rank: i128, w: u32) -> f64 {
    let magnitude = rank.unsigned_abs();
    let number =
        if w == 32 { f64::from(f32::from_bits(magnitude as u32)) } else { f64::from_bits(magnitude as u64) };
    if rank < 0 { -number } else { number }
}

/// The rank of a number of that width.
fn rank(number: f64, w: u32) -> i128 {
    let bits =
        if w == 32 { BigUint::from((number as f32).to_bits()) } else { BigUint::from(number.to_bits()) };
    rank_of(&bits, w).unwrap_or_default()
}

/// The abstract value of a number: its interval if it is not a NaN, and whether it may be a NaN.
#[derive(Clone, Copy, Debug)]
struct Known {
    interval: Option<(f64, f64)>,
    nan: bool,
}

impl Known {
    fn of(range: Range, w: u32) -> Known {
        let met = range.meet(numbers(w));
        let ends = met.lo.zip(met.hi).filter(|_| !met.is_empty());
        Known {
            interval: ends.map(|(lo, hi)| (number(lo, w), number(hi, w))),
            nan: !numbers(w).includes(range),
        }
    }

    /// The ranks.
    fn range(self, w: u32) -> Range {
        match self.interval {
            Some((lo, hi)) if !self.nan => Range::between(rank(lo, w), rank(hi, w)),
            _ => Range::TOP,
        }
    }

    /// The interval from the least to the greatest of some numbers; NaNs are left out.
    fn around(all: &[f64], nan: bool) -> Known {
        let numbers = || all.iter().copied().filter(|x| !x.is_nan());
        let interval = numbers().reduce(f64::min).zip(numbers().reduce(f64::max));
        Known { interval, nan }
    }
}

/// A function of one number that is monotone.
fn monotone(x: Known, f: impl Fn(f64) -> f64) -> Known {
    Known { interval: x.interval.map(|(lo, hi)| (f(lo), f(hi))), nan: x.nan }
}

fn has_zero((lo, hi): (f64, f64)) -> bool {
    lo <= 0.0 && hi >= 0.0
}

fn has_infinity((lo, hi): (f64, f64)) -> bool {
    lo == f64::NEG_INFINITY || hi == f64::INFINITY
}

/// `x ∘ y`, rounded to nearest in the format.
fn rounded(name: &str, x: f64, y: f64, w: u32) -> Option<f64> {
    if w == 32 { computed(name, x as f32, y as f32).map(f64::from) } else { computed(name, x, y) }
}

fn computed<F>(name: &str, x: F, y: F) -> Option<F>
where
    F: Add<Output = F> + Sub<Output = F> + Mul<Output = F> + Div<Output = F>,
{
    Some(match name {
        "fp.add" => x + y,
        "fp.sub" => x - y,
        "fp.mul" => x * y,
        "fp.div" => x / y,
        _ => return None,
    })
}

/// An operation on two numbers, rounded to nearest.
fn arithmetic(name: &str, x: Known, y: Known, w: u32) -> Option<Known> {
    let nan = x.nan || y.nan;
    let (Some(a), Some(b)) = (x.interval, y.interval) else {
        return Some(Known { interval: None, nan: true });
    };
    let at = |x: f64, y: f64| rounded(name, x, y, w);
    Some(match name {
        "fp.add" | "fp.sub" => {
            let (low, high) = if name == "fp.add" { (b.0, b.1) } else { (b.1, b.0) };
            let (lo, hi) = (at(a.0, low)?, at(a.1, high)?);
            // Infinities of opposite signs have no sum; what is beside them has one.
            let lo = if lo.is_nan() { f64::NEG_INFINITY } else { lo };
            let hi = if hi.is_nan() { f64::INFINITY } else { hi };
            Known { interval: Some((lo, hi)), nan: nan || has_infinity(a) && has_infinity(b) }
        }
        "fp.mul" => {
            // Zero times infinity is no number; beside it there are products around zero, and those of the other ends.
            let ends = [at(a.0, b.0)?, at(a.0, b.1)?, at(a.1, b.0)?, at(a.1, b.1)?];
            let ends = ends.map(|x| if x.is_nan() { 0.0 } else { x });
            let open = has_zero(a) && has_infinity(b) || has_infinity(a) && has_zero(b);
            Known::around(&ends, nan || open)
        }
        "fp.div" if has_zero(b) => Known {
            interval: Some((f64::NEG_INFINITY, f64::INFINITY)),
            nan: nan || has_zero(a) || has_infinity(a) && has_infinity(b),
        },
        "fp.div" => {
            let ends = [at(a.0, b.0)?, at(a.0, b.1)?, at(a.1, b.0)?, at(a.1, b.1)?];
            Known::around(&ends, nan || has_infinity(a) && has_infinity(b))
        }
        _ => return None,
    })
}

/// The function that rounds to a whole number in a rounding mode.
fn whole(mode: &str) -> Option<fn(f64) -> f64> {
    Some(match mode {
        "RNE" => f64::round_ties_even,
        "RNA" => f64::round,
        "RTP" => f64::ceil,
        "RTN" => f64::floor,
        "RTZ" => f64::trunc,
        _ => return None,
    })
}

// ---- Terms

/// The rank of a number, or of bits.
pub fn read(reader: &mut Reader<'_>, facts: &mut Facts, t: TermId, w: u32) -> Linear {
    let unknown = Linear::dim(Dim::Term(t, Reading::Rank(w)));
    operation(reader, facts, t, w).unwrap_or(unknown)
}

/// The abstract value of a floating-point term.
fn known(reader: &mut Reader<'_>, facts: &mut Facts, t: TermId) -> Option<Known> {
    let w = width(reader.terms, reader.terms.sort(t))?;
    let e = reader.read(facts, t, Reading::Rank(w));
    Some(Known::of(facts.range_of(&e), w))
}

/// The rank as a sum, if it is one; otherwise adds what is known of it.
fn operation(reader: &mut Reader<'_>, facts: &mut Facts, t: TermId, w: u32) -> Option<Linear> {
    let term = reader.terms.term(t).clone();
    let dim = Dim::Term(t, Reading::Rank(w));
    match &term.op {
        Op::Literal(Value::BitVec { bits, .. } | Value::Float { bits, .. }) => {
            return rank_of(bits, w).map(Linear::constant);
        }
        Op::Ite => {
            let (then, other) = (term.args[1], term.args[2]);
            match truth(reader, facts, term.args[0]) {
                Some(true) => return Some(reader.read(facts, then, Reading::Rank(w))),
                Some(false) => return Some(reader.read(facts, other, Reading::Rank(w))),
                None => {}
            }
            let a = reader.read(facts, then, Reading::Rank(w));
            let b = reader.read(facts, other, Reading::Rank(w));
            facts.restrict(dim, facts.range_of(&a).hull(facts.range_of(&b)));
        }
        // The sign is a bit of its own.
        Op::BvXor | Op::BvAnd => {
            let sign = BigUint::from(1u8) << (w - 1);
            let mask = if term.op == Op::BvXor { sign } else { sign - 1u8 };
            let is_mask = |a: &TermId| matches!(reader.terms.literal(*a), Some(Value::BitVec { bits, .. }) if *bits == mask);
            let [a, b] = term.args.as_slice() else { return None };
            let of = if is_mask(b) { *a } else { Some(*b).filter(|_| is_mask(a))? };
            let e = reader.read(facts, of, Reading::Rank(w));
            return if term.op == Op::BvXor { e.scale(-1) } else { magnitude(facts, &e, dim) };
        }
        Op::Apply(_) => return applied(reader, facts, &term, w, dim),
        _ => {}
    }
    None
}

/// The truth of a test, if the facts say it.
fn truth(reader: &mut Reader<'_>, facts: &mut Facts, condition: TermId) -> Option<bool> {
    if let Some(truth) = reader.terms.as_bool(condition) {
        return Some(truth);
    }
    let term = reader.terms.term(condition).clone();
    let is_test = words(reader.terms, &term).as_deref() == Some(&["fp.isNaN"]);
    let x = known(reader, facts, *term.args.first().filter(|_| is_test)?)?;
    match (x.nan, x.interval) {
        (false, _) => Some(false),
        (true, None) => Some(true),
        _ => None,
    }
}

/// The rank without its sign.
fn magnitude(facts: &mut Facts, e: &Linear, dim: Dim) -> Option<Linear> {
    let range = facts.range_of(e);
    if range.lo.is_some_and(|n| n >= 0) {
        return Some(e.clone());
    }
    if range.hi.is_some_and(|n| n <= 0) {
        return e.scale(-1);
    }
    let most = range.lo.zip(range.hi).map(|(lo, hi)| hi.max(-lo));
    facts.restrict(dim, Range { lo: Some(0), hi: most, ..Range::TOP });
    None
}

/// The rank of what a solver's function returns.
fn applied(reader: &mut Reader<'_>, facts: &mut Facts, term: &Term, w: u32, dim: Dim) -> Option<Linear> {
    let function: Vec<String> = words(reader.terms, term)?.into_iter().map(str::to_owned).collect();
    let function: Vec<&str> = function.iter().map(String::as_str).collect();
    let found = match (function.as_slice(), term.args.as_slice()) {
        (["to_fp", _, _], [bits]) if reader.terms.width(reader.terms.sort(*bits)) == Some(w) => {
            return Some(reader.read(facts, *bits, Reading::Rank(w)));
        }
        (["fp.to_ieee_bv"], [x]) => {
            let e = reader.read(facts, *x, Reading::Rank(w));
            // The bits of a NaN are left open.
            return numbers(w).includes(facts.range_of(&e)).then_some(e);
        }
        (["fp.neg"], [x]) => return reader.read(facts, *x, Reading::Rank(w)).scale(-1),
        (["fp.abs"], [x]) => {
            let e = reader.read(facts, *x, Reading::Rank(w));
            return magnitude(facts, &e, dim);
        }
        ([name @ ("to_fp" | "to_fp_unsigned"), _, _, "RNE"], [x]) => converted(reader, facts, name, *x, w)?,
        (["fp.sqrt", "RNE"], [x]) => {
            let x = known(reader, facts, *x)?;
            let interval = x.interval.filter(|i| i.1 >= 0.0).map(|(lo, hi)| (lo.max(0.0).sqrt(), hi.sqrt()));
            Known { interval, nan: x.nan || x.interval.is_some_and(|i| i.0 < 0.0) }
        }
        (["fp.roundToIntegral", mode], [x]) => monotone(known(reader, facts, *x)?, whole(mode)?),
        ([name, "RNE"], [x, y]) => {
            let (x, y) = (known(reader, facts, *x)?, known(reader, facts, *y)?);
            arithmetic(name, x, y, w)?
        }
        _ => return None,
    };
    facts.restrict(dim, found.range(w));
    None
}

/// Conversion from another format or from an integer, rounded to nearest.
fn converted(reader: &mut Reader<'_>, facts: &mut Facts, name: &str, x: TermId, w: u32) -> Option<Known> {
    if width(reader.terms, reader.terms.sort(x)).is_some() {
        return (name == "to_fp").then(|| known(reader, facts, x)).flatten();
    }
    let from = reader.terms.width(reader.terms.sort(x)).filter(|n| (1..=MAX_WIDTH).contains(n))?;
    let reading = if name == "to_fp" { Reading::Signed(from) } else { Reading::Unsigned(from) };
    let e = reader.read(facts, x, reading);
    let range = facts.range_of(&e).meet(Dim::Term(x, reading).natural());
    // Once, from the integer: by way of double precision it would be rounded twice.
    let nearest = |n: i128| if w == 32 { f64::from(n as f32) } else { n as f64 };
    Some(Known { interval: Some((nearest(range.lo?), nearest(range.hi?))), nan: false })
}

/// The integer that a number is truncated to, as an unknown in the reading (signed or unsigned) of the conversion, if
/// it is in range.
pub fn to_integer(reader: &mut Reader<'_>, facts: &mut Facts, t: TermId, w: u32) -> Option<Linear> {
    let term = reader.terms.term(t).clone();
    let (signed, mode) = match words(reader.terms, &term)?.as_slice() {
        ["fp.to_sbv", _, mode] => (true, whole(mode)?),
        ["fp.to_ubv", _, mode] => (false, whole(mode)?),
        _ => return None,
    };
    let [x] = term.args.as_slice() else { return None };
    let Known { interval: Some((lo, hi)), nan: false } = known(reader, facts, *x)? else { return None };
    let (lo, hi) = (mode(lo), mode(hi));
    let half = 2f64.powi(w as i32 - 1);
    let in_range = if signed { lo >= -half && hi < half } else { lo >= 0.0 && hi < 2.0 * half };
    let reading = if signed { Reading::Signed(w) } else { Reading::Unsigned(w) };
    if !in_range {
        return None;
    }
    facts.restrict(Dim::Term(t, reading), Range::between(lo as i128, hi as i128));
    Some(Linear::dim(Dim::Term(t, reading)))
}

/// Assumes a test or a comparison of numbers to be true or false.
pub fn assume(terms: &mut Terms, facts: &mut Facts, condition: TermId, truth: bool) {
    let term = terms.term(condition).clone();
    let Some(&[name]) = words(terms, &term).as_deref() else { return };
    let name = name.to_owned();
    let mut ranks = Vec::new();
    for &x in &term.args {
        let Some(w) = width(terms, terms.sort(x)) else { return };
        let e = Reader::new(terms).read(facts, x, Reading::Rank(w));
        ranks.push((e, numbers(w)));
    }
    let is_number = |facts: &Facts, (e, numbers): &(Linear, Range)| numbers.includes(facts.range_of(e));
    match (name.as_str(), ranks.as_slice()) {
        ("fp.isNaN", [x]) if truth && is_number(facts, x) => *facts = Facts::impossible(),
        ("fp.isNaN", [x]) if !truth => insist_number(facts, x),
        ("fp.isZero", [(x, _)]) if truth => equal(facts, x, &Linear::constant(0)),
        ("fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq", [x, y]) => {
            if truth {
                insist_number(facts, x);
                insist_number(facts, y);
            } else if !is_number(facts, x) || !is_number(facts, y) {
                return;
            }
            let (x, y) =
                if matches!(name.as_str(), "fp.gt" | "fp.geq") { (&y.0, &x.0) } else { (&x.0, &y.0) };
            match (name.as_str(), truth) {
                ("fp.eq", true) => equal(facts, x, y),
                ("fp.eq", false) => {}
                ("fp.lt" | "fp.gt", true) | ("fp.leq" | "fp.geq", false) => {
                    let (x, y) = if truth { (x, y) } else { (y, x) };
                    x.plus(-1, y).and_then(|e| e.offset(1)).iter().for_each(|e| insist(facts, e));
                }
                _ => {
                    let (x, y) = if truth { (x, y) } else { (y, x) };
                    x.plus(-1, y).iter().for_each(|e| insist(facts, e));
                }
            }
        }
        _ => {}
    }
}

/// Adds that a number is none of the NaNs.
fn insist_number(facts: &mut Facts, (e, numbers): &(Linear, Range)) {
    for bound in [numbers.hi.and_then(|hi| e.offset(-hi)), numbers.lo.and_then(|lo| e.scale(-1)?.offset(lo))]
    {
        bound.iter().for_each(|row| insist(facts, row));
    }
}

fn equal(facts: &mut Facts, a: &Linear, b: &Linear) {
    for row in [a.plus(-1, b), b.plus(-1, a)] {
        row.iter().for_each(|row| insist(facts, row));
    }
}
