//! Polynomial identities modulo 2ⁿ that hold at loop heads (polynomial equality analysis over machine integers).
//!
//! **Idea.** For each head a span of polynomials is kept that are all zero there; at first it contains all
//! polynomials over certain monomials. A path segment to the head removes those that are not zero at its end: p stays
//! if p, with the final values of the variables substituted, is a combination of multiples of polynomials that are
//! zero at the beginning of the segment and of the equations on it. What is left when nothing is removed any more is
//! zero whenever the head is reached. The arithmetic is that of the machine, so sums may wrap; and parity is an
//! identity, too: 2ⁿ⁻¹·x = 0 says that x is even.
//!
//! Example: `for (i = 0; i < n; i++) s += i;` with `s = 0` at first has the identity `2·s − i² + i = 0` at its head.
//!
//! **Papers.** H. Seidl, A. Flexeder, M. Petter, "Analysing all polynomial equations in Z_{2^w}" (SAS 2008); for
//! linear identities M. Müller-Olm, H. Seidl, "Analysis of modular arithmetic" (TOPLAS 2007).
//!
//! **Deviations.**
//! 1. Path segments between heads take the place of edges, so that equations among the conditions of a segment count.
//! 2. Variables have weights that make updates homogeneous as far as possible, and the monomials are those up to a
//!    weight: with y := y + 1, x := x + y⁴, few are needed besides y⁵ and x.
//! 3. Of an ideal only multiples up to the weight in question are considered, so something may be missed.
//! 4. A quotient by a number is an atom with the equation that defines it.
//!
//! **Direction of error.** In one direction: identities may be missing. No solver takes part.

use std::collections::{BTreeMap, BTreeSet};

use footpath_term::{Op, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::inductive::linear_algebra::{Module, Row};
use crate::inductive::polynomial::{Monomial, Polynomial, Ring, multiply};
use crate::inductive::segments::{Call, Segment, Segments};

/// How many monomials identities are over.
const MAX_MONOMIALS: usize = 220;
/// How many atoms there are at heads.
const MAX_ATOMS: usize = 40;
/// The weight of an atom, at most.
const MAX_WEIGHT: u32 = 6;
/// Multiples of identities that are looked at, and columns of all of them.
const MAX_ROWS: usize = 2_500;
const MAX_COLUMNS: usize = 1_200;

/// The terms that identities are over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// What equations on segments to targets compare, and what that depends on.
    Equations,
    /// What equations on any segment compare.
    AllEquations,
    /// All variables in conditions of segments to targets, and what these depend on.
    Conditions,
}

/// Identities at each head.
pub(crate) struct Identities<'w> {
    ring: Ring,
    segments: &'w [Segment],
    ends: &'w [Option<Vec<SymbolId>>],
    /// The atoms at heads, with their weights.
    weights: BTreeMap<u32, u32>,
    /// The monomials over these, heavy ones first.
    monomials: Vec<Monomial>,
    /// For each head a basis of the polynomials that are zero there; `None` until a segment arrives.
    zero: Vec<Option<Vec<Polynomial>>>,
}

/// The polynomials that are zero on a segment, as far as they are relevant.
struct Ideal {
    columns: BTreeMap<Monomial, usize>,
    module: Module,
}

impl<'w> Identities<'w> {
    /// Identities of numbers of a width up to a weight. `None` if there is nothing to compare, or too much.
    pub(crate) fn find(
        terms: &mut Terms,
        segments: &'w Segments,
        (width, weight, scope): (u32, u32, Scope),
        go_on: &dyn Fn() -> bool,
    ) -> Option<Identities<'w>> {
        let mut found = Identities {
            ring: Ring::new(width),
            segments: &segments.segments,
            ends: &segments.ends,
            weights: BTreeMap::new(),
            monomials: Vec::new(),
            zero: vec![None; segments.heads],
        };
        let first = found.first_atoms(terms, scope);
        found.choose_atoms(terms, first)?;
        found.monomials = found.monomials_up_to(weight)?;
        let mut changed = true;
        while changed {
            changed = false;
            for segment in &segments.segments {
                if !go_on() {
                    return None;
                }
                if let Some(to) = segment.to {
                    changed |= found.pass(terms, segment, to)?;
                }
            }
        }
        Some(found)
    }

    /// Whether identities show that a segment to a target is infeasible.
    pub(crate) fn refutes(&mut self, terms: &mut Terms, segment: &Segment) -> bool {
        let Some(zero) = self.zero_on(terms, segment) else { return true };
        let mut differ = Vec::new();
        for &condition in &segment.conditions {
            let inner = terms.term(condition).clone();
            if inner.op == Op::Not
                && let Some(difference) = self.difference(terms, inner.args[0])
            {
                differ.push(difference);
            }
        }
        let Some(ideal) = self.ideal(terms, segment, &zero, &differ) else { return false };
        ideal.is_everything()
            || differ.iter().any(|d| ideal.row(d).is_some_and(|row| ideal.module.contains(row)))
    }

    /// The identities of a head, as conditions.
    pub(crate) fn conditions(&self, terms: &mut Terms, head: usize) -> Vec<TermId> {
        let zero = self.zero[head].clone().unwrap_or_default();
        let nought = terms.bit_vec(self.ring.width, 0);
        let mut conditions = Vec::new();
        for polynomial in zero {
            let value = self.ring.term(terms, &polynomial);
            conditions.push(terms.app(Op::Eq, [value, nought]));
        }
        conditions
    }

    /// An identity of a head that says what a variable is in terms of others, if there is one; of several the shortest.
    pub(crate) fn value_of(&mut self, terms: &mut Terms, head: usize, symbol: SymbolId) -> Option<TermId> {
        let variable = terms.var(symbol);
        if !self.is_of_width(terms, variable) {
            return None;
        }
        let atom = self.ring.number(variable);
        let solves = |p: &Polynomial| {
            p.0.get(&vec![atom]).is_some_and(|c| c % 2 == 1)
                && p.0.keys().all(|m| !m.contains(&atom) || m.len() == 1)
        };
        let all = self.zero[head].clone()?;
        let reduced = all.iter().filter(|p| p.0.contains_key(&vec![atom])).map(|p| self.reduced(p, &all));
        let found = reduced.filter(solves).min_by_key(|p| p.0.len())?;
        let (value, nought) = (self.ring.term(terms, &found), terms.bit_vec(self.ring.width, 0));
        Some(terms.app(Op::Eq, [value, nought]))
    }

    /// A polynomial without the monomials with which others begin, except its own first one. All are in echelon form.
    fn reduced(&self, polynomial: &Polynomial, all: &[Polynomial]) -> Polynomial {
        let first = |p: &Polynomial| self.monomials.iter().find(|m| p.0.contains_key(*m)).cloned();
        let own = first(polynomial);
        let others: FxHashMap<Monomial, &Polynomial> = all
            .iter()
            .filter_map(|p| Some((first(p)?, p)))
            .filter(|(m, p)| Some(m) != own.as_ref() && p.0[m] == 1)
            .collect();
        let mut reduced = polynomial.clone();
        for monomial in &self.monomials {
            if let (Some(&c), Some(other)) = (reduced.0.get(monomial), others.get(monomial)) {
                reduced = self.ring.plus(&reduced, c.wrapping_neg() & self.ring.mask(), other);
            }
        }
        reduced
    }

    /// The difference of the sides of an equation of the ring's width.
    fn difference(&mut self, terms: &mut Terms, equation: TermId) -> Option<Polynomial> {
        let term = terms.term(equation).clone();
        let &[a, b] = term.args.as_slice() else { return None };
        if term.op != Op::Eq || terms.width(terms.sort(a)) != Some(self.ring.width) {
            return None;
        }
        let (a, b) = (self.ring.read(terms, a), self.ring.read(terms, b));
        Some(self.ring.plus(&a, self.ring.mask(), &b))
    }

    /// The equations among the conditions of a segment, and those that define quotients in `others`.
    fn equations(&mut self, terms: &mut Terms, segment: &Segment, others: &[Polynomial]) -> Vec<Polynomial> {
        let mut equations: Vec<Polynomial> = Vec::new();
        for &condition in &segment.conditions {
            equations.extend(self.difference(terms, condition));
        }
        let used = others.iter().chain(&equations).flat_map(|p| p.0.keys().flatten().copied());
        let used: BTreeSet<u32> = used.collect();
        for atom in used {
            equations.extend(self.definition(terms, atom));
        }
        equations
    }

    /// That a dividend is quotient times divisor plus remainder.
    fn definition(&mut self, terms: &mut Terms, atom: u32) -> Option<Polynomial> {
        let quotient = self.ring.atom(atom);
        let term = terms.term(quotient).clone();
        let rest = match term.op {
            Op::BvUdiv => Op::BvUrem,
            Op::BvSdiv => Op::BvSrem,
            _ => return None,
        };
        let rest = terms.app(rest, [term.args[0], term.args[1]]);
        let [dividend, divisor, quotient, rest] =
            [term.args[0], term.args[1], quotient, rest].map(|t| self.ring.read(terms, t));
        let product = self.ring.times(&divisor, &quotient)?;
        let sum = self.ring.plus(&product, 1, &rest);
        Some(self.ring.plus(&dividend, self.ring.mask(), &sum))
    }

    /// The polynomials that are zero on a segment: at its beginning, and after calls that return; `None` if the
    /// segment is infeasible as far as is known.
    fn zero_on(&mut self, terms: &mut Terms, segment: &Segment) -> Option<Vec<Polynomial>> {
        let mut zero = match segment.from {
            None => Vec::new(),
            Some(head) => self.zero[head].clone()?,
        };
        for call in &segment.calls {
            let at_end = self.zero[call.end].clone()?;
            for polynomial in at_end {
                zero.extend(self.behind(terms, call, &polynomial));
            }
        }
        Some(zero)
    }

    /// The polynomial that is zero after a call if this one is zero at the end of the callee; `None` if it mentions
    /// other variables.
    fn behind(&mut self, terms: &mut Terms, call: &Call, polynomial: &Polynomial) -> Option<Polynomial> {
        let variables = self.ends[call.end].as_ref()?;
        let mut sum = Polynomial::default();
        for (monomial, &c) in &polynomial.0 {
            let mut product = self.ring.constant(1);
            for &atom in monomial {
                let atom = self.ring.atom(atom);
                // Another activation has locals of its own.
                if !terms.free_symbols(&[atom]).iter().all(|s| variables.contains(s)) {
                    return None;
                }
                let value = terms.substitute(atom, &call.values);
                let value = self.ring.read(terms, value);
                product = self.ring.times(&product, &value)?;
            }
            sum = self.ring.plus(&sum, c, &product);
        }
        Some(sum)
    }

    /// Removes the polynomials that are not zero at the end of a segment; returns whether there were any.
    fn pass(&mut self, terms: &mut Terms, segment: &Segment, to: usize) -> Option<bool> {
        let Some(zero) = self.zero_on(terms, segment) else { return Some(false) };
        let one = |m: &Monomial| Polynomial(BTreeMap::from([(m.clone(), 1)]));
        let old = self.zero[to].clone().unwrap_or_else(|| self.monomials.iter().map(one).collect());
        let images = self.images(terms, segment)?;
        let mut arriving = Vec::new();
        for polynomial in &old {
            let mut image = Polynomial::default();
            for (monomial, c) in &polynomial.0 {
                image = self.ring.plus(&image, *c, &images[monomial]);
            }
            arriving.push(image);
        }
        let mut ideal = self.ideal(terms, segment, &zero, &arriving)?;
        if ideal.is_everything() {
            return Some(false);
        }
        let is_zero = |p: &Polynomial| ideal.row(p).is_some_and(|row| ideal.module.contains(row));
        if arriving.iter().all(is_zero) {
            let known = self.zero[to].is_some();
            self.zero[to] = Some(old);
            return Some(!known);
        }
        self.zero[to] = Some(self.kept(&mut ideal, &old, &arriving)?);
        Some(true)
    }

    /// A basis of the combinations of `old` that are zero at the end of the segment.
    fn kept(
        &self,
        ideal: &mut Ideal,
        old: &[Polynomial],
        arriving: &[Polynomial],
    ) -> Option<Vec<Polynomial>> {
        let columns = ideal.columns.len();
        let mut basis = Module::new(self.ring.width, self.monomials.len());
        let mut rest = Vec::new();
        for (i, polynomial) in arriving.iter().enumerate() {
            let mut row = ideal.row(polynomial)?;
            row.push((columns + i, 1));
            rest.extend(ideal.module.insert(row));
        }
        let numbers: FxHashMap<&Monomial, usize> =
            self.monomials.iter().enumerate().map(|(i, m)| (m, i)).collect();
        for row in rest {
            let mut combination = Polynomial::default();
            // What was there before has no combination behind it.
            for (column, c) in row {
                combination = self.ring.plus(&combination, c, &old[column - columns]);
            }
            let mut row: Row = combination.0.iter().map(|(m, &c)| (numbers[m], c)).collect();
            row.sort_unstable();
            basis.insert(row);
        }
        let polynomial = |row: &Row| {
            Polynomial(row.iter().map(|&(column, c)| (self.monomials[column].clone(), c)).collect())
        };
        Some(basis.rows().map(polynomial).collect())
    }

    /// The value of each monomial at the end of a segment.
    fn images(&mut self, terms: &mut Terms, segment: &Segment) -> Option<FxHashMap<Monomial, Polynomial>> {
        let mut of_atoms = FxHashMap::default();
        for &atom in self.weights.keys() {
            let value = segment.state.eval(terms, self.ring.atom(atom));
            of_atoms.insert(atom, self.ring.read(terms, value));
        }
        let mut images = FxHashMap::default();
        images.insert(Vec::new(), self.ring.constant(1));
        // Light monomials first: a heavy one is an atom times a lighter one.
        for monomial in self.monomials.iter().rev() {
            if let Some((last, before)) = monomial.split_last() {
                let image = self.ring.times(&images[before], &of_atoms[last])?;
                images.insert(monomial.clone(), image);
            }
        }
        Some(images)
    }

    /// Multiples of the polynomials that are zero on a segment, with columns for all monomials of `others`. `None` if
    /// they are too many.
    fn ideal(
        &mut self,
        terms: &mut Terms,
        segment: &Segment,
        zero: &[Polynomial],
        others: &[Polynomial],
    ) -> Option<Ideal> {
        let mut generators = self.equations(terms, segment, others);
        generators.extend(zero.iter().cloned());
        let all = others.iter().chain(&generators);
        let limit = all.flat_map(|p| p.0.keys()).map(|m| self.weight(m)).max().unwrap_or(0);
        let mut multiples: Vec<Polynomial> = Vec::new();
        for generator in &generators {
            let weight = generator.0.keys().map(|m| self.weight(m)).max().unwrap_or(0);
            for monomial in &self.monomials {
                if weight + self.weight(monomial) <= limit {
                    let times = |(m, c): (&Monomial, &u64)| (multiply(m, monomial), *c);
                    multiples.push(Polynomial(generator.0.iter().map(times).collect()));
                }
            }
            if multiples.len() > MAX_ROWS {
                return None;
            }
        }
        let mut used: Vec<Monomial> =
            multiples.iter().chain(others).flat_map(|p| p.0.keys().cloned()).collect();
        // The constant is the last column.
        used.push(Vec::new());
        used.sort_by_cached_key(|m| (std::cmp::Reverse(self.weight(m)), m.clone()));
        used.dedup();
        if used.len() > MAX_COLUMNS {
            return None;
        }
        let module = Module::new(self.ring.width, used.len());
        let columns = used.into_iter().enumerate().map(|(i, m)| (m, i)).collect();
        let mut ideal = Ideal { columns, module };
        for multiple in &multiples {
            let row = ideal.row(multiple)?;
            ideal.module.insert(row);
        }
        Some(ideal)
    }

    fn weight(&self, monomial: &Monomial) -> u32 {
        monomial.iter().map(|a| self.weights.get(a).copied().unwrap_or(1)).sum()
    }

    /// All monomials over the atoms up to a weight, heavy ones first; `None` if they are too many.
    fn monomials_up_to(&self, limit: u32) -> Option<Vec<Monomial>> {
        let mut all: Vec<(u32, Monomial)> = vec![(0, Vec::new())];
        for (&atom, &weight) in &self.weights {
            let mut at = 0;
            while at < all.len() {
                let (sum, monomial) = all[at].clone();
                if sum + weight <= limit {
                    all.push((sum + weight, multiply(&monomial, &vec![atom])));
                }
                at += 1;
                if all.len() > MAX_MONOMIALS {
                    return None;
                }
            }
        }
        all.sort_by(|a, b| b.cmp(a));
        all.dedup();
        Some(all.into_iter().map(|(_, m)| m).collect())
    }

    /// The initial atoms: those in scope, and the results of calls.
    fn first_atoms(&mut self, terms: &mut Terms, scope: Scope) -> Vec<u32> {
        let segments = self.segments;
        let mut first: Vec<u32> = Vec::new();
        for segment in segments.iter().filter(|w| w.to.is_none() || scope == Scope::AllEquations) {
            if scope == Scope::Conditions {
                for symbol in terms.free_symbols(&segment.conditions) {
                    let variable = terms.var(symbol);
                    first.extend(self.is_of_width(terms, variable).then(|| self.ring.number(variable)));
                }
                continue;
            }
            for &condition in &segment.conditions {
                let inner = terms.term(condition).clone();
                let equation = if inner.op == Op::Not { inner.args[0] } else { condition };
                let difference = self.difference(terms, equation);
                first.extend(difference.iter().flat_map(|p| p.0.keys().flatten().copied()));
            }
        }
        for call in segments.iter().flat_map(|w| &w.calls) {
            for &variable in call.values.keys() {
                let variable = terms.var(variable);
                first.extend(self.is_of_width(terms, variable).then(|| self.ring.number(variable)));
            }
        }
        first
    }

    fn is_of_width(&self, terms: &Terms, term: TermId) -> bool {
        terms.width(terms.sort(term)) == Some(self.ring.width)
    }

    /// Takes for atoms those that are to be the first, and what they are made of, and gives them weights.
    fn choose_atoms(&mut self, terms: &mut Terms, mut todo: Vec<u32>) -> Option<()> {
        let segments = self.segments;
        let fresh: FxHashSet<TermId> = segments.iter().flat_map(|w| w.fresh.iter().copied()).collect();
        let mut order = Vec::new();
        while let Some(atom) = todo.pop() {
            if order.contains(&atom) || !is_plain(terms, self.ring.atom(atom), &fresh) {
                continue;
            }
            order.push(atom);
            if order.len() > MAX_ATOMS {
                return None;
            }
            for segment in segments.iter().filter(|w| w.to.is_some()) {
                let value = segment.state.eval(terms, self.ring.atom(atom));
                todo.extend(self.ring.read(terms, value).0.keys().flatten().copied());
            }
        }
        self.weights = order.iter().map(|&a| (a, 1)).collect();
        for _ in 0..MAX_WEIGHT {
            for segment in segments.iter().filter(|w| w.from.is_some() && w.to.is_some()) {
                for &atom in &order {
                    let value = segment.state.eval(terms, self.ring.atom(atom));
                    let value = self.ring.read(terms, value);
                    let heaviest = value.0.keys().map(|m| self.weight(m)).max().unwrap_or(0);
                    let weight = self.weights.entry(atom).or_insert(1);
                    *weight = (*weight).max(heaviest).min(MAX_WEIGHT);
                }
            }
        }
        // Updates that multiply make every weight too small.
        if self.weights.values().any(|w| *w == MAX_WEIGHT) {
            self.weights.values_mut().for_each(|w| *w = 1);
        }
        (!order.is_empty()).then_some(())
    }
}

impl Ideal {
    /// A polynomial as a row; none if it has other monomials.
    fn row(&self, polynomial: &Polynomial) -> Option<Row> {
        let mut row = Row::new();
        for (monomial, &c) in &polynomial.0 {
            row.push((*self.columns.get(monomial)?, c));
        }
        row.sort_unstable();
        Some(row)
    }

    /// Whether a nonzero constant is in the ideal, so that the segment is infeasible.
    fn is_everything(&self) -> bool {
        self.module.last().is_some()
    }
}

/// Whether an atom is a variable that exists at heads, possibly extended or narrowed.
fn is_plain(terms: &Terms, atom: TermId, fresh: &FxHashSet<TermId>) -> bool {
    let term = terms.term(atom);
    let of = match term.op {
        Op::Var(_) => atom,
        Op::SignExtend(_) | Op::ZeroExtend(_) | Op::Extract(..) => term.args[0],
        _ => return false,
    };
    let is_variable = |s: &Op| matches!(s, Op::Var(_));
    is_variable(&terms.term(of).op) && !fresh.contains(&of)
}

/// The widths of machine integers that are in scope.
pub(crate) fn widths(terms: &mut Terms, segments: &Segments, scope: Scope) -> BTreeSet<u32> {
    let mut numbers: Vec<TermId> = Vec::new();
    for segment in segments.segments.iter().filter(|w| w.to.is_none() || scope == Scope::AllEquations) {
        if scope == Scope::Conditions {
            let symbols = terms.free_symbols(&segment.conditions);
            numbers.extend(symbols.into_iter().map(|s| terms.var(s)));
            continue;
        }
        for &condition in &segment.conditions {
            let inner = terms.term(condition);
            let inner = if inner.op == Op::Not { terms.term(inner.args[0]) } else { inner };
            numbers.extend(inner.args.first().filter(|_| inner.op == Op::Eq));
        }
    }
    let width = |&t: &TermId| terms.width(terms.sort(t)).filter(|w| (2..=64).contains(w));
    numbers.iter().filter_map(width).collect()
}
