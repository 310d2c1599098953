//! Sorts in an arena that cannot grow: what type variables make of them, and whether values stay within it.

use crate::{FuncId, Sort, SortId, Terms, TypeSubstitution, Value};

/// How many sorts fields may make: a datatype that contains larger and larger instances of itself has infinitely many.
const MOST_FIELD_SORTS: u32 = 10_000;

impl Terms {
    /// `sort` with a sort of `types` for every type variable; `None` if one is missing there, or if the arena does not
    /// have the sort.
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

    /// Makes the sorts of the fields of all sorts of datatypes in the arena, as far as there are finitely many.
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

    /// What the type parameters of a constructor are in a sort of its datatype.
    fn type_arguments(&self, constructor: FuncId, sort: SortId) -> Option<TypeSubstitution> {
        let Sort::Ctor(_, params) = self.sort_of(self.function(constructor).result) else { return None };
        let Sort::Ctor(_, args) = self.sort_of(sort) else { return None };
        let pairs = params.iter().zip(args).filter_map(|(&p, &a)| match self.sort_of(p) {
            Sort::Var(variable) => Some((*variable, a)),
            _ => None,
        });
        Some(pairs.collect())
    }

    /// Whether the arena has the sorts of the maps in a value, which may come from a layer over it. Those of elements are
    /// only compared.
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
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FuncDecl, FuncKind, MapValue};
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
}
