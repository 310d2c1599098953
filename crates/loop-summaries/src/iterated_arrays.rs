//! Iterated symbolic states of arrays: the contents of an array after any number of iterations, by the rule that the
//! latest write wins.
//!
//! **Idea.** A loop that writes `A[f(τ)] := g(τ)` in its iteration number τ leaves A(χ) unchanged, unless χ is f(τ)
//! for some τ < κ. If f moves by the same step d in each iteration, that τ is (χ − f(0)) / d, so the map after κ
//! iterations is a term over χ. With several writes in an iteration, the one with the larger τ is the later one; the
//! difference of their τ does not depend on χ if their steps are equal.
//!
//! Example: after κ iterations of `for (i = 0; …; i++) a[i] = 2 * i;` the element `a[χ]` is `ite(0 <= χ && χ < κ,
//! 2·χ, a₀[χ])`.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Section 5.1.1, Table 2, and the examples 1
//! and 2 of Appendix A.1.
//!
//! **Deviations.**
//! 1. The paper has a formula "exists τ, and no later write hits χ"; here there are only closed forms, for writes at
//!    indices with the same constant step. Everything else is carried (`iterated_states.rs`): the writes are kept as
//!    writes for as many iterations as are unfolded.
//! 2. If several paths write, indices and elements must follow from the number of the iteration, and so must the path
//!    that it took (`array_writes.rs`). That is why no formula has to say that nothing else hit χ later.
//! 3. What an iteration reads from the map itself is what was there before the loop, if all writes reach that cell
//!    later or never. If the only write adds something to an element at a constant distance behind it, the cells form
//!    as many lines as there are iterations in between, and the value is a sum along the line. So `A[i] = A[i-5] + 2`
//!    from i = 0 is `A₀[χ − 5·(⌊χ/5⌋ + 1)] + 2·(⌊χ/5⌋ + 1)`. The paper has this with constant summands.
//! 4. Bit-vectors as indices must have the width of a counter and move by a power of two.
//!
//! **Direction of error.** A closed form equals the map after every number of iterations that counters count.

use footpath_term::{Binder, BinderKind, Op, Sort, SortId, Substitution, SymbolId, TermId, Terms, Value};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::array_writes;
use crate::array_writes::{Write, conjuncts};
use crate::counters::{Kind, WIDTH, increment, plus, sum_of_bits};
use crate::iterated_states::Iteration;

/// By how many iterations an element may depend on an earlier one, at most.
const MAX_DISTANCE: u64 = 1 << 20;
/// The largest step of an index that is a bit-vector, as a power of two; counters stay below 2⁵⁶.
const MAX_SHIFT: u64 = 7;

/// The closed form of variable number `n`, a map.
pub(crate) fn close(work: &mut Iteration<'_>, n: usize) -> Option<TermId> {
    let variable = work.variables[n];
    let places = array_writes::places(work.terms, variable.start)?;
    let mut writes = Vec::new();
    for way in 0..work.taken.len() {
        let value = work.value(n, way);
        writes.push(array_writes::read(work.terms, variable.start, value, &places)?);
    }
    let writing: Vec<usize> = (0..writes.len()).filter(|&way| !writes[way].is_empty()).collect();
    let own = match writing[..] {
        [] => return Some(variable.first),
        [way] if writes.len() > 1 => Some(work.taken[way]),
        _ => None,
    };
    let mut counters = own.into_iter().chain([work.number]);
    counters.find_map(|counter| Closing { n, places: &places, counter, part: None }.close(work, &writes))
}

/// How an index moves: which of its parts, and by how much in each iteration.
pub(crate) type Motion = Option<(usize, BigInt)>;

/// The computation of a closed form of one map. `counter` counts its iterations: it is that of the only path that
/// writes, or the iteration number.
struct Closing<'a> {
    n: usize,
    places: &'a [SymbolId],
    counter: SymbolId,
    /// The part of the indices that moves and its step, with the indices of all writes there.
    part: Option<(usize, BigInt, Vec<TermId>)>,
}

/// A write whose index moves by a constant step.
struct Moving {
    way: usize,
    /// The guard: what holds in the iterations of its path, and not in others.
    guard: Vec<TermId>,
    write: Write,
    motion: Motion,
    /// How many iterations later than the first write it hits a given cell, times the step.
    lag: BigInt,
}

impl Closing<'_> {
    fn close(mut self, work: &mut Iteration<'_>, writes: &[Vec<Write>]) -> Option<TermId> {
        let mut moving = self.in_order(work, writes)?;
        let same = writes.windows(2).all(|pair| pair[0] == pair[1]);
        let numbered = self.counter == work.number && writes.len() > 1;
        if numbered && !same {
            if moving.iter().any(|m| m.motion.is_none()) {
                // Which way was the last one is not told apart.
                return None;
            }
            let guards = self.guards(work, writes)?;
            moving.iter_mut().for_each(|m| m.guard.clone_from(&guards[m.way]));
        } else {
            moving.retain(|m| !same || m.way == 0);
        }
        let first = work.variables[self.n].first;
        let at: Vec<TermId> = self.places.iter().map(|&p| work.terms.var(p)).collect();
        let mut args = vec![first];
        args.extend(&at);
        let mut body = work.terms.app(Op::Select, args);
        let only = moving.len() == 1;
        for moving in moving {
            let (hit, round) = self.hit(work, &moving, &at)?;
            let there = Substitution::from_iter([(self.counter, round)]);
            let element = match self.resolve(work, moving.write.element, moving.way) {
                Some(element) => work.terms.substitute(element, &there),
                None if only => self.recurrence(work, &moving, round, &at)?,
                None => return None,
            };
            body = work.terms.app(Op::Ite, [hit, element, body]);
        }
        let binder = Binder {
            kind: BinderKind::Lambda,
            type_vars: Vec::new(),
            vars: self.places.to_vec(),
            triggers: Vec::new(),
            nopats: 0,
            weight: None,
        };
        Some(work.terms.bind(binder, body, &[], &[]))
    }

    /// The writes with how they move, the earliest first wherever they hit the same place.
    fn in_order(&mut self, work: &mut Iteration<'_>, writes: &[Vec<Write>]) -> Option<Vec<Moving>> {
        let mut found: Vec<Moving> = Vec::new();
        let mut bases = Vec::new();
        for (way, write) in writes.iter().enumerate().flat_map(|(way, all)| all.iter().map(move |w| (way, w)))
        {
            let mut write = write.clone();
            for (_, index) in &mut write.pins {
                *index = work.index(*index, way)?;
                if work.counts(*index, Some(self.counter)) {
                    return None;
                }
            }
            let motion = motion(work, &write, self.counter)?;
            if found.first().is_some_and(|first| first.motion != motion) {
                return None;
            }
            // The iteration in which a cell is hit, compared with that of the first write.
            let mut lag = BigInt::from(0);
            if let Some((part, step)) = &motion {
                let here = at_part(&write, *part)?;
                bases.push(here);
                lag = distance(work.terms, bases[0], here)? * sign(step);
            }
            found.push(Moving { way, guard: Vec::new(), write, motion, lag });
        }
        if let Some((part, step)) = found.first().and_then(|first| first.motion.clone()) {
            self.part = Some((part, step, bases));
        }
        // The sort is stable: of writes that hit in the same iteration, the later one stays later.
        found.sort_by(|a, b| a.lag.cmp(&b.lag));
        Some(found)
    }

    fn guards(&self, work: &mut Iteration<'_>, writes: &[Vec<Write>]) -> Option<Vec<Vec<TermId>>> {
        let mut known = Vec::new();
        for way in 0..writes.len() {
            let mut holds = Vec::new();
            for condition in work.conditions(way) {
                for part in conjuncts(work.terms, condition) {
                    holds.extend(self.resolve(work, part, way));
                }
            }
            known.push(holds);
        }
        array_writes::guards(work.terms, writes, &known)
    }

    /// A term of an iteration of a path, over the counter only. What it reads of the map itself is what was there
    /// before the loop, if no earlier iteration wrote there.
    fn resolve(&self, work: &mut Iteration<'_>, t: TermId, way: usize) -> Option<TermId> {
        let variable = work.variables[self.n];
        let start = work.terms.var(variable.start);
        for inner in work.terms.post_order(&[t]) {
            let term = work.terms.term(inner).clone();
            if !term.args.contains(&start) {
                continue;
            }
            let (Op::Select, (part, step, bases)) = (&term.op, self.part.as_ref()?) else { return None };
            let index = *term.args.get(part + 1).filter(|_| term.args[0] == start)?;
            let index = work.index(index, way)?;
            for &base in bases {
                let ahead = distance(work.terms, index, base)? * sign(step);
                // What lies between the places of the writes is never written.
                if ahead.sign() == Sign::Minus && (&ahead % step).sign() == Sign::NoSign {
                    return None;
                }
            }
        }
        let t = work.terms.substitute(t, &Substitution::from_iter([(variable.start, variable.first)]));
        let t = work.known(t, way)?;
        (!work.counts(t, Some(self.counter))).then_some(t)
    }

    /// What the only write leaves at `at` in iteration number `round`, if it adds something to the element that an
    /// earlier iteration wrote: the sum of what was added along the line of cells that leads there.
    fn recurrence(
        &self,
        work: &mut Iteration<'_>,
        moving: &Moving,
        round: TermId,
        at: &[TermId],
    ) -> Option<TermId> {
        let variable = work.variables[self.n];
        let (part, step) = moving.motion.clone()?;
        let place = moving.write.place(self.places.len()).filter(|_| moving.guard.is_empty())?;
        let start = work.terms.var(variable.start);
        let element = moving.write.element;
        let reads = |terms: &Terms, t: &TermId| terms.term(*t).args.contains(&start);
        let reads: Vec<TermId> =
            work.terms.post_order(&[element]).into_iter().filter(|t| reads(work.terms, t)).collect();
        let [read] = reads[..] else { return None };
        let term = work.terms.term(read).clone();
        if !matches!(term.op, Op::Select) || term.args[0] != start {
            return None;
        }
        let mut behind = BigInt::from(0);
        for (i, &index) in term.args[1..].iter().enumerate() {
            let index = work.index(index, moving.way)?;
            if i == part {
                behind = -distance(work.terms, index, place[i])?;
            } else if index != place[i] {
                return None;
            }
        }
        // How many iterations before this one the element was written that it reads.
        let divides = (&behind % &step).sign() == Sign::NoSign;
        let period = (&behind / &step).to_u64().filter(|&p| divides && 0 < p && p <= MAX_DISTANCE)?;
        let added = {
            let read_there = work.terms.fresh_symbol("element", term.sort);
            let named = work.terms.var(read_there);
            let element = replace(work.terms, element, read, named);
            if element == named { None } else { Some(increment(work.terms, element, read_there)?) }
        };
        let kind = work.kind;
        let one = kind.number(work.terms, 1);
        let turns = kind.quotient(work.terms, round, period);
        let steps = kind.add(work.terms, turns, one);
        let mut source = vec![variable.first];
        source.extend(at);
        let by = if kind == Kind::Int { work.terms.int(behind) } else { work.terms.bit_vec(WIDTH, behind) };
        let back = kind.times(work.terms, by, steps)?;
        source[part + 1] = kind.sub(work.terms, at[part], back);
        let mut value = work.terms.app(Op::Select, source);
        if let Some(added) = added {
            let added = work.known(added, moving.way)?;
            if work.terms.free_symbols(&[added]).contains(&variable.start) {
                return None;
            }
            let sum = self.sum_back(work, added, (round, steps), period)?;
            value = plus(work.terms, value, sum);
        }
        Some(value)
    }

    /// The sum of a summand over the iterations `round`, `round - period`, …, which are `steps`.
    fn sum_back(
        &self,
        work: &mut Iteration<'_>,
        added: TermId,
        (round, steps): (TermId, TermId),
        period: u64,
    ) -> Option<TermId> {
        if !work.counts(added, None) {
            return work.kind.times(work.terms, added, steps);
        }
        let terms = &mut *work.terms;
        if work.kind != Kind::Int || terms.sort(added) != SortId::INT {
            return None;
        }
        let counter = terms.var(self.counter);
        let one = terms.int(1);
        let next = terms.app(Op::Add, [counter, one]);
        let after = terms.substitute(added, &Substitution::from_iter([(self.counter, next)]));
        let slope = terms.app(Op::Sub, [after, added]);
        if work.counts(slope, None) || work.counts(added, Some(self.counter)) {
            return None;
        }
        let terms = &mut *work.terms;
        let here = terms.substitute(added, &Substitution::from_iter([(self.counter, round)]));
        let before = terms.app(Op::Sub, [steps, one]);
        let product = terms.app(Op::Mul, [steps, before]);
        let two = terms.int(2);
        let pairs = terms.app(Op::IntDiv, [product, two]);
        let period = terms.int(period);
        let falls = terms.app(Op::Mul, [slope, period]);
        let fallen = terms.app(Op::Mul, [falls, pairs]);
        let all = terms.app(Op::Mul, [here, steps]);
        Some(terms.app(Op::Sub, [all, fallen]))
    }

    /// The condition under which a write hits the cell `at`, and the last iteration in which it does.
    fn hit(&self, work: &mut Iteration<'_>, moving: &Moving, at: &[TermId]) -> Option<(TermId, TermId)> {
        let kind = work.kind;
        let counter = work.terms.var(self.counter);
        let mut conditions = Vec::new();
        let round = match &moving.motion {
            None => kind.minus_one(work.terms, counter),
            Some((part, step)) => {
                let zero = kind.number(work.terms, 0);
                let zero = Substitution::from_iter([(self.counter, zero)]);
                let base = at_part(&moving.write, *part)?;
                let base = work.terms.substitute(base, &zero);
                round_of(work, at[*part], base, step, &mut conditions)
            }
        };
        conditions.push(kind.natural(work.terms, round));
        conditions.push(kind.lt(work.terms, round, counter));
        if kind == Kind::Bits {
            conditions.push(kind.positive(work.terms, counter));
        }
        let there = Substitution::from_iter([(self.counter, round)]);
        for &(part, index) in &moving.write.pins {
            let index = work.terms.substitute(index, &there);
            conditions.push(work.terms.app(Op::Eq, [at[part], index]));
        }
        for &condition in &moving.write.conditions {
            let condition = self.resolve(work, condition, moving.way)?;
            if moving.motion.is_none() && work.counts(condition, None) {
                // An earlier iteration may have hit where the last one did not.
                return None;
            }
            conditions.push(work.terms.substitute(condition, &there));
        }
        for &condition in &moving.guard {
            conditions.push(work.terms.substitute(condition, &there));
        }
        Some((work.terms.app(Op::And, conditions), round))
    }
}

/// `t` with a part of it replaced.
fn replace(terms: &mut Terms, t: TermId, from: TermId, to: TermId) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    for inner in terms.post_order(&[t]) {
        let term = terms.term(inner).clone();
        let new = if inner == from {
            to
        } else if term.args.iter().all(|a| done[a] == *a) {
            inner
        } else {
            let args = term.args.iter().map(|a| done[a]).collect();
            terms.app_sorted(term.op, args, term.sort)
        };
        done.insert(inner, new);
    }
    done[&t]
}

fn at_part(write: &Write, part: usize) -> Option<TermId> {
    write.pins.iter().find(|(p, _)| *p == part).map(|(_, index)| *index)
}

/// `a - b`, if it is a number.
fn distance(terms: &mut Terms, a: TermId, b: TermId) -> Option<BigInt> {
    if terms.width(terms.sort(a)) == Some(WIDTH) {
        let ((a, from), (b, to)) = (sum_of_bits(terms, a), sum_of_bits(terms, b));
        return (a == b).then(|| BigInt::from(from.wrapping_sub(to) as i64));
    }
    let difference = terms.app(Op::Sub, [a, b]);
    number(terms, difference)
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

/// How the index of a write moves; `None` if that is not known, as it could hit any cell then.
pub(crate) fn motion(work: &mut Iteration<'_>, write: &Write, counter: SymbolId) -> Option<Motion> {
    let here = work.terms.var(counter);
    let one = work.kind.number(work.terms, 1);
    let next = work.kind.add(work.terms, here, one);
    let next = Substitution::from_iter([(counter, next)]);
    let mut motion = None;
    for &(part, index) in &write.pins {
        if !work.counts(index, None) {
            continue;
        }
        let op = match work.terms.sort_of(work.terms.sort(index)) {
            Sort::Int if work.kind == Kind::Int => Op::Sub,
            Sort::BitVec(WIDTH) if work.kind == Kind::Bits => Op::BvSub,
            _ => return None,
        };
        let after = work.terms.substitute(index, &next);
        let step = work.terms.app(op, [after, index]);
        let Some(step) = number(work.terms, step).or_else(|| bits_step(work.terms, index, here)) else {
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
    let moves = write.pins.iter().any(|&(_, index)| work.counts(index, None));
    (motion.is_some() || !moves).then_some(motion)
}

/// The step of an index that is a sum of bit-vectors.
fn bits_step(terms: &Terms, index: TermId, counter: TermId) -> Option<BigInt> {
    let (mut factors, _) = sum_of_bits(terms, index);
    let step = factors.remove(&counter)?;
    let Op::Var(symbol) = terms.term(counter).op else { return None };
    let others: Vec<TermId> = factors.into_keys().collect();
    (!terms.free_symbols(&others).contains(&symbol)).then(|| BigInt::from(step as i64))
}

/// The iteration in which an index that starts at `base` is `place`, if it ever is.
pub(crate) fn round_of(
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
