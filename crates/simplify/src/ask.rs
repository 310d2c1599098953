//! Solver queries of the simplifier: validity and satisfiability under limits, with a cache of answers.
//!
//! **Direction of error.** A query without an answer counts as "not proved", so a condition stays longer than
//! necessary.

use std::time::Duration;

use footpath_smt::{Answer, Solver, Unknown};
use footpath_term::{Op, TermId, Terms, Value};
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashMap;

use crate::{Dnf, Effort};

/// Simplifies conditions. All terms that it is given must be of one arena, which may grow.
pub struct Simplifier {
    solver: Box<dyn Solver>,
    pub(crate) effort: Effort,
    known: FxHashMap<Vec<TermId>, bool>,
    /// The conditions that are assumed.
    context: Vec<TermId>,
    /// The number of queries that are left for the current condition.
    left: u64,
    limit: u64,
    /// The time at which the last query must be over.
    deadline: Option<Deadline>,
    /// The time limit of a query.
    question: Option<Duration>,
    /// The number of queries so far.
    pub queries: u64,
}

impl Simplifier {
    /// A simplifier that asks at most `limit` queries for each condition. The time limit of a query is a setting of
    /// the solver.
    pub fn new(solver: Box<dyn Solver>, effort: Effort, limit: u64) -> Simplifier {
        Simplifier {
            solver,
            effort,
            known: FxHashMap::default(),
            context: Vec::new(),
            left: limit,
            limit,
            deadline: None,
            question: None,
            queries: 0,
        }
    }

    /// From now on a query takes at most `question`, and after `deadline` no query is asked: what is not proved
    /// equivalent by then stays as it is.
    pub fn until(&mut self, deadline: Option<Deadline>, question: Option<Duration>) {
        self.deadline = deadline;
        self.question = question;
    }

    /// Asks the solver, if there is time.
    fn check(&mut self, terms: &Terms, together: &[TermId]) -> Answer {
        let left = self.deadline.map(Deadline::left);
        if left == Some(Duration::ZERO) {
            return Answer::Unknown(Unknown::Timeout);
        }
        if let Some(limit) = [left, self.question].into_iter().flatten().min() {
            self.solver.set_timeout(Some(limit));
        }
        self.queries += 1;
        self.solver.check(terms, together)
    }

    /// Sets the assumptions: from now on conditions need to be equivalent only where all of `context` hold. Returns
    /// the previous assumptions.
    pub fn assume(&mut self, context: Vec<TermId>) -> Vec<TermId> {
        std::mem::replace(&mut self.context, context)
    }

    /// The assumptions.
    pub fn assumed(&self) -> &[TermId] {
        &self.context
    }

    /// Starts a new condition with a fresh limit on queries.
    pub fn begin(&mut self) {
        self.left = self.limit;
    }

    /// Whether no more queries are allowed for this condition.
    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0 || self.deadline.is_some_and(Deadline::is_over)
    }

    /// Whether the terms contradict each other; `None` if the solver has no answer.
    pub fn contradict(&mut self, terms: &Terms, together: &[TermId]) -> Option<bool> {
        let mut key = [&self.context, together].concat();
        key.sort_unstable();
        key.dedup();
        key.retain(|&t| terms.as_bool(t) != Some(true));
        if key.iter().any(|&t| terms.as_bool(t) == Some(false)) {
            return Some(true);
        }
        if key.is_empty() {
            return Some(false);
        }
        if let Some(&answer) = self.known.get(&key) {
            return Some(answer);
        }
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let answer = match self.check(terms, &key) {
            Answer::Sat => false,
            Answer::Unsat => true,
            Answer::Unknown(_) => return None,
        };
        self.known.insert(key, answer);
        Some(answer)
    }

    /// Whether the terms together imply `goal`; false also if the solver has no answer.
    pub fn implies(&mut self, terms: &mut Terms, premises: &[TermId], goal: TermId) -> bool {
        let not = terms.app(Op::Not, [goal]);
        let together = [premises, &[not]].concat();
        self.contradict(terms, &together) == Some(true)
    }

    /// Whether two conditions are equivalent; `None` if the solver has no answer.
    pub fn equivalent(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        self.begin();
        let (not_a, not_b) = (terms.app(Op::Not, [a]), terms.app(Op::Not, [b]));
        let forth = self.contradict(terms, &[a, not_b])?;
        Some(forth && self.contradict(terms, &[b, not_a])?)
    }

    /// Values for `of` in a model of all `together`; `None` for a term without a representable value. `None` as a
    /// whole if there is no model, or if the solver has no answer.
    pub fn model(&mut self, terms: &Terms, together: &[TermId], of: &[TermId]) -> Option<Vec<Option<Value>>> {
        match self.check(terms, &[&self.context, together].concat()) {
            Answer::Sat => Some(of.iter().map(|&t| self.solver.value(terms, t)).collect()),
            _ => None,
        }
    }

    /// Makes a condition short. The result is equivalent.
    pub fn simplify(&mut self, terms: &mut Terms, condition: &Dnf) -> Dnf {
        self.begin();
        self.minimise(terms, condition)
    }
}
