//! Joining of intervals: conjunctions that differ only in the range of one number become one.
//!
//! **Idea.** The bounds of a conjunction allow a list of intervals for a number. Conjunctions that are the same
//! except for bounds of one form are replaced by those of the union of their lists, if that has no more literals.
//!
//! **Example.** `x == INT_MIN || (x != INT_MIN && x < 1)` becomes `x < 1`, whatever else both conjunctions say.
//!
//! **Direction of error.** None: it is interval arithmetic, and tested on all values of small widths. It asks no
//! solver, so it also works beside literals that are hard for solvers.

use footpath_term::{TermId, Terms};
use num_bigint::BigInt;

use crate::bound::{Bound, Form, Relation, range};
use crate::{Cube, Dnf};

/// An interval with both ends included; an end may be missing for integers.
type Interval = (Option<BigInt>, Option<BigInt>);

/// The condition with conjunctions joined that differ only in the range of one number.
pub(crate) fn joined(terms: &mut Terms, given: &Dnf) -> Dnf {
    let mut best = given.clone();
    let mut forms: Vec<Form> = Vec::new();
    for &literal in given.cubes.iter().flatten() {
        if let Some(bound) = Bound::read(terms, literal)
            && !forms.contains(&bound.form)
        {
            forms.push(bound.form);
        }
    }
    for form in &forms {
        let found = joined_by(terms, &best, form);
        if (found.cubes.len(), found.literals()) < (best.cubes.len(), best.literals()) {
            best = found;
        }
    }
    best
}

/// The condition with conjunctions joined that differ only in the bounds of one form.
fn joined_by(terms: &mut Terms, given: &Dnf, form: &Form) -> Dnf {
    let mut groups: Vec<Group> = Vec::new();
    for cube in &given.cubes {
        let own = Group::of(terms, cube, form);
        match groups.iter_mut().find(|g| g.key == own.key) {
            Some(group) => group.intervals.extend(own.intervals),
            None => groups.push(own),
        }
    }
    Dnf { cubes: groups.into_iter().flat_map(|group| group.cubes(terms, form)).collect() }
}

/// Conjunctions that are the same but for the bounds of one form.
struct Group {
    /// The other literals, in their order.
    rest: Cube,
    /// The other literals, sorted.
    key: Cube,
    /// The position of the bounds.
    at: usize,
    /// The values that the bounds allow.
    intervals: Vec<Interval>,
}

impl Group {
    fn of(terms: &Terms, cube: &Cube, form: &Form) -> Group {
        let (least, most) = limits(terms, form);
        let mut intervals = vec![(least, most)];
        let (mut rest, mut at) = (Cube::new(), None);
        for &literal in cube {
            let read = Bound::read(terms, literal);
            // An equation is one of signed numbers and one of unsigned numbers.
            let read = read.map(|b| if matches!(form, Form::Unsigned(_)) { b.unsigned(terms) } else { b });
            match read.filter(|b| b.form == *form) {
                Some(bound) => {
                    at.get_or_insert(rest.len());
                    intervals = intervals.into_iter().flat_map(|i| within(i, &bound)).collect();
                }
                None => rest.push(literal),
            }
        }
        let mut key = rest.clone();
        key.sort_unstable();
        Group { at: at.unwrap_or(rest.len()), rest, key, intervals }
    }

    /// The conjunctions of the union of the intervals.
    fn cubes(mut self, terms: &mut Terms, form: &Form) -> Vec<Cube> {
        // No lower end sorts first.
        self.intervals.sort();
        let mut union: Vec<Interval> = Vec::new();
        for next in self.intervals {
            match union.last_mut() {
                Some(last) if touches(&last.1, &next.0) => last.1 = later(last.1.take(), next.1),
                _ => union.push(next),
            }
        }
        let (least, most) = limits(terms, form);
        let mut found: Vec<(Interval, Vec<BigInt>)> = Vec::new();
        for next in union {
            // A gap of one number is a number that it differs from.
            match found.last_mut() {
                Some((last, gaps)) if is_gap(&last.1, &next.0) => {
                    gaps.extend(last.1.take().map(|n| n + 1));
                    last.1 = next.1;
                }
                _ => found.push((next, Vec::new())),
            }
        }
        let mut cubes = Vec::new();
        for ((low, high), gaps) in found {
            let mut bounds: Vec<(Relation, BigInt)> = Vec::new();
            match (low, high) {
                (Some(low), Some(high)) if low == high => bounds.push((Relation::Equal, low)),
                (low, high) => {
                    bounds.extend(low.filter(|n| Some(n) != least.as_ref()).map(|n| (Relation::AtLeast, n)));
                    bounds.extend(high.filter(|n| Some(n) != most.as_ref()).map(|n| (Relation::AtMost, n)));
                }
            }
            bounds.extend(gaps.into_iter().map(|n| (Relation::Differs, n)));
            let literals: Vec<TermId> = bounds
                .into_iter()
                .map(|(relation, value)| Bound { form: form.clone(), relation, value }.build(terms))
                .collect();
            let mut cube = self.rest.clone();
            cube.splice(self.at..self.at, literals);
            cubes.push(cube);
        }
        cubes
    }
}

/// The values that a form can have at all.
fn limits(terms: &Terms, form: &Form) -> Interval {
    let (t, signed) = match form {
        Form::Int(_) => return (None, None),
        Form::Signed(t) => (*t, true),
        Form::Unsigned(t) => (*t, false),
    };
    let (least, most) = range(terms.width(terms.sort(t)).unwrap_or_default(), signed);
    (Some(least), Some(most))
}

/// The part of an interval within a bound.
fn within((low, high): Interval, bound: &Bound) -> Vec<Interval> {
    let value = &bound.value;
    let at_least = |n: BigInt| low.clone().filter(|l| *l > n).or(Some(n));
    let at_most = |n: BigInt| high.clone().filter(|h| *h < n).or(Some(n));
    let parts = match bound.relation {
        Relation::AtLeast => vec![(at_least(value.clone()), high.clone())],
        Relation::AtMost => vec![(low.clone(), at_most(value.clone()))],
        Relation::Equal => vec![(at_least(value.clone()), at_most(value.clone()))],
        Relation::Differs => vec![(low.clone(), at_most(value - 1)), (at_least(value + 1), high.clone())],
    };
    let is_empty = |(low, high): &Interval| matches!((low, high), (Some(low), Some(high)) if low > high);
    parts.into_iter().filter(|part| !is_empty(part)).collect()
}

/// Whether no value lies between an interval that ends at `high` and one that begins at `low`.
fn touches(high: &Option<BigInt>, low: &Option<BigInt>) -> bool {
    match (high, low) {
        (Some(high), Some(low)) => *low <= high + 1,
        _ => true,
    }
}

/// Whether exactly one value lies between.
fn is_gap(high: &Option<BigInt>, low: &Option<BigInt>) -> bool {
    matches!((high, low), (Some(high), Some(low)) if *low == high + 2)
}

/// The later of two upper ends.
fn later(a: Option<BigInt>, b: Option<BigInt>) -> Option<BigInt> {
    Some(a?.max(b?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use footpath_term::{Env, EvalError, SymbolId, Value, evaluate};

    const WIDTH: u32 = 3;

    struct Numbers([(SymbolId, Value); 2]);

    impl Env for Numbers {
        fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
            let found = self.0.iter().find(|(s, _)| *s == symbol);
            found.map(|(_, v)| v.clone()).ok_or(EvalError::Unbound(symbol))
        }
    }

    #[test]
    fn joined_conjunctions_mean_the_same() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(WIDTH);
        let symbols = ["x", "y"].map(|name| terms.fresh_symbol(name, sort));
        let [x, y] = symbols.map(|s| terms.var(s));
        let mut random = fastrand::Rng::with_seed(7);
        let mut shorter = 0;
        for _ in 0..3_000 {
            let mut given = Dnf::never();
            for _ in 0..random.usize(1..5) {
                let mut cube = Cube::new();
                for _ in 0..random.usize(1..4) {
                    let form = match random.u8(0..4) {
                        0 => Form::Signed(y),
                        1 => Form::Unsigned(x),
                        _ => Form::Signed(x),
                    };
                    let relation = [Relation::AtLeast, Relation::AtMost, Relation::Equal, Relation::Differs]
                        [random.usize(0..4)];
                    let value =
                        BigInt::from(random.i32(-4..4) + if form == Form::Unsigned(x) { 4 } else { 0 });
                    cube.push(Bound { form, relation, value }.build(&mut terms));
                }
                cube.retain(|&l| terms.as_bool(l).is_none());
                given.cubes.push(cube);
            }
            let found = joined(&mut terms, &given);
            shorter += usize::from(found != given);
            let both = [given.term(&mut terms), found.term(&mut terms)];
            for case in 0..1u32 << (2 * WIDTH) {
                let bits = [case & 7, case >> WIDTH].map(|n| Value::bit_vec(WIDTH, &n.into()));
                let [a, b] = bits;
                let mut env = Numbers([(symbols[0], a), (symbols[1], b)]);
                let [one, other] = both.map(|t| evaluate(&terms, t, &mut env).expect("a value"));
                assert_eq!(one, other, "{} became {}", terms.display(both[0]), terms.display(both[1]));
            }
        }
        assert!(shorter > 500, "{shorter}");
    }

    #[test]
    fn what_wraps_around_becomes_one_range() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(8);
        let symbol = terms.fresh_symbol("x", sort);
        let x = terms.var(symbol);
        let mut of = |relation, value: i32| {
            Bound { form: Form::Signed(x), relation, value: value.into() }.build(&mut terms)
        };
        let least = of(Relation::Equal, -128);
        let others = vec![of(Relation::Differs, -128), of(Relation::AtMost, 0)];
        let whole = of(Relation::AtMost, 0);
        let given = Dnf { cubes: vec![vec![least], others] };
        assert_eq!(joined(&mut terms, &given).cubes, vec![vec![whole]]);
    }
}
