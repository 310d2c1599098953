//! State exploration with state matching (path pruning): statement cover for procedures that are too long for one
//! query.
//!
//! **Idea.** Path cover asks for every path (`depth_first.rs`), and their number may double with each branch. But
//! what is reachable after a path depends only on the values of those variables that the rest of the procedure still
//! reads. Long procedures overwrite values, so of many thousand paths only few different states are left a dozen
//! branches later. This search visits the tree of paths as path cover does and stops where
//!
//! * no open goal is ahead, and none that the path has passed is waiting for its return;
//! * it was at the same block in an equal state before, with respect to what can still matter
//!   (`state_exploration/state_equality.rs`): what leads to an open goal from here was found then, or there is
//!   nothing.
//!
//! Branches that do not matter to the open goals are skipped (`state_exploration/relevance.rs`). As soon as the path
//! is at an open goal, the inputs of its model are executed, and what the run covers counts. When the search is
//! complete, goals that are still open are infeasible.
//!
//! **Example.** In `if (x > 0) { t := 1 } else { t := 2 } t := 0; …` both paths are in the same state after `t := 0`,
//! if `x` is not read any more. So the rest is explored once.
//!
//! **Paper.** Stopping at a state in which nothing that is read has changed is RWset analysis (Boonstoppel, Cadar,
//! Engler: RWset: Attacking Path Explosion in Constraint-Based Test Generation, TACAS 2008).
//!
//! **Deviations.**
//! 1. What is read is computed for the open goals only, and shrinks with them.
//! 2. States are compared as terms over the inputs, not only where they are concrete, together with the part of the
//!    path condition that is about these inputs.
//! 3. A state is stored when it is entered: in an acyclic graph it does not recur before all that follows it was
//!    explored.
//!
//! **Direction of error.** None: a query without an answer, and a model whose run does not follow the path, make all
//! goals doubtful that might depend on it, and doubtful goals are left open.

mod relevance;
mod state_equality;

use std::time::Duration;

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
use footpath_virtual_time::Deadline;
use relevance::{Goals, Relevance, Shape};
use state_equality::{Key, Keys};

/// The time limit of one query; queries are about one path and mostly take a thousandth of it.
const QUERY_LIMIT: Duration = Duration::from_secs(1);
/// The horizon moves by this many blocks, and by this fraction of its position.
const STRIDE: usize = 8;
/// The share of the time for all goals together, before they are taken in order.
const TOGETHER: f64 = 0.5;
/// The limit on stored states, which bounds the memory.
const MAX_STATES: usize = 1_000_000;
/// The limit on new terms, which bounds the memory.
const MAX_TERMS: usize = 10_000_000;

/// Tries to decide the open goals, within a time limit.
pub(super) fn run(s: &mut Session, limit: Option<Duration>) -> Result<(), CoverError> {
    if s.uses_axioms || uses_functions(s) || !inputs_decide(s) || s.open_goals().is_empty() {
        return Ok(());
    }
    let (all, together) = (limit.map(Deadline::after), limit.map(|l| Deadline::after(l.mul_f64(TOGETHER))));
    let solver = s.open_solver("states")?;
    let shape = Shape::of(s.program, &s.terms, &s.unit);
    let mut search = Search {
        inputs: s.inputs(),
        horizon: usize::MAX,
        end: all,
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
    search.end = together;
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

/// Whether inputs, havocked values and choices among targets are all that a run asks for, and nothing in callees.
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

/// Whether conditions depend on functions, whose values a list of inputs cannot represent.
fn uses_functions(s: &Session) -> bool {
    s.terms.post_order(&s.vc.constraints).iter().any(|&t| {
        matches!(
            s.terms.term(t).op,
            Op::Apply(_) | Op::IntDiv | Op::Mod | Op::RealDiv | Op::Subtype | Op::Pow | Op::Bind(_)
        )
    })
}

/// The target of an edge, its condition, and the number that a run of the source chooses to take it.
type Arm = (BlockId, Option<TermId>, Option<usize>);

/// A branch on the current path, with the arms that are still to be tried.
struct Frame {
    pending: Vec<Arm>,
    state: State,
    /// The lengths of the path's lists at this branch.
    mark: Mark,
}

/// The choices on the current path.
#[derive(Default)]
struct Path {
    conditions: Vec<TermId>,
    /// Arbitrary values, in the order in which a run asks for them.
    havocs: Vec<TermId>,
    choices: Vec<usize>,
    /// Goals that the path has passed and no test covers.
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
    /// The conditions asserted in the solver, with a level for each: a prefix of the current path or of an earlier
    /// one.
    asserted: Vec<TermId>,
    /// The variables whose initial values matter.
    inputs: Vec<SymbolId>,
    end: Option<Deadline>,
    /// Goals at later blocks are postponed.
    horizon: usize,
    /// For each block whether several edges lead to it.
    joins: Vec<bool>,
    most_terms: usize,
    shape: Shape,
    relevance: Relevance,
    frames: Vec<Frame>,
    path: Path,
    /// Inputs that satisfy the conditions of the current path, if known.
    model: Option<Model>,
    seen: FxHashSet<Key>,
    keys: Keys,
    /// For each block the open goals there.
    wanted: Goals,
    doubtful: FxHashSet<usize>,
}

impl Search<'_, '_> {
    /// Moves the horizon to the next goals, in the order of the blocks. With few goals at a time little is relevant,
    /// and goals early in the procedure need not wait for all that follows.
    fn next_horizon(&mut self) {
        let last = |s: &Session, i: usize| s.goals[i].blocks.iter().max().map_or(0, |b| b.index());
        self.horizon = usize::MAX;
        let open = (0..self.s.goals.len()).filter(|&i| self.is_open(i));
        if let Some(first) = open.map(|i| last(self.s, i)).min() {
            self.horizon = first + first / STRIDE + STRIDE;
        }
    }

    /// After a complete search, open goals within the horizon are infeasible.
    fn settle(&mut self) {
        let decided: Vec<usize> = (0..self.s.goals.len()).filter(|&i| self.is_open(i)).collect();
        for i in decided {
            self.s.refute(i, self.shape.total);
        }
    }

    /// Recomputes relevance after goals were decided; returns whether any goal is open.
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
            || self.end.is_some_and(Deadline::is_over)
            || self.seen.len() > MAX_STATES
            || self.s.terms.len() > self.most_terms
    }

    /// Explores; returns whether the search is complete.
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

    /// Whether continuing at a block can cover anything.
    fn is_worth(&self, block: BlockId) -> bool {
        let waiting = self.path.passed.iter().any(|&i| self.is_open(i));
        self.relevance.ahead[block.index()] || waiting && self.relevance.matters[block.index()]
    }

    /// Adds a condition to the path that leads to `target`; `false` if the path becomes infeasible, as far as is
    /// known.
    fn suppose(&mut self, condition: TermId, target: BlockId) -> bool {
        if let Some(known) = self.s.terms.as_bool(condition) {
            return known;
        }
        self.path.conditions.push(condition);
        self.holds(condition) == Some(true) || self.check(target)
    }

    /// Asserts the conditions of the path in the solver; `false` if it cannot express one of them.
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

    /// Marks goals as doubtful that can be reached from a block, or wait for what follows it.
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

    /// Whether the known inputs satisfy a condition; `None` if that cannot be determined.
    fn holds(&mut self, condition: TermId) -> Option<bool> {
        let model = self.model.as_mut()?;
        evaluate(&self.s.terms, condition, model).ok()?.as_bool()
    }

    /// Executes blocks up to the next branch with two arms that may be feasible; they are left in a frame.
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

    /// Whether the search is at a block in a state for the first time.
    fn is_new(&mut self, block: BlockId, state: &State) -> bool {
        let terms = &mut self.s.terms;
        let live = &self.relevance.live[block.index()];
        let values = live.iter().map(|&v| (v, state.get(terms, v))).collect();
        let mut waiting: Vec<usize> = self.path.passed.clone();
        waiting.retain(|&i| self.is_open(i));
        let key = self.keys.key(&self.s.terms, block, &waiting, values, &self.path.conditions);
        self.seen.insert(key)
    }

    /// Executes the relevant statements of a block; `false` if an assumption fails.
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

    /// Records the open goals at a block and executes the model's inputs, whose run goes there.
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

    /// The path returns: goals that it passed are covered.
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

    /// The edges out of a block with a free choice, in reverse order of trying.
    fn choices(&self, block: BlockId, targets: &[BlockId]) -> Vec<Arm> {
        (0..targets.len()).rev().map(|i| (targets[i], None, self.asks(block, i))).collect()
    }

    /// The number that a run of the source chooses to leave a block by a successor.
    fn asks(&self, block: BlockId, successor: usize) -> Option<usize> {
        self.s.unit.source_choice(self.s.program, block, successor)
    }

    /// The feasible arms of a branch, in reverse order of trying; the one that the current model takes is tried
    /// first.
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
