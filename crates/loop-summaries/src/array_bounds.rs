//! What a loop knows of all elements that it has passed: maxima, minima, bounds.
//!
//! **Idea.** A loop that compares the element of each round with a variable often leaves the variable in one relation to all
//! elements so far: a maximum is not below any of them. Such a relation is guessed of an element and a carried variable, and
//! is proved if each way round puts the element of its round into it, and keeps in it whatever was in it. Then it
//! holds of the elements of all earlier rounds, and formulas say it of those that other loops' counters name.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012) has ⋆. The proof is that of an invariant that is
//! quantified over the rounds, by induction over their number.
//!
//! **Direction of error.** None that is known: each step of the proof is an answer of the solver, and a question without
//! an answer drops the guess.

use std::time::{Duration, Instant};

use footpath_smt::Solver;
use footpath_term::{Op, Sort, Substitution, SymbolId, TermId, Terms};
use rustc_hash::FxHashSet;

use crate::invariants::{is_refuted, one_round};
use crate::summary::{Passed, Step, Summary};

/// How many guesses are made of one loop.
const MAX_GUESSES: usize = 12;
/// Time for one question.
const QUESTION: Duration = Duration::from_millis(500);

/// Finds what holds of the elements of all earlier rounds. The solver knows the conditions under which the loop is
/// entered.
pub(crate) fn find(terms: &mut Terms, solver: &mut dyn Solver, summary: &mut Summary, budget: Duration) {
    let elements = elements(terms, summary);
    if budget.is_zero() || elements.is_empty() || summary.carried.is_empty() {
        return;
    }
    let deadline = Instant::now() + budget;
    solver.set_timeout(Some(QUESTION));
    let rounds: Vec<(Vec<TermId>, Substitution)> = (0..summary.rounds.len())
        .map(|way| {
            let (mut facts, after) = one_round(terms, summary, way);
            facts.extend(&summary.invariant);
            (facts, after)
        })
        .collect();
    for (element, any, guess) in guesses(terms, summary, &elements) {
        let is_kept = rounds.iter().all(|(facts, after)| {
            let then = terms.substitute(guess, after);
            let of_this_round = terms.substitute(then, &Substitution::from_iter([(any, element)]));
            let known: Vec<TermId> = facts.iter().copied().chain([guess]).collect();
            Instant::now() < deadline
                && is_refuted(terms, solver, facts, of_this_round)
                && is_refuted(terms, solver, &known, then)
        });
        if is_kept {
            let sort = terms.symbol(summary.number).sort;
            let earlier = terms.fresh_symbol("earlier", sort);
            let at = terms.var(earlier);
            let element = terms.substitute(element, &Substitution::from_iter([(summary.number, at)]));
            let condition = terms.substitute(guess, &Substitution::from_iter([(any, element)]));
            summary.passed.push(Passed { earlier, condition });
        }
    }
}

/// What the conditions of rounds read of maps that the loop does not change, at places that the round's number tells.
fn elements(terms: &Terms, summary: &Summary) -> Vec<TermId> {
    let steps: Vec<&Step> = summary.rounds.iter().flat_map(|round| &round.steps).collect();
    let conditions: Vec<TermId> = steps.iter().flat_map(|step| step.conditions.iter().copied()).collect();
    let mut changes: FxHashSet<SymbolId> = steps.iter().flat_map(|step| step.bound()).collect();
    changes.extend(summary.carried.iter().map(|carried| carried.start));
    changes.extend(summary.taken.iter().filter(|taken| **taken != summary.number));
    let is_element = |t: &TermId| {
        if !matches!(terms.term(*t).op, Op::Select) {
            return false;
        }
        let free = terms.free_symbols(&[*t]);
        free.contains(&summary.number) && !free.iter().any(|symbol| changes.contains(symbol))
    };
    terms.post_order(&conditions).into_iter().filter(is_element).collect()
}

/// Each element with a symbol for any element, and what is guessed of that.
fn guesses(terms: &mut Terms, summary: &Summary, elements: &[TermId]) -> Vec<(TermId, SymbolId, TermId)> {
    let mut guesses = Vec::new();
    for &element in elements {
        let sort = terms.sort(element);
        let ops: &[Op] = match terms.sort_of(sort) {
            Sort::Int | Sort::Real => &[Op::Le],
            Sort::BitVec(_) => &[Op::BvSle, Op::BvUle],
            _ => continue,
        };
        for carried in &summary.carried {
            if terms.symbol(carried.start).sort != sort {
                continue;
            }
            let any = terms.fresh_symbol("any", sort);
            let (is, now) = (terms.var(any), terms.var(carried.start));
            for op in ops {
                for (a, b) in [(is, now), (now, is)] {
                    guesses.push((element, any, terms.app(op.clone(), [a, b])));
                }
            }
        }
    }
    guesses.truncate(MAX_GUESSES);
    guesses
}
