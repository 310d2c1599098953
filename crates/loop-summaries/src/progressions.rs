//! Arithmetic progressions: machine integers to which each iteration adds a different amount, as sums over the
//! iterations.
//!
//! **Idea.** Two kinds of sums are known without unfolding the iterations. If a path adds `c + s·τ` in its iteration
//! number τ, then κ iterations add `c·κ + s·κ(κ − 1)/2`. A half is no polynomial modulo 2ʷ, so the equation is stated
//! doubled: with one bit more nothing is lost, and with as many bits it has the form in which programs state it. If a
//! path adds something of which only bounds are known, such as a byte that was read, then κ iterations add some `t`
//! between κ times these bounds.
//!
//! Example: for `for (i = 0; i < n; i++) s += i;` the relation after κ iterations is `2·s = 2·s₀ + κ·(κ − 1)`.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012) has ⋆ for both. The closed form of the
//! first is Gauss's, which `iterated_states.rs` has for unbounded integers.
//!
//! **Direction of error.** In one direction: of bounded summands only the bounds of their sum are stated, and only as
//! long as these fit into 64 bits.

use footpath_term::{Op, Sort, SymbolId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::counters::{Kind, WIDTH, increment, plus};
use crate::iterated_states::{Effect, Iteration};
use crate::summary::Relation;

/// Bits of bounds of a summand, at most: sums of 2³⁰ of them fit.
const BOUND_BITS: u32 = 32;

/// The amounts that a path adds.
enum Growth {
    /// As often as the counter says, `c + s·τ` with τ below it.
    Linear { counter: SymbolId, c: TermId, s: TermId },
    /// Something between two numbers.
    Between { counter: SymbolId, low: i128, high: i128 },
}

/// The relation of variable number `n`, if paths only add to it; `None` otherwise.
pub(crate) fn relation(work: &mut Iteration<'_>, n: usize, effects: &[Effect]) -> Option<Relation> {
    let start = work.terms.var(work.variables[n].start);
    let Sort::BitVec(width) = *work.terms.sort_of(work.terms.sort(start)) else { return None };
    if work.kind != Kind::Bits || width > WIDTH {
        return None;
    }
    let growths = growths(work, n, effects, width)?;
    let (mut locals, mut conditions) = (Vec::new(), Vec::new());
    let mut rest = work.terms.app(Op::BvSub, [start, work.variables[n].first]);
    let mut linear = Vec::new();
    for growth in growths {
        match growth {
            Growth::Linear { counter, c, s } => linear.push((counter, c, s)),
            Growth::Between { counter, low, high } => {
                let symbol = {
                    let sort = work.kind.sort(work.terms);
                    work.terms.fresh_symbol("added", sort)
                };
                locals.push(symbol);
                let added = work.terms.var(symbol);
                conditions.push(bounds(work.terms, added, counter, low, high));
                let added = low_bits(work.terms, added, width);
                rest = work.terms.app(Op::BvSub, [rest, added]);
            }
        }
    }
    if linear.iter().all(|&(_, _, s)| is_zero(work.terms, s)) {
        let sum = sum(work, &linear, width, false)?;
        conditions.push(work.terms.app(Op::Eq, [rest, sum]));
    } else {
        let doubled = sum(work, &linear, width, true)?;
        let twice = plus(work.terms, rest, rest);
        conditions.push(work.terms.app(Op::Eq, [twice, doubled]));
        let exact = sum(work, &linear, width + 1, true)?;
        let zero = work.terms.bit_vec(1, 0);
        let twice = work.terms.app(Op::Concat, [rest, zero]);
        conditions.push(work.terms.app(Op::Eq, [twice, exact]));
    }
    let condition = work.terms.app(Op::And, conditions);
    Some(Relation { locals, condition })
}

fn growths(work: &mut Iteration<'_>, n: usize, effects: &[Effect], width: u32) -> Option<Vec<Growth>> {
    // What all paths add alike may depend on the iteration number.
    if let Some(&Effect::Adds(d)) = effects.first()
        && effects.iter().all(|&e| e == Effect::Adds(d))
        && let Some((c, s)) = linear(work.terms, d, work.number)
        && !work.counts(c, None)
        && !work.counts(s, None)
    {
        return Some(vec![Growth::Linear { counter: work.number, c, s }]);
    }
    let mut growths = Vec::new();
    for (way, effect) in effects.iter().enumerate() {
        if *effect == Effect::Unchanged {
            continue;
        }
        let (value, counter) = (work.value(n, way), work.taken[way]);
        let d = increment(work.terms, value, work.variables[n].start)?;
        let known = work.index(d, way).and_then(|d| linear(work.terms, d, counter));
        let known = known.filter(|&(c, s)| !work.counts(c, None) && !work.counts(s, None));
        growths.push(match known {
            Some((c, s)) => Growth::Linear { counter, c, s },
            None => {
                let (low, high) = range(work.terms, d)?;
                let limit = 1 << BOUND_BITS.min(width);
                if low < -limit || high > limit {
                    return None;
                }
                Growth::Between { counter, low, high }
            }
        });
    }
    Some(growths)
}

/// `d` as `c + s·τ`, neither of which mentions τ, by its form.
fn linear(terms: &mut Terms, d: TermId, tau: SymbolId) -> Option<(TermId, TermId)> {
    let width = terms.width(terms.sort(d))?;
    let zero = terms.bit_vec(width, 0);
    if !terms.free_symbols(&[d]).contains(&tau) {
        return Some((d, zero));
    }
    let term = terms.term(d).clone();
    match (&term.op, &term.args[..]) {
        (Op::Var(_), _) => Some((zero, terms.bit_vec(width, 1))),
        (&Op::Extract(high, 0), &[inner]) => {
            let (c, s) = linear(terms, inner, tau)?;
            let low = |terms: &mut Terms, t| terms.app(Op::Extract(high, 0), [t]);
            Some((low(terms, c), low(terms, s)))
        }
        (Op::BvAdd, args) => {
            let mut sum = (zero, zero);
            for &arg in args {
                let (c, s) = linear(terms, arg, tau)?;
                sum = (plus(terms, sum.0, c), plus(terms, sum.1, s));
            }
            Some(sum)
        }
        (Op::BvSub, &[a, b]) => {
            let (a, b) = (linear(terms, a, tau)?, linear(terms, b, tau)?);
            Some((terms.app(Op::BvSub, [a.0, b.0]), terms.app(Op::BvSub, [a.1, b.1])))
        }
        (Op::BvNeg, &[a]) => {
            let (c, s) = linear(terms, a, tau)?;
            Some((terms.app(Op::BvNeg, [c]), terms.app(Op::BvNeg, [s])))
        }
        (Op::BvMul, &[a, b]) => {
            let constant = [a, b].into_iter().find(|t| !terms.free_symbols(&[*t]).contains(&tau))?;
            let (c, s) = linear(terms, if constant == a { b } else { a }, tau)?;
            Some((terms.app(Op::BvMul, [constant, c]), terms.app(Op::BvMul, [constant, s])))
        }
        (Op::BvShl, &[a, by]) if terms.literal(by).is_some() => {
            let (c, s) = linear(terms, a, tau)?;
            Some((terms.app(Op::BvShl, [c, by]), terms.app(Op::BvShl, [s, by])))
        }
        _ => None,
    }
}

/// An integer between these two is `t` modulo its width, by its form.
fn range(terms: &Terms, t: TermId) -> Option<(i128, i128)> {
    let width = terms.width(terms.sort(t))?;
    let term = terms.term(t);
    if let Some(Value::BitVec { width, bits }) = terms.literal(t) {
        let value = Value::signed(*width, bits).to_i128()?;
        return Some((value, value));
    }
    let (low, high) = match (&term.op, &term.args[..]) {
        (Op::ZeroExtend(by), _) if width - by <= BOUND_BITS => (0, (1 << (width - by)) - 1),
        (Op::SignExtend(by), _) if width - by <= BOUND_BITS => {
            (-(1 << (width - by - 1)), (1 << (width - by - 1)) - 1)
        }
        (Op::BvAdd, args) => {
            let mut sum = (0, 0);
            for &arg in args {
                let (low, high) = range(terms, arg)?;
                sum = (sum.0 + low, sum.1 + high);
            }
            sum
        }
        (Op::BvSub, &[a, b]) => {
            let (a, b) = (range(terms, a)?, range(terms, b)?);
            (a.0 - b.1, a.1 - b.0)
        }
        (Op::BvNeg, &[a]) => {
            let (low, high) = range(terms, a)?;
            (-high, -low)
        }
        (Op::Ite, &[_, a, b]) => {
            let (a, b) = (range(terms, a)?, range(terms, b)?);
            (a.0.min(b.0), a.1.max(b.1))
        }
        _ => return None,
    };
    let limit = 1 << (BOUND_BITS + 8);
    (low >= -limit && high <= limit).then_some((low, high))
}

/// That `added` lies between the bounds of as many summands as `counter` says, if their sums fit into 64 bits.
fn bounds(terms: &mut Terms, added: TermId, counter: SymbolId, low: i128, high: i128) -> TermId {
    let counter = terms.var(counter);
    let times = |terms: &mut Terms, n: i128| {
        let n = terms.bit_vec(WIDTH, BigInt::from(n));
        terms.app(Op::BvMul, [n, counter])
    };
    let (lowest, highest) = (times(terms, low), times(terms, high));
    let few = terms.bit_vec(WIDTH, BigInt::from(1) << (WIDTH - 2 - BOUND_BITS));
    let few = terms.app(Op::BvUle, [counter, few]);
    let above = terms.app(Op::BvSle, [lowest, added]);
    let below = terms.app(Op::BvSle, [added, highest]);
    let between = terms.app(Op::And, [above, below]);
    terms.app(Op::Implies, [few, between])
}

/// The sum of linear growth in `width` bits, or twice that if `doubled`.
fn sum(
    work: &mut Iteration<'_>,
    growths: &[(SymbolId, TermId, TermId)],
    width: u32,
    doubled: bool,
) -> Option<TermId> {
    let mut sum = work.terms.bit_vec(width, 0);
    for &(counter, c, s) in growths {
        let counter = work.terms.var(counter);
        let [c, s] = [c, s].map(|t| {
            let by = width - work.terms.width(work.terms.sort(t)).unwrap_or(width);
            if by == 0 { t } else { work.terms.app(Op::ZeroExtend(by), [t]) }
        });
        let mut constant = work.kind.times(work.terms, c, counter)?;
        if doubled {
            constant = plus(work.terms, constant, constant);
        }
        sum = plus(work.terms, sum, constant);
        if doubled && !is_zero(work.terms, s) {
            let one = work.terms.bit_vec(width, 1);
            let rounds = work.kind.times(work.terms, one, counter)?;
            let before = work.terms.app(Op::BvSub, [rounds, one]);
            let pairs = work.terms.app(Op::BvMul, [rounds, before]);
            let growing = work.terms.app(Op::BvMul, [s, pairs]);
            sum = plus(work.terms, sum, growing);
        }
    }
    Some(sum)
}

fn is_zero(terms: &Terms, t: TermId) -> bool {
    matches!(terms.literal(t), Some(Value::BitVec { bits, .. }) if *bits == num_bigint::BigUint::ZERO)
}

fn low_bits(terms: &mut Terms, t: TermId, width: u32) -> TermId {
    if width == WIDTH { t } else { terms.app(Op::Extract(width - 1, 0), [t]) }
}
