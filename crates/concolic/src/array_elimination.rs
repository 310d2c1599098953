//! Array elimination: reads of input memory in solver queries become variables and one-dimensional arrays where
//! possible.
//!
//! **Idea.** Solvers decide bit-vectors much faster than arrays. A cell of an input memory with two indices (object
//! and offset) that is read at constant indices only becomes a variable of its own. An object that is also read at
//! other indices becomes an array with one index, separate from all other objects. Only a map for which neither can
//! be said stays a map. What is known of an object may change from one query to the next, but only in that order; the
//! terms in the solver are then translated again.
//!
//! Example: in `m[3, 0] < 10 && m[3, 4] == m[5, 0]` the three cells become variables `a < 10 && b == c`; if `m[3, i]`
//! is read as well, object 3 becomes an array and only `m[5, 0]` stays a variable.
//!
//! **Direction of error.** None. Different constants denote different cells and different objects, so both forms have
//! the same models.

use footpath_term::{Op, Sort, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::independence::{Atoms, object_chain};

/// See the module.
#[derive(Default)]
pub(super) struct Plain {
    /// Objects that are arrays.
    arrays: FxHashSet<(SymbolId, TermId)>,
    /// Maps that stay as they are.
    wholes: FxHashSet<SymbolId>,
    /// The variables for cells and arrays.
    cells: FxHashMap<TermId, TermId>,
    objects: FxHashMap<(SymbolId, TermId), TermId>,
    /// Terms in the new form.
    known: FxHashMap<TermId, TermId>,
}

impl Plain {
    /// Records what a condition reads; returns whether terms that were translated before have another form now.
    pub(super) fn learn(&mut self, atoms: &Atoms) -> bool {
        let before = self.arrays.len() + self.wholes.len();
        self.arrays.extend(atoms.parts.iter().copied());
        self.wholes.extend(atoms.maps.iter().copied());
        let changed = self.arrays.len() + self.wholes.len() > before;
        if changed {
            self.known.clear();
        }
        changed
    }

    /// A term as the solver gets it.
    pub(super) fn term(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.known.contains_key(&t) {
                stack.pop();
                continue;
            }
            if let Some(cell) = self.cell(terms, t) {
                self.known.insert(t, cell);
                continue;
            }
            let parts = self.parts(terms, t);
            let missing: Vec<TermId> =
                parts.iter().copied().filter(|p| !self.known.contains_key(p)).collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let made = self.rebuild(terms, t);
            self.known.insert(t, made);
            stack.pop();
        }
        self.known[&root]
    }

    /// The variable that a cell is.
    fn cell(&mut self, terms: &mut Terms, t: TermId) -> Option<TermId> {
        let term = terms.term(t);
        let (Op::Select, [map, object, index]) = (&term.op, &term.args[..]) else { return None };
        let (object, index, sort) = (*object, *index, term.sort);
        let Op::Var(symbol) = terms.term(*map).op else { return None };
        if self.wholes.contains(&symbol)
            || self.arrays.contains(&(symbol, object))
            || terms.literal(object).is_none()
            || terms.literal(index).is_none()
        {
            return None;
        }
        if let Some(&known) = self.cells.get(&t) {
            return Some(known);
        }
        let name =
            format!("{}[{}, {}]", terms.symbol(symbol).name, terms.literal(object)?, terms.literal(index)?);
        let variable = terms.fresh_var(name, sort);
        self.cells.insert(t, variable);
        Some(variable)
    }

    /// The chain of a read in an object that is an array.
    fn chain(&self, terms: &Terms, t: TermId) -> Option<(TermId, Vec<TermId>)> {
        let term = terms.term(t);
        if term.op != Op::Select {
            return None;
        }
        let (base, stores) = object_chain(terms, &term.args)?;
        match terms.term(base).op {
            Op::Var(symbol) if self.wholes.contains(&symbol) => None,
            _ => Some((base, stores)),
        }
    }

    /// The terms that have to be translated before a term.
    fn parts(&self, terms: &Terms, t: TermId) -> Vec<TermId> {
        match self.chain(terms, t) {
            Some((_, stores)) => {
                let of = |s: &TermId| terms.term(*s).args[2..].to_vec();
                stores.iter().flat_map(of).chain([terms.term(t).args[2]]).collect()
            }
            None => terms.term(t).args.to_vec(),
        }
    }

    fn rebuild(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        if let Some((base, stores)) = self.chain(terms, t) {
            let args = terms.term(t).args.clone();
            let mut array = self.array(terms, base, args[1]);
            for store in stores.into_iter().rev() {
                let (index, element) = (terms.term(store).args[2], terms.term(store).args[3]);
                array = terms.app(Op::Store, [array, self.known[&index], self.known[&element]]);
            }
            return terms.app(Op::Select, [array, self.known[&args[2]]]);
        }
        let term = terms.term(t).clone();
        let args: Vec<TermId> = term.args.iter().map(|a| self.known[a]).collect();
        if args[..] == term.args[..] { t } else { terms.app_sorted(term.op, args.into(), term.sort) }
    }

    /// An object as an array with one index.
    fn array(&mut self, terms: &mut Terms, base: TermId, object: TermId) -> TermId {
        let term = terms.term(base).clone();
        let Sort::Map { domain, range, .. } = terms.sort_of(term.sort).clone() else { return base };
        let sort = terms.map_sort(vec![domain[1]], range);
        let Op::Var(symbol) = term.op else { return terms.mk(Op::ConstMap, [term.args[0]], sort) };
        if let Some(&known) = self.objects.get(&(symbol, object)) {
            return known;
        }
        let number = terms.literal(object).map(ToString::to_string).unwrap_or_default();
        let name = format!("{}[{number}]", terms.symbol(symbol).name);
        let array = terms.fresh_var(name, sort);
        self.objects.insert((symbol, object), array);
        array
    }
}
