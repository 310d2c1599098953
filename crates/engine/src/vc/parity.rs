//! Whether numbers are odd, as booleans beside a formula.
//!
//! **Idea.** `2·x = y + 7` has no solution where `y` is even. A solver for linear arithmetic sees that only when it has
//! chosen a case for each conditional in `y`. So each integer term gets a boolean that is true where it is odd: a sum is the
//! exclusive or, a product the conjunction, a conditional one of the same condition. An equation of integers implies that of
//! their booleans, which the solver's propositional part propagates before all is chosen.
//!
//! **Direction of error:** none. A run's numbers are odd or even, so each solution of the formula is one of both.

use footpath_term::{Op, SortId, TermId, Terms, Value};
use rustc_hash::FxHashMap;

/// What equations in a formula say about odd and even numbers; nothing where there are quantifiers.
pub fn parity(terms: &mut Terms, formula: &[TermId]) -> Vec<TermId> {
    let parts = terms.post_order(formula);
    if parts.iter().any(|t| matches!(terms.term(*t).op, Op::Bind(_))) {
        return Vec::new();
    }
    let mut odd: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut implied = Vec::new();
    for part in parts {
        let term = terms.term(part).clone();
        if terms.sort(part) == SortId::INT {
            let is_odd = odd_term(terms, part, &odd);
            odd.insert(part, is_odd);
        } else if let (Op::Eq, [a, b]) = (&term.op, term.args.as_slice())
            && let (Some(&a), Some(&b)) = (odd.get(a), odd.get(b))
        {
            let same = terms.app(Op::Eq, [a, b]);
            implied.push(terms.app(Op::Implies, [part, same]));
        }
    }
    implied.retain(|t| terms.as_bool(*t) != Some(true));
    implied
}

/// Whether an integer term is odd, by what is known of its arguments.
fn odd_term(terms: &mut Terms, t: TermId, odd: &FxHashMap<TermId, TermId>) -> TermId {
    let term = terms.term(t).clone();
    let mut args: Vec<TermId> = term.args.iter().filter_map(|a| odd.get(a).copied()).collect();
    match &term.op {
        Op::Literal(Value::Int(n)) => terms.bool(n.bit(0)),
        Op::Neg => args[0],
        Op::Add | Op::Sub => args.into_iter().reduce(|a, b| differ(terms, a, b)).expect("a sum has summands"),
        Op::Mul => terms.app(Op::And, args),
        Op::Ite => {
            args.insert(0, term.args[0]);
            terms.app(Op::Ite, args)
        }
        _ => {
            let symbol = terms.fresh_symbol("odd", SortId::BOOL);
            terms.var(symbol)
        }
    }
}

fn differ(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let same = terms.app(Op::Eq, [a, b]);
    terms.app(Op::Not, [same])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equation_says_that_both_sides_are_odd_or_neither() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| {
            let symbol = terms.fresh_symbol(name, SortId::INT);
            terms.var(symbol)
        });
        let [two, six, seven] = [2, 6, 7].map(|n| terms.int(n));
        // 2·x = (if c then 6 else y) + 7 holds only where c does not, and y is odd.
        let symbol = terms.fresh_symbol("c", SortId::BOOL);
        let c = terms.var(symbol);
        let twice = terms.raw(Op::Mul, [two, x]);
        let chosen = terms.raw(Op::Ite, [c, six, y]);
        let more = terms.raw(Op::Add, [chosen, seven]);
        let equal = terms.raw(Op::Eq, [twice, more]);
        let implied = parity(&mut terms, &[equal]);
        assert_eq!(implied.len(), 1);
        let free = terms.free_symbols(&implied);
        let odd_y = free.into_iter().find(|s| &*terms.symbol(*s).name == "odd").expect("what is said of y");
        let (yes, no) = (terms.bool(true), terms.bool(false));
        let denied = terms.app(Op::Not, [equal]);
        for (c_holds, y_is_odd, is_possible) in
            [(true, true, false), (true, false, false), (false, true, true), (false, false, false)]
        {
            let value = |b: bool| if b { yes } else { no };
            let map = [(symbol, value(c_holds)), (odd_y, value(y_is_odd))].into_iter().collect();
            let said = terms.substitute(implied[0], &map);
            let expected = if is_possible { yes } else { terms.substitute(denied, &map) };
            assert_eq!(said, expected, "{c_holds} {y_is_odd}");
        }
    }
}
