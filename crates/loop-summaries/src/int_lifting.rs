//! Integer lifting: a condition over machine integers is translated to unbounded integers, as a heuristic for finding
//! runs.
//!
//! **Idea.** A solver finds out how often loops iterate much sooner from linear integer arithmetic than from counters
//! of 64 bits. So machine integers become integers that do not wrap, and terms without a simple meaning in them
//! become arbitrary. A model suggests where to look for a run: numbers of iterations, and inputs. Example: `i + 4·κ ≥
//! n` over 64 bits becomes the same inequality over integers, where sums never overflow.
//!
//! **Paper.** None: "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012) has unbounded integers only.
//!
//! **Direction of error.** In both directions, so nothing is concluded from it; what a model suggests is asked again
//! exactly.

use footpath_term::{Op, Sort, SortId, SymbolId, TermId, Terms, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// Up to this width the low bits of a number are what is left of it by division; those that are wider are taken to be
/// all of it.
const NARROW: u32 = 16;

/// The translation of terms to unbounded integers.
#[derive(Default)]
pub(crate) struct Ideal {
    twins: FxHashMap<TermId, TermId>,
    symbols: FxHashMap<SymbolId, TermId>,
}

impl Ideal {
    /// A condition, with the ranges of the numbers in it. None if it binds machine integers.
    pub(crate) fn condition(&mut self, terms: &mut Terms, condition: TermId) -> Option<TermId> {
        let twin = self.twin(terms, condition)?;
        let mut all = vec![twin];
        let mut symbols: Vec<(SymbolId, TermId)> = self.symbols.iter().map(|(&s, &t)| (s, t)).collect();
        symbols.sort_unstable();
        for (symbol, twin) in symbols {
            if let Some(width) = terms.width(terms.symbol(symbol).sort).filter(|&w| w > 0) {
                let least = if width == 1 { BigInt::ZERO } else { -(BigInt::from(1) << (width - 1)) };
                let least = terms.int(least);
                let most = terms.int((BigInt::from(1) << width) - 1);
                all.push(terms.app(Op::Le, [least, twin]));
                all.push(terms.app(Op::Le, [twin, most]));
            }
        }
        Some(terms.app(Op::And, all))
    }

    /// The translation of a term.
    pub(crate) fn twin(&mut self, terms: &mut Terms, root: TermId) -> Option<TermId> {
        for t in terms.post_order(&[root]) {
            if !self.twins.contains_key(&t) {
                let twin = self.made(terms, t)?;
                self.twins.insert(t, twin);
            }
        }
        self.twins.get(&root).copied()
    }

    fn made(&mut self, terms: &mut Terms, t: TermId) -> Option<TermId> {
        let term = terms.term(t).clone();
        let args: Vec<TermId> = term.args.iter().map(|a| self.twins[a]).collect();
        if args == term.args[..] && ideal_sort(terms, term.sort) == term.sort {
            return Some(t);
        }
        let width = |terms: &Terms, i: usize| terms.width(terms.sort(term.args[i])).unwrap_or(0);
        let literal = |terms: &Terms, i: usize| term.args.get(i).and_then(|&a| terms.literal(a)?.as_u64());
        Some(match term.op {
            Op::Literal(Value::BitVec { width: 1, ref bits }) => terms.int(bits.clone()),
            Op::Literal(Value::BitVec { width, ref bits }) => terms.int(Value::signed(width, bits)),
            Op::Var(symbol) => {
                let sort = ideal_sort(terms, term.sort);
                let name = terms.symbol(symbol).name.clone();
                *self.symbols.entry(symbol).or_insert_with(|| terms.fresh_var(name, sort))
            }
            Op::Bind(_) => return None,
            // A bit is a truth value, 0 or 1.
            Op::BvNot if width(terms, 0) == 1 => {
                let one = terms.int(1);
                terms.app(Op::Sub, [one, args[0]])
            }
            Op::BvAnd | Op::BvOr if width(terms, 0) == 1 && args.len() == 2 => {
                let zero = terms.int(0);
                let is_zero = terms.app(Op::Eq, [args[0], zero]);
                let other = if term.op == Op::BvAnd { [zero, args[1]] } else { [args[1], args[0]] };
                terms.app(Op::Ite, [is_zero, other[0], other[1]])
            }
            Op::SignExtend(_) if width(terms, 0) == 1 => terms.app(Op::Neg, args),
            Op::BvNot => {
                let one = terms.int(1);
                let next = terms.app(Op::Add, [args[0], one]);
                terms.app(Op::Neg, [next])
            }
            Op::BvNeg => terms.app(Op::Neg, args),
            Op::BvAdd => terms.app(Op::Add, args),
            Op::BvSub => terms.app(Op::Sub, args),
            Op::BvMul => terms.app(Op::Mul, args),
            Op::BvUdiv | Op::BvSdiv => terms.app(Op::IntDiv, args),
            Op::BvUrem | Op::BvSrem | Op::BvSmod => terms.app(Op::Mod, args),
            // So the front end asks for overflow.
            Op::BvSlt if literal(terms, 1) == Some(0) => self.is_negative(terms, term.args[0]),
            Op::BvSlt => terms.app(Op::Lt, args),
            Op::BvSle => terms.app(Op::Le, args),
            Op::BvUlt | Op::BvUle => {
                let [a, b] = [0, 1].map(|i| match literal(terms, i) {
                    Some(n) => terms.int(n),
                    None => args[i],
                });
                let zero = terms.int(0);
                let natural = terms.app(Op::Le, [zero, a]);
                let below = terms.app(if term.op == Op::BvUlt { Op::Lt } else { Op::Le }, [a, b]);
                terms.app(Op::And, [natural, below])
            }
            Op::ZeroExtend(_) | Op::SignExtend(_) | Op::BvToInt | Op::IntToBv(_) => args[0],
            Op::Extract(high, 0) if high >= NARROW => args[0],
            Op::Extract(high, low) => {
                let (unit, all) = (BigInt::from(1) << low, BigInt::from(1) << (high - low + 1));
                let [unit, all] = [unit, all].map(|n| terms.int(n));
                let shifted = terms.app(Op::IntDiv, [args[0], unit]);
                terms.app(Op::Mod, [shifted, all])
            }
            Op::Concat if args.len() == 2 => {
                let unit = terms.int(BigInt::from(1) << width(terms, 1));
                let high = terms.app(Op::Mul, [args[0], unit]);
                terms.app(Op::Add, [high, args[1]])
            }
            Op::BvShl | Op::BvLshr | Op::BvAshr if literal(terms, 1).is_some_and(|n| n < 64) => {
                let factor = terms.int(BigInt::from(1) << literal(terms, 1)?);
                let op = if term.op == Op::BvShl { Op::Mul } else { Op::IntDiv };
                terms.app(op, [args[0], factor])
            }
            Op::BvAnd if args.len() == 2 && literal(terms, 1).is_some_and(|n| (n + 1).is_power_of_two()) => {
                let mask = terms.int(literal(terms, 1)? + 1);
                terms.app(Op::Mod, [args[0], mask])
            }
            Op::Not | Op::And | Op::Or | Op::Implies | Op::Eq | Op::Distinct | Op::Ite => {
                terms.app(term.op, args)
            }
            Op::Select | Op::Store => terms.app(term.op, args),
            _ => {
                let sort = ideal_sort(terms, term.sort);
                terms.fresh_var("any", sort)
            }
        })
    }

    /// Whether a number, all parts of which have twins, is negative: the sign is the highest bit.
    fn is_negative(&self, terms: &mut Terms, t: TermId) -> TermId {
        let term = terms.term(t).clone();
        let op = match term.op {
            Op::BvAnd => Op::And,
            Op::BvOr => Op::Or,
            Op::BvXor if term.args.len() == 2 => Op::Distinct,
            _ => {
                let zero = terms.int(0);
                return terms.app(Op::Lt, [self.twins[&t], zero]);
            }
        };
        let args: Vec<TermId> = term.args.iter().map(|&a| self.is_negative(terms, a)).collect();
        terms.app(op, args)
    }
}

/// Machine integers are integers, in maps, too.
fn ideal_sort(terms: &mut Terms, sort: SortId) -> SortId {
    match terms.sort_of(sort).clone() {
        Sort::BitVec(_) => SortId::INT,
        Sort::Map { params: 0, domain, range } => {
            let domain = domain.into_iter().map(|d| ideal_sort(terms, d)).collect();
            let range = ideal_sort(terms, range);
            terms.map_sort(domain, range)
        }
        _ => sort,
    }
}

/// The machine integer for a number in a model over unbounded integers.
pub(crate) fn as_machine(terms: &Terms, sort: SortId, value: Value) -> Value {
    match (terms.width(sort), value) {
        (Some(width), Value::Int(n)) => Value::bit_vec(width, &n),
        (_, value) => value,
    }
}

#[cfg(test)]
mod tests {
    use footpath_term::Substitution;

    use super::*;

    /// What `make` makes of two numbers of 8 bits, ideally.
    fn ideally(a: i64, b: i64, make: impl Fn(&mut Terms, TermId, TermId) -> TermId) -> Value {
        let mut terms = Terms::new();
        let byte = terms.bit_vec_sort(8);
        let [x, y] = ["x", "y"].map(|name| terms.fresh_var(name, byte));
        let made = make(&mut terms, x, y);
        let mut ideal = Ideal::default();
        let [x, y, made] = [x, y, made].map(|t| ideal.twin(&mut terms, t).expect("a twin"));
        let values = [(x, a), (y, b)].map(|(t, n)| match terms.term(t).op {
            Op::Var(symbol) => (symbol, terms.int(n)),
            _ => panic!("a symbol is one"),
        });
        let value = terms.substitute(made, &Substitution::from_iter(values));
        terms.literal(value).expect("a number").clone()
    }

    #[test]
    fn sums_do_not_wrap_and_small_numbers_are_compared_as_they_are() {
        assert_eq!(ideally(100, 100, |t, x, y| t.app(Op::BvAdd, [x, y])), Value::int(200));
        for (a, b) in [(3, 5), (5, 3), (4, 4), (-1, 3), (-5, -3)] {
            let less = ideally(a, b, |t, x, y| t.app(Op::BvSlt, [x, y]));
            assert_eq!(less, Value::Bool(a < b), "{a} {b}");
        }
        assert_eq!(ideally(-1, 3, |t, x, y| t.app(Op::BvUlt, [x, y])), Value::Bool(false), "255 < 3");
    }

    #[test]
    fn a_sum_that_does_not_wrap_has_no_overflow() {
        for (a, b) in [(3, 5), (-3, 5), (-3, -5), (120, 120)] {
            let overflows = ideally(a, b, |t, x, y| {
                let sum = t.app(Op::BvAdd, [x, y]);
                let [one, other] = [x, y].map(|operand| t.app(Op::BvXor, [sum, operand]));
                let both = t.app(Op::BvAnd, [one, other]);
                let zero = t.bit_vec(8, 0);
                t.app(Op::BvSlt, [both, zero])
            });
            assert_eq!(overflows, Value::Bool(false), "{a} {b}");
        }
    }

    #[test]
    fn what_binds_machine_integers_has_no_twin() {
        let mut terms = Terms::new();
        let byte = terms.bit_vec_sort(8);
        let symbol = terms.fresh_symbol("x", byte);
        let (x, zero) = (terms.var(symbol), terms.bit_vec(8, 0));
        let body = terms.app(Op::BvUlt, [zero, x]);
        let binder = footpath_term::Binder {
            kind: footpath_term::BinderKind::Forall,
            type_vars: Vec::new(),
            vars: vec![symbol],
            triggers: Vec::new(),
            nopats: 0,
            weight: None,
        };
        let all = terms.bind(binder, body, &[], &[]);
        assert_eq!(Ideal::default().condition(&mut terms, all), None);
    }
}
