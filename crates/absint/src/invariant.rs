//! Concretisation: an abstract state as a condition of the program form, to be printed, checked at run time or given
//! to a solver.
//!
//! The state `0 ≤ i ≤ 9`, `i − n + 1 ≤ 0` becomes `0 <= i && i <= 9 && i - n + 1 <= 0`; of several states the
//! condition is the disjunction.
//!
//! **Direction of error.** Facts without a term (temporary unknowns, ranks of floating-point numbers that are no
//! bit-vectors) are left out, so the condition holds in every state that the facts describe, and possibly in more.

use footpath_term::{Op, TermId, Terms};

use crate::facts::Facts;
use crate::linear::{Dim, Linear, Reading};

/// The condition that one of the states holds.
pub fn condition(terms: &mut Terms, states: &[Facts]) -> TermId {
    let ways: Vec<TermId> = states.iter().map(|s| one(terms, s, true)).collect();
    terms.app(Op::Or, ways)
}

/// The same condition restricted to integers and booleans and without congruences, as these are simple for solvers.
pub fn of_integers(terms: &mut Terms, states: &[Facts]) -> TermId {
    let ways: Vec<TermId> = states.iter().map(|s| one(terms, s, false)).collect();
    terms.app(Op::Or, ways)
}

/// The condition of one state: all facts, or only those that are simple for solvers.
fn one(terms: &mut Terms, facts: &Facts, all: bool) -> TermId {
    if facts.is_empty() {
        return terms.bool(false);
    }
    let mut parts = Vec::new();
    let zero = terms.int(0);
    for (dim, range) in facts.ranges() {
        let Some(value) = number(terms, dim, all) else { continue };
        let natural = dim.natural();
        if let Some(lo) = range.lo.filter(|_| range.lo != natural.lo) {
            let bound = terms.int(lo);
            parts.push(terms.app(Op::Le, [bound, value]));
        }
        if let Some(hi) = range.hi.filter(|_| range.hi != natural.hi) {
            let bound = terms.int(hi);
            parts.push(terms.app(Op::Le, [value, bound]));
        }
        if all && range.modulus > 1 && range.value().is_none() {
            let (m, r) = (terms.int(range.modulus), terms.int(range.rest));
            let left = terms.app(Op::Mod, [value, m]);
            parts.push(terms.app(Op::Eq, [left, r]));
        }
    }
    for row in facts.rows() {
        if let Some(sum) = sum(terms, row, all) {
            parts.push(terms.app(Op::Le, [sum, zero]));
        }
    }
    terms.app(Op::And, parts)
}

fn sum(terms: &mut Terms, row: &Linear, all: bool) -> Option<TermId> {
    let mut parts = vec![terms.int(row.constant)];
    for (dim, k) in &row.parts {
        let (k, value) = (terms.int(*k), number(terms, *dim, all)?);
        parts.push(terms.app(Op::Mul, [k, value]));
    }
    Some(terms.app(Op::Add, parts))
}

/// The unknown as a term of sort `int`.
fn number(terms: &mut Terms, dim: Dim, all: bool) -> Option<TermId> {
    let Dim::Term(t, reading) = dim else { return None };
    Some(match reading {
        Reading::Unsigned(_) | Reading::Rank(_) | Reading::Signed(_) if !all => return None,
        Reading::Int => t,
        Reading::Bool => {
            let (one, zero) = (terms.int(1), terms.int(0));
            terms.app(Op::Ite, [t, one, zero])
        }
        Reading::Unsigned(_) => terms.app(Op::BvToInt, [t]),
        Reading::Rank(w) if terms.width(terms.sort(t)) == Some(w) => {
            let (zero, mask) = (terms.bit_vec(w, 0), terms.bit_vec(w, (1i128 << (w - 1)) - 1));
            let negative = terms.app(Op::BvSlt, [t, zero]);
            let magnitude = terms.app(Op::BvAnd, [t, mask]);
            let magnitude = terms.app(Op::BvToInt, [magnitude]);
            let below = terms.app(Op::Neg, [magnitude]);
            terms.app(Op::Ite, [negative, below, magnitude])
        }
        Reading::Rank(_) => return None,
        Reading::Signed(w) => {
            let (zero, modulus) = (terms.bit_vec(w, 0), terms.int(1i128 << w));
            let negative = terms.app(Op::BvSlt, [t, zero]);
            let unsigned = terms.app(Op::BvToInt, [t]);
            let below = terms.app(Op::Sub, [unsigned, modulus]);
            terms.app(Op::Ite, [negative, below, unsigned])
        }
    })
}
