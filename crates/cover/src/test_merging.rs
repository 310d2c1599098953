//! Two tests in one.
//!
//! The search asks for whatever is open, so its tests share the goals among them as it happened. Afterwards
//! a test with few goals of its own can often be spared: each of the others has some freedom beyond the goals
//! that only it covers. For the test with the fewest goals of its own, the solver is asked, for each other test,
//! for a run that covers all of that one's own goals and, if it can, the goals of the test to be spared
//! ([`footpath_smt::Solver::prefer`]). What comes back joins the candidates of the set cover (`test_reduction.rs`). There
//! are few questions, each is easy as a model is known already, and none is asked when the tests are as few as the
//! control flow allows.
//!
//! This looks for what the query-optimal baseline finds by counting (Bertolini, Schäf, Schweitzer: Infeasible
//! code detection, VSTTE 2012), for a hundredth of its price and without its guarantee.
//!
//! **Direction of error.** None; there may be smaller sets of tests.

use std::time::Duration;

use footpath_term::TermId;

use super::CoverError;
use super::session::Session;

/// Questions for one procedure at most.
const MAX_QUESTIONS: u32 = 12;
/// Tests in a row that could not be spared, after which it ends.
const VICTIMS: usize = 3;
/// Time for one question.
const LIMIT: Duration = Duration::from_millis(100);

/// Looks for fewer tests; `reduce` keeps the fewest of those that are there.
pub(super) fn run(s: &mut Session, reduce: impl Fn(&mut Session)) -> Result<(), CoverError> {
    let enough = fewest(s);
    let mut left = MAX_QUESTIONS;
    let mut victim = 0;
    while s.tests.len() > enough && victim < VICTIMS.min(s.tests.len()) && s.monomorphic.is_none() {
        let own = own_goals(s);
        let mut order: Vec<usize> = (0..s.tests.len()).collect();
        order.sort_by_key(|&t| own[t].len());
        let spared = order[victim];
        let wanted = own[spared].clone();
        let before = s.tests.len();
        for &t in order.iter().filter(|&&t| t != spared) {
            if left == 0 || s.is_over() {
                break;
            }
            let covered = |s: &Session, goals: &[usize]| -> Vec<TermId> {
                goals.iter().map(|&i| s.goals[i].covered).collect()
            };
            let mut demanded = covered(s, &own[t]);
            demanded.extend(&s.standing);
            let preferred = covered(s, &wanted);
            s.solver.prefer(&s.terms, &preferred);
            left -= 1;
            if s.ask_any(&demanded, Some(LIMIT)).is_sat() {
                s.take_model()?;
            }
        }
        reduce(s);
        // Where it did not help, the next one is tried.
        victim = if s.tests.len() < before { 0 } else { victim + 1 };
        if left == 0 || s.is_over() {
            break;
        }
    }
    s.solver.prefer(&s.terms, &[]);
    Ok(())
}

/// For each test the goals that no other test covers.
fn own_goals(s: &Session) -> Vec<Vec<usize>> {
    let mut own = vec![Vec::new(); s.tests.len()];
    for (i, goal) in s.goals.iter().enumerate() {
        if let [only] = goal.tests[..] {
            own[only].push(i);
        }
    }
    own
}

/// So many tests are needed at least: as many as there are covered goals of which no path passes two. They are
/// counted up the tree of dominators: what lies under one arm of a branch and under the other exclude each other.
fn fewest(s: &Session) -> usize {
    let body = &s.unit.body;
    let dominators = s.dominators();
    let mut apart = vec![0; body.blocks.len()];
    // For each block: what was counted under its arms, and the most that was under any block below a join.
    let mut under_arms = vec![0; body.blocks.len()];
    for b in body.block_ids().collect::<Vec<_>>().into_iter().rev() {
        let here = usize::from(s.goals_at(b).iter().any(|&i| !s.goals[i].tests.is_empty()));
        let most = here.max(apart[b.index()]).max(under_arms[b.index()]);
        let Some(up) = dominators[b.index()] else { return most };
        if body[up].terminator.successors().contains(&b) {
            under_arms[up.index()] += most;
        } else {
            apart[up.index()] = apart[up.index()].max(most);
        }
    }
    0
}
