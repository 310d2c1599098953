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
//! Of arrays such conditions are about one element that stands for all (`inductive/cell_morphing.rs`).
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

mod array_accesses;
mod array_elimination;
mod cell_morphing;
mod distinguished;
mod facts;
mod guesses;
mod identities;
mod linear_algebra;
mod polynomial;
mod segments;
mod unswitching;

use footpath_ir::{BlockId, Body};
use footpath_smt::Solver;
use footpath_term::{Op, SymbolId, TermId, Terms};
use footpath_transform::state::State;
use footpath_transform::theory::Theory;

use crate::recursion::Recursive;
use cell_morphing::by_cells;
use facts::{Asker, is_easy};
use guesses::{guesses, implications};
use identities::{Identities, Scope, widths};
use segments::{Segment, Segments, segments};
use unswitching::{by_cases, restrict};

/// Weights of the monomials that identities are over, one after the other.
const WEIGHTS: [u32; 5] = [1, 2, 3, 4, 6];
/// The largest k of k-induction, in path segments before a target, and the largest number of queries for one segment.
const MAX_LENGTH: u32 = 4;
const MAX_QUESTIONS: u32 = 60;
/// The largest number of path segments of a run that is looked for to a target, and the largest number of queries for
/// it.
const SHORT: u32 = 3;
const MAX_SHORT: u32 = 16;
/// After how many unanswered queries no further segment is asked about by itself.
const MAX_UNANSWERED: u32 = 4;
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
    let (body, theory) = (subject.body, subject.theory);
    let variables = body.params.iter().chain(&body.results).chain(&body.locals).map(|v| v.symbol);
    let variables: Vec<SymbolId> = variables.collect();
    let mut asker = Asker::new(solver, theory, go_on);
    let mut open = segments.to_targets();
    prune(terms, &mut segments, &mut open, &mut asker);
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
        restrict(terms, &mut segments, &mut open);
        let mut facts = exclude(terms, &mut segments, &variables, &mut open, &mut asker);
        let mut left = segments.targets(&open);
        if let (false, Some(found)) = (left.is_empty(), &facts) {
            let (these, asker) = (segments.clone(), &mut asker);
            if let Some(better) = by_cells(terms, these, &found.known, &variables, &mut left, asker) {
                facts = Some(better.1);
                segments = better.0;
                open = segments.to_targets();
            }
        }
        if !left.is_empty() {
            by_cases(terms, segments.clone(), &variables, &mut left, &mut asker);
        }
        open.retain(|&i| left.contains(&segments.segments[i].at));
        if let (false, Some(facts)) = (open.is_empty(), facts) {
            by_implications(terms, &segments, facts, &mut open, &mut asker);
        }
        reached.extend(segments.targets(&open));
    }
    reached.sort_unstable();
    reached.dedup();
    reached
}

/// Removes segments that are infeasible by themselves. Identities, which no solver takes part in, would have to hold after
/// them, too: a function that ends behind `n == 0`, `n > 0` and `n < 0` has a fourth end at which its result is arbitrary.
fn prune(terms: &mut Terms, segments: &mut Segments, open: &mut Vec<usize>, asker: &mut Asker<'_>) {
    let mut unanswered = 0;
    segments.retain(open, |_, segment| {
        if segment.conditions.len() < 2 || unanswered > MAX_UNANSWERED || !(asker.go_on)() {
            return true;
        }
        let possible = asker.is_possible(terms, segment);
        unanswered += u32::from(possible.is_none() && segment.is_easy(terms));
        possible != Some(false)
    });
}

/// What is known at each head, and what was guessed of it and is not inductive.
struct Facts {
    known: Vec<Vec<TermId>>,
    dropped: Vec<Vec<TermId>>,
}

/// Removes the segments to targets that are infeasible from those that are open. What was found out on the way; `None` if
/// nothing is open, or time ran out.
fn exclude(
    terms: &mut Terms,
    segments: &mut Segments,
    variables: &[SymbolId],
    open: &mut Vec<usize>,
    asker: &mut Asker<'_>,
) -> Option<Facts> {
    let go_on = asker.go_on;
    if by_identities(terms, segments, Scope::Equations, open, go_on) {
        return None;
    }
    let linear = linear(terms, segments, go_on);
    let guessed = guesses(terms, segments, go_on)?;
    let mut facts = Facts { known: linear, dropped: guessed.clone() };
    for some in quick_ones_first(terms, guessed) {
        if some.iter().all(Vec::is_empty) {
            continue;
        }
        let proved = asker.proved(terms, segments, &facts.known, some)?;
        for (known, proved) in facts.known.iter_mut().zip(proved) {
            known.extend(proved);
        }
        refute(terms, segments, &facts.known, open, asker);
        if open.is_empty() {
            return None;
        }
    }
    for (dropped, known) in facts.dropped.iter_mut().zip(&facts.known) {
        dropped.retain(|guess| !known.contains(guess));
    }
    // What conditions exclude, identities need not hold after.
    let mut budget = MAX_QUESTIONS;
    segments.retain(open, |segments, segment| {
        budget = budget.saturating_sub(1);
        let never = terms.bool(false);
        let here = segment.known(terms, segments, &facts.known);
        budget == 0 || !(asker.go_on)() || !asker.implies(terms, segment, &here, never)
    });
    sharpen(terms, segments, &facts.known, variables, asker);
    // What is counted by iterations may depend on a counter that no segment to a target mentions.
    let done = by_identities(terms, segments, Scope::Equations, open, go_on)
        || by_identities(terms, segments, Scope::AllEquations, open, go_on);
    (!done).then_some(facts)
}

/// Removes the segments to targets that k-induction refutes from those that are open.
fn refute(
    terms: &mut Terms,
    segments: &Segments,
    known: &[Vec<TermId>],
    open: &mut Vec<usize>,
    asker: &mut Asker<'_>,
) {
    open.retain(|&i| {
        let mut questions = MAX_QUESTIONS;
        !is_excluded(terms, segments, &segments.segments[i], known, asker, (MAX_LENGTH, &mut questions))
    });
}

/// The same with guesses that hold in one part of a loop only.
fn by_implications(
    terms: &mut Terms,
    segments: &Segments,
    mut facts: Facts,
    open: &mut Vec<usize>,
    asker: &mut Asker<'_>,
) {
    let implied = implications(terms, segments, &facts.dropped);
    let Some(proved) = asker.proved(terms, segments, &facts.known, implied) else { return };
    for (known, proved) in facts.known.iter_mut().zip(proved) {
        known.extend(proved);
    }
    refute(terms, segments, &facts.known, open, asker);
}

/// The guesses without divisions, and then those with divisions. In one query with others, a remainder makes all of them take as
/// long as itself.
fn quick_ones_first(terms: &Terms, guesses: Vec<Vec<TermId>>) -> [Vec<Vec<TermId>>; 2] {
    let divides = |&t: &TermId| {
        terms
            .post_order(&[t])
            .into_iter()
            .any(|t| matches!(terms.term(t).op, Op::BvUrem | Op::BvSrem | Op::Mod))
    };
    let (divided, plain) = guesses.into_iter().map(|of_head| of_head.into_iter().partition(divides)).unzip();
    [plain, divided]
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
