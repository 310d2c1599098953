//! Quantified formulas: proofs by E-matching first, then searches for models within limits.
//!
//! A solver that decides formulas with quantifiers builds models of them, and for the axioms that verifiers write
//! (sequences, sets, heaps) this often does not terminate. Verifiers ask for proofs only, by E-matching (Detlefs,
//! Nelson, Saxe: *Simplify*, J. ACM 2005): quantified formulas are instantiated where their triggers occur, and when
//! nothing is left to instantiate the answer is "unknown", at once. Such a solver, the *refuter*, is used beside the
//! session's main solver and holds the same formula; every query goes to it first ([`Session::ask_any`]). So a block
//! is infeasible here if `assert false` in its place would verify.
//!
//! 1. *Sift.* Algorithm 2 of RVC with the refuter: the goals that it refutes together are infeasible. Where it gives
//!    up, its state is a candidate for a model. The goals on the candidate's path are put aside, as they are unlikely
//!    to be refuted alone. The candidate is replayed: it counts if the interpreter could evaluate all that the solver
//!    could not guarantee, axioms above all.
//! 2. *Search* for models with the session's main solver, for all open goals together.
//! 3. *One by one*, the refuter is asked about each goal alone, with growing limits.
//! 4. *Search* again, for each goal that is left.
//!
//! **Example.** With the axiom `∀x. {f(x)} f(x) > 0` and the goal under `f(3) < 0`, the trigger matches `f(3)`, the
//! instance `f(3) > 0` contradicts the condition, and the goal is infeasible without any model.
//!
//! A search for models that never succeeded is given little time ([`Search`]): the formulas of one procedure share
//! their axioms, so if one has no model that the solver finds, the others rarely do.
//!
//! **Direction of error.** Towards unknown. A refutation is a proof whatever was not instantiated; a candidate counts
//! only if its replay relies on no answer of the solver.

use std::time::Duration;

use footpath_smt::{Answer, Completeness, Monomorphic, Solver, Unknown};
use footpath_term::{BinderKind, Op, TermId, Terms};
use footpath_verdict::Code;
use rustc_hash::FxHashSet;

use super::replay;
use super::session::{Session, Status};
use super::{CoverError, CoverOptions, windows};

/// What is said of a question that has no answer because of quantifiers.
pub(super) const UNDECIDED: &str = "a run exists unless quantified axioms or conditions exclude it";
/// What part of a procedure's time may be lost on searches for models of quantified formulas.
const SHARE: u32 = 60;
/// The time for unsuccessful searches where a procedure's time is not limited.
const TIME_TO_LOSE: Duration = Duration::from_secs(1);
/// The time limit of the first search for a model, and of the first query to the refuter about one goal.
const FIRST_LIMIT: Duration = Duration::from_millis(250);
/// The time limit of queries to the refuter about many goals.
pub(super) const SIFT_LIMIT: Duration = Duration::from_secs(1);
/// The number of queries about many goals that may reach their time limit before goals are asked one by one.
const SIFT_FAILURES: u32 = 4;
/// The number of unsuccessful replays of candidates after which candidates are not replayed any more.
const CANDIDATES: u32 = 3;

/// The additional state of a session whose formula has quantifiers.
pub(super) struct Quantified {
    /// The solver for proofs, which holds the same formula as the session's solver.
    pub(super) refuter: Box<dyn Solver>,
    pub(super) search: Search,
    /// Whether a fresh type replaces an unknown one in the refuter's formula.
    pub(super) narrowed: bool,
    /// The number of candidates that may still be replayed.
    candidates: u32,
}

/// The time limits of searches for models: without limit once one was found, otherwise doubled each time until the
/// time for unsuccessful searches is used up.
pub(super) struct Search {
    to_lose: Duration,
    next: Duration,
    found: bool,
}

impl Quantified {
    /// `verifiable`: whether the interpreter may be able to evaluate all that is assumed.
    pub(super) fn new(
        refuter: Box<dyn Solver>,
        options: &CoverOptions,
        verifiable: bool,
        narrowed: bool,
    ) -> Quantified {
        let to_lose = options.timeout.map_or(TIME_TO_LOSE, |t| t / SHARE);
        Quantified {
            refuter,
            search: Search { to_lose, next: FIRST_LIMIT, found: false },
            narrowed,
            candidates: if verifiable { CANDIDATES } else { 0 },
        }
    }
}

impl Search {
    /// The time limit of the next search; `None` if the time for unsuccessful searches is used up.
    pub(super) fn limit(&self, limit: Option<Duration>) -> Option<Option<Duration>> {
        if self.found {
            return Some(limit);
        }
        let mine = self.next.min(self.to_lose);
        (!mine.is_zero()).then(|| Some(limit.map_or(mine, |l| l.min(mine))))
    }

    /// Records how a search ended.
    pub(super) fn learn(&mut self, answer: &Answer, time: Duration) {
        match answer {
            Answer::Sat => self.found = true,
            Answer::Unsat => {}
            Answer::Unknown(_) => {
                self.to_lose = self.to_lose.saturating_sub(time);
                self.next *= 2;
            }
        }
    }
}

/// Whether formulas have quantifiers.
pub(super) fn has_quantifiers(terms: &Terms, roots: &[TermId]) -> bool {
    terms
        .post_order(roots)
        .into_iter()
        .any(|t| matches!(&terms.term(t).op, Op::Bind(b) if b.kind != BinderKind::Lambda))
}

/// Whether formulas have quantifiers or maps by formulas.
pub(super) fn has_binders(terms: &Terms, roots: &[TermId]) -> bool {
    terms.post_order(roots).into_iter().any(|t| matches!(&terms.term(t).op, Op::Bind(_)))
}

/// For `name ⇔ definition`, `name ⇒ definition`. Questions want names to be true, so the other direction refutes
/// nothing; it would only make what lies off the path relevant, for the triggers in it.
pub(super) fn one_sided(terms: &mut Terms, t: TermId, names: &FxHashSet<TermId>) -> TermId {
    let term = terms.term(t);
    match (&term.op, &term.args[..]) {
        (Op::Eq, &[name, definition]) if names.contains(&name) => terms.raw(Op::Implies, [name, definition]),
        _ => t,
    }
}

/// Decides all open goals, or records why not.
pub(super) fn run(s: &mut Session) -> Result<(), CoverError> {
    sift(s);
    search(s)?;
    let mut undecided: FxHashSet<usize> = FxHashSet::default();
    let most = s.options.query_timeout;
    let mut limit = FIRST_LIMIT;
    loop {
        one_by_one(s, limit, &mut undecided);
        let left = s.open_goals().iter().any(|i| !undecided.contains(i));
        if !left || s.is_over() || most.is_some_and(|m| limit >= m) {
            break;
        }
        limit *= 4;
        if s.monomorphic.is_none() && limit > SIFT_LIMIT {
            // Too hard as a whole; windows are asked about by parts of the formula.
            windows::run(s, windows::Sizes::Small)?;
            windows::run(s, windows::Sizes::Large)?;
        }
    }
    search_singly(s)?;
    let over = s.is_over();
    for i in s.open_goals() {
        let why = if undecided.contains(&i) {
            Code::SolverIncomplete.with(UNDECIDED)
        } else if over {
            s.why_over()
        } else {
            Code::QueryTime.into()
        };
        s.settle(&[i], &Status::Unknown(why));
    }
    Ok(())
}

/// Asks the refuter about all open goals, without those on the paths of candidates, until it refutes the rest or
/// reaches its time limit; then about halves of them.
fn sift(s: &mut Session) {
    let limit = s.options.query_timeout.map_or(SIFT_LIMIT, |t| t.min(SIFT_LIMIT));
    let mut parts = vec![s.open_goals()];
    let mut failures = 0;
    while failures < SIFT_FAILURES
        && let Some(mut part) = parts.pop()
    {
        part.retain(|&i| s.goals[i].status == Status::Open);
        if part.is_empty() || s.is_over() {
            continue;
        }
        let wanted: Vec<TermId> = part.iter().map(|&i| s.goals[i].covered).collect();
        let mut assumptions = vec![s.enabling(&wanted)];
        assumptions.extend(&s.standing);
        match s.ask_for_proof(&assumptions, Some(limit)) {
            Answer::Unsat => s.settle(&part, &Status::Infeasible),
            Answer::Unknown(Unknown::Incomplete(_)) => {
                let before = part.len();
                let on_path = candidate(s, &wanted);
                let mut on_path = on_path.into_iter();
                part.retain(|_| !on_path.next().unwrap_or(false));
                if part.len() < before {
                    parts.push(part);
                }
            }
            _ if part.len() > 1 => {
                failures += 1;
                let rest = part.split_off(part.len() / 2);
                parts.extend([part, rest]);
            }
            _ => {}
        }
    }
}

/// Replays the candidate of the refuter, if that may be useful; returns which of the terms are true in it.
fn candidate(s: &mut Session, of: &[TermId]) -> Vec<bool> {
    let Some(quantified) = &mut s.quantified else { return Vec::new() };
    if !quantified.refuter.candidate() {
        return Vec::new();
    }
    let truths = quantified.refuter.truths(&s.terms, of);
    let complete =
        !matches!(&s.monomorphic, Some(Monomorphic { completeness: Completeness::Incomplete(_), .. }));
    if quantified.candidates > 0 && complete {
        let reach = quantified.refuter.truths(&s.terms, &s.vc.reach);
        let path: Vec<_> = s.unit.body.block_ids().filter(|b| reach[b.index()] == Some(true)).collect();
        if let Some(test) = replay::replay_candidate(s, &path) {
            let covers = s.promised(&path);
            s.add_test(test, covers);
        } else if let Some(quantified) = &mut s.quantified {
            quantified.candidates -= 1;
        }
    }
    truths.into_iter().map(|t| t == Some(true)).collect()
}

/// Searches for models for all open goals together, as long as any are found.
fn search(s: &mut Session) -> Result<(), CoverError> {
    loop {
        let open = s.open_goals();
        if open.is_empty() {
            return Ok(());
        }
        let wanted: Vec<TermId> = open.iter().map(|&i| s.goals[i].covered).collect();
        let mut assumptions = vec![s.enabling(&wanted)];
        assumptions.extend(&s.standing);
        s.solver.prefer(&s.terms, &wanted);
        match s.ask_for_model(&assumptions, s.options.query_timeout) {
            Answer::Sat => {
                s.take_model()?;
            }
            Answer::Unsat => s.settle(&open, &Status::Infeasible),
            Answer::Unknown(_) => return Ok(()),
        }
    }
}

/// Asks the refuter about each open goal, unless it gave up on it for another reason than time.
fn one_by_one(s: &mut Session, limit: Duration, undecided: &mut FxHashSet<usize>) {
    for i in s.open_goals() {
        if undecided.contains(&i) || s.is_over() {
            continue;
        }
        let assumptions = [&[s.goals[i].covered], &s.standing[..]].concat();
        match s.ask_for_proof(&assumptions, Some(limit)) {
            Answer::Unsat => s.settle(&[i], &Status::Infeasible),
            Answer::Unknown(Unknown::Timeout) => {}
            _ => {
                undecided.insert(i);
            }
        }
    }
}

/// Searches for a model for each open goal.
fn search_singly(s: &mut Session) -> Result<(), CoverError> {
    for i in s.open_goals() {
        if s.goals[i].status != Status::Open || s.is_over() {
            continue;
        }
        let assumptions = [&[s.goals[i].covered], &s.standing[..]].concat();
        match s.ask_for_model(&assumptions, s.options.query_timeout) {
            Answer::Sat => {
                s.take_model()?;
            }
            Answer::Unsat => s.settle(&[i], &Status::Infeasible),
            Answer::Unknown(_) => {}
        }
    }
    Ok(())
}
