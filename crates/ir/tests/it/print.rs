//! What programs and terms look like as Boogie text. `BLESS=1` rewrites `sample.bpl`; `boogie /noVerify`
//! accepts it.

use super::common::*;
use footpath_ir::{
    AssertKind, Attribute, AttributeArg, Constant, Extends, Function, StatementKind, TerminatorKind,
    TypeDecl, print, print_body, print_expr, validate,
};
use footpath_term::{Binder, BinderKind, FuncDecl, FuncKind, Op, Sort, SortId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

/// Prints a term over `a`, `b`, `c` (int), `p`, `q`, `r` (bool), `x`, `y` (bv8) and `m` (a map).
#[track_caller]
fn check(make: impl FnOnce(&mut Terms, &dyn Fn(&str) -> TermId) -> TermId, expected: &str) {
    let mut terms = Terms::new();
    let mut known = Vec::new();
    let bv8 = terms.bit_vec_sort(8);
    let map = terms.map_sort(vec![SortId::INT], SortId::INT);
    for name in ["a", "b", "c"] {
        known.push((name, terms.fresh_var(name, SortId::INT)));
    }
    for name in ["p", "q", "r"] {
        known.push((name, terms.fresh_var(name, SortId::BOOL)));
    }
    known.push(("x", terms.fresh_var("x", bv8)));
    known.push(("y", terms.fresh_var("y", bv8)));
    known.push(("m", terms.fresh_var("m", map)));
    let get = move |name: &str| known.iter().find(|(n, _)| *n == name).expect("a known name").1;
    let term = make(&mut terms, &get);
    assert_eq!(print_expr(&terms, term), expected);
}

#[test]
fn arithmetic_has_parentheses_only_where_the_tree_needs_them() {
    check(
        |t, v| {
            let s = t.raw(Op::Add, [v("a"), v("b")]);
            t.raw(Op::Sub, [s, v("c")])
        },
        "a + b - c",
    );
    check(
        |t, v| {
            let s = t.raw(Op::Sub, [v("b"), v("c")]);
            t.raw(Op::Add, [v("a"), s])
        },
        "a + (b - c)",
    );
    check(
        |t, v| {
            let s = t.raw(Op::Add, [v("a"), v("b")]);
            t.raw(Op::Mul, [s, v("c")])
        },
        "(a + b) * c",
    );
    check(
        |t, v| {
            let s = t.raw(Op::Mod, [v("a"), v("b")]);
            t.raw(Op::IntDiv, [s, v("c")])
        },
        "a mod b div c",
    );
    check(
        |t, v| {
            let n = t.int(-5);
            t.raw(Op::Sub, [v("a"), n])
        },
        "a - -5",
    );
    check(
        |t, _| {
            let n = t.int(-5);
            t.raw(Op::Neg, [n])
        },
        "-(-5)",
    );
    check(
        |t, v| {
            let s = t.raw(Op::Add, [v("a"), v("b")]);
            t.raw(Op::Neg, [s])
        },
        "-(a + b)",
    );
    check(|t, v| t.raw(Op::Add, [v("a"), v("b"), v("c")]), "a + b + c");
}

#[test]
fn connectives_do_not_mix_and_implication_leans_right() {
    check(
        |t, v| {
            let s = t.raw(Op::And, [v("p"), v("q")]);
            t.raw(Op::And, [s, v("r")])
        },
        "p && q && r",
    );
    check(
        |t, v| {
            let s = t.raw(Op::And, [v("q"), v("r")]);
            t.raw(Op::And, [v("p"), s])
        },
        "p && (q && r)",
    );
    check(
        |t, v| {
            let s = t.raw(Op::And, [v("p"), v("q")]);
            t.raw(Op::Or, [s, v("r")])
        },
        "(p && q) || r",
    );
    check(
        |t, v| {
            let s = t.raw(Op::Implies, [v("q"), v("r")]);
            t.raw(Op::Implies, [v("p"), s])
        },
        "p ==> q ==> r",
    );
    check(
        |t, v| {
            let s = t.raw(Op::Implies, [v("p"), v("q")]);
            t.raw(Op::Implies, [s, v("r")])
        },
        "(p ==> q) ==> r",
    );
    check(
        |t, v| {
            let s = t.raw(Op::Eq, [v("p"), v("q")]);
            t.raw(Op::Eq, [s, v("r")])
        },
        "p <==> q <==> r",
    );
    check(
        |t, v| {
            let s = t.raw(Op::Lt, [v("a"), v("b")]);
            t.raw(Op::Eq, [s, v("r")])
        },
        "a < b <==> r",
    );
    check(
        |t, v| {
            let s = t.raw(Op::Eq, [v("a"), v("b")]);
            t.raw(Op::Not, [s])
        },
        "a != b",
    );
    check(|t, v| t.raw(Op::Distinct, [v("a"), v("b"), v("c")]), "a != b && a != c && b != c");
}

#[test]
fn maps_bits_and_conditionals_print_as_boogie_writes_them() {
    check(
        |t, v| {
            let s = t.raw(Op::Store, [v("m"), v("a"), v("b")]);
            t.raw(Op::Select, [s, v("c")])
        },
        "m[a := b][c]",
    );
    check(|t, v| t.raw(Op::Extract(6, 2), [v("x")]), "x[7:2]");
    check(
        |t, v| {
            let s = t.raw(Op::Concat, [v("x"), v("y")]);
            t.raw(Op::Extract(7, 0), [s])
        },
        "(x ++ y)[8:0]",
    );
    check(
        |t, v| {
            let s = t.bit_vec(8, 5);
            t.raw(Op::BvAdd, [v("x"), s])
        },
        "bvadd.8(x, 5bv8)",
    );
    check(|t, v| t.raw(Op::ZeroExtend(24), [v("x")]), "zero_extend.8.32(x)");
    check(
        |t, v| {
            let i = t.raw(Op::Ite, [v("p"), v("a"), v("b")]);
            t.raw(Op::Add, [i, v("c")])
        },
        "(if p then a else b) + c",
    );
    check(
        |t, _| {
            let r = BigRational::new(BigInt::from(-3), BigInt::from(2));
            t.value(&Value::Real(r))
        },
        "-1.5",
    );
    check(|t, v| t.raw(Op::ToReal, [v("a")]), "real(a)");
}

#[test]
fn floats_print_as_hexadecimal_literals_with_their_value() {
    let float = |bits: u32| {
        let mut terms = Terms::new();
        let value = Value::Float { exponent: 8, significand: 24, bits: bits.into() };
        let t = terms.value(&value);
        print_expr(&terms, t)
    };
    // 1.5 is 24 * 16^-1.
    assert_eq!(float(1.5f32.to_bits()), "0x18.0e-1f24e8");
    assert_eq!(float((-1.0f32).to_bits()), "-0x1.0e0f24e8");
    assert_eq!(float(0), "0x0.0e0f24e8");
    assert_eq!(float(f32::INFINITY.to_bits()), "0+oo24e8");
    assert_eq!(float(f32::NAN.to_bits()), "0NaN24e8");
}

#[test]
fn nested_binders_of_one_name_are_told_apart() {
    let mut terms = Terms::new();
    let (outer, inner) = (terms.fresh_symbol("i", SortId::INT), terms.fresh_symbol("i", SortId::INT));
    let (o, i) = (terms.var(outer), terms.var(inner));
    let binder = |kind, var| Binder {
        kind,
        type_vars: vec![],
        vars: vec![var],
        triggers: vec![],
        nopats: 0,
        weight: Some(3),
    };
    let less = terms.raw(Op::Lt, [i, o]);
    let exists = terms.bind(binder(BinderKind::Exists, inner), less, &[vec![less], vec![i, o]], &[o]);
    let forall = terms.bind(Binder { weight: None, ..binder(BinderKind::Forall, outer) }, exists, &[], &[]);
    assert_eq!(
        print_expr(&terms, forall),
        "(forall i: int :: (exists i#1: int :: {:weight 3} {i#1 < i} {i#1, i} {:nopats i} i#1 < i))"
    );
}

#[test]
fn a_hundred_thousand_nested_operators_print_without_recursion() {
    let mut terms = Terms::new();
    let a = terms.fresh_var("a", SortId::INT);
    let (mut left, mut right) = (a, a);
    for _ in 0..100_000 {
        left = terms.raw(Op::Add, [left, a]);
        right = terms.raw(Op::Sub, [a, right]);
    }
    assert_eq!(print_expr(&terms, left).len(), 400_001);
    assert!(print_expr(&terms, right).ends_with(")))"));
}

/// A program with something of everything.
fn sample() -> footpath_ir::Program {
    let mut b = Builder::new();
    let reference = b.terms.declare_ctor("ref", 0);
    let field = b.terms.declare_ctor("Field", 1);
    let list = b.terms.declare_ctor("List", 0);
    for ctor in [reference, field, list] {
        b.program.types.push(TypeDecl { ctor, span: SPAN, attributes: vec![] });
    }
    let ref_sort = b.terms.mk_sort(Sort::Ctor(reference, vec![]));
    let list_sort = b.terms.mk_sort(Sort::Ctor(list, vec![]));
    let decl = |name: &str, params: Vec<SortId>, result, kind| FuncDecl {
        name: name.into(),
        type_params: vec![],
        params,
        result,
        kind,
    };
    let nil = b.terms.declare_function(decl("Nil", vec![], list_sort, FuncKind::Constructor));
    let cons = b.terms.declare_function(decl(
        "Cons",
        vec![SortId::INT, list_sort],
        list_sort,
        FuncKind::Constructor,
    ));
    let head = FuncKind::Selector { constructor: cons, field: 0 };
    let head = b.terms.declare_function(decl("head", vec![list_sort], SortId::INT, head));
    let tail = FuncKind::Selector { constructor: cons, field: 1 };
    b.terms.declare_function(decl("tail", vec![list_sort], list_sort, tail));
    b.terms.set_constructors(list, vec![nil, cons]);

    let tv = b.terms.fresh_type_var("T");
    let tv_sort = b.terms.mk_sort(Sort::Var(tv));
    let field_tv = b.terms.mk_sort(Sort::Ctor(field, vec![tv_sort]));
    let field_int = b.terms.mk_sort(Sort::Ctor(field, vec![SortId::INT]));
    let heap_sort = b.terms.abstract_map_sort(&[tv], &[ref_sort, field_tv], tv_sort);
    let heap = b.global("Heap", heap_sort);
    let x_global = b.global("x", SortId::INT);
    let null = b.symbol("null", ref_sort);
    let f = b.symbol("f", field_int);
    b.program.constants.push(Constant {
        symbol: null,
        unique: true,
        extends: None,
        span: SPAN,
        attributes: vec![],
    });
    let extends = Some(Extends { parents: vec![], complete: true });
    b.program.constants.push(Constant { symbol: f, unique: true, extends, span: SPAN, attributes: vec![] });

    let none = b.terms.declare_function(FuncDecl {
        name: "none".into(),
        type_params: vec![tv],
        params: vec![],
        result: field_tv,
        kind: FuncKind::Uninterpreted,
    });
    b.program.functions.push(Function {
        id: none,
        params: vec![],
        body: None,
        span: SPAN,
        attributes: vec![],
    });
    let n = b.symbol("n", SortId::INT);
    let (nt, one) = (b.var(n), b.int(1));
    let body = b.op(Op::Add, &[nt, one]);
    let inc = b.terms.declare_function(decl("inc", vec![SortId::INT], SortId::INT, FuncKind::Uninterpreted));
    let inline = Attribute { name: "inline".into(), args: vec![] };
    b.program.functions.push(Function {
        id: inc,
        params: vec![n],
        body: Some(body),
        span: SPAN,
        attributes: vec![inline],
    });

    let bv8 = b.terms.bit_vec_sort(8);
    let (p, y, local, l) = (
        b.symbol("x", SortId::INT),
        b.symbol("y", bv8),
        b.symbol("x", SortId::INT),
        b.symbol("l", list_sort),
    );
    let r = b.symbol("r", SortId::INT);
    let (ht, nullt, ft, pt, yt, lt, gt) =
        (b.var(heap), b.var(null), b.var(f), b.var(p), b.var(y), b.var(l), b.var(x_global));
    let old = b.program.globals[1].old;
    let oldt = b.var(old);
    let read = b.op(Op::Select, &[ht, nullt, ft]);
    let write = b.op(Op::Store, &[ht, nullt, ft, pt]);
    let sum = b.op(Op::BvAdd, &[yt, yt]);
    let low = b.op(Op::BvUlt, &[yt, sum]);
    let none_int = b.terms.mk(Op::Apply(none), [], field_int);
    let differs = b.op(Op::Eq, &[none_int, ft]);
    let differs = b.op(Op::Not, &[differs]);
    let head_l = b.op(Op::Apply(head), &[lt]);
    let nilt = b.op(Op::Apply(nil), &[]);
    let consl = b.op(Op::Apply(cons), &[pt, nilt]);
    let grows = b.op(Op::Le, &[oldt, gt]);
    let positive = b.op(Op::Gt, &[pt, one]);
    let note = Attribute {
        name: "note".into(),
        args: vec![AttributeArg::Text("a \"b".into()), AttributeArg::Term(pt)],
    };

    // Axioms with polymorphism, lambdas and constant maps.
    let ta = b.terms.fresh_type_var("T");
    let ta_sort = b.terms.mk_sort(Sort::Var(ta));
    let field_ta = b.terms.mk_sort(Sort::Ctor(field, vec![ta_sort]));
    let (h, fa, i) = (b.symbol("h", heap_sort), b.symbol("f", field_ta), b.symbol("i", SortId::INT));
    let (hv, fv, iv) = (b.var(h), b.var(fa), b.var(i));
    let at = b.op(Op::Select, &[hv, nullt, fv]);
    let some = b.terms.mk(Op::Apply(none), [], field_ta);
    let same = b.op(Op::Eq, &[fv, some]);
    let none_at = b.op(Op::Select, &[hv, nullt, some]);
    let equal = b.op(Op::Eq, &[at, none_at]);
    let implies = b.op(Op::Implies, &[same, equal]);
    let binder =
        |kind, type_vars, vars| Binder { kind, type_vars, vars, triggers: vec![], nopats: 0, weight: None };
    let forall = b.terms.bind(binder(BinderKind::Forall, vec![ta], vec![h, fa]), implies, &[vec![at]], &[]);
    let next = b.op(Op::Add, &[iv, one]);
    let lambda = b.terms.bind(binder(BinderKind::Lambda, vec![], vec![i]), next, &[], &[]);
    let ints = b.terms.map_sort(vec![SortId::INT], SortId::INT);
    let constant = b.terms.mk(Op::ConstMap, [one], ints);
    let updated = b.op(Op::Store, &[constant, one, one]);
    let lambda_differs = b.op(Op::Distinct, &[lambda, updated]);
    for condition in [forall, lambda_differs] {
        b.program.axioms.push(footpath_ir::Axiom { condition, span: SPAN, attributes: vec![] });
    }

    let mut q = procedure("axiom", &[p, y], &[r]);
    q.requires.push(clause(positive));
    q.modifies = vec![heap, x_global];
    q.ensures.push(clause(grows));
    let call = StatementKind::Call {
        callee: footpath_ir::ProcId(0),
        args: vec![None, Some(sum)],
        results: vec![None],
    };
    let mut q = with_body(
        q,
        &[local, l],
        vec![
            block(
                "entry",
                vec![
                    assign(heap, write),
                    assign(l, consl),
                    StatementKind::Assign(vec![(local, read), (r, head_l)]),
                    StatementKind::Havoc(vec![local, x_global]),
                    StatementKind::Assume(low),
                    StatementKind::assert(differs, AssertKind::LoopInvariant),
                    call,
                ],
                branch(positive, 1, 2),
            ),
            block("loop", vec![], goto(&[1, 2])),
            block("loop", vec![], goto(&[3])),
            block("end", vec![], TerminatorKind::Return),
            block("stop", vec![], goto(&[])),
        ],
    );
    q.bodies[0].blocks[0].statements[4].attributes.push(note);
    b.procedure(q);
    b.finish()
}

#[test]
fn a_whole_program_prints_as_valid_boogie() {
    let program = sample();
    assert_eq!(
        validate(&program).iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["rule 1: in axiom: a second block loop"]
    );
    let text = print(&program);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sample.bpl");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(file, &text).expect("the expectation can be written");
    }
    assert_eq!(text, std::fs::read_to_string(file).expect("an expectation"));
    let alone =
        print_body(&program, &program.terms, footpath_ir::ProcId(0), &program.procedures[0].bodies[0]);
    assert!(alone.starts_with("implementation \\axiom(x#1: int, y: bv8) returns (r: int)\n{\n"), "{alone}");
}
