//! Instances of polymorphic sorts: substitution of type variables, sorts of the fields of datatypes, sorts of the
//! elements of polymorphic maps.
//!
//! An arena that is shared cannot get new sorts. So some functions here only look for sorts that exist, others create
//! them, and [`Terms::has_sorts_of`] checks whether the sorts of a value exist in the arena.
//!
//! **Example.** In the sort `List int` the field `tail: List a` has the sort `List int`, and the element of
//! `<a>[Field a]a` at an index of sort `Field bool` has the sort `bool`.
//!
//! **Direction of error.** None: a sort that is not in the arena is `None`.

use crate::{FuncId, Sort, SortId, Terms, TypeSubstitution, Value};

/// The limit on sorts that fields may add: a datatype that contains larger and larger instances of itself has
/// infinitely many.
const MOST_FIELD_SORTS: u32 = 10_000;

impl Terms {
    /// `sort` with the type variables substituted by `types`; `None` if a variable has no substitute, or if the arena
    /// does not have the resulting sort.
    pub fn find_instance(&self, sort: SortId, types: &TypeSubstitution) -> Option<SortId> {
        if !self.has_type_vars(sort) {
            return Some(sort);
        }
        let all = |sorts: &[SortId]| {
            sorts.iter().map(|&s| self.find_instance(s, types)).collect::<Option<Vec<_>>>()
        };
        match self.sort_of(sort) {
            Sort::Var(variable) => types.get(variable).copied(),
            Sort::Ctor(ctor, args) => self.find_sort(&Sort::Ctor(*ctor, all(args)?)),
            Sort::Map { params, domain, range } => {
                let (domain, range) = (all(domain)?, self.find_instance(*range, types)?);
                self.find_sort(&Sort::Map { params: *params, domain, range })
            }
            _ => Some(sort),
        }
    }

    /// The sorts of a constructor's fields in a sort of its datatype; `None` if the arena does not have one of them.
    pub fn field_sorts(&self, constructor: FuncId, sort: SortId) -> Option<Vec<SortId>> {
        let types = self.type_arguments(constructor, sort)?;
        self.function(constructor).params.iter().map(|&p| self.find_instance(p, &types)).collect()
    }

    /// Creates the sorts of the fields of all datatype sorts in the arena, as far as there are finitely many.
    pub fn add_field_sorts(&mut self) {
        let (mut next, most) = (0, self.sort_count() + MOST_FIELD_SORTS);
        while next < self.sort_count().min(most) {
            let sort = SortId(next);
            next += 1;
            let Sort::Ctor(ctor, _) = *self.sort_of(sort) else { continue };
            for constructor in self.ctor(ctor).constructors.clone() {
                let Some(types) = self.type_arguments(constructor, sort) else { continue };
                for field in self.function(constructor).params.clone() {
                    self.substitute_sort(field, &types);
                }
            }
        }
    }

    /// The type arguments of a constructor in a sort of its datatype.
    fn type_arguments(&self, constructor: FuncId, sort: SortId) -> Option<TypeSubstitution> {
        let Sort::Ctor(_, params) = self.sort_of(self.function(constructor).result) else { return None };
        let Sort::Ctor(_, args) = self.sort_of(sort) else { return None };
        let pairs = params.iter().zip(args).filter_map(|(&p, &a)| match self.sort_of(p) {
            Sort::Var(variable) => Some((*variable, a)),
            _ => None,
        });
        Some(pairs.collect())
    }

    /// The element sort of a map for indices of the given sorts, its parameters inferred; `None` if the
    /// sort is no map or the indices do not fit.
    pub fn element_sort(&mut self, map: SortId, indices: &[SortId]) -> Option<SortId> {
        let Sort::Map { params, domain, range } = self.sort_of(map).clone() else { return None };
        if domain.len() != indices.len() {
            return None;
        }
        if params == 0 {
            return (domain == indices).then_some(range);
        }
        let arguments = self.map_instance(map, indices)?;
        Some(self.instantiate_bound(range, 0, &arguments))
    }

    /// The type arguments of an access to a polymorphic map, given the sorts of the indices; `None` if they do not
    /// fit, or do not determine them, as for `<a>[]a`.
    pub fn map_instance(&self, map: SortId, indices: &[SortId]) -> Option<Vec<SortId>> {
        self.match_map(map, indices, None)
    }

    /// As [`Terms::map_instance`], given the sort of the element as well.
    pub fn map_instance_with(&self, map: SortId, indices: &[SortId], element: SortId) -> Option<Vec<SortId>> {
        self.match_map(map, indices, Some(element))
    }

    fn match_map(&self, map: SortId, indices: &[SortId], element: Option<SortId>) -> Option<Vec<SortId>> {
        let Sort::Map { params, domain, range } = self.sort_of(map) else { return None };
        let mut found = vec![None; *params as usize];
        let parts = domain.iter().zip(indices).chain(element.iter().map(|element| (range, element)));
        for (&pattern, &actual) in parts {
            if !self.match_bound(pattern, actual, 0, &mut found) {
                return None;
            }
        }
        found.into_iter().collect()
    }

    fn match_bound(&self, pattern: SortId, actual: SortId, depth: u32, found: &mut [Option<SortId>]) -> bool {
        match (self.sort_of(pattern), self.sort_of(actual)) {
            (Sort::Bound { depth: d, index }, _) if *d == depth => {
                let slot = &mut found[*index as usize];
                *slot.get_or_insert(actual) == actual
            }
            (Sort::Ctor(c, ps), Sort::Ctor(d, actuals)) => {
                c == d && ps.iter().zip(actuals).all(|(&p, &a)| self.match_bound(p, a, depth, found))
            }
            (
                Sort::Map { params: m, domain: pd, range: pr },
                Sort::Map { params: n, domain: ad, range: ar },
            ) => {
                let inner = depth + u32::from(*m > 0);
                m == n
                    && pd.len() == ad.len()
                    && pd.iter().zip(ad).all(|(&p, &a)| self.match_bound(p, a, inner, found))
                    && self.match_bound(*pr, *ar, inner, found)
            }
            _ => pattern == actual,
        }
    }

    /// Whether the arena has the sorts of the maps in a value, which may come from a layer over it. The sorts of
    /// elements of uninterpreted sorts are not checked, as they are only compared.
    pub fn has_sorts_of(&self, value: &Value) -> bool {
        let has = |sort: &SortId| sort.0 < self.sort_count();
        match value {
            Value::Datatype(_, fields) => fields.iter().all(|f| self.has_sorts_of(f)),
            Value::Map(map) => {
                let entries = map.entries.iter().flat_map(|(index, element)| index.iter().chain([element]));
                has(&map.sort)
                    && map.instances.keys().flatten().all(has)
                    && entries
                        .chain(map.instances.values())
                        .chain([&map.default])
                        .all(|v| self.has_sorts_of(v))
            }
            Value::Lambda(map) => {
                let entries = map.entries.iter().flat_map(|(index, element)| index.iter().chain([element]));
                has(&map.sort)
                    && entries.chain(map.captured.iter().map(|(_, v)| v)).all(|v| self.has_sorts_of(v))
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Args, FuncDecl, FuncKind, MapValue, Op};
    use std::sync::Arc;

    #[test]
    fn instances_are_found_but_not_made() {
        let mut terms = Terms::new();
        let variable = terms.fresh_type_var("T");
        let t = terms.mk_sort(Sort::Var(variable));
        let maps = terms.map_sort(vec![SortId::INT], t);
        let types: TypeSubstitution = [(variable, SortId::BOOL)].into_iter().collect();
        assert_eq!(terms.find_instance(t, &types), Some(SortId::BOOL));
        assert_eq!(terms.find_instance(maps, &types), None);
        let made = terms.map_sort(vec![SortId::INT], SortId::BOOL);
        assert_eq!(terms.find_instance(maps, &types), Some(made));
        assert_eq!(terms.find_instance(maps, &TypeSubstitution::default()), None);
        assert_eq!(terms.find_instance(SortId::INT, &TypeSubstitution::default()), Some(SortId::INT));
    }

    #[test]
    fn fields_have_the_sorts_of_their_instances() {
        let mut terms = Terms::new();
        let ctor = terms.declare_ctor("Tree", 1);
        let variable = terms.fresh_type_var("T");
        let t = terms.mk_sort(Sort::Var(variable));
        let result = terms.mk_sort(Sort::Ctor(ctor, vec![t]));
        // datatype Tree<T> { Node(value: T, children: [T]Tree [int]T) }: infinitely many sorts.
        let deeper = terms.map_sort(vec![SortId::INT], t);
        let deeper = terms.mk_sort(Sort::Ctor(ctor, vec![deeper]));
        let children = terms.map_sort(vec![t], deeper);
        let node = terms.declare_function(FuncDecl {
            name: "Node".into(),
            type_params: vec![variable],
            params: vec![t, children],
            result,
            kind: FuncKind::Constructor,
        });
        terms.set_constructors(ctor, vec![node]);
        let of_bools = terms.mk_sort(Sort::Ctor(ctor, vec![SortId::BOOL]));
        assert_eq!(terms.field_sorts(node, of_bools), None);
        terms.add_field_sorts();
        let fields = terms.field_sorts(node, of_bools).expect("the sorts of the fields");
        assert_eq!(fields[0], SortId::BOOL);
        assert_eq!(terms.display_sort(fields[1]).to_string(), "[bool]Tree ([int]bool)");
        assert_eq!(terms.field_sorts(node, result).expect("its own sorts"), [t, children]);
    }

    #[test]
    fn values_of_sorts_above_are_recognised() {
        let mut terms = Terms::new();
        let below = terms.map_sort(vec![SortId::INT], SortId::INT);
        let map = |sort: SortId| Value::Map(Arc::new(MapValue::constant(sort, Value::Bool(true))));
        assert!(terms.has_sorts_of(&map(below)));
        let mut above = terms.clone();
        let sort = above.map_sort(vec![below], SortId::BOOL);
        assert!(!terms.has_sorts_of(&map(sort)));
        assert!(above.has_sorts_of(&map(sort)));
    }

    #[test]
    fn a_polymorphic_map_gives_each_field_its_own_element_sort() {
        let mut terms = Terms::new();
        let reference = terms.declare_ctor("ref", 0);
        let field = terms.declare_ctor("Field", 1);
        let reference = terms.mk_sort(Sort::Ctor(reference, vec![]));
        let a = terms.fresh_type_var("a");
        let a_sort = terms.mk_sort(Sort::Var(a));
        let field_a = terms.mk_sort(Sort::Ctor(field, vec![a_sort]));
        let heap = terms.abstract_map_sort(&[a], &[reference, field_a], a_sort);
        let field_int = terms.mk_sort(Sort::Ctor(field, vec![SortId::INT]));
        assert_eq!(terms.element_sort(heap, &[reference, field_int]), Some(SortId::INT));
        assert_eq!(terms.element_sort(heap, &[field_int, reference]), None);
        let b = terms.fresh_type_var("b");
        let b_sort = terms.mk_sort(Sort::Var(b));
        let field_b = terms.mk_sort(Sort::Ctor(field, vec![b_sort]));
        assert_eq!(terms.abstract_map_sort(&[b], &[reference, field_b], b_sort), heap);
        assert_eq!(terms.display_sort(heap).to_string(), "<t0>[ref, Field t0]t0");
    }

    #[test]
    fn elements_of_different_types_at_the_same_index_are_different_elements() {
        let mut terms = Terms::new();
        let a = terms.fresh_type_var("a");
        let a_sort = terms.mk_sort(Sort::Var(a));
        let sort = terms.abstract_map_sort(&[a], &[SortId::INT], a_sort);
        assert_eq!(terms.map_instance(sort, &[SortId::INT]), None);
        assert_eq!(terms.map_instance_with(sort, &[SortId::INT], SortId::BOOL), Some(vec![SortId::BOOL]));
        let (map, i, yes) = (terms.fresh_var("m", sort), terms.fresh_var("i", SortId::INT), terms.bool(true));
        let first = terms.app_sorted(Op::Store, [map, i, i].into(), sort);
        let both = terms.app_sorted(Op::Store, [first, i, yes].into(), sort);
        let read = terms.app_sorted(Op::Select, Args::from_slice(&[both, i]), SortId::INT);
        assert_eq!(terms.display(read).to_string(), "(Select (Store (Store m i i) i true) i)");
    }
}
