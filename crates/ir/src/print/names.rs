//! Unique, legal names for all that is printed.
//!
//! In the form several symbols may share a name; in the text a name must identify its symbol. The first symbol with a
//! name keeps it, the next ones become `name#1`, `name#2` and so on. A name is refused when anything visible at that
//! place has it already, so the printed text has no shadowing at all. That is stricter than Boogie, and it makes
//! printing stable: in a program that was read back from printed text every name is kept as it is.
//!
//! Characters that Boogie does not allow in identifiers become `_`, and keywords get a backslash in front.

use std::sync::Arc;

use footpath_term::{FuncId, SortCtorId, SymbolId, TypeVarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::builtins::{Builtin, Known};
use crate::lexical::{RESERVED_WORDS, is_identifier_char};

/// One namespace: which names are visible, and a log to leave scopes again.
#[derive(Clone, Default)]
struct Space {
    taken: FxHashSet<Arc<str>>,
    log: Vec<Arc<str>>,
}

impl Space {
    fn claim(&mut self, wanted: &str) -> Arc<str> {
        let wanted = if wanted.is_empty() { "_" } else { wanted };
        let mut name: Arc<str> = legal(wanted).into();
        let mut number = 0;
        while self.taken.contains(&name) {
            number += 1;
            name = legal(&format!("{wanted}#{number}")).into();
        }
        self.taken.insert(name.clone());
        self.log.push(name.clone());
        name
    }

    fn leave(&mut self, mark: usize) {
        for name in self.log.drain(mark..) {
            self.taken.remove(&name);
        }
    }
}

/// A point to which [`Names::leave`] returns.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    variables: usize,
    types: usize,
}

/// The names of a program, and those of the scope that is being printed.
#[derive(Clone, Default)]
pub(super) struct Names {
    variables: Space,
    types: Space,
    functions_and_procedures: Space,
    symbol_names: FxHashMap<SymbolId, Arc<str>>,
    type_var_names: FxHashMap<TypeVarId, Arc<str>>,
    /// From old symbols to their globals.
    pub(super) old: FxHashMap<SymbolId, SymbolId>,
    /// Names of type constructors.
    pub(super) ctors: FxHashMap<SortCtorId, Arc<str>>,
    /// Names of functions.
    pub(super) functions: FxHashMap<FuncId, Arc<str>>,
    /// Names of procedures, by position.
    pub(super) procedures: Vec<Arc<str>>,
    /// Names of the functions that stand for operators without syntax.
    pub(super) builtins: FxHashMap<Builtin, Known>,
}

impl Names {
    /// Opens a scope.
    pub(super) fn enter(&self) -> Mark {
        Mark { variables: self.variables.log.len(), types: self.types.log.len() }
    }

    /// Closes the scope that `mark` opened; its names are free again.
    pub(super) fn leave(&mut self, mark: Mark) {
        self.variables.leave(mark.variables);
        self.types.leave(mark.types);
    }

    /// Declares a symbol in the current scope.
    pub(super) fn declare(&mut self, symbol: SymbolId, wanted: &str) -> Arc<str> {
        let name = self.variables.claim(wanted);
        self.symbol_names.insert(symbol, name.clone());
        name
    }

    /// Claims a name for a variable that has no symbol.
    pub(super) fn claim_variable(&mut self, wanted: &str) -> Arc<str> {
        self.variables.claim(wanted)
    }

    /// Declares a type variable in the current scope.
    pub(super) fn declare_type_var(&mut self, var: TypeVarId, wanted: &str) -> Arc<str> {
        // `t0`, `t1` … are the parameters of polymorphic maps, which have no names of their own.
        let reserved = is_map_parameter(wanted);
        let name = if reserved { self.types.claim(&format!("{wanted}'")) } else { self.types.claim(wanted) };
        self.type_var_names.insert(var, name.clone());
        name
    }

    /// Declares a type constructor.
    pub(super) fn declare_ctor(&mut self, ctor: SortCtorId, wanted: &str) -> Arc<str> {
        let reserved = is_map_parameter(wanted);
        let name = if reserved { self.types.claim(&format!("{wanted}'")) } else { self.types.claim(wanted) };
        self.ctors.insert(ctor, name.clone());
        name
    }

    /// Claims a name for a function or procedure.
    pub(super) fn claim_callable(&mut self, wanted: &str) -> Arc<str> {
        self.functions_and_procedures.claim(wanted)
    }

    /// The name of a symbol; a symbol that was not declared is declared now.
    pub(super) fn symbol(&mut self, symbol: SymbolId, wanted: &str) -> Arc<str> {
        match self.symbol_names.get(&symbol) {
            Some(name) => name.clone(),
            None => self.declare(symbol, wanted),
        }
    }

    /// The name of a type variable; one that was not declared is declared now.
    pub(super) fn type_var(&self, var: TypeVarId, wanted: &str) -> Arc<str> {
        self.type_var_names.get(&var).cloned().unwrap_or_else(|| legal(wanted).into())
    }
}

/// Whether a name looks like those given to the parameters of polymorphic maps.
fn is_map_parameter(name: &str) -> bool {
    name.strip_prefix('t').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The name with what Boogie does not allow replaced.
pub(super) fn legal(name: &str) -> String {
    // Newer Boogie has two more types.
    if RESERVED_WORDS.contains(&name) || matches!(name, "string" | "regex") {
        return format!("\\{name}");
    }
    let mut out: String = name.chars().map(|c| if is_identifier_char(c) { c } else { '_' }).collect();
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    out
}

/// Unique legal names for a list, such as the labels of a body.
pub(super) fn unique<'a>(wanted: impl IntoIterator<Item = &'a str>) -> Vec<Arc<str>> {
    let mut space = Space::default();
    wanted.into_iter().map(|w| space.claim(w)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_of_a_name_gets_a_number_and_keeps_it_when_read_back() {
        let first: Vec<Arc<str>> = unique(["x", "x", "x#1", "axiom", "a b", "3"]);
        let texts: Vec<&str> = first.iter().map(|n| &**n).collect();
        assert_eq!(texts, ["x", "x#1", "x#1#1", "\\axiom", "a_b", "_3"]);
        let read: Vec<&str> = texts.iter().map(|t| t.trim_start_matches('\\')).collect();
        assert_eq!(unique(read), first);
    }

    #[test]
    fn names_are_free_again_after_their_scope() {
        let mut names = Names::default();
        let mark = names.enter();
        assert_eq!(&*names.claim_variable("x"), "x");
        assert_eq!(&*names.claim_variable("x"), "x#1");
        names.leave(mark);
        assert_eq!(&*names.claim_variable("x"), "x");
    }
}
