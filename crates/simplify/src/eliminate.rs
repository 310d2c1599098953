//! Quantifier elimination: `∃ v. condition` without `v`, for variables that the reader does not know.
//!
//! The conjunctions are handled one by one. The first of these methods that is applicable is used:
//!
//! 1. `v` does not occur, or is a boolean literal by itself.
//! 2. An equation determines `v`: its value is substituted.
//! 3. An equation determines a multiple of `v`: `2·v == n + 1` becomes `n % 2 == 1`, and in the rest of the conjunction
//!    `v` is the quotient; comparisons of sums are multiplied by the factor instead.
//! 4. `v` is an integer that occurs only in bounds, and of each lower and upper bound one has the coefficient 1: every
//!    lower bound is at most every upper one (Fourier and Motzkin; exact over integers for such coefficients). A
//!    disequation splits the conjunction.
//! 5. The solver proves that for all values of the other variables some value of `v` satisfies its literals: these
//!    literals are dropped.
//! 6. Values from models are substituted, until the results cover the conjunction.
//!
//! **Example.** `∃ v. x <= v && v <= y && x > 0` becomes `x <= y && x > 0` by method 4.
//!
//! **Direction of error.** The result implies `∃ v. condition`. Where too many values would be needed, cases are
//! missing, and [`Eliminated::exact`] is false.

use footpath_term::{Binder, BinderKind, Op, SortId, Substitution, SymbolId, TermId, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};

use crate::{Cube, Dnf, Simplifier};

/// The result of eliminating variables.
#[derive(Clone, Debug)]
pub struct Eliminated {
    /// The condition.
    pub condition: Dnf,
    /// Whether it is equivalent to `∃ v. condition`, and not only sufficient for it.
    pub exact: bool,
}

/// The limit on values of a variable that are substituted one after the other.
const MOST_VALUES: usize = 8;
/// The limit on conjunctions that a single one may become.
const MOST_CUBES: usize = 64;

impl Simplifier {
    /// Eliminates variables.
    pub fn eliminate(&mut self, terms: &mut Terms, given: &Dnf, variables: &[SymbolId]) -> Eliminated {
        self.begin();
        let mut result = Eliminated { condition: given.clone(), exact: true };
        for &v in variables {
            let mut next = Dnf::never();
            for cube in &result.condition.cubes {
                let (cubes, exact) = self.without(terms, cube, v);
                result.exact &= exact;
                next.cubes.extend(cubes);
            }
            result.condition = next;
        }
        result
    }

    fn without(&mut self, terms: &mut Terms, cube: &Cube, v: SymbolId) -> (Vec<Cube>, bool) {
        let about: Vec<TermId> = cube.iter().copied().filter(|&l| mentions(terms, l, v)).collect();
        let rest: Cube = cube.iter().copied().filter(|l| !about.contains(l)).collect();
        if about.is_empty() {
            return (vec![rest], true);
        }
        let variable = terms.var(v);
        if terms.sort(variable) == SortId::BOOL
            && let [only] = about[..]
            && (only == variable || terms.term(only).args.as_slice() == [variable])
        {
            return (vec![rest], true);
        }
        if let Some(value) = about.iter().find_map(|&l| defined(terms, l, v)) {
            return (substituted(terms, cube, v, value), true);
        }
        if terms.sort(variable) == SortId::BOOL {
            let mut cubes = Vec::new();
            for value in [true, false] {
                let value = terms.bool(value);
                cubes.extend(substituted(terms, cube, v, value));
            }
            return (cubes, true);
        }
        if let Some(cubes) = divided(terms, cube, v) {
            return (cubes, true);
        }
        if let Some(cubes) = between(terms, &about, &rest, v) {
            return (cubes, true);
        }
        if self.some_value_fits(terms, &about, &rest, v) {
            return (vec![rest], true);
        }
        self.by_values(terms, cube, v)
    }

    /// Substitutes values from models for a variable, until they cover the conjunction or are too many.
    fn by_values(&mut self, terms: &mut Terms, cube: &Cube, v: SymbolId) -> (Vec<Cube>, bool) {
        let variable = terms.var(v);
        let mut found = Dnf::never();
        let mut open = cube.clone();
        for _ in 0..MOST_VALUES {
            match self.contradict(terms, &open) {
                Some(true) => return (found.cubes, true),
                Some(false) => {}
                None => break,
            }
            let values = self.model(terms, &open, &[variable]);
            let Some(value) = values.and_then(|mut values| values.pop().flatten()) else { break };
            let value = terms.value(&value);
            found.cubes.extend(substituted(terms, cube, v, value));
            let known = found.term(terms);
            open.truncate(cube.len());
            open.push(terms.app(Op::Not, [known]));
        }
        (found.cubes, false)
    }

    /// Whether `rest` implies that some value of `v` makes all of `about` true.
    fn some_value_fits(&mut self, terms: &mut Terms, about: &[TermId], rest: &[TermId], v: SymbolId) -> bool {
        let symbol = terms.symbol(v).clone();
        let bound = terms.fresh_symbol(symbol.name, symbol.sort);
        let replacement = terms.var(bound);
        let fits = terms.app(Op::And, about.iter().copied());
        let fits = terms.substitute(fits, &Substitution::from_iter([(v, replacement)]));
        let never = terms.app(Op::Not, [fits]);
        let binder = Binder {
            kind: BinderKind::Forall,
            type_vars: Vec::new(),
            vars: vec![bound],
            triggers: Vec::new(),
            nopats: 0,
            weight: None,
        };
        let never = terms.bind(binder, never, &[], &[]);
        let together = [rest, &[never]].concat();
        self.contradict(terms, &together) == Some(true)
    }
}

fn mentions(terms: &Terms, t: TermId, v: SymbolId) -> bool {
    terms.free_symbols(&[t]).contains(&v)
}

/// The conjunctions that result from substituting a value for a variable.
fn substituted(terms: &mut Terms, cube: &Cube, v: SymbolId, value: TermId) -> Vec<Cube> {
    let map = Substitution::from_iter([(v, value)]);
    let literals: Vec<TermId> = cube.iter().map(|&l| terms.substitute(l, &map)).collect();
    let mut dnf = Dnf::never();
    dnf.add(terms, &literals);
    dnf.cubes
}

/// The term that a literal says `v` is equal to.
fn defined(terms: &mut Terms, literal: TermId, v: SymbolId) -> Option<TermId> {
    let term = terms.term(literal).clone();
    if term.op != Op::Eq || term.args.len() != 2 {
        return None;
    }
    let variable = terms.var(v);
    let (a, b) = (term.args[0], term.args[1]);
    if terms.sort(a) != terms.sort(b) {
        return None;
    }
    for (side, other) in [(a, b), (b, a)] {
        if side == variable && !mentions(terms, other, v) {
            return Some(other);
        }
    }
    if terms.sort(a) != SortId::INT {
        return None;
    }
    // ±v + rest = 0.
    let difference = terms.app(Op::Sub, [a, b]);
    let (sum, _) = terms.linear_form(difference);
    let (_, c) = sum.iter().find(|(t, _)| *t == variable)?;
    if !c.abs().is_one() {
        return None;
    }
    let positive = c.is_positive();
    let rest = if positive {
        terms.app(Op::Sub, [variable, difference])
    } else {
        terms.app(Op::Add, [variable, difference])
    };
    (!mentions(terms, rest, v)).then_some(rest)
}

/// The conjunctions that result where a literal determines a multiple of an integer.
fn divided(terms: &mut Terms, cube: &Cube, v: SymbolId) -> Option<Vec<Cube>> {
    let (at, factor, multiple) =
        cube.iter().enumerate().find_map(|(i, &l)| multiple(terms, l, v).map(|(f, m)| (i, f, m)))?;
    let (variable, divisor) = (terms.var(v), terms.int(factor.clone()));
    let (sum, constant) = terms.linear_form(multiple);
    let positive = sum.first().is_none_or(|(_, c)| c.is_positive());
    let constant_term = terms.int(constant.clone());
    let mut dividend = terms.app(Op::Sub, [multiple, constant_term]);
    if !positive {
        dividend = terms.app(Op::Neg, [dividend]);
    }
    let remainder = (if positive { -constant } else { constant }).mod_floor(&factor);
    let (rest, remainder) = (terms.app(Op::Mod, [dividend, divisor]), terms.int(remainder));
    let mut literals = vec![terms.app(Op::Eq, [rest, remainder])];
    let quotient = terms.app(Op::IntDiv, [multiple, divisor]);
    let map = Substitution::from_iter([(v, quotient)]);
    for (i, &literal) in cube.iter().enumerate() {
        if i != at {
            let scaled = scaled(terms, literal, variable, (divisor, multiple));
            literals.push(scaled.unwrap_or_else(|| terms.substitute(literal, &map)));
        }
    }
    let mut dnf = Dnf::never();
    dnf.add(terms, &literals);
    Some(dnf.cubes)
}

/// The factor, greater than 1, and the term of which a literal says that it is that many times `v`.
fn multiple(terms: &mut Terms, literal: TermId, v: SymbolId) -> Option<(BigInt, TermId)> {
    let (op, a, b, negated) = comparison(terms, literal)?;
    if op != Op::Eq || negated {
        return None;
    }
    let (variable, difference) = (terms.var(v), terms.app(Op::Sub, [a, b]));
    let (sum, _) = terms.linear_form(difference);
    let c = sum.iter().find(|(t, _)| *t == variable)?.1.clone();
    if c.abs().is_one() {
        return None;
    }
    // c·v + rest = 0.
    let factor = terms.int(c.clone());
    let times = terms.app(Op::Mul, [factor, variable]);
    let rest = terms.app(Op::Sub, [difference, times]);
    let multiple = if c.is_positive() { terms.app(Op::Neg, [rest]) } else { rest };
    (!mentions(terms, multiple, v)).then(|| (c.abs(), multiple))
}

/// A comparison of sums, multiplied by a factor, with a term for that many times `v`.
fn scaled(
    terms: &mut Terms,
    literal: TermId,
    variable: TermId,
    (factor, multiple): (TermId, TermId),
) -> Option<TermId> {
    let (op, a, b, negated) = comparison(terms, literal)?;
    let difference = terms.app(Op::Sub, [a, b]);
    let (sum, _) = terms.linear_form(difference);
    let Some((_, c)) = sum.iter().find(|(t, _)| *t == variable) else { return Some(literal) };
    let c = terms.int(c.clone());
    let own = terms.app(Op::Mul, [c, variable]);
    let others = terms.app(Op::Sub, [difference, own]);
    let Op::Var(v) = terms.term(variable).op else { return None };
    if mentions(terms, others, v) {
        return None;
    }
    let parts = [terms.app(Op::Mul, [c, multiple]), terms.app(Op::Mul, [factor, others])];
    let (sum, zero) = (terms.app(Op::Add, parts), terms.int(0));
    let compared = terms.app(op, [sum, zero]);
    Some(if negated { terms.app(Op::Not, [compared]) } else { compared })
}

/// Fourier-Motzkin elimination of an integer, where of each lower and upper bound one has the coefficient 1.
fn between(terms: &mut Terms, about: &[TermId], rest: &[TermId], v: SymbolId) -> Option<Vec<Cube>> {
    let variable = terms.var(v);
    if terms.sort(variable) != SortId::INT {
        return None;
    }
    // Of each bound the coefficient of v, which is positive, and what is compared with so many times v.
    let (mut lower, mut upper, mut differs) = (Vec::new(), Vec::new(), Vec::new());
    for &literal in about {
        let (op, a, b, negated) = comparison(terms, literal)?;
        let difference = terms.app(Op::Sub, [a, b]);
        let (sum, _) = terms.linear_form(difference);
        let c = sum.iter().find(|(t, _)| *t == variable)?.1.clone();
        if sum.iter().any(|(t, _)| *t != variable && mentions(terms, *t, v)) {
            return None;
        }
        // difference = c·v + other; |c|·v is compared with ∓other.
        let factor = terms.int(c.clone());
        let scaled = terms.app(Op::Mul, [factor, variable]);
        let other = terms.app(Op::Sub, [difference, scaled]);
        let limit = if c.is_positive() { terms.app(Op::Neg, [other]) } else { other };
        let size = c.abs();
        // c·v + other ≤ 0, or < 0; that it is not is the opposite bound.
        match (&op, c.is_positive() != negated) {
            (Op::Le | Op::Lt, is_upper) => {
                let strict = (op == Op::Lt) != negated;
                let step = i64::from(strict);
                let step = terms.int(if is_upper { -step } else { step });
                let limit = terms.app(Op::Add, [limit, step]);
                if is_upper { upper.push((size, limit)) } else { lower.push((size, limit)) }
            }
            (Op::Eq, _) if negated => differs.push((size, limit)),
            _ => return None,
        }
    }
    if lower.is_empty() || upper.is_empty() {
        // There is room without end for what it must differ from.
        return Some(vec![rest.to_vec()]);
    }
    let are_plain = |bounds: &[(BigInt, TermId)]| bounds.iter().all(|(c, _)| c.is_one());
    let exact = are_plain(&differs) && (are_plain(&lower) || are_plain(&upper));
    if !exact || 1usize << differs.len().min(16) > MOST_CUBES {
        return None;
    }
    let mut cubes = Vec::new();
    for sides in 0..1usize << differs.len() {
        let (mut lower, mut upper) = (lower.clone(), upper.clone());
        for (i, (one, d)) in differs.iter().enumerate() {
            if sides >> i & 1 == 0 {
                let next = terms.int(1);
                lower.push((one.clone(), terms.app(Op::Add, [*d, next])));
            } else {
                let next = terms.int(-1);
                upper.push((one.clone(), terms.app(Op::Add, [*d, next])));
            }
        }
        let mut literals = rest.to_vec();
        for (a, l) in &lower {
            for (b, u) in &upper {
                // a·v ≥ l and b·v ≤ u.
                let (a, b) = (terms.int(a.clone()), terms.int(b.clone()));
                let sides = [terms.app(Op::Mul, [b, *l]), terms.app(Op::Mul, [a, *u])];
                literals.push(terms.app(Op::Le, sides));
            }
        }
        let mut dnf = Dnf::never();
        dnf.add(terms, &literals);
        cubes.extend(dnf.cubes);
    }
    Some(cubes)
}

/// A comparison of integers, and whether it is negated.
fn comparison(terms: &Terms, literal: TermId) -> Option<(Op, TermId, TermId, bool)> {
    let term = terms.term(literal);
    match &term.op {
        Op::Not => comparison(terms, term.args[0]).filter(|c| !c.3).map(|(op, a, b, _)| (op, a, b, true)),
        op @ (Op::Le | Op::Lt | Op::Eq)
            if term.args.len() == 2 && terms.sort(term.args[0]) == SortId::INT =>
        {
            Some((op.clone(), term.args[0], term.args[1], false))
        }
        _ => None,
    }
}
