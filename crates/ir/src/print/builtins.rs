//! The printer of operators that Boogie has no syntax for: `bvadd`, `bv2nat`, constant maps …
//!
//! They are printed as functions with an attribute that names the operator: `{:bvbuiltin "bvadd"}`. If the program
//! declares such a function itself, that one is used, the first if there are several; it may be polymorphic, as
//! `MapConst` often is. All others are declared by the text.

use std::sync::Arc;

use footpath_term::{FuncId, FuncKind, Op, Sort, SortId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::expr::{COMPARISON, POWER};
use crate::program::{AttributeArg, Program};

/// An operator at the sorts it is used at.
pub(super) type Builtin = (Op, Vec<SortId>, SortId);

/// The function that stands for an operator.
#[derive(Clone)]
pub(super) struct Known {
    /// Its name.
    pub(super) name: Arc<str>,
    /// Whether the sort of an application does not follow from its arguments.
    pub(super) leaves_sort_open: bool,
}

/// The operator at the head of a term, as it is used there.
pub(super) fn key(terms: &Terms, op: &Op, args: &[TermId], sort: SortId) -> Builtin {
    (op.clone(), args.iter().map(|&a| terms.sort(a)).collect(), sort)
}

/// The operators without syntax below `roots`, each once, in the order of printing.
pub(super) fn used(terms: &Terms, roots: &[TermId]) -> Vec<Builtin> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    for t in terms.post_order(roots) {
        let term = terms.term(t);
        if needs_declaration(terms, &term.op, &term.args) {
            let key = key(terms, &term.op, &term.args, term.sort);
            if seen.insert(key.clone()) {
                found.push(key);
            }
        }
    }
    found
}

/// The functions by which a program itself stands for operators, in its order.
pub(super) fn declared(program: &Program, terms: &Terms) -> Vec<(Op, FuncId)> {
    let mut found = Vec::new();
    for f in &program.functions {
        let builtin = f.attributes.iter().find(|a| matches!(&*a.name, "bvbuiltin" | "builtin"));
        let Some([AttributeArg::Text(text)]) = builtin.map(|a| &a.args[..]) else { continue };
        let op = if &**text == "MapConst" { Some(Op::ConstMap) } else { Op::from_smt_name(text) };
        // `bvneg` is a name of one argument, `-` of two; `Op::from_smt_name` knows the names only.
        let op = op.filter(|op| {
            let params = &terms.function(f.id).params;
            has_no_syntax(terms, op, params.first().copied()) && is_printed(terms, f.id)
        });
        found.extend(op.map(|op| (op, f.id)));
    }
    found
}

/// The first of the declared functions that stands for the operator at these sorts.
pub(super) fn find(terms: &Terms, declared: &[(Op, FuncId)], (op, params, sort): &Builtin) -> Option<FuncId> {
    let stands_for = |&&(ref o, function): &&(Op, FuncId)| {
        let decl = terms.function(function);
        let mut found = FxHashMap::default();
        o == op
            && decl.params.len() == params.len()
            && decl.params.iter().zip(params).all(|(&p, &a)| terms.match_sort(p, a, &mut found))
            && terms.match_sort(decl.result, *sort, &mut found)
    };
    declared.iter().find(stands_for).map(|&(_, function)| function)
}

/// Whether the sort of an application does not follow from its arguments.
pub(super) fn leaves_sort_open(
    terms: &Terms,
    function: FuncId,
    args: impl IntoIterator<Item = SortId>,
) -> bool {
    let decl = terms.function(function);
    if decl.type_params.is_empty() {
        return false;
    }
    let mut found = FxHashMap::default();
    for (&param, arg) in decl.params.iter().zip(args) {
        terms.match_sort(param, arg, &mut found);
    }
    decl.type_params.iter().any(|v| !found.contains_key(v))
}

/// Whether a function is printed among the functions; the functions of a datatype are not.
pub(super) fn is_printed(terms: &Terms, function: FuncId) -> bool {
    matches!(terms.function(function).kind, FuncKind::Uninterpreted | FuncKind::Builtin(_))
}

/// The name of the function that stands for an operator without syntax, before it is made unique.
pub(super) fn predicted_name(terms: &Terms, (op, params, sort): &Builtin) -> String {
    let sort = *sort;
    let width = |s: SortId| terms.width(s).unwrap_or(0);
    let from = params.first().map_or(0, |&s| width(s));
    match op {
        Op::ZeroExtend(_) => format!("zero_extend.{from}.{}", width(sort)),
        Op::SignExtend(_) => format!("sign_extend.{from}.{}", width(sort)),
        Op::RotateLeft(n) => format!("rotate_left.{n}.{from}"),
        Op::RotateRight(n) => format!("rotate_right.{n}.{from}"),
        Op::IntToBv(n) => format!("int2bv.{n}"),
        Op::ConstMap => "MapConst".to_owned(),
        Op::Eq => "identical".to_owned(),
        Op::Distinct => "different".to_owned(),
        op => format!("{}.{from}", plain_name(op)),
    }
}

fn plain_name(op: &Op) -> &'static str {
    match op {
        Op::BvToInt => "bv2nat",
        op => op.smt_name().unwrap_or("unknown"),
    }
}

/// The attribute that says which operator a function stands for.
pub(super) fn attribute(op: &Op) -> String {
    match op {
        Op::ZeroExtend(n) => format!("{{:bvbuiltin \"zero_extend {n}\"}}"),
        Op::SignExtend(n) => format!("{{:bvbuiltin \"sign_extend {n}\"}}"),
        Op::RotateLeft(n) => format!("{{:bvbuiltin \"rotate_left {n}\"}}"),
        Op::RotateRight(n) => format!("{{:bvbuiltin \"rotate_right {n}\"}}"),
        Op::IntToBv(n) => format!("{{:bvbuiltin \"(_ int2bv {n})\"}}"),
        Op::ConstMap => "{:builtin \"MapConst\"}".to_owned(),
        op => format!("{{:bvbuiltin \"{}\"}}", plain_name(op)),
    }
}

/// Whether Boogie has no syntax for an operator on these arguments.
pub(super) fn needs_declaration(terms: &Terms, op: &Op, args: &[TermId]) -> bool {
    has_no_syntax(terms, op, args.first().map(|&a| terms.sort(a)))
}

/// Whether Boogie has no syntax for an operator whose first argument is of this sort.
fn has_no_syntax(terms: &Terms, op: &Op, first: Option<SortId>) -> bool {
    let of_bits = op.smt_name().is_some_and(|name| name.starts_with("bv"));
    let indexed = matches!(
        op,
        Op::ZeroExtend(_) | Op::SignExtend(_) | Op::RotateLeft(_) | Op::RotateRight(_) | Op::IntToBv(_)
    );
    // Between floating-point numbers `==` is another relation.
    let float = || first.is_some_and(|sort| matches!(terms.sort_of(sort), Sort::Float { .. }));
    of_bits || indexed || *op == Op::ConstMap || (matches!(op, Op::Eq | Op::Distinct) && float())
}

/// The infix operator that a function on two floating-point numbers is in Boogie, with its precedence and what its right
/// operand needs.
pub(super) fn float_infix(
    terms: &Terms,
    function: FuncId,
    args: &[TermId],
) -> Option<(&'static str, u8, u8)> {
    let FuncKind::Builtin(text) = &terms.function(function).kind else { return None };
    let &[left, right] = args else { return None };
    let float = matches!(terms.sort_of(terms.sort(left)), Sort::Float { .. });
    if !float || terms.sort(left) != terms.sort(right) {
        return None;
    }
    Some(match &**text {
        "fp.eq" => (" == ", COMPARISON, 5),
        "fp.lt" => (" < ", COMPARISON, 5),
        "fp.leq" => (" <= ", COMPARISON, 5),
        "fp.gt" => (" > ", COMPARISON, 5),
        "fp.geq" => (" >= ", COMPARISON, 5),
        "fp.add RNE" => (" + ", 6, 7),
        "fp.sub RNE" => (" - ", 6, 7),
        "fp.mul RNE" => (" * ", 7, POWER),
        "fp.div RNE" => (" / ", 7, POWER),
        _ => return None,
    })
}
