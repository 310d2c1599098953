//! The same small problems through every solver.

use super::common::{Build, backends, binder};
use footpath_smt::{Answer, Solver};
use footpath_term::{BinderKind, FuncDecl, FuncId, FuncKind, Op, Sort, SortId, TermId, Terms, Value};

enum Expect {
    Sat,
    Unsat,
}
use Expect::{Sat, Unsat};

struct Problem {
    name: &'static str,
    expect: Expect,
    /// Builds the assertions.
    build: fn(&mut Terms) -> Vec<TermId>,
    /// Solvers that know only the standard cannot express it.
    beyond_standard: bool,
}

const fn problem(name: &'static str, expect: Expect, build: fn(&mut Terms) -> Vec<TermId>) -> Problem {
    Problem { name, expect, build, beyond_standard: false }
}

fn int_map(t: &mut Terms) -> SortId {
    t.map_sort(vec![SortId::INT], SortId::INT)
}

fn var_bv(t: &mut Terms, name: &str, width: u32) -> TermId {
    let sort = t.bit_vec_sort(width);
    t.fresh_var(name, sort)
}

fn not(t: &mut Terms, a: TermId) -> TermId {
    t.t(Op::Not, &[a])
}

fn real(t: &mut Terms, n: i64, d: i64) -> TermId {
    t.value(&Value::Real(num_rational::BigRational::new(n.into(), d.into())))
}

/// `datatype List<a> { Nil(), Cons(head: a, tail: List a) }` and its tree of lists.
struct Lists {
    nil: FuncId,
    cons: FuncId,
    head: FuncId,
    tail: FuncId,
    is_cons: FuncId,
    of_int: SortId,
}

/// `datatype Name { MakeName(fields…) }`, the sort and the constructor.
fn record(t: &mut Terms, name: &str, fields: &[SortId]) -> (SortId, FuncId) {
    let ctor = t.declare_ctor(name, 0);
    let result = t.mk_sort(Sort::Ctor(ctor, vec![]));
    let make = t.declare_function(FuncDecl {
        name: format!("Make{name}").into(),
        type_params: vec![],
        params: fields.to_vec(),
        result,
        kind: FuncKind::Constructor,
    });
    t.set_constructors(ctor, vec![make]);
    (result, make)
}

fn lists(t: &mut Terms) -> Lists {
    let ctor = t.declare_ctor("List", 1);
    let a = t.fresh_type_var("a");
    let a_sort = t.mk_sort(Sort::Var(a));
    let list = t.mk_sort(Sort::Ctor(ctor, vec![a_sort]));
    let mut declare = |name: &str, params: Vec<SortId>, result: SortId, kind: FuncKind| {
        t.declare_function(FuncDecl { name: name.into(), type_params: vec![a], params, result, kind })
    };
    let nil = declare("Nil", vec![], list, FuncKind::Constructor);
    let cons = declare("Cons", vec![a_sort, list], list, FuncKind::Constructor);
    let head = declare("head", vec![list], a_sort, FuncKind::Selector { constructor: cons, field: 0 });
    let tail = declare("tail", vec![list], list, FuncKind::Selector { constructor: cons, field: 1 });
    let is_cons = declare("is#Cons", vec![list], SortId::BOOL, FuncKind::Tester { constructor: cons });
    t.set_constructors(ctor, vec![nil, cons]);
    let of_int = t.mk_sort(Sort::Ctor(ctor, vec![SortId::INT]));
    Lists { nil, cons, head, tail, is_cons, of_int }
}

const PROBLEMS: &[Problem] = &[
    problem("an integer between two others", Sat, |t| {
        let (x, five, seven) = (t.fresh_var("x", SortId::INT), t.int(5), t.int(7));
        vec![t.t(Op::Lt, &[five, x]), t.t(Op::Lt, &[x, seven])]
    }),
    problem("no integer between neighbours", Unsat, |t| {
        let (x, five, six) = (t.fresh_var("x", SortId::INT), t.int(5), t.int(6));
        vec![t.t(Op::Lt, &[five, x]), t.t(Op::Lt, &[x, six])]
    }),
    problem("names that are no symbols of SMT-LIB", Sat, |t| {
        let x = t.fresh_var("a|b\\c d'é", SortId::INT);
        let y = t.fresh_var("a|b\\c d'é", SortId::INT);
        let z = t.fresh_var("", SortId::INT);
        vec![t.t(Op::Distinct, &[x, y, z])]
    }),
    problem("negative numbers divide as Euclid would", Sat, |t| {
        let (minus7, minus2, four, one) = (t.int(-7), t.int(-2), t.int(4), t.int(1));
        let (q, r) = (t.t(Op::IntDiv, &[minus7, minus2]), t.t(Op::Mod, &[minus7, minus2]));
        vec![t.t(Op::Eq, &[q, four]), t.t(Op::Eq, &[r, one])]
    }),
    problem("division by zero has some value", Sat, |t| {
        let (x, zero, seven) = (t.fresh_var("x", SortId::INT), t.int(0), t.int(7));
        let q = t.t(Op::IntDiv, &[x, zero]);
        vec![t.t(Op::Eq, &[q, seven])]
    }),
    problem("but only one", Unsat, |t| {
        let (x, y, zero) = (t.fresh_var("x", SortId::INT), t.fresh_var("y", SortId::INT), t.int(0));
        let (p, q) = (t.t(Op::IntDiv, &[x, zero]), t.t(Op::IntDiv, &[y, zero]));
        vec![t.t(Op::Eq, &[x, y]), t.t(Op::Distinct, &[p, q])]
    }),
    problem("a third is a real", Sat, |t| {
        let x = t.fresh_var("x", SortId::REAL);
        let (three, one, minus) = (real(t, 3, 1), real(t, 1, 1), real(t, -1, 3));
        let triple = t.t(Op::Mul, &[three, x]);
        let neg = t.t(Op::Neg, &[x]);
        vec![t.t(Op::Eq, &[triple, one]), t.t(Op::Eq, &[neg, minus])]
    }),
    problem("reals and integers convert", Unsat, |t| {
        let x = t.fresh_var("x", SortId::INT);
        let half = real(t, 1, 2);
        let r = t.t(Op::ToReal, &[x]);
        let sum = t.t(Op::Add, &[r, half]);
        let floor = t.t(Op::ToInt, &[sum]);
        vec![t.t(Op::Distinct, &[floor, x])]
    }),
    problem("empty and single operands", Sat, |t| {
        let (x, p) = (t.fresh_var("x", SortId::INT), t.fresh_var("p", SortId::BOOL));
        let all = t.t(Op::And, &[]);
        let sum = t.mk(Op::Add, [], SortId::INT);
        let product = t.mk(Op::Mul, [], SortId::INT);
        let one = t.t(Op::Add, &[product]);
        let (a, b) = (t.t(Op::Lt, &[sum, x]), t.t(Op::Eq, &[one, x]));
        vec![all, t.t(Op::And, &[p]), t.t(Op::Or, &[a]), b, t.t(Op::Distinct, &[x])]
    }),
    problem("an empty disjunction is false", Unsat, |t| vec![t.t(Op::Or, &[])]),
    problem("bit-vectors wrap round", Sat, |t| {
        let (x, one, zero) = (var_bv(t, "x", 8), t.bit_vec(8, 1), t.bit_vec(8, 0));
        let y = t.t(Op::BvAdd, &[x, one]);
        vec![t.t(Op::Eq, &[y, zero])]
    }),
    problem("every bit-vector operator", Unsat, |t| {
        // For 5-bit a, b: identities of all operators, one of which must fail.
        let (a, b) = (var_bv(t, "a", 5), var_bv(t, "b", 5));
        let (na, minus) = (t.t(Op::BvNot, &[a]), t.t(Op::BvNeg, &[a]));
        let one = t.bit_vec(5, 1);
        let zero = t.bit_vec(5, 0);
        let na1 = t.t(Op::BvAdd, &[na, one]);
        let (and, or, xor) = (t.t(Op::BvAnd, &[a, b]), t.t(Op::BvOr, &[a, b]), t.t(Op::BvXor, &[a, b]));
        let sum = t.t(Op::BvAdd, &[a, b]);
        let sum2 = t.t(Op::BvAdd, &[and, or]);
        let difference = t.t(Op::BvSub, &[or, and]);
        let (q, r) = (t.t(Op::BvUdiv, &[a, b]), t.t(Op::BvUrem, &[a, b]));
        let product = t.t(Op::BvMul, &[q, b]);
        let back = t.t(Op::BvAdd, &[product, r]);
        let (sq, sr) = (t.t(Op::BvSdiv, &[a, b]), t.t(Op::BvSrem, &[a, b]));
        let sproduct = t.t(Op::BvMul, &[sq, b]);
        let sback = t.t(Op::BvAdd, &[sproduct, sr]);
        let (l, rt) = (t.t(Op::RotateLeft(3), &[a]), t.t(Op::RotateRight(2), &[a]));
        let (high, low) = (t.t(Op::Extract(4, 2), &[a]), t.t(Op::Extract(1, 0), &[a]));
        let whole = t.t(Op::Concat, &[high, low]);
        let (shl, shr) = (t.t(Op::BvShl, &[a, one]), t.t(Op::BvLshr, &[a, one]));
        let twice = t.t(Op::BvAdd, &[a, a]);
        let ashr = t.t(Op::BvAshr, &[a, one]);
        let ze = t.t(Op::ZeroExtend(4), &[a]);
        let se = t.t(Op::SignExtend(4), &[a]);
        let (ze_low, se_low) = (t.t(Op::Extract(4, 0), &[ze]), t.t(Op::Extract(4, 0), &[se]));
        let sixteen = t.bit_vec(5, 16);
        let top = t.t(Op::BvUlt, &[shr, sixteen]);
        let ashr_sign = t.t(Op::Extract(4, 4), &[ashr]);
        let sign = t.t(Op::Extract(4, 4), &[a]);
        let mod_ = t.t(Op::BvSmod, &[a, b]);
        let mod_ok = t.t(Op::BvSle, &[zero, mod_]);
        let b_positive = t.t(Op::BvSlt, &[zero, b]);
        let mod_ok = t.t(Op::Implies, &[b_positive, mod_ok]);
        let r_small = t.t(Op::BvUle, &[r, a]);
        let equal = [
            (na1, minus),
            (sum, sum2),
            (difference, xor),
            (back, a),
            (sback, a),
            (l, rt),
            (whole, a),
            (shl, twice),
            (ze_low, se_low),
            (ashr_sign, sign),
        ];
        let mut all: Vec<TermId> = equal.iter().map(|&(x, y)| t.t(Op::Eq, &[x, y])).collect();
        all.extend([top, mod_ok, r_small]);
        let all = t.t(Op::And, &all);
        vec![not(t, all)]
    }),
    problem("bit-vectors read as integers and back", Unsat, |t| {
        let x = var_bv(t, "x", 6);
        let n = t.t(Op::BvToInt, &[x]);
        let y = t.t(Op::IntToBv(6), &[n]);
        let limit = t.int(64);
        let same = t.t(Op::Eq, &[x, y]);
        let small = t.t(Op::Lt, &[n, limit]);
        let both = t.t(Op::And, &[same, small]);
        vec![not(t, both)]
    }),
    problem("all bit-vectors of no bits are equal", Unsat, |t| {
        let (x, y) = (var_bv(t, "x", 0), var_bv(t, "y", 0));
        vec![t.t(Op::Distinct, &[x, y])]
    }),
    problem("maps to bit-vectors of no bits are equal", Unsat, |t| {
        let unit = t.bit_vec_sort(0);
        let sort = t.map_sort(vec![SortId::INT], unit);
        let (m, n) = (t.fresh_var("m", sort), t.fresh_var("n", sort));
        vec![t.t(Op::Distinct, &[m, n])]
    }),
    problem("operators on no bits", Sat, |t| {
        let (x, y) = (var_bv(t, "x", 0), var_bv(t, "y", 3));
        let joined = t.t(Op::Concat, &[x, y, x]);
        let wide = t.t(Op::SignExtend(3), &[x]);
        let n = t.t(Op::BvToInt, &[x]);
        let zero = t.int(0);
        let below = t.t(Op::BvUlt, &[x, x]);
        let f = t.func("f", &[], SortId::BOOL);
        let fx = t.t(Op::Apply(f), &[]);
        let at_most = t.t(Op::BvSle, &[x, x]);
        vec![
            t.t(Op::Eq, &[joined, y]),
            t.t(Op::Eq, &[wide, y]),
            t.t(Op::Eq, &[n, zero]),
            not(t, below),
            at_most,
            fx,
        ]
    }),
    problem("a map remembers", Sat, |t| {
        let sort = int_map(t);
        let m = t.fresh_var("m", sort);
        let (three, four) = (t.int(3), t.int(4));
        let n = t.t(Op::Store, &[m, three, four]);
        let at = t.t(Op::Select, &[n, three]);
        let elsewhere = t.t(Op::Select, &[n, four]);
        vec![t.t(Op::Eq, &[at, four]), t.t(Op::Eq, &[elsewhere, three])]
    }),
    problem("maps are equal if their elements are", Unsat, |t| {
        let sort = int_map(t);
        let m = t.fresh_var("m", sort);
        let i = t.fresh_var("i", SortId::INT);
        let at = t.t(Op::Select, &[m, i]);
        let n = t.t(Op::Store, &[m, i, at]);
        vec![t.t(Op::Distinct, &[m, n])]
    }),
    problem("a map over two indices", Sat, |t| {
        let sort = t.map_sort(vec![SortId::INT, SortId::BOOL], SortId::INT);
        let m = t.fresh_var("m", sort);
        let (one, two, yes, no) = (t.int(1), t.int(2), t.bool(true), t.bool(false));
        let zero = t.int(0);
        let constant = t.mk(Op::ConstMap, [zero], sort);
        let n = t.t(Op::Store, &[constant, one, yes, two]);
        let n = t.t(Op::Store, &[n, two, no, one]);
        let at = t.t(Op::Select, &[m, one, no]);
        vec![t.t(Op::Eq, &[m, n]), t.t(Op::Eq, &[at, zero])]
    }),
    problem("a map over two indices has one element for each pair", Unsat, |t| {
        let sort = t.map_sort(vec![SortId::INT, SortId::BOOL], SortId::INT);
        let m = t.fresh_var("m", sort);
        let (one, two, yes, no) = (t.int(1), t.int(2), t.bool(true), t.bool(false));
        let n = t.t(Op::Store, &[m, one, yes, two]);
        let (a, b) = (t.t(Op::Select, &[m, one, no]), t.t(Op::Select, &[n, one, no]));
        vec![t.t(Op::Distinct, &[a, b])]
    }),
    problem("a map over no index is its element", Sat, |t| {
        let sort = t.map_sort(vec![], SortId::INT);
        let m = t.fresh_var("m", sort);
        let five = t.int(5);
        let n = t.t(Op::Store, &[m, five]);
        let constant = t.mk(Op::ConstMap, [five], sort);
        let at = t.t(Op::Select, &[m]);
        vec![t.t(Op::Eq, &[m, n]), t.t(Op::Eq, &[at, five]), t.t(Op::Eq, &[m, constant])]
    }),
    problem("a constant map of something unknown", Unsat, |t| {
        let sort = int_map(t);
        let (x, i) = (t.fresh_var("x", SortId::INT), t.fresh_var("i", SortId::INT));
        let m = t.mk(Op::ConstMap, [x], sort);
        let at = t.t(Op::Select, &[m, i]);
        vec![t.t(Op::Distinct, &[at, x])]
    }),
    problem("a map of maps", Sat, |t| {
        let inner = int_map(t);
        let sort = t.map_sort(vec![SortId::INT], inner);
        let m = t.fresh_var("m", sort);
        let (one, two) = (t.int(1), t.int(2));
        let row = t.t(Op::Select, &[m, one]);
        let at = t.t(Op::Select, &[row, two]);
        vec![t.t(Op::Eq, &[at, two])]
    }),
    problem("a lambda is a map", Unsat, |t| {
        let x = t.fresh_symbol("x", SortId::INT);
        let y = t.fresh_symbol("y", SortId::INT);
        let (xt, yt) = (t.var(x), t.var(y));
        let sum = t.t(Op::Sub, &[xt, yt]);
        let m = t.lambda(&[x, y], sum);
        let (seven, five, two) = (t.int(7), t.int(5), t.int(2));
        let at = t.t(Op::Select, &[m, seven, five]);
        vec![t.t(Op::Distinct, &[at, two])]
    }),
    problem("elements with different numbers differ", Unsat, |t| {
        let sort = t.uninterpreted("ref");
        let x = t.fresh_var("x", sort);
        let (a, b) =
            (t.value(&Value::Element { sort, number: 3 }), t.value(&Value::Element { sort, number: 8 }));
        vec![t.t(Op::Eq, &[x, a]), t.t(Op::Eq, &[x, b])]
    }),
    problem("elements beyond those with names", Sat, |t| {
        let sort = t.uninterpreted("ref");
        let (x, y) = (t.fresh_var("x", sort), t.fresh_var("y", sort));
        let (a, b) =
            (t.value(&Value::Element { sort, number: 0 }), t.value(&Value::Element { sort, number: 2 }));
        vec![t.t(Op::Distinct, &[x, y, a, b])]
    }),
    problem("functions are functions", Unsat, |t| {
        let f = t.func("f", &[SortId::INT], SortId::INT);
        let (x, y) = (t.fresh_var("x", SortId::INT), t.fresh_var("y", SortId::INT));
        let (fx, fy) = (t.t(Op::Apply(f), &[x]), t.t(Op::Apply(f), &[y]));
        vec![t.t(Op::Eq, &[x, y]), t.t(Op::Distinct, &[fx, fy])]
    }),
    problem("a polymorphic function is one for each sort", Sat, |t| {
        let a = t.fresh_type_var("a");
        let a_sort = t.mk_sort(Sort::Var(a));
        let f = t.declare_function(FuncDecl {
            name: "f".into(),
            type_params: vec![a],
            params: vec![a_sort],
            result: SortId::INT,
            kind: FuncKind::Uninterpreted,
        });
        let (x, p) = (t.fresh_var("x", SortId::INT), t.fresh_var("p", SortId::BOOL));
        let (fx, fp) = (t.t(Op::Apply(f), &[x]), t.t(Op::Apply(f), &[p]));
        vec![t.t(Op::Distinct, &[fx, fp])]
    }),
    problem("lists have heads and tails", Sat, |t| {
        let l = lists(t);
        let x = t.fresh_var("x", l.of_int);
        let is_cons = t.t(Op::Apply(l.is_cons), &[x]);
        let head = t.mk(Op::Apply(l.head), [x], SortId::INT);
        let tail = t.mk(Op::Apply(l.tail), [x], l.of_int);
        let five = t.int(5);
        let nil = t.mk(Op::Apply(l.nil), [], l.of_int);
        let cons = t.mk(Op::Apply(l.cons), [five, nil], l.of_int);
        vec![is_cons, t.t(Op::Eq, &[head, five]), t.t(Op::Eq, &[tail, cons])]
    }),
    problem("no list is its own tail", Unsat, |t| {
        let l = lists(t);
        let x = t.fresh_var("x", l.of_int);
        let one = t.int(1);
        let cons = t.mk(Op::Apply(l.cons), [one, x], l.of_int);
        vec![t.t(Op::Eq, &[x, cons])]
    }),
    problem("mutually recursive datatypes, through a map", Sat, |t| {
        let tree = t.declare_ctor("Tree", 0);
        let tree_sort = t.mk_sort(Sort::Ctor(tree, vec![]));
        let l = lists(t);
        let Sort::Ctor(list, _) = t.sort_of(l.of_int).clone() else { unreachable!() };
        let forest = t.mk_sort(Sort::Ctor(list, vec![tree_sort]));
        let node = t.declare_function(FuncDecl {
            name: "Node".into(),
            type_params: vec![],
            params: vec![SortId::INT, forest],
            result: tree_sort,
            kind: FuncKind::Constructor,
        });
        t.set_constructors(tree, vec![node]);
        let x = t.fresh_var("x", tree_sort);
        let one = t.int(1);
        let nil = t.mk(Op::Apply(l.nil), [], forest);
        let leaf = t.t(Op::Apply(node), &[one, nil]);
        let children = t.mk(Op::Apply(l.cons), [leaf, nil], forest);
        let root = t.t(Op::Apply(node), &[one, children]);
        vec![t.t(Op::Eq, &[x, root])]
    }),
    problem("a datatype that is the index of a map in another, and beside it in a third", Sat, |t| {
        let (key, make_key) = record(t, "Key", &[SortId::INT]);
        let map = t.map_sort(vec![key], SortId::INT);
        let (table, make_table) = record(t, "Table", &[map]);
        let (world, make_world) = record(t, "World", &[table, key]);
        let (w, m, n) = (t.fresh_var("w", world), t.fresh_var("m", map), t.fresh_var("n", SortId::INT));
        let key = t.t(Op::Apply(make_key), &[n]);
        let table = t.t(Op::Apply(make_table), &[m]);
        let made = t.t(Op::Apply(make_world), &[table, key]);
        let at_key = t.t(Op::Select, &[m, key]);
        vec![t.t(Op::Eq, &[w, made]), t.t(Op::Lt, &[n, at_key])]
    }),
    problem("quantifiers with triggers", Unsat, |t| {
        let f = t.func("f", &[SortId::INT], SortId::INT);
        let x = t.fresh_symbol("x", SortId::INT);
        let xt = t.var(x);
        let fx = t.t(Op::Apply(f), &[xt]);
        let body = t.t(Op::Lt, &[xt, fx]);
        let all = t.forall(&[x], body, &[vec![fx]]);
        let (five, three) = (t.int(5), t.int(3));
        let f5 = t.t(Op::Apply(f), &[five]);
        vec![all, t.t(Op::Lt, &[f5, three])]
    }),
    problem("a trigger that is none", Unsat, |t| {
        let f = t.func("f", &[SortId::INT, SortId::INT], SortId::INT);
        let (x, y) = (t.fresh_symbol("x", SortId::INT), t.fresh_symbol("y", SortId::INT));
        let (xt, yt) = (t.var(x), t.var(y));
        let fx = t.t(Op::Apply(f), &[xt, yt]);
        let body = t.t(Op::Lt, &[xt, fx]);
        let all = t.forall(&[x, y], body, &[vec![fx]]);
        let five = t.int(5);
        let f5 = t.t(Op::Apply(f), &[five, five]);
        vec![all, t.t(Op::Lt, &[f5, five])]
    }),
    problem("shared parts under nested binders", Unsat, |t| {
        let p = t.func("p", &[SortId::INT, SortId::INT], SortId::BOOL);
        let (x, y) = (t.fresh_symbol("x", SortId::INT), t.fresh_symbol("y", SortId::INT));
        let (xt, yt) = (t.var(x), t.var(y));
        let c = t.fresh_var("c", SortId::INT);
        let x2 = t.t(Op::Add, &[xt, c]);
        let y2 = t.t(Op::Add, &[yt, x2]);
        let (a, b) = (t.t(Op::Apply(p), &[x2, y2]), t.t(Op::Apply(p), &[y2, x2]));
        let same = t.t(Op::Eq, &[y2, x2]);
        let some = t.t(Op::And, &[a, b, same]);
        let exists = t.bind(binder(BinderKind::Exists, &[y]), some, &[], &[]);
        let at_x = t.t(Op::Apply(p), &[x2, x2]);
        let differs = not(t, at_x);
        let body = t.t(Op::And, &[exists, differs]);
        vec![t.forall(&[x], body, &[])]
    }),
    problem("exponentially large trees are small graphs", Unsat, |t| {
        let f = t.func("f", &[SortId::INT, SortId::INT], SortId::INT);
        let (x, y) = (t.fresh_var("x", SortId::INT), t.fresh_var("y", SortId::INT));
        let (mut one, mut other) = (x, y);
        for _ in 0..60 {
            one = t.t(Op::Apply(f), &[one, one]);
            other = t.t(Op::Apply(f), &[other, other]);
        }
        vec![t.t(Op::Eq, &[x, y]), t.t(Op::Distinct, &[one, other])]
    }),
    problem("floating-point numbers round", Sat, |t| {
        let float = t.mk_sort(Sort::Float { exponent: 8, significand: 24 });
        let mode = t.mk_sort(Sort::RoundingMode);
        let add = t.builtin("fp.add", &[mode, float, float], float);
        let eq = t.builtin("fp.eq", &[float, float], SortId::BOOL);
        let of_real = t.builtin("(_ to_fp 8 24) RNE", &[SortId::REAL], float);
        let is_nan = t.builtin("fp.isNaN", &[float], SortId::BOOL);
        let infinity = t.builtin("(_ +oo 8 24)", &[], float);
        let (x, m) = (t.fresh_var("x", float), t.fresh_var("m", mode));
        let tenth = real(t, 1, 10);
        let tenth = t.t(Op::Apply(of_real), &[tenth]);
        let sum = t.t(Op::Apply(add), &[m, x, tenth]);
        let same = t.t(Op::Apply(eq), &[sum, x]);
        let nan = t.fresh_var("nan", float);
        let inf = t.t(Op::Apply(infinity), &[]);
        let finite = t.t(Op::Distinct, &[x, inf]);
        vec![same, t.t(Op::Apply(is_nan), &[nan]), finite]
    }),
    problem("a floating-point literal is its number", Unsat, |t| {
        let float = t.mk_sort(Sort::Float { exponent: 8, significand: 24 });
        let of_real = t.builtin("(_ to_fp 8 24) RNE", &[SortId::REAL], float);
        let tenth = real(t, 1, 10);
        let tenth = t.t(Op::Apply(of_real), &[tenth]);
        let bits = Value::Float { exponent: 8, significand: 24, bits: 0x3dcc_cccd_u32.into() };
        let literal = t.value(&bits);
        vec![t.t(Op::Distinct, &[tenth, literal])]
    }),
    problem("strings have lengths and quotes", Sat, |t| {
        let string = t.mk_sort(Sort::String);
        let concat = t.builtin("str.++", &[string, string], string);
        let length = t.builtin("str.len", &[string], SortId::INT);
        let x = t.fresh_var("x", string);
        let a = t.value(&Value::String("say \"é\\u\"".into()));
        let whole = t.t(Op::Apply(concat), &[a, x]);
        let n = t.t(Op::Apply(length), &[whole]);
        let ten = t.int(10);
        vec![t.t(Op::Eq, &[n, ten])]
    }),
    problem("regular expressions match", Unsat, |t| {
        let (string, regex) = (t.mk_sort(Sort::String), t.mk_sort(Sort::RegEx));
        let to_re = t.builtin("str.to_re", &[string], regex);
        let star = t.builtin("re.*", &[regex], regex);
        let in_re = t.builtin("str.in_re", &[string, regex], SortId::BOOL);
        let (ab, aba) = (t.value(&Value::String("ab".into())), t.value(&Value::String("aba".into())));
        let re = t.t(Op::Apply(to_re), &[ab]);
        let re = t.t(Op::Apply(star), &[re]);
        vec![t.t(Op::Apply(in_re), &[aba, re])]
    }),
    problem("a relation among types is a relation", Unsat, |t| {
        let (x, y) = (t.fresh_var("x", SortId::INT), t.fresh_var("y", SortId::INT));
        let below = t.t(Op::Subtype, &[x, y]);
        let other = t.t(Op::Subtype, &[y, y]);
        vec![t.t(Op::Eq, &[x, y]), below, not(t, other)]
    }),
    Problem {
        name: "a power of reals",
        expect: Sat,
        build: |t| {
            let x = t.fresh_var("x", SortId::REAL);
            let (three, eight) = (real(t, 3, 1), real(t, 8, 1));
            let power = t.t(Op::Pow, &[x, three]);
            vec![t.t(Op::Eq, &[power, eight])]
        },
        beyond_standard: true,
    },
    Problem {
        name: "a lambda under a quantifier",
        expect: Unsat,
        build: |t| {
            let (x, y) = (t.fresh_symbol("x", SortId::INT), t.fresh_symbol("y", SortId::INT));
            let (xt, yt) = (t.var(x), t.var(y));
            let sum = t.t(Op::Add, &[xt, yt]);
            let m = t.lambda(&[x], sum);
            let zero = t.int(0);
            let at = t.t(Op::Select, &[m, zero]);
            let body = t.t(Op::Distinct, &[at, yt]);
            vec![t.bind(binder(BinderKind::Exists, &[y]), body, &[], &[])]
        },
        beyond_standard: true,
    },
];

fn check(solver: &mut dyn Solver, problem: &Problem) {
    let mut terms = Terms::new();
    let assertions = (problem.build)(&mut terms);
    let what = format!("{}, by {}", problem.name, solver.name());
    for &a in &assertions {
        solver.assert(&terms, a).unwrap_or_else(|e| panic!("{what}: {e}"));
    }
    let answer = solver.check(&terms, &[]);
    match problem.expect {
        Unsat => assert_eq!(answer, Answer::Unsat, "{what}"),
        Sat => {
            assert_eq!(answer, Answer::Sat, "{what}");
            let everywhere = vec![Some(true); assertions.len()];
            assert_eq!(solver.truths(&terms, &assertions), everywhere, "{what}");
            check_values(solver, &mut terms, &assertions, &what);
        }
    }
}

/// Values can be read, and asserting them leaves the assertions satisfiable.
fn check_values(solver: &mut dyn Solver, terms: &mut Terms, assertions: &[TermId], what: &str) {
    let mut equations = Vec::new();
    for s in terms.free_symbols(assertions) {
        let x = terms.var(s);
        let value =
            solver.value(terms, x).unwrap_or_else(|| panic!("{what}: no value of {}", terms.display(x)));
        let sort = terms.sort(x);
        let literal = match &value {
            // Its term would be of the sort of all lists.
            Value::Datatype(..) => terms.mk(Op::Literal(value.clone()), [], sort),
            _ => terms.value(&value),
        };
        equations.push(terms.t(Op::Eq, &[x, literal]));
    }
    for e in equations {
        solver.assert(terms, e).unwrap_or_else(|e| panic!("{what}: {e}"));
    }
    assert_eq!(solver.check(terms, &[]), Answer::Sat, "{what}, with the values of its model");
}

#[test]
fn every_solver_gives_the_known_answers_and_models_that_hold() {
    for backend in backends() {
        for problem in PROBLEMS {
            if !(problem.beyond_standard && backend.standard) {
                check(&mut *backend.open(), problem);
            }
        }
    }
}

#[test]
fn problems_do_not_disturb_each_other_at_different_levels() {
    for backend in backends() {
        // One arena, as a solver has one.
        let mut terms = Terms::new();
        let built: Vec<(&Problem, Vec<TermId>)> = PROBLEMS
            .iter()
            .filter(|p| !(p.beyond_standard && backend.standard))
            .map(|p| (p, (p.build)(&mut terms)))
            .collect();
        let mut solver = backend.open();
        for (problem, assertions) in &built {
            solver.push();
            for &a in assertions {
                solver.assert(&terms, a).unwrap();
            }
            solver.push();
            let expected = if matches!(problem.expect, Sat) { Answer::Sat } else { Answer::Unsat };
            assert_eq!(solver.check(&terms, &[]), expected, "{}, by {}", problem.name, solver.name());
            solver.pop(2);
        }
        assert_eq!(solver.check(&terms, &[]), Answer::Sat);
    }
}
