//! The evaluation machine: an explicit stack of terms whose arguments are being evaluated, and a cache of results
//! (memoisation).
//!
//! Under a binder, a result is valid only for the current values of the bound symbols. So each binder that is being
//! enumerated has a separate cache for the terms that mention its symbols; all other results are in the caches
//! further out. A binder evaluates its body by a recursive run; that nesting is limited.
//!
//! **Example.** In `∀i. m[i] ≤ f(n)` with `i` enumerated from 0 to 9, `f(n)` is evaluated once, and `m[i]` ten times.
//!
//! **Direction of error.** None, as for `eval.rs`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{Env, EvalError, maps, ops};
use crate::{Op, Sort, SymbolId, TermId, Terms, Value};

/// The limit on stores that are evaluated together. The chain of stores is traversed again for each operand that is
/// evaluated first.
const MAX_CHAIN: usize = 256;
/// How deep binders may nest.
const MAX_NESTING: usize = 64;

type Outcome = Result<Value, EvalError>;

/// One binder under enumeration.
pub(super) struct Frame {
    /// The terms of its body that mention its symbols.
    pub dependent: Rc<FxHashSet<TermId>>,
    memory: FxHashMap<TermId, Outcome>,
}

pub(super) struct Machine<'a> {
    pub terms: &'a Terms,
    pub env: &'a mut dyn Env,
    /// The values of the symbols bound around what is being evaluated.
    pub bound: Vec<(SymbolId, Value)>,
    frames: Vec<Frame>,
    memory: FxHashMap<TermId, Outcome>,
    dependents: FxHashMap<TermId, Rc<FxHashSet<TermId>>>,
}

/// The next step for the term on top of the stack.
enum Step {
    Need(TermId),
    Done(Outcome),
}

impl<'a> Machine<'a> {
    pub fn new(terms: &'a Terms, env: &'a mut dyn Env) -> Machine<'a> {
        Machine {
            terms,
            env,
            bound: Vec::new(),
            frames: Vec::new(),
            memory: FxHashMap::default(),
            dependents: FxHashMap::default(),
        }
    }

    /// The value of a term for the current values of bound symbols.
    pub fn run(&mut self, root: TermId) -> Outcome {
        let mut stack: Vec<(TermId, usize)> = vec![(root, 0)];
        while let Some(&mut (t, ref mut at)) = stack.last_mut() {
            let mut position = *at;
            let step = if self.known(t).is_some() { None } else { Some(self.step(t, &mut position)) };
            match step {
                None => {
                    stack.pop();
                }
                Some(Step::Need(a)) => {
                    *at = position;
                    stack.push((a, 0));
                }
                Some(Step::Done(outcome)) => {
                    stack.pop();
                    if stack.is_empty() {
                        return outcome;
                    }
                    self.remember(t, outcome);
                }
            }
        }
        self.known(root).cloned().unwrap_or_else(|| Err(EvalError::Unsupported("no result".to_owned())))
    }

    fn level(&self, t: TermId) -> usize {
        self.frames.iter().rposition(|f| f.dependent.contains(&t)).map_or(0, |i| i + 1)
    }

    fn known(&self, t: TermId) -> Option<&Outcome> {
        match self.level(t) {
            0 => self.memory.get(&t),
            i => self.frames[i - 1].memory.get(&t),
        }
    }

    fn remember(&mut self, t: TermId, outcome: Outcome) {
        match self.level(t) {
            0 => self.memory.insert(t, outcome),
            i => self.frames[i - 1].memory.insert(t, outcome),
        };
    }

    /// Evaluates the arguments from position `at` on, as far as they are needed.
    fn step(&mut self, t: TermId, at: &mut usize) -> Step {
        let term = self.terms.term(t);
        match &term.op {
            Op::Literal(v) => Step::Done(Ok(v.clone())),
            Op::Var(s) => Step::Done(self.symbol(*s)),
            Op::Bind(b) => Step::Done(if self.frames.len() >= MAX_NESTING {
                Err(EvalError::Unsupported("quantifiers nested too deep".to_owned()))
            } else {
                self.binder(t, b)
            }),
            Op::Ite => match self.known(term.args[0]) {
                None => Step::Need(term.args[0]),
                Some(Err(e)) => Step::Done(Err(e.clone())),
                Some(Ok(c)) => {
                    let arm = term.args[if *c == Value::Bool(true) { 1 } else { 2 }];
                    match self.known(arm) {
                        None => Step::Need(arm),
                        Some(outcome) => Step::Done(outcome.clone()),
                    }
                }
            },
            Op::And => self.connective(&term.args, at, false, None),
            Op::Or => self.connective(&term.args, at, true, None),
            Op::Implies if term.args.len() == 2 => self.connective(&term.args, at, true, Some(0)),
            Op::Store if maps::ordinary(self.terms, term.sort) => self.stores(t, at),
            op => {
                while *at < term.args.len() {
                    match self.known(term.args[*at]) {
                        None => return Step::Need(term.args[*at]),
                        Some(Err(e)) => return Step::Done(Err(e.clone())),
                        Some(Ok(_)) => *at += 1,
                    }
                }
                let mut values: SmallVec<[Value; 3]> = SmallVec::new();
                for &a in &term.args {
                    if let Some(Ok(v)) = self.known(a) {
                        values.push(v.clone());
                    }
                }
                Step::Done(self.apply(t, op, &values))
            }
        }
    }

    /// A chain of stores, evaluated together, so that the map below them is copied once.
    fn stores(&self, outermost: TermId, at: &mut usize) -> Step {
        let mut chain = vec![outermost];
        let mut base = self.terms.term(outermost).args[0];
        while chain.len() < MAX_CHAIN && self.terms.term(base).op == Op::Store && self.known(base).is_none() {
            chain.push(base);
            base = self.terms.term(base).args[0];
        }
        if let Err(step) = self.value(base) {
            return step;
        }
        // Nothing is written before everything is there, as it would be written again each time.
        for &store in chain.iter().rev().skip(*at) {
            for &a in &self.terms.term(store).args[1..] {
                if let Err(step) = self.value(a) {
                    return step;
                }
            }
            *at += 1;
        }
        match self.written(base, chain) {
            Ok(map) => Step::Done(Ok(map)),
            Err(step) => step,
        }
    }

    /// The map `base` after the stores of a chain, of which the last comes first.
    fn written(&self, base: TermId, chain: Vec<TermId>) -> Result<Value, Step> {
        let unknown = || Step::Done(Err(EvalError::Unsupported("a store into what is no map".to_owned())));
        let mut map = self.value(base)?;
        for store in chain.into_iter().rev() {
            let args = &self.terms.term(store).args[1..];
            let mut values = args.iter().map(|&a| self.value(a)).collect::<Result<Vec<Value>, Step>>()?;
            if let Some(element) = values.pop() {
                map = maps::written(self.terms, map, values, element).ok_or_else(unknown)?;
            }
        }
        Ok(map)
    }

    /// The value of a term if it is cached, otherwise the step that leads to it.
    fn value(&self, t: TermId) -> Result<Value, Step> {
        match (self.known(t), &self.terms.term(t).op) {
            (Some(Ok(value)), _) | (None, Op::Literal(value)) => Ok(value.clone()),
            (Some(Err(e)), _) => Err(Step::Done(Err(e.clone()))),
            (None, _) => Err(Step::Need(t)),
        }
    }

    /// A connective with the absorbing value `absorbing`; the argument at `negated` counts as its negation.
    fn connective(
        &mut self,
        args: &[TermId],
        at: &mut usize,
        absorbing: bool,
        negated: Option<usize>,
    ) -> Step {
        while *at < args.len() {
            match self.known(args[*at]) {
                None => return Step::Need(args[*at]),
                Some(Ok(Value::Bool(b))) if (*b == absorbing) != (negated == Some(*at)) => {
                    return Step::Done(Ok(Value::Bool(absorbing)));
                }
                _ => *at += 1,
            }
        }
        let error = args.iter().find_map(|&a| match self.known(a) {
            Some(Err(e)) => Some(e.clone()),
            _ => None,
        });
        Step::Done(error.map_or(Ok(Value::Bool(!absorbing)), Err))
    }

    fn symbol(&mut self, s: SymbolId) -> Outcome {
        if let Some((_, v)) = self.bound.iter().rev().find(|(b, _)| *b == s) {
            return Ok(v.clone());
        }
        let value = self.env.symbol(self.terms, s)?;
        Ok(maps::canonical(self.terms, value))
    }

    fn apply(&mut self, t: TermId, op: &Op, values: &[Value]) -> Outcome {
        let term = self.terms.term(t);
        if let (Op::Select | Op::Store, Some(Value::Map(m))) = (op, values.first())
            && !matches!(self.terms.sort_of(m.sort), Sort::Map { params: 0, .. })
        {
            let last = term.args.len() - usize::from(*op == Op::Store);
            let sorts: SmallVec<[_; 3]> = term.args[1..last].iter().map(|&a| self.terms.sort(a)).collect();
            let found = match op {
                Op::Select => maps::select_at(self.terms, values, &sorts),
                _ => maps::store_at(self.terms, values, &sorts),
            };
            return found.ok_or_else(|| {
                EvalError::Unsupported("an unknown instance of a polymorphic map".to_owned())
            });
        }
        if let (Op::Select, [Value::Lambda(map), index @ ..]) = (op, values) {
            return self.env.element(self.terms, map, index);
        }
        if let (Op::Eq, &[a, b]) = (op, &term.args[..])
            && self.terms.sort(a) != self.terms.sort(b)
        {
            // Values do not tell what the type variables stand for.
            let open = [a, b].iter().any(|&side| self.terms.has_type_vars(self.terms.sort(side)));
            let what = "an equation between types that only an instantiation makes equal";
            return if open { Err(EvalError::Unsupported(what.to_owned())) } else { Ok(Value::Bool(false)) };
        }
        if let Some(value) = ops::evaluate_op(self.terms, op, values, term.sort) {
            return Ok(value);
        }
        let value = self.env.undetermined(self.terms, op, values, term.sort)?;
        Ok(maps::canonical(self.terms, value))
    }

    // ---- for binders ----

    /// Opens a cache for the terms of `body` that mention `vars`.
    pub fn enter(&mut self, binder: TermId, body: TermId, vars: &[SymbolId]) -> Rc<FxHashSet<TermId>> {
        let dependent = match self.dependents.get(&binder) {
            Some(known) => Rc::clone(known),
            None => {
                let found = Rc::new(dependents(self.terms, body, vars));
                self.dependents.insert(binder, Rc::clone(&found));
                found
            }
        };
        self.frames.push(Frame { dependent: Rc::clone(&dependent), memory: FxHashMap::default() });
        dependent
    }

    /// Clears the cache of the innermost binder, as the values of its symbols have changed.
    pub fn forget(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.memory.clear();
        }
    }

    pub fn leave(&mut self) {
        self.frames.pop();
    }
}

/// The terms below `root` that mention one of `vars`.
pub(super) fn dependents(terms: &Terms, root: TermId, vars: &[SymbolId]) -> FxHashSet<TermId> {
    let mut found = FxHashSet::default();
    for t in terms.post_order(&[root]) {
        let term = terms.term(t);
        let mentions = match &term.op {
            Op::Var(s) => vars.contains(s),
            _ => term.args.iter().any(|a| found.contains(a)),
        };
        if mentions {
            found.insert(t);
        }
    }
    found
}
