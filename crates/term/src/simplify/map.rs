//! Rewriting rules for maps (arrays), datatypes and binders.
//!
//! - A read skips stores at provably different indices (literals, the same term plus different constants, different
//!   constructors; in polymorphic maps also indices of different closed sorts), a bounded number of them, and returns
//!   the element of a store at the same index. A read of a constant map is the element, of a lambda its body (beta
//!   reduction), of an `ite` between maps an `ite`, but only if both arms yield an element without building a read.
//! - A store over a store at the same index replaces it; storing the element that is there already changes nothing.
//! - Selectors and testers of a constructed value are decided; so is the tester of the only constructor of a
//!   datatype.
//! - Quantifiers over a literal are the literal, since no sort is empty; bound variables that do not occur are
//!   dropped. `λi. m[i]` is `m`, and a lambda whose body does not mention its variables is a constant map.
//!
//! **Direction of error.** None: each rule is an equivalence, as `simplify.rs` demands.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Rewrite;
use crate::{Args, Binder, BinderKind, FuncId, FuncKind, Op, Sort, SortId, Substitution, TermId};

/// The limit on stores that a read looks through.
const STORES: usize = 1024;
/// How many stores over a lambda become cases: solvers are bad at lambdas, so none is left where one is read.
const CASES: usize = 16;

impl Rewrite<'_> {
    pub(super) fn map_op(&mut self, op: Op, args: Args, sort: SortId) -> TermId {
        match op {
            Op::Select | Op::Store if self.is_ambiguous(&args) => self.t.mk(op, args, sort),
            Op::Select => self.select(args, sort),
            Op::Store => self.store(args, sort),
            _ => self.t.mk(op, args, sort),
        }
    }

    /// Whether the indices do not determine an element, as in a map of type `<a>[]a`, which has one for each type.
    fn is_ambiguous(&self, args: &Args) -> bool {
        let map = self.t.sort(args[0]);
        let Sort::Map { params: 1.., domain, .. } = self.t.sort_of(map) else { return false };
        let indices: Vec<SortId> = args[1..=domain.len()].iter().map(|&i| self.t.sort(i)).collect();
        self.t.map_instance(map, &indices).is_none()
    }

    fn select(&mut self, mut args: Args, sort: SortId) -> TermId {
        let base = self.skip_stores(args[0], &args[1..]);
        let term = self.t.term(base);
        match &term.op {
            Op::ConstMap if self.t.sort(term.args[0]) == sort => return term.args[0],
            Op::Store if self.same_index(base, &args[1..]) => {
                let element = term.args[term.args.len() - 1];
                if self.t.sort(element) == sort {
                    return element;
                }
            }
            Op::Bind(b) if b.kind == BinderKind::Lambda && b.type_vars.is_empty() => {
                let map: Substitution = b.vars.iter().copied().zip(args[1..].iter().copied()).collect();
                let body = term.args[0];
                return self.t.substitute(body, &map);
            }
            Op::Ite => {
                let (c, yes, no) = (term.args[0], term.args[1], term.args[2]);
                if let (Some(yes), Some(no)) =
                    (self.element(yes, &args[1..], sort), self.element(no, &args[1..], sort))
                {
                    return self.app_sorted(Op::Ite, Args::from_slice(&[c, yes, no]), sort);
                }
            }
            _ => {}
        }
        if let Some(cases) = self.cases(base, &args[1..], sort) {
            return cases;
        }
        args[0] = base;
        self.t.mk(Op::Select, args, sort)
    }

    /// The element at `index` of stores over a lambda: that of the last store whose index it is, or what the lambda says.
    fn cases(&mut self, map: TermId, index: &[TermId], sort: SortId) -> Option<TermId> {
        let mut stores = Vec::new();
        let mut base = map;
        while self.t.term(base).op == Op::Store {
            if stores.len() == CASES {
                return None;
            }
            stores.push(base);
            base = self.t.term(base).args[0];
        }
        let is_lambda = |op: &Op| matches!(op, Op::Bind(b) if b.kind == BinderKind::Lambda);
        let ordinary = matches!(self.t.sort_of(self.t.sort(base)), Sort::Map { params: 0, .. });
        if !ordinary || !is_lambda(&self.t.term(base).op) || self.t.has_type_vars(self.t.sort(base)) {
            return None;
        }
        let read: Args = std::iter::once(base).chain(index.iter().copied()).collect();
        let mut element = self.select(read, sort);
        for &store in stores.iter().rev() {
            let parts = self.t.term(store).args.clone();
            let (there, written) = (&parts[1..parts.len() - 1], parts[parts.len() - 1]);
            let mut same = Args::new();
            for (&i, &j) in there.iter().zip(index) {
                same.push(self.app_sorted(Op::Eq, Args::from_slice(&[i, j]), SortId::BOOL));
            }
            let same = self.app_sorted(Op::And, same, SortId::BOOL);
            element = self.app_sorted(Op::Ite, Args::from_slice(&[same, written, element]), sort);
        }
        Some(element)
    }

    /// The element at `index`, if it can be had without building anything.
    fn element(&self, map: TermId, index: &[TermId], sort: SortId) -> Option<TermId> {
        let base = self.skip_stores(map, index);
        let term = self.t.term(base);
        let element = match term.op {
            Op::ConstMap => term.args[0],
            Op::Store if self.same_index(base, index) => term.args[term.args.len() - 1],
            _ => return None,
        };
        (self.t.sort(element) == sort).then_some(element)
    }

    /// The map below all stores at indices other than `index`.
    fn skip_stores(&self, mut map: TermId, index: &[TermId]) -> TermId {
        for _ in 0..STORES {
            let term = self.t.term(map);
            if term.op != Op::Store {
                break;
            }
            let there = &term.args[1..term.args.len() - 1];
            let differs = there.iter().zip(index).any(|(&i, &j)| {
                if self.t.sort(i) == self.t.sort(j) {
                    self.known_equal(i, j) == Some(false)
                } else {
                    !self.t.has_type_vars(self.t.sort(i)) && !self.t.has_type_vars(self.t.sort(j))
                }
            });
            if !differs {
                break;
            }
            map = term.args[0];
        }
        map
    }

    fn same_index(&self, store: TermId, index: &[TermId]) -> bool {
        let args = &self.t.term(store).args;
        let there = &args[1..args.len() - 1];
        there
            .iter()
            .zip(index)
            .all(|(&i, &j)| self.t.sort(i) == self.t.sort(j) && self.known_equal(i, j) == Some(true))
    }

    fn store(&mut self, mut args: Args, sort: SortId) -> TermId {
        let last = args.len() - 1;
        let element = args[last];
        while *self.op(args[0]) == Op::Store && self.same_index(args[0], &args[1..last]) {
            args[0] = self.t.term(args[0]).args[0];
        }
        let read = self.t.term(element);
        if read.op == Op::Select && read.args[..] == args[..last] {
            return args[0];
        }
        let map = self.t.term(args[0]);
        if map.op == Op::ConstMap && map.args[0] == element {
            return args[0];
        }
        self.t.mk(Op::Store, args, sort)
    }

    pub(super) fn apply(&mut self, f: FuncId, args: Args, sort: SortId) -> TermId {
        let (selected, constructor) = match self.t.function(f).kind {
            FuncKind::Selector { constructor, field } => (Some(field as usize), constructor),
            FuncKind::Tester { constructor } => (None, constructor),
            _ => return self.t.mk(Op::Apply(f), args, sort),
        };
        if let Some(decided) = self.on_constructor(args[0], constructor, selected) {
            return decided;
        }
        if let Some([c, yes, no]) = self.as_ite(args[0])
            && let Some(yes) = self.on_constructor(yes, constructor, selected)
            && let Some(no) = self.on_constructor(no, constructor, selected)
        {
            return self.app_sorted(Op::Ite, Args::from_slice(&[c, yes, no]), sort);
        }
        if selected.is_none()
            && let Sort::Ctor(datatype, _) = self.t.sort_of(self.t.sort(args[0]))
            && self.t.ctor(*datatype).constructors == [constructor]
        {
            return self.t.bool(true);
        }
        self.t.mk(Op::Apply(f), args, sort)
    }

    fn on_constructor(&mut self, x: TermId, constructor: FuncId, field: Option<usize>) -> Option<TermId> {
        let term = self.t.term(x);
        let Op::Apply(g) = term.op else { return None };
        if self.t.function(g).kind != FuncKind::Constructor {
            return None;
        }
        match field {
            Some(field) if g == constructor => term.args.get(field).copied(),
            Some(_) => None,
            None => Some(self.t.bool(g == constructor)),
        }
    }

    pub(super) fn binder(&mut self, b: Arc<Binder>, args: Args, sort: SortId) -> TermId {
        let body = args[0];
        if b.kind != BinderKind::Lambda && self.is_literal(body) {
            return body;
        }
        if !b.type_vars.is_empty() {
            return self.t.mk(Op::Bind(b), args, sort);
        }
        let mut used = FxHashSet::default();
        for t in self.t.post_order(&args) {
            if let Op::Var(s) = self.op(t) {
                used.insert(*s);
            }
        }
        if b.kind == BinderKind::Lambda {
            return self.lambda(b, args, sort, &used);
        }
        if b.vars.iter().all(|v| used.contains(v)) {
            return self.t.mk(Op::Bind(b), args, sort);
        }
        let vars: Vec<_> = b.vars.iter().copied().filter(|v| used.contains(v)).collect();
        if vars.is_empty() {
            return body;
        }
        let binder = Binder { vars, ..(*b).clone() };
        self.t.mk(Op::Bind(Arc::new(binder)), args, sort)
    }

    fn lambda(
        &mut self,
        b: Arc<Binder>,
        args: Args,
        sort: SortId,
        used: &FxHashSet<crate::SymbolId>,
    ) -> TermId {
        let body = args[0];
        if !b.vars.iter().any(|v| used.contains(v)) {
            return self.t.mk(Op::ConstMap, [body], sort);
        }
        let read = self.t.term(body);
        if read.op == Op::Select
            && self.t.sort(read.args[0]) == sort
            && read.args[1..].len() == b.vars.len()
            && read.args[1..].iter().zip(&b.vars).all(|(&i, v)| *self.op(i) == Op::Var(*v))
        {
            let map = read.args[0];
            let mentions = self.t.post_order(&[map]);
            if !mentions.iter().any(|&t| matches!(self.op(t), Op::Var(s) if b.vars.contains(s))) {
                return map;
            }
        }
        self.t.mk(Op::Bind(b), args, sort)
    }
}
