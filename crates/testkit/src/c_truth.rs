//! The truth about a C file, written into it, against what the main job says.
//!
//! | comment | meaning |
//! |---|---|
//! | `//@ covered` | some input executes what starts on this line |
//! | `//@ unreachable` | none does |
//! | `//@ fails KIND` | some input makes a check of this kind on this line fail |
//! | `//@ holds KIND` | none does |
//!
//! A question mark behind the word says that nothing need be found out.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_driver::{Objective, ObjectiveKind, Options, Run, Verdict};

use crate::Claim;

/// A truth.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Truth {
    /// The line, from 1.
    line: u32,
    claim: Claim,
    /// The kind of the check, for those that are about checks.
    check: String,
    /// Whether it may stay unknown.
    hard: bool,
}

fn truths(text: &str) -> Result<Vec<Truth>, String> {
    let mut truths = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let Some((_, comment)) = line.split_once("//@ ") else { continue };
        let mut words = comment.split_whitespace();
        let word = words.next().unwrap_or_default();
        let claim = match word.trim_end_matches('?') {
            "covered" => Claim::Covered,
            "unreachable" => Claim::Unreachable,
            "fails" => Claim::Fails,
            "holds" => Claim::Holds,
            _ => return Err(format!("line {}: `{comment}` is no truth", i + 1)),
        };
        let check = words.next().unwrap_or_default().to_owned();
        if check.is_empty() == matches!(claim, Claim::Fails | Claim::Holds) {
            return Err(format!("line {}: a kind stands behind `fails` and `holds`, and only there", i + 1));
        }
        truths.push(Truth { line: i as u32 + 1, claim, check, hard: word.ends_with('?') });
    }
    Ok(truths)
}

/// Runs the main job on a file and compares the verdicts with the truth. Tests are written into `folder`. Also checks
/// that no test diverges.
///
/// # Errors
/// All contradictions, one on a line.
pub fn check_c_truth(path: &Path, folder: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let truths = truths(&text)?;
    let options = Options {
        files: vec![path.to_owned()],
        timeout: Duration::from_secs(60),
        out: folder.to_owned(),
        ..Options::default()
    };
    let run = footpath_driver::run(&options, &AtomicBool::new(false), &|_| {}).map_err(|e| e.to_string())?;
    let mut complaints = String::new();
    for truth in &truths {
        complaints.push_str(&contradiction(&run, truth));
    }
    for function in &run.functions {
        for (i, test) in function.tests.iter().enumerate().filter(|(_, t)| t.divergence.is_some()) {
            let _ =
                writeln!(complaints, "  {} test {} diverges: {:?}", function.name, i + 1, test.divergence);
        }
        for note in &function.notes {
            let _ = writeln!(complaints, "  {}: {note}", function.name);
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}

/// What is said against a truth.
fn contradiction(run: &Run, truth: &Truth) -> String {
    let objectives = || run.functions.iter().flat_map(|f| &f.objectives);
    let fits = |o: &&Objective| match o.kind {
        ObjectiveKind::Block => truth.check.is_empty(),
        ObjectiveKind::Check(kind) => kind.name() == truth.check,
        ObjectiveKind::Branch(_) => false,
    };
    let lines = |o: &Objective| {
        let (start, end) = run.sources.range(o.span);
        (start.line, end.line)
    };
    let mut about: Vec<&Objective> = objectives().filter(fits).filter(|o| lines(o).0 == truth.line).collect();
    // Where nothing starts, the line is in the middle of a block.
    if about.is_empty() && truth.check.is_empty() {
        about = objectives()
            .filter(fits)
            .filter(|o| lines(o).0 < truth.line && truth.line <= lines(o).1)
            .collect();
    }
    let mut complaints = String::new();
    // A check that always holds may have been left out, and so may code that the compiler sees is dead.
    if about.is_empty() && matches!(truth.claim, Claim::Covered | Claim::Fails) {
        let _ = writeln!(complaints, "  line {}: nothing there, but {:?}", truth.line, truth.claim);
    }
    let one_suffices = truth.claim == Claim::Fails && about.iter().any(|o| o.verdict == Verdict::Covered);
    for o in about {
        let is_good = match (&o.verdict, truth.claim) {
            (Verdict::Unknown(_), _) => truth.hard,
            (Verdict::Covered, claim) => matches!(claim, Claim::Covered | Claim::Fails),
            (Verdict::Unreachable | Verdict::UnreachableWithin(_), claim) => {
                matches!(claim, Claim::Unreachable | Claim::Holds)
            }
        };
        if !is_good && !one_suffices {
            let (id, verdict) = (&o.id, &o.verdict);
            let _ = writeln!(complaints, "  line {}: {:?}, but {id} is {verdict:?}", truth.line, truth.claim);
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truths_about_checks_name_their_kind_and_others_do_not() {
        let found = truths("x = 1; //@ covered\ny = a / b; //@ fails? division\n").expect("truths");
        let first = Truth { line: 1, claim: Claim::Covered, check: String::new(), hard: false };
        let second = Truth { line: 2, claim: Claim::Fails, check: "division".to_owned(), hard: true };
        assert_eq!(found, [first, second]);
        assert!(truths("x; //@ fails\n").is_err());
        assert!(truths("x; //@ covered null\n").is_err());
    }
}
