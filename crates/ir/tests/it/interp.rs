//! What runs do: paths, failures, blocking, and what is asked of an oracle.

use super::common::*;
use footpath_ir::interp::{Interpreter, Limits, Outcome, RandomOracle, Replay, Run, Script, run};
use footpath_ir::{
    AssertKind, Attribute, BlockId, Contract, Function, Place, ProcId, Program, StatementKind,
    TerminatorKind, Variable,
};
use footpath_term::{FuncDecl, FuncKind, MapValue, Op, Sort, SortId, SymbolId, Value};

fn replay(program: &Program, procedure: ProcId, entries: &[(SymbolId, Value)], havocs: &[Value]) -> Run {
    let script = Script {
        entries: entries.iter().map(|(s, v)| ((0, *s), v.clone())).collect(),
        havocs: havocs.to_vec(),
        ..Script::default()
    };
    run(program, procedure, 0, &mut Replay::new(&script), &Limits { trace: true, ..Limits::default() })
}

fn blocks(run: &Run) -> Vec<u32> {
    run.path.iter().map(|s| s.block.0).collect()
}

/// `while (i < n) { i := i + 1; } assert i != 7; return i`.
fn counter() -> (Program, ProcId, SymbolId) {
    let mut b = Builder::new();
    let (n, i) = (b.symbol("n", SortId::INT), b.symbol("i", SortId::INT));
    let (nt, it, zero, one, seven) = (b.var(n), b.var(i), b.int(0), b.int(1), b.int(7));
    let less = b.op(Op::Lt, &[it, nt]);
    let next = b.op(Op::Add, &[it, one]);
    let equal = b.op(Op::Eq, &[it, seven]);
    let differs = b.op(Op::Not, &[equal]);
    let p = with_body(
        procedure("count", &[n], &[i]),
        &[],
        vec![
            block("entry", vec![assign(i, zero)], goto(&[1])),
            block("head", vec![], branch(less, 2, 3)),
            block("body", vec![assign(i, next)], goto(&[1])),
            block("end", vec![assert(differs)], TerminatorKind::Return),
        ],
    );
    let p = b.procedure(p);
    (b.finish(), p, n)
}

#[test]
fn a_loop_runs_as_often_as_its_input_says() {
    let (program, p, n) = counter();
    let run = replay(&program, p, &[(n, Value::int(2))], &[]);
    assert_eq!(run.outcome, Outcome::Returned);
    assert_eq!(blocks(&run), [0, 1, 2, 1, 2, 1, 3]);
    assert_eq!(run.results, [Some(Value::int(2))]);
    assert_eq!(run.trace.len(), 3);
}

#[test]
fn a_false_assertion_fails_at_its_place() {
    let (program, p, n) = counter();
    let run = replay(&program, p, &[(n, Value::int(7))], &[]);
    let Outcome::Failed { at, kind } = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(at.place, Place::Failure { block: BlockId(3), statement: 0, clause: 0 });
    assert_eq!(kind, AssertKind::Assert);
}

/// `a := a && n != 1; assert {:verified a} n > 5`, for an assumption variable `a`.
fn partly_verified() -> (Program, ProcId, SymbolId) {
    let mut b = Builder::new();
    let (n, a) = (b.symbol("n", SortId::INT), b.symbol("a", SortId::BOOL));
    let (nt, at, one, five) = (b.var(n), b.var(a), b.int(1), b.int(5));
    let same = b.op(Op::Eq, &[nt, one]);
    let other = b.op(Op::Not, &[same]);
    let kept = b.op(Op::And, &[at, other]);
    let condition = b.op(Op::Gt, &[nt, five]);
    let check = StatementKind::Assert { condition, kind: AssertKind::Assert, premise: Some(at) };
    let preferred = StatementKind::TryFirst(other);
    let statements = vec![preferred, assign(a, kept), check];
    let mut p =
        with_body(procedure("p", &[n], &[]), &[a], vec![block("e", statements, TerminatorKind::Return)]);
    p.bodies[0].locals[0].attributes.push(Attribute { name: "assumption".into(), args: vec![] });
    let p = b.procedure(p);
    (b.finish(), p, n)
}

#[test]
fn an_assertion_that_was_verified_fails_only_where_its_premise_does_not_hold() {
    let (program, p, n) = partly_verified();
    let end = |value: i64| replay(&program, p, &[(n, Value::int(value))], &[]).outcome;
    assert_eq!(end(6), Outcome::Returned);
    assert!(matches!(end(1), Outcome::Failed { .. }));
    let place = Place::Segment { block: BlockId(0), first: 2 };
    assert!(matches!(end(2), Outcome::Blocked { at } if at.place == place));
}

#[test]
fn a_run_without_end_stops_at_the_limit() {
    let (program, p, n) = counter();
    let run = replay(&program, p, &[(n, Value::int(1_000_000_000))], &[]);
    assert_eq!(run.outcome, Outcome::OutOfSteps);
}

#[test]
fn a_false_assumption_blocks_and_nothing_after_it_runs() {
    let mut b = Builder::new();
    let x = b.symbol("x", SortId::INT);
    let (xt, zero) = (b.var(x), b.int(0));
    let positive = b.op(Op::Gt, &[xt, zero]);
    let p = with_body(
        procedure("p", &[], &[]),
        &[x],
        vec![block(
            "e",
            vec![StatementKind::Havoc(vec![x]), StatementKind::Assume(positive)],
            TerminatorKind::Return,
        )],
    );
    let p = b.procedure(p);
    let program = b.finish();
    assert_eq!(replay(&program, p, &[], &[Value::int(3)]).outcome, Outcome::Returned);
    let Outcome::Blocked { at } = replay(&program, p, &[], &[Value::int(0)]).outcome else { panic!() };
    assert_eq!(at.place, Place::Segment { block: BlockId(0), first: 1 });
}

#[test]
fn where_clauses_are_assumed_at_entry_and_after_havoc() {
    let mut b = Builder::new();
    let x = b.symbol("x", SortId::INT);
    let (xt, zero) = (b.var(x), b.int(0));
    let positive = b.op(Op::Gt, &[xt, zero]);
    let mut p = with_body(
        procedure("p", &[], &[]),
        &[x],
        vec![block("e", vec![StatementKind::Havoc(vec![x])], TerminatorKind::Return)],
    );
    p.bodies[0].locals[0].where_clause = Some(positive);
    let p = b.procedure(p);
    let program = b.finish();
    let ends =
        |entry: i64, havoc: i64| replay(&program, p, &[(x, Value::int(entry))], &[Value::int(havoc)]).outcome;
    assert_eq!(ends(1, 1), Outcome::Returned);
    assert!(matches!(ends(0, 1), Outcome::Blocked { at } if at.place == Place::Entry));
    assert!(
        matches!(ends(1, 0), Outcome::Blocked { at } if at.place == Place::Segment { block: BlockId(0), first: 0 })
    );
}

/// `bump` adds `k > 0` to the global `g`; `main` calls it with its own parameter. With `with_body`, `bump`
/// has one, which adds 2.
fn calls(bump_has_body: bool) -> (Program, ProcId, SymbolId, SymbolId) {
    let mut b = Builder::new();
    let g = b.global("g", SortId::INT);
    let old = b.program.globals[0].old;
    let (k, r, a, x) = (
        b.symbol("k", SortId::INT),
        b.symbol("r", SortId::INT),
        b.symbol("a", SortId::INT),
        b.symbol("x", SortId::INT),
    );
    let (own_k, own_r) = (b.symbol("k2", SortId::INT), b.symbol("r2", SortId::INT));
    let (gt, oldt, kt, rt, at, zero, two) =
        (b.var(g), b.var(old), b.var(k), b.var(r), b.var(a), b.int(0), b.int(2));
    let positive = b.op(Op::Gt, &[kt, zero]);
    let sum = b.op(Op::Add, &[oldt, kt]);
    let grown = b.op(Op::Eq, &[gt, sum]);
    let returned = b.op(Op::Eq, &[rt, gt]);
    let mut bump = procedure("bump", &[k], &[r]);
    bump.requires.push(clause(positive));
    bump.ensures.push(Contract { free: true, ..clause(returned) });
    bump.ensures.push(clause(grown));
    bump.modifies = vec![g];
    if bump_has_body {
        let plus = b.op(Op::Add, &[gt, two]);
        bump = with_body(
            bump,
            &[],
            vec![block("e", vec![assign(g, plus), assign(own_r, plus)], TerminatorKind::Return)],
        );
        // The result is assigned from the global after it changed, so the free postcondition is false: see
        // below.
        bump.bodies[0].params = vec![Variable::new(own_k, SPAN)];
        bump.bodies[0].results = vec![Variable::new(own_r, SPAN)];
        let second = bump.bodies[0].blocks[0].statements.len() - 1;
        bump.bodies[0].blocks[0].statements[second].kind = assign(own_r, gt);
    }
    let bump = b.procedure(bump);
    let mut main = procedure("main", &[a], &[]);
    main.modifies = vec![g];
    let call = StatementKind::Call { callee: bump, args: vec![Some(at)], results: vec![Some(x)] };
    let main = with_body(main, &[x], vec![block("e", vec![call], TerminatorKind::Return)]);
    let main = b.procedure(main);
    (b.finish(), main, a, g)
}

#[test]
fn a_call_checks_the_precondition_at_the_caller() {
    for has_body in [false, true] {
        let (program, main, a, _) = calls(has_body);
        let Outcome::Failed { at, kind } = replay(&program, main, &[(a, Value::int(0))], &[]).outcome else {
            panic!()
        };
        assert_eq!((at.procedure, kind), (main, AssertKind::Requires));
        assert_eq!(at.place, Place::Failure { block: BlockId(0), statement: 0, clause: 0 });
    }
}

#[test]
fn a_callee_without_body_does_what_its_contract_allows() {
    let (program, main, a, g) = calls(false);
    let inputs = [(a, Value::int(2)), (g, Value::int(10))];
    let run = replay(&program, main, &inputs, &[Value::int(12), Value::int(12)]);
    assert_eq!(run.outcome, Outcome::Returned);
    assert_eq!(run.globals[&g], Value::int(12));
    let run = replay(&program, main, &inputs, &[Value::int(12), Value::int(13)]);
    assert!(matches!(run.outcome, Outcome::Blocked { at } if at.procedure == main));
}

#[test]
fn a_callee_with_a_body_under_other_names_runs_and_its_postcondition_is_checked() {
    let (program, main, a, g) = calls(true);
    let run = replay(&program, main, &[(a, Value::int(2)), (g, Value::int(10))], &[]);
    assert_eq!(run.outcome, Outcome::Returned);
    assert_eq!(run.globals[&g], Value::int(12));
    assert_eq!(run.path.iter().map(|s| (s.procedure.0, s.depth)).collect::<Vec<_>>(), [(1, 0), (0, 1)]);
    let run = replay(&program, main, &[(a, Value::int(3)), (g, Value::int(10))], &[]);
    let Outcome::Failed { at, kind } = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(
        (at.procedure, at.place, kind),
        (ProcId(0), Place::EnsuresFailure { clause: 1 }, AssertKind::Ensures)
    );
}

#[test]
fn parallel_assignment_reads_before_it_writes() {
    let mut b = Builder::new();
    let (x, y) = (b.symbol("x", SortId::INT), b.symbol("y", SortId::INT));
    let (xt, yt, one, two) = (b.var(x), b.var(y), b.int(1), b.int(2));
    let statements =
        vec![StatementKind::Assign(vec![(x, one), (y, two)]), StatementKind::Assign(vec![(x, yt), (y, xt)])];
    let p =
        with_body(procedure("p", &[], &[x, y]), &[], vec![block("e", statements, TerminatorKind::Return)]);
    let p = b.procedure(p);
    let program = b.finish();
    assert_eq!(replay(&program, p, &[], &[]).results, [Some(Value::int(2)), Some(Value::int(1))]);
}

#[test]
fn recursive_definitions_are_evaluated_and_endless_ones_are_stuck() {
    let mut b = Builder::new();
    let n = b.symbol("n", SortId::INT);
    let sum = b.terms.declare_function(FuncDecl {
        name: "sum".into(),
        type_params: vec![],
        params: vec![SortId::INT],
        result: SortId::INT,
        kind: FuncKind::Uninterpreted,
    });
    let (nt, zero, one) = (b.var(n), b.int(0), b.int(1));
    let less = b.op(Op::Sub, &[nt, one]);
    let rest = b.op(Op::Apply(sum), &[less]);
    let total = b.op(Op::Add, &[nt, rest]);
    let done = b.op(Op::Eq, &[nt, zero]);
    let body = b.op(Op::Ite, &[done, zero, total]);
    b.program.functions.push(Function {
        id: sum,
        params: vec![n],
        body: Some(body),
        span: SPAN,
        attributes: vec![],
    });
    let (x, r) = (b.symbol("x", SortId::INT), b.symbol("r", SortId::INT));
    let xt = b.var(x);
    let call = b.op(Op::Apply(sum), &[xt]);
    let p = with_body(
        procedure("p", &[x], &[r]),
        &[],
        vec![block("e", vec![assign(r, call)], TerminatorKind::Return)],
    );
    let p = b.procedure(p);
    let program = b.finish();
    assert_eq!(replay(&program, p, &[(x, Value::int(5000))], &[]).results, [Some(Value::int(12_502_500))]);
    assert!(matches!(replay(&program, p, &[(x, Value::int(-1))], &[]).outcome, Outcome::Stuck { .. }));
}

#[test]
fn functions_without_body_give_equal_results_for_equal_arguments() {
    let mut b = Builder::new();
    let f = b.terms.declare_function(FuncDecl {
        name: "f".into(),
        type_params: vec![],
        params: vec![SortId::INT],
        result: SortId::INT,
        kind: FuncKind::Uninterpreted,
    });
    let (x, y) = (b.symbol("x", SortId::INT), b.symbol("y", SortId::INT));
    let (xt, yt, zero) = (b.var(x), b.var(y), b.int(0));
    let (fx, fy) = (b.op(Op::Apply(f), &[xt]), b.op(Op::Apply(f), &[yt]));
    let (dx, dy) = (b.op(Op::IntDiv, &[xt, zero]), b.op(Op::IntDiv, &[yt, zero]));
    let same = b.op(Op::Eq, &[xt, yt]);
    let equal = b.op(Op::Eq, &[fx, fy]);
    let equal_div = b.op(Op::Eq, &[dx, dy]);
    let statements = vec![StatementKind::Assume(same), assert(equal), assert(equal_div)];
    let p =
        with_body(procedure("p", &[x, y], &[]), &[], vec![block("e", statements, TerminatorKind::Return)]);
    let p = b.procedure(p);
    let program = b.finish();
    let interpreter = Interpreter::new(&program);
    let mut oracle = RandomOracle::new(&program, 1);
    for _ in 0..200 {
        let run = interpreter.run(p, 0, &mut oracle, &Limits::default());
        assert!(!matches!(run.outcome, Outcome::Failed { .. }), "{:?}", oracle.take_script());
        oracle.take_script();
    }
}

#[test]
fn random_runs_find_the_blocks_and_replay_as_recorded() {
    let (program, p, _) = counter();
    let interpreter = Interpreter::new(&program);
    let mut oracle = RandomOracle::new(&program, 42);
    let (mut failed, mut returned) = (0, 0);
    for _ in 0..300 {
        let limits = Limits { steps: 2_000, ..Limits::default() };
        let run = interpreter.run(p, 0, &mut oracle, &limits);
        let script = oracle.take_script();
        assert_eq!(interpreter.run(p, 0, &mut Replay::new(&script), &limits), run);
        match run.outcome {
            Outcome::Failed { .. } => failed += 1,
            Outcome::Returned => returned += 1,
            _ => {}
        }
    }
    assert!(failed > 0 && returned > 100, "{failed} failed, {returned} returned");
}

#[test]
fn a_false_axiom_blocks_every_run_and_an_undecidable_one_is_reported() {
    let mut b = Builder::new();
    let c = b.symbol("c", SortId::INT);
    b.program.constants.push(footpath_ir::Constant {
        symbol: c,
        unique: false,
        extends: None,
        span: SPAN,
        attributes: vec![],
    });
    let (ct, zero) = (b.var(c), b.int(0));
    let condition = b.op(Op::Gt, &[ct, zero]);
    b.program.axioms.push(footpath_ir::Axiom { condition, span: SPAN, attributes: vec![] });
    let i = b.symbol("i", SortId::INT);
    let it = b.var(i);
    // No value refutes it, and there are too many to try.
    let square = b.op(Op::Mul, &[it, it]);
    let body = b.op(Op::Ge, &[square, zero]);
    let binder = footpath_term::Binder {
        kind: footpath_term::BinderKind::Forall,
        type_vars: vec![],
        vars: vec![i],
        triggers: vec![],
        nopats: 0,
        weight: None,
    };
    let forall = b.terms.bind(binder, body, &[], &[]);
    b.program.axioms.push(footpath_ir::Axiom { condition: forall, span: SPAN, attributes: vec![] });
    let p = with_body(procedure("p", &[], &[]), &[], vec![block("e", vec![], TerminatorKind::Return)]);
    let p = b.procedure(p);
    let program = b.finish();
    assert!(matches!(replay(&program, p, &[(c, Value::int(0))], &[]).outcome, Outcome::Blocked { .. }));
    let run = replay(&program, p, &[(c, Value::int(1))], &[]);
    assert_eq!((run.outcome, run.unchecked_axioms), (Outcome::Returned, vec![1]));
}

#[test]
fn maps_over_few_indices_are_equal_however_they_are_given() {
    let mut b = Builder::new();
    let sort = b.terms.map_sort(vec![SortId::BOOL], SortId::INT);
    let (m, n) = (b.symbol("m", sort), b.symbol("n", sort));
    let (mt, nt) = (b.var(m), b.var(n));
    let equal = b.op(Op::Eq, &[mt, nt]);
    let p = with_body(
        procedure("p", &[m, n], &[]),
        &[],
        vec![block("e", vec![assert(equal)], TerminatorKind::Return)],
    );
    let p = b.procedure(p);
    let program = b.finish();
    let map = |default: i64, entries: [(bool, i64); 2]| {
        let mut map = MapValue::constant(sort, Value::int(default));
        for (index, value) in entries {
            map.set(vec![Value::Bool(index)], Value::int(value));
        }
        Value::Map(map.into())
    };
    let inputs = [(m, map(7, [(false, 1), (true, 2)])), (n, map(8, [(true, 2), (false, 1)]))];
    assert_eq!(replay(&program, p, &inputs, &[]).outcome, Outcome::Returned);
}

#[test]
fn a_polymorphic_map_is_read_and_written_at_each_instance() {
    let mut b = Builder::new();
    let field = b.terms.declare_ctor("Field", 1);
    let tv = b.terms.fresh_type_var("a");
    let tv_sort = b.terms.mk_sort(Sort::Var(tv));
    let field_tv = b.terms.mk_sort(Sort::Ctor(field, vec![tv_sort]));
    let field_int = b.terms.mk_sort(Sort::Ctor(field, vec![SortId::INT]));
    let field_bool = b.terms.mk_sort(Sort::Ctor(field, vec![SortId::BOOL]));
    let heap_sort = b.terms.abstract_map_sort(&[tv], &[field_tv], tv_sort);
    let (h, f, g) = (b.global("h", heap_sort), b.symbol("f", field_int), b.symbol("g", field_bool));
    let (ht, ft, gt, five) = (b.var(h), b.var(f), b.var(g), b.int(5));
    let store = b.op(Op::Store, &[ht, ft, five]);
    let read = b.op(Op::Select, &[ht, ft]);
    let stored = b.op(Op::Eq, &[read, five]);
    let flag = b.op(Op::Select, &[ht, gt]);
    let unset = b.op(Op::Not, &[flag]);
    let mut p = with_body(
        procedure("p", &[f, g], &[]),
        &[],
        vec![block("e", vec![assign(h, store), assert(stored), assert(unset)], TerminatorKind::Return)],
    );
    p.modifies = vec![h];
    let p = b.procedure(p);
    let program = b.finish();
    assert!(footpath_ir::validate(&program).is_empty());
    assert_eq!(replay(&program, p, &[], &[]).outcome, Outcome::Returned);
    let interpreter = Interpreter::new(&program);
    let mut oracle = RandomOracle::new(&program, 3);
    for _ in 0..50 {
        let run = interpreter.run(p, 0, &mut oracle, &Limits::default());
        assert!(!matches!(run.outcome, Outcome::Stuck { .. }), "{:?}", run.outcome);
    }
}
