//! Quantifier elimination: `∃ v. condition` without `v`, for variables that the reader does not know.
//!
//! The conjunctions are handled one by one. The first of these methods that is applicable is used:
//!
//! 1. `v` does not occur, or is a boolean literal by itself.
//! 2. An equation determines `v`: its value is substituted.
//! 3. `v` is an integer that occurs only in bounds with coefficient 1: every lower bound is at most every upper one
//!    (Fourier and Motzkin; exact over integers for such coefficients). A disequation splits the conjunction.
//! 4. The solver proves that for all values of the other variables some value of `v` satisfies its literals: these
//!    literals are dropped.
//! 5. Values from models are substituted, until the results cover the conjunction.
//!
//! **Example.** `∃ v. x <= v && v <= y && x > 0` becomes `x <= y && x > 0` by method 3.
//!
//! **Direction of error.** The result implies `∃ v. condition`. Where too many values would be needed, cases are
//! missing, and [`Eliminated::exact`] is false.

use footpath_term::{Binder, BinderKind, Op, SortId, Substitution, SymbolId, TermId, Terms};
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

/// Fourier-Motzkin elimination of an integer with coefficients of 1.
fn between(terms: &mut Terms, about: &[TermId], rest: &[TermId], v: SymbolId) -> Option<Vec<Cube>> {
    let variable = terms.var(v);
    if terms.sort(variable) != SortId::INT {
        return None;
    }
    let (mut lower, mut upper, mut differs) = (Vec::new(), Vec::new(), Vec::new());
    for &literal in about {
        let (op, a, b, negated) = comparison(terms, literal)?;
        let difference = terms.app(Op::Sub, [a, b]);
        let (sum, _) = terms.linear_form(difference);
        let c = sum.iter().find(|(t, _)| *t == variable)?.1.clone();
        if !c.abs().is_one() || sum.iter().any(|(t, _)| *t != variable && mentions(terms, *t, v)) {
            return None;
        }
        // difference = c·v + other; v is compared with -c·other.
        let scaled = if c.is_positive() { variable } else { terms.app(Op::Neg, [variable]) };
        let other = terms.app(Op::Sub, [difference, scaled]);
        let limit = if c.is_positive() { terms.app(Op::Neg, [other]) } else { other };
        let (one, minus_one) = (terms.int(1), terms.int(-1));
        match (&op, negated) {
            // c·v + other ≤ 0, or < 0.
            (Op::Le | Op::Lt, false) if c.is_positive() => {
                let step = if op == Op::Lt { minus_one } else { terms.int(0) };
                upper.push(terms.app(Op::Add, [limit, step]));
            }
            (Op::Le | Op::Lt, false) => {
                let step = if op == Op::Lt { one } else { terms.int(0) };
                lower.push(terms.app(Op::Add, [limit, step]));
            }
            (Op::Le | Op::Lt, true) if c.is_positive() => {
                let step = if op == Op::Le { one } else { terms.int(0) };
                lower.push(terms.app(Op::Add, [limit, step]));
            }
            (Op::Le | Op::Lt, true) => {
                let step = if op == Op::Le { minus_one } else { terms.int(0) };
                upper.push(terms.app(Op::Add, [limit, step]));
            }
            (Op::Eq, true) => differs.push(limit),
            _ => return None,
        }
    }
    if lower.is_empty() || upper.is_empty() {
        // There is room without end for what it must differ from.
        return Some(vec![rest.to_vec()]);
    }
    if 1usize << differs.len().min(16) > MOST_CUBES {
        return None;
    }
    let mut cubes = Vec::new();
    for sides in 0..1usize << differs.len() {
        let (mut lower, mut upper) = (lower.clone(), upper.clone());
        for (i, &d) in differs.iter().enumerate() {
            if sides >> i & 1 == 0 {
                let next = terms.int(1);
                lower.push(terms.app(Op::Add, [d, next]));
            } else {
                let next = terms.int(-1);
                upper.push(terms.app(Op::Add, [d, next]));
            }
        }
        let mut literals = rest.to_vec();
        for &l in &lower {
            literals.extend(upper.iter().map(|&u| terms.app(Op::Le, [l, u])));
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
