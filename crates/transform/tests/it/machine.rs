//! Runs of the source form and of the loop-free form, by search.
//!
//! Both are written from the meaning in `program.rs`, and apart from each other: the source's with a stack of frames, the other without.
//! Arbitrary values come from a tiny domain and are chosen when they are read.

use std::collections::BTreeMap;

use footpath_ir::{BlockId, Body, Origin, Place, ProcId, Program, StatementKind, Terminator, TerminatorKind};
use footpath_term::{Op, SymbolId, TermId, Terms, Value};
use footpath_transform::LoopFree;
use rustc_hash::{FxHashMap, FxHashSet};

pub const DOMAIN: [i64; 3] = [0, 1, 2];

pub type Values = BTreeMap<SymbolId, i64>;

/// A segment is entered at a depth of calls.
pub type Event = (u32, Origin);

/// How a run ends.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum End {
    Return,
    Fail(Origin),
    Cut,
}

/// A step further: a state, or the end.
pub enum Next<S> {
    /// Where the run may be next.
    States(Vec<S>),
    End(End),
}

/// Something that runs.
pub trait Machine {
    type State: Clone + Eq + std::hash::Hash;
    fn step(&self, state: &Self::State) -> Next<Self::State>;
    /// The event of being in a state.
    fn event(&self, state: &Self::State) -> Option<Event>;
    /// The value of a symbol of the first procedure; `None` if it is still arbitrary.
    fn value(&self, state: &Self::State, symbol: SymbolId) -> Option<i64>;
    /// Whether a search may give up here.
    fn is_far(&self, state: &Self::State) -> bool;
}

/// The value of a term; `Err` names a symbol whose value is still to be chosen.
fn eval(terms: &Terms, term: TermId, look: &dyn Fn(SymbolId) -> Option<i64>) -> Result<i64, SymbolId> {
    let t = terms.term(term);
    if let Op::Var(s) = t.op {
        return look(s).ok_or(s);
    }
    let mut args = Vec::new();
    for &a in &t.args {
        args.push(eval(terms, a, look)?);
    }
    let pairs = || args.windows(2);
    Ok(match &t.op {
        Op::Literal(Value::Int(n)) => n.try_into().expect("small numbers"),
        Op::Literal(Value::Bool(b)) => i64::from(*b),
        Op::Add => args.iter().sum(),
        Op::Mul => args.iter().product(),
        Op::Neg => -args[0],
        Op::Sub => args[1..].iter().fold(args[0], |a, b| a - b),
        Op::Not => 1 - args[0],
        Op::And => i64::from(args.iter().all(|&a| a == 1)),
        Op::Or => i64::from(args.contains(&1)),
        Op::Implies => i64::from(args[0] == 0 || args[1] == 1),
        Op::Eq => i64::from(pairs().all(|w| w[0] == w[1])),
        Op::Distinct => i64::from(args[0] != args[1]),
        Op::Ite => args[if args[0] == 1 { 1 } else { 2 }],
        Op::Lt => i64::from(args[0] < args[1]),
        Op::Le => i64::from(args[0] <= args[1]),
        Op::Gt => i64::from(args[0] > args[1]),
        Op::Ge => i64::from(args[0] >= args[1]),
        op => panic!("no {op:?} in these programs"),
    })
}

// ---- the loop-free form ----

pub struct Flat<'a> {
    pub form: &'a LoopFree,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FlatState {
    block: BlockId,
    statement: usize,
    values: Values,
}

impl Flat<'_> {
    pub fn start(&self, inputs: &Values) -> FlatState {
        FlatState { block: Body::ENTRY, statement: 0, values: inputs.clone() }
    }
}

fn fork<S: Clone>(state: &S, symbol: SymbolId, set: impl Fn(&mut S, SymbolId, i64)) -> Next<S> {
    let choose = |&v: &i64| {
        let mut state = state.clone();
        set(&mut state, symbol, v);
        state
    };
    Next::States(DOMAIN.iter().map(choose).collect())
}

impl Machine for Flat<'_> {
    type State = FlatState;

    fn step(&self, state: &FlatState) -> Next<FlatState> {
        let block = &self.form.body[state.block];
        let look = |s| state.values.get(&s).copied();
        let set = |state: &mut FlatState, s, v| {
            state.values.insert(s, v);
        };
        let mut next = state.clone();
        next.statement += 1;
        if let Some(statement) = block.statements.get(state.statement) {
            match &statement.kind {
                StatementKind::Assign(pairs) => {
                    for &(s, t) in pairs {
                        match eval(&self.form.terms, t, &look) {
                            Ok(v) => next.values.insert(s, v),
                            Err(s) => return fork(state, s, set),
                        };
                    }
                }
                StatementKind::Havoc(symbols) => {
                    for s in symbols {
                        next.values.remove(s);
                    }
                }
                StatementKind::Assume(c) => match eval(&self.form.terms, *c, &look) {
                    Ok(0) => return Next::States(Vec::new()),
                    Ok(_) => {}
                    Err(s) => return fork(state, s, set),
                },
                other => panic!("{other:?} in a loop-free body"),
            }
            return Next::States(vec![next]);
        }
        let to = |&block: &BlockId| FlatState { block, statement: 0, values: state.values.clone() };
        match &block.terminator.kind {
            TerminatorKind::Goto(targets) => Next::States(targets.iter().map(to).collect()),
            TerminatorKind::Branch { condition, then_to, else_to } => {
                match eval(&self.form.terms, *condition, &look) {
                    Ok(v) => Next::States(vec![to(if v == 1 { then_to } else { else_to })]),
                    Err(s) => fork(state, s, set),
                }
            }
            TerminatorKind::Return => Next::End(End::Return),
            TerminatorKind::Fail => Next::End(End::Fail(block.origin)),
            TerminatorKind::Cut => Next::End(End::Cut),
        }
    }

    fn event(&self, state: &FlatState) -> Option<Event> {
        let origin = self.form.body[state.block].origin;
        let segment = matches!(origin.place, Place::Segment { .. });
        (state.statement == 0 && segment).then(|| (self.form.depths[state.block.index()], origin))
    }

    fn value(&self, state: &FlatState, symbol: SymbolId) -> Option<i64> {
        state.values.get(&symbol).copied()
    }

    fn is_far(&self, _: &FlatState) -> bool {
        false
    }
}

/// The same, seen from afar: only entering whole blocks is an event.
pub struct Blocks<'a>(pub Flat<'a>);

impl Machine for Blocks<'_> {
    type State = FlatState;

    fn step(&self, state: &FlatState) -> Next<FlatState> {
        self.0.step(state)
    }

    fn event(&self, state: &FlatState) -> Option<Event> {
        let event = self.0.event(state);
        event.filter(|(_, origin)| matches!(origin.place, Place::Segment { first: 0, .. }))
    }

    fn value(&self, state: &FlatState, symbol: SymbolId) -> Option<i64> {
        self.0.value(state, symbol)
    }

    fn is_far(&self, state: &FlatState) -> bool {
        self.0.is_far(state)
    }
}

// ---- the source form ----

pub struct Source<'a> {
    pub program: &'a Program,
    /// Where segments start.
    starts: FxHashSet<Origin>,
    wheres: FxHashMap<SymbolId, TermId>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    procedure: ProcId,
    body: u32,
    block: BlockId,
    statement: usize,
    /// Where-clauses and contracts that are still to be assumed.
    assume: Vec<TermId>,
    values: Values,
    /// How often each block was entered.
    visits: BTreeMap<BlockId, u32>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SourceState {
    frames: Vec<Frame>,
    globals: Values,
    /// A checked clause (`requires` of the callee on top, or `ensures`) to be looked at next, by number.
    checking: Option<u32>,
    /// Which block of a frame was entered how often at most, over all frames so far.
    pub most_visits: u32,
    pub most_nested: u32,
}

impl<'a> Source<'a> {
    pub fn new(program: &'a Program) -> Source<'a> {
        let mut starts = FxHashSet::default();
        let mut wheres = FxHashMap::default();
        let mut declare = |v: &footpath_ir::Variable| wheres.extend(v.where_clause.map(|c| (v.symbol, c)));
        program.globals.iter().for_each(|g| declare(&g.variable));
        for (i, p) in program.procedures.iter().enumerate() {
            p.params.iter().chain(&p.results).for_each(&mut declare);
            for (j, body) in p.bodies.iter().enumerate() {
                body.locals.iter().for_each(&mut declare);
                let found = footpath_transform::objectives(program, ProcId(i as u32), j as u32);
                starts.extend(
                    found.iter().map(|o| o.origin).filter(|o| matches!(o.place, Place::Segment { .. })),
                );
            }
        }
        Source { program, starts, wheres }
    }

    /// The first procedure is entered; `inputs` are globals and its parameters.
    pub fn start(&self, inputs: &Values) -> SourceState {
        let program = self.program;
        let p = &program.procedures[0];
        let mut globals = Values::new();
        let mut values = Values::new();
        let mut assume = Vec::new();
        for g in &program.globals {
            let value = inputs[&g.variable.symbol];
            globals.insert(g.variable.symbol, value);
            values.insert(g.old, value);
            assume.extend(g.variable.where_clause);
        }
        values.extend(p.params.iter().map(|v| (v.symbol, inputs[&v.symbol])));
        assume.extend(self.wheres_of(0, 0));
        assume.extend(p.requires.iter().map(|c| c.condition));
        let mut frame = self.frame(ProcId(0), 0, values, assume);
        frame.visits.insert(Body::ENTRY, 1);
        SourceState { frames: vec![frame], globals, checking: None, most_visits: 1, most_nested: 0 }
    }

    fn wheres_of(&self, procedure: usize, body: usize) -> Vec<TermId> {
        let p = &self.program.procedures[procedure];
        let own = p.params.iter().chain(&p.results).chain(&p.bodies[body].locals);
        own.filter_map(|v| v.where_clause).collect()
    }

    fn frame(&self, procedure: ProcId, body: u32, values: Values, assume: Vec<TermId>) -> Frame {
        let visits = BTreeMap::from([(Body::ENTRY, 1)]);
        Frame { procedure, body, block: Body::ENTRY, statement: 0, assume, values, visits }
    }

    fn look(&self, state: &SourceState, s: SymbolId) -> Option<i64> {
        let frame = state.frames.last().expect("a frame");
        if self.is_global(s) { state.globals.get(&s).copied() } else { frame.values.get(&s).copied() }
    }

    fn is_global(&self, s: SymbolId) -> bool {
        self.program.globals.iter().any(|g| g.variable.symbol == s)
    }

    fn set(&self, state: &mut SourceState, s: SymbolId, v: i64) {
        if self.is_global(s) {
            state.globals.insert(s, v);
        } else {
            state.frames.last_mut().expect("a frame").values.insert(s, v);
        }
    }

    fn forget(&self, state: &mut SourceState, s: SymbolId) {
        if self.is_global(s) {
            state.globals.remove(&s);
        } else {
            state.frames.last_mut().expect("a frame").values.remove(&s);
        }
    }

    fn here(&self, frame: &Frame, place: Place) -> Origin {
        Origin { procedure: frame.procedure, body: frame.body, place }
    }

    fn jump(&self, state: &SourceState, block: BlockId) -> SourceState {
        let mut state = state.clone();
        let frame = state.frames.last_mut().expect("a frame");
        frame.block = block;
        frame.statement = 0;
        let visits = frame.visits.entry(block).or_default();
        *visits += 1;
        state.most_visits = state.most_visits.max(*visits);
        state
    }

    fn advance(&self, state: &mut SourceState) {
        state.frames.last_mut().expect("a frame").statement += 1;
    }

    /// Old values of a new frame.
    fn olds(&self, state: &SourceState) -> Result<Values, SymbolId> {
        let mut olds = Values::new();
        for g in &self.program.globals {
            let s = g.variable.symbol;
            olds.insert(g.old, state.globals.get(&s).copied().ok_or(s)?);
        }
        Ok(olds)
    }

    fn try_step(&self, state: &SourceState) -> Result<Next<SourceState>, SymbolId> {
        let program = self.program;
        let terms = &program.terms;
        let frame = state.frames.last().expect("a frame");
        let eval = |t| eval(terms, t, &|s| self.look(state, s));
        if let Some((&first, rest)) = frame.assume.split_first() {
            if eval(first)? == 0 {
                return Ok(Next::States(Vec::new()));
            }
            let mut next = state.clone();
            next.frames.last_mut().expect("a frame").assume = rest.to_vec();
            return Ok(Next::States(vec![next]));
        }
        let p = &program[frame.procedure];
        let body = &p.bodies[frame.body as usize];
        let block = &body[frame.block];
        let mut next = state.clone();
        let Some(statement) = block.statements.get(frame.statement) else {
            return self.leave(state, &block.terminator);
        };
        match &statement.kind {
            StatementKind::Assign(pairs) => {
                for &(s, t) in pairs {
                    let v = eval(t)?;
                    self.set(&mut next, s, v);
                }
                self.advance(&mut next);
            }
            StatementKind::Havoc(symbols) => {
                for &s in symbols {
                    self.forget(&mut next, s);
                    next.frames.last_mut().expect("a frame").assume.extend(self.wheres.get(&s));
                }
                self.advance(&mut next);
            }
            StatementKind::Assume(c) => {
                if eval(*c)? == 0 {
                    return Ok(Next::States(Vec::new()));
                }
                self.advance(&mut next);
            }
            StatementKind::TryFirst(_) => self.advance(&mut next),
            StatementKind::Assert { condition, premise, .. } => {
                if eval(*condition)? == 0 {
                    if let Some(premise) = premise
                        && eval(*premise)? != 0
                    {
                        return Ok(Next::States(Vec::new()));
                    }
                    let statement = frame.statement as u32;
                    let place = Place::Failure { block: frame.block, statement, clause: 0 };
                    return Ok(Next::End(End::Fail(self.here(frame, place))));
                }
                self.advance(&mut next);
            }
            StatementKind::Call { callee, args, results } => {
                return self.call(state, *callee, args, results);
            }
        }
        Ok(Next::States(vec![next]))
    }

    fn call(
        &self,
        state: &SourceState,
        callee: ProcId,
        args: &[Option<TermId>],
        results: &[Option<SymbolId>],
    ) -> Result<Next<SourceState>, SymbolId> {
        let program = self.program;
        let p = &program[callee];
        let mut values = self.olds(state)?;
        // An arbitrary argument is chosen when it is read, in the callee.
        for (v, arg) in p.params.iter().zip(args) {
            if let Some(arg) = arg {
                values.insert(v.symbol, eval(&program.terms, *arg, &|s| self.look(state, s))?);
            }
        }
        // All choices of arbitrary arguments that the preconditions read.
        let mut starts = vec![values];
        loop {
            let bad = starts.iter().enumerate().find_map(|(i, values)| {
                let look =
                    |s| if self.is_global(s) { state.globals.get(&s) } else { values.get(&s) }.copied();
                let conditions = p.requires.iter().filter(|c| !c.free);
                conditions
                    .filter_map(|c| eval(&program.terms, c.condition, &look).err())
                    .next()
                    .map(|s| (i, s))
            });
            let Some((i, s)) = bad else { break };
            if self.is_global(s) {
                return Err(s);
            }
            let values = starts.swap_remove(i);
            starts.extend(DOMAIN.iter().map(|&v| {
                let mut values = values.clone();
                values.insert(s, v);
                values
            }));
        }
        let mut states = Vec::new();
        for values in starts {
            let look = |s| if self.is_global(s) { state.globals.get(&s) } else { values.get(&s) }.copied();
            let mut failed = p.requires.iter().enumerate().filter(|(_, c)| {
                !c.free && eval(&program.terms, c.condition, &look).expect("all that is read is chosen") == 0
            });
            if let Some((clause, _)) = failed.next() {
                let mut next = state.clone();
                next.checking = Some(clause as u32);
                states.push(next);
                continue;
            }
            let mut nested = 0;
            for f in &state.frames {
                nested += u32::from(f.procedure == callee);
            }
            for body in 0..p.bodies.len() {
                let assume = self.wheres_of(callee.index(), body);
                let mut next = state.clone();
                next.most_nested = next.most_nested.max(nested);
                next.frames.push(self.frame(callee, body as u32, values.clone(), assume));
                states.push(next);
            }
            if p.bodies.is_empty() {
                states.extend(self.contract(state, callee, values, results));
            }
        }
        Ok(Next::States(states))
    }

    /// All ways in which a call of a procedure without a body may end.
    fn contract(
        &self,
        state: &SourceState,
        callee: ProcId,
        values: Values,
        results: &[Option<SymbolId>],
    ) -> Vec<SourceState> {
        let program = self.program;
        let p = &program[callee];
        let mut all: Vec<(Values, Values)> = vec![(values, state.globals.clone())];
        let mut open: Vec<SymbolId> =
            p.params.iter().map(|v| v.symbol).filter(|s| !all[0].0.contains_key(s)).collect();
        open.extend(p.results.iter().map(|v| v.symbol));
        open.extend(&p.modifies);
        for s in open {
            let mut more = Vec::new();
            for (values, globals) in all {
                for v in DOMAIN {
                    let (mut values, mut globals) = (values.clone(), globals.clone());
                    if self.is_global(s) {
                        globals.insert(s, v)
                    } else {
                        values.insert(s, v)
                    };
                    more.push((values, globals));
                }
            }
            all = more;
        }
        let changed = p.results.iter().map(|v| v.symbol).chain(p.modifies.iter().copied());
        let mut conditions: Vec<TermId> = changed.filter_map(|s| self.wheres.get(&s).copied()).collect();
        conditions.extend(p.ensures.iter().map(|c| c.condition));
        let mut states = Vec::new();
        for (values, globals) in all {
            let look = |s| if self.is_global(s) { globals.get(&s) } else { values.get(&s) }.copied();
            if conditions.iter().all(|&c| eval(&program.terms, c, &look) == Ok(1)) {
                let mut next = state.clone();
                next.globals = globals.clone();
                for (target, v) in results.iter().zip(&p.results) {
                    if let Some(target) = target {
                        self.set(&mut next, *target, values[&v.symbol]);
                    }
                }
                self.advance(&mut next);
                states.push(next);
            }
        }
        states
    }

    fn leave(&self, state: &SourceState, terminator: &Terminator) -> Result<Next<SourceState>, SymbolId> {
        let program = self.program;
        let frame = state.frames.last().expect("a frame");
        let eval = |t| eval(&program.terms, t, &|s| self.look(state, s));
        match &terminator.kind {
            TerminatorKind::Goto(targets) => {
                Ok(Next::States(targets.iter().map(|&t| self.jump(state, t)).collect()))
            }
            TerminatorKind::Branch { condition, then_to, else_to } => {
                let to = if eval(*condition)? == 1 { then_to } else { else_to };
                Ok(Next::States(vec![self.jump(state, *to)]))
            }
            TerminatorKind::Return => {
                let p = &program[frame.procedure];
                for (clause, c) in p.ensures.iter().enumerate().filter(|(_, c)| !c.free) {
                    if eval(c.condition)? == 0 {
                        let place = Place::EnsuresFailure { clause: clause as u32 };
                        return Ok(Next::End(End::Fail(self.here(frame, place))));
                    }
                }
                if state.frames.len() == 1 {
                    return Ok(Next::End(End::Return));
                }
                for c in p.ensures.iter().filter(|c| c.free) {
                    if eval(c.condition)? == 0 {
                        return Ok(Next::States(Vec::new()));
                    }
                }
                let mut next = state.clone();
                next.frames.pop();
                let caller = next.frames.last().expect("a caller");
                let block = &program[caller.procedure].bodies[caller.body as usize][caller.block];
                let StatementKind::Call { results, .. } = &block.statements[caller.statement].kind else {
                    panic!("the caller is at its call")
                };
                for (target, v) in results.iter().zip(&p.results) {
                    match (target, frame.values.get(&v.symbol)) {
                        (Some(target), Some(&v)) => self.set(&mut next, *target, v),
                        // A result that was never assigned; its where-clause has been assumed, which reads it.
                        (Some(target), None) => self.forget(&mut next, *target),
                        (None, _) => {}
                    }
                }
                self.advance(&mut next);
                Ok(Next::States(vec![next]))
            }
            other => panic!("{other:?} in a source"),
        }
    }
}

impl Machine for Source<'_> {
    type State = SourceState;

    fn step(&self, state: &SourceState) -> Next<SourceState> {
        let frame = state.frames.last().expect("a frame");
        if let Some(clause) = state.checking {
            let place = Place::Failure { block: frame.block, statement: frame.statement as u32, clause };
            return Next::End(End::Fail(self.here(frame, place)));
        }
        match self.try_step(state) {
            Ok(next) => next,
            Err(s) => fork(state, s, |state, s, v| self.set(state, s, v)),
        }
    }

    fn event(&self, state: &SourceState) -> Option<Event> {
        let frame = state.frames.last().expect("a frame");
        let place = Place::Segment { block: frame.block, first: frame.statement as u32 };
        let origin = self.here(frame, place);
        let depth = state.frames.len() as u32 - 1;
        (frame.assume.is_empty() && self.starts.contains(&origin)).then_some((depth, origin))
    }

    fn value(&self, state: &SourceState, symbol: SymbolId) -> Option<i64> {
        let values = &state.frames[0].values;
        state.globals.get(&symbol).or_else(|| values.get(&symbol)).copied()
    }

    fn is_far(&self, state: &SourceState) -> bool {
        state.most_visits > 40
    }
}

// ---- searching ----

/// A finished run.
pub struct Finished<S> {
    pub events: Vec<Event>,
    pub end: End,
    pub last: S,
}

/// A random run; `None` if it blocks or takes too long.
pub fn wander<M: Machine>(
    machine: &M,
    start: M::State,
    mut below: impl FnMut(usize) -> usize,
    limit: usize,
) -> Option<Finished<M::State>> {
    let mut state = start;
    let mut events: Vec<Event> = Vec::new();
    for _ in 0..limit {
        if let Some(event) = machine.event(&state)
            && events.last() != Some(&event)
        {
            events.push(event);
        }
        match machine.step(&state) {
            Next::End(end) => return Some(Finished { events, end, last: state }),
            Next::States(mut states) => {
                if states.is_empty() {
                    return None;
                }
                let choice = below(states.len());
                state = states.swap_remove(choice);
            }
        }
    }
    None
}

/// What a search for a given run found.
#[derive(PartialEq, Eq, Debug)]
pub enum Found {
    /// The run.
    Same,
    /// A run that goes along for a while and is cut.
    Cut,
    Nothing,
}

/// Whether the machine has a run with these events that ends in this way, with these final values; consecutive
/// equal events count as one.
pub fn follow<M: Machine>(
    machine: &M,
    start: M::State,
    events: &[Event],
    end: &End,
    finals: &[(SymbolId, Option<i64>)],
) -> Found {
    let mut seen = FxHashSet::default();
    let mut stack = vec![(start, 0usize)];
    let mut found = Found::Nothing;
    while let Some((state, mut at)) = stack.pop() {
        assert!(seen.len() < 2_000_000, "a search that does not end");
        if let Some(event) = machine.event(&state) {
            if events.get(at) == Some(&event) {
                at += 1;
            } else if at == 0 || events[at - 1] != event {
                continue;
            }
        }
        if machine.is_far(&state) || !seen.insert((state.clone(), at)) {
            continue;
        }
        match machine.step(&state) {
            Next::End(End::Cut) => found = Found::Cut,
            Next::End(e) => {
                let fits = |&(s, wanted): &(SymbolId, Option<i64>)| match (wanted, machine.value(&state, s)) {
                    (Some(a), Some(b)) => a == b,
                    _ => true,
                };
                if at == events.len() && e == *end && finals.iter().all(fits) {
                    return Found::Same;
                }
            }
            Next::States(states) => stack.extend(states.into_iter().map(|s| (s, at))),
        }
    }
    found
}
