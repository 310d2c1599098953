//! Recognition of idioms: overflow checks by bit operations become comparisons.
//!
//! **Idea.** Compiled code tests whether a sum of signed numbers overflows by sign bits, `((x ^ s) & (y ^ s)) < 0`
//! with `s = x + y`. People write `y > MAX - x` if `x` is not negative, and similarly otherwise. Each such rewriting
//! is proved under the other literals of its conjunction; where the sign is not known, the conjunction is split by
//! it. Where that leads nowhere, as in sums of sums, the sum is one of wider numbers: `(long)x + (long)y > INT_MAX`.
//!
//! Array bounds checks are rewritten as `index.rs` describes.
//!
//! A number that is compared both as a signed and as an unsigned one is compared as a signed one: `(unsigned)x < 8`
//! is `0 <= x && x < 8`, and `(unsigned)x >= 8` is `x < 0 || x >= 8`.
//!
//! **Direction of error.** None: the solver proves each rewriting.

use footpath_term::{Op, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::One;

use crate::arithmetic::{multiples, products, shifts, sums};
use crate::bound::{Bound, Form, Relation};
use crate::minimise::with_constants;
use crate::ranges::joined;
use crate::{Cube, Dnf, Simplifier};

/// How many conjunctions of a long condition are rewritten.
const READ: usize = 12;
/// The limit on conjunctions that splitting may lead to.
const MOST: usize = 16;

impl Simplifier {
    /// The condition with overflow checks and array bounds checks written as comparisons.
    ///
    /// Of a long one, the first conjunctions are made short as well, and of the rest only what takes no time.
    pub fn in_words(&mut self, terms: &mut Terms, given: &Dnf) -> Dnf {
        if given.is_long() {
            let (first, rest) = given.cubes.split_at(given.cubes.len().min(READ));
            let first = Dnf { cubes: first.to_vec() };
            if first.is_long() {
                return given.clone();
            }
            let first = self.simplify(terms, &first);
            let mut words = self.in_words(terms, &first);
            // What asks no solver is done to the rest as well.
            let known = self.assumed_bounds(terms);
            let rest = joined(terms, &Dnf { cubes: rest.to_vec() });
            let rest = with_constants(terms, &rest);
            let rest = multiples(terms, &rest, &known);
            words.cubes.extend(joined(terms, &rest).cubes);
            return words;
        }
        let compared = self.compared(terms, given);
        let compared = with_constants(terms, &compared);
        let known = self.assumed_bounds(terms);
        let mut best = products(terms, &compared);
        best = multiples(terms, &best, &known);
        if best != compared {
            best = self.simplify(terms, &best);
        }
        // What wraps around in the middle is worth two bounds only if one of them goes.
        for (in_two, longer) in [(true, 0), (false, MOST)] {
            let numbers = shifts(terms, &best, in_two);
            let numbers = multiples(terms, &numbers, &known);
            if numbers == best {
                break;
            }
            let short = self.simplify(terms, &numbers);
            if short.literals() <= best.literals() + longer {
                best = short;
                break;
            }
        }
        sums(terms, &best)
    }

    /// The condition with overflow checks of sums as comparisons, and one reading (signed or unsigned) for each
    /// number.
    fn compared(&mut self, terms: &mut Terms, given: &Dnf) -> Dnf {
        self.begin();
        let mut done = Dnf::never();
        let mut todo = given.cubes.clone();
        todo.reverse();
        while let Some(mut cube) = todo.pop() {
            let mut split: Option<Vec<Cube>> = None;
            for i in 0..cube.len() {
                let has_room = done.cubes.len() + todo.len() < MOST;
                split = self.index(terms, &cube, i).filter(|cubes| has_room || cubes.len() == 1);
                if split.is_some() {
                    break;
                }
                let Some((sum, overflows)) = overflow(terms, cube[i]) else { continue };
                match self.comparison(terms, &cube, i, &sum, overflows) {
                    Some(better) => cube[i] = better,
                    None if overflows && has_room => {
                        split = self.by_sign(terms, &cube, i, &sum);
                        if split.is_some() {
                            break;
                        }
                    }
                    None => {}
                }
            }
            match split {
                Some(cubes) => todo.extend(cubes.into_iter().rev()),
                None => done.cubes.push(cube),
            }
        }
        if done.cubes.iter().any(|c| mixed(terms, c).is_some()) {
            done = one_reading(terms, &done);
            done = self.minimise(terms, &done);
        }
        let (before, after) = (given.term(terms), done.term(terms));
        if self.equivalent(terms, before, after) == Some(true) { done } else { given.clone() }
    }

    /// A comparison that is equivalent to literal number `i` under the other literals.
    fn comparison(
        &mut self,
        terms: &mut Terms,
        cube: &Cube,
        i: usize,
        sum: &Sum,
        overflows: bool,
    ) -> Option<TermId> {
        let mut rest = cube.clone();
        rest.remove(i);
        for candidate in sum.comparisons(terms) {
            let candidate = if overflows { candidate } else { terms.app(Op::Not, [candidate]) };
            let there = [&rest[..], &[cube[i]]].concat();
            let back = [&rest[..], &[candidate]].concat();
            if self.implies(terms, &there, candidate) && self.implies(terms, &back, cube[i]) {
                return Some(candidate);
            }
        }
        None
    }

    /// The conjunction split by the sign of a summand, without cases that are contradictory.
    fn by_sign(&mut self, terms: &mut Terms, cube: &Cube, i: usize, sum: &Sum) -> Option<Vec<Cube>> {
        let (zero, never) = (terms.bit_vec(sum.width, 0), terms.bool(false));
        let positive = terms.app(Op::BvSlt, [zero, sum.parts[0]]);
        let negative = terms.app(Op::BvSlt, [sum.parts[0], zero]);
        let mut halves = Vec::new();
        for sign in [positive, negative] {
            let mut half = cube.clone();
            half.insert(i, sign);
            if !self.implies(terms, &half, never) {
                half[i + 1] = self.comparison(terms, &half, i + 1, sum, true)?;
                halves.push(half);
            }
        }
        Some(halves)
    }
}

/// An unsigned bound of a term that also has a signed bound: its position, the term, the bound.
fn mixed(terms: &Terms, cube: &Cube) -> Option<(usize, TermId, Bound)> {
    let bounds: Vec<Option<Bound>> = cube.iter().map(|&l| Bound::read(terms, l)).collect();
    let is_range = |b: &Bound| matches!(b.relation, Relation::AtLeast | Relation::AtMost);
    bounds.iter().enumerate().find_map(|(i, b)| {
        let b = b.as_ref().filter(|b| is_range(b))?;
        let Form::Unsigned(t) = b.form else { return None };
        let half = BigInt::one() << terms.width(terms.sort(t))?.saturating_sub(1);
        let small = match b.relation {
            Relation::AtMost => b.value < half,
            _ => b.value <= half,
        };
        let signed = |o: &Bound| is_range(o) && o.form == Form::Signed(t);
        (small && bounds.iter().flatten().any(signed)).then(|| (i, t, b.clone()))
    })
}

/// The condition with unsigned bounds of such terms written as signed ones.
fn one_reading(terms: &mut Terms, given: &Dnf) -> Dnf {
    let mut done = Dnf::never();
    let mut todo = given.cubes.clone();
    todo.reverse();
    while let Some(mut cube) = todo.pop() {
        let found = if done.cubes.len() + todo.len() < MOST { mixed(terms, &cube) } else { None };
        let Some((i, t, bound)) = found else {
            done.cubes.push(cube);
            continue;
        };
        let signed = |relation, value| Bound { form: Form::Signed(t), relation, value };
        if bound.relation == Relation::AtMost {
            cube[i] = signed(Relation::AtLeast, BigInt::from(0)).build(terms);
            cube.insert(i + 1, signed(Relation::AtMost, bound.value).build(terms));
            todo.push(cube);
        } else {
            let mut negative = cube.clone();
            negative[i] = signed(Relation::AtMost, BigInt::from(-1)).build(terms);
            cube[i] = signed(Relation::AtLeast, bound.value).build(terms);
            todo.extend([negative, cube]);
        }
    }
    done
}

/// A sum or difference of bit-vectors that may overflow.
pub(crate) struct Sum {
    /// The two summands; for a difference the subtrahend, then the minuend.
    pub(crate) parts: [TermId; 2],
    pub(crate) is_difference: bool,
    pub(crate) width: u32,
}

impl Sum {
    /// Comparisons that may be equivalent to the overflow, depending on signs.
    fn comparisons(&self, terms: &mut Terms) -> Vec<TermId> {
        let half = BigInt::one() << (self.width - 1);
        let most = terms.bit_vec(self.width, &half - BigInt::one());
        let least = terms.bit_vec(self.width, -half);
        let [a, b] = self.parts;
        let mut found = Vec::new();
        if terms.literal(b) == Some(&Value::bit_vec(self.width, &BigInt::from(0))) {
            // `-a` overflows for one number only.
            return vec![terms.app(Op::Eq, [a, least])];
        }
        if self.is_difference {
            let over = terms.app(Op::BvAdd, [most, a]);
            let under = terms.app(Op::BvAdd, [least, a]);
            found.push(terms.app(Op::BvSlt, [over, b]));
            found.push(terms.app(Op::BvSlt, [b, under]));
            return found;
        }
        for (x, y) in [(a, b), (b, a)] {
            let over = terms.app(Op::BvSub, [most, x]);
            let under = terms.app(Op::BvSub, [least, x]);
            found.push(terms.app(Op::BvSlt, [over, y]));
            found.push(terms.app(Op::BvSlt, [y, under]));
        }
        found
    }
}

/// The sum whose overflow a literal asserts (`true`) or excludes (`false`).
pub(crate) fn overflow(terms: &mut Terms, literal: TermId) -> Option<(Sum, bool)> {
    let term = terms.term(literal).clone();
    match term.op {
        Op::Not => overflow(terms, term.args[0]).map(|(sum, overflows)| (sum, !overflows)),
        Op::BvSlt => Some((signs(terms, term.args[0], term.args[1])?, true)),
        Op::BvSle => Some((signs(terms, term.args[1], term.args[0])?, false)),
        _ => None,
    }
}

fn signs(terms: &mut Terms, both: TermId, zero: TermId) -> Option<Sum> {
    let width = terms.width(terms.sort(both))?;
    if zero != terms.bit_vec(width, 0) {
        return None;
    }
    let pair = |terms: &Terms, t: TermId, op: &Op| {
        let term = terms.term(t);
        (term.op == *op && term.args.len() == 2).then(|| [term.args[0], term.args[1]])
    };
    let [left, right] = pair(terms, both, &Op::BvAnd)?;
    for (x, minus) in [(left, right), (right, left)] {
        if terms.app(Op::BvNeg, [x]) == minus {
            return Some(Sum { parts: [x, zero], is_difference: true, width });
        }
    }
    // `~s` is `-1 ^ s`.
    let ones = terms.bit_vec(width, -1);
    let different = |terms: &Terms, t: TermId| match terms.term(t).op {
        Op::BvNot => Some([ones, terms.term(t).args[0]]),
        _ => pair(terms, t, &Op::BvXor),
    };
    let (a, b) = (different(terms, left)?, different(terms, right)?);
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        if a[i] != b[j] {
            continue;
        }
        let (common, u, v) = (a[i], a[1 - i], b[1 - j]);
        // `a - b` is what is added to `b` as well, but it was written as a difference.
        for (difference, subtrahend) in [(u, v), (v, u)] {
            if pair(terms, difference, &Op::BvSub) == Some([common, subtrahend]) {
                return Some(Sum { parts: [subtrahend, common], is_difference: true, width });
            }
        }
        let is_sum = [[u, v], [v, u]].iter().any(|&p| pair(terms, common, &Op::BvAdd) == Some(p));
        if is_sum || terms.app(Op::BvAdd, [u, v]) == common {
            return Some(Sum { parts: [u, v], is_difference: false, width });
        }
        for (difference, subtrahend) in [(u, v), (v, u)] {
            if terms.app(Op::BvSub, [common, subtrahend]) == difference {
                return Some(Sum { parts: [subtrahend, common], is_difference: true, width });
            }
        }
    }
    None
}
