//! Sort checking of terms, rule 2 of the validator: which arguments each operator takes and which sort it gives.
//!
//! Most of it is [`Terms::fits`]; this file has what depends on declarations and on the type parameters of maps.

use footpath_term::{BinderKind, FuncKind, Op, Sort, SortId, Term, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use super::instance;

/// Why a term is not well-sorted.
pub(super) type Why = footpath_term::Misfit;

/// The term in few characters, for messages.
pub(super) fn short(terms: &Terms, t: TermId) -> String {
    let term = terms.term(t);
    let args: Vec<String> = term
        .args
        .iter()
        .map(|&a| match &terms.term(a).op {
            Op::Var(s) => terms.symbol(*s).name.to_string(),
            Op::Literal(v) => v.to_string(),
            _ => "…".to_owned(),
        })
        .collect();
    match &term.op {
        Op::Apply(f) => format!("{}({})", terms.function(*f).name, args.join(", ")),
        Op::Bind(b) => format!("{:?}", b.kind).to_lowercase(),
        op => format!("{op:?}({})", args.join(", ")),
    }
}

/// Checks one node; its arguments may be wrong themselves.
pub(super) fn check(terms: &Terms, term: &Term) -> Result<(), Why> {
    let sorts: Vec<SortId> = term.args.iter().map(|&a| terms.sort(a)).collect();
    let count = |n: usize, what: Why| if sorts.len() == n { Ok(()) } else { Err(what) };
    let require = |holds: bool, what: Why| if holds { Ok(()) } else { Err(what) };
    let gives = |s: SortId| require(term.sort == s, "the sort is not what the operator gives");
    if let Some(checked) = terms.fits(&term.op, &sorts, term.sort) {
        return checked;
    }
    match &term.op {
        Op::Literal(value) => require(literal_has_sort(terms, value, term.sort), "a literal of another sort"),
        Op::Var(s) => {
            count(0, "a variable with arguments")?;
            gives(terms.symbol(*s).sort)
        }
        Op::Select | Op::Store => {
            let (&map, rest) = sorts.split_first().ok_or("a map expected")?;
            if term.op == Op::Select {
                return access(terms, map, rest, term.sort);
            }
            let (&value, indices) = rest.split_last().ok_or("an element expected")?;
            access(terms, map, indices, value)?;
            gives(map)
        }
        Op::Apply(f) => {
            let decl = terms.function(*f);
            count(decl.params.len(), "another number of arguments expected")?;
            let mut found = FxHashMap::default();
            let fits = decl.params.iter().zip(&sorts).all(|(&p, &a)| terms.match_sort(p, a, &mut found));
            require(fits, "arguments of other sorts expected")?;
            let fits = terms.match_sort(decl.result, term.sort, &mut found);
            let builtin = matches!(decl.kind, FuncKind::Builtin(_));
            require(fits || (builtin && decl.type_params.is_empty()), "the sort is not the function's result")
        }
        Op::Bind(b) => {
            let patterns: u32 = b.triggers.iter().sum::<u32>() + b.nopats;
            count(1 + patterns as usize, "another number of triggers expected")?;
            if b.kind != BinderKind::Lambda {
                require(sorts[0] == SortId::BOOL, "a boolean body expected")?;
                return gives(SortId::BOOL);
            }
            let Sort::Map { params, domain, range } = terms.sort_of(term.sort) else {
                return Err("a lambda is a map");
            };
            let own: Vec<SortId> = b.vars.iter().map(|&v| terms.symbol(v).sort).collect();
            let mut parameter = |index: u32, actual: SortId| {
                let var = b.type_vars.get(index as usize);
                matches!(terms.sort_of(actual), Sort::Var(v) if Some(v) == var)
            };
            let fits = *params as usize == b.type_vars.len()
                && domain.len() == own.len()
                && domain.iter().zip(&own).all(|(&d, &o)| instance(terms, d, o, 0, &mut parameter))
                && instance(terms, *range, sorts[0], 0, &mut parameter);
            require(fits, "the lambda's sort is another map's")
        }
        // All others were checked above.
        _ => Ok(()),
    }
}

/// Whether a map takes these indices and has elements of this sort.
fn access(terms: &Terms, map: SortId, indices: &[SortId], element: SortId) -> Result<(), Why> {
    let Sort::Map { params, domain, range } = terms.sort_of(map) else { return Err("a map expected") };
    if domain.len() != indices.len() {
        return Err("another number of indices expected");
    }
    let mut found: Vec<Option<SortId>> = vec![None; *params as usize];
    let mut parameter = |index: u32, actual: SortId| *found[index as usize].get_or_insert(actual) == actual;
    // A map without type parameters has no parameter of its own to replace, whatever its sorts contain.
    let depth = if *params > 0 { 0 } else { u32::MAX / 2 };
    if !domain.iter().zip(indices).all(|(&d, &i)| instance(terms, d, i, depth, &mut parameter)) {
        return Err("indices of other sorts expected");
    }
    if !instance(terms, *range, element, depth, &mut parameter) {
        return Err("an element of another sort");
    }
    Ok(())
}

fn literal_has_sort(terms: &Terms, value: &Value, sort: SortId) -> bool {
    match (value, terms.sort_of(sort)) {
        (Value::Bool(_), Sort::Bool)
        | (Value::Int(_), Sort::Int)
        | (Value::Real(_), Sort::Real)
        | (Value::RoundingMode(_), Sort::RoundingMode)
        | (Value::String(_), Sort::String)
        | (Value::Datatype(..), Sort::Ctor(..)) => true,
        (Value::BitVec { width, bits }, Sort::BitVec(w)) => width == w && bits.bits() <= u64::from(*w),
        (Value::Float { exponent: e, significand: s, .. }, Sort::Float { exponent, significand }) => {
            e == exponent && s == significand
        }
        (Value::Element { sort: s, .. }, Sort::Ctor(..) | Sort::Var(_)) => *s == sort,
        (Value::Map(m), Sort::Map { .. }) => m.sort == sort,
        _ => false,
    }
}
