//! Path cover by blocking clauses: Algorithm 1 of RVC (Christ, Hoenicke, Schäf 2012).
//!
//! ```text
//! while the formula has a model m: m is a test; add the clause ⋁ {¬R_b | m(R_b) = true}
//! ```
//!
//! **Example.** After a test that passes the blocks 0, 1, 3 the clause `¬R₀ ∨ ¬R₁ ∨ ¬R₃` excludes this path, and the
//! next model takes another one.
//!
//! **Deviations.** The clause needs no variables that are false in `m`, because critical edges are split: the blocks
//! of one complete path never include those of another.
//!
//! **Direction of error.** None: when it ends early by time or [`CoverOptions::max_tests`], the report says so.
//!
//! [`CoverOptions::max_tests`]: super::CoverOptions::max_tests

use footpath_ir::TerminatorKind;
use footpath_smt::Answer;
use footpath_term::{Op, TermId};
use footpath_verdict::Code;

use super::CoverError;
use super::session::{Session, Status};

/// Finds a test for every complete path, and so decides all goals.
pub(super) fn run(s: &mut Session) -> Result<(), CoverError> {
    let ends: Vec<TermId> = s
        .unit
        .body
        .block_ids()
        .filter(|&b| matches!(s.unit.body[b].terminator.kind, TerminatorKind::Return | TerminatorKind::Fail))
        .map(|b| s.vc.reach[b.index()])
        .collect();
    let ends = s.enabling(&ends);
    loop {
        if s.tests.len() >= s.options.max_tests {
            let why = Code::MaxTests.with(s.options.max_tests.to_string());
            s.notes.push(format!("not all paths were found: {why}"));
            let open = s.open_goals();
            s.settle(&open, &Status::Unknown(why));
            return Ok(());
        }
        match s.ask(&[ends]) {
            Answer::Sat => {
                let path = s.path();
                s.take_model()?;
                let mut clause: Vec<TermId> = Vec::with_capacity(path.len());
                for b in path {
                    let reach = s.vc.reach[b.index()];
                    clause.push(s.terms.app(Op::Not, [reach]));
                }
                // Only this search is kept from going the path again, later questions are not.
                let clause = s.terms.app(Op::Or, clause);
                let clause = s.terms.app(Op::Implies, [ends, clause]);
                s.assert(clause);
            }
            Answer::Unsat => {
                let open = s.open_goals();
                s.settle(&open, &Status::Infeasible);
                return Ok(());
            }
            Answer::Unknown(why) => {
                let why = s.why_open(&why);
                s.notes.push(format!("not all paths were found: {why}"));
                let open = s.open_goals();
                s.settle(&open, &Status::Unknown(why));
                return Ok(());
            }
        }
    }
}
