//! Each rule of the form, broken once.

use super::common::*;
use footpath_ir::{Program, Stage, StatementKind, TerminatorKind, validate, validate_at};
use footpath_term::{Op, SortId, SymbolId, TermId};

/// The parts of the program that the tests break.
struct Parts {
    b: Builder,
    param: SymbolId,
    local: SymbolId,
    global: SymbolId,
    local_term: TermId,
    truth: TermId,
}

fn parts() -> Parts {
    let mut b = Builder::new();
    let global = b.global("g", SortId::INT);
    let (param, local) = (b.symbol("p", SortId::INT), b.symbol("l", SortId::INT));
    let local_term = b.var(local);
    let truth = b.terms.bool(true);
    Parts { b, param, local, global, local_term, truth }
}

#[track_caller]
fn rules(program: &Program, expected: &[u8]) {
    let found: Vec<String> = validate(program).iter().map(ToString::to_string).collect();
    let numbers: Vec<u8> = validate(program).iter().map(|v| v.rule).collect();
    assert_eq!(numbers, expected, "{found:?}");
}

/// One block with the statements that `make` gives.
#[track_caller]
fn check(make: impl FnOnce(&mut Parts) -> Vec<StatementKind>, expected: &[u8]) {
    let mut parts = parts();
    let statements = make(&mut parts);
    let p = procedure("q", &[parts.param], &[]);
    let p = with_body(p, &[parts.local], vec![block("e", statements, TerminatorKind::Return)]);
    parts.b.procedure(p);
    rules(&parts.b.finish(), expected);
}

#[test]
fn what_is_right_is_accepted() {
    check(|p| vec![assign(p.local, p.local_term), assert(p.truth)], &[]);
}

#[test]
fn statements_obey_their_rules() {
    check(|p| vec![assign(p.param, p.local_term)], &[7]);
    check(|p| vec![assign(p.global, p.local_term)], &[9]);
    check(|p| vec![assign(p.local, p.truth)], &[7]);
    check(|p| vec![StatementKind::Assign(vec![(p.local, p.local_term), (p.local, p.local_term)])], &[7]);
    check(|p| vec![assert(p.local_term)], &[5]);
    check(|p| vec![StatementKind::Havoc(vec![p.b.program.globals[0].old])], &[7]);
    let undeclared = |p: &mut Parts| {
        let x = p.b.terms.fresh_var("x", SortId::BOOL);
        vec![assert(x)]
    };
    check(undeclared, &[3]);
    let ill_sorted = |p: &mut Parts| {
        let t = p.b.terms.mk(Op::Add, [p.local_term, p.truth], SortId::INT);
        vec![assign(p.local, t)]
    };
    check(ill_sorted, &[2]);
    let wrong_sort = |p: &mut Parts| {
        let t = p.b.terms.mk(Op::Lt, [p.local_term, p.local_term], SortId::INT);
        vec![assign(p.local, t)]
    };
    check(wrong_sort, &[2]);
    let arity = |_: &mut Parts| {
        vec![StatementKind::Call { callee: footpath_ir::ProcId(0), args: vec![], results: vec![] }]
    };
    check(arity, &[8]);
    let nobody = |_: &mut Parts| {
        vec![StatementKind::Call { callee: footpath_ir::ProcId(7), args: vec![], results: vec![] }]
    };
    check(nobody, &[8]);
}

#[test]
fn blocks_lead_to_blocks_but_not_to_the_entry() {
    let mut parts = parts();
    let blocks = vec![block("a", vec![], goto(&[1, 5])), block("b", vec![], goto(&[0]))];
    parts.b.procedure(with_body(procedure("q", &[], &[]), &[], blocks));
    rules(&parts.b.finish(), &[6, 6]);
}

#[test]
fn old_symbols_have_no_place_in_preconditions() {
    let mut parts = parts();
    let old = parts.b.program.globals[0].old;
    let old = parts.b.var(old);
    let condition = parts.b.op(Op::Le, &[old, old]);
    let mut p = procedure("q", &[], &[]);
    p.requires.push(clause(condition));
    p.ensures.push(clause(condition));
    parts.b.procedure(p);
    rules(&parts.b.finish(), &[4]);
}

#[test]
fn failures_and_cuts_come_from_passes_only() {
    let mut parts = parts();
    parts.b.procedure(with_body(
        procedure("q", &[], &[]),
        &[],
        vec![block("e", vec![], TerminatorKind::Fail)],
    ));
    let program = parts.b.finish();
    rules(&program, &[12]);
    assert!(validate_at(&program, Stage::Pass).is_empty());
}

#[test]
fn a_bound_symbol_belongs_to_one_binder() {
    let bind = |p: &mut Parts, kind, body: TermId, i: SymbolId| {
        let binder = footpath_term::Binder {
            kind,
            type_vars: vec![],
            vars: vec![i],
            triggers: vec![],
            nopats: 0,
            weight: None,
        };
        p.b.terms.bind(binder, body, &[], &[])
    };
    check(
        |p| {
            let i = p.b.symbol("i", SortId::INT);
            let it = p.b.var(i);
            let body = p.b.op(Op::Le, &[it, p.local_term]);
            let a = bind(p, footpath_term::BinderKind::Forall, body, i);
            let e = bind(p, footpath_term::BinderKind::Exists, body, i);
            vec![assert(a), assert(e)]
        },
        &[11],
    );
    check(
        |p| {
            let i = p.b.symbol("i", SortId::INT);
            let it = p.b.var(i);
            let body = p.b.op(Op::Le, &[it, p.local_term]);
            let a = bind(p, footpath_term::BinderKind::Forall, body, i);
            let both = p.b.op(Op::And, &[a, body]);
            vec![assert(both)]
        },
        &[3],
    );
}

#[test]
fn sides_of_an_equation_may_differ_in_sort_where_a_type_variable_occurs() {
    let mut parts = parts();
    let a = parts.b.terms.fresh_type_var("a");
    let open = parts.b.terms.mk_sort(footpath_term::Sort::Var(a));
    let x = parts.b.symbol("x", open);
    let (xt, five) = (parts.b.var(x), parts.b.int(5));
    let across = parts.b.terms.mk(Op::Eq, [xt, five], SortId::BOOL);
    let wrong = parts.b.terms.mk(Op::Eq, [parts.truth, five], SortId::BOOL);
    let mut p = procedure("q", &[x], &[]);
    p.type_params.push(a);
    p.requires.push(clause(across));
    p.ensures.push(clause(wrong));
    parts.b.procedure(p);
    rules(&parts.b.finish(), &[2]);
}
