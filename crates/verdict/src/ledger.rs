//! The ledger: the one place where evidence becomes a verdict.
//!
//! For each goal it keeps the runs that reach it, the strongest proof that none does, and the most specific reason why it is
//! open. A run counts more than a proof that rests on something. Of two proofs, the one that rests on less counts, and of
//! equals the one that explains itself; so the explanation of a verdict is always that of its own evidence.
//!
//! A proof that rests on the claim of a person or another tool is none of ours: the goal stays unknown, and the reason is that
//! claim.
//!
//! **Contradictions.** A run against a proof, neither of which rests on anything, is one: one of the two methods is wrong. The
//! run counts, as it was seen, and both are kept for the report. What rests on memory safety contradicts nothing, because
//! compiled programs go on where the program form ends.
//!
//! Example: `record(g, not reached within 4 iterations)`, then `record(g, reached)` gives *covered*. The same with a
//! proof for any number of iterations gives *covered* and a contradiction.

use crate::{Claim, Code, Evidence, Reason, Verdict};

/// A goal, by its position among those of the job.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GoalId(pub usize);

/// A run and a proof that cannot both be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The goal.
    pub goal: GoalId,
    /// The run that reaches it.
    pub run: Evidence,
    /// The proof that none does.
    pub proof: Evidence,
}

/// What is known of one goal.
#[derive(Clone, Default, Debug)]
struct Entry {
    run: Option<Evidence>,
    tests: Vec<usize>,
    confirmed: Option<bool>,
    proof: Option<Evidence>,
    reason: Option<Reason>,
    /// Why proofs do not count, if they do not.
    refused: Option<Code>,
}

/// The evidence on the goals of a job.
#[derive(Clone, Debug)]
pub struct Ledger {
    entries: Vec<Entry>,
    contradictions: Vec<Contradiction>,
}

impl Ledger {
    /// A ledger of so many goals, of which nothing is known.
    pub fn new(goals: usize) -> Ledger {
        Ledger { entries: vec![Entry::default(); goals], contradictions: Vec::new() }
    }

    /// No proof about a goal counts, for this reason: the program may do there what no method looks at.
    pub fn refuse_proofs(&mut self, goal: GoalId, why: Code) {
        if let Some(entry) = self.entries.get_mut(goal.0) {
            entry.refused = Some(why);
            self.contradictions.retain(|c| c.goal != goal);
        }
    }

    /// Whether proofs about a goal count.
    pub fn takes_proofs(&self, goal: GoalId) -> bool {
        self.entries.get(goal.0).is_some_and(|entry| entry.refused.is_none())
    }

    /// The goals.
    pub fn goals(&self) -> impl Iterator<Item = GoalId> + use<> {
        (0..self.entries.len()).map(GoalId)
    }

    /// Records what a method found out.
    pub fn record(&mut self, goal: GoalId, evidence: Evidence) {
        let Some(entry) = self.entries.get_mut(goal.0) else { return };
        match &evidence.claim {
            Claim::Open(reason) => entry.take_reason(reason),
            &Claim::Reached { test, confirmed } => {
                entry.tests.extend(test.filter(|t| !entry.tests.contains(t)));
                entry.confirmed = entry.confirmed.or(confirmed);
                // A run that rests on nothing counts more than one that does.
                if entry.run.as_ref().is_none_or(|known| known.strength() < evidence.strength()) {
                    entry.run = Some(evidence);
                    self.compare(goal);
                }
            }
            Claim::NotReached => {
                if entry.proof.as_ref().is_none_or(|known| known.yields_to(&evidence)) {
                    entry.proof = Some(evidence);
                    self.compare(goal);
                }
            }
        }
    }

    /// Records all of it.
    pub fn record_all(&mut self, all: impl IntoIterator<Item = (GoalId, Evidence)>) {
        all.into_iter().for_each(|(goal, evidence)| self.record(goal, evidence));
    }

    fn compare(&mut self, goal: GoalId) {
        let entry = &self.entries[goal.0];
        let (Some(run), Some(proof)) = (&entry.run, &entry.proof) else { return };
        let known = self.contradictions.iter().any(|c| c.goal == goal);
        if run.rests_on.is_empty() && proof.rests_on.is_empty() && entry.refused.is_none() && !known {
            let (run, proof) = (run.clone(), proof.clone());
            self.contradictions.push(Contradiction { goal, run, proof });
        }
    }

    /// The evidence that settles a goal, if any does.
    pub fn settling(&self, goal: GoalId) -> Option<&Evidence> {
        let entry = self.entries.get(goal.0)?;
        entry.run.as_ref().or(entry.proof.as_ref().filter(|_| entry.refused.is_none()))
    }

    /// The verdict on a goal.
    pub fn verdict(&self, goal: GoalId) -> Verdict {
        match self.settling(goal) {
            // Somebody's word is no verdict.
            Some(proof) if proof.claims().next().is_some() => Verdict::Unknown(Code::RestsOnClaims.into()),
            Some(proof) if proof.claim == Claim::NotReached => {
                proof.bound().map_or(Verdict::Unreachable, Verdict::UnreachableWithin)
            }
            Some(_) => Verdict::Covered,
            None => {
                let entry = self.entries.get(goal.0);
                let refused = entry.and_then(|entry| entry.refused).map(Reason::from);
                let reason = refused.or_else(|| entry.and_then(|entry| entry.reason.clone()));
                Verdict::Unknown(reason.unwrap_or(Code::NotReached.into()))
            }
        }
    }

    /// Whether nothing is known of a goal.
    pub fn is_open(&self, goal: GoalId) -> bool {
        self.settling(goal).is_none()
    }

    /// Whether some run reaches a goal.
    pub fn is_reached(&self, goal: GoalId) -> bool {
        self.entries.get(goal.0).is_some_and(|entry| entry.run.is_some())
    }

    /// Whether a proof without a bound excludes a goal, which no run reaches.
    pub fn is_excluded(&self, goal: GoalId) -> bool {
        self.verdict(goal) == Verdict::Unreachable
    }

    /// The numbers of the tests that reach a goal.
    pub fn tests(&self, goal: GoalId) -> &[usize] {
        self.entries.get(goal.0).map_or(&[], |entry| &entry.tests)
    }

    /// Of a failing check: whether its failure was confirmed, if that was asked.
    pub fn confirmed(&self, goal: GoalId) -> Option<bool> {
        self.entries.get(goal.0)?.confirmed
    }

    /// The contradictions.
    pub fn contradictions(&self) -> &[Contradiction] {
        &self.contradictions
    }
}

impl Entry {
    /// The more specific of two reasons stays; of equals, the first.
    fn take_reason(&mut self, reason: &Reason) {
        if self.reason.as_ref().is_none_or(|known| known.code < reason.code) {
            self.reason = Some(reason.clone());
        }
    }
}

impl Evidence {
    /// Whether another proof says more.
    fn yields_to(&self, other: &Evidence) -> bool {
        let key = |e: &Evidence| (e.strength(), !e.explanation.is_empty());
        key(self) < key(other)
    }
}
