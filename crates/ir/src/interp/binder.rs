//! Binders that cannot be enumerated, as a run comes by them.
//!
//! The oracle is asked first; it may have a model. Where it has nothing to say:
//!
//! * A lambda is a *closure*, as in every interpreter of a functional language: the term with the values of its free symbols
//!   ([`LambdaValue`]). `c := (lambda i: int :: i + n); c[n] := 5` with `n = 2` is that lambda with `n = 2` and one entry, and
//!   `c[4]` is 6. Whether two closures are equal stays open.
//! * A quantifier is decided by a *witness*, where one is found among few values: those near the numbers that stand in the
//!   condition and those that its symbols have. Of `(exists k :: k * k == a)` with `a = 9` the witness is 3. Where there is
//!   none the quantifier has no value: that none is there would be shown by all values only.
//!
//! **Direction of error.** None; what is not decided is an error of the evaluation, and ends the run.

use std::sync::Arc;

use footpath_term::{
    Binder, BinderKind, EvalError, LambdaValue, Op, Sort, SymbolId, TermId, Terms, Value, evaluate_with,
};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::eval::{GROWTH, RED_ZONE, of_unknown_type};
use super::machine::Machine;

/// Values that are tried for each variable of a quantifier.
const VALUES: usize = 40;
/// Variables of a quantifier for which witnesses are looked for.
const VARIABLES: usize = 2;

/// Whether the sort of a term or of something in it has type variables.
pub(super) fn has_type_vars(terms: &Terms, term: TermId) -> bool {
    terms.post_order(&[term]).iter().any(|&t| terms.has_type_vars(terms.sort(t)))
}

impl Machine<'_, '_> {
    /// The value of a binder whose free symbols have these values; the last of several counts.
    pub(super) fn binder_with(
        &mut self,
        terms: &Terms,
        term: TermId,
        values: &[(SymbolId, Value)],
    ) -> Result<Value, EvalError> {
        let why = match self.oracle.binder(terms, term, values) {
            Ok(value) => return Ok(value),
            Err(why) => why,
        };
        let Op::Bind(binder) = &terms.term(term).op else { return Err(why) };
        if !binder.type_vars.is_empty() {
            return Err(why);
        }
        match binder.kind {
            BinderKind::Lambda => self.closure(terms, term, values),
            BinderKind::Forall | BinderKind::Exists => {
                let body = terms.term(term).args[0];
                self.has_witness(terms, binder, body, values).ok_or(why)
            }
        }
    }

    fn closure(&self, terms: &Terms, term: TermId, values: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
        let at_root = self.frames.len() == 1 && self.functions.is_empty();
        if !at_root && has_type_vars(terms, term) {
            return Err(of_unknown_type());
        }
        let sort = self.known_sort(terms.sort(term)).ok_or_else(of_unknown_type)?;
        let value = |s: SymbolId| values.iter().rev().find(|(symbol, _)| *symbol == s).cloned();
        let mut captured: Vec<(SymbolId, Value)> =
            terms.free_symbols(&[term]).into_iter().filter_map(value).collect();
        captured.sort_unstable_by_key(|(symbol, _)| *symbol);
        Ok(Value::Lambda(Arc::new(LambdaValue { sort, term, captured, entries: Default::default() })))
    }

    /// The truth of a quantifier that a witness shows: of an `exists` that holds, or of a `forall` that does not.
    fn has_witness(
        &mut self,
        terms: &Terms,
        binder: &Binder,
        body: TermId,
        values: &[(SymbolId, Value)],
    ) -> Option<Value> {
        let decisive = Value::Bool(binder.kind == BinderKind::Exists);
        if binder.vars.len() > VARIABLES {
            return None;
        }
        let known = candidates(terms, body, values);
        let of_each: Vec<Vec<Value>> = binder
            .vars
            .iter()
            .map(|&v| of_sort(terms.sort_of(terms.symbol(v).sort), &known))
            .collect::<Option<_>>()?;
        let total: usize = of_each.iter().map(Vec::len).product();
        for number in 0..total {
            if self.witnesses == 0 {
                return None;
            }
            self.witnesses -= 1;
            let mut rest = number;
            let mut all = values.to_vec();
            for (&v, values) in binder.vars.iter().zip(&of_each) {
                all.push((v, values[rest % values.len()].clone()));
                rest /= values.len();
            }
            let value = stacker::maybe_grow(RED_ZONE, GROWTH, || evaluate_with(terms, body, all, self));
            if value.as_ref() == Ok(&decisive) {
                return Some(decisive);
            }
        }
        None
    }
}

/// Numbers near those that a condition has or that its symbols stand for, and small ones.
fn candidates(terms: &Terms, body: TermId, values: &[(SymbolId, Value)]) -> Vec<BigInt> {
    let literals = terms.post_order(&[body]).into_iter().filter_map(|t| terms.literal(t));
    let mut found: Vec<BigInt> = Vec::new();
    let number = |value: &Value| match value {
        Value::Int(n) => Some(n.clone()),
        Value::Real(r) => Some(r.floor().to_integer()),
        Value::BitVec { bits, .. } => Some(BigInt::from(bits.clone())),
        _ => None,
    };
    let near = literals.chain(values.iter().map(|(_, v)| v)).filter_map(number);
    let near = near.flat_map(|n| [n.clone(), &n + 1, n - 1]);
    for n in (0..8).map(BigInt::from).chain(near).chain([BigInt::from(-1), BigInt::from(-2)]) {
        if found.len() < VALUES && !found.contains(&n) {
            found.push(n);
        }
    }
    found
}

fn of_sort(sort: &Sort, numbers: &[BigInt]) -> Option<Vec<Value>> {
    let all = numbers.iter();
    Some(match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => all.cloned().map(Value::Int).collect(),
        Sort::Real => all.cloned().map(|n| Value::Real(BigRational::from_integer(n))).collect(),
        Sort::BitVec(width) => all.map(|n| Value::bit_vec(*width, n)).collect(),
        _ => return None,
    })
}
