//! Constant propagation from path conditions: input cells that can only have one value on a path are replaced by that
//! value.
//!
//! **Idea.** A harness assumes of each pointer in its inputs that it is null or points to one of a few objects: a
//! disjunction whose *alternatives* fix the values of cells. Once a path has decided which object a pointer means,
//! one alternative is left, and the pointer is a constant together with its offset. Conditions and indices are then
//! built with these constants. So an access through the pointer is one at a constant index, and a query about it
//! depends on single cells instead of on the whole object and on what the pointers there may be.
//!
//! Example: the harness assumes `p == 0 || p == 5 && offset == 0`. After a branch that took the arm `p != 0`, only
//! the second alternative is left, and `m[p, offset]` is built as `m[5, 0]`.
//!
//! **Paper.** EXE and KLEE rewrite conditions by equalities on the path in the same way (Cadar, Dunbar, Engler, KLEE,
//! OSDI 2008, section 3.3).
//!
//! **Direction of error.** None. The value of a cell follows from the conditions on the path, assumptions included.
//! Runs that share a path know the same, as they assumed and decided the same.

use std::rc::Rc;

use footpath_term::{Args, Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::independence::object_chain;
use super::machine::Machine;
use super::value::{Kind, Symbolic, Word, bits_of};

/// How many alternatives an assumption has at most that is looked at.
const ALTERNATIVES: usize = 64;

/// How many terms are gone through to see what an equation leaves of alternatives; what is not looked at stays
/// possible.
const EQUATION_TERMS: usize = 1 << 15;

/// Of how many cells the domains are looked at when a term gets a value: one of many leaves each of them open.
const CELLS: usize = 32;

/// Cells and the constants that they equal.
type Values = Vec<(TermId, TermId)>;

/// An assumption as alternatives; where it holds, the values of one of them do.
#[derive(Debug)]
struct Domain {
    assumption: TermId,
    alternatives: Vec<Values>,
}

impl Domain {
    /// That of an assumption, if there is an alternative that says anything.
    fn of(terms: &Terms, assumption: TermId) -> Option<Domain> {
        let term = terms.term(assumption);
        let parts = if term.op == Op::Or { &term.args[..] } else { std::slice::from_ref(&assumption) };
        if parts.len() > ALTERNATIVES {
            return None;
        }
        let alternatives: Vec<Values> = parts.iter().map(|&part| values(terms, part)).collect();
        let says = alternatives.iter().any(|values| !values.is_empty());
        says.then_some(Domain { assumption, alternatives })
    }
}

/// The values that cells have where a condition holds, as far as it says so itself.
fn values(terms: &Terms, condition: TermId) -> Values {
    let term = terms.term(condition);
    let parts = if term.op == Op::And { &term.args[..] } else { std::slice::from_ref(&condition) };
    let equation = |&part: &TermId| {
        let term = terms.term(part);
        let (Op::Eq, [a, b]) = (&term.op, &term.args[..]) else { return None };
        [(*a, *b), (*b, *a)].into_iter().find(|&(cell, value)| {
            is_cell(terms, cell)
                && terms.literal(value).is_some()
                && Kind::of(terms, terms.sort(cell)).is_some()
        })
    };
    parts.iter().filter_map(equation).collect()
}

/// Whether a term is an input, or an element of one at a constant index.
pub(super) fn is_cell(terms: &Terms, t: TermId) -> bool {
    let term = terms.term(t);
    match term.op {
        Op::Var(_) => true,
        Op::Select => {
            matches!(terms.term(term.args[0]).op, Op::Var(_))
                && term.args[1..].iter().all(|&index| terms.literal(index).is_some())
        }
        _ => false,
    }
}

/// The assumptions that runs have made, by the cells that they are about.
#[derive(Debug, Default)]
pub(super) struct Domains {
    known: FxHashMap<TermId, Option<Rc<Domain>>>,
    by_cell: FxHashMap<TermId, Vec<Rc<Domain>>>,
    /// The cells in terms, sorted; `None` where there are more than [`CELLS`].
    cells: FxHashMap<TermId, Option<Rc<[TermId]>>>,
}

impl Domains {
    /// The cells in a term, unless there are many. Each term is looked at once, however many it is a part of: a run has
    /// long sums of which every step is compared with something.
    fn cells_in(&mut self, terms: &Terms, root: TermId) -> Option<Rc<[TermId]>> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.cells.contains_key(&t) {
                stack.pop();
                continue;
            }
            let parts = parts(terms, t);
            let before = stack.len();
            stack.extend(parts.iter().filter(|part| !self.cells.contains_key(part)));
            if stack.len() == before {
                let found = if is_cell(terms, t) { Some(Rc::from([t])) } else { self.union(&parts) };
                self.cells.insert(t, found);
                stack.pop();
            }
        }
        self.cells[&root].clone()
    }

    /// All cells of these terms, which are known.
    fn union(&self, parts: &[TermId]) -> Option<Rc<[TermId]>> {
        let mut all: Rc<[TermId]> = Rc::from([]);
        for part in parts {
            let more = self.cells[part].as_ref()?;
            if more.iter().all(|cell| all.binary_search(cell).is_ok()) {
                continue;
            }
            if all.iter().all(|cell| more.binary_search(cell).is_ok()) {
                all = Rc::clone(more);
                continue;
            }
            let mut merged: Vec<TermId> = all.iter().chain(more.iter()).copied().collect();
            merged.sort_unstable();
            merged.dedup();
            if merged.len() > CELLS {
                return None;
            }
            all = merged.into();
        }
        Some(all)
    }

    fn of(&mut self, terms: &Terms, assumption: TermId) -> Option<Rc<Domain>> {
        if let Some(known) = self.known.get(&assumption) {
            return known.clone();
        }
        let domain = Domain::of(terms, assumption).map(Rc::new);
        self.known.insert(assumption, domain.clone());
        if let Some(domain) = &domain {
            let mut cells: Vec<TermId> =
                domain.alternatives.iter().flatten().map(|(cell, _)| *cell).collect();
            cells.sort_unstable();
            cells.dedup();
            for cell in cells {
                self.by_cell.entry(cell).or_default().push(Rc::clone(domain));
            }
        }
        domain
    }
}

/// The terms that decide what cells a term has: of a read, the index and what was stored in the object.
fn parts(terms: &Terms, t: TermId) -> Vec<TermId> {
    let term = terms.term(t);
    if is_cell(terms, t) {
        return Vec::new();
    }
    match (&term.op, object_chain(terms, &term.args)) {
        (Op::Select, Some((_, stores))) => {
            let stored = stores.iter().flat_map(|store| &terms.term(*store).args[2..]);
            std::iter::once(&term.args[2]).chain(stored).copied().collect()
        }
        _ => term.args.to_vec(),
    }
}

/// The constants that a run knows for cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The assumptions that hold.
    assumed: FxHashSet<TermId>,
    values: FxHashMap<TermId, TermId>,
    /// Terms with constants for the cells in `values`.
    replaced: FxHashMap<TermId, TermId>,
}

impl Machine<'_, '_> {
    /// A word with constants for the cells that are known.
    pub(super) fn with_known(&mut self, word: Word) -> Word {
        let Symbolic::Term(term) = word.symbolic else { return word };
        if self.cells.values.is_empty() {
            return word;
        }
        let Known { values, replaced, .. } = &mut self.cells;
        match with_values(self.terms, term, values, replaced, usize::MAX) {
            Some(term) => Word { bits: word.bits, symbolic: self.symbolic_of(term) },
            None => word,
        }
    }

    /// Takes note of an assumption that holds.
    pub(super) fn assume(&mut self, assumption: Word) {
        let Symbolic::Term(assumption) = assumption.symbolic else { return };
        if !self.cells.assumed.insert(assumption) {
            return;
        }
        if let Some(domain) = self.inputs.domains.of(self.terms, assumption) {
            self.keep_only(&domain, None);
        }
    }

    /// Takes note that a term has a value, which leaves fewer alternatives for the cells in it.
    pub(super) fn equals(&mut self, term: TermId, bits: u64) {
        if self.inputs.domains.by_cell.is_empty() {
            return;
        }
        let Some(cells) = self.inputs.domains.cells_in(self.terms, term) else { return };
        let by_cell = &self.inputs.domains.by_cell;
        let domains = cells.iter().filter_map(|cell| by_cell.get(cell)).flatten();
        let mut seen = FxHashSet::default();
        let new = |domain: &&Rc<Domain>| {
            self.cells.assumed.contains(&domain.assumption) && seen.insert(domain.assumption)
        };
        let domains: Vec<Rc<Domain>> = domains.filter(new).cloned().collect();
        let mut equation = Equation { term, bits, left: EQUATION_TERMS };
        for domain in domains {
            self.keep_only(&domain, Some(&mut equation));
            if equation.left == 0 {
                return;
            }
        }
    }

    /// If what is known, together with the value of a term, leaves one alternative of an assumption, its values
    /// become known.
    fn keep_only(&mut self, domain: &Domain, mut equation: Option<&mut Equation>) {
        let mut only = None;
        for alternative in &domain.alternatives {
            if !self.is_possible(alternative, equation.as_deref_mut()) {
                continue;
            }
            if only.replace(alternative).is_some() {
                return;
            }
        }
        for &(cell, value) in only.into_iter().flatten() {
            if self.cells.values.insert(cell, value).is_none() {
                self.cells.replaced.clear();
            }
        }
    }

    fn is_possible(&mut self, alternative: &Values, equation: Option<&mut Equation>) -> bool {
        let known = &self.cells.values;
        if alternative.iter().any(|(cell, value)| known.get(cell).is_some_and(|other| other != value)) {
            return false;
        }
        let Some(equation) = equation else { return true };
        let values = alternative.iter().copied().collect();
        let (mut done, before) = (FxHashMap::default(), equation.left);
        let term = with_values(self.terms, equation.term, &values, &mut done, before);
        equation.left = before.saturating_sub(done.len());
        let there = term.and_then(|term| self.terms.literal(term)).and_then(bits_of);
        there.is_none_or(|there| there == equation.bits)
    }
}

/// That a term has a value.
struct Equation {
    term: TermId,
    bits: u64,
    /// How many terms may still be gone through for it.
    left: usize,
}

/// A term with constants for some cells, simplified; `None` if more than so many terms would be done.
fn with_values(
    terms: &mut Terms,
    root: TermId,
    values: &FxHashMap<TermId, TermId>,
    done: &mut FxHashMap<TermId, TermId>,
    limit: usize,
) -> Option<TermId> {
    let mut stack = vec![root];
    while let Some(&t) = stack.last() {
        if done.len() >= limit {
            return None;
        }
        if done.contains_key(&t) {
            stack.pop();
            continue;
        }
        if let Some(&value) = values.get(&t) {
            done.insert(t, value);
            continue;
        }
        let before = stack.len();
        stack.extend(terms.term(t).args.iter().filter(|a| !done.contains_key(a)));
        if stack.len() > before {
            continue;
        }
        let term = terms.term(t).clone();
        let args: Args = term.args.iter().map(|a| done[a]).collect();
        let made = if args == term.args { t } else { terms.app_sorted(term.op, args, term.sort) };
        done.insert(t, made);
        stack.pop();
    }
    Some(done[&root])
}
