//! The pipeline of a cover: one body of one procedure, from the program to the report, as one list of steps.
//!
//! 1. The loop-free form, its formula, its goals (`session.rs`).
//! 2. Random testing, which covers most of what is easy without a query (`random_runs.rs`).
//! 3. The selected algorithm decides the goals that are open.
//! 4. Infeasible goals get their verdicts (`verdicts.rs`) and explanations (`explain.rs`).
//! 5. Redundant tests are dropped (`test_reduction.rs`), and a few queries look for runs that replace several tests
//!    (`test_merging.rs`).

use std::sync::atomic::AtomicBool;

use footpath_ir::interp::Interpreter;
use footpath_ir::{ProcId, Program};
use footpath_transform::Bounds;
use footpath_verdict::Verdict;

use super::portfolio::Searches;
use super::report::{Objective, ProcedureCover};
use super::session::{Clock, Session, Status};
use super::statement::Guidance;
use super::{Algorithm, Callees, CoverError, CoverOptions, Criterion, Event, Solvers};
use super::{
    choices, depth_first, explain, minimal_blocks, path, portfolio, quantified, random_runs,
    state_exploration, statement, test_merging, test_reduction, verdicts,
};
use footpath_transform::theory::Theory;

/// The data that the covers of all procedures of a program share.
pub(super) struct Context<'a> {
    pub(super) program: &'a Program,
    pub(super) options: &'a CoverOptions,
    pub(super) theory: &'a Theory<'a>,
    pub(super) interpreter: &'a Interpreter<'a>,
    pub(super) solvers: &'a Solvers<'a>,
    pub(super) callees: Option<&'a dyn Callees>,
    pub(super) stop: &'a AtomicBool,
    /// The number of threads for each procedure.
    pub(super) threads: usize,
    pub(super) events: &'a (dyn Fn(Event) + Sync),
}

/// Covers one body.
pub(super) fn cover(context: &Context, procedure: ProcId, body: u32) -> Result<ProcedureCover, CoverError> {
    let (options, events) = (context.options, context.events);
    let clock = Clock::start(options.timeout);
    let bounds =
        Bounds { unwind: options.unwind, recursion: options.recursion, max_blocks: options.max_blocks };
    let progress = |done| events(Event::Progress(procedure, body, done));
    let mut earlier = None;
    if let Some(callees) = context.callees {
        while let Some(summarised) = callees.summarised(procedure, body, bounds) {
            let mut s = Session::open_summarised(context, summarised, clock, &progress)?;
            if s.quantified.is_some() || s.monomorphic.is_some() {
                break;
            }
            match earlier.take() {
                None => events(Event::Started(procedure, body, s.goals.len())),
                Some(earlier) => s.resume(earlier),
            }
            let verdicts = with_summaries(&mut s)?;
            let grown = !s.demands.is_empty() && !s.is_over() && callees.grow(procedure, &s.demands);
            if !grown {
                return finish(s, verdicts);
            }
            earlier = Some(s.suspend());
        }
    }
    let unit = footpath_transform::loop_free(context.program, procedure, body, bounds);
    let mut s = Session::open(context, unit, clock, &progress)?;
    events(Event::Started(procedure, body, s.goals.len()));
    // After an interrupt each of the procedures that are left would ask its first questions otherwise.
    if !s.is_over() {
        decide_goals(&mut s)?;
    }
    let verdicts = verdicts::decide(&mut s)?;
    finish(s, verdicts)
}

/// Looks for tests and proofs of all goals, and reduces the tests to those that are needed.
fn decide_goals(s: &mut Session) -> Result<(), CoverError> {
    let criterion = s.options.criterion;
    let is_auto = criterion == Criterion::Statement && s.options.algorithm == Algorithm::Auto;
    if is_auto {
        random_runs::run(s)?;
    }
    check_precondition(s);
    search(s)?;
    if criterion == Criterion::Statement {
        drop_needless_tests(s);
    }
    if is_auto {
        test_merging::run(s, drop_needless_tests)?;
    }
    Ok(())
}

/// Decides the open goals by the selected algorithm.
fn search(s: &mut Session) -> Result<(), CoverError> {
    match (s.options.criterion, s.options.algorithm) {
        // Paths and windows are asked about by parts of the formula, which were not rewritten for the solver.
        (Criterion::Path, Algorithm::Auto) if s.monomorphic.is_none() => {
            // It puts a solver of its own in the session's place, and levels of assertions; the refuter knows
            // neither.
            let aside = s.quantified.take();
            let done = depth_first::run(s);
            s.quantified = aside;
            done
        }
        (Criterion::Statement, Algorithm::Auto) if s.quantified.is_some() => quantified::run(s),
        (Criterion::Statement, Algorithm::Auto) if s.monomorphic.is_some() => {
            statement::run(s, Guidance::PreferUncovered)
        }
        (Criterion::Path, _) | (_, Algorithm::Path) => path::run(s),
        (Criterion::Statement, Algorithm::Auto) => statement::run_by_stages(s),
        (Criterion::Statement, Algorithm::States) => {
            if s.monomorphic.is_none() {
                if s.threads > 1 {
                    portfolio::run(s, Searches::AloneAndStates)?;
                } else {
                    state_exploration::run(s, None)?;
                }
            }
            statement::run(s, Guidance::None)
        }
        (Criterion::Statement, Algorithm::Alone) => {
            if s.monomorphic.is_none() {
                portfolio::run(s, Searches::Alone)?;
            }
            statement::run(s, Guidance::None)
        }
        (Criterion::Statement, Algorithm::Statement) => statement::run(s, Guidance::None),
        (Criterion::Statement, Algorithm::WorstCase) => minimal_blocks::worst_case(s),
        (Criterion::Statement, Algorithm::QueryOptimal) => minimal_blocks::query_optimal(s),
    }
}

/// One iteration of a cover with summaries. Goals that depend on open leaves are unknown, and the leaves are recorded
/// as demands.
fn with_summaries(s: &mut Session) -> Result<Vec<Verdict>, CoverError> {
    if s.tests.is_empty() && s.options.random_runs > 0 {
        random_runs::run(s)?;
    }
    check_precondition(s);
    statement::run(s, Guidance::PreferUncovered)?;
    drop_needless_tests(s);
    verdicts::decide(s)
}

fn finish(mut s: Session, verdicts: Vec<Verdict>) -> Result<ProcedureCover, CoverError> {
    let explanations = explain::explanations(&mut s, &verdicts)?;
    s.close();
    Ok(report(s, verdicts, explanations))
}

/// Adds a note for the user if nothing can run at all because the precondition or the axioms are contradictory.
fn check_precondition(s: &mut Session) {
    if !s.tests.is_empty() {
        return;
    }
    let limit = match (s.options.query_timeout, s.quantified.is_some()) {
        (Some(t), true) => Some(t.min(quantified::SIFT_LIMIT)),
        (None, true) => Some(quantified::SIFT_LIMIT),
        (limit, false) => limit,
    };
    if s.ask_for_proof(&[], limit).is_unsat() && s.options.encoding == super::Encoding::Merged {
        s.notes.push(
            "no run can start: preconditions, where-clauses and axioms contradict each other".to_owned(),
        );
    }
}

/// Keeps the fewest tests that suffice, of those that were found and of the spare runs.
fn drop_needless_tests(s: &mut Session) {
    let found = s.tests.iter().map(|t| t.covers.clone());
    let covers: Vec<Vec<usize>> = found.chain(s.spares.covers().iter().cloned()).collect();
    let kept = test_reduction::set_cover(&covers);
    let count = s.tests.len();
    let tests = kept.into_iter().map(|i| match i.checked_sub(count) {
        None => s.tests[i].clone(),
        Some(spare) => random_runs::use_spare(s, spare),
    });
    s.tests = tests.collect();
    for goal in &mut s.goals {
        goal.tests.clear();
    }
    for (t, test) in s.tests.iter().enumerate() {
        for &i in &test.covers {
            s.goals[i].tests.push(t);
        }
    }
}

fn report(
    s: Session,
    verdicts: Vec<Verdict>,
    explanations: Vec<Vec<footpath_ir::source::Span>>,
) -> ProcedureCover {
    debug_assert!(s.goals.iter().all(|g| (g.status == Status::Covered) != g.tests.is_empty()));
    let objectives = s
        .goals
        .into_iter()
        .zip(verdicts)
        .zip(explanations)
        .map(|((goal, verdict), explanation)| Objective {
            name: goal.name,
            kind: goal.kind,
            origin: goal.origin,
            span: goal.span,
            verdict,
            tests: goal.tests,
            explanation,
        })
        .collect();
    ProcedureCover {
        procedure: s.procedure,
        body: s.unit.body_index,
        sorts: choices::foreign_sorts(s.program, &s.terms, &s.tests),
        objectives,
        tests: s.tests,
        statistics: s.statistics,
        notes: s.notes,
        exploration: None,
    }
}
