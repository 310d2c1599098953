//! Test generation from models: a model of the unfolded condition becomes a test that the reference interpreter has
//! run.
//!
//! **Idea.** A model of the unfolded condition says which blocks a run passes ([`PathTree`]). That one path is executed
//! symbolically, and its condition, which is exact, is solved for inputs. The interpreter then runs the program as
//! the front end made it on these inputs, loops and calls included. If a model iterates a loop more often than was
//! unfolded, there is no path to follow; then the interpreter runs on the model's inputs and on its values of
//! arbitrary choices, and the result counts.
//!
//! Example: a model with two unfolded iterations gives the path head, body, head, body, head, target; its condition
//! `0 < n && 1 < n && 2 >= n` has the solution `n = 2`.
//!
//! **Direction of error.** A test relies on axioms that the interpreter could not evaluate; they hold in the solver's
//! model only.

mod proposed;

use std::collections::{BTreeMap, VecDeque};

use footpath_ir::interp::{self, Ask, Interpreter, Limits, Oracle, Outcome, Reason, Script};
use footpath_ir::{BlockId, Body, Origin, Place, ProcId, Program, StatementKind, TerminatorKind};
use footpath_smt::Solver;
use footpath_term::{EvalError, Op, SortId, SymbolId, TermId, Terms, Value};
use footpath_transform::inline::Inlined;
use footpath_transform::source_choice;
use footpath_transform::state::State;
use rustc_hash::FxHashMap;

use crate::target::Spot;
use crate::unfold::{PathStep, PathTree};

pub use proposed::test_of_script;

/// How many values of havocs are taken from a model.
const MAX_HAVOCS: usize = 1_000_000;

/// A test: a run that reaches a target, given by its inputs and choices.
#[derive(Clone, Debug)]
pub struct Test {
    /// The relevant values of parameters, globals, constants and locals at entry, by source name.
    pub inputs: BTreeMap<String, Value>,
    /// Further choices of the run, in order.
    pub choices: Vec<Choice>,
    /// How many blocks the run passes up to the target, or up to where the interpreter stopped.
    pub blocks: usize,
    /// All inputs and choices, as a script for the interpreter.
    pub script: Script,
}

/// A choice that a run makes after its start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A variable got an arbitrary value.
    Value {
        /// Its name in the source.
        variable: String,
        /// Why.
        reason: Reason,
        /// The value.
        value: Value,
    },
    /// A nondeterministic jump to the block with this label.
    Way {
        /// The label.
        target: String,
        /// Its number among the targets, from 0.
        number: usize,
    },
}

/// The blocks that a model's run passes, the target last; `None` if it iterates a loop more often than was unfolded.
pub(crate) fn path(way: &PathTree, terms: &Terms, solver: &mut dyn Solver) -> Option<Vec<BlockId>> {
    let mut path = Vec::new();
    let mut way = way;
    loop {
        blocks(&way.steps, terms, solver, &mut path)?;
        if way.next.is_empty() {
            return Some(path);
        }
        let taken = way.next.iter().find(|(s, _)| is_true(*s, terms, solver))?;
        way = &taken.1;
    }
}

fn is_true(t: TermId, terms: &Terms, solver: &mut dyn Solver) -> bool {
    solver.value(terms, t).and_then(|v| v.as_bool()) == Some(true)
}

fn blocks(steps: &[PathStep], terms: &Terms, solver: &mut dyn Solver, path: &mut Vec<BlockId>) -> Option<()> {
    for step in steps {
        if let Some(rounds) = &step.rounds {
            let total = solver.value(terms, rounds.total)?.as_u64()? as usize;
            for round in rounds.unfolded.get(..total)? {
                let (_, inner) = round.iter().find(|(s, _)| is_true(*s, terms, solver))?;
                blocks(inner, terms, solver, path)?;
            }
        }
        path.push(step.block);
    }
    Some(())
}

/// The outline of a run that iterates loops more often than was unfolded: the further iterations get the values of
/// the last one that was unfolded.
struct Outline<'a> {
    inlined: &'a Inlined,
    terms: &'a Terms,
    solver: &'a mut dyn Solver,
    havocs: VecDeque<TermId>,
}

impl Outline<'_> {
    /// `None` if the model does not determine the path.
    fn way(&mut self, way: &PathTree) -> Option<()> {
        let mut way = way;
        loop {
            self.steps(&way.steps)?;
            if way.next.is_empty() {
                return Some(());
            }
            way = &way.next.iter().find(|(s, _)| is_true(*s, self.terms, self.solver))?.1;
        }
    }

    fn steps(&mut self, steps: &[PathStep]) -> Option<()> {
        for step in steps {
            if let Some(rounds) = &step.rounds {
                let total = self.solver.value(self.terms, rounds.total)?.as_u64()? as usize;
                let mut last = self.havocs.len()..self.havocs.len();
                for round in rounds.unfolded.iter().take(total) {
                    let (_, inner) = round.iter().find(|(s, _)| is_true(*s, self.terms, self.solver))?;
                    let from = self.havocs.len();
                    self.steps(inner)?;
                    last = from..self.havocs.len();
                }
                let again: Vec<TermId> = self.havocs.range(last).copied().collect();
                for _ in rounds.unfolded.len()..total {
                    if again.is_empty() || self.havocs.len() > MAX_HAVOCS {
                        break;
                    }
                    self.havocs.extend(&again);
                }
            }
            let depth = self.inlined.depths[step.block.index()];
            let statements = &self.inlined.body[step.block].statements;
            let symbols = statements.iter().flat_map(|s| match &s.kind {
                StatementKind::Havoc(symbols) => &symbols[..],
                _ => &[],
            });
            for (symbol, &value) in symbols.zip(&step.havocs) {
                // What a callee finds when it is entered is not asked for as a havoc.
                let locals = &self.inlined.activation_locals;
                if locals.get(symbol).is_none_or(|local| depth >= local.depth) {
                    self.havocs.push_back(value);
                }
            }
        }
        Some(())
    }
}

/// The condition of a path, and its choices in the interpreter's order.
pub(crate) struct Demands {
    pub(crate) conditions: Vec<TermId>,
    havocs: VecDeque<TermId>,
    choices: VecDeque<usize>,
    bodies: VecDeque<usize>,
    /// Initial values of the locals and results of activations, by activation and symbol of the source.
    locals: FxHashMap<(u32, SymbolId), TermId>,
}

impl Demands {
    /// Those of a run that iterates loops more often than was unfolded.
    pub(crate) fn of_outline(
        way: &PathTree,
        terms: &Terms,
        inlined: &Inlined,
        solver: &mut dyn Solver,
    ) -> Demands {
        let mut outline = Outline { inlined, terms, solver, havocs: VecDeque::new() };
        // The part of the path that the model determines is tried all the same.
        let _ = outline.way(way);
        Demands { havocs: outline.havocs, ..Demands::none() }
    }

    /// Those of a run of which only the inputs are known.
    fn none() -> Demands {
        Demands {
            conditions: Vec::new(),
            havocs: VecDeque::new(),
            choices: VecDeque::new(),
            bodies: VecDeque::new(),
            locals: FxHashMap::default(),
        }
    }

    /// Those of a path, whose last block is not executed.
    pub(crate) fn of_path(
        program: &Program,
        terms: &mut Terms,
        inlined: &Inlined,
        initial: &State,
        path: &[BlockId],
    ) -> Demands {
        let mut demands = Demands::none();
        let mut state = initial.clone();
        let mut activation = 0;
        let mut entering: Vec<(SymbolId, TermId)> = Vec::new();
        for pair in path.windows(2) {
            let (at, to) = (pair[0], pair[1]);
            let block = &inlined.body[at];
            let depth = inlined.depths[at.index()];
            if block.origin.place == Place::Entry && depth > 0 {
                activation += 1;
                for (source, value) in entering.drain(..) {
                    demands.locals.insert((activation, source), value);
                }
            }
            let mut havocs = Vec::new();
            for statement in &block.statements {
                demands.conditions.extend(state.execute(terms, statement, &mut havocs));
            }
            for (symbol, value) in havocs {
                match inlined.activation_locals.get(&symbol) {
                    // Havocked by the caller: what the callee finds when it is entered.
                    Some(local) if depth < local.depth => {
                        entering.extend(local.sources.iter().map(|&source| (source, value)));
                    }
                    _ => demands.havocs.push_back(value),
                }
            }
            demands.leave(program, terms, &inlined.body, &mut state, at, to);
        }
        demands
    }

    /// A block is left for another.
    fn leave(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        body: &Body,
        state: &mut State,
        at: BlockId,
        to: BlockId,
    ) {
        let terminator = &body[at].terminator;
        if let TerminatorKind::Branch { condition, then_to, .. } = &terminator.kind {
            let condition = state.eval(terms, *condition);
            let holds = if to == *then_to { condition } else { terms.app(Op::Not, [condition]) };
            self.conditions.push(holds);
        }
        let successors = terminator.successors();
        let Some(successor) = successors.iter().position(|&s| s == to) else { return };
        if let Some(choice) = source_choice(program, body, at, successor) {
            self.choices.push_back(choice);
        } else if matches!(terminator.kind, TerminatorKind::Goto(_))
            && successors.len() > 1
            && body[to].origin.place == Place::Entry
        {
            self.bodies.push_back(successor);
        }
    }
}

/// The result of a replay.
pub(crate) enum Replayed {
    /// It reaches the target.
    Reached(Test),
    /// It does not; this is how it ended.
    Missed(Outcome),
    /// It takes too many steps.
    CutShort(Test),
}

/// A run of the interpreter.
pub(crate) struct Replay<'a, 'p> {
    pub(crate) program: &'p Program,
    pub(crate) interpreter: &'a Interpreter<'p>,
    pub(crate) start: (ProcId, u32),
    pub(crate) target: Spot,
    pub(crate) axioms: &'a [usize],
    pub(crate) steps: u64,
}

impl Replay<'_, '_> {
    /// Runs the program on the solver's current model.
    pub(crate) fn run(&self, terms: &mut Terms, solver: &mut dyn Solver, demands: Demands) -> Replayed {
        let mut oracle = ModelOracle {
            program: self.program,
            terms,
            solver,
            demands,
            inputs: Vec::new(),
            choices: Vec::new(),
            script: Script::default(),
        };
        let limits = Limits { steps: self.steps, ..Limits::default() };
        let run = self.interpreter.run_under(self.start.0, self.start.1, &mut oracle, &limits, self.axioms);
        let (inputs, choices, script) = (oracle.inputs, oracle.choices, oracle.script);
        let reached = run.path.iter().position(|step| {
            let here = Spot { procedure: step.procedure, body: step.body, block: step.block };
            here == self.target
        });
        let is_cut = run.outcome == Outcome::OutOfSteps;
        if reached.is_none() && !is_cut {
            return Replayed::Missed(run.outcome);
        }
        let inputs = named(self.interpreter, self.program, self.start, terms, inputs);
        let test = Test { inputs, choices, blocks: reached.unwrap_or(run.path.len()), script };
        if reached.is_some() { Replayed::Reached(test) } else { Replayed::CutShort(test) }
    }
}

/// The inputs of a run at entry, by source names.
fn named(
    interpreter: &Interpreter<'_>,
    program: &Program,
    start: (ProcId, u32),
    terms: &Terms,
    inputs: Vec<(SymbolId, u32, Value)>,
) -> BTreeMap<String, Value> {
    let name = |symbol: SymbolId| terms.symbol(symbol).name.to_string();
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
    for param in &program[start.0].bodies[start.1 as usize].params {
        if let Ok(value) = interp::default_value(interpreter, param.sort(terms)) {
            named.entry(name(param.symbol)).or_insert(value);
        }
    }
    named
}

/// Answers from a model.
struct ModelOracle<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    solver: &'a mut dyn Solver,
    demands: Demands,
    inputs: Vec<(SymbolId, u32, Value)>,
    choices: Vec<Choice>,
    script: Script,
}

impl ModelOracle<'_> {
    fn value(&mut self, term: TermId, what: &str) -> Result<Value, EvalError> {
        self.solver.value(self.terms, term).ok_or_else(|| {
            EvalError::Unsupported(format!("the model's value of {what} cannot be written down"))
        })
    }
}

impl Oracle for ModelOracle<'_> {
    fn entry(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let term = if ask.activation == 0 {
            Some(self.terms.var(ask.symbol))
        } else {
            self.demands.locals.get(&(ask.activation, ask.symbol)).copied()
        };
        let value = match term {
            Some(term) => {
                let name = self.terms.symbol(ask.symbol).name.to_string();
                self.value(term, &name)?
            }
            None => interp::default_value(ask.interpreter, ask.sort)?,
        };
        self.inputs.push((ask.symbol, ask.activation, value.clone()));
        self.script.entries.insert((ask.activation, ask.symbol), value.clone());
        Ok(value)
    }

    fn havoc(&mut self, ask: &Ask<'_>) -> Result<Value, EvalError> {
        let variable = self.terms.symbol(ask.symbol).name.to_string();
        let value = match self.demands.havocs.pop_front() {
            Some(term) if self.terms.sort(term) == ask.sort => self.value(term, &variable)?,
            _ => interp::default_value(ask.interpreter, ask.sort)?,
        };
        self.script.havocs.push(value.clone());
        self.choices.push(Choice::Value { variable, reason: ask.reason, value: value.clone() });
        Ok(value)
    }

    fn choose(&mut self, at: Origin, targets: &[BlockId]) -> Result<usize, EvalError> {
        let number = self.demands.choices.pop_front().unwrap_or(0);
        let target = targets.get(number).copied().unwrap_or(targets[0]);
        let block = &self.program[at.procedure].bodies[at.body as usize][target];
        self.script.choices.push(number);
        self.choices.push(Choice::Way { target: block.name.to_string(), number });
        Ok(number)
    }

    fn call_body(&mut self, _: Origin, _: ProcId, _: usize) -> Result<usize, EvalError> {
        let body = self.demands.bodies.pop_front().unwrap_or(0);
        self.script.bodies.push(body);
        Ok(body)
    }

    fn undetermined(
        &mut self,
        _: &Interpreter<'_>,
        op: &Op,
        args: &[Value],
        sort: SortId,
    ) -> Result<Value, EvalError> {
        let given: Vec<TermId> = args.iter().map(|a| self.terms.value(a)).collect();
        let term = self.terms.mk(op.clone(), given, sort);
        let value = self.value(term, "a function")?;
        self.script.functions.insert((op.clone(), args.to_vec(), sort), value.clone());
        Ok(value)
    }

    fn binder(&mut self, _: &Terms, term: TermId, bound: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
        let map = bound.iter().map(|(s, v)| (*s, self.terms.value(v))).collect();
        let closed = self.terms.substitute(term, &map);
        self.value(closed, "a quantified condition")
    }
}
