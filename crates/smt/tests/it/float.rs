//! Floating-point functions: our evaluator and Z3 must mean the same by them.

use std::sync::Arc;

use footpath_smt::{Answer, Solver, Z3};
use footpath_term::{FuncDecl, FuncKind, Op, RoundingMode, Sort, SortId, Terms, Value, evaluate_op};
use num_bigint::{BigInt, BigUint};

/// A generator of numbers that always gives the same ones.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 16) % n
    }
}

/// Zeros, infinities, NaN, the least and greatest of their kind, halves, and the edges of integer types.
const SPECIAL: &[f64] = &[
    0.0,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MIN_POSITIVE,
    f64::MAX,
    5e-324,
    -5e-324,
    1.1754943508222875e-38,
    3.4028234663852886e38,
    1e-45,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    -0.75,
    1.0,
    -1.0,
    8388609.5,
    16777217.0,
    4503599627370495.5,
    9007199254740993.0,
    2147483647.0,
    2147483648.0,
    -2147483648.0,
    -2147483649.0,
    4294967295.0,
    4294967296.0,
    9223372036854775808.0,
    -9223372036854775808.0,
    18446744073709551616.0,
    127.0,
    128.0,
    255.5,
    -128.5,
];

/// Bits of a number: special, any, small with a fraction, or close to another one.
fn bits(random: &mut Random, single: bool) -> u64 {
    let encode = |x: f64| if single { u64::from((x as f32).to_bits()) } else { x.to_bits() };
    match random.below(5) {
        0 | 1 => encode(SPECIAL[random.below(SPECIAL.len() as u64) as usize]),
        2 => random.next() >> if single { 32 } else { 0 },
        3 => encode((random.below(4096) as f64 - 2048.0) / 8.0),
        _ => encode(1.0 + random.below(64) as f64 / 32.0) + random.below(3),
    }
}

fn float(random: &mut Random, single: bool) -> Value {
    let (exponent, significand) = if single { (8, 24) } else { (11, 53) };
    Value::Float { exponent, significand, bits: BigUint::from(bits(random, single)) }
}

fn vector(random: &mut Random, width: u32) -> Value {
    // All magnitudes, so that some need rounding and some do not.
    let n = BigInt::from(random.next()) >> random.below(64);
    let n = (n << random.below(u64::from(width.saturating_sub(60) + 1))) + random.below(2);
    Value::bit_vec(width, &if random.below(2) == 0 { n } else { -n })
}

struct Checker {
    terms: Terms,
    functions: Vec<(String, footpath_term::FuncId, SortId)>,
    compared: usize,
    open: usize,
}

impl Checker {
    fn sort(&mut self, value: &Value) -> SortId {
        match value {
            Value::BitVec { width, .. } => self.terms.bit_vec_sort(*width),
            Value::Float { exponent, .. } => self.float(*exponent == 8),
            Value::RoundingMode(_) => self.terms.mk_sort(Sort::RoundingMode),
            _ => panic!("no argument of these functions"),
        }
    }

    fn float(&mut self, single: bool) -> SortId {
        let (exponent, significand) = if single { (8, 24) } else { (11, 53) };
        self.terms.mk_sort(Sort::Float { exponent, significand })
    }

    /// Asks both. Where we say nothing it must be because `open` says so.
    fn compare(&mut self, solver: &mut Z3, text: &str, args: &[Value], result: SortId, open: bool) {
        let params: Vec<SortId> = args.iter().map(|a| self.sort(a)).collect();
        let key = format!("{text} {params:?}");
        let known = self.functions.iter().find(|f| f.0 == key && f.2 == result).map(|f| f.1);
        let function = known.unwrap_or_else(|| {
            let name = format!("f{}", self.functions.len()).into();
            let kind = FuncKind::Builtin(text.into());
            let decl = FuncDecl { name, type_params: Vec::new(), params, result, kind };
            let id = self.terms.declare_function(decl);
            self.functions.push((key, id, result));
            id
        });
        let ours = evaluate_op(&self.terms, &Op::Apply(function), args, result);
        let Some(ours) = ours else {
            assert!(open, "{text} {args:?} has no value");
            self.open += 1;
            return;
        };
        let literals: Vec<_> = args.iter().map(|v| self.terms.value(v)).collect();
        let term = self.terms.mk(Op::Apply(function), literals, result);
        let theirs = solver.value(&self.terms, term);
        assert_eq!(Some(&ours), theirs.as_ref(), "{text} {args:?}");
        self.compared += 1;
    }
}

fn is_nan(value: &Value) -> bool {
    match value {
        Value::Float { exponent: 8, bits, .. } => f32::from_bits(bits.try_into().unwrap()).is_nan(),
        Value::Float { bits, .. } => f64::from_bits(bits.try_into().unwrap()).is_nan(),
        _ => false,
    }
}

const MODES: [(&str, RoundingMode); 5] = [
    ("RNE", RoundingMode::NearestEven),
    ("RNA", RoundingMode::NearestAway),
    ("RTP", RoundingMode::TowardPositive),
    ("RTN", RoundingMode::TowardNegative),
    ("RTZ", RoundingMode::TowardZero),
];

fn one_round(c: &mut Checker, z3: &mut Z3, random: &mut Random, single: bool) {
    let sort = c.float(single);
    let (x, y, z) = (float(random, single), float(random, single), float(random, single));
    let (e, s) = if single { (8, 24) } else { (11, 53) };
    for op in ["fp.add", "fp.sub", "fp.mul", "fp.div"] {
        c.compare(z3, &format!("{op} RNE"), &[x.clone(), y.clone()], sort, false);
    }
    let nearest = Value::RoundingMode(RoundingMode::NearestEven);
    c.compare(z3, "fp.add", &[nearest, x.clone(), y.clone()], sort, false);
    c.compare(z3, "fp.fma RNE", &[x.clone(), y.clone(), z], sort, false);
    c.compare(z3, "fp.sqrt RNE", std::slice::from_ref(&x), sort, false);
    c.compare(z3, "fp.abs", std::slice::from_ref(&x), sort, false);
    c.compare(z3, "fp.neg", std::slice::from_ref(&x), sort, false);
    c.compare(z3, "fp.min", &[x.clone(), y.clone()], sort, true);
    c.compare(z3, "fp.max", &[x.clone(), y.clone()], sort, true);
    for op in ["fp.eq", "fp.lt", "fp.leq", "fp.gt", "fp.geq"] {
        c.compare(z3, op, &[x.clone(), y.clone()], SortId::BOOL, false);
        c.compare(z3, op, &[x.clone(), x.clone()], SortId::BOOL, false);
    }
    for op in ["NaN", "Infinite", "Zero", "Normal", "Subnormal", "Negative", "Positive"] {
        c.compare(z3, &format!("fp.is{op}"), std::slice::from_ref(&x), SortId::BOOL, false);
    }
    for (name, mode) in MODES {
        c.compare(z3, &format!("fp.roundToIntegral {name}"), std::slice::from_ref(&x), sort, false);
        c.compare(z3, "fp.roundToIntegral", &[Value::RoundingMode(mode), x.clone()], sort, false);
        for width in [8, 32, 64] {
            let bits = c.terms.bit_vec_sort(width);
            for kind in ["fp.to_sbv", "fp.to_ubv"] {
                c.compare(z3, &format!("(_ {kind} {width}) {name}"), std::slice::from_ref(&x), bits, true);
            }
        }
    }
    let bits = c.terms.bit_vec_sort(e + s);
    c.compare(z3, "fp.to_ieee_bv", std::slice::from_ref(&x), bits, is_nan(&x));
    let raw = vector(random, e + s);
    c.compare(z3, &format!("(_ to_fp {e} {s})"), &[raw], sort, false);
    for width in [8, 16, 32, 64, 100] {
        let n = vector(random, width);
        c.compare(z3, &format!("(_ to_fp {e} {s}) RNE"), std::slice::from_ref(&n), sort, false);
        c.compare(z3, &format!("(_ to_fp_unsigned {e} {s}) RNE"), &[n], sort, false);
    }
    let other = float(random, !single);
    c.compare(z3, &format!("(_ to_fp {e} {s}) RNE"), &[other], sort, false);
}

#[test]
fn z3_computes_what_the_evaluator_computes() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut z3 = Z3::new(None).expect("Z3 can be used");
    let mut checker = Checker { terms: Terms::new(), functions: Vec::new(), compared: 0, open: 0 };
    assert_eq!(z3.check(&checker.terms, &[]), Answer::Sat);
    for round in 0..400 {
        one_round(&mut checker, &mut z3, &mut random, round % 2 == 0);
    }
    assert!(checker.compared > 20_000, "{} compared, {} open", checker.compared, checker.open);
}

#[test]
fn z3_solves_for_what_the_evaluator_computes() {
    // The circuits behind the functions are another implementation than the one for constants.
    let mut random = Random(88_172_645_463_325_252);
    for round in 0..60 {
        let single = round % 4 != 0;
        let mut z3 = Z3::new(None).expect("Z3 can be used");
        let mut c = Checker { terms: Terms::new(), functions: Vec::new(), compared: 0, open: 0 };
        let sort = c.float(single);
        let text = ["fp.add RNE", "fp.sub RNE", "fp.mul RNE"][round % 3];
        let args = [float(&mut random, single), float(&mut random, single)];
        let kind = FuncKind::Builtin(text.into());
        let decl = FuncDecl {
            name: "f".into(),
            type_params: Vec::new(),
            params: vec![sort, sort],
            result: sort,
            kind,
        };
        let function = c.terms.declare_function(decl);
        let ours = evaluate_op(&c.terms, &Op::Apply(function), &args, sort).expect("a value");
        let vars: Vec<_> = (0..2).map(|i| c.terms.fresh_var(format!("x{i}"), sort)).collect();
        let result = c.terms.mk(Op::Apply(function), vars.iter().copied(), sort);
        let mut equations = Vec::new();
        for (&x, v) in vars.iter().zip(&args) {
            let v = c.terms.value(v);
            equations.push(c.terms.mk(Op::Eq, [x, v], SortId::BOOL));
        }
        let literal = c.terms.value(&ours);
        equations.push(c.terms.mk(Op::Distinct, [result, literal], SortId::BOOL));
        let terms = Arc::new(c.terms);
        for e in equations {
            z3.assert(&terms, e).expect("a formula that Z3 knows");
        }
        assert_eq!(z3.check(&terms, &[]), Answer::Unsat, "{text} {args:?} is not {ours}");
    }
}

#[test]
fn more_arithmetic_than_fits_is_weakened_and_nothing_is_made_up() {
    let mut terms = Terms::new();
    let sort = terms.mk_sort(Sort::Float { exponent: 11, significand: 53 });
    let mut builtin = |text: &str, result| {
        let kind = FuncKind::Builtin(text.into());
        let (name, params) = (text.into(), vec![sort, sort]);
        terms.declare_function(FuncDecl { name, type_params: Vec::new(), params, result, kind })
    };
    let (times, less) = (builtin("fp.mul RNE", sort), builtin("fp.lt", SortId::BOOL));
    let (x, y) = (terms.fresh_var("x", sort), terms.fresh_var("y", sort));
    let apply = |terms: &mut Terms, f, a, b, sort| terms.mk(Op::Apply(f), [a, b], sort);
    let mut product = x;
    for _ in 0..400 {
        product = apply(&mut terms, times, product, y, sort);
    }
    let large = apply(&mut terms, less, product, x, SortId::BOOL);
    let not_large = terms.mk(Op::Not, [large], SortId::BOOL);
    let square = apply(&mut terms, times, x, x, sort);
    let zero = terms.value(&Value::Float { exponent: 11, significand: 53, bits: BigUint::from(0u8) });
    let negative = apply(&mut terms, less, square, zero, SortId::BOOL);
    let small = apply(&mut terms, less, x, zero, SortId::BOOL);

    let mut z3 = Z3::new(None).expect("Z3 can be used");
    z3.push();
    z3.assert(&terms, large).expect("a formula that Z3 knows");
    assert!(matches!(z3.check(&terms, &[]), Answer::Unknown(_)), "only a candidate can have been found");
    assert!(z3.candidate());
    z3.push();
    z3.assert(&terms, not_large).expect("a formula that Z3 knows");
    assert_eq!(z3.check(&terms, &[]), Answer::Unsat);
    z3.pop(2);

    // With the levels, what was too large for them is gone.
    z3.push();
    z3.assert(&terms, negative).expect("a formula that Z3 knows");
    assert_eq!(z3.check(&terms, &[]), Answer::Unsat, "a square is not negative");
    z3.pop(1);
    z3.assert(&terms, small).expect("a formula that Z3 knows");
    assert_eq!(z3.check(&terms, &[]), Answer::Sat);

    // An assumption weakens only the checks that it is made for.
    assert!(matches!(z3.check(&terms, &[large]), Answer::Unknown(_)));
    assert_eq!(z3.check(&terms, &[large, not_large]), Answer::Unsat);
    assert_eq!(z3.check(&terms, &[small]), Answer::Sat);
}
