//! What is said of decisions: how many of their conditions are covered, and each with its pair of tests or the reason why there is
//! none.

use std::ops::AddAssign;

use footpath_driver::{ConditionResult, DecisionResult, FunctionResult, ObjectiveKind, Verdict};
use footpath_ir::source::{SourceMap, Span};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::counts::is_spare;
use super::{assumption, json, reason};
use crate::counts::plural;

/// A Boolean expression of the source.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Decision {
    /// Where it stands, from its first condition to its last.
    pub span: crate::json::Span,
    /// Its conditions, in the order of the text.
    pub conditions: Vec<Condition>,
    /// The ways in which it can be evaluated; none if there are too many.
    pub evaluations: Vec<Evaluation>,
}

/// A condition of a decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Condition {
    /// As it is written.
    pub text: String,
    /// What was to be covered: that it decides alone (`mcdc`), or that it is `condition_true` and `condition_false`.
    pub objectives: Vec<json::Objective>,
    /// The evaluations that show that it decides alone, by position from 0: first the one in which it is true. Null if there are none.
    pub pair: Option<[usize; 2]>,
    /// A test with each of them; null if only tests of other functions have it.
    pub tests: Option<[Option<usize>; 2]>,
    /// Whether no other condition changes between them; null without a pair.
    pub unique_cause: Option<bool>,
    /// The evaluations whose proofs show that it is infeasible, by position from 0.
    pub excluded_by: Vec<usize>,
}

/// A way in which a decision can be evaluated.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Evaluation {
    /// What each condition is, as it is written; null where it is not evaluated.
    pub values: Vec<Option<bool>>,
    /// The outcome.
    pub outcome: bool,
    /// Whether there is such an evaluation.
    pub objective: json::Objective,
}

impl Decision {
    pub(super) fn of(sources: &SourceMap, decision: &DecisionResult) -> Decision {
        let condition = |c: &ConditionResult| Condition {
            text: text(sources, c.span),
            objectives: c.objectives.iter().map(|o| json::objective(sources, o)).collect(),
            pair: c.pair.map(|pair| [pair.evaluations.0, pair.evaluations.1]),
            tests: c.pair.map(|pair| [pair.tests.0, pair.tests.1]),
            unique_cause: c.pair.map(|pair| pair.is_unique_cause),
            excluded_by: c.excluded_by.clone(),
        };
        let evaluation = |e: &footpath_driver::EvaluationResult| Evaluation {
            values: e.values.clone(),
            outcome: e.outcome,
            objective: json::objective(sources, &e.objective),
        };
        Decision {
            span: crate::json::span(sources, decision.span),
            conditions: decision.conditions.iter().map(condition).collect(),
            evaluations: decision.evaluations.iter().map(evaluation).collect(),
        }
    }
}

/// How many conditions, or values of conditions, ended how.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Tally {
    pub(super) covered: usize,
    pub(super) infeasible: usize,
    pub(super) all: usize,
    /// Whether it is about conditions that decide alone.
    is_mcdc: bool,
}

impl Tally {
    pub(super) fn of(function: &FunctionResult) -> Tally {
        let mut tally = Tally::default();
        let conditions = function.decisions.iter().flat_map(|decision| &decision.conditions);
        let objectives = conditions.flat_map(|condition| &condition.objectives);
        for objective in objectives.filter(|o| !is_spare(o)) {
            tally.all += 1;
            tally.covered += usize::from(objective.verdict == Verdict::Covered);
            tally.infeasible += usize::from(objective.verdict.is_infeasible());
            tally.is_mcdc |= objective.kind == ObjectiveKind::Independence;
        }
        tally
    }

    pub(super) fn of_all(functions: &[FunctionResult]) -> Tally {
        let mut sum = Tally::default();
        functions.iter().for_each(|function| sum += Tally::of(function));
        sum
    }

    /// One line; nothing if there are no decisions.
    pub(super) fn words(&self) -> Option<String> {
        if self.all == 0 {
            return None;
        }
        let (criterion, what) = if self.is_mcdc { ("MC/DC", "condition") } else { ("conditions", "outcome") };
        let open = self.all - self.covered - self.infeasible;
        let mut text = format!("{criterion} {} of {}", self.covered, plural(self.all, what));
        if self.infeasible > 0 {
            text.push_str(&format!(", {} infeasible", self.infeasible));
        }
        if open > 0 {
            text.push_str(&format!(", {open} unknown"));
        }
        Some(text)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.covered += other.covered;
        self.infeasible += other.infeasible;
        self.all += other.all;
        self.is_mcdc |= other.is_mcdc;
    }
}

/// A source range on one line.
pub(super) fn text(sources: &SourceMap, span: Span) -> String {
    let words: Vec<&str> = sources.text(span).split_whitespace().collect();
    words.join(" ")
}

/// The values of the conditions in an evaluation: `T F -`, where the last one is not evaluated.
pub(super) fn values(decision: &DecisionResult, evaluation: usize) -> String {
    let letter = |value: &Option<bool>| match value {
        Some(true) => "T",
        Some(false) => "F",
        None => "-",
    };
    let letters: Vec<&str> = decision.evaluations[evaluation].values.iter().map(letter).collect();
    letters.join(" ")
}

/// What was found out about a condition, one sentence for each objective.
pub(super) fn sentences(decision: &DecisionResult, condition: &ConditionResult) -> Vec<String> {
    let excluded: Vec<String> = condition.excluded_by.iter().map(|&k| values(decision, k)).collect();
    let because = match &excluded[..] {
        [] => "the other conditions leave it nothing to decide".to_owned(),
        all => format!("no input evaluates the decision as {}", all.join(" or ")),
    };
    let sentence = |o: &footpath_driver::Objective| {
        let (yes, no) = match o.kind {
            ObjectiveKind::Outcome(true) => ("true", "never true"),
            ObjectiveKind::Outcome(false) => ("false", "never false"),
            _ => ("decides", "cannot decide alone"),
        };
        match (&o.verdict, &condition.pair) {
            (Verdict::Covered, Some(pair)) => {
                let side = |evaluation, test: Option<usize>| {
                    let test = test.map_or("a test of another function".to_owned(), |n| format!("test {n}"));
                    format!("{} in {test}", values(decision, evaluation))
                };
                let form = if pair.is_unique_cause { "unique-cause" } else { "masking" };
                let (first, second) =
                    (side(pair.evaluations.0, pair.tests.0), side(pair.evaluations.1, pair.tests.1));
                format!("{yes} ({form}): {first}, {second}")
            }
            (Verdict::Covered, None) => match o.tests.first() {
                Some(test) => format!("{yes} in test {test}"),
                None => format!("{yes} in a test of another function"),
            },
            (Verdict::UnreachableWithin(bound), _) => format!("{no} within {bound}: {because}"),
            (Verdict::Unreachable | Verdict::Doomed, _) => format!("{no}: {because}{}", assumption(o)),
            (Verdict::Unknown(_), _) => {
                format!("unknown whether {}: {}", word(o.kind), reason(o).unwrap_or_default())
            }
        }
    };
    condition.objectives.iter().filter(|o| !is_spare(o)).map(sentence).collect()
}

fn word(kind: ObjectiveKind) -> &'static str {
    match kind {
        ObjectiveKind::Outcome(true) => "it is ever true",
        ObjectiveKind::Outcome(false) => "it is ever false",
        _ => "it can decide alone",
    }
}
