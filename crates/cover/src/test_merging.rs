//! Test merging: one test replaces two.
//!
//! **Idea.** The search asks for whatever is open, so the goals are distributed over its tests by chance. Afterwards
//! a test that covers few goals alone can often be spared: each of the others has some freedom beyond the goals that
//! only it covers. For the test with the fewest such goals, the solver is asked, for each other test, for a run that
//! covers all goals that only this other test covers and, if possible, the goals of the test to be spared
//! ([`footpath_smt::Solver::prefer`]). The resulting tests become candidates of the set cover (`test_reduction.rs`).
//! There are few queries, each is easy as a model is known already, and none is asked when there are no more tests
//! than the control flow requires.
//!
//! **Example.** Of two tests through two independent branches, the first one takes only the `then` arm of the first
//! branch, the second one only that of the second branch. A run through both `then` arms may cover the goals of both
//! tests.
//!
//! **Paper.** The query-optimal baseline finds the same by counting (Bertolini, Schäf, Schweitzer: Infeasible code
//! detection, VSTTE 2012); merging takes a hundredth of its time and lacks its guarantee.
//!
//! **Direction of error.** None; there may be smaller sets of tests.

use std::time::Duration;

use footpath_term::TermId;

use super::CoverError;
use super::session::Session;

/// The limit on queries for one procedure.
const MAX_QUESTIONS: u32 = 12;
/// The number of tests in a row that could not be spared after which it ends.
const VICTIMS: usize = 3;
/// The time limit of one query.
const LIMIT: Duration = Duration::from_millis(100);

/// Looks for fewer tests; `reduce` keeps the fewest tests that suffice.
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

/// A lower bound on the number of tests: the number of covered goals of which no path passes two. They are counted up
/// the dominator tree: blocks under different arms of a branch exclude each other.
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
