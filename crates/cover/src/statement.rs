//! Statement cover by enabling clauses: Algorithm 2 of RVC (Christ, Hoenicke, Schäf 2012).
//!
//! ```text
//! U := all goals
//! while the formula ∧ ⋁ U has a model: the model is a test; take from U all that its run covers
//! what is left in U is infeasible
//! ```
//!
//! **Example.** With the goals `{a, b, c}` a first model covers `a`; the next query demands `b ∨ c`, and its model
//! covers `b`; the query for `c` alone has no model, so `c` is infeasible.
//!
//! **Deviations.**
//! 1. The enabling clause is guarded by an assumption literal, so that one solver serves all queries.
//! 2. A model is executed, and what the run covers counts, copies of a block included, as their goals are goals of
//!    the source.
//! 3. The solver is asked to decide uncovered goals first, to true ([`footpath_smt::Solver::prefer`]), which is the
//!    paper's own wish for a search that changes as many reachability variables as possible.
//! 4. Where a query about all of `U` reaches its time limit, the goals are asked one by one.
//!
//! **Direction of error.** None: a query without an answer makes goals unknown.

use std::time::Duration;

use footpath_smt::Answer;
use footpath_term::TermId;

use super::portfolio::Searches;
use super::session::{Session, Status};
use super::{CoverError, portfolio, windows};

/// Whether the solver is told which goals it should try to cover together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Guidance {
    /// No preference, as in the paper.
    None,
    /// Uncovered goals are decided first.
    PreferUncovered,
}

/// The time limit of a query about all open goals, where there are other methods to try.
const FIRST_LIMIT: Duration = Duration::from_secs(1);

/// Decides all open goals; where one query about all is too hard, by small windows, the portfolio (state exploration
/// and single-goal queries) and large windows first.
pub(super) fn run_by_stages(s: &mut Session) -> Result<(), CoverError> {
    let limit = s.options.query_timeout.map_or(FIRST_LIMIT, |t| t.min(FIRST_LIMIT));
    if !all_at_once(s, Guidance::PreferUncovered, Some(limit))? {
        windows::run(s, windows::Sizes::Small)?;
        portfolio::run(s, Searches::AloneAndStates)?;
        windows::run(s, windows::Sizes::Large)?;
        run(s, Guidance::PreferUncovered)?;
    }
    Ok(())
}

/// Decides all open goals: by queries about all of them, and one by one where that is too hard.
pub(super) fn run(s: &mut Session, guidance: Guidance) -> Result<(), CoverError> {
    if !all_at_once(s, guidance, s.options.query_timeout)? {
        let open = s.open_goals();
        one_by_one(s, &open)?;
    }
    Ok(())
}

/// Asks about all open goals until none is left; `false` if a query got no answer.
fn all_at_once(s: &mut Session, guidance: Guidance, limit: Option<Duration>) -> Result<bool, CoverError> {
    loop {
        let open = s.open_goals();
        if open.is_empty() {
            return Ok(true);
        }
        let wanted: Vec<TermId> = open.iter().map(|&i| s.goals[i].covered).collect();
        let enabling = s.enabling(&wanted);
        if guidance == Guidance::PreferUncovered {
            s.solver.prefer(&s.terms, &wanted);
        }
        match s.ask_within(&[enabling], limit) {
            Answer::Sat => {
                s.take_model()?;
            }
            Answer::Unsat => {
                s.settle(&open, &Status::Infeasible);
                return Ok(true);
            }
            Answer::Unknown(_) => return Ok(false),
        }
    }
}

/// Asks about each goal alone.
pub(super) fn one_by_one(s: &mut Session, goals: &[usize]) -> Result<(), CoverError> {
    for &i in goals {
        if s.goals[i].status != Status::Open {
            continue;
        }
        if s.is_over() {
            let why = s.why_over();
            s.settle(&[i], &Status::Unknown(why));
            continue;
        }
        match s.ask(&[s.goals[i].covered]) {
            Answer::Sat => {
                s.take_model()?;
            }
            Answer::Unsat => s.settle(&[i], &Status::Infeasible),
            Answer::Unknown(why) => {
                let why = s.why_open(&why);
                s.settle(&[i], &Status::Unknown(why));
            }
        }
    }
    Ok(())
}
