//! The search for a run to the target: queries whose models are runs, and what is tried with models that are none.
//!
//! Example: a model whose loop iterates more often than was unfolded has no path, but its inputs may still lead to
//! the target; the interpreter runs them.
//!
//! **Direction of error.** None: only a run of the interpreter is an answer.

use std::time::Duration;

use footpath_ir::BlockId;
use footpath_ir::interp::{Interpreter, Outcome};
use footpath_smt::{Answer, Profile, Solver};
use footpath_term::{Op, SortId, Substitution, TermId, Terms, Value};
use footpath_verdict::Code;

use super::{ReachError, Verdict, Work};
use crate::counters::Kind;
use crate::int_lifting::{Ideal, as_machine};
use crate::replay::{Demands, Replay, Replayed, Test, path};
use crate::summary::Tree;
use crate::unfold::{Limits, PathTree, Unfolding};

/// The factor by which a model may exceed the iterations that were unfolded, for all of them to be unfolded next.
const MORE_ROUNDS: u64 = 128;
/// The largest iteration count of the models that are looked for if the first one has more.
const FEW_ROUNDS: u64 = 40;
/// Steps of a run whose path was asked for.
const REPLAY_STEPS: u64 = 1_000_000;
/// Steps of a run of which only the inputs are known, at most, and with one iteration unfolded; it grows with their
/// square.
const CANDIDATE_STEPS: u64 = 8_000_000;
const FIRST_STEPS: u64 = 20_000;
/// Steps of a run with the numbers of a guess.
const GUESS_STEPS: u64 = 400_000;
/// The largest number of tests that are executed natively.
const MAX_NATIVE: usize = 3;

/// What a model suggests whose machine integers do not wrap.
pub(super) struct Guess {
    /// How far loops are to be unfolded; `None` if a loop iterates too often.
    pub(super) limits: Option<Limits>,
    /// The numbers that the run begins with.
    pub(super) numbers: Substitution,
    /// Its choices.
    pub(super) demands: Demands,
}

impl Work<'_, '_> {
    /// Whether the necessary condition has a model, which is first looked for among those in which no loop iterates
    /// often: with large counters the query takes much longer.
    pub(super) fn check_few_first(
        &mut self,
        unfolding: &Unfolding,
        k: u64,
        solver: &mut dyn Solver,
        limit: Option<Duration>,
    ) -> Answer {
        let few = self.few(unfolding, k);
        match self.check_assuming(solver, limit, &few) {
            Answer::Unsat => self.check(solver, limit),
            answer => answer,
        }
    }

    /// Limits with the iteration counts of the current model, if some loop has more than `k`, and with its numbers;
    /// `None` if a loop has too many.
    pub(super) fn limits_of_model(
        &mut self,
        unfolding: &Unfolding,
        k: u64,
        solver: &mut dyn Solver,
    ) -> Option<Limits> {
        self.limits_of(unfolding, k, &mut |terms, t| solver.value(terms, t))
    }

    /// The same for a model given as the values of terms.
    fn limits_of(
        &mut self,
        unfolding: &Unfolding,
        k: u64,
        value: &mut dyn FnMut(&mut Terms, TermId) -> Option<Value>,
    ) -> Option<Limits> {
        let mut limits = Limits { exact: true, ..Limits::of_all(k) };
        for &(outer, total) in &unfolding.totals {
            let Some(value) = value(&mut self.terms, total) else { continue };
            let rounds = value.as_u64().filter(|&rounds| rounds <= k * MORE_ROUNDS)?;
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
            return None;
        }
        limits.numbers.extend(self.numbers_of(unfolding, value));
        Some(limits)
    }

    /// The numbers that a run begins with in a model.
    fn numbers_of(
        &mut self,
        unfolding: &Unfolding,
        value: &mut dyn FnMut(&mut Terms, TermId) -> Option<Value>,
    ) -> Substitution {
        let (procedure, body) = self.job.start;
        let params = self.job.program[procedure].bodies[body as usize].params.iter();
        let params: Vec<TermId> = params.map(|v| self.terms.var(v.symbol)).collect();
        let havocs = unfolding.way.steps.iter().flat_map(|s| s.havocs.iter().copied());
        let mut numbers = Substitution::default();
        for t in params.into_iter().chain(havocs) {
            let Op::Var(symbol) = self.terms.term(t).op else { continue };
            let value = value(&mut self.terms, t);
            if let Some(value @ (Value::Int(_) | Value::BitVec { .. } | Value::Bool(_))) = value {
                numbers.insert(symbol, self.terms.value(&value));
            }
        }
        numbers
    }

    /// What a model says in which machine integers do not wrap, and if possible no loop iterates often.
    pub(super) fn ideal_guess(
        &mut self,
        unfolding: &Unfolding,
        k: u64,
        solver: &mut dyn Solver,
    ) -> Option<Guess> {
        let mut ideal = Ideal::default();
        let few = self.few(unfolding, k);
        let few = self.terms.app(Op::And, few);
        let few = ideal.condition(&mut self.terms, few)?;
        let condition = ideal.condition(&mut self.terms, unfolding.formula)?;
        let way = unfolding.way.map(&mut |total| ideal.twin(&mut self.terms, total))?;
        solver.push();
        let told = solver.assert(&self.terms, condition).is_ok();
        let slice = self.slice(8);
        let found = told
            && match self.check_assuming(solver, slice, &[few]) {
                Answer::Unsat => self.check(solver, slice).is_sat(),
                answer => answer.is_sat(),
            };
        let guess = found.then(|| {
            let mut value = |terms: &mut Terms, t: TermId| {
                let twin = ideal.twin(terms, t)?;
                let value = solver.value(terms, twin)?;
                Some(as_machine(terms, terms.sort(t), value))
            };
            let limits = self.limits_of(unfolding, k, &mut value);
            let numbers = self.numbers_of(unfolding, &mut value);
            Guess { limits, numbers, demands: Demands::of_outline(&way, &self.terms, &self.inlined, solver) }
        });
        solver.pop(1);
        guess
    }

    /// Runs the numbers of a guess.
    pub(super) fn try_guess(
        &mut self,
        unfolding: &Unfolding,
        guess: (Substitution, Demands),
        solver: &mut dyn Solver,
        interpreter: &Interpreter<'_>,
    ) -> Result<Option<Verdict>, ReachError> {
        let (numbers, demands) = guess;
        let equal = |work: &mut Self, (symbol, number)| {
            let variable = work.terms.var(symbol);
            work.terms.app(Op::Eq, [variable, number])
        };
        let formulas: Vec<TermId> = numbers.into_iter().map(|one| equal(self, one)).collect();
        self.within(&formulas, solver, |work, solver| {
            let slice = work.slice(8);
            if !work.check(solver, slice).is_sat() {
                return Ok(None);
            }
            Ok(work.try_run(unfolding, GUESS_STEPS, demands, solver, interpreter))
        })
    }

    /// Whether iterations are counted by machine integers.
    pub(super) fn counts_in_bits(&self, unfolding: &Unfolding) -> bool {
        unfolding.totals.iter().any(|&(_, total)| self.terms.sort(total) != SortId::INT)
    }

    /// The conditions that no loop iterates often.
    fn few(&mut self, unfolding: &Unfolding, k: u64) -> Vec<TermId> {
        let few = unfolding.totals.iter().map(|&(_, total)| {
            let kind = if self.terms.sort(total) == SortId::INT { Kind::Int } else { Kind::Bits };
            let most = kind.number(&mut self.terms, FEW_ROUNDS.max(k));
            kind.le(&mut self.terms, total, most)
        });
        few.collect()
    }

    /// Asks for a run that stays within the limits; first as if machine integers did not wrap, which fixes so much
    /// that only the path remains to be found.
    pub(super) fn look_for_run(
        &mut self,
        tree: &Tree,
        limits: &Limits,
        solver: &mut dyn Solver,
        interpreter: &Interpreter<'_>,
    ) -> Result<Option<Verdict>, ReachError> {
        let Some(unfolding) = self.unfold(tree, limits) else { return Ok(None) };
        let is_fixed = !limits.numbers.is_empty();
        if is_fixed && let Some((condition, way)) = self.ideal(&unfolding) {
            let found = self.within(&[condition], solver, |work, solver| {
                let slice = work.slice(8);
                if !work.check(solver, slice).is_sat() {
                    return Ok(None);
                }
                let Some(blocks) = path(&way, &work.terms, solver) else { return Ok(None) };
                work.follow(&blocks, interpreter)
            })?;
            if found.is_some() {
                return Ok(found);
            }
        }
        let formulas = self.formulas(&unfolding);
        self.within(&formulas, solver, |work, solver| {
            let slice = work.slice(if is_fixed { 6 } else { 3 });
            match work.check(solver, slice) {
                Answer::Sat => {}
                Answer::Unsat => return Ok(None),
                Answer::Unknown(why) => {
                    work.why = (&why).into();
                    return Ok(None);
                }
            }
            let Some(blocks) = path(&unfolding.way, &work.terms, solver) else { return Ok(None) };
            work.follow(&blocks, interpreter)
        })
    }

    /// The condition and the path as if machine integers did not wrap, if there are any.
    fn ideal(&mut self, unfolding: &Unfolding) -> Option<(TermId, PathTree)> {
        if !self.counts_in_bits(unfolding) {
            return None;
        }
        let terms = &mut self.terms;
        let mut ideal = Ideal::default();
        let condition = ideal.condition(terms, unfolding.formula)?;
        let way = unfolding.way.map(&mut |total| ideal.twin(terms, total))?;
        Some((condition, way))
    }

    /// Asks for inputs that follow a path, and runs them.
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
            self.why = Code::NoInputs.into();
            return Ok(None);
        }
        let steps = REPLAY_STEPS;
        let start = self.job.start;
        let replay = Replay { program, interpreter, start, target, axioms: &relevant.axioms, steps };
        match replay.run(&mut self.terms, &mut *solver, demands) {
            Replayed::Reached(test) => Ok(Some(Verdict::Reached(Box::new(test)))),
            Replayed::Missed(Outcome::Stuck { why, .. }) => {
                self.why =
                    Code::ModelNotReplayed.with(format!("a test was found but could not be replayed: {why}"));
                Ok(None)
            }
            Replayed::CutShort(test) => {
                self.why =
                    Code::ModelNotReplayed.with("a test was found but its replay takes too many steps");
                Ok(self.run_natively(test))
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
        let demands = Demands::of_outline(&unfolding.way, &self.terms, &self.inlined, solver);
        let steps = CANDIDATE_STEPS.min(k * k * FIRST_STEPS);
        self.try_run(unfolding, steps, demands, solver, interpreter)
    }

    /// Runs the inputs of a model, with the choices that are demanded.
    fn try_run(
        &mut self,
        unfolding: &Unfolding,
        steps: u64,
        demands: Demands,
        solver: &mut dyn Solver,
        interpreter: &Interpreter<'_>,
    ) -> Option<Verdict> {
        let target = self.job.target?;
        let axioms = self.theory.relevant(&mut self.terms, &[unfolding.formula]).axioms;
        let (program, start) = (self.job.program, self.job.start);
        let replay = Replay { program, interpreter, start, target, axioms: &axioms, steps };
        match replay.run(&mut self.terms, solver, demands) {
            Replayed::Reached(test) => Some(Verdict::Reached(Box::new(test))),
            Replayed::CutShort(test) => self.run_natively(test),
            Replayed::Missed(_) => None,
        }
    }

    /// Runs natively what takes the interpreter too long.
    fn run_natively(&mut self, test: Test) -> Option<Verdict> {
        let native = self.job.native?;
        if self.tried.len() == MAX_NATIVE || self.tried.contains(&test.script) {
            return None;
        }
        self.tried.push(test.script.clone());
        native(&test).then(|| Verdict::Reached(Box::new(test)))
    }
}
