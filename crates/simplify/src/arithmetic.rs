//! Machine arithmetic said of numbers, literal by literal.
//!
//! 1. Bounds of `x + c`: `x - 5 > 2147483642` is true of what wraps around, so it is `x < INT_MIN + 5`.
//! 2. Products that overflow: that a wide product is not the narrow one, extended, says that it is out of the narrow range. If a
//!    factor is a constant, that is a bound of the other one.
//!
//! **Where it may be wrong.** Nowhere: each rewriting is a theorem about numbers, for all widths, and is tested on all values of
//! small ones. It is not asked of a solver, to whom products are hard.

use footpath_term::{Op, TermId, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::bound::{Bound, Form, Relation, number};
use crate::{Cube, Dnf};

/// The same condition with overflows of products as bounds.
pub(crate) fn products(terms: &mut Terms, given: &Dnf) -> Dnf {
    rewritten(terms, given, &mut product)
}

/// The same condition with bounds of sums with constants as bounds of what is added to; `in_two` says whether one may become
/// two alternatives.
pub(crate) fn shifts(terms: &mut Terms, given: &Dnf, in_two: bool) -> Dnf {
    rewritten(terms, given, &mut |terms, l| shifted(terms, l).filter(|cubes| in_two || cubes.len() == 1))
}

/// The same with each literal as a disjunction of others, where there is one.
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

/// The least and the greatest number of a width.
fn range(width: u32, signed: bool) -> (BigInt, BigInt) {
    if signed {
        let half = BigInt::one() << width.saturating_sub(1);
        (-&half, half - 1)
    } else {
        (BigInt::zero(), (BigInt::one() << width) - 1)
    }
}

/// A comparison with a constant. Bounds are strict ones, as people say what overflows: `x > MAX - 7`.
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
    let term = terms.term(sum).clone();
    let width = terms.width(term.sort)?;
    if term.op != Op::BvAdd || term.args.len() != 2 {
        return None;
    }
    let (x, c) = match (number(terms, term.args[0], true), number(terms, term.args[1], true)) {
        (Some(c), None) => (term.args[1], c),
        (None, Some(c)) => (term.args[0], c),
        _ => return None,
    };
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

/// That a product overflows, or does not, as bounds.
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
    let mut of = |relation, value| bound_of(terms, &form, relation, value);
    Some(if differs {
        vec![vec![of(Relation::AtMost, low - 1)], vec![of(Relation::AtLeast, high + 1)]]
    } else {
        vec![vec![of(Relation::AtLeast, low), of(Relation::AtMost, high)]]
    })
}

fn ceiling(n: &BigInt, by: &BigInt) -> BigInt {
    -(-n).div_floor(by)
}

/// If `narrow` is the extension of a product and `wide` the same product of the extended factors, so wide that nothing is lost:
/// the wide product, and the width of the narrow one.
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

/// The number and the constant that are multiplied.
fn constant_factor(terms: &Terms, wide: TermId) -> Option<(TermId, BigInt)> {
    let args = &terms.term(wide).args;
    let (x, c) = match (number(terms, args[0], true), number(terms, args[1], true)) {
        (Some(c), None) => (args[1], c),
        (None, Some(c)) => (args[0], c),
        _ => return None,
    };
    Some((terms.term(x).args[0], c))
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

    /// Compares a literal and its negation with what becomes of them, for all values; gives how many changed.
    fn check(terms: &mut Terms, symbols: [SymbolId; 2], literal: TermId) -> usize {
        let mut changed = 0;
        let not = terms.app(Op::Not, [literal]);
        for literal in [literal, not] {
            if terms.as_bool(literal).is_some() {
                continue;
            }
            let given = Dnf { cubes: vec![vec![literal]] };
            let found = products(terms, &given);
            let found = shifts(terms, &found, true);
            changed += usize::from(found != given);
            let after = found.term(terms);
            for case in 0..1u32 << (2 * WIDTH) {
                let bits = [case & 15, case >> WIDTH].map(|n| Value::bit_vec(WIDTH, &n.into()));
                let mut env = Numbers(symbols.into_iter().zip(bits).collect());
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
                        changed += check(&mut terms, symbols, literal);
                    }
                }
            }
        }
        assert!(changed > 1_000, "{changed}");
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
                assert_eq!(check(&mut terms, symbols, literal), 2, "{}", terms.display(literal));
            }
        }
    }
}
