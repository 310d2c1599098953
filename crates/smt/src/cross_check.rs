//! Cross-checking: every query is asked of two solvers, and their answers are compared.
//!
//! If one says `Sat` and the other `Unsat`, one of them, or our translation, is wrong: that is recorded as a
//! [`Disagreement`] and the answer is [`Unknown::Failed`], never one of the two. If only one of them has an answer,
//! that answer is used, unconfirmed.
//!
//! **Direction of error.** Two solvers may share a mistake, and the input of both is made from the same terms. Models
//! and cores are the primary's, or the secondary's where the primary has no answer; they are not compared.

use std::time::{Duration, Instant};

use footpath_term::{TermId, Terms, Value};

use crate::solver::{Answer, Interrupter, Solver, Statistics, Unknown, Unsupported};

/// A query that two solvers answer differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The number of the query, from 1.
    pub query: u64,
    /// The answer of the primary solver.
    pub primary: Answer,
    /// The answer of the secondary solver.
    pub secondary: Answer,
}

/// A solver that asks two solvers.
pub struct CrossChecked<P, S> {
    primary: P,
    secondary: S,
    /// For each level, the number of assertions that the secondary cannot express. While there are some, its
    /// constraints are weaker, and its `Sat` is not used.
    missing: Vec<u32>,
    by_secondary: bool,
    disagreements: Vec<Disagreement>,
    unconfirmed: u64,
    statistics: Statistics,
}

impl<P: Solver, S: Solver> CrossChecked<P, S> {
    /// Two solvers without assertions.
    pub fn new(primary: P, secondary: S) -> CrossChecked<P, S> {
        CrossChecked {
            primary,
            secondary,
            missing: vec![0],
            by_secondary: false,
            disagreements: Vec::new(),
            unconfirmed: 0,
            statistics: Statistics::default(),
        }
    }

    /// All disagreements so far.
    pub fn disagreements(&self) -> &[Disagreement] {
        &self.disagreements
    }

    /// The number of answers that only one of the two gave.
    pub fn unconfirmed(&self) -> u64 {
        self.unconfirmed
    }
}

impl<P: Solver, S: Solver> Solver for CrossChecked<P, S> {
    fn name(&self) -> String {
        format!("{} checked by {}", self.primary.name(), self.secondary.name())
    }

    fn assert(&mut self, terms: &Terms, t: TermId) -> Result<(), Unsupported> {
        self.primary.assert(terms, t)?;
        if self.secondary.assert(terms, t).is_err() {
            *self.missing.last_mut().expect("the lowest level stays") += 1;
        }
        self.statistics.asserted += 1;
        Ok(())
    }

    fn push(&mut self) {
        self.primary.push();
        self.secondary.push();
        self.missing.push(0);
    }

    fn pop(&mut self, levels: u32) {
        self.primary.pop(levels);
        self.secondary.pop(levels);
        let keep = self.missing.len().saturating_sub(levels as usize).max(1);
        self.missing.truncate(keep);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        let start = Instant::now();
        let primary = self.primary.check(terms, assumptions);
        let mut secondary = match primary {
            Answer::Unknown(Unknown::Interrupted) => Answer::Unknown(Unknown::Interrupted),
            _ => self.secondary.check(terms, assumptions),
        };
        if secondary.is_sat() && self.missing.iter().any(|&n| n > 0) {
            secondary = Answer::Unknown(Unknown::Unsupported("all of the assertions".to_owned()));
        }
        self.by_secondary = matches!(primary, Answer::Unknown(_)) && !matches!(secondary, Answer::Unknown(_));
        let answer = match (primary, secondary) {
            (Answer::Unknown(why), Answer::Unknown(_)) => Answer::Unknown(why),
            (known, Answer::Unknown(_)) | (Answer::Unknown(_), known) => {
                self.unconfirmed += 1;
                known
            }
            (one, other) if one == other => one,
            (primary, secondary) => {
                let what = format!(
                    "solvers disagree: {} says {primary}, {} says {secondary}",
                    self.primary.name(),
                    self.secondary.name()
                );
                let query = self.statistics.queries + 1;
                self.disagreements.push(Disagreement { query, primary, secondary });
                Answer::Unknown(Unknown::Failed(what))
            }
        };
        self.statistics.count(&answer, start.elapsed());
        answer
    }

    fn value(&mut self, terms: &Terms, t: TermId) -> Option<Value> {
        if self.by_secondary { self.secondary.value(terms, t) } else { self.primary.value(terms, t) }
    }

    fn truths(&mut self, terms: &Terms, of: &[TermId]) -> Vec<Option<bool>> {
        if self.by_secondary { self.secondary.truths(terms, of) } else { self.primary.truths(terms, of) }
    }

    fn candidate(&mut self) -> bool {
        self.primary.candidate()
    }

    fn core(&mut self) -> Vec<TermId> {
        if self.by_secondary { self.secondary.core() } else { self.primary.core() }
    }

    fn set_timeout(&mut self, limit: Option<Duration>) {
        self.primary.set_timeout(limit);
        self.secondary.set_timeout(limit);
    }

    fn set_work_limit(&mut self, limit: Option<u32>) -> bool {
        let counts = [self.primary.set_work_limit(limit), self.secondary.set_work_limit(limit)];
        counts == [true; 2]
    }

    fn interrupter(&self) -> Interrupter {
        self.primary.interrupter().and(&self.secondary.interrupter())
    }

    fn prefer(&mut self, terms: &Terms, wanted: &[TermId]) -> bool {
        self.primary.prefer(terms, wanted)
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
