//! Boolean formulas in disjunctive normal form: sets of cubes over assumption variables, kept as prime implicants.
//!
//! **Idea.** A cube is a conjunction of variables and their negations; a formula is a disjunction of cubes. It is
//! kept as the set of all its prime implicants, so that equal formulas are equal sets. Example: `a && b || a && !b`
//! has the single prime implicant `a`.
//!
//! **Papers.** A. Blake, "Canonical expressions in Boolean algebra" (1937), and Quine (1955), for prime implicants.
//! PV (Christakis, Müller, Wüstholz, "Guiding dynamic symbolic execution toward unverified program executions", ICSE
//! 2016), Section 3.2: "an abstract domain of sets of cubes".
//!
//! **Deviations.** A formula with more than [`MAX_CUBES`] cubes becomes `false`.
//!
//! **Direction of error.** For the conditions that are computed with these formulas, `false` is the conservative
//! side: fewer executions are called verified, or none. Where it is not, [`Cubes::negation`] reports that there are
//! too many cubes.

use std::collections::{BTreeMap, BTreeSet};

use footpath_term::{Op, SymbolId, TermId, Terms};

/// Variables with the value that they must have.
pub type Cube = BTreeMap<SymbolId, bool>;

/// See the module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cubes(BTreeSet<Cube>);

/// The largest number of cubes of a formula.
pub const MAX_CUBES: usize = 200;

/// Nor are more made on the way, which takes time.
const MAX_PRODUCT: usize = 1_000;

impl Cubes {
    /// `true` or `false`.
    pub fn constant(truth: bool) -> Cubes {
        Cubes(truth.then(Cube::new).into_iter().collect())
    }

    /// A variable.
    pub fn variable(symbol: SymbolId) -> Cubes {
        Cubes(BTreeSet::from([Cube::from([(symbol, true)])]))
    }

    /// Whether it is `true`.
    pub fn is_true(&self) -> bool {
        self.0.iter().any(BTreeMap::is_empty)
    }

    /// Whether it is `false`.
    pub fn is_false(&self) -> bool {
        self.0.is_empty()
    }

    /// The cubes.
    pub fn iter(&self) -> impl Iterator<Item = &Cube> {
        self.0.iter()
    }

    /// All variables.
    pub fn variables(&self) -> BTreeSet<SymbolId> {
        self.0.iter().flat_map(|c| c.keys().copied()).collect()
    }

    /// Conjunction.
    pub fn and(&self, other: &Cubes) -> Cubes {
        self.conjunction(other).unwrap_or_else(|| Cubes::constant(false))
    }

    fn conjunction(&self, other: &Cubes) -> Option<Cubes> {
        // One often follows from the other, and their product is large.
        if self.implies(other) {
            return Some(self.clone());
        }
        if other.implies(self) {
            return Some(other.clone());
        }
        if self.0.len() * other.0.len() > MAX_PRODUCT {
            return None;
        }
        let products = self.0.iter().flat_map(|a| other.0.iter().filter_map(|b| both(a, b)));
        Cubes::all_primes(products.collect())
    }

    /// Whether each cube of one lies in a cube of the other.
    fn implies(&self, other: &Cubes) -> bool {
        self.0.iter().all(|a| other.0.iter().any(|b| includes(b, a)))
    }

    /// Disjunction.
    pub fn or(&self, other: &Cubes) -> Cubes {
        Cubes::primes(self.0.union(&other.0).cloned().collect())
    }

    /// Negation.
    pub fn not(&self) -> Cubes {
        self.negation().unwrap_or_else(|| Cubes::constant(false))
    }

    /// Negation; `None` if it has too many cubes.
    pub fn negation(&self) -> Option<Cubes> {
        let mut cubes = self.0.iter();
        let Some(first) = cubes.next() else { return Some(Cubes::constant(true)) };
        let not = |cube: &Cube| Cubes(cube.iter().map(|(s, v)| Cube::from([(*s, !v)])).collect());
        cubes.try_fold(not(first), |all, cube| all.conjunction(&not(cube)))
    }

    /// With a value for a variable.
    pub fn with(&self, symbol: SymbolId, value: bool) -> Cubes {
        let fitting = self.0.iter().filter(|c| c.get(&symbol).is_none_or(|v| *v == value));
        let without = |c: &Cube| {
            let mut c = c.clone();
            c.remove(&symbol);
            c
        };
        Cubes::primes(fitting.map(without).collect())
    }

    fn primes(cubes: BTreeSet<Cube>) -> Cubes {
        Cubes::all_primes(cubes).unwrap_or_else(|| Cubes::constant(false))
    }

    /// The prime implicants of a disjunction of cubes; `None` if there are too many.
    fn all_primes(mut cubes: BTreeSet<Cube>) -> Option<Cubes> {
        loop {
            absorb(&mut cubes);
            if cubes.len() > MAX_CUBES {
                return None;
            }
            let list: Vec<&Cube> = cubes.iter().collect();
            let mut new = Vec::new();
            for (i, a) in list.iter().enumerate() {
                for b in &list[i + 1..] {
                    if let Some(c) = consensus(a, b)
                        && !list.iter().any(|k| includes(k, &c))
                    {
                        new.push(c);
                    }
                }
            }
            if new.is_empty() {
                return Some(Cubes(cubes));
            }
            cubes.extend(new);
        }
    }

    /// The formula as a term.
    pub fn to_term(&self, terms: &mut Terms) -> TermId {
        let mut ways = Vec::new();
        for cube in &self.0 {
            let mut parts = Vec::new();
            for (symbol, value) in cube {
                let variable = terms.var(*symbol);
                parts.push(if *value { variable } else { terms.app(Op::Not, [variable]) });
            }
            ways.push(terms.app(Op::And, parts));
        }
        terms.app(Op::Or, ways)
    }
}

/// The cube of both; `None` if they contradict each other.
fn both(a: &Cube, b: &Cube) -> Option<Cube> {
    let mut result = a.clone();
    for (s, v) in b {
        if *result.entry(*s).or_insert(*v) != *v {
            return None;
        }
    }
    Some(result)
}

/// Whether whatever satisfies `b` satisfies `a`.
fn includes(a: &Cube, b: &Cube) -> bool {
    a.iter().all(|(s, v)| b.get(s) == Some(v))
}

fn absorb(cubes: &mut BTreeSet<Cube>) {
    let all: Vec<Cube> = cubes.iter().cloned().collect();
    cubes.retain(|c| !all.iter().any(|k| k.len() < c.len() && includes(k, c)));
}

/// The consensus of two cubes that differ in the sign of exactly one variable.
fn consensus(a: &Cube, b: &Cube) -> Option<Cube> {
    let mut opposed = a.iter().filter(|(s, v)| b.get(s).is_some_and(|w| w != *v)).map(|(s, _)| *s);
    let symbol = opposed.next()?;
    if opposed.next().is_some() {
        return None;
    }
    let (mut a, mut b) = (a.clone(), b.clone());
    a.remove(&symbol);
    b.remove(&symbol);
    both(&a, &b)
}

#[cfg(test)]
mod tests {
    use footpath_term::SortId;

    use super::*;

    fn holds(cubes: &Cubes, symbols: &[SymbolId], bits: u32) -> bool {
        let value = |s: &SymbolId| bits >> symbols.iter().position(|t| t == s).expect("a symbol") & 1 == 1;
        cubes.iter().any(|c| c.iter().all(|(s, v)| value(s) == *v))
    }

    #[test]
    fn operations_are_those_of_truth_tables_and_equal_tables_are_equal_sets() {
        let mut terms = Terms::new();
        let symbols: Vec<SymbolId> =
            ["a", "b", "c", "d"].map(|n| terms.fresh_symbol(n, SortId::BOOL)).to_vec();
        let mut rng = fastrand::Rng::with_seed(7);
        let mut formulas: Vec<Cubes> = symbols.iter().map(|s| Cubes::variable(*s)).collect();
        formulas.extend([Cubes::constant(true), Cubes::constant(false)]);
        let mut by_table: BTreeMap<Vec<bool>, Cubes> = BTreeMap::new();
        for _ in 0..3_000 {
            let (a, b) = (&formulas[rng.usize(..formulas.len())], &formulas[rng.usize(..formulas.len())]);
            let s = symbols[rng.usize(..4)];
            let (and, or, not, with) = (a.and(b), a.or(b), a.not(), a.with(s, true));
            let position = symbols.iter().position(|t| *t == s).expect("a symbol");
            for bits in 0..16 {
                let (x, y) = (holds(a, &symbols, bits), holds(b, &symbols, bits));
                assert_eq!(holds(&and, &symbols, bits), x && y);
                assert_eq!(holds(&or, &symbols, bits), x || y);
                assert_eq!(holds(&not, &symbols, bits), !x);
                assert_eq!(holds(&with, &symbols, bits), holds(a, &symbols, bits | 1 << position));
            }
            for f in [and, or, not, with] {
                let table = (0..16).map(|bits| holds(&f, &symbols, bits)).collect();
                assert_eq!(by_table.entry(table).or_insert_with(|| f.clone()), &f);
                if formulas.len() < 60 {
                    formulas.push(f);
                }
            }
        }
    }

    #[test]
    fn what_is_too_large_becomes_false_and_its_negation_says_so() {
        let mut terms = Terms::new();
        let pair =
            |terms: &mut Terms| ["p", "q"].map(|n| Cubes::variable(terms.fresh_symbol(n, SortId::BOOL)));
        // One cube, however long: each of its parts alone makes it false.
        let long = (0..300).fold(Cubes::constant(true), |all, _| all.and(&pair(&mut terms)[0]));
        assert_eq!((long.iter().count(), long.negation().map(|n| n.iter().count())), (1, Some(300)));
        // (p ∨ q) ∧ (r ∨ s) ∧ … has 2ⁿ cubes, its negation n; the other way round, too.
        let pairs: Vec<[Cubes; 2]> = (0..12).map(|_| pair(&mut terms)).collect();
        let product = pairs.iter().fold(Cubes::constant(true), |all, [p, q]| all.and(&p.or(q)));
        assert!(product.is_false());
        let sum = pairs.iter().fold(Cubes::constant(false), |all, [p, q]| all.or(&p.and(q)));
        assert_eq!(sum.iter().count(), 12);
        assert_eq!(sum.negation(), None);
        assert!(sum.not().is_false());
    }
}
