//! Monomorphisation of polymorphic maps: each becomes a tuple of ordinary maps.
//!
//! A map `<a>[Ref, Field a]a` is one ordinary map for each type that `a` can be. A formula accesses finitely many of
//! them: those become the fields of a tuple, with one more field of an uninterpreted sort for all the others. A read
//! selects the field of its type; a write makes a tuple that differs in one field; two such maps are equal if all
//! fields are, the last one included.
//!
//! **Example.** A heap that is read at `Field int` and at `Field bool` becomes a tuple
//! `(ints: [Ref, Field int]int, bools: [Ref, Field bool]bool, others)`.
//!
//! In the same pass instances of polymorphic functions become functions, and functions over polymorphic maps become
//! functions over tuples. Afterwards no sort depends on a type parameter, except for parametric datatypes, which
//! solvers support.
//!
//! **Direction of error.** None: the translation is exact.

use std::collections::BTreeMap;
use std::sync::Arc;

use footpath_term::{
    Args, Binder, FuncDecl, FuncId, FuncKind, MapValue, Op, Sort, SortId, SymbolId, TermId, Terms, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::equality::{Equations, Meaning};
use super::map_access;
use crate::solver::Unsupported;

type Result<T> = std::result::Result<T, Unsupported>;

/// A polymorphic map as a tuple.
#[derive(Debug)]
struct Tuple {
    make: FuncId,
    /// For each field, the sorts that the map's parameters stand for, the selector, and the sort of the field.
    fields: Vec<(Vec<SortId>, FuncId, SortId)>,
    rest: (FuncId, SortId),
}

#[derive(Default, Debug)]
pub(super) struct Maps {
    /// The type arguments at which each polymorphic map is used.
    uses: FxHashMap<SortId, Vec<Vec<SortId>>>,
    tuples: FxHashMap<SortId, Tuple>,
    sorts: FxHashMap<SortId, SortId>,
    /// The original sorts, by the sorts that replace them.
    originals: FxHashMap<SortId, SortId>,
    symbols: FxHashMap<SymbolId, SymbolId>,
    functions: FxHashMap<(FuncId, Vec<SortId>, SortId), FuncId>,
    /// Whether axioms were instantiated for these functions, so that nothing is known of further ones.
    pub(super) is_complete: bool,
    done: FxHashMap<TermId, TermId>,
    /// Equations between values of types that were different before they were instantiated.
    pub(super) equations: Equations,
}

impl Maps {
    /// Prepares the tables for formulas without quantifiers over types.
    pub(super) fn new(terms: &mut Terms, roots: &[TermId], equations: Equations) -> Result<Maps> {
        let mut maps = Maps { equations, ..Maps::default() };
        for t in terms.post_order(roots) {
            if let Op::Select | Op::Store = terms.term(t).op
                && let Some((map, instance)) = map_access(terms, t)
            {
                let uses = maps.uses.entry(map).or_default();
                if !uses.contains(&instance) {
                    uses.push(instance);
                }
            }
        }
        // All sorts now, so that terms that come later do not change them.
        for t in terms.post_order(roots) {
            let sort = terms.sort(t);
            maps.sort(terms, sort)?;
        }
        Ok(maps)
    }

    fn sort(&mut self, terms: &mut Terms, id: SortId) -> Result<SortId> {
        if let Some(&s) = self.sorts.get(&id) {
            return Ok(s);
        }
        let new = match terms.sort_of(id).clone() {
            Sort::Ctor(c, args) => {
                for f in terms.ctor(c).constructors.clone() {
                    let params = terms.function(f).params.clone();
                    if params.iter().any(|&p| polymorphic(terms, p)) {
                        return Err(Unsupported(format!(
                            "the datatype {}, which holds polymorphic maps",
                            terms.ctor(c).name
                        )));
                    }
                }
                let args = args.into_iter().map(|a| self.sort(terms, a)).collect::<Result<_>>()?;
                terms.mk_sort(Sort::Ctor(c, args))
            }
            Sort::Map { params: 0, domain, range } => {
                let domain = domain.into_iter().map(|d| self.sort(terms, d)).collect::<Result<_>>()?;
                let range = self.sort(terms, range)?;
                terms.map_sort(domain, range)
            }
            Sort::Map { domain, range, .. } => return self.tuple(terms, id, &domain, range),
            Sort::Var(_) | Sort::Bound { .. } => {
                return Err(Unsupported(format!("the polymorphic type {}", terms.display_sort(id))));
            }
            _ => id,
        };
        self.sorts.insert(id, new);
        if new != id {
            self.originals.entry(new).or_insert(id);
        }
        Ok(new)
    }

    fn tuple(&mut self, terms: &mut Terms, id: SortId, domain: &[SortId], range: SortId) -> Result<SortId> {
        let name = terms.display_sort(id).to_string();
        let ctor = terms.declare_ctor(name.clone(), 0);
        let tuple = terms.mk_sort(Sort::Ctor(ctor, vec![]));
        // Before its fields, which may lead back to it.
        self.sorts.insert(id, tuple);
        self.originals.insert(tuple, id);
        let other = terms.declare_ctor(format!("{name} elsewhere"), 0);
        let other = terms.mk_sort(Sort::Ctor(other, vec![]));
        let instances = self.uses.get(&id).cloned().unwrap_or_default();
        let mut params = Vec::new();
        for instance in &instances {
            let domain: Vec<SortId> =
                domain.iter().map(|&d| terms.instantiate_bound(d, 0, instance)).collect();
            let range = terms.instantiate_bound(range, 0, instance);
            let field = terms.map_sort(domain, range);
            params.push(self.sort(terms, field)?);
        }
        params.push(other);
        let declare = |terms: &mut Terms,
                       name: String,
                       params: Vec<SortId>,
                       result: SortId,
                       kind: FuncKind| {
            terms.declare_function(FuncDecl { name: name.into(), type_params: vec![], params, result, kind })
        };
        let make = declare(terms, format!("make {name}"), params.clone(), tuple, FuncKind::Constructor);
        let mut select = |i: usize| {
            let kind = FuncKind::Selector { constructor: make, field: i as u32 };
            declare(terms, format!("{name} {i}"), vec![tuple], params[i], kind)
        };
        let selectors: Vec<FuncId> = (0..params.len()).map(&mut select).collect();
        terms.set_constructors(ctor, vec![make]);
        let rest = (selectors[instances.len()], other);
        let fields = instances.into_iter().enumerate().map(|(i, n)| (n, selectors[i], params[i])).collect();
        self.tuples.insert(id, Tuple { make, fields, rest });
        Ok(tuple)
    }

    pub(super) fn rewrite(&mut self, terms: &mut Terms, root: TermId) -> Result<TermId> {
        let mut stack = vec![(root, false)];
        while let Some((t, expanded)) = stack.pop() {
            if self.done.contains_key(&t) {
                continue;
            }
            if expanded {
                let new = self.build(terms, t)?;
                self.done.insert(t, new);
            } else {
                stack.push((t, true));
                stack.extend(terms.term(t).args.iter().rev().map(|&a| (a, false)));
            }
        }
        Ok(self.done[&root])
    }

    fn build(&mut self, terms: &mut Terms, t: TermId) -> Result<TermId> {
        let term = terms.term(t).clone();
        let args: Args = term.args.iter().map(|a| self.done[a]).collect();
        let sort = self.sort(terms, term.sort)?;
        match &term.op {
            Op::Var(s) => {
                let s = self.symbol(terms, *s)?;
                Ok(terms.var(s))
            }
            Op::Literal(v) => self.literal(terms, t, v, sort),
            Op::Apply(f) => {
                if self.equations.is_hidden(*f) {
                    let (a, b) = (terms.sort(term.args[0]), terms.sort(term.args[1]));
                    match self.equations.meaning(terms, a, b) {
                        Meaning::Equation => return Ok(terms.mk(Op::Eq, args, sort)),
                        Meaning::Never => return Ok(terms.bool(false)),
                        Meaning::Unknown => self.equations.unknown = true,
                    }
                }
                let f = self.function(terms, *f, &args, sort)?;
                Ok(terms.mk(Op::Apply(f), args, sort))
            }
            Op::Bind(b) => {
                if let Some(&v) = b.type_vars.first() {
                    return Err(Unsupported(format!("the type variable {}", terms.type_var(v))));
                }
                let vars = b.vars.iter().map(|&v| self.symbol(terms, v)).collect::<Result<Vec<_>>>()?;
                if vars == b.vars && args == term.args && sort == term.sort {
                    return Ok(t);
                }
                let binder = Binder { vars, ..(**b).clone() };
                Ok(terms.mk(Op::Bind(Arc::new(binder)), args, sort))
            }
            Op::Select | Op::Store => match map_access(terms, t) {
                None if matches!(terms.sort_of(terms.sort(term.args[0])), Sort::Map { params: 1.., .. }) => {
                    Err(Unsupported("an access to a polymorphic map at an unknown type".to_owned()))
                }
                None => Ok(terms.mk(term.op, args, sort)),
                Some((map, instance)) => self.access(terms, map, &instance, &term.op, &args, sort),
            },
            Op::ConstMap if matches!(terms.sort_of(term.sort), Sort::Map { params: 1.., .. }) => {
                Err(Unsupported("a constant map of polymorphic type".to_owned()))
            }
            op => Ok(terms.mk(op.clone(), args, sort)),
        }
    }

    fn symbol(&mut self, terms: &mut Terms, s: SymbolId) -> Result<SymbolId> {
        if let Some(&new) = self.symbols.get(&s) {
            return Ok(new);
        }
        let symbol = terms.symbol(s).clone();
        let sort = self.sort(terms, symbol.sort)?;
        let new = if sort == symbol.sort { s } else { terms.fresh_symbol(symbol.name, sort) };
        self.symbols.insert(s, new);
        Ok(new)
    }

    fn literal(&mut self, terms: &mut Terms, t: TermId, v: &Value, sort: SortId) -> Result<TermId> {
        if sort == terms.sort(t) {
            return Ok(t);
        }
        match v {
            Value::Element { number, .. } => Ok(terms.value(&Value::Element { sort, number: *number })),
            _ => Err(Unsupported("a literal of a polymorphic type".to_owned())),
        }
    }

    /// The instance of `f` that an application to such arguments calls.
    fn function(&mut self, terms: &mut Terms, f: FuncId, args: &[TermId], result: SortId) -> Result<FuncId> {
        let decl = terms.function(f);
        let params: Vec<SortId> = args.iter().map(|&a| terms.sort(a)).collect();
        let plain = decl.type_params.is_empty() && decl.params == params && decl.result == result;
        if plain || !matches!(decl.kind, FuncKind::Uninterpreted) {
            return Ok(f);
        }
        let name = Arc::clone(&decl.name);
        let key = (f, params.clone(), result);
        if self.is_complete && !self.functions.contains_key(&key) {
            return Err(Unsupported(format!(
                "the function {name} at types at which the formulas do not use it"
            )));
        }
        Ok(*self.functions.entry(key).or_insert_with(|| {
            let kind = FuncKind::Uninterpreted;
            terms.declare_function(FuncDecl { name, type_params: vec![], params, result, kind })
        }))
    }

    fn access(
        &mut self,
        terms: &mut Terms,
        map: SortId,
        instance: &[SortId],
        op: &Op,
        args: &[TermId],
        sort: SortId,
    ) -> Result<TermId> {
        let tuple = self.tuples.get(&map);
        let field = tuple.and_then(|t| t.fields.iter().position(|(i, _, _)| i == instance).map(|n| (t, n)));
        let Some((tuple, at)) = field else {
            let names: Vec<String> = instance.iter().map(|&s| terms.display_sort(s).to_string()).collect();
            return Err(Unsupported(format!(
                "the map {} at {}, where the formulas do not use it",
                terms.display_sort(map),
                names.join(", ")
            )));
        };
        let mut parts: Args = tuple
            .fields
            .iter()
            .map(|&(_, select, s)| (select, s))
            .chain([tuple.rest])
            .map(|(select, s)| terms.mk(Op::Apply(select), [args[0]], s))
            .collect();
        let field_sort = tuple.fields[at].2;
        let inner = std::iter::once(parts[at]).chain(args[1..].iter().copied());
        if *op == Op::Select {
            return Ok(terms.mk(Op::Select, inner, sort));
        }
        parts[at] = terms.mk(Op::Store, inner, field_sort);
        Ok(terms.mk(Op::Apply(tuple.make), parts, sort))
    }

    /// The value of a term of the original sort `sort`, from the value of its translation.
    pub(super) fn restore(&self, terms: &Terms, value: &Value, sort: SortId) -> Value {
        match (value, terms.sort_of(sort)) {
            (Value::Datatype(make, fields), Sort::Map { params: 1.., .. }) => match self.tuples.get(&sort) {
                Some(tuple) if tuple.make == *make => self.restore_tuple(terms, tuple, fields, sort),
                _ => value.clone(),
            },
            (Value::Map(m), Sort::Map { params: 0, domain, range }) => {
                let mut map = MapValue::constant(sort, self.restore(terms, &m.default, *range));
                for (index, v) in &m.entries {
                    let index = index.iter().zip(domain).map(|(i, &d)| self.restore(terms, i, d)).collect();
                    map.set(index, self.restore(terms, v, *range));
                }
                Value::Map(Arc::new(map))
            }
            (Value::Element { number, sort: changed }, _) => {
                let sort = self.originals.get(changed).copied().unwrap_or(*changed);
                Value::Element { sort, number: *number }
            }
            (Value::Datatype(f, fields), Sort::Ctor(_, args)) => {
                let decl = terms.function(*f);
                let Sort::Ctor(_, params) = terms.sort_of(decl.result) else { return value.clone() };
                let restored = fields.iter().zip(&decl.params).map(|(v, &p)| {
                    // The sort of a field is its parameter's, a type parameter's, or not needed.
                    let s = params.iter().position(|&q| q == p).map_or(p, |i| args[i]);
                    self.restore(terms, v, if p == decl.result { sort } else { s })
                });
                Value::Datatype(*f, restored.collect())
            }
            _ => value.clone(),
        }
    }

    fn restore_tuple(&self, terms: &Terms, tuple: &Tuple, fields: &[Value], sort: SortId) -> Value {
        let mut entries = BTreeMap::new();
        let mut instances = BTreeMap::new();
        for ((instance, _, field_sort), v) in tuple.fields.iter().zip(fields) {
            let original = self.originals.get(field_sort).copied().unwrap_or(*field_sort);
            if let Value::Map(m) = self.restore(terms, v, original) {
                instances.insert(instance.clone(), m.default.clone());
                entries.extend(m.entries.clone());
            }
        }
        let default = instances.values().next().cloned().unwrap_or(Value::Bool(false));
        Value::Map(Arc::new(MapValue { sort, entries, default, instances }))
    }
}

/// Whether a polymorphic map occurs in a sort.
fn polymorphic(terms: &Terms, sort: SortId) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![sort];
    while let Some(s) = stack.pop() {
        if !seen.insert(s) {
            continue;
        }
        match terms.sort_of(s) {
            Sort::Map { params: 1.., .. } => return true,
            Sort::Map { domain, range, .. } => stack.extend(domain.iter().chain([range])),
            Sort::Ctor(_, args) => stack.extend(args),
            _ => {}
        }
    }
    false
}
