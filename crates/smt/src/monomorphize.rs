//! Monomorphisation of formulas: type variables and polymorphic maps are instantiated away.
//!
//! Solvers have no quantifier over types and no map `<a>[Ref, Field a]a`. The method is that of Bobot and Paskevich
//! (*Expressing polymorphic types in a many-sorted language*, FroCoS 2011) and Leino and Rümmer (*A polymorphic
//! intermediate verification language*, TACAS 2010), but by instances and not by encoding types as terms: the
//! formulas stay as readable and as fast as their author made them.
//!
//! 1. A type variable that is not bound (of a polymorphic procedure that is analysed by itself) becomes a fresh
//!    uninterpreted sort.
//! 2. In each root, quantifiers over types move to the front where that only strengthens the formula (∀ in positive
//!    positions); in negative positions the type is a fresh one, a Skolem constant for types. Where a quantifier over
//!    types occurs in both, as below `⇔`, a boolean replaces it and is defined by two implications.
//! 3. Quantified types are instantiated as E-matching instantiates values: each application of a polymorphic
//!    function, and each access to a polymorphic map, in an axiom is a pattern for those in ground terms. The
//!    instances add new ground terms, up to a fixpoint or a budget.
//! 4. Each instance of a function becomes a function, and each polymorphic map a tuple of ordinary ones
//!    (`monomorphize/maps.rs`).
//!
//! Equations between values whose types only an instantiation makes equal wait for the instances
//! (`monomorphize/equality.rs`).
//!
//! **Example.** With the axiom `∀<a> ∀x: a. f(x) > 0` and the ground term `f(true)`, `a` is instantiated by `bool`,
//! which gives `∀x: bool. f_bool(x) > 0`.
//!
//! **Direction of error.** Instances that are left out make the formula weaker: `Unsat` is right, `Sat` may be wrong
//! where [`Completeness::Incomplete`] says so, or where axioms contradict each other at types that are mentioned
//! nowhere. A fresh type in place of an unknown one (1 and 2) excludes that the unknown type is one of the others,
//! where fields of the two may be the same field: `Sat` is right, `Unsat` may be wrong, and [`Monomorphic::narrowed`]
//! says so. Where no polymorphic map is used at both, a model in which the unknown type is `int` is one with a copy
//! of the integers as well (functions at the two types are different functions that happen to agree): there `Unsat`
//! is right. [`weaken`] leaves out the claims about such types of 2.

mod equality;
mod maps;

use std::sync::Arc;

use footpath_term::{
    Args, Binder, BinderKind, FuncId, Op, Sort, SortId, SymbolId, TermId, Terms, TypeSubstitution, TypeVarId,
    Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::solver::Unsupported;
use equality::Equations;
use maps::Maps;

/// The default limit on instances of axioms.
pub const DEFAULT_INSTANCES: usize = 2000;
/// Sorts nested deeper are not used for instances: axioms that build larger sorts would be instantiated without end.
const SORT_DEPTH: u32 = 6;

/// Whether formulas have type variables or polymorphic maps.
pub fn is_polymorphic(terms: &Terms, roots: &[TermId]) -> bool {
    fn mentions(terms: &Terms, sort: SortId) -> bool {
        match terms.sort_of(sort) {
            Sort::Var(_) => true,
            Sort::Ctor(_, args) => args.iter().any(|&a| mentions(terms, a)),
            Sort::Map { params, domain, range } => {
                *params > 0 || domain.iter().chain([range]).any(|&a| mentions(terms, a))
            }
            _ => false,
        }
    }
    let sorts: FxHashSet<SortId> = terms.post_order(roots).iter().map(|&t| terms.sort(t)).collect();
    sorts.into_iter().any(|s| mentions(terms, s))
}

/// Why formulas are incomplete that compare values of a fresh type with others.
const UNKNOWN_EQUATION: &str = "an equation between values of types that may be the same or not";

/// Whether all instances that matter were made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// All of them.
    Complete,
    /// Some may be missing: the formula is weaker than it should be.
    Incomplete(String),
}

/// The monomorphic formulas, and the tables for translating terms and values back.
#[derive(Debug)]
pub struct Monomorphic {
    /// The formulas, in no particular order; there may be more or fewer than there were.
    pub roots: Vec<TermId>,
    /// Whether the formulas are as strong as the originals.
    pub completeness: Completeness,
    /// Whether a fresh type replaces an unknown one, and a polymorphic map may be used both there and at another
    /// type. The unknown type may really be the other one, `int` for example, and then a value written at one is read
    /// at the other: `Unsat` does not cover that case, `Sat` is right.
    pub narrowed: bool,
    free_types: TypeSubstitution,
    free_symbols: FxHashMap<SymbolId, TermId>,
    maps: Maps,
}

impl Monomorphic {
    /// A term about the same symbols, translated in the same way.
    ///
    /// # Errors
    /// If it has quantifiers over types, or uses a polymorphic map, or a function that axioms are about, at types at which the formulas
    /// do not.
    pub fn rewrite(&mut self, terms: &mut Terms, t: TermId) -> Result<TermId, Unsupported> {
        let equations = &mut self.maps.equations;
        let t = equations.hide(terms, &[t]);
        let t = free_types(terms, &t, &mut self.free_types, &mut self.free_symbols)[0];
        self.free_types.values().for_each(|&s| equations.add_fresh(terms, s));
        let t = self.maps.rewrite(terms, t)?;
        if self.maps.equations.unknown && self.completeness == Completeness::Complete {
            self.completeness = Completeness::Incomplete(UNKNOWN_EQUATION.to_owned());
        }
        Ok(t)
    }

    /// The value of a term of sort `sort`, from the value of its translation by [`Monomorphic::rewrite`].
    pub fn restore(&self, terms: &Terms, value: &Value, sort: SortId) -> Value {
        self.maps.restore(terms, value, sort)
    }
}

/// A type-quantified formula.
struct Axiom {
    type_vars: Vec<TypeVarId>,
    body: TermId,
    /// Sets of patterns; each set mentions all type variables.
    covers: Vec<Vec<Atom>>,
    made: FxHashSet<Vec<SortId>>,
}

/// An application with type arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Atom {
    head: Head,
    args: Vec<SortId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Head {
    /// A polymorphic function.
    Function(FuncId),
    /// An access to a polymorphic map: the map's sort, then the sorts that its parameters stand for.
    Map,
    /// Any term; its sort.
    Sort,
}

/// Rewrites `roots` into equisatisfiable formulas without type variables and polymorphic maps, making at most
/// `budget` instances of axioms.
///
/// # Errors
/// If there is a polymorphic lambda, constant map or literal, or a datatype that holds polymorphic maps.
pub fn monomorphize(terms: &mut Terms, roots: &[TermId], budget: usize) -> Result<Monomorphic, Unsupported> {
    rewrite(terms, roots, budget, false)
}

/// As [`monomorphize`], without claims about unknown types: the formulas get weaker instead of narrower, so that
/// `Unsat` is right. Only a type variable that is not bound still becomes a fresh sort, and counts as narrowed.
///
/// # Errors As for [`monomorphize`].
pub fn weaken(terms: &mut Terms, roots: &[TermId], budget: usize) -> Result<Monomorphic, Unsupported> {
    rewrite(terms, roots, budget, true)
}

fn rewrite(
    terms: &mut Terms,
    roots: &[TermId],
    budget: usize,
    weaken: bool,
) -> Result<Monomorphic, Unsupported> {
    let mut free = TypeSubstitution::default();
    let mut symbols = FxHashMap::default();
    let mut equations = Equations::default();
    let roots = equations.hide(terms, roots);
    // While types are still variables: with types in their place, a read of one behind a write of another is simplified.
    let shared = has_shared_maps(terms, &roots, &equations);
    let roots = free_types(terms, &roots, &mut free, &mut symbols);
    free.values().for_each(|&s| equations.add_fresh(terms, s));
    let mut work = Work {
        terms,
        queue: roots,
        ground: Vec::new(),
        axioms: Vec::new(),
        incomplete: None,
        weaken,
        skolemized: false,
        equations,
    };
    work.split();
    work.instantiate(budget);
    let Work { ground, mut incomplete, skolemized, equations, axioms, .. } = work;
    let mut maps = Maps::new(terms, &ground, equations)?;
    let roots = ground.iter().map(|&t| maps.rewrite(terms, t)).collect::<Result<Vec<_>, _>>()?;
    maps.is_complete = !axioms.is_empty();
    if maps.equations.unknown {
        incomplete.get_or_insert_with(|| UNKNOWN_EQUATION.to_owned());
    }
    let completeness = incomplete.map_or(Completeness::Complete, Completeness::Incomplete);
    let narrowed = skolemized || (shared && !free.is_empty());
    Ok(Monomorphic { roots, completeness, narrowed, free_types: free, free_symbols: symbols, maps })
}

/// Whether some polymorphic map may be used at two types that may be the same, one of which is unknown.
fn has_shared_maps(terms: &Terms, roots: &[TermId], equations: &Equations) -> bool {
    let order = terms.post_order(roots);
    let mut bound = FxHashSet::default();
    let mut uses: FxHashMap<SortId, Vec<Vec<SortId>>> = FxHashMap::default();
    for &t in &order {
        match &terms.term(t).op {
            Op::Bind(b) => bound.extend(b.type_vars.iter().copied()),
            Op::Select | Op::Store => {
                if !matches!(terms.sort_of(terms.sort(terms.term(t).args[0])), Sort::Map { params: 1.., .. })
                {
                    continue;
                }
                let Some((map, instance)) = map_access(terms, t) else { return true };
                let uses = uses.entry(map).or_default();
                if !uses.contains(&instance) {
                    uses.push(instance);
                }
            }
            _ => {}
        }
    }
    let is_bound = |instance: &Vec<SortId>| {
        let mut found = Vec::new();
        instance.iter().for_each(|&sort| type_vars(terms, sort, &mut found));
        found.iter().any(|v| bound.contains(v))
    };
    let may_be = |a: &[SortId], b: &[SortId]| {
        a.iter().zip(b).all(|(&a, &b)| equations.meaning(terms, a, b) != equality::Meaning::Never)
    };
    uses.values().any(|instances| {
        instances.iter().enumerate().any(|(i, a)| is_bound(a) || instances[..i].iter().any(|b| may_be(a, b)))
    })
}

/// Replaces each type variable that is not bound by a fresh sort.
fn free_types(
    terms: &mut Terms,
    roots: &[TermId],
    types: &mut TypeSubstitution,
    symbols: &mut FxHashMap<SymbolId, TermId>,
) -> Vec<TermId> {
    let order = terms.post_order(roots);
    let mut bound_types = FxHashSet::default();
    let mut bound_symbols = FxHashSet::default();
    for &t in &order {
        if let Op::Bind(b) = &terms.term(t).op {
            bound_types.extend(b.type_vars.iter().copied());
            bound_symbols.extend(b.vars.iter().copied());
        }
    }
    let mut found = Vec::new();
    for &t in &order {
        type_vars(terms, terms.sort(t), &mut found);
    }
    for v in found {
        if !bound_types.contains(&v) && !types.contains_key(&v) {
            let ctor = terms.declare_ctor(terms.type_var(v).to_owned(), 0);
            let sort = terms.mk_sort(Sort::Ctor(ctor, vec![]));
            types.insert(v, sort);
        }
    }
    if types.is_empty() {
        return roots.to_vec();
    }
    for &t in &order {
        let Op::Var(s) = terms.term(t).op else { continue };
        let sort = terms.sort(t);
        if !bound_symbols.contains(&s) && !symbols.contains_key(&s) && terms.has_type_vars(sort) {
            let sort = terms.substitute_sort(sort, types);
            let name = Arc::clone(&terms.symbol(s).name);
            let fresh = terms.fresh_var(name, sort);
            symbols.insert(s, fresh);
        }
    }
    terms.substitute_all(roots, symbols, types)
}

fn type_vars(terms: &Terms, sort: SortId, found: &mut Vec<TypeVarId>) {
    match terms.sort_of(sort) {
        Sort::Var(v) if !found.contains(v) => found.push(*v),
        Sort::Ctor(_, args) => args.iter().for_each(|&a| type_vars(terms, a, found)),
        Sort::Map { domain, range, .. } => {
            domain.iter().chain([range]).for_each(|&a| type_vars(terms, a, found));
        }
        _ => {}
    }
}

fn depth(terms: &Terms, sort: SortId) -> u32 {
    let deepest = |sorts: &[SortId]| sorts.iter().map(|&s| depth(terms, s)).max().unwrap_or(0);
    match terms.sort_of(sort) {
        Sort::Ctor(_, args) => 1 + deepest(args),
        Sort::Map { domain, range, .. } => 1 + deepest(domain).max(depth(terms, *range)),
        _ => 0,
    }
}

struct Work<'a> {
    terms: &'a mut Terms,
    /// Formulas that are still to be split.
    queue: Vec<TermId>,
    /// Formulas without quantifiers over types.
    ground: Vec<TermId>,
    axioms: Vec<Axiom>,
    incomplete: Option<String>,
    /// Whether claims that some type exists are left out.
    weaken: bool,
    /// Whether a fresh type stands for one that a formula claims to exist.
    skolemized: bool,
    equations: Equations,
}

impl Work<'_> {
    /// Splits the queue into ground formulas and axioms.
    fn split(&mut self) {
        while let Some(t) = self.queue.pop() {
            if self.terms.term(t).op == Op::And {
                self.queue.extend(self.terms.term(t).args.iter().rev().copied());
                continue;
            }
            let typed = self.typed(t);
            if !typed.contains(&t) {
                self.ground.push(t);
                continue;
            }
            let mut walk = Walk { work: self, typed, type_vars: Vec::new(), scope: Vec::new() };
            let body = walk.walk(t, true);
            let type_vars = walk.type_vars;
            if type_vars.is_empty() {
                self.ground.push(body);
            } else {
                let covers = self.covers(body, &type_vars);
                self.axioms.push(Axiom { type_vars, body, covers, made: FxHashSet::default() });
            }
        }
        self.ground.reverse();
        self.axioms.reverse();
    }

    /// The subterms that contain a quantifier over types.
    fn typed(&self, t: TermId) -> FxHashSet<TermId> {
        let mut typed = FxHashSet::default();
        for t in self.terms.post_order(&[t]) {
            let term = self.terms.term(t);
            let quantified = matches!(&term.op, Op::Bind(b)
                if b.kind != BinderKind::Lambda && !b.type_vars.is_empty());
            if quantified || term.args.iter().any(|a| typed.contains(a)) {
                typed.insert(t);
            }
        }
        typed
    }

    fn atoms(&self, t: TermId, seen: &mut FxHashSet<TermId>) -> Vec<Atom> {
        let mut atoms = Vec::new();
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let term = self.terms.term(t);
            stack.extend(term.args.iter().copied());
            atoms.push(Atom { head: Head::Sort, args: vec![term.sort] });
            match &term.op {
                Op::Apply(f) if !self.equations.is_hidden(*f) => {
                    if let Some(args) = type_arguments(self.terms, *f, &term.args, term.sort) {
                        atoms.push(Atom { head: Head::Function(*f), args });
                    }
                }
                Op::Select | Op::Store => {
                    if let Some((map, args)) = map_access(self.terms, t) {
                        let args = std::iter::once(map).chain(args).collect();
                        atoms.push(Atom { head: Head::Map, args });
                    }
                }
                _ => {}
            }
        }
        atoms
    }

    /// Sets of patterns that mention all of `vars`: single patterns where there are some.
    fn covers(&self, body: TermId, vars: &[TypeVarId]) -> Vec<Vec<Atom>> {
        let mut patterns: Vec<(Atom, Vec<TypeVarId>)> = Vec::new();
        for atom in self.atoms(body, &mut FxHashSet::default()) {
            let mut has = Vec::new();
            atom.args.iter().for_each(|&a| type_vars(self.terms, a, &mut has));
            has.retain(|v| vars.contains(v));
            if !has.is_empty() && !patterns.iter().any(|(a, _)| *a == atom) {
                patterns.push((atom, has));
            }
        }
        let whole: Vec<Vec<Atom>> = patterns
            .iter()
            .filter(|(a, has)| a.head != Head::Sort && has.len() == vars.len())
            .map(|(a, _)| vec![a.clone()])
            .collect();
        if !whole.is_empty() {
            return whole;
        }
        // Functions and maps first, then sorts, the structured ones before bare variables.
        patterns.sort_by_key(|(a, has)| {
            let bare = a.head == Head::Sort && matches!(self.terms.sort_of(a.args[0]), Sort::Var(_));
            (a.head == Head::Sort, bare, std::cmp::Reverse(has.len()))
        });
        let mut cover = Vec::new();
        let mut missing: Vec<TypeVarId> = vars.to_vec();
        for (atom, has) in patterns {
            if has.iter().any(|v| missing.contains(v)) {
                missing.retain(|v| !has.contains(v));
                cover.push(atom);
            }
        }
        if missing.is_empty() { vec![cover] } else { Vec::new() }
    }

    /// Instantiates the axioms until there are no new instances.
    fn instantiate(&mut self, budget: usize) {
        let mut instances: FxHashMap<Head, Vec<Vec<SortId>>> = FxHashMap::default();
        let mut known: FxHashSet<Atom> = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut next = 0;
        let mut made = 0;
        for axiom in &self.axioms {
            if axiom.covers.is_empty() {
                self.incomplete = Some("a type variable occurs in no term".to_owned());
            }
        }
        loop {
            while next < self.ground.len() {
                for atom in self.atoms(self.ground[next], &mut seen) {
                    if atom.args.iter().any(|&a| self.terms.has_type_vars(a)) {
                        continue;
                    }
                    let fits = atom.args.iter().all(|&a| depth(self.terms, a) <= SORT_DEPTH);
                    if !fits && atom.head != Head::Sort && !self.axioms.is_empty() {
                        self.incomplete.get_or_insert_with(|| "axioms build ever larger types".to_owned());
                    }
                    if fits && known.insert(atom.clone()) {
                        instances.entry(atom.head).or_default().push(atom.args);
                    }
                }
                next += 1;
            }
            let mut fresh: Vec<(usize, Vec<SortId>)> = Vec::new();
            for (i, axiom) in self.axioms.iter().enumerate() {
                for cover in &axiom.covers {
                    for found in matches(self.terms, cover, &instances) {
                        let args: Option<Vec<SortId>> =
                            axiom.type_vars.iter().map(|v| found.get(v).copied()).collect();
                        let new = args.filter(|a| !axiom.made.contains(a));
                        fresh.extend(new.map(|a| (i, a)));
                    }
                }
            }
            if fresh.is_empty() {
                return;
            }
            for (i, args) in fresh {
                if !self.axioms[i].made.insert(args.clone()) {
                    continue;
                }
                if made >= budget {
                    self.incomplete = Some(format!("more than {budget} instances of axioms"));
                    return;
                }
                made += 1;
                let types: TypeSubstitution = self.axioms[i].type_vars.iter().copied().zip(args).collect();
                let instance = instance(self.terms, self.axioms[i].body, &types);
                self.ground.push(instance);
            }
        }
    }
}

/// A formula at particular types.
fn instance(terms: &mut Terms, t: TermId, types: &TypeSubstitution) -> TermId {
    terms.substitute_all(&[t], &FxHashMap::default(), types)[0]
}

/// All ways to match a set of patterns.
fn matches(
    terms: &Terms,
    cover: &[Atom],
    instances: &FxHashMap<Head, Vec<Vec<SortId>>>,
) -> Vec<FxHashMap<TypeVarId, SortId>> {
    let mut found = vec![FxHashMap::default()];
    for atom in cover {
        let mut next = Vec::new();
        for so_far in &found {
            for args in instances.get(&atom.head).into_iter().flatten() {
                let mut more: FxHashMap<TypeVarId, SortId> = so_far.clone();
                if atom.args.iter().zip(args).all(|(&p, &a)| terms.match_sort(p, a, &mut more)) {
                    next.push(more);
                }
            }
        }
        found = next;
    }
    found
}

/// The type arguments of an application; `None` if the function has no type parameters.
fn type_arguments(terms: &Terms, f: FuncId, args: &[TermId], sort: SortId) -> Option<Vec<SortId>> {
    let decl = terms.function(f);
    if decl.type_params.is_empty() {
        return None;
    }
    let mut found = FxHashMap::default();
    for (&p, &a) in decl.params.iter().zip(args) {
        terms.match_sort(p, terms.sort(a), &mut found);
    }
    terms.match_sort(decl.result, sort, &mut found);
    decl.type_params.iter().map(|v| found.get(v).copied()).collect()
}

/// The sort of the polymorphic map that a term reads or writes, and the sorts that its parameters stand for.
fn map_access(terms: &Terms, t: TermId) -> Option<(SortId, Vec<SortId>)> {
    let term = terms.term(t);
    let (&map, rest) = term.args.split_first()?;
    let map = terms.sort(map);
    let Sort::Map { params: 1.., domain, .. } = terms.sort_of(map) else { return None };
    let indices: Vec<SortId> = rest[..domain.len()].iter().map(|&i| terms.sort(i)).collect();
    let element = if term.op == Op::Select { term.sort } else { terms.sort(*rest.last()?) };
    Some((map, terms.map_instance_with(map, &indices, element)?))
}

/// Removes the quantifiers over types from one formula.
struct Walk<'a, 'b> {
    work: &'a mut Work<'b>,
    typed: FxHashSet<TermId>,
    /// The type variables quantified in front.
    type_vars: Vec<TypeVarId>,
    /// The variables bound here.
    scope: Vec<SymbolId>,
}

impl Walk<'_, '_> {
    fn walk(&mut self, t: TermId, positive: bool) -> TermId {
        if !self.typed.contains(&t) {
            return t;
        }
        let term = self.work.terms.term(t).clone();
        match &term.op {
            Op::Bind(b) if b.kind != BinderKind::Lambda => {
                let b = Arc::clone(b);
                let universal = (b.kind == BinderKind::Forall) == positive;
                if !universal && !b.type_vars.is_empty() && self.work.weaken {
                    self.work.incomplete.get_or_insert_with(|| "a claim that some type exists".to_owned());
                    return self.work.terms.bool(positive);
                }
                self.scope.extend(b.vars.iter().copied());
                let mut skolem = TypeSubstitution::default();
                if universal {
                    self.type_vars.extend(b.type_vars.iter().copied());
                } else {
                    for &v in &b.type_vars {
                        skolem.insert(v, self.skolem(v));
                    }
                }
                let body = self.walk(term.args[0], positive);
                self.scope.truncate(self.scope.len() - b.vars.len());
                let mut args = term.args.clone();
                args[0] = body;
                if b.vars.is_empty() {
                    return if skolem.is_empty() { body } else { instance(self.work.terms, body, &skolem) };
                }
                let binder = Binder { type_vars: vec![], ..(*b).clone() };
                let plain = self.work.terms.mk(Op::Bind(Arc::new(binder)), args, SortId::BOOL);
                if skolem.is_empty() { plain } else { instance(self.work.terms, plain, &skolem) }
            }
            Op::Not => {
                let a = self.walk(term.args[0], !positive);
                self.work.terms.app(Op::Not, [a])
            }
            Op::And | Op::Or => {
                let args: Args = term.args.iter().map(|&a| self.walk(a, positive)).collect();
                self.work.terms.app(term.op.clone(), args)
            }
            Op::Implies if term.args.len() == 2 => {
                let (a, b) = (self.walk(term.args[0], !positive), self.walk(term.args[1], positive));
                self.work.terms.app(Op::Implies, [a, b])
            }
            Op::Ite if !self.typed.contains(&term.args[0]) => {
                let (a, b) = (self.walk(term.args[1], positive), self.walk(term.args[2], positive));
                self.work.terms.app(Op::Ite, [term.args[0], a, b])
            }
            _ => self.name_parts(t),
        }
    }

    /// A fresh type, a Skolem function of the type variables that are quantified in front.
    fn skolem(&mut self, v: TypeVarId) -> SortId {
        self.work.skolemized = true;
        let terms = &mut *self.work.terms;
        let ctor = terms.declare_ctor(terms.type_var(v).to_owned(), self.type_vars.len() as u32);
        let args = self.type_vars.iter().map(|&v| terms.mk_sort(Sort::Var(v))).collect();
        let sort = terms.mk_sort(Sort::Ctor(ctor, args));
        self.work.equations.add_fresh(self.work.terms, sort);
        sort
    }

    /// Replaces the quantifiers below `t` by booleans, and defines those in additional formulas.
    fn name_parts(&mut self, t: TermId) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut stack = vec![(t, false)];
        while let Some((u, expanded)) = stack.pop() {
            if done.contains_key(&u) {
                continue;
            }
            if !self.typed.contains(&u) {
                done.insert(u, u);
                continue;
            }
            let term = self.work.terms.term(u).clone();
            if matches!(&term.op, Op::Bind(_)) {
                let name = self.name(u);
                done.insert(u, name);
            } else if expanded {
                let args: Args = term.args.iter().map(|a| done[a]).collect();
                let new = self.work.terms.app_sorted(term.op, args, term.sort);
                done.insert(u, new);
            } else {
                stack.push((u, true));
                stack.extend(term.args.iter().map(|&a| (a, false)));
            }
        }
        done[&t]
    }

    fn name(&mut self, u: TermId) -> TermId {
        let free = self.work.terms.free_symbols(&[u]);
        let open = free.iter().any(|s| self.scope.contains(s)) || !self.type_vars.is_empty();
        let terms = &mut *self.work.terms;
        let q = terms.fresh_var("quantified", SortId::BOOL);
        if !open {
            let (not_q, not_u) = (terms.app(Op::Not, [q]), terms.mk(Op::Not, [u], SortId::BOOL));
            let implies = terms.mk(Op::Or, [not_q, u], SortId::BOOL);
            let follows = terms.mk(Op::Or, [q, not_u], SortId::BOOL);
            self.work.queue.extend([implies, follows]);
            return q;
        }
        // One boolean for each choice of the bound variables; nothing is said about it.
        self.work.incomplete = Some("a quantifier over types under another one and ⇔".to_owned());
        let vars: Vec<SymbolId> = free.into_iter().filter(|s| self.scope.contains(s)).collect();
        let args: Args = vars.iter().map(|&s| terms.var(s)).collect();
        let params: Vec<SortId> = args.iter().map(|&a| terms.sort(a)).collect();
        let mut type_params = Vec::new();
        params.iter().for_each(|&p| type_vars(terms, p, &mut type_params));
        let f = terms.declare_function(footpath_term::FuncDecl {
            name: "quantified".into(),
            type_params,
            params,
            result: SortId::BOOL,
            kind: footpath_term::FuncKind::Uninterpreted,
        });
        terms.mk(Op::Apply(f), args, SortId::BOOL)
    }
}
