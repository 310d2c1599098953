//! Piecewise linear functions: terms of machine integers as functions of one input.
//!
//! **Idea.** Let an input range over an interval. A term that consists of sums of it and constants, products with
//! constants, extensions and truncations is `a·x + b` on each of a few pieces of the interval: a new piece begins
//! where a sum wraps around, and where the sign changes of a number that is read as unsigned. So the x for which a
//! comparison holds are a list of intervals, exactly.
//!
//! Example: for a byte x from 0 to 255, `x + 10` is `x + 10` on 0..=245 and `x − 246` on 246..=255; so `x + 10 < 20`
//! holds on 0..=9 and on 246..=255.
//!
//! **Direction of error.** None: a term that does not have this form, or has too many pieces, has no answer.

use footpath_term::{Op, SymbolId, TermId, Terms, Value};
use num_traits::ToPrimitive;

/// From one number to another, both included.
pub(crate) type Interval = (i128, i128);
/// Ordered intervals that neither overlap nor are adjacent.
pub(crate) type Set = Vec<Interval>;

/// How many pieces one term may make of an interval.
const MAX_PIECES: usize = 8;

/// `a·x + b` for x in an interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) over: Interval,
    pub(crate) a: i128,
    pub(crate) b: i128,
}

/// The union of two sets.
pub(crate) fn union(mut all: Set, more: Set) -> Set {
    all.extend(more);
    all.sort_unstable();
    let mut joined: Set = Vec::new();
    for (low, high) in all {
        match joined.last_mut() {
            Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
            _ => joined.push((low, high)),
        }
    }
    joined
}

/// The intersection of two sets.
pub(crate) fn both(a: &Set, b: &Set) -> Set {
    let meet = |x: &Interval, y: &Interval| (x.0.max(y.0), x.1.min(y.1));
    let all = a.iter().flat_map(|x| b.iter().map(move |y| meet(x, y)));
    union(all.filter(|(low, high)| low <= high).collect(), Vec::new())
}

/// The difference of an interval and a set.
pub(crate) fn without(over: Interval, taken: &Set) -> Set {
    let (mut rest, mut from) = (Vec::new(), over.0);
    for &(low, high) in taken {
        if from < low {
            rest.push((from, low - 1));
        }
        from = high + 1;
    }
    if from <= over.1 {
        rest.push((from, over.1));
    }
    rest
}

/// Reads terms as functions of an input, which is read with its sign.
pub(crate) struct Lines<'t> {
    pub(crate) terms: &'t Terms,
    pub(crate) input: SymbolId,
}

impl Lines<'_> {
    /// The x in an interval for which a condition holds.
    pub(crate) fn holds(&self, t: TermId, over: Interval) -> Option<Set> {
        let term = self.terms.term(t);
        let args = &term.args;
        let parts = || args.iter().map(|&a| self.holds(a, over)).collect::<Option<Vec<Set>>>();
        if let Some(constant) = self.terms.as_bool(t) {
            return Some(if constant { vec![over] } else { Vec::new() });
        }
        let is_machine = args.first().is_some_and(|a| self.terms.width(self.terms.sort(*a)).is_some());
        match term.op {
            Op::Not => Some(without(over, &self.holds(args[0], over)?)),
            Op::And => Some(parts()?.iter().fold(vec![over], |all, part| both(&all, part))),
            Op::Or => Some(parts()?.into_iter().fold(Vec::new(), union)),
            Op::Eq if is_machine && args.len() == 2 => self.compared(args, over, true, equal),
            Op::BvSle => self.compared(args, over, true, |p| at_most(p, 0)),
            Op::BvSlt => self.compared(args, over, true, |p| at_most(p, -1)),
            Op::BvUle => self.compared(args, over, false, |p| at_most(p, 0)),
            Op::BvUlt => self.compared(args, over, false, |p| at_most(p, -1)),
            _ => None,
        }
    }

    /// The x for which the difference of two numbers satisfies a comparison.
    fn compared(
        &self,
        args: &[TermId],
        over: Interval,
        signed: bool,
        holds: impl Fn(Piece) -> Option<Interval>,
    ) -> Option<Set> {
        let width = self.terms.width(self.terms.sort(args[0]))?;
        let side = |t: TermId| {
            let pieces = self.value(t, over)?;
            if signed { Some(pieces) } else { reduced(pieces, width, 0) }
        };
        let difference = together(&side(args[0])?, &side(args[1])?, |p, q| {
            Some((p.0.checked_sub(q.0)?, p.1.checked_sub(q.1)?))
        })?;
        Some(union(difference.into_iter().filter_map(holds).collect(), Vec::new()))
    }

    /// The pieces of a term, read as a signed number.
    pub(crate) fn value(&self, t: TermId, over: Interval) -> Option<Vec<Piece>> {
        let term = self.terms.term(t);
        let width = self.terms.width(term.sort).filter(|w| (1..=64).contains(w))?;
        let args = &term.args;
        let arg = |i: usize| self.value(args[i], over);
        let found = match &term.op {
            Op::Literal(Value::BitVec { width, bits }) => {
                vec![Piece { over, a: 0, b: Value::signed(*width, bits).to_i128()? }]
            }
            Op::Var(symbol) if *symbol == self.input => vec![Piece { over, a: 1, b: 0 }],
            Op::BvAdd if args.len() == 2 => {
                together(&arg(0)?, &arg(1)?, |p, q| Some((p.0.checked_add(q.0)?, p.1.checked_add(q.1)?)))?
            }
            Op::BvSub => {
                together(&arg(0)?, &arg(1)?, |p, q| Some((p.0.checked_sub(q.0)?, p.1.checked_sub(q.1)?)))?
            }
            Op::BvMul if args.len() == 2 => together(&arg(0)?, &arg(1)?, |p, q| {
                let (factor, other) = if p.0 == 0 { (p.1, q) } else { (q.1, p) };
                let is_linear = p.0 == 0 || q.0 == 0;
                is_linear.then_some((other.0.checked_mul(factor)?, other.1.checked_mul(factor)?))
            })?,
            Op::BvNeg => arg(0)?.into_iter().map(|p| Piece { a: -p.a, b: -p.b, ..p }).collect(),
            Op::SignExtend(_) => arg(0)?,
            Op::ZeroExtend(by) => reduced(arg(0)?, width - by, 0)?,
            Op::Extract(_, 0) => arg(0)?,
            _ => return None,
        };
        reduced(found, width, -(1 << (width - 1)))
    }
}

/// Numbers modulo 2 to the `width`, so that all are from `least` on.
fn reduced(pieces: Vec<Piece>, width: u32, least: i128) -> Option<Vec<Piece>> {
    let modulus = 1i128 << width;
    let mut result = Vec::new();
    for Piece { over: (low, high), a, b } in pieces {
        let start = b.checked_sub(least)?;
        let window = |x: i128| Some(a.checked_mul(x)?.checked_add(start)?.div_euclid(modulus));
        let mut from = low;
        while from <= high {
            let times = window(from)?;
            // The last x that needs the same multiple taken away.
            let until = match a {
                0 => high,
                a if a > 0 => ((times + 1).checked_mul(modulus)? - start - 1).div_euclid(a).min(high),
                a => (start - times.checked_mul(modulus)?).div_euclid(-a).min(high),
            };
            let b = b - times * modulus;
            // Of a single x all is constant, products too.
            let (a, b) = if from == until { (0, a * from + b) } else { (a, b) };
            result.push(Piece { over: (from, until), a, b });
            if result.len() > MAX_PIECES {
                return None;
            }
            from = until + 1;
        }
    }
    Some(result)
}

/// Two numbers on common pieces.
fn together(
    left: &[Piece],
    right: &[Piece],
    of: impl Fn((i128, i128), (i128, i128)) -> Option<(i128, i128)>,
) -> Option<Vec<Piece>> {
    let mut result = Vec::new();
    for p in left {
        for q in right {
            let over = (p.over.0.max(q.over.0), p.over.1.min(q.over.1));
            if over.0 <= over.1 {
                let (a, b) = of((p.a, p.b), (q.a, q.b))?;
                result.push(Piece { over, a, b });
            }
        }
    }
    Some(result)
}

/// The x for which a piece is at most a number.
fn at_most(Piece { over: (low, high), a, b }: Piece, most: i128) -> Option<Interval> {
    let (low, high) = match a {
        0 => (low, if b <= most { high } else { return None }),
        a if a > 0 => (low, high.min((most - b).div_euclid(a))),
        a => (low.max(-((most - b).div_euclid(-a))), high),
    };
    (low <= high).then_some((low, high))
}

/// The x for which a piece is zero.
fn equal(Piece { over: (low, high), a, b }: Piece) -> Option<Interval> {
    match a {
        0 => (b == 0).then_some((low, high)),
        a => Some(-b / a).filter(|x| a * x + b == 0 && low <= *x && *x <= high).map(|x| (x, x)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footpath_term::{Env, EvalError, evaluate};

    struct Input(Value);

    impl Env for Input {
        fn symbol(&mut self, _: &Terms, _: SymbolId) -> Result<Value, EvalError> {
            Ok(self.0.clone())
        }
    }

    fn number(random: &mut fastrand::Rng, terms: &mut Terms, x: TermId, depth: u32) -> TermId {
        let width = terms.width(terms.sort(x)).expect("a number");
        if depth == 0 {
            return if random.bool() { x } else { terms.bit_vec(width, random.i64(-9..9)) };
        }
        let [a, b] = [0, 1].map(|_| number(random, terms, x, depth - 1));
        match random.u32(..7) {
            0 | 1 => terms.app(Op::BvAdd, [a, b]),
            2 => terms.app(Op::BvSub, [a, b]),
            3 => terms.app(Op::BvMul, [a, b]),
            4 => terms.app(Op::BvNeg, [a]),
            n => {
                let op = if n == 5 { Op::SignExtend(2) } else { Op::ZeroExtend(2) };
                let [a, b] = [a, b].map(|t| terms.app(op.clone(), [t]));
                let sum = terms.app(Op::BvAdd, [a, b]);
                terms.app(Op::Extract(width - 1, 0), [sum])
            }
        }
    }

    fn condition(random: &mut fastrand::Rng, terms: &mut Terms, x: TermId, depth: u32) -> TermId {
        if depth > 0 && random.bool() {
            let [a, b] = [0, 1].map(|_| condition(random, terms, x, depth - 1));
            return match random.u32(..3) {
                0 => terms.app(Op::Not, [a]),
                1 => terms.app(Op::And, [a, b]),
                _ => terms.app(Op::Or, [a, b]),
            };
        }
        let op = [Op::Eq, Op::BvSle, Op::BvSlt, Op::BvUle, Op::BvUlt][random.usize(..5)].clone();
        let depth = random.u32(..3);
        let mut sides = [0, 1].map(|_| number(random, terms, x, depth));
        if random.bool() {
            sides = sides.map(|t| terms.app(Op::ZeroExtend(3), [t]));
        }
        terms.app(op, sides)
    }

    #[test]
    fn conditions_hold_for_just_these_numbers() {
        let (mut random, mut answered) = (fastrand::Rng::with_seed(3), 0);
        for round in 0..4_000 {
            let (mut terms, width) = (Terms::new(), random.u32(2..=5));
            let sort = terms.bit_vec_sort(width);
            let symbol = terms.fresh_symbol("x", sort);
            let x = terms.var(symbol);
            let condition = condition(&mut random, &mut terms, x, 2);
            let half = 1i128 << (width - 1);
            let mut ends = [0, 1].map(|_| random.i128(-half..half));
            ends.sort_unstable();
            let Some(set) = (Lines { terms: &terms, input: symbol }).holds(condition, (ends[0], ends[1]))
            else {
                continue;
            };
            answered += 1;
            for n in ends[0]..=ends[1] {
                let mut input = Input(Value::bit_vec(width, &n.into()));
                let holds = evaluate(&terms, condition, &mut input) == Ok(Value::Bool(true));
                let said = set.iter().any(|(low, high)| (*low..=*high).contains(&n));
                assert_eq!(said, holds, "round {round}, x = {n}: {set:?}");
            }
        }
        assert!(answered > 2_000, "{answered}");
    }
}
