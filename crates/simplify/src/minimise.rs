//! Minimisation: prime implicants and an irredundant cover, with a solver in place of truth tables.
//!
//! 1. Bounds that are assumed, literals that occur twice, and disjuncts that contain all literals of another one are
//!    dropped.
//! 2. From each disjunct every literal is dropped without which it still implies the whole.
//! 3. The remaining bounds are weakened to those of other disjuncts, as far as the disjunct still implies the whole.
//! 4. Disjuncts that the others cover are dropped.
//! 5. A range that was an equation before it was weakened becomes an equation again where others cover the rest of
//!    it.
//! 6. Ranges of one number are joined (`ranges.rs`).
//!
//! Literals about finite choices get one form, before and after (`choices.rs`). At the end comparisons of two numbers
//! are guessed (`relations.rs`).
//!
//! **Example.** `x == 3 && p || x == 4 && p || x == 4 && !p` becomes `x == 3 && p || x == 4`.
//!
//! **Direction of error.** None: the result is proved equivalent as a whole, or dropped. A query without an answer
//! keeps the literal.

use footpath_term::{Op, Substitution, TermId, Terms, TypeSubstitution};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;

use crate::arithmetic::remainders;
use crate::bound::{Bound, Form, Relation};
use crate::ranges::joined;
use crate::{Cube, Dnf, Effort, Simplifier};

/// The order in which literals are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Large ones first, then late ones: small and early literals are kept.
    LateFirst,
    /// Large ones first, then early ones.
    EarlyFirst,
}

impl Simplifier {
    pub(crate) fn minimise(&mut self, terms: &mut Terms, given: &Dnf) -> Dnf {
        if self.effort == Effort::None {
            return given.clone();
        }
        if given.is_long() && self.is_spent() {
            return given.clone();
        }
        let given = remainders(terms, given);
        let given = &self.by_choice(terms, &given);
        let needed = self.needed(terms, given);
        if needed.is_long() && self.is_spent() {
            return needed;
        }
        let propagated = propagated(terms, &needed);
        if propagated.is_long() && self.is_spent() {
            return propagated;
        }
        let start = syntactic(terms, &propagated);
        if self.effort == Effort::Syntactic || start.is_never() || start.is_always() {
            return start;
        }
        if start.is_long() && self.is_spent() {
            return start;
        }
        let mut best = self.minimise_in(terms, &start, Order::LateFirst);
        if self.effort == Effort::Thorough && !self.is_spent() {
            let other = self.minimise_in(terms, &start, Order::EarlyFirst);
            if (other.cubes.len(), other.literals()) < (best.cubes.len(), best.literals()) {
                best = other;
            }
        }
        let (before, after) = (start.term(terms), best.term(terms));
        // Step by step all was proved; together it is proved once more, as nothing may rest on how the steps interact.
        let proved = self.equivalent(terms, before, after) == Some(true);
        let best = if proved { best } else { start };
        let best = if best.is_long() { best } else { joined(terms, &best) };
        let best = self.by_choice(terms, &best);
        self.related(terms, &best)
    }

    /// The assumptions that are bounds.
    pub(crate) fn assumed_bounds(&self, terms: &mut Terms) -> Vec<Bound> {
        let all = terms.app(Op::And, self.assumed().iter().copied());
        let term = terms.term(all);
        let parts = if term.op == Op::And { term.args.to_vec() } else { vec![all] };
        parts.into_iter().filter_map(|l| Bound::read(terms, l)).collect()
    }

    /// The condition without bounds that are assumed.
    fn needed(&self, terms: &mut Terms, given: &Dnf) -> Dnf {
        let assumed_bounds = self.assumed_bounds(terms);
        let mut needed = given.clone();
        let holds = |own: &Bound| assumed_bounds.iter().any(|g| g.form == own.form && says(g, own));
        for cube in &mut needed.cubes {
            // An equation is one of signed numbers and one of unsigned numbers.
            cube.retain(|&l| {
                !Bound::read(terms, l).is_some_and(|own| holds(&own) || holds(&own.unsigned(terms)))
            });
        }
        needed
    }

    fn minimise_in(&mut self, terms: &mut Terms, start: &Dnf, order: Order) -> Dnf {
        let whole = start.term(terms);
        let not_whole = terms.app(Op::Not, [whole]);
        let mut cubes: Vec<Cube> = Vec::new();
        for cube in &start.cubes {
            if self.is_spent() || self.contradict(terms, cube) != Some(true) {
                cubes.push(cube.clone());
            }
        }
        for cube in &mut cubes {
            self.drop_literals(terms, cube, not_whole, order);
        }
        let mut dnf = syntactic(terms, &Dnf { cubes });
        let equations = equations(terms, &dnf.cubes);
        split_equations(terms, &mut dnf.cubes);
        let bounds = all_bounds(terms, &dnf.cubes);
        for cube in &mut dnf.cubes {
            self.weaken(terms, cube, not_whole, &bounds);
            self.drop_literals(terms, cube, not_whole, order);
        }
        let mut dnf = syntactic(terms, &dnf);
        self.drop_cubes(terms, &mut dnf.cubes);
        for cube in &mut dnf.cubes {
            join_bounds(terms, cube);
        }
        self.restore(terms, &mut dnf.cubes, whole, &equations);
        syntactic(terms, &dnf)
    }

    /// Turns ranges that were equations into equations again, where other conjunctions cover the other values of the
    /// range.
    fn restore(&mut self, terms: &mut Terms, cubes: &mut [Cube], whole: TermId, equations: &[Bound]) {
        for i in 0..cubes.len() {
            for equation in equations {
                if self.is_spent() {
                    return;
                }
                let is = |relation: Relation, l: &TermId| {
                    Bound::read(terms, *l).is_some_and(|b| b.form == equation.form && b.relation == relation)
                };
                let side = |relation| cubes[i].iter().position(|l| is(relation, l));
                let (Some(low), Some(high)) = (side(Relation::AtLeast), side(Relation::AtMost)) else {
                    continue;
                };
                let mut narrow = cubes[i].clone();
                narrow[low.min(high)] = equation.build(terms);
                narrow.remove(low.max(high));
                let mut all = cubes.to_vec();
                all[i].clone_from(&narrow);
                // What is narrower implies the whole if it is within the range.
                let within = terms.app(Op::And, cubes[i].iter().copied());
                let covers = Dnf { cubes: all }.term(terms);
                if self.implies(terms, &narrow, within) && self.implies(terms, &[whole], covers) {
                    cubes[i] = narrow;
                }
            }
        }
    }

    /// Drops literals as long as the rest implies the whole.
    fn drop_literals(&mut self, terms: &Terms, cube: &mut Cube, not_whole: TermId, order: Order) {
        let mut tried: Vec<usize> = (0..cube.len()).collect();
        let size = |i: usize| terms.post_order(&[cube[i]]).len();
        let sizes: Vec<usize> = tried.iter().map(|&i| size(i)).collect();
        tried.sort_by_key(|&i| {
            let position = if order == Order::LateFirst { usize::MAX - i } else { i };
            (std::cmp::Reverse(sizes[i]), position)
        });
        let mut kept = vec![true; cube.len()];
        for i in tried {
            if self.is_spent() {
                break;
            }
            kept[i] = false;
            let mut rest: Vec<TermId> =
                cube.iter().zip(&kept).filter(|(_, k)| **k).map(|(l, _)| *l).collect();
            rest.push(not_whole);
            kept[i] = self.contradict(terms, &rest) != Some(true);
        }
        let mut keep = kept.iter();
        cube.retain(|_| *keep.next().unwrap_or(&true));
    }

    /// Replaces bounds by weaker ones of the same form.
    fn weaken(&mut self, terms: &mut Terms, cube: &mut Cube, not_whole: TermId, bounds: &[Bound]) {
        for i in 0..cube.len() {
            let Some(own) = Bound::read(terms, cube[i]) else { continue };
            for weaker in weaker(&own, bounds) {
                if self.is_spent() {
                    break;
                }
                let literal = weaker.build(terms);
                let mut rest = cube.clone();
                rest[i] = literal;
                rest.push(not_whole);
                if self.contradict(terms, &rest) == Some(true) {
                    cube[i] = literal;
                    break;
                }
            }
        }
        cube.retain(|&l| terms.as_bool(l) != Some(true));
    }

    /// Drops conjunctions that the others cover, long ones first.
    pub(crate) fn drop_cubes(&mut self, terms: &mut Terms, cubes: &mut Vec<Cube>) {
        let mut order: Vec<usize> = (0..cubes.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(cubes[i].len()), std::cmp::Reverse(i)));
        let mut kept = vec![true; cubes.len()];
        for i in order {
            if self.is_spent() {
                break;
            }
            kept[i] = false;
            let others: Vec<Cube> =
                cubes.iter().zip(&kept).filter(|(_, k)| **k).map(|(c, _)| c.clone()).collect();
            let others = Dnf { cubes: others }.term(terms);
            kept[i] = !self.implies(terms, &cubes[i].clone(), others);
        }
        let mut keep = kept.iter();
        cubes.retain(|_| *keep.next().unwrap_or(&true));
    }
}

/// Whether a bound implies another one of the same form.
fn says(bound: &Bound, other: &Bound) -> bool {
    match (bound.relation, other.relation) {
        (Relation::AtLeast, Relation::AtLeast) => bound.value >= other.value,
        (Relation::AtMost, Relation::AtMost) => bound.value <= other.value,
        (Relation::AtLeast, Relation::Differs) => bound.value > other.value,
        (Relation::AtMost, Relation::Differs) => bound.value < other.value,
        (one, another) => one == another && bound.value == other.value,
    }
}

/// Propagates a boolean variable that is a literal by itself into the other literals of its conjunction.
fn propagated(terms: &mut Terms, given: &Dnf) -> Dnf {
    let mut result = Dnf::never();
    for cube in &given.cubes {
        let mut values = Substitution::default();
        for &l in cube {
            let term = terms.term(l).clone();
            match (&term.op, term.args.first().map(|&a| terms.term(a).op.clone())) {
                (Op::Var(s), _) => values.insert(*s, terms.bool(true)),
                (Op::Not, Some(Op::Var(s))) => values.insert(s, terms.bool(false)),
                _ => None,
            };
        }
        let is_value = |terms: &Terms, l: TermId| match (&terms.term(l).op, terms.term(l).args.first()) {
            (Op::Var(_), _) => true,
            (Op::Not, Some(&a)) => matches!(terms.term(a).op, Op::Var(_)),
            _ => false,
        };
        // Literals share most of what they are made of.
        let changed = terms.substitute_all(cube, &values, &TypeSubstitution::default());
        let literals = cube.iter().zip(changed).map(|(&l, c)| if is_value(terms, l) { l } else { c });
        let literals: Cube = literals.collect();
        result.add(terms, &literals);
    }
    result
}

/// Propagates the constants that variables equal into the other literals of each conjunction.
pub(crate) fn with_constants(terms: &mut Terms, given: &Dnf) -> Dnf {
    let mut result = Dnf::never();
    for cube in &given.cubes {
        let mut values = Substitution::default();
        let mut equations = FxHashSet::default();
        for &l in cube {
            let term = terms.term(l);
            let (Op::Eq, &[a, b]) = (&term.op, term.args.as_slice()) else { continue };
            for (variable, value) in [(a, b), (b, a)] {
                if let Op::Var(symbol) = terms.term(variable).op
                    && terms.literal(value).is_some()
                    && !values.contains_key(&symbol)
                {
                    values.insert(symbol, value);
                    equations.insert(l);
                }
            }
        }
        let changed = terms.substitute_all(cube, &values, &TypeSubstitution::default());
        let literals = cube.iter().zip(changed).map(|(&l, c)| if equations.contains(&l) { l } else { c });
        let literals: Cube = literals.collect();
        result.add(terms, &literals);
    }
    result
}

/// The condition with duplicate literals, constants, and conjunctions that contain all literals of another one
/// dropped.
fn syntactic(terms: &mut Terms, given: &Dnf) -> Dnf {
    let mut cubes: Vec<Cube> = Vec::new();
    'cubes: for cube in &given.cubes {
        let mut clean = Cube::new();
        for &l in cube {
            match terms.as_bool(l) {
                Some(true) => {}
                Some(false) => continue 'cubes,
                None if clean.contains(&l) => {}
                None => {
                    let not = terms.app(Op::Not, [l]);
                    if clean.contains(&not) {
                        continue 'cubes;
                    }
                    clean.push(l);
                }
            }
        }
        tightest(terms, &mut clean);
        cubes.push(clean);
    }
    let sets: Vec<FxHashSet<TermId>> = cubes.iter().map(|c| c.iter().copied().collect()).collect();
    let covered = |i: usize| {
        (0..cubes.len())
            .any(|j| j != i && sets[j].is_subset(&sets[i]) && (sets[j].len() < sets[i].len() || j < i))
    };
    let kept: Vec<bool> = (0..cubes.len()).map(|i| !covered(i)).collect();
    let mut keep = kept.iter();
    cubes.retain(|_| *keep.next().unwrap_or(&true));
    Dnf { cubes }
}

/// Drops bounds that are implied by another bound of the same form and side.
fn tightest(terms: &Terms, cube: &mut Cube) {
    let bounds: Vec<Option<Bound>> = cube.iter().map(|&l| Bound::read(terms, l)).collect();
    let contains = |weak: &Bound, i: usize, strong: &Bound, j: usize| {
        let tighter = match weak.relation {
            Relation::AtLeast => strong.value > weak.value,
            Relation::AtMost => strong.value < weak.value,
            Relation::Equal | Relation::Differs => return false,
        };
        let same = strong.value == weak.value && j < i;
        weak.relation == strong.relation && weak.form == strong.form && (tighter || same)
    };
    let mut i = 0;
    cube.retain(|_| {
        let own = bounds[i].as_ref();
        let others = bounds.iter().enumerate().filter_map(|(j, b)| Some((j, b.as_ref()?)));
        let gone = own.is_some_and(|own| others.clone().any(|(j, b)| j != i && contains(own, i, b, j)));
        i += 1;
        !gone
    });
}

/// The equations of numbers, in both readings.
fn equations(terms: &Terms, cubes: &[Cube]) -> Vec<Bound> {
    let all = all_bounds(terms, cubes).into_iter().filter(|b| b.relation == Relation::Equal);
    let mut found: Vec<Bound> = Vec::new();
    for bound in all {
        let unsigned = bound.clone().unsigned(terms);
        if unsigned != bound {
            found.push(unsigned);
        }
        found.push(bound);
    }
    found
}

/// Replaces an equation by two bounds if its form is bounded by other values as well.
fn split_equations(terms: &mut Terms, cubes: &mut [Cube]) {
    let bounds = all_bounds(terms, cubes);
    let unsigned: FxHashSet<TermId> = bounds
        .iter()
        .filter_map(|b| match b.form {
            Form::Unsigned(t) => Some(t),
            _ => None,
        })
        .collect();
    for cube in cubes.iter_mut() {
        let mut split = Cube::new();
        for &literal in cube.iter() {
            match Bound::read(terms, literal) {
                Some(mut b) if b.relation == Relation::Equal => {
                    if matches!(b.form, Form::Signed(t) if unsigned.contains(&t)) {
                        b = b.unsigned(terms);
                    }
                    if !bounds.iter().any(|o| o.form == b.form && o.value != b.value) {
                        split.push(literal);
                        continue;
                    }
                    for relation in [Relation::AtLeast, Relation::AtMost] {
                        let half = Bound { relation, ..b.clone() };
                        split.push(half.build(terms));
                    }
                }
                _ => split.push(literal),
            }
        }
        *cube = split;
    }
}

fn all_bounds(terms: &Terms, cubes: &[Cube]) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = Vec::new();
    for &literal in cubes.iter().flatten() {
        if let Some(bound) = Bound::read(terms, literal)
            && !bounds.contains(&bound)
        {
            bounds.push(bound);
        }
    }
    bounds
}

/// Weaker bounds of the same form that occur somewhere, the weakest first.
fn weaker(own: &Bound, bounds: &[Bound]) -> Vec<Bound> {
    let same = bounds.iter().filter(|b| b.form == own.form);
    let mut found: Vec<Bound> = Vec::new();
    match own.relation {
        Relation::AtMost | Relation::AtLeast => {
            let up = own.relation == Relation::AtMost;
            let step = BigInt::from(if up { 1 } else { -1 });
            let further = |v: &BigInt| if up { *v > own.value } else { *v < own.value };
            let mut values: Vec<BigInt> = same
                .filter(|b| b.relation == own.relation || b.relation == Relation::Equal)
                .map(|b| b.value.clone())
                .filter(further)
                .collect();
            values.sort();
            values.dedup();
            if up {
                values.reverse();
            }
            found.push(Bound { relation: Relation::Differs, value: &own.value + step, ..own.clone() });
            found.extend(values.into_iter().map(|value| Bound { value, ..own.clone() }));
        }
        // An equation that others bound as well was split into two bounds before.
        Relation::Equal | Relation::Differs => {}
    }
    found
}

/// Replaces two bounds that leave one value by an equation.
fn join_bounds(terms: &mut Terms, cube: &mut Cube) {
    let read: Vec<Option<Bound>> = cube.iter().map(|&l| Bound::read(terms, l)).collect();
    let mut gone = vec![false; cube.len()];
    for i in 0..cube.len() {
        for j in i + 1..cube.len() {
            let (Some(a), Some(b)) = (&read[i], &read[j]) else { continue };
            let opposite = matches!(
                (a.relation, b.relation),
                (Relation::AtLeast, Relation::AtMost) | (Relation::AtMost, Relation::AtLeast)
            );
            if opposite && a.form == b.form && a.value == b.value && !gone[i] && !gone[j] {
                cube[i] = Bound { relation: Relation::Equal, ..a.clone() }.build(terms);
                gone[j] = true;
            }
        }
    }
    let mut gone = gone.iter();
    cube.retain(|_| !*gone.next().unwrap_or(&false));
}
