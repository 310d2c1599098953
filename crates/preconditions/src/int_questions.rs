//! Linear integer arithmetic for machine integers: implications between conditions are proved over unbounded
//! integers, with wrap-around made explicit.
//!
//! **Idea.** A sum of machine integers is the sum of the integers plus some multiple of 2ⁿ that brings it back into
//! range: `v = a + b + 2ⁿ·q`, with v in range and q any integer. In this form a solver for linear arithmetic decides
//! comparisons and linear sums at once, for which a solver that works on bits may take too long.
//!
//! Example: for bytes, `x + 1 == 0` becomes `x + 1 + 256·q = 0` with `0 ≤ x ≤ 255`, whose only solution is `x = 255`.
//!
//! **Direction of error.** None: other terms are replaced by arbitrary values. What is implied for all of these is
//! implied; what is not is asked again for the machine integers themselves.

use footpath_term::{Op, SortId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::One;
use rustc_hash::FxHashMap;

use crate::tools::Tools;

/// Whether `premises` together imply `goal`; false also if that is not known.
pub(crate) fn implies(tools: &mut Tools<'_>, premises: &[TermId], goal: TermId) -> bool {
    let Tools { terms, simplifier, .. } = tools;
    let mut encoder = Encoder::default();
    let not = terms.app(Op::Not, [goal]);
    let mut together: Vec<TermId> = premises.iter().map(|&p| encoder.condition(terms, p)).collect();
    together.push(encoder.condition(terms, not));
    for known in simplifier.assumed().to_vec() {
        together.push(encoder.condition(terms, known));
    }
    if !encoder.numbers.is_empty() {
        together.append(&mut encoder.sides);
        if simplifier.contradict(terms, &together) == Some(true) {
            return true;
        }
    }
    simplifier.implies(terms, premises, goal)
}

/// Whether two conditions are equivalent; false also if that is not known.
pub(crate) fn equivalent(tools: &mut Tools<'_>, a: TermId, b: TermId) -> bool {
    a == b || implies(tools, &[a], b) && implies(tools, &[b], a)
}

/// A constant that is positive, however it is read.
fn divisor(terms: &Terms, t: TermId) -> Option<BigInt> {
    match terms.literal(t)? {
        Value::BitVec { width, bits } => {
            Some(Value::signed(*width, bits)).filter(|d| d.sign() == num_bigint::Sign::Plus)
        }
        _ => None,
    }
}

#[derive(Default)]
struct Encoder {
    /// The number that a machine term is, read as signed or not.
    numbers: FxHashMap<(TermId, bool), TermId>,
    conditions: FxHashMap<TermId, TermId>,
    /// The side conditions of the integers.
    sides: Vec<TermId>,
}

impl Encoder {
    fn condition(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        if let Some(&known) = self.conditions.get(&t) {
            return known;
        }
        let term = terms.term(t).clone();
        let args = &term.args;
        let is_machine = args.len() == 2 && terms.width(terms.sort(args[0])).is_some();
        let comparison = match term.op {
            Op::BvSle => Some((Op::Le, true)),
            Op::BvSlt => Some((Op::Lt, true)),
            Op::BvUle => Some((Op::Le, false)),
            Op::BvUlt => Some((Op::Lt, false)),
            Op::Eq if is_machine => Some((Op::Eq, true)),
            _ => None,
        };
        let found = match (comparison, &term.op) {
            (Some((op, signed)), _) => {
                let sides = [0, 1].map(|i| self.number(terms, args[i], signed));
                terms.app(op, sides)
            }
            (None, Op::And | Op::Or | Op::Not) => {
                let parts: Vec<TermId> = args.iter().map(|&a| self.condition(terms, a)).collect();
                terms.app(term.op.clone(), parts)
            }
            _ => t,
        };
        self.conditions.insert(t, found);
        found
    }

    fn number(&mut self, terms: &mut Terms, t: TermId, signed: bool) -> TermId {
        if let Some(&known) = self.numbers.get(&(t, signed)) {
            return known;
        }
        let term = terms.term(t).clone();
        let args = &term.args;
        let width = terms.width(term.sort).unwrap_or_default();
        let found = match &term.op {
            Op::Literal(Value::BitVec { width, bits }) => {
                terms.int(if signed { Value::signed(*width, bits) } else { BigInt::from(bits.clone()) })
            }
            Op::SignExtend(_) if signed => self.number(terms, args[0], true),
            Op::ZeroExtend(n) if *n > 0 => self.number(terms, args[0], false),
            Op::BvAdd | Op::BvSub | Op::BvNeg => {
                let parts: Vec<TermId> = args.iter().map(|&a| self.number(terms, a, true)).collect();
                let op = match term.op {
                    Op::BvAdd => Op::Add,
                    Op::BvSub => Op::Sub,
                    _ => Op::Neg,
                };
                let sum = terms.app(op, parts);
                self.wrapped(terms, sum, width, signed)
            }
            Op::BvMul if args.len() == 2 && args.iter().any(|&a| terms.literal(a).is_some()) => {
                let parts = [0, 1].map(|i| self.number(terms, args[i], true));
                let product = terms.app(Op::Mul, parts);
                self.wrapped(terms, product, width, signed)
            }
            Op::BvUrem | Op::BvSrem if divisor(terms, args[1]).is_some() => {
                let is_signed = term.op == Op::BvSrem;
                let by = divisor(terms, args[1]).unwrap_or_default();
                let whole = self.number(terms, args[0], is_signed);
                let rest = self.remainder(terms, whole, by);
                self.wrapped(terms, rest, width, signed)
            }
            // The unsigned number is the signed one, or that and 2ⁿ.
            _ if !signed => {
                let number = self.number(terms, t, true);
                self.wrapped(terms, number, width, false)
            }
            _ => {
                let number = terms.fresh_var("number", SortId::INT);
                self.in_range(terms, number, width, true);
                number
            }
        };
        self.numbers.insert((t, signed), found);
        found
    }

    /// A number in range that differs from another one by a multiple of 2ⁿ.
    fn wrapped(&mut self, terms: &mut Terms, number: TermId, width: u32, signed: bool) -> TermId {
        let (found, times) = (terms.fresh_var("number", SortId::INT), terms.fresh_var("times", SortId::INT));
        let modulus = terms.int(BigInt::one() << width);
        let multiple = terms.app(Op::Mul, [modulus, times]);
        let sum = terms.app(Op::Add, [number, multiple]);
        let side = terms.app(Op::Eq, [found, sum]);
        self.sides.push(side);
        self.in_range(terms, found, width, signed);
        found
    }

    /// What is left of a number in a division that rounds towards zero.
    fn remainder(&mut self, terms: &mut Terms, whole: TermId, by: BigInt) -> TermId {
        let (rest, times) = (terms.fresh_var("rest", SortId::INT), terms.fresh_var("times", SortId::INT));
        let zero = terms.int(0);
        let (most, least) = (terms.int(&by - 1), terms.int(1 - &by));
        let by = terms.int(by);
        let multiple = terms.app(Op::Mul, [by, times]);
        let sum = terms.app(Op::Add, [multiple, rest]);
        self.sides.push(terms.app(Op::Eq, [whole, sum]));
        // It has the sign of the number.
        let signs = [terms.app(Op::Le, [zero, whole]), terms.app(Op::Lt, [whole, zero])];
        for (is_so, low, high) in [(signs[0], zero, most), (signs[1], least, zero)] {
            let within = [terms.app(Op::Le, [low, rest]), terms.app(Op::Le, [rest, high])];
            let within = terms.app(Op::And, within);
            self.sides.push(terms.app(Op::Implies, [is_so, within]));
        }
        rest
    }

    fn in_range(&mut self, terms: &mut Terms, number: TermId, width: u32, signed: bool) {
        let (least, most) = if signed {
            let half = BigInt::one() << width.saturating_sub(1);
            (-&half, half - 1)
        } else {
            (BigInt::from(0), (BigInt::one() << width) - 1)
        };
        let (least, most) = (terms.int(least), terms.int(most));
        self.sides.push(terms.app(Op::Le, [least, number]));
        self.sides.push(terms.app(Op::Le, [number, most]));
    }
}
