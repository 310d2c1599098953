//! Random conditions: what comes back has the same value everywhere in a box around zero, whatever the effort, and
//! variables that were eliminated are gone.

use footpath_simplify::{Dnf, Effort, Plain, Simplifier, print};
use footpath_smt::Z3;
use footpath_term::{Env, EvalError, Op, SortId, SymbolId, TermId, Terms, Value, evaluate};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// How many conditions; `FOOTPATH_CASES` asks for another number.
fn cases() -> u64 {
    std::env::var("FOOTPATH_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(100)
}

fn simplifier(effort: Effort) -> Simplifier {
    Simplifier::new(Box::new(Z3::new(None).expect("Z3 is there")), effort, 2_000)
}

struct Values(FxHashMap<SymbolId, Value>);

impl Env for Values {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        self.0.get(&symbol).cloned().ok_or(EvalError::Unbound(symbol))
    }
}

/// Variables with the values they are tried with.
struct World {
    terms: Terms,
    ints: Vec<TermId>,
    bools: Vec<TermId>,
    vectors: Vec<TermId>,
}

impl World {
    fn new() -> World {
        let mut terms = Terms::new();
        let bv = terms.bit_vec_sort(3);
        let ints = ["x", "y", "z"].map(|n| terms.fresh_var(n, SortId::INT)).to_vec();
        let bools = ["p", "q"].map(|n| terms.fresh_var(n, SortId::BOOL)).to_vec();
        let vectors = vec![terms.fresh_var("v", bv)];
        World { terms, ints, bools, vectors }
    }

    fn atom(&mut self, rng: &mut fastrand::Rng) -> TermId {
        match rng.u32(0..8) {
            0 => self.bools[rng.usize(0..self.bools.len())],
            1 | 2 => {
                let v = self.vectors[0];
                let c = self.terms.bit_vec(3, rng.i64(0..8));
                let op = [Op::BvSle, Op::BvSlt, Op::BvUle, Op::BvUlt, Op::Eq][rng.usize(0..5)].clone();
                let args = if rng.bool() { [v, c] } else { [c, v] };
                self.terms.app(op, args)
            }
            _ => {
                let a = self.number(rng);
                let b = self.number(rng);
                let op = [Op::Le, Op::Lt, Op::Eq][rng.usize(0..3)].clone();
                self.terms.app(op, [a, b])
            }
        }
    }

    fn number(&mut self, rng: &mut fastrand::Rng) -> TermId {
        let x = self.ints[rng.usize(0..self.ints.len())];
        let c = self.terms.int(rng.i64(-2..3));
        match rng.u32(0..6) {
            0 | 1 => x,
            2 => c,
            3 => self.terms.app(Op::Add, [x, c]),
            4 => self.terms.app(Op::Mul, [c, x]),
            _ => {
                let y = self.ints[rng.usize(0..self.ints.len())];
                self.terms.app(Op::Sub, [x, y])
            }
        }
    }

    fn condition(&mut self, rng: &mut fastrand::Rng, depth: u32) -> TermId {
        if depth == 0 || rng.u32(0..5) == 0 {
            let atom = self.atom(rng);
            return if rng.bool() { atom } else { self.terms.app(Op::Not, [atom]) };
        }
        let a = self.condition(rng, depth - 1);
        let b = self.condition(rng, depth - 1);
        match rng.u32(0..8) {
            0 => self.terms.app(Op::Implies, [a, b]),
            1 => self.terms.app(Op::Eq, [a, b]),
            2 => self.terms.app(Op::Not, [a]),
            3..=5 => self.terms.app(Op::And, [a, b]),
            _ => self.terms.app(Op::Or, [a, b]),
        }
    }

    fn symbol(&self, t: TermId) -> SymbolId {
        match self.terms.term(t).op {
            Op::Var(s) => s,
            _ => unreachable!("a variable"),
        }
    }

    fn random(&self, rng: &mut fastrand::Rng) -> Values {
        let mut values = FxHashMap::default();
        for &x in &self.ints {
            values.insert(self.symbol(x), Value::int(rng.i64(-4..5)));
        }
        for &p in &self.bools {
            values.insert(self.symbol(p), Value::Bool(rng.bool()));
        }
        for &v in &self.vectors {
            values.insert(self.symbol(v), Value::bit_vec(3, &BigInt::from(rng.i64(0..8))));
        }
        Values(values)
    }
}

fn holds(terms: &Terms, t: TermId, values: &mut Values) -> bool {
    evaluate(terms, t, values).expect("all symbols have values").as_bool().expect("a condition")
}

#[test]
fn simplified_conditions_have_the_same_values() {
    for seed in 0..cases() {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut world = World::new();
        let condition = world.condition(&mut rng, 4);
        let given = Dnf::of(&mut world.terms, condition);
        for effort in Effort::ALL {
            let short = simplifier(effort).simplify(&mut world.terms, &given);
            assert!(effort == Effort::None || short.literals() <= given.literals(), "seed {seed}: it grew");
            let term = short.term(&mut world.terms);
            for _ in 0..200 {
                let mut values = world.random(&mut rng);
                let (before, after) =
                    (holds(&world.terms, condition, &mut values), holds(&world.terms, term, &mut values));
                let texts = (world.terms.display(condition), world.terms.display(term));
                assert_eq!(before, after, "seed {seed}, {effort:?}: {} became {}", texts.0, texts.1);
            }
        }
    }
}

#[test]
fn simplified_conditions_are_prime_and_irredundant() {
    for seed in 0..cases() / 3 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut world = World::new();
        let condition = world.condition(&mut rng, 3);
        let given = Dnf::of(&mut world.terms, condition);
        let mut simplifier = simplifier(Effort::Prime);
        let short = simplifier.simplify(&mut world.terms, &given);
        for (i, cube) in short.cubes.iter().enumerate() {
            let mut others = short.clone();
            others.cubes.remove(i);
            let others = others.term(&mut world.terms);
            assert!(!simplifier.implies(&mut world.terms, cube, others), "seed {seed}: a disjunct too many");
            for l in 0..cube.len() {
                let mut rest = cube.clone();
                rest.remove(l);
                assert!(
                    !simplifier.implies(&mut world.terms, &rest, condition),
                    "seed {seed}: a literal too many"
                );
            }
        }
    }
}

#[test]
fn an_eliminated_variable_is_gone_and_what_is_left_says_when_it_exists() {
    let mut exact = 0;
    for seed in 0..cases() {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut world = World::new();
        let condition = world.condition(&mut rng, 3);
        let given = Dnf::of(&mut world.terms, condition);
        let variables = [world.ints[0], world.bools[0], world.vectors[0]];
        let variable = variables[rng.usize(0..3)];
        let symbol = world.symbol(variable);
        let result = simplifier(Effort::Prime).eliminate(&mut world.terms, &given, &[symbol]);
        exact += u64::from(result.exact);
        let term = result.condition.term(&mut world.terms);
        assert!(!world.terms.free_symbols(&[term]).contains(&symbol), "seed {seed}");
        for _ in 0..60 {
            let mut values = world.random(&mut rng);
            let left = holds(&world.terms, term, &mut values);
            let tried: Vec<Value> = match variable {
                v if v == variables[0] => (-40..=40).map(Value::int).collect(),
                v if v == variables[1] => [true, false].map(Value::Bool).to_vec(),
                _ => (0..8).map(|n| Value::bit_vec(3, &BigInt::from(n))).collect(),
            };
            let some = tried.into_iter().any(|value| {
                values.0.insert(symbol, value);
                holds(&world.terms, condition, &mut values)
            });
            // The values that are tried contain one that fits if there is one: all constants are small.
            assert!(!left || some, "seed {seed}: it holds where no value fits");
            assert!(
                left || !some || !result.exact,
                "seed {seed}: exact, and a value fits where it does not hold"
            );
        }
    }
    assert!(exact * 10 >= cases() * 8, "only {exact} were exact");
}

/// A condition from text such as `x<=4 | x=5`, for the tests of idioms.
fn check(build: impl FnOnce(&mut World) -> TermId, expected: &str) {
    let mut world = World::new();
    let condition = build(&mut world);
    let given = Dnf::of(&mut world.terms, condition);
    let short = simplifier(Effort::Prime).simplify(&mut world.terms, &given);
    assert_eq!(print(&world.terms, &short, &Plain), expected);
}

impl World {
    fn x(&mut self, op: Op, n: i64) -> TermId {
        let n = self.terms.int(n);
        let x = self.ints[0];
        match op {
            Op::Ge => self.terms.app(Op::Le, [n, x]),
            op => self.terms.app(op, [x, n]),
        }
    }

    fn v(&mut self, op: Op, n: i64) -> TermId {
        let n = self.terms.bit_vec(3, n);
        let v = self.vectors[0];
        self.terms.app(op, [v, n])
    }

    fn or(&mut self, parts: &[TermId]) -> TermId {
        self.terms.app(Op::Or, parts.iter().copied())
    }

    fn and(&mut self, parts: &[TermId]) -> TermId {
        self.terms.app(Op::And, parts.iter().copied())
    }

    fn not(&mut self, t: TermId) -> TermId {
        self.terms.app(Op::Not, [t])
    }
}

#[test]
fn values_in_a_row_become_a_range() {
    check(
        |w| {
            let parts = [1, 2, 3].map(|n| w.x(Op::Eq, n));
            w.or(&parts)
        },
        "1 <= x && x <= 3",
    );
    check(
        |w| {
            let parts = [0, 1, 2].map(|n| w.v(Op::Eq, n));
            w.or(&parts)
        },
        "0 <= v && v <= 2",
    );
}

#[test]
fn neighbours_are_joined() {
    check(
        |w| {
            let parts = [w.x(Op::Le, 4), w.x(Op::Eq, 5)];
            w.or(&parts)
        },
        "x <= 5",
    );
    check(
        |w| {
            let parts = [w.x(Op::Le, 4), w.x(Op::Ge, 6)];
            w.or(&parts)
        },
        "x != 5",
    );
}

#[test]
fn complementary_disjuncts_lose_what_they_differ_in() {
    check(
        |w| {
            let (p, q) = (w.bools[0], w.bools[1]);
            let not_p = w.not(p);
            let (a, b) = (w.and(&[p, q]), w.and(&[not_p, q]));
            w.or(&[a, b])
        },
        "q",
    );
}

#[test]
fn what_all_disjuncts_share_stands_once() {
    check(
        |w| {
            let (p, q) = (w.bools[0], w.bools[1]);
            let low = w.x(Op::Ge, 1);
            let (a, b) = (w.and(&[low, p]), w.and(&[low, q]));
            w.or(&[a, b])
        },
        "x >= 1 && (p || q)",
    );
}

#[test]
fn constants_stand_to_the_right_and_sums_without_minus() {
    check(|w| w.x(Op::Ge, 1), "x >= 1");
    check(
        |w| {
            let (x, y) = (w.ints[0], w.ints[1]);
            let one = w.terms.int(1);
            let more = w.terms.app(Op::Sub, [y, one]);
            w.terms.app(Op::Le, [x, more])
        },
        "x < y",
    );
    check(
        |w| {
            let (x, four, zero) = (w.ints[0], w.terms.int(4), w.terms.int(0));
            let rest = w.terms.app(Op::Mod, [x, four]);
            w.terms.app(Op::Eq, [rest, zero])
        },
        "x % 4 == 0",
    );
}

#[test]
fn an_overflow_is_written_as_a_comparison() {
    let mut terms = Terms::new();
    let int = terms.bit_vec_sort(32);
    let (x, y) = (terms.fresh_var("x", int), terms.fresh_var("y", int));
    let zero = terms.bit_vec(32, 0);
    let sum = terms.app(Op::BvAdd, [x, y]);
    let (a, b) = (terms.app(Op::BvXor, [x, sum]), terms.app(Op::BvXor, [y, sum]));
    let both = terms.app(Op::BvAnd, [a, b]);
    let overflows = terms.app(Op::BvSlt, [both, zero]);
    let positive = terms.app(Op::BvSlt, [zero, x]);
    let known = Dnf { cubes: vec![vec![positive, overflows]] };
    let words = simplifier(Effort::Prime).in_words(&mut terms, &known);
    assert_eq!(print(&terms, &words, &Plain), "x > 0 && y > 2147483647 - x");
    let open = Dnf { cubes: vec![vec![overflows]] };
    let words = simplifier(Effort::Prime).in_words(&mut terms, &open);
    assert_eq!(
        print(&terms, &words, &Plain),
        "(x > 0 && y > 2147483647 - x) || (x < 0 && y < -2147483648 - x)"
    );
}

#[test]
fn an_overflow_of_a_difference_is_one_of_its_parts() {
    let mut terms = Terms::new();
    let int = terms.bit_vec_sort(32);
    let (x, y) = (terms.fresh_var("x", int), terms.fresh_var("y", int));
    let zero = terms.bit_vec(32, 0);
    let overflows = |terms: &mut Terms, x, y| {
        let difference = terms.app(Op::BvSub, [x, y]);
        let (a, b) = (terms.app(Op::BvXor, [x, y]), terms.app(Op::BvXor, [x, difference]));
        let both = terms.app(Op::BvAnd, [a, b]);
        Dnf { cubes: vec![vec![terms.app(Op::BvSlt, [both, zero])]] }
    };
    let open = overflows(&mut terms, x, y);
    let words = simplifier(Effort::Prime).in_words(&mut terms, &open);
    assert_eq!(
        print(&terms, &words, &Plain),
        "(y > 0 && x < y - 2147483648) || (y < 0 && x > y + 2147483647)"
    );
    // Where it is the larger one that the other is subtracted from, only one of the parts can hold.
    let mut ordered = overflows(&mut terms, x, y);
    ordered.cubes[0].insert(0, terms.app(Op::BvSlt, [y, x]));
    let words = simplifier(Effort::Prime).in_words(&mut terms, &ordered);
    assert_eq!(print(&terms, &words, &Plain), "y < x && y < 0 && x > y + 2147483647");
    let negation = overflows(&mut terms, zero, x);
    let words = simplifier(Effort::Prime).in_words(&mut terms, &negation);
    assert_eq!(print(&terms, &words, &Plain), "x == -2147483648");
}

#[test]
fn conditions_in_words_have_the_same_values_also_long_ones() {
    for seed in 0..cases() {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut world = World::new();
        let mut given = Dnf::never();
        // Every tenth is too long for all of it to be rewritten.
        for _ in 0..if seed % 10 == 0 { 1_000 } else { 3 } {
            let literals: Vec<TermId> = (0..4).map(|_| world.atom(&mut rng)).collect();
            given.add(&mut world.terms, &literals);
        }
        let words = simplifier(Effort::Prime).in_words(&mut world.terms, &given);
        let [before, after] = [&given, &words].map(|dnf| dnf.term(&mut world.terms));
        for _ in 0..200 {
            let mut values = world.random(&mut rng);
            let is_same = holds(&world.terms, before, &mut values) == holds(&world.terms, after, &mut values);
            let texts = (world.terms.display(before), world.terms.display(after));
            assert!(is_same, "seed {seed}: {} became {}", texts.0, texts.1);
        }
    }
}

#[test]
fn what_a_variable_equals_stands_for_it_in_words() {
    let mut terms = Terms::new();
    let int = terms.bit_vec_sort(32);
    let (x, y) = (terms.fresh_var("x", int), terms.fresh_var("y", int));
    let two = terms.bit_vec(32, 2);
    let literals = vec![terms.app(Op::Eq, [x, two]), terms.app(Op::BvSlt, [y, x])];
    let words = simplifier(Effort::Prime).in_words(&mut terms, &Dnf { cubes: vec![literals] });
    assert_eq!(print(&terms, &words, &Plain), "x == 2 && y < 2");
}

#[test]
fn what_is_compared_in_both_readings_is_compared_as_a_signed_number() {
    let mut terms = Terms::new();
    let int = terms.bit_vec_sort(32);
    let x = terms.fresh_var("x", int);
    let limit = terms.bit_vec(32, 32);
    let signed = terms.app(Op::BvSle, [x, limit]);
    let unsigned = terms.app(Op::BvUle, [limit, x]);
    let small = terms.app(Op::BvUlt, [x, limit]);
    let shown = |terms: &mut Terms, literals: &[TermId]| {
        let words = simplifier(Effort::Prime).in_words(terms, &Dnf { cubes: vec![literals.to_vec()] });
        print(terms, &words, &Plain)
    };
    assert_eq!(shown(&mut terms, &[signed, unsigned]), "x == 32 || x < 0");
    assert_eq!(shown(&mut terms, &[signed, small]), "0 <= x && x <= 31");
    assert_eq!(shown(&mut terms, &[unsigned]), "(unsigned)x >= 32");
}
