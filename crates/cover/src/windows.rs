//! Windows: local proofs and local searches, for procedures that are too long for one query.
//!
//! **Idea.** Whether a block deep in a procedure is feasible mostly depends on the few branches before it. For each
//! open goal two cheap queries are asked about a *window*, the part of the procedure from one of the block's
//! dominators on, which grows (1, 2, 4, 8, … dominators) until one of them has an answer:
//!
//! * *Is the block infeasible from any state at all?* This query has the window alone, with arbitrary variables at
//!   the start. It has more runs than the procedure, so a proof holds for the procedure. Blocks known to be
//!   infeasible are left out, so that proofs build on proofs.
//! * *Does a known test lead there?* The tests found so far pass the start of the window if they reach the block, as
//!   it dominates the block. One test's path up to there is fixed, the window is left open, the inputs are still
//!   free: a query about one path and a few branches, in which terms are merged only in the window. A model's inputs
//!   are executed.
//!
//! **Example.** In a long procedure that ends in `if (x > 5) { if (x < 3) { goal } }` the window that starts at the
//! first of these two branches refutes `goal`, whatever the value of `x` is before.
//!
//! The first query makes many infeasible blocks cheap, while refuting all of them by one query is exponential in the
//! number of branches; the second is concolic testing with a window of branches instead of one branch.
//!
//! Integers are relaxed to reals in the first query (`vc/real_relaxation.rs`), except in the smallest windows, where
//! most contradictions between conditions on integers occur.
//!
//! The large windows are tried after state exploration (`state_exploration.rs`) and single-goal queries
//! (`single_goal.rs`), which often leave nothing to them.
//!
//! **Direction of error.** None: a goal that no window decides is left open.

use std::rc::Rc;
use std::time::Duration;

use footpath_ir::{BlockId, StatementKind, TerminatorKind};
use footpath_smt::{Answer, Solver};
use footpath_term::{Env, EvalError, Op, SymbolId, TermId, Terms, Value, evaluate};
use rustc_hash::{FxHashMap, FxHashSet};

use super::invariants::Invariants;
use super::session::{Session, Status};
use super::{CoverError, random_runs};
use crate::vc::merged::{self, Window};
use crate::vc::real_relaxation::Relaxation;
use footpath_transform::state::State;

/// The time limit of a query about the smallest window; it grows with the window.
const FIRST_LIMIT: Duration = Duration::from_millis(50);
/// The time limit of a query about a large window.
const LAST_LIMIT: Duration = Duration::from_secs(3);
/// The size of the largest small window.
const SMALL: usize = 4;
/// The number of tests whose paths are tried for each goal and window.
const PREFIXES: usize = 4;

/// The sizes of windows.
#[derive(Clone, Copy)]
pub(super) enum Sizes {
    /// Small ones, which are cheap.
    Small,
    /// Large ones.
    Large,
}

/// The interpretation of integers in a query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Integers,
    /// As reals, in a weaker formula.
    Reals,
}

/// Tries to decide the open goals by windows.
pub(super) fn run(s: &mut Session, sizes: Sizes) -> Result<(), CoverError> {
    let dominators = s.dominators();
    let inputs = s.inputs();
    let uses_axioms = s.uses_axioms;
    let (solver, trails) = (s.open_solver("local")?, FxHashMap::default());
    let mut windows = Windows { solver, dominators, inputs, trails, invariants: Invariants::none() };
    windows.invariants.refresh(s);
    let (mut size, largest_size) = match sizes {
        Sizes::Small => (1, SMALL),
        Sizes::Large => (2 * SMALL, usize::MAX),
    };
    let mut limit = FIRST_LIMIT * size as u32;
    while size <= largest_size {
        let open = s.open_goals();
        let largest = open.iter().map(|&i| windows.depth(s, i)).max().unwrap_or(0);
        if open.is_empty() || s.is_over() || size > 2 * largest {
            break;
        }
        for &i in &open {
            if !s.is_over() && s.goals[i].status == Status::Open && windows.refute(s, i, size, limit) {
                s.refute(i, true);
            }
        }
        windows.invariants.refresh(s);
        // Where axioms count, the inputs that are found could not be run.
        for &i in open.iter().filter(|_| !uses_axioms) {
            windows.search(s, i, size, limit);
        }
        size *= 2;
        limit = (limit * 2).min(LAST_LIMIT);
    }
    s.count(&windows.solver.statistics());
    Ok(())
}

/// The dominators of a block, the nearest first, without the block itself.
fn chain(dominators: &[Option<BlockId>], b: BlockId) -> Vec<BlockId> {
    std::iter::successors(dominators[b.index()], |up| dominators[up.index()]).collect()
}

/// The start of the window of a size.
fn start(dominators: &[Option<BlockId>], b: BlockId, size: usize) -> BlockId {
    let chain = chain(dominators, b);
    chain.get(size - 1).or(chain.last()).copied().unwrap_or(b)
}

struct Windows {
    solver: Box<dyn Solver>,
    dominators: Rc<[Option<BlockId>]>,
    /// The variables whose initial values matter.
    inputs: Vec<SymbolId>,
    /// For tests by number, their paths, if they can be determined.
    trails: FxHashMap<usize, Option<Rc<Trail>>>,
    invariants: Invariants,
}

/// A test's path through the loop-free body, executed symbolically.
struct Trail {
    path: Vec<BlockId>,
    /// For each block of the path: the state in which it is entered, and how many of `conditions` precede it.
    entered: Vec<(State, usize)>,
    /// Assumptions and branch conditions, in order.
    conditions: Vec<TermId>,
}

impl Windows {
    /// The number of dominators of the goal's deepest copy.
    fn depth(&self, s: &Session, i: usize) -> usize {
        s.goals[i].blocks.iter().map(|b| chain(&self.dominators, *b).len()).max().unwrap_or(0)
    }

    /// Whether no copy of the goal can be reached from any state at the start of its window.
    fn refute(&mut self, s: &mut Session, i: usize, size: usize, limit: Duration) -> bool {
        let dead = dead(s);
        s.goals[i].blocks.clone().into_iter().all(|b| {
            let start = start(&self.dominators, b, size);
            let Window { reach, constraints: mut formula, .. } =
                merged::encode_window(&s.unit, &mut s.terms, start, b, State::default(), &dead);
            if let Some(known) = s.terms.as_bool(reach) {
                return !known;
            }
            formula.push(reach);
            formula.extend(self.invariants.at(start));
            let numbers = if size > 1 { Numbers::Reals } else { Numbers::Integers };
            let answer = self.ask(s, &formula, numbers, limit);
            self.solver.pop(1);
            answer.is_unsat()
        })
    }

    /// Looks for a run to the goal that follows a known test up to the start of the goal's window.
    fn search(&mut self, s: &mut Session, i: usize, size: usize, limit: Duration) {
        let dead = dead(s);
        for b in s.goals[i].blocks.clone() {
            let start = start(&self.dominators, b, size);
            let mut tried: FxHashSet<Vec<BlockId>> = FxHashSet::default();
            for test in (0..s.tests.len()).rev() {
                if tried.len() >= PREFIXES || s.goals[i].status != Status::Open || s.is_over() {
                    return;
                }
                let Some(trail) = self.trail(s, test) else { continue };
                let Ok(at) = trail.path.binary_search(&start) else { continue };
                if !tried.insert(trail.path[..at].to_vec()) {
                    continue;
                }
                let (state, conditions) = &trail.entered[at];
                let Window { reach, constraints: mut formula, .. } =
                    merged::encode_window(&s.unit, &mut s.terms, start, b, state.clone(), &dead);
                if s.terms.as_bool(reach) == Some(false) {
                    continue;
                }
                formula.push(reach);
                formula.extend(&trail.conditions[..*conditions]);
                if self.ask(s, &formula, Numbers::Integers, limit) == Answer::Sat {
                    let script = random_runs::script_of(&mut s.terms, &self.inputs, &mut *self.solver);
                    self.solver.pop(1);
                    random_runs::run_script(s, script);
                } else {
                    self.solver.pop(1);
                }
            }
        }
    }

    /// Asks about a formula, on a new level that stays open.
    fn ask(&mut self, s: &mut Session, formula: &[TermId], numbers: Numbers, limit: Duration) -> Answer {
        let mut formula = s.theory.expand(&mut s.terms, formula);
        formula.extend(s.theory.relevant(&mut s.terms, &formula).formulas);
        if numbers == Numbers::Reals {
            let mut relaxation = Relaxation::default();
            let relaxed = relaxation.relax(&mut s.terms, &formula);
            // Where more is lost than that numbers are whole, it is not worth it.
            if relaxation.is_linear() {
                formula = relaxed;
            }
        }
        self.solver.push();
        for t in formula {
            if let Err(unsupported) = self.solver.assert(&s.terms, t) {
                return Answer::from(unsupported);
            }
        }
        self.solver.set_timeout(Some(s.time_left().map_or(limit, |left| left.min(limit))));
        self.solver.check(&s.terms, &[])
    }

    /// The path of a test, executed symbolically.
    fn trail(&mut self, s: &mut Session, test: usize) -> Option<Rc<Trail>> {
        let find = || walk(s, test).map(|path| Rc::new(Trail::along(s, path)));
        self.trails.entry(test).or_insert_with(find).clone()
    }
}

/// The blocks that are known to be unreachable.
pub(super) fn dead(s: &Session) -> FxHashSet<BlockId> {
    s.goals.iter().filter(|g| g.unreachable).flat_map(|g| g.blocks.iter().copied()).collect()
}

impl Trail {
    fn along(s: &mut Session, path: Vec<BlockId>) -> Trail {
        let mut state = State::initial(&mut s.terms, &s.program.old_symbols());
        let mut conditions = Vec::new();
        let mut entered = Vec::with_capacity(path.len());
        let mut havocs = Vec::new();
        for (k, &b) in path.iter().enumerate() {
            entered.push((state.clone(), conditions.len()));
            for statement in &s.unit.body[b].statements {
                conditions.extend(state.execute(&mut s.terms, statement, &mut havocs));
            }
            if let TerminatorKind::Branch { condition, then_to, .. } = s.unit.body[b].terminator.kind {
                let taken = state.eval(&mut s.terms, condition);
                let then = path.get(k + 1) == Some(&then_to);
                conditions.push(if then { taken } else { s.terms.app(Op::Not, [taken]) });
            }
        }
        Trail { path, entered, conditions }
    }
}

/// The path of a test in the loop-free body, if the run stays within the bound and its inputs alone determine it.
fn walk(s: &Session, test: usize) -> Option<Vec<BlockId>> {
    let test = &s.tests[test];
    let old = s.program.old_symbols();
    let mut store = Store { values: FxHashMap::default(), session: s };
    let symbols = s.program.globals.iter().map(|g| g.variable.symbol);
    let body = &s.unit.body;
    let own = body.params.iter().chain(&body.results).chain(&body.locals).map(|v| v.symbol);
    for symbol in symbols.chain(own) {
        if let Some(value) = test.inputs.get(&*s.terms.symbol(symbol).name) {
            store.values.insert(symbol, value.clone());
        }
    }
    for (o, g) in old {
        let value = store.symbol(&s.terms, g).ok()?;
        store.values.insert(o, value);
    }
    let mut path = Vec::new();
    let mut b = BlockId(0);
    loop {
        path.push(b);
        for statement in &body[b].statements {
            match &statement.kind {
                StatementKind::Assign(pairs) => {
                    let values: Option<Vec<Value>> =
                        pairs.iter().map(|&(_, t)| evaluate(&s.terms, t, &mut store).ok()).collect();
                    store.values.extend(pairs.iter().map(|p| p.0).zip(values?));
                }
                StatementKind::Assume(condition) => {
                    if evaluate(&s.terms, *condition, &mut store).ok()?.as_bool() != Some(true) {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        b = match &body[b].terminator.kind {
            TerminatorKind::Branch { condition, then_to, else_to } => {
                match evaluate(&s.terms, *condition, &mut store).ok()?.as_bool()? {
                    true => *then_to,
                    false => *else_to,
                }
            }
            TerminatorKind::Goto(targets) if targets.len() == 1 => targets[0],
            TerminatorKind::Return | TerminatorKind::Fail => return Some(path),
            _ => return None,
        };
    }
}

/// Concrete values of variables; variables that a test does not mention have default values.
struct Store<'a, 'b> {
    values: FxHashMap<SymbolId, Value>,
    session: &'a Session<'b>,
}

impl Env for Store<'_, '_> {
    fn symbol(&mut self, terms: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        if let Some(value) = self.values.get(&symbol) {
            return Ok(value.clone());
        }
        let sort = terms.symbol(symbol).sort;
        footpath_ir::interp::default_value(self.session.interpreter, sort)
    }
}
