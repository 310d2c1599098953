//! Floating-point functions: our evaluator and Z3 must mean the same by them.

use std::sync::Arc;

use footpath_smt::{Answer, Solver, Z3};
use footpath_term::{FuncDecl, FuncKind, Op, RoundingMode, Sort, SortId, Terms, Value, evaluate_op};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

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

/// A format: bits of the exponent, and of the significand with the hidden one.
type Format = (u32, u32);

const SINGLE: Format = (8, 24);
const DOUBLE: Format = (11, 53);
/// Formats that machines have and that they do not have.
const FORMATS: [Format; 6] = [SINGLE, DOUBLE, (5, 11), (8, 8), (3, 4), (15, 113)];

/// Bits of a number: special, any, or with an exponent and a fraction where rounding turns.
fn bits(random: &mut Random, (exponent, significand): Format) -> BigUint {
    let width = exponent + significand;
    let special = SPECIAL[random.below(SPECIAL.len() as u64) as usize];
    match (random.below(5), (exponent, significand)) {
        (0 | 1, SINGLE) => BigUint::from((special as f32).to_bits()),
        (0 | 1, DOUBLE) => BigUint::from(special.to_bits()),
        (2, _) => {
            let words = (0..width.div_ceil(32)).map(|_| random.next() as u32).collect();
            BigUint::new(words) % (BigUint::from(1u32) << width)
        }
        _ => {
            let (greatest, bias) = ((1u64 << exponent) - 1, (1u64 << (exponent - 1)) - 1);
            let field = match random.below(6) {
                0 => random.below(2),
                1 => greatest - random.below(2),
                _ => (bias + random.below(2 * u64::from(significand) + 4))
                    .saturating_sub(u64::from(significand))
                    .min(greatest),
            };
            let all = (BigUint::from(1u32) << (significand - 1)) - 1u32;
            let fraction = match random.below(5) {
                0 => BigUint::from(random.below(3)) & &all,
                1 => &all - (BigUint::from(random.below(2)) & &all),
                2 => BigUint::from(1u32) << (random.below(u64::from(significand) - 1)),
                _ => BigUint::from(random.next()) & &all,
            };
            let sign = BigUint::from(random.below(2)) << (width - 1);
            sign + (BigUint::from(field) << (significand - 1)) + fraction
        }
    }
}

fn float(random: &mut Random, format: Format) -> Value {
    let (exponent, significand) = format;
    Value::Float { exponent, significand, bits: bits(random, format) }
}

fn real(random: &mut Random) -> Value {
    let numerator = BigInt::from(random.next() as i64) >> random.below(64);
    let denominator = (BigInt::from(random.next() >> 1) >> random.below(63)) + 1;
    Value::Real(BigRational::new(numerator, denominator))
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
            Value::Float { exponent, significand, .. } => self.float((*exponent, *significand)),
            Value::Real(_) => SortId::REAL,
            Value::RoundingMode(_) => self.terms.mk_sort(Sort::RoundingMode),
            _ => panic!("no argument of these functions"),
        }
    }

    fn float(&mut self, (exponent, significand): Format) -> SortId {
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
    let Value::Float { exponent, significand, bits } = value else { return false };
    let magnitude = bits & ((BigUint::from(1u32) << (exponent + significand - 1)) - 1u32);
    magnitude > (((BigUint::from(1u32) << *exponent) - 1u32) << (significand - 1))
}

const MODES: [(&str, RoundingMode); 5] = [
    ("RNE", RoundingMode::NearestEven),
    ("RNA", RoundingMode::NearestAway),
    ("RTP", RoundingMode::TowardPositive),
    ("RTN", RoundingMode::TowardNegative),
    ("RTZ", RoundingMode::TowardZero),
];

fn one_round(c: &mut Checker, z3: &mut Z3, random: &mut Random, format: Format) {
    let sort = c.float(format);
    let (x, y, z) = (float(random, format), float(random, format), float(random, format));
    let (e, s) = format;
    for (name, mode) in MODES {
        for op in ["fp.add", "fp.sub", "fp.mul", "fp.div"] {
            c.compare(z3, &format!("{op} {name}"), &[x.clone(), y.clone()], sort, false);
        }
        c.compare(z3, "fp.add", &[Value::RoundingMode(mode), x.clone(), y.clone()], sort, false);
        c.compare(z3, &format!("fp.fma {name}"), &[x.clone(), y.clone(), z.clone()], sort, false);
        c.compare(z3, &format!("fp.sqrt {name}"), std::slice::from_ref(&x), sort, false);
        c.compare(z3, &format!("(_ to_fp {e} {s}) {name}"), &[real(random)], sort, false);
    }
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
    conversions(c, z3, random, format, &x);
}

fn conversions(c: &mut Checker, z3: &mut Z3, random: &mut Random, (e, s): Format, x: &Value) {
    let sort = c.float((e, s));
    for (name, mode) in MODES {
        c.compare(z3, &format!("fp.roundToIntegral {name}"), std::slice::from_ref(x), sort, false);
        c.compare(z3, "fp.roundToIntegral", &[Value::RoundingMode(mode), x.clone()], sort, false);
        for width in [8, 32, 64] {
            let bits = c.terms.bit_vec_sort(width);
            for kind in ["fp.to_sbv", "fp.to_ubv"] {
                c.compare(z3, &format!("(_ {kind} {width}) {name}"), std::slice::from_ref(x), bits, true);
            }
        }
        for width in [8, 16, 32, 64, 100] {
            let n = vector(random, width);
            c.compare(z3, &format!("(_ to_fp {e} {s}) {name}"), std::slice::from_ref(&n), sort, false);
            c.compare(z3, &format!("(_ to_fp_unsigned {e} {s}) {name}"), &[n], sort, false);
        }
        for other in FORMATS {
            let other = float(random, other);
            c.compare(z3, &format!("(_ to_fp {e} {s}) {name}"), &[other], sort, false);
        }
    }
    let bits = c.terms.bit_vec_sort(e + s);
    c.compare(z3, "fp.to_ieee_bv", std::slice::from_ref(x), bits, is_nan(x));
    if e < 12 {
        c.compare(z3, "fp.to_real", std::slice::from_ref(x), SortId::REAL, true);
    }
    let raw = vector(random, e + s);
    c.compare(z3, &format!("(_ to_fp {e} {s})"), &[raw], sort, false);
}

#[test]
fn z3_computes_what_the_evaluator_computes() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut z3 = Z3::new(None).expect("Z3 can be used");
    let mut checker = Checker { terms: Terms::new(), functions: Vec::new(), compared: 0, open: 0 };
    assert_eq!(z3.check(&checker.terms, &[]), Answer::Sat);
    for round in 0..300 {
        one_round(&mut checker, &mut z3, &mut random, FORMATS[round % FORMATS.len()]);
    }
    assert!(checker.compared > 40_000, "{} compared, {} open", checker.compared, checker.open);
}

/// What the machine makes of two numbers of double precision, with its own arithmetic.
fn by_machine(name: &str, x: f64, y: f64) -> f64 {
    match name {
        "fp.add RNE" => x + y,
        "fp.sub RNE" => x - y,
        "fp.mul RNE" => x * y,
        "fp.div RNE" => x / y,
        "fp.rem" => {
            // C's remainder, from the exact remainder of truncated division.
            let (r, d) = (x % y, y.abs());
            let (twice, odd) = (2.0 * r.abs(), ((x - r) / y).round() % 2.0 != 0.0);
            let rounded = if twice > d || (twice == d && odd) { r.abs() - d } else { r.abs() };
            if r.is_sign_negative() { -rounded } else { rounded }
        }
        _ => x.sqrt(),
    }
}

#[test]
fn the_machine_computes_what_the_evaluator_computes() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut c = Checker { terms: Terms::new(), functions: Vec::new(), compared: 0, open: 0 };
    let sort = c.float(DOUBLE);
    let double = |x: f64| Value::Float { exponent: 11, significand: 53, bits: BigUint::from(x.to_bits()) };
    for (name, arity) in [
        ("fp.add RNE", 2),
        ("fp.sub RNE", 2),
        ("fp.mul RNE", 2),
        ("fp.div RNE", 2),
        ("fp.sqrt RNE", 1),
        ("fp.rem", 2),
    ] {
        let kind = FuncKind::Builtin(name.into());
        let decl = FuncDecl {
            name: name.into(),
            type_params: Vec::new(),
            params: vec![sort; arity],
            result: sort,
            kind,
        };
        let function = c.terms.declare_function(decl);
        for _ in 0..2_000 {
            let mut number = || {
                let bits = u64::try_from(bits(&mut random, DOUBLE)).expect("64 bits");
                f64::from_bits(bits)
            };
            let (x, mut y) = (number(), number());
            if name == "fp.rem" {
                // Where the quotient has few digits its last one is exact.
                y = if y.is_finite() && y != 0.0 { y } else { 3.0 };
                if !x.is_finite() || (x / y).abs() >= 1e12 || x.abs() < 1e-290 || y.abs() < 1e-290 {
                    continue;
                }
            }
            let args = &[double(x), double(y)][..arity];
            let ours = evaluate_op(&c.terms, &Op::Apply(function), args, sort).expect("a value");
            let theirs = double(by_machine(name, x, y));
            assert!(
                ours == theirs || (is_nan(&ours) && is_nan(&theirs)),
                "{name} {x:e} {y:e}: {ours} {theirs}"
            );
            c.compared += 1;
        }
    }
    assert!(c.compared > 10_000, "{}", c.compared);
}

#[test]
fn z3_solves_for_what_the_evaluator_computes() {
    // The circuits behind the functions are another implementation than the one for constants.
    let mut random = Random(88_172_645_463_325_252);
    for round in 0..60 {
        let single = if round % 4 != 0 { SINGLE } else { DOUBLE };
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
