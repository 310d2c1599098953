//! Verdicts with premises: each check of a program is verified, possibly under assumptions, of which as few as
//! possible are kept.
//!
//! **Idea.** The analyser first works without assumptions. For what it leaves open it works with all assumptions that
//! are allowed; what is proved then has a premise. The premise is minimised by leaving out one assumption after the
//! other and observing what is still proved, first all of a kind together, then each at its place. So a premise lists
//! what its proof needed, not what there was.
//!
//! Example: `void f(int *p, int n) { … p[i] … n + 1 … }` with valid parameters and no overflow assumed: the premise
//! of the check of `p[i]` keeps `valid-parameters` only, if it is still proved without `no-overflow`.
//!
//! What is still open may be asked of a solver (`solver_proofs.rs`), and then of induction (`loop_induction.rs`).
//! Claims of other tools and people are kept beside the verdicts (`claims.rs`).
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 2.1: "the conjunction of the identifiers for the
//! assumptions used to verify P, or false if P was not verified".
//!
//! **Deviations.**
//! 1. An overflow check never rests on the absence of overflow, which is what it checks.
//! 2. If minimisation takes more runs of the analyser than [`Options::runs`], premises stay larger than necessary.
//!
//! **Direction of error.** That of the analyser and the solver: a verified check holds in every run, one verified
//! under a premise in every run in which the premise holds when the check is reached.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_absint::{Analysis, Calls, Effort, Proof, analyse};
use footpath_ir::source::Span;
use footpath_ir::{
    AssertKind, BlockId, Body, Origin, Place, ProcId, Program, Statement, StatementKind, Variable,
    print_expr_in,
};
use footpath_parallel::{in_parallel, on_deep_stack};
use footpath_term::{SortId, SymbolId, TermId, Terms};
use footpath_verdict::{Code, Reason};
use footpath_virtual_time::Deadline;
use rustc_hash::FxHashMap;

use crate::assumption::{AssumptionKind, Entry, Form, Site, own_invariants, place, sites};
use crate::claims::Claim;
use crate::discharge::{Passed, Question, questions};
use crate::instrument::drop_premises;
use crate::places::Places;
use crate::premises::Premises;
use crate::proposal_proofs::{Candidate, candidates};
use crate::proposed_invariants::Proposal;
use crate::record::record;
use crate::solver_proofs::{Encoded, Task};

/// What may be assumed, and how much work is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// The assumptions that are allowed; none for a sound analysis.
    pub assume: BTreeSet<AssumptionKind>,
    /// The largest number of iterations of a loop under the assumption `few-rounds`.
    pub rounds: u32,
    /// How calls are treated.
    pub calls: Calls,
    /// Effort of the analyser.
    pub effort: Effort,
    /// How often a body is analysed to make premises small.
    pub runs: usize,
    /// Time for a body, the solver's included; after it, open checks stay open, and premises are not minimised further. `None` for
    /// no limit.
    pub time: Option<Duration>,
    /// Time for all bodies together: those that were not begun by then are left out.
    pub total: Option<Duration>,
    /// Time for a solver to prove what the analyser leaves open in a body, at most half of what the body has; `None` to use no
    /// solver.
    pub solver: Option<Duration>,
    /// The claims of other tools.
    pub claims: Vec<Claim>,
    /// Invariants proposed by other tools; they are ignored without a solver.
    pub proposals: Vec<Proposal>,
    /// How many bodies are verified at once.
    pub jobs: usize,
    /// Whether it is asked at calls under which assumptions those of the callees hold (`discharge.rs`).
    pub passed: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            assume: AssumptionKind::ALL.iter().copied().collect(),
            rounds: 1000,
            calls: Calls::Bodies(600),
            effort: Effort::default(),
            runs: 400,
            time: Some(Duration::from_secs(20)),
            total: None,
            solver: None,
            claims: Vec::new(),
            proposals: Vec::new(),
            jobs: 1,
            passed: false,
        }
    }
}

/// The verdict on a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds in every run.
    Verified,
    /// It holds in every run in which these assumptions of the body held so far.
    VerifiedUnder(Vec<usize>),
    /// Nothing, for this reason.
    Unverified(Reason),
    /// It fails in every run that reaches it.
    Failing,
}

/// The verifier that proved a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prover {
    /// Abstract interpretation.
    Analyser,
    /// The solver, with the analyser's invariants at loop heads.
    Solver,
    /// Induction over all loops and recursive calls.
    Induction,
}

impl Verdict {
    /// Whether nothing was found out.
    pub fn is_unverified(&self) -> bool {
        matches!(self, Verdict::Unverified(_))
    }
}

impl Prover {
    /// The stable name, as it stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Prover::Analyser => "analyser",
            Prover::Solver => "solver",
            Prover::Induction => "induction",
        }
    }
}

/// A check with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The origin of its failure, in the program as the front end made it.
    pub origin: Origin,
    /// What it checks.
    pub kind: AssertKind,
    /// Where it stands.
    pub span: Span,
    /// What was found out.
    pub verdict: Verdict,
    /// The verifier that proved it; `None` if it was not proved.
    pub by: Option<Prover>,
    /// The claims of other tools and of annotations, beside the verdict.
    pub claims: Vec<Claimed>,
}

/// A claim that a check is proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// The tool; none for an annotation in the source.
    pub by: Option<Arc<str>>,
    /// The assumptions of the body under which it is claimed.
    pub premise: Vec<usize>,
    /// Further premises as text: assumptions of the tool's own, the formula of an annotation.
    pub words: Vec<Arc<str>>,
    /// Whether it is part of the annotated program, and so guides the search.
    pub guides: bool,
}

/// An assumption that a verdict of a body rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// The variable that says in a run whether it held so far.
    pub symbol: SymbolId,
    /// Its name.
    pub id: Arc<str>,
    /// Its place.
    pub site: Site,
}

/// An invariant that was proposed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The tool that proposed it.
    pub by: Arc<str>,
    /// The condition, as C writes it.
    pub text: Arc<str>,
    /// Where the loop stands.
    pub span: Span,
    /// Whether it holds whenever the loop's head is reached, in every run.
    pub proved: bool,
}

/// The results for a body.
#[derive(Clone, Debug)]
pub struct VerifiedBody {
    /// The procedure.
    pub procedure: ProcId,
    /// Which of its bodies.
    pub body: u32,
    /// Its checks, in source order.
    pub checks: Vec<Check>,
    /// The assumptions that premises mention.
    pub assumptions: Vec<Assumption>,
    /// Under which assumptions those of its callees hold at its calls, if that was asked.
    pub passed: Vec<Passed>,
    /// The invariants that other tools proposed.
    pub invariants: Vec<Invariant>,
    /// Blocks that are never entered, without any assumption.
    pub unreached: Vec<BlockId>,
    /// How often it was analysed.
    pub runs: usize,
    /// Whether the analyser gave up.
    pub gave_up: bool,
    /// Time for it.
    pub time: Duration,
}

/// The results of verification, with the annotated program.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The program annotated with assumptions and premises; earlier premises stay, as an alternative.
    pub annotated: Program,
    /// Its assumption variables.
    pub premises: Premises,
    /// The original places of its statements.
    pub places: Places,
    /// The bodies, in order.
    pub bodies: Vec<VerifiedBody>,
    /// How many bodies were not begun in time.
    pub left_out: usize,
}

impl Verification {
    /// The results for a program that is not verified, except for its own annotations.
    pub fn nothing(program: &Program) -> Verification {
        Verification {
            annotated: program.clone(),
            premises: Premises::of(program),
            bodies: Vec::new(),
            places: Places::default(),
            left_out: 0,
        }
    }
}

/// Verifies bodies of a program. `entry` returns the entry conditions of a procedure; `done` is called after each
/// body. When `stop` is set, what is open stays open; bodies that were not begun by then have no result, nor have those that
/// were not begun when the time for all was up.
pub fn verify(
    program: &Program,
    procedures: &[ProcId],
    entry: &dyn Fn(&mut Terms, ProcId) -> Entry,
    options: &Options,
    stop: &AtomicBool,
    done: &(dyn Fn(ProcId) + Sync),
) -> Verification {
    let until = options.total.map(Deadline::by_wall_clock);
    let mut terms = Terms::layer(program.terms.clone());
    let entries = procedures.iter().map(|p| (*p, entry(&mut terms, *p)));
    let mut entries: BTreeMap<ProcId, Entry> = entries.collect();
    let mut asked = match options.passed {
        true => questions(&mut terms, program, &mut entries, &|kind| options.assume.contains(&kind)),
        false => BTreeMap::new(),
    };
    let mut tasks: Vec<BodyTask<'_>> = Vec::new();
    for &procedure in procedures {
        for index in 0..program[procedure].bodies.len() as u32 {
            let at = (procedure, index);
            let entry = entries[&procedure].clone();
            let sites = sites(&mut terms, program, at, &options.assume, &entry, options.rounds);
            let candidates = candidates(&mut terms, program, at, &options.proposals);
            let questions = asked.remove(&procedure).unwrap_or_default();
            tasks.push(BodyTask { at, entry, sites, candidates, questions });
        }
    }
    let shared = Arc::new(terms);
    let mut plain = Program { terms: shared.clone(), ..program.clone() };
    drop_premises(&mut plain);
    let work = |task: &BodyTask<'_>| {
        if until.is_some_and(Deadline::is_over) {
            return None;
        }
        let body = verify_body(program, &plain, task, options, (until, stop));
        done(body.procedure);
        Some(body)
    };
    let found = in_parallel(&tasks, options.jobs, stop, &work);
    drop(plain);
    let mut terms = Arc::try_unwrap(shared).unwrap_or_else(Terms::layer);
    let mut annotated = program.clone();
    let mut places = Places::default();
    let mut numbers = 0;
    let mut bodies = Vec::new();
    for (task, found) in tasks.iter().zip(found) {
        let Some(mut body) = found.flatten() else { continue };
        record(&mut terms, (&mut annotated, &mut places), &mut body, &task.sites, &mut numbers);
        bodies.push(body);
    }
    annotated.terms = Arc::new(terms);
    let left_out = tasks.len() - bodies.len();
    Verification { premises: Premises::of(&annotated), annotated, bodies, places, left_out }
}

/// A body to be verified.
struct BodyTask<'a> {
    at: (ProcId, u32),
    entry: Entry,
    sites: Vec<Site>,
    candidates: Vec<Candidate<'a>>,
    questions: Vec<Question>,
}

/// Verifies a body; `plain` is the program without earlier annotations. The premises of checks are over the task's
/// sites.
fn verify_body(
    program: &Program,
    plain: &Program,
    task: &BodyTask<'_>,
    options: &Options,
    (until, stop): (Option<Deadline>, &AtomicBool),
) -> VerifiedBody {
    let start = Instant::now();
    let (procedure, index) = task.at;
    let solver = options.solver.map(|solver| options.time.map_or(solver, |whole| solver.min(whole / 2)));
    let (whole, of_analyser) = match options.time {
        Some(time) => (Some(Deadline::after(time)), Some(Deadline::after(time - solver.unwrap_or_default()))),
        None => (None, None),
    };
    let mut search = Search {
        plain,
        procedure,
        index,
        entry: &task.entry,
        sites: &task.sites,
        questions: &task.questions,
        invariants: Vec::new(),
        options,
        known: BTreeMap::new(),
        runs: 0,
        max_runs: options.runs,
        deadline: earlier(of_analyser, until),
        whole: earlier(whole, until),
        solver,
        stop,
    };
    let invariants = search.propose(&task.candidates);
    let Verdicts { mut checks, passed, unreached, gave_up } = search.verdicts();
    for check in &mut checks {
        check.claims = claimed(check, &task.sites, &options.claims);
        check.claims.extend(annotated_by_hand(program, check));
    }
    VerifiedBody {
        procedure,
        body: index,
        checks,
        assumptions: Vec::new(),
        passed,
        invariants,
        unreached,
        runs: search.runs,
        gave_up,
        time: start.elapsed(),
    }
}

/// Whichever of two ends comes first, where there is one.
fn earlier(a: Option<Deadline>, b: Option<Deadline>) -> Option<Deadline> {
    a.zip(b).map(|(a, b)| a.min(b)).or(a).or(b)
}

pub(crate) struct Search<'a> {
    pub(crate) plain: &'a Program,
    pub(crate) procedure: ProcId,
    pub(crate) index: u32,
    entry: &'a Entry,
    pub(crate) sites: &'a [Site],
    questions: &'a [Question],
    /// The invariants that were proved at loop heads.
    pub(crate) invariants: Vec<(BlockId, TermId)>,
    pub(crate) options: &'a Options,
    /// What the analyser proved of checks and questions, by the sites that were assumed. One set is asked about for several
    /// groups, and for all kinds of checks.
    known: BTreeMap<Set, Vec<bool>>,
    runs: usize,
    /// The largest number of these so far.
    max_runs: usize,
    /// When the analyser has to end, and when everything has.
    deadline: Option<Deadline>,
    whole: Option<Deadline>,
    /// Time for the solver.
    pub(crate) solver: Option<Duration>,
    pub(crate) stop: &'a AtomicBool,
}

/// The share of the solver's time that induction has.
const INDUCTION_SHARE: f64 = 0.1;

/// Whether a check is one for overflow, which must not assume that there is none.
fn is_overflow(check: &Check) -> bool {
    matches!(check.origin.place, Place::Segment { .. }) && check.kind == AssertKind::Overflow
}

/// A program with assumptions placed in a body, and the new places of the body's statements.
pub(crate) struct Placed {
    pub(crate) program: Program,
    pub(crate) moved: FxHashMap<(BlockId, usize), usize>,
}

impl Placed {
    /// The new place of a check.
    pub(crate) fn now(&self, origin: Origin) -> Origin {
        let place = match origin.place {
            Place::Failure { block, statement, clause } => {
                let now = self.moved.get(&(block, statement as usize));
                Place::Failure { block, statement: now.map_or(statement, |n| *n as u32), clause }
            }
            other => other,
        };
        Origin { place, ..origin }
    }
}

/// Whether a check is `assert false`, as for `abort`: it states that it is never reached, so that it fails when it is
/// reached is no finding.
fn says_unreachable(program: &Program, check: Origin) -> bool {
    program.asserted(check).and_then(|condition| program.terms.as_bool(condition)) == Some(false)
}

/// Sites that are switched on.
type Set = Vec<bool>;

/// Checks that a set of sites suffices to prove.
struct Group {
    set: Set,
    checks: Vec<usize>,
    /// Smaller sets that do not.
    needed: Vec<Set>,
}

/// The sets of sites that are left out together: all of a kind, then halves, quarters and so on down to single ones,
/// since usually few of many are needed (delta debugging: Zeller, Hildebrandt, "Simplifying and isolating
/// failure-inducing input", TSE 2002).
fn parts(sites: &[Site]) -> Vec<Vec<usize>> {
    let of_kind = |kind: &AssumptionKind| (0..sites.len()).filter(|i| sites[*i].kind == *kind).collect();
    let mut parts: Vec<Vec<usize>> = AssumptionKind::ALL.iter().map(of_kind).collect();
    let all: Vec<usize> = (0..sites.len()).collect();
    let mut size = sites.len().next_power_of_two();
    while size > 1 {
        size /= 2;
        parts.extend(all.chunks(size).map(<[usize]>::to_vec));
    }
    parts
}

/// The results for a body.
struct Verdicts {
    checks: Vec<Check>,
    passed: Vec<Passed>,
    unreached: Vec<BlockId>,
    gave_up: bool,
}

impl Search<'_> {
    fn verdicts(&mut self) -> Verdicts {
        let sound = self.analyse(&vec![false; self.sites.len()]);
        let why = match sound.gave_up {
            true => Code::AnalysisLimit,
            false => Code::NoSolver,
        };
        let mut checks: Vec<Check> = sound
            .checks
            .iter()
            .map(|c| {
                let verdict = match c.proof {
                    Proof::Holds | Proof::Unreached => Verdict::Verified,
                    Proof::Fails if !says_unreachable(self.plain, c.origin) => Verdict::Failing,
                    Proof::Fails | Proof::Open => Verdict::Unverified(why.into()),
                };
                let by = (verdict == Verdict::Verified).then_some(Prover::Analyser);
                Check { origin: c.origin, kind: c.kind, span: c.span, verdict, by, claims: Vec::new() }
            })
            .collect();
        let open = |checks: &[Check], overflow: bool| -> Vec<usize> {
            let wanted = |c: &Check| c.verdict.is_unverified() && is_overflow(c) == overflow;
            checks.iter().enumerate().filter(|(_, c)| wanted(c)).map(|(i, _)| i).collect()
        };
        let all = vec![true; self.sites.len()];
        let no_overflow: Set = self.sites.iter().map(|s| s.kind != AssumptionKind::NoOverflow).collect();
        for (set, wanted) in [(all, open(&checks, false)), (no_overflow, open(&checks, true))] {
            if wanted.is_empty() || !set.contains(&true) {
                continue;
            }
            for (set, proved) in self.smallest(set, &wanted) {
                let premise: Vec<usize> = (0..set.len()).filter(|i| set[*i]).collect();
                for i in proved {
                    checks[i].verdict = Verdict::VerifiedUnder(premise.clone());
                    checks[i].by = Some(Prover::Analyser);
                }
            }
        }
        let passed = self.passed(&sound);
        if let Some(time) = self.solver {
            let share = time.mul_f64(INDUCTION_SHARE);
            self.solve(&mut checks, self.left_of(time - share));
            self.induct(&mut checks, self.left_of(share));
        }
        Verdicts { checks, passed, unreached: sound.unreached, gave_up: sound.gave_up }
    }

    /// Under which assumptions those of callees hold at calls; `sound` is the analysis without any assumption.
    fn passed(&mut self, sound: &Analysis) -> Vec<Passed> {
        let mut passed: Vec<Passed> = self.questions.iter().map(|q| q.passed.clone()).collect();
        let first = sound.checks.len();
        for (passed, holds) in passed.iter_mut().zip(&sound.answers) {
            passed.premise = holds.then(Vec::new);
        }
        let open: Vec<usize> = (0..passed.len()).filter(|i| passed[*i].premise.is_none()).collect();
        if open.is_empty() || self.sites.is_empty() {
            return passed;
        }
        self.max_runs = self.runs + self.options.runs / 2;
        let wanted: Vec<usize> = open.iter().map(|i| first + i).collect();
        for (set, proved) in self.smallest(vec![true; self.sites.len()], &wanted) {
            let premise: Vec<usize> = (0..set.len()).filter(|i| set[*i]).collect();
            for i in proved {
                passed[i - first].premise = Some(premise.clone());
            }
        }
        passed
    }

    /// As much of a share of the time as is left.
    pub(crate) fn left_of(&self, share: Duration) -> Duration {
        self.whole.map_or(share, |whole| share.min(whole.left()))
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Asks the solver about open checks, and about checks with premises, whether they hold without.
    fn solve(&self, checks: &mut [Check], time: Duration) {
        let is_open = |c: &Check| matches!(c.verdict, Verdict::Unverified(_) | Verdict::VerifiedUnder(_));
        if time.is_zero() || !checks.iter().any(is_open) {
            return;
        }
        let mut terms = Terms::layer(self.plain.terms.clone());
        let numbers = 0..self.sites.len();
        let symbols: Vec<SymbolId> =
            numbers.map(|i| terms.fresh_symbol(format!("on.{i}"), SortId::BOOL)).collect();
        let enabling: Vec<TermId> = symbols.iter().map(|s| terms.var(*s)).collect();
        let mut placed = self.placed(terms, &Form::Enable(&symbols));
        let body = &mut placed.program[self.procedure].bodies[self.index as usize];
        let span = body.span;
        body.locals.extend(symbols.iter().map(|s| Variable::new(*s, span)));
        let task = Task {
            program: &placed.program,
            procedure: self.procedure,
            index: self.index,
            calls: self.options.calls,
            effort: Effort { until: Some(Deadline::after(time)), ..self.options.effort },
            time,
        };
        let work = |checks: &mut [Check]| {
            let mut prover = Encoded::new(task, &enabling);
            for check in checks.iter_mut().filter(|c| is_open(c)) {
                let stays_open = |check: &mut Check, why: Reason| {
                    if check.verdict.is_unverified() {
                        check.verdict = Verdict::Unverified(why);
                    }
                };
                let prover = match &mut prover {
                    _ if self.is_stopped() => {
                        stays_open(check, Code::Interrupted.into());
                        continue;
                    }
                    Ok(prover) => prover,
                    Err(why) => {
                        stays_open(check, why.clone());
                        continue;
                    }
                };
                // What is verified under assumptions may be so without.
                let may_assume = |i: &usize| match check.verdict {
                    Verdict::VerifiedUnder(_) => false,
                    _ => self.sites[*i].kind != AssumptionKind::NoOverflow || !is_overflow(check),
                };
                let allowed: Vec<usize> = (0..self.sites.len()).filter(may_assume).collect();
                match prover.prove(placed.now(check.origin), &allowed) {
                    Ok(premise) => {
                        let is_sound = premise.is_empty();
                        check.verdict =
                            if is_sound { Verdict::Verified } else { Verdict::VerifiedUnder(premise) };
                        check.by = Some(Prover::Solver);
                    }
                    Err(why) => stays_open(check, why),
                }
            }
        };
        // Without a thread nothing more is proved.
        let _ = on_deep_stack(|| work(checks));
    }

    /// Groups of checks, each with a set of sites that suffices to prove them.
    fn smallest(&mut self, set: Set, wanted: &[usize]) -> Vec<(Set, Vec<usize>)> {
        let checks = self.proved(&set, wanted);
        // The analyser may prove with less what it does not prove with more.
        let mut open: Vec<usize> = wanted.iter().copied().filter(|c| !checks.contains(c)).collect();
        let mut groups = vec![Group { set, checks, needed: Vec::new() }];
        for part in parts(self.sites) {
            let mut next = Vec::new();
            for mut group in groups {
                let without: Set =
                    group.set.iter().enumerate().map(|(i, on)| *on && !part.contains(&i)).collect();
                let in_time = !self.deadline.is_some_and(Deadline::is_over) && !self.is_stopped();
                let enough = self.runs < self.max_runs && in_time;
                if without == group.set
                    || !enough
                    || !without.contains(&true)
                    || group.needed.contains(&without)
                {
                    next.push(group);
                    continue;
                }
                let still = self.proved(&without, &[group.checks.as_slice(), &open].concat());
                open.retain(|c| !still.contains(c));
                group.checks.retain(|c| !still.contains(c));
                next.push(Group { set: without.clone(), checks: still, needed: Vec::new() });
                group.needed.push(without);
                next.push(group);
            }
            next.retain(|group| !group.checks.is_empty());
            groups = next;
        }
        groups.into_iter().map(|group| (group.set, group.checks)).collect()
    }

    fn proved(&mut self, set: &Set, wanted: &[usize]) -> Vec<usize> {
        if !self.known.contains_key(set) {
            let Analysis { checks, answers, .. } = self.analyse(set);
            // The questions come behind the checks.
            let checks = checks.iter().map(|check| matches!(check.proof, Proof::Holds | Proof::Unreached));
            self.known.insert(set.clone(), checks.chain(answers).collect());
        }
        let holds = &self.known[set];
        wanted.iter().copied().filter(|i| holds[*i]).collect()
    }

    /// The program with assumptions placed in the body, and the facts at its start.
    pub(crate) fn placed(&self, mut terms: Terms, form: &Form<'_>) -> Placed {
        let mut program = self.plain.clone();
        let body = &mut program[self.procedure].bodies[self.index as usize];
        let span = body.span;
        let mut moved = place(&mut terms, body, self.sites, form);
        let facts = self.entry.facts.iter().map(|f| Statement::new(StatementKind::Assume(*f), span));
        let before: Vec<Statement> = facts.collect();
        put(body, &mut moved, (Body::ENTRY, 0), before);
        for &(head, holds) in &self.invariants {
            let at = own_invariants(&body[head].statements);
            let holds = Statement::new(StatementKind::Assume(holds), body[head].span);
            put(body, &mut moved, (head, at), vec![holds]);
        }
        program.terms = Arc::new(terms);
        Placed { program, moved }
    }

    /// Analyses the body with some sites assumed. Checks come in the same order each time.
    fn analyse(&mut self, set: &Set) -> Analysis {
        self.runs += 1;
        let mut placed = self.placed(Terms::layer(self.plain.terms.clone()), &Form::Assume(set));
        let body = &mut placed.program[self.procedure].bodies[self.index as usize];
        for Question { passed, condition, symbol } in self.questions {
            let span = body.span;
            body.locals.push(Variable::new(*symbol, span));
            let asked = Statement::new(StatementKind::Assign(vec![(*symbol, *condition)]), span);
            if let Some(&at) = placed.moved.get(&passed.at) {
                put(body, &mut placed.moved, (passed.at.0, at), vec![asked]);
            }
        }
        let asked: Vec<SymbolId> = self.questions.iter().map(|q| q.symbol).collect();
        let effort = Effort { until: self.deadline, ..self.options.effort };
        let mut found = analyse(
            &placed.program,
            self.procedure,
            self.index,
            self.options.calls,
            &self.entry.ensured,
            &asked,
            effort,
        );
        // Origins are those of the program as it was.
        let back: FxHashMap<(BlockId, u32), u32> =
            placed.moved.iter().map(|(&(block, old), &new)| ((block, new as u32), old as u32)).collect();
        for check in &mut found.checks {
            if let Place::Failure { block, statement, .. } = &mut check.origin.place
                && let Some(old) = back.get(&(*block, *statement))
            {
                *statement = *old;
            }
        }
        found
    }
}

/// The claims of other tools about a check, over the sites of its body.
fn claimed(check: &Check, sites: &[Site], claims: &[Claim]) -> Vec<Claimed> {
    let of = |claim: &Claim| {
        let kinds = claim.kinds();
        let all = |kinds: &Vec<AssumptionKind>| {
            (0..sites.len()).filter(|i| kinds.contains(&sites[*i].kind)).collect::<Vec<usize>>()
        };
        // An assumption that is not allowed has no sites, and would seem to cost nothing.
        let known = kinds.filter(|kinds| kinds.iter().all(|k| sites.iter().any(|s| s.kind == *k)));
        Claimed {
            by: Some(claim.by.clone()),
            premise: known.as_ref().map(all).unwrap_or_default(),
            words: if known.is_some() { Vec::new() } else { claim.assumes.iter().cloned().collect() },
            guides: known.is_some() && check.verdict != Verdict::Failing,
        }
    };
    claims.iter().filter(|c| c.origin == check.origin).map(of).collect()
}

/// The claim of the program's own annotation about a check.
fn annotated_by_hand(program: &Program, check: &Check) -> Option<Claimed> {
    let body = &program[check.origin.procedure].bodies[check.origin.body as usize];
    let premise = match check.origin.place {
        Place::Failure { block, statement, .. } => body[block].statements[statement as usize].premise(),
        Place::Segment { block, .. } => body.mark(block).and_then(Statement::premise),
        Place::EnsuresFailure { .. } => body.exit_premise(),
        _ => None,
    }?;
    let words = match program.terms.as_bool(premise) {
        Some(true) => Vec::new(),
        Some(false) => return None,
        None => vec![print_expr_in(program, &program.terms, premise).into()],
    };
    Some(Claimed { by: None, premise: Vec::new(), words, guides: true })
}

/// Puts statements before number `at` of a block.
pub(crate) fn put(
    body: &mut Body,
    moved: &mut FxHashMap<(BlockId, usize), usize>,
    (block, at): (BlockId, usize),
    new: Vec<Statement>,
) {
    for (_, now) in moved.iter_mut().filter(|((b, _), now)| *b == block && **now >= at) {
        *now += new.len();
    }
    body.blocks[block.index()].statements.splice(at..at, new);
}
