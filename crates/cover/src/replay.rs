//! Test replay: a test counts when the reference interpreter has executed it.
//!
//! **Idea.** A model is a path of the loop-free form and a value for everything that the program leaves open. The
//! interpreter runs the procedure as the front end made it, loops and calls included, and asks the model for each of
//! these values when it needs one. The run must pass the blocks of the path in their order and end as the path does:
//! a run that does not is an internal error, which ends the cover ([`CoverError::Internal`]). A run that cannot be
//! evaluated to its end (a quantifier over all integers, a model value that cannot be represented) confirms nothing,
//! and what its path would have covered stays unknown.
//!
//! **Example.** A model with `x = 5` and the path `entry, then, exit` is confirmed if the interpreter, given `x = 5`,
//! enters `then` and returns.
//!
//! **Direction of error.** A confirmed test relies on axioms that the interpreter could not evaluate; they hold in
//! the solver's model only.

use std::collections::{BTreeMap, VecDeque};

use footpath_ir::interp::{self, Ask, Interpreter, Limits, Oracle, Run};
use footpath_ir::{BlockId, Origin, Place, ProcId, Program, TerminatorKind};
use footpath_smt::{Monomorphic, Solver};
use footpath_term::{EvalError, Op, SortId, SymbolId, TermId, Terms, Value};
use rustc_hash::FxHashMap;

use super::callee_summaries::{Demand, Event, Leaf, Recipe};
use super::report::{Choice, Outcome, PathStep, Test};
use super::session::Session;
use super::{CoverError, choices, random_runs};

/// The largest number of steps of a run.
const STEPS: u64 = 1_000_000;

/// A block on a path of the loop-free body, with the choices made in it.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    pub(super) block: BlockId,
    /// The havocked variables, each with the symbol of its value.
    pub(super) havocs: Vec<(SymbolId, TermId)>,
    /// The number of the successor that the path takes.
    pub(super) successor: Option<usize>,
}

/// A complete path.
pub(super) struct PathTaken {
    pub(super) steps: Vec<Taken>,
}

/// The initial value of a variable in an activation.
pub(super) type Input = (SymbolId, u32, Value);

/// The result of a replay.
pub(super) enum Replayed {
    /// The run follows the path.
    Confirmed(Test),
    /// It could not be run to its end; the text says why.
    Inconclusive(String),
}

/// The source of the values of a test.
pub(super) enum Values<'v> {
    /// The solver's current model.
    Solver,
    /// The candidate for a model that the refuter had when it gave up, see `quantified.rs`.
    Candidate,
    /// Values that were read from a model; symbols without one may have any value.
    Known(&'v FxHashMap<SymbolId, Value>),
}

/// Replays the session's current model, whose path is `path`.
pub(super) fn replay_model(s: &mut Session, path: &[BlockId]) -> Result<Replayed, CoverError> {
    let steps = steps(s, path);
    replay(s, &PathTaken { steps }, &Values::Solver)
}

/// Replays the refuter's candidate for a model, whose path is `path`. A candidate guarantees nothing, so a run that
/// takes another path is no error; and it counts only if nothing had to be trusted, no axiom and no quantified
/// condition.
pub(super) fn replay_candidate(s: &mut Session, path: &[BlockId]) -> Option<Test> {
    let ends = path.last().map(|&b| &s.unit.body[b].terminator.kind);
    if !matches!(ends, Some(TerminatorKind::Return | TerminatorKind::Fail)) {
        return None;
    }
    let taken = PathTaken { steps: steps(s, path) };
    let (run, asked) = run(s, &taken, &Values::Candidate);
    let counts = run.unchecked_axioms.is_empty() && is_as_promised(s, &taken, &run);
    counts.then(|| asked.test(s, &run))
}

fn steps(s: &Session, path: &[BlockId]) -> Vec<Taken> {
    path.iter()
        .enumerate()
        .map(|(i, &block)| {
            let successors = s.unit.body[block].terminator.successors();
            let successor = path.get(i + 1).and_then(|next| successors.iter().position(|s| s == next));
            Taken { block, havocs: s.vc.havocs[block.index()].clone(), successor }
        })
        .collect()
}

/// Replays a test that takes the path `taken`.
pub(super) fn replay(s: &mut Session, taken: &PathTaken, values: &Values) -> Result<Replayed, CoverError> {
    let (run, asked) = run(s, taken, values);
    match &run.outcome {
        interp::Outcome::Stuck { why, .. } => {
            return Ok(Replayed::Inconclusive(format!("a test was found but could not be replayed: {why}")));
        }
        interp::Outcome::OutOfSteps => {
            return Ok(Replayed::Inconclusive(
                "a test was found but its replay takes too many steps".to_owned(),
            ));
        }
        _ => {}
    }
    if !s.leaves.is_empty() {
        return Ok(summarised(s, taken, &run, asked));
    }
    if !is_as_promised(s, taken, &run) && s.incomplete {
        let why =
            "a test was found but its run goes another way than the solver says of quantified conditions";
        return Ok(Replayed::Inconclusive(why.to_owned()));
    }
    if !is_as_promised(s, taken, &run) {
        return Err(CoverError::Internal(format!(
            "a test of {} left its promised path: promised {:?} ending in {:?}, did {:?} ending in {:?}",
            s.program[s.procedure].name,
            promised_steps(s, taken).iter().map(|p| p.2).collect::<Vec<_>>(),
            end(s, taken),
            done_steps(&run).iter().map(|p| p.2).collect::<Vec<_>>(),
            run.outcome,
        )));
    }
    Ok(Replayed::Confirmed(asked.test(s, &run)))
}

/// A run through summaries counts for what it did; one that misses a goal of its path does not count.
fn summarised(s: &Session, taken: &PathTaken, run: &Run, asked: Asked) -> Replayed {
    let path: Vec<BlockId> = taken.steps.iter().map(|t| t.block).collect();
    let covers = random_runs::covered_by(s, run);
    if s.promised(&path).iter().any(|goal| !covers.contains(goal)) {
        return Replayed::Inconclusive(
            "a test found through summaries did not get there when it was run".to_owned(),
        );
    }
    Replayed::Confirmed(Test { covers, ..asked.test(s, run) })
}

/// After a model of a run through open leaves along `path`: the first of them with the values that decide that a run
/// reaches it, and the reason if it cannot be explored further.
pub(super) fn open_leaf(s: &mut Session, path: &[BlockId]) -> Option<(Demand, Option<String>)> {
    let steps = steps(s, path);
    let mut script = Script::default();
    for step in &steps {
        let (origin, leaf) = (s.unit.body[step.block].origin, s.leaf(step.block).cloned());
        if let (Place::Summary { node }, Some(Leaf::Open(why))) = (origin.place, leaf) {
            let mut values = Vec::new();
            for (symbol, term) in std::mem::take(&mut script.initial) {
                values.extend(s.solver.value(&s.terms, term).map(|value| (symbol, value)));
            }
            return Some((Demand { procedure: origin.procedure, node, values }, why));
        }
        script.step(s, step);
    }
    None
}

/// The questions of a run, with their answers.
struct Asked {
    inputs: Vec<Input>,
    choices: Vec<Choice>,
    /// The answers as a script for another run; `None` if some answer cannot be part of a script.
    script: Option<Box<interp::Script>>,
}

impl Asked {
    fn test(self, s: &Session, run: &Run) -> Test {
        Test { script: self.script, ..make_test(s, run, self.inputs, self.choices) }
    }

    fn note(&mut self, add: impl FnOnce(&mut interp::Script)) {
        if let Some(script) = &mut self.script {
            add(script);
        }
    }
}

/// The run that the values determine, and what it asked for.
fn run(s: &mut Session, taken: &PathTaken, values: &Values) -> (Run, Asked) {
    s.statistics.runs += 1;
    let script = Script::read(s, taken);
    let solver = match (values, &mut s.quantified) {
        (Values::Candidate, Some(quantified)) => &mut *quantified.refuter,
        _ => &mut *s.solver,
    };
    let mut oracle = ModelOracle {
        program: s.program,
        solver,
        terms: &mut s.terms,
        monomorphic: s.monomorphic.as_mut(),
        values,
        script,
        asked: Asked { inputs: Vec::new(), choices: Vec::new(), script: Some(Box::default()) },
    };
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let run = s.interpreter.run_under(s.procedure, s.unit.body_index, &mut oracle, &limits, &s.axioms);
    (run, oracle.asked)
}

/// The terminator of a path's last block, and its place in the source.
fn end(s: &Session, taken: &PathTaken) -> (TerminatorKind, Origin) {
    let last = &s.unit.body[taken.steps[taken.steps.len() - 1].block];
    (last.terminator.kind.clone(), last.origin)
}

fn is_as_promised(s: &Session, taken: &PathTaken, run: &Run) -> bool {
    let ended = match (end(s, taken), &run.outcome) {
        ((TerminatorKind::Return, _), interp::Outcome::Returned) => true,
        ((TerminatorKind::Fail, origin), interp::Outcome::Failed { at, .. }) => *at == origin,
        _ => false,
    };
    ended && promised_steps(s, taken) == done_steps(run)
}

/// A test from a run that returned or failed.
pub(super) fn make_test(s: &Session, run: &Run, inputs: Vec<Input>, choices: Vec<Choice>) -> Test {
    test_of(s.interpreter, (s.procedure, s.unit.body_index), run, inputs, choices)
}

/// A test of a body from a run that returned or failed.
pub(super) fn test_of(
    interpreter: &Interpreter<'_>,
    (procedure, body): (ProcId, u32),
    run: &Run,
    inputs: Vec<Input>,
    choices: Vec<Choice>,
) -> Test {
    let program = interpreter.program();
    let name = |symbol: SymbolId| program.terms.symbol(symbol).name.to_string();
    let mut named: BTreeMap<String, Value> = BTreeMap::new();
    for (symbol, activation, value) in inputs {
        let mut key = name(symbol);
        if activation > 0 {
            key = format!("{key}@{activation}");
        }
        while named.contains_key(&key) {
            key.push('\'');
        }
        named.insert(key, value);
    }
    for param in &program[procedure].bodies[body as usize].params {
        if let Ok(value) = interp::default_value(interpreter, param.sort(&program.terms)) {
            named.entry(name(param.symbol)).or_insert(value);
        }
    }
    let path = run
        .path
        .iter()
        .map(|step| {
            let block = &program[step.procedure].bodies[step.body as usize][step.block];
            PathStep { procedure: step.procedure, block: block.name.to_string(), span: block.span }
        })
        .collect();
    let outcome = match &run.outcome {
        interp::Outcome::Failed { at, kind } => Outcome::Failed(*kind, failure_span(program, at)),
        _ => Outcome::Returned,
    };
    Test { inputs: named, choices, path, outcome, covers: Vec::new(), script: None }
}

/// The range of the assertion, call or postcondition that failed.
fn failure_span(program: &Program, at: &Origin) -> footpath_ir::source::Span {
    let procedure = &program[at.procedure];
    match at.place {
        Place::Failure { block, statement, .. } => {
            procedure.bodies[at.body as usize][block].statements[statement as usize].span
        }
        Place::EnsuresFailure { clause } => procedure.ensures[clause as usize].span,
        _ => procedure.span,
    }
}

type SourceStep = (ProcId, u32, BlockId, u32);

fn done_steps(run: &Run) -> Vec<SourceStep> {
    collapse(run.path.iter().map(|step| (step.procedure, step.body, step.block, step.depth)))
}

/// The source blocks of a path; repetitions in a row count once, since the pieces into which a call cuts a block have
/// the block's origin.
fn promised_steps(s: &Session, taken: &PathTaken) -> Vec<SourceStep> {
    collapse(taken.steps.iter().filter_map(|t| {
        let origin = s.unit.body[t.block].origin;
        match origin.place {
            Place::Segment { block, first: 0 } => {
                Some((origin.procedure, origin.body, block, s.unit.depths[t.block.index()]))
            }
            _ => None,
        }
    }))
}

fn collapse(steps: impl Iterator<Item = SourceStep>) -> Vec<SourceStep> {
    let mut collapsed: Vec<SourceStep> = steps.collect();
    collapsed.dedup();
    collapsed
}

/// The choices of a path, in the interpreter's order. The values themselves stay in the model.
#[derive(Default)]
struct Script {
    /// A value that does not matter has no term.
    havocs: VecDeque<Option<TermId>>,
    choices: VecDeque<usize>,
    bodies: VecDeque<usize>,
    /// Initial values of the locals and results of activations, by activation and symbol of the source.
    locals: FxHashMap<(u32, SymbolId), TermId>,
    /// The last activation.
    activation: u32,
    /// The arbitrary initial values of the activation that is entered next.
    initial: Vec<(SymbolId, TermId)>,
}

impl Script {
    fn read(s: &Session, taken: &PathTaken) -> Script {
        let mut script = Script::default();
        for step in &taken.steps {
            script.step(s, step);
        }
        script
    }

    fn step(&mut self, s: &Session, step: &Taken) {
        let block = &s.unit.body[step.block];
        // A callee is entered: what was left open for its activation belongs to it.
        if block.origin.place == Place::Entry && s.unit.depths[step.block.index()] > 0 {
            self.activation += 1;
            for (source, value) in self.initial.drain(..) {
                self.locals.insert((self.activation, source), value);
            }
        }
        if let Some(Leaf::Complete(recipe, names)) = s.leaf(step.block) {
            let found: FxHashMap<SymbolId, TermId> = self.initial.drain(..).collect();
            let known = names.iter().filter_map(|(own, here)| Some((*own, *found.get(here)?)));
            self.follow(recipe, &known.collect());
        }
        for &(symbol, value) in &step.havocs {
            match s.unit.activation_locals.get(&symbol) {
                // Havocked by the caller: what the callee finds when it is entered.
                Some(local) if s.unit.depths[step.block.index()] < local.depth => {
                    self.initial.extend(local.sources.iter().map(|&source| (source, value)));
                }
                _ => self.havocs.push_back(Some(value)),
            }
        }
        let Some(successor) = step.successor else { return };
        if let Some(choice) = s.unit.source_choice(s.program, step.block, successor) {
            self.choices.push_back(choice);
        } else if let TerminatorKind::Goto(targets) = &block.terminator.kind
            && targets.len() > 1
            && s.unit.body[targets[successor]].origin.place == Place::Entry
        {
            self.bodies.push_back(successor);
        }
    }

    /// Adds the choices of the summarised run of a callee; `values` are those of the recipe's symbols.
    fn follow(&mut self, recipe: &Recipe, values: &FxHashMap<SymbolId, TermId>) {
        // Each activation takes a step, so no run gets that far. Summaries of few procedures may have very many.
        if u64::from(self.activation) > STEPS {
            return;
        }
        self.activation += 1;
        for (source, symbol) in &recipe.locals {
            if let Some(&value) = values.get(symbol) {
                self.locals.insert((self.activation, *source), value);
            }
        }
        for event in &recipe.events {
            match event {
                Event::Havoc(symbol) => self.havocs.push_back(values.get(symbol).copied()),
                Event::Choice(number) => self.choices.push_back(*number),
                Event::Body(number) => self.bodies.push_back(*number),
                Event::Call(recipe, names) => {
                    let known = names.iter().filter_map(|(own, here)| Some((*own, *values.get(here)?)));
                    self.follow(recipe, &known.collect());
                }
            }
        }
    }
}

/// Answers from a model.
struct ModelOracle<'a> {
    program: &'a Program,
    solver: &'a mut dyn Solver,
    terms: &'a mut Terms,
    monomorphic: Option<&'a mut Monomorphic>,
    values: &'a Values<'a>,
    script: Script,
    asked: Asked,
}

impl ModelOracle<'_> {
    /// The value of a variable at some point of the path.
    fn variable(&mut self, ask: &Ask<'_>, term: TermId) -> Result<Value, EvalError> {
        if let (Values::Known(values), Op::Var(symbol)) = (self.values, &self.terms.term(term).op) {
            return match values.get(symbol) {
                Some(value) => Ok(value.clone()),
                None => interp::default_value(ask.interpreter, ask.sort),
            };
        }
        let name = self.terms.symbol(ask.symbol).name.to_string();
        self.value(term, &name)
    }

    fn value(&mut self, term: TermId, what: &str) -> Result<Value, EvalError> {
        let value = match &mut self.monomorphic {
            None => self.solver.value(self.terms, term),
            Some(made) => {
                let sort = self.terms.sort(term);
                let rewritten = made.rewrite(self.terms, term).ok();
                let value = rewritten.and_then(|t| self.solver.value(self.terms, t));
                value.map(|v| made.restore(self.terms, &v, sort))
            }
        };
        let value = value.ok_or_else(|| {
            EvalError::Unsupported(format!("the model's value of {what} cannot be written down"))
        })?;
        if !self.program.terms.has_sorts_of(&value) {
            return Err(EvalError::Unsupported(format!("{what} is of a type that only callees make")));
        }
        Ok(value)
    }
}

impl Oracle for ModelOracle<'_> {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let term = if ask.activation == 0 {
            self.terms.var(ask.symbol)
        } else {
            match self.script.locals.get(&(ask.activation, ask.symbol)) {
                Some(&term) => term,
                // The formula does not depend on it.
                None => return interp::default_value(ask.interpreter, ask.sort),
            }
        };
        let value = self.variable(ask, term)?;
        self.asked.inputs.push((ask.symbol, ask.activation, value.clone()));
        self.asked.note(|s| {
            s.entries.insert((ask.activation, ask.symbol), value.clone());
        });
        Ok(value)
    }

    fn havoc(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let value = match self.script.havocs.pop_front() {
            Some(Some(term)) => self.variable(ask, term)?,
            Some(None) | None => interp::default_value(ask.interpreter, ask.sort)?,
        };
        self.asked.choices.push(choices::value(self.program, ask, &value));
        self.asked.note(|s| s.havocs.push(value.clone()));
        Ok(value)
    }

    fn choose(&mut self, at: Origin, targets: &[BlockId]) -> Result<usize, EvalError> {
        let choice = self.script.choices.pop_front().unwrap_or(0);
        self.asked.choices.extend(choices::way(self.program, at, targets, choice));
        self.asked.note(|s| s.choices.push(choice));
        Ok(choice)
    }

    fn call_body(&mut self, _: Origin, _: ProcId, _: usize) -> Result<usize, EvalError> {
        let body = self.script.bodies.pop_front().unwrap_or(0);
        self.asked.note(|s| s.bodies.push(body));
        Ok(body)
    }

    fn undetermined(
        &mut self,
        _: &Interpreter<'_>,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        let terms: Vec<TermId> = args.iter().map(|a| self.terms.value(a)).collect();
        let term = self.terms.mk(op.clone(), terms, sort);
        let value = self.value(term, "a function")?;
        self.asked.note(|s| {
            s.functions.insert((op.clone(), args.to_vec(), sort), value.clone());
        });
        Ok(value)
    }

    fn binder(&mut self, _: &Terms, term: TermId, bound: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
        if matches!(self.values, Values::Candidate) {
            return Err(EvalError::Unsupported(
                "a quantified condition of which nothing is known".to_owned(),
            ));
        }
        let map = bound.iter().map(|(s, v)| (*s, self.terms.value(v))).collect();
        let closed = self.terms.substitute(term, &map);
        let value = self.value(closed, "a quantified condition")?;
        self.asked.script = None;
        Ok(value)
    }
}
