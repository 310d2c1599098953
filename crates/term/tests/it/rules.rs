//! The simplifier's rules, one sentence per family, and the evaluator's corner cases.

use footpath_term::{
    Binder, BinderKind, Env, EvalError, FuncDecl, FuncKind, MapValue, NoEnv, Op, SortId, SymbolId, TermId,
    Terms, Value, evaluate,
};
use num_bigint::BigInt;

/// An arena and a few variables: booleans `p q r`, integers `x y z`, vectors `u v` of 8 bits.
struct Fixture {
    terms: Terms,
    names: Vec<(String, TermId)>,
}

impl Fixture {
    fn new() -> Fixture {
        let mut terms = Terms::new();
        let bv8 = terms.bit_vec_sort(8);
        let map = terms.map_sort(vec![SortId::INT], SortId::INT);
        let mut names = Vec::new();
        for (list, sort) in [("p q r", SortId::BOOL), ("x y z", SortId::INT), ("u v", bv8), ("m n", map)] {
            for name in list.split(' ') {
                names.push((name.to_owned(), terms.fresh_var(name, sort)));
            }
        }
        Fixture { terms, names }
    }

    /// Reads an S-expression in the notation of [`Terms::display`], with `#n` for a vector of 8 bits.
    fn read(&mut self, text: &str) -> TermId {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut at = 0;
        let t = self.read_at(&words, &mut at);
        assert_eq!(at, words.len(), "{text}");
        t
    }

    fn read_at(&mut self, words: &[&str], at: &mut usize) -> TermId {
        let word = words[*at];
        *at += 1;
        if word != "(" {
            if let Some((_, t)) = self.names.iter().find(|(n, _)| n == word) {
                return *t;
            }
            return match word {
                "true" | "false" => self.terms.bool(word == "true"),
                _ => match word.strip_prefix('#') {
                    Some(n) => self.terms.bit_vec(8, n.parse::<BigInt>().expect(word)),
                    None => self.terms.int(word.parse::<BigInt>().expect(word)),
                },
            };
        }
        let mut head = words[*at].to_owned();
        *at += 1;
        if head == "(" {
            head.clear();
            while words[*at] != ")" {
                head = format!("{head} {}", words[*at]);
                *at += 1;
            }
            *at += 1;
        }
        let mut args = Vec::new();
        while words[*at] != ")" {
            args.push(self.read_at(words, at));
        }
        *at += 1;
        let op = match (head.as_str(), args.len()) {
            ("select", _) => Op::Select,
            ("store", _) => Op::Store,
            ("-", 1) => Op::Neg,
            (name, _) => Op::from_smt_name(name).unwrap_or_else(|| panic!("operator {name}")),
        };
        self.terms.raw(op, args)
    }
}

/// `input` becomes `expected`, which stays as it is.
fn check(input: &str, expected: &str) {
    let mut f = Fixture::new();
    let input_term = f.read(input);
    let got = f.terms.simplify(input_term);
    let again = f.terms.simplify(got);
    assert_eq!(f.terms.display(got).to_string(), expected.replace('#', ""), "from {input}");
    assert_eq!(got, again, "{expected} changes again");
}

#[test]
fn connectives_flatten_and_collapse() {
    check("(and p (and q p) true)", "(and p q)");
    check("(and p (not p))", "false");
    check("(or p (or (not p) q))", "true");
    check("(and p (or q p))", "p");
    check("(and p (or (not p) q))", "(and p q)");
    check("(and p (=> p q))", "(and p q)");
    check("(and)", "true");
    check("(not (not p))", "p");
    check("(=> p (=> q r))", "(=> (and p q) r)");
    check("(=> p false)", "(not p)");
}

#[test]
fn bounds_with_literals_decide_or_absorb_each_other() {
    check("(and (<= x 4) (>= x 5))", "false");
    check("(or (<= x 4) (>= x 5))", "true");
    check("(and (<= x 4) (< x 4))", "(<= x 3)");
    check("(or (<= x 4) (< x 4))", "(<= x 4)");
    check("(and (= x 1) (= x 2))", "false");
    check("(and (= x 1) (not (= x 2)))", "(= x 1)");
    check("(and (< x y) (<= y x))", "false");
}

#[test]
fn ite_leaves_where_arms_or_conditions_agree() {
    check("(ite p x x)", "x");
    check("(ite (not p) x y)", "(ite p y x)");
    check("(ite p (ite p x y) z)", "(ite p x z)");
    check("(ite p (ite q x y) y)", "(ite (and p q) x y)");
    check("(ite p true q)", "(or p q)");
    check("(ite p false true)", "(not p)");
    check("(= (ite p 1 0) 0)", "(not p)");
    check("(= (ite p 1 x) 0)", "(and (not p) (= x 0))");
    check("(distinct (ite p #1 #0) #0)", "p");
}

#[test]
fn sums_have_one_form() {
    check("(+ x (- y) (* 2 x) 3 (- 4))", "(+ (* 3 x) (* -1 y) -1)");
    check("(- (+ x y) y)", "x");
    check("(* 2 (+ x 3))", "(+ (* 2 x) 6)");
    check("(* y (* 3 x))", "(* 3 (* x y))");
    check("(* (+ x 1) y)", "(* y (+ x 1))");
}

#[test]
fn comparisons_have_one_form() {
    check("(< x 5)", "(<= x 4)");
    check("(not (<= x 4))", "(<= 5 x)");
    check("(> (+ x 1) (+ y 1))", "(< y x)");
    check("(<= (+ x 1) y)", "(< x y)");
    check("(<= (* 2 x) 5)", "(<= x 2)");
    check("(<= (- x y) 3)", "(<= x (+ y 3))");
    check("(= (* 2 x) 5)", "false");
    check("(= (+ x 1) 3)", "(= x 2)");
    check("(= (+ x y) y)", "(= x 0)");
    check("(<= 0 (mod x 4))", "true");
    check("(= (mod x 4) 4)", "false");
}

#[test]
fn division_by_literals_folds_and_by_zero_never() {
    check("(div 7 (- 2))", "-3");
    check("(div (- 7) 2)", "-4");
    check("(mod (- 7) (- 2))", "1");
    check("(div 7 0)", "(div 7 0)");
    check("(mod x 0)", "(mod x 0)");
    check("(div (+ x 9) 4)", "(+ (div (+ x 1) 4) 2)");
    check("(mod (+ (* 4 x) 6) 4)", "2");
    check("(mod (mod x 8) 4)", "(mod x 4)");
}

#[test]
fn bit_vectors_merge_constants_and_slices() {
    check("(bvadd (bvadd u #200) #100)", "(bvadd u #44bv8)");
    check("(bvsub u #1)", "(bvadd u #255bv8)");
    check("(bvxor u u)", "#0bv8");
    check("(bvult u #0)", "false");
    check("((_ extract 3 0) (concat u v))", "(Extract(3, 0) v)");
    check("(concat ((_ extract 7 4) u) ((_ extract 3 0) u))", "u");
    check("(concat #0 u)", "(ZeroExtend(8) u)");
    check("(= (bvadd u #1) #0)", "(= u #255bv8)");
    check("(= ((_ zero_extend 8) u) (concat #1 #7))", "false");
    check("(bvshl u #9)", "#0bv8");
    check("(bvudiv #5 #0)", "#255bv8");
}

#[test]
fn reads_see_through_writes() {
    check("(select (store m x 1) x)", "1");
    check("(select (store (store m x 1) (+ x 1) 2) x)", "1");
    check("(select (store m x 1) y)", "(Select (Store m x 1) y)");
    check("(select (store m 3 1) 4)", "(Select m 4)");
    check("(store (store m x 1) x 2)", "(Store m x 2)");
    check("(store m x (select m x))", "m");
    check("(select (ite p (store m x 1) (store n x 2)) x)", "(ite p 1 2)");
}

#[test]
fn selectors_and_testers_of_built_values_are_decided() {
    let mut terms = Terms::new();
    let ctor = terms.declare_ctor("List", 0);
    let list = terms.mk_sort(footpath_term::Sort::Ctor(ctor, vec![]));
    let mut declare = |name: &str, params: Vec<SortId>, result, kind| {
        terms.declare_function(FuncDecl { name: name.into(), type_params: vec![], params, result, kind })
    };
    let nil = declare("Nil", vec![], list, FuncKind::Constructor);
    let cons = declare("Cons", vec![SortId::INT, list], list, FuncKind::Constructor);
    let head = declare("head", vec![list], SortId::INT, FuncKind::Selector { constructor: cons, field: 0 });
    let is_nil = declare("is-Nil", vec![list], SortId::BOOL, FuncKind::Tester { constructor: nil });
    let x = terms.fresh_var("x", SortId::INT);
    let empty = terms.app(Op::Apply(nil), []);
    let one = terms.app(Op::Apply(cons), [x, empty]);
    assert_eq!(terms.app(Op::Apply(head), [one]), x);
    let tested = terms.app(Op::Apply(is_nil), [one]);
    assert_eq!(terms.as_bool(tested), Some(false));
    let equal = terms.app(Op::Eq, [one, empty]);
    assert_eq!(terms.as_bool(equal), Some(false));
    let wrong = terms.app(Op::Apply(head), [empty]);
    assert!(matches!(terms.term(wrong).op, Op::Apply(_)));
}

fn binder(kind: BinderKind, vars: Vec<SymbolId>) -> Binder {
    Binder { kind, type_vars: vec![], vars, triggers: vec![], nopats: 0, weight: None }
}

#[test]
fn reading_a_lambda_is_its_body() {
    let mut f = Fixture::new();
    let i = f.terms.fresh_symbol("i", SortId::INT);
    let (it, x) = (f.terms.var(i), f.read("x"));
    let body = f.terms.app(Op::Mul, [it, it]);
    let lambda = f.terms.bind(binder(BinderKind::Lambda, vec![i]), body, &[], &[]);
    let read = f.terms.app(Op::Select, [lambda, x]);
    assert_eq!(f.terms.display(read).to_string(), "(* x x)");
}

#[test]
fn unused_variables_of_quantifiers_leave() {
    let mut f = Fixture::new();
    let (i, j) = (f.terms.fresh_symbol("i", SortId::INT), f.terms.fresh_symbol("j", SortId::INT));
    let (it, x) = (f.terms.var(i), f.read("x"));
    let body = f.terms.app(Op::Lt, [it, x]);
    let all = f.terms.bind(binder(BinderKind::Forall, vec![i, j]), body, &[], &[]);
    let simple = f.terms.simplify(all);
    assert_eq!(f.terms.display(simple).to_string(), "(forall (i) (< i x))");
    let none = f.terms.bind(binder(BinderKind::Exists, vec![i]), x, &[], &[]);
    assert_ne!(none, x);
}

#[test]
fn quantifiers_over_guarded_ranges_are_decided() {
    let mut f = Fixture::new();
    let (i, j) = (f.terms.fresh_symbol("i", SortId::INT), f.terms.fresh_symbol("j", SortId::INT));
    let (it, jt) = (f.terms.var(i), f.terms.var(j));
    f.names.push(("i".to_owned(), it));
    f.names.push(("j".to_owned(), jt));
    let mut decide = |kind, text: &str| {
        let body = f.read(text);
        let t = f.terms.bind(binder(kind, vec![j, i]), body, &[], &[]);
        let simple = f.terms.simplify(t);
        let value = evaluate(&f.terms, t, &mut NoEnv);
        assert_eq!(evaluate(&f.terms, simple, &mut NoEnv), value, "{text}");
        value
    };
    let guard = "(and (<= 0 i) (< i 20) (<= i j) (not (> j 20)))";
    let holds = decide(BinderKind::Forall, &format!("(=> {guard} (<= (* i i) (* j j)))"));
    assert_eq!(holds, Ok(Value::Bool(true)));
    let fails = decide(BinderKind::Forall, &format!("(=> {guard} (< i j))"));
    assert_eq!(fails, Ok(Value::Bool(false)));
    let found = decide(BinderKind::Exists, &format!("(and {guard} (= (* i j) 380))"));
    assert_eq!(found, Ok(Value::Bool(true)));
    assert!(decide(BinderKind::Exists, "(and (<= 0 i) (< i j))").is_err());
}

#[test]
fn connectives_need_no_more_than_decides_them() {
    let mut f = Fixture::new();
    for (text, expected) in [
        ("(and p false)", Some(false)),
        ("(or p true)", Some(true)),
        ("(=> p true)", Some(true)),
        ("(ite true false p)", Some(false)),
        ("(and p true)", None),
    ] {
        let t = f.read(text);
        assert_eq!(evaluate(&f.terms, t, &mut NoEnv).ok(), expected.map(Value::Bool), "{text}");
    }
}

#[test]
fn maps_over_all_of_a_finite_sort_are_compared_by_their_elements() {
    let mut terms = Terms::new();
    let sort = terms.map_sort(vec![SortId::BOOL], SortId::INT);
    let (one, two) = (terms.int(1), terms.int(2));
    let (mut a, mut b) = (terms.mk(Op::ConstMap, [one], sort), terms.mk(Op::ConstMap, [two], sort));
    for index in [true, false] {
        let i = terms.bool(index);
        let element = if index { one } else { two };
        a = terms.mk(Op::Store, [a, i, element], sort);
        b = terms.mk(Op::Store, [b, i, element], sort);
    }
    let equal = terms.mk(Op::Eq, [a, b], SortId::BOOL);
    assert_eq!(evaluate(&terms, equal, &mut NoEnv), Ok(Value::Bool(true)));
    let simple = terms.simplify(equal);
    assert_eq!(evaluate(&terms, simple, &mut NoEnv), Ok(Value::Bool(true)));
}

/// Gives every symbol one value.
struct Always(Value);

impl Env for Always {
    fn symbol(&mut self, _: &Terms, _: SymbolId) -> Result<Value, EvalError> {
        Ok(self.0.clone())
    }

    fn undetermined(&mut self, _: &Terms, op: &Op, _: &[Value], _: SortId) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported(format!("{op:?}")))
    }

    fn binder(&mut self, _: &Terms, _: TermId, _: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported("binder".to_owned()))
    }
}

#[test]
fn a_polymorphic_map_knows_the_default_of_the_instances_it_has() {
    let mut terms = Terms::new();
    let a = terms.fresh_type_var("a");
    let a = (a, terms.mk_sort(footpath_term::Sort::Var(a)));
    let sort = terms.abstract_map_sort(&[a.0], &[a.1], a.1);
    let m = terms.fresh_var("m", sort);
    let (three, yes) = (terms.int(3), terms.bool(true));
    let mut value = MapValue::constant(sort, Value::int(0));
    value.instances.insert(vec![SortId::INT], Value::int(7));
    let mut env = Always(Value::Map(std::sync::Arc::new(value)));
    let read = terms.raw(Op::Select, [m, three]);
    assert_eq!(evaluate(&terms, read, &mut env), Ok(Value::int(7)));
    let other = terms.raw(Op::Select, [m, yes]);
    assert!(matches!(evaluate(&terms, other, &mut env), Err(EvalError::Unsupported(_))));
    let store = terms.raw(Op::Store, [m, yes, yes]);
    let read = terms.raw(Op::Select, [store, yes]);
    assert_eq!(evaluate(&terms, read, &mut env), Ok(Value::Bool(true)));
    let past = terms.app(Op::Select, [store, three]);
    assert_eq!(terms.term(past).args[0], m);
}

#[test]
fn terms_may_nest_a_hundred_thousand_deep() {
    let mut terms = Terms::new();
    let (x, one) = (terms.fresh_var("x", SortId::INT), terms.int(1));
    let sort = terms.map_sort(vec![SortId::INT], SortId::INT);
    let (mut t, mut map) = (x, terms.mk(Op::ConstMap, [one], sort));
    let mut condition = terms.mk(Op::Lt, [x, one], SortId::BOOL);
    for i in 0..100_000 {
        let op = if i % 2 == 0 { Op::Mul } else { Op::Add };
        let product = terms.mk(op, [t, x], SortId::INT);
        t = terms.mk(Op::Ite, [condition, product, one], SortId::INT);
        let flipped = terms.mk(Op::Not, [condition], SortId::BOOL);
        condition = terms.mk(Op::Implies, [flipped, condition], SortId::BOOL);
        map = terms.mk(Op::Store, [map, x, t], sort);
    }
    let read = terms.mk(Op::Select, [map, one], SortId::INT);
    let root = terms.mk(Op::Add, [read, t], SortId::INT);
    let mut env = Always(Value::int(1));
    let value = evaluate(&terms, root, &mut env);
    let simple = terms.simplify(root);
    assert_eq!(evaluate(&terms, simple, &mut env), value);
    assert!(value.is_ok());
}

#[test]
fn sides_of_different_sorts_may_be_equal_only_with_type_variables() {
    let mut terms = Terms::new();
    let a = terms.fresh_type_var("a");
    let open = terms.mk_sort(footpath_term::Sort::Var(a));
    let (x, n, b) =
        (terms.fresh_var("x", open), terms.fresh_var("n", SortId::INT), terms.fresh_var("b", SortId::BOOL));
    let (five, yes) = (terms.int(5), terms.bool(true));
    for other in [n, b, five, yes] {
        for sides in [[x, other], [other, x]] {
            let equal = terms.app(Op::Eq, sides);
            assert_eq!(terms.term(equal).op, Op::Eq);
            assert_eq!(terms.simplify(equal), equal);
            assert!(matches!(evaluate(&terms, equal, &mut Fives), Err(EvalError::Unsupported(_))));
        }
    }
    let never = terms.app(Op::Eq, [n, b]);
    assert_eq!(terms.as_bool(never), Some(false));
    let never = terms.mk(Op::Eq, [n, b], SortId::BOOL);
    assert_eq!(evaluate(&terms, never, &mut Fives), Ok(Value::Bool(false)));
    let equal = terms.app(Op::Eq, [x, five]);
    let at = |terms: &mut Terms, sort, value| {
        let symbol = terms.free_symbols(&[x])[0];
        let map = footpath_term::Substitution::from_iter([(symbol, value)]);
        let types = footpath_term::TypeSubstitution::from_iter([(a, sort)]);
        let instance = terms.substitute_all(&[equal], &map, &types)[0];
        terms.display(instance).to_string()
    };
    assert_eq!(at(&mut terms, SortId::BOOL, b), "false");
    assert_eq!(at(&mut terms, SortId::INT, n), "(= n 5)");
}

/// Every symbol is 5.
struct Fives;

impl Env for Fives {
    fn symbol(&mut self, _: &Terms, _: SymbolId) -> Result<Value, EvalError> {
        Ok(Value::Int(5.into()))
    }

    fn undetermined(&mut self, _: &Terms, op: &Op, _: &[Value], _: SortId) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported(format!("{op:?}")))
    }

    fn binder(&mut self, _: &Terms, _: TermId, _: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported("a binder".to_owned()))
    }
}
