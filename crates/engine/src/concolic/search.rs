//! The exploration: runs, questions, tests.
//!
//! 1. The program is compiled; a first run is made, on default inputs or, where axioms matter, on a model of them.
//! 2. Concrete runs on drawn inputs cover what is easy (`random.rs`); those that cover something become runs with
//!    shadows.
//! 3. The strategy chooses an open arm, the solver is asked about it, its model is the next run; until nothing is open,
//!    everything is covered, or a bound is hit. Arms without an answer come again with more time.
//!
//! A run becomes a test after the reference interpreter has made the same run.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_ir::interp::{Interpreter, Limits, Outcome, RandomOracle, Replay, Script};
use footpath_ir::{Origin, ProcId, Program};
use footpath_smt::{Interrupter, Solver, SolverSpec, Unknown};
use footpath_term::{FuncId, FuncKind, Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::compile;
use super::general::large_terms;
use super::goals::Goals;
use super::inputs::{Inputs, Scripted, Source};
use super::live::{self, FromModel, Live, LiveReply};
use super::lower::is_open;
use super::machine::{DecisionKind, Machine, PathHash, RunResult, Setup};
use super::minimise::minimise;
use super::options::{Bound, Hits, Keep, Options};
use super::random::{Dice, Drawn};
use super::report::{ConcolicTest, Event, Exploration, ExploreError, Statistics, TestClass};
use super::session::Session;
use super::solve::{Questions, Reply};
use super::strategy::{Picker, View, picker};
use super::tree::{Arm, ArmId, NodeId, Tree};
use footpath_transform::theory::Theory;

/// Concrete runs without anything new after which that phase ends.
const PATIENCE: u32 = 200;
/// Statements and jumps of the concrete phase, all runs together.
const CONCRETE_STEPS: u64 = 20_000_000;
/// How many inputs that covered something are kept to be changed.
const POOL: usize = 64;
/// Runs, and statements and jumps of all of them, that are spent on simpler inputs for a test that fails.
const MINIMISE_FAILING: (u32, u64) = (1_000, 500_000);
/// The same for a test that returns.
const MINIMISE_PASSING: (u32, u64) = (200, 200_000);
/// How often progress is told, in runs.
const PROGRESS: u64 = 64;

/// Explores; see [`super::explore`].
pub(super) fn explore(
    program: &Program,
    root: ProcId,
    body: u32,
    options: &Options,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
) -> Result<Exploration, ExploreError> {
    let started = Instant::now();
    let solver = open_solver(options)?;
    let interrupter = solver.interrupter();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Solvers are deaf while they work; this is who wakes them.
        scope.spawn(|| watch(&interrupter, stop, &done));
        let result = explore_with(program, (root, body), options, solver, stop, events, started);
        done.store(true, Ordering::Relaxed);
        result
    })
}

fn watch(interrupter: &Interrupter, stop: &AtomicBool, done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        if stop.load(Ordering::Relaxed) {
            interrupter.interrupt();
        }
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

fn open_solver(options: &Options) -> Result<Box<dyn Solver>, ExploreError> {
    let failed = |e: footpath_smt::OpenError| ExploreError::Solver(e.to_string());
    let spec = SolverSpec::parse(&options.solver).map_err(failed)?;
    let settings = footpath_smt::Options {
        profile: footpath_smt::Profile::default(),
        timeout: options.bounds.query,
        seed: (options.seed != 0).then_some(options.seed as u32),
        memory: None,
        dump: options.dump_smt.clone(),
        cross_check: None,
    };
    footpath_smt::open(&spec, &settings).map_err(failed)
}

fn explore_with(
    program: &Program,
    root: (ProcId, u32),
    options: &Options,
    solver: Box<dyn Solver>,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
    started: Instant,
) -> Result<Exploration, ExploreError> {
    let theory = Theory::new(program);
    let interpreter = Interpreter::new(program);
    let mut terms = Terms::layer(program.terms.clone());
    let (bodies, contracts) = compile::reachable(program, root);
    let goals = Goals::collect(program, root, &bodies, &options.goals_in);
    let code = compile::compile(program, &theory, &mut terms, &bodies, &contracts, &goals);
    let mut roots = compile::all_roots(program, &bodies, &contracts);
    roots = theory.expand(&mut terms, &roots);
    let relevant = theory.relevant(&mut terms, &roots);
    let definitions: FxHashMap<FuncId, usize> = program
        .functions
        .iter()
        .enumerate()
        .filter(|(_, f)| f.body.is_some())
        .map(|(i, f)| (f.id, i))
        .collect();
    let mut evaluated: Vec<TermId> = code.generals.iter().map(|g| g.term).collect();
    evaluated.extend(program.functions.iter().filter_map(|f| f.body));
    evaluated.extend(program.axioms.iter().map(|a| a.condition));
    let large = large_terms(&terms, &evaluated);
    let closed = closed_functions(program, &definitions);
    let everything = [&roots[..], &relevant.formulas].concat();
    let polymorphic = live::polymorphic(&terms, &everything);
    let open = !relevant.formulas.is_empty() || polymorphic || has_open_operators(&terms, &roots);
    let asker = if open {
        Asker::Live(Box::new(Live::new(solver, &terms, relevant.formulas, polymorphic)))
    } else {
        Asker::Questions(Box::new(Questions::new(solver)))
    };
    let setup = Setup {
        code: &code,
        interpreter: &interpreter,
        bounds: &options.bounds,
        axioms: &relevant.axioms,
        goals: goals.list.len(),
        large: &large,
        definitions: &definitions,
        closed: &closed,
        stop,
        deadline: options.bounds.time.map(|t| started + t),
        symbolic: true,
        interrupts: options.bounds.interrupts > 0,
    };
    let covered = vec![false; goals.list.len()];
    let mut notes = Vec::new();
    let session = match &options.session {
        Some(_) if open => {
            notes.push("the exploration is not kept: runs depend on axioms or functions".to_owned());
            None
        }
        Some(kept) => Some(Session::open(kept, program, &mut terms, root).map_err(ExploreError::Invalid)?),
        None => None,
    };
    let mut search = Search {
        program,
        root,
        options,
        setup,
        terms,
        inputs: Inputs::default(),
        asker,
        tree: Tree::default(),
        picker: picker(options.strategy, options.seed),
        goals,
        covered,
        returned: 0,
        tests: Vec::new(),
        failed: FxHashSet::default(),
        annotated: compile::is_annotated(program, &bodies),
        paths: FxHashSet::default(),
        urgent: Vec::new(),
        interrupted: FxHashMap::default(),
        runs: Vec::new(),
        hits: Hits::default(),
        statistics: Statistics::default(),
        notes,
        session,
        doubtful: false,
        from_model: false,
        stop,
        deadline: options.bounds.time.map(|t| started + t),
        events,
    };
    events(Event::Started(search.goals.list.len()));
    search.run()?;
    events(Event::Finished);
    Ok(search.finish(started))
}

/// The functions whose definitions mention nothing that is an input.
fn closed_functions(program: &Program, definitions: &FxHashMap<FuncId, usize>) -> FxHashSet<FuncId> {
    let terms: &Terms = &program.terms;
    let mut closed: FxHashSet<FuncId> = definitions.keys().copied().collect();
    loop {
        let before = closed.len();
        let list: Vec<FuncId> = closed.iter().copied().collect();
        for f in list {
            let function = &program.functions[definitions[&f]];
            let Some(body) = function.body else { continue };
            let open = terms.free_symbols(&[body]).iter().any(|s| !function.params.contains(s))
                || terms.post_order(&[body]).into_iter().any(|t| match terms.term(t).op {
                    Op::Apply(g) => match terms.function(g).kind {
                        FuncKind::Uninterpreted => !closed.contains(&g),
                        FuncKind::Builtin(_) | FuncKind::Selector { .. } => true,
                        _ => false,
                    },
                    _ => is_open(terms, t),
                });
            if open {
                closed.remove(&f);
            }
        }
        if closed.len() == before {
            return closed;
        }
    }
}

fn has_open_operators(terms: &Terms, roots: &[TermId]) -> bool {
    terms.post_order(roots).into_iter().any(|t| is_open(terms, t))
}

/// Who is asked.
enum Asker {
    Questions(Box<Questions>),
    Live(Box<Live>),
}

/// See the module.
struct Search<'a> {
    program: &'a Program,
    root: (ProcId, u32),
    options: &'a Options,
    setup: Setup<'a>,
    terms: Terms,
    inputs: Inputs,
    asker: Asker,
    tree: Tree,
    picker: Box<dyn Picker>,
    goals: Goals,
    covered: Vec<bool>,
    /// Goals that a run returned from.
    returned: usize,
    tests: Vec<ConcolicTest>,
    /// Where runs failed, with the calls that were open.
    failed: FxHashSet<(Origin, Vec<Origin>)>,
    /// Whether some assertion was proved under a premise.
    annotated: bool,
    /// The paths of all runs, with their ends.
    paths: FxHashSet<(PathHash, Option<Origin>)>,
    /// Arms that meet the preference of a run that was interrupted.
    urgent: Vec<ArmId>,
    /// The runs that were interrupted, by the arm they would have taken.
    interrupted: FxHashMap<ArmId, u32>,
    /// The inputs of the runs with shadows.
    runs: Vec<Rc<Script>>,
    hits: Hits,
    statistics: Statistics,
    notes: Vec<String>,
    session: Option<Session>,
    /// Something was given up, so nothing is claimed about what was not found.
    doubtful: bool,
    /// Whether the run under way has its values from a model of the axioms.
    from_model: bool,
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    events: &'a (dyn Fn(Event) + Sync),
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), ExploreError> {
        if !self.first()? {
            return Ok(());
        }
        let resumed = self.resume()?;
        if matches!(self.asker, Asker::Questions(_)) && !resumed {
            self.concrete()?;
        }
        while !self.is_over() {
            let Some(arm) = self.next() else { break };
            self.try_arm(arm)?;
            if self.statistics.runs.is_multiple_of(PROGRESS) {
                self.tell();
            }
        }
        self.tell();
        Ok(())
    }

    fn tell(&self) {
        let solver_time = match &self.asker {
            Asker::Questions(questions) => questions.solver.statistics().time,
            Asker::Live(live) => live.solver.statistics().time,
        };
        (self.events)(Event::Progress {
            runs: self.statistics.runs,
            paths: self.statistics.paths,
            goals: self.goals.list.len(),
            solver_time,
            covered: self.score(),
            frontier: self.tree.open(),
        });
    }

    fn score(&self) -> usize {
        self.covered.iter().filter(|c| **c).count()
    }

    /// Whether the search should end; bounds that end it are counted.
    fn is_over(&mut self) -> bool {
        if self.options.stop_when_covered && self.covered.iter().all(|&c| c) {
            return true;
        }
        if self.stop.load(Ordering::Relaxed) {
            self.doubtful = true;
            return true;
        }
        let bounds = &self.options.bounds;
        let late = self.deadline.is_some_and(|d| Instant::now() >= d);
        for (bound, hit) in [
            (Bound::Runs, self.statistics.runs >= bounds.runs),
            (Bound::Nodes, self.tree.nodes.len() >= bounds.nodes),
            (Bound::Terms, self.terms.len() >= bounds.terms),
            (Bound::Time, late),
        ] {
            if hit && self.tree.open() > 0 {
                self.hits.hit(bound);
                return true;
            }
        }
        false
    }

    // ---- runs ----

    /// The first run; whether there is one.
    fn first(&mut self) -> Result<bool, ExploreError> {
        let limit = self.options.bounds.query;
        if let Asker::Live(live) = &mut self.asker {
            match live.ask(&mut self.terms, &[], limit) {
                LiveReply::Refuted => {
                    self.notes.push("no run can start: the axioms contradict each other".to_owned());
                    return Ok(false);
                }
                LiveReply::Unknown(why) => self.give_up(&why),
                LiveReply::Model => {
                    self.run_model(Vec::new(), Vec::new())?;
                    return Ok(true);
                }
            }
        }
        self.run_script(&Script::default())?;
        Ok(true)
    }

    /// Makes the runs of an earlier exploration again; whether there were any.
    fn resume(&mut self) -> Result<bool, ExploreError> {
        let runs = self.session.as_mut().map(|s| std::mem::take(&mut s.runs)).unwrap_or_default();
        let mut session = self.session.take();
        for script in &runs {
            if self.is_over() {
                break;
            }
            self.statistics.resumed_runs += 1;
            self.run_script(script)?;
        }
        std::mem::swap(&mut self.session, &mut session);
        Ok(!runs.is_empty())
    }

    /// Ends the session if it cannot be written any more.
    fn saved(&mut self, written: std::io::Result<()>) {
        if let Err(e) = written {
            self.session = None;
            self.note(format!("the exploration is not kept any further: {e}"));
        }
    }

    fn execute(&mut self, source: &mut dyn Source, symbolic: bool) -> RunResult {
        let setup = Setup { symbolic, ..self.setup };
        let Search { terms, inputs, hits, tree, .. } = self;
        Machine::new(&setup, terms, inputs, source, hits, tree).run()
    }

    /// Runs on a script, with shadows.
    fn run_script(&mut self, script: &Script) -> Result<(), ExploreError> {
        let started = Instant::now();
        self.from_model = false;
        let result = self.execute(&mut Scripted::new(script), true);
        self.statistics.run_time += started.elapsed();
        self.take(&result)
    }

    /// Runs on the model that the live solver has.
    fn run_model(&mut self, choices: Vec<usize>, bodies: Vec<usize>) -> Result<(), ExploreError> {
        let Search { setup, terms, inputs, asker, hits, tree, .. } = self;
        let Asker::Live(live) = asker else { return Ok(()) };
        let started = Instant::now();
        self.from_model = true;
        let mut source = FromModel { live, choices, bodies, at: (0, 0) };
        let result = Machine::new(setup, terms, inputs, &mut source, hits, tree).run();
        self.statistics.run_time += started.elapsed();
        self.take(&result)
    }

    /// Adds a run to the tree, and to the tests if it is worth it.
    fn take(&mut self, result: &RunResult) -> Result<(), ExploreError> {
        self.statistics.runs += 1;
        self.statistics.steps += result.steps;
        self.statistics.run_steps += result.steps;
        let number = self.runs.len() as u32;
        let script = Rc::new(result.script.clone());
        self.runs.push(Rc::clone(&script));
        if let Asker::Questions(questions) = &mut self.asker {
            questions.remember(script);
        }
        self.doubtful |= result.truncated;
        let added = self.tree.add(number, &result.decisions, result.interrupted);
        let added = added.map_err(ExploreError::Internal)?;
        let is_new = added.new_path || result.interrupted;
        // With runs left to be made again this is the first run, which the log has.
        if let Some(session) = self.session.as_mut().filter(|s| is_new && s.runs.is_empty()) {
            let written = session.run(&result.script, &self.terms);
            self.saved(written);
        }
        let new_path = self.classify(result);
        self.statistics.paths += u64::from(new_path);
        if result.interrupted {
            self.interrupt(number);
        }
        for &goal in &result.reached {
            self.goals.list[goal as usize].visited = true;
        }
        let before = self.score();
        self.consider(result, added.new_path)?;
        let gain = self.score() - before;
        let view =
            View { tree: &self.tree, code: self.setup.code, covered: &self.covered, score: before + gain };
        self.picker.added(&view, &added.arms, gain);
        Ok(())
    }

    /// Counts a run. Whether it took a path that is new.
    fn classify(&mut self, result: &RunResult) -> bool {
        let end = match &result.outcome {
            Outcome::Failed { at, .. } | Outcome::Blocked { at } | Outcome::Stuck { at, .. } => Some(*at),
            Outcome::Returned | Outcome::OutOfSteps => None,
        };
        let classes = &mut self.statistics.classes;
        if result.interrupted {
            classes.interrupted += 1;
            return false;
        }
        if !self.paths.insert((result.path, end)) {
            classes.duplicate += 1;
            return false;
        }
        match &result.outcome {
            Outcome::Returned if self.annotated && !result.unverified => classes.redundant += 1,
            Outcome::Returned => classes.successful += 1,
            Outcome::Failed { .. } => classes.failing += 1,
            Outcome::Blocked { .. } => classes.aborted += 1,
            Outcome::Stuck { why, .. } => {
                classes.unfinished += 1;
                self.doubtful = true;
                self.note(format!("a run could not be evaluated to its end: {why}"));
            }
            Outcome::OutOfSteps => {
                classes.unfinished += 1;
                self.doubtful = true;
            }
        }
        true
    }

    /// A run was interrupted: its preference comes next, and the run again when that cannot be met any more.
    fn interrupt(&mut self, run: u32) {
        let node = self.tree.nodes.len() as NodeId - 1;
        self.urgent.push(ArmId { node, arm: 1 });
        self.interrupted.insert(ArmId { node, arm: 0 }, run);
        self.setup.interrupts = self.statistics.classes.interrupted < self.options.bounds.interrupts;
    }

    fn note(&mut self, note: String) {
        if self.notes.len() < 20 && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The goals that a run covers.
    fn covers(&self, result: &RunResult) -> Option<(Vec<usize>, TestClass)> {
        let mut covers: Vec<usize> = result.reached.iter().map(|&g| g as usize).collect();
        match &result.outcome {
            Outcome::Returned => Some((covers, TestClass::Successful)),
            Outcome::Failed { at, .. } => {
                covers.extend(self.goals.at(*at).map(|g| g as usize));
                covers.sort_unstable();
                covers.dedup();
                Some((covers, TestClass::Failing))
            }
            Outcome::OutOfSteps if self.options.endless && !result.interrupted => {
                Some((covers, TestClass::Endless))
            }
            _ => None,
        }
    }

    /// Whether a run shows something new.
    fn is_news(&self, result: &RunResult) -> bool {
        let Some((covers, class)) = self.covers(result) else { return false };
        let unreturned = |g: &usize| self.goals.list[*g].returned_by.is_none();
        covers.iter().any(|&g| !self.covered[g])
            || class == TestClass::Successful && covers.iter().any(unreturned)
            || matches!(&result.outcome, Outcome::Failed { at, .. }
                if !self.failed.contains(&(*at, result.callers.clone())))
    }

    /// Makes a test of a run if it is worth one.
    fn consider(&mut self, result: &RunResult, new_path: bool) -> Result<(), ExploreError> {
        let wanted = self.is_news(result) || self.options.keep == Keep::All && new_path;
        if cfg!(debug_assertions) && matches!(result.outcome, Outcome::Blocked { .. }) {
            self.replay(result)?;
        }
        if !wanted {
            return Ok(());
        }
        let simpler = self.minimised(result);
        let result = simpler.as_ref().unwrap_or(result);
        let Some((covers, class)) = self.covers(result) else { return Ok(()) };
        if !self.replay(result)? {
            return Ok(());
        }
        let number = self.tests.len();
        for &g in &covers {
            let goal = &mut self.goals.list[g];
            goal.covered_by.get_or_insert(number);
            self.covered[g] = true;
            if class == TestClass::Successful && goal.returned_by.is_none() {
                goal.returned_by = Some(number);
                self.returned += 1;
            }
        }
        if let Outcome::Failed { at, .. } = result.outcome {
            self.failed.insert((at, result.callers.clone()));
        }
        let conditions = if self.options.keep == Keep::All { self.path(result) } else { Vec::new() };
        self.tests.push(ConcolicTest {
            script: result.script.clone(),
            outcome: result.outcome.clone(),
            covers,
            class,
            decisions: result.decisions.len(),
            conditions,
        });
        (self.events)(Event::Test(number));
        Ok(())
    }

    /// A run on simpler inputs that shows all that is new in a run. Not where inputs have to satisfy axioms, nor where
    /// a test stands for its path.
    fn minimised(&mut self, result: &RunResult) -> Option<RunResult> {
        let ended = matches!(result.outcome, Outcome::Returned | Outcome::Failed { .. });
        if !ended || self.options.keep == Keep::All || matches!(self.asker, Asker::Live(_)) {
            return None;
        }
        let failing = result.outcome != Outcome::Returned;
        let (mut runs, mut steps) = if failing { MINIMISE_FAILING } else { MINIMISE_PASSING };
        let is_new = |g: &&u32| {
            !self.covered[**g as usize] || !failing && self.goals.list[**g as usize].returned_by.is_none()
        };
        let news: Vec<u32> = result.reached.iter().filter(is_new).copied().collect();
        // What a candidate exceeds says nothing about the paths that are looked for.
        let hits = self.hits.clone();
        let mut simplest = None;
        minimise(&result.script, &mut |candidate| {
            if runs == 0 || steps == 0 || self.stop.load(Ordering::Relaxed) {
                return false;
            }
            runs -= 1;
            let run = self.execute(&mut Scripted::new(candidate), false);
            steps = steps.saturating_sub(run.steps);
            let same = run.outcome == result.outcome
                && run.callers == result.callers
                && news.iter().all(|g| run.reached.binary_search(g).is_ok());
            if same {
                simplest = Some(run);
            }
            same
        });
        self.hits = hits;
        simplest
    }

    /// The conditions under which a run takes its path. Free choices have none.
    fn path(&mut self, result: &RunResult) -> Vec<TermId> {
        let decided = result.decisions.iter().filter_map(|d| d.term.map(|term| (term, d.taken)));
        decided.map(|(term, arm)| if arm == 1 { term } else { self.terms.app(Op::Not, [term]) }).collect()
    }

    /// Lets the reference interpreter make the same run. Whether it could.
    fn replay(&mut self, result: &RunResult) -> Result<bool, ExploreError> {
        if !self.options.replay {
            self.doubtful = true;
            return Ok(true);
        }
        let bounds = &self.options.bounds;
        let limits =
            Limits { steps: bounds.steps.saturating_mul(2), calls: bounds.calls, ..Limits::default() };
        let mut oracle = Replay::new(&result.script);
        let (root, body) = self.root;
        let run = self.setup.interpreter.run_under(root, body, &mut oracle, &limits, self.setup.axioms);
        match &run.outcome {
            Outcome::Stuck { why, .. } => {
                self.doubtful = true;
                self.note(format!("a test was found but could not be replayed: {why}"));
                return Ok(false);
            }
            Outcome::OutOfSteps if result.outcome != Outcome::OutOfSteps => {
                self.doubtful = true;
                self.note("a test was found but its replay takes too many steps".to_owned());
                return Ok(false);
            }
            _ => {}
        }
        if !self.from_model && !run.unchecked_axioms.is_empty() {
            self.doubtful = true;
            self.note(
                "a run was made, but whether its inputs satisfy the axioms cannot be evaluated".to_owned(),
            );
            return Ok(false);
        }
        let mut path = PathHash::default();
        // Of a run without an end both know a beginning.
        let endless = result.outcome == Outcome::OutOfSteps;
        for step in &run.path {
            if endless && path.length() == result.path.length() {
                break;
            }
            let first = self.setup.code.first_blocks.get(&(step.procedure, step.body));
            path.add(first.copied().unwrap_or(u32::MAX / 2) + step.block.0, step.depth);
        }
        if endless && path.length() < result.path.length() {
            return Ok(false);
        }
        if run.outcome != result.outcome && !endless || path != result.path {
            return Err(ExploreError::Internal(format!(
                "a test of {} ends in {:?}, and in {:?} when the reference interpreter runs it (paths {:?}, {path:?})",
                self.program[root].name, result.outcome, run.outcome, result.path,
            )));
        }
        Ok(true)
    }

    // ---- the concrete phase ----

    fn concrete(&mut self) -> Result<(), ExploreError> {
        let mut oracle = RandomOracle::new(self.program, self.options.seed);
        let mut dice = Dice::new(self.options.seed);
        let mut pool: Vec<Script> = Vec::new();
        let (mut idle, mut steps) = (0, 0);
        for i in 0..self.options.random_runs {
            let all = self.covered.iter().all(|&c| c);
            if idle >= PATIENCE || steps >= CONCRETE_STEPS || all || self.is_over() {
                break;
            }
            let base = if i % 2 == 1 { pool.get(dice.below(pool.len())).cloned() } else { None };
            let mut source = Drawn::new(&mut oracle, &mut dice, base.as_ref());
            // What a drawn run exceeds says nothing about the paths that are looked for.
            let hits = self.hits.clone();
            let result = self.execute(&mut source, false);
            self.hits = hits;
            oracle.take_script();
            self.statistics.concrete_runs += 1;
            self.statistics.steps += result.steps;
            steps += result.steps;
            idle += 1;
            if self.is_news(&result) {
                idle = 0;
                if pool.len() < POOL {
                    pool.push(result.script.clone());
                }
                self.run_script(&result.script)?;
            }
        }
        Ok(())
    }

    // ---- arms ----

    fn next(&mut self) -> Option<ArmId> {
        let score = self.score();
        let released = std::mem::take(&mut self.tree.released);
        if !released.is_empty() {
            let view = View { tree: &self.tree, code: self.setup.code, covered: &self.covered, score };
            self.picker.added(&view, &released, 0);
        }
        while let Some(arm) = self.urgent.pop() {
            if self.tree.arm(arm) == Arm::Open {
                return Some(arm);
            }
        }
        let view = View { tree: &self.tree, code: self.setup.code, covered: &self.covered, score };
        if let Some(arm) = self.picker.next(&view) {
            return Some(arm);
        }
        // What is left are arms that had no answer, and what the strategy did not like.
        while let Some(arm) = self.tree.deferred.pop() {
            if matches!(self.tree.arm(arm), Arm::Deferred(_)) {
                return Some(arm);
            }
        }
        if self.tree.nodes.first().is_none_or(|n| n.open == 0) {
            return None;
        }
        let view = View { tree: &self.tree, code: self.setup.code, covered: &self.covered, score };
        picker(super::Strategy::RandomPath, self.options.seed).next(&view)
    }

    fn try_arm(&mut self, arm: ArmId) -> Result<(), ExploreError> {
        let tries = match self.tree.arm(arm) {
            Arm::Deferred(tries) => tries,
            _ => 0,
        };
        if self.session.as_ref().is_some_and(|s| s.is_refuted(&self.tree, arm)) {
            self.statistics.resumed_proofs += 1;
            self.tree.set(arm, Arm::Refuted);
            return Ok(());
        }
        let again = self.interrupted.remove(&arm).filter(|_| matches!(self.asker, Asker::Questions(_)));
        if let Some(run) = again {
            let script = Rc::clone(&self.runs[run as usize]);
            self.run_script(&script)?;
            if matches!(self.tree.arm(arm), Arm::Taken(_)) {
                return Ok(());
            }
        }
        let bounds = &self.options.bounds;
        let factor = bounds.patience.saturating_pow(u32::from(tries)).max(1);
        let left = self.deadline.map(|d| d.saturating_duration_since(Instant::now()));
        let limit = bounds.query.map(|q| q.saturating_mul(factor));
        let limit = match (limit, left) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let (conditions, choices, bodies) = self.conditions(arm);
        self.statistics.asked += 1;
        let witness = Rc::clone(&self.runs[self.tree.node(arm.node).run as usize]);
        let answer = match &mut self.asker {
            Asker::Questions(questions) => {
                let decided = self.tree.node(arm.node).term.is_none();
                let asked: &[TermId] = if decided { &[] } else { &conditions };
                let reply = questions.ask(&mut self.terms, &self.inputs, asked, &witness, limit);
                match reply {
                    Reply::Inputs(mut script) => {
                        follow(&mut script.choices, &choices);
                        follow(&mut script.bodies, &bodies);
                        self.run_script(&script)?;
                        None
                    }
                    Reply::Refuted => Some(Ok(())),
                    Reply::Unknown(why) => Some(Err(why)),
                }
            }
            Asker::Live(live) => match live.ask(&mut self.terms, &conditions, limit) {
                LiveReply::Model => {
                    self.run_model(choices, bodies)?;
                    None
                }
                LiveReply::Refuted => Some(Ok(())),
                LiveReply::Unknown(why) => Some(Err(why)),
            },
        };
        match answer {
            Some(Ok(())) => {
                self.tree.set(arm, Arm::Refuted);
                if let Some(session) = &mut self.session {
                    let written = session.refute(&self.tree, arm);
                    self.saved(written);
                }
            }
            Some(Err(why)) => self.unanswered(arm, tries, &why),
            None if !matches!(self.tree.arm(arm), Arm::Taken(_)) => {
                self.statistics.diverged += 1;
                self.doubtful = true;
                self.tree.set(arm, Arm::Lost);
            }
            None => {}
        }
        Ok(())
    }

    fn unanswered(&mut self, arm: ArmId, tries: u8, why: &Unknown) {
        let again = matches!(why, Unknown::Timeout | Unknown::Memory) && tries < self.options.bounds.retries;
        if matches!(why, Unknown::Timeout) {
            self.hits.hit(Bound::Query);
        }
        if again {
            self.tree.set(arm, Arm::Deferred(tries + 1));
        } else {
            self.tree.set(arm, Arm::Lost);
            self.give_up(why);
        }
    }

    fn give_up(&mut self, why: &Unknown) {
        self.doubtful = true;
        if *why != Unknown::Interrupted {
            self.note(format!("a branch was left out: {why}"));
        }
    }

    /// The conditions on the way to an arm and its own, with the free choices there.
    fn conditions(&mut self, arm: ArmId) -> (Vec<TermId>, Vec<usize>, Vec<usize>) {
        let (mut conditions, mut choices, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
        for (node, arm) in self.tree.path(arm) {
            let node = self.tree.node(node);
            match (node.kind, node.term) {
                (DecisionKind::Choice, _) => choices.push(arm as usize),
                (DecisionKind::Body, _) => bodies.push(arm as usize),
                (_, Some(term)) if arm == 1 => conditions.push(term),
                (_, Some(term)) => conditions.push(self.terms.app(Op::Not, [term])),
                _ => {}
            }
        }
        (conditions, choices, bodies)
    }

    // ---- the end ----

    fn finish(mut self, started: Instant) -> Exploration {
        let solver = match &self.asker {
            Asker::Questions(questions) => {
                self.statistics.model_hits = questions.model_hits;
                self.statistics.core_hits = questions.core_hits;
                questions.solver.statistics()
            }
            Asker::Live(live) => live.solver.statistics(),
        };
        let open = self.tree.open();
        let statistics = &mut self.statistics;
        statistics.queries = solver.queries;
        statistics.sat = solver.sat;
        statistics.unsat = solver.unsat;
        statistics.unknown = solver.unknown;
        statistics.solver_time = solver.time;
        statistics.nodes = self.tree.nodes.len();
        statistics.frontier = open;
        statistics.total_time = started.elapsed();
        // A question that took too long either came to an answer later, or its arm is lost.
        let harmless = [Bound::Query, Bound::Interrupts];
        let bounded = self.hits.iter().any(|(bound, hits)| hits > 0 && !harmless.contains(&bound));
        let exhausted = open == 0 && self.tree.lost == 0 && !self.doubtful && !bounded;
        Exploration {
            tests: self.tests,
            goals: self.goals.list,
            exhausted,
            bounds_hit: self.hits,
            statistics: self.statistics,
            notes: self.notes,
            axioms: self.setup.axioms.to_vec(),
            terms: self.terms,
        }
    }
}

/// Makes a list of choices start with those of a path.
fn follow(list: &mut Vec<usize>, path: &[usize]) {
    list.truncate(path.len());
    for (i, &choice) in path.iter().enumerate() {
        match list.get_mut(i) {
            Some(place) => *place = choice,
            None => list.push(choice),
        }
    }
}
