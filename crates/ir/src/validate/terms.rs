//! Rule 2: what each operator takes and gives.
//!
//! This restates `Terms::result_sort`, which trusts its caller and panics, as a check that does neither, and
//! needs no arena that can be changed.

use footpath_term::{BinderKind, FuncKind, Op, Sort, SortId, Term, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use super::instance;

/// Why a term is not well-sorted.
pub(super) type Why = &'static str;

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
    let all = |wanted: SortId| sorts.iter().all(|&s| s == wanted);
    let same = || sorts.windows(2).all(|w| w[0] == w[1]);
    let count = |n: usize, what: Why| if sorts.len() == n { Ok(()) } else { Err(what) };
    let require = |holds: bool, what: Why| if holds { Ok(()) } else { Err(what) };
    let gives = |s: SortId| require(term.sort == s, "the sort is not what the operator gives");
    let width = |i: usize| terms.width(sorts[i]);
    let own_width = terms.width(term.sort);
    match &term.op {
        Op::Literal(value) => require(literal_has_sort(terms, value, term.sort), "a literal of another sort"),
        Op::Var(s) => {
            count(0, "a variable with arguments")?;
            gives(terms.symbol(*s).sort)
        }
        Op::Not => {
            count(1, "one argument expected")?;
            require(all(SortId::BOOL), "a boolean expected")?;
            gives(SortId::BOOL)
        }
        Op::And | Op::Or => {
            require(all(SortId::BOOL), "booleans expected")?;
            gives(SortId::BOOL)
        }
        Op::Implies => {
            count(2, "two arguments expected")?;
            require(all(SortId::BOOL), "booleans expected")?;
            gives(SortId::BOOL)
        }
        Op::Eq => {
            count(2, "two arguments expected")?;
            let comparable = same() || sorts.iter().any(|&s| terms.has_type_vars(s));
            require(comparable, "sides of different sorts")?;
            gives(SortId::BOOL)
        }
        Op::Distinct => {
            require(same(), "arguments of different sorts")?;
            gives(SortId::BOOL)
        }
        Op::Ite => {
            count(3, "three arguments expected")?;
            require(
                sorts[0] == SortId::BOOL && sorts[1] == sorts[2],
                "a condition and two of one sort expected",
            )?;
            gives(sorts[1])
        }
        Op::Neg => {
            count(1, "one argument expected")?;
            require(numeric(terms, sorts[0]), "a number expected")?;
            gives(sorts[0])
        }
        Op::Add | Op::Sub | Op::Mul => {
            require(!sorts.is_empty() && same() && numeric(terms, sorts[0]), "numbers of one sort expected")?;
            gives(sorts[0])
        }
        Op::IntDiv | Op::Mod => {
            count(2, "two arguments expected")?;
            require(all(SortId::INT), "integers expected")?;
            gives(SortId::INT)
        }
        Op::RealDiv | Op::Pow => {
            count(2, "two arguments expected")?;
            let float = matches!(terms.sort_of(sorts[0]), Sort::Float { .. });
            require(same() && (sorts[0] == SortId::REAL || float), "reals expected")?;
            gives(sorts[0])
        }
        Op::Le | Op::Lt | Op::Ge | Op::Gt => {
            count(2, "two arguments expected")?;
            require(same() && numeric(terms, sorts[0]), "numbers of one sort expected")?;
            gives(SortId::BOOL)
        }
        Op::Subtype => {
            count(2, "two arguments expected")?;
            require(same(), "sides of different sorts")?;
            gives(SortId::BOOL)
        }
        Op::ToReal => {
            require(sorts == [SortId::INT], "an integer expected")?;
            gives(SortId::REAL)
        }
        Op::ToInt => {
            require(sorts == [SortId::REAL], "a real expected")?;
            gives(SortId::INT)
        }
        Op::BvNot | Op::BvNeg | Op::RotateLeft(_) | Op::RotateRight(_) => {
            count(1, "one argument expected")?;
            require(width(0).is_some(), "a bit-vector expected")?;
            gives(sorts[0])
        }
        Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvAdd
        | Op::BvSub
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvSmod
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr => {
            count(2, "two arguments expected")?;
            require(same() && width(0).is_some(), "bit-vectors of one width expected")?;
            gives(sorts[0])
        }
        Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
            count(2, "two arguments expected")?;
            require(same() && width(0).is_some(), "bit-vectors of one width expected")?;
            gives(SortId::BOOL)
        }
        Op::Concat => {
            let sum: Option<u32> = sorts.iter().map(|&s| terms.width(s)).sum();
            require(sum.is_some() && sum == own_width, "bit-vectors of other widths expected")
        }
        Op::Extract(high, low) => {
            count(1, "one argument expected")?;
            let w = width(0).ok_or("a bit-vector expected")?;
            require(low <= high && *high < w && own_width == Some(high - low + 1), "bits that are not there")
        }
        Op::ZeroExtend(n) | Op::SignExtend(n) => {
            count(1, "one argument expected")?;
            let w = width(0).ok_or("a bit-vector expected")?;
            require(own_width == Some(w + n), "an extension to another width")
        }
        Op::BvToInt => {
            count(1, "one argument expected")?;
            require(width(0).is_some(), "a bit-vector expected")?;
            gives(SortId::INT)
        }
        Op::IntToBv(n) => {
            require(sorts == [SortId::INT], "an integer expected")?;
            require(own_width == Some(*n), "another width expected")
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
        Op::ConstMap => {
            count(1, "one argument expected")?;
            let Sort::Map { params: 0, range, .. } = terms.sort_of(term.sort) else {
                return Err("a map without type parameters expected");
            };
            require(*range == sorts[0], "an element of another sort")
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
    }
}

fn numeric(terms: &Terms, sort: SortId) -> bool {
    matches!(terms.sort_of(sort), Sort::Int | Sort::Real | Sort::Float { .. })
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
