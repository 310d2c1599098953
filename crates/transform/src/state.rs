//! Symbolic states: the value of each variable as a term over initial and havocked values.
//!
//! **Example.** After `x := y + 1; y := 2 * x;` the state maps `x` to `y + 1` and `y` to `2 * (y + 1)`, where `y` on
//! the right is the initial value.
//!
//! **Direction of error.** None: a value is equal to that of the variable in every run along the executed statements.

use std::sync::Arc;

use footpath_ir::{Statement, StatementKind};
use footpath_term::{Substitution, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

/// A symbolic state; a variable without an entry has its initial value. Cloning is cheap, as states share what was
/// not changed.
#[derive(Clone, Debug, Default)]
pub struct State {
    values: Arc<Substitution>,
}

impl State {
    /// The state in which the old value of each global is its initial value.
    pub fn initial(terms: &mut Terms, old: &FxHashMap<SymbolId, SymbolId>) -> State {
        State { values: Arc::new(old.iter().map(|(&o, &g)| (o, terms.var(g))).collect()) }
    }

    /// The value of a term in this state.
    pub fn eval(&self, terms: &mut Terms, term: TermId) -> TermId {
        if self.values.is_empty() { terms.simplify(term) } else { terms.substitute(term, &self.values) }
    }

    /// The value of a variable in this state.
    pub fn get(&self, terms: &mut Terms, symbol: SymbolId) -> TermId {
        self.values.get(&symbol).copied().unwrap_or_else(|| terms.var(symbol))
    }

    /// The variables that are constant, with their values.
    pub fn literals(&self, terms: &Terms) -> Substitution {
        let constant = self.values.iter().filter(|&(_, &value)| terms.literal(value).is_some());
        constant.map(|(&symbol, &value)| (symbol, value)).collect()
    }

    /// The variables that have a value of their own, in order, with their values.
    pub fn entries(&self) -> Vec<(SymbolId, TermId)> {
        let mut entries: Vec<(SymbolId, TermId)> = self.values.iter().map(|(&s, &t)| (s, t)).collect();
        entries.sort_unstable();
        entries
    }

    /// Gives a variable a value.
    pub fn set(&mut self, symbol: SymbolId, value: TermId) {
        Arc::make_mut(&mut self.values).insert(symbol, value);
    }

    /// Executes an assignment or a havoc; havocked variables and their fresh symbols are pushed to `havocs`.
    /// Returns the condition of an assumption, evaluated.
    pub fn execute(
        &mut self,
        terms: &mut Terms,
        statement: &Statement,
        havocs: &mut Vec<(SymbolId, TermId)>,
    ) -> Option<TermId> {
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                let values: Vec<TermId> = pairs.iter().map(|&(_, t)| self.eval(terms, t)).collect();
                for (&(symbol, _), value) in pairs.iter().zip(values) {
                    self.set(symbol, value);
                }
                None
            }
            StatementKind::Havoc(symbols) => {
                for &symbol in symbols {
                    let declared = terms.symbol(symbol).clone();
                    let fresh = terms.fresh_var(declared.name, declared.sort);
                    havocs.push((symbol, fresh));
                    self.set(symbol, fresh);
                }
                None
            }
            StatementKind::Assume(condition) => Some(self.eval(terms, *condition)),
            StatementKind::Assert { .. } | StatementKind::Call { .. } | StatementKind::TryFirst(_) => {
                unreachable!("loop-free bodies have neither assertions nor calls")
            }
        }
    }

    /// The variables in which two states may differ.
    pub fn differing(&self, other: &State) -> Vec<SymbolId> {
        if Arc::ptr_eq(&self.values, &other.values) {
            return Vec::new();
        }
        let mut symbols: Vec<SymbolId> = self
            .values
            .iter()
            .filter(|(s, v)| other.values.get(s) != Some(v))
            .map(|(&s, _)| s)
            .chain(other.values.keys().filter(|s| !self.values.contains_key(s)).copied())
            .collect();
        symbols.sort_unstable();
        symbols
    }
}
