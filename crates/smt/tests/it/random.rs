//! Random terms: solvers and our evaluator must mean the same by them.

use super::common;
use std::sync::Arc;

use super::common::{Build, backends};
use footpath_smt::{Answer, Solver, Unknown, Z3};
use footpath_term::{
    BinderKind, Env, EvalError, FuncId, Op, Sort, SortId, SymbolId, TermId, Terms, Value, evaluate,
};
use num_rational::BigRational;
use proptest::prelude::*;

/// Reads decisions from bytes; no more bytes, always the first choice, so that shrinking makes terms small.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        let Some((&b, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(b) % n
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Bool,
    Int,
    Real,
    Bits,
    Wide,
    NoBits,
    Element,
    Map,
    Map2,
}
use Kind::{Bits, Bool, Element, Int, Map, Map2, NoBits, Real, Wide};

const WIDTH: u32 = 4;

struct Universe {
    terms: Terms,
    f: FuncId,
    vars: Vec<(Kind, TermId)>,
    element: SortId,
    map: SortId,
    map2: SortId,
}

impl Universe {
    fn new() -> Universe {
        let mut terms = Terms::new();
        let element = terms.uninterpreted("ref");
        let bits = terms.bit_vec_sort(WIDTH);
        let map = terms.map_sort(vec![SortId::INT], SortId::INT);
        let map2 = terms.map_sort(vec![element, SortId::INT], bits);
        let f = terms.func("f", &[SortId::INT, element], SortId::INT);
        let mut universe = Universe { terms, f, vars: vec![], element, map, map2 };
        for (i, kind) in
            [Bool, Bool, Int, Int, Real, Bits, Bits, Wide, NoBits, Element, Element, Map, Map, Map2, Map2]
                .into_iter()
                .enumerate()
        {
            let sort = universe.sort(kind);
            let var = universe.terms.fresh_var(format!("v{i}"), sort);
            universe.vars.push((kind, var));
        }
        universe
    }

    fn sort(&mut self, kind: Kind) -> SortId {
        match kind {
            Bool => SortId::BOOL,
            Int => SortId::INT,
            Real => SortId::REAL,
            Bits => self.terms.bit_vec_sort(WIDTH),
            Wide => self.terms.bit_vec_sort(2 * WIDTH),
            NoBits => self.terms.bit_vec_sort(0),
            Element => self.element,
            Map => self.map,
            Map2 => self.map2,
        }
    }

    fn value(&mut self, c: &mut Choices<'_>, kind: Kind) -> Value {
        let small = |c: &mut Choices<'_>| [0, 1, 2, -1, 3, -2, 7, -8][c.below(8)];
        match kind {
            Bool => Value::Bool(c.below(2) == 1),
            Int => Value::int(small(c)),
            Real => Value::Real(BigRational::new(small(c).into(), [1, 2, 3][c.below(3)].into())),
            Bits => Value::bit_vec(WIDTH, &c.below(16).into()),
            Wide => Value::bit_vec(2 * WIDTH, &c.below(256).into()),
            NoBits => Value::bit_vec(0, &0.into()),
            Element => Value::Element { sort: self.element, number: c.below(3) as u32 },
            Map | Map2 => {
                let t = self.leaf_map(c, kind);
                evaluate(&self.terms, t, &mut footpath_term::NoEnv).expect("a closed map")
            }
        }
    }

    fn leaf_map(&mut self, c: &mut Choices<'_>, kind: Kind) -> TermId {
        let sort = self.sort(kind);
        let of = if kind == Map { Int } else { Bits };
        let default = self.value(c, of);
        let default = self.terms.value(&default);
        let mut map = self.terms.mk(Op::ConstMap, [default], sort);
        for _ in 0..c.below(3) {
            let mut args = vec![map];
            if kind == Map2 {
                let e = self.value(c, Element);
                args.push(self.terms.value(&e));
            }
            for kind in [Int, of] {
                let v = self.value(c, kind);
                args.push(self.terms.value(&v));
            }
            map = self.terms.t(Op::Store, &args);
        }
        map
    }

    fn term(&mut self, c: &mut Choices<'_>, kind: Kind, depth: u32) -> TermId {
        if depth == 0 || c.below(8) == 1 {
            let vars: Vec<TermId> = self.vars.iter().filter(|v| v.0 == kind).map(|v| v.1).collect();
            return match c.below(3) {
                2 if kind == Map || kind == Map2 => self.leaf_map(c, kind),
                2 => {
                    let v = self.value(c, kind);
                    self.terms.value(&v)
                }
                _ => vars[c.below(vars.len())],
            };
        }
        let d = depth - 1;
        // ite and reads can be of any kind.
        if c.below(8) == 2 {
            let args = [self.term(c, Bool, d), self.term(c, kind, d), self.term(c, kind, d)];
            return self.terms.t(Op::Ite, &args);
        }
        let (op, kinds): (Op, Vec<Kind>) = match kind {
            Bool => match c.below(12) {
                0 => (Op::Not, vec![Bool]),
                1 => (Op::And, vec![Bool; c.below(4)]),
                2 => (Op::Or, vec![Bool; c.below(4)]),
                3 => (Op::Implies, vec![Bool; 2]),
                4 | 5 => {
                    let of = [Bool, Int, Real, Bits, Wide, NoBits, Element, Map, Map2][c.below(9)];
                    (Op::Eq, vec![of; 2])
                }
                6 => {
                    let of = [Bool, Int, Real, Bits, Wide, NoBits, Element, Map, Map2][c.below(9)];
                    (Op::Distinct, vec![of; 2 + c.below(2)])
                }
                7 | 8 => {
                    let of = [Int, Real][c.below(2)];
                    ([Op::Le, Op::Lt, Op::Ge, Op::Gt][c.below(4)].clone(), vec![of; 2])
                }
                9 | 10 => {
                    let of = [Bits, Wide, NoBits][c.below(3)];
                    ([Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle][c.below(4)].clone(), vec![of; 2])
                }
                _ => return self.quantified(c, d),
            },
            Int => match c.below(11) {
                0 => (Op::Neg, vec![Int]),
                1 | 2 => (Op::Add, vec![Int; 1 + c.below(3)]),
                3 => (Op::Sub, vec![Int; 2]),
                4 => {
                    let k = [2, -3, 1, 0][c.below(4)];
                    let (k, x) = (self.terms.int(k), self.term(c, Int, d));
                    return self.terms.t(Op::Mul, &[k, x]);
                }
                5 => {
                    let k = [2, -3, 5, 0, -1][c.below(5)];
                    let (k, x) = (self.terms.int(k), self.term(c, Int, d));
                    return self.terms.t([Op::IntDiv, Op::Mod][c.below(2)].clone(), &[x, k]);
                }
                6 => (Op::ToInt, vec![Real]),
                7 => (Op::BvToInt, vec![[Bits, Wide, NoBits][c.below(3)]]),
                8 => (Op::Apply(self.f), vec![Int, Element]),
                _ => (Op::Select, vec![Map, Int]),
            },
            Real => match c.below(5) {
                0 => (Op::Neg, vec![Real]),
                1 => (Op::Add, vec![Real; 2]),
                2 => (Op::Sub, vec![Real; 2]),
                3 => {
                    let k = self.value(c, Real);
                    let (k, x) = (self.terms.value(&k), self.term(c, Real, d));
                    return self.terms.t([Op::Mul, Op::RealDiv][c.below(2)].clone(), &[x, k]);
                }
                _ => (Op::ToReal, vec![Int]),
            },
            Bits | Wide => match c.below(24) {
                0 => (Op::BvNot, vec![kind]),
                1 => (Op::BvNeg, vec![kind]),
                2 => (Op::RotateLeft(c.below(6) as u32), vec![kind]),
                3 => (Op::RotateRight(c.below(6) as u32), vec![kind]),
                4 if kind == Bits => {
                    let low = c.below(5) as u32;
                    (Op::Extract(low + WIDTH - 1, low), vec![Wide])
                }
                4 => (Op::Concat, vec![Bits, Bits]),
                5 if kind == Bits => (Op::Concat, vec![NoBits, Bits]),
                5 => (Op::ZeroExtend(WIDTH), vec![Bits]),
                6 if kind == Bits => (Op::SignExtend(WIDTH), vec![NoBits]),
                6 => (Op::SignExtend(WIDTH), vec![Bits]),
                7 if kind == Bits => (Op::IntToBv(WIDTH), vec![Int]),
                8 | 9 if kind == Bits => (Op::Select, vec![Map2, Element, Int]),
                n => {
                    let ops = [
                        Op::BvAnd,
                        Op::BvOr,
                        Op::BvXor,
                        Op::BvAdd,
                        Op::BvSub,
                        Op::BvMul,
                        Op::BvUdiv,
                        Op::BvUrem,
                        Op::BvSdiv,
                        Op::BvSrem,
                        Op::BvSmod,
                        Op::BvShl,
                        Op::BvLshr,
                        Op::BvAshr,
                    ];
                    (ops[n % ops.len()].clone(), vec![kind; 2])
                }
            },
            NoBits => (Op::BvAdd, vec![NoBits; 2]),
            Element => (Op::Ite, vec![Bool, Element, Element]),
            Map => (Op::Store, vec![Map, Int, Int]),
            Map2 => (Op::Store, vec![Map2, Element, Int, Bits]),
        };
        let args: Vec<TermId> = kinds.into_iter().map(|k| self.term(c, k, d)).collect();
        self.terms.t(op, &args)
    }

    /// A quantifier over few values.
    fn quantified(&mut self, c: &mut Choices<'_>, depth: u32) -> TermId {
        let kind = [Bool, NoBits][c.below(2)];
        let sort = self.sort(kind);
        let symbol = self.terms.fresh_symbol("q", sort);
        let var = self.terms.var(symbol);
        self.vars.push((kind, var));
        let body = self.term(c, Bool, depth);
        self.vars.pop();
        let which = [BinderKind::Forall, BinderKind::Exists][c.below(2)];
        self.terms.bind(common::binder(which, &[symbol]), body, &[], &[])
    }
}

/// The model of a solver.
struct Model<'a> {
    solver: &'a mut dyn Solver,
    /// An arena on top of the one that is evaluated, to build terms about the model in.
    scratch: Terms,
}

impl Env for Model<'_> {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        let t = self.scratch.var(symbol);
        self.solver.value(&self.scratch, t).ok_or(EvalError::Unbound(symbol))
    }

    fn undetermined(&mut self, _: &Terms, op: &Op, args: &[Value], sort: SortId) -> Result<Value, EvalError> {
        let args: Vec<TermId> = args.iter().map(|v| self.scratch.value(v)).collect();
        let t = self.scratch.mk(op.clone(), args, sort);
        self.solver.value(&self.scratch, t).ok_or_else(|| EvalError::Unsupported(format!("{op:?}")))
    }

    fn binder(&mut self, _: &Terms, _: TermId, _: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported("a quantifier".to_owned()))
    }
}

/// Fixed values, and nothing about functions.
struct Values(Vec<(SymbolId, Value)>);

impl Env for Values {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        let found = self.0.iter().find(|(s, _)| *s == symbol);
        found.map(|(_, v)| v.clone()).ok_or(EvalError::Unbound(symbol))
    }

    fn undetermined(&mut self, _: &Terms, op: &Op, _: &[Value], _: SortId) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported(format!("{op:?}")))
    }

    fn binder(&mut self, _: &Terms, _: TermId, _: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported("a quantifier".to_owned()))
    }
}

/// `strict`: every value can be asked for.
fn models_hold(solver: &mut dyn Solver, bytes: &[u8], strict: bool) -> Result<(), TestCaseError> {
    let mut universe = Universe::new();
    let c = &mut Choices(bytes);
    let assertions: Vec<TermId> = (0..1 + c.below(3)).map(|_| universe.term(c, Bool, 4)).collect();
    let terms = Arc::new(universe.terms);
    for &a in &assertions {
        solver.assert(&terms, a).map_err(|e| TestCaseError::fail(e.to_string()))?;
    }
    match solver.check(&terms, &[]) {
        Answer::Unsat => return Ok(()),
        Answer::Unknown(why) => return Err(TestCaseError::reject(why.to_string())),
        Answer::Sat => {}
    }
    let scratch = Terms::layer(Arc::clone(&terms));
    let said = solver.truths(&terms, &assertions);
    let mut model = Model { solver, scratch };
    for (&a, said) in assertions.iter().zip(said) {
        let holds = evaluate(&terms, a, &mut model);
        if holds.is_err() && !strict {
            continue;
        }
        prop_assert_eq!(&holds, &Ok(Value::Bool(true)), "{}: {}", model.solver.name(), terms.display(a));
        prop_assert!(said != Some(false), "{}", terms.display(a));
    }
    Ok(())
}

fn evaluation_is_valid(solver: &mut dyn Solver, bytes: &[u8], strict: bool) -> Result<(), TestCaseError> {
    let mut universe = Universe::new();
    let c = &mut Choices(bytes);
    let kind = [Bool, Int, Real, Bits, Wide, NoBits, Element, Map, Map2][c.below(9)];
    let t = universe.term(c, kind, 4);
    let mut values = Vec::new();
    for (kind, var) in universe.vars.clone() {
        let Op::Var(symbol) = universe.terms.term(var).op else { unreachable!() };
        values.push((symbol, universe.value(c, kind)));
    }
    // What functions decide has no value here.
    let Ok(value) = evaluate(&universe.terms, t, &mut Values(values.clone())) else { return Ok(()) };
    let terms = &mut universe.terms;
    for (symbol, v) in &values {
        let (x, v) = (terms.var(*symbol), terms.value(v));
        let equal = terms.t(Op::Eq, &[x, v]);
        solver.assert(terms, equal).map_err(|e| TestCaseError::fail(e.to_string()))?;
    }
    let literal = terms.value(&value);
    let differs = terms.t(Op::Distinct, &[t, literal]);
    solver.assert(terms, differs).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let answer = solver.check(terms, &[]);
    // Not every theory is complete, and not every solver has every theory.
    if matches!(&answer, Answer::Unknown(why) if !strict && !matches!(why, Unknown::Failed(_))) {
        return Ok(());
    }
    prop_assert_eq!(answer, Answer::Unsat, "{}: {} is not {}", solver.name(), terms.display(t), value);
    Ok(())
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn models_of_z3_satisfy_what_was_asserted(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        models_hold(&mut Z3::new(None).unwrap(), &bytes, true)?;
    }

    #[test]
    fn z3_agrees_with_our_evaluator(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        evaluation_is_valid(&mut Z3::new(None).unwrap(), &bytes, true)?;
    }
}

proptest! {
    #![proptest_config(config(30))]

    #[test]
    fn processes_agree_as_well(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        for backend in backends().iter().filter(|b| b.command.is_some()) {
            let mut solver = backend.open();
            solver.set_timeout(Some(std::time::Duration::from_secs(10)));
            evaluation_is_valid(&mut *solver, &bytes, false)?;
            let mut solver = backend.open();
            solver.set_timeout(Some(std::time::Duration::from_secs(10)));
            models_hold(&mut *solver, &bytes, false)?;
        }
    }
}

#[test]
fn sorts_of_the_generator_are_what_they_should_be() {
    let universe = Universe::new();
    assert!(matches!(universe.terms.sort_of(universe.map2), Sort::Map { domain, .. } if domain.len() == 2));
}
