//! Interval constraint propagation: path conditions that are refuted by intervals, without a solver.
//!
//! **Idea.** The conditions of a path are read for ranges of words and of their operands, ranges are propagated
//! upwards from these, twice (bounds consistency), and a condition that cannot hold within the ranges is refuted.
//!
//! Example: a parser of numbers checks in each iteration that `10 * n + digit` does not overflow. After the
//! conditions `0 <= digit <= 9` and `n <= 99` the sum lies in `0..=999`, so the overflow is refuted at once; a solver
//! that works on bits may need seconds.
//!
//! Words are read as signed numbers. That a wide sum or product equals the extended narrow one is how overflow is
//! checked; it holds where the narrow one stays within its range.
//!
//! **Paper.** F. Benhamou, W. Older (JLP 1997), for bounds consistency.
//!
//! **Direction of error.** None. A range contains all values that the conditions permit; *contradictory* is only
//! answered if a range is empty or a condition is false throughout its range. Terms without a rule have the full
//! range.

use footpath_term::{Op, Sort, SortId, TermId, Terms, Value};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

/// Nodes of all conditions, beyond which they are left to the solver.
const NODES: usize = 4_000;
/// How often ranges are computed from those that the conditions gave.
const ROUNDS: u32 = 3;
/// How deep conditions are taken apart.
const DEPTH: u32 = 16;
/// Wider words are not looked at: products of two of these fit into what is computed with.
const WIDEST: u32 = 64;

/// The least and the greatest value; of a condition, 0 or 1.
type Range = (i128, i128);

/// Whether conditions cannot hold together, as intervals show.
pub(super) fn contradictory(terms: &Terms, conditions: &[TermId]) -> bool {
    let order = terms.post_order(conditions);
    if order.len() > NODES {
        return false;
    }
    let mut ranges = Ranges { terms, known: FxHashMap::default(), bounds: FxHashMap::default() };
    for _ in 0..ROUNDS {
        for &t in &order {
            let Some(range) = ranges.compute(t) else { continue };
            let Some(range) = meet(range, ranges.bounds.get(&t).copied()) else { return true };
            ranges.known.insert(t, range);
        }
        if conditions.iter().any(|c| ranges.known.get(c) == Some(&(0, 0))) {
            return true;
        }
        let before = ranges.bounds.len();
        let mut changed = false;
        for &condition in conditions {
            match ranges.assume(condition, true, DEPTH) {
                None => return true,
                Some(new) => changed |= new,
            }
        }
        if !changed && ranges.bounds.len() == before {
            break;
        }
    }
    false
}

fn meet(a: Range, b: Option<Range>) -> Option<Range> {
    let (low, high) = b.map_or(a, |b| (a.0.max(b.0), a.1.min(b.1)));
    (low <= high).then_some((low, high))
}

/// All signed numbers of a width.
fn all(width: u32) -> Range {
    (-(1 << (width - 1)), (1 << (width - 1)) - 1)
}

/// A range of results, if nothing wraps around.
fn fit(range: Option<Range>, width: u32) -> Range {
    let whole = all(width);
    range.filter(|r| whole.0 <= r.0 && r.1 <= whole.1).unwrap_or(whole)
}

/// The numbers of as many bits as the greatest one has.
fn filled(greatest: i128) -> i128 {
    (1 << (128 - greatest.max(0).leading_zeros())) - 1
}

/// From the least to the greatest of some values.
fn hull(values: impl IntoIterator<Item = Option<i128>>) -> Option<Range> {
    let values: Option<Vec<i128>> = values.into_iter().collect();
    let values = values?;
    Some((*values.iter().min()?, *values.iter().max()?))
}

struct Ranges<'t> {
    terms: &'t Terms,
    known: FxHashMap<TermId, Range>,
    /// What conditions say directly.
    bounds: FxHashMap<TermId, Range>,
}

impl Ranges<'_> {
    /// The width of a word that is looked at.
    fn width(&self, t: TermId) -> Option<u32> {
        match self.terms.sort_of(self.terms.sort(t)) {
            Sort::BitVec(width) if (1..=WIDEST).contains(width) => Some(*width),
            _ => None,
        }
    }

    fn of(&self, t: TermId) -> Option<Range> {
        self.known.get(&t).copied()
    }

    /// The one value that a word can have.
    fn constant(&self, t: TermId) -> Option<i128> {
        self.of(t).filter(|r| r.0 == r.1).map(|r| r.0)
    }

    /// A range as one of unsigned numbers.
    fn unsigned(&self, t: TermId) -> Option<Range> {
        let (width, (low, high)) = (self.width(t)?, self.of(t)?);
        let modulus = 1 << width;
        Some(match (low < 0, high < 0) {
            (false, _) => (low, high),
            (true, true) => (low + modulus, high + modulus),
            (true, false) => (0, modulus - 1),
        })
    }

    // ---- upwards ----

    /// The range of a term from those of its parts; `None` for what is neither a word nor a condition.
    fn compute(&self, t: TermId) -> Option<Range> {
        let terms = self.terms;
        let term = terms.term(t);
        if terms.sort(t) == SortId::BOOL {
            return Some(self.condition(t));
        }
        let width = self.width(t)?;
        let args = &term.args;
        if let Some(Value::BitVec { width, bits }) = terms.literal(t) {
            let n = Value::signed(*width, bits).to_i128()?;
            return Some((n, n));
        }
        let range = match term.op {
            Op::BvAdd => self.fold(args, i128::checked_add),
            Op::BvMul => self.fold(args, i128::checked_mul),
            Op::BvSub => self.pair(args).map(|(a, b)| (a.0 - b.1, a.1 - b.0)),
            Op::BvNeg => self.of(args[0]).map(|a| (-a.1, -a.0)),
            Op::BvNot => self.of(args[0]).map(|a| (-a.1 - 1, -a.0 - 1)),
            Op::BvShl => {
                self.shift(args).and_then(|(a, by)| hull([a.0, a.1].map(|n| n.checked_mul(1 << by))))
            }
            Op::BvAshr => self.shift(args).map(|(a, by)| (a.0 >> by, a.1 >> by)),
            Op::BvLshr => self.shift(args).and_then(|(_, by)| {
                let (low, high) = self.unsigned(args[0])?;
                Some((low >> by, high >> by))
            }),
            Op::BvUdiv | Op::BvUrem => self.divided(&term.op, args),
            Op::BvSdiv | Op::BvSrem => self.divided(&term.op, args),
            Op::BvAnd | Op::BvOr | Op::BvXor => self.bitwise(&term.op, args),
            Op::SignExtend(_) => self.of(args[0]),
            Op::ZeroExtend(_) => self.unsigned(args[0]),
            Op::Extract(_, 0) => self.of(args[0]),
            Op::Ite => match (self.of(args[0]), self.of(args[1]), self.of(args[2])) {
                (Some((1, 1)), then, _) => then,
                (Some((0, 0)), _, other) => other,
                (_, Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                _ => None,
            },
            _ => None,
        };
        Some(fit(range, width))
    }

    fn pair(&self, args: &[TermId]) -> Option<(Range, Range)> {
        match args {
            &[a, b] => Some((self.of(a)?, self.of(b)?)),
            _ => None,
        }
    }

    /// A sum or product of all arguments.
    fn fold(&self, args: &[TermId], op: impl Fn(i128, i128) -> Option<i128>) -> Option<Range> {
        let mut ranges = args.iter().map(|&a| self.of(a));
        let mut so_far = ranges.next()??;
        for next in ranges {
            let next = next?;
            let ends = [(so_far.0, next.0), (so_far.0, next.1), (so_far.1, next.0), (so_far.1, next.1)];
            so_far = hull(ends.map(|(a, b)| op(a, b)))?;
        }
        Some(so_far)
    }

    /// What is shifted, and how far.
    fn shift(&self, args: &[TermId]) -> Option<(Range, u32)> {
        let by = u32::try_from(self.constant(args[1])?).ok()?;
        (by < self.width(args[0])?).then_some((self.of(args[0])?, by))
    }

    /// Quotients and remainders by a positive constant.
    fn divided(&self, op: &Op, args: &[TermId]) -> Option<Range> {
        let by = self.constant(*args.get(1)?).filter(|by| *by > 0)?;
        let signed = matches!(op, Op::BvSdiv | Op::BvSrem);
        let (low, high) = if signed { self.of(args[0])? } else { self.unsigned(args[0])? };
        Some(match op {
            Op::BvUdiv | Op::BvSdiv => (low / by, high / by),
            _ => (low.max(1 - by).min(0), high.min(by - 1).max(0)),
        })
    }

    /// What signs and magnitudes say of bits.
    fn bitwise(&self, op: &Op, args: &[TermId]) -> Option<Range> {
        let (a, b) = self.pair(args)?;
        let least = all(self.width(args[0])?).0;
        let most = filled(a.1.max(b.1));
        let is = |positive: bool, r: Range| if positive { r.0 >= 0 } else { r.1 < 0 };
        match op {
            Op::BvAnd => match (is(true, a), is(true, b)) {
                (true, true) => Some((0, a.1.min(b.1))),
                (true, false) => Some((0, a.1)),
                (false, true) => Some((0, b.1)),
                _ if is(false, a) && is(false, b) => Some((least, -1)),
                _ => None,
            },
            Op::BvOr if is(true, a) && is(true, b) => Some((a.0.max(b.0), most)),
            Op::BvOr if is(false, a) || is(false, b) => Some((least, -1)),
            Op::BvXor if is(true, a) && is(true, b) => Some((0, most)),
            Op::BvXor if is(false, a) && is(false, b) => Some((0, -least - 1)),
            Op::BvXor if is(true, a) && is(false, b) || is(false, a) && is(true, b) => Some((least, -1)),
            _ => None,
        }
    }

    /// Whether a condition holds: never, always, or perhaps.
    fn condition(&self, t: TermId) -> Range {
        const PERHAPS: Range = (0, 1);
        let term = self.terms.term(t);
        let args = &term.args;
        let of = |t: TermId| self.of(t).unwrap_or(PERHAPS);
        let decided = |is: bool| (i128::from(is), i128::from(is));
        if let Some(is) = self.terms.as_bool(t) {
            return decided(is);
        }
        match term.op {
            Op::Not => (1 - of(args[0]).1, 1 - of(args[0]).0),
            Op::And => args.iter().fold((1, 1), |r, &a| (r.0.min(of(a).0), r.1.min(of(a).1))),
            Op::Or => args.iter().fold((0, 0), |r, &a| (r.0.max(of(a).0), r.1.max(of(a).1))),
            Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle => {
                let signed = matches!(term.op, Op::BvSlt | Op::BvSle);
                let side = |t| if signed { self.of(t) } else { self.unsigned(t) };
                let (Some(a), Some(b)) = (side(args[0]), side(args[1])) else { return PERHAPS };
                let strict = i128::from(matches!(term.op, Op::BvSlt | Op::BvUlt));
                match (a.1 + strict <= b.0, a.0 + strict > b.1) {
                    (true, _) => decided(true),
                    (_, true) => decided(false),
                    _ => PERHAPS,
                }
            }
            Op::Eq if args.len() == 2 => self.equal(args[0], args[1]).map_or(PERHAPS, decided),
            _ => PERHAPS,
        }
    }

    fn equal(&self, a: TermId, b: TermId) -> Option<bool> {
        let (x, y) = (self.of(a)?, self.of(b)?);
        if meet(x, Some(y)).is_none() {
            return Some(false);
        }
        if a == b || x.0 == x.1 && x == y {
            return Some(true);
        }
        self.exact(a, b).or_else(|| self.exact(b, a))
    }

    /// Whether a wide sum, difference or product is the narrow one, extended.
    fn exact(&self, wide: TermId, narrow: TermId) -> Option<bool> {
        let (wide, narrow) = (self.terms.term(wide), self.terms.term(narrow));
        let Op::SignExtend(_) = narrow.op else { return None };
        let inner = self.terms.term(narrow.args[0]);
        let is_extended = |w: TermId, n: TermId| match self.terms.term(w).op {
            Op::SignExtend(_) => self.terms.term(w).args[0] == n,
            _ => {
                self.terms.literal(w).is_some()
                    && self.constant(w).is_some_and(|c| self.constant(n) == Some(c))
            }
        };
        let (w, n) = (&wide.args, &inner.args);
        if wide.op != inner.op || w.len() != 2 || n.len() != 2 {
            return None;
        }
        let straight = is_extended(w[0], n[0]) && is_extended(w[1], n[1]);
        let crossed = is_extended(w[0], n[1]) && is_extended(w[1], n[0]);
        let exact = match wide.op {
            Op::BvAdd if straight || crossed => self.fold(n, i128::checked_add),
            Op::BvMul if straight || crossed => self.fold(n, i128::checked_mul),
            Op::BvSub if straight => self.pair(n).map(|(a, b)| (a.0 - b.1, a.1 - b.0)),
            _ => None,
        }?;
        let whole = all(self.width(narrow.args[0])?);
        (whole.0 <= exact.0 && exact.1 <= whole.1).then_some(true)
    }

    // ---- downwards ----

    /// Learns from a condition; whether that was something new, and `None` if it cannot hold.
    fn assume(&mut self, t: TermId, holds: bool, depth: u32) -> Option<bool> {
        let term = self.terms.term(t);
        let args = &term.args;
        if depth == 0 {
            return Some(false);
        }
        match term.op {
            Op::Not => self.assume(args[0], !holds, depth - 1),
            Op::And | Op::Or if (term.op == Op::And) == holds => {
                let mut new = false;
                for &a in args {
                    new |= self.assume(a, holds, depth - 1)?;
                }
                Some(new)
            }
            Op::BvSlt | Op::BvSle => {
                let strict = (term.op == Op::BvSlt) == holds;
                let (a, b) = if holds { (args[0], args[1]) } else { (args[1], args[0]) };
                self.ordered(a, b, i128::from(strict))
            }
            Op::BvUlt | Op::BvUle => {
                let strict = (term.op == Op::BvUlt) == holds;
                let (a, b) = if holds { (args[0], args[1]) } else { (args[1], args[0]) };
                self.ordered_unsigned(a, b, i128::from(strict))
            }
            Op::Eq if args.len() == 2 && holds => {
                let (Some(a), Some(b)) = (self.of(args[0]), self.of(args[1])) else { return Some(false) };
                let both = meet(a, Some(b))?;
                Some(self.bound(args[0], both, depth)? | self.bound(args[1], both, depth)?)
            }
            Op::Eq if args.len() == 2 => {
                let ends = |other: TermId, c: Option<i128>| {
                    let (c, (low, high)) = (c?, self.of(other)?);
                    match (c == low, c == high) {
                        (true, _) => Some((other, (low + 1, high))),
                        (_, true) => Some((other, (low, high - 1))),
                        _ => None,
                    }
                };
                let found = ends(args[0], self.constant(args[1])).or(ends(args[1], self.constant(args[0])));
                match found {
                    Some((t, range)) if self.width(t).is_some() => self.bound(t, range, depth),
                    _ => Some(false),
                }
            }
            _ => Some(false),
        }
    }

    /// `a + strict <= b`.
    fn ordered(&mut self, a: TermId, b: TermId, strict: i128) -> Option<bool> {
        let (Some(x), Some(y)) = (self.of(a), self.of(b)) else { return Some(false) };
        Some(self.bound(a, (x.0, y.1 - strict), DEPTH)? | self.bound(b, (x.0 + strict, y.1), DEPTH)?)
    }

    /// The same of unsigned numbers; where what is greater is no negative number, both are signed ones.
    fn ordered_unsigned(&mut self, a: TermId, b: TermId, strict: i128) -> Option<bool> {
        let (Some(x), Some(y)) = (self.of(a), self.of(b)) else { return Some(false) };
        if y.0 >= 0 {
            let low = self.bound(a, (0, y.1 - strict), DEPTH)?;
            return Some(low | self.bound(b, (x.0.max(0) + strict, y.1), DEPTH)?);
        }
        Some(false)
    }

    /// Learns the range of a word, and of what it was made of.
    fn bound(&mut self, t: TermId, range: Range, depth: u32) -> Option<bool> {
        let Some(known) = self.of(t) else { return Some(false) };
        let range = meet(range, Some(known))?;
        let range = meet(range, self.bounds.get(&t).copied())?;
        let mut new = range != known;
        if new {
            self.bounds.insert(t, range);
            self.known.insert(t, range);
        }
        if depth == 0 {
            return Some(new);
        }
        let term = self.terms.term(t);
        match (&term.op, term.args.as_slice()) {
            (Op::SignExtend(_), &[inner]) => new |= self.bound(inner, range, depth - 1)?,
            (Op::ZeroExtend(_), &[inner]) => {
                let most = all(self.width(inner)?).1;
                if range.1 <= most {
                    new |= self.bound(inner, range, depth - 1)?;
                }
            }
            (Op::BvAdd, &[x, c]) | (Op::BvAdd, &[c, x]) if self.terms.literal(c).is_some() => {
                // Only where the sum did not wrap around.
                if let (Some(r), Some(c), Some(width)) = (self.of(x), self.constant(c), self.width(t)) {
                    let whole = all(width);
                    if whole.0 <= r.0 + c && r.1 + c <= whole.1 {
                        new |= self.bound(x, (range.0 - c, range.1 - c), depth - 1)?;
                    }
                }
            }
            _ => {}
        }
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footpath_term::{Env, EvalError, SymbolId, evaluate};

    struct Given([(SymbolId, Value); 2]);

    impl Env for Given {
        fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
            let found = self.0.iter().find(|(s, _)| *s == symbol);
            found.map(|(_, v)| v.clone()).ok_or(EvalError::Unbound(symbol))
        }
    }

    const WIDTH: u32 = 3;

    /// A random word over variables, of `WIDTH` bits or twice as many.
    fn word(
        terms: &mut Terms,
        random: &mut fastrand::Rng,
        variables: &[TermId],
        wide: bool,
        depth: u32,
    ) -> TermId {
        let width = if wide { 2 * WIDTH } else { WIDTH };
        if depth == 0 || random.u8(0..4) == 0 {
            if wide {
                let inner = word(terms, random, variables, false, depth.saturating_sub(1));
                let op = if random.bool() { Op::SignExtend(WIDTH) } else { Op::ZeroExtend(WIDTH) };
                return terms.app(op, [inner]);
            }
            return match random.bool() {
                true => variables[random.usize(0..variables.len())],
                false => terms.bit_vec(width, random.i64(-4..4)),
            };
        }
        let a = word(terms, random, variables, wide, depth - 1);
        let b = match random.bool() {
            true => terms.bit_vec(width, random.i64(-4..8)),
            false => word(terms, random, variables, wide, depth - 1),
        };
        let all = [
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvXor,
            Op::BvAnd,
            Op::BvOr,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        match random.usize(0..all.len() + 4) {
            i if i < all.len() => terms.app(all[i].clone(), [a, b]),
            i if i == all.len() => terms.app(Op::BvNeg, [a]),
            i if i == all.len() + 1 => terms.app(Op::BvNot, [a]),
            i if i == all.len() + 2 && !wide => {
                let inner = word(terms, random, variables, true, depth - 1);
                terms.app(Op::Extract(WIDTH - 1, 0), [inner])
            }
            _ => {
                let c = comparison(terms, random, variables, depth - 1);
                terms.app(Op::Ite, [c, a, b])
            }
        }
    }

    fn comparison(terms: &mut Terms, random: &mut fastrand::Rng, variables: &[TermId], depth: u32) -> TermId {
        let wide = random.bool();
        let a = word(terms, random, variables, wide, depth);
        let b = match random.u8(0..3) {
            0 => word(terms, random, variables, wide, depth),
            _ => terms.bit_vec(if wide { 2 * WIDTH } else { WIDTH }, random.i64(-4..4)),
        };
        let op = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle][random.usize(0..5)].clone();
        let compared = terms.app(op, [a, b]);
        if random.bool() { terms.app(Op::Not, [compared]) } else { compared }
    }

    #[test]
    fn what_is_refuted_holds_for_no_values() {
        let mut refuted = 0;
        for seed in 0..20_000 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut terms = Terms::new();
            let sort = terms.bit_vec_sort(WIDTH);
            let symbols = ["x", "y"].map(|name| terms.fresh_symbol(name, sort));
            let variables = symbols.map(|s| terms.var(s));
            let count = random.usize(1..5);
            let mut conditions: Vec<TermId> =
                (0..count).map(|_| comparison(&mut terms, &mut random, &variables, 3)).collect();
            if random.bool() {
                let op = [Op::And, Op::Or][random.usize(0..2)].clone();
                let joined = terms.app(op, std::mem::take(&mut conditions));
                conditions.push(joined);
            }
            if !contradictory(&terms, &conditions) {
                continue;
            }
            refuted += 1;
            for case in 0..1u32 << (2 * WIDTH) {
                let [a, b] = [case & 7, case >> WIDTH].map(|n| Value::bit_vec(WIDTH, &n.into()));
                let mut given = Given([(symbols[0], a), (symbols[1], b)]);
                let holds = |given: &mut Given| {
                    conditions.iter().all(|&c| evaluate(&terms, c, given) == Ok(Value::Bool(true)))
                };
                assert!(!holds(&mut given), "seed {seed}, case {case}");
            }
        }
        assert!(refuted > 2_000, "{refuted}");
    }

    #[test]
    fn a_number_of_nine_digits_does_not_overflow_and_one_of_ten_may() {
        let mut terms = Terms::new();
        let byte = terms.bit_vec_sort(8);
        let mut conditions = Vec::new();
        let mut n = terms.bit_vec(32, 0);
        for digits in 1..=10 {
            let c = terms.fresh_var("c", byte);
            let c = terms.app(Op::SignExtend(24), [c]);
            let (zero, nine, ten) = (terms.bit_vec(32, 48), terms.bit_vec(32, 57), terms.bit_vec(32, 10));
            conditions.push(terms.app(Op::BvSle, [zero, c]));
            conditions.push(terms.app(Op::BvSle, [c, nine]));
            let product = terms.app(Op::BvMul, [n, ten]);
            let narrow = terms.app(Op::SignExtend(32), [product]);
            let factors = [n, ten].map(|t| terms.app(Op::SignExtend(32), [t]));
            let wide = terms.app(Op::BvMul, factors);
            let fits = terms.app(Op::Eq, [wide, narrow]);
            let overflows = terms.app(Op::Not, [fits]);
            conditions.push(overflows);
            assert_eq!(contradictory(&terms, &conditions), digits < 10, "{digits} digits");
            conditions.pop();
            let digit = terms.app(Op::BvSub, [c, zero]);
            n = terms.app(Op::BvAdd, [product, digit]);
        }
    }
}
