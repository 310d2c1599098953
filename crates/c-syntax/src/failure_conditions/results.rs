//! Names of variables that the program does not have: indices, and what external functions return where that is an input of a
//! condition.
//!
//! Example: `result(ask, 1)` is what the first call of `ask` returns, `input(1)` the first byte that is read.
//!
//! **Direction of error.** None: a name stands for one variable.

use footpath_frontend::c::source::c_types::CTypeId;
use footpath_simplify::Printed;
use footpath_term::{SymbolId, TermId, Value};
use num_traits::ToPrimitive;

use super::{CSyntax, quoted};

/// Names of indices.
const INDICES: [&str; 5] = ["i", "j", "k", "index", "at"];

/// What an external function returns, as an input with a name.
#[derive(Clone, Debug)]
pub struct NamedResult {
    /// The variable that has it.
    pub symbol: SymbolId,
    /// Its name in conditions.
    pub name: String,
    /// Its type.
    pub ty: CTypeId,
    /// Whether it is a character, where that can be seen.
    pub is_text: bool,
}

impl<'a> CSyntax<'a> {
    /// The same names, with those of results of external functions.
    pub fn with_results(mut self, results: &[NamedResult]) -> CSyntax<'a> {
        self.names.extend(results.iter().map(|r| (r.symbol, (r.name.clone(), Some(r.ty)))));
        self.results = results.to_vec();
        self
    }

    /// The same names, with that of a variable of 64 bits for indices, which is the first one that nothing else has.
    pub fn with_index(mut self, symbol: SymbolId) -> CSyntax<'a> {
        let is_free = |name: &&str| {
            self.names.values().all(|(known, _)| known != name) && self.nulls.values().all(|n| n != name)
        };
        let Some(name) = INDICES.into_iter().find(is_free) else { return self };
        self.names.insert(symbol, (name.to_owned(), None));
        self.index = Some((symbol, name.to_owned()));
        self
    }

    /// The variable for indices, and its name.
    pub(crate) fn index(&self) -> Option<(SymbolId, String)> {
        self.index.clone()
    }

    /// Whether a variable is a result that is a character.
    pub(super) fn is_text_result(&self, symbol: SymbolId) -> bool {
        self.results.iter().any(|result| result.symbol == symbol && result.is_text)
    }

    /// The name and value of a result that is a character.
    pub(super) fn character_of(&self, symbol: SymbolId, value: &Value) -> Option<(String, String)> {
        let result = self.results.iter().find(|result| result.symbol == symbol && result.is_text)?;
        Some((result.name.clone(), quoted(value.as_u64()?.to_u8()?)?))
    }
}

impl CSyntax<'_> {
    /// A call of the library that a term stands for.
    pub(super) fn library_call(&self, t: TermId, inner: &dyn Fn(TermId) -> Printed) -> Option<Printed> {
        let call = self.calls.borrow().get(&t).copied().flatten()?;
        let text = Printed::atom(format!("{}({})", call.name, inner(call.argument).text));
        self.atoms.borrow_mut().note(&text.text, t, false);
        Some(text)
    }
}
