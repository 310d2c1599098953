//! The findings of a run in the order in which a reader should see them: what fails, then what is never executed.
//!
//! One finding is one thing to do. Failures of one kind on one line are one, as are those of a function that need the same condition,
//! and blocks and branches that have the same explanation, or none and stand next to each other. Failures that a test ends by, or a sanitizer saw, come first.

use std::collections::{BTreeMap, BTreeSet};

use footpath_driver::{
    DIVISION_CRASH, FailureClass, FunctionResult, Need, Objective, ObjectiveKind, Precondition, Status,
};
use footpath_ir::AssertKind;
use footpath_ir::source::{SourceMap, Span};

use super::counts::{is_demand, is_failing, is_infeasible};
use super::kinds::{self, Kind};
use crate::counts::plural;

/// How much a finding matters; the first comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Rank {
    /// A failure that was seen outside the program form, too.
    Confirmed,
    /// A failure.
    Failing,
    /// Code that no input executes.
    Dead,
}

/// Something to do.
pub(crate) struct Finding<'a> {
    pub(crate) rank: Rank,
    pub(crate) kind: Kind,
    pub(crate) function: &'a FunctionResult,
    /// Where it stands.
    pub(crate) span: Span,
    /// The objectives that it is about, at least one; the first says it best.
    pub(crate) objectives: Vec<&'a Objective>,
}

impl Finding<'_> {
    /// Why a check fails that other inputs would pass if the path did not exclude them, and at how many more places.
    pub(crate) fn reason(&self, sources: &SourceMap) -> Option<String> {
        let condition = needs(self.objectives[0])?;
        let lines: BTreeSet<u32> = self.objectives.iter().map(|o| sources.range(o.span).0.line).collect();
        let more = match lines.len() {
            0 | 1 => String::new(),
            n => format!(", here and on {}", plural(n - 1, "other line")),
        };
        Some(format!("`{condition}` does not hold{more}"))
    }
}

/// All findings, the most important first.
pub(crate) fn findings<'a>(sources: &SourceMap, functions: &'a [FunctionResult]) -> Vec<Finding<'a>> {
    let mut all: Vec<Finding<'a>> = functions.iter().flat_map(|f| of_function(sources, f)).collect();
    all.sort_by_key(|finding| finding.rank);
    all
}

fn of_function<'a>(sources: &SourceMap, function: &'a FunctionResult) -> Vec<Finding<'a>> {
    let mut all = failing(sources, function);
    let groups = infeasible(sources, function);
    if function.uncalled {
        let objectives: Vec<&Objective> = groups.into_iter().flatten().collect();
        if !objectives.is_empty() {
            let (kind, span) = (kinds::UNCALLED, function.span);
            all.push(Finding { rank: Rank::Dead, kind, function, span, objectives });
        }
        return all;
    }
    for mut group in groups {
        // The block says it best; a branch stands for itself only if it has no block.
        let main = group.iter().position(|o| o.kind == ObjectiveKind::Block).unwrap_or(0);
        group.swap(0, main);
        let kind = kinds::of(group[0]).unwrap_or(kinds::DEAD);
        all.push(Finding { rank: Rank::Dead, kind, function, span: group[0].span, objectives: group });
    }
    all
}

fn failing<'a>(sources: &SourceMap, function: &'a FunctionResult) -> Vec<Finding<'a>> {
    let line = |o: &Objective| (o.span.file, sources.range(o.span).0.line);
    let mut all: Vec<Finding<'a>> = Vec::new();
    for o in function.objectives.iter().filter(|o| is_failing(o)) {
        let Some(kind) = kinds::of(o) else { continue };
        let is_seen =
            o.confirmed == Some(true) || o.tests.first().is_some_and(|&n| crash(function, o, n).is_some());
        let rank = if is_seen { Rank::Confirmed } else { Rank::Failing };
        let is_same = |known: &Objective| {
            line(known) == line(o) || needs(known).is_some_and(|condition| needs(o) == Some(condition))
        };
        match all.iter_mut().find(|f| f.kind == kind && is_same(f.objectives[0])) {
            Some(known) => {
                known.rank = known.rank.min(rank);
                known.objectives.push(o);
            }
            None => all.push(Finding { rank, kind, function, span: o.span, objectives: vec![o] }),
        }
    }
    all
}

/// The condition in C that a check needs and that the path to its failure excludes.
pub(crate) fn needs(objective: &Objective) -> Option<&str> {
    match &objective.failure {
        Some(FailureClass::Manifest { needs }) => needs.as_deref(),
        _ => None,
    }
}

/// The function that causes a failure, if one of the program does.
pub(crate) fn cause(objective: &Objective) -> Option<&str> {
    match &objective.failure {
        Some(FailureClass::Caused(name)) => Some(name),
        _ => None,
    }
}

/// How the process of a test ended in which a check fails, if it did not return and that can be because of the check: a program goes
/// on after an overflow, so that it was another mistake by which the process ended.
pub(crate) fn crash(function: &FunctionResult, check: &Objective, test: usize) -> Option<String> {
    use AssertKind::{
        Bool, Builtin, Division, FloatCast, Nonnull, Overflow, Shift, Subobject, Uninitialised,
    };
    use footpath_driver::TestOutcome;
    let crash = match &function.tests.get(test.checked_sub(1)?)?.outcome {
        TestOutcome::Failed { crash, .. } => crash.as_ref()?,
        TestOutcome::Other(crash) => crash,
        TestOutcome::Returned(_) | TestOutcome::Exited => return None,
    };
    let can_be = match check.kind {
        // Also of the least number by -1.
        ObjectiveKind::Check(Division | Overflow) => crash == DIVISION_CRASH,
        ObjectiveKind::Check(kind) => {
            !matches!(kind, Bool | Builtin | FloatCast | Nonnull | Shift | Subobject | Uninitialised)
        }
        _ => true,
    };
    can_be.then(|| crash.clone())
}

/// Code that no input executes, what has the same explanation together.
pub(crate) fn infeasible<'a>(sources: &SourceMap, function: &'a FunctionResult) -> Vec<Vec<&'a Objective>> {
    let mut groups: Vec<Vec<&Objective>> = Vec::new();
    let line = |o: &Objective| sources.range(o.span).0.line;
    for o in function.objectives.iter().filter(|o| is_infeasible(o)) {
        let fits = |all: &&mut Vec<&Objective>| {
            let first = all[0];
            // Without an explanation, neighbours are taken to be one finding.
            let near = all.last().is_some_and(|l| line(o).abs_diff(line(l)) <= 1);
            first.verdict == o.verdict
                && first.assumes_memory_safety == o.assumes_memory_safety
                && first.explanation == o.explanation
                && (near || !o.explanation.is_empty())
        };
        match groups.iter_mut().find(fits) {
            Some(all) => all.push(o),
            None => groups.push(vec![o]),
        }
    }
    groups
}

/// A demand on callers of a function.
#[derive(Clone, Debug)]
pub(crate) struct Demand<'a> {
    /// The condition in C, or what is needed in words.
    pub(crate) text: String,
    /// Whether the text is C.
    pub(crate) is_c: bool,
    /// Whether each call has to see to it.
    pub(crate) always: bool,
    /// The check that fails otherwise.
    pub(crate) objective: &'a Objective,
}

/// What a function demands of its callers, each thing once.
pub(crate) fn demands<'a>(sources: &SourceMap, function: &'a FunctionResult) -> Vec<Demand<'a>> {
    let mut all: Vec<Demand<'a>> = Vec::new();
    for o in function.objectives.iter().filter(|o| is_demand(o)) {
        let (Some(kind), Some(precondition)) = (kinds::of(o), o.precondition()) else { continue };
        let (text, is_c) = needed(precondition, kind);
        let demand = Demand { text, is_c, always: precondition.always && is_c, objective: o };
        let line = |d: &Demand<'_>| sources.range(d.objective.span).0.line;
        let same = |d: &&mut Demand<'_>| d.text == demand.text && (is_c || line(d) == line(&demand));
        match all.iter_mut().find(same) {
            Some(known) => known.always |= demand.always,
            None => all.push(demand),
        }
    }
    // Who passes a pointer that is not null passes one to a structure.
    let valid: BTreeSet<String> = all.iter().map(|d| d.text.clone()).collect();
    all.retain(|d| match d.objective.precondition().map(|p| &p.need) {
        Some(Need::Whole(name)) => !valid.contains(&format!("{name} != NULL")),
        _ => true,
    });
    // What each call has to see to comes first; `p != NULL` before `p->next != NULL`.
    all.sort_by_key(|d| if d.always { (0, d.text.len()) } else { (1, 0) });
    all
}

/// What a precondition says, and whether that is C.
pub(crate) fn needed(precondition: &Precondition, kind: Kind) -> (String, bool) {
    match &precondition.need {
        Need::Condition(text) => (text.clone(), true),
        Need::Apart([one, other]) => (format!("that `{one}` and `{other}` do not overlap"), false),
        Need::Whole(name) => (format!("a whole structure behind `{name}`"), false),
        Need::OfKind => (kind.demand.to_owned(), false),
    }
}

/// What a function demands, in one line: what each call has to see to, then what is needed on some paths, with their lines.
pub(crate) fn demanded(sources: &SourceMap, function: &FunctionResult) -> Option<String> {
    let all = demands(sources, function);
    let always: Vec<&str> = all.iter().filter(|d| d.always).map(|d| d.text.as_str()).collect();
    let joined = always.iter().map(|text| match always.len() > 1 && text.contains("||") {
        true => format!("({text})"),
        false => (*text).to_owned(),
    });
    let joined = joined.collect::<Vec<String>>().join(" && ");
    let mut parts: Vec<String> = if joined.is_empty() { Vec::new() } else { vec![joined] };
    let mut places: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for demand in all.iter().filter(|d| !d.always) {
        let line = sources.range(demand.objective.span).0.line;
        places.entry(demand.text.as_str()).or_default().insert(line);
    }
    let mut texts: BTreeMap<BTreeSet<u32>, Vec<&str>> = BTreeMap::new();
    for (text, lines) in places {
        texts.entry(lines).or_default().push(text);
    }
    for (lines, texts) in texts {
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        parts.push(format!("for {noun} {}: {}", lines.join(", "), texts.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The name of a function, with its file where others have the same name.
pub(crate) fn label(sources: &SourceMap, functions: &[FunctionResult], function: &FunctionResult) -> String {
    let is_tested = |f: &&FunctionResult| !matches!(f.status, Status::Skipped(_));
    let same = functions.iter().filter(is_tested).filter(|f| f.name == function.name).count();
    match same {
        0 | 1 => function.name.clone(),
        _ => format!("{} ({})", function.name, sources.file(function.span.file).name),
    }
}
