//! The truth about a program, written into it, against what an engine says.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use footpath_cover as cover;
use footpath_cover::{CoverOptions, Objective, ObjectiveKind, Outcome, ProcedureCover, Verdict};
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_ir::{ProcId, Program};

/// What is true of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Some execution runs through it and returns.
    Covered,
    /// It is reached, but all executions through it fail or block.
    Doomed,
    /// No execution reaches it.
    Unreachable,
    /// Its assertion can be violated.
    Fails,
    /// Its assertion cannot be violated.
    Holds,
    /// Some execution takes its branch, which has no statement of its own, and returns.
    Taken,
    /// No execution takes that branch.
    Untaken,
}

/// A truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truth {
    /// The line, from 1.
    pub line: u32,
    /// What is true of it.
    pub claim: Claim,
    /// How many rounds of each loop it takes to show; 0 if no loop matters.
    pub rounds: u32,
    /// Whether the default algorithm may fail to find out.
    pub hard: bool,
}

impl Truth {
    /// Whether an engine may say this of a line with this truth.
    fn allows(&self, verdict: &Verdict) -> bool {
        match (self.claim, verdict) {
            (_, Verdict::Unknown(_)) => true,
            (Claim::Covered | Claim::Fails | Claim::Taken, Verdict::Covered) => true,
            (Claim::Covered | Claim::Fails | Claim::Taken | Claim::Doomed, Verdict::UnreachableWithin(k)) => {
                *k < self.rounds
            }
            (Claim::Doomed, Verdict::Doomed) => true,
            (
                Claim::Unreachable | Claim::Holds | Claim::Untaken,
                Verdict::Unreachable | Verdict::UnreachableWithin(_),
            ) => true,
            _ => false,
        }
    }

    /// Whether the truth is about this objective: an assertion that starts on its line, or statements that
    /// stretch over its line.
    fn is_about(&self, objective: &Objective, sources: &SourceMap) -> bool {
        let (start, end) = sources.range(objective.span);
        match (self.claim, objective.kind) {
            (Claim::Fails | Claim::Holds, ObjectiveKind::Failure(_)) => start.line == self.line,
            (Claim::Covered | Claim::Doomed | Claim::Unreachable, ObjectiveKind::Statement) => {
                start.line <= self.line && self.line <= end.line
            }
            (Claim::Taken | Claim::Untaken, ObjectiveKind::Branch) => start.line == self.line,
            _ => false,
        }
    }
}

/// All truths of a program's text.
///
/// # Errors
/// If a comment looks like a truth and is none: a misspelt one must not be taken for no truth.
pub fn truths(text: &str) -> Result<Vec<Truth>, String> {
    let mut truths = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let Some((code, comment)) = line.split_once("//@ ") else { continue };
        // Commands, and the source in their output.
        if code.trim().is_empty() || code.starts_with("//") {
            continue;
        }
        let mut words = comment.split_whitespace();
        let word = words.next().unwrap_or_default();
        let claim = match word.trim_end_matches('?') {
            "covered" => Claim::Covered,
            "doomed" => Claim::Doomed,
            "unreachable" => Claim::Unreachable,
            "taken" => Claim::Taken,
            "untaken" => Claim::Untaken,
            "fails" => Claim::Fails,
            "holds" => Claim::Holds,
            _ => return Err(format!("line {}: `{comment}` is no truth", i + 1)),
        };
        let rounds = words.next().map_or(Ok(0), str::parse).map_err(|_| format!("line {}: rounds", i + 1))?;
        truths.push(Truth { line: i as u32 + 1, claim, rounds, hard: word.ends_with('?') });
    }
    Ok(truths)
}

/// Covers all procedures of a file and compares the verdicts with the truth. With `decisive`, unknown is a
/// good answer only where the truth says so.
///
/// A program without truths passes: it may be one that cannot be read.
///
/// Also checks what must hold of any result: an objective that is covered has a test, a test that covers an objective
/// is named by it, and a covered failure has a test that fails.
///
/// # Errors
/// All contradictions, one on a line.
pub fn check_truth(path: &Path, options: &CoverOptions, decisive: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let truths = truths(&text)?;
    if truths.is_empty() {
        return Ok(());
    }
    let mut sources = SourceMap::new();
    let file = sources.add(SourceFile::new(path.display().to_string(), text));
    let (program, diagnostics) = footpath_frontend::boogie::read(&[file], &sources);
    let program = readable(program, &diagnostics, &sources)?;
    let procedures: Vec<ProcId> = program.ids().collect();
    let covers = cover::cover(&program, &procedures, options, &AtomicBool::new(false), &|_| {})
        .map_err(|e| e.to_string())?;
    let objectives = || covers.iter().flat_map(|c| &c.objectives);
    let mut complaints = String::new();
    for truth in &truths {
        let about: Vec<&Objective> = objectives().filter(|o| truth.is_about(o, &sources)).collect();
        if about.is_empty() {
            let _ = writeln!(complaints, "  line {}: nothing to cover, but {:?}", truth.line, truth.claim);
        }
        // A line may hold several assertions (invariants at entry and after a round): one that fails is enough.
        let one_suffices = truth.claim == Claim::Fails && about.iter().any(|o| o.verdict == Verdict::Covered);
        for o in about {
            let is_open = matches!(o.verdict, Verdict::Unknown(_));
            let is_good = truth.allows(&o.verdict) && !(decisive && is_open && !truth.hard);
            if !is_good && !one_suffices {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truths_stand_at_the_end_of_lines_of_code() {
        let found = truths(
            "x := 1; //@ covered 3\n//@ run: cover\n//| 1 | x := 1; //@ covered 3\nassert b; //@ holds?\n",
        )
        .expect("truths");
        let first = Truth { line: 1, claim: Claim::Covered, rounds: 3, hard: false };
        let second = Truth { line: 4, claim: Claim::Holds, rounds: 0, hard: true };
        assert_eq!(found, [first, second]);
        assert!(truths("x := 1; //@ coverd\n").is_err());
    }

    #[test]
    fn unknown_contradicts_nothing_and_a_bound_only_what_it_includes() {
        let covered = Truth { line: 1, claim: Claim::Covered, rounds: 3, hard: false };
        assert!(covered.allows(&Verdict::Unknown("time".to_owned())));
        assert!(covered.allows(&Verdict::UnreachableWithin(2)));
        assert!(!covered.allows(&Verdict::UnreachableWithin(3)));
        assert!(!covered.allows(&Verdict::Doomed));
        let holds = Truth { line: 1, claim: Claim::Holds, rounds: 0, hard: false };
        assert!(holds.allows(&Verdict::UnreachableWithin(9)));
        assert!(!holds.allows(&Verdict::Covered));
    }
}
