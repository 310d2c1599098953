//! Path cover by depth-first symbolic execution: the tree of paths is searched instead of adding blocking clauses.
//!
//! **Idea.** The loop-free body is executed symbolically along one path at a time; the path condition is asserted in
//! the solver, with a level for each branch. A model of the path condition so far decides which arm of the next
//! branch is taken, without a query, until the end of the path, where the model is a test. Then the other arms are
//! tried, the deepest first. So each query either finds a path or cuts off a subtree, and the terms of one path stay
//! small, as nothing is merged.
//!
//! **Example.** In `if (a) …; if (b) …` a first model follows one path to its end. The next query is about the other
//! arm of `b`, then one about the other arm of `a`: three queries at most after the first model for four paths.
//!
//! **Paper.** This is directed automated random testing (Godefroid, Klarlund, Sen, PLDI 2005) on the loop-free form.
//! It finds the same paths as Algorithm 1 of RVC (`path.rs`), which tests check.
//!
//! **Direction of error.** None: an arm that the solver cannot decide is counted and reported, and then open goals
//! are unknown instead of infeasible.

use footpath_ir::interp::{Interpreter, default_value};
use footpath_ir::{BlockId, TerminatorKind};
use footpath_smt::Answer;
use footpath_term::{Env, EvalError, Op, SymbolId, TermId, Terms, Value, evaluate};
use footpath_verdict::{Code, Reason};
use rustc_hash::FxHashMap;

use super::CoverError;
use super::replay::{self, PathTaken, Replayed, Taken, Values};
use super::session::{Session, Status};
use footpath_transform::state::State;

/// A block on the current path, with the arms that are still to be tried.
struct Frame {
    taken: Taken,
    state: State,
    pending: Vec<(usize, Option<TermId>)>,
}

struct Search<'s, 'a> {
    s: &'s mut Session<'a>,
    frames: Vec<Frame>,
    /// Inputs that satisfy the current path condition, if known.
    model: Option<Model>,
    /// The variables whose initial values matter.
    inputs: Vec<SymbolId>,
    /// The variables havocked in the block that is being entered, with their values.
    entered: Vec<(SymbolId, TermId)>,
    /// Whether the formula mentions functions, whose values a list of inputs cannot represent.
    uses_functions: bool,
    given_up: Option<Reason>,
}

/// Finds a test for every complete path, and so decides all goals.
pub(super) fn run(s: &mut Session) -> Result<(), CoverError> {
    // The session's solver holds the whole formula; paths are asked of one that holds the theory only, which is
    // asserted as conditions come to need it.
    let solver = s.open_solver("paths")?;
    let whole = std::mem::replace(&mut s.solver, solver);
    s.standing.clear();
    let assumptions = all_conditions(s);
    let relevant = s.theory.relevant(&mut s.terms, &assumptions);
    for axiom in relevant.formulas {
        s.assert(axiom);
    }
    let inputs = s.inputs();
    let uses_functions = s.uses_axioms
        || s.terms.post_order(&assumptions).iter().any(|&t| {
            matches!(
                s.terms.term(t).op,
                Op::Apply(_) | Op::IntDiv | Op::Mod | Op::RealDiv | Op::Subtype | Op::Pow
            )
        });
    let mut search = Search {
        s,
        frames: Vec::new(),
        model: None,
        inputs,
        entered: Vec::new(),
        uses_functions,
        given_up: None,
    };
    let result = search.explore();
    let given_up = search.given_up.take();
    let paths = std::mem::replace(&mut s.solver, whole);
    s.count(&paths.statistics());
    result?;
    let open = s.open_goals();
    match given_up {
        None => s.settle(&open, &Status::Infeasible),
        Some(why) => {
            s.notes.push(format!("not all paths were found: {why}"));
            s.settle(&open, &Status::Unknown(why));
        }
    }
    Ok(())
}

/// Values of inputs, read from a model.
#[derive(Default)]
pub(super) struct Model {
    pub(super) values: FxHashMap<SymbolId, Value>,
}

impl Model {
    /// Chooses values for variables that were havocked after the model was found; any values will do.
    pub(super) fn choose(&mut self, terms: &Terms, interpreter: &Interpreter, havocs: &[(SymbolId, TermId)]) {
        for &(_, term) in havocs {
            if let (Op::Var(symbol), Ok(value)) =
                (&terms.term(term).op, default_value(interpreter, terms.sort(term)))
            {
                self.values.insert(*symbol, value);
            }
        }
    }
}

impl Env for Model {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        self.values.get(&symbol).cloned().ok_or(EvalError::Unbound(symbol))
    }
}

/// All terms of the body, expanded, for the selection of axioms.
fn all_conditions(s: &mut Session) -> Vec<TermId> {
    let constraints = s.vc.constraints.clone();
    s.theory.expand(&mut s.terms, &constraints)
}

impl Search<'_, '_> {
    fn explore(&mut self) -> Result<(), CoverError> {
        let state = State::initial(&mut self.s.terms, &self.s.program.old_symbols());
        self.s.solver.push();
        self.enter(BlockId(0), state)?;
        while let Some(frame) = self.frames.last_mut() {
            let Some((arm, condition)) = frame.pending.pop() else {
                self.frames.pop();
                self.s.solver.pop(1);
                continue;
            };
            if self.s.is_over() {
                self.given_up = Some(self.s.why_over());
                return Ok(());
            }
            if self.s.tests.len() >= self.s.options.max_tests {
                self.given_up = Some(Code::MaxTests.with(self.s.options.max_tests.to_string()));
                return Ok(());
            }
            frame.taken.successor = Some(arm);
            let (block, state) = (frame.taken.block, frame.state.clone());
            let target = self.s.unit.body[block].terminator.successors()[arm];
            self.s.solver.push();
            if let Some(condition) = condition
                && !self.suppose(condition)
            {
                self.s.solver.pop(1);
                continue;
            }
            self.enter(target, state)?;
        }
        Ok(())
    }

    /// Adds a condition to the path; `false` if it becomes infeasible.
    fn suppose(&mut self, condition: TermId) -> bool {
        let expanded = self.s.theory.expand(&mut self.s.terms, &[condition])[0];
        match self.s.terms.as_bool(expanded) {
            Some(known) => known,
            None => {
                self.s.assert(expanded);
                if self.holds(expanded) == Some(true) {
                    return true;
                }
                self.check()
            }
        }
    }

    /// Whether the path condition has a model, which is then the current one.
    fn check(&mut self) -> bool {
        match self.s.ask(&[]) {
            Answer::Sat => {
                let mut model = Model::default();
                let on_path = self.frames.iter().flat_map(|f| &f.taken.havocs).chain(&self.entered);
                let havocs: Vec<TermId> = on_path.map(|&(_, value)| value).collect();
                for i in 0..self.inputs.len() {
                    let term = self.s.terms.var(self.inputs[i]);
                    self.read(&mut model, term);
                }
                for term in havocs {
                    self.read(&mut model, term);
                }
                self.model = Some(model);
            }
            Answer::Unsat => self.model = None,
            Answer::Unknown(why) => {
                self.model = None;
                let why = self.s.why_open(&why);
                self.given_up.get_or_insert(why);
            }
        }
        self.model.is_some()
    }

    fn read(&mut self, model: &mut Model, term: TermId) {
        let Op::Var(symbol) = self.s.terms.term(term).op else { return };
        if let Some(value) = self.s.solver.value(&self.s.terms, term) {
            model.values.insert(symbol, value);
        }
    }

    /// Whether the known inputs satisfy a condition; `None` if that cannot be determined.
    fn holds(&mut self, condition: TermId) -> Option<bool> {
        let model = self.model.as_mut()?;
        evaluate(&self.s.terms, condition, model).ok()?.as_bool()
    }

    /// Executes a block, at a new level. Its successors are left in a new frame; if the path ends here, the level is
    /// closed again.
    fn enter(&mut self, block: BlockId, mut state: State) -> Result<(), CoverError> {
        let mut taken = Taken { block, havocs: Vec::new(), successor: None };
        for k in 0..self.s.unit.body[block].statements.len() {
            let statement = self.s.unit.body[block].statements[k].clone();
            let mut havocs: Vec<(SymbolId, TermId)> = Vec::new();
            let assumed = state.execute(&mut self.s.terms, &statement, &mut havocs);
            if let Some(model) = &mut self.model {
                model.choose(&self.s.terms, self.s.interpreter, &havocs);
            }
            taken.havocs.extend(havocs);
            self.entered.clone_from(&taken.havocs);
            if let Some(condition) = assumed
                && !self.suppose(condition)
            {
                self.s.solver.pop(1);
                return Ok(());
            }
        }
        let terminator = self.s.unit.body[block].terminator.kind.clone();
        let pending = match terminator {
            TerminatorKind::Return | TerminatorKind::Fail => {
                if self.model.is_some() || self.check() {
                    self.end(taken)?;
                }
                self.s.solver.pop(1);
                return Ok(());
            }
            TerminatorKind::Cut => {
                self.s.solver.pop(1);
                return Ok(());
            }
            TerminatorKind::Branch { condition, .. } => {
                let condition = state.eval(&mut self.s.terms, condition);
                let condition = self.s.theory.expand(&mut self.s.terms, &[condition])[0];
                self.arms(condition)
            }
            TerminatorKind::Goto(targets) => (0..targets.len()).rev().map(|i| (i, None)).collect(),
        };
        self.frames.push(Frame { taken, state, pending });
        Ok(())
    }

    /// The arms of a branch in reverse order of trying; the one that the current model takes is tried first.
    fn arms(&mut self, condition: TermId) -> Vec<(usize, Option<TermId>)> {
        match self.s.terms.as_bool(condition) {
            Some(true) => vec![(0, None)],
            Some(false) => vec![(1, None)],
            None => {
                let negated = self.s.terms.app(Op::Not, [condition]);
                let yes = self.holds(condition) != Some(false);
                let (a, b) = ((0, Some(condition)), (1, Some(negated)));
                if yes { vec![b, a] } else { vec![a, b] }
            }
        }
    }

    /// The current path is complete and the current model takes it.
    fn end(&mut self, last: Taken) -> Result<(), CoverError> {
        let steps: Vec<Taken> = self.frames.iter().map(|f| f.taken.clone()).chain([last]).collect();
        let path: Vec<BlockId> = steps.iter().map(|t| t.block).collect();
        let taken = PathTaken { steps };
        // Functions have their values in the solver's model only.
        let known = self.model.take().filter(|_| !self.uses_functions);
        let replayed = match &known {
            Some(model) => replay::replay(self.s, &taken, &Values::Known(&model.values))?,
            None if self.s.ask(&[]).is_sat() => replay::replay(self.s, &taken, &Values::Solver)?,
            None => Replayed::Inconclusive("the solver lost the model of a path".to_owned()),
        };
        self.model = known;
        match replayed {
            Replayed::Confirmed(test) => {
                let covered = self.s.promised(&path);
                self.s.add_test(test, covered);
            }
            Replayed::Inconclusive(why) => {
                self.given_up.get_or_insert(Code::ModelNotReplayed.with(why));
            }
        }
        Ok(())
    }
}
