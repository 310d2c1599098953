//! Well-formedness of datatypes: what Boogie demands of them besides that their types resolve.

use footpath_ir::source::Span;
use footpath_term::{FuncId, Sort, SortCtorId, SortId};
use rustc_hash::FxHashSet;

use super::ast::{DeclKind, Ident};
use super::checker::*;

impl Checker<'_> {
    /// Refuses datatypes without values, in which every constructor needs a value of such a type, as solvers only
    /// have nonempty sorts. Boogie's rule: the arguments of a type do not count, and a map needs a value of each of
    /// its types. Boogie 2, whose datatypes are types with an attribute, leaves them to the solver.
    pub fn check_well_founded(&mut self) {
        let is_checked = |decl: DeclId| {
            self.is_relevant(decl) && matches!(self.source.decls[decl].kind, DeclKind::Datatype(_))
        };
        let declared = self.type_decls.iter().filter(|(decl, _)| is_checked(*decl));
        let datatypes: Vec<(DeclId, SortCtorId, Span)> =
            declared.map(|(d, t)| (*d, t.ctor, t.span)).collect();
        let mut empty: FxHashSet<SortCtorId> = datatypes.iter().map(|(_, ctor, _)| *ctor).collect();
        loop {
            let has_value = |c: &SortCtorId| {
                let constructors = &self.out.terms.ctor(*c).constructors;
                constructors
                    .iter()
                    .any(|&f| self.out.terms.function(f).params.iter().all(|&p| self.is_made(p, &empty)))
            };
            let found: Vec<SortCtorId> = empty.iter().copied().filter(has_value).collect();
            if found.is_empty() {
                break;
            }
            found.iter().for_each(|c| _ = empty.remove(c));
        }
        for (decl, ctor, span) in datatypes.into_iter().filter(|(_, c, _)| empty.contains(c)) {
            self.current = decl;
            let name = &self.out.terms.ctor(ctor).name;
            let message = format!(
                "the datatype `{name}` is not well-founded: every constructor needs a value that was made before"
            );
            self.error(span, "boogie::datatype", message);
        }
    }

    /// Whether a type has values, unless one of the datatypes in `empty` is needed for them.
    fn is_made(&self, sort: SortId, empty: &FxHashSet<SortCtorId>) -> bool {
        match self.out.terms.sort_of(sort) {
            Sort::Ctor(ctor, _) => !empty.contains(ctor),
            Sort::Map { domain, range, .. } => domain.iter().chain([range]).all(|&s| self.is_made(s, empty)),
            _ => true,
        }
    }

    /// Checks that a field has the same type in all constructors of the datatype that have it: `value->field` has
    /// one type, whichever constructor made the value.
    pub fn check_shared_fields(
        &mut self,
        datatype: SortCtorId,
        id: FuncId,
        fields: &[&Ident],
    ) -> Checked<()> {
        let own = self.out.terms.function(id).clone();
        for (field, &sort) in fields.iter().zip(&own.params) {
            let others = self.fields.get(&field.name).into_iter().flatten();
            let Some(other) = others.filter(|f| f.datatype == datatype).copied().next() else { continue };
            let first = self.out.terms.function(other.constructor).clone();
            let arguments = first.type_params.iter().map(|&v| self.out.terms.mk_sort(Sort::Var(v)));
            let as_in_first = own.type_params.iter().copied().zip(arguments.collect::<Vec<_>>()).collect();
            if self.out.terms.substitute_sort(sort, &as_in_first) != first.params[other.index] {
                let message = format!(
                    "the field `{}` has another type in the constructor `{}`",
                    field.name, first.name
                );
                return Err(self.type_error(field.span, message));
            }
        }
        Ok(())
    }
}
