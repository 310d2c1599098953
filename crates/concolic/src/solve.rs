//! Solver queries about arms, with their caches, for programs whose operators are determined by their arguments.
//!
//! **Idea.** A query consists of the arm's condition and of those conditions on the path to it that share inputs with
//! it, directly or through others (`independence.rs`). Inputs that only the other conditions mention keep the values
//! that they had in an earlier run. Memory is translated into the simplest form that the conditions permit
//! (`array_elimination.rs`). Before the solver is asked, the caches are: a superset of a refuted set is refuted, and
//! the inputs of the latest runs are tried by evaluation. Queries about a few words are answered by evaluating the
//! conditions on other values (`local_search.rs`). The solver keeps the conditions of the last query: those that the
//! next one has in common at the front stay asserted. Queries with many conditions on words only go to a solver of
//! their own, all at once: sums over a thousand loop iterations are easy for a SAT solver, and too much for a solver
//! that works term by term.
//!
//! Example: if `x > 5 && x < 3` was refuted, then so is `y == 0 && x > 5 && x < 3`, without a query.
//!
//! **Direction of error.** None. A model is taken to be right until the run with it shows otherwise.

use std::time::Duration;

use footpath_ir::interp::Script;
use footpath_smt::{Answer, Profile, Solver, Statistics, Unknown};
use footpath_term::{Op, Sort, SymbolId, TermId, Terms, Value, evaluate};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

use super::array_elimination::Plain;
use super::constraint_subsumption::tightest;
use super::external_calls;
use super::external_calls::{Natives, Respect};
use super::independence;
use super::independence::Atoms;
use super::inputs::{Assignment, Inputs, Key, given, set, set_cell, set_element};
use super::intervals::contradictory;
use super::local_search::{Quick, quick};

/// How many runs' inputs are tried before the solver is asked.
const RECENT: usize = 4;
/// The largest number of conditions of a query for which that is done.
const SHORT: usize = 64;
/// Conditions on nothing but words from which on they go to a solver for such.
const LONG: usize = 500;
/// Conditions of a query from which on those that others imply are looked for.
const MANY: usize = 16;
/// Pairs of a read and a write that may mean the same cell, up to which a condition is given to a solver, which looks at all of
/// them and cannot be interrupted meanwhile: 25 million took 109 s.
const ALIASES: usize = 1 << 19;
/// How many refuted sets are kept for one condition.
const CORES: usize = 16;

/// The answer to a query.
pub(super) enum Reply {
    /// Inputs that satisfy it.
    Inputs(Script),
    /// It has no solution.
    Refuted,
    /// The solver gave up.
    Unknown(Unknown),
}

/// Opens a solver for some kind of queries.
pub(super) type Opener<'a> = Box<dyn Fn(Profile) -> Option<Box<dyn Solver>> + 'a>;

/// Says whether the exploration should end.
pub(super) type Over<'a> = Box<dyn Fn() -> bool + 'a>;

/// See the module.
pub(super) struct Questions<'a> {
    solver: Box<dyn Solver>,
    /// The solver for many conditions on words, once it is needed.
    for_words: Option<Box<dyn Solver>>,
    open: Opener<'a>,
    /// Whether the exploration should end.
    over: Over<'a>,
    /// Terms in which there is nothing but words.
    words: FxHashSet<TermId>,
    /// The conditions that are asserted in the solver.
    stack: Vec<TermId>,
    /// How many of them were asserted when each level was opened.
    levels: Vec<usize>,
    atoms: FxHashMap<TermId, Rc<Atoms>>,
    plain: Plain,
    /// Refuted sets, by a condition in them.
    refuted: FxHashMap<TermId, Vec<Rc<[TermId]>>>,
    recent: Vec<Rc<Script>>,
    pub(super) model_hits: u64,
    pub(super) core_hits: u64,
    /// Solutions that were found without the solver.
    pub(super) quick_models: u64,
    pub(super) quick_proofs: u64,
}

impl<'a> Questions<'a> {
    pub(super) fn new(solver: Box<dyn Solver>, open: Opener<'a>, over: Over<'a>) -> Questions<'a> {
        Questions {
            solver,
            for_words: None,
            open,
            over,
            words: FxHashSet::default(),
            stack: Vec::new(),
            levels: Vec::new(),
            atoms: FxHashMap::default(),
            plain: Plain::default(),
            refuted: FxHashMap::default(),
            recent: Vec::new(),
            model_hits: 0,
            core_hits: 0,
            quick_models: 0,
            quick_proofs: 0,
        }
    }

    /// What the solvers did.
    pub(super) fn statistics(&self) -> Statistics {
        let mut all = self.solver.statistics();
        if let Some(for_words) = &self.for_words {
            all += for_words.statistics();
        }
        all
    }

    /// Remembers the inputs of a run.
    pub(super) fn remember(&mut self, script: Rc<Script>) {
        if self.recent.len() >= RECENT {
            self.recent.remove(0);
        }
        self.recent.push(script);
    }

    /// Solves a query: inputs under which all conditions hold. The last condition is the arm's own; `witness`
    /// satisfies the others.
    pub(super) fn ask(
        &mut self,
        terms: &mut Terms,
        inputs: &Inputs,
        conditions: &[TermId],
        witness: &Rc<Script>,
        limit: Option<Duration>,
        natives: Option<&(dyn Natives + Sync)>,
    ) -> Reply {
        let Some(&target) = conditions.last() else { return Reply::Inputs(Script::clone(witness)) };
        if terms.as_bool(target) == Some(false) {
            return Reply::Refuted;
        }
        let Some(slice) = self.slice(terms, conditions) else { return Reply::Unknown(Unknown::Interrupted) };
        let set: FxHashSet<TermId> = slice.iter().copied().collect();
        if self.is_refuted(target, &set) {
            self.core_hits += 1;
            return Reply::Refuted;
        }
        // Where few are left, they are cheaper than what the next query would share.
        let tightest = if slice.len() < MANY { Vec::new() } else { tightest(terms, &slice) };
        let few = !tightest.is_empty() && tightest.len() * 2 <= slice.len();
        let slice = if few { tightest } else { slice };
        if let Some(script) = self.try_recent(terms, inputs, &slice, witness) {
            self.model_hits += 1;
            return Reply::Inputs(script);
        }
        if contradictory(terms, &slice) {
            self.quick_proofs += 1;
            self.keep_core(target, slice);
            return Reply::Refuted;
        }
        match self.try_quick(terms, inputs, &slice, witness) {
            Some(Reply::Refuted) => {
                self.keep_core(target, slice);
                return Reply::Refuted;
            }
            Some(found) => return found,
            None => {}
        }
        // If most conditions are relevant anyway, all of them are asserted: the next query shares more of them.
        let most = !few && slice.len() * 2 > conditions.len();
        let floats = conditions.iter().any(|&c| self.atoms(terms, c).floats);
        let mut is_too_much = |of: &[TermId]| of.iter().any(|&c| self.atoms(terms, c).aliases() > ALIASES);
        if is_too_much(&slice) {
            return Reply::Unknown(Unknown::Incomplete("so many accesses to memory".to_owned()));
        }
        let all = most && !floats && !is_too_much(conditions);
        let context = if all { conditions } else { &slice[..] };
        let mut changed = false;
        for &condition in context {
            let atoms = self.atoms(terms, condition);
            changed |= self.plain.learn(&atoms);
        }
        if changed {
            self.solver.pop(self.levels.len() as u32);
            self.stack.clear();
            self.levels.clear();
        }
        if slice.len() >= LONG && natives.is_none() && self.are_words(terms, &slice) {
            return self.ask_about_words(terms, inputs, slice, witness, limit);
        }
        self.solver.set_timeout(limit);
        // What is assumed the solver holds for good; of floating-point arithmetic it would soon hold too much.
        let (held, assumed) =
            if floats { (context, None) } else { (&context[..context.len() - 1], Some(target)) };
        if let Err(unknown) = self.enter(terms, held) {
            return Reply::Unknown(unknown);
        }
        match self.check(terms, assumed, context, natives) {
            Answer::Sat => Reply::Inputs(self.read_model(terms, inputs, &slice, witness)),
            Answer::Unsat => {
                self.keep_core(target, slice);
                Reply::Refuted
            }
            Answer::Unknown(why) => Reply::Unknown(why),
        }
    }

    /// Whether all of `context` can hold, of which the solver holds all but what is assumed; with sampled functions,
    /// first with their samples as the only values, then with any values that do not contradict the samples.
    fn check(
        &mut self,
        terms: &mut Terms,
        assumed: Option<TermId>,
        context: &[TermId],
        natives: Option<&(dyn Natives + Sync)>,
    ) -> Answer {
        let mut asked: Vec<TermId> = assumed.map(|t| self.plain.term(terms, t)).into_iter().collect();
        let own = asked.len();
        let Some(natives) = natives else { return self.solver.check(terms, &asked) };
        for respect in [Respect::Samples, Respect::Consistency] {
            let besides = external_calls::conditions(terms, natives, context, respect);
            if besides.is_empty() {
                break;
            }
            asked.truncate(own);
            for condition in besides {
                asked.push(self.plain.term(terms, condition));
            }
            if respect == Respect::Samples && self.solver.check(terms, &asked) == Answer::Sat {
                return Answer::Sat;
            }
        }
        self.solver.check(terms, &asked)
    }

    /// Whether the conditions, as they are passed to the solver, consist of words only.
    fn are_words(&mut self, terms: &mut Terms, conditions: &[TermId]) -> bool {
        let mut todo: Vec<TermId> = conditions.iter().map(|&c| self.plain.term(terms, c)).collect();
        while let Some(t) = todo.pop() {
            if !self.words.insert(t) {
                continue;
            }
            let term = terms.term(t);
            let is_word = matches!(terms.sort_of(term.sort), Sort::Bool | Sort::BitVec(_));
            if !is_word || matches!(term.op, Op::Apply(_)) {
                // Those around it are none either.
                self.words.clear();
                return false;
            }
            todo.extend(&term.args);
        }
        true
    }

    /// The answer of the solver for words.
    fn ask_about_words(
        &mut self,
        terms: &mut Terms,
        inputs: &Inputs,
        slice: Vec<TermId>,
        witness: &Rc<Script>,
        limit: Option<Duration>,
    ) -> Reply {
        let Some(mut solver) = self.for_words.take().or_else(|| (self.open)(Profile::Bits)) else {
            return Reply::Unknown(Unknown::Failed("a second solver could not be started".to_owned()));
        };
        solver.push();
        for &condition in &slice {
            if (self.over)() {
                solver.pop(1);
                self.for_words = Some(solver);
                return Reply::Unknown(Unknown::Interrupted);
            }
            let plain = self.plain.term(terms, condition);
            if let Err(unsupported) = solver.assert(terms, plain) {
                return Reply::Unknown(Unknown::Unsupported(unsupported.0));
            }
        }
        solver.set_timeout(limit);
        let answer = solver.check(terms, &[]);
        let reply = match answer {
            Answer::Sat => {
                std::mem::swap(&mut self.solver, &mut solver);
                let script = self.read_model(terms, inputs, &slice, witness);
                std::mem::swap(&mut self.solver, &mut solver);
                Reply::Inputs(script)
            }
            Answer::Unsat => {
                self.keep_core(slice[slice.len() - 1], slice);
                Reply::Refuted
            }
            Answer::Unknown(why) => Reply::Unknown(why),
        };
        solver.pop(1);
        self.for_words = Some(solver);
        reply
    }

    /// Makes the solver hold exactly `context`.
    fn enter(&mut self, terms: &mut Terms, context: &[TermId]) -> Result<(), Unknown> {
        let shared = self.stack.iter().zip(context).take_while(|(a, b)| a == b).count();
        // Opening a level simplifies what is there, which nothing can interrupt; on words and arrays it may take for
        // ever. So these stand in one level.
        let heavy = context.iter().any(|&c| self.atoms(terms, c).heavy);
        while self.stack.len() > shared {
            self.solver.pop(1);
            self.stack.truncate(self.levels.pop().unwrap_or(0));
        }
        for &t in &context[self.stack.len()..] {
            if (self.over)() {
                return Err(Unknown::Interrupted);
            }
            if !heavy || self.levels.is_empty() {
                self.solver.push();
                self.levels.push(self.stack.len());
            }
            self.stack.push(t);
            let plain = self.plain.term(terms, t);
            self.solver.assert(terms, plain).map_err(|u| Unknown::Unsupported(u.0))?;
        }
        Ok(())
    }

    // ---- independence ----

    fn atoms(&mut self, terms: &Terms, condition: TermId) -> Rc<Atoms> {
        if let Some(known) = self.atoms.get(&condition) {
            return Rc::clone(known);
        }
        let found = Rc::new(Atoms::of(terms, condition));
        self.atoms.insert(condition, Rc::clone(&found));
        found
    }

    /// The conditions that the last one depends on, it included, in order; `None` if the exploration should end before
    /// they are known, as there may be many, and large ones.
    fn slice(&mut self, terms: &Terms, conditions: &[TermId]) -> Option<Vec<TermId>> {
        let atoms = |&c: &TermId| (!(self.over)()).then(|| self.atoms(terms, c));
        let all: Option<Vec<Rc<Atoms>>> = conditions.iter().map(atoms).collect();
        Some(independence::slice(conditions, &all?))
    }

    // ---- caches ----

    fn is_refuted(&self, target: TermId, set: &FxHashSet<TermId>) -> bool {
        let known = self.refuted.get(&target);
        known.is_some_and(|sets| sets.iter().any(|refuted| refuted.iter().all(|t| set.contains(t))))
    }

    fn keep_core(&mut self, target: TermId, slice: Vec<TermId>) {
        let kept = self.refuted.entry(target).or_default();
        if kept.len() < CORES {
            kept.push(slice.into());
        }
    }

    /// An answer without the solver.
    fn try_quick(
        &mut self,
        terms: &Terms,
        inputs: &Inputs,
        slice: &[TermId],
        witness: &Rc<Script>,
    ) -> Option<Reply> {
        let mut cells: Vec<TermId> = Vec::new();
        for &c in slice {
            let atoms = self.atoms(terms, c);
            if !atoms.maps.is_empty() || !atoms.parts.is_empty() {
                return None;
            }
            cells.extend(&atoms.cells);
        }
        let mut env = Assignment { script: witness, inputs };
        match quick(terms, slice, &cells, &mut |cell| evaluate(terms, cell, &mut env).ok()) {
            Quick::Found(values) => {
                self.quick_models += 1;
                let mut script = Script::clone(witness);
                for (cell, value) in values {
                    set_cell(&mut script, terms, inputs, cell, value);
                }
                Some(Reply::Inputs(script))
            }
            Quick::Refuted => {
                self.quick_proofs += 1;
                Some(Reply::Refuted)
            }
            Quick::Unknown => None,
        }
    }

    fn try_recent(
        &mut self,
        terms: &Terms,
        inputs: &Inputs,
        slice: &[TermId],
        witness: &Rc<Script>,
    ) -> Option<Script> {
        if slice.len() > SHORT || !slice.iter().any(|&c| self.atoms(terms, c).heavy) {
            return None;
        }
        let found = self.recent.iter().rev().find(|script| {
            !Rc::ptr_eq(script, witness)
                && slice.iter().rev().all(|&c| {
                    let mut env = Assignment { script, inputs };
                    evaluate(terms, c, &mut env) == Ok(Value::Bool(true))
                })
        })?;
        let found = Rc::clone(found);
        let mut script = Script::clone(witness);
        for &c in slice {
            let atoms = self.atoms(terms, c);
            for &cell in &atoms.cells {
                let mut env = Assignment { script: &found, inputs };
                let value = evaluate(terms, cell, &mut env).ok()?;
                set_cell(&mut script, terms, inputs, cell, value);
            }
            for &(map, object) in &atoms.parts {
                let key = inputs.key(map)?;
                let Value::Map(values) = given(&found, terms, key)?.clone() else { return None };
                let Value::Map(old) = given(witness, terms, key)?.clone() else { return None };
                let object = terms.literal(object)?;
                for at in old.entries.keys().chain(values.entries.keys()) {
                    if at.first() == Some(object) {
                        let value = values.get(at).clone();
                        set_element(&mut script, key, values.sort, at.clone(), value);
                    }
                }
            }
            for &map in &atoms.maps {
                let key = inputs.key(map)?;
                set(&mut script, key, given(&found, terms, key)?.clone());
            }
        }
        Some(script)
    }

    // ---- models ----

    /// The inputs of an earlier run, changed as the model says.
    fn read_model(
        &mut self,
        terms: &mut Terms,
        inputs: &Inputs,
        slice: &[TermId],
        witness: &Script,
    ) -> Script {
        let mut script = witness.clone();
        let mut done: FxHashSet<TermId> = FxHashSet::default();
        let mut maps: Vec<SymbolId> = Vec::new();
        let mut parts: FxHashSet<(SymbolId, TermId)> = FxHashSet::default();
        for &c in slice {
            let atoms = self.atoms(terms, c);
            parts.extend(atoms.parts.iter().copied());
            maps.extend(atoms.maps.iter().filter(|m| !maps.contains(m)).copied().collect::<Vec<_>>());
            for &cell in atoms.cells.iter().filter(|&&c| done.insert(c)) {
                let plain = self.plain.term(terms, cell);
                if let Some(value) = self.solver.value(terms, plain) {
                    set_cell(&mut script, terms, inputs, cell, value);
                }
            }
        }
        if !parts.is_empty() {
            self.read_parts(terms, inputs, &mut script, &parts, slice);
        }
        for map in maps {
            let Some(key) = inputs.key(map) else { continue };
            let term = terms.var(map);
            if let Some(value) = self.solver.value(terms, term) {
                set(&mut script, key, value);
            } else {
                self.read_cells(terms, &mut script, key, term, slice);
            }
        }
        script
    }

    /// The cells of objects that the conditions may read.
    fn read_parts(
        &mut self,
        terms: &mut Terms,
        inputs: &Inputs,
        script: &mut Script,
        parts: &FxHashSet<(SymbolId, TermId)>,
        slice: &[TermId],
    ) {
        let mut read: Vec<(TermId, TermId, TermId)> = Vec::new();
        for t in terms.post_order(slice) {
            let term = terms.term(t);
            if term.op != Op::Select {
                continue;
            }
            let Some((map, _)) = independence::object_chain(terms, &term.args) else { continue };
            if let Op::Var(symbol) = terms.term(map).op
                && parts.contains(&(symbol, term.args[1]))
            {
                read.push((map, term.args[1], term.args[2]));
            }
        }
        for (map, object, index) in read {
            let plain = self.plain.term(terms, index);
            let Some(at) = self.solver.value(terms, plain) else { continue };
            let literal = terms.value(&at);
            let cell = terms.app(Op::Select, [map, object, literal]);
            let plain = self.plain.term(terms, cell);
            if let Some(value) = self.solver.value(terms, plain) {
                set_cell(script, terms, inputs, cell, value);
            }
        }
    }

    /// The cells of a map that the conditions may read, where the model's map as a whole cannot be written down.
    fn read_cells(
        &mut self,
        terms: &mut Terms,
        script: &mut Script,
        key: Key,
        map: TermId,
        slice: &[TermId],
    ) {
        let sort = terms.sort(map);
        let Sort::Map { domain, .. } = terms.sort_of(sort).clone() else { return };
        let mut indices: FxHashSet<Vec<TermId>> = FxHashSet::default();
        for t in terms.post_order(slice) {
            let term = terms.term(t);
            if !matches!(term.op, Op::Select | Op::Store) || term.args.len() <= domain.len() {
                continue;
            }
            let index = &term.args[1..=domain.len()];
            if index.iter().zip(&domain).all(|(&i, &sort)| terms.sort(i) == sort) {
                indices.insert(index.to_vec());
            }
        }
        let mut indices: Vec<Vec<TermId>> = indices.into_iter().collect();
        indices.sort_unstable();
        for index in indices {
            let mut at = Vec::with_capacity(index.len());
            for i in index {
                let plain = self.plain.term(terms, i);
                at.extend(self.solver.value(terms, plain));
            }
            if at.len() != domain.len() {
                continue;
            }
            let mut args = vec![map];
            for value in &at {
                args.push(terms.value(value));
            }
            let cell = terms.app(Op::Select, args);
            let plain = self.plain.term(terms, cell);
            if let Some(value) = self.solver.value(terms, plain) {
                set_element(script, key, sort, at, value);
            }
        }
    }
}
