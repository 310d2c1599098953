//! Questions to the solver, each asked once.

use std::time::{Duration, Instant};

use footpath_smt::{Answer, Solver, Unknown};
use footpath_term::{Op, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use crate::{Dnf, Effort};

/// Simplifies conditions; see the crate. All terms it is given must be of one arena, which may grow.
pub struct Simplifier {
    solver: Box<dyn Solver>,
    pub(crate) effort: Effort,
    known: FxHashMap<Vec<TermId>, bool>,
    /// What may be assumed.
    context: Vec<TermId>,
    /// How many questions may still be asked for the condition at hand.
    left: u64,
    limit: u64,
    /// When the last question must be over.
    deadline: Option<Instant>,
    /// How long a question may take.
    question: Option<Duration>,
    /// How many questions were asked.
    pub queries: u64,
}

impl Simplifier {
    /// A simplifier that asks at most `limit` questions for each condition. What the solver may take for a question is
    /// the solver's own setting.
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

    /// From now on a question takes at most `question`, and after `deadline` nothing is asked: what is not known to be
    /// equivalent by then stays as it is.
    pub fn until(&mut self, deadline: Option<Instant>, question: Option<Duration>) {
        self.deadline = deadline;
        self.question = question;
    }

    /// Asks the solver, if there is time.
    fn check(&mut self, terms: &Terms, together: &[TermId]) -> Answer {
        let left = self.deadline.map(|d| d.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Answer::Unknown(Unknown::Timeout);
        }
        if let Some(limit) = [left, self.question].into_iter().flatten().min() {
            self.solver.set_timeout(Some(limit));
        }
        self.queries += 1;
        self.solver.check(terms, together)
    }

    /// From now on conditions need to be equivalent only where all of `context` hold. Gives what was assumed before.
    pub fn assume(&mut self, context: Vec<TermId>) -> Vec<TermId> {
        std::mem::replace(&mut self.context, context)
    }

    /// What may be assumed.
    pub fn assumed(&self) -> &[TermId] {
        &self.context
    }

    /// Begins a new condition, with questions of its own.
    pub fn begin(&mut self) {
        self.left = self.limit;
    }

    /// Whether nothing more is asked of this condition.
    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0 || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether the terms contradict each other; `None` if the solver does not say.
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

    /// Whether the terms imply `goal` together; false also if nobody knows.
    pub fn implies(&mut self, terms: &mut Terms, premises: &[TermId], goal: TermId) -> bool {
        let not = terms.app(Op::Not, [goal]);
        let together = [premises, &[not]].concat();
        self.contradict(terms, &together) == Some(true)
    }

    /// Whether two conditions are the same; `None` if the solver does not say.
    pub fn equivalent(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        self.begin();
        let (not_a, not_b) = (terms.app(Op::Not, [a]), terms.app(Op::Not, [b]));
        let forth = self.contradict(terms, &[a, not_b])?;
        Some(forth && self.contradict(terms, &[b, not_a])?)
    }

    /// Values for `of` in a model of all `together`; `None` for one that the solver cannot say. `None` at all if there
    /// is no model, or if the solver does not say.
    pub fn model(&mut self, terms: &Terms, together: &[TermId], of: &[TermId]) -> Option<Vec<Option<Value>>> {
        match self.check(terms, &[&self.context, together].concat()) {
            Answer::Sat => Some(of.iter().map(|&t| self.solver.value(terms, t)).collect()),
            _ => None,
        }
    }

    /// Makes a condition short. What is given back is equivalent.
    pub fn simplify(&mut self, terms: &mut Terms, condition: &Dnf) -> Dnf {
        self.begin();
        self.minimise(terms, condition)
    }
}
