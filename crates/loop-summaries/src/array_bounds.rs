//! Quantified invariants over array elements: what a loop knows of all elements that it has visited, such as that a
//! maximum is not below any of them.
//!
//! **Idea.** A loop that compares the element of each iteration with a variable often leaves the variable in one
//! relation to all elements so far. Such a relation between an element and a carried variable is guessed. It is
//! proved if each path through the loop establishes it for the element of its iteration, and preserves it for any
//! element for which it held. Then it holds for the elements of all earlier iterations, and formulas state it for
//! those that counters of other loops name.
//!
//! Example: `for (i = 0; i < n; i++) if (a[i] > max) max = a[i];` gives `a[τ] <= max` for every iteration τ that is
//! over.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012) has ⋆ (unknown) here. The proof is by
//! induction over the number of iterations.
//!
//! **Direction of error.** None that is known: each step of the proof is an answer of the solver, and a query without
//! an answer drops the guess.

use std::time::Duration;

use footpath_smt::Solver;
use footpath_term::{Op, Sort, Substitution, SymbolId, TermId, Terms};
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashSet;

use crate::invariants::{is_refuted, one_round};
use crate::summary::{Passed, Step, Summary};

/// The largest number of guesses for one loop.
const MAX_GUESSES: usize = 12;
/// Time for one solver query.
const QUESTION: Duration = Duration::from_millis(500);

/// Finds invariants over the elements of all earlier iterations. The solver holds the conditions under which the loop
/// is entered.
pub(crate) fn find(terms: &mut Terms, solver: &mut dyn Solver, summary: &mut Summary, budget: Duration) {
    let elements = elements(terms, summary);
    if budget.is_zero() || elements.is_empty() || summary.carried.is_empty() {
        return;
    }
    let deadline = Deadline::after(budget);
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
            !deadline.is_over()
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

/// The elements that the conditions of iterations read from maps which the loop does not change, at indices that
/// depend on the iteration number only.
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

/// Each element with a symbol that stands for any element, and the guesses about it.
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
