//! What is guessed of heads of loops, proved by induction.
//!
//! **Idea.** Of the guesses at a head those are dropped that are false where some way arrives, given the guesses that are left
//! where the way begins and its conditions; until nothing is dropped any more. A model of such an arrival shows all guesses
//! that are false in it at once.
//!
//! **Paper.** C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001).
//!
//! **Deviations.** Conditions with products or quotients of variables are not told to the solver. What it does not answer
//! in time is asked guess by guess, and dropped if that is not answered either. It is told what has to do with a question only.
//!
//! **Direction of error.** None that is known: each step rests on an answer of the solver.

use std::time::Duration;

use footpath_smt::{Answer, Solver, houdini};
use footpath_term::{Op, SymbolId, TermId, Terms};
use footpath_transform::theory::Theory;
use rustc_hash::FxHashSet;

use crate::inductive::segments::{Way, Ways};

/// Time for a question about all guesses, and about one.
const QUESTION: Duration = Duration::from_millis(300);
const SINGLE: Duration = Duration::from_millis(60);

/// Asks the solver about ways.
pub(crate) struct Asker<'a> {
    pub(crate) solver: &'a mut dyn Solver,
    pub(crate) theory: &'a Theory<'a>,
    pub(crate) go_on: &'a dyn Fn() -> bool,
}

impl Asker<'_> {
    /// Those of the guesses at each head that hold whenever it is reached. `None` if time ran out.
    pub(crate) fn proved(
        &mut self,
        terms: &mut Terms,
        ways: &Ways,
        mut guesses: Vec<Vec<TermId>>,
    ) -> Option<Vec<Vec<TermId>>> {
        guesses.iter_mut().for_each(|g| g.retain(|&t| is_easy(terms, t)));
        let heads = guesses.len();
        let candidates = guesses.into_iter().enumerate();
        let candidates = candidates.flat_map(|(head, guesses)| guesses.into_iter().map(move |g| (head, g)));
        // A head that no way is known to arrive at has all its guesses; the start comes first.
        let proved = houdini(candidates.collect(), |left| {
            let mut guesses = at_heads(heads, left);
            for way in &ways.ways {
                let Some(to) = way.to else { continue };
                let known = way.known(terms, ways, &guesses);
                guesses[to] = self.kept(terms, way, &known, &guesses[to])?;
            }
            left.retain(|(head, guess)| guesses[*head].contains(guess));
            Some(())
        })?;
        Some(at_heads(heads, &proved))
    }

    /// Whether `claim` holds wherever a way is gone from a state in which `known` holds.
    pub(crate) fn implies(&mut self, terms: &mut Terms, way: &Way, known: &[TermId], claim: TermId) -> bool {
        let not = terms.app(Op::Not, [claim]);
        let told = known.iter().chain(&way.conditions).copied().collect();
        // That a way is never gone may follow from anything.
        let told = if terms.as_bool(claim).is_some() { told } else { about(terms, told, &[claim]) };
        let answer = self.ask(terms, told, |asker, terms| asker.check(terms, not, QUESTION));
        answer == Some(Answer::Unsat)
    }

    /// Whether a way may be gone; nothing if the solver does not say at once.
    pub(crate) fn is_possible(&mut self, terms: &mut Terms, way: &Way) -> Option<bool> {
        if !way.conditions.iter().all(|&t| is_easy(terms, t)) {
            return None;
        }
        let always = terms.bool(true);
        match self.ask(terms, way.conditions.clone(), |asker, terms| asker.check(terms, always, SINGLE))? {
            Answer::Sat => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// Those of the guesses that hold where a way arrives. `None` if time ran out.
    fn kept(
        &mut self,
        terms: &mut Terms,
        way: &Way,
        known: &[TermId],
        guesses: &[TermId],
    ) -> Option<Vec<TermId>> {
        let arriving: Vec<TermId> = guesses.iter().map(|&g| way.state.eval(terms, g)).collect();
        let mut left: Vec<usize> = (0..guesses.len()).collect();
        // What is known already needs no question.
        let mut open: Vec<usize> = left.clone();
        open.retain(|&i| terms.as_bool(arriving[i]) != Some(true) && !known.contains(&arriving[i]));
        let goals: Vec<TermId> = open.iter().map(|&i| arriving[i]).collect();
        let told = about(terms, known.iter().chain(&way.conditions).copied().collect(), &goals);
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

    /// Asks with conditions; nothing if the solver does not understand them.
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

/// Whether a solver answers questions with a term fast: no products and quotients of variables, no quantifiers.
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
