//! Deductive verification by verification conditions, the second verifier: a solver proves checks of one body that
//! the analyser leaves open.
//!
//! **Idea.** The loops of the body are cut at their heads, where the invariants of the analyser are assumed
//! (`footpath_absint::cut_loops`). The rest is a formula; a check is proved if the formula and "the block in which it
//! fails is reached" contradict each other. Each assumption has a literal that enables it: the literals in the
//! unsatisfiable core are the premise, minimised by leaving out one after the other.
//!
//! Example: with `i <= n` known at the head of `while (i < n) i++;`, the check `i == n` after the loop fails only if
//! `i <= n && !(i < n) && i != n`, which is unsatisfiable.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.1: the results of several verifiers; a premise
//! is the conjunction of what one of them assumed.
//!
//! **Deviations.** What the analyser finds under all assumptions is assumed under all of them: a proof that needs it
//! has all of them for its premise.
//!
//! **Direction of error.** That of the analyser's invariants, the encoding and the solver. What the solver does not
//! refute in its time stays open.

use std::time::Duration;

use footpath_absint::{Calls, Effort, cut_loops};
use footpath_cover::vc::merged;
use footpath_ir::{Origin, ProcId, Program, StatementKind};
use footpath_smt::{
    Answer, DEFAULT_INSTANCES, Options as SolverOptions, Profile, Solver, SolverSpec, Unknown,
    is_polymorphic, weaken,
};
use footpath_term::{Op, TermId, Terms};
use footpath_transform::theory::Theory;
use footpath_verdict::{Code, Reason};
use footpath_virtual_time::Deadline;
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
    /// How calls are treated.
    pub(crate) calls: Calls,
    /// Effort of the analyser.
    pub(crate) effort: Effort,
    /// Time for everything.
    pub(crate) time: Duration,
}

/// Time for a solver query.
const QUESTION: Duration = Duration::from_secs(2);
/// Cores of at most so many assumptions are made smaller.
const SMALL: usize = 16;
/// A body of more blocks is not encoded.
const MAX_BLOCKS: usize = 4_000;

/// A body as a formula.
pub(crate) struct Encoded {
    solver: Box<dyn Solver>,
    terms: Terms,
    /// For each block that may be asked about, its origin and the term that it is reached.
    reach: Vec<(Origin, TermId)>,
    enabling: Vec<TermId>,
    deadline: Deadline,
    /// Whether arbitrary values stand for something that runs compute: changed variables of loops, results of calls.
    has_havocs: bool,
}

impl Encoded {
    /// Encodes the body. `enabling` are the literals of the assumptions. The reason if nothing can be asked: its loops
    /// cannot be cut, it is too large, or the solver does not support it.
    pub(crate) fn new(task: Task<'_>, enabling: &[TermId]) -> Result<Encoded, Reason> {
        Encoded::within(task, enabling, 0)
    }

    /// Encodes the body with the places of all that it calls.
    pub(crate) fn with_callees(task: Task<'_>) -> Result<Encoded, Reason> {
        Encoded::within(task, &[], u32::MAX)
    }

    /// The same with the places at a call depth of at most `depth`.
    fn within(task: Task<'_>, enabling: &[TermId], depth: u32) -> Result<Encoded, Reason> {
        let deadline = Deadline::after(task.time);
        let Task { program, procedure, index, calls, effort, .. } = task;
        let unit = cut_loops(program, procedure, index, calls, effort, enabling);
        if deadline.is_over() {
            return Err(Code::ProofTime.into());
        }
        let mut unit = unit.ok_or(Code::LoopForm)?;
        if unit.body.blocks.len() > MAX_BLOCKS {
            return Err(Code::BlockLimit.with(MAX_BLOCKS.to_string()));
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
            let made = weaken(&mut terms, &formulas, DEFAULT_INSTANCES).ok().filter(|made| !made.narrowed);
            formulas = made.ok_or_else(|| Code::SolverUnsupported.with("polymorphic axioms"))?.roots;
        }
        let options = SolverOptions { profile, timeout: Some(QUESTION), ..SolverOptions::default() };
        let solver = footpath_smt::open(&SolverSpec::Z3, &options);
        let mut solver = solver.map_err(|why| Code::SolverFailed.with(why.to_string()))?;
        for formula in formulas {
            // A proof stands without what the solver cannot express; a goal that depends on it stays open.
            let _ = solver.assert(&terms, formula);
        }
        let own = unit.body.block_ids().filter(|b| unit.depths[b.index()] <= depth);
        let reach = own.map(|b| (unit.body[b].origin, vc.reach[b.index()])).collect();
        let mut statements = unit.body.blocks.iter().flat_map(|b| &b.statements);
        let has_havocs = statements.any(|s| matches!(s.kind, StatementKind::Havoc(_)));
        Ok(Encoded { solver, terms, reach, enabling: enabling.to_vec(), deadline, has_havocs })
    }

    /// The term that a place is reached; `None` if the place is not in the encoding.
    pub(crate) fn way(&mut self, at: Origin) -> Option<TermId> {
        let here = self.reach.iter().filter(|(origin, _)| *origin == at);
        let ways: Vec<TermId> = here.map(|(_, reach)| *reach).collect();
        (!ways.is_empty()).then(|| self.terms.app(Op::Or, ways))
    }

    /// The negation of a literal.
    pub(crate) fn not(&mut self, literal: TermId) -> TermId {
        self.terms.app(Op::Not, [literal])
    }

    /// The places that some run under the literals reaches, if there is a run that reaches any of them; all false if
    /// there is no such run. `None` if the solver does not answer.
    pub(crate) fn reached(&mut self, ways: &[TermId], literals: &[TermId]) -> Option<Vec<bool>> {
        let left = self.deadline.left();
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

    /// The places, each given with the term that it is reached, that no run under the literals reaches. If the query
    /// about all of them is too hard, each is asked about by itself.
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

    /// Proves that a check, given by the place of its failure, does not fail, with the assumptions that are
    /// `allowed`; returns those that the proof needed, or the reason why there is no proof.
    pub(crate) fn prove(&mut self, at: Origin, allowed: &[usize]) -> Result<Vec<usize>, Reason> {
        let fails = self.way(at).unwrap_or_else(|| self.terms.bool(false));
        if self.terms.as_bool(fails) == Some(false) {
            return Ok(Vec::new());
        }
        let mut premise = self.refute(fails, allowed)?;
        if premise.len() <= SMALL {
            for one in premise.clone() {
                let rest: Vec<usize> = premise.iter().copied().filter(|i| *i != one).collect();
                if rest.len() < premise.len()
                    && let Ok(smaller) = self.refute(fails, &rest)
                {
                    premise = smaller;
                }
            }
        }
        Ok(premise)
    }

    /// Whether a check is in the encoding, and never fails.
    pub(crate) fn holds(&mut self, at: Origin) -> bool {
        self.reach.iter().any(|(origin, _)| *origin == at) && self.prove(at, &[]).is_ok()
    }

    /// The assumptions that contradict the condition; the reason if it is not known that they do.
    fn refute(&mut self, fails: TermId, assumed: &[usize]) -> Result<Vec<usize>, Reason> {
        let left = self.deadline.left();
        if left.is_zero() {
            return Err(Code::ProofTime.into());
        }
        self.solver.set_timeout(Some(left.min(QUESTION)));
        let mut literals = vec![fails];
        literals.extend(assumed.iter().map(|i| self.enabling[*i]));
        match self.solver.check(&self.terms, &literals) {
            Answer::Unsat => {}
            Answer::Sat if self.has_havocs => return Err(Code::WeakInvariants.into()),
            Answer::Sat => return Err(Code::CallerState.into()),
            Answer::Unknown(Unknown::Timeout) => return Err(Code::ProofTime.into()),
            Answer::Unknown(why) => return Err(Reason::from(&why)),
        }
        let core = self.solver.core();
        Ok(assumed.iter().copied().filter(|i| core.contains(&self.enabling[*i])).collect())
    }
}
