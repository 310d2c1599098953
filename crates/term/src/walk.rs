//! Traversal of terms, free symbols, and capture-avoiding substitution.
//!
//! All traversals are iterative: terms made from real programs nest tens of thousands deep. A term is a graph with
//! shared subterms; every shared subterm is visited once.
//!
//! **Example.** Substituting `y` for `x` in `∀y. x < y` renames the bound variable: `∀y'. y < y'`.
//!
//! **Direction of error.** None: bound symbols that would capture are renamed.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Args, Binder, FuncId, Op, Sort, SortId, SymbolId, TermId, Terms, TypeVarId};

/// Replacements of free symbols.
pub type Substitution = FxHashMap<SymbolId, TermId>;
/// Replacements of type variables.
pub type TypeSubstitution = FxHashMap<TypeVarId, SortId>;

/// With this many roots or more, visited terms are marked in a bit set over the whole arena.
const MANY: usize = 256;

impl Terms {
    /// Every term below `roots`, each once, in post-order: arguments before the terms that have them.
    pub fn post_order(&self, roots: &[TermId]) -> Vec<TermId> {
        if roots.len() < MANY {
            let mut seen = FxHashSet::default();
            return self.ordered(roots, |t| seen.insert(t));
        }
        let mut seen = vec![0u64; self.len().div_ceil(64)];
        self.ordered(roots, |t| {
            let (word, bit) = (&mut seen[t.index() / 64], 1 << (t.index() % 64));
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        })
    }

    /// As [`Self::post_order`], skipping terms for which `is_new` is false.
    fn ordered(&self, roots: &[TermId], mut is_new: impl FnMut(TermId) -> bool) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|&r| (r, false)).collect();
        while let Some((t, expanded)) = stack.pop() {
            if expanded {
                order.push(t);
            } else if is_new(t) {
                stack.push((t, true));
                stack.extend(self.term(t).args.iter().rev().map(|&a| (a, false)));
            }
        }
        order
    }

    /// The number of nodes of `root` as a tree, where each shared subterm counts as often as it occurs; the count
    /// saturates.
    pub fn tree_size(&self, root: TermId) -> u64 {
        let mut sizes: FxHashMap<TermId, u64> = FxHashMap::default();
        for t in self.post_order(&[root]) {
            let below = self.term(t).args.iter().fold(1u64, |sum, a| sum.saturating_add(sizes[a]));
            sizes.insert(t, below);
        }
        sizes[&root]
    }

    /// The symbols that occur free below `roots`, in order of first occurrence.
    pub fn free_symbols(&self, roots: &[TermId]) -> Vec<SymbolId> {
        let order = self.post_order(roots);
        // Symbols are unique to their binder, so what is bound anywhere is free nowhere but above its
        // binder's body, and nobody builds such terms.
        let mut bound = FxHashSet::default();
        for &t in &order {
            if let Op::Bind(b) = &self.term(t).op {
                bound.extend(b.vars.iter().copied());
            }
        }
        let mut seen = FxHashSet::default();
        order
            .iter()
            .filter_map(|&t| match self.term(t).op {
                Op::Var(s) if !bound.contains(&s) && seen.insert(s) => Some(s),
                _ => None,
            })
            .collect()
    }

    /// Replaces free symbols in `root`, simplifying on the way up.
    pub fn substitute(&mut self, root: TermId, map: &Substitution) -> TermId {
        self.substitute_all(&[root], map, &TypeSubstitution::default())[0]
    }

    /// The definition of a function with arguments put in (beta reduction), where the application has the sort
    /// `sort`.
    pub fn unfold(
        &mut self,
        function: FuncId,
        params: &[SymbolId],
        body: TermId,
        args: &[TermId],
        sort: SortId,
    ) -> TermId {
        let declared = self.function(function).clone();
        let mut types = TypeSubstitution::default();
        for (&param, &arg) in declared.params.iter().zip(args) {
            self.match_sort(param, self.sort(arg), &mut types);
        }
        self.match_sort(declared.result, sort, &mut types);
        let map: Substitution = params.iter().copied().zip(args.iter().copied()).collect();
        self.substitute_all(&[body], &map, &types)[0]
    }

    /// Replaces free symbols and type variables in `roots`, simplifying on the way up. Binders whose symbols
    /// would capture a free symbol of a replacement, or whose symbols change sort, get fresh symbols.
    pub fn substitute_all(
        &mut self,
        roots: &[TermId],
        map: &Substitution,
        types: &TypeSubstitution,
    ) -> Vec<TermId> {
        if map.is_empty() && types.is_empty() {
            return roots.to_vec();
        }
        let order = self.post_order(roots);
        // Only binders can capture; without one the replacements, which may be large, are not looked into.
        let incoming: FxHashSet<SymbolId> = if order.iter().any(|&t| matches!(self.term(t).op, Op::Bind(_))) {
            let values: Vec<TermId> = map.values().copied().collect();
            let below = self.post_order(&values).into_iter();
            below.filter_map(|t| if let Op::Var(s) = self.term(t).op { Some(s) } else { None }).collect()
        } else {
            FxHashSet::default()
        };
        let mut map = std::borrow::Cow::Borrowed(map);
        let mut binders: FxHashMap<SymbolId, SymbolId> = FxHashMap::default();
        for &t in &order {
            let Op::Bind(b) = &self.term(t).op else { continue };
            for v in b.clone().vars.iter().copied() {
                let symbol = self.symbol(v).clone();
                let sort = self.substitute_sort(symbol.sort, types);
                if (incoming.contains(&v) || sort != symbol.sort) && !binders.contains_key(&v) {
                    let fresh = self.fresh_symbol(symbol.name, sort);
                    binders.insert(v, fresh);
                    let fresh = self.var(fresh);
                    map.to_mut().insert(v, fresh);
                }
            }
        }
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for t in order {
            let term = self.term(t).clone();
            let new = match &term.op {
                Op::Var(s) if map.contains_key(s) => map[s],
                Op::Var(_) | Op::Literal(_) => t,
                op => {
                    let args: Args = term.args.iter().map(|a| done[a]).collect();
                    let sort = self.substitute_sort(term.sort, types);
                    let op = match op {
                        Op::Bind(b) if b.vars.iter().any(|v| binders.contains_key(v)) => {
                            let vars = b.vars.iter().map(|v| binders.get(v).copied().unwrap_or(*v)).collect();
                            Op::Bind(Arc::new(Binder { vars, ..(**b).clone() }))
                        }
                        op => op.clone(),
                    };
                    if args == term.args && sort == term.sort && op == term.op {
                        t
                    } else {
                        self.app_sorted(op, args, sort)
                    }
                }
            };
            done.insert(t, new);
        }
        roots.iter().map(|r| done[r]).collect()
    }

    /// Replaces type variables in a sort.
    pub fn substitute_sort(&mut self, sort: SortId, types: &TypeSubstitution) -> SortId {
        if types.is_empty() || !self.has_type_vars(sort) {
            return sort;
        }
        self.rebuild_sort(sort, 0, &mut |terms, s, _| match s {
            Sort::Var(v) => types.get(v).map(|&t| terms.sort_of(t).clone()),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BinderKind;

    #[test]
    fn a_tree_has_each_shared_part_as_often_as_it_occurs() {
        let mut terms = Terms::new();
        let mut sum = terms.fresh_var("x", SortId::INT);
        for _ in 0..10 {
            sum = terms.raw(Op::Add, [sum, sum]);
        }
        assert_eq!(terms.tree_size(sum), 2047);
        for _ in 0..100 {
            sum = terms.raw(Op::Add, [sum, sum]);
        }
        assert_eq!(terms.tree_size(sum), u64::MAX);
    }

    #[test]
    fn substitution_does_not_capture() {
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh_symbol("x", SortId::INT), terms.fresh_symbol("y", SortId::INT));
        let (xt, yt) = (terms.var(x), terms.var(y));
        let body = terms.raw(Op::Lt, [xt, yt]);
        let binder = Binder {
            kind: BinderKind::Exists,
            type_vars: vec![],
            vars: vec![y],
            triggers: vec![],
            nopats: 0,
            weight: None,
        };
        let exists = terms.bind(binder, body, &[], &[]);
        let map = Substitution::from_iter([(x, yt)]);
        let replaced = terms.substitute(exists, &map);
        assert_eq!(terms.free_symbols(&[replaced]), vec![y]);
    }

    #[test]
    fn shared_parts_are_visited_once() {
        let mut terms = Terms::new();
        let mut t = terms.fresh_var("x", SortId::INT);
        for _ in 0..200 {
            t = terms.mk(Op::Mul, [t, t], SortId::INT);
        }
        assert_eq!(terms.post_order(&[t]).len(), 201);
    }
}
