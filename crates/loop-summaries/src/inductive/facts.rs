//! Houdini: the guesses at loop heads that are not inductive are dropped until all that are left are.
//!
//! **Idea.** A guess at a head is dropped if it is false after some path segment to the head, given the guesses that
//! are left at the beginning of the segment and the segment's conditions; until nothing is dropped any more. A model
//! of such a segment shows all guesses at once that are false in it.
//!
//! Example: of the guesses `i ≥ 0`, `i ≤ n` and `i = 0` at the head of `for (i = 0; i < n; i++)`, the third is false
//! after one iteration and dropped; the other two are inductive if `n ≥ 0`.
//!
//! **Paper.** C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001).
//!
//! **Deviations.** Conditions with products or quotients of variables are not told to the solver. A query that it
//! does not answer in time is split into single guesses, and a guess is dropped if that is not answered either. Only
//! conditions that are relevant to a query are told.
//!
//! **Direction of error.** None that is known: each step rests on an answer of the solver.

use std::time::Duration;

use footpath_smt::{Answer, Solver, houdini};
use footpath_term::{Op, SymbolId, TermId, Terms};
use footpath_transform::theory::Theory;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::inductive::segments::{Segment, Segments};

/// Time for a query about all guesses, and about one.
const QUESTION: Duration = Duration::from_millis(300);
const SINGLE: Duration = Duration::from_millis(60);

/// Asks the solver about path segments.
pub(crate) struct Asker<'a> {
    pub(crate) solver: &'a mut dyn Solver,
    pub(crate) theory: &'a Theory<'a>,
    pub(crate) go_on: &'a dyn Fn() -> bool,
    /// Which conditions together were found to be contradictory by [`Asker::is_quickly_refuted`], and which not.
    refuted: FxHashMap<Vec<TermId>, bool>,
}

impl<'a> Asker<'a> {
    pub(crate) fn new(
        solver: &'a mut dyn Solver,
        theory: &'a Theory<'a>,
        go_on: &'a dyn Fn() -> bool,
    ) -> Asker<'a> {
        Asker { solver, theory, go_on, refuted: FxHashMap::default() }
    }
}

impl Asker<'_> {
    /// The guesses at each head that hold whenever it is reached, given what is known to. `None` if time ran out.
    pub(crate) fn proved(
        &mut self,
        terms: &mut Terms,
        segments: &Segments,
        known: &[Vec<TermId>],
        mut guesses: Vec<Vec<TermId>>,
    ) -> Option<Vec<Vec<TermId>>> {
        guesses.iter_mut().for_each(|g| g.retain(|&t| is_easy(terms, t)));
        let heads = guesses.len();
        let candidates = guesses.into_iter().enumerate();
        let candidates = candidates.flat_map(|(head, guesses)| guesses.into_iter().map(move |g| (head, g)));
        // A head that no way is known to arrive at has all its guesses; the start comes first.
        let proved = houdini(candidates.collect(), |left| {
            let mut guesses = at_heads(heads, left);
            for segment in &segments.segments {
                let Some(to) = segment.to else { continue };
                let mut known = segment.known(terms, segments, known);
                known.extend(segment.known(terms, segments, &guesses));
                guesses[to] = self.kept(terms, segment, &known, &guesses[to])?;
            }
            left.retain(|(head, guess)| guesses[*head].contains(guess));
            Some(())
        })?;
        Some(at_heads(heads, &proved))
    }

    /// Whether `claim` holds at the beginning of a feasible segment in every state in which `known` holds.
    pub(crate) fn implies(
        &mut self,
        terms: &mut Terms,
        segment: &Segment,
        known: &[TermId],
        claim: TermId,
    ) -> bool {
        let not = terms.app(Op::Not, [claim]);
        let told = known.iter().chain(&segment.conditions).copied().collect();
        // That a way is never gone may follow from anything.
        let told = if terms.as_bool(claim).is_some() { told } else { about(terms, told, &[claim]) };
        let answer = self.ask(terms, told, |asker, terms| asker.check(terms, not, QUESTION));
        answer == Some(Answer::Unsat)
    }

    /// Whether a segment is feasible; `None` if the solver does not say quickly, or if that depends on conditions that are hard.
    pub(crate) fn is_possible(&mut self, terms: &mut Terms, segment: &Segment) -> Option<bool> {
        let all_told = segment.is_easy(terms);
        let always = terms.bool(true);
        match self
            .ask(terms, segment.conditions.clone(), |asker, terms| asker.check(terms, always, SINGLE))?
        {
            Answer::Sat => all_told.then_some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// Whether comparisons of sums alone show that a segment is infeasible, which the solver says at once.
    pub(crate) fn is_quickly_refuted(&mut self, terms: &mut Terms, segment: &Segment) -> bool {
        let plain = |t: &TermId| {
            terms.post_order(&[*t]).into_iter().all(|t| {
                let op = &terms.term(t).op;
                let is_sum = matches!(op, Op::BvAdd | Op::BvSub | Op::BvNeg | Op::Add | Op::Sub | Op::Neg);
                let is_order = matches!(op, Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle | Op::Lt | Op::Le);
                let is_logic = matches!(op, Op::Eq | Op::Not | Op::And | Op::Or);
                is_sum || is_order || is_logic || matches!(op, Op::Var(_) | Op::Literal(_))
            })
        };
        let mut told: Vec<TermId> = segment.conditions.iter().copied().filter(plain).collect();
        told.sort_unstable();
        told.dedup();
        if let Some(&refuted) = self.refuted.get(&told) {
            return refuted;
        }
        let always = terms.bool(true);
        let refuted = told.iter().any(|&t| terms.as_bool(t) == Some(false))
            || (told.len() > 1
                && self.ask(terms, told.clone(), |asker, terms| asker.check(terms, always, SINGLE))
                    == Some(Answer::Unsat));
        self.refuted.insert(told, refuted);
        refuted
    }

    /// The guesses that hold at the end of a segment. `None` if time ran out.
    fn kept(
        &mut self,
        terms: &mut Terms,
        segment: &Segment,
        known: &[TermId],
        guesses: &[TermId],
    ) -> Option<Vec<TermId>> {
        let arriving: Vec<TermId> = guesses.iter().map(|&g| segment.state.eval(terms, g)).collect();
        let mut left: Vec<usize> = (0..guesses.len()).collect();
        // What is known already needs no query.
        let mut open: Vec<usize> = left.clone();
        open.retain(|&i| terms.as_bool(arriving[i]) != Some(true) && !known.contains(&arriving[i]));
        let goals: Vec<TermId> = open.iter().map(|&i| arriving[i]).collect();
        let told = about(terms, known.iter().chain(&segment.conditions).copied().collect(), &goals);
        let done = self.ask(terms, told, |asker, terms| {
            while !open.is_empty() {
                if !(asker.go_on)() {
                    return None;
                }
                let all = terms.app(Op::And, open.iter().map(|&i| arriving[i]).collect::<Vec<TermId>>());
                let not = terms.app(Op::Not, [all]);
                match asker.check(terms, not, QUESTION) {
                    Answer::Unsat => break,
                    Answer::Sat => {
                        let values: Vec<TermId> = open.iter().map(|&i| arriving[i]).collect();
                        let truths = asker.solver.truths(terms, &values);
                        let is_false = |i: &usize| {
                            let at = open.iter().position(|o| o == i);
                            at.is_some_and(|at| truths[at] == Some(false))
                        };
                        let before = left.len();
                        left.retain(|i| !is_false(i));
                        if left.len() == before {
                            asker.single(terms, &arriving, &open, &mut left)?;
                            break;
                        }
                        open.retain(|i| left.contains(i));
                    }
                    Answer::Unknown(_) => {
                        asker.single(terms, &arriving, &open, &mut left)?;
                        break;
                    }
                }
            }
            Some(())
        });
        match done {
            Some(done) => done?,
            // The solver does not understand the way.
            None => left.retain(|i| !open.contains(i)),
        }
        Some(left.into_iter().map(|i| guesses[i]).collect())
    }

    /// Asks about guesses one by one.
    fn single(
        &mut self,
        terms: &mut Terms,
        arriving: &[TermId],
        open: &[usize],
        left: &mut Vec<usize>,
    ) -> Option<()> {
        for &i in open {
            if !(self.go_on)() {
                return None;
            }
            let not = terms.app(Op::Not, [arriving[i]]);
            if !self.check(terms, not, SINGLE).is_unsat() {
                left.retain(|l| *l != i);
            }
        }
        Some(())
    }

    /// Asks with conditions; `None` if the solver does not support them.
    fn ask<T>(
        &mut self,
        terms: &mut Terms,
        mut told: Vec<TermId>,
        question: impl FnOnce(&mut Self, &mut Terms) -> T,
    ) -> Option<T> {
        told.retain(|&t| is_easy(terms, t));
        told.extend(self.theory.relevant(terms, &told).formulas);
        self.solver.push();
        let understood = told.iter().all(|&t| self.solver.assert(terms, t).is_ok());
        let result = understood.then(|| question(self, terms));
        self.solver.pop(1);
        result
    }

    fn check(&mut self, terms: &Terms, assumed: TermId, limit: Duration) -> Answer {
        self.solver.set_timeout(Some(limit));
        self.solver.check(terms, &[assumed])
    }
}

impl Segment {
    /// Whether all conditions are told to the solver.
    pub(crate) fn is_easy(&self, terms: &Terms) -> bool {
        self.conditions.iter().all(|&t| is_easy(terms, t))
    }
}

/// Candidates by the heads that they are about.
fn at_heads(heads: usize, candidates: &[(usize, TermId)]) -> Vec<Vec<TermId>> {
    let mut guesses = vec![Vec::new(); heads];
    for &(head, guess) in candidates {
        guesses[head].push(guess);
    }
    guesses
}

/// Those of the conditions that have to do with some terms, as they name the same symbols, or others do that name both. The
/// solver is the faster the less it is told.
fn about(terms: &Terms, conditions: Vec<TermId>, goals: &[TermId]) -> Vec<TermId> {
    let mut near: FxHashSet<SymbolId> = terms.free_symbols(goals).into_iter().collect();
    let symbols: Vec<Vec<SymbolId>> = conditions.iter().map(|c| terms.free_symbols(&[*c])).collect();
    let mut is_near = vec![false; conditions.len()];
    while let Some(next) =
        (0..conditions.len()).find(|&i| !is_near[i] && symbols[i].iter().any(|s| near.contains(s)))
    {
        is_near[next] = true;
        near.extend(&symbols[next]);
    }
    conditions.into_iter().zip(is_near).filter(|(_, is_near)| *is_near).map(|(c, _)| c).collect()
}

/// Whether a term is easy for a solver: without products and quotients of variables, and without quantifiers.
pub(crate) fn is_easy(terms: &Terms, term: TermId) -> bool {
    terms.post_order(&[term]).into_iter().all(|t| {
        let t = terms.term(t);
        let constant = |i: usize| terms.literal(t.args[i]).is_some();
        match t.op {
            Op::BvMul | Op::Mul => constant(0) || constant(1),
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod | Op::IntDiv | Op::Mod => {
                constant(1)
            }
            Op::Bind(_) => false,
            _ => true,
        }
    })
}
