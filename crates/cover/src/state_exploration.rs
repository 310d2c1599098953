//! Statement cover by exploring states, for procedures that are too long to be asked about as a whole.
//!
//! Path cover asks for every path (`depth_first.rs`), and their number may double with each branch. But what a path
//! leads to hangs on little: on the values of those variables that the rest of the procedure still reads. Long
//! procedures overwrite values and forget the inputs they came from, so of many thousand paths only few states
//! are left a dozen branches later. This search walks the tree of paths as path cover does and stops where
//!
//! * no open goal lies ahead and none that the path has passed waits for it to return;
//! * it was before in the same state, with respect to what can still make a difference (`state_exploration/state_equality.rs`): what
//!   leads to an open goal from here was found then, or there is nothing.
//!
//! Branches that make no difference to the open goals are stepped over (`state_exploration/relevance.rs`). As soon as the
//! path is at an open goal, the inputs of its model are run, and what the run covers counts. When all is
//! walked, what is open then is infeasible.
//!
//! Stopping at a state in which nothing that is read has changed is RWset analysis (Boonstoppel, Cadar,
//! Engler: RWset: Attacking Path Explosion in Constraint-Based Test Generation, TACAS 2008). Deviations:
//!
//! 1. what is read is computed for the open goals only, and shrinks with them;
//! 2. states are compared as terms over the inputs, not only where they are concrete, together with what the
//!    path condition says about these inputs and nothing else;
//! 3. a state is remembered when it is entered: in an acyclic graph it does not come again before all that follows
//!    it was walked.
//!
//! **Direction of error.** None; a question without an answer, and a model whose run does not do what the path
//! promised, make all goals that might hang on it doubtful, and doubtful goals are left open.

mod relevance;
mod state_equality;

use std::time::{Duration, Instant};

use footpath_ir::interp::{Script, default_value};
use footpath_ir::{BlockId, StatementKind, TerminatorKind};
use footpath_smt::{Answer, Solver};
use footpath_term::{Op, SymbolId, TermId, evaluate};
use rustc_hash::FxHashSet;

use super::depth_first::Model;
use super::report::ObjectiveKind;
use super::session::{Session, Status};
use super::{CoverError, random_runs};
use footpath_transform::state::State;
use relevance::{Goals, Relevance, Shape};
use state_equality::{Key, Keys};

/// Time for one question; they are about one path and mostly take a thousandth of it.
const QUERY_LIMIT: Duration = Duration::from_secs(1);
/// How far the horizon moves: by so many blocks, and this part of what lies behind.
const STRIDE: usize = 8;
/// The part of the time for all goals together, before they are taken in order.
const TOGETHER: f64 = 0.5;
/// States that are remembered at most, which bounds the memory.
const MAX_STATES: usize = 1_000_000;
/// Terms that are made at most, likewise.
const MAX_TERMS: usize = 10_000_000;

/// Tries to decide the open goals, at most for a time.
pub(super) fn run(s: &mut Session, limit: Option<Duration>) -> Result<(), CoverError> {
    if s.uses_axioms || uses_functions(s) || !inputs_decide(s) || s.open_goals().is_empty() {
        return Ok(());
    }
    let started = Instant::now();
    let solver = s.open_solver("states")?;
    let shape = Shape::of(s.program, &s.terms, &s.unit);
    let mut search = Search {
        inputs: s.inputs(),
        horizon: usize::MAX,
        end: limit.map(|l| started + l),
        joins: s.unit.body.predecessors().iter().map(|p| p.len() > 1).collect(),
        most_terms: s.terms.len() + MAX_TERMS,
        solver,
        asserted: Vec::new(),
        relevance: Relevance::default(),
        shape,
        frames: Vec::new(),
        path: Path::default(),
        model: None,
        seen: FxHashSet::default(),
        keys: Keys::default(),
        wanted: Goals::default(),
        doubtful: FxHashSet::default(),
        s,
    };
    let end = search.end;
    search.end = limit.map(|l| started + l.mul_f64(TOGETHER));
    while search.refresh() {
        if search.explore() {
            search.settle();
        } else if search.end == end {
            break;
        }
        search.end = end;
        search.next_horizon();
    }
    let statistics = search.solver.statistics();
    s.count(&statistics);
    Ok(())
}

/// Whether inputs, havocked values and choices among targets are all that a run asks for: nothing of callees.
fn inputs_decide(s: &Session) -> bool {
    s.unit.body.blocks.iter().all(|block| {
        let local = |v: &SymbolId| s.unit.activation_locals.contains_key(v);
        let havocs = block.statements.iter().filter_map(|s| match &s.kind {
            StatementKind::Havoc(symbols) => Some(symbols),
            _ => None,
        });
        let entries = match &block.terminator.kind {
            TerminatorKind::Goto(targets) if targets.len() > 1 => targets.as_slice(),
            _ => &[],
        };
        !havocs.flatten().any(local)
            && !entries.iter().any(|&b| s.unit.body[b].origin.place == footpath_ir::Place::Entry)
    })
}

/// Whether conditions hang on functions, whose values no list of inputs can hold.
fn uses_functions(s: &Session) -> bool {
    s.terms.post_order(&s.vc.constraints).iter().any(|&t| {
        matches!(
            s.terms.term(t).op,
            Op::Apply(_) | Op::IntDiv | Op::Mod | Op::RealDiv | Op::Subtype | Op::Pow | Op::Bind(_)
        )
    })
}

/// Where a way out of a block leads, its condition, and what a run chooses in the source to take it.
type Arm = (BlockId, Option<TermId>, Option<usize>);

/// A branch on the current path, with the arms that are still to be tried.
struct Frame {
    pending: Vec<Arm>,
    state: State,
    /// How long the lists of the path were here.
    mark: Mark,
}

/// What was decided on the current path.
#[derive(Default)]
struct Path {
    conditions: Vec<TermId>,
    /// Arbitrary values, in the order in which a run asks for them.
    havocs: Vec<TermId>,
    choices: Vec<usize>,
    /// Goals that it has passed and no test covers.
    passed: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Mark {
    conditions: usize,
    havocs: usize,
    choices: usize,
    passed: usize,
}

impl Path {
    fn mark(&self) -> Mark {
        Mark {
            conditions: self.conditions.len(),
            havocs: self.havocs.len(),
            choices: self.choices.len(),
            passed: self.passed.len(),
        }
    }

    fn back_to(&mut self, mark: Mark) {
        self.conditions.truncate(mark.conditions);
        self.havocs.truncate(mark.havocs);
        self.choices.truncate(mark.choices);
        self.passed.truncate(mark.passed);
    }
}

struct Search<'s, 'a> {
    s: &'s mut Session<'a>,
    solver: Box<dyn Solver>,
    /// What stands in the solver, a level for each condition: a part of the current path or of an earlier one.
    asserted: Vec<TermId>,
    /// The variables whose initial values matter.
    inputs: Vec<SymbolId>,
    end: Option<Instant>,
    /// Goals at later blocks are left for later.
    horizon: usize,
    /// For each block whether several edges lead there.
    joins: Vec<bool>,
    most_terms: usize,
    shape: Shape,
    relevance: Relevance,
    frames: Vec<Frame>,
    path: Path,
    /// Inputs that satisfy the conditions of the current path, if they are known.
    model: Option<Model>,
    seen: FxHashSet<Key>,
    keys: Keys,
    /// For each block the goals that are looked for there.
    wanted: Goals,
    doubtful: FxHashSet<usize>,
}

impl Search<'_, '_> {
    /// Moves on to the next goals, in the order of the blocks. Few goals at a time leave little that matters, and
    /// those early in the procedure are not to wait for all that follows.
    fn next_horizon(&mut self) {
        let last = |s: &Session, i: usize| s.goals[i].blocks.iter().max().map_or(0, |b| b.index());
        self.horizon = usize::MAX;
        let open = (0..self.s.goals.len()).filter(|&i| self.is_open(i));
        if let Some(first) = open.map(|i| last(self.s, i)).min() {
            self.horizon = first + first / STRIDE + STRIDE;
        }
    }

    /// What is open within the horizon after all was walked is infeasible.
    fn settle(&mut self) {
        let decided: Vec<usize> = (0..self.s.goals.len()).filter(|&i| self.is_open(i)).collect();
        for i in decided {
            self.s.refute(i, self.shape.total);
        }
    }

    /// Computes anew what matters, after goals fell; whether any goal is open.
    fn refresh(&mut self) -> bool {
        self.wanted.clear();
        let mut returning = false;
        let open: Vec<usize> = (0..self.s.goals.len()).filter(|&i| self.is_open(i)).collect();
        for i in open {
            returning |= !matches!(self.s.goals[i].kind, ObjectiveKind::Failure(_));
            for &b in &self.s.goals[i].blocks {
                self.wanted.entry(b).or_default().push(i);
            }
        }
        let body = &self.s.unit.body;
        // If not every run returns, whether one does is to be found out, too.
        let end = returning && !self.shape.total;
        let ends = body.block_ids().filter(|&b| end && body[b].terminator.kind == TerminatorKind::Return);
        self.relevance = Relevance::of(&self.shape, body, &self.wanted, &ends.collect());
        !self.wanted.is_empty()
    }

    fn is_open(&self, goal: usize) -> bool {
        let g = &self.s.goals[goal];
        g.status == Status::Open
            && g.blocks.iter().all(|b| b.index() <= self.horizon)
            && !self.doubtful.contains(&goal)
    }

    fn is_over(&self) -> bool {
        self.s.is_over()
            || self.end.is_some_and(|end| Instant::now() >= end)
            || self.seen.len() > MAX_STATES
            || self.s.terms.len() > self.most_terms
    }

    /// Whether everything was walked.
    fn explore(&mut self) -> bool {
        self.seen.clear();
        let state = State::initial(&mut self.s.terms, &self.s.program.old_symbols());
        (self.path, self.model) = (Path::default(), None);
        self.walk(BlockId(0), state);
        while let Some(frame) = self.frames.last_mut() {
            let Some((target, condition, choice)) = frame.pending.pop() else {
                self.frames.pop();
                continue;
            };
            let (state, mark) = (frame.state.clone(), frame.mark);
            if self.s.hear() {
                self.refresh();
            }
            if self.is_over() {
                self.frames.clear();
                return false;
            }
            self.path.back_to(mark);
            if !self.is_worth(target) {
                continue;
            }
            self.path.choices.extend(choice);
            if condition.is_none_or(|c| self.suppose(c, target)) {
                self.walk(target, state);
            }
        }
        true
    }

    /// Whether anything can be gained from walking on at a block.
    fn is_worth(&self, block: BlockId) -> bool {
        let waiting = self.path.passed.iter().any(|&i| self.is_open(i));
        self.relevance.ahead[block.index()] || waiting && self.relevance.matters[block.index()]
    }

    /// Adds a condition to the path that leads to `target`; `false` if no run satisfies it, as far as is known.
    fn suppose(&mut self, condition: TermId, target: BlockId) -> bool {
        if let Some(known) = self.s.terms.as_bool(condition) {
            return known;
        }
        self.path.conditions.push(condition);
        self.holds(condition) == Some(true) || self.check(target)
    }

    /// Brings the solver to the conditions of the path; `false` if it cannot express one of them.
    fn follow(&mut self) -> bool {
        let path = &self.path.conditions;
        let common = self.asserted.iter().zip(path).take_while(|(a, b)| a == b).count();
        self.solver.pop((self.asserted.len() - common) as u32);
        self.asserted.truncate(common);
        for &condition in &path[common..] {
            self.solver.push();
            if self.solver.assert(&self.s.terms, condition).is_err() {
                self.solver.pop(1);
                return false;
            }
            self.asserted.push(condition);
        }
        true
    }

    /// Whether the path has a model, which is then the current one.
    fn check(&mut self, block: BlockId) -> bool {
        if !self.follow() {
            self.model = None;
            self.doubt_from(block);
            return false;
        }
        let limit = self.s.time_left().map_or(QUERY_LIMIT, |left| left.min(QUERY_LIMIT));
        self.solver.set_timeout(Some(limit));
        self.model = None;
        match self.solver.check(&self.s.terms, &[]) {
            Answer::Sat => {
                let mut model = Model::default();
                let inputs: Vec<TermId> = self.inputs.iter().map(|&v| self.s.terms.var(v)).collect();
                for &term in inputs.iter().chain(&self.path.havocs) {
                    let Op::Var(symbol) = self.s.terms.term(term).op else { continue };
                    if let Some(value) = self.solver.value(&self.s.terms, term) {
                        model.values.insert(symbol, value);
                    }
                }
                self.model = Some(model);
            }
            Answer::Unsat => {}
            Answer::Unknown(_) => self.doubt_from(block),
        }
        self.model.is_some()
    }

    /// Nothing is to be claimed about goals that are reached from a block, or wait for what follows it.
    fn doubt_from(&mut self, block: BlockId) {
        let body = &self.s.unit.body;
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut stack = vec![block];
        while let Some(b) = stack.pop() {
            if seen.insert(b) {
                self.doubtful.extend(self.wanted.get(&b).into_iter().flatten());
                stack.extend(body[b].terminator.successors());
            }
        }
        self.doubtful.extend(&self.path.passed);
        self.refresh();
    }

    /// Whether the known inputs satisfy a condition; `None` if that cannot be said.
    fn holds(&mut self, condition: TermId) -> Option<bool> {
        let model = self.model.as_mut()?;
        evaluate(&self.s.terms, condition, model).ok()?.as_bool()
    }

    /// Walks from a block to the next branch with two arms that may be possible; they are left in a frame.
    fn walk(&mut self, mut block: BlockId, mut state: State) {
        loop {
            if !self.is_worth(block) || self.joins[block.index()] && !self.is_new(block, &state) {
                break;
            }
            if !self.execute(block, &mut state) {
                break;
            }
            self.arrive(block);
            if let Some(meeting) = self.relevance.skip[block.index()] {
                block = meeting;
                continue;
            }
            let mut arms = match self.s.unit.body[block].terminator.kind.clone() {
                TerminatorKind::Return => {
                    self.returned(block);
                    break;
                }
                TerminatorKind::Fail | TerminatorKind::Cut => break,
                TerminatorKind::Goto(targets) => self.choices(block, &targets),
                TerminatorKind::Branch { condition, then_to, else_to } => {
                    let condition = state.eval(&mut self.s.terms, condition);
                    self.arms(block, condition, [then_to, else_to])
                }
            };
            if let [(target, None, choice)] = arms[..] {
                self.path.choices.extend(choice);
                block = target;
                continue;
            }
            arms.retain(|&(target, ..)| self.is_worth(target));
            let mark = self.path.mark();
            self.frames.push(Frame { pending: arms, state, mark });
            break;
        }
    }

    /// Whether this is the first time that the search is at a block in a state.
    fn is_new(&mut self, block: BlockId, state: &State) -> bool {
        let terms = &mut self.s.terms;
        let live = &self.relevance.live[block.index()];
        let values = live.iter().map(|&v| (v, state.get(terms, v))).collect();
        let mut waiting: Vec<usize> = self.path.passed.clone();
        waiting.retain(|&i| self.is_open(i));
        let key = self.keys.key(&self.s.terms, block, &waiting, values, &self.path.conditions);
        self.seen.insert(key)
    }

    /// Executes the statements of a block, as far as they matter; `false` if an assumption fails.
    fn execute(&mut self, block: BlockId, state: &mut State) -> bool {
        for k in 0..self.s.unit.body[block].statements.len() {
            let statement = self.s.unit.body[block].statements[k].clone();
            let mut havocs = Vec::new();
            let assumed = state.execute(&mut self.s.terms, &statement, &mut havocs);
            if let Some(model) = &mut self.model {
                model.choose(&self.s.terms, self.s.interpreter, &havocs);
            }
            self.path.havocs.extend(havocs.into_iter().map(|(_, value)| value));
            if let Some(condition) = assumed
                && !self.suppose(condition, block)
            {
                return false;
            }
        }
        true
    }

    /// Notes the open goals at a block and runs the model, which goes there.
    fn arrive(&mut self, block: BlockId) {
        let Some(goals) = self.wanted.get(&block) else { return };
        let goals: Vec<usize> = goals.iter().copied().filter(|&i| self.is_open(i)).collect();
        if goals.is_empty() || self.model.is_none() && !self.check(block) {
            return;
        }
        self.run_model();
        let missed: Vec<usize> = goals.into_iter().filter(|&i| self.is_open(i)).collect();
        for i in missed {
            // A run to a failure, or one of those that all return, must cover it.
            if self.shape.total || matches!(self.s.goals[i].kind, ObjectiveKind::Failure(_)) {
                self.doubtful.insert(i);
            } else {
                self.path.passed.push(i);
            }
        }
        self.refresh();
    }

    /// The path returns: what it passed is covered.
    fn returned(&mut self, block: BlockId) {
        if self.path.passed.iter().any(|&i| self.is_open(i)) && (self.model.is_some() || self.check(block)) {
            self.run_model();
            self.doubtful.extend(&self.path.passed);
            self.refresh();
        }
    }

    /// Runs the procedure on the model's inputs.
    fn run_model(&mut self) {
        let Some(model) = &self.model else { return };
        let mut script = Script::default();
        for v in &self.inputs {
            if let Some(value) = model.values.get(v) {
                script.entries.insert((0, *v), value.clone());
            }
        }
        for &term in &self.path.havocs {
            let Op::Var(v) = self.s.terms.term(term).op else { continue };
            let sort = self.s.terms.sort(term);
            let plain = || default_value(self.s.interpreter, sort).ok();
            script.havocs.extend(model.values.get(&v).cloned().or_else(plain));
        }
        script.choices.clone_from(&self.path.choices);
        random_runs::run_script(self.s, script);
    }

    /// The ways out of a block with a free choice, in reverse order of trying.
    fn choices(&self, block: BlockId, targets: &[BlockId]) -> Vec<Arm> {
        (0..targets.len()).rev().map(|i| (targets[i], None, self.asks(block, i))).collect()
    }

    /// What a run chooses in the source to leave a block by a successor.
    fn asks(&self, block: BlockId, successor: usize) -> Option<usize> {
        self.s.unit.source_choice(self.s.program, block, successor)
    }

    /// The arms of a branch that are possible, in reverse order of trying; the one that the current model takes
    /// comes first.
    fn arms(&mut self, block: BlockId, condition: TermId, [yes, no]: [BlockId; 2]) -> Vec<Arm> {
        let (first, second) = (self.asks(block, 0), self.asks(block, 1));
        match self.s.terms.as_bool(condition) {
            Some(true) => vec![(yes, None, first)],
            Some(false) => vec![(no, None, second)],
            None => {
                let negated = self.s.terms.app(Op::Not, [condition]);
                let (yes, no) = ((yes, Some(condition), first), (no, Some(negated), second));
                if self.holds(condition) == Some(false) { vec![yes, no] } else { vec![no, yes] }
            }
        }
    }
}
