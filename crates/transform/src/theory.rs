//! Axiom selection: the axioms and function definitions that a formula needs.
//!
//! * A call of a function with a body is replaced by the body (macro expansion). A recursive function keeps its name
//!   and gets the axiom `∀x. f(x) = body` with the trigger `f(x)`.
//! * Axioms are selected that share functions or constants with the formula, directly or through other selected
//!   axioms, and axioms that mention neither functions nor constants. A formula over a type needs the axioms that may limit how
//!   many values that type has, too: those that quantify over it and compare values of it.
//! * Constants declared `unique` differ from each other; `extends` clauses and `<:` become the axioms of the partial
//!   order (This is Boogie 2, Leino 2008, section 3).
//!
//! **Example.** For a formula over `f` the axiom `f(0) == g(1)` is selected, and because of `g` so is `g(1) > 5`; an
//! axiom about `h` alone is not. `forall c: Color :: c == red || c == green` is selected for any formula over colours.
//!
//! **Direction of error.** Leaving axioms out weakens the formula, so what is proved stays proved. A run that is
//! found without an axiom would not exist if the axioms that are left out contradict each other. So `cover` first
//! asks whether all axioms together are contradictory ([`Theory::set_contradictory`]). Nor would it if axioms limited a type through
//! what functions make of it alone (`code(x) == code(y) ==> x == y`, and `code(x)` is 0 or 1), and the formula did not name these.

use std::sync::Arc;

use footpath_ir::{Constant, Program};
use footpath_term::{
    Binder, BinderKind, FuncId, FuncKind, Op, Sort, SortCtorId, SortId, SymbolId, TermId, Terms,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The axioms, functions and constants of a program, indexed so that those that a formula needs can be selected.
#[derive(Debug)]
pub struct Theory<'a> {
    program: &'a Program,
    definitions: FxHashMap<FuncId, (Vec<SymbolId>, TermId)>,
    recursive: FxHashSet<FuncId>,
    constants: FxHashSet<SymbolId>,
    /// For each axiom, the names that it mentions after expansion.
    mentioned: Vec<Vec<Name>>,
    /// The axioms that mention a name.
    mentioning: FxHashMap<Name, Vec<usize>>,
    /// The types that some axiom may limit.
    limited: FxHashSet<SortCtorId>,
    contradictory: bool,
}

/// The part of a theory that a formula needs.
#[derive(Debug, Default)]
pub struct Relevant {
    /// The formulas to be assumed.
    pub formulas: Vec<TermId>,
    /// Which of the program's axioms are among them, by position.
    pub axioms: Vec<usize>,
}

/// A function, constant or type of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Name {
    Function(FuncId),
    Constant(SymbolId),
    /// A type that some axiom may limit.
    Type(SortCtorId),
    Subtype,
}

impl<'a> Theory<'a> {
    /// The theory of a program.
    pub fn new(program: &'a Program) -> Theory<'a> {
        let definitions: FxHashMap<FuncId, (Vec<SymbolId>, TermId)> = program
            .functions
            .iter()
            .filter_map(|f| f.body.map(|body| (f.id, (f.params.clone(), body))))
            .collect();
        let recursive = recursive_functions(&program.terms, &definitions);
        let constants = program.constants.iter().map(|c| c.symbol).collect();
        let mut theory = Theory {
            program,
            definitions,
            recursive,
            constants,
            mentioned: Vec::new(),
            mentioning: FxHashMap::default(),
            limited: FxHashSet::default(),
            contradictory: false,
        };
        // What axioms mention is asked for with every formula. They are expanded for that in an arena of their own,
        // as there is none yet that formulas share with it; names are the program's.
        let mut terms = Terms::layer(Arc::clone(&program.terms));
        let axioms = theory.all_axioms(&mut terms);
        let limited: Vec<FxHashSet<SortCtorId>> =
            axioms.iter().map(|&axiom| limited_types(&terms, axiom)).collect();
        theory.limited = limited.iter().flatten().copied().collect();
        for (i, axiom) in axioms.into_iter().enumerate() {
            let mut names = FxHashSet::default();
            theory.add_names(&terms, &[axiom], &mut names);
            for &name in &names {
                if !matches!(name, Name::Type(ty) if !limited[i].contains(&ty)) {
                    theory.mentioning.entry(name).or_default().push(i);
                }
            }
            theory.mentioned.push(names.into_iter().collect());
        }
        theory
    }

    /// Replaces defined functions by their bodies.
    pub fn expand(&self, terms: &mut Terms, roots: &[TermId]) -> Vec<TermId> {
        if self.definitions.is_empty() {
            return roots.to_vec();
        }
        if !terms.post_order(roots).iter().any(|&t| self.is_replaced(&terms.term(t).op)) {
            return roots.to_vec();
        }
        let mut current = roots.to_vec();
        // Each round expands the outermost layer of definitions; the non-recursive ones are well-founded.
        loop {
            let order = terms.post_order(&current);
            let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
            let mut changed = false;
            for t in order {
                let term = terms.term(t).clone();
                let args: footpath_term::Args = term.args.iter().map(|a| done[a]).collect();
                let new = match term.op {
                    Op::Apply(f) if self.is_replaced(&term.op) => {
                        changed = true;
                        let (params, body) = &self.definitions[&f];
                        terms.unfold(f, params, *body, &args, term.sort)
                    }
                    op if args == term.args => {
                        let _ = op;
                        t
                    }
                    op => terms.app_sorted(op, args, term.sort),
                };
                done.insert(t, new);
            }
            current = current.iter().map(|t| done[t]).collect();
            if !changed {
                return current;
            }
        }
    }

    /// Whether it is the application of a function that has a body and is not defined through itself.
    fn is_replaced(&self, op: &Op) -> bool {
        matches!(op, Op::Apply(f) if self.definitions.contains_key(f) && !self.recursive.contains(f))
    }

    /// The axioms that `roots` (expanded) need, expanded, and how constants and recursive functions are defined.
    pub fn relevant(&self, terms: &mut Terms, roots: &[TermId]) -> Relevant {
        let mut names = FxHashSet::default();
        self.add_names(terms, roots, &mut names);
        if self.contradictory {
            names.extend(self.recursive.iter().copied().map(Name::Function));
            names.extend(self.constants.iter().copied().map(Name::Constant));
        }
        if self.says_nothing() && !names.contains(&Name::Subtype) {
            return Relevant::default();
        }
        let is_type = |name: &Name| matches!(name, Name::Type(_));
        let is_needed = |&i: &usize| self.contradictory || self.mentioned[i].iter().all(is_type);
        let mut axioms: FxHashSet<usize> = (0..self.mentioned.len()).filter(is_needed).collect();
        let mut taken = Vec::new();
        let mut defined = FxHashSet::default();
        loop {
            let before = names.len() + taken.len() + axioms.len();
            for f in self.used_recursive(&names, &mut defined) {
                let definition = self.definition_axiom(terms, f);
                self.add_names(terms, &[definition], &mut names);
                taken.push(definition);
            }
            self.connect(&mut names, &mut axioms);
            if names.contains(&Name::Subtype) {
                names.extend(self.program.constants.iter().flat_map(|c| {
                    c.extends.iter().flat_map(|e| e.parents.iter().map(|p| p.0)).map(Name::Constant)
                }));
                names.extend(
                    self.program
                        .constants
                        .iter()
                        .filter(|c| c.extends.is_some())
                        .map(|c| Name::Constant(c.symbol)),
                );
            }
            if names.len() + taken.len() + axioms.len() == before {
                break;
            }
        }
        let mut axioms: Vec<usize> = axioms.into_iter().collect();
        axioms.sort_unstable();
        let conditions: Vec<TermId> = axioms.iter().map(|&i| self.program.axioms[i].condition).collect();
        taken.extend(self.expand(terms, &conditions));
        self.unique_constants(terms, &names, &mut taken);
        if names.contains(&Name::Subtype) {
            let mut sorts: Vec<SortId> = Vec::new();
            for t in terms.post_order(&[roots, &taken].concat()) {
                if terms.term(t).op == Op::Subtype {
                    let sort = terms.sort(terms.term(t).args[0]);
                    if !sorts.contains(&sort) && !terms.has_type_vars(sort) {
                        sorts.push(sort);
                    }
                }
            }
            for sort in sorts {
                partial_order(terms, sort, &mut taken);
                self.extends_axioms(terms, sort, &mut taken);
            }
        }
        Relevant { formulas: taken, axioms }
    }

    /// Whether no formula without `<:` needs anything of the theory.
    pub fn says_nothing(&self) -> bool {
        self.mentioned.is_empty()
            && self.recursive.is_empty()
            && self.program.constants.iter().all(|c| !c.unique && c.extends.is_none())
    }

    /// Selects the axioms that mention one of `names`, directly or through other axioms, and adds what they mention
    /// to `names`.
    fn connect(&self, names: &mut FxHashSet<Name>, axioms: &mut FxHashSet<usize>) {
        let mentioned_by = |i: &usize| self.mentioned[*i].iter().copied();
        names.extend(axioms.iter().flat_map(mentioned_by));
        let mut pending: Vec<Name> = names.iter().copied().collect();
        while let Some(name) = pending.pop() {
            for &i in self.mentioning.get(&name).into_iter().flatten() {
                if axioms.insert(i) {
                    pending.extend(mentioned_by(&i).filter(|&n| names.insert(n)));
                }
            }
        }
    }

    /// The axioms of the program, expanded.
    pub fn all_axioms(&self, terms: &mut Terms) -> Vec<TermId> {
        let conditions: Vec<TermId> = self.program.axioms.iter().map(|a| a.condition).collect();
        self.expand(terms, &conditions)
    }

    /// The definitions of functions that are defined through themselves, as axioms.
    pub fn recursive_definitions(&self, terms: &mut Terms) -> Vec<(FuncId, TermId)> {
        let mut functions: Vec<FuncId> = self.recursive.iter().copied().collect();
        functions.sort_unstable();
        functions.into_iter().map(|f| (f, self.definition_axiom(terms, f))).collect()
    }

    /// What `unique` and `extends` say of all constants together, and of `<:` on sorts that axioms mention.
    pub fn order_axioms(&self, terms: &mut Terms, roots: &[TermId]) -> Vec<TermId> {
        let names = self.constants.iter().copied().map(Name::Constant).collect();
        let mut formulas = Vec::new();
        self.unique_constants(terms, &names, &mut formulas);
        let mut sorts: Vec<SortId> = Vec::new();
        let extending = self.program.constants.iter().filter(|c| c.extends.is_some());
        let mentioned = terms.post_order(roots).into_iter().filter(|&t| terms.term(t).op == Op::Subtype);
        let of_axioms = mentioned.map(|t| terms.sort(terms.term(t).args[0]));
        for sort in extending.map(|c| terms.symbol(c.symbol).sort).chain(of_axioms) {
            if !sorts.contains(&sort) && !terms.has_type_vars(sort) {
                sorts.push(sort);
            }
        }
        for sort in sorts {
            partial_order(terms, sort, &mut formulas);
            self.extends_axioms(terms, sort, &mut formulas);
        }
        formulas
    }

    /// To be called if the axioms contradict each other: from then on every formula needs them all.
    pub fn set_contradictory(&mut self) {
        self.contradictory = true;
    }

    fn add_names(&self, terms: &Terms, roots: &[TermId], names: &mut FxHashSet<Name>) {
        let mut sorts = FxHashSet::default();
        for t in terms.post_order(roots) {
            if !self.limited.is_empty() && sorts.insert(terms.sort(t)) {
                let types = declared_types(terms, terms.sort(t));
                names.extend(types.into_iter().filter(|ty| self.limited.contains(ty)).map(Name::Type));
            }
            match &terms.term(t).op {
                Op::Apply(f) if terms.function(*f).kind == FuncKind::Uninterpreted => {
                    names.insert(Name::Function(*f));
                }
                Op::Var(s) if self.constants.contains(s) => {
                    names.insert(Name::Constant(*s));
                }
                Op::Subtype => {
                    names.insert(Name::Subtype);
                }
                _ => {}
            }
        }
    }

    fn used_recursive(&self, names: &FxHashSet<Name>, defined: &mut FxHashSet<FuncId>) -> Vec<FuncId> {
        let mut used: Vec<FuncId> = self
            .recursive
            .iter()
            .copied()
            .filter(|f| names.contains(&Name::Function(*f)) && defined.insert(*f))
            .collect();
        used.sort_unstable();
        used
    }

    /// `∀x. f(x) = body`, with the trigger `f(x)`.
    fn definition_axiom(&self, terms: &mut Terms, f: FuncId) -> TermId {
        let (params, body) = &self.definitions[&f];
        let decl = terms.function(f).clone();
        let args: Vec<TermId> = params.iter().map(|&p| terms.var(p)).collect();
        let body = self.expand(terms, &[*body])[0];
        let application = terms.mk(Op::Apply(f), args, decl.result);
        let equation = terms.mk(Op::Eq, [application, body], SortId::BOOL);
        if params.is_empty() && decl.type_params.is_empty() {
            return equation;
        }
        let binder = Binder {
            kind: BinderKind::Forall,
            type_vars: decl.type_params,
            vars: params.clone(),
            triggers: Vec::new(),
            nopats: 0,
            weight: None,
        };
        terms.bind(binder, equation, &[vec![application]], &[])
    }

    fn unique_constants(&self, terms: &mut Terms, names: &FxHashSet<Name>, taken: &mut Vec<TermId>) {
        let mut by_sort: Vec<(SortId, Vec<TermId>)> = Vec::new();
        for c in self.program.constants.iter().filter(|c| c.unique) {
            if !names.contains(&Name::Constant(c.symbol)) {
                continue;
            }
            let sort = terms.symbol(c.symbol).sort;
            let term = terms.var(c.symbol);
            match by_sort.iter_mut().find(|(s, _)| *s == sort) {
                Some((_, group)) => group.push(term),
                None => by_sort.push((sort, vec![term])),
            }
        }
        for (_, group) in by_sort {
            if group.len() > 1 {
                taken.push(terms.mk(Op::Distinct, group, SortId::BOOL));
            }
        }
    }

    /// The axioms of the `extends` clauses of constants of `sort`: parents are above, nothing lies between, a
    /// complete constant has no other children, and below a unique edge each value has one chain of parents.
    fn extends_axioms(&self, terms: &mut Terms, sort: SortId, taken: &mut Vec<TermId>) {
        let constants: Vec<&Constant> =
            self.program.constants.iter().filter(|c| terms.symbol(c.symbol).sort == sort).collect();
        for c in &constants {
            let here = terms.var(c.symbol);
            let Some(extends) = &c.extends else { continue };
            let mut parents = Vec::new();
            for &(p, _) in &extends.parents {
                let parent = terms.var(p);
                parents.push(parent);
                let above = terms.mk(Op::Subtype, [here, parent], SortId::BOOL);
                taken.push(above);
                let distinct = terms.mk(Op::Distinct, [here, parent], SortId::BOOL);
                taken.push(distinct);
            }
            // ∀x. c <: x ⇒ c = x ∨ some parent <: x
            taken.push(for_all(terms, sort, 1, |terms, x| {
                let premise = terms.mk(Op::Subtype, [here, x[0]], SortId::BOOL);
                let mut cases = vec![terms.mk(Op::Eq, [here, x[0]], SortId::BOOL)];
                cases.extend(parents.iter().map(|&p| terms.mk(Op::Subtype, [p, x[0]], SortId::BOOL)));
                let conclusion = terms.mk(Op::Or, cases, SortId::BOOL);
                (terms.mk(Op::Implies, [premise, conclusion], SortId::BOOL), vec![premise])
            }));
            // Another parent may be below this one as far as the above goes.
            let several = if parents.len() > 1 { &parents[..] } else { &[] };
            for &p in several {
                // ∀x. c <: x ∧ x <: p ⇒ x = c ∨ x = p
                taken.push(for_all(terms, sort, 1, |terms, x| {
                    let [up, down] =
                        [(here, x[0]), (x[0], p)].map(|(a, b)| terms.mk(Op::Subtype, [a, b], SortId::BOOL));
                    let premise = terms.mk(Op::And, [up, down], SortId::BOOL);
                    let cases = [here, p].map(|end| terms.mk(Op::Eq, [x[0], end], SortId::BOOL));
                    let conclusion = terms.mk(Op::Or, cases, SortId::BOOL);
                    (terms.mk(Op::Implies, [premise, conclusion], SortId::BOOL), vec![up, down])
                }));
            }
        }
        for c in &constants {
            let here = terms.var(c.symbol);
            let children: Vec<TermId> = constants
                .iter()
                .filter(|d| d.extends.as_ref().is_some_and(|e| e.parents.iter().any(|&(p, _)| p == c.symbol)))
                .map(|d| terms.var(d.symbol))
                .collect();
            if c.extends.as_ref().is_some_and(|e| e.complete) {
                // ∀x. x <: c ⇒ x = c ∨ x <: some child
                taken.push(for_all(terms, sort, 1, |terms, x| {
                    let premise = terms.mk(Op::Subtype, [x[0], here], SortId::BOOL);
                    let mut cases = vec![terms.mk(Op::Eq, [x[0], here], SortId::BOOL)];
                    cases.extend(children.iter().map(|&d| terms.mk(Op::Subtype, [x[0], d], SortId::BOOL)));
                    let conclusion = terms.mk(Op::Or, cases, SortId::BOOL);
                    (terms.mk(Op::Implies, [premise, conclusion], SortId::BOOL), vec![premise])
                }));
            }
            let unique: Vec<TermId> = constants
                .iter()
                .filter(|d| {
                    d.extends.as_ref().is_some_and(|e| e.parents.iter().any(|&(p, u)| p == c.symbol && u))
                })
                .map(|d| terms.var(d.symbol))
                .collect();
            // Nothing lies below two different children of one parent if one of the edges is unique.
            for &u in &unique {
                for &d in children.iter().filter(|&&d| d != u) {
                    taken.push(for_all(terms, sort, 1, |terms, x| {
                        let below_u = terms.mk(Op::Subtype, [x[0], u], SortId::BOOL);
                        let below_d = terms.mk(Op::Subtype, [x[0], d], SortId::BOOL);
                        let both = terms.mk(Op::And, [below_u, below_d], SortId::BOOL);
                        (terms.mk(Op::Not, [both], SortId::BOOL), vec![below_u, below_d])
                    }));
                }
            }
        }
    }
}

/// The declared types that values of a sort are made of.
fn declared_types(terms: &Terms, sort: SortId) -> Vec<SortCtorId> {
    let (mut found, mut pending) = (Vec::new(), vec![sort]);
    while let Some(sort) = pending.pop() {
        match terms.sort_of(sort) {
            Sort::Ctor(ty, args) => {
                found.push(*ty);
                pending.extend(args);
            }
            Sort::Map { domain, range, .. } => {
                pending.extend(domain);
                pending.push(*range);
            }
            _ => {}
        }
    }
    found
}

/// The types of which an axiom may say that they have few values: it quantifies over them, and compares values made of them.
/// Without a comparison any value might be there twice. One that compares values of functions, as `f(x) == f(y) ==> x == y` does, is
/// about the function: more values may have more values of it.
fn limited_types(terms: &Terms, axiom: TermId) -> FxHashSet<SortCtorId> {
    let (mut quantified, mut compared) = (FxHashSet::default(), FxHashSet::default());
    let is_call = |&t: &TermId| matches!(terms.term(t).op, Op::Apply(_)) && !terms.term(t).args.is_empty();
    for t in terms.post_order(&[axiom]) {
        let term = terms.term(t);
        match &term.op {
            Op::Bind(binder) => {
                let sorts = binder.vars.iter().map(|&v| terms.symbol(v).sort);
                quantified.extend(sorts.flat_map(|sort| declared_types(terms, sort)));
            }
            Op::Eq | Op::Distinct if term.args.iter().any(is_call) => return FxHashSet::default(),
            Op::Eq | Op::Distinct => {
                compared.extend(term.args.iter().flat_map(|&a| declared_types(terms, terms.sort(a))));
            }
            _ => {}
        }
    }
    quantified.intersection(&compared).copied().collect()
}

/// Reflexive, antisymmetric, transitive.
fn partial_order(terms: &mut Terms, sort: SortId, taken: &mut Vec<TermId>) {
    let sub = |terms: &mut Terms, a: TermId, b: TermId| terms.mk(Op::Subtype, [a, b], SortId::BOOL);
    taken.push(for_all(terms, sort, 1, |terms, x| {
        let reflexive = sub(terms, x[0], x[0]);
        (reflexive, vec![reflexive])
    }));
    taken.push(for_all(terms, sort, 2, |terms, x| {
        let (ab, ba) = (sub(terms, x[0], x[1]), sub(terms, x[1], x[0]));
        let both = terms.mk(Op::And, [ab, ba], SortId::BOOL);
        let equal = terms.mk(Op::Eq, [x[0], x[1]], SortId::BOOL);
        (terms.mk(Op::Implies, [both, equal], SortId::BOOL), vec![ab, ba])
    }));
    taken.push(for_all(terms, sort, 3, |terms, x| {
        let (ab, bc, ac) = (sub(terms, x[0], x[1]), sub(terms, x[1], x[2]), sub(terms, x[0], x[2]));
        let both = terms.mk(Op::And, [ab, bc], SortId::BOOL);
        (terms.mk(Op::Implies, [both, ac], SortId::BOOL), vec![ab, bc])
    }));
}

/// `∀x₁…xₙ. body`, where `make` gives the body and its trigger.
fn for_all(
    terms: &mut Terms,
    sort: SortId,
    count: usize,
    make: impl FnOnce(&mut Terms, &[TermId]) -> (TermId, Vec<TermId>),
) -> TermId {
    let name: Arc<str> = "x".into();
    let vars: Vec<SymbolId> = (0..count).map(|_| terms.fresh_symbol(Arc::clone(&name), sort)).collect();
    let args: Vec<TermId> = vars.iter().map(|&v| terms.var(v)).collect();
    let (body, trigger) = make(terms, &args);
    let binder = Binder {
        kind: BinderKind::Forall,
        type_vars: Vec::new(),
        vars,
        triggers: Vec::new(),
        nopats: 0,
        weight: None,
    };
    terms.bind(binder, body, &[trigger], &[])
}

/// The recursive functions: those on a cycle of "is mentioned in the body of".
fn recursive_functions(
    terms: &Terms,
    definitions: &FxHashMap<FuncId, (Vec<SymbolId>, TermId)>,
) -> FxHashSet<FuncId> {
    let mentions: FxHashMap<FuncId, Vec<FuncId>> = definitions
        .iter()
        .map(|(&f, (_, body))| {
            let mentioned = terms
                .post_order(&[*body])
                .into_iter()
                .filter_map(|t| match terms.term(t).op {
                    Op::Apply(g) if definitions.contains_key(&g) => Some(g),
                    _ => None,
                })
                .collect();
            (f, mentioned)
        })
        .collect();
    definitions
        .keys()
        .copied()
        .filter(|&f| {
            let mut seen = FxHashSet::default();
            let mut stack = mentions[&f].clone();
            while let Some(g) = stack.pop() {
                if g == f {
                    return true;
                }
                if seen.insert(g) {
                    stack.extend(&mentions[&g]);
                }
            }
            false
        })
        .collect()
}
