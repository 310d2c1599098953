//! Truths: what is true of a program, written at the end of its lines, and the one judge of what engines say about it.
//!
//! The reader knows nothing of languages and the judge nothing of engines. An engine's [`Answer`] may say less than the truth,
//! never the contrary: in `return 1; //@ covered` it may be unknown or nothing within a bound whether the line runs, but not
//! that it is unreachable.
//!
//! **Direction of error.** A comment that looks like a truth and is none is refused, so that a misspelt one is not taken
//! for no truth. What nobody wrote down is not judged.

/// What is true of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Some execution runs through it. In Boogie, it returns.
    Covered,
    /// It is reached, but all executions through it fail or block.
    Doomed,
    /// No execution reaches it.
    Unreachable,
    /// Its check can fail.
    Fails,
    /// Its check cannot fail.
    Holds,
    /// Some execution takes its branch, which has no statement of its own, and returns.
    Taken,
    /// No execution takes that branch.
    Untaken,
    /// Compiled programs may run it, if only after an operation that C leaves undefined: that it is unreachable may be said
    /// under an assumption only, and nobody need find a test.
    MayRun,
    /// Compiled programs may fail here, in the same sense.
    MayFail,
}

impl Claim {
    /// Whether it is about a check, instead of code.
    pub fn is_about_a_check(self) -> bool {
        matches!(self, Claim::Fails | Claim::Holds | Claim::MayFail)
    }

    /// Whether it is about a branch without statements.
    pub fn is_about_a_branch(self) -> bool {
        matches!(self, Claim::Taken | Claim::Untaken)
    }

    /// Whether it is about code.
    pub fn is_about_code(self) -> bool {
        !self.is_about_a_check() && !self.is_about_a_branch()
    }
}

/// A truth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// The line, from 1.
    pub line: u32,
    /// What is true of it.
    pub claim: Claim,
    /// The kind of the check that it is about; empty for any.
    pub kind: String,
    /// How many iterations of each loop it takes to show; 0 if no loop matters.
    pub rounds: u32,
    /// Whether the default engine may fail to find out.
    pub hard: bool,
}

/// What an engine says of code or of a check. For a check, to run is to fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A run that was replayed does.
    Runs,
    /// A run that was replayed gets there; what it does then is left open.
    Reached,
    /// It is reached, but no run goes on behind it.
    Doomed,
    /// No run does.
    Never,
    /// No run does in which each loop goes on so many times at most.
    NeverWithin(u32),
    /// No run does on inputs of the sizes that tests have by default, or within another bound that is no number of rounds.
    NeverWithinSizes,
    /// No run does that keeps these assumptions.
    NeverUnder(String),
    /// Nothing is claimed, for this reason.
    Unknown(String),
}

/// How much an answer is worth, given the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It says the truth.
    True,
    /// It says less.
    Less,
    /// It says the contrary.
    Wrong,
}

impl Truth {
    /// What an answer is worth.
    pub fn judge(&self, answer: &Answer) -> Judgement {
        use Claim::{Covered, Doomed, Fails, Holds, MayFail, MayRun, Taken, Unreachable, Untaken};
        let claim = match self.claim {
            Taken => Covered,
            Untaken => Unreachable,
            claim => claim,
        };
        match (claim, answer) {
            (_, Answer::Unknown(_)) => Judgement::Less,
            (Covered | Fails | MayRun | MayFail, Answer::Runs) => Judgement::True,
            (Covered | MayRun, Answer::Reached) => Judgement::True,
            (Doomed, Answer::Reached) => Judgement::Less,
            (Unreachable | Holds, Answer::Never | Answer::NeverWithin(_) | Answer::NeverWithinSizes) => {
                Judgement::True
            }
            // Where code is dead, the only assumption is that accesses stay in their objects, as in C.
            (Unreachable, Answer::NeverUnder(_)) => Judgement::True,
            (Holds | MayRun | MayFail, Answer::NeverUnder(_)) => Judgement::Less,
            // What is assumed is what a failing input breaks.
            (Fails, Answer::NeverUnder(_)) => Judgement::Less,
            (MayRun | MayFail, Answer::NeverWithin(_) | Answer::NeverWithinSizes) => Judgement::Less,
            // What needs larger inputs than tests have is not found out, which the truth has to say.
            (Covered | Fails, Answer::NeverWithinSizes) if self.hard || self.rounds > 0 => Judgement::Less,
            (Covered | Fails | Doomed, Answer::NeverWithin(k)) if *k < self.rounds => Judgement::Less,
            (Doomed, Answer::Doomed) => Judgement::True,
            _ => Judgement::Wrong,
        }
    }
}

/// The truths of a program's text. Several of one line are separated by commas.
///
/// # Errors
/// If a comment looks like a truth and is none.
pub fn truths(text: &str) -> Result<Vec<Truth>, String> {
    let mut truths = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let Some((code, comment)) = line.split_once("//@ ") else { continue };
        // Directives, and the source in their output.
        if code.trim().is_empty() || code.starts_with("//") {
            continue;
        }
        for part in comment.split(',') {
            let truth = truth(i as u32 + 1, part);
            truths.push(truth.ok_or_else(|| format!("line {}: `{}` is no truth", i + 1, part.trim()))?);
        }
    }
    Ok(truths)
}

fn truth(line: u32, text: &str) -> Option<Truth> {
    let mut words = text.split_whitespace().peekable();
    let first = words.next()?;
    let claim = match first.trim_end_matches('?') {
        "covered" => Claim::Covered,
        "doomed" => Claim::Doomed,
        "unreachable" => Claim::Unreachable,
        "taken" => Claim::Taken,
        "untaken" => Claim::Untaken,
        "fails" => Claim::Fails,
        "holds" => Claim::Holds,
        "may" => match words.next()? {
            "run" => Claim::MayRun,
            "fail" => Claim::MayFail,
            _ => return None,
        },
        _ => return None,
    };
    let is_kind = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
    let kind = words.next_if(is_kind).unwrap_or_default().to_owned();
    if !kind.is_empty() && !claim.is_about_a_check() {
        return None;
    }
    let rounds = words.next().map_or(Some(0), |word| word.parse().ok())?;
    let hard = first.ends_with('?') || matches!(claim, Claim::MayRun | Claim::MayFail);
    words.next().is_none().then_some(Truth { line, claim, kind, rounds, hard })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth_of(text: &str) -> Truth {
        truth(1, text).expect("a truth")
    }

    #[test]
    fn truths_stand_at_the_end_of_lines_of_code() {
        let text =
            "x := 1; //@ covered 3\n//@ run: cover\n//| 1 | x := 1; //@ covered 3\nassert b; //@ holds?\n";
        let found = truths(text).expect("truths");
        let plain = Truth { line: 1, claim: Claim::Covered, kind: String::new(), rounds: 3, hard: false };
        let second = Truth { line: 4, claim: Claim::Holds, rounds: 0, hard: true, ..plain.clone() };
        assert_eq!(found, [plain, second]);
        assert!(truths("x := 1; //@ coverd\n").is_err());
    }

    #[test]
    fn a_line_may_have_several_truths_and_those_about_checks_may_name_a_kind() {
        let found = truths("return a / *p; //@ fails division, holds? null, covered\n").expect("truths");
        let of = |t: &Truth| (t.claim, t.kind.clone(), t.hard);
        let found: Vec<_> = found.iter().map(of).collect();
        let expected = [
            (Claim::Fails, "division".to_owned(), false),
            (Claim::Holds, "null".to_owned(), true),
            (Claim::Covered, String::new(), false),
        ];
        assert_eq!(found, expected);
        assert_eq!(truth_of("may fail bounds").claim, Claim::MayFail);
        for wrong in
            ["x; //@ covered null\n", "x; //@ may\n", "x; //@ may think\n", "x; //@ fails null 3 4\n"]
        {
            assert!(truths(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn unknown_contradicts_nothing_and_a_bound_only_what_it_includes() {
        let covered = truth_of("covered 3");
        assert_eq!(covered.judge(&Answer::Unknown("time".to_owned())), Judgement::Less);
        assert_eq!(covered.judge(&Answer::NeverWithin(2)), Judgement::Less);
        assert_eq!(covered.judge(&Answer::NeverWithin(3)), Judgement::Wrong);
        assert_eq!(covered.judge(&Answer::Doomed), Judgement::Wrong);
        assert_eq!(truth_of("holds").judge(&Answer::NeverWithin(9)), Judgement::True);
        assert_eq!(truth_of("holds").judge(&Answer::Runs), Judgement::Wrong);
    }

    #[test]
    fn what_may_happen_is_excluded_under_an_assumption_only() {
        let under = Answer::NeverUnder("no access goes beyond its object".to_owned());
        assert_eq!(truth_of("may run").judge(&under), Judgement::Less);
        assert_eq!(truth_of("may run").judge(&Answer::Never), Judgement::Wrong);
        assert_eq!(truth_of("covered").judge(&under), Judgement::Wrong);
        assert_eq!(truth_of("may fail").judge(&Answer::Never), Judgement::Wrong);
    }
}
