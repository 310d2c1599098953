//! The search for a run: questions whose models are runs, and what is tried of models that are none.

use footpath_ir::BlockId;
use footpath_ir::interp::{Interpreter, Outcome};
use footpath_smt::{Answer, Profile, Solver};
use footpath_term::{Op, SortId, TermId, Value};

use super::{ReachError, Verdict, Work};
use crate::counters::Kind;
use crate::replay::{Demands, Replay, Replayed, path};
use crate::summary::Tree;
use crate::unfold::{Limits, Unfolding};

/// How many times more rounds than were unfolded a loop may take in a model, for all of them to be unfolded.
const MORE_ROUNDS: u64 = 128;
/// With how many rounds a model is looked for if the first one has more.
const FEW_ROUNDS: u64 = 40;
/// Steps of a run whose path was asked for.
const REPLAY_STEPS: u64 = 1_000_000;
/// Steps of a run of which only the inputs are known, at most, and with one round unfolded; it grows with their square.
const CANDIDATE_STEPS: u64 = 8_000_000;
const FIRST_STEPS: u64 = 20_000;

impl Work<'_, '_> {
    /// As many rounds as a model goes round loops, if some more than `k` times, and the model's numbers. Looks for a model with
    /// few rounds if this one has many.
    pub(super) fn limits_of_model(
        &mut self,
        unfolding: &Unfolding,
        k: u64,
        solver: &mut dyn Solver,
    ) -> Option<Limits> {
        let limits = self.limits_of(unfolding, k, solver);
        if limits.is_ok() {
            return limits.ok().flatten();
        }
        solver.push();
        let mut told = true;
        for &(_, total) in &unfolding.totals {
            let kind = if self.terms.sort(total) == SortId::INT { Kind::Int } else { Kind::Bits };
            let most = kind.number(&mut self.terms, FEW_ROUNDS.max(k));
            let few = kind.le(&mut self.terms, total, most);
            told &= solver.assert(&self.terms, few).is_ok();
        }
        let slice = self.slice(8);
        let found = told && self.check(solver, slice).is_sat();
        let limits = found.then(|| self.limits_of(unfolding, k, solver));
        solver.pop(1);
        limits?.ok().flatten()
    }

    /// The same for the model at hand; an error if it goes round loops too often.
    fn limits_of(
        &mut self,
        unfolding: &Unfolding,
        k: u64,
        solver: &mut dyn Solver,
    ) -> Result<Option<Limits>, ()> {
        let mut limits = Limits { exact: true, ..Limits::of_all(k) };
        for &(outer, total) in &unfolding.totals {
            let Some(value) = solver.value(&self.terms, total) else { continue };
            let Some(rounds) = value.as_u64().filter(|&rounds| rounds <= k * MORE_ROUNDS) else {
                return Err(());
            };
            if let Some(outer) = outer {
                limits.numbers.insert(outer, self.terms.value(&value));
            }
            match outer {
                _ if rounds <= k => {}
                Some(total) => {
                    limits.outer.insert(total, rounds);
                }
                None => limits.inner = limits.inner.max(rounds),
            }
        }
        if limits.inner == 0 && limits.outer.is_empty() {
            return Ok(None);
        }
        let (procedure, body) = self.job.start;
        let params = self.job.program[procedure].bodies[body as usize].params.iter();
        let params: Vec<TermId> = params.map(|v| self.terms.var(v.symbol)).collect();
        let havocs = unfolding.way.steps.iter().flat_map(|s| s.havocs.iter().copied());
        for t in params.into_iter().chain(havocs) {
            let Op::Var(symbol) = self.terms.term(t).op else { continue };
            let value = solver.value(&self.terms, t);
            if let Some(value @ (Value::Int(_) | Value::BitVec { .. } | Value::Bool(_))) = value {
                limits.numbers.insert(symbol, self.terms.value(&value));
            }
        }
        Ok(Some(limits))
    }

    /// Asks for a run that stays within the limits.
    pub(super) fn look_for_run(
        &mut self,
        tree: &Tree,
        limits: &Limits,
        solver: &mut dyn Solver,
        interpreter: &Interpreter<'_>,
    ) -> Result<Option<Verdict>, ReachError> {
        let Some(unfolding) = self.unfold(tree, limits) else { return Ok(None) };
        self.within(&unfolding, solver, |work, solver| {
            let slice = work.slice(if limits.numbers.is_empty() { 3 } else { 6 });
            match work.check(solver, slice) {
                Answer::Sat => {}
                Answer::Unsat => return Ok(None),
                Answer::Unknown(why) => {
                    work.why = why.to_string();
                    return Ok(None);
                }
            }
            let Some(blocks) = path(&unfolding.way, &work.terms, solver) else { return Ok(None) };
            work.follow(&blocks, interpreter)
        })
    }

    /// Asks for inputs that take a path, and runs them.
    fn follow(
        &mut self,
        blocks: &[BlockId],
        interpreter: &Interpreter<'_>,
    ) -> Result<Option<Verdict>, ReachError> {
        let Some(target) = self.job.target else { return Ok(None) };
        let program = self.job.program;
        let demands = Demands::of_path(program, &mut self.terms, &self.inlined, &self.initial, blocks);
        let conditions = self.theory.expand(&mut self.terms, &demands.conditions);
        let relevant = self.theory.relevant(&mut self.terms, &conditions);
        let mut solver = self.job.solver(Profile::Decide)?;
        let told =
            conditions.iter().chain(&relevant.formulas).all(|&t| solver.assert(&self.terms, t).is_ok());
        let slice = self.slice(2);
        if !told || !self.check(&mut *solver, slice).is_sat() {
            "a way to the target was found, but no inputs for it".clone_into(&mut self.why);
            return Ok(None);
        }
        let steps = REPLAY_STEPS;
        let start = self.job.start;
        let replay = Replay { program, interpreter, start, target, axioms: &relevant.axioms, steps };
        match replay.run(&mut self.terms, &mut *solver, demands) {
            Replayed::Reached(test) => Ok(Some(Verdict::Reached(Box::new(test)))),
            Replayed::Missed(Outcome::Stuck { why, .. }) => {
                self.why = format!("a test was found but could not be replayed: {why}");
                Ok(None)
            }
            Replayed::Missed(Outcome::OutOfSteps) => {
                "a test was found but its replay takes too many steps".clone_into(&mut self.why);
                Ok(None)
            }
            Replayed::Missed(outcome) => {
                let name = &program[start.0].name;
                Err(ReachError::Internal(format!(
                    "a test of {name} left its path and ended with {outcome:?}"
                )))
            }
        }
    }

    /// Runs the inputs of a model whose path is not known.
    pub(super) fn try_inputs(
        &mut self,
        unfolding: &Unfolding,
        k: u64,
        solver: &mut dyn Solver,
        interpreter: &Interpreter<'_>,
    ) -> Option<Verdict> {
        let target = self.job.target?;
        let axioms = self.theory.relevant(&mut self.terms, &[unfolding.formula]).axioms;
        let (program, start) = (self.job.program, self.job.start);
        let steps = CANDIDATE_STEPS.min(k * k * FIRST_STEPS);
        let replay = Replay { program, interpreter, start, target, axioms: &axioms, steps };
        let demands = Demands::of_outline(&unfolding.way, &self.terms, &self.inlined, solver);
        match replay.run(&mut self.terms, solver, demands) {
            Replayed::Reached(test) => Some(Verdict::Reached(Box::new(test))),
            Replayed::Missed(_) => None,
        }
    }
}
