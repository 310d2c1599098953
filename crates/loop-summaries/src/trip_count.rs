//! Trip counts: how many iterations an inner loop takes, as a function of the state in which it is entered.
//!
//! **Idea.** A loop that counts something up ends when a comparison is met, so the comparisons after the loop say how
//! many iterations there were: `i ≥ n` with `i = i₀ + d·N` suggests N = max(0, ⌈(n − i₀)/d⌉). Such a guess counts
//! once the solver has proved it for every iteration of the outer loop: from what holds in the first iteration of the
//! inner one, in its last, after it, and in the iteration that the guess names, which would be the first one too
//! many. Then what the inner loop does to variables and maps is a function of the outer state, and has a closed form
//! over the outer counters like anything else.
//!
//! Example: in `for (i = 0; i < n; i++) for (j = i; j < n; j += 2) c++;` the inner trip count is max(0, ⌈(n − i)/2⌉),
//! by which `c` grows in each outer iteration.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Section 5.1.2, Algorithm 8, and the
//! examples 5 and 6 of Appendix A.2: the artificial symbol for Σκ′ is max(0, M·κ + q).
//!
//! **Deviations.**
//! 1. The paper asks the solver for coefficients M and q that are linear in the inputs. Here they are read off the
//!    comparisons and proved, which costs one query without quantifiers; they may be any terms.
//! 2. The function is one of the state before the inner loop, and becomes one of the outer counters with the state.
//! 3. Steps other than 1 are allowed, and machine integers, for which the function holds in those states from which
//!    the loop ends before anything wraps: the proof fails if there are others.
//!
//! **Direction of error.** None that is known: a guess that is not proved is not used.

use std::rc::Rc;
use std::time::Duration;

use footpath_smt::Solver;
use footpath_term::{Op, Sort, Substitution, SymbolId, TermId, Terms, Value};
use footpath_virtual_time::Deadline;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::counters::{Kind, WIDTH};
use crate::invariants::is_refuted;
use crate::iterated_states::LoopPath;
use crate::summary::{Round, Step, Summary};
use crate::unfold::round_facts;

/// The largest number of guesses for one loop.
const MAX_GUESSES: usize = 4;
/// Time for one solver query.
const QUESTION: Duration = Duration::from_millis(300);
/// Time for all queries about the paths through one loop.
const ALL: Duration = Duration::from_secs(2);

/// Replaces the trip counts of inner loops by functions of the outer state, as far as they are known.
pub(crate) fn relate(terms: &mut Terms, solver: &mut dyn Solver, ways: &mut [LoopPath]) {
    let deadline = Deadline::after(ALL);
    solver.set_timeout(Some(QUESTION));
    for way in ways {
        for at in 0..way.steps.len() {
            let Some(summary) = way.steps[at].around.clone().filter(|s| !s.opaque) else { continue };
            let bound: Vec<SymbolId> = way.steps[at..].iter().flat_map(Step::bound).collect();
            let behind: Vec<TermId> = way.steps[at..].iter().flat_map(|s| s.conditions.clone()).collect();
            let mut guesses = guesses(terms, summary.total, &behind);
            guesses.retain(|&g| !terms.free_symbols(&[g]).iter().any(|s| bound.contains(s)));
            let total = terms.var(summary.total);
            let proved = guesses.into_iter().find(|&guess| {
                let round = Round { steps: way.steps.clone(), values: vec![total, guess] };
                let (facts, values) = round_facts(terms, &round, &[guess]);
                let claim = terms.app(Op::Eq, values);
                !deadline.is_over() && is_refuted(terms, solver, &facts, claim)
            });
            let Some(proved) = proved else { continue };
            let known = Substitution::from_iter([(summary.total, proved)]);
            for later in &mut way.steps[at + 1..] {
                *later = later.substitute(terms, &known);
            }
            let step = &mut way.steps[at];
            step.around = Some(Rc::new(Summary { count: Some(proved), ..(*summary).clone() }));
            for condition in &mut step.conditions {
                *condition = terms.substitute(*condition, &known);
            }
            for value in &mut way.values {
                *value = terms.substitute(*value, &known);
            }
        }
    }
}

/// Guesses for the trip count of a loop, by the comparisons that hold after it.
pub(crate) fn guesses(terms: &mut Terms, total: SymbolId, behind: &[TermId]) -> Vec<TermId> {
    let mut guesses: Vec<TermId> = Vec::new();
    for &condition in behind {
        for condition in crate::array_writes::conjuncts(terms, condition) {
            if guesses.len() < MAX_GUESSES
                && terms.free_symbols(&[condition]).contains(&total)
                && let Some(guess) = guess(terms, total, condition)
                && !terms.free_symbols(&[guess]).contains(&total)
                && !guesses.contains(&guess)
            {
                guesses.push(guess);
            }
        }
    }
    guesses
}

/// How a loop ends: at `left ≤ right`, `left < right`, or `left = right`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Le,
    Lt,
    Eq,
}

fn guess(terms: &mut Terms, total: SymbolId, condition: TermId) -> Option<TermId> {
    let mut term = terms.term(condition).clone();
    let negated = term.op == Op::Not;
    if negated {
        term = terms.term(term.args[0]).clone();
    }
    let &[mut a, mut b] = &term.args[..] else { return None };
    let (mut until, signed) = match term.op {
        Op::Le | Op::BvSle => (Until::Le, true),
        Op::Lt | Op::BvSlt => (Until::Lt, true),
        Op::BvUle => (Until::Le, false),
        Op::BvUlt => (Until::Lt, false),
        Op::Eq if !negated => (Until::Eq, true),
        _ => return None,
    };
    if negated {
        (a, b) = (b, a);
        until = if until == Until::Le { Until::Lt } else { Until::Le };
    }
    match (terms.sort_of(terms.sort(a)).clone(), Kind::of(terms, total)) {
        (Sort::Int, Kind::Int) => of_ints(terms, total, until, a, b),
        (Sort::BitVec(width), Kind::Bits) if width <= WIDTH => {
            of_bits(terms, total, until, signed, [a, b], width)
        }
        _ => None,
    }
}

/// `t` where the number of iterations is `n`.
fn at(terms: &mut Terms, t: TermId, total: SymbolId, n: u64) -> TermId {
    let n = Kind::of(terms, total).number(terms, n);
    terms.substitute(t, &Substitution::from_iter([(total, n)]))
}

fn of_ints(terms: &mut Terms, total: SymbolId, until: Until, a: TermId, b: TermId) -> Option<TermId> {
    // The loop goes on while `left` is positive, and `left` falls.
    let difference = terms.app(Op::Sub, [a, b]);
    let (first, second) = (at(terms, difference, total, 0), at(terms, difference, total, 1));
    let step = terms.app(Op::Sub, [first, second]);
    let step = terms.literal(step)?.as_int()?.clone();
    let more = match until {
        Until::Eq if step.is_zero() => return None,
        Until::Eq => BigInt::zero(),
        _ if !step.is_positive() => return None,
        // ⌈first / step⌉, where `first` must become negative ⌈(first + 1) / step⌉.
        Until::Le => &step - 1,
        Until::Lt => step.clone(),
    };
    let more = terms.int(more);
    let sum = terms.app(Op::Add, [first, more]);
    let step = terms.int(step);
    let rounds = terms.app(Op::IntDiv, [sum, step]);
    if until == Until::Eq {
        return Some(rounds);
    }
    let zero = terms.int(0);
    let some = terms.app(Op::Lt, [zero, rounds]);
    Some(terms.app(Op::Ite, [some, rounds, zero]))
}

fn of_bits(
    terms: &mut Terms,
    total: SymbolId,
    until: Until,
    signed: bool,
    [a, b]: [TermId; 2],
    width: u32,
) -> Option<TermId> {
    let counts = |terms: &Terms, t: TermId| terms.free_symbols(&[t]).contains(&total);
    let rises = counts(terms, b);
    let (moving, fixed) = if rises { (b, a) } else { (a, b) };
    if counts(terms, fixed) {
        return None;
    }
    let first = at(terms, moving, total, 0);
    let second = at(terms, moving, total, 1);
    let up = terms.app(Op::BvSub, [second, first]);
    let Value::BitVec { bits, .. } = terms.literal(up)? else { return None };
    let step = Value::signed(width, bits);
    let falls = step.is_negative();
    if step.is_zero() || (until != Until::Eq && falls == rises) {
        return None;
    }
    let (low, high) = if falls { (fixed, first) } else { (first, fixed) };
    let distance = [high, low].map(|t| terms.extend(t, WIDTH, signed));
    let distance = terms.app(Op::BvSub, distance);
    let step = step.abs();
    let more = match until {
        Until::Eq => BigInt::zero(),
        Until::Le => &step - 1,
        Until::Lt => step.clone(),
    };
    let more = terms.bit_vec(WIDTH, more);
    let sum = terms.app(Op::BvAdd, [distance, more]);
    let step = terms.bit_vec(WIDTH, step);
    let rounds = terms.app(Op::BvUdiv, [sum, step]);
    if until == Until::Eq {
        return Some(rounds);
    }
    let goes_on = match (until, signed) {
        (Until::Lt, true) => Op::BvSle,
        (Until::Lt, false) => Op::BvUle,
        (_, true) => Op::BvSlt,
        (_, false) => Op::BvUlt,
    };
    let some = terms.app(goes_on, [low, high]);
    let zero = terms.bit_vec(WIDTH, 0);
    Some(terms.app(Op::Ite, [some, rounds, zero]))
}

#[cfg(test)]
mod tests {
    use footpath_term::SortId;

    use super::*;

    /// The guess for a loop from `i` in steps of `d` that ends at the first value for which `ends` holds.
    fn rounds(
        d: i64,
        from: i64,
        to: i64,
        ends: impl Fn(&mut Terms, TermId, TermId) -> TermId,
    ) -> Option<i64> {
        let mut terms = Terms::new();
        let total = terms.fresh_symbol("N", SortId::INT);
        let (n, d) = (terms.var(total), terms.int(d));
        let (from, to) = (terms.int(from), terms.int(to));
        let moved = terms.app(Op::Mul, [d, n]);
        let i = terms.app(Op::Add, [from, moved]);
        let condition = ends(&mut terms, i, to);
        let guess = guesses(&mut terms, total, &[condition]).first().copied()?;
        i64::try_from(terms.literal(guess)?.as_int()?).ok()
    }

    #[test]
    fn the_number_of_rounds_is_that_of_a_loop_that_counts() {
        for d in 1..=3 {
            for (from, to) in [(0, 10), (3, 11), (5, 5), (7, 2), (-4, 4)] {
                let (mut below, mut at_most) = (0, 0);
                while from + d * below < to {
                    below += 1;
                }
                while from + d * at_most <= to {
                    at_most += 1;
                }
                let until = rounds(d, from, to, |t, i, n| t.app(Op::Le, [n, i]));
                assert_eq!(until, Some(below), "{d} {from} {to}");
                let until = rounds(d, from, to, |t, i, n| t.app(Op::Lt, [n, i]));
                assert_eq!(until, Some(at_most), "{d} {from} {to}");
                let down = rounds(-d, to, from, |t, i, n| t.app(Op::Le, [i, n]));
                assert_eq!(down, Some(below), "{d} {from} {to}");
            }
        }
    }
}
