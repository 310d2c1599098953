//! Proof by induction (inductive invariants and k-induction): conditions at all loop heads together that exclude
//! every path to the target.
//!
//! **Idea.** A run is a sequence of path segments between loop heads (`inductive/segments.rs`). Conditions that hold
//! at the start and are preserved by every segment hold at the heads. If they contradict every segment that leads to
//! a target, no target is reached, however often loops iterate. There are two kinds:
//!
//! 1. polynomial identities modulo 2ⁿ, found by linear algebra (`inductive/identities.rs`);
//! 2. guesses, proved by a solver (`inductive/guesses.rs`, `inductive/facts.rs`).
//!
//! Segments to a target are also considered together with the segments before them, which is k-induction. Each kind
//! helps the other: if `i ≥ n` holds when a loop ends and `i ≤ n` is an invariant, then `i = n` is an equation that
//! identities may use; and linear identities are told to the solver.
//!
//! Example: for `s = 0; for (i = 0; i < n; i++) s += 2; assert(s == 2 * i);` the identity `s − 2·i = 0` holds at the
//! head and contradicts the failing arm.
//!
//! Recursive procedures are treated in the same way: what holds at the beginning of one is its precondition, what
//! holds at its end its postcondition (`recursion.rs`).
//!
//! **Paper.** M. Sheeran, S. Singh, G. Stålmarck, "Checking safety properties using induction and a SAT-solver"
//! (FMCAD 2000).
//!
//! **Direction of error.** In one direction: there may be no proof.

mod facts;
mod guesses;
mod identities;
mod linear_algebra;
mod polynomial;
mod segments;

use footpath_ir::{BlockId, Body};
use footpath_smt::Solver;
use footpath_term::{Op, SymbolId, TermId, Terms};
use footpath_transform::state::State;
use footpath_transform::theory::Theory;

use crate::recursion::Recursive;
use facts::{Asker, is_easy};
use guesses::guesses;
use identities::{Identities, Scope, widths};
use segments::{Segment, Segments, segments};

/// Weights of the monomials that identities are over, one after the other.
const WEIGHTS: [u32; 5] = [1, 2, 3, 4, 6];
/// The largest k of k-induction, in path segments before a target, and the largest number of queries for one segment.
const MAX_LENGTH: u32 = 4;
const MAX_QUESTIONS: u32 = 60;
/// The largest number of path segments of a run that is looked for to a target, and the largest number of queries for
/// it.
const SHORT: u32 = 3;
const MAX_SHORT: u32 = 16;
/// How many equations are asked about on a path.
const MAX_EQUATIONS: usize = 24;

/// The subject of a proof: a body without calls and assertions, and the state in which it begins.
pub(crate) struct Subject<'a> {
    pub(crate) body: &'a Body,
    /// The recursive procedures, each of which occurs once in the body.
    pub(crate) procedures: &'a [Recursive],
    pub(crate) initial: &'a State,
    pub(crate) theory: &'a Theory<'a>,
}

/// The targets that a run may reach, as far as is known; all others are proved unreachable.
pub(crate) fn may_be_reached(
    terms: &mut Terms,
    subject: &Subject<'_>,
    targets: &[BlockId],
    solver: &mut dyn Solver,
    go_on: &dyn Fn() -> bool,
) -> Vec<BlockId> {
    let Some(mut segments) = segments(terms, subject, targets, go_on) else { return targets.to_vec() };
    let mut open: Vec<usize> =
        (0..segments.segments.len()).filter(|&i| segments.segments[i].to.is_none()).collect();
    let (body, theory) = (subject.body, subject.theory);
    let variables = body.params.iter().chain(&body.results).chain(&body.locals).map(|v| v.symbol);
    let variables: Vec<SymbolId> = variables.collect();
    let mut asker = Asker { solver, theory, go_on };
    let mut reached: Vec<BlockId> = Vec::new();
    for &i in &open {
        let segment = &segments.segments[i];
        let mut questions = MAX_SHORT;
        if !reached.contains(&segment.at)
            && is_soon_gone(terms, &segments, segment, &mut asker, (SHORT, &mut questions))
        {
            reached.push(segment.at);
        }
    }
    // There is no use in looking for a proof.
    open.retain(|&i| !reached.contains(&segments.segments[i].at));
    if !open.is_empty() {
        exclude(terms, &mut segments, &variables, &mut open, &mut asker);
    }
    reached.extend(open.into_iter().map(|i| segments.segments[i].at));
    reached.sort_unstable();
    reached.dedup();
    reached
}

/// Removes the segments to targets that are infeasible from those that are open.
fn exclude(
    terms: &mut Terms,
    segments: &mut Segments,
    variables: &[SymbolId],
    open: &mut Vec<usize>,
    asker: &mut Asker<'_>,
) {
    let go_on = asker.go_on;
    if by_identities(terms, segments, Scope::Equations, open, go_on) {
        return;
    }
    let linear = linear(terms, segments, go_on);
    let Some(guessed) = guesses(terms, segments, go_on) else { return };
    let Some(mut known) = asker.proved(terms, segments, guessed) else { return };
    for (known, linear) in known.iter_mut().zip(&linear) {
        known.extend(linear);
    }
    open.retain(|&i| {
        let mut questions = MAX_QUESTIONS;
        !is_excluded(terms, segments, &segments.segments[i], &known, asker, (MAX_LENGTH, &mut questions))
    });
    if !open.is_empty() {
        sharpen(terms, segments, &known, variables, asker);
        // What is counted by iterations may depend on a counter that no segment to a target mentions.
        let _ = by_identities(terms, segments, Scope::Equations, open, go_on)
            || by_identities(terms, segments, Scope::AllEquations, open, go_on);
    }
}

/// Removes the segments that identities refute from those that are open; returns whether none is left.
fn by_identities(
    terms: &mut Terms,
    segments: &Segments,
    scope: Scope,
    open: &mut Vec<usize>,
    go_on: &dyn Fn() -> bool,
) -> bool {
    for width in widths(terms, segments, scope) {
        for weight in WEIGHTS {
            let what = (width, weight, scope);
            let Some(mut found) = Identities::find(terms, segments, what, go_on) else { break };
            open.retain(|&i| !found.refutes(terms, &segments.segments[i]));
            if open.is_empty() {
                return true;
            }
        }
    }
    open.is_empty()
}

/// Linear identities at each head, over as many variables as possible.
fn linear(terms: &mut Terms, segments: &Segments, go_on: &dyn Fn() -> bool) -> Vec<Vec<TermId>> {
    let mut all = vec![Vec::new(); segments.heads];
    for width in widths(terms, segments, Scope::Conditions) {
        let mut find = |scope| Identities::find(terms, segments, (width, WEIGHTS[0], scope), go_on);
        let Some(found) = find(Scope::Conditions).or_else(|| find(Scope::Equations)) else { continue };
        for (head, all) in all.iter_mut().enumerate() {
            all.extend(found.conditions(terms, head));
        }
    }
    all
}

/// Whether the solver quickly finds a run to a target that ends with this segment and has only a few segments.
fn is_soon_gone(
    terms: &mut Terms,
    segments: &Segments,
    segment: &Segment,
    asker: &mut Asker<'_>,
    (length, questions): (u32, &mut u32),
) -> bool {
    // Behind calls there is more than what calls give.
    if *questions == 0 || !segment.calls.is_empty() || !(asker.go_on)() {
        return false;
    }
    if segment.from.is_none() {
        *questions -= 1;
        return match asker.is_possible(terms, segment) {
            Some(possible) => possible,
            None => {
                // Others will take as long.
                *questions = 0;
                false
            }
        };
    }
    let mut before: Vec<&Segment> =
        segments.segments.iter().filter(|before| before.to == segment.from).collect();
    before.sort_by_key(|before| before.from.is_some());
    length > 0
        && before.into_iter().any(|before| {
            let both = before.then(terms, segment);
            both.is_some_and(|both| {
                is_soon_gone(terms, segments, &both, asker, (length - 1, &mut *questions))
            })
        })
}

/// Whether a segment to a target is infeasible, by k-induction: it contradicts what is known at its beginning, or its
/// concatenation with every segment that leads there is infeasible, and so on.
fn is_excluded(
    terms: &mut Terms,
    segments: &Segments,
    segment: &Segment,
    known: &[Vec<TermId>],
    asker: &mut Asker<'_>,
    (length, questions): (u32, &mut u32),
) -> bool {
    if *questions == 0 || !(asker.go_on)() {
        return false;
    }
    *questions -= 1;
    let never = terms.bool(false);
    let here = segment.known(terms, segments, known);
    if asker.implies(terms, segment, &here, never) {
        return true;
    }
    if length == 0 || segment.from.is_none() {
        return false;
    }
    segments.segments.iter().filter(|before| before.to == segment.from).all(|before| {
        match before.then(terms, segment) {
            Some(both) => is_excluded(terms, segments, &both, known, asker, (length - 1, &mut *questions)),
            None => true,
        }
    })
}

/// Adds equations that follow from comparisons on segments and from what is known at their beginning, and remainders
/// of divisions.
fn sharpen(
    terms: &mut Terms,
    segments: &mut Segments,
    known: &[Vec<TermId>],
    variables: &[SymbolId],
    asker: &mut Asker<'_>,
) {
    let known: Vec<Vec<TermId>> =
        segments.segments.iter().map(|segment| segment.known(terms, segments, known)).collect();
    for (segment, known) in segments.segments.iter_mut().zip(&known) {
        let mut equations = remainders(terms, segment, variables);
        for &condition in &segment.conditions {
            let inner = terms.term(condition).clone();
            let compared = if inner.op == Op::Not { terms.term(inner.args[0]).clone() } else { inner };
            let is_order = matches!(compared.op, Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle);
            if is_order && is_easy(terms, condition) {
                equations.extend(near(terms, compared.args[0], compared.args[1]));
            }
        }
        equations.truncate(MAX_EQUATIONS);
        for equation in equations {
            if (asker.go_on)() && asker.implies(terms, segment, known, equation) {
                segment.conditions.push(equation);
            }
        }
    }
}

/// The claims that divisions on a segment have no remainder.
fn remainders(terms: &mut Terms, segment: &Segment, variables: &[SymbolId]) -> Vec<TermId> {
    let mut roots = segment.conditions.clone();
    roots.extend(variables.iter().map(|&v| segment.state.get(terms, v)));
    let mut equations = Vec::new();
    for t in terms.post_order(&roots) {
        let quotient = terms.term(t).clone();
        let rest = match quotient.op {
            Op::BvUdiv => Op::BvUrem,
            Op::BvSdiv => Op::BvSrem,
            _ => continue,
        };
        let width = terms.width(quotient.sort);
        if let (Some(width), true) = (width, is_easy(terms, t)) {
            let rest = terms.app(rest, [quotient.args[0], quotient.args[1]]);
            let nought = terms.bit_vec(width, 0);
            // As it stands: simplified it may be an equation of another width.
            equations.push(terms.raw(Op::Eq, [rest, nought]));
        }
    }
    equations
}

/// The claims that two numbers are equal, or that they differ by one.
fn near(terms: &mut Terms, s: TermId, t: TermId) -> Vec<TermId> {
    let Some(width) = terms.width(terms.sort(s)) else { return Vec::new() };
    let one = terms.bit_vec(width, 1);
    let [next_s, next_t] = [s, t].map(|x| terms.app(Op::BvAdd, [x, one]));
    [[s, t], [next_s, t], [s, next_t]].map(|sides| terms.app(Op::Eq, sides)).to_vec()
}
