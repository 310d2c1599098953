//! Rewriting of bit-vector arithmetic to bounds, literal by literal.
//!
//! 1. Bounds of `x + c`: `x - 5 > 2147483642` is true only where the difference wraps around, so it is
//!    `x < INT_MIN + 5`.
//! 2. Overflow of products: a wide product that differs from the extension of the narrow one is out of the narrow
//!    range. If a factor is a constant, that is a bound of the other factor.
//! 3. Overflow of sums, likewise, as bounds of sums of wider numbers.
//! 4. Remainders of sums: `(n + 1) % 2 == 0` is `n % 2 == 1`.
//! 5. Bounds of multiples and extensions that cannot overflow: `(long)i * 4 < 12` is `i < 3`.
//!
//! **Direction of error.** None: each rewriting is a theorem about numbers, for all widths, and is tested on all
//! values of small widths. It is not asked of a solver, as products are hard for solvers.

use footpath_term::{Op, TermId, Terms, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::bound::{Bound, Form, Relation, number, range};
use crate::idiom::overflow;
use crate::{Cube, Dnf};

/// The condition with overflow checks of products rewritten to bounds.
pub(crate) fn products(terms: &mut Terms, given: &Dnf) -> Dnf {
    rewritten(terms, given, &mut product)
}

/// The condition with bounds of sums `x + c` rewritten to bounds of `x`; `in_two` allows a bound to become two
/// alternatives.
pub(crate) fn shifts(terms: &mut Terms, given: &Dnf, in_two: bool) -> Dnf {
    rewritten(terms, given, &mut |terms, l| shifted(terms, l).filter(|cubes| in_two || cubes.len() == 1))
}

/// The condition with bounds of multiples and extensions rewritten to bounds of their operands, where they cannot
/// overflow; `known` are bounds that hold.
pub(crate) fn multiples(terms: &mut Terms, given: &Dnf, known: &[Bound]) -> Dnf {
    rewritten(terms, given, &mut |terms, l| multiple(terms, l, known))
}

/// The condition with overflow checks of sums rewritten to bounds of sums of wider numbers.
pub(crate) fn sums(terms: &mut Terms, given: &Dnf) -> Dnf {
    rewritten(terms, given, &mut |terms, l| {
        let (sum, overflows) = overflow(terms, l)?;
        let [a, b] = sum.parts.map(|part| terms.app(Op::SignExtend(sum.width), [part]));
        let wide =
            if sum.is_difference { terms.app(Op::BvSub, [b, a]) } else { terms.app(Op::BvAdd, [a, b]) };
        Some(within(terms, &Form::Signed(wide), range(sum.width, true), !overflows))
    })
}

/// The condition with equations of remainders of sums without a constant summand.
pub(crate) fn remainders(terms: &mut Terms, given: &Dnf) -> Dnf {
    given.map(terms, |terms, literal| remainder(terms, literal).unwrap_or(literal))
}

/// `(t + k) mod c == r`, or that it is not, as `t mod c == r - k`.
fn remainder(terms: &mut Terms, literal: TermId) -> Option<TermId> {
    let term = terms.term(literal).clone();
    if term.op == Op::Not {
        let inner = remainder(terms, term.args[0])?;
        return Some(terms.app(Op::Not, [inner]));
    }
    let (&Op::Eq, &[a, b]) = (&term.op, term.args.as_slice()) else { return None };
    let integer = |terms: &Terms, t: TermId| match terms.literal(t) {
        Some(Value::Int(n)) => Some(n.clone()),
        _ => None,
    };
    let (whole, rest) = if integer(terms, a).is_some() { (b, a) } else { (a, b) };
    let rest = integer(terms, rest)?;
    let whole = terms.term(whole).clone();
    if whole.op != Op::Mod {
        return None;
    }
    let divisor = integer(terms, whole.args[1]).filter(Signed::is_positive)?;
    let (_, constant) = terms.linear_form(whole.args[0]);
    if constant.is_zero() || rest.is_negative() || rest >= divisor {
        return None;
    }
    let rest = (rest - &constant).mod_floor(&divisor);
    let constant = terms.int(constant);
    let sum = terms.app(Op::Sub, [whole.args[0], constant]);
    let sides = [terms.app(Op::Mod, [sum, whole.args[1]]), terms.int(rest)];
    Some(terms.app(Op::Eq, sides))
}

/// The conjunctions that say that a number is in a range (`is`), or that it is not.
fn within(terms: &mut Terms, form: &Form, (low, high): (BigInt, BigInt), is: bool) -> Vec<Cube> {
    let mut of = |relation, value| bound_of(terms, form, relation, value);
    if is {
        vec![vec![of(Relation::AtLeast, low), of(Relation::AtMost, high)]]
    } else {
        vec![vec![of(Relation::AtMost, low - 1)], vec![of(Relation::AtLeast, high + 1)]]
    }
}

/// The condition with each literal for which `change` returns a disjunction replaced by it.
fn rewritten(
    terms: &mut Terms,
    given: &Dnf,
    change: &mut dyn FnMut(&mut Terms, TermId) -> Option<Vec<Cube>>,
) -> Dnf {
    given.map(terms, |terms, literal| match change(terms, literal) {
        Some(cubes) => Dnf { cubes }.term(terms),
        None => literal,
    })
}

/// A comparison with a constant. Bounds are strict, as people write overflow checks: `x > MAX - 7`.
fn bound_of(terms: &mut Terms, form: &Form, relation: Relation, value: BigInt) -> TermId {
    let opposite = match relation {
        Relation::AtLeast => Bound { form: form.clone(), relation: Relation::AtMost, value: value - 1 },
        Relation::AtMost => Bound { form: form.clone(), relation: Relation::AtLeast, value: value + 1 },
        Relation::Equal | Relation::Differs => {
            return Bound { form: form.clone(), relation, value }.build(terms);
        }
    };
    let opposite = opposite.build(terms);
    terms.app(Op::Not, [opposite])
}

/// A bound of `x + c` as bounds of `x`.
fn shifted(terms: &mut Terms, literal: TermId) -> Option<Vec<Cube>> {
    let bound = Bound::read(terms, literal)?;
    let (sum, signed) = match bound.form {
        Form::Signed(t) => (t, true),
        Form::Unsigned(t) => (t, false),
        Form::Int(_) => return None,
    };
    let width = terms.width(terms.sort(sum))?;
    let (x, c) = summand(terms, sum)?;
    let (least, most) = range(width, signed);
    let modulus = BigInt::one() << width;
    let back = |n: BigInt| (n - &c - &least).mod_floor(&modulus) + &least;
    let form = if signed { Form::Signed(x) } else { Form::Unsigned(x) };
    let mut of_x = |relation, value| bound_of(terms, &form, relation, value);
    let (low, high) = match bound.relation {
        Relation::Equal | Relation::Differs => {
            return Some(vec![vec![of_x(bound.relation, back(bound.value))]]);
        }
        Relation::AtLeast => (back(bound.value), back(most.clone())),
        Relation::AtMost => (back(least.clone()), back(bound.value)),
    };
    if low > high {
        return Some(vec![vec![of_x(Relation::AtLeast, low)], vec![of_x(Relation::AtMost, high)]]);
    }
    let mut cube = Cube::new();
    if low > least {
        cube.push(of_x(Relation::AtLeast, low));
    }
    if high < most {
        cube.push(of_x(Relation::AtMost, high));
    }
    Some(vec![cube])
}

/// The number that a constant is added to, and the constant.
fn summand(terms: &Terms, sum: TermId) -> Option<(TermId, BigInt)> {
    let term = terms.term(sum);
    let (Op::BvAdd, &[a, b]) = (&term.op, term.args.as_slice()) else { return None };
    match (number(terms, a, true), number(terms, b, true)) {
        (Some(c), None) => Some((b, c)),
        (None, Some(c)) => Some((a, c)),
        _ => None,
    }
}

/// A number computed from bits, and the least and the greatest value it can have.
struct Ranged {
    form: Form,
    least: BigInt,
    most: BigInt,
}

/// The operand of a signed term of `width` bits, if its range is known to be smaller than that of the width.
fn ranged(terms: &Terms, t: TermId, known: &[Bound]) -> Option<Ranged> {
    let term = terms.term(t);
    if let Op::SignExtend(_) | Op::ZeroExtend(_) = term.op {
        let signed = matches!(term.op, Op::SignExtend(_));
        let inner = term.args[0];
        let (least, most) = range(terms.width(terms.sort(inner))?, signed);
        return Some(Ranged {
            form: if signed { Form::Signed(inner) } else { Form::Unsigned(inner) },
            least,
            most,
        });
    }
    [Form::Signed(t), Form::Unsigned(t)].into_iter().find_map(|form| {
        let (least, _) = range(terms.width(term.sort)?, matches!(form, Form::Signed(_)));
        let side = |relation| {
            known
                .iter()
                .filter(move |b| b.relation == relation)
                .filter(|b| b.form == form)
                .map(|b| b.value.clone())
        };
        let least = side(Relation::AtLeast).max().unwrap_or(least);
        let most = side(Relation::AtMost).min()?;
        Some(Ranged { form, least, most })
    })
}

/// A bound of a multiple or extension that cannot overflow, with or without a constant summand, as bounds of its operand.
fn multiple(terms: &mut Terms, literal: TermId, known: &[Bound]) -> Option<Vec<Cube>> {
    let bound = Bound::read(terms, literal)?;
    let (t, signed) = match bound.form {
        Form::Signed(t) => (t, true),
        Form::Unsigned(t) => (t, false),
        Form::Int(_) => return None,
    };
    let (product, plus) = summand(terms, t).unwrap_or((t, BigInt::zero()));
    let (x, c) = factor(terms, product).unwrap_or((product, BigInt::one()));
    if c.is_zero() {
        return None;
    }
    let number = ranged(terms, x, known)?;
    let is_plain = matches!(number.form, Form::Signed(n) | Form::Unsigned(n) if n == t);
    if is_plain {
        return None;
    }
    let ends = [&number.least * &c + &plus, &number.most * &c + &plus];
    let (low, high) = (ends.iter().min()?, ends.iter().max()?);
    let (least, most) = range(terms.width(terms.sort(t))?, true);
    if *low < least || *high > most {
        return None;
    }
    let of_x = |terms: &mut Terms, relation: Relation, value: &BigInt| {
        let (relation, value) = divided(relation, &(value - &plus), &c)?;
        Some(bound_of(terms, &number.form, relation, value))
    };
    // What is negative is large when read without a sign.
    if !signed && low.is_negative() {
        let zero = BigInt::zero();
        return match bound.relation {
            _ if bound.value > most => None,
            Relation::AtMost => {
                let both = [(Relation::AtLeast, &zero), (Relation::AtMost, &bound.value)];
                Some(vec![both.iter().map(|&(r, v)| of_x(terms, r, v)).collect::<Option<Cube>>()?])
            }
            Relation::AtLeast => {
                let either = [(Relation::AtMost, BigInt::from(-1)), (Relation::AtLeast, bound.value)];
                either.iter().map(|(r, v)| Some(vec![of_x(terms, *r, v)?])).collect()
            }
            relation => Some(vec![vec![of_x(terms, relation, &bound.value)?]]),
        };
    }
    Some(vec![vec![of_x(terms, bound.relation, &bound.value)?]])
}

/// The bound of `x` that is equivalent to `c * x ~ value`; `None` for an equation without a solution.
fn divided(relation: Relation, value: &BigInt, c: &BigInt) -> Option<(Relation, BigInt)> {
    let relation = match relation {
        Relation::AtLeast if c.is_negative() => Relation::AtMost,
        Relation::AtMost if c.is_negative() => Relation::AtLeast,
        relation => relation,
    };
    match relation {
        // c * x >= v is x >= v / c, and for negative c, x <= v / c.
        Relation::AtLeast => Some((relation, -(-value).div_floor(c))),
        Relation::AtMost => Some((relation, value.div_floor(c))),
        Relation::Equal | Relation::Differs => value.is_multiple_of(c).then(|| (relation, value / c)),
    }
}

/// The number that is multiplied by a constant, and the constant.
pub(crate) fn factor(terms: &Terms, t: TermId) -> Option<(TermId, BigInt)> {
    let term = terms.term(t);
    match (&term.op, term.args.as_slice()) {
        (Op::BvMul, &[a, b]) => match (number(terms, a, true), number(terms, b, true)) {
            (Some(c), None) => Some((b, c)),
            (None, Some(c)) => Some((a, c)),
            _ => None,
        },
        (Op::BvShl, &[x, by]) => {
            let by = number(terms, by, false)?.to_u32().filter(|by| Some(*by) < terms.width(term.sort))?;
            Some((x, BigInt::one() << by))
        }
        _ => None,
    }
}

/// An overflow check of a product, negated or not, as bounds.
fn product(terms: &mut Terms, literal: TermId) -> Option<Vec<Cube>> {
    let term = terms.term(literal).clone();
    let (equation, differs) = match term.op {
        Op::Not => (terms.term(term.args[0]).clone(), true),
        _ => (term, false),
    };
    if equation.op != Op::Eq || equation.args.len() != 2 {
        return None;
    }
    let (a, b) = (equation.args[0], equation.args[1]);
    let (wide, width) = overflowing(terms, a, b).or_else(|| overflowing(terms, b, a))?;
    let (least, most) = range(width, true);
    let bounds = match constant_factor(terms, wide) {
        Some((_, c)) if c.is_zero() => return None,
        Some((x, c)) => {
            let (least, most) = if c.is_positive() { (least, most) } else { (most, least) };
            // The numbers of which c times them is in range.
            (Form::Signed(x), ceiling(&least, &c), most.div_floor(&c))
        }
        None => (Form::Signed(wide), least, most),
    };
    let (form, low, high) = bounds;
    Some(within(terms, &form, (low, high), !differs))
}

fn ceiling(n: &BigInt, by: &BigInt) -> BigInt {
    -(-n).div_floor(by)
}

/// If `narrow` is the extension of a product, and `wide` is the same product of the extended factors and wide enough
/// to be exact: the wide product, and the width of the narrow one.
fn overflowing(terms: &Terms, wide: TermId, narrow: TermId) -> Option<(TermId, u32)> {
    let extension = terms.term(narrow);
    let Op::SignExtend(by) = extension.op else { return None };
    let (inner, outer) = (terms.term(extension.args[0]), terms.term(wide));
    let width = terms.width(inner.sort)?;
    let products = inner.op == Op::BvMul && outer.op == Op::BvMul;
    if !products || inner.args.len() != 2 || outer.args.len() != 2 || by < width {
        return None;
    }
    let extends = |w: TermId, n: TermId| match &terms.term(w).op {
        Op::SignExtend(k) => *k == by && terms.term(w).args[0] == n,
        _ => number(terms, w, true).is_some_and(|c| number(terms, n, true) == Some(c)),
    };
    let same = |i: usize| extends(outer.args[0], inner.args[i]) && extends(outer.args[1], inner.args[1 - i]);
    (same(0) || same(1)).then_some((wide, width))
}

/// The number whose extension is multiplied by a constant, and the constant.
fn constant_factor(terms: &Terms, wide: TermId) -> Option<(TermId, BigInt)> {
    let (x, c) = factor(terms, wide)?;
    Some((*terms.term(x).args.first()?, c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use footpath_term::{Env, EvalError, SymbolId, Value, evaluate};

    struct Numbers(Vec<(SymbolId, Value)>);

    impl Env for Numbers {
        fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
            let found = self.0.iter().find(|(s, _)| *s == symbol);
            found.map(|(_, v)| v.clone()).ok_or(EvalError::Unbound(symbol))
        }
    }

    const WIDTH: u32 = 4;

    /// Compares a literal and its negation with their rewritten forms, for all values where `known` holds; returns
    /// how many were rewritten.
    fn check(terms: &mut Terms, symbols: [SymbolId; 2], literal: TermId, known: &[Bound]) -> usize {
        let mut changed = 0;
        let premise: Vec<TermId> = known.iter().map(|b| b.build(terms)).collect();
        let premise = terms.app(Op::And, premise);
        let not = terms.app(Op::Not, [literal]);
        for literal in [literal, not] {
            if terms.as_bool(literal).is_some() {
                continue;
            }
            let given = Dnf { cubes: vec![vec![literal]] };
            let found = products(terms, &given);
            let found = multiples(terms, &found, known);
            let found = shifts(terms, &found, true);
            let found = sums(terms, &found);
            changed += usize::from(found != given);
            let after = found.term(terms);
            for case in 0..1u32 << (2 * WIDTH) {
                let bits = [case & 15, case >> WIDTH].map(|n| Value::bit_vec(WIDTH, &n.into()));
                let mut env = Numbers(symbols.into_iter().zip(bits).collect());
                if evaluate(terms, premise, &mut env) != Ok(Value::Bool(true)) {
                    continue;
                }
                let [one, other] = [literal, after].map(|t| evaluate(terms, t, &mut env).expect("a value"));
                assert_eq!(one, other, "{} became {}", terms.display(literal), terms.display(after));
            }
        }
        changed
    }

    #[test]
    fn bounds_of_sums_with_constants_are_bounds_of_what_is_added_to() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(WIDTH);
        let symbols = ["x", "y"].map(|name| terms.fresh_symbol(name, sort));
        let x = terms.var(symbols[0]);
        let mut changed = 0;
        for c in 1..16 {
            let c = terms.bit_vec(WIDTH, c);
            let sum = terms.app(Op::BvAdd, [x, c]);
            for value in 0..16 {
                let value = terms.bit_vec(WIDTH, value);
                for op in [Op::BvSle, Op::BvSlt, Op::BvUle, Op::BvUlt, Op::Eq] {
                    for sides in [[sum, value], [value, sum]] {
                        let literal = terms.app(op.clone(), sides);
                        changed += check(&mut terms, symbols, literal, &[]);
                    }
                }
            }
        }
        assert!(changed > 1_000, "{changed}");
    }

    #[test]
    fn bounds_of_multiples_that_lose_nothing_are_bounds_of_what_is_multiplied() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(WIDTH);
        let symbols = ["x", "y"].map(|name| terms.fresh_symbol(name, sort));
        let x = terms.var(symbols[0]);
        let wide = 2 * WIDTH;
        let mut changed = 0;
        for extension in [Op::SignExtend(WIDTH), Op::ZeroExtend(WIDTH)] {
            let extended = terms.app(extension, [x]);
            for c in [-16, -5, -1, 1, 2, 3, 8, 15, 16, 17] {
                let c = terms.bit_vec(wide, c);
                let product = terms.app(Op::BvMul, [extended, c]);
                for plus in [0, -7, 100] {
                    let plus = terms.bit_vec(wide, plus);
                    let sum = terms.app(Op::BvAdd, [product, plus]);
                    for value in (0..256).step_by(31) {
                        let value = terms.bit_vec(wide, value);
                        for op in [Op::BvSle, Op::BvSlt, Op::BvUle, Op::BvUlt, Op::Eq] {
                            for sides in [[sum, value], [value, sum]] {
                                let literal = terms.app(op.clone(), sides);
                                changed += check(&mut terms, symbols, literal, &[]);
                            }
                        }
                    }
                }
            }
        }
        assert!(changed > 2_500, "{changed}");
    }

    #[test]
    fn a_range_that_is_known_says_that_nothing_is_lost() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(WIDTH);
        let symbols = ["x", "y"].map(|name| terms.fresh_symbol(name, sort));
        let [x, _] = symbols.map(|s| terms.var(s));
        let mut changed = 0;
        for (form, least, most) in [(Form::Signed(x), -2, 1), (Form::Unsigned(x), 1, 3)] {
            let known = [(Relation::AtLeast, least), (Relation::AtMost, most)]
                .map(|(relation, value)| Bound { form: form.clone(), relation, value: value.into() });
            for c in [2, 3, 4] {
                let c = terms.bit_vec(WIDTH, c);
                let product = terms.app(Op::BvMul, [x, c]);
                for plus in [0, 1, 2, 7, 8, 12, 15] {
                    let plus = terms.bit_vec(WIDTH, plus);
                    let sum = terms.app(Op::BvAdd, [product, plus]);
                    for value in 0..16 {
                        let value = terms.bit_vec(WIDTH, value);
                        for op in [Op::BvSle, Op::BvUle, Op::Eq] {
                            let literal = terms.app(op, [sum, value]);
                            changed += check(&mut terms, symbols, literal, &known);
                        }
                    }
                }
            }
        }
        assert!(changed > 1_000, "{changed}");
    }

    #[test]
    fn a_sum_overflows_where_the_wide_one_is_out_of_range() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(WIDTH);
        let symbols = ["x", "y"].map(|name| terms.fresh_symbol(name, sort));
        let [x, y] = symbols.map(|s| terms.var(s));
        let zero = terms.bit_vec(WIDTH, 0);
        for (op, other) in [(Op::BvAdd, y), (Op::BvSub, x)] {
            let result = terms.app(op, [x, y]);
            let left = terms.app(Op::BvXor, [x, if other == y { result } else { y }]);
            let right = terms.app(Op::BvXor, [other, result]);
            let both = terms.app(Op::BvAnd, [left, right]);
            let literal = terms.app(Op::BvSlt, [both, zero]);
            assert_eq!(check(&mut terms, symbols, literal, &[]), 2, "{}", terms.display(literal));
        }
    }

    #[test]
    fn a_product_overflows_where_it_is_out_of_range() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(WIDTH);
        let symbols = ["x", "y"].map(|name| terms.fresh_symbol(name, sort));
        let [x, y] = symbols.map(|s| terms.var(s));
        let constants: Vec<TermId> = (2..15).map(|c| terms.bit_vec(WIDTH, c)).collect();
        for other in constants.into_iter().chain([y]) {
            for factors in [[x, other], [other, x]] {
                let narrow = terms.app(Op::BvMul, factors);
                let narrow = terms.app(Op::SignExtend(WIDTH), [narrow]);
                let factors = factors.map(|f| terms.app(Op::SignExtend(WIDTH), [f]));
                let wide = terms.app(Op::BvMul, factors);
                let literal = terms.app(Op::Eq, [wide, narrow]);
                assert_eq!(check(&mut terms, symbols, literal, &[]), 2, "{}", terms.display(literal));
            }
        }
    }
}
