//! The search loop of concolic testing: runs, solver queries and tests.
//!
//! 1. The program is compiled; a first run is made, on default inputs or, where axioms matter, on a model of them.
//! 2. Concrete runs on random inputs cover what is easy (`search/concrete.rs`, `input_mutation.rs`); those that cover
//!    something new are repeated with symbolic values.
//! 3. Inputs are changed until branches take their other arm (`search/descent.rs`).
//! 4. The strategy chooses an open arm, the solver is asked about it, and its model is the input of the next run;
//!    until nothing is open, everything is covered, or a bound is hit. Arms without an answer are tried again with
//!    more time.
//!
//! `search/test_selection.rs` decides which runs become tests; arms that add nothing are pruned by
//! `search/subsumption.rs`, and by a guide's necessary conditions in `search/guide.rs`.
//!
//! **Direction of error.** None intended: nothing is claimed about goals without a test unless every arm was taken or
//! refuted and no bound was hit.

mod concrete;
mod descent;
mod guide;
mod solvers;
mod subsumption;
mod test_selection;

pub use guide::{Guidance, Guide};

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_ir::interp::{Outcome, Script};
use footpath_ir::{Origin, ProcId, Program};
use footpath_parallel::{TICK, with_clock};
use footpath_smt::{Interrupter, Profile, Solver, Unknown};
use footpath_term::{FuncId, Op, TermId, Terms};
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Helpers;
use super::cfg_distance::BlocksAway;
use super::code::Code;
use super::decisions::DecisionKind;
use super::execution_tree::{Arm, ArmId, NodeId, Tree};
use super::external_calls::{GUESSES, Natives};
use super::goals::Goals;
use super::inputs::{Inputs, Scripted, Source};
use super::machine::{Machine, PathHash, RunResult, Setup};
use super::model_oracle::{FromModel, Live, LiveReply};
use super::options::{Bound, Hits, Options, Strategy};
use super::prepared::{Open, Prepared, Reachable};
use super::report::{ConcolicTest, Event, Exploration, ExploreError, Goal, Statistics};
use super::session::Session;
use super::snapshot::{On, Snapshots};
use super::solve::{Questions, Reply};
use super::strategy::{Picker, Ran, View, picker};
use descent::Descent;
use guide::Guided;
use solvers::{lock, open_solver};

/// How often progress is told, in runs.
const PROGRESS: u64 = 64;

/// Explores; see [`super::explore`].
pub(super) fn explore(
    program: &Program,
    root: (ProcId, u32),
    options: &Options,
    helpers: Helpers<'_>,
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
) -> Result<Exploration, ExploreError> {
    let started = Instant::now();
    let solver = open_solver(options, Profile::Decide)?;
    let interrupters = Mutex::new(vec![solver.interrupter()]);
    // Solvers are deaf while they work; this is who wakes them.
    let wake = || {
        if stop.load(Ordering::Relaxed) {
            lock(&interrupters).iter().for_each(Interrupter::interrupt);
        }
    };
    with_clock(TICK, &wake, || {
        explore_with(program, root, options, (solver, &interrupters, helpers), stop, events, started)
    })
}

fn explore_with(
    program: &Program,
    root: (ProcId, u32),
    options: &Options,
    (solver, interrupters, helpers): (Box<dyn Solver>, &Mutex<Vec<Interrupter>>, Helpers<'_>),
    stop: &AtomicBool,
    events: &(dyn Fn(Event) + Sync),
    started: Instant,
) -> Result<Exploration, ExploreError> {
    let own = OnceCell::new();
    let given = helpers.prepared.filter(|p| std::ptr::eq(p.program(), program));
    let prepared = given.unwrap_or_else(|| own.get_or_init(|| Prepared::new(program)));
    let mut terms = Terms::layer(program.terms.clone());
    let reachable = Reachable::from(prepared, root);
    let goals = Goals::collect(program, root, &reachable.bodies, &options.goals_in, &options.ruled_out);
    let code = Code::new(
        prepared,
        &reachable,
        Rc::clone(&goals.by_place),
        options.bounds.iterations.is_some(),
        &terms,
    );
    let relevant = reachable.relevant(prepared, &mut terms);
    let natives = helpers.natives;
    let native: FxHashSet<FuncId> =
        program.functions.iter().map(|f| f.id).filter(|&f| natives.is_some_and(|n| n.has(f))).collect();
    let mut closed = prepared.closed.clone();
    closed.extend(&native);
    let polymorphic =
        reachable.polymorphic(prepared) || footpath_smt::is_polymorphic(&terms, &relevant.formulas);
    let determined = relevant.formulas.is_empty() && !polymorphic;
    let free = reachable.open(prepared, &native);
    let open = !determined || free != Open::Nothing;
    let constrained = !determined || free == Open::Other;
    let asker = if open {
        let mentioned = polymorphic.then(|| reachable.mentions(prepared, &mut terms));
        Asker::Live(Box::new(Live::new(solver, &terms, relevant.formulas, mentioned)))
    } else {
        let open = |profile| {
            let solver = open_solver(options, profile).ok()?;
            lock(interrupters).push(solver.interrupter());
            Some(solver)
        };
        let deadline = options.bounds.time.map(Deadline::after);
        let over = move || stop.load(Ordering::Relaxed) || deadline.is_some_and(Deadline::is_over);
        Asker::Questions(Box::new(Questions::new(solver, Box::new(open), Box::new(over))))
    };
    let setup = Setup {
        code: &code,
        interpreter: prepared.interpreter(),
        bounds: &options.bounds,
        axioms: &relevant.axioms,
        goals: goals.list.len(),
        definitions: &prepared.definitions,
        closed: &closed,
        natives,
        stop,
        deadline: options.bounds.time.map(Deadline::after),
        symbolic: true,
        // What runs besides has a state of its own.
        repeats: options.repeats.filter(|_| natives.is_none()),
        interrupts: options.bounds.interrupts > 0,
    };
    let covered = vec![false; goals.list.len()];
    let mut notes = Vec::new();
    let session = match &options.session {
        Some(_) if open => {
            notes.push(
                "the exploration is not saved: runs depend on axioms or on functions without a definition"
                    .to_owned(),
            );
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
        picker: picker(options.strategy, options.seed, options.unverified_first),
        descent: Descent::new(code.sites),
        blocks_away: BlocksAway::default(),
        constrained,
        guide: helpers.guide,
        guided: Guided::default(),
        goals,
        covered,
        returned: 0,
        tests: Vec::new(),
        failed: FxHashSet::default(),
        annotated: code.annotated,
        paths: FxHashSet::default(),
        ways: FxHashSet::default(),
        urgent: Vec::new(),
        interrupted: FxHashMap::default(),
        runs: Vec::new(),
        snapshots: Snapshots::default(),
        hits: Hits::default(),
        statistics: Statistics::default(),
        notes,
        session,
        doubtful: false,
        from_model: false,
        stop,
        deadline: options.bounds.time.map(Deadline::after),
        events,
    };
    events(Event::Started(search.goals.list.len()));
    search.run()?;
    events(Event::Finished);
    Ok(search.finish(started))
}

/// Why no run leads to an arm: it was refuted, or the solver gave up.
type Answer = Result<(), Unknown>;

/// The solver interface that is used: queries, or a live model.
enum Asker<'a> {
    Questions(Box<Questions<'a>>),
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
    asker: Asker<'a>,
    tree: Tree,
    picker: Box<dyn Picker>,
    descent: Descent,
    blocks_away: BlocksAway,
    /// Whether inputs have to satisfy axioms, or what runs decide on depends on functions: then they come from the
    /// solver only.
    constrained: bool,
    guide: Option<&'a (dyn Guide + Sync)>,
    guided: Guided,
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
    /// The paths of all runs to checks that were not proved under a premise that held.
    ways: FxHashSet<PathHash>,
    /// The arms that meet the preferences of interrupted runs.
    urgent: Vec<ArmId>,
    /// The runs that were interrupted, by the arm they would have taken.
    interrupted: FxHashMap<ArmId, u32>,
    /// The inputs of the runs with symbolic values.
    runs: Vec<Rc<Script>>,
    /// States that runs begin with.
    snapshots: Snapshots,
    hits: Hits,
    statistics: Statistics,
    notes: Vec<String>,
    session: Option<Session>,
    /// Whether something was given up, so that nothing is claimed about what was not found.
    doubtful: bool,
    /// Whether the run under way has its values from a model of the axioms.
    from_model: bool,
    stop: &'a AtomicBool,
    deadline: Option<Deadline>,
    events: &'a (dyn Fn(Event) + Sync),
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), ExploreError> {
        if !self.first()? {
            return Ok(());
        }
        let resumed = self.resume()?;
        for script in &self.options.seeds {
            if self.is_over() {
                break;
            }
            self.run_script(script)?;
        }
        if !self.constrained && !resumed {
            if self.options.seeds.is_empty() {
                self.concrete()?;
            }
            if self.descends() {
                self.descend()?;
            }
        }
        while !self.is_over() {
            let Some(arm) = self.next() else { break };
            self.try_arm(arm)?;
            if self.descends() {
                self.descend_again()?;
            }
            self.consult()?;
            if self.statistics.runs.is_multiple_of(PROGRESS) {
                self.tell();
            }
        }
        self.tell();
        Ok(())
    }

    fn tell(&self) {
        let solver_time = match &self.asker {
            Asker::Questions(questions) => questions.statistics().time,
            Asker::Live(live) => live.solver.statistics().time,
        };
        (self.events)(Event::Progress {
            runs: self.statistics.runs,
            paths: self.statistics.paths,
            goals: self.goals.list.len(),
            solver_time,
            covered: self.score(),
            only_checks: self
                .settled()
                .iter()
                .zip(&self.goals.list)
                .all(|(settled, goal)| *settled || goal.is_check),
            frontier: self.tree.open(),
        });
    }

    fn score(&self) -> usize {
        self.covered.iter().filter(|c| **c).count()
    }

    /// The goals that are not looked for any more: those that are covered, those that were ruled out, and, if
    /// guidance prunes runs, those that a run has reached.
    fn settled(&self) -> Vec<bool> {
        let prunes = self.options.prunes;
        let is_settled = |goal: &Goal| goal.ruled_out || prunes && goal.visited;
        let goals = self.covered.iter().zip(&self.goals.list);
        goals.map(|(&covered, goal)| covered || is_settled(goal)).collect()
    }

    /// Whether all goals are covered that can be.
    fn is_done(&self) -> bool {
        self.covered.iter().zip(&self.goals.list).all(|(&covered, goal)| covered || goal.ruled_out)
    }

    /// Whether the search should end; bounds that end it are counted.
    fn is_over(&mut self) -> bool {
        if self.options.stop_when_covered && self.is_done() {
            return true;
        }
        if self.stop.load(Ordering::Relaxed) {
            self.doubtful = true;
            return true;
        }
        let bounds = &self.options.bounds;
        let late = self.deadline.is_some_and(Deadline::is_over);
        for (bound, hit) in [
            // Interrupted runs come again, and there are few of them.
            (Bound::Runs, self.statistics.runs - self.statistics.classes.interrupted >= bounds.runs),
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
        self.run_script(&self.options.start)?;
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

    /// Ends the session if its log cannot be written any more.
    fn saved(&mut self, written: std::io::Result<()>) {
        if let Err(e) = written {
            self.session = None;
            self.note(format!("the exploration is no longer saved: {e}"));
        }
    }

    fn execute(&mut self, source: &mut dyn Source, symbolic: bool) -> RunResult {
        let setup = Setup { symbolic, ..self.setup };
        let (watched, merges) = (self.uses_distances(), symbolic && self.merges());
        let stretch = self.stretch().filter(|_| symbolic);
        let Search { terms, inputs, hits, tree, descent, covered, .. } = self;
        let watch = watched.then_some(&descent.watch);
        let machine = Machine::new(&setup, terms, inputs, source, hits, tree, watch);
        let machine = machine.merging(merges.then_some(&covered[..]));
        machine.recording(stretch).run()
    }

    /// Runs on a script, from the last state on the way that is kept.
    fn execute_script(&mut self, script: &Script, symbolic: bool) -> RunResult {
        if let Some(stretch) = self.stretch()
            && let Some(result) = self.execute_from(script, symbolic, stretch)
        {
            return result;
        }
        self.execute(&mut Scripted::new(script), symbolic)
    }

    /// Steps between the states that are kept. None are where inputs have to satisfy axioms, as they come from the
    /// solver while a run goes on.
    fn stretch(&self) -> Option<u64> {
        self.options.snapshots.filter(|_| matches!(self.asker, Asker::Questions(_)))
    }

    fn execute_from(&mut self, script: &Script, symbolic: bool, stretch: u64) -> Option<RunResult> {
        let setup = Setup { symbolic, ..self.setup };
        let (watched, merges) = (self.uses_distances(), symbolic && self.merges());
        let Search { terms, inputs, hits, tree, descent, covered, snapshots, statistics, .. } = self;
        let on = On { terms, inputs, interpreter: setup.interpreter, script };
        let arm = snapshots.find(tree, on)?;
        let (kept, evaluator) = snapshots.at(arm)?;
        let watch = watched.then_some(&descent.watch);
        let mut source = Scripted::new(script);
        let machine = Machine::new(&setup, terms, inputs, &mut source, hits, tree, watch);
        let machine = machine.merging(merges.then_some(&covered[..]));
        let (machine, pc) = machine.resume((kept, stretch), evaluator, script)?;
        statistics.snapshot_runs += 1;
        statistics.snapshot_steps += kept.steps();
        Some(machine.run_from(pc))
    }

    /// Runs on a script, with symbolic values.
    fn run_script(&mut self, script: &Script) -> Result<(), ExploreError> {
        let started = Instant::now();
        self.from_model = false;
        let result = self.execute_script(script, true);
        self.statistics.run_time += started.elapsed();
        self.take(result)
    }

    /// Runs on the model that the live solver has.
    fn run_model(&mut self, choices: Vec<usize>, bodies: Vec<usize>) -> Result<(), ExploreError> {
        let (watched, merges) = (self.uses_distances(), self.merges());
        let Search { setup, terms, inputs, asker, hits, tree, descent, covered, .. } = self;
        let Asker::Live(live) = asker else { return Ok(()) };
        let watch = watched.then_some(&descent.watch);
        let started = Instant::now();
        self.from_model = true;
        let mut source = FromModel { live, choices, bodies, at: (0, 0) };
        let machine = Machine::new(setup, terms, inputs, &mut source, hits, tree, watch);
        let result = machine.merging(merges.then_some(&covered[..])).run();
        self.statistics.run_time += started.elapsed();
        self.take(result)
    }

    /// Adds a run to the tree, and to the tests if it shows something new.
    fn take(&mut self, mut result: RunResult) -> Result<(), ExploreError> {
        self.statistics.runs += 1;
        self.statistics.steps += result.steps;
        self.statistics.run_steps += result.steps;
        let number = self.runs.len() as u32;
        let script = Rc::new(result.script.clone());
        self.runs.push(Rc::clone(&script));
        self.approach(&result, &script);
        if let Asker::Questions(questions) = &mut self.asker {
            questions.remember(script);
        }
        self.doubtful |= result.truncated && !result.is_cut || self.asks_natives(&result);
        let added = self.tree.add(number, &result.decisions, result.interrupted);
        let added = added.map_err(ExploreError::Internal)?;
        self.snapshots.keep(&self.terms, std::mem::take(&mut result.snapshots), &added.nodes);
        let result = &result;
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
        // A run that does not end shows nothing, and what branches off from it is like it.
        let is_endless = matches!(result.outcome, Outcome::OutOfSteps | Outcome::Stuck { .. });
        let met = if is_endless && !result.interrupted { &[][..] } else { &result.unverified };
        let new_ways = met.iter().filter(|met| self.ways.insert(met.way)).count();
        let ran = Ran { distances: &result.distances, unverified: met, new_ways, is_endless };
        self.with_view(&ran, |picker, view| picker.added(view, &added.arms, gain));
        Ok(())
    }

    /// Handles an interrupted run: the arm that meets its preference is next, and the run is repeated when the
    /// preference can no longer be met.
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

    // ---- arms ----

    fn next(&mut self) -> Option<ArmId> {
        let released = std::mem::take(&mut self.tree.released);
        let nothing = Default::default();
        let unknown = Ran { distances: &nothing, unverified: &[], new_ways: 0, is_endless: false };
        if !released.is_empty() {
            self.with_view(&unknown, |picker, view| picker.added(view, &released, 0));
        }
        while let Some(arm) = self.urgent.pop() {
            if self.tree.arm(arm) == Arm::Open {
                return Some(arm);
            }
        }
        if let Some(arm) = self.with_view(&unknown, |picker, view| picker.next(view)) {
            return Some(arm);
        }
        // The remaining arms are those without an answer, and those that the strategy does not choose.
        while let Some(arm) = self.tree.deferred.pop() {
            if matches!(self.tree.arm(arm), Arm::Deferred(_)) {
                return Some(arm);
            }
        }
        if self.tree.nodes.first().is_none_or(|n| n.open == 0) {
            return None;
        }
        let seed = self.options.seed;
        self.with_view(&unknown, |_, view| picker(Strategy::RandomPath, seed, false).next(view))
    }

    /// Calls the strategy with a view of the search.
    fn with_view<T>(&mut self, ran: &Ran<'_>, ask: impl FnOnce(&mut dyn Picker, &View<'_>) -> T) -> T {
        let score = self.score();
        let code = self.setup.code;
        let covered = &self.settled()[..];
        let Search { tree, picker, descent, blocks_away, goals, .. } = self;
        let blocks = blocks_away.get(code, &goals.list, covered);
        let view = View { tree, code, covered, score, blocks, ran, watch: &descent.watch };
        ask(&mut **picker, &view)
    }

    fn try_arm(&mut self, arm: ArmId) -> Result<(), ExploreError> {
        let tries = match self.tree.arm(arm) {
            Arm::Deferred(tries) => tries,
            _ => 0,
        };
        if self.adds_nothing(arm) {
            self.statistics.subsumed += 1;
            self.tree.set(arm, Arm::Closed);
            return Ok(());
        }
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
        let left = self.deadline.map(Deadline::left);
        let limit = bounds.query.map(|q| q.saturating_mul(factor));
        let limit = match (limit, left) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        if !self.guided.is_idle() && self.leads_nowhere(arm) {
            return Ok(());
        }
        let mut guesses = GUESSES;
        let answer = loop {
            let known = self.samples();
            let answer = self.ask(arm, limit)?;
            let missed = answer.is_none() && !matches!(self.tree.arm(arm), Arm::Taken(_));
            // The run has seen a function give something else than the solver guessed.
            let learned = self.samples() > known;
            if !missed || !learned || guesses == 0 || self.is_over() {
                break answer;
            }
            guesses -= 1;
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

    /// Asks for inputs that lead to an arm, and makes a run on them; returns the answer if there are none.
    fn ask(&mut self, arm: ArmId, limit: Option<Duration>) -> Result<Option<Answer>, ExploreError> {
        let (conditions, choices, bodies) = self.conditions(arm);
        self.statistics.asked += 1;
        let witness = Rc::clone(&self.runs[self.tree.node(arm.node).run as usize]);
        match &mut self.asker {
            Asker::Questions(questions) => {
                let decided = self.tree.node(arm.node).term.is_none();
                let asked: &[TermId] = if decided { &[] } else { &conditions };
                let natives = self.setup.natives;
                match questions.ask(&mut self.terms, &self.inputs, asked, &witness, limit, natives) {
                    Reply::Inputs(mut script) => {
                        follow(&mut script.choices, &choices);
                        follow(&mut script.bodies, &bodies);
                        self.run_script(&script)?;
                        Ok(None)
                    }
                    Reply::Refuted => Ok(Some(Ok(()))),
                    Reply::Unknown(why) => Ok(Some(Err(why))),
                }
            }
            Asker::Live(live) => {
                match live.ask_natives(&mut self.terms, &conditions, limit, self.setup.natives) {
                    LiveReply::Model => {
                        self.run_model(choices, bodies)?;
                        Ok(None)
                    }
                    LiveReply::Refuted => Ok(Some(Ok(()))),
                    LiveReply::Unknown(why) => Ok(Some(Err(why))),
                }
            }
        }
    }

    /// How many samples are known.
    fn samples(&self) -> usize {
        self.setup.natives.map_or(0, Natives::count)
    }

    /// Whether a run asked for such a result.
    fn asks_natives(&self, result: &RunResult) -> bool {
        let is_native = |op: &Op| matches!(op, Op::Apply(f) if self.setup.natives.is_some_and(|n| n.has(*f)));
        result.script.functions.keys().any(|(op, ..)| is_native(op))
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
            self.note(format!("a branch was not explored: {why}"));
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
                self.statistics.quick_models = questions.quick_models;
                self.statistics.quick_proofs = questions.quick_proofs;
                questions.statistics()
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
        // A query that took too long was either answered later, or its arm is lost.
        let harmless = [Bound::Query, Bound::Interrupts];
        let counts = |(bound, hits): &(Bound, u64)| *hits > 0 && !harmless.contains(bound);
        let bounded: Vec<Bound> = self.hits.iter().filter(counts).map(|(bound, _)| bound).collect();
        let is_done = open == 0 && self.tree.lost == 0 && !self.doubtful;
        Exploration {
            tests: self.tests,
            goals: self.goals.list,
            exhausted: is_done && bounded.is_empty(),
            exhausted_within_iterations: is_done && bounded == [Bound::Iterations],
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
