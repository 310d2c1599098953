//! Constraint subsumption: of the conditions of a path that compare one term with constants, the tightest are enough.
//!
//! **Idea.** A loop `while (i < n)` adds one comparison of `n` in each iteration. What says `n > 4` is implied by what
//! says `n > 5`, so for each term the solver is given one lower and one upper bound, however long the path is. Signed
//! and unsigned comparisons are two orders, and have bounds of their own.
//!
//! Example: `n > 0, n > 1, …, n > 3499, n <= 3500` become `n > 3499, n <= 3500`: two conditions to translate into bits
//! instead of 3 501.
//!
//! **Paper.** SAGE (Godefroid, Levin, Molnar, NDSS 2008), which eliminates constraints by their syntax. Deviation:
//! bounds are compared wherever they were added, not only where one instruction added both.
//!
//! **Direction of error.** None. What is left out follows from what is kept, so both have the same models.

use footpath_term::{Op, TermId, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// An order of words or numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Order {
    Integers,
    Signed,
    Unsigned,
}

/// A term, its order, and whether it is bounded from above.
type Side = (TermId, Order, bool);

/// The conditions without those that a tighter bound of the same term implies; in order, and with the last one, which
/// is the one that is asked about.
pub(super) fn tightest(terms: &Terms, conditions: &[TermId]) -> Vec<TermId> {
    let Some((&target, before)) = conditions.split_last() else { return Vec::new() };
    let mut best: FxHashMap<Side, (BigInt, usize)> = FxHashMap::default();
    let mut kept = vec![true; before.len()];
    for (i, &condition) in before.iter().enumerate() {
        let Some((side, limit)) = bound(terms, condition) else { continue };
        let Some((known, at)) = best.get_mut(&side) else {
            best.insert(side, (limit, i));
            continue;
        };
        let is_tighter = if side.2 { limit < *known } else { limit > *known };
        if is_tighter {
            kept[*at] = false;
            (*known, *at) = (limit, i);
        } else {
            kept[i] = false;
        }
    }
    let kept = before.iter().zip(kept).filter(|(_, kept)| *kept);
    kept.map(|(&condition, _)| condition).chain([target]).collect()
}

/// The bound that a condition is, and the last value that it permits.
fn bound(terms: &Terms, condition: TermId) -> Option<(Side, BigInt)> {
    let (inner, holds) = match terms.term(condition).op {
        Op::Not => (terms.term(condition).args[0], false),
        _ => (condition, true),
    };
    let comparison = terms.term(inner);
    let (order, is_strict) = match comparison.op {
        Op::Lt => (Order::Integers, true),
        Op::Le => (Order::Integers, false),
        Op::BvSlt => (Order::Signed, true),
        Op::BvSle => (Order::Signed, false),
        Op::BvUlt => (Order::Unsigned, true),
        Op::BvUle => (Order::Unsigned, false),
        _ => return None,
    };
    // `!(a < b)` is `b <= a`.
    let (low, high) = if holds {
        (comparison.args[0], comparison.args[1])
    } else {
        (comparison.args[1], comparison.args[0])
    };
    let away = BigInt::from(u8::from(is_strict == holds));
    match (number(terms, order, low), number(terms, order, high)) {
        (None, Some(limit)) => Some(((low, order, true), limit - away)),
        (Some(limit), None) => Some(((high, order, false), limit + away)),
        _ => None,
    }
}

/// A literal as a number of an order.
fn number(terms: &Terms, order: Order, t: TermId) -> Option<BigInt> {
    match (order, terms.literal(t)?) {
        (Order::Integers, Value::Int(n)) => Some(n.clone()),
        (Order::Signed, Value::BitVec { width, bits }) => Some(Value::signed(*width, bits)),
        (Order::Unsigned, Value::BitVec { bits, .. }) => Some(bits.clone().into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footpath_term::{Env, EvalError, SymbolId, evaluate};

    const WIDTH: u32 = 4;

    struct Given(Value);

    impl Env for Given {
        fn symbol(&mut self, _: &Terms, _: SymbolId) -> Result<Value, EvalError> {
            Ok(self.0.clone())
        }
    }

    fn comparison(terms: &mut Terms, random: &mut fastrand::Rng, x: TermId) -> TermId {
        let op = [Op::Eq, Op::BvSlt, Op::BvSle, Op::BvUlt, Op::BvUle][random.usize(0..5)].clone();
        let literal = terms.bit_vec(WIDTH, random.i64(-8..8));
        let compared = terms.app(op, if random.bool() { [x, literal] } else { [literal, x] });
        if random.bool() { terms.app(Op::Not, [compared]) } else { compared }
    }

    #[test]
    fn what_is_left_out_follows_from_what_is_kept() {
        let mut left_out = 0;
        for seed in 0..2_000 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut terms = Terms::new();
            let sort = terms.bit_vec_sort(WIDTH);
            let x = terms.fresh_var("x", sort);
            let conditions: Vec<TermId> = (0..8).map(|_| comparison(&mut terms, &mut random, x)).collect();
            let kept = tightest(&terms, &conditions);
            assert_eq!(kept.last(), conditions.last());
            left_out += conditions.len() - kept.len();
            for value in 0..1_u32 << WIDTH {
                let mut given = Given(Value::bit_vec(WIDTH, &value.into()));
                let mut hold = |all: &[TermId]| {
                    all.iter().all(|&c| evaluate(&terms, c, &mut given) == Ok(Value::Bool(true)))
                };
                assert_eq!(hold(&kept), hold(&conditions), "seed {seed}, value {value}");
            }
        }
        assert!(left_out > 2_000, "only {left_out}");
    }
}
