//! Houdini for proposed loop invariants: candidates that are not inductive are dropped until all that are left are.
//!
//! **Idea.** All candidates are assumed at their loop heads and checked where a head is reached again, or for the
//! first time; those that the solver does not prove are dropped, and the rest is tried again, as the proof of one may
//! have needed another. See `proposed_invariants.rs` for where candidates come from.
//!
//! Example: of the candidates `i <= n` and `i < n` at the head of `for (i = 0; i < n; i++)` the second one fails
//! after the last iteration and is dropped; the first one is proved if `n >= 0`.
//!
//! **Paper.** C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001).
//!
//! **Direction of error.** That of the solver: if its time is up before the set is inductive, all candidates are
//! dropped.

use footpath_absint::Effort;
use footpath_ir::{AssertKind, BlockId, Origin, Place, ProcId, Program, Statement, StatementKind};
use footpath_parallel::on_deep_stack;
use footpath_smt::houdini;
use footpath_term::{TermId, Terms};
use footpath_virtual_time::Deadline;

use crate::analysis::{Invariant, Search, put};
use crate::assumption::Form;
use crate::proposed_invariants::{Proposal, readings};
use crate::solver_proofs::{Encoded, Task};

/// One reading of a proposal.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<'a> {
    proposal: &'a Proposal,
    /// None if it cannot be read.
    condition: Option<TermId>,
}

/// The proposals about a body in all their readings.
pub(crate) fn candidates<'a>(
    terms: &mut Terms,
    program: &Program,
    (procedure, index): (ProcId, u32),
    proposals: &'a [Proposal],
) -> Vec<Candidate<'a>> {
    let mut found = Vec::new();
    for proposal in proposals.iter().filter(|p| (p.procedure, p.body) == (procedure, index)) {
        let body = &program[procedure].bodies[index as usize];
        let conditions = readings(terms, program, body, &proposal.text);
        found.extend(conditions.iter().map(|c| Candidate { proposal, condition: Some(*c) }));
        if conditions.is_empty() {
            found.push(Candidate { proposal, condition: None });
        }
    }
    found
}

impl Search<'_> {
    /// Proves candidates by Houdini; those that are proved are assumed from then on.
    pub(crate) fn propose(&mut self, candidates: &[Candidate<'_>]) -> Vec<Invariant> {
        let mut left: Vec<(BlockId, TermId)> =
            candidates.iter().filter_map(|c| Some((c.proposal.head, c.condition?))).collect();
        left.sort_unstable();
        left.dedup();
        let left = houdini(left, |left| {
            if !left.is_empty() {
                let mut holds = self.inductive(left)?.into_iter();
                left.retain(|_| holds.next() == Some(true));
            }
            Some(())
        });
        let left = left.unwrap_or_default();
        let mut told: Vec<Invariant> = Vec::new();
        for c in candidates {
            let (by, text) = (c.proposal.by.clone(), c.proposal.text.clone());
            let span = self.plain[self.procedure].bodies[self.index as usize][c.proposal.head].span;
            let proved = c.condition.is_some_and(|t| left.contains(&(c.proposal.head, t)));
            match told.iter_mut().find(|i| (&i.by, &i.text, i.span) == (&by, &text, span)) {
                Some(known) => known.proved |= proved,
                None => told.push(Invariant { by, text, span, proved }),
            }
        }
        self.invariants = left;
        told
    }

    /// For each condition, whether it holds whenever its head is reached, provided that all of them held at every
    /// head before; `None` if that cannot be asked.
    fn inductive(&self, conditions: &[(BlockId, TermId)]) -> Option<Vec<bool>> {
        let time = self.left_of(self.solver?);
        let none = vec![false; self.sites.len()];
        let mut placed = self.placed(Terms::layer(self.plain.terms.clone()), &Form::Assume(&none));
        let body = &mut placed.program[self.procedure].bodies[self.index as usize];
        let mut origins = Vec::new();
        for (number, &(head, condition)) in conditions.iter().enumerate() {
            let span = body[head].span;
            let asserted = StatementKind::assert(condition, AssertKind::LoopInvariant);
            put(body, &mut placed.moved, (head, 0), vec![Statement::new(asserted, span)]);
            // Those that come later stand before it.
            let behind = conditions[number + 1..].iter().filter(|c| c.0 == head).count();
            let place = Place::Failure { block: head, statement: behind as u32, clause: 0 };
            origins.push(Origin { procedure: self.procedure, body: self.index, place });
        }
        let task = Task {
            program: &placed.program,
            procedure: self.procedure,
            index: self.index,
            calls: self.options.calls,
            effort: Effort { until: Some(Deadline::after(time)), ..self.options.effort },
            time,
        };
        let prove = || {
            let mut prover = Encoded::new(task, &[]).ok()?;
            Some(origins.iter().map(|at| prover.holds(*at)).collect())
        };
        on_deep_stack(prove).ok()?
    }
}
