//! Monomorphisation of equations between values of different types.
//!
//! `x = 5` for an `x` of type `a` is false unless `a` is `int`. While types are instantiated, an application of a
//! function with two type parameters replaces the equation, so that no rewriting rule for equations applies.
//! Afterwards it becomes an equation where the types are the same, and false where they differ. Only a fresh type in
//! place of an unknown one is not known to differ from other types: there an uninterpreted predicate stays.
//!
//! **Direction of error.** The uninterpreted predicate makes the formula weaker, and the formula counts as
//! incomplete.

use footpath_term::{Args, FuncDecl, FuncId, FuncKind, Op, Sort, SortCtorId, SortId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The meaning of an equation between values of two types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// An ordinary equation.
    Equation,
    /// False.
    Never,
    /// It depends on what fresh types stand for.
    Unknown,
}

#[derive(Default, Debug)]
pub(super) struct Equations {
    /// The function that replaces equations.
    function: Option<FuncId>,
    /// Fresh types in place of unknown ones.
    fresh: FxHashSet<SortCtorId>,
    /// Whether the meaning of some equation is unknown.
    pub(super) unknown: bool,
}

impl Equations {
    /// Replaces equations between values of different types by applications.
    pub(super) fn hide(&mut self, terms: &mut Terms, roots: &[TermId]) -> Vec<TermId> {
        let order = terms.post_order(roots);
        let across: FxHashSet<TermId> = order.iter().copied().filter(|&t| across_sorts(terms, t)).collect();
        if across.is_empty() {
            return roots.to_vec();
        }
        let function = self.declare(terms);
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for t in order {
            let term = terms.term(t).clone();
            let args: Args = term.args.iter().map(|a| done[a]).collect();
            let new = if across.contains(&t) {
                terms.mk(Op::Apply(function), args, SortId::BOOL)
            } else if args == term.args {
                t
            } else {
                terms.mk(term.op, args, term.sort)
            };
            done.insert(t, new);
        }
        roots.iter().map(|r| done[r]).collect()
    }

    fn declare(&mut self, terms: &mut Terms) -> FuncId {
        *self.function.get_or_insert_with(|| {
            let type_params = vec![terms.fresh_type_var("a"), terms.fresh_type_var("b")];
            let params = type_params.iter().map(|&v| terms.mk_sort(Sort::Var(v))).collect();
            let (name, kind) = ("equal".into(), FuncKind::Uninterpreted);
            terms.declare_function(FuncDecl { name, type_params, params, result: SortId::BOOL, kind })
        })
    }

    /// Whether this function replaces equations.
    pub(super) fn is_hidden(&self, f: FuncId) -> bool {
        self.function == Some(f)
    }

    /// Records that a type stands for an unknown one.
    pub(super) fn add_fresh(&mut self, terms: &Terms, sort: SortId) {
        if let Sort::Ctor(ctor, _) = terms.sort_of(sort) {
            self.fresh.insert(*ctor);
        }
    }

    /// The meaning of an equation between values of two types. A type variable may stand for any type.
    pub(super) fn meaning(&self, terms: &Terms, a: SortId, b: SortId) -> Meaning {
        if a == b {
            Meaning::Equation
        } else if self.may_coincide(terms, a, b) {
            Meaning::Unknown
        } else {
            Meaning::Never
        }
    }

    fn may_coincide(&self, terms: &Terms, a: SortId, b: SortId) -> bool {
        let unknown = |s: &Sort| match s {
            Sort::Ctor(c, _) => self.fresh.contains(c),
            Sort::Var(_) => true,
            _ => false,
        };
        let all = |xs: &[SortId], ys: &[SortId]| {
            xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| self.may_coincide(terms, x, y))
        };
        if a == b {
            return true;
        }
        match (terms.sort_of(a), terms.sort_of(b)) {
            (s, t) if unknown(s) || unknown(t) => true,
            (Sort::Ctor(c, xs), Sort::Ctor(d, ys)) => c == d && all(xs, ys),
            (
                Sort::Map { params: m, domain: xs, range: x },
                Sort::Map { params: n, domain: ys, range: y },
            ) => m == n && all(xs, ys) && self.may_coincide(terms, *x, *y),
            _ => false,
        }
    }
}

fn across_sorts(terms: &Terms, t: TermId) -> bool {
    let term = terms.term(t);
    matches!((&term.op, &term.args[..]), (Op::Eq, &[a, b]) if terms.sort(a) != terms.sort(b))
}

#[cfg(test)]
mod tests {
    use footpath_term::{Binder, BinderKind};

    use super::super::{Completeness, DEFAULT_INSTANCES, monomorphize};
    use super::*;

    /// `forall<a> x: a :: {p(x)} p(x) ⇒ ¬(x = 5)`, and `p`.
    fn axiom(terms: &mut Terms) -> (TermId, FuncId) {
        let a = terms.fresh_type_var("a");
        let sort = terms.mk_sort(Sort::Var(a));
        let p = terms.declare_function(FuncDecl {
            name: "p".into(),
            type_params: vec![a],
            params: vec![sort],
            result: SortId::BOOL,
            kind: FuncKind::Uninterpreted,
        });
        let b = terms.fresh_type_var("b");
        let sort = terms.mk_sort(Sort::Var(b));
        let x = terms.fresh_symbol("x", sort);
        let (xt, five) = (terms.var(x), terms.int(5));
        let px = terms.mk(Op::Apply(p), [xt], SortId::BOOL);
        let same = terms.app(Op::Eq, [xt, five]);
        assert_eq!(terms.term(same).op, Op::Eq);
        let differs = terms.mk(Op::Not, [same], SortId::BOOL);
        let body = terms.mk(Op::Implies, [px, differs], SortId::BOOL);
        let binder = Binder {
            kind: BinderKind::Forall,
            type_vars: vec![b],
            vars: vec![x],
            triggers: vec![],
            nopats: 0,
            weight: None,
        };
        (terms.bind(binder, body, &[vec![px]], &[]), p)
    }

    /// The sorts that are compared, with whether anything but `=` compares values.
    fn equations(terms: &Terms, roots: &[TermId]) -> (Vec<SortId>, bool) {
        let (mut sorts, mut predicates) = (Vec::new(), false);
        for t in terms.post_order(roots) {
            let term = terms.term(t);
            match &term.op {
                Op::Eq => {
                    assert_eq!(terms.sort(term.args[0]), terms.sort(term.args[1]));
                    sorts.push(terms.sort(term.args[0]));
                }
                Op::Apply(f) => predicates |= &*terms.function(*f).name == "equal",
                _ => {}
            }
        }
        (sorts, predicates)
    }

    #[test]
    fn an_equation_across_types_holds_only_where_they_are_the_same() {
        let mut terms = Terms::new();
        let (axiom, p) = axiom(&mut terms);
        let (n, b) = (terms.fresh_var("n", SortId::INT), terms.fresh_var("b", SortId::BOOL));
        let pn = terms.mk(Op::Apply(p), [n], SortId::BOOL);
        let pb = terms.mk(Op::Apply(p), [b], SortId::BOOL);
        let made = monomorphize(&mut terms, &[axiom, pn, pb], DEFAULT_INSTANCES).unwrap();
        assert_eq!(made.completeness, Completeness::Complete);
        assert_eq!(made.roots.len(), 4);
        assert_eq!(equations(&terms, &made.roots), (vec![SortId::INT], false));
    }

    #[test]
    fn a_fresh_type_differs_from_no_type_for_certain() {
        let mut terms = Terms::new();
        let (axiom, p) = axiom(&mut terms);
        let c = terms.fresh_type_var("c");
        let sort = terms.mk_sort(Sort::Var(c));
        let x = terms.fresh_var("x", sort);
        let px = terms.mk(Op::Apply(p), [x], SortId::BOOL);
        let made = monomorphize(&mut terms, &[axiom, px], DEFAULT_INSTANCES).unwrap();
        assert!(matches!(made.completeness, Completeness::Incomplete(_)));
        assert_eq!(equations(&terms, &made.roots), (vec![], true));

        let five = terms.int(5);
        let goal = terms.mk(Op::Eq, [x, five], SortId::BOOL);
        let mut made = monomorphize(&mut terms, &[px], DEFAULT_INSTANCES).unwrap();
        assert_eq!(made.completeness, Completeness::Complete);
        let goal = made.rewrite(&mut terms, goal).unwrap();
        assert_eq!(equations(&terms, &[goal]), (vec![], true));
        assert!(matches!(made.completeness, Completeness::Incomplete(_)));
    }
}
