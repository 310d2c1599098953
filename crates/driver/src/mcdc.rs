//! Modified condition/decision coverage: each condition of a decision is shown to decide its outcome alone.
//!
//! **Idea.** A decision is a Boolean expression of conditions; each occurrence of a condition counts as one of its own. A test suite
//! shows that a condition `c` matters by a pair of evaluations: in both, `c` *decides*: had only `c` been the other way, the
//! outcome had been, too; in one `c` is true, in the other it is false, and the outcomes differ. This is the masking form (Chilenski,
//! *An Investigation of Three Forms of the MC/DC Criterion*, 2001; CAST-6): other conditions may change as well, as long as
//! the expression masks them. Chilenski and Miller's *Applicability of modified condition/decision coverage to software
//! testing* (1994) has the unique-cause form, in which no other condition changes.
//!
//! C does not evaluate what cannot matter any more, so what is observed is an evaluation: the conditions that were evaluated, with
//! their values. `c` decides an evaluation if, with the other values kept and those of conditions that were not evaluated
//! chosen freely, the other value of `c` leads to the other outcome. Example: in `(a && b) || (!a && c)` the evaluations are,
//! with `-` for what is not evaluated,
//!
//! ```text
//!      a b !a c     outcome
//! 1    T T -  -     T
//! 2    T F T  ..    cannot be: a and !a
//! 3    T F F  -     F
//! 4    F - T  T     T
//! 5    F - T  F     F
//! ```
//!
//! In 1 the first condition decides: without it, and with `!a` chosen false, the outcome is F. In 5 it decides, too: with it and
//! `b` true the outcome is T. So tests with the evaluations 1 and 5 are a pair for it. 4 is none with 1, as the outcomes are the same.
//! For `!a`, 4 and 3 are a pair, though the first condition changes as well: it is masked in 3 and in 4. No pair for it is
//! of the unique-cause form, as both conditions are of the same variable. Where a pair is of that form it is told: every other
//! condition that both evaluate has the same value in both, and none of the others is written as `c` is.
//!
//! *That a condition cannot decide alone* follows from proofs about evaluations. In `x > 3 && x > 1` a pair for the second
//! condition needs the evaluation T F. No state leads to it, which the strategies prove as for any other code, since each
//! evaluation has a block of its own. If each pair has an evaluation that is proved infeasible, so is the objective,
//! on the weakest of the premises that the proofs rest on.
//!
//! *Condition coverage* asks of each condition that it is true in one evaluation and false in another one.
//!
//! **Direction of error.** None for what is covered: an evaluation counts if the compiled test says so. Both evaluations may be in one
//! test. An evaluation that a jump out of a condition leaves is none.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use footpath_frontend::c::{Lowered, LoweredDecision};
use footpath_frontend::llvm::decisions::{Decision, Evaluation, MOST_EVALUATIONS, Next};
use footpath_ir::source::Span;
use footpath_verdict::{Code, Evidence, GoalId, Ledger, Method, Premise, Verdict};

use crate::result::{Class, FunctionResult, Objective, ObjectiveKind};

/// What is to be covered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Criterion {
    /// Blocks, the arms of branches, and checks.
    #[default]
    Branch,
    /// These, and each condition true and false.
    Condition,
    /// These, and each condition deciding alone.
    Mcdc,
}

impl Criterion {
    /// Whether it is about the decisions of the source.
    pub fn has_decisions(self) -> bool {
        self != Criterion::Branch
    }
}

/// What was found out about a decision.
#[derive(Clone, Debug)]
pub struct DecisionResult {
    /// Where it stands: from its first condition to its last.
    pub span: Span,
    /// Its conditions.
    pub conditions: Vec<ConditionResult>,
    /// The ways in which it can be evaluated; none if there are too many, and then it was not looked at.
    pub evaluations: Vec<EvaluationResult>,
}

/// What was found out about a condition.
#[derive(Clone, Debug)]
pub struct ConditionResult {
    /// Where it stands.
    pub span: Span,
    /// What was to be covered: that it decides alone, or that it is true and false.
    pub objectives: Vec<Objective>,
    /// If an objective is infeasible, the positions of the evaluations whose proofs it follows from.
    pub excluded_by: Vec<usize>,
    /// The pair of tests that shows that it decides alone, if there is one.
    pub pair: Option<Pair>,
}

/// Two evaluations in which a condition decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The positions of the evaluations: the condition is true in the first one.
    pub evaluations: (usize, usize),
    /// The numbers of tests with these evaluations; `None` for one that only tests of other functions have.
    pub tests: (Option<usize>, Option<usize>),
    /// Whether no other condition changes.
    pub is_unique_cause: bool,
}

/// A way in which a decision can be evaluated.
#[derive(Clone, Debug)]
pub struct EvaluationResult {
    /// What each condition is, as it is written; `None` where it is not evaluated.
    pub values: Vec<Option<bool>>,
    /// The outcome.
    pub outcome: bool,
    /// Whether there is such an evaluation.
    pub objective: Objective,
}

/// Where a decision stands.
pub(crate) fn span(decision: &LoweredDecision) -> Span {
    let first = decision.conditions[0];
    let same_file = decision.conditions.iter().filter(|span| span.file == first.file);
    same_file.fold(first, |whole, span| whole.to(*span))
}

/// Takes the evaluations out of the objectives of a function, and says what they show about its conditions.
pub(crate) fn conclude(lowered: &Lowered, criterion: Criterion, result: &mut FunctionResult) {
    if !criterion.has_decisions() {
        return;
    }
    let of_this = |f: &&footpath_frontend::c::LoweredFunction| f.span == result.span && f.name == result.name;
    let Some(function) = lowered.functions.iter().find(of_this) else { return };
    // What tests cover is told by position, and evaluations are no longer among these.
    let mut positions = Vec::new();
    let (mut kept, mut evaluations) = (Vec::new(), Vec::new());
    for objective in std::mem::take(&mut result.objectives) {
        let is_evaluation = matches!(objective.kind, ObjectiveKind::Evaluation(..));
        positions.push((!is_evaluation).then_some(kept.len()));
        if is_evaluation { &mut evaluations } else { &mut kept }.push(objective);
    }
    result.objectives = kept;
    for test in &mut result.tests {
        test.covers = test.covers.iter().filter_map(|&i| positions.get(i).copied().flatten()).collect();
    }
    // What annotations ask is no decision of the program.
    let is_annotation = |d: &&LoweredDecision| d.texts.iter().any(|text| text.starts_with("footpath_"));
    let decisions = function.decisions.iter().filter(|d| !is_annotation(d));
    for (position, decision) in decisions.enumerate() {
        let of_it = |o: &&Objective| matches!(o.kind, ObjectiveKind::Evaluation(number, _) if number as usize == decision.number);
        let mut own: Vec<Objective> = evaluations.iter().filter(of_it).cloned().collect();
        own.sort_by_key(|o| match o.kind {
            ObjectiveKind::Evaluation(_, k) => k,
            _ => 0,
        });
        // With a selection of lines, only some of them are there.
        if own.len() == decision.blocks.len() {
            result.decisions.push(about(decision, position, own, criterion));
        }
    }
}

/// What the evaluations of a decision show.
fn about(
    lowered: &LoweredDecision,
    position: usize,
    own: Vec<Objective>,
    criterion: Criterion,
) -> DecisionResult {
    let decision = &lowered.decision;
    let conditions = (0..decision.conditions.len()).map(|condition| {
        let span = lowered.conditions[condition];
        let mut found = ConditionResult { span, objectives: Vec::new(), excluded_by: Vec::new(), pair: None };
        let mut add = |kind, name: &str, ways: &[Vec<usize>]| {
            let evidence = if own.is_empty() {
                let limit = MOST_EVALUATIONS.to_string();
                (vec![Evidence::open(Method::Run, Code::DecisionForm.with(limit))], Vec::new())
            } else {
                some_way(ways, &own)
            };
            let id = format!("decision{}.condition{}{name}", position + 1, condition + 1);
            let class = own.first().map_or(Class::User, |o| o.class);
            found.objectives.push(settled(Objective::open(id, kind, class, span), evidence.0));
            found.excluded_by.extend(evidence.1);
        };
        if criterion == Criterion::Mcdc {
            let pairs = pairs(decision, condition);
            let ways: Vec<Vec<usize>> = pairs.iter().map(|&(yes, no)| vec![yes, no]).collect();
            add(ObjectiveKind::Independence, "", &ways);
            found.pair = shown(lowered, condition, &pairs, &own);
        } else {
            for (holds, name) in [(true, ".true"), (false, ".false")] {
                let value = holds != lowered.exchanged[condition];
                let is_one = |k: &usize| decision.evaluations[*k].values[condition] == Some(value);
                let ways: Vec<Vec<usize>> = (0..own.len()).filter(is_one).map(|k| vec![k]).collect();
                add(ObjectiveKind::Outcome(holds), name, &ways);
            }
        }
        found
    });
    let conditions = conditions.collect();
    let evaluation = |(evaluation, objective): (&Evaluation, Objective)| EvaluationResult {
        values: written(lowered, evaluation),
        outcome: evaluation.outcome,
        objective,
    };
    let evaluations = decision.evaluations.iter().zip(own).map(evaluation).collect();
    DecisionResult { span: span(lowered), conditions, evaluations }
}

/// The values of the conditions as the source has them.
fn written(lowered: &LoweredDecision, evaluation: &Evaluation) -> Vec<Option<bool>> {
    let values = evaluation.values.iter().zip(&lowered.exchanged);
    values.map(|(value, exchanged)| value.map(|value| value != *exchanged)).collect()
}

/// Whether a condition decides an evaluation: its other value may lead to the other outcome.
fn decides(decision: &Decision, evaluation: &Evaluation, condition: usize) -> bool {
    let Some(value) = evaluation.values[condition] else { return false };
    let mut open = vec![decision.conditions[condition].next[usize::from(!value)]];
    while let Some(next) = open.pop() {
        match next {
            Next::Outcome(outcome) if outcome != evaluation.outcome => return true,
            Next::Outcome(_) => {}
            Next::Condition(other) => {
                let all = decision.conditions[other].next;
                match evaluation.values[other] {
                    Some(value) => open.push(all[usize::from(value)]),
                    None => open.extend(all),
                }
            }
        }
    }
    false
}

/// The pairs of evaluations that show that a condition decides alone; it has the value 1 in the first one.
fn pairs(decision: &Decision, condition: usize) -> Vec<(usize, usize)> {
    let all = &decision.evaluations;
    let deciding = |value: bool| {
        let is_one = move |k: &usize| {
            all[*k].values[condition] == Some(value) && decides(decision, &all[*k], condition)
        };
        (0..all.len()).filter(is_one)
    };
    let partners = |yes: usize| {
        deciding(false).filter(move |no| all[*no].outcome != all[yes].outcome).map(move |no| (yes, no))
    };
    deciding(true).flat_map(partners).collect()
}

/// What is known of a goal that is reached if all evaluations of one of these ways are; and if none can be, the evaluations
/// that exclude them.
fn some_way(ways: &[Vec<usize>], own: &[Objective]) -> (Vec<Evidence>, Vec<usize>) {
    let is_covered = |k: &usize| own[*k].verdict == Verdict::Covered;
    if let Some(way) = ways.iter().find(|way| way.iter().all(is_covered)) {
        let tests = way.iter().map(|&k| own[k].tests.first().copied());
        return (tests.map(|test| Evidence::reached(Method::Run, test, Vec::new())).collect(), Vec::new());
    }
    // Each way is as impossible as the most impossible of its evaluations, and all of them as the least impossible way.
    let strength = |k: usize| match own[k].verdict {
        Verdict::Unreachable if !own[k].assumes_memory_safety => 3,
        Verdict::Unreachable | Verdict::Doomed => 2,
        Verdict::UnreachableWithin(_) => 1,
        Verdict::Covered | Verdict::Unknown(_) => 0,
    };
    let best = |way: &Vec<usize>| way.iter().copied().max_by_key(|&k| (strength(k), Reverse(k)));
    let excluded: BTreeSet<usize> = ways.iter().filter_map(best).collect();
    let Some(weakest) = excluded.iter().copied().min_by_key(|&k| strength(k)) else {
        // The other conditions leave it nothing to decide, whatever they are.
        return (vec![Evidence::not_reached(Method::Cover, Vec::new())], Vec::new());
    };
    let by = own[weakest].settled_by.unwrap_or(Method::Cover);
    let evidence = match &own[weakest].verdict {
        Verdict::Unreachable | Verdict::Doomed => {
            let premises = own[weakest].assumes_memory_safety.then_some(Premise::MemorySafety);
            let proof = Evidence::not_reached(by, premises.into_iter().collect());
            Evidence { explanation: own[weakest].explanation.clone(), ..proof }
        }
        Verdict::UnreachableWithin(bound) => Evidence::not_reached_within(by, *bound),
        Verdict::Covered | Verdict::Unknown(_) => {
            let reason = ways.iter().flatten().find_map(|&k| match &own[k].verdict {
                Verdict::Unknown(reason) => Some(reason.clone()),
                _ => None,
            });
            return (
                vec![Evidence::open(Method::Run, reason.unwrap_or(Code::NotReached.into()))],
                Vec::new(),
            );
        }
    };
    (vec![evidence], excluded.into_iter().collect())
}

/// The pair that tests show: of the unique-cause form if there is one.
fn shown(
    lowered: &LoweredDecision,
    condition: usize,
    pairs: &[(usize, usize)],
    own: &[Objective],
) -> Option<Pair> {
    let covered =
        pairs.iter().filter(|(yes, no)| [yes, no].iter().all(|&&k| own[k].verdict == Verdict::Covered));
    let pair = |&(yes, no): &(usize, usize)| {
        let test = |k: usize| own[k].tests.first().copied();
        let is_unique_cause = is_unique_cause(lowered, condition, yes, no);
        let (yes, no) = if lowered.exchanged[condition] { (no, yes) } else { (yes, no) };
        Pair { evaluations: (yes, no), tests: (test(yes), test(no)), is_unique_cause }
    };
    covered
        .map(pair)
        .min_by_key(|pair| (!pair.is_unique_cause, pair.tests.0.is_none() || pair.tests.1.is_none()))
}

fn is_unique_cause(lowered: &LoweredDecision, condition: usize, yes: usize, no: usize) -> bool {
    let all = &lowered.decision.evaluations;
    (0..lowered.decision.conditions.len()).filter(|other| *other != condition).all(|other| {
        match (all[yes].values[other], all[no].values[other]) {
            (Some(a), Some(b)) => a == b,
            (None, None) => true,
            _ => !lowered.is_coupled(condition, other),
        }
    })
}

/// An objective about a condition, with its verdict.
/// An objective with what this evidence says of it.
fn settled(mut objective: Objective, evidence: Vec<Evidence>) -> Objective {
    let mut ledger = Ledger::new(1);
    ledger.record_all(evidence.into_iter().map(|evidence| (GoalId(0), evidence)));
    objective.take(&ledger, GoalId(0));
    objective
}
