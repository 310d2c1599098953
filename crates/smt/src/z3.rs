//! Z3 in this process: a [`Solver`] on Z3's C interface.
//!
//! It uses one context and one simple solver with Z3's defaults, which measured best (turning relevancy off is 4
//! times slower, solvers for particular logics are 3 to 26 times slower, and some of them answer wrongly about terms
//! outside their logic). A context belongs to one thread at a time; each thread makes its own.
//!
//! | technique | file |
//! |---|---|
//! | a safe wrapper of the C interface | `z3/ffi.rs`, `z3/ffi/` |
//! | translation of terms and sorts | `z3/translate.rs` |
//! | values from models | `z3/model.rs` |
//! | decision heuristics by a user propagator | `z3/propagate.rs` |
//! | a budget for floating-point circuits | `z3/circuits.rs` |
//! | lookup tables as multiplexers | `z3/tables.rs` |
//! | time limits and interrupts | `z3/watchdog.rs` |
//! | SMT-LIB 2 commands, for a process that only solves | `z3/interpreter.rs` |
//!
//! The values of symbols and function applications are Z3's; other terms are evaluated by our own evaluator on those
//! values, because Z3 takes a minute to evaluate a chain of 3000 stores. Where our evaluator has no answer (a
//! quantifier, a map that is no finite table), Z3's value is used.
//!
//! **Direction of error.** After an error of Z3 itself the solver answers [`Unknown::Failed`] for good. The only
//! constraint on elements of uninterpreted sorts is that different elements differ.

#![allow(unsafe_code)]

mod circuits;
mod ffi;
mod interpreter;
mod model;
mod propagate;
mod tables;
mod translate;
mod watchdog;

use std::sync::Arc;
use std::time::{Duration, Instant};

use footpath_term::{Env, EvalError, Op, SortId, SymbolId, TermId, Terms, Value, evaluate};
use rustc_hash::FxHashMap;

use crate::open::Profile;
use crate::solver::{Answer, Flag, Interrupter, Solver, Statistics, Unknown, Unsupported};
use circuits::Circuits;
use ffi::{Ast, Check, Context};
use model::{Decoder, Numbering};
use propagate::Propagator;
use translate::Translator;
use watchdog::Watchdog;

pub use interpreter::Interpreter;
pub(crate) use model::rational;

/// Z3 in this process.
pub struct Z3 {
    // Dropped in this order: nobody may stop checks of a context that is gone, and Z3 may call the propagator
    // while its context goes.
    watchdog: Watchdog,
    ctx: Context,
    propagator: Option<Propagator>,
    translator: Translator,
    circuits: Circuits,
    /// For each level, how many of the translator's side assertions are asserted at that level and below.
    sides: Vec<usize>,
    /// The auxiliary registered boolean that all checks assume once something is preferred.
    kick: Option<Ast>,
    wanted: Vec<Ast>,
    assumptions: FxHashMap<usize, TermId>,
    numbering: Numbering,
    /// A cache of the values that our evaluator asked of the model.
    symbols: FxHashMap<SymbolId, Option<Value>>,
    /// The number of elements that had constants at the last check.
    known_elements: usize,
    answered: Option<Check>,
    /// Whether there is a model to be read, or a candidate for one.
    readable: bool,
    flag: Arc<Flag>,
    timeout: Option<Duration>,
    /// Whether the work of checks is limited.
    limits_work: bool,
    broken: Option<Unknown>,
    statistics: Statistics,
}

impl Z3 {
    /// A solver without assertions. `seed` perturbs its search.
    ///
    /// # Errors
    /// If the linked library is not the expected version of Z3.
    pub fn new(seed: Option<u32>) -> Result<Z3, String> {
        Z3::with_profile(seed, Profile::Decide)
    }

    /// As [`Z3::new`], configured for a use.
    ///
    /// # Errors If the linked library is not the expected version of Z3, or if the system starts no thread.
    pub fn with_profile(seed: Option<u32>, profile: Profile) -> Result<Z3, String> {
        let ctx = Context::new(seed, profile).map_err(|e| e.0)?;
        let flag = Arc::new(Flag::default());
        Ok(Z3 {
            watchdog: Watchdog::start(ctx.stopper(), Arc::clone(&flag))?,
            ctx,
            propagator: None,
            translator: Translator::default(),
            circuits: Circuits::default(),
            sides: vec![0],
            kick: None,
            wanted: Vec::new(),
            assumptions: FxHashMap::default(),
            numbering: Numbering::default(),
            symbols: FxHashMap::default(),
            known_elements: 0,
            answered: None,
            readable: false,
            flag,
            timeout: None,
            limits_work: false,
            broken: None,
            statistics: Statistics::default(),
        })
    }

    /// Limits the memory of all instances of Z3 in this process together.
    pub fn set_memory_limit(megabytes: u32) {
        ffi::set_global("memory_max_size", &megabytes.to_string());
    }

    /// Discards the last answer and model, as the assertions have changed.
    fn forget(&mut self) {
        self.answered = None;
        self.readable = false;
    }

    fn fail(&mut self, e: ffi::Error) -> Unknown {
        let why = if is_memory(&e.0) { Unknown::Memory } else { Unknown::Failed(e.0) };
        self.broken = Some(why.clone());
        why
    }

    fn try_check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<Answer, Answer> {
        self.assumptions.clear();
        let mut list = Vec::with_capacity(assumptions.len() + 1);
        for &t in assumptions {
            let a = self.assumption(terms, t)?;
            self.assumptions.insert(self.ctx.key(a), t);
            list.push(a);
        }
        self.assert_sides().map_err(|e| Answer::Unknown(self.fail(e)))?;
        self.known_elements = self.translator.element_count();
        if let Some(kick) = self.kick
            && !self.wanted.is_empty()
        {
            list.push(kick);
            self.offer();
        }
        self.watchdog.arm(self.timeout);
        let checked = self.ctx.solver_check(&list);
        let timed_out = self.watchdog.disarm();
        let checked = checked.map_err(|e| Answer::Unknown(self.fail(e)))?;
        self.answered = Some(checked);
        let exact = self.circuits.is_exact(assumptions);
        self.readable = checked == Check::Sat && exact;
        Ok(match checked {
            Check::Sat if !exact => {
                Answer::Unknown(Unknown::Incomplete("so much floating-point arithmetic".to_owned()))
            }
            Check::Sat => Answer::Sat,
            Check::Unsat => Answer::Unsat,
            Check::Unknown if self.flag.is_set() => Answer::Unknown(Unknown::Interrupted),
            Check::Unknown if timed_out => Answer::Unknown(Unknown::Timeout),
            Check::Unknown => {
                let reason = self.ctx.reason_unknown();
                Answer::Unknown(match reason.as_str() {
                    "timeout" | "max. resource limit exceeded" => Unknown::Timeout,
                    "canceled" if self.limits_work => Unknown::Timeout,
                    "canceled" | "interrupted" | "interrupted from keyboard" => Unknown::Interrupted,
                    r if is_memory(r) => Unknown::Memory,
                    _ => Unknown::Incomplete(reason),
                })
            }
        })
    }

    /// A boolean constant or its negation that stands for `t` among assumptions.
    fn assumption(&mut self, terms: &Terms, t: TermId) -> Result<Ast, Unsupported> {
        let mut meaning = self.translator.translate(&mut self.ctx, terms, t)?;
        if self.translator.has_floats() {
            meaning =
                self.circuits.assumption(&mut self.ctx, terms, t, meaning, |t| self.translator.done(t))?;
        }
        self.translator.assumption(&mut self.ctx, terms, t, meaning)
    }

    /// Asserts the side assertions that are missing at this level.
    fn assert_sides(&mut self) -> ffi::Result<()> {
        let done = self.sides.last_mut().expect("there is always the lowest level");
        for &a in &self.translator.side[*done..] {
            self.ctx.solver_assert(a)?;
        }
        *done = self.translator.side.len();
        Ok(())
    }

    /// Registers wanted booleans that are not registered yet.
    fn offer(&mut self) {
        let level = self.sides.len() - 1;
        let propagator = self.propagator.get_or_insert_with(|| Propagator::new(&mut self.ctx, level));
        for &a in self.kick.iter().chain(&self.wanted) {
            propagator.register(&mut self.ctx, a);
        }
        propagator.want(&self.ctx, &self.wanted);
    }

    /// Replaces elements that have their numbers from the model by the model's constants.
    fn with_universe(&mut self, a: Ast) -> Option<Ast> {
        if self.translator.element_count() == self.known_elements {
            return Some(a);
        }
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for (sort, number, constant) in self.translator.all_elements() {
            if let Some(universe) = self.numbering.universe(sort, number) {
                from.push(constant);
                to.push(universe);
            }
        }
        self.ctx.substitute(a, &from, &to).ok()
    }

    /// The value of a term as Z3 evaluates it.
    fn value_by_z3(&mut self, terms: &Terms, t: TermId) -> Option<Value> {
        let a = self.translator.translate(&mut self.ctx, terms, t).ok()?;
        self.value_of(terms, a, terms.sort(t))
    }

    fn value_of(&mut self, terms: &Terms, a: Ast, sort: SortId) -> Option<Value> {
        let numbered = self.numbering.len();
        let mark = self.ctx.mark();
        let a = self.with_universe(a)?;
        let value = self.ctx.eval(a).ok().and_then(|v| self.decode(terms, v, sort));
        if self.numbering.len() == numbered {
            self.ctx.release(mark);
        }
        value
    }

    fn decode(&mut self, terms: &Terms, a: Ast, sort: SortId) -> Option<Value> {
        let mut decoder = Decoder {
            ctx: &mut self.ctx,
            translator: &self.translator,
            terms,
            numbering: &mut self.numbering,
        };
        decoder.decode(a, Some(sort))
    }
}

/// An environment for our evaluator that reads the model.
struct ModelEnv<'a>(&'a mut Z3);

impl Env for ModelEnv<'_> {
    fn symbol(&mut self, terms: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        if let Some(known) = self.0.symbols.get(&symbol) {
            return known.clone().ok_or(EvalError::Unbound(symbol));
        }
        let a = self.0.translator.symbol(&mut self.0.ctx, terms, symbol).ok();
        let value = a.and_then(|a| self.0.value_of(terms, a, terms.symbol(symbol).sort));
        self.0.symbols.insert(symbol, value.clone());
        value.ok_or(EvalError::Unbound(symbol))
    }

    fn undetermined(
        &mut self,
        terms: &Terms,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        let z3 = &mut *self.0;
        let a = z3
            .translator
            .apply_to_values(&mut z3.ctx, terms, op, args)
            .map_err(|e| EvalError::Unsupported(e.0))?;
        let value = z3.value_of(terms, a, sort);
        value.ok_or_else(|| EvalError::Unsupported("a value that Z3 cannot say".to_owned()))
    }

    fn binder(&mut self, _: &Terms, _: TermId, _: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported("a quantifier".to_owned()))
    }
}

fn is_memory(message: &str) -> bool {
    message.contains("memory") || message.contains("memout")
}

impl Solver for Z3 {
    fn name(&self) -> String {
        let [a, b, c, _] = ffi::version();
        format!("Z3 {a}.{b}.{c}")
    }

    fn assert(&mut self, terms: &Terms, t: TermId) -> Result<(), Unsupported> {
        let mut a = self.translator.translate(&mut self.ctx, terms, t)?;
        if self.translator.has_floats() {
            a = self.circuits.assertion(&mut self.ctx, terms, t, a, |t| self.translator.done(t))?;
        }
        self.forget();
        self.statistics.asserted += 1;
        if let Err(e) = self.ctx.solver_assert(a) {
            self.fail(e);
        }
        Ok(())
    }

    fn push(&mut self) {
        self.forget();
        if let Err(e) = self.ctx.solver_push() {
            self.fail(e);
        }
        self.sides.push(*self.sides.last().expect("there is always the lowest level"));
        self.circuits.push();
        if let Some(p) = &mut self.propagator {
            p.push();
        }
    }

    fn pop(&mut self, levels: u32) {
        let levels = levels.min(self.sides.len() as u32 - 1);
        if levels == 0 {
            return;
        }
        self.forget();
        if let Err(e) = self.ctx.solver_pop(levels) {
            self.fail(e);
        }
        self.sides.truncate(self.sides.len() - levels as usize);
        self.circuits.pop(levels);
        if let Some(p) = &mut self.propagator {
            p.pop(levels);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        let start = Instant::now();
        self.forget();
        self.numbering.clear();
        self.symbols.clear();
        let answer = if self.flag.is_set() {
            Answer::Unknown(Unknown::Interrupted)
        } else if let Some(why) = &self.broken {
            Answer::Unknown(why.clone())
        } else {
            self.try_check(terms, assumptions).unwrap_or_else(|a| a)
        };
        self.statistics.count(&answer, start.elapsed());
        answer
    }

    fn value(&mut self, terms: &Terms, t: TermId) -> Option<Value> {
        if !self.readable {
            return None;
        }
        match &terms.term(t).op {
            Op::Var(_) | Op::Apply(_) | Op::Bind(_) => self.value_by_z3(terms, t),
            // Z3 evaluates nested stores in cubic time.
            _ => match evaluate(terms, t, &mut ModelEnv(self)) {
                Ok(v) => Some(v),
                Err(_) => self.value_by_z3(terms, t),
            },
        }
    }

    fn truths(&mut self, terms: &Terms, of: &[TermId]) -> Vec<Option<bool>> {
        if !self.readable {
            return vec![None; of.len()];
        }
        of.iter()
            .map(|&t| match terms.term(t).op {
                Op::Var(_) => {
                    let a = self.translator.translate(&mut self.ctx, terms, t).ok()?;
                    self.ctx.eval_truth(a)
                }
                _ => self.value(terms, t)?.as_bool(),
            })
            .collect()
    }

    fn candidate(&mut self) -> bool {
        let answered = matches!(self.answered, Some(Check::Unknown | Check::Sat));
        self.readable |= answered && self.broken.is_none() && self.ctx.has_model();
        self.readable
    }

    fn core(&mut self) -> Vec<TermId> {
        if self.answered != Some(Check::Unsat) {
            return Vec::new();
        }
        // Without an answer, all assumptions are a core too.
        let Ok(keys) = self.ctx.core() else { return self.assumptions.values().copied().collect() };
        keys.iter().filter_map(|k| self.assumptions.get(k).copied()).collect()
    }

    fn set_timeout(&mut self, limit: Option<Duration>) {
        self.timeout = limit;
        self.circuits.set_limit(limit);
    }

    fn set_work_limit(&mut self, limit: Option<u32>) -> bool {
        self.limits_work = limit.is_some();
        self.ctx.set_resource_limit(limit).is_ok()
    }

    fn interrupter(&self) -> Interrupter {
        Interrupter::of(Arc::clone(&self.flag))
    }

    fn prefer(&mut self, terms: &Terms, wanted: &[TermId]) -> bool {
        let mut list = Vec::with_capacity(wanted.len());
        for &t in wanted {
            match self.assumption(terms, t) {
                Ok(a) => list.push(a),
                Err(_) => return false,
            }
        }
        if self.kick.is_none() && !list.is_empty() {
            let kick = self
                .ctx
                .basic_sort(&footpath_term::Sort::Bool)
                .and_then(|boolean| self.ctx.constant("kick!", boolean));
            match kick {
                Ok(kick) => self.kick = Some(kick),
                Err(_) => return false,
            }
        }
        self.wanted = list;
        if let Some(p) = &mut self.propagator {
            p.want(&self.ctx, &self.wanted);
        }
        true
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
