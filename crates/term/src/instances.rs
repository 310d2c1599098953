//! Sorts in an arena that cannot grow: what type variables make of them, and whether values stay within it.

use crate::{Sort, SortId, Terms, TypeSubstitution, Value};

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
    use crate::MapValue;
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
