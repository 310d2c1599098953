//! The join of evidence.

use footpath_ir::source::{FileId, Span};
use footpath_verdict::{Bound, Claim, Code, Evidence, GoalId, Ledger, Method, Premise, Verdict};

const G: GoalId = GoalId(0);

fn pieces() -> Vec<Evidence> {
    let within = Evidence::not_reached_within(Method::Cover, Bound::Iterations(4));
    vec![
        within,
        Evidence::not_reached_within(Method::Exhaustion, Bound::Iterations(4)),
        Evidence::not_reached(Method::Invariants, vec![Premise::MemorySafety]),
        Evidence::not_reached(Method::LoopSummary, Vec::new()),
        Evidence::open(Method::Run, Code::NotSettable),
        Evidence::open(Method::Run, Code::TimeLimit.with("10 s")),
        Evidence::reached(Method::Run, Some(1), vec![Premise::MemorySafety]),
        Evidence::reached(Method::OtherTest, None, Vec::new()),
    ]
}

fn joined<'e>(all: impl IntoIterator<Item = &'e Evidence>) -> Ledger {
    let mut ledger = Ledger::new(1);
    ledger.record_all(all.into_iter().map(|e| (G, e.clone())));
    ledger
}

#[test]
fn the_order_of_evidence_does_not_matter() {
    let all = pieces();
    for set in 0..1_u32 << all.len() {
        let chosen: Vec<&Evidence> =
            all.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, e)| e).collect();
        let (there, back) = (joined(chosen.iter().copied()), joined(chosen.iter().rev().copied()));
        assert_eq!(there.verdict(G), back.verdict(G), "{chosen:?}");
        assert_eq!(there.contradictions().len(), back.contradictions().len(), "{chosen:?}");
    }
}

#[test]
fn only_what_rests_on_nothing_contradicts() {
    let all = pieces();
    for proof in &all[..4] {
        for run in &all[6..] {
            let ledger = joined([proof, run]);
            assert_eq!(ledger.verdict(G), Verdict::Covered);
            let both = proof.rests_on.is_empty() && run.rests_on.is_empty();
            assert_eq!(!ledger.contradictions().is_empty(), both, "{proof:?} {run:?}");
        }
    }
}

#[test]
fn the_explanation_is_that_of_the_evidence_that_settles() {
    let explained = Evidence {
        explanation: vec![Span { file: FileId(0), start: 0, end: 1 }],
        ..Evidence::not_reached_within(Method::Cover, Bound::Iterations(4))
    };
    let outright = Evidence::not_reached(Method::LoopSummary, Vec::new());
    for both in [[&explained, &outright], [&outright, &explained]] {
        let ledger = joined(both);
        assert_eq!(ledger.verdict(G), Verdict::Unreachable);
        assert!(ledger.settling(G).is_some_and(|e| e.by == Method::LoopSummary && e.explanation.is_empty()));
    }
}

#[test]
fn refused_proofs_leave_a_goal_open_and_runs_count() {
    let mut ledger = joined([&Evidence::not_reached(Method::Cover, Vec::new())]);
    ledger.refuse_proofs(G, Code::Asynchronous);
    assert_eq!(ledger.verdict(G), Verdict::Unknown(Code::Asynchronous.into()));
    ledger.record(G, Evidence::reached(Method::Run, Some(2), Vec::new()));
    assert_eq!((ledger.verdict(G), ledger.tests(G)), (Verdict::Covered, &[2][..]));
    assert!(ledger.contradictions().is_empty());
    assert!(matches!(ledger.settling(G).map(|e| &e.claim), Some(Claim::Reached { test: Some(2), .. })));
}

#[test]
fn every_code_has_a_name_of_its_own_and_the_page_has_them_all() {
    let page = footpath_verdict::page();
    for (i, code) in Code::ALL.iter().enumerate() {
        assert_eq!(Code::named(code.name()), Some(*code));
        assert!(page.contains(&format!("`{}`", code.name())));
        assert!(i == 0 || Code::ALL[i - 1] < *code);
    }
}
