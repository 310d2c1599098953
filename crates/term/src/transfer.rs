//! Copying terms between arenas.
//!
//! An analysis in a separate layer leaves a few terms that are worth keeping, in a layer with thousands that are not.
//! [`Terms::adopt`] copies those into the arena of which the layer's base was a copy.
//!
//! **Direction of error.** None: a term that cannot be copied exactly is not copied.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{Args, Binder, Op, Sort, SortId, SymbolId, TermId, Terms, Value};

/// Boundaries of the indices that are the same in both arenas.
#[derive(Clone, Copy, Debug)]
pub struct Shared {
    sorts: u32,
    symbols: u32,
    functions: u32,
}

impl Terms {
    /// The boundaries of what a layer on a copy of this arena, as it is now, will share with it.
    pub fn shared(&self) -> Shared {
        Shared {
            sorts: self.sort_count(),
            symbols: self.symbol_count(),
            functions: self.functions().count() as u32,
        }
    }

    /// Copies terms of `from`, a layer on a copy of this arena made when [`Terms::shared`] was called. Symbols that
    /// only `from` has become fresh ones, the same for all `roots`; the pairs are added to `renamed`. The result is
    /// `None` for a root with a function, type constructor, type variable or map value that this arena lacks.
    pub fn adopt(
        &mut self,
        from: &Terms,
        shared: Shared,
        roots: &[TermId],
        renamed: &mut FxHashMap<SymbolId, SymbolId>,
    ) -> Vec<Option<TermId>> {
        let mut copy = Copy { to: self, from, shared, renamed };
        let mut done: FxHashMap<TermId, Option<TermId>> = FxHashMap::default();
        for t in from.post_order(roots) {
            let new = copy.term(t, &done);
            done.insert(t, new);
        }
        roots.iter().map(|r| done[r]).collect()
    }
}

struct Copy<'a> {
    to: &'a mut Terms,
    from: &'a Terms,
    shared: Shared,
    renamed: &'a mut FxHashMap<SymbolId, SymbolId>,
}

impl Copy<'_> {
    fn term(&mut self, t: TermId, done: &FxHashMap<TermId, Option<TermId>>) -> Option<TermId> {
        let term = self.from.term(t);
        let args: Option<Args> = term.args.iter().map(|a| done[a]).collect();
        let args = args?;
        let sort = self.sort(term.sort)?;
        let op = match &term.op {
            Op::Var(s) => Op::Var(self.symbol(*s)?),
            Op::Apply(f) if f.0 >= self.shared.functions => return None,
            Op::Bind(b) => {
                if !b.type_vars.is_empty() {
                    return None;
                }
                let vars: Option<Vec<SymbolId>> = b.vars.iter().map(|&v| self.symbol(v)).collect();
                Op::Bind(Arc::new(Binder { vars: vars?, ..(**b).clone() }))
            }
            // Values may name sorts inside.
            Op::Literal(Value::Map(_) | Value::Lambda(_) | Value::Datatype(..)) => return None,
            Op::Literal(Value::Element { number, .. }) => {
                Op::Literal(Value::Element { sort, number: *number })
            }
            op => op.clone(),
        };
        Some(self.to.mk(op, args, sort))
    }

    fn symbol(&mut self, s: SymbolId) -> Option<SymbolId> {
        if s.index() < self.shared.symbols as usize {
            return Some(s);
        }
        if let Some(&known) = self.renamed.get(&s) {
            return Some(known);
        }
        let symbol = self.from.symbol(s).clone();
        let sort = self.sort(symbol.sort)?;
        let fresh = self.to.fresh_symbol(symbol.name, sort);
        self.renamed.insert(s, fresh);
        Some(fresh)
    }

    fn sort(&mut self, sort: SortId) -> Option<SortId> {
        if sort.0 < self.shared.sorts {
            return Some(sort);
        }
        let new = match self.from.sort_of(sort).clone() {
            Sort::Map { params, domain, range } => {
                let domain: Option<Vec<SortId>> = domain.into_iter().map(|d| self.sort(d)).collect();
                Sort::Map { params, domain: domain?, range: self.sort(range)? }
            }
            Sort::Ctor(..) | Sort::Var(_) => return None,
            plain => plain,
        };
        Some(self.to.mk_sort(new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_a_layer_are_copied_with_new_sorts_and_symbols() {
        let mut master = Terms::new();
        let x = master.fresh_var("x", SortId::INT);
        let shared = master.shared();
        let mut layer = Terms::layer(Arc::new(master.clone()));
        let bv = layer.bit_vec_sort(8);
        let cells = layer.map_sort(vec![SortId::INT], bv);
        let h = layer.fresh_var("h", cells);
        let read = layer.raw(Op::Select, [h, x]);
        let zero = layer.bit_vec(8, 0);
        let root = layer.raw(Op::Eq, [read, zero]);
        // What the arena gets in the meantime moves its indices away from the layer's.
        master.bit_vec_sort(16);
        master.fresh_symbol("y", SortId::INT);
        let mut renamed = FxHashMap::default();
        let copy = master.adopt(&layer, shared, &[root, x], &mut renamed);
        assert_eq!(copy[1], Some(x));
        let text = copy[0].map(|t| master.display(t).to_string()).unwrap_or_default();
        assert!(text.starts_with("(=") && text.contains("h x"), "{text}");
        assert_eq!(renamed.len(), 1);
        let read = copy[0].map(|t| master.term(t).args[0]).expect("it was copied");
        assert_eq!(master.display_sort(master.sort(read)).to_string(), "bv8");
    }
}
