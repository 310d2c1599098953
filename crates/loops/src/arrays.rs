//! Iterated states of maps: the latest write wins.
//!
//! **Idea.** A loop that writes `A[f(τ)] := g(τ)` in its round number τ leaves A(χ) as it was, unless χ is f(τ) for
//! some τ < κ. Where f moves by the same step d in each round, that τ is (χ − f(0)) / d, so the map after κ rounds is
//! a term over χ. With several writes in a round, the one with the larger τ is the later one; the difference of their
//! τ does not depend on χ if their steps are equal.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Section 5.1.1, Table 2, and the examples 1
//! and 2 of Appendix A.1.
//!
//! **Deviations.**
//! 1. Instead of a formula "exists τ, and no later write hits χ", only closed forms: one way round that writes, at
//!    indices with the same constant step. Everything else is carried (`iterate.rs`): the writes are kept as writes for
//!    as many rounds as are unfolded.
//! 2. Bit-vectors as indices must have the width of a counter and move by a power of two.
//!
//! **Where it may be wrong.** A closed form equals the map after every number of rounds that counters count.

use footpath_term::{Binder, BinderKind, Op, Sort, Substitution, SymbolId, TermId, Terms, Value};
use num_bigint::{BigInt, Sign};

use crate::counters::{Kind, WIDTH};
use crate::iterate::Iteration;

/// The largest step of an index that is a bit-vector, as a power of two; counters stay below 2⁵⁶.
const MAX_SHIFT: u64 = 8;
/// How many writes a round may have.
const MAX_WRITES: usize = 16;

/// A write in a round, over the counter before the round.
struct Write {
    index: Vec<TermId>,
    element: TermId,
}

/// The closed form of variable number `n`, a map.
pub(crate) fn close(work: &mut Iteration<'_>, n: usize) -> Option<TermId> {
    let variable = work.variables[n];
    let start = work.terms.var(variable.start);
    let mut writing = None;
    for way in 0..work.taken.len() {
        if work.value(n, way) != start {
            if writing.is_some() {
                return None;
            }
            writing = Some(way);
        }
    }
    let Some(way) = writing else { return Some(variable.first) };
    let writes = writes(work, n, way)?;
    let Sort::Map { params: 0, domain, .. } = work.terms.sort_of(work.terms.sort(variable.first)).clone()
    else {
        return None;
    };
    let places: Vec<SymbolId> = domain.iter().map(|&d| work.terms.fresh_symbol("at", d)).collect();
    let at: Vec<TermId> = places.iter().map(|&p| work.terms.var(p)).collect();
    let ordered = in_order(work, &writes, way)?;
    let mut args = vec![variable.first];
    args.extend(&at);
    let mut body = work.terms.app(Op::Select, args);
    for (write, step) in ordered {
        let (hit, round) = hit(work, write, step, way, &at)?;
        let there = Substitution::from_iter([(work.taken[way], round)]);
        let element = work.terms.substitute(write.element, &there);
        body = work.terms.app(Op::Ite, [hit, element, body]);
    }
    let binder = Binder {
        kind: BinderKind::Lambda,
        type_vars: Vec::new(),
        vars: places,
        triggers: Vec::new(),
        nopats: 0,
        weight: None,
    };
    Some(work.terms.bind(binder, body, &[], &[]))
}

/// The writes of a way, first to last; none if it does more than write, or writes what is not known.
fn writes(work: &mut Iteration<'_>, n: usize, way: usize) -> Option<Vec<Write>> {
    let start = work.terms.var(work.variables[n].start);
    let mut map = work.value(n, way);
    let mut writes = Vec::new();
    while map != start {
        let term = work.terms.term(map).clone();
        let ([below, index @ ..], Op::Store) = (&term.args[..], &term.op) else { return None };
        let (element, index) = index.split_last()?;
        let index = index.iter().map(|&i| work.known(i, way)).collect::<Option<Vec<_>>>()?;
        let element = work.known(*element, way)?;
        let others = index.iter().chain([&element]).any(|&t| work.counts(t, Some(way)));
        if others || writes.len() == MAX_WRITES {
            return None;
        }
        writes.push(Write { index, element });
        map = *below;
    }
    writes.reverse();
    Some(writes)
}

/// How an index moves: which of its parts, and by how much in each round.
type Motion = Option<(usize, BigInt)>;

/// The writes with how they move, the earliest first wherever they hit the same place.
fn in_order<'w>(
    work: &mut Iteration<'_>,
    writes: &'w [Write],
    way: usize,
) -> Option<Vec<(&'w Write, Motion)>> {
    let mut found: Vec<(&Write, Motion, BigInt)> = Vec::new();
    let mut base: Option<TermId> = None;
    for write in writes {
        let motion = motion(work, write, way)?;
        if found.first().is_some_and(|(_, first, _)| *first != motion) {
            return None;
        }
        // The round in which a place is hit, compared with that of the first write.
        let mut lag = BigInt::from(0);
        if let Some((part, step)) = &motion {
            let here = write.index[*part];
            let origin = *base.get_or_insert(here);
            let op = if work.terms.width(work.terms.sort(here)).is_some() { Op::BvSub } else { Op::Sub };
            let difference = work.terms.app(op, [origin, here]);
            lag = number(work.terms, difference)? * sign(step);
        }
        found.push((write, motion, lag));
    }
    // Stable: of those that hit in the same round, the later one stays behind.
    found.sort_by(|a, b| a.2.cmp(&b.2));
    Some(found.into_iter().map(|(write, motion, _)| (write, motion)).collect())
}

fn sign(n: &BigInt) -> i32 {
    if n.sign() == Sign::Minus { -1 } else { 1 }
}

fn number(terms: &Terms, t: TermId) -> Option<BigInt> {
    match terms.literal(t)? {
        Value::Int(n) => Some(n.clone()),
        Value::BitVec { width, bits } => Some(Value::signed(*width, bits)),
        _ => None,
    }
}

fn motion(work: &mut Iteration<'_>, write: &Write, way: usize) -> Option<Motion> {
    let counter = work.taken[way];
    let here = work.terms.var(counter);
    let one = work.kind.number(work.terms, 1);
    let next = work.kind.add(work.terms, here, one);
    let zero = work.kind.number(work.terms, 0);
    let zero = Substitution::from_iter([(counter, zero)]);
    let next = Substitution::from_iter([(counter, next)]);
    let mut motion = None;
    for (part, &index) in write.index.iter().enumerate() {
        if !work.counts(index, None) {
            continue;
        }
        let op = match work.terms.sort_of(work.terms.sort(index)) {
            Sort::Int if work.kind == Kind::Int => Op::Sub,
            Sort::BitVec(WIDTH) if work.kind == Kind::Bits => Op::BvSub,
            _ => return None,
        };
        let after = work.terms.substitute(index, &next);
        let step = work.terms.app(op.clone(), [after, index]);
        let Some(step) = number(work.terms, step).or_else(|| bits_step(work, index, counter, &op, &zero))
        else {
            continue;
        };
        let movable = match work.kind {
            Kind::Int => step != BigInt::from(0),
            Kind::Bits => (0..=MAX_SHIFT).any(|s| BigInt::from(1) << s == step),
        };
        if movable && motion.is_none() {
            motion = Some((part, step));
        }
    }
    let moves = write.index.iter().any(|&i| work.counts(i, None));
    // An index that moves in a way that is not known could hit anything.
    (motion.is_some() || !moves).then_some(motion)
}

/// The step of an index of the form `base + d·τ` over bit-vectors.
fn bits_step(
    work: &mut Iteration<'_>,
    index: TermId,
    counter: SymbolId,
    op: &Op,
    zero: &Substitution,
) -> Option<BigInt> {
    if *op != Op::BvSub {
        return None;
    }
    let base = work.terms.substitute(index, zero);
    let counter = work.terms.var(counter);
    for shift in 0..=MAX_SHIFT {
        let d = work.terms.bit_vec(WIDTH, BigInt::from(1) << shift);
        let moved = work.terms.app(Op::BvMul, [d, counter]);
        let form = work.terms.app(Op::BvAdd, [base, moved]);
        if form == index {
            return Some(BigInt::from(1) << shift);
        }
    }
    None
}

/// When a write hits the place `at`, and in which round last.
fn hit(
    work: &mut Iteration<'_>,
    write: &Write,
    motion: Motion,
    way: usize,
    at: &[TermId],
) -> Option<(TermId, TermId)> {
    let kind = work.kind;
    let counter = work.terms.var(work.taken[way]);
    let mut conditions = Vec::new();
    let round = match motion {
        None => kind.minus_one(work.terms, counter),
        Some((part, step)) => {
            let zero = kind.number(work.terms, 0);
            let zero = Substitution::from_iter([(work.taken[way], zero)]);
            let base = work.terms.substitute(write.index[part], &zero);
            round_of(work, at[part], base, &step, &mut conditions)
        }
    };
    conditions.push(kind.natural(work.terms, round));
    conditions.push(kind.lt(work.terms, round, counter));
    if kind == Kind::Bits {
        conditions.push(kind.positive(work.terms, counter));
    }
    let there = Substitution::from_iter([(work.taken[way], round)]);
    for (&index, &place) in write.index.iter().zip(at) {
        let index = work.terms.substitute(index, &there);
        conditions.push(work.terms.app(Op::Eq, [place, index]));
    }
    Some((work.terms.app(Op::And, conditions), round))
}

/// The round in which an index that starts at `base` is `place`, if it ever is.
fn round_of(
    work: &mut Iteration<'_>,
    place: TermId,
    base: TermId,
    step: &BigInt,
    conditions: &mut Vec<TermId>,
) -> TermId {
    let one = BigInt::from(1);
    if work.kind == Kind::Bits {
        let distance = work.terms.app(Op::BvSub, [place, base]);
        if *step == one {
            return distance;
        }
        let shift = step.bits() - 1;
        let low = work.terms.app(Op::Extract(shift as u32 - 1, 0), [distance]);
        let none = work.terms.bit_vec(shift as u32, 0);
        conditions.push(work.terms.app(Op::Eq, [low, none]));
        let shift = work.terms.bit_vec(WIDTH, shift);
        return work.terms.app(Op::BvLshr, [distance, shift]);
    }
    let distance = work.terms.app(Op::Sub, [place, base]);
    if *step == one {
        return distance;
    }
    if *step == -one {
        return work.terms.app(Op::Neg, [distance]);
    }
    let step = work.terms.int(step.clone());
    let rest = work.terms.app(Op::Mod, [distance, step]);
    let zero = work.terms.int(0);
    conditions.push(work.terms.app(Op::Eq, [rest, zero]));
    work.terms.app(Op::IntDiv, [distance, step])
}
