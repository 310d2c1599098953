//! Local proofs and local searches, for procedures that are too long to be asked about as a whole.
//!
//! Whether a block deep in a procedure is feasible mostly depends on the few branches before it. For each open
//! goal two cheap questions are asked about a *window*, the part of the procedure from one of the block's
//! dominators on, which grows (1, 2, 4, 8, … dominators) until one of them is answered:
//!
//! * *Is it infeasible from any state at all?* The window alone, its variables arbitrary at the start. It has
//!   more runs than the procedure, so a proof counts for the procedure. Blocks known to be infeasible are left
//!   out of it, so that proofs build on proofs.
//! * *Does a known test lead there?* The tests found so far go through the start of the window, as it
//!   dominates the block. One test's path up to there is kept, the window is left open, the inputs are still
//!   free: a question about one path and a few branches, in which nothing is merged but in the window. A
//!   model's inputs are run.
//!
//! The first is what makes many infeasible blocks cheap, whose common refutation by one question about all of
//! them is exponential in the number of branches; the second is concolic testing with a window of branches
//! instead of one branch.
//!
//! Integers are taken for reals in the first question (`vc/real_relaxation.rs`), but for the smallest windows, where conditions
//! that only integers contradict mostly meet.
//!
//! The large windows are left for after states were explored (`state_exploration.rs`) and goals asked about alone (`single_goal.rs`), which
//! often leaves nothing to them.
//!
//! **Direction of error.** None; what no window decides is left open.

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

/// Time for a question about the smallest window; it grows with the window.
const FIRST_LIMIT: Duration = Duration::from_millis(50);
/// Time for a question about a large window.
const LAST_LIMIT: Duration = Duration::from_secs(3);
/// The largest of the small windows.
const SMALL: usize = 4;
/// How many tests' paths are tried for each goal and window.
const PREFIXES: usize = 4;

/// The windows that are asked about.
#[derive(Clone, Copy)]
pub(super) enum Sizes {
    /// Only small ones, which are cheap.
    Small,
    /// The others.
    Large,
}

/// How integers are understood in a question.
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

/// The dominators of a block, the nearest first, the block itself left out.
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
    /// For tests by number: what their paths are, if that can be said.
    trails: FxHashMap<usize, Option<Rc<Trail>>>,
    invariants: Invariants,
}

/// A test's path through the loop-free body, executed symbolically.
struct Trail {
    path: Vec<BlockId>,
    /// For each block of the path: the state in which it is entered, and how many of `conditions` lead there.
    entered: Vec<(State, usize)>,
    /// Assumptions and branch conditions, in order.
    conditions: Vec<TermId>,
}

impl Windows {
    /// How many dominators the goal's deepest copy has.
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

    /// Asks about a formula, on a level of its own that stays open.
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

    /// The inputs of the current model.
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

/// The path of a test in the loop-free body, if that is where it runs and its inputs alone decide it.
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

/// Concrete values of variables; what a test does not mention has its default.
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
