//! Whether commands agree: what one of them has a test for, no other may exclude.
//!
//! The corpus has truths of programs that were written here. Of any other program no truth is known, but a command that
//! shows a run claims one, and the others are judged by it as by those of the corpus ([`Truth::judge`]):
//!
//! ```text
//! test      division at json.c:312:9 covered        the truth: it fails
//! verify    division at json.c:312:9 verified       wrong
//! ```
//!
//! A place is the function, the line, the column, and the kind of the check, or else that it is code. A macro puts several checks in one
//! place: then a command contradicts another only if it excludes them all.
//!
//! **Direction of error.** Which of the two is wrong stays open. What is excluded within a bound or under an assumption that a
//! failing run may break contradicts nothing, so that a wrong one of these passes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::answers::{About, Said, answers};
use crate::truth::{Answer, Claim, Judgement, Truth};

/// A report of a command about one file.
pub struct Report {
    /// The command, as contradictions name it.
    pub command: String,
    said: Vec<Said>,
}

/// What reports say together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Agreement {
    /// How many pairs of answers were compared, of which one shows a run.
    pub compared: usize,
    /// How many of them one excludes under an assumption or within a bound only.
    pub weaker: usize,
    /// What is contradictory, each with a line for either command.
    pub contradictions: BTreeSet<String>,
}

impl Report {
    /// Reads what a command printed with `--format json`.
    ///
    /// # Errors
    /// If it is no report, or tells of an error.
    pub fn read(command: &str, text: &str, file: &Path) -> Result<Report, String> {
        let value = serde_json::from_str(text).map_err(|e| format!("{command} prints no JSON: {e}"))?;
        let said = answers(&value, file).map_err(|why| format!("{command}: {}", why.trim()))?;
        Ok(Report { command: command.to_owned(), said })
    }

    /// The lines on which code begins about which it has an answer.
    pub fn lines_of_code(&self) -> BTreeSet<u32> {
        self.said.iter().filter(|said| said.about == About::Code).map(|said| said.first).collect()
    }
}

/// Compares what commands say of one file.
pub fn compare(reports: &[Report]) -> Agreement {
    let mut agreement = Agreement::default();
    let mut first_columns: BTreeMap<u32, u32> = BTreeMap::new();
    let code =
        reports.iter().flat_map(|r| &r.said).filter(|said| said.about == About::Code && said.column > 0);
    for said in code {
        let first = first_columns.entry(said.first).or_insert(said.column);
        *first = said.column.min(*first);
    }
    for shows in reports {
        let runs = |said: &&Said| matches!(said.answer, Answer::Runs | Answer::Reached);
        for shown in shows.said.iter().filter(runs) {
            for other in reports {
                let about: Vec<&Said> =
                    other.said.iter().filter(|said| is_about(said, shown, &first_columns)).collect();
                // That a command says the same as itself is nothing to count.
                let (compared, weaker) = (agreement.compared, agreement.weaker);
                judge(shown, &shows.command, &about, &other.command, &mut agreement);
                if std::ptr::eq(shows, other) {
                    (agreement.compared, agreement.weaker) = (compared, weaker);
                }
            }
        }
    }
    agreement
}

/// Whether an answer is about the place of another. What is about a line is about the first code on it.
fn is_about(said: &Said, shown: &Said, first_columns: &BTreeMap<u32, u32>) -> bool {
    let place = |said: &Said| match said.column {
        0 => (said.first, first_columns.get(&said.first).copied().unwrap_or_default()),
        column => (said.first, column),
    };
    let is_one_function =
        said.function == shown.function || said.function.is_empty() || shown.function.is_empty();
    let is_place = match (&said.about, &shown.about) {
        (About::Checks, About::Check(_)) => {
            !shown.function.is_empty() && said.first <= shown.first && shown.first <= said.last
        }
        (a, b) => a == b && place(said) == place(shown),
    };
    is_one_function && is_place
}

/// Counts what a command says of a place that another one has a run for.
fn judge(shown: &Said, by: &str, about: &[&Said], other: &str, agreement: &mut Agreement) {
    let (claim, kind) = match &shown.about {
        About::Check(kind) => (Claim::Fails, kind.clone()),
        About::Code | About::Checks => (Claim::Covered, String::new()),
    };
    let truth = Truth { line: shown.first, claim, kind, rounds: u32::MAX, hard: true };
    let decided = |said: &&&Said| !matches!(said.answer, Answer::Unknown(_));
    let is = |wanted: Judgement| move |said: &&Said| truth.judge(&said.answer) == wanted;
    agreement.compared += about.iter().filter(decided).count();
    agreement.weaker += about.iter().filter(decided).copied().filter(is.clone()(Judgement::Less)).count();
    if about.is_empty() || !about.iter().copied().all(|said| is.clone()(Judgement::Wrong)(&said)) {
        return;
    }
    let what = match &shown.about {
        About::Check(kind) => kind.as_str(),
        About::Code | About::Checks => "code",
    };
    let mut text = format!("{}:{} {what} in {}", shown.first, shown.column, about[0].function);
    let _ = write!(text, "\n    {by}: {} {:?}", shown.name, shown.answer);
    let _ = write!(text, "\n    {other}: {} {:?}", about[0].name, about[0].answer);
    agreement.contradictions.insert(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(command: &str, said: Vec<Said>) -> Report {
        Report { command: command.to_owned(), said }
    }

    fn said(about: About, line: u32, answer: Answer) -> Said {
        let function = "f".to_owned();
        Said { about, function, first: line, column: 5, last: line, answer, name: "it".to_owned() }
    }

    fn division(answer: Answer) -> Said {
        said(About::Check("division".to_owned()), 3, answer)
    }

    #[test]
    fn what_one_command_has_a_run_for_no_other_may_exclude() {
        let count = |of_test: Vec<Said>, of_verify: Vec<Said>| {
            compare(&[report("test", of_test), report("verify", of_verify)]).contradictions.len()
        };
        let runs = || vec![division(Answer::Runs)];
        assert_eq!(count(runs(), vec![division(Answer::Never)]), 1);
        assert_eq!(count(runs(), vec![division(Answer::NeverUnder("a1".to_owned()))]), 0);
        assert_eq!(count(runs(), vec![division(Answer::NeverWithin(4))]), 0);
        assert_eq!(count(runs(), vec![division(Answer::Never), division(Answer::Runs)]), 0);
        assert_eq!(count(runs(), vec![said(About::Checks, 3, Answer::Never)]), 1);
        assert_eq!(count(runs(), vec![said(About::Code, 3, Answer::Never)]), 0);
        let code = |answer| vec![said(About::Code, 3, answer)];
        assert_eq!(count(code(Answer::Runs), code(Answer::NeverUnder("no bad access".to_owned()))), 1);
    }
}
