//! Builtin functions: Boogie functions that stand for operations of the solver, `{:bvbuiltin "bvadd"}`, `{:builtin
//! "MapOr"}`.
//!
//! Most name an operator of `footpath-term`, and are replaced by it ([`operator`]). Others are defined by these
//! (`builtin/derived.rs`). Boogie's operations on whole maps, which it hands to Z3's map combinators, become functions
//! with a definition ([`map_definition`]). What is left, such as `fp.add`, stays a function that the solver is told
//! the name of.

mod derived;

pub(super) use derived::Derived;

use footpath_term::{Binder, BinderKind, Op, Sort, SortId, SymbolId, TermId, Terms};

use super::ast::{Attribute, AttributeArg, Name};

/// The name in a `builtin` attribute.
pub(super) fn builtin_name(attributes: &[Attribute]) -> Option<&Name> {
    let attribute = attributes.iter().find(|a| matches!(&*a.name.name, "builtin" | "bvbuiltin"))?;
    match &attribute.args[..] {
        [AttributeArg::Str(name)] => Some(name),
        _ => None,
    }
}

/// The operator called `name`, if it takes such arguments and has such a result.
pub(super) fn operator(terms: &Terms, name: &str, params: &[SortId], result: SortId) -> Option<Op> {
    let op = match name.trim() {
        "MapConst" => Op::ConstMap,
        "-" if params.len() == 1 => Op::Neg,
        "bv2nat" => Op::BvToInt,
        name => Op::from_smt_name(name)?,
    };
    fits(terms, &op, params, result).then_some(op)
}

fn fits(terms: &Terms, op: &Op, params: &[SortId], result: SortId) -> bool {
    // Floating-point arithmetic has names of its own, and a solver has no empty bit-vectors.
    let of_any_sort = matches!(op, Op::Eq | Op::Distinct | Op::Ite | Op::ConstMap);
    let excluded = |sort: SortId| match terms.sort_of(sort) {
        Sort::Float { .. } => !of_any_sort,
        sort => *sort == Sort::BitVec(0),
    };
    // What takes any number of arguments in the form takes two as a function.
    let variadic = matches!(op, Op::And | Op::Or | Op::Distinct | Op::Add | Op::Sub | Op::Mul | Op::Concat);
    (!variadic || params.len() == 2)
        && (*op != Op::Eq || params.windows(2).all(|pair| pair[0] == pair[1]))
        && !params.iter().copied().any(excluded)
        && terms.fits(op, params, result) == Some(Ok(()))
}

/// What Boogie's `name` for whole maps does to the elements.
fn elementwise(name: &str) -> Option<Op> {
    Some(match name.trim() {
        "MapAdd" => Op::Add,
        "MapSub" => Op::Sub,
        "MapMul" => Op::Mul,
        "MapDiv" => Op::IntDiv,
        "MapMod" => Op::Mod,
        "MapEq" | "MapIff" => Op::Eq,
        "MapGt" => Op::Gt,
        "MapGe" => Op::Ge,
        "MapLt" => Op::Lt,
        "MapLe" => Op::Le,
        "MapOr" => Op::Or,
        "MapAnd" => Op::And,
        "MapNot" => Op::Not,
        "MapImp" => Op::Implies,
        "MapIte" => Op::Ite,
        _ => return None,
    })
}

/// Whether [`map_definition`] knows a definition.
pub(super) fn has_map_definition(terms: &Terms, name: &str, params: &[SortId], result: SortId) -> bool {
    let Some(op) = elementwise(name) else { return false };
    let map = |sort: SortId| match terms.sort_of(sort) {
        Sort::Map { params: 0, domain, range } => Some((domain, *range)),
        _ => None,
    };
    let Some((domain, range)) = map(result) else { return false };
    let elements: Option<Vec<SortId>> =
        params.iter().map(|&p| map(p).filter(|(d, _)| *d == domain).map(|(_, r)| r)).collect();
    elements.is_some_and(|elements| fits(terms, &op, &elements, range))
}

/// The definition of a function on whole maps, over its parameters: `(lambda i :: a[i] + b[i])` and the like.
/// Only for what [`has_map_definition`].
pub(super) fn map_definition(
    terms: &mut Terms,
    name: &str,
    params: &[SymbolId],
    result: SortId,
) -> Option<TermId> {
    let op = elementwise(name)?;
    let Sort::Map { domain, .. } = terms.sort_of(result).clone() else { return None };
    let vars: Vec<SymbolId> = domain.into_iter().map(|sort| terms.fresh_symbol("i", sort)).collect();
    let indices: Vec<TermId> = vars.iter().map(|&v| terms.var(v)).collect();
    let elements: Vec<TermId> = params
        .iter()
        .map(|&param| {
            let map = terms.var(param);
            terms.raw(Op::Select, std::iter::once(map).chain(indices.iter().copied()))
        })
        .collect();
    let body = terms.raw(op, elements);
    let binder = Binder {
        kind: BinderKind::Lambda,
        type_vars: vec![],
        vars,
        triggers: vec![],
        nopats: 0,
        weight: None,
    };
    Some(terms.bind(binder, body, &[], &[]))
}
