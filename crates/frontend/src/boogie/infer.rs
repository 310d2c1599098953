//! Type inference: unification of sorts.
//!
//! The unknown types of an expression are type variables like any others, except that [`Inference`] knows them
//! and may give them a value. All other type variables are rigid, the type parameters of the declaration
//! being checked. Sorts with unknowns live only until [`Inference::apply`] has replaced them.
//!
//! Polymorphic maps unify if their bodies do with their parameters matched by position. That suffices, since
//! the parameters are numbered in the order in which they occur, not in which they were declared.

use footpath_term::{Sort, SortId, Terms, TypeVarId};
use rustc_hash::FxHashMap;

/// The unknown types and what is known of them.
#[derive(Default)]
pub(super) struct Inference {
    values: FxHashMap<TypeVarId, Option<SortId>>,
    /// The variables that got a value, in that order, each with whether it is rigid.
    trail: Vec<(TypeVarId, bool)>,
    /// Whether rigid variables count as unknowns for now.
    all_unknown: bool,
}

impl Inference {
    /// A new unknown, called `name` in messages.
    pub fn fresh(&mut self, terms: &mut Terms, name: &str) -> SortId {
        let variable = terms.fresh_type_var(name);
        self.values.insert(variable, None);
        terms.mk_sort(Sort::Var(variable))
    }

    /// Forgets all unknowns.
    pub fn clear(&mut self) {
        self.values.clear();
        self.trail.clear();
    }

    /// Makes `a` and `b` equal if possible, and says whether it was. If not, nothing changes.
    pub fn unify(&mut self, terms: &mut Terms, a: SortId, b: SortId) -> bool {
        let mark = self.trail.len();
        let done = self.unify_parts(terms, a, b);
        if !done {
            self.undo(mark);
        }
        done
    }

    /// Whether `a` and `b` could be made equal if rigid variables were unknowns too. Changes nothing.
    pub fn could_be_equal(&mut self, terms: &mut Terms, a: SortId, b: SortId) -> bool {
        let mark = self.trail.len();
        self.all_unknown = true;
        let possible = self.unify_parts(terms, a, b);
        self.undo(mark);
        self.all_unknown = false;
        possible
    }

    fn undo(&mut self, mark: usize) {
        for (variable, rigid) in self.trail.drain(mark..) {
            if rigid {
                self.values.remove(&variable);
            } else {
                self.values.insert(variable, None);
            }
        }
    }

    fn is_unknown(&self, variable: TypeVarId) -> bool {
        self.all_unknown || self.values.contains_key(&variable)
    }

    /// The sort itself, or what it is known to be if it is an unknown.
    pub fn resolve(&self, terms: &Terms, mut sort: SortId) -> SortId {
        while let Sort::Var(variable) = terms.sort_of(sort) {
            match self.values.get(variable) {
                Some(Some(value)) => sort = *value,
                _ => break,
            }
        }
        sort
    }

    fn unify_parts(&mut self, terms: &mut Terms, a: SortId, b: SortId) -> bool {
        let (a, b) = (self.resolve(terms, a), self.resolve(terms, b));
        if a == b {
            return true;
        }
        match (terms.sort_of(a).clone(), terms.sort_of(b).clone()) {
            (Sort::Var(v), _) if self.is_unknown(v) => self.bind(terms, v, b),
            (_, Sort::Var(v)) if self.is_unknown(v) => self.bind(terms, v, a),
            (Sort::Ctor(c, xs), Sort::Ctor(d, ys)) => {
                c == d && xs.iter().zip(&ys).all(|(&x, &y)| self.unify_parts(terms, x, y))
            }
            (
                Sort::Map { params: m, domain: xs, range: x },
                Sort::Map { params: n, domain: ys, range: y },
            ) => {
                m == n
                    && xs.len() == ys.len()
                    && xs.iter().zip(&ys).all(|(&x, &y)| self.unify_parts(terms, x, y))
                    && self.unify_parts(terms, x, y)
            }
            _ => false,
        }
    }

    fn bind(&mut self, terms: &Terms, variable: TypeVarId, value: SortId) -> bool {
        if !self.may_be(terms, variable, value, 0) {
            return false;
        }
        let rigid = self.values.insert(variable, Some(value)).is_none();
        self.trail.push((variable, rigid));
        true
    }

    /// Whether `value` contains neither `variable` nor a parameter of a map around it.
    fn may_be(&self, terms: &Terms, variable: TypeVarId, value: SortId, depth: u32) -> bool {
        match terms.sort_of(self.resolve(terms, value)) {
            Sort::Var(v) => *v != variable,
            Sort::Bound { depth: d, .. } => *d < depth,
            Sort::Ctor(_, args) => args.iter().all(|&a| self.may_be(terms, variable, a, depth)),
            Sort::Map { params, domain, range } => {
                let inner = depth + u32::from(*params > 0);
                domain.iter().chain([range]).all(|&s| self.may_be(terms, variable, s, inner))
            }
            _ => true,
        }
    }

    /// Whether there are no unknowns.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// `sort` with every unknown replaced by what is known of it.
    pub fn known(&self, terms: &mut Terms, sort: SortId) -> SortId {
        if self.values.is_empty() || !terms.has_type_vars(sort) {
            return sort;
        }
        let sort = self.resolve(terms, sort);
        match terms.sort_of(sort).clone() {
            Sort::Ctor(ctor, args) => {
                let args = args.into_iter().map(|a| self.known(terms, a)).collect();
                terms.mk_sort(Sort::Ctor(ctor, args))
            }
            Sort::Map { params, domain, range } => {
                let domain = domain.into_iter().map(|a| self.known(terms, a)).collect();
                let range = self.known(terms, range);
                terms.mk_sort(Sort::Map { params, domain, range })
            }
            _ => sort,
        }
    }

    /// Like [`Inference::known`]; unknowns of which nothing is known become what `default` gives for their names.
    pub fn apply(
        &mut self,
        terms: &mut Terms,
        sort: SortId,
        default: &mut dyn FnMut(&str) -> SortId,
    ) -> SortId {
        let known = self.known(terms, sort);
        if !terms.has_type_vars(known) {
            return known;
        }
        let mut open = Vec::new();
        self.unknowns_of(terms, known, &mut open);
        for variable in open {
            let value = default(terms.type_var(variable));
            self.values.insert(variable, Some(value));
        }
        self.known(terms, known)
    }

    /// Adds the unknowns in a sort, once each.
    fn unknowns_of(&self, terms: &Terms, sort: SortId, found: &mut Vec<TypeVarId>) {
        match terms.sort_of(sort) {
            Sort::Var(v) if self.values.contains_key(v) && !found.contains(v) => found.push(*v),
            Sort::Ctor(_, args) => args.iter().for_each(|&a| self.unknowns_of(terms, a, found)),
            Sort::Map { domain, range, .. } => {
                domain.iter().chain([range]).for_each(|&s| self.unknowns_of(terms, s, found));
            }
            _ => {}
        }
    }
}
