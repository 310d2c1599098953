//! The second verifier: a solver, one body at a time, for what the analyser leaves open.
//!
//! **Idea.** The loops of the body are cut at their heads, where what the analyser found is assumed
//! (`footpath_absint::cut_loops`). What is left is a formula; a check is proved if the formula and "the block where it
//! fails is reached" contradict each other. Each assumption has a literal that enables it: those in the contradiction's
//! core are the premise, made smaller by leaving out one after the other.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.1: the results of several verifiers; a premise is the
//! conjunction of what one of them assumed.
//!
//! **Deviations.** What the analyser finds under all assumptions is assumed under all of them: a proof that needs it has
//! all of them for its premise.
//!
//! **Direction of error.** As the analyser's invariants, the encoding and the solver. What the solver does not refute in
//! its time stays open.

use std::time::{Duration, Instant};

use footpath_absint::{Calls, Effort, cut_loops};
use footpath_cover::vc::merged;
use footpath_ir::{Origin, ProcId, Program};
use footpath_smt::{
    Answer, DEFAULT_INSTANCES, Options as SolverOptions, Profile, Solver, SolverSpec, is_polymorphic, weaken,
};
use footpath_term::{Op, TermId, Terms};
use footpath_transform::theory::Theory;
use rustc_hash::FxHashSet;

/// The body to be proved about.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    /// The program, with each assumption under its literal.
    pub(crate) program: &'a Program,
    /// The procedure.
    pub(crate) procedure: ProcId,
    /// Which of its bodies.
    pub(crate) index: u32,
    /// What stands for calls.
    pub(crate) calls: Calls,
    /// Effort of the analyser.
    pub(crate) effort: Effort,
    /// Time for everything.
    pub(crate) time: Duration,
}

/// Time for a question.
const QUESTION: Duration = Duration::from_secs(2);
/// Cores of at most so many assumptions are made smaller.
const SMALL: usize = 16;
/// A body of more blocks is not encoded.
const MAX_BLOCKS: usize = 4_000;

/// A body as a formula.
pub(crate) struct Encoded {
    solver: Box<dyn Solver>,
    terms: Terms,
    /// For each block whose place is asked about its origin, and that it is reached.
    reach: Vec<(Origin, TermId)>,
    enabling: Vec<TermId>,
    deadline: Instant,
}

impl Encoded {
    /// Encodes the body. `enabling` are the literals of the assumptions. `None` if its loops cannot be cut, or the solver
    /// does not understand it.
    pub(crate) fn new(task: Task<'_>, enabling: &[TermId]) -> Option<Encoded> {
        Encoded::within(task, enabling, 0)
    }

    /// Encodes the body with the places of all that it calls.
    pub(crate) fn with_callees(task: Task<'_>) -> Option<Encoded> {
        Encoded::within(task, &[], u32::MAX)
    }

    /// The same with the places that have so many calls around them at most.
    fn within(task: Task<'_>, enabling: &[TermId], depth: u32) -> Option<Encoded> {
        let deadline = Instant::now() + task.time;
        let Task { program, procedure, index, calls, effort, .. } = task;
        let mut unit = cut_loops(program, procedure, index, calls, effort, enabling)?;
        if unit.body.blocks.len() > MAX_BLOCKS || Instant::now() > deadline {
            return None;
        }
        let mut terms = std::mem::take(&mut unit.terms);
        let vc = merged::encode(&unit, &mut terms, &program.old_symbols());
        let theory = Theory::new(program);
        let reached: Vec<TermId> = vc.reach.clone();
        let mut formulas = theory.expand(&mut terms, &vc.constraints);
        let mut roots = formulas.clone();
        roots.extend(theory.expand(&mut terms, &reached));
        let relevant = theory.relevant(&mut terms, &roots).formulas;
        let profile = if relevant.is_empty() { Profile::Decide } else { Profile::Refute };
        formulas.extend(relevant);
        if is_polymorphic(&terms, &formulas) {
            let made = weaken(&mut terms, &formulas, DEFAULT_INSTANCES).ok().filter(|made| !made.narrowed)?;
            formulas = made.roots;
        }
        let options = SolverOptions { profile, timeout: Some(QUESTION), ..SolverOptions::default() };
        let mut solver = footpath_smt::open(&SolverSpec::Z3, &options).ok()?;
        for formula in formulas {
            // A proof stands without what the solver cannot express; a goal that depends on it stays open.
            let _ = solver.assert(&terms, formula);
        }
        let own = unit.body.block_ids().filter(|b| unit.depths[b.index()] <= depth);
        let reach = own.map(|b| (unit.body[b].origin, vc.reach[b.index()])).collect();
        Some(Encoded { solver, terms, reach, enabling: enabling.to_vec(), deadline })
    }

    /// That a place is reached; `None` if it is not there.
    pub(crate) fn way(&mut self, at: Origin) -> Option<TermId> {
        let here = self.reach.iter().filter(|(origin, _)| *origin == at);
        let ways: Vec<TermId> = here.map(|(_, reach)| *reach).collect();
        (!ways.is_empty()).then(|| self.terms.app(Op::Or, ways))
    }

    /// That a literal is false.
    pub(crate) fn not(&mut self, literal: TermId) -> TermId {
        self.terms.app(Op::Not, [literal])
    }

    /// Which of some places a run reaches in which the literals hold, if there is one that reaches any of them; none of
    /// them if there is no such run. `None` if that is not found out.
    pub(crate) fn reached(&mut self, ways: &[TermId], literals: &[TermId]) -> Option<Vec<bool>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        self.solver.set_timeout(Some(left.min(QUESTION)));
        let any = self.terms.app(Op::Or, ways.to_vec());
        match self.solver.check(&self.terms, &[literals, &[any]].concat()) {
            Answer::Unsat => Some(vec![false; ways.len()]),
            Answer::Sat => {
                let truths = self.solver.truths(&self.terms, ways);
                let reached: Vec<bool> = truths.iter().map(|t| *t == Some(true)).collect();
                reached.contains(&true).then_some(reached)
            }
            Answer::Unknown(_) => None,
        }
    }

    /// Those of the places, each with the term that it is reached, that no run reaches in which the literals hold. If all
    /// together are too much, each is asked about.
    pub(crate) fn unreached(
        &mut self,
        mut open: Vec<(Origin, TermId)>,
        literals: &[TermId],
    ) -> FxHashSet<Origin> {
        while !open.is_empty() {
            let ways: Vec<TermId> = open.iter().map(|(_, way)| *way).collect();
            match self.reached(&ways, literals) {
                Some(reached) if reached.contains(&true) => {
                    let mut reached = reached.into_iter();
                    open.retain(|_| reached.next() == Some(false));
                }
                Some(_) => break,
                None => {
                    open.retain(|(_, way)| self.reached(&[*way], literals) == Some(vec![false]));
                    break;
                }
            }
        }
        open.into_iter().map(|(at, _)| at).collect()
    }

    /// Proves, of a check that fails at a place of the encoded program, that it does not, with the assumptions that are
    /// `allowed`; which of them the proof needed.
    pub(crate) fn prove(&mut self, at: Origin, allowed: &[usize]) -> Option<Vec<usize>> {
        let fails = self.way(at).unwrap_or_else(|| self.terms.bool(false));
        if self.terms.as_bool(fails) == Some(false) {
            return Some(Vec::new());
        }
        let mut premise = self.refute(fails, allowed)?;
        if premise.len() <= SMALL {
            for one in premise.clone() {
                let rest: Vec<usize> = premise.iter().copied().filter(|i| *i != one).collect();
                if rest.len() < premise.len()
                    && let Some(smaller) = self.refute(fails, &rest)
                {
                    premise = smaller;
                }
            }
        }
        Some(premise)
    }

    /// Whether a check is there, and never fails.
    pub(crate) fn holds(&mut self, at: Origin) -> bool {
        self.reach.iter().any(|(origin, _)| *origin == at) && self.prove(at, &[]).is_some()
    }

    /// Those of the assumptions that contradict the condition; none if they do not.
    fn refute(&mut self, fails: TermId, assumed: &[usize]) -> Option<Vec<usize>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        self.solver.set_timeout(Some(left.min(QUESTION)));
        let mut literals = vec![fails];
        literals.extend(assumed.iter().map(|i| self.enabling[*i]));
        if !self.solver.check(&self.terms, &literals).is_unsat() {
            return None;
        }
        let core = self.solver.core();
        Some(assumed.iter().copied().filter(|i| core.contains(&self.enabling[*i])).collect())
    }
}
