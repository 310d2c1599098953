//! Eventually periodic recurrences: the closed form of a variable that takes the same values again and again.
//!
//! **Idea.** The values of a variable before the iterations 0, 1, 2, … of a loop are its *orbit*. If each value determines the
//! next one and a value comes back, then so do all behind it: from the *preperiod* on the orbit is a cycle. Its length λ
//! gives the closed form: the value before iteration t is that at t mod λ in the cycle. A cycle that goes up or down by the same amount
//! is a progression in t mod λ, others are tables. Orbits are found in two ways:
//!
//! 1. From *symbolic* values, if all paths through the loop treat a variable alike: `s = !s`, or a swap.
//! 2. From *constants*: each path is taken with the values that there are. A path whose conditions become false is not taken, and
//!    if all others agree on the next values, these are known. Several variables may depend on each other.
//!
//! Remainders of long cycles need no orbit: after `x = (x + d) % m` the value is the remainder of x₀ + d·t.
//!
//! Example: in `r++; if (r == 3) r = 0;` with `r = 0` before, the second path is not taken at 0 and 1, the first not at 2. The orbit is
//! 0, 1, 2, 0, and the closed form of `r` is t mod 3.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012) has ⋆ for these values. Cycles of functions on finite sets are
//! in Knuth, The Art of Computer Programming, Volume 2, Section 3.1, exercise 6.
//!
//! **Direction of error.** None: closed forms are equal to the values of every run. Where no run makes another iteration, any form is.

use footpath_term::{Op, Sort, Substitution, TermId, Terms, Value};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use crate::counters::{Kind, WIDTH, increment, plus};
use crate::iterated_states::Iteration;

/// The most values of an orbit that starts with symbols.
const MAX_SYMBOLIC: usize = 4;
/// The most values of an orbit of constants, of one path; of several paths so many together.
const MAX_CONSTANTS: usize = 512;
/// The most values that are told apart one by one.
const MAX_TABLE: usize = 16;
/// The largest divisor of a remainder of machine integers, in bits: twice as many bits hold its square.
const DIVISOR_BITS: u64 = 31;
/// Of divisors of so many bits, half of the bits do.
const HALF_DIVISOR_BITS: u64 = 15;

/// The values of a variable, the last of which is followed by the one at `preperiod`.
struct Orbit {
    values: Vec<TermId>,
    preperiod: usize,
}

/// The closed form of variable number `n`, if its values come back.
pub(crate) fn close(work: &mut Iteration<'_>, n: usize) -> Option<TermId> {
    if let Some(orbit) = symbolic(work, n) {
        let number = Number::of(work);
        return form(work.terms, number, &orbit);
    }
    let open: Vec<usize> = (0..work.variables.len()).filter(|&v| is_constant(work, v)).collect();
    if !open.contains(&n) {
        return residue(work, n);
    }
    // Alone first: another variable may have an endless orbit.
    let orbit = constants(work, n, vec![n]).or_else(|| constants(work, n, open));
    let number = Number::of(work);
    let found = orbit.and_then(|orbit| form(work.terms, number, &orbit));
    found.or_else(|| residue(work, n))
}

/// Whether a variable has no closed form yet, and a constant value before the first iteration.
fn is_constant(work: &Iteration<'_>, v: usize) -> bool {
    !work.is_closed(v) && work.terms.literal(work.variables[v].first).is_some()
}

/// The orbit of a variable that is treated alike by all paths, as are those that its values depend on.
fn symbolic(work: &mut Iteration<'_>, n: usize) -> Option<Orbit> {
    let is_alike = |v: &usize| (1..work.paths()).all(|way| work.value(*v, way) == work.value(*v, 0));
    let open: Vec<usize> =
        (0..work.variables.len()).filter(|v| !work.is_closed(*v)).filter(is_alike).collect();
    open.iter().find(|v| **v == n)?;
    let once: Substitution = open.iter().map(|&v| (work.variables[v].start, work.value(v, 0))).collect();
    let firsts: Substitution =
        open.iter().map(|&v| (work.variables[v].start, work.variables[v].first)).collect();
    let mut values = vec![work.terms.var(work.variables[n].start)];
    let preperiod = loop {
        let next = work.terms.substitute(values[values.len() - 1], &once);
        if let Some(at) = values.iter().position(|&value| value == next) {
            break at;
        }
        if values.len() == MAX_SYMBOLIC {
            return None;
        }
        values.push(next);
    };
    // Over the state before the loop; symbols of the iteration must not occur in it.
    let known = |value: TermId| {
        let value = work.terms.substitute(value, &firsts);
        work.known(value, 0).filter(|&v| !work.counts(v, None))
    };
    Some(Orbit { values: values.into_iter().map(known).collect::<Option<_>>()?, preperiod })
}

/// The orbit of a variable from the constant values of some, itself among them, as far as these determine each other.
fn constants(work: &mut Iteration<'_>, n: usize, mut open: Vec<usize>) -> Option<Orbit> {
    let most = MAX_CONSTANTS / work.paths().max(1);
    'fewer: loop {
        let at = open.iter().position(|v| *v == n)?;
        let mut state: Vec<TermId> = open.iter().map(|&v| work.variables[v].first).collect();
        let mut seen: FxHashMap<Vec<TermId>, usize> = FxHashMap::default();
        let mut values = Vec::new();
        loop {
            if let Some(&preperiod) = seen.get(&state) {
                return Some(Orbit { values, preperiod });
            }
            if values.len() == most {
                return None;
            }
            values.push(state[at]);
            match after(work, &open, &state) {
                // There is no further iteration, so its value may be any.
                None => return Some(Orbit { preperiod: values.len() - 1, values }),
                Some(next) if next.iter().all(Option::is_some) => {
                    seen.insert(state, values.len() - 1);
                    state = next.into_iter().flatten().collect();
                }
                Some(next) => {
                    let mut is_known = next.iter().map(Option::is_some);
                    open.retain(|_| is_known.next() == Some(true));
                    continue 'fewer;
                }
            }
        }
    }
}

/// The values of some variables after an iteration, from those before it: each one if it is a constant on which all paths agree that can
/// be taken. `None` if no path can.
fn after(work: &mut Iteration<'_>, open: &[usize], state: &[TermId]) -> Option<Vec<Option<TermId>>> {
    let before: Substitution =
        open.iter().zip(state).map(|(&v, &value)| (work.variables[v].start, value)).collect();
    let mut agreed: Option<Vec<Option<TermId>>> = None;
    for way in 0..work.paths() {
        let conditions = work.conditions(way);
        let is_false = |&c: &TermId| {
            let c = work.terms.substitute(c, &before);
            work.terms.as_bool(c) == Some(false)
        };
        if conditions.iter().any(is_false) {
            continue;
        }
        let next = open.iter().map(|&v| {
            let value = work.value(v, way);
            let value = work.terms.substitute(value, &before);
            work.terms.literal(value).map(|_| value)
        });
        let next: Vec<Option<TermId>> = next.collect();
        agreed = Some(match agreed {
            None => next,
            Some(all) => all.into_iter().zip(next).map(|(a, b)| a.filter(|_| a == b)).collect(),
        });
    }
    agreed
}

/// The number of an iteration.
#[derive(Clone, Copy)]
struct Number {
    kind: Kind,
    term: TermId,
    /// The width that it fits into, in any run: remainders of fewer bits are easier for solvers.
    fits: Option<u32>,
}

impl Number {
    fn of(work: &mut Iteration<'_>) -> Number {
        let term = work.terms.var(work.number);
        Number { kind: work.kind, term, fits: work.fits }
    }

    /// The remainder of it by a number of iterations.
    fn remainder(self, terms: &mut Terms, by: usize) -> TermId {
        if let Some(width) = self.fits.filter(|width| by.ilog2() < *width) {
            let by = terms.bit_vec(width, by);
            let low = terms.app(Op::Extract(width - 1, 0), [self.term]);
            let rest = terms.app(Op::BvUrem, [low, by]);
            return terms.app(Op::ZeroExtend(WIDTH - width), [rest]);
        }
        let by = self.kind.number(terms, by as u64);
        self.kind.remainder(terms, self.term, by)
    }

    /// How far the iteration is behind the latest one that is at `from` in a cycle.
    fn behind(self, terms: &mut Terms, from: usize, length: usize) -> TermId {
        let rest = self.remainder(terms, length);
        if from == 0 {
            return rest;
        }
        let [from, ahead] = [from, length - from].map(|n| self.kind.number(terms, n as u64));
        let is_behind = self.kind.le(terms, from, rest);
        let [behind, before] = [self.kind.sub(terms, rest, from), self.kind.add(terms, rest, ahead)];
        terms.app(Op::Ite, [is_behind, behind, before])
    }
}

/// The value before the iteration of a number.
fn form(terms: &mut Terms, number: Number, orbit: &Orbit) -> Option<TermId> {
    let (start, cycle) = orbit.values.split_at(orbit.preperiod);
    if start.len() > MAX_TABLE {
        return None;
    }
    let place = |terms: &mut Terms, from: usize| {
        number.behind(terms, (start.len() + from) % cycle.len(), cycle.len())
    };
    let mut form = if let [only] = cycle {
        *only
    } else if let Some((from, by)) = progression(terms, cycle) {
        let place = place(terms, from);
        let added = number.kind.times(terms, by, place)?;
        plus(terms, cycle[from], added)
    } else if cycle.len() <= MAX_TABLE {
        let place = place(terms, 0);
        let mut value = cycle[0];
        for (i, &here) in cycle.iter().enumerate().skip(1) {
            value = choice(terms, number.kind, (place, i), here, value);
        }
        value
    } else {
        return None;
    };
    for (i, &value) in start.iter().enumerate().rev() {
        form = choice(terms, number.kind, (number.term, i), value, form);
    }
    Some(form)
}

/// `value` if `number` is `i`, and otherwise `other`.
fn choice(
    terms: &mut Terms,
    kind: Kind,
    (number, i): (TermId, usize),
    value: TermId,
    other: TermId,
) -> TermId {
    let i = kind.number(terms, i as u64);
    let here = terms.app(Op::Eq, [number, i]);
    terms.app(Op::Ite, [here, value, other])
}

/// Where in a cycle of numbers a progression begins that goes through all of it, and what it adds each time.
fn progression(terms: &mut Terms, cycle: &[TermId]) -> Option<(usize, TermId)> {
    let op = match terms.sort_of(terms.sort(cycle[0])) {
        Sort::Int => Op::Sub,
        Sort::BitVec(_) => Op::BvSub,
        _ => return None,
    };
    let difference = |i: usize| terms.app(op.clone(), [cycle[(i + 1) % cycle.len()], cycle[i]]);
    let steps: Vec<TermId> = (0..cycle.len()).map(difference).collect();
    // All steps but the one back to its begin are equal.
    let by = if steps[0] == steps[1] || steps.len() == 2 { steps[0] } else { steps[2] };
    terms.literal(by)?;
    let mut others = (0..steps.len()).filter(|&i| steps[i] != by);
    match (others.next(), others.next()) {
        (None, _) => Some((0, by)),
        (Some(last), None) => Some(((last + 1) % cycle.len(), by)),
        _ => None,
    }
}

/// The closed form of `x = (x + d) % m` on all paths, with a constant m.
fn residue(work: &mut Iteration<'_>, n: usize) -> Option<TermId> {
    let value = work.value(n, 0);
    if (1..work.paths()).any(|way| work.value(n, way) != value) {
        return None;
    }
    let term = work.terms.term(value).clone();
    let &[sum, divisor] = &term.args[..] else { return None };
    let d = increment(work.terms, sum, work.variables[n].start)?;
    let d = work.known(d, 0).filter(|&d| !work.counts(d, None))?;
    let first = work.variables[n].first;
    match term.op {
        Op::Mod => integer_residue(work, first, d, divisor),
        Op::BvUrem | Op::BvSrem => machine_residue(work, first, d, (term.op == Op::BvSrem, divisor)),
        _ => None,
    }
}

/// That of unbounded integers: a remainder of a remainder and a summand is one of the sum.
fn integer_residue(work: &mut Iteration<'_>, first: TermId, d: TermId, divisor: TermId) -> Option<TermId> {
    match work.terms.literal(divisor) {
        Some(Value::Int(m)) if *m > BigInt::zero() => {}
        _ => return None,
    }
    let number = work.terms.var(work.number);
    let added = work.kind.times(work.terms, d, number)?;
    let sum = work.terms.app(Op::Add, [first, added]);
    let rest = work.terms.app(Op::Mod, [sum, divisor]);
    let is_later = work.kind.positive(work.terms, number);
    Some(work.terms.app(Op::Ite, [is_later, rest, first]))
}

/// That of machine integers with constant summands, if no sum but the first one wraps, and with a sign none at all. The first remainder
/// x₁ is computed as the program does; from there on it is that of x₁ + d·(t − 1), in which both factors are below m.
fn machine_residue(
    work: &mut Iteration<'_>,
    first: TermId,
    d: TermId,
    (is_signed, divisor): (bool, TermId),
) -> Option<TermId> {
    let bits = |terms: &Terms, t: TermId| match terms.literal(t) {
        Some(Value::BitVec { bits, .. }) => Some(bits.clone()),
        _ => None,
    };
    let width = work.terms.width(work.terms.sort(first)).filter(|w| *w <= WIDTH)?;
    let (by, m) = (bits(work.terms, d)?, bits(work.terms, divisor)?);
    let limit = BigUint::one() << if is_signed { width - 1 } else { width };
    if work.kind != Kind::Bits || m.is_zero() || m.bits() > DIVISOR_BITS || &m + &by > limit {
        return None;
    }
    // Numbers that are not negative have the same remainders with a sign and without.
    if is_signed && bits(work.terms, first).is_none_or(|first| first + &by >= limit) {
        return None;
    }
    let number = Number::of(work);
    let terms = &mut *work.terms;
    let sum = terms.app(Op::BvAdd, [first, d]);
    let second = terms.app(Op::BvUrem, [sum, divisor]);
    // All that follows is below the square of m and m.
    let bits = if m.bits() <= HALF_DIVISOR_BITS { WIDTH / 2 } else { WIDTH };
    let second = resized(terms, second, bits);
    let is_later = number.kind.positive(terms, number.term);
    let later = number.kind.minus_one(terms, number.term);
    let length = usize::try_from(m.clone()).ok()?;
    let later = Number { term: later, ..number }.remainder(terms, length);
    let later = resized(terms, later, bits);
    let [by, m] = [&by % &m, m].map(|n| terms.bit_vec(bits, n));
    let added = terms.app(Op::BvMul, [by, later]);
    let sum = terms.app(Op::BvAdd, [second, added]);
    let rest = terms.app(Op::BvUrem, [sum, m]);
    let rest = resized(terms, rest, width);
    Some(terms.app(Op::Ite, [is_later, rest, first]))
}

/// A number that fits into so many bits, in as many.
fn resized(terms: &mut Terms, t: TermId, bits: u32) -> TermId {
    match terms.width(terms.sort(t)).unwrap_or(bits) {
        width if width < bits => terms.app(Op::ZeroExtend(bits - width), [t]),
        width if width > bits => terms.app(Op::Extract(bits - 1, 0), [t]),
        _ => t,
    }
}

#[cfg(test)]
mod tests {
    use footpath_ir::BlockId;
    use footpath_smt::Z3;
    use footpath_term::SortId;

    use super::*;
    use crate::iterated_states::{LoopPath, Variable, summarise};
    use crate::summary::Step;

    /// A loop over one variable of so many bits, or of integers: its value before an iteration is given, and each path has a
    /// condition and the value afterwards.
    struct Loop {
        terms: Terms,
        variable: Variable,
        paths: Vec<LoopPath>,
    }

    impl Loop {
        fn new(
            sort: Option<u32>,
            first: impl Fn(&mut Terms) -> TermId,
            body: impl Fn(&mut Terms, TermId) -> Vec<(Option<TermId>, TermId)>,
        ) -> Loop {
            let mut terms = Terms::new();
            let sort = sort.map_or(SortId::INT, |width| terms.bit_vec_sort(width));
            let start = terms.fresh_symbol("x", sort);
            let variable = Variable { variable: start, start, first: first(&mut terms) };
            let before = terms.var(start);
            let path = |(condition, value): (Option<TermId>, TermId)| {
                let conditions = condition.into_iter().collect();
                let step = Step { block: BlockId(1), around: None, locals: Vec::new(), conditions };
                LoopPath { steps: vec![step], values: vec![value] }
            };
            let paths = body(&mut terms, before).into_iter().map(path).collect();
            Loop { terms, variable, paths }
        }

        /// What the closed form says after 0, 1, 2, … iterations; no constants if there is none.
        fn values(mut self, most: u64) -> Vec<Option<Value>> {
            let mut solver = Z3::new(None).expect("Z3 is there");
            let (summary, values, _) = summarise(
                &mut self.terms,
                BlockId(0),
                &[self.variable],
                &self.paths,
                &mut solver,
                &mut Vec::new(),
            );
            let kind = Kind::of(&self.terms, summary.total);
            let at = |i| {
                let total = kind.number(&mut self.terms, i);
                let value =
                    self.terms.substitute(values[0], &Substitution::from_iter([(summary.total, total)]));
                self.terms.literal(value).cloned()
            };
            (0..=most).map(at).collect()
        }
    }

    fn number(terms: &mut Terms, width: Option<u32>, n: i64) -> TermId {
        match width {
            Some(width) => terms.bit_vec(width, BigInt::from(n)),
            None => terms.int(n),
        }
    }

    /// The numbers as the program has them.
    fn literals(width: Option<u32>, numbers: impl IntoIterator<Item = i64>) -> Vec<Option<Value>> {
        let mut terms = Terms::new();
        let literal = |n| {
            let t = number(&mut terms, width, n);
            terms.literal(t).cloned()
        };
        numbers.into_iter().map(literal).collect()
    }

    const SORTS: [Option<u32>; 3] = [None, Some(8), Some(32)];

    #[test]
    fn a_form_has_each_value_of_its_orbit() {
        let mut random = 12_345_u64;
        for (preperiod, period) in (0..5).flat_map(|p| (1..9).map(move |q| (p, q))) {
            for (kind, width) in [(Kind::Int, None), (Kind::Bits, Some(8))] {
                let mut terms = Terms::new();
                let sort = kind.sort(&mut terms);
                let counter = terms.fresh_symbol("k", sort);
                let mut next = || {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    i64::from((random >> 40) as u8)
                };
                let numbers: Vec<i64> = (0..preperiod + period).map(|_| next()).collect();
                let values = numbers.iter().map(|&n| number(&mut terms, width, n)).collect();
                let orbit = Orbit { values, preperiod };
                for fits in [None, Some(7)].into_iter().filter(|fits| fits.is_none() || kind == Kind::Bits) {
                    let term = terms.var(counter);
                    let number = Number { kind, term, fits };
                    let form = form(&mut terms, number, &orbit).expect("it is short");
                    for i in 0..3 * (preperiod + period) {
                        let here = kind.number(&mut terms, i as u64);
                        let value = terms.substitute(form, &Substitution::from_iter([(counter, here)]));
                        let at = if i < preperiod { i } else { preperiod + (i - preperiod) % period };
                        assert_eq!(value, orbit.values[at], "{numbers:?} from {preperiod} at {i}");
                    }
                }
            }
        }
    }

    #[test]
    fn counters_that_are_reset_at_a_border_follow_their_iterations() {
        for width in SORTS {
            for (first, by, border, to) in
                (-3..6).flat_map(|f| (1..4).flat_map(move |b| (1..7).map(move |m| (f, b, m, f % 2))))
            {
                let looped = Loop::new(
                    width,
                    |terms| number(terms, width, first),
                    |terms, x| {
                        let [by, border, to] = [by, border, to].map(|n| number(terms, width, n));
                        let more = plus(terms, x, by);
                        let is_there = terms.app(Op::Eq, [more, border]);
                        let is_not = terms.app(Op::Not, [is_there]);
                        vec![(Some(is_there), to), (Some(is_not), more)]
                    },
                );
                let expected =
                    std::iter::successors(Some(first), |x| Some(if x + by == border { to } else { x + by }));
                let expected = literals(width, expected.take(41));
                let values = looped.values(40);
                // Where the border is not met from everywhere, the orbit is endless or long.
                if values.iter().any(Option::is_none) {
                    let meets = |from: i64| border > from && (border - from) % by == 0;
                    assert!(!(meets(first) && meets(to)), "{first} {by} {border} {to}");
                    continue;
                }
                assert_eq!(values, expected, "{width:?}: {first} {by} {border} {to}");
            }
        }
    }

    #[test]
    fn long_counters_are_progressions() {
        for border in [17, 100, 255] {
            let looped = Loop::new(
                Some(32),
                |terms| terms.bit_vec(32, 0),
                |terms, x| {
                    let [one, border, zero] = [1, border, 0].map(|n| terms.bit_vec(32, n));
                    let more = plus(terms, x, one);
                    let is_there = terms.app(Op::BvUle, [border, more]);
                    let is_not = terms.app(Op::Not, [is_there]);
                    vec![(Some(is_not), more), (Some(is_there), zero)]
                },
            );
            let expected = (0..600).map(|i| i64::from(i % border));
            assert_eq!(looped.values(599), literals(Some(32), expected));
        }
    }

    #[test]
    fn remainders_follow_their_iterations() {
        for (width, signed) in [(None, false), (Some(8), false), (Some(8), true), (Some(32), true)] {
            let mut closed = 0;
            for (first, by, m) in [0, 1, 5, 90, 120, 200, -3].into_iter().flat_map(|f| {
                [1, 3, 7, 60, 129, -2]
                    .into_iter()
                    .flat_map(move |d| [1, 2, 7, 30, 100, 127].map(|m| (f, d, m)))
            }) {
                let looped = Loop::new(
                    width,
                    |terms| number(terms, width, first),
                    |terms, x| {
                        let [by, m] = [by, m].map(|n| number(terms, width, n));
                        let more = plus(terms, x, by);
                        let op = match (width, signed) {
                            (None, _) => Op::Mod,
                            (_, false) => Op::BvUrem,
                            (_, true) => Op::BvSrem,
                        };
                        vec![(None, terms.app(op, [more, m]))]
                    },
                );
                let machine = |n: i64| match (width, signed) {
                    (None, _) => n,
                    (Some(8), true) => i64::from(n as i8),
                    (Some(8), false) => i64::from(n as u8),
                    _ => i64::from(n as i32),
                };
                let next = |x: &i64| {
                    let sum = machine(x + machine(by));
                    Some(if width.is_none() { sum.rem_euclid(m) } else { machine(sum % machine(m)) })
                };
                let expected = literals(width, std::iter::successors(Some(machine(first)), next).take(301));
                let values = looped.values(300);
                if values.iter().any(Option::is_none) {
                    assert!(width.is_some(), "{first} {by} {m}");
                    continue;
                }
                closed += 1;
                assert_eq!(values, expected, "{width:?} {signed}: {first} {by} {m}");
            }
            assert!(closed > 100, "{width:?} {signed}: {closed} closed forms");
        }
    }

    #[test]
    fn toggles_follow_their_iterations() {
        for width in SORTS {
            // The opposite as C has it, from a number of which nothing is known but whether it is 0.
            for first in [0, 1, 7] {
                let looped = Loop::new(
                    width,
                    |terms| number(terms, width, first),
                    |terms, x| {
                        let [zero, one] = [0, 1].map(|n| number(terms, width, n));
                        let is_zero = terms.app(Op::Eq, [x, zero]);
                        vec![(None, terms.app(Op::Ite, [is_zero, one, zero]))]
                    },
                );
                let next = |x: &i64| Some(i64::from(*x == 0));
                let expected = literals(width, std::iter::successors(Some(first), next).take(11));
                assert_eq!(looped.values(10), expected, "{width:?} {first}");
            }
        }
    }
}
