//! Disjunctive normal form: disjunctions of conjunctions of literals.
//!
//! A boolean term is expanded up to limits; a part that is too large stays as one literal. For example
//! `a && (b || c)` becomes the conjunctions `a && b` and `a && c`.
//!
//! **Direction of error.** None: the expansion is equivalent to the term.

use footpath_term::{Op, SortId, TermId, Terms};

/// A conjunction of literals, in the order in which they are printed.
pub type Cube = Vec<TermId>;

/// A disjunction of conjunctions; the empty disjunction is `false`, an empty conjunction is `true`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Dnf {
    /// The conjunctions.
    pub cubes: Vec<Cube>,
}

/// The limit on conjunctions that one term is expanded into; beyond it a part of it is kept as a literal.
const LIMIT: usize = 64;
/// The limit on conjunctions beyond which terms are no longer expanded.
const TOTAL: usize = 512;
/// The limit on literals of a condition that is rewritten for readers.
const LONG: usize = 3000;
/// The limit on the depth of connectives that are expanded.
const DEPTH: usize = 64;

impl Dnf {
    /// The condition `false`.
    pub fn never() -> Dnf {
        Dnf::default()
    }

    /// The condition `true`.
    pub fn always() -> Dnf {
        Dnf { cubes: vec![Vec::new()] }
    }

    /// Whether it is `false` by its form.
    pub fn is_never(&self) -> bool {
        self.cubes.is_empty()
    }

    /// Whether it is `true` by its form.
    pub fn is_always(&self) -> bool {
        self.cubes.iter().any(Vec::is_empty)
    }

    /// How many literals it has.
    pub fn literals(&self) -> usize {
        self.cubes.iter().map(Vec::len).sum()
    }

    /// Whether it is too long to be read, and for rewriting to pay off.
    pub(crate) fn is_long(&self) -> bool {
        self.literals() > LONG
    }

    /// Reads a boolean term.
    pub fn of(terms: &mut Terms, condition: TermId) -> Dnf {
        Dnf { cubes: cubes(terms, condition, true, DEPTH) }
    }

    /// Adds the conjunction of `conditions`, any boolean terms, expanded into literals.
    pub fn add(&mut self, terms: &mut Terms, conditions: &[TermId]) {
        let mut all = vec![Cube::new()];
        for &condition in conditions {
            let mut part = cubes(terms, condition, true, DEPTH);
            let found = all.len() * part.len();
            if found > LIMIT || part.len() > 1 && self.cubes.len() + found > TOTAL {
                part = vec![vec![condition]];
            }
            all = product(&all, &part);
        }
        self.cubes.extend(all);
    }

    /// As a term.
    pub fn term(&self, terms: &mut Terms) -> TermId {
        let cubes: Vec<TermId> = self.cubes.iter().map(|c| terms.app(Op::And, c.iter().copied())).collect();
        terms.app(Op::Or, cubes)
    }

    /// The condition with every literal replaced by `change`, which may return any boolean term.
    #[must_use]
    pub fn map(&self, terms: &mut Terms, mut change: impl FnMut(&mut Terms, TermId) -> TermId) -> Dnf {
        let mut result = Dnf::never();
        for cube in &self.cubes {
            let literals: Vec<TermId> = cube.iter().map(|&l| change(terms, l)).collect();
            result.add(terms, &literals);
        }
        result
    }
}

/// The conjunctions of each of `a` with each of `b`, without duplicate literals.
fn product(a: &[Cube], b: &[Cube]) -> Vec<Cube> {
    let mut all = Vec::with_capacity(a.len() * b.len());
    for x in a {
        for y in b {
            let mut cube = x.clone();
            for &l in y {
                if !cube.contains(&l) {
                    cube.push(l);
                }
            }
            all.push(cube);
        }
    }
    all
}

fn literal(terms: &mut Terms, t: TermId, positive: bool) -> Vec<Cube> {
    let t = if positive { t } else { terms.app(Op::Not, [t]) };
    match terms.as_bool(t) {
        Some(true) => vec![Vec::new()],
        Some(false) => Vec::new(),
        None => vec![vec![t]],
    }
}

fn cubes(terms: &mut Terms, t: TermId, positive: bool, depth: usize) -> Vec<Cube> {
    if depth == 0 {
        return literal(terms, t, positive);
    }
    let term = terms.term(t).clone();
    let args = &term.args;
    let booleans = |terms: &Terms| args.len() == 2 && terms.sort(args[0]) == SortId::BOOL;
    match &term.op {
        Op::Not => cubes(terms, args[0], !positive, depth - 1),
        Op::And | Op::Or => {
            let parts: Vec<(TermId, bool)> = args.iter().map(|&a| (a, positive)).collect();
            combine(terms, t, positive, &parts, (term.op == Op::And) == positive, depth)
        }
        Op::Implies if args.len() == 2 => {
            let parts = [(args[0], !positive), (args[1], positive)];
            combine(terms, t, positive, &parts, !positive, depth)
        }
        Op::Ite if term.sort == SortId::BOOL => {
            let (c, a, b) = (args[0], args[1], args[2]);
            alternatives(terms, t, positive, [[(c, true), (a, positive)], [(c, false), (b, positive)]], depth)
        }
        Op::Eq if booleans(terms) => {
            let (a, b) = (args[0], args[1]);
            alternatives(
                terms,
                t,
                positive,
                [[(a, true), (b, positive)], [(a, false), (b, !positive)]],
                depth,
            )
        }
        _ => literal(terms, t, positive),
    }
}

/// The conjunction or disjunction of parts; `t` as a literal if that is too large.
fn combine(
    terms: &mut Terms,
    t: TermId,
    positive: bool,
    parts: &[(TermId, bool)],
    all: bool,
    depth: usize,
) -> Vec<Cube> {
    let mut result = if all { vec![Cube::new()] } else { Vec::new() };
    for &(part, sign) in parts {
        let found = cubes(terms, part, sign, depth - 1);
        if all {
            if result.len() * found.len() > LIMIT {
                return literal(terms, t, positive);
            }
            result = product(&result, &found);
        } else {
            result.extend(found);
            if result.len() > LIMIT {
                return literal(terms, t, positive);
            }
        }
    }
    result
}

/// The union of two disjunctions.
fn alternatives(
    terms: &mut Terms,
    t: TermId,
    positive: bool,
    ways: [[(TermId, bool); 2]; 2],
    depth: usize,
) -> Vec<Cube> {
    let mut result = Vec::new();
    for way in ways {
        result.extend(combine(terms, t, positive, &way, true, depth));
    }
    if result.len() > LIMIT { literal(terms, t, positive) } else { result }
}
