//! Abstract evaluation of terms: a term as a linear expression over unknown integers.
//!
//! **Idea.** A term of sort `int` stands for itself; a bit-vector is read as a signed (two's complement) or as an
//! unsigned number. Where the facts show that an operation does not wrap around, or by which multiple of 2ʷ it does,
//! the linear expression of the result is computed from those of the operands. A term that is no linear expression
//! becomes an unknown itself, named by the term, and facts are added that follow from its operator. That is why the
//! size of a buffer, `$size[a]`, takes part like any variable.
//!
//! **Example.** If `0 ≤ x ≤ 100` is known of an 8-bit `x`, then `x + 1` read as unsigned is the expression `x + 1`.
//! If `x` is known to be 255, the same sum wraps around once and is `x + 1 − 256`. If nothing is known of `x`, the
//! sum is an unknown between 0 and 255.
//!
//! **Direction of error.** The expression that is returned equals the term in every state that the facts allow. Facts
//! that are added hold in every such state, as they follow from the meaning of an operator.

use footpath_term::{Op, Sort, SortId, TermId, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::float;
use crate::linear::{Dim, Linear, Reading};
use crate::range::{Range, fits};

/// Evaluates terms in one state; it is to be dropped when variables are assigned.
pub struct Reader<'t> {
    /// The arena of the terms.
    pub terms: &'t mut Terms,
    known: FxHashMap<(TermId, Reading), Linear>,
    /// The number of operators that may still be looked into; when it is 0, a term becomes an unknown.
    budget: u32,
}

/// The initial [`Reader::budget`].
const BUDGET: u32 = 10_000;

/// How deep an index is looked into.
const MAX_DEPTH: u32 = 16;

/// The widest bit-vectors that are read.
pub const MAX_WIDTH: u32 = 64;

/// The readings of terms of a sort; none for sorts that are not numeric.
pub fn readings(terms: &Terms, sort: SortId) -> Vec<Reading> {
    match terms.sort_of(sort) {
        Sort::Bool => vec![Reading::Bool],
        Sort::Int => vec![Reading::Int],
        Sort::BitVec(w) if (1..=MAX_WIDTH).contains(w) => vec![Reading::Signed(*w), Reading::Unsigned(*w)],
        _ => Vec::new(),
    }
}

fn small(n: &BigInt) -> Option<i128> {
    i128::try_from(n).ok().and_then(fits)
}

impl<'t> Reader<'t> {
    /// A reader for one state.
    pub fn new(terms: &'t mut Terms) -> Reader<'t> {
        Reader { terms, known: FxHashMap::default(), budget: BUDGET }
    }

    /// The term in a reading that its sort allows.
    pub fn read(&mut self, facts: &mut Facts, t: TermId, reading: Reading) -> Linear {
        if let Some(known) = self.known.get(&(t, reading)) {
            return known.clone();
        }
        let e = if self.budget == 0 {
            Linear::dim(Dim::Term(t, reading))
        } else {
            self.budget -= 1;
            match reading {
                Reading::Int => self.int(facts, t),
                Reading::Bool => self.boolean(facts, t),
                Reading::Signed(w) | Reading::Unsigned(w) => self.bits(facts, t, reading, w),
                Reading::Rank(w) => float::read(self, facts, t, w),
            }
        };
        self.known.insert((t, reading), e.clone());
        e
    }

    fn boolean(&mut self, facts: &mut Facts, t: TermId) -> Linear {
        match self.terms.as_bool(t) {
            Some(b) => Linear::constant(i128::from(b)),
            None => {
                let here = self.element(facts, t, Reading::Bool);
                Linear::dim(Dim::Term(here, Reading::Bool))
            }
        }
    }

    // ---- Elements of maps

    /// An element of a map with those indices replaced by numbers that are known to have one value, so that the same
    /// place has the same name by whatever expression it is accessed.
    fn element(&mut self, facts: &mut Facts, t: TermId, reading: Reading) -> TermId {
        let term = self.terms.term(t);
        if term.op != Op::Select {
            return t;
        }
        let args = term.args.clone();
        let indices: Vec<TermId> = args[1..].iter().map(|&i| self.index(facts, i)).collect();
        if indices == args[1..] {
            return t;
        }
        let named = self.terms.raw(Op::Select, args[..1].iter().copied().chain(indices));
        let (old, new) = (Dim::Term(t, reading), Dim::Term(named, reading));
        if facts.mentions(old)
            && let Some(difference) = Linear::dim(old).plus(-1, &Linear::dim(new))
        {
            facts.equate(&difference);
        }
        named
    }

    /// An index, as a number if it is known which one it is.
    pub fn index(&mut self, facts: &Facts, index: TermId) -> TermId {
        if matches!(self.terms.term(index).op, Op::Literal(_)) {
            return index;
        }
        let Some(n) = self.number(facts, index, MAX_DEPTH) else { return index };
        match self.terms.width(self.terms.sort(index)) {
            Some(w) => u64::try_from(n).map_or(index, |n| self.terms.bit_vec(w, n)),
            None => self.terms.int(n),
        }
    }

    /// The value of an integer or unsigned bit-vector, if the known values of its variables determine it.
    fn number(&self, facts: &Facts, t: TermId, depth: u32) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let term = self.terms.term(t);
        let width = match self.terms.sort_of(term.sort) {
            Sort::BitVec(w) if (1..=MAX_WIDTH).contains(w) => Some(*w),
            Sort::Int => None,
            _ => return None,
        };
        let modulo = |n: i128| width.map_or(n, |w| n.rem_euclid(1 << w));
        match &term.op {
            Op::Literal(Value::Int(n)) => small(n),
            Op::Literal(Value::BitVec { bits, .. }) => small(&bits.clone().into()),
            Op::Var(_) | Op::Select => {
                let readings = readings(self.terms, term.sort);
                let known = readings.into_iter().find_map(|r| facts.range(Dim::Term(t, r)).value());
                known.map(modulo)
            }
            Op::Add | Op::BvAdd => {
                let sum = term
                    .args
                    .iter()
                    .try_fold(0i128, |sum, &a| sum.checked_add(self.number(facts, a, depth)?));
                sum.map(modulo)
            }
            Op::ZeroExtend(_) => self.number(facts, term.args[0], depth),
            Op::SignExtend(more) => {
                let narrow = width? - more;
                let n = self.number(facts, term.args[0], depth)?;
                Some(modulo(if n >> (narrow - 1) & 1 == 1 { n - (1 << narrow) } else { n }))
            }
            _ => None,
        }
    }

    // ---- Integers

    fn int(&mut self, facts: &mut Facts, t: TermId) -> Linear {
        let t = self.element(facts, t, Reading::Int);
        let unknown = Linear::dim(Dim::Term(t, Reading::Int));
        self.int_operation(facts, t, &unknown).unwrap_or(unknown)
    }

    /// The term as a linear expression, if it is one; otherwise adds what is known of the unknown that stands for it.
    fn int_operation(&mut self, facts: &mut Facts, t: TermId, unknown: &Linear) -> Option<Linear> {
        let term = self.terms.term(t).clone();
        let arg = |i: usize| term.args[i];
        match &term.op {
            Op::Literal(Value::Int(n)) => small(n).map(Linear::constant),
            Op::Neg => self.int(facts, arg(0)).scale(-1),
            Op::Add => {
                let mut sum = Linear::constant(0);
                for &a in &term.args {
                    sum = sum.plus(1, &self.read(facts, a, Reading::Int))?;
                }
                Some(sum)
            }
            Op::Sub => {
                let mut difference = self.read(facts, arg(0), Reading::Int);
                for &a in &term.args[1..] {
                    difference = difference.plus(-1, &self.read(facts, a, Reading::Int))?;
                }
                Some(difference)
            }
            Op::Mul => {
                let factors: Vec<Linear> =
                    term.args.iter().map(|&a| self.read(facts, a, Reading::Int)).collect();
                product(facts, &factors, unknown)
            }
            Op::IntDiv | Op::Mod => {
                let (a, b) = (self.read(facts, arg(0), Reading::Int), self.read(facts, arg(1), Reading::Int));
                let k = facts.range_of(&b).value().filter(|k| *k != 0)?;
                if term.op == Op::Mod {
                    remainder(facts, &a, k.abs(), unknown)
                } else {
                    quotient(facts, &a, k, unknown)
                }
            }
            Op::BvToInt => {
                let width = self.terms.width(self.terms.sort(arg(0)))?;
                (1..=MAX_WIDTH).contains(&width).then(|| self.read(facts, arg(0), Reading::Unsigned(width)))
            }
            Op::Ite => self.choice(facts, t, Reading::Int, unknown),
            _ => None,
        }
    }

    /// `if c then a else b`, where the condition is not evaluated.
    fn choice(&mut self, facts: &mut Facts, t: TermId, reading: Reading, unknown: &Linear) -> Option<Linear> {
        let args = self.terms.term(t).args.clone();
        match self.terms.as_bool(args[0]) {
            Some(true) => return Some(self.read(facts, args[1], reading)),
            Some(false) => return Some(self.read(facts, args[2], reading)),
            None => {}
        }
        let (a, b) = (self.read(facts, args[1], reading), self.read(facts, args[2], reading));
        if a == b {
            return Some(a);
        }
        let hull = facts.range_of(&a).hull(facts.range_of(&b));
        restrict(facts, unknown, hull);
        None
    }

    // ---- Bit-vectors

    fn bits(&mut self, facts: &mut Facts, t: TermId, reading: Reading, w: u32) -> Linear {
        let unknown = Linear::dim(Dim::Term(t, reading));
        let signed = Reading::Signed(w);
        match &self.terms.term(t).op {
            Op::Literal(Value::BitVec { bits, .. }) => {
                let n = if reading == signed { Value::signed(w, bits) } else { bits.clone().into() };
                return small(&n).map_or(unknown, Linear::constant);
            }
            Op::Select => {
                let here = self.element(facts, t, reading);
                let unknown = Linear::dim(Dim::Term(here, reading));
                return in_known_half(facts, here, reading, w).unwrap_or(unknown);
            }
            Op::Var(_) => return in_known_half(facts, t, reading, w).unwrap_or(unknown),
            _ => {}
        }
        if let Some(e) = self.operation(facts, t, reading, w, &unknown) {
            return e;
        }
        in_known_half(facts, t, reading, w).unwrap_or(unknown)
    }

    /// The linear expression `e`, which equals the term modulo 2ʷ, brought into the range of the reading.
    fn modulo(&mut self, facts: &Facts, e: &Linear, reading: Reading, w: u32) -> Option<Linear> {
        let low = if reading == Reading::Signed(w) { -(1 << (w - 1)) } else { 0 };
        let size = 1i128 << w;
        let range = facts.range_of(e);
        if let (Some(lo), Some(hi)) = (range.lo, range.hi) {
            let rounds = (lo - low).div_euclid(size);
            if (hi - low).div_euclid(size) == rounds {
                return e.offset(-rounds.checked_mul(size)?);
            }
        }
        // Ranges alone do not say it; the rows may.
        let below = e.offset(-(low + size - 1))?;
        let above = e.scale(-1)?.offset(low)?;
        for rounds in [0, 1, -1] {
            let shift = rounds * size;
            if facts.entails(&below.offset(-shift)?) && facts.entails(&above.offset(shift)?) {
                return e.offset(-shift);
            }
        }
        None
    }

    fn operation(
        &mut self,
        facts: &mut Facts,
        t: TermId,
        reading: Reading,
        w: u32,
        unknown: &Linear,
    ) -> Option<Linear> {
        let term = self.terms.term(t).clone();
        let (signed, unsigned) = (Reading::Signed(w), Reading::Unsigned(w));
        let other = if reading == signed { unsigned } else { signed };
        let arg = |i: usize| term.args[i];
        let (e, out) = match &term.op {
            Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvMul => {
                for operands in [reading, other] {
                    let args: Vec<Linear> =
                        term.args.iter().map(|&a| self.read(facts, a, operands)).collect();
                    let Some(e) = exact(facts, &term.op, &args) else { continue };
                    if let Some(e) = self.modulo(facts, &e, reading, w) {
                        return Some(e);
                    }
                    // However often it wraps around, what is even stays so.
                    let class = facts.range_of(&e).modulo_power(w);
                    restrict(facts, unknown, class);
                }
                if term.op == Op::BvMul {
                    self.product_range(facts, &term.args, reading, w, unknown);
                }
                return None;
            }
            Op::ZeroExtend(n) => (self.read(facts, arg(0), Reading::Unsigned(w - n)), *n > 0),
            Op::SignExtend(n) => (self.read(facts, arg(0), Reading::Signed(w - n)), false),
            Op::Extract(_, 0) => {
                let from = self.terms.width(self.terms.sort(arg(0))).filter(|w| *w <= MAX_WIDTH)?;
                (self.read(facts, arg(0), Reading::Unsigned(from)), false)
            }
            Op::Concat if term.args.len() == 2 => {
                let low = self.terms.width(self.terms.sort(arg(1))).filter(|n| (1..w).contains(n))?;
                let high = self.read(facts, arg(0), Reading::Unsigned(w - low));
                let below = self.read(facts, arg(1), Reading::Unsigned(low));
                (below.plus(1 << low, &high)?, false)
            }
            Op::IntToBv(_) => (self.read(facts, arg(0), Reading::Int), false),
            Op::Apply(_) => (float::to_integer(self, facts, t, w)?, false),
            Op::Ite => return self.choice(facts, t, reading, unknown),
            Op::BvUdiv
            | Op::BvUrem
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvLshr
            | Op::BvShl
            | Op::Extract(..) => {
                let unknown = Linear::dim(Dim::Term(t, unsigned));
                (self.unsigned(facts, t, w, &unknown)?, false)
            }
            Op::BvSdiv | Op::BvSrem | Op::BvAshr => {
                let unknown = Linear::dim(Dim::Term(t, signed));
                (self.signed(facts, t, w, &unknown)?, false)
            }
            _ => return None,
        };
        if out { Some(e) } else { self.modulo(facts, &e, reading, w) }
    }

    /// What the operands' ranges imply for a product that does not wrap around.
    fn product_range(
        &mut self,
        facts: &mut Facts,
        args: &[TermId],
        reading: Reading,
        w: u32,
        unknown: &Linear,
    ) {
        let mut range = Range::only(1);
        for &a in args {
            let e = self.read(facts, a, reading);
            range = range.mul(facts.range_of(&e));
        }
        let natural = unknown.parts.first().map_or(Range::TOP, |p| p.0.natural());
        if w > 0 && natural.includes(range) {
            restrict(facts, unknown, range);
        }
    }

    /// Operators on unsigned numbers: the linear expression of the result, or facts about the unknown that stands for
    /// it.
    fn unsigned(&mut self, facts: &mut Facts, t: TermId, w: u32, unknown: &Linear) -> Option<Linear> {
        let term = self.terms.term(t).clone();
        let arg = |i: usize| term.args[i];
        if let Op::Extract(hi, lo) = term.op {
            let from = self.terms.width(self.terms.sort(arg(0))).filter(|w| *w <= MAX_WIDTH)?;
            let a = self.read(facts, arg(0), Reading::Unsigned(from));
            return if hi + 1 == from { quotient(facts, &a, 1 << lo, unknown) } else { None }
                .or_else(|| Some(unknown.clone()));
        }
        let reading = Reading::Unsigned(w);
        let args: Vec<Linear> = term.args.iter().map(|&a| self.read(facts, a, reading)).collect();
        let (a, b) = (&args[0], args.get(1)?);
        let k = facts.range_of(b).value();
        let found = match (&term.op, k) {
            (Op::BvUdiv, Some(k)) if k > 0 => quotient(facts, a, k, unknown),
            (Op::BvUrem, Some(k)) if k > 0 => {
                below(facts, unknown, a);
                remainder(facts, a, k, unknown)
            }
            (Op::BvUrem, _) => {
                below(facts, unknown, a);
                if facts.range_of(b).lo.is_some_and(|n| n > 0)
                    && let Some(b) = b.offset(-1)
                {
                    below(facts, unknown, &b);
                }
                None
            }
            (Op::BvLshr, Some(k)) if k < i128::from(w) => quotient(facts, a, 1 << k, unknown),
            (Op::BvLshr | Op::BvUdiv, _) => {
                if term.op == Op::BvLshr || facts.range_of(b).lo.is_some_and(|n| n > 0) {
                    below(facts, unknown, a);
                }
                None
            }
            (Op::BvShl, Some(k)) if k < i128::from(w) => a.scale(1 << k),
            (Op::BvAnd, _) => {
                args.iter().for_each(|a| below(facts, unknown, a));
                None
            }
            (Op::BvOr | Op::BvXor, _) => {
                if term.op == Op::BvOr {
                    args.iter().for_each(|a| below(facts, a, unknown));
                }
                let top =
                    args.iter().filter_map(|a| facts.range_of(a).hi).max().filter(|_| args.len() > 1)?;
                let bits = 128 - top.max(0).leading_zeros();
                restrict(facts, unknown, Range::between(0, (1i128 << bits.min(w)) - 1));
                None
            }
            _ => None,
        };
        Some(found.unwrap_or_else(|| unknown.clone()))
    }

    /// Operators on two's complement numbers.
    fn signed(&mut self, facts: &mut Facts, t: TermId, w: u32, unknown: &Linear) -> Option<Linear> {
        let term = self.terms.term(t).clone();
        let a = self.read(facts, term.args[0], Reading::Signed(w));
        let b = self.read(facts, term.args[1], Reading::Signed(w));
        let k = facts.range_of(&b).value().filter(|k| *k > 0);
        let positive = facts.range_of(&a).lo.is_some_and(|n| n >= 0)
            || a.scale(-1).is_some_and(|negative| facts.entails(&negative));
        let found = match (&term.op, k) {
            (Op::BvSdiv, Some(k)) if positive => quotient(facts, &a, k, unknown),
            (Op::BvSdiv, Some(_)) => {
                // Towards zero; a quotient need not be of the dividend's class.
                let Range { lo, hi, .. } = facts.range_of(&a).hull(Range::only(0));
                restrict(facts, unknown, Range { lo, hi, ..Range::TOP });
                None
            }
            (Op::BvSrem, Some(k)) if positive => {
                below(facts, unknown, &a);
                remainder(facts, &a, k, unknown)
            }
            (Op::BvSrem, Some(k)) => {
                restrict(facts, unknown, Range::between(1 - k, k - 1));
                None
            }
            (Op::BvAshr, Some(k)) if k < i128::from(w) => quotient(facts, &a, 1 << k, unknown),
            _ => None,
        };
        Some(found.unwrap_or_else(|| unknown.clone()))
    }
}

/// A bit-vector whose sign is known, in terms of its signed reading.
fn in_known_half(facts: &Facts, t: TermId, reading: Reading, w: u32) -> Option<Linear> {
    if reading == Reading::Signed(w) {
        return None;
    }
    let signed = Dim::Term(t, Reading::Signed(w));
    if facts.range(signed).lo.is_some_and(|n| n >= 0) || facts.range(Dim::Term(t, reading)).hi? < 1 << (w - 1)
    {
        return Some(Linear::dim(signed));
    }
    facts.range(signed).hi.filter(|n| *n < 0).and_then(|_| Linear::dim(signed).offset(1 << w))
}

/// The result without wrap-around, if it is a linear expression.
fn exact(facts: &Facts, op: &Op, args: &[Linear]) -> Option<Linear> {
    match op {
        Op::BvAdd => args.iter().try_fold(Linear::constant(0), |sum, a| sum.plus(1, a)),
        Op::BvSub => args[0].plus(-1, args.get(1)?),
        Op::BvNeg => args[0].scale(-1),
        Op::BvMul => {
            let mut result = Linear::constant(1);
            for a in args {
                result = match (result.as_constant(), facts.range_of(a).value()) {
                    (_, Some(k)) => result.scale(k)?,
                    (Some(k), None) => a.scale(k)?,
                    (None, None) => return None,
                };
            }
            Some(result)
        }
        _ => None,
    }
}

/// A product of integers: a linear expression if all factors but one are constants.
fn product(facts: &mut Facts, factors: &[Linear], unknown: &Linear) -> Option<Linear> {
    if let Some(e) = exact(facts, &Op::BvMul, factors) {
        return Some(e);
    }
    let range = factors.iter().fold(Range::only(1), |r, f| r.mul(facts.range_of(f)));
    restrict(facts, unknown, range);
    None
}

/// Adds to the facts that `unknown` is in a range.
fn restrict(facts: &mut Facts, unknown: &Linear, range: Range) {
    if let [(dim, 1)] = unknown.parts.as_slice() {
        facts.restrict(*dim, range);
    }
}

/// Adds `a ≤ b`.
fn below(facts: &mut Facts, a: &Linear, b: &Linear) {
    if let Some(e) = a.plus(-1, b) {
        facts.add(&e);
    }
}

/// `a div k`, rounded down for positive `k`, so that the remainder is not negative: `0 ≤ a − k·q < |k|`.
fn quotient(facts: &mut Facts, a: &Linear, k: i128, unknown: &Linear) -> Option<Linear> {
    if let Some(n) = facts.range_of(a).value() {
        return Some(Linear::constant(n.checked_sub(n.rem_euclid(k))?.checked_div(k)?));
    }
    if k == 1 {
        return Some(a.clone());
    }
    if let Some(left) = a.plus(k.checked_neg()?, unknown) {
        below(facts, &Linear::constant(0), &left);
        below(facts, &left, &Linear::constant(k.abs() - 1));
    }
    let range = facts.range_of(a);
    if k > 0 {
        let lo = range.lo.map(|n| n.div_euclid(k));
        let hi = range.hi.map(|n| n.div_euclid(k));
        restrict(facts, unknown, Range { lo, hi, ..Range::TOP });
    }
    None
}

/// `a mod k`: from 0 to `k − 1`.
fn remainder(facts: &mut Facts, a: &Linear, k: i128, unknown: &Linear) -> Option<Linear> {
    let range = facts.range_of(a);
    if let Some(n) = range.value() {
        return Some(Linear::constant(n.rem_euclid(k)));
    }
    if range.lo.is_some_and(|n| n >= 0) && range.hi.is_some_and(|n| n < k) {
        return Some(a.clone());
    }
    if range.modulus % k == 0 {
        return Some(Linear::constant(range.rest.rem_euclid(k)));
    }
    restrict(facts, unknown, Range::between(0, k - 1));
    None
}
