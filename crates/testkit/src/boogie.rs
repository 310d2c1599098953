//! Boogie programs against their truths, by the cover engine as a library: its options have no flags for all of what is tried here.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use footpath_cover as cover;
use footpath_cover::{CoverOptions, Objective, ObjectiveKind, Outcome, ProcedureCover, Verdict};
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{ProcId, Program};

use crate::truth::{Answer, Judgement, Truth, truths};

/// What the cover engine says, as everybody says it.
fn answer(verdict: &Verdict) -> Answer {
    match verdict {
        Verdict::Covered => Answer::Runs,
        Verdict::Doomed => Answer::Doomed,
        Verdict::Unreachable => Answer::Never,
        Verdict::UnreachableWithin(bound) => {
            bound.iterations().map_or_else(|| Answer::Unknown(bound.to_string()), Answer::NeverWithin)
        }
        Verdict::Unknown(why) => Answer::Unknown(why.to_string()),
    }
}

/// Whether the truth is about this objective: an assertion that starts on its line, or statements that stretch over its line.
fn is_about(truth: &Truth, objective: &Objective, sources: &SourceMap) -> bool {
    let (start, end) = sources.range(objective.span);
    match objective.kind {
        ObjectiveKind::Failure(_) => truth.claim.is_about_a_check() && start.line == truth.line,
        ObjectiveKind::Statement => {
            truth.claim.is_about_code() && start.line <= truth.line && truth.line <= end.line
        }
        ObjectiveKind::Branch => truth.claim.is_about_a_branch() && start.line == truth.line,
    }
}

/// Covers all procedures of a file and compares the verdicts with the truth. With `decisive`, unknown is a good answer
/// only where the truth says so.
///
/// A program without truths passes: it may be one that cannot be read.
///
/// Also checks what must hold of any result: an objective that is covered has a test, a test that covers an objective
/// is named by it, and a covered failure has a test that fails.
///
/// # Errors
/// All contradictions, one on a line.
pub fn check_boogie(path: &Path, options: &CoverOptions, decisive: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let truths = truths(&text)?;
    if truths.is_empty() {
        return Ok(());
    }
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new(path.display().to_string(), text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    let program = footpath_driver::claims::unbelieved(&readable(program, &diagnostics, &sources)?);
    let procedures: Vec<ProcId> = program.ids().collect();
    let covers = cover::cover(&program, &procedures, options, &AtomicBool::new(false), &|_| {})
        .map_err(|e| e.to_string())?;
    let mut complaints = String::new();
    for truth in &truths {
        let objectives = covers.iter().flat_map(|c| &c.objectives);
        let about: Vec<&Objective> = objectives.filter(|o| is_about(truth, o, &sources)).collect();
        if about.is_empty() {
            let _ = writeln!(complaints, "  line {}: nothing to cover, but {:?}", truth.line, truth.claim);
        }
        let judged: Vec<(&Objective, Judgement)> =
            about.iter().map(|o| (*o, truth.judge(&answer(&o.verdict)))).collect();
        // A line may hold several assertions (invariants at entry and after a round): one that fails is enough.
        let shown = truth.claim.is_about_a_check() && truth.claim != crate::Claim::Holds;
        if shown && judged.iter().any(|(_, j)| *j == Judgement::True) {
            continue;
        }
        for (o, judgement) in judged {
            let is_open = matches!(o.verdict, Verdict::Unknown(_));
            if judgement == Judgement::Wrong || decisive && is_open && !truth.hard {
                let (name, verdict) = (&o.name, &o.verdict);
                let _ = writeln!(
                    complaints,
                    "  line {}: {:?}, but {name} is {verdict:?}",
                    truth.line, truth.claim
                );
            }
        }
    }
    for cover in &covers {
        let name = &program[cover.procedure].name;
        complaints.push_str(&inconsistencies(cover, name));
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}

fn readable(
    program: Option<Program>,
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
) -> Result<Program, String> {
    let errors: Vec<String> = diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| {
            let place = d.span.map(|s| sources.range(s).0.to_string()).unwrap_or_default();
            format!("  {place}: {}", d.message)
        })
        .collect();
    match program {
        Some(program) if errors.is_empty() => Ok(program),
        _ => Err(format!("  cannot be read\n{}\n", errors.join("\n"))),
    }
}

fn inconsistencies(cover: &ProcedureCover, procedure: &str) -> String {
    let mut complaints = String::new();
    for (i, o) in cover.objectives.iter().enumerate() {
        let name = &o.name;
        if (o.verdict == Verdict::Covered) == o.tests.is_empty() {
            let _ = writeln!(complaints, "  {procedure}/{name}: {:?} with tests {:?}", o.verdict, o.tests);
        }
        for &t in &o.tests {
            let Some(test) = cover.tests.get(t) else {
                let _ = writeln!(complaints, "  {procedure}/{name}: there is no test {t}");
                continue;
            };
            if !test.covers.contains(&i) {
                let _ =
                    writeln!(complaints, "  {procedure}/{name}: test {t} does not know that it covers it");
            }
            let fails = matches!(test.outcome, Outcome::Failed(..));
            if fails != matches!(o.kind, ObjectiveKind::Failure(_)) {
                let _ = writeln!(
                    complaints,
                    "  {procedure}/{name}: {:?} by a test that ends so: {:?}",
                    o.kind, test.outcome
                );
            }
        }
    }
    complaints
}
