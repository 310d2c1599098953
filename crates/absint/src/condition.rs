//! The abstract transformer of conditions: the states in which a condition is true, or false.
//!
//! **Idea.** A condition is split into its comparisons, each of which becomes a linear inequality. A disjunction
//! gives several states, one for each way to make it true. A condition that is no comparison of numbers is an unknown
//! boolean, named by its term: a later test of the same term has the same truth value, unless one of its variables
//! was changed in between.
//!
//! **Example.** Assuming `0 <= x && (x < n || p)` gives two states: one with `0 ≤ x` and `x ≤ n − 1`, the other with
//! `0 ≤ x` and the unknown `p` equal to 1.
//!
//! In the program form the check for signed overflow in C tests sign bits: `(a ^ s) & (s ^ b) < 0` with `s = a + b`.
//! It is recognised by comparing sums modulo 2ʷ, and it is read as what it means: that the sum of the two's
//! complement numbers is out of range.
//!
//! A condition on all elements of a map is instantiated for those elements of which something is known, as a solver
//! instantiates a quantifier by a trigger. An instance that would split the state is left out.
//!
//! **Direction of error.** The states that are returned contain every state in which the condition has the truth
//! value, and possibly more.

use std::collections::{BTreeMap, BTreeSet};

use footpath_term::{Binder, BinderKind, Op, SortId, TermId, Terms, Value};
use num_bigint::BigInt;

use crate::facts::Facts;
use crate::float;
use crate::linear::{Dim, Linear, Reading};
use crate::range::Range;
use crate::read::{MAX_WIDTH, Reader, readings};

/// If there are more states than this, they are joined into one.
const MAX_STATES: usize = 16;
/// The limit on the elements for which a condition on all elements is instantiated.
const MAX_INSTANCES: usize = 32;
/// How deep conditions are looked into.
const MAX_DEPTH: u32 = 60;

/// The states in which the condition has the truth value.
pub fn assume(terms: &mut Terms, facts: &Facts, condition: TermId, truth: bool) -> Vec<Facts> {
    let mut states = Condition { terms }.assume(facts.clone(), condition, truth, 0);
    states.retain(|s| !s.is_empty());
    states
}

/// Joins all states into one; `None` if there is none.
pub fn merge(states: &[Facts]) -> Option<Facts> {
    let (first, rest) = states.split_first()?;
    Some(rest.iter().fold(first.clone(), |joined, s| joined.join(s)))
}

struct Condition<'t> {
    terms: &'t mut Terms,
}

impl Condition<'_> {
    fn assume(&mut self, mut facts: Facts, c: TermId, truth: bool, depth: u32) -> Vec<Facts> {
        if facts.is_empty() {
            return Vec::new();
        }
        let term = self.terms.term(c).clone();
        if depth > MAX_DEPTH {
            return vec![facts];
        }
        match &term.op {
            Op::Literal(Value::Bool(b)) => {
                if *b == truth {
                    vec![facts]
                } else {
                    Vec::new()
                }
            }
            Op::Not => self.assume(facts, term.args[0], !truth, depth + 1),
            Op::And | Op::Or => {
                if (term.op == Op::And) == truth {
                    self.all(facts, term.args.iter().map(|&a| (a, truth)), depth)
                } else {
                    let ways = term.args.iter().map(|&a| vec![(a, truth)]).collect();
                    self.any(&facts, ways, depth)
                }
            }
            Op::Implies => {
                let (a, b) = (term.args[0], term.args[1]);
                if truth {
                    self.any(&facts, vec![vec![(a, false)], vec![(b, true)]], depth)
                } else {
                    self.all(facts, [(a, true), (b, false)].into_iter(), depth)
                }
            }
            Op::Ite => {
                let (i, a, b) = (term.args[0], term.args[1], term.args[2]);
                self.any(&facts, vec![vec![(i, true), (a, truth)], vec![(i, false), (b, truth)]], depth)
            }
            Op::Eq if self.terms.sort(term.args[0]) == SortId::BOOL => {
                let (a, b) = (term.args[0], term.args[1]);
                let ways = vec![vec![(a, true), (b, truth)], vec![(a, false), (b, !truth)]];
                self.any(&facts, ways, depth)
            }
            Op::Eq if self.is_choice(term.args[0]) => self.choice(&facts, c, 0, truth, depth),
            Op::Eq if self.is_choice(term.args[1]) => self.choice(&facts, c, 1, truth, depth),
            Op::BvSlt if self.is_zero(term.args[1]) && self.is_bitwise(term.args[0]) => {
                self.sign(&facts, term.args[0], truth, depth)
            }
            Op::BvSle if self.is_zero(term.args[0]) && self.is_bitwise(term.args[1]) => {
                self.sign(&facts, term.args[1], !truth, depth)
            }
            Op::Bind(binder) if truth && binder.kind == BinderKind::Forall => {
                let facts = self.instances(facts, binder, term.args[0], depth);
                if facts.is_empty() { Vec::new() } else { vec![facts] }
            }
            _ => {
                let about = self.compare(&mut facts, c, truth);
                self.tell_apart(&mut facts, &about);
                if facts.is_empty() { Vec::new() } else { vec![facts] }
            }
        }
    }

    /// Instantiates a condition on all values of a variable for those at which elements of its maps are known.
    fn instances(&mut self, mut facts: Facts, binder: &Binder, body: TermId, depth: u32) -> Facts {
        let &[variable] = binder.vars.as_slice() else { return facts };
        let bound = self.terms.var(variable);
        let element = |terms: &Terms, t: TermId| match (&terms.term(t).op, terms.term(t).args.as_slice()) {
            (Op::Select, &[map, index]) => Some((map, index)),
            _ => None,
        };
        let parts = self.terms.post_order(&[body]).into_iter();
        let maps: BTreeSet<TermId> =
            parts.filter_map(|t| element(self.terms, t)).filter(|e| e.1 == bound).map(|e| e.0).collect();
        let known = facts.dims().into_iter().filter_map(|dim| match dim {
            Dim::Term(t, _) => element(self.terms, t),
            Dim::Temp(_) => None,
        });
        let indices: BTreeSet<TermId> = known.filter(|e| maps.contains(&e.0)).map(|e| e.1).collect();
        for index in indices.into_iter().take(MAX_INSTANCES) {
            let map = [(variable, index)].into_iter().collect();
            let instance = self.terms.substitute(body, &map);
            self.narrow(&mut facts, instance, true, depth);
            if facts.is_empty() {
                return facts;
            }
        }
        facts
    }

    /// Assumes a condition, unless that would split the state.
    fn narrow(&mut self, facts: &mut Facts, c: TermId, truth: bool, depth: u32) {
        let mut found = self.assume(facts.clone(), c, truth, depth + 1);
        match (found.pop(), found.is_empty()) {
            (None, _) => *facts = Facts::impossible(),
            (Some(one), true) => *facts = one,
            (Some(_), false) => {}
        }
    }

    /// Elements of a map that cannot be equal are at different indices. So a byte that is not the terminating zero of
    /// a string comes before it. `about` are expressions about which something was learnt.
    fn tell_apart(&mut self, facts: &mut Facts, about: &[Linear]) {
        let elements: BTreeSet<Dim> = about.iter().flat_map(|e| &e.parts).map(|p| p.0).collect();
        for dim in elements {
            let Dim::Term(element, reading) = dim else { continue };
            if self.terms.term(element).op != Op::Select {
                continue;
            }
            let range = facts.range(dim);
            if range == Range::TOP {
                continue;
            }
            let others: BTreeSet<TermId> = facts
                .elements(self.terms, self.terms.term(element).args[0])
                .filter(|other| *other != element)
                .collect();
            for other in others {
                if range.meet(facts.range(Dim::Term(other, reading))).is_empty() {
                    self.different_indices(facts, element, other);
                }
            }
        }
    }

    /// Two elements of a map are known to be at different indices; says so if these differ in one term only.
    fn different_indices(&mut self, facts: &mut Facts, a: TermId, b: TermId) {
        let (x, y) = (&self.terms.term(a).args, &self.terms.term(b).args);
        let mut differ = x[1..].iter().zip(&y[1..]).filter(|(i, j)| i != j);
        let (Some((&i, &j)), None) = (differ.next(), differ.next()) else { return };
        // An index that depends on a condition would split the state.
        if self.is_choice(i) || self.is_choice(j) {
            return;
        }
        let same = self.terms.app(Op::Eq, [i, j]);
        if self.terms.term(same).op == Op::Eq {
            self.equation(facts, same, false);
        }
    }

    fn all(
        &mut self,
        facts: Facts,
        conditions: impl Iterator<Item = (TermId, bool)>,
        depth: u32,
    ) -> Vec<Facts> {
        let mut states = vec![facts];
        for (c, truth) in conditions {
            let next: Vec<Facts> =
                states.into_iter().flat_map(|s| self.assume(s, c, truth, depth + 1)).collect();
            states = limited(next);
        }
        states
    }

    fn any(&mut self, facts: &Facts, ways: Vec<Vec<(TermId, bool)>>, depth: u32) -> Vec<Facts> {
        let found =
            ways.into_iter().flat_map(|way| self.all(facts.clone(), way.into_iter(), depth)).collect();
        limited(found)
    }

    fn is_choice(&self, t: TermId) -> bool {
        self.terms.term(t).op == Op::Ite && !readings(self.terms, self.terms.sort(t)).is_empty()
    }

    /// An equation one side of which (number `side`) is `if i then a else b`.
    fn choice(
        &mut self,
        facts: &Facts,
        equation: TermId,
        side: usize,
        truth: bool,
        depth: u32,
    ) -> Vec<Facts> {
        let args = self.terms.term(equation).args.clone();
        let choice = self.terms.term(args[side]).args.clone();
        let other = args[1 - side];
        let a = self.terms.app(Op::Eq, [choice[1], other]);
        let b = self.terms.app(Op::Eq, [choice[2], other]);
        self.any(
            facts,
            vec![vec![(choice[0], true), (a, truth)], vec![(choice[0], false), (b, truth)]],
            depth,
        )
    }

    // ---- Comparisons

    /// Assumes a comparison to be true or false, and returns the expressions that it compares.
    fn compare(&mut self, facts: &mut Facts, c: TermId, truth: bool) -> Vec<Linear> {
        let term = self.terms.term(c).clone();
        let sort = term.args.first().map(|&a| self.terms.sort(a));
        let width = sort.and_then(|s| self.terms.width(s)).filter(|w| (1..=MAX_WIDTH).contains(w));
        let is_int = sort == Some(SortId::INT);
        let (reading, strict, swap) = match (&term.op, width) {
            (Op::Le, _) if is_int => (Reading::Int, false, false),
            (Op::Lt, _) if is_int => (Reading::Int, true, false),
            (Op::Ge, _) if is_int => (Reading::Int, false, true),
            (Op::Gt, _) if is_int => (Reading::Int, true, true),
            (Op::BvUle, Some(w)) => (Reading::Unsigned(w), false, false),
            (Op::BvUlt, Some(w)) => (Reading::Unsigned(w), true, false),
            (Op::BvSle, Some(w)) => (Reading::Signed(w), false, false),
            (Op::BvSlt, Some(w)) => (Reading::Signed(w), true, false),
            (Op::Eq, _) if term.args.len() == 2 && sort == Some(self.terms.sort(term.args[1])) => {
                return self.equation(facts, c, truth);
            }
            (Op::Apply(_), _) => {
                float::assume(self.terms, facts, c, truth);
                return self.opaque(facts, c, truth);
            }
            _ => return self.opaque(facts, c, truth),
        };
        let (mut a, mut b) = (term.args[0], term.args[1]);
        if swap {
            (a, b) = (b, a);
        }
        let mut reader = Reader::new(self.terms);
        let (a, b) = (reader.read(facts, a, reading), reader.read(facts, b, reading));
        let row = if truth {
            a.plus(-1, &b).and_then(|e| e.offset(i128::from(strict)))
        } else {
            b.plus(-1, &a).and_then(|e| e.offset(i128::from(!strict)))
        };
        if let Some(row) = row {
            insist(facts, &row);
        }
        vec![a, b]
    }

    fn equation(&mut self, facts: &mut Facts, c: TermId, truth: bool) -> Vec<Linear> {
        let args = self.terms.term(c).args.clone();
        let readings = readings(self.terms, self.terms.sort(args[0]));
        if readings.is_empty() {
            return self.opaque(facts, c, truth);
        }
        let mut about = Vec::new();
        for reading in readings {
            let mut reader = Reader::new(self.terms);
            let (a, b) = (reader.read(facts, args[0], reading), reader.read(facts, args[1], reading));
            let Some(difference) = a.plus(-1, &b) else { continue };
            let Some(opposite) = difference.scale(-1) else { continue };
            if truth {
                insist(facts, &difference);
                insist(facts, &opposite);
            } else if facts.entails(&difference) {
                difference.offset(1).iter().for_each(|e| insist(facts, e));
            } else if facts.entails(&opposite) {
                opposite.offset(1).iter().for_each(|e| insist(facts, e));
            }
            about.extend([a, b]);
        }
        // No row says of two numbers that they differ.
        if args.iter().all(|&a| self.terms.literal(a).is_none()) {
            let equal = Dim::Term(c, Reading::Bool);
            match truth {
                true if facts.range(equal).value() == Some(0) => *facts = Facts::impossible(),
                true => {}
                false => facts.restrict(equal, Range::only(0)),
            }
        }
        about
    }

    /// Assumes a condition that is represented by an unknown boolean.
    fn opaque(&mut self, facts: &mut Facts, c: TermId, truth: bool) -> Vec<Linear> {
        let unknown = Reader::new(self.terms).read(facts, c, Reading::Bool);
        for (dim, _) in &unknown.parts {
            facts.restrict(*dim, Range::only(i128::from(truth)));
        }
        vec![unknown]
    }

    // ---- Sign bits

    fn is_zero(&self, t: TermId) -> bool {
        matches!(self.terms.literal(t), Some(Value::BitVec { bits, .. }) if *bits == 0u32.into())
    }

    fn is_bitwise(&self, t: TermId) -> bool {
        matches!(self.terms.term(t).op, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot)
    }

    /// The states in which the sign bit of a term is as said.
    fn sign(&mut self, facts: &Facts, t: TermId, truth: bool, depth: u32) -> Vec<Facts> {
        if depth > MAX_DEPTH {
            return vec![facts.clone()];
        }
        let term = self.terms.term(t).clone();
        let mut ways: Vec<Vec<(TermId, bool)>> = Vec::new();
        match &term.op {
            Op::BvAnd | Op::BvOr => {
                if let Some((a, k, b)) = self.overflow(t) {
                    return self.sum_in_range(facts, a, k, b, !truth);
                }
                let all = (term.op == Op::BvAnd) == truth;
                let each = term.args.iter().map(|&a| (a, truth));
                if all { ways.push(each.collect()) } else { ways.extend(each.map(|c| vec![c])) }
            }
            Op::BvXor if term.args.len() == 2 => {
                let (a, b) = (term.args[0], term.args[1]);
                ways.push(vec![(a, true), (b, !truth)]);
                ways.push(vec![(a, false), (b, truth)]);
            }
            Op::BvNot => ways.push(vec![(term.args[0], !truth)]),
            _ => {
                let Some(w) = self.terms.width(self.terms.sort(t)).filter(|w| (1..=MAX_WIDTH).contains(w))
                else {
                    return vec![facts.clone()];
                };
                let mut facts = facts.clone();
                let e = Reader::new(self.terms).read(&mut facts, t, Reading::Signed(w));
                let row = if truth { e.offset(1) } else { e.scale(-1) };
                row.iter().for_each(|row| insist(&mut facts, row));
                return if facts.is_empty() { Vec::new() } else { vec![facts] };
            }
        }
        let mut found = Vec::new();
        for way in ways {
            let mut states = vec![facts.clone()];
            for (t, truth) in way {
                states = states.iter().flat_map(|s| self.sign(s, t, truth, depth + 1)).collect();
            }
            found.extend(states);
        }
        limited(found)
    }

    /// `(a, k, b)` if the sign bit of the term says that `a + k·b` is out of range.
    fn overflow(&mut self, t: TermId) -> Option<(TermId, i128, TermId)> {
        let term = self.terms.term(t);
        let (Op::BvAnd, &[x, y]) = (&term.op, term.args.as_slice()) else { return None };
        let ((p, q), (u, v)) = (self.xor(x)?, self.xor(y)?);
        let shared = [(p, q, u, v), (p, q, v, u), (q, p, u, v), (q, p, v, u)];
        let mut ways = Vec::new();
        for (m, a, n, b) in shared {
            if m != n {
                continue;
            }
            // The sum differs in sign from both operands.
            if self.is_sum(m, a, 1, b) {
                ways.push((a, 1, b));
            }
            // The minuend differs in sign from the subtrahend and from the difference.
            for (subtrahend, difference) in [(a, b), (b, a)] {
                if self.is_sum(difference, m, -1, subtrahend) {
                    ways.push((m, -1, subtrahend));
                }
            }
        }
        // What is a difference is also the sum of the difference and the subtrahend; more is known of the plainer operands.
        ways.into_iter().min_by_key(|(a, _, b)| self.summands(*a) + self.summands(*b))
    }

    /// How many terms a sum has.
    fn summands(&self, t: TermId) -> usize {
        let mut sum = BTreeMap::new();
        self.collect(t, &BigInt::from(1), &mut sum, 0);
        sum.len()
    }

    /// The operands, if the term is an exclusive or; a complement is one with −1.
    fn xor(&mut self, t: TermId) -> Option<(TermId, TermId)> {
        let term = self.terms.term(t);
        match (&term.op, term.args.as_slice()) {
            (Op::BvXor, [a, b]) => Some((*a, *b)),
            (Op::BvNot, [a]) => {
                let a = *a;
                let width = self.terms.width(self.terms.sort(a)).filter(|w| *w <= MAX_WIDTH)?;
                Some((a, self.terms.bit_vec(width, u64::MAX >> (64 - width))))
            }
            _ => None,
        }
    }

    /// Whether `s = a + k·b` modulo 2ʷ, by what the terms look like.
    fn is_sum(&self, s: TermId, a: TermId, k: i64, b: TermId) -> bool {
        let Some(w) = self.terms.width(self.terms.sort(s)) else { return false };
        let mut sum: BTreeMap<Option<TermId>, BigInt> = BTreeMap::new();
        self.collect(s, &BigInt::from(1), &mut sum, 0);
        self.collect(a, &BigInt::from(-1), &mut sum, 0);
        self.collect(b, &BigInt::from(-k), &mut sum, 0);
        let modulus = BigInt::from(1) << w;
        sum.values().all(|n| n % &modulus == BigInt::from(0))
    }

    /// Adds `k·t` as a sum of terms.
    fn collect(&self, t: TermId, k: &BigInt, sum: &mut BTreeMap<Option<TermId>, BigInt>, depth: u32) {
        let term = self.terms.term(t);
        match &term.op {
            Op::Literal(Value::BitVec { bits, .. }) => {
                *sum.entry(None).or_default() += BigInt::from(bits.clone()) * k;
            }
            Op::BvAdd if depth < 8 => term.args.iter().for_each(|&a| self.collect(a, k, sum, depth + 1)),
            Op::BvNeg if depth < 8 => self.collect(term.args[0], &-k, sum, depth + 1),
            Op::BvSub if depth < 8 => {
                self.collect(term.args[0], k, sum, depth + 1);
                self.collect(term.args[1], &-k, sum, depth + 1);
            }
            _ => *sum.entry(Some(t)).or_default() += k,
        }
    }

    /// The states in which `a + k·b`, in two's complement and without wrapping, is in the range of the sort or not.
    fn sum_in_range(&mut self, facts: &Facts, a: TermId, k: i128, b: TermId, inside: bool) -> Vec<Facts> {
        let Some(w) = self.terms.width(self.terms.sort(a)).filter(|w| (1..=MAX_WIDTH).contains(w)) else {
            return vec![facts.clone()];
        };
        let mut facts = facts.clone();
        let mut reader = Reader::new(self.terms);
        let left = reader.read(&mut facts, a, Reading::Signed(w));
        let right = reader.read(&mut facts, b, Reading::Signed(w));
        let Some(sum) = left.plus(k, &right) else { return vec![facts] };
        let (least, greatest) = (-(1i128 << (w - 1)), (1i128 << (w - 1)) - 1);
        let rows = |above: Option<Linear>, below: Option<Linear>| [above, below];
        let under = sum.offset(-greatest);
        let over = sum.scale(-1).and_then(|e| e.offset(least));
        if inside {
            for row in rows(under, over).iter().flatten() {
                insist(&mut facts, row);
            }
            return if facts.is_empty() { Vec::new() } else { vec![facts] };
        }
        let outside = rows(under.and_then(|e| e.opposite()), over.and_then(|e| e.opposite()));
        let mut found = Vec::new();
        for row in outside {
            let mut way = facts.clone();
            row.iter().for_each(|row| insist(&mut way, row));
            if !way.is_empty() {
                found.push(way);
            }
        }
        found
    }
}

/// Adds a row, and sees whether it contradicts the rest.
pub(crate) fn insist(facts: &mut Facts, row: &Linear) {
    if facts.refute(row) {
        *facts = Facts::impossible();
    } else {
        facts.add(row);
    }
}

fn limited(states: Vec<Facts>) -> Vec<Facts> {
    if states.len() <= MAX_STATES { states } else { merge(&states).into_iter().collect() }
}
