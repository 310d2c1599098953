//! The printer of operators that Boogie has no syntax for: `bvadd`, `bv2nat`, constant maps …
//!
//! They are printed as functions with an attribute that names the operator: `{:bvbuiltin "bvadd"}`. If the program
//! declares such a function itself, that one is used, the first if there are several; it may be polymorphic, as
//! `MapConst` often is. All others are declared by the text.

use std::sync::Arc;

use footpath_term::{FuncId, FuncKind, Op, SortId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

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
        if needs_declaration(&term.op) {
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
        let op = op.filter(|op| needs_declaration(op) && is_printed(terms, f.id));
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

/// Whether Boogie has no syntax for an operator.
fn needs_declaration(op: &Op) -> bool {
    let of_bits = op.smt_name().is_some_and(|name| name.starts_with("bv"));
    let indexed = matches!(
        op,
        Op::ZeroExtend(_) | Op::SignExtend(_) | Op::RotateLeft(_) | Op::RotateRight(_) | Op::IntToBv(_)
    );
    of_bits || indexed || *op == Op::ConstMap
}
