//! Houdini for single loops: invariants of variables without a closed form are guessed, and proved.
//!
//! **Idea.** Of a carried variable (`iterated_states.rs`) nothing is known beyond the iterations that are unfolded.
//! So simple properties are guessed: it keeps its value, never falls below its first value, keeps its parity, is not
//! above another variable. A guess that does not hold at first, or is not preserved by some path through the loop
//! given the remaining guesses, is dropped, until nothing is dropped any more. The remaining guesses are invariants.
//!
//! Example: in `while (…) { if (c()) x += 2; }` neither how often the branch is taken nor `x` has a closed form, but
//! the parity of `x` is kept.
//!
//! **Papers.** C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001). "Abstracting
//! Path Conditions" (Strejček, Trtík, ISSTA 2012) has nothing like it: such variables are ⋆ there.
//!
//! **Direction of error.** None that is known: each step of the proof is an answer of the solver. A query without an
//! answer drops the guess.

use std::time::Duration;

use footpath_smt::{Solver, houdini};
use footpath_term::{Op, Sort, Substitution, TermId, Terms};
use footpath_virtual_time::Deadline;

use crate::counters::Kind;
use crate::summary::Summary;
use crate::unfold::round_facts;

/// The largest number of guesses for one loop.
const MAX_GUESSES: usize = 40;
/// Of how many carried variables pairs are compared.
const MAX_PAIRED: usize = 5;
/// Time for one solver query.
const QUESTION: Duration = Duration::from_millis(100);

/// Finds invariants of a loop that is entered in a state of which the solver knows the conditions. Spends at most
/// `budget`. `closed` are the closed forms of other variables, over the counters before an iteration.
pub(crate) fn strengthen(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    summary: &mut Summary,
    closed: &[TermId],
    budget: Duration,
) {
    if budget.is_zero() {
        return;
    }
    let deadline = Deadline::after(budget);
    let guesses = guesses(terms, summary, closed);
    if guesses.is_empty() {
        return;
    }
    solver.set_timeout(Some(QUESTION));
    let first = first_round(terms, summary);
    let mut kept: Vec<TermId> = Vec::new();
    for guess in guesses {
        let at_first = terms.substitute(guess, &first);
        if !deadline.is_over() && is_refuted(terms, solver, &[], at_first) {
            kept.push(guess);
        }
    }
    let rounds: Vec<(Vec<TermId>, Substitution)> =
        (0..summary.rounds.len()).map(|i| one_round(terms, summary, i)).collect();
    let inductive = houdini(kept, |kept| {
        for (facts, after) in &rounds {
            let mut known = facts.clone();
            known.extend(&summary.invariant);
            known.extend(&*kept);
            kept.retain(|&guess| {
                let then = terms.substitute(guess, after);
                !deadline.is_over() && is_refuted(terms, solver, &known, then)
            });
        }
        Some(())
    });
    summary.invariant.extend(inductive.unwrap_or_default());
}

/// Whether `claim` holds wherever `known` does.
pub(crate) fn is_refuted(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    known: &[TermId],
    claim: TermId,
) -> bool {
    let not = terms.app(Op::Not, [claim]);
    if let Some(value) = terms.as_bool(not) {
        return !value;
    }
    solver.push();
    let told = known.iter().chain([&not]).all(|&t| solver.assert(terms, t).is_ok());
    let refuted = told && solver.check(terms, &[]).is_unsat();
    solver.pop(1);
    refuted
}

/// The values of the variables before the first iteration.
fn first_round(terms: &mut Terms, summary: &Summary) -> Substitution {
    let mut first = Substitution::default();
    for &taken in &summary.taken {
        let zero = Kind::of(terms, taken).number(terms, 0);
        first.insert(taken, zero);
    }
    let zero = Kind::of(terms, summary.number).number(terms, 0);
    first.insert(summary.number, zero);
    first.extend(summary.carried.iter().map(|c| (c.start, c.first)));
    first
}

/// The conditions of an iteration along a path, and the values of the variables after it.
pub(crate) fn one_round(terms: &mut Terms, summary: &Summary, way: usize) -> (Vec<TermId>, Substitution) {
    let (mut facts, values) = round_facts(terms, &summary.rounds[way], &[]);
    let mut after = Substitution::default();
    for (i, &taken) in summary.taken.iter().enumerate() {
        let kind = Kind::of(terms, taken);
        let term = terms.var(taken);
        facts.push(kind.natural(terms, term));
        facts.extend(kind.no_wrap(terms, &[term]));
        if i == way {
            let one = kind.number(terms, 1);
            let next = kind.add(terms, term, one);
            after.insert(taken, next);
        }
    }
    let kind = Kind::of(terms, summary.number);
    let number = terms.var(summary.number);
    let taken: Vec<TermId> = summary.taken.iter().map(|&t| terms.var(t)).collect();
    let sum = kind.sum(terms, &taken);
    facts.push(terms.app(Op::Eq, [number, sum]));
    let one = kind.number(terms, 1);
    let next = kind.add(terms, number, one);
    after.insert(summary.number, next);
    after.extend(summary.carried.iter().zip(values).map(|(c, value)| (c.start, value)));
    (facts, after)
}

fn guesses(terms: &mut Terms, summary: &Summary, closed: &[TermId]) -> Vec<TermId> {
    let mut guesses = Vec::new();
    for carried in &summary.carried {
        let start = terms.var(carried.start);
        let sort = terms.sort(start);
        if !matches!(terms.sort_of(sort), Sort::Map { .. }) {
            guesses.push(terms.app(Op::Eq, [start, carried.first]));
        }
        match terms.sort_of(sort).clone() {
            Sort::Int => {
                let two = terms.int(2);
                let parities = [start, carried.first].map(|t| terms.app(Op::Mod, [t, two]));
                guesses.push(terms.app(Op::Eq, parities));
                for n in [0, 1] {
                    let n = terms.int(n);
                    guesses.push(terms.app(Op::Le, [n, start]));
                }
            }
            Sort::BitVec(w) if w > 1 => {
                let parities = [start, carried.first].map(|t| terms.app(Op::Extract(0, 0), [t]));
                guesses.push(terms.app(Op::Eq, parities));
                let zero = terms.bit_vec(w, 0);
                guesses.push(terms.app(Op::BvSle, [zero, start]));
            }
            _ => {}
        }
        compare(terms, start, carried.first, &mut guesses);
    }
    let starts: Vec<TermId> = summary.carried.iter().map(|c| terms.var(c.start)).collect();
    for (i, &a) in starts.iter().take(MAX_PAIRED).enumerate() {
        for &b in starts.iter().take(MAX_PAIRED).skip(i + 1).chain(closed.iter().take(MAX_PAIRED)) {
            if terms.sort(a) == terms.sort(b) {
                guesses.push(terms.app(Op::Eq, [a, b]));
                compare(terms, a, b, &mut guesses);
            }
        }
    }
    guesses.retain(|&g| terms.as_bool(g).is_none());
    guesses.truncate(MAX_GUESSES);
    guesses
}

/// Guesses that one is at most the other, in both directions.
fn compare(terms: &mut Terms, a: TermId, b: TermId, guesses: &mut Vec<TermId>) {
    let sort = terms.sort(a);
    let ops: &[Op] = match terms.sort_of(sort) {
        Sort::Int => &[Op::Le],
        Sort::BitVec(_) => &[Op::BvSle, Op::BvUle],
        _ => return,
    };
    for op in ops {
        guesses.push(terms.app(op.clone(), [a, b]));
        guesses.push(terms.app(op.clone(), [b, a]));
    }
}
