//! Inferred invariants of a body as plain linear inequalities, and which of its blocks are reachable, for crates that
//! do not use the abstract domain.
//!
//! **Direction of error.** Each inequality holds in every state in which a run that starts at the body's entry, in
//! any state, enters the block. A block that may not be entered is entered by no such run.

use footpath_ir::{BlockId, Body};
use footpath_term::{TermId, Terms};

use crate::condition::merge;
use crate::facts::Facts;
use crate::fixpoint::{Effort, fixpoint};
use crate::invariant;
use crate::linear::{Dim, Linear, Reading};

/// A linear inequality `Σ aᵢ·xᵢ + c ≤ 0`.
#[derive(Clone, Debug)]
pub struct Inequality {
    /// Terms over the program's variables, read as integers, with their coefficients.
    pub parts: Vec<(TermId, Number, i128)>,
    /// The constant.
    pub constant: i128,
}

/// How a term is read as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// An integer is itself.
    Int,
    /// A bit-vector as an unsigned number.
    Signed,
    /// A bit-vector that is not negative.
    Unsigned,
}

/// The inequalities that hold at each of `blocks`; `None` if the analysis gave up. The body has neither calls nor
/// assertions.
pub fn known(
    terms: &mut Terms,
    body: &Body,
    blocks: &[BlockId],
    effort: Effort,
) -> Option<Vec<Vec<Inequality>>> {
    let found = fixpoint(terms, body, Facts::default(), effort);
    if found.gave_up {
        return None;
    }
    let at = |b: &BlockId| merge(&found.entered[b.index()]).map(|f| inequalities(&f)).unwrap_or_default();
    Some(blocks.iter().map(at).collect())
}

/// For each block, whether a run may enter it; `None` if the analysis gave up. The body has neither calls nor
/// assertions.
pub fn may_enter(terms: &mut Terms, body: &Body, effort: Effort) -> Option<Vec<bool>> {
    let found = fixpoint(terms, body, Facts::default(), effort);
    (!found.gave_up).then(|| found.entered.iter().map(|states| !states.is_empty()).collect())
}

fn inequalities(facts: &Facts) -> Vec<Inequality> {
    let mut rows: Vec<Linear> = Vec::new();
    for (dim, range) in facts.ranges() {
        let natural = dim.natural();
        // lo - x <= 0, and x - hi <= 0.
        if let Some(lo) = range.lo.filter(|_| range.lo != natural.lo) {
            rows.push(Linear { parts: vec![(dim, -1)], constant: lo });
        }
        if let Some(hi) = range.hi.filter(|_| range.hi != natural.hi) {
            rows.push(Linear { parts: vec![(dim, 1)], constant: -hi });
        }
    }
    rows.extend(facts.rows().cloned());
    rows.iter().filter_map(inequality).collect()
}

/// The row with terms only; `None` if it mentions booleans, ranks or temporary unknowns.
fn inequality(row: &Linear) -> Option<Inequality> {
    let part = |&(dim, k): &(Dim, i128)| {
        let Dim::Term(t, reading) = dim else { return None };
        let number = match reading {
            Reading::Int => Number::Int,
            Reading::Signed(_) => Number::Signed,
            Reading::Unsigned(_) => Number::Unsigned,
            Reading::Bool | Reading::Rank(_) => return None,
        };
        Some((t, number, k))
    };
    let parts: Option<Vec<_>> = row.parts.iter().map(part).collect();
    Some(Inequality { parts: parts?, constant: row.constant })
}

/// For each block, a condition on integers and booleans that holds whenever a run enters it, and `None` if no run
/// does. The result is `None` if the analysis gave up. The body has neither calls nor assertions.
pub fn conditions(terms: &mut Terms, body: &Body, effort: Effort) -> Option<Vec<Option<TermId>>> {
    let found = fixpoint(terms, body, Facts::default(), effort);
    let one = |states: &Vec<Facts>| (!states.is_empty()).then(|| invariant::of_integers(terms, states));
    (!found.gave_up).then(|| found.entered.iter().map(one).collect())
}
