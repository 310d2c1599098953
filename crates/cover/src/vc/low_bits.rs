//! Low bits of integers (parity reasoning): equations modulo a power of two as propositional constraints.
//!
//! **Idea.** A solver for linear arithmetic detects a contradiction modulo 2 only when it has chosen a case for each
//! conditional in the terms. So each integer term gets booleans for its residue modulo a power of two, its low bits
//! in two's complement: those of a sum are the outputs of an adder, those of a conditional are conditionals of the
//! same condition. An equation of integers implies that of their low bits, which the solver's propositional part
//! propagates before all cases are chosen.
//!
//! **Example.** `2·x = y + 7` has no solution where `y` is even: the lowest bit of the left side is 0, and that of
//! the right side is 1.
//!
//! **Direction of error.** None: the numbers of a run have low bits, so each solution of the formula extends to one
//! of both.

use footpath_term::{Op, SortId, TermId, Terms, Value};
use rustc_hash::FxHashMap;

/// The number of low bits; measured on formulas of long programs, where the first one gives half of the gain.
const DIGITS: usize = 6;

/// The low bits of an integer term, the lowest first.
type Digits = [TermId; DIGITS];

/// The equations of low bits that equations of integers in a formula imply; none if there are quantifiers.
pub fn residues(terms: &mut Terms, formula: &[TermId]) -> Vec<TermId> {
    let parts = terms.post_order(formula);
    if parts.iter().any(|t| matches!(terms.term(*t).op, Op::Bind(_))) {
        return Vec::new();
    }
    let mut known: FxHashMap<TermId, Digits> = FxHashMap::default();
    let mut implied = Vec::new();
    for part in parts {
        let term = terms.term(part).clone();
        if terms.sort(part) == SortId::INT {
            let digits = digits(terms, part, &known);
            known.insert(part, digits);
        } else if let (Op::Eq, [a, b]) = (&term.op, term.args.as_slice())
            && let (Some(a), Some(b)) = (known.get(a), known.get(b))
        {
            let same: Vec<TermId> = a.iter().zip(b).map(|(&a, &b)| terms.app(Op::Eq, [a, b])).collect();
            let same = terms.app(Op::And, same);
            implied.push(terms.app(Op::Implies, [part, same]));
        }
    }
    implied.retain(|t| terms.as_bool(*t) != Some(true));
    implied
}

/// The low bits of an integer term, by those of its arguments.
fn digits(terms: &mut Terms, t: TermId, known: &FxHashMap<TermId, Digits>) -> Digits {
    let term = terms.term(t).clone();
    let args: Vec<Digits> = term.args.iter().filter_map(|a| known.get(a).copied()).collect();
    let fold = |terms: &mut Terms, f: fn(&mut Terms, Digits, Digits) -> Digits| {
        args.iter().copied().reduce(|a, b| f(terms, a, b)).expect("an operator has arguments")
    };
    match &term.op {
        Op::Literal(Value::Int(n)) => std::array::from_fn(|i| terms.bool(n.bit(i as u64))),
        Op::Neg => negative(terms, args[0]),
        Op::Add => fold(terms, sum),
        Op::Sub => fold(terms, |terms, a, b| {
            let b = negative(terms, b);
            sum(terms, a, b)
        }),
        Op::Mul => fold(terms, product),
        Op::Ite => std::array::from_fn(|i| terms.app(Op::Ite, [term.args[0], args[0][i], args[1][i]])),
        _ => std::array::from_fn(|_| {
            let symbol = terms.fresh_symbol("digit", SortId::BOOL);
            terms.var(symbol)
        }),
    }
}

fn sum(terms: &mut Terms, a: Digits, b: Digits) -> Digits {
    let no = terms.bool(false);
    add(terms, a, b, no)
}

/// The sum of two numbers and a carry.
fn add(terms: &mut Terms, a: Digits, b: Digits, mut carry: TermId) -> Digits {
    std::array::from_fn(|i| {
        let differ = differ(terms, a[i], b[i]);
        let digit = crate::vc::low_bits::differ(terms, differ, carry);
        // Where both are the same, they are what is carried.
        carry = terms.app(Op::Ite, [differ, carry, a[i]]);
        digit
    })
}

fn negative(terms: &mut Terms, a: Digits) -> Digits {
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let inverse = a.map(|digit| terms.app(Op::Not, [digit]));
    add(terms, inverse, [no; DIGITS], yes)
}

fn product(terms: &mut Terms, a: Digits, b: Digits) -> Digits {
    let no = terms.bool(false);
    let mut all = [no; DIGITS];
    for (i, &digit) in a.iter().enumerate() {
        let shifted = std::array::from_fn(|k| match k.checked_sub(i) {
            Some(from) => terms.app(Op::And, [digit, b[from]]),
            None => no,
        });
        all = sum(terms, all, shifted);
    }
    all
}

fn differ(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let same = terms.app(Op::Eq, [a, b]);
    terms.app(Op::Not, [same])
}

#[cfg(test)]
mod tests {
    use footpath_term::{Env, EvalError, SymbolId, evaluate};

    use super::*;

    /// A random integer term over `leaves`, not simplified.
    fn number(terms: &mut Terms, rng: &mut fastrand::Rng, leaves: &[TermId], depth: u32) -> TermId {
        if depth == 0 || rng.u8(..5) == 0 {
            let constant = terms.int(rng.i64(-9..10));
            return *rng.choice(&[leaves, &[constant]].concat()).expect("there is a constant");
        }
        let [a, b] = [0, 1].map(|_| number(terms, rng, leaves, depth - 1));
        match rng.u8(..6) {
            0 => terms.raw(Op::Neg, [a]),
            1 => terms.raw(Op::Sub, [a, b]),
            2 => terms.raw(Op::Mul, [a, b]),
            3 => {
                let less = terms.raw(Op::Le, [a, b]);
                let other = number(terms, rng, leaves, depth - 1);
                terms.raw(Op::Ite, [less, a, other])
            }
            4 => {
                let three = terms.int(3);
                terms.raw(Op::IntDiv, [a, three])
            }
            _ => terms.raw(Op::Add, [a, b]),
        }
    }

    /// Values of symbols.
    struct Given(FxHashMap<SymbolId, Value>);

    impl Env for Given {
        fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
            self.0.get(&symbol).cloned().ok_or(EvalError::Unbound(symbol))
        }
    }

    /// Compares the digits of random terms with the values of the terms.
    #[test]
    fn digits_are_those_of_the_values() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut compared = 0;
        for _ in 0..2_000 {
            let mut terms = Terms::new();
            let symbols = ["x", "y", "z"].map(|name| terms.fresh_symbol(name, SortId::INT));
            let leaves = symbols.map(|s| terms.var(s));
            let root = number(&mut terms, &mut rng, &leaves, 4);
            let mut given =
                Given(symbols.iter().map(|&s| (s, Value::Int(rng.i64(-50..50).into()))).collect());
            let mut known = FxHashMap::default();
            for part in terms.post_order(&[root]) {
                if terms.sort(part) != SortId::INT {
                    continue;
                }
                let found = digits(&mut terms, part, &known);
                known.insert(part, found);
                let Ok(Value::Int(value)) = evaluate(&terms, part, &mut given) else { panic!("a number") };
                for (i, &digit) in found.iter().enumerate() {
                    let is_set = Value::Bool(value.bit(i as u64));
                    if let Op::Var(symbol) = terms.term(digit).op
                        && !given.0.contains_key(&symbol)
                    {
                        given.0.insert(symbol, is_set.clone());
                    }
                    let digit = evaluate(&terms, digit, &mut given).expect("a digit");
                    assert_eq!(digit, is_set, "digit {i} of {value} = {}", terms.display(part));
                    compared += 1;
                }
            }
        }
        assert!(compared > 20_000, "{compared}");
    }

    #[test]
    fn an_equation_says_that_the_digits_of_both_sides_are_the_same() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| {
            let symbol = terms.fresh_symbol(name, SortId::INT);
            terms.var(symbol)
        });
        let symbol = terms.fresh_symbol("c", SortId::BOOL);
        let c = terms.var(symbol);
        let [four, seven] = [4, 7].map(|n| terms.int(n));
        // 4·x = (if c then y·y + y else y) + 7 holds only where c does not, and y ends in 01.
        let times = terms.raw(Op::Mul, [four, x]);
        let square = terms.raw(Op::Mul, [y, y]);
        let even = terms.raw(Op::Add, [square, y]);
        let chosen = terms.raw(Op::Ite, [c, even, y]);
        let more = terms.raw(Op::Add, [chosen, seven]);
        let equal = terms.raw(Op::Eq, [times, more]);
        let implied = residues(&mut terms, &[equal]);
        assert_eq!(implied.len(), 1);
        let of_digits = |s: &SymbolId| *s != symbol && terms.symbol(*s).sort == SortId::BOOL;
        let free: Vec<SymbolId> = terms.free_symbols(&implied).into_iter().filter(of_digits).collect();
        // All of `y`, and those of `x` that 4 does not push out.
        assert_eq!(free.len(), 2 * DIGITS - 2);
        let denied = terms.app(Op::Not, [equal]);
        let mut possible = [0, 0];
        for n in 0..2 << free.len() {
            let given = free.iter().chain([&symbol]).enumerate();
            let map = given.map(|(k, s)| (*s, terms.bool(n >> k & 1 == 1))).collect();
            let said = terms.substitute(implied[0], &map);
            if terms.as_bool(said) == Some(true) {
                possible[n >> free.len()] += 1;
            } else {
                assert_eq!(said, terms.substitute(denied, &map));
            }
        }
        assert_eq!(possible, [1 << (DIGITS - 2), 0]);
    }
}
