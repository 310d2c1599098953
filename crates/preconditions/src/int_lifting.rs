//! Integer lifting: conditions over machine integers are translated to unbounded integers, for guessing, and back.
//!
//! **Idea.** The conditions of the iterations of `for (i = 0; i < n; i++)` say `i < n`, `i + 1 < n`, `i + 2 < n`, …,
//! and over machine integers none of them follows from the next one, since sums wrap around. Over unbounded integers
//! they do, and what is left is a family that can be generalised (`closed_forms.rs`). The result is translated back
//! to machine integers, with sums so wide that nothing wraps around.
//!
//! **Direction of error.** The translation to integers ignores wrap-around; what is guessed with it must be proved
//! for machine integers. The translation back is exact: a literal over integers holds if and only if its machine form
//! does, for values of the machine integers that it mentions.

use footpath_absint::{Inequality, Number};
use footpath_simplify::{Bound, Cube, Dnf, Form, Relation};
use footpath_term::{Env, EvalError, Op, SortId, SymbolId, TermId, Terms, Value, evaluate_with};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

/// Up to which numbers conditions are tried.
const SMALL: u32 = 100;

/// The mapping between machine integers and unbounded integers.
pub(crate) struct Reading {
    /// Machine terms that are compared as unsigned numbers somewhere.
    unsigned: FxHashSet<TermId>,
    numbers: FxHashMap<(TermId, bool), SymbolId>,
    machine: FxHashMap<SymbolId, Machine>,
}

/// A machine term, read as a signed or unsigned number.
#[derive(Clone, Copy)]
struct Machine {
    term: TermId,
    signed: bool,
    width: u32,
}

impl Reading {
    /// For conditions.
    pub(crate) fn of(terms: &Terms, conditions: &[Dnf]) -> Reading {
        let literals: Vec<TermId> = conditions.iter().flat_map(|c| &c.cubes).flatten().copied().collect();
        let mut unsigned = FxHashSet::default();
        for t in terms.post_order(&literals) {
            let term = terms.term(t);
            if matches!(term.op, Op::BvUle | Op::BvUlt) {
                let mut parts = Vec::new();
                term.args.iter().for_each(|&a| atoms(terms, a, &mut parts));
                unsigned.extend(parts);
            }
        }
        Reading { unsigned, numbers: FxHashMap::default(), machine: FxHashMap::default() }
    }

    /// Reads numbers in equations as unsigned; returns whether that makes a difference.
    pub(crate) fn read_equations_unsigned(&mut self, terms: &Terms, conditions: &[Dnf]) -> bool {
        let literals: Vec<TermId> = conditions.iter().flat_map(|c| &c.cubes).flatten().copied().collect();
        let mut equated = Vec::new();
        for t in terms.post_order(&literals) {
            let term = terms.term(t);
            if term.op == Op::Eq && terms.width(terms.sort(term.args[0])).is_some() {
                term.args.iter().for_each(|&a| atoms(terms, a, &mut equated));
            }
        }
        let before = self.unsigned.len();
        self.unsigned.extend(equated);
        self.unsigned.len() > before
    }

    /// Whether there are machine integers at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.machine.is_empty()
    }

    /// The width of the widest machine integer.
    pub(crate) fn width(&self) -> u32 {
        self.machine.values().map(|m| m.width).max().unwrap_or_default()
    }

    /// Lets a machine term stand for a number.
    pub(crate) fn stand_for(&mut self, terms: &Terms, number: SymbolId, term: TermId) {
        let width = terms.width(terms.sort(term)).unwrap_or_default();
        self.machine.insert(number, Machine { term, signed: false, width });
    }

    /// The ranges of the integers that stand for machine integers.
    pub(crate) fn ranges(&self, terms: &mut Terms) -> Vec<TermId> {
        let mut ranges = Vec::new();
        let mut all: Vec<(SymbolId, Machine)> = self.machine.iter().map(|(s, m)| (*s, *m)).collect();
        all.sort_unstable_by_key(|(s, _)| *s);
        for (symbol, machine) in all {
            let (least, most) = machine.range();
            let (number, least, most) = (terms.var(symbol), terms.int(least), terms.int(most));
            ranges.push(terms.app(Op::Le, [least, number]));
            ranges.push(terms.app(Op::Le, [number, most]));
        }
        ranges
    }

    /// A condition over numbers.
    pub(crate) fn numbers(&mut self, terms: &mut Terms, condition: &Dnf) -> Dnf {
        condition.map(terms, |terms, l| self.literal(terms, l))
    }

    fn literal(&mut self, terms: &mut Terms, literal: TermId) -> TermId {
        let term = terms.term(literal).clone();
        let args = &term.args;
        let is_machine = |terms: &Terms| args.len() == 2 && terms.width(terms.sort(args[0])).is_some();
        let (op, signed) = match term.op {
            Op::Not => {
                let inner = self.literal(terms, args[0]);
                return terms.app(Op::Not, [inner]);
            }
            Op::BvSle => (Op::Le, true),
            Op::BvSlt => (Op::Lt, true),
            Op::BvUle => (Op::Le, false),
            Op::BvUlt => (Op::Lt, false),
            Op::Eq if is_machine(terms) => {
                let mut parts = Vec::new();
                args.iter().for_each(|&a| atoms(terms, a, &mut parts));
                (Op::Eq, !parts.iter().any(|p| self.unsigned.contains(p)))
            }
            _ => return literal,
        };
        let sides = [0, 1].map(|i| match constant(terms, args[i], signed) {
            Some(n) => terms.int(n),
            None => self.number(terms, args[i], signed),
        });
        terms.app(op, sides)
    }

    /// A machine term as a number, as if nothing wrapped around.
    fn number(&mut self, terms: &mut Terms, t: TermId, signed: bool) -> TermId {
        let term = terms.term(t).clone();
        let args = &term.args;
        match term.op {
            // A summand is taken for a small number, such as -1.
            Op::Literal(_) => match constant(terms, t, true) {
                Some(n) => terms.int(n),
                None => self.atom(terms, t, signed),
            },
            Op::BvAdd | Op::BvSub => {
                let parts: Vec<TermId> = args.iter().map(|&a| self.number(terms, a, signed)).collect();
                terms.app(if term.op == Op::BvAdd { Op::Add } else { Op::Sub }, parts)
            }
            Op::BvNeg => {
                let inner = self.number(terms, args[0], signed);
                terms.app(Op::Neg, [inner])
            }
            Op::BvMul if args.len() == 2 => {
                let (a, b) = (constant(terms, args[0], true), constant(terms, args[1], true));
                let (factor, other) = match (a, b) {
                    (Some(n), _) => (n, args[1]),
                    (None, Some(n)) => (n, args[0]),
                    (None, None) => return self.atom(terms, t, signed),
                };
                let (factor, other) = (terms.int(factor), self.number(terms, other, signed));
                terms.app(Op::Mul, [factor, other])
            }
            Op::SignExtend(_) if signed => self.number(terms, args[0], true),
            Op::ZeroExtend(_) => self.number(terms, args[0], false),
            _ => self.atom(terms, t, signed),
        }
    }

    fn atom(&mut self, terms: &mut Terms, t: TermId, signed: bool) -> TermId {
        if let Some(&known) = self.numbers.get(&(t, signed)) {
            return terms.var(known);
        }
        let symbol = terms.fresh_symbol("number", SortId::INT);
        let width = terms.width(terms.sort(t)).unwrap_or_default();
        self.numbers.insert((t, signed), symbol);
        self.machine.insert(symbol, Machine { term: t, signed, width });
        terms.var(symbol)
    }

    /// A condition over numbers as one over machine integers; `None` where a literal is not a linear comparison of
    /// them.
    pub(crate) fn machine(&self, terms: &mut Terms, condition: &Dnf) -> Option<Dnf> {
        let mut result = Dnf::never();
        for cube in &condition.cubes {
            let literals: Option<Cube> = cube.iter().map(|&l| self.back(terms, l)).collect();
            result.add(terms, &literals?);
        }
        Some(result)
    }

    fn back(&self, terms: &mut Terms, literal: TermId) -> Option<TermId> {
        if !terms.free_symbols(&[literal]).iter().any(|s| self.machine.contains_key(s)) {
            return Some(literal);
        }
        let term = terms.term(literal).clone();
        if term.op == Op::Not {
            let inner = self.back(terms, term.args[0])?;
            return Some(terms.app(Op::Not, [inner]));
        }
        if let Some(found) = self.remainder(terms, literal) {
            return Some(found);
        }
        if !matches!(term.op, Op::Le | Op::Lt | Op::Eq)
            || term.args.len() != 2
            || terms.sort(term.args[0]) != SortId::INT
        {
            return None;
        }
        let difference = terms.app(Op::Sub, [term.args[0], term.args[1]]);
        let (sum, mut constant) = terms.linear_form(difference);
        let op = if term.op == Op::Eq { Op::Eq } else { Op::Le };
        if term.op == Op::Lt {
            constant += 1;
        }
        let mut parts = Vec::new();
        for (t, c) in sum {
            let Op::Var(s) = terms.term(t).op else { return None };
            parts.push((*self.machine.get(&s)?, c));
        }
        Some(narrow(terms, &op, &parts, &constant).unwrap_or_else(|| wide(terms, &op, &parts, &constant)))
    }
}

impl Reading {
    /// An equation of a sum's remainder; machines give that the dividend's sign.
    fn remainder(&self, terms: &mut Terms, literal: TermId) -> Option<TermId> {
        let term = terms.term(literal).clone();
        let integer = |terms: &Terms, t: TermId| match terms.literal(t) {
            Some(Value::Int(n)) => Some(n.clone()),
            _ => None,
        };
        let (&Op::Eq, &[a, b]) = (&term.op, term.args.as_slice()) else { return None };
        let (whole, rest) = if integer(terms, a).is_some() { (b, a) } else { (a, b) };
        let rest = integer(terms, rest)?;
        let whole = terms.term(whole).clone();
        if whole.op != Op::Mod {
            return None;
        }
        let divisor = integer(terms, whole.args[1]).filter(|d| *d > rest && !rest.is_negative())?;
        let (sum, constant) = terms.linear_form(whole.args[0]);
        let mut parts = Vec::new();
        for (t, c) in sum {
            let Op::Var(s) = terms.term(t).op else { return None };
            parts.push((*self.machine.get(&s)?, c));
        }
        if let [(m, c)] = parts.as_slice()
            && c.is_one()
            && constant.is_zero()
            && (&divisor + 1i32).bits() < u64::from(m.width)
        {
            let op = if m.signed { Op::BvSrem } else { Op::BvUrem };
            return Some(has_remainder(terms, &op, (m.term, m.width), &divisor, &rest));
        }
        let most = parts.iter().fold(constant.abs() + &divisor, |sum, (m, c)| sum + (c.abs() << m.width));
        let width = (most.bits() as u32 + 2).max(64);
        let mut summands = vec![terms.bit_vec(width, constant)];
        for (m, c) in &parts {
            let by = width - m.width;
            let term = terms.app(if m.signed { Op::SignExtend(by) } else { Op::ZeroExtend(by) }, [m.term]);
            let factor = terms.bit_vec(width, c.clone());
            summands.push(terms.app(Op::BvMul, [factor, term]));
        }
        let sum = terms.app(Op::BvAdd, summands);
        Some(has_remainder(terms, &Op::BvSrem, (sum, width), &divisor, &rest))
    }
}

/// That a machine integer has this remainder, or the negative number that is the same modulo the divisor.
fn has_remainder(
    terms: &mut Terms,
    op: &Op,
    (t, width): (TermId, u32),
    divisor: &BigInt,
    rest: &BigInt,
) -> TermId {
    let by = terms.bit_vec(width, divisor.clone());
    let remainder = terms.app(op.clone(), [t, by]);
    let mut is = |n: BigInt| {
        let n = terms.bit_vec(width, n);
        terms.app(Op::Eq, [remainder, n])
    };
    if *op == Op::BvUrem || rest.is_zero() {
        return is(rest.clone());
    }
    let both = [is(rest.clone()), is(rest - divisor)];
    terms.app(Op::Or, both)
}

/// The condition with `0 <= x + c && x + c <= 9`, where these are signed numbers, as a range of unsigned `x`, where that is
/// the same.
pub(crate) fn unsigned_ranges(terms: &mut Terms, condition: &Dnf) -> Dnf {
    let cubes = condition.cubes.iter().map(|cube| with_unsigned_ranges(terms, cube)).collect();
    Dnf { cubes }
}

fn with_unsigned_ranges(terms: &mut Terms, cube: &Cube) -> Cube {
    let mut cube = cube.clone();
    let bounds: Vec<Option<Bound>> = cube.iter().map(|&l| Bound::read(terms, l)).collect();
    for (low, lower) in bounds.iter().enumerate() {
        let Some(lower) = lower else { continue };
        let Form::Signed(t) = lower.form else { continue };
        if lower.relation != Relation::AtLeast || lower.value.is_negative() {
            continue;
        }
        let is_upper = |b: &Bound| b.form == lower.form && b.relation == Relation::AtMost;
        let Some(high) = bounds.iter().position(|b| b.as_ref().is_some_and(is_upper)) else { continue };
        let Some(upper) = &bounds[high] else { continue };
        let term = terms.term(t).clone();
        let (x, plus) = match (&term.op, term.args.as_slice()) {
            (Op::BvAdd, &[a, b]) => match (constant(terms, a, true), constant(terms, b, true)) {
                (Some(n), None) => (b, n),
                (None, Some(n)) => (a, n),
                _ => (t, BigInt::zero()),
            },
            _ => (t, BigInt::zero()),
        };
        let width = terms.width(terms.sort(t)).unwrap_or_default();
        let values = [&lower.value - &plus, &upper.value - &plus];
        if values[0].is_negative() || values[1] >= BigInt::one() << width {
            continue;
        }
        for (at, (relation, value)) in
            [low, high].into_iter().zip([Relation::AtLeast, Relation::AtMost].into_iter().zip(values))
        {
            cube[at] = Bound { form: Form::Unsigned(x), relation, value }.build(terms);
        }
    }
    cube
}

/// The condition as equations, where it is about one machine integer and seems to hold for a few small numbers only;
/// that is tried for small ones, and for the largest of each sign.
pub(crate) fn as_equations(terms: &mut Terms, condition: &Dnf) -> Option<Dnf> {
    let whole = condition.term(terms);
    let symbols = terms.free_symbols(&[whole]);
    let &[symbol] = symbols.as_slice() else { return None };
    let width = terms.width(terms.symbol(symbol).sort)?;
    let holds = |terms: &Terms, n: &BigInt| {
        let value = Value::bit_vec(width, n);
        evaluate_with(terms, whole, vec![(symbol, value)], &mut NoSymbols) == Ok(Value::Bool(true))
    };
    let half = BigInt::one() << width.saturating_sub(1);
    let large = [&half - 1, half.clone(), &half + 1, &half * 2 - 2, &half * 2 - 1];
    if half <= BigInt::from(SMALL) || large.iter().any(|n| holds(terms, n)) {
        return None;
    }
    let found: Vec<u32> = (0..SMALL).filter(|&n| holds(terms, &n.into())).collect();
    let mut equations = Dnf::never();
    for n in found {
        let (variable, n) = (terms.var(symbol), terms.bit_vec(width, n));
        let equation = terms.app(Op::Eq, [variable, n]);
        equations.cubes.push(vec![equation]);
    }
    Some(equations)
}

/// Nothing has a value but what is given.
struct NoSymbols;

impl Env for NoSymbols {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        Err(EvalError::Unbound(symbol))
    }
}

/// An inequality of the analyser as a literal; `None` if it mixes unbounded and machine integers.
pub(crate) fn literal(terms: &mut Terms, known: &Inequality) -> Option<TermId> {
    if known.parts.iter().all(|(_, number, _)| *number == Number::Int) {
        let mut sum = vec![terms.int(known.constant)];
        for &(t, _, k) in &known.parts {
            let k = terms.int(k);
            sum.push(terms.app(Op::Mul, [k, t]));
        }
        let (sum, zero) = (terms.app(Op::Add, sum), terms.int(0));
        return Some(terms.app(Op::Le, [sum, zero]));
    }
    let part = |&(term, number, k): &(TermId, Number, i128)| {
        let signed = match number {
            Number::Int => return None,
            Number::Signed => true,
            Number::Unsigned => false,
        };
        let width = terms.width(terms.sort(term))?;
        Some((Machine { term, signed, width }, BigInt::from(k)))
    };
    let parts: Option<Vec<_>> = known.parts.iter().map(part).collect();
    let (parts, constant) = (parts?, BigInt::from(known.constant));
    Some(narrow(terms, &Op::Le, &parts, &constant).unwrap_or_else(|| wide(terms, &Op::Le, &parts, &constant)))
}

impl Machine {
    fn range(self) -> (BigInt, BigInt) {
        if self.signed {
            let half = BigInt::one() << self.width.saturating_sub(1);
            (-&half, half - 1)
        } else {
            (BigInt::zero(), (BigInt::one() << self.width) - 1)
        }
    }

    fn form(self) -> Form {
        if self.signed { Form::Signed(self.term) } else { Form::Unsigned(self.term) }
    }
}

/// `parts + constant` compared with 0 by an ordinary comparison, where there is one.
fn narrow(terms: &mut Terms, op: &Op, parts: &[(Machine, BigInt)], constant: &BigInt) -> Option<TermId> {
    match parts {
        [(m, c)] if c.abs().is_one() => {
            let relation = match (op, c.is_positive()) {
                (Op::Eq, _) => Relation::Equal,
                (_, true) => Relation::AtMost,
                (_, false) => Relation::AtLeast,
            };
            let value = if c.is_positive() { -constant } else { constant.clone() };
            Some(Bound { form: m.form(), relation, value }.build(terms))
        }
        [(a, x), (b, y)] if a.width == b.width && a.signed == b.signed && (x + y).is_zero() => {
            if !x.abs().is_one() {
                return None;
            }
            let (less, more) = if x.is_positive() { (a.term, b.term) } else { (b.term, a.term) };
            match (op, a.signed) {
                (Op::Eq, _) if constant.is_zero() => Some(terms.app(Op::Eq, [less, more])),
                (Op::Le, true) if constant.is_zero() => Some(terms.app(Op::BvSle, [less, more])),
                (Op::Le, true) if constant.is_one() => Some(terms.app(Op::BvSlt, [less, more])),
                (Op::Le, false) if constant.is_zero() => Some(terms.app(Op::BvUle, [less, more])),
                (Op::Le, false) if constant.is_one() => Some(terms.app(Op::BvUlt, [less, more])),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `parts + constant` compared with 0, so wide that nothing wraps around.
fn wide(terms: &mut Terms, op: &Op, parts: &[(Machine, BigInt)], constant: &BigInt) -> TermId {
    let most = parts.iter().fold(constant.abs(), |sum, (m, c)| sum + (c.abs() << m.width));
    let width = (most.bits() as u32 + 2).max(64);
    // a + 1 ≤ b is a < b.
    let strict = *op == Op::Le && constant.is_one() && parts.iter().any(|(_, c)| c.is_negative());
    let constant = if strict { &BigInt::zero() } else { constant };
    let mut sides = [Vec::new(), Vec::new()];
    for (m, c) in parts {
        let by = width - m.width;
        let term = terms.app(if m.signed { Op::SignExtend(by) } else { Op::ZeroExtend(by) }, [m.term]);
        let side = &mut sides[usize::from(c.is_negative())];
        if c.abs().is_one() {
            side.push(term);
        } else {
            let factor = terms.bit_vec(width, c.abs());
            side.push(terms.app(Op::BvMul, [factor, term]));
        }
    }
    if !constant.is_zero() || sides.iter().any(Vec::is_empty) {
        let empty = sides.iter().position(Vec::is_empty);
        let at = empty.unwrap_or(usize::from(constant.is_negative()));
        let sign = if at == 0 { constant.clone() } else { -constant };
        sides[at].push(terms.bit_vec(width, sign));
    }
    let sides = sides.map(|parts| match parts.as_slice() {
        [one] => *one,
        _ => terms.app(Op::BvAdd, parts),
    });
    terms.app(
        if *op == Op::Eq {
            Op::Eq
        } else if strict {
            Op::BvSlt
        } else {
            Op::BvSle
        },
        sides,
    )
}

/// A machine constant as a number.
fn constant(terms: &Terms, t: TermId, signed: bool) -> Option<BigInt> {
    match terms.literal(t)? {
        Value::BitVec { width, bits } if signed => Some(Value::signed(*width, bits)),
        Value::BitVec { bits, .. } => Some(BigInt::from(bits.clone())),
        _ => None,
    }
}

/// The atoms of a sum of machine integers.
fn atoms(terms: &Terms, t: TermId, found: &mut Vec<TermId>) {
    let term = terms.term(t);
    match term.op {
        Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvMul | Op::ZeroExtend(_) | Op::SignExtend(_) => {
            term.args.iter().for_each(|&a| atoms(terms, a, found));
        }
        Op::Literal(_) => {}
        _ => found.push(t),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footpath_term::evaluate;

    struct Numbers(Vec<(SymbolId, Value)>);

    impl Env for Numbers {
        fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
            let found = self.0.iter().find(|(s, _)| *s == symbol);
            found.map(|(_, v)| v.clone()).ok_or(EvalError::Unbound(symbol))
        }
    }

    #[test]
    fn ranges_of_unsigned_numbers_are_those_of_signed_ones() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(3);
        let x = terms.fresh_symbol("x", sort);
        for (plus, low, high) in
            (0..8).flat_map(|p| (-4..4).flat_map(move |l| (-4..4).map(move |h| (p, l, h))))
        {
            let (var, plus) = (terms.var(x), terms.bit_vec(3, plus));
            let sum = terms.app(Op::BvAdd, [var, plus]);
            let [low, high] = [low, high].map(|n| terms.bit_vec(3, n));
            let cube = vec![terms.app(Op::BvSle, [low, sum]), terms.app(Op::BvSle, [sum, high])];
            let unsigned = with_unsigned_ranges(&mut terms, &cube);
            let [one, other] = [cube, unsigned].map(|cube| terms.app(Op::And, cube));
            for bits in 0..8u32 {
                let mut env = Numbers(vec![(x, Value::bit_vec(3, &bits.into()))]);
                assert_eq!(evaluate(&terms, one, &mut env), evaluate(&terms, other, &mut env));
            }
        }
    }

    #[test]
    fn remainders_are_those_of_numbers() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(4);
        let x = terms.fresh_symbol("x", sort);
        let machine = terms.var(x);
        for signed in [true, false] {
            let mut reading = Reading::of(&terms, &[]);
            let number = reading.atom(&mut terms, machine, signed);
            let Op::Var(symbol) = terms.term(number).op else { unreachable!() };
            for (factor, plus, divisor) in
                [(1, 0, 2), (1, 0, 3), (1, 4, 5), (-2, 1, 3), (3, -20, 7), (1, 0, 100)]
            {
                for rest in 0..divisor.min(7) {
                    let [factor, plus, divisor, rest] =
                        [factor, plus, divisor, rest].map(|n: i32| terms.int(n));
                    let times = terms.app(Op::Mul, [factor, number]);
                    let sum = terms.app(Op::Add, [times, plus]);
                    let remainder = terms.app(Op::Mod, [sum, divisor]);
                    let literal = terms.app(Op::Eq, [remainder, rest]);
                    let back = reading.back(&mut terms, literal).expect("a remainder");
                    for bits in 0..16u32 {
                        let value = Value::bit_vec(4, &bits.into());
                        let Value::BitVec { width, bits } = &value else { unreachable!() };
                        let n = if signed { Value::signed(*width, bits) } else { bits.clone().into() };
                        let mut env = Numbers(vec![(symbol, Value::Int(n)), (x, value)]);
                        let [one, other] =
                            [literal, back].map(|t| evaluate(&terms, t, &mut env).expect("a value"));
                        assert_eq!(one, other, "{} signed {signed}", terms.display(literal));
                    }
                }
            }
        }
    }

    #[test]
    fn the_way_back_is_exact_for_all_values() {
        let mut terms = Terms::new();
        let sort = terms.bit_vec_sort(3);
        let symbols = ["x", "y"].map(|name| terms.fresh_symbol(name, sort));
        let xy = symbols.map(|s| terms.var(s));
        for signed in [true, false] {
            let mut reading = Reading::of(&terms, &[]);
            let numbers = xy.map(|t| reading.atom(&mut terms, t, signed));
            for (a, b, c) in
                [(1, 0, 2), (-1, 0, -3), (1, -1, 0), (1, -1, 1), (-1, 1, 3), (2, -3, 1), (1, 1, -4)]
            {
                for op in [Op::Le, Op::Lt, Op::Eq] {
                    let [a, b, c, zero] = [a, b, c, 0].map(|n: i32| terms.int(n));
                    let (ax, by) = (terms.app(Op::Mul, [a, numbers[0]]), terms.app(Op::Mul, [b, numbers[1]]));
                    let sum = terms.app(Op::Add, [ax, by, c]);
                    let literal = terms.app(op, [sum, zero]);
                    let not = terms.app(Op::Not, [literal]);
                    for literal in [literal, not] {
                        let machine = reading.back(&mut terms, literal).expect("a linear comparison");
                        for case in 0..64u32 {
                            let bits = [case & 7, case >> 3];
                            let mut values = Vec::new();
                            for i in 0..2 {
                                let value = Value::bit_vec(3, &bits[i].into());
                                let Value::BitVec { width, bits } = &value else { unreachable!() };
                                let number =
                                    if signed { Value::signed(*width, bits) } else { bits.clone().into() };
                                let Op::Var(s) = terms.term(numbers[i]).op else { unreachable!() };
                                values.extend([(s, Value::Int(number)), (symbols[i], value)]);
                            }
                            let mut env = Numbers(values);
                            let [one, other] =
                                [literal, machine].map(|t| evaluate(&terms, t, &mut env).expect("a value"));
                            assert_eq!(one, other, "{} {bits:?}", terms.display(literal));
                        }
                    }
                }
            }
        }
    }
}
