//! Polymorphic functions, axioms and heaps, through Z3.

use super::common::{Build, binder};
use footpath_smt::{Answer, Completeness, DEFAULT_INSTANCES, Monomorphic, Solver, Z3, monomorphize};
use footpath_term::{
    Binder, BinderKind, FuncDecl, FuncId, FuncKind, Op, Sort, SortId, SymbolId, TermId, Terms, TypeVarId,
    Value,
};

/// `type Ref; type Field a; type Heap = <a>[Ref, Field a]a;`
struct World {
    t: Terms,
    reference: SortId,
    field: footpath_term::SortCtorId,
    heap: SortId,
}

impl World {
    fn new() -> World {
        let mut t = Terms::new();
        let reference = t.uninterpreted("Ref");
        let field = t.declare_ctor("Field", 1);
        let a = t.fresh_type_var("a");
        let a_sort = t.mk_sort(Sort::Var(a));
        let field_a = t.mk_sort(Sort::Ctor(field, vec![a_sort]));
        let heap = t.abstract_map_sort(&[a], &[reference, field_a], a_sort);
        World { t, reference, field, heap }
    }

    fn field_of(&mut self, sort: SortId) -> SortId {
        self.t.mk_sort(Sort::Ctor(self.field, vec![sort]))
    }

    fn field_var(&mut self, name: &str, of: SortId) -> TermId {
        let sort = self.field_of(of);
        self.t.fresh_var(name, sort)
    }

    fn var(&mut self, name: &str, sort: SortId) -> TermId {
        self.t.fresh_var(name, sort)
    }

    fn type_var(&mut self) -> (TypeVarId, SortId) {
        let v = self.t.fresh_type_var("a");
        (v, self.t.mk_sort(Sort::Var(v)))
    }

    fn read(&mut self, heap: TermId, o: TermId, f: TermId) -> TermId {
        self.t.t(Op::Select, &[heap, o, f])
    }

    fn write(&mut self, heap: TermId, o: TermId, f: TermId, v: TermId) -> TermId {
        self.t.t(Op::Store, &[heap, o, f, v])
    }

    fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.t.t(Op::Eq, &[a, b])
    }

    fn not(&mut self, a: TermId) -> TermId {
        self.t.t(Op::Not, &[a])
    }

    fn all_types(
        &mut self,
        kind: BinderKind,
        types: &[TypeVarId],
        vars: &[SymbolId],
        body: TermId,
        trigger: &[TermId],
    ) -> TermId {
        let b = Binder { type_vars: types.to_vec(), ..binder(kind, vars) };
        let triggers = if trigger.is_empty() { vec![] } else { vec![trigger.to_vec()] };
        self.t.bind(b, body, &triggers, &[])
    }

    /// A function `name<a>(param) : result`.
    fn poly(&mut self, name: &str, make: impl Fn(&mut World, SortId) -> (SortId, SortId)) -> FuncId {
        let (a, a_sort) = self.type_var();
        let (param, result) = make(self, a_sort);
        self.t.declare_function(FuncDecl {
            name: name.into(),
            type_params: vec![a],
            params: vec![param],
            result,
            kind: FuncKind::Uninterpreted,
        })
    }

    fn mono(&mut self, roots: &[TermId]) -> Monomorphic {
        monomorphize(&mut self.t, roots, DEFAULT_INSTANCES).unwrap()
    }

    fn solve(&mut self, roots: &[TermId]) -> (Answer, Monomorphic, Z3) {
        let mono = self.mono(roots);
        let mut solver = Z3::new(None).unwrap();
        solver.set_timeout(Some(std::time::Duration::from_secs(20)));
        for &r in &mono.roots {
            solver.assert(&self.t, r).unwrap();
        }
        (solver.check(&self.t, &[]), mono, solver)
    }

    fn expect(&mut self, roots: &[TermId], answer: &Answer) {
        let (found, mono, _) = self.solve(roots);
        assert_eq!(found, *answer);
        assert_eq!(mono.completeness, Completeness::Complete);
    }

    /// `forall<a> o: Ref, f: Field a :: {after[o, f]} o != except ==> after[o, f] == before[o, f]`
    fn frame(&mut self, before: TermId, after: TermId, except: TermId) -> TermId {
        let (a, a_sort) = self.type_var();
        let field = self.field_of(a_sort);
        let (o, f) = (self.t.fresh_symbol("o", self.reference), self.t.fresh_symbol("f", field));
        let (ot, ft) = (self.t.var(o), self.t.var(f));
        let (new, old) = (self.read(after, ot, ft), self.read(before, ot, ft));
        let other = self.t.t(Op::Distinct, &[ot, except]);
        let same = self.eq(new, old);
        let body = self.t.t(Op::Implies, &[other, same]);
        self.all_types(BinderKind::Forall, &[a], &[o, f], body, &[new])
    }
}

#[test]
fn a_write_to_one_field_keeps_fields_of_other_types() {
    let mut w = World::new();
    let (h, r) = (w.var("Heap", w.heap), w.var("r", w.reference));
    let (f, g, k) =
        (w.field_var("f", SortId::INT), w.field_var("g", SortId::BOOL), w.field_var("k", SortId::INT));
    let five = w.t.int(5);
    let h2 = w.write(h, r, f, five);
    let (rf, rg, rk) = (w.read(h2, r, f), w.read(h2, r, g), w.read(h2, r, k));
    let (old_g, old_k) = (w.read(h, r, g), w.read(h, r, k));
    let parts = [w.eq(rf, five), w.eq(rg, old_g)];
    let both = w.t.t(Op::And, &parts);
    let wrong = w.not(both);
    w.expect(&[wrong], &Answer::Unsat);
    // A field of the same type may be the same field.
    let changed = w.t.t(Op::Distinct, &[rk, old_k]);
    w.expect(&[changed], &Answer::Sat);
    let other = w.t.t(Op::Distinct, &[f, k]);
    w.expect(&[changed, other], &Answer::Unsat);
}

#[test]
fn heaps_that_agree_where_they_are_read_may_still_differ() {
    let mut w = World::new();
    let (h, h2, r) = (w.var("h", w.heap), w.var("h2", w.heap), w.var("r", w.reference));
    let f = w.field_var("f", SortId::INT);
    let (a, b) = (w.read(h, r, f), w.read(h2, r, f));
    let (same, differ, equal) = (w.eq(a, b), w.t.t(Op::Distinct, &[h, h2]), w.eq(h, h2));
    w.expect(&[same, differ], &Answer::Sat);
    let wrong = w.not(same);
    w.expect(&[wrong, equal], &Answer::Unsat);
}

#[test]
fn frame_axioms_hold_for_fields_of_all_types() {
    let mut w = World::new();
    let (before, after) = (w.var("before", w.heap), w.var("after", w.heap));
    let (this, o) = (w.var("this", w.reference), w.var("o", w.reference));
    let frame = w.frame(before, after, this);
    let other = w.t.t(Op::Distinct, &[o, this]);
    for of in [SortId::INT, SortId::BOOL, w.reference, w.heap] {
        let f = w.field_var("f", of);
        let (new, old) = (w.read(after, o, f), w.read(before, o, f));
        let changed = w.t.t(Op::Distinct, &[new, old]);
        if of == w.heap {
            // A heap in a heap; whether solvers take it or not, nobody crashes.
            let _ = monomorphize(&mut w.t, &[frame, changed, other], DEFAULT_INSTANCES);
        } else {
            w.expect(&[frame, changed, other], &Answer::Unsat);
            w.expect(&[frame, changed], &Answer::Sat);
        }
    }
}

#[test]
fn models_of_heaps_come_back_as_maps_over_all_types() {
    let mut w = World::new();
    let (before, after) = (w.var("before", w.heap), w.var("after", w.heap));
    let (this, o) = (w.var("this", w.reference), w.var("o", w.reference));
    let (f, g) = (w.field_var("f", SortId::INT), w.field_var("g", SortId::BOOL));
    let frame = w.frame(before, after, this);
    let (seven, yes) = (w.t.int(7), w.t.bool(true));
    let (of, og, tf) = (w.read(before, o, f), w.read(before, o, g), w.read(after, this, f));
    let (old_tf, other) = (w.read(before, this, f), w.t.t(Op::Distinct, &[o, this]));
    let roots = [frame, w.eq(of, seven), w.eq(og, yes), other, w.t.t(Op::Distinct, &[tf, old_tf])];
    let (answer, mut mono, mut solver) = w.solve(&roots);
    assert_eq!(answer, Answer::Sat);
    let mut value = |w: &mut World, t: TermId| {
        let sort = w.t.sort(t);
        let new = mono.rewrite(&mut w.t, t).unwrap();
        let found = solver.value(&w.t, new).unwrap_or_else(|| panic!("no value of {}", w.t.display(t)));
        mono.restore(&w.t, &found, sort)
    };
    let [o, this, f, g] = [o, this, f, g].map(|t| value(&mut w, t));
    let Value::Map(heap) = value(&mut w, before) else { panic!("a heap is a map") };
    assert_eq!(heap.sort, w.heap);
    assert_eq!(heap.get_at(&[SortId::INT], &[o.clone(), f.clone()]), Some(&Value::int(7)));
    assert_eq!(heap.get_at(&[SortId::BOOL], &[o.clone(), g]), Some(&Value::Bool(true)));
    let Value::Map(new_heap) = value(&mut w, after) else { panic!("a heap is a map") };
    assert_eq!(new_heap.get_at(&[SortId::INT], &[o, f.clone()]), Some(&Value::int(7)));
    let at_this = [this, f];
    assert_ne!(new_heap.get_at(&[SortId::INT], &at_this), heap.get_at(&[SortId::INT], &at_this));
}

#[test]
fn axioms_of_polymorphic_functions_are_instantiated() {
    let mut w = World::new();
    // forall<a> x: a :: Unbox(Box(x)) == x
    let boxing = w.poly("Box", |w, a| (a, w.reference));
    let unboxing = w.poly("Unbox", |w, a| (w.reference, a));
    let (a, a_sort) = w.type_var();
    let x = w.t.fresh_symbol("x", a_sort);
    let xt = w.t.var(x);
    let boxed = w.t.mk(Op::Apply(boxing), [xt], w.reference);
    let back = w.t.mk(Op::Apply(unboxing), [boxed], a_sort);
    let same = w.eq(back, xt);
    let axiom = w.all_types(BinderKind::Forall, &[a], &[x], same, &[boxed]);
    let five = w.t.int(5);
    let p = w.var("p", SortId::BOOL);
    for (value, sort) in [(five, SortId::INT), (p, SortId::BOOL)] {
        let boxed = w.t.mk(Op::Apply(boxing), [value], w.reference);
        let back = w.t.mk(Op::Apply(unboxing), [boxed], sort);
        let wrong = w.t.t(Op::Distinct, &[back, value]);
        w.expect(&[axiom, wrong], &Answer::Unsat);
        w.expect(&[wrong], &Answer::Sat);
    }
}

#[test]
fn instances_bring_instances_up_to_a_limit() {
    let mut w = World::new();
    // forall<a> x: a :: p(x) ==> p(wrap(x)), for types W a, W W a, …
    let wrapper = w.t.declare_ctor("W", 1);
    let p = w.poly("p", |_, a| (a, SortId::BOOL));
    let wrap = w.poly("wrap", |w, a| {
        let wrapped = w.t.mk_sort(Sort::Ctor(wrapper, vec![a]));
        (a, wrapped)
    });
    let (a, a_sort) = w.type_var();
    let x = w.t.fresh_symbol("x", a_sort);
    let xt = w.t.var(x);
    let px = w.t.mk(Op::Apply(p), [xt], SortId::BOOL);
    let wrapped = w.t.mk_sort(Sort::Ctor(wrapper, vec![a_sort]));
    let wx = w.t.mk(Op::Apply(wrap), [xt], wrapped);
    let pwx = w.t.mk(Op::Apply(p), [wx], SortId::BOOL);
    let body = w.t.t(Op::Implies, &[px, pwx]);
    let axiom = w.all_types(BinderKind::Forall, &[a], &[x], body, &[px]);
    let five = w.t.int(5);
    let p5 = w.t.mk(Op::Apply(p), [five], SortId::BOOL);
    let w_int = w.t.mk_sort(Sort::Ctor(wrapper, vec![SortId::INT]));
    let ww_int = w.t.mk_sort(Sort::Ctor(wrapper, vec![w_int]));
    let w5 = w.t.mk(Op::Apply(wrap), [five], w_int);
    let ww5 = w.t.mk(Op::Apply(wrap), [w5], ww_int);
    let pww5 = w.t.mk(Op::Apply(p), [ww5], SortId::BOOL);
    let wrong = w.not(pww5);
    let (answer, mono, _) = w.solve(&[axiom, p5, wrong]);
    assert_eq!(answer, Answer::Unsat);
    assert!(matches!(mono.completeness, Completeness::Incomplete(_)));
    let few = monomorphize(&mut w.t, &[axiom, p5, wrong], 1).unwrap();
    assert!(matches!(few.completeness, Completeness::Incomplete(_)));
}

#[test]
fn a_type_that_nothing_binds_is_a_type_of_its_own() {
    let mut w = World::new();
    let p = w.poly("p", |_, a| (a, SortId::BOOL));
    let (_, alpha) = w.type_var();
    let (x, y) = (w.var("x", alpha), w.var("y", alpha));
    let (px, py) = (w.t.mk(Op::Apply(p), [x], SortId::BOOL), w.t.mk(Op::Apply(p), [y], SortId::BOOL));
    let differ = w.t.t(Op::Distinct, &[px, py]);
    let equal = w.eq(x, y);
    w.expect(&[differ], &Answer::Sat);
    w.expect(&[differ, equal], &Answer::Unsat);
    let (answer, mut mono, mut solver) = w.solve(&[differ]);
    assert_eq!(answer, Answer::Sat);
    let new = mono.rewrite(&mut w.t, x).unwrap();
    assert!(matches!(solver.value(&w.t, new), Some(Value::Element { .. })));
}

#[test]
fn an_unknown_type_may_be_another_where_a_map_is_used_at_both() {
    let mut w = World::new();
    let (_, alpha) = w.type_var();
    let (h, r) = (w.var("h", w.heap), w.var("r", w.reference));
    let (f, g) = (w.field_var("f", alpha), w.field_var("g", SortId::INT));
    let x = w.var("x", alpha);
    let written = w.write(h, r, f, x);
    // Where the type is `int` and the fields are the same, this changes what `g` has.
    let (before, after) = (w.read(h, r, g), w.read(written, r, g));
    let changed = w.t.t(Op::Distinct, &[before, after]);
    let (answer, mono, _) = w.solve(&[changed]);
    assert!(answer.is_unsat() && mono.narrowed, "{answer:?} {} {}", mono.narrowed, w.t.display(changed));
    // What is written is read again, whatever the type.
    let again = w.read(written, r, f);
    let lost = w.t.t(Op::Distinct, &[again, x]);
    let (answer, mono, _) = w.solve(&[lost]);
    assert!(answer.is_unsat() && !mono.narrowed);
    // Functions at two types may agree or not.
    let p = w.poly("p", |_, a| (a, SortId::BOOL));
    let five = w.t.int(5);
    let (px, p5) = (w.t.mk(Op::Apply(p), [x], SortId::BOOL), w.t.mk(Op::Apply(p), [five], SortId::BOOL));
    let differ = w.t.t(Op::Distinct, &[px, p5]);
    let (answer, mono, _) = w.solve(&[differ]);
    assert!(answer == Answer::Sat && !mono.narrowed);
}

#[test]
fn quantifiers_over_types_mean_the_same_below_any_connective() {
    let mut w = World::new();
    let p = w.poly("p", |_, a| (a, SortId::BOOL));
    let everything = |w: &mut World, kind: BinderKind, negate: bool| {
        let (a, a_sort) = w.type_var();
        let x = w.t.fresh_symbol("x", a_sort);
        let xt = w.t.var(x);
        let mut px = w.t.mk(Op::Apply(p), [xt], SortId::BOOL);
        if negate {
            px = w.not(px);
        }
        w.all_types(kind, &[a], &[x], px, &[])
    };
    let all = everything(&mut w, BinderKind::Forall, false);
    let none = everything(&mut w, BinderKind::Exists, true);
    let five = w.t.int(5);
    let p5 = w.t.mk(Op::Apply(p), [five], SortId::BOOL);
    let not_p5 = w.not(p5);
    let b = w.var("b", SortId::BOOL);
    let not_b = w.not(b);
    let means = w.eq(b, all);
    w.expect(&[all, not_p5], &Answer::Unsat);
    w.expect(&[means, b, not_p5], &Answer::Unsat);
    w.expect(&[means, not_b, p5], &Answer::Sat);
    w.expect(&[means, not_b, all], &Answer::Unsat);
    w.expect(&[none, all], &Answer::Unsat);
    w.expect(&[none, p5], &Answer::Sat);
    let not_all = w.not(all);
    w.expect(&[not_all, all], &Answer::Unsat);
    let either = w.t.t(Op::Or, &[b, all]);
    w.expect(&[either, not_b, not_p5], &Answer::Unsat);
    w.expect(&[either, b, not_p5], &Answer::Sat);
}

#[test]
fn functions_of_heaps_are_functions_of_what_heaps_become() {
    let mut w = World::new();
    let size = w.t.func("size", &[w.heap], SortId::INT);
    let (h, r) = (w.var("h", w.heap), w.var("r", w.reference));
    let f = w.field_var("f", SortId::INT);
    let value = w.read(h, r, f);
    let same = w.write(h, r, f, value);
    let (a, b) = (w.t.t(Op::Apply(size), &[h]), w.t.t(Op::Apply(size), &[same]));
    let differ = w.t.t(Op::Distinct, &[a, b]);
    w.expect(&[differ], &Answer::Unsat);
}
