//! The interpreter's machine: stack frames, execution of statements, calls and returns.
//!
//! **Direction of error.** That of the interpreter (`interp.rs`): what cannot be executed ends the run, and no value
//! is invented.

use footpath_term::{EvalError, Op, Sort, SortId, SymbolId, TermId, TypeSubstitution, Value, store};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::eval::canonical;
use super::oracle::{Ask, Reason};
use super::{Interpreter, Limits, Oracle, Outcome, Run, Step, Trace};
use crate::program::{
    AssertKind, Block, BlockId, Body, Contract, Origin, Place, ProcId, StatementKind, TerminatorKind,
    Variable,
};

/// The effect of an assignment on a variable.
enum Assigned {
    Value(Value),
    /// What could not be evaluated.
    Unknown(EvalError),
    /// The variable's map with these writes: indices and values, in order.
    Writes(TermId, Vec<(Vec<Value>, Value)>),
}

/// How many values are tried as witnesses of quantifiers in a run.
const WITNESSES: u32 = 400;

/// An open call.
pub(super) struct Frame {
    pub(super) procedure: ProcId,
    /// The body that runs; `None` while a contract is executed instead of a body.
    pub(super) body: Option<u32>,
    pub(super) activation: u32,
    /// Parameters, results and locals that have a value.
    pub(super) values: FxHashMap<SymbolId, Value>,
    /// Variables that were assigned what could not be evaluated, with the reason. It matters where they are read.
    pub(super) unknown: FxHashMap<SymbolId, EvalError>,
    /// Old symbols that the procedure mentions.
    pub(super) old: FxHashMap<SymbolId, Value>,
    /// The type arguments; none for the first procedure, whose type parameters are uninterpreted sorts.
    pub(super) types: TypeSubstitution,
    block: BlockId,
    /// The next statement.
    statement: usize,
}

/// A function body under evaluation.
pub(super) struct FunctionFrame {
    /// The function's position in the program.
    pub(super) position: usize,
    pub(super) args: Vec<Value>,
    /// The type arguments, as far as they follow from the result.
    pub(super) types: TypeSubstitution,
}

/// A run.
pub(super) struct Machine<'p, 'o> {
    pub(super) interpreter: &'o Interpreter<'p>,
    pub(super) oracle: &'o mut dyn Oracle,
    pub(super) limits: &'o Limits,
    pub(super) frames: Vec<Frame>,
    pub(super) functions: Vec<FunctionFrame>,
    pub(super) globals: FxHashMap<SymbolId, Value>,
    /// Those that were assigned what could not be evaluated.
    pub(super) unknown_globals: FxHashMap<SymbolId, EvalError>,
    /// How many more values are tried as witnesses of quantifiers.
    pub(super) witnesses: u32,
    /// What the oracle said about operators.
    pub(super) known: FxHashMap<(Op, Vec<Value>, SortId), Value>,
    activations: u32,
    pub(super) steps: u64,
    path: Vec<Step>,
    trace: Vec<Trace>,
}

/// The result of a step; the error is how the run ended before its regular end.
type Flow<T> = Result<T, Outcome>;

impl<'p, 'o> Machine<'p, 'o> {
    pub(super) fn new(
        interpreter: &'o Interpreter<'p>,
        oracle: &'o mut dyn Oracle,
        limits: &'o Limits,
    ) -> Machine<'p, 'o> {
        Machine {
            interpreter,
            oracle,
            limits,
            frames: Vec::new(),
            functions: Vec::new(),
            globals: FxHashMap::default(),
            unknown_globals: FxHashMap::default(),
            witnesses: WITNESSES,
            known: FxHashMap::default(),
            activations: 0,
            steps: 0,
            path: Vec::new(),
            trace: Vec::new(),
        }
    }

    pub(super) fn run(mut self, procedure: ProcId, body: u32, axioms: &[usize]) -> Run {
        let entry = Origin { procedure, body, place: Place::Entry };
        let mut unchecked_axioms = Vec::new();
        let mut outcome = None;
        for &i in axioms {
            match self.eval_bool(self.interpreter.program.axioms[i].condition) {
                Ok(true) => {}
                Ok(false) => outcome = outcome.or(Some(Outcome::Blocked { at: entry })),
                Err(_) => unchecked_axioms.push(i),
            }
        }
        let outcome = match outcome {
            Some(outcome) => outcome,
            None => match self.start(procedure, body).and_then(|()| self.execute()) {
                Ok(()) => Outcome::Returned,
                Err(outcome) => outcome,
            },
        };
        let results = &self.interpreter.program[procedure].bodies[body as usize].results;
        let first = self.frames.first();
        let results = results.iter().map(|r| first.and_then(|f| f.values.get(&r.symbol)).cloned()).collect();
        Run { path: self.path, outcome, results, globals: self.globals, trace: self.trace, unchecked_axioms }
    }

    fn start(&mut self, procedure: ProcId, body: u32) -> Flow<()> {
        let at = Origin { procedure, body, place: Place::Entry };
        self.push(procedure, Some(body), FxHashMap::default(), TypeSubstitution::default());
        let program = self.interpreter.program;
        let entered = &program[procedure].bodies[body as usize];
        for symbol in program.assumptions(entered, true) {
            self.set(symbol, Value::Bool(true));
        }
        for g in &program.globals {
            if let Some(condition) = g.variable.where_clause {
                self.assume(condition, at)?;
            }
        }
        self.enter(true)
    }

    /// The current position of the run, as a segment that starts with the current statement.
    pub(super) fn here(&self) -> Option<Origin> {
        // A contract is evaluated on behalf of the caller.
        let frame = self.frames.iter().rev().find(|f| f.body.is_some())?;
        let place = Place::Segment { block: frame.block, first: frame.statement as u32 };
        Some(Origin { procedure: frame.procedure, body: frame.body?, place })
    }

    fn at(&self) -> Origin {
        self.here().expect("a run has a frame")
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a run has a frame")
    }

    /// Opens a frame, and saves the current values of globals for its old symbols.
    fn push(
        &mut self,
        procedure: ProcId,
        body: Option<u32>,
        values: FxHashMap<SymbolId, Value>,
        types: TypeSubstitution,
    ) {
        // A contract has no variables of its own to ask for.
        let activation = self.activations;
        self.activations += u32::from(body.is_some());
        let old = FxHashMap::default();
        self.frames.push(Frame {
            procedure,
            body,
            activation,
            values,
            unknown: FxHashMap::default(),
            old,
            types,
            block: Body::ENTRY,
            statement: 0,
        });
    }

    fn keep_old(&mut self, at: Origin) -> Flow<()> {
        let procedure = self.frame().procedure;
        let interpreter = self.interpreter;
        for &(old, global) in &interpreter.olds[procedure.index()] {
            let value = self.symbol_value(global).map_err(|why| Outcome::Stuck { at, why })?;
            self.frame().old.insert(old, value);
        }
        Ok(())
    }

    /// Evaluates the assumptions at the entry of a body: `requires` only in the first procedure.
    fn enter(&mut self, first: bool) -> Flow<()> {
        let interpreter = self.interpreter;
        let frame = self.frame();
        let (id, number) = (frame.procedure, frame.body.expect("a body is entered"));
        let at = Origin { procedure: id, body: number, place: Place::Entry };
        self.keep_old(at)?;
        let procedure = &interpreter.program[id];
        let body = &procedure.bodies[number as usize];
        for symbol in interpreter.program.assumptions(body, false) {
            self.set(symbol, Value::Bool(true));
        }
        for v in body.params.iter().chain(&body.results).chain(&body.locals) {
            if let Some(&condition) = interpreter.wheres.get(&v.symbol) {
                self.assume(condition, at)?;
            }
        }
        for c in procedure.requires.iter().filter(|_| first) {
            self.assume(c.condition, at)?;
        }
        self.jump(Body::ENTRY, None)
    }

    fn jump(&mut self, block: BlockId, slot: Option<u32>) -> Flow<()> {
        let depth = self.frames.len() as u32 - 1;
        let frame = self.frame();
        let from = slot.map(|slot| (frame.block, slot));
        frame.block = block;
        frame.statement = 0;
        let step =
            Step { procedure: frame.procedure, body: frame.body.unwrap_or_default(), block, depth, from };
        self.path.push(step);
        Ok(())
    }

    fn assume(&mut self, condition: TermId, at: Origin) -> Flow<()> {
        match self.eval_bool(condition) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Outcome::Blocked { at }),
            Err(why) => Err(Outcome::Stuck { at, why }),
        }
    }

    /// Checks a condition; it is evaluated at `here` and fails at `place`.
    fn check(&mut self, condition: TermId, kind: AssertKind, here: Origin, place: Place) -> Flow<()> {
        match self.eval_bool(condition) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Outcome::Failed { at: Origin { place, ..here }, kind }),
            Err(why) => Err(Outcome::Stuck { at: here, why }),
        }
    }

    fn value(&mut self, term: TermId) -> Flow<Value> {
        self.eval(term).map_err(|why| Outcome::Stuck { at: self.at(), why })
    }

    /// Runs until the first procedure returns.
    fn execute(&mut self) -> Flow<()> {
        let interpreter = self.interpreter;
        loop {
            self.steps += 1;
            if self.steps > self.limits.steps {
                return Err(Outcome::OutOfSteps);
            }
            let frame = self.frame();
            let number = frame.body.expect("a body runs") as usize;
            let (block, statement) = (frame.block, frame.statement);
            let body = &interpreter.program[frame.procedure].bodies[number];
            let block = &body[block];
            match block.statements.get(statement) {
                Some(s) => self.statement(&s.kind)?,
                None => {
                    if self.leave(block)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn statement(&mut self, kind: &'p StatementKind) -> Flow<()> {
        let interpreter = self.interpreter;
        let at = self.at();
        match kind {
            StatementKind::Assign(pairs) if self.limits.trace => {
                let mut values = Vec::with_capacity(pairs.len());
                for &(symbol, value) in pairs {
                    values.push((symbol, self.value(value)?));
                }
                self.set_traced(at, values);
            }
            StatementKind::Assign(pairs) => {
                let mut assigned: SmallVec<[_; 2]> = SmallVec::new();
                for &(symbol, value) in pairs {
                    assigned.push((symbol, self.assigned(symbol, value)?));
                }
                for (symbol, value) in assigned {
                    self.assign(symbol, value)?;
                }
            }
            StatementKind::Havoc(symbols) => {
                let mut values = Vec::with_capacity(symbols.len());
                for &symbol in symbols {
                    let sort = self.sort_here(interpreter.terms.symbol(symbol).sort);
                    values.push((symbol, self.arbitrary(symbol, sort, Reason::Havoc)?));
                }
                self.set_traced(at, values);
                for symbol in symbols {
                    if let Some(&condition) = interpreter.wheres.get(symbol) {
                        self.assume(condition, at)?;
                    }
                }
            }
            StatementKind::Assume(condition) => self.assume(*condition, at)?,
            StatementKind::Assert { condition, kind, premise } => {
                let checked = self.check(*condition, *kind, at, failure(at, 0));
                if let (Err(Outcome::Failed { .. }), Some(premise)) = (&checked, premise) {
                    let proved = self.eval_bool(*premise).map_err(|why| Outcome::Stuck { at, why })?;
                    if proved {
                        return Err(Outcome::Blocked { at });
                    }
                }
                checked?;
            }
            StatementKind::TryFirst(_) => {}
            StatementKind::Call { callee, args, results } => return self.call(*callee, args, results),
        }
        self.frame().statement += 1;
        Ok(())
    }

    fn arbitrary(&mut self, symbol: SymbolId, sort: SortId, reason: Reason) -> Flow<Value> {
        let interpreter = self.interpreter;
        let at = self.at();
        let activation = self.frame().activation;
        let ask = Ask { interpreter, symbol, sort, reason, at: Some(at), activation };
        let value = self.oracle.havoc(&ask).map_err(|why| Outcome::Stuck { at, why })?;
        Ok(canonical(interpreter.terms, value))
    }

    fn set(&mut self, symbol: SymbolId, value: Value) {
        if self.interpreter.globals.contains(&symbol) {
            self.unknown_globals.remove(&symbol);
            self.globals.insert(symbol, value);
        } else {
            let frame = self.frame();
            frame.unknown.remove(&symbol);
            frame.values.insert(symbol, value);
        }
    }

    fn set_unknown(&mut self, symbol: SymbolId, why: EvalError) {
        if self.interpreter.globals.contains(&symbol) {
            self.globals.remove(&symbol);
            self.unknown_globals.insert(symbol, why);
        } else {
            let frame = self.frame();
            frame.values.remove(&symbol);
            frame.unknown.insert(symbol, why);
        }
    }

    /// The effect of assigning a value. `m := m[i := v]…` is a list of writes, so that a large map need not be
    /// copied.
    fn assigned(&mut self, symbol: SymbolId, value: TermId) -> Flow<Assigned> {
        let terms = self.interpreter.terms;
        let mut writes: SmallVec<[TermId; 4]> = SmallVec::new();
        let mut base = value;
        while terms.term(base).op == Op::Store {
            writes.push(base);
            base = terms.term(base).args[0];
        }
        let sort = terms.symbol(symbol).sort;
        let is_ordinary = matches!(terms.sort_of(sort), Sort::Map { params: 0, .. });
        if writes.is_empty() || terms.term(base).op != Op::Var(symbol) || !is_ordinary {
            return Ok(self.evaluated(value));
        }
        // The first use of a variable is a question; it must not be the last thing that happens to it.
        if !matches!(self.value(base)?, Value::Map(_)) {
            return Ok(self.evaluated(value));
        }
        let mut evaluated = Vec::new();
        for &write in writes.iter().rev() {
            let mut parts = Vec::new();
            for &part in &terms.term(write).args[1..] {
                parts.push(self.value(part)?);
            }
            let written = parts.pop();
            evaluated.extend(written.map(|w| (parts, w)));
        }
        Ok(Assigned::Writes(base, evaluated))
    }

    /// The value of a term, or why it has none.
    fn evaluated(&mut self, term: TermId) -> Assigned {
        match self.eval(term) {
            Ok(value) => Assigned::Value(value),
            Err(why) => Assigned::Unknown(why),
        }
    }

    fn assign(&mut self, symbol: SymbolId, assigned: Assigned) -> Flow<()> {
        let value = match assigned {
            Assigned::Value(value) => value,
            Assigned::Unknown(why) => {
                self.set_unknown(symbol, why);
                return Ok(());
            }
            Assigned::Writes(variable, writes) => {
                let Value::Map(mut map) = self.value(variable)? else { return Ok(()) };
                self.set(symbol, Value::Bool(false));
                for (index, written) in writes {
                    map = store(self.interpreter.terms, map, index, written);
                }
                Value::Map(map)
            }
        };
        self.steps += value.weight();
        self.set(symbol, value);
        Ok(())
    }

    fn set_traced(&mut self, at: Origin, values: Vec<(SymbolId, Value)>) {
        if self.limits.trace {
            let depth = self.frames.len() as u32 - 1;
            self.trace.push(Trace { at, depth, values: values.clone() });
        }
        for (symbol, value) in values {
            self.set(symbol, value);
        }
    }

    /// Executes the terminator; returns whether the first procedure returned.
    fn leave(&mut self, block: &Block) -> Flow<bool> {
        let at = self.at();
        let (target, slot) = match &block.terminator.kind {
            TerminatorKind::Goto(targets) => match targets[..] {
                [] => return Err(Outcome::Blocked { at }),
                [target] => (target, 0),
                _ => {
                    let choice = self.oracle.choose(at, targets).map_err(|why| Outcome::Stuck { at, why })?;
                    (*targets.get(choice).ok_or_else(|| no_such_choice(at))?, choice as u32)
                }
            },
            TerminatorKind::Branch { condition, then_to, else_to } => {
                let condition = self.eval_bool(*condition).map_err(|why| Outcome::Stuck { at, why })?;
                if condition { (*then_to, 0) } else { (*else_to, 1) }
            }
            TerminatorKind::Return => return self.ret(),
            TerminatorKind::Fail => return Err(Outcome::Failed { at, kind: AssertKind::Assert }),
            TerminatorKind::Cut => return Err(Outcome::Blocked { at }),
        };
        self.jump(target, Some(slot))?;
        Ok(false)
    }

    fn ret(&mut self) -> Flow<bool> {
        let interpreter = self.interpreter;
        let here = Origin { place: Place::Exit, ..self.at() };
        let procedure = &interpreter.program[here.procedure];
        for (i, c) in procedure.ensures.iter().enumerate().filter(|(_, c)| !c.free) {
            let place = Place::EnsuresFailure { clause: i as u32 };
            self.check(c.condition, AssertKind::Ensures, here, place)?;
        }
        if self.frames.len() == 1 {
            return Ok(true);
        }
        let caller = &self.frames[self.frames.len() - 2];
        let place = Place::Segment { block: caller.block, first: caller.statement as u32 };
        let at = Origin { procedure: caller.procedure, body: caller.body.unwrap_or_default(), place };
        for c in procedure.ensures.iter().filter(|c| c.free) {
            self.assume(c.condition, at)?;
        }
        let Some(targets) = self.call_results(at) else { return Ok(false) };
        let body = &procedure.bodies[here.body as usize];
        let mut values = Vec::new();
        for (target, own) in targets.iter().zip(&body.results) {
            if let Some(target) = target {
                let value = self.symbol_value(own.symbol).map_err(|why| Outcome::Stuck { at: here, why })?;
                values.push((*target, value));
            }
        }
        self.frames.pop();
        self.set_traced(at, values);
        self.frame().statement += 1;
        Ok(false)
    }

    /// The variables that take the results of the call at a place.
    fn call_results(&self, at: Origin) -> Option<&'p [Option<SymbolId>]> {
        let Place::Segment { block, first } = at.place else { return None };
        let program = self.interpreter.program;
        let body = &program[at.procedure].bodies[at.body as usize];
        match &body[block].statements[first as usize].kind {
            StatementKind::Call { results, .. } => Some(results),
            _ => None,
        }
    }

    fn call(&mut self, id: ProcId, args: &[Option<TermId>], results: &[Option<SymbolId>]) -> Flow<()> {
        let interpreter = self.interpreter;
        let at = self.at();
        if self.frames.len() > self.limits.calls {
            return Err(Outcome::OutOfSteps);
        }
        let callee = &interpreter.program[id];
        let types = self.type_arguments(id, args, results);
        let mut values = Vec::with_capacity(args.len());
        for (arg, param) in args.iter().zip(&callee.params) {
            values.push(match arg {
                Some(term) => self.value(*term)?,
                None => {
                    let declared = param.sort(interpreter.terms);
                    let sort = interpreter.terms.find_instance(declared, &types).unwrap_or(declared);
                    self.arbitrary(param.symbol, sort, Reason::Argument)?
                }
            });
        }
        let number = match callee.bodies.len() {
            0 => {
                self.oracle.calls(id, &values);
                None
            }
            1 => Some(0),
            n => {
                let choice = self.oracle.call_body(at, id, n).map_err(|why| Outcome::Stuck { at, why })?;
                if choice >= n {
                    return Err(no_such_choice(at));
                }
                Some(choice as u32)
            }
        };
        let params: &[Variable] = match number {
            Some(number) => &callee.bodies[number as usize].params,
            None => &callee.params,
        };
        let bound = params.iter().map(|p| p.symbol).zip(values).collect();
        self.push(id, number, bound, types);
        for (i, c) in callee.requires.iter().enumerate().filter(|(_, c)| !c.free) {
            self.check(c.condition, AssertKind::Requires, at, failure(at, i as u32))?;
        }
        if number.is_some() { self.enter(false) } else { self.contract(id, results, at) }
    }

    /// The type arguments of a call, as far as they are known.
    fn type_arguments(
        &self,
        id: ProcId,
        args: &[Option<TermId>],
        results: &[Option<SymbolId>],
    ) -> TypeSubstitution {
        let Interpreter { program, terms, .. } = self.interpreter;
        if program[id].type_params.is_empty() {
            return TypeSubstitution::default();
        }
        let args: Vec<_> = args.iter().map(|a| a.and_then(|a| self.known_sort(terms.sort(a)))).collect();
        let targets = results.iter().map(|r| r.and_then(|r| self.known_sort(terms.symbol(r).sort)));
        program.type_arguments(terms, id, &args, &targets.collect::<Vec<_>>())
    }

    /// Executes the contract of the callee, whose frame is on top, instead of a body.
    fn contract(&mut self, id: ProcId, results: &[Option<SymbolId>], at: Origin) -> Flow<()> {
        let interpreter = self.interpreter;
        let terms = interpreter.terms;
        let callee = &interpreter.program[id];
        self.keep_old(at)?;
        for (i, v) in callee.results.iter().enumerate() {
            let target = results.get(i).copied().flatten();
            let declared = v.sort(terms);
            let sort = match (self.known_sort(declared), target) {
                (Some(sort), _) => sort,
                (None, Some(target)) => terms.symbol(target).sort,
                (None, None) => declared,
            };
            let value = self.arbitrary(v.symbol, sort, Reason::CallResult)?;
            self.frame().values.insert(v.symbol, value);
        }
        let mut changed = Vec::new();
        for &g in &callee.modifies {
            let value = self.arbitrary(g, terms.symbol(g).sort, Reason::CallGlobal)?;
            if self.limits.trace {
                changed.push((g, value.clone()));
            }
            self.set(g, value);
        }
        let symbols = callee.results.iter().map(|v| v.symbol).chain(callee.modifies.iter().copied());
        let wheres = symbols.filter_map(|s| interpreter.wheres.get(&s).copied());
        let ensures = callee.ensures.iter().map(|c: &Contract| c.condition);
        for condition in wheres.chain(ensures).collect::<Vec<TermId>>() {
            self.assume(condition, at)?;
        }
        let frame = self.frames.pop().expect("the callee's frame");
        let mut assigned = Vec::new();
        for (target, v) in results.iter().zip(&callee.results) {
            if let (Some(target), Some(value)) = (target, frame.values.get(&v.symbol)) {
                assigned.push((*target, value.clone()));
            }
        }
        if self.limits.trace {
            let depth = self.frames.len() as u32 - 1;
            self.trace.push(Trace {
                at,
                depth,
                values: changed.into_iter().chain(assigned.clone()).collect(),
            });
        }
        for (symbol, value) in assigned {
            self.set(symbol, value);
        }
        self.frame().statement += 1;
        Ok(())
    }
}

fn failure(at: Origin, clause: u32) -> Place {
    match at.place {
        Place::Segment { block, first } => Place::Failure { block, statement: first, clause },
        other => other,
    }
}

fn no_such_choice(at: Origin) -> Outcome {
    Outcome::Stuck { at, why: EvalError::Unsupported("the oracle chose what is not there".to_owned()) }
}
