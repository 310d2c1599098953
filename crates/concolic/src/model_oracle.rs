//! Model-based queries for programs with axioms: runs that take their values from a live model of the solver.
//!
//! **Idea.** Where the meaning of a program rests on axioms, undetermined operators or type variables, its inputs
//! include functions, and the function of a model is only known by its values. So the solver is asked about all
//! conditions at once, together with the program's theory, and the run that follows asks the model for every value
//! while the model still exists. With type variables or polymorphic maps the formulas are made monomorphic first
//! (`footpath_smt::monomorphize`), together with all terms that runs can evaluate, so that axioms are instantiated for these, too.
//!
//! Example: with `axiom (forall x: int :: f(x) > x)`, a run that computes `f(3)` asks the model for the value of
//! `f(3)`, say 4.
//!
//! **Direction of error.** A run relies on axioms that cannot be evaluated; they hold in the solver's model only.

use std::time::Duration;

use footpath_ir::interp::{self, Interpreter};
use footpath_smt::{Answer, Completeness, DEFAULT_INSTANCES, Monomorphic, Solver, Unknown, monomorphize};
use footpath_term::{EvalError, Op, SortId, SymbolId, TermId, Terms, Value};

use super::external_calls::{Natives, Respect, conditions};
use super::inputs::{Key, Source};

/// See the module.
pub(super) struct Live {
    pub(super) solver: Box<dyn Solver>,
    /// The axioms of the program's theory.
    theory: Vec<TermId>,
    /// Whether formulas are made monomorphic.
    polymorphic: bool,
    /// What runs can evaluate, if formulas are made monomorphic, in formulas that always hold.
    mentioned: Vec<TermId>,
    made: Option<Monomorphic>,
    pushed: bool,
    /// What cannot be expressed for the solver.
    unsupported: Option<String>,
}

/// The answer to a query.
pub(super) enum LiveReply {
    /// The model is there.
    Model,
    /// It has no solution.
    Refuted,
    /// The solver gave up.
    Unknown(Unknown),
}

impl Live {
    pub(super) fn new(
        solver: Box<dyn Solver>,
        terms: &Terms,
        theory: Vec<TermId>,
        mentioned: Option<Vec<TermId>>,
    ) -> Live {
        let polymorphic = mentioned.is_some();
        let mentioned = mentioned.unwrap_or_default();
        let mut live =
            Live { solver, theory, polymorphic, mentioned, made: None, pushed: false, unsupported: None };
        if !polymorphic {
            for &t in &live.theory {
                if let Err(unsupported) = live.solver.assert(terms, t) {
                    live.unsupported = Some(unsupported.0);
                }
            }
        }
        live
    }

    /// Whether all conditions can hold.
    pub(super) fn ask(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        limit: Option<Duration>,
    ) -> LiveReply {
        if self.pushed {
            self.solver.pop(1);
        }
        self.solver.push();
        self.pushed = true;
        let mut roots = conditions.to_vec();
        if self.polymorphic {
            roots.extend(&self.theory);
            roots.extend(&self.mentioned);
            match monomorphize(terms, &roots, DEFAULT_INSTANCES) {
                Ok(mut made) => {
                    roots = std::mem::take(&mut made.roots);
                    self.made = Some(made);
                }
                Err(unsupported) => return LiveReply::Unknown(Unknown::Unsupported(unsupported.0)),
            }
        }
        for t in roots {
            if let Err(unsupported) = self.solver.assert(terms, t) {
                return LiveReply::Unknown(Unknown::Unsupported(unsupported.0));
            }
        }
        self.solver.set_timeout(limit);
        let answer = self.solver.check(terms, &[]);
        self.judge(answer)
    }

    /// The same, with sampled functions.
    pub(super) fn ask_natives(
        &mut self,
        terms: &mut Terms,
        asked: &[TermId],
        limit: Option<Duration>,
        natives: Option<&(dyn Natives + Sync)>,
    ) -> LiveReply {
        let Some(natives) = natives else { return self.ask(terms, asked, limit) };
        let mut reply = LiveReply::Refuted;
        for respect in [Respect::Samples, Respect::Consistency] {
            let besides = conditions(terms, natives, asked, respect);
            let is_last = besides.is_empty() || respect == Respect::Consistency;
            let all = [asked, &besides].concat();
            reply = self.ask(terms, &all, limit);
            if is_last || matches!(reply, LiveReply::Model) {
                break;
            }
        }
        reply
    }

    fn judge(&self, answer: Answer) -> LiveReply {
        match (answer, &self.made) {
            (Answer::Unknown(why), _) => LiveReply::Unknown(why),
            (Answer::Sat, Some(Monomorphic { completeness: Completeness::Incomplete(why), .. })) => {
                LiveReply::Unknown(Unknown::Incomplete(why.clone()))
            }
            (Answer::Unsat, Some(made)) if made.narrowed => {
                let why = "an unknown type was assumed to differ from all others";
                LiveReply::Unknown(Unknown::Incomplete(why.to_owned()))
            }
            (Answer::Sat, _) => match &self.unsupported {
                Some(what) => LiveReply::Unknown(Unknown::Unsupported(what.clone())),
                None => LiveReply::Model,
            },
            (Answer::Unsat, _) => LiveReply::Refuted,
        }
    }

    fn value(&mut self, terms: &mut Terms, term: TermId, what: &str) -> Result<Value, EvalError> {
        let value = match &mut self.made {
            None => self.solver.value(terms, term),
            Some(made) => {
                let sort = terms.sort(term);
                let rewritten = made.rewrite(terms, term).ok();
                let value = rewritten.and_then(|t| self.solver.value(terms, t));
                value.map(|v| made.restore(terms, &v, sort))
            }
        };
        let odd = || EvalError::Unsupported(format!("the model's value of {what} cannot be written down"));
        value.ok_or_else(odd)
    }
}

/// Answers from the solver's model, and free choices from a list.
pub(super) struct FromModel<'l> {
    pub(super) live: &'l mut Live,
    pub(super) choices: Vec<usize>,
    pub(super) bodies: Vec<usize>,
    pub(super) at: (usize, usize),
}

impl Source for FromModel<'_> {
    fn input(
        &mut self,
        interpreter: &Interpreter<'_>,
        terms: &mut Terms,
        _: Key,
        symbol: SymbolId,
        sort: SortId,
    ) -> Result<Value, EvalError> {
        let term = terms.var(symbol);
        let name = terms.symbol(symbol).name.to_string();
        match self.live.value(terms, term, &name) {
            Ok(value) => Ok(value),
            // Made monomorphic, the formulas may not know the variable; then its value does not matter.
            Err(_) if self.live.polymorphic => interp::default_value(interpreter, sort),
            Err(why) => Err(why),
        }
    }

    fn choose(&mut self, _: usize) -> usize {
        self.at.0 += 1;
        self.choices.get(self.at.0 - 1).copied().unwrap_or(0)
    }

    fn body(&mut self, _: usize) -> usize {
        self.at.1 += 1;
        self.bodies.get(self.at.1 - 1).copied().unwrap_or(0)
    }

    fn undetermined(
        &mut self,
        _: &Interpreter<'_>,
        terms: &mut Terms,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        let args: Vec<TermId> = args.iter().map(|a| terms.value(a)).collect();
        let term = terms.mk(op.clone(), args, sort);
        self.live.value(terms, term, "a function")
    }
}
