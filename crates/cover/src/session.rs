//! The session of a procedure: incremental solving of its formula, its objectives and its tests.
//!
//! The algorithms (`statement.rs`, `path.rs`, …) only choose the next query. A session asks it, within the time that
//! is left; turns each model into a test, which the reference interpreter replays before it counts; and records which
//! goals are decided. A model that covers more than what was asked for covers all of it.
//!
//! **Direction of error.** A query without an answer decides nothing: its goals stay open or become unknown.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_ir::interp::Interpreter;
use footpath_ir::source::Span;
use footpath_ir::{BlockId, Origin, Place, ProcId, Program, TerminatorKind};
use footpath_smt::{
    Answer, Completeness, DEFAULT_INSTANCES, Monomorphic, Profile, Solver, Unknown, is_polymorphic,
    monomorphize, weaken,
};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};
use footpath_transform::{LoneBranches, LoopFree, What};
use rustc_hash::{FxHashMap, FxHashSet};

use super::callee_summaries::{Demand, Leaf, Summarised};
use super::portfolio::Board;
use super::procedure::Context;
use super::quantified::{self, Quantified, UNDECIDED};
use super::random_runs::Spares;
use super::replay::{self, Replayed};
use super::report::{CoverStatistics, ObjectiveKind, Test};
use super::{CoverError, CoverOptions, Encoding, Solvers};
use crate::vc::{self, Vc};
use footpath_ir::analysis::dominators::dominators;
use footpath_transform::theory::Theory;
use footpath_verdict::{Code, Reason};
use footpath_virtual_time::Deadline;

/// The status of an objective during the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// Not decided.
    Open,
    /// A test covers it.
    Covered,
    /// No run of the loop-free procedure covers it.
    Infeasible,
    /// The search gave up on it.
    Unknown(Reason),
}

/// An objective during the search.
#[derive(Debug)]
pub(super) struct Goal {
    pub(super) name: String,
    pub(super) kind: ObjectiveKind,
    pub(super) origin: Origin,
    pub(super) span: Span,
    /// The blocks of the loop-free body that are copies of it.
    pub(super) blocks: Vec<BlockId>,
    /// A symbol or literal that is true in a model whose run covers it.
    pub(super) covered: TermId,
    pub(super) status: Status,
    /// Whether it is known that no run within the bound reaches it, returning or not.
    pub(super) unreachable: bool,
    pub(super) tests: Vec<usize>,
}

/// The reason why nothing is claimed to be infeasible where a type is unknown.
const NARROWED: &str =
    "no run was found, but an unknown type was assumed to differ from all others, which may be wrong";

/// Why nothing is claimed to be infeasible where a summary is not complete.
const UNEXPLORED: &str = "no run was found, but the summary of a callee lacks some of its paths";

/// The least time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(20);

fn narrowed_proof() -> Answer {
    Answer::Unknown(Unknown::Incomplete(NARROWED.to_owned()))
}

/// See the module.
pub(super) struct Session<'a> {
    pub(super) program: &'a Program,
    pub(super) procedure: ProcId,
    pub(super) options: &'a CoverOptions,
    pub(super) theory: &'a Theory<'a>,
    pub(super) unit: LoopFree,
    pub(super) terms: Terms,
    pub(super) vc: Vc,
    pub(super) solver: Box<dyn Solver>,
    pub(super) goals: Vec<Goal>,
    pub(super) tests: Vec<Test>,
    /// Runs that covered nothing new, but may replace several tests.
    pub(super) spares: Spares,
    pub(super) statistics: CoverStatistics,
    pub(super) notes: Vec<String>,
    /// Literals that restrict a query to runs within the bound.
    pub(super) standing: Vec<TermId>,
    pub(super) interpreter: &'a Interpreter<'a>,
    solvers: &'a Solvers<'a>,
    /// The leaves of the stand-ins for callees.
    pub(super) leaves: FxHashMap<(ProcId, u32), Leaf>,
    /// The blocks that are open leaves. Queries are about runs that pass none of them, unless stated otherwise.
    opens: Vec<BlockId>,
    /// Open leaves where callees must be explored further before something can be claimed.
    pub(super) demands: Vec<Demand>,
    /// Whether the formula depends on axioms or functions without a body.
    pub(super) uses_axioms: bool,
    /// The axioms that it depends on, by position.
    pub(super) axioms: Vec<usize>,
    /// Whether a model promises nothing: the solver lacks a part of the formula that it cannot express, or there are
    /// quantifiers and maps by formulas in it.
    pub(super) incomplete: bool,
    /// How the formula was rewritten for the solver, if it had type variables or polymorphic maps.
    pub(super) monomorphic: Option<Monomorphic>,
    /// The additional state if the formula has quantifiers.
    pub(super) quantified: Option<Quantified>,
    /// Whether every run within the bound returns, by the form of the formula alone.
    every_run_returns: bool,
    goals_by_block: FxHashMap<BlockId, Vec<usize>>,
    pub(super) clock: Clock,
    stop: &'a AtomicBool,
    /// The number of threads for the procedure.
    pub(super) threads: usize,
    progress: &'a dyn Fn(usize),
    dominators: OnceCell<Rc<[Option<BlockId>]>>,
    /// The time of the last progress report.
    reported: Option<Instant>,
    /// The board on which parallel searches publish what they decide.
    pub(super) board: Option<Arc<Board>>,
    /// The number of entries of the board that were read.
    pub(super) heard: usize,
}

/// The time of a procedure, which its sessions share.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    started: Instant,
    deadline: Option<Deadline>,
}

impl Clock {
    /// Begins now.
    pub(super) fn start(limit: Option<Duration>) -> Clock {
        Clock { started: Instant::now(), deadline: limit.map(Deadline::after) }
    }
}

impl<'a> Session<'a> {
    /// Encodes the procedure and opens a solver on it.
    pub(super) fn open(
        context: &Context<'a>,
        mut unit: LoopFree,
        clock: Clock,
        progress: &'a dyn Fn(usize),
    ) -> Result<Session<'a>, CoverError> {
        let Context { program, options, theory, interpreter, solvers, stop, threads, .. } = *context;
        let procedure = unit.procedure;
        let mut terms = std::mem::replace(&mut unit.terms, Terms::new());
        let old = program.old_symbols();
        let mut standing = Vec::new();
        let vc = match options.encoding {
            Encoding::Merged => vc::merged::encode(&unit, &mut terms, &old),
            Encoding::Paper => {
                let paper = vc::paper::encode(&unit, &mut terms, &old);
                standing.push(terms.app(Op::Not, [paper.cut_allowed]));
                paper.vc
            }
        };
        let solver = context.solvers.open(&program[procedure].name, Profile::Decide)?;
        let statistics = CoverStatistics {
            blocks: unit.body.blocks.len(),
            unwind: options.unwind,
            ..CoverStatistics::default()
        };
        let mut session = Session {
            program,
            procedure,
            options,
            theory,
            notes: unit.notes.clone(),
            unit,
            terms,
            vc,
            solver,
            goals: Vec::new(),
            tests: Vec::new(),
            spares: Spares::default(),
            statistics,
            standing,
            interpreter,
            solvers,
            leaves: FxHashMap::default(),
            opens: Vec::new(),
            demands: Vec::new(),
            uses_axioms: false,
            axioms: Vec::new(),
            incomplete: false,
            monomorphic: None,
            quantified: None,
            every_run_returns: false,
            goals_by_block: FxHashMap::default(),
            clock,
            stop,
            threads,
            progress,
            dominators: OnceCell::new(),
            reported: None,
            board: None,
            heard: 0,
        };
        session.make_goals();
        // When everything ends early, the procedures that were not begun are many; nothing is asked about them.
        if !session.is_over() {
            session.assert_all()?;
        }
        Ok(session)
    }

    /// Opens a session on a procedure whose callees are summarised.
    pub(super) fn open_summarised(
        context: &Context<'a>,
        summarised: Summarised,
        clock: Clock,
        progress: &'a dyn Fn(usize),
    ) -> Result<Session<'a>, CoverError> {
        let mut session = Session::open(context, summarised.unit, clock, progress)?;
        session.statistics.summaries = Some(summarised.counts);
        session.leaves = summarised.leaves;
        session.every_run_returns &= session.leaves.is_empty();
        for b in session.unit.body.block_ids() {
            if let Some(Leaf::Open(_)) = session.leaf(b) {
                let reach = session.vc.reach[b.index()];
                let avoided = session.terms.app(Op::Not, [reach]);
                session.standing.push(avoided);
                session.opens.push(b);
            }
        }
        Ok(session)
    }

    /// The leaf of a stand-in that a block represents.
    pub(super) fn leaf(&self, b: BlockId) -> Option<&Leaf> {
        let origin = self.unit.body[b].origin;
        match origin.place {
            Place::Summary { node } => self.leaves.get(&(origin.procedure, node)),
            _ => None,
        }
    }

    /// Whether a callee was not explored completely.
    pub(super) fn has_open_leaves(&self) -> bool {
        !self.opens.is_empty()
    }

    /// The tests and statistics with which a later session on the same procedure continues.
    pub(super) fn suspend(mut self) -> (Vec<Test>, CoverStatistics) {
        self.close();
        (self.tests, self.statistics)
    }

    /// Continues an earlier session on the same procedure.
    pub(super) fn resume(&mut self, (tests, earlier): (Vec<Test>, CoverStatistics)) {
        for test in tests {
            let covers = test.covers.clone();
            self.add_test(test, covers);
        }
        self.add(&earlier);
        if let (Some(now), Some(before)) = (&mut self.statistics.summaries, earlier.summaries) {
            // What the earlier sessions had computed is now there already.
            now.computed += before.computed;
            now.reused = before.reused;
        }
    }

    /// Adds the statistics of another session on the same procedure.
    pub(super) fn add(&mut self, other: &CoverStatistics) {
        let s = &mut self.statistics;
        s.queries += other.queries;
        s.sat += other.sat;
        s.unsat += other.unsat;
        s.unknown += other.unknown;
        s.solver_time += other.solver_time;
        s.runs += other.runs;
    }

    /// The context for a further session on the same procedure, with one thread.
    pub(super) fn context(&self) -> Context<'a> {
        Context {
            program: self.program,
            options: self.options,
            theory: self.theory,
            interpreter: self.interpreter,
            solvers: self.solvers,
            callees: None,
            stop: self.stop,
            threads: 1,
            events: &|_| (),
        }
    }

    /// Freezes the current terms, so that other sessions can have layers on them.
    pub(super) fn freeze(&mut self) -> Arc<Terms> {
        let base = Arc::new(std::mem::replace(&mut self.terms, Terms::new()));
        self.terms = Terms::layer(Arc::clone(&base));
        base
    }

    fn make_goals(&mut self) {
        let mut by_origin: FxHashMap<Origin, Vec<BlockId>> = FxHashMap::default();
        for b in self.unit.body.block_ids() {
            by_origin.entry(self.unit.body[b].origin).or_default().push(b);
        }
        let exit =
            vc::exit_block(&self.unit).map_or_else(|| self.terms.bool(false), |b| self.vc.reach[b.index()]);
        self.every_run_returns =
            self.options.encoding == Encoding::Merged && self.terms.as_bool(exit) == Some(true);
        let mut lone = LoneBranches::of(self.program);
        for listed in footpath_transform::objectives(self.program, self.procedure, self.unit.body_index) {
            let kind = match listed.what {
                What::Statements => ObjectiveKind::Statement,
                What::Failure(kind) => ObjectiveKind::Failure(kind),
                What::Edge if lone.contains(listed.origin) => ObjectiveKind::Branch,
                // Nothing of the source stands there.
                What::Continuation | What::Edge | What::Return => continue,
            };
            let blocks = by_origin.get(&listed.origin).cloned().unwrap_or_default();
            let reach: Vec<TermId> = blocks.iter().map(|b| self.vc.reach[b.index()]).collect();
            let passed = self.terms.app(Op::Or, reach);
            let covered = match kind {
                ObjectiveKind::Failure(_) => passed,
                ObjectiveKind::Statement | ObjectiveKind::Branch => self.terms.app(Op::And, [passed, exit]),
            };
            let covered = self.vc.name(&mut self.terms, format!("C_{}", listed.name), covered);
            let status = match self.terms.as_bool(covered) {
                Some(false) => Status::Infeasible,
                _ => Status::Open,
            };
            let index = self.goals.len();
            for &b in &blocks {
                self.goals_by_block.entry(b).or_default().push(index);
            }
            self.goals.push(Goal {
                name: listed.name.to_string(),
                kind,
                origin: listed.origin,
                span: listed.span,
                blocks,
                covered,
                status,
                unreachable: false,
                tests: Vec::new(),
            });
        }
    }

    fn assert_all(&mut self) -> Result<(), CoverError> {
        let expanded = self.theory.expand(&mut self.terms, &self.vc.constraints);
        let relevant = self.theory.relevant(&mut self.terms, &expanded);
        self.uses_axioms = !relevant.formulas.is_empty();
        self.axioms = relevant.axioms;
        let mut roots = expanded;
        roots.extend(relevant.formulas);
        let mut for_proofs = None;
        if is_polymorphic(&self.terms, &roots) {
            match monomorphize(&mut self.terms, &roots, DEFAULT_INSTANCES) {
                Ok(mut made) => {
                    let narrowed = made.narrowed;
                    let rewritten = std::mem::take(&mut made.roots);
                    if narrowed && let Ok(weaker) = weaken(&mut self.terms, &roots, DEFAULT_INSTANCES) {
                        for_proofs = Some(weaker);
                    }
                    roots = rewritten;
                    self.monomorphic = Some(made);
                }
                // What cannot be rewritten is told to the solver as it is, which will say what it cannot express.
                Err(unsupported) => self.give_up(&unsupported.to_string()),
            }
        }
        // Z3 evaluates maps by formulas and quantifiers in its models wrongly now and then.
        self.incomplete |= quantified::has_binders(&self.terms, &roots);
        self.quantified = None;
        if for_proofs.is_some() || quantified::has_quantifiers(&self.terms, &roots) {
            self.open_quantified(&roots, for_proofs.as_ref())?;
        }
        for t in roots {
            if let Err(unsupported) = self.solver.assert(&self.terms, t) {
                self.give_up(&unsupported.to_string());
            }
        }
        Ok(())
    }

    /// Opens the refuter on `roots`, or on their monomorphic form for it.
    fn open_quantified(&mut self, roots: &[TermId], made: Option<&Monomorphic>) -> Result<(), CoverError> {
        let name = format!("{}-proofs", self.program[self.procedure].name);
        let mut refuter = self.solvers.open(&name, Profile::Refute)?;
        let conditions: Vec<TermId> = self.axioms.iter().map(|&i| self.program.axioms[i].condition).collect();
        let verifiable = made.is_none()
            && !quantified::has_quantifiers(&self.terms, &conditions)
            && !self.terms.post_order(roots).iter().any(|&t| self.terms.term(t).op == Op::Subtype);
        let narrowed = made.or(self.monomorphic.as_ref()).is_some_and(|m| m.narrowed);
        let names = self.vc.reach.iter().copied().chain(self.goals.iter().map(|g| g.covered)).collect();
        for &t in made.map_or(roots, |m| &m.roots) {
            let t = if verifiable { t } else { quantified::one_sided(&mut self.terms, t, &names) };
            // What is left out weakens the formula, and a proof stands.
            let _ = refuter.assert(&self.terms, t);
        }
        self.quantified = Some(Quantified::new(refuter, self.options, verifiable, narrowed));
        Ok(())
    }

    /// Makes all open goals unknown, as the solver does not support a part of the formula.
    fn give_up(&mut self, unsupported: &str) {
        self.incomplete = true;
        let why = Code::SolverUnsupported.with(unsupported);
        let note = why.to_string();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        for goal in self.goals.iter_mut().filter(|g| g.status == Status::Open) {
            goal.status = Status::Unknown(why.clone());
        }
    }

    /// A further solver for this procedure; `what` is the name of its purpose.
    pub(super) fn open_solver(&self, what: &str) -> Result<Box<dyn Solver>, CoverError> {
        self.open_for(what, Profile::Decide)
    }

    /// As [`Session::open_solver`], configured for one hard query.
    pub(super) fn open_hard(&self, what: &str) -> Result<Box<dyn Solver>, CoverError> {
        self.open_for(what, Profile::Hard)
    }

    /// As [`Session::open_solver`], configured for proofs only.
    pub(super) fn open_refuter(&self, what: &str) -> Result<Box<dyn Solver>, CoverError> {
        let profile = if self.quantified.is_some() { Profile::Refute } else { Profile::Decide };
        self.open_for(what, profile)
    }

    fn open_for(&self, what: &str, profile: Profile) -> Result<Box<dyn Solver>, CoverError> {
        self.solvers.open(&format!("{}-{what}", self.program[self.procedure].name), profile)
    }

    /// Switches to the merged encoding, whose `reach` does not demand that the run ends. The goals' `covered`
    /// literals must not be used any more.
    pub(super) fn use_merged_encoding(&mut self) -> Result<(), CoverError> {
        if self.options.encoding == Encoding::Merged {
            return Ok(());
        }
        self.count_statistics();
        self.vc = vc::merged::encode(&self.unit, &mut self.terms, &self.program.old_symbols());
        self.solver = self.open_solver("reach")?;
        self.standing.clear();
        self.assert_all()
    }

    /// The variables of the program that the formula mentions: those whose initial values matter.
    pub(super) fn inputs(&self) -> Vec<SymbolId> {
        let body = &self.unit.body;
        let variables = body.params.iter().chain(&body.results).chain(&body.locals).map(|v| v.symbol);
        let globals = self.program.globals.iter().map(|g| g.variable.symbol);
        let constants = self.program.constants.iter().map(|c| c.symbol);
        let known: FxHashSet<SymbolId> = variables.chain(globals).chain(constants).collect();
        // Where a variable alone decides, it stands for the reachability itself.
        let roots: Vec<TermId> = self.vc.constraints.iter().chain(&self.vc.reach).copied().collect();
        self.terms.free_symbols(&roots).into_iter().filter(|v| known.contains(v)).collect()
    }

    /// Adds a constraint; one that the solver cannot express makes every later answer unknown.
    pub(super) fn assert(&mut self, t: TermId) {
        let mut asserted = self.solver.assert(&self.terms, t);
        if let Some(quantified) = &mut self.quantified {
            asserted = asserted.and(quantified.refuter.assert(&self.terms, t));
        }
        if let Err(unsupported) = asserted {
            self.give_up(&unsupported.to_string());
        }
    }

    /// Asks whether there is a run within the bound under which all `assumptions` hold.
    pub(super) fn ask(&mut self, assumptions: &[TermId]) -> Answer {
        self.ask_within(assumptions, self.options.query_timeout)
    }

    /// As [`Session::ask`], with a time limit. Where callees are summarised, a contradiction counts if it does not
    /// depend on open leaves; otherwise further exploration of the callees is demanded.
    pub(super) fn ask_within(&mut self, assumptions: &[TermId], limit: Option<Duration>) -> Answer {
        let all = [assumptions, &self.standing].concat();
        let answer = self.ask_any(&all, limit);
        if !answer.is_unsat() || self.opens.is_empty() {
            return answer;
        }
        let core: FxHashSet<TermId> = self.solver.core().into_iter().collect();
        if !self.standing.iter().any(|t| core.contains(t)) {
            return answer;
        }
        match self.ask_any(assumptions, limit) {
            Answer::Sat => Answer::Unknown(Unknown::Incomplete(self.demand())),
            answer => answer,
        }
    }

    /// After a model of a run through open leaves: demands further exploration of the first of them. Returns why
    /// nothing is claimed before.
    fn demand(&mut self) -> String {
        let path = self.path();
        match replay::open_leaf(self, &path) {
            Some((demand, None)) => {
                if !self.demands.contains(&demand) {
                    self.demands.push(demand);
                }
                UNEXPLORED.to_owned()
            }
            Some((_, Some(why))) => why,
            None => UNEXPLORED.to_owned(),
        }
    }

    /// Asks about runs that may also end at the bound. Where the formula has quantifiers, a proof is searched first,
    /// and then a model within the time for that.
    pub(super) fn ask_any(&mut self, assumptions: &[TermId], limit: Option<Duration>) -> Answer {
        if self.quantified.is_none() {
            return self.ask_for_model(assumptions, limit);
        }
        let refuted = self.ask_for_proof(assumptions, limit);
        if refuted.is_unsat() || refuted == Answer::Unknown(Unknown::Interrupted) {
            return refuted;
        }
        match self.ask_for_model(assumptions, limit) {
            Answer::Unknown(_) => refuted,
            answer => answer,
        }
    }

    /// Asks for a proof that the assumptions contradict the formula. Without quantifiers, this is the complete query.
    pub(super) fn ask_for_proof(&mut self, assumptions: &[TermId], limit: Option<Duration>) -> Answer {
        let limit = match self.limit(limit) {
            Ok(limit) => limit,
            Err(why) => return Answer::Unknown(why),
        };
        let Some(quantified) = &mut self.quantified else {
            return self.ask_for_model(assumptions, limit);
        };
        quantified.refuter.set_timeout(limit);
        match quantified.refuter.check(&self.terms, assumptions) {
            Answer::Unsat if quantified.narrowed => narrowed_proof(),
            // Its models are candidates, whatever it says.
            Answer::Sat | Answer::Unknown(Unknown::Incomplete(_)) => {
                Answer::Unknown(Unknown::Incomplete(UNDECIDED.to_owned()))
            }
            answer => answer,
        }
    }

    /// Asks the solver that may search for models; where the formula has quantifiers, within the time for that.
    pub(super) fn ask_for_model(&mut self, assumptions: &[TermId], limit: Option<Duration>) -> Answer {
        let mut limit = match self.limit(limit) {
            Ok(limit) => limit,
            Err(why) => return Answer::Unknown(why),
        };
        if let Some(quantified) = &self.quantified {
            match quantified.search.limit(limit) {
                Some(shorter) => limit = shorter,
                None => return Answer::Unknown(Unknown::Timeout),
            }
        }
        self.solver.set_timeout(limit);
        let asked = Instant::now();
        let answer = self.solver.check(&self.terms, assumptions);
        if let Some(quantified) = &mut self.quantified {
            quantified.search.learn(&answer, asked.elapsed());
        }
        match answer {
            Answer::Unsat if self.monomorphic.as_ref().is_some_and(|m| m.narrowed) => narrowed_proof(),
            answer => answer,
        }
    }

    /// The time limit of a query, or why it cannot be asked.
    fn limit(&self, limit: Option<Duration>) -> Result<Option<Duration>, Unknown> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Unknown::Interrupted);
        }
        match (limit, self.time_left()) {
            (_, Some(left)) if left.is_zero() => Err(Unknown::Timeout),
            (Some(a), Some(b)) => Ok(Some(a.min(b))),
            (a, b) => Ok(a.or(b)),
        }
    }

    /// The time since the procedure was started.
    pub(super) fn elapsed(&self) -> Duration {
        self.clock.started.elapsed()
    }

    /// Time left for the procedure.
    pub(super) fn time_left(&self) -> Option<Duration> {
        self.clock.deadline.map(Deadline::left)
    }

    /// Whether the search should end.
    pub(super) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.board.as_ref().is_some_and(|board| board.is_closed())
            || self.time_left().is_some_and(|t| t.is_zero())
    }

    /// The reason why the search ended early.
    pub(super) fn why_over(&self) -> Reason {
        let code = if self.stop.load(Ordering::Relaxed) { Code::Interrupted } else { Code::ProcedureTime };
        code.into()
    }

    /// Why a question that has no answer is open, and the flag that may help.
    pub(super) fn why_open(&self, why: &Unknown) -> Reason {
        if self.is_over() { self.why_over() } else { why.into() }
    }

    /// The immediate dominator of each block.
    pub(super) fn dominators(&self) -> Rc<[Option<BlockId>]> {
        Rc::clone(self.dominators.get_or_init(|| dominators(&self.unit.body).into()))
    }

    /// The numbers of the open goals.
    pub(super) fn open_goals(&self) -> Vec<usize> {
        (0..self.goals.len()).filter(|&i| self.goals[i].status == Status::Open).collect()
    }

    /// A fresh literal that demands `⋁ of`.
    pub(super) fn enabling(&mut self, of: &[TermId]) -> TermId {
        let literal = self.terms.fresh_var("enable", SortId::BOOL);
        let any = self.terms.app(Op::Or, of.to_vec());
        let clause = self.terms.app(Op::Implies, [literal, any]);
        self.assert(clause);
        literal
    }

    /// After a model: the blocks of its path, in order.
    pub(super) fn path(&mut self) -> Vec<BlockId> {
        let truths = self.solver.truths(&self.terms, &self.vc.reach);
        self.unit.body.block_ids().filter(|b| truths[b.index()] == Some(true)).collect()
    }

    /// After a model: makes a test of it and replays it. Returns how many open goals it covers. Goals on the model's
    /// path become unknown if it could not be replayed, so that a search always makes progress.
    pub(super) fn take_model(&mut self) -> Result<usize, CoverError> {
        let path = self.path();
        if let Some(Monomorphic { completeness: Completeness::Incomplete(why), .. }) = &self.monomorphic {
            let why = Code::AxiomInstances.with(why.to_string());
            let promised = self.promised(&path);
            self.settle(&promised, &Status::Unknown(why));
            return Ok(0);
        }
        match replay::replay_model(self, &path)? {
            Replayed::Confirmed(test) => {
                // Where callees are summarised, what counts is what the run did.
                let summarised = !self.leaves.is_empty();
                let covered = if summarised { test.covers.clone() } else { self.promised(&path) };
                Ok(self.add_test(test, covered))
            }
            Replayed::Inconclusive(reason) => {
                let promised = self.promised(&path);
                self.settle(&promised, &Status::Unknown(Code::ModelNotReplayed.with(reason)));
                Ok(0)
            }
        }
    }

    /// The goals that a run along `path` covers.
    pub(super) fn promised(&self, path: &[BlockId]) -> Vec<usize> {
        let returns = path.iter().any(|&b| self.unit.body[b].terminator.kind == TerminatorKind::Return);
        let mut promised: Vec<usize> = path
            .iter()
            .flat_map(|b| self.goals_by_block.get(b).into_iter().flatten().copied())
            .filter(|&i| returns || matches!(self.goals[i].kind, ObjectiveKind::Failure(_)))
            .collect();
        promised.sort_unstable();
        promised.dedup();
        promised
    }

    /// The goals that a block is a copy of.
    pub(super) fn goals_at(&self, b: BlockId) -> &[usize] {
        self.goals_by_block.get(&b).map_or(&[], Vec::as_slice)
    }

    /// Adds a confirmed test and what it covers; returns how many goals it is the first to cover.
    pub(super) fn add_test(&mut self, mut test: Test, covers: Vec<usize>) -> usize {
        let number = self.tests.len();
        let mut new = 0;
        test.covers = covers;
        for &i in &test.covers {
            let goal = &mut self.goals[i];
            goal.tests.push(number);
            // A goal given up earlier is covered all the same.
            if goal.status != Status::Covered {
                goal.status = Status::Covered;
                new += 1;
            }
        }
        if new > 0 {
            self.tell_of_test(&test);
            self.report_progress();
        }
        self.tests.push(test);
        new
    }

    /// Sets all open goals among `which`.
    pub(super) fn settle(&mut self, which: &[usize], status: &Status) {
        for &i in which {
            let goal = &mut self.goals[i];
            if goal.status == Status::Open {
                goal.status = status.clone();
                goal.unreachable |= *status == Status::Infeasible && self.every_run_returns;
            }
        }
        self.report_progress();
    }

    /// Reports how many goals are decided, at most once per [`REPORT_INTERVAL`].
    fn report_progress(&mut self) {
        if self.reported.is_none_or(|at| at.elapsed() >= REPORT_INTERVAL) {
            (self.progress)(self.goals.iter().filter(|g| g.status != Status::Open).count());
            self.reported = Some(Instant::now());
        }
    }

    /// Ends the session: its statistics are complete.
    pub(super) fn close(&mut self) {
        self.count_statistics();
        self.statistics.total_time = self.clock.started.elapsed();
    }

    fn count_statistics(&mut self) {
        let statistics = self.solver.statistics();
        self.count(&statistics);
        self.count_refutations();
    }

    fn count_refutations(&mut self) {
        if let Some(statistics) = self.quantified.as_ref().map(|q| q.refuter.statistics()) {
            self.count(&statistics);
        }
    }

    /// Adds the statistics of another solver for this procedure.
    pub(super) fn count(&mut self, s: &footpath_smt::Statistics) {
        self.statistics.queries += s.queries;
        self.statistics.sat += s.sat;
        self.statistics.unsat += s.unsat;
        self.statistics.unknown += s.unknown;
        self.statistics.solver_time += s.time;
    }
}
