//! Reachability of a target: a proof that no run reaches it for any number of loop iterations, or a test that does.
//!
//! **Idea.** The necessary condition φ̂ of the target is unfolded further and further: 2, 8, 16, 25, 50, …
//! iterations. Each time two queries are asked. If no loop may iterate more often, a model is a run, which is
//! replayed. Without that restriction, the absence of a model is a proof. A model of the second query says how often
//! each loop iterates, and the loops are unfolded just so far for the first query again. The form with quantifiers is
//! asked in parallel, for a proof only.
//!
//! Example: if the target needs 40 iterations of a loop, the unfolding to 2 iterations has no model that is a run,
//! but a model of the unrestricted query has κ = 40; with that unfolding the run is found.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Sections 7 and 8.
//!
//! **Deviations.**
//! 1. The paper unfolds once, 25 iterations, and takes a model of the weakened form for an input. Such a model may
//!    iterate a loop thousands of times where nothing says what happens then; so the bounded query comes first.
//! 2. A model is not the answer but a hint: its path is executed and solved for inputs, and the reference interpreter
//!    runs them.
//! 3. Calls are inlined. Where recursion is cut off, the cut is a target like the others for proofs; induction
//!    represents the procedure itself (`recursion.rs`).
//!
//! **Direction of error.** *Unreachable* rests on the summaries (`iterated_states.rs`, `iterated_arrays.rs`), which
//! the tests compare with runs, and on the solver.

mod induction;
mod necessary;
mod options;
mod runs;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_ir::interp::{Interpreter, Script};
use footpath_ir::{BlockId, Body, Origin, Place, ProcId, Program};
use footpath_parallel::{TICK, on_deep_stack, stack_size, with_clock};
use footpath_smt::{Answer, Interrupter, Profile, Solver, SolverSpec, open};
use footpath_term::{BinderKind, Op, Substitution, TermId, Terms};
use footpath_transform::inline::{Inlined, inline};
use footpath_transform::prepare::{Role, prepare};
use footpath_transform::state::State;
use footpath_transform::theory::Theory;
use footpath_transform::{Bounds, Standins};
use footpath_verdict::{Code, Reason};
use footpath_virtual_time::Deadline;

pub use induction::prove_by_induction;
pub use necessary::{Necessary, necessary};
pub use options::{Options, Say};

use runs::Guess;

use crate::backbone_tree::{Vertex, vertices};
use crate::backbones::{Explorer, GaveUp, Loss};
use crate::inductive::{Subject, may_be_reached};
use crate::quantified::quantified;
use crate::recursion::Folded;
use crate::replay::Test;
use crate::summary::Tree;
use crate::target::Spot;
use crate::unfold::{Limits, Unfolding, unfold};

/// How far each loop is unfolded, one after the other.
const UNFOLDINGS: [u64; 7] = [2, 8, 16, 25, 50, 100, 200];
/// The largest amount of time for a proof before the search for runs, its share of all time, and how far it unfolds.
const QUICK: Duration = Duration::from_secs(15);
const QUICK_SHARE: f64 = 0.25;
const QUICK_UNFOLD: u64 = 8;
/// How long the form with quantifiers is waited for then.
const QUICK_WAIT: Duration = Duration::from_secs(2);
/// The share of the time that is left for runs; the rest is for a proof again.
const RUNS_SHARE: f64 = 0.7;

/// The least time for a query that may take as long as another one took.
const LEAST: Duration = Duration::from_millis(250);

/// A longer condition, in operators, is not printed: a term may be exponentially smaller than its text.
const PRINTED: u64 = 50_000;

/// The share of the time for a proof that induction has.
const INDUCTION_SHARE: f64 = 0.65;

/// The verdict on a target.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No run reaches it, however often loops iterate.
    Unreachable,
    /// A run reaches it, as the reference interpreter or the caller's native execution has confirmed.
    Reached(Box<Test>),
    /// Nothing is claimed, for this reason.
    Unknown(Reason),
}

impl Verdict {
    /// The stable name, as it stands in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Unreachable => "unreachable",
            Verdict::Reached(_) => "reached",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The verdict.
    pub verdict: Verdict,
    /// The necessary condition in the program's terms, with quantifiers; `None` if it could not be built or is too
    /// long to be read.
    pub condition: Option<String>,
    /// The backbone tree, if it was wanted and there was time for it.
    pub tree: Option<Vec<Vertex>>,
    /// Variables whose value after a loop is not known as a function of the iterations: source name, the loop's
    /// range, and why.
    pub losses: Vec<(String, footpath_ir::source::Span, String)>,
    /// Whether induction ended without a proof before its time was up, so that more time does not help.
    pub no_induction: bool,
    /// Solver queries.
    pub queries: u64,
    /// The largest number of iterations that were unfolded.
    pub unfolded: u64,
    /// Time in all.
    pub time: Duration,
}

impl Reach {
    /// An answer that claims nothing, for this reason.
    pub fn unknown(why: impl Into<Reason>) -> Reach {
        Reach {
            verdict: Verdict::Unknown(why.into()),
            condition: None,
            tree: None,
            losses: Vec::new(),
            no_induction: false,
            queries: 0,
            unfolded: 0,
            time: Duration::ZERO,
        }
    }
}

/// Why there is no answer at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReachError {
    /// There is no such body, or no such target.
    Invalid(String),
    /// The solver could not be used.
    Solver(String),
    /// One of our own invariants broke.
    Internal(String),
}

impl fmt::Display for ReachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReachError::Invalid(what) => f.write_str(what),
            ReachError::Solver(why) => write!(f, "the solver could not be used: {why}"),
            ReachError::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl std::error::Error for ReachError {}

/// Asks whether runs of body number `body` of `procedure` reach `target`. `stop` ends it early.
///
/// # Errors
/// If there is no such body, no such solver, or if one of our own invariants broke.
pub fn reach(
    program: &Program,
    procedure: ProcId,
    body: u32,
    target: Spot,
    options: &Options,
    stop: &AtomicBool,
) -> Result<Reach, ReachError> {
    reach_natively(program, (procedure, body), target, options, None, stop)
}

/// Whether a test reaches its target.
pub type Native<'a> = &'a (dyn Fn(&Test) -> bool + Sync);

/// The same from the body `start`, where `native` is asked about tests that take the interpreter too long.
///
/// # Errors
/// As for [`reach`].
pub fn reach_natively(
    program: &Program,
    (procedure, body): (ProcId, u32),
    target: Spot,
    options: &Options,
    native: Option<Native<'_>>,
    stop: &AtomicBool,
) -> Result<Reach, ReachError> {
    if program.procedures.get(procedure.index()).is_none_or(|p| p.bodies.len() <= body as usize) {
        return Err(ReachError::Invalid("there is no such body".to_owned()));
    }
    let place = Place::Segment { block: target.block, first: 0 };
    let origin = Origin { procedure: target.procedure, body: target.body, place };
    let started = Instant::now();
    let start = (procedure, body);
    let share = options.timeout.map_or(QUICK, |t| t.mul_f64(QUICK_SHARE).min(QUICK));
    let quick = Options {
        timeout: Some(share),
        max_unfold: options.max_unfold.min(QUICK_UNFOLD),
        tests: false,
        ..options.clone()
    };
    let origins = vec![origin];
    if !options.tests {
        // All of the time is for one proof, as what it finds out on the way is not kept for another one.
        let (target, invariants) = (Some(target), true);
        let job = Job { program, start, origins, target, options, invariants, wait: None, native: None };
        return job.on_its_own_stack(stop);
    }
    let job = Job {
        program,
        start,
        origins: origins.clone(),
        target: Some(target),
        options: &quick,
        invariants: true,
        wait: Some(QUICK_WAIT),
        native: None,
    };
    let proof = if options.proofs { Some(job.on_its_own_stack(stop)?) } else { None };
    if let Some(proof) = &proof
        && matches!(proof.verdict, Verdict::Unreachable)
    {
        return Ok(proof.clone());
    }
    let timeout = options.timeout;
    let left = || timeout.map(|t| t.saturating_sub(started.elapsed()));
    let share = if options.proofs { RUNS_SHARE } else { 1.0 };
    let for_runs = &Options { timeout: left().map(|t| t.mul_f64(share)), ..options.clone() };
    let job = Job {
        program,
        start,
        origins: origins.clone(),
        target: Some(target),
        options: for_runs,
        invariants: false,
        wait: None,
        native,
    };
    let mut found = job.on_its_own_stack(stop)?;
    let Some(proof) = proof else { return Ok(found) };
    found.queries += proof.queries;
    found.no_induction = proof.no_induction;
    if matches!(found.verdict, Verdict::Unknown(_)) && left().is_none_or(|l| l > QUICK_WAIT) {
        // No run was found; so a proof is worth more time.
        let induction = quick.induction && !found.no_induction;
        let options = &Options { timeout: left(), induction, ..quick };
        let job = Job {
            program,
            start,
            origins,
            target: Some(target),
            options,
            invariants: true,
            wait: None,
            native: None,
        };
        let proof = job.on_its_own_stack(stop)?;
        found.queries += proof.queries;
        found.no_induction = proof.no_induction;
        found.unfolded = found.unfolded.max(proof.unfolded);
        if matches!(proof.verdict, Verdict::Unreachable) {
            found.verdict = proof.verdict;
        }
    }
    found.time = started.elapsed();
    Ok(found)
}

/// Whether no run of a body reaches a place, for any number of iterations: asks for a proof only. `None` if there is
/// none within the options' limits.
///
/// # Errors
/// As for [`reach`].
pub fn prove_unreachable(
    program: &Program,
    procedure: ProcId,
    body: u32,
    place: Origin,
    options: &Options,
    stop: &AtomicBool,
) -> Result<bool, ReachError> {
    let options = Options { tests: false, ..options.clone() };
    let (start, origins) = ((procedure, body), vec![place]);
    let options = &options;
    let job =
        Job { program, start, origins, target: None, options, invariants: true, wait: None, native: None };
    Ok(matches!(job.on_its_own_stack(stop)?.verdict, Verdict::Unreachable))
}

fn no_thread(error: &std::io::Error) -> ReachError {
    ReachError::Invalid(format!("no thread can be started: {error}"))
}

/// A query about a target.
struct Job<'p> {
    program: &'p Program,
    start: (ProcId, u32),
    /// The places that are to be reached.
    origins: Vec<Origin>,
    /// The block of the place, if there is only one; a test must pass it.
    target: Option<Spot>,
    options: &'p Options,
    /// Whether loops are searched for invariants, which is not worth the time if there is a run.
    invariants: bool,
    /// How long the form with quantifiers is waited for when nothing else is left to be done; as long as there is time
    /// without it.
    wait: Option<Duration>,
    /// Runs tests that take the interpreter too long.
    native: Option<Native<'p>>,
}

/// What the search works on.
struct Work<'a, 'p> {
    job: &'a Job<'p>,
    terms: Terms,
    theory: Theory<'p>,
    inlined: Inlined,
    initial: State,
    deadline: Option<Deadline>,
    stop: &'a AtomicBool,
    no_induction: bool,
    queries: u64,
    unfolded: u64,
    /// Why there is no answer yet.
    why: Reason,
    /// What was run natively.
    tried: Vec<Script>,
}

impl<'p> Job<'p> {
    /// Whether runs are looked for, and not only a proof.
    fn looks_for_runs(&self) -> bool {
        self.options.tests && self.target.is_some()
    }

    fn on_its_own_stack(&self, stop: &AtomicBool) -> Result<Reach, ReachError> {
        on_deep_stack(|| self.run(stop)).map_err(|e| no_thread(&e))?
    }

    fn solver(&self, profile: Profile) -> Result<Box<dyn Solver>, ReachError> {
        let parse = |text: &str| SolverSpec::parse(text).map_err(|e| ReachError::Solver(e.to_string()));
        let cross_check = self.options.cross_check.as_deref().map(parse).transpose()?;
        let options = footpath_smt::Options {
            profile,
            seed: Some(self.options.seed),
            dump: self.options.dump_smt.clone(),
            cross_check,
            ..footpath_smt::Options::default()
        };
        open(&parse(&self.options.solver)?, &options).map_err(|e| ReachError::Solver(e.to_string()))
    }

    fn work<'a>(&'a self, stop: &'a AtomicBool) -> Work<'a, 'p> {
        let mut terms = Terms::layer(self.program.terms.clone());
        let prepared = prepare(self.program, &mut terms, self.start.0, self.start.1, Role::Root);
        let (recursion, max_blocks) = (self.options.recursion, self.options.max_blocks);
        let bounds = Bounds { unwind: 0, recursion, max_blocks };
        let inlined = inline(self.program, &mut terms, self.start.0, prepared, bounds, &Standins::default());
        let initial = State::initial(&mut terms, &self.program.old_symbols());
        Work {
            job: self,
            terms,
            theory: Theory::new(self.program),
            inlined,
            initial,
            deadline: self.options.timeout.map(Deadline::after),
            stop,
            no_induction: !self.options.induction,
            queries: 0,
            unfolded: 0,
            why: Code::NoRunFound.into(),
            tried: Vec::new(),
        }
    }

    fn run(&self, stop: &AtomicBool) -> Result<Reach, ReachError> {
        let started = Instant::now();
        let mut work = self.work(stop);
        let mut losses = Vec::new();
        let mut shown = Shown::default();
        let verdict = work.search(&mut losses, &mut shown)?;
        // Each way to the target enters a loop by itself.
        let mut said = rustc_hash::FxHashSet::default();
        let mut named: Vec<_> = losses.iter().map(|loss| work.describe(loss)).collect();
        named.retain(|loss| said.insert(loss.clone()));
        let Work { no_induction, queries, unfolded, .. } = work;
        let time = started.elapsed();
        let Shown { condition, tree } = shown;
        Ok(Reach { verdict, condition, tree, losses: named, no_induction, queries, unfolded, time })
    }
}

/// What is shown of a target besides the verdict.
#[derive(Default)]
struct Shown {
    condition: Option<String>,
    tree: Option<Vec<Vertex>>,
}

impl Work<'_, '_> {
    fn describe(&self, loss: &Loss) -> (String, footpath_ir::source::Span, String) {
        let name = match loss.variable {
            Some(symbol) => self.terms.symbol(symbol).name.to_string(),
            None => String::new(),
        };
        (name, self.inlined.body[loss.head].span, loss.why.clone())
    }

    /// A condition in the program's terms.
    fn said(&self, terms: &Terms, condition: TermId) -> String {
        let program = self.job.program;
        match &self.job.options.say {
            Some(Say(say)) => say(program, terms, condition),
            None => footpath_ir::print::print_expr_in(program, terms, condition),
        }
    }

    fn left(&self) -> Option<Duration> {
        self.deadline.map(Deadline::left)
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.left().is_some_and(|l| l < Duration::from_millis(5))
    }

    /// A part of the time that is left.
    fn slice(&self, parts: u32) -> Option<Duration> {
        self.left().map(|l| (l / parts).max(Duration::from_millis(200)).min(l.max(Duration::from_millis(1))))
    }

    fn targets(&self) -> Vec<BlockId> {
        targets_in(&self.inlined.body, self.job)
    }

    fn tree(
        &mut self,
        targets: &[BlockId],
        losses: &mut Vec<Loss>,
    ) -> Result<Result<Option<Tree>, GaveUp>, ReachError> {
        let mut solver = self.job.solver(Profile::Decide)?;
        let mut explorer = Explorer::new(
            &mut self.terms,
            &self.inlined.body,
            &self.theory,
            &mut *solver,
            targets,
            self.stop,
            self.deadline,
        );
        explorer.search_invariants(self.job.invariants);
        let tree = explorer.tree(&self.initial);
        *losses = std::mem::take(&mut explorer.losses);
        self.queries += solver.statistics().queries;
        Ok(tree)
    }

    fn search(&mut self, losses: &mut Vec<Loss>, shown: &mut Shown) -> Result<Verdict, ReachError> {
        let targets = self.targets();
        // A place in a procedure that is not called is nowhere here; one of the procedure itself should be.
        let own = self.job.origins.iter().any(|o| o.procedure == self.job.start.0);
        if targets.is_empty() && (own || self.job.target.is_none()) {
            return Ok(Verdict::Unknown(Code::PlaceAbsent.into()));
        }
        let cuts: Vec<BlockId> = self.inlined.unfollowed.iter().map(|call| call.block).collect();
        let all = [targets.clone(), cuts.clone()].concat();
        let by_induction = !self.job.looks_for_runs() && !self.no_induction && self.is_never_reached(&all)?;
        if by_induction && !self.job.options.tree {
            return Ok(Verdict::Unreachable);
        }
        let whole = match self.tree(&all, losses)? {
            Ok(Some(tree)) if self.job.options.tree => {
                let say = |terms: &Terms, t: TermId| self.said(terms, t);
                shown.tree = Some(vertices(&self.terms, &self.inlined.body, &tree, &say));
                tree
            }
            _ if by_induction => return Ok(Verdict::Unreachable),
            Ok(Some(tree)) => tree,
            Ok(None) => return Ok(Verdict::Unreachable),
            Err(GaveUp::Stopped) => return Ok(Verdict::Unknown(self.stopped())),
            Err(GaveUp::TooMany) => {
                return Ok(Verdict::Unknown(Code::TooManyPaths.into()));
            }
        };
        let quantified = quantified(&mut self.terms, &whole);
        if self.terms.tree_size(quantified) <= PRINTED {
            shown.condition = Some(self.said(&self.terms, quantified));
        }
        if by_induction {
            return Ok(Verdict::Unreachable);
        }
        let runs = match (self.job.looks_for_runs(), cuts.is_empty()) {
            (false, _) => None,
            (true, true) => Some(whole.clone()),
            (true, false) => self.tree(&targets, &mut Vec::new())?.unwrap_or(None),
        };
        self.race(&whole, runs.as_ref(), quantified)
    }

    /// Whether induction over all loops at once proves that no run reaches any of the blocks. If calls were cut off,
    /// it uses the body in which recursion is control flow.
    fn is_never_reached(&mut self, blocks: &[BlockId]) -> Result<bool, ReachError> {
        let (stop, until) = (self.stop, self.left().map(|l| Deadline::after(l.mul_f64(INDUCTION_SHARE))));
        let go_on = || !stop.load(Ordering::Relaxed) && until.is_none_or(|u| !u.is_over());
        let folded = self.folded();
        let (body, procedures, targets) = match &folded {
            Some(Folded { body, procedures }) => (body, &procedures[..], targets_in(body, self.job)),
            None => (&self.inlined.body, &[][..], blocks.to_vec()),
        };
        let subject = Subject { body, procedures, initial: &self.initial, theory: &self.theory };
        let mut solver = self.job.solver(Profile::Decide)?;
        let proved = may_be_reached(&mut self.terms, &subject, &targets, &mut *solver, &go_on).is_empty();
        self.queries += solver.statistics().queries;
        self.no_induction = !proved && go_on();
        Ok(proved)
    }

    fn stopped(&self) -> Reason {
        if self.stop.load(Ordering::Relaxed) { Code::Interrupted.into() } else { Code::TargetTime.into() }
    }

    /// Unfolds further and further, while the form with quantifiers is asked in parallel.
    fn race(&mut self, whole: &Tree, runs: Option<&Tree>, quantified: TermId) -> Result<Verdict, ReachError> {
        let interpreter = Interpreter::new(self.job.program);
        let mut solver = self.job.solver(Profile::Decide)?;
        let mut racer =
            self.job.solver(if self.has_quantifiers() { Profile::Refute } else { Profile::Decide })?;
        let (mine, its) = (solver.interrupter(), racer.interrupter());
        let proved = AtomicBool::new(false);
        let mut assumed = self.theory.relevant(&mut self.terms, &[quantified]).formulas;
        assumed.push(quantified);
        let terms = self.terms.clone();
        let (stop, deadline) = (self.stop, self.deadline);
        let is_done = AtomicBool::new(false);
        let (proved, is_done) = (&proved, &is_done);
        std::thread::scope(|scope| {
            let other = mine.clone();
            let ask = move || {
                let is_wanted = || !is_done.load(Ordering::Acquire);
                let told = assumed.iter().all(|&t| is_wanted() && racer.assert(&terms, t).is_ok());
                // To tell it may have taken seconds, in which nothing interrupts it.
                racer.set_timeout(deadline.map(Deadline::left));
                if told && is_wanted() && racer.check(&terms, &[]).is_unsat() {
                    proved.store(true, Ordering::Release);
                    other.interrupt();
                }
            };
            let started = std::thread::Builder::new().stack_size(stack_size()).spawn_scoped(scope, ask);
            let started = started.map_err(|e| no_thread(&e));
            let end = Finish(its);
            let both = mine.and(&end.0);
            let wake = || {
                if stop.load(Ordering::Relaxed) {
                    both.interrupt();
                }
            };
            let found = with_clock(TICK, &wake, || {
                let thread = started.as_ref().map_err(Clone::clone)?;
                let found = self.unfold_all(whole, runs, &mut *solver, &interpreter, proved);
                if let Ok(Verdict::Unknown(_)) = &found {
                    // Nothing else is left to be done than to wait for it.
                    let until = self.job.wait.map(Deadline::after);
                    let waits = || until.is_none_or(|until| !until.is_over());
                    while !thread.is_finished() && !self.is_over() && waits() {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                }
                found
            });
            is_done.store(true, Ordering::Release);
            drop(end);
            if let Ok(thread) = started {
                let _ = thread.join();
            }
            match found? {
                Verdict::Unknown(_) if proved.load(Ordering::Acquire) => Ok(Verdict::Unreachable),
                Verdict::Reached(_) if proved.load(Ordering::Acquire) => {
                    Err(ReachError::Internal("what was proved to be unreachable is reached".to_owned()))
                }
                verdict => Ok(verdict),
            }
        })
    }

    /// Whether the program's own formulas have quantifiers, besides those that loops bring.
    fn has_quantifiers(&self) -> bool {
        let quantifies =
            |t: &TermId| matches!(&self.terms.term(*t).op, Op::Bind(b) if b.kind != BinderKind::Lambda);
        let axioms: Vec<TermId> = self.job.program.axioms.iter().map(|a| a.condition).collect();
        self.terms.post_order(&axioms).iter().any(quantifies)
    }

    fn unfold_all(
        &mut self,
        whole: &Tree,
        runs: Option<&Tree>,
        solver: &mut dyn Solver,
        interpreter: &Interpreter<'_>,
        proved: &AtomicBool,
    ) -> Result<Verdict, ReachError> {
        for k in UNFOLDINGS.into_iter().filter(|&k| k <= self.job.options.max_unfold) {
            if proved.load(Ordering::Acquire) {
                return Ok(Verdict::Unreachable);
            }
            if self.is_over() {
                break;
            }
            if let Some(verdict) = self.round(k, whole, runs, solver, interpreter)? {
                return Ok(verdict);
            }
            self.unfolded = k;
        }
        if self.is_over() {
            self.why = self.stopped();
        }
        Ok(Verdict::Unknown(self.why.clone()))
    }

    /// Both queries at one depth, and the first one again at the depth that a model of the second one suggests.
    fn round(
        &mut self,
        k: u64,
        whole: &Tree,
        runs: Option<&Tree>,
        solver: &mut dyn Solver,
        interpreter: &Interpreter<'_>,
    ) -> Result<Option<Verdict>, ReachError> {
        let limits = Limits { exact: true, ..Limits::of_all(k) };
        let started = Instant::now();
        if let Some(tree) = runs
            && let Some(verdict) = self.look_for_run(tree, &limits, solver, interpreter)?
        {
            return Ok(Some(verdict));
        }
        // The same query over integers suggests iteration counts, and this one may take as long as the one before.
        let spent = started.elapsed().max(LEAST);
        let same = self.inlined.unfollowed.is_empty();
        let limits = Limits { elements: runs.is_none(), ..Limits::of_all(k) };
        let Some(unfolding) = self.unfold(whole, &limits) else { return Ok(None) };
        let mut deeper = None;
        let mut slice = self.slice(3);
        if let Some(tree) = runs.filter(|_| same && self.counts_in_bits(&unfolding)) {
            if let Some(Guess { limits, numbers, demands }) = self.ideal_guess(&unfolding, k, solver) {
                let guess = (numbers, demands);
                if let Some(verdict) = self.try_guess(&unfolding, guess, solver, interpreter)? {
                    return Ok(Some(verdict));
                }
                if let Some(fixed) = limits
                    && let Some(verdict) = self.look_there(tree, fixed, solver, interpreter)?
                {
                    return Ok(Some(verdict));
                }
            }
            slice = Some(slice.unwrap_or(spent).min(spent));
        }
        let told = self.formulas(&unfolding);
        let found = self.within(&told, solver, |work, solver| {
            let answer = match runs {
                Some(_) => work.check_few_first(&unfolding, k, solver, slice),
                None => work.check(solver, slice),
            };
            match answer {
                Answer::Unsat => return Ok(Some(Verdict::Unreachable)),
                Answer::Sat if same && runs.is_some() => {
                    let found = work.try_inputs(&unfolding, k, solver, interpreter);
                    if found.is_none() {
                        deeper = work.limits_of_model(&unfolding, k, solver);
                    }
                    return Ok(found);
                }
                Answer::Unknown(why) => work.why = (&why).into(),
                Answer::Sat => {}
            }
            Ok(None)
        })?;
        match (found, deeper, runs) {
            (None, Some(fixed), Some(tree)) => self.look_there(tree, fixed, solver, interpreter),
            (found, ..) => Ok(found),
        }
    }

    /// Asks for a run as far as a model goes, first with its numbers, which often are sizes: the question is much
    /// easier then.
    fn look_there(
        &mut self,
        tree: &Tree,
        fixed: Limits,
        solver: &mut dyn Solver,
        interpreter: &Interpreter<'_>,
    ) -> Result<Option<Verdict>, ReachError> {
        if let Some(verdict) = self.look_for_run(tree, &fixed, solver, interpreter)? {
            return Ok(Some(verdict));
        }
        let open = Limits { numbers: Substitution::default(), ..fixed };
        self.look_for_run(tree, &open, solver, interpreter)
    }

    fn unfold(&mut self, tree: &Tree, limits: &Limits) -> Option<Unfolding> {
        let (stop, deadline) = (self.stop, self.deadline);
        let go_on = || !stop.load(Ordering::Relaxed) && deadline.is_none_or(|d| !d.is_over());
        unfold(&mut self.terms, tree, limits, &go_on)
    }

    /// What is asserted for an unfolding.
    fn formulas(&mut self, unfolding: &Unfolding) -> Vec<TermId> {
        let mut formulas = self.theory.relevant(&mut self.terms, &[unfolding.formula]).formulas;
        formulas.push(unfolding.formula);
        formulas
    }

    /// Asks with formulas asserted.
    fn within(
        &mut self,
        formulas: &[TermId],
        solver: &mut dyn Solver,
        ask: impl FnOnce(&mut Self, &mut dyn Solver) -> Result<Option<Verdict>, ReachError>,
    ) -> Result<Option<Verdict>, ReachError> {
        solver.push();
        let refused = formulas.iter().find_map(|&t| solver.assert(&self.terms, t).err());
        let result = match refused {
            Some(unsupported) => {
                self.why = Code::SolverUnsupported.with(unsupported.to_string());
                Ok(None)
            }
            None => ask(self, solver),
        };
        solver.pop(1);
        result
    }

    fn check(&mut self, solver: &mut dyn Solver, limit: Option<Duration>) -> Answer {
        self.check_assuming(solver, limit, &[])
    }

    fn check_assuming(
        &mut self,
        solver: &mut dyn Solver,
        limit: Option<Duration>,
        assumptions: &[TermId],
    ) -> Answer {
        self.queries += 1;
        solver.set_timeout(limit);
        solver.check(&self.terms, assumptions)
    }
}

/// The blocks of a body that are to be reached.
fn targets_in(body: &Body, job: &Job<'_>) -> Vec<BlockId> {
    body.block_ids().filter(|&b| job.origins.contains(&body[b].origin)).collect()
}

/// Interrupts the parallel query when the search ends, however it ends.
struct Finish(Interrupter);

impl Drop for Finish {
    fn drop(&mut self) {
        self.0.interrupt();
    }
}
